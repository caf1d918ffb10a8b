/* gradient_network_hub.c - clusters and joints of a solved step, by both of its ends and by parameters.
 *
 * Joints and loads of bodies depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and -h for h, a
 * step has the same forces, so that their derivative by q- is that by q+ of that step (director/gradient.c).  A
 * constraint g(q+) = target knows nothing of q-.  The angle of a hinge is arg(c + i s) of the places alone, with whole
 * turns, however it was summed (director/hinge.c), and so it is no state of its own here.
 */
#include <string.h>

#include "method/director/gradient_network.h"

/* ---- the step seen from its end ------------------------------------------------------------------------------- */

void wy_net_lay_back(wy_network *net, wy_block *scratch) {
    wy_network *back = &net->slopes->back;
    const size_t clusters = (size_t)net->plan.clusters + 1;
    back->hub.node = wy_block_take(scratch, clusters, sizeof *back->hub.node);
    back->hub.next = wy_block_take(scratch, clusters, sizeof *back->hub.next);
    back->hub.step = wy_block_take(scratch, 1, sizeof *back->hub.step);
    back->angle = wy_block_take(scratch, (size_t)net->plan.links, sizeof *back->angle);
    back->ground = wy_block_take(scratch, (size_t)net->plan.joints, sizeof *back->ground);
    back->axes = wy_block_take(scratch, (size_t)net->plan.joints, sizeof *back->axes);
}

void wy_net_turn_back(wy_network *net) {
    wy_network *back = &net->slopes->back;
    const wy_network old = *back;
    *back = *net;
    back->hub.node = old.hub.node, back->hub.next = old.hub.next, back->hub.step = old.hub.step;
    back->angle = old.angle, back->ground = old.ground, back->axes = old.axes;
    *back->hub.step = *net->hub.step;
    back->hub.step->h = -net->hub.step->h, back->hub.step->per = -net->hub.step->per;
    for (int c = 0; c < net->plan.clusters; c++) {
        wy_director_next *next = &back->hub.next[c];
        const wy_director_next *from = &net->hub.next[c];
        back->hub.node[c].d = from->d, back->hub.node[c].r = wy_director_plus_r(&net->hub, c);
        next->d = net->hub.node[c].d;
        next->dr = v3_scale(-1, from->dr), next->theta = v3_scale(-1, from->theta);
    }
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        back->ground[i][0] = net->ground[i][1], back->ground[i][1] = net->ground[i][0];
        back->axes[i][0] = net->axes[i][1], back->axes[i][1] = net->axes[i][0];
        for (int k = j->first; k < j->first + j->count; k++) {
            if (net->plan.link[k].kind != WY_LINK_ANGLE) continue;
            const wy_pair_step at = wy_joint_pair(net, j);
            wy_network_pull pull = net->pull[k];
            wy_link_find(net, j, k, &at, &pull);
            back->angle[k] = pull.value;
        }
    }
}

/* ---- (3) --------------------------------------------------------------------------------------------------------- */

void wy_net_loads(const wy_network *net, int c, double a[6][6]) {
    const wy_network_plan *plan = &net->plan;
    double b[6] = {0};
    memset(a, 0, 36 * sizeof **a);
    for (int i = plan->cluster_first[c]; i < plan->cluster_first[c + 1] && plan->pushes; i++)
        if (plan->cluster_part[i] < plan->bodies)
            wy_network_body_terms(net, plan->cluster_part[i], a, b);
}

/* ---- by a parameter ------------------------------------------------------------------------------------------------ */

/* The state and the step of this network, in one of another value of the parameter. */
static void lend(const wy_network *net, wy_network *to) {
    const size_t clusters = (size_t)net->plan.clusters;
    memcpy(to->hub.node, net->hub.node, clusters * sizeof *to->hub.node);
    memcpy(to->hub.next, net->hub.next, clusters * sizeof *to->hub.next);
    *to->hub.step = *net->hub.step;
    to->hub.now->origin = net->hub.now->origin;
    if (net->plan.multipliers)
        memcpy(to->lambda, net->lambda, (size_t)net->plan.multipliers * sizeof *to->lambda);
    wy_network_share_step(to);
    for (int i = 0; i < net->plan.rods; i++) to->rod[i].now->pulling = net->rod[i].now->pulling;
}

/* arg(c + i s) at the start of the step. */
static double arg_of(const wy_network_link *link, const wy_pair_at *at) {
    return atan2(wy_scalar_value(&link->g, at), wy_scalar_value(link->other, at));
}

static void lend_angles(const wy_network *net, wy_network *to) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        const wy_pair_step at = wy_joint_pair(net, j),
                           other = wy_joint_pair(to, &to->plan.joint[i]);
        for (int k = j->first; k < j->first + j->count; k++) {
            if (net->plan.link[k].kind != WY_LINK_ANGLE) continue;
            const double more =
                arg_of(&to->plan.link[k], &other.minus) - arg_of(&net->plan.link[k], &at.minus);
            to->angle[k] = net->angle[k] + remainder(more, 2 * WY_PI);
        }
    }
}

