// The replay: one stage, one clock, everything shown at the same time t; several results over each other or side by side.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { locate, readData } from "./data.js";
import { modeAt, swung } from "./modes.js";
import { Cast } from "./cast.js";
import { axisOf, cyclesOf, pacing } from "./speed.js";
import { DASH, ends, figures, makePlots } from "./plots.js";
import { paintBar, runColour } from "./rods.js";
import { Surroundings, goHome, measure, render, showRuler } from "./space.js";

const $ = (id) => document.getElementById(id);
const runs = readData($("data"));
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const announce = (text) => { $("said").textContent = text; }; // for screen readers
const state = { t: 0, playing: false, speed: 1, colour: "", motion: 1 };

// ---- size of the scene ----------------------------------------------------------------------------------
const box = measure(runs), size = box.getSize(new THREE.Vector3()).length() || 1;
const start = Math.min(...runs.map((r) => r.t[0])), stop = Math.max(...runs.map((r) => r.t[r.t.length - 1]));
state.t = start;

// ---- stage --------------------------------------------------------------------------------------------
const stage = $("stage");
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2"), info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
function makeRenderer() {
  try {
    const many = runs.some((run) => run.rods.length > 100); // without a graphics card smooth motion comes before smooth edges
    return new THREE.WebGLRenderer({ antialias: !(many && isSoftware()), preserveDrawingBuffer: true });
  } catch (problem) {
    $("help").textContent = "This browser cannot draw in 3-D: it has no WebGL, or WebGL is switched off.";
    $("help").hidden = false;
    throw problem;
  }
}
const renderer = makeRenderer();
renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
stage.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xf7f8fa);
const camera = new THREE.PerspectiveCamera(35, 1, size / 1000, size * 50);
camera.up.set(0, 0, 1);
const controls = new OrbitControls(camera, renderer.domElement);
controls.enableDamping = !calm;
scene.add(new THREE.HemisphereLight(0xffffff, 0xb8c4d0, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 1.8);
sun.position.set(1, -2, 3);
scene.add(sun);
let surroundings = null;
const isDark = () => document.documentElement.dataset.theme === "dark";

const cast = new Cast(runs, box), { rods, parts, supports, tendons, forces, scales, thickest } = cast;
scene.add(cast.group);

const trail = new THREE.Group();
trail.visible = false;
scene.add(trail);
function makeTrail() {
  for (const rod of rods) {
    const { run, base } = rod, shapes = Math.min(40, run.t.length);
    for (let k = 0; k < shapes; k++) {
      rod.interpolate(run.t[Math.round((k / Math.max(shapes - 1, 1)) * (run.t.length - 1))], 1);
      rod.refine();
      const line = new THREE.Line(new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(rod.smooth.slice(), 3)),
        new THREE.LineBasicMaterial({ color: base, transparent: true, opacity: 0.25 }));
      line.layers.set(1 + runs.indexOf(run));
      trail.add(line);
    }
  }
}

// ---- controls -----------------------------------------------------------------------------------------
const speeds = [0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const modal = runs.every((r) => r.modes); // one cycle in two seconds
const [axis, unit] = axisOf(runs[0]);
const timed = unit === "s";
const { natural, realtime, seldom } = modal ? { natural: 0.5, realtime: false, seldom: "" } : pacing(runs, start, stop, timed);
const perSecond = (s) => (realtime ? "" : modal ? ` (${figures(s * natural, 2)} cycles/s)` : ` (${figures(s * natural, 2)}${timed ? " s" : ""}/s)`);
for (const s of speeds) $("speed").add(new Option(`${s}x${perSecond(s)}`, s, s === 1, s === 1));
$("colour").add(new Option("by run", ""));
for (const name of Object.keys(scales)) $("colour").add(new Option(name, name));
$("title").textContent = [...new Set(runs.map((r) => r.title || r.name))].join(", ");
function showAbout() { // each run with the colour of its rods and the dash of its curves
  $("about").replaceChildren(...runs.map((r, index) => {
    const line = document.createElement("p");
    if (runs.length > 1) line.append(swatch(runColour(index, isDark()), DASH[index % DASH.length]));
    line.append(`${r.name}: ${r.method}, ${r.status}, ${r.snapshots} ${r.modes ? "modes" : "snapshots"}`
      + (r.t.length < r.snapshots ? `, ${r.t.length} shown` : ""));
    return line;
  }));
}
function swatch(colour, dash) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  canvas.width = 28; canvas.height = 6;
  pen.strokeStyle = colour; pen.lineWidth = 4; pen.setLineDash(dash);
  pen.beginPath(); pen.moveTo(0, 3); pen.lineTo(28, 3); pen.stroke();
  return canvas;
}
function note() {
  const notes = [thickest > 1.5 ? `section drawn ${figures(thickest, 2)} times thicker` : "",
                 modal ? "modes swing at a constant amplitude, not in their own time" : "", seldom,
                 $("forces").checked ? forces.map((f) => f.text).filter(Boolean).join("; ") : "",
                 state.motion > 1 ? `motion drawn ${state.motion} times larger` : ""];
  $("note").textContent = notes.filter(Boolean).join("; ");
}
if (modal) {
  runs[0].modes.forEach((mode, m) => $("mode").add(new Option(mode.label, m)));
  $("modes").hidden = false;
  $("clock").hidden = true; // the mode is named already
  $("trail").disabled = true;
}
document.title = `${runs[0].title || runs[0].name} - withy`;
$("scrub").min = start; $("scrub").max = stop;

