/* gradient_mode.c - derivatives of frequencies.
 *
 * With the mode phi of the equilibrium q(p), phi^T M phi = 1,
 *
 *   d(omega^2)/dp = phi^T (dK/dp - omega^2 dM/dp) phi      along (dq/dp, p),
 *
 * which is the derivative of Rayleigh's quotient of the same phi: its own change is of no account to first order.
 * The quotient is evaluated from strains (director/modes.c) on rods whose fields and nodes are moved by a little
 * of their derivatives, at five points, so that rounding of 1e-12 remains.  The shift of the equilibrium counts:
 * without it a sagging rod's derivatives are wrong by as much as they are large.  Clusters that move have a part in
 * both sums which is not differentiated: such networks are refused.
 */
#include <string.h>

#include "method/director/gradient_network.h"

/* Largest relative change of a field, and largest turn and displacement over L, between two points. */
static const double LITTLE = 1e-3;

/* The rod moved by `way` of parameter k: a copy of what the quotient looks at. */
static void move_nodes(wy_director *y, const wy_slope_node *d, int l, double way) {
    for (int j = 0; j < y->plan.node_count; j++) {
        wy_director_node *node = &y->node[j];
        const vec3 turn = v3_scale(way, wy_slope_lane(d[j].phi, l));
        node->r = v3_axpy(node->r, way, wy_slope_lane(d[j].r, l));
        node->d = tri_from(m3_mulm(q_matrix(q_exp(turn)), tri_matrix(node->d)));
    }
}

static void move_fields(wy_director *y, const wy_slope_fields *f, int l, double way) {
    wy_director_plan *plan = &y->plan;
    for (int i = 0; i < plan->n * plan->p; i++) {
        wy_director_section *section = &plan->section[i];
        for (int c = 0; c < 6; c++) {
            section->c[c / 3][c % 3] += way * f->section[i].c[c][l];
            section->rest[c / 3][c % 3] += way * f->section[i].rest[c][l];
        }
        section->weight += way * f->section[i].weight[l];
    }
    for (int e = 0; e < plan->n; e++) plan->size[e] += way * f->size[e][l];
    for (int j = 0; j < plan->node_count; j++) {
        plan->mass[j].mass += way * f->mass[j].mass[l];
        plan->mass[j].share += way * f->mass[j].share[l];
        for (int c = 0; c < 3; c++) plan->mass[j].rotary[c] += way * f->mass[j].rotary[c][l];
    }
    y->step->gravity =
        v3_axpy(y->step->gravity, way * y->step->factor, wy_slope_lane(f->gravity, l));
}

static void move_ends(wy_director *y, const wy_slope_fields *f, const wy_slope_acting *act, int l,
                      double way) {
    for (int e = 0; e < 2; e++) {
        wy_director_end *end = &y->plan.end[e];
        const wy_slope_end *d = &f->end[e];
        wy_director_force *apply = &y->step->end[e].apply;
        end->mass += way * d->mass[l], end->spring += way * d->spring[l];
        end->spring_turn += way * d->spring_turn[l];
        end->arm = v3_axpy(end->arm, way, wy_slope_lane(d->arm, l));
        y->now->end[e].spring_r =
            v3_axpy(y->now->end[e].spring_r, way, wy_slope_lane(d->spring_r, l));
        apply->force = v3_axpy(apply->force, way, wy_slope_lane(act->end[e].apply.force, l));
        apply->moment = v3_axpy(apply->moment, way, wy_slope_lane(act->end[e].apply.moment, l));
    }
}

/* Copies of the arrays that are moved, in memory of their own. */
static void lay_copy(const wy_director *x, wy_director *y, wy_block *block) {
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    *y = *x;
    y->now = wy_block_take(block, 1, sizeof *y->now);
    y->step = wy_block_take(block, 1, sizeof *y->step);
    y->node = wy_block_take(block, nodes, sizeof *y->node);
    y->next = wy_block_take(block, nodes, sizeof *y->next);
    y->strain = wy_block_take(block, points, sizeof *y->strain);
    y->stress = wy_block_take(block, points, sizeof *y->stress);
    y->plan.section = wy_block_take(block, points, sizeof *y->plan.section);
    y->plan.size = wy_block_take(block, (size_t)x->plan.n, sizeof *y->plan.size);
    y->plan.mass = wy_block_take(block, nodes, sizeof *y->plan.mass);
}

