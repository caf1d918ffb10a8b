/* Derivatives of motions and equilibria: golden numbers (complex step through a solver of the same equations),
 * and properties that need no other derivative. */
#include "check.h"
#include "director_problems.h"
#include "method/director/gradient.h"
#include "study/sim.h"
#include "withy/gradient.h"

/* ---- a problem as a function of numbers ---------------------------------------------------------- */

enum { PARAMETERS = 24 };

typedef void make_problem(const double *p, director_problem *x);

typedef struct family {
    director_problem at[PARAMETERS][4], here;
    withy_variation vary[PARAMETERS];
} family;

static void set_family(make_problem *make, const double *p, int count, family *out) {
    make(p, &out->here);
    for (int k = 0; k < count; k++) {
        double q[PARAMETERS];
        const double step = 1e-3 * (fabs(p[k]) > 0 ? fabs(p[k]) : 1);
        out->vary[k] = withy_variation_default();
        out->vary[k].step = step;
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < count; c++) q[c] = p[c];
            q[k] += (double[]){-2, -1, 1, 2}[i] * step;
            make(q, &out->at[k][i]);
            out->at[k][i].rod.load = out->at[k][i].load;
            out->at[k][i].problem.rod = &out->at[k][i].rod;
            out->vary[k].at[i] = &out->at[k][i].problem;
        }
    }
}

static withy_sim *start_family(const family *f, int count, const char *options) {
    withy_option option[16];
    withy_sim *sim;
    withy_error err = {0};
    CHECK_OK(withy_gradient_create(&f->here.problem, NULL, option,
                                   director_parse(options, option, 16), f->vary, count, &sim,
                                   &err));
    return sim;
}

/* Raw rest strains of all Gauss points, and the parameter that is one of them; then the start again. */
static void set_rest(withy_sim *sim, const double rest[6], int parameter, int strain) {
    wy_director *x = sim->self;
    withy_error err = {0};
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 6; k++) x->plan.section[i].rest[k / 3][k % 3] = rest[k];
    if (parameter >= 0) {
        wy_slope_fields *field = &x->slopes->field[parameter / WY_PACK];
        for (int i = 0; i < x->plan.n * x->plan.p; i++)
            field->section[i].rest[strain][parameter % WY_PACK] = 1;
        field->strains = 1;
    }
    CHECK_OK(wy_director_start(x, &err));
    wy_director_slopes_start(x);
}

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
static void check_golden(double got, double want) {
    CHECK_NEAR(got / want, 1, 1e-8);
}

/* ---- scene A: a damped, loaded, spinning cantilever with a mass at its tip ------------------------- */

enum { YOUNG, SHEAR, RHO, ETA, KAPPA, LENGTH, TIP, OMEGA, KNOT, A_COUNT };
static const double scene_a[A_COUNT] = {1e6, 1e6 / 3, 1000, 50, 5, 0.1, 1e-3, 30, 0.03};

static withy_status knots(void *context, double s, double t, double *out, withy_error *err) {
    const double *c = context, x = t / 0.025;
    (void)s, (void)err;
    const int k = x >= 3 ? 3 : (int)x;
    out[0] = out[1] = 0, out[2] = c[k] + (x - k) * (c[k + 1] - c[k]);
    return WITHY_OK;
}
static withy_status moving(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    const double *c = context;
    out[0] = out[1] = 0, out[2] = 0.1 * s / c[5];
    return WITHY_OK;
}
static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    const double *c = context;
    out[0] = c[6] * s / c[5], out[1] = out[2] = 0;
    return WITHY_OK;
}

static void round_rod(director_problem *x, double length, double radius, double young, double shear,
                      double rho) {
    const double area = DIRECTOR_PI * radius * radius, second = 0.25 * area * radius * radius;
    const double stiff[6] = {shear * area,   shear * area,   young * area,
                             young * second, young * second, 2 * shear * second};
    const double heavy[4] = {rho * area, rho * second, rho * second, 2 * rho * second};
    director_plain(x, length, 2 * radius, young, shear, rho);
    for (int i = 0; i < 6; i++) x->rod.stiffness[i] = withy_field_number(stiff[i]);
    for (int i = 0; i < 4; i++) x->rod.inertia[i] = withy_field_number(heavy[i]);
}

static void make_a(const double *p, director_problem *x) {
    const double second = 0.25 * DIRECTOR_PI * pow(0.005, 4);
    round_rod(x, p[LENGTH], 0.005, p[YOUNG], p[SHEAR], p[RHO]);
    for (int i = 3; i < 6; i++)
        x->rod.damping[i] = withy_field_number(p[ETA] * second * (i == 5 ? 2 / 3. : 1));
    const double c[7] = {0.02, -0.05, p[KNOT], 0.04, -0.02, p[LENGTH], p[OMEGA]};
    memcpy(x->context, c, sizeof c);
    x->rod.velocity = (withy_field){.size = 3, .call = moving, .context = x->context};
    x->rod.spin = (withy_field){.size = 3, .call = turning, .context = x->context};
    x->rod.end[1].mass = p[TIP];
    x->rod.end[1].force = (withy_field){.size = 3, .call = knots, .context = x->context};
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.1, 0.002);
}

