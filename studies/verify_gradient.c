/* verify_gradient.c - golden derivatives of director: by complex step through another solver of the same equations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gradient_family.h"
#include "verify.h"

static const double DIGITS = 1e-8;

static void row(verify_log *log, const char *scene, const char *what, double requested,
                double ours) {
    char text[96];
    snprintf(text, sizeof text, "scene %s: %s", scene, what);
    verify_near(log, text, "", requested, ours, DIGITS * fabs(requested), "");
}

static vec3 tip_slope(withy_sim *sim, int k) {
    withy_slope slope;
    withy_error err = {0};
    if (withy_sim_gradient(sim, k, &slope, &err) != WITHY_OK) return v3(NAN, NAN, NAN);
    return slope.position[slope.count - 1];
}

static vec3 tip_of(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

/* ---- forwards ---------------------------------------------------------------------------------------- */

static void study_motion(verify_log *log) {
    static const char *const name[A_COUNT] = {"E", "G",        "rho",   "eta", "kappa",
                                              "L", "tip mass", "omega", "knot"};
    static const double rest[6] = {0, 0, 1, 0, 5, 0};
    static family f;
    withy_error err = {0};
    double slope[A_COUNT] = {0};
    set_family(make_a, scene_a, A_COUNT, &f);
    withy_sim *sim = start_family(&f, A_COUNT, "n=12 degree=1 dt=2e-3");
    if (!sim) {
        row(log, "A", "cannot be set up", 0, NAN);
        return;
    }
    set_rest(sim, rest, KAPPA, 4);
    for (int n = 0; n <= 50; n++) {
        if (withy_sim_advance(sim, n * 2e-3, &err) != WITHY_OK) slope[0] = NAN;
        for (int k = 0; k < A_COUNT; k++) slope[k] += v3_dot(tip_of(sim), tip_slope(sim, k));
    }
    for (int k = 0; k < A_COUNT; k++) {
        char what[64];
        const vec3 d = tip_slope(sim, k);
        const double ours[4] = {slope[k], d.x, d.y, d.z};
        for (int c = 0; c < 4; c++) {
            snprintf(what, sizeof what, "d %s/d %s", (const char *[]){"J", "x", "y", "z"}[c],
                     name[k]);
            row(log, "A", what, golden_a[k][c], ours[c]);
        }
    }
    withy_sim_destroy(sim);
}

static void study_rest(verify_log *log) {
    static const struct {
        int k;
        const char *name;
        double requested[3];
    } golden[] = {
        {S_YOUNG, "E", {3.017099125737e-08, 1.641431654400e-08, 1.617054905457e-08}},
        {S_RHO, "rho", {-2.194276074976e-05, -1.454808523927e-05, -1.266510973602e-05}},
        {S_TWIST, "tau", {1.347631679247e-03, -1.034497799712e-03, -2.450351256547e-04}},
        {S_LENGTH, "L", {-2.350796610640e-01, 4.024366212413e-02, -1.104326365136e+00}},
        {S_MOMENT, "moment", {-52.52613453511, -14.45611145385, -4.094933273273}},
    };
    static const double rest[6] = {0, 0, 1, 3, 5, 8};
    static family f;
    withy_equilibrium at;
    withy_error err = {0};
    set_family(make_s, scene_s, S_COUNT, &f);
    withy_sim *sim = start_family(&f, S_COUNT, "n=6 degree=2");
    if (!sim) {
        row(log, "S", "cannot be set up", 0, NAN);
        return;
    }
    set_rest(sim, rest, S_TWIST, 5);
    const int found = withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_OK;
    if (!found) row(log, "S", "has no equilibrium", 0, NAN);
    for (size_t i = 0; i < sizeof golden / sizeof *golden && found; i++) {
        const vec3 d = tip_slope(sim, golden[i].k);
        char what[64];
        for (int c = 0; c < 3; c++) {
            snprintf(what, sizeof what, "d %c/d %s", 'x' + c, golden[i].name);
            row(log, "S", what, golden[i].requested[c], v3_get(d, c));
        }
    }
    withy_sim_destroy(sim);
}

/* ---- backwards ----------------------------------------------------------------------------------------- */

static withy_status half_squares(void *context, int count, const withy_vec3 *r, double *value,
                                 withy_vec3 *slope, withy_error *err) {
    (void)context, (void)err;
    *value = 0;
    for (int i = 0; i < count; i++) *value += 0.5 * v3_dot(r[i], r[i]), slope[i] = r[i];
    return WITHY_OK;
}

static void rows_of_k(verify_log *log, const withy_sensitivity *out) {
    char what[64];
    for (int e = 0; e < 4; e++) {
        snprintf(what, sizeof what, "dJ/d kappa of element %d", e + 1);
        row(log, "K", what, k_by_kappa[e], out->point[e].rest[4]);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(what, sizeof what, "dJ/d C%d of element 1", i + 1);
        row(log, "K", what, k_by_c[i], out->point[0].stiffness[i]);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(what, sizeof what, "dJ/d Cv%d of element 1", i + 4);
        row(log, "K", what, k_by_cv[i], out->point[0].damping[3 + i]);
    }
    row(log, "K", "dJ/d m of the tip", 0.305093117414, out->node[4].mass);
    row(log, "K", "dJ/d x(0) of the tip", -0.045430207335, out->node[4].position.x);
    row(log, "K", "dJ/d vz(0) of the tip", 6.002627881329e-04, out->node[4].velocity.z);
}

