/* gradient_reverse.c - a step and an equilibrium backwards: derivatives of one number by everything.
 *
 * Let a be dJ/d(state) at the end of a step.  With gradient.c (1), (2), G of the step and c+-  the arm of a lump,
 *
 *   ghat_r = a_r + (2/h) (a_v + a_u),   ghat_phi = a_phi + (2/h) (G^T R- a_W + c+ x a_u)             (1)
 *   B^T mu = ghat,                      B = A, in the held rows the identity                         (2)
 *   a-     = -dF/d(state-)^T mu - ((2/h) (a_v + a_u), (2/h) (G^T R- a_W + c- x a_u), a_v, a_W)       (3)
 *   dJ/dp += -mu . dF/dp + mu . (rate of the held pose)                                              (4)
 *
 * (2) is solved in gradient_chain.c or, where the rod belongs to clusters, in gradient_network_matrix.c.  The cost does
 * not depend on the number of parameters: (4) is summed for fields, and a parameter takes its share of them at the end.
 */
#include <string.h>

#include "method/director/force.h"

static vec3 six_r(const double *a, int j) {
    return v3_from(&a[6 * j]);
}
static vec3 six_phi(const double *a, int j) {
    return v3_from(&a[6 * j + 3]);
}
/* ---- memory ----------------------------------------------------------------------------------------------- */

void wy_slope_take_by(wy_director *x, wy_taker *from) {
    wy_adjoint_fields *by = &x->slopes->by;
    wy_adjoint_now *now = &x->slopes->now;
    const size_t nodes = (size_t)x->plan.node_count, loads = (size_t)x->plan.load.count + 1;
    by->section = wy_taker_take(from, nodes, sizeof *by->section);
    by->size = wy_taker_take(from, (size_t)x->plan.n, sizeof *by->size);
    by->mass = wy_taker_take(from, nodes, sizeof *by->mass);
    by->load = wy_taker_take(from, loads, sizeof *by->load);
    by->node = wy_taker_take(from, nodes, sizeof *by->node);
    by->live = wy_taker_take(from, (size_t)x->slopes->count + 1, sizeof *by->live);
    now->mu = wy_taker_take(from, 6 * nodes, sizeof *now->mu);
    now->side = wy_taker_take(from, 6 * nodes, sizeof *now->side);
    now->rest = wy_taker_take(from, 6 * nodes, sizeof *now->rest);
    now->load = wy_taker_take(from, loads, sizeof *now->load);
}

void wy_slope_clear(wy_director *x) {
    wy_adjoint_fields *by = &x->slopes->by;
    const size_t nodes = (size_t)x->plan.node_count;
    memset(by->section, 0, nodes * sizeof *by->section);
    memset(by->size, 0, (size_t)x->plan.n * sizeof *by->size);
    memset(by->mass, 0, nodes * sizeof *by->mass);
    memset(by->load, 0, ((size_t)x->plan.load.count + 1) * sizeof *by->load);
    memset(by->end, 0, sizeof by->end);
    memset(by->drag, 0, sizeof by->drag);
    memset(by->node, 0, nodes * sizeof *by->node);
    memset(by->u, 0, sizeof by->u);
    memset(by->live, 0, ((size_t)x->slopes->count + 1) * sizeof *by->live);
    by->gravity = v3(0, 0, 0);
}

/* ---- the end of the step: (1), and (3) without F -------------------------------------------------------- */

void wy_slope_leave_node(const wy_director *x, int j, double twice, wy_adjoint_node *a,
                         double side[6]) {
    const mat3 spin = wy_director_spin_map(x->next[j].theta);
    const vec3 turn = m3_tmul(spin, m3_mul(tri_matrix(x->node[j].d), a->w));
    v3_to(v3_axpy(a->r, twice, a->v), side);
    v3_to(v3_axpy(a->phi, twice, turn), side + 3);
    a->r = v3_scale(-twice, a->v), a->phi = v3_scale(-twice, turn);
    a->v = v3_scale(-1, a->v), a->w = v3_scale(-1, a->w);
}

