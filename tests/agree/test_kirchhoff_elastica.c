/* test_kirchhoff_elastica.c - without natural curvature kirchhoff is elastica: one scene, two
 * methods, through the public interface. (slow under sanitizers) */
#include "check.h"
#include "energy_of.h"
#include "withy/withy.h"

typedef struct pair {
    withy_scene *scene[2];
    withy_sim *sim[2];
} pair;

/* The source's own scheme: x'' = 0 at ends without a moment, and its constraints. */
static const char *const source[2] = {"options.cure=A", "options.ends=strong"};
/* The default of each method without a clamp. */
static const char *const usual[2] = {"options.cure=auto", "options.ends=auto"};

static void open_pair(pair *x, const char *name, const char *const common[3], const char *twist,
                      const char *const scheme[2]) {
    withy_error err = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/cases/%s/scene.lua", WITHY_SOURCE, name);
    const char *const elastica[] = {common[0], common[1], common[2], "method=elastica", scheme[0]};
    const char *const kirchhoff[] = {
        common[0], common[1], common[2], "method=kirchhoff", "options.damping=dissertation",
        twist,     scheme[1]};
    CHECK_OK(withy_scene_read(path, elastica, 5, &x->scene[0], &err));
    CHECK_OK(withy_scene_read(path, kirchhoff, 7, &x->scene[1], &err));
    for (int i = 0; i < 2; i++) {
        int count;
        const withy_option *option = withy_scene_options(x->scene[i], &count);
        CHECK_OK(withy_sim_create(withy_scene_problem(x->scene[i]), withy_scene_method(x->scene[i]),
                                  option, count, &x->sim[i], &err));
    }
}

static void close_pair(pair *x) {
    for (int i = 0; i < 2; i++) withy_sim_destroy(x->sim[i]), withy_scene_destroy(x->scene[i]);
}

typedef struct outcome {
    double apart, moved, energy, twist;
} outcome;

static outcome run_pair(pair *x, int intervals) {
    outcome out = {0};
    withy_error err = {0};
    withy_vec3 first[400];
    for (int k = 0; k <= intervals; k++) {
        const withy_snapshot *snap[2];
        for (int i = 0; i < 2; i++) {
            const double output = withy_scene_problem(x->scene[i])->request.output;
            CHECK_OK(withy_sim_advance(x->sim[i], k * output, &err));
            snap[i] = withy_sim_sample(x->sim[i], 0);
            CHECK(snap[i] && snap[i]->count < 400);
        }
        for (int j = 0; j < snap[0]->count; j++) {
            const withy_vec3 a = snap[0]->position[j], b = snap[1]->position[j];
            if (k == 0) first[j] = a;
            const double d = hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
            const double m = hypot(hypot(a.x - first[j].x, a.y - first[j].y), a.z - first[j].z);
            if (!(d <= out.apart)) out.apart = d;
            if (m > out.moved) out.moved = m;
            if (fabs(snap[1]->bend[j].z) > out.twist) out.twist = fabs(snap[1]->bend[j].z);
        }
        if (k >= 1)
            out.energy = worst_of(out.energy, fabs(energy_of(snap[0]) - energy_of(snap[1])));
    }
    print_message("apart %.1e, moved %.1f, H apart %.1e, twist %.1e\n", out.apart, out.moved,
                  out.energy, out.twist);
    return out;
}

static void check_pair(const char *name, const char *const common[3], const char *twist,
                       int intervals) {
    pair x;
    open_pair(&x, name, common, twist, source);
    const outcome out = run_pair(&x, intervals);
    CHECK_BELOW(out.apart, 1e-10);
    CHECK_BELOW(out.energy, 1e-10);
    CHECK_BELOW(out.twist, 1e-12);
    CHECK(out.moved > 0.3);
    close_pair(&x);
}

TEST(a_pinned_coil_moves_as_the_elastica_whatever_the_twist_stiffness) {
    (void)unused_state;
    const char *const damped[3] = {"options.start=\"one-step\"", "options.n=40", "options.dt=1"};
    check_pair("coil", damped, "rod.stiffness.twist=0.8", 20);
    check_pair("coil", damped, "rod.stiffness.twist=8", 20);
    const char *const undamped[3] = {"rod.damping.bend=0", "options={n=30,dt=0.02}",
                                     "time={stop=6,output=0.02}"};
    check_pair("coil", undamped, "options.start=\"one-step\"", 300);
}

TEST(a_falling_clamped_rod_moves_as_the_elastica) {
    (void)unused_state;
    const char *const common[3] = {"options.start=\"one-step\"", "time={stop=20,output=0.5}",
                                   "options.n=20"};
    check_pair("falling_rod", common, "rod.stiffness.twist=0.4", 40);
    const char *const undamped[3] = {"options.start=paper", "time={stop=20,output=0.5}",
                                     "rod.damping.bend=0"};
    check_pair("falling_rod", undamped, "rod.stiffness.twist=4", 40);
}

TEST(driven_ends_move_both_methods_alike) {
    (void)unused_state;
    const char *const common[3] = {"options.start=\"one-step\"", "options.n=16", "options.dt=0.05"};
    check_pair("rotating_clamp", common, "rod.stiffness.twist=0.8", 30);
    const char *const paper[3] = {"options.start=\"one-step\"", "options.n=15", "options.dt=0.02"};
    check_pair("oscillating_end", paper, "rod.stiffness.twist=0.8", 10);
}

/* Straight and held by one pin: the constraints of the natural spline are dependent there, and a
 * common rotation of the sections costs no energy.  The ends differ (cure B, weak), so the two agree to the
 * fourth power of the interval: the tip is 8.6e-5, 4.6e-6, 3e-7 m apart at n = 32, 64, 128. */
TEST(a_straight_pendulum_is_let_go_and_swings_as_the_elastica) {
    (void)unused_state;
    const char *const common[3] = {"options={n=64,dt=0.000625}", "time={stop=1,output=0.1}",
                                   "rod.damping=nil"};
    pair x;
    open_pair(&x, "flexible_pendulum", common, "rod.damping=nil", usual);
    const outcome out = run_pair(&x, 10);
    CHECK_BELOW(out.apart, 1.5e-5); /* 1.2e-5, at t = 0.9 */
    CHECK_BELOW(out.twist, 1e-12);
    CHECK(out.moved > 0.3);
    close_pair(&x);
}

RUN(test(a_pinned_coil_moves_as_the_elastica_whatever_the_twist_stiffness),
    test(a_falling_clamped_rod_moves_as_the_elastica), test(driven_ends_move_both_methods_alike),
    test(a_straight_pendulum_is_let_go_and_swings_as_the_elastica))
