// How fast a replay goes at "1x": in real time where that can be watched, else the whole run in ten seconds, and slower
// where it vibrates: at most two cycles a second, so that the screen shows every one of them.

// Cycles of the motion: half the reversals of the station that moves most, along its widest direction; and how many
// snapshots one cycle has.
export function cyclesOf(run) {
  let most = 0, cycles = 0;
  for (const rod of run.rods) {
    const n = rod.count, frames = run.t.length, p = rod.position;
    for (const i of [0, n >> 2, n >> 1, (3 * n) >> 2, n - 1])
      for (let c = 0; c < 3; c++) {
        let low = Infinity, high = -Infinity;
        for (let k = 0; k < frames; k++) { const x = p[3 * (k * n + i) + c]; if (x < low) low = x; if (x > high) high = x; }
        if (high - low <= most) continue;
        most = high - low;
        const room = 0.05 * most; // a smaller wiggle is no reversal
        let turns = 0, edge = p[3 * i + c], way = 0;
        for (let k = 1; k < frames; k++) {
          const x = p[3 * (k * n + i) + c];
          if (way >= 0 && x > edge) { edge = x; if (!way && x - p[3 * i + c] > room) way = 1; }
          else if (way <= 0 && x < edge) { edge = x; if (!way && p[3 * i + c] - x > room) way = -1; }
          else if (Math.abs(x - edge) > room) { turns++; way = x > edge ? 1 : -1; edge = x; }
        }
        cycles = turns / 2;
      }
  }
  return { cycles, frames: cycles > 0 ? run.t.length / cycles : Infinity };
}

// How often what moves most was recorded in a cycle, from its speed: of a vibration of amplitude A the mean square of the
// speed is (omega A)^2 / 2, and it stays within 2 A.  Reversals cannot tell: an alias is slow.
export function recordedPerCycle(run) {
  let least = Infinity;
  const frames = run.t.length, dt = (run.t[frames - 1] - run.t[0]) / (frames - 1 || 1);
  for (const rod of frames < 8 ? [] : run.rods) {
    const n = rod.count, p = rod.position, speed = rod.colours.find((c) => c.name === "speed");
    if (!speed) continue;
    for (const i of [n >> 2, n >> 1, n - 1]) {
      let square = 0, range = 0;
      for (let c = 0; c < 3; c++) {
        let low = Infinity, high = -Infinity;
        for (let k = 0; k < frames; k++) { const x = p[3 * (k * n + i) + c]; if (x < low) low = x; if (x > high) high = x; }
        range = Math.hypot(range, high - low);
      }
      for (let k = 0; k < frames; k++) square += (speed.low + (speed.value[k * n + i] / 65535) * (speed.high - speed.low)) ** 2;
      if (square > 0) least = Math.min(least, (Math.PI * range) / (dt * Math.sqrt((2 * square) / frames)));
    }
  }
  return least;
}

export function pacing(runs, start, stop, timed) {
  const span = stop - start, found = runs.map(cyclesOf), cycles = Math.max(...found.map((f) => f.cycles)), frames = Math.min(...found.map((f) => f.frames));
  const realtime = timed && span > 2 && span < 60 && cycles / span <= 4;
  const natural = Math.min(span / 10, cycles > 0 ? (2 * span) / cycles : Infinity);
  // of a run that does not fit into the page every so many snapshots are shown
  const every = Math.max(...runs.map((run) => ((run.window ?? run.snapshots) - 1) / Math.max(run.t.length - 1, 1)));
  const why = every > 1.5 ? `every ${Math.round(every)}th snapshot is shown, less than four in a cycle: what moves here may be an alias; withy view --from --to shows a part whole`
    : "recorded less than four times a cycle: what moves here may be an alias; use a smaller time.output";
  const seldom = Math.min(frames, ...(timed ? runs.map(recordedPerCycle) : [])) < 4 ? why : "";
  return { natural, realtime, seldom };
}

// What stands below the curves, as [name, unit]: "t [s]"; a path has a load factor instead of time.  A text of a stranger's
// result: it may hold anything.
export function axisOf(run) {
  const text = String(run?.axis || "t [s]").replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim(), at = text.indexOf(" [");
  return at > 0 && text.endsWith("]") ? [text.slice(0, at), text.slice(at + 2, -1)] : [text, ""];
}
