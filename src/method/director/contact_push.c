/* contact_push.c - forces of supports and their targets at the iterate, and how they change.
 *
 * A point and a wall: the push of src/contact/obstacle.c, so that
 *   f . (dr - shift) = - (u+ - u-) - lost,      f . shift is the work of a wall that moves by `shift`,
 * which stays on the node.  All others: that of src/contact/body.c on the units of both; a wall is a body that moves as the scene
 * says and does not turn.  A grip is a point and a body, a clash a knob and a body: they couple two units, so that the skeleton
 * has all nodes (director/contact_solve.c).
 */
#include <string.h>

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

/* Forces on the place to those on its unit. */
static void to_unit(const wy_touch_over *c, double f[WY_BODY_ROWS]) {
    const vec3 moment = v3_cross(c->arm, v3_from(f));
    v3_to(v3_add(v3_from(f + 3), moment), f + 3);
}

static int push_on(const wy_network *net, int a, int target, const wy_touch_pose at[2], int slopes,
                   wy_touch_over *c, wy_body_push *out) {
    if (wy_touch_beyond(net, a, target, at)) return 0;
    *c = wy_touch_over_of(net, a, target, at);
    if (!wy_body_push_on(wy_touch_shape(&net->touch->plan, target), &c->step, slopes, out))
        return 0;
    to_unit(c, out->force), to_unit(c, out->per_push);
    return 1;
}

int wy_touch_grip(const wy_network *net, int k, int slopes, wy_body_push *out) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int a = k / plan->bodies, target = plan->walls + k % plan->bodies;
    wy_touch_pose at[2];
    wy_touch_over c;
    if (plan->never[k] || wy_touch_far(net, a, target)) return 0;
    wy_touch_poses(net, a, target, at);
    return push_on(net, a, target, at, slopes, &c, out);
}

/* After a small motion i of its end. */
static void nudge(wy_touch_pose *at, int i, double h) {
    if (i >= 3) {
        wy_body_turn(v3_scale(h, v3_axis(i - 3)), &at->theta, &at->to);
        return;
    }
    at->plus = v3_axpy(at->plus, h, v3_axis(i)), at->dr = v3_axpy(at->dr, h, v3_axis(i));
}

/* d(forces) by motion i of both units: of f at fixed N by differences, and f by N times dN. */
static void find_slope(const wy_network *net, int a, int target, const wy_touch_pose at[2],
                       const wy_touch_over *now, const wy_body_push *push, int i,
                       double out[WY_BODY_ROWS]) {
    const wy_obstacle *shape = wy_touch_shape(&net->touch->plan, target);
    const double size = wy_touch_size(&net->touch->plan, a);
    const double h = 1e-6 * (i % 6 < 3 ? size + v3_norm(at[i / 6].dr) : 1);
    double f[2][WY_BODY_ROWS], gap[2], unused;
    for (int side = 0; side < 2; side++) {
        wy_touch_pose moved[2] = {at[0], at[1]};
        nudge(&moved[i / 6], i % 6, side ? h : -h);
        wy_touch_over c = *now;
        wy_touch_over_place(net, a, target, moved, &c);
        wy_body_forces(shape, &c.step, push->of_tangent, f[side]);
        to_unit(&c, f[side]);
        gap[side] = wy_body_gap(shape, &c.step, &unused);
    }
    for (int j = 0; j < WY_BODY_ROWS; j++)
        out[j] =
            (f[1][j] - f[0][j] + push->per_push[j] * push->steep * (gap[1] - gap[0])) / (2 * h);
}

static void push_grip(wy_network *net, int k) {
    wy_touch *touch = net->touch;
    const int c = touch->plan.body[k % touch->plan.bodies].cluster;
    wy_body_push push;
    if (!wy_touch_grip(net, k, 0, &push)) return;
    touch->step->active++;
    if (!touch->grip[k]) touch->grip[k] = 1, touch->step->grew = 1;
    add(touch->force[k / touch->plan.bodies].f, push.force, 1);
    add(touch->hub_force[c].f, push.force + 6, 1);
}

static void push_clashes(wy_network *net, int i, int j) {
    wy_touch *touch = net->touch;
    const wy_touch_body *own = &touch->plan.body[i];
    const int target = touch->plan.walls + j, first = touch->plan.points + own->first;
    wy_touch_pose at[2];
    wy_touch_poses(net, first, target, at);
    for (int a = first; a < first + own->knobs; a++) {
        wy_body_push push;
        wy_touch_over c;
        if (!wy_touch_meets(touch, a, target) || !push_on(net, a, target, at, 0, &c, &push))
            continue;
        char *in = &touch->meeting[i * touch->plan.bodies + j];
        touch->step->active++;
        if (!*in) *in = 1, touch->step->grew = 1;
        add(touch->hub_force[own->cluster].f, push.force, 1);
        add(touch->hub_force[touch->plan.body[j].cluster].f, push.force + 6, 1);
    }
}

void wy_touch_push_bodies(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int bodies = plan->clashes ? plan->bodies : 0;
    memset(net->touch->hub_force, 0, (size_t)plan->clusters * sizeof *net->touch->hub_force);
    for (int k = 0; k < plan->grips; k++) push_grip(net, k);
    for (int i = 0; i < bodies * bodies; i++) {
        const int first = plan->points + plan->body[i / bodies].first;
        if (plan->meets[i] && !wy_touch_far(net, first, plan->walls + i % bodies))
            push_clashes(net, i / bodies, i % bodies);
    }
}

int wy_touch_clash_tangent(const wy_network *net, int k, int b, double m[12][13]) {
    const int target = net->touch->plan.walls + b, a = net->touch->plan.points + k;
    double column[WY_BODY_ROWS];
    wy_body_push push;
    wy_touch_pose at[2];
    wy_touch_over c;
    if (!wy_touch_meets(net->touch, a, target)) return 0;
    wy_touch_poses(net, a, target, at);
    if (!push_on(net, a, target, at, 0, &c, &push)) return 0;
    for (int j = 0; j < WY_BODY_ROWS; j++) {
        find_slope(net, a, target, at, &c, &push, j, column);
        for (int i = 0; i < WY_BODY_ROWS; i++) m[i][j] = -column[i];
        m[j][WY_BODY_ROWS] = 0;
    }
    return 1;
}

static void wall_on_body(const wy_network *net, int b, int wall, double a[6][6], double r[6]) {
    const wy_touch *touch = net->touch;
    const int first = touch->plan.points + touch->plan.body[b].first;
    wy_touch_pose at[2];
    if (wy_touch_far(net, first, wall)) return;
    wy_touch_poses(net, first, wall, at);
    for (int k = first; k < first + touch->plan.body[b].knobs; k++) {
        wy_body_push push;
        wy_touch_over c;
        double column[WY_BODY_ROWS];
        if (!wy_touch_meets(touch, k, wall) || !push_on(net, k, wall, at, 0, &c, &push)) continue;
        touch->step->active++;
        add(r, push.force, -1);
        for (int j = 0; j < 6; j++) {
            find_slope(net, k, wall, at, &c, &push, j, column);
            for (int i = 0; i < 6; i++) a[i][j] -= column[i];
        }
    }
}

void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (plan->grips || plan->clashes) add(b, net->touch->hub_force[c].f, -1);
    for (int i = 0; i < plan->bodies && plan->knobs; i++)
        for (int wall = 0; wall < plan->walls && plan->body[i].cluster == c; wall++)
            wall_on_body(net, i, wall, a, b);
}
