// No two texts of a picture lie over each other, and each can be read on its paper: node overlap.mjs A.svg B.svg ...   (boxes as
// Chromium sets the letters; contrast as axe-core counts it, 3 to 1 at least)
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const ROOM = 1; // [px] by which boxes may touch: they have air above and below the letters
const HANGS = 900000; // [ms] a guard against hangs, no limit of time
const browser = await chromium.launch({ timeout: HANGS, executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1100 } });
page.setDefaultTimeout(HANGS);
let bad = 0;
for (const file of process.argv.slice(2)) {
  await page.setContent(readFileSync(file, "utf8").replace(/<\?xml[^>]*>|<!DOCTYPE[^>]*>/g, ""));
  const found = await page.evaluate((room) => {
    // the corners of a text after all its turns, shrunk to its letters
    const texts = [...document.querySelectorAll("svg text")].filter((t) => t.textContent.trim()).map((t) => {
      const { x, y, width, height } = t.getBBox(), m = t.getScreenCTM(), air = 0.2 * height;
      const corner = (a, b) => ({ x: m.a * a + m.c * b + m.e, y: m.b * a + m.d * b + m.f });
      return { text: t.textContent.trim(), at: [corner(x, y + air), corner(x + width, y + air), corner(x + width, y + height - air), corner(x, y + height - air)] };
    });
    // two convex shapes are apart when a side of one of them separates them
    const apart = (p, q) => [p, q].some((shape) => shape.some((a, i) => {
      const b = shape[(i + 1) % 4], nx = b.y - a.y, ny = a.x - b.x, size = Math.hypot(nx, ny) || 1;
      const reach = (s) => s.map((c) => (c.x * nx + c.y * ny) / size), [u, v] = [reach(p), reach(q)];
      return Math.max(...u) <= Math.min(...v) + room || Math.max(...v) <= Math.min(...u) + room;
    }));
    const out = [], edge = document.querySelector("svg").getBoundingClientRect();
    for (let i = 0; i < texts.length; i++) {
      if (texts[i].at.some((c) => c.x < edge.left - room || c.x > edge.right + room || c.y < edge.top - room || c.y > edge.bottom + room)) out.push(`"${texts[i].text}" is cut by the edge`);
      for (let j = i + 1; j < texts.length; j++) if (!apart(texts[i].at, texts[j].at)) out.push(`"${texts[i].text}" lies over "${texts[j].text}"`);
    }
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const fill = (e) => light(getComputedStyle(e).fill), paper = fill(document.querySelector("svg rect"));
    for (const t of [...document.querySelectorAll("svg text")].filter((t) => t.textContent.trim())) {
      const ink = fill(t), contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      if (contrast < 3) out.push(`"${t.textContent.trim()}" has a contrast of ${contrast.toFixed(1)}`);
    }
    return { out, count: texts.length };
  }, ROOM);
  for (const line of found.out) console.log(`${file}: ${line}`);
  if (!found.count) console.log(`${file}: no text`);
  bad += found.out.length + !found.count;
}
await browser.close();
console.log(`${process.argv.length - 2} pictures, ${bad} overlaps and faint texts`);
process.exit(bad ? 1 : 0);
