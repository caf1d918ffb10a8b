/* gradient_node.c - the residual of a node by the start of the step and by the fields, forwards and backwards.
 *
 *   dF_r   = dm (2 ((r+ - r-)/h - v-)/h - g) - m dg - df
 *   dF_phi = (R+ dJ W+ - R- dJ W-)/h - dl,        by R-, W-: wy_slope_inertia
 *   lump   F = M a, a = (2 (x+ - x-)/h - 2 u-)/h - g, at the arm c = R o:   dF_phi = dc x F + c x dF
 *
 * All terms of F but inertia and lumps depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and -h for
 * h, the step has the same stresses and forces, so that dF/dq- is what the kernels assemble as dF/dq+ of that step.
 * Forwards the columns are multiplied by derivatives of eight parameters at once, backwards by the multiplier.
 */
#include "method/director/force/force.h"
#include "method/director/gradient/gradient_network.h"

void wy_slope_turn_back(wy_director *x) {
    wy_slopes *s = x->slopes;
    const wy_director old = s->back;
    wy_director *back = &s->back;
    *back = *x;
    back->node = old.node, back->next = old.next, back->strain = old.strain;
    back->stress = old.stress, back->step = old.step, back->slopes = NULL;
    *back->step = *x->step;
    back->step->h = -x->step->h, back->step->per = -x->step->per, back->step->xi = -x->step->xi;
    back->step->has_stress_of_guess = 1; /* sigma is the stress itself */
    for (int j = 0; j < x->slopes->nodes; j++) {
        wy_director_next *next = &back->next[j];
        back->node[j].d = x->next[j].d, back->node[j].r = wy_director_plus_r(x, j);
        next->d = x->node[j].d;
        next->dr = v3_scale(-1, x->next[j].dr), next->theta = v3_scale(-1, x->next[j].theta);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 2; k++) back->strain[i].start[k] = x->stress[i].plus[k];
}

/* ---- inertia and weight ------------------------------------------------------------------------------ */

static mat3 sum_of(mat3 a, double k, mat3 b) {
    return (mat3){v3_axpy(a.c1, k, b.c1), v3_axpy(a.c2, k, b.c2), v3_axpy(a.c3, k, b.c3)};
}
static mat3 times_of(double k, mat3 a) {
    return (mat3){v3_scale(k, a.c1), v3_scale(k, a.c2), v3_scale(k, a.c3)};
}
static mat3 hat(vec3 u) {
    return (mat3){{0, u.z, -u.y}, {-u.z, 0, u.x}, {u.y, -u.x, 0}};
}
/* R diag(a) */
static mat3 scaled(tri d, lane a) {
    return tri_matrix(tri_scale(a, d));
}

wy_slope_inertia wy_slope_inertia_of(const wy_director *x, int j) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double m = x->plan.mass[j].mass;
    wy_slope_inertia i = {.weight = m * x->step->factor, .pull = v3_scale(-1, x->step->gravity)};
    if (!x->step->dynamic) return i;
    i.moving = 1;
    const double per = 1.0 / x->step->h;
    const lane rotary = x->plan.mass[j].rotary;
    const lane w_plus = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    const vec3 p_plus = tri_sum3(tri_scale(rotary * w_plus, next->d));
    const vec3 p_minus = tri_sum3(tri_scale(rotary * node->w, node->d));
    const mat3 out = scaled(next->d, rotary), in = scaled(node->d, rotary);
    const mat3 turn = m3_mulm(m3_transpose(tri_matrix(node->d)), wy_director_spin_map(next->theta));
    const mat3 both = times_of(2 * per * per, m3_mulm(out, turn));
    i.plus = sum_of(both, -per, hat(p_plus));
    i.minus = sum_of(times_of(-1, both), per, hat(p_minus));
    i.spin = times_of(-per, sum_of(out, 1, in));
    const mat3 rate = times_of(per, sum_of(scaled(next->d, w_plus), -1, scaled(node->d, node->w)));
    i.j[0] = rate.c1, i.j[1] = rate.c2, i.j[2] = rate.c3;
    i.moments = x->network ? 6 : 3;
    for (int k = 3; k < i.moments; k++) { /* yz: of W the components z, y go with y, z */
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const mat3 plus = tri_matrix(next->d), minus = tri_matrix(node->d);
        const vec3 after =
            v3_axpy(v3_scale(w_plus[b], column3(plus, a)), w_plus[a], column3(plus, b));
        const vec3 before =
            v3_axpy(v3_scale(node->w[b], column3(minus, a)), node->w[a], column3(minus, b));
        i.j[k] = v3_scale(per, v3_sub(after, before));
    }
    i.shift = 2 * m * per * per, i.speed = 2 * m * per;
    i.pull = v3_axpy(i.pull, 2 * per, v3_sub(v3_scale(per, next->dr), node->v));
    return i;
}

