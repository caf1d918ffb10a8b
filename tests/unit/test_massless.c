/* Rods without inertia (viscous.inertia): what they lose, how they start, and what does not fit them. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

/* A thread of unit length, stiffness and resistance across; about 0.08 s to become straight, clamped. */
static void make_thread(director_problem *x) {
    director_plain(x, 1, 0.02, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < WITHY_STRAINS; i++)
        x->rod.stiffness[i] = withy_field_number(i < WITHY_BEND1 ? 1e5 : 1);
    x->rod.viscous = (withy_viscous){.normal = 1, .tangential = 0.5, .spin = 1e-3, .massless = 1};
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_FREE);
}

static withy_sim *begin(const director_problem *x, const char *options) {
    withy_sim *sim;
    withy_error err = {0};
    if (director_start(x, options, &sim, &err) != WITHY_OK) fail_msg("%s", err.text);
    return sim;
}

static const withy_snapshot *go(withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) != WITHY_OK) fail_msg("%s", err.text);
    return withy_sim_sample(sim, 0);
}

static double tip(withy_sim *sim, double t) {
    const withy_snapshot *now = go(sim, t);
    return now->position[now->count - 1].y;
}

static double elastic(const withy_snapshot *now) {
    const withy_energies *e = &now->energy;
    return e->shear + e->stretch + e->bend + e->twist;
}

/* ---- the balance ------------------------------------------------------------------------------------------- */

/* In steps far too long, and far too short to see anything. */
TEST(what_is_lost_is_what_the_energy_falls_by_at_any_step) {
    static const double step[3] = {1e-4, 1e-2, 1};
    for (int k = 0; k < 3; k++) {
        director_problem x;
        make_thread(&x);
        x.rod.initial.kind = WITHY_SHAPE_STRAIN;
        x.rod.initial.strain = withy_field_vector(2, -1, 3);
        director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
        director_times(&x, 40 * step[k], step[k]);
        char options[64];
        snprintf(options, sizeof options, "n=4 dt=%g", step[k]);
        withy_sim *sim = begin(&x, options);
        double before = elastic(withy_sim_sample(sim, 0));
        const double start = before;
        for (int i = 1; i <= 40; i++) {
            const withy_snapshot *now = go(sim, i * step[k]);
            CHECK_BELOW(elastic(now) - before, 1e-13 * start);
            before = elastic(now);
            CHECK_NEAR(before + now->dissipated, start, 1e-11 * start);
            CHECK_NEAR(now->energy.kinetic, 0, 0);
        }
        withy_sim_destroy(sim);
    }
}

