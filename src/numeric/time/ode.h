/* ode.h - adaptive integration of y' = f(t, y); the only use of SUNDIALS.  Room: src/numeric. */
#pragma once

#include "base/base.h"

typedef struct wy_ode wy_ode;

typedef struct wy_ode_problem {
    int size;
    withy_status (*rate)(void *context, double t, const double *y, double *dy, withy_error *err);
    /* After each step; an error ends the call.  May be NULL. */
    withy_status (*stepped)(void *context, double t, const double *y, withy_error *err);
    void *context;
    double relative;
    const double *absolute; /* [size] */
} wy_ode_problem;

/* NULL, or the library this build lacks. */
const char *wy_ode_missing(void);

withy_status wy_ode_make(const wy_ode_problem *problem, wy_ode **ode, withy_error *err);
/* From y at `from` to y at t, and nothing else is kept: begun with a step of *h (0: any), which
 * becomes the step to continue with. steps: number taken. */
withy_status wy_ode_advance(wy_ode *ode, double from, double t, double *y, double *h, long *steps,
                            withy_error *err);
void wy_ode_free(wy_ode *ode); /* NULL is fine */
