/* subspace.h - what subspace.c, quadratic.c, eigenmodes.c and eigen_lowest.c share: a block of vectors that holds the lowest
 * modes of K x = mu M x, and the modes found from it. */
#pragma once

#include "study/equilibrium/equations.h"

typedef struct wy_ritz {
    wy_static *equilibrium;
    int size, rows;
    int most, sure; /* modes that there can be, at most; 1: there are so many */
    int general;    /* K is not symmetric */
    int negative;   /* eigenvalues below the shift, by the signs of the pivots; -1: not known */
    double shift;   /* K - shift M is factorised */
    double *memory;
    double *
        neutral; /* [neutrals][2][rows] known motions without stiffness, orthonormal, and M times them */
    int neutrals;
    double *x, *y, *mx;           /* [size][rows] basis, A x; [rows] M times a vector */
    double *h, *re, *im, *vector; /* the projected matrix, its theta and vectors      */
    int *rank;                    /* [size] order of the modes: lowest first          */
} wy_ritz;

/* One mode: exp(rate t) times the shape.  Of a pair only the one with im >= 0 is a mode. */
typedef struct wy_root {
    double re, im;       /* rate [1/s]                                                     */
    double order;        /* frequency squared of the shape alone: which modes are the lowest */
    int neutral;         /* 1: neither frequency nor growth, within rounding               */
    int conjugate;       /* 1: the imaginary part is -y                                    */
    int part;            /* the group that it is of (mode_list.c)                          */
    const double *x, *y; /* [rows] real and imaginary part of the shape; y NULL: real      */
} wy_root;

/* Roots and the memory of their vectors. */
typedef struct wy_roots {
    int count, room;
    int settled; /* 1: they have converged */
    wy_root *root;
    double *memory; /* of shapes that are not in the block */
} wy_roots;

static inline double *wy_ritz_at(const wy_ritz *b, double *of, int i) {
    return &of[(size_t)i * (size_t)b->rows];
}
static inline double wy_ritz_dot(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

enum { WY_MODES_MOST = 1000 }; /* modes of a block that is enlarged */

/* ---- subspace.c ------------------------------------------------------------------------------------ */
/* A block for `count` modes and some more, of b->most. */
withy_status wy_ritz_take(wy_static *equilibrium, int count, wy_ritz *b, withy_error *err);
void wy_ritz_give(wy_ritz *b);
/* wy_equations.rate, of the group that is looked at. */
double wy_ritz_rate(const wy_static *x);
/* The shift for modes whose lowest frequency squared is that. */
double wy_ritz_shift(double lowest);
/* Factorise K - shift M at the present shape; still->change is then Newton's.  b->shift 0: that of wy_equations.rate. */
withy_status wy_ritz_factor(wy_ritz *b, withy_error *err);
/* Iterate until the first `count` have changed by less than `still`; *settled: they have. */
withy_status wy_ritz_iterate(wy_ritz *b, int count, double equilibrium, int *settled,
                             withy_error *err);
/* v^T K v by strains, of length 1; *error: what rounding may have done to it. */
double wy_ritz_quotient(const wy_ritz *b, const double *v, double *terms, double *error);
int wy_ritz_found(const wy_ritz *b); /* modes that the mesh has, among those of the block */
/* mu of mode k, by rank, and its imaginary part; *error: what rounding may have done to it. */
double wy_ritz_mu(wy_ritz *b, int k, double *im, double *error);
double wy_ritz_lost(const wy_ritz *b); /* what rounding of the factors may do to mu */
/* Length 1 in the product of M; what has no more than `least` becomes 0.  Returns the length. */
double wy_ritz_normalise(const wy_ritz *b, double *v, double least);

/* theta and the vectors of the projected matrix h[n][n]; 0 when that failed. */
int wy_ritz_values(int general, int n, double *h, double *re, double *im, double *vector);
/* x[size][rows] <- Ritz vectors of the images y, in the order of the rank. */
void wy_ritz_vectors(wy_static *equilibrium, int size, int rows, const double *vector,
                     const int *rank, const double *y, double *x);

/* ---- quadratic.c ----------------------------------------------------------------------------------- */
/* Does anything damp, or is the frame turning?  Tried on the vectors of the block. */
int wy_ritz_is_damped(const wy_ritz *b);
/* The modes of lambda^2 M + lambda C + K, from a block that has converged: at least `count`, and all that
 * grow. */
withy_status wy_quadratic_solve(wy_ritz *b, int count, wy_roots *roots, withy_error *err);

/* ---- eigenmodes.c ---------------------------------------------------------------------------------- */
/* A block that has converged, with room for all modes that grow, of b->most; *count grows with it. */
withy_status wy_ritz_find(wy_static *x, int *count, wy_ritz *b, int *settled, withy_error *err);
/* How many modes a block is made for next: twice as many, or one for each negative pivot and two more. */
int wy_ritz_more(int count, int negative);
int wy_root_grows(const wy_root *root);
/* Of thin rods the motions that nothing resists, before their modes: b->neutral. */
withy_status wy_ritz_neutral(wy_static *x, wy_ritz *b, withy_error *err);
/* The modes of a block without damping: at least `count` of those found. */
withy_status wy_undamped_solve(wy_ritz *b, int count, wy_roots *roots, withy_error *err);
void wy_mode_write(const wy_static *x, const wy_root *root, withy_mode *mode);
/* Is the present shape an equilibrium?  By the Newton change of wy_ritz_find. */
withy_status wy_modes_at_rest(const wy_static *x, withy_error *err);
/* Before that: *count, which may be WITHY_UP_TO + a number, becomes a number of modes that there can be, or is
 * refused; b gets most and sure. */
withy_status wy_modes_limit(wy_static *x, int *count, wy_ritz *b, withy_error *err);
/* After it: no more than found, or it is refused. */
withy_status wy_modes_enough(const withy_sim *sim, int asked, int found, int *count,
                             withy_error *err);
/* Work on the equations of the present shape under the present loads, opened and loaded; the state is put back. */
typedef withy_status (*wy_modes_work)(wy_static *x, void *context, withy_error *err);
withy_status wy_modes_about(withy_sim *sim, wy_modes_work work, void *context, withy_error *err);
