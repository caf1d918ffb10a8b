// The replay: one stage, one clock, everything shown at the same time t.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { locate, readData } from "./data.js";
import { makePlots } from "./plots.js";
import { RodMesh, ramp } from "./rods.js";

const $ = (id) => document.getElementById(id);
const runs = readData($("data"));
const state = { t: 0, playing: false, speed: 1, colour: "" };

// ---- size of the scene ----------------------------------------------------------------------------------
const box = new THREE.Box3();
const point = new THREE.Vector3();
for (const run of runs)
  for (const rod of run.rods)
    for (let i = 0; i < rod.position.length; i += 3)
      box.expandByPoint(point.set(rod.position[i], rod.position[i + 1], rod.position[i + 2]));
const size = box.getSize(new THREE.Vector3()).length() || 1;
const centre = box.getCenter(new THREE.Vector3());
const start = Math.min(...runs.map((r) => r.t[0])), stop = Math.max(...runs.map((r) => r.t[r.t.length - 1]));
state.t = start;

// ---- stage --------------------------------------------------------------------------------------------
const stage = $("stage");
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
stage.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xf7f8fa);
const camera = new THREE.PerspectiveCamera(35, 1, size / 1000, size * 50);
camera.up.set(0, 0, 1);
const controls = new OrbitControls(camera, renderer.domElement);
controls.enableDamping = true;
scene.add(new THREE.HemisphereLight(0xffffff, 0xb8c4d0, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 1.8);
sun.position.set(1, -2, 3);
scene.add(sun);
const grid = new THREE.GridHelper(size * 2, 20, 0xc5ced8, 0xe3e8ed);
grid.rotation.x = Math.PI / 2;
grid.position.set(centre.x, centre.y, box.min.z);
scene.add(grid, new THREE.AxesHelper(size * 0.12));

// A motion that stays in a plane is looked at squarely.
function goHome() {
  const extent = box.getSize(new THREE.Vector3());
  const flat = ["x", "y", "z"].reduce((a, b) => (extent[a] <= extent[b] ? a : b));
  const view = new THREE.Vector3(0.9, -1.3, 0.7);
  if (extent[flat] < 1e-3 * size) view.set(0.25, -0.25, 0.2).setComponent("xyz".indexOf(flat), flat === "y" ? -1.6 : 1.6);
  const distance = size / (1.6 * Math.tan((camera.fov * Math.PI) / 360)) / Math.min(1, camera.aspect);
  camera.position.copy(centre).addScaledVector(view.normalize(), distance);
  controls.target.copy(centre);
  controls.enableDamping = false; // forget the swing of the last drag
  controls.update();
  camera.position.copy(centre).addScaledVector(view, distance);
  controls.update();
  controls.enableDamping = true;
}

// ---- rods: a section thinner than a pixel is drawn thicker ------------------------------------------------
const thinnest = size * 0.004;
const rods = [];
runs.forEach((run, index) => run.rods.forEach((rod) => rods.push(new RodMesh(run, rod, index, thinnest))));
for (const rod of rods) scene.add(rod.mesh, rod.axes);
const widest = (rod) => Math.max(...rod.outline.map(([x, y]) => Math.hypot(x, y)));
for (const rod of rods) rod.thickness = Math.max(1, (0.5 * thinnest) / widest(rod));

const trail = new THREE.Group();
trail.visible = false;
scene.add(trail);
function makeTrail() {
  for (const { run, rod, base } of rods) {
    const shapes = Math.min(40, run.t.length);
    for (let k = 0; k < shapes; k++) {
      const frame = Math.round((k / Math.max(shapes - 1, 1)) * (run.t.length - 1)), n = rod.count * 3;
      const line = new THREE.BufferGeometry().setAttribute("position",
        new THREE.BufferAttribute(rod.position.slice(frame * n, frame * n + n), 3));
      trail.add(new THREE.Line(line, new THREE.LineBasicMaterial({ color: base, transparent: true, opacity: 0.25 })));
    }
  }
}

// ---- controls -----------------------------------------------------------------------------------------
const speeds = [0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const natural = (stop - start) / 10; // the whole run in ten seconds is "1x" when real time would be odd
const realtime = stop - start > 2 && stop - start < 60;
for (const s of speeds) $("speed").add(new Option(realtime ? `${s}x` : `${s}x (${(s * natural).toPrecision(2)} s/s)`, s, s === 1, s === 1));
const colours = [...new Set(runs.flatMap((r) => r.rods.flatMap((rod) => rod.colours.map((c) => c.name))))];
$("colour").add(new Option("by run", ""));
for (const name of colours) $("colour").add(new Option(name, name));
$("title").textContent = runs[0].title || runs[0].name;
$("about").textContent = runs.map((r) => `${r.name}: ${r.method}, ${r.status}, ${r.snapshots} snapshots`
  + (r.t.length < r.snapshots ? `, ${r.t.length} shown` : "")).join("\n");
document.title = `${runs[0].title || runs[0].name} - withy`;
$("scrub").min = start; $("scrub").max = stop;

const plots = makePlots($("plots"), runs, (t) => seek(t));
if (innerWidth < 760) $("panel").checked = false; // a phone has no room for both
if (!plots.length || !$("panel").checked) $("plots").hidden = true;

function seek(t) {
  state.t = Math.min(Math.max(t, start), stop);
  show();
}
function play(on) {
  state.playing = on;
  if (on && state.t >= stop) state.t = start;
  $("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
}
function step(direction) {
  play(false);
  const times = runs[0].t, [k, f] = locate(times, state.t);
  const next = direction > 0 ? (f >= 1 ? k + 2 : k + 1) : f > 1e-6 ? k : k - 1;
  seek(times[Math.min(Math.max(next, 0), times.length - 1)]);
}

function showLegend() {
  const all = rods.map((r) => r.rod.colours.find((c) => c.name === state.colour)).filter(Boolean);
  $("legend").hidden = all.length === 0;
  if (!all.length) return;
  const pen = $("legend-bar").getContext("2d"), rgb = [0, 0, 0];
  for (let i = 0; i < 200; i++) {
    ramp(i / 199, rgb);
    pen.fillStyle = `rgb(${rgb.map((x) => Math.round(255 * x)).join(",")})`;
    pen.fillRect(i, 0, 1, 12);
  }
  $("legend-name").textContent = `${state.colour} [${all[0].unit}]`;
  $("legend-low").textContent = all[0].low.toPrecision(3);
  $("legend-high").textContent = all[0].high.toPrecision(3);
}

let dirty = true;
function show() {
  for (const rod of rods) rod.show(state.t, state.colour, rod.thickness, size * 0.03);
  for (const plot of plots) if ($("panel").checked) plot.show(state.t);
  $("scrub").value = state.t;
  $("clock").textContent = `t = ${state.t.toPrecision(4)} s`;
  dirty = true;
}

function resize() {
  const { clientWidth: w, clientHeight: h } = stage;
  renderer.setSize(w, h);
  camera.aspect = w / h;
  camera.updateProjectionMatrix();
  dirty = true;
}

$("play").onclick = () => play(!state.playing);
$("scrub").oninput = () => { play(false); seek(+$("scrub").value); };
$("speed").onchange = () => { state.speed = +$("speed").value; };
$("colour").onchange = () => { state.colour = $("colour").value; showLegend(); show(); };
$("frames").onchange = () => { for (const r of rods) r.axes.visible = $("frames").checked; show(); };
$("trail").onchange = () => { if (!trail.children.length) makeTrail(); trail.visible = $("trail").checked; dirty = true; };
$("panel").onchange = () => { $("plots").hidden = !$("panel").checked; show(); };
$("home").onclick = () => { goHome(); dirty = true; };
$("help").textContent = "space   play, pause\n\u2190 \u2192     one frame\nhome end  first, last\n+ -     faster, slower\nc       next colour\nf       frames\nt       trail\np       plots\nh       reset view\n?       this text";

const keys = {
  " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  Home: () => seek(start), End: () => seek(stop),
  "+": () => nudge("speed", 1), "-": () => nudge("speed", -1), c: () => nudge("colour", 1, true),
  f: () => $("frames").click(), t: () => $("trail").click(), p: () => $("panel").click(), h: () => $("home").click(),
  "?": () => { $("help").hidden = !$("help").hidden; },
};
function nudge(id, by, around) {
  const select = $(id), count = select.options.length;
  let index = select.selectedIndex + by;
  if (around) index = (index + count) % count;
  select.selectedIndex = Math.min(Math.max(index, 0), count - 1);
  select.dispatchEvent(new Event("change"));
}
addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey) return;
  const action = keys[event.key];
  if (action) { event.preventDefault(); action(); }
});
addEventListener("resize", () => { resize(); show(); });
controls.addEventListener("change", () => { dirty = true; });

// ---- clock -------------------------------------------------------------------------------------------
let last = performance.now(), frames = 0;
function tick(now) {
  const elapsed = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (state.playing) {
    const t = state.t + elapsed * state.speed * (realtime ? 1 : natural);
    seek(t);
    if (t >= stop) play(false);
  }
  controls.update();
  if (dirty) { renderer.render(scene, camera); dirty = false; frames++; }
  requestAnimationFrame(tick);
}

resize();
goHome();
showLegend();
show();
requestAnimationFrame(tick);
// for tests and for the curious
window.withy = { runs, state, seek, play, frames: () => frames, rods, camera };
