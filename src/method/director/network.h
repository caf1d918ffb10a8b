/* network.h - rods that meet: what the network files of the method `director` share.
 *
 * The scheme: director/network.c.  A network is one wy_director per rod, and one more, the rigid groups, whose
 * "nodes" are the rigid groups; so that guess, inertia, commit and energies are those of a rod.
 */
#pragma once

#include "method/director/director.h"
#include "method/director/network/joint.h"
#include "model/network.h"
#include "numeric/linear/linear.h"
#include "numeric/vector/stream.h"

enum {
    WY_SEGMENT_FRONT = 16,    /* doubles per row of a front: 12 unknowns, the right side, pad */
    WY_JOINT_CONSTRAINTS = 7, /* of one joint, at most */
};

/* ---- the plan --------------------------------------------------------------------------------------- */

/* A node of a rod that belongs to a rigid group: r_k = r + R o, d_k = R Q. */
typedef struct wy_group_node {
    int rod, node, rigid_group;
    vec3 o;
    mat3 q;
    wy_director_mass mass; /* of the node: it is part of the rigid group's */
    double share;
} wy_group_node;

/* A body in its rigid group. */
typedef struct wy_network_body {
    int rigid_group;
    vec3 o; /* its centre of mass */
    mat3 q; /* its axes */
} wy_network_body;

/* A body, or a member: bodies first. */
typedef struct wy_network_piece {
    int rigid_group;
    double mass;
    lane rotary;
    vec3 o;
    mat3 q;
} wy_network_piece;

/* What a rigid group is held by, if it is.  One that the ground holds where it is stands: it has no unknowns. */
typedef struct wy_network_rigid_group {
    int held;                  /* 1: it is where `by` is, in every direction */
    int block;                 /* in the reduced system; -1: it stands */
    int row;                   /* its first row there */
    int rod, which, member;    /* by an end of a rod (rod < 0: by the ground) */
    const withy_place *ground; /* its path, or NULL: it stands */
    vec3 r;                    /* by the ground: where it is at t = 0, and where the ground is */
    vec3 from;
    mat3 d;
} wy_network_rigid_group;

/* Elements of a rod between two members, or between a member and an end of its own (a free end). */
typedef struct wy_network_segment {
    int rod, from, to; /* elements from .. to - 1 */
    int member[2];     /* -1: free end */
    size_t at[2]
             [2]; /* where the blocks of its rigid groups are in the values of the reduced system */
    int wide[2];  /* how wide blocks in the columns of its rigid groups are */
    size_t panel, keep;
    int streams;  /* 1: its panel goes to memory past the caches */
    int free_end; /* in wy_network.free_end, if it has one */
} wy_network_segment;

/* Is it a rod that no rigid group has a part of? */
static inline int wy_segment_alone(const wy_network_segment *g) {
    return g->member[0] < 0 && g->member[1] < 0;
}

typedef enum wy_constraint_kind {
    WY_CONSTRAINT_LOCK,   /* coordinate g */
    WY_CONSTRAINT_LENGTH, /* g = y.y/2, coordinate sqrt(2 g) */
    WY_CONSTRAINT_ANGLE,  /* the angle of a hinge */
} wy_constraint_kind;

/* One coordinate of a joint: with a multiplier (constraint, drive), or with a law. */
typedef struct wy_network_constraint {
    wy_constraint_kind kind;
    int joint;
    int silent; /* 1: no force, only measured */
    int rod,
        tendon;     /* a piece of tendon between two rods, with the tension of this one; -1: none */
    int multiplier; /* -1: none; else its number */
    int block, row; /* where that is in the reduced system */
    int lies;       /* and inside its block */
    double zero;    /* the coordinate is g - zero */
    const withy_field *drive, *effort; /* NULL: none */
    const wy_scalar *other;            /* ANGLE: the cosine */
    wy_scalar g; /* ANGLE: the sine; its second term is rare: last but the law */
    wy_law law;
} wy_network_constraint;