static void study_back(verify_log *log) {
    static family f;
    withy_observation at[20];
    withy_sensitivity out;
    withy_option option[8];
    withy_sim *sim;
    withy_error err = {0};
    double none = 0, value;
    set_family(make_k, &none, 0, &f);
    if (withy_adjoint_create(&f.here.problem, NULL, option,
                             director_parse("n=4 degree=1 dt=5e-3", option, 8), NULL, 0, &sim,
                             &err) != WITHY_OK) {
        row(log, "K", "cannot be set up", 0, NAN);
        return;
    }
    wy_director *x = only_rod(sim);
    for (int e = 0; e < 4; e++) {
        x->plan.section[e].rest[0] = (lane){0, 0, 1, 0};
        x->plan.section[e].rest[1] = (lane){2, k_kappa[e], 0, 0};
    }
    sim->method->start(sim->self, &err);
    for (int i = 0; i < 20; i++) at[i] = (withy_observation){5e-3 * (i + 1), 0.1, 0};
    if (withy_sim_adjoint(sim, at, 20, half_squares, NULL, &value, NULL, &err) == WITHY_OK &&
        withy_sim_sensitivity(sim, &out, &err) == WITHY_OK)
        rows_of_k(log, &out);
    else
        row(log, "K", "has no adjoint", 0, NAN);
    withy_sim_destroy(sim);
}

/* ---- drag, backwards and forwards ------------------------------------------------------------------------ */

enum { DRAGS = 3 };

/* A heavy cantilever in a fluid: drag of first and second order, and of spin. */
static void make_drag(const double *p, director_problem *x) {
    director_plain(x, 0.1, 0.01, 1e6, 1e6 / 3, 1000);
    x->rod.drag_linear = p[0], x->rod.drag_quadratic = p[1], x->rod.drag_spin = p[2];
    x->rod.end[1].force = withy_field_vector(0.02, -0.03, 0);
    x->rod.end[1].moment = withy_field_vector(0, 0, 1e-3);
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.1, 0.1);
}

/* J of the tip at ten times, by a motion of its own. */
static double squares_at(const double *p, const char *options) {
    static director_problem x;
    withy_option option[8];
    withy_error err = {0};
    withy_sim *sim;
    double sum = 0;
    make_drag(p, &x);
    x.rod.load = x.load, x.problem.rod = &x.rod;
    if (withy_sim_create(&x.problem, "director", option, director_parse(options, option, 8), &sim,
                         &err) != WITHY_OK)
        return NAN;
    for (int i = 1; i <= 10; i++) {
        if (withy_sim_advance(sim, 1e-2 * i, &err) != WITHY_OK) sum = NAN;
        sum += 0.5 * v3_dot(tip_of(sim), tip_of(sim));
    }
    withy_sim_destroy(sim);
    return sum;
}

static void study_drag(verify_log *log) {
    static const double p[DRAGS] = {0.3, 2, 1e-3};
    static const char *const name[DRAGS] = {"linear", "quadratic", "of spin"};
    static const char *const options = "n=6 degree=2 dt=1e-3";
    static family f;
    withy_observation at[10];
    withy_option option[8];
    withy_error err = {0};
    withy_sim *sim;
    double value, slope[DRAGS];
    set_family(make_drag, p, DRAGS, &f);
    for (int i = 0; i < 10; i++) at[i] = (withy_observation){1e-2 * (i + 1), 0.1, 0};
    if (withy_adjoint_create(&f.here.problem, NULL, option, director_parse(options, option, 8),
                             f.vary, DRAGS, &sim, &err) != WITHY_OK ||
        withy_sim_adjoint(sim, at, 10, half_squares, NULL, &value, slope, &err) != WITHY_OK) {
        verify_failed(log, "a cantilever in a fluid", &err);
        withy_sim_destroy(sim);
        return;
    }
    for (int k = 0; k < DRAGS; k++) {
        double j[4], q[DRAGS];
        char what[64];
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < DRAGS; c++) q[c] = p[c];
            q[k] *= 1 + 0.01 * (i - 2 + (i > 1));
            j[i] = squares_at(q, options);
        }
        const double requested = (j[0] - 8 * j[1] + 8 * j[2] - j[3]) / (12 * 0.01 * p[k]);
        snprintf(what, sizeof what, "in a fluid: dJ/d drag, %s", name[k]);
        verify_near(log, what, "", requested, slope[k], 1e-7 * fabs(requested),
                    "independent: differences of motions, of fourth order");
    }
    withy_sim_destroy(sim);
}

const verify_study verify_gradient[] = {
    {"gradient motion", "a damped, loaded, spinning cantilever by nine parameters", study_motion, 0,
     .basis = "complex step through another solver of the same equations"},
    {"gradient rest", "the equilibrium of a curved, twisted strip by five parameters", study_rest,
     0, .basis = "complex step through another solver of the same equations"},
    {"gradient backwards", "a motion by every field of the rod, by one adjoint solution",
     study_back, 0, .basis = "complex step through another solver of the same equations"},
    {"gradient drag", "a cantilever in a fluid by its drags, by one adjoint solution", study_drag,
     0},
    {0},
};