static void start_a(family *f, const char *options, withy_sim **sim) {
    const double rest[6] = {0, 0, 1, 0, 5, 0};
    set_family(make_a, scene_a, A_COUNT, f);
    *sim = start_family(f, A_COUNT, options);
    set_rest(*sim, rest, KAPPA, 4);
}

/* dJ/dp and d tip/dp */
static const double golden_a[A_COUNT][4] = {
    {-2.386622681771e-10, -2.361463331267e-09, 5.001877158302e-08, 3.985553975217e-10},
    {2.541892589073e-10, -5.426143415897e-10, 2.977662517500e-09, 1.233532713662e-10},
    {-1.238701754113e-07, 2.241419446539e-06, -3.985101165250e-05, -1.741501453015e-06},
    {4.722634996759e-07, -5.143636797503e-07, 2.478551883101e-07, -4.179185195730e-07},
    {-6.813470083521e-04, 1.338656437621e-04, 7.858111649189e-03, -4.483617955344e-05},
    {5.035901770376e+00, 1.095303326915e+00, -1.121944180923e+00, -3.635479006670e-02},
    {3.653438899778e-01, 5.151721409949e-01, -1.123572585429e+01, -9.425289275654e-01},
    {-3.970021268133e-07, -3.335751050782e-07, -6.950128254985e-07, 3.221648376985e-06},
    {-2.878067575353e-03, -2.741727918421e-02, 1.257484661231e-03, 3.421697064889e-01},
};

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
    wy_director *x = sim->self;
    const double c = 1.0 / (4.0 - cbrt(4.0)), share[5] = {c, c, 1 - 4 * c, c, c};
    withy_vec3 tip = tip_of(sim);
    double t = 0, sum = 0.5 * dot(tip, tip), slope[A_COUNT] = {0};
    for (int k = 0; k < A_COUNT; k++) slope[k] = dot(tip, tip_slope(sim, k));
    for (int n = 0; n < 250; n++) {
        const wy_span span = {.origin = t, .h = share[n % 5] * 2e-3, .from = 0, .to = 1};
        CHECK_OK(wy_director_advance(x, &span, &err));
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

enum { S_YOUNG, S_SHEAR, S_RHO, S_TWIST, S_LENGTH, S_MOMENT, S_COUNT };
static const double scene_s[S_COUNT] = {1e6, 4e5, 1200, 8, 0.2, 1e-4};

static void make_s(const double *p, director_problem *x) {
    const double b = 0.006, h = 0.004, area = b * h, one = b * b * b * h / 12,
                 two = b * h * h * h / 12;
    const double E = p[S_YOUNG], G = p[S_SHEAR], rho = p[S_RHO];
    const double stiff[6] = {5 / 6. * G * area, 5 / 6. * G * area, E * area,
                             E * one,           E * two,           G * 0.2 * b * h * h * h};
    const double heavy[4] = {rho * area, rho * one, rho * two, rho * (one + two)};
    director_plain(x, p[S_LENGTH], b, E, G, rho);
    for (int i = 0; i < 6; i++) x->rod.stiffness[i] = withy_field_number(stiff[i]);
    for (int i = 0; i < 4; i++) x->rod.inertia[i] = withy_field_number(heavy[i]);
    x->rod.end[1].mass = 5e-4;
    x->rod.end[1].force = withy_field_vector(0, 0.002, 0);
    x->rod.end[1].moment = withy_field_vector(0, p[S_MOMENT], 0);
    x->problem.gravity = (withy_vec3){0, 0, -9.81};
}

TEST(an_equilibrium_has_its_golden_derivatives) {
    static family f;
    static const double rest[6] = {0, 0, 1, 3, 5, 8};
    static const struct {
        int k;
        double want[3];
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
        check_golden(d.x, golden[i].want[0]);
        check_golden(d.y, golden[i].want[1]);
        check_golden(d.z, golden[i].want[2]);
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
        double want[3];
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
            CHECK_NEAR(slope[i] * p[golden[g].k] / mode[i].frequency, golden[g].want[i], 2e-8);
    }
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
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
        const double *a = &tip[0].x + c, *b = &tip[1].x + c, *e = &tip[2].x + c, *g = &tip[3].x + c;
        d[c] = (*a - 8 * *b + 8 * *e - *g) / (12 * step);
    }
}

/* All that acts: followers, springs, drag, an arm, a driven clamp, a floor, a pinned finish. */
enum { ALL = 11 };
static const double everything[ALL] = {1e6, 1e-3, 0.3, 2.0, 3.0, 0.02, 0.4, 30, 5e-3, 1.5, 6.0};

static withy_status swaying(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = 0, out[1] = 0.01 * sin(((const double *)context)[0] * t), out[2] = 0;
    return WITHY_OK;
}