const plots = makePlots($("plots"), runs, (t) => seek(t));
if (matchMedia("(max-width: 960px)").matches) $("panel").checked = false; // a phone shows the rod first
function showPanel() {
  $("plots").hidden = !plots.length || !$("panel").checked;
  resize();
  show();
}

function seek(t) {
  state.t = Math.min(Math.max(t, start), stop);
  show();
}
function play(on) {
  state.playing = on;
  if (on && state.t >= stop) state.t = start;
  $("play").textContent = on ? "\u275a\u275a" : "\u25b6";
  $("play").setAttribute("aria-label", on ? "pause" : "play");
  announce(on ? "playing" : `stopped at ${$("clock").textContent}`);
}
function step(direction) {
  play(false);
  const times = runs[0].t, [k, f] = locate(times, state.t);
  const next = direction > 0 ? (f >= 1 ? k + 2 : k + 1) : f > 1e-6 ? k : k - 1;
  seek(times[Math.min(Math.max(next, 0), times.length - 1)]);
}

function showLegend() {
  const scale = scales[state.colour];
  $("legend").hidden = !scale;
  if (!scale) return;
  paintBar($("legend-bar"));
  $("legend-name").textContent = `${scale.name} [${scale.unit}]`;
  [$("legend-low").textContent, $("legend-high").textContent] = ends(scale.low, scale.high);
}

let dirty = true;
function show() {
  cast.show(state.t, state.colour, state);
  for (const plot of plots) if ($("panel").checked) plot.show(state.t);
  $("scrub").value = state.t;
  if (modal) $("mode").value = modeAt(runs[0], state.t);
  $("clock").textContent = modal ? runs[0].modes[modeAt(runs[0], state.t)].label : `${axis} = ${state.t.toPrecision(4)} ${unit.replace(/^[-1]$/, "")}`;
  $("scrub").setAttribute("aria-valuetext", $("clock").textContent);
  dirty = true;
}

function resize() {
  const { clientWidth: w, clientHeight: h } = stage;
  renderer.setSize(w, h);
  camera.aspect = w / h / ($("split").checked ? runs.length : 1);
  camera.updateProjectionMatrix();
  dirty = true;
}

$("play").onclick = () => play(!state.playing);
$("scrub").oninput = () => { play(false); seek(+$("scrub").value); };
$("speed").onchange = () => { state.speed = +$("speed").value; };
$("colour").onchange = () => { state.colour = $("colour").value; showLegend(); show(); };
$("frames").onchange = () => { for (const r of rods) r.axes.visible = $("frames").checked; show(); };
$("mode").onchange = () => seek(+$("mode").value);
$("motion").onchange = () => { state.motion = +$("motion").value; note(); show(); };
$("trail").onchange = () => { if (!trail.children.length) makeTrail(); trail.visible = $("trail").checked; dirty = true; };
$("forces").onchange = () => { for (const f of forces) f.mesh.visible = $("forces").checked; note(); show(); };
$("forces").disabled = !forces.some((f) => f.sources.length);
$("split").onchange = () => { resize(); goHome(camera, controls, box); dirty = true; };
$("aside").hidden = runs.length < 2;
$("panel").onchange = showPanel;
$("picture").onclick = () => renderAll() ?? renderer.domElement.toBlob((blob) => save(blob, "png"));
$("film").onclick = film;
$("dark").onclick = () => { theme(document.documentElement.dataset.theme !== "dark"); show(); };
$("home").onclick = () => { goHome(camera, controls, box); dirty = true; };
function ask() {
  const open = ($("help").hidden = !$("help").hidden) === false;
  $("ask").setAttribute("aria-expanded", open);
  if (open) $("help").focus(); else $("ask").focus();
}
$("ask").onclick = $("help").onclick = ask;
$("help").textContent = `drag      turn; two fingers or the right button: move
wheel     nearer, farther; two fingers on a phone
plots     click or drag: go to that moment
space     play, pause
\u2190 \u2192       one frame back, on
home end  first, last
+ -       faster, slower
c         next colour
m         next size of the motion
n         next mode
f         frames (d1 red, d2 green, d3 blue)
t         trail
s         forces at supports and contacts
b         side by side, if there are several results
p         plots
i         picture, as a file
r         film, as a file: from here to the end; of a mode one cycle
d         light or dark
h         reset view
?         this text; escape closes it`;

