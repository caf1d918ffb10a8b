/* kernel.c - the sweeps of one time step, on packs of numbers.
 *
 * With e = h P- v, z = h P+ u (weighted strains), a step is
 *
 *   halves  e = R^T (Q r),  n = kn e + n0,  N = R n,  tau = e x n
 *   nodes   F = -Q^T N,  a = I q,  b = -Q^T q,  z = 2 Im(a* b)/|a|^2,  m = km z + m0
 *           g_b = 2 a m/|a|^2,  g_a = -2 (b m + (m.z) a)/|a|^2
 *   halves  tau += Im(q* (Q g_b - I^T g_a))/2
 *   nodes   p <- pe p + pf (F + load),  r <- r + dt p
 *   halves  w <- we w + wf tau + wg (m x m),  m = (w- + w+)/2,  q <- q cayley(dt w/4)
 *
 * where wg (m x m) = (wg1 m2 m3, wg2 m3 m1, wg3 m1 m2) is dt J^-1 (J m x m).  At order 2 the second and third line need no quaternion fields: with (c, s) = q_(i-1)* q_i,
 *
 *   z = 4 s/(1 + c),  m = km z + m0,   A = 2 (c m + s (m.s)/(1 + c))/(1 + c),   B = 2 m x s/(1 + c)
 *
 * node i turns the half after it by -(A + B) and the half before it by A - B (the same gradient,
 * for unit quaternions, at half the work).
 *
 * Every function here is one formula on `pack`, as many doubles as a register of the processor has (numeric/vector/pack.h):
 * neighbours along one rod (stride 1), or the same point of rods that lie side by side (stride WY_FDTD_LANES), of which a
 * pack holds those from `lane` on.  The
 * stride, the order and the richness are constants where the functions are instantiated (end of
 * file), so no branch is left in a loop.  This file is compiled with -ffp-contract=fast: the
 * fused multiply-add is a third of the work, and all results are compared with a plain reference
 * to 1e-12 anyway.
 */
#include "method/fdtd/plain.h"

WY_INLINE pack inverse_root(pack square) {
    pack inverse = splat(0);
    for (int l = 0; l < WY_PACK; l++) inverse[l] = 1.0 / sqrt(square[l]);
    return inverse;
}

#include "method/fdtd/formula.inc"

/* The first rod in the pack at k. */
WY_INLINE int lane_at(int k, int stride) {
    return stride > 1 ? k % stride : 0;
}

/* All packs of rods side by side; once for one rod. */
#define EACH_LANE(lane, stride) for (int lane = 0; lane < (stride); lane += WY_PACK)

/* ---- halves: strains to forces --------------------------------------------------------------- */

WY_INLINE void half_force(wy_fdtd_group *g, int k, pack3 d, int rich) {
    const frame R = frame_of(load4(g->now.q, k));
    const pack3 e = to_material(R, d);
    pack3 n = mul3(load3(g->grid.kn, k), e);
    if (rich)
        n = add3(n, load3(g->grid.n0, k));
    else
        n.z += pack_load(g->grid.n0[2] + k);
    if (rich && g->viscous) {
        n = add3(n, mul3(load3(g->rate.cn, k), sub3(e, load3(g->now.eo, k))));
        store3(g->work.en, k, e);
    }
    store3(g->work.nn, k, to_laboratory(R, n));
    store3(g->work.tau, k, cross3(e, n));
}

