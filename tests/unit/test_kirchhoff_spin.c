/* slow under sanitizers
 *
 * test_kirchhoff_spin.c - a rod that is straight at rest and may turn at both ends: bending damping
 * alone decides how its sections spin together (kirchhoff/step.c, let_spin). */
#include "energy_of.h"
#include "kirchhoff_problems.h"

/* cases/coil: a heavily damped coil between two pins, its own image under a half turn about an axis
 * that is normal to z and goes through its middle. */
typedef struct coil_run {
    withy_scene *scene;
    withy_sim *sim;
    wy_kirchhoff *p;
} coil_run;

static const double MIDDLE_Z = 3 * WY_PI * 0.22720209469308711; /* -cos(1.8) L/2 */

static coil_run coil_of(const char *options, const char *twist, const char *more) {
    withy_error err = {0};
    coil_run c;
    int count;
    const char *set[] = {"method=kirchhoff", "time.output=0.5", options, twist, more};
    CHECK_OK(withy_scene_read(WITHY_SOURCE "/cases/coil/scene.lua", set, 3 + !!twist + !!more,
                              &c.scene, &err));
    const withy_option *option = withy_scene_options(c.scene, &count);
    CHECK_OK(
        withy_sim_create(withy_scene_problem(c.scene), "kirchhoff", option, count, &c.sim, &err));
    c.p = c.sim->self;
    return c;
}

static void coil_free(coil_run *c) {
    withy_sim_destroy(c->sim);
    withy_scene_destroy(c->scene);
}

static void coil_to(coil_run *c, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(c->sim, t, &err));
}

/* The external torque required at an end, of the last step solved. */
static double end_torque(const wy_kirchhoff *p, int end) {
    const int j = end ? p->n : 0;
    return v3_dot(p->work.balance[p->n + 1 + j], p->now->frame[j].c3);
}

static vec3 middle_of(const char *options, const char *twist) {
    coil_run c = coil_of(options, twist, NULL);
    coil_to(&c, 2);
    const vec3 x = c.p->now->x[c.p->n / 2];
    coil_free(&c);
    return x;
}

TEST(a_damped_coil_on_two_pins_keeps_its_symmetry_and_no_pin_feels_a_torque) {
    (void)unused_state;
    const char *twists[] = {"rod.stiffness.twist=1", "rod.stiffness.twist=100", NULL};
    for (int k = 0; k < 3; k++) {
        coil_run c = coil_of("options={n=32,dt=0.25}", twists[k], NULL);
        double torque = 0;
        for (int i = 1; i <= 20; i++) {
            coil_to(&c, 0.5 * i);
            for (int e = 0; e < 2; e++) torque = wy_max(torque, fabs(end_torque(c.p, e)));
        }
        const vec3 x = c.p->now->x[16];
        print_message("middle (%.6f, %.6f, %.9f), end torque %.1e\n", x.x, x.y, x.z, torque);
        CHECK_NEAR(x.z, MIDDLE_Z, 1e-9);
        CHECK_BELOW(torque, 1e-8);
        coil_free(&c);
    }
}

TEST(what_a_damped_coil_loses_is_the_work_of_its_viscous_moments) {
    (void)unused_state;
    coil_run c = coil_of("options={n=32,dt=0.25}", "rod.stiffness.twist=1", NULL);
    const double start = withy_sim_sample(c.sim, 0)->conserved;
    double before = start;
    for (int i = 1; i <= 40; i++) {
        coil_to(&c, 0.5 * i);
        const withy_snapshot *snap = withy_sim_sample(c.sim, 0);
        CHECK(energy_of(snap) < before);
        CHECK_NEAR(snap->conserved, start, 1e-11 * start);
        before = energy_of(snap);
    }
    coil_free(&c);
}

TEST(a_damped_coil_is_of_second_order_in_time_and_in_space) {
    (void)unused_state;
    vec3 time[4], space[4];
    for (int k = 0; k < 4; k++) {
        char options[64];
        snprintf(options, sizeof options, "options={n=32,dt=%g}", 0.125 / (1 << k));
        time[k] = middle_of(options, NULL);
        snprintf(options, sizeof options, "options={n=%d,dt=0.125}", 48 << k);
        space[k] = middle_of(options, NULL);
    }
    for (int k = 0; k < 2; k++) {
        const double t =
            v3_norm(v3_sub(time[k], time[k + 1])) / v3_norm(v3_sub(time[k + 1], time[k + 2]));
        const double s =
            v3_norm(v3_sub(space[k], space[k + 1])) / v3_norm(v3_sub(space[k + 1], space[k + 2]));
        print_message("ratios of differences: time %.2f, space %.2f\n", t, s);
        CHECK_NEAR(t, 4.0, .5);
        CHECK_NEAR(s, 4.0, .5);
    }
}

