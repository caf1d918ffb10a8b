/* force_cable.c - what holds the directors of a cable, which nothing turns: at rest each has a stiffness against turning, far
 * above all others, so that the equations are regular; it does no work, as none ever turns.  A node of a rigid group
 * turns with it, and has none, unless the group has nothing but nodes of cables at one point.  In motion their inertia is enough.
 */
#include "method/director/force/force.h"
#include "method/director/network.h"

static const double POINT = 1e-9; /* of the network: places that one joint may hold together */
static const double STIFF = 1e6;  /* times the stiffness of a rod with the scale of the cable */

int wy_force_cable_acts(const wy_director_plan *plan) {
    return plan->rod->kind == WITHY_CABLE;
}

int wy_force_cable_potential(const wy_director *x) {
    (void)x;
    return 1;
}

/* Only nodes of cables, at one point? */
static int is_of_cables(const wy_network *net, int c) {
    const int *first = net->plan.rigid_group_first;
    for (int i = first[c]; i < first[c + 1]; i++) {
        const int member = net->plan.rigid_group_part[i] - net->plan.bodies;
        const wy_group_node *k = member < 0 ? NULL : &net->plan.member[member];
        if (!k || !wy_is_cable(&net->rod[k->rod].plan) || v3_norm(k->o) > POINT * net->plan.length)
            return 0;
    }
    return 1;
}

void wy_force_cable_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_director_plan *plan = &x->plan;
    const wy_network *net = x->within;
    (void)b;
    if (x->step->dynamic) return;
    const int tied = wy_network_is_group_node(net, plan->index, j);
    const int member = tied ? wy_group_node_of(net, plan->index, j) : -1;
    if (tied && !is_of_cables(net, net->plan.member[member].rigid_group)) return;
    const double length = plan->length,
                 k = STIFF * plan->mass[j].share * plan->section[0].c[1][0] / (length * length);
    for (int i = 3; i < 6; i++) a[i][i] += k;
}

double wy_force_cable_energy(const wy_director *x, int j, vec3 r) {
    (void)x, (void)j, (void)r;
    return 0;
}

double wy_force_cable_lost(const wy_director *x, int j, double *work) {
    (void)x, (void)j, (void)work;
    return 0;
}

void wy_force_cable_damp(const wy_director *x, int j, const double *v, double *cv) {
    (void)x, (void)j, (void)v, (void)cv;
}

void wy_force_cable_derive(const wy_director *x, int j, wy_slope_columns *to) {
    (void)x, (void)j, (void)to;
}
