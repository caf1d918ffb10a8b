/* general.h - eigenvalues and vectors of a general real matrix, for builds without LAPACK.  Room: src/numeric. */
#pragma once

/* As wy_eigen_general of numeric/eigen/eigen.h; work: 4 n (n + 1) numbers.  Returns 0 when it failed. */
int wy_general_eigen(int n, const double *a, double *re, double *im, double *vector, double *work);
