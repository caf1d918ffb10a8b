/* turns.c - the variation of the moments of form G in space, for cheb/jacobian.c, which has the formulas. */
#include "method/cheb/vary.h"

/* Coefficients of dq' (part 0) and of dq (part 1) in dy. */
static double *turn_part(const wy_cheb *x, int part, int c, int b) {
    return x->jac.turn + (size_t)((part * 4 + c) * 4 + b) * (size_t)x->grid.ld;
}

/* Rows of S(a). */
static void s_rows(vec3 a, double m[4][4]) {
    const double rows[4][4] = {
        {0, -a.x, -a.y, -a.z}, {a.x, 0, a.z, -a.y}, {a.y, -a.z, 0, a.x}, {a.z, a.y, -a.x, 0}};
    memcpy(m, rows, sizeof rows);
}

/* out (4x4) = G^T diag(c) H, G and H 3x4. */
static void sandwich(double g[3][4], const double c[3], double h[3][4], double out[4][4]) {
    for (int r = 0; r < 4; r++)
        for (int b = 0; b < 4; b++) {
            out[r][b] = 0;
            for (int k = 0; k < 3; k++) out[r][b] += g[k][r] * c[k] * h[k][b];
        }
}

/* Rows of the moment at node i: E times a 4x4 matrix, into a part. */
static void put_turned(const wy_cheb *x, int part, int i, double e[3][4], double m[4][4]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += e[a][k] * m[k][b];
            put(x, part, 3 + a, 3 + b, i, sum);
        }
}

void wy_cheb_turns(const wy_cheb *x, const double *u, double *const c2[3], int elastic) {
    const int ld = x->grid.ld;
    double *dy = x->stage[6];
    wy_cheb_turned_moment(x, u, x->stage[5], dy);
    for (int i = 0; i <= x->grid.n; i++) {
        const quat q = quat_at(u, ld, i);
        const quat q1 = quat_at(x->p1, ld, i);
        const vec3 turn = vec_at(x->f + 3 * ld, ld, i);
        const vec3 m = v3_scale(elastic, m3_tmul(wy_cheb_rotate(q, x->excess), turn));
        const quat h = wy_cheb_gt(q1, m);
        const quat z = {h.w + dy[i], h.x + dy[ld + i], h.y + dy[2 * ld + i], h.z + dy[3 * ld + i]};
        const double c[3] = {2 * c2[0][i], 2 * c2[1][i], 2 * c2[2][i]};
        double e[3][4], ez[3][4], g[3][4], g1[3][4], s[4][4], k[4][4];
        e_rows(q, 1.0, e), g_rows(q, 1.0, g), g_rows(q1, 1.0, g1), s_rows(m, s);
        e_rows(z, -(double)elastic, ez);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 4; b++) put(x, T0, 3 + a, 3 + b, i, ez[a][b]);
        put_turned(x, T1, i, e, s);
        sandwich(g1, c, g, k), put_turned(x, T1, i, e, k);
        sandwich(g1, c, g1, k);
        for (int r = 0; r < 4; r++)
            for (int b = 0; b < 4; b++) k[r][b] = -k[r][b];
        put_turned(x, T0, i, e, k);
        double first[4][4], none[4][4];
        sandwich(g, c, g, first), sandwich(g, c, g1, none);
        for (int r = 0; r < 4; r++)
            for (int b = 0; b < 4; b++) {
                turn_part(x, 0, r, b)[i] = first[r][b];
                turn_part(x, 1, r, b)[i] = s[r][b] - none[r][b];
            }
    }
}

/* Rows E D (..) of the moments at node i with respect to field 3 + b. */
void wy_cheb_turns_rows(const wy_cheb *x, const double *u, int i, int b, double *out) {
    const wy_collocation *g = &x->grid;
    const int nodes = g->n + 1, ldi = g->ld;
    const size_t ld = (size_t)g->ld, cols = (size_t)(nodes * x->fields);
    const quat q = quat_at(u, ldi, i);
    double e[3][4];
    e_rows(q, 1.0, e);
    for (int a = 0; a < 3; a++) {
        double *row = out + (size_t)((3 + a) * nodes + i) * cols + (size_t)((3 + b) * nodes);
        for (int k = 0; k < nodes; k++) {
            double first = 0, none = 0;
            for (int c = 0; c < 4; c++)
                first += e[a][c] * turn_part(x, 0, c, b)[k],
                    none += e[a][c] * turn_part(x, 1, c, b)[k];
            const double d = g->dr[(size_t)i * ld + (size_t)k];
            add_row(nodes, d * first, g->dr + (size_t)k * ld, row);
            row[k] += d * none;
        }
    }
}
