/* device.cl - many rods on a device: the step of fdtd/kernel.c, one work-item per interval.
 *
 * fdtd/kernel.c has the equations and the symbols.
 *
 * A work-item keeps half j and node j in registers over all steps of a launch; the first and the last one
 * have an end as well.  Neighbours are exchanged through local memory, with two barriers in a step: r and q are written
 * after the motion, N and the couples after the strains.  OpenCL 1.2 with double precision; no extension
 * of a vendor.  Constants of the build:
 *
 *   N        intervals                     REACH   half the order
 *   WIDTH    work-items of a rod           ITEMS   intervals of a work-item (ITEMS WIDTH >= N)
 *   RODS     rods of a work-group
 *   RICH     coefficients vary along the rod, loads, drag, orders 4 and 6
 *   VISCOUS  Kelvin-Voigt damping          PLACES  most places of a rod that are recorded
 *   DRAGS    quadratic drag                LIVE    ends or loads follow signals
 */
#define POINTS (N + 1)
#define STATE_SIZE (VISCOUS ? STATE_VISCOUS : STATE_PLAIN)

/* local fields */
#define HERE_R 0
#define HERE_Q 3
#define HERE_N 7
#define HERE_B 10 /* order 2: torques on the half before; else g_b, g_a */
#define HERE_A 14
#define HERE_SIZE (REACH == 1 ? 13 : 18)
#define AT(field, j) mine[(field) * (RODS * POINTS) + (j)]

typedef pack3 vec;
typedef pack4 quat;

#define vec_of(x, y, z) ((vec){(x), (y), (z)})
#define quat_of(w, x, y, z) ((quat){(w), (x), (y), (z)})

static inline vec axpy(vec a, double k, vec b) {
    return vec_of(fma(k, b.x, a.x), fma(k, b.y, a.y), fma(k, b.z, a.z));
}
static inline quat add_times(quat a, double k, quat b) {
    return quat_of(a.w + k * b.w, a.x + k * b.x, a.y + k * b.y, a.z + k * b.z);
}
static inline vec take3(global const double *x) {
    return vec_of(x[0], x[1], x[2]);
}
static inline quat take4(global const double *x) {
    return quat_of(x[0], x[1], x[2], x[3]);
}
/* component d of a vector along the rod is at x[d POINTS + j] */
static inline vec along3(global const double *x, int j) {
    return vec_of(x[j], x[POINTS + j], x[2 * POINTS + j]);
}
static inline void put_along3(global double *x, int j, vec a) {
    x[j] = a.x, x[POINTS + j] = a.y, x[2 * POINTS + j] = a.z;
}
static inline vec here3(local const double *mine, int field, int j) {
    return vec_of(AT(field, j), AT(field + 1, j), AT(field + 2, j));
}
static inline quat here4(local const double *mine, int field, int j) {
    return quat_of(AT(field, j), AT(field + 1, j), AT(field + 2, j), AT(field + 3, j));
}
static inline void put_here3(local double *mine, int field, int j, vec a) {
    AT(field, j) = a.x, AT(field + 1, j) = a.y, AT(field + 2, j) = a.z;
}
static inline void put_here4(local double *mine, int field, int j, quat a) {
    AT(field, j) = a.w, AT(field + 1, j) = a.x, AT(field + 2, j) = a.y, AT(field + 3, j) = a.z;
}

/* ---- order 2: the couple between two neighbouring halves ------------------------------------- */

static inline torques bend2(quat before, quat after, vec km, vec m0, vec cm, vec *zo) {
    const double c = re_conj(before, after), inv = 1.0 / (1.0 + c), twice = inv + inv;
    const vec s = im_conj(before, after), z = scale3(twice + twice, s);
    vec m = mul3(km, z);
#if RICH
    m = add3(m, m0);
#endif
#if VISCOUS
    m = add3(m, mul3(cm, sub3(z, *zo)));
    *zo = z;
#endif
    return torques_of(c, s, inv, m);
}

/* ---- orders 4 and 6: rows of the operators --------------------------------------------------- */

#if REACH > 1
typedef struct row {
    int first, used;
    global const double *weight;
} row;

