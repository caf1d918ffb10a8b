// Strings to the ear: probes that are sampled fast enough become sound.
const FASTEST = 1 / 4000; // [s] between samples: slower than this is no sound
let context = null;
const audio = () => (context ??= new (globalThis.AudioContext ?? globalThis.webkitAudioContext)());

export const heard = (run) => (run?.probes ?? []).filter((p) => p.t.length > 2000 && (p.t[p.t.length - 1] - p.t[0]) / (p.t.length - 1) < FASTEST);

// All fast probes together at 44100 Hz, the largest value 0.9: what the speaker gets.
export function mix(probes, rate = 44100) {
  const stop = Math.max(...probes.map((p) => p.t[p.t.length - 1])), out = new Float32Array(Math.ceil(stop * rate) + 1);
  for (const { t, value, size } of probes) {
    const mean = new Float64Array(size), n = t.length;
    for (let i = 0; i < n; i++) for (let c = 0; c < size; c++) mean[c] += value[i * size + c] / n;
    const level = (i) => { let sum = 0; for (let c = 0; c < size; c++) sum += value[i * size + c] - mean[c]; return sum; };
    const step = (t[n - 1] - t[0]) / (n - 1);
    for (let k = 0; k < out.length; k++) {
      const x = (k / rate - t[0]) / step, i = Math.floor(x);
      if (i >= 0 && i + 1 < n) out[k] += (1 - x + i) * level(i) + (x - i) * level(i + 1);
    }
  }
  let most = 0;
  for (const x of out) most = Math.max(most, Math.abs(x));
  if (most > 0) for (let k = 0; k < out.length; k++) out[k] *= 0.9 / most;
  return out;
}

function play(samples, when = 0, rate = 44100) {
  const ctx = audio(), buffer = ctx.createBuffer(1, samples.length, rate), source = ctx.createBufferSource();
  ctx.resume?.();
  buffer.copyToChannel(samples, 0);
  source.buffer = buffer;
  source.connect(ctx.destination);
  source.start(when);
  return source;
}
export const listen = (run) => play(mix(heard(run)));

export function wav(samples, rate = 44100) {
  const out = new DataView(new ArrayBuffer(44 + 2 * samples.length)), text = (at, s) => [...s].forEach((c, i) => out.setUint8(at + i, c.charCodeAt(0)));
  text(0, "RIFF"); out.setUint32(4, 36 + 2 * samples.length, true); text(8, "WAVEfmt "); out.setUint32(16, 16, true); out.setUint16(20, 1, true);
  out.setUint16(22, 1, true); out.setUint32(24, rate, true); out.setUint32(28, 2 * rate, true); out.setUint16(32, 2, true); out.setUint16(34, 16, true);
  text(36, "data"); out.setUint32(40, 2 * samples.length, true);
  samples.forEach((x, i) => out.setInt16(44 + 2 * i, Math.round(32767 * Math.max(-1, Math.min(1, x))), true));
  return new Blob([out.buffer], { type: "audio/wav" });
}

// A note that is still being computed; it sounds when it is complete.
export class Note {
  constructor(seconds) { Object.assign(this, { seconds, chunks: [], have: 0, rate: 0 }); }
  get part() { return this.rate ? this.have / this.rate / this.seconds : 0; }

  // Returns true when it sounds.
  add(samples, rate, last) {
    this.rate = rate || this.rate;
    this.chunks.push(samples); this.have += samples.length;
    if (!this.have || (this.part < 1 && !last)) return false;
    const all = new Float32Array(this.have);
    let at = 0, most = 0;
    for (const c of this.chunks) { all.set(c, at); at += c.length; }
    for (const x of all) most = Math.max(most, Math.abs(x));
    for (let i = 0; i < all.length; i++) all[i] *= (0.9 / (most || 1)) * Math.min(1, (all.length - i) / (0.05 * this.rate)); // fades out
    this.samples = all;
    play(all, 0, Math.min(96000, Math.max(8000, Math.round(this.rate))));
    return true;
  }
}
