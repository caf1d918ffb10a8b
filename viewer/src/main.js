// The replay: one stage, one clock, everything shown at the same time t; several results over each other or side by side.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { locate, readData } from "./data.js";
import { modeAt, swung } from "./modes.js";
import { ForceArrows, makeForces } from "./forces.js";
import { BodyMesh, Flock, JointMesh, ObstacleMesh, SupportMesh } from "./parts.js";
import { cyclesOf, pacing } from "./pace.js";
import { DASH, ends, figures, makePlots } from "./plots.js";
import { TendonMesh } from "./tendons.js";
import { RodBundle, RodMesh, ramp, rampOn, runColour } from "./rods.js";

const $ = (id) => document.getElementById(id);
const runs = readData($("data"));
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const say = (text) => { $("said").textContent = text; }; // for screen readers
const state = { t: 0, playing: false, speed: 1, colour: "", motion: 1 };

// ---- size of the scene ----------------------------------------------------------------------------------
const box = new THREE.Box3();
const point = new THREE.Vector3();
for (const run of runs)
  for (const rod of run.rods)
    for (let i = 0; i < rod.position.length; i += 3)
      box.expandByPoint(point.set(rod.position[i], rod.position[i + 1], rod.position[i + 2]));
for (const run of runs)
  for (const body of run.bodies)
    for (let i = 0; i < body.position.length; i += 3)
      for (const s of [-0.5, 0.5]) box.expandByPoint(point.fromArray(body.position, i).addScalar(s * Math.max(...body.size)));
for (const run of runs) // a surface is shown whole, unless it is much larger than what touches it
  for (const { vertex, position, frame } of run.obstacles) {
    const own = new THREE.Box3(), turn = new THREE.Quaternion(frame[1], frame[2], frame[3], frame[0]).normalize();
    for (let i = 0; vertex && i < vertex.length; i += 3) own.expandByPoint(point.fromArray(vertex, i).applyQuaternion(turn).add(new THREE.Vector3(...position.slice(0, 3))));
    if (vertex && own.getSize(point).length() < 3 * box.getSize(new THREE.Vector3()).length()) box.union(own);
  }
const size = box.getSize(new THREE.Vector3()).length() || 1;
const centre = box.getCenter(new THREE.Vector3());
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
// A grid of round lengths; its lines lie on multiples of them.
const cell = 10 ** Math.floor(Math.log10(size / 4)), step10 = [1, 2, 5, 10].find((x) => cell * x >= size / 12) * cell;
let grid = null;
function drawGrid(dark) {
  if (grid) { scene.remove(grid); grid.geometry.dispose(); }
  const count = 2 * Math.ceil(size / step10), round = (x) => Math.round(x / step10) * step10;
  grid = new THREE.GridHelper(count * step10, count, ...(dark ? [0x46525e, 0x2b333b] : [0xc5ced8, 0xe3e8ed]));
  grid.rotation.x = Math.PI / 2;
  grid.position.set(round(centre.x), round(centre.y), box.min.z);
  scene.add(grid);
}

// A bar as long as a round length at the middle of the view.
const lengthText = (x) => (x >= 1000 ? `${figures(x / 1000)} km` : x >= 1 ? `${figures(x)} m` : x >= 0.01 ? `${figures(100 * x)} cm` : x >= 1e-3 ? `${figures(1e3 * x)} mm`
  : x >= 1e-6 ? `${figures(1e6 * x)} \u00b5m` : `${figures(x)} m`);
function showRuler() {
  const perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(controls.target)) / Math.max(stage.clientHeight, 1);
  const least = 60 * perPixel, unit = 10 ** Math.floor(Math.log10(least)), length = [1, 2, 5, 10].find((x) => unit * x >= least) * unit;
  $("ruler-line").style.width = `${length / perPixel}px`;
  $("ruler-text").textContent = `${lengthText(length)}; grid ${lengthText(step10)}`;
  $("ruler").setAttribute("aria-label", `scale: the bar is ${lengthText(length)}, the grid ${lengthText(step10)}`);
}

// The axes of the laboratory, lettered.
function letter(text, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.font = "48px system-ui, sans-serif"; pen.textAlign = "center"; pen.fillStyle = colour;
  pen.fillText(text, 32, 48);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false }));
  sprite.scale.setScalar(0.035 * size);
  return sprite;
}
["#c0392b", "#2e7d32", "#1f4fa8"].forEach((colour, i) => {
  const end = new THREE.Vector3().setComponent(i, 0.1 * size);
  const line = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), end]);
  const name = letter("xyz"[i], colour);
  name.position.copy(end).multiplyScalar(1.2);
  scene.add(new THREE.Line(line, new THREE.LineBasicMaterial({ color: colour })), name);
});

