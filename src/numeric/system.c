/* system.c - solution with corrections (numeric/system.h). */
#include "numeric/system.h"

#include <math.h>

#include "numeric/pack.h"

/* The correction over v, of each lane; returns the largest. */
static double size_of(const wy_system *x, const double *v, const double *rest) {
    double small[WY_PACK] = {0}, whole[WY_PACK] = {0}, most = 0;
    for (int k = 0; k < x->nodes; k++) {
        const int first = x->node(x, k);
        for (int i = 0; i < 6 && first >= 0; i++)
            for (int l = 0; l < x->lanes; l++) {
                const int at = (first + i) * x->lanes + l;
                small[l] += x->weight[i / 3] * rest[at] * rest[at];
                whole[l] += x->weight[i / 3] * v[at] * v[at];
            }
    }
    for (int l = 0; l < x->lanes; l++) {
        const double fault = small[l] == 0 ? 0 : sqrt(small[l] / whole[l]); /* or not a number */
        if (x->fault) x->fault[l] = fault;
        if (!isnan(most) && !(fault <= most)) most = fault;
    }
    return most;
}

double wy_system_solve(const wy_system *x, double *v, double *rest) {
    double fault = 1;
    x->miss(x, NULL, v);
    x->solve(x, v);
    for (int k = 0; k < x->most && !(fault <= x->enough); k++) {
        x->miss(x, v, rest);
        x->solve(x, rest);
        for (int i = 0; i < x->rows * x->lanes; i++) v[i] += rest[i];
        fault = size_of(x, v, rest);
    }
    return fault;
}
