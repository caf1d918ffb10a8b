/* spline_step.c - see spline_step.h. */
#include "method/spline_step.h"

void wy_spline_step_nodes(int n, double length, double *s) {
    for (int j = 0; j <= n; j++) s[j] = j < n ? j * (length / n) : length;
}

/* ---- steps ----------------------------------------------------------------------------------- */

double wy_spline_step_step(double length, double rho, double stiff) {
    return 0.02 * 2.0 / WY_PI * length * length * sqrt(rho / stiff);
}

/* q'' = (q+ - 2 q + q-)/h^2 compared with (q+ + q-)/2: 2 (1 - cos y) = (omega h)^2 cos y, y = omega h (1 - 5/24 (omega h)^2) */
wy_order wy_spline_step_order(const void *options) {
    (void)options;
    return (wy_order){2, 2, 5.0 / 24};
}

withy_status wy_spline_step_set_step(const wy_halving_stepper *stepper, const wy_setup *setup,
                                     const char *method, double given, double h, int moves,
                                     withy_error *err) {
    if (!(given > 0)) wy_note(setup->notes, WY_NOTE(step_auto), method, h);
    stepper->halving->h = h;
    return moves ? wy_halving_first(stepper, err) : WITHY_OK;
}

/* ---- sample ---------------------------------------------------------------------------------- */

static vec3 node_force(const wy_spline_step_balance *balance, const vec3 *cell, int n, int j) {
    if (j == 0) return balance->end[0];
    if (j == n) return balance->end[1];
    return v3_scale(0.5, v3_add(cell[j - 1], cell[j]));
}

vec3 wy_spline_step_force(const wy_spline_step_balance *balance, const vec3 *cell, int n,
                          wy_place at) {
    return wy_place_mix(at, node_force(balance, cell, n, at.j),
                        node_force(balance, cell, n, at.j + 1));
}

void wy_spline_step_sample(const wy_spline_step_sampler *sampler, const void *self,
                           const wy_halving *halving, const wy_spline_step_balance *balance,
                           withy_snapshot *snap) {
    const unsigned sums = WITHY_HAVE_ENERGY | WITHY_HAVE_MOMENTUM | WITHY_HAVE_CONSTRAINT;
    wy_halving_sample(halving, snap);
    snap->have |= snap->requested & sampler->pointwise;
    for (int i = 0; i < snap->count; i++) sampler->station(self, snap, i);
    if (snap->requested & sums) {
        sampler->sums(self, snap);
        snap->have |= sums;
    }
    wy_halving_sample_balance(halving, balance->reaction, balance->reaction_moment,
                              balance->known != 0, sampler->balance, snap);
}
