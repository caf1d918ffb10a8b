/* plain.h - a round, uniform rod at order 2 without extras: its formulas, and the sweeps of several of them.
 *
 * The equations of fdtd/kernel.c where coefficients are constants and two of the three directions are alike: with
 * e = R^T d, d the difference of two nodes,
 *
 *   N = R n = kn1 d + n3 d3,  tau = e x n = (e2 n3, -e1 n3, 0),   n3 = (kn3 - kn1) e3 + n03
 *   w <- w + wf tau + 2 g (a2 - g a1, -(a1 + g a2), 0)/(1 + g^2),   a = w + wf tau/2,  g = wg a3/2
 *   q <- q + 2 (q k - k.k q)/(1 + k.k),   k = dt w/4
 */
#pragma once

#include "method/fdtd/fdtd.h"
#include "numeric/interpolate/sbp_pack.h"

_Static_assert((int)WY_FDTD_LANES % (int)WY_PACK == 0, "rods side by side are whole packs");

/* The rods of a group from `lane` on; one rod alone has lane 0 and the same number everywhere. */
WY_INLINE pack3 lanes3(double x[3][WY_FDTD_LANES], int lane) {
    return (pack3){pack_load(x[0] + lane), pack_load(x[1] + lane), pack_load(x[2] + lane)};
}
/* A coefficient that is the same along the grid, taken next to the start. */
WY_INLINE pack level(const double *x, int stride, int lane) {
    return stride > 1 ? pack_load(x + stride + lane) : splat(x[1]);
}
WY_INLINE pack3 level3(double *const x[3], int stride, int lane) {
    return (pack3){level(x[0], stride, lane), level(x[1], stride, lane), level(x[2], stride, lane)};
}

/* q cayley(dt w / 4) = q (1 - k.k, 2 k)/(1 + k.k) = q + 2 (q k - k.k q)/(1 + k.k), k = dt w / 4.  What is divided by
 * 1 + k.k does not wait for the quotient, and rounding is that of one sum. */
typedef struct turning {
    pack4 by;        /* q k - k.k q */
    pack one_square; /* 1 + k.k */
} turning;

WY_INLINE turning turn_of(pack4 q, pack3 w, pack quarter) {
    const pack3 k = scale3(quarter, w);
    const pack square = dot3(k, k);
    const pack4 v = times_vector(q, k);
    return (turning){
        {v.w - square * q.w, v.x - square * q.x, v.y - square * q.y, v.z - square * q.z},
        1.0 + square};
}

WY_INLINE pack4 turned_by(pack4 q, pack4 by, pack twice) {
    return (pack4){q.w + twice * by.w, q.x + twice * by.x, q.y + twice * by.y, q.z + twice * by.z};
}

WY_INLINE pack4 turned(pack4 q, pack3 w, pack quarter) {
    const turning t = turn_of(q, w, quarter);
    return turned_by(q, t.by, 2.0 / t.one_square);
}

/* Coefficients; more: kn3 - kn1. */
typedef struct plain {
    pack kn1, more, n03, pf, dt, quarter, wf1, wf3, half_wf1, half_wf3, half_wg;
    pack3 km, fall;
} plain;

WY_INLINE plain plain_of(wy_fdtd_group *g, int stride, int lane) {
    const pack kn1 = level(g->grid.kn[0], stride, lane);
    const pack wf1 = level(g->rate.wf[0], stride, lane), wf3 = level(g->rate.wf[2], stride, lane);
    return (plain){.kn1 = kn1,
                   .more = level(g->grid.kn[2], stride, lane) - kn1,
                   .n03 = level(g->grid.n0[2], stride, lane),
                   .pf = level(g->rate.pf, stride, lane),
                   .dt = pack_load(g->rate.step + lane),
                   .quarter = 0.25 * pack_load(g->rate.step + lane),
                   .wf1 = wf1,
                   .wf3 = wf3,
                   .half_wf1 = 0.5 * wf1,
                   .half_wf3 = 0.5 * wf3,
                   .half_wg = 0.5 * level(g->rate.wg[0], stride, lane),
                   .km = scale3(splat(8), level3(g->grid.km, stride, lane)),
                   .fall = lanes3(g->rate.fall, lane)};
}

/* Force N of a half, and its torque: a round section has none about d3. */
WY_INLINE pack3 plain_half(const plain *c, pack4 q, pack3 d, pack *tau1, pack *tau2) {
    const frame R = frame_of(q);
    const pack3 e = to_material(R, d);
    const pack n3 = c->more * e.z + c->n03;
    *tau1 = e.y * n3;
    *tau2 = -e.x * n3;
    return (pack3){c->kn1 * d.x + n3 * R.d3.x, c->kn1 * d.y + n3 * R.d3.y,
                   c->kn1 * d.z + n3 * R.d3.z};
}

/* A and B of a node; km: eight times that of the grid. */
typedef struct couple {
    pack3 a, b;
} couple;

WY_INLINE couple plain_bend(const plain *c, pack4 before, pack4 after) {
    const pack re = re_conj(before, after), inverse = 1.0 / (1.0 + re);
    const pack3 s = im_conj(before, after), tm = mul3(c->km, scale3(inverse * inverse, s));
    const pack along = dot3(tm, s) * inverse;
    return (couple){{re * tm.x + along * s.x, re * tm.y + along * s.y, re * tm.z + along * s.z},
                    cross3(tm, s)};
}

/* w <- w + wf tau + wg (m x m): start, and the part of it that is divided by 1 + g^2. */
typedef struct gyre {
    pack3 start;
    pack x, y, one_square;
} gyre;

