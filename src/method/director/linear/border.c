/* border.c - a few unknowns added to a system that is solved by elimination.
 *
 *   [ A     bar ] [dq]   [ r   ]            A spread = bar,   schur = plus . spread
 *   [ plus   0  ] [dT] = [ gap ]            schur dT = plus . A^-1 r - gap,   dq = A^-1 r - spread dT     (1)
 *
 * In statics plus = bar and A is symmetric; inertia is additive, so that of the unstable directions of A as many
 * are held by the border as schur has negative eigenvalues.
 */
#include "method/director/director.h"
#include "numeric/linear/linear.h"

void wy_border_layout(wy_border *b, int count, int rows, wy_block *scratch) {
    const size_t n = (size_t)count, m = n * (size_t)rows;
    b->count = count, b->rows = rows;
    b->bar = wy_block_alloc(scratch, m, sizeof *b->bar);
    b->plus = wy_block_alloc(scratch, m, sizeof *b->plus);
    b->spread = wy_block_alloc(scratch, m, sizeof *b->spread);
    b->schur = wy_block_alloc(scratch, n * n, sizeof *b->schur);
    b->gap = wy_block_alloc(scratch, n, sizeof *b->gap);
    b->change = wy_block_alloc(scratch, n, sizeof *b->change);
    b->kept = wy_block_alloc(scratch, n, sizeof *b->kept);
    b->line = wy_block_alloc(scratch, n ? (size_t)rows : 0, sizeof *b->line);
    b->sum = wy_block_alloc(scratch, n ? (size_t)rows : 0, sizeof *b->sum);
    b->pivot = wy_block_alloc(scratch, n, sizeof *b->pivot);
}

double wy_border_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

int wy_border_negative(int n, double *a) {
    double largest = 0;
    int negative = 0;
    for (int i = 0; i < n; i++) largest = wy_max(largest, fabs(a[i * n + i]));
    for (int k = 0; k < n; k++) {
        const double pivot = a[k * n + k];
        if (!(fabs(pivot) > 1e-13 * largest)) return -1;
        negative += pivot < 0;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] / pivot * a[k * n + j];
    }
    return negative;
}

int wy_border_close(wy_border *b) {
    const int n = b->count, rows = b->rows;
    for (int pass = 0; pass < 2; pass++) { /* the count of signs destroys it */
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                b->schur[k * n + j] = wy_border_dot(rows, &b->plus[(size_t)k * (size_t)rows],
                                                    &b->spread[(size_t)j * (size_t)rows]);
        if (pass == 0) b->negative = wy_border_negative(n, b->schur);
    }
    return wy_lu_factor(n, n, b->schur, b->pivot);
}

void wy_border_solve_side(wy_border *b, double *side) {
    double *own = &side[b->rows];
    if (!b->count) return;
    memcpy(b->gap, own, (size_t)b->count * sizeof *own);
    wy_border_solve(b, side);
    memcpy(own, b->change, (size_t)b->count * sizeof *own);
}

void wy_border_solve(wy_border *b, double *dq) {
    const int n = b->count, rows = b->rows;
    for (int k = 0; k < n; k++)
        b->change[k] = wy_border_dot(rows, &b->plus[(size_t)k * (size_t)rows], dq) - b->gap[k];
    wy_lu_solve(n, n, b->schur, b->pivot, b->change);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < rows; i++)
            dq[i] -= b->change[k] * b->spread[(size_t)k * (size_t)rows + (size_t)i];
}
