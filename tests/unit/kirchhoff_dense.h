/* kirchhoff_dense.h - the dissertation's multiplier form, dense: an oracle that shares no formula
 * with the files of src/method/kirchhoff.
 *
 * Unknowns x, s (3x2), alpha, beta, a: 15 per node, and the end curvatures k_0, k_N where x'' is
 * left free there (weak ends, clamps).  x' and x'' are full matrices applied to (x, k_0, k_N):
 *
 *     (k_{j-1} + 4 k_j + k_{j+1})/6 = (x_{j+1} - 2 x_j + x_{j-1})/eta^2             (5.14)-(5.19)
 *
 *     f1   rho W (x+ - 2x + x-)/h^2 + D2^T W sigma (bar u) - D1^T W (alpha bar x' + bar s beta) = f
 *     f2   - W sigma bar u kappa^T + Ct f(bar tau, bar s) - W (bar x' beta^T + bar s a) = 0
 *     f3   |x'+|^2 = 1,   f4   s+^T x'+ = 0,   f5   s+^T s+ = 1         (5.139), (5.140) corrected
 *
 * with u = x'' - s kappa and its analytic Jacobian, solved by Gauss elimination with pivoting.
 */
#pragma once

#include "kirchhoff_rig.h"

#include <stdlib.h>
#ifdef WITHY_HAVE_LIB_LAPACK
#include <lapacke.h>
/* Threads cost more than they gain at this size, especially on a busy machine. */
extern void openblas_set_num_threads(int count) __attribute__((weak));
#endif

typedef struct dense {
    const rig_setup *s;
    int n, size; /* N; unknowns                                                  */
    int gen;     /* N + 3 generators of the spline: x_0 .. x_N, k_0, k_N          */
    double eta;
    double *d1, *d2;   /* [N+1][gen]                                                    */
    int free_k[2];     /* is k_0, k_N an unknown?                                       */
    double *level[3];  /* n+1, n, n-1: generators (3 gen), then s1, s2 (6(N+1))         */
    double *mult;      /* [6(N+1)] alpha, beta, a                                       */
    double *jac, *res; /* [size][size], [size], column-major for LAPACK                 */
    int step;
    double x0[3], xn[3], r0[9], rn[9]; /* prescribed ends                                */
} dense;

static inline double dense_w(const dense *d, int j) {
    return j == 0 || j == d->n ? 0.5 : 1.0;
}

/* Rows of x'' by the Thomas algorithm on unit vectors, then x' from x and x''. */
static inline void dense_operators(dense *d) {
    const int n = d->n, g = d->gen;
    const double eta = d->eta;
    double *c = calloc((size_t)n + 1, sizeof *c), *k = calloc((size_t)n + 1, sizeof *k);
    for (int i = 0; i < g; i++) {
        /* k_0, k_n given; inner rows k_{j-1} + 4 k_j + k_{j+1} = 6 second difference */
        const double k0 = i == n + 1, kn = i == n + 2;
        for (int j = 1; j < n; j++) {
            double r = 6.0 / (eta * eta) * ((j + 1 == i) - 2.0 * (j == i) + (j - 1 == i));
            if (j == 1) r -= k0;
            if (j == n - 1) r -= kn;
            const double low = j == 1 ? 0.0 : 1.0, pivot = 4.0 - low * c[j - 1];
            c[j] = 1.0 / pivot;
            k[j] = (r - low * k[j - 1]) / pivot;
        }
        k[0] = k0, k[n] = kn;
        for (int j = n - 2; j >= 1; j--) k[j] -= c[j] * k[j + 1];
        for (int j = 0; j <= n; j++) {
            const int a = j < n ? j : j - 1;
            const double chord = ((a + 1 == i) - (double)(a == i)) / eta;
            d->d2[j * g + i] = k[j];
            d->d1[j * g + i] = chord + (j < n ? -eta / 6.0 * (2 * k[a] + k[a + 1])
                                              : eta / 6.0 * (k[a] + 2 * k[a + 1]));
        }
    }
    free(c), free(k);
}

/* out = D v for generator vectors. */
static inline vec3 dense_apply(const dense *d, const double *op, const double *v, int j) {
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < d->gen; i++) sum = v3_axpy(sum, op[j * d->gen + i], v3_from(&v[3 * i]));
    return sum;
}

static inline double *dense_s(const dense *d, double *level, int j, int k) {
    return &level[3 * d->gen + 6 * j + 3 * k];
}

