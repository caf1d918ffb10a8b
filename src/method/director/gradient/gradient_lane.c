/* gradient_lane.c - elements: products with their matrices, their residual by the fields and by the start of the step
 * for eight parameters at once, and what the fields gain on the adjoint.
 *
 * The residual of an element (element.c (1) - (4)) is F_a = sum_g w Bbar_a^T sigma; with the fields a, b, arm = rho -
 * [l = 3] a_3 and the directors D of the middle of the step, and (l, l+1, l+2) cyclic,
 *
 *   force_a  = sum_g w N'_a sum_l n_l a_l,   moment_a = sum_l D_l,a x F_l,a                         (1)
 *   F_l,a = sum_g w (N_a X_l + N'_a Y_l),    X_l = n_l arm_l + (m_l+1 b_l+2 - m_l+2 b_l+1)/2,
 *                                            Y_l = -(m_l+1 a_l+2 - m_l+2 a_l+1)/2                   (2)
 *
 * By the start of the step, dD_l,a = dphi_a x d_l,a of its directors moves the middle by half: d of (1), (2) with
 * dsigma = (C (1 - beta) - Cv/h) dS-.  No matrix is made of it: for eight lanes it costs less than the assembly.
 * By the sections and by the length h of the element, with e = dh/h, S' the part of the strains that has a slope,
 * (a . rho, K),
 *
 *   dsigma = C (-e S'mean - dS0) - e Cv/h (S'+ - S'-) + dC (Smean - S0) + dCv/h (S+ - S-)          (3)
 *   dF_a   = w Bbar_a^T dsigma + (dw/w - e) F_a + e w N_a n_3 D_3 x (-a_3)                          (4)
 *
 * the last term being the part of F_a without a slope.  Backwards, with mu the multiplier of the rows of the element,
 *
 *   eps = Bbar mu,   mu . F = w sigma . eps                                                         (5)
 *   mu . dF = w eps . dsigma + (dw - w e) sigma . eps + e w sum_a N_a n_3 mu_phi . (D_3 x (-a_3))    (6)
 *
 * Compiled with fused multiply-add, as element.c.
 */
#define WY_PACK_IS_REGISTER /* element */
#include "method/director/gradient/gradient.h"
#include "method/director/rod/strain.h"

/* ---- products ------------------------------------------------------------------------------------- */

WY_ALWAYS void times(const int p, const double (*m)[WY_DIRECTOR_STRIDE], const packed *x,
                     packed *side) {
    const int rows = 6 * (p + 1);
    WY_EACH_PART(first)
    for (int i = 0; i < rows; i += 6) { /* six rows share what is loaded */
        pack sum[6];
        for (int r = 0; r < 6; r++) sum[r] = pack_of(&side[i + r], first);
        for (int k = 0; k < rows; k++) {
            const pack v = pack_of(&x[k], first);
#pragma GCC unroll 6
            for (int r = 0; r < 6; r++) sum[r] -= m[i + r][k] * v;
        }
        for (int r = 0; r < 6; r++) pack_to(&side[i + r], first, sum[r]);
    }
}

void wy_slope_times(int p, const double (*m)[WY_DIRECTOR_STRIDE], const packed *change,
                    packed *side){WY_FOR_DEGREE(p, times, m, change, side)}

WY_ALWAYS void transposed(const int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x,
                          double *y) {
    lane sum[8] = {{0}};
    const int rows = 6 * (p + 1), lanes = (rows + 3) / 4;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < lanes; c++) sum[c] += lane_all(x[i]) * lane_load(&m[i][4 * c]);
    for (int k = 0; k < rows; k++) y[k] += sum[k / 4][k % 4];
}

void wy_slope_transposed(int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x, double *y) {
    WY_FOR_DEGREE(p, transposed, m, x, y);
}

/* ---- sections and lengths ------------------------------------------------------------------------- */

/* A Gauss point of the converged step: the factors of e, dS0, dC and dCv in w times (3), and w sigma. */
typedef struct point {
    double size[6], rest[6], c[6], cv[6], stress[6];
} point;

