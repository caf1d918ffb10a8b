/* Derivatives of motions and equilibria: golden numbers (complex step through a solver of the same equations),
 * and properties that need no other derivative. */
#include <stdlib.h>

#include "check.h"
#include "gradient_family.h"
#include "random_number.h"
#include "study/equilibrium/equations.h"

static withy_vec3 tip_of(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}
static withy_vec3 tip_slope(withy_sim *sim, int k) {
    withy_slope slope;
    withy_error err = {0};
    CHECK_OK(withy_sim_gradient(sim, k, &slope, &err));
    CHECK_BELOW(slope.fault, 1e-4);
    return slope.position[slope.count - 1];
}
static double dot(withy_vec3 a, withy_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static void check_golden(double got, double requested) {
    CHECK_NEAR(got / requested, 1, 1e-8);
}

static void start_a(family *f, const char *options, withy_sim **sim) {
    const double rest[6] = {0, 0, 1, 0, 5, 0};
    set_family(make_a, scene_a, A_COUNT, f);
    *sim = start_family(f, A_COUNT, options);
    set_rest(*sim, rest, KAPPA, 4);
}

TEST(a_damped_loaded_spinning_cantilever_has_its_golden_derivatives) {
    static family f;
    withy_sim *sim;
    withy_error err = {0};
    start_a(&f, "n=12 degree=1 dt=2e-3", &sim);
    double sum = 0, slope[A_COUNT] = {0};
    for (int n = 0; n <= 50; n++) {
        CHECK_OK(withy_sim_advance(sim, n * 2e-3, &err));
        const withy_vec3 tip = tip_of(sim);
        sum += 0.5 * dot(tip, tip);
        for (int k = 0; k < A_COUNT; k++) slope[k] += dot(tip, tip_slope(sim, k));
    }
    CHECK_NEAR(sum, 0.2535841068220892, 1e-12);
    for (int k = 0; k < A_COUNT; k++) {
        const withy_vec3 d = tip_slope(sim, k);
        check_golden(slope[k], golden_a[k][0]);
        check_golden(d.x, golden_a[k][1]);
        check_golden(d.y, golden_a[k][2]);
        check_golden(d.z, golden_a[k][3]);
    }
    withy_sim_destroy(sim);
}

/* ---- order 4: five substeps, one of them back in time ---------------------------------------------- */

TEST(order_4_has_its_golden_derivatives_through_the_step_back_in_time) {
    static family f;
    withy_sim *sim;
    withy_error err = {0};
    start_a(&f, "n=4 degree=3 dt=2e-3", &sim);
    const double c = 1.0 / (4.0 - cbrt(4.0)), share[5] = {c, c, 1 - 4 * c, c, c};
    withy_vec3 tip = tip_of(sim);
    double t = 0, sum = 0.5 * dot(tip, tip), slope[A_COUNT] = {0};
    for (int k = 0; k < A_COUNT; k++) slope[k] = dot(tip, tip_slope(sim, k));
    for (int n = 0; n < 250; n++) {
        const wy_span span = {.origin = t, .h = share[n % 5] * 2e-3, .from = 0, .to = 1};
        CHECK_OK(sim->method->advance(sim->self, &span, &err));
        t += span.h, tip = tip_of(sim), sum += 0.5 * dot(tip, tip);
        for (int k = 0; k < A_COUNT; k++) slope[k] += dot(tip, tip_slope(sim, k));
    }
    CHECK_NEAR(sum, 1.2477825986993, 1e-11);
    check_golden(slope[YOUNG], -2.659414004551e-09);
    check_golden(slope[ETA], 2.238449028900e-06);
    check_golden(slope[LENGTH], 2.482550903241e+01);
    check_golden(tip_slope(sim, YOUNG).y, 5.203826453182e-08);
    check_golden(tip_slope(sim, KNOT).z, 3.432456139813e-01);
    withy_sim_destroy(sim);
}

/* ---- scene S: the equilibrium of a curved and twisted strip ---------------------------------------- */

TEST(an_equilibrium_has_its_golden_derivatives) {
    static family f;
    static const double rest[6] = {0, 0, 1, 3, 5, 8};
    static const struct {
        int k;
        double requested[3];
    } golden[] = {
        {S_YOUNG, {3.017099125737e-08, 1.641431654400e-08, 1.617054905457e-08}},
        {S_RHO, {-2.194276074976e-05, -1.454808523927e-05, -1.266510973602e-05}},
        {S_TWIST, {1.347631679247e-03, -1.034497799712e-03, -2.450351256547e-04}},
        {S_LENGTH, {-2.350796610640e-01, 4.024366212413e-02, -1.104326365136e+00}},
        {S_MOMENT, {-52.52613453511, -14.45611145385, -4.094933273273}},
    };
    withy_equilibrium at;
    withy_error err = {0};
    set_family(make_s, scene_s, S_COUNT, &f);
    withy_sim *sim = start_family(&f, S_COUNT, "n=6 degree=2");
    set_rest(sim, rest, S_TWIST, 5);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_vec3 tip = tip_of(sim);
    CHECK_NEAR(tip.x, 0.0460118755583, 1e-10);
    CHECK_NEAR(tip.y, 0.0293541473098, 1e-10);
    CHECK_NEAR(tip.z, -0.1775318174381, 1e-10);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const withy_vec3 d = tip_slope(sim, golden[i].k);
        check_golden(d.x, golden[i].requested[0]);
        check_golden(d.y, golden[i].requested[1]);
        check_golden(d.z, golden[i].requested[2]);
    }
    withy_sim_destroy(sim);
}

