/* fibre.h - a section as fibres: where they lie, and what strains of the section do to each.
 *
 *   eps = Gamma_3 - 1 + K_1 x_2 - K_2 x_1,    gamma = sqrt(k) (Gamma_1, Gamma_2) + K_3 (w_1, w_2)                  (1)
 *
 * less those at rest; (w_1, w_2) = (phi_1 - x_2, phi_2 + x_1) with the warping phi of elastic torsion, 0 of a round section.
 * While they are elastic, the sums over fibres are the stiffness of the section.
 */
#pragma once

#include "method/director/law/law.h"

enum { WY_FIBRE_PACK = 4 };

typedef struct wy_fibres {
    int count;                 /* a multiple of WY_FIBRE_PACK: the last may have no area */
    int parts;                 /* 3: (1); 1: eps alone, all else is elastic */
    lane rest[2];              /* 1 where the stiffness of the section is not theirs but elastic */
    double young, shear, root; /* E, G, sqrt(k) */
    double reach1, reach2, reach_turn; /* the largest |x_1|, |x_2|, |w| */
    double *x1, *x2, *w1, *w2, *area;  /* [count] */
} wy_fibres;

/* The first number of the history of a section, 0 as long as it is elastic: of its fibres, the largest plastic or transformation
 * strain.  The fibres of every Gauss point, and what follows from them: plan->of_law. */
withy_status wy_fibres_make(wy_director_plan *plan, const wy_setup *setup, withy_error *err);
static inline const wy_fibres *wy_fibres_at(const wy_director *x, int at) {
    return ((const wy_fibres *const *)x->plan.of_law)[at];
}

/* The largest |eps| and |gamma| that a section with the strains e can have: not more than these. */
static inline void wy_fibres_bound(const wy_fibres *f, const lane e[2], double *eps,
                                   double *gamma) {
    *eps = fabs(e[0][2]) + f->reach2 * fabs(e[1][0]) + f->reach1 * fabs(e[1][1]);
    *gamma = f->root * sqrt(e[0][0] * e[0][0] + e[0][1] * e[0][1]) + f->reach_turn * fabs(e[1][2]);
}

/* Sums over the fibres of a section, four side by side. */
typedef struct wy_fibre_sum {
    lane force[6], slope[6][6];
} wy_fibre_sum;

/* Four fibres from `i` on. */
typedef struct wy_fibre_pack {
    lane x1, x2, w1, w2, area;
} wy_fibre_pack;

WY_ALWAYS wy_fibre_pack wy_fibre_pack_at(const wy_fibres *f, int i) {
    return (wy_fibre_pack){lane_load(&f->x1[i]), lane_load(&f->x2[i]), lane_load(&f->w1[i]),
                           lane_load(&f->w2[i]), lane_load(&f->area[i])};
}

/* (1) */
WY_ALWAYS void wy_fibre_strain(const int parts, const wy_fibres *f, const wy_fibre_pack *at,
                               const lane e[2], lane out[3]) {
    out[0] =
        lane_spread(&e[0], 2) + lane_spread(&e[1], 0) * at->x2 - lane_spread(&e[1], 1) * at->x1;
    if (parts == 1) return;
    const lane root = lane_all(f->root), turn = lane_spread(&e[1], 2);
    out[1] = root * lane_spread(&e[0], 0) + turn * at->w1;
    out[2] = root * lane_spread(&e[0], 1) + turn * at->w2;
}

/* to += B^T stress, with the rows B of (1) */
WY_ALWAYS void wy_fibre_spread(const int parts, const wy_fibres *f, const wy_fibre_pack *at,
                               const lane stress[3], lane to[6]) {
    to[2] += stress[0], to[3] += at->x2 * stress[0], to[4] -= at->x1 * stress[0];
    if (parts == 1) return;
    const lane root = lane_all(f->root);
    to[0] += root * stress[1], to[1] += root * stress[2];
    to[5] += at->w1 * stress[1] + at->w2 * stress[2];
}

