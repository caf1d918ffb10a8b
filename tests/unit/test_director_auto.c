/* Automatic steps of the director method hold their tolerance, relative to the motion itself, and ends
 * driven by their rates are where they should be; slow under sanitizers. */
#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "withy/withy.h"

#define STRAIGHT "shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } }"
#define ROD                                                                                        \
    "rod = { length = 2, stiffness = { stretch = 12, shear = 4, bend = 2.4, twist = 1.6 }, "       \
    "inertia = { mass = 1, rotary = { 0.2, 0.2, 0.4 } } }, "

typedef struct motion {
    withy_scene *scene;
    withy_sim *sim;
} motion;

static motion begin(const char *text, const char *options) {
    motion x = {0};
    withy_error err = {0};
    const char *set[] = {options};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", set, 1, &x.scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s", err.text);
    CHECK_OK(withy_scene_sim(x.scene, "director", &x.sim, &err));
    return x;
}

static const withy_snapshot *go(const motion *x, double t) {
    withy_error err = {0};
    const withy_status status = withy_sim_advance(x->sim, t, &err);
    if (status != WITHY_OK) fail_msg("%s", err.text);
    return withy_sim_sample(x->sim, 0);
}

static void end(motion *x) {
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
}

static const double tolerance[3] = {1e-2, 1e-3, 1e-4};

static const char *with(double tol) {
    static char text[64];
    snprintf(text, sizeof text, "options={n=8,tol=%g}", tol);
    return text;
}

/* Angle by which the last section has turned about x. */
static double last_turn(const withy_snapshot *snap) {
    const mat3 d = q_matrix(snap->frame[snap->count - 1]);
    return atan2(d.c1.z, d.c1.y);
}

/* ---- the motion itself is the measure ----------------------------------------------------------- */

/* Twist A sin(pi s/2L) cos(w t), w = pi c/2L, c = 2: nothing but rotations, positions stay. */
TEST(a_torsional_vibration_is_right_to_tol) {
    (void)unused_state;
    for (int i = 0; i < 3; i++) {
        motion x = begin("return { " ROD "initial = { shape = strain { strain = function(s) return "
                         "0, 0, 0.5 * math.pi / 4 * math.cos(math.pi * s / 4) end, "
                         "along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
                         "ends = { start = clamped {} }, time = { stop = 10, output = 1 } }",
                         with(tolerance[i]));
        double worst = 0;
        for (int t = 1; t <= 10; t++)
            worst = fmax(worst, fabs(last_turn(go(&x, t)) - 0.5 * cos(WY_PI / 2 * t)));
        CHECK_BELOW(worst, 3 * tolerance[i] * 0.5);
        end(&x);
    }
}

/* A cantilever that is let go: shear and bending of all lengths, of which long steps see little.  Two trials differ by
 * little there while both are wrong. */
TEST(a_cantilever_let_go_is_right_to_tol_where_long_steps_agree_by_chance) {
    (void)unused_state;
    static const char text[] =
        "return { rod = { length = 0.1, section = circle { diameter = 0.01 }, material = { young = "
        "1e6, shear = 1e6 / 3, density = 1000 }, rest = straight {} }, initial = { shape = arc { "
        "from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 }, radius = 0.4 / math.pi } "
        "}, ends = { start = clamped {} }, time = { stop = 0.5, output = 0.025 } }";
    motion x = begin(text, "options={tol=1e-2}");
    motion truth = begin(text, "options={dt=0.025/64,order=4}"); /* to 0.35 % of the motion */
    double worst = 0, size = 0;
    for (int k = 1; k <= 20; k++) {
        const withy_snapshot *a = go(&x, 0.025 * k), *b = go(&truth, 0.025 * k);
        const vec3 tip = b->position[b->count - 1], home = v3(0.0900316, 0.0372923, 0);
        worst = fmax(worst, v3_norm(v3_sub(a->position[a->count - 1], tip)));
        size = fmax(size, v3_norm(v3_sub(tip, home)));
    }
    CHECK_BELOW(worst, 3e-2 * size);
    end(&x), end(&truth);
}