WY_ALWAYS void point_at(const wy_director *x, const fields *plus, const fields *minus, int at,
                        point *out) {
    const wy_director_section *section = &x->plan.section[at];
    const lane axial = x->plan.axial, none = lane_all(0), one = lane_all(1.0);
    const lane beta = lane_all(x->step->beta), before = one - beta;
    const lane w = lane_all(section->weight), per = lane_all(x->step->per);
    const strains s[2] = {strains_of(minus, axial), strains_of(plus, axial)};
    const lane t[2] = {lane_all(0.5) * axial * (one - tri_dot(minus->a, minus->a)),
                       lane_all(0.5) * axial * (one - tri_dot(plus->a, plus->a))};
    for (int k = 0; k < 2; k++) {
        const lane from = k ? s[0].k : s[0].gamma, to = k ? s[1].k : s[1].gamma;
        const lane t0 = k ? none : t[0], t1 = k ? none : t[1], rate = to - from;
        const lane mean = beta * to + before * from, flat = beta * t1 + before * t0;
        const lane size =
            section->c[k] * (mean - flat) + viscous(x->step, section, k) * (rate - (t1 - t0));
        const lane by_c = w * (mean - section->rest[k] + lane_all(x->step->xi) * rate);
        for (int i = 0; i < 3; i++) {
            out->size[3 * k + i] = -w[i] * size[i], out->rest[3 * k + i] = -w[i] * section->c[k][i];
            out->c[3 * k + i] = by_c[i], out->cv[3 * k + i] = w[i] * per[i] * rate[i];
            out->stress[3 * k + i] = w[i] * x->stress[at].stress[k][i];
        }
    }
}

/* w times (3), and what (dw/w - e) F_a is of it. */
WY_ALWAYS void stress_slope(const point *at, const wy_slope_section *d, int first, pack e,
                            pack grow, pack out[6]) {
    for (int i = 0; i < 6; i++)
        out[i] = at->size[i] * e + at->rest[i] * pack_of(&d->rest[i], first) +
                 at->c[i] * pack_of(&d->c[i], first) + at->cv[i] * pack_of(&d->cv[i], first) +
                 at->stress[i] * grow;
}

/* ---- an element by its start and its fields --------------------------------------------------------- */

/* Three vectors, [component][l]: the numbers of a tri. */
typedef double three[3][4];

WY_ALWAYS void put(tri a, three out) {
    lane_store(out[0], a.x), lane_store(out[1], a.y), lane_store(out[2], a.z);
}

/* A Gauss point of (1), (2): what its lanes share. */
typedef struct gauss {
    point by;
    three a, b, arm;             /* at the start of the step     */
    three mid_a, half_b, half_a; /* of the middle: a, b/2, a/2   */
    three mid_arm;
    double tangent[6];           /* w dsigma/dS-                 */
    double half_n[3], fourth[3]; /* w n/2, w m/4                 */
} gauss;

typedef struct cell {
    gauss at[WY_ELEMENT_DEGREE];
    three d[WY_ELEMENT_NODES], mid[WY_ELEMENT_NODES]; /* of the start, of the middle */
    three half_f[WY_ELEMENT_NODES];                   /* F_l,a/2                     */
    local q;
} cell;

/* (2): half of what a Gauss point adds to F_l,a. */
WY_ALWAYS tri half_wrench(const fields *mid, const point *by, double value, double slope) {
    const lane half = lane_all(0.5), n = half * lane_load(by->stress);
    const lane m = lane_all(0.25) * (lane){by->stress[3], by->stress[4], by->stress[5], 0};
    const lane next = lane_next(m), last = lane_last(m), v = lane_all(value), s = lane_all(slope);
    const tri y = tri_sub(tri_scale(last, mid->a_next), tri_scale(next, mid->a_last));
    const tri b = tri_sub(tri_scale(next, mid->b_last), tri_scale(last, mid->b_next));
    return tri_axpy(tri_scale(v, tri_axpy(b, n, mid->arm)), s, y);
}

WY_ALWAYS void gauss_at(const wy_director *x, const fields *start, const fields *mid, int at,
                        gauss *out) {
    const wy_director_section *section = &x->plan.section[at];
    put(start->a, out->a), put(start->b, out->b), put(start->arm, out->arm);
    put(mid->a, out->mid_a), put(mid->arm, out->mid_arm);
    put(tri_scale(lane_all(0.5), mid->a), out->half_a);
    put(tri_scale(lane_all(0.5), mid->b), out->half_b);
    for (int n = 0; n < 6; n++) {
        const int k = n / 3, i = n % 3;
        const lane c = lane_all(1 - x->step->beta) * section->c[k] - viscous(x->step, section, k);
        out->tangent[n] = section->weight * c[i];
        *(k ? &out->fourth[i] : &out->half_n[i]) = (k ? 0.25 : 0.5) * out->by.stress[n];
    }
}

