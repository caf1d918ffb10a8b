/* gradient_mode.c - derivatives of frequencies.
 *
 * With the mode phi of the equilibrium q(p), phi^T M phi = 1,
 *
 *   d(omega^2)/dp = phi^T (dK/dp - omega^2 dM/dp) phi      along (dq/dp, p),
 *
 * which is the derivative of Rayleigh's quotient of the same phi: its own change is of no account to first order.
 * The quotient is evaluated from strains (director/static/modes.c) on rods whose fields and nodes are moved by a little
 * of their derivatives, at five points, so that rounding of 1e-12 remains.  The shift of the equilibrium counts:
 * without it a sagging rod's derivatives are wrong by as much as they are large.  A copy at the arm p of a rigid group
 * that moves by (u, w) moves by (u + w x p, w), and the force F_r on it has a part in K (director/static/network_modes.c),
 *
 *   phi^T K phi += F_r . (w x (w x p)),      phi^T M phi += m u . u + w . R J R^T w                 (1)
 *
 * Joints other than welds, whose multipliers stand in K, tendons, contact and loads of bodies are refused.
 */
#include "method/director/gradient/gradient_network.h"

/* A mode by parameter k: the two sums at -2, -1, 1, 2 steps. */
typedef struct quotient {
    wy_network *net;
    const withy_mode *mode;
    int k, group, lane;
    double step, stiff[4], mass[4];
} quotient;

/* Largest relative change of a field, and largest turn and displacement over L, between two points. */
static const double LITTLE = 1e-3;
static const double STEPS[4] = {-2, -1, 1, 2};

/* A rod as it is, to which it returns. */
typedef struct home {
    wy_director_node *node;
    wy_director_strain *strain;
    double *field, *v; /* v[2][6 node_count]: the mode, and M times it */
    vec3 gravity;
} home;

static void take_home(const wy_director *x, home *at, wy_allocator *from) {
    const size_t nodes = (size_t)x->plan.node_count;
    at->node = wy_allocator_alloc(from, nodes, sizeof *at->node);
    at->strain = wy_allocator_alloc(from, nodes, sizeof *at->strain);
    at->field = wy_allocator_alloc(from, (size_t)x->slopes->at[WY_FIELD_node], sizeof *at->field);
    at->v = wy_allocator_alloc(from, 12 * nodes, sizeof *at->v);
    at->gravity = x->step->gravity;
    if (from->failed) return;
    memcpy(at->node, x->node, nodes * sizeof *at->node);
    memcpy(at->strain, x->strain, (nodes - 1) * sizeof *at->strain);
    wy_fields_get(x, at->field);
}

static void go_home(wy_director *x, const home *at, int k) {
    memcpy(x->node, at->node, (size_t)x->plan.node_count * sizeof *x->node);
    memcpy(x->strain, at->strain, (size_t)(x->plan.node_count - 1) * sizeof *x->strain);
    wy_fields_set(x, at->field, k, 0);
    x->step->gravity = at->gravity;
}

/* The rod moved by `way` of the parameter. */
static void move(wy_director *x, const home *at, const quotient *by, double way) {
    const wy_slope_node *d = wy_slope_nodes(x, by->group);
    const vec3 gravity = wy_slope_lane(x->slopes->field[by->group].whole->gravity, by->lane);
    wy_fields_set(x, at->field, by->k, way);
    x->step->gravity = v3_axpy(at->gravity, way * x->step->factor, gravity);
    for (int j = 0; j < x->plan.node_count; j++) {
        const vec3 turn = v3_scale(way, wy_slope_lane(d[j].q + 3, by->lane));
        x->node[j].r = v3_axpy(at->node[j].r, way, wy_slope_lane(d[j].q, by->lane));
        x->node[j].d = tri_from(m3_mulm(q_matrix(q_exp(turn)), tri_matrix(at->node[j].d)));
    }
}

/* v^T K v and v^T M v, [6 node_count] twice. */
static void energies_of(wy_director *y, const double *v, double *mv, double *stiff, double *mass) {
    double terms, round;
    wy_director_zero_increment(y);
    wy_director_strains(y, 1);
    *stiff += wy_director_quotient(y, v, &terms, &round);
    wy_director_mass_times(y, v, mv);
    for (int i = 0; i < 6 * y->plan.node_count; i++) *mass += v[i] * mv[i];
}

/* The largest relative change of fields and shape by parameter k. */
static double change_of(const wy_director *x, int k) {
    const wy_slope_fields *f = &x->slopes->field[k / WY_PACK];
    const wy_slope_node *d = wy_slope_nodes(x, k / WY_PACK);
    const int l = k % WY_PACK;
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        most = wy_max(most, v3_norm(wy_slope_lane(d[j].q, l)) / x->plan.length);
        most = wy_max(most, v3_norm(wy_slope_lane(d[j].q + 3, l)));
        if (x->plan.mass[j].mass > 0) /* that of a copy is its rigid group's */
            most = wy_max(most, fabs(f->mass[j].mass[l]) / x->plan.mass[j].mass);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int c = 0; c < 6; c++)
            most = wy_max(most, fabs(f->section[i].c[c][l]) / x->plan.section[i].c[c / 3][c % 3]);
    for (int e = 0; e < x->plan.n; e++)
        most = wy_max(most, fabs(f->size[e].length[l]) / x->plan.size[e]);
    return most;
}

/* ---- rigid groups ------------------------------------------------------------------------------------------- */

/* The nodes of all rods before this one: the place of its first in a mode. */
static int nodes_before(const wy_network *net, int rod) {
    int count = 0;
    for (int i = 0; i < rod; i++) count += net->rod[i].plan.node_count;
    return count;
}

