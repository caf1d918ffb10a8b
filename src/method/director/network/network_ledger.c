/* network_ledger.c - the ledger of a network: director/rod/ledger.c for all rods, rigid groups and joints together.
 *
 *   rods, rigid groups (kinetic, strain, gravity, springs) + springs of joints - work + dissipated = const
 *
 * Work of a drive is -lambda (target+ - target-), of a moving ground sigma dg/dX . (X+ - X-), of an effort
 * effort (q+ - q-); a damper takes c (q+ - q-)^2/h.  All are terms that the discrete equations balance.
 */
#include "method/director/contact/contacts.h"
#include "method/director/law/law.h"
#include "method/director/rod/rows.h"

#include "base/account.h"

/* ---- what acts on a rigid group alone ----------------------------------------------------------------------- */

/* A load of a body at the mean and, of a follower, at the end of the step. */
typedef struct push {
    vec3 p, p_plus; /* its arm from the centre of the rigid group */
    vec3 f, l, f_plus, l_plus;
} push;

static push push_of(const wy_network *net, const wy_network_body *body, const withy_body_load *load,
                    const vec3 given[2]) {
    const mat3 mid = tri_matrix(wy_director_acting(&net->rigid, body->rigid_group));
    const mat3 plus = tri_matrix(net->rigid.next[body->rigid_group].d);
    const vec3 o = v3_add(body->o, m3_mul(body->q, load->at));
    push x = {.p = m3_mul(mid, o), .p_plus = m3_mul(plus, o), .f = given[0], .l = given[1]};
    x.f_plus = x.l_plus = v3(0, 0, 0);
    if (!load->follower) return x;
    const vec3 f = m3_mul(body->q, given[0]), l = m3_mul(body->q, given[1]);
    x.f = m3_mul(mid, f), x.l = m3_mul(mid, l);
    x.f_plus = m3_mul(plus, f), x.l_plus = m3_mul(plus, l);
    return x;
}

/* F_r -= f, F_phi -= p x f + l. */
static void add_push(const push *x, double beta, double a[6][6], double b[6]) {
    const vec3 l = v3_add(v3_cross(x->p, x->f), x->l);
    v3_to(v3_sub(v3_from(b), x->f), b);
    v3_to(v3_sub(v3_from(b + 3), l), b + 3);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, -beta, x->f, x->p_plus);
    wy_rows_hat(&a[0][0], 6, 0, 3, beta, x->f_plus);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, beta, x->p, x->f_plus);
    wy_rows_hat(&a[0][0], 6, 3, 3, beta, x->l_plus);
}

/* Load n of those of all bodies. */
static push push_at(const wy_network *net, int n) {
    const int body = net->plan.push[n][0];
    const withy_body_load *load = &net->rigid.plan.problem->body[body].load[net->plan.push[n][1]];
    return push_of(net, &net->plan.body[body], load, net->load[n]);
}

void wy_network_body_terms(const wy_network *net, int body, double a[6][6], double b[6]) {
    for (int n = net->plan.push_first[body]; n < net->plan.push_first[body + 1]; n++) {
        const push x = push_at(net, n);
        add_push(&x, net->rigid.step->beta, a, b);
    }
}

void wy_network_rigid_group_terms(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_network_plan *plan = &net->plan;
    wy_director_node_terms(&net->rigid, c, a, b);
    for (int i = plan->rigid_group_first[c]; i < plan->rigid_group_first[c + 1] && plan->pushes;
         i++)
        if (plan->rigid_group_part[i] < plan->bodies)
            wy_network_body_terms(net, plan->rigid_group_part[i], a, b);
    if (net->contacts) wy_contacts_rigid_group(net, c, a, b);
}

void wy_network_body_force(const wy_network *net, int body, double b[6]) {
    double a[6][6] = {{0}};
    wy_network_body_terms(net, body, a, b);
}

