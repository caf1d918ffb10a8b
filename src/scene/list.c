/* list.c - the lists of a scene: rods, loads; and its named entries: probes, options. */
#include "model/model.h"
#include "scene/lua.h"

withy_status wy_scene_no_memory(wy_reader *r) {
    return wy_no_memory(r->err, "no memory for the scene");
}

/* ---- lists ------------------------------------------------------------------------------------ */

/* The value must be a plain list; returns its length. */
static withy_status open_list(wy_reader *r, const wy_key *key, int *count) {
    char text[64];
    lua_State *lua = r->lua;
    if (lua_type(lua, -1) != LUA_TTABLE || wy_constructed_by(lua, -1))
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    const lua_Unsigned length = lua_rawlen(lua, -1);
    if (length > WY_MOST_ENTRIES)
        return wy_complain(r, NULL, "%s has %llu entries; the most is %d", r->path,
                           (unsigned long long)length, WY_MOST_ENTRIES);
    lua_Unsigned found = 0;
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) found++;
    if (found != length)
        return wy_complain(r, NULL, "%s must be a list, numbered 1, 2, ... without gaps or names",
                           r->path);
    *count = (int)length;
    return WITHY_OK;
}

/* Go to entry i of the list on top of the stack: it is pushed, the path extended. */
size_t wy_enter_entry(wy_reader *r, int index) {
    char name[16];
    snprintf(name, sizeof name, "%d", index + 1);
    lua_rawgeti(r->lua, -1, index + 1);
    return wy_enter(r, name);
}

void wy_leave_entry(wy_reader *r, size_t old) {
    wy_leave(r, old);
    lua_pop(r->lua, 1);
}

/* An entry that is a plain table of a group. */
withy_status wy_read_plain(wy_reader *r, const char *group, void *to) {
    if (lua_type(r->lua, -1) != LUA_TTABLE || wy_constructed_by(r->lua, -1))
        return wy_reject(r, "must be a table { ... }");
    return wy_read_group(r, group, to);
}

typedef struct wy_list {
    void *at;
    int count;
} wy_list;

/* All entries of a list, each `size` bytes, by `one`, which finds its value on top of the stack. */
static withy_status read_entries(wy_reader *r, const wy_key *key, size_t size, wy_read_entry *one,
                                 wy_list *list) {
    *list = (wy_list){0};
    WY_TRY(open_list(r, key, &list->count));
    char *at = list->at = wy_arena_alloc(&r->scene->arena, (size_t)list->count, size);
    if (!at) return wy_scene_no_memory(r);
    for (int i = 0; i < list->count; i++) {
        const size_t old = wy_enter_entry(r, i);
        WY_TRY(one(r, i, at + (size_t)i * size));
        wy_leave_entry(r, old);
    }
    return WITHY_OK;
}

withy_status wy_name_entry(wy_reader *r, const char *word, int index, const char **name) {
    char text[32];
    snprintf(text, sizeof text, index ? "%s%d" : "%s", word, index + 1);
    if (!*name) *name = wy_arena_text(&r->scene->arena, text);
    return *name ? WITHY_OK : wy_scene_no_memory(r);
}

static withy_status read_load(wy_reader *r, int index, void *to) {
    static const wy_key entry = {
        .name = "load", .kind = WY_KEY_ONE_OF, .child = "load", .unit = ""};
    (void)index;
    return wy_read_one_of(r, &entry, to);
}

static withy_status read_point(wy_reader *r, int index, void *to) {
    double x[3];
    (void)index;
    if (wy_read_numbers(r->lua, -1, x, 3) != 3)
        return wy_reject(r, "must be 3 numbers { x, y, z } [m]");
    *(withy_vec3 *)to = (withy_vec3){x[0], x[1], x[2]};
    return WITHY_OK;
}

static withy_status read_term(wy_reader *r, int index, void *to) {
    double x[2];
    (void)index;
    if (wy_read_numbers(r->lua, -1, x, 2) != 2)
        return wy_reject(r, "must be 2 numbers { share of the stiffness, time [s] }");
    *(withy_relaxation *)to = (withy_relaxation){x[0], x[1]};
    return WITHY_OK;
}

