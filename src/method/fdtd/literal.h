/* literal.h - the scheme as [FD] prints it, for comparison. */
#pragma once

#include "method/fdtd/fdtd.h"

/* One time level, nodes -3 .. n+3. */
typedef struct wy_fdtd_level {
    vec3 *r, *w, *u;
    mat3 *frame;
} wy_fdtd_level;

/* One rod. */
typedef struct wy_fdtd_literal {
    const withy_problem *problem;
    const wy_model *model;
    int rod, n;
    const double *difference; /* D: of the first, second and third neighbours [-] */
    int free;                 /* both ends are free; else pinned */
    double h;                 /* [m] */
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
    wy_fdtd_level now, before; /* state */
    wy_fdtd_level next;        /* scratch */
    vec3 *v;                   /* scratch */
} wy_fdtd_literal;

/* Lower least->dt to what the scheme allows; refuses what it cannot express. */
withy_status wy_fdtd_literal_limit(const withy_problem *problem, const wy_fdtd_options *opt,
                                   wy_fdtd_limit *least, withy_error *err);
withy_status wy_fdtd_literal_make(const wy_setup *setup, int rod, wy_fdtd_literal *x,
                                  withy_error *err);
void wy_fdtd_literal_layout(wy_fdtd_literal *x, wy_block *state, wy_block *scratch);
/* The initial shape, and the level before it by a step of dt. */
withy_status wy_fdtd_literal_place(wy_fdtd_literal *x, withy_error *err);
withy_status wy_fdtd_literal_begin(wy_fdtd_literal *x, double dt, withy_error *err);
withy_status wy_fdtd_literal_advance(wy_fdtd_literal *x, const wy_span *span, withy_error *err);
double wy_fdtd_literal_energy(const wy_fdtd_literal *x, double dt); /* [J] */
void wy_fdtd_literal_sample(const wy_fdtd_literal *x, double dt, withy_snapshot *snap);
