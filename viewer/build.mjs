// Build dist/viewer.html: template, style and script in one file, nothing loaded from anywhere.
// `withy view` replaces @DATA@ by the data of a result.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "viewer.html");

const bundle = await build({
  entryPoints: [join(here, "src/main.js")],
  bundle: true, minify: true, write: false, format: "iife", target: "es2020", legalComments: "none",
});
// three.js is MIT-licensed: its notice is included in the bundle
const notice = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
const script = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script");
const html = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("/*@STYLE@*/", () => readFileSync(join(here, "src/style.css"), "utf8"))
  .replace("/*@NOTICE@*/", () => notice)
  .replace("/*@SCRIPT@*/", () => script);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
console.log(`${out}: ${(html.length / 1024).toFixed(0)} kB`);
