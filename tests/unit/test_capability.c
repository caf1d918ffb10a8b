/* Every key of a scene that has an effect is claimed by the methods that have it, or refused. */
#include <string.h>

#include "check.h"
#include "model/schema/capability.h"
#include "model/schema/schema.h"

typedef struct scene {
    withy_problem problem;
    withy_rod rod;
    withy_load load;
} scene;

static void make_bare(scene *x) {
    *x = (scene){0};
    x->rod.length = 1;
    x->rod.end[0].kind = x->rod.end[1].kind = WITHY_END_FREE;
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] =
        (withy_field){.size = 1, .value = {1}};
    x->rod.inertia[WITHY_MASS] = (withy_field){.size = 1, .value = {1}};
    x->problem.rod = &x->rod, x->problem.rod_count = 1;
}

static uint64_t asked(const scene *x) {
    wy_requirements asks;
    wy_problem_requirements(&x->problem, &asks);
    return asks.can;
}

static int is(const char *a, const char *b) {
    return a && strcmp(a, b) == 0;
}

/* Where the rows of a group write, when there is such a table; NULL: not in a rod. */
static void *draft_of(scene *x, const wy_group *g) {
    static const char *const tables[] = {"rod",     "material", "stiffness", "inertia",
                                         "damping", "drag",     "initial"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (is(g->name, tables[i])) return &x->rod;
    if (is(g->name, "static")) return x->rod.settled = 1, &x->rod;
    if (is(g->family, "section")) return x->rod.section.kind = g->tag, &x->rod.section;
    if (is(g->family, "shape")) return x->rod.initial.kind = g->tag, &x->rod.initial;
    if (is(g->family, "end")) return x->rod.end[0].kind = g->tag, &x->rod.end[0];
    if (!is(g->family, "load")) return NULL;
    x->load.kind = g->tag, x->rod.load = &x->load, x->rod.load_count = 1;
    return &x->load;
}

/* A value that is not the default. */
static int give(const wy_key *key, void *draft) {
    char *at = (char *)draft + key->offset;
    const double one = 1;
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_DIRECTION: memcpy(at, &one, sizeof one); return 1;
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_STRAIN:
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS: ((withy_field *)at)->size = 1; return 1;
    default: return 0; /* flags and words change what another key does; tables have their own */
    }
}

TEST(a_bare_rod_requires_nothing) {
    (void)unused_state;
    scene x;
    make_bare(&x);
    CHECK(asked(&x) == 0);
}

TEST(gravity_is_required_by_name) {
    (void)unused_state;
    scene x;
    make_bare(&x);
    x.problem.gravity.z = -1;
    CHECK(asked(&x) == WY_CAN(GRAVITY));
}

/* Drafts with helpers of the reader (angle, turns, poisson) write beyond the problem: their offset tells. */
static int in_problem(const wy_key *key, const wy_group *g) {
    const size_t room = is(g->family, "section") ? sizeof(withy_section)
                        : is(g->family, "shape") ? sizeof(withy_shape)
                        : is(g->family, "end")   ? sizeof(withy_end)
                        : is(g->family, "load")  ? sizeof(withy_load)
                                                 : sizeof(withy_rod);
    return key->offset + sizeof(double) <= room;
}

TEST(every_key_of_a_rod_requires_what_its_row_says_and_only_marked_rows_require_nothing) {
    (void)unused_state;
    const wy_key *key;
    int tried = 0;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
        const wy_group *g = wy_group_find(key->group);
        const uint64_t none = WY_CAN(BARE) | WY_CAN(STUDY) | WY_CAN(VALUE) | WY_CAN(OWN);
        scene x;
        make_bare(&x);
        void *draft = draft_of(&x, g);
        if (!draft || !in_problem(key, g) || !give(key, draft)) continue;
        const uint64_t can = asked(&x);
        tried++;
        if (key->can & WY_CAN_ALL) {
            if (!(can & key->can))
                fail_msg("%s.%s: its capability is not asked for", key->group, key->name);
        } else if (!(key->can & none) && !can) {
            fail_msg("%s.%s: a method that claims nothing would take it", key->group, key->name);
        }
    }
    CHECK(tried > 80);
}

TEST(a_key_is_the_same_as_its_table_only_where_the_table_is_claimed) {
    (void)unused_state;
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
    test(every_key_of_a_rod_requires_what_its_row_says_and_only_marked_rows_require_nothing),
    test(a_key_is_the_same_as_its_table_only_where_the_table_is_claimed))
