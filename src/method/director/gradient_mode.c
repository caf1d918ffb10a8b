/* gradient_mode.c - derivatives of frequencies.
 *
 * With the mode phi of the equilibrium q(p), phi^T M phi = 1,
 *
 *   d(omega^2)/dp = phi^T (dK/dp - omega^2 dM/dp) phi      along (dq/dp, p),
 *
 * which is the derivative of Rayleigh's quotient of the same phi: its own change is of no account to first order.
 * The quotient is evaluated from strains (director/modes.c) on the rod whose fields and nodes are moved by a little
 * of their derivatives, at five points, so that rounding of 1e-12 remains.  The shift of the equilibrium counts:
 * without it a sagging rod's derivatives are wrong by as much as they are large.
 */
#include <string.h>

#include "method/director/gradient.h"

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

/* Rayleigh's quotient of v, [6 node_count] twice. */
static double quotient(wy_director *y, const double *v, double *mv) {
    double terms, round, mass = 0;
    wy_director_stay(y);
    wy_director_strains(y, 1);
    const double stiff = wy_director_quotient(y, v, &terms, &round);
    wy_director_mass_times(y, v, mv);
    for (int i = 0; i < 6 * y->plan.node_count; i++) mass += v[i] * mv[i];
    return stiff / mass;
}

/* How far to go: a little of the fields and of the shape. */
static double way_of(const wy_director *x, int k) {
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
    return most > 0 ? LITTLE / most : 1;
}

withy_status wy_director_slope_mode(wy_director *x, int k, const withy_mode *mode, double *slope,
                                    withy_error *err) {
    const int rows = 6 * x->plan.node_count;
    wy_director y;
    wy_block room = {0};
    lay_copy(x, &y, &room);
    double *v = wy_block_take(&room, 2 * (size_t)rows, sizeof *v), at[4];
    char *memory = wy_take(room.used + 64, 1);
    if (!memory) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    room = (wy_block){.base = memory + (64 - (uintptr_t)memory % 64)};
    lay_copy(x, &y, &room);
    v = wy_block_take(&room, 2 * (size_t)rows, sizeof *v);
    for (int j = 0; j < x->plan.node_count; j++)
        v3_to(mode->shift[j], &v[6 * j]), v3_to(mode->turn[j], &v[6 * j + 3]);
    const wy_slope_fields *f = &x->slopes->field[k / WY_PACK];
    const wy_slope_acting *act = &x->slopes->acting[k / WY_PACK];
    const wy_slope_node *d = &x->slopes->node[(size_t)(k / WY_PACK) * (size_t)x->plan.node_count];
    const double step = way_of(x, k);
    for (int i = 0; i < 4; i++) {
        const double way = (const double[]){-2, -1, 1, 2}[i] * step;
        copy_to(x, &y);
        move_nodes(&y, d, k % WY_PACK, way);
        move_fields(&y, f, k % WY_PACK, way);
        move_ends(&y, f, act, k % WY_PACK, way);
        at[i] = quotient(&y, v, v + rows);
    }
    *slope = wy_slope_five(at, step);
    wy_give(memory);
    return WITHY_OK;
}
