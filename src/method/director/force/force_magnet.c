/* force_magnet.c - magnetised rods in a magnetic field B(t) that is the same everywhere.
 *
 *   m = w sum M_i d_i            moment of a node; M: per length, in the section frame; w: length of the node   (1)
 *   l = mbar x B                 couple on it, B at the middle of the step                                      (2)
 *
 * Directors change by theta x dbar in a step, so that the work l . theta = B . (m+ - m-) exactly: what the field puts in is
 * booked as work, at any step.  -m . B is linear in the directors and no energy of the rod.
 */
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

int wy_force_magnet_acts(const wy_director_plan *plan) {
    return plan->rod->magnet.size > 0 && plan->problem->magnetic.given;
}

int wy_force_magnet_potential(const wy_director *x) {
    (void)x;
    return 1;
}

withy_status wy_magnet_make(wy_director *x, const wy_setup *setup, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    if (!wy_force_magnet_acts(plan)) return WITHY_OK;
    vec3 *moment = wy_arena_alloc(setup->arena, (size_t)plan->node_count, sizeof *moment);
    if (!moment) return wy_no_memory(err, "director: no memory for n = %d elements", plan->n);
    for (int j = 0; j < plan->node_count; j++) {
        double m[WITHY_FIELD_MAX] = {0};
        WY_TRY(withy_field_at(&plan->rod->magnet, plan->s[j], 0, m, err));
        moment[j] = v3_scale(plan->mass[j].share, v3_from(m));
    }
    x->rare.magnet = moment;
    return WITHY_OK;
}

withy_status wy_magnet_field(wy_director *rigid, double t, withy_error *err) {
    const withy_magnetic *field = &rigid->plan.problem->magnetic;
    wy_director_step *step = rigid->step;
    return field->given ? wy_load_value(&field->value, 0, t, step->factor, &step->field, err)
                        : WITHY_OK;
}

/* m of these directors. */
static vec3 moment_of(const wy_director *x, int j, tri d) {
    return tri_sum3(tri_scale(vec3_lane(x->rare.magnet[j]), d));
}

void wy_force_magnet_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    const vec3 field = x->step->field;
    const vec3 m = moment_of(x, j, wy_director_acting(x, j)), plus = moment_of(x, j, x->next[j].d);
    wy_rows_add(b, 3, 1, v3_cross(field, m));
    /* d(B x m) = B x (phi x m+)/2 = -hat(B) hat(m+) phi/2 */
    wy_rows_hat_product(&a[0][0], 6, 3, 3, -x->step->beta, field, plus);
}

double wy_force_magnet_energy(const wy_director *x, int j, vec3 r) {
    (void)x, (void)j, (void)r;
    return 0;
}

double wy_force_magnet_lost(const wy_director *x, int j, double *work) {
    const vec3 m = moment_of(x, j, wy_director_acting(x, j));
    *work += v3_dot(v3_cross(m, x->step->field), x->next[j].theta);
    return 0;
}

void wy_force_magnet_damp(const wy_director *x, int j, const double *v, double *cv) {
    (void)x, (void)j, (void)v, (void)cv;
}

void wy_force_magnet_derive(const wy_director *x, int j, wy_slope_columns *to) {
    (void)x, (void)j, (void)to; /* refused by gradient_network.c */
}