/* Offsets in the extended unknown vector: generators, s, multipliers. */
static inline int dense_at_s(const dense *d, int j, int k) {
    return 3 * d->gen + 6 * j + 3 * k;
}
static inline int dense_at_m(const dense *d, int j, int which) {
    return 3 * d->gen + 6 * (d->n + 1) + 6 * j + which;
}
static inline int dense_full(const dense *d) {
    return 3 * d->gen + 12 * (d->n + 1);
}

static inline void dense_make(dense *d, const rig_setup *s) {
    memset(d, 0, sizeof *d);
    d->s = s, d->n = s->n, d->gen = s->n + 3, d->eta = s->length / s->n;
    const size_t full = (size_t)dense_full(d), nodes = (size_t)s->n + 1, g = (size_t)d->gen;
    d->d1 = calloc(nodes * g, sizeof(double)), d->d2 = calloc(nodes * g, sizeof(double));
    for (int i = 0; i < 3; i++) d->level[i] = calloc(full, sizeof(double));
    d->mult = calloc(6 * nodes, sizeof(double));
    d->jac = calloc(full * full, sizeof(double)), d->res = calloc(full, sizeof(double));
    dense_operators(d);
#ifdef WITHY_HAVE_LIB_LAPACK
    if (openblas_set_num_threads) openblas_set_num_threads(1);
#endif
    for (int e = 0; e < 2; e++) d->free_k[e] = s->ends[e] == WITHY_END_CLAMPED || !s->strong;
    double *now = d->level[1];
    memcpy(now, s->x, 3 * nodes * sizeof(double));
    for (int j = 0; j <= s->n; j++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 3; i++) dense_s(d, now, j, k)[i] = s->r[9 * j + 3 * i + 1 + k];
    /* k at the ends of the initial state: from the end tangents, so that x' matches the frames */
    for (int i = 0; i < 3; i++) {
        double t[2] = {s->r[3 * i], s->r[9 * s->n + 3 * i]}, b[2], m[2][2];
        for (int e = 0; e < 2; e++) {
            const int j = e ? s->n : 0;
            double sum = 0;
            for (int q = 0; q <= s->n; q++) sum += d->d1[j * d->gen + q] * now[3 * q + i];
            b[e] = t[e] - sum;
            for (int f = 0; f < 2; f++) m[e][f] = d->d1[j * d->gen + s->n + 1 + f];
        }
        const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        now[3 * (s->n + 1) + i] = (b[0] * m[1][1] - b[1] * m[0][1]) / det;
        now[3 * (s->n + 2) + i] = (b[1] * m[0][0] - b[0] * m[1][0]) / det;
    }
    memcpy(d->x0, s->x, sizeof d->x0), memcpy(d->xn, &s->x[3 * s->n], sizeof d->xn);
    memcpy(d->r0, s->r, sizeof d->r0), memcpy(d->rn, &s->r[9 * s->n], sizeof d->rn);
}

static inline void dense_free(dense *d) {
    free(d->d1), free(d->d2), free(d->mult), free(d->jac), free(d->res);
    for (int i = 0; i < 3; i++) free(d->level[i]);
}

#define DENSE_J(row, column) d->jac[(size_t)(column) * (size_t)full + (size_t)(row)]

