/* shooting.h - equilibria of a Cosserat rod by multiple shooting: a reference that shares nothing with
 * the methods of withy but the equations.
 *
 *   r' = R (e3 + N / c),  R' = R hat(M / d),  n' = -f - R g,  m' = -r' x n      N = R^T n, M = R^T m
 *
 * integrated by GSL's Runge-Kutta of order 8 between knots; Newton on the continuity at the knots and
 * on the twelve end conditions.  The state at the knots comes from an approximate solution (the method
 * under test): Newton converges to the exact one, and what it changes is that method's error.
 */
#pragma once

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>

#include "check.h"
#include "withy/withy.h"

enum { SHOOT_STATE = 13, SHOOT_FREE = 12, SHOOT_KNOTS = 80 };

typedef struct shoot_end {
    withy_end_kind kind; /* clamped, pinned or free                           */
    double r[3], q[4];   /* held position and frame                           */
    double n[3], m[3];   /* n, m at a free end (finish: the load; start: minus it) */
    int mirror;          /* instead: the middle of a rod that a half turn about x maps to itself,
                                  * d1 (1) or d2 (2) across x; r[2] is its z          */
} shoot_end;

typedef struct shoot {
    double c[3], d[3];           /* GA1, GA2, EA; EI1, EI2, GJ                        */
    double dead[3], follower[3]; /* force per length, laboratory and material         */
    shoot_end end[2];
    int knots; /* segments + 1                                      */
    double s[SHOOT_KNOTS];
    double y[SHOOT_KNOTS][SHOOT_STATE]; /* r, q, n, m                                 */
    double change;                      /* size of the last correction                       */
} shoot;

static inline void shoot_rotate(const double q[4], const double v[3], double out[3], double sign) {
    const double w = q[0], x = sign * q[1], y = sign * q[2], z = sign * q[3];
    const double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]),
                         2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

static inline void shoot_product(const double a[4], const double b[4], double out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The equations above. */
static inline int shoot_rhs(double s, const double y[], double f[], void *context) {
    (void)s;
    const shoot *p = context;
    const double *q = y + 3, *n = y + 7, *m = y + 10;
    double force[3], moment[3], gamma[3], k[4] = {0}, turned[3], dq[4];
    shoot_rotate(q, n, force, -1);
    shoot_rotate(q, m, moment, -1);
    for (int i = 0; i < 3; i++)
        gamma[i] = force[i] / p->c[i] + (i == 2), k[i + 1] = moment[i] / p->d[i];
    shoot_rotate(q, gamma, f, 1);
    shoot_product(q, k, dq);
    for (int i = 0; i < 4; i++) f[3 + i] = 0.5 * dq[i];
    shoot_rotate(q, p->follower, turned, 1);
    for (int i = 0; i < 3; i++) f[7 + i] = -p->dead[i] - turned[i];
    f[10] = -(f[1] * n[2] - f[2] * n[1]);
    f[11] = -(f[2] * n[0] - f[0] * n[2]);
    f[12] = -(f[0] * n[1] - f[1] * n[0]);
    return GSL_SUCCESS;
}

/* From knot k to knot k + 1. */
static inline void shoot_segment(const shoot *p, int k, const double from[SHOOT_STATE],
                                 double to[SHOOT_STATE]) {
    enum { STEPS = 24 };
    gsl_odeiv2_system system = {shoot_rhs, NULL, SHOOT_STATE, (void *)p};
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, SHOOT_STATE);
    double error[SHOOT_STATE];
    const double h = (p->s[k + 1] - p->s[k]) / STEPS;
    memcpy(to, from, SHOOT_STATE * sizeof *to);
    for (int i = 0; i < STEPS; i++)
        gsl_odeiv2_step_apply(step, p->s[k] + i * h, h, to, error, NULL, NULL, &system);
    gsl_odeiv2_step_free(step);
}

