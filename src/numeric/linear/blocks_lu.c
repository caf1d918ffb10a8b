/* blocks_lu.c - the elimination and the substitutions of numeric/linear/linear.h. */
#include "numeric/linear/linear.h"
#include "numeric/vector/lane.h"
#include "numeric/vector/pack.h"

typedef double duo __attribute__((vector_size(16)));

/* Blocks below the diagonal are kept transposed, so that both updates of a pair of neighbours,
 *   A_ij -= A_ik U_kj    and    A_ji^T -= U_ki^T A_jk^T,    are the same product    c -= a^T b    of rows of D_k.
 */

/* c -= a^T b, where a is [k][m], b [k][n]. */
static void minus_any(int m, int k, int n, double *restrict c, const double *restrict a,
                      const double *restrict b) {
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++) {
            const double f = a[p * m + i];
            for (int j = 0; j < n; j++) c[i * n + j] -= f * b[p * n + j];
        }
}

/* Numbers 4, 5 of one row of a block and 0, 1 of the same row of the next. */
WY_ALWAYS lane seam(const double *a, const double *b) {
    return (lane){a[4], a[5], b[0], b[1]};
}

/* The same of two blocks of 6 side by side, with one a: 12 columns are three full lanes. */
static void minus_6_6(double *restrict c, double *restrict d, const double *restrict a,
                      const double *restrict b, const double *restrict e) {
    for (int half = 0; half < 2; half++, c += 18, d += 18, a += 3) {
        lane sum[3][3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; i++) {
            sum[i][0] = lane_load(&c[6 * i]), sum[i][2] = lane_load(&d[6 * i + 2]);
            sum[i][1] = seam(&c[6 * i], &d[6 * i]);
        }
#pragma GCC unroll 6
        for (int p = 0; p < 6; p++) {
            const lane x = lane_load(&b[6 * p]), z = lane_load(&e[6 * p + 2]);
            const lane y = seam(&b[6 * p], &e[6 * p]);
#pragma GCC unroll 3
            for (int i = 0; i < 3; i++) {
                const lane f = lane_all(a[6 * p + i]);
                sum[i][0] -= f * x, sum[i][1] -= f * y, sum[i][2] -= f * z;
            }
        }
#pragma GCC unroll 3
        for (int i = 0; i < 3; i++) {
            lane_store(&c[6 * i], sum[i][0]), lane_store(&d[6 * i + 2], sum[i][2]);
            c[6 * i + 4] = sum[i][1][0], c[6 * i + 5] = sum[i][1][1];
            d[6 * i] = sum[i][1][2], d[6 * i + 1] = sum[i][1][3];
        }
    }
}

/* One block of 6, two rows at a time: 12 numbers again. */
static void minus_6(double *restrict c, const double *restrict a, const double *restrict b) {
    lane sum[9];
    for (int i = 0; i < 9; i++) sum[i] = lane_load(&c[4 * i]);
#pragma GCC unroll 6
    for (int p = 0; p < 6; p++) {
        const lane first = lane_load(&b[6 * p]), last = lane_load(&b[6 * p + 2]);
        const lane both = __builtin_shufflevector(last, first, 2, 3, 4, 5);
#pragma GCC unroll 3
        for (int i = 0; i < 3; i++) {
            const lane x = lane_all(a[6 * p + 2 * i]), y = lane_all(a[6 * p + 2 * i + 1]);
            sum[3 * i] -= x * first;
            sum[3 * i + 1] -= __builtin_shufflevector(x, y, 0, 1, 6, 7) * both;
            sum[3 * i + 2] -= y * last;
        }
    }
    for (int i = 0; i < 9; i++) lane_store(&c[4 * i], sum[i]);
}

static void subtract(int m, int k, int n, double *c, const double *a, const double *b) {
    if (m == 6 && k == 6 && n == 6)
        minus_6(c, a, b);
    else
        minus_any(m, k, n, c, a, b);
}

static void transpose(int m, int n, double *a) {
    double old[WY_BLOCKS_LARGEST * WY_BLOCKS_LARGEST];
    memcpy(old, a, (size_t)(m * n) * sizeof *a);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[j * m + i] = old[i * n + j];
}

static void transpose_6(double *a) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            const double keep = a[6 * i + j];
            a[6 * i + j] = a[6 * j + i], a[6 * j + i] = keep;
        }
}

/* Row exchanges and elimination inside a block, which keeps 1/pivot; least: the smallest pivot so far. */
WY_ALWAYS int eliminate(const int n, double *a, int *pivot, double *least) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        const double size = fabs(a[p * n + k]);
        if (!(size > 0) || !isfinite(size)) return 0;
        *least = wy_min(*least, size);
        pivot[k] = p;
        for (int j = 0; j < n && p != k; j++) {
            const double keep = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = keep;
        }
        const double inverse = a[k * n + k] = 1.0 / a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = a[i * n + k] *= inverse;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return 1;
}