/* Residual and Jacobian of the extended system (k_0, k_N as generators). */
static inline void dense_assemble(dense *d) {
    const rig_setup *s = d->s;
    const int n = d->n, g = d->gen, full = dense_full(d), first = d->step == 0;
    const double eta = d->eta, h = s->h;
    const double avg = first ? 1.0 : 0.5, rate = first ? 0.0 : 0.5 / h;
    const double inertia = (first ? 2.0 : 1.0) / (h * h);
    double *plus = d->level[0], *now = d->level[1], *last = first ? plus : d->level[2];
    memset(d->jac, 0, (size_t)full * (size_t)full * sizeof(double));
    memset(d->res, 0, (size_t)full * sizeof(double));
    for (int j = 0; j <= n; j++) {
        const double ew = eta * dense_w(d, j), mass = s->rho * ew, turn = s->turn * ew;
        const vec3 mp = dense_apply(d, d->d2, plus, j), ml = dense_apply(d, d->d2, last, j);
        const vec3 tp = dense_apply(d, d->d1, plus, j), tl = dense_apply(d, d->d1, last, j);
        const vec3 tb = v3_add(v3_scale(avg, tp), v3_scale(1 - avg, tl));
        vec3 sp[2], sl[2], sb[2], up = mp, ul = ml;
        double kappa[2];
        for (int k = 0; k < 2; k++) {
            kappa[k] = s->kappa ? s->kappa[2 * j + k] : 0.0;
            sp[k] = v3_from(dense_s(d, plus, j, k)), sl[k] = v3_from(dense_s(d, last, j, k));
            sb[k] = v3_add(v3_scale(avg, sp[k]), v3_scale(1 - avg, sl[k]));
            up = v3_axpy(up, -kappa[k], sp[k]), ul = v3_axpy(ul, -kappa[k], sl[k]);
        }
        const vec3 ub = v3_add(v3_scale(avg, up), v3_scale(1 - avg, ul));
        const vec3 p = v3_scale(ew, v3_axpy(v3_scale(s->sigma, ub), s->nu * rate, v3_sub(up, ul)));
        const double kp = ew * (s->sigma * avg + s->nu * rate);
        const double *mu = &d->mult[6 * j];
        const double alpha = mu[0], beta[2] = {mu[1], mu[2]};
        const double a[2][2] = {{mu[3], mu[4]}, {mu[4], mu[5]}};
        /* q = alpha x' + s beta, conjugate to x' */
        vec3 q = v3_scale(alpha, tb);
        for (int k = 0; k < 2; k++) q = v3_axpy(q, beta[k], sb[k]);
        q = v3_scale(-ew, q);
        const vec3 moving = v3_from(&now[3 * j]);
        vec3 acc = v3_sub(v3_from(&plus[3 * j]), moving);
        if (first) {
            if (s->v) acc = v3_axpy(acc, -h, v3_from(&s->v[3 * j]));
        } else {
            acc = v3_sub(acc, v3_sub(moving, v3_from(&d->level[2][3 * j])));
        }
        for (int i = 0; i < 3; i++) {
            const double pi[3] = {p.x, p.y, p.z}, qi[3] = {q.x, q.y, q.z};
            const double ai[3] = {acc.x, acc.y, acc.z}, ti[3] = {tb.x, tb.y, tb.z};
            d->res[3 * j + i] += mass * inertia * ai[i] - mass * s->gravity[i];
            DENSE_J(3 * j + i, 3 * j + i) += mass * inertia;
            for (int r = 0; r < g; r++) {
                const double d2r = d->d2[j * g + r], d1r = d->d1[j * g + r];
                d->res[3 * r + i] += d2r * pi[i] + d1r * qi[i];
                for (int c = 0; c < g; c++)
                    DENSE_J(3 * r + i, 3 * c + i) +=
                        kp * d2r * d->d2[j * g + c] - ew * alpha * avg * d1r * d->d1[j * g + c];
                for (int k = 0; k < 2; k++) {
                    const int at = dense_at_s(d, j, k) + i;
                    const double both = -kp * kappa[k] * d2r - ew * beta[k] * avg * d1r;
                    DENSE_J(3 * r + i, at) += both;
                    DENSE_J(at, 3 * r + i) += both;
                }
                DENSE_J(3 * r + i, dense_at_m(d, j, 0)) += -ew * ti[i] * d1r;
                for (int k = 0; k < 2; k++) {
                    const double sk[3] = {sb[k].x, sb[k].y, sb[k].z};
                    DENSE_J(3 * r + i, dense_at_m(d, j, 1 + k)) += -ew * sk[i] * d1r;
                }
            }
            for (int k = 0; k < 2; k++) {
                const int row = dense_at_s(d, j, k) + i;
                const double s0[3] = {sb[0].x, sb[0].y, sb[0].z},
                             s1[3] = {sb[1].x, sb[1].y, sb[1].z};
                const double spi = dense_s(d, plus, j, k)[i], sni = dense_s(d, now, j, k)[i];
                double sacc = spi - sni;
                if (!first) sacc -= sni - dense_s(d, d->level[2], j, k)[i];
                d->res[row] += -kappa[k] * pi[i] + turn * inertia * sacc -
                               ew * (ti[i] * beta[k] + s0[i] * a[0][k] + s1[i] * a[1][k]);
                DENSE_J(row, row) += turn * inertia;
                for (int l = 0; l < 2; l++)
                    DENSE_J(row, dense_at_s(d, j, l) + i) +=
                        kp * kappa[k] * kappa[l] - ew * avg * a[l][k];
                DENSE_J(row, dense_at_m(d, j, 1 + k)) += -ew * ti[i];
                DENSE_J(row, dense_at_m(d, j, 3 + k)) += -ew * s0[i];
                DENSE_J(row, dense_at_m(d, j, 4 + k)) += -ew * s1[i];
            }
        }
        /* constraints at the new level */
        const int c0 = dense_at_m(d, j, 0);
        d->res[c0] = 0.5 * (v3_dot(tp, tp) - 1.0);
        for (int k = 0; k < 2; k++) d->res[c0 + 1 + k] = v3_dot(sp[k], tp);
        d->res[c0 + 3] = 0.5 * (v3_dot(sp[0], sp[0]) - 1.0);
        d->res[c0 + 4] = v3_dot(sp[0], sp[1]);
        d->res[c0 + 5] = 0.5 * (v3_dot(sp[1], sp[1]) - 1.0);
        for (int i = 0; i < 3; i++) {
            const double t[3] = {tp.x, tp.y, tp.z}, s0[3] = {sp[0].x, sp[0].y, sp[0].z};
            const double s1[3] = {sp[1].x, sp[1].y, sp[1].z};
            for (int c = 0; c < g; c++) {
                DENSE_J(c0, 3 * c + i) += t[i] * d->d1[j * g + c];
                DENSE_J(c0 + 1, 3 * c + i) += s0[i] * d->d1[j * g + c];
                DENSE_J(c0 + 2, 3 * c + i) += s1[i] * d->d1[j * g + c];
            }
            DENSE_J(c0 + 1, dense_at_s(d, j, 0) + i) += t[i];
            DENSE_J(c0 + 2, dense_at_s(d, j, 1) + i) += t[i];
            DENSE_J(c0 + 3, dense_at_s(d, j, 0) + i) += s0[i];
            DENSE_J(c0 + 4, dense_at_s(d, j, 0) + i) += s1[i];
            DENSE_J(c0 + 4, dense_at_s(d, j, 1) + i) += s0[i];
            DENSE_J(c0 + 5, dense_at_s(d, j, 1) + i) += s1[i];
        }
    }
    /* twist, (5.31) and (5.34): T = Ct bar tau + nu_2 dot tau */
    for (int c = 1; c <= n; c++) {
        vec3 p4[4], b4[4];
        double tau[2];
        for (int l = 0; l < 2; l++) {
            double *lev = l ? last : plus;
            vec3 v[4];
            for (int i = 0; i < 4; i++) v[i] = v3_from(dense_s(d, lev, c - 1 + i / 2, i % 2));
            tau[l] = (v3_dot(v[1], v[2]) - v3_dot(v[0], v[3])) / (2 * eta);
            for (int i = 0; i < 4; i++) {
                if (l == 0)
                    p4[i] = v[i], b4[i] = v3_scale(avg, v[i]);
                else
                    b4[i] = v3_axpy(b4[i], 1 - avg, v[i]);
            }
        }
        const double T =
            s->ct * (avg * tau[0] + (1 - avg) * tau[1]) + s->nu_twist * rate * (tau[0] - tau[1]);
        const double kt = (s->ct * avg + s->nu_twist * rate) / eta;
        static const int partner[4] = {3, 2, 1, 0};
        static const double sign[4] = {-0.5, 0.5, 0.5, -0.5};
        for (int i = 0; i < 4; i++) {
            const int row = dense_at_s(d, c - 1 + i / 2, i % 2);
            const vec3 f = v3_scale(sign[i], b4[partner[i]]);
            const double fi[3] = {f.x, f.y, f.z};
            for (int r = 0; r < 3; r++) {
                d->res[row + r] += T * fi[r];
                DENSE_J(row + r, dense_at_s(d, c - 1 + partner[i] / 2, partner[i] % 2) + r) +=
                    T * avg * sign[i];
                for (int k = 0; k < 4; k++) {
                    const vec3 gk = v3_scale(sign[k], p4[partner[k]]);
                    const double gi[3] = {gk.x, gk.y, gk.z};
                    for (int q = 0; q < 3; q++)
                        DENSE_J(row + r, dense_at_s(d, c - 1 + k / 2, k % 2) + q) +=
                            kt * fi[r] * gi[q];
                }
            }
        }
    }
}

