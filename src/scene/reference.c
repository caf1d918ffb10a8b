/* reference.c - docs/scene.md, line by line: its opening (docs/scene_opening.txt), and the table that validates. */
#include <ctype.h>
#include <stdarg.h>

#include "model/schema/schema.h"
#include "scene/scene.h"

typedef struct page {
    int row, requested;
    char *text;
    size_t size;
} page;

/* One line of the page; kept if it is the requested one. */
__attribute__((format(printf, 2, 3))) static void line(page *p, const char *format, ...) {
    if (p->row++ != p->requested) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->text, p->size, format, arguments);
    va_end(arguments);
}

static const struct {
    const char *family, *heading, *anchor, *doc;
} family_row[] = {
    {"section", "Sections", "sections", "For `rod.section`."},
    {"law", "Section laws", "section-laws", "For `rod.law`."},
    {"shape", "Shapes", "shapes", "For `rod.rest` and `initial.shape`."},
    {"initial", "Starts from equilibrium", "starts-from-equilibrium", "For `initial`."},
    {"end", "Kinds of ends", "kinds-of-ends", "For `ends.start` and `ends.finish`."},
    {"load", "Kinds of loads", "kinds-of-loads", "For the list `loads`."},
    {"body", "Shapes of bodies", "shapes-of-bodies",
     "For `bodies[...].shape`: for pictures and for `contact`."},
    {"obstacle", "Obstacles", "obstacles",
     "For the list `obstacles`: fixed or driven surfaces that rods and bodies touch. `sphere`, "
     "`box`, `cylinder` and `capsule` have the names of the shapes of bodies; as obstacles they "
     "also have a position, and `radius` can replace `diameter`. If `point` or `center` is a "
     "function of t, the obstacle moves without turning; its surface moves with it and drags the "
     "parts that it touches."},
    {"current", "Currents", "currents", "For `medium.current`."},
    {"wave", "Waves", "waves", "For `medium.waves`, one or a list of them."},
    {"joint", "Kinds of joints", "kinds-of-joints",
     "For the list `joints`. A joint connects two parts, named in `parts`: rods, bodies, or "
     "`\"ground\"`. `at` gives the place on each: any s on a rod, `{ x, y, z }` in the frame of a "
     "body from its centre of mass, or a point in space for the ground, which can be a function of "
     "t. If a joint makes the two places coincide, they must coincide at t = 0. Axes are "
     "laboratory vectors at t = 0 and then turn with their part. Angle and travel are those of the "
     "second part relative to the first, and are 0 at t = 0. Force and torque act on the second "
     "part, and their opposites on the first."},
    {0},
};

static int family_index(const char *family) {
    int i = 0;
    while (family_row[i].family && strcmp(family_row[i].family, family) != 0) i++;
    return i;
}

static void family_heading(page *p, const char *family) {
    const int i = family_index(family);
    line(p, "%s", "");
    line(p, "## %s", family_row[i].heading);
    line(p, "%s", "");
    line(p, "%s", family_row[i].doc);
}

/* "a [table](#rodmaterial)": an anchor is its heading in small letters and without signs. */
static void link_to(const char *noun, const char *group, char *text, size_t size) {
    char anchor[WITHY_NAME] = "";
    const char *where = wy_group_find(group)->where;
    for (size_t used = 0; *where && used + 1 < sizeof anchor; where++)
        if (isalnum((unsigned char)*where) || *where == '_')
            anchor[used++] = (char)tolower((unsigned char)*where);
    snprintf(text, size, "%s(#%s)", noun, anchor);
}

