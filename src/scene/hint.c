/* hint.c - what to do about mistakes that newcomers make: a sentence of Lua, or of the table of keys, is right
 * but does not say it.  Tables only: a mistake is a row.
 */
#include "scene/lua.h"

#ifdef WITHY_HAVE_LIB_LUA

#include <stdio.h>
#include <string.h>

/* ---- sentences of Lua ------------------------------------------------------------------------------- */

/* Both parts are in the message. */
static const struct {
    const char *part, *also, *hint;
} lua_row[] = {
    {"unexpected symbol near '{'", "", "; write return before the table: return { ... }"},
    {"'}' expected", "near <eof>", "; a } is missing at the end"},
    {"'}' expected", "", "; is a comma missing before it?"},
    {"malformed number", "", "; a number has no unit and a decimal point: length = 1.5"},
    {"<name> expected", "near '{'", "; a scene is Lua: key = value, not key: value"},
    {"unexpected symbol near '\"", "", "; a scene is Lua: key = value, without quotes"},
    {"unfinished string", "", "; close the quotes"},
    {"perform arithmetic on a table value", "", "; a comment begins with --, and // divides"},
};

static const char *lua_hint(const char *message) {
    for (size_t i = 0; i < sizeof lua_row / sizeof *lua_row; i++)
        if (strstr(message, lua_row[i].part) && strstr(message, lua_row[i].also))
            return lua_row[i].hint;
    return "";
}

/* ---- names that a scene does not have ---------------------------------------------------------------- */

static const struct {
    const char *name, *hint;
} name_row[] = {
    {"Return", "; Lua writes return in small letters"},
    {"print", "; a scene prints nothing: withy check shows what was read"},
    {"require", "; a scene loads no modules: write all of it into one file"},
    {"dofile", "; a scene loads no files: write all of it into one file"},
    {"io", "; a scene reads no files but tables: local m = table \"measured.csv\""},
    {"os", "; a scene has no os; math.random gives the same numbers every time"},
    {"square", "; did you mean \"rectangle\"?"},
    {"rect", "; did you mean \"rectangle\"?"},
    {"round", "; did you mean \"circle\"?"},
    {"fixed", "; did you mean \"clamped\"?"},
    {"built_in", "; did you mean \"clamped\"?"},
    {"supported", "; did you mean \"pinned\"?"},
    {"force", "; did you mean \"point\" or \"distributed\"?"},
    {"steel",
     "; a material is given by its numbers: { young = 2e11, poisson = 0.3, density = 7800 }"},
};

static const char *name_hint(const char *name, char *text, size_t size) {
    for (size_t i = 0; i < sizeof name_row / sizeof *name_row; i++)
        if (strcmp(name, name_row[i].name) == 0) return name_row[i].hint;
    if (!wy_library_has_math(name)) return NULL;
    snprintf(text, size, "; did you mean \"math.%.40s\"?", name);
    return text;
}

const char *wy_lua_hint(const char *message, char *text, size_t size) {
    char name[WITHY_NAME];
    const char *global = strstr(message, "(global '");
    const int nothing = strstr(message, "a nil value") != NULL;
    if (nothing && global && sscanf(global, "(global '%63[^']')", name) == 1) {
        const char *hint = name_hint(name, text, size);
        if (hint) return hint;
    }
    const char *hint = wy_library_hint(message, text, size);
    return hint[0] ? hint : lua_hint(message);
}

/* ---- keys in the wrong place, or under the name of a book --------------------------------------------- */

static const struct {
    const char *group, *name, *meant;
} key_row[] = {
    {"time", "dt", "\"options.dt\""},
    {"time", "step", "\"options.dt\""},
    {"time", "n", "\"options.n\""},
    {"scene", "dt", "\"options.dt\""},
    {"scene", "n", "\"options.n\""},
    {"scene", "g", "\"gravity\""},
    {"scene", "stop", "\"time.stop\""},
    {"scene", "duration", "\"time.stop\""},
    {"scene", "length", "\"rod.length\""},
    {"scene", "section", "\"rod.section\""},
    {"scene", "material", "\"rod.material\""},
    {"scene", "shape", "\"initial.shape\""},
    {"scene", "forces", "\"loads\""},
    {"rod", "diameter", "section = circle { diameter = ... }"},
    {"rod", "radius", "section = circle { diameter = ... }, twice the radius"},
    {"rod", "young", "\"rod.material.young\""},
    {"rod", "density", "\"rod.material.density\""},
    {"rod", "mass", "\"rod.inertia.mass\", per length"},
    {"rod", "shape", "\"initial.shape\", or \"rod.rest\" for the shape without load"},
    {"rod", "EI", "\"rod.stiffness.bend\""},
    {"material", "E", "\"rod.material.young\""},
    {"material", "G", "\"rod.material.shear\""},
    {"material", "nu", "\"rod.material.poisson\""},
    {"material", "rho", "\"rod.material.density\""},
    {"circle", "radius", "\"diameter\", twice the radius"},
    {"circle", "d", "\"diameter\""},
    {"ends", "left", "\"ends.start\""},
    {"ends", "right", "\"ends.finish\""},
    {"ends", "first", "\"ends.start\""},
    {"ends", "last", "\"ends.finish\""},
    {"ends", "stop", "\"ends.finish\""},
};

const char *wy_key_meant(const char *group, const char *name) {
    for (size_t i = 0; i < sizeof key_row / sizeof *key_row; i++)
        if (strcmp(group, key_row[i].group) == 0 && strcmp(name, key_row[i].name) == 0)
            return key_row[i].meant;
    return NULL;
}

/* ---- rules ------------------------------------------------------------------------------------------- */

static const struct {
    const char *group, *keys, *hint;
} rule_row[] = {
    {"scene", "rod|rods|bodies",
     ": rod = { length = 1, ... }; withy list cases falling_rod prints a scene to begin with"},
    {"rod", "section|stiffness",
     ": section = circle { diameter = 1e-3 } and a material, or stiffness = { bend = 1 }"},
    {"rod", "section|material", ": material = { young = 2e11, poisson = 0.3, density = 7800 }"},
    {"rod", "material|section", ": section = circle { diameter = 1e-3 }"},
    {"point", "force|moment", ": force = { 0, 0, -1 }"},
    {"distributed", "force|moment", ": force = { 0, 0, -1 } per length"},
    {"material", "shear|poisson", ": poisson = 0.3"},
};

const char *wy_rule_hint(const wy_rule *rule) {
    for (size_t i = 0; i < sizeof rule_row / sizeof *rule_row; i++)
        if (strcmp(rule->group, rule_row[i].group) == 0 &&
            strcmp(rule->keys, rule_row[i].keys) == 0)
            return rule_row[i].hint;
    return "";
}
#endif
