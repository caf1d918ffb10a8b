// The editor: Lua with colours, completion from the schema of scenes, and errors at their line.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// ---- the schema: keys of every table and constructor, read from the reference page ------------------------------------
export function readSchema(lines) {
  const sections = {};
  let at = null;
  for (const line of lines) {
    const head = /^###? +`?([a-z_0-9.]+)/i.exec(line.replace("`probes.NAME`", "`probes`"));
    if (/^##/.test(line)) {
      const name = /^## The scene/.test(line) ? "" : head?.[1].replace(/^.*\./, "");
      at = name === undefined ? null : (sections[name] ??= []);
      continue;
    }
    const row = /^\| `([a-z_0-9]+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/i.exec(line);
    if (row && at) at.push({ label: row[1], type: "property", detail: [row[2].replace(/\[(.*?)\]\(.*?\)/g, "$1"), row[3] && `[${row[3]}]`].filter(Boolean).join(" "),
                             info: `${row[5]}${row[4] ? ` (default: ${row[4]})` : ""}`, apply: `${row[1]} = ` });
  }
  return sections;
}

// The name before the innermost open brace left of `at`: "circle" in circle { | }, "material" in material = { | }.
function enclosing(text) {
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === "}") depth++;
    else if (text[i] === "{" && depth-- === 0) {
      const name = /([A-Za-z_]\w*)\s*=?\s*$/.exec(text.slice(0, i))?.[1];
      return name === "return" ? "" : name ?? enclosing(text.slice(0, i)).replace(/s$/, "");
    }
  }
  return null;
}

// Options of the method that the scene names; of all methods, if it names none.
function optionsFrom(methods) {
  return (name) => {
    const of = methods.some((m) => m.name === name) ? methods.filter((m) => m.name === name) : methods, out = new Map();
    for (const { options } of of)
      for (const o of options)
        out.set(o.name, { label: o.name, type: "property", detail: [o.words?.replaceAll("|", " or "), o.unit && o.unit !== "-" && `[${o.unit}]`].filter(Boolean).join(" "),
                          info: o.doc, apply: `${o.name} = ` });
    return [...out.values()];
  };
}

function completeFrom(schema, constructors, methods) {
  const optionsOf = optionsFrom(methods);
  const made = constructors.map((label) => ({ label, type: "class", apply: `${label} { ` }));
  return (context) => {
    const word = context.matchBefore(/[A-Za-z_]\w*/), before = context.state.sliceDoc(Math.max(0, context.pos - 6000), word ? word.from : context.pos);
    if (!word && !context.explicit) return null;
    const inside = enclosing(before), value = /=\s*$/.test(before);
    const keys = value ? [] : inside === "options" ? optionsOf(/method\s*=\s*"(\w+)"/.exec(context.state.doc.toString())?.[1]) : schema[inside] ?? (inside === "start" || inside === "finish" ? schema.clamped : []) ?? [];
    return { from: word ? word.from : context.pos, options: [...keys, ...made], validFor: /^\w*$/ };
  };
}

// ---- looks, by the variables of the page -----------------------------------------------------------------------------
const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-word)", fontWeight: "600" }, { tag: tags.comment, color: "var(--code-note)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-text)" }, { tag: tags.number, color: "var(--code-number)" }, { tag: tags.standard(tags.variableName), color: "var(--code-name)" },
]);
const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--card)" },
  ".cm-scroller": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--chosen) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionInfo": { maxWidth: "320px" },
});

export function makeEditor(parent, { onChange, onRun, nonce, schema, constructors, methods }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: "", extensions: [
      EditorView.cspNonce.of(nonce), lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(),
      StreamLanguage.define(lua), syntaxHighlighting(style), theme,
      autocompletion({ icons: false, override: [completeFrom(schema, constructors, methods)] }),
      keymap.of([{ key: "Mod-Enter", run: () => (onRun(), true) }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "scene, in Lua; escape then tab leaves the editor" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
    ] }),
  });
  view.scrollDOM.tabIndex = 0; // so that keys scroll it
  return {
    view,
    text: () => view.state.doc.toString(),
    set(text) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }); },
    // the message at its line; line 0: none
    complain(message, line) {
      const { doc } = view.state, at = line >= 1 && line <= doc.lines ? doc.line(line) : null;
      view.dispatch(setDiagnostics(view.state, at && message ? [{ from: at.from, to: at.to, severity: "error", message: message }] : []));
      if (at && message) view.dispatch({ effects: EditorView.scrollIntoView(at.from, { y: "nearest" }) });
    },
  };
}
