/* static.h - statics and modes of cheb: what equations.c and matrix.c share. */
#pragma once

#include "method/cheb/cheb.h"

/* Memory of statics and modes, from the first call on. */
struct wy_cheb_static {
    int m, rows;    /* unknowns: rows (3 or 6) fields of n + 1 nodes */
    double *matrix; /* [m][m] K - shift M, factored */
    int *pivot;     /* [m] */
    double *scale;  /* [m] its rows were multiplied by these */
    double *visc;   /* [m][m] -C, when the rod is damped */
    int visc_made;  /* of the shape that was factored last */
    double *mass;   /* [rows][rows][n+1] M, made with the factors */
    double *sum;    /* [n][n] D without row and column of the anchor, factored */
    int *sum_pivot;
    int anchor;             /* the node the centre line is integrated from */
    double objective[2][7]; /* the ends as they are prescribed */
    double part;            /* share of the gaps to be closed */
    int weighed;            /* 1: M is that of wy_equations.weigh */
    /* modes: the force as an unknown (cheb/matrix.c), NULL until they are asked for */
    int mixed, wide_rows;
    double *wide, *wide_side, *none; /* [wide_rows]^2, factored; [wide_rows]; zeros */
    int *wide_pivot;
    wy_cheb *space; /* of a planar rod: the same in space, for its modes */
};

/* Turn in space from laboratory axes into (d3, d1, d2) of a frame, and back. */
static inline vec3 wy_cheb_to_axes(mat3 frame, vec3 a) {
    return v3(v3_dot(frame.c3, a), v3_dot(frame.c1, a), v3_dot(frame.c2, a));
}
static inline vec3 wy_cheb_from_axes(mat3 frame, vec3 a) {
    return v3_axpy(v3_axpy(v3_scale(a.x, frame.c3), a.y, frame.c1), a.z, frame.c2);
}

/* Is an entry of an end given?  Of a rolling one the two turns across its tangent are. */
static inline int wy_cheb_is_given(const wy_cheb *x, int e, int field) {
    const wy_cheb_end *end = &x->end[e];
    if (field < wy_cheb_places(x)) return end->place != WY_CHEB_LOOSE;
    return end->turn != WY_CHEB_LOOSE && !(end->rolls && field == 3);
}

/* x->p1, f, df of the present shape at rest. */
static inline withy_status wy_cheb_static_balance(wy_cheb *x, withy_error *err) {
    return (x->planar ? wy_cheb_planar_balance : wy_cheb_spatial_balance)(x, x->state->t, x->u,
                                                                          NULL, err);
}

/* ---- cheb/matrix.c: functions of the interface ---------------------------------------------------------- */
withy_status wy_cheb_factor(wy_cheb *x, double shift, int *negative, withy_error *err);
void wy_cheb_mixed_solve(const wy_cheb *x, double *b); /* after a factor with mixed = 1 */
void wy_cheb_mass(const void *self, const double *v, double *mv);
void wy_cheb_damping(const void *self, const double *v, double *cv);

/* ---- cheb/spatial_modes.c ---------------------------------------------------------------------------------- */
/* The rod whose modes are those of this one: itself, or the same in space; with the force as an unknown. */
withy_status wy_cheb_whole(void *self, void **whole, withy_error *err);
