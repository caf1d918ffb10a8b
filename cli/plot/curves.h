/* curves.h - a chosen number of a result over time, by its name.
 *
 *   PROBE                      a probe
 *   ENTRY                      of the ledger, summed over the rods: kinetic, momentum
 *   [ROD.]PLACE[.QUANTITY]     at PLACE of a rod, of the first where none is named: start, middle, finish, or s=0.2,
 *                              the station nearest to that arc length; position where no quantity is named
 *   PART.QUANTITY              of a body, a joint or an obstacle
 *   contacts[.QUANTITY]        of all contacts of a snapshot: their number, the sum of push, friction or force, the
 *                              least gap
 * and after each of them .COMPONENT: x, bend1, ..., or norm, the length of a vector.
 */
#pragma once

#include "plot/plot.h"

/* One curve for each component, or for the one that was chosen. */
typedef struct curves {
    int64_t count;
    int size;         /* numbers per time */
    int first, shown; /* of them, which are drawn */
    int norm;         /* the length of all of them instead */
    double *t, *value;
    char what[WITHY_NAME]; /* the quantity, "" for entries of the ledger */
    char unit[WITHY_NAME];
    char place[48]; /* " at s = 0.25 m" where a station was taken for a place */
} curves;

/* Into curves that are all zero. */
withy_status curves_read(withy_result *result, const char *path, const char *requested, curves *c,
                         withy_error *err);
double curves_value(const curves *c, int64_t k, int i); /* curve i of those shown, at time k */
void curves_drop(curves *c);
