/* gradient_network_solve.c - the factors of dF/dq+ of a network, and its solution both ways.
 *
 * Newton's own factors are of the segments, of the iterate before, and have no transpose; these are of the solution
 * itself, for right sides forwards and backwards.  A singular multiplier gets Newton's eps, and a cluster without
 * stiffness of its own a little: corrections with the matrix itself remove both.
 */
#include <math.h>
#include <string.h>

#include "method/director/gradient_network.h"

enum { REFINEMENTS = 8, LEVELS = 4 };
static const double REFINED = 1e-11; /* a correction: mostly the first is far below */
static const double ENOUGH = 1e-7;   /* or, after all, this one */
static const double EPS =
    1e-7; /* of the flexibility that a multiplier sees: director/skeleton_solve.c */
/* Of the largest stiffness, added to clusters where one has none of its own; then more corrections. */
static const double LITTLE[LEVELS] = {0, 1e-8, 1e-6, 1e-4};

/* ---- factors ------------------------------------------------------------------------------------------------------ */

/* Newton's eps of multipliers that depend on each other: of the flexibility that they see of both clusters. */
static void soften(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int k = 0; k < net->plan.links; k++) {
        const wy_network_link *link = &net->plan.link[k];
        const wy_network_joint *j = &net->plan.joint[link->joint];
        double soft = 0;
        if (link->multiplier < 0) continue;
        for (int a = 0; a < 2; a++) {
            if (j->cluster[a] < 0 || net->plan.cluster[j->cluster[a]].held) continue;
            const int block = wy_net_cluster_block(net, j->cluster[a]),
                      wide = wy_net_wide(s, block);
            const double *d = wy_net_block(s, block, block);
            const double *row = wy_net_block(s, link->block, block) + link->lies * wide;
            for (int i = 0; i < 6; i++)
                if (d[i * wide + i] != 0) soft += row[i] * row[i] / fabs(d[i * wide + i]);
        }
        const int wide = wy_net_wide(s, link->block);
        const size_t at = s->blocks.diagonal[s->blocks.place[link->block]];
        s->value[at + (size_t)(link->lies * wide + link->lies)] -= EPS * soft;
    }
}

/* A little stiffness for clusters that have none. */
static void stiffen(wy_network *net, double by) {
    wy_net_slopes *s = net->slopes;
    const double length = net->plan.length;
    double most = 0;
    for (size_t i = 0; i < s->blocks.values; i++) most = wy_max(most, fabs(s->matrix[i]));
    for (int c = 0; c < wy_network_moving(net); c++) {
        const int block = net->plan.cluster[c].block, wide = wy_net_wide(s, block);
        double *d = &s->value[s->blocks.diagonal[s->blocks.place[block]]];
        for (int i = 0; i < 6 && !net->plan.cluster[c].held; i++)
            d[i * wide + i] += by * most * (i < 3 ? 1 : length * length);
    }
}

/* A little of W for rods that may turn about themselves in an equilibrium. */
static void weigh(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        const double little = wy_director_little(x), length = x->plan.whole;
        for (int j = 0; j < x->plan.node_count; j++) {
            const int block = s->rod[i].block[j];
            if (block < 0) continue;
            const int wide = wy_net_wide(s, block);
            double *d = &s->value[s->blocks.diagonal[s->blocks.place[block]]];
            const double share = little * x->plan.mass[j].share;
            for (int k = 0; k < 6; k++)
                d[k * wide + k] += share * (k < 3 ? 1 : WY_WEIGHT_TURN * length * length);
        }
    }
}

static int factor(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    memcpy(s->value, s->matrix, s->blocks.values * sizeof *s->matrix);
    if (!net->hub.step->dynamic) weigh(net);
    if (net->plan.closing.redundant) soften(net);
    if (s->added) stiffen(net, LITTLE[s->added]);
    return wy_blocks_factor(&s->blocks, s->value, s->pivot, NULL, NULL);
}