// Camera position along `view` that shows all corners of the box, with a margin for the labels at the edges.
function farEnough(view) {
  const right = new THREE.Vector3().crossVectors(camera.up, view).normalize(), up = new THREE.Vector3().crossVectors(view, right);
  const tall = Math.tan((camera.fov * Math.PI) / 360), wide = tall * camera.aspect;
  let far = 0;
  for (let i = 0; i < 8; i++) {
    point.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
    far = Math.max(far, point.dot(view) + 1.25 * Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall));
  }
  return far || size;
}

// A motion in a plane is viewed along the normal of that plane.
function goHome() {
  const extent = box.getSize(new THREE.Vector3());
  const flat = ["x", "y", "z"].reduce((a, b) => (extent[a] <= extent[b] ? a : b));
  const view = new THREE.Vector3(0.9, -1.3, 0.7);
  if (extent[flat] < 1e-3 * size) view.set(0.25, -0.25, 0.2).setComponent("xyz".indexOf(flat), flat === "y" ? -1.6 : 1.6);
  const distance = farEnough(view.normalize());
  camera.position.copy(centre).addScaledVector(view, distance);
  controls.target.copy(centre);
  controls.enableDamping = false; // drop the inertia of the last drag
  controls.update();
  camera.position.copy(centre).addScaledVector(view, distance);
  controls.update();
  controls.enableDamping = !calm;
}

// ---- rods: a section thinner than a pixel is drawn thicker ------------------------------------------------
const thinnest = size * 0.004;
const rods = [];
const MANY = 16; // rods of a run are drawn as one, and their sections with fewer corners
runs.forEach((run, index) => run.rods.forEach((rod) => rods.push(new RodMesh(run, rod, index, thinnest, run.rods.length > 100 ? 6 : run.rods.length > MANY ? 8 : 12))));
const bundles = runs.filter((run) => run.rods.length > MANY).map((run) => new RodBundle(run, rods.filter((rod) => rod.run === run)));
// Each run has a layer of its own, so that a part of the stage can show one of them.
const own = (object, run) => { object.layers.set(1 + runs.indexOf(run)); scene.add(object); };
for (const rod of rods) own(rod.axes, rod.run);
for (const one of rods.filter((rod) => !bundles.some((b) => b.run === rod.run)).concat(bundles)) own(one.mesh, one.run);
const parts = runs.flatMap((run, index) => [
  ...run.bodies.map((body) => new BodyMesh(run, body, index, thinnest)),
  ...run.joints.filter((joint) => joint.kind !== "link").map((joint) => new JointMesh(run, joint, 0.008 * size)),
  ...run.obstacles.map((obstacle) => new ObstacleMesh(run, obstacle, size, centre, box))]);
const supports = rods.flatMap((rod) => SupportMesh.of(rod, 0.006 * size));
const flocks = [];
for (const run of runs) {
  const alike = Flock.of([...parts.filter((p) => p instanceof JointMesh), ...supports].filter((p) => p.run === run));
  flocks.push(...alike.flocks);
  for (const part of [...parts.filter((p) => p.run === run && !(p instanceof JointMesh)), ...alike.alone, ...alike.flocks]) own(part.mesh, run);
}
const tendons = runs.flatMap((run) => TendonMesh.of(run, rods.filter((rod) => rod.run === run), 0.0016 * size));
for (const tendon of tendons) for (const part of [tendon.bead, tendon.ghost]) part.layers.set(1 + runs.indexOf(tendon.run));
for (const tendon of tendons) own(tendon.mesh, tendon.run);
const forces = runs.map((run) => new ForceArrows(run, makeForces(run), size));
for (const arrows of forces) own(arrows.mesh, arrows.run), (arrows.mesh.visible = false);
const widest = (rod) => Math.max(...rod.outline.map(([x, y]) => Math.hypot(x, y)));
for (const rod of rods) rod.thickness = Math.max(1, (0.5 * thinnest) / widest(rod));
const thickest = Math.max(...rods.filter((r) => r.rod.section.kind !== "none").map((r) => r.thickness), 1);

