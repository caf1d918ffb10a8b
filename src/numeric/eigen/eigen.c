/* eigen.c - see eigen.h; the only use of LAPACK, without which our own method is used. */
#include "numeric/eigen/eigen.h"

#ifdef WITHY_HAVE_LIB_LAPACK
#include <lapacke.h>

int wy_eigen_general(int n, double *a, double *re, double *im, double *vector) {
    if (n < 1) return 1; /* LAPACKE would print a message */
    for (int i = 0; i < n * n; i++)
        if (!(a[i] - a[i] == 0)) return 0; /* LAPACK may not return for input that is not finite */
    return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, a, n, re, im, NULL, 1, vector, n) == 0;
}

#else

#include "base/base.h"

int wy_eigen_general(int n, double *a, double *re, double *im, double *vector) {
    double *work = wy_alloc(4 * (size_t)n * ((size_t)n + 1), sizeof *work);
    const int ok = work && wy_general_eigen(n, a, re, im, vector, work);
    wy_free(work);
    return ok;
}

#endif

int wy_eigen_symmetric(int n, double *a, double *re, double *im, double *vector) {
    wy_symmetric_eigen(n, a, re, vector);
    for (int i = 0; i < n; i++) im[i] = 0;
    return 1;
}