/* Weight, a load and a driven end put in what is stored or lost. */
TEST(works_and_losses_balance) {
    director_problem x;
    make_thread(&x);
    x.rod.inertia[WITHY_MASS] = withy_field_number(0.7);
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    x.rod.end[1].force = withy_field_vector(0.3, 2, 0.1);
    x.problem.medium =
        (withy_medium){.given = 1, .density = 1, .current = withy_field_vector(0.4, 0.1, -0.2)};
    director_times(&x, 1, 0.1);
    withy_sim *sim = begin(&x, "n=6 dt=0.02");
    CHECK(go(sim, 1)->work > 0.1);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

/* ---- starts and jumps ------------------------------------------------------------------------------------------ */

static withy_status pushed(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[2] = 0, out[1] = t < 0.0503 ? 0 : 0.01;
    return WITHY_OK;
}

/* With 1e4 times the stiffness of the slowest motion in the thread, a load that jumps leaves nothing that reverses from
 * step to step; the midpoint rule alone leaves a tenth of the way. */
TEST(a_load_that_jumps_does_not_ring) {
    director_problem x;
    make_thread(&x);
    x.rod.end[1].force = (withy_field){.size = 3, .call = pushed};
    director_times(&x, 0.1, 0.01);
    withy_sim *sim = begin(&x, "n=8 dt=0.01"), *fine = begin(&x, "n=8 dt=0.0001");
    double worst = 0;
    for (int i = 6; i < 10; i++) {
        const double a = tip(sim, 0.01 * i), b = tip(sim, 0.01 * (i + 1)), c = tip(fine, 0.01 * i),
                     d = tip(fine, 0.01 * (i + 1));
        worst = fmax(worst, fabs((b - a) / (d - c) - 1));
    }
    CHECK_BELOW(worst, 0.1); /* the jump itself is inside a step: half of it at most */
    withy_sim_destroy(sim), withy_sim_destroy(fine);
}

static withy_status sways(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[2] = 0, out[1] = 0.1 * (1 - cos(20 * t));
    return WITHY_OK;
}

TEST(steps_are_of_second_order) {
    director_problem x;
    double y[4];
    make_thread(&x);
    x.rod.end[0].kind = WITHY_END_PINNED;
    x.rod.end[0].position = (withy_field){.size = 3, .call = sways};
    director_times(&x, 1, 0.1);
    for (int k = 0; k < 4; k++) {
        char options[64];
        snprintf(options, sizeof options, "n=8 dt=%g", 0.02 / (1 << k));
        withy_sim *sim = begin(&x, options);
        y[k] = tip(sim, 1);
        withy_sim_destroy(sim);
    }
    const double order = log2((y[1] - y[2]) / (y[2] - y[3]));
    CHECK_NEAR(order, 2, 0.2);
    withy_sim *sim = begin(&x, "n=8 dt=auto tol=1e-4");
    CHECK_NEAR(tip(sim, 1), y[3] + (y[3] - y[2]) / 3, 1e-4);
    withy_sim_destroy(sim);
}

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

/* Sinking across and along: weight over the resistance of Gray and Hancock. */
TEST(resistance_follows_from_viscosity) {
    for (int along = 0; along < 2; along++) {
        director_problem x;
        make_thread(&x);
        x.rod.inertia[WITHY_MASS] = withy_field_number(0.5);
        x.problem.gravity = (withy_vec3){0, along ? 0 : -2, 0};
        if (along) x.problem.gravity.x = -2;
        x.rod.viscous = (withy_viscous){.wavelength = 0.3, .diameter = 0.02, .massless = 1};
        x.problem.medium = (withy_medium){.given = 1, .viscosity = 0.1};
        director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
        director_times(&x, 1, 0.1);
        withy_sim *sim = begin(&x, "n=4 dt=0.01");
        const withy_vec3 v = go(sim, 1)->velocity[4];
        const double tangential = 2 * DIRECTOR_PI * 0.1 / (log(2 * 0.3 / 0.01) - 0.5);
        CHECK_NEAR(along ? v.x : v.y, -1 / (along ? tangential : 2 * tangential), 1e-9);
        withy_sim_destroy(sim);
    }
}

TEST(a_saved_state_goes_on_to_the_same_bits) {
    static char room[1 << 20];
    director_problem x;
    withy_error err = {0};
    make_thread(&x);
    x.rod.end[1].force = (withy_field){.size = 3, .call = pushed};
    director_times(&x, 0.1, 0.01);
    withy_sim *a = begin(&x, "n=4 dt=0.01"), *b = begin(&x, "n=4 dt=0.01");
    go(a, 0.05);
    CHECK_OK(withy_sim_save(a, room, withy_sim_save_size(a), &err));
    CHECK_OK(withy_sim_restore(b, room, withy_sim_save_size(a), &err));
    go(a, 0.1), go(b, 0.1);
    CHECK(withy_sim_hash(a) == withy_sim_hash(b));
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void refuses(const director_problem *x, const char *options, const char *words) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(director_start(x, options, &sim, &err) != WITHY_OK);
    if (!strstr(err.text, words)) fail_msg("\"%s\" is not in: %s", words, err.text);
    withy_sim_destroy(sim);
}

TEST(what_does_not_fit_is_refused) {
    director_problem x;
    make_thread(&x), x.rod.viscous.tangential = 0;
    refuses(&x, "", "viscous.normal and viscous.tangential");
    make_thread(&x), x.rod.viscous.spin = 0, x.rod.end[0].kind = WITHY_END_PINNED;
    refuses(&x, "", "viscous.spin");
    make_thread(&x), x.rod.velocity = withy_field_vector(1, 0, 0);
    refuses(&x, "", "no initial velocity");
    make_thread(&x), x.rod.end[1].mass = 1;
    refuses(&x, "", "cannot carry a mass");
    make_thread(&x);
    refuses(&x, "order=4", "steps backwards in time");
    make_thread(&x),
        x.rod.closed =
            1; /* its modes would decay too slowly, with the mass of the node at the place of closing */
    x.rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    x.rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_ARC, .radius = x.rod.length / (2 * DIRECTOR_PI)};
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    refuses(&x, "", "a closed rod without inertia");
    make_thread(&x), x.rod.viscous.wavelength = 0.1;
    refuses(&x, "", "keep one of them");
    x.rod.viscous = (withy_viscous){.wavelength = 0.1, .massless = 1};
    refuses(&x, "", "give medium.viscosity");
    x.problem.medium = (withy_medium){.given = 1, .viscosity = 1};
    refuses(&x, "", "rod.viscous.diameter");
    x.rod.viscous.diameter = 0.06;
    refuses(&x, "", "long against the diameter");
    x.rod.viscous = (withy_viscous){.normal = 1, .tangential = 1};
    x.rod.inertia[WITHY_MASS] = withy_field_number(1);
    refuses(&x, "", "no rod uses it");
}

RUN(test(what_is_lost_is_what_the_energy_falls_by_at_any_step), test(works_and_losses_balance),
    test(a_load_that_jumps_does_not_ring), test(steps_are_of_second_order),
    test(resistance_follows_from_viscosity), test(a_saved_state_goes_on_to_the_same_bits),
    test(what_does_not_fit_is_refused))
