/* Error bars where the answer is known: they hold, and they are not much larger than the error. */
#include "base/base.h"
#include "check.h"
#include "fixture.h"
#include "study/compare/compare.h"
#include "withy/withy.h"

static const char *const methods[] = {"director", "se3", "cheb", "kirchhoff", "elastica", "fdtd"};
enum { METHODS = 6 };

/* A rod along x in units of its own: L = 1, EI = 1, mass per length 1, nearly without shear, stretch and
 * rotary inertia, which change answers by less than MODEL. */
#define ROD                                                                                        \
    "rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 4e6, shear = 4e6 }, "        \
    "inertia = { mass = 1, rotary = 1e-6 } }, "                                                    \
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
#define SOFT                                                                                       \
    "rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 25, shear = 25 }, "          \
    "inertia = { mass = 1, rotary = 0.04 } }, "
static const double MODEL = 2e-5;

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* The bar holds, and is at most 30 times the error. */
static void check_bar(const char *what, const char *method, double error, double bar,
                      double known_to, double rounding) {
    if (!(error <= bar + known_to))
        fail_msg("%s, %s: the error is %.3g and the bar only %.3g", what, method, error, bar);
    if (!(bar <= 30 * (error + known_to) + rounding))
        fail_msg("%s, %s: the bar is %.3g and the error only %.3g", what, method, bar, error);
}

