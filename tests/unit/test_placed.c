/* Rods placed section by section, masses that differ along d1 and d2, and planar rods under loads that see the state:
 * what [CH] 2.3.2, 2.4.1 and 4.3 ask for. */
#include "check.h"
#include "withy/withy.h"

#define STUBBY                                                                                     \
    "rod = { length = 2, stiffness = { stretch = 12, shear = 4, bend = 2.4, twist = 1.6 }, "       \
    "inertia = { mass = 1, rotary = { 0.2, 0.2, 0.4 } } }, "
static withy_error err;

#define CLAMPS "ends = { start = clamped {}, finish = clamped {} }, "

typedef struct run {
    withy_scene *scene;
    withy_sim *sim;
} run;

static withy_status begin(run *x, const char *text, const char *method) {
    int count;
    *x = (run){0}, err = (withy_error){0};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test", NULL, 0, &x->scene, &err);
    if (status != WITHY_OK) return status;
    const withy_option *option = withy_scene_options(x->scene, &count);
    return withy_sim_create(withy_scene_problem(x->scene), method, option, count, &x->sim, &err);
}

static void end(run *x) {
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
}

static const withy_snapshot *go(run *x, double t) {
    CHECK_OK(withy_sim_advance(x->sim, t, &err));
    return withy_sim_sample(x->sim, 0);
}

/* A bump with x = s - 1, y = 0.2 exp(-4 (s-1)^2) and theta = -0.1 sin(pi (s-1)), out of the plane by a turn about x: by its
 * strains, or by places and frames, of which every other one has the opposite sign. */
#define BUMP                                                                                       \
    "local function bump(s) local x = s - 1; local y = 0.2 * math.exp(-4 * x * x); "               \
    "return x, y, -8 * x * y, -0.1 * math.sin(math.pi * x), -0.1 * math.pi * math.cos(math.pi * "  \
    "x) end "                                                                                      \
    "local y0 = 0.2 * math.exp(-4) "                                                               \
    "local function strains(s) local x, y, dy, th, u = bump(s); local c, d = math.cos(th), "       \
    "math.sin(th); "                                                                               \
    "return -d + c * dy, 0, c + d * dy - 1, 0, u, 0 end "                                          \
    "local function place(s) local x, y = bump(s); return x, y - y0, 0 end "                       \
    "local function turn(s) local _, _, _, th = bump(s); local a, b = 0.5 * math.cos(th / 2), "    \
    "0.5 * math.sin(th / 2); "                                                                     \
    "local k = math.sin(40 * s) > 0 and 1 or -1; return k * (a - b), k * (a - b), k * (a + b), k " \
    "* (a + b) end "

TEST(a_placed_rod_moves_as_the_same_rod_given_by_its_strains) {
    static const struct {
        const char *method, *options;
        double within;
    } row[] = {{"cheb", "n = 24, ends = \"B\"", 1e-9},
               {"fdtd", "n = 40, order = 4", 1e-9},
               {"director", "n = 10, dt = 0.01", 1e-9},
               {"se3", "n = 40, dt = 0.01", 1e-8}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const withy_snapshot *snap[2];
        run x[2];
        for (int k = 0; k < 2; k++) {
            char text[2600];
            snprintf(text, sizeof text,
                     BUMP "return { " STUBBY CLAMPS
                          "initial = { shape = %s }, time = { stop = 0.3, output = 0.1, "
                          "stations = 9 }, options = { %s } }",
                     k ? "placed { position = place, frame = turn }"
                       : "strain { strain = strains, from = { -1, 0, 0 }, along = { 1, 0, 0 }, "
                         "normal = { 0, 1, 0 } }",
                     row[i].options);
            CHECK_OK(begin(&x[k], text, row[i].method));
            CHECK((snap[k] = go(&x[k], 0.3)) != NULL);
        }
        for (int p = 0; p < snap[0]->count; p++) {
            CHECK_NEAR(snap[1]->position[p].x, snap[0]->position[p].x, row[i].within);
            CHECK_NEAR(snap[1]->position[p].y, snap[0]->position[p].y, row[i].within);
        }
        end(&x[0]), end(&x[1]);
    }
}

TEST(a_frame_that_is_no_rotation_is_refused_with_its_place) {
    run x;
    CHECK(begin(&x,
                "return { " STUBBY
                "initial = { shape = placed { position = function(s) return s, 0, 0 end, "
                "frame = function(s) return 1 + s, 0, 0, 0 end } }, time = { stop = 1 } }",
                "cheb") == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "unit quaternion") != NULL);
    CHECK(strstr(err.text, "s = ") != NULL);
    end(&x);
}

TEST(methods_that_cannot_shear_refuse_a_placed_rod) {
    static const char *const method[] = {"kirchhoff", "elastica"};
    for (int i = 0; i < 2; i++) {
        run x;
        CHECK(begin(&x,
                    "return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { "
                    "mass = 1 } }, "
                    "initial = { shape = placed { position = function(s) return 0, 0, s end, frame "
                    "= { 1, 0, 0, 0 } } }, "
                    "ends = { start = clamped {} }, time = { stop = 1 } }",
                    method[i]) == WITHY_UNSUPPORTED);
        CHECK(strstr(err.text, "a shape given by positions and frames") != NULL);
        end(&x);
    }
}

/* ---- M = diag(m_axial, m_t1, m_t2) -------------------------------------------------------------------- */