WY_INLINE void sweep_halves(wy_fdtd_group *g, int reach, int stride, int rich) {
    const wy_sbp *op = g->op;
    for (int k = 0; k < g->n * stride; k += WY_PACK)
        half_force(g, k,
                   (pack3){difference(g->now.r[0] + k, stride, reach, op->c),
                           difference(g->now.r[1] + k, stride, reach, op->c),
                           difference(g->now.r[2] + k, stride, reach, op->c)},
                   rich);
    for (int end = 0; end < 2 && reach > 1; end++) {
        const wy_sbp_block *block = &op->q[end];
        const int first = first_column(block, end, g->n + 1, stride);
        for (int i = 0; i < closure_calls(op, stride); i++)
            EACH_LANE (lane, stride) {
                const int row = closure_row(i, end, stride), from = first + lane;
                const int k = ((end ? g->n - WY_SBP_ROWS : 0) + row) * stride + lane;
                half_force(g, k,
                           (pack3){closed(block, g->now.r[0] + from, row, stride),
                                   closed(block, g->now.r[1] + from, row, stride),
                                   closed(block, g->now.r[2] + from, row, stride)},
                           rich);
            }
    }
    /* what a last, incomplete pack wrote beyond the rod must not act on the end node */
    if (stride == 1) store3(g->work.nn, g->n, zero3());
}

/* ---- nodes: force differences and bending ---------------------------------------------------- */

/* m from the weighted strain. */
WY_INLINE pack3 couple_of(wy_fdtd_group *g, int k, pack3 z, int rich) {
    pack3 m = mul3(load3(g->grid.km, k), z);
    if (rich) m = add3(m, load3(g->grid.m0, k));
    if (rich && g->viscous) {
        m = add3(m, mul3(load3(g->rate.cm, k), sub3(z, load3(g->now.zo, k))));
        store3(g->work.zn, k, z);
    }
    return m;
}

/* Order 2: the couple between two neighbouring halves. */
WY_INLINE torques bend2(wy_fdtd_group *g, int k, int stride, int rich) {
    const pack4 before = load4(g->now.q, k - stride), after = load4(g->now.q, k);
    const pack c = re_conj(before, after), inverse = 1.0 / (1.0 + c), twice = inverse + inverse;
    const pack3 s = im_conj(before, after);
    return torques_of(c, s, inverse, couple_of(g, k, scale3(twice + twice, s), rich));
}

WY_INLINE void bend(wy_fdtd_group *g, int k, pack4 a, pack4 b, int rich) {
    const pack3 z = scale3(2.0 / re_conj(a, a), im_conj(a, b));
    const gradients of = gradients_of(a, b, z, couple_of(g, k, z, rich));
    store4(g->work.gb, k, of.b);
    store4(g->work.ga, k, of.a);
}

WY_INLINE void node_at(wy_fdtd_group *g, int k, int end, int row, int stride, int lane, int rich) {
    const wy_sbp *op = g->op;
    const wy_sbp_block *qt = &op->qt[end], *it = &op->i[end];
    const int from = lane + first_column(qt, end, g->n, stride);
    const int start = lane + first_column(it, end, g->n, stride);
    pack4 a, b;
    for (int d = 0; d < 3; d++)
        pack_store(g->work.f[d] + k, -closed(qt, g->work.nn[d] + from, row, stride));
    a.w = closed(it, g->now.q[0] + start, row, stride),
    b.w = -closed(qt, g->now.q[0] + from, row, stride);
    a.x = closed(it, g->now.q[1] + start, row, stride),
    b.x = -closed(qt, g->now.q[1] + from, row, stride);
    a.y = closed(it, g->now.q[2] + start, row, stride),
    b.y = -closed(qt, g->now.q[2] + from, row, stride);
    a.z = closed(it, g->now.q[3] + start, row, stride),
    b.z = -closed(qt, g->now.q[3] + from, row, stride);
    bend(g, k, a, b, rich);
}

