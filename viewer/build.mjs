// Build dist/viewer.html: template, style and script in one file, nothing loaded from anywhere.
// `withy view` replaces @DATA@ by the data of a result.
import { createHash } from "node:crypto";
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { shared, three } from "./three.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "viewer.html");

const bundle = await build({
  entryPoints: [join(here, "src/main.js")],
  bundle: true, minify: true, write: false, format: "iife", target: "es2020", legalComments: "none", plugins: [shared],
});
// three.js is MIT-licensed: its notice is included in the bundle
const notice = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
const script = `${await three()}\n${bundle.outputFiles[0].text}`.replaceAll("</script", "<\\/script");
const style = readFileSync(join(here, "src/style.css"), "utf8");
const inside = (text) => `\n${text}\n`; // as it stands between the tags
const hash = (text) => `'sha256-${createHash("sha256").update(inside(text), "utf8").digest("base64")}'`;
// Only this style and this script: the data is a block that is never executed, and nothing is loaded, sent or framed.
const policy = ["default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`,
                "base-uri 'none'", "form-action 'none'"].join("; ");
const html = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("/*@STYLE@*/", () => style)
  .replace("/*@NOTICE@*/", () => notice)
  .replace("/*@SCRIPT@*/", () => script);
if (/[\r\0]/.test(html)) throw new Error("a browser changes CR and NUL before it hashes");
if (html.split("@DATA@").length !== 2) throw new Error("@DATA@ must stand in the page exactly once");
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
console.log(`${out}: ${(html.length / 1024).toFixed(0)} kB`);
