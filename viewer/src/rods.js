// A rod as a smooth tube with its true section, rebuilt in place for every frame shown.
//
// Between two stations the centreline is the cubic through both with their tangents, and the frame turns from the one to
// the other: a coil of few stations is round.  How many rings lie between two stations follows from the largest turn.
// Coloured by a quantity, a rod is drawn without light, so that its colours are those of the legend.
import * as THREE from "three";
import { locate } from "./data.js";

const TURN = 0.2; // [rad] largest turn from ring to ring, where the budget allows
const RINGS = 16, VERTICES = 40000; // most rings for a station; vertices of one rod

const RUN_COLOURS = { light: ["#0b6e99", "#c2571a", "#3a8f4d", "#8a4fa3", "#b08900", "#555555"],
                      dark: ["#5fb8dd", "#f0955c", "#7cc98d", "#c79adb", "#d9bd52", "#b5b5b5"] };
export const runColour = (index, dark = false) => RUN_COLOURS[dark ? "dark" : "light"][index % RUN_COLOURS.light.length];

// Outline of the section in (d1, d2), scaled to its size.
function outline(section, fallback, corners) {
  const points = [];
  const [a, b] = section.kind === "none" ? [fallback, fallback] : [section.a / 2, (section.b || section.a) / 2];
  if (section.kind === "rectangle") {
    for (const [x, y] of [[1, 1], [-1, 1], [-1, -1], [1, -1]]) points.push([x * a, y * b]);
    return points;
  }
  const width = section.kind === "tube" ? a : b;
  for (let i = 0; i < corners; i++) {
    const phi = (2 * Math.PI * i) / corners;
    points.push([a * Math.cos(phi), width * Math.sin(phi)]);
  }
  return points;
}

// Colour ramp (dark blue - green - yellow), perceptually even.
const LIGHT = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const DARK = [[138, 99, 201], [84, 139, 209], [47, 181, 171], [134, 217, 90], [253, 231, 37]]; // lifted off a dark page
let RAMP = LIGHT;
export const rampOn = (dark) => { RAMP = dark ? DARK : LIGHT; };
// sRGB, 0 to 1.
export function ramp(x, out) {
  const y = Math.min(Math.max(x, 0), 1) * (RAMP.length - 1), i = Math.min(Math.floor(y), RAMP.length - 2), f = y - i;
  for (let k = 0; k < 3; k++) out[k] = (RAMP[i][k] + f * (RAMP[i + 1][k] - RAMP[i][k])) / 255;
  return out;
}

// The bar of a legend.
export function paintBar(canvas) {
  const pen = canvas.getContext("2d"), rgb = [0, 0, 0], { width, height } = canvas;
  for (let i = 0; i < width; i++) {
    pen.fillStyle = `rgb(${ramp(i / (width - 1), rgb).map((x) => Math.round(255 * x)).join(",")})`;
    pen.fillRect(i, 0, 1, height);
  }
}

// The linear light of a colour as three.js mixes it.
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

// The outward normal of the outline at each of its points, in (d1, d2).
function normals(outline) {
  const m = outline.length;
  return outline.map((_, j) => {
    const [a, b] = [outline[(j + m - 1) % m], outline[(j + 1) % m]], x = b[1] - a[1], y = a[0] - b[0], size = Math.hypot(x, y) || 1;
    return [x / size, y / size];
  });
}

// Four points of a rectangle become eight, each side with its own normal.
function faced(section, points) {
  if (section.kind !== "rectangle") return { points, outward: normals(points), sides: points.map((_, j) => [j, (j + 1) % points.length]) };
  const twice = points.flatMap((p, j) => [p, points[(j + 1) % 4]]);
  const outward = points.flatMap((p, j) => {
    const q = points[(j + 1) % 4], x = q[1] - p[1], y = p[0] - q[0], size = Math.hypot(x, y) || 1;
    return Array(2).fill([x / size, y / size]);
  });
  return { points: twice, outward, sides: [0, 2, 4, 6].map((j) => [j, j + 1]) };
}

