/* Solutions with corrections: factors of another matrix, one and several right sides, what is not a number. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "numeric/linear/linear.h"
#include "numeric/vector/pack.h"

enum { ROWS = 13 }; /* two nodes, and a row between them that does not count */

typedef struct matrix {
    double a[ROWS][ROWS], b[ROWS * WY_PACK];
} matrix;

static int node(const wy_system *x, int k) {
    (void)x;
    return k == 1 ? -1 : k == 0 ? 0 : 7;
}

/* With the diagonal alone. */
static void solve(const wy_system *x, double *b) {
    const matrix *m = x->self;
    for (int i = 0; i < ROWS * x->lanes; i++) b[i] /= m->a[i / x->lanes][i / x->lanes];
}

static void miss(const wy_system *x, const double *v, double *rest) {
    const matrix *m = x->self;
    memcpy(rest, m->b, (size_t)(ROWS * x->lanes) * sizeof *rest);
    for (int i = 0; i < ROWS && v; i++)
        for (int j = 0; j < ROWS; j++)
            for (int l = 0; l < x->lanes; l++)
                rest[i * x->lanes + l] -= m->a[i][j] * v[j * x->lanes + l];
}

static void fill(matrix *m) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) m->a[i][j] = i == j ? 2 + i : 0.3 / (1 + i + 2 * j);
    for (int i = 0; i < ROWS * WY_PACK; i++) m->b[i] = 1 + i % 7 - 0.1 * i;
}

static wy_system system_of(matrix *m, int lanes) {
    return (wy_system){.self = m,
                       .rows = ROWS,
                       .lanes = lanes,
                       .nodes = 3,
                       .weight = {1, 0.25},
                       .node = node,
                       .solve = solve,
                       .miss = miss,
                       .most = 60,
                       .enough = 1e-15};
}

TEST(corrections_remove_what_the_factors_miss) {
    const int lanes[2] = {1, WY_PACK};
    matrix m;
    double v[ROWS * WY_PACK], rest[ROWS * WY_PACK];
    fill(&m);
    for (int k = 0; k < 2; k++) {
        const wy_system x = system_of(&m, lanes[k]);
        CHECK_BELOW(wy_system_solve(&x, v, rest), 1e-15);
        miss(&x, v, rest);
        for (int i = 0; i < ROWS * lanes[k]; i++) CHECK_BELOW(fabs(rest[i]), 1e-13);
    }
}

TEST(no_more_corrections_are_made_than_allowed_and_the_last_is_reported) {
    matrix m;
    double v[ROWS], rest[ROWS], twice[ROWS];
    fill(&m);
    wy_system x = system_of(&m, 1);
    x.most = 2;
    const double fault = wy_system_solve(&x, v, rest);
    miss(&x, NULL, twice), solve(&x, twice);
    for (int k = 0; k < 2; k++) {
        double more[ROWS];
        miss(&x, twice, more), solve(&x, more);
        for (int i = 0; i < ROWS; i++) twice[i] += more[i];
    }
    CHECK(fault > 1e-6 && fault < 0.1);
    for (int i = 0; i < ROWS; i++) CHECK_BELOW(fabs(v[i] - twice[i]), 1e-15 * (1 + fabs(v[i])));
}

TEST(each_lane_has_its_own_last_correction) {
    matrix m;
    double v[ROWS * WY_PACK], rest[ROWS * WY_PACK], fault[WY_PACK];
    fill(&m);
    for (int i = 0; i < ROWS; i++)
        m.b[i * WY_PACK] = 0; /* a right side of zeros is solved at once */
    wy_system x = system_of(&m, WY_PACK);
    x.most = 2, x.fault = fault;
    const double most = wy_system_solve(&x, v, rest);
    CHECK(fault[0] == 0);
    for (int l = 1; l < WY_PACK; l++) CHECK(fault[l] > 1e-6 && fault[l] <= most);
}

/* Factors of 50 A: each correction is 0.98 of the one before. */
static void solve_slowly(const wy_system *x, double *b) {
    solve(x, b);
    for (int i = 0; i < ROWS * x->lanes; i++) b[i] *= 0.02;
}
TEST(slow_corrections_are_far_from_the_solution) {
    matrix m;
    double v[ROWS], rest[ROWS], right[ROWS], off = 0, whole = 0;
    fill(&m);
    wy_system x = system_of(&m, 1);
    wy_system_solve(&x, right, rest);
    x.solve = solve_slowly, x.most = 40;
    const double fault = wy_system_solve(&x, v, rest);
    for (int k = 0; k < 3; k += 2)
        for (int i = 0; i < 6; i++) {
            const int at = node(&x, k) + i;
            off += x.weight[i / 3] * (v[at] - right[at]) * (v[at] - right[at]);
            whole += x.weight[i / 3] * v[at] * v[at];
        }
    const double true_error =
        sqrt(off / whole); /* 0.98^40 over the rest; the last correction is a fiftieth of it */
    CHECK(true_error > 0.2);
    CHECK(fault > 0.7 * true_error && fault < 1.5 * true_error);
}

TEST(a_lane_that_is_not_a_number_is_reported) {
    matrix m;
    double v[ROWS * WY_PACK], rest[ROWS * WY_PACK];
    fill(&m);
    m.b[0] = NAN; /* the first of the lanes: those after it are numbers */
    const wy_system x = system_of(&m, WY_PACK);
    CHECK(isnan(wy_system_solve(&x, v, rest)));
}

RUN(test(corrections_remove_what_the_factors_miss),
    test(no_more_corrections_are_made_than_allowed_and_the_last_is_reported),
    test(each_lane_has_its_own_last_correction), test(slow_corrections_are_far_from_the_solution),
    test(a_lane_that_is_not_a_number_is_reported))