WY_ALWAYS void share(const int p, const wy_director *x, int e, cell *out) {
    const lane axial = x->plan.axial;
    const int equilibrium = x->step->beta == 1.0; /* the mean is the iterate */
    local *q = &out->q;
    tri minus[WY_ELEMENT_NODES], half_f[WY_ELEMENT_NODES];
    lane r_minus[WY_ELEMENT_NODES];
    gather(p, x, e, q);
    for (int a = 0; a <= p; a++) {
        minus[a] = x->node[e * p + a].d, r_minus[a] = vec3_lane(x->node[e * p + a].r);
        put(minus[a], out->d[a]), put(equilibrium ? q->plus[a] : q->mid[a], out->mid[a]);
    }
    for (int g = 0; g < p; g++) {
        const fields end = fields_at(p, q->plus, q->r_plus, q->value[g], q->slope[g], axial);
        const fields start = fields_at(p, minus, r_minus, q->value[g], q->slope[g], axial);
        const fields mid =
            equilibrium ? end : fields_at(p, q->mid, q->r_mid, q->value[g], q->slope[g], axial);
        point_at(x, &end, equilibrium ? &end : &start, e * p + g, &out->at[g].by);
        gauss_at(x, &start, &mid, e * p + g, &out->at[g]);
        for (int a = 0; a <= p; a++) {
            const tri add = half_wrench(&mid, &out->at[g].by, q->value[g][a], q->slope[g][a]);
            half_f[a] = g == 0 ? add : tri_add(half_f[a], add);
        }
    }
    for (int a = 0; a <= p; a++) put(half_f[a], out->half_f[a]);
}

