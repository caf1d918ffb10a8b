// The viewer in a real browser: what it shows is what was recorded, at any size, by mouse, finger and keyboard.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const withy = resolve(process.env.WITHY ?? "../build/withy");
const work = mkdtempSync(join(tmpdir(), "withy-viewer-"));
const run = (...args) => execFileSync(withy, args, { cwd: work, stdio: "pipe" });
const later = (args) => promisify(execFile)(withy, args, { cwd: work });
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };
const DESK = { viewport: { width: 1000, height: 520 } }; // a browser without a graphics card draws every pixel by itself
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser, contexts = [];
const HANGS = 900000; // [ms] a guard against hangs, no limit of time
const shared = new Map(); // a page of each file on a desk stays open: loading is what takes time

const tetrahedron = () => { // closed, 1 m, as text
  const v = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
  return `solid ramp\n${faces.map((f) => `facet normal 0 0 0\nouter loop\n${f.map((i) => `vertex ${v[i].join(" ")}`).join("\n")}\nendloop\nendfacet`).join("\n")}\nendsolid\n`;
};

before(async () => {
  const starting = chromium.launch({
    timeout: HANGS,
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
           "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  writeFileSync(join(work, "beam.lua"), `return {
    rod = { length = 1, section = rectangle { width = 0.08, height = 0.02 }, material = { young = 1e6, shear = 4e5, density = 1000 } },
    gravity = { 0, 0, -1 }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },
    path = { from = 0, to = 1, steps = 4 } }`);
  writeFileSync(join(work, "shaft.lua"), `return {
    rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e8, shear = 1e8 }, inertia = { mass = 1, rotary = { 1e-6, 1e-6, 2e-6 } } },
    initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = pinned {}, finish = pinned {} },
    rotating = { spin = { 3, 0, 0 } }, options = { n = 6 } }`);
  writeFileSync(join(work, "touch.lua"), `return {
    rod = { length = 1, section = circle { diameter = 0.01 }, material = { young = 1e7, poisson = 0.3, density = 1000 } },
    initial = { shape = straight { from = { 0, 0, 0.03 }, along = { 1, 0, 0.05 } } }, gravity = { 0, 0, -9.81 },
    obstacles = { plane { name = "floor" }, sphere { center = function(t) return 0.5, t, -0.01 end, radius = 0.02 } },
    time = { stop = 0.1 }, method = "director", options = { n = 8 } }`);
  writeFileSync(join(work, "ramp.stl"), tetrahedron());
  writeFileSync(join(work, "arm.lua"), `return {
    rods = { { name = "arm", length = 0.2, section = circle { diameter = 2e-3 }, material = { young = 1e9, poisson = 0.3, density = 1000 },
      initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } }, ends = { start = clamped {} },
      loads = { tendon { name = "cable", route = { 0.01, 0 }, tension = 0.02, to = 0.15 }, tendon { route = function(s) return 0.01 - 0.05 * s, 0.004 end, tension = 0.01 } } } },
    gravity = { 0, 0, -1 }, obstacles = { mesh { file = "ramp.stl", scale = 0.05, point = { 0.1, 0, 0.1 } } },
    path = { from = 0, to = 1, steps = 4 }, method = "director", options = { n = 8 } }`);
  // two at a time, while the browser starts
  const jobs = [
    ["run", "falling_rod", "-o", "fall.h5", "--quiet"],
    ["run", "rotating_clamp", "-o", "clamp.h5", "--quiet"],
    ["run", "hanging_spring", "--set", "time.stop=1", "-o", "spring.h5", "--quiet"],
    ["static", "beam.lua", "-o", "beam.h5", "--quiet"],
    ["run", "satellite", "--set", "time.stop=0.2", "-o", "satellite.h5", "--quiet"],
    ["modes", "shaft.lua", "--count", "3", "-o", "shaft.h5", "--quiet"],
    ["run", "touch.lua", "-o", "touch.h5", "--quiet"],
    ["static", "arm.lua", "-o", "arm.h5", "--quiet"],
  ];
  const work2 = async () => { for (let job; (job = jobs.shift()); ) await later(job); };
  await Promise.all([work2(), work2()]);
  for (const name of ["fall", "spring", "beam", "satellite", "shaft", "touch", "arm"]) await later(["view", `${name}.h5`, "-o", `${name}.html`]);
  await later(["view", "fall.h5", "clamp.h5", "-o", "two.html"]);
  browser = await starting;
});
afterEach(async () => { // no page complained, and none asked the network for anything
  const said = [...contexts, ...shared.values()].flatMap((c) => c.errors.splice(0));
  for (const { context } of contexts) await context.close();
  contexts = [];
  assert.deepEqual(said, []);
});
after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

async function load(file, options) {
  const context = await browser.newContext(options), errors = [], page = await context.newPage();
  page.setDefaultTimeout(HANGS);
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) errors.push("asked for " + r.url()); });
  await page.goto("file://" + join(work, file));
  await page.waitForFunction(() => window.withy?.frames() > 0);
  if (process.env.SHOT) await page.screenshot({ path: join(process.env.SHOT, `${file}-${options.viewport.width}.png`) });
  return { context, errors, page };
}

// As it was when it was loaded.
const fresh = (page) => page.evaluate(() => {
  const $ = (id) => document.getElementById(id), put = (id, key, value) => {
    if ($(id)[key] === value) return;
    $(id)[key] = value;
    $(id).dispatchEvent(new Event("change"));
  };
  withy.play(false);
  put("colour", "value", ""), put("speed", "value", "1"), put("motion", "value", "1");
  for (const id of ["frames", "trail", "forces", "split"]) put(id, "checked", false);
  put("panel", "checked", !matchMedia("(max-width: 960px)").matches);
  for (const rod of withy.rods) rod.mesh.visible = true;
  $("help").hidden = true;
  document.activeElement.blur();
  $("home").click();
  withy.seek(withy.runs[0].t[0]);
});

async function open(file, options = null) {
  if (options === PHONE) { // one phone for all
    if (shared.has(PHONE)) await fresh(shared.get(PHONE).page);
    else shared.set(PHONE, await load(file, PHONE));
    return shared.get(PHONE).page;
  }
  if (options) {
    contexts.push(await load(file, { ...DESK, ...options }));
    return contexts.at(-1).page;
  }
  if (shared.has(file)) await fresh(shared.get(file).page);
  else shared.set(file, await load(file, DESK));
  return shared.get(file).page;
}
// What is looked at once.
const once = (file) => open(file, DESK);

// How many pixels of the stage differ from its background.
const painted = (page) => page.evaluate(() => {
  const source = document.querySelector("#stage canvas"), copy = document.createElement("canvas");
  copy.width = 320; copy.height = 180;
  const pen = copy.getContext("2d");
  pen.drawImage(source, 0, 0, 320, 180);
  const { data } = pen.getImageData(0, 0, 320, 180);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (Math.abs(data[i] - 0xf7) + Math.abs(data[i + 1] - 0xf8) + Math.abs(data[i + 2] - 0xfa) > 60) count++;
  return count;
});
const time = (page) => page.evaluate(() => withy.state.t);
const tip = (page) => page.evaluate(() => Array.from(withy.rods[0].centre.slice(-3)));
const eye = (page) => page.evaluate(() => withy.camera.position.toArray().map((x) => +x.toFixed(6)).join());
const near = (got, wanted, room, what = "") => assert.ok(Math.abs(got - wanted) <= room, `${what} ${got}, not ${wanted}`);

test("bodies are drawn as their shapes, joints as symbols, where they are", async () => {
  const page = await open("satellite.html");
  const parts = await page.evaluate(() => { withy.seek(0.2); return withy.parts.map((p) => ({
    name: p.mesh.name, kind: p.info.shape ?? p.info.kind, type: p.mesh.geometry.type,
    off: p.mesh.position.distanceTo(p.a.fromArray(p.info.position.slice(-3))) })); });
  assert.deepEqual(parts.map((p) => p.kind), ["cylinder", "ellipsoid", ...Array(5).fill("weld")]);
  assert.deepEqual(parts.slice(0, 2).map((p) => p.name), ["hub", "tip"]);
  assert.ok(parts.every((p) => p.off < 1e-6) && parts[0].type === "CylinderGeometry");
  assert.ok(await painted(page) > 100);
});

test("obstacles are drawn where they are, a plane as large as the scene, and contact is a colour", async () => {
  const page = await open("touch.html");
  const parts = await page.evaluate(() => { withy.seek(0.1); return withy.parts.map((p) => ({ name: p.mesh.name,
    type: p.mesh.geometry.type, at: p.mesh.position.toArray(), wide: p.mesh.scale.x })); });
  assert.deepEqual(parts.map((p) => [p.name, p.type]), [["floor", "PlaneGeometry"], ["obstacle2", "SphereGeometry"]]);
  near(parts[0].at[2], 0, 1e-9), near(parts[1].at[1], 0.1, 1e-6), near(parts[1].wide, 0.04, 1e-9);
  assert.ok(parts[0].wide > 1);
  assert.ok("contact" in await page.evaluate(() => withy.scales));
});

test("tendons run where their routes are in the sections, to a bead at their anchor; a mesh has its triangles", async () => {
  const page = await open("arm.html");
  const { found, mesh } = await page.evaluate(() => {
    withy.seek(1);
    const [{ centre, turn, rod }] = withy.rods, last = rod.count - 1;
    const [w, x, y, z] = turn.slice(4 * last), at = centre.slice(3 * last); // d1, d2 of the last section
    const d1 = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], d2 = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    const end = withy.tendons[1], { vertex, triangle } = withy.parts[0].info;
    return { found: { names: withy.tendons.map((t) => t.info.name), bend: Math.abs(at[0]), bead: end.bead.position.toArray(), place: Array.from(end.place.slice(-3)),
                      want: [0, 1, 2].map((c) => at[c] + 0.004 * d2[c]), off: d1[0], first: Array.from(withy.tendons[0].place.slice(0, 3)),
                      stop: Math.hypot(...[0, 1, 2].map((c) => withy.tendons[0].place.at(c - 3) - centre[3 * Math.round(0.75 * last) + c])) },
             mesh: { kind: withy.parts[0].info.shape, vertices: vertex.length / 3, triangles: triangle.length / 3, at: withy.parts[0].mesh.position.toArray(),
                     drawn: withy.parts[0].mesh.geometry.attributes.position.count } };
  });
  assert.deepEqual(found.names, ["cable", "tendon2"]);
  assert.ok(found.bend > 0.003, `the arm does not bend: ${found.bend}`);
  for (let c = 0; c < 3; c++) near(found.bead[c], found.want[c], 1e-5, "anchor"), near(found.place[c], found.bead[c], 1e-6);
  near(found.first[0], 0.01, 1e-6, "its start"), near(found.stop, 0.01, 1e-5, "its end is beside the middle of the section");
  assert.deepEqual([mesh.kind, mesh.vertices, mesh.triangles, mesh.drawn], ["mesh", 4, 4, 12]);
  [0.1, 0, 0.1].forEach((x, c) => near(mesh.at[c], x, 1e-7));
});

test("modes swing, each with its label; the middle of a shaft that whirls goes round in a circle", async () => {
  const page = await once("shaft.html");
  assert.ok(await page.evaluate(() => withy.state.playing));
  assert.ok(await page.isVisible("#mode"));
  const labels = await page.locator("#mode option").allTextContents();
  assert.deepEqual(labels, ["mode 1: 0 Hz, neutral: nothing resists it", "mode 2: 1.093 Hz", "mode 3: 2.048 Hz"]);
  await page.selectOption("#mode", "1");
  const from = await time(page);
  await page.waitForFunction((was) => Math.abs(withy.state.t - was) > 0.05, from);
  assert.equal(Math.floor(await time(page)), 1); // it goes on in its mode
  assert.equal(await page.textContent("#clock"), labels[1]);
  assert.match(await page.textContent("#note"), /constant amplitude/);
  const way = await page.evaluate(() => {
    withy.play(false);
    return [0, 0.25, 0.5, 0.75].map((phase) => {
      withy.seek(1 + phase * (1 - 1e-4));
      const { centre, rod } = withy.rods[0], i = 3 * (rod.count >> 1);
      return [centre[i + 1], centre[i + 2]];
    });
  });
  const turn = ([a, b], [c, d]) => (a * d - b * c) / (Math.hypot(a, b) * Math.hypot(c, d));
  for (const at of way) near(Math.hypot(...at), 0.1 / Math.SQRT2, 1e-5, "radius"); // the two directions together: L/10
  for (let k = 0; k < 4; k++) near(Math.abs(turn(way[k], way[(k + 1) % 4])), 1, 1e-4, "a quarter");
  assert.ok(Math.abs(turn(way[0], way[2])) < 1e-4);
  assert.deepEqual((await page.locator("#colour option").allTextContents()).filter((x) => /speed|amplitude/.test(x)), ["amplitude"]);
});

test("a damped mode swings at a constant amplitude and says its damping; nothing plays by itself where motion is unwanted", async () => {
  writeFileSync(join(work, "damped.lua"), `return {
    rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1, rotary = 1e-6 }, damping = { time = 0.02 } },
    initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, method = "director", options = { n = 6 } }`);
  run("modes", "damped.lua", "--count", "3", "-o", "damped.h5", "--quiet");
  run("view", "damped.h5", "-o", "damped.html");
  const page = await open("damped.html", { reducedMotion: "reduce" });
  assert.ok(!(await page.evaluate(() => withy.state.playing)), "modes play although motion is unwanted");
  const labels = await page.locator("#mode option").allTextContents();
  for (const label of labels) assert.match(label, /Hz, damping 0\.\d/);
  const tips = await page.evaluate(() => [0, 0.25, 0.5, 0.75, 1].map((phase) => {
    withy.seek(2 + phase * (1 - 1e-4));
    return Array.from(withy.rods[0].centre.slice(-3));
  }));
  const away = tips.map((p) => Math.hypot(p[1], p[2]));
  for (const end of [0, 2, 4]) near(away[end], 0.1, 2e-3, "amplitude"); // a tenth of the length, after a cycle as before
  assert.ok(away[1] < 0.05 && away[3] < 0.05, `${away}`);
  for (let c = 1; c < 3; c++) near(tips[0][c], -tips[2][c], 1e-3), near(tips[0][c], tips[4][c], 1e-3);
});

test("a result opens from a file and draws the rod", async () => {
  const page = await open("fall.html");
  assert.ok((await painted(page)) > 50);
  assert.equal(await page.textContent("#title"), "falling rod");
  assert.match(await page.textContent("#about"), /elastica, complete, 81 snapshots/);
});

test("play moves time and the rod, pause stops both, speed sets the pace", async () => {
  const page = await open("fall.html");
  const start = await tip(page);
  await page.click("#play");
  await page.waitForFunction(() => withy.state.t > 1);
  await page.click("#play");
  const t = await time(page);
  assert.notDeepEqual(await tip(page), start);
  await page.waitForTimeout(150);
  assert.equal(await time(page), t);
  // time shown per time passed, by the page's own clock
  const pace = async (speed) => {
    await page.selectOption("#speed", speed);
    return page.evaluate(() => new Promise((done) => {
      withy.seek(0); withy.play(true);
      let from; // both clocks begin at the first frame
      const look = (now) => {
        from ??= [now, withy.state.t];
        if (now - from[0] < 300) return requestAnimationFrame(look);
        withy.play(false);
        done((1000 * (withy.state.t - from[1])) / (now - from[0]));
      };
      requestAnimationFrame(look);
    }));
  };
  const slow = await pace("0.5"), fast = await pace("4");
  assert.ok(slow > 0 && fast > 2 * slow, `${slow} and ${fast}`); // a slow machine drops frames: never exactly eight
});

test("the slider moves the replay", async () => {
  const page = await open("fall.html");
  await page.locator("#scrub").fill("20");
  assert.equal(await time(page), 20);
  assert.equal((await page.textContent("#clock")).trim(), "t = 20.00 s");
});

test("every key does what the help says", async () => {
  const page = await open("fall.html");
  const press = (key) => page.keyboard.press(key);
  await press("End");
  assert.equal(await time(page), 40);
  await press("Home");
  await press("ArrowRight");
  near(await time(page), 0.5, 1e-5);
  await press("ArrowLeft");
  assert.equal(await time(page), 0);
  await press("c");
  assert.equal(await page.inputValue("#colour"), "curvature");
  assert.ok(await page.isVisible("#legend"));
  await press("+");
  assert.equal(await page.inputValue("#speed"), "2");
  await press("-");
  assert.equal(await page.inputValue("#speed"), "1");
  await press("m");
  assert.equal(await page.evaluate(() => withy.state.motion), 10);
  assert.match(await page.textContent("#note"), /motion drawn 10 times larger/);
  await press("f");
  assert.ok(await page.evaluate(() => withy.rods[0].axes.visible));
  await press("t");
  assert.ok(await page.isChecked("#trail"));
  await press("p");
  assert.ok(await page.isHidden("#plots"));
  await press("?");
  assert.ok(await page.isVisible("#help"));
  const help = await page.textContent("#help");
  for (const key of ["space", "home end", "+ -", "c ", "m ", "f ", "t ", "p ", "h ", "?"])
    assert.ok(help.split("\n").some((line) => line.startsWith(key)), `the help is silent about ${key}`);
  await press("Space");
  assert.ok(await page.evaluate(() => withy.state.playing));
  await press("Space");
  assert.ok(!(await page.evaluate(() => withy.state.playing)));
});

test("every control can be reached and worked by keyboard alone", async () => {
  const page = await open("fall.html");
  const reached = new Set();
  for (let i = 0; i < 16; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["stage", "play", "scrub", "speed", "colour", "motion", "frames", "trail", "panel", "home", "ask"])
    assert.ok(reached.has(id), `${id} cannot be reached`);
  await page.focus("#play");
  await page.keyboard.press("Space"); // once, not twice: by the button and by the page
  assert.ok(await page.evaluate(() => withy.state.playing));
});

test("dragging turns the view, the wheel comes nearer, reset brings it back", async () => {
  const page = await open("fall.html");
  const home = await eye(page);
  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(520, 340, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((was) => withy.camera.position.toArray().map((x) => +x.toFixed(6)).join() !== was, home);
  const range = () => page.evaluate(() => withy.camera.position.length());
  await page.click("#home");
  assert.equal(await eye(page), home);
  const before = await range();
  await page.mouse.move(400, 300);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((was) => withy.camera.position.length() < 0.95 * was, before);
});

test("the whole motion is in view at the start", async () => {
  for (const [file, options] of [["spring.html", null], ["two.html", PHONE]]) {
    const page = await open(file, options);
    const out = await page.evaluate(() => {
      const point = withy.camera.position.clone();
      let most = 0;
      for (const { position } of withy.runs.flatMap((run) => run.rods))
        for (let i = 0; i < position.length; i += 3) {
          point.set(position[i], position[i + 1], position[i + 2]).project(withy.camera);
          most = Math.max(most, Math.abs(point.x), Math.abs(point.y));
        }
      return most;
    });
    assert.ok(out < 1 && out > 0.4, `it reaches to ${out} of the half screen`);
  }
});

test("a rod is a tube with its true section", async () => {
  const sections = (page) => page.evaluate(() => withy.rods.map(({ geometry, centre, face, parts, thickness, rod }) => {
    const place = geometry.attributes.position.array, m = face.points.length, i = rod.count >> 1;
    const radii = face.points.map((_, j) => Math.hypot(...[0, 1, 2].map((c) => place[(i * parts * m + j) * 3 + c] - centre[3 * i + c])));
    return { section: rod.section, thickness, m, radii };
  }));
  const [round] = await sections(await open("spring.html"));
  assert.equal(round.section.kind, "circle");
  for (const r of round.radii) near(r, (round.thickness * round.section.a) / 2, 1e-4 * r, "radius");
  const [flat] = await sections(await open("beam.html"));
  assert.equal(flat.section.kind, "rectangle");
  assert.equal(flat.m, 8); // four corners, each with the normals of two sides
  for (const r of flat.radii) near(r, (flat.thickness * Math.hypot(flat.section.a, flat.section.b)) / 2, 1e-4 * r, "half a diagonal");
});

test("frames are drawn where they were recorded", async () => {
  const page = await open("spring.html");
  await page.check("#frames");
  await page.evaluate(() => withy.seek(withy.runs[0].t[7]));
  const worst = await page.evaluate(() => {
    const [{ axes, rod }] = withy.rods, line = axes.geometry.attributes.position.array, n = rod.count;
    let worst = 0;
    for (let i = 0; i < n; i++) {
      const [w, x, y, z] = rod.frame.slice((7 * n + i) * 4, (7 * n + i) * 4 + 4);
      const d3 = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
      const drawn = [0, 1, 2].map((c) => line[i * 18 + 12 + 3 + c] - line[i * 18 + 12 + c]), length = Math.hypot(...drawn);
      for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(drawn[c] / length - d3[c]));
    }
    return worst;
  });
  assert.ok(worst < 1e-3, `${worst}`); // frames travel as 16-bit numbers
});

const QUANTITIES = { curvature: "1/m", twist: "1/m", moment: "N m", speed: "m/s", tension: "N", stress: "Pa" };

test("every recorded quantity colours the rod, and the legend says what the colours mean", async () => {
  const page = await open("spring.html");
  assert.deepEqual(await page.locator("#colour option").allTextContents(), ["by run", ...Object.keys(QUANTITIES)]);
  for (const [name, unit] of Object.entries(QUANTITIES)) {
    await page.selectOption("#colour", name);
    assert.equal(await page.textContent("#legend-name"), `${name} [${unit}]`);
    const found = await page.evaluate((name) => {
      withy.seek(withy.runs[0].t[5]);
      const [{ geometry, rod, outline, parts }] = withy.rods, { value } = rod.colours.find((c) => c.name === name);
      const paint = geometry.attributes.color.array, shades = [];
      for (let i = 0; i < rod.count; i++)
        shades.push([value[5 * rod.count + i] / 65535, ...paint.slice(i * parts * outline.length * 3, i * parts * outline.length * 3 + 3)]);
      return { scale: withy.scales[name], shades };
    }, name);
    assert.ok(found.scale.high > found.scale.low, `${name} does not vary`);
    near(+(await page.textContent("#legend-low")), found.scale.low, 0.01 * (found.scale.high - found.scale.low), "least");
    near(+(await page.textContent("#legend-high")), found.scale.high, 0.01 * (found.scale.high - found.scale.low), "most");
    // the ramp goes from violet to yellow: red + green grow with the value
    const sorted = found.shades.sort((a, b) => a[0] - b[0]), [low, high] = [sorted[0], sorted.at(-1)];
    assert.ok(low[1] + low[2] <= high[1] + high[2] + 1e-6, name);
    assert.ok(new Set(found.shades.map((s) => s.slice(1).join())).size > 5, `${name} paints everything alike`);
  }
  await page.selectOption("#colour", "");
  assert.ok(await page.isHidden("#legend"));
});

test("a pixel of a rod has the colour that the legend has for its value, light and dark", async () => {
  const page = await open("beam.html");
  await page.selectOption("#colour", "moment");
  const look = () => page.evaluate(async () => {
    withy.seek(1);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const source = document.querySelector("#stage canvas"), copy = document.createElement("canvas");
    copy.width = source.width; copy.height = source.height;
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(source, 0, 0);
    const legend = document.querySelector("#legend-bar").getContext("2d");
    const [{ rod, run, geometry, parts }] = withy.rods, place = geometry.attributes.position.array, eye = withy.camera.position, n = rod.count, last = run.t.length - 1, { value } = rod.colours.find((c) => c.name === "moment");
    const off = [];
    for (let i = 8; i < n - 4; i++) { // beyond the axes at the origin
      // the middle of the side that faces the eye most
      const vector = (values, vertex) => eye.clone().set(...values.slice(3 * vertex, 3 * vertex + 3)), ring = 8 * i * parts;
      const sides = [0, 2, 4, 6].map((j) => {
        const middle = vector(place, ring + j).add(vector(place, ring + j + 1)).multiplyScalar(0.5);
        return { middle, facing: eye.clone().sub(middle).normalize().dot(vector(geometry.attributes.normal.array, ring + j)) };
      });
      const at = sides.sort((a, b) => b.facing - a.facing)[0].middle.project(withy.camera);
      const x = Math.floor(((at.x + 1) / 2) * copy.width), y = Math.floor(((1 - at.y) / 2) * copy.height);
      const got = pen.getImageData(x, y, 1, 1).data, want = legend.getImageData(Math.round((value[last * n + i] / 65535) * 199), 0, 1, 1).data;
      off.push(Math.max(...[0, 1, 2].map((c) => Math.abs(got[c] - want[c]))));
    }
    return off;
  });
  for (let i = 0; i < 2; i++) {
    const worst = await look();
    assert.ok(worst.length > 20 && Math.max(...worst) <= 2, `colours differ by ${Math.max(...worst)} of 255`);
    await page.click("#dark");
  }
});

test("between its stations a coil is drawn through the true curve", async () => {
  const page = await open("spring.html");
  const { rings, chords, parts } = await page.evaluate(() => {
    withy.seek(0);
    const [{ smooth, centre, parts, count, rod }] = withy.rods, n = rod.count;
    // the axis: three stations lie on a circle about it
    const [[ax, ay], [bx, by], [cx, cy]] = [n >> 1, (n >> 1) + 5, (n >> 1) + 10].map((i) => [centre[3 * i], centre[3 * i + 1]]);
    const d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by)), aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    const middle = [(aa * (by - cy) + bb * (cy - ay) + cc * (ay - by)) / d, (aa * (cx - bx) + bb * (ax - cx) + cc * (bx - ax)) / d];
    const off = (p, i) => Math.hypot(p[3 * i] - middle[0], p[3 * i + 1] - middle[1]);
    const radius = off(centre, n >> 1), rings = [], chords = [];
    for (let i = 4 * parts; i < count - 4 * parts; i++) rings.push(Math.abs(off(smooth, i) / radius - 1));
    for (let i = 4; i + 5 < n; i++) chords.push(Math.abs(Math.hypot(...[0, 1].map((c) => (centre[3 * i + c] + centre[3 * i + 3 + c]) / 2 - middle[c])) / radius - 1));
    return { rings: Math.max(...rings), chords: Math.max(...chords), parts };
  });
  assert.ok(parts > 1 && rings < 0.1 * chords, `rings off by ${rings}, chords by ${chords}, ${parts} rings`);
});

test("supports are drawn at the ends, and their forces as arrows: that of a clamp carries the weight", async () => {
  const page = await open("beam.html");
  const found = await page.evaluate(() => {
    withy.seek(1);
    const [{ info, mesh }] = withy.supports, { position } = withy.rods[0].rod;
    return { kind: info.kind, at: mesh.position.toArray(), start: Array.from(position.slice(0, 3)), count: withy.supports.length };
  });
  assert.deepEqual([found.kind, found.count], ["clamped", 1]);
  for (let c = 0; c < 3; c++) near(found.at[c], found.start[c], 1e-6);
  await page.check("#forces");
  const force = await page.evaluate(() => Array.from(withy.rods[0].rod.reactions.start.slice(-3)));
  near(force[2], 1000 * 0.08 * 0.02, 1e-4, "weight"); // g = 1
  assert.match(await page.textContent("#note"), /longest arrow 1\.6 N/);
  assert.ok(await page.evaluate(() => withy.forces[0].mesh.visible && withy.forces[0].mesh.count === 1));
});

test("the bar of the scale is as long as it says; light and dark; a picture is saved; runs stand side by side", async () => {
  const page = await open("two.html", { colorScheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(20, 24, 29)");
  const bar = await page.evaluate(() => {
    const text = document.querySelector("#ruler-text").textContent, [, x, unit] = /^([\d.]+) (km|m|cm|mm)/.exec(text);
    const eye = withy.camera, { clientHeight: h } = document.querySelector("#stage"), far = eye.position.length && eye;
    const target = withy.target(), perPixel = (2 * Math.tan((far.fov * Math.PI) / 360) * eye.position.distanceTo(target)) / h;
    return { length: x * { km: 1000, m: 1, cm: 0.01, mm: 0.001 }[unit], drawn: document.querySelector("#ruler-line").getBoundingClientRect().width * perPixel };
  });
  near(bar.drawn, bar.length, 0.02 * bar.length, "bar");
  await page.click("#dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  assert.match(file.suggestedFilename(), /\.png$/);
  assert.equal(readFileSync(await file.path()).subarray(1, 4).toString(), "PNG");
  await page.evaluate(() => withy.seek(2));
  await page.check("#split");
  const changed = await page.evaluate(async () => { // without the first run only the left half of the stage changes
    const picture = async () => {
      withy.seek(2);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const source = document.querySelector("#stage canvas"), copy = document.createElement("canvas");
      copy.width = 640; copy.height = 360;
      const pen = copy.getContext("2d");
      pen.drawImage(source, 0, 0, 640, 360);
      return pen.getImageData(0, 0, 640, 360).data;
    };
    const whole = await picture();
    withy.rods[0].mesh.visible = false;
    const without = await picture(), count = [0, 0];
    for (let i = 0; i < whole.length; i += 4) if (Math.abs(whole[i] - without[i]) > 40) count[(i / 4) % 640 < 320 ? 0 : 1]++;
    return count;
  });
  assert.ok(changed[0] > 20 && changed[1] === 0, `${changed}`);
});

test("a film is saved: several pictures of what passes; a screen reader hears what happens", async () => {
  const page = await open("fall.html");
  await page.evaluate(() => withy.seek(32));
  await page.selectOption("#speed", "4");
  const [file, begun] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => {
    dispatchEvent(new KeyboardEvent("keydown", { key: "r" }));
    return [document.querySelector("#said").textContent, ...["#film", "#play"].map((id) => document.querySelector(id).getAttribute(id === "#film" ? "aria-pressed" : "aria-label"))];
  })]);
  assert.deepEqual(begun, ["playing", "true", "pause"]);
  assert.match(file.suggestedFilename(), /^falling_rod\.(mp4|webm)$/);
  const film = readFileSync(await file.path());
  assert.ok(film.length > 5000, `${film.length} bytes`);
  const box = film.subarray(4, 8).toString() === "ftyp" || film.readUInt32BE(0) === 0x1a45dfa3; // MP4, or Matroska
  assert.ok(box, "neither MP4 nor WebM");
  const count = spawnSync("ffprobe", ["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames,width", "-of", "csv=p=0", await file.path()]);
  if (!count.error) {
    const [width, frames] = count.stdout.toString().trim().split(",").map(Number);
    assert.ok(frames >= 5 && width > 300, `${frames} pictures, ${width} pixels wide: ${count.stderr}`);
  }
  assert.equal(await page.textContent("#film"), "film");
  assert.equal(await page.textContent("#said"), "the film is saved");
  assert.equal(await time(page), 40);
  assert.equal((await page.getAttribute("#scrub", "aria-valuetext")).trim(), "t = 40.00 s");
});

test("axe-core finds nothing serious on a desk and on a phone, light and dark, with all panels open", async () => {
  const look = async (page, where) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], preload: false }));
    const bad = violations.filter((v) => /serious|critical/.test(v.impact)).map((v) => `${where}: ${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 160)}`);
    assert.deepEqual(bad, []);
  };
  const page = await open("fall.html");
  await page.selectOption("#colour", "speed");
  await page.check("#forces", { force: true });
  for (const where of ["light", "dark"]) {
    await look(page, where);
    await page.keyboard.press("?");
    assert.equal(await page.evaluate(() => document.activeElement.id), "help");
    await look(page, `${where}, with help`);
    await page.keyboard.press("Escape");
    assert.ok(await page.isHidden("#help"));
    await page.click("#dark");
  }
  await look(await open("two.html", PHONE), "phone");
});

test("what vibrates is replayed slowly enough to be seen, and what was recorded too seldom is said", async () => {
  const string = (output) => `return { rod = { length = 0.3, section = circle { diameter = 1e-3 }, tension = 50,
    material = { young = 2e11, poisson = 0.3, density = 7800 } },
    initial = { shape = straight { along = { 1, 0, 0 } }, velocity = function(s) return 0, 0, math.sin(math.pi * s / 0.3) end },
    ends = { start = pinned {}, finish = pinned {} }, time = { stop = 0.2, output = ${output} }, method = "director", options = { n = 4, dt = 1e-4 } }`;
  for (const [name, output] of [["hum", 4e-4], ["seldom", 6.5e-3]]) { // of a period of 6.6 ms: an alias that is slow
    writeFileSync(join(work, `${name}.lua`), string(output));
    run("run", `${name}.lua`, "-o", `${name}.h5`, "--quiet");
    run("view", `${name}.h5`, "-o", `${name}.html`, ...(name === "seldom" ? ["--from", "0.05", "--to", "0.15"] : []));
  }
  const outside = spawnSync(withy, ["view", "hum.h5", "--from", "5", "-o", "no.html"], { cwd: work });
  assert.equal(outside.status, 2);
  assert.match(outside.stderr.toString(), /hum\.h5: no snapshot lies between --from 5 and --to inf/);
  const hum = await once("hum.html");
  const { natural, cycles } = await hum.evaluate(() => ({ natural: withy.natural, cycles: withy.cycles()[0] }));
  assert.ok(cycles.cycles > 20 && cycles.frames > 8, `${cycles.cycles} cycles`);
  near(natural, (2 * 0.2) / cycles.cycles, 1e-6, "pace");
  assert.doesNotMatch(await hum.textContent("#note"), /alias/);
  const seldom = await once("seldom.html");
  assert.match(await seldom.textContent("#note"), /alias/);
  const [from, to] = await seldom.evaluate(() => [withy.runs[0].t[0], withy.runs[0].t.at(-1)]);
  assert.ok(from >= 0.05 && from < 0.057 && to > 0.143 && to <= 0.15, `${from} to ${to}`);
});

test("rods and runs share the scale of a colour", async () => {
  const page = await open("two.html");
  await page.selectOption("#colour", "curvature");
  const { scale, ranges } = await page.evaluate(() => ({
    scale: withy.scales.curvature,
    ranges: withy.rods.map((r) => { const { low, high } = r.rod.colours.find((c) => c.name === "curvature"); return [low, high]; }) }));
  assert.equal(scale.low, Math.min(...ranges.map((r) => r[0])));
  assert.equal(scale.high, Math.max(...ranges.map((r) => r[1])));
  assert.notEqual(ranges[0][1], ranges[1][1]);
});

test("the plots are in step with the replay and show what was recorded", async () => {
  const page = await open("fall.html");
  assert.deepEqual(await page.locator("#plots b").allTextContents(),
                   ["energy [J]", "momentum [kg m/s]", "angular momentum [kg m\u00b2/s]", "position of probe tip [m]"]);
  for (const k of [0, 24, 80]) {
    const { width, cursors, kinetic, centre } = await page.evaluate((k) => {
      const [run] = withy.runs;
      withy.seek(run.t[k]);
      return { width: withy.plots[0].canvas.clientWidth, cursors: withy.plots.map((p) => p.cursor), kinetic: run.ledger.kinetic[k],
               centre: Array.from(withy.rods[0].centre.slice(-3)) };
    }, k);
    for (const x of cursors) near(x, 52 + (k / 80) * (width - 52), 1, "cursor"); // 52: left of the curves stand the numbers
    const energy = await page.textContent("#plots figure:nth-child(1) figcaption");
    near(+/kinetic (\S+)/.exec(energy)[1].replace(/bend$/, ""), kinetic, 1e-3 * Math.abs(kinetic) + 1e-9, "kinetic");
    const spans = await page.locator("#plots figure:nth-child(4) span").allTextContents();
    spans.forEach((text, c) => near(+text.slice(2), centre[c], 2e-3 * Math.abs(centre[c]) + 1e-3, "probe " + text));
  }
  const box = await page.locator("#plots canvas").first().boundingBox();
  await page.mouse.click(box.x + 52 + (box.width - 52) / 2, box.y + box.height / 2);
  near(await time(page), 20, 0.5, "a click in a plot moves to");
});

test("several runs are overlaid, each with its colour and its dash", async () => {
  const page = await open("two.html");
  const colours = await page.evaluate(() => withy.rods.map((r) => Array.from(r.geometry.attributes.color.array.slice(0, 3)).join()));
  assert.equal(colours.length, 2);
  assert.notEqual(colours[0], colours[1]);
  assert.match(await page.textContent("#about"), /fall\.h5: elastica.*clamp\.h5: elastica/);
  assert.equal(await page.locator("#about canvas").count(), 2);
  assert.equal(await page.textContent("#title"), "falling rod, rotating clamp");
  assert.deepEqual(await page.evaluate(() => [...new Set(withy.plots[0].series.map((s) => s.run))]), [0, 1]);
  // one quantity is one entry with a value for each run
  assert.match((await page.locator("#plots figure:nth-child(1) span").allTextContents()).join(), /kinetic [\d.e-]+ \| [\d.e-]+/);
  // the shorter run stays at its end
  const still = await page.evaluate(() => [10, 40].map((t) => { withy.seek(t); return Array.from(withy.rods[1].centre.slice(-3)).join(); }));
  assert.equal(still[0], still[1]);
});

test("a path of equilibria has a load factor instead of time", async () => {
  const page = await open("beam.html");
  await page.keyboard.press("End");
  assert.equal((await page.textContent("#clock")).trim(), "load factor = 1.000");
});

const overlap = (a, b) => a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
const CONTROLS = ["#play", "#scrub", "#clock", "#speed", "#colour", "#motion", "#frames", "#trail", "#panel", "#home", "#ask"];

test("it fits a phone, upright, on its side and small", async () => {
  const page = await open("two.html", PHONE);
  assert.ok((await painted(page)) > 30);
  assert.ok(await page.isHidden("#plots")); // the rod first
  for (const viewport of [PHONE.viewport, { width: 780, height: 390 }, { width: 320, height: 568 }]) {
    await page.setViewportSize(viewport);
    await page.waitForFunction((w) => document.documentElement.clientWidth === w, viewport.width);
    const fits = async () => {
      const boxes = await page.evaluate((ids) => Object.fromEntries(ids.map((id) => [id, document.querySelector(id).getBoundingClientRect().toJSON()])), [...CONTROLS, "#view"]);
      for (const [id, box] of Object.entries(boxes))
        assert.ok(box.x >= 0 && box.x + box.width <= viewport.width + 0.5 && box.y >= 0 && box.y + box.height <= viewport.height + 0.5,
                  `${id} is outside: ${JSON.stringify(box)}`);
      for (const a of CONTROLS) {
        for (const b of CONTROLS) assert.ok(a === b || !overlap(boxes[a], boxes[b]), `${a} covers ${b}`);
        assert.ok(!overlap(boxes[a], boxes["#view"]), `${a} covers the view`);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
      return boxes["#view"];
    };
    await fits();
    await page.tap("#panel");
    const view = await fits(), plots = await page.locator("#plots").boundingBox();
    assert.ok(!overlap(view, plots), "the plots cover the rod");
    assert.ok(view.height >= 0.2 * viewport.height && view.width >= 0.5 * viewport.width, JSON.stringify(view));
    const figure = await page.locator("#plots canvas").first().boundingBox();
    assert.ok(figure.width > 200);
    await page.tap("#panel");
  }
});

test("fingers turn, come nearer, play and scrub", async () => {
  const page = await open("two.html", PHONE);
  await page.setViewportSize(PHONE.viewport);
  const finger = await page.context().newCDPSession(page);
  const touch = (type, ...points) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const home = await eye(page), range = () => page.evaluate(() => withy.camera.position.length());
  await touch("touchStart", [120, 300]);
  for (const x of [150, 190, 230]) await touch("touchMove", [x, 320]);
  await touch("touchEnd");
  await page.waitForFunction((was) => withy.camera.position.toArray().map((x) => +x.toFixed(6)).join() !== was, home);
  await page.tap("#home");
  const before = await range();
  await touch("touchStart", [180, 300], [210, 300]);
  for (const d of [40, 80, 120]) await touch("touchMove", [180 - d, 300], [210 + d, 300]);
  await touch("touchEnd");
  await page.waitForFunction((was) => withy.camera.position.length() < 0.9 * was, before);
  await page.tap("#play");
  await page.waitForFunction(() => withy.state.t > 0.5);
  await page.tap("#play");
  const bar = await page.locator("#scrub").boundingBox();
  await page.touchscreen.tap(bar.x + bar.width / 2, bar.y + bar.height / 2);
  near(await time(page), 20, 3, "a tap on the slider moves to");
});

test("a browser without WebGL is told so", async () => {
  const context = await browser.newContext(), page = await context.newPage();
  page.setDefaultTimeout(HANGS);
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : real.call(this, kind, ...rest); };
  });
  await page.goto("file://" + join(work, "fall.html"));
  assert.match(await page.textContent("#help"), /no WebGL/);
  assert.ok(await page.isVisible("#help"));
  await context.close();
});

test("twenty pictures per period of a violin string; a probe that hardly moves is drawn from its start", async () => {
  run("run", "violin_a_string", "--set", "options.n=18", "--set", "options.order=2", "--set", "time.stations=49",
      "--set", "time.output=1/8800", "--set", "time.stop=0.05", "-o", "violin.h5", "--quiet");
  run("view", "violin.h5", "-o", "violin.html");
  const page = await once("violin.html");
  assert.match(await page.textContent("#about"), /fdtd, complete, 441 snapshots/);
  assert.doesNotMatch(await page.textContent("#note"), /alias/);
  assert.match(await page.textContent("#plots"), /probe bridge, from its start/); // 0.1 mm beside 33 mm
});

test("20 000 snapshots stay small and smooth", async () => {
  const scene = (stop) => `return {
    rod = { length = 1, stiffness = { bend = 1e-2 }, inertia = { mass = 0.1 }, damping = { bend = 1e-4 } },
    initial = { shape = straight { along = { 1, 0, 0 } } }, gravity = { 0, 0, -9.81 },
    ends = { start = pinned {} }, time = { stop = ${stop}, output = 0.01, stations = 15 },
    probes = { tip = { at = 1, what = "position" } },
    method = "elastica", options = { n = 10, dt = 0.01 } }`;
  writeFileSync(join(work, "long.lua"), scene(200));
  run("run", "long.lua", "-o", "long.h5", "--quiet");
  run("view", "long.h5", "-o", "long.html");
  rmSync(join(work, "long.h5"));
  assert.ok(statSync(join(work, "long.html")).size < 15e6);
  // What one picture costs must not grow with the run: as much work as for a short one.
  const look = (page) => page.evaluate(() => {
    const [{ geometry, axes }] = withy.rods, stop = withy.runs[0].t.at(-1);
    const buffers = [geometry.attributes.position.array, geometry.attributes.color.array, geometry.index.array];
    const cost = [];
    for (let i = 0; i < 60; i++) {
      const start = performance.now();
      withy.seek((stop * (i * 37 % 60)) / 60); // to and fro
      cost.push(performance.now() - start);
    }
    const same = [geometry.attributes.position.array, geometry.attributes.color.array, geometry.index.array];
    return { cost: cost.sort((a, b) => a - b)[30], shown: withy.runs[0].t.length, vertices: buffers[0].length / 3,
             kept: same.every((b, i) => b === buffers[i]), drawn: withy.plots.map((p) => p.drawn) };
  });
  const long = await once("long.html");
  assert.match(await long.textContent("#about"), /20001 snapshots, \d+ shown/);
  const much = await look(long), little = await look(await open("fall.html")); // 81 snapshots
  assert.ok(much.shown >= 10000, `${much.shown} snapshots are shown`); // 50 per second of a 3 min run
  assert.equal(much.vertices, 15 * 12);
  assert.ok(much.kept && little.kept, "buffers were made anew");
  assert.deepEqual(much.drawn, much.drawn.map(() => 1)); // the curves are drawn once, only the cursor moves
  assert.ok(much.cost < 4 * little.cost + 2, `${much.cost} ms a picture, ${little.cost} ms in a short run`);
  // and it plays: pictures come while time passes
  const frames = await long.evaluate(() => new Promise((done) => {
    const first = withy.frames();
    withy.seek(0); withy.play(true);
    const wait = () => (withy.frames() - first >= 20 ? done(withy.frames() - first) : requestAnimationFrame(wait));
    wait();
  }));
  assert.ok(frames >= 20);
});

test("two hundred rods, their supports and as many bodies are a handful of calls, each rod where it was recorded", async () => {
  writeFileSync(join(work, "harp.lua"), `local rods = {}
    for i = 1, 200 do
      rods[i] = { length = 0.5, section = circle { diameter = 1e-3 }, material = { young = 1e9, poisson = 0.3, density = 1000 },
        initial = { shape = straight { from = { 0.01 * i, 0, 0 }, along = { 0, i / 200, 1 } } }, ends = { start = pinned { position = { 0.01 * i, 0, 0 } } } }
    end
    local bodies = {}
    for i = 1, 200 do bodies[i] = { mass = 1, inertia = { 1e-4, 1e-4, 1e-4 }, position = { 0.01 * i, 1, 0 }, shape = sphere { diameter = 0.01 } } end
    return { rods = rods, bodies = bodies, gravity = { 0, 0, -9.81 }, time = { stop = 5e-3, output = 1e-3, stations = 5 }, method = "director", options = { n = 2, dt = 1e-3 } }`);
  run("run", "harp.lua", "-o", "harp.h5", "--quiet");
  run("view", "harp.h5", "-o", "harp.html");
  const page = await once("harp.html");
  const { calls, off, apart } = await page.evaluate(async () => {
    const { t } = withy.runs[0];
    withy.seek(t[3]);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const off = withy.rods.map(({ rod, ring, parts, geometry }) => { // the middle of the corners of the third ring of stations
      const place = geometry.attributes.position.array, m = ring.length / 4, at = 2 * parts * m;
      return Math.hypot(...[0, 1, 2].map((c) => {
        let mean = 0;
        for (let j = 0; j < m; j++) mean += place[3 * (at + j) + c] / m;
        return mean - rod.position[3 * (3 * rod.count + 2) + c];
      }));
    });
    return { calls: withy.calls(), off: Math.max(...off), apart: new Set(withy.rods.map((r) => r.geometry.attributes.position.array.buffer)).size };
  });
  assert.ok(calls < 20, `${calls} calls`);
  assert.equal(apart, 1); // one array
  assert.ok(off < 1e-6, `off by ${off} m`);
  assert.ok((await painted(page)) > 300);
});

test("texts of a result are shown, never executed; the policy stops whatever else would get into the page", async () => {
  const evil = "</script><script>window.owned=1</script><img src=x onerror='window.owned=2'><!--<script>";
  writeFileSync(join(work, "evil.lua"), `return { title = [==[${evil}]==],
    rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e6, shear = 4e5, density = 1000 } },
    initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },
    time = { stop = 0.02, output = 0.01 }, method = "director", options = { n = 4, dt = 0.01 },
    probes = { ["<img src=x onerror=window.owned=5>"] = { at = 1, what = "position" } } }`);
  run("run", "evil.lua", "-o", "evil.h5", "--quiet");
  run("view", "evil.h5", "-o", "evil.html");
  const page = await once("evil.html");
  assert.equal(await page.textContent("#title"), evil);
  assert.match(await page.textContent("#plots"), /<img src=x onerror=window.owned=5>/);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => window.owned), undefined);
  // as if something had come through: a script, a handler, a style, a picture, a form, a request
  const html = readFileSync(join(work, "evil.html"), "utf8");
  writeFileSync(join(work, "broken.html"), html.replace("<main>", `<main><script>window.owned=3</script>
    <img src="data:image/png;base64,AAAA" onerror="window.owned=4"><style>#title { color: rgb(1, 2, 3) }</style>
    <script src="https://withy.invalid/x.js"></script><iframe src="data:text/html,x"></iframe>`));
  const context = await browser.newContext(), broken = await context.newPage(), asked = [];
  broken.setDefaultTimeout(HANGS);
  const note = (r) => { if (/^http/.test(r.url())) asked.push(r.failure()?.errorText ?? "sent"); };
  broken.on("requestfailed", note).on("requestfinished", note);
  await broken.goto("file://" + join(work, "broken.html"));
  await broken.waitForFunction(() => window.withy?.frames() > 0);
  assert.equal(await broken.evaluate(() => window.owned), undefined);
  assert.notEqual(await broken.evaluate(() => getComputedStyle(document.getElementById("title")).color), "rgb(1, 2, 3)");
  const stopped = await broken.evaluate(() => fetch("https://withy.invalid/").then(() => "sent", () => "stopped"));
  assert.equal(stopped, "stopped");
  assert.deepEqual(asked.filter((why) => why !== "csp"), []); // stopped by the policy, not by the missing network
  await context.close();
});
