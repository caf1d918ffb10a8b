/* gradient.c - the exact derivative of a step and of an equilibrium of a rod: forward, eight parameters to a lane.
 *
 * A step solves F(q+; q-, v-, W-, p) = 0.  Its derivative is
 *
 *   A dq+ = -(dF/dq- dq- + dF/dv- dv- + dF/dW- dW- + dF/dp),   A = dF/dq+                          (1)
 *   dv+ = 2 (dr+ - dr-)/h - dv-,   dW+ = (2/h) R-^T G (dphi+ - dphi-) - dW-                        (2)
 *
 * Here are the right side of (1) and A of a rod, and (2); gradient_network.c puts the rods of a network together and
 * solves.  All terms of F but inertia depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and
 * -h for h, the step has the same stresses and forces, so that dF/dq- is what the kernels assemble as dF/dq+ of
 * that step.  So it is done for nodes and loads; elements are differentiated by q- in lanes, without a matrix
 * (gradient_lane.c); inertia and lumps, which contain v- and u-, in gradient_start.c.
 */
#include "method/director/gradient/gradient_network.h"

/* ---- memory ------------------------------------------------------------------------------------------ */

withy_status wy_slope_take(wy_director *x, int alone, withy_error *err) {
    wy_allocator from = {.arena = x->setup->arena};
    wy_slopes *s = wy_allocator_alloc(&from, 1, sizeof *s);
    if (!s) return wy_no_memory(err, "director: no memory for derivatives");
    s->count = x->setup->tangents, s->groups = (s->count + WY_PACK - 1) / WY_PACK;
    s->nodes = x->network ? wy_network_of(x)->plan.rigid_groups : x->plan.node_count;
    s->rows = 6 * s->nodes + (x->network ? wy_network_of(x)->plan.multipliers : 0);
    s->live = wy_allocator_alloc(&from, (size_t)s->count + 1, sizeof *s->live);
    x->slopes = s;
    wy_fields_count(x);
    wy_fields_take(x, &from);
    if (from.failed)
        return wy_no_memory(err, "director: no memory for derivatives by %d parameters", s->count);
    s->alone = alone;
    return WITHY_OK;
}

static void layout_back(const wy_director *x, wy_director *back, wy_block *scratch) {
    const size_t points = (size_t)x->plan.n * (size_t)x->plan.p, nodes = (size_t)x->slopes->nodes;
    back->node = wy_block_alloc(scratch, nodes, sizeof *back->node);
    back->next = wy_block_alloc(scratch, nodes, sizeof *back->next);
    back->strain = wy_block_alloc(scratch, points, sizeof *back->strain);
    back->stress = wy_block_alloc(scratch, points, sizeof *back->stress);
    back->step = wy_block_alloc(scratch, 1, sizeof *back->step);
}

void wy_slope_layout(wy_director *x, wy_block *state, wy_block *scratch) {
    wy_slopes *s = x->slopes;
    const size_t groups = (size_t)s->groups, nodes = (size_t)s->nodes;
    const size_t rows = 6 * (size_t)(x->plan.p + 1) * (size_t)x->plan.n;
    if (!x->setup->tape) {
        s->start = wy_block_alloc(state, groups, wy_slope_start_size(x));
        s->kept = wy_block_alloc(state, groups, sizeof *s->kept);
        s->side = wy_block_alloc(scratch, groups * (size_t)s->rows, sizeof *s->side);
        s->change = wy_block_alloc(scratch, 6 * nodes, sizeof *s->change);
        s->rest = wy_block_alloc(scratch, 6 * nodes, sizeof *s->rest);
    }
    s->plus = wy_block_alloc(scratch, rows, sizeof *s->plus);
    s->node_plus = wy_block_alloc(scratch, nodes, sizeof *s->node_plus);
    wy_fields_layout_acting(s, scratch);
    layout_back(x, &s->back, scratch);
}

/* ---- assembly ---------------------------------------------------------------------------------------- */

