/* gradient_tendon.c - tensions that are unknown, next to the equations of a network, forwards and backwards.
 *
 * With the columns Bbar and rows B+ of director/force/network_tendon.c and what the lengths miss, g,
 *
 *   [ A   Bbar ] [dq+]   [ side ]            [ A^T     B+^T ] [mu]   [ dJ/dq+ ]
 *   [ B+   0   ] [dT ] = [ dg   ]            [ Bbar^T   0   ] [nu] = [   0    ]                       (1)
 *
 * A tension is a multiplier, the mean of its step, and no part of the state after it.  Rows of held ends and of held
 * rigid groups are those of B (gradient_chain.c (1)).
 */
#include "method/director/gradient/gradient_network.h"

void wy_net_layout_border(wy_network *net, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)wy_net_explicit_rows(net);
    const size_t gaps = (size_t)(s->groups * net->plan.columns) + 1;
    wy_border_layout(&s->border, net->plan.columns, s->blocks.rows, scratch);
    s->gap = wy_block_alloc(scratch, gaps, sizeof *s->gap);
    s->given_by = wy_block_alloc(scratch, rows, sizeof *s->given_by);
    s->one = wy_block_alloc(scratch, rows, sizeof *s->one);
}

const double *wy_net_tendon_line(wy_network *net, int rod, int tendon, int plus) {
    wy_director *x = &net->rod[rod];
    memset(net->line[0], 0, 6 * (size_t)x->plan.node_count * sizeof *net->line[0]);
    wy_director_tendon_line(x, tendon, plus, net->line[0]);
    return net->line[0];
}

/* ---- columns and rows -------------------------------------------------------------------------------------------- */

/* A vector of rigid groups and nodes (wy_network_gather) in the rows of the matrix. */
static void place(const wy_network *net, const double *from, double *to) {
    const wy_net_slopes *s = net->slopes;
    memset(to, 0, (size_t)s->blocks.rows * sizeof *to);
    for (int c = 0; c < net->plan.rigid_groups; c++, from += 6)
        memcpy(&to[wy_blocks_row(&s->blocks, wy_net_rigid_group_block(net, c))], from,
               6 * sizeof *to);
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            if (wy_net_member(net, i)[j] >= 0) continue;
            memcpy(&to[wy_net_row(net, i, j)], from, 6 * sizeof *to);
            from += 6;
        }
}

/* Eight columns at a time. */
static void spread_columns(wy_network *net, int first) {
    const wy_net_slopes *s = net->slopes;
    const int rows = s->blocks.rows, count = s->border.count - first;
    for (int i = 0; i < rows; i++)
        for (int l = 0; l < WY_PACK; l++)
            s->b[i][l] = l < count ? s->border.bar[(first + l) * rows + i] : 0;
    wy_net_solve(net);
    for (int l = 0; l < WY_PACK && l < count; l++)
        for (int i = 0; i < rows; i++) s->border.spread[(first + l) * rows + i] = s->x[i][l];
}

static void spread_row(wy_network *net, int k) {
    const wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows;
    memcpy(s->requested, &s->border.bar[(size_t)k * rows], rows * sizeof *s->requested);
    wy_net_solve_transposed(net);
    memcpy(&s->border.spread[(size_t)k * rows], s->mu, rows * sizeof *s->mu);
}

withy_status wy_net_border(wy_network *net, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    wy_border *border = &s->border, *own = &net->border;
    const size_t rows = (size_t)s->blocks.rows;
    if (!border->count) return WITHY_OK;
    wy_network_tendon_columns(net);
    for (int k = 0; k < border->count; k++) { /* backwards columns are rows */
        const size_t at = (size_t)k * rows, from = (size_t)(k * own->rows);
        place(net, &own->bar[from], &(s->tape ? border->plus : border->bar)[at]);
        place(net, &own->plus[from], &(s->tape ? border->bar : border->plus)[at]);
    }
    for (int k = 0; k < border->count; k += s->tape ? 1 : WY_PACK)
        s->tape ? spread_row(net, k) : spread_columns(net, k);
    if (wy_border_close(border)) return WITHY_OK;
    return wy_no_convergence(
        err, "director: tendons of given length hold each other here, so that there is no "
             "derivative of their tensions");
}

/* ---- (1) -------------------------------------------------------------------------------------------------------- */

void wy_net_border_solve(wy_network *net, int group) {
    wy_net_slopes *s = net->slopes;
    wy_border *border = &s->border;
    for (int l = 0; l < WY_PACK && border->count; l++) {
        for (int i = 0; i < border->rows; i++) border->line[i] = s->x[i][l];
        for (int k = 0; k < border->count; k++)
            border->gap[k] = s->gap[group * border->count + k][l];
        wy_border_solve(border, border->line);
        for (int i = 0; i < border->rows; i++) s->x[i][l] = border->line[i];
    }
}

void wy_net_border_solve_transposed(wy_network *net) {
    wy_border *border = &net->slopes->border;
    if (!border->count) return;
    memset(border->gap, 0, (size_t)border->count * sizeof *border->gap);
    wy_border_solve(border, net->slopes->mu);
}

/* ---- rows at the nodes of a rod --------------------------------------------------------------------------------- */

void wy_net_tendons_miss(wy_network *net, int rod, const pack *change, pack *gap) {
    const wy_director_plan *plan = &net->rod[rod].plan;
    for (int k = 0; k < plan->tendon_count; k++) {
        if (plan->tendon[k].column < 0) continue;
        const double *row = wy_net_tendon_line(net, rod, k, 1);
        for (int i = 0; i < 6 * plan->node_count; i++)
            gap[plan->tendon[k].column] -= row[i] * change[i];
    }
}

void wy_net_tendons_transposed(wy_network *net, int rod, double *y) {
    const wy_director_plan *plan = &net->rod[rod].plan;
    for (int k = 0; k < plan->tendon_count; k++) {
        if (plan->tendon[k].column < 0) continue;
        const double *row = wy_net_tendon_line(net, rod, k, 1);
        const double nu = net->slopes->border.change[plan->tendon[k].column];
        for (int i = 0; i < 6 * plan->node_count; i++) y[i] += row[i] * nu;
    }
}