static inline row row_of(global const double *rows, int kind, int i) {
    global const double *x = rows + (kind * POINTS + i) * ROW_SIZE;
    row out = {(int)x[ROW_FIRST], (int)x[ROW_USED], x + ROW_WEIGHT};
    return out;
}
static inline vec sum3(row r, local const double *mine, int field) {
    vec sum = vec_of(0, 0, 0);
    for (int c = 0; c < r.used; c++)
        sum = axpy(sum, r.weight[c], here3(mine, field, r.first + c));
    return sum;
}
static inline quat sum4(row r, local const double *mine, int field) {
    quat sum = quat_of(0, 0, 0, 0);
    for (int c = 0; c < r.used; c++)
        sum = add_times(sum, r.weight[c], here4(mine, field, r.first + c));
    return sum;
}
#endif

/* ---- ends ------------------------------------------------------------------------------------ */

/* What an end prescribes in this step. */
typedef struct held {
    vec r;             /* at the end of the step          */
    quat q;            /* at its start                    */
    vec force, moment; /* as given                        */
} held;

static inline held held_of(global const double *own, global const double *now, int pose, int pull) {
    held out = {take3(own + END_R), take4(own + END_Q), take3(own + END_FORCE),
                take3(own + END_MOMENT)};
#if LIVE
    if (pose >= 0) out.r = take3(now + pose), out.q = take4(now + pose + 3);
    if (pull >= 0) out.force = take3(now + pull), out.moment = take3(now + pull + 3);
#endif
    return out;
}

/* The frame of an end that is not held: the halves carried on by the first row of I. */
static inline quat carried(local const double *mine, global const double *rows, int end) {
    quat a = quat_of(0, 0, 0, 0);
#if REACH == 1
    a = add_times(a, 1.5, here4(mine, HERE_Q, end ? N - 1 : 0));
    a = add_times(a, -0.5, here4(mine, HERE_Q, end ? N - 2 : 1));
#else
    const row first = row_of(rows, ROW_I, 0);
    for (int j = 0; j < first.used; j++)
        a = add_times(a, first.weight[j], here4(mine, HERE_Q, end ? N - 1 - j : j));
#endif
    const double inv = 1.0 / sqrt(re_conj(a, a));
    return quat_of(inv * a.w, inv * a.x, inv * a.y, inv * a.z);
}

/* h P+ b at an end node, without the end's own frame. */
static inline quat end_divergence(local const double *mine, global const double *rows, int end) {
#if REACH == 1
    const quat q = here4(mine, HERE_Q, end ? N - 1 : 0);
    return end ? quat_of(-q.w, -q.x, -q.y, -q.z) : q;
#else
    const quat b = sum4(row_of(rows, ROW_QT, end ? N : 0), mine, HERE_Q);
    return quat_of(-b.w, -b.x, -b.y, -b.z);
#endif
}

/* The couple at an end node, material, and the frame *a that it acts in; *force becomes that of the end,
 * laboratory. */
static inline vec end_couple(local const double *mine, global const double *rows, int end, int bits,
                             const held *now, global const double *own, vec *zo, quat *a,
                             vec *force) {
    vec m = vec_of(0, 0, 0);
    *force = now->force;
    if (bits & END_FRAME) {
        *a = now->q;
#if LIVE /* of the two signs, that of the half next to it */
        if (re_conj(*a, here4(mine, HERE_Q, end ? N - 1 : 0)) < 0)
            *a = quat_of(-a->w, -a->x, -a->y, -a->z);
#endif
        if ((bits & END_LOADED) && (bits & END_FOLLOWS))
            *force = to_laboratory(frame_of(*a), now->force);
        if (bits & END_TURNS) *a = without_twist(*a, here4(mine, HERE_Q, end ? N - 1 : 0));
        const vec z = scale3(2.0, im_conj(*a, end_divergence(mine, rows, end)));
        m = add3(mul3(take3(own + END_KM), z), take3(own + END_M0));
#if VISCOUS
        m = add3(m, mul3(take3(own + END_CM), sub3(z, *zo)));
        *zo = z;
#endif
        if (bits & END_TURNS) m.z = 0;
        return m;
    }
    if (!(bits & END_LOADED)) return m;
    *a = carried(mine, rows, end);
    const frame R = frame_of(*a);
    m = now->moment;
    if (bits & END_FOLLOWS)
        *force = to_laboratory(R, now->force);
    else
        m = to_material(R, m);
    return end ? m : scale3(-1.0, m);
}

