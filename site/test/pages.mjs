// The pages in Chromium, from files: no sideways scrolling on a phone, no request to the network, no error; the search
// finds, code is copied, dark is dark; axe-core finds nothing serious.     node test/pages.mjs SITE
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const site = path.resolve(process.argv[2]);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const all = fs.readdirSync(site, { recursive: true }).map(String).filter((f) => f.endsWith(".html") && !/(view|playground)\.html$|^report\//.test(f));
const plain = all.filter((f) => !f.startsWith("cases/")), few = [...plain, ...all.filter((f) => f.startsWith("cases/")).slice(0, 4)];
const problems = [], HANGS = 900000; // [ms] a guard against hangs, no limit of time

const browser = await chromium.launch({ timeout: HANGS, executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });

async function open(options, work) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS);
  let here = "";
  page.on("pageerror", (error) => problems.push(`${here}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && problems.push(`${here}: ${message.text()}`));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || problems.push(`${here} asks for ${request.url()}`));
  const go = (name) => { here = name; return page.goto(pathToFileURL(path.join(site, name)).href); };
  await work(page, go);
  await context.close();
}

await open({ viewport: { width: 360, height: 700 } }, async (page, go) => {
  for (const name of few) {
    await go(name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) problems.push(`${name} scrolls sideways by ${wide} pixels on a phone`);
  }
  await go("index.html");
  await page.click("#menu");
  if (!(await page.isVisible('nav a[href="tutorial.html"]'))) problems.push("the menu of a phone does not open");
});

for (const colorScheme of ["light", "dark"])
  await open({ viewport: { width: 1280, height: 800 }, colorScheme, reducedMotion: "reduce" }, async (page, go) => {
    for (const name of ["index.html", "gallery.html", "tutorial.html", "scene.html", "methods/director.html", few.at(-1)]) {
      await go(name);
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], preload: false }));
      for (const v of found.violations.filter((v) => /serious|critical/.test(v.impact)))
        problems.push(`${name}, ${colorScheme}: ${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 120)}`);
    }
  });

await open({ viewport: { width: 1280, height: 800 }, colorScheme: "light" }, async (page, go) => {
  await go("methods/director.html");
  await page.fill("#find input", "helical spring");
  await page.waitForSelector("#found a");
  await page.click("#found a >> nth=0");
  await page.waitForLoadState();
  if (!/helic|spring/i.test(await page.textContent("main"))) problems.push("the search leads to a page without the words");
  await go("index.html");
  const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await shade();
  await page.click("#theme");
  if (before === (await shade())) problems.push("light or dark changes nothing");
  await page.hover("div.code >> nth=0");
  await page.click(".copy >> nth=0");
  await page.waitForFunction(() => document.querySelector(".copy").textContent === "copied")
    .catch(() => problems.push("the code is not copied"));
});
await browser.close();
for (const problem of [...new Set(problems)]) console.log(problem);
console.log(`${few.length} pages in Chromium, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
