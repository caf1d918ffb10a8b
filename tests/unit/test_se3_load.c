/* Loads, ends, tendons and statics of method wy_se3; slow under sanitizers. */
#include <math.h>

#include "check.h"
#include "method/se3/se3.h"
#include "random_scene.h"
#include "se3_problems.h"
#include "study/sim.h"
#include "today.h"

/* A problem with everything it borrows. */
typedef struct set {
    withy_rod rod;
    withy_load load[4];
    withy_problem problem;
} set;

static void make(set *x, withy_function shape, double stop, double output) {
    memset(x, 0, sizeof *x);
    x->rod = se3_rod(shape, NULL);
    x->rod.load = x->load;
    x->problem = se3_problem(&x->rod, stop, output);
}

static withy_sim *start(const set *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(se3_sim(&x->problem, options, &sim, &err));
    return sim;
}

static void go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
}

static withy_vec3 tip_after(const set *x, const char *options, double t) {
    withy_sim *sim = start(x, options);
    go(sim, t);
    const withy_vec3 tip = se3_tip(sim);
    withy_sim_destroy(sim);
    return tip;
}

/* ---- statics ------------------------------------------------------------------------ */

/* Box: second order, so strong loads need more than n = 100 for 1e-5 L. */
TEST(statics_of_the_box_match_the_references) {
    (void)unused_state;
    for (int k = 0; k < SE3_STATICS; k++) {
        withy_error err = {0};
        withy_vec3 tip[2] = {{0}}, force, moment;
        const se3_static_case *expected = &se3_statics[k];
        CHECK_OK(se3_solve_static(expected, "n=100", &tip[0], &force, &moment, &err));
        CHECK_OK(se3_solve_static(expected, "n=400", &tip[1], &force, &moment, &err));
        const int strong = expected->force >= 2;
        CHECK_BELOW(se3_distance(tip[0], expected->tip) / SE3_L, strong ? 1.2e-4 : 1e-5);
        CHECK_BELOW(se3_distance(tip[1], expected->tip) / SE3_L, 1e-5);
    }
}

TEST(statics_of_rk4_match_the_references_to_1e_7) {
    (void)unused_state;
    for (int k = 0; k < SE3_STATICS; k++) {
        withy_error err = {0};
        withy_vec3 tip = {0}, force = {0}, moment = {0};
        const se3_static_case *expected = &se3_statics[k];
        CHECK_OK(se3_solve_static(expected, "n=100 scheme=rk4", &tip, &force, &moment, &err));
        CHECK_BELOW(se3_distance(tip, expected->tip) / SE3_L, 1e-7);
    }
}

TEST(statics_have_orders_two_and_four) {
    (void)unused_state;
    const char *scheme[2] = {"box", "rk4"};
    const int n[2] = {20, 20};
    for (int s = 0; s < 2; s++) {
        withy_vec3 tip[3] = {{0}}, force, moment;
        for (int k = 0; k < 3; k++) {
            withy_error err = {0};
            char options[64];
            snprintf(options, sizeof options, "n=%d scheme=%s", n[s] << k, scheme[s]);
            CHECK_OK(se3_solve_static(&se3_statics[11], options, &tip[k], &force, &moment, &err));
        }
        const double ratio = se3_distance(tip[0], tip[1]) / se3_distance(tip[1], tip[2]);
        CHECK_NEAR(log2(ratio), s ? 4 : 2, s ? 0.3 : 0.05);
    }
}

TEST(the_support_carries_weight_and_moment) {
    (void)unused_state;
    withy_error err = {0};
    withy_vec3 tip = {0}, force = {0}, moment = {0};
    CHECK_OK(se3_solve_static(&se3_statics[8], "n=100", &tip, &force, &moment, &err));
    CHECK_NEAR(force.x, 0.0770476,
               5e-7); /* n and m have the opposite sign of the support reactions */
    CHECK_NEAR(moment.y, 3.795085e-3, 1e-8);
    CHECK_OK(se3_solve_static(&se3_statics[8], "n=100 scheme=rk4", &tip, &force, &moment, &err));
    CHECK_NEAR(force.x, 9.81 * 7.853981633974483e-3, 1e-10);
    CHECK_NEAR(moment.y, 3.795085e-3, 1e-9);
}