static void two_lowest(const char *options, double f[2]) {
    run x;
    withy_mode *mode = NULL;
    char text[700];
    snprintf(text, sizeof text,
             "return { rod = { length = 1, stiffness = { bend = { 1, 1.21 }, twist = 1e3, stretch "
             "= 1e6, shear = 1e6 }, "
             "inertia = { mass = 1, rotary = 1e-6 } }, initial = { shape = straight { along = { 1, "
             "0, 0 }, normal = { 0, 1, 0 } "
             "} }, ends = { start = clamped {} }, time = { stop = 1 }, options = { %s } }",
             options);
    CHECK_OK(begin(&x, text, "cheb"));
    CHECK_OK(withy_sim_modes(x.sim, 2, &mode, &err));
    f[0] = mode[0].frequency, f[1] = mode[1].frequency;
    withy_modes_free(mode, 2);
    end(&x);
}

TEST(the_masses_along_d1_and_d2_slow_the_bending_in_their_own_direction) {
    double plain[2], first[2], second[2];
    two_lowest("n = 16", plain); /* about d1: motion along d2, and the reverse */
    CHECK_NEAR(plain[1] / plain[0], 1.1, 1e-4);
    two_lowest("n = 16, mass_shear = 4, mass_shear2 = 1", first);
    two_lowest("n = 16, mass_shear2 = 4", second);
    CHECK_NEAR(first[0] / plain[1], 0.5, 1e-6);
    CHECK_NEAR(first[1] / plain[0], 1, 1e-6);
    CHECK_NEAR(second[0] / plain[0], 0.5, 1e-6);
    CHECK_NEAR(second[1] / plain[1], 1, 1e-6);
}

/* A rod that turns as a rigid body at first, so that nothing rings. */
TEST(a_free_rod_with_three_masses_keeps_its_momentum_and_its_energy) {
    run x;
    CHECK_OK(begin(&x,
                   "return { " STUBBY
                   "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } }, "
                   "velocity = function(s) return 0.1, 0.2 * s, 0.1 * s end, spin = { 0.3, -0.1, "
                   "0.2 } }, time = { stop = 2, "
                   "output = 1 }, options = { n = 16, dt = 0.004, mass_axial = 4, mass_shear = 2, "
                   "mass_shear2 = 3 } }",
                   "cheb"));
    const withy_snapshot *snap = go(&x, 0);
    const withy_vec3 p = snap->momentum;
    const double energy = snap->conserved;
    CHECK_NEAR(p.x, 0.1 * 2 * 4, 1e-12); /* 4 along the rod, 2 along d1 = y, 3 along d2 = z */
    CHECK_NEAR(p.y, 0.2 * 2 * 2, 1e-12);
    CHECK_NEAR(p.z, 0.1 * 2 * 3, 1e-12);
    snap = go(&x, 2);
    CHECK_NEAR(snap->momentum.x, p.x, 1e-9);
    CHECK_NEAR(snap->momentum.y, p.y, 1e-9);
    CHECK_NEAR(snap->momentum.z, p.z, 1e-9);
    CHECK_NEAR(snap->conserved / energy, 1, 1e-7);
    end(&x);
}

/* ---- the plane ------------------------------------------------------------------------------------------ */

static const char *const DRAGGED =
    "return { " STUBBY CLAMPS
    "initial = { shape = arc { radius = 2 / math.pi, along = { 1, 0, 0 }, normal = { 0, 1, 0 } }, "
    "velocity = function(s) return 0, math.sin(math.pi * s / 2), 0 end }, "
    "loads = { distributed { force = function(s, t, state) local v = state.velocity; return -4 * "
    "v[1], -4 * v[2], %s end } }, "
    "time = { stop = 1, output = 1 }, options = { n = 24, space = \"%s\" } }";

TEST(a_planar_rod_stays_planar_under_a_load_that_sees_the_state) {
    run x[2];
    char text[1200];
    const withy_snapshot *snap[2];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, DRAGGED, "0", k ? "planar" : "spatial");
        CHECK_OK(begin(&x[k], text, "cheb"));
        snap[k] = go(&x[k], 1);
    }
    for (int i = 0; i <= 24; i++) {
        CHECK_NEAR(snap[1]->position[i].x, snap[0]->position[i].x, 1e-6);
        CHECK_NEAR(snap[1]->position[i].y, snap[0]->position[i].y, 1e-6);
    }
    end(&x[0]), end(&x[1]);
}

TEST(a_load_that_sees_the_state_and_leaves_the_plane_is_refused_not_projected) {
    run x;
    char text[1200];
    snprintf(text, sizeof text, DRAGGED, "t > 0.5 and 1 or 0", "planar");
    CHECK_OK(begin(&x, text, "cheb"));
    CHECK(withy_sim_advance(x.sim, 1, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "leaves the plane") != NULL);
    end(&x);
}

RUN(test(a_placed_rod_moves_as_the_same_rod_given_by_its_strains),
    test(a_frame_that_is_no_rotation_is_refused_with_its_place),
    test(methods_that_cannot_shear_refuse_a_placed_rod),
    test(the_masses_along_d1_and_d2_slow_the_bending_in_their_own_direction),
    test(a_free_rod_with_three_masses_keeps_its_momentum_and_its_energy),
    test(a_planar_rod_stays_planar_under_a_load_that_sees_the_state),
    test(a_load_that_sees_the_state_and_leaves_the_plane_is_refused_not_projected))
