/* What a user attaches to a rod, against formulas: sections that vary, drag, damping, springs, lumps. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

static withy_sim *start(const director_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    return sim;
}

static withy_status taper(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.02 * (1 - 0.5 * s);
    return WITHY_OK;
}

/* Small force at the tip of a tapered cantilever: w = F times the integral of (1 - s)^2/EI(s). */
TEST(a_tapered_rod_bends_as_its_integral_says) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    director_plain(&x, 1, 0.02, 1e9, 1e13, 1000); /* no shear */
    x.rod.section.a = (withy_field){.size = 1, .call = taper};
    const double force = 1e-4;
    x.rod.end[1].force = withy_field_vector(0, force, 0);
    withy_sim *sim = start(&x, "n=8 degree=3");
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    double expected = 0;
    enum { N = 20000 };
    for (int i = 0; i < N; i++) {
        const double s = (i + 0.5) / N, d = 0.02 * (1 - 0.5 * s);
        expected += force * (1 - s) * (1 - s) / (1e9 * DIRECTOR_PI / 64 * d * d * d * d) / N;
    }
    CHECK_NEAR(now->position[now->count - 1].y / expected, 1, 1e-6);
    withy_sim_destroy(sim);
}

TEST(a_flat_rod_has_two_bending_frequencies) {
    (void)unused_state;
    director_problem x;
    withy_mode *mode;
    withy_error err = {0};
    director_plain(&x, 1, 0.01, 1e9, 4e8, 1000);
    x.rod.section = (withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                    .a = withy_field_number(0.003),
                                    .b = withy_field_number(0.006),
                                    .shear_factor = 1};
    withy_sim *sim = start(&x, "n=8 degree=3");
    CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
    CHECK_NEAR(mode[1].frequency / mode[0].frequency, 2, 1e-3); /* slender: the ratio of heights */
    withy_modes_free(mode, 2);
    withy_sim_destroy(sim);
}

/* m g = c v, whatever the shape. */
TEST(drag_lets_a_rod_fall_at_its_final_speed) {
    (void)unused_state;
    director_problem x;
    withy_error err = {0};
    director_rod_t(&x);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    const double line = 1000 * DIRECTOR_PI * 0.25e-4;
    x.rod.drag_linear = 2;
    director_times(&x, 1, 1);
    withy_sim *sim = start(&x, "n=2 degree=2 dt=0.01");
    CHECK_OK(withy_sim_advance(sim, 1, &err));
    CHECK_NEAR(withy_sim_sample(sim, 0)->velocity[2].z, -line * 9.81 / 2, 1e-6);
    withy_sim_destroy(sim);
    x.rod.drag_linear = 0, x.rod.drag_quadratic = 2;
    director_times(&x, 3, 3);
    sim = start(&x, "n=2 degree=2 dt=0.01");
    CHECK_OK(withy_sim_advance(sim, 3, &err));
    CHECK_NEAR(withy_sim_sample(sim, 0)->velocity[2].z, -sqrt(line * 9.81 / 2), 1e-6);
    withy_sim_destroy(sim);
}

/* The first mode loses exp(-2 zeta omega t) of its energy. */
TEST(kelvin_voigt_damping_takes_what_the_damping_ratio_says) {
    (void)unused_state;
    director_problem x;
    withy_mode *mode;
    withy_error err = {0};
    director_rod_t(&x);
    x.rod.damping_time = 1e-3;
    x.rod.velocity = withy_field_vector(0, 1e-4, 0);
    director_times(&x, 4, 1);
    withy_sim *sim = start(&x, "n=4 degree=3 dt=2e-3");
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    const double omega = 2 * DIRECTOR_PI * mode[0].frequency, zeta = mode[0].damping;
    withy_modes_free(mode, 1);
    withy_sim_destroy(sim);
    sim = start(&x, "n=4 degree=3 dt=2e-3");
    double energy[2];
    for (int k = 0; k < 2; k++) { /* by then only the first mode is left */
        CHECK_OK(withy_sim_advance(sim, k ? 4 : 2, &err));
        const withy_energies *e = &withy_sim_sample(sim, 0)->energy;
        energy[k] = e->kinetic + e->bend + e->shear + e->stretch;
    }
    /* the loss pulsates within a swing: the energies are good to 2 zeta = 0.03 in 1.5 */
    CHECK_NEAR(log(energy[0] / energy[1]) / (2 * zeta * omega * 2), 1, 2e-2);
    withy_sim_destroy(sim);
}