WY_INLINE void sweep_nodes(wy_fdtd_group *g, int reach, int stride, int rich) {
    const wy_sbp *op = g->op;
    for (int k = 0; k < (g->n + 1) * stride; k += WY_PACK) {
        for (int d = 0; d < 3; d++)
            pack_store(g->work.f[d] + k, divergence(g->work.nn[d] + k, stride, reach, op->c));
        if (reach == 1) {
            const torques turn = bend2(g, k, stride, rich);
            store3(g->work.gb, k, turn.after), store3(g->work.ga, k, turn.before);
            continue;
        }
        const pack4 a = {mean(g->now.q[0] + k, stride, reach, op->e),
                         mean(g->now.q[1] + k, stride, reach, op->e),
                         mean(g->now.q[2] + k, stride, reach, op->e),
                         mean(g->now.q[3] + k, stride, reach, op->e)};
        const pack4 b = {divergence(g->now.q[0] + k, stride, reach, op->c),
                         divergence(g->now.q[1] + k, stride, reach, op->c),
                         divergence(g->now.q[2] + k, stride, reach, op->c),
                         divergence(g->now.q[3] + k, stride, reach, op->c)};
        bend(g, k, a, b, rich);
    }
    for (int end = 0; end < 2 && reach > 1; end++)
        for (int i = 0; i < closure_calls(op, stride); i++) {
            const int row = closure_row(i, end, stride);
            const int k = ((end ? g->n + 1 - WY_SBP_ROWS : 0) + row) * stride;
            EACH_LANE (lane, stride) node_at(g, k + lane, end, row, stride, lane, rich);
        }
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The frame of an end that is not held: the halves carried on by the first row of I. */
WY_INLINE pack4 end_frame(const wy_fdtd_group *g, int end, int reach, int stride, int lane) {
    pack4 a = {splat(0), splat(0), splat(0), splat(0)};
    for (int j = 0; j < 2 * reach; j++) {
        const pack weight = splat(
            reach == 1 ? 1.5 - 2.0 * j : g->op->i[0].m[j][0]); /* the ends mirror each other */
        const pack4 q = load4(g->now.q, lane + (end ? g->n - 1 - j : j) * stride);
        a.w += weight * q.w, a.x += weight * q.x, a.y += weight * q.y, a.z += weight * q.z;
    }
    return a;
}

/* h P+ b at an end node, without the end's own frame. */
WY_INLINE pack4 end_divergence(const wy_fdtd_group *g, int end, int reach, int stride, int lane) {
    if (reach == 1) {
        const pack4 q = load4(g->now.q, lane + (end ? g->n - 1 : 0) * stride);
        if (end == 0) return q;
        return (pack4){-q.w, -q.x, -q.y, -q.z};
    }
    const wy_sbp_block *qt = &g->op->qt[end];
    const int from = lane + first_column(qt, end, g->n, stride), row = end ? WY_SBP_ROWS - 1 : 0;
    pack4 b = {splat(0), splat(0), splat(0), splat(0)};
    for (int c = 0; c < qt->cols; c++) {
        const pack weight = splat(-qt->m[c][row]);
        const pack4 q = load4(g->now.q, from + c * stride);
        b.w += weight * q.w, b.x += weight * q.x, b.y += weight * q.y, b.z += weight * q.z;
    }
    return b;
}

/* The couple at an end node and the frame it acts in: from the strain against a held frame, or as
 * applied. */
WY_INLINE pack3 end_couple(wy_fdtd_group *g, int end, int reach, int stride, int lane, pack4 *a) {
    const wy_fdtd_end *e = &g->end[end];
    wy_fdtd_hold *hold = &g->now.hold[end];
    const int k = lane + (end ? g->n * stride : 0);
    if (!e->holds_direction) {
        *a = end_frame(g, end, reach, stride, lane);
        const pack inverse = inverse_root(re_conj(*a, *a));
        *a = (pack4){a->w * inverse, a->x * inverse, a->y * inverse, a->z * inverse};
        return lanes3(hold->moment, lane);
    }
    *a = (pack4){pack_load(hold->q[0] + lane), pack_load(hold->q[1] + lane),
                 pack_load(hold->q[2] + lane), pack_load(hold->q[3] + lane)};
    if (e->turns_free)
        *a = without_twist(*a, load4(g->now.q, lane + (end ? g->n - 1 : 0) * stride));
    const pack4 b = end_divergence(g, end, reach, stride, lane); /* a* a has no vector part */
    const pack3 z = scale3(splat(2), im_conj(*a, b));
    pack3 m = add3(mul3(load3(g->grid.km, k), z), load3(g->grid.m0, k));
    if (g->viscous) {
        m = add3(m, mul3(load3(g->rate.cm, k), sub3(z, load3(g->now.zo, k))));
        put3(g->work.zn, k, z, stride);
    }
    if (e->turns_free) m.z = splat(0);
    return m;
}

/* Effect of the end on the half next to it (order 2).  The couple of a held frame is that of a spring
 * between frame and half, and acts half-way between them; an applied moment is the same vector on
 * the half as at the end, which takes the whole rotation. */
WY_INLINE pack3 end_torque(wy_fdtd_group *g, int end, int stride, int lane) {
    const wy_fdtd_end *e = &g->end[end];
    if (!e->holds_direction && !e->loaded) return zero3();
    pack4 a;
    const pack3 m = end_couple(g, end, 1, stride, lane, &a);
    const pack4 q = load4(g->now.q, lane + (end ? g->n - 1 : 0) * stride);
    const pack3 turn = e->holds_direction ? add3(scale3(re_conj(a, q), m), cross3(m, im_conj(a, q)))
                                          : to_material(frame_of(q), to_laboratory(frame_of(a), m));
    return end ? turn : (pack3){-turn.x, -turn.y, -turn.z};
}

WY_INLINE void end_bend(wy_fdtd_group *g, int end, int reach, int stride, int lane) {
    const wy_fdtd_end *e = &g->end[end];
    const int k = lane + (end ? g->n * stride : 0);
    if (reach == 1) {
        const pack3 turn = end_torque(g, end, stride, lane);
        put3(g->work.gb, k, end ? zero3() : turn, stride);
        put3(g->work.ga, k, end ? turn : zero3(), stride);
        return;
    }
    const pack4 none = {splat(0), splat(0), splat(0), splat(0)};
    gradients of = {none, none};
    if (e->holds_direction || e->loaded) {
        pack4 a;
        const pack3 m = end_couple(g, end, reach, stride, lane, &a);
        if (e->holds_direction) /* a is given, and only b turns with the rod */
            of.b = times_vector(a, add3(m, m));
        else
            of = end_gradients(a, m, load3(g->grid.km, k), load3(g->grid.m0, k));
    }
    put4(g->work.gb, k, of.b, stride), put4(g->work.ga, k, of.a, stride);
}

WY_INLINE void end_remember(wy_fdtd_group *g, int end, int stride, int lane) {
    const int k = lane + (end ? g->n * stride : 0);
    for (int d = 0; d < 3; d++) {
        pack_store(g->work.old_r[end][d] + lane, pack_load(g->now.r[d] + k));
        pack_store(g->work.old_p[end][d] + lane, pack_load(g->now.p[d] + k));
    }
}

/* The end node: at its prescribed position where held, else accelerated like its neighbours. */
WY_INLINE void end_push(wy_fdtd_group *g, int end, pack3 force, int stride, int lane) {
    const wy_fdtd_end *e = &g->end[end];
    wy_fdtd_hold *hold = &g->now.hold[end];
    const int k = lane + (end ? g->n * stride : 0);
    const pack3 old = lanes3(g->work.old_r[end], lane);
    pack3 p = zero3(), r = old;
    if (!e->holds_position) {
        const pack pf = pack_load(g->rate.pf + k);
        const pack3 all = add3(add3(force, load3(g->now.load, k)), lanes3(hold->force, lane));
        p = add3(scale3(pack_load(g->rate.pe + k), lanes3(g->work.old_p[end], lane)),
                 scale3(pf, all));
        r = add3(old, scale3(pack_load(g->rate.step + lane), p));
    } else if (e->moves) {
        r = lanes3(hold->r, lane);
        p = scale3(1.0 / pack_load(g->rate.step + lane), sub3(r, old));
    }
    put3(g->now.r, k, r, stride), put3(g->now.p, k, p, stride);
}

/* ---- halves and nodes: the motion ------------------------------------------------------------ */

WY_INLINE void spin(wy_fdtd_group *g, int k, int lane, pack3 tau, int rich) {
    const pack3 w = load3(g->now.w, k);
    if (rich) tau = add3(tau, load3(g->now.couple, k));
    const pack3 kick = mul3(load3(g->rate.wf, k), tau);
    const pack3 kept = rich ? mul3(load3(g->rate.we, k), w) : w;
    const pack3 next = spun(w, add3(kept, kick), load3(g->rate.wg, k));
    store3(g->now.w, k, next);
    store4(g->now.q, k, turned(load4(g->now.q, k), next, 0.25 * pack_load(g->rate.step + lane)));
}

/* The torque of the couples on the halves, into turn: orders 4 and 6. */
WY_INLINE void turn_at(wy_fdtd_group *g, int k, pack4 G) {
    const pack3 half = im_conj(load4(g->now.q, k), G);
    store3(g->work.turn, k, add3(load3(g->work.tau, k), scale3(splat(0.5), half)));
}

WY_INLINE void sweep_turns(wy_fdtd_group *g, int reach, int stride) {
    const wy_sbp *op = g->op;
    double **b = g->work.gb, **a = g->work.ga;
    if (reach == 1) {
        for (int k = 0; k < g->n * stride; k += WY_PACK) {
            const pack3 both = add3(load3(g->work.gb, k), load3(g->work.ga, k + stride));
            store3(g->work.turn, k, add3(load3(g->work.tau, k), both));
        }
        return;
    }
#define G_OF(d) difference(b[d] + k, stride, reach, op->c) - mean_t(a[d] + k, stride, reach, op->e)
    for (int k = 0; k < g->n * stride; k += WY_PACK)
        turn_at(g, k, (pack4){G_OF(0), G_OF(1), G_OF(2), G_OF(3)});
#undef G_OF
    for (int end = 0; end < 2; end++) {
        const wy_sbp_block *q = &op->q[end], *it = &op->it[end];
        const int q_first = first_column(q, end, g->n + 1, stride);
        const int it_first = first_column(it, end, g->n + 1, stride);
        for (int i = 0; i < closure_calls(op, stride); i++)
            EACH_LANE (lane, stride) {
                const int row = closure_row(i, end, stride);
                const int from = q_first + lane, start = it_first + lane;
#define G_OF(d) closed(q, b[d] + from, row, stride) - closed(it, a[d] + start, row, stride)
                turn_at(g, ((end ? g->n - WY_SBP_ROWS : 0) + row) * stride + lane,
                        (pack4){G_OF(0), G_OF(1), G_OF(2), G_OF(3)});
#undef G_OF
            }
    }
}

WY_INLINE void sweep_push(wy_fdtd_group *g, int stride, int rich) {
    for (int k = 0; k < (g->n + 1) * stride; k += WY_PACK) {
        const int lane = lane_at(k, stride);
        const pack pf = pack_load(g->rate.pf + k), dt = pack_load(g->rate.step + lane);
        pack3 p = load3(g->now.p, k), f = load3(g->work.f, k);
        if (rich) {
            f = add3(f, load3(g->now.load, k));
            p = add3(scale3(pack_load(g->rate.pe + k), p), scale3(pf, f));
        } else {
            p = add3(add3(p, lanes3(g->rate.fall, lane)), scale3(pf, f));
        }
        store3(g->now.p, k, p);
        store3(g->now.r, k, add3(load3(g->now.r, k), scale3(dt, p)));
    }
}

WY_INLINE pack3 end_force(const wy_fdtd_group *g, int end, int stride, int lane) {
    return load3(g->work.f, lane + (end ? g->n * stride : 0));
}

/* ---- one step -------------------------------------------------------------------------------- */

WY_INLINE void forces(wy_fdtd_group *g, int reach, int stride, int rich) {
    sweep_halves(g, reach, stride, rich);
    sweep_nodes(g, reach, stride, rich);
    EACH_LANE (lane, stride) {
        end_bend(g, 0, reach, stride, lane);
        end_bend(g, 1, reach, stride, lane);
    }
    sweep_turns(g, reach, stride);
}

WY_INLINE void push(wy_fdtd_group *g, int stride, int rich) {
    EACH_LANE (lane, stride) end_remember(g, 0, stride, lane), end_remember(g, 1, stride, lane);
    sweep_push(g, stride, rich);
    EACH_LANE (lane, stride) {
        end_push(g, 0, end_force(g, 0, stride, lane), stride, lane);
        end_push(g, 1, end_force(g, 1, stride, lane), stride, lane);
    }
    for (int k = 0; k < g->n * stride; k += WY_PACK)
        spin(g, k, lane_at(k, stride), load3(g->work.turn, k), rich);
}

WY_INLINE void general_step(wy_fdtd_group *g, int reach, int stride, int rich) {
    forces(g, reach, stride, rich);
    push(g, stride, rich);
}

/* Neighbours along one rod. */
static void step_plain_1(wy_fdtd_group *g) {
    enum { stride = 1, lane = 0 };
    const plain c = plain_of(g, stride, lane);
    for (int k = 0; k < g->n * stride; k += WY_PACK) {
        const pack3 d = sub3(load3(g->now.r, k + stride), load3(g->now.r, k));
        pack tau1, tau2;
        store3(g->work.nn, k, plain_half(&c, load4(g->now.q, k), d, &tau1, &tau2));
        pack_store(g->work.tau[0] + k, tau1), pack_store(g->work.tau[1] + k, tau2);
    }
    store3(g->work.nn, g->n, zero3());
    pack_store(g->work.tau[0] + g->n, splat(0)), pack_store(g->work.tau[1] + g->n, splat(0));
    end_remember(g, 0, stride, lane), end_remember(g, 1, stride, lane);
    const pack3 first = load3(g->work.nn, 0), last = load3(g->work.nn, (g->n - 1) * stride);
    for (int k = 0; k < (g->n + 1) * stride; k += WY_PACK) {
        const pack3 f = sub3(load3(g->work.nn, k), load3(g->work.nn, k - stride));
        const pack3 p = add3(add3(load3(g->now.p, k), c.fall), scale3(c.pf, f));
        store3(g->now.p, k, p);
        store3(g->now.r, k, add3(load3(g->now.r, k), scale3(c.dt, p)));
        const couple m = plain_bend(&c, load4(g->now.q, k - stride), load4(g->now.q, k));
        store3(g->work.gb, k, sub3(zero3(), add3(m.a, m.b)));
        store3(g->work.ga, k, sub3(m.a, m.b));
    }
    end_bend(g, 0, 1, stride, lane), end_bend(g, 1, 1, stride, lane);
    end_push(g, 0, first, stride, lane);
    end_push(g, 1, (pack3){-last.x, -last.y, -last.z}, stride, lane);
    for (int k = 0; k < g->n * stride; k += WY_PACK) {
        pack3 tau = add3(load3(g->work.gb, k), load3(g->work.ga, k + stride));
        tau.x += pack_load(g->work.tau[0] + k), tau.y += pack_load(g->work.tau[1] + k);
        const gyre a = plain_gyre(&c, load3(g->now.w, k), tau);
        const pack3 w = plain_spin(&a, 2.0 / a.one_square);
        store3(g->now.w, k, w);
        store4(g->now.q, k, turned(load4(g->now.q, k), w, c.quarter));
    }
}

/* Rods side by side: the sweeps of fdtd/plain.h. */
static void step_plain_8(wy_fdtd_group *g) {
    enum { stride = WY_FDTD_LANES };
    EACH_LANE (lane, stride) {
        const plain c = plain_of(g, stride, lane);
        plain_halves(&c, g, lane);
        const pack3 couples[2] = {end_torque(g, 0, stride, lane), end_torque(g, 1, stride, lane)};
        plain_nodes(&c, g, lane, couples);
        end_remember(g, 0, stride, lane), end_remember(g, 1, stride, lane);
        end_push(g, 0, load3(g->work.nn, lane), stride, lane);
        end_push(g, 1, sub3(zero3(), load3(g->work.nn, (g->n - 1) * stride + lane)), stride, lane);
        plain_spins(&c, g, lane);
    }
}

/* ---- instances ------------------------------------------------------------------------------- */

#define INSTANCE(name, reach, stride, rich)                                                        \
    static void step_##name(wy_fdtd_group *g) {                                                    \
        general_step(g, reach, stride, rich);                                                      \
    }
