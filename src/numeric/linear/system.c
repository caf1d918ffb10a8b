/* system.c - solution with corrections (numeric/linear/system.h). */
#include "numeric/linear/system.h"

#include <math.h>

#include "numeric/vector/pack.h"

/* Corrections that shrink by the same ratio each add up to c / (1 - ratio): slow ones are far from the solution, however small
 * they are.  Where they do not shrink, they are rounding. */
static double sum_of(double correction, double before) {
    return correction < before ? correction / (1 - correction / before) : correction;
}

/* What the corrections still add up to over v, of each lane; returns the largest.  last[]: the size of the
 * correction before, and then of this one; 0: none yet. */
static double left(const wy_system *x, const double *v, const double *rest, double last[WY_PACK]) {
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
        const double size = sqrt(small[l]),
                     sum = sum_of(size, last[l] > 0 ? last[l] : sqrt(whole[l]));
        const double fault = size == 0 ? 0 : sum / sqrt(whole[l]); /* or not a number */
        last[l] = size;
        if (x->fault) x->fault[l] = fault;
        if (!isnan(most) && !(fault <= most)) most = fault;
    }
    return most;
}

double wy_system_solve(const wy_system *x, double *v, double *rest) {
    double fault = 1, last[WY_PACK] = {0};
    x->miss(x, NULL, v);
    x->solve(x, v);
    for (int k = 0; k < x->most && !(fault <= x->enough); k++) {
        x->miss(x, v, rest);
        x->solve(x, rest);
        for (int i = 0; i < x->rows * x->lanes; i++) v[i] += rest[i];
        fault = left(x, v, rest, last);
    }
    return fault;
}
