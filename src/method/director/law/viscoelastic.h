/* viscoelastic.h - between law_viscoelastic.c and its inner loop. */
#pragma once

#include "method/director/law/law.h"

/* Of a term, for the length of a step: law_viscoelastic.c (2). */
typedef struct wy_relaxing {
    double share, decay, a, m, zz, ze, ee, pad;
} wy_relaxing;

/* History: the overstrains z of the terms, two lanes each; where equilibria are sudden, the strain of the last one too. */
enum { WY_RELAXING = sizeof(wy_relaxing) / sizeof(double), WY_TERM_SIZE = 8 };

typedef struct wy_relaxation_at {
    lane part[2], rest[2]; /* 1 where a strain relaxes, and what remains of its stiffness */
    int terms, sudden;
} wy_relaxation_at;

static inline wy_relaxation_at wy_relaxation_of(const wy_director_plan *plan) {
    const withy_law *law = &plan->rod->law;
    const int all = law->of == WITHY_OF_ALL;
    wy_relaxation_at out = {.part = {{1, 1, all, 0}, {all, all, 1, 0}},
                            .terms = law->term_count,
                            .sudden = law->at_rest == WITHY_AT_REST_SUDDEN};
    double sum = 0;
    for (int i = 0; i < law->term_count; i++) sum += law->term[i].share;
    for (int k = 0; k < 2; k++) out.rest[k] = (lane){1, 1, 1, 0} - lane_all(sum) * out.part[k];
    return out;
}

/* C e, coupled or not. */
static inline void wy_stiff_times(const wy_director *x, int at, const lane e[2], lane out[2]) {
    const wy_director_section *g = &x->plan.section[at];
    if (g->matrix)
        wy_law_matrix_times(x, at, e, out);
    else
        for (int k = 0; k < 2; k++) out[k] = g->c[k] * e[k];
}

/* out = C diag(factor) */
static inline void wy_stiff_slope(const wy_director_section *g, const lane factor[2],
                                  wy_slope out) {
    const lane zero = lane_all(0), own[2] = {g->c[0] * factor[0], g->c[1] * factor[1]};
    if (g->matrix) {
        for (int i = 0; i < 12; i++) out[i / 2][i % 2] = g->matrix->c[i / 2][i % 2] * factor[i % 2];
        return;
    }
    for (int i = 0; i < 12; i++) out[i / 2][i % 2] = zero;
    for (int i = 0; i < 6; i++) out[i][i / 3][i % 3] = own[i / 3][i % 3];
}

/* Overstrain of a term at strain e of the state. */
static inline void wy_term_strain(const wy_relaxation_at *r, const double *history, int term,
                                  const lane e[2], lane z[2]) {
    const double *last = &history[WY_TERM_SIZE * r->terms];
    for (int k = 0; k < 2; k++) {
        z[k] = lane_load(&history[WY_TERM_SIZE * term + 4 * k]);
        if (r->sudden) z[k] += e[k] - lane_load(&last[4 * k]);
    }
}

void wy_law_viscoelastic_step(const wy_director *x, int at, double *after, wy_law_out *out);
