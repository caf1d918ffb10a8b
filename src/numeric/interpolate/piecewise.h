/* piecewise.h - a function of one variable, sampled once and evaluated from polynomials.
 *
 * Each piece is a Chebyshev series that repeats the function to rounding.  Pieces are halved until
 * it does; where halving does not help (a kink, a jump, noise) the function itself is called, so that
 * nothing is smeared.  Room: src/numeric.
 */
#pragma once

#include "base/base.h"

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
