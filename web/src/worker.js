// The Worker: owns the module.  One message at a time; a study posts its new rows about ten times a second, so that the
// page shows it as it grows and keeps what there is when it stops the Worker.
//
//   in:   start { bytes }, open, solve { scene, name, overrides, task, count, method, id }, live, frame, input
//   out:  ready { list }, scene { description }, rows { id, parts }, done { id, report }, problem { message, line }
import { load } from "./module.js";

let withy, sent = {}, job = 0, last = 0, described = null;
const PERIOD = 100; // [ms] between two posts of rows

function post(message, move = []) { self.postMessage(message, move); }

// What the record has gained since the last post.
function rows() {
  const parts = [], move = [];
  for (const part of withy.parts())
    for (const table of part.tables) {
      const key = `${part.kind} ${part.part} ${table.name}`, from = sent[key] ?? 0, width = table.stations * table.size;
      if (table.rows === from && from) continue;
      const value = table.value.slice(from * width);
      sent[key] = table.rows;
      move.push(value.buffer);
      parts.push({ kind: part.kind, part: part.part, of: part.name, name: table.name, unit: table.unit, stations: table.stations,
                   size: table.size, value });
    }
  return { parts, move };
}

function progress(t, stop) {
  const now = performance.now();
  if (now - last < PERIOD) return 0;
  last = now;
  const { parts, move } = rows();
  post({ type: "rows", id: job, parts, t, stop }, move);
  return 0;
}

// Where the obstacles are at every snapshot, since the record has rods, bodies and joints only.
function places(obstacles, times) {
  return obstacles.map((o) => {
    const out = new Float32Array(3 * times.length);
    times.forEach((t, k) => out.set(withy.obstacle(o.index, t) ?? [0, 0, 0], 3 * k));
    return out;
  });
}

function solve({ task, count, method, id }) {
  sent = {}; job = id; last = performance.now();
  const begun = performance.now(), report = withy.solve(task, { count, method });
  report.seconds = (performance.now() - begun) / 1000;
  const { parts, move } = rows(), study = withy.parts().find((p) => p.kind === "study");
  const times = study ? Array.from(study.tables[0].value) : [];
  const texts = Object.fromEntries(["title", "method", "status", "axis"].map((name) => [name, withy.text(name)]));
  post({ type: "rows", id, parts, t: 1, stop: 1 }, move);
  post({ type: "done", id, report, texts, obstacles: places(described.obstacles, times) });
}

// ---- live -----------------------------------------------------------------------------------------------------------
let pull = 0, held = null, step = 0, steps = 0, cost = 1e-4; // step [s], steps done, seconds that one takes to compute
const BUDGET = 12, SLICE = 2.5; // [ms] of computing for a frame, and for a part of it

function shapes() {
  const out = [], move = [];
  for (const { kind, part, tables } of withy.liveParts()) {
    const pick = (name) => { const t = tables.find((x) => x.name === name); return t && Float32Array.from(t.value); };
    const one = { kind, part, position: pick("position"), frame: pick("frame"), axis: pick("axis"), place1: pick("place1"), place2: pick("place2") };
    for (const x of Object.values(one)) if (x?.buffer) move.push(x.buffer);
    out.push(one);
  }
  return { out, move };
}

function holdNow() { // for methods whose loads do not depend on the rod
  if (pull !== 1 || !held) return;
  const rod = withy.liveParts().find((p) => p.kind === "rod" && p.part === held.rod);
  const at = rod.tables.find((t) => t.name === "position").value, v = rod.tables.find((t) => t.name === "velocity")?.value;
  const i = 3 * held.station;
  withy.handAt(at.slice(i, i + 3), v ? v.slice(i, i + 3) : [0, 0, 0]);
}

// A slice of computing: whole steps, as many as fit into it.
function slice(most) {
  const begun = performance.now(), count = Math.max(1, Math.min(most, Math.floor(SLICE / 1000 / cost)));
  steps += count;
  withy.advance(steps * step);
  cost = 0.5 * cost + (0.5 * (performance.now() - begun)) / 1000 / count;
}
function sounds(listen) {
  const begun = performance.now(), per = Math.max(1, Math.round(1 / 44100 / step)), count = Math.max(4, Math.floor(SLICE / 1000 / cost / per));
  const some = withy.sound(listen.rod, listen.station, 1 / (per * step), count); // a sample every whole number of steps
  steps += per * some.length;
  cost = 0.5 * cost + (0.5 * (performance.now() - begun)) / 1000 / (per * Math.max(1, some.length));
  return { some, rate: 1 / (per * step) };
}

// Advance by `span`, or as far as the budget allows; with `listen`, by samples of sound.
function frame({ span, hand, listen }) {
  const begun = performance.now(), from = steps, target = steps + Math.round(span / step), samples = [];
  let rate = 0, ended = false;
  held = hand;
  if (hand) withy.hand(hand.rod, hand.s, hand.width, hand.stiffness, hand.damping, hand.to);
  else withy.hand(-1, 0, 1, 0, 0, [0, 0, 0]);
  do {
    holdNow();
    if (listen) {
      const got = sounds(listen);
      samples.push(...got.some);
      rate = got.rate;
      if (!(ended = got.some.length === 0)) continue;
    } else if (steps < target) slice(pull === 1 && hand ? Math.ceil((target - from) / 8) : target - steps);
  } while (!ended && (listen || steps < target) && performance.now() - begun < BUDGET);
  const spent = (performance.now() - begun) / 1000, { out, move } = shapes();
  post({ type: "frame", t: steps * step, advanced: (steps - from) * step, spent, parts: out, rate, ended, obstacles: places(described.obstacles, [steps * step]),
         samples: listen ? Float32Array.from(samples) : null }, move);
}

function live({ method }) {
  const made = withy.live(method);
  pull = made.pull; step = made.step || 1 / 240; steps = 0; cost = 1e-4;
  const { out, move } = shapes();
  post({ type: "live", ...made, inputs: withy.inputs(), parts: out, obstacles: places(described.obstacles, [0]), arcs: withy.liveParts().filter((p) => p.kind === "rod")
    .map((p) => Float32Array.from(p.tables.find((t) => t.name === "s")?.value ?? [])) }, move);
}

const actions = {
  async start({ bytes }) { withy = await load(bytes, { progress }); post({ type: "ready", list: withy.list() }); },
  open({ scene, name, overrides, id }) { described = withy.open(scene, name, overrides); post({ type: "scene", id, description: described }); },
  solve(message) { this.open(message); solve(message); },
  live(message) { this.open(message); live(message); },
  frame,
  input({ name, value }) { withy.setInput(name, value); },
};
self.onmessage = async ({ data }) => {
  try {
    await actions[data.type](data);
  } catch (problem) {
    const broken = !(problem.line >= 0); // not a message of withy: the module itself failed
    post({ type: "problem", id: data.id, of: data.type, line: problem.line ?? 0, broken,
           message: broken ? `the module stopped: ${problem.message}` : problem.message });
  }
};