static double body_work(const wy_network *net) {
    double work = 0;
    for (int n = 0; n < net->plan.pushes; n++) {
        const push x = push_at(net, n);
        const int c = net->plan.body[net->plan.push[n][0]].rigid_group;
        const wy_director_next *next = &net->rigid.next[c];
        work += v3_dot(x.f, v3_add(next->dr, v3_cross(next->theta, x.p)));
        work += v3_dot(x.l, next->theta);
    }
    return work;
}

/* ---- joints ------------------------------------------------------------------------------------------------ */

/* Force on the second part and its moment about the second place, of one link. */
static void add_force(const wy_network_joint *j, const wy_pair_step *at,
                      const wy_constraint_state *state, wy_network_joint_now *now) {
    const int side = j->rigid_group[1] >= 0 ? 1 : 0;
    const double k = side ? -state->stress : state->stress;
    const vec3 f = v3_scale(k, v3_from(&state->bar[6 * side]));
    const vec3 l = v3_scale(k, v3_from(&state->bar[6 * side + 3]));
    const vec3 arm = j->rigid_group[1] >= 0 ? m3_mul(at->mid.d[1], j->o[1])
                                            : v3_sub(at->mid.ground, at->mid.r[0]);
    now->force[0] = v3_add(now->force[0], f);
    now->torque[0] = v3_add(now->torque[0], v3_sub(l, v3_cross(arm, f)));
}

static void add_to_ledger(wy_network *net, const wy_network_constraint *constraint,
                          const wy_pair_step *at, const wy_constraint_state *state) {
    const double dq = state->value - state->before;
    double slope;
    if (net->plan.joint[constraint->joint].turned) { /* its ground is the first part */
        const vec3 turn = cayley_between(at->minus.d[0], at->plus.d[0]);
        net->now->work += state->stress * v3_dot(v3_from(&state->bar[3]), turn);
    }
    if (constraint->kind != WY_CONSTRAINT_ANGLE) {
        const vec3 dx = v3_sub(at->plus.ground, at->minus.ground);
        net->now->work += state->stress * v3_dot(wy_scalar_ground(&constraint->g, &at->mid), dx);
    }
    if (constraint->multiplier >= 0) {
        const double f =
            constraint->kind == WY_CONSTRAINT_ANGLE ? wy_angle_factor(dq, &slope) : 1.0;
        net->now->work -= state->stress * dq / f;
        return;
    }
    net->now->work += state->effort * dq;
    net->now->dissipated += constraint->law.damping * dq * dq / net->rigid.step->h;
}

void wy_constraints_commit(wy_network *net) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        wy_network_joint_now *now = &net->joint[i];
        now->ground = v3_add(net->rigid.now->origin, net->ground[i][1]);
        if (net->rigid.step->dynamic)
            wy_director_force_pass(now->force), wy_director_force_pass(now->torque);
        now->force[0] = now->torque[0] = v3(0, 0, 0);
        if (!j->count) continue; /* a weld */
        const wy_pair_step at = wy_joint_pair(net, j);
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_constraint *constraint = &net->plan.constraint[k];
            wy_constraint_state *state = &net->state_of[k];
            wy_constraint_find(net, j, k, &at, state);
            if (constraint->kind == WY_CONSTRAINT_ANGLE) net->angle[k] = state->value;
            if (constraint->silent) continue;
            add_force(j, &at, state, &net->joint[i]);
            if (net->rigid.step->dynamic) add_to_ledger(net, constraint, &at, state);
        }
    }
    wy_welds_commit(net);
}

static double constraints_energy(const wy_network *net) {
    double energy = 0;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        if (!j->count) continue;
        wy_pair_step at = wy_joint_pair(net, j);
        at.minus.ground = v3_sub(net->joint[i].ground, net->rigid.now->origin); /* of the state */
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_constraint *constraint = &net->plan.constraint[k];
            if (constraint->multiplier >= 0 || constraint->silent) continue;
            double q = net->angle[k];
            if (constraint->kind != WY_CONSTRAINT_ANGLE)
                q = wy_scalar_value(&constraint->g, &at.minus) - constraint->zero;
            if (constraint->kind == WY_CONSTRAINT_LENGTH) q = sqrt(2 * q);
            energy += wy_law_energy(&constraint->law, q);
        }
    }
    return energy;
}