/* R of a rigid group, moved. */
static mat3 axes_of(const quotient *x, int c, double way) {
    const vec3 turn = wy_slope_lane(wy_net_nodes(x->net, x->group)[c].q + 3, x->lane);
    return m3_mulm(q_matrix(q_exp(v3_scale(way, turn))), tri_matrix(x->net->rigid.node[c].d));
}

/* p of a copy, moved. */
static vec3 arm_of(const quotient *x, int member, double way) {
    const wy_group_node *k = &x->net->plan.member[member];
    const vec3 o = wy_slope_lane(x->net->rigid.slopes->field[x->group].member[member].o, x->lane);
    return m3_mul(axes_of(x, k->rigid_group, way), v3_axpy(k->o, way, o));
}

/* (u, w) of a rigid group, from the first of its parts. */
static void rigid_group_shape(const quotient *x, int c, vec3 *u, vec3 *w) {
    const wy_network_plan *plan = &x->net->plan;
    const int part = plan->rigid_group_part[plan->rigid_group_first[c]],
              member = part - plan->bodies;
    const wy_group_node *k = &plan->member[member < 0 ? 0 : member];
    const int i = member < 0 ? nodes_before(x->net, plan->rods) + part
                             : nodes_before(x->net, k->rod) + k->node;
    const vec3 p = m3_mul(axes_of(x, c, 0), member < 0 ? plan->body[part].o : k->o);
    *u = *w = v3(0, 0, 0);
    if (plan->rigid_group[c].held) return;
    *w = x->mode->turn[i], *u = v3_sub(x->mode->shift[i], v3_cross(*w, p));
}

/* The largest relative change of its mass and moments of inertia. */
static double mass_change(const quotient *x, int c) {
    const wy_director_mass *mass = &x->net->rigid.plan.mass[c];
    const wy_slope_mass *d = &x->net->rigid.slopes->field[x->group].mass[c];
    const double turns = mass->rotary[0] + mass->rotary[1] + mass->rotary[2];
    double most = mass->mass > 0 ? fabs(d->mass[x->lane]) / mass->mass : 0;
    for (int n = 0; n < 6 && turns > 0; n++)
        most = wy_max(most, fabs(d->inertia[n][x->lane]) / turns);
    return most;
}

/* (1): masses. */
static void add_rigid_group(quotient *x, int c) {
    const wy_director_mass *mass = &x->net->rigid.plan.mass[c];
    const wy_slope_mass *d = &x->net->rigid.slopes->field[x->group].mass[c];
    vec3 u, w;
    rigid_group_shape(x, c, &u, &w);
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
        const int k = wy_net_member(x->net, rod)[j];
        vec3 shift = x->mode->shift[first + j], turn = x->mode->turn[first + j];
        if (k >= 0) {
            rigid_group_shape(x, x->net->plan.member[k].rigid_group, &shift, &turn);
            shift = v3_add(shift, v3_cross(turn, arm_of(x, k, way)));
        }
        v3_to(shift, &v[6 * j]), v3_to(turn, &v[6 * j + 3]);
    }
}

/* (1): forces on copies. */
static double arms_of(const quotient *x, wy_director *y, double way, const double *v) {
    double sum = 0;
    for (int j = 0; j < y->plan.node_count; j++) {
        const int k = wy_net_member(x->net, y->plan.index)[j];
        const vec3 w = v3_from(&v[6 * j + 3]);
        if (k >= 0) sum += v3_dot(force_at(y, j), v3_cross(w, v3_cross(w, arm_of(x, k, way))));
    }
    return sum;
}

static withy_status add_rod(quotient *x, wy_director *rod, withy_error *err) {
    wy_arena arena = {0};
    wy_allocator from = {.arena = &arena};
    home at;
    take_home(rod, &at, &from);
    for (int i = 0; i < 4 && !from.failed; i++) {
        const double way = STEPS[i] * x->step;
        move(rod, &at, x, way);
        shape_of(x, rod->plan.index, way, at.v);
        energies_of(rod, at.v, at.v + 6 * rod->plan.node_count, &x->stiff[i], &x->mass[i]);
        x->stiff[i] += arms_of(x, rod, way, at.v);
    }
    if (!from.failed) go_home(rod, &at, x->k);
    wy_arena_free(&arena);
    if (from.failed) return wy_no_memory(err, "director: no memory for derivatives");
    return WITHY_OK;
}

withy_status wy_net_slope_mode(wy_network *net, int k, const withy_mode *mode, double *slope,
                               withy_error *err) {
    quotient x = {.net = net, .mode = mode, .k = k, .group = k / WY_PACK, .lane = k % WY_PACK};
    double most = 0, at[4];
    if (net->plan.constraints || net->plan.pushes || net->plan.tendons ||
        net->slopes->contact_count)
        return wy_unsupported(
            err,
            "director: frequencies with joints other than welds, with tendons, with "
            "contact, or with loads on bodies are not differentiated; a fit of this scene takes "
            "differences (withy fit --differences)");
    for (int i = 0; i < net->plan.rods; i++) most = wy_max(most, change_of(&net->rod[i], k));
    for (int c = 0; c < net->plan.rigid_groups; c++) most = wy_max(most, mass_change(&x, c));
    x.step = most > 0 ? LITTLE / most : 1;
    for (int i = 0; i < net->plan.rods; i++) WY_TRY(add_rod(&x, &net->rod[i], err));
    for (int c = 0; c < net->plan.rigid_groups; c++) add_rigid_group(&x, c);
    for (int i = 0; i < 4; i++) at[i] = x.stiff[i] / x.mass[i];
    *slope = wy_slope_five(at, x.step);
    return WITHY_OK;
}
