/* mixed.c - the pieces of the mixed matrix: elements, rigid groups, joints (director/static/mixed.h). */
#include "method/director/static/mixed.h"

enum { LOCAL = WY_DIRECTOR_MIXED };

/* ---- an element -------------------------------------------------------------------------------------- */

/* L and 1, over the root of a moment: EI/L, or that of the largest force at a distance of L. */
static wy_mixed_place scales_of(const wy_director *x) {
    const double length = x->plan.length, bend = length * length / wy_director_compliance(x);
    double most = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 3; k++) most = wy_max(most, fabs(x->stress[i].sigma[0][k]));
    const double turn = 1 / sqrt(wy_max(bend, most * length));
    return (wy_mixed_place){.shift = turn * length, .turn = turn, .member = -1};
}

double wy_mixed_scale(const wy_mixed_place *at, int k) {
    return k < 3 ? at->shift : at->turn;
}

/* Held rows and the axes of an end that slides or turns.  Who only counts leaves alone what factors made before have of
 * it. */
static void hold_end(wy_director *x, int which, int local, int rows, int holds,
                     double (*m)[LOCAL + 1]) {
    wy_director_end_step *to = &x->step->end[which];
    const wy_director_end_step kept = *to;
    wy_director_hold(x, which, &m[0][0], LOCAL + 1, 6 * local, rows, rows + 1);
    if (!holds) *to = kept;
}

/* The copies among the nodes of element e; column `rows` has minus the residual of nodes alone. */
static void turn_members(const wy_network *net, wy_director *x, int e, const wy_mixed_place *at,
                         int rows, double (*m)[LOCAL + 1]) {
    const int p = x->plan.p;
    const wy_matrix_rows all = {rows, rows, LOCAL + 1, &m[0][0]};
    double f[WY_ELEMENT_NODES][6];
    if (at[0].member < 0 && at[p].member < 0) return;
    wy_director_element_side(x, e, f);
    for (int a = 0; a <= p; a += p) {
        const vec3 own = v3(m[6 * a][rows], m[6 * a + 1][rows], m[6 * a + 2][rows]);
        const vec3 force = v3_scale(-1, v3_add(own, v3_from(f[a])));
        if (at[a].member >= 0) wy_group_node_turn(net, at[a].member, force, &all, 6 * a);
    }
}

/* ---- a rod ------------------------------------------------------------------------------------------- */

/* Where a node is; one that is new gets rows. */
static wy_mixed_place place_of(wy_mixed *w, const wy_network *net, const wy_director *x, int rod,
                               const wy_mixed_place *own, int node) {
    const int copy = node % x->plan.p == 0 ? wy_group_node_of(net, rod, node) : -1;
    const int end = wy_director_end_of(x, node);
    wy_mixed_place at = *own;
    if (copy >= 0) {
        at = w->rigid_group[net->plan.member[copy].rigid_group];
        at.member = copy;
    }
    for (int k = 0; k < 6 && copy < 0; k++) {
        const int held = end >= 0 && !w->holds && wy_director_holds(&x->plan.end[end], k);
        at.row[k] = held ? -1 : w->rows++;
    }
    if (w->rod) w->rod[rod].node[node] = at;
    return at;
}

/* Rows and columns of an element, and their scales. */
static void number(wy_mixed *w, const wy_director *x, int rod, int e, double unit,
                   const wy_mixed_place *at, int *row, int *column, double *scale) {
    const int p = x->plan.p, nodes = 6 * (p + 1);
    for (int i = 0; i < nodes; i++) {
        const wy_mixed_place *node = &at[i / 6];
        column[i] = node->row[i % 6];
        row[i] = node->held ? -1 : column[i];
        scale[i] = wy_mixed_scale(node, i % 6);
    }
    for (int i = nodes; i < nodes + 3 * p; i++) {
        row[i] = column[i] = w->rows++, scale[i] = unit;
        if (w->rod) w->rod[rod].force[3 * e * p + i - nodes] = row[i];
    }
    w->forces += 3 * p;
}