/* Joints that contradict each other are often equally far off: the first of them is named, whatever the rounding. */
static const double EQUAL = 1e-6;

double wy_constraints_gap(const wy_network *net, int *widest) {
    double worst = 0, named = 0;
    *widest = -1;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_constraint *constraint = &net->plan.constraint[k];
            const wy_constraint_state *state = &net->state_of[k];
            if (constraint->multiplier < 0) continue;
            const double gap = fabs(state->value - state->target) / wy_max(1.0, net->plan.length);
            if (!(gap <= (1 + EQUAL) * named)) named = gap, *widest = i;
            if (!(gap <= worst)) worst = gap;
        }
    }
    return worst;
}

/* ---- held rigid groups -------------------------------------------------------------------------------------------- */

/* The residual of a rod's node: elements, loads, what acts on it alone. */
static void node_force(wy_director *x, int node, double b[6]) {
    const int p = x->plan.p;
    double a[6][6], f[WY_ELEMENT_NODES][6];
    wy_director_node_terms(x, node, a, b);
    for (int e = node / p - 1; e <= node / p; e++) {
        if (e < 0 || e >= x->plan.n) continue;
        wy_director_element_side(x, e, f);
        for (int k = 0; k < 6; k++) b[k] -= f[node - e * p][k];
    }
}

void wy_group_node_force(wy_network *net, int member, double b[6]) {
    const wy_group_node *k = &net->plan.member[member];
    node_force(&net->rod[k->rod], k->node, b);
    const vec3 p = m3_mul(tri_matrix(wy_director_acting(&net->rigid, k->rigid_group)), k->o);
    v3_to(v3_add(v3_from(b + 3), v3_cross(p, v3_from(b))), b + 3);
}

/* What joints pull at a part, as rows of its rigid group, added. */
static void joints_at(const wy_network *net, int part, double sum[6]) {
    const wy_network_plan *plan = &net->plan;
    for (int i = plan->part_first[part]; i < plan->part_first[part + 1]; i++) {
        const wy_network_joint *j = &plan->joint[plan->part_joint[i] / 2];
        const int s = plan->part_joint[i] % 2;
        for (int k = j->first; k < j->first + j->count; k++)
            for (int n = 0; n < 6 && !plan->constraint[k].silent; n++)
                sum[n] += net->state_of[k].bar[6 * s + n] * net->state_of[k].stress;
    }
}

/* What holds a rigid group: its residual, joints included. */
static void reaction_of(wy_network *net, int c, double sum[6]) {
    const wy_network_plan *plan = &net->plan;
    double a[6][6];
    wy_network_rigid_group_terms(net, c, a, sum);
    for (int i = plan->rigid_group_first[c]; i < plan->rigid_group_first[c + 1]; i++) {
        const int part = plan->rigid_group_part[i];
        double b[6] = {0};
        if (part >= plan->bodies) wy_group_node_force(net, part - plan->bodies, b);
        joints_at(net, part, b);
        for (int k = 0; k < 6; k++) sum[k] += b[k];
    }
}

/* A pinned end with joints is held by a ball joint of its own: its force is the reaction. */
static void pin_reactions(wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    for (int i = net->rigid.plan.problem->joint_count; i < plan->joints; i++) {
        if (!plan->joint[i].pin) continue;
        const wy_group_node *k = &plan->member[plan->joint[i].part[1] - plan->bodies];
        wy_director_end_now *end = &net->rod[k->rod].now->end[k->node > 0];
        end->reaction[0] = net->joint[i].force[0];
        if (wy_end_holds_direction(plan->joint[i].pin->end))
            end->reaction_moment[0] = net->joint[i].torque[0];
    }
}

