/* cmd_list.c - withy list: everything in this build, from the tables that the code itself uses.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cases.h"
#include "cli.h"

static const char *range_of(const withy_option_info *o, char *text, size_t size) {
    if (o->kind == 'b')
        snprintf(text, size, "true, false");
    else if (o->kind == 'w')
        snprintf(text, size, "%s", o->words);
    else
        snprintf(text, size, "%g .. %g%s", o->min, o->max, o->kind == 'a' ? ", auto" : "");
    return text;
}

/* The default as written in a scene. */
static const char *default_of(const withy_option_info *o, char *text, size_t size) {
    if (o->kind == 'b') return o->value ? "true" : "false";
    if (o->kind == 'a' && o->value == 0) return "auto";
    if (o->kind != 'w') {
        snprintf(text, size, "%g", o->value);
        return text;
    }
    const char *word = o->words;
    for (int i = 0; i < (int)o->value && strchr(word, '|'); i++) word = strchr(word, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
    return text;
}

static void print_method(const withy_method_info *m, int options) {
    cli_print("%-10s %s  %s%s%s\n", m->name, m->summary, m->source,
              m->needs ? "; not in this build: " : "", m->needs ? m->needs : "");
    char range[256], value[64];
    for (const withy_option_info *o = m->options; options && o && o->name; o++)
        cli_print("    options.%-12s %-5s default %-10s %s\n        %s\n", o->name, o->unit,
                  default_of(o, value, sizeof value), range_of(o, range, sizeof range), o->doc);
}

static void json_method(cli_json *json, const withy_method_info *m) {
    char text[256];
    json_open(json, NULL, '{');
    json_text(json, "name", m->name);
    json_text(json, "summary", m->summary);
    json_text(json, "source", m->source);
    json_bool(json, "available", m->needs == NULL);
    json_open(json, "options", '[');
    for (const withy_option_info *o = m->options; o && o->name; o++) {
        json_open(json, NULL, '{');
        json_text(json, "name", o->name);
        json_text(json, "unit", o->unit);
        json_text(json, "default", default_of(o, text, sizeof text));
        json_text(json, "range", range_of(o, text, sizeof text));
        json_text(json, "doc", o->doc);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

/* ---- one function per thing to list; name is "" or one entry
 * ------------------------------------- */

static int list_methods(const char *name, cli_json *json) {
    withy_method_info info;
    int shown = 0;
    for (int i = 0; withy_method_at(i, &info); i++) {
        if (name[0] && strcmp(name, info.name) != 0) continue;
        shown++;
        if (json)
            json_method(json, &info);
        else
            print_method(&info, name[0] != 0);
    }
    return shown;
}

static int list_sinks(const char *name, cli_json *json) {
    withy_sink_info info;
    int shown = 0;
    for (int i = 0; withy_sink_at(i, &info); i++) {
        if (name[0] && strcmp(name, info.name) != 0) continue;
        shown++;
        if (!json) {
            cli_print("%-6s %-5s %s%s%s\n", info.name, info.ending, info.summary,
                      info.needs ? "; not in this build: " : "", info.needs ? info.needs : "");
            continue;
        }
        json_open(json, NULL, '{');
        json_text(json, "name", info.name);
        json_text(json, "ending", info.ending);
        json_text(json, "summary", info.summary);
        json_bool(json, "available", info.needs == NULL);
        json_close(json, '}');
    }
    return shown;
}

/* A case is described by the first message of its comment, which may continue for several lines. */
static const char *about_of(const wy_case *c, char *text, size_t size) {
    size_t used = 0;
    const char *line = c->text;
    text[0] = '\0';
    while (strncmp(line, "--", 2) == 0) {
        const char *word = line + strspn(line, "- ");
        const size_t length = strcspn(word, "\n");
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " " : "", (int)length,
                                 word);
        if (used >= size || length == 0 || word[length - 1] == '.') break;
        line = word + length + (word[length] == '\n');
        if (strncmp(line, "-- ", 3) == 0 && line[strcspn(line, ":\n")] == ':' &&
            strcspn(line + 3, " ") >= strcspn(line + 3, ":"))
            break; /* "-- plot: ..." is for the pictures */
    }
    return text;
}

static int list_cases(const char *name, cli_json *json) {
    int shown = 0;
    for (const wy_case *c = wy_cases; c->name; c++) {
        if (name[0] && strcmp(name, c->name) != 0) continue;
        char about[512];
        shown++;
        about_of(c, about, sizeof about);
        if (json) {
            json_open(json, NULL, '{');
            json_text(json, "name", c->name);
            json_text(json, "about", about);
            json_close(json, '}');
        } else if (name[0]) {
            cli_print("%s", c->text);
        } else {
            cli_print("%-24s %s\n", c->name, about);
        }
    }
    return shown;
}

/* What a quantity belongs to: in JSON, and as a heading. */
static const char *const belongs[WITHY_OF_KINDS][2] = {
    [WITHY_OF_ROD] = {"rod", "At the stations of a rod"},
    [WITHY_OF_BODY] = {"body", "Of a body"},
    [WITHY_OF_JOINT] = {"joint", "Of a joint"},
    [WITHY_OF_OBSTACLE] = {"obstacle", "Of an obstacle"},
    [WITHY_OF_LEDGER] = {"ledger", "Of a rod as a whole, or of the scene"},
    [WITHY_OF_BODIES] = {"bodies", "Of all bodies"},
    [WITHY_OF_JOINTS] = {"joints", "Of all joints"},
    [WITHY_OF_CONTACT] = {"contact", "Of a contact"}};

static void json_quantity(cli_json *json, const withy_quantity *q) {
    json_open(json, NULL, '{');
    json_text(json, "of", belongs[q->of][0]);
    json_text(json, "name", q->name);
    json_text(json, "unit", q->unit);
    json_whole(json, "size", q->size);
    json_text(json, "doc", q->doc);
    json_close(json, '}');
}

static void print_quantity(const withy_quantity *q) {
    cli_print("| `%s` | %s | ", q->name, q->unit);
    for (int i = 0; i < q->size && q->size > 1; i++) {
        char name[WITHY_NAME];
        cli_print("%s`%s`", i ? " " : "", withy_quantity_component(q, i, name, sizeof name));
    }
    cli_print(" | %s |\n", q->doc);
}

/* Markdown, which is also the page docs/quantities.md. */
static int list_quantities(const char *name, cli_json *json) {
    int count, shown = 0;
    for (int of = 0; of < WITHY_OF_KINDS; of++) {
        const withy_quantity *q = withy_quantity_list(of, &count);
        for (int i = 0, first = 1; i < count; i++) {
            if (name[0] && strcmp(name, q[i].name) != 0) continue;
            if (json)
                json_quantity(json, &q[i]);
            else if (first)
                cli_print("%s## %s\n\n| name | unit | components | what |\n|---|---|---|---|\n",
                          shown ? "\n" : "", belongs[of][1]);
            if (!json) print_quantity(&q[i]);
            first = 0, shown++;
        }
    }
    return shown;
}

/* Markdown, which is also the page docs/notes.md. */
static int list_notes(const char *name, cli_json *json) {
    withy_note_kind kind;
    int shown = 0;
    for (int i = 0; withy_note_kind_at(i, &kind); i++) {
        if (name[0] && strcmp(name, kind.id) != 0) continue;
        shown++;
        if (!json) {
            cli_print("- `%s`: %s\n  \"%s\"\n", kind.id, kind.meaning, kind.text);
            continue;
        }
        json_open(json, NULL, '{');
        json_text(json, "id", kind.id);
        json_text(json, "text", kind.text);
        json_text(json, "meaning", kind.meaning);
        json_close(json, '}');
    }
    return shown;
}

static const char *note_at(const void *unused, int index) {
    static withy_note_kind kind;
    (void)unused;
    return withy_note_kind_at(index, &kind) ? kind.id : NULL;
}

/* ---- the scene reference, in full, or the tables and keys of one name ------------------------------ */

/* The name in a heading ("## `rod.material`", "### `helix { ... }`", "## Shapes"), or in the row of a key
 * ("| `length` | ..."): 0 when the line has none. */
static int name_in(const char *line, char mark, char *name, size_t size) {
    if (line[0] != mark) return 0;
    const char *at = line + strspn(line, "#| `");
    const size_t length = strcspn(at, mark == '#' ? "`{" : "`");
    size_t kept = length;
    while (kept && at[kept - 1] == ' ') kept--;
    snprintf(name, size, "%.*s", (int)kept, at);
    return mark == '#' || strncmp(line, "| `", 3) == 0;
}

/* Without case, and "scene" is "The scene"; "material" also finds rod.material. */
static int is_called(const char *have, const char *requested) {
    if (strcasecmp(have, "The scene") == 0) have = "scene";
    const char *dot = strrchr(have, '.');
    return strcasecmp(have, requested) == 0 || (dot && strcasecmp(dot + 1, requested) == 0);
}

/* The lines of the tables that have the name; returns how many tables. */
static int print_tables(const char *name) {
    char have[128];
    int shown = 0, inside = 0;
    for (int i = 0; withy_scene_reference(i); i++) {
        const char *line = withy_scene_reference(i);
        if (name_in(line, '#', have, sizeof have) && line[1] == '#') {
            inside = is_called(have, name);
            shown += inside;
        }
        if (inside) cli_print("%s\n", line);
    }
    return shown;
}

/* The rows of the keys that have the name, each under the table it belongs to. */
static int print_keys(const char *name) {
    char table[128] = "", have[128], path[260];
    int shown = 0;
    for (int i = 0; withy_scene_reference(i); i++) {
        const char *line = withy_scene_reference(i);
        if (line[0] == '#') name_in(line, '#', table, sizeof table);
        if (!name_in(line, '|', have, sizeof have)) continue;
        snprintf(path, sizeof path, "%s.%s", table, have);
        if (strcasecmp(have, name) != 0 && strcasecmp(path, name) != 0) continue;
        if (!shown++) cli_print("| key | value | unit | default | meaning |\n");
        cli_print("%s: %s\n", table, line);
    }
    return shown;
}

static int list_scene(const char *name, cli_json *json) {
    if (name[0] && !json) return print_tables(name) + print_keys(name);
    for (int i = 0; withy_scene_reference(i); i++) {
        if (json)
            json_text(json, NULL, withy_scene_reference(i));
        else
            cli_print("%s\n", withy_scene_reference(i));
    }
    return 1;
}

/* Every name of the reference, for suggestions: headings and keys in turn, kept, since they are compared. */
static const char *scene_name_at(const void *unused, int index) {
    enum { NAMES = 512 };
    static char name[NAMES][64];
    static int count, read;
    (void)unused;
    for (int i = 0; !read && withy_scene_reference(i); i++) {
        const char *line = withy_scene_reference(i);
        if (count < NAMES && (line[0] == '#' || line[0] == '|'))
            count += name_in(line, line[0], name[count], sizeof name[count]) && name[count][0];
    }
    read = 1;
    return index < count ? name[index] : NULL;
}

/* ---- features ---------------------------------------------------------------------------------------- */

/* What no method does, and what serves instead. */
static const struct {
    const char *what, *instead;
} cannot[] = {
#define CANNOT(what, instead) {what, instead},
#include "cannot.inc"
#undef CANNOT
};

enum { CANNOTS = sizeof cannot / sizeof *cannot };

static void json_features(cli_json *json) {
    withy_feature_info feature;
    withy_method_info method;
    for (int i = 0; withy_feature_at(i, &feature); i++) {
        json_open(json, NULL, '{');
        json_text(json, "feature", feature.words);
        for (int m = 0; withy_method_at(m, &method); m++)
            json_bool(json, method.name, (int)(feature.methods >> m & 1));
        json_close(json, '}');
    }
    for (int i = 0; i < CANNOTS; i++) {
        json_open(json, NULL, '{');
        json_text(json, "cannot", cannot[i].what);
        json_text(json, "instead", cannot[i].instead);
        json_close(json, '}');
    }
}

/* Markdown, which is also the page docs/limits.md. */
static void print_features(void) {
    withy_feature_info feature;
    withy_method_info method;
    cli_print("| feature |");
    for (int m = 0; withy_method_at(m, &method); m++) cli_print(" %s |", method.name);
    cli_print("\n|---|");
    for (int m = 0; withy_method_at(m, &method); m++) cli_print("---|");
    cli_print("\n");
    for (int i = 0; withy_feature_at(i, &feature); i++) {
        cli_print("| %s |", feature.words);
        for (int m = 0; withy_method_at(m, &method); m++)
            cli_print(" %s |", feature.methods >> m & 1 ? "yes" : "-");
        cli_print("\n");
    }
    cli_print("\n| withy cannot | use instead |\n|---|---|\n");
    for (int i = 0; i < CANNOTS; i++) cli_print("| %s | %s |\n", cannot[i].what, cannot[i].instead);
}

static int list_features(const char *name, cli_json *json) {
    if (name[0]) return 0;
    if (json)
        json_features(json);
    else
        print_features();
    return 1;
}

static const char *sink_at(const void *unused, int index) {
    withy_sink_info info;
    (void)unused;
    return withy_sink_at(index, &info) ? info.name : NULL;
}

static const char *quantity_at(const void *unused, int index) {
    (void)unused;
    for (int of = 0, count; of < WITHY_OF_KINDS; of++, index -= count) {
        const withy_quantity *q = withy_quantity_list(of, &count);
        if (index < count) return q[index].name;
    }
    return NULL;
}

static const struct {
    const char *name;
    int (*list)(const char *name, cli_json *json);
    const char *(*next)(const void *unused, int index); /* its names; NULL: it has none */
} topic[] = {{"methods", list_methods, cli_method_at},
             {"sinks", list_sinks, sink_at},
             {"cases", list_cases, cli_case_at},
             {"quantities", list_quantities, quantity_at},
             {"scene", list_scene, scene_name_at},
             {"features", list_features, NULL},
             {"notes", list_notes, note_at}};

enum { TOPICS = sizeof topic / sizeof *topic };

static const char *topic_at(const void *unused, int index) {
    (void)unused;
    return index < TOPICS ? topic[index].name : NULL;
}

/* A list is printed when it is known not to be that of a name that is not there: of that the message is.
 * -1: memory ran out. */
static int list_json(int i, const char *name) {
    char *text = NULL;
    size_t size = 0;
    cli_json out = {.file = open_memstream(&text, &size)};
    int shown = 0;
    if (!out.file) return -1;
    json_open(&out, NULL, '[');
    shown = topic[i].list(name, &out);
    json_close(&out, ']');
    const int torn = ferror(out.file) != 0;
    if (fclose(out.file) != 0 || torn) shown = -1;
    if (shown > 0 || (shown == 0 && !name[0])) fwrite(text, 1, size, stdout);
    free(text);
    return shown;
}

static int list_topic(int i, const char *name, int json) {
    const int shown = json ? list_json(i, name) : topic[i].list(name, NULL);
    if (shown < 0) {
        cli_warn("withy: memory ran out: the list of %s is not printed\n", topic[i].name);
        return CLI_FAILED;
    }
    if (shown || !name[0]) return CLI_OK;
    cli_guess guess = {0};
    if (topic[i].next) cli_mean(name, topic[i].next, &guess);
    cli_warn("withy: there is no \"%s\" among %s%s%s withy list %s shows them\n", name,
             topic[i].list == list_scene ? "the keys of a " : "the ", topic[i].name,
             guess.text[0] ? guess.text : ";", topic[i].name);
    return CLI_USAGE;
}

int cmd_list(int argc, char **argv) {
    int json = 0;
    cli_list rest;
    const cli_option option[] = {{"json", 0, NULL, "print a JSON list", .flag = &json}, {0}};
    const cli_usage usage = {
        "withy list [methods|sinks|cases|quantities|scene|features|notes] [NAME]",
        "What this build contains.  With a NAME: that entry in full (a method with every "
        "option, the text\n"
        "of a case, a table or key of the scene).  `withy list scene` prints the reference of "
        "every scene key,\n"
        "`withy list features` what each method can do, and what no method can do, and\n"
        "`withy list notes` the notes that a result can have.",
        "  withy list methods elastica\n  withy list cases falling_rod > my_scene.lua\n"
        "  withy list scene helix",
        option};
    const int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (rest.count > 2) {
        cli_warn("withy: too many arguments at \"%s\"; usage: %s\n", rest.item[2], usage.line);
        return CLI_USAGE;
    }
    const char *what = rest.count > 0 ? rest.item[0] : "methods";
    const char *name = rest.count > 1 ? rest.item[1] : "";
    for (int i = 0; i < TOPICS; i++)
        if (strcmp(what, topic[i].name) == 0) return list_topic(i, name, json);
    cli_guess guess;
    cli_warn("withy: cannot list \"%s\"%s usage: %s\n", what,
             cli_mean(what, topic_at, &guess)[0] ? guess.text : ";", usage.line);
    return CLI_USAGE;
}