void wy_slope_take_inertia(const wy_slope_inertia *i, const wy_slope_node *node,
                           const wy_slope_mass *mass, const wy_slope_whole *whole, pack *side) {
    const pack3 pull =
        sub3(scale3(mass->mass, splat3(i->pull)), scale3(splat(i->weight), of3(whole->gravity)));
    take3(side, pull);
    if (!i->moving) return;
    for (int k = 0; k < i->moments; k++) take3(side + 3, scale3(mass->inertia[k], splat3(i->j[k])));
    const pack3 turn = add3(times3(i->minus, of3(node->q + 3)), times3(i->spin, of3(node->w)));
    const pack3 way =
        add3(scale3(splat(i->shift), of3(node->q)), scale3(splat(i->speed), of3(node->v)));
    keep3(side, add3(of3(side), way)), take3(side + 3, turn);
}

void wy_slope_pull_inertia(const wy_slope_inertia *i, const double *mu, wy_adjoint_node *node,
                           wy_adjoint_mass *mass, wy_adjoint_whole *whole) {
    const vec3 way = v3_from(mu), turn = v3_from(mu + 3);
    mass->mass -= v3_dot(way, i->pull);
    for (int k = 0; k < i->moments; k++) mass->inertia[k] -= v3_dot(i->j[k], turn);
    add_at(whole->gravity, i->weight, way);
    add_at(node->q, i->shift, way), add_at(node->v, i->speed, way);
    add_at(node->q + 3, -1, m3_tmul(i->minus, turn)), add_at(node->w, -1, m3_tmul(i->spin, turn));
}

/* ---- columns -------------------------------------------------------------------------------------------- */

static void lump_columns(const wy_director *x, int which, wy_slope_columns *to) {
    const wy_slopes *s = x->slopes;
    const wy_director_end *end = &x->plan.end[which];
    const int j = end->node;
    const double per = x->step->dynamic ? 1.0 / x->step->h : 0, m = end->mass;
    const mat3 mid = tri_matrix(wy_director_acting(x, j)), minus = tri_matrix(x->node[j].d);
    const mat3 moved = sum_of(tri_matrix(x->next[j].d), -1, minus);
    const vec3 c = m3_mul(mid, end->arm), c_minus = m3_mul(minus, end->arm);
    const vec3 way = v3_add(x->next[j].dr, v3_cross(x->next[j].theta, c));
    const vec3 a = v3_axpy(v3_scale(-1, x->step->gravity), 2 * per,
                           v3_sub(v3_scale(per, way), x->now->end[which].u));
    wy_slope_column(to, WY_AT(s, end, which, mass), a, v3_cross(c, a));
    for (int i = 0; i < 3; i++) {
        const vec3 arm = v3_scale(2 * m * per * per, column3(moved, i));
        const vec3 weight = v3_scale(-m * x->step->factor, axis3(i));
        const vec3 speed = v3_scale(-2 * m * per, axis3(i)), shift = v3_scale(per, speed);
        const vec3 swing = v3_cross(axis3(i), c_minus), turn = v3_scale(-2 * m * per * per, swing);
        const vec3 tilt = v3_cross(column3(mid, i), v3_scale(m, a));
        wy_slope_column(to, WY_AT(s, end, which, arm[i]), arm, v3_add(tilt, v3_cross(c, arm)));
        wy_slope_column(to, WY_AT(s, whole, 0, gravity[i]), weight, v3_cross(c, weight));
        if (!x->step->dynamic) continue;
        wy_slope_column(to, WY_AT(s, lump, which, u[i]), speed, v3_cross(c, speed));
        wy_slope_column(to, WY_AT(s, node, j, q[i]), shift, v3_cross(c, shift));
        wy_slope_column(to, WY_AT(s, node, j, q[3 + i]), turn,
                        v3_axpy(v3_cross(c, turn), 0.5 * m, v3_cross(swing, a)));
    }
}

