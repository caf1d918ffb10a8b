/* gradient_network.h - derivatives of a network by parameters: what its files share.
 *
 * Each rod is differentiated by itself (gradient.h), all its nodes; what a node that belongs to a rigid group gets goes
 * to the rigid group as in director/linear/segment.c.  A rod alone is a network without rigid groups.  With r, R of a rigid group, o, Q of a copy in it, p = R o, pm its mean,
 *
 *   dr_k = dr + dphi x p + R do,   dphi_k = dphi + R dq        do, dq: by the parameter, where the rigid group changes  (1)
 *   F_r += F_r,k,   F_phi += F_phi,k + pm x F_r,k              dpm x F_r,k by both ends of the step                 (2)
 *   joints   d(Bbar^T sigma) by q+ and, seen from its end, by q-; constraints g(q+) = target                        (3)
 *
 * What joints, drives and loads of bodies make of a parameter is given by the same network, set up at four values of
 * it: their residual is differenced at the state of this one.  Principal axes of a rigid group are not unique, so that the
 * four are first brought to the axes of this one: those in which the first part of the rigid group has the same
 * attitude.
 *
 * Files: gradient_network.c (a step, equilibria), gradient_seed.c (a parameter), gradient_network_matrix.c
 * (dF/dq+ of rigid groups, multipliers and the rods between them), gradient_network_solve.c (its factors and solutions),
 * gradient_network_joint.c (rigid groups and joints), gradient_tendon.c (tensions that are unknown), gradient_contact.c (rods
 * that touch obstacles), gradient_reverse.c (backwards), gradient_tape.c (the steps of a motion), gradient_mode.c
 * (frequencies).
 */
#pragma once

#include "method/director/gradient/gradient.h"
#include "method/director/network.h"

/* How a step is made once more. */
typedef struct wy_tape_time {
    double t, h, square;
    int64_t solves;
} wy_tape_time;

/* The steps of a motion since the last checkpoint: the state before each, and its increments. */
typedef struct wy_net_tape {
    int64_t room, checks;    /* steps from one checkpoint to the next; checkpoints at most */
    int64_t held;            /* checkpoint whose steps are here */
    int torn;                /* 1: some of them were overwritten by steps that were given up */
    int begun;               /* there is a first step */
    size_t state_size, step; /* [bytes] of a state, and of a step with its increments */
    wy_tape_time *time;      /* [room checks] */
    char *kept;              /* [room][step] */
    char *check;             /* [checks][state_size] */
} wy_net_tape;

/* ---- all ---------------------------------------------------------------------------------------------------- */

/* A node of a rod that touches an obstacle: its force and moment, and the stretch z of its tangential spring. */
typedef struct wy_net_contact {
    int point, obstacle;
    double minus[6][6];                 /* (force, moment) by (dr-, dphi-) */
    double z_plus[3][6], z_minus[3][6]; /* z+ by (dr+, dphi+), by (dr-, dphi-) */
    double by_z[9][3];                  /* (force, moment, z+) by z- */
    double pull[3];                     /* backwards: dJ/dz+ */
} wy_net_contact;

typedef struct wy_net_slopes {
    int count, groups;
    int carried;      /* does any parameter change o or Q of a copy? */
    char *kept, *end; /* where all that is kept of them begins and ends */

    wy_blocks blocks;
    wy_node_matrix whole;

    /* scratch */
    double *matrix, *value; /* dF/dq+, and its factors */
    int *pivot;
    int added;                 /* which stiffness was added to rigid groups in the factors */
    vec3 *force;               /* [members] F_r of the copies */
    pack *b, *x, *rest, *best; /* [rows] */
    wy_network back;           /* the step seen from its end: q+ and q- exchanged, -h */
    wy_border border;          /* of tensions that are unknown: gradient_tendon.c */
    pack *gap;                 /* [groups][columns] the right side of their rows */
    double *given_by, *one;    /* [wy_net_explicit_rows] of wy_net_explicit */

    /* contact: gradient_contact.c */
    wy_slope_live *near;     /* [count] the networks of four values of each parameter */
    wy_net_contact *contact; /* [plan.records] of the step */
    int contact_count;
    pack *stretch;    /* state: [groups][points][obstacles][3] dz where there is friction */
    pack *stretch_by; /* [groups][plan.records][3] at the end of the step */
    double *pull_z;   /* backwards: [points][obstacles][3] */
    double *near_by;  /* backwards: [count] by the parameter itself */

    wy_net_tape *tape;                       /* NULL: forwards */
    double fault;                            /* of the adjoint */
    double *mu, *requested, *left, *best_mu; /* [rows] the multiplier, dJ/dq+, what remains of it */
    double *held;                            /* [6 rigid groups] mu of held poses */
    wy_adjoint_node *given;                  /* [rigid groups] held poses by a parameter */
} wy_net_slopes;