static void leave_lump(const wy_director *x, int which, double twice, double *side) {
    wy_adjoint_fields *by = &x->slopes->by;
    const wy_director_end *end = &x->plan.end[which];
    const int j = end->node;
    const vec3 u = v3_scale(twice, by->u[which]);
    const mat3 plus = tri_matrix(x->next[j].d), minus = tri_matrix(x->node[j].d);
    add6(&side[6 * j], 1, u, v3_cross(m3_mul(plus, end->arm), u));
    add_to(&by->node[j].r, -1, u);
    add_to(&by->node[j].phi, -1, v3_cross(m3_mul(minus, end->arm), u));
    add_to(&by->end[which].arm, 1, v3_sub(m3_tmul(plus, u), m3_tmul(minus, u)));
    by->u[which] = v3_scale(-1, by->u[which]);
}

/* ---- (2) ------------------------------------------------------------------------------------------------- */

static void keep_nodes(wy_director *x) {
    for (int j = 0; j < x->plan.node_count; j++) {
        double b[6];
        if (wy_slope_is_plain(x, j)) {
            const wy_slope_inertia own = wy_slope_inertia_of(x, j);
            wy_slope_keep_inertia(&own, x->slopes->node_plus[j]);
        } else {
            wy_director_node_terms(x, j, x->slopes->node_plus[j], b);
        }
    }
}

void wy_slope_part_held(wy_director *x, int which, double held[6]) {
    double *mu = &x->slopes->now.mu[6 * x->plan.end[which].node];
    v3_to(wy_director_held(&x->plan.end[which], v3_from(mu)), held);
    v3_to(wy_slope_held_turn(x, which, v3_from(mu + 3)), held + 3);
    for (int i = 0; i < 6; i++) mu[i] -= held[i];
}

/* ---- (4): nodes --------------------------------------------------------------------------------------- */

static void pull_inertia(const wy_director *x, int j, vec3 way, vec3 turn, wy_adjoint_mass *by) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h;
    const vec3 a = v3_scale(2 * per, v3_sub(v3_scale(per, next->dr), node->v));
    const lane w_plus = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    const tri change =
        tri_scale(lane_all(per), tri_sub(tri_scale(w_plus, next->d), tri_scale(node->w, node->d)));
    by->mass -= v3_dot(way, a);
    by->rotary -= tri_dot(change, tri_all(turn));
}

static void pull_lump(const wy_director *x, int which, vec3 way, vec3 turn, wy_adjoint_fields *by) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    const double per = 1.0 / x->step->h, m = end->mass;
    const tri acting = wy_director_acting(x, end->node);
    const vec3 c = tri_sum3(tri_scale(vec3_lane(end->arm), acting));
    const vec3 y = v3_add(way, v3_cross(turn, c)); /* mu . dF = y . df + (F x mu_phi) . dc */
    vec3 a = v3_scale(-1, x->step->gravity);
    if (x->step->dynamic) {
        const vec3 moved = v3_add(next->dr, v3_cross(next->theta, c));
        a = v3_axpy(a, 2 * per, v3_sub(v3_scale(per, moved), x->now->end[which].u));
        const tri change = tri_sub(next->d, x->node[end->node].d);
        add_to(&by->end[which].arm, -2 * m * per * per, m3_tmul(tri_matrix(change), y));
    }
    by->end[which].mass -= v3_dot(a, y);
    add_to(&by->gravity, m * x->step->factor, y);
    add_to(&by->end[which].arm, -m, m3_tmul(tri_matrix(acting), v3_cross(a, turn)));
}

static void pull_end(const wy_director *x, int which, vec3 way, vec3 turn, wy_adjoint_fields *by) {
    const wy_director_end *end = &x->plan.end[which];
    wy_adjoint_end *to = &by->end[which];
    const vec3 r =
        x->step->dynamic ? wy_director_mid_r(x, end->node) : wy_director_plus_r(x, end->node);
    pull_lump(x, which, way, turn, by);
    to->spring -= v3_dot(way, v3_sub(r, x->now->end[which].spring_r));
    add_to(&to->spring_r, end->spring, way);
    if (end->spring_turn > 0) to->spring_turn -= v3_dot(turn, wy_slope_unit_turn(x, which));
    wy_director_force *apply = &x->slopes->now.end[which].apply;
    *apply = (wy_director_force){way, turn};
    if (end->end.end->follower) {
        const mat3 acting = tri_matrix(wy_director_acting(x, end->node));
        *apply = (wy_director_force){m3_tmul(acting, way), m3_tmul(acting, turn)};
    }
    if (!end->loaded) *apply = (wy_director_force){{0, 0, 0}, {0, 0, 0}};
}