/* y with the state's coordinate i (0-2 position, 3-5 rotation in the material frame, 6-8 n, 9-11 m) moved. */
static inline void shoot_move(double y[SHOOT_STATE], int i, double by) {
    if (i < 3) y[i] += by;
    if (i >= 6) y[i + 1] += by;
    if (i < 3 || i >= 6) return;
    double turn[4] = {cos(0.5 * by), 0, 0, 0}, q[4];
    turn[i - 2] = sin(0.5 * by);
    shoot_product(y + 3, turn, q);
    memcpy(y + 3, q, sizeof q);
}

/* a - b in those coordinates. */
static inline void shoot_difference(const double a[SHOOT_STATE], const double b[SHOOT_STATE],
                                    double out[SHOOT_FREE]) {
    const double back[4] = {b[3], -b[4], -b[5], -b[6]};
    double q[4];
    shoot_product(back, a + 3, q);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
        out[3 + i] = 2 * q[i + 1] * (q[0] < 0 ? -1 : 1);
        out[6 + i] = a[7 + i] - b[7 + i];
        out[9 + i] = a[10 + i] - b[10 + i];
    }
}

/* The six conditions of one end. */
static inline void shoot_conditions(const shoot_end *end, const double y[SHOOT_STATE],
                                    double out[6]) {
    double target[SHOOT_STATE], miss[SHOOT_FREE];
    memcpy(target, end->r, sizeof end->r);
    memcpy(target + 3, end->q, sizeof end->q);
    memcpy(target + 7, end->n, sizeof end->n);
    memcpy(target + 10, end->m, sizeof end->m);
    if (end->mirror) {
        double axis[2][3], unit[2][3] = {{end->mirror == 1, end->mirror == 2, 0}, {0, 0, 1}};
        for (int i = 0; i < 2; i++) shoot_rotate(y + 3, unit[i], axis[i], 1);
        const double all[6] = {y[1], y[2] - end->r[2], axis[0][0], axis[1][0], y[7], y[10]};
        memcpy(out, all, sizeof all);
        return;
    }
    shoot_difference(y, target, miss);
    for (int i = 0; i < 3; i++) {
        out[i] = end->kind == WITHY_END_FREE ? miss[6 + i] : miss[i];
        out[3 + i] = end->kind == WITHY_END_CLAMPED ? miss[3 + i] : miss[9 + i];
    }
}

/* Sizes of position, rotation, force, moment, for the differences. */
static inline void shoot_scales(const shoot *p, double scale[SHOOT_FREE]) {
    const double length = p->s[p->knots - 1];
    double n = 0, m = 0;
    for (int k = 0; k < p->knots; k++)
        for (int i = 0; i < 3; i++)
            n = worst_of(n, fabs(p->y[k][7 + i])), m = worst_of(m, fabs(p->y[k][10 + i]));
    n = worst_of(n, m / length), m = worst_of(m, 1e-3 * n * length);
    for (int i = 0; i < 3; i++)
        scale[i] = length, scale[3 + i] = 1, scale[6 + i] = n, scale[9 + i] = m;
}

