/* ledger.c - of one rod: energy stored, work put in, energy lost; balanced at every step (director/network/network_ledger.c).
 *
 *   kinetic + shear + stretch + bend + twist + gravity + springs + floor - work + dissipated = const
 *
 * Work of loads is force . dr + moment . theta with the means of the step; work of a driven end is its
 * reaction times the prescribed increment, and the reaction is the residual of the held rows at the
 * converged iterate.  Every term is one that the discrete equations balance exactly, so what is left
 * over is rounding and the tolerance of Newton's method.
 */
#include "method/director/force/force.h"
#include "method/director/law/law.h"

void wy_director_element_side(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]) {
    enum { COLUMN = 6 * WY_ELEMENT_NODES };
    if (wy_director_is_mixed(x) && !x->step->dynamic)
        wy_director_element_pull(x, e, f, wy_director_mixed_gap(x, e));
    else
        wy_director_element_force(x, e, f);
    for (int k = 0; k < 6 * (x->plan.p + 1); k++) f[k / 6][k % 6] = -f[k / 6][k % 6];
    if (!wy_director_loaded(x, e) && !(x->plan.has_damping_in_space && x->step->dynamic)) return;
    double m[COLUMN][COLUMN + 1] = {{0}};
    wy_director_loads_add(x, e, &m[0][0], COLUMN + 1, COLUMN);
    for (int k = 0; k < 6 * (x->plan.p + 1); k++) f[k / 6][k % 6] += m[k][COLUMN];
}

void wy_director_reactions(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_end_now *now = &x->now->end[i];
        now->reaction[0] = now->reaction_moment[0] = v3(0, 0, 0);
        if (!end->places && !end->holds_frame) continue;
        double f[WY_ELEMENT_NODES][6], a[6][6], b[6];
        wy_director_element_side(x, end->element, f);
        wy_director_node_terms(x, end->node, a, b);
        for (int k = 0; k < 6; k++) b[k] -= f[end->local][k];
        now->reaction[0] = wy_director_held(end, v3(b[0], b[1], b[2]));
        if (end->holds_frame) now->reaction_moment[0] = v3(b[3], b[4], b[5]);
    }
}

static void pass_reactions(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        wy_director_force_pass(x->now->end[i].reaction);
        wy_director_force_pass(x->now->end[i].reaction_moment);
    }
}

static void add_work(wy_director *x) {
    pass_reactions(x);
    wy_director_reactions(x);
    x->now->work += wy_director_loads_work(x);
    if (x->tendon_stress) x->now->work += wy_director_tendons_work(x, &x->now->active);
    for (int i = 0; i < 2; i++) {
        const wy_director_end_now *end = &x->now->end[i];
        const wy_director_next *next = &x->next[x->plan.end[i].node];
        x->now->work +=
            v3_dot(end->reaction[0], next->dr) + v3_dot(end->reaction_moment[0], next->theta);
    }
}

/* Dissipation of the step: viscous strains, and forces of a field. */
static void add_dissipation(wy_director *x) {
    const double per = 1.0 / x->step->h;
    double lost = 0;
    if (x->plan.damped)
        for (int i = 0; i < x->plan.n * x->plan.p; i++) {
            const wy_director_section *g = &x->plan.section[i];
            wy_director_strain *now = &x->strain[i];
            for (int k = 0; k < 2; k++) {
                const lane ds = x->stress[i].plus[k] - now->start[k];
                const lane c = lane_all(per) * g->cv[k] + lane_all(x->step->xi) * g->c[k];
                if (!x->law) lost += g->weight * lane_sum(c * ds * ds); /* else that of the law */
                now->rate[k] = lane_all(per) * ds;
            }
        }
    if (x->plan.has_damping_in_space) lost += wy_director_space_loss(x);
    for (int j = 0; j < x->plan.node_count && x->plan.forces; j++)
        lost += wy_forces_lost(x, j, &x->now->work);
    x->now->dissipated += lost;
}

double wy_director_strain_energy(const wy_director *x, withy_energies *e) {
    e->shear = e->stretch = e->bend = e->twist = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        lane v[2];
        wy_section_energy_at(x, i, v);
        e->shear += 0.5 * g->weight * (v[0][0] + v[0][1]), e->stretch += 0.5 * g->weight * v[0][2];
        e->bend += 0.5 * g->weight * (v[1][0] + v[1][1]), e->twist += 0.5 * g->weight * v[1][2];
    }
    return e->shear + e->stretch + e->bend + e->twist;
}

/* Energies at the start of the next step (after commit). */
void wy_director_energies(wy_director *x) {
    withy_energies e = {0};
    wy_director_strain_energy(x, &e);
    double mass = 0;
    x->now->field_energy = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        const wy_director_mass *of = &x->plan.mass[j];
        if (!wy_is_massless(&x->plan)) {
            e.kinetic += 0.5 * of->mass * v3_dot(node->v, node->v);
            e.kinetic += 0.5 * lane_sum(of->rotary * node->w * node->w);
        }
        e.gravity -= of->mass * v3_dot(x->step->gravity, node->r);
        mass += of->mass;
        if (x->plan.forces) x->now->field_energy += wy_forces_energy(x, j, node->r);
    }
    x->now->spring_energy = 0;
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_end_now *now = &x->now->end[i];
        const wy_director_node *node = &x->node[end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), node->d));
        e.kinetic += 0.5 * end->mass * v3_dot(now->u, now->u);
        e.gravity -= end->mass * v3_dot(x->step->gravity, v3_add(node->r, arm));
        mass += end->mass;
        const vec3 away = v3_sub(node->r, now->spring_r);
        x->now->spring_energy += 0.5 * end->spring * v3_dot(away, away);
        double phi;
        wy_director_spring_turn(node->d, now->spring_d, &phi);
        x->now->spring_energy += 0.5 * end->spring_turn * phi * phi;
    }
    e.gravity -= mass * v3_dot(x->step->gravity, x->now->origin);
    x->now->energy = e;
}

/* Energy of gravity by increments: the potential itself may be so much larger than everything that
 * happens that its rounding would hide the rest. */
static void add_fall(wy_director *x) {
    vec3 sum = v3(0, 0, 0);
    for (int j = 0; j < x->plan.node_count; j++)
        sum = v3_axpy(sum, x->plan.mass[j].mass, x->next[j].dr);
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_next *next = &x->next[end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), wy_director_mid(x, end->node)));
        sum = v3_axpy(sum, end->mass, v3_add(next->dr, v3_cross(next->theta, arm)));
    }
    x->now->fallen -= v3_dot(x->step->gravity, sum);
}

void wy_director_ledger_add(wy_director *x) {
    add_work(x);
    add_dissipation(x);
    add_fall(x);
}