static int lu(int n, double *a, int *pivot, double *least) {
    return n == 6 ? eliminate(6, a, pivot, least) : eliminate(n, a, pivot, least);
}

/* b := (LU)^-1 b for m right sides, b[n][m]. */
WY_ALWAYS void back(const int n, const int m, const double *restrict a, const int *pivot,
                    double *restrict b) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m && pivot[k] != k; j++) {
            const double keep = b[k * m + j];
            b[k * m + j] = b[pivot[k] * m + j], b[pivot[k] * m + j] = keep;
        }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < m; j++) b[i * m + j] -= a[i * n + k] * b[k * m + j];
    for (int k = n - 1; k >= 0; k--) {
        const double inverse = a[k * n + k];
        for (int j = 0; j < m; j++) b[k * m + j] *= inverse;
        for (int i = 0; i < k; i++)
            for (int j = 0; j < m; j++) b[i * m + j] -= a[i * n + k] * b[k * m + j];
    }
}

/* The same of a block of 6, rows of four and two. */
static void back_6(const double *restrict a, const int *pivot, double *restrict b) {
    lane four[6];
    duo two[6];
    int at[6] = {0, 1, 2, 3, 4, 5};
    for (int k = 0; k < 6; k++) {
        const int keep = at[k];
        at[k] = at[pivot[k]], at[pivot[k]] = keep;
    }
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) {
        four[k] = lane_load(&b[6 * at[k]]);
        two[k] = (duo){b[6 * at[k] + 4], b[6 * at[k] + 5]};
    }
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
#pragma GCC unroll 6
        for (int i = k + 1; i < 6; i++) {
            four[i] -= a[6 * i + k] * four[k];
            two[i] -= a[6 * i + k] * two[k];
        }
#pragma GCC unroll 6
    for (int k = 5; k >= 0; k--) {
        four[k] *= a[7 * k], two[k] *= a[7 * k];
#pragma GCC unroll 6
        for (int i = 0; i < k; i++) {
            four[i] -= a[6 * i + k] * four[k];
            two[i] -= a[6 * i + k] * two[k];
        }
    }
    for (int k = 0; k < 6; k++) {
        lane_store(&b[6 * k], four[k]);
        b[6 * k + 4] = two[k][0], b[6 * k + 5] = two[k][1];
    }
}

static void back_any(int n, int m, const double *a, const int *pivot, double *b) {
    if (n == 6 && m == 6)
        back_6(a, pivot, b);
    else
        back(n, m, a, pivot, b);
}

/* ---- inertia of a symmetric block ------------------------------------------------------------------- */

static void exchange(int n, double *a, int i, int j) {
    for (int k = 0; k < n && i != j; k++) {
        const double keep = a[i * n + k];
        a[i * n + k] = a[j * n + k], a[j * n + k] = keep;
    }
    for (int k = 0; k < n && i != j; k++) {
        const double keep = a[k * n + i];
        a[k * n + i] = a[k * n + j], a[k * n + j] = keep;
    }
}

/* The largest entries on and off the diagonal of what is left. */
static double largest(int n, const double *a, int from, int *d, int *r, int *c) {
    double off = 0;
    *d = *r = *c = from;
    for (int i = from; i < n; i++) {
        if (fabs(a[i * n + i]) > fabs(a[*d * n + *d])) *d = i;
        for (int j = from; j < i; j++)
            if (fabs(a[i * n + j]) > off) off = fabs(a[i * n + j]), *r = i, *c = j;
    }
    return off;
}

/* A row with its diagonal alone says what its unknown is: of an end that is held.  Elimination keeps its zeros
 * exactly, and its column does not count. */
static void leave_known(int n, const double *block, double *a) {
    for (int i = 0; i < n; i++) {
        double rest = 0;
        for (int j = 0; j < n; j++) rest += i == j ? 0 : fabs(block[i * n + j]);
        for (int j = 0; j < n; j++)
            if (rest == 0 && j != i) a[i * n + j] = a[j * n + i] = 0;
    }
}

/* Negative eigenvalues by symmetric elimination with pivots of one or two rows (Bunch and Parlett): a
 * pair has one of each sign. */