TEST(a_tendon_bends_the_rod_into_an_arc_of_curvature_tau_r_over_ei) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    x.load[0] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = SE3_L,
                             .route = {.size = 2, .value = {0.004, 0}},
                             .tension = withy_field_number(0.3)};
    x.rod.load_count = 1;
    withy_sim *sim = start(&x, "n=100");
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK_NEAR(snap->bend[50].y, 2.4446199259, 1e-9);
    CHECK_NEAR(1 + snap->shear[50].z, 0.9961802814, 1e-9);
    CHECK_NEAR(snap->force[50].z, 0, 1e-12); /* no net force on the rod */
    withy_sim_destroy(sim);
}

TEST(a_tendon_pulled_in_by_a_length_finds_its_tension) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    const double pulled = SE3_L * (1 - (0.9961802814 - 0.004 * 2.4446199259));
    x.load[0] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = SE3_L,
                             .route = {.size = 2, .value = {0.004, 0}},
                             .displacement = withy_field_number(pulled)};
    x.rod.load_count = 1;
    const char *options[2] = {"n=50", "n=50 scheme=rk4"};
    for (int k = 0; k < 2; k++) {
        withy_sim *sim = start(&x, options[k]);
        withy_equilibrium at;
        withy_error err = {0};
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK_NEAR(((const wy_se3 *)sim->self)->state.tension[0], 0.3, 1e-8);
        CHECK_NEAR(se3_tip(sim).x, 0.0121158913, 1e-9);
        withy_sim_destroy(sim);
    }
}

/* A helical tendon about the axis twists and bends; the box must approach rk4 with order two. */
static withy_status helical(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.004 * cos(30 * s), out[1] = 0.004 * sin(30 * s);
    return WITHY_OK;
}

TEST(a_helical_tendon_is_solved_alike_by_box_and_rk4) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    x.load[0] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = SE3_L,
                             .route = {.size = 2, .call = helical},
                             .tension = withy_field_number(0.4)};
    x.rod.load_count = 1;
    const char *options[3] = {"n=50", "n=100", "n=100 scheme=rk4"};
    withy_vec3 tip[3];
    for (int k = 0; k < 3; k++) {
        withy_sim *sim = start(&x, options[k]);
        withy_equilibrium at;
        withy_error err = {0};
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        tip[k] = se3_tip(sim);
        withy_sim_destroy(sim);
    }
    CHECK(fabs(tip[2].x) > 1e-4 && fabs(tip[2].y) > 1e-4); /* out of the plane */
    CHECK_NEAR(se3_distance(tip[0], tip[2]) / se3_distance(tip[1], tip[2]), 4, 0.2);
}

/* ---- the ledger: energy, work and loss balance to rounding under any load ------------------------- */

static withy_status blow(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    out[0] = 3 * s * sin(20 * t), out[1] = 0.1, out[2] = -0.05;
    return WITHY_OK;
}
static withy_status shake(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.01 * sin(15 * t), out[1] = 0.005 * (1 - cos(9 * t)), out[2] = 0;
    return WITHY_OK;
}
static withy_status turn(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const double a = 0.5 * sin(8 * t);
    out[0] = cos(a), out[1] = 0, out[2] = 0.6 * sin(a), out[3] = 0.8 * sin(a);
    return WITHY_OK;
}
static withy_status pull(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = *(const double *)context * (1 - cos(10 * t));
    return WITHY_OK;
}

