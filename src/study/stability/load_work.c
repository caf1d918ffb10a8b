/* load_work.c - unstable directions of a method whose factors show no signs, by the work of loads.
 *
 *   S_ij = u_i^T W K^-1 W u_j
 *
 * has as many negative eigenvalues as K among the motions that loads W u_j cause (Sylvester, of K^-1).  Inverse iteration
 * finds the motions nearest to neutral; it misses an unstable one beyond many soft ones, S does not.  The u_j are motions
 * of groups of nodes: what they do not resolve is an artefact of the mesh.  S is symmetric but for rounding, which it so
 * shows.  If it is not, because of the way in which the method makes its equations, the eigenvalues of G^-1 S count, G = u^T W u.
 */
#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"
#include "study/equilibrium/equations.h"

enum { FEW = 12, MANY = 32, HALF = WY_FRONT_PIECE / 2 }; /* groups of nodes */
static const double LEAST =
    1e-9; /* of the largest entry of a row: above the rounding of the elimination */
static const double NONE = 1e-13; /* of the largest: rounding */
static const double ROUND = 1e-6; /* more lack of symmetry is no rounding */
static const double SAFE = 20;    /* times what S lacks of symmetry */

typedef struct forced {
    int size, rows;
    double *motion, *load, *answer; /* [size][rows], [rows] */
    double *s, *g, *vector;         /* [size][size]         */
    int *pivot;
} forced;

static int groups_of(const wy_vector_range *e, int groups) {
    return e->nodes < groups ? e->nodes : groups;
}

static void add_loads(const wy_static *x, forced *f, const wy_vector_range *e, int most,
                      double unit) {
    const int groups = groups_of(e, most);
    for (int g = 0; g < groups; g++)
        for (int k = 0; k < e->count; k++) {
            const int from = g * e->nodes / groups, to = (g + 1) * e->nodes / groups;
            const size_t at = (size_t)f->size++ * (size_t)f->rows;
            double *u = f->motion + at; /* zero as it was taken */
            for (int i = from; i < to; i++) u[e->first + i * e->node + k * e->entry] = unit;
            x->equations->mass(x->self, u, f->load + at);
        }
}

static double dot(const forced *f, const double *a, const double *b) {
    double sum = 0;
    for (int r = 0; r < f->rows; r++) sum += a[r] * b[r];
    return sum;
}

static void respond(wy_static *x, const forced *f) {
    const size_t rows = (size_t)f->rows;
    for (int j = 0; j < f->size && wy_static_may_continue(x); j++) {
        const double *load = f->load + (size_t)j * rows;
        memcpy(f->answer, load, rows * sizeof *load);
        x->equations->solve(x->self, f->answer);
        for (int i = 0; i < f->size; i++) {
            f->s[i * f->size + j] = dot(f, f->load + (size_t)i * rows, f->answer);
            f->g[i * f->size + j] = dot(f, f->motion + (size_t)i * rows, load);
        }
    }
}

static double largest(const forced *f, int i) {
    double most = 0;
    for (int j = 0; j < f->size; j++) {
        const double size = fabs(f->s[i * f->size + j]);
        if (!(size <= most)) most = size;
    }
    return most;
}

/* Rows of one size, whatever their units; one in which all is rounding is left out. */
static void scale(const forced *f) {
    double most = 0, *d = f->answer;
    for (int i = 0; i < f->size; i++) most = wy_max(most, d[i] = largest(f, i));
    for (int i = 0; i < f->size; i++) d[i] = d[i] > NONE * most ? 1 / sqrt(d[i]) : 0.0;
    for (int i = 0; i < f->size; i++)
        for (int j = 0; j < f->size; j++) f->s[i * f->size + j] *= d[i] * d[j];
}

/* The largest difference of S_ij and S_ji. */
static double asymmetry(const forced *f) {
    double worst = 0;
    for (int i = 0; i < f->size; i++)
        for (int j = 0; j < i; j++) {
            const double differs = fabs(f->s[i * f->size + j] - f->s[j * f->size + i]);
            if (!(differs <= worst)) worst = differs;
        }
    return worst;
}

