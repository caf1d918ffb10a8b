/* The block LU of networks against a dense elimination, and against LAPACK where it is built in. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"
#include "numeric/vector/pack.h"
#include "random_number.h"
#ifdef WITHY_HAVE_LIB_LAPACK
#include <lapacke.h>
#endif

enum { BLOCKS = 40, PAIRS = 160 };

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Clusters of six rows, some with multipliers (a zero diagonal), and blocks of multipliers alone, which
 * tie two clusters together. */
typedef struct rig {
    int size[BLOCKS], stiff[BLOCKS], pair[PAIRS][2], after[BLOCKS][2], pairs, rigid_groups;
    wy_blocks_spec spec;
    wy_blocks x;
    wy_arena arena;
    double *value, *dense, *b, *c;
    int *pivot, multipliers;
} rig;

static void make_pattern(rig *x, uint32_t *seed) {
    x->rigid_groups = BLOCKS - 6;
    for (int i = 0; i < BLOCKS; i++) {
        x->stiff[i] = i < x->rigid_groups ? 6 : 0;
        x->size[i] = i < x->rigid_groups ? 6 + (i % 3 ? 0 : 1 + i % 5) : 2;
        x->multipliers += x->size[i] - x->stiff[i];
        x->after[i][0] = x->after[i][1] = -1;
    }
    for (int i = 1; i < x->rigid_groups; i++) { /* a tree, and then loops */
        x->pair[x->pairs][0] = i;
        x->pair[x->pairs++][1] = (int)(fabs(noise(seed)) * i * 0.999);
    }
    for (int i = 0; i < 25; i++) {
        x->pair[x->pairs][0] = (int)(fabs(noise(seed)) * 0.999 * x->rigid_groups);
        x->pair[x->pairs++][1] = (int)(fabs(noise(seed)) * 0.999 * x->rigid_groups);
    }
    for (int i = x->rigid_groups; i < BLOCKS; i++)
        for (int k = 0; k < 2; k++) {
            x->after[i][k] = (3 * i + 7 * k) % x->rigid_groups;
            x->pair[x->pairs][0] = i, x->pair[x->pairs++][1] = x->after[i][k];
        }
    x->spec = (wy_blocks_spec){BLOCKS, x->size, x->pairs, x->pair, x->after};
}

/* Entry (r, c) of block (i, j) in both matrices. */
static void set(rig *x, int i, int j, int r, int c, double v) {
    const int row = wy_blocks_row(&x->x, i) + r, column = wy_blocks_row(&x->x, j) + c;
    x->value[wy_blocks_at(&x->x, i, j) + (size_t)(r * x->size[j] + c)] = v;
    x->dense[row * x->x.rows + column] = v;
}

static void fill(rig *x, uint32_t *seed, double lopsided) {
    memset(x->value, 0, x->x.values * sizeof *x->value);
    memset(x->dense, 0, (size_t)(x->x.rows * x->x.rows) * sizeof *x->dense);
    for (int p = -BLOCKS; p < x->pairs; p++) {
        const int i = p < 0 ? p + BLOCKS : x->pair[p][0], j = p < 0 ? i : x->pair[p][1];
        if (p >= 0 && i == j) continue;
        for (int r = 0; r < x->size[i]; r++)
            for (int c = i == j ? r : 0; c < x->size[j]; c++) {
                const int zero = r >= x->stiff[i] && c >= x->stiff[j];
                const double v = zero ? 0 : r == c && i == j ? 8 : noise(seed) * (p < 0 ? 1 : 0.3);
                set(x, i, j, r, c, v);
                set(x, j, i, c, r, v * (1 + lopsided * noise(seed)));
            }
    }
}