static void check_ledger(const set *x) {
    withy_sim *sim = start(x, "n=40 dt=0.005 newton_tol=1e-9");
    const wy_se3 *state = sim->self;
    const double first = wy_se3_energy(state, NULL);
    for (int k = 1; k <= 10; k++) {
        go(sim, 0.05 * k);
        const wy_se3_ledger *l = &state->now->ledger;
        const double now = wy_se3_energy(state, NULL);
        const double scale = now + first + fabs(l->work) + fabs(l->gravity) + l->lost;
        CHECK_NEAR((now - first - l->gravity - l->work + l->lost) / scale, 0, 1e-12);
    }
    withy_sim_destroy(sim);
}

TEST(the_ledger_closes_under_gravity_and_end_loads) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 0.5, 0.05);
    x.problem.gravity = (withy_vec3){-3, -5, -7};
    x.rod.end[1].force = withy_field_vector(0.02, 0.03, -0.01);
    x.rod.end[1].moment = withy_field_vector(1e-4, 2e-4, 3e-4);
    check_ledger(&x);
    x.rod.end[1].follower = 1;
    check_ledger(&x);
    x.rod.end[1].mass = 0.004;
    x.rod.end[1].offset = (withy_vec3){0.003, 0.002, 0.005};
    x.rod.end[1].inertia = (withy_vec3){1e-7, 2e-7, 3e-7};
    check_ledger(&x);
}

TEST(the_ledger_closes_with_damping_drag_and_loads_along_the_rod) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 0.5, 0.05);
    x.rod.damping_time = 1e-3;
    x.rod.drag_linear = 0.1, x.rod.drag_quadratic = 2, x.rod.drag_spin = 1e-6;
    check_ledger(&x);
    x.load[0] = (withy_load){.from = 0.02, .to = 0.07, .force = {.size = 3, .call = blow}};
    x.load[1] = x.load[0];
    x.load[1].follower = 1;
    x.load[2] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = 0.033, .force = withy_field_vector(0, 0.02, 0)};
    x.rod.load_count = 3;
    check_ledger(&x);
}

TEST(the_ledger_closes_with_a_driven_base_and_with_tendons) {
    (void)unused_state;
    set x;
    double most[2] = {0.3, 0.0005};
    make(&x, se3_shape_c, 0.5, 0.05);
    x.rod.end[0].position = (withy_field){.size = 3, .call = shake};
    x.rod.end[0].frame = (withy_field){.size = 4, .call = turn};
    check_ledger(&x);
    x.load[0] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = SE3_L,
                             .route = {.size = 2, .value = {0.004, 0}},
                             .tension = {.size = 1, .call = pull, .context = &most[0]}};
    x.load[1] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = 0.06,
                             .route = {.size = 2, .call = helical},
                             .displacement = {.size = 1, .call = pull, .context = &most[1]}};
    x.rod.load_count = 2;
    check_ledger(&x);
}

TEST(a_heavy_rod_keeps_its_energy_and_its_potential_to_second_order) {
    (void)unused_state;
    double gap[2];
    for (int k = 0; k < 2; k++) {
        set x;
        make(&x, NULL, 0.5, 0.1);
        x.problem.gravity = (withy_vec3){-9.81, 0, 3};
        x.rod.end[1].mass = 0.003;
        x.rod.end[1].offset = (withy_vec3){0.001, 0.002, 0.003};
        withy_sim *sim = start(&x, k ? "n=80 dt=0.001" : "n=40 dt=0.002");
        go(sim, 0.5);
        const withy_stats stats = withy_sim_stats(sim);
        CHECK(stats.conserves);
        CHECK_BELOW(stats.energy_drift, 1e-11);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const withy_energies *e = &snap->energy;
        gap[k] = fabs(e->kinetic + e->bend + e->twist + e->shear + e->stretch + e->gravity -
                      snap->conserved);
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(gap[1], gap[0] / 3);
}

TEST(a_free_and_a_pinned_start_keep_the_energy) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 0.5, 0.05);
    x.rod.end[0].kind = WITHY_END_FREE;
    check_ledger(&x);
    x.rod.end[0].kind = WITHY_END_PINNED;
    check_ledger(&x);
}

