// The data of `withy view`: JSON with base64 blobs, little-endian.
//   { runs: [ { name, title, method, status, axis, snapshots, window, t: blob, rods: [ { name, count, section, position, frame, colours } ],
//               bodies: [ { name, shape, size, position, frame } ], joints: [ { name, kind, position, axis } ],
//               obstacles: [ { name, shape, inside, size: [3], axis: [3], frame: [4], position } ],
//               tendons: [ { name, rod, continues, route } ],
//               ledger: { name: blob }, probes: [ { name, what, unit, size, t: blob, value: blob } ] } ] }
// A body of shape "inertia" is the ellipsoid with its mass and inertia.  A mesh among the obstacles has vertex float32 [vertex][3] and triangle uint32 [triangle][3].  A tendon runs through rod number
// `rod`, route float32 [point][3]: station (2.5: half way to the next), x1, x2; continues: the number of the one that continues it, or -1.
// A rod may have ends: [start, finish] ("clamped", "pinned", ...), reactions: { start, finish } [frame][3] and contact
// [frame][station][3] with s [station].
// A result of modes has modes: [ { frequency, damping, growth, kind } ] and, of rods and bodies, shift, turn and, of rods,
// shift_im, turn_im (modes.js).  Positions are float32 [frame][station][3]; frames int16/32767 [frame][station][4]; a colour is uint16 scaled to
// its [low, high].
import { expandModes } from "./modes.js";

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

export const float32 = (blob) => new Float32Array(bytes(blob));

const shapes = (part) => Object.fromEntries(["shift", "shift_im", "turn", "turn_im"].filter((k) => part[k]).map((k) => [k, float32(part[k])]));

function readRod(rod) {
  const frame = rod.frame ? Float32Array.from(new Int16Array(bytes(rod.frame)), (x) => x / 32767) : null;
  const colours = rod.colours.map((c) => ({ ...c, value: new Uint16Array(bytes(c.value)) }));
  const reactions = Object.fromEntries(Object.entries(rod.reactions ?? {}).map(([end, blob]) => [end, float32(blob)]));
  const contact = rod.contact ? { contact: float32(rod.contact), s: float32(rod.s) } : {};
  return { ...rod, ...shapes(rod), ...contact, reactions, position: float32(rod.position), frame, colours };
}

const readBody = (body) => ({ ...body, ...shapes(body), position: float32(body.position), frame: float32(body.frame) });
const readJoint = (joint) => ({ ...joint, position: float32(joint.position), axis: float32(joint.axis) });

// like: the number of the obstacle in the list whose surface it has too
const readObstacle = (obstacle, index, list) => {
  const { vertex, triangle } = obstacle.like === undefined ? obstacle : list[obstacle.like];
  return { ...obstacle, position: float32(obstacle.position),
    ...(vertex ? { vertex: float32(vertex), triangle: new Uint32Array(bytes(triangle)) } : {}) };
};

function readRun(run) {
  const read = {
    ...run,
    t: float32(run.t),
    rods: run.rods.map(readRod),
    bodies: (run.bodies ?? []).map(readBody),
    joints: (run.joints ?? []).map(readJoint),
    obstacles: (run.obstacles ?? []).map(readObstacle),
    tendons: (run.tendons ?? []).map((tendon) => ({ ...tendon, route: float32(tendon.route) })),
    ledger: Object.fromEntries(Object.entries(run.ledger).map(([k, v]) => [k, float32(v)])),
    probes: run.probes.map((p) => ({ ...p, t: float32(p.t), value: float32(p.value) })),
  };
  return run.modes ? expandModes(read) : read;
}

export function readData(element) {
  return JSON.parse(element.textContent).runs.map(readRun);
}

// Where time t lies among the frames of a run: index and fraction.
export function locate(times, t) {
  let low = 0, high = times.length - 1;
  if (high <= 0 || t <= times[0]) return [0, 0];
  if (t >= times[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return [low, (t - times[low]) / (times[high] - times[low])];
}
