/* gradient_mode.c - derivatives of frequencies.
 *
 * With the mode phi of the equilibrium q(p), phi^T M phi = 1,
 *
 *   d(omega^2)/dp = phi^T (dK/dp - omega^2 dM/dp) phi      along (dq/dp, p),
 *
 * which is the derivative of Rayleigh's quotient of the same phi: its own change is of no account to first order.
 * The quotient is evaluated from strains (director/modes.c) on rods whose fields and nodes are moved by a little
 * of their derivatives, at five points, so that rounding of 1e-12 remains.  The shift of the equilibrium counts:
 * without it a sagging rod's derivatives are wrong by as much as they are large.  A copy at the arm p of a cluster
 * that moves by (u, w) moves by (u + w x p, w), and the force F_r on it has a part in K (director/network_modes.c),
 *
 *   phi^T K phi += F_r . (w x (w x p)),      phi^T M phi += m u . u + w . R J R^T w                 (1)
 *
 * Joints other than welds, whose multipliers stand in K, and loads of bodies are refused.
 */
#include <string.h>

#include "method/director/gradient_network.h"

/* A mode by parameter k: the two sums at -2, -1, 1, 2 steps. */
typedef struct quotient {
    const wy_network *net;
    const withy_mode *mode;
    int group, lane;
    double step, stiff[4], mass[4];
} quotient;

/* Largest relative change of a field, and largest turn and displacement over L, between two points. */
static const double LITTLE = 1e-3;
static const double STEPS[4] = {-2, -1, 1, 2};

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

static void move_loads(wy_director *y, const wy_slope_acting *act, int l, double way) {
    for (int i = 0; i < y->plan.load.count; i++) {
        add_to(&y->force[i].force, way, wy_slope_lane(act->load[i].force, l));
        add_to(&y->force[i].moment, way, wy_slope_lane(act->load[i].moment, l));
    }
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
static void take_copy(const wy_director *x, wy_director *y, wy_taker *from) {
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    *y = *x;
    y->now = wy_taker_take(from, 1, sizeof *y->now);
    y->step = wy_taker_take(from, 1, sizeof *y->step);
    y->node = wy_taker_take(from, nodes, sizeof *y->node);
    y->next = wy_taker_take(from, nodes, sizeof *y->next);
    y->strain = wy_taker_take(from, points, sizeof *y->strain);
    y->stress = wy_taker_take(from, points, sizeof *y->stress);
    y->force = wy_taker_take(from, (size_t)x->plan.load.count + 1, sizeof *y->force);
    y->plan.section = wy_taker_take(from, points, sizeof *y->plan.section);
    y->plan.size = wy_taker_take(from, (size_t)x->plan.n, sizeof *y->plan.size);
    y->plan.mass = wy_taker_take(from, nodes, sizeof *y->plan.mass);
}

static void copy_to(const wy_director *x, wy_director *y) {
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    *y->now = *x->now, *y->step = *x->step;
    memcpy(y->node, x->node, nodes * sizeof *y->node);
    if (x->plan.load.count)
        memcpy(y->force, x->force, (size_t)x->plan.load.count * sizeof *y->force);
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
        if (x->plan.mass[j].mass > 0) /* that of a copy is its cluster's */
            most = wy_max(most, fabs(f->mass[j].mass[l]) / x->plan.mass[j].mass);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int c = 0; c < 6; c++)
            most = wy_max(most, fabs(f->section[i].c[c][l]) / x->plan.section[i].c[c / 3][c % 3]);
    for (int e = 0; e < x->plan.n; e++) most = wy_max(most, fabs(f->size[e][l]) / x->plan.size[e]);
    return most;
}

/* ---- clusters ------------------------------------------------------------------------------------------- */

/* The nodes of all rods before this one: the place of its first in a mode. */
static int nodes_before(const wy_network *net, int rod) {
    int count = 0;
    for (int i = 0; i < rod; i++) count += net->rod[i].plan.node_count;
    return count;
}

/* R of a cluster, moved. */
static mat3 axes_of(const quotient *x, int c, double way) {
    const vec3 turn = wy_slope_lane(wy_net_nodes(x->net, x->group)[c].phi, x->lane);
    return m3_mulm(q_matrix(q_exp(v3_scale(way, turn))), tri_matrix(x->net->hub.node[c].d));
}

/* p of a copy, moved. */
static vec3 arm_of(const quotient *x, int member, double way) {
    const wy_network_member *k = &x->net->plan.member[member];
    const vec3 o = wy_slope_lane(x->net->slopes->field[x->group].member[member].o, x->lane);
    return m3_mul(axes_of(x, k->cluster, way), v3_axpy(k->o, way, o));
}

/* (u, w) of a cluster, from the first of its parts. */
static void cluster_shape(const quotient *x, int c, vec3 *u, vec3 *w) {
    const wy_network_plan *plan = &x->net->plan;
    const int part = plan->cluster_part[plan->cluster_first[c]], member = part - plan->bodies;
    const wy_network_member *k = &plan->member[member < 0 ? 0 : member];
    const int i = member < 0 ? nodes_before(x->net, plan->rods) + part
                             : nodes_before(x->net, k->rod) + k->node;
    const vec3 p = m3_mul(axes_of(x, c, 0), member < 0 ? plan->body[part].o : k->o);
    *u = *w = v3(0, 0, 0);
    if (plan->cluster[c].held) return;
    *w = x->mode->turn[i], *u = v3_sub(x->mode->shift[i], v3_cross(*w, p));
}