/* ---- scene M: frequencies about that equilibrium ------------------------------------------------------ */

TEST(frequencies_about_a_loaded_equilibrium_have_their_golden_derivatives) {
    static family f;
    static const double rest[6] = {0, 0, 1, 3, 5, 8};
    static const double hertz[3] = {1.17482269263, 1.45123755782, 3.71585419389};
    static const struct {
        int k;
        double requested[3];
    } golden[] = {
        {S_YOUNG, {-0.0528107735, 0.1148193759, 0.1905189707}},
        {S_SHEAR, {0.1102983932, 0.0151410120, 0.0745565487}},
        {S_RHO, {-0.0403537260, -0.0856738872, -0.2551775592}},
        {S_LENGTH, {-0.5921357273, -0.8471884810, -1.2278847814}},
    };
    double p[S_COUNT], slope[64];
    withy_equilibrium at;
    withy_mode *mode;
    withy_error err = {0};
    memcpy(p, scene_s, sizeof p);
    p[S_MOMENT] = 0;
    set_family(make_s, p, S_COUNT - 1, &f);
    withy_sim *sim = start_family(&f, S_COUNT - 1, "n=6 degree=2");
    set_rest(sim, rest, -1, 0);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK_OK(withy_sim_modes(sim, 3, &mode, &err));
    for (int i = 0; i < 3; i++) CHECK_NEAR(mode[i].frequency / hertz[i], 1, 1e-9);
    for (size_t g = 0; g < sizeof golden / sizeof *golden; g++) {
        CHECK_OK(withy_sim_mode_gradient(sim, mode, golden[g].k, slope, &err));
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(slope[i] * p[golden[g].k] / mode[i].frequency, golden[g].requested[i], 2e-8);
    }
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
}

/* ---- scene L: where the load on an arch is largest ----------------------------------------------------- */

enum { L_YOUNG, L_REST, L_RADIUS, L_ASIDE, L_SCALE, L_COUNT };
static const double scene_l[L_COUNT] = {1e9, 0.45, 0.45, 0.02, 1};

static void make_l(const double *p, director_problem *x) {
    const double b = 0.01, t = 0.002, E = p[L_YOUNG], R = p[L_RADIUS], u = -0.15 / R;
    const double stiff[6] = {
        E * b * t / 2.6,        E * b * t / 2.6,        E * b * t,
        E * b * b * b * t / 12, E * b * t * t * t / 12, 0.3 * E * b * t * t * t / 2.6};
    director_plain(x, 0.3, t, E, E / 2.6, 1000);
    for (int i = 0; i < 6; i++) x->rod.stiffness[i] = withy_field_number(stiff[i]);
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_ARC,
                                   .radius = R,
                                   .from = {R * sin(u), R * cos(u), 0},
                                   .along = {cos(u), -sin(u), 0},
                                   .normal = {-sin(u), -cos(u), 0}};
    x->rod.rest = x->rod.initial, x->rod.rest.radius = p[L_REST]; /* the ends stay */
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x->load[0] =
        (withy_load){.kind = WITHY_LOAD_POINT,
                     .from = 0.15,
                     .force = withy_field_vector(-p[L_ASIDE] * p[L_SCALE], -p[L_SCALE], 0)};
    x->rod.load_count = 1;
}