/* Of an end of a rod that holds it: the reaction is reported there. */
void wy_network_reactions(wy_network *net, double *work) {
    pin_reactions(net);
    for (int c = 0; c < wy_network_moving(net); c++) {
        const wy_network_rigid_group *held = &net->plan.rigid_group[c];
        const wy_director_next *next = &net->rigid.next[c];
        double f[6];
        if (!held->held) continue;
        reaction_of(net, c, f);
        *work += v3_dot(v3_from(f), next->dr) + v3_dot(v3_from(f + 3), next->theta);
        if (held->rod < 0) continue;
        wy_director_end_now *now = &net->rod[held->rod].now->end[held->which];
        const wy_group_node *k = &net->plan.member[held->member];
        const vec3 p = m3_mul(tri_matrix(wy_director_acting(&net->rigid, c)), k->o);
        now->reaction[0] = v3_from(f);
        now->reaction_moment[0] = v3_sub(v3_from(f + 3), v3_cross(p, v3_from(f)));
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

/* A mass that is part of a rigid group: at o, its principal axes q, both in the axes of the rigid group. */
typedef struct attached {
    int rigid_group;
    vec3 o;
    mat3 q;
    double mass;
    lane rotary;
} attached;

/* Its own share of the energy of the rigid group: the shares sum to that of the common mass. */
static void add_energy(const wy_network *net, const attached *a, withy_energies *e) {
    const wy_director_node *node = &net->rigid.node[a->rigid_group];
    const mat3 frame = tri_matrix(node->d);
    const vec3 spin = lane_vec3(node->w), p = m3_mul(frame, a->o);
    const vec3 v = v3_add(node->v, m3_mul(frame, v3_cross(spin, a->o)));
    const lane w = vec3_lane(m3_tmul(a->q, spin));
    const vec3 at = v3_add(net->rigid.now->origin, v3_add(node->r, p));
    e->kinetic += 0.5 * a->mass * v3_dot(v, v) + 0.5 * lane_sum(a->rotary * w * w);
    e->gravity -= a->mass * v3_dot(net->rigid.step->gravity, at);
}

/* What rigid groups and joints add to those of the rods: to a rod its ends that are in rigid groups, to the rigid groups the
 * bodies. */
static void add_energies(wy_network *net) {
    net->rigid.now->energy = (withy_energies){0};
    for (int i = 0; i < net->plan.members; i++) {
        const wy_group_node *k = &net->plan.member[i];
        const attached own = {k->rigid_group, k->o, k->q, k->mass.mass, k->mass.rotary};
        add_energy(net, &own, &net->rod[k->rod].now->energy);
    }
    for (int i = 0; i < net->plan.bodies; i++) {
        const wy_network_body *k = &net->plan.body[i];
        const withy_body *body = &net->rigid.plan.problem->body[i];
        const attached own = {k->rigid_group, k->o, k->q, body->mass, vec3_lane(body->inertia)};
        add_energy(net, &own, &net->rigid.now->energy);
    }
    net->now->joint_energy = constraints_energy(net);
    if (net->contacts) wy_contacts_energies(net);
}

void wy_network_energies(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) wy_director_energies(&net->rod[i]);
    add_energies(net);
    wy_network_totals(net);
}

/* Of all rods, rigid groups, joints and contacts: in one pass, since in a large network the rods come from memory. */
typedef struct ledger_sums {
    withy_energies energy;
    double springs;          /* of joints and ends, fields and contacts */
    double negative;         /* what of them is below zero: that of a field may be */
    double work, dissipated; /* since t = 0 */
    double fallen;           /* energy of gravity since t = 0 */
} ledger_sums;

static ledger_sums ledger_sums_of(const wy_network *net) {
    ledger_sums x = {.energy = net->rigid.now->energy,
                     .springs = net->now->joint_energy,
                     .work = net->now->work,
                     .dissipated = net->now->dissipated,
                     .fallen = net->rigid.now->fallen};
    if (net->contacts) {
        x.springs += net->contacts->now->energy + net->contacts->now->stick;
        x.work += net->contacts->now->work, x.dissipated += net->contacts->now->lost;
    }
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_now *rod = net->rod[i].now;
        const withy_energies *e = &rod->energy;
        x.energy.kinetic += e->kinetic, x.energy.gravity += e->gravity;
        x.energy.shear += e->shear, x.energy.stretch += e->stretch;
        x.energy.bend += e->bend, x.energy.twist += e->twist;
        x.springs += rod->spring_energy + rod->field_energy;
        x.negative += wy_min(0, rod->field_energy);
        x.work += rod->work, x.dissipated += rod->dissipated, x.fallen += rod->fallen;
    }
    return x;
}