TEST(springs_at_the_ends_give_way_by_force_over_stiffness) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    director_plain(&x, 1, 0.02, 1e11, 4e10, 1000);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    for (int i = 0; i < 2; i++) x.rod.end[i].spring = 50, x.rod.end[i].spring_turn = 1e3;
    x.load[0] =
        (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.5, .force = withy_field_vector(0, 3, 0)};
    x.rod.load_count = 1;
    withy_sim *sim = start(&x, "n=4 degree=3");
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK_NEAR(withy_sim_sample(sim, 0)->position[0].y, 3.0 / 100, 1e-9);
    withy_sim_destroy(sim);
}

/* A heavy lump on a light rod, fixed to it with inertia: frequency of a spring-mass system. */
TEST(a_lump_on_a_light_cantilever_swings_as_a_spring_and_a_mass) {
    (void)unused_state;
    director_problem x;
    withy_mode *mode;
    withy_error err = {0};
    director_plain(&x, 1, 0.01, 1e9, 1e11, 1e-3);
    x.rod.end[1].mass = 0.5;
    withy_sim *sim = start(&x, "n=4 degree=3");
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    const double ei = 1e9 * DIRECTOR_PI / 64 * 1e-8;
    CHECK_NEAR(mode[0].frequency / (sqrt(3 * ei / 0.5) / (2 * DIRECTOR_PI)), 1, 1e-5);
    withy_modes_free(mode, 1);
    withy_sim_destroy(sim);
}

/* Uniform load on a level cantilever, small: q L^4/8EI; on its outer half only: 41/384 q L^4/EI. */
TEST(distributed_loads_act_where_they_are_given) {
    (void)unused_state;
    for (int half = 0; half < 2; half++) {
        director_problem x;
        withy_equilibrium at;
        withy_error err = {0};
        director_s4(&x, 1e-3);
        x.load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                                 .from = half ? 0.5 : 0,
                                 .to = 1,
                                 .force = withy_field_vector(0, 1e-4, 0)};
        x.rod.load_count = 1;
        withy_sim *sim = start(&x, "n=6 degree=3");
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        CHECK_NEAR(now->position[now->count - 1].y / (1e-4 * (half ? 41.0 / 384 : 1.0 / 8)), 1,
                   1e-4);
        withy_sim_destroy(sim);
    }
}

/* A moment spread along the rod bends it to kappa = m (L - s)/EI. */
TEST(a_distributed_moment_bends_the_rod) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    director_s4(&x, 1e-2);
    x.load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                             .from = 0,
                             .to = 1,
                             .moment = withy_field_vector(0, 0, 0.8)};
    x.rod.load_count = 1;
    withy_sim *sim = start(&x, "n=6 degree=3");
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_quat q = q_mul(now->frame[now->count - 1], q_conj(now->frame[0]));
    CHECK_NEAR(2 * atan2(q.z, q.w), 0.4, 1e-6);
    withy_sim_destroy(sim);
}

/* A rod on a floor sinks in by weight over stiffness. */
TEST(a_floor_carries_the_rod) {
    (void)unused_state;
    director_problem x;
    withy_error err = {0};
    director_rod_t(&x);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    x.problem.floor =
        (withy_floor){.given = 1, .normal = {0, 0, 1}, .stiffness = 500, .damping = 30};
    director_times(&x, 3, 3);
    withy_sim *sim = start(&x, "n=2 degree=2 dt=2e-3");
    CHECK_OK(withy_sim_advance(sim, 3, &err));
    const double line = 1000 * DIRECTOR_PI * 0.25e-4;
    CHECK_NEAR(withy_sim_sample(sim, 0)->position[2].z, -line * 9.81 / 500, 1e-7);
    withy_sim_destroy(sim);
}

RUN(test(a_tapered_rod_bends_as_its_integral_says), test(a_flat_rod_has_two_bending_frequencies),
    test(drag_lets_a_rod_fall_at_its_final_speed),
    test(kelvin_voigt_damping_takes_what_the_damping_ratio_says),
    test(springs_at_the_ends_give_way_by_force_over_stiffness),
    test(a_lump_on_a_light_cantilever_swings_as_a_spring_and_a_mass),
    test(distributed_loads_act_where_they_are_given), test(a_distributed_moment_bends_the_rod),
    test(a_floor_carries_the_rod))
