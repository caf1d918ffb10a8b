/* state.h - the whole simulation: groups of rods, one step for all. */
#pragma once

#include "method/fdtd/fdtd.h"
#include "method/fdtd/literal.h"

typedef struct wy_fdtd {
    const withy_problem *problem;
    wy_fdtd_options opt;
    wy_fdtd_operator op;
    wy_fdtd_group *group; /* [group_count] */
    int group_count;
    int *group_of, *lane_of;  /* [rod_count] */
    wy_fdtd_literal *literal; /* [rod_count], or NULL */
    double t, dt;             /* now; the regular step */
    double step;              /* the step in use */
    int64_t steps, looked;
    int still; /* 1: in equilibrium, no motion has begun */
    withy_stats *stats;
    wy_arena *arena;
    wy_fdtd_view view;
    double *reference, *stretch; /* [rod_count] */
    int closed;                  /* no damping, no drive: the energy should stay */
    double scale;                /* largest energy of the motion so far [J] */
} wy_fdtd;

/* fdtd/plan.c: reference lengths, the step, which rods go together */
withy_status wy_fdtd_find_lengths(wy_fdtd *x, withy_error *err);
withy_status wy_fdtd_find_step(wy_fdtd *x, wy_notes *notes, withy_error *err);
withy_status wy_fdtd_note_regularisation(const wy_fdtd *x, wy_notes *notes, withy_error *err);
void wy_fdtd_form_groups(wy_fdtd *x);
int wy_fdtd_conserves(const wy_fdtd *x);

/* fdtd/sample.c */
int wy_fdtd_nodes(const void *self, int rod, double *s);
void wy_fdtd_sample(const void *self, int rod, withy_snapshot *snap);