static int count_negative(int n, const double *block) {
    double a[WY_BLOCKS_LARGEST * WY_BLOCKS_LARGEST];
    int negative = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = 0.5 * (block[i * n + j] + block[j * n + i]);
    leave_known(n, block, a);
    for (int k = 0; k < n;) {
        int d, r, c;
        const double off = largest(n, a, k, &d, &r, &c), on = fabs(a[d * n + d]);
        if (!(on > 0) && !(off > 0)) return negative;
        if (on >= 0.64 * off) {
            exchange(n, a, k, d);
            const double p = a[k * n + k];
            negative += p < 0;
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j] / p;
            k++;
            continue;
        }
        exchange(n, a, k, c);
        exchange(n, a, k + 1, r == k ? c : r);
        const double p = a[k * n + k], q = a[(k + 1) * n + k + 1], o = a[k * n + k + 1];
        const double det = p * q - o * o;
        negative += 1;
        for (int i = k + 2; i < n; i++)
            for (int j = k + 2; j < n; j++) {
                const double x = a[i * n + k], y = a[i * n + k + 1];
                const double u = a[k * n + j], v = a[(k + 1) * n + j];
                a[i * n + j] -= (x * (q * u - o * v) + y * (p * v - o * u)) / det;
            }
        k += 2;
    }
    return negative;
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* What block row k, eliminated, takes from the blocks of its neighbours; returns the next link. */
static const int *update(const wy_blocks *x, int k, double *value, const int *link) {
    const int n = x->size[k], to = x->begin[k + 1];
    for (int a = x->begin[k]; a < to; a++) {
        const int i = x->neighbour[a], m = x->size[i];
        const double *l = &value[x->lower[a]], *u = &value[x->upper[a]];
        subtract(m, n, m, &value[x->diagonal[i]], l, u);
        for (int b = a + 1; b < to;) {
            const int w = x->size[x->neighbour[b]];
            if (m == 6 && n == 6 && w == 6 && b + 1 < to && x->size[x->neighbour[b + 1]] == 6) {
                minus_6_6(&value[x->upper[link[0]]], &value[x->upper[link[1]]], l,
                          &value[x->upper[b]], &value[x->upper[b + 1]]);
                minus_6_6(&value[x->lower[link[0]]], &value[x->lower[link[1]]], u,
                          &value[x->lower[b]], &value[x->lower[b + 1]]);
                b += 2, link += 2;
                continue;
            }
            subtract(m, n, w, &value[x->upper[*link]], l, &value[x->upper[b]]);
            subtract(m, n, w, &value[x->lower[*link]], u, &value[x->lower[b]]);
            b++, link++;
        }
    }
    return link;
}

static void turn_lower(const wy_blocks *x, int k, double *value) {
    for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
        const int m = x->size[x->neighbour[a]], n = x->size[k];
        if (m == 6 && n == 6)
            transpose_6(&value[x->lower[a]]);
        else
            transpose(m, n, &value[x->lower[a]]);
    }
}

/* D_k = L U, and U_kj of its neighbours. */
static int factor_row(const wy_blocks *x, int k, double *value, int *pivot, double *least) {
    const int n = x->size[k];
    double *d = &value[x->diagonal[k]];
    if (!lu(n, d, &pivot[x->first[k]], least)) return 0;
    for (int a = x->begin[k]; a < x->begin[k + 1]; a++)
        back_any(n, x->size[x->neighbour[a]], d, &pivot[x->first[k]], &value[x->upper[a]]);
    return 1;
}

int wy_blocks_factor(const wy_blocks *x, double *value, int *pivot, int *negative, double *least) {
    const int *link = x->link;
    double smallest = INFINITY;
    int below = 0;
    for (int k = 0; k < x->count; k++) turn_lower(x, k, value);
    for (int k = 0; k < x->count; k++) {
        if (negative) below += count_negative(x->size[k], &value[x->diagonal[k]]);
        if (!factor_row(x, k, value, pivot, &smallest)) return 0;
        link = update(x, k, value, link);
    }
    if (negative) *negative = below;
    if (least) *least = smallest;
    return 1;
}

/* Of `lanes` right sides at once, vectors [rows][lanes]: y -= a^T x, a is [n][m]. */
WY_ALWAYS void reduce(const int lanes, int m, int n, double *restrict y, const double *a,
                      const double *restrict x) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            for (int l = 0; l < lanes; l++) y[i * lanes + l] -= a[j * m + i] * x[j * lanes + l];
}

/* y -= a x, a is [m][n]. */
WY_ALWAYS void reduce_by_rows(const int lanes, int m, int n, double *restrict y, const double *a,
                              const double *restrict x) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < lanes; l++) y[i * lanes + l] -= a[i * n + j] * x[j * lanes + l];
}

WY_ALWAYS void forward(const int lanes, const wy_blocks *x, int k, const double *value,
                       const int *pivot, double *b) {
    const int n = x->size[k];
    double *y = &b[x->first[k] * lanes];
    back(n, lanes, &value[x->diagonal[k]], &pivot[x->first[k]], y);
    for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
        const int i = x->neighbour[a];
        reduce(lanes, x->size[i], n, &b[x->first[i] * lanes], &value[x->lower[a]], y);
    }
}

