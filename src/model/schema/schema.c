/* schema.c - the table of schema.inc, and the words made from it. */
#include "model/schema/schema.h"
#include "model/model.h"

#include <float.h>
#include <stdarg.h>

/* ---- the table -------------------------------------------------------------------------------- */

#define GROUP(name, family, tag, bare, where, can, doc)                                            \
    {name, family, tag, bare, where, WY_CAN(can), doc},

static const wy_group group_table[] = {
#include "model/schema/schema.inc"
    {0},
};
#undef GROUP

#define RULE(group, rule, keys) {group, WY_##rule, keys},

static const wy_rule rule_table[] = {
#include "model/schema/schema.inc"
    {0},
};
#undef RULE

#define KEY(group_, name_, kind_, place_, range_, unit_, fallback_, can_, doc_)                    \
    {.group = (group_),                                                                            \
     .name = (name_),                                                                              \
     .unit = (unit_),                                                                              \
     .can = WY_CAN(can_),                                                                          \
     .fallback = (fallback_),                                                                      \
     .doc = (doc_),                                                                                \
     kind_,                                                                                        \
     place_,                                                                                       \
     range_},

#define NUMBER .kind = WY_KEY_NUMBER, .size = 1
#define NUMBERS(n, names) .kind = WY_KEY_NUMBER, .size = (n), .child = (names)
#define VECTOR NUMBERS(3, "{ x, y, z }")
#define PLACE .kind = WY_KEY_PLACE, .size = 1
#define PLACE_INSIDE .kind = WY_KEY_PLACE, .size = 1, .open_min = 1, .open_max = 1
#define WHOLE .kind = WY_KEY_WHOLE
#define FLAG .kind = WY_KEY_FLAG
#define WORD(words) .kind = WY_KEY_WORD, .child = (words)
#define TEXT .kind = WY_KEY_TEXT
#define DIRECTION .kind = WY_KEY_DIRECTION, .size = 3
#define FIELDS(n, arguments_, names)                                                               \
    .kind = WY_KEY_FIELD, .size = (n), .arguments = (arguments_), .child = (names)
#define NUMBER_FIELD(arguments_) FIELDS(1, arguments_, NULL)
#define VECTOR_FIELD(arguments_) FIELDS(3, arguments_, "{ x, y, z }")
#define LOAD_FIELD(arguments_) VECTOR_FIELD(arguments_), .uses_state = 1
#define UNIT(n, names) .kind = WY_KEY_UNIT, .size = (n), .arguments = 't', .child = (names)
#define STRAIN .kind = WY_KEY_STRAIN, .size = 6, .arguments = 'b'
#define SPREAD(n) .kind = WY_KEY_SPREAD, .size = (n), .arguments = 's'
#define ROTARY .kind = WY_KEY_ROTARY, .size = 3, .arguments = 's'
#define ROWS(n) .kind = WY_KEY_ROWS, .size = (n), .arguments = 's'
#define IN(group_) .kind = WY_KEY_GROUP, .child = (group_)
#define ONE(family) .kind = WY_KEY_ONE_OF, .child = (family)
#define LIST(kind_) .kind = WY_KEY_##kind_
#define FLOW .kind = WY_KEY_FLOW, .size = 3
#define PLACE_FUNCTION .kind = WY_KEY_DISTANCE, .size = 1

#define TOP(member) .offset = offsetof(wy_scene_draft, member)
#define PROBLEM(member) TOP(problem.member), .in = WY_IN_PROBLEM
#define DRAFT .offset = 0
#define DRAFT_OF(member) .offset = offsetof(wy_rod_draft, member)
#define ROD(member) .offset = offsetof(wy_rod_draft, rod.member), .in = WY_IN_ROD
#define SECTION(member) .offset = offsetof(withy_section, member), .in = WY_IN_SECTION
#define LAW_OF(member) .offset = offsetof(withy_law, member), .in = WY_IN_LAW
#define SHAPE(member) .offset = offsetof(wy_shape_draft, shape.member), .in = WY_IN_SHAPE
#define SHAPED(member) .offset = offsetof(wy_shape_draft, member)
#define END(member) .offset = offsetof(withy_end, member), .in = WY_IN_END
#define LOAD(member) .offset = offsetof(withy_load, member), .in = WY_IN_LOAD
#define FLOOR(member) .offset = offsetof(withy_floor, member), .in = WY_IN_FLOOR
#define ROTATING(member) .offset = offsetof(withy_rotating, member), .in = WY_IN_ROTATING
#define JOINTED(member) .offset = offsetof(wy_joint_draft, member)
#define JOINT(member) .offset = offsetof(wy_joint_draft, joint.member), .in = WY_IN_JOINT
#define BODY(member) .offset = offsetof(withy_body, member), .in = WY_IN_BODY
#define BODY_LOAD(member) .offset = offsetof(withy_body_load, member), .in = WY_IN_BODY_LOAD
#define TOUCH(member) .offset = offsetof(withy_contact, member), .in = WY_IN_CONTACT
#define OBSTACLE(member)                                                                           \
    .offset = offsetof(wy_obstacle_draft, obstacle.member), .in = WY_IN_OBSTACLE
