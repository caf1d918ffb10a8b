// What the playground shows of a scene is what `withy view` shows of its result: rods with supports, forces and contacts,
// links and arms, bodies, joints, obstacles, tendons, energies, probes with their units.  In Node, without a browser.
// PAGE=... WITHY=... node --test test/
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { ends } from "../../viewer/src/plots.js";
import { readData } from "../../viewer/src/data.js";
import { replay } from "../src/download.js";
import { load } from "../src/module.js";
import { Tables, makeRun } from "../src/result.js";

const { PAGE, WITHY, BROWSER } = process.env, skip = BROWSER === "firefox" && "browsers have no part in it";
const work = mkdtempSync(join(tmpdir(), "withy-web-"));
after(() => rmSync(work, { recursive: true }));
const withy = skip ? null : await load(readFileSync(join(dirname(PAGE), "wasm/withy.wasm"))) // next to the page;

const ROD = "section = circle { diameter = 0.01 }, material = { young = 1e7, poisson = 0.3, density = 1000 }";
const SCENES = {
  arms: ["static", `return { rods = {
      { name = "arm", length = 0.2, ${ROD}, initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } }, ends = { start = clamped {} },
        loads = { tendon { name = "cable", route = { 0.01, 0 }, tension = 0.2, to = 0.2 }, tendon { route = function(s) return 0.01 - 0.05 * s, 0.004 end, tension = 0.1 } } },
      { name = "hand", length = 0.1, ${ROD}, initial = { shape = straight { from = { 0, 0, 0.2 }, along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
        loads = { tendon { continues = "cable", route = { 0.008, 0 } } } } },
    joints = { weld { parts = { "arm", "hand" }, at = { 0.2, 0 } } }, gravity = { 0, 0, -1 }, path = { from = 0, to = 1, steps = 2 }, method = "director", options = { n = 6 } }`],
  network: ["run", `return { rods = { { name = "mast", length = 1, ${ROD}, initial = { shape = straight { along = { 1, 0, 0 } } } } },
    bodies = { { name = "hub", mass = 2, inertia = { 0.2, 0.1, 0.3 }, position = { -0.2, 0, 0 }, shape = box { size = { 0.4, 0.3, 0.2 } } },
               { name = "buoy", mass = 1, inertia = { 0.1, 0.1, 0.1 }, position = { 0, 0, 1 }, spin = { 1, 2, 3 } },
               { name = "stone", mass = 1, inertia = { 0.1, 0.1, 0.1 }, position = { 0, 1, 1 } } },
    joints = { hinge { name = "pin", parts = { "hub", "mast" }, at = { { 0.2, 0, 0 }, 0 }, axis = { 0, 1, 0 } },
               link { name = "stay", parts = { "buoy", "mast" }, at = { { 0, 0, 0 }, 1 } } },
    gravity = { 0, 0, -9.81 }, time = { stop = 0.05, output = 0.01 }, probes = { turning = { body = "hub", what = "spin" }, pull = { joint = "pin", what = "force" } },
    method = "director", options = { n = 4, dt = 0.005 } }`],
  touch: ["run", `return { rod = { length = 1, ${ROD} }, initial = { shape = straight { from = { 0, 0, 0.01 }, along = { 1, 0, 0.05 } } }, gravity = { 0, 0, -9.81 },
    ends = { finish = pinned {} }, obstacles = { plane { name = "floor" }, sphere { center = function(t) return 0.5, t, -0.01 end, radius = 0.02 } },
    time = { stop = 0.1, output = 0.02 }, probes = { load = { at = 0.5, what = "bend" } }, method = "director", options = { n = 10, dt = 2e-3 } }`],
};

// The run of the page.
function shown(text, task) {
  const description = withy.open(text, "scene.lua"), report = withy.solve(task), tables = new Tables();
  assert.equal(report.status, 0, report.error);
  tables.add(withy.parts().flatMap(({ kind, part, name, tables: all }) => all.map((t) => ({ kind, part, of: name, name: t.name, unit: t.unit, stations: t.stations, size: t.size, value: t.value.slice() }))));
  const times = Array.from(tables.get("study", 0, "t").value);
  const obstacles = description.obstacles.map((o) => Float32Array.from(times.flatMap((t) => withy.obstacle(o.index, t))));
  return makeRun(tables, description, task, { texts: { method: withy.text("method"), axis: withy.text("axis"), status: withy.text("status") }, report, obstacles });
}
// The data in a page of withy view.
const dataOf = (html) => readData({ textContent: /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)[1] })[0];
function viewed(name, text, task) {
  const [scene, result, page] = ["lua", "h5", "html"].map((end) => join(work, `${name}.${end}`));
  writeFileSync(scene, text);
  execFileSync(WITHY, [task, scene, "-o", result, "--quiet"]);
  execFileSync(WITHY, ["view", result, "-o", page]);
  return dataOf(readFileSync(page, "utf8"));
}