static withy_status read_pair(wy_reader *r, int index, void *to) {
    (void)index;
    if (wy_read_numbers(r->lua, -1, to, 2) != 2)
        return wy_reject(r, "must be 2 numbers { strain, force or moment }");
    return WITHY_OK;
}

static withy_status read_factor(wy_reader *r, int index, void *to) {
    (void)index;
    if (lua_type(r->lua, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(r->lua, -1)))
        return wy_reject(r, "must be a finite number");
    *(double *)to = lua_tonumber(r->lua, -1);
    return WITHY_OK;
}

static withy_status read_rod(wy_reader *r, int index, void *to) {
    wy_rod_draft draft;
    wy_rod_draft_begin(&draft);
    r->length = &draft.rod.length;
    WY_TRY(wy_read_plain(r, "rod", &draft));
    WY_TRY(wy_finish_rod(r, &draft, r->path));
    WY_TRY(wy_name_entry(r, "rod", index, &draft.rod.name));
    *(withy_rod *)to = draft.rod;
    r->length = &r->draft->only.rod.length;
    return WITHY_OK;
}

/* Length of rod `number`, counted from 1; -1 when there is none. */
double wy_length_of(const wy_reader *r, double number) {
    const wy_scene_draft *draft = r->draft;
    if (!draft->rods) return number == 1 && wy_rod_count(r) ? draft->only.rod.length : -1;
    if (!(number >= 1 && number <= draft->rod_count && number == floor(number))) return -1;
    return draft->rods[(int)number - 1].length;
}

int wy_rod_count(const wy_reader *r) {
    return r->draft->rods ? r->draft->rod_count : r->draft->only.rod.length > 0;
}

/* ---- named entries ---------------------------------------------------------------------------- */

typedef struct entry {
    char name[WITHY_NAME];
    int line;
} entry;

static int by_place(const void *left, const void *right) {
    const entry *a = left, *b = right;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : strcmp(a->name, b->name);
}

/* A name that fits and can be printed. */
static withy_status name_entry(wy_reader *r, entry *to) {
    const char *name = lua_type(r->lua, -1) == LUA_TSTRING ? lua_tostring(r->lua, -1) : NULL;
    if (!name) return wy_complain(r, NULL, "%s: every entry needs a name: name = ...", r->path);
    if (!name[0] || strlen(name) >= WITHY_NAME)
        return wy_complain(r, NULL, "%s: a name must have 1 to %d characters: \"%.20s...\"",
                           r->path, WITHY_NAME - 1, name);
    if (wy_is_cut(r->lua, -1))
        return wy_complain(r, NULL, "%s: a name must not contain a zero byte: \"%.20s...\"",
                           r->path, name);
    snprintf(to->name, sizeof to->name, "%s", name);
    const size_t old = wy_enter(r, name);
    to->line = wy_lines_find(&r->scene->lines, r->path);
    wy_leave(r, old);
    return WITHY_OK;
}

/* The names in the order of the file: Lua's own order changes from run to run. */
static withy_status open_names(wy_reader *r, const wy_key *key, entry **out, int *count) {
    char text[64];
    lua_State *lua = r->lua;
    *count = 0;
    if (lua_type(lua, -1) != LUA_TTABLE || wy_constructed_by(lua, -1))
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) ++*count;
    if (*count > WY_MOST_ENTRIES)
        return wy_complain(r, NULL, "%s has %d entries; the most is %d", r->path, *count,
                           WY_MOST_ENTRIES);
    entry *names = wy_arena_alloc(&r->scene->arena, (size_t)*count, sizeof *names);
    if (!names) return wy_scene_no_memory(r);
    int i = 0;
    for (lua_pushnil(lua); lua_next(lua, -2); i++) {
        lua_pop(lua, 1);
        WY_TRY(name_entry(r, &names[i]));
    }
    qsort(names, (size_t)*count, sizeof *names, by_place);
    *out = names;
    return WITHY_OK;
}