#if REACH > 1
static inline void put_gradients(local double *mine, int node, gradients g) {
    put_here4(mine, HERE_B, node, g.b);
    put_here4(mine, HERE_A, node, g.a);
}
#endif

/* The end node: at its prescribed position where held, else accelerated like its neighbours. */
static inline void end_push(int bits, global const double *own, const held *now, vec force, double h,
                     vec *p, vec *r) {
    if (bits & END_PLACE) { /* it moves, else it is not asked */
        *p = scale3(1.0 / h, sub3(now->r, *r));
        *r = now->r;
        return;
    }
    double pe = own[END_PE], pf = own[END_PF];
#if DRAGS
    const double mass = own[END_MASS], speed = sqrt(dot3(*p, *p));
    const double c = 0.5 * h * (own[END_LINE] + own[END_SQUARE] * speed) / mass;
    pe = (1.0 - c) / (1.0 + c), pf = h / mass / (1.0 + c);
#endif
    *p = axpy(scale3(pe, *p), pf, force);
    *r = axpy(*r, h, *p);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* q cayley(h w/4) = q (1 - k.k, 2 k)/(1 + k.k), k = h w/4, inv = 1/(1 + k.k) */
static inline quat turned_by(quat q, vec k, double inv) {
    return add_times(times_vector(q, scale3(inv + inv, k)), (1.0 - dot3(k, k)) * inv, q);
}

static inline quat turned(quat q, vec w, double quarter) {
    const vec k = scale3(quarter, w);
    return turned_by(q, k, 1.0 / (1.0 + dot3(k, k)));
}

/* Both of a round section without drag.  With D = 1 + h^2 they are w = (N1/D, N2/D, w3) and, in cayley, 1/(1 + k.k) = D^2/E: one
 * division for two quotients, since a second one is a third of the time of a step on an H200. */
static inline void spun_plain(vec *w, quat *q, vec tau, double wf1, double wf3, double wg, double quarter) {
    const vec kick = {wf1 * tau.x, wf1 * tau.y, wf3 * tau.z};
    const double h = 0.5 * wg * (w->z + 0.5 * kick.z), D = 1.0 + h * h, DD = D * D;
    const double ax = w->x + 0.5 * kick.x, ay = w->y + 0.5 * kick.y, w3 = w->z + kick.z;
    const double N1 = (w->x + kick.x) * D + (h + h) * (ay - h * ax);
    const double N2 = (w->y + kick.y) * D - (h + h) * (ax + h * ay);
    const double k1 = quarter * N1, k2 = quarter * N2, k3 = quarter * w3;
    const double E = DD + k1 * k1 + k2 * k2 + DD * (k3 * k3), one = 1.0 / (D * E), over = E * one;
    *w = vec_of(N1 * over, N2 * over, w3);
    *q = turned_by(*q, scale3(quarter, *w), DD * D * one);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

#define EACH(m, j)                                                                                 \
    for (int m = 0; m < ITEMS; m++)                                                                \
        for (int j = lane + m * WIDTH, once = ITEMS * WIDTH == N || j < N; once; once = 0)
#define OF(name, j) along3(coef + COEF_##name * POINTS, j)
#define ONE(name, j) coef[COEF_##name * POINTS + (j)]

/* The size of the work-group is not declared: for one that fits into a warp a compiler that has it was
 * seen to drop the barriers, and what the last work-item wrote for the end was then read too early. */
kernel void
advance(int count, global const int *restrict plan, global const double *restrict own_all,
        global const double *restrict coef_all, global double *restrict state_all,
        global const double *restrict stream, global const double *restrict pattern,
        global const double *restrict rows, global const double *restrict places,
        global double *restrict record) {
    local double shared[HERE_SIZE * RODS * POINTS];
    const int id = get_local_id(0), slot = RODS == 1 ? 0 : id / WIDTH, lane = id - slot * WIDTH;
    const int group = get_group_id(0) * RODS, rod = min(group + slot, count - 1);
    const int stored = RODS == 1 || group + slot < count;
    local double *mine = shared + slot * POINTS;
    global const int *at = plan + rod * PLAN_SIZE;
    global const double *own = own_all + rod * OWN_SIZE;
    global const double *coef = coef_all + (size_t)rod * COEF_SIZE * POINTS;
    global double *state = state_all + (size_t)rod * STATE_SIZE * POINTS;
    const int steps = at[PLAN_STEPS];
    int most = steps;
    for (int k = 0; RODS > 1 && k < RODS; k++)
        most = max(most, plan[min(group + k, count - 1) * PLAN_SIZE + PLAN_STEPS]);
    const double h = own[OWN_H], quarter = 0.25 * h;
    const int probes = at[PLAN_PROBES], period = at[PLAN_PERIOD];
    int due = at[PLAN_DUE];
    global double *out = record + at[PLAN_RECORD];
    global const double *place = places + rod * PLACE_SIZE * PLACES;

    /* half j, node j, and a step ago; of the first and the last one the end next to it */
    const vec none = vec_of(0, 0, 0);
    vec r[ITEMS], p[ITEMS], w[ITEMS], tau[ITEMS], pull[ITEMS], eo[ITEMS], zo[ITEMS];
    quat q[ITEMS];
    const int end = lane > 0; /* the host ensures that half n - 1 is not in the first too */
    const int bits = at[PLAN_END + end];
    global const double *own_end = own + OWN_END + end * END_SIZE;
    vec end_r = none, end_p = none, end_pull = none, end_zo = none;
    /* does it do anything to its half, and does its node move? */
    const int acts = !(bits & END_PLACE) || (bits & (END_FRAME | END_LOADED));
    const int goes = !(bits & END_PLACE) || (bits & END_MOVES);
#if !RICH
    const double kn1 = own[OWN_KN1], kn3 = own[OWN_KN3], n03 = own[OWN_N03], pf1 = own[OWN_PF];
    const double wf1 = own[OWN_WF1], wf3 = own[OWN_WF3], wg1 = own[OWN_WG];
    const vec km1 = take3(own + OWN_KM), fall = take3(own + OWN_FALL);
#endif
#if REACH > 1
    row row_q[ITEMS], row_qt[ITEMS], row_i[ITEMS], row_it[ITEMS];
    const row end_qt = row_of(rows, ROW_QT, end ? N : 0);
#endif
    EACH(m, j) {
        r[m] = along3(state + STATE_R * POINTS, j), p[m] = along3(state + STATE_P * POINTS, j);
        w[m] = along3(state + STATE_W * POINTS, j);
        global const double *x = state + STATE_Q * POINTS + j;
        q[m] = quat_of(x[0], x[POINTS], x[2 * POINTS], x[3 * POINTS]);
        put_here3(mine, HERE_R, j, r[m]), put_here4(mine, HERE_Q, j, q[m]);
#if VISCOUS
        eo[m] = along3(state + STATE_EO * POINTS, j), zo[m] = along3(state + STATE_ZO * POINTS, j);
#endif
#if REACH > 1
        row_q[m] = row_of(rows, ROW_Q, j), row_qt[m] = row_of(rows, ROW_QT, j);
        row_i[m] = row_of(rows, ROW_I, j), row_it[m] = row_of(rows, ROW_IT, j);
#endif
        if (j == 0 || j == N - 1) {
            const int node = j == 0 ? 0 : N;
            end_r = along3(state + STATE_R * POINTS, node);
            end_p = along3(state + STATE_P * POINTS, node);
            put_here3(mine, HERE_R, node, end_r);
            if (!goes) end_p = none;
#if REACH > 1 /* no couple where the end does not act */
            put_here4(mine, HERE_B, node, quat_of(0, 0, 0, 0));
            put_here4(mine, HERE_A, node, quat_of(0, 0, 0, 0));
#endif
#if VISCOUS
            end_zo = along3(state + STATE_ZO * POINTS, node);
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = 0; step < most; step++) {
        const int moves = RODS == 1 || step < steps;
        global const double *now = stream + (LIVE ? at[PLAN_STREAM] + step * at[PLAN_WIDTH] : 0);
        /* strains, forces, couples */
        if (moves) EACH(m, j) {
#if REACH == 1
            const vec d = sub3(here3(mine, HERE_R, j + 1), r[m]);
#else
            const vec d = sum3(row_q[m], mine, HERE_R);
#endif
            const frame R = frame_of(q[m]);
            const vec e = to_material(R, d);
#if RICH
            vec n = add3(mul3(OF(KN, j), e), OF(N0, j));
#if VISCOUS
            n = add3(n, mul3(OF(CN, j), sub3(e, eo[m])));
            eo[m] = e;
#endif
            tau[m] = cross3(e, n);
#else
            const vec n = {kn1 * e.x, kn1 * e.y, kn3 * e.z + n03};
            tau[m] = vec_of(e.y * n.z - e.z * n.y, e.z * n.x - e.x * n.z, 0.0);
#endif
            pull[m] = to_laboratory(R, n);
            put_here3(mine, HERE_N, j, pull[m]);
            if (j > 0) {
#if REACH == 1
                const quat left = here4(mine, HERE_Q, j - 1);
#if VISCOUS
                const torques turn = bend2(left, q[m], OF(KM, j), OF(M0, j), OF(CM, j), &zo[m]);
#elif RICH
                const torques turn = bend2(left, q[m], OF(KM, j), OF(M0, j), none, zo);
#else
                const torques turn = bend2(left, q[m], km1, km1, km1, zo);
#endif
                tau[m] = add3(tau[m], turn.after);
                put_here3(mine, HERE_B, j, turn.before);
#else
                const quat a = sum4(row_i[m], mine, HERE_Q);
                const quat minus = sum4(row_qt[m], mine, HERE_Q);
                const quat b = quat_of(-minus.w, -minus.x, -minus.y, -minus.z);
                const vec z = scale3(2.0 / re_conj(a, a), im_conj(a, b));
                vec couple = add3(mul3(OF(KM, j), z), OF(M0, j));
#if VISCOUS
                couple = add3(couple, mul3(OF(CM, j), sub3(z, zo[m])));
                zo[m] = z;
#endif
                put_gradients(mine, j, gradients_of(a, b, z, couple));
#endif
            }
            if ((j == 0 || j == N - 1) && acts) {
                const held hold = held_of(own_end, now, at[PLAN_POSE + end], at[PLAN_PULL + end]);
                vec outer = hold.force, couple = none;
                quat a = quat_of(0, 0, 0, 0);
                if (bits & (END_FRAME | END_LOADED))
                    couple = end_couple(mine, rows, end, bits, &hold, own_end, &end_zo, &a, &outer);
#if REACH == 1
                const vec s = im_conj(a, q[m]);
                const vec turn =
                    bits & END_FRAME ? add3(scale3(re_conj(a, q[m]), couple), cross3(couple, s))
                                     : to_material(R, to_laboratory(frame_of(a), couple));
                tau[m] = axpy(tau[m], end ? 1.0 : -1.0, turn);
                end_pull = axpy(outer, end ? -1.0 : 1.0, pull[m]);
#else
                if ((bits & END_LOADED) && !(bits & END_FRAME)) {
                    put_gradients(mine, end ? N : 0,
                                  end_gradients(a, couple, take3(own_end + END_KM),
                                                take3(own_end + END_M0)));
                } else { /* a held frame is given, and only b turns with the rod */
                    put_here4(mine, HERE_B, end ? N : 0, times_vector(a, scale3(2.0, couple)));
                    put_here4(mine, HERE_A, end ? N : 0, quat_of(0, 0, 0, 0));
                }
                end_pull = outer;
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        /* motion */
        if (moves) EACH(m, j) {
#if REACH == 1
            vec force = j > 0 ? sub3(pull[m], here3(mine, HERE_N, j - 1)) : none;
            const vec turn = j < N - 1 ? add3(tau[m], here3(mine, HERE_B, j + 1)) : tau[m];
#else
            vec force = scale3(-1.0, sum3(row_qt[m], mine, HERE_N));
            if ((j == 0 || j == N - 1) && goes)
                end_pull = sub3(end_pull, sum3(end_qt, mine, HERE_N));
            const quat G =
                add_times(sum4(row_q[m], mine, HERE_B), -1.0, sum4(row_it[m], mine, HERE_A));
            const vec turn = axpy(tau[m], 0.5, im_conj(q[m], G));
#endif
#if LIVE
            for (int c = 0; c < at[PLAN_CHANNELS]; c++) {
                global const double *share = pattern + at[PLAN_PATTERN] + c * POINTS;
                const vec signal = take3(now + at[PLAN_FIRST] + 3 * c);
                force = axpy(force, share[j], signal);
                if (j == 0 || j == N - 1)
                    end_pull = axpy(end_pull, share[end ? N : 0], signal);
            }
#endif
            if ((j == 0 || j == N - 1) && goes) {
                const held hold = held_of(own_end, now, at[PLAN_POSE + end], at[PLAN_PULL + end]);
                end_push(bits, own_end, &hold, add3(end_pull, take3(own_end + END_LOAD)), h, &end_p,
                         &end_r);
                put_here3(mine, HERE_R, end ? N : 0, end_r);
            }
            if (j > 0) {
#if RICH
                double pe = ONE(PE, j), pf = ONE(PF, j);
#if DRAGS
                const double mass = ONE(MASS, j), speed = sqrt(dot3(p[m], p[m]));
                const double c = 0.5 * h * (ONE(LINE, j) + ONE(SQUARE, j) * speed) / mass;
                pe = (1.0 - c) / (1.0 + c), pf = h / mass / (1.0 + c);
#endif
                p[m] = axpy(scale3(pe, p[m]), pf, add3(force, OF(LOAD, j)));
#else
                p[m] = axpy(add3(p[m], fall), pf1, force);
#endif
                r[m] = axpy(r[m], h, p[m]);
                put_here3(mine, HERE_R, j, r[m]);
            } else {
                r[m] = end_r;
            }
#if RICH
            const vec kick = mul3(OF(WF, j), add3(turn, OF(COUPLE, j)));
            w[m] = spun(w[m], add3(mul3(OF(WE, j), w[m]), kick), OF(WG, j));
            q[m] = turned(q[m], w[m], quarter);
#else
            spun_plain(&w[m], &q[m], turn, wf1, wf3, wg1, quarter);
#endif
            put_here4(mine, HERE_Q, j, q[m]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        /* records: r is not written again before the next barrier */
        if (moves) due -= probes > 0;
        if (due == 0) {
            due = period;
            for (int c = lane; c < 3 * probes; c += WIDTH) {
                global const double *x = place + c / 3 * PLACE_SIZE;
                const int first = (int)x[PLACE_FIRST];
                double sum = 0;
                for (int i = 0; i < 6 && first + i <= N; i++)
                    sum += x[PLACE_WEIGHT + i] * AT(HERE_R + c % 3, first + i);
                if (stored) out[c] = sum;
            }
            out += 3 * probes;
        }
    }

    if (stored) EACH(m, j) {
        put_along3(state + STATE_R * POINTS, j, r[m]);
        put_along3(state + STATE_P * POINTS, j, p[m]);
        put_along3(state + STATE_W * POINTS, j, w[m]);
        global double *x = state + STATE_Q * POINTS + j;
        x[0] = q[m].w, x[POINTS] = q[m].x, x[2 * POINTS] = q[m].y, x[3 * POINTS] = q[m].z;
#if VISCOUS
        put_along3(state + STATE_EO * POINTS, j, eo[m]);
        put_along3(state + STATE_ZO * POINTS, j, zo[m]);
#endif
        if (j == 0 || j == N - 1) {
            put_along3(state + STATE_R * POINTS, j == 0 ? 0 : N, end_r);
            put_along3(state + STATE_P * POINTS, j == 0 ? 0 : N, end_p);
#if VISCOUS
            put_along3(state + STATE_ZO * POINTS, j == 0 ? 0 : N, end_zo);
#endif
        }
    }
}