static void copy_to(const wy_director *x, wy_director *y) {
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    *y->now = *x->now, *y->step = *x->step;
    memcpy(y->node, x->node, nodes * sizeof *y->node);
    memcpy(y->plan.section, x->plan.section, points * sizeof *y->plan.section);
    memcpy(y->plan.size, x->plan.size, (size_t)x->plan.n * sizeof *y->plan.size);
    memcpy(y->plan.mass, x->plan.mass, nodes * sizeof *y->plan.mass);
    for (int e = 0; e < 2; e++) y->plan.end[e] = x->plan.end[e];
}

/* v^T K v and v^T M v, [6 node_count] twice. */
static void energies_of(wy_director *y, const double *v, double *mv, double *stiff, double *mass) {
    double terms, round;
    wy_director_stay(y);
    wy_director_strains(y, 1);
    *stiff += wy_director_quotient(y, v, &terms, &round);
    wy_director_mass_times(y, v, mv);
    for (int i = 0; i < 6 * y->plan.node_count; i++) *mass += v[i] * mv[i];
}

/* The largest relative change of fields and shape by parameter k. */
static double change_of(const wy_director *x, int k) {
    const wy_slope_fields *f = &x->slopes->field[k / WY_PACK];
    const wy_slope_node *d = &x->slopes->node[(size_t)(k / WY_PACK) * (size_t)x->plan.node_count];
    const int l = k % WY_PACK;
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        most = wy_max(most, v3_norm(wy_slope_lane(d[j].r, l)) / x->plan.length);
        most = wy_max(most, v3_norm(wy_slope_lane(d[j].phi, l)));
        most = wy_max(most, fabs(f->mass[j].mass[l]) / x->plan.mass[j].mass);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int c = 0; c < 6; c++)
            most = wy_max(most, fabs(f->section[i].c[c][l]) / x->plan.section[i].c[c / 3][c % 3]);
    for (int e = 0; e < x->plan.n; e++) most = wy_max(most, fabs(f->size[e][l]) / x->plan.size[e]);
    return most;
}

/* The mode at the nodes of a rod. */
static void shape_of(const wy_director *x, const withy_mode *mode, double *v) {
    int j = 0;
    for (int i = 0; i < mode->count && j < x->plan.node_count; i++) {
        if (mode->rod[i] != x->plan.index) continue;
        v3_to(mode->shift[i], &v[6 * j]), v3_to(mode->turn[i], &v[6 * j + 3]);
        j++;
    }
}

/* v^T K v and v^T M v of a rod at -2, -1, 1, 2 steps, added. */
static withy_status add_rod(const wy_director *x, int k, const withy_mode *mode, double step,
                            double stiff[4], double mass[4], withy_error *err) {
    const size_t rows = 6 * (size_t)x->plan.node_count;
    wy_director y;
    wy_block room = {0};
    lay_copy(x, &y, &room);
    double *v = wy_block_take(&room, 2 * rows, sizeof *v);
    char *memory = wy_take(room.used + 64, 1);
    if (!memory) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    room = (wy_block){.base = memory + (64 - (uintptr_t)memory % 64)};
    lay_copy(x, &y, &room);
    v = wy_block_take(&room, 2 * rows, sizeof *v);
    shape_of(x, mode, v);
    const int group = k / WY_PACK, l = k % WY_PACK;
    const wy_slope_fields *f = &x->slopes->field[group];
    for (int i = 0; i < 4; i++) {
        const double way = (const double[]){-2, -1, 1, 2}[i] * step;
        copy_to(x, &y);
        move_nodes(&y, wy_slope_nodes(x, group), l, way);
        move_fields(&y, f, l, way);
        move_ends(&y, f, &x->slopes->acting[group], l, way);
        energies_of(&y, v, v + rows, &stiff[i], &mass[i]);
    }
    wy_give(memory);
    return WITHY_OK;
}

withy_status wy_net_slope_mode(wy_network *net, int k, const withy_mode *mode, double *slope,
                               withy_error *err) {
    double most = 0, stiff[4] = {0}, mass[4] = {0}, at[4];
    int moves = 0;
    for (int c = 0; c < net->plan.clusters; c++) moves |= !net->plan.cluster[c].held;
    for (int i = 0; i < net->plan.rods; i++) {
        moves |= !net->rod[i].slopes->alone;
        most = wy_max(most, change_of(&net->rod[i], k));
    }
    if (moves)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: frequencies of rods that are joined, and of bodies, are not "
                       "differentiated; a fit of this scene takes differences (withy fit "
                       "--differences)");
    const double step = most > 0 ? LITTLE / most : 1;
    for (int i = 0; i < net->plan.rods; i++)
        WY_TRY(add_rod(&net->rod[i], k, mode, step, stiff, mass, err));
    for (int i = 0; i < 4; i++) at[i] = stiff[i] / mass[i];
    *slope = wy_slope_five(at, step);
    return WITHY_OK;
}
