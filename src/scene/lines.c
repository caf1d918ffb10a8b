/* lines.c - a scanner of Lua text that records the line of every key of the returned table. */
#include "scene/lua.h"

#include <ctype.h>

/* Bounds that keep the scan linear for any text; beyond them messages have no line numbers. */
enum { MOST_LINES = 4096, MOST_DEPTH = 8, MOST_LOOKUPS = 64, PATH = 256 };

/* ---- tokens ----------------------------------------------------------------------------------- */

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_TEXT, TOKEN_NUMBER, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    const char *at;
    int length;
    int line;
} token;

typedef struct scanner {
    const char *at, *end;
    int line;
    token now;
} scanner;

static char peek(const scanner *x, int ahead) {
    return x->end - x->at > ahead ? x->at[ahead] : '\0';
}

static void skip(scanner *x, ptrdiff_t count) {
    for (; count > 0 && x->at < x->end; count--) x->line += *x->at++ == '\n';
}

/* Level of a long bracket "[==[" that opens here, or -1. */
static int bracket_level(const scanner *x) {
    int level = 0;
    if (peek(x, 0) != '[') return -1;
    while (peek(x, 1 + level) == '=') level++;
    return peek(x, 1 + level) == '[' ? level : -1;
}

static void skip_bracket(scanner *x, int level) {
    skip(x, level + 2);
    while (x->at < x->end) {
        if (peek(x, 0) == ']') {
            int equals = 0;
            while (equals < level && peek(x, 1 + equals) == '=') equals++;
            if (equals == level && peek(x, 1 + level) == ']') {
                skip(x, level + 2);
                return;
            }
        }
        skip(x, 1);
    }
}

static void skip_quoted(scanner *x) {
    const char quote = peek(x, 0);
    skip(x, 1);
    while (x->at < x->end && peek(x, 0) != quote && peek(x, 0) != '\n')
        skip(x, peek(x, 0) == '\\' ? 2 : 1);
    skip(x, 1);
}

