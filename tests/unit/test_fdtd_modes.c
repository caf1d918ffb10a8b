/* Modes and equilibria of the semi-discrete rod of fdtd. */
#include "base/vec.h"
#include "check.h"
#include "fdtd_problems.h"

static withy_mode *modes_of(withy_sim *sim, int count) {
    withy_error err = {0};
    withy_mode *mode;
    CHECK_OK(withy_sim_modes(sim, count, &mode, &err));
    return mode;
}

static withy_sim *make(const withy_rod *rod, int order, int n) {
    const fd_run how = {.n = n, .order = order, .stop = 1, .output = 1};
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(fd_create(rod, 1, &how, &sim, &err));
    return sim;
}

TEST(a_pinned_string_has_the_partials_of_the_exact_dispersion) {
    const withy_rod rod = fd_string(65, WITHY_END_PINNED);
    withy_sim *sim = make(&rod, 6, 64);
    withy_mode *mode = modes_of(sim, 7);
    CHECK_NEAR(mode[0].frequency, 0, 0); /* it may rotate freely about its axis */
    for (int i = 0; i < 6; i++)          /* every partial twice: in x and in y */
        CHECK_NEAR(withy_cents(mode[i + 1].frequency, fd_pinned(65, i / 2 + 1)), 0, 0.002);
    withy_modes_free(mode, 7);
    withy_sim_destroy(sim);
}

/* Errors of f_1 that an independent program found. */
TEST(the_first_partial_is_off_as_the_order_says) {
    const withy_rod pinned = fd_string(65, WITHY_END_PINNED);
    const withy_rod clamped = fd_string(65, WITHY_END_CLAMPED);
    static const struct {
        int clamped, order, n;
        double error;
    } row[] = {{0, 2, 16, -1.6e-3}, {0, 2, 64, -1.0e-4}, {0, 4, 16, -3.4e-5},
               {0, 4, 32, -1.3e-6}, {0, 6, 32, 9.9e-8},  {1, 2, 64, -4.7e-3},
               {1, 4, 64, -3.4e-3}, {1, 6, 64, -3.1e-3}, {1, 4, 128, -1.1e-3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_sim *sim = make(row[i].clamped ? &clamped : &pinned, row[i].order, row[i].n);
        withy_mode *mode = modes_of(sim, 2);
        const double exact = row[i].clamped ? 444.2264 : fd_pinned(65, 1);
        const double first = mode[row[i].clamped ? 0 : 1].frequency;
        CHECK_NEAR(first / exact - 1, row[i].error, 0.06 * fabs(row[i].error));
        withy_modes_free(mode, 2);
        withy_sim_destroy(sim);
    }
}

/* A steel wire, clamped and free, which the source could not do: Euler and Bernoulli 25.3253,
 * 158.711, 444.395 Hz; with shear and rotary inertia 25.3252, 158.7035, 444.346 Hz. */
TEST(a_cantilever_wire_has_the_frequencies_of_timoshenko) {
    static const double expected[3] = {25.3252, 158.7035, 444.346};
    static const double euler[3] = {25.3253, 158.711, 444.395};
    withy_rod rod = fd_string(0, WITHY_END_CLAMPED);
    rod.length = 0.1;
    rod.end[1].kind = WITHY_END_FREE;
    withy_sim *sim = make(&rod, 6, 64);
    withy_mode *mode = modes_of(sim, 6);
    for (int i = 0; i < 3; i++) {
        double theory;
        CHECK_NEAR(mode[2 * i].frequency, expected[i], 4e-6 * expected[i]);
        CHECK(withy_partial_theory(&rod, i + 1, 1, &theory, NULL) == WITHY_OK);
        CHECK_NEAR(theory, euler[i], 4e-6 * euler[i]);
    }
    withy_modes_free(mode, 6);
    withy_sim_destroy(sim);
}

TEST(a_free_rod_has_six_rigid_motions) {
    const withy_rod rod = fd_soft_rod(WITHY_END_FREE, WITHY_END_FREE);
    withy_sim *sim = make(&rod, 4, 24);
    withy_mode *mode = modes_of(sim, 8);
    for (int i = 0; i < 6; i++) CHECK_NEAR(mode[i].frequency, 0, 0);
    CHECK(mode[6].frequency > 0.5);
    withy_modes_free(mode, 8);
    withy_sim_destroy(sim);
}

TEST(damping_ratios_are_those_of_kelvin_voigt_and_drag) {
    withy_rod rod = fd_soft_rod(WITHY_END_PINNED, WITHY_END_PINNED);
    const double eta = 1e-4, drag = 0.3, mass = 1000 * FD_PI / 4 * 0.0025;
    rod.damping_time = eta, rod.drag_linear = drag;
    withy_sim *sim = make(&rod, 4, 32);
    withy_mode *mode = modes_of(sim, 2);
    const double w = 2 * FD_PI * mode[1].frequency;
    CHECK_NEAR(mode[1].damping, 0.5 * eta * w + drag / (2 * mass * w), 3e-3 * mode[1].damping);
    withy_modes_free(mode, 2);
    withy_sim_destroy(sim);
}

/* Tip of the elastica under 1 N, section 6: x = 0.624531, z = 0.724237. */
TEST(equilibrium_by_newton_is_where_damped_motion_ends) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_error err = {0};
    withy_equilibrium point;
    rod.end[1].force = withy_field_vector(1, 0, 0);
    withy_sim *sim = make(&rod, 4, 40);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK_NEAR(snap->position[40].x, 0.624531, 3e-6);
    CHECK_NEAR(snap->position[40].z, 0.724237, 3e-6);
    CHECK_NEAR(snap->reaction[0].x, -1, 1e-9);
    withy_sim_destroy(sim);
}

