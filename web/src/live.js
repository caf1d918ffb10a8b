// Live mode: the simulation runs in real time (or as fast as it can) and a hand pulls at the rods: a spring from the
// section under the pointer to the pointer, which is part of every step (web/withy.c).  A string that is let go sounds.
import { figures } from "../../viewer/src/plots.js";
import { measure } from "../../viewer/src/space.js";
import { makeLines, makeTendons } from "./result.js";
import { Note } from "./sound.js";

const LONGEST = 1 / 20; // [s] that one frame may advance: after a pause the simulation does not race
const SECONDS = 1; // of sound
const SLOWEST = 0.02; // of real time: a sound that takes longer is left to Run and Listen
const REACH = { string: 0.03, rod: 1.5 }; // how far a hand draws, in lengths of the rod

const placeOf = (parts, kind, part, name) => parts.find((p) => p.kind === kind && p.part === part)?.[name];

export class LiveMode {
  constructor(page) {
    Object.assign(this, page, { hand: null, waiting: false, on: false, frames: 0, owed: 0 });
    const canvas = this.stage.renderer.domElement;
    canvas.addEventListener("pointerdown", (e) => this.grab(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (e) => this.release(e));
  }

  start(request, id) {
    Object.assign(this, { on: true, waiting: true, hand: null, frames: 0, owed: 0, run: null, note: null, speed: 1, last: performance.now() });
    this.send({ type: "live", ...request, id });
  }
  stop() {
    if (!this.on) return;
    this.on = false; this.hand = null; this.note = null;
    this.stage.controls.enabled = true;
    this.ended();
  }

  begun({ pull, method, inputs, parts, arcs, step, obstacles }) {
    if (!this.on) return;
    const { description } = this.page();
    const rods = parts.filter((p) => p.kind === "rod"), bodies = parts.filter((p) => p.kind === "body"), joints = parts.filter((p) => p.kind === "joint");
    this.run = {
      name: "live", title: description.title, method, status: "live", snapshots: 1, axis: "t [s]", t: Float32Array.of(0), ledger: {}, probes: [],
      rods: [...rods.map((p, i) => ({ name: description.rods[i].name, count: p.position.length / 3, section: description.rods[i].section, ends: description.rods[i].ends,
                                      position: p.position, frame: p.frame, colours: [] })),
             ...makeLines(description, (kind, part, name) => placeOf(parts, kind, part, name))],
      tendons: makeTendons(description, arcs),
      bodies: bodies.map((p, i) => ({ ...description.bodies[i], position: p.position.slice(), frame: p.frame })),
      joints: joints.filter((p) => p.place2).map((p, i) => ({ ...description.joints[i], position: p.place2.slice(), axis: p.axis ?? new Float32Array(3) })),
      obstacles: description.obstacles.map((o, i) => ({ ...o, position: Float32Array.from(obstacles[i]) })),
    };
    Object.assign(this, { arcs, pull, method, step, description, inputsKnown: inputs });
    const box = measure([this.run]);
    box.expandByScalar(0.25 * box.getSize(box.min.clone()).length()); // room to pull
    const known = this.page().runs.filter((run) => run?.title === description.title && !run.modes); // where a run went
    if (known.length) box.union(measure(known));
    this.stage.split = false;
    this.stage.setRuns([this.run], { home: true, box });
    this.stage.resize();
    this.stage.show(0);
    this.waiting = false;
    this.inputs.hidden = !inputs.length;
    const strongest = Math.max(0, ...inputs.map((x) => x.most ?? 0)); // all tendons on one scale
    this.inputs.replaceChildren(...inputs.map(({ name, value, most }) => {
      const size = Math.abs(value) || 1, tendon = most !== null;
      return this.slider(name, value, value < 0 ? -4 * size : 0, tendon ? 1.5 * strongest || 1 : 4 * size, tendon ? "N" : "",
                         tendon ? "how strongly it is pulled" : "an input of the scene", (x) => this.send({ type: "input", name, value: x }));
    }));
    if (!arcs.length) this.report("live: this scene has no rods, and there is nothing to pull");
    else if (!pull) this.report(`live, by ${method}, which takes no load from outside: the rod moves, but cannot be pulled`);
  }

  tick(span) {
    this.owed = Math.min(this.owed + span, LONGEST);
    if (!this.on || this.waiting || !(this.owed >= 0.5 * this.step)) return;
    this.waiting = true;
    this.send({ type: "frame", span: this.owed, hand: this.hand && { ...this.hand }, listen: this.note ? this.ear : null });
    this.owed = 0;
  }

  frame({ t, advanced, spent, parts, samples, rate, ended, obstacles }) {
    if (!this.on || !this.run) return;
    this.waiting = false;
    this.frames++;
    const kinds = { rod: this.run.rods, body: this.run.bodies, joint: this.run.joints };
    for (const p of parts) {
      const to = kinds[p.kind][p.part];
      if (!to) continue;
      const position = p.kind === "joint" ? p.place2 : p.position;
      if (position) to.position.set(position);
      if (p.frame && to.frame) to.frame.set(p.frame);
      if (p.axis && to.axis) to.axis.set(p.axis);
    }
    for (const { line, from, to, position } of this.run.rods)
      if (line) { position.set(placeOf(parts, ...from)); position.set(placeOf(parts, ...to), 3); }
    obstacles.forEach((at, i) => this.run.obstacles[i].position.set(at));
    this.stage.show(0);
    this.time = t;
    const now = performance.now(), share = Math.min(1, (now - this.last) / 1000); // of what has passed on the wall, over a second or so
    if (advanced > 0) this.speed += share * (advanced / Math.max((now - this.last) / 1000, 1e-3) - this.speed);
    this.last = now;
    const speed = samples ? "" : this.speed > 0.93 && this.speed < 1.07 ? "real time" : `${figures(this.speed, 2)} of real time`;
    this.about.textContent = ["live: " + this.method, `t = ${figures(t)} s`, speed].filter(Boolean).join(", ") + (this.pull && this.arcs.length ? "; drag a rod to pull it" : "");
    if (samples && this.note) {
      if (this.note.add(samples, rate, ended)) { this.report("the string sounds"); this.heard = this.note; this.note = null; }
      else if (ended || advanced / spent < SLOWEST) { this.note = null; this.report("too slow to be heard live: Run, then Listen"); }
      else this.report(`computing the sound: ${Math.round(100 * this.note.part)} %`);
    }
  }

  // ---- the hand ------------------------------------------------------------------------------------------------------
  at(event) {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  grab(event) {
    if (!this.on || !this.run || !this.pull || event.button > 0) return;
    const found = this.stage.pick(...this.at(event), event.pointerType === "touch" ? 60 : 30);
    if (!found) return;
    const { rod, station, depth } = found, info = this.description.rods[rod], count = this.run.rods[rod].count;
    const width = Math.max((2.5 * info.length) / (count - 1), 0.05 * info.length), total = 4 * (info.strength || 1);
    const stiffness = total / ((16 / 15) * width), damping = (0.6 * Math.sqrt(total * (info.mass || 0))) / ((16 / 15) * width);
    this.hand = { rod, station, s: this.arcs[rod][station], width, stiffness, damping, to: this.run.rods[rod].position.slice(3 * station, 3 * station + 3) };
    this.depth = depth; this.note = null;
    this.from = Array.from(this.run.rods[rod].position.slice(3 * station, 3 * station + 3));
    this.stage.controls.enabled = false;
    this.stage.renderer.domElement.setPointerCapture?.(event.pointerId);
    event.stopPropagation();
  }
  move(event) {
    if (!this.hand) return;
    const { length, tension } = this.description.rods[this.hand.rod], most = length * (tension > 0 ? REACH.string : REACH.rod);
    const way = this.stage.place(...this.at(event), this.depth).map((x, c) => x - this.from[c]), far = Math.hypot(...way);
    this.hand.to = way.map((x, c) => this.from[c] + x * Math.min(1, most / (far || 1)));
  }
  release() {
    if (!this.hand) return;
    const { rod } = this.hand, info = this.description.rods[rod];
    this.hand = null;
    this.stage.controls.enabled = true;
    if (info.tension > 0) { // a string: its sound is taken at a tenth of its length
      this.note = new Note(SECONDS);
      this.ear = { rod, station: Math.max(1, Math.round(0.1 * (this.run.rods[rod].count - 1))) };
    }
  }
}