/* The finish of the one equilibrium, in every method that has it; returns how many. */
static int check_finish(const char *what, const char *text, withy_vec3 exact, double known_to) {
    int count = 0;
    for (int i = 0; i < METHODS; i++) {
        withy_scene *scene = scene_of(text, NULL);
        const withy_run_setup setup = {.method = methods[i], .error = 1};
        withy_static_report report;
        withy_error err = {0};
        const withy_status status = withy_static(scene, &setup, &report, &err);
        if (status == WITHY_OK) {
            const withy_static_point *p = &report.point[report.count - 1];
            CHECK(report.error.runs == 2);
            /* stretch is 4e6 times as stiff as bending: that much of the rounding is left */
            check_bar(what, methods[i], distance(p->position[1], exact), p->position_error[1],
                      known_to, 4e6 * 2e-16 * 256);
            count++;
        } else if (status != WITHY_UNSUPPORTED)
            fail_msg("%s, %s: %s", what, methods[i], err.text);
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
    return count;
}

TEST(the_bar_of_a_cantilever_under_a_tip_force_holds_in_every_method) {
    const double F = 1e-3;
    CHECK(
        check_finish("tip force",
                     "return { " ROD "ends = { start = clamped {}, finish = free { force = { 0, "
                     "1e-3, 0 } } }, path = { from = 1, to = 1, steps = 1 }, options = { n = 8 } }",
                     (withy_vec3){1 - F * F / 15, F / 3, 0}, MODEL * F) >= 5);
}

TEST(the_bar_of_a_cantilever_bent_to_an_arc_by_a_moment_holds) {
    CHECK(check_finish("moment",
                       "return { " ROD "ends = { start = clamped {}, finish = free { moment = { 0, "
                       "0, 2 } } }, path = { from = 0, to = 1, steps = 4 }, options = { n = 8 } }",
                       (withy_vec3){sin(2) / 2, (1 - cos(2)) / 2, 0}, 1e-9) >= 3);
}

/* P = 0.9 of Euler's load magnifies the deflection under a small force across about ten times. */
TEST(the_bar_of_a_column_just_below_its_euler_load_holds) {
    const double P = 0.9 * 2.4674011002723395, k = sqrt(P), F = 1e-5;
    const double tip = F * (tan(k) - k) / (P * k);
    /* the shortening by bending: the integral of y'^2 / 2, y' = F/P (cos k(1 - s) / cos k - 1) */
    const double c = cos(k), a = F / P;
    const double shorter =
        a * a / 2 * ((0.5 + sin(2 * k) / (4 * k)) / (c * c) - 2 * sin(k) / (k * c) + 1);
    char text[600];
    snprintf(text, sizeof text,
             "return { " ROD "ends = { start = clamped {}, finish = free { force = { %.17g, %.17g, "
             "0 } } }, path = { from = 1, to = 1, steps = 1 }, options = { n = 8 } }",
             -P, F);
    CHECK(check_finish("column", text, (withy_vec3){1 - P / 4e6 - shorter, tip, 0},
                       30 * MODEL * tip) >= 4);
}

/* ---- frequencies ------------------------------------------------------------------------------------- */

/* fdtd on a coarse mesh next to director, which has ten digits of it. */
TEST(the_bar_of_a_critical_factor_holds) {
    static const char *const method[2] = {"director", "fdtd"};
    double factor[2], bar[2];
    for (int m = 0; m < 2; m++) {
        withy_error err = {0};
        withy_static_report report;
        withy_scene *scene = scene_of(
            "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
            "= 4e3 }, inertia = { mass = 1, rotary = 1e-4 } }, initial = { shape = straight { "
            "along = { 0, 0, 1 }, normal = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = "
            "free { force = { 0, 0, -1 } } }, path = { from = 2, to = 3, steps = 2 } }",
            m ? "options.n=16" : "options.n=8");
        const withy_run_setup setup = {.method = method[m], .error = 1};
        CHECK_OK(withy_static(scene, &setup, &report, &err));
        CHECK(report.critical_count == 1);
        factor[m] = report.critical[0].factor, bar[m] = report.critical[0].factor_error;
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
    print_message("director %.7f +- %.1e, fdtd %.7f +- %.1e\n", factor[0], bar[0], factor[1],
                  bar[1]);
    CHECK(bar[0] <= 1e-5 && bar[1] <= 1e-2);
    CHECK(fabs(factor[1] - factor[0]) <= bar[0] + bar[1]);
    CHECK(fabs(factor[1] - factor[0]) > bar[0]); /* or it shows nothing */
}

/* A clamped arch that snaps through, by arc length: its points are others on every mesh, and once had bars of 0. */
TEST(points_of_a_path_by_arc_length_have_no_bars_but_its_last_and_its_critical_factors_do) {
    SLOW_UNDER_SANITIZERS;
    withy_static_report report[2];
    withy_error err = {0};
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = scene_of(
            "return { rod = { length = 0.5, section = rectangle { width = 0.004, height = 0.04 }, "
            "material = { young = 1e9, shear = 4e8, density = 1000 }, rest = arc { from = { 0, 0, "
            "0 }, along = { math.cos(0.25), 0, math.sin(0.25) }, normal = { math.sin(0.25), 0, "
            "-math.cos(0.25) }, radius = 1 } }, ends = { start = clamped {}, finish = clamped {} "
            "}, loads = { point { at = 0.25, force = { 0, 0, -20 } } }, path = { from = 0, to = 1, "
            "steps = 15, arc_length = true } }",
            i ? "options.n=16" : "options.n=4");
        const withy_run_setup setup = {.method = "director", .error = !i};
        CHECK_OK(withy_static(scene, &setup, &report[i], &err));
        withy_scene_destroy(scene);
    }
    const withy_static_report *a = &report[0], *b = &report[1];
    const withy_static_point *last = &a->point[a->count - 1], *fine = &b->point[b->count - 1];
    CHECK(a->count > 4 && a->critical_count == b->critical_count && a->critical_count > 1);
    for (int k = 0; k + 1 < a->count; k++)
        CHECK(isinf(a->point[k].reaction_error[0]) && isinf(a->point[k].position_error[1]) &&
              isinf(a->point[k].energy_error));
    CHECK(strstr(a->error.notes.text, "by arc length") != NULL);
    CHECK(distance(last->reaction[0], fine->reaction[0]) <= last->reaction_error[0]);
    CHECK(isfinite(last->reaction_error[0]));
    for (int k = 0; k < a->critical_count; k++) {
        const withy_critical *one = &a->critical[k], *two = &b->critical[k];
        CHECK(fabs(one->factor - two->factor) <= one->factor_error);
    }
    for (int i = 0; i < 2; i++) withy_static_free(&report[i]);
}

/* The exact frequency that is nearest. */
static double nearest(const double *exact, int count, double frequency) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (fabs(exact[i] - frequency) < fabs(exact[best] - frequency)) best = i;
    return exact[best];
}

