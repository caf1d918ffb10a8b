/* vary.h - coefficients of the variation of the balance: what jacobian.c and turns.c share. */
#pragma once

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

enum { P, L, T2, T1, T0, PARTS }; /* x->jac.part[]: [rows][cols][ld] */

static inline double *coefficient(const wy_cheb *x, int part, int a, int b) {
    return x->jac.part[part] + (size_t)(a * x->fields + b) * (size_t)x->grid.ld;
}

static inline void put(const wy_cheb *x, int part, int a, int b, int i, double value) {
    coefficient(x, part, a, b)[i] += value;
}

/* Rows of 2 E(q) or G(q), 3 x 4. */
static inline void e_rows(quat q, double scale, double m[3][4]) {
    const double rows[3][4] = {
        {-q.x, q.w, -q.z, q.y}, {-q.y, q.z, q.w, -q.x}, {-q.z, -q.y, q.x, q.w}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) m[i][j] = scale * rows[i][j];
}
static inline void g_rows(quat q, double scale, double m[3][4]) {
    const double rows[3][4] = {
        {-q.x, q.w, q.z, -q.y}, {-q.y, -q.z, q.w, q.x}, {-q.z, q.y, -q.x, q.w}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) m[i][j] = scale * rows[i][j];
}

static inline void add_row(int count, double k, const double *restrict d, double *restrict out) {
    for (int j = 0; j < count; j++) out[j] += k * d[j];
}

/* ---- cheb/turns.c: moments of form G in space --------------------------------------------------------- */
/* Do moments act through y? */
static inline int wy_cheb_varies_turns(const wy_cheb *x) {
    return x->opt.ends == WY_CHEB_ENDS_G && !x->planar;
}

/* Coefficients at every node, and the rows at node i with respect to field 3 + b into the matrix. */
void wy_cheb_turns(const wy_cheb *x, const double *u, double *const c2[3], int elastic);
void wy_cheb_turns_rows(const wy_cheb *x, const double *u, int i, int b, double *out);

/* y = G^T A^T m of the present stresses and its derivative, of four fields each. */
static inline void wy_cheb_turned_moment(const wy_cheb *x, const double *u, double *y, double *dy) {
    const int ld = x->grid.ld;
    for (int i = 0; i < ld; i++) {
        const quat q = quat_at(u, ld, i);
        const quat g =
            wy_cheb_gt(q, m3_tmul(wy_cheb_rotate(q, x->excess), vec_at(x->f + 3 * ld, ld, i)));
        y[i] = g.w, y[ld + i] = g.x, y[2 * ld + i] = g.y, y[3 * ld + i] = g.z;
    }
    wy_collocation_derive(&x->grid, 4, y, dy);
}
