/* gradient_network_matrix.c - dF/dq+ of a network at a solved step or equilibrium.
 *
 * A block row is a node that is no copy, or a cluster with its multipliers (director/skeleton.c, whose blocks come
 * first, then clusters that stand, which parameters may move); rods alone are left out.  Element by element: rows and
 * columns of a copy go to its cluster (director/segment.c),
 *
 *   columns  dr_k = dr + dphi x p+       rows  F_phi += pm x F_r,k       (phi, phi) += beta hat(F_r,k) hat(p+)
 *
 * Rows that are held are M A + (1 - M), with M what is free.
 */
#include <string.h>

#include "method/director/gradient_network.h"

/* ---- pattern ---------------------------------------------------------------------------------------------- */

static int member_at(const wy_network *net, int rod, int node) {
    return node % net->rod[rod].plan.p ? -1 : wy_network_member_of(net, rod, node);
}

int wy_net_cluster_block(const wy_network *net, int c) {
    if (c < wy_network_moving(net)) return c < 0 ? -1 : net->plan.cluster[c].block;
    return net->plan.skeleton.count + c - wy_network_moving(net);
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
            to->block[j] = wy_net_cluster_block(net, net->plan.member[to->member[j]].cluster);
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
            add_pair(x, own, wy_net_cluster_block(net, j->cluster[s]));
            if (j->loop && own >= 0) x->after[own][s] = wy_net_cluster_block(net, j->cluster[s]);
        }
        add_pair(x, wy_net_cluster_block(net, j->cluster[0]),
                 wy_net_cluster_block(net, j->cluster[1]));
    }
}

static withy_status take(wy_network *net, pattern *x, wy_taker *from, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    const int standing = net->plan.clusters - wy_network_moving(net);
    size_t nodes = (size_t)(net->plan.skeleton.count + standing),
           pairs = 3 * (size_t)net->plan.joints;
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
    for (int c = wy_network_moving(net); c < net->plan.clusters; c++) x.size[x.count++] = 6;
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

/* The first six rows and columns of block (row, column) += m. */
static void put(wy_net_slopes *s, int row, int column, double m[6][6]) {
    const int wide = wy_net_wide(s, column);
    double *to = wy_net_block(s, row, column);
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
        const int block = wy_net_cluster_block(net, net->plan.member[k].cluster);
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
    put(s, wy_net_cluster_block(net, c), wy_net_cluster_block(net, c), a);
}

/* Rows and columns of the multipliers of a joint at one of its clusters, c. */
static void add_multipliers(wy_network *net, const wy_network_joint *j, int side,
                            const wy_network_pull *pull) {
    wy_net_slopes *s = net->slopes;
    const int own = own_block(net, j), c = j->cluster[side], block = wy_net_cluster_block(net, c);
    if (own < 0) return;
    double *column = wy_net_block(s, block, own), *row = wy_net_block(s, own, block);
    for (int k = 0; k < j->count; k++) {
        const wy_network_link *link = &net->plan.link[j->first + k];
        if (link->multiplier < 0) continue;
        for (int i = 0; i < 6; i++) {
            row[link->lies * wy_net_wide(s, block) + i] += pull[k].plus[6 * side + i];
            if (!net->plan.cluster[c].held)
                column[i * wy_net_wide(s, own) + link->lies] += pull[k].bar[6 * side + i];
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
            put(s, wy_net_cluster_block(net, c), wy_net_cluster_block(net, j->cluster[b]), m);
        }
        add_multipliers(net, j, a, pull);
    }
}

void wy_net_assemble(wy_network *net) {
    wy_net_slopes *s = net->slopes;
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
}