/* Vector l of v. */
WY_ALWAYS pack3 along(pack k, const three v, const int l) { /* k v */
    return (pack3){k * v[0][l], k * v[1][l], k * v[2][l]};
}
WY_ALWAYS pack with(pack3 a, const three v, const int l) { /* a . v */
    return a.x * v[0][l] + a.y * v[1][l] + a.z * v[2][l];
}
WY_ALWAYS pack3 from(const three v, const int l, pack3 a) { /* v x a */
    const double x = v[0][l], y = v[1][l], z = v[2][l];
    return (pack3){y * a.z - z * a.y, z * a.x - x * a.z, x * a.y - y * a.x};
}
WY_ALWAYS pack3 onto(pack3 a, const three v, const int l) { /* a x v */
    const double x = v[0][l], y = v[1][l], z = v[2][l];
    return (pack3){a.y * z - a.z * y, a.z * x - a.x * z, a.x * y - a.y * x};
}
WY_ALWAYS pack3 more(pack3 a, double k, pack3 b) {
    return (pack3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

/* Derivatives of the fields at a Gauss point. */
typedef struct varied {
    pack3 a[3], b[3], rho;
} varied;

/* stress += w dsigma/dS- dS-: d of element.c (1), (2). */
WY_ALWAYS void strain_change(const gauss *at, const varied *d, pack stress[6]) {
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        const pack gamma = with(d->a[i], at->arm, i) + with(d->rho, at->a, i);
        const pack turn = with(d->a[l], at->b, k) + with(d->b[k], at->a, l) -
                          with(d->a[k], at->b, l) - with(d->b[l], at->a, k);
        stress[i] += at->tangent[i] * gamma;
        stress[3 + i] += (0.5 * at->tangent[3 + i]) * turn;
    }
}

/* d of X_l, Y_l and of n_l a_l. */
typedef struct gain {
    pack3 x, y, force;
} gain;

/* By the stress. */
WY_ALWAYS gain by_stress(const gauss *at, const pack s[6], const int l) {
    const int next = (l + 1) % 3, last = (l + 2) % 3;
    const pack3 b =
        sub3(along(s[3 + next], at->half_b, last), along(s[3 + last], at->half_b, next));
    return (gain){
        .x = add3(b, along(s[l], at->mid_arm, l)),
        .y = sub3(along(s[3 + last], at->half_a, next), along(s[3 + next], at->half_a, last)),
        .force = along(s[l], at->mid_a, l)};
}

/* By the fields in the middle, which change by half of those at the start. */
WY_ALWAYS void by_fields(const gauss *at, double axial, const varied *d, const int l, gain *to) {
    const int next = (l + 1) % 3, last = (l + 2) % 3;
    to->x = more(to->x, at->half_n[l], d->rho);
    to->x = more(to->x, at->fourth[next], d->b[last]);
    to->x = more(to->x, -at->fourth[last], d->b[next]);
    if (l == 2) to->x = more(to->x, -axial * at->half_n[2], d->a[2]);
    to->y = more(to->y, -at->fourth[next], d->a[last]);
    to->y = more(to->y, at->fourth[last], d->a[next]);
    to->force = more(to->force, at->half_n[l], d->a[l]);
}

WY_ALWAYS varied varied_at(const int p, const cell *c, int g, const wy_slope_node *node, int first,
                           pack3 turn[][3]) {
    varied d;
    for (int a = 0; a <= p; a++) {
        const pack value = splat(c->q.value[g][a]), slope = splat(c->q.slope[g][a]);
        const pack3 r = scale3(slope, pack3_of(node[a].q, first));
        for (int l = 0; l < 3; l++) {
            const pack3 by_a = scale3(value, turn[a][l]), by_b = scale3(slope, turn[a][l]);
            d.a[l] = a == 0 ? by_a : add3(d.a[l], by_a),
            d.b[l] = a == 0 ? by_b : add3(d.b[l], by_b);
        }
        d.rho = a == 0 ? r : add3(d.rho, r);
    }
    return d;
}

/* By the start of the step?  With tendons that is gradient.c's. */
static int moves_of(const wy_director *x) {
    return x->step->dynamic && !x->tendon_stress;
}

/* side -= d of (1): its forces, and its moments as soon as F_l,a is whole. */
WY_ALWAYS void element(const int p, const wy_director *x, int e, const cell *c,
                       const wy_slope_fields *field, const wy_slope_node *node, packed *side,
                       int first) {
    const int grows = field->strained, moves = moves_of(x);
    const double axial = x->plan.axial[2];
    const pack long_by = pack_of(&field->size[e].length, first) * splat(1 / x->plan.size[e]);
    pack3 turn[WY_ELEMENT_NODES][3], sum[WY_ELEMENT_NODES][3];
    for (int a = 0; a <= p && moves; a++)
        for (int l = 0; l < 3; l++) {
            const pack3 phi = pack3_of(node[a].q + 3, first);
            turn[a][l] = onto(phi, c->d[a], l);
            pack3_take(&side[6 * a + 3], first, onto(turn[a][l], c->half_f[a], l));
        }
    for (int g = 0; g < p; g++) {
        const gauss *at = &c->at[g];
        const wy_slope_section *section = &field->section[e * p + g];
        const pack grow =
            pack_of(&section->weight, first) * splat(1 / x->plan.section[e * p + g].weight) -
            long_by;
        pack stress[6] = {splat(0), splat(0), splat(0), splat(0), splat(0), splat(0)};
        pack3 force = {splat(0), splat(0), splat(0)};
        varied d;
        if (grows) stress_slope(&at->by, section, first, long_by, grow, stress);
        if (moves) d = varied_at(p, c, g, node, first, turn), strain_change(at, &d, stress);
#pragma GCC unroll 3
        for (int l = 0; l < 3; l++) {
            gain to = by_stress(at, stress, l);
            if (moves) by_fields(at, axial, &d, l, &to);
            if (grows && l == 2) /* the last term of (4) */
                to.x = sub3(to.x, along((axial * at->by.stress[2]) * long_by, at->mid_a, 2));
            force = add3(force, to.force);
            for (int a = 0; a <= p; a++) {
                const pack value = splat(c->q.value[g][a]), slope = splat(c->q.slope[g][a]);
                const pack3 add = add3(scale3(value, to.x), scale3(slope, to.y));
                sum[a][l] = g == 0 ? add : add3(sum[a][l], add);
                if (g == p - 1) pack3_take(&side[6 * a + 3], first, from(c->mid[a], l, sum[a][l]));
            }
        }
        for (int a = 0; a <= p; a++)
            pack3_take(&side[6 * a], first, scale3(splat(c->q.slope[g][a]), force));
    }
}

/* One compiled copy per degree, apart from the loop over groups: in it the compiler would take the numbers that lanes
 * share out of the loop, and keep eight copies of each in memory. */
#define OF_DEGREE(p)                                                                               \
    static __attribute__((noinline)) void share_##p(const wy_director *x, int e, cell *out) {      \
        share(p, x, e, out);                                                                       \
    }                                                                                              \
    static __attribute__((noinline)) void element_##p(                                             \
        const wy_director *x, int e, const cell *c, const wy_slope_fields *field,                  \
        const wy_slope_node *node, packed *side, int first) {                                      \
        element(p, x, e, c, field, node, side, first);                                             \
    }