/* Rows from a on and from b on, half a piece each; those within a group are given with a == b. */
static void add_piece(wy_front *sum, const forced *f, int a, int b) {
    double m[WY_FRONT_PIECE][WY_FRONT_PIECE];
    int row[WY_FRONT_PIECE];
    for (int i = 0; i < WY_FRONT_PIECE; i++) {
        const int at = (i < HALF ? a : b - HALF) + i;
        row[i] = at < f->size && (i < HALF || a != b) ? at : -1;
    }
    for (int i = 0; i < WY_FRONT_PIECE; i++)
        for (int j = 0; j < WY_FRONT_PIECE; j++) {
            const int given = row[i] >= 0 && row[j] >= 0 && (a == b || (i < HALF) != (j < HALF));
            m[i][j] = given ? f->s[row[i] * f->size + row[j]] : 0.0;
        }
    wy_front_add(sum, WY_FRONT_PIECE, row, row, &m[0][0], WY_FRONT_PIECE);
}

static int count_signs(const forced *f) {
    wy_arena arena = {0};
    wy_front sum = {0};
    const double part = wy_max(LEAST, SAFE * asymmetry(f));
    double need = INFINITY;
    if (!(part <= ROUND)) return -1;
    wy_front_begin(&sum, &arena, part);
    for (int a = 0; a < f->size; a += HALF)
        for (int b = a; b < f->size; b += HALF) add_piece(&sum, f, a, b);
    const int negative = wy_front_signs(&sum, &need);
    wy_arena_free(&arena);
    return need <= part ? negative : -1;
}

static int count_values(const forced *f) {
    const int n = f->size;
    double *re = f->answer, *im = f->load, most = 0, *column = f->motion;
    int negative = 0;
    for (int i = 0; i < n; i++)
        if (f->g[i * n + i] == 0) f->g[i * n + i] = 1; /* it is held */
    if (!wy_lu_factor(n, n, f->g, f->pivot)) return -1;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = f->s[i * n + j];
        wy_lu_solve(n, n, f->g, f->pivot, column);
        for (int i = 0; i < n; i++) f->s[i * n + j] = column[i];
    }
    if (!wy_eigen_general(n, f->s, re, im, f->vector)) return -1;
    for (int i = 0; i < n; i++) most = wy_max(most, fabs(re[i]));
    for (int i = 0; i < n; i++) negative += re[i] < -LEAST * most;
    return negative;
}

static int count(const wy_static *x, const forced *f) {
    if (x->equations->solve_transposed) return count_values(f);
    double *kept = f->vector;
    memcpy(kept, f->s, (size_t)f->size * (size_t)f->size * sizeof *kept);
    scale(f);
    const int signs = count_signs(f);
    memcpy(f->s, kept, (size_t)f->size * (size_t)f->size * sizeof *kept);
    return signs >= 0 ? signs : count_values(f);
}

static withy_status look(wy_static *x, int groups, int *least, withy_error *err) {
    const wy_vector_layout *layout = &x->layout;
    const size_t most = (size_t)(groups_of(&layout->shift, groups) * layout->shift.count +
                                 groups_of(&layout->turn, groups) * layout->turn.count),
                 rows = (size_t)x->rows;
    forced f = {.rows = x->rows};
    double *room = wy_alloc(most * (2 * rows + 3 * most) + rows + most, sizeof *room);
    f.pivot = wy_alloc(most, sizeof *f.pivot);
    if (!room || !f.pivot) {
        wy_free(room), wy_free(f.pivot);
        return wy_no_memory(err, "no memory to judge the stability");
    }
    f.motion = room, f.load = f.motion + most * rows, f.s = f.load + most * rows;
    f.g = f.s + most * most, f.vector = f.g + most * most, f.answer = f.vector + most * most;
    add_loads(x, &f, &layout->shift, groups, layout->length);
    add_loads(x, &f, &layout->turn, groups, 1.0);
    respond(x, &f);
    if (!x->stopped) *least = count(x, &f);
    wy_free(room), wy_free(f.pivot);
    return wy_static_interrupted(x, err);
}

/* A rod that is stable shows it to a few loads; how many unstable directions there are takes more. */
withy_status wy_static_forced(wy_static *x, int found, int *least, withy_error *err) {
    int negative;
    *least = -1;
    if (!(x->unit > 0) || !x->equations->potential(x->self)) return WITHY_OK;
    if (x->equations->begin) x->equations->begin(x->self);
    /* a neutral motion is on neither side of it */
    const withy_status status =
        x->equations->factor(x->self, -2 * x->lost * x->unit, &negative, err);
    if (status == WITHY_NO_CONVERGENCE) return WITHY_OK;
    WY_TRY(status);
    if (found == 0) WY_TRY(look(x, FEW, least, err));
    return found == 0 && *least == 0 ? WITHY_OK : look(x, MANY, least, err);
}
