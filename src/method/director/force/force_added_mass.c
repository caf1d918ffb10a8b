/* force_added_mass.c - the fluid that a rod sets in motion: momentum of its own, with its couple.
 *
 * Per node p = R Ma u, u = R^T (v - U), is one more velocity of the state, in body components.  A step, with R-, R+ the frames,
 * theta its turn, and y = dr/h - U, where U is the velocity of the fluid at the middle:
 *
 *   (u+ + u-)/2 = Rbar^-1 y,   Rbar^-1 = R-^T (1 - hat(theta)/2)                                             (1)
 *   F_r   = (p+ - p-)/h                                                                                      (2)
 *   F_phi = y x (p+ + p-)/2                                                                                  (3)
 *
 * Since R+ - R- = hat(theta) Rbar and (1 - hat(theta)^2/4) Rbar = Rbar^-T for the plain mean Rbar of both,
 * p+ - p- - theta x pbar = Rbar^-T Ma (u+ - u-), so that (dr - h U) . F_r + theta . F_phi is exactly the change of
 * u . Ma u/2: energy and both momenta of a rod in a fluid at rest are conserved at any step.  (3) is the moment of Munk; at
 * rest it is U x (R Ma R^T U).  In a fluid that varies in space the force
 *
 *   f = R Ma R^T ((U - v) . grad) U                                                                          (4)
 *
 * makes the acceleration of the fluid U_t + (U . grad) U ("local": -(v . grad) U, and U_t).
 *
 * inertia = "acceleration": f = R Ma R^T (A - (v+ - v-)/h) without u and couple, as other programs have it; it does not
 * conserve energy, and what it does is counted as work of the medium.
 */
#include "method/director/force/fluid.h"
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

static lane mass_of(const wy_director *x, int j) {
    return x->fluid->node[j].added;
}

/* R diag(k) Q^T */
static mat3 between(tri r, lane k, tri q) {
    return m3_mulm(tri_matrix(tri_scale(k, r)), m3_transpose(tri_matrix(q)));
}

static vec3 in_space(tri d, lane k) {
    return tri_sum3(tri_scale(k, d));
}

static vec3 slip_of(const wy_director *x, int j) {
    return v3_axpy(v3_scale(-1, x->flow[j].u), 1.0 / x->step->h, x->next[j].dr);
}

/* (1) */
static lane u_plus(const wy_director *x, int j, vec3 y) {
    const vec3 theta = x->next[j].theta;
    const vec3 back = v3_axpy(y, -0.5, v3_cross(theta, y));
    return lane_all(2) * tri_dot(x->node[j].d, tri_all(back)) - x->u[j];
}

/* (4), or of the accelerated form all of the fluid's acceleration. */
static vec3 convection(const wy_director *x, int j) {
    const wy_flow *flow = &x->flow[j];
    const int local = x->plan.problem->medium.local;
    const vec3 v = x->step->dynamic ? v3_scale(1.0 / x->step->h, x->next[j].dr) : v3(0, 0, 0);
    if (x->fluid->at_rest) return v3(0, 0, 0);
    if (x->fluid->accelerated)
        return local ? flow->rate : v3_add(flow->rate, m3_mul(flow->slope, flow->u));
    return m3_mul(flow->slope, v3_sub(local ? v3(0, 0, 0) : flow->u, v));
}

static vec3 convected(const wy_director *x, int j) {
    const tri d = wy_director_acting(x, j);
    const lane body = tri_dot(d, tri_all(convection(x, j)));
    return in_space(d, mass_of(x, j) * body);
}

/* ---- in motion ---------------------------------------------------------------------------------------- */