static int check_modes(const char *what, const char *text, const double *exact, int roots,
                       int count, double known_to) {
    int done = 0;
    for (int i = 0; i < METHODS; i++) {
        withy_scene *scene = scene_of(text, NULL);
        const withy_run_setup setup = {.method = methods[i], .error = 1};
        withy_mode *mode = NULL;
        withy_error err = {0};
        const withy_status status = withy_modes(scene, count, &setup, &mode, &err);
        for (int k = 0; k < count && status == WITHY_OK; k++) {
            const double f = nearest(exact, roots, mode[k].frequency);
            check_bar(what, methods[i], fabs(mode[k].frequency - f), mode[k].frequency_error,
                      known_to * f, 1e-7 * f);
        }
        done += status == WITHY_OK;
        if (status != WITHY_OK && status != WITHY_UNSUPPORTED)
            fail_msg("%s, %s: %s", what, methods[i], err.text);
        withy_modes_free(mode, count);
        withy_scene_destroy(scene);
    }
    return done;
}

TEST(the_bars_of_the_bending_frequencies_of_a_cantilever_hold) {
    /* roots of cosh b cos b = -1 */
    const double b[4] = {1.8751040687119611, 4.694091132974175, 7.854757438237613,
                         10.995540734875467},
                 pi = 3.14159265358979;
    double exact[4];
    for (int i = 0; i < 4; i++) exact[i] = b[i] * b[i] / (2 * pi);
    CHECK(check_modes("bending",
                      "return { " ROD "ends = { start = clamped {} }, time = { stop = 1 }, options "
                      "= { n = 8 } }",
                      exact, 4, 4, 10 * MODEL) >= 3);
}

/* A rod so strongly damped that of eight modes the mesh with 16 nodes has seven: of the eighth, which that with 8 nodes has,
 * nothing is known, where a difference that is no number was once taken for none. */
TEST(a_mode_that_a_finer_mesh_does_not_have_has_no_bar) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.8, stretch = 4e4, shear = "
        "2e4 }, inertia = { mass = 1, rotary = 1e-3 }, damping = { time = 2 } }, initial = { "
        "shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { start = "
        "clamped {}, finish = free {} } }";
    enum { COUNT = 8 };
    withy_mode *mode[2] = {0};
    withy_error err = {0};
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = scene_of(text, i ? "options.n=16" : "options.n=8");
        const withy_run_setup setup = {.method = "kirchhoff", .error = !i};
        CHECK_OK(withy_modes(scene, COUNT, &setup, &mode[i], &err));
        withy_scene_destroy(scene);
    }
    print_message("%d modes, and %d on the finer mesh\n", mode[0]->total, mode[1]->total);
    CHECK(mode[0]->total > mode[1]->total); /* or it shows nothing */
    for (int k = 0; k < mode[0]->total; k++) {
        const int known = isfinite(mode[0][k].frequency_error) &&
                          isfinite(mode[0][k].damping_error) && isfinite(mode[0][k].growth_error);
        CHECK(known == (k < mode[1]->total));
    }
    for (int i = 0; i < 2; i++) withy_modes_free(mode[i], COUNT);
}

/* Of the given run in the middle, and of the coarsest of the three. */
TEST(a_number_that_a_finer_run_does_not_have_has_no_bar) {
    CHECK(isinf(wy_error_bar(WY_ERROR_BAR_MIDDLE, 1, NAN, 4)) &&
          isinf(wy_error_bar(WY_ERROR_BAR_MIDDLE, NAN, NAN, 4)));
    CHECK(isinf(wy_error_bar(WY_ERROR_BAR_COARSEST, NAN, 1, 4)) &&
          isinf(wy_error_bar(WY_ERROR_BAR_COARSEST, 1, NAN, 4)));
    CHECK(wy_error_bar(WY_ERROR_BAR_MIDDLE, NAN, 1, 4) == 3); /* the coarse run alone lacks it */
}

/* One place, 1/n^2 and dt^2 away from 1, and somewhere else once the steps follow what spins. */
static struct {
    double follows, jump;
    int meshes; /* 0: there is one mesh only */
} play;

