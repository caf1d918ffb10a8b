// The pictures of the viewer in the README: node pictures.mjs PROGRAM   (make pictures)
// Each is a case, run and opened in Chromium at a chosen time and colouring.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const SHOTS = [["hanging_spring", 1.5, "moment", 1], ["tendon_robot", 1.2, "curvature", 1], ["guitar", 0.01, "speed", 10]];
const withy = resolve(process.argv[2]), target = join(dirname(fileURLToPath(import.meta.url)), "../docs/pictures");
const work = mkdtempSync(join(tmpdir(), "withy-pictures-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
for (const [name, t, colour, motion] of SHOTS) {
  execFileSync(withy, ["run", name, "-o", `${name}.h5`, "--quiet"], { cwd: work });
  execFileSync(withy, ["view", `${name}.h5`, "-o", `${name}.html`], { cwd: work });
  // laid out for 1280x800, drawn at three quarters of it
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.75 });
  await page.goto("file://" + join(work, `${name}.html`));
  await page.selectOption("#colour", colour);
  await page.selectOption("#motion", String(motion));
  await page.evaluate((t) => new Promise((done) => { withy.seek(t); requestAnimationFrame(() => requestAnimationFrame(done)); }), t);
  await page.screenshot({ path: join(target, `view_${name}.png`) });
  console.log(`docs/pictures/view_${name}.png`);
}
await browser.close();
rmSync(work, { recursive: true, force: true });