static void make(rig *x, uint32_t seed) {
    withy_error err = {0};
    memset(x, 0, sizeof *x);
    make_pattern(x, &seed);
    CHECK_OK(wy_blocks_make(&x->spec, &x->arena, &x->x, &err));
    const size_t n = (size_t)x->x.rows;
    x->value = malloc(x->x.values * sizeof *x->value);
    x->dense = malloc(n * n * sizeof *x->dense);
    x->b = malloc(n * sizeof *x->b), x->c = malloc(n * sizeof *x->c);
    x->pivot = malloc(n * sizeof *x->pivot);
}

static void drop(rig *x) {
    free(x->value), free(x->dense), free(x->b), free(x->c), free(x->pivot);
    wy_arena_free(&x->arena);
}

/* x->c := A^-1 x->c, densely; destroys the dense matrix. */
static void solve_dense(rig *x) {
    const int n = x->x.rows;
    int *pivot = malloc((size_t)n * sizeof *pivot);
#ifdef WITHY_HAVE_LIB_LAPACK
    CHECK(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, x->dense, n, pivot, x->c, 1) == 0);
#else
    CHECK(wy_lu_factor(n, n, x->dense, pivot));
    wy_lu_solve(n, n, x->dense, pivot, x->c);
#endif
    free(pivot);
}

TEST(saddle_points_of_a_random_graph_are_solved_as_by_a_dense_elimination) {
    for (uint32_t seed = 1; seed <= 12; seed++) {
        rig x;
        uint32_t next = seed * 977;
        make(&x, seed);
        fill(&x, &next, seed % 2 ? 0.2 : 0.0);
        for (int i = 0; i < x.x.rows; i++) x.b[i] = x.c[i] = noise(&next);
        CHECK(wy_blocks_factor(&x.x, x.value, x.pivot, NULL, NULL));
        wy_blocks_solve(&x.x, x.value, x.pivot, x.b);
        solve_dense(&x);
        double worst = 0, size = 0;
        for (int i = 0; i < x.x.rows; i++) {
            worst = fmax(worst, fabs(x.b[i] - x.c[i]));
            size = fmax(size, fabs(x.c[i]));
        }
        CHECK_BELOW(worst / size, 1e-12);
        drop(&x);
    }
}

/* Eight right sides are solved as each by itself, and the matrix itself says that nothing is missing, both ways. */
TEST(many_right_sides_and_what_they_miss) {
    rig x;
    uint32_t next = 5;
    make(&x, 3);
    fill(&x, &next, 0.2);
    const size_t n = (size_t)x.x.rows, many = n * WY_PACK;
    double *matrix = malloc(x.x.values * sizeof *matrix), left[2] = {0}, off = 0;
    double *all = malloc(many * sizeof *all), *rest = malloc(many * sizeof *rest);
    memcpy(matrix, x.value, x.x.values * sizeof *matrix);
    CHECK(wy_blocks_factor(&x.x, x.value, x.pivot, NULL, NULL));
    for (size_t i = 0; i < many; i++) all[i] = rest[i] = noise(&next);
    for (size_t i = 0; i < n; i++) x.b[i] = all[i * WY_PACK + 1];
    wy_blocks_solve(&x.x, x.value, x.pivot, x.b);
    wy_blocks_solve_packs(&x.x, x.value, x.pivot, all);
    wy_blocks_take_packs(&x.x, matrix, all, rest);
    for (size_t i = 0; i < n; i++) off = fmax(off, fabs(all[i * WY_PACK + 1] - x.b[i]));
    for (size_t i = 0; i < many; i++) left[0] = fmax(left[0], fabs(rest[i]));
    for (size_t i = 0; i < n; i++) x.b[i] = x.c[i] = noise(&next);
    wy_blocks_solve_transposed(&x.x, x.value, x.pivot, x.b);
    wy_blocks_take_transposed(&x.x, matrix, x.b, x.c);
    for (size_t i = 0; i < n; i++) left[1] = fmax(left[1], fabs(x.c[i]));
    CHECK_NEAR(off, 0, 1e-12);
    CHECK_NEAR(left[0], 0, 1e-11);
    CHECK_NEAR(left[1], 0, 1e-11);
    free(matrix), free(all), free(rest);
    drop(&x);
}

