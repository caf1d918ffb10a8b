/* contact_idle.c - steps in which no rod comes near an obstacle.
 *
 * A distance changes by no more than the way of the point.  With g the smallest of all distances of nodes from obstacles, less
 * the radius, and c the longest piece between two nodes, no node and no point of the pieces touches anything while every
 * node has moved by less than
 *   clear = (g - c/2)/2:      after a way w a node is g - w away, and a piece is no longer than c + 2 w.
 * The state keeps what is left of it.  While that is more than a node is expected to move, contact is idle: a step is solved
 * as if there were no obstacle, and if a node has moved further in it, once more with all of them.  So what is far away
 * changes neither the motion nor its cost.
 */
#include "method/director/contact/contacts.h"

static const double SURELY = 2; /* times the way of the step before: more is not expected */

/* What moves, or is given by a function, which may change by more than the way, is looked at in every step; so are rods and
 * bodies that touch each other. */
int wy_contacts_may_idle(const wy_contacts_plan *plan) {
    int can = !plan->pairs && !plan->bodies && !plan->law->apart && !plan->moves;
    for (int w = 0; w < plan->obstacles && can; w++)
        can = plan->obstacle[w].shape.kind != WY_OBSTACLE_DISTANCE;
    return can;
}

/* (g - c/2)/2 of the state, or 0 where it is no more than `least`. */
static double clear_of(const wy_network *net, double least) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    double longest = 0, clear = WY_CONTACTS_CLEAR;
    for (int a = 0; a + 1 < plan->points; a++) {
        const wy_contacts_point *p = &plan->point[a];
        const wy_director_node *node = &net->rod[p->rod].node[p->node];
        if (p[1].rod == p->rod) longest = wy_max(longest, v3_norm(v3_sub(node[1].r, node->r)));
    }
    for (int a = 0; a < plan->points; a++)
        for (int w = 0; w < plan->obstacles; w++) {
            const double gap = wy_contacts_gap_now(net, a, w) - plan->range;
            clear = wy_min(clear, 0.5 * (gap - 0.5 * longest));
            if (!(clear > least)) return 0;
        }
    return clear;
}

/* The longest way of a node in the step just solved. */
static double way_of(const wy_network *net) {
    double most = 0;
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            const vec3 dr = net->rod[i].next[j].dr;
            most = wy_max(most, v3_dot(dr, dr));
        }
    return sqrt(most);
}

static double expected_way(const wy_network *net) {
    double most = 0;
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            const vec3 rate = net->rod[i].node[j].rate[0].dr;
            most = wy_max(most, v3_dot(rate, rate));
        }
    return fabs(net->rigid.step->h) * sqrt(most);
}

void wy_contacts_begin(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    contacts->idle = wy_contacts_may_idle(&contacts->plan) && contacts->now->count == 0;
    if (!contacts->idle) return;
    const double least = SURELY * expected_way(net);
    if (!(contacts->now->clear > least)) contacts->now->clear = clear_of(net, least);
    contacts->idle = contacts->now->clear > least;
}

int wy_contacts_woken(wy_network *net) {
    if (!net->contacts->idle || way_of(net) < net->contacts->now->clear) return 0;
    net->contacts->idle = 0;
    return 1;
}

void wy_contacts_pass(wy_network *net) {
    wy_contacts_now *now = net->contacts->now;
    now->clear = net->contacts->idle ? wy_max(0, now->clear - way_of(net)) : 0;
}

int wy_contacts_is_clear(const wy_network *net) {
    return wy_contacts_may_idle(&net->contacts->plan) && clear_of(net, 0) > 0;
}

int wy_contacts_clear_error(const wy_network *net) {
    const wy_contacts_now *now = net->contacts->now;
    return now->clear > 0 && !(wy_contacts_may_idle(&net->contacts->plan) &&
                               now->clear <= (1 + 1e-9) * clear_of(net, 0));
}
