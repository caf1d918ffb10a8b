/* test_partial_load.c - a load on a part of the rod, however short, against the beam formula.
 *
 * A cantilever under a small q on a <= s <= b: by the principle of virtual work its tip moves by
 *
 *   w = integral over a .. b of q (s^2 (3 L - s)/(6 EI) + s/GA) ds
 *
 * and it is held by the force q (b - a).  kirchhoff has no shear: GA is infinite.
 */
#include "check.h"
#include "withy/withy.h"

static const double L = 1.3, EI = 2, GA = 300, Q = 1e-4;

static double primitive(double s, double ga) {
    return Q * ((L * s * s * s - s * s * s * s / 4) / (6 * EI) + s * s / (2 * ga));
}

static withy_status constant(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    out[0] = 0, out[1] = Q, out[2] = 0;
    return WITHY_OK;
}

static withy_sim *cantilever(const char *method, int n, withy_rod *rod, withy_load *load) {
    const double stiffness[] = {GA, GA, 500, EI, EI, 1}, inertia[] = {1, 0.01, 0.01, 0.02};
    withy_problem problem = withy_problem_default();
    withy_option option = {.name = "n", .number = n};
    withy_error err = {0};
    withy_sim *sim;
    *rod = (withy_rod){.name = "rod", .length = L, .load = load, .load_count = 1};
    for (int i = 0; i < WITHY_STRAINS; i++) rod->stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < WITHY_INERTIAS; i++) rod->inertia[i] = withy_field_number(inertia[i]);
    rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod->end[0].kind = WITHY_END_CLAMPED;
    problem.rod = rod;
    CHECK_OK(withy_sim_create(&problem, method, &option, 1, &sim, &err));
    return sim;
}

/* Tolerances, relative to the effect of the same load at the tip: director ends its elements at the edges of a load
 * and is exact; cheb has a kink inside; fdtd, se3 and kirchhoff are of second order, (1/n)^2 = 6e-4. */
static const struct {
    const char *method;
    int n;
    double shear, tolerance;
} row[] = {{"director", 4, 300, 1e-9},
           {"cheb", 12, 300, 1e-4},
           {"fdtd", 40, 300, 1e-3},
           {"se3", 40, 300, 4e-3},
           {"kirchhoff", 40, INFINITY, 1e-3}};

static const double part[][2] = {{0.51, 0.53}, {0.3, 0.8}, {0, 0.1}, {1.2, 1.3}, {0.649, 0.651}};

static void check_parts(withy_load load) {
    for (size_t m = 0; m < sizeof row / sizeof *row; m++)
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
            withy_rod rod;
            withy_equilibrium at;
            withy_error err = {0};
            load.from = part[k][0], load.to = part[k][1];
            withy_sim *sim = cantilever(row[m].method, row[m].n, &rod, &load);
            CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
            const withy_snapshot *now = withy_sim_sample(sim, 0);
            CHECK(now != NULL);
            const double expected =
                primitive(load.to, row[m].shear) - primitive(load.from, row[m].shear);
            const double scale = Q * (load.to - load.from) * L * L * L / (3 * EI);
            CHECK_NEAR((now->position[now->count - 1].y - expected) / scale, 0, row[m].tolerance);
            /* the shortest load weighs 2e-7; kirchhoff's corrections end at 1e-10 of a length, and the
             * force in a rod is EI/L^2 times that */
            const double held = Q * (load.to - load.from);
            CHECK_NEAR(now->reaction[0].y, -held, 1e-6 * held + 1e-10 * EI / (L * L));
            withy_sim_destroy(sim);
        }
}

TEST(a_constant_load_on_a_part_bends_as_the_formula_says) {
    check_parts((withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .force = withy_field_vector(0, Q, 0)});
}

TEST(a_function_on_a_part_does_the_same) {
    check_parts((withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                             .force = (withy_field){.size = 3, .call = constant}});
}

RUN(test(a_constant_load_on_a_part_bends_as_the_formula_says),
    test(a_function_on_a_part_does_the_same))