/* Displacement 1e-3 L sin(pi s/2L) cos(w t): a thousandth of the length. */
TEST(a_vibration_of_a_thousandth_of_the_length_is_right_to_tol) {
    (void)unused_state;
    for (int i = 0; i < 3; i++) {
        motion x =
            begin("return { " ROD "initial = { shape = strain { strain = function(s) return 0, "
                  "0, 2e-3 * math.pi / 4 * math.cos(math.pi * s / 4), 0, 0, 0 end, "
                  "along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
                  "ends = { start = clamped {} }, time = { stop = 10, output = 1 } }",
                  with(tolerance[i]));
        double worst = 0;
        for (int t = 1; t <= 10; t++) {
            const withy_snapshot *snap = go(&x, t);
            const double exact = 2 + 2e-3 * cos(WY_PI / 4 * sqrt(12) * t);
            worst = fmax(worst, fabs(snap->position[snap->count - 1].x - exact));
        }
        CHECK_BELOW(worst, 3 * tolerance[i] * 2e-3);
        end(&x);
    }
}

/* ---- loads ------------------------------------------------------------------------------------------ */

/* 100 N/m on 1 kg/m for 10 ms, between two outputs, in a function and in a table. */
TEST(a_pulse_of_10_ms_between_outputs_is_not_stepped_over) {
    (void)unused_state;
    static const char *const force[2] = {
        "function(s, t) return 0, t > 0.4 and t < 0.41 and 100 or 0, 0 end",
        "signal { { 0.4, 0, 0, 0 }, { 0.4000001, 0, 100, 0 }, { 0.41, 0, 100, 0 }, "
        "{ 0.4100001, 0, 0, 0 } }"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { " ROD "initial = { " STRAIGHT
                 " }, loads = { distributed { force = %s } }, "
                 "time = { stop = 10, output = 10 } }",
                 force[i]);
        motion x = begin(text, with(1e-2));
        const withy_snapshot *snap = go(&x, 10);
        CHECK_NEAR(snap->velocity[3].y, 1, 1e-6);
        CHECK_NEAR(snap->position[3].y, 10 - 0.405, 1e-5);
        end(&x);
    }
}

/* A shaft turned 10 times a second in drag.spin = 0.01: at rest in the turning frame, the moment at the
 * drive is 0.01 w L and the lag of the free end half of that over GJ. */
TEST(a_shaft_driven_ten_turns_a_second_lags_as_it_should) {
    (void)unused_state;
    const double w = 20 * WY_PI;
    for (int i = 0; i < 3; i++) {
        motion x = begin(
            "return { rod = { length = 1, stiffness = { stretch = 12, shear = 4, bend = 2.4, "
            "twist = 1 }, inertia = { mass = 1, rotary = { 1e-3, 1e-3, 2e-3 } }, "
            "drag = { spin = 0.01 } }, initial = { " STRAIGHT ", spin = { 20 * math.pi, 0, 0 } }, "
            "ends = { start = clamped { tangent = { 1, 0, 0 }, normal = function(t) return 0, "
            "math.cos(20 * math.pi * t), math.sin(20 * math.pi * t) end } }, "
            "time = { stop = 3.025, output = 3.025 } }",
            with(tolerance[i]));
        const withy_snapshot *snap = go(&x, 3.025); /* 30.25 turns */
        const double lag = remainder(w * 3.025 - last_turn(snap), 2 * WY_PI);
        CHECK_NEAR(snap->reaction_moment[0].x, 0.01 * w, 10 * tolerance[i]);
        CHECK_NEAR(lag, 0.005 * w, 3 * tolerance[i]);
        end(&x);
    }
}

TEST(a_rod_at_rest_costs_a_few_steps) {
    (void)unused_state;
    motion x = begin("return { " ROD "initial = { " STRAIGHT " }, ends = { start = clamped {} }, "
                     "time = { stop = 100, output = 100 } }",
                     with(1e-4));
    go(&x, 100);
    CHECK_BELOW((double)withy_sim_stats(x.sim).steps, 80);
    end(&x);
}

/* A free rod that a pulse sets in motion as a whole: steps of 0.01 s meet both edges of the pulse and are exact. */
TEST(trials_and_steps_together_cost_at_most_two_and_a_half_times_the_best_fixed_step) {
    (void)unused_state;
    static const char text[] = "return { " ROD "initial = { " STRAIGHT
                               " }, loads = { distributed { force = function(s, t) "
                               "return 0, t > 0.4 and t < 0.41 and 100 or 0, 0 end } }, time = { "
                               "stop = 1, output = 0.05 } }";
    static const char *const options[3] = {"options={dt=0.01}", "options={tol=1e-3}",
                                           "options={tol=1e-4}"};
    double solves[3];
    for (int i = 0; i < 3; i++) {
        motion x = begin(text, options[i]);
        double y = 0;
        for (int k = 1; k <= 20; k++) y = go(&x, 0.05 * k)->position[0].y;
        CHECK_NEAR(y, 100 * 0.01 * (1 - 0.405), 1e-9);
        solves[i] = (double)withy_sim_stats(x.sim).iterations;
        end(&x);
    }
    CHECK_BELOW(solves[1], 2.5 * solves[0]);
    CHECK_BELOW(solves[2], 2.5 * solves[0]);
}

/* ---- what is watched ---------------------------------------------------------------------------------- */

#define SWING                                                                                      \
    "return { rod = { length = 1, section = circle { diameter = 0.05 }, material = { "             \
    "young = 1e6, shear = 1e6 / 3, density = 1000 } }, gravity = { 0, -9.81, 0 }, "                \
    "initial = { " STRAIGHT " }, ends = { start = clamped {} }, "                                  \
    "time = { stop = 1, output = 0.5 } }"

TEST(times_at_which_a_motion_is_watched_change_it_by_less_than_tol) {
    (void)unused_state;
    static const int pieces[4] = {1, 2, 7, 40};
    withy_vec3 tip[4];
    for (int i = 0; i < 4; i++) {
        motion x = begin(SWING, with(1e-2));
        const withy_snapshot *snap = NULL;
        for (int k = 1; k <= pieces[i]; k++) snap = go(&x, 0.7 * k / pieces[i]);
        tip[i] = snap->position[snap->count - 1];
        end(&x);
    }
    for (int i = 1; i < 4; i++) CHECK_BELOW(v3_norm(v3_sub(tip[i], tip[0])), 1e-2);
}

TEST(energy_is_kept_to_1e_11_with_steps_that_change) {
    (void)unused_state;
    for (int i = 0; i < 2; i++) {
        motion x = begin(SWING, i ? "options={n=12,tol=1e-3,order=4}" : "options={n=12,tol=1e-3}");
        go(&x, 1);
        CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-11);
        end(&x);
    }
}