static withy_status played(const withy_study *study, wy_trace *out, withy_error *err) {
    double n = 8, dt = 0.1;
    for (int i = 0; i < study->option_count; i++)
        *(strcmp(study->option[i].name, "n") == 0 ? &n : &dt) = study->option[i].number;
    if (!play.meshes && n != 8) return wy_fail(err, WITHY_NO_CONVERGENCE, "no such mesh");
    *out = (wy_trace){.n = (int)n, .dt = dt, .steps = (int64_t)(1 / dt), .length = 1};
    out->order = (wy_order){.space = 2, .time = 2};
    out->items = out->count = out->place.count = 1;
    out->width = 3;
    out->item = wy_alloc(1, sizeof *out->item), out->value = wy_alloc(3, sizeof *out->value);
    out->item[0] = (wy_item){.size = 3, .group = WY_TRACE_PLACE};
    out->value[1] = out->value[2] = 0;
    out->value[0] = 1 + 1 / (n * n) + dt * dt + (dt <= play.follows ? play.jump : 0);
    return WITHY_OK;
}

static withy_error_summary bars_of_play(double jump, int meshes, int halvings, int adapts) {
    const withy_study study = withy_study_default();
    wy_trace given;
    wy_error_bars bars;
    withy_error err = {0};
    play.follows = 0.1 / 8, play.jump = jump, play.meshes = meshes;
    CHECK_OK(played(&study, &given, &err));
    given.halvings = halvings;
    if (adapts) given.dt = 0;
    CHECK_OK(wy_refine(&study, &given, 1, played, &bars, &err));
    wy_error_bars_free(&bars);
    wy_trace_free(&given);
    return bars.summary;
}

TEST(what_steps_that_follow_a_spin_show_is_a_part_of_the_step) {
    withy_error_summary s = bars_of_play(0.5, 1, 0, 0);
    CHECK(s.trusted && s.shape < 0.1);
    s = bars_of_play(0.5, 1, 3, 0);
    CHECK(!s.trusted && s.shape >= 0.5 && s.shape < 1);
    CHECK_NEAR(s.mesh + s.step, s.shape, 1e-8);
    CHECK(s.mesh < 0.1);
}

TEST(a_spin_of_which_nothing_is_known_has_no_bar_and_a_note) {
    withy_error_summary s = bars_of_play(NAN, 1, 3, 0); /* the run has it not */
    CHECK(!s.trusted && isinf(s.shape) && isinf(s.step) && isfinite(s.mesh));
    s = bars_of_play(0.5, 1, 7, 0);
    CHECK(!s.trusted && isinf(s.shape) &&
          strstr(s.notes.text, "would take too many; shorten options.dt"));
    s = bars_of_play(0.5, 1, 3, 1);
    CHECK(!s.trusted && isinf(s.shape) && strstr(s.notes.text, "not known with automatic steps"));
    s = bars_of_play(0.5, 0, 3, 0); /* no mesh but one: the parts are not known, and no NaN */
    CHECK(isinf(s.shape) && isinf(s.mesh) && isinf(s.step));
}

/* ---- motions ----------------------------------------------------------------------------------------- */

/* The last position of `finish`; the largest error of the last quarter is what the bar is for. */
static int check_motion(const char *what, const char *text, withy_vec3 (*exact)(double t),
                        double stop, double output, double known_to) {
    int done = 0;
    for (int i = 0; i < METHODS; i++) {
        withy_scene *scene = scene_of(text, NULL);
        const withy_run_setup setup = {.method = methods[i], .error = 1};
        withy_report report;
        withy_error err = {0};
        const withy_status status = withy_run(scene, &setup, &report, &err);
        if (status == WITHY_OK) {
            withy_sim *sim;
            double worst = 0;
            CHECK_OK(withy_scene_sim(scene, methods[i], &sim, &err));
            for (double t = 0; t <= stop + 1e-9; t += output) {
                CHECK_OK(withy_sim_advance(sim, t, &err));
                const withy_snapshot *now = withy_sim_sample(sim, 0);
                if (t >= 0.75 * stop - 1e-9)
                    worst = fmax(worst, distance(now->position[now->count - 1], exact(t)));
            }
            withy_sim_destroy(sim);
            const double last = distance(report.position[1], exact(stop));
            if (!(last <= report.position_error[1] + known_to))
                fail_msg("%s, %s: error %.3g, bar %.3g", what, methods[i], last,
                         report.position_error[1]);
            check_bar(what, methods[i], worst, fmax(worst, report.position_error[1]), known_to,
                      1e-9);
            done++;
        } else if (status != WITHY_UNSUPPORTED && status != WITHY_BAD_INPUT)
            fail_msg("%s, %s: %s", what, methods[i], err.text);
        withy_scene_destroy(scene);
    }
    return done;
}