static inline int wy_net_rows(const wy_network *net) {
    return 6 * net->plan.rigid_groups + net->plan.multipliers;
}
/* And, where something acts on rods that is no field of theirs, tensions and all nodes. */
static inline int wy_net_explicit_rows(const wy_network *net) {
    const int nodes = net->plan.tendons ? net->slopes->whole.nodes : 0;
    return wy_net_rows(net) + net->plan.columns + 6 * nodes;
}
/* The rigid groups, then the rods. */
static inline wy_director *wy_net_part(wy_network *net, int i) {
    return i ? &net->rod[i - 1] : &net->rigid;
}
static inline wy_slope_node *wy_net_nodes(const wy_network *net, int group) {
    return wy_slope_nodes(&net->rigid, group);
}
/* The numbers of block (row, column), and how many are in a row of it. */
static inline double *wy_net_block(const wy_net_slopes *s, int row, int column) {
    return &s->matrix[wy_blocks_at(&s->blocks, row, column)];
}
static inline int wy_net_wide(const wy_net_slopes *s, int column) {
    return s->blocks.size[s->blocks.place[column]];
}
static inline pack *wy_net_side(const wy_network *net, int group) {
    return wy_slope_side(&net->rigid, group);
}

/* ---- gradient_network_matrix.c ------------------------------------------------------------------------------ */
withy_status wy_net_pattern(wy_network *net, withy_error *err);
void wy_net_layout_matrix(wy_network *net, wy_block *scratch);
void wy_net_assemble(wy_network *net); /* dF/dq+ from that of the rods' elements and nodes */
int wy_net_row(const wy_network *net, int rod, int node); /* of a node, or of its rigid group */
/* Of the nodes of a rod the copies that they are, -1: none. */
static inline const int *wy_net_member(const wy_network *net, int rod) {
    return &net->slopes->whole.member[net->slopes->whole.first[rod]];
}
int wy_net_rigid_group_block(const wy_network *net, int c); /* -1: the ground */

/* ---- gradient_network_solve.c ------------------------------------------------------------------------------------ */
withy_status wy_net_factor(wy_network *net, withy_error *err); /* the matrix and its factors */
/* x = A^-1 b of eight right sides; mu = A^-T want.  Return the relative size of the last correction. */
double wy_net_solve(wy_network *net);
double wy_net_solve_transposed(wy_network *net);

/* ---- gradient_tendon.c ---------------------------------------------------------------------------------------------- */
void wy_net_layout_border(wy_network *net, wy_block *scratch);
/* Column (plus = 0) or row of a tendon at the nodes of its rod, [6 node_count]; valid until the next. */
const double *wy_net_tendon_line(wy_network *net, int rod, int tendon, int plus);
/* Next to the factors: columns and rows of unknown tensions, for solutions forwards or transposed. */
withy_status wy_net_border(wy_network *net, withy_error *err);
void wy_net_border_solve(wy_network *net, int group); /* of slopes->x */
void wy_net_border_solve_transposed(
    wy_network *net); /* of slopes->mu; border.change: the multipliers of the rows */
