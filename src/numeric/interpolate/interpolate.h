/* interpolate.h - between given points: linear, Chebyshev pieces, elements; and quadrature.  Room: src/numeric. */
#pragma once

#include "base/base.h"
#include "base/vec.h"

/* ---- place.c: where an arc length lies among nodes. */

/* Interval j, and 0 <= f <= 1 in it. */
typedef struct wy_place {
    int j;
    double f;
} wy_place;

/* Of s among n intervals of length eta. */
static inline wy_place wy_place_of(double s, double eta, int n) {
    double position = wy_min(wy_max(s / eta, 0.0), n);
    const double node = floor(position + 0.5);
    if (fabs(position - node) < 1e-11 * n) position = node; /* a node but for rounding */
    int j = (int)position;
    if (j > n - 1) j = n - 1;
    return (wy_place){j, position - j};
}

/* Of x among increasing numbers, one in each row of `width`: the piece between row j and row j + 1 <= rows - 1. */
static inline int wy_place_in(const double *row, int width, int rows, double x) {
    int low = 0, high = rows - 1; /* row[low] <= x < row[high], where x lies between the ends */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (row[(size_t)middle * (size_t)width] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline vec3 wy_place_mix(wy_place at, vec3 a, vec3 b) {
    return v3_add(v3_scale(1.0 - at.f, a), v3_scale(at.f, b));
}

/* A load there is shared between the two nodes, by the rule of the lever; what a node gets is divided by `per`. */
static inline void wy_place_share(wy_place at, vec3 load, double per, vec3 *node) {
    node[at.j] = v3_axpy(node[at.j], (1.0 - at.f) / per, load);
    node[at.j + 1] = v3_axpy(node[at.j + 1], at.f / per, load);
}

/* Linear between the nodes of a. */
static inline vec3 wy_place_linear(wy_place at, const vec3 *a) {
    return wy_place_mix(at, a[at.j], a[at.j + 1]);
}

/* Six numbers per node by the cubic through the four nodes around interval j of n >= 3, at a fraction
 * of it. */
static inline void wy_place_cubic(int n, double (*a)[6], int j, double fraction, double out[6]) {
    const int first = j < 1 ? 0 : j > n - 2 ? n - 3 : j - 1;
    const double z = j - first + fraction; /* in intervals from node `first` */
    const double w[4] = {-(z - 1) * (z - 2) * (z - 3) / 6, z * (z - 2) * (z - 3) / 2,
                         -z * (z - 1) * (z - 3) / 2, z * (z - 1) * (z - 2) / 6};
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 4; k++) out[i] += w[k] * a[first + k][i];
    }
}

/* ---- quadrature.c: the rules of Gauss and Lobatto, from Legendre polynomials.
 *
 * Points are found by Newton's method: exact to rounding for every degree, without tables.
 */

/* Gauss's rule on [0, 1]: count >= 1 points inside, exact to degree 2 count - 1. */
void wy_gauss_points(int count, double *point, double *weight);

/* Lobatto's rule on [0, 1]: n + 1 points with both ends, n >= 1, exact to degree 2n - 1. */
void wy_lobatto_points(int n, double *point, double *weight);

/* Its points on [-1, 1], where (1 - x^2) P_n'(x) = 0, their weights 2/(n(n+1) P_n^2) and the
 * barycentric weights of the polynomial through them; each [n+1]. */
void wy_lobatto_nodes(int n, double *x, double *weight, double *bary);

/* ---- element.c: an element of polynomials of one degree on [0, 1].
 *
 * Nodes at the Gauss-Lobatto points (ends included, so that elements share them, and their weights
 * give a positive diagonal mass), derivatives at the Gauss points.
 */

enum { WY_ELEMENT_DEGREE = 4, WY_ELEMENT_NODES = WY_ELEMENT_DEGREE + 1 }; /* at most */

typedef struct wy_element {
    int degree;
    double node[WY_ELEMENT_NODES];                       /* Gauss-Lobatto            */
    double lump[WY_ELEMENT_NODES];                       /* and its weights          */
    double point[WY_ELEMENT_DEGREE];                     /* Gauss                    */
    double weight[WY_ELEMENT_DEGREE];                    /* and its weights          */
    double value[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];   /* N_a at Gauss point g     */
    double slope[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];   /* dN_a/dxi likewise        */
    double slope_at[WY_ELEMENT_NODES][WY_ELEMENT_NODES]; /* and at the nodes       */
} wy_element;

void wy_element_make(int degree, wy_element *element);
/* N_a and dN_a/dxi at xi, [degree + 1] each. */
void wy_element_values(const wy_element *element, double xi, double *value, double *slope);

/* ---- piecewise.c: a function of one variable, sampled once and evaluated from polynomials.
 *
 * Each piece is a Chebyshev series that repeats the function to rounding.  Pieces are halved until
 * it does; where halving does not help (a kink, a jump, noise) the function itself is called, so that
 * nothing is smeared.
 */

enum { WY_PIECE_SIZE = 3, WY_PIECE_DEGREE = 16 };

typedef withy_status (*wy_sampled)(void *context, double x, double *y, withy_error *err);

typedef struct wy_piece {
    double from, to;
    double c[WY_PIECE_DEGREE + 1][WY_PIECE_SIZE]; /* Chebyshev coefficients */
    int direct;                                   /* 1: call the function */
} wy_piece;

typedef struct wy_piecewise {
    wy_sampled call;
    void *context;
    int size, count; /* numbers it returns, at most WY_PIECE_SIZE; pieces */
    wy_piece *piece; /* [count] in order */
} wy_piecewise;

/* Sample a function on [from, to], which is cut into `start` equal pieces at first; `scale` is the
 * size of its values that rounding is measured by.  Fails only without memory: a function that
 * fails somewhere is called there later. */
withy_status wy_piecewise_make(wy_sampled call, void *context, int size, double from, double to,
                               int start, double scale, wy_arena *arena, wy_piecewise *out,
                               withy_error *err);
withy_status wy_piecewise_at(const wy_piecewise *f, double x, double *y, withy_error *err);