/* The first axial mode: z(s, t) = s + 0.1 sin(pi s / 2) cos(pi c t / 2), c = sqrt(EA / mass) = 5. */
static withy_vec3 axial(double t) {
    return (withy_vec3){0, 0, 1 + 0.1 * cos(3.14159265358979 * 2.5 * t)};
}

TEST(the_bar_of_a_standing_wave_of_stretch_holds_in_every_method_that_stretches) {
    CHECK(check_motion("stretch",
                       "return { " SOFT
                       "initial = { shape = strain(function(s) return 0, 0, 0.05 * math.pi * "
                       "math.cos(math.pi * s / 2), 0, 0, 0 end) }, ends = { start = clamped {}, "
                       "finish = free {} }, time = { stop = 1, output = 0.05 }, options = { n = 8, "
                       "dt = 0.005 } }",
                       axial, 1, 0.05, 1e-7) >= 2);
}

/* A rigid rod that swings about its start: theta'' = -3 g sin(theta) / 2 L, from the horizontal. */
static withy_vec3 pendulum(double t) {
    double angle = 0, speed = 0; /* below the horizontal */
    const int steps = 4000;
    for (int i = 0; i < steps; i++) {
        const double h = t / steps;
        const double k1 = speed, l1 = 1.5 * cos(angle), k2 = speed + h / 2 * l1,
                     l2 = 1.5 * cos(angle + h / 2 * k1), k3 = speed + h / 2 * l2,
                     l3 = 1.5 * cos(angle + h / 2 * k2), k4 = speed + h * l3,
                     l4 = 1.5 * cos(angle + h * k3);
        angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), speed += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return (withy_vec3){cos(angle), -sin(angle), 0};
}

TEST(the_bar_of_a_pendulum_holds_in_every_method_that_has_one) {
    CHECK(check_motion("pendulum",
                       "return { rod = { length = 1, stiffness = { bend = 1e5, twist = 1e5, "
                       "stretch = 1e8, shear = 1e8 }, inertia = { mass = 1, rotary = 1e-9 } }, "
                       "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } "
                       "}, gravity = { 0, -1, 0 }, ends = { start = pinned {}, finish = free {} }, "
                       "time = { stop = 2, output = 0.1 }, options = { n = 4, dt = 0.02 } }",
                       pendulum, 2, 0.1, 1e-6) >= 3);
}

RUN(test(the_bar_of_a_cantilever_under_a_tip_force_holds_in_every_method),
    test(the_bar_of_a_cantilever_bent_to_an_arc_by_a_moment_holds),
    test(the_bar_of_a_critical_factor_holds),
    test(the_bar_of_a_column_just_below_its_euler_load_holds),
    test(points_of_a_path_by_arc_length_have_no_bars_but_its_last_and_its_critical_factors_do),
    test(the_bars_of_the_bending_frequencies_of_a_cantilever_hold),
    test(a_mode_that_a_finer_mesh_does_not_have_has_no_bar),
    test(a_number_that_a_finer_run_does_not_have_has_no_bar),
    test(what_steps_that_follow_a_spin_show_is_a_part_of_the_step),
    test(a_spin_of_which_nothing_is_known_has_no_bar_and_a_note),
    test(the_bar_of_a_standing_wave_of_stretch_holds_in_every_method_that_stretches),
    test(the_bar_of_a_pendulum_holds_in_every_method_that_has_one))
