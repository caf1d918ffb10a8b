/* gradient_runs.h - networks as functions of numbers: derivatives of their runs, forwards equal to differences of whole runs and
 * backwards equal to forwards. */
#pragma once

#include "check.h"
#include "method/director/gradient/gradient_network.h"
#include "network_problems.h"
#include "study/gradient/gradient.h"

/* ---- a network as a function of numbers ---------------------------------------------------------------- */

enum { MOST = 14 };

typedef struct named {
    const char *name;
    double value;
} named;

/* Its functions of time read numbers from here. */
typedef struct instance {
    network_problem x;
    double context[4];
    withy_body_load push[2];
    withy_obstacle obstacle[2];
} instance;

typedef void make_network(const double *p, instance *out);

typedef struct family {
    instance at[MOST][4], here;
    withy_variation vary[MOST];
    double p[MOST];
    int count;
    make_network *make;
    const named *given;
} family;

static inline void make_at(const family *f, int k, double way, instance *out) {
    double q[MOST];
    memcpy(q, f->p, sizeof q);
    if (k >= 0) q[k] += way;
    memset(out, 0, sizeof *out);
    f->make(q, out);
}

static inline void set_family(make_network *make, const named *given, int count, family *f) {
    f->make = make, f->given = given, f->count = count;
    for (int k = 0; k < count; k++) f->p[k] = given[k].value;
    make_at(f, -1, 0, &f->here);
    for (int k = 0; k < count; k++) {
        f->vary[k] = withy_variation_default();
        f->vary[k].step = 1e-3 * fabs(f->p[k]);
        for (int i = 0; i < 4; i++) {
            make_at(f, k, (double[]){-2, -1, 1, 2}[i] * f->vary[k].step, &f->at[k][i]);
            f->vary[k].at[i] = &f->at[k][i].x.problem;
        }
    }
}

/* ---- what is looked at ------------------------------------------------------------------------------------ */

/* Under sanitizers the runs of every fourth number are compared; all have their derivatives taken. */
#ifdef __SANITIZE_ADDRESS__
enum { SEEN = 4, EVERY = 4 };
#else
enum { SEEN = 4, EVERY = 1 };
#endif

static inline void run(withy_sim *sim, double stop) {
    withy_error err = {0};
    withy_equilibrium equilibrium;
    if (stop > 0)
        CHECK_OK(withy_sim_advance(sim, stop, &err));
    else
        CHECK_OK(withy_sim_equilibrium(sim, 1, &equilibrium, &err));
}

/* The middle and the end of the first and of the last rod. */
static inline withy_observation place(const withy_sim *sim, int i, double stop) {
    const int rod = i % 2 ? sim->problem.rod_count - 1 : 0;
    return (withy_observation){stop, sim->problem.rod[rod].length * (i / 2 ? 0.53 : 1), rod};
}

static inline void look(withy_sim *sim, vec3 *r) {
    withy_error err = {0};
    for (int i = 0; i < SEEN; i++) {
        const withy_observation at = place(sim, i, 0);
        wy_view view = {0};
        CHECK_OK(wy_view_make(sim, at.rod, 1, &at.s, &view, &err));
        CHECK(wy_view_sample(sim, at.rod, &view) == NULL);
        r[i] = view.snap.position[0];
    }
}

static inline void run_at(const family *f, int k, double way, const char *options, double stop,
                          vec3 *r) {
    static instance x;
    withy_sim *sim;
    withy_error err = {0};
    make_at(f, k, way, &x);
    CHECK_OK(network_start(&x.x, options, &sim, &err));
    run(sim, stop);
    look(sim, r);
    withy_sim_destroy(sim);
}

/* Of sixth order. */
static inline void by_differences(const family *f, int k, const char *options, double stop,
                                  double relative, vec3 *d) {
    static const double weight[3] = {45 / 60., -9 / 60., 1 / 60.};
    const double step = relative * fabs(f->p[k]);
    vec3 r[2][SEEN];
    for (int i = 0; i < SEEN; i++) d[i] = v3(0, 0, 0);
    for (int n = 1; n <= 3; n++) {
        run_at(f, k, n * step, options, stop, r[0]);
        run_at(f, k, -n * step, options, stop, r[1]);
        for (int i = 0; i < SEEN; i++)
            d[i] = v3_axpy(d[i], weight[n - 1] / step, v3_sub(r[0][i], r[1][i]));
    }
}

