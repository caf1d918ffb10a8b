// Plots over time on canvas, with a cursor that follows the replay and can be dragged.
import { locate } from "./data.js";

const LIGHT = ["#0b6e99", "#b04d12", "#2f7d41", "#8a4fa3", "#806400", "#555555", "#c02942", "#1b776c", "#a8583c", "#4c566a", "#687700"]; // one per quantity, 4.5 to 1 on white
const DARK = ["#5fb8dd", "#f0955c", "#7cc98d", "#c79adb", "#d9bd52", "#b5b5b5", "#f2849a", "#5fc9bd", "#e8ae9a", "#a3b1c9", "#c3d552"];
// On a dark page the text is light; then the curves are.
const css = (name, otherwise) => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || otherwise;
function inks() {
  const [r, g, b] = (getComputedStyle(document.body).color.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number);
  return (r + g + b > 380 ? DARK : LIGHT).map((ink, i) => css(`--plot-${i}`, ink)); // a page may have its own
}
export const DASH = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [1, 4]]; // one per run
const GUTTER = 52, FLOOR = 14; // [px] room for the numbers: left of the curves, below them

// Four figures, an exponent rather than a row of zeros.
export function figures(x, digits = 4) {
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(digits - 1);
  return String(+x.toPrecision(digits));
}

// The two ends of a range, with as many figures as it takes to tell them apart.
export function ends(low, high) {
  const most = Math.max(Math.abs(low), Math.abs(high)), span = high - low;
  if (Math.abs(low) < 1e-6 * span) low = 0;
  if (Math.abs(high) < 1e-6 * span) high = 0;
  const digits = span > 0 ? Math.min(3 + Math.max(0, Math.floor(Math.log10(most / span))), 9) : 4;
  return [figures(low, digits), figures(high, digits)];
}