/* ---- a held finish ----------------------------------------------------------------------------- */

/* Bent and twisted so that no pair of held ends leaves it in equilibrium. */
static withy_status wild(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = out[1] = out[2] = 0;
    out[3] = 8 * cos(40 * s), out[4] = 12 + 60 * s, out[5] = 10;
    return WITHY_OK;
}

TEST(a_held_finish_keeps_the_energy_and_its_place_to_second_order) {
    (void)unused_state;
    const withy_end_kind kind[3] = {WITHY_END_CLAMPED, WITHY_END_PINNED, WITHY_END_GUIDED};
    for (int k = 0; k < 3; k++) {
        double slip[2];
        for (int i = 0; i < 2; i++) {
            set x;
            make(&x, wild, 0.4, 0.2);
            x.rod.end[1].kind = kind[k];
            withy_sim *sim =
                start(&x, i ? "n=120 dt=0.0005 newton_tol=1e-9" : "n=40 dt=0.002 newton_tol=1e-9");
            go(sim, 0.4);
            const withy_stats stats = withy_sim_stats(sim);
            CHECK_BELOW(stats.energy_drift, 1e-12);
            slip[i] = stats.constraint_max;
            withy_sim_destroy(sim);
        }
        CHECK_BELOW(slip[0], 0.01);
        CHECK_BELOW(slip[1],
                    fmax(slip[0] / 4, 1e-4)); /* clamped: a hundredth of that from the start */
    }
}

TEST(a_finish_that_slips_is_reported_with_a_way_out) {
    (void)unused_state;
    set x;
    make(&x, wild, 4, 0.2);
    x.rod.end[1].kind = WITHY_END_PINNED;
    withy_sim *sim = start(&x, "n=40 dt=0.02");
    withy_error err = {0};
    CHECK(withy_sim_advance(sim, 4, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "the held finish has moved by") != NULL);
    CHECK(strstr(err.text, "use director") != NULL);
    withy_sim_destroy(sim);
}

/* ---- rates and frequencies -------------------------------------------------------- */

/* Rate of loss of energy in small motion in mode 1. */
static double loss_rate(set *x) {
    static double scale = 1e-3;
    x->rod.initial.strain.context = &scale;
    withy_sim *sim = start(x, "n=100 dt=0.001");
    double e[2];
    for (int k = 0; k < 2; k++) {
        go(sim, 0.2 + 0.8 * k);
        e[k] = withy_sim_stats(sim).energy_end;
    }
    withy_sim_destroy(sim);
    return log(e[0] / e[1]) / 0.8;
}

TEST(kelvin_voigt_damps_mode_1_at_t_v_omega_squared) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 1, 0.2);
    x.rod.damping_time = 1e-3;
    CHECK_NEAR(loss_rate(&x), 0.76379, 0.01 * 0.76379); /* E oscillates within a period */
}

TEST(drag_of_twice_the_inertia_loses_energy_at_rate_2) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 1, 0.2);
    /* C = 2 M, averaged over a period: half of the energy is kinetic */
    x.rod.drag_linear = 2 * 7.853981633974483e-2;
    x.rod.drag_spin = 2 * 4.908738521234052e-7;
    CHECK_NEAR(loss_rate(&x), 2, 0.05);
}

/* Straight rod, hit at the tip: the tip mass swings at 15.8819 rad/s. */
TEST(a_tip_mass_of_half_the_rod_lowers_the_frequency_to_timoshenkos) {
    (void)unused_state;
    set x;
    static double scale = 1e-4;
    make(&x, se3_shape_c, 4, 0.01);
    x.rod.initial.strain.context = &scale;
    x.rod.end[1].mass = 7.853981633974483e-2 * SE3_L / 2;
    withy_sim *sim = start(&x, "n=100 dt=0.01 time=bdf_alpha alpha=-0.45");
    double sum[2] = {0}, u[3] = {0};
    for (int k = 0; k < 400; k++) { /* higher modes decay in the first second */
        go(sim, 0.01 * (k + 1));
        u[0] = u[1], u[1] = u[2], u[2] = se3_tip(sim).x;
        if (k > 150) sum[0] += u[1] * (u[0] + u[2]), sum[1] += u[1] * u[1];
    }
    withy_sim_destroy(sim);
    CHECK_NEAR(acos(sum[0] / sum[1] / 2) / 0.01, 15.88, 0.05);
}

