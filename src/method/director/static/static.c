/* static.c - one rod at rest: its loads and ends at a load factor, and what the equations of all rods
 * (director/static/network_static.c) ask of each.
 *
 * The same element as in motion with q- = q+: stress C (S - S0), tangent with beta = 1 and without inertia.
 */
#include "method/director/force/force.h"

/* The moment between two nodes, (EI/h) sin(turn) cos(turn), falls again beyond TURN_DOUBT: a rod
 * bent further may be an artefact of the mesh.  At twice as much it folds (director/step/network_step.c). */
static const double TURN_CHECK = 0.25 * WY_PI;

void wy_director_rest(wy_director *x) {
    *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
    wy_director_mixed_set(x, 0);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->v = node->rate[0].dr = node->rate[0].theta = v3(0, 0, 0);
        node->w = lane_all(0);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        x->strain[i].rate[0] = x->strain[i].rate[1] = lane_all(0);
    for (int i = 0; i < 2; i++) {
        wy_director_end_now *end = &x->now->end[i];
        end->u = end->offset_r = end->offset_turn = v3(0, 0, 0);
    }
    x->now->started = 0, x->now->history = 0, x->now->guess = 0, x->now->passed = 0;
}

/* ---- loads and ends ------------------------------------------------------------------------------ */

void wy_director_set_factor(wy_director *x, double factor) {
    x->step->factor = factor;
    x->step->gravity = v3_scale(factor, x->plan.problem->gravity);
    x->step->spin = v3_scale(sqrt(wy_max(factor, 0)), x->plan.problem->rotating.spin);
}

void wy_director_approach(wy_director *x, double part) {
    for (int i = 0; i < 2 && part < 1; i++) {
        wy_director_end_step *end = &x->step->end[i];
        const wy_director_end_now *now = &x->now->end[i];
        end->target_r = v3_axpy(end->target_r, 1 - part, now->gap_r);
        end->target = m3_mulm(q_matrix(q_exp(v3_scale(1 - part, now->gap_turn))), end->target);
    }
}

void wy_director_find_gaps(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_node *node = &x->node[end->node];
        const wy_director_end_step *to = &x->step->end[i];
        wy_director_end_now *now = &x->now->end[i];
        now->gap_turn = v3(0, 0, 0);
        now->gap_r = wy_director_held(end, v3_sub(node->r, to->target_r));
        if (!end->holds_frame) continue;
        const mat3 d = tri_matrix(node->d);
        const mat3 turn = end->turns_free ? m3_between(to->target.c3, d.c3)
                                          : m3_mulm(d, m3_transpose(to->target));
        now->gap_turn = q_log(q_from_matrix(turn));
    }
}

/* ---- equations ----------------------------------------------------------------------------------- */

void wy_director_rest_begin(wy_director *x) {
    wy_director_strains(x, 1);
    if (wy_director_is_mixed(x))
        wy_director_mixed_begin(x);
    else
        wy_director_sigma(x);
}

double wy_director_slender(const wy_director *x) {
    double most = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 3; k++) most = wy_max(most, x->plan.section[i].c[0][k]);
    const double more = x->plan.whole / x->plan.length;
    return more * more * most * wy_director_compliance(x) / x->plan.length;
}

double wy_director_coarseness(const wy_director *x, double *s) {
    int node = 0;
    const double turn = wy_is_cable(&x->plan) ? 0 : wy_director_turn(x, &node);
    *s = x->plan.s[node];
    return turn / TURN_CHECK;
}

int wy_director_has_potential(const wy_director *x) {
    return wy_forces_potential(x) && wy_has_potential(x->plan.rod, x->now->pulling != 0, 0);
}

double wy_director_regularisation(const wy_director *x) {
    return wy_max(1e-9, 2e-15 * wy_director_slender(x)) * wy_director_unit(x);
}

double wy_director_unit(const wy_director *x) {
    return 3.516 * 3.516 / (x->plan.length * wy_director_compliance(x)) *
           pow(x->plan.length / x->plan.whole, 4);
}

double wy_director_mass_frequency_square(const wy_director *x) {
    const double period = wy_director_slow_period(x);
    const double omega = period > 0 ? 2 * WY_PI / period : 0.0;
    return omega * omega * pow(x->plan.length / x->plan.whole, 4);
}

double wy_director_frequency_square(const wy_director *x) {
    return x->step->weighed ? wy_director_unit(x) : wy_director_mass_frequency_square(x);
}
