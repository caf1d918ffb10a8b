/* gradient_family.h - problems as functions of their parameters, for tests and studies of derivatives. */
#pragma once

#include "director_problems.h"
#include "method/director/gradient/gradient_network.h"
#include "study/sim.h"
#include "withy/gradient.h"

/* ---- a problem as a function of numbers ---------------------------------------------------------- */

enum { PARAMETERS = 24 };

typedef void make_problem(const double *p, director_problem *x);

typedef struct family {
    director_problem at[PARAMETERS][4], here;
    withy_variation vary[PARAMETERS];
} family;

static inline void set_family(make_problem *make, const double *p, int count, family *out) {
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

static inline withy_sim *start_family(const family *f, int count, const char *options) {
    withy_option option[16];
    withy_sim *sim;
    withy_error err = {0};
    withy_gradient_create(&f->here.problem, NULL, option, director_parse(options, option, 16),
                          f->vary, count, &sim, &err);
    return sim; /* NULL: it failed */
}

/* The problem and its variations with a horizontal plane at z. */
static inline void put_wall(family *f, int count, double z, withy_obstacle *obstacle) {
    *obstacle =
        (withy_obstacle){.kind = WITHY_OBSTACLE_PLANE, .along = {0, 0, 1}, .frame = {.w = 1}};
    obstacle->point = withy_field_vector(0, 0, z);
    for (int k = -1; k < 4 * count; k++) {
        withy_problem *problem = k < 0 ? &f->here.problem : &f->at[k / 4][k % 4].problem;
        problem->obstacle = obstacle, problem->obstacle_count = 1;
        problem->contact.stiffness = 1e8;
    }
}

/* The only rod of a simulation: a rod alone is a network with one segment. */
static inline wy_director *only_rod(const withy_sim *sim) {
    return &wy_network_of(sim->self)->rod[0];
}

/* Raw rest strains of all Gauss points, and the parameter that is one of them; then the start again. */
static inline void set_rest(withy_sim *sim, const double rest[6], int parameter, int strain) {
    wy_director *x = only_rod(sim);
    withy_error err = {0};
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 6; k++) x->plan.section[i].rest[k / 3][k % 3] = rest[k];
    if (parameter >= 0) {
        wy_slope_fields *field = &x->slopes->field[parameter / WY_PACK];
        for (int i = 0; i < x->plan.n * x->plan.p; i++)
            field->section[i].rest[strain][parameter % WY_PACK] = 1;
        field->strained = 1;
    }
    sim->method->start(sim->self, &err);
    sim->method->slopes->start(sim->self);
}

/* ---- scene A: a damped, loaded, spinning cantilever with a mass at its tip ------------------------- */

enum { YOUNG, SHEAR, RHO, ETA, KAPPA, LENGTH, TIP, OMEGA, KNOT, A_COUNT };
static const double scene_a[A_COUNT] = {1e6, 1e6 / 3, 1000, 50, 5, 0.1, 1e-3, 30, 0.03};

static inline withy_status knots(void *context, double s, double t, double *out, withy_error *err) {
    const double *c = context, x = t / 0.025;
    (void)s, (void)err;
    const int k = x >= 3 ? 3 : (int)x;
    out[0] = out[1] = 0, out[2] = c[k] + (x - k) * (c[k + 1] - c[k]);
    return WITHY_OK;
}
static inline withy_status moving(void *context, double s, double t, double *out,
                                  withy_error *err) {
    (void)t, (void)err;
    const double *c = context;
    out[0] = out[1] = 0, out[2] = 0.1 * s / c[5];
    return WITHY_OK;
}
static inline withy_status turning(void *context, double s, double t, double *out,
                                   withy_error *err) {
    (void)t, (void)err;
    const double *c = context;
    out[0] = c[6] * s / c[5], out[1] = out[2] = 0;
    return WITHY_OK;
}

static inline void round_rod(director_problem *x, double length, double radius, double young,
                             double shear, double rho) {
    const double area = DIRECTOR_PI * radius * radius, second = 0.25 * area * radius * radius;
    const double stiff[6] = {shear * area,   shear * area,   young * area,
                             young * second, young * second, 2 * shear * second};
    const double heavy[4] = {rho * area, rho * second, rho * second, 2 * rho * second};
    director_plain(x, length, 2 * radius, young, shear, rho);
    for (int i = 0; i < 6; i++) x->rod.stiffness[i] = withy_field_number(stiff[i]);
    for (int i = 0; i < 4; i++) x->rod.inertia[i] = withy_field_number(heavy[i]);
}

static inline void make_a(const double *p, director_problem *x) {
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

/* ---- scene S: the equilibrium of a curved and twisted strip ---------------------------------------- */

enum { S_YOUNG, S_SHEAR, S_RHO, S_TWIST, S_LENGTH, S_MOMENT, S_COUNT };
static const double scene_s[S_COUNT] = {1e6, 4e5, 1200, 8, 0.2, 1e-4};

static inline void make_s(const double *p, director_problem *x) {
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

/* All that acts: followers, springs, drag, an arm, a driven clamp, a floor, a pinned finish. */
enum { ALL = 11 };
static const double everything[ALL] = {1e6, 1e-3, 0.3, 2.0, 3.0, 0.02, 0.4, 30, 5e-3, 1.5, 6.0};

static inline withy_status swaying(void *context, double s, double t, double *out,
                                   withy_error *err) {
    (void)s, (void)err;
    out[0] = 0, out[1] = 0.01 * sin(((const double *)context)[0] * t), out[2] = 0;
    return WITHY_OK;
}

static inline void make_all(const double *p, director_problem *x) {
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

static inline void same_problem(const double *p, director_problem *x) {
    (void)p;
    director_large_motion(x, WITHY_END_FREE, WITHY_END_FREE);
    director_times(x, 0.1, 0.05);
}

/* ---- scene K: a curvature of its own in every element -------------------------------------------------- */

static inline void make_k(const double *p, director_problem *x) {
    const double area = DIRECTOR_PI * 25e-6, second = 0.25 * area * 25e-6;
    const double viscous[6] = {area / 3, area / 3, area, second, second, 2 / 3. * second};
    (void)p;
    round_rod(x, 0.1, 0.005, 1e6, 1e6 / 3, 1000);
    for (int i = 0; i < 6; i++) x->rod.damping[i] = withy_field_number(200 * viscous[i]);
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.1, 0.005);
}

static const double k_kappa[4] = {4, 8, -3, 6};
static const double k_by_kappa[4] = {-8.985470950309e-06, -5.233188483728e-05, -5.341201723107e-05,
                                     -2.263340667938e-05};
static const double k_by_c[6] = {1.743640808669e-07,  -2.319151333068e-07, -2.877071851282e-08,
                                 -3.877754777244e-01, -1.288062016503e-01, 1.525257453718e-02};
static const double k_by_cv[3] = {14.67081147837, 8.799848241675, 0.6479486032255};
static const double k_by_h[4] = {2.053614556267, 2.040431572744, 2.058763479026, 2.036330993466};
