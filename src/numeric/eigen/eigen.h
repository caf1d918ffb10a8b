/* eigen.h - all eigenvalues and vectors of a small dense matrix.  Room: src/numeric.
 *
 * Symmetric matrices: Jacobi's method (numeric/eigen/symmetric.c), which finds small eigenvalues to high
 * relative accuracy.  General ones: LAPACK, called in eigen.c only, or where there is none numeric/eigen/general.c; ARPACK is not used because Debian's
 * is not reentrant, and the large problems here need only a block and a small projected matrix.
 */
#pragma once

/* a[n][n] row-major, destroyed; re, im [n] in no order, a complex pair side by side with im > 0 first;
 * vector[n][n]: column j belongs to value j, of a pair the real part and the imaginary part.  Returns 0
 * when it failed. */
int wy_eigen_general(int n, double *a, double *re, double *im, double *vector);

/* The same for a symmetric matrix: im = 0, vectors orthonormal. */
int wy_eigen_symmetric(int n, double *a, double *re, double *im, double *vector);

/* numeric/eigen/symmetric.c: a[n][n] destroyed; value[n] ascending. */
void wy_symmetric_eigen(int n, double *a, double *value, double *vector);
/* numeric/eigen/general.c, for builds without LAPACK; work: 4 n (n + 1) numbers. */
int wy_general_eigen(int n, const double *a, double *re, double *im, double *vector, double *work);
