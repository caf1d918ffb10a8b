/* gradient_network_matrix.c - dF/dq+ of a network at a solved step or equilibrium, and its solution.
 *
 * A block row is a node that is no copy, or a cluster with its multipliers (director/skeleton.c, whose blocks come
 * first); rods alone are left out.  Element by element: rows and columns of a copy go to its cluster (director/segment.c),
 *
 *   columns  dr_k = dr + dphi x p+       rows  F_phi += pm x F_r,k       (phi, phi) += beta hat(F_r,k) hat(p+)
 *
 * Rows that are held are M A + (1 - M), with M what is free.  Newton's own factors are of the segments, of the iterate
 * before, and have no transpose; these are of the solution itself, for right sides forwards and backwards.  A
 * singular multiplier gets Newton's eps, and a cluster without stiffness of its own a little: corrections with the
 * matrix itself remove both.
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

/* ---- pattern ---------------------------------------------------------------------------------------------- */

static int member_at(const wy_network *net, int rod, int node) {
    return node % net->rod[rod].plan.p ? -1 : wy_network_member_of(net, rod, node);
}

static int block_of(const wy_network *net, int cluster) {
    return cluster < 0 ? -1 : net->plan.cluster[cluster].block;
}

static int own_block(const wy_network *net, const wy_network_joint *j) {
    for (int k = j->first; k < j->first + j->count; k++)
        if (net->plan.link[k].multiplier >= 0) return net->plan.link[k].block;
    return -1;
}

typedef struct pattern {
    int count, *size, pairs, (*pair)[2], (*after)[2];
} pattern;

static void add_pair(pattern *x, int a, int b) {
    if (a < 0 || b < 0 || a == b) return;
    x->pair[x->pairs][0] = a, x->pair[x->pairs++][1] = b;
}

static void number_nodes(wy_network *net, int rod, pattern *x) {
    const wy_director *own = &net->rod[rod];
    wy_net_rod *to = &net->slopes->rod[rod];
    const int p = own->plan.p;
    for (int j = 0; j < own->plan.node_count; j++) {
        to->member[j] = member_at(net, rod, j), to->block[j] = -1;
        if (own->slopes->alone) continue;
        if (to->member[j] >= 0) {
            to->block[j] = block_of(net, net->plan.member[to->member[j]].cluster);
            continue;
        }
        x->size[x->count] = 6;
        to->block[j] = x->count++;
    }
    for (int e = 0; e < own->plan.n; e++)
        for (int a = 0; a <= p; a++)
            for (int b = 0; b < a; b++) add_pair(x, to->block[e * p + a], to->block[e * p + b]);
}

static void pair_joints(const wy_network *net, pattern *x) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        const int own = own_block(net, j);
        for (int s = 0; s < 2; s++) {
            add_pair(x, own, block_of(net, j->cluster[s]));
            if (j->loop && own >= 0) x->after[own][s] = block_of(net, j->cluster[s]);
        }
        add_pair(x, block_of(net, j->cluster[0]), block_of(net, j->cluster[1]));
    }
}