withy_status wy_net_factor(wy_network *net, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    if (!s->blocks.count) return WITHY_OK;
    wy_net_assemble(net);
    for (s->added = 0; s->added < LEVELS; s->added++)
        if (factor(net)) return WITHY_OK;
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "director: the tangent of the network is singular, so that there is no "
                   "derivative here");
}

/* The corrections do not end: a cluster without stiffness of its own was eliminated. */
static int stiffer(wy_network *net) {
    while (++net->slopes->added < LEVELS)
        if (factor(net)) return 1;
    return 0;
}

/* ---- eight right sides ------------------------------------------------------------------------------------------------ */

static void back(int n, const double *a, const int *pivot, pack *b) {
    for (int k = 0; k < n; k++) {
        const pack keep = b[k];
        b[k] = b[pivot[k]], b[pivot[k]] = keep;
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) b[i] -= a[i * n + k] * b[k];
    for (int k = n - 1; k >= 0; k--) {
        b[k] *= a[k * n + k];
        for (int i = 0; i < k; i++) b[i] -= a[i * n + k] * b[k];
    }
}

static void minus(int m, int n, const double *a, const pack *x, pack *y) { /* y -= a x, a[m][n] */
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i] -= a[i * n + j] * x[j];
}

static void minus_transposed(int m, int n, const double *a, const pack *x, pack *y) {
    for (int j = 0; j < n; j++) /* y -= a^T x, a[n][m] */
        for (int i = 0; i < m; i++) y[i] -= a[j * m + i] * x[j];
}

/* numeric/blocks_lu.c: wy_blocks_solve. */
static void solve(const wy_net_slopes *s, pack *b) {
    const wy_blocks *x = &s->blocks;
    for (int k = 0; k < x->count; k++) {
        pack *y = &b[x->first[k]];
        back(x->size[k], &s->value[x->diagonal[k]], &s->pivot[x->first[k]], y);
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            minus_transposed(x->size[i], x->size[k], &s->value[x->lower[a]], y, &b[x->first[i]]);
        }
    }
    for (int k = x->count - 1; k >= 0; k--)
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a];
            minus(x->size[k], x->size[i], &s->value[x->upper[a]], &b[x->first[i]], &b[x->first[k]]);
        }
}

/* Block a[rows][columns] of the matrix, whose first row and column are these. */
typedef void block_job(const wy_net_slopes *s, int rows, int columns, const double *a, int row,
                       int column);

WY_ALWAYS void for_blocks(const wy_net_slopes *s, block_job *job) {
    const wy_blocks *x = &s->blocks;
    for (int k = 0; k < x->count; k++) {
        const int n = x->size[k], at = x->first[k];
        job(s, n, n, &s->matrix[x->diagonal[k]], at, at);
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            const int i = x->neighbour[a], m = x->size[i], to = x->first[i];
            job(s, n, m, &s->matrix[x->upper[a]], at, to);
            job(s, m, n, &s->matrix[x->lower[a]], to, at);
        }
    }
}

static void take_block(const wy_net_slopes *s, int rows, int columns, const double *a, int row,
                       int column) {
    minus(rows, columns, a, &s->x[column], &s->rest[row]);
}

/* rest = b - A x */
static void remaining(const wy_net_slopes *s) {
    memcpy(s->rest, s->b, (size_t)s->blocks.rows * sizeof *s->b);
    for_blocks(s, take_block);
}

/* Does a block of the caller have a node, in its first six rows? */
static int has_node(const wy_network *net, int block) {
    return block < wy_network_moving(net) || block >= net->plan.skeleton.count;
}

