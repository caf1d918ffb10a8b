/* observe.h - what every method's snapshots have in common.  Room: src/observe. */
#pragma once

#include "base/base.h"
#include "model/model.h"
#include "withy/snapshot.h"

/* Arrays for count stations, from the arena; s is copied. */
withy_status wy_snapshot_make(wy_arena *arena, int count, const double *s, withy_snapshot *snap,
                              withy_error *err);

/* Everything needed to complete snapshots of a rod at fixed stations: sampled once, because the
 * section may be a function in the scene. */
typedef struct wy_observer {
    int count;
    vec3 gravity;
    double (*stiffness)[WITHY_STRAINS]; /* [count] */
    double (*inertia)[WITHY_INERTIAS];  /* [count] */
    double *weight;                     /* [count] trapezoidal rule over s */
    double (*radius)[2]; /* [count] outer and inner, of a round section or a tube; else NULL */
    int curved; /* 1: its law is not linear: stresses do not follow from forces and moments */
    int yields; /* 1: and it yields */
} wy_observer;

withy_status wy_observer_make(wy_arena *arena, const withy_problem *problem, int rod,
                              const withy_snapshot *snap, wy_observer *observer, withy_error *err);

/* Fill what the method did not: n and m from the strains, energies and momenta by quadrature. */
void wy_observe(const wy_observer *observer, withy_snapshot *snap);
/* Then, in laboratory axes, the quantities that follow from others and are requested. */
void wy_snapshot_find(const wy_observer *observer, withy_snapshot *snap);

/* The quantities that follow from others: their number, and what computes them. */
#define STATION(...)
#define NUMBER(...)
#define FOUND(name, ...) WY_FOUND_##name,
enum {
#include "observe/quantity.inc"
    WY_FOUND_COUNT
};
#undef FOUND
#define FOUND(name, ...)                                                                           \
    int wy_find_##name(const wy_observer *observer, const withy_snapshot *snap, double *out);
#include "observe/quantity.inc"
#undef FOUND
#undef NUMBER
#undef STATION

enum { WY_QUANTITY_SIZE = 4 }; /* most numbers in one quantity */

/* The quantity of this kind behind q; q NULL: the first.  NULL past the last. */
const withy_quantity *wy_quantity_after(int of, const withy_quantity *q);

static inline bool wy_quantity_in(const withy_quantity *quantity, unsigned have) {
    return (have & quantity->have) == quantity->have;
}

/* The array of a quantity of stations in a snapshot: compilers distinguish pointers to vectors and to numbers, not
 * bytes. */
static inline double *wy_quantity_array(const withy_quantity *quantity,
                                        const withy_snapshot *snap) {
    double *array;
    memcpy(&array, (const char *)snap + quantity->offset, sizeof array);
    return array;
}
static inline void wy_quantity_set_array(const withy_quantity *quantity, withy_snapshot *snap,
                                         double *array) {
    memcpy((char *)snap + quantity->offset, &array, sizeof array);
}

/* Of any other kind: from and to the struct that has it, also whole numbers. */
void wy_quantity_get(const withy_quantity *quantity, const void *state, double *out);
void wy_quantity_put(const withy_quantity *quantity, void *state, const double *in);
double *wy_quantity_place(const withy_quantity *quantity, withy_parts *parts, int index);

/* For withy_number_find. */
withy_names wy_problem_names(const withy_problem *problem);

/* NULL, or the name of the first filled field with a value that is not finite. */
const char *wy_snapshot_not_finite(const withy_snapshot *snap);

/* ---- row.c: a quantity of a snapshot between its stations: cubic splines, whose third derivative is continuous at the
 * second station and at the last but one ("not a knot").  Slopes and curvatures are continuous. */

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
