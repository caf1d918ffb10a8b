// Plots over time on canvas, with a cursor that follows the replay and can be dragged.
const INK = ["#0b6e99", "#c2571a", "#3a8f4d", "#8a4fa3", "#b08900", "#555555", "#c02942", "#2a9d8f"];
const DASH = [[], [6, 3], [2, 2], [8, 3, 2, 3]]; // one per run

export class Plot {
  // series: [{ name, t, y, run }]
  constructor(parent, title, unit, series, onSeek) {
    this.series = series; this.onSeek = onSeek;
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.innerHTML = `<b>${title}</b>`;
    const names = [...new Set(series.map((s) => s.name))];
    for (const s of series) s.ink = INK[names.indexOf(s.name) % INK.length];
    this.labels = series.map((s) => {
      const label = document.createElement("span");
      label.style.color = s.ink;
      caption.append(label);
      return label;
    });
    this.unit = unit;
    this.canvas = document.createElement("canvas");
    figure.append(caption, this.canvas);
    parent.append(figure);
    const seek = (event) => {
      if (!(event.buttons & 1) && event.type !== "pointerdown") return;
      const box = this.canvas.getBoundingClientRect();
      this.onSeek(this.low + ((event.clientX - box.left) / box.width) * (this.high - this.low));
    };
    this.canvas.addEventListener("pointerdown", seek);
    this.canvas.addEventListener("pointermove", seek);
    this.low = Math.min(...series.map((s) => s.t[0]));
    this.high = Math.max(...series.map((s) => s.t[s.t.length - 1]));
    let bottom = Infinity, top = -Infinity;
    for (const s of series) for (const y of s.y) { if (y < bottom) bottom = y; if (y > top) top = y; }
    const room = 0.06 * (top - bottom || Math.abs(top) || 1);
    this.bottom = bottom - room; this.top = top + room;
    this.back = document.createElement("canvas");
  }

  // The curves, drawn once per size; at most two points per pixel column (least and largest).
  drawCurves(width, height) {
    this.back.width = width; this.back.height = height;
    const pen = this.back.getContext("2d");
    const px = (t) => ((t - this.low) / (this.high - this.low || 1)) * width;
    const py = (y) => height - ((y - this.bottom) / (this.top - this.bottom)) * height;
    pen.strokeStyle = "#e3e8ed";
    if (this.bottom < 0 && this.top > 0) { pen.beginPath(); pen.moveTo(0, py(0)); pen.lineTo(width, py(0)); pen.stroke(); }
    for (const s of this.series) {
      const stride = Math.max(1, Math.floor(s.t.length / (2 * width)));
      pen.strokeStyle = s.ink; pen.lineWidth = 1.5; pen.setLineDash(DASH[s.run % DASH.length]);
      pen.beginPath();
      for (let i = 0; i < s.t.length; i += stride) {
        let least = s.y[i], most = s.y[i];
        for (let k = i; k < Math.min(i + stride, s.t.length); k++) { least = Math.min(least, s.y[k]); most = Math.max(most, s.y[k]); }
        pen.lineTo(px(s.t[i]), py(least));
        if (most !== least) pen.lineTo(px(s.t[i]), py(most));
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.fillStyle = "#5b6b7c"; pen.font = `${11 * devicePixelRatio}px system-ui`;
    pen.fillText(`${this.top.toPrecision(3)} ${this.unit}`, 3, 12 * devicePixelRatio);
    pen.fillText(this.bottom.toPrecision(3), 3, height - 4);
  }

  show(t) {
    const width = Math.round(this.canvas.clientWidth * devicePixelRatio), height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    if (!width) return;
    if (this.back.width !== width || this.back.height !== height) this.drawCurves(width, height);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.back, 0, 0);
    const x = ((t - this.low) / (this.high - this.low || 1)) * width;
    pen.strokeStyle = "#1d2733"; pen.beginPath(); pen.moveTo(x, 0); pen.lineTo(x, height); pen.stroke();
    this.series.forEach((s, i) => {
      let k = Math.round(((t - s.t[0]) / (s.t[s.t.length - 1] - s.t[0] || 1)) * (s.t.length - 1));
      k = Math.min(Math.max(k, 0), s.t.length - 1);
      this.labels[i].textContent = `${s.name} ${s.y[k].toPrecision(4)}`;
    });
  }
}

// Energies and momenta of every run, then every probe component.
export function makePlots(parent, runs, onSeek) {
  const plots = [];
  const energies = [], momenta = [];
  runs.forEach((run, index) => {
    for (const [name, y] of Object.entries(run.ledger)) {
      if (!y.some((x) => x !== 0)) continue; // a rod without shear needs no line for it
      const many = runs.length > 1 ? ` (${run.name})` : "";
      (name.startsWith("momentum") || name.startsWith("angular") ? momenta : energies)
        .push({ name: name.replaceAll("_", " ") + many, t: run.t, y, run: index });
    }
  });
  if (energies.length) plots.push(new Plot(parent, "energy", "J", energies, onSeek));
  if (momenta.length) plots.push(new Plot(parent, "momentum", "", momenta, onSeek));
  const names = [...new Set(runs.flatMap((run) => run.probes.map((p) => p.name)))];
  for (const name of names) {
    const series = [];
    runs.forEach((run, index) => {
      for (const probe of run.probes.filter((p) => p.name === name))
        for (let c = 0; c < probe.size; c++) {
          const y = new Float32Array(probe.t.length);
          for (let i = 0; i < y.length; i++) y[i] = probe.value[i * probe.size + c];
          const axis = probe.size === 4 ? "wxyz"[c] : "xyz"[c];
          series.push({ name: axis + (runs.length > 1 ? ` (${run.name})` : ""), t: probe.t, y, run: index });
        }
    });
    plots.push(new Plot(parent, `probe ${name}`, "", series, onSeek));
  }
  return plots;
}
