/* network_modes.c - for the modes of a network (wy_equations): M v, C v, v^T K v, shapes.
 *
 *   M of rigid groups, and of the nodes of rods that are no copies; those of copies go to their rigid groups
 *   C of the rods, and Bbar^T c Bbar of the dampers of joints
 */
#include "method/director/contact/contacts.h"

/* The changes of a rod as one vector. */
static void to_line(const wy_network *net, const wy_director *rod) {
    for (int k = 0; k < 6 * rod->plan.node_count; k++)
        net->line[0][k] = rod->next[k / 6].change[k % 6];
}

void wy_network_drop_held(wy_network *net) {
    for (int c = 0; c < net->plan.rigid_groups; c++)
        if (net->plan.rigid_group[c].held) memset(net->rigid.next[c].change, 0, 6 * sizeof(double));
}

/* M of a rigid group: as node_terms has it, K - shift M with shift -1 and nothing else. */
static void rigid_group_mass(const wy_network *net, int c, const double v[6], double mv[6]) {
    const wy_director_mass *mass = &net->rigid.plan.mass[c];
    const tri d = net->rigid.node[c].d;
    memset(mv, 0, 6 * sizeof *mv);
    if (net->plan.rigid_group[c].held) return;
    if (net->rigid.step->weighed) {
        const double turn = WY_WEIGHT_TURN * net->plan.length * net->plan.length;
        for (int i = 0; i < 6; i++) mv[i] = mass->share * (i < 3 ? 1 : turn) * v[i];
        return;
    }
    v3_to(v3_scale(mass->mass, v3_from(v)), mv);
    const lane body = tri_dot(d, tri_all(v3_from(v + 3)));
    v3_to(tri_sum3(tri_scale(mass->rotary * body, d)), mv + 3);
}

/* A vector to all nodes, where held rigid groups stay; then a product of each rod, on all its nodes, in its place. */
static void rods_times(wy_network *net, const double *v,
                       void (*times)(const void *rod, const double *v, double *product)) {
    wy_network_scatter(net, v);
    wy_network_drop_held(net);
    for (int i = 0; i < net->plan.members; i++) {
        const wy_group_node *k = &net->plan.member[i];
        wy_group_node_change(net, i, net->rod[k->rod].next[k->node].change);
    }
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *rod = &net->rod[i];
        to_line(net, rod);
        times(rod, net->line[0], net->line[1]);
        for (int k = 0; k < 6 * rod->plan.node_count; k++)
            rod->next[k / 6].change[k % 6] = net->line[1][k];
    }
}

/* The product of the network: copies to their rigid groups; what is held, multipliers and tensions have none. */
static void to_product(wy_network *net, double *product) {
    wy_network_collect(net, 1);
    wy_network_drop_held(net);
    for (int i = 0; i < net->plan.multipliers; i++) net->change[i] = 0;
    for (int k = 0; k < net->border.count; k++) product[net->border.rows + k] = 0;
    wy_network_gather(net, product);
}

void wy_network_mass_times(const void *self, const double *v, double *mv) {
    wy_network *net = (wy_network *)self;
    rods_times(net, v, wy_director_mass_times);
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        double own[6];
        rigid_group_mass(net, c, net->rigid.next[c].change, own);
        memcpy(net->rigid.next[c].change, own, sizeof own);
    }
    to_product(net, mv);
}

/* Dampers of joints: Bbar^T c Bbar v, of a length over its square. */
static void joint_damping(wy_network *net, const wy_network_joint *j, double (*sum)[6]) {
    const wy_pair_step at = wy_joint_pair(net, j);
    for (int k = j->first; k < j->first + j->count; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        wy_constraint_state pull = net->state_of[k];
        double rate = 0;
        if (constraint->multiplier >= 0 || !(constraint->law.damping > 0)) continue;
        wy_constraint_find(net, j, k, &at, &pull);
        const double size = constraint->kind == WY_CONSTRAINT_LENGTH ? pull.value * pull.value : 1;
        for (int n = 0; n < WY_PAIR; n++)
            if (j->rigid_group[n / 6] >= 0)
                rate += pull.bar[n] * net->rigid.next[j->rigid_group[n / 6]].change[n % 6];
        for (int n = 0; n < WY_PAIR; n++)
            sum[n / 6][n % 6] += constraint->law.damping / size * pull.bar[n] * rate;
    }
}