void wy_slope_plus(wy_director *x) {
    const size_t rows = 6 * (size_t)(x->plan.p + 1);
    if (x->slopes->alone) {
        wy_chain_factor(x);
        return;
    }
    x->step->has_stress_of_guess = 1; /* sigma is the stress itself */
    for (int e = 0; e < x->plan.n; e++)
        wy_director_element(x, e, &x->slopes->plus[(size_t)e * rows]);
    x->step->has_stress_of_guess = 0;
}

void wy_slope_plus_times(const wy_director *x, const pack *change, pack *side) {
    const wy_slopes *s = x->slopes;
    const int p = x->plan.p, rows = 6 * (p + 1);
    for (int e = 0; e < x->plan.n; e++)
        wy_slope_times(p, (const double(*)[WY_DIRECTOR_STRIDE]) & s->plus[e * rows],
                       &change[6 * e * p], &side[6 * e * p]);
    for (int j = 0; j < x->plan.node_count; j++) {
        const int plain = x->step->dynamic && wy_slope_is_plain(x, j);
        for (int i = 0; i < 6; i++)
            for (int k = plain ? (i < 3 ? i : 3) : 0; k < (plain && i < 3 ? i + 1 : 6); k++)
                side[6 * j + i] -= s->node_plus[j][i][k] * change[6 * j + k];
    }
}

void wy_slope_plus_transposed(const wy_director *x, const double *mu, double *y) {
    const wy_slopes *s = x->slopes;
    const int p = x->plan.p, rows = 6 * (p + 1);
    for (int e = 0; e < x->plan.n; e++)
        wy_slope_transposed(p, (const double(*)[WY_DIRECTOR_STRIDE]) & s->plus[e * rows],
                            &mu[6 * e * p], &y[6 * e * p]);
    for (int j = 0; j < x->plan.node_count; j++)
        for (int n = 0; n < 36; n++)
            y[6 * j + n % 6] += s->node_plus[j][n / 6][n % 6] * mu[6 * j + n / 6];
}

/* By the start of the step: loads on an element; with tendons all of it, which lanes leave out. */
static void assemble_start(wy_director *x, int e) {
    wy_slopes *s = x->slopes;
    const int p = x->plan.p, rows = 6 * (p + 1);
    double minus[6 * WY_ELEMENT_NODES][WY_DIRECTOR_STRIDE];
    memset(minus, 0, (size_t)rows * sizeof *minus);
    if (x->tendon_stress)
        wy_director_element(&s->back, e, minus);
    else
        wy_director_loads_add(&s->back, e, &minus[0][0], WY_DIRECTOR_STRIDE, rows);
    for (int g = 0; g < s->groups; g++) {
        pack q[6 * WY_ELEMENT_NODES];
        for (int i = 0; i < rows; i++) q[i] = wy_slope_nodes(x, g)[e * p + i / 6].q[i % 6];
        wy_slope_times(p, (const double(*)[WY_DIRECTOR_STRIDE])minus, q,
                       wy_slope_side(x, g) + 6 * e * p);
    }
}

static void assemble_elements(wy_director *x) {
    for (int e = 0; e < x->plan.n; e++) {
        wy_slope_element(x, e);
        if (x->step->dynamic && (x->tendon_stress || wy_director_loaded(x, e)))
            assemble_start(x, e);
    }
}

/* ---- the end of the step --------------------------------------------------------------------------- */

static pack3 held_place(const wy_director_end *end, pack3 v) {
    const pack3 none = {splat(0), splat(0), splat(0)};
    const pack3 axis[2] = {splat3(end->track.c3), splat3(end->track.c2)};
    for (int i = 0; i < 3 - end->places && i < 2; i++)
        v = sub3(v, scale3(dot3(axis[i], v), axis[i]));
    return end->places ? v : none;
}

