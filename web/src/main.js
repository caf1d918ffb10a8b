// The playground: an editor, a Worker with the library, a 3-D view and plots, wired together.
import { swung, modeAt } from "../../viewer/src/modes.js";
import { axisOf, pacing } from "../../viewer/src/speed.js";
import { ends, figures, makePlots } from "../../viewer/src/plots.js";
import { paintBar, runColour } from "../../viewer/src/rods.js";
import { csvOfProbes, csvOfRods, film, replay, save } from "./download.js";
import { makeEditor, readSchema } from "./editor.js";
import { LiveMode } from "./live.js";
import { Tables, makeRun } from "./result.js";
import { pack, unpack } from "./share.js";
import { heard, listen, mix, wav } from "./sound.js";
import { Stage } from "./stage.js";
import { unzip } from "./unzip.js";

const $ = (id) => document.getElementById(id);
const FIRST = "tumbling_rod"; // a fraction of a second

const workerUrl = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));

const state = { t: 0, playing: false, runs: [], tables: [], description: null, list: null, busy: false, job: 0, params: {}, options: {}, name: FIRST,
                task: "run", plan: [], live: false };
let bytes, worker, ready, extra, editor, stage, plots = [], live;

// ---- the Worker ------------------------------------------------------------------------------------------------------
function startWorker() {
  worker?.terminate();
  worker = new Worker(workerUrl);
  ready = new Promise((done) => { worker.onready = done; });
  worker.onmessage = ({ data }) => handlers[data.type]?.(data);
  worker.onerror = (event) => { event.preventDefault(); broken(`the Worker failed: ${event.message}`); };
  worker.postMessage({ type: "start", bytes });
  return ready;
}
async function send(message) { await ready; worker.postMessage(message); }

const handlers = {
  ready({ list }) { state.list = list; worker.onready(); },
  scene({ description, id }) { if (id === state.job || id === undefined) describe(description); },
  rows({ id, parts, t, stop }) {
    if (id !== state.job || !state.busy) return;
    state.now.add(parts);
    const part = Math.max(0, Math.min(1, (state.plan.done + t / (stop || 1)) / state.plan.length)), spent = (performance.now() - state.begun) / 1000;
    $("progress").value = part;
    state.left = part > 0.02 && spent > 2 ? `, about ${figures((spent * (1 - part)) / part, 1)} s to go` : "";
    const begun = performance.now();
    if (begun < state.rest) return;
    const run = makeRun(state.now.newest(), state.description, state.task, { texts: { method: solver() } }, solver());
    if (run) showRuns([...state.runs.slice(0, state.plan.done), run], !state.shown);
    state.rest = begun + 5 * (performance.now() - begun); // showing takes a fifth of the time at most, however much there is
  },
  done(message) { if (message.id === state.job) finish(message); },
  problem({ message, line, id, broken: fatal }) {
    if (id !== undefined && id !== state.job) return;
    if (fatal) return broken(message);
    if (state.busy && !state.shown) clearView(); // what another study has shown is no result of this one
    setBusy(false);
    const was = state.live;
    live?.stop();
    show(was ? `${message}; live mode has ended, Live begins anew` : message, true, line);
  },
  live: (message) => live.begun(message),
  frame: (message) => live.frame(message),
};

function broken(message) { // the module is lost; the page is not
  setBusy(false);
  live?.stop();
  show(message, true, 0);
  startWorker();
}

// ---- messages --------------------------------------------------------------------------------------------------------
function show(message, bad = false, line = 0) {
  $("message").textContent = message;
  $("message").classList.toggle("bad", bad);
  editor?.complain(bad ? message : "", line);
}
function setBusy(on) {
  state.busy = on;
  document.body.classList.toggle("busy", on);
  $("run").disabled = on; $("stop").disabled = !on && !state.live;
  if (!on) $("progress").value = 0;
}

// ---- the scene -------------------------------------------------------------------------------------------------------
const overrides = () => [
  ...Object.entries(state.params).map(([name, value]) => `params.${name}=${value}`),
  ...Object.entries(state.options).filter(([, v]) => v !== "").map(([name, value]) => `options.${name}=${value}`),
];
const request = () => ({ scene: editor.text(), name: "scene.lua", overrides: overrides(), method: $("method").value, count: +$("count").value || 6 });

