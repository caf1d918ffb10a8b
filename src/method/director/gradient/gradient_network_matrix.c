/* gradient_network_matrix.c - dF/dq+ of a network at a solved step or equilibrium (director/linear/node_matrix.c).
 *
 * Rigid groups that stand have rows of their own, since parameters may move them; rods alone are left out.  Rows that are
 * held are M A + (1 - M), with M what is free.
 */
#include "method/director/contact/contacts.h"
#include "method/director/gradient/gradient_network.h"

/* ---- pattern ---------------------------------------------------------------------------------------------- */

static wy_node_matrix whole_of(const wy_network *net) {
    wy_node_matrix w = net->slopes->whole;
    w.blocks = &net->slopes->blocks, w.value = net->slopes->matrix;
    return w;
}

int wy_net_rigid_group_block(const wy_network *net, int c) {
    return wy_node_matrix_rigid_group(net, &net->slopes->whole, c);
}

/* Block rows of rigid groups and multipliers: with contact of parts the reduced system has the nodes after them. */
static int own_blocks(const wy_network *net) {
    int count = net->plan.reduced.count;
    for (int a = 0; wy_network_pairs(net) && a < net->contacts->plan.points; a++)
        count -= net->contacts->plan.member[a] < 0;
    return count;
}

static withy_status take(wy_network *net, wy_blocks_spec *x, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    wy_node_matrix *w = &s->whole;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    const int rods = net->plan.rods, standing = net->plan.rigid_groups - wy_network_moving(net);
    w->standing = own_blocks(net);
    size_t blocks = (size_t)(w->standing + standing), pairs = 3 * (size_t)net->plan.joints;
    w->first = wy_allocator_alloc(&from, (size_t)rods + 1, sizeof *w->first);
    for (int i = 0; i < rods && !from.failed; i++) {
        const size_t p = (size_t)net->rod[i].plan.p;
        w->first[i] = w->nodes;
        w->nodes += net->rod[i].plan.node_count;
        pairs += (size_t)net->rod[i].plan.n * p * (p + 1) / 2;
    }
    blocks += (size_t)w->nodes;
    w->member = wy_allocator_alloc(&from, (size_t)w->nodes + 1, sizeof *w->member);
    w->block = wy_allocator_alloc(&from, (size_t)w->nodes + 1, sizeof *w->block);
    x->size = wy_allocator_alloc(&from, blocks + 1, sizeof *x->size);
    x->pair = wy_allocator_alloc(&from, pairs + 1, sizeof *x->pair);
    x->after = wy_allocator_alloc(&from, blocks + 1, sizeof *x->after);
    if (from.failed) return wy_no_memory(err, "director: no memory for derivatives");
    for (int i = 0; i < w->standing + standing; i++) x->after[i][0] = x->after[i][1] = -1;
    return WITHY_OK;
}

withy_status wy_net_pattern(wy_network *net, withy_error *err) {
    const wy_blocks *reduced = &net->plan.reduced;
    const wy_node_matrix *w = &net->slopes->whole;
    wy_blocks_spec x = {.count = own_blocks(net)};
    WY_TRY(take(net, &x, err));
    for (int i = 0; i < x.count; i++) x.size[i] = reduced->size[reduced->place[i]];
    for (int c = wy_network_moving(net); c < net->plan.rigid_groups; c++) x.size[x.count++] = 6;
    for (int j = 0; j < w->nodes; j++) w->member[j] = w->block[j] = -1;
    for (int i = 0; i < net->plan.rods; i++)
        if (!net->rod[i].slopes->alone) wy_node_matrix_number(net, w, i, &x);
    wy_reduced_couple(net, w, &x);
    return wy_blocks_make(&x, net->rigid.setup->arena, &net->slopes->blocks, err);
}

void wy_net_layout_matrix(wy_network *net, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows;
    s->matrix = wy_block_alloc(scratch, s->blocks.values, sizeof *s->matrix);
    s->value = wy_block_alloc(scratch, s->blocks.values, sizeof *s->value);
    s->pivot = wy_block_alloc(scratch, rows, sizeof *s->pivot);
    s->force = wy_block_alloc(scratch, (size_t)net->plan.members, sizeof *s->force);
    if (s->tape) return;
    s->b = wy_block_alloc(scratch, rows, sizeof *s->b);
    s->x = wy_block_alloc(scratch, rows, sizeof *s->x);
    s->rest = wy_block_alloc(scratch, rows, sizeof *s->rest);
    s->best = wy_block_alloc(scratch, rows, sizeof *s->best);
}

int wy_net_row(const wy_network *net, int rod, int node) {
    const wy_node_matrix *w = &net->slopes->whole;
    return wy_blocks_row(&net->slopes->blocks, w->block[w->first[rod] + node]);
}

/* ---- rods -------------------------------------------------------------------------------------------------- */

/* Six rows of an end, without what it holds. */
static void free_rows(const wy_director *rod, int which, double *m, int stride, int columns) {
    for (int j = 0; j < columns; j++) {
        double *at[6], r[3], phi[3];
        for (int i = 0; i < 6; i++) at[i] = &m[i * stride + j];
        for (int i = 0; i < 3; i++) r[i] = *at[i], phi[i] = *at[3 + i];
        const vec3 a = v3_sub(v3_from(r), wy_director_held(&rod->plan.end[which], v3_from(r)));
        const vec3 b = v3_sub(v3_from(phi), wy_slope_held_turn(rod, which, v3_from(phi)));
        for (int i = 0; i < 3; i++) *at[i] = v3_get(a, i), *at[3 + i] = v3_get(b, i);
    }
}

