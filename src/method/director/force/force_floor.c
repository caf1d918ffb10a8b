/* force_floor.c - a plane that pushes the nodes below it.
 *
 *   V = w k min(y, 0)^2/2                     y: height of the node, w: length that it represents             (1)
 *   F = -(V+ - V-)/(y+ - y-) - w c dy/h       the discrete derivative of V, which conserves it; c: damping    (2)
 *
 * It never pulls: where the damping is more than the push, there is none.
 */
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

int wy_force_floor_acts(const wy_director_plan *plan) {
    return plan->problem->floor.given;
}

int wy_force_floor_potential(const wy_director *x) {
    (void)x;
    return 1;
}

static vec3 normal_of(const wy_director *x) {
    return v3_unit(x->plan.problem->floor.normal);
}

static double height(const wy_director *x, vec3 r) {
    return v3_dot(normal_of(x), v3_sub(v3_add(x->now->origin, r), x->plan.problem->floor.point));
}

/* The push along the normal, mean over the step, and minus its derivative by y+. */
static double push_of(const wy_director *x, int j, double *slope) {
    const withy_floor *floor = &x->plan.problem->floor;
    const double share = x->plan.mass[j].share;
    const double k = share * floor->stiffness, c = share * floor->damping;
    const double dy = v3_dot(normal_of(x), x->next[j].dr), y = height(x, x->node[j].r);
    const double before = wy_min(y, 0), after = wy_min(y + dy, 0);
    *slope = 0;
    if (!x->step->dynamic) {
        *slope = after < 0 ? k : 0;
        return -k * after;
    }
    double push = -0.5 * k * (before + after); /* both below, or dy = 0 */
    double grow = 0.5 * (after < 0 ? k : 0);
    if ((before == 0) != (after == 0) && dy != 0) {
        push = -0.5 * k * (after * after - before * before) / dy;
        grow = (k * after + push) / dy;
    }
    if (before + after < 0) push -= c * dy / x->step->h, grow += c / x->step->h;
    if (!(push > 0)) return 0.0; /* a floor pushes only */
    *slope = grow;
    return push;
}

void wy_force_floor_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    double slope;
    const double push = push_of(x, j, &slope);
    const vec3 n = normal_of(x);
    wy_rows_add(b, 0, -push, n);
    wy_rows_block(a, 0, 0, slope, (mat3){v3_scale(n.x, n), v3_scale(n.y, n), v3_scale(n.z, n)});
}

double wy_force_floor_energy(const wy_director *x, int j, vec3 r) {
    const double y = wy_min(0, height(x, r));
    return 0.5 * x->plan.mass[j].share * x->plan.problem->floor.stiffness * y * y;
}

double wy_force_floor_lost(const wy_director *x, int j, double *work) {
    (void)work;
    double slope;
    const double done = push_of(x, j, &slope) * v3_dot(normal_of(x), x->next[j].dr);
    const double before = wy_force_floor_energy(x, j, x->node[j].r);
    return before - wy_force_floor_energy(x, j, wy_director_plus_r(x, j)) - done;
}

void wy_force_floor_damp(const wy_director *x, int j, const double *v, double *cv) {
    double slope;
    if (!(push_of(x, j, &slope) > 0)) return;
    const vec3 n = normal_of(x);
    const double c = x->plan.mass[j].share * x->plan.problem->floor.damping;
    wy_rows_add(cv, 0, c * v3_dot(n, v3_from(v)), n);
}

/* By the length of the node alone: other parameters of a floor are refused. */
void wy_force_floor_derive(const wy_director *x, int j, wy_slope_columns *to) {
    double slope;
    const double push = push_of(x, j, &slope) / x->plan.mass[j].share;
    wy_slope_column(to, WY_AT(x->slopes, mass, j, share), v3_scale(-push, normal_of(x)),
                    v3(0, 0, 0));
}
