/* symmetric.h - all eigenvalues and vectors of a small dense symmetric matrix. */
#pragma once

/* a[n][n] row-major, destroyed; value[n] ascending; vector[n][n]: column j belongs to value[j]. */
void wy_symmetric_eigen(int n, double *a, double *value, double *vector);
