// Does the WebAssembly module compute what the program computes?  node agree.mjs MODULE WITHY CASES [NAME...]
// Every case is run by both; positions of all rods at all snapshots must agree to 1e-9 of the size of the scene, times
// exactly, and the number of steps too.  Without names: every case that the program runs in under 4 s.
// Equilibria of which one side says that a motion has no stiffness (neutral) are one of a family of equal energy, and rounding
// chooses which: a round rod between two clamps on one line turns about that line.  Their energies, unstable directions and
// critical factors must agree, and the distances of all stations from four of them, which no turn changes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./src/module.js";

const [file, withy, cases, ...names] = process.argv.slice(2);
const LIMIT = 4, TOLERANCE = 1e-9, HANGS = 1800000; // [s], of the size of the scene, [ms] a guard
// Motions that are unstable themselves.  yarn: once its winding ends, differences grow tenfold every 0.15 s, and the program's
// own result changes by 7e-10 m until 2.1 s with the last digit of params.take.
const UNSTABLE = { yarn: 1e-7 };
// Of a family: energies, which are stationary; critical factors, as far as they are sought; shapes, where at a branch point and
// along a buckle that slides a stiffness of 1e-6 and less divides the rounding of the balance.
const ENERGY = 1e-11, FACTOR = 1e-5, SOFT = 1e-4;
// Equilibria next to a change of stability, so many before and after it: what loses its stiffness there divides the rounding of
// the balance too, and counts a hundredth.
const NEXT = 2, NEXT_COUNTS = 1e-2;
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

const neutral = (report) => report.points?.some((p) => p.neutral > 0);

// What differs of two families of equilibria, or "".
function familyDiffers(a, b) {
  const off = (x, y) => Math.abs(x - y), factors = [a, b].map((r) => (r.critical ?? []).map((c) => c.factor ?? c));
  if (a.points.length !== b.points.length) return `${a.points.length} and ${b.points.length} equilibria`;
  const critical = (x) => factors.flat().some((f) => off(f, x) <= FACTOR * Math.abs(f)); // there rounding decides about stability
  const bad = a.points.findIndex((p, i) => !(off(p.energy, b.points[i].energy) <= ENERGY * Math.abs(p.energy)) ||
                                           (p.unstable !== b.points[i].unstable && !critical(p.factor)));
  if (bad >= 0) return `energy or stability at factor ${a.points[bad].factor}`;
  const same = factors[0].length === factors[1].length && factors[0].every((f, i) => off(f, factors[1][i]) <= FACTOR * Math.abs(f));
  return same ? "" : `critical factors ${factors[0]} and ${factors[1]}`;
}

// Distances of the points of a shape from four of them.
function distances(points) {
  const from = [0, 0.25, 0.5, 0.75].map((share) => points[Math.floor(share * (points.length - 1))]);
  return points.map((p) => from.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])));
}

async function compare(name) {
  const scene = readFileSync(join(cases, name, "scene.lua"), "utf8"), csv = join(work, `${name}.csv`);
  const task = /^-- solve: static/m.test(scene) ? "static" : "run";
  let native;
  try {
    native = JSON.parse(execFileSync(withy, [task, join(cases, name, "scene.lua"), "--json", "--quiet", "-o", csv],
      { timeout: HANGS, stdio: ["ignore", "pipe", "pipe"] }));
  } catch (problem) {
    return bad++, console.log(`${name}: the program fails: ${String(problem.stderr).trim()}`);
  }
  const took = native.wall_s;
  if (!names.length && took > LIMIT) return console.log(`${name}: left out, more than ${LIMIT} s`);
  const page = await load(module);
  page.open(scene, `${name}.lua`);
  const from = performance.now(), report = page.solve(task), wasm = (performance.now() - from) / 1000;
  if (report.status) return bad++, console.log(`${name}: the module fails: ${report.error}`);
  const { rows, at } = readPositions(csv);
  const family = task === "static" && (neutral(native) || neutral(report));
  const differs = family ? familyDiffers(native, report) : "";
  let most = 0, size = 0, k = 0;
  const rods = page.parts().filter((p) => p.kind === "rod").map((p) => p.tables.find((t) => t.name === "position"));
  if (!rods.length) return console.log(`left out: ${name} has bodies only`);
  const mine = [];
  for (let row = 0; row < (rods[0]?.rows ?? 0); row++)
    for (const rod of rods) mine.push(rod.value.subarray(row * rod.stations * 3, (row + 1) * rod.stations * 3));
  const changes = (native.critical ?? []).map((c) => c.after);
  for (const [index, part] of mine.entries()) {
    const row = Math.floor(index / rods.length);
    const counts = changes.some((c) => row >= c - NEXT && row <= c + NEXT) ? NEXT_COUNTS : 1;
    let have = Array.from({ length: part.length / 3 }, (_, i) => part.subarray(3 * i, 3 * i + 3));
    let want = have.map((_, i) => at.map((c) => +rows[k + i]?.[c]));
    k += have.length;
    if (family) have = distances(have), want = distances(want);
    want.forEach((w, i) => w.forEach((x, c) => {
      size = Math.max(size, Math.abs(x));
      const off = counts * Math.abs(have[i][c] - x);
      most = off <= most ? most : off; // a NaN stays
    }));
  }
  const ok = rods.length && k === rows.length && !differs && most <= (family ? SOFT : UNSTABLE[name] ?? TOLERANCE) * size;
  compared++;
  if (!ok) bad++;
  console.log(`${ok ? "ok  " : "BAD "} ${name}: ${most.toExponential(1)} of ${size.toPrecision(3)}; ${took.toFixed(2)} s and ${wasm.toFixed(2)} s, ${(wasm / took).toFixed(1)} times`
    + (report.steps !== undefined ? `; ${report.steps} steps` : "") + (family ? "; neutral: distances, energies, factors" : "") + (differs && `; differ: ${differs}`)
    + (k === rows.length ? "" : `; ${k} rows, not ${rows.length}`));
}

for (const name of names.length ? names : readdirSync(cases).sort()) await compare(name);
rmSync(work, { recursive: true });
console.log(`${compared} cases compared, ${bad} differ`);
process.exit(bad || !compared ? 1 : 0);
