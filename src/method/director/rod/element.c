/* element.c - strains, residual, tangent, frontal elimination: compiled for each degree.
 *
 * One element has p + 1 nodes with 6 unknowns each and p Gauss points.  With N_a, N'_a the shape
 * functions, D = (d- + d+)/2 and (i, k, l) cyclic (docs/theory/director.md, section 1):
 *
 *   rho = sum N'_a r_a   a_i = sum N_a d_i,a   b_i = sum N'_a d_i,a   c_k,a = (N_a b_k - N'_a a_k)/2
 *   Gamma_i = a_i . rho + [i = 3] (1 - a_3 . a_3)/2
 *                                       row of node a:  [ N'_a a_i | N_a D_i x (rho - [i = 3] a_3) ]  (1)
 *   K_i = (a_l . b_k - a_k . b_l)/2     row of node a:  [ 0 | D_l x c_k - D_k x c_l ]         (2)
 *   A = sum_g w_g Bbar^T (C beta + Cv/h) Bplus + geometric                                    (3)
 *   residual = sum_g w_g Bbar^T stress                                                        (4)
 *
 * The element matrix is dense, 6(p+1) rows, with minus the residual as one more column.  The 6x6
 * front of the elements before is added, the 6p finished rows are eliminated (numeric/linear/frontal.h), and
 * the last 6 rows are the next front.
 *
 * Every function takes the degree p as a constant and is inlined into the wrappers at the end, so
 * that all loops have constant bounds; functions are long for that reason only.
 * Compiled with fused multiply-add (see CMakeLists.txt): it halves the work of the block products,
 * and no result here is compared bit by bit.
 */
#include "method/director/law/law.h"
#include "method/director/law/section.h"
#include "method/director/rod/cable.h"
#include "method/director/rod/strain.h"
#include "numeric/linear/frontal.h"
#include "numeric/vector/stream.h"

enum {
    ROWS_MAX = 6 * (WY_ELEMENT_NODES + 1), /* those of a far end are the last */
    STRIDE = WY_DIRECTOR_STRIDE,
    WIDE = 40, /* of m: 30 columns, the right side, 6 of a far end, three to spare */
    STRAIN_MAX = 6 * WY_ELEMENT_DEGREE,
};

/* Two numbers per vector, sixteen vectors: arithmetic and registers are scarce. */
#ifdef __AVX__
#define NARROW 0
#else
#define NARROW 1
#endif

/* Mean stress of the step, (nbar, mbar); statics: stress at the iterate. */
WY_ALWAYS void stress_of(const wy_director *x, strains s, int at) {
    const wy_director_step *step = x->step;
    const wy_director_section *g = &x->plan.section[at];
    const lane *start = x->strain[at].start;
    wy_director_stress *out = &x->stress[at];
    const lane plus[2] = {s.gamma, s.k};
    if (!x->plan.skips_strains) out->plus[0] = plus[0], out->plus[1] = plus[1];
    const lane beta = lane_all(step->beta), before = lane_all(1.0 - step->beta);
    for (int i = 0; i < 2; i++) {
        const lane mean = beta * plus[i] + before * start[i];
        out->stress[i] = wy_section_stress(g, i, mean) + viscous(step, g, i) * (plus[i] - start[i]);
    }
    if (x->law) wy_section_step(x, at);
}

/* The stress of the geometric terms: sigma, and that of tendons. */
WY_ALWAYS lane held(const wy_director *x, int at, int i) {
    return x->tendon_stress ? x->stress[at].sigma[i] + x->tendon_stress[at].stress[i]
                            : x->stress[at].sigma[i];
}

/* Mean stress with that of tendons, from the strains at the end of the step. */
WY_ALWAYS void all_stress(const wy_director *x, strains s, int at, lane out[2]) {
    stress_of(x, s, at);
    if (x->tendon_stress) wy_director_tendon_stress(x, at);
    for (int i = 0; i < 2; i++)
        out[i] = x->tendon_stress ? x->stress[at].stress[i] + x->tendon_stress[at].stress[i]
                                  : x->stress[at].stress[i];
}

/* ---- assembly ---------------------------------------------------------------------------------- */

typedef struct work {
    local q;
    double e[STRAIN_MAX][STRIDE];                   /* w (C beta + Cv/h) Bplus | -w stress */
    tri gamma[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES]; /* rows of Bbar, by lanes              */
    tri k[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];
    tri a[WY_ELEMENT_DEGREE];
    lane stiff[WY_ELEMENT_DEGREE][3]; /* rows w (C beta + Cv/h) a_i of Bplus; for product_plain */
    tri f[WY_ELEMENT_NODES];          /* F_l of sigma, per node              */
    double m[ROWS_MAX][WIDE];
} work;

/* Rows of Bplus times c1 (strains Gamma) and c2 (K), one number for each lane. */
WY_ALWAYS void scaled_rows(const int p, const work *w, int g, const fields *plus, lane c1, lane c2,
                           double (*e)[STRIDE]) {
    const local *q = &w->q;
    lane a_row[3], row[3];
    const lane zero = {0, 0, 0, 0};
    tri_rows(tri_scale(c1, plus->a), a_row);
    for (int b = 0; b <= p; b++) {
        tri c_next, c_last, gamma, k;
        c_of(plus, q->value[g][b], q->slope[g][b], &c_next, &c_last);
        rows_of(plus, q->plus[b], q->value[g][b], c_next, c_last, &gamma, &k);
        const lane slope = lane_all(q->slope[g][b]);
        /* four at a time: the fourth is overwritten by what follows */
        tri_rows(tri_scale(c1, gamma), row);
        for (int i = 0; i < 3; i++) {
            lane_store(&e[i][6 * b], slope * a_row[i]);
            lane_store(&e[i][6 * b + 3], row[i]);
        }
        tri_rows(tri_scale(c2, k), row);
        for (int i = 0; i < 3; i++) {
            lane_store(&e[3 + i][6 * b], zero);
            lane_store(&e[3 + i][6 * b + 3], row[i]);
        }
    }
}

