// The WebAssembly module as a JavaScript object: gives it the few functions of WASI that it asks for and turns texts and
// tables into strings and arrays.  In a page, in a Worker and in Node alike.
//
//   const withy = await load(bytes, { progress: (t, stop) => 0 });
//   withy.open("return { ... }", "scene.lua", ["params.wire=2e-3"])   throws an Error with the message
//   withy.solve("run"); withy.parts().forEach(...)
const KINDS = ["study", "rod", "body", "joint", "probe", "ledger"]; // withy_record_of
const TASKS = { run: 0, static: 1, modes: 2 }; // withy_task

export class SceneError extends Error {
  // line: that of the scene which it is about, or 0
  constructor(message, line = 0) {
    super(message);
    this.line = line;
  }
}

export async function load(bytes, { progress = () => 0 } = {}) {
  let memory;
  const view = () => new DataView(memory.buffer); // growth detaches views
  const wasi = {
    clock_time_get: (id, precision, at) => (view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
    proc_exit: (code) => { throw new Error(`the module ended with ${code}`); },
  };
  const nothing = () => 8; // EBADF: a page has no files
  const imports = { env: { web_progress: (t, stop) => progress(t, stop) },
                    wasi_snapshot_preview1: new Proxy(wasi, { get: (have, name) => have[name] ?? nothing }) };
  const module = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
  const { exports } = await WebAssembly.instantiate(module, imports);
  memory = exports.memory;
  exports._initialize?.();

  const text = (at) => {
    if (!at) return "";
    const bytes = new Uint8Array(memory.buffer), end = bytes.indexOf(0, at);
    return new TextDecoder().decode(bytes.slice(at, end));
  };
  // call(...) with strings as pointers that last as long as the call
  function call(name, ...args) {
    const taken = [];
    const raw = args.map((x) => {
      if (typeof x !== "string") return x;
      const utf = new TextEncoder().encode(x), at = exports.malloc(utf.length + 1);
      if (!at) throw new SceneError("no memory is left in this page");
      taken.push(at);
      const room = new Uint8Array(memory.buffer, at, utf.length + 1);
      room.set(utf); room[utf.length] = 0;
      return at;
    });
    try { return exports[name](...raw); } finally { taken.forEach((at) => exports.free(at)); }
  }
  const check = (status) => { if (status) throw new SceneError(text(exports.web_error()), exports.web_error_line()); };
  const cell = exports.malloc(64);
  // every table of a part: { name, unit, rows, stations, size, value: a view that the next call may detach }
  function tables(get, of, part) {
    const out = [];
    for (let i = 0; exports[get](of, part, i, cell); i++) {
      const [name, unit, value, rows, stations, size] = new Int32Array(memory.buffer, cell, 6);
      out.push({ name: text(name), unit: text(unit), rows, stations, size,
                 value: value ? new Float64Array(memory.buffer, value, rows * stations * size) : new Float64Array(0) });
    }
    return out;
  }
  const json = (name) => JSON.parse(text(exports[name]()));
  return {
    list: () => json("web_list"),
    open(scene, name, overrides = []) {
      check(call("web_open", scene, new TextEncoder().encode(scene).length, name, overrides.map((x) => x + "\x1e").join("")));
      return json("web_describe");
    },
    // The report; its status is not 0 where the study failed or was stopped, and what was computed is there.
    solve(task, { count = 6, method = "" } = {}) {
      call("web_solve", TASKS[task], count, method);
      return json("web_report");
    },
    parts: () => KINDS.flatMap((kind, of) => Array.from({ length: exports.web_count(of) }, (_, part) =>
      ({ kind, part, name: text(exports.web_name(of, part)), tables: tables("web_table", of, part) }))),
    text: (name) => text(call("web_text", name)),
    obstacle(index, t) {
      return exports.web_obstacle(index, t, cell) ? Array.from(new Float64Array(memory.buffer, cell, 3)) : null;
    },
    live(method = "") { // how the hand acts: 2 within each step, 1 between frames, 0 not at all
      check(call("web_live", method, cell));
      return { pull: new Int32Array(memory.buffer, cell, 1)[0], method: text(exports.web_live_method()), step: exports.web_step() };
    },
    advance: (t) => check(exports.web_advance(t)),
    time: () => exports.web_time(),
    inputs() {
      const out = [];
      for (let i = 0, name; (name = exports.web_input(i, cell)); i++) {
        const [value, most] = new Float64Array(memory.buffer, cell, 2);
        out.push({ name: text(name), value, most: Number.isFinite(most) ? most : null });
      }
      return out;
    },
    setInput: (name, value) => check(call("web_set_input", name, value)),
    hand: (rod, s, width, stiffness, damping, to) => exports.web_hand(rod, s, width, stiffness, damping, ...to),
    handAt: (r, v) => exports.web_hand_at(...r, ...v),
    sound(rod, station, rate, count) { // velocities, one every 1/rate
      const at = exports.malloc(8 * count), have = exports.web_sound(rod, station, rate, count, at);
      const out = Float32Array.from(new Float64Array(memory.buffer, at, have));
      exports.free(at);
      return out;
    },
    liveParts: () => [1, 2, 3].flatMap((of) => Array.from({ length: exports.web_live_count(of) }, (_, part) =>
      ({ kind: KINDS[of], part, tables: tables("web_live_table", of, part) }))),
  };
}