static const char *value_of(const wy_key *key, char *text, size_t size) {
    switch (key->kind) {
    case WY_KEY_GROUP: link_to("a [table]", key->child, text, size); break;
    case WY_KEY_RODS: link_to("a list of [rods]", "rod", text, size); break;
    case WY_KEY_BODIES: link_to("a list of [bodies]", "body", text, size); break;
    case WY_KEY_JOINTS: snprintf(text, size, "a list of [joints](#kinds-of-joints)"); break;
    case WY_KEY_BODY_LOADS: link_to("a list of [loads]", "body_point", text, size); break;
    case WY_KEY_PROBES: link_to("named [probes]", "probe", text, size); break;
    case WY_KEY_OBSTACLES: snprintf(text, size, "a list of [obstacles](#obstacles)"); break;
    case WY_KEY_FRICTION: link_to("a number >= 0, or a [table]", "friction", text, size); break;
    case WY_KEY_LOADS: snprintf(text, size, "a list of [loads](#kinds-of-loads)"); break;
    case WY_KEY_FACTORS: snprintf(text, size, "a list of numbers"); break;
    case WY_KEY_CURVE: snprintf(text, size, "a list { { strain, force }, ... }"); break;
    case WY_KEY_TERMS: snprintf(text, size, "a list { { share, time }, ... }"); break;
    case WY_KEY_POINTS: snprintf(text, size, "a list { { x, y, z }, { x, y, z }, ... }"); break;
    case WY_KEY_OPTIONS: snprintf(text, size, "`name = value`, ..."); break;
    case WY_KEY_INPUTS: snprintf(text, size, "`name = value`, ..., functions of t too"); break;
    case WY_KEY_ONE_OF: { /* "shape: straight, arc or ..." */
        const int i = family_index(key->child);
        char names[128];
        snprintf(text, size, "[%s](#%s): %s", key->child, family_row[i].anchor,
                 wy_family_names(key->child, names, sizeof names));
        break;
    }
    default: wy_key_allowed(key, text, size);
    }
    return text;
}

/* "`pitch`, `angle`, `turns`" */
static const char *quoted_list(const char *keys, char *text, size_t size) {
    char name[WITHY_NAME];
    text[0] = '\0';
    for (int i = 0; wy_word_at(keys, i, name, sizeof name); i++)
        wy_append(text, size, "%s`%s`", i ? ", " : "", name);
    return text;
}

static void rules_of(page *p, const char *group) {
    static const char *const text[] = {
        [WY_EXACTLY_ONE] = "Exactly one of",
        [WY_AT_MOST_ONE] = "At most one of",
        [WY_AT_LEAST_ONE] = "At least one of",
    };
    char list[256], first[WITHY_NAME], second[WITHY_NAME];
    int count = 0;
    const wy_rule *rule;
    for (int i = 0; (rule = wy_rule_at(i)) != NULL; i++) {
        if (strcmp(rule->group, group) != 0) continue;
        if (count++ == 0) line(p, "%s", "");
        wy_word_at(rule->keys, 0, first, sizeof first);
        wy_word_at(rule->keys, 1, second, sizeof second);
        if (rule->rule == WY_NEEDS)
            line(p, "- `%s` needs `%s`.", first, second);
        else if (rule->rule == WY_INSIDE)
            line(p, "- With `%s`, `%s` belongs inside each of them.", first, second);
        else
            line(p, "- %s %s.", text[rule->rule], quoted_list(rule->keys, list, sizeof list));
    }
}

static void keys_of(page *p, const char *group) {
    char allowed[256];
    const wy_key *key;
    line(p, "%s", "");
    line(p, "| key | value | unit | default | meaning |");
    line(p, "|---|---|---|---|---|");
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (strcmp(key->group, group) == 0)
            line(p, "| `%s` | %s | %s | %s | %s |", key->name,
                 value_of(key, allowed, sizeof allowed), key->unit,
                 key->fallback ? key->fallback : "**needed**", key->doc);
}

const char *withy_scene_reference(int row) {
    static _Thread_local char text[1024];
    page p = {.requested = row, .text = text, .size = sizeof text};
    for (const char *at = wy_scene_opening, *end; (end = strchr(at, '\n')); at = end + 1)
        line(&p, "%.*s", (int)(end - at), at);
    const wy_group *group;
    const char *family = "";
    for (int i = 0; (group = wy_group_at(i)) != NULL; i++) {
        if (group->family && strcmp(family, group->family) != 0)
            family_heading(&p, family = group->family);
        line(&p, "%s", "");
        if (group->family)
            line(&p, "### `%s { ... }`", group->where);
        else
            line(&p, i ? "## `%s`" : "## %s", group->where);
        line(&p, "%s", "");
        line(&p, "%s", group->doc);
        rules_of(&p, group->name);
        keys_of(&p, group->name);
    }
    return row >= 0 && row < p.row ? text : NULL;
}

const char *withy_scene_constructor(int index) {
    static const char *const signal[] = {"input", "signal"};
    const wy_group *group;
    for (int i = 0; (group = wy_group_at(i)) != NULL; i++)
        if (group->family && index-- == 0) return group->name;
    return index >= 0 && index < 2 ? signal[index] : NULL;
}