/* ---- invariances ------------------------------------------------------------------------------- */

static withy_status accelerate(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 2.5 * t * t, out[1] = out[2] = 0;
    return WITHY_OK;
}

TEST(an_accelerated_base_is_gravity_the_other_way) {
    (void)unused_state;
    double gap[2];
    for (int k = 0; k < 2; k++) {
        const char *options = k ? "n=40 dt=0.001" : "n=40 dt=0.002";
        set x;
        make(&x, NULL, 0.4, 0.1);
        x.problem.gravity = (withy_vec3){-5, 0, 0};
        const withy_vec3 heavy = tip_after(&x, options, 0.4);
        x.problem.gravity = (withy_vec3){0, 0, 0};
        x.rod.end[0].position = (withy_field){.size = 3, .call = accelerate};
        const withy_vec3 moved = tip_after(&x, options, 0.4);
        gap[k] = fabs(moved.x - 0.4 - heavy.x);
    }
    CHECK_BELOW(gap[0], 2e-6);
    CHECK(gap[0] / gap[1] > 3); /* second order in dt */
}

static withy_status quiver(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const double grow = t < 0.5 ? 0.5 - 0.5 * cos(SE3_PI * t / 0.5) : 1;
    out[0] = 1e-4 * grow * sin(20 * t), out[1] = out[2] = 0;
    return WITHY_OK;
}

/* Steady state of a Timoshenko beam with complex stiffness K (1 + i omega t_v), by its transfer
 * matrix: the tip moves 2.5227 times as far as the base, 0.2444 rad behind it. */
TEST(a_shaken_base_moves_the_tip_as_the_linear_theory_says) {
    (void)unused_state;
    set x;
    double ss = 0, cc = 0, sc = 0, xs = 0, xc = 0;
    make(&x, NULL, 3, 0.002);
    x.rod.damping_time = 0.01;
    x.rod.end[0].position = (withy_field){.size = 3, .call = quiver};
    withy_sim *sim = start(&x, "n=60 dt=0.002");
    go(sim, 2.5);
    for (int k = 1; k <= 250; k++) {
        const double t = 2.5 + 0.002 * k;
        go(sim, t);
        const double s = sin(20 * t), c = cos(20 * t), tip = se3_tip(sim).x / 1e-4;
        ss += s * s, cc += c * c, sc += s * c, xs += s * tip, xc += c * tip;
    }
    withy_sim_destroy(sim);
    const double det = ss * cc - sc * sc;
    const double a = (xs * cc - xc * sc) / det, b = (xc * ss - xs * sc) / det;
    CHECK_NEAR(hypot(a, b), 2.5227, 0.002);
    CHECK_NEAR(atan2(b, a), -0.2444, 0.001);
}

static withy_status weight(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    out[0] = -9.81 * 7.853981633974483e-2, out[1] = out[2] = 0;
    return WITHY_OK;
}

TEST(a_distributed_dead_force_of_the_weight_is_gravity) {
    (void)unused_state;
    set x;
    make(&x, NULL, 0.2, 0.1);
    x.problem.gravity = (withy_vec3){-9.81, 0, 0};
    const withy_vec3 heavy = tip_after(&x, "n=30 dt=0.002", 0.2);
    x.problem.gravity = (withy_vec3){0, 0, 0};
    x.load[0] = (withy_load){.to = SE3_L, .force = {.size = 3, .call = weight}};
    x.rod.load_count = 1;
    CHECK_BELOW(se3_distance(tip_after(&x, "n=30 dt=0.002", 0.2), heavy), 1e-13);
}