#define OBSTACLE_DRAFT(member) .offset = offsetof(wy_obstacle_draft, member)
#define MEDIUM(member) .offset = offsetof(withy_medium, member), .in = WY_IN_MEDIUM
#define MAGNETIC(member) .offset = offsetof(withy_magnetic, member), .in = WY_IN_MAGNETIC
#define WAVE(member) .offset = offsetof(withy_wave, member), .in = WY_IN_WAVE
#define FRICTION(which) .offset = (which) * sizeof(double)
#define TIME(member) .offset = offsetof(withy_request, member)
#define PATH(member) .offset = offsetof(withy_path, member)
#define PROBE(member) .offset = offsetof(wy_probe_draft, member)

/* Words and their meanings from the rows of laws of contact; a separator before each. */
#define WY_CONTACT_LAW(name, words) "|" #name
static const char contact_laws[] =
#include "contact/law.inc"
    ;
#undef WY_CONTACT_LAW
#define WY_CONTACT_LAW(name, words) "; \"" #name "\": " words
static const char contact_words[] =
#include "contact/law.inc"
    ;
#undef WY_CONTACT_LAW

#define ANY .min = -DBL_MAX, .max = DBL_MAX
#define ABOVE(low) .min = (low), .open_min = 1, .max = DBL_MAX
#define RIGID .min = 0, .open_min = 1, .max = INFINITY
#define FROM(low) .min = (low), .max = DBL_MAX
#define BETWEEN(low, high) .min = (low), .max = (high)
#define BETWEEN_OPEN(low, high) .min = (low), .max = (high), .open_min = 1, .open_max = 1
#define POISSON .min = -1, .open_min = 1, .max = 0.5
#define FACTOR .min = 0, .open_min = 1, .max = 1
#define NEEDED NULL

/* A draft begins with the structure that it describes. */
_Static_assert(offsetof(wy_scene_draft, problem) == 0 && offsetof(wy_rod_draft, rod) == 0 &&
                   offsetof(wy_shape_draft, shape) == 0 && offsetof(wy_joint_draft, joint) == 0 &&
                   offsetof(wy_obstacle_draft, obstacle) == 0,
               "offsets into drafts are those into structures");

static const wy_key key_table[] = {
#include "model/schema/schema.inc"
    {0},
};

/* ---- looking up ------------------------------------------------------------------------------- */

const wy_key *wy_key_at(int index) {
    const int count = (int)(sizeof key_table / sizeof *key_table) - 1;
    return index >= 0 && index < count ? &key_table[index] : NULL;
}

const wy_group *wy_group_at(int index) {
    const int count = (int)(sizeof group_table / sizeof *group_table) - 1;
    return index >= 0 && index < count ? &group_table[index] : NULL;
}

const wy_rule *wy_rule_at(int index) {
    const int count = (int)(sizeof rule_table / sizeof *rule_table) - 1;
    return index >= 0 && index < count ? &rule_table[index] : NULL;
}

/* Asked for every row of the schema while a simulation is made: most names differ in their first character. */
static int same(const char *a, const char *b) {
    return a == b || (*a == *b && strcmp(a, b) == 0);
}

const wy_key *wy_key_find(const char *group, const char *name) {
    for (const wy_key *key = key_table; key->name; key++)
        if (same(key->group, group) && same(key->name, name)) return key;
    return NULL;
}

const wy_group *wy_group_find(const char *name) {
    for (const wy_group *group = group_table; group->name; group++)
        if (same(group->name, name)) return group;
    return NULL;
}

const char *wy_constructor_name(const char *family, int tag) {
    for (const wy_group *group = group_table; group->name; group++)
        if (group->family && strcmp(group->family, family) == 0 && group->tag == tag)
            return group->where;
    return "none";
}

const wy_group *wy_constructor_find(const char *family, const char *constructor) {
    for (const wy_group *group = group_table; group->name; group++)
        if (group->family && strcmp(group->family, family) == 0 &&
            strcmp(group->where, constructor) == 0)
            return group;
    return NULL;
}

