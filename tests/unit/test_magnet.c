/* Magnetised rods: the ledger, symmetries, and what is refused. */
#include "base/se3.h"
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

static void make(director_problem *x) {
    director_plain(x, 1, 1, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < WITHY_STRAINS; i++)
        x->rod.stiffness[i] = withy_field_number(i < WITHY_BEND1 ? 1e3 : 1);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++)
        x->rod.inertia[i] = withy_field_number(i < WITHY_ROTARY3 ? 1e-3 : 2e-3);
    x->rod.magnet = withy_field_vector(0.3, -0.2, 1);
    x->problem.magnetic = (withy_magnetic){.given = 1, .value = withy_field_vector(0, 2, 1)};
}

/* Turns about the axis context[3 ..], in the plane that a and b of it span. */
static withy_status turns(void *context, double s, double t, double *out, withy_error *err) {
    const double *c = context;
    (void)s, (void)err;
    const vec3 axis = v3_from(c), arm = v3_from(c + 3);
    v3_to(m3_mul(q_matrix(q_exp(v3_scale(5 * t, axis))), arm), out);
    return WITHY_OK;
}

static withy_sim *start(const director_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    return sim;
}

static withy_snapshot go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    return *withy_sim_sample(sim, 0);
}

/* What the field puts in is work, whatever the step; one that stands still is a potential too. */
TEST(the_ledger_closes_at_any_step) {
    static const char *const options[] = {"n=8 dt=1e-3", "n=8 dt=1e-2", "n=8 dt=1e-1"};
    for (int i = 0; i < 6; i++) {
        director_problem x;
        make(&x);
        if (i >= 3) {
            v3_to(v3(0.6, 0, 0.8), x.context), v3_to(v3(0, 3, 0.5), x.context + 3);
            x.problem.magnetic.value =
                (withy_field){.size = 3, .call = turns, .context = x.context};
        }
        withy_sim *sim = start(&x, options[i % 3]);
        const withy_snapshot now = go(sim, i % 3 ? 2 : 0.3);
        CHECK(now.work > 0.01);
        CHECK_NEAR(now.conserved, 0, 1e-12 * now.work + 1e-12);
        withy_sim_destroy(sim);
    }
}

/* A free rod in a uniform field has no force on it. */
TEST(a_uniform_field_moves_no_centre_of_mass) {
    director_problem x;
    make(&x);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    withy_sim *sim = start(&x, "n=8 dt=1e-2");
    const withy_snapshot now = go(sim, 2);
    CHECK_NEAR(v3_norm(now.momentum), 0, 1e-13);
    CHECK(v3_norm(now.angular_momentum) > 0.1);
    withy_sim_destroy(sim);
}

static withy_vec3 tip_after(const director_problem *x) {
    withy_sim *sim = start(x, "n=8 dt=1e-2");
    const withy_snapshot now = go(sim, 1);
    const withy_vec3 tip = now.position[now.count - 1];
    withy_sim_destroy(sim);
    return tip;
}

TEST(scene_and_field_may_be_turned_together) {
    director_problem x, y;
    make(&x), make(&y);
    const mat3 q = q_matrix(q_exp(v3(0.4, -1.1, 0.7)));
    const vec3 along = m3_mul(q, v3(1, 0, 0)), normal = m3_mul(q, v3(0, 1, 0));
    const vec3 b = m3_mul(q, v3(0, 2, 1));
    y.rod.initial.along = along, y.rod.initial.normal = normal;
    y.problem.magnetic.value = withy_field_vector(b.x, b.y, b.z);
    const vec3 tip = m3_mul(q, tip_after(&x));
    CHECK_NEAR(v3_norm(v3_sub(tip, tip_after(&y))), 0, 1e-9);
}

/* z to -z: B and M are pseudovectors, so that their parts along z stay and those across change their sign.  The section keeps
 * d1; d2 is mirrored, and with it the components of a pseudovector along d1 and d3. */
TEST(a_mirror_turns_pseudovectors_the_other_way) {
    director_problem x, y;
    make(&x), make(&y);
    x.rod.initial.normal = y.rod.initial.normal = (withy_vec3){0, 1, 0}; /* d2 = z */
    y.rod.magnet = withy_field_vector(-0.3, -0.2, -1);
    y.problem.magnetic.value = withy_field_vector(0, -2, 1);
    const vec3 a = tip_after(&x), b = tip_after(&y);
    CHECK_NEAR(a.x, b.x, 1e-10);
    CHECK_NEAR(a.y, b.y, 1e-10);
    CHECK_NEAR(a.z, -b.z, 1e-10);
    CHECK(fabs(a.z) > 0.01);
}

TEST(a_saved_state_goes_on_bit_for_bit) {
    director_problem x;
    withy_error err = {0};
    make(&x);
    withy_sim *one = start(&x, "n=8 dt=0.02"), *two = start(&x, "n=8 dt=0.02");
    go(one, 0.5);
    const size_t size = withy_sim_save_size(one);
    char *bytes = malloc(size);
    CHECK(bytes != NULL);
    CHECK_OK(withy_sim_save(one, bytes, size, &err));
    CHECK_OK(withy_sim_restore(two, bytes, size, &err));
    go(one, 1), go(two, 1);
    CHECK(withy_sim_hash(one) == withy_sim_hash(two));
    free(bytes);
    withy_sim_destroy(one), withy_sim_destroy(two);
}

TEST(no_field_or_no_magnet_changes_nothing) {
    director_problem x, y;
    make(&x), make(&y);
    x.rod.magnet = (withy_field){0};
    y.rod.magnet = (withy_field){0}, y.problem.magnetic = (withy_magnetic){0};
    x.problem.gravity = y.problem.gravity = (withy_vec3){0, 0, -1};
    const vec3 a = tip_after(&x), b = tip_after(&y);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

static void refused(const director_problem *x, const char *words) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(director_start(x, "n=8 dt=1e-2", &sim, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, words)) fail_msg("%s: not in: %s", words, err.text);
}

TEST(hostile_values_are_refused) {
    director_problem x;
    make(&x), x.problem.magnetic.given = 0;
    refused(&x, "does nothing without a field");
    make(&x), x.problem.magnetic.value = withy_field_vector(NAN, 0, 0);
    refused(&x, "field.value");
    make(&x), x.rod.magnet = withy_field_vector(0, INFINITY, 0);
    refused(&x, "rod.magnet");
    make(&x), x.problem.magnetic.value = withy_field_number(1);
    refused(&x, "field.value");
}

TEST(a_field_beyond_all_numbers_ends_with_a_message) {
    director_problem x;
    withy_error err = {0};
    withy_sim *sim = NULL;
    make(&x), x.problem.magnetic.value = withy_field_vector(0, 1e300, 0);
    const withy_status made = director_start(&x, "n=8 dt=1e-2 halvings=3", &sim, &err);
    CHECK(made != WITHY_OK || withy_sim_advance(sim, 1, &err) != WITHY_OK);
    CHECK(err.text[0] != '\0');
    withy_sim_destroy(sim);
}

RUN(test(the_ledger_closes_at_any_step), test(a_uniform_field_moves_no_centre_of_mass),
    test(scene_and_field_may_be_turned_together), test(a_mirror_turns_pseudovectors_the_other_way),
    test(a_saved_state_goes_on_bit_for_bit), test(no_field_or_no_magnet_changes_nothing),
    test(hostile_values_are_refused), test(a_field_beyond_all_numbers_ends_with_a_message))