TEST(a_point_load_at_the_tip_is_an_end_force) {
    (void)unused_state;
    set x;
    make(&x, NULL, 0.2, 0.1);
    x.rod.end[1].force = withy_field_vector(0.03, 0.01, 0);
    const withy_vec3 end = tip_after(&x, "n=30 dt=0.002", 0.2);
    x.rod.end[1].force.size = 0;
    x.load[0] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = SE3_L, .force = withy_field_vector(0.03, 0.01, 0)};
    x.rod.load_count = 1;
    CHECK_BELOW(se3_distance(tip_after(&x, "n=30 dt=0.002", 0.2), end), 1e-13);
}

TEST(a_body_with_offset_is_a_body_at_the_end_of_a_stiff_arm) {
    (void)unused_state;
    set x;
    make(&x, NULL, 0.3, 0.1);
    x.problem.gravity = (withy_vec3){-9.81, 0, 0};
    x.rod.end[1].mass = 0.005;
    x.rod.end[1].offset = (withy_vec3){0, 0, 0.02};
    withy_sim *sim = start(&x, "n=60 dt=0.001");
    go(sim, 0.1);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_vec3 bend = snap->bend[60];
    const withy_vec3 n = snap->force[60];
    /* the moment at the tip is the force there times the arm: m = c x n in the frame of the tip */
    CHECK_BELOW(fabs(bend.x), 1e-12);
    CHECK(fabs(bend.y * SE3_EI) > 1e-5);
    const double z = 1 - 2 * (pow(snap->frame[60].x, 2) + pow(snap->frame[60].y, 2));
    const double along = 2 * snap->frame[60].y * snap->frame[60].w;
    CHECK_NEAR(bend.y * SE3_EI, 0.02 * (z * n.x - along * n.z), 1e-7);
    withy_sim_destroy(sim);
}

TEST(turning_the_world_turns_the_answer) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 0.2, 0.1);
    x.problem.gravity = (withy_vec3){-3, -5, -7};
    x.rod.end[1].force = withy_field_vector(0.02, 0.03, -0.01);
    const withy_vec3 a = tip_after(&x, "n=30 dt=0.002", 0.2);
    /* x -> y -> z -> x */
    x.rod.rest.along = x.rod.initial.along = (withy_vec3){1, 0, 0};
    x.rod.rest.normal = x.rod.initial.normal = (withy_vec3){0, 1, 0};
    x.problem.gravity = (withy_vec3){-7, -3, -5};
    x.rod.end[1].force = withy_field_vector(-0.01, 0.02, 0.03);
    const withy_vec3 b = tip_after(&x, "n=30 dt=0.002", 0.2);
    CHECK_NEAR(b.x, a.z, 1e-13);
    CHECK_NEAR(b.y, a.x, 1e-13);
    CHECK_NEAR(b.z, a.y, 1e-13);
}

/* Bent in the middle, free of stress at both ends. */
static withy_status arched(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const double x = SE3_PI * s / SE3_L, k = 8;
    for (int i = 0; i < 6; i++) out[i] = 0;
    out[WITHY_BEND2] = k * sin(x) * sin(x);
    out[WITHY_SHEAR1] = -SE3_EI / SE3_GA * k * SE3_PI / SE3_L * sin(2 * x);
    return WITHY_OK;
}