static double turning(const withy_snapshot *snap) { /* largest velocity */
    double most = 0;
    for (int i = 0; i < snap->count; i++)
        most = worst_of(most, hypot(snap->velocity[i].x, snap->velocity[i].z));
    return most;
}

/* Strain rates are differences of strains: an equilibrium must not keep those of the initial shape. */
TEST(a_damped_rod_in_equilibrium_is_at_rest_and_stays_there) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_error err = {0};
    withy_equilibrium point;
    rod.end[1].force = withy_field_vector(1, 0, 0);
    rod.damping_time = 1e-3;
    withy_sim *sim = make(&rod, 4, 40);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double tip = snap->position[40].x;
    CHECK_NEAR(snap->reaction[0].x, -1, 1e-9);
    CHECK_BELOW(turning(snap), 1e-9);
    CHECK_OK(withy_sim_advance(sim, 0.1, &err)); /* let go under the same load */
    snap = withy_sim_sample(sim, 0);
    CHECK_BELOW(turning(snap), 1e-7);
    CHECK_NEAR(snap->position[40].x, tip, 1e-8);
    withy_sim_destroy(sim);
}

/* A moment at the tip has no potential, and its stiffness is part of the tangent. */
TEST(a_tip_moment_bends_the_rod_to_a_circle_in_few_steps) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_error err = {0};
    withy_equilibrium point;
    const double ei = 1e6 * FD_PI / 64 * pow(0.05, 4);
    rod.end[1].moment = withy_field_vector(0, 2 * FD_PI * ei, 0);
    withy_sim *sim = make(&rod, 6, 60);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK_NEAR(snap->position[60].x, 0, 2e-4);
    CHECK_NEAR(snap->position[60].z, 0, 2e-4);
    CHECK_NEAR(snap->position[30].x, 1 / FD_PI, 2e-4);
    CHECK(point.negative == -1);
    withy_sim_destroy(sim);
}

/* A round rod under a moment M at its tip is a helix about M (a circle where M is across the rod):
 * d3 turns about M by |M| s/EI, whatever the twist. */