/* The moment of a turning spring of 1 N m. */
static vec3 unit_turn(const wy_director *x, int which) {
    wy_director y = *x;
    double a[6][6] = {{0}}, b[6] = {0};
    y.plan.forces = 0, y.plan.end[which].loaded = 0;
    y.plan.end[which].spring = 0, y.plan.end[which].spring_turn = 1;
    wy_director_node_forces(&y, y.plan.end[which].node, a, b);
    return v3_from(b + 3);
}

static void end_columns(const wy_director *x, int which, wy_slope_columns *to) {
    const wy_slopes *s = x->slopes;
    const wy_director_end *end = &x->plan.end[which];
    const mat3 acting =
        end->end.end->follower ? tri_matrix(wy_director_acting(x, end->node)) : m3_identity();
    const vec3 r =
        x->step->dynamic ? wy_director_mid_r(x, end->node) : wy_director_plus_r(x, end->node);
    const vec3 none = {0, 0, 0};
    const int turn = WY_AT(s, end, which, spring_turn);
    if (end->mass > 0 || wy_fields_vary(s, WY_AT(s, end, which, mass))) lump_columns(x, which, to);
    wy_slope_column(to, WY_AT(s, end, which, spring), v3_sub(r, x->now->end[which].spring_r), none);
    if (end->spring_turn > 0 || wy_fields_vary(s, turn))
        wy_slope_column(to, turn, none, unit_turn(x, which));
    for (int i = 0; i < 3; i++) {
        const vec3 load = v3_scale(-1, column3(acting, i));
        wy_slope_column(to, WY_AT(s, end, which, spring_r[i]), v3_scale(-end->spring, axis3(i)),
                        none);
        if (!end->loaded) continue;
        wy_slope_column(to, WY_AT(s, act, which, force[i]), load, none);
        wy_slope_column(to, WY_AT(s, act, which, moment[i]), none, load);
    }
}

static void columns_of(const wy_director *x, int j, wy_slope_columns *to) {
    to->count = 0;
    if (x->network ? !wy_network_of((wy_director *)x)->plan.pushes : wy_slope_is_plain(x, j))
        return;
    if (x->step->dynamic) { /* forces of a field, springs, followers by q- */
        double a[6][6] = {{0}}, unused[6] = {0};
        if (x->network)
            wy_net_loads(&wy_network_of((wy_director *)x)->slopes->back, j, a);
        else
            wy_director_node_forces(&x->slopes->back, j, a, unused);
        for (int i = 0; i < 6; i++)
            wy_slope_column(to, WY_AT(x->slopes, node, j, q[i]), v3(a[0][i], a[1][i], a[2][i]),
                            v3(a[3][i], a[4][i], a[5][i]));
    }
    if (x->plan.forces) wy_forces_derive(x, j, to);
    for (int e = 0; e < 2 && !x->network; e++)
        if (x->plan.end[e].node == j) end_columns(x, e, to);
}

/* ---- loads ----------------------------------------------------------------------------------------------- */

/* In which directions a load acts. */
static mat3 load_axes(const wy_director *x, int i) {
    const int first = x->plan.load.point[i].cell * x->plan.p;
    tri d = {{0}, {0}, {0}};
    if (!x->plan.load.point[i].load->follower) return m3_identity();
    for (int a = 0; a <= x->plan.p; a++)
        d = tri_axpy(d, lane_all(x->plan.value[i][a]), wy_director_acting(x, first + a));
    return tri_matrix(d);
}

static void take_load(const wy_director *x, int i) {
    const mat3 axes = load_axes(x, i);
    for (int g = 0; g < x->slopes->groups; g++) {
        const wy_slope_load *load = &x->slopes->acting[g].load[i];
        const pack3 force = times3(axes, of3(load->force)),
                    moment = times3(axes, of3(load->moment));
        pack *side = wy_slope_side(x, g) + 6 * x->plan.load.point[i].cell * x->plan.p;
        for (int a = 0; a <= x->plan.p; a++, side += 6) {
            const pack k = splat(-x->plan.value[i][a]);
            take3(side, scale3(k, force)), take3(side + 3, scale3(k, moment));
        }
    }
}