/* A bent rod, spinning and drifting freely. */
TEST(a_free_spinning_rod_keeps_momentum_to_second_order) {
    (void)unused_state;
    const double dt[3] = {0.005, 0.0025, 0.00125};
    double worst[3];
    for (int k = 0; k < 3; k++) {
        set x;
        char options[64];
        make(&x, arched, 0.5, 0.01);
        x.rod.end[0].kind = WITHY_END_FREE;
        x.rod.spin = withy_field_vector(0, 6, 0);
        x.rod.velocity = withy_field_vector(0.1, 0, 0.2);
        snprintf(options, sizeof options, "n=120 dt=%g newton_tol=1e-9", dt[k]);
        withy_sim *sim = start(&x, options);
        const withy_vec3 first = withy_sim_sample(sim, 0)->momentum;
        worst[k] = 0;
        for (int i = 1; i <= 50; i++) {
            go(sim, 0.01 * i);
            const withy_vec3 now = withy_sim_sample(sim, 0)->momentum;
            worst[k] =
                worst_of(worst[k], se3_distance(now, first) / se3_distance(first, (withy_vec3){0}));
        }
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(worst[0], 5e-3);
    CHECK_NEAR(worst[1] / worst[2], 4, 1);
}

/* A straight rod that spins about its axis, by up to 6 rad in a step, falls as it would without: another one each day. */
static void fly(int seed, const char *scheme) {
    random_source source = {(uint64_t)seed}, *from = &source;
    const double dt = 0.005, stop = 0.2, turn = random_in(from, 0.1, 6);
    const withy_vec3 along = random_direction(from), v = random_direction(from),
                     g = random_direction(from);
    char options[64];
    set x;
    make(&x, NULL, stop, stop);
    x.rod.end[0].kind = WITHY_END_FREE;
    x.rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = along};
    x.rod.velocity = withy_field_vector(v.x, v.y, v.z);
    const withy_vec3 spin = random_times(turn / dt, along);
    x.rod.spin = withy_field_vector(spin.x, spin.y, spin.z);
    x.problem.gravity = g;
    snprintf(options, sizeof options, "n=8 dt=%g newton_tol=1e-9 %s", dt, scheme);
    withy_sim *sim = start(&x, options);
    const withy_vec3 first = se3_tip(sim);
    go(sim, stop);
    const withy_vec3 way = random_add(random_times(stop, v), 0.5 * stop * stop, g);
    CHECK_BELOW(se3_distance(se3_tip(sim), random_add(first, 1, way)), 1e-9);
    withy_sim_destroy(sim);
}

TEST(a_straight_rod_that_spins_flies_like_a_stone_however_far_it_turns_in_a_step) {
    (void)unused_state;
    const int seed = today_from(0, 10000, 10);
    for (int k = 0; k < 10; k++) fly(seed + k, k % 2 ? "scheme=rk4" : "scheme=box");
}

/* ---- use by a controller --------------------------------------------------------------------- */

static withy_status commanded(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)t, (void)err;
    out[0] = *(const double *)context;
    return WITHY_OK;
}

TEST(a_load_changed_between_two_calls_acts_in_the_next_step_and_nothing_is_allocated) {
    (void)unused_state;
    set x;
    double command = 0;
    make(&x, NULL, 1, 0.001);
    x.load[0] = (withy_load){.kind = WITHY_LOAD_TENDON,
                             .to = SE3_L,
                             .route = {.size = 2, .value = {0.004, 0}},
                             .tension = {.size = 1, .call = commanded, .context = &command}};
    x.rod.load_count = 1;
    x.rod.damping_time = 0.03;
    withy_sim *sim = start(&x, "n=40 dt=0.001");
    const size_t takes = withy_memory_allocations();
    go(sim, 0.01);
    CHECK_NEAR(se3_tip(sim).x, 0, 1e-15);
    command = 0.3;
    go(sim, 0.011);
    CHECK(se3_tip(sim).x > 1e-7);
    for (int k = 12; k <= 1000; k++) go(sim, 0.001 * k);
    CHECK_NEAR(se3_tip(sim).x, 0.0121158913, 1e-4);
    CHECK(withy_memory_allocations() == takes);
    withy_sim_destroy(sim);
}

