// Bodies as their shape (one without a shape as the ellipsoid with its inertia, drawn through), joints as symbols: a ball, a cube (weld), a pin along
// the axis (hinge), a rail (slider, cylindrical), a disc (planar), a cross (universal), a ring (spring).  Obstacles are
// drawn through, so that what they hide is seen; a plane and a tube are as large as the scene.
import * as THREE from "three";
import { locate } from "./data.js";
import { runColour } from "./rods.js";

const Z = new THREE.Vector3(0, 0, 1);
const upright = (geometry) => geometry.rotateX(Math.PI / 2); // three.js has its axes along y

// fine: corners of a round one
const BODY = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  cylinder: (_, fine) => upright(new THREE.CylinderGeometry(0.5, 0.5, 1, fine)),
  capsule: ([a, , c], fine) => upright(new THREE.CapsuleGeometry(0.5, Math.max(c - a, 0) / (a || 1), fine >> 2, fine))
    .scale(1, 1, a / (c || 1)),
  ellipsoid: (_, fine) => new THREE.SphereGeometry(0.5, fine, (fine >> 1) + 4),
};
const FINE = 32;

const METAL = { light: "#37424d", dark: "#b9c4cf" }, GREY = { light: "#6b7683", dark: "#8e9aa6" }; // joints, supports
const rail = () => upright(new THREE.CylinderGeometry(0.35, 0.35, 8, 16));
const JOINT = {
  ball: () => new THREE.SphereGeometry(1, 20, 14),
  weld: () => new THREE.BoxGeometry(1.6, 1.6, 1.6),
  hinge: () => upright(new THREE.CylinderGeometry(0.7, 0.7, 4, 20)),
  universal: () => new THREE.OctahedronGeometry(1.4),
  slider: rail, cylindrical: rail,
  planar: () => upright(new THREE.CylinderGeometry(2.5, 2.5, 0.3, 24)),
  spring: () => new THREE.TorusGeometry(1.2, 0.35, 10, 24),
};

// What moves as one piece: its place between the two stored frames around t.
class Part {
  constructor(run, info, geometry, colour) {
    this.run = run; this.info = info;
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.1 }));
    this.mesh.name = info.name;
    this.a = new THREE.Vector3(); this.b = new THREE.Vector3(); this.middle = new THREE.Vector3();
    const n = info.position.length / 3;
    for (let i = 0; i < n; i++) this.middle.addScaledVector(this.a.fromArray(info.position, 3 * i), 1 / n);
  }

  theme() {}

  between(values, size, k, next, f, out) {
    out.a.fromArray(values, size * k); out.b.fromArray(values, size * (k + next));
    return out.a.lerp(out.b, f);
  }

  show(t, { motion }) {
    const [k, f] = locate(this.run.t, t), next = this.run.t.length > 1 ? 1 : 0;
    const at = this.between(this.info.position, 3, k, next, f, this);
    this.mesh.position.copy(this.middle).addScaledVector(at.sub(this.middle), motion);
    this.turn(k, next, f);
  }
}

export class BodyMesh extends Part {
  constructor(run, body, runIndex, thinnest) {
    super(run, body, (BODY[body.shape] ?? BODY.ellipsoid)(body.size, run.bodies.length > 100 ? 8 : FINE), runColour(runIndex));
    this.mesh.scale.fromArray(body.size.map((x) => Math.max(x, thinnest)));
    if (body.shape === "inertia") Object.assign(this.mesh.material, { transparent: true, opacity: 0.3, depthWrite: false });
    this.q = new THREE.Quaternion(); this.r = new THREE.Quaternion(); this.index = runIndex;
  }

  theme(dark) { this.mesh.material.color.set(runColour(this.index, dark)).lerp(new THREE.Color(GREY[dark ? "dark" : "light"]), 0.45); } // told from the rods

  turn(k, next, f) { // stored scalar first
    const quaternion = (q, i) => q.set(...[1, 2, 3, 0].map((c) => this.info.frame[4 * i + c])).normalize();
    this.mesh.quaternion.slerpQuaternions(quaternion(this.q, k), quaternion(this.r, k + next), f);
  }
}

export class JointMesh extends Part {
  constructor(run, joint, scale) {
    super(run, joint, (JOINT[joint.kind] ?? JOINT.ball)(), METAL.light);
    this.mesh.scale.setScalar(scale);
    this.axis = { a: new THREE.Vector3(), b: new THREE.Vector3() };
  }

  theme(dark) { this.mesh.material.color.set(METAL[dark ? "dark" : "light"]); }

  turn(k, next, f) {
    const axis = this.between(this.info.axis, 3, k, next, f, this.axis);
    if (axis.lengthSq() > 0) this.mesh.quaternion.setFromUnitVectors(Z, axis.normalize());
  }
}

