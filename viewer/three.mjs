// three.js as one script that both pages share: the viewer has it before its own script, the playground carries it once
// for itself and for the replays that it saves.
import { build } from "esbuild";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const ORBIT = "three/examples/jsm/controls/OrbitControls.js";
export const BEGIN = "/*three.js*/", END = "/*end of three.js*/"; // around it in the page

// What viewer/src and web/src use of it, and nothing else.
function used() {
  const names = new Set();
  for (const folder of [join(here, "src"), join(here, "../web/src")])
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".js")))
      for (const [, name] of readFileSync(join(folder, file), "utf8").matchAll(/\bTHREE\.(\w+)/g)) names.add(name);
  return [...names].sort();
}

export async function three() {
  const contents = `export { ${used().join(", ")} } from "three"; export { OrbitControls } from "${ORBIT}";`;
  const made = await build({ stdin: { contents, resolveDir: here }, bundle: true, minify: true, write: false, format: "iife", globalName: "withyThree",
                             target: "es2020", legalComments: "none" });
  return `${BEGIN}${made.outputFiles[0].text.trim()}${END}`;
}

// For a bundle that runs after it.
export const shared = {
  name: "three.js is there",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^three(\/.*)?$/ }, ({ path }) => ({ path, namespace: "shared" }));
    onLoad({ filter: /./, namespace: "shared" }, () => ({ contents: "module.exports = withyThree;" }));
  },
};