typedef struct wy_network_joint {
    const withy_joint *given;
    int number;                  /* in the problem; -1 - rod: a pin of the end of a rod */
    int rigid_group[2], part[2]; /* -1: ground; part: bodies, then members */
    int *side,
        side_count;   /* WELD: parts behind it, which it alone holds; none: it carries nothing */
    double side_sign; /* 1: they are on the side of the second part, -1: of the first */
    vec3 o[2];        /* its places: material, or where the ground is at t = 0 */
    vec3 axis;        /* material in the first part (or laboratory) */
    const withy_place *ground; /* with a path, or NULL */
    const wy_end *pin;         /* of a rod: the ground is its prescribed position; else NULL */
    int turned;                /* 1: of a pin: the axes of the ground are its prescribed ones */
    int first, count;          /* links */
    int quiet;                 /* so many of the last ones are silent */
    int angle, travel;         /* link that measures it; -1: none */
    double reach;              /* distance of its places at t = 0 */
    int loop;                  /* 1: its multipliers are a block of their own */
    size_t at[2][2]; /* blocks (rigid group, rigid group) in the values of the reduced system */
    size_t column[2], row[2]; /* blocks (rigid group, block of the multipliers) and back */
    int wide[2], wide_own; /* width of columns of the rigid groups, and of the multipliers' block */
} wy_network_joint;

/* Joints that close loops. */
typedef struct wy_network_closing {
    int redundant;    /* constraints depend on each other: eps in the tangent of a step */
    int *loop, loops; /* links of their multipliers: director/static/closed_loop.c */
    char *dependent;  /* [loops] 1: depends on others at t = 0 */
} wy_network_closing;

typedef struct wy_network_plan {
    int rods, rigid_groups, members, bodies, segments, joints, constraints, multipliers, free_ends;
    wy_network_rigid_group *rigid_group;
    wy_group_node *member;
    int *member_first,
        *member_at; /* [rods + 1], and at each border of the elements of a rod: member or -1 */
    wy_network_body *body;
    wy_network_segment *segment;
    wy_network_joint *joint;
    wy_network_constraint *constraint;
    wy_scalar *cosine; /* of the links that are angles */
    int cosines;
    wy_blocks reduced;
    double length; /* L: the unit of displacements */
    double dt;     /* options.dt, or a thousandth of the motion: a scale of time [s] */
    wy_network_closing closing;
    int floats;         /* nothing holds it: the origin follows */
    int damped, driven; /* is work put in or lost? */
    int twice;          /* ends that are held where they are held already */
    int tendons;        /* of all rods */
    size_t panels, keeps;
    int streams; /* 1: the rods are larger than the caches next to the processor, and are asked for early; 2: the
                    panels are larger than all caches, and go to memory past them */
    int spans;   /* pieces of tendons between two rods */
    int columns; /* tensions of tendons that are unknown: director/force/network_tendon.c */
    int (*push)[2], pushes; /* loads of bodies: body, and which of its own */
    int *push_first;        /* [bodies + 1] */
    int *rigid_group_first,
        *rigid_group_part; /* [rigid groups + 1], of each rigid group its bodies and members */
    int *part_first,
        *part_joint; /* of each body, then member: the sides (2 joint + side) of its joints */
} wy_network_plan;

/* A network without loops is assembled and solved in one pass, in the order of elimination: what touches a block row
 * and none before it is added in the turn of that row, and the row is eliminated while it is in the caches. */
typedef struct wy_network_turns {
    int count;        /* of turns, one for each block row; 0: it has loops */
    int *rigid_group; /* [count] of that block row; -1: none */
    int *new_row_first,
        *new_row;         /* [count + 1], [count] block rows that are touched first in this turn */
    int *rod_first, *rod; /* [count + 2], [rods]; last turn: rods that touch no block row */
    int *joint_first, *joint; /* [count + 1], [joints] those that are not welds */
    int *segment;             /* [rods] first segment of each */
    int *next;                /* [rods] the rod whose turn is after this one's; -1: none */
} wy_network_turns;

/* ---- state ------------------------------------------------------------------------------------------- */

