// A scene in the fragment of a link: #s= and the deflated text in base64url.  The fragment never leaves the browser.
export const MOST_LINK = 16000, MOST_SCENE = 200000; // characters of a link, bytes of a scene

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) { await reader.cancel(); throw new Error(`the scene in the link is larger than ${most} bytes`); }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function pack(scene) {
  const bytes = await through(new TextEncoder().encode(scene), new CompressionStream("deflate-raw"), MOST_SCENE);
  let raw = "";
  for (const b of bytes) raw += String.fromCharCode(b);
  const text = "#s=" + btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (text.length > MOST_LINK) throw new Error(`this scene makes a link of ${text.length} characters; at most ${MOST_LINK} are allowed: download the scene instead`);
  return text;
}

// The scene of a fragment; null: it has none.
export async function unpack(fragment) {
  if (!fragment.startsWith("#s=")) return null;
  const text = fragment.slice(3);
  if (text.length > MOST_LINK) throw new Error(`the link is longer than ${MOST_LINK} characters`);
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("the link is damaged: it holds characters that no link of this page has");
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/")), bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), MOST_SCENE));
  } catch (problem) {
    throw new Error(/larger/.test(problem.message) ? problem.message : "the link is damaged: its scene cannot be unpacked");
  }
}