static pack3 held_turn(const wy_director_end *end, vec3 axis, pack3 v) {
    const pack3 none = {splat(0), splat(0), splat(0)}, about = splat3(axis);
    if (!end->holds_frame) return none;
    return end->turns_free ? sub3(v, scale3(dot3(about, v), about)) : v;
}

void wy_slope_hold_end(const wy_director *x, int which, const wy_slope_act *to, const pack *change,
                       pack side[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const vec3 axis = x->step->end[which].target.c3;
    pack3 place = of3(to->place), turn = of3(to->turn);
    if (change) place = sub3(place, of3(change)), turn = sub3(turn, of3(change + 3));
    const pack3 r = sub3(of3(side), held_place(end, of3(side)));
    const pack3 phi = sub3(of3(side + 3), held_turn(end, axis, of3(side + 3)));
    keep3(side, add3(r, held_place(end, place)));
    keep3(side + 3, add3(phi, held_turn(end, axis, turn)));
}

/* du+ = 2 d(x+ - x-)/h - du- */
static void move_lump(wy_director *x, int group, int which) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_slope_node *node = &wy_slope_nodes(x, group)[end->node];
    const pack *change = &x->slopes->change[6 * end->node];
    const mat3 plus = tri_matrix(x->next[end->node].d), minus = tri_matrix(x->node[end->node].d);
    const pack3 arm = of3(x->slopes->field[group].end[which].arm);
    pack3 way = sub3(of3(change), of3(node->q));
    way = add3(way, cross3(of3(change + 3), splat3(m3_mul(plus, end->arm))));
    way = sub3(way, cross3(of3(node->q + 3), splat3(m3_mul(minus, end->arm))));
    way = add3(way, sub3(times3(plus, arm), times3(minus, arm)));
    pack *u = &wy_slope_start(x, group)[12 * x->plan.node_count + 3 * which];
    keep3(u, sub3(scale3(splat(2.0 / x->step->h), way), of3(u)));
}

/* (2) */
static void move_node(const wy_director *x, int j, const pack change[6], wy_slope_node *node) {
    const pack twice = splat(2.0 / x->step->h);
    const pack3 r = of3(change), phi = of3(change + 3);
    const mat3 turn =
        m3_mulm(m3_transpose(tri_matrix(x->node[j].d)), wy_director_spin_map(x->next[j].theta));
    keep3(node->v, sub3(scale3(twice, sub3(r, of3(node->q))), of3(node->v)));
    const pack3 spin = times3(turn, sub3(phi, of3(node->q + 3)));
    keep3(node->w, sub3(scale3(twice, spin), of3(node->w)));
}

void wy_slope_keep(wy_director *x, int group, double fault) {
    wy_slope_kept *kept = &x->slopes->kept[group];
    const int moving = x->step->dynamic;
    kept->fault = moving ? wy_max(kept->fault, fault) : fault;
    if (!moving) memset(wy_slope_start(x, group), 0, wy_slope_start_size(x));
    for (int i = 0; i < 2 && moving && !x->network; i++) move_lump(x, group, i);
    for (int j = 0; j < x->slopes->nodes; j++) {
        const pack *change = &x->slopes->change[6 * j];
        wy_slope_node *node = &wy_slope_nodes(x, group)[j];
        if (moving) move_node(x, j, change, node);
        memcpy(node->q, change, sizeof node->q);
        const pack size = dot3(of3(node->q), of3(node->q));
        for (int l = 0; l < WY_PACK && moving; l++)
            kept->grown[l] = wy_max(kept->grown[l], size[l]);
    }
}

withy_status wy_slope_assemble(wy_director *x, double t_load, double t_pose, withy_error *err) {
    wy_slopes *s = x->slopes;
    WY_TRY(wy_fields_act(x, t_load, t_pose, err));
    memset(s->side, 0, (size_t)s->groups * (size_t)s->rows * sizeof *s->side);
    wy_slope_plus(x);
    if (x->step->dynamic) wy_slope_turn_back(x);
    assemble_elements(x);
    wy_slope_nodes_take(x);
    return WITHY_OK;
}
