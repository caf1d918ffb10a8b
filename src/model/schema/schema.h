/* schema.h - every key a scene can have, as one table: it validates, suggests and documents.
 *
 * Room: src/model.  A row gives the table ("group") of a key, its kind of value, its unit,
 * range and default, and its place in the C description.  Nothing here depends on Lua, so that the
 * reference page exists in a build without it.
 */
#pragma once

#include "base/base.h"
#include "model/model.h"
#include "model/schema/structure.h"
#include "withy/problem.h"
#include "withy/sim.h"

typedef enum wy_kind {
    WY_KEY_NUMBER,    /* double[size]                                                            */
    WY_KEY_PLACE,     /* double: an arc length on the rod, 0 .. length                           */
    WY_KEY_WHOLE,     /* int                                                                     */
    WY_KEY_FLAG,      /* int from true or false                                                  */
    WY_KEY_WORD,      /* int: which of "one|two"                                                 */
    WY_KEY_TEXT,      /* const char *                                                            */
    WY_KEY_DIRECTION, /* withy_vec3, made a unit vector                                          */
    WY_KEY_FIELD,     /* withy_field of size numbers                                             */
    WY_KEY_UNIT,      /* withy_field of size numbers whose squares sum to 1                      */
    WY_KEY_STRAIN,    /* withy_field of 3 or 6 numbers                                           */
    WY_KEY_SPREAD,    /* withy_field[size]: one number for all, or one each                      */
    WY_KEY_ROTARY,    /* withy_field[3]: one number for d1 and d2 and twice it for d3, or three  */
    WY_KEY_ROWS,      /* withy_field[size]: a list of so many rows, each of so many numbers       */
    WY_KEY_GROUP,     /* a table: the rows of group `child`                                      */
    WY_KEY_ONE_OF,    /* what a constructor of family `child` made                               */
    WY_KEY_RODS,      /* lists and named entries, each with its own reader                       */
    WY_KEY_BODIES,
    WY_KEY_JOINTS,
    WY_KEY_PARTS,      /* withy_place[2]: the names of two parts                                  */
    WY_KEY_PLACES,     /* withy_place[2]: where on each                                           */
    WY_KEY_ROD_NAME,   /* int: a rod by name or number, from 1; 0: not given                      */
    WY_KEY_BODY_LOADS, /* withy_body                                                              */
    WY_KEY_LOADS,
    WY_KEY_POINTS,
    WY_KEY_TERMS,   /* withy_law: pairs of share and time */
    WY_KEY_CURVE,   /* withy_curve: pairs of strain and force or moment */
    WY_KEY_FACTORS, /* withy_path: load factors */
    WY_KEY_PROBES,
    WY_KEY_INPUTS, /* wy_feed list of the scene's draft */
    WY_KEY_OPTIONS,
    WY_KEY_OBSTACLES,
    WY_KEY_FRICTION, /* double[3]: one number, or the group friction           */
    WY_KEY_DISTANCE, /* withy_obstacle: a function of x, y, z                  */
    WY_KEY_FLOW,     /* withy_medium: 3 numbers, a signal, a function of x, y, z, t, or a profile */
    WY_KEY_PROFILE,  /* withy_medium: rows of four numbers                     */
    WY_KEY_WAVES,    /* withy_medium: one wave or a list                       */
} wy_kind;

typedef struct wy_key {
    const char *group, *name;
    wy_kind kind;
    int size;
    size_t offset;   /* into the draft of the group                                        */
    wy_structure in; /* the structure with which that draft begins, and which has the value */
    char arguments;  /* of a function: 's', 't' or 'b' for both; 0: no function allowed    */
    int uses_state;  /* 1: or a function of s, t and the state                             */
    double min, max; /* of each number; max = INFINITY allows "rigid"                      */
    int open_min, open_max;
    const char *child;    /* group, family, words, or "{ x, y, z }"                             */
    const char *unit;     /* "" for none                                                        */
    const char *fallback; /* the default in words; NULL: the key must be given                  */
    uint64_t can;         /* what a method must be able to do (capability.inc)                  */
    const char *doc;
} wy_key;