/* Rows of Bplus times the tangent of the stress, and the stress as right side. */
WY_ALWAYS void right_rows(const int p, const wy_director *x, work *w, int g, int at) {
    const local *q = &w->q;
    const wy_director_section *section = &x->plan.section[at];
    wy_director_stress *gauss = &x->stress[at];
    const fields plus = fields_at(p, q->plus, q->r_plus, q->value[g], q->slope[g], x->plan.axial);
    stress_of(x, strains_of(&plus, x->plan.axial), at);
    if (x->step->has_stress_of_guess)
        gauss->sigma[0] = gauss->stress[0], gauss->sigma[1] = gauss->stress[1];
    const lane weight = lane_all(section->weight);
    const lane c1 = weight * tangent_of(x->step, section, 0);
    const lane c2 = weight * tangent_of(x->step, section, 1);
    double(*e)[STRIDE] = &w->e[6 * g];
    if (NARROW) tri_rows(tri_scale(c1, plus.a), w->stiff[g]);
    scaled_rows(p, w, g, &plus, c1, c2, e);
    for (int i = 0; i < 3; i++) {
        e[i][6 * (p + 1)] = -section->weight * gauss->stress[0][i];
        e[3 + i][6 * (p + 1)] = -section->weight * gauss->stress[1][i];
    }
}

/* Rows of Bbar, kept by lanes, and the F_l of sigma for the geometric terms. */
WY_ALWAYS void left_rows(const int p, const wy_director *x, work *w, int g, int at) {
    const local *q = &w->q;
    const fields mid = fields_at(p, q->mid, q->r_mid, q->value[g], q->slope[g], x->plan.axial);
    const lane weight = lane_all(x->plan.section[at].weight);
    const lane n = weight * held(x, at, 0), m = weight * held(x, at, 1);
    const lane m_next = lane_next(m), m_last = lane_last(m);
    w->a[g] = mid.a;
    for (int a = 0; a <= p; a++) {
        tri c_next, c_last;
        c_of(&mid, q->value[g][a], q->slope[g][a], &c_next, &c_last);
        rows_of(&mid, q->mid[a], q->value[g][a], c_next, c_last, &w->gamma[g][a], &w->k[g][a]);
        tri f = tri_scale(lane_all(q->value[g][a]) * n, mid.arm);
        f = tri_axpy(f, m_next, c_last);
        f = tri_axpy(f, -m_last, c_next);
        w->f[a] = g == 0 ? f : tri_add(w->f[a], f);
    }
}

/* Row += coefficients (one per lane) times the three rows of e from `first` on. */
WY_ALWAYS void add_rows(const int p, lane *row, lane coefficient, double (*e)[STRIDE]) {
    for (int i = 0; i < 3; i++) {
        const lane k = lane_all(coefficient[i]);
        for (int c = 0; c < WY_FRONTAL_LANES(p); c++) row[c] += k * lane_load(&e[i][4 * c]);
    }
}

/* m = sum over Gauss points of Bbar^T e: material tangent and right side, (3) and (4). */
WY_ALWAYS void product(const int p, work *w) {
    for (int a = 0; a <= p; a++)
        for (int c = 0; c < 3; c++) {
            lane force[WY_FRONTAL_LANES(WY_ELEMENT_DEGREE)] = {{0}},
                 turn[WY_FRONTAL_LANES(WY_ELEMENT_DEGREE)] = {{0}};
            for (int g = 0; g < p; g++) {
                const lane slope = lane_all(w->q.slope[g][a]);
                const tri gamma = w->gamma[g][a], k = w->k[g][a];
                const lane at = c == 0 ? w->a[g].x : c == 1 ? w->a[g].y : w->a[g].z;
                const lane gt = c == 0 ? gamma.x : c == 1 ? gamma.y : gamma.z;
                const lane kt = c == 0 ? k.x : c == 1 ? k.y : k.z;
                add_rows(p, force, slope * at, &w->e[6 * g]);
                add_rows(p, turn, gt, &w->e[6 * g]);
                add_rows(p, turn, kt, &w->e[6 * g + 3]);
            }
            for (int i = 0; i < WY_FRONTAL_LANES(p); i++) {
                lane_store(&w->m[6 * a + c][4 * i], force[i]);
                lane_store(&w->m[6 * a + 3 + c][4 * i], turn[i]);
            }
        }
}

/* Block (row, column) of m += sign * hat(u). */
WY_ALWAYS void add_hat(double (*m)[WIDE], int row, int column, double sign, lane u) {
    const double x = sign * u[0], y = sign * u[1], z = sign * u[2];
    m[row][column + 1] -= z, m[row][column + 2] += y;
    m[row + 1][column] += z, m[row + 1][column + 2] -= x;
    m[row + 2][column] -= y, m[row + 2][column + 1] += x;
}

/* Block += sign (trace(Q) I - Q), Q = sum_k d_k e_k^T by rows. */
WY_ALWAYS void add_trace(double (*m)[WIDE], int row, int column, double sign, tri d, tri e) {
    const lane q0 = tri_sum(tri_scale(d.x, e)), q1 = tri_sum(tri_scale(d.y, e));
    const lane q2 = tri_sum(tri_scale(d.z, e));
    const double trace = sign * (q0[0] + q1[1] + q2[2]);
    const lane k = lane_all(-sign);
    lane_store(&m[row][column], lane_load(&m[row][column]) + k * q0);
    lane_store(&m[row + 1][column], lane_load(&m[row + 1][column]) + k * q1);
    lane_store(&m[row + 2][column], lane_load(&m[row + 2][column]) + k * q2);
    for (int i = 0; i < 3; i++) m[row + i][column + i] += trace;
}

