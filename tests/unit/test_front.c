/* Elimination by fronts: chains, trees and loops of random pieces against dense matrices by GSL. */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <stdlib.h>

#include "base/block.h"
#include "check.h"
#include "numeric/linear/linear.h"
#include "random_number.h"

enum { PARTS = 40, WIDE = 4, ROWS = WIDE * PARTS };

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static double dense[ROWS * ROWS];

/* A piece between two parts: random, and with zeros on the diagonal of every second row, as multipliers have. */
static void add_piece(wy_front *x, int a, int b, uint32_t *seed) {
    double m[2 * WIDE][2 * WIDE];
    int row[2 * WIDE];
    for (int i = 0; i < 2 * WIDE; i++) row[i] = WIDE * (i < WIDE ? a : b) + i % WIDE;
    for (int i = 0; i < 2 * WIDE; i++)
        for (int j = 0; j < 2 * WIDE; j++) {
            m[i][j] = i % 2 && j % 2 ? 0 : noise(seed);
            dense[row[i] * ROWS + row[j]] += m[i][j];
        }
    wy_front_add(x, 2 * WIDE, row, row, &m[0][0], 2 * WIDE);
}

static void complete(wy_front *x, int part) {
    int row[WIDE];
    for (int i = 0; i < WIDE; i++) row[i] = WIDE * part + i;
    wy_front_complete(x, WIDE, row);
}

/* Part k is tied to an earlier one; a few pieces close loops. */
static void fill(wy_front *x, int shape, uint32_t *seed) {
    int last[PARTS];
    memset(dense, 0, sizeof dense);
    for (int k = 0; k < PARTS; k++) last[k] = 0;
    for (int pass = 0; pass < 2; pass++) { /* which piece of a part is its last; then the pieces */
        uint32_t own = *seed;
        for (int k = 1; k < PARTS; k++) {
            const int tree = (int)((noise(&own) + 1) * 0.5 * k), to = shape == 0 ? k - 1 : tree;
            const int loop = shape == 2 && k % 5 == 0 ? k / 2 : -1;
            if (!pass) last[k] = last[to] = k;
            if (!pass && loop >= 0) last[loop] = k;
            if (!pass) continue;
            add_piece(x, k, to, seed);
            if (loop >= 0 && loop != k) add_piece(x, k, loop, seed);
            for (int i = 0; i <= k; i++)
                if (last[i] == k) complete(x, i);
        }
    }
}

TEST(chains_trees_and_loops_are_solved_as_by_a_dense_elimination) {
    wy_arena arena = {0};
    wy_front x = {0};
    gsl_permutation *order = gsl_permutation_alloc(ROWS);
    for (int sample = 0; sample < 60; sample++) {
        uint32_t seed = 77u + (uint32_t)sample;
        double b[ROWS], expected[ROWS], worst = 0;
        int sign;
        wy_front_begin(&x, &arena, 0);
        fill(&x, sample % 3, &seed);
        CHECK(wy_front_end(&x));
        for (int i = 0; i < ROWS; i++) b[i] = expected[i] = noise(&seed);
        gsl_matrix_view matrix = gsl_matrix_view_array(dense, ROWS, ROWS);
        gsl_vector_view side = gsl_vector_view_array(expected, ROWS);
        gsl_linalg_LU_decomp(&matrix.matrix, order, &sign);
        gsl_linalg_LU_svx(&matrix.matrix, order, &side.vector);
        wy_front_solve(&x, b);
        double size = 0;
        for (int i = 0; i < ROWS; i++)
            worst = fmax(worst, fabs(b[i] - expected[i])), size = fmax(size, fabs(expected[i]));
        CHECK_BELOW(worst, 1e-9 * size);
    }
    gsl_permutation_free(order);
    wy_arena_free(&arena);
}

TEST(a_singular_matrix_is_reported) {
    wy_arena arena = {0};
    wy_front x = {0};
    const double m[3][3] = {{1, 2, 3}, {2, 4, 6}, {0, 1, 1}};
    const int row[3] = {0, 1, 2};
    wy_front_begin(&x, &arena, 0);
    wy_front_add(&x, 3, row, row, &m[0][0], 3);
    CHECK(!wy_front_end(&x) && !x.failed);
    wy_arena_free(&arena);
}

static int negative_of(const double *values) {
    int count = 0;
    for (int i = 0; i < ROWS; i++) count += values[i] < 0;
    return count;
}

/* As its callers do: with twice the part that is needed, until that is enough. */
static int count_signs(wy_front *x, wy_arena *arena, int shape, uint32_t seed, double sign) {
    double part = 1e-12, need = INFINITY;
    for (int k = 0; k < 4; k++, part = 2 * need) {
        uint32_t own = seed;
        wy_front_begin(x, arena, sign * part);
        fill(x, shape, &own);
        const int count = wy_front_signs(x, &need);
        if (need <= part) return count;
    }
    return -1;
}

/* Of M + part no more, of M - part no fewer; no eigenvalue of these matrices is so close to zero that they differ. */
TEST(signs_are_those_of_the_eigenvalues) {
    wy_arena arena = {0};
    wy_front x = {0};
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(ROWS);
    for (int sample = 0; sample < 24; sample++) {
        double values[ROWS];
        const uint32_t seed = 31u + (uint32_t)sample;
        const int low = count_signs(&x, &arena, sample % 3, seed, 1);
        const int high = count_signs(&x, &arena, sample % 3, seed, -1);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < i; j++)
                dense[i * ROWS + j] = 0.5 * (dense[i * ROWS + j] + dense[j * ROWS + i]);
        gsl_matrix_view matrix = gsl_matrix_view_array(dense, ROWS, ROWS);
        gsl_vector_view out = gsl_vector_view_array(values, ROWS);
        gsl_eigen_symm(&matrix.matrix, &out.vector, work);
        CHECK(low == negative_of(values) && high == low);
    }
    gsl_eigen_symm_free(work);
    wy_arena_free(&arena);
}

TEST(a_multiplier_that_depends_on_another_counts_as_negative) {
    const double m[4][4] = {{1, 0, 1, 1}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    const int row[4] = {0, 1, 2, 3};
    wy_arena arena = {0};
    wy_front x = {0};
    double need;
    wy_front_begin(&x, &arena, 1e-12);
    wy_front_lower(&x, 2), wy_front_lower(&x, 3);
    wy_front_add(&x, 4, row, row, &m[0][0], 4);
    CHECK(wy_front_signs(&x, &need) == 2);
    wy_arena_free(&arena);
}

RUN(test(chains_trees_and_loops_are_solved_as_by_a_dense_elimination),
    test(a_singular_matrix_is_reported), test(signs_are_those_of_the_eigenvalues),
    test(a_multiplier_that_depends_on_another_counts_as_negative))
