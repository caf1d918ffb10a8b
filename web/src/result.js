// Rows that a Worker posts, gathered, and turned into the run of the viewer (viewer/src/data.js) - the same packing as
// `withy view`, from memory instead of a file.
import { expandModes } from "../../viewer/src/modes.js";

// Tables that grow: chunks of rows, joined when they are read.
export class Tables {
  constructor() { this.map = new Map(); }

  add(parts) {
    for (const { value, ...head } of parts) {
      const key = `${head.kind} ${head.part} ${head.name}`, have = this.map.get(key) ?? { ...head, chunks: [], length: 0 };
      have.chunks.push(value); have.length += value.length;
      this.map.set(key, have);
    }
  }

  get(kind, part, name) {
    const table = this.map.get(`${kind} ${part} ${name}`);
    if (!table) return null;
    if (table.chunks.length > 1) {
      const whole = new Float64Array(table.length);
      let at = 0;
      for (const chunk of table.chunks) { whole.set(chunk, at); at += chunk.length; }
      table.chunks = [whole];
    }
    return { ...table, value: table.chunks[0], rows: table.length / (table.stations * table.size) };
  }

  // The last row of each table: what a study that still runs is shown by.
  newest() {
    const out = new Tables();
    for (const [key, table] of this.map) {
      const width = table.stations * table.size, chunk = table.chunks.at(-1);
      out.map.set(key, { ...table, chunks: [chunk.subarray(chunk.length - width)], length: width });
    }
    return out;
  }

  of(kind) { return [...this.map.values()].filter((t) => t.kind === kind); }
  count(kind) { return this.of(kind).reduce((most, t) => Math.max(most, t.part + 1), 0); }
}

const norm = (x, i) => Math.hypot(x[i], x[i + 1], x[i + 2]);
// name, unit, tables it needs, value at station i of all snapshots
const COLOURS = [
  ["curvature", "1/m", ["bend"], (b) => (i) => Math.hypot(b[3 * i], b[3 * i + 1])],
  ["twist", "1/m", ["bend"], (b) => (i) => b[3 * i + 2]],
  ["contact", "N/m", ["contact"], (c) => (i) => norm(c, 3 * i)],
  ["moment", "N m", ["moment"], (m) => (i) => norm(m, 3 * i)],
  ["speed", "m/s", ["velocity"], (v) => (i) => norm(v, 3 * i)],
  ["amplitude", "m", ["velocity", "shift_im"], (v, w) => (i) => Math.hypot(norm(v, 3 * i), norm(w, 3 * i))],
];

function colour([name, unit, , of], tables, count) {
  const f = of(...tables.map((t) => t.value)), value = new Uint16Array(count);
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < count; i++) { const x = f(i); if (x < low) low = x; if (x > high) high = x; }
  for (let i = 0; i < count; i++) value[i] = Math.round(65535 * (high > low ? (f(i) - low) / (high - low) : 0.5));
  return { name, unit, low, high, value };
}

function makeRod(tables, part, info, modal, rows) {
  const position = tables.get("rod", part, "position"), frame = tables.get("rod", part, "frame");
  if (!position) return null;
  const get = (name) => tables.get("rod", part, name), n = position.stations;
  const float = (t) => t && Float32Array.from(t.value.subarray(0, rows * n * t.size));
  const colours = COLOURS.filter(([name, , needs]) => needs.every((x) => get(x)) && (name === "speed" ? !modal : name !== "amplitude" || modal))
    .map((c) => colour(c, c[2].map(get), rows * n));
  for (const t of tables.of("rod").filter((t) => t.part === part && t.size === 1 && t.name !== "s")) // tension, stress
    colours.push(colour([t.name, t.unit, [], (x) => (i) => x[i]], [get(t.name)], rows * n));
  const rod = { name: position.of, count: n, section: info?.section ?? { kind: "none", a: 0, b: 0 }, ends: info?.ends, position: float(position), frame: float(frame), colours };
  const contact = get("contact"), force = (end) => tables.get("ledger", part, `reaction_${end}`);
  if (contact && !modal) Object.assign(rod, { contact: float(contact), s: Float32Array.from(get("s").value) });
  if (!modal) rod.reactions = Object.fromEntries(["start", "finish"].filter(force).map((end) => [end, Float32Array.from(force(end).value.subarray(0, 3 * rows))]));
  if (modal) Object.assign(rod, { shift: float(get("velocity")), turn: float(get("spin")), shift_im: float(get("shift_im")), turn_im: float(get("turn_im")) });
  return rod;
}

function makeBodies(tables, description, modal) {
  const float = (kind, part, name) => Float32Array.from(tables.get(kind, part, name)?.value ?? []);
  const bodies = description.bodies.map((body, i) => ({ ...body, position: float("body", i, "position"), frame: float("body", i, "frame"),
    ...(modal ? { shift: float("body", i, "velocity"), turn: float("body", i, "spin") } : {}) })).filter((b) => b.position.length);
  const joints = modal ? [] : description.joints.map((joint, i) => ({ ...joint, position: float("joint", i, "place2"), axis: float("joint", i, "axis") }))
    .filter((j) => j.position.length);
  return { bodies, joints };
}