/* The geometric part of (3), from the independent stress sigma; sums over Gauss points first. */
WY_ALWAYS void geometric(const int p, const wy_director *x, work *w, int first) {
    const local *q = &w->q;
    const wy_director_section *section = &x->plan.section[first];
    const double beta = x->step->beta;
    lane n[WY_ELEMENT_DEGREE], m[WY_ELEMENT_DEGREE];
    for (int g = 0; g < p; g++) {
        n[g] = lane_all(beta * section[g].weight) * held(x, first + g, 0);
        m[g] = lane_all(0.5 * beta * section[g].weight) * held(x, first + g, 1);
    }
    for (int a = 0; a <= p; a++)
        for (int b = 0; b <= p; b++) {
            lane nab = {0, 0, 0, 0}, mab = {0, 0, 0, 0}, tab = {0, 0, 0, 0};
            for (int g = 0; g < p; g++) {
                const double va = q->value[g][a], sa = q->slope[g][a];
                const double vb = q->value[g][b], sb = q->slope[g][b];
                nab += lane_all(sa * vb) * n[g];
                mab += lane_all(va * sb - sa * vb) * m[g];
                tab += lane_all(va * vb) * n[g];
            }
            add_hat(w->m, 6 * a, 6 * b + 3, -1.0, tri_sum(tri_scale(nab, q->plus[b])));
            add_hat(w->m, 6 * b + 3, 6 * a, 1.0, tri_sum(tri_scale(nab, q->mid[b])));
            tab *= x->plan.axial; /* of (1 - a_3 . a_3)/2 */
            if (a == b) {
                w->f[a] = tri_axpy(w->f[a], tab * lane_all(1.0 / beta), q->mid[a]);
                continue;
            }
            const tri next = tri_next(q->mid[a]), last = tri_last(q->mid[a]);
            tri e = tri_axpy(tri_scale(lane_last(mab), next), -lane_next(mab), last);
            e = tri_axpy(e, -tab, q->mid[a]);
            add_trace(w->m, 6 * a + 3, 6 * b + 3, 1.0, q->plus[b], e);
        }
    for (int a = 0; a <= p; a++) add_trace(w->m, 6 * a + 3, 6 * a + 3, -beta, q->plus[a], w->f[a]);
}

/* Rows of a Gauss point: those of a law that is not linear, and what tendons add. */
WY_ALWAYS void more_rows(const int p, const wy_director *x, work *w, int g, int at,
                         double (*add)[STRIDE]) {
    const local *q = &w->q;
    if (x->tendon_stress) {
        double b[6][STRIDE];
        const lane one = lane_all(1.0);
        const fields plus =
            fields_at(p, q->plus, q->r_plus, q->value[g], q->slope[g], x->plan.axial);
        scaled_rows(p, w, g, &plus, one, one, b);
        wy_director_tendon_rows(x, at, 6 * (p + 1), (const double(*)[STRIDE])b, add);
    }
    if (x->law) wy_section_rows(x, at, 6 * (p + 1), &w->e[6 * g]);
}

WY_ALWAYS void add_more(const int p, const wy_director *x, work *w, int g, int at) {
    double add[6][STRIDE], (*e)[STRIDE] = &w->e[6 * g];
    more_rows(p, x, w, g, at, add);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c <= 6 * (p + 1) && x->tendon_stress; c++) e[i][c] += add[i][c];
}

/* Browsers, and gcc for SSE2, give good registers to functions of moderate size only: there the parts of an element are
 * functions of their own, one for each degree, and APART(p, f, ...) is f(p, ...). */
#if NARROW
/* sum[c] (set first, or added to) = component c of the directors d times three rows of numbers, `stride` apart. */
WY_ALWAYS void times_rows(const int set, lane sum[3], const tri *d, const double *rows,
                          int stride) {
    const lane *of[3] = {&d->x, &d->y, &d->z};
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        const lane row = lane_load(rows + i * stride);
#pragma GCC unroll 3
        for (int c = 0; c < 3; c++) {
            const lane add = lane_spread(of[c], i) * row;
            sum[c] = set && i == 0 ? add : sum[c] + add;
        }
    }
}

/* product() where no tendon pulls and the law is linear: by (1), (2), the columns of displacements are N'_b a_i in the rows of
 * Gamma and 0 in those of K, so that a third of the work is left out, and six sums stay in
 * registers.  Where vectors are wide, this is 6 % slower than product().  Blocks of three columns are vectors of
 * four; the fourth is overwritten by the block that follows, and after the last one it is the right side. */