/* Set row `row` to (unknown at `column`) = value. */
static inline void dense_fix(dense *d, int row, int column, double value, double is) {
    const int full = dense_full(d);
    for (int c = 0; c < full; c++) DENSE_J(row, c) = c == column;
    d->res[row] = is - value;
}

static inline void dense_ends(dense *d) {
    const int n = d->n, full = dense_full(d);
    double *plus = d->level[0];
    for (int e = 0; e < 2; e++) {
        const int j = e ? n : 0, kg = 3 * (n + 1 + e);
        const withy_end_kind kind = d->s->ends[e];
        const double *x = e ? d->xn : d->x0, *r = e ? d->rn : d->r0;
        if (!d->free_k[e]) /* k = s kappa: its row belongs to s, its column too, then drop it */
            for (int i = 0; i < 3; i++) {
                double bound = 0;
                for (int k = 0; k < 2; k++) {
                    const double kappa = d->s->kappa ? d->s->kappa[2 * j + k] : 0.0;
                    const int at = dense_at_s(d, j, k) + i;
                    d->res[at] += kappa * d->res[kg + i];
                    for (int c = 0; c < full; c++) DENSE_J(at, c) += kappa * DENSE_J(kg + i, c);
                    for (int c = 0; c < full; c++) DENSE_J(c, at) += kappa * DENSE_J(c, kg + i);
                    bound += kappa * dense_s(d, plus, j, k)[i];
                }
                for (int c = 0; c < full; c++) DENSE_J(c, kg + i) = 0;
                dense_fix(d, kg + i, kg + i, bound, bound);
            }
        if (kind == WITHY_END_PINNED || kind == WITHY_END_CLAMPED)
            for (int i = 0; i < 3; i++) dense_fix(d, 3 * j + i, 3 * j + i, x[i], plus[3 * j + i]);
        if (kind != WITHY_END_CLAMPED) continue;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 3; i++)
                dense_fix(d, dense_at_s(d, j, k) + i, dense_at_s(d, j, k) + i, r[3 * i + 1 + k],
                          dense_s(d, plus, j, k)[i]);
        /* s is given; alpha and beta hold x' orthogonal to it, a has no effect */
        for (int m = 3; m < 6; m++) dense_fix(d, dense_at_m(d, j, m), dense_at_m(d, j, m), 0, 0);
    }
}