/* What the stops of a link add to its stress for another value of the parameter: they have corners, and what is differenced
 * must not meet them (gradient_network_seed.c leaves them out of that law). */
static double stops(const wy_network *here, int k, const wy_network *there,
                    const wy_network_pull *pull) {
    const wy_network_link *link = &here->plan.link[k];
    const wy_network_joint *j = &here->plan.joint[link->joint];
    const wy_pair_step at = wy_joint_pair(here, j);
    wy_network_pull own = here->pull[k];
    double unused;
    if (!link->law.limited) return 0;
    wy_link_find(here, j, k, &at, &own);
    const int still = !here->hub.step->dynamic;
    const wy_law_at one = {&link->law, own.before, own.value},
                    two = {&there->plan.link[k].law, pull->before, pull->value};
    const double f = link->kind == WY_LINK_ANGLE && !still
                         ? wy_angle_factor(pull->value - pull->before, &unused)
                         : 1;
    return f * wy_law_stops_near(&one, &two, still);
}

/* Residual of joints and loads of bodies: clusters, then multipliers; of `net` with another value of a parameter than
 * that of `here`. */
static void forces(const wy_network *here, const wy_network *net, double *f) {
    const wy_network_plan *plan = &net->plan;
    memset(f, 0, (size_t)wy_net_rows(net) * sizeof *f);
    for (int i = 0; i < plan->bodies; i++)
        wy_network_body_force(net, i, &f[6 * plan->body[i].cluster]);
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *j = &plan->joint[i];
        const wy_pair_step at = wy_joint_pair(net, j);
        for (int k = j->first; k < j->first + j->count; k++) {
            wy_network_pull pull = net->pull[k];
            if (plan->link[k].silent) continue;
            wy_link_find(net, j, k, &at, &pull);
            if (plan->link[k].multiplier < 0) pull.stress += stops(here, k, net, &pull);
            for (int n = 0; n < WY_PAIR; n++)
                if (j->cluster[n / 6] >= 0)
                    f[6 * j->cluster[n / 6] + n % 6] += pull.bar[n] * pull.stress;
            if (plan->link[k].multiplier >= 0)
                f[6 * plan->clusters + plan->link[k].multiplier] = pull.value - pull.target;
        }
    }
}

/* In statics, and in a motion from an equilibrium, ends are where they are told to be. */
static withy_status target_of(const wy_network *net, wy_network *to, int c, double t, wy_pose *pose,
                              withy_error *err) {
    const wy_network_cluster *held = &to->plan.cluster[c];
    wy_director_end_now *now = held->rod >= 0 ? &to->rod[held->rod].now->end[held->which] : NULL;
    const int exact = !net->hub.step->dynamic || net->hub.plan.problem->rod[0].settled;
    wy_director_end_now keep;
    if (now) keep = *now;
    if (now && exact) now->offset_r = now->offset_turn = v3(0, 0, 0);
    const withy_status status = wy_cluster_target(to, c, t, pose, err);
    if (now) *now = keep;
    return status;
}

static withy_status held_slopes(wy_network *net, const wy_net_live *live, double t,
                                wy_adjoint_node *out, withy_error *err) {
    for (int c = 0; c < net->plan.clusters; c++) {
        vec3 r[4];
        mat3 d[4];
        out[c] = (wy_adjoint_node){.r = {0, 0, 0}};
        if (!net->plan.cluster[c].held) continue;
        for (int i = 0; i < 4; i++) {
            wy_pose pose;
            WY_TRY(target_of(net, live->at[i], c, t, &pose, err));
            r[i] = pose.r, d[i] = pose.frame;
        }
        out[c].r = wy_slope_five3(r, live->step), out[c].phi = wy_slope_turn3(d, live->step);
    }
    return WITHY_OK;
}

/* Is what joints and loads of bodies do in this step smooth in the parameter? */
static void find_rough(wy_net_live *live) {
    const wy_network_plan *plan = &live->at[0]->plan;
    for (int k = 0; k < plan->links; k++) {
        double effort[4], target[4];
        for (int i = 0; i < 4; i++)
            effort[i] = live->at[i]->pull[k].effort, target[i] = live->at[i]->pull[k].target;
        wy_slope_rough(effort, 0, &live->rough), wy_slope_rough(target, 1, &live->rough);
    }
    for (int b = 0; b < plan->bodies && plan->pushes; b++) {
        vec3 force[4], moment[4];
        for (int i = 0; i < 4; i++) {
            double f[6] = {0};
            wy_network_body_force(live->at[i], b, f);
            force[i] = v3_from(f), moment[i] = v3_from(f + 3);
        }
        wy_slope_rough3(force, 0, &live->rough);
        wy_slope_rough3(moment, v3_norm(force[0]), &live->rough);
    }
}