WY_ALWAYS void product_plain(const int p, work *w) {
    lane shift[WY_ELEMENT_DEGREE][3], turn[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES][3];
    for (int g = 0; g < p; g++) {
        times_rows(1, shift[g], &w->a[g], (const double *)w->stiff[g], 4);
        for (int b = 0; b <= p; b++)
            times_rows(1, turn[g][b], &w->a[g], &w->e[6 * g][6 * b + 3], STRIDE);
    }
    for (int a = 0; a <= p; a++) {
        lane arm[WY_ELEMENT_DEGREE][3], tendon_stress[WY_ELEMENT_DEGREE][3];
        for (int g = 0; g < p; g++) {
            times_rows(1, arm[g], &w->gamma[g][a], (const double *)w->stiff[g], 4);
            for (int c = 0; c < 3; c++)
                tendon_stress[g][c] = lane_all(w->q.slope[g][a]) * shift[g][c];
        }
        for (int b = 0; b <= p; b++) {
            lane tt[3];
            for (int g = 0; g < p; g++) {
                times_rows(g == 0, tt, &w->gamma[g][a], &w->e[6 * g][6 * b + 3], STRIDE);
                times_rows(0, tt, &w->k[g][a], &w->e[6 * g + 3][6 * b + 3], STRIDE);
            }
            for (int c = 0; c < 3; c++) {
                lane ff = {0}, ft = {0}, tf = {0};
                for (int g = 0; g < p; g++) {
                    const lane slope = lane_all(w->q.slope[g][b]);
                    ff += slope * tendon_stress[g][c], tf += slope * arm[g][c];
                    ft += lane_all(w->q.slope[g][a]) * turn[g][b][c];
                }
                double *row = &w->m[6 * a + c][6 * b], *below = &w->m[6 * a + 3 + c][6 * b];
                lane_store(row, ff), lane_store(row + 3, ft);
                lane_store(below, tf), lane_store(below + 3, tt[c]);
            }
        }
    }
}

WY_ALWAYS int eliminate(const int p, int b, work *w, double (*keep)[6]) {
    return frontal_eliminate(p, b, WIDE, &w->m[0][0], keep);
}
#define APART_OF(p)                                                                                \
    static __attribute__((noinline)) void right_rows_##p(const wy_director *x, work *w, int g,     \
                                                         int at) {                                 \
        right_rows(p, x, w, g, at);                                                                \
    }                                                                                              \
    static __attribute__((noinline)) void left_rows_##p(const wy_director *x, work *w, int g,      \
                                                        int at) {                                  \
        left_rows(p, x, w, g, at);                                                                 \
    }                                                                                              \
    static __attribute__((noinline)) void product_##p(work *w) {                                   \
        product(p, w);                                                                             \
    }                                                                                              \
    static __attribute__((noinline)) void product_plain_##p(work *w) {                             \
        product_plain(p, w);                                                                       \
    }                                                                                              \
    static                                                                                         \
        __attribute__((noinline)) void geometric_##p(const wy_director *x, work *w, int first) {   \
        geometric(p, x, w, first);                                                                 \
    }                                                                                              \
    static __attribute__((noinline)) int eliminate_##p(int b, work *w, double(*keep)[6]) {         \
        return eliminate(p, b, w, keep);                                                           \
    }
APART_OF(1)
APART_OF(2)
APART_OF(3)
APART_OF(4)
#define APART(p, f, ...)                                                                           \
    ((p) == 1   ? f##_1(__VA_ARGS__)                                                               \
     : (p) == 2 ? f##_2(__VA_ARGS__)                                                               \
     : (p) == 3 ? f##_3(__VA_ARGS__)                                                               \
                : f##_4(__VA_ARGS__))
WY_ALWAYS void multiply(const int p, const wy_director *x, work *w) {
    if (x->tendon_stress || x->law)
        APART(p, product, w);
    else
        APART(p, product_plain, w);
}
#else
#define APART(p, f, ...) f(p, __VA_ARGS__)
#define multiply(p, x, w) product(p, w)
#define eliminate(p, b, w, keep) frontal_eliminate(p, b, WIDE, &(w)->m[0][0], keep)
#endif

WY_ALWAYS void assemble(const int p, wy_director *x, int e, work *w) {
    gather(p, x, e, &w->q);
    for (int g = 0; g < p; g++) {
        APART(p, right_rows, x, w, g, e * p + g);
        if (x->tendon_stress || x->law) add_more(p, x, w, g, e * p + g);
        APART(p, left_rows, x, w, g, e * p + g);
    }
    multiply(p, x, w);
    APART(p, geometric, x, w, e * p);
    if (x->plan.has_damping_in_space || wy_director_loaded(x, e))
        wy_director_loads_add(x, e, &w->m[0][0], WIDE, 6 * (p + 1));
}

WY_ALWAYS void keep_matrix(const int p, const work *w, double (*m)[STRIDE]) {
    for (int i = 0; i < 6 * (p + 1); i++)
        for (int c = 0; c < WY_FRONTAL_LANES(p); c++)
            lane_store(&m[i][4 * c], lane_load(&w->m[i][4 * c]));
}

WY_ALWAYS void element(const int p, wy_director *x, int e, double (*m)[STRIDE]) {
    work w;
    for (int i = 0; i < 6 * p; i++) /* the columns to spare are read, never used */
        for (int c = 6 * (p + 1) + 1; c < 4 * WY_FRONTAL_LANES(p); c++) w.e[i][c] = 0;
    assemble(p, x, e, &w);
    keep_matrix(p, &w, m);
}

/* ---- elimination --------------------------------------------------------------------------------- */

/* Inertia, gravity, ends: what acts on node a of an element alone. */
WY_ALWAYS void add_node(const int p, const wy_director *x, int e, int a, work *w) {
    double block[6][6], b[6];
    wy_director_node_terms(x, e * p + a, block, b);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) w->m[6 * a + i][6 * a + j] += block[i][j];
        w->m[6 * a + i][6 * (p + 1)] -= b[i];
    }
}

/* On the nodes that an element completes. */
WY_ALWAYS void add_nodes(const int p, const wy_director *x, int e, work *w) {
    for (int a = 0; a < p; a++) add_node(p, x, e, a, w);
}