TEST(the_negative_eigenvalues_of_a_saddle_point_are_counted_block_by_block) {
    for (uint32_t seed = 1; seed <= 4; seed++) {
        rig x;
        uint32_t next = seed * 31;
        make(&x, seed);
        fill(&x, &next, 0.0);
        const int n = x.x.rows;
        double *value = malloc((size_t)n * sizeof *value);
        double *vector = malloc((size_t)(n * n) * sizeof *vector);
        int negative = -1, expected = 0;
        CHECK(wy_blocks_factor(&x.x, x.value, x.pivot, &negative, NULL));
        wy_symmetric_eigen(n, x.dense, value, vector);
        for (int i = 0; i < n; i++) expected += value[i] < 0;
        CHECK(negative == expected);
        CHECK(negative == x.multipliers); /* the rest is stiff */
        free(value), free(vector);
        drop(&x);
    }
}

TEST(a_singular_block_is_reported) {
    rig x;
    uint32_t next = 5;
    make(&x, 3);
    fill(&x, &next, 0.0);
    memset(x.value, 0, x.x.values * sizeof *x.value);
    CHECK(!wy_blocks_factor(&x.x, x.value, x.pivot, NULL, NULL));
    drop(&x);
}

/* The tree alone, without the pairs that close loops. */
TEST(a_tree_eliminated_row_by_row_as_it_is_written_has_the_same_bits_as_all_at_once) {
    rig x;
    uint32_t seed = 7, next = 11;
    withy_error err = {0};
    make(&x, seed);
    CHECK(!wy_blocks_forest(&x.x));
    drop(&x);
    memset(&x, 0, sizeof x);
    make_pattern(&x, &seed);
    x.spec.count = x.rigid_groups, x.spec.pairs = x.rigid_groups - 1, x.spec.after = NULL;
    CHECK_OK(wy_blocks_make(&x.spec, &x.arena, &x.x, &err));
    CHECK(wy_blocks_forest(&x.x));
    const size_t n = (size_t)x.x.rows, values = x.x.values;
    double *value = malloc(values * sizeof *value);
    x.value = malloc(values * sizeof *x.value);
    x.b = malloc(n * sizeof *x.b), x.c = malloc(n * sizeof *x.c);
    x.pivot = malloc(n * sizeof *x.pivot);
    for (size_t i = 0; i < values; i++) value[i] = x.value[i] = 0.1 * noise(&next);
    for (int k = 0; k < x.x.count; k++)
        for (int i = 0; i < x.x.size[k]; i++) {
            const size_t at = x.x.diagonal[k] + (size_t)(i * (x.x.size[k] + 1));
            value[at] = x.value[at] = 8;
        }
    for (size_t i = 0; i < n; i++) x.b[i] = x.c[i] = noise(&next);
    CHECK(wy_blocks_factor(&x.x, value, x.pivot, NULL, NULL));
    wy_blocks_solve(&x.x, value, x.pivot, x.b);
    for (int k = 0; k < x.x.count; k++) CHECK(wy_blocks_eliminate(&x.x, k, x.value, x.pivot, x.c));
    for (int k = x.x.count - 1; k >= 0; k--) wy_blocks_back(&x.x, k, x.value, x.c);
    CHECK(memcmp(x.b, x.c, n * sizeof *x.b) == 0);
    CHECK(memcmp(value, x.value, values * sizeof *value) == 0);
    free(value);
    drop(&x);
}

RUN(test(many_right_sides_and_what_they_miss),
    test(a_tree_eliminated_row_by_row_as_it_is_written_has_the_same_bits_as_all_at_once),
    test(saddle_points_of_a_random_graph_are_solved_as_by_a_dense_elimination),
    test(the_negative_eigenvalues_of_a_saddle_point_are_counted_block_by_block),
    test(a_singular_block_is_reported))