static void add_element(wy_mixed *w, const wy_network *net, wy_director *x, int rod, int e,
                        double unit, const wy_mixed_place *at) {
    const int p = x->plan.p, rows = 6 * (p + 1) + 3 * p, last = e == x->plan.n - 1;
    double m[LOCAL][LOCAL + 1], scale[LOCAL];
    int row[LOCAL], column[LOCAL];
    wy_director_element_mixed(x, e, m);
    for (int a = 0; a < p + last; a++)
        wy_director_add_node(x, e * p + a, &m[0][0], LOCAL + 1, 6 * a, rows);
    turn_members(net, x, e, at, rows, m);
    if (e == 0 && at[0].member < 0) hold_end(x, 0, 0, rows, w->holds, m);
    if (last && at[p].member < 0) hold_end(x, 1, p, rows, w->holds, m);
    number(w, x, rod, e, unit, at, row, column, scale);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) m[i][j] *= scale[i] * scale[j];
    wy_front_add(w->to, rows, row, column, &m[0][0], LOCAL + 1);
    for (int a = 0; a <= p; a++)
        if (at[a].member >= 0 || (a == p && !last)) memset(&row[6 * a], -1, 6 * sizeof *row);
    for (int a = 0; a < p + last; a++) {
        if (at[a].member >= 0) continue;
        const int number = net->plan.rigid_groups + w->nodes++;
        if (w->more) w->more(w, x, e * p + a, number, &at[a]);
    }
    wy_front_complete(w->to, rows, row);
}

static withy_status add_rod(wy_mixed *w, const wy_network *net, wy_director *x, int rod,
                            withy_error *err) {
    wy_mixed_place at[WY_ELEMENT_NODES];
    WY_TRY(wy_director_state_loads_at(x, 1, err));
    const wy_mixed_place own = scales_of(x);
    if (w->rod) w->rod[rod].unit = 1 / own.shift;
    at[0] = place_of(w, net, x, rod, &own, 0);
    for (int e = 0; e < x->plan.n; e++) {
        for (int a = 1; a <= x->plan.p; a++)
            at[a] = place_of(w, net, x, rod, &own, e * x->plan.p + a);
        add_element(w, net, x, rod, e, 1 / own.shift, at);
        at[0] = at[x->plan.p];
    }
    return WITHY_OK;
}

/* ---- a network --------------------------------------------------------------------------------------- */

/* The stiffest rod of each rigid group; of one without a rod, that of all. */
static void place_rigid_groups(wy_mixed *w, const wy_network *net) {
    wy_mixed_place *at = w->rigid_group, all = {.shift = INFINITY};
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_mixed_place own = scales_of(&net->rod[i]);
        if (own.shift < all.shift) all = own;
    }
    if (!net->plan.rods) {
        const double rate = wy_network_statics.rate(net), length = net->plan.length;
        all.shift = rate > 0 ? 1 / sqrt(rate * length) : 1.0, all.turn = all.shift / length;
    }
    for (int c = 0; c < net->plan.rigid_groups; c++) at[c] = (wy_mixed_place){.shift = INFINITY};
    for (int i = 0; i < net->plan.members; i++) {
        const wy_group_node *k = &net->plan.member[i];
        const wy_mixed_place own = scales_of(&net->rod[k->rod]);
        if (own.shift < at[k->rigid_group].shift) at[k->rigid_group] = own;
    }
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        if (!(at[c].shift < INFINITY)) at[c] = all;
        const int held = net->plan.rigid_group[c].held;
        at[c].held = held;
        for (int k = 0; k < 6; k++) at[c].row[k] = held && !w->holds ? -1 : w->rows++;
    }
}

static void add_rigid_group(wy_mixed *w, const wy_network *net, int c) {
    const wy_mixed_place *at = &w->rigid_group[c];
    double a[6][6] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}},
           b[6];
    if (!at->held) wy_network_rigid_group_terms(net, c, a, b);
    for (int i = 0; i < 36 && !at->held; i++)
        a[i / 6][i % 6] *= wy_mixed_scale(at, i / 6) * wy_mixed_scale(at, i % 6);
    wy_front_add(w->to, 6, at->row, at->row, &a[0][0], 6);
    if (w->more) w->more(w, NULL, 0, c, at);
    wy_front_complete(w->to, 6, at->row);
}