// One scale for a colour over all rods of all runs, so that the legend holds for each of them.
const scales = {};
for (const { rod } of rods)
  for (const { name, unit, low, high } of rod.colours) {
    const scale = (scales[name] ??= { name, unit, low, high });
    scale.low = Math.min(scale.low, low); scale.high = Math.max(scale.high, high);
  }

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
const axis = /^(.*?)(?: \[(.*)\])?$/.exec(runs[0].axis || "t [s]"); // a path has a load factor instead of time
const timed = axis[2] === "s";
const { natural, realtime, seldom } = modal ? { natural: 0.5, realtime: false, seldom: "" } : pacing(runs, start, stop, timed);
const pace = (s) => (realtime ? "" : modal ? ` (${figures(s * natural, 2)} cycles/s)` : ` (${figures(s * natural, 2)}${timed ? " s" : ""}/s)`);
for (const s of speeds) $("speed").add(new Option(`${s}x${pace(s)}`, s, s === 1, s === 1));
$("colour").add(new Option("by run", ""));
for (const name of Object.keys(scales)) $("colour").add(new Option(name, name));
$("title").textContent = [...new Set(runs.map((r) => r.title || r.name))].join(", ");
runs.forEach((r, index) => { // with the colour of its rods and the dash of its curves
  const line = document.createElement("p");
  if (runs.length > 1) line.append(swatch(runColour(index), DASH[index % DASH.length]));
  line.append(`${r.name}: ${r.method}, ${r.status}, ${r.snapshots} snapshots`
    + (r.t.length < r.snapshots ? `, ${r.t.length} shown` : ""));
  $("about").append(line);
});
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
  say(on ? "playing" : `stopped at ${$("clock").textContent}`);
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
  const pen = $("legend-bar").getContext("2d"), rgb = [0, 0, 0];
  for (let i = 0; i < 200; i++) {
    ramp(i / 199, rgb);
    pen.fillStyle = `rgb(${rgb.map((x) => Math.round(255 * x)).join(",")})`;
    pen.fillRect(i, 0, 1, 12);
  }
  $("legend-name").textContent = `${scale.name} [${scale.unit}]`;
  [$("legend-low").textContent, $("legend-high").textContent] = ends(scale.low, scale.high);
}

let dirty = true;
function show() {
  for (const part of parts) part.show(state.t, state);
  for (const arrows of forces) if (arrows.mesh.visible) arrows.show(state.t, state);
  for (const rod of rods) rod.show(state.t, scales[state.colour], { ...state, axisLength: size * 0.03 });
  for (const support of supports) support.show();
  for (const many of [...bundles, ...flocks]) many.show();
  for (const tendon of tendons) tendon.show();
  for (const plot of plots) if ($("panel").checked) plot.show(state.t);
  $("scrub").value = state.t;
  if (modal) $("mode").value = modeAt(runs[0], state.t);
  $("clock").textContent = modal ? runs[0].modes[modeAt(runs[0], state.t)].label : `${axis[1]} = ${state.t.toPrecision(4)} ${(axis[2] ?? "").replace(/^[-1]$/, "")}`;
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
$("split").onchange = () => { resize(); dirty = true; };
$("aside").hidden = runs.length < 2;
$("panel").onchange = showPanel;
$("picture").onclick = () => renderAll() ?? renderer.domElement.toBlob((blob) => save(blob, "png"));
$("film").onclick = film;
$("dark").onclick = () => { theme(document.documentElement.dataset.theme !== "dark"); show(); };
$("home").onclick = () => { goHome(); dirty = true; };
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
function nudge(id, by, around) {
  const select = $(id), count = select.options.length;
  let index = select.selectedIndex + by;
  if (around) index = (index + count) % count;
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

// ---- what is drawn: all runs over each other, or each in its own part of the stage ------------------------
function renderAll() {
  const { clientWidth: w, clientHeight: h } = stage, split = $("split").checked && runs.length > 1;
  renderer.setScissorTest(split);
  for (let i = 0; i < (split ? runs.length : 1); i++) {
    camera.layers.enableAll();
    if (split) {
      runs.forEach((_, k) => { if (k !== i) camera.layers.disable(1 + k); });
      const from = Math.round((i * w) / runs.length), to = Math.round(((i + 1) * w) / runs.length);
      renderer.setViewport(from, 0, to - from, h);
      renderer.setScissor(from, 0, to - from, h);
    } else renderer.setViewport(0, 0, w, h);
    renderer.render(scene, camera);
  }
  showRuler();
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
    say("the film is saved");
    $("film").setAttribute("aria-pressed", "false"); $("film").textContent = "film";
    save(new Blob(chunks, { type: kind }), kind.slice(6, 10).replace(";", ""));
  };
  recorder.start(250);
  filmed = waited = 0;
  say("recording");
  $("film").setAttribute("aria-pressed", "true"); $("film").textContent = "stop";
  play(true);
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  scene.background = new THREE.Color(dark ? 0x14181d : 0xf7f8fa);
  drawGrid(dark);
  rampOn(dark);
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
goHome();
showLegend();
play(modal && !calm);
say("");
requestAnimationFrame(tick);
// for tests and debugging
window.withy = { runs, state, seek, play, frames: () => frames, rods, parts, supports, tendons, forces, camera, plots, scales, natural, realtime,
  target: () => controls.target, calls: () => renderer.info.render.calls, cycles: () => runs.map(cyclesOf) };
