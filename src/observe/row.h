/* row.h - a quantity of a snapshot between its stations: cubic splines, whose third derivative is continuous at the
 * second station and at the last but one ("not a knot").  Slopes and curvatures are continuous. */
#pragma once

#include "base/base.h"
#include "withy/snapshot.h"

enum { WY_ROW_POINTS = 5 }; /* at least */

typedef struct wy_row {
    int count, size;     /* stations, numbers at each                           */
    int unit;            /* 1: a quaternion, which is kept at length 1          */
    const double *s;     /* [count]                                             */
    const double *value; /* [count][size]                                       */
    const double *slope; /* [count][size] its derivative                        */
} wy_row;

/* A copy, from the arena; 0: no memory, or the snapshot lacks it. */
int wy_row_take(wy_row *row, const withy_snapshot *snap, const withy_quantity *quantity,
                wy_arena *arena);
void wy_row_at(const wy_row *row, double s, double *out);
void wy_row_slope(const wy_row *row, double s,
                  double *out); /* its derivative; of the spline alone */

/* All of a snapshot at the stations of another, which was made for them (wy_snapshot_make). */
withy_status wy_snapshot_regrid(const withy_snapshot *from, withy_snapshot *to, withy_error *err);
