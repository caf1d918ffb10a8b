/* bench_gradient.c - cost of derivatives over that of the plain run: of one forward parameter of eight, and of the
 * adjoint, which gives those by all fields of the rod.
 *
 * A cantilever that swings under gravity; eight parameters, of which each changes all sections, lengths and
 * masses.  Processor time, the least of several repetitions, in which the runs that are compared take turns: what else
 * the machine does then meets all of them.
 */
#include <string.h>

#include "bench.h"
#include "director_problems.h"

enum { COUNT = 16, AGAIN = 7 };

static const struct { int degree, n; } mesh[] = {{1, 20}, {1, 50}, {3, 5}, {3, 17}, {4, 12}};

static void make(double relative, director_problem *x) {
    director_plain(x, 0.1 * (1 + 0.1 * relative), 0.01, 1e6 * (1 + relative), 1e6 / 3,
                   1000 * (1 - relative));
    x->rod.damping_time = 1e-4;
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.5, 0.5);
}

static double timed(int k, int count) {
    static director_problem x, at[4];
    withy_variation vary[COUNT];
    withy_option option[8];
    withy_sim *sim;
    withy_error err = {0};
    char text[64];
    const double step = 1e-3;
    make(0, &x);
    for (int i = 0; i < 4; i++) make((double[]){-2, -1, 1, 2}[i] * step, &at[i]);
    for (int c = 0; c < COUNT; c++) {
        vary[c] = withy_variation_default(), vary[c].step = step;
        for (int i = 0; i < 4; i++) vary[c].at[i] = &at[i].problem;
    }
    snprintf(text, sizeof text, "n=%d degree=%d dt=2.5e-3", mesh[k].n, mesh[k].degree);
    const int options = director_parse(text, option, 8);
    const withy_status status =
        count ? withy_gradient_create(&x.problem, NULL, option, options, vary, count, &sim, &err)
              : withy_sim_create(&x.problem, "director", option, options, &sim, &err);
    if (status != WITHY_OK) die(err.text);
    const double start = processor();
    if (withy_sim_advance(sim, 0.5, &err) != WITHY_OK) die(err.text);
    const double took = processor() - start;
    withy_sim_destroy(sim);
    return took;
}

/* J = sum |r|^2/2 of the tip, and the time at which the adjoint solution begins. */
static withy_status objective(void *context, int count, const withy_vec3 *r, double *value,
                              withy_vec3 *slope, withy_error *err) {
    (void)err;
    *value = 0;
    for (int i = 0; i < count; i++) {
        *value += 0.5 * (r[i].x * r[i].x + r[i].y * r[i].y + r[i].z * r[i].z);
        slope[i] = r[i];
    }
    *(double *)context = processor();
    return WITHY_OK;
}

/* Forwards with a record, and back: over the plain run. */
static double timed_back(int k, double *ahead, int *numbers) {
    enum { SEEN = 20 };
    static director_problem x;
    withy_observation at[SEEN];
    withy_sensitivity out;
    withy_option option[8];
    withy_sim *sim;
    withy_error err = {0};
    char text[64];
    double value, middle;
    make(0, &x);
    for (int i = 0; i < SEEN; i++) at[i] = (withy_observation){0.5 * (i + 1) / SEEN, 0.1, 0};
    snprintf(text, sizeof text, "n=%d degree=%d dt=2.5e-3", mesh[k].n, mesh[k].degree);
    const int options = director_parse(text, option, 8);
    if (withy_adjoint_create(&x.problem, NULL, option, options, NULL, 0, &sim, &err) != WITHY_OK)
        die(err.text);
    const double start = processor();
    if (withy_sim_adjoint(sim, at, SEEN, objective, &middle, &value, NULL, &err) != WITHY_OK)
        die(err.text);
    const double took = processor() - middle;
    *ahead = fmin(*ahead, middle - start);
    if (withy_sim_sensitivity(sim, &out, &err) != WITHY_OK) die(err.text);
    *numbers = 18 * out.points + 16 * out.nodes;
    withy_sim_destroy(sim);
    return took;
}

int main(void) {
    int broken = 0;
    const char *kind = "";
    withy_kernel(&kind, NULL);
    /* eight parameters fill one vector with AVX-512, and two or four elsewhere */
    const double most = strcmp(kind, "v4") == 0 ? 0.10 : 0.15;
    printf("cost of one parameter over that of the plain run; at most %.2f of eight together\n",
           most);
    for (int k = 0; k < (int)(sizeof mesh / sizeof *mesh); k++) {
        double plain = INFINITY, one = INFINITY, eight = INFINITY, all = INFINITY;
        for (int again = 0; again < AGAIN; again++) {
            plain = fmin(plain, timed(k, 0)), one = fmin(one, timed(k, 1));
            eight = fmin(eight, timed(k, 8)), all = fmin(all, timed(k, COUNT));
        }
        const double per = (eight - plain) / plain / 8;
        broken += !(per <= most);
        printf("  degree %d, n %2d: plain %6.2f ms; alone %.3f, of eight %.3f, of %d %.3f  %s\n",
               mesh[k].degree, mesh[k].n, 1e3 * plain, (one - plain) / plain, per, COUNT,
               (all - plain) / plain / COUNT, per <= most ? "ok" : "BROKEN");
    }
    printf("the adjoint, by all fields, over the plain run: at most 1.0\n");
    for (int k = 0; k < (int)(sizeof mesh / sizeof *mesh); k++) {
        double ahead = INFINITY, plain = INFINITY, back = INFINITY;
        int numbers;
        for (int again = 0; again < AGAIN; again++) {
            plain = fmin(plain, timed(k, 0));
            back = fmin(back, timed_back(k, &ahead, &numbers));
        }
        broken += !(back <= plain);
        printf(
            "  degree %d, n %2d: plain %6.2f ms; recorded %.3f, back %.3f for %d derivatives  %s\n",
            mesh[k].degree, mesh[k].n, 1e3 * plain, ahead / plain, back / plain, numbers,
            back <= plain ? "ok" : "BROKEN");
    }
    return broken > 0;
}
