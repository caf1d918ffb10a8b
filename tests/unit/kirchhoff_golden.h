/* kirchhoff_golden.h - the golden cases, computed by two independent codes (tools/kirchhoff_golden.py). */
#pragma once

#include "kirchhoff_rig.h"

enum { NODES = 17, LEVELS = 21 };

typedef struct golden {
    const char *name;
    withy_end_kind ends[2];
    int strong, n;
    double length, h, sigma, ct, rho, turn, gravity[3];
    double kappa[2 * NODES], x0[3 * NODES], r0[9 * NODES], v0[3 * NODES], h_all[LEVELS];
    double x1[3 * NODES], x2[3 * NODES], x21[3 * NODES], r21[9 * NODES];
} golden;

static const golden table[] = {
#include "kirchhoff_golden.inc"
};

static inline rig_setup setup_of(const golden *c) {
    return (rig_setup){.ends = {c->ends[0], c->ends[1]},
                       .strong = c->strong,
                       .n = c->n,
                       .length = c->length,
                       .h = c->h,
                       .sigma = c->sigma,
                       .ct = c->ct,
                       .rho = c->rho,
                       .turn = c->turn,
                       .energy = WY_KIRCHHOFF_QUADRATIC,
                       .start = WY_KIRCHHOFF_PAPER,
                       .damping = WY_KIRCHHOFF_DISSERTATION, /* of those that are damped */
                       .gravity = {c->gravity[0], c->gravity[1], c->gravity[2]},
                       .kappa = c->kappa,
                       .x = c->x0,
                       .r = c->r0,
                       .v = c->v0};
}
