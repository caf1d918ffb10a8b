// A rod as a tube with its true section, rebuilt in place for every frame shown.
import * as THREE from "three";
import { locate } from "./data.js";

const RUN_COLOURS = ["#0b6e99", "#c2571a", "#3a8f4d", "#8a4fa3", "#b08900", "#555555"];
export const runColour = (index) => RUN_COLOURS[index % RUN_COLOURS.length];

// Outline of the section in (d1, d2), scaled to its size.
function outline(section, fallback) {
  const points = [];
  const [a, b] = section.kind === "none" ? [fallback, fallback] : [section.a / 2, (section.b || section.a) / 2];
  if (section.kind === "rectangle") {
    for (const [x, y] of [[1, 1], [-1, 1], [-1, -1], [1, -1]]) points.push([x * a, y * b]);
    return points;
  }
  const width = section.kind === "tube" ? a : b;
  for (let i = 0; i < 12; i++) {
    const phi = (2 * Math.PI * i) / 12;
    points.push([a * Math.cos(phi), width * Math.sin(phi)]);
  }
  return points;
}

// Colour ramp (dark blue - green - yellow), perceptually even.
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
export function ramp(x, out) {
  const y = Math.min(Math.max(x, 0), 1) * (RAMP.length - 1), i = Math.min(Math.floor(y), RAMP.length - 2), f = y - i;
  for (let k = 0; k < 3; k++) out[k] = (RAMP[i][k] + f * (RAMP[i + 1][k] - RAMP[i][k])) / 255;
  return out;
}