// What holds an end: a plate across it (clamped, guided), a cone whose tip is the end (pinned), a ball next to a line
// (roller); it moves with the end.
const SUPPORT = {
  clamped: () => new THREE.BoxGeometry(5, 5, 0.8), guided: () => new THREE.BoxGeometry(5, 0.8, 0.8),
  pinned: () => new THREE.ConeGeometry(1.6, 2.6, 12).translate(0, -1.3, 0).rotateX(Math.PI / 2),
  roller: () => new THREE.SphereGeometry(1.3, 14, 10).translate(0, 0, -1.3),
};

export class SupportMesh {
  // end: 0 start, 1 finish of the rod of a RodMesh
  constructor(mesh, end, scale) {
    this.rod = mesh; this.end = end; this.run = mesh.run;
    this.info = { name: `${mesh.rod.name || "rod"} ${end ? "finish" : "start"}`, kind: mesh.rod.ends[end] };
    this.mesh = new THREE.Mesh(SUPPORT[this.info.kind](), new THREE.MeshStandardMaterial({ color: GREY.light, roughness: 0.7 }));
    this.mesh.name = this.info.name;
    this.mesh.scale.setScalar(scale);
  }

  theme(dark) { this.mesh.material.color.set(GREY[dark ? "dark" : "light"]); }

  static of(mesh, scale) {
    return [0, 1].filter((end) => SUPPORT[mesh.rod.ends?.[end]]).map((end) => new SupportMesh(mesh, end, scale));
  }

  // After the rod: it stands where its end is drawn.
  show() {
    const { centre, turn, rod: { count } } = this.rod, i = this.end ? count - 1 : 0;
    this.mesh.position.fromArray(centre, 3 * i);
    if (this.info.kind === "clamped" || this.info.kind === "guided") this.mesh.quaternion.set(turn[4 * i + 1], turn[4 * i + 2], turn[4 * i + 3], turn[4 * i]);
  }
}

// Each triangle flat: the edges of a surface are seen.
function surface({ vertex, triangle }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertex, 3)).setIndex(new THREE.BufferAttribute(triangle, 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// How long a cylinder without ends is drawn: as long as what moves next to it, and somewhat longer.
function endless({ axis: [x, y, z] }, box, size) {
  const extent = box.getSize(new THREE.Vector3()), length = Math.hypot(x, y, z) || 1;
  return (Math.abs(x) * extent.x + Math.abs(y) * extent.y + Math.abs(z) * extent.z) / length + 0.2 * size;
}

export class ObstacleMesh extends Part {
  constructor(run, obstacle, size, centre, box = null) {
    const plane = obstacle.shape === "plane", mesh = obstacle.shape === "mesh";
    const whole = mesh ? [1, 1, 1] : obstacle.size.map((x) => x || (plane || !box ? 2 * size : endless(obstacle, box, size)));
    super(run, obstacle, mesh ? surface(obstacle) : plane ? new THREE.PlaneGeometry(1, 1) : (BODY[obstacle.shape] ?? BODY.ellipsoid)(whole, 2 * FINE), "#7f93a8");
    Object.assign(this.mesh.material, { transparent: true, opacity: mesh ? 0.45 : 0.3, depthWrite: false, side: THREE.DoubleSide });
    this.mesh.scale.fromArray(whole);
    const [w, x, y, z] = obstacle.frame, axis = new THREE.Vector3(...obstacle.axis);
    if (w || x || y || z) this.mesh.quaternion.set(x, y, z, w).normalize();
    else if (axis.lengthSq() > 0) this.mesh.quaternion.setFromUnitVectors(Z, axis.normalize());
    // What has no end is drawn around the middle of the scene.
    const along = Z.clone().applyQuaternion(this.mesh.quaternion), way = centre.clone().sub(this.middle);
    const onward = along.clone().multiplyScalar(way.dot(along));
    this.shift = plane ? way.sub(onward) : mesh || obstacle.size[2] ? new THREE.Vector3() : onward;
  }

  turn() { this.mesh.position.add(this.shift); }
}

// Many parts of one kind, which differ only in where they are, drawn together.
export class Flock {
  constructor(run, members) {
    this.run = run; this.members = members;
    const [{ mesh }] = members;
    this.mesh = new THREE.InstancedMesh(mesh.geometry, mesh.material, members.length);
    this.mesh.frustumCulled = false;
  }

  // Kinds with more than a few members are drawn together; the others are returned as they are.
  static of(parts, few = 12) {
    const groups = new Map(), alone = [];
    for (const part of parts) {
      const kind = `${part.info.kind ?? part.info.shape} ${part.mesh.scale.toArray()} ${part.mesh.material.color.getHexString()}`;
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push(part);
    }
    const flocks = [];
    for (const members of groups.values()) if (members.length > few) flocks.push(new Flock(members[0].run, members)); else alone.push(...members);
    return { flocks, alone };
  }

  // After its members.
  show() {
    this.members.forEach(({ mesh }, i) => { mesh.updateMatrix(); this.mesh.setMatrixAt(i, mesh.matrix); });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
