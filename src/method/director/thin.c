/* thin.c - the static equations of a rod so thin that its axial stiffness hides the others.
 *
 * K = B^T C B of the frontal elimination mixes EA/h with EI/L^3: at r/L = 1e-5 nothing of the latter is left in
 * double precision.  With the forces s = C_n B_n q (n: shear and stretch) as unknowns of their own nothing
 * large is added to anything small,
 *
 *     [ B_m^T C_m B_m + geometric   B_n^T    ] [q]   [ f - B_n^T sigma - B_m^T m   ]
 *     [ B_n                         -C_n^-1  ] [s] = [ C_n^-1 sigma - (strain - rest) ]
 *
 * and C_n^-1 may go to zero.  sigma, the stress of the mixed Newton method, stays of the size of the
 * loads, while the stress C_n (strain - rest) of an iterate that has turned is larger by (L/r)^2.  Unknowns follow one another along the rod, node j at 9 j and the
 * forces of the Gauss point between it and the next at 9 j + 6, scaled to displacements over L,
 * turns and forces over EI/L^2; the band is eliminated with row exchanges, which leave no count of
 * negative eigenvalues.
 */
#include <string.h>

#include "method/director/director.h"
#include "numeric/banded.h"

enum { STEP = 9, LOCAL = WY_DIRECTOR_MIXED };

struct wy_director_thin {
    int on, rows, band;
    int known;                /* sigma is one of these equations                                */
    int misses, fresh;        /* gap is that of the residual just computed; side has its forces */
    double *matrix;           /* [rows][2 band + 1]                                             */
    double *side;             /* [rows]                                                         */
    double *gap;              /* [n][p][3]                                                      */
    double scale[STEP], unit; /* L, 1, EI/L^2; L/EI                                      */
    wy_banded lu;
};

withy_status wy_director_thin_make(wy_director *x, withy_error *err) {
    wy_arena *arena = x->setup->arena;
    struct wy_director_thin *t = wy_arena_take(arena, 1, sizeof *t);
    const int rows = STEP * (x->plan.node_count - 1) + 6;
    const int band = wy_min(STEP * x->plan.p + 5, rows - 1);
    const size_t width = 2 * (size_t)band + 1;
    if (!t || !(t->matrix = wy_arena_take(arena, (size_t)rows * width, sizeof(double))) ||
        !(t->side = wy_arena_take(arena, (size_t)rows, sizeof(double))) ||
        !(t->gap = wy_arena_take(arena, (size_t)rows, sizeof(double))))
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for a thin rod");
    t->rows = rows, t->band = band;
    t->unit = wy_director_soft(x) / (x->plan.length * x->plan.length);
    for (int k = 0; k < STEP; k++)
        t->scale[k] = k < 3 ? x->plan.length : k < 6 ? 1.0 : 1 / (t->unit * x->plan.length);
    WY_TRY(wy_banded_take(arena, rows, band, band, 1, &t->lu, err));
    x->thin = t;
    return WITHY_OK;
}

void wy_director_thin_set(wy_director *x, int on) {
    if (x->thin) x->thin->on = on, x->thin->known = 0;
}

int wy_director_is_thin(const wy_director *x) {
    return x->thin && x->thin->on;
}

static double scale_of(const wy_director *x, int place) {
    return x->thin->scale[place % STEP];
}

void wy_director_thin_forget(wy_director *x) {
    if (x->thin) x->thin->misses = x->thin->fresh = 0;
}

double *wy_director_thin_gap(wy_director *x, int e) {
    x->thin->misses = 1;
    return &x->thin->gap[3 * e * x->plan.p];
}

int wy_director_thin_misses(const wy_director *x) {
    return x->thin->misses;
}

void wy_director_thin_repeat(wy_director *x) {
    x->thin->misses = 1;
}

void wy_director_thin_move(wy_director *x, double share) {
    struct wy_director_thin *t = x->thin;
    const int points = x->plan.n * x->plan.p, fresh = wy_director_is_thin(x) && t->fresh;
    for (int i = 0; i < points && fresh; i++)
        for (int k = 0; k < 3; k++)
            t->gap[3 * i + k] =
                x->stress[i].sigma[0][k] + share * scale_of(x, 6) * t->side[STEP * i + 6 + k];
    wy_director_correct(x, share);
    for (int i = 0; i < points && fresh; i++)
        for (int k = 0; k < 3; k++) x->stress[i].sigma[0][k] = t->gap[3 * i + k];
    wy_director_thin_forget(x);
}

/* A shape that has turned by a finite angle is stretched by its square, which in a thin rod is more
 * stress than any load: the sigma of before is then the better one. */
void wy_director_thin_begin(wy_director *x) {
    const lane most = lane_all(2e-15 * x->plan.node_count); /* rounding of strains */
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        const lane *start = x->strain[i].start;
        const lane n = g->c[0] * (start[0] - g->rest[0]), room = most * g->c[0];
        lane *sigma = x->stress[i].sigma;
        for (int k = 0; k < 3; k++)
            if (!x->thin->known ||
                !(fabs(sigma[0][k] - n[k]) <= room[k] || fabs(sigma[0][k]) < fabs(n[k])))
                sigma[0][k] = n[k];
        sigma[0][3] = 0;
        sigma[1] = g->c[1] * (start[1] - g->rest[1]);
    }
    x->thin->known = 1;
    wy_director_thin_forget(x);
}