function describe(description) {
  const same = JSON.stringify(description.params.map((p) => p.name)) === JSON.stringify(state.description?.params.map((p) => p.name));
  state.description = description;
  if (!same || !$("sliders").childElementCount) makeSliders(description.params);
  fillMethods(description);
}

// Sliders over the range of a parameter; where it has none, from a half to twice its value.
function makeSliders(params) {
  $("sliders").replaceChildren(...params.map((p) => {
    const low = p.min ?? (p.given ? Math.min(0.5 * p.given, 2 * p.given) : -1), high = p.max ?? (p.given ? Math.max(0.5 * p.given, 2 * p.given) : 1);
    return slider(p.name, p.value, low, high, p.unit, p.doc, (value) => { state.params[p.name] = value; runSoon(); });
  }));
}

function slider(name, value, low, high, unit, doc, onInput) {
  const label = document.createElement("label"), input = document.createElement("input"), output = document.createElement("output");
  label.className = "slider"; label.title = doc || "";
  Object.assign(input, { type: "range", min: low, max: high, step: "any", value, name });
  const show = () => { output.textContent = `${figures(+input.value)} ${unit ?? ""}`; };
  input.oninput = () => { show(); onInput(+input.value); };
  show();
  label.append(name, input, output);
  return label;
}

function fillMethods(description) {
  const able = description.methods.filter((m) => !m.refused), chosen = $("method").value, against = $("against").value;
  const fill = (select, first, value, without) => {
    const offered = able.filter((m) => m.name !== without);
    select.replaceChildren(new Option(first, ""), ...offered.map((m) => new Option(m.name, m.name)));
    select.value = offered.some((m) => m.name === value) ? value : "";
  };
  fill($("method"), description.method ? `of the scene: ${description.method}` : "the first that can", chosen);
  fill($("against"), "nothing", against, $("method").value || description.method || able[0]?.name); // with another one
  $("against").disabled = $("against").options.length < 2;
  const refused = description.methods.filter((m) => m.refused);
  $("refused").replaceChildren(...refused.map((m) => { // why the others are not offered
    const line = document.createElement("li");
    line.textContent = `${m.name}: ${m.refused.replace(new RegExp(`^(\\S+:\\d+: )?(${m.name}: )?`), "")}`;
    return line;
  }));
  fillOptions();
}

function fillOptions() {
  const name = $("method").value || state.description?.method || state.description?.methods.find((m) => !m.refused)?.name;
  const method = state.list.methods.find((m) => m.name === name);
  if (!method || $("options").dataset.of === name) return;
  $("options").dataset.of = name;
  state.options = { ...state.kept }; // of a link
  const given = Object.fromEntries(state.description.options.map((o) => [o.name, o.word || o.number]));
  $("options").replaceChildren(...method.options.map((o) => {
    const label = document.createElement("label");
    const words = o.kind === "b" ? ["true", "false"] : o.kind === "w" ? o.words.split("|") : null;
    const field = document.createElement(words ? "select" : "input");
    label.title = o.doc;
    const unit = o.unit && o.unit !== "-" ? ` [${o.unit}]` : "", usual = o.kind === "b" ? String(!!o.value) : words?.[o.value];
    if (words) field.replaceChildren(new Option(`(${given[o.name] ?? usual})`, ""), ...words.map((w) => new Option(w, w)));
    else Object.assign(field, { type: "text", inputMode: "decimal", placeholder: given[o.name] ?? (o.kind === "a" ? "auto" : figures(o.value ?? 0)) });
    field.name = o.name;
    field.value = state.options[o.name] ?? "";
    field.onchange = () => { state.options[o.name] = field.value.trim(); };
    label.append(o.name + unit, field);
    return label;
  }));
}

let later = 0;
function checkSoon() { // after a pause in typing
  clearTimeout(later);
  later = setTimeout(() => { if (!state.busy && !state.live) open(); }, 350);
}
function open() {
  state.job++;
  show("");
  send({ type: "open", ...request(), id: state.job });
}
let waiting = 0;
function runSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (state.live) { live.stop(); startLive(); } else { if (state.busy) stop(true); run(); } }, 120);
}