static void make_all(const double *p, director_problem *x) {
    director_plain(x, 0.1, 0.01, p[0], p[0] / 3, 1000);
    x->context[0] = p[7];
    x->rod.rest = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {1, 0, 0}, .normal = {0, 1, 0}, .radius = 1 / p[10]};
    x->rod.initial.kind = WITHY_SHAPE_NONE;
    x->rod.damping_time = p[1];
    x->rod.drag_linear = p[2], x->rod.drag_quadratic = p[3], x->rod.drag_spin = 1e-5;
    x->rod.end[0].position = (withy_field){.size = 3, .call = swaying, .context = x->context};
    x->rod.end[1].mass = 2e-3, x->rod.end[1].offset = (withy_vec3){p[8], 0, 2 * p[8]};
    x->rod.end[1].spring = p[4], x->rod.end[1].force = withy_field_vector(p[5], 0, -0.01);
    x->rod.end[1].follower = 1;
    x->load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                              .follower = 1,
                              .to = 0.1,
                              .force = withy_field_vector(p[6], 0, 0),
                              .moment = withy_field_vector(0, 0, 1e-3)};
    x->load[1] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = 0.05, .force = withy_field_vector(0, 0.1 * p[9], 0)};
    x->rod.load_count = 2;
    x->problem.gravity = (withy_vec3){0, -2 * p[9], -9.81};
    x->problem.floor = (withy_floor){
        .given = 1, .point = {0, 0, -0.002}, .normal = {0, 0, 1}, .stiffness = 2e3, .damping = 1};
    director_times(x, 0.05, 0.05);
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
        double want[3];
        by_differences(make_all, everything, ALL, k, options, 0, 0.05, want);
        const double size = fabs(want[0]) + fabs(want[1]) + fabs(want[2]);
        print_message("%d: %.3g of %.3g\n", k,
                      (fabs(d.x - want[0]) + fabs(d.y - want[1]) + fabs(d.z - want[2])) / size,
                      size);
        CHECK_NEAR(d.x, want[0], 1e-6 * size);
        CHECK_NEAR(d.y, want[1], 1e-6 * size);
        CHECK_NEAR(d.z, want[2], 1e-6 * size);
    }
    withy_sim_destroy(sim);
}

/* Derivatives of both momenta of a free rod, in lane l. */
static void momenta(const wy_director *x, int l, vec3 *linear, vec3 *angular) {
    *linear = *angular = v3(0, 0, 0);
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        const wy_slope_node *d = &x->slopes->node[j];
        const double m = x->plan.mass[j].mass;
        const lane rotary = x->plan.mass[j].rotary;
        const vec3 r = v3_add(x->now->origin, node->r), dv = wy_slope_lane(d->v, l);
        const vec3 spin = tri_sum3(tri_scale(rotary * node->w, node->d));
        const vec3 change =
            tri_sum3(tri_scale(rotary * vec3_lane(wy_slope_lane(d->w, l)), node->d));
        *linear = v3_axpy(*linear, m, dv);
        *angular = v3_axpy(*angular, m, v3_cross(wy_slope_lane(d->r, l), node->v));
        *angular = v3_axpy(*angular, m, v3_cross(r, dv));
        *angular = v3_add(*angular, v3_add(v3_cross(wy_slope_lane(d->phi, l), spin), change));
    }
}

static void same_problem(const double *p, director_problem *x) {
    (void)p;
    director_large_motion(x, WITHY_END_FREE, WITHY_END_FREE);
    director_times(x, 0.1, 0.05);
}

/* Any change of the start: each lane its own. */
static void scatter(wy_director *x) {
    uint32_t seed = 7;
    for (int j = 0; j < x->plan.node_count; j++)
        for (int i = 0; i < 12; i++)
            for (int l = 0; l < WY_PACK; l++) {
                seed = seed * 1664525u + 1013904223u;
                pack *to = i < 3   ? &x->slopes->node[j].r[i]
                           : i < 6 ? &x->slopes->node[j].phi[i - 3]
                           : i < 9 ? &x->slopes->node[j].v[i - 6]
                                   : &x->slopes->node[j].w[i - 9];
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
        wy_director *x = sim->self;
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
    f.vary[0].step = 0;
    CHECK(withy_gradient_create(&f.here.problem, NULL, NULL, 0, f.vary, 1, &sim, &err) ==
          WITHY_BAD_INPUT);
    CHECK(sim == NULL);
}

RUN(test(a_damped_loaded_spinning_cantilever_has_its_golden_derivatives),
    test(order_4_has_its_golden_derivatives_through_the_step_back_in_time),
    test(an_equilibrium_has_its_golden_derivatives),
    test(frequencies_about_a_loaded_equilibrium_have_their_golden_derivatives),
    test(whatever_acts_on_the_rod_its_derivatives_are_those_of_differences),
    test(
        what_a_free_rod_conserves_its_derivatives_conserve_through_halvings_order_4_and_automatic_steps),
    test(what_is_not_differentiated_is_refused_with_a_sentence))