/* At a limit point dq/dp grows without bound along one direction, as psi.F_p/sigma: d lambda_c/dp = -psi.F_p/psi.F_lambda
 * is the ratio of two such, and sigma is as 1/|dq/d(scale)|, whose sign is that of `was`. */
static double beside_limit(withy_sim *sim, double factor, double (*was)[3], double slope[L_SCALE]) {
    withy_slope at;
    withy_error err = {0};
    double now[64][3], size = 0, sign = 0;
    CHECK_OK(withy_sim_gradient(sim, L_SCALE, &at, &err));
    for (int i = 0; i < at.count; i++) {
        v3_to(at.position[i], now[i]);
        size += v3_dot(v3_from(now[i]), v3_from(now[i]));
        sign += v3_dot(v3_from(now[i]), v3_from(was[i]));
    }
    for (int k = 0; k < L_SCALE; k++) {
        double along = 0;
        CHECK_OK(withy_sim_gradient(sim, k, &at, &err));
        for (int i = 0; i < at.count; i++) along += v3_dot(at.position[i], v3_from(now[i]));
        slope[k] = -factor * along / size;
    }
    if (sign == 0) memcpy(was, now, sizeof now);
    return copysign(1 / sqrt(size), sign == 0 ? 1 : sign);
}

enum { BESIDE = 6 };

/* Of the polynomial through these points, at 0. */
static double at_zero(const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < BESIDE; i++) {
        double k = 1;
        for (int j = 0; j < BESIDE; j++) k *= j == i ? 1 : x[j] / (x[j] - x[i]);
        sum += k * y[i];
    }
    return sum;
}

/* The limit load, and what three parameters make of it: from equilibria about it. */
static double limit(const double *p, double slope[L_SCALE]) {
    static family f;
    withy_equilibrium at;
    withy_error err = {0};
    double before = 0, after = 0, was[64][3] = {{0}}, x[BESIDE], y[L_SCALE][BESIDE], factor[BESIDE];
    set_family(make_l, p, L_COUNT, &f);
    withy_sim *sim = start_family(&f, L_COUNT, "n=8 degree=2");
    char *low = malloc(sim->state.used);
    CHECK_OK(withy_sim_equilibrium(sim, 0, &at, &err));
    for (int k = 0; k < 400 && (k < 3 || after * before > 0); k++) {
        memcpy(low, sim->state.base, sim->state.used);
        before = sim->core->slope;
        CHECK_OK(withy_sim_follow(sim, 0.01, 1, &at, &err));
        after = sim->core->slope;
    }
    double a = 0, b = 0.01, root = 0;
    for (int k = 0; k < 5; k++) { /* near enough for a polynomial */
        root = k % 2 ? 0.5 * (a + b) : a + (b - a) * before / (before - after);
        memcpy(sim->state.base, low, sim->state.used);
        CHECK_OK(
            wy_equilibrium_follow(sim, root, 1, 1, &at, &err)); /* exactly: not cut at the fold */
        if (sim->core->slope * before > 0)
            a = root, before = sim->core->slope;
        else
            b = root, after = sim->core->slope;
    }
    root = a + (b - a) * before / (before - after);
    for (int i = 0; i < BESIDE; i++) {
        double here[L_SCALE];
        memcpy(sim->state.base, low, sim->state.used);
        CHECK_OK(
            wy_equilibrium_follow(sim, root + 6e-4 * (i < 3 ? i - 3 : i - 2), 1, 1, &at, &err));
        factor[i] = at.factor;
        x[i] = beside_limit(sim, at.factor, was, here);
        for (int k = 0; k < L_SCALE; k++) y[k][i] = here[k];
    }
    for (int k = 0; k < L_SCALE; k++) slope[k] = at_zero(x, y[k]);
    free(low);
    withy_sim_destroy(sim);
    return at_zero(x, factor);
}

