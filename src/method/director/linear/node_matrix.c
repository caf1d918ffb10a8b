/* node_matrix.c - matrices with all nodes of a network in them: where rods touch rods, and for derivatives.
 *
 * A block row is a rigid group with its multipliers (director/linear/reduced.c, whose blocks come first) or a node that is no copy.
 * Rows and columns of a copy go to its rigid group (wy_group_node_turn).
 */
#include "method/director/network.h"

int wy_node_matrix_rigid_group(const wy_network *net, const wy_node_matrix *w, int c) {
    if (c < wy_network_moving(net)) return c < 0 ? -1 : net->plan.rigid_group[c].block;
    return w->standing < 0 ? -1 : w->standing + c - wy_network_moving(net);
}

void wy_node_matrix_number(const wy_network *net, const wy_node_matrix *w, int rod,
                           wy_blocks_spec *x) {
    const wy_director_plan *plan = &net->rod[rod].plan;
    int *block = &w->block[w->first[rod]], *member = &w->member[w->first[rod]];
    for (int j = 0; j < plan->node_count; j++) {
        member[j] = j % plan->p ? -1 : wy_group_node_of(net, rod, j);
        if (member[j] >= 0) {
            block[j] = wy_node_matrix_rigid_group(net, w, net->plan.member[member[j]].rigid_group);
            continue;
        }
        x->after[x->count][0] = x->after[x->count][1] = -1;
        x->size[x->count] = 6, block[j] = x->count++;
    }
    for (int e = 0; e < plan->n; e++, block += plan->p)
        for (int a = 0; a <= plan->p; a++)
            for (int b = a + 1; b <= plan->p; b++) wy_blocks_couple(x, block[a], block[b]);
}

void wy_node_matrix_element(const wy_network *net, const wy_node_matrix *w, int rod, int e,
                            const wy_matrix_part *x, int *node) {
    const wy_director *own = &net->rod[rod];
    const int p = own->plan.p, side = 6 * (p + 1);
    for (int a = 0; a <= p; a++) {
        node[a] = w->first[rod] + e * p + a;
        if (a < p || e == own->plan.n - 1) /* else it is of the next element */
            wy_director_add_node(own, e * p + a, x->m, x->stride, 6 * a, side);
    }
}

/* ---- one contribution ------------------------------------------------------------------------------------------ */

static double *entry(const wy_matrix_part *x, int i, int j) {
    return &x->m[i * x->stride + j];
}

void wy_matrix_part_turn(const wy_network *net, const wy_node_matrix *w, const wy_matrix_part *x) {
    for (int k = 0; k < x->count; k++) {
        const int member = x->node[k] < w->nodes ? w->member[x->node[k]] : -1, side = 6 * x->count;
        const wy_matrix_rows all = {side, side + 1, x->stride, x->m};
        const vec3 force =
            v3(-*entry(x, 6 * k, side), -*entry(x, 6 * k + 1, side), -*entry(x, 6 * k + 2, side));
        if (member >= 0) wy_group_node_turn(net, member, force, &all, 6 * k);
    }
}

static int rigid_group_of(const wy_network *net, const wy_node_matrix *w, int node) {
    if (node < 0 || node >= w->nodes) return node < 0 ? -1 : node - w->nodes;
    return w->member[node] < 0 ? -1 : net->plan.member[w->member[node]].rigid_group;
}

int wy_node_matrix_block(const wy_network *net, const wy_node_matrix *w, int node) {
    if (node < 0) return -1;
    return node < w->nodes ? w->block[node] : wy_node_matrix_rigid_group(net, w, node - w->nodes);
}

void wy_matrix_part_add(const wy_network *net, const wy_node_matrix *w, const wy_matrix_part *x) {
    const wy_blocks *blocks = w->blocks;
    for (int k = 0; k < x->count; k++) {
        const int c = rigid_group_of(net, w, x->node[k]),
                  block = wy_node_matrix_block(net, w, x->node[k]);
        if (block < 0 || (c >= 0 && net->plan.rigid_group[c].held))
            continue; /* rows of the identity */
        const int row = wy_blocks_row(blocks, block);
        for (int i = 0; i < 6 && w->side; i++)
            w->side[row + i] += *entry(x, 6 * k + i, 6 * x->count);
        for (int l = 0; l < x->count; l++) {
            const int other = wy_node_matrix_block(net, w, x->node[l]);
            if (other < 0) continue;
            const int wide = blocks->size[blocks->place[other]];
            double *to = &w->value[wy_blocks_at(blocks, block, other)];
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) to[i * wide + j] += *entry(x, 6 * k + i, 6 * l + j);
        }
    }
}
