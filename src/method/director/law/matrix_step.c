/* matrix_step.c - the inner loop of law_matrix.c. */
#include "method/director/law/law.h"

/* By the columns of C, which are its rows. */
void wy_law_matrix_times(const wy_director *x, int at, const lane e[2], lane out[2]) {
    lane(*c)[2] = x->plan.section[at].matrix->c;
    for (int k = 0; k < 2; k++) {
        out[k] = lane_all(0);
        for (int i = 0; i < 6; i++) out[k] += lane_spread(&e[i / 3], i % 3) * c[i][k];
    }
}

void wy_law_matrix_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    (void)after;
    const lane *rest = x->plan.section[at].rest;
    const lane beta = lane_all(x->step->beta), before = lane_all(1 - x->step->beta);
    lane e[2];
    for (int k = 0; k < 2; k++)
        e[k] =
            beta * (x->stress[at].plus[k] - rest[k]) + before * (x->strain[at].start[k] - rest[k]);
    wy_law_matrix_times(x, at, e, out->stress);
    for (int i = 0; i < 12; i++)
        out->slope[i / 2][i % 2] = beta * x->plan.section[at].matrix->c[i / 2][i % 2];
    out->loss = 0;
}
