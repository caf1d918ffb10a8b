/* Motions and twists, and the Riccati sweep against dense elimination. */
#include <stdlib.h>

#include "base/se3.h"
#include "check.h"
#include "numeric/linear/linear.h"

static double noise(void) {
    return 2.0 * rand() / RAND_MAX - 1.0;
}

static vec3 any(double size) {
    return v3(size * noise(), size * noise(), size * noise());
}

static void check_motion(wy_motion a, wy_motion b, double tolerance) {
    CHECK_BELOW(v3_norm(v3_sub(a.shift, b.shift)), tolerance);
    CHECK_BELOW(v3_norm(v3_sub(a.turn.c1, b.turn.c1)), tolerance);
    CHECK_BELOW(v3_norm(v3_sub(a.turn.c2, b.turn.c2)), tolerance);
    CHECK_BELOW(v3_norm(v3_sub(a.turn.c3, b.turn.c3)), tolerance);
}

TEST(exp_then_log_returns_the_twist_for_angles_up_to_three) {
    (void)unused_state;
    const double size[] = {1e-9, 1e-4, 1e-2, 0.3, 0.49, 0.51, 1.7};
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < 50; i++) {
            const vec3 w = any(size[k]), v = any(2);
            vec3 back_w, back_v;
            se3_log(se3_exp(w, v), &back_w, &back_v);
            CHECK_BELOW(v3_norm(v3_sub(w, back_w)), 2e-14);
            CHECK_BELOW(v3_norm(v3_sub(v, back_v)), 5e-14);
        }
}

TEST(exp_of_a_sum_along_one_twist_is_the_product) {
    (void)unused_state;
    for (int i = 0; i < 50; i++) {
        const vec3 w = any(0.6), v = any(1);
        const wy_motion half = se3_exp(v3_scale(0.5, w), v3_scale(0.5, v));
        check_motion(se3_mul(half, half), se3_exp(w, v), 1e-14);
    }
}

TEST(ad_is_the_derivative_of_the_conjugation_and_its_transpose_is_its_transpose) {
    (void)unused_state;
    double x[6], y[6], f[6], a[6], b[6];
    for (int i = 0; i < 6; i++) x[i] = noise(), y[i] = noise(), f[i] = noise();
    se3_ad(x, y, a);
    se3_ad_transposed(x, f, b);
    double left = 0, right = 0;
    for (int i = 0; i < 6; i++) left += f[i] * a[i], right += b[i] * y[i];
    CHECK_NEAR(left, right, 1e-15);
    /* exp(hx) exp(hy) exp(-hx) exp(-hy) = exp(h^2 ad_x y + O(h^3)) */
    const double h = 1e-4;
    const wy_motion forth = se3_mul(se3_exp_scaled(h, x), se3_exp_scaled(h, y));
    const wy_motion back = se3_mul(se3_exp_scaled(-h, x), se3_exp_scaled(-h, y));
    vec3 w, v;
    se3_log(se3_mul(forth, back), &w, &v);
    CHECK_BELOW(v3_norm(v3_sub(v3_scale(1 / (h * h), w), v3_from(a))), 1e-3);
    CHECK_BELOW(v3_norm(v3_sub(v3_scale(1 / (h * h), v), v3_from(a + 3))), 1e-3);
}

TEST(the_right_jacobian_is_the_derivative_of_exp) {
    (void)unused_state;
    const double size[] = {1e-3, 0.2, 1.5}, h = 1e-6;
    for (int k = 0; k < 3; k++) {
        const vec3 w = any(size[k]), d = any(1);
        const mat3 change =
            m3_mulm(m3_transpose(so3_exp(v3_axpy(w, -h, d))), so3_exp(v3_axpy(w, h, d)));
        const vec3 got = v3_scale(0.5 / h, q_log(q_from_matrix(change)));
        CHECK_BELOW(v3_norm(v3_sub(got, m3_mul(so3_right_jacobian(w), d))), 1e-9);
    }
}

/* ---- the sweep --------------------------------------------------------------------------------- */

enum { CELLS = 6, SIZE = 12 * (CELLS + 1) };

static void dense_solve(double (*m)[SIZE], double *b) {
    for (int k = 0; k < SIZE; k++) {
        int best = k;
        for (int i = k; i < SIZE; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        for (int c = 0; c < SIZE; c++) {
            const double keep = m[k][c];
            m[k][c] = m[best][c], m[best][c] = keep;
        }
        const double keep = b[k];
        b[k] = b[best], b[best] = keep;
        for (int i = k + 1; i < SIZE; i++) {
            const double f = m[i][k] / m[k][k];
            for (int c = k; c < SIZE; c++) m[i][c] -= f * m[k][c];
            b[i] -= f * b[k];
        }
    }
    for (int k = SIZE - 1; k >= 0; k--) {
        for (int c = k + 1; c < SIZE; c++) b[k] -= m[k][c] * b[c];
        b[k] /= m[k][k];
    }
}

/* A random cell whose first six rows give x_j + x_{j+1} times one matrix, so that both forms apply. */
static void random_cell(wy_riccati_cell *cell, wy_riccati_sum *sum) {
    memset(cell, 0, sizeof *cell);
    memset(sum, 0, sizeof *sum);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 6; c++) {
            const double turn = 0.2 * noise() + (i == c);
            cell->ax[i][c] = cell->bx[i][c] = turn;
            cell->ay[i][c] = noise(), cell->by[i][c] = noise() - 3 * (i == c);
            sum->a[i][c] = cell->ax[6 + i][c] = 0.2 * noise() - (i == c);
            cell->bx[6 + i][c] = 0.2 * noise() + (i == c);
            sum->h[i][c] = cell->bx[6 + i][c] - cell->ax[6 + i][c];
            sum->c[i][c] = cell->ay[6 + i][c] = noise();
            sum->d[i][c] = cell->by[6 + i][c] = noise();
        }
        cell->r[i] = noise();
        sum->c[i][6] = cell->r[6 + i] = noise();
        for (int k = 0; k < 2; k++) sum->e[i][k] = cell->e[6 + i][k] = noise();
    }
    double turn[6][6], right[6][WY_RICCATI_WIDE] = {{0}}, other[6][WY_RICCATI_WIDE] = {{0}};
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 6; c++) right[i][c] = cell->ay[i][c], other[i][c] = cell->by[i][c];
        right[i][6] = cell->r[i];
    }
    memcpy(turn, cell->ax, sizeof turn);
    CHECK(wy_solve6(turn, 7, right));
    memcpy(turn, cell->ax, sizeof turn);
    CHECK(wy_solve6(turn, 6, other));
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 7; c++) sum->v[i][c] = right[i][c], sum->w[i][c] = other[i][c];
}

