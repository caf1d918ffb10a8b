/* blocks_lu.c - the elimination and the substitutions of numeric/blocks.h. */
#include <math.h>
#include <string.h>

#include "numeric/blocks.h"
#include "numeric/lane.h"

/* c -= a b, where a is [m][k], b [k][n]; all bounds are constants where it is inlined for blocks of 6. */
WY_ALWAYS void minus(const int m, const int k, const int n, double *restrict c,
                     const double *restrict a, const double *restrict b) {
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++) {
            const double f = a[i * k + p];
            for (int j = 0; j < n; j++) c[i * n + j] -= f * b[p * n + j];
        }
}

static void minus_any(int m, int k, int n, double *restrict c, const double *restrict a,
                      const double *restrict b) {
    minus(m, k, n, c, a, b);
}

static void minus_6(double *restrict c, const double *restrict a, const double *restrict b) {
    minus(6, 6, 6, c, a, b);
}

static void subtract(int m, int k, int n, double *c, const double *a, const double *b) {
    if (m == 6 && k == 6 && n == 6)
        minus_6(c, a, b);
    else
        minus_any(m, k, n, c, a, b);
}

/* Row exchanges and elimination inside a block; least: the smallest pivot so far. */
static int lu(int n, double *a, int *pivot, double *least) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        const double size = fabs(a[p * n + k]);
        if (!(size > 0) || !isfinite(size)) return 0;
        *least = wy_min(*least, size);
        pivot[k] = p;
        for (int j = 0; j < n && p != k; j++) {
            const double keep = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = keep;
        }
        const double inverse = 1.0 / a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = a[i * n + k] *= inverse;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return 1;
}

/* b := (LU)^-1 b for m right sides, b[n][m]. */
WY_ALWAYS void back(const int n, const int m, const double *restrict a, const int *pivot,
                    double *restrict b) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m && pivot[k] != k; j++) {
            const double keep = b[k * m + j];
            b[k * m + j] = b[pivot[k] * m + j], b[pivot[k] * m + j] = keep;
        }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < m; j++) b[i * m + j] -= a[i * n + k] * b[k * m + j];
    for (int k = n - 1; k >= 0; k--) {
        const double inverse = 1.0 / a[k * n + k];
        for (int j = 0; j < m; j++) b[k * m + j] *= inverse;
        for (int i = 0; i < k; i++)
            for (int j = 0; j < m; j++) b[i * m + j] -= a[i * n + k] * b[k * m + j];
    }
}

static void back_any(int n, int m, const double *a, const int *pivot, double *b) {
    if (n == 6 && m == 6)
        back(6, 6, a, pivot, b);
    else
        back(n, m, a, pivot, b);
}

/* ---- inertia of a symmetric block ------------------------------------------------------------------- */

enum { BLOCK_MAX = 64 };

static void exchange(int n, double *a, int i, int j) {
    for (int k = 0; k < n && i != j; k++) {
        const double keep = a[i * n + k];
        a[i * n + k] = a[j * n + k], a[j * n + k] = keep;
    }
    for (int k = 0; k < n && i != j; k++) {
        const double keep = a[k * n + i];
        a[k * n + i] = a[k * n + j], a[k * n + j] = keep;
    }
}

/* The largest entries on and off the diagonal of what is left. */
static double largest(int n, const double *a, int from, int *d, int *r, int *c) {
    double off = 0;
    *d = *r = *c = from;
    for (int i = from; i < n; i++) {
        if (fabs(a[i * n + i]) > fabs(a[*d * n + *d])) *d = i;
        for (int j = from; j < i; j++)
            if (fabs(a[i * n + j]) > off) off = fabs(a[i * n + j]), *r = i, *c = j;
    }
    return off;
}

/* Negative eigenvalues by symmetric elimination with pivots of one or two rows (Bunch and Parlett): a
 * pair has one of each sign. */
static int count_negative(int n, const double *block) {
    double a[BLOCK_MAX * BLOCK_MAX];
    int negative = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = 0.5 * (block[i * n + j] + block[j * n + i]);
    for (int k = 0; k < n;) {
        int d, r, c;
        const double off = largest(n, a, k, &d, &r, &c), on = fabs(a[d * n + d]);
        if (!(on > 0) && !(off > 0)) return negative;
        if (on >= 0.64 * off) {
            exchange(n, a, k, d);
            const double p = a[k * n + k];
            negative += p < 0;
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j] / p;
            k++;
            continue;
        }
        exchange(n, a, k, c);
        exchange(n, a, k + 1, r == k ? c : r);
        const double p = a[k * n + k], q = a[(k + 1) * n + k + 1], o = a[k * n + k + 1];
        const double det = p * q - o * o;
        negative += 1;
        for (int i = k + 2; i < n; i++)
            for (int j = k + 2; j < n; j++) {
                const double x = a[i * n + k], y = a[i * n + k + 1];
                const double u = a[k * n + j], v = a[(k + 1) * n + j];
                a[i * n + j] -= (x * (q * u - o * v) + y * (p * v - o * u)) / det;
            }
        k += 2;
    }
    return negative;
}

/* ---- the whole -------------------------------------------------------------------------------------- */

int wy_blocks_factor(const wy_blocks *x, double *value, int *pivot, int *negative, double *least) {
    const int *link = x->link;
    double smallest = INFINITY;
    int below = 0;
    for (int k = 0; k < x->count; k++) {
        const int n = x->size[k], from = x->begin[k], to = x->begin[k + 1];
        double *d = &value[x->diagonal[k]];
        if (negative && n <= BLOCK_MAX) below += count_negative(n, d);
        if (!lu(n, d, &pivot[x->first[k]], &smallest)) return 0;
        for (int a = from; a < to; a++)
            back_any(n, x->size[x->neighbour[a]], d, &pivot[x->first[k]], &value[x->upper[a]]);
        for (int a = from; a < to; a++) {
            const int i = x->neighbour[a], m = x->size[i];
            const double *l = &value[x->lower[a]], *u = &value[x->upper[a]];
            subtract(m, n, m, &value[x->diagonal[i]], l, u);
            for (int b = a + 1; b < to; b++, link++) {
                const int w = x->size[x->neighbour[b]];
                subtract(m, n, w, &value[x->upper[*link]], l, &value[x->upper[b]]);
                subtract(w, n, m, &value[x->lower[*link]], &value[x->lower[b]], u);
            }
        }
    }
    if (negative) *negative = below;
    if (least) *least = smallest;
    return 1;
}

/* y -= a x, a is [m][n]. */
static void reduce(int m, int n, double *y, const double *a, const double *x) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i] -= a[i * n + j] * x[j];
}

void wy_blocks_solve(const wy_blocks *x, const double *value, const int *pivot, double *b) {
    for (int k = 0; k < x->count; k++) {
        const int n = x->size[k];
        double *y = &b[x->first[k]];
        back(n, 1, &value[x->diagonal[k]], &pivot[x->first[k]], y);
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            reduce(x->size[i], n, &b[x->first[i]], &value[x->lower[a]], y);
        }
    }
    for (int k = x->count - 1; k >= 0; k--)
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            reduce(x->size[k], x->size[i], &b[x->first[k]], &value[x->upper[a]], &b[x->first[i]]);
        }
}