static size_t enter_name(wy_reader *r, const char *name) {
    lua_pushstring(r->lua, name);
    lua_rawget(r->lua, -2);
    return wy_enter(r, name);
}

typedef withy_status read_named(wy_reader *r, const char *name, void *to);

/* As read_entries, of a table with names. */
static withy_status read_all_named(wy_reader *r, const wy_key *key, size_t size, read_named *one,
                                   wy_list *list) {
    entry *names = NULL;
    *list = (wy_list){0};
    WY_TRY(open_names(r, key, &names, &list->count));
    char *at = list->at = wy_arena_alloc(&r->scene->arena, (size_t)list->count, size);
    if (!at) return wy_scene_no_memory(r);
    for (int i = 0; i < list->count; i++) {
        const size_t old = enter_name(r, names[i].name);
        WY_TRY(one(r, names[i].name, at + (size_t)i * size));
        wy_leave_entry(r, old);
    }
    return WITHY_OK;
}

static const char *next_quantity(const void *kind, int index) {
    int count;
    const withy_quantity *list = withy_quantity_list((int)*(const withy_probe_of *)kind, &count);
    return index < count ? list[index].name : NULL;
}

/* What belongs to a rod as a whole; where none is named, to the scene. */
static withy_status finish_ledger_probe(wy_reader *r, const wy_probe_draft *draft,
                                        withy_probe *probe) {
    if (draft->rod > wy_rod_count(r))
        return wy_complain(r, "rod", "%s.rod = %d: there are rods 1 .. %d", r->path, draft->rod,
                           wy_rod_count(r));
    if (!isnan(draft->at))
        return wy_complain(r, "at", "%s.at: %s belongs to the rod as a whole; leave out at",
                           r->path, draft->what);
    probe->of = WITHY_OF_LEDGER, probe->rod = draft->rod - 1;
    return WITHY_OK;
}

static withy_status finish_rod_probe(wy_reader *r, const wy_probe_draft *draft,
                                     withy_probe *probe) {
    const int rod = draft->rod ? draft->rod : 1;
    if (draft->what && !withy_quantity_find(WITHY_OF_ROD, draft->what) &&
        withy_quantity_find(WITHY_OF_LEDGER, draft->what))
        return finish_ledger_probe(r, draft, probe);
    const double length = wy_length_of(r, rod);
    if (length < 0 && wy_rod_count(r) == 0)
        return wy_complain(r, NULL, "%s: there is no rod; give body = or joint = and a name",
                           r->path);
    if (length < 0)
        return wy_complain(r, "rod", "%s.rod = %d: there are rods 1 .. %d", r->path, rod,
                           wy_rod_count(r));
    if (isnan(draft->at)) return wy_missing(r, wy_key_find("probe", "at"));
    if (draft->at > length * (1 + 1e-12))
        return wy_complain(r, "at", "%s.at = %.10g: must lie on the rod, 0 .. %.10g [m]", r->path,
                           draft->at, length);
    probe->rod = rod - 1;
    probe->at = wy_min(draft->at, length);
    return WITHY_OK;
}

static withy_status finish_probe(wy_reader *r, const wy_probe_draft *draft, withy_probe *probe) {
    char advice[WITHY_NAME + 32];
    const int acts = draft->joint || draft->obstacle;
    const char *what = draft->what ? draft->what : acts ? "force" : "position";
    WY_TRY(draft->body || acts ? wy_find_probed(r, draft, probe)
                               : finish_rod_probe(r, draft, probe));
    const int known = withy_quantity_find((int)probe->of, what) != NULL;
    if (!known) {
        const char *closest = wy_suggest(what, next_quantity, &probe->of);
        char all[256] = "";
        for (int i = 0; !closest && next_quantity(&probe->of, i); i++)
            wy_append(all, sizeof all, "%s%s", i ? ", " : "; there are ",
                      next_quantity(&probe->of, i));
        return wy_complain(r, "what", "%s.what = \"%.40s\": is not a quantity%s%s%s", r->path, what,
                           probe->of == WITHY_OF_BODY       ? " of a body"
                           : probe->of == WITHY_OF_JOINT    ? " of a joint"
                           : probe->of == WITHY_OF_OBSTACLE ? " of an obstacle"
                                                            : "",
                           wy_did_you_mean(closest, advice, sizeof advice), all);
    }
    snprintf(probe->what, sizeof probe->what, "%s", what);
    probe->every = draft->every;
    return WITHY_OK;
}

