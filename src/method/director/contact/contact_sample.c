/* contact_sample.c - contacts as results: force per length on a rod, forces on obstacles, the table of contacts.
 *
 * The force on node j over the length it stands for is the density there; between nodes it is linear.  The integral
 * over the rod is then the sum of the forces but for the corners of unequal elements.
 */
#include "method/director/contact/contacts.h"

static vec3 node_place(const wy_network *net, int point) {
    const wy_contacts_point *at = &net->contacts->plan.point[point];
    const wy_director *x = &net->rod[at->rod];
    return v3_add(x->now->origin, x->node[at->node].r);
}

double wy_contacts_arc(const wy_network *net, int point, double share) {
    const wy_contacts_point *at = &net->contacts->plan.point[point];
    const double *s = &net->rod[at->rod].plan.s[at->node];
    return share > 0 ? s[0] + share * (s[1] - s[0]) : s[0];
}

/* ---- along a rod ------------------------------------------------------------------------------------------ */

/* A force on a point, as a hat on the neighbouring elements. */
static void add_hat(const wy_network *net, int rod, int point, vec3 force, withy_snapshot *snap) {
    const wy_contacts_point *at = &net->contacts->plan.point[point];
    const wy_director_plan *plan = &net->rod[rod].plan;
    if (at->rod != rod) return;
    const int j = at->node, last = plan->node_count - 1;
    const double s = plan->s[j], before = j > 0 ? plan->s[j - 1] : s,
                 after = j < last ? plan->s[j + 1] : s;
    for (int i = wy_place_in(snap->s, 1, snap->count, before); i < snap->count; i++) {
        const double x = snap->s[i];
        if (x < before) continue;
        if (x > after) break;
        const double hat = x < s   ? (x - before) / (s - before)
                           : x > s ? (after - x) / (after - s)
                                   : 1;
        snap->contact[i] = v3_axpy(snap->contact[i], hat / at->share, force);
    }
}

void wy_contacts_sample(const wy_network *net, int rod, withy_snapshot *snap) {
    const wy_contacts *contacts = net->contacts;
    wy_contacts_report(net);
    if (rod == 0)
        snap->contact_energy = contacts->now->energy + contacts->now->stick,
        snap->contact_loss = contacts->now->lost;
    snap->contact_depth = contacts->now->depth;
    snap->have |= WITHY_HAVE_CONTACT;
    for (int i = 0; i < snap->count; i++) snap->contact[i] = v3(0, 0, 0);
    if (!(snap->requested & WITHY_HAVE_CONTACT)) return;
    for (int64_t k = 0; k < contacts->now->count; k++) {
        const wy_contacts_record *m = &contacts->record[k];
        if (m->b < 0) {
            if (m->a < contacts->plan.points) add_hat(net, rod, m->a, m->force, snap);
            continue;
        }
        add_hat(net, rod, m->a, v3_scale(1 - m->s, m->force), snap);
        add_hat(net, rod, m->a + 1, v3_scale(m->s, m->force), snap);
        add_hat(net, rod, m->b, v3_scale(m->t - 1, m->force), snap);
        add_hat(net, rod, m->b + 1, v3_scale(-m->t, m->force), snap);
    }
}

/* ---- obstacles, and the table --------------------------------------------------------------------------- */

static withy_contact_state touch_of(const wy_network *net, const wy_contacts_record *m) {
    const wy_contacts_point *point = net->contacts->plan.point;
    const double stick = wy_contacts_record_stick(net, m, !net->contacts->now->rests);
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int body = -1 - m->b - plan->obstacles;
    withy_contact_state out = {.rod = point[m->a].rod,
                               .of = m->b >= 0   ? WITHY_OF_ROD
                                     : body >= 0 ? WITHY_OF_BODY
                                                 : WITHY_OF_OBSTACLE,
                               .index = m->b >= 0   ? point[m->b].rod
                                        : body >= 0 ? plan->body[body].body
                                                    : -1 - m->b,
                               .s = wy_contacts_arc(net, m->a, m->b < 0 ? 0 : m->s),
                               .s2 = m->b < 0 ? 0 : wy_contacts_arc(net, m->b, m->t),
                               .gap = m->gap,
                               .push = m->push,
                               .friction = stick * v3_norm(m->z), /* f = -K_t z+ */
                               .force = m->force,
                               .position = node_place(net, m->a)};
    if (m->b >= 0) {
        const vec3 next = node_place(net, m->a + 1);
        out.position = v3_axpy(v3_scale(1 - m->s, out.position), m->s, next);
    }
    return out;
}

void wy_contacts_sample_parts(const wy_network *net, withy_parts *parts) {
    const wy_contacts *contacts = net->contacts;
    for (int i = 0; i < parts->obstacle_count; i++) {
        const vec3 at = v3_add(contacts->plan.obstacle[i].shape.point, contacts->at[i]);
        parts->obstacle[i] = (withy_obstacle_state){.position = at};
    }
    for (int64_t k = 0; k < contacts->now->count; k++) {
        const wy_contacts_record *m = &contacts->record[k];
        if (m->a < contacts->plan.points && parts->contact_count < parts->contact_room)
            parts->contacts[parts->contact_count++] = touch_of(net, m);
        if (m->b >= 0 || -1 - m->b >= contacts->plan.obstacles) continue;
        withy_obstacle_state *obstacle = &parts->obstacle[-1 - m->b];
        obstacle->force = v3_sub(obstacle->force, m->force);
        obstacle->depth = wy_max(obstacle->depth, -m->gap);
        obstacle->touches += 1;
    }
}
