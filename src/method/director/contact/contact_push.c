/* contact_push.c - forces of supports and their targets at the iterate, and how they change.
 *
 * A point and an obstacle: the push of src/contact/obstacle.c, so that
 *   f . (dr - shift) = - (u+ - u-) - lost,      f . shift is the work of an obstacle that moves by `shift`,
 * which stays on the node.  All others: that of src/contact/body.c on the units of both; an obstacle is a body that moves as the scene
 * says and does not turn.  A pair is a point and a body, a clash a body point and a body: they couple two units, so that the reduced system
 * has all nodes (director/contact/contact_solve.c).
 */
#include "method/director/contact/contacts.h"

static void add(double *to, const double *from, double sign) {
    for (int i = 0; i < 6; i++) to[i] += sign * from[i];
}

/* ---- points and obstacles ---------------------------------------------------------------------------------------------------- */

/* d(force, moment) by (dr, dphi) from that by (dr, theta): dtheta = G dphi. */
static void add_slope(vec3 theta, const wy_obstacle_push *push, double a[6][6]) {
    const mat3 g = wy_director_spin_map(theta);
    const vec3 column[3] = {g.c1, g.c2, g.c3};
    for (int i = 0; i < 6; i++) {
        const vec3 by = v3_from(&push->slope[i][3]);
        for (int c = 0; c < 3; c++) {
            a[i][c] -= push->slope[i][c];
            a[i][3 + c] -= v3_dot(by, column[c]);
        }
    }
}

void wy_contacts_node(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_contacts *contacts = x->contacts;
    const int point = contacts->plan.first[x->plan.index] + j;
    const double radius = contacts->plan.point[point].radius;
    if (contacts->idle) return;
    if (contacts->plan.pairs) add(b, contacts->force[point].f, -1);
    for (int obstacle = 0; obstacle < contacts->plan.obstacles; obstacle++) {
        const vec3 r = v3_add(x->now->origin, x->node[j].r);
        if (x->step->dynamic &&
            wy_contacts_far_obstacle(contacts, r, x->next[j].dr, radius, obstacle))
            continue;
        const wy_obstacle_step step = wy_contacts_obstacle_step(x, point, obstacle);
        wy_obstacle_push push;
        if (!wy_obstacle_push_on(&contacts->plan.obstacle[obstacle].shape, &step, &push)) continue;
        contacts->step->active++;
        v3_to(v3_sub(v3_from(b), push.force), b);
        v3_to(v3_sub(v3_from(b + 3), push.moment), b + 3);
        add_slope(step.theta, &push, a);
    }
}

/* ---- all others ---------------------------------------------------------------------------------------------------------- */

/* With so many columns of slopes. */
static int push_on(const wy_network *net, int a, int target, const wy_carrier at[2], int columns,
                   wy_body_push *out) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (wy_contacts_beyond(net, a, target, at)) return 0;
    const wy_support_step c = wy_contacts_over(net, a, target, at);
    return wy_support_push(&plan->support[a].is, wy_contacts_shape(plan, target), at, &c, columns,
                           out);
}

/* Supports a .. to - 1 of one unit on a body; tie: what couples the two. */
static void push_supports(wy_network *net, int a, int to, int body, int tie) {
    wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    const int target = plan->obstacles + body;
    wy_carrier at[2];
    if (wy_contacts_far(net, a, target)) return;
    wy_contacts_poses(net, a, target, at);
    for (; a < to; a++) {
        wy_body_push push;
        if (!wy_contacts_meets(contacts, a, target) || !push_on(net, a, target, at, 0, &push))
            continue;
        contacts->step->active++;
        if (!contacts->in[tie]) contacts->in[tie] = contacts->step->grew = 1;
        add(contacts->force[plan->support[a].unit].f, push.force, 1);
        add(contacts->force[plan->points + plan->body[body].rigid_group].f, push.force + 6, 1);
    }
}