/* Without natural curvature the source's damping does not depend on the frames: there the gauge is right. */
TEST(the_damping_of_the_dissertation_leaves_the_spin_alone) {
    (void)unused_state;
    coil_run a =
        coil_of("options={n=32,dt=0.25,damping='dissertation'}", "rod.stiffness.twist=1", NULL);
    coil_run b = coil_of("options={n=32,dt=0.25,damping='dissertation'}", NULL, NULL);
    coil_to(&a, 2), coil_to(&b, 2);
    CHECK_BELOW(positions_apart(a.p, a.p->now->x, b.p->now->x), 1e-9);
    CHECK_NEAR(a.p->now->x[16].z, MIDDLE_Z, 1e-9);
    coil_free(&a), coil_free(&b);
}

TEST(a_twist_stiffness_that_is_not_given_is_that_of_a_rod_that_does_not_twist) {
    (void)unused_state;
    const vec3 none = middle_of("options={n=32,dt=0.25}", NULL);
    const vec3 large = middle_of("options={n=32,dt=0.25}", "rod.stiffness.twist=1e4");
    const vec3 larger = middle_of("options={n=32,dt=0.25}", "rod.stiffness.twist=1e6");
    CHECK_NEAR(v3_norm(v3_sub(none, large)), 0, 1e-12);
    CHECK_BELOW(v3_norm(v3_sub(none, larger)), 2e-4);
}

/* ---- almost straight ----------------------------------------------------------------------- */

/* A corkscrew motion of size *context. */
static withy_status kicked(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    const double by = *(double *)context;
    out[0] = by * sin(3 * s), out[1] = by * s * s, out[2] = 0;
    return WITHY_OK;
}

/* Twist, strain and spin of a hanging rod vanish with the kick, and so does the damping: from
 * the drag of a straight rod to damping alone the motion continues and the ledger balances. */
TEST(a_damped_rod_that_is_nearly_straight_swings_on_with_its_ledger_sums_closed) {
    (void)unused_state;
    const double kicks[] = {0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4, 1e-2, 1};
    for (size_t k = 0; k < sizeof kicks / sizeof *kicks; k++) {
        double kick = kicks[k];
        spring_case c;
        const helix_wire wire = {.1, .2, 1, .01, .01, 1, 0};
        spring_of(&c, wire, WITHY_END_PINNED, WITHY_END_FREE, 24, .005);
        c.rod.length = 1;
        c.rod.rest =
            (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, -1}, .normal = {1, 0, 0}};
        c.rod.velocity = (withy_field){.size = 3, .call = kicked, .context = &kick};
        c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = withy_field_number(.001);
        c.problem.gravity = (withy_vec3){0, 0, -10};
        spring_make(&c);
        const double start = withy_sim_sample(c.sim, 0)->conserved;
        spring_steps(&c, 400);
        const withy_snapshot *snap = withy_sim_sample(c.sim, 0);
        const double open = snap->conserved - start;
        print_message("kick %g: tip (%.3e, %.3e), loss %.2e, open %.1e, %lld halvings\n", kick,
                      c.p->now->x[24].x, c.p->now->x[24].y, snap->dissipated, open,
                      (long long)c.p->setup->stats->halvings);
        CHECK_NEAR(open, 0, 1e-11 * fabs(start));
        CHECK(snap->dissipated >= 0);
        spring_free(&c);
    }
}

RUN(test(a_damped_coil_on_two_pins_keeps_its_symmetry_and_no_pin_feels_a_torque),
    test(what_a_damped_coil_loses_is_the_work_of_its_viscous_moments),
    test(a_damped_coil_is_of_second_order_in_time_and_in_space),
    test(the_damping_of_the_dissertation_leaves_the_spin_alone),
    test(a_twist_stiffness_that_is_not_given_is_that_of_a_rod_that_does_not_twist),
    test(a_damped_rod_that_is_nearly_straight_swings_on_with_its_ledger_sums_closed))