/* A table of keys.  A constructor is a group with a family. */
typedef struct wy_group {
    const char *name;   /* "rod", "clamped"; one of two constructors of a name: "obstacle_box"   */
    const char *family; /* NULL, or "section", "shape", "end", "load"                            */
    int tag;            /* the enum constant a constructor stands for                            */
    const char *bare;   /* the key meant by `curve(f)` instead of `curve { position = f }`       */
    const char *where;  /* how the page names it: "rod.stiffness"; a constructor: "box"          */
    uint64_t can;       /* what a method must be able to do when there is such a table           */
    const char *doc;
} wy_group;

/* Which keys must or must not be combined in a table. */
typedef struct wy_rule {
    const char *group;
    enum { WY_EXACTLY_ONE, WY_AT_MOST_ONE, WY_AT_LEAST_ONE, WY_NEEDS, WY_INSIDE } rule;
    const char *keys; /* "pitch|angle|turns"; NEEDS: which|what; INSIDE: list|what belongs there */
} wy_rule;

const wy_rule *wy_rule_at(int index);   /* NULL past the last */
const wy_key *wy_key_at(int index);     /* NULL past the last */
const wy_group *wy_group_at(int index); /* NULL past the last */
const wy_key *wy_key_find(const char *group, const char *name);
const wy_group *wy_group_find(const char *name);
/* What the constructor means in a family; one name may stand in two: a box is a body or an obstacle. */
const wy_group *wy_constructor_find(const char *family, const char *constructor);

/* Is this table, or constructor, that of a structure with this tag?  Keys of other tables write to it as well:
 * `rod.drag.linear`, for one. */
int wy_group_is_of(const wy_group *group, wy_structure of, int tag);
int wy_key_is_in(const wy_key *key, wy_structure of, int tag);
/* Is the value of the key in this structure another than nothing? */
int wy_key_given(const wy_key *key, const void *structure);

/* The key of a group, or the constructor, that is closest to a misspelt name; or NULL. */
const char *wy_key_closest(const char *group, const char *name);
const char *wy_constructor_closest(const char *name);

/* "length, section, ..." of a group, and "circle, tube or custom" of a family. */
const char *wy_key_names(const char *group, char *text, size_t size);
const char *wy_family_names(const char *family, char *text, size_t size);
/* The constructors of a family that have the key: "free, pinned"; "" when none has. */
const char *wy_family_with(const char *family, const char *key, char *text, size_t size);

/* What a key must be: "a number > 0 [m]", the same without unit, and only the range: "> 0 [m]". */
const char *wy_key_expects(const wy_key *key, char *text, size_t size);
const char *wy_key_allowed(const wy_key *key, char *text, size_t size);
const char *wy_key_range(const wy_key *key, char *text, size_t size);

/* Append to a text, never past its end. */
void wy_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Position of a word in "one|two", or -1. */
int wy_word_index(const char *words, const char *word);
/* Word `index` of "one|two"; NULL past the last. */
const char *wy_word_at(const char *words, int index, char *text, size_t size);

/* ---- drafts: what the rows write to ----------------------------------------------------------- */

/* Numbers that are NAN in a fresh draft were not given. */
typedef struct wy_rod_draft {
    withy_rod rod;
    double poisson; /* [-] instead of material.shear */
} wy_rod_draft;

typedef struct wy_shape_draft {
    withy_shape shape;
    double angle;  /* helix: climb angle [rad], instead of pitch    */
    double turns;  /* helix: number of turns, instead of pitch      */
    double height; /* helix: with turns, instead of the rod's length */
    int hand;      /* helix: 0 right, 1 left                        */
    double length; /* catenary: of the rod, to be the same [m]      */
} wy_shape_draft;

