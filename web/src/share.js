// A scene in the fragment of a link: #s= and the deflated text in base64url, after it (MARK, JSON) what is set with it:
// { task, method, against, params, options }.  The fragment never leaves the browser.
const MARK = "\x1e";
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

// What a link may set: words and numbers, nothing else.
function checked(set) {
  const word = (x, like) => (typeof x === "string" && like.test(x) ? x : ""), out = { params: {}, options: {} };
  Object.assign(out, { task: word(set?.task, /^(run|static|modes)$/), method: word(set?.method, /^\w{1,20}$/), against: word(set?.against, /^\w{1,20}$/) });
  for (const [name, value] of Object.entries(set?.params ?? {}).slice(0, 100)) if (/^\w{1,60}$/.test(name) && Number.isFinite(value)) out.params[name] = value;
  for (const [name, value] of Object.entries(set?.options ?? {}).slice(0, 100)) if (/^\w{1,60}$/.test(name) && word(value, /^[\w.+-]{1,40}$/)) out.options[name] = value;
  return out;
}

export async function pack(scene, set) {
  const given = Object.values(set).some((x) => (typeof x === "string" ? x : Object.keys(x).length));
  const bytes = await through(new TextEncoder().encode(scene + (given ? MARK + JSON.stringify(set) : "")), new CompressionStream("deflate-raw"), MOST_SCENE);
  let raw = "";
  for (const b of bytes) raw += String.fromCharCode(b);
  const text = "#s=" + btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (text.length > MOST_LINK) throw new Error(`this scene makes a link of ${text.length} characters; at most ${MOST_LINK} are allowed: download the scene instead`);
  return text;
}

// { scene, set } of a fragment; null: it has none.
export async function unpack(fragment) {
  if (!fragment.startsWith("#s=")) return null;
  const text = fragment.slice(3);
  if (text.length > MOST_LINK) throw new Error(`the link is longer than ${MOST_LINK} characters`);
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("the link is damaged: it holds characters that no link of this page has");
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/")), bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    const whole = new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), MOST_SCENE)), at = whole.lastIndexOf(MARK);
    return at < 0 ? { scene: whole, set: checked({}) } : { scene: whole.slice(0, at), set: checked(JSON.parse(whole.slice(at + 1))) };
  } catch (problem) {
    throw new Error(/larger/.test(problem.message) ? problem.message : "the link is damaged: its scene cannot be unpacked");
  }
}
