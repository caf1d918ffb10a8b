// The viewer in a real browser: opens from a file, shows something, plays, obeys keys, no errors.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const withy = resolve(process.env.WITHY ?? "../build/withy");
const work = mkdtempSync(join(tmpdir(), "withy-viewer-"));
const run = (...args) => execFileSync(withy, args, { cwd: work, stdio: "pipe" });
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
           "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  run("run", "falling_rod", "-o", "fall.h5", "--quiet");
  run("run", "rotating_clamp", "-o", "clamp.h5", "--quiet");
  run("view", "fall.h5", "-o", "fall.html");
  run("view", "fall.h5", "clamp.h5", "-o", "two.html");
});
after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

async function open(file, size = { width: 1280, height: 720 }, touch = false) {
  const context = await browser.newContext({ viewport: size, hasTouch: touch });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("request", (r) => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:") && !r.url().startsWith("blob:")) errors.push("asked for " + r.url()); });
  await page.goto("file://" + join(work, file));
  await page.waitForFunction(() => window.withy?.frames() > 0);
  return { page, errors };
}

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

test("a result opens from a file, asks the network for nothing and draws the rod", async () => {
  const { page, errors } = await open("fall.html");
  assert.ok((await painted(page)) > 50);
  assert.match(await page.textContent("#about"), /elastica, complete, 81 snapshots/);
  assert.deepEqual(errors, []);
  await page.screenshot({ path: process.env.SHOT ? join(process.env.SHOT, "fall.png") : join(work, "fall.png") });
});

test("play moves time and the rod, pause stops both", async () => {
  const { page, errors } = await open("fall.html");
  const tip = () => page.evaluate(() => withy.rods[0].centre.slice(-3).join());
  const before = await tip();
  await page.click("#play");
  await page.waitForFunction(() => withy.state.t > 1);
  await page.click("#play");
  const t = await page.evaluate(() => withy.state.t);
  assert.notEqual(await tip(), before);
  await page.waitForTimeout(150);
  assert.equal(await page.evaluate(() => withy.state.t), t);
  assert.deepEqual(errors, []);
});

test("every key does what the help says", async () => {
  const { page, errors } = await open("fall.html");
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => withy.state.t), 40);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await page.evaluate(() => withy.state.t)) - 0.5) < 1e-5);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => withy.state.t), 0);
  await page.keyboard.press("c");
  assert.equal(await page.inputValue("#colour"), "curvature");
  assert.ok(await page.isVisible("#legend"));
  await page.keyboard.press("f");
  assert.ok(await page.evaluate(() => withy.rods[0].axes.visible));
  await page.keyboard.press("p");
  assert.ok(await page.isHidden("#plots"));
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help"));
  await page.keyboard.press("Space");
  assert.ok(await page.evaluate(() => withy.state.playing));
  assert.deepEqual(errors, []);
});

test("dragging turns the view and reset brings it back", async () => {
  const { page } = await open("fall.html");
  const eye = () => page.evaluate(() => withy.camera.position.toArray().map((x) => +x.toFixed(6)).join());
  const home = await eye();
  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(520, 340, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(100);
  assert.notEqual(await eye(), home);
  await page.waitForTimeout(600);
  await page.click("#home");
  assert.equal(await eye(), home);
});

test("a click in a plot moves the replay there", async () => {
  const { page } = await open("fall.html");
  const box = await page.locator("#plots canvas").first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await page.evaluate(() => withy.state.t)) - 20) < 0.5);
});

test("several runs are overlaid in colours of their own", async () => {
  const { page, errors } = await open("two.html");
  assert.equal(await page.evaluate(() => withy.runs.length), 2);
  assert.match(await page.textContent("#about"), /clamp\.h5: elastica/);
  assert.deepEqual(errors, []);
});

test("it fits a phone", async () => {
  const { page, errors } = await open("fall.html", { width: 390, height: 780 }, true);
  for (const id of ["#play", "#scrub", "#colour"]) {
    const box = await page.locator(id).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, id);
  }
  assert.ok((await painted(page)) > 30);
  assert.deepEqual(errors, []);
  if (process.env.SHOT) await page.screenshot({ path: join(process.env.SHOT, "phone.png") });
});

test("20 000 snapshots of 200 nodes stay small and smooth", async () => {
  writeFileSync(join(work, "long.lua"), `return {
    rod = { length = 1, stiffness = { bend = 1e-2 }, inertia = { mass = 0.1 }, damping = { bend = 1e-4 } },
    initial = { shape = straight { along = { 1, 0, 0 } } }, gravity = { 0, 0, -9.81 },
    ends = { start = pinned {} }, time = { stop = 200, output = 0.01, stations = 201 },
    method = "elastica", options = { n = 20, dt = 0.01 } }`);
  run("run", "long.lua", "-o", "long.h5", "--quiet");
  run("view", "long.h5", "-o", "long.html");
  assert.ok(statSync(join(work, "long.html")).size < 15e6);
  const { page, errors } = await open("long.html");
  assert.match(await page.textContent("#about"), /20001 snapshots/);
  const cost = await page.evaluate(() => {
    const start = performance.now();
    for (let i = 0; i < 50; i++) withy.seek(4 * i);
    return (performance.now() - start) / 50;
  });
  assert.ok(cost < 30, `${cost} ms to lay out one frame`);
  assert.deepEqual(errors, []);
});
