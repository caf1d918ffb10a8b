/* descend.h - the least value of a function with bounds and constraints, from NLopt.  Room: src/numeric. */
#pragma once

#include "numeric/search/search.h"

/* value[1 + constraints] at x, of which the first is to be least and the others must be <= 0, or 0 where they are
 * equalities; slope[1 + constraints][count] or NULL.  1: there is none at x; 2: stop. */
typedef int (*wy_descend_model)(void *context, const double *x, double *value, double *slope);

typedef struct wy_descend {
    wy_descend_model model;
    void *context;
    int count;       /* of x: each between 0 and 1                       */
    int constraints; /* of them the first `equal` are equalities         */
    int equal;
    double tol;             /* relative, of the value and of x                  */
    double slack;           /* a constraint is met within this                  */
    int most;               /* evaluations at most                              */
    int runs, slopes;       /* made                                             */
    double best, violation; /* value, and largest violation of a constraint, there */
} wy_descend;

/* x[count]: start, then the best point that meets the constraints, or the one that misses them least. */
wy_search_end wy_descend_find(wy_descend *descend, double *x);