export class Plot {
  // series: [{ name, t, y, run }]; quantities of one name share an ink, runs have a dash each
  constructor(parent, title, unit, series, onSeek, axis = "t [s]") {
    this.series = series; this.axis = axis.replace(/ \[[-1]\]$/, ""); this.onSeek = onSeek; this.title = title; this.unit = unit; this.drawn = 0;
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const heading = document.createElement("b");
    heading.textContent = unit ? `${title} [${unit}]` : title;
    caption.append(heading);
    this.names = [...new Set(series.map((s) => s.name))];
    this.labels = this.names.map(() => {
      const label = document.createElement("span");
      caption.append(label);
      return label;
    });
    this.paint();
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${title} over ${this.axis.replace(/^t \[s\]$/, "time")}`);
    figure.append(caption, this.canvas);
    parent.append(figure);
    const seek = (event) => {
      if (!(event.buttons & 1) && event.type !== "pointerdown") return;
      const box = this.canvas.getBoundingClientRect();
      this.onSeek(this.low + ((event.clientX - box.left - GUTTER) / (box.width - GUTTER)) * (this.high - this.low));
    };
    this.canvas.addEventListener("pointerdown", seek);
    this.canvas.addEventListener("pointermove", seek);
    this.low = Math.min(...series.map((s) => s.t[0]));
    this.high = Math.max(...series.map((s) => s.t[s.t.length - 1]));
    let bottom = Infinity, top = -Infinity;
    for (const s of series) for (const y of s.y) { if (y < bottom) bottom = y; if (y > top) top = y; }
    this.least = bottom; this.most = top;
    const room = 0.06 * (top - bottom || Math.abs(top) || 1);
    this.bottom = bottom - room; this.top = top + room;
    this.back = document.createElement("canvas");
  }

  // Take the colours of the page; the curves are drawn again when they are shown.
  paint() {
    const ink = inks();
    for (const s of this.series) s.ink = ink[this.names.indexOf(s.name) % ink.length];
    this.labels.forEach((label, i) => { label.style.color = ink[i % ink.length]; });
    if (this.back) this.back.width = 0;
  }

  // Where time t stands on the canvas [px of the page].
  place(t, width) { return GUTTER + ((t - this.low) / (this.high - this.low || 1)) * (width - GUTTER); }

  // The curves, drawn once per size; at most two points per pixel column (least and largest).
  drawCurves(width, height, scale) {
    this.back.width = Math.round(width * scale); this.back.height = Math.round(height * scale);
    this.drawn++;
    const pen = this.back.getContext("2d"), bed = height - FLOOR;
    pen.scale(scale, scale);
    const py = (y) => bed - ((y - this.bottom) / (this.top - this.bottom)) * bed;
    pen.strokeStyle = css("--line", "#d7dde4");
    pen.strokeRect(GUTTER - 0.5, 0.5, width - GUTTER, bed - 1);
    if (this.bottom < 0 && this.top > 0) { pen.beginPath(); pen.moveTo(GUTTER, py(0)); pen.lineTo(width, py(0)); pen.stroke(); }
    for (const s of this.series) {
      const stride = Math.max(1, Math.floor(s.t.length / (2 * width)));
      pen.strokeStyle = s.ink; pen.lineWidth = 1.5; pen.setLineDash(DASH[s.run % DASH.length]);
      pen.beginPath();
      for (let i = 0; i < s.t.length; i += stride) {
        let least = s.y[i], most = s.y[i];
        for (let k = i; k < Math.min(i + stride, s.t.length); k++) { least = Math.min(least, s.y[k]); most = Math.max(most, s.y[k]); }
        pen.lineTo(this.place(s.t[i], width), py(least));
        if (most !== least) pen.lineTo(this.place(s.t[i], width), py(most));
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.fillStyle = css("--soft", "#5b6b7c"); pen.font = "10.5px system-ui, sans-serif";
    const [least, most] = ends(this.least, this.most);
    pen.textAlign = "right";
    pen.fillText(most, GUTTER - 4, Math.max(py(this.most) + 4, 9));
    if (most !== least) pen.fillText(least, GUTTER - 4, Math.min(py(this.least) + 4, bed));
    pen.fillText(figures(this.high), width, height - 2);
    pen.textAlign = "left";
    pen.fillText(figures(this.low), GUTTER, height - 2);
    pen.textAlign = "center";
    pen.fillText(this.axis, (GUTTER + width) / 2, height - 2);
  }

  // What is rounding compared with the rest of the plot is 0.
  whole(x) { return Math.abs(x) < 1e-11 * Math.max(Math.abs(this.least), Math.abs(this.most)) ? 0 : x; }

  show(t) {
    const scale = devicePixelRatio, { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    const w = Math.round(width * scale), h = Math.round(height * scale);
    if (this.back.width !== w || this.back.height !== h) this.drawCurves(width, height, scale);
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, w, h);
    pen.drawImage(this.back, 0, 0);
    this.cursor = this.place(t, width);
    pen.strokeStyle = css("--ink", "#1d2733"); pen.lineWidth = scale;
    pen.beginPath(); pen.moveTo(this.cursor * scale, 0); pen.lineTo(this.cursor * scale, (height - FLOOR) * scale); pen.stroke();
    this.names.forEach((name, i) => {
      const values = this.series.filter((s) => s.name === name).map((s) => figures(this.whole(valueAt(s, t))));
      this.labels[i].textContent = (name === this.title ? "" : `${name} `) + values.join(" | ");
    });
  }
}

// The recorded value nearest to time t.
function valueAt({ t: times, y, from = 0 }, t) {
  const [k, f] = locate(times, t);
  return from + y[Math.min(f > 0.5 ? k + 1 : k, y.length - 1)];
}

const span = (y) => y.reduce((most, x) => Math.max(most, x), -Infinity) - y.reduce((least, x) => Math.min(least, x), Infinity);

// A small motion about places far apart would be flat lines: then each component is drawn from where it began.
function aboutItsStart(series) {
  const widest = Math.max(...series.map((s) => span(s.y)));
  const whole = series.reduce((most, s) => Math.max(most, ...[0, s.t.length - 1].map((i) => Math.abs(s.y[i]))), 0);
  if (!(widest > 0) || whole < 10 * widest) return false;
  for (const s of series) { s.from = s.y[0]; s.y = s.y.map((x) => x - s.from); }
  return true;
}

// Energies and momenta of every run, then every probe component.
export function makePlots(parent, runs, onSeek) {
  const axis = runs[0].axis || "t [s]"; // below the curves
  const plots = [], energies = [], momenta = [], turns = [];
  const size = (y) => y.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const largest = Math.max(...runs.flatMap((run) => Object.values(run.ledger).map(size)));
  runs.forEach((run, index) => {
    for (const [name, y] of Object.entries(run.ledger)) {
      if (!(size(y) > 1e-12 * largest)) continue; // a rod without shear, or with its rounding, needs no line for it
      const kind = name.startsWith("momentum") ? momenta : name.startsWith("angular") ? turns : energies;
      kind.push({ name: name.replaceAll("_", " "), t: run.t, y, run: index });
    }
  });
  if (energies.length) plots.push(new Plot(parent, "energy", "J", energies, onSeek, axis));
  if (momenta.length) plots.push(new Plot(parent, "momentum", "kg m/s", momenta, onSeek, axis));
  if (turns.length) plots.push(new Plot(parent, "angular momentum", "kg m\u00b2/s", turns, onSeek, axis));
  const names = [...new Set(runs.flatMap((run) => run.probes.map((p) => p.name)))];
  for (const name of names) {
    const series = [];
    let what = "", unit = "";
    runs.forEach((run, index) => {
      for (const probe of run.probes.filter((p) => p.name === name)) {
        ({ what, unit = "" } = probe);
        for (let c = 0; c < probe.size; c++) {
          const y = new Float32Array(probe.t.length);
          for (let i = 0; i < y.length; i++) y[i] = probe.value[i * probe.size + c];
          const name = probe.size === 1 ? what : probe.size === 4 ? "wxyz"[c] : "xyz"[c];
          series.push({ name, t: probe.t, y, run: index });
        }
      }
    });
    if (!series.some((s) => s.t.length)) continue;
    const title = `${what} of probe ${name}${aboutItsStart(series) ? ", from its start" : ""}`;
    plots.push(new Plot(parent, title, unit, series, onSeek, axis));
  }
  return plots;
}
