/* lua.h - the only include of Lua, and what the files of this room share.  Room: src/scene.
 *
 * Everything that can raise a Lua error runs under one lua_pcall in scene.c, or under the lua_pcall
 * of a single function call in function.c.  C frames that such an error jumps over own no memory:
 * all memory is in the arena of the scene or inside Lua.
 */
#pragma once

#include "base/base.h"
#include "base/interrupt.h"
#include "model/schema/schema.h"
#include "scene/scene.h"

/* ---- lines.c: on which line of a scene a key stands.
 *
 * Lua's tables do not record their position in the text, so it is read a second time by a
 * small scanner that follows the returned table constructor.  It is used for messages only: where it
 * cannot follow (computed tables), the nearest known ancestor's line is given.
 */

typedef struct wy_line {
    struct wy_line *next;
    int line;
    char path[]; /* "ends.start.tangent", "loads[1].force" */
} wy_line;

typedef struct wy_lines {
    wy_line *first;
    int count;
} wy_lines;

void wy_lines_scan(wy_lines *lines, wy_arena *arena, const char *text, size_t size);

/* The line of exactly this path; 0: unknown. */
int wy_lines_exact(const wy_lines *lines, const char *path);
/* The line of the path or of its nearest known ancestor; 0: unknown. */
int wy_lines_find(const wy_lines *lines, const char *path);

#ifdef WITHY_HAVE_LIB_LUA
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#else /* the files that read are left out (CMakeLists.txt) */
typedef struct lua_State lua_State;
#endif
#include <time.h>

/* ---- sandbox.c: a Lua state with bounds on memory, instructions and time ------------------------ */

/* The name of the scene's own text inside Lua; messages replace it by the file's name. */
#define WY_CHUNK "scene"
#define WY_SET_CHUNK "--set" /* and of values given by --set */

typedef struct wy_sandbox {
    lua_State *lua;
    size_t bytes;           /* in use                                             */
    size_t taken;           /* since the budget was filled: bounds copying as well */
    int64_t left;           /* instructions until the scene is stopped            */
    int64_t unchecked;      /* instructions since the last check of time         */
    int64_t purse;          /* of all calls while the problem is solved           */
    double seconds;         /* of processor time it may take                      */
    clock_t deadline;       /* processor time when it is stopped; 0: not yet set  */
    int line;               /* where memory was refused; 0: was not               */
    int refused;            /* 1: memory was refused                              */
    int reading;            /* 1: functions are tried and share the budget of the reading */
    wy_interrupt interrupt; /* is the run to be stopped?                          */
    double t;               /* of the call                                    [s] */
    int interrupted;        /* 1: a call was stopped on request                   */
} wy_sandbox;

withy_status wy_sandbox_open(wy_sandbox *box, withy_error *err);
void wy_sandbox_close(wy_sandbox *box);
/* A fresh budget of instructions for checking a scene, `factor` times the usual. */
void wy_sandbox_check(wy_sandbox *box, int factor);
/* A fresh budget for one call of a function at the time t; afterwards, 0: all calls together have taken too
 * much. */
void wy_sandbox_call(wy_sandbox *box, double t);
int wy_sandbox_called(wy_sandbox *box);
/* Compile a text, as luaL_loadbufferx does, with a bound on the time of the parser. */
int wy_sandbox_load(lua_State *lua, const char *chunk, size_t size, const char *name);
/* Charge for the work of C functions, which the instruction counter does not count. */
void wy_sandbox_charge(lua_State *lua, int64_t work);

enum {
    WY_READ_INSTRUCTIONS = 20000000,
    WY_CHECK_INSTRUCTIONS = 200000000, /* following curves calls their functions 10^4 times */
    WY_CALL_INSTRUCTIONS = 1000000,
    WY_LONGEST_TEXT = 1000000,
};

/* ---- library.c: what a scene may call ----------------------------------------------------------- */

/* Leave in the globals: a few basic functions, parts of math, string and table, our constructors.
 */
void wy_library_open(lua_State *lua);
/* The constructor that made the value (its name), or that the value is; or NULL. */
const char *wy_constructed_by(lua_State *lua, int index);
const char *wy_constructor_itself(lua_State *lua, int index);
/* Push a fresh empty table as if made by the constructor. */
void wy_construct_empty(lua_State *lua, const wy_group *group);
/* Push a copy of the table at index with the same constructor. */
void wy_copy_table(lua_State *lua, int index);
/* The line in Lua's message "scene:12: ...", or 0; the message without it. */
int wy_lua_line(const char *message);
const char *wy_without_place(const char *message);
/* What to add to such a message when it is about a function that does not exist here; or "". */
int wy_library_has_math(const char *name); /* sin, pi, ... */
const char *wy_library_advice(const char *message, char *text, size_t size);

