/* cmd_list.c - withy list: everything in this build, from the tables that the code itself uses.
 */
#include <string.h>

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

/* A case is described by the first comment line of its scene. */
static int list_cases(const char *name, cli_json *json) {
    int shown = 0;
    for (const wy_case *c = wy_cases; c->name; c++) {
        if (name[0] && strcmp(name, c->name) != 0) continue;
        shown++;
        const char *about = c->text + strspn(c->text, "- ");
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(about, "\n"), about);
        if (json) {
            json_open(json, NULL, '{');
            json_text(json, "name", c->name);
            json_text(json, "about", line);
            json_close(json, '}');
        } else if (name[0]) {
            cli_print("%s", c->text);
        } else {
            cli_print("%-18s %s\n", c->name, line);
        }
    }
    return shown;
}

static int list_quantities(const char *name, cli_json *json) {
    int count, shown = 0;
    const withy_quantity *q = withy_quantity_list(&count);
    for (int i = 0; i < count; i++) {
        if (name[0] && strcmp(name, q[i].name) != 0) continue;
        shown++;
        if (!json) {
            cli_print("%-10s %d x %-6s %s\n", q[i].name, q[i].size, q[i].unit, q[i].doc);
            continue;
        }
        json_open(json, NULL, '{');
        json_text(json, "name", q[i].name);
        json_text(json, "unit", q[i].unit);
        json_whole(json, "size", q[i].size);
        json_text(json, "doc", q[i].doc);
        json_close(json, '}');
    }
    return shown;
}

static int list_scene(const char *name, cli_json *json) {
    (void)name;
    for (int i = 0; withy_scene_reference(i); i++) {
        if (json)
            json_text(json, NULL, withy_scene_reference(i));
        else
            cli_print("%s\n", withy_scene_reference(i));
    }
    return 1;
}

static const struct {
    const char *name;
    int (*list)(const char *name, cli_json *json);
} topic[] = {{"methods", list_methods},
             {"sinks", list_sinks},
             {"cases", list_cases},
             {"quantities", list_quantities},
             {"scene", list_scene}};

int cmd_list(int argc, char **argv) {
    int json = 0;
    cli_list rest;
    const cli_option option[] = {{"json", 0, NULL, "print a JSON list", .flag = &json}, {0}};
    const cli_usage usage = {
        "withy list [methods|sinks|cases|quantities|scene] [NAME]",
        "What this build contains.  With a NAME: that entry in full (a method with every option, "
        "the "
        "text\n"
        "of a case).  `withy list scene` is the reference of every scene key.",
        "  withy list methods elastica\n  withy list cases falling_rod > my_scene.lua", option};
    const int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (rest.count > 2) {
        cli_warn("withy: too many arguments at \"%s\"; usage: %s\n", rest.item[2], usage.line);
        return CLI_USAGE;
    }
    const char *what = rest.count > 0 ? rest.item[0] : "methods";
    const char *name = rest.count > 1 ? rest.item[1] : "";
    for (size_t i = 0; i < sizeof topic / sizeof *topic; i++) {
        if (strcmp(what, topic[i].name) != 0) continue;
        cli_json out = {0};
        if (json) json_open(&out, NULL, '[');
        const int shown = topic[i].list(name, json ? &out : NULL);
        if (json) json_close(&out, ']');
        if (shown || !name[0]) return CLI_OK;
        cli_warn("withy: there is no \"%s\" among the %s; withy list %s shows them\n", name, what,
                 what);
        return CLI_USAGE;
    }
    cli_warn("withy: cannot list \"%s\"; usage: %s\n", what, usage.line);
    return CLI_USAGE;
}