static void pull_nodes(wy_director *x) {
    wy_adjoint_fields *by = &x->slopes->by;
    const double *mu = x->slopes->now.mu;
    for (int j = 0; j < x->plan.node_count; j++) {
        const vec3 way = six_r(mu, j), turn = six_phi(mu, j);
        wy_adjoint_mass *mass = &by->mass[j];
        mass->mass += v3_dot(way, x->step->gravity);
        add_to(&by->gravity, x->plan.mass[j].mass * x->step->factor, way);
        add_to(&mass->force, x->step->factor, way);
        if (x->step->dynamic) pull_inertia(x, j, way, turn, mass);
        if (x->plan.forces) wy_forces_pull(x, j, way, turn, by);
        if (j == 0) pull_end(x, 0, way, turn, by);
        if (j == x->plan.node_count - 1) pull_end(x, 1, way, turn, by);
    }
}

/* ---- (4): loads, and functions of time ------------------------------------------------------------------- */

static void pull_loads(wy_director *x) {
    const double *mu = x->slopes->now.mu;
    for (int i = 0; i < x->plan.load.count; i++) {
        const int first = x->plan.load.point[i].cell * x->plan.p;
        vec3 way = {0, 0, 0}, turn = way;
        tri d = {{0}, {0}, {0}};
        for (int a = 0; a <= x->plan.p; a++) {
            const double k = x->plan.value[i][a];
            add_to(&way, k, six_r(mu, first + a)), add_to(&turn, k, six_phi(mu, first + a));
            d = tri_axpy(d, lane_all(k), wy_director_acting(x, first + a));
        }
        wy_director_force *to = &x->slopes->now.load[i];
        *to = (wy_director_force){way, turn};
        if (x->plan.load.point[i].load->follower)
            *to = (wy_director_force){m3_tmul(tri_matrix(d), way), m3_tmul(tri_matrix(d), turn)};
    }
}

static void keep_acting(wy_director *x) {
    wy_adjoint_fields *by = &x->slopes->by;
    const wy_adjoint_now *now = &x->slopes->now;
    const double factor = x->step->factor;
    for (int i = 0; i < x->plan.load.count; i++) {
        if (!wy_slope_load_acts(x, i)) continue;
        add_to(&by->load[i].force, factor, now->load[i].force);
        add_to(&by->load[i].moment, factor, now->load[i].moment);
    }
    for (int e = 0; e < 2; e++) {
        wy_adjoint_end *to = &by->end[e];
        add_to(&to->apply.force, factor, now->end[e].apply.force);
        add_to(&to->apply.moment, factor, now->end[e].apply.moment);
        add_to(x->step->dynamic ? &to->first_place : &to->place, 1, now->end[e].place);
        add_to(x->step->dynamic ? &to->first_turn : &to->turn, 1, now->end[e].turn);
    }
}

static double acting_sum(const wy_director *x, int k) {
    const wy_slope_acting *act = &x->slopes->acting[k / WY_PACK];
    const wy_adjoint_now *now = &x->slopes->now;
    const int l = k % WY_PACK;
    double sum = 0;
    for (int i = 0; i < x->plan.load.count; i++)
        sum += wy_slope_dot(now->load[i].force, act->load[i].force, l) +
               wy_slope_dot(now->load[i].moment, act->load[i].moment, l);
    for (int e = 0; e < 2; e++)
        sum += wy_slope_dot(now->end[e].apply.force, act->end[e].apply.force, l) +
               wy_slope_dot(now->end[e].apply.moment, act->end[e].apply.moment, l) +
               wy_slope_dot(now->end[e].place, act->end[e].place, l) +
               wy_slope_dot(now->end[e].turn, act->end[e].turn, l);
    return sum;
}

