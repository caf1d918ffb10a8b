/* network_first.c - forces of joints, held rigid groups and tendons of given length at t = 0.
 *
 * They are multipliers and follow from accelerations, so that three short steps are made from the start and taken back.
 * With the means a1, a2, a3 of their forces, at 1/2, 3/2 and 5/2 of a step: a joint that is off by g at t = 0 is closed by
 * the first step and adds G = 2 m g/h^2, -2 G and 2 G, which (2 a1 + a2)/3, at 5/6, and (a2 + a3)/2, at 2, do not have; a
 * line through the two leads to t = 0.
 */
#include "method/director/network.h"

enum { STEPS = 3 };
static const double PART = 0.02, PART_OF_WAVE = 0.2; /* of the step; of a wave between two nodes */

/* All forces that are reported, in a row; returns how many. */
typedef struct row {
    vec3 *force;    /* NULL: count only */
    int writes, at; /* writes: to the state */
} row;

static void pass(row *x, vec3 *force) {
    if (x->force && x->writes) *force = x->force[x->at];
    if (x->force && !x->writes) x->force[x->at] = *force;
    x->at++;
}

/* Is the reaction of this end that of its rigid group, or of its pin? */
static int in_rigid_group(const wy_network *net, int rod, int which) {
    const int node = which ? net->rod[rod].plan.node_count - 1 : 0;
    return wy_group_node_of(net, rod, node) >= 0;
}

static int pass_all(wy_network *net, row x) {
    for (int i = 0; i < net->plan.joints; i++) {
        pass(&x, &net->joint[i].force[0]);
        pass(&x, &net->joint[i].torque[0]);
    }
    for (int i = 0; i < 2 * net->plan.rods; i++) {
        if (!in_rigid_group(net, i / 2, i % 2)) continue;
        wy_director_end_now *end = &net->rod[i / 2].now->end[i % 2];
        pass(&x, &end->reaction[0]);
        pass(&x, &end->reaction_moment[0]);
    }
    for (int i = 0; i < net->plan.rods; i++)
        for (int k = 0; k < net->rod[i].plan.tendon_count; k++) {
            if (net->rod[i].plan.tendon[k].column < 0) continue;
            vec3 tension = v3(net->rod[i].tension[k], 0, 0);
            pass(&x, &tension);
            net->rod[i].tension[k] = tension.x;
        }
    return x.at;
}

/* A step in which hardly anything moves: short too compared with the time of a wave from node to node. */
static double short_step(const wy_network *net, double h) {
    double step = PART * (h > 0 ? h : net->plan.dt);
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_plan *plan = &net->rod[i].plan;
        for (int e = 0; e < plan->n; e++) {
            const wy_director_mass *mass = &plan->mass[e * plan->p + 1];
            const double stiff = plan->section[e * plan->p].c[0][WITHY_STRETCH];
            const double wave = plan->size[e] / plan->p * sqrt(mass->mass / (mass->share * stiff));
            if (wave > 0) step = wy_min(step, PART_OF_WAVE * wave);
        }
    }
    return step;
}

static withy_status try_steps(wy_network *net, double h, vec3 *force, int count, withy_error *err) {
    wy_network_open_steps(net);
    WY_TRY(wy_network_begin(net, err));
    net->rigid.now->cut = 1; /* no note of it */
    wy_director_step *step = net->rigid.step;
    step->trial = WY_TRIAL_LEDGER, step->is_never_halved = 1, step->order = 2, step->t = 0;
    for (int i = 0; i < STEPS; i++) {
        WY_TRY(wy_network_full_step(net, h, err));
        if (step->refused) return wy_no_convergence(err, "director: no first step");
        pass_all(net, (row){.force = &force[i * count]});
    }
    for (int i = 0; i < count; i++) {
        const vec3 *a = &force[i];
        const vec3 near = v3_scale(1.0 / 3, v3_axpy(a[count], 2, a[0]));
        const vec3 far = v3_scale(0.5, v3_add(a[count], a[2 * count]));
        force[i] = v3_axpy(near, 5.0 / 7, v3_sub(near, far)); /* (5/6)/(2 - 5/6) */
    }
    return WITHY_OK;
}

/* Without a first step, which the motion itself will report, they stay what they were. */
withy_status wy_network_first(void *self, double h, withy_error *err) {
    wy_network *net = self;
    const int count = pass_all(net, (row){0});
    if (!count || wy_is_static(net->rigid.plan.problem)) return WITHY_OK;
    const withy_stats stats = *net->rigid.setup->stats;
    char *state = wy_alloc(net->state_size, 1);
    vec3 *force = wy_alloc(STEPS * (size_t)count, sizeof *force);
    withy_error own = {0};
    withy_status status = WITHY_NO_MEMORY;
    if (state && force) {
        memcpy(state, net->state, net->state_size);
        status = try_steps(net, short_step(net, h), force, count, &own);
        memcpy(net->state, state, net->state_size);
        *net->rigid.setup->stats = stats;
    }
    if (status == WITHY_OK) pass_all(net, (row){.force = force, .writes = 1});
    wy_free(state), wy_free(force);
    if (status == WITHY_NO_MEMORY)
        return wy_fail(err, status, "director: no memory for the forces at t = 0");
    return WITHY_OK;
}