static void skip_blank(scanner *x) {
    for (;;) {
        while (x->at < x->end && isspace((unsigned char)peek(x, 0))) skip(x, 1);
        if (peek(x, 0) != '-' || peek(x, 1) != '-') return;
        skip(x, 2);
        const int level = bracket_level(x);
        if (level >= 0)
            skip_bracket(x, level);
        else
            while (x->at < x->end && peek(x, 0) != '\n') skip(x, 1);
    }
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Move to the next token. */
static void advance(scanner *x) {
    skip_blank(x);
    const char *start = x->at;
    const char c = peek(x, 0);
    x->now = (token){TOKEN_SIGN, start, 0, x->line};
    if (x->at >= x->end) {
        x->now.kind = TOKEN_END;
    } else if (bracket_level(x) >= 0) {
        x->now.kind = TOKEN_TEXT;
        skip_bracket(x, bracket_level(x));
    } else if (c == '"' || c == '\'') {
        x->now.kind = TOKEN_TEXT;
        skip_quoted(x);
    } else if (is_word(c)) {
        x->now.kind = isdigit((unsigned char)c) ? TOKEN_NUMBER : TOKEN_NAME;
        while (is_word(peek(x, 0))) skip(x, 1);
    } else {
        skip(x, strchr("=~<>", c) && c && peek(x, 1) == '=' ? 2 : 1); /* "==" is not "=" */
    }
    x->now.length = (int)(x->at - start);
}

static int is(const token *t, const char *text) {
    return t->kind != TOKEN_END && t->kind != TOKEN_TEXT && (int)strlen(text) == t->length &&
           memcmp(t->at, text, (size_t)t->length) == 0;
}

static int is_one_of(const token *t, const char *const *word) {
    for (; *word; word++)
        if (is(t, *word)) return 1;
    return 0;
}

/* +1 for what opens a bracket or a block, -1 for what closes one. */
static int nesting(const token *t) {
    static const char *const open[] = {"(", "{", "[", "function", "if", "do", "repeat", NULL};
    static const char *const close[] = {")", "}", "]", "end", "until", NULL};
    return is_one_of(t, open) - is_one_of(t, close);
}

/* ---- following the table ---------------------------------------------------------------------- */

typedef struct scan {
    wy_lines *lines;
    wy_arena *arena;
    scanner top; /* at the beginning of the text */
    int lookups;
} scan;

static void record(scan *w, const char *path, int line) {
    if (w->lines->count >= MOST_LINES) return;
    const size_t size = strlen(path) + 1;
    wy_line *entry = wy_arena_alloc(w->arena, 1, sizeof *entry + size);
    if (!entry) return;
    entry->line = line;
    memcpy(entry->path, path, size);
    entry->next = w->lines->first; /* so that the last one written is found first, as in Lua */
    w->lines->first = entry;
    w->lines->count++;
}

/* To the "," ";" or "}" that ends the expression. */
static void skip_expression(scanner *x) {
    for (int depth = 0; x->now.kind != TOKEN_END; advance(x)) {
        if (depth == 0 && (is(&x->now, ",") || is(&x->now, ";") || is(&x->now, "}"))) return;
        depth += nesting(&x->now);
        if (depth < 0) return;
    }
}

/* Where the outermost `name = ` gives its value last; 0 when nowhere. */
static int find_definition(scan *w, const token *name, scanner *out) {
    int found = 0, depth = 0;
    if (w->lookups++ >= MOST_LOOKUPS) return 0;
    scanner x = w->top;
    for (advance(&x); x.now.kind != TOKEN_END && x.now.at < name->at;) {
        const token t = x.now;
        depth += nesting(&t);
        advance(&x);
        if (depth != 0 || t.kind != TOKEN_NAME || !is(&x.now, "=")) continue;
        if (t.length != name->length || memcmp(t.at, name->at, (size_t)t.length) != 0) continue;
        advance(&x);
        *out = x;
        found = 1;
    }
    return found;
}

static void follow_table(scan *w, scanner *x, const char *path, int depth);

/* A value: a table, what a constructor makes of a table, or a name of one of them. */
static void follow_value(scan *w, scanner *x, const char *path, int depth) {
    const token first = x->now;
    if (is(&first, "{")) {
        follow_table(w, x, path, depth);
    } else if (first.kind == TOKEN_NAME) {
        advance(x);
        scanner elsewhere;
        const int ends =
            x->now.kind == TOKEN_END || is(&x->now, ",") || is(&x->now, ";") || is(&x->now, "}");
        if (is(&x->now, "{"))
            follow_table(w, x, path, depth);
        else if (ends && depth < MOST_DEPTH && find_definition(w, &first, &elsewhere))
            follow_value(w, &elsewhere, path, depth + 1);
        else if (nesting(&first) > 0) /* a function: its first word has been read */
            for (int open = 1; open > 0 && x->now.kind != TOKEN_END; advance(x))
                open += nesting(&x->now);
    }
    skip_expression(x);
}

/* One entry: `name = value`, `["name"] = value`, or a value that counts. */
static void follow_entry(scan *w, scanner *x, const char *path, int *index, int depth) {
    char inner[PATH];
    const char *dot = path[0] ? "." : "";
    scanner ahead = *x;
    token name = x->now;
    const int bracket = is(&name, "[");
    if (bracket) {
        advance(&ahead);
        name = ahead.now;
        if (name.kind == TOKEN_TEXT && name.length >= 2) name.at++, name.length -= 2;
        advance(&ahead);
    }
    advance(&ahead);
    if ((name.kind == TOKEN_NAME || bracket) && is(&ahead.now, "=")) {
        if (name.kind == TOKEN_NUMBER)
            snprintf(inner, sizeof inner, "%s[%.*s]", path, name.length, name.at);
        else
            snprintf(inner, sizeof inner, "%s%s%.*s", path, dot, name.length, name.at);
        advance(&ahead);
        *x = ahead;
    } else {
        snprintf(inner, sizeof inner, "%s[%d]", path, ++*index);
        if (name.kind == TOKEN_NUMBER) { /* components of vectors have the line of their vector */
            skip_expression(x);
            return;
        }
    }
    record(w, inner, name.line);
    follow_value(w, x, inner, depth);
}

/* From "{" to behind its "}". */
static void follow_table(scan *w, scanner *x, const char *path, int depth) {
    int index = 0;
    if (depth >= MOST_DEPTH) {
        skip_expression(x);
        return;
    }
    advance(x);
    while (x->now.kind != TOKEN_END && !is(&x->now, "}")) {
        const char *before = x->now.at;
        follow_entry(w, x, path, &index, depth + 1);
        if (is(&x->now, ",") || is(&x->now, ";")) advance(x);
        if (x->now.at == before) return; /* not Lua: give up */
    }
    advance(x);
}

/* The last `return` outside of all brackets and blocks is the scene's. */
void wy_lines_scan(wy_lines *lines, wy_arena *arena, const char *text, size_t size) {
    scan w = {lines, arena, {.at = text, .end = text + size, .line = 1}, 0};
    scanner x = w.top, last = {0};
    int depth = 0;
    for (advance(&x); x.now.kind != TOKEN_END; advance(&x)) {
        if (depth == 0 && is(&x.now, "return")) last = x;
        depth += nesting(&x.now);
    }
    if (!last.at) return;
    advance(&last);
    follow_value(&w, &last, "", 0);
}

/* ---- lookup ----------------------------------------------------------------------------------- */

static int find(const wy_lines *lines, const char *path, size_t length) {
    for (const wy_line *entry = lines->first; entry; entry = entry->next)
        if (strlen(entry->path) == length && memcmp(entry->path, path, length) == 0)
            return entry->line;
    return 0;
}

int wy_lines_exact(const wy_lines *lines, const char *path) {
    return find(lines, path, strlen(path));
}

int wy_lines_find(const wy_lines *lines, const char *path) {
    for (size_t length = strlen(path); length > 0;) {
        const int line = find(lines, path, length);
        if (line > 0) return line;
        do length--;
        while (length > 0 && path[length] != '.' && path[length] != '[');
    }
    return 0;
}