TEST(a_limit_load_has_its_golden_derivatives) {
    static const char *const name[L_SCALE] = {"E", "R at rest", "R as placed", "aside"};
    double slope[L_SCALE], unused[L_SCALE], p[L_COUNT], way[4];
    const double load = limit(scene_l, slope);
    CHECK_NEAR(load, 1.46086984743, 2e-11);
    for (int k = 0; k < L_SCALE; k++) { /* against the limit loads of other parameters */
        const double step = (k == L_ASIDE ? 5e-2 : 2e-3) * scene_l[k];
        for (int i = 0; i < 4; i++) {
            memcpy(p, scene_l, sizeof p);
            p[k] += (double[]){-2, -1, 1, 2}[i] * step;
            way[i] = limit(p, unused);
        }
        const double requested = wy_slope_five(way, step);
        print_message("%s: %.10g, of limit loads %.10g\n", name[k], slope[k], requested);
        CHECK_NEAR(slope[k], requested, 4e-8 * fabs(requested) + 1e-11 * load / scene_l[k]);
    }
    check_golden(slope[L_YOUNG], 1.460869847e-09);
    CHECK_NEAR(slope[L_REST], -2.085828e-04, 1e-9);
    CHECK_NEAR(slope[L_ASIDE], -2.161455337e-02, 1e-9);
}

/* ---- properties ------------------------------------------------------------------------------------ */

/* Central differences of a run with fixed steps. */
static void by_differences(make_problem *make, const double *p, int count, int k,
                           const char *options, int statics, double t, double *d) {
    double q[PARAMETERS];
    withy_vec3 tip[4];
    const double step = 2e-4 * (fabs(p[k]) > 0 ? fabs(p[k]) : 1);
    for (int i = 0; i < 4; i++) {
        director_problem x;
        withy_sim *sim;
        withy_error err = {0};
        withy_equilibrium at;
        for (int c = 0; c < count; c++) q[c] = p[c];
        q[k] += (double[]){-2, -1, 1, 2}[i] * step;
        make(q, &x);
        x.rod.load = x.load, x.problem.rod = &x.rod;
        CHECK_OK(director_start(&x, options, &sim, &err));
        if (statics) CHECK_OK(withy_sim_equilibrium(sim, t, &at, &err));
        if (!statics) CHECK_OK(withy_sim_advance(sim, t, &err));
        tip[i] = tip_of(sim);
        withy_sim_destroy(sim);
    }
    for (int c = 0; c < 3; c++) {
        const double a = v3_get(tip[0], c), b = v3_get(tip[1], c);
        const double e = v3_get(tip[2], c), g = v3_get(tip[3], c);
        d[c] = (a - 8 * b + 8 * e - g) / (12 * step);
    }
}

TEST(whatever_acts_on_the_rod_its_derivatives_are_those_of_differences) {
    static family f;
    withy_error err = {0};
    const char *options = "n=4 degree=2 dt=1e-3 xi=0.1";
    set_family(make_all, everything, ALL, &f);
    withy_sim *sim = start_family(&f, ALL, options);
    CHECK_OK(withy_sim_advance(sim, 0.05, &err));
    for (int k = 0; k < ALL; k++) {
        const withy_vec3 d = tip_slope(sim, k);
        double requested[3];
        by_differences(make_all, everything, ALL, k, options, 0, 0.05, requested);
        const double size = fabs(requested[0]) + fabs(requested[1]) + fabs(requested[2]);
        print_message(
            "%d: %.3g of %.3g\n", k,
            (fabs(d.x - requested[0]) + fabs(d.y - requested[1]) + fabs(d.z - requested[2])) / size,
            size);
        CHECK_NEAR(d.x, requested[0], 1e-6 * size);
        CHECK_NEAR(d.y, requested[1], 1e-6 * size);
        CHECK_NEAR(d.z, requested[2], 1e-6 * size);
    }
    withy_sim_destroy(sim);
}