/* All of (4). */
static withy_status pull_fields(wy_director *x, double t_load, double t_pose, withy_error *err) {
    wy_slopes *s = x->slopes;
    for (int e = 0; e < x->plan.n; e++)
        wy_slope_element_pull(x, e, &s->now.mu[6 * e * x->plan.p], &s->by);
    pull_nodes(x);
    pull_loads(x);
    keep_acting(x);
    for (int k = 0; k < s->count; k++) {
        if (!s->live[k].at[0]) continue;
        WY_TRY(wy_slope_act_live(x, k, t_load, t_pose, err));
        s->by.live[k] += acting_sum(x, k);
    }
    return WITHY_OK;
}

/* ---- (3) --------------------------------------------------------------------------------------------- */

static void start_elements(wy_director *x) {
    wy_slopes *s = x->slopes;
    const int p = x->plan.p;
    double minus[6 * WY_ELEMENT_NODES][WY_DIRECTOR_STRIDE], out[6 * WY_ELEMENT_NODES];
    s->back.step->fresh = 1;
    for (int e = 0; e < x->plan.n; e++) {
        memset(out, 0, sizeof out);
        wy_director_element(&s->back, e, minus);
        wy_slope_transposed(p, (const double(*)[WY_DIRECTOR_STRIDE])minus, &s->now.mu[6 * e * p],
                            out);
        for (int a = 0; a <= p; a++) {
            wy_adjoint_node *to = &s->by.node[e * p + a];
            add_to(&to->r, -1, six_r(out, a)), add_to(&to->phi, -1, six_phi(out, a));
        }
    }
}

static vec3 columns(double m[6][6], int first, const double *mu) {
    double out[3] = {0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) out[k] += m[i][first + k] * mu[i];
    return v3_from(out);
}

static void start_nodes(wy_director *x) {
    wy_slopes *s = x->slopes;
    for (int j = 0; j < x->plan.node_count; j++) {
        const double *mu = &s->now.mu[6 * j];
        wy_adjoint_node *to = &s->by.node[j];
        const wy_slope_inertia own = wy_slope_inertia_of(x, j);
        if (wy_slope_is_plain(x, j)) {
            add_to(&to->r, own.shift, v3_from(mu)), add_to(&to->v, own.speed, v3_from(mu));
            add_to(&to->phi, -1, m3_tmul(own.minus, v3_from(mu + 3)));
            add_to(&to->w, -1, m3_tmul(own.spin, v3_from(mu + 3)));
            continue;
        }
        wy_slope_before past;
        wy_slope_node_before(x, j, &own, &past);
        add_to(&to->r, -1, columns(past.place, 0, mu)),
            add_to(&to->v, -1, columns(past.rate, 0, mu));
        add_to(&to->phi, -1, columns(past.place, 3, mu));
        add_to(&to->w, -1, columns(past.rate, 3, mu));
        const int which = j > 0;
        for (int i = 0; i < 6 && x->plan.end[which].node == j; i++)
            add_to(&s->by.u[which], -mu[i], v3(past.lump[i][0], past.lump[i][1], past.lump[i][2]));
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* dJ by what is solved for, into now.side. */
static void leave(wy_director *x) {
    wy_slopes *s = x->slopes;
    const double twice = 2.0 / x->step->h;
    keep_nodes(x);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_adjoint_node *a = &s->by.node[j];
        if (x->step->dynamic) {
            wy_slope_leave_node(x, j, twice, a, &s->now.side[6 * j]);
            continue;
        }
        v3_to(a->r, &s->now.side[6 * j]), v3_to(a->phi, &s->now.side[6 * j + 3]);
        memset(a, 0, sizeof *a);
    }
    for (int i = 0; i < 2 && x->step->dynamic; i++) leave_lump(x, i, twice, s->now.side);
}

void wy_slope_reverse_open(wy_director *x) {
    wy_slope_plus(x);
    leave(x);
}

withy_status wy_slope_reverse_close(wy_director *x, double t_load, double t_pose,
                                    withy_error *err) {
    if (x->step->dynamic) {
        wy_slope_turn_back(x);
        start_elements(x);
        start_nodes(x);
    }
    return pull_fields(x, t_load, t_pose, err);
}

/* ---- a parameter ----------------------------------------------------------------------------------------- */

static double sum_sections(const wy_director *x, const wy_slope_fields *f, int l) {
    const wy_adjoint_fields *by = &x->slopes->by;
    double sum = 0;
    if (f->strains || f->lengths)
        for (int i = 0; i < x->plan.n * x->plan.p; i++) {
            const wy_adjoint_section *to = &by->section[i];
            const wy_slope_section *d = &f->section[i];
            sum += to->weight * d->weight[l];
            for (int c = 0; c < 6; c++)
                sum += to->c[c / 3][c % 3] * d->c[c][l] + to->cv[c / 3][c % 3] * d->cv[c][l] +
                       to->rest[c / 3][c % 3] * d->rest[c][l];
        }
    for (int e = 0; e < x->plan.n && f->lengths; e++) sum += by->size[e] * f->size[e][l];
    return sum;
}

static double sum_nodes(const wy_director *x, const wy_slope_fields *f, int l) {
    const wy_adjoint_fields *by = &x->slopes->by;
    double sum = wy_slope_dot(by->gravity, f->gravity, l);
    for (int i = 0; i < 3; i++) sum += by->drag[i] * f->drag[i][l];
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_adjoint_mass *to = &by->mass[j];
        const wy_slope_mass *d = &f->mass[j];
        sum += to->mass * d->mass[l] + to->share * d->share[l];
        for (int c = 0; c < 3; c++) sum += to->rotary[c] * d->rotary[c][l];
    }
    for (int e = 0; e < 2; e++) {
        const wy_adjoint_end *to = &by->end[e];
        const wy_slope_end *d = &f->end[e];
        sum += to->mass * d->mass[l] + to->spring * d->spring[l] +
               to->spring_turn * d->spring_turn[l] + wy_slope_dot(to->arm, d->arm, l) +
               wy_slope_dot(to->spring_r, d->spring_r, l);
    }
    return sum;
}

