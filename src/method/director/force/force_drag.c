/* force_drag.c - drag of a medium at rest on the nodes of a rod.
 *
 *   F = w (k1 + k2 |u|) u,   l = w k3 omega          u, omega: velocity and spin in the medium, w: length of the node   (1)
 *
 * In motion u = dr/h and omega = theta/h, means of the step, so that what is lost, F . dr + l . theta, is never negative.
 * At rest in a frame that turns with W: u = W x r + v, omega = W; the medium outside is at rest.
 */
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

int wy_force_drag_acts(const wy_director_plan *plan) {
    const withy_rod *rod = plan->rod;
    return rod->drag_linear > 0 || rod->drag_quadratic > 0 || rod->drag_spin > 0;
}

int wy_force_drag_potential(const wy_director *x) {
    return v3_is_zero(x->plan.problem->rotating.spin);
}

/* w (k1 + k2 |u|) of (1). */
static double factor_of(const wy_director *x, int j, vec3 u) {
    const withy_rod *rod = x->plan.rod;
    return x->plan.mass[j].share * (rod->drag_linear + rod->drag_quadratic * v3_norm(u));
}

/* dF/du = w ((k1 + k2 |u|) 1 + k2 u u^T/|u|) */
static mat3 slope_of(const wy_director *x, int j, vec3 u) {
    const double k = factor_of(x, j, u), speed = v3_norm(u);
    const double more = speed > 0 ? x->plan.mass[j].share * x->plan.rod->drag_quadratic / speed : 0;
    return (mat3){v3_axpy(v3(k, 0, 0), more * u.x, u), v3_axpy(v3(0, k, 0), more * u.y, u),
                  v3_axpy(v3(0, 0, k), more * u.z, u)};
}

static vec3 rest_velocity(const wy_director *x, int j) {
    return v3_cross(x->step->spin, wy_director_from_axis(x, j));
}

void wy_force_drag_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    const double spin = x->plan.mass[j].share * x->plan.rod->drag_spin;
    if (x->step->dynamic) {
        const wy_director_next *next = &x->next[j];
        const double per = 1.0 / x->step->h;
        const vec3 u = v3_scale(per, next->dr);
        wy_rows_add(b, 0, factor_of(x, j, u), u);
        wy_rows_block(a, 0, 0, per, slope_of(x, j, u));
        wy_rows_add(b, 3, per * spin, next->theta);
        wy_rows_block(a, 3, 3, per * spin, wy_director_spin_map(next->theta));
    } else if (!v3_is_zero(x->step->spin)) {
        const vec3 u = rest_velocity(x, j);
        wy_rows_add(b, 0, factor_of(x, j, u), u);
        wy_rows_block(a, 0, 0, 1, m3_mulm(slope_of(x, j, u), wy_hat(x->step->spin)));
        wy_rows_add(b, 3, spin, x->step->spin);
    }
}

double wy_force_drag_energy(const wy_director *x, int j, vec3 r) {
    (void)x, (void)j, (void)r;
    return 0;
}

double wy_force_drag_lost(const wy_director *x, int j, double *work) {
    (void)work;
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h, spin = x->plan.mass[j].share * x->plan.rod->drag_spin;
    return per * (factor_of(x, j, v3_scale(per, next->dr)) * v3_dot(next->dr, next->dr) +
                  spin * v3_dot(next->theta, next->theta));
}

void wy_force_drag_damp(const wy_director *x, int j, const double *v, double *cv) {
    const double spin = x->plan.mass[j].share * x->plan.rod->drag_spin;
    wy_rows_add(cv, 0, 1, m3_mul(slope_of(x, j, rest_velocity(x, j)), v3_from(v)));
    wy_rows_add(cv, 3, spin, v3_from(v + 3));
}

void wy_force_drag_derive(const wy_director *x, int j, wy_slope_columns *to) {
    const wy_slopes *s = x->slopes;
    const double per = 1.0 / x->step->h, share = x->plan.mass[j].share;
    const vec3 u = v3_scale(per, x->next[j].dr), spin = v3_scale(per, x->next[j].theta);
    const vec3 none = {0, 0, 0};
    if (!x->step->dynamic) return;
    wy_slope_column(to, WY_AT(s, whole, 0, drag[0]), v3_scale(share, u), none);
    wy_slope_column(to, WY_AT(s, whole, 0, drag[1]), v3_scale(share * v3_norm(u), u), none);
    wy_slope_column(to, WY_AT(s, whole, 0, drag[2]), none, v3_scale(share, spin));
    wy_slope_column(to, WY_AT(s, mass, j, share), v3_scale(factor_of(x, j, u) / share, u),
                    v3_scale(x->plan.rod->drag_spin, spin));
}