/* C v: rods on all their nodes, copies to their rigid groups, and the dampers of joints. */
void wy_network_damping_times(const void *self, const double *v, double *cv) {
    wy_network *net = (wy_network *)self;
    const wy_network_plan *plan = &net->plan;
    rods_times(net, v, wy_director_damping_times);
    /* joints need the velocities of the rigid groups; what they give is kept in the right side meanwhile */
    memset(net->side, 0, (size_t)plan->reduced.rows * sizeof *net->side);
    for (int i = 0; i < plan->joints; i++) {
        double sum[2][6] = {{0}};
        const wy_network_joint *j = &plan->joint[i];
        joint_damping(net, j, sum);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 6 && wy_rigid_group_moves(net, j->rigid_group[s]); k++)
                net->side[plan->rigid_group[j->rigid_group[s]].row + k] += sum[s][k];
    }
    memset(cv, 0, 6 * (size_t)plan->rigid_groups * sizeof *cv);
    if (!v3_is_zero(net->rigid.step->spin)) wy_director_gyroscopic(&net->rigid, v, cv);
    for (int c = 0; c < wy_network_moving(net); c++)
        for (int k = 0; k < 6; k++)
            net->rigid.next[c].change[k] = net->side[plan->rigid_group[c].row + k] + cv[6 * c + k];
    to_product(net, cv);
}

/* v^T K v: of strains, of what acts on nodes and rigid groups, and of joints. */
double wy_network_quotient(const void *self, const double *v, double *terms, double *round) {
    wy_network *net = (wy_network *)self;
    double stiff = 0, own_terms, own_round;
    *terms = *round = 0;
    net->rigid.step->shift = 0;
    wy_network_share_step(net);
    wy_network_scatter(net, v);
    for (int i = 0; i < net->plan.rods; i++) {
        to_line(net, &net->rod[i]);
        stiff += wy_director_quotient(&net->rod[i], net->line[0], &own_terms, &own_round);
        *terms += own_terms, *round += own_round;
    }
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        double a[6][6], b[6];
        const double *u = net->rigid.next[c].change;
        wy_network_rigid_group_terms(net, c, a, b);
        for (int i = 0; i < 36; i++) stiff += u[i / 6] * a[i / 6][i % 6] * u[i % 6];
    }
    for (int i = 0; i < net->plan.members; i++) { /* p'' = w x (w x p) of the arm of a copy */
        const wy_group_node *k = &net->plan.member[i];
        const vec3 w = v3_from(&net->rigid.next[k->rigid_group].change[3]);
        const vec3 p = m3_mul(tri_matrix(net->rigid.node[k->rigid_group].d), k->o);
        double f[6];
        wy_group_node_force(net, i, f);
        const double held = v3_dot(v3_from(f), v3_cross(w, v3_cross(w, p)));
        stiff += held, *terms += fabs(held);
    }
    if (net->contacts) stiff += wy_contacts_quotient(net, terms);
    return stiff + wy_constraints_quotient(net, terms, round);
}

double wy_network_rounding(void *self, const double *v) {
    wy_network *net = self;
    double sum = 0;
    if (!wy_network_is_mixed(net)) return 0;
    wy_network_mixed_rounding(net);
    wy_network_scatter(net, v);
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *rod = &net->rod[i];
        to_line(net, rod);
        sum += fabs(wy_director_held_by(rod, net->line[0], wy_director_mixed_rounding(rod)));
    }
    return sum;
}

static void body_shape(const wy_network *net, int body, int i, withy_mode *mode) {
    const wy_network_body *own = &net->plan.body[body];
    const wy_director_node *node = &net->rigid.node[own->rigid_group];
    const double *c = net->rigid.next[own->rigid_group].change;
    const vec3 p = m3_mul(tri_matrix(node->d), own->o), turn = v3_from(c + 3);
    mode->position[i] = v3_add(net->rigid.now->origin, v3_add(node->r, p));
    mode->shift[i] = v3_add(v3_from(c), v3_cross(turn, p)), mode->turn[i] = turn;
}

void wy_network_shape(const void *self, const double *v, withy_mode *mode) {
    wy_network *net = (wy_network *)self;
    wy_network_scatter(net, v);
    for (int i = 0; i < mode->count; i++) {
        const int rod = mode->rod[i];
        if (rod < 0) {
            body_shape(net, -1 - rod, i, mode);
            continue;
        }
        if (i == 0 || rod != mode->rod[i - 1]) to_line(net, &net->rod[rod]);
        wy_director_shape_at(&net->rod[rod], net->line[0], i, mode);
    }
}