// Links, and the arms of bodies to their joints, as rods without a section (cli/lines.c): each from a place to another.
// at(kind, part, name): float32 [row][3]
export function makeLines(description, at) {
  const ways = description.joints.flatMap(({ kind, bodies, name }, j) => {
    const arms = [0, 1].filter((side) => bodies[side] >= 0).map((side) => [description.bodies[bodies[side]].name, ["body", bodies[side], "position"], ["joint", j, `place${side + 1}`]]);
    return kind === "link" ? [[name, ["joint", j, "place1"], ["joint", j, "place2"]], ...arms] : arms;
  });
  return ways.map(([name, from, to]) => ({ name, from, to, count: 2, section: { kind: "none", a: 0, b: 0 }, colours: [], line: true, position: joined(at(...from), at(...to)) }))
    .filter((line) => line.position.length);
}
export function joined(a = [], b = []) {
  const out = new Float32Array(2 * Math.min(a.length, b.length));
  for (let i = 0; 2 * i < out.length; i++) {
    const row = 6 * Math.floor(i / 3) + (i % 3);
    out[row] = a[i]; out[row + 3] = b[i];
  }
  return out;
}

// Where tendons run, by stations instead of arc lengths s (viewer/src/data.js).
export function makeTendons(description, arcs) {
  const all = description.tendons, number = (name) => (name ? all.findIndex((t) => t.name === name) : -1);
  const station = (s, x) => {
    let i = 0;
    while (i < s.length - 2 && s[i + 1] <= x) i++;
    return i + (s[i + 1] > s[i] ? (x - s[i]) / (s[i + 1] - s[i]) : 0);
  };
  return all.filter(({ rod }) => arcs[rod]?.length > 1).map(({ name, rod, continues, route }, i) => ({ name: name || `tendon${i ? i + 1 : ""}`, rod, continues: number(continues),
    route: Float32Array.from(route, (x, k) => (k % 3 ? x : station(arcs[rod], x))) }));
}

// Energies over all rods and bodies; a vector by its length.  director has these three of the whole in the ledger of every rod.
const ENTRIES = ["kinetic", "shear", "stretch", "bend", "twist", "gravity", "conserved", "work", "dissipated", "momentum", "angular_momentum"];
const OF_ALL = ["conserved", "momentum", "angular_momentum"];
function makeLedger(tables, method, rows) {
  const ledger = {}, rods = tables.count("ledger");
  for (const name of ENTRIES) {
    const first = tables.get("ledger", 0, name);
    if (!first) continue;
    const sum = new Float64Array(rows * first.size);
    for (let rod = 0; rod < (method === "director" && OF_ALL.includes(name) ? 1 : rods); rod++)
      tables.get("ledger", rod, name).value.forEach((x, i) => { if (i < sum.length) sum[i] += x; });
    tables.get("study", 0, `bodies_${name}`)?.value.subarray(0, rows).forEach((x, k) => { sum[k] += x; });
    ledger[name] = first.size === 3 ? Float32Array.from({ length: rows }, (_, k) => norm(sum, 3 * k)) : Float32Array.from(sum);
  }
  const springs = tables.get("study", 0, "joints_springs");
  if (springs && rods && tables.count("joint")) ledger.springs = Float32Array.from(springs.value.subarray(0, rows));
  return ledger;
}

function makeProbes(tables, description) {
  return description.probes.map((probe, i) => {
    const t = tables.get("probe", i, "t"), value = tables.get("probe", i, "value");
    return t && value && { ...probe, size: value.size, unit: value.unit.replace(/^-$/, ""), t: Float32Array.from(t.value), value: Float32Array.from(value.value) };
  }).filter(Boolean);
}

// texts, report and obstacles are those of the end of a study; without them the study is still growing.
export function makeRun(tables, description, task, { texts = {}, report = {}, obstacles = [] } = {}, name = "") {
  const times = tables.get("study", 0, "t");
  if (!times || !times.rows) return null;
  const modal = task === "modes", rows = Math.min(times.rows, ...tables.of("rod").filter((t) => t.name === "position").map((t) => t.length / t.stations / t.size));
  if (!rows) return null;
  const method = texts.method || report.method || "";
  const run = {
    name, title: description.title, method, status: texts.status || "running", snapshots: rows,
    axis: texts.axis || (task === "static" ? "load factor" : "t [s]"), t: Float32Array.from(times.value.subarray(0, rows)),
    rods: [...description.rods.map((info, i) => makeRod(tables, i, info, modal, rows)).filter(Boolean),
           ...(modal ? [] : makeLines(description, (kind, part, name) => tables.get(kind, part, name)?.value.subarray(0, 3 * rows)))],
    tendons: makeTendons(description, description.rods.map((_, i) => tables.get("rod", i, "s")?.value)),
    ...makeBodies(tables, description, modal),
    obstacles: modal ? [] : description.obstacles.map((o, i) => ({ ...o, position: obstacles[i] ?? new Float32Array(3 * rows) })),
    ledger: makeLedger(tables, method, rows), probes: makeProbes(tables, description), report,
  };
  if (!modal) return run;
  const ledger = (entry) => tables.get("ledger", 0, entry)?.value;
  const modes = Array.from({ length: rows }, (_, k) => ({ frequency: times.value[k], damping: ledger("damping")?.[k] ?? 0,
    growth: ledger("growth")?.[k] ?? 0, kind: ledger("kind")?.[k] ?? report.modes?.[k]?.kind ?? 0 }));
  const raw = { ...run, modes };
  return { ...expandModes(raw), raw };
}
