// Build the playground: node web/build.mjs MODULE VIEWER.html OUT.html.  One file; nothing is loaded from anywhere.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url)), viewer = join(here, "../viewer");
const { build } = createRequire(join(viewer, "package.json"))("esbuild"); // the tools of the viewer
const { BEGIN, END, shared } = await import(join(viewer, "three.mjs"));
const [module, replay, out] = process.argv.slice(2);
const MOST = 2_000_000; // bytes of the page

async function bundle(entry, define = {}) {
  const made = await build({ entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2022",
                             legalComments: "none", define, plugins: [shared] });
  return made.outputFiles[0].text;
}
const worker = await bundle("src/worker.js");
const app = await bundle("src/main.js", { WORKER_SOURCE: JSON.stringify(worker) });
// The viewer without three.js, which this page has already (download.js puts it back).
const whole = readFileSync(replay, "utf8"), cut = [whole.indexOf(BEGIN), whole.indexOf(END) + END.length], three = whole.slice(...cut);
if (cut[0] < 0 || cut[1] < cut[0]) throw new Error(`${replay}: three.js is not marked in it; make viewer makes it anew`);
const rest = `${whole.slice(0, cut[0])}@THREE@${whole.slice(cut[1])}`;
const script = (await bundle("src/start.js")).replaceAll("</script", "<\\/script");
const style = readFileSync(join(here, "src/style.css"), "utf8");
const notice = [join(viewer, "node_modules/three/LICENSE"), join(here, "node_modules/@codemirror/view/LICENSE")]
  .map((file) => readFileSync(file, "utf8").trim()).join("\n\n");
const cases = join(here, "../cases"), scenes = {};
for (const name of readdirSync(cases).sort())
  if (readdirSync(join(cases, name)).includes("scene.lua")) scenes[name] = readFileSync(join(cases, name, "scene.lua"), "utf8");
for (const file of readdirSync(join(here, "scenes")).sort()) scenes[file.replace(".lua", "")] = readFileSync(join(here, "scenes", file), "utf8");
const packed = (data) => gzipSync(data, { level: 9 }).toString("base64");

// Only the script that unpacks, and what it makes of the page's own text (blob:); styles with the nonce (the editor writes its own).  Nothing can be
// fetched, sent or framed.
const hash = `'sha256-${createHash("sha256").update(`\n${script}\n`, "utf8").digest("base64")}'`;
const policy = ["default-src 'none'", `script-src ${hash} blob: 'wasm-unsafe-eval'`, "worker-src blob:", "style-src 'nonce-withy'", "img-src data: blob:",
                "media-src blob:", "base-uri 'none'", "form-action 'none'"].join("; ");
const html = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("/*@STYLE@*/", () => style)
  .replace("/*@NOTICE@*/", () => notice.replaceAll("--", "- -"))
  .replace("@APP@", () => packed(app))
  .replace("@THREE@", () => packed(three))
  .replace("@MODULE@", () => packed(readFileSync(module)))
  .replace("@EXTRA@", () => packed(JSON.stringify({ cases: scenes, viewer: rest })))
  .replace("/*@SCRIPT@*/", () => script);
if (/[\r\0]/.test(html)) throw new Error("a browser changes CR and NUL before it hashes");
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
const size = Buffer.byteLength(html);
console.log(`${out}: ${(size / 1e6).toFixed(2)} MB (script ${(app.length / 1e3).toFixed(0)} kB before packing)`);
if (size > MOST) { console.error(`build: the page must stay below ${MOST} bytes`); process.exit(1); }