WY_ALWAYS void backward(const int lanes, const wy_blocks *x, int k, const double *value,
                        double *b) {
    for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
        const int i = x->neighbour[a];
        reduce_by_rows(lanes, x->size[k], x->size[i], &b[x->first[k] * lanes], &value[x->upper[a]],
                       &b[x->first[i] * lanes]);
    }
}

WY_ALWAYS void solve(const int lanes, const wy_blocks *x, const double *value, const int *pivot,
                     double *b) {
    for (int k = 0; k < x->count; k++) forward(lanes, x, k, value, pivot, b);
    for (int k = x->count - 1; k >= 0; k--) backward(lanes, x, k, value, b);
}

void wy_blocks_back(const wy_blocks *x, int k, const double *value, double *b) {
    backward(1, x, k, value, b);
}

void wy_blocks_solve(const wy_blocks *x, const double *value, const int *pivot, double *b) {
    solve(1, x, value, pivot, b);
}

void wy_blocks_solve_packs(const wy_blocks *x, const double *value, const int *pivot, double *b) {
    solve(WY_PACK, x, value, pivot, b);
}

/* ---- the matrix itself ------------------------------------------------------------------------------ */

/* rest -= a v of one block, whose first row and column are these; transposed: of its transpose. */
WY_ALWAYS void take_block(const int lanes, int transposed, int m, int n, const double *a, int row,
                          int column, const double *v, double *rest) {
    if (transposed)
        reduce(lanes, n, m, &rest[column * lanes], a, &v[row * lanes]);
    else
        reduce_by_rows(lanes, m, n, &rest[row * lanes], a, &v[column * lanes]);
}

WY_ALWAYS void take(const int lanes, const int transposed, const wy_blocks *x, const double *matrix,
                    const double *v, double *rest) {
    for (int k = 0; k < x->count; k++) {
        const int n = x->size[k], at = x->first[k];
        take_block(lanes, transposed, n, n, &matrix[x->diagonal[k]], at, at, v, rest);
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a], m = x->size[i], to = x->first[i];
            take_block(lanes, transposed, n, m, &matrix[x->upper[a]], at, to, v, rest);
            take_block(lanes, transposed, m, n, &matrix[x->lower[a]], to, at, v, rest);
        }
    }
}

void wy_blocks_take_packs(const wy_blocks *x, const double *matrix, const double *v, double *rest) {
    take(WY_PACK, 0, x, matrix, v, rest);
}

void wy_blocks_take_transposed(const wy_blocks *x, const double *matrix, const double *v,
                               double *rest) {
    take(1, 1, x, matrix, v, rest);
}

/* ---- without loops ---------------------------------------------------------------------------------- */

int wy_blocks_forest(const wy_blocks *x) {
    for (int k = 0; k < x->count; k++)
        if (x->begin[k + 1] - x->begin[k] > 1) return 0;
    return 1;
}

/* No block off the diagonal is written by another row: it is turned only now. */
int wy_blocks_eliminate(const wy_blocks *x, int k, double *value, int *pivot, double *b) {
    double least = INFINITY;
    turn_lower(x, k, value);
    if (!factor_row(x, k, value, pivot, &least)) return 0;
    update(x, k, value, x->link);
    forward(1, x, k, value, pivot, b);
    return 1;
}

/* b := (LU)^-T b: U^T, L^T, and the row exchanges backwards. */
static void back_transposed(int n, const double *a, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) b[k] -= a[i * n + k] * b[i];
        b[k] *= a[k * n + k];
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = k + 1; i < n; i++) b[k] -= a[i * n + k] * b[i];
    for (int k = n - 1; k >= 0; k--) {
        const double keep = b[k];
        b[k] = b[pivot[k]], b[pivot[k]] = keep;
    }
}

/* A = (A_ik below the diagonal, D_k) (1, U_kj), so that A^-T goes through the second factor first. */
void wy_blocks_solve_transposed(const wy_blocks *x, const double *value, const int *pivot,
                                double *b) {
    for (int k = 0; k < x->count; k++)
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            reduce(1, x->size[i], x->size[k], &b[x->first[i]], &value[x->upper[a]],
                   &b[x->first[k]]);
        }
    for (int k = x->count - 1; k >= 0; k--) {
        double *y = &b[x->first[k]];
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            reduce_by_rows(1, x->size[k], x->size[i], y, &value[x->lower[a]], &b[x->first[i]]);
        }
        back_transposed(x->size[k], &value[x->diagonal[k]], &pivot[x->first[k]], y);
    }
}