typedef struct wy_network_joint_now {
    vec3 force[WY_DIRECTOR_PAST];  /* on the second part, at its place; means of the last steps */
    vec3 torque[WY_DIRECTOR_PAST]; /* newest first */
    vec3 ground;                   /* where its ground is, in the coordinates of the model */
} wy_network_joint_now;

typedef struct wy_network_now {
    double joint_energy;     /* of springs and limits */
    double work, dissipated; /* of drives and efforts; of dampers */
    double gap;              /* how far the joints were open in the last step, over L */
    /* of the whole, found once for the snapshots of all rods (wy_network_totals) */
    double conserved;
    vec3 momentum, spin; /* momentum, and angular momentum about the local origin */
} wy_network_now;

/* ---- scratch ----------------------------------------------------------------------------------------- */

/* A free end, eliminated from its segment: x = side - out y; of a rod alone `side` is the right side of its last node.  For other right sides (wy_segment_again) alone, and only where
 * the elimination keeps its multipliers: side = inverse b, and the row of y loses in side. */
typedef struct wy_network_free_end {
    double out[6][6], side[6];
    double inverse[6][6], in[6][6];
} wy_network_free_end;

/* A link at the iterate. */
typedef struct wy_constraint_state {
    double target, effort;              /* at the end of the step, and of the step */
    double sigma;                       /* independent stress of the mixed Newton method */
    double stress;                      /* sigma of the iterate: multiplier, or law */
    double slope;                       /* of the law by q+ */
    double value, before;               /* of the coordinate */
    double bar[WY_PAIR], plus[WY_PAIR]; /* rows at the mean and at the end */
} wy_constraint_state;

typedef struct wy_network {
    wy_director rigid; /* first: it is what the method hands out */
    wy_director *rod;
    wy_network_plan plan;

    wy_network_now *now;
    wy_network_joint_now *joint; /* [joints] */
    double *lambda;              /* [multipliers] */
    double *angle;               /* [links] of the ANGLE ones, with all turns */

    wy_network_turns turn;
    int *law, laws;                /* links with a force of their own: not silent, no multiplier */
    int *row;                      /* [multipliers] where they are in the reduced system */
    wy_border border;              /* of tendons of given length */
    wy_constraint_state *state_of; /* [links] */
    vec3 (*ground)[2]; /* [joints] where their ground is at the start and the end of the step */
    mat3 (*axes)[2];   /* [joints] of those that are `turned`: its turn since t = 0 */
    wy_network_free_end *free_end;
    double *panel, *keep; /* eliminated rows of the segments, and their multipliers */
    double *value;        /* of the reduced system */
    int *pivot;
    double *side;          /* [reduced system.rows] */
    double *change, *kept; /* [multipliers] of lambda, and lambda before the step */
    char *state, *copy[2]; /* dt = "auto": the state but for the pace, and copies of it */
    size_t state_size;
    double *line[2];              /* [6 nodes of the largest rod] vectors of one rod */
    struct wy_contacts *contacts; /* NULL: nothing touches */
    wy_part_groups
        groups;      /* of rigid groups, then nodes that are no copies: for wy_vector_layout */
    int *group_of;   /* [rods + bodies] */
    vec3 (*load)[2]; /* [loads of bodies] force and moment of the step, as they are given */
    struct wy_mixed_system *thin;   /* director/static/mixed_static.c, from the first use on */
    struct wy_network_loops *loops; /* director/static/closed_loop.c, from the first use on */
    struct wy_net_slopes
        *slopes; /* its derivatives (director/gradient/gradient_network.h), or NULL */
} wy_network;

static inline wy_network *wy_network_of(wy_director *rigid) {
    return (wy_network *)rigid;
}

/* Numbers of the eliminated rows of a segment. */
static inline size_t wy_segment_panel(const wy_network *net, const wy_network_segment *g) {
    const size_t rows = 6 * (size_t)(g->to - g->from) * (size_t)net->rod[g->rod].plan.p;
    return rows * (wy_segment_alone(g) ? WY_DIRECTOR_PANEL : WY_DIRECTOR_BETWEEN);
}