void wy_contacts_push_bodies(wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int k = plan->near; k < plan->ties; k++) {
        const int body_contact = k - plan->near - plan->body_pairs;
        int to, body;
        if (body_contact < 0 ? plan->never[k - plan->near] : !plan->meets[body_contact]) continue;
        const int a = wy_contacts_tie_supports(plan, k, &to, &body);
        push_supports(net, a, to, body, k);
    }
}

int wy_contacts_body_tangent(const wy_network *net, int a, int b, double m[12][13]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int target = plan->obstacles + b;
    wy_body_push push;
    wy_carrier at[2];
    if (!wy_contacts_meets(net->contacts, a, target)) return 0;
    if (a < plan->points && wy_contacts_far(net, a, target)) return 0;
    wy_contacts_poses(net, a, target, at);
    if (!push_on(net, a, target, at, WY_BODY_ROWS, &push)) return 0;
    for (int i = 0; i < WY_BODY_ROWS; i++) {
        for (int j = 0; j < WY_BODY_ROWS; j++) m[i][j] = -push.slope[i][j];
        m[i][WY_BODY_ROWS] = 0;
    }
    return 1;
}

int wy_contacts_tie_supports(const wy_contacts_plan *plan, int k, int *to, int *body) {
    const int body_pair = k - plan->near, first = (body_pair - plan->body_pairs) / plan->bodies;
    *body =
        (body_pair < plan->body_pairs ? body_pair : body_pair - plan->body_pairs) % plan->bodies;
    if (body_pair < plan->body_pairs) return *to = body_pair / plan->bodies + 1, *to - 1;
    *to = plan->points + plan->body[first].first + plan->body[first].body_points;
    return plan->points + plan->body[first].first;
}

int wy_contacts_tie(const wy_network *net, int k, int unit[4]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    int to, body;
    if (k < plan->near) {
        for (int i = 0; i < 4; i++)
            unit[i] = (i < 2 ? net->contacts->near[k].a : net->contacts->near[k].b) + i % 2;
        return 2;
    }
    unit[0] = plan->support[wy_contacts_tie_supports(plan, k, &to, &body)].unit;
    unit[1] = plan->points + plan->body[body].rigid_group;
    return 1;
}

static void obstacle_on_body(const wy_network *net, int b, int obstacle, double a[6][6],
                             double r[6]) {
    const wy_contacts *contacts = net->contacts;
    const int first = contacts->plan.points + contacts->plan.body[b].first;
    wy_carrier at[2];
    if (wy_contacts_far(net, first, obstacle)) return;
    wy_contacts_poses(net, first, obstacle, at);
    for (int k = first; k < first + contacts->plan.body[b].body_points; k++) {
        wy_body_push push;
        if (!wy_contacts_meets(contacts, k, obstacle) || !push_on(net, k, obstacle, at, 6, &push))
            continue;
        contacts->step->active++;
        add(r, push.force, -1);
        for (int i = 0; i < 6; i++) add(a[i], push.slope[i], -1);
    }
}

void wy_contacts_body_force(const wy_network *net, int body, double b[6]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    int own = 0;
    while (own < plan->bodies && plan->body[own].body != body) own++;
    if (own == plan->bodies) return;
    for (int a = 0; a < plan->points + plan->body_points; a++) {
        const int has = plan->support[a].of == own, first = has ? 0 : plan->obstacles + own;
        for (int target = first; target < (has ? wy_contacts_targets(plan) : first + 1); target++) {
            wy_body_push push;
            wy_carrier at[2];
            if (!wy_contacts_meets(net->contacts, a, target) || wy_contacts_far(net, a, target))
                continue;
            wy_contacts_poses(net, a, target, at);
            if (push_on(net, a, target, at, 0, &push)) add(b, &push.force[has ? 0 : 6], -1);
        }
    }
}

void wy_contacts_rigid_group(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (plan->body_pairs || plan->bodies_touch)
        add(b, net->contacts->force[plan->points + c].f, -1);
    for (int i = 0; i < plan->bodies && plan->body_points; i++)
        for (int obstacle = 0; obstacle < plan->obstacles && plan->body[i].rigid_group == c;
             obstacle++)
            obstacle_on_body(net, i, obstacle, a, b);
}