void wy_director_thin_settle(wy_director *x) {
    wy_director_thin_begin(x);
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        for (int k = 0; k < 3; k++)
            x->strain[i].start[0][k] = g->rest[0][k] + x->stress[i].sigma[0][k] / g->c[0][k];
    }
}

/* ---- the matrix ---------------------------------------------------------------------------------- */

/* Where entry i of an element is in the band: nodes first, then forces. */
static int place_of(const wy_director *x, int e, int i) {
    const int p = x->plan.p, nodes = 6 * (p + 1), first = STEP * e * p;
    if (i < nodes) return first + STEP * (i / 6) + i % 6;
    return first + STEP * ((i - nodes) / 3) + 6 + (i - nodes) % 3;
}

static void swap_nodes(double (*m)[LOCAL + 1], int rows, int a) {
    for (int i = 0; i < rows && a; i++)
        for (int k = 0; k < 6; k++) {
            const double one = m[i][k];
            m[i][k] = m[i][6 * a + k], m[i][6 * a + k] = one;
        }
    for (int j = 0; j < rows && a; j++)
        for (int k = 0; k < 6; k++) {
            const double one = m[k][j];
            m[k][j] = m[6 * a + k][j], m[6 * a + k][j] = one;
        }
}

static void add_node(wy_director *x, int node, int local, double (*m)[LOCAL + 1]) {
    double block[6][6], b[6];
    wy_director_node_terms(x, node, block, b);
    for (int i = 0; i < 36; i++) m[6 * local + i / 6][6 * local + i % 6] += block[i / 6][i % 6];
}

/* One element into the band: what acts on its nodes but the last is added, of the last element all. */
static void add_element(wy_director *x, int e) {
    struct wy_director_thin *t = x->thin;
    const int p = x->plan.p, rows = 6 * (p + 1) + 3 * p, last = e == x->plan.n - 1;
    const size_t width = 2 * (size_t)t->band + 1;
    double m[LOCAL][LOCAL + 1];
    wy_director_element_mixed(x, e, m);
    for (int a = 0; a < p + last; a++) add_node(x, e * p + a, a, m);
    if (e == 0) wy_director_hold(x, 0, &m[0][0], LOCAL + 1, rows, rows + 1);
    if (last) {
        swap_nodes(m, rows, p);
        wy_director_hold(x, 1, &m[0][0], LOCAL + 1, rows, rows + 1);
        swap_nodes(m, rows, p);
    }
    for (int i = 0; i < rows; i++) {
        const int row = place_of(x, e, i);
        for (int j = 0; j < rows; j++)
            t->matrix[(size_t)row * width + (size_t)(place_of(x, e, j) - row + t->band)] += m[i][j];
    }
}

withy_status wy_director_thin_factor(wy_director *x, withy_error *err) {
    struct wy_director_thin *t = x->thin;
    const size_t width = 2 * (size_t)t->band + 1;
    memset(t->matrix, 0, (size_t)t->rows * width * sizeof *t->matrix);
    for (int e = 0; e < x->plan.n; e++) add_element(x, e);
    wy_banded_begin(&t->lu);
    for (int r = 0; r < t->rows; r++) {
        double *row = wy_banded_row(&t->lu, r);
        const double mine = t->unit * scale_of(x, r);
        memset(row, 0, (size_t)t->lu.width * sizeof *row);
        for (int c = wy_max(0, r - t->band); c <= r + t->band && c < t->rows; c++)
            *wy_banded_at(&t->lu, r, c) =
                mine * scale_of(x, c) * t->matrix[(size_t)r * width + (size_t)(c - r + t->band)];
        if (!wy_banded_eliminate(&t->lu, r + 1))
            return wy_fail(err, WITHY_NO_CONVERGENCE, "director: the tangent is singular");
    }
    return WITHY_OK;
}

void wy_director_thin_solve(wy_director *x, double *b) {
    struct wy_director_thin *t = x->thin;
    const int nodes = x->plan.node_count;
    for (int i = 0; i < 2; i++) {
        double given[6], *side = &b[6 * x->plan.end[i].node];
        memcpy(given, side, sizeof given);
        wy_director_hold_side(x, i, given, side);
    }
    memset(t->side, 0, (size_t)t->rows * sizeof *t->side);
    for (int i = 0; i < 6 * nodes; i++) {
        const int row = STEP * (i / 6) + i % 6;
        t->side[row] = t->unit * scale_of(x, row) * b[i];
    }
    for (int i = 0; i < 3 * (nodes - 1) && t->misses; i++) {
        const int row = STEP * (i / 3) + 6 + i % 3;
        t->side[row] = t->unit * scale_of(x, row) * t->gap[i];
    }
    t->fresh = t->misses, t->misses = 0;
    wy_banded_solve(&t->lu, t->side);
    for (int i = 0; i < 6 * nodes; i++) {
        const int row = STEP * (i / 6) + i % 6;
        b[i] = scale_of(x, row) * t->side[row];
    }
    for (int i = 0; i < 2; i++) wy_director_hold_back(x, i, &b[6 * x->plan.end[i].node]);
}