// ---- studies ---------------------------------------------------------------------------------------------------------
async function run() {
  if (state.live) live.stop();
  clearTimeout(later);
  const against = $("against").value;
  state.plan = against ? [$("method").value, against] : [$("method").value];
  Object.assign(state.plan, { done: 0 });
  Object.assign(state, { task: $("task").value, runs: [], tables: [], shown: false, rest: 0, begun: performance.now() });
  show("running ...");
  setBusy(true);
  next();
}
const solver = () => state.plan[state.plan.done] || state.description?.method || state.description?.methods.find((m) => !m.refused)?.name || "";
function next() {
  state.job++;
  state.now = new Tables();
  send({ type: "solve", ...request(), method: state.plan[state.plan.done], task: state.task, id: state.job });
}

function finish({ report, texts, obstacles }) {
  const name = texts.method || report.method, run = makeRun(state.now, state.description, state.task, { texts, report, obstacles }, name);
  if (run) { state.runs[state.plan.done] = run; state.tables[state.plan.done] = state.now; }
  state.plan.done++;
  if (report.status && report.error) { // a message, and what was computed until then
    setBusy(false);
    if (run) { showRuns(state.runs.filter(Boolean), true); makePlotsNow(); showReport(); }
    else if (!state.shown) clearView();
    return show(report.error, true, report.line);
  }
  if (state.plan.done < state.plan.length) return next();
  setBusy(false);
  showRuns(state.runs, true);
  makePlotsNow();
  showReport();
  show(`done: ${state.runs.map((r) => `${r.method}, ${r.snapshots} ${r.modes ? "modes" : state.task === "static" ? r.snapshots === 1 ? "equilibrium" : "equilibria" : "snapshots"} in ${figures(r.report.seconds, 3)} s`).join("; ")}${difference()}`);
  play(state.task !== "static" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
}

// The Worker is ended, which takes no time, whatever it is doing; what it has posted stays.
function stop(quiet) {
  const was = state.live;
  if (state.live) live.stop();
  if (!state.busy && !was) return;
  state.job++;
  startWorker();
  const run = state.now && makeRun(state.now, state.description, state.task, { texts: { status: "stopped", method: solver() } }, solver());
  const wasBusy = state.busy;
  setBusy(false);
  if (!wasBusy) return;
  if (run) { state.runs[state.plan.done] = run; state.tables[state.plan.done] = state.now; showRuns(state.runs.filter(Boolean), false); makePlotsNow(); }
  if (!quiet) show(run ? "stopped; what was computed is shown" : "stopped before the first snapshot: nothing was computed");
}

// Two methods: how far their rods are apart.
function difference() {
  const [a, b] = state.runs;
  if (!a || !b || a.modes) return "";
  let most = 0;
  a.rods.forEach((rod, r) => {
    const other = b.rods[r];
    if (!other) return;
    for (let k = 0; k < Math.min(a.t.length, b.t.length); k++)
      for (const [i, j] of [[0, 0], [rod.count - 1, other.count - 1]]) {
        const p = 3 * (k * rod.count + i), q = 3 * (k * other.count + j);
        most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => rod.position[p + c] - other.position[q + c])));
      }
  });
  return `; their ends are at most ${figures(most, 3)} m apart${most > 0 ? ", as both are resolved here (withy compare refines them)" : ""}`;
}

// ---- showing ---------------------------------------------------------------------------------------------------------
let start = 0, end = 1;
const modal = () => state.runs[0]?.modes || state.visible?.[0]?.modes;