/* Entry `index` among the keys of a group. */
static const char *next_key(const void *group, int index) {
    for (const wy_key *key = key_table; key->name; key++)
        if (strcmp(key->group, group) == 0 && index-- == 0) return key->name;
    return NULL;
}

/* Entry `index` among the constructors of a family (NULL: of all). */
static const char *next_constructor(const void *family, int index) {
    for (const wy_group *group = group_table; group->name; group++)
        if (group->family && (!family || strcmp(group->family, family) == 0) && index-- == 0)
            return group->where;
    return NULL;
}

const char *wy_key_closest(const char *group, const char *name) {
    return wy_suggest(name, next_key, group);
}

const char *wy_constructor_closest(const char *name) {
    return wy_suggest(name, next_constructor, NULL);
}

int wy_word_index(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (int i = 0;; i++) {
        const size_t size = strcspn(words, "|");
        if (size == length && strncmp(words, word, size) == 0) return i;
        if (!words[size]) return -1;
        words += size + 1;
    }
}

const char *wy_word_at(const char *words, int index, char *text, size_t size) {
    for (; index > 0 && words; index--) {
        words = strchr(words, '|');
        if (words) words++;
    }
    if (!words) return NULL;
    snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
    return text;
}

/* ---- words ------------------------------------------------------------------------------------ */

void wy_append(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

const char *wy_key_names(const char *group, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; next_key(group, i); i++)
        wy_append(text, size, "%s%s", i ? ", " : "", next_key(group, i));
    return text;
}

const char *wy_family_names(const char *family, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; next_constructor(family, i); i++) {
        const char *between = next_constructor(family, i + 1) ? ", " : " or ";
        wy_append(text, size, "%s%s", i ? between : "", next_constructor(family, i));
    }
    return text;
}

const char *wy_family_with(const char *family, const char *key, char *text, size_t size) {
    const char *last = NULL; /* is known to be that when there is no further one */
    int count = 0;
    text[0] = '\0';
    for (int i = 0; next_constructor(family, i); i++) {
        const char *name = next_constructor(family, i);
        if (!wy_key_find(wy_constructor_find(family, name)->name, key)) continue;
        if (last) wy_append(text, size, "%s%s", count++ ? ", " : "", last);
        last = name;
    }
    if (last) wy_append(text, size, "%s%s", count ? " and " : "", last);
    return text;
}

/* "a table { start, finish }", at most four names. */
static void add_table(const char *group, char *text, size_t size) {
    enum { SHOWN = 4 };
    wy_append(text, size, "a table {");
    for (int i = 0; i < SHOWN && next_key(group, i); i++)
        wy_append(text, size, "%s %s", i ? "," : "", next_key(group, i));
    wy_append(text, size, next_key(group, SHOWN) ? ", ... }" : " }");
}

/* "one", "two" or "three" of "one|two|three". */
static void add_words(const char *words, char *text, size_t size) {
    for (const char *at = words; at;) {
        const int length = (int)strcspn(at, "|");
        const char *next = at[length] ? at + length + 1 : NULL;
        wy_append(text, size, "%s\"%.*s\"", at == words ? "" : next ? ", " : " or ", length, at);
        at = next;
    }
}