OF_DEGREE(1)
OF_DEGREE(2)
OF_DEGREE(3)
OF_DEGREE(4)
#define APART(p, f, ...)                                                                           \
    switch (p) {                                                                                   \
    case 1: f##_1(__VA_ARGS__); break;                                                             \
    case 2: f##_2(__VA_ARGS__); break;                                                             \
    case 3: f##_3(__VA_ARGS__); break;                                                             \
    default: f##_4(__VA_ARGS__);                                                                   \
    }

void wy_slope_element(const wy_director *x, int e) {
    const int p = x->plan.p;
    cell c;
    APART(p, share, x, e, &c)
    for (int g = 0; g < x->slopes->groups; g++) {
        const wy_slope_fields *field = &x->slopes->field[g];
        if (!moves_of(x) && !field->strained) continue;
        WY_EACH_PART(first)
        APART(p, element, x, e, &c, field, wy_slope_nodes(x, g) + e * p,
              wy_slope_side(x, g) + 6 * e * p, first)
    }
}

/* ---- backwards: what the fields of an element gain -------------------------------------------------- */

/* (5), and the last sum of (6) without e w. */
WY_ALWAYS void spread(const int p, const wy_director *x, const fields *mid, const tri *d,
                      const double *value, const double *slope, const double *mu, lane n,
                      lane out[2], double *flat) {
    out[0] = out[1] = lane_all(0);
    lane turned = lane_all(0);
    for (int a = 0; a <= p; a++) {
        tri c_next, c_last, gamma, k;
        const tri way = tri_all(v3_from(&mu[6 * a])), turn = tri_all(v3_from(&mu[6 * a + 3]));
        c_of(mid, value[a], slope[a], &c_next, &c_last);
        rows_of(mid, d[a], value[a], c_next, c_last, &gamma, &k);
        out[0] += lane_all(slope[a]) * tri_dot(mid->a, way) + tri_dot(gamma, turn);
        out[1] += tri_dot(k, turn);
        turned += lane_all(-value[a]) * tri_dot(tri_cross(d[a], mid->a), turn);
    }
    *flat = (turned * n * x->plan.axial)[2];
}

/* (6) of one Gauss point. */
WY_ALWAYS void pull(const wy_director *x, int at, const point *by, const lane strain[2],
                    double turned, wy_adjoint_section *to, double *longer) {
    double stress = 0, stretched = 0; /* sigma . eps, and w eps . dsigma by e */
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const double eps = strain[k][i];
            const int n = 3 * k + i;
            to->c[n] -= eps * by->c[n], to->cv[n] -= eps * by->cv[n];
            to->rest[n] -= eps * by->rest[n];
            stress += x->stress[at].stress[k][i] * eps, stretched += eps * by->size[n];
        }
    to->weight -= stress;
    *longer -= stretched + x->plan.section[at].weight * (turned - stress);
}

WY_ALWAYS void element_pull(const int p, const wy_director *x, int e, const double *mu,
                            wy_adjoint_fields *by) {
    const lane axial = x->plan.axial;
    const int equilibrium = x->step->beta == 1.0; /* the mean is the iterate */
    local q;
    tri minus[WY_ELEMENT_NODES];
    lane r_minus[WY_ELEMENT_NODES];
    double longer = 0;
    gather(p, x, e, &q);
    for (int a = 0; a <= p; a++)
        minus[a] = x->node[e * p + a].d, r_minus[a] = vec3_lane(x->node[e * p + a].r);
    for (int g = 0; g < p; g++) {
        const double *value = q.value[g], *slope = q.slope[g];
        const fields end = fields_at(p, q.plus, q.r_plus, value, slope, axial);
        const fields start = equilibrium ? end : fields_at(p, minus, r_minus, value, slope, axial);
        const fields mid = equilibrium ? end : fields_at(p, q.mid, q.r_mid, value, slope, axial);
        const int at = e * p + g;
        point factors;
        lane strain[2];
        double turned;
        point_at(x, &end, &start, at, &factors);
        spread(p, x, &mid, equilibrium ? q.plus : q.mid, value, slope, mu, x->stress[at].stress[0],
               strain, &turned);
        pull(x, at, &factors, strain, turned, &by->section[at], &longer);
    }
    by->size[e].length += longer / x->plan.size[e];
}

void wy_slope_element_pull(const wy_director *x, int e, const double *mu, wy_adjoint_fields *by) {
    WY_FOR_DEGREE(x->plan.p, element_pull, x, e, mu, by)
}