/* The last front, for which there is nothing to eliminate: its inverse. */
WY_ALWAYS void invert_last(wy_director *x, const double front[6][WY_DIRECTOR_PANEL]) {
    lane m[6][2];
    for (int i = 0; i < 6; i++) {
        m[i][0] = lane_load(&front[i][0]);
        m[i][1] = (lane){front[i][4], front[i][5], 0, 0};
    }
    x->step->negative += frontal_invert(m);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) x->step->last[i][j] = m[i][j / 4][j % 4];
}

/* cable, a constant: the element is that of director/rod/cable.c. */
WY_ALWAYS void sweep(const int p, const int cable, wy_director *x, double side[6]) {
    work w;
    double front[6][WY_DIRECTOR_PANEL];
    const int rows = 6 * (p + 1);
    __builtin_memset(w.m, 0, (size_t)rows * sizeof *w.m); /* columns to spare: read, never used */
    __builtin_memset(w.e, 0, sizeof w.e);
    __builtin_memset(front, 0, sizeof front);
    x->step->negative = 0;
    for (int e = 0; e < x->plan.n; e++) {
        if (cable)
            wy_cable_element(x, e, &w.m[0][0], WIDE);
        else
            assemble(p, x, e, &w);
        if (x->step->plus) keep_matrix(p, &w, &x->step->plus[(size_t)e * rows]);
        add_nodes(p, x, e, &w);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) w.m[i][j] += front[i][j];
            w.m[i][rows] += front[i][6];
        }
        if (e == 0) wy_director_hold(x, 0, &w.m[0][0], WIDE, 0, rows, rows + 1);
        double(*keep)[6] =
            x->step->keeps ? (double(*)[6]) & x->keep[(size_t)e * p * rows * 6] : NULL;
#pragma GCC unroll 4
        for (int b = 0; b < p; b++)
            x->step->negative += APART(p, eliminate, b, &w, keep ? &keep[b * rows] : NULL);
        double(*panel)[WY_DIRECTOR_PANEL] =
            (double(*)[WY_DIRECTOR_PANEL]) & x->panel[(size_t)e * 6 * p * WY_DIRECTOR_PANEL];
        for (int i = 0; i < 6 * p; i++) {
            lane_store(&panel[i][0], lane_load(&w.m[i][6 * p]));
            lane_store(&panel[i][4], lane_load(&w.m[i][6 * p + 4]));
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 7; j++) front[i][j] = w.m[6 * p + i][6 * p + j];
    }
    /* the last node: what acts on it alone */
    double block[6][6], b[6];
    wy_director_node_terms(x, x->plan.node_count - 1, block, b);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) front[i][j] += block[i][j];
        front[i][6] -= b[i];
    }
    wy_director_hold(x, 1, &front[0][0], WY_DIRECTOR_PANEL, 0, 6, 7);
    invert_last(x, (const double(*)[WY_DIRECTOR_PANEL])front);
    for (int i = 0; i < 6; i++) side[i] = front[i][6];
}

WY_ALWAYS void back(const int p, wy_director *x, const double side[6]) {
    double *last = x->next[x->plan.node_count - 1].change;
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++) sum += x->step->last[i][j] * side[j];
        last[i] = sum;
    }
    wy_director_hold_back(x, 1, last);
    for (int e = x->plan.n - 1; e >= 0; e--) {
        const double *panel = &x->panel[(size_t)e * 6 * p * WY_DIRECTOR_PANEL];
        const double *next = x->next[(e + 1) * p].change;
        for (int a = 0; a < p; a++)
            for (int i = 0; i < 6; i++) {
                const double *row = &panel[(6 * a + i) * WY_DIRECTOR_PANEL];
                double sum = row[6];
                for (int j = 0; j < 6; j++) sum -= row[j] * next[j];
                x->next[e * p + a].change[i] = sum;
            }
    }
    wy_director_hold_back(x, 0, x->next[0].change);
}

/* ---- between two ends ----------------------------------------------------------------------------- */

/* Node 0 of the first element is S: its rows and columns go where those of S are. */
WY_ALWAYS void set_far(const int p, work *w) {
    const int s = 6 * (p + 1);
    for (int i = 0; i < s; i++) __builtin_memcpy(&w->m[i][s + 1], w->m[i], 6 * sizeof(double));
    __builtin_memcpy(w->m[s], w->m[0], 6 * sizeof *w->m);
}

/* The rows of (X, S) of the elements before; S meets no other node of this one yet. */
WY_ALWAYS void add_far(const int p, work *w, double (*front)[WY_DIRECTOR_BETWEEN]) {
    const int s = 6 * (p + 1);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) w->m[i][j] += front[i][j];
        w->m[i][s] += front[i][6];
        __builtin_memcpy(&w->m[i][s + 1], &front[i][7], 6 * sizeof(double));
        __builtin_memset(&w->m[s + i][6], 0, (size_t)(6 * p) * sizeof(double));
        __builtin_memcpy(w->m[s + i], front[6 + i], 6 * sizeof(double));
        __builtin_memcpy(&w->m[s + i][s], &front[6 + i][6], 7 * sizeof(double));
    }
    for (int i = 6; i < s; i++) __builtin_memset(&w->m[i][s + 1], 0, 6 * sizeof(double));
}

/* Eliminated rows, from row `first` on.  Those of a large network are not needed before all others are written, and
 * go to memory without a way through the caches: nothing has to be read for them, and nothing else to leave. */
WY_ALWAYS void keep_panel(const int p, int streams, int first, const work *w, double *panel) {
    enum { PANEL = WY_DIRECTOR_BETWEEN };
    double row[6 * WY_ELEMENT_DEGREE * PANEL], *to = streams ? row : panel;
    for (int i = first; i < 6 * p; i++)
        __builtin_memcpy(&to[i * PANEL], &w->m[i][6 * p], PANEL * sizeof *to);
    if (streams)
        wy_stream(&panel[first * PANEL], &row[first * PANEL], (size_t)((6 * p - first) * PANEL));
}

