/* advice.c - what to do about mistakes that newcomers make: a message of Lua, or of the table of keys, is right
 * but does not say it.  Tables only: a mistake is a row.
 */
#include "scene/lua.h"

/* What is wrong, where, and the hint.  Of LUA the parts of the message between the stars, one behind the other; of
 * NAME the name; of a group a key that it does not have, or the keys of a rule that is broken. */
#define LUA "message of Lua"
#define NAME "name that a scene does not have"

#define ASSIGN "; a scene is Lua: key = value, not key: value"
#define UNIT(unit, as)                                                                             \
    { LUA, "expected near '" unit "'", "; numbers have no unit, all are SI: " as }

static const struct {
    const char *where, *what, *advice;
} row[] = {
    /* messages of Lua */
    {LUA, "unexpected symbol near '{'", "; write return before the table: return { ... }"},
    {LUA, "'}' expected*near <eof>", "; a } is missing at the end"},
    UNIT("GPa", "210 GPa is 2.1e11"),
    UNIT("MPa", "5 MPa is 5e6"),
    UNIT("kPa", "5 kPa is 5e3"),
    UNIT("Pa", "5 Pa is 5"),
    UNIT("mm", "2 mm is 2e-3"),
    UNIT("cm", "2 cm is 2e-2"),
    UNIT("m", "2 m is 2"),
    UNIT("kg", "2 kg is 2"),
    UNIT("N", "2 N is 2"),
    UNIT("ms", "2 ms is 2e-3"),
    UNIT("s", "2 s is 2"),
    UNIT("Hz", "2 Hz is 2"),
    UNIT("deg", "30 degrees are math.rad(30)"),
    UNIT("degrees", "30 degrees are math.rad(30)"),
    {LUA, "'}' expected near ':'",
     "; a scene is Lua, not JSON: rod = { length = 1 }, keys without quotes and with ="},
    {LUA, "'}' expected", "; is a comma missing before it?"},
    {LUA, "malformed number", "; a number has no unit and a decimal point: length = 1.5"},
    {LUA, "<name> expected*near", ASSIGN},
    {LUA, "function arguments expected near", ASSIGN},
    {LUA, "unexpected symbol near '#'", "; a comment begins with --"},
    {LUA, "unexpected symbol near '-'", "; a scene is Lua: a list is { a, b }"},
    {LUA, "unexpected symbol near '\"", "; a scene is Lua: key = value, without quotes"},
    {LUA, "unfinished string", "; close the quotes"},
    {LUA, "perform arithmetic on a table value", "; a comment begins with --, and // divides"},
    /* names that a scene does not have */
    {NAME, "Return", "; Lua spells return in lower case"},
    {NAME, "print", "; a scene prints nothing: withy check shows what was read"},
    {NAME, "require", "; a scene loads no modules: write all of it into one file"},
    {NAME, "dofile", "; a scene loads no files: write all of it into one file"},
    {NAME, "io", "; a scene can read no files except tables: local m = table \"measured.csv\""},
    {NAME, "os", "; a scene has no os; math.random gives the same numbers every time"},
    {NAME, "square", "; did you mean \"rectangle\"?"},
    {NAME, "rect", "; did you mean \"rectangle\"?"},
    {NAME, "round", "; did you mean \"circle\"?"},
    {NAME, "fixed", "; did you mean \"clamped\"?"},
    {NAME, "built_in", "; did you mean \"clamped\"?"},
    {NAME, "supported", "; did you mean \"pinned\"?"},
    {NAME, "force", "; did you mean \"point\" or \"distributed\"?"},
    {NAME, "torque", "; a torque is the moment of a load: point { at = 1, moment = { 0, 0, 1 } }"},
    {NAME, "moment", "; it belongs to a load: point { at = 1, moment = { 0, 0, 1 } }"},
    {NAME, "degrees", "; angles are in radians: math.rad(30)"},
    {NAME, "steel",
     "; a material is given by its numbers: { young = 2e11, poisson = 0.3, density = 7800 }"},
    /* keys in the wrong place, or under the name of a book */
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
    {"free", "torque", "\"moment\""},
    {"point", "torque", "\"moment\""},
    {"distributed", "torque", "\"moment\""},
    {"ends", "left", "\"ends.start\""},
    {"ends", "right", "\"ends.finish\""},
    {"ends", "first", "\"ends.start\""},
    {"ends", "last", "\"ends.finish\""},
    {"ends", "stop", "\"ends.finish\""},
    /* values out of range */
    {"stiffness", "bend:value", "; what has no bending stiffness is a cable: rod.kind = \"cable\""},
    /* rules */
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

/* All parts of the pattern, one behind the other. */
static bool has_parts(const char *text, const char *pattern) {
    while (text && *pattern) {
        char part[64];
        const size_t length = strcspn(pattern, "*");
        snprintf(part, sizeof part, "%.*s", (int)length, pattern);
        text = strstr(text, part);
        if (text) text += strlen(part);
        pattern += length + (pattern[length] == '*');
    }
    return text != NULL;
}

static bool is_same(const char *text, const char *pattern) {
    return strcmp(text, pattern) == 0;
}

/* The hint of the first row that matches; NULL: there is none. */
static const char *find(const char *where, const char *what,
                        bool (*matches)(const char *text, const char *pattern)) {
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i].where, where) == 0 && matches(what, row[i].what)) return row[i].advice;
    return NULL;
}

static const char *name_advice(const char *name, char *text, size_t size) {
    const char *advice = find(NAME, name, is_same);
    if (advice || !wy_library_has_math(name)) return advice;
    snprintf(text, size, "; did you mean \"math.%.40s\"?", name);
    return text;
}

const char *wy_lua_advice(const char *message, char *text, size_t size) {
    char name[WITHY_NAME];
    const char *global = strstr(message, "(global '");
    const int nothing = strstr(message, "a nil value") != NULL;
    if (nothing && global && sscanf(global, "(global '%63[^']')", name) == 1) {
        const char *advice = name_advice(name, text, size);
        if (advice) return advice;
    }
    const char *advice = wy_library_advice(message, text, size);
    if (!advice[0]) advice = find(LUA, message, has_parts);
    return advice ? advice : "";
}

const char *wy_key_meant(const char *group, const char *name) {
    return find(group, name, is_same);
}

const char *wy_rule_advice(const wy_rule *rule) {
    const char *advice = find(rule->group, rule->keys, is_same);
    return advice ? advice : "";
}

const char *wy_range_advice(const wy_key *key) {
    char text[WITHY_NAME];
    snprintf(text, sizeof text, "%s:value", key->name);
    const char *advice = find(key->group, text, is_same);
    return advice ? advice : "";
}