/* An end that is no copy: its rows of an element, and 1 - M. */
static void free_end(wy_network *net, const wy_node_matrix *w, int rod, int which,
                     const wy_matrix_part *x, int k) {
    double m[6][6];
    const wy_matrix_part held = {1, 6, &x->node[k], &m[0][0]};
    if (w->member[x->node[k]] >= 0) return;
    free_rows(&net->rod[rod], which, &x->m[6 * k * x->stride], x->stride, 6 * x->count);
    for (int i = 0; i < 36; i++) m[i / 6][i % 6] = i / 6 == i % 6;
    free_rows(&net->rod[rod], which, &m[0][0], 6, 6);
    for (int i = 0; i < 36; i++) m[i / 6][i % 6] = (i / 6 == i % 6) - m[i / 6][i % 6];
    wy_matrix_part_add(net, w, &held);
}

/* An element, and what acts on its nodes alone; minus the residual is in the last column. */
static void add_element(wy_network *net, const wy_node_matrix *w, int rod, int e) {
    const wy_director *x = &net->rod[rod];
    const int p = x->plan.p, side = 6 * (p + 1), last = e == x->plan.n - 1;
    double m[6 * WY_ELEMENT_NODES][WY_DIRECTOR_STRIDE];
    int node[WY_ELEMENT_NODES];
    const wy_matrix_part all = {p + 1, WY_DIRECTOR_STRIDE, node, &m[0][0]};
    memcpy(m, &x->slopes->plus[(size_t)e * (size_t)side], (size_t)side * sizeof *m);
    wy_node_matrix_element(net, w, rod, e, &all, node);
    for (int a = 0; a <= p; a++) {
        const int k = w->member[node[a]];
        if (k < 0) continue;
        const vec3 f = v3(m[6 * a][side], m[6 * a + 1][side], m[6 * a + 2][side]);
        net->slopes->force[k] = v3_sub(net->slopes->force[k], f);
    }
    wy_matrix_part_turn(net, w, &all);
    if (e == 0) free_end(net, w, rod, 0, &all, 0);
    if (last) free_end(net, w, rod, 1, &all, p);
    wy_matrix_part_add(net, w, &all);
}

/* ---- rigid groups and joints --------------------------------------------------------------------------------------- */

static void add_rigid_group(wy_network *net, const wy_node_matrix *w, int c) {
    wy_net_slopes *s = net->slopes;
    double a[6][6], b[6];
    const int node = w->nodes + c, block = wy_node_matrix_rigid_group(net, w, c);
    const wy_matrix_part all = {1, 6, &node, &a[0][0]};
    if (!net->plan.rigid_group[c].held) {
        wy_network_rigid_group_terms(net, c, a, b);
        wy_matrix_part_add(net, w, &all);
        return;
    }
    for (int i = 0; i < 6; i++) wy_net_block(s, block, block)[i * (wy_net_wide(s, block) + 1)] = 1;
}

/* Rows and columns of the multipliers of a joint at one of its rigid groups, c. */
static void add_multipliers(wy_network *net, const wy_network_joint *j, int side,
                            const wy_constraint_state *state) {
    wy_net_slopes *s = net->slopes;
    const int c = j->rigid_group[side], block = wy_net_rigid_group_block(net, c);
    for (int k = 0; k < j->count; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[j->first + k];
        if (constraint->multiplier < 0) continue;
        double *column = wy_net_block(s, block, constraint->block) + constraint->lies;
        double *row =
            wy_net_block(s, constraint->block, block) + constraint->lies * wy_net_wide(s, block);
        for (int i = 0; i < 6; i++) {
            row[i] += state[k].plus[6 * side + i];
            if (!net->plan.rigid_group[c].held)
                column[i * wy_net_wide(s, constraint->block)] += state[k].bar[6 * side + i];
        }
    }
}

static void add_joint(wy_network *net, const wy_node_matrix *w, const wy_network_joint *j) {
    double h[WY_PAIR][WY_PAIR] = {{0}};
    wy_constraint_state state[WY_JOINT_CONSTRAINTS];
    int node[2];
    const wy_matrix_part all = {2, WY_PAIR, node, &h[0][0]};
    wy_joint_tangent(net, j, h, state);
    for (int s = 0; s < 2; s++) {
        node[s] = j->rigid_group[s] < 0 ? -1 : w->nodes + j->rigid_group[s];
        if (node[s] >= 0) add_multipliers(net, j, s, state);
    }
    wy_matrix_part_add(net, w, &all);
}

void wy_net_assemble(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    const wy_node_matrix w = whole_of(net);
    memset(s->matrix, 0, s->blocks.values * sizeof *s->matrix);
    memset(s->force, 0, (size_t)net->plan.members * sizeof *s->force);
    for (int i = 0; i < net->plan.rods; i++)
        for (int e = 0; e < net->rod[i].plan.n && !net->rod[i].slopes->alone; e++)
            add_element(net, &w, i, e);
    for (int c = 0; c < net->plan.rigid_groups; c++) add_rigid_group(net, &w, c);
    for (int i = 0; i < net->plan.joints; i++) add_joint(net, &w, &net->plan.joint[i]);
}
