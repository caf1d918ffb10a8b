/* joint.h - rods that meet: nodes that are one point (ball joints, welds), and frames that are one (welds).
 *
 * See docs/theory/fdtd.md, Joints.  fdtd/joint.c reads the problem, fdtd/network.c computes.
 */
#pragma once

#include "method/fdtd/fdtd.h"

/* A place that joints connect: a node of a rod, or a place on the ground. */
typedef struct wy_fdtd_member {
    int group, lane, node;   /* group -1: the ground */
    int x;                   /* node * lanes + lane */
    int rod, end;            /* end: 0, 1, or -1 inside the rod */
    int point, shared_point; /* of which it is a part; shared_point -1: its frame is its own */
    int side, sides;         /* of the shared point: first and count */
    int joint, place;        /* ground: whose place it is */
    quat turn;               /* Q: its frame in that of the shared point */
} wy_fdtd_member;

/* Members that are one point. */
typedef struct wy_fdtd_point {
    int first, count; /* in wy_fdtd_joints.order */
    int holder;       /* member that is held, or -1 */
} wy_fdtd_point;

/* Members that have one frame, without inertia. */
typedef struct wy_fdtd_shared_point {
    int first, count; /* sides */
    int holder;       /* member whose frame is held, or -1 */
} wy_fdtd_shared_point;

/* A half beside a node of a shared point: the spring of half an interval is between the two. */
typedef struct wy_fdtd_side {
    int member, shared_point;
    int half;     /* j * lanes + lane */
    double sign;  /* +1: the half follows the node, -1: it precedes */
    double share; /* of the flexibility of the node's interval: 1 at an end, 2 inside */
} wy_fdtd_side;

/* Joints form trees, rooted at the first member of a point: a joint carries what its child and those beyond it need. */
typedef struct wy_fdtd_branch {
    int child, parent; /* members; child -1: the joint closes a loop and carries nothing */
} wy_fdtd_branch;

/* Found with the forces of the present. */
typedef struct wy_fdtd_load_on { /* of a member */
    vec3 need, turn;             /* force and moment that it takes from the joints, laboratory */
} wy_fdtd_load_on;
typedef struct wy_fdtd_side_now {
    vec3 z, m, torque, couple; /* strain h u, stress; on the half, on the frame; material */
} wy_fdtd_side_now;
typedef struct wy_fdtd_point_now {
    vec3 rate, r, p; /* acceleration; after the step */
} wy_fdtd_point_now;

typedef struct wy_fdtd_joints {
    int member_count, point_count, shared_point_count, side_count, joint_count;
    wy_fdtd_member *member; /* [member_count] */
    int *order;             /* [member_count] members, point by point */
    wy_fdtd_point *point;
    wy_fdtd_shared_point *shared_point;
    wy_fdtd_side *side;     /* point by point, and of a member one after the other */
    wy_fdtd_branch *branch; /* [joint_count] */
    int (*pair)[2];         /* [joint_count] members on the first and the second part */
    int *sweep;             /* [sweep_count] joints, from the leaves of the trees to their roots */
    int sweep_count;
    int moves; /* a place on the ground is a function of time */
    int viscous;
    /* state */
    quat *frame; /* [hub_count] of the last step: where the search begins */
    vec3 *zo;    /* [side_count] strains a step ago */
    vec3 *held;  /* [point_count] where the ground holds it at the end of the step */
    /* scratch */
    quat *frame_now; /* [hub_count] */
    wy_fdtd_side_now *side_now;
    wy_fdtd_point_now *point_now;
    wy_fdtd_load_on *on;
} wy_fdtd_joints;

/* The member at a node, or NULL. */
static inline const wy_fdtd_member *wy_fdtd_member_at(const wy_fdtd_group *g, int x) {
    if (!g->joined || g->joined[x] == 0) return NULL;
    return &g->joints->member[g->joined[x] - 1];
}
