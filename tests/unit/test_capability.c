/* Every key of a scene that has an effect is claimed by the methods that have it, or refused. */
#include <string.h>

#include "check.h"
#include "model/schema/schema.h"
#include "study/sim.h"

typedef struct scene {
    withy_problem problem;
    withy_rod rod[2];
    withy_load load, pull;
    withy_body body;
    withy_body_load body_load;
    withy_joint joint;
    withy_obstacle obstacle;
    withy_wave wave;
} scene;

static void make_bare(scene *x) {
    *x = (scene){0};
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = &x->rod[i];
        rod->length = 1;
        rod->end[0].kind = rod->end[1].kind = WITHY_END_FREE;
        rod->stiffness[WITHY_BEND1] = rod->stiffness[WITHY_BEND2] =
            (withy_field){.size = 1, .value = {1}};
        rod->inertia[WITHY_MASS] = (withy_field){.size = 1, .value = {1}};
    }
    x->problem.rod = x->rod, x->problem.rod_count = 1;
}

static uint64_t asked(const scene *x) {
    wy_requirements asks;
    wy_problem_requirements(&x->problem, &asks);
    return asks.can;
}

/* ---- a structure in the problem: the first of its kind, or another ----------------------------- */

static void *rod_of(scene *x, int other) {
    x->problem.rod_count = 1 + other;
    return &x->rod[other];
}
static void *law_of(scene *x, int other) {
    return other ? NULL : &x->rod[0].law;
}
static void *section_of(scene *x, int other) {
    return other ? NULL : &x->rod[0].section;
}
static void *shape_of(scene *x, int other) {
    return other ? &x->rod[0].rest : &x->rod[0].initial;
}
static void *end_of(scene *x, int other) {
    return &x->rod[0].end[other];
}
static void *load_of(scene *x, int other) {
    withy_rod *rod = &x->rod[0];
    if (!other) return rod->load = &x->load, rod->load_count = 1, &x->load;
    return rod->settled = 1, rod->pull = &x->pull, rod->pull_count = 1, &x->pull;
}
static void *body_of(scene *x, int other) {
    return x->problem.body = &x->body, x->problem.body_count = 1, other ? NULL : &x->body;
}
static void *body_load_of(scene *x, int other) {
    body_of(x, other), x->body.load = &x->body_load, x->body.load_count = 1;
    return other ? NULL : &x->body_load;
}
static void *joint_of(scene *x, int other) {
    x->joint.place[0].part = WITHY_PART_GROUND;
    return x->problem.joint = &x->joint, x->problem.joint_count = 1, other ? NULL : &x->joint;
}
static void *obstacle_of(scene *x, int other) {
    x->problem.obstacle = &x->obstacle, x->problem.obstacle_count = 1;
    return other ? NULL : &x->obstacle;
}
static void *problem_of(scene *x, int other) {
    return other ? NULL : &x->problem;
}
static void *floor_of(scene *x, int other) {
    return x->problem.floor.given = 1, other ? NULL : &x->problem.floor;
}
static void *rotating_of(scene *x, int other) {
    return x->problem.rotating.given = 1, other ? NULL : &x->problem.rotating;
}
static void *contact_of(scene *x, int other) {
    return x->problem.contact.given = 1, other ? NULL : &x->problem.contact;
}

static void *medium_of(scene *x, int other) {
    return x->problem.medium.given = 1, other ? NULL : &x->problem.medium;
}
static void *magnetic_of(scene *x, int other) {
    return x->problem.magnetic.given = 1, other ? NULL : &x->problem.magnetic;
}
static void *wave_of(scene *x, int other) {
    medium_of(x, other), x->problem.medium.wave = &x->wave, x->problem.medium.wave_count = 1;
    return other ? NULL : &x->wave;
}

static void *(*const place[WY_STRUCTURES])(scene *, int) = {
    [WY_IN_PROBLEM] = problem_of,     [WY_IN_ROD] = rod_of,
    [WY_IN_SECTION] = section_of,     [WY_IN_LAW] = law_of,
    [WY_IN_SHAPE] = shape_of,         [WY_IN_END] = end_of,
    [WY_IN_LOAD] = load_of,           [WY_IN_BODY] = body_of,
    [WY_IN_BODY_LOAD] = body_load_of, [WY_IN_JOINT] = joint_of,
    [WY_IN_OBSTACLE] = obstacle_of,   [WY_IN_FLOOR] = floor_of,
    [WY_IN_ROTATING] = rotating_of,   [WY_IN_CONTACT] = contact_of,
    [WY_IN_MEDIUM] = medium_of,       [WY_IN_WAVE] = wave_of,
    [WY_IN_MAGNETIC] = magnetic_of};

/* The structure, of the kind that has the key; NULL: there is no other. */
static void *structure_with(const wy_key *key, scene *x, int other) {
    wy_entries entries;
    char *at = place[key->in](x, other);
    wy_entries_list(&entries);
    for (int i = 0; at && i < entries.count[key->in]; i++) {
        const wy_entry *e = &entries.entry[key->in][i];
        int tag = 0;
        if (e->kind != WY_ENTRY_TAG) continue;
        while (tag < 32 && !wy_key_is_in(key, key->in, tag)) tag++;
        memcpy(at + e->offset, &tag, sizeof tag);
    }
    return at;
}