/* ---- ends driven by their rates ------------------------------------------------------------------------ */

#define LOOSE                                                                                      \
    "rod = { length = 2, stiffness = { stretch = 12, shear = 4, bend = 2.4, twist = 1.6 }, "       \
    "inertia = { mass = 1, rotary = { 0.2, 0.2, 0.4 } } }, initial = { " STRAIGHT " }, "

/* Largest entry of the difference of two frames. */
static double frames_apart(mat3 a, mat3 b) {
    const vec3 d[3] = {v3_sub(a.c1, b.c1), v3_sub(a.c2, b.c2), v3_sub(a.c3, b.c3)};
    return fmax(v3_norm(d[0]), fmax(v3_norm(d[1]), v3_norm(d[2])));
}

/* A constant spin turns by w t exactly; a spin a that itself turns about z at 2 rad/s gives
 * R(t) = Rz(2 t) exp((a - 2 e3) t) R(0), and the error falls by 2^6 when the step is halved. */
TEST(a_prescribed_spin_is_integrated_exactly_or_with_order_6) {
    (void)unused_state;
    motion x = begin("return { " LOOSE "ends = { start = clamped { spin = { 0, 0.3, 0.4 } } }, "
                     "time = { stop = 1, output = 1 } }",
                     "options={n=4,dt=0.1}");
    const mat3 first = q_matrix(withy_sim_sample(x.sim, 0)->frame[0]);
    const mat3 turned = m3_mulm(q_matrix(q_exp(v3(0, 0.3, 0.4))), first);
    CHECK_BELOW(frames_apart(q_matrix(go(&x, 1)->frame[0]), turned), 1e-13);
    end(&x);
    const mat3 exact =
        m3_mulm(q_matrix(q_exp(v3(0, 0, 2))), m3_mulm(q_matrix(q_exp(v3(1, 0, 0.5 - 2))), first));
    double off[2];
    for (int i = 0; i < 2; i++) {
        x = begin("return { " LOOSE "ends = { start = clamped { spin = function(t) return "
                  "math.cos(2 * t), math.sin(2 * t), 0.5 end } }, "
                  "time = { stop = 1, output = 1 } }",
                  i ? "options={n=4,dt=0.125}" : "options={n=4,dt=0.25}");
        off[i] = frames_apart(q_matrix(go(&x, 1)->frame[0]), exact);
        end(&x);
    }
    CHECK_BELOW(off[0], 1e-5);
    CHECK_BELOW(off[1], off[0] / 50);
}