/* A force that bends the rod by a right angle and more, at once, in steps of a seventh of a period. */
TEST(a_step_that_newton_cannot_take_is_halved_and_the_ledger_sums_still_close) {
    (void)unused_state;
    set x;
    const double push = 10 * SE3_EI / (SE3_L * SE3_L);
    make(&x, NULL, 0.3, 0.03);
    x.rod.end[1].force = withy_field_vector(push, 0, -push);
    withy_sim *sim = start(&x, "n=40 dt=0.03 newton_tol=1e-9");
    go(sim, 0.3);
    const wy_se3 *state = sim->self;
    CHECK(withy_sim_stats(sim).halvings > 0);
    const double now = wy_se3_energy(state, NULL);
    const double first = withy_sim_stats(sim).energy_start; /* the tip is stressed at t = 0 */
    CHECK_NEAR((now - first - state->now->ledger.work) / now, 0, 1e-12);
    withy_sim_destroy(sim);
    sim = start(&x, "n=40 dt=0.03 halvings=0");
    withy_error err = {0};
    CHECK(withy_sim_advance(sim, 0.3, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "try a smaller options.dt (now 0.03)") != NULL);
    withy_sim_destroy(sim);
}

TEST(pauses_do_not_change_the_result) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 0.1, 0.1);
    withy_sim *a = start(&x, "n=20 dt=0.001"), *b = start(&x, "n=20 dt=0.001");
    go(a, 0.1);
    for (int k = 1; k <= 25; k++) go(b, 0.004 * k);
    CHECK_NEAR(se3_tip(a).x, se3_tip(b).x, 0);
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

TEST(a_time_between_two_steps_is_reached_exactly) {
    (void)unused_state;
    set x;
    make(&x, se3_shape_c, 1, 0.1);
    withy_sim *sim = start(&x, "n=20 dt=0.01 time=bdf2");
    go(sim, 0.0537);
    CHECK_NEAR(withy_sim_sample(sim, 0)->t, 0.0537, 0);
    CHECK_NEAR(se3_tip(sim).x, tip_after(&x, "n=20 dt=0.0005", 0.0537).x, 1e-3);
    withy_sim_destroy(sim);
}

RUN(test(statics_of_the_box_match_the_references),
    test(statics_of_rk4_match_the_references_to_1e_7), test(statics_have_orders_two_and_four),
    test(the_support_carries_weight_and_moment),
    test(a_tendon_bends_the_rod_into_an_arc_of_curvature_tau_r_over_ei),
    test(a_tendon_pulled_in_by_a_length_finds_its_tension),
    test(a_helical_tendon_is_solved_alike_by_box_and_rk4),
    test(the_ledger_closes_under_gravity_and_end_loads),
    test(the_ledger_closes_with_damping_drag_and_loads_along_the_rod),
    test(the_ledger_closes_with_a_driven_base_and_with_tendons),
    test(a_heavy_rod_keeps_its_energy_and_its_potential_to_second_order),
    test(a_free_and_a_pinned_start_keep_the_energy),
    test(a_held_finish_keeps_the_energy_and_its_place_to_second_order),
    test(a_finish_that_slips_is_reported_with_a_way_out),
    test(kelvin_voigt_damps_mode_1_at_t_v_omega_squared),
    test(drag_of_twice_the_inertia_loses_energy_at_rate_2),
    test(a_tip_mass_of_half_the_rod_lowers_the_frequency_to_timoshenkos),
    test(an_accelerated_base_is_gravity_the_other_way),
    test(a_shaken_base_moves_the_tip_as_the_linear_theory_says),
    test(a_distributed_dead_force_of_the_weight_is_gravity),
    test(a_point_load_at_the_tip_is_an_end_force),
    test(a_body_with_offset_is_a_body_at_the_end_of_a_stiff_arm),
    test(turning_the_world_turns_the_answer),
    test(a_free_spinning_rod_keeps_momentum_to_second_order),
    test(a_straight_rod_that_spins_flies_like_a_stone_however_far_it_turns_in_a_step),
    test(a_load_changed_between_two_calls_acts_in_the_next_step_and_nothing_is_allocated),
    test(a_step_that_newton_cannot_take_is_halved_and_the_ledger_sums_still_close),
    test(pauses_do_not_change_the_result), test(a_time_between_two_steps_is_reached_exactly))
