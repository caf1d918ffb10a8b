/* mixed.h - the equations at rest with the forces of the rods as unknowns, handed over in pieces.
 *
 *   M = [ A    B^T   ]    A: bending, twist, geometric terms, nodes, rigid groups     B: rows of shear and stretch
 *       [ B   -C^-1  ]
 *
 * K = A + B^T C B mixes EA/h with EI/L^3: at r/L = 1e-5 nothing of the latter is left in double precision.  With the forces
 * s = C B q as unknowns of their own nothing large is added to anything small, and C^-1 may go to zero.  A multiplier of a
 * joint is a row like that of a force, with zero on the diagonal.  Rows and columns are scaled alike, each rod with its own
 * stiffness and force, a rigid group with those of the stiffest.
 *
 * Who counts signs (inertia.c) and who solves (mixed_static.c) get the same pieces.
 */
#pragma once

#include "method/director/contact/contacts.h"
#include "numeric/linear/linear.h"

/* Where a node, or a rigid group, is in the matrix. */
typedef struct wy_mixed_place {
    int row[6];         /* -1: held, and left out                                       */
    int held;           /* a rigid group whose rows are those of the identity               */
    double shift, turn; /* scales                                                       */
    int member;         /* the node is a node of a rigid group; -1: it is not            */
} wy_mixed_place;

/* Where the unknowns of a rod are. */
typedef struct wy_mixed_rod {
    wy_mixed_place *node;
    int *force;  /* [n][p][3] */
    double unit; /* scale of the forces */
} wy_mixed_rod;

/* Who gets the pieces. */
typedef struct wy_mixed {
    wy_front *to; /* for signs: rows of multipliers that depend on others are not left out */
    /* before node `at` of a rod, or a rigid group (rod: NULL), is complete, with its number in a vector of wy_network_gather;
     * NULL */
    void (*more)(struct wy_mixed *w, const wy_director *rod, int node, int number,
                 const wy_mixed_place *at);
    const wy_network *net;
    int nodes;         /* of the rods, without copies, given out so far        */
    int holds;         /* held rows stay, as those of the identity             */
    int rows;          /* given out so far                                     */
    int forces;        /* and multipliers among them                           */
    wy_mixed_rod *rod; /* [rods] where they are; NULL: not needed             */
    int *lock;         /* [multipliers] their rows                             */
    double *lock_unit; /* [multipliers] their scales                           */
    wy_mixed_place *rigid_group;
    int *turn; /* [rigid groups + joints] after which rod they are complete */
} wy_mixed;

withy_status wy_mixed_fill(wy_mixed *w, wy_network *net, withy_error *err);
double wy_mixed_scale(const wy_mixed_place *at, int k);