/* Loads and ends that are constants. */
static double sum_acting(const wy_director *x, const wy_slope_fields *f, int l) {
    const wy_adjoint_fields *by = &x->slopes->by;
    double sum = 0;
    for (int i = 0; i < x->plan.load.count; i++)
        sum += wy_slope_dot(by->load[i].force, f->load[i].force, l) +
               wy_slope_dot(by->load[i].moment, f->load[i].moment, l);
    for (int e = 0; e < 2; e++) {
        const wy_adjoint_end *to = &by->end[e];
        const wy_slope_end *d = &f->end[e];
        const wy_slope_node *first = &f->first[x->plan.end[e].node];
        sum += wy_slope_dot(to->apply.force, d->apply.force, l) +
               wy_slope_dot(to->apply.moment, d->apply.moment, l) +
               wy_slope_dot(to->place, d->place, l) + wy_slope_dot(to->turn, d->turn, l) +
               wy_slope_dot(to->first_place, first->r, l) +
               wy_slope_dot(to->first_turn, first->phi, l);
    }
    return sum;
}

static double sum_start(const wy_director *x, const wy_slope_fields *f, int l) {
    const wy_adjoint_fields *by = &x->slopes->by;
    double sum = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_adjoint_node *to = &by->node[j];
        const wy_slope_node *d = &f->first[j];
        sum += wy_slope_dot(to->r, d->r, l) + wy_slope_dot(to->phi, d->phi, l) +
               wy_slope_dot(to->v, d->v, l) + wy_slope_dot(to->w, d->w, l);
    }
    for (int e = 0; e < 2; e++) sum += wy_slope_dot(by->u[e], f->first_u[e], l);
    return sum;
}

double wy_slope_reverse_sum(const wy_director *x, int k, int moved, int settled) {
    const wy_slope_fields *f = &x->slopes->field[k / WY_PACK];
    const int l = k % WY_PACK;
    double sum = sum_sections(x, f, l) + sum_nodes(x, f, l);
    sum += x->slopes->live[k].at[0] ? x->slopes->by.live[k] : sum_acting(x, f, l);
    return moved && !settled ? sum + sum_start(x, f, l) : sum;
}