/* Elements from .. to - 1.  The unknowns of the first node, S, stay all the way, in rows under those of the element and in
 * columns after the right side: what is left of an eliminated row, and the front, are columns that lie together,
 * (X | side | S). */
WY_ALWAYS void sweep_between(const int p, const int cable, wy_director *x, wy_director_chain *c,
                             double front[12][WY_DIRECTOR_BETWEEN]) {
    work w;
    const int side = 6 * (p + 1), rows = 6 * (p + 2);
    __builtin_memset(w.m, 0, (size_t)rows * sizeof *w.m); /* columns to spare: read, never used */
    for (int i = 0; i < 6 * p; i++)
        for (int k = side + 1; k < 4 * WY_FRONTAL_LANES(p); k++) w.e[i][k] = 0;
    for (int e = c->from; e < c->to; e++) {
        const int first = e == c->from;
        if (c->ahead) c->ahead(x, e, 0);
        if (cable)
            wy_cable_element(x, e, &w.m[0][0], WIDE);
        else
            assemble(p, x, e, &w);
        if (c->ahead) c->ahead(x, e, 1);
        add_nodes(p, x, e, &w);
        if ((e + 1) * p == x->plan.node_count - 1) add_node(p, x, e, p, &w);
        if (first) c->force[0] = v3(-w.m[0][side], -w.m[1][side], -w.m[2][side]);
        c->force[1] = v3(-w.m[6 * p][side], -w.m[6 * p + 1][side], -w.m[6 * p + 2][side]);
        if (first)
            set_far(p, &w);
        else
            add_far(p, &w, front);
        if (c->ahead) c->ahead(x, e, 2);
        double(*keep)[6] = (double(*)[6]) & c->keep[(size_t)(e - c->from) * p * rows * 6];
        for (int b = first; b < p; b++)
            x->step->negative += frontal_eliminate(p + 1, b, WIDE, &w.m[0][0],
                                                   x->step->keeps ? &keep[b * rows] : NULL);
        keep_panel(p, c->streams, 6 * first, &w,
                   &c->panel[(size_t)(e - c->from) * 6 * p * WY_DIRECTOR_BETWEEN]);
        for (int i = 0; i < 12; i++)
            __builtin_memcpy(front[i], &w.m[6 * p + i][6 * p], sizeof front[i]);
    }
}

/* ---- after the solve -------------------------------------------------------------------------------- */

WY_ALWAYS void move(wy_director *x, int j, double share) {
    wy_director_next *next = &x->next[j];
    const double *c = next->change;
    next->dr = v3_axpy(next->dr, share, v3(c[0], c[1], c[2]));
    next->theta = cayley_after(next->theta, v3(share * c[3], share * c[4], share * c[5]));
    next->d = tri_cayley(next->theta, x->node[j].d);
}

/* sigma <- stress(q) + (C beta + Cv/h) Bplus change, or a share of the way there: the rows (1), (2)
 * applied to the increment.  The stress(q) of a finite turn stretches a thin rod; no part of it stays. */
WY_ALWAYS void correct(const int p, wy_director *x, double share) {
    const lane half = lane_all(0.5), k = lane_all(share);
    for (int e = 0; e < x->plan.n; e++) {
        local q;
        gather(p, x, e, &q);
        const wy_director_next *next = &x->next[e * p];
        tri spin[WY_ELEMENT_NODES];
        lane shift[WY_ELEMENT_NODES];
        for (int a = 0; a <= p; a++) {
            const double *c = next[a].change;
            spin[a] = tri_cross(tri_all(v3(c[3], c[4], c[5])), q.plus[a]);
            shift[a] = (lane){c[0], c[1], c[2], 0};
        }
        const wy_director_section *section = &x->plan.section[e * p];
        wy_director_stress *gauss = &x->stress[e * p];
        for (int g = 0; g < p; g++) {
            const fields f = fields_at(p, q.plus, q.r_plus, q.value[g], q.slope[g], x->plan.axial);
            const fields df = fields_at(p, spin, shift, q.value[g], q.slope[g], x->plan.axial);
            const lane d_gamma = tri_dot(f.a, df.rho) + tri_dot(df.a, f.arm);
            const lane d_k = half * (tri_dot(df.a_last, f.b_next) + tri_dot(f.a_last, df.b_next) -
                                     tri_dot(df.a_next, f.b_last) - tri_dot(f.a_next, df.b_last));
            const lane ds[2] = {d_gamma, d_k};
            lane to[2];
            for (int i = 0; i < 2; i++) {
                const lane linear = tangent_of(x->step, &section[g], i) * ds[i];
                to[i] = x->law ? gauss[g].stress[i] : gauss[g].stress[i] + linear;
            }
            if (x->law) wy_section_times(x->law[e * p + g].slope, ds, to);
            for (int i = 0; i < 2; i++) gauss[g].sigma[i] += k * (to[i] - gauss[g].sigma[i]);
        }
        for (int a = 0; a < p; a++) move(x, e * p + a, share);
    }
    move(x, x->plan.node_count - 1, share);
}