INSTANCE(1_1, 1, 1, 1)
INSTANCE(1_8, 1, WY_FDTD_LANES, 1)
INSTANCE(2_1, 2, 1, 0)
INSTANCE(2_8, 2, WY_FDTD_LANES, 0)
INSTANCE(2_1r, 2, 1, 1)
INSTANCE(2_8r, 2, WY_FDTD_LANES, 1)
INSTANCE(3_1, 3, 1, 0)
INSTANCE(3_8, 3, WY_FDTD_LANES, 0)
INSTANCE(3_1r, 3, 1, 1)
INSTANCE(3_8r, 3, WY_FDTD_LANES, 1)

#define FORCES(name, reach, stride)                                                                \
    static void forces_##name(wy_fdtd_group *g) {                                                  \
        forces(g, reach, stride, 1);                                                               \
    }
FORCES(1_1, 1, 1)
FORCES(1_8, 1, WY_FDTD_LANES)
FORCES(2_1, 2, 1)
FORCES(2_8, 2, WY_FDTD_LANES)
FORCES(3_1, 3, 1)
FORCES(3_8, 3, WY_FDTD_LANES)

/* The strains of this step are those of a step ago for the next. */
void wy_fdtd_swap_strains(wy_fdtd_group *g) {
    for (int d = 0; d < 3; d++) {
        double *const e = g->now.eo[d], *const z = g->now.zo[d];
        g->now.eo[d] = g->work.en[d], g->work.en[d] = e;
        g->now.zo[d] = g->work.zn[d], g->work.zn[d] = z;
    }
}