withy_status wy_net_explicit(wy_network *net, int k, double t_load, double t_pose, double *force,
                             wy_adjoint_node *held, withy_error *err) {
    wy_net_live *live = &net->slopes->live[k];
    static const double weight[4] = {1, -8, 8, -1};
    const double t_start = net->hub.step->dynamic ? net->hub.step->t : t_load;
    const int rows = wy_net_rows(net);
    double *one = net->slopes->left ? net->slopes->left : (double *)net->slopes->rest;
    memset(force, 0, (size_t)rows * sizeof *force);
    for (int i = 0; i < 4; i++) {
        lend(net, live->at[i]);
        WY_TRY(wy_network_loads_at(live->at[i], t_start, t_load, t_pose, err));
        lend_angles(net, live->at[i]);
        forces(net, live->at[i], one);
        for (int n = 0; n < rows; n++) force[n] += weight[i] * one[n] / (12 * live->step);
    }
    find_rough(live);
    return held_slopes(net, live, t_pose, held, err);
}

/* ---- inertia and weight ------------------------------------------------------------------------------------------------ */

/* W+ */
static vec3 spin_after(const wy_director *hub, int c) {
    const lane turn = tri_dot(hub->node[c].d, tri_all(hub->next[c].theta));
    return lane_vec3(lane_all(2 / hub->step->h) * turn - hub->node[c].w);
}

static vec3 acceleration(const wy_director *hub, int c) {
    const double per = 1 / hub->step->h;
    return v3_scale(2 * per, v3_sub(v3_scale(per, hub->next[c].dr), hub->node[c].v));
}

static vec3 times(const double j[6], vec3 a) { /* xx yy zz yz zx xy */
    return v3(j[0] * a.x + j[5] * a.y + j[4] * a.z, j[5] * a.x + j[1] * a.y + j[3] * a.z,
              j[4] * a.x + j[3] * a.y + j[2] * a.z);
}

void wy_net_inertia_fields(const wy_network *net, int group, int c, pack side[6]) {
    const wy_director *hub = &net->hub;
    const wy_net_fields *f = &net->slopes->field[group];
    const wy_net_mass *d = &f->mass[c];
    vec3 a = v3_scale(-1, hub->step->gravity);
    if (hub->step->dynamic) a = v3_add(a, acceleration(hub, c));
    const pack m = splat(-hub->plan.mass[c].mass * hub->step->factor);
    side[0] -= d->mass * a.x + m * f->gravity[0], side[1] -= d->mass * a.y + m * f->gravity[1];
    side[2] -= d->mass * a.z + m * f->gravity[2];
    for (int l = 0; l < WY_PACK && hub->step->dynamic; l++) {
        double j[6];
        for (int i = 0; i < 6; i++) j[i] = d->inertia[i][l];
        const vec3 plus = m3_mul(tri_matrix(hub->next[c].d), times(j, spin_after(hub, c)));
        const vec3 minus = m3_mul(tri_matrix(hub->node[c].d), times(j, lane_vec3(hub->node[c].w)));
        const vec3 rate = v3_scale(1 / hub->step->h, v3_sub(plus, minus));
        side[3][l] -= rate.x, side[4][l] -= rate.y, side[5][l] -= rate.z;
    }
}

/* by -= k (a b^T), symmetric */
static void take_outer(double by[6], double k, vec3 a, vec3 b) {
    by[0] -= k * a.x * b.x, by[1] -= k * a.y * b.y, by[2] -= k * a.z * b.z;
    by[3] -= k * (a.y * b.z + a.z * b.y), by[4] -= k * (a.z * b.x + a.x * b.z);
    by[5] -= k * (a.x * b.y + a.y * b.x);
}

void wy_net_inertia_pull(wy_network *net, int c, vec3 way, vec3 turn) {
    const wy_director *hub = &net->hub;
    wy_net_by *by = &net->slopes->by;
    vec3 a = v3_scale(-1, hub->step->gravity);
    if (hub->step->dynamic) a = v3_add(a, acceleration(hub, c));
    by->mass[c].mass -= v3_dot(way, a);
    by->gravity = v3_axpy(by->gravity, hub->plan.mass[c].mass * hub->step->factor, way);
    if (!hub->step->dynamic) return;
    const double per = 1 / hub->step->h;
    const vec3 plus = m3_tmul(tri_matrix(hub->next[c].d), turn);
    const vec3 minus = m3_tmul(tri_matrix(hub->node[c].d), turn);
    take_outer(by->mass[c].inertia, per, plus, spin_after(hub, c));
    take_outer(by->mass[c].inertia, -per, minus, lane_vec3(hub->node[c].w));
}
