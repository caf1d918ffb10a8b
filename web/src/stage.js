// The 3-D view: runs of the viewer drawn over each other or side by side, with one camera.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { BodyMesh, JointMesh, ObstacleMesh } from "../../viewer/src/parts.js";
import { RodMesh, runColour } from "../../viewer/src/rods.js";
import { makeRenderer } from "./flat.js";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Stage {
  constructor(element) {
    this.element = element;
    this.renderer = makeRenderer();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "the rods in three dimensions");
    element.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => { this.dirty = true; });
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa8b8, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    this.group = new THREE.Group();
    this.scene.add(this.group);
    this.rods = []; this.parts = []; this.runs = []; this.frames = 0; this.split = false; this.colour = "";
    this.box = new THREE.Box3();
    new ResizeObserver(() => this.resize()).observe(element);
    this.theme();
    this.resize();
  }

  theme() {
    this.scene.background = new THREE.Color(css("--stage") || "#f7f8fa");
    this.lines = [css("--grid-strong") || "#c5ced8", css("--grid") || "#e3e8ed"];
    for (const rod of this.rods) this.tint(rod);
    if (this.runs.length) this.drawGrid();
    this.dirty = true;
  }
  // The colour of its run, lighter where the page is dark.
  tint(rod) {
    rod.base.set(runColour(rod.index));
    if (matchMedia("(prefers-color-scheme: dark)").matches) rod.base.lerp(new THREE.Color("#ffffff"), 0.3);
  }

  // ---- what is shown -------------------------------------------------------------------------------------------
  clear() {
    for (const child of [...this.group.children]) {
      child.geometry?.dispose(); child.material?.dispose?.();
      this.group.remove(child);
    }
    this.rods = []; this.parts = []; this.runs = [];
  }

  setRuns(runs, { home = true, box = null } = {}) {
    this.clear();
    this.runs = runs;
    const measured = box ?? this.measure(runs);
    if (home || this.box.isEmpty()) this.box = measured;
    else this.box.union(measured);
    this.size = this.box.getSize(new THREE.Vector3()).length() || 1;
    const centre = this.box.getCenter(new THREE.Vector3()), thinnest = this.size * 0.004;
    runs.forEach((run, index) => {
      const add = (list, part, mesh) => { part.index = index; list.push(part); this.group.add(mesh); };
      for (const rod of run.rods) {
        const made = new RodMesh(run, rod, index, thinnest);
        made.thickness = Math.max(1, (0.5 * thinnest) / Math.max(...made.outline.map(([x, y]) => Math.hypot(x, y))));
        add(this.rods, made, made.mesh);
        this.tint(made);
      }
      for (const body of run.bodies) { const made = new BodyMesh(run, body, index, thinnest); add(this.parts, made, made.mesh); }
      for (const joint of run.joints.filter((j) => j.kind !== "link")) {
        const made = new JointMesh(run, joint, 0.008 * this.size); add(this.parts, made, made.mesh);
      }
      for (const obstacle of run.obstacles) { const made = new ObstacleMesh(run, obstacle, this.size, centre); add(this.parts, made, made.mesh); }
    });
    this.thickest = Math.max(1, ...this.rods.filter((r) => r.rod.section.kind !== "none").map((r) => r.thickness));
    this.scales = {};
    for (const { rod } of this.rods)
      for (const { name, unit, low, high } of rod.colours) {
        const scale = (this.scales[name] ??= { name, unit, low, high });
        scale.low = Math.min(scale.low, low); scale.high = Math.max(scale.high, high);
      }
    this.drawGrid();
    if (home) this.goHome();
    this.dirty = true;
  }

  measure(runs) {
    const box = new THREE.Box3(), point = new THREE.Vector3();
    for (const run of runs) {
      for (const part of [...run.rods, ...run.bodies])
        for (let i = 0; i < part.position.length; i += 3) box.expandByPoint(point.fromArray(part.position, i));
      for (const body of run.bodies) box.expandByScalar(0.5 * Math.max(...body.size));
    }
    return box;
  }

  drawGrid() {
    if (this.grid) { this.scene.remove(this.grid); this.grid.geometry.dispose(); }
    const step = 10 ** Math.floor(Math.log10(this.size)) / 5, count = Math.max(2, Math.ceil((2 * this.size) / step / 2) * 2);
    this.grid = new THREE.GridHelper(step * count, count, ...this.lines);
    this.grid.rotation.x = Math.PI / 2;
    const centre = this.box.getCenter(new THREE.Vector3());
    this.grid.position.set(centre.x, centre.y, this.box.min.z - 1e-3 * this.size);
    this.scene.add(this.grid);
    this.gridStep = step;
  }

  goHome() {
    const { box, camera, size } = this, centre = box.getCenter(new THREE.Vector3()), extent = box.getSize(new THREE.Vector3());
    const flat = ["x", "y", "z"].reduce((a, b) => (extent[a] <= extent[b] ? a : b));
    const view = new THREE.Vector3(0.9, -1.3, 0.7);
    if (extent[flat] < 1e-3 * size) view.set(0.25, -0.25, 0.2).setComponent("xyz".indexOf(flat), flat === "y" ? -1.6 : 1.6);
    view.normalize();
    const right = new THREE.Vector3().crossVectors(camera.up, view).normalize(), up = new THREE.Vector3().crossVectors(view, right);
    const tall = Math.tan((camera.fov * Math.PI) / 360), wide = tall * camera.aspect, point = new THREE.Vector3();
    let far = 0;
    for (let i = 0; i < 8; i++) {
      point.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
      far = Math.max(far, point.dot(view) + 1.25 * Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall));
    }
    far ||= size;
    camera.near = size / 1000; camera.far = size * 50 + far;
    camera.position.copy(centre).addScaledVector(view, far);
    camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.dirty = true;
  }

  show(t) {
    for (const part of this.parts) part.show(t, { motion: 1 });
    for (const rod of this.rods) rod.show(t, this.scales[this.colour], { motion: 1, axisLength: this.size * 0.03 });
    this.dirty = true;
  }

  // ---- drawing --------------------------------------------------------------------------------------------------
  resize() {
    const { clientWidth: w, clientHeight: h } = this.element;
    if (!w || !h) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = (this.split ? w / 2 : w) / h;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  render() {
    if (!this.dirty || !this.grid) return false;
    this.dirty = false; this.frames++;
    const { clientWidth: w, clientHeight: h } = this.element, halves = this.split && this.runs.length > 1 ? 2 : 1;
    this.renderer.setScissorTest(halves > 1);
    for (let k = 0; k < halves; k++) {
      if (halves > 1) for (const part of [...this.rods, ...this.parts]) part.mesh.visible = part.index % 2 === k;
      this.renderer.setViewport((k * w) / halves, 0, w / halves, h);
      this.renderer.setScissor((k * w) / halves, 0, w / halves, h);
      this.renderer.render(this.scene, this.camera, this);
    }
    if (halves > 1) for (const part of [...this.rods, ...this.parts]) part.mesh.visible = true;
    return true;
  }

  // ---- pointing: which station of which rod is nearest on the screen --------------------------------------------
  pick(x, y, within = 40) {
    const { clientWidth: w, clientHeight: h } = this.element, point = new THREE.Vector3();
    let best = null, least = within;
    this.rods.forEach((rod, index) => {
      for (let i = 0; i < rod.rod.count; i++) {
        point.fromArray(rod.centre, 3 * i).project(this.camera);
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
