// Everything that some runs show: rods, bodies, joints, obstacles, supports, tendons and forces, as meshes in one group.
// Each run has a layer of its own, so that a part of the stage can show one of them.
import * as THREE from "three";
import { ForceArrows, makeForces } from "./forces.js";
import { BodyMesh, Flock, JointMesh, ObstacleMesh, SupportMesh } from "./parts.js";
import { RodBundle, RodMesh, rampOn } from "./rods.js";
import { TendonMesh } from "./tendons.js";

const MANY = 16; // rods of a run are drawn as one, and their sections with fewer corners
const CORNERS = (rods) => (rods > 100 ? 6 : rods > MANY ? 8 : 12);
const widest = (rod) => Math.max(...rod.outline.map(([x, y]) => Math.hypot(x, y)));

export class Cast {
  // box: what the runs take; a section thinner than a pixel is drawn thicker
  constructor(runs, box) {
    this.runs = runs; this.group = new THREE.Group();
    this.size = box.getSize(new THREE.Vector3()).length() || 1;
    const { size } = this, thinnest = 0.004 * size, centre = box.getCenter(new THREE.Vector3());
    this.rods = runs.flatMap((run, index) => run.rods.map((rod) => new RodMesh(run, rod, index, thinnest, CORNERS(run.rods.length))));
    for (const rod of this.rods) rod.thickness = Math.max(1, (0.5 * thinnest) / widest(rod));
    this.thickest = Math.max(1, ...this.rods.filter((r) => r.rod.section.kind !== "none").map((r) => r.thickness));
    const of = (run) => this.rods.filter((rod) => rod.run === run);
    this.bundles = runs.filter((run) => run.rods.length > MANY).map((run) => new RodBundle(run, of(run)));
    this.parts = runs.flatMap((run, index) => [
      ...run.bodies.map((body) => new BodyMesh(run, body, index, thinnest)),
      ...run.joints.filter((joint) => joint.kind !== "link").map((joint) => new JointMesh(run, joint, 0.008 * size)),
      ...run.obstacles.map((obstacle) => new ObstacleMesh(run, obstacle, size, centre, box))]);
    this.supports = this.rods.flatMap((rod) => SupportMesh.of(rod, 0.006 * size));
    this.tendons = runs.flatMap((run) => TendonMesh.of(run, of(run), 0.0016 * size));
    this.forces = runs.map((run) => new ForceArrows(run, makeForces(run), size));
    for (const { mesh } of this.forces) mesh.visible = false;
    this.flocks = [];
    for (const run of runs) this.place(run);
    this.scales = scalesOf(this.rods);
  }

  // The meshes of one run.
  place(run) {
    const own = (x) => x.run === run, layer = 1 + this.runs.indexOf(run);
    const alike = Flock.of([...this.parts.filter((p) => !(p instanceof ObstacleMesh)), ...this.supports].filter(own));
    this.flocks.push(...alike.flocks);
    const alone = this.rods.filter((rod) => own(rod) && !this.bundles.some(own));
    const all = [...alone, ...this.bundles.filter(own), ...this.parts.filter((p) => own(p) && p instanceof ObstacleMesh), ...alike.alone, ...alike.flocks,
                 ...this.tendons.filter(own), ...this.forces.filter(own)].map((x) => x.mesh);
    for (const mesh of [...all, ...this.rods.filter(own).map((rod) => rod.axes)]) {
      mesh.traverse((object) => object.layers.set(layer));
      this.group.add(mesh);
    }
  }

  // The colours of a light or a dark page.
  theme(dark) {
    rampOn(dark);
    for (const one of [...this.rods, ...this.parts, ...this.supports]) one.theme(dark);
  }

  // state: motion, how much larger than it is the motion is drawn
  show(t, colour, state) {
    for (const part of this.parts) part.show(t, state);
    for (const arrows of this.forces) if (arrows.mesh.visible) arrows.show(t, state);
    for (const rod of this.rods) rod.show(t, this.scales[colour], { ...state, axisLength: 0.03 * this.size });
    for (const after of [...this.supports, ...this.bundles, ...this.flocks, ...this.tendons]) after.show(); // they follow their rods
  }

  dispose() {
    this.group.traverse((object) => { object.geometry?.dispose(); object.material?.dispose(); object.dispose?.(); });
    this.group.removeFromParent();
  }
}

// One scale for a colour over all rods of all runs, so that the legend holds for each of them.
function scalesOf(rods) {
  const scales = {};
  for (const { rod } of rods)
    for (const { name, unit, low, high } of rod.colours) {
      const scale = (scales[name] ??= { name, unit, low, high });
      scale.low = Math.min(scale.low, low); scale.high = Math.max(scale.high, high);
    }
  return scales;
}