WY_ALWAYS void all_strains(const int p, wy_director *x, int commit) {
    for (int e = 0; e < x->plan.n; e++) {
        local q;
        gather(p, x, e, &q);
        wy_director_stress *gauss = &x->stress[e * p];
        wy_director_strain *now = &x->strain[e * p];
        for (int g = 0; g < p; g++) {
            const fields plus =
                fields_at(p, q.plus, q.r_plus, q.value[g], q.slope[g], x->plan.axial);
            const strains s = strains_of(&plus, x->plan.axial);
            gauss[g].plus[0] = s.gamma, gauss[g].plus[1] = s.k;
            if (commit) now[g].start[0] = s.gamma, now[g].start[1] = s.k;
        }
    }
}

/* f += Bbar^T (n, m), f[p+1][6]. */
WY_ALWAYS void add_force(const int p, const work *w, int g, lane n, lane m, double *f) {
    for (int a = 0; a <= p; a++) {
        const lane force = lane_all(w->q.slope[g][a]) * tri_sum(tri_scale(n, w->a[g]));
        const lane moment =
            tri_sum(tri_add(tri_scale(n, w->gamma[g][a]), tri_scale(m, w->k[g][a])));
        for (int i = 0; i < 3; i++) f[6 * a + i] += force[i], f[6 * a + 3 + i] += moment[i];
    }
}

WY_ALWAYS void element_force(const int p, wy_director *x, int e, double f[WY_ELEMENT_NODES][6]) {
    work w;
    gather(p, x, e, &w.q);
    for (int a = 0; a <= p; a++)
        for (int i = 0; i < 6; i++) f[a][i] = 0.0;
    for (int g = 0; g < p; g++) {
        const fields plus =
            fields_at(p, w.q.plus, w.q.r_plus, w.q.value[g], w.q.slope[g], x->plan.axial);
        lane stress[2];
        all_stress(x, strains_of(&plus, x->plan.axial), e * p + g, stress);
        left_rows(p, x, &w, g, e * p + g);
        const lane weight = lane_all(x->plan.section[e * p + g].weight);
        const lane n = weight * stress[0], m = weight * stress[1];
        add_force(p, &w, g, n, m, &f[0][0]);
    }
}

WY_ALWAYS void element_wrench(const int p, wy_director *x, int e, int plus,
                              const wy_tendon_stress *stress, double f[WY_ELEMENT_NODES][6]) {
    work w;
    gather(p, x, e, &w.q);
    for (int a = 0; a <= p; a++) {
        for (int i = 0; i < 6; i++) f[a][i] = 0.0;
        if (plus) w.q.mid[a] = w.q.plus[a], w.q.r_mid[a] = w.q.r_plus[a];
    }
    for (int g = 0; g < p; g++) {
        left_rows(p, x, &w, g, e * p + g);
        add_force(p, &w, g, stress[g].stress[0], stress[g].stress[1], &f[0][0]);
    }
}

/* f += Bbar^T Cv Bbar v: the viscous forces of velocities v, both [6 node_count]. */
WY_ALWAYS void element_damping(const int p, const wy_director *x, int e, const double *v,
                               double *f) {
    work w;
    gather(p, x, e, &w.q);
    for (int g = 0; g < p; g++) {
        const lane weight = lane_all(x->plan.section[e * p + g].weight);
        lane gamma = {0, 0, 0, 0}, k = gamma, stress[2] = {{0}, {0}};
        left_rows(p, x, &w, g, e * p + g);
        for (int a = 0; a <= p; a++) {
            const double *c = &v[6 * (e * p + a)];
            const tri turn = tri_all(v3_from(c + 3));
            gamma += lane_all(w.q.slope[g][a]) * tri_dot(w.a[g], tri_all(v3_from(c)));
            gamma += tri_dot(w.gamma[g][a], turn), k += tri_dot(w.k[g][a], turn);
        }
        wy_section_damp(x, e * p + g, (const lane[2]){weight * gamma, weight * k}, stress);
        add_force(p, &w, g, stress[0], stress[1], &f[6 * e * p]);
    }
}

/* The same elimination on one more right side, side[6 node_count]: what is left of each row. */
WY_ALWAYS void reduce_again(const int p, wy_director *x, double *side) {
    const int rows = 6 * (p + 1);
    double *end = &side[6 * (x->plan.node_count - 1)], first[6], last[6];
    for (int i = 0; i < 6; i++) first[i] = side[i], last[i] = end[i];
    wy_director_hold_side(x, 0, first, side);
    for (int e = 0; e < x->plan.n; e++) {
        double *f = &side[6 * e * p];
        for (int b = 0; b < p; b++)
            frontal_again(p, b, &x->keep[((size_t)e * p + b) * rows * 6], f);
    }
    wy_director_hold_side(x, 1, last, end);
}

/* Of mixed_static.c: the forces of the independent stress sigma of shear and stretch and of the true moments,
 * f[p+1][6], and how far the strains miss that stress, gap[3p] = w (C^-1 sigma - strain). */
WY_ALWAYS void element_pull(const int p, wy_director *x, int e, double f[][6], double *gap) {
    work w;
    gather(p, x, e, &w.q);
    for (int a = 0; a <= p; a++)
        for (int i = 0; i < 6; i++) f[a][i] = 0.0;
    for (int g = 0; g < p; g++) {
        const int at = e * p + g;
        const wy_director_section *section = &x->plan.section[at];
        const fields plus =
            fields_at(p, w.q.plus, w.q.r_plus, w.q.value[g], w.q.slope[g], x->plan.axial);
        lane all[2];
        all_stress(x, strains_of(&plus, x->plan.axial), at, all);
        left_rows(p, x, &w, g, at);
        const lane weight = lane_all(section->weight);
        const lane *stress = x->stress[at].stress, *sigma = x->stress[at].sigma;
        add_force(p, &w, g, weight * held(x, at, 0), weight * all[1], &f[0][0]);
        for (int i = 0; i < 3; i++)
            gap[3 * g + i] =
                section->weight * (sigma[0][i] - stress[0][i]) / tangent_of(x->step, section, 0)[i];
    }
}