static inline withy_sim *start_family(const family *f, const char *options, int back) {
    withy_option option[16];
    withy_sim *sim = NULL;
    withy_error err = {0};
    const int count = director_parse(options, option, 16);
    if (back)
        CHECK_OK(withy_adjoint_create(&f->here.x.problem, NULL, option, count, f->vary, f->count,
                                      &sim, &err));
    else
        CHECK_OK(withy_gradient_create(&f->here.x.problem, NULL, option, count, f->vary, f->count,
                                       &sim, &err));
    return sim;
}

static inline void slopes(withy_sim *sim, int k, vec3 *d) {
    withy_slope slope;
    withy_error err = {0};
    CHECK_OK(withy_sim_gradient(sim, k, &slope, &err));
    CHECK_BELOW(slope.fault, 1e-6);
    for (int i = 0; i < SEEN; i++) {
        const withy_observation at = place(sim, i, 0);
        vec3 turn;
        wy_gradient_sample(sim, at.rod, k, 1, &at.s, &d[i], &turn);
    }
}

/* ---- the two comparisons ------------------------------------------------------------------------------------ */

/* The largest error of a parameter, of the size of its derivatives: the least among so many steps of the differences, each a
 * third of the one before.  Where contact makes corners, differences agree with a derivative only between them. */
static inline double scan_error(const family *f, const char *options, double stop, int steps) {
    double most = 0;
    withy_sim *sim = start_family(f, options, 0);
    run(sim, stop);
    for (int k = 0; k < f->count; k++) {
        vec3 d[SEEN], expected[SEEN];
        double least = INFINITY, length = 0, step = 1e-3;
        slopes(sim, k, d);
        if (k % EVERY) continue;
        for (int n = 0; n < steps && least > 1e-9; n++, step /= 3) {
            double off = 0, size = 0;
            by_differences(f, k, options, stop, step, expected);
            for (int i = 0; i < SEEN; i++)
                off += v3_norm(v3_sub(d[i], expected[i])), size += v3_norm(expected[i]);
            if (off / size < least) least = off / size, length = size;
        }
        print_message("  %-14s %.2g of %.3g\n", f->given[k].name, least, length);
        if (!(least <= most)) most = least;
    }
    withy_sim_destroy(sim);
    return most;
}

static inline double forward_error(const family *f, const char *options, double stop) {
    return scan_error(f, options, stop, 1);
}

static inline withy_status objective(void *context, int count, const withy_vec3 *r, double *value,
                                     withy_vec3 *slope, withy_error *err) {
    (void)context, (void)err;
    *value = 0;
    for (int i = 0; i < count; i++) {
        *value += 0.5 * v3_dot(r[i], r[i]) + 0.3 * (i + 1) * r[i].y;
        slope[i] = v3_add(r[i], v3(0, 0.3 * (i + 1), 0));
    }
    return WITHY_OK;
}

/* Backwards against forwards; room: steps between checkpoints, 0: as it is. */
static inline double backward_error(const family *f, const char *options, double stop, int room) {
    withy_observation at[SEEN];
    double back[MOST], value, most = 0;
    vec3 r[SEEN], by[SEEN], d[SEEN];
    withy_error err = {0};
    withy_sim *ahead = start_family(f, options, 0), *sim = start_family(f, options, 1);
    run(ahead, stop);
    look(ahead, r);
    for (int i = 0; i < SEEN; i++) at[i] = place(sim, i, stop);
    if (room) wy_network_of(sim->self)->slopes->tape->room = room;
    if (!(stop > 0)) run(sim, 0);
    CHECK_OK(withy_sim_adjoint(sim, at, SEEN, objective, NULL, &value, back, &err));
    objective(NULL, SEEN, r, &value, by, &err);
    for (int k = 0; k < f->count; k++) {
        double expected = 0, size = 0;
        slopes(ahead, k, d);
        for (int i = 0; i < SEEN; i++)
            expected += v3_dot(by[i], d[i]), size += v3_norm(by[i]) * v3_norm(d[i]);
        const double off = fabs(back[k] - expected) / size;
        if (off > 1e-10) print_message("  %s: %.12g %.12g\n", f->given[k].name, expected, back[k]);
        if (!(off <= most)) most = off;
    }
    const double fault = wy_network_of(sim->self)->slopes->fault;
    print_message("  backwards - forwards %.2g, %lld halvings, corrections %.2g\n", most,
                  (long long)withy_sim_stats(sim).halvings, fault);
    CHECK_BELOW(fault, 1e-6);
    withy_sim_destroy(ahead);
    withy_sim_destroy(sim);
    return most;
}
