/* quadrature.c - see interpolate.h. */
#include "numeric/interpolate/interpolate.h"

#include "base/base.h"

/* P_n and P_(n-1) at x, n >= 1. */
static void legendre(int n, double x, double *p, double *before) {
    double old = 1.0, now = x;
    for (int k = 1; k < n; k++) {
        const double next = ((2 * k + 1) * x * now - k * old) / (k + 1);
        old = now, now = next;
    }
    *p = now, *before = old;
}

void wy_gauss_points(int count, double *point, double *weight) {
    for (int i = 0; i < count; i++) {
        double z = -cos(WY_PI * (i + 0.75) / (count + 0.5)), p, before, slope = 1.0;
        for (int turn = 0; turn < 20; turn++) { /* the last iteration only updates the slope */
            legendre(count, z, &p, &before);
            slope = count * (before - z * p) / (1 - z * z);
            z -= turn < 19 ? p / slope : 0.0;
        }
        point[i] = 0.5 * (1 + z);
        weight[i] = 1.0 / ((1 - z * z) * slope * slope);
    }
}

/* The j-th zero of (1 - x^2) P_n', by Newton from a Chebyshev point; p is P_n there. */
static double lobatto_node(int n, int j, double *p) {
    double y = -sin(0.5 * WY_PI * (n - 2 * j) / n), before;
    for (int turn = 0; turn < 100; turn++) {
        legendre(n, y, p, &before);
        const double step = (y * *p - before) / ((n + 1) * *p);
        y -= step;
        if (!(fabs(step) > 1e-16)) break;
    }
    if (j == 0 || j == n) y = j == 0 ? -1.0 : 1.0;
    legendre(n, y, p, &before);
    return y;
}

void wy_lobatto_nodes(int n, double *x, double *weight, double *bary) {
    for (int j = 0; j <= n; j++) {
        double p;
        x[j] = lobatto_node(n, j, &p);
        weight[j] = 2.0 / (n * (n + 1.0) * p * p);
        bary[j] = (j % 2 ? -1.0 : 1.0) * sqrt(weight[j]); /* known up to a common factor */
    }
}

void wy_lobatto_points(int n, double *point, double *weight) {
    for (int j = 0; j <= n; j++) {
        double p;
        point[j] = 0.5 * (1 + lobatto_node(n, j, &p));
        weight[j] = 1.0 / (n * (n + 1.0) * p * p);
    }
}
