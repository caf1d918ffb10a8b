/* batch.h - many rods of elements of degree 1 that step together: director/batch/chain.inc on the processor (vector.c) or on a device
 * (device.c).  What they have in common is in the plan of one simulation; each member is a column of numbers. */
#pragma once

#include "method/director/batch/chain_shared.h"
#include "method/director/network.h"

extern const char wy_chain_source[]; /* chain_shared.h, device.cl with chain.inc */

/* What all members have in common. */
typedef struct wy_chain {
    int n;           /* elements */
    int held[2];     /* of the ends: 1: the place, 2: the frame */
    int loads;       /* 1: a row has loads of the nodes */
    int drag, floor; /* is there any? */
    int newton_most, halvings, actions;
    int *action;         /* [actions][ACTION_SIZE] */
    double *shape;       /* [actions][n] of ACTS_ON_REST */
    int fields, planned; /* numbers of a member, and of the plan */
    int given, varies;   /* numbers of a row; 1: rows differ from step to step */
    double h;
    double *plan; /* [planned] */
} wy_chain;

/* Steps of all members: rows[steps][given] or, where nothing varies, one row; action[actions][count]: values at the end. */
typedef struct wy_chain_steps {
    int64_t count;
    const double *row;
    const double *action;
} wy_chain_steps;

/* An engine: columns 0 .. count - 1 are members, `shelves` more are kept and not stepped. */
typedef struct wy_chain_engine {
    withy_status (*create)(const wy_chain *chain, wy_device *device, int count, int shelves,
                           int threads, void **engine, withy_error *err);
    void (*destroy)(void *engine); /* NULL is fine */
    withy_status (*advance)(void *engine, const wy_chain_steps *steps, withy_error *err);
    /* Columns to[i] become what from[i] was. */
    withy_status (*copy)(void *engine, const int *to, const int *from, int count, withy_error *err);
    withy_status (*put)(void *engine, int column, const double *number, withy_error *err);
    withy_status (*take)(void *engine, int column, double *number, withy_error *err);
    /* out[member][count]: fields of all members, less zero[count]. */
    withy_status (*gather)(void *engine, const int *field, const double *zero, int count,
                           double *out, withy_error *err);
    double (*seconds)(const void *engine);
} wy_chain_engine;
extern const wy_chain_engine wy_chain_vector, wy_chain_device;

extern const wy_lockstep wy_director_lockstep; /* batch.c */

/* chain_step.c, compiled for several processors: groups `first`, first + every, ... of eight columns. */
enum { WY_CHAIN_LANES = 8 };
typedef struct wy_chain_group {
    const wy_chain *chain;
    const double *plan;   /* [planned][8] */
    double *state;        /* [fields][8] */
    double *work;         /* of one thread */
    const double *action; /* [actions][8] */
    int lanes;            /* members of this group: the others stand still */
} wy_chain_group;
size_t wy_chain_work(const wy_chain *chain); /* doubles of wy_chain_group.work */
void wy_chain_group_step(const wy_chain_group *group, const wy_chain_steps *steps);