/* The largest relative change of its mass and moments of inertia. */
static double mass_change(const quotient *x, int c) {
    const wy_director_mass *mass = &x->net->hub.plan.mass[c];
    const wy_net_mass *d = &x->net->slopes->field[x->group].mass[c];
    const double turns = mass->rotary[0] + mass->rotary[1] + mass->rotary[2];
    double most = mass->mass > 0 ? fabs(d->mass[x->lane]) / mass->mass : 0;
    for (int n = 0; n < 6 && turns > 0; n++)
        most = wy_max(most, fabs(d->inertia[n][x->lane]) / turns);
    return most;
}

/* (1): masses. */
static void add_cluster(quotient *x, int c) {
    const wy_director_mass *mass = &x->net->hub.plan.mass[c];
    const wy_net_mass *d = &x->net->slopes->field[x->group].mass[c];
    vec3 u, w;
    cluster_shape(x, c, &u, &w);
    for (int i = 0; i < 4; i++) {
        const double way = STEPS[i] * x->step;
        const vec3 a = m3_tmul(axes_of(x, c, way), w);
        const double square[6] = {a.x * a.x,     a.y * a.y,     a.z * a.z,
                                  2 * a.y * a.z, 2 * a.z * a.x, 2 * a.x * a.y};
        x->mass[i] += (mass->mass + way * d->mass[x->lane]) * v3_dot(u, u);
        for (int n = 0; n < 6; n++)
            x->mass[i] +=
                ((n < 3 ? mass->rotary[n] : 0) + way * d->inertia[n][x->lane]) * square[n];
    }
}

/* F_r on a node. */
static vec3 force_at(wy_director *y, int node) {
    const int p = y->plan.p;
    double a[6][6], b[6], f[WY_ELEMENT_NODES][6];
    wy_director_node_terms(y, node, a, b);
    for (int e = node / p - 1; e <= node / p; e++) {
        if (e < 0 || e >= y->plan.n) continue;
        wy_director_element_side(y, e, f);
        for (int k = 0; k < 3; k++) b[k] -= f[node - e * p][k];
    }
    return v3_from(b);
}

/* ---- rods ----------------------------------------------------------------------------------------------- */

/* The mode at the nodes of a rod, where it is moved. */
static void shape_of(const quotient *x, int rod, double way, double *v) {
    const int first = nodes_before(x->net, rod);
    for (int j = 0; j < x->net->rod[rod].plan.node_count; j++) {
        const int k = x->net->slopes->rod[rod].member[j];
        vec3 shift = x->mode->shift[first + j], turn = x->mode->turn[first + j];
        if (k >= 0) {
            cluster_shape(x, x->net->plan.member[k].cluster, &shift, &turn);
            shift = v3_add(shift, v3_cross(turn, arm_of(x, k, way)));
        }
        v3_to(shift, &v[6 * j]), v3_to(turn, &v[6 * j + 3]);
    }
}

/* (1): forces on copies. */
static double arms_of(const quotient *x, wy_director *y, double way, const double *v) {
    double sum = 0;
    for (int j = 0; j < y->plan.node_count; j++) {
        const int k = x->net->slopes->rod[y->plan.index].member[j];
        const vec3 w = v3_from(&v[6 * j + 3]);
        if (k >= 0) sum += v3_dot(force_at(y, j), v3_cross(w, v3_cross(w, arm_of(x, k, way))));
    }
    return sum;
}

static withy_status add_rod(quotient *x, const wy_director *rod, withy_error *err) {
    const size_t rows = 6 * (size_t)rod->plan.node_count;
    const wy_slope_fields *f = &rod->slopes->field[x->group];
    const wy_slope_acting *act = &rod->slopes->acting[x->group];
    wy_arena arena = {0};
    wy_taker from = {.arena = &arena};
    wy_director y;
    take_copy(rod, &y, &from);
    double *v = wy_taker_take(&from, 2 * rows, sizeof *v);
    for (int i = 0; i < 4 && !from.failed; i++) {
        const double way = STEPS[i] * x->step;
        copy_to(rod, &y);
        move_nodes(&y, wy_slope_nodes(rod, x->group), x->lane, way);
        move_fields(&y, f, x->lane, way);
        move_loads(&y, act, x->lane, way);
        move_ends(&y, f, act, x->lane, way);
        shape_of(x, rod->plan.index, way, v);
        energies_of(&y, v, v + rows, &x->stiff[i], &x->mass[i]);
        x->stiff[i] += arms_of(x, &y, way, v);
    }
    wy_arena_free(&arena);
    if (from.failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    return WITHY_OK;
}

withy_status wy_net_slope_mode(wy_network *net, int k, const withy_mode *mode, double *slope,
                               withy_error *err) {
    quotient x = {.net = net, .mode = mode, .group = k / WY_PACK, .lane = k % WY_PACK};
    double most = 0, at[4];
    if (net->plan.links || net->plan.pushes)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: frequencies with joints other than welds, or with loads on "
                       "bodies, are not differentiated; a fit of this scene takes differences "
                       "(withy fit --differences)");
    for (int i = 0; i < net->plan.rods; i++) most = wy_max(most, change_of(&net->rod[i], k));
    for (int c = 0; c < net->plan.clusters; c++) most = wy_max(most, mass_change(&x, c));
    x.step = most > 0 ? LITTLE / most : 1;
    for (int i = 0; i < net->plan.rods; i++) WY_TRY(add_rod(&x, &net->rod[i], err));
    for (int c = 0; c < net->plan.clusters; c++) add_cluster(&x, c);
    for (int i = 0; i < 4; i++) at[i] = x.stiff[i] / x.mass[i];
    *slope = wy_slope_five(at, x.step);
    return WITHY_OK;
}