/* The rod that is swept after this one; -1: none. */
static inline int wy_network_next(const wy_network *net, int rod) {
    if (net->turn.count) return net->turn.next[rod];
    return rod + 1 < net->plan.rods ? rod + 1 : -1;
}

/* In a large network the state of a rod is asked for before its turn comes. */
static inline void wy_rod_fetch(const wy_network *net, int rod) {
    if (!net->plan.streams || rod >= net->plan.rods) return;
    const wy_director *x = &net->rod[rod];
    const size_t nodes = (size_t)x->plan.node_count * sizeof *x->node;
    const size_t next = (size_t)x->plan.node_count * sizeof *x->next;
    if (nodes > 4096) return; /* a long rod is read as a stream */
    wy_fetch(x->node, nodes), wy_fetch(x->next, next);
}

/* p = R o of a copy at the end or at the start of the step, and its mean. */
static inline vec3 wy_group_node_arm(const wy_network *net, int member, int plus) {
    const wy_group_node *k = &net->plan.member[member];
    return m3_mul(
        tri_matrix(plus ? net->rigid.next[k->rigid_group].d : net->rigid.node[k->rigid_group].d),
        k->o);
}
static inline vec3 wy_group_node_mean_arm(const wy_network *net, int member) {
    const wy_group_node *k = &net->plan.member[member];
    return m3_mul(tri_matrix(wy_director_acting(&net->rigid, k->rigid_group)), k->o);
}

/* Rigid groups that move are the nodes of the rigid groups; those that stand are behind them. */
static inline int wy_network_moving(const wy_network *net) {
    return net->rigid.plan.node_count;
}

/* A part of what the reduced system solves for: neither the ground nor a rigid group that stands. */
static inline int wy_rigid_group_moves(const wy_network *net, int c) {
    return c >= 0 && c < wy_network_moving(net);
}
/* One that nothing holds. */
static inline int wy_rigid_group_free(const wy_network *net, int c) {
    return c >= 0 && !net->plan.rigid_group[c].held;
}

/* ---- director/network.c: the plan, and where state and scratch are ----------------------------------- */
/* A rod in words; text[WY_JOINT_WORDS]. */
const char *wy_network_rod_words(const wy_network *net, int rod, char *text, size_t size);
withy_status wy_network_no_memory(withy_error *err);
withy_status wy_network_make(const wy_setup *setup, wy_director **rigid, withy_error *err);
const char *wy_network_state_error(const void *self, const wy_span *at);
void wy_network_layout(void *self, wy_block *state, wy_block *scratch);
withy_status wy_network_start(void *self, withy_error *err);
enum { WY_BEGINS = 2 }; /* moving: from t = 0, not from an equilibrium */
withy_status wy_network_let_go(wy_network *net, int moving, withy_error *err);

/* ---- director/step/network_first.c: forces at t = 0, with steps of about h -------------------------------- */
withy_status wy_network_first(void *self, double h, withy_error *err);

/* ---- director/network/rigid_group.c: what is rigidly connected ---------------------------------------------------- */
withy_status wy_rigid_groups_make(wy_network *net, withy_error *err);
/* The node of a rod at s, which is one of its places of joints. */
int wy_network_node(const wy_director *rod, double s);
int wy_group_node_of(const wy_network *net, int rod, int node); /* or -1 */
int wy_network_rigid_group_of(const wy_network *net, int part); /* bodies, then members */
int wy_network_same_place(const wy_network *net, int part);
/* In parent[parts], the two ends of each closed rod become one set. */
void wy_network_join_places(const wy_network *net, int *parent);
wy_network_piece wy_network_piece_of(const wy_network *net, int part); /* likewise */
/* All copies follow their rigid groups: at the iterate; in the state, velocities included. */
void wy_group_nodes_follow(wy_network *net);
void wy_rod_follows(wy_network *net, int rod); /* those of one rod */
void wy_group_nodes_settle(wy_network *net);
void wy_rod_settles(wy_network *net, int rod);
/* The change of a copy from that of its rigid group. */
void wy_group_node_change(const wy_network *net, int member, double change[6]);
/* Velocities of the rigid groups from those of their parts, with all their momentum. */
withy_status wy_rigid_groups_velocity(wy_network *net, withy_error *err);
/* What the placed shape misses of held ends: an error of the mesh that stays. */
withy_status wy_rigid_groups_offsets(wy_network *net, withy_error *err);
/* q+ = q- of all rigid groups; and of those that stand, for the steps of a call. */
void wy_rigid_groups_stay(wy_network *net);
void wy_rigid_groups_stand(wy_network *net);
/* After a step: held rigid groups exactly where `hold` last put them. */
void wy_rigid_groups_pin(wy_network *net);
/* Where a held rigid group is at t. */
withy_status wy_rigid_group_target(const wy_network *net, int c, double t, wy_pose *to,
                                   withy_error *err);