// Every number and text of `want` is in `have`, to single precision of the largest of its list.
function same(have, want, what) {
  if (ArrayBuffer.isView(want) || (Array.isArray(want) && typeof want[0] === "number")) {
    assert.equal(have?.length, want.length, `${what}: ${have?.length} numbers, not ${want.length}`);
    const room = 2e-4 * want.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9); // frames are kept in 16 bits
    want.forEach((x, i) => assert.ok(Math.abs(have[i] - x) <= room, `${what}[${i}]: ${have[i]}, not ${x}`));
  } else if (Array.isArray(want)) {
    assert.equal(have?.length, want.length, `${what}: ${have?.length}, not ${want.length}`);
    want.forEach((x, i) => same(have[i], x, `${what}[${i}]`));
  } else if (want && typeof want === "object") for (const key of Object.keys(want)) same(have?.[key], want[key], `${what}.${key}`);
  else if (typeof want === "number") assert.ok(Math.abs(have - want) <= 2e-4 * Math.max(Math.abs(want), 1e-9), `${what}: ${have}, not ${want}`);
  else assert.equal(have ?? "", want ?? "", what);
}
// A tendon is told by its points, which may lie elsewhere on it: where it is half way.
const middle = ({ route }) => {
  const at = 0.5 * (route[0] + route[route.length - 3]);
  let k = 0;
  while (route[k + 3] < at) k += 3;
  const f = (at - route[k]) / (route[k + 3] - route[k]);
  return [1, 2].map((c) => (1 - f) * route[k + c] + f * route[k + 3 + c]);
};

for (const [name, [task, text]] of Object.entries(SCENES))
  test(`a scene of ${name} is shown as withy view shows it, and so is its saved replay`, { skip }, () => {
    const run = shown(text, task), want = viewed(name, text, task), again = dataOf(replay(`<script type="application/json" id="data">@DATA@</script>`, [run]));
    for (const have of [run, again]) {
      for (const key of ["t", "axis", "bodies", "joints", "obstacles", "probes", "ledger"]) same(have[key], want[key], key);
      const plain = ({ name, count, section, position, ends = [], reactions = {}, contact = [] }) => ({ name, count, position, ends, reactions, contact, section: section.kind === "none" ? "none" : section });
      assert.deepEqual(have.rods.map((r) => r.name).sort(), want.rods.map((r) => r.name).sort());
      same([...have.rods].sort(byName).map(plain), [...want.rods].sort(byName).map(plain), "rods");
      assert.deepEqual(have.rods.map((r) => r.colours.map((c) => [c.name, c.unit]).join()).slice(0, 1), want.rods.map((r) => r.colours.map((c) => [c.name, c.unit]).join()).slice(0, 1));
      assert.equal(have.tendons.length, want.tendons.length);
      want.tendons.forEach((t, i) => {
        assert.deepEqual([have.tendons[i].name, have.tendons[i].rod, have.tendons[i].continues], [t.name, t.rod, t.continues]);
        same(middle(have.tendons[i]), middle(t), `tendon ${t.name}`);
        for (const end of [0, -3]) same([have.tendons[i].route.at(end)], [t.route.at(end)], `end of tendon ${t.name}`);
      });
    }
  });
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.count - b.count);

test("a saved replay of modes has their shapes and frequencies, and swings", { skip }, () => {
  const run = shown(`return { rod = { length = 1, ${ROD} }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, method = "director", options = { n = 4 } }`, "modes");
  const again = dataOf(replay(`<script type="application/json" id="data">@DATA@</script>`, [run]));
  assert.deepEqual(again.modes.map((m) => m.label), run.modes.map((m) => m.label));
  assert.match(again.modes[0].label, /^mode 1: [\d.]+ Hz/);
  same(again.rods[0].position, run.rods[0].position, "shapes"), same(again.t, run.t, "frames");
  assert.ok(again.t.length > 6 * run.modes.length);
});

test("a study that still runs is shown by its last snapshot, whatever came before", () => {
  const tables = new Tables(), add = (...value) => tables.add([{ kind: "rod", part: 0, of: "", name: "position", unit: "m", stations: 2, size: 1, value: Float64Array.from(value) }]);
  add(1, 2, 3, 4), add(5, 6);
  assert.deepEqual(Array.from(tables.newest().get("rod", 0, "position").value), [5, 6]);
  assert.deepEqual(Array.from(tables.get("rod", 0, "position").value), [1, 2, 3, 4, 5, 6]);
});

test("an end of a range that is only rounding is 0", () => {
  assert.deepEqual(ends(-0.083, 5.9e-17), ["-0.083", "0"]);
  assert.deepEqual(ends(-1e-18, 2), ["0", "2"]);
});
