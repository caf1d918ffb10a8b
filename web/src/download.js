// What can be saved: scene, tables as CSV, the replay as a page, a picture, a film.
export function save(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url; link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const PARTS = { 1: [""], 3: [" x", " y", " z"], 4: [" w", " x", " y", " z"] };

// One row per snapshot, rod and station.
export function csvOfRods(tables) {
  const times = tables.get("study", 0, "t"), rods = tables.count("rod");
  const names = [...new Set(tables.of("rod").map((t) => t.name))].filter((n) => n !== "s"), out = [];
  const head = names.flatMap((n) => { const t = tables.get("rod", 0, n); return t ? PARTS[t.size].map((c) => `${n}${c} [${t.unit}]`) : []; });
  out.push(["t", "rod", "station", "s [m]", ...head].join(","));
  for (let k = 0; k < times.rows; k++)
    for (let rod = 0; rod < rods; rod++) {
      const have = names.map((n) => tables.get("rod", rod, n)).filter(Boolean), s = tables.get("rod", rod, "s");
      for (let i = 0; i < have[0].stations; i++) {
        const row = [times.value[k], rod + 1, i, s.value[i]];
        for (const t of have) for (let c = 0; c < t.size; c++) row.push(t.value[(k * t.stations + i) * t.size + c]);
        out.push(row.join(","));
      }
    }
  return out.join("\n") + "\n";
}

export function csvOfProbes(tables) {
  const out = ["probe,t,values"];
  for (let p = 0; p < tables.count("probe"); p++) {
    const t = tables.get("probe", p, "t"), v = tables.get("probe", p, "value");
    for (let k = 0; k < t.rows; k++) out.push([`"${t.of.replaceAll('"', '""')}"`, t.value[k], ...v.value.subarray(k * v.size, (k + 1) * v.size)].join(","));
  }
  return out.join("\n") + "\n";
}

const base64 = (array) => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let raw = "";
  for (let i = 0; i < bytes.length; i += 32768) raw += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(raw);
};

const packed = (x) => (ArrayBuffer.isView(x) ? base64(x) : Array.isArray(x) ? x.map(packed)
  : x && typeof x === "object" ? Object.fromEntries(Object.entries(x).map(([key, value]) => [key, packed(value)])) : x);

// The page of `withy view` with these runs in it (viewer/src/data.js describes the data).
export function replay(template, runs) {
  const data = { runs: runs.map((run) => {
    const { report, raw, ...whole } = run, from = raw ?? whole; // of modes their shapes, which the page lets swing
    const rods = from.rods.map(({ frame, from: a, to: b, line, ...rod }) =>
      ({ ...rod, ...(frame && { frame: Int16Array.from(frame, (x) => Math.round(32767 * Math.max(-1, Math.min(1, x)))) }) }));
    return packed({ ...from, report: undefined, rods });
  }) };
  // as cli/json.c: no text of a scene may end the block
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return template.replace("@DATA@", () => text);
}

// Record the canvas while `play` runs.
export async function film(canvas, play) {
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((t) => globalThis.MediaRecorder?.isTypeSupported(t));
  if (!type) throw new Error("this browser cannot record films");
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 }), chunks = [];
  recorder.ondataavailable = (event) => chunks.push(event.data);
  const ended = new Promise((done) => { recorder.onstop = done; });
  recorder.start();
  await play();
  recorder.stop();
  await ended;
  return { blob: new Blob(chunks, { type }), ending: type.includes("mp4") ? "mp4" : "webm" };
}
