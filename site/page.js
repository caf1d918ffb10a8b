// Search, copy buttons, the menu of a phone, light or dark.
const root = document.body.dataset.root;

// ---- light or dark: the system's choice until a person makes one
document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = dark === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("withy-theme", next); } catch { /* a page from a file may have no storage */ }
});

const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  const open = document.body.classList.toggle("open");
  menu.setAttribute("aria-expanded", String(open));
});

for (const box of document.querySelectorAll("div.code")) {
  const button = document.createElement("button");
  button.type = "button", button.className = "copy", button.textContent = "copy";
  button.addEventListener("click", async () => {
    const text = box.querySelector("code").textContent;
    try { await navigator.clipboard.writeText(text); } catch { selectAll(box.querySelector("code")); document.execCommand("copy"); }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  box.append(button);
}

function selectAll(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges(), getSelection().addRange(range);
}

// ---- search: the index is a script, since a page opened from a file may not fetch
const field = document.querySelector("#find input"), found = document.getElementById("found");
let search = null;

function script(name) {
  return new Promise((done, failed) => {
    const element = document.createElement("script");
    element.src = root + name, element.onload = done, element.onerror = failed;
    document.head.append(element);
  });
}

async function ready() {
  search ??= (async () => {
    await script("minisearch.js");
    await script("search.js");
    return window.MiniSearch.loadJS(window.withyIndex, { fields: ["title", "page", "text"], storeFields: ["title", "page", "to", "text"] });
  })();
  return search;
}

function part(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)).filter((i) => i >= 0).slice(0, 1));
  return (at > 40 ? "… " : "") + text.slice(Math.max(0, at - 40), at + 120);
}

async function look() {
  const words = field.value.trim().toLowerCase();
  found.hidden = !words, found.textContent = "";
  if (!words) return;
  const index = await ready();
  const how = { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 } };
  const all = index.search(words, { ...how, combineWith: "AND" });
  const hits = (all.length ? all : index.search(words, how)).slice(0, 12);
  if (!hits.length) found.textContent = "nothing found";
  for (const hit of hits) {
    const link = document.createElement("a"), text = document.createElement("span"), where = document.createElement("b");
    link.href = root + hit.to, where.textContent = hit.title === hit.page ? hit.title : `${hit.page}: ${hit.title}`;
    text.textContent = part(hit.text, words.split(/\s+/));
    link.append(where, text), found.append(link);
  }
}
field.addEventListener("input", look);
field.addEventListener("focus", ready, { once: true });
document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) event.preventDefault(), field.focus();
  if (event.key === "Escape") field.value = "", found.hidden = true;
});
document.addEventListener("click", (event) => { if (!event.target.closest("#find")) found.hidden = true; });