static void add_moving(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_director_next *next = &x->next[j];
    const tri minus = x->node[j].d;
    const double per = 1.0 / x->step->h;
    const lane mass = mass_of(x, j);
    const vec3 y = slip_of(x, j), theta = next->theta;
    const vec3 p_plus = in_space(next->d, mass * u_plus(x, j, y));
    const vec3 p_minus = in_space(minus, mass * x->u[j]);
    const vec3 mean = v3_scale(0.5, v3_add(p_plus, p_minus));
    wy_rows_add(b, 0, per, v3_sub(p_plus, p_minus));
    wy_rows_add(b, 3, 1, v3_cross(y, mean));
    /* dp+ = dphi x p+ + K (2 (1 - hat(theta)/2) dy + y x G dphi),  K = R+ Ma R-^T,  dy = Y dr */
    const mat3 k = between(next->d, mass, minus), hat_y = wy_hat(y), hat_p = wy_hat(p_plus);
    mat3 way = {{per, 0, 0}, {0, per, 0}, {0, 0, per}};
    if (!x->fluid->at_rest) way = m3_axpy(way, -1, wy_fluid_slope(x, j));
    const mat3 back = m3_axpy((mat3){{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, -1, wy_hat(theta));
    const mat3 by_r = m3_mulm(m3_mulm(k, back), way);
    const mat3 by_phi = m3_axpy(m3_mulm(m3_mulm(k, hat_y), wy_director_spin_map(theta)), -1, hat_p);
    wy_rows_block(a, 0, 0, per, by_r);
    wy_rows_block(a, 0, 3, per, by_phi);
    wy_rows_block(a, 3, 0, 0.5, m3_mulm(hat_y, by_r));
    wy_rows_block(a, 3, 0, -1, m3_mulm(wy_hat(mean), way));
    wy_rows_block(a, 3, 3, 0.5, m3_mulm(hat_y, by_phi));
}

/* As a force: R Ma R^T at the mean directors times the change of velocity. */
static void add_accelerated(const wy_director *x, int j, double a[6][6], double b[6]) {
    const double per = 1.0 / x->step->h;
    const tri d = wy_director_acting(x, j), plus = x->next[j].d;
    const vec3 rate = v3_scale(2 * per, v3_axpy(v3_scale(-1, x->node[j].v), per, x->next[j].dr));
    const vec3 lag = v3_sub(rate, convection(x, j));
    const lane mass = mass_of(x, j), body = tri_dot(d, tri_all(lag));
    wy_rows_add(b, 0, 1, in_space(d, mass * body));
    wy_rows_block(a, 0, 0, 2 * per * per, between(d, mass, d));
    /* d(D) = dphi x D+/2 */
    wy_rows_block(a, 0, 3, -0.5, wy_hat(in_space(plus, mass * body)));
    const mat3 turned = m3_mulm(between(d, mass, plus), wy_hat(lag));
    wy_rows_block(a, 0, 3, 0.5, turned);
}

vec3 wy_added_mass_rate(const wy_director *x, int j) {
    const double per = x->step->dynamic ? 1.0 / x->step->h : 0;
    const vec3 flow = v3_scale(-x->step->factor, convection(x, j));
    if (!x->step->dynamic) return flow;
    const vec3 way = v3_axpy(v3_scale(-1, x->node[j].v), per, x->next[j].dr);
    return v3_axpy(flow, 2 * per, way);
}

/* Ma in the axes of a cable. */
static mat3 about_axis(lane mass, vec3 t) {
    const double across = mass[0], more = mass[2] - mass[0];
    return (mat3){v3_axpy(v3(across, 0, 0), more * t.x, t),
                  v3_axpy(v3(0, across, 0), more * t.y, t),
                  v3_axpy(v3(0, 0, across), more * t.z, t)};
}

/* ---- at rest -------------------------------------------------------------------------------------------- */

static void add_resting(const wy_director *x, int j, double a[6][6], double b[6]) {
    const double factor = x->step->factor;
    const tri d = x->next[j].d;
    const vec3 flow = x->flow[j].u;
    const mat3 mass = between(d, mass_of(x, j), d), hat = wy_hat(flow), slope = x->flow[j].slope;
    const vec3 p = m3_mul(mass, flow);
    wy_rows_add(b, 3, factor, v3_cross(flow, p));
    wy_rows_block(a, 3, 3, factor, m3_mulm(hat, m3_axpy(m3_mulm(mass, hat), -1, wy_hat(p))));
    wy_rows_block(a, 3, 0, factor, m3_mulm(m3_axpy(m3_mulm(hat, mass), -1, wy_hat(p)), slope));
}

/* ---- the force ------------------------------------------------------------------------------------------ */

int wy_force_added_mass_acts(const wy_director_plan *plan) {
    const withy_fluid *fluid = &plan->rod->fluid;
    return fluid->given && plan->problem->medium.density > 0 &&
           (fluid->added_normal > 0 || fluid->added_tangential > 0);
}

int wy_force_added_mass_potential(const wy_director *x) {
    return x->fluid->at_rest;
}

void wy_force_added_mass_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_fluid *fluid = x->fluid;
    if (wy_is_cable(&x->plan)) return; /* cable_fluid.c */
    if (x->step->dynamic && fluid->accelerated) {
        add_accelerated(x, j, a, b);
        return;
    }
    if (x->step->dynamic)
        add_moving(x, j, a, b);
    else if (!fluid->at_rest && !fluid->accelerated)
        add_resting(x, j, a, b);
    if (!fluid->at_rest) wy_rows_add(b, 0, -x->step->factor, convected(x, j));
}

double wy_force_added_mass_energy(const wy_director *x, int j, vec3 r) {
    (void)r;
    if (!x->u) return 0;
    return 0.5 * lane_sum(mass_of(x, j) * x->u[j] * x->u[j]);
}

double wy_force_added_mass_lost(const wy_director *x, int j, double *work) {
    double a[6][6] = {{0}}, b[6] = {0};
    const wy_director_next *next = &x->next[j];
    if (wy_is_cable(&x->plan)) {
        const vec3 lag = wy_added_mass_rate(x, j);
        wy_fluid_state s[2];
        for (int i = wy_fluid_states(x, j, s) - 1; i >= 0; i--)
            *work -= s[i].share * v3_dot(m3_mul(about_axis(mass_of(x, j), s[i].t), lag), next->dr);
        return 0;
    }
    if (!x->u) {
        add_accelerated(x, j, a, b);
        *work -= v3_dot(v3_from(b), next->dr);
        return 0;
    }
    if (x->fluid->at_rest) return 0;
    const lane mass = mass_of(x, j);
    const vec3 after = in_space(next->d, mass * u_plus(x, j, slip_of(x, j)));
    const vec3 before = in_space(x->node[j].d, mass * x->u[j]);
    *work += v3_dot(convected(x, j), next->dr) - v3_dot(x->flow[j].u, v3_sub(after, before));
    return 0;
}

void wy_force_added_mass_damp(const wy_director *x, int j, const double *v, double *cv) {
    (void)x, (void)j, (void)v, (void)cv;
}

/* Derivatives are refused with added mass (gradient_network.c). */
void wy_force_added_mass_derive(const wy_director *x, int j, wy_slope_columns *to) {
    (void)x, (void)j, (void)to;
}

void wy_added_mass_keep(wy_director *x) {
    for (int j = 0; j < x->plan.node_count; j++) x->u[j] = u_plus(x, j, slip_of(x, j));
}

void wy_added_mass_inertia(const wy_director *x, int j, double k, double a[6][6]) {
    const tri d = x->next[j].d;
    wy_fluid_state s[2];
    if (!wy_is_cable(&x->plan)) {
        wy_rows_block(a, 0, 0, k, between(d, mass_of(x, j), d));
        return;
    }
    for (int i = wy_fluid_states(x, j, s) - 1; i >= 0; i--)
        wy_rows_block(a, 0, 0, k * s[i].share, about_axis(mass_of(x, j), s[i].t));
}

vec3 wy_added_mass_momentum(const wy_director *x, int j) {
    return in_space(x->node[j].d, mass_of(x, j) * x->u[j]);
}
