// Forces of supports (red) and contacts (orange) as arrows from where they act; the longest of each kind is an eighth of
// the scene: contacts share what they carry among many stations.
import * as THREE from "three";
import { locate } from "./data.js";

// [{ name, place(k, out), force(k, out), count }]: what acts at snapshot k.
export function makeForces(run) {
  const sources = [];
  for (const rod of run.rods) {
    const n = rod.count;
    for (const [end, station] of [["start", 0], ["finish", n - 1]]) {
      const force = rod.reactions?.[end];
      if (force?.some((x) => x !== 0)) sources.push({ name: "support", at: rod.position, stride: 3 * n, offset: 3 * station, force, step: 3, from: 0 });
    }
    if (rod.contact)
      for (let i = 0; i < n; i++) {
        const weight = 0.5 * ((rod.s?.[Math.min(i + 1, n - 1)] ?? 0) - (rod.s?.[Math.max(i - 1, 0)] ?? 0)) || 0;
        sources.push({ name: "contact", at: rod.position, stride: 3 * n, offset: 3 * i, force: rod.contact, step: 3 * n, from: 3 * i, weight });
      }
  }
  return sources;
}

const UP = new THREE.Vector3(0, 1, 0);
const COLOUR = { support: new THREE.Color("#c0392b"), contact: new THREE.Color("#e07b00") };

export class ForceArrows {
  constructor(run, sources, size) {
    Object.assign(this, { run, sources, size });
    const arrow = new THREE.ConeGeometry(0.03, 0.16, 10).translate(0, 0.92, 0), stem = new THREE.CylinderGeometry(0.009, 0.009, 0.86, 8).translate(0, 0.43, 0);
    const merged = new THREE.BufferGeometry(), a = arrow.toNonIndexed(), b = stem.toNonIndexed();
    for (const name of ["position", "normal"])
      merged.setAttribute(name, new THREE.BufferAttribute(Float32Array.from([...a.attributes[name].array, ...b.attributes[name].array]), 3));
    this.mesh = new THREE.InstancedMesh(merged, new THREE.MeshStandardMaterial({ color: "#ffffff", roughness: 0.6 }), Math.max(sources.length, 1));
    this.mesh.frustumCulled = false;
    this.most = { support: 0, contact: 0 };
    for (const { name, force, weight = 1, step, from } of sources)
      for (let k = from; k < force.length; k += step) this.most[name] = Math.max(this.most[name], weight * Math.hypot(force[k], force[k + 1], force[k + 2]));
    sources.forEach(({ name }, index) => this.mesh.setColorAt(index, COLOUR[name]));
    const said = Object.entries(this.most).filter(([, most]) => most > 0).map(([name, most]) => `${+most.toPrecision(3)} N at ${name === "support" ? "supports" : "contacts"}`);
    this.text = said.length ? `longest arrow ${said.join(", ")}` : "";
  }

  show(t) {
    const [k, f] = locate(this.run.t, t), next = this.run.t.length > 1 ? 1 : 0;
    const place = new THREE.Vector3(), force = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();
    this.sources.forEach((source, index) => {
      const mix = (values, step, from, out) => {
        const a = k * step + from, b = (k + next) * step + from;
        return out.set(...[0, 1, 2].map((c) => (1 - f) * values[a + c] + f * values[b + c]));
      };
      mix(source.at, source.stride, source.offset, place);
      mix(source.force, source.step, source.from, force).multiplyScalar(source.weight ?? 1);
      const length = (0.125 * this.size * force.length()) / (this.most[source.name] || 1);
      turn.setFromUnitVectors(UP, force.length() > 0 ? force.normalize() : UP);
      this.mesh.setMatrixAt(index, matrix.compose(place, turn, size.set(this.size * 0.125, length, this.size * 0.125).multiplyScalar(length > 1e-4 * this.size ? 1 : 0)));
    });
    this.mesh.count = this.sources.length;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