/* Derivatives of both momenta of a free rod, in lane l. */
static void momenta(const wy_director *x, int l, vec3 *linear, vec3 *angular) {
    *linear = *angular = v3(0, 0, 0);
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        const wy_slope_node *d = &wy_slope_nodes(x, 0)[j];
        const double m = x->plan.mass[j].mass;
        const lane rotary = x->plan.mass[j].rotary;
        const vec3 r = v3_add(x->now->origin, node->r), dv = wy_slope_lane(d->v, l);
        const vec3 spin = tri_sum3(tri_scale(rotary * node->w, node->d));
        const vec3 change =
            tri_sum3(tri_scale(rotary * vec3_lane(wy_slope_lane(d->w, l)), node->d));
        *linear = v3_axpy(*linear, m, dv);
        *angular = v3_axpy(*angular, m, v3_cross(wy_slope_lane(d->q, l), node->v));
        *angular = v3_axpy(*angular, m, v3_cross(r, dv));
        *angular = v3_add(*angular, v3_add(v3_cross(wy_slope_lane(d->q + 3, l), spin), change));
    }
}

/* Any change of the start: each lane its own. */
static void scatter(wy_director *x) {
    uint32_t seed = 7;
    for (int j = 0; j < x->plan.node_count; j++)
        for (int i = 0; i < 12; i++)
            for (int l = 0; l < WY_PACK; l++) {
                random_next(&seed);
                pack *to = &wy_slope_start(x, 0)[12 * j + i];
                (*to)[l] = (i < 3 ? 0.1 : i < 9 ? 1.0 : 10.0) * (seed / 4294967296.0 - 0.5);
            }
}

TEST(
    what_a_free_rod_conserves_its_derivatives_conserve_through_halvings_order_4_and_automatic_steps) {
    static const char *const options[] = {"n=5 degree=2 dt=5e-3 newton_max=4",
                                          "n=5 degree=3 dt=2e-3 order=4",
                                          "n=4 degree=1 dt=auto tol=1e-2"};
    static const double one = 1;
    for (int i = 0; i < 3; i++) {
        static family f;
        withy_error err = {0};
        set_family(same_problem, &one, 1, &f);
        withy_sim *sim = start_family(&f, 1, options[i]);
        wy_director *x = only_rod(sim);
        vec3 before[2], after[2];
        scatter(x);
        momenta(x, 3, &before[0], &before[1]);
        CHECK_OK(withy_sim_advance(sim, 0.1, &err));
        momenta(x, 3, &after[0], &after[1]);
        const double size = v3_norm(before[0]) + v3_norm(before[1]) / 0.1;
        print_message("%s: %lld halvings, %.3g %.3g\n", options[i],
                      (long long)withy_sim_stats(sim).halvings,
                      v3_norm(v3_sub(after[0], before[0])) / size,
                      v3_norm(v3_sub(after[1], before[1])) / (0.1 * size));
        if (i == 0) CHECK(withy_sim_stats(sim).halvings > 0);
        CHECK_BELOW(v3_norm(v3_sub(after[0], before[0])) / size, 1e-9);
        CHECK_BELOW(v3_norm(v3_sub(after[1], before[1])) / (0.1 * size), 1e-8);
        withy_sim_destroy(sim);
    }
}

/* ---- an obstacle far away -------------------------------------------------------------------------------- */

/* A body welded to the ground far away. */
static void put_body(family *f, int count) {
    static const withy_body body = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 50, 0}};
    static withy_joint weld = {.kind = WITHY_JOINT_WELD,
                               .place = {{.part = WITHY_PART_GROUND, .at = {0, 50, 0}},
                                         {.part = WITHY_PART_BODY, .index = 0}}};
    for (int k = -1; k < 4 * count; k++) {
        withy_problem *problem = k < 0 ? &f->here.problem : &f->at[k / 4][k % 4].problem;
        problem->body = &body, problem->body_count = 1;
        problem->joint = &weld, problem->joint_count = 1;
    }
}

enum { NOTHING, WALL, BODY, BESIDES };

static void put_far(family *f, int count, int what) {
    static withy_obstacle obstacle;
    if (what == WALL) put_wall(f, count, -50, &obstacle);
    if (what == BODY) put_body(f, count);
}