/* One Newton step; its size, relative to the scales. */
static inline double shoot_newton(shoot *p) {
    const size_t rows = SHOOT_FREE * (size_t)p->knots;
    gsl_matrix *a = gsl_matrix_calloc(rows, rows);
    gsl_vector *b = gsl_vector_calloc(rows), *x = gsl_vector_calloc(rows);
    gsl_permutation *order = gsl_permutation_alloc(rows);
    double scale[SHOOT_FREE], base[SHOOT_STATE], moved[SHOOT_STATE], miss[SHOOT_FREE], size = 0;
    shoot_scales(p, scale);
    for (int e = 0; e < 2; e++) {
        const int k = e ? p->knots - 1 : 0;
        const size_t row = e ? rows - 6 : 0;
        double at[6], up[6];
        shoot_conditions(&p->end[e], p->y[k], at);
        for (size_t i = 0; i < 6; i++) gsl_vector_set(b, row + i, -at[i]);
        for (int j = 0; j < SHOOT_FREE; j++) {
            memcpy(moved, p->y[k], sizeof moved);
            shoot_move(moved, j, 1e-6 * scale[j]);
            shoot_conditions(&p->end[e], moved, up);
            for (size_t i = 0; i < 6; i++)
                gsl_matrix_set(a, row + i, SHOOT_FREE * (size_t)k + (size_t)j,
                               (up[i] - at[i]) / 1e-6);
        }
    }
    for (int k = 0; k + 1 < p->knots; k++) {
        const size_t row = 6 + SHOOT_FREE * (size_t)k, column = SHOOT_FREE * (size_t)k;
        double at[SHOOT_FREE];
        shoot_segment(p, k, p->y[k], base);
        shoot_difference(base, p->y[k + 1], at);
        for (size_t i = 0; i < SHOOT_FREE; i++) gsl_vector_set(b, row + i, -at[i]);
        for (int j = 0; j < 2 * SHOOT_FREE; j++) {
            const int own = j % SHOOT_FREE;
            memcpy(moved, p->y[k + j / SHOOT_FREE], sizeof moved);
            shoot_move(moved, own, 1e-6 * scale[own]);
            if (j < SHOOT_FREE) {
                double landed[SHOOT_STATE];
                shoot_segment(p, k, moved, landed);
                shoot_difference(landed, p->y[k + 1], miss);
            } else {
                shoot_difference(base, moved, miss);
            }
            for (size_t i = 0; i < SHOOT_FREE; i++)
                gsl_matrix_set(a, row + i, column + (size_t)j, (miss[i] - at[i]) / 1e-6);
        }
    }
    /* rows to the same scales as the unknowns */
    for (size_t i = 0; i < rows; i++) {
        double most = 0;
        for (size_t j = 0; j < rows; j++) most = worst_of(most, fabs(gsl_matrix_get(a, i, j)));
        for (size_t j = 0; j < rows; j++) gsl_matrix_set(a, i, j, gsl_matrix_get(a, i, j) / most);
        gsl_vector_set(b, i, gsl_vector_get(b, i) / most);
    }
    int sign;
    gsl_linalg_LU_decomp(a, order, &sign);
    gsl_linalg_LU_solve(a, order, b, x);
    for (int k = 0; k < p->knots; k++)
        for (int j = 0; j < SHOOT_FREE; j++) {
            const double by = gsl_vector_get(x, SHOOT_FREE * (size_t)k + (size_t)j);
            shoot_move(p->y[k], j, by * scale[j]);
            size = worst_of(size, fabs(by));
        }
    gsl_matrix_free(a), gsl_vector_free(b), gsl_vector_free(x), gsl_permutation_free(order);
    return size;
}

/* Knots at every `every`-th station, up to the station `last`, of a snapshot with force and moment. */
static inline void shoot_start(shoot *p, const withy_snapshot *now, int every, int last) {
    CHECK(now->have & WITHY_HAVE_FORCE);
    CHECK(now->have & WITHY_HAVE_MOMENT);
    p->knots = 0;
    for (int i = 0; i <= last; i += every) {
        CHECK(p->knots < SHOOT_KNOTS);
        double *y = p->y[p->knots];
        p->s[p->knots++] = now->s[i];
        memcpy(y, &now->position[i], 3 * sizeof *y);
        memcpy(y + 3, &now->frame[i], 4 * sizeof *y);
        memcpy(y + 7, &now->force[i], 3 * sizeof *y);
        memcpy(y + 10, &now->moment[i], 3 * sizeof *y);
    }
    CHECK(last % every == 0);
}

/* Newton until it stalls at rounding. */
static inline void shoot_solve(shoot *p) {
    double before = INFINITY;
    for (int i = 0; i < 12; i++) {
        p->change = shoot_newton(p);
        if (!(p->change < 1e-7) || p->change < 0.3 * before) {
            before = p->change;
            continue;
        }
        return;
    }
    if (!(p->change < 1e-9)) fail_msg("multiple shooting does not converge: %g", p->change);
}
