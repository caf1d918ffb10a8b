// The space around the runs: how large it is, its grid, axes and scale, and from where it is seen.
import * as THREE from "three";
import { figures } from "./plots.js";

// What the runs take.  A surface is shown whole, unless it is much larger than what touches it.
export function measure(runs) {
  const box = new THREE.Box3(), point = new THREE.Vector3();
  for (const run of runs)
    for (const { position } of run.rods)
      for (let i = 0; i < position.length; i += 3) box.expandByPoint(point.fromArray(position, i));
  for (const run of runs)
    for (const { position, size } of run.bodies)
      for (let i = 0; i < position.length; i += 3)
        for (const s of [-0.5, 0.5]) box.expandByPoint(point.fromArray(position, i).addScalar(s * Math.max(...size)));
  for (const run of runs)
    for (const { vertex, position, frame } of run.obstacles) {
      const own = new THREE.Box3(), turn = new THREE.Quaternion(frame[1], frame[2], frame[3], frame[0]).normalize();
      for (let i = 0; vertex && i < vertex.length; i += 3) own.expandByPoint(point.fromArray(vertex, i).applyQuaternion(turn).add(new THREE.Vector3(...position.slice(0, 3))));
      if (vertex && own.getSize(point).length() < 3 * box.getSize(new THREE.Vector3()).length()) box.union(own);
    }
  return box;
}

// A round length x with the unit that suits it.
export const lengthText = (x) => (x >= 1000 ? `${figures(x / 1000)} km` : x >= 1 ? `${figures(x)} m` : x >= 0.01 ? `${figures(100 * x)} cm` : x >= 1e-3 ? `${figures(1e3 * x)} mm`
  : x >= 1e-6 ? `${figures(1e6 * x)} \u00b5m` : `${figures(x)} m`);
const roundUp = (least) => { const unit = 10 ** Math.floor(Math.log10(least)); return [1, 2, 5, 10].find((x) => unit * x >= least * (1 - 1e-9)) * unit; };

const AXES = ["x", "y", "z"], INKS = { light: ["#c0392b", "#2e7d32", "#1f4fa8"], dark: ["#ff8a7d", "#7fce86", "#8fb4ff"] };

function letter(text, colour, size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.font = "48px system-ui, sans-serif"; pen.textAlign = "center"; pen.fillStyle = colour;
  pen.fillText(text, 32, 48);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false }));
  sprite.scale.setScalar(0.035 * size);
  return sprite;
}

// A grid of round lengths, its lines on multiples of them, and the axes of the laboratory, lettered.
export class Surroundings {
  constructor(box, dark) {
    const size = box.getSize(new THREE.Vector3()).length() || 1, centre = box.getCenter(new THREE.Vector3());
    this.step = roundUp(size / 12);
    const count = 2 * Math.ceil(size / this.step), round = (x) => Math.round(x / this.step) * this.step;
    this.grid = new THREE.GridHelper(count * this.step, count, ...(dark ? [0x46525e, 0x2b333b] : [0xc5ced8, 0xe3e8ed]));
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(round(centre.x), round(centre.y), box.min.z);
    this.group = new THREE.Group().add(this.grid);
    INKS[dark ? "dark" : "light"].forEach((colour, i) => {
      const end = new THREE.Vector3().setComponent(i, 0.1 * size), name = letter(AXES[i], colour, size);
      name.position.copy(end).multiplyScalar(1.2);
      this.group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), end]), new THREE.LineBasicMaterial({ color: colour })), name);
    });
  }

  dispose() {
    this.group.traverse((object) => { object.geometry?.dispose(); object.material?.map?.dispose(); object.material?.dispose(); });
    this.group.removeFromParent();
  }
}

// Camera position along `view` that shows all corners of the box, with a margin for the labels at the edges.
function farEnough(camera, view, box, centre) {
  const right = new THREE.Vector3().crossVectors(camera.up, view).normalize(), up = new THREE.Vector3().crossVectors(view, right), point = new THREE.Vector3();
  const tall = Math.tan((camera.fov * Math.PI) / 360), wide = tall * camera.aspect;
  let far = 0;
  for (let i = 0; i < 8; i++) {
    point.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
    far = Math.max(far, point.dot(view) + 1.25 * Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall));
  }
  return far;
}

// The first view; a motion in a plane is viewed along the normal of that plane.
export function goHome(camera, controls, box) {
  const extent = box.getSize(new THREE.Vector3()), size = extent.length() || 1, centre = box.getCenter(new THREE.Vector3());
  const flat = AXES.reduce((a, b) => (extent[a] <= extent[b] ? a : b)), damped = controls.enableDamping;
  const view = new THREE.Vector3(0.9, -1.3, 0.7);
  if (extent[flat] < 1e-3 * size) view.set(0.25, -0.25, 0.2).setComponent(AXES.indexOf(flat), flat === "y" ? -1.6 : 1.6);
  const far = farEnough(camera, view.normalize(), box, centre) || size;
  camera.near = size / 1000; camera.far = 50 * size + far;
  camera.updateProjectionMatrix();
  controls.target.copy(centre);
  controls.enableDamping = false; // drop the inertia of the last drag
  for (let k = 0; k < 2; k++) { camera.position.copy(centre).addScaledVector(view, far); controls.update(); }
  controls.enableDamping = damped;
}

// A bar as long as a round length at the middle of the view: element has a line and a text.
export function showRuler(element, camera, controls, height, step) {
  const perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(controls.target)) / Math.max(height, 1), length = roundUp(60 * perPixel);
  const [line, text] = element.children, width = `${(length / perPixel).toFixed(1)}px`, said = `${lengthText(length)}; grid ${lengthText(step)}`;
  if (line.style.width !== width) line.style.width = width; // a page that moves need not be laid out again
  if (text.textContent === said) return;
  text.textContent = said;
  element.setAttribute("aria-label", `scale: the bar is ${lengthText(length)}, the grid ${lengthText(step)}`);
}

// All runs over each other, or each in its own part of the stage.
export function render(renderer, scene, camera, { clientWidth: w, clientHeight: h }, runs, split, ...rest) {
  const count = split ? runs : 1;
  renderer.setScissorTest(split);
  for (let i = 0; i < count; i++) {
    const from = Math.round((i * w) / count), to = Math.round(((i + 1) * w) / count);
    camera.layers.enableAll();
    for (let k = 0; split && k < runs; k++) if (k !== i) camera.layers.disable(1 + k);
    renderer.setViewport(from, 0, to - from, h);
    renderer.setScissor(from, 0, to - from, h);
    renderer.render(scene, camera, ...rest);
  }
}
