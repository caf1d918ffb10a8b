/* cosine.h - the fast cosine transform for long Chebyshev grids.  Room: src/numeric. */
#pragma once

#include "base/base.h"

typedef struct wy_cosine wy_cosine;

/* A transform of n + 1 values; NULL when this build has none (the caller then uses a matrix). */
wy_cosine *wy_cosine_make(wy_arena *arena, int n);
void wy_cosine_free(wy_cosine *cosine); /* NULL is fine */

/* Derivative with respect to x at x_j = -cos(pi j/n) of the polynomial through u: (3.4), (3.9),
 * (3.5), times scale.  out != u. */
void wy_cosine_derivative(wy_cosine *cosine, double scale, const double *u, double *out);