static withy_status take(wy_network *net, pattern *x, wy_taker *from, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    size_t nodes = (size_t)net->plan.skeleton.count, pairs = 3 * (size_t)net->plan.joints;
    s->rod = wy_taker_take(from, (size_t)net->plan.rods + 1, sizeof *s->rod);
    for (int i = 0; i < net->plan.rods && s->rod; i++) {
        const wy_director_plan *plan = &net->rod[i].plan;
        const size_t count = (size_t)plan->node_count, n = (size_t)plan->n, p = (size_t)plan->p;
        s->rod[i].member = wy_taker_take(from, count, sizeof *s->rod->member);
        s->rod[i].block = wy_taker_take(from, count, sizeof *s->rod->block);
        nodes += count, pairs += n * p * (p + 1) / 2;
    }
    x->size = wy_taker_take(from, nodes + 1, sizeof *x->size);
    x->pair = wy_taker_take(from, pairs + 1, sizeof *x->pair);
    x->after = wy_taker_take(from, nodes + 1, sizeof *x->after);
    if (from->failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    for (size_t i = 0; i < nodes; i++) x->after[i][0] = x->after[i][1] = -1;
    return WITHY_OK;
}

withy_status wy_net_pattern(wy_network *net, withy_error *err) {
    const wy_blocks *skeleton = &net->plan.skeleton;
    wy_taker from = {.arena = net->hub.setup->arena};
    pattern x = {.count = skeleton->count};
    WY_TRY(take(net, &x, &from, err));
    for (int i = 0; i < skeleton->count; i++) x.size[i] = skeleton->size[skeleton->place[i]];
    for (int i = 0; i < net->plan.rods; i++) number_nodes(net, i, &x);
    pair_joints(net, &x);
    const wy_blocks_spec spec = {x.count, x.size, x.pairs, (const int(*)[2])x.pair,
                                 (const int(*)[2])x.after};
    return wy_blocks_make(&spec, net->hub.setup->arena, &net->slopes->blocks, err);
}

void wy_net_lay_matrix(wy_network *net, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows;
    s->matrix = wy_block_take(scratch, s->blocks.values, sizeof *s->matrix);
    s->value = wy_block_take(scratch, s->blocks.values, sizeof *s->value);
    s->pivot = wy_block_take(scratch, rows, sizeof *s->pivot);
    s->force = wy_block_take(scratch, (size_t)net->plan.members, sizeof *s->force);
    if (s->tape) return;
    s->b = wy_block_take(scratch, rows, sizeof *s->b);
    s->x = wy_block_take(scratch, rows, sizeof *s->x);
    s->rest = wy_block_take(scratch, rows, sizeof *s->rest);
    s->best = wy_block_take(scratch, rows, sizeof *s->best);
}

int wy_net_row(const wy_network *net, int rod, int node) {
    return wy_blocks_row(&net->slopes->blocks, net->slopes->rod[rod].block[node]);
}

/* ---- rods -------------------------------------------------------------------------------------------------- */

/* The end of a rod at a node of its own, or -1. */
static int end_at(const wy_network *net, int rod, int node) {
    if (net->slopes->rod[rod].member[node] >= 0) return -1;
    return node == 0 ? 0 : node == net->rod[rod].plan.node_count - 1 ? 1 : -1;
}

static void free_rows(const wy_director *rod, int which, double m[6][6]) {
    for (int j = 0; j < 6; j++) {
        const vec3 r = v3(m[0][j], m[1][j], m[2][j]), phi = v3(m[3][j], m[4][j], m[5][j]);
        const vec3 a = v3_sub(r, wy_director_held(&rod->plan.end[which], r));
        const vec3 b = v3_sub(phi, wy_slope_held_turn(rod, which, phi));
        m[0][j] = a.x, m[1][j] = a.y, m[2][j] = a.z, m[3][j] = b.x, m[4][j] = b.y, m[5][j] = b.z;
    }
}

static void turn_rows(double m[6][6], vec3 p) {
    for (int j = 0; j < 6; j++) {
        const vec3 l = v3_cross(p, v3(m[0][j], m[1][j], m[2][j]));
        m[3][j] += l.x, m[4][j] += l.y, m[5][j] += l.z;
    }
}

static void turn_columns(double m[6][6], vec3 p) {
    for (int i = 0; i < 6; i++) {
        const vec3 l = v3_cross(p, v3_from(m[i]));
        m[i][3] += l.x, m[i][4] += l.y, m[i][5] += l.z;
    }
}

static int wide_of(const wy_net_slopes *s, int block) {
    return s->blocks.size[s->blocks.place[block]];
}

/* The numbers of block (row, column). */
static double *block_at(const wy_net_slopes *s, int row, int column) {
    return &s->matrix[wy_blocks_at(&s->blocks, row, column)];
}

/* The first six rows and columns of block (row, column) += m. */
static void put(wy_net_slopes *s, int row, int column, double m[6][6]) {
    const int wide = wide_of(s, column);
    double *to = block_at(s, row, column);
    for (int i = 0; i < 36; i++) to[i / 6 * wide + i % 6] += m[i / 6][i % 6];
}

vec3 wy_net_arm(const wy_network *net, int member, int plus) {
    const wy_network_member *k = &net->plan.member[member];
    const tri d = plus ? net->hub.next[k->cluster].d : net->hub.node[k->cluster].d;
    return m3_mul(tri_matrix(d), k->o);
}

vec3 wy_net_mean_arm(const wy_network *net, int member) {
    const wy_network_member *k = &net->plan.member[member];
    return m3_mul(tri_matrix(wy_director_acting(&net->hub, k->cluster)), k->o);
}

static int is_held(const wy_network *net, int member) {
    return member >= 0 && net->plan.cluster[net->plan.member[member].cluster].held;
}

/* A block of two nodes of a rod, which it changes. */
static void add_nodes(wy_network *net, int rod, int a, int b, double m[6][6]) {
    wy_net_slopes *s = net->slopes;
    const int row = s->rod[rod].member[a], column = s->rod[rod].member[b];
    const int end = end_at(net, rod, a);
    if (is_held(net, row)) return;
    if (column >= 0) turn_columns(m, wy_net_arm(net, column, 1));
    if (row >= 0) turn_rows(m, wy_net_mean_arm(net, row));
    if (end >= 0) free_rows(&net->rod[rod], end, m);
    put(s, s->rod[rod].block[a], s->rod[rod].block[b], m);
}

static void add_elements(wy_network *net, int rod) {
    const wy_director *x = &net->rod[rod];
    const int p = x->plan.p, wide = p + 1, rows = 6 * wide;
    for (int e = 0; e < x->plan.n; e++) {
        const double(*plus)[WY_DIRECTOR_STRIDE] =
            (const double(*)[WY_DIRECTOR_STRIDE]) & x->slopes->plus[(size_t)e * (size_t)rows];
        for (int k = 0; k < wide * wide; k++) {
            const int a = k / wide, b = k % wide;
            double m[6][6];
            for (int i = 0; i < 36; i++) m[i / 6][i % 6] = plus[6 * a + i / 6][6 * b + i % 6];
            add_nodes(net, rod, e * p + a, e * p + b, m);
        }
        for (int a = 0; a <= p; a += p) { /* minus the residual is in the last column */
            const int k = net->slopes->rod[rod].member[e * p + a];
            if (k < 0) continue;
            const vec3 f = v3(plus[6 * a][rows], plus[6 * a + 1][rows], plus[6 * a + 2][rows]);
            net->slopes->force[k] = v3_sub(net->slopes->force[k], f);
        }
    }
}

static void add_rod_nodes(wy_network *net, int rod) {
    const wy_director *x = &net->rod[rod];
    wy_net_slopes *s = net->slopes;
    for (int j = 0; j < x->plan.node_count; j++) {
        const int end = end_at(net, rod, j), k = s->rod[rod].member[j];
        const int block = s->rod[rod].block[j];
        double m[6][6], b[6];
        memcpy(m, x->slopes->node_plus[j], sizeof m);
        add_nodes(net, rod, j, j, m);
        for (int i = 0; i < 36 && end >= 0; i++) m[i / 6][i % 6] = i / 6 == i % 6;
        if (end >= 0) { /* 1 - M */
            free_rows(x, end, m);
            for (int i = 0; i < 36; i++) m[i / 6][i % 6] = (i / 6 == i % 6) - m[i / 6][i % 6];
            put(s, block, block, m);
        }
        if (k < 0) continue;
        wy_director_node_terms(x, j, m, b);
        s->force[k] = v3_add(s->force[k], v3_from(b));
    }
}

static void add_members(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int k = 0; k < net->plan.members; k++) {
        const int block = net->plan.cluster[net->plan.member[k].cluster].block;
        const vec3 f = s->force[k], p = wy_net_arm(net, k, 1);
        const double fv[3] = {f.x, f.y, f.z}, pv[3] = {p.x, p.y, p.z}, beta = net->hub.step->beta;
        double m[6][6] = {{0}};
        if (is_held(net, k)) continue;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) m[3 + i][3 + j] += beta * pv[i] * fv[j];
            m[3 + i][3 + i] -= beta * v3_dot(f, p);
        }
        put(s, block, block, m);
    }
}

