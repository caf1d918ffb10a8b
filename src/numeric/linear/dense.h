/* dense.h - dense linear systems by LU with row exchanges, in place.  Room: src/numeric. */
#pragma once

#include "base/base.h"

/* Factor a [n][ld], row-major; pivot [n].  Returns 0 when the matrix is singular or not finite. */
int wy_lu_factor(int n, int ld, double *a, int *pivot);

/* Solve for one right-hand side, in place. */
void wy_lu_solve(int n, int ld, const double *a, const int *pivot, double *b);

/* The same with the transposed matrix. */
void wy_lu_solve_transposed(int n, int ld, const double *a, const int *pivot, double *b);

/* Is a symmetric matrix [n][n], of which the upper half is given, positive definite?  By elimination, in
 * place. */
int wy_is_definite(int n, double *a);
