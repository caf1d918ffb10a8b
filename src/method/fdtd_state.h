/* fdtd_state.h - the whole simulation: groups of rods, one step for all. */
#pragma once

#include "method/fdtd.h"
#include "method/fdtd_literal.h"

typedef struct fdtd_state {
    const withy_problem *problem;
    fdtd_options opt;
    fdtd_operator op;
    fdtd_group *group; /* [group_count] */
    int group_count;
    int *group_of, *lane_of; /* [rod_count] */
    fdtd_literal *literal;   /* [rod_count], or NULL */
    double t, dt;            /* now; the regular step */
    double step;             /* the step in use */
    int64_t steps, looked;
    int still; /* 1: in equilibrium, no motion has begun */
    withy_stats *stats;
    wy_arena *arena;
    fdtd_view view;
    double *reference, *stretch; /* [rod_count] */
    int closed;                  /* no damping, no drive: the energy should stay */
    double scale;                /* largest energy of the motion so far [J] */
} fdtd_state;

/* fdtd_plan.c: reference lengths, the step, which rods go together */
withy_status fdtd_find_lengths(fdtd_state *x, withy_error *err);
withy_status fdtd_find_step(fdtd_state *x, wy_notes *notes, withy_error *err);
withy_status fdtd_note_regularisation(const fdtd_state *x, wy_notes *notes, withy_error *err);
void fdtd_form_groups(fdtd_state *x);
int fdtd_conserves(const fdtd_state *x);

/* fdtd_sample.c */
int fdtd_nodes(const void *self, int rod, double *s);
void fdtd_sample(const void *self, int rod, withy_snapshot *snap);