WY_INLINE gyre plain_gyre(const plain *c, pack3 w, pack3 tau) {
    const pack g = c->half_wg * (w.z + c->half_wf3 * tau.z);
    const pack ax = w.x + c->half_wf1 * tau.x, ay = w.y + c->half_wf1 * tau.y;
    return (gyre){{w.x + c->wf1 * tau.x, w.y + c->wf1 * tau.y, w.z + c->wf3 * tau.z},
                  g * (ay - g * ax),
                  -g * (ax + g * ay),
                  1.0 + g * g};
}

WY_INLINE pack3 plain_spin(const gyre *a, pack twice) {
    return (pack3){a->start.x + twice * a->x, a->start.y + twice * a->y, a->start.z};
}

#define LOCAL3(x)                                                                                  \
    { (x)[0], (x)[1], (x)[2] }
#define LOCAL4(x)                                                                                  \
    { (x)[0], (x)[1], (x)[2], (x)[3] }

/* ---- rods side by side ------------------------------------------------------------------------------
 *
 * Three short sweeps: one that keeps everything between two nodes in registers loads and stores less, but its chains of
 * operations are long, and it is slower by a sixth.  Where fields lie is copied: a store could change it, for all
 * that the compiler knows.  What a node has in common with the one before it stays in registers. */

WY_INLINE void plain_halves(const plain *c, const wy_fdtd_group *g, int lane) {
    double *const r[3] = LOCAL3(g->now.r), *const q[4] = LOCAL4(g->now.q);
    double *const nn[3] = LOCAL3(g->work.nn), *const tau[2] = {g->work.tau[0], g->work.tau[1]};
    const int past = g->n * WY_FDTD_LANES;
    pack3 here = load3(r, lane);
    for (int k = lane; k < past; k += WY_FDTD_LANES) {
        const pack3 next = load3(r, k + WY_FDTD_LANES);
        pack tau1, tau2;
        store3(nn, k, plain_half(c, load4(q, k), sub3(next, here), &tau1, &tau2));
        pack_store(tau[0] + k, tau1), pack_store(tau[1] + k, tau2);
        here = next;
    }
}

/* Nodes between the ends; couples: of the two ends, on the half next to each. */
WY_INLINE void plain_nodes(const plain *c, const wy_fdtd_group *g, int lane,
                           const pack3 couples[2]) {
    double *const r[3] = LOCAL3(g->now.r), *const p[3] = LOCAL3(g->now.p);
    double *const q[4] = LOCAL4(g->now.q), *const nn[3] = LOCAL3(g->work.nn);
    double *const tau[2] = {g->work.tau[0], g->work.tau[1]}, *const turn[3] = LOCAL3(g->work.turn);
    const int last = g->n * WY_FDTD_LANES;
    pack4 before = load4(q, lane);
    pack3 n = load3(nn, lane),
          sum = couples[0]; /* torque of the half before the node, but for this node */
    sum.x += pack_load(tau[0] + lane), sum.y += pack_load(tau[1] + lane);
    for (int k = lane + WY_FDTD_LANES; k < last; k += WY_FDTD_LANES) {
        const pack3 next = load3(nn, k), f = sub3(next, n);
        const pack3 speed = add3(add3(load3(p, k), c->fall), scale3(c->pf, f));
        store3(p, k, speed);
        store3(r, k, add3(load3(r, k), scale3(c->dt, speed)));
        const pack4 after = load4(q, k);
        const couple m = plain_bend(c, before, after);
        store3(turn, k - WY_FDTD_LANES, add3(sum, sub3(m.a, m.b)));
        const pack3 both = add3(m.a, m.b);
        sum = (pack3){pack_load(tau[0] + k) - both.x, pack_load(tau[1] + k) - both.y, -both.z};
        before = after, n = next;
    }
    store3(turn, last + lane - WY_FDTD_LANES, add3(sum, couples[1]));
}

/* Two halves, 2/a and 2/b by one division. */
WY_INLINE void plain_pair(const plain *c, double *const w[3], double *const q[4],
                          double *const turn[3], int k, int l) {
    const pack4 qk = load4(q, k), ql = load4(q, l);
    const gyre a = plain_gyre(c, load3(w, k), load3(turn, k));
    const gyre b = plain_gyre(c, load3(w, l), load3(turn, l));
    const pack g = 2.0 / (a.one_square * b.one_square);
    const pack3 wk = plain_spin(&a, g * b.one_square), wl = plain_spin(&b, g * a.one_square);
    store3(w, k, wk), store3(w, l, wl);
    const turning tk = turn_of(qk, wk, c->quarter), tl = turn_of(ql, wl, c->quarter);
    const pack h = 2.0 / (tk.one_square * tl.one_square);
    store4(q, k, turned_by(qk, tk.by, h * tl.one_square));
    store4(q, l, turned_by(ql, tl.by, h * tk.one_square));
}

WY_INLINE void plain_alone(const plain *c, double *const w[3], double *const q[4],
                           double *const turn[3], int k) {
    const gyre a = plain_gyre(c, load3(w, k), load3(turn, k));
    const pack3 wk = plain_spin(&a, 2.0 / a.one_square);
    store3(w, k, wk);
    store4(q, k, turned(load4(q, k), wk, c->quarter));
}

WY_INLINE void plain_spins(const plain *c, const wy_fdtd_group *g, int lane) {
    double *const w[3] = LOCAL3(g->now.w), *const q[4] = LOCAL4(g->now.q);
    double *const turn[3] = LOCAL3(g->work.turn);
    const int past = g->n * WY_FDTD_LANES;
    int k = lane;
    for (; k + WY_FDTD_LANES < past; k += 2 * WY_FDTD_LANES)
        plain_pair(c, w, q, turn, k, k + WY_FDTD_LANES);
    if (k < past) plain_alone(c, w, q, turn, k);
}

#undef LOCAL3
#undef LOCAL4