const keys = {
  " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  Home: () => seek(start), End: () => seek(stop),
  "+": () => nudge("speed", 1), "-": () => nudge("speed", -1), c: () => nudge("colour", 1, true),
  m: () => nudge("motion", 1, true), n: () => { if (modal) nudge("mode", 1, true); },
  f: () => $("frames").click(), t: () => $("trail").click(), p: () => $("panel").click(), h: () => $("home").click(),
  s: () => $("forces").click(), b: () => { if (runs.length > 1) $("split").click(); }, i: () => $("picture").click(), r: () => $("film").click(), d: () => $("dark").click(),
  "?": ask, Escape: () => { if (!$("help").hidden) ask(); },
};
function nudge(id, by, cyclic) {
  const select = $(id), count = select.options.length;
  let index = select.selectedIndex + by;
  if (cyclic) index = (index + count) % count;
  select.selectedIndex = Math.min(Math.max(index, 0), count - 1);
  select.dispatchEvent(new Event("change"));
}
addEventListener("keydown", (event) => {
  const { tagName, type } = event.target;
  if (tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && (tagName === "BUTTON" || type === "checkbox")) return; // it does its own work
  const action = keys[event.key];
  if (action) { event.preventDefault(); action(); }
});
new ResizeObserver(() => { resize(); show(); }).observe(stage);
controls.addEventListener("change", () => { dirty = true; });

function renderAll() {
  render(renderer, scene, camera, stage, runs.length, $("split").checked && runs.length > 1);
  showRuler($("ruler"), camera, controls, stage.clientHeight, surroundings.step);
}

// ---- files: a picture, a film ---------------------------------------------------------------------------
function save(blob, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${(runs[0].title || runs[0].name).replace(/\W+/g, "_") || "withy"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
let recorder = null, chunks = [], filmed = 0, waited = 0;
// A slow machine encodes later than it draws: the film ends when there is something in it.
function endFilm() {
  if (chunks.length || waited++ > 100) { recorder?.stop(); return; }
  dirty = true;
  setTimeout(endFilm, 100);
}
function film() {
  if (recorder) return endFilm();
  if (!window.MediaRecorder) { $("note").textContent = "this browser cannot record; withy render makes films"; return; }
  const kind = ["video/mp4", "video/webm;codecs=vp9", "video/webm"].find((type) => MediaRecorder.isTypeSupported(type));
  chunks = [];
  recorder = new MediaRecorder(renderer.domElement.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 });
  recorder.ondataavailable = (event) => { if (event.data.size) chunks.push(event.data); };
  recorder.onstop = () => {
    recorder = null;
    announce("the film is saved");
    $("film").setAttribute("aria-pressed", "false"); $("film").textContent = "film";
    save(new Blob(chunks, { type: kind }), kind.slice(6, 10).replace(";", ""));
  };
  recorder.start(250);
  filmed = waited = 0;
  announce("recording");
  $("film").setAttribute("aria-pressed", "true"); $("film").textContent = "stop";
  play(true);
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  scene.background = new THREE.Color(dark ? 0x14181d : 0xf7f8fa);
  surroundings?.dispose();
  surroundings = new Surroundings(box, dark);
  scene.add(surroundings.group);
  cast.theme(dark);
  if (trail.children.length) { trail.clear(); makeTrail(); }
  showAbout();
  showLegend();
  for (const plot of plots) plot.paint();
}

// ---- clock -------------------------------------------------------------------------------------------
let last = performance.now(), frames = 0;
function tick(now) {
  const elapsed = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (state.playing) {
    const by = elapsed * state.speed * (realtime ? 1 : natural), t = modal ? swung(runs[0], state.t, by) : state.t + by;
    seek(t);
    filmed += by;
    if (!modal && t >= stop) { play(false); if (recorder) endFilm(); }
    if (modal && recorder && filmed >= 1) { filmed = -Infinity; endFilm(); } // one cycle
  }
  controls.update();
  if (dirty) { renderAll(); dirty = false; frames++; }
  requestAnimationFrame(tick);
}

theme(matchMedia("(prefers-color-scheme: dark)").matches);
note();
showPanel();
goHome(camera, controls, box);
showLegend();
play(modal && !calm);
announce("");
requestAnimationFrame(tick);
// for tests and debugging
window.withy = { runs, state, seek, play, frames: () => frames, rods, parts, supports, tendons, forces, camera, plots, scales, natural, realtime,
  target: () => controls.target, calls: () => renderer.info.render.calls, cycles: () => runs.map(cyclesOf) };