/* ---- clusters and joints --------------------------------------------------------------------------------------- */

static void add_cluster(wy_network *net, int c) {
    const wy_network_cluster *own = &net->plan.cluster[c];
    wy_net_slopes *s = net->slopes;
    double a[6][6], b[6];
    if (!own->held) wy_network_cluster_terms(net, c, a, b);
    for (int i = 0; i < 36 && own->held; i++) a[i / 6][i % 6] = i / 6 == i % 6;
    put(s, own->block, own->block, a);
}

/* Rows and columns of the multipliers of a joint at one of its clusters, c. */
static void add_multipliers(wy_network *net, const wy_network_joint *j, int side,
                            const wy_network_pull *pull) {
    wy_net_slopes *s = net->slopes;
    const int own = own_block(net, j), c = j->cluster[side], block = block_of(net, c);
    if (own < 0) return;
    double *column = block_at(s, block, own), *row = block_at(s, own, block);
    for (int k = 0; k < j->count; k++) {
        const wy_network_link *link = &net->plan.link[j->first + k];
        if (link->multiplier < 0) continue;
        for (int i = 0; i < 6; i++) {
            row[link->lies * wide_of(s, block) + i] += pull[k].plus[6 * side + i];
            if (!net->plan.cluster[c].held)
                column[i * wide_of(s, own) + link->lies] += pull[k].bar[6 * side + i];
        }
    }
}

