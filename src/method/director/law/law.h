/* law.h - section laws: what stress a section makes of its strains S = (Gamma, K).
 *
 * A law is one file, director/law/law_NAME.c, with a table wy_law_NAME, and one row of law.inc.  In a step the strain goes along a
 * straight line from S- to S+, and the stress of the step is the mean over that line:
 *
 *   stress . (S+ - S-) = V+ - V- + loss,    loss >= 0                                                          (1)
 *
 * to rounding, so that the ledger balances whatever the step and whatever the law.  At rest (step.dynamic = 0) it is the
 * stress at the end of the line.  Viscosity, Cv dS/dt, is added to every law (law.c).
 *
 * A law whose inner loop gains from vectors has it in NAME_step.c (cmake/kernels.cmake).
 * The linear law is inlined in the kernels (section.h, strain.h), which ask wy_section_step where x->law is there: once per
 * Gauss point and iteration.
 */
#pragma once

#include "method/director/director.h"

/* A Gauss point at the iterate. */
typedef struct wy_law_out {
    lane stress[2]; /* fourth lanes are 0, as everywhere */
    wy_slope slope; /* d stress/dS+ */
    double loss;    /* of the step, per length [J/m] */
    double rest;    /* work of strains at rest that change, likewise */
} wy_law_out;

/* The history of a Gauss point, `history` numbers, is part of the state: x->history as the step begins; `after` is
 * written at every iteration and taken over when a step or an equilibrium is accepted.  The strains S- of a step are
 * x->strain[at].start; at rest those of the iterate: a law that must know the last equilibrium keeps it in its history.
 */
struct wy_energy;
struct wy_fibre_state;
typedef void wy_energy_of(const wy_director *x, int at, const double e[6], struct wy_energy *out);
typedef void wy_fibres_of(const wy_director *x, int at, const lane e[2],
                          struct wy_fibre_state *out);

typedef struct wy_section_law {
    const char *name;
    withy_law_kind kind; /* that of the rod; 0: `acts` says so */
    int general;         /* 0: the linear law, which the kernels have inlined */
    int coupled; /* 1: shear and stretch are not those of section.h: without the elimination of mixed_static.c */
    int diagonal; /* 1: where strains are not coupled by rod.stiffness.matrix, its slope is diagonal */
    int loses;    /* 1: a loss in (1) is possible */
    int loads; /* 1: its slope at rest is that of further loading: it does not tell what is stable */
    int (*acts)(const wy_director_plan *plan); /* the last one that says so is that of the rod */
    wy_energy_of *energy_of;                   /* of a law with a stored energy (energy.h)  */
    wy_fibres_of *fibres_of;                   /* of a law of fibres (fibre.h)              */
    /* plan->of_law, where the sections of the plan are known; NULL: nothing to be made */
    withy_status (*make)(wy_director_plan *plan, const wy_setup *setup, withy_error *err);
    int (*history)(const wy_director_plan *plan);  /* numbers per Gauss point; NULL: none */
    int (*per_step)(const wy_director_plan *plan); /* numbers that follow from h; NULL: none */
    void (*begin)(const wy_director *x, double *of_step);         /* makes them */
    void (*first)(const wy_director *x, int at, double *history); /* at t = 0; NULL: zeros */
    void (*step)(const wy_director *x, int at, double *after,
                 wy_law_out *out); /* to S+ = stress[at].plus */
    /* Of the state, for h -> 0: stress at the strains s, its slope, and twice V by strains, per length. */
    void (*stress)(const wy_director *x, int at, const lane s[2], lane out[2]);
    void (*slope)(const wy_director *x, int at, const lane s[2], wy_slope out);
    void (*energy)(const wy_director *x, int at, lane out[2]);
    /* Above 1: the stress of the state is so many times the largest that the material takes.  NULL: it takes any. */
    double (*beyond)(const wy_director *x, int at);
    double (*most)(const wy_director *x,
                   int at); /* largest plastic strain; NULL: it does not yield */
} wy_section_law;

#define WY_LAW(NAME, KEYS) extern const wy_section_law wy_law_##NAME;
#include "method/director/law/law.inc"
#undef WY_LAW

/* Of law_linear.c, by others. */
void wy_law_linear_slope(const wy_director *x, int at, const lane s[2], wy_slope out);
/* Of law_matrix.c: C e, and its step (matrix_step.c, compiled for several processors). */
void wy_law_matrix_times(const wy_director *x, int at, const lane e[2], lane out[2]);
void wy_law_matrix_step(const wy_director *x, int at, double *after, wy_law_out *out);

/* The law of a rod: plan->law; numbers of its history at a Gauss point. */
void wy_section_find(wy_director_plan *plan);
int wy_section_history(const wy_director_plan *plan);
void wy_section_first(wy_director *x);
static inline const double *wy_section_before(const wy_director *x, int at) {
    return &x->history[(size_t)at * (size_t)wy_section_history(&x->plan)];
}
/* What the law makes of the sections of the plan.  And as a motion begins: refuses a state that no section can be in. */
withy_status wy_section_make(wy_director_plan *plan, const wy_setup *setup, withy_error *err);
withy_status wy_section_check_start(const wy_director *x, withy_error *err);
/* The length of the step, or that it has no fixed one, is known. */
static inline void wy_section_begin(const wy_director *x) {
    if (x->plan.law && x->plan.law->begin) x->plan.law->begin(x, x->of_step);
}
/* x->law[at] and the stress of the step at the iterate, viscosity and its loss included. */
void wy_section_step(const wy_director *x, int at);
/* stress, slope and energy of wy_section_law, with the strains at rest of the state. */
void wy_section_stress_at(const wy_director *x, int at, const lane s[2], lane out[2]);
void wy_section_slope_at(const wy_director *x, int at, const lane s[2], wy_slope out);
void wy_section_energy_at(const wy_director *x, int at, lane out[2]);
/* out += Cv rate; and Cv itself, [stress][strain]. */
void wy_section_damp(const wy_director *x, int at, const lane rate[2], lane out[2]);
/* Rows of strains times the tangent of the linear law become those of this one. */
void wy_section_rows(const wy_director *x, int at, int columns, double (*e)[WY_DIRECTOR_STRIDE]);
/* out += slope ds */
WY_ALWAYS void wy_section_times(lane (*slope)[2], const lane ds[2], lane out[2]) {
    lane part[6];
    for (int i = 0; i < 6; i++) part[i] = slope[i][0] * ds[0] + slope[i][1] * ds[1];
    out[0] += tri_sum((tri){part[0], part[1], part[2]});
    out[1] += tri_sum((tri){part[3], part[4], part[5]});
}
/* Of a step or an equilibrium just found, whose S+ are known: histories are taken over; returns what is lost [J]. */
double wy_section_commit(wy_director *x);
