/* state.h - the whole simulation: groups of rods, one step for all. */
#pragma once

#include "method/fdtd/fdtd.h"
#include "method/fdtd/joint.h"
#include "method/fdtd/literal.h"
#include "method/fdtd/tangent.h"

/* Kept besides the fields of the groups. */
typedef struct wy_fdtd_head {
    double h;       /* p and w lie h/2 back; 0: no step is known yet [s] */
    double regular; /* step of the regularised inertia [s] */
    double first;   /* conserved energy at t = 0 [J] */
    double gap[2][2]
              [3]; /* of the ends, position and rotation vector, at the last equations->hold */
    int64_t steps;
} wy_fdtd_head;

typedef struct wy_fdtd {
    const withy_problem *problem;
    const wy_setup *setup;
    wy_fdtd_options opt;
    wy_sbp op;
    wy_fdtd_group *group; /* [group_count] */
    int group_count;
    int *group_of, *lane_of;     /* [rod_count] */
    wy_fdtd_joints *joints;      /* NULL: none */
    wy_fdtd_literal *literal;    /* [rod_count], or NULL */
    double *reference, *stretch; /* [rod_count] */
    int closed;                  /* no damping, no driven end: the energy should stay constant */
    double limit, equilibrium;   /* of the step with the spin of t = 0, and without any [s] */
    wy_fdtd_head *now;           /* state */
    wy_fdtd_view view;           /* scratch */
    wy_fdtd_tangent *tangent;    /* statics and modes; NULL before the first */
} wy_fdtd;

/* fdtd/plan.c: reference lengths, the step, which rods go together */
withy_status wy_fdtd_find_lengths(wy_fdtd *x, withy_error *err);
withy_status wy_fdtd_find_limit(wy_fdtd *x, withy_error *err);
double wy_fdtd_wanted_step(const wy_fdtd *x);
withy_status wy_fdtd_note_step(const wy_fdtd *x, double h, withy_error *err);
void wy_fdtd_form_groups(wy_fdtd *x);
int wy_fdtd_same_kind(const wy_fdtd_group *a, const wy_fdtd_group *b); /* one kernel does both */
int wy_fdtd_conserves(const wy_fdtd *x);
/* What of a scene is stepped in its own way, the literal scheme first; NULL: nothing. */
const char *wy_fdtd_special(const wy_fdtd *x);

/* fdtd/contact.c: *dt, the limit of the step, falls to that with contact */
withy_status wy_fdtd_contact_limit(const wy_fdtd *x, double *dt, withy_error *err);

/* fdtd/fdtd.c: factors of the present step, in all groups */
void wy_fdtd_ready(wy_fdtd *x);
/* Motion and ledger begin at t = 0, with the step of the state */
withy_status wy_fdtd_begin(wy_fdtd *x, withy_error *err);
/* What precedes and follows the steps of a span that others make (fdtd/batch.h): factors of the step;
 * loads and ends of its last time, the ledger, and whether all is finite. */
withy_status wy_fdtd_open_span(wy_fdtd *x, const wy_span *span, withy_error *err);
withy_status wy_fdtd_close_span(wy_fdtd *x, const wy_span *span, withy_error *err);
int wy_fdtd_is_live(const wy_fdtd_group *g); /* loads or ends change from step to step */

/* fdtd/joint.c: what joints make of the nodes */
withy_status wy_fdtd_accept_joints(const wy_model *model, const withy_problem *problem,
                                   withy_error *err);
withy_status wy_fdtd_joints_make(wy_fdtd *x, withy_error *err);
void wy_fdtd_joints_layout(wy_fdtd_joints *net, wy_block *memory, wy_block *scratch);

/* fdtd/network.c: forces of all groups, which joints connect; steps of joined rods */
withy_status wy_fdtd_all_forces(wy_fdtd *x, withy_error *err);
withy_status wy_fdtd_network_step(wy_fdtd *x, withy_error *err);
/* Where the ground holds points at the end of the step from t. */
withy_status wy_fdtd_joints_hold(wy_fdtd *x, double t, withy_error *err);
withy_status wy_fdtd_joints_begin(wy_fdtd *x, withy_error *err);
void wy_fdtd_joints_change_step(wy_fdtd *x, double ratio);
void wy_fdtd_sample_parts(const void *self, withy_parts *parts);

/* fdtd/sample.c */
void wy_fdtd_sample(const void *self, int rod, withy_snapshot *snap);
/* A position between nodes: the first of the nodes that it is made of, and their weights. */
enum { WY_FDTD_STENCIL = 6 };
int wy_fdtd_place_weights(const wy_fdtd *x, int rod, double s, double weight[WY_FDTD_STENCIL]);

extern const wy_equations wy_fdtd_statics; /* fdtd/equations.c */
extern const wy_batch wy_fdtd_batch;       /* fdtd/batch.c */
