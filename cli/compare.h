/* compare.h - one scene under one method, refined until its error is known. */
#pragma once

#include "cli.h"

enum { COMPARE_LEVELS = 6, COMPARE_POINTS = 2 };

/* What is compared: positions of these points of the first rod at every output time. */
extern const char *const compare_point[COMPARE_POINTS];

/* One run: positions[point][time]. */
typedef struct compare_run {
    double tol;                     /* options.tol, when the method adapts its step; else 0 */
    int n;                          /* options.n as used */
    double dt;                      /* step as used [s] */
    double wall;                    /* [s] */
    double node_steps;              /* n * steps */
    int count;                      /* output times, t = 0 included */
    double *t;                      /* [count] */
    withy_vec3 *at[COMPARE_POINTS]; /* [count] */
} compare_run;

/* A method with its levels, finest last, and the error of the finest by Richardson. */
typedef struct compare_method {
    char name[WITHY_NAME];
    int levels;
    int automatic; /* 1: the step of the scene is not for this method; it chooses its own */
    compare_run run[COMPARE_LEVELS];
    double order[COMPARE_POINTS];   /* observed over the whole run; 0: not known */
    double *error[COMPARE_POINTS];  /* [count] error bar of the finest level [m] */
    double largest[COMPARE_POINTS]; /* over all times */
} compare_method;

typedef struct compare_setup {
    const char *scene;
    const cli_list *set;     /* overrides for every method */
    const cli_list *special; /* METHOD:path=value, for one method only */
    int refine;              /* levels beyond the first, 1 .. COMPARE_LEVELS - 1 */
} compare_setup;

/* Run all levels.  On refusal or failure err says why. */
withy_status compare_solve(const compare_setup *setup, const char *method, compare_method *out,
                           withy_error *err);
void compare_free(compare_method *method);

double compare_distance(withy_vec3 a, withy_vec3 b);
