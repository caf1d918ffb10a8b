/* network_sample.c - rods, bodies and joints of a network as the study reports them.
 *
 * Fields along a rod and its energies are those of director/rod/sample.c, and bodies and joints have theirs, so that all
 * of them may be added; so may work and loss, where those of bodies and joints are with the first rod.  Conserved,
 * momenta and constraints are those of the whole network, in the snapshot of every rod: found once, where a span of
 * steps ends, because with thousands of rods each would go through all others.
 */
#include "method/director/contact/contacts.h"

void wy_network_totals(wy_network *net) {
    wy_network_now *now = net->now;
    now->conserved = wy_network_conserved(net);
    now->momentum = now->spin = v3(0, 0, 0);
    wy_director_add_momenta(&net->rigid, &now->momentum, &now->spin);
    for (int i = 0; i < net->plan.rods; i++) {
        const vec3 apart = v3_sub(net->rod[i].now->origin, net->rigid.now->origin);
        const vec3 before = now->momentum;
        wy_director_add_momenta(&net->rod[i], &now->momentum, &now->spin);
        if (!v3_is_zero(apart))
            now->spin = v3_add(now->spin, v3_cross(apart, v3_sub(now->momentum, before)));
    }
}

int wy_network_nodes(const void *self, int rod, double *s) {
    return wy_director_nodes(&((const wy_network *)self)->rod[rod], s);
}

/* Of the first rod: studies ask for them where there is one. */
void wy_network_speeds(const void *self, int count, const double *s, vec3 *velocity, vec3 *spin) {
    wy_director_speeds(&((const wy_network *)self)->rod[0], count, s, velocity, spin);
}

void wy_network_sample(const void *self, int rod, withy_snapshot *snap) {
    const wy_network *net = self;
    wy_director_sample(&net->rod[rod], snap);
    snap->conserved = net->now->conserved;
    if (net->contacts) wy_contacts_sample(net, rod, snap);
    if (rod == 0) snap->work += net->now->work, snap->dissipated += net->now->dissipated;
    snap->iterations = (int)net->rigid.now->iterations;
    if (snap->requested & WITHY_HAVE_MOMENTUM) {
        snap->momentum = net->now->momentum;
        snap->angular_momentum =
            v3_add(net->now->spin, v3_cross(net->rigid.now->origin, net->now->momentum));
        snap->have |= WITHY_HAVE_MOMENTUM;
    }
    if (snap->requested & WITHY_HAVE_CONSTRAINT)
        snap->constraint = wy_max(snap->constraint, net->now->gap);
}

static void sample_body(const wy_network *net, int i, withy_parts *parts) {
    const wy_network_body *own = &net->plan.body[i];
    const wy_director_node *node = &net->rigid.node[own->rigid_group];
    const mat3 frame = tri_matrix(node->d), axes = m3_mulm(frame, own->q);
    const vec3 p = m3_mul(frame, own->o);
    withy_body_state *out = &parts->body[i];
    out->position = v3_add(net->rigid.now->origin, v3_add(node->r, p));
    out->frame = q_from_matrix(axes);
    wy_director_speed(&net->rigid, own->rigid_group, &out->velocity, &out->spin);
    out->velocity = v3_add(out->velocity, v3_cross(out->spin, p));
}

/* Where side s of a joint is; of the ground where it was at the end of the last step. */
static vec3 place_of(const wy_network *net, const wy_network_joint *j, int s, vec3 ground) {
    const int c = j->rigid_group[s];
    if (c < 0) return ground;
    const wy_director_node *node = &net->rigid.node[c];
    return v3_add(net->rigid.now->origin, v3_add(node->r, m3_mul(tri_matrix(node->d), j->o[s])));
}

static void sample_joint(const wy_network *net, int i, withy_parts *parts) {
    const wy_network_joint *j = &net->plan.joint[i];
    withy_joint_state *out = &parts->joint[i];
    for (int s = 0; s < 2; s++) out->place[s] = place_of(net, j, s, net->joint[i].ground);
    out->axis = j->axis;
    if (j->rigid_group[0] >= 0)
        out->axis = m3_mul(tri_matrix(net->rigid.node[j->rigid_group[0]].d), j->axis);
    out->force = wy_director_force_now(net->rigid.now, net->joint[i].force);
    out->torque = wy_director_force_now(net->rigid.now, net->joint[i].torque);
    out->angle = j->angle >= 0 ? net->angle[j->angle] : 0;
    const vec3 y = v3_sub(out->place[1], out->place[0]);
    out->travel = j->travel >= 0 ? v3_dot(out->axis, y) - net->plan.constraint[j->travel].zero
                  : j->given->kind == WITHY_JOINT_LINK ? v3_norm(y) - j->reach
                                                       : 0;
}

void wy_network_sample_parts(const void *self, withy_parts *parts) {
    const wy_network *net = self;
    parts->kinetic = net->rigid.now->energy.kinetic,
    parts->gravity = net->rigid.now->energy.gravity;
    parts->springs = net->now->joint_energy;
    for (int i = 0; i < parts->body_count; i++) sample_body(net, i, parts);
    for (int i = 0; i < parts->joint_count; i++) sample_joint(net, i, parts);
    if (net->contacts) wy_contacts_sample_parts(net, parts);
}