export class RodMesh {
  // corners: of a round section
  constructor(run, rod, runIndex, thinnest, corners = 12) {
    this.run = run; this.rod = rod; this.index = runIndex;
    this.outline = outline(rod.section, thinnest, corners);
    this.face = faced(rod.section, this.outline);
    this.base = new THREE.Color(runColour(runIndex));
    const n = rod.count, m = this.face.points.length;
    this.ring = Float32Array.from(this.face.points.flatMap((p, j) => [...p, ...this.face.outward[j]])); // x, y, normal of each corner
    this.parts = RodMesh.rings(rod, m); // of a station
    this.count = (n - 1) * this.parts + 1;
    this.geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"])
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(this.count * m * 3), 3));
    this.geometry.setIndex(RodMesh.triangles(this.count, m, this.face.sides));
    const how = { vertexColors: true, side: THREE.DoubleSide };
    this.lit = new THREE.MeshStandardMaterial({ ...how, roughness: 0.45, metalness: 0.1 });
    this.plain = new THREE.MeshBasicMaterial({ ...how, toneMapped: false });
    this.mesh = new THREE.Mesh(this.geometry, this.lit);
    this.mesh.frustumCulled = false;
    this.axes = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
    this.axes.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(n * 18), 3));
    this.axes.geometry.setAttribute("color", new THREE.BufferAttribute(RodMesh.axisColours(n), 3));
    this.axes.frustumCulled = false;
    this.axes.visible = false;
    this.centre = new Float32Array(n * 3);
    this.turn = new Float32Array(n * 4);
    this.smooth = new Float32Array(this.count * 3);
    this.smoothTurn = new Float32Array(this.count * 4);
  }

  theme(dark) { this.base.set(runColour(this.index, dark)); }

  // Rings per station: from the largest angle between neighbouring chords in some of the frames.
  static rings(rod, m) {
    const n = rod.count, frames = rod.position.length / (3 * n), p = rod.position;
    let most = 0;
    for (let look = 0; look < Math.min(frames, 8); look++) {
      const at = 3 * n * Math.round((look / Math.max(Math.min(frames, 8) - 1, 1)) * (frames - 1));
      for (let i = 1; i + 1 < n; i++) {
        const a = [0, 1, 2].map((c) => p[at + 3 * i + c] - p[at + 3 * i - 3 + c]), b = [0, 1, 2].map((c) => p[at + 3 * i + 3 + c] - p[at + 3 * i + c]);
        const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2], size = Math.hypot(...a) * Math.hypot(...b);
        if (size > 0) most = Math.max(most, Math.acos(Math.min(1, Math.max(-1, dot / size))));
      }
    }
    return Math.max(1, Math.min(Math.ceil(most / TURN), RINGS, Math.floor(VERTICES / (n * m))));
  }

  static triangles(n, m, sides) {
    const index = [];
    for (let i = 0; i + 1 < n; i++)
      for (const [j, k] of sides) {
        const a = i * m + j, b = i * m + k, c = a + m, d = b + m;
        index.push(a, b, c, b, d, c);
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

  // The tangent at station i: the slope of the parabola through it and its neighbours, or d3 of its section where that
  // is along it (the frame of an arm to a joint is not).
  tangent(i, out) {
    const n = this.rod.count, p = this.centre, before = Math.max(i - 1, 0) * 3, at = 3 * i, after = Math.min(i + 1, n - 1) * 3;
    const a = Math.hypot(p[at] - p[before], p[at + 1] - p[before + 1], p[at + 2] - p[before + 2]) || 1e-300;
    const b = Math.hypot(p[after] - p[at], p[after + 1] - p[at + 1], p[after + 2] - p[at + 2]) || 1e-300;
    for (let c = 0; c < 3; c++) {
      const left = (p[at + c] - p[before + c]) / a, right = (p[after + c] - p[at + c]) / b;
      out[c] = i === 0 ? right : i === n - 1 ? left : (left * b + right * a) / (a + b);
    }
    const size = Math.hypot(...out) || 1;
    for (let c = 0; c < 3; c++) out[c] /= size;
    if (this.rod.frame) {
      const d = RodMesh.axesOf(this.turn, i, (this.nine ??= new Float32Array(9)));
      if (out[0] * d[6] + out[1] * d[7] + out[2] * d[8] > 0.8) for (let c = 0; c < 3; c++) out[c] = d[6 + c];
    }
    return out;
  }

  // Centres and frames of all rings.
  refine() {
    const { parts, centre, turn, smooth, smoothTurn } = this, n = this.rod.count;
    if (parts === 1) { smooth.set(centre); smoothTurn.set(turn); return; }
    const a = [0, 0, 0], b = [0, 0, 0];
    this.tangent(0, b);
    for (let i = 0; i + 1 < n; i++) {
      a.splice(0, 3, ...b);
      this.tangent(i + 1, b);
      const p = 3 * i, q = p + 3;
      const chord = Math.hypot(centre[q] - centre[p], centre[q + 1] - centre[p + 1], centre[q + 2] - centre[p + 2]);
      const cosine = Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])), half = Math.acos(cosine) / 2;
      const length = chord * (half > 1e-3 ? Math.tan(half / 2) / (half / 2) * (half / Math.sin(half)) : 1); // of the cubic nearest to an arc
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += turn[4 * i + c] * turn[4 * i + 4 + c];
      const sign = dot < 0 ? -1 : 1;
      for (let k = 0; k < parts; k++) {
        const x = k / parts, at = i * parts + k, h00 = (1 + 2 * x) * (1 - x) ** 2, h10 = x * (1 - x) ** 2, h01 = x * x * (3 - 2 * x), h11 = x * x * (x - 1);
        for (let c = 0; c < 3; c++) smooth[3 * at + c] = h00 * centre[p + c] + h10 * length * a[c] + h01 * centre[q + c] + h11 * length * b[c];
        let square = 0;
        for (let c = 0; c < 4; c++) {
          const y = (1 - x) * turn[4 * i + c] + x * sign * turn[4 * i + 4 + c];
          smoothTurn[4 * at + c] = y; square += y * y;
        }
        const scale = 1 / Math.sqrt(square || 1);
        for (let c = 0; c < 4; c++) smoothTurn[4 * at + c] *= scale;
      }
    }
    smooth.set(centre.subarray(3 * n - 3), 3 * (this.count - 1));
    smoothTurn.set(turn.subarray(4 * n - 4), 4 * (this.count - 1));
  }

  // d1, d2, d3 of a quaternion among many as nine numbers.
  static axesOf(turn, i, out) {
    const w = turn[4 * i], x = turn[4 * i + 1], y = turn[4 * i + 2], z = turn[4 * i + 3];
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

  // Colours of all stations, 0 to 1.
  shades(scale, t) {
    const values = scale && this.rod.colours.find((c) => c.name === scale.name);
    if (!values) return null;
    const [k, f] = locate(this.run.t, t), next = this.run.t.length > 1 ? 1 : 0;
    this.tints ??= new Float32Array(this.rod.count);
    for (let i = 0; i < this.rod.count; i++) this.tints[i] = this.shade(values, scale, i, k, next, f);
    return this.tints;
  }

  // scale: that of the colour, or undefined: the colour of the run.
  show(t, scale, { motion, axisLength }) {
    this.interpolate(t, motion);
    this.refine();
    const { thickness, ring, parts, smooth } = this, { position, normal, color } = this.geometry.attributes;
    const place = position.array, outward = normal.array, paint = color.array;
    const m = ring.length / 4, d = (this.nine ??= new Float32Array(9)), rgb = this.base.toArray(), tints = this.shades(scale, t);
    this.mesh.material = tints ? this.plain : this.lit;
    for (let i = 0; i < this.count; i++) {
      RodMesh.axesOf(this.smoothTurn, i, d);
      if (tints) {
        const station = Math.min(Math.floor(i / parts), this.rod.count - 1), x = (i % parts) / parts;
        ramp(tints[station] + x * (tints[Math.min(station + 1, this.rod.count - 1)] - tints[station]), rgb);
        for (let c = 0; c < 3; c++) rgb[c] = linear(rgb[c]);
      }
      for (let j = 0; j < m; j++) {
        const x = thickness * ring[4 * j], y = thickness * ring[4 * j + 1], u = ring[4 * j + 2], v = ring[4 * j + 3], at = (i * m + j) * 3;
        for (let c = 0; c < 3; c++) {
          place[at + c] = smooth[3 * i + c] + x * d[c] + y * d[3 + c];
          outward[at + c] = u * d[c] + v * d[3 + c];
          paint[at + c] = rgb[c];
        }
      }
    }
    for (const attribute of [position, normal, color]) attribute.needsUpdate = true;
    if (this.axes.visible) this.showAxes(axisLength);
  }

  showAxes(length) {
    const axes = this.axes.geometry.attributes.position, d = new Float32Array(9);
    for (let i = 0; i < this.rod.count; i++) {
      RodMesh.axesOf(this.turn, i, d);
      for (let axis = 0; axis < 3; axis++)
        for (let c = 0; c < 3; c++) {
          axes.array[i * 18 + axis * 6 + c] = this.centre[3 * i + c];
          axes.array[i * 18 + axis * 6 + 3 + c] = this.centre[3 * i + c] + length * d[axis * 3 + c];
        }
    }
    axes.needsUpdate = true;
  }
}