/* Where held rigid groups are at t: next[].change of the rigid groups becomes what is left. */
withy_status wy_rigid_groups_hold(wy_network *net, double t, withy_error *err);

/* ---- director/linear/segment.c ------------------------------------------------------------------------------- */

/* Condense a segment to the rigid groups at its ends: rows and columns 6 i of member i; those of a free end are
 * eliminated.  Column 12: minus the residual. */
void wy_segment_condense(wy_network *net, const wy_network_segment *g,
                         double front[12][WY_SEGMENT_FRONT]);
/* Rows and columns of a copy, `at` on, to those of its rigid group; the last column may be the right side, `force` is F_r
 * of the copy. */
typedef struct wy_matrix_rows {
    int rows, columns, stride;
    double *m;
} wy_matrix_rows;
void wy_group_node_turn(const wy_network *net, int member, vec3 force, const wy_matrix_rows *x,
                        int at);
/* Changes of all its nodes from those of its rigid groups. */
void wy_segment_back(wy_network *net, const wy_network_segment *g);
/* The same with another right side, which is in next[].change of the rod (0 in copies): two[12] is what it adds
 * to the rigid groups. */
void wy_segment_again(wy_network *net, const wy_network_segment *g, double two[12]);

/* ---- director/network/constraint.c: joints of the problem as links --------------------------------------------------- */
withy_status wy_constraints_make(wy_network *net, withy_error *err);
/* A joint in words: its number, name, kind and parts; text[WY_JOINT_WORDS]. */
const char *wy_network_words(const wy_network *net, int joint, char *text, size_t size);
/* Targets, efforts and the ground for a step from t0 to t1, efforts at `when`. */
withy_status wy_constraints_at(wy_network *net, double t0, double when, double t1,
                               withy_error *err);
wy_pair_step wy_joint_pair(const wy_network *net, const wy_network_joint *joint);
void wy_constraint_find(const wy_network *net, const wy_network_joint *joint, int constraint,
                        const wy_pair_step *at, wy_constraint_state *out);
/* d(Bbar^T sigma) of a joint by q+ of its rigid groups, added (of a step seen from its end: by q-); pull[count]. */
void wy_joint_tangent(const wy_network *net, const wy_network_joint *j, double h[WY_PAIR][WY_PAIR],
                      wy_constraint_state *state);
void wy_constraints_begin(wy_network *net); /* a new Newton iteration: sigma */
/* Was a joint beyond its limits in this step? */
int wy_constraints_stopped(const wy_network *net);
/* After a solve, before anything moves. */
void wy_constraints_correct(wy_network *net, double share);
/* Statics: u^T (Bbar^T slope Bplus + H) u of the changes u of the rigid groups. */
double wy_constraints_quotient(const wy_network *net, double *terms, double *round);
void wy_constraints_commit(wy_network *net); /* angles, forces, work, losses of a solved step */
/* The largest violation of a constraint, over L, and its joint; -1: there is none. */
double wy_constraints_gap(const wy_network *net, int *widest);

/* ---- director/network/weld.c: the forces in welds -------------------------------------------------------------- */
int wy_network_part(const wy_network *net, const withy_place *place); /* bodies, then members */
withy_status wy_welds_make(wy_network *net, withy_error *err);
void wy_welds_commit(wy_network *net);