static withy_status ramp(void *unused, double s, double t, double *out, withy_error *err) {
    (void)unused, (void)s, (void)err;
    for (int i = 0; i < 3; i++) out[i] = t;
    return WITHY_OK;
}

/* A value that has an effect, if the key has one alone. */
static int give(const wy_key *key, void *draft) {
    char *at = (char *)draft + key->offset;
    const double one = 1;
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_FRICTION:
    case WY_KEY_DIRECTION: memcpy(at, &one, sizeof one); return 1;
    case WY_KEY_WHOLE:
    case WY_KEY_FLAG:
    case WY_KEY_WORD: *(int *)at = 1; return 1;
    case WY_KEY_TEXT: *(const char **)at = "x"; return 1;
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_STRAIN:
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS:
        ((withy_field *)at)->size = 1;
        if (key->in == WY_IN_END) ((withy_field *)at)->call = ramp;
        return 1;
    default: return 0; /* tables have their own */
    }
}

TEST(a_bare_rod_requires_nothing) {
    scene x;
    make_bare(&x);
    CHECK(asked(&x) == 0);
}

TEST(gravity_is_required_by_name) {
    scene x;
    make_bare(&x);
    x.problem.gravity.z = -1;
    CHECK(asked(&x) == WY_CAN(GRAVITY));
}

/* What the row of a key says that it requires, if it says so. */
static void check_row(const wy_key *key, const wy_requirements *asks) {
    const int listed = key->can & WY_CAN_ALL || key->can == WY_CAN(SAME) || key->can == WY_CAN(OWN);
    if (key->can & WY_CAN_ALL && (asks->can & key->can) != key->can)
        fail_msg("%s.%s: its capability is not required", key->group, key->name);
    if (key->can == WY_CAN(OWN) && asks->own_count == 0)
        fail_msg("%s.%s: is not required by its path", key->group, key->name);
    /* ends that move, loads that follow: what follows from the value */
    const int field = key->kind == WY_KEY_FIELD || key->kind == WY_KEY_UNIT;
    if (key->can == WY_CAN(VALUE) && field && !(asks->can & WY_CAN(MOVING)))
        fail_msg("%s.%s: a function of time requires nothing", key->group, key->name);
    if (listed && !asks->can && !asks->own_count)
        fail_msg("%s.%s: a method that claims nothing would take it", key->group, key->name);
}

/* What the problem requires and the method does not claim is refused, by its name. */
static void check_refusal(const wy_method *method, const wy_key *key, const scene *x,
                          const wy_requirements *asks) {
    withy_error err = {0};
    const uint64_t missing = asks->can & ~method->can;
    int first = 0;
    if (!missing) return;
    while (!(missing >> first & 1)) first++;
    if (wy_method_accepts(method, &x->problem, &err) != WITHY_UNSUPPORTED ||
        !strstr(err.text, wy_capability_words(first)))
        fail_msg("%s takes %s.%s, which requires %s: %s", method->name, key->group, key->name,
                 wy_capability_words(first), err.text);
}

TEST(a_key_is_refused_by_methods_that_do_not_claim_what_it_requires) {
    const wy_method nothing = {.name = "nothing"};
    const wy_key *key;
    uint64_t found = 0;
    int tried = 0;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
        for (int other = 0; other < 2 && key->in; other++) {
            scene x;
            wy_requirements asks;
            make_bare(&x);
            void *draft = structure_with(key, &x, other);
            if (!draft || !give(key, draft)) continue;
            wy_problem_requirements(&x.problem, &asks);
            check_row(key, &asks);
            check_refusal(&nothing, key, &x, &asks);
            for (int m = 0; m < wy_method_count(); m++)
                check_refusal(wy_method_at(m), key, &x, &asks);
            found |= asks.can, tried++;
        }
    }
    print_message("%d keys and places, %d of %d capabilities\n", tried, __builtin_popcountll(found),
                  WY_CAPABILITIES);
    CHECK(tried > 350);
}

TEST(a_key_is_the_same_as_its_table_only_where_the_table_is_claimed) {
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
        const wy_group *g = wy_group_find(key->group);
        if (key->can == WY_CAN(SAME) && !(g->can & WY_CAN_ALL))
            fail_msg("%s.%s: its table requires nothing", key->group, key->name);
        if (key->can == WY_CAN(STUDY) && g->can != WY_CAN(STUDY) && strcmp(g->name, "scene") != 0)
            fail_msg("%s.%s: is a key of the rod", key->group, key->name);
    }
}

RUN(test(a_bare_rod_requires_nothing), test(gravity_is_required_by_name),
    test(a_key_is_refused_by_methods_that_do_not_claim_what_it_requires),
    test(a_key_is_the_same_as_its_table_only_where_the_table_is_claimed))
