/* contact_solve.c - Newton's equations where rods touch rods: the reduced system of a network with all nodes in it.
 *
 * A contact couples nodes of two rods wherever it is, so that segments cannot be condensed: block rows are rigid groups with
 * their multipliers (director/linear/reduced.c) and every node that is no copy.  Elements and pairs are added as they are
 * (director/linear/node_matrix.c); rows that an end holds become those of the increment that is left.  The order is found again, by minimum degree, whenever pairs push that the pattern lacks.
 */
#include "method/director/contact/contacts.h"

enum { NODES = WY_ELEMENT_NODES, WIDE = WY_DIRECTOR_STRIDE };

/* ---- pattern ------------------------------------------------------------------------------------------------ */

static wy_node_matrix whole_of(wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    return (wy_node_matrix){plan->points, plan->first,        plan->member, plan->block,
                            -1,           &net->plan.reduced, net->value,   net->side};
}

withy_status wy_contacts_pattern(wy_network *net, const wy_blocks_spec *spec, withy_error *err) {
    wy_contacts_plan *plan = &net->contacts->plan;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    const size_t points = (size_t)plan->points, blocks = (size_t)spec->count + points;
    const size_t most =
        (size_t)spec->pairs + points * NODES + 3 * (size_t)plan->near + (size_t)plan->ties;
    const size_t all = blocks * blocks / 2 + 64, some = 40 * blocks + 1024;
    const size_t fill = all < some ? all : some;
    plan->member = wy_allocator_alloc(&from, points, sizeof *plan->member);
    plan->block = wy_allocator_alloc(&from, points, sizeof *plan->block);
    wy_blocks_spec *x = &plan->pattern;
    x->size = wy_allocator_alloc(&from, blocks, sizeof *x->size);
    x->after = wy_allocator_alloc(&from, blocks, sizeof *x->after);
    x->pair = wy_allocator_alloc(&from, most, sizeof *x->pair);
    plan->values = 36 * (blocks + 2 * fill);
    plan->room.size = 256 * fill + 512 * blocks + 64 * most;
    plan->room.base = wy_allocator_alloc(&from, plan->room.size, 1);
    if (from.failed) return wy_no_memory(err, "director: no memory for the contacts");
    for (int i = 0; i < spec->count; i++) {
        x->size[i] = spec->size[i];
        plan->values += (size_t)(spec->size[i] * spec->size[i]) * 8; /* with multipliers */
        for (int k = 0; k < 2; k++) x->after[i][k] = spec->after[i][k];
    }
    for (int i = 0; i < spec->pairs; i++) wy_blocks_couple(x, spec->pair[i][0], spec->pair[i][1]);
    x->count = spec->count;
    const wy_node_matrix w = whole_of(net);
    for (int i = 0; i < net->plan.rods; i++) wy_node_matrix_number(net, &w, i, x);
    return WITHY_OK;
}

withy_status wy_contacts_order(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    wy_contacts_plan *plan = &contacts->plan;
    wy_blocks_spec spec = plan->pattern;
    const wy_node_matrix w = whole_of(net);
    for (int k = 0; contacts->step && k < plan->ties; k++) {
        int unit[4];
        const int half = contacts->in[k] ? wy_contacts_tie(net, k, unit) : 0;
        for (int i = 0; i < half * half; i++)
            wy_blocks_couple(&spec, wy_node_matrix_block(net, &w, unit[i / half]),
                             wy_node_matrix_block(net, &w, unit[half + i % half]));
    }
    plan->plain = spec.pairs == plan->pattern.pairs;
    if (wy_blocks_again(&spec, &plan->room, &net->plan.reduced) &&
        net->plan.reduced.values <= plan->values) {
        wy_reduced_places(net);
        return WITHY_OK;
    }
    return wy_unsupported(
        err,
        "director: at t = %g the contacts tie so many pieces of rods together that their "
        "equations do not fit into the memory that was taken for them; use fewer "
        "elements (options.n)",
        net->rigid.step->t);
}

static void add_part(wy_network *net, const wy_matrix_part *x) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_node_matrix w = whole_of(net);
    wy_matrix_part_turn(net, &w, x);
    for (int k = 0; k < x->count; k++) {
        if (x->node[k] >= plan->points || plan->member[x->node[k]] >= 0) continue;
        const wy_contacts_point *p = &plan->point[x->node[k]];
        wy_director *rod = &net->rod[p->rod];
        const int which = wy_director_end_of(rod, p->node), rows = 6 * x->count;
        if (which >= 0) wy_director_hold(rod, which, x->m, x->stride, 6 * k, rows, rows + 1);
    }
    wy_matrix_part_add(net, &w, x);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void wy_contacts_element(wy_network *net, int rod, int e) {
    double m[6 * NODES][WIDE];
    int point[NODES];
    const wy_node_matrix w = whole_of(net);
    const wy_matrix_part all = {net->rod[rod].plan.p + 1, WIDE, point, &m[0][0]};
    wy_director_element(&net->rod[rod], e, m);
    wy_node_matrix_element(net, &w, rod, e, &all, point);
    add_part(net, &all);
}

/* Held rows have one entry, the sum of the sizes that elements and pairs gave them. */
static void scale_held(wy_network *net, int rod, int which) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_director_end *end = &net->rod[rod].plan.end[which];
    const int point = plan->first[rod] + end->node;
    if (plan->member[point] >= 0) return;
    const wy_blocks *x = &net->plan.reduced;
    const int row = wy_blocks_row(x, plan->block[point]);
    double *d = &net->value[x->diagonal[x->place[plan->block[point]]]];
    for (int i = 0; i < 6; i++)
        if (wy_director_holds(end, i)) {
            net->side[row + i] /= d[7 * i], d[7 * i] = 1;
            net->rod[rod].step->end[which].size[i] = 1;
        }
}

/* The tangents of a tie: forces have been added with those of nodes and rigid groups, right sides are zero. */
static void add_tie(wy_network *net, int k) {
    int unit[4];
    double pair[24][25], m[WY_BODY_ROWS][WY_BODY_ROWS + 1];
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_matrix_part two = {4, 25, unit, &pair[0][0]},
                         one = {2, WY_BODY_ROWS + 1, unit, &m[0][0]};
    if (k < plan->near) {
        if (wy_contacts_tangent(net, k, unit, pair)) add_part(net, &two);
        return;
    }
    wy_contacts_tie(net, k, unit);
    int body, to;
    for (int a = wy_contacts_tie_supports(plan, k, &to, &body); a < to; a++)
        if (wy_contacts_body_tangent(net, a, body, m)) add_part(net, &one);
}

void wy_contacts_fill(wy_network *net) {
    for (int k = 0; k < net->contacts->plan.ties; k++)
        if (net->contacts->in[k]) add_tie(net, k);
    for (int i = 0; i < 2 * net->plan.rods; i++) scale_held(net, i / 2, i % 2);
}

void wy_contacts_spread(wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_contacts_point *p = &plan->point[a];
        wy_director *rod = &net->rod[p->rod];
        double *change = rod->next[p->node].change;
        if (plan->member[a] >= 0) {
            wy_group_node_change(net, plan->member[a], change);
            continue;
        }
        const int row = wy_blocks_row(&net->plan.reduced, plan->block[a]);
        memcpy(change, &net->side[row], 6 * sizeof *change);
        const int end = wy_director_end_of(rod, p->node);
        if (end >= 0) wy_director_hold_back(rod, end, change);
    }
}