/* ---- director/linear/reduced.c: the linear system ------------------------------------------------------------ */
withy_status wy_reduced_make(wy_network *net, withy_error *err);
void wy_reduced_places(wy_network *net); /* where rigid groups and joints are in a new order */
/* The blocks of joints, into a pattern of these or of all nodes. */
struct wy_node_matrix;
void wy_reduced_couple(const wy_network *net, const struct wy_node_matrix *w, wy_blocks_spec *x);
/* Do constraints depend on each other?  Needs the rigid groups at t = 0. */
withy_status wy_reduced_check(wy_network *net, withy_error *err);
/* The matrix and the right side, where share > 0 after each rod has moved by that share of its last change; and the
 * solved right side to all nodes: returns the size of the largest change. */
withy_status wy_reduced_fill(wy_network *net, double share, withy_error *err);
double wy_reduced_spread(wy_network *net);
/* Newton's changes of all rigid groups, multipliers and nodes, and their size; infinite: singular. */
withy_status wy_reduced_solve(wy_network *net, double share, double *size, withy_error *err);

/* [ 1 B^T ; B 0 ], lengths in units of L, rows of unit length, into value; loops = 0: without the rows that close loops,
 * which are -1 on the diagonal: that of one link. */
void wy_reduced_kinematic(wy_network *net, double *value, int loops);
void wy_reduced_off(const wy_network *net, const wy_network_constraint *constraint, double *value);
/* h to the blocks of the two rigid groups of a joint. */
void wy_reduced_add(wy_network *net, const wy_network_joint *j, const double h[WY_PAIR][WY_PAIR]);

/* ---- director/linear/node_matrix.c: all nodes in one matrix ----------------------------------------------------------- */

/* The nodes of all rods are numbered through, and the rigid groups after them. */
typedef struct wy_node_matrix {
    int nodes, *first;   /* [rods + 1] the first node of each rod */
    int *member, *block; /* [nodes] the copy that it is, or -1; its block row, or -1: it has none */
    int standing;        /* block row of the first rigid group that stands; -1: they have none */
    const wy_blocks *blocks;
    double *value, *side; /* what is summed; side: or NULL */
} wy_node_matrix;

int wy_node_matrix_rigid_group(const wy_network *net, const wy_node_matrix *w,
                               int c); /* its block row, or -1 */
int wy_node_matrix_block(const wy_network *net, const wy_node_matrix *w,
                         int node); /* node, rigid group after them */
/* Block rows of the nodes of a rod, and the blocks of its elements. */
void wy_node_matrix_number(const wy_network *net, const wy_node_matrix *w, int rod,
                           wy_blocks_spec *x);

/* Rows m[6 count][stride] of `count` nodes or rigid groups (-1: the ground), with the right side in column 6 count. */
typedef struct wy_matrix_part {
    int count, stride;
    const int *node;
    double *m;
} wy_matrix_part;

/* To the matrix of element e of a rod: what acts on those of its nodes alone that it completes, and their numbers. */
void wy_node_matrix_element(const wy_network *net, const wy_node_matrix *w, int rod, int e,
                            const wy_matrix_part *x, int *node);
void wy_matrix_part_turn(const wy_network *net, const wy_node_matrix *w,
                         const wy_matrix_part *x); /* copies */
void wy_matrix_part_add(const wy_network *net, const wy_node_matrix *w, const wy_matrix_part *x);

/* ---- director/static/mixed_static.c: as that of a rod ------------------------------------------------------------------- */
withy_status wy_network_mixed_make(wy_network *net, withy_error *err);
withy_status wy_network_mixed_factor(wy_network *net, withy_error *err);
void wy_network_mixed_solve(wy_network *net, double *b);
int wy_network_is_mixed(const wy_network *net);
/* Of the next solution, do the strains of the rods miss sigma?  They do not; or those of the residual of before, again. */
int wy_network_mixed_misses(const wy_network *net);
void wy_network_mixed_clear(wy_network *net);
void wy_network_mixed_repeat(wy_network *net);
/* What rounding of places makes of the forces, to wy_director_mixed_rounding of each rod. */
void wy_network_mixed_rounding(wy_network *net);