/* What it is, without range and unit. */
static void add_noun(const wy_key *key, char *text, size_t size) {
    char names[128];
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
        if (key->size == 1)
            wy_append(text, size, "a number");
        else
            wy_append(text, size, "%d numbers %s", key->size, key->child);
        break;
    case WY_KEY_DIRECTION: wy_append(text, size, "3 numbers { x, y, z }, not all zero"); break;
    case WY_KEY_STRAIN: wy_append(text, size, "3 or 6 numbers"); break;
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY: wy_append(text, size, "1 or %d numbers", key->size); break;
    case WY_KEY_ROWS:
        wy_append(text, size, "%d rows { ... } of %d numbers", key->size, key->size);
        break;
    case WY_KEY_WHOLE: wy_append(text, size, "a whole number"); break;
    case WY_KEY_FLAG: wy_append(text, size, "true or false"); break;
    case WY_KEY_WORD: add_words(key->child, text, size); break;
    case WY_KEY_TEXT: wy_append(text, size, "a string"); break;
    case WY_KEY_ONE_OF:
        wy_append(text, size, "%s { ... }", wy_family_names(key->child, names, sizeof names));
        break;
    case WY_KEY_GROUP: add_table(key->child, text, size); break;
    case WY_KEY_PROBES: wy_append(text, size, "a table { name = { at = ... }, ... }"); break;
    case WY_KEY_INPUTS: wy_append(text, size, "a table { name = a function of t, ... }"); break;
    case WY_KEY_OPTIONS: wy_append(text, size, "a table { name = value, ... }"); break;
    case WY_KEY_RODS: wy_append(text, size, "a list { { length = ... }, ... }"); break;
    case WY_KEY_BODIES: wy_append(text, size, "a list { { mass = ... }, ... }"); break;
    case WY_KEY_JOINTS: wy_append(text, size, "a list { hinge { ... }, ... }"); break;
    case WY_KEY_PARTS: wy_append(text, size, "two names { \"one\", \"other\" }"); break;
    case WY_KEY_PLACES: wy_append(text, size, "two places { on one, on other }"); break;
    case WY_KEY_ROD_NAME: wy_append(text, size, "a name or a number, counted from 1"); break;
    case WY_KEY_BODY_LOADS:
    case WY_KEY_LOADS: wy_append(text, size, "a list { point { ... }, ... }"); break;
    case WY_KEY_OBSTACLES: wy_append(text, size, "a list { plane { ... }, ... }"); break;
    case WY_KEY_FRICTION:
        wy_append(text, size, "a number, or a table { forward, back, lateral }, each");
        break;
    case WY_KEY_DISTANCE: wy_append(text, size, "a function(x, y, z)"); break;
    case WY_KEY_FLOW:
        wy_append(text, size, "3 numbers { x, y, z }, a function(x, y, z, t) or profile { ... }");
        break;
    case WY_KEY_PROFILE: wy_append(text, size, "a list { { height, x, y, z }, ... }"); break;
    case WY_KEY_WAVES:
        wy_append(text, size, "%s { ... }, or a list of them",
                  wy_family_names("wave", names, sizeof names));
        break;
    case WY_KEY_FACTORS: wy_append(text, size, "a list of numbers"); break;
    case WY_KEY_CURVE: wy_append(text, size, "a list { { strain, force or moment }, ... }"); break;
    case WY_KEY_TERMS: wy_append(text, size, "a list { { share, time }, ... }"); break;
    case WY_KEY_POINTS: wy_append(text, size, "a list { { x, y, z }, { x, y, z }, ... }"); break;
    }
}

static int has_range(const wy_key *key) {
    return key->kind == WY_KEY_NUMBER || key->kind == WY_KEY_WHOLE || key->kind == WY_KEY_FIELD ||
           key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY || key->kind == WY_KEY_FRICTION;
}

static void add_range(const wy_key *key, char *text, size_t size) {
    if (key->kind == WY_KEY_PLACE && key->open_min)
        wy_append(text, size, " strictly between 0 and the rod's length");
    else if (key->kind == WY_KEY_PLACE)
        wy_append(text, size, " from 0 to the rod's length");
    else if (key->kind == WY_KEY_UNIT)
        wy_append(text, size, " of length 1");
    if (!has_range(key)) return;
    const int below = key->max<DBL_MAX, above = key->min> - DBL_MAX;
    if (above) wy_append(text, size, " %s %.10g", key->open_min ? ">" : ">=", key->min);
    if (below)
        wy_append(text, size, "%s %s %.10g", above ? " and" : "",
                  key->open_max ? "<" : "<=", key->max);
}

static void add_function(const wy_key *key, char *text, size_t size) {
    const char *of = key->arguments == 'b' ? "s and t" : key->arguments == 's' ? "s" : "t";
    if (key->arguments) wy_append(text, size, " or a function of %s", of);
    if (key->uses_state) wy_append(text, size, ", or of s, t and the state");
}

static void add_unit(const wy_key *key, char *text, size_t size) {
    if (key->unit[0]) wy_append(text, size, " [%s]", key->unit);
}

const char *wy_key_allowed(const wy_key *key, char *text, size_t size) {
    text[0] = '\0';
    add_noun(key, text, size);
    add_range(key, text, size);
    add_function(key, text, size);
    return text;
}

const char *wy_key_expects(const wy_key *key, char *text, size_t size) {
    wy_key_allowed(key, text, size);
    add_unit(key, text, size);
    return text;
}

const char *wy_key_range(const wy_key *key, char *text, size_t size) {
    text[0] = '\0';
    add_range(key, text, size);
    if (!text[0]) wy_append(text, size, " finite");
    add_unit(key, text, size);
    memmove(text, text + 1, strlen(text)); /* the leading blank */
    return text;
}