TEST(what_is_far_away_changes_no_derivative_of_motion_shape_or_frequency) {
    static family f;
    withy_error err = {0};
    withy_vec3 motion[BESIDES][A_COUNT], shape[BESIDES][S_MOMENT];
    withy_equilibrium at;
    double hertz[BESIDES][64], p[S_COUNT];
    memcpy(p, scene_s, sizeof p);
    p[S_MOMENT] = 0; /* a dead moment has no potential, and modes with it may be damped */
    for (int what = 0; what < BESIDES; what++) {
        set_family(make_a, scene_a, A_COUNT, &f);
        put_far(&f, A_COUNT, what);
        withy_sim *sim = start_family(&f, A_COUNT, "n=3 degree=3 dt=2e-3");
        CHECK_OK(withy_sim_advance(sim, 0.05, &err));
        for (int k = 0; k < A_COUNT; k++) motion[what][k] = tip_slope(sim, k);
        withy_sim_destroy(sim);
        CHECK(memcmp(motion[0], motion[what], sizeof motion[0]) == 0);
    }
    for (int what = 0; what < BESIDES; what++) {
        withy_mode *mode;
        set_family(make_s, p, S_COUNT, &f);
        put_far(&f, S_MOMENT, what);
        withy_sim *sim = start_family(&f, S_MOMENT, "n=6 degree=2");
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        for (int k = 0; k < S_MOMENT; k++) shape[what][k] = tip_slope(sim, k);
        CHECK_OK(withy_sim_modes(sim, 3, &mode, &err));
        CHECK_OK(withy_sim_mode_gradient(sim, mode, S_LENGTH, hertz[what], &err));
        withy_modes_free(mode, mode->total);
        withy_sim_destroy(sim);
        CHECK(memcmp(shape[0], shape[what], sizeof shape[0]) == 0);
        for (int i = 0; i < 3; i++) CHECK_NEAR(hertz[what][i] / hertz[0][i], 1, 1e-9);
    }
}

static void make_roller(const double *p, director_problem *x) {
    same_problem(p, x);
    x->rod.end[0].kind = WITHY_END_ROLLER, x->rod.end[0].along = v3(0, p[0], 1);
}

TEST(what_is_not_differentiated_is_refused_with_a_sentence) {
    static family f;
    withy_sim *sim;
    withy_error err = {0};
    static const double one = 1;
    set_family(same_problem, &one, 1, &f);
    CHECK(withy_gradient_create(&f.here.problem, "elastica", NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text, "elastica: has no exact derivatives; use director, or differences");
    f.here.rod.damping_law = WITHY_DAMPING_ELASTICA;
    f.here.rod.damping[3] = f.here.rod.damping[4] = withy_field_number(1e-6);
    CHECK(withy_gradient_create(&f.here.problem, NULL, NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "damping of the curve (rod.damping.law) is not differentiated"));
    set_family(same_problem, &one, 1, &f);
    f.here.rod.settled = 1, f.here.rod.velocity = withy_field_vector(0, 1, 0);
    CHECK(withy_gradient_create(&f.here.problem, NULL, NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "starts from an equilibrium with a velocity is not differentiated"));
    set_family(make_roller, &one, 1, &f);
    CHECK(withy_gradient_create(&f.here.problem, NULL, NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "the direction along which ends.start slides depends on the parameter"));
    f.vary[0].step = 0;
    CHECK(withy_gradient_create(&f.here.problem, NULL, NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_BAD_INPUT);
    CHECK(sim == NULL);
}

RUN(test(a_damped_loaded_spinning_cantilever_has_its_golden_derivatives),
    test(order_4_has_its_golden_derivatives_through_the_step_back_in_time),
    test(an_equilibrium_has_its_golden_derivatives),
    test(frequencies_about_a_loaded_equilibrium_have_their_golden_derivatives),
    test(a_limit_load_has_its_golden_derivatives),
    test(whatever_acts_on_the_rod_its_derivatives_are_those_of_differences),
    test(
        what_a_free_rod_conserves_its_derivatives_conserve_through_halvings_order_4_and_automatic_steps),
    test(what_is_far_away_changes_no_derivative_of_motion_shape_or_frequency),
    test(what_is_not_differentiated_is_refused_with_a_sentence))