/* gap -= the rows of the tendons of a rod times changes of its nodes. */
void wy_net_tendons_miss(wy_network *net, int rod, const pack *change, pack *gap);
void wy_net_tendons_transposed(wy_network *net, int rod, double *y); /* y += the same transposed */

/* ---- gradient_contact.c ---------------------------------------------------------------------------------------------- */
void wy_net_layout_contacts(wy_network *net, wy_block *state, wy_block *scratch);
/* Which nodes touch obstacles in the step just solved, or at rest, and how their forces change. */
withy_status wy_net_find_contacts(wy_network *net, withy_error *err);
/* Refuses a step in which other things touch. */
withy_status wy_net_check_contacts(wy_network *net, withy_error *err);
withy_status wy_net_take_contacts(wy_network *net, double t_end,
                                  withy_error *err); /* to the sides */
/* From the change of a rod that of its z; when all rods have theirs, they are kept. */
void wy_net_stretch(wy_network *net, int rod, int group);
void wy_net_keep_stretch(wy_network *net, int group);
/* Backwards: nothing yet; dJ/dz+ of a rod to its sides; the rest, from mu. */
void wy_net_clear_contacts(wy_network *net);
void wy_net_leave_contacts(wy_network *net, int rod);
withy_status wy_net_pull_contacts(wy_network *net, double t_end, withy_error *err);

/* ---- gradient_network_joint.c ----------------------------------------------------------------------------------- */
void wy_net_layout_back(wy_network *net, wy_block *scratch);
void wy_net_turn_back(wy_network *net);
/* Residual of all joints by q-: forwards into the sides of the rigid groups, or backwards from its mu. */
void wy_net_joints(wy_network *net, int backwards);
/* Tangent of the loads of the bodies of a rigid group. */
void wy_net_loads(const wy_network *net, int c, double a[6][6]);
/* Of parameter k: the residual of joints and loads of bodies, what the lengths of tendons miss, and the residual of what
 * acts on rods and is no field; and where held rigid groups are at the end of the step. */
withy_status wy_net_explicit(wy_network *net, int k, double t_load, double t_pose, double *force,
                             wy_adjoint_node *held, withy_error *err);
/* ---- gradient_seed.c ------------------------------------------------------------------------------------------- */
extern const wy_gradients wy_network_gradients;

/* ---- gradient_network.c ------------------------------------------------------------------------------------------ */
withy_status wy_network_slopes_make(wy_network *net, withy_error *err);
void wy_network_layout_slopes(wy_network *net, wy_block *state, wy_block *scratch);
withy_status wy_network_slopes_step(wy_network *net, double square, int64_t solves,
                                    withy_error *err);
/* The derivatives of the step just solved, or of the equilibrium. */
typedef withy_status wy_net_job(wy_network *net, double t_load, double t_pose, withy_error *err);
wy_net_job wy_net_solve_slopes;
/* Of an equilibrium. */
withy_status wy_net_at_rest(wy_network *net, double t, wy_net_job *job, withy_error *err);

/* ---- gradient_reverse.c -------------------------------------------------------------------------------------------- */
void wy_net_clear(wy_network *net);
wy_net_job wy_net_reverse; /* the same backwards */
double wy_net_reverse_sum(const wy_network *net, int k, int moved, int settled);

/* ---- gradient_tape.c --------------------------------------------------------------------------------------------- */
withy_status wy_net_tape_make(wy_network *net, wy_allocator *from, withy_error *err);
double wy_net_tape_room(const wy_network *net); /* steps that can be recorded */
/* The step just solved, before it is committed, with what Newton's method began with. */
withy_status wy_net_tape_record(wy_network *net, double square, int64_t solves, withy_error *err);
extern const wy_adjoints wy_network_adjoints;

/* ---- gradient_mode.c --------------------------------------------------------------------------------------------- */

/* d(omega^2) by parameter k of a mode given at the nodes; after the derivatives of the equilibrium. */
withy_status wy_net_slope_mode(wy_network *net, int k, const withy_mode *mode, double *slope,
                               withy_error *err);