static double matrix[SIZE][SIZE], answer[SIZE];
static wy_riccati_cell cell[CELLS];
static wy_riccati_sum summed[CELLS];
static wy_riccati_node node[CELLS + 1];

/* Unknowns x_j, y_j in turn; y_0 given, x_n = P y_n + p + T t given, t given. */
static void dense_chain(const double y0[6], const double *t, int extra) {
    memset(matrix, 0, sizeof matrix);
    int row = 0;
    for (int i = 0; i < 6; i++, row++) matrix[row][6 + i] = 1, answer[row] = y0[i];
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < 12; i++, row++) {
            answer[row] = -cell[j].r[i];
            for (int k = 0; k < extra; k++) answer[row] -= cell[j].e[i][k] * t[k];
            for (int c = 0; c < 6; c++) {
                matrix[row][12 * j + c] = cell[j].ax[i][c];
                matrix[row][12 * j + 6 + c] = cell[j].ay[i][c];
                matrix[row][12 * j + 12 + c] = cell[j].bx[i][c];
                matrix[row][12 * j + 18 + c] = cell[j].by[i][c];
            }
        }
    for (int i = 0; i < 6; i++, row++) {
        matrix[row][12 * CELLS + i] = 1;
        answer[row] = node[CELLS].row[i][6];
        for (int c = 0; c < 6; c++) matrix[row][12 * CELLS + 6 + c] = -node[CELLS].row[i][c];
        for (int k = 0; k < extra; k++) answer[row] += node[CELLS].row[i][7 + k] * t[k];
    }
    dense_solve(matrix, answer);
}

static void check_chain(int extra, int as_sum) {
    const double t[2] = {0.7, -0.4};
    double y[6], x[6], next[6];
    memset(&node[CELLS], 0, sizeof node[CELLS]);
    for (int i = 0; i < 6; i++) {
        y[i] = noise();
        for (int c = 0; c < 7 + extra; c++) node[CELLS].row[i][c] = noise();
    }
    for (int j = 0; j < CELLS; j++) random_cell(&cell[j], &summed[j]);
    dense_chain(y, t, extra);
    for (int j = CELLS - 1; j >= 0; j--)
        CHECK(as_sum ? wy_riccati_sum_step(&summed[j], extra, &node[j + 1], &node[j])
                     : wy_riccati_step(&cell[j], extra, &node[j + 1], &node[j]));
    for (int j = 0; j < CELLS; j++) {
        wy_riccati_forward(&node[j], extra, y, t, x, next);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(x[i], answer[12 * j + i], 1e-10 * (1 + fabs(answer[12 * j + i])));
            CHECK_NEAR(next[i], answer[12 * j + 18 + i], 1e-10 * (1 + fabs(next[i])));
        }
        memcpy(y, next, sizeof y);
    }
}

TEST(the_sweep_of_12_by_12_cells_agrees_with_dense_elimination) {
    (void)unused_state;
    for (int k = 0; k < 20; k++) check_chain(0, 0), check_chain(2, 0);
}

TEST(the_sweep_of_6_by_6_cells_agrees_with_dense_elimination) {
    (void)unused_state;
    for (int k = 0; k < 20; k++) check_chain(0, 1), check_chain(2, 1);
}

TEST(a_singular_cell_and_a_nan_are_reported) {
    (void)unused_state;
    random_cell(&cell[0], &summed[0]);
    memset(&node[1], 0, sizeof node[1]);
    wy_riccati_sum broken = summed[0];
    memset(broken.d, 0, sizeof broken.d);
    memset(broken.w, 0, sizeof broken.w);
    memset(broken.h, 0, sizeof broken.h);
    CHECK(!wy_riccati_sum_step(&broken, 0, &node[1], &node[0]));
    cell[0].ax[3][3] = NAN;
    CHECK(!wy_riccati_step(&cell[0], 0, &node[1], &node[0]));
}

RUN(test(exp_then_log_returns_the_twist_for_angles_up_to_three),
    test(exp_of_a_sum_along_one_twist_is_the_product),
    test(ad_is_the_derivative_of_the_conjugation_and_its_transpose_is_its_transpose),
    test(the_right_jacobian_is_the_derivative_of_exp),
    test(the_sweep_of_12_by_12_cells_agrees_with_dense_elimination),
    test(the_sweep_of_6_by_6_cells_agrees_with_dense_elimination),
    test(a_singular_cell_and_a_nan_are_reported))
