// Modes of vibration: each becomes one cycle of frames, so that everything else shows them as it shows a run.
// At the phase p a station is at  r + cos(p) shift - sin(p) shift_im,  turned by  cos(p) turn - sin(p) turn_im;
// growth and decay are left out, they are in the label.
const FRAMES = 48; // of a cycle; its last frame is its first
const WIDTH = 1 - 1e-4; // of a cycle in the time that is shown: mode m takes m .. m + 1
const KINDS = ["", "overdamped", "neutral: nothing resists it", "flutter", "divergence"];

// r and its displacement: what was recorded is r + shift.
function swing(at, shift, shiftIm, modes) {
  const n = at.length / modes, out = new Float32Array(modes * (FRAMES + 1) * n), base = new Float32Array(n);
  for (let i = 0; i < n; i++) base[i] = at[i] - shift[i];
  for (let m = 0; m < modes; m++)
    for (let j = 0; j <= FRAMES; j++) {
      const c = Math.cos((2 * Math.PI * j) / FRAMES), s = Math.sin((2 * Math.PI * j) / FRAMES);
      const to = (m * (FRAMES + 1) + j) * n;
      for (let i = 0; i < n; i++) out[to + i] = base[i] + c * shift[m * n + i] - s * (shiftIm ? shiftIm[m * n + i] : 0);
    }
  return { base, out };
}

// exp(turn) q for every frame, scalar first.
function wind(frame, turn, turnIm, modes) {
  const n = frame.length / 4 / modes, out = new Float32Array(modes * (FRAMES + 1) * n * 4);
  for (let m = 0; m < modes; m++)
    for (let j = 0; j <= FRAMES; j++) {
      const c = Math.cos((2 * Math.PI * j) / FRAMES), s = Math.sin((2 * Math.PI * j) / FRAMES);
      for (let i = 0; i < n; i++) {
        const at = 3 * (m * n + i), v = [0, 1, 2].map((k) => c * turn[at + k] - s * (turnIm ? turnIm[at + k] : 0));
        const angle = Math.hypot(...v), f = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5, w = Math.cos(angle / 2);
        const [x, y, z] = v.map((k) => f * k), [a, b, d, e] = frame.slice(4 * (m * n + i), 4 * (m * n + i) + 4);
        out.set([w * a - x * b - y * d - z * e, w * b + x * a + y * e - z * d, w * d + y * a + z * b - x * e,
                 w * e + z * a + x * d - y * b], 4 * ((m * (FRAMES + 1) + j) * n + i));
      }
    }
  return out;
}

function repeat(values, modes) {
  const n = values.length / modes, out = new values.constructor(n * modes * (FRAMES + 1));
  for (let m = 0; m < modes; m++)
    for (let j = 0; j <= FRAMES; j++) out.set(values.subarray(m * n, m * n + n), (m * (FRAMES + 1) + j) * n);
  return out;
}

function moving(part, modes) {
  const { base, out } = swing(part.position, part.shift, part.shift_im, modes);
  return { ...part, base, position: out, frame: part.frame && wind(part.frame, part.turn, part.turn_im, modes) };
}

const label = ({ frequency, damping, kind }, m) =>
  `mode ${m + 1}: ${+frequency.toPrecision(4)} Hz` + (Math.abs(damping) > 1e-9 ? `, damping ${+damping.toPrecision(3)}` : "")
  + (KINDS[kind] ? `, ${KINDS[kind]}` : "");

export function expandModes(run) {
  const count = run.modes.length;
  const t = Float32Array.from({ length: count * (FRAMES + 1) }, (_, k) =>
    Math.floor(k / (FRAMES + 1)) + (WIDTH * (k % (FRAMES + 1))) / FRAMES);
  return {
    ...run, t, axis: "mode", modes: run.modes.map((mode, m) => ({ ...mode, label: label(mode, m) })),
    rods: run.rods.map((rod) => ({ ...moving(rod, count),
      colours: rod.colours.map((c) => ({ ...c, value: repeat(c.value, count) })) })),
    bodies: run.bodies.map((body) => moving(body, count)), ledger: {}, probes: [],
  };
}

// The mode that is shown at t, and t in it after `by` cycles more.
export const modeAt = (run, t) => Math.min(Math.max(Math.floor(t + 1e-6), 0), run.modes.length - 1);
export function swung(run, t, by) {
  const mode = modeAt(run, t), phase = (t - mode) / WIDTH + by;
  return mode + WIDTH * (phase - Math.floor(phase));
}
