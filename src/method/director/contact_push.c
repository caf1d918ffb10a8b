/* contact_push.c - forces of supports and their targets at the iterate, and how they change.
 *
 * A point and a wall: the push of src/contact/obstacle.c, so that
 *   f . (dr - shift) = - (u+ - u-) - lost,      f . shift is the work of a wall that moves by `shift`,
 * which stays on the node.  All others: that of src/contact/body.c on the units of both; a wall is a body that moves as the scene
 * says and does not turn.  A grip is a point and a body, a clash a knob and a body: they couple two units, so that the skeleton
 * has all nodes (director/contact_solve.c).
 */
#include "method/director/contacts.h"

static void add(double *to, const double *from, double sign) {
    for (int i = 0; i < 6; i++) to[i] += sign * from[i];
}

/* ---- points and walls ---------------------------------------------------------------------------------------------------- */

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

void wy_touch_node(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_touch *touch = x->touch;
    const int point = touch->plan.first[x->plan.index] + j;
    const double radius = touch->plan.point[point].radius;
    if (touch->idle) return;
    if (touch->plan.pairs) add(b, touch->force[point].f, -1);
    for (int wall = 0; wall < touch->plan.walls; wall++) {
        const vec3 r = v3_add(x->now->origin, x->node[j].r);
        if (x->step->dynamic && wy_touch_far_wall(touch, r, x->next[j].dr, radius, wall)) continue;
        const wy_obstacle_step step = wy_touch_wall_step(x, point, wall);
        wy_obstacle_push push;
        if (!wy_obstacle_push_on(&touch->plan.wall[wall].shape, &step, &push)) continue;
        touch->step->active++;
        v3_to(v3_sub(v3_from(b), push.force), b);
        v3_to(v3_sub(v3_from(b + 3), push.moment), b + 3);
        add_slope(step.theta, &push, a);
    }
}

/* ---- all others ---------------------------------------------------------------------------------------------------------- */

/* With so many columns of slopes. */
static int push_on(const wy_network *net, int a, int target, const wy_carrier at[2], int columns,
                   wy_body_push *out) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (wy_touch_beyond(net, a, target, at)) return 0;
    const wy_support_step c = wy_touch_over(net, a, target, at);
    return wy_support_push(&plan->support[a].is, wy_touch_shape(plan, target), at, &c, columns,
                           out);
}

/* Supports a .. to - 1 of one unit on a body; tie: what couples the two. */
static void push_supports(wy_network *net, int a, int to, int body, int tie) {
    wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int target = plan->walls + body;
    wy_carrier at[2];
    if (wy_touch_far(net, a, target)) return;
    wy_touch_poses(net, a, target, at);
    for (; a < to; a++) {
        wy_body_push push;
        if (!wy_touch_meets(touch, a, target) || !push_on(net, a, target, at, 0, &push)) continue;
        touch->step->active++;
        if (!touch->in[tie]) touch->in[tie] = touch->step->grew = 1;
        add(touch->force[plan->support[a].unit].f, push.force, 1);
        add(touch->force[plan->points + plan->body[body].cluster].f, push.force + 6, 1);
    }
}

void wy_touch_push_bodies(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int k = plan->near; k < plan->ties; k++) {
        const int clash = k - plan->near - plan->grips;
        int to, body;
        if (clash < 0 ? plan->never[k - plan->near] : !plan->meets[clash]) continue;
        const int a = wy_touch_tie_supports(plan, k, &to, &body);
        push_supports(net, a, to, body, k);
    }
}

int wy_touch_body_tangent(const wy_network *net, int a, int b, double m[12][13]) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int target = plan->walls + b;
    wy_body_push push;
    wy_carrier at[2];
    if (!wy_touch_meets(net->touch, a, target)) return 0;
    if (a < plan->points && wy_touch_far(net, a, target)) return 0;
    wy_touch_poses(net, a, target, at);
    if (!push_on(net, a, target, at, WY_BODY_ROWS, &push)) return 0;
    for (int i = 0; i < WY_BODY_ROWS; i++) {
        for (int j = 0; j < WY_BODY_ROWS; j++) m[i][j] = -push.slope[i][j];
        m[i][WY_BODY_ROWS] = 0;
    }
    return 1;
}

int wy_touch_tie_supports(const wy_touch_plan *plan, int k, int *to, int *body) {
    const int grip = k - plan->near, first = (grip - plan->grips) / plan->bodies;
    *body = (grip < plan->grips ? grip : grip - plan->grips) % plan->bodies;
    if (grip < plan->grips) return *to = grip / plan->bodies + 1, *to - 1;
    *to = plan->points + plan->body[first].first + plan->body[first].knobs;
    return plan->points + plan->body[first].first;
}

int wy_touch_tie(const wy_network *net, int k, int unit[4]) {
    const wy_touch_plan *plan = &net->touch->plan;
    int to, body;
    if (k < plan->near) {
        for (int i = 0; i < 4; i++)
            unit[i] = (i < 2 ? net->touch->near[k].a : net->touch->near[k].b) + i % 2;
        return 2;
    }
    unit[0] = plan->support[wy_touch_tie_supports(plan, k, &to, &body)].unit;
    unit[1] = plan->points + plan->body[body].cluster;
    return 1;
}

static void wall_on_body(const wy_network *net, int b, int wall, double a[6][6], double r[6]) {
    const wy_touch *touch = net->touch;
    const int first = touch->plan.points + touch->plan.body[b].first;
    wy_carrier at[2];
    if (wy_touch_far(net, first, wall)) return;
    wy_touch_poses(net, first, wall, at);
    for (int k = first; k < first + touch->plan.body[b].knobs; k++) {
        wy_body_push push;
        if (!wy_touch_meets(touch, k, wall) || !push_on(net, k, wall, at, 6, &push)) continue;
        touch->step->active++;
        add(r, push.force, -1);
        for (int i = 0; i < 6; i++) add(a[i], push.slope[i], -1);
    }
}

void wy_touch_body_force(const wy_network *net, int body, double b[6]) {
    const wy_touch_plan *plan = &net->touch->plan;
    int own = 0;
    while (own < plan->bodies && plan->body[own].body != body) own++;
    if (own == plan->bodies) return;
    for (int a = 0; a < plan->points + plan->knobs; a++) {
        const int has = plan->support[a].of == own, first = has ? 0 : plan->walls + own;
        for (int target = first; target < (has ? wy_touch_targets(plan) : first + 1); target++) {
            wy_body_push push;
            wy_carrier at[2];
            if (!wy_touch_meets(net->touch, a, target) || wy_touch_far(net, a, target)) continue;
            wy_touch_poses(net, a, target, at);
            if (push_on(net, a, target, at, 0, &push)) add(b, &push.force[has ? 0 : 6], -1);
        }
    }
}

void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (plan->grips || plan->clashes) add(b, net->touch->force[plan->points + c].f, -1);
    for (int i = 0; i < plan->bodies && plan->knobs; i++)
        for (int wall = 0; wall < plan->walls && plan->body[i].cluster == c; wall++)
            wall_on_body(net, i, wall, a, b);
}