/* Velocity sin t, acceleration sin t from rest, spin rate (1, 0, 0): 1 - cos 1, 1 - sin 1, 1/2. */
TEST(ends_driven_by_velocity_acceleration_and_spin_rate_are_where_they_should_be) {
    (void)unused_state;
    motion x =
        begin("return { " LOOSE "ends = { start = clamped { velocity = function(t) return 0, "
              "math.sin(t), 0 end, spin_rate = { 1, 0, 0 } }, finish = pinned { "
              "acceleration = function(t) return 0, math.sin(t), 0 end } }, "
              "time = { stop = 1, output = 1 } }",
              "options={n=4,dt=0.1}");
    const mat3 first = q_matrix(withy_sim_sample(x.sim, 0)->frame[0]);
    const withy_snapshot *snap = go(&x, 1);
    CHECK_NEAR(snap->position[0].y, 1 - cos(1), 1e-11);
    CHECK_NEAR(snap->position[snap->count - 1].y, 1 - sin(1), 1e-11);
    CHECK_BELOW(
        frames_apart(q_matrix(snap->frame[0]), m3_mulm(q_matrix(q_exp(v3(0.5, 0, 0))), first)),
        1e-13);
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12); /* with the work of both drives */
    end(&x);
}

TEST(a_scene_with_a_driven_spin_runs_under_director_without_being_asked) {
    (void)unused_state;
    withy_error err = {0};
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    static const char text[] =
        "return { " LOOSE "ends = { start = clamped { spin = { 0, 3, 4 } } }, "
        "time = { stop = 1 } }";
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_TEXT(withy_sim_method(sim), "director");
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(a_torsional_vibration_is_right_to_tol),
    test(a_cantilever_let_go_is_right_to_tol_where_long_steps_agree_by_chance),
    test(a_vibration_of_a_thousandth_of_the_length_is_right_to_tol),
    test(a_pulse_of_10_ms_between_outputs_is_not_stepped_over),
    test(a_shaft_driven_ten_turns_a_second_lags_as_it_should),
    test(a_rod_at_rest_costs_a_few_steps),
    test(trials_and_steps_together_cost_at_most_two_and_a_half_times_the_best_fixed_step),
    test(times_at_which_a_motion_is_watched_change_it_by_less_than_tol),
    test(energy_is_kept_to_1e_11_with_steps_that_change),
    test(a_prescribed_spin_is_integrated_exactly_or_with_order_6),
    test(ends_driven_by_velocity_acceleration_and_spin_rate_are_where_they_should_be),
    test(a_scene_with_a_driven_spin_runs_under_director_without_being_asked))
