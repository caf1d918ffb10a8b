/* test_digest.c - a state belongs to its problem: every key of the schema that describes one changes its digest. */
#include <stdlib.h>

#include "check.h"
#include "model/model.h"
#include "model/schema/schema.h"
#include "withy/withy.h"

/* One of everything. */
typedef struct everything {
    withy_problem problem;
    withy_rod rod;
    withy_load load, pull;
    withy_body body;
    withy_body_load body_load;
    withy_joint joint;
    withy_obstacle obstacle;
} everything;

static void fill(everything *x) {
    memset(x, 0, sizeof *x);
    x->problem = withy_problem_default();
    x->problem.rod = &x->rod, x->problem.rod_count = 1;
    x->problem.body = &x->body, x->problem.body_count = 1;
    x->problem.joint = &x->joint, x->problem.joint_count = 1;
    x->problem.obstacle = &x->obstacle, x->problem.obstacle_count = 1;
    x->problem.floor.given = x->problem.contact.given = x->problem.rotating.given = 1;
    x->rod.load = &x->load, x->rod.load_count = 1;
    x->rod.pull = &x->pull, x->rod.pull_count = 1;
    x->body.load = &x->body_load, x->body.load_count = 1;
}

/* Where a structure is, in each of its places; NULL: no more. */
static char *place_of(everything *x, wy_structure in, int which) {
    void *const place[WY_STRUCTURES][3] = {[WY_IN_PROBLEM] = {&x->problem},
                                           [WY_IN_ROD] = {&x->rod},
                                           [WY_IN_SECTION] = {&x->rod.section},
                                           [WY_IN_SHAPE] = {&x->rod.initial, &x->rod.rest},
                                           [WY_IN_END] = {&x->rod.end[0], &x->rod.end[1]},
                                           [WY_IN_LOAD] = {&x->load, &x->pull},
                                           [WY_IN_BODY] = {&x->body},
                                           [WY_IN_BODY_LOAD] = {&x->body_load},
                                           [WY_IN_JOINT] = {&x->joint},
                                           [WY_IN_PLACE] = {&x->joint.place[0], &x->joint.place[1]},
                                           [WY_IN_OBSTACLE] = {&x->obstacle},
                                           [WY_IN_FLOOR] = {&x->problem.floor},
                                           [WY_IN_ROTATING] = {&x->problem.rotating},
                                           [WY_IN_CONTACT] = {&x->problem.contact}};
    return which < 2 ? place[in][which] : NULL;
}

/* Change number `part` of what a key writes; 0: it has no such part, or it is no part of the problem. */
static int change(const wy_key *key, char *at, int part) {
    const int most = key->kind == WY_KEY_FRICTION ? WITHY_FRICTIONS : key->size > 0 ? key->size : 1;
    withy_field *field = (withy_field *)(void *)at;
    if (part >= most) return 0;
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_FRICTION:
    case WY_KEY_DIRECTION: ((double *)(void *)at)[part] += 1; return 1;
    case WY_KEY_WHOLE:
    case WY_KEY_FLAG:
    case WY_KEY_WORD: *(int *)(void *)at += 1; return 1;
    case WY_KEY_TEXT:
        if (strcmp(key->name, "name") == 0 && key->in != WY_IN_LOAD) return 0;
        *(const char **)(void *)at = "another";
        return 1;
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_STRAIN: field->size = most, field->value[part] += 1; return 1;
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS: field[part].size = 1, field[part].value[0] += 1; return 1;
    default: return 0;
    }
}

TEST(every_number_of_every_key_that_describes_a_problem_changes_its_digest) {
    static everything x, y;
    int tried = 0;
    fill(&x);
    const uint64_t before = wy_problem_digest(&x.problem);
    for (int i = 0; wy_key_at(i); i++) {
        const wy_key *key = wy_key_at(i);
        for (int k = 0; key->in && place_of(&y, key->in, k); k++)
            for (int part = 0;; part++) {
                fill(&y);
                if (!change(key, place_of(&y, key->in, k) + key->offset, part)) break;
                if (wy_problem_digest(&y.problem) == before)
                    fail_msg("%s.%s does not change the digest", key->group, key->name);
                tried++;
            }
    }
    print_message("%d numbers\n", tried);
    CHECK(tried > 400);
}

TEST(every_member_of_every_structure_has_a_row) {
    if (wy_structure_hole()) fail_msg("%s has a member without a row", wy_structure_hole());
}

/* ---- what was taken for the same --------------------------------------------------------------------- */

static withy_sim *sim_of(const char *more, withy_scene **scene) {
    char text[2048];
    withy_error err = {0};
    withy_sim *sim;
    snprintf(text, sizeof text,
             "return { rod = { length = 1, radius = 0.01, inertia = { mass = 1, rotary = 1e-3 },\n"
             "  stiffness = { stretch = 1e4, shear = 1e4, bend = 1, twist = 1 } },\n"
             "  time = { stop = 1, output = 0.05 }, method = \"director\",\n"
             "  options = { n = 4, dt = 0.005 }, %s }",
             more);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "t.lua", NULL, 0, scene, &err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    CHECK_OK(status);
    CHECK_OK(withy_scene_sim(*scene, NULL, &sim, &err));
    return sim;
}

static withy_status restored(const char *one, const char *other) {
    withy_error err = {0};
    withy_scene *a, *b;
    withy_sim *x = sim_of(one, &a), *y = sim_of(other, &b);
    const size_t size = withy_sim_save_size(x);
    void *bytes = malloc(size);
    CHECK(bytes);
    CHECK_OK(withy_sim_save(x, bytes, size, &err));
    const withy_status status = withy_sim_restore(y, bytes, size, &err);
    free(bytes), withy_sim_destroy(x), withy_sim_destroy(y);
    withy_scene_destroy(a), withy_scene_destroy(b);
    return status;
}

TEST(a_state_of_another_body_or_frame_is_refused) {
#define BODY(size)                                                                                 \
    "bodies = { { mass = 1, inertia = { 1, 1, 1 }, position = { 0, 0, -1 },"                       \
    " shape = sphere { diameter = " size " } } }, contact = { stiffness = 1e4 }"
#define FRAME(q)                                                                                   \
    "initial = { shape = placed { position = function(s) return s, 0, 0 end, frame = { " q         \
    " } } }, ends = { start = clamped {} }"
    CHECK(restored(BODY("0.1"), BODY("0.1")) == WITHY_OK);
    CHECK(restored(BODY("0.1"), BODY("0.5")) == WITHY_BAD_INPUT);
    CHECK(restored(FRAME("0.5, 0.5, 0.5, 0.5"),
                   FRAME("0.7071067811865476, 0, 0.7071067811865476, 0")) == WITHY_BAD_INPUT);
}

RUN(test(every_number_of_every_key_that_describes_a_problem_changes_its_digest),
    test(every_member_of_every_structure_has_a_row),
    test(a_state_of_another_body_or_frame_is_refused))
