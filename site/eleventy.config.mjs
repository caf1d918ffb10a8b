// The site: Markdown of the repository -> pages.  tools/site.py lays the pages out in the folder of SITE_FROM, each
// with its title, its source in the repository and its place; this file renders them.  Nothing is loaded from
// elsewhere and every link is relative, so that the folder opens from a file and can be put on any static host.
import fs from "node:fs";
import path from "node:path";
import anchor from "markdown-it-anchor";
import texmath from "markdown-it-texmath";
import katex from "katex";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cmake from "highlight.js/lib/languages/cmake";
import json from "highlight.js/lib/languages/json";
import lua from "highlight.js/lib/languages/lua";
import python from "highlight.js/lib/languages/python";
import MiniSearch from "minisearch";

const languages = { bash, c, cmake, json, lua, python };
for (const [name, grammar] of Object.entries(languages)) hljs.registerLanguage(name, grammar);
hljs.registerAliases(["sh", "shell"], { languageName: "bash" });

const root = process.env.SITE_ROOT, from = process.env.SITE_FROM, out = process.env.SITE_OUT;
const { place } = JSON.parse(fs.readFileSync(path.join(from, "_data/site.json"), "utf8"));
const problems = [];
const relative = (target, here) => path.posix.relative(path.posix.dirname(here), target) || path.posix.basename(target);

// A picture or sound of the repository, copied beside the pages.
function copied(file) {
  const name = `pictures/${file.replaceAll("/", "-")}`;
  fs.mkdirSync(path.join(out, "pictures"), { recursive: true });
  fs.copyFileSync(path.join(root, file), path.join(out, name));
  return name;
}

// Address on the site of `target`, written in the file `source`; null: it is in the repository, not on the site.
function address(target, source, here) {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [name, mark] = target.split("#");
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURI(name))).replace(/\/$/, "");
  if (place[file]) return relative(place[file], here) + (mark ? `#${mark}` : "");
  if (/\.(png|svg|gif|jpg|wav)$/.test(file) && fs.existsSync(path.join(root, file))) return relative(copied(file), here);
  if (!fs.existsSync(path.join(root, file))) problems.push(`${source}: ${target} is nowhere`);
  return null;
}

function rewriteLinks(tokens, env) {
  const open = [];
  for (const token of tokens) {
    if (token.type === "image") token.attrSet("src", address(token.attrGet("src"), env.source, env.place) ?? ""), token.attrSet("loading", "lazy");
    if (token.type === "link_open") {
      const to = address(token.attrGet("href"), env.source, env.place);
      if (to === null) token.tag = "span", token.attrs = null;
      else token.attrSet("href", to);
      open.push(token.tag);
    }
    if (token.type === "link_close") token.tag = open.pop();
    if (token.children) rewriteLinks(token.children, env);
  }
}

function highlight(text, language) {
  const known = hljs.getLanguage(language);
  return known ? hljs.highlight(text, { language, ignoreIllegals: true }).value : "";
}

// Wide tables scroll inside their own box, so that the text of a page never moves sideways.
function boxTables(md) {
  md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0" role="region" aria-label="table"><table>\n';
  md.renderer.rules.table_close = () => "</table></div>\n";
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, i, options, env, self) =>
    `<div class="code">${fence(tokens, i, options, env, self).replace("<pre>", '<pre tabindex="0">')}</div>\n`;
}

// The style of formulas with its fonts inside: a browser may refuse fonts from files to a page opened from a file.
function formulaStyle() {
  const folder = path.join(root, "site/node_modules/katex/dist");
  return fs.readFileSync(path.join(folder, "katex.min.css"), "utf8").replace(/src:url\((fonts\/[^)]*\.woff2)\)[^;}]*/g, (_, font) =>
    `src:url(data:font/woff2;base64,${fs.readFileSync(path.join(folder, font)).toString("base64")}) format("woff2")`);
}

// What the search looks through: a document per section of a page.
function sections(pages) {
  const found = [];
  for (const page of pages) {
    const parts = page.content.split(/<h([123]) id="([^"]+)"[^>]*>(.*?)<\/h\1>/s);
    for (let i = 1; i < parts.length; i += 4) {
      const words = (html) => html.replace(/<span class="katex">.*?<\/math><\/span><span class="katex-html"[^>]*>.*?<\/span><\/span><\/span><\/span>/gs, " ").replace(/<[^>]+>/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"').replace(/&amp;/g, "&").replace(/\s+/g, " ").trim();
      found.push({ id: found.length, page: page.title, title: words(parts[i + 2]).replace(/ ?#$/, ""),
        to: `${page.place}#${parts[i + 1]}`, text: words(parts[i + 3]).slice(0, 1500) });
    }
  }
  return found;
}

export default function (config) {
  config.setQuietMode(true);
  config.amendLibrary("md", (md) => {
    md.set({ html: false, linkify: false, typographer: false, highlight });
    md.use(anchor, { level: [1, 2, 3, 4], slugify: (text) => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s+/g, "-"),
      permalink: anchor.permalink.linkInsideHeader({ symbol: "#", placement: "after", class: "anchor", ariaHidden: true, renderAttrs: () => ({ tabindex: "-1" }) }) });
    md.use(texmath, { engine: katex, delimiters: "dollars", katexOptions: { throwOnError: true, strict: "ignore" } });
    md.use(boxTables);
    md.core.ruler.push("addresses", (state) => rewriteLinks(state.tokens, state.env));
  });
  config.addFilter("to", (target, here) => relative(target, here));
  config.addFilter("lua", (text) => highlight(text, "lua"));
  config.addFilter("cc", (text) => highlight(text, "c"));
  for (const name of ["style.css", "page.js"]) config.addPassthroughCopy({ [path.join(root, "site", name)]: name });
  config.addPassthroughCopy({ [path.join(root, "site/node_modules/minisearch/dist/umd/index.js")]: "minisearch.js" });

  const pages = [];
  config.addTransform("formulas", function (content) {
    const here = path.relative(out, this.page.outputPath);
    return content.includes('class="katex') ? content.replace("</head>", `<link rel="stylesheet" href="${relative("formulas.css", here)}">\n</head>`) : content;
  });
  config.addTransform("collect", function (content) {
    const main = /<main[^>]*>(.*)<\/main>/s.exec(content);
    if (main) pages.push({ title: /<title>(.*?)<\/title>/s.exec(content)[1].replace(/ - withy$/, ""), place: path.relative(out, this.page.outputPath), content: main[1] });
    return content;
  });
  config.on("eleventy.after", () => {
    if (problems.length) throw new Error(problems.join("\n"));
    const search = new MiniSearch({ fields: ["title", "page", "text"], storeFields: ["title", "page", "to", "text"] });
    search.addAll(sections(pages.sort((a, b) => (a.place < b.place ? -1 : 1))));
    fs.writeFileSync(path.join(out, "formulas.css"), formulaStyle());
    fs.writeFileSync(path.join(out, "search.js"), `window.withyIndex = ${JSON.stringify(search)};\n`);
  });
  return { dir: { input: ".", includes: "_includes", data: "_data", output: path.relative(".", out) }, markdownTemplateEngine: false, htmlTemplateEngine: "njk", templateFormats: ["md", "njk"] };
}
