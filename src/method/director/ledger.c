/* ledger.c - where the energy is, what was put in, what was lost: closed at every step.
 *
 *   kinetic + shear + stretch + bend + twist + gravity + springs + floor - work + dissipated = const
 *
 * Work of loads is force . dr + moment . theta with the means of the step; work of a driven end is its
 * reaction times the prescribed increment, and the reaction is the residual of the held rows at the
 * converged iterate.  Every term is one that the discrete equations balance exactly, so what is left
 * over is rounding and the tolerance of Newton's method.
 */
#include "method/director/director.h"

void wy_director_reactions(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        wy_director_end *end = &x->end[i];
        end->reaction = end->reaction_moment = v3(0, 0, 0);
        if (!end->holds_position && !end->holds_frame) continue;
        double f[WY_DIRECTOR_NODE_MAX][6], a[6][6], b[6];
        double loads[6 * WY_DIRECTOR_NODE_MAX][6 * WY_DIRECTOR_NODE_MAX + 1] = {{0}};
        const int column = 6 * WY_DIRECTOR_NODE_MAX;
        wy_director_element_force(x, end->element, f);
        wy_director_loads_add(x, end->element, &loads[0][0], column + 1, column);
        wy_director_node_terms(x, end->node, a, b);
        for (int k = 0; k < 6; k++) b[k] += f[end->local][k] - loads[6 * end->local + k][column];
        if (end->holds_position) end->reaction = v3(b[0], b[1], b[2]);
        if (end->holds_frame) end->reaction_moment = v3(b[3], b[4], b[5]);
    }
}

static void add_work(wy_director *x) {
    wy_director_reactions(x);
    x->work += wy_director_loads_work(x);
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->end[i];
        const wy_director_node *node = &x->node[end->node];
        x->work += v3_dot(end->reaction, node->dr) + v3_dot(end->reaction_moment, node->theta);
    }
}

static double floor_energy(const wy_director *x, const wy_director_node *node, vec3 r) {
    const withy_floor *floor = &x->problem->floor;
    const vec3 n = v3_unit(floor->normal);
    const double y = wy_min(0, v3_dot(n, v3_sub(v3_add(x->origin, r), floor->point)));
    return 0.5 * node->share * floor->stiffness * y * y;
}

/* What damping takes in the step: viscous strains, drag, and the floor. */
static void add_dissipation(wy_director *x) {
    const double per = 1.0 / x->h;
    double lost = 0;
    if (x->damped)
        for (int i = 0; i < x->n * x->p; i++) {
            wy_director_gauss *g = &x->gauss[i];
            for (int k = 0; k < 2; k++) {
                const lane ds = g->plus[k] - g->start[k];
                const lane c = lane_all(per) * g->cv[k] + lane_all(x->xi) * g->c[k];
                lost += g->weight * lane_sum(c * ds * ds);
                g->rate[k] = lane_all(per) * ds;
            }
        }
    for (int j = 0; j < x->node_count && (x->drags || x->floors); j++) {
        const wy_director_node *node = &x->node[j];
        const double way = v3_dot(node->dr, node->dr), speed = per * sqrt(way);
        const withy_rod *rod = x->rod;
        lost += node->share * per * (rod->drag_linear + rod->drag_quadratic * speed) * way;
        lost += node->share * per * rod->drag_spin * v3_dot(node->theta, node->theta);
        if (!x->floors) continue;
        double slope;
        const double push = wy_director_floor_push(x, node, &slope);
        lost -= push * v3_dot(v3_unit(x->problem->floor.normal), node->dr);
        lost -= floor_energy(x, node, wy_director_plus_r(node)) - floor_energy(x, node, node->r);
    }
    x->dissipated += lost;
}

