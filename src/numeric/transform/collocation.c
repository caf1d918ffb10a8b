/* collocation.c - see transform.h. */
#include "numeric/transform/transform.h"

#include "numeric/interpolate/interpolate.h"
#include "numeric/vector/wide.h"

/* The fast transform is faster from here on (bench_cheb, Ice Lake, FFTW 3.3, one field: matrix 0.30 us at
 * n = 64, transform 0.72; 1.15 against 1.37 at n = 128; 5.3 against 2.8 at n = 256). */
static const int FAST_FROM = 160;

int wy_collocation_make(wy_arena *arena, int n, int legendre, double length, wy_collocation *g) {
    g->n = n;
    g->ld = (n + 8) / 8 * 8;
    g->length = length, g->legendre = legendre;
    const size_t m = (size_t)g->ld;
    double **array[] = {&g->x, &g->s, &g->w, &g->bary};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = wy_arena_alloc(arena, m, sizeof(double)))) return 0;
    g->d = wy_arena_alloc(arena, (size_t)(n + 1) * m, sizeof *g->d);
    if (!g->d) return 0;
    (legendre ? wy_lobatto_nodes : wy_chebyshev_nodes)(n, g->x, g->w, g->bary);
    wy_collocation_matrix(n, g->x, g->bary, g->ld, g->d);
    for (int i = 0; i <= n; i++) {
        g->s[i] = 0.5 * length * (1.0 + g->x[i]);
        g->w[i] *= 0.5 * length;
        for (int j = 0; j <= n; j++) g->d[(size_t)j * m + (size_t)i] *= 2.0 / length;
    }
    g->s[n] = length;
    if (!legendre && n >= FAST_FROM) g->fast = wy_cosine_make(arena, n);
    return 1;
}

int wy_collocation_rows(wy_arena *arena, wy_collocation *g) {
    const size_t nodes = (size_t)g->n + 1, ld = (size_t)g->ld;
    if (g->dr) return 1;
    double *dr = wy_arena_alloc(arena, nodes * ld, sizeof(double));
    double *d2r = wy_arena_alloc(arena, nodes * ld, sizeof(double));
    if (!dr || !d2r) return 0;
    for (size_t i = 0; i < nodes; i++)
        for (size_t j = 0; j < nodes; j++) dr[i * ld + j] = g->d[j * ld + i];
    for (size_t i = 0; i < nodes; i++)
        for (size_t k = 0; k < nodes; k++)
            for (size_t j = 0; j < nodes; j++) d2r[i * ld + j] += dr[i * ld + k] * dr[k * ld + j];
    g->dr = dr, g->d2r = d2r;
    return 1;
}

/* groups x WY_WIDE rows of D times up to four fields: D is read once, the sums stay in registers. */
__attribute__((always_inline)) static inline void add_rows(const wy_collocation *g, int row,
                                                           const int groups, const int fields,
                                                           const double *restrict in,
                                                           double *restrict out) {
    const int ld = g->ld;
    const double *restrict d = g->d + row;
    wide sum[4][4] = {{{0}}}, part;
    for (int j = 0; j <= g->n; j++, d += ld)
#pragma GCC unroll 4
        for (int k = 0; k < groups; k++) {
            memcpy(&part, d + k * WY_WIDE, sizeof part);
#pragma GCC unroll 4
            for (int f = 0; f < fields; f++) sum[k][f] += part * in[f * ld + j];
        }
#pragma GCC unroll 4
    for (int k = 0; k < groups; k++)
#pragma GCC unroll 4
        for (int f = 0; f < fields; f++)
            memcpy(out + f * ld + row + k * WY_WIDE, &sum[k][f], sizeof(wide));
}

__attribute__((always_inline)) static inline void some_rows(const wy_collocation *g, int row,
                                                            const int groups, int fields,
                                                            const double *in, double *out) {
    switch (fields) { /* constants let the compiler keep the sums in registers */
    case 1: add_rows(g, row, groups, 1, in, out); break;
    case 2: add_rows(g, row, groups, 2, in, out); break;
    case 3: add_rows(g, row, groups, 3, in, out); break;
    default: add_rows(g, row, groups, 4, in, out);
    }
}

/* A sum waits for its last addition, so that two groups of rows cost little more than one. */
static void by_matrix(const wy_collocation *g, int fields, const double *in, double *out) {
    int row = 0;
    for (; WY_WIDE == 8 && row + 16 <= g->ld; row += 16) some_rows(g, row, 2, fields, in, out);
    for (; row < g->ld; row += 8) some_rows(g, row, 8 / WY_WIDE, fields, in, out);
}

void wy_collocation_derive(const wy_collocation *g, int fields, const double *in, double *out) {
    const size_t m = (size_t)g->ld;
    if (g->fast) {
        for (int f = 0; f < fields; f++)
            wy_cosine_derivative(g->fast, 2.0 / g->length, in + (size_t)f * m, out + (size_t)f * m);
        return;
    }
    while (fields > 0) {
        const int some = fields == 7 ? 4 : fields >= 3 ? 3 : fields;
        by_matrix(g, some, in, out);
        in += (size_t)some * m, out += (size_t)some * m;
        fields -= some;
    }
}

/* Coefficient of T_k (or P_k on Legendre points) of a nodal array; cosine[i] = cos(pi i/n). */
static double coefficient(const wy_collocation *g, const double *cosine, const double *u, int k) {
    const int n = g->n;
    double sum = 0;
    for (int j = 0, at = 0; j <= n; j++, at = at + k < 2 * n ? at + k : at + k - 2 * n) {
        if (g->legendre) {
            double old = 1.0, now = g->x[j];
            for (int l = 1; l < k; l++) {
                const double next = ((2 * l + 1) * g->x[j] * now - l * old) / (l + 1);
                old = now, now = next;
            }
            const double norm = k == n ? 0.5 * n : k + 0.5;
            sum += norm * g->w[j] * 2.0 / g->length * u[j] * (k == 0 ? 1.0 : now);
        } else {
            const double c = (j == 0 || j == n ? 0.5 : 1.0) * (k == n ? 1.0 : 2.0) / n;
            sum += c * u[j] * cosine[at];
        }
    }
    return fabs(sum);
}

double wy_collocation_tail(const wy_collocation *g, int fields, const double *u, double unit,
                           double *work) {
    const int n = g->n, from = n - n / 8 - 1, low = 8;
    double tail = 0, head = 1e-4 * unit; /* below this: at rest, and rounding */
    for (int i = 0; i < 2 * n; i++) work[i] = cos(WY_PI * i / n);
    for (int f = 0; f < fields; f++)
        for (int k = 1; k <= n; k = k == low && from > low ? from : k + 1) {
            const double c = coefficient(g, work, u + f * g->ld, k);
            head = wy_max(head, c);
            if (k >= from) tail = wy_max(tail, c);
        }
    return tail / head;
}