/* Of mixed_static.c: stiffness of bending and twist with the geometric terms, and the rows and columns of the
 * forces, m[6(p+1) + 3p][WY_DIRECTOR_MIXED + 1]. */
WY_ALWAYS void element_mixed(const int p, wy_director *x, int e,
                             double m[][WY_DIRECTOR_MIXED + 1]) {
    work w;
    const int nodes = 6 * (p + 1), rows = nodes + 3 * p;
    __builtin_memset(&w.m, 0, sizeof w.m);
    __builtin_memset(&w.e, 0, sizeof w.e);
    for (int i = 0; i < rows; i++) __builtin_memset(m[i], 0, sizeof m[i]);
    gather(p, x, e, &w.q);
    for (int g = 0; g < p; g++) {
        const wy_director_section *section = &x->plan.section[e * p + g];
        double tendons[6][STRIDE] = {{0}};
        right_rows(p, x, &w, g, e * p + g);
        more_rows(p, x, &w, g, e * p + g, tendons);
        left_rows(p, x, &w, g, e * p + g);
        for (int i = 0; i < 3; i++) {
            const double stiff = tangent_of(x->step, section, 0)[i];
            const int row = nodes + 3 * g + i;
            m[row][row] = -section->weight / stiff;
            for (int c = 0; c < nodes; c++) m[row][c] = m[c][row] = w.e[6 * g + i][c] / stiff;
            __builtin_memset(w.e[6 * g + i], 0, sizeof w.e[0]);
        }
        for (int i = 0; i < 6; i++)
            for (int c = 0; c < nodes && x->tendon_stress; c++) w.e[6 * g + i][c] += tendons[i][c];
    }
    product(p, &w);
    geometric(p, x, &w, e * p);
    if (x->plan.has_damping_in_space || wy_director_loaded(x, e))
        wy_director_loads_add(x, e, &w.m[0][0], WIDE, nodes);
    for (int i = 0; i < nodes; i++)
        for (int c = 0; c < nodes; c++) m[i][c] = w.m[i][c];
}

/* ---- one compiled copy per degree, and one for all cables ------------------------------------------------ */

static __attribute__((noinline)) void sweep_cable(wy_director *x, double side[6]) {
    sweep(x->plan.p, 1, x, side);
}
static __attribute__((noinline)) void sweep_cable_between(wy_director *x, wy_director_chain *chain,
                                                          double (*front)[WY_DIRECTOR_BETWEEN]) {
    sweep_between(x->plan.p, 1, x, chain, front);
}

void wy_director_eliminate(wy_director *x, double side[6]) {
    if (wy_is_cable(&x->plan))
        sweep_cable(x, side);
    else
        WY_FOR_DEGREE(x->plan.p, sweep, 0, x, side)
}
void wy_director_back(wy_director *x, const double side[6]) {
    WY_FOR_DEGREE(x->plan.p, back, x, side)
}
void wy_director_reduce_again(wy_director *x, double *side) {
    WY_FOR_DEGREE(x->plan.p, reduce_again, x, side)
}
void wy_director_condense(wy_director *x, wy_director_chain *chain,
                          double front[12][WY_DIRECTOR_BETWEEN]) {
    if (wy_is_cable(&x->plan))
        sweep_cable_between(x, chain, front);
    else
        WY_FOR_DEGREE(x->plan.p, sweep_between, 0, x, chain, front)
}
void wy_director_element(wy_director *x, int e, double (*m)[WY_DIRECTOR_STRIDE]) {
    if (wy_is_cable(&x->plan))
        wy_cable_element(x, e, &m[0][0], STRIDE);
    else
        WY_FOR_DEGREE(x->plan.p, element, x, e, m)
}
void wy_director_correct(wy_director *x, double share) {
    if (wy_is_cable(&x->plan))
        wy_cable_correct(x, share);
    else
        WY_FOR_DEGREE(x->plan.p, correct, x, share)
}
void wy_director_strains(wy_director *x, int commit) {
    if (wy_is_cable(&x->plan))
        wy_cable_strains(x, commit);
    else
        WY_FOR_DEGREE(x->plan.p, all_strains, x, commit)
}
void wy_director_element_force(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]) {
    if (wy_is_cable(&x->plan))
        wy_cable_force(x, e, f);
    else
        WY_FOR_DEGREE(x->plan.p, element_force, x, e, f)
}
void wy_director_element_wrench(wy_director *x, int e, int plus, const wy_tendon_stress *stress,
                                double f[WY_ELEMENT_NODES][6]) {
    WY_FOR_DEGREE(x->plan.p, element_wrench, x, e, plus, stress, f)
}
void wy_director_element_pull(wy_director *x, int e, double f[][6], double *gap) {
    if (wy_is_cable(&x->plan))
        wy_cable_pull(x, e, f, gap);
    else
        WY_FOR_DEGREE(x->plan.p, element_pull, x, e, f, gap)
}
void wy_director_element_mixed(wy_director *x, int e, double m[][WY_DIRECTOR_MIXED + 1]) {
    if (wy_is_cable(&x->plan))
        wy_cable_mixed(x, e, m);
    else
        WY_FOR_DEGREE(x->plan.p, element_mixed, x, e, m)
}
void wy_director_element_damping(const wy_director *x, int e, const double *v, double *f) {
    if (wy_is_cable(&x->plan))
        wy_cable_damping(x, e, v, f);
    else
        WY_FOR_DEGREE(x->plan.p, element_damping, x, e, v, f)
}