function showRuns(runs, isNew) {
  state.visible = runs; state.shown = true;
  start = Math.min(...runs.map((r) => r.t[0])); end = Math.max(...runs.map((r) => r.t[r.t.length - 1]));
  stage.setRuns(runs, { home: isNew });
  $("side").hidden = runs.length < 2;
  stage.split = runs.length > 1 && $("split").checked;
  stage.resize();
  const chosen = $("colour").value;
  $("colour").replaceChildren(new Option("by run", ""), ...Object.keys(stage.scales).map((n) => new Option(n, n)));
  $("colour").value = stage.scales[chosen] ? chosen : "";
  stage.colour = $("colour").value;
  $("scrub").min = start; $("scrub").max = end;
  $("modes").hidden = !runs[0].modes;
  if (runs[0].modes) $("mode").replaceChildren(...runs[0].modes.map((m, i) => new Option(m.label, i)));
  $("force").hidden = !stage.cast.forces.some((f) => f.sources.length);
  if (!state.busy) setPace();
  showAbout();
  $("listen").hidden = !heard(runs[0]).length;
  showLegend();
  seek(state.busy ? end : isNew ? start : Math.min(state.t, end));
  if (isNew) stage.goHome();
}
function showAbout() {
  const several = state.visible.length > 1, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const names = state.visible.flatMap((r, i) => {
    const swatch = document.createElement("span");
    swatch.className = "swatch"; swatch.style.background = runColour(i, dark);
    return [...(several ? [i ? " \u00a0 " : "", swatch] : []), `${several ? "" : `${r.title || state.name}: `}${r.method || "..."}, ${r.status}${r.status === "running" ? state.left ?? "" : ""}`];
  });
  $("about").replaceChildren(...names, [
    stage.cast.thickest > 1.5 ? `section drawn ${figures(stage.cast.thickest, 2)} times thicker` : "",
    modal() ? "modes swing at a constant amplitude, not in their own time" : speed.seldom,
    stage.forces ? stage.cast.forces.map((f) => f.text).filter(Boolean).join("; ") : "",
    stage.renderer.flat ? "without WebGL rods are lines" : ""].filter(Boolean).map((text) => `; ${text}`).join(""));
}

function makePlotsNow() {
  $("plots").replaceChildren();
  plots = state.runs.length && !modal() ? makePlots($("plots"), state.runs.filter(Boolean), (t) => { play(false); seek(t); }) : [];
  for (const plot of plots) plot.show(state.t);
}

function row(table, ...cells) {
  const line = table.insertRow();
  cells.forEach((text, i) => { const cell = document.createElement(i ? "td" : "th"); if (!i) cell.scope = "row"; cell.textContent = text; line.append(cell); });
}
function showReport() {
  const out = [];
  for (const { report, method } of state.runs.filter(Boolean)) {
    const table = document.createElement("table");
    row(table, "method", method);
    if (report.steps !== undefined) row(table, "steps", `${report.steps}, ${report.iterations} iterations`);
    if (report.drift !== null && report.drift !== undefined) row(table, "energy", `constant to ${report.drift ? figures(report.drift, 2) : "rounding"} of ${figures(report.scale, 3)} J`);
    if (report.points) row(table, "points", `${report.points.length}, ${report.points.filter((p) => p.unstable > 0).length} unstable`);
    if (report.critical?.length) row(table, "critical factors", report.critical.map((x) => figures(x, 6)).join(", "));
    for (const f of report.figures ?? []) row(table, f.name, `${figures(f.value, 5)} ${f.unit}`);
    for (const m of state.runs[0].modes ?? []) row(table, m.label.split(":")[0], m.label.split(": ").slice(1).join(": "));
    row(table, "time", `${figures(report.seconds, 3)} s`);
    out.push(table);
    for (const note of (report.notes ?? "").split("\n").filter(Boolean)) { const p = document.createElement("p"); p.textContent = note; out.push(p); }
  }
  $("report").replaceChildren(...out);
}

function showLegend() {
  const scale = stage.scales?.[stage.colour];
  $("legend").hidden = !scale;
  if (!scale) return;
  paintBar($("legend-bar"));
  $("legend-text").textContent = `${scale.name} ${ends(scale.low, scale.high).join(" .. ")} ${scale.unit}`;
}

function seek(t) {
  state.t = Math.min(Math.max(t, start), end);
  stage.show(state.t);
  for (const plot of plots) plot.show(state.t);
  $("scrub").value = state.t;
  const [axis, unit] = axisOf(state.visible?.[0]);
  $("clock").textContent = modal() ? "" : `${axis} = ${figures(state.t)} ${unit.replace(/^[-1]$/, "")}`;
  if (modal()) $("mode").value = modeAt(state.visible[0], state.t);
}
function play(on) {
  state.playing = on && !!state.visible;
  if (state.playing && state.t >= end && !modal()) state.t = start;
  $("play").textContent = state.playing ? "\u275a\u275a" : "\u25b6";
}