withy_energies wy_network_total(const wy_network *net) {
    return ledger_sums_of(net).energy;
}

/* All but gravity. */
static double stored_of(const ledger_sums *x) {
    const withy_energies *e = &x->energy;
    return e->kinetic + e->shear + e->stretch + e->bend + e->twist + x->springs;
}

/* The same without sign: what a drift is measured by. */
static double size_of(const ledger_sums *x) {
    return stored_of(x) - 2 * x->negative;
}

static double energy_of(const ledger_sums *x) {
    return stored_of(x) + x->energy.gravity;
}

static double balance(const ledger_sums *x) {
    return stored_of(x) + x->fallen - x->work + x->dissipated;
}

double wy_network_energy(const wy_network *net) {
    const ledger_sums x = ledger_sums_of(net);
    return energy_of(&x);
}

double wy_network_conserved(const wy_network *net) {
    const ledger_sums x = ledger_sums_of(net);
    return energy_of(&x) - x.work + x.dissipated;
}

/* Joints are closed up to rounding, and where they depend on each other up to rounding over eps: what rests is moved by
 * that in a step, by less than 1e-9 of the distances in the scene after many. */
static double rounding_of_joints(const wy_network *net) {
    const withy_problem *problem = net->rigid.setup->problem;
    double far = 0, mass = 0;
    for (int i = 0; i < 2 * problem->joint_count; i++)
        far = wy_max(far, v3_norm(problem->joint[i / 2].place[i % 2].at));
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        far = wy_max(far, v3_norm(net->rigid.node[c].r));
        mass += net->rigid.plan.mass[c].mass;
    }
    const double speed = far / net->plan.dt;
    return problem->joint_count ? 1e-18 * mass * speed * speed : 0;
}

void wy_network_ledger_open(wy_network *net) {
    wy_network_energies(net);
    net->now->work = net->now->dissipated = net->rigid.now->fallen = net->now->gap = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_now *now = net->rod[i].now;
        now->work = now->dissipated = now->fallen = 0;
        now->active = (withy_active_work){0};
    }
    const ledger_sums x = ledger_sums_of(net);
    net->rigid.now->balance_start = balance(&x);
    const wy_setup *setup = net->rigid.setup;
    wy_account_open(setup->stats, energy_of(&x), setup->floor + rounding_of_joints(net), 1);
    wy_account_keep(setup->stats, energy_of(&x), 0.0, size_of(&x));
    wy_network_totals(net);
}

void wy_network_ledger_add(wy_network *net, double miss[WY_DIRECTOR_HISTORY + 1]) {
    const int blind = net->rigid.step->trial == WY_TRIAL_NO_LEDGER;
    wy_constraints_commit(net);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *rod = &net->rod[i];
        wy_rod_fetch(net, i + 1);
        if (rod->plan.damped || rod->tendon_stress || rod->law) wy_director_strains(rod, 0);
        if (!blind) wy_director_ledger_add(rod);
        rod->now->dissipated += wy_section_commit(rod);
        wy_director_guess_miss(rod, miss);
    }
    if (blind) return;
    for (int c = 0; c < wy_network_moving(net); c++)
        net->rigid.now->fallen -=
            net->rigid.plan.mass[c].mass * v3_dot(net->rigid.step->gravity, net->rigid.next[c].dr);
    net->now->work += body_work(net);
    wy_network_reactions(net, &net->now->work);
}

void wy_network_ledger_close(wy_network *net) {
    add_energies(net);
    const ledger_sums x = ledger_sums_of(net);
    const double passed = wy_max(fabs(x.work), x.dissipated);
    wy_account_keep(net->rigid.setup->stats, energy_of(&x),
                    fabs(balance(&x) - net->rigid.now->balance_start), wy_max(size_of(&x), passed));
}