static void add_joint(wy_network *net, const wy_network_joint *j) {
    wy_net_slopes *s = net->slopes;
    double h[WY_PAIR][WY_PAIR] = {{0}}, m[6][6];
    wy_network_pull pull[WY_JOINT_LINKS];
    wy_net_joint(net, j, h, pull);
    for (int a = 0; a < 2; a++) {
        const int c = j->cluster[a];
        if (c < 0) continue;
        for (int b = 0; b < 2 && !net->plan.cluster[c].held; b++) {
            if (j->cluster[b] < 0) continue;
            for (int i = 0; i < 36; i++) m[i / 6][i % 6] = h[6 * a + i / 6][6 * b + i % 6];
            put(s, block_of(net, c), block_of(net, j->cluster[b]), m);
        }
        add_multipliers(net, j, a, pull);
    }
}

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
            const int block = block_of(net, j->cluster[a]), wide = wide_of(s, block);
            const double *d = block_at(s, block, block);
            const double *row = block_at(s, link->block, block) + link->lies * wide;
            for (int i = 0; i < 6; i++)
                if (d[i * wide + i] != 0) soft += row[i] * row[i] / fabs(d[i * wide + i]);
        }
        const int wide = wide_of(s, link->block);
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
    for (int c = 0; c < net->plan.clusters; c++) {
        const int block = net->plan.cluster[c].block, wide = wide_of(s, block);
        double *d = &s->value[s->blocks.diagonal[s->blocks.place[block]]];
        for (int i = 0; i < 6 && !net->plan.cluster[c].held; i++)
            d[i * wide + i] += by * most * (i < 3 ? 1 : length * length);
    }
}

static int factor(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    memcpy(s->value, s->matrix, s->blocks.values * sizeof *s->matrix);
    if (net->plan.closing.redundant) soften(net);
    if (s->added) stiffen(net, LITTLE[s->added]);
    return wy_blocks_factor(&s->blocks, s->value, s->pivot, NULL, NULL);
}

withy_status wy_net_factor(wy_network *net, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    if (!s->blocks.count) return WITHY_OK;
    memset(s->matrix, 0, s->blocks.values * sizeof *s->matrix);
    memset(s->force, 0, (size_t)net->plan.members * sizeof *s->force);
    for (int i = 0; i < net->plan.rods; i++) {
        if (net->rod[i].slopes->alone) continue;
        add_elements(net, i);
        add_rod_nodes(net, i);
    }
    add_members(net);
    for (int c = 0; c < net->plan.clusters; c++) add_cluster(net, c);
    for (int i = 0; i < net->plan.joints; i++) add_joint(net, &net->plan.joint[i]);
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
    return block < net->plan.clusters || block >= net->plan.skeleton.count;
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