// How fast "1x" is: as in the viewer, once the run is complete; while it grows it is shown as it grows.
const SPEEDS = [0.01, 0.1, 0.25, 0.5, 1, 2, 4];
let speed = { natural: 1, realtime: true, seldom: "" };
function setPace() {
  const runs = state.visible ?? [], timed = (runs[0]?.axis || "t [s]").endsWith("[s]");
  speed = state.live || !runs.length ? { natural: 1, realtime: true, seldom: "" } : modal() ? { natural: 0.5, realtime: false, seldom: "" } : pacing(runs, start, end, timed);
  const text = (s) => (speed.realtime ? "" : ` (${figures(s * speed.natural, 2)}${modal() ? " cycles" : timed ? " s" : ""}/s)`), chosen = $("speed").value || "1";
  $("speed").replaceChildren(...SPEEDS.map((s) => new Option(`${s}x${text(s)}`, s)));
  $("speed").value = chosen;
}
let last = performance.now();
function tick(now) {
  const elapsed = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (state.live) live.tick(elapsed * +$("speed").value);
  else if (state.playing) {
    const by = elapsed * +$("speed").value * (speed.realtime ? 1 : speed.natural);
    if (modal()) seek(swung(state.visible[0], state.t, by));
    else { seek(state.t + by); if (state.t >= end) play(false); }
  }
  stage.render();
  requestAnimationFrame(tick);
}

// ---- live ------------------------------------------------------------------------------------------------------------
function startLive() {
  if (state.busy) stop(true);
  play(false);
  show("live: drag a rod with mouse or finger");
  state.live = true;
  document.body.classList.add("live"); // time is not played back
  setPace();
  $("live").setAttribute("aria-pressed", "true");
  $("stop").disabled = false;
  plots = []; $("plots").replaceChildren(); $("report").replaceChildren();
  state.job++;
  live.start(request(), state.job);
}

// ---- saving ----------------------------------------------------------------------------------------------------------
const savers = {
  scene: () => save(`${state.name}.lua`, editor.text()),
  csv: () => save(`${state.name}.csv`, csvOfRods(state.tables[0]), "text/csv"),
  probes: () => save(`${state.name}.probes.csv`, csvOfProbes(state.tables[0]), "text/csv"),
  async html() {
    const three = new TextDecoder().decode(await unzip("three")), page = extra.viewer.replace("@THREE@", () => three);
    save(`${state.name}.html`, replay(page, state.runs.filter(Boolean)), "text/html");
  },
  picture: () => stage.renderer.domElement.toBlob((blob) => save(`${state.name}.png`, blob)),
  sound: () => save(`${state.name}.wav`, wav(mix(heard(state.runs[0])))),
  async film() {
    show("recording ...");
    const { blob, ending } = await film(stage.renderer.domElement, () => new Promise((done) => {
      seek(start); play(true);
      const look = () => (state.playing && !modal() ? setTimeout(look, 50) : modal() ? setTimeout(done, 4000) : done());
      look();
    }));
    save(`${state.name}.${ending}`, blob);
    show("the film is saved");
  },
};
async function saveAs(kind) {
  if (!kind) return;
  if (kind !== "scene" && kind !== "picture" && !state.runs.length) return show("run the scene first: there is no result to save yet", true);
  if (kind === "sound" && !heard(state.runs[0]).length) return show("this result has no sound: that takes a probe with every = 1/44100 or so", true);
  try { await savers[kind](); } catch (problem) { show(problem.message, true); }
}

async function share() {
  try {
    const fragment = await pack(editor.text(), { task: $("task").value === usual(editor.text()) ? "" : $("task").value, method: $("method").value, against: $("against").value,
                                                 params: state.params, options: state.options });
    history.replaceState(null, "", fragment);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    show(`the link is in the address bar${navigator.clipboard ? " and was copied" : ""}: ${fragment.length} characters, the scene is in it and goes to nobody else`);
  } catch (problem) { show(problem.message, true); }
}
async function fromLink() {
  try {
    const link = await unpack(location.hash);
    if (link === null) return false;
    const { task, method, against, params, options } = link.set;
    setScene(link.scene, "shared");
    if (task) $("task").value = task;
    for (const [id, value] of [["method", method], ["against", against]]) if (value) { $(id).replaceChildren(new Option(value, value)); $(id).value = value; } // until the scene tells which there are
    Object.assign(state, { params, options, kept: options });
    return true;
  } catch (problem) { show(problem.message, true); return false; }
}

