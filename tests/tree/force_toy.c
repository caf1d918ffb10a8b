/* force_toy.c - a uniform force of -2 N/m along z on every rod whose section is linear.  For the test that a force of a field is one file and one
 * row. */
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

static const vec3 PER_LENGTH = {0, 0, -2};

int wy_force_toy_acts(const wy_director_plan *plan) {
    return !(plan->rod->toy > 0);
}

int wy_force_toy_potential(const wy_director *x) {
    return x->plan.length > 0;
}

void wy_force_toy_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    (void)a;
    wy_rows_add(b, 0, -x->plan.mass[j].share, PER_LENGTH);
}

double wy_force_toy_energy(const wy_director *x, int j, vec3 r) {
    return -x->plan.mass[j].share * v3_dot(PER_LENGTH, r);
}

double wy_force_toy_lost(const wy_director *x, int j, double *work) {
    (void)x, (void)j, (void)work;
    return 0;
}

void wy_force_toy_damp(const wy_director *x, int j, const double *v, double *cv) {
    (void)x, (void)j, (void)v, (void)cv;
}

void wy_force_toy_derive(const wy_director *x, int j, wy_slope_columns *to) {
    wy_slope_column(to, WY_AT(x->slopes, mass, j, share), v3_scale(-1, PER_LENGTH), v3(0, 0, 0));
}