/* advice.c: what to do about a message of Lua (without its place), a key that is not there, a rule that is not
 * kept; "" or NULL where nothing more is known. */
const char *wy_lua_advice(const char *message, char *text, size_t size);
const char *wy_key_meant(const char *group, const char *name);
const char *wy_rule_advice(const wy_rule *rule);
const char *wy_range_advice(const wy_key *key); /* a value that is out of range */

/* ---- the scene ---------------------------------------------------------------------------------- */

typedef struct wy_override {
    const char *path;  /* "loads[1].at"           */
    const char *text;  /* as given: "loads.1.at=2" */
    const char *value; /* "2", in text            */
} wy_override;

/* A value for a parameter, given by --set. */
typedef struct wy_param_set {
    const char *name, *text; /* "wire", "params.wire=3e-3" */
    double value;
    int used;
} wy_param_set;

struct withy_scene {
    wy_arena arena;
    wy_sandbox box;
    wy_lines lines;
    const char *name, *text;
    int folder_access;       /* as in wy_scene_source */
    wy_arena near;           /* of the file that is being read next to it */
    char why[160];           /* it cannot be read */
    size_t file_bytes;       /* of all files that it has read */
    int files;               /* and how many */
    int vertices, triangles; /* of all its surfaces */
    const char *set;         /* the overrides, each ended by '\x1e' */
    const char *solved;      /* the text, and the overrides as comments behind it */
    size_t size;
    wy_override *override;
    int override_count;
    withy_problem problem;
    const char *method;
    withy_option *option;
    int option_count;
    withy_parameter *parameter; /* [parameter_count] by name */
    int parameter_count;
    int has_params;          /* 1: params { ... } was called */
    wy_param_set *param_set; /* [param_set_count] */
    int param_set_count;
    char *tables; /* a comment for each file read by table "...", with its hash; or NULL */
    size_t tables_room;
    withy_host host;         /* functions of the program; call NULL: there are none */
    withy_progress progress; /* asked by functions while it is solved */
    void *context;
    withy_error raised; /* the last message of one of its functions, with its place; or zeros */
};

/* ---- scene_file.c: files that a scene reads ----------------------------------------------------------- */

/* All of a file in the folder of the scene or below, with a 0 behind its end; valid, as all that is taken from
 * scene->near, until the next one is read.  NULL and a reason; no reason: no memory. */
char *wy_scene_file_read(withy_scene *scene, const char *name, size_t most, size_t *size,
                         const char **why);

/* ---- reading ------------------------------------------------------------------------------------ */

enum { WY_PATH = 256, WY_MOST_ENTRIES = 1000 };

typedef struct wy_reader {
    withy_scene *scene;
    lua_State *lua;
    withy_error *err;
    wy_scene_draft *draft;
    const double *length; /* of the rod that is being read                   [m] */
    char path[WY_PATH];   /* of the value that is being read: "ends.start.tangent" */
} wy_reader;

/* Go down to a key and up again: old = wy_enter(r, "rod"); ...; wy_leave(r, old). */
size_t wy_enter(wy_reader *r, const char *name);
void wy_leave(wy_reader *r, size_t old);

