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
