// Tendons: thin wires through the sections of their rods, from where they begin to a bead at their anchor; one that goes
// on in another rod is straight in between.
import * as THREE from "three";

const UP = new THREE.Vector3(0, 1, 0), COLOUR = "#b8860b";

export class TendonMesh {
  // tendon: { name, rod, continues, route: [point][3] station, x1, x2 }; rods: the RodMesh of each rod of the run
  constructor(run, tendon, rods, radius) {
    Object.assign(this, { run, info: tendon, rod: rods[tendon.rod], from: null });
    const { route } = tendon, points = [], { parts, count } = this.rod, last = route.length / 3 - 1;
    const offset = (u) => { // in the section at station u
      let k = 0;
      while (k < last - 1 && route[3 * k + 3] <= u) k++;
      const span = route[3 * k + 3] - route[3 * k], f = span > 0 ? (u - route[3 * k]) / span : 0;
      return [1, 2].map((c) => (1 - f) * route[3 * k + c] + f * route[3 * k + 3 + c]);
    };
    const first = route[0] * parts, end = route[3 * last] * parts; // in rings
    for (const ring of [first, ...Array.from({ length: count }, (_, i) => i).filter((i) => i > first + 1e-6 && i < end - 1e-6), end])
      points.push([Math.min(ring, count - 1), ...offset(ring / parts)]);
    this.points = points;
    this.place = new Float32Array(3 * points.length);
    const material = new THREE.MeshStandardMaterial({ color: COLOUR, roughness: 0.5 });
    this.mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0), material, points.length);
    this.mesh.frustumCulled = false;
    this.mesh.name = tendon.name;
    this.radius = radius;
    this.bead = new THREE.Mesh(new THREE.SphereGeometry(2.5 * radius, 14, 10), material);
    // within a thick rod it shows through
    this.ghost = new THREE.InstancedMesh(this.mesh.geometry, new THREE.MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.45, depthTest: false }), points.length);
    this.ghost.instanceMatrix = this.mesh.instanceMatrix;
    this.ghost.frustumCulled = false;
    this.mesh.add(this.bead, this.ghost);
  }

  // All tendons of a run; those that continue another refer to it.
  static of(run, rods, radius) {
    const all = (run.tendons ?? []).map((tendon) => new TendonMesh(run, tendon, rods, radius));
    for (const one of all) one.from = all[one.info.continues] ?? null;
    return all;
  }

  // After its rod.
  show() {
    const { smooth, smoothTurn, count } = this.rod, { points, place } = this;
    points.forEach(([ring, x, y], k) => {
      const i = Math.min(Math.floor(ring), count - 1), j = Math.min(i + 1, count - 1), f = ring - i;
      const near = i + (f > 0.5 ? j - i : 0), [w, a, b, c] = smoothTurn.subarray(4 * near, 4 * near + 4);
      const d1 = [1 - 2 * (b * b + c * c), 2 * (a * b + w * c), 2 * (a * c - w * b)], d2 = [2 * (a * b - w * c), 1 - 2 * (a * a + c * c), 2 * (b * c + w * a)];
      for (let n = 0; n < 3; n++) place[3 * k + n] = (1 - f) * smooth[3 * i + n] + f * smooth[3 * j + n] + x * d1[n] + y * d2[n];
    });
    this.stretch();
  }

  // A cylinder from each point to the next, and one over the gap.
  stretch() {
    const { mesh, place, points, radius } = this, a = new THREE.Vector3(), b = new THREE.Vector3(), way = new THREE.Vector3();
    const turn = new THREE.Quaternion(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();
    const put = (k) => {
      const length = way.subVectors(b, a).length();
      turn.setFromUnitVectors(UP, length > 0 ? way.divideScalar(length) : UP);
      mesh.setMatrixAt(k, matrix.compose(a, turn, size.set(radius, length, radius)));
    };
    for (let k = 0; k + 1 < points.length; k++) { a.fromArray(place, 3 * k); b.fromArray(place, 3 * k + 3); put(k); }
    a.fromArray(this.from ? this.from.place : place, this.from ? this.from.place.length - 3 : 0);
    b.fromArray(place, 0);
    put(points.length - 1);
    mesh.instanceMatrix.needsUpdate = true;
    this.bead.position.fromArray(place, place.length - 3);
  }
}
