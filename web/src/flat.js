// Where there is no WebGL: rods and tendons as lines, bodies, joints and supports as dots, on a plain canvas, through the same camera.
import * as THREE from "three";
import { ramp } from "../../viewer/src/rods.js";

export class FlatRenderer {
  constructor() {
    this.domElement = document.createElement("canvas");
    this.pen = this.domElement.getContext("2d");
    this.ratio = 1; this.view = [0, 0, 1, 1]; this.flat = true;
    this.a = new THREE.Vector3(); this.b = new THREE.Vector3();
  }
  setPixelRatio(ratio) { this.ratio = ratio; }
  setSize(w, h) {
    Object.assign(this.domElement, { width: Math.round(w * this.ratio), height: Math.round(h * this.ratio) });
    Object.assign(this.domElement.style, { width: `${w}px`, height: `${h}px` });
  }
  setScissorTest() {}
  setScissor() {}
  setViewport(...view) { this.view = view; }

  place(point, camera, out) { // on the canvas, in pixels; false: behind the camera
    out.copy(point).project(camera);
    const [x, y, w, h] = this.view;
    return [(x + (0.5 + 0.5 * out.x) * w) * this.ratio, (y + (0.5 - 0.5 * out.y) * h) * this.ratio, out.z < 1];
  }

  render(scene, camera, stage) {
    const { pen, ratio } = this, [x, y, w, h] = this.view.map((v) => v * ratio);
    camera.updateMatrixWorld();
    pen.save();
    pen.beginPath(); pen.rect(x, y, w, h); pen.clip();
    pen.fillStyle = `#${scene.background.getHexString()}`;
    pen.fillRect(x, y, w, h);
    if (stage.surroundings) this.lines(stage.surroundings.grid, camera);
    const { rods = [], parts = [], supports = [], tendons = [] } = stage.cast ?? {}, visible = ({ mesh }) => mesh.layers.test(camera.layers);
    for (const { mesh } of [...parts, ...supports].filter(visible)) this.dot(mesh, camera);
    for (const rod of rods.filter(visible)) this.rod(rod, camera, stage.colour);
    for (const { place, mesh } of tendons.filter(visible)) this.path(place, camera, `#${mesh.material.color.getHexString()}`);
    pen.restore();
  }

  lines(grid, camera) {
    const { pen } = this, at = grid.geometry.attributes.position.array;
    grid.updateMatrixWorld();
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--grid-strong"); pen.lineWidth = this.ratio * 0.5;
    for (let i = 0; i < at.length; i += 6) {
      const p = this.place(this.a.fromArray(at, i).applyMatrix4(grid.matrixWorld), camera, this.b);
      const q = this.place(this.a.fromArray(at, i + 3).applyMatrix4(grid.matrixWorld), camera, this.b);
      if (!p[2] || !q[2]) continue;
      pen.beginPath(); pen.moveTo(p[0], p[1]); pen.lineTo(q[0], q[1]); pen.stroke();
    }
  }
  dot(mesh, camera) {
    const [x, y, visible] = this.place(mesh.position, camera, this.b);
    if (!visible) return;
    this.pen.fillStyle = `#${mesh.material.color.getHexString()}80`;
    this.pen.beginPath(); this.pen.arc(x, y, 5 * this.ratio, 0, 2 * Math.PI); this.pen.fill();
  }
  path(places, camera, ink) {
    const { pen } = this;
    pen.strokeStyle = ink; pen.lineWidth = 1.5 * this.ratio;
    pen.beginPath();
    for (let i = 0; i < places.length; i += 3) {
      const [x, y, visible] = this.place(this.a.fromArray(places, i), camera, this.b);
      if (visible) pen.lineTo(x, y);
    }
    pen.stroke();
  }
  rod(rod, camera, coloured) {
    const { pen } = this, rgb = [0, 0, 0];
    pen.lineWidth = 4 * this.ratio; pen.lineCap = "round";
    let before = null;
    for (let i = 0; i < rod.rod.count; i++) {
      const at = this.place(this.a.fromArray(rod.centre, 3 * i), camera, this.b);
      if (before?.[2] && at[2]) {
        pen.strokeStyle = coloured && rod.tints ? `rgb(${ramp(rod.tints[i], rgb).map((x) => Math.round(255 * x)).join(",")})` : rod.base.getStyle();
        pen.beginPath(); pen.moveTo(before[0], before[1]); pen.lineTo(at[0], at[1]); pen.stroke();
      }
      before = at;
    }
  }
}

export function makeRenderer() {
  const able = (() => { try { return !!document.createElement("canvas").getContext("webgl2"); } catch { return false; } })();
  return able ? new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }) : new FlatRenderer();
}