static double fault_of(const wy_network *net) {
    const wy_net_slopes *s = net->slopes;
    const double unit = 1 / (net->plan.length * net->plan.length);
    pack small = splat(0), whole = splat(0);
    for (int k = 0; k < s->blocks.count; k++)
        for (int i = 0; i < 6 && has_node(net, k); i++) {
            const int at = wy_blocks_row(&s->blocks, k) + i;
            const double w = i < 3 ? unit : 1;
            small += w * s->rest[at] * s->rest[at], whole += w * s->x[at] * s->x[at];
        }
    double most = 0;
    for (int l = 0; l < WY_PACK; l++)
        if (!(small[l] <= most * whole[l])) most = small[l] / whole[l]; /* or not a number */
    return sqrt(most);
}

/* x = A^-1 b with the factors of this level. */
static double refine(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    const int rows = s->blocks.rows;
    double fault = 1;
    memcpy(s->x, s->b, (size_t)rows * sizeof *s->b);
    solve(s, s->x);
    for (int k = 0; k < REFINEMENTS * (1 + s->added) && !(fault <= REFINED); k++) {
        remaining(s);
        solve(s, s->rest);
        for (int i = 0; i < rows; i++) s->x[i] += s->rest[i];
        fault = fault_of(net);
    }
    return fault;
}

/* The solution x[bytes] of the level at which the last correction is least: where rounding alone keeps it above ENOUGH,
 * because rods are all but rigid, a stiffness added is no help and converges slowly. */
static double at_best(wy_network *net, double (*refined)(wy_network *net), void *x, void *kept,
                      size_t bytes) {
    wy_net_slopes *s = net->slopes;
    double best = refined(net);
    int level = s->added;
    if (best <= ENOUGH) return best;
    memcpy(kept, x, bytes);
    while (!(best <= ENOUGH) && stiffer(net)) {
        const double fault = refined(net);
        if (!(fault < best || (isnan(best) && !isnan(fault)))) continue;
        best = fault, level = s->added;
        memcpy(kept, x, bytes);
    }
    memcpy(x, kept, bytes);
    if (s->added != level) s->added = level, (void)factor(net); /* it succeeded before */
    return best;
}

double wy_net_solve(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    return at_best(net, refine, s->x, s->best, (size_t)s->blocks.rows * sizeof *s->x);
}

/* ---- backwards ---------------------------------------------------------------------------------------------------------- */

static void take_transposed(const wy_net_slopes *s, int rows, int columns, const double *a, int row,
                            int column) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            s->left[column + j] -= a[i * columns + j] * s->mu[row + i];
}

/* left = want - A^T mu */
static void remaining_transposed(const wy_net_slopes *s) {
    memcpy(s->left, s->want, (size_t)s->blocks.rows * sizeof *s->want);
    for_blocks(s, take_transposed);
}

/* A correction of mu, and its relative size. */
static double correct_transposed(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    const double length = net->plan.length;
    double small = 0, whole = 0;
    remaining_transposed(s);
    wy_blocks_solve_transposed(&s->blocks, s->value, s->pivot, s->left);
    for (int i = 0; i < s->blocks.rows; i++) s->mu[i] += s->left[i];
    for (int k = 0; k < s->blocks.count; k++)
        for (int i = 0; i < 6 && has_node(net, k); i++) {
            const int at = wy_blocks_row(&s->blocks, k) + i;
            const double w = i < 3 ? 1 : 1 / (length * length);
            small += w * s->left[at] * s->left[at], whole += w * s->mu[at] * s->mu[at];
        }
    return whole > 0 ? sqrt(small / whole) : small;
}

/* mu = A^-T want with the factors of this level. */
static double refine_transposed(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    double fault = 1;
    memcpy(s->mu, s->want, (size_t)s->blocks.rows * sizeof *s->want);
    wy_blocks_solve_transposed(&s->blocks, s->value, s->pivot, s->mu);
    for (int n = 0; n < REFINEMENTS * (1 + s->added) && !(fault <= REFINED); n++)
        fault = correct_transposed(net);
    return fault;
}

double wy_net_solve_transposed(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    return at_best(net, refine_transposed, s->mu, s->best_mu,
                   (size_t)s->blocks.rows * sizeof *s->mu);
}