// ---- cases -----------------------------------------------------------------------------------------------------------
function clearView() {
  Object.assign(state, { runs: [], tables: [], visible: null, now: null });
  stage.clear();
  play(false);
  plots = []; $("plots").replaceChildren(); $("report").replaceChildren(); $("about").replaceChildren(); $("legend").hidden = true;
}
function setScene(text, name) {
  if (state.busy || state.live) stop(true);
  clearView(); // nothing of another scene stays
  $("case").value = Object.hasOwn(extra.cases, name) ? name : ""; // the list names the scene that is open
  state.name = name; state.params = {}; state.options = {}; state.kept = {}; state.description = null;
  $("sliders").replaceChildren(); $("options").dataset.of = ""; $("method").value = ""; $("against").value = "";
  editor.set(text);
  $("task").value = usual(text);
}
const usual = (text) => (/^-- solve: static/m.test(text) || !/\btime\s*=/.test(text) ? "static" : "run"); // study of a scene
const caseOf = (hash) => { const name = /^#case=(\w+)$/.exec(hash)?.[1]; return Object.hasOwn(extra.cases, name ?? "") ? name : null; }; // a link of the gallery
function choose(name) {
  if (!Object.hasOwn(extra.cases, name)) return;
  const text = extra.cases[name];
  history.replaceState(null, "", location.pathname + location.search);
  setScene(text, name);
  run();
}

// ---- the start -------------------------------------------------------------------------------------------------------
async function main() {
  const [module, rest] = await Promise.all([unzip("module"), unzip("extra")]);
  bytes = module;
  extra = JSON.parse(new TextDecoder().decode(rest));
  const started = startWorker();
  stage = new Stage($("stage"), $("ruler"));
  await started;
  editor = makeEditor($("editor"), { onChange: checkSoon, onRun: run, nonce: "withy", schema: readSchema(state.list.reference), constructors: state.list.constructors,
                                       methods: state.list.methods });
  live = new LiveMode({ stage, send, report: show, slider, page: () => state, inputs: $("inputs"), about: $("about"), ended() {
    state.live = false; document.body.classList.remove("live"); $("live").setAttribute("aria-pressed", "false"); $("stop").disabled = !state.busy; $("inputs").hidden = true; } });
  $("case").replaceChildren(new Option("-- your own --", ""), ...Object.keys(extra.cases).map((n) => new Option(n.replaceAll("_", " "), n)));
  $("case").onchange = () => choose($("case").value);
  $("run").onclick = run;
  $("stop").onclick = () => stop(false);
  $("live").onclick = () => { if (state.live) { stop(true); show("live mode ended"); } else startLive(); };
  $("share").onclick = share;
  $("save").onchange = () => { saveAs($("save").value); $("save").value = ""; };
  $("listen").onclick = () => listen(state.runs[0]);
  $("method").onchange = () => { state.kept = {}; if (state.description) fillMethods(state.description); };
  $("play").onclick = () => play(!state.playing);
  $("scrub").oninput = () => { play(false); seek(+$("scrub").value); };
  $("mode").onchange = () => seek(+$("mode").value);
  $("colour").onchange = () => { stage.colour = $("colour").value; showLegend(); if (!state.live) seek(state.t); };
  $("forces").onchange = () => { stage.showForces($("forces").checked); if (!state.live && state.visible) { showAbout(); seek(state.t); } };
  $("split").onchange = () => { stage.split = $("split").checked; stage.resize(); };
  $("home").onclick = () => stage.goHome();
  addEventListener("hashchange", async () => { // another link in the page that is open, or back and forward between two
    const named = caseOf(location.hash);
    if (named) choose(named); else if (await fromLink()) run();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { stage.theme(); if (!state.live && state.visible) seek(state.t); makePlotsNow(); });
  $("run").disabled = $("live").disabled = false;
  if (await fromLink()) run();
  else if (!location.hash.startsWith("#s=")) choose(caseOf(location.hash) ?? FIRST);
  requestAnimationFrame(tick);
  window.withy = { state, stage, get live() { return live; }, get editor() { return editor; }, get plots() { return plots; } }; // for tests
}
main();