typedef struct wy_joint_draft {
    withy_joint joint;
    double rods[2], at[2]; /* { rods = { 1, 2 }, at = { 1, 0 }, rigid = true } */
    int rigid;
} wy_joint_draft;

typedef struct wy_obstacle_draft {
    withy_obstacle obstacle;
    double diameter; /* instead of radius       [m] */
    double scale;    /* of the numbers of a file    */
    const char *file;
} wy_obstacle_draft;

typedef struct wy_probe_draft {
    const char *what, *body, *joint, *obstacle;
    double at, every;
    int rod;
} wy_probe_draft;

typedef struct wy_scene_draft {
    withy_problem problem;
    wy_rod_draft only; /* what rod, initial, ends and loads describe */
    withy_rod *rods;   /* [rod_count] when rods is given             */
    int rod_count;
    int no_rod; /* 1: neither rod nor rods: bodies only              */
    const char *method;
    withy_option *option;
    int option_count;
    struct wy_feed *input; /* [input_count] */
    int input_count;
} wy_scene_draft;

/* ---- check.c: checks of single values between the files of src/model.  Each reports key, value, allowed. */

withy_status wy_check_positive(const char *key, double value, const char *unit, withy_error *err);
withy_status wy_check_not_negative(const char *key, double value, const char *unit,
                                   withy_error *err);
withy_status wy_check_finite(const char *key, double value, const char *unit, withy_error *err);
/* Not given, or so many numbers, and not a function of time. */
withy_status wy_check_static(const char *where, const char *name, const withy_field *field,
                             int size, withy_error *err);
/* Not given, or so many finite numbers; a function is checked when it is called. */
withy_status wy_check_field(const char *where, const char *name, const withy_field *field, int size,
                            withy_error *err);
/* A count needs a list. */
withy_status wy_check_count(const char *list, int count, const void *entries, withy_error *err);
/* All values of a structure, made by constructor `tag` of its family, in the ranges of their keys; where: "ends.start". */
withy_status wy_check_values(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err);
/* What is given and has no key in constructor `tag` would be ignored: it is refused. */
withy_status wy_check_unread(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err);
withy_status wy_check_on_rod(const char *key, double s, const withy_rod *rod, withy_error *err);
/* A failure of rod `rod`, from 0, of several: "rods[2]: " before it, and its path below that of the rod. */
withy_status wy_fail_in_rod(withy_error *err, withy_status status, int rod);

/* ---- capability.c: what a problem requires of a method, found from the schema.
 *
 * Every key of the schema names the capability it needs, and a method that does not claim it refuses the key.  A method
 * that claims nothing solves a bare rod: free at both ends, straight, at rest, without loads.
 */

/* Positions of the bits of wy_method.can. */
enum {
#define CAN(name, words) WY_CAN_##name##_AT,
#include "model/schema/capability.inc"
#undef CAN
    WY_CAPABILITIES,
    /* marks of rows of the schema (schema.inc), which no method claims */
    WY_CAN_VALUE_AT = 59,
    WY_CAN_SAME_AT,
    WY_CAN_STUDY_AT,
    WY_CAN_BARE_AT,
    WY_CAN_OWN_AT
};
#define WY_CAN(name) ((uint64_t)1 << WY_CAN_##name##_AT)
#define WY_CAN_ALL (((uint64_t)1 << WY_CAPABILITIES) - 1)
_Static_assert(WY_CAPABILITIES <= WY_CAN_VALUE_AT,
               "capabilities must fit the bits of wy_method.can");

/* The words of capability `at` (not the bit). */
const char *wy_capability_words(int at);

enum { WY_OWN_MOST = 16 };

/* What a problem requires. */
typedef struct wy_requirements {
    uint64_t can;  /* capabilities                                               */
    int own_count; /* keys that are a capability of their own, as "rod.toy"      */
    const char *own[WY_OWN_MOST];
    char room[WY_OWN_MOST][2 * WITHY_NAME];
} wy_requirements;

void wy_problem_requirements(const withy_problem *problem, wy_requirements *asks);
