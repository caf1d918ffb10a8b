// Does the WebAssembly module compute what the program computes?  node agree.mjs MODULE WITHY CASES [NAME...]
// Every case is run by both; positions of all rods at all snapshots must agree to 1e-9 of the size of the scene, times
// exactly, and the number of steps too.  Without names: every case that the program runs in under 4 s.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./src/module.js";

const [file, withy, cases, ...names] = process.argv.slice(2);
const LIMIT = 4, TOLERANCE = 1e-9;
const work = mkdtempSync(join(tmpdir(), "withy-wasm-"));
const module = await WebAssembly.compile(readFileSync(file));
let bad = 0, compared = 0;

// The program's table: t, rod, station, s, x, y, z, ...
function readPositions(path) {
  const lines = readFileSync(path, "utf8").split("\n").filter((l) => l && !l.startsWith("#"));
  const head = lines[0].split(",").map((h) => h.trim().replace(/ \[.*/, ""));
  const at = ["x", "y", "z"].map((n) => head.indexOf(n));
  return { rows: lines.slice(1).map((l) => l.split(",")), at };
}

async function compare(name) {
  const scene = readFileSync(join(cases, name, "scene.lua"), "utf8"), csv = join(work, `${name}.csv`);
  const task = /^-- solve: static/m.test(scene) ? "static" : "run";
  let native;
  try {
    native = JSON.parse(execFileSync(withy, [task, join(cases, name, "scene.lua"), "--json", "--quiet", "-o", csv],
      { timeout: 1000 * LIMIT * (names.length ? 20 : 1), stdio: ["ignore", "pipe", "pipe"] }));
  } catch (problem) {
    if (!names.length && (problem.code === "ETIMEDOUT" || problem.signal)) return console.log(`${name}: left out, more than ${LIMIT} s`);
    return bad++, console.log(`${name}: the program fails: ${String(problem.stderr).trim()}`);
  }
  const took = native.wall_s;
  const page = await load(module);
  page.open(scene, `${name}.lua`);
  const from = performance.now(), report = page.solve(task), wasm = (performance.now() - from) / 1000;
  if (report.status) return bad++, console.log(`${name}: the module fails: ${report.error}`);
  const { rows, at } = readPositions(csv);
  let most = 0, size = 0, k = 0;
  const rods = page.parts().filter((p) => p.kind === "rod").map((p) => p.tables.find((t) => t.name === "position"));
  if (!rods.length) return console.log(`left out: ${name} has bodies only`);
  const mine = [];
  for (let row = 0; row < (rods[0]?.rows ?? 0); row++)
    for (const rod of rods) mine.push(rod.value.subarray(row * rod.stations * 3, (row + 1) * rod.stations * 3));
  for (const part of mine)
    for (let i = 0; i < part.length; i += 3, k++)
      for (let c = 0; c < 3; c++) {
        const want = +rows[k]?.[at[c]];
        size = Math.max(size, Math.abs(want));
        const off = Math.abs(part[i + c] - want);
        most = off <= most ? most : off; // a NaN stays
      }
  const ok = rods.length && k === rows.length && most <= TOLERANCE * size;
  compared++;
  if (!ok) bad++;
  console.log(`${ok ? "ok  " : "BAD "} ${name}: ${most.toExponential(1)} of ${size.toPrecision(3)}; ${took.toFixed(2)} s and ${wasm.toFixed(2)} s, ${(wasm / took).toFixed(1)} times`
    + (report.steps !== undefined ? `; ${report.steps} steps` : "") + (k === rows.length ? "" : `; ${k} rows, not ${rows.length}`));
}

for (const name of names.length ? names : readdirSync(cases).sort()) await compare(name);
rmSync(work, { recursive: true });
console.log(`${compared} cases compared, ${bad} differ`);
process.exit(bad || !compared ? 1 : 0);