static double tip_error(withy_vec3 turn, int order, int n) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_error err = {0};
    withy_equilibrium point;
    const double ei = 1e6 * FD_PI / 64 * pow(0.05, 4), w = v3_norm(turn);
    const vec3 k = v3_scale(1 / w, turn), along = v3_scale(k.z, k);
    const vec3 across = v3_sub(v3(0, 0, 1), along), side = v3_cross(k, v3(0, 0, 1));
    const vec3 tip = v3_axpy(v3_axpy(along, sin(w) / w, across), (1 - cos(w)) / w, side);
    rod.end[1].moment = withy_field_vector(ei * turn.x, ei * turn.y, ei * turn.z);
    withy_sim *sim = make(&rod, order, n);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const vec3 held = v3_axpy(snap->reaction_moment[0], ei, turn);
    if (order == 2) CHECK_BELOW(v3_norm(held), 1e-9 * ei * w);
    CHECK_BELOW(v3_norm(held), 6 * ei * w / (n * n)); /* the clamp carries it */
    const double error = v3_norm(v3_sub(snap->position[n], tip));
    withy_sim_destroy(sim);
    return error;
}

TEST(an_end_moment_makes_its_arc_and_its_helix_with_second_order_and_the_clamp_carries_it) {
    static const withy_vec3 turn[] = {{0, FD_PI / 2, 0}, {1, 0, 1}, {0.5, -1, 1.5}};
    for (int i = 0; i < 3; i++) {
        const double coarse = tip_error(turn[i], 2, 16);
        CHECK(log2(coarse / tip_error(turn[i], 2, 32)) >= 1.9);
        for (int order = i == 2 ? 6 : 2; order >= 2; order -= 2) {
            const double middle = tip_error(turn[i], order, 32);
            CHECK(log2(middle / tip_error(turn[i], order, 64)) >= 1.9);
        }
    }
}

/* What the angular momentum of a free rod lacks of the impulse of its end moment, relative. */
static double impulse_lost(int order, double dt) {
    withy_rod rod = fd_soft_rod(WITHY_END_FREE, WITHY_END_FREE);
    const fd_run how = {.n = 20, .order = order, .stop = 0.5, .output = 0.5, .dt = dt};
    const vec3 moment = v3(0.1, 0.2, -0.1);
    withy_error err = {0};
    withy_sim *sim;
    rod.end[0].moment = withy_field_vector(moment.x, moment.y, moment.z);
    CHECK_OK(fd_create(&rod, 1, &how, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.5, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double lost = v3_norm(v3_axpy(snap->angular_momentum, -0.5, moment));
    withy_sim_destroy(sim);
    return lost / (0.5 * v3_norm(moment));
}

/* At order 2 it is lost to the step only, beyond it to the closure of the grid too. */
TEST(a_free_rod_that_bends_gains_the_impulse_of_its_end_moment) {
    CHECK_BELOW(impulse_lost(2, 5e-4), 1e-5);
    CHECK_BELOW(impulse_lost(2, 2.5e-4), 0.3 * impulse_lost(2, 5e-4));
    CHECK_BELOW(impulse_lost(4, 5e-4), 5e-5);
    CHECK_BELOW(impulse_lost(6, 5e-4), 5e-4);
}

RUN(test(a_pinned_string_has_the_partials_of_the_exact_dispersion),
    test(the_first_partial_is_off_as_the_order_says),
    test(a_cantilever_wire_has_the_frequencies_of_timoshenko),
    test(a_free_rod_has_six_rigid_motions), test(damping_ratios_are_those_of_kelvin_voigt_and_drag),
    test(equilibrium_by_newton_is_where_damped_motion_ends),
    test(a_damped_rod_in_equilibrium_is_at_rest_and_stays_there),
    test(a_tip_moment_bends_the_rod_to_a_circle_in_few_steps),
    test(an_end_moment_makes_its_arc_and_its_helix_with_second_order_and_the_clamp_carries_it),
    test(a_free_rod_that_bends_gains_the_impulse_of_its_end_moment))
