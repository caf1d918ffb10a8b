/* compare.h - one scene under several methods: levels of refinement, error bars, and what a simpler rod
 * leaves out. */
#pragma once

#include "cli.h"

enum { COMPARE_LEVELS = 9 };
enum { COMPARE_FINISH, COMPARE_MIDDLE, COMPARE_FORCE, COMPARE_MOMENT, COMPARE_WHAT };

/* What is compared: a vector at every output time, or at every point of a static path. */
typedef struct compare_what {
    const char *name, *unit;
    unsigned have;   /* a method must know these (WITHY_HAVE_ bits)                             */
    int only_static; /* forces of a motion ring with the finest waves, and are not compared     */
} compare_what;
extern const compare_what compare_list[COMPARE_WHAT];

/* One run. */
typedef struct compare_run {
    int level;                    /* n 2^level, dt 2^-level                                     */
    int automatic;                /* 1: the step of the scene is not for this method; it chooses */
    int n;                        /* options.n as used                                          */
    double dt;                    /* step as used; 0: statics, or a step that adapts        [s] */
    double tol;                   /* options.tol, when the method adapts its step; else 0       */
    double wall;                  /*                                                        [s] */
    double node_steps;            /* n * steps, or n * iterations of all equilibria            */
    int count;                    /* output times, t = 0 included; or points of the path        */
    double *t;                    /* [count] times [s] or load factors                          */
    withy_vec3 *at[COMPARE_WHAT]; /* [count]                                                    */
    unsigned have;                /* bit i: compare_list[i] was recorded                        */
    char notes[512];              /* of the method, as many as fit                              */
} compare_run;

/* A method with its runs, finest last, and the error bars of the finest by Richardson. */
typedef struct compare_method {
    char name[WITHY_NAME];
    unsigned rigid; /* strains it leaves out (withy_method_info)                                */
    int levels;     /* runs done                                                                */
    int automatic;  /* 1: from now on the method chooses its own step                            */
    int known;      /* 1: the levels approach each other, so that the error bars mean something */
    double order;   /* the lowest observed; 0: two levels, too close for a third                */
    compare_run run[COMPARE_LEVELS];
    double *error[COMPARE_WHAT];    /* [count] error bar of the finest level                  */
    double largest[COMPARE_WHAT];   /* over all times                                         */
    char skipped[WITHY_ERROR_TEXT]; /* why the coarsest levels failed, or why no finer one    */
} compare_method;

typedef struct compare_setup {
    const char *scene;
    const cli_list *set;     /* overrides for every method                                      */
    const cli_list *special; /* METHOD:path=value, for one method only                          */
    int refine;              /* most levels beyond the first, 1 .. COMPARE_LEVELS - 1           */
    double accuracy;         /* refine until the error bars are below this part of the way      */
    double length;           /* of the first rod                                            [m] */
    int statics;             /* 1: equilibria along the path instead of a motion                */
} compare_setup;

/* What leaving out stretch and shear does: where the rigid rod lies, measured from the given one. */
typedef struct compare_model {
    unsigned left_out;               /* strains in question; 0: all methods solve the same rod  */
    int known;                       /* 0: it could not be found                                */
    const char *found_with;          /* the method                                              */
    withy_vec3 *shift[COMPARE_WHAT]; /* [count]                                                 */
    double *error[COMPARE_WHAT];     /* [count] its bar                                         */
    double largest[COMPARE_WHAT];    /* of the shift                                            */
} compare_model;

/* Refine until the error is known and small enough.  On refusal or failure err says why. */
withy_status compare_solve(const compare_setup *setup, const char *method, compare_method *out,
                           withy_error *err);

/* Bars of a method from its runs so far; 1 when they are known and below the accuracy. */
int compare_estimate(const compare_setup *setup, compare_method *m);

/* Fill *out when the methods differ in what they leave out. */
withy_status compare_find_model(const compare_setup *setup, const compare_method *method, int count,
                                compare_model *out, withy_error *err);

/* The run of run->level and run->automatic, with the stiffness of some strains multiplied. */
withy_status compare_once(const compare_setup *setup, const compare_method *m, unsigned strains,
                          double factor, compare_run *run, withy_error *err);

void compare_run_free(compare_run *run);
void compare_free(compare_method *method);

/* The longest way of a point in this run [m]; the length of the rod when nothing moves. */
double compare_way(const compare_setup *setup, const compare_run *run);

double compare_distance(withy_vec3 a, withy_vec3 b);

static inline const compare_run *compare_finest(const compare_method *m) {
    return &m->run[m->levels - 1];
}