/* ---- director/static/closed_loop.c: in statics and modes, the rows that close loops ------------------------------------- */
int wy_loops_leave(const wy_network *net,
                   int constraint); /* 1: it depends on others, and is left out */
withy_status wy_loops_start(wy_network *net, withy_error *err); /* at t = 0: plan.closing */
void wy_loops_begin(wy_network *net); /* at the shape that Newton's method begins at */
/* Independent constraints at the present shape; refuses joints that contradict each other. */
withy_status wy_loops_rank(wy_network *net, int *rank, withy_error *err);
/* In turn: which rows are in use, before the reduced system is filled; what they add to it; with its factors their own,
 * *negative: of the unstable directions less those that they hold (0: singular); and net->side, solved.  again: gaps
 * are in the right side. */
withy_status wy_loops_choose(wy_network *net, withy_error *err);
void wy_loops_fill(wy_network *net);
int wy_loops_close(wy_network *net, int *negative);
void wy_loops_solve(wy_network *net, int again);

/* ---- director/step/network_step.c, network_ledger.c, network_sample.c ---------------------------------------- */
withy_status wy_network_advance(void *self, const wy_span *span, withy_error *err);
void wy_network_open_steps(wy_network *net); /* as all steps of a motion begin */
withy_status wy_network_begin(wy_network *net, withy_error *err); /* the motion starts */
withy_status wy_network_full_step(wy_network *net, double h, withy_error *err);
/* One accepted step of length h from step->t once more, as it was. */
withy_status wy_network_again(wy_network *net, double h, withy_error *err);
withy_status wy_network_step_failed(const wy_network *net, double h, withy_error *err);
/* dt = "auto" of a network, by director/step/step_size.c with the rigid groups: copies of the state. */
void wy_network_save_copy(wy_network *net, int which);
void wy_network_restore_copy(wy_network *net, int which);
/* The common part of a step, of the rigid groups, to all rods. */
void wy_network_share_step(wy_network *net);
/* Loads, ends and joints of a step from t0 to t1, forces at `when`. */
withy_status wy_network_loads_at(wy_network *net, double t0, double when, double t1,
                                 withy_error *err);
/* Everything moves by a share of its change; sigma and lambda with it.  Or in parts: rigid groups and joints first, then
 * each rod. */
void wy_network_move(wy_network *net, double share);
void wy_network_move_rod(wy_network *net, int rod, double share);
/* Residual b and tangent a of inertia, weight and loads of a rigid group. */
void wy_network_rigid_group_terms(const wy_network *net, int c, double a[6][6], double b[6]);
void wy_network_ledger_open(wy_network *net);
/* A solved step, before it is committed; and the errors that guesses would have had, added to miss. */
void wy_network_ledger_add(wy_network *net, double miss[WY_DIRECTOR_HISTORY + 1]);
/* After; the energies of the rods are those of wy_director_energies. */
void wy_network_ledger_close(wy_network *net);
/* Forces of what holds rigid groups at the iterate, and their work in the step, added. */
void wy_network_reactions(wy_network *net, double *work);
/* Loads of a body, added to residual and tangent of its rigid group. */
void wy_network_body_terms(const wy_network *net, int body, double a[6][6], double b[6]);
/* Minus the loads of a body, as rows of its rigid group. */
void wy_network_body_force(const wy_network *net, int body, double b[6]);
/* The residual of a copy, as rows of its rigid group. */
void wy_group_node_force(wy_network *net, int member, double b[6]);
void wy_network_energies(wy_network *net);
withy_energies wy_network_total(const wy_network *net); /* of rods and rigid groups */
void wy_network_totals(wy_network *net); /* what snapshots tell of the whole, from the state */
double wy_network_energy(const wy_network *net);
double wy_network_conserved(const wy_network *net);
int wy_network_nodes(const void *self, int rod, double *s);
void wy_network_speeds(const void *self, int count, const double *s, vec3 *velocity, vec3 *spin);
void wy_network_sample(const void *self, int rod, withy_snapshot *snap);
void wy_network_sample_parts(const void *self, withy_parts *parts);