/* Solve jac y = res in place. */
static inline int dense_solve(dense *d) {
    const int full = dense_full(d);
#ifdef WITHY_HAVE_LIB_LAPACK
    lapack_int *pivot = malloc((size_t)full * sizeof *pivot);
    const int info =
        (int)LAPACKE_dgesv(LAPACK_COL_MAJOR, full, 1, d->jac, full, pivot, d->res, full);
    free(pivot);
    return info == 0;
#else
    for (int k = 0; k < full; k++) {
        int p = k;
        for (int i = k + 1; i < full; i++)
            if (fabs(DENSE_J(i, k)) > fabs(DENSE_J(p, k))) p = i;
        if (DENSE_J(p, k) == 0.0) return 0;
        for (int c = k; c < full && p != k; c++) {
            const double keep = DENSE_J(k, c);
            DENSE_J(k, c) = DENSE_J(p, c), DENSE_J(p, c) = keep;
        }
        const double keep = d->res[k];
        d->res[k] = d->res[p], d->res[p] = keep;
        for (int i = k + 1; i < full; i++) {
            const double f = DENSE_J(i, k) / DENSE_J(k, k);
            if (f == 0.0) continue;
            for (int c = k + 1; c < full; c++) DENSE_J(i, c) -= f * DENSE_J(k, c);
            d->res[i] -= f * d->res[k];
        }
    }
    for (int k = full - 1; k >= 0; k--) {
        for (int c = k + 1; c < full; c++) d->res[k] -= DENSE_J(k, c) * d->res[c];
        d->res[k] /= DENSE_J(k, k);
    }
    return 1;
#endif
}

/* One step; returns the number of iterations, 0 on failure. */
static inline int dense_step(dense *d) {
    const int full = dense_full(d), shape = 3 * d->gen + 6 * (d->n + 1);
    double *plus = d->level[0], *now = d->level[1], *last = d->level[2];
    for (int i = 0; i < shape; i++) plus[i] = d->step ? 2 * now[i] - last[i] : now[i];
    for (int k = 1; k <= 30; k++) {
        dense_assemble(d);
        dense_ends(d);
        if (!dense_solve(d)) return 0;
        double most = 0;
        for (int i = 0; i < full; i++) {
            if (i < shape)
                plus[i] -= d->res[i];
            else
                d->mult[i - shape] -= d->res[i];
            if (i < shape)
                most = fabs(d->res[i]) > most || isnan(d->res[i]) ? fabs(d->res[i]) : most;
        }
        for (int e = 0; e < 2; e++) /* k = s kappa again after the update */
            for (int i = 0; i < 3 && !d->free_k[e]; i++) {
                const int j = e ? d->n : 0;
                plus[3 * (d->n + 1 + e) + i] = 0;
                for (int q = 0; q < 2; q++)
                    plus[3 * (d->n + 1 + e) + i] +=
                        (d->s->kappa ? d->s->kappa[2 * j + q] : 0.0) * dense_s(d, plus, j, q)[i];
            }
        if (!(most < 1e3)) return 0;
        if (most <= 1e-11) {
            d->level[0] = last, d->level[1] = plus, d->level[2] = now;
            d->step++;
            return k;
        }
    }
    return 0;
}