/* Fail with where, path and value (top of the stack), then the message: "must be > 0 [m]". */
withy_status wy_reject(wy_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fail with where, then the message; name is a key below the path, or NULL. */
withy_status wy_complain(wy_reader *r, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The value at the index in a few words: `-1`, `"long"`, `{ 0, 0, 1 }`, `clamped { ... }`. */
const char *wy_value_text(lua_State *lua, int index, char *text, size_t size);

/* measure.c: with the table of a rod on top of the stack, the length of its shape; 0: it has none. */
double wy_helix_length(const wy_shape_draft *draft); /* of radius, turns and height */
withy_status wy_measure_rod(wy_reader *r, double *length);
/* value.c: numbers, texts, fields.  The value is on top of the stack; to is where it goes. */
withy_status wy_read_simple(wy_reader *r, const wy_key *key, void *to);
/* The numbers of a list, or one number; how many (0: not numbers, or more than most). */
int wy_read_numbers(lua_State *lua, int index, double *number, int most);
withy_status wy_check_range(wy_reader *r, const wy_key *key, const double *number, int count);
/* Is |x| = 1 to 1e-6?  Makes it so to rounding. */
int wy_make_unit(double *x, int count, double *length);

/* function.c: a Lua function (top of the stack) as count fields. */
/* input and signal, in place of a function of t. */
void wy_signals_open(lua_State *lua);
void wy_signal_sum_open(lua_State *lua);     /* of the metatable on the stack */
int wy_is_signal(lua_State *lua, int index); /* either, or a list with one in it */
withy_status wy_read_signal(wy_reader *r, const wy_key *key, withy_field *to);
withy_status wy_read_function(wy_reader *r, const wy_key *key, withy_field *field);
int wy_function_has_time(const withy_field *field); /* is it one of s and t, by its parameters? */

/* group.c: the table on top of the stack, by the rows of a group. */
withy_status wy_read_group(wy_reader *r, const char *group, void *base);
withy_status wy_read_one_of(wy_reader *r, const wy_key *key, void *to);
withy_status wy_read_value(wy_reader *r, const wy_key *key, void *to);
withy_status wy_missing(wy_reader *r, const wy_key *key); /* report that it is missing */
int wy_has(wy_reader *r, const char *name); /* is it in the table on top of the stack? */

/* list.c: rods, loads, probes, options. */
withy_status wy_read_list(wy_reader *r, const wy_key *key, void *to);
/* Does a zero byte end the text before its end?  C would read a part of it only. */
bool wy_is_cut(lua_State *lua, int index);
withy_status wy_check_uncut(wy_reader *r); /* refuse the value on top of the stack if it is */
/* Go to entry i of the list on top of the stack: it is pushed, the path extended; and back. */
size_t wy_enter_entry(wy_reader *r, int index);
void wy_leave_entry(wy_reader *r, size_t old);
withy_status wy_read_plain(wy_reader *r, const char *group, void *to); /* a table of the group */
/* One entry of a list, the value on top of the stack. */
typedef withy_status wy_read_entry(wy_reader *r, int index, void *to);
/* What has no name is called word, word2, ... */
withy_status wy_name_entry(wy_reader *r, const char *word, int index, const char **name);
withy_status wy_scene_no_memory(wy_reader *r);
/* Length of rod `number`, counted from 1; -1 when there is none. */
double wy_length_of(const wy_reader *r, double number);
int wy_rod_count(const wy_reader *r);

/* network.c: bodies, joints, and the names of parts. */
wy_read_entry wy_read_body, wy_read_body_load, wy_read_joint;
withy_status wy_read_parts(wy_reader *r, withy_place place[2]);
withy_status wy_read_places(wy_reader *r, withy_place place[2]);
withy_status wy_read_rod_name(wy_reader *r, int *rod); /* counted from 1 */
/* The body or joint that a probe names. */
withy_status wy_find_probed(wy_reader *r, const wy_probe_draft *draft, withy_probe *probe);

/* obstacle.c: what rods touch. */
wy_read_entry wy_read_obstacle;
withy_status wy_read_friction(wy_reader *r, const wy_key *key, double *friction);
withy_status wy_read_distance(wy_reader *r, const wy_key *key, withy_obstacle *obstacle);
withy_status wy_read_flow_function(wy_reader *r, const wy_key *key, withy_medium *medium);
/* medium.c: the current, its profile and the waves of a medium. */
withy_status wy_read_flow(wy_reader *r, const wy_key *key, withy_medium *medium);
withy_status wy_read_profile(wy_reader *r, withy_medium *medium);
withy_status wy_read_waves(wy_reader *r, const wy_key *key, withy_medium *medium);
/* mesh.c: the triangles of a file in the folder of the scene. */
/* The floor of the scene, the last of its obstacles. */
withy_status wy_floor_to_plane(wy_reader *r, withy_problem *problem);
withy_status wy_read_mesh(wy_reader *r, const char *file, double scale, withy_obstacle *obstacle);

/* finish.c: what a single row cannot express: contradictions, and values that follow from others. */
withy_status wy_check_rules(wy_reader *r, const char *group);
withy_status wy_finish_group(wy_reader *r, const char *group, void *base);
withy_status wy_finish_rod(wy_reader *r, wy_rod_draft *draft, const char *path);
void wy_rod_draft_begin(wy_rod_draft *draft);

/* override.c: keep every "path=value"; before the text runs compute those of parameters, afterwards apply the
 * others to the table on top of the stack. */
withy_status wy_override_keep(wy_reader *r, const char *const *override, int count);
withy_status wy_override_all(wy_reader *r);

/* params.c: params { ... }; afterwards every value that was set must have found its parameter. */
void wy_params_open(wy_reader *r);

/* host.c: the global host, where the program has given one. */
void wy_host_open(wy_reader *r);
withy_status wy_params_check(wy_reader *r);

/* table.c: table "measured.csv", a file in the folder of the scene; the library `table` is still there. */
void wy_tables_open(wy_reader *r);