/* The row of a multiplier, scaled to length 1, and complete; of one that is not in use that of the identity. */
static void add_lock(wy_mixed *w, const int *row, const int *column, const double *scale,
                     const double *plus, int multiplier, int off) {
    double m[WY_PAIR + 1][WY_PAIR + 1] = {{0}}, square = 0;
    int down[WY_PAIR + 1], across[WY_PAIR + 1];
    for (int i = 0; i < WY_PAIR && !off; i++)
        if (column[i] >= 0) square += scale[i] * plus[i] * scale[i] * plus[i];
    const double unit = square > 0 ? 1 / sqrt(square) : 0.0;
    for (int i = 0; i < WY_PAIR; i++) {
        down[i] = row[i], across[i] = column[i];
        m[i][WY_PAIR] = m[WY_PAIR][i] = scale[i] * plus[i] * unit;
    }
    m[WY_PAIR][WY_PAIR] = off;
    down[WY_PAIR] = across[WY_PAIR] = w->rows++;
    if (w->lock) w->lock[multiplier] = down[WY_PAIR], w->lock_unit[multiplier] = off ? 0 : unit;
    if (w->to->part != 0) wy_front_lower(w->to, down[WY_PAIR]);
    w->forces++;
    wy_front_add(w->to, WY_PAIR + 1, down, across, &m[0][0], WY_PAIR + 1);
    wy_front_complete(w->to, 1, &down[WY_PAIR]);
}

static void add_joint(wy_mixed *w, const wy_network *net, const wy_network_joint *j) {
    double h[WY_PAIR][WY_PAIR] = {{0}}, scale[WY_PAIR];
    int row[WY_PAIR], column[WY_PAIR];
    wy_constraint_state pull[WY_JOINT_CONSTRAINTS];
    wy_joint_tangent(net, j, h, pull);
    for (int i = 0; i < WY_PAIR; i++) {
        const wy_mixed_place *c =
            j->rigid_group[i / 6] < 0 ? NULL : &w->rigid_group[j->rigid_group[i / 6]];
        column[i] = c ? c->row[i % 6] : -1;
        row[i] = c && !c->held ? column[i] : -1;
        scale[i] = c ? wy_mixed_scale(c, i % 6) : 0;
    }
    for (int k = 0; k < j->count; k++) {
        const int multiplier = net->plan.constraint[j->first + k].multiplier;
        if (multiplier >= 0)
            add_lock(w, row, column, scale, pull[k].plus, multiplier,
                     w->to->part == 0 && wy_loops_leave(net, j->first + k));
    }
    for (int i = 0; i < WY_PAIR * WY_PAIR; i++)
        h[i / WY_PAIR][i % WY_PAIR] *= scale[i / WY_PAIR] * scale[i % WY_PAIR];
    wy_front_add(w->to, WY_PAIR, row, column, &h[0][0], WY_PAIR);
}

/* After which rod a joint, and a rigid group with all its joints, is complete. */
static void find_turns(const wy_network *net, int *rigid_group, int *joint) {
    const wy_network_plan *plan = &net->plan;
    for (int c = 0; c < plan->rigid_groups; c++) rigid_group[c] = 0;
    for (int i = 0; i < plan->members; i++) {
        int *of = &rigid_group[plan->member[i].rigid_group];
        *of = wy_max(*of, plan->member[i].rod);
    }
    for (int i = 0; i < plan->joints; i++) {
        joint[i] = 0;
        for (int s = 0; s < 2; s++)
            if (plan->joint[i].rigid_group[s] >= 0)
                joint[i] = wy_max(joint[i], rigid_group[plan->joint[i].rigid_group[s]]);
    }
    for (int i = 0; i < plan->joints; i++)
        for (int s = 0; s < 2; s++) {
            const int c = plan->joint[i].rigid_group[s];
            if (c >= 0) rigid_group[c] = wy_max(rigid_group[c], joint[i]);
        }
}

withy_status wy_mixed_fill(wy_mixed *w, wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    int *joint = w->turn + plan->rigid_groups;
    w->net = net, w->nodes = 0;
    place_rigid_groups(w, net);
    find_turns(net, w->turn, joint);
    for (int i = 0; i < wy_max(plan->rods, 1); i++) {
        if (plan->rods) WY_TRY(add_rod(w, net, &net->rod[i], i, err));
        for (int k = 0; k < plan->joints; k++)
            if (joint[k] == i) add_joint(w, net, &plan->joint[k]);
        for (int c = 0; c < plan->rigid_groups; c++)
            if (w->turn[c] == i) add_rigid_group(w, net, c);
    }
    return WITHY_OK;
}