static withy_status read_probe(wy_reader *r, const char *name, void *to) {
    wy_probe_draft draft = {.at = NAN};
    withy_probe *probe = to;
    WY_TRY(wy_read_plain(r, "probe", &draft));
    snprintf(probe->name, sizeof probe->name, "%s", name);
    return finish_probe(r, &draft, probe);
}

static withy_status read_option(wy_reader *r, const char *name, void *to) {
    withy_option *option = to;
    snprintf(option->name, sizeof option->name, "%s", name);
    const int type = lua_type(r->lua, -1);
    const char *word = type == LUA_TSTRING ? lua_tostring(r->lua, -1) : NULL;
    if (type == LUA_TBOOLEAN) word = lua_toboolean(r->lua, -1) ? "true" : "false";
    if (type == LUA_TNUMBER && isfinite(lua_tonumber(r->lua, -1)))
        option->number = lua_tonumber(r->lua, -1);
    else if (word && word[0] && strlen(word) < WITHY_NAME &&
             (type != LUA_TSTRING || !wy_is_cut(r->lua, -1)))
        snprintf(option->word, sizeof option->word, "%s", word);
    else
        return wy_reject(r, "must be a finite number, a short text, true or false");
    return WITHY_OK;
}

/* A number, a function of t or a signal for each name. */
static withy_status read_input(wy_reader *r, const char *name, void *to) {
    static const wy_key value = {.group = "inputs",
                                 .name = "value",
                                 .kind = WY_KEY_FIELD,
                                 .size = 1,
                                 .arguments = 't',
                                 .min = -INFINITY,
                                 .max = INFINITY,
                                 .open_min = 1,
                                 .open_max = 1,
                                 .unit = ""};
    wy_feed *feed = to;
    feed->name = wy_arena_text(&r->scene->arena, name);
    if (!feed->name) return wy_scene_no_memory(r);
    WY_TRY(wy_read_simple(r, &value, &feed->from));
    if (wy_field_has_input(&feed->from))
        return wy_complain(r, NULL, "%s: an input cannot follow another", r->path);
    return WITHY_OK;
}

/* ---- where the lists go --------------------------------------------------------------------------- */

/* Behind what the schema points to: a struct that has the list, or the list itself. */
#define PUT(type, list, count) offsetof(type, list), offsetof(type, count)
#define HERE(type, list, count) 0, offsetof(type, count) - offsetof(type, list)

/* Either of numbered entries, or of named ones. */
typedef struct list_row {
    wy_kind kind;
    const char *group; /* NULL, or the only group that it holds for */
    size_t size;       /* of an entry                               */
    size_t at, count;  /* offsets of the list and of its length     */
    wy_read_entry *one;
    read_named *named;
    const char *noun; /* NULL, or what must be there */
} list_row;