static void pull_load(const wy_director *x, int i) {
    const mat3 axes = load_axes(x, i);
    const double *mu = &x->slopes->now.mu[6 * x->plan.load.point[i].cell * x->plan.p];
    wy_adjoint_load *to = &x->slopes->now.acting.load[i];
    for (int a = 0; a <= x->plan.p; a++, mu += 6) {
        add_at(to->force, x->plan.value[i][a], m3_tmul(axes, v3_from(mu)));
        add_at(to->moment, x->plan.value[i][a], m3_tmul(axes, v3_from(mu + 3)));
    }
}

/* ---- all nodes ----------------------------------------------------------------------------------------------- */

/* dF/dq+ */
static void keep_plus(const wy_director *x, int j, const wy_slope_inertia *i) {
    double b[6], (*a)[6] = x->slopes->node_plus[j];
    if (x->network) return; /* gradient_network_matrix.c */
    if (!x->step->dynamic || !wy_slope_is_plain(x, j)) {
        wy_director_node_terms(x, j, a, b);
        return;
    }
    memset(a, 0, 36 * sizeof **a);
    for (int k = 0; k < 3; k++) {
        const vec3 column = column3(i->plus, k);
        a[k][k] = i->shift;
        a[3][3 + k] = column.x, a[4][3 + k] = column.y, a[5][3 + k] = column.z;
    }
}

void wy_slope_nodes_plus(wy_director *x) {
    for (int j = 0; j < x->slopes->nodes; j++) {
        const wy_slope_inertia own = wy_slope_inertia_of(x, j);
        keep_plus(x, j, &own);
    }
}

static void take_columns(const wy_director *x, int g, const wy_slope_columns *by, pack *side) {
    const wy_slopes *s = x->slopes;
    const pack *start = wy_slope_start(x, g) - s->at[WY_FIELD_node];
    for (int n = 0; n < by->count; n++) {
        const int at = by->at[n];
        const pack d = at < s->at[WY_FIELD_hold]   ? s->acting[g].all[at]
                       : at < s->at[WY_FIELD_node] ? s->field[g].all[at]
                                                   : start[at];
        for (int i = 0; i < 6; i++) side[i] -= by->by[n][i] * d;
    }
}

void wy_slope_nodes_take(wy_director *x) {
    const wy_slopes *s = x->slopes;
    for (int j = 0; j < x->slopes->nodes; j++) {
        wy_slope_columns by;
        const wy_slope_inertia own = wy_slope_inertia_of(x, j);
        columns_of(x, j, &by);
        keep_plus(x, j, &own);
        for (int g = 0; g < s->groups; g++) {
            pack *side = wy_slope_side(x, g) + 6 * j;
            const wy_slope_fields *f = &s->field[g];
            wy_slope_take_inertia(&own, &wy_slope_nodes(x, g)[j], &f->mass[j], f->whole, side);
            take_columns(x, g, &by, side);
        }
    }
    for (int i = 0; i < x->plan.load.count; i++) take_load(x, i);
}

void wy_slope_nodes_pull(wy_director *x) {
    wy_slopes *s = x->slopes;
    double *const acting = s->now.acting.all, *const all = s->by.all;
    memset(acting, 0, 6 * (size_t)x->plan.load.count * sizeof *acting);
    for (int e = 0; e < 2 && !x->network; e++) /* but for the pose */
        memset(&s->now.acting.act[e], 0, 6 * sizeof *acting);
    for (int j = 0; j < x->slopes->nodes; j++) {
        const double *mu = &s->now.mu[6 * j];
        wy_slope_columns by;
        const wy_slope_inertia own = wy_slope_inertia_of(x, j);
        wy_slope_pull_inertia(&own, mu, &s->by.node[j], &s->by.mass[j], s->by.whole);
        add_at(s->by.mass[j].force, x->step->factor, v3_from(mu));
        columns_of(x, j, &by);
        for (int n = 0; n < by.count; n++) {
            double *to = &(by.at[n] < s->at[WY_FIELD_hold] ? acting : all)[by.at[n]];
            for (int i = 0; i < 6; i++) *to -= by.by[n][i] * mu[i];
        }
    }
    for (int i = 0; i < x->plan.load.count; i++) pull_load(x, i);
}