/* Energies at the start of the next step (after commit). */
void wy_director_energies(wy_director *x) {
    withy_energies e = {0};
    for (int i = 0; i < x->n * x->p; i++) {
        const wy_director_gauss *g = &x->gauss[i];
        const lane s0 = g->start[0] - g->rest[0], s1 = g->start[1] - g->rest[1];
        const lane v0 = g->c[0] * s0 * s0, v1 = g->c[1] * s1 * s1;
        e.shear += 0.5 * g->weight * (v0[0] + v0[1]), e.stretch += 0.5 * g->weight * v0[2];
        e.bend += 0.5 * g->weight * (v1[0] + v1[1]), e.twist += 0.5 * g->weight * v1[2];
    }
    double mass = 0;
    x->floor_energy = 0;
    for (int j = 0; j < x->node_count; j++) {
        const wy_director_node *node = &x->node[j];
        e.kinetic += 0.5 * node->mass * v3_dot(node->v, node->v);
        e.kinetic += 0.5 * lane_sum(node->rotary * node->w * node->w);
        e.gravity -= node->mass * v3_dot(x->gravity, node->r);
        mass += node->mass;
        if (x->floors) x->floor_energy += floor_energy(x, node, node->r);
    }
    x->spring_energy = 0;
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->end[i];
        const wy_director_node *node = &x->node[end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), node->d));
        e.kinetic += 0.5 * end->mass * v3_dot(end->u, end->u);
        e.gravity -= end->mass * v3_dot(x->gravity, v3_add(node->r, arm));
        mass += end->mass;
        const vec3 away = v3_sub(node->r, end->spring_r);
        x->spring_energy += 0.5 * end->spring * v3_dot(away, away);
        x->spring_energy +=
            0.5 * end->spring_turn * (3.0 - lane_sum(tri_dot(node->d, end->spring_d)));
    }
    e.gravity -= mass * v3_dot(x->gravity, x->origin);
    x->energy = e;
}

/* Energy - work + dissipation: the same at every step. */
double wy_director_balance(const wy_director *x) {
    const withy_energies *e = &x->energy;
    return e->kinetic + e->shear + e->stretch + e->bend + e->twist + x->fallen + x->spring_energy +
           x->floor_energy - x->work + x->dissipated;
}

double wy_director_conserved(const wy_director *x) {
    return wy_director_balance(x) + x->energy.gravity - x->fallen;
}

void wy_director_open_books(wy_director *x) {
    wy_director_energies(x);
    const withy_energies *e = &x->energy;
    x->work = x->dissipated = x->fallen = 0;
    x->scale = e->kinetic + e->shear + e->stretch + e->bend + e->twist;
    x->balance_start = wy_director_balance(x);
    x->stats->energy_start = x->stats->energy_end = wy_director_conserved(x);
    x->stats->energy_drift = 0;
}

/* Energy of gravity by increments: the potential itself may be so much larger than everything that
 * happens that its rounding would hide the rest. */
static void add_fall(wy_director *x) {
    vec3 sum = v3(0, 0, 0);
    for (int j = 0; j < x->node_count; j++) sum = v3_axpy(sum, x->node[j].mass, x->node[j].dr);
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->end[i];
        const wy_director_node *node = &x->node[end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), wy_director_mid(node)));
        sum = v3_axpy(sum, end->mass, v3_add(node->dr, v3_cross(node->theta, arm)));
    }
    x->fallen -= v3_dot(x->gravity, sum);
}

/* What a solved step adds, before it is committed. */
void wy_director_enter(wy_director *x) {
    add_work(x);
    add_dissipation(x);
    add_fall(x);
}

void wy_director_keep_books(wy_director *x) {
    wy_director_energies(x);
    const withy_energies *e = &x->energy;
    const double balance = wy_director_balance(x);
    const double now = wy_max(e->kinetic + e->shear + e->stretch + e->bend + e->twist,
                              wy_max(fabs(x->work), x->dissipated));
    x->scale = wy_max(x->scale, now);
    withy_stats *stats = x->stats;
    stats->energy_end = wy_director_conserved(x);
    if (x->scale > 0) {
        const double drift = fabs(balance - x->balance_start) / x->scale;
        if (!(drift <= stats->energy_drift)) stats->energy_drift = drift;
    }
}
