/* system.c - solution with corrections (numeric/linear/linear.h). */
#include "numeric/linear/linear.h"

#include "numeric/vector/pack.h"

static const double SAME = 0.1; /* two ratios of corrections that are one */

/* Corrections that shrink by the same ratio add up to c / (1 - ratio): slow ones are far from the solution, however small they
 * are.  Where the ratio changes they are rounding, or shrink faster and faster.  before[]: the last one, and that before it. */
static double sum_of(double correction, const double before[2]) {
    const double ratio = correction / before[0], last = before[0] / before[1];
    return ratio < 1 && fabs(ratio - last) < SAME ? correction / (1 - ratio) : correction;
}

/* The sizes of the two corrections before, and the least estimate since there were two.  Of corrections that are rounding two ratios
 * are one by chance, and near 1 their sum is far too much; those that shrink slowly have their least estimate last. */
typedef struct history {
    double before[2], least;
} history;

static double estimate(history *h, double correction, double whole) {
    const double now = correction == 0 ? 0 : sum_of(correction, h->before) / whole;
    const int known = h->before[1] > 0;
    h->before[1] = h->before[0], h->before[0] = correction;
    if (known && (isnan(now) || now < h->least)) h->least = now;
    return known ? h->least : now; /* or not a number */
}

/* What the corrections still add up to over v, of each lane; returns the largest. */
static double left(const wy_system *x, const double *v, const double *rest, history of[WY_PACK]) {
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
        const double fault = estimate(&of[l], sqrt(small[l]), sqrt(whole[l]));
        if (x->fault) x->fault[l] = fault;
        if (!isnan(most) && !(fault <= most)) most = fault;
    }
    return most;
}

double wy_system_solve(const wy_system *x, double *v, double *rest) {
    double fault = 1;
    history of[WY_PACK];
    for (int l = 0; l < WY_PACK; l++) of[l] = (history){.least = INFINITY};
    x->miss(x, NULL, v);
    x->solve(x, v);
    for (int k = 0; k < x->most && !(fault <= x->enough); k++) {
        x->miss(x, v, rest);
        x->solve(x, rest);
        for (int i = 0; i < x->rows * x->lanes; i++) v[i] += rest[i];
        fault = left(x, v, rest, of);
    }
    return fault;
}