void wy_fdtd_step(wy_fdtd_group *g) {
    static void (*const table[3][2][2])(wy_fdtd_group *) = {
        {{step_plain_1, step_1_1}, {step_plain_8, step_1_8}},
        {{step_2_1, step_2_1r}, {step_2_8, step_2_8r}},
        {{step_3_1, step_3_1r}, {step_3_8, step_3_8r}},
    };
    table[g->op->reach - 1][g->lanes == WY_FDTD_LANES][g->rich](g);
    if (g->viscous) wy_fdtd_swap_strains(g);
}

static void push_1(wy_fdtd_group *g) {
    push(g, 1, 1);
}

static void push_8(wy_fdtd_group *g) {
    push(g, WY_FDTD_LANES, 1);
}

void wy_fdtd_push(wy_fdtd_group *g) {
    (g->lanes == WY_FDTD_LANES ? push_8 : push_1)(g);
    if (g->viscous) wy_fdtd_swap_strains(g);
}

void wy_fdtd_forces(wy_fdtd_group *g) {
    static void (*const table[3][2])(wy_fdtd_group *) = {
        {forces_1_1, forces_1_8}, {forces_2_1, forces_2_8}, {forces_3_1, forces_3_8}};
    table[g->op->reach - 1][g->lanes == WY_FDTD_LANES](g);
}
