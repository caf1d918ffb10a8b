// The 3-D view: runs drawn as the viewer draws them, over each other or side by side, with one camera.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Cast } from "../../viewer/src/cast.js";
import { Surroundings, goHome, measure, render, showRuler } from "../../viewer/src/space.js";
import { makeRenderer } from "./flat.js";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export class Stage {
  // ruler: the element of the scale
  constructor(element, ruler) {
    Object.assign(this, { element, ruler, runs: [], frames: 0, split: false, colour: "", forces: false, cast: null, surroundings: null, left: [], box: new THREE.Box3() });
    this.renderer = makeRenderer();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "the rods in three dimensions");
    element.prepend(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => { this.dirty = true; });
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb8c4d0, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    new ResizeObserver(() => this.resize()).observe(element);
    this.theme();
    this.resize();
  }

  get rods() { return this.cast?.rods ?? []; }
  get scales() { return this.cast?.scales ?? {}; }
  get gridStep() { return this.surroundings.step; }

  theme() {
    this.scene.background = new THREE.Color(css("--stage") || "#f7f8fa");
    this.cast?.theme(isDark());
    if (this.cast) this.surround();
    this.dirty = true;
  }
  surround() {
    const of = JSON.stringify([this.box, isDark()]);
    if (this.surroundings?.of === of) return;
    if (this.surroundings) this.leave(this.surroundings);
    this.surroundings = Object.assign(new Surroundings(this.box, isDark()), { of });
    this.scene.add(this.surroundings.group);
  }
  // What is not shown any more; disposed of after the next picture, so that its shaders are not compiled again for that.
  leave(thing) {
    thing.group.removeFromParent();
    this.left.push(thing);
  }

  // ---- what is shown -------------------------------------------------------------------------------------------
  setRuns(runs, { home = true, box = null } = {}) {
    if (this.cast) this.leave(this.cast);
    this.runs = runs;
    const measured = box ?? measure(runs);
    if (home || this.box.isEmpty()) this.box = measured;
    else this.box.union(measured);
    this.cast = new Cast(runs, this.box);
    this.scene.add(this.cast.group);
    this.showForces(this.forces);
    this.theme();
    if (home) this.goHome();
  }
  clear() {
    for (const thing of [this.cast, this.surroundings]) if (thing) this.leave(thing);
    Object.assign(this, { cast: null, surroundings: null, runs: [], box: new THREE.Box3(), dirty: true });
    this.ruler.hidden = true;
  }
  showForces(on) {
    this.forces = on;
    for (const { mesh } of this.cast?.forces ?? []) mesh.visible = on;
  }

  goHome() {
    goHome(this.camera, this.controls, this.box);
    this.dirty = true;
  }

  show(t) {
    this.cast.show(t, this.colour, { motion: 1 });
    this.dirty = true;
  }

  // ---- drawing --------------------------------------------------------------------------------------------------
  get halves() { return this.split && this.runs.length > 1; }
  resize() {
    const { clientWidth: w, clientHeight: h } = this.element;
    if (!w || !h) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = (this.halves ? w / this.runs.length : w) / h;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  render() {
    if (!this.dirty) return false;
    this.dirty = false; this.frames++;
    render(this.renderer, this.scene, this.camera, this.element, this.runs.length, this.halves, this);
    for (const thing of this.left.splice(0)) thing.dispose();
    this.ruler.hidden = !this.surroundings;
    if (this.surroundings) showRuler(this.ruler, this.camera, this.controls, this.element.clientHeight, this.surroundings.step);
    return true;
  }

  // ---- pointing: which station of which rod is nearest on the screen --------------------------------------------
  pick(x, y, within = 40) {
    const { clientWidth: w, clientHeight: h } = this.element, point = new THREE.Vector3();
    let best = null, least = within;
    this.rods.forEach(({ rod, centre }, index) => {
      for (let i = 0; i < (rod.line ? 0 : rod.count); i++) {
        point.fromArray(centre, 3 * i).project(this.camera);
        const off = Math.hypot((0.5 + 0.5 * point.x) * w - x, (0.5 - 0.5 * point.y) * h - y);
        if (off < least) { least = off; best = { rod: index, station: i, depth: point.z, off }; }
      }
    });
    return best;
  }

  // The place under (x, y) that is as far away as a station.
  place(x, y, depth) {
    const { clientWidth: w, clientHeight: h } = this.element;
    return new THREE.Vector3((2 * x) / w - 1, 1 - (2 * y) / h, depth).unproject(this.camera).toArray();
  }
}