/* to += B^T slope B */
WY_ALWAYS void wy_fibre_spread_slope(const int parts, const wy_fibres *f, const wy_fibre_pack *at,
                                     lane slope[3][3], lane to[6][6]) {
    for (int k = 0; k < 6; k++) { /* column k: slope times column k of B */
        lane column[3];
        for (int i = 0; i < parts; i++) {
            const lane root = lane_all(parts == 1 ? 0 : f->root);
            column[i] = k == 2       ? slope[i][0]
                        : k == 3     ? slope[i][0] * at->x2
                        : k == 4     ? -slope[i][0] * at->x1
                        : parts == 1 ? lane_all(0)
                        : k == 0     ? slope[i][1] * root
                        : k == 1     ? slope[i][2] * root
                                     : slope[i][1] * at->w1 + slope[i][2] * at->w2;
        }
        lane sum[6] = {{0}};
        wy_fibre_spread(parts, f, at, column, sum);
        for (int i = 0; i < 6; i++) to[i][k] += sum[i];
    }
}

static inline double wy_fibre_total(lane a) {
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* Stress and slope of the section: the sums over its fibres, and what is elastic in it besides; of the slope the fibres say by
 * how much they are below beta C. */
static inline void wy_fibres_finish(const wy_director_section *g, const wy_fibres *f,
                                    const lane strain[2], double beta, const wy_fibre_sum *sum,
                                    wy_law_out *out) {
    for (int i = 0; i < 12; i++) out->slope[i / 2][i % 2] = lane_all(0);
    for (int k = 0; k < 2; k++) out->stress[k] = f->rest[k] * g->c[k] * strain[k];
    for (int i = 0; i < 6; i++) {
        out->stress[i / 3][i % 3] += wy_fibre_total(sum->force[i]);
        out->slope[i][i / 3][i % 3] = beta * g->c[i / 3][i % 3];
        for (int k = 0; k < 6; k++) out->slope[i][k / 3][k % 3] -= wy_fibre_total(sum->slope[i][k]);
    }
}

/* Likewise where all fibres are elastic. */
static inline void wy_fibres_elastic(const wy_director *x, int at, const lane minus[2],
                                     const lane plus[2], double *after, wy_law_out *out) {
    const lane beta = lane_all(x->step->beta), before = lane_all(1 - x->step->beta);
    lane *c = x->plan.section[at].c;
    memset(after, 0, (size_t)wy_section_history(&x->plan) * sizeof *after);
    for (int i = 0; i < 12; i++) out->slope[i / 2][i % 2] = lane_all(0);
    for (int i = 0; i < 6; i++) out->slope[i][i / 3][i % 3] = x->step->beta * c[i / 3][i % 3];
    for (int k = 0; k < 2; k++) out->stress[k] = c[k] * (beta * plus[k] + before * minus[k]);
    out->loss = 0;
}

/* Of the state: sums over its fibres. */
typedef struct wy_fibre_state {
    double force[6]; /* B^T stress                                                                */
    double along,
        across;    /* of 2 V: of stresses along the rod, and across                             */
    double beyond; /* the largest stress over the one that the material takes                   */
} wy_fibre_state;

/* The entries of wy_section_law of a law with wy_fibres_of: what it makes of the state with the strains e. */
#define WY_LAW_OF_FIBRES                                                                           \
    .general = 1, .coupled = 1, .loses = 1, .loads = 1, .make = wy_fibres_make,                    \
    .stress = wy_fibres_stress, .slope = wy_law_linear_slope, .energy = wy_fibres_energy,          \
    .beyond = wy_fibres_beyond, .most = wy_fibres_most
void wy_fibres_stress(const wy_director *x, int at, const lane s[2], lane out[2]);
void wy_fibres_energy(const wy_director *x, int at, lane out[2]);
double wy_fibres_most(const wy_director *x, int at);
double wy_fibres_beyond(const wy_director *x, int at);