// Many rods of one run as one mesh: a picture costs one call instead of one for each of them.  The arrays of the rods are
// parts of its own.
export class RodBundle {
  constructor(run, rods) {
    this.run = run; this.rods = rods;
    const count = rods.reduce((sum, rod) => sum + rod.geometry.attributes.position.count, 0);
    this.geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"]) {
      const whole = new Float32Array(3 * count);
      let from = 0;
      for (const rod of rods) {
        const attribute = rod.geometry.attributes[name], { length } = attribute.array;
        attribute.array = whole.subarray(from, from + length);
        from += length;
      }
      this.geometry.setAttribute(name, new THREE.BufferAttribute(whole, 3).setUsage(THREE.DynamicDrawUsage));
    }
    const index = new Uint32Array(rods.reduce((sum, rod) => sum + rod.geometry.index.count, 0));
    let at = 0, from = 0;
    for (const { geometry } of rods) {
      for (const corner of geometry.index.array) index[at++] = from + corner;
      from += geometry.attributes.position.count;
    }
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const how = { vertexColors: true, side: THREE.DoubleSide };
    this.lit = new THREE.MeshLambertMaterial(how);
    this.plain = rods[0].plain;
    this.mesh = new THREE.Mesh(this.geometry, this.lit);
    this.mesh.frustumCulled = false;
  }

  // After its rods.
  show() {
    this.mesh.material = this.rods.some((rod) => rod.mesh.material === rod.plain) ? this.plain : this.lit;
    for (const name of ["position", "normal", "color"]) this.geometry.attributes[name].needsUpdate = true;
  }
}