/* ---- director/rod/taut.c: are the meshes of taut rods stable? -------------------------------------------- */
withy_status wy_network_may_start(void *self, withy_error *err);
/* Fails, and says so, where one is beyond its limit by more than `most`. */
withy_status wy_network_taut_fails(const wy_network *net, double most, withy_error *err);
int wy_network_taut_unstable(const void *self); /* or may one be? */
/* Fails where the tension of positions is not that of the strains; at rest, of all rods. */
withy_status wy_network_taut_judge(const wy_taut *worst, withy_error *err);
withy_status wy_network_taut(const wy_network *net, withy_error *err);

/* ---- director/static/network_static.c: the equations interface of a network -------------------------------------- */
extern const wy_equations wy_network_statics;
/* A vector of the interface to the changes of rigid groups, nodes (copies included) and multipliers; and back. */
int wy_network_rows(const wy_network *net); /* of a vector, without tensions */
/* Of it: rigid groups, and nodes of rods that are no nodes of rigid groups. */
int wy_network_free_nodes(const wy_network *net);
int wy_network_is_group_node(const wy_network *net, int rod, int node);
/* Which parts joints tie together (director/static/part_group.c); then, with the rigid groups, their nodes. */
withy_status wy_groups_find(wy_network *net, withy_error *err);
withy_status wy_groups_make(wy_network *net, withy_error *err);
int wy_rigid_group_parts(const wy_network *net, int c);
double wy_body_group_length(const wy_network *net, int body);
void wy_network_scatter(wy_network *net, const double *v);
void wy_network_gather(const wy_network *net, double *v);
void wy_network_solve_again(wy_network *net, double *b); /* with the kept factors, no tensions */
/* What is in the changes of copies is added to those of their rigid groups, as forces are: with arms at the end of the
 * step, or their means. */
void wy_network_collect(wy_network *net, int plus);
void wy_network_drop_held(wy_network *net); /* the changes of held rigid groups become zero */

/* ---- director/force/network_tendon.c ----------------------------------------------------------------------- */
withy_status wy_network_tendons_make(wy_network *net, withy_error *err);
/* The tendon that this one continues: its rod and its number there. */
int wy_network_tendon_before(const wy_network *net, int rod, int tendon, int *before);
void wy_network_tendon_efforts(wy_network *net); /* tensions to the pieces between rods */
void wy_network_tendon_gaps(const wy_network *net, double *gap); /* what lengths miss */
/* With the border of the factors just made, which are kept; 0: singular.  Changes are overwritten. */
int wy_network_tendons_solve(wy_network *net);
int wy_network_tendons_border(wy_network *net);  /* the border alone */
void wy_network_tendon_columns(wy_network *net); /* and of that columns and rows alone */

/* ---- director/network/network_end.c: ends of rods that are where a joint is -------------------------------------- */
int wy_network_end_rates(
    const wy_director_end *end); /* 1: position by its rates, 2: direction, 3: both */
/* Where such an end is at t, in the step from step->t. */
withy_status wy_network_end_pose(const wy_network *net, int rod, int which, double t, wy_pose *pose,
                                 withy_error *err);
/* After a step: ends that are given by their rates. */
withy_status wy_network_ends_keep(wy_network *net, withy_error *err);

/* ---- director/static/network_modes.c ------------------------------------------------------------------------ */
void wy_network_mass_times(const void *self, const double *v, double *mv);
void wy_network_damping_times(const void *self, const double *v, double *cv);
double wy_network_quotient(const void *self, const double *v, double *terms, double *round);
double wy_network_rounding(void *self, const double *v);
void wy_network_shape(const void *self, const double *v, withy_mode *mode);
withy_status wy_network_inertia(void *self, double shift, int most, int *negative,
                                withy_error *err); /* director/static/inertia.c */