export class RodMesh {
  constructor(run, rod, runIndex, thinnest) {
    this.run = run; this.rod = rod;
    this.outline = outline(rod.section, thinnest);
    this.base = new THREE.Color(runColour(runIndex));
    const n = rod.count, m = this.outline.length;
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(n * m * 3), 3));
    this.geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(n * m * 3), 3));
    this.geometry.setIndex(RodMesh.triangles(n, m));
    this.mesh = new THREE.Mesh(this.geometry, new THREE.MeshStandardMaterial({
      vertexColors: true, roughness: 0.45, metalness: 0.1, side: THREE.DoubleSide, flatShading: rod.section.kind === "rectangle" }));
    this.mesh.frustumCulled = false;
    this.axes = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
    this.axes.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(n * 18), 3));
    this.axes.geometry.setAttribute("color", new THREE.BufferAttribute(RodMesh.axisColours(n), 3));
    this.axes.frustumCulled = false;
    this.axes.visible = false;
    this.centre = new Float32Array(n * 3);
    this.turn = new Float32Array(n * 4);
  }

  static triangles(n, m) {
    const index = [];
    for (let i = 0; i + 1 < n; i++)
      for (let k = 0; k < m; k++) {
        const a = i * m + k, b = i * m + ((k + 1) % m), c = a + m, d = b + m;
        index.push(a, c, b, b, c, d);
      }
    for (const end of [0, (n - 1) * m]) for (let k = 1; k + 1 < m; k++) index.push(end, end + k, end + k + 1);
    return index;
  }

  static axisColours(n) {
    const out = new Float32Array(n * 18);
    for (let i = 0; i < n; i++)
      for (let axis = 0; axis < 3; axis++)
        for (const end of [0, 1]) out[i * 18 + axis * 6 + end * 3 + axis] = 0.85;
    return out;
  }

  // Mean position of each station: the centre of a magnified motion.
  mean() {
    if (this.middle) return this.middle;
    if (this.rod.base) return (this.middle = this.rod.base); // of a mode: the shape that swings
    const { position, count } = this.rod, n = count * 3, sum = new Float64Array(n);
    for (let i = 0; i < position.length; i++) sum[i % n] += position[i];
    return (this.middle = sum.map((x) => x / (position.length / n)));
  }

  // Positions and frames between the two stored frames around t.
  interpolate(t, motion) {
    const { rod, run } = this, n = rod.count, [k, f] = locate(run.t, t), next = run.t.length > 1 ? 1 : 0;
    const a = k * n * 3, b = (k + next) * n * 3;
    for (let i = 0; i < n * 3; i++) this.centre[i] = (1 - f) * rod.position[a + i] + f * rod.position[b + i];
    if (motion !== 1) {
      const mean = this.mean();
      for (let i = 0; i < n * 3; i++) this.centre[i] = mean[i] + motion * (this.centre[i] - mean[i]);
    }
    if (!rod.frame) return this.frameFromTangents();
    const p = k * n * 4, q = (k + next) * n * 4;
    for (let i = 0; i < n; i++) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += rod.frame[p + 4 * i + c] * rod.frame[q + 4 * i + c];
      const sign = dot < 0 ? -1 : 1;
      let square = 0;
      for (let c = 0; c < 4; c++) {
        const x = (1 - f) * rod.frame[p + 4 * i + c] + f * sign * rod.frame[q + 4 * i + c];
        this.turn[4 * i + c] = x; square += x * x;
      }
      const scale = 1 / Math.sqrt(square || 1);
      for (let c = 0; c < 4; c++) this.turn[4 * i + c] *= scale;
    }
  }

  frameFromTangents() {
    const n = this.rod.count, z = new THREE.Vector3(0, 0, 1), tangent = new THREE.Vector3(), q = new THREE.Quaternion();
    for (let i = 0; i < n; i++) {
      const a = Math.max(i - 1, 0) * 3, b = Math.min(i + 1, n - 1) * 3;
      tangent.set(this.centre[b] - this.centre[a], this.centre[b + 1] - this.centre[a + 1],
                  this.centre[b + 2] - this.centre[a + 2]).normalize();
      q.setFromUnitVectors(z, tangent);
      this.turn.set([q.w, q.x, q.y, q.z], 4 * i);
    }
  }

  // d1, d2, d3 of station i as nine numbers.
  axesOf(i, out) {
    const w = this.turn[4 * i], x = this.turn[4 * i + 1], y = this.turn[4 * i + 2], z = this.turn[4 * i + 3];
    out[0] = 1 - 2 * (y * y + z * z); out[1] = 2 * (x * y + w * z); out[2] = 2 * (x * z - w * y);
    out[3] = 2 * (x * y - w * z); out[4] = 1 - 2 * (x * x + z * z); out[5] = 2 * (y * z + w * x);
    out[6] = 2 * (x * z + w * y); out[7] = 2 * (y * z - w * x); out[8] = 1 - 2 * (x * x + y * y);
    return out;
  }

  // The value of a colour at station i between two stored frames, from 0 to 1 on the scale of all rods.
  shade(values, scale, i, k, next, f) {
    const n = this.rod.count, raw = ((1 - f) * values.value[k * n + i] + f * values.value[(k + next) * n + i]) / 65535;
    const value = values.high > values.low ? values.low + raw * (values.high - values.low) : values.low;
    return scale.high > scale.low ? (value - scale.low) / (scale.high - scale.low) : 0.5;
  }

  // scale: that of the colour, or undefined: the colour of the run.
  show(t, scale, { motion, axisLength }) {
    this.interpolate(t, motion);
    const { thickness } = this;
    const place = this.geometry.attributes.position.array, paint = this.geometry.attributes.color.array;
    const axes = this.axes.geometry.attributes.position.array;
    const m = this.outline.length, d = new Float32Array(9), rgb = [0, 0, 0];
    const values = scale && this.rod.colours.find((c) => c.name === scale.name);
    const [k, f] = locate(this.run.t, t), next = this.run.t.length > 1 ? 1 : 0;
    for (let i = 0; i < this.rod.count; i++) {
      this.axesOf(i, d);
      if (values) ramp(this.shade(values, scale, i, k, next, f), rgb);
      else this.base.toArray(rgb);
      for (let j = 0; j < m; j++) {
        const [x, y] = this.outline[j], at = (i * m + j) * 3;
        for (let c = 0; c < 3; c++) {
          place[at + c] = this.centre[3 * i + c] + thickness * (x * d[c] + y * d[3 + c]);
          paint[at + c] = rgb[c];
        }
      }
      if (this.axes.visible)
        for (let axis = 0; axis < 3; axis++)
          for (let c = 0; c < 3; c++) {
            axes[i * 18 + axis * 6 + c] = this.centre[3 * i + c];
            axes[i * 18 + axis * 6 + 3 + c] = this.centre[3 * i + c] + axisLength * d[axis * 3 + c];
          }
    }
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.color.needsUpdate = true;
    this.geometry.computeVertexNormals();
    if (this.axes.visible) this.axes.geometry.attributes.position.needsUpdate = true;
  }
}