static const list_row list_rows[] = {
    {WY_KEY_RODS, NULL, sizeof(withy_rod), HERE(wy_scene_draft, rods, rod_count), read_rod, NULL,
     "rod"},
    {WY_KEY_BODIES, NULL, sizeof(withy_body), PUT(withy_problem, body, body_count), wy_read_body,
     NULL, "body"},
    {WY_KEY_JOINTS, NULL, sizeof(withy_joint), PUT(withy_problem, joint, joint_count),
     wy_read_joint, NULL, NULL},
    {WY_KEY_OBSTACLES, NULL, sizeof(withy_obstacle), PUT(withy_problem, obstacle, obstacle_count),
     wy_read_obstacle, NULL, NULL},
    {WY_KEY_BODY_LOADS, NULL, sizeof(withy_body_load), PUT(withy_body, load, load_count),
     wy_read_body_load, NULL, NULL},
    {WY_KEY_LOADS, "static", sizeof(withy_load), PUT(wy_rod_draft, rod.pull, rod.pull_count),
     read_load, NULL, NULL},
    {WY_KEY_LOADS, NULL, sizeof(withy_load), PUT(wy_rod_draft, rod.load, rod.load_count), read_load,
     NULL, NULL},
    {WY_KEY_POINTS, NULL, sizeof(withy_vec3), PUT(withy_shape, point, point_count), read_point,
     NULL, NULL},
    {WY_KEY_TERMS, NULL, sizeof(withy_relaxation), PUT(withy_law, term, term_count), read_term,
     NULL, "term"},
    {WY_KEY_CURVE, NULL, 2 * sizeof(double), HERE(withy_curve, row, row_count), read_pair, NULL,
     "row"},
    {WY_KEY_FACTORS, NULL, sizeof(double), PUT(withy_path, through, through_count), read_factor,
     NULL, "load factor"},
    {WY_KEY_PROBES, NULL, sizeof(withy_probe), PUT(withy_request, probe, probe_count), NULL,
     read_probe, NULL},
    {WY_KEY_INPUTS, NULL, sizeof(wy_feed), HERE(wy_scene_draft, input, input_count), NULL,
     read_input, NULL},
    {WY_KEY_OPTIONS, NULL, sizeof(withy_option), HERE(wy_scene_draft, option, option_count), NULL,
     read_option, NULL},
};

static const list_row *list_of(const wy_key *key) {
    for (size_t i = 0; i < sizeof list_rows / sizeof *list_rows; i++)
        if (list_rows[i].kind == key->kind &&
            (!list_rows[i].group || strcmp(list_rows[i].group, key->group) == 0))
            return &list_rows[i];
    return NULL;
}

static withy_status read_list(wy_reader *r, const wy_key *key, const list_row *row, char *to) {
    wy_list list;
    WY_TRY(row->one ? read_entries(r, key, row->size, row->one, &list)
                    : read_all_named(r, key, row->size, row->named, &list));
    if (row->noun && list.count == 0)
        return wy_complain(r, NULL, "%s is empty; it needs at least one %s", key->name, row->noun);
    memcpy(to + row->at, &list.at, sizeof list.at);
    memcpy(to + row->count, &list.count, sizeof list.count);
    return WITHY_OK;
}

/* A matrix, row by row: each a list of numbers or a function of s, which keeps its key. */
static withy_status read_rows(wy_reader *r, const wy_key *key, withy_field *to) {
    wy_key *row = wy_arena_alloc(&r->scene->arena, 1, sizeof *row);
    int count = 0;
    if (!row) return wy_no_memory(r->err, "no memory for the scene");
    *row = *key, row->kind = WY_KEY_FIELD, row->child = "{ ... }";
    WY_TRY(open_list(r, key, &count));
    if (count != key->size)
        return wy_complain(r, NULL, "%s has %d rows; it must have %d", r->path, count, key->size);
    for (int i = 0; i < count; i++) {
        const size_t old = wy_enter_entry(r, i);
        WY_TRY(wy_read_simple(r, row, &to[i]));
        wy_leave_entry(r, old);
    }
    return WITHY_OK;
}

withy_status wy_read_list(wy_reader *r, const wy_key *key, void *to) {
    const list_row *row = list_of(key);
    if (row) return read_list(r, key, row, to);
    switch (key->kind) {
    case WY_KEY_ROWS: return read_rows(r, key, to);
    case WY_KEY_PARTS: return wy_read_parts(r, to);
    case WY_KEY_PLACES: return wy_read_places(r, to);
    case WY_KEY_ROD_NAME: return wy_read_rod_name(r, to);
    case WY_KEY_FRICTION: return wy_read_friction(r, key, to);
    case WY_KEY_DISTANCE: return wy_read_distance(r, key, to);
    case WY_KEY_FLOW: return wy_read_flow(r, key, to);
    case WY_KEY_PROFILE: return wy_read_profile(r, to);
    case WY_KEY_WAVES: return wy_read_waves(r, key, to);
    default: return wy_read_simple(r, key, to);
    }
}
