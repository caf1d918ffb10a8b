/* contact_wall.c - nodes of rods against obstacles.
 *
 * A node with the radius r and the length w of rod that it stands for touches where its distance from the wall is
 * below r; K = k w.  The push is that of src/contact/obstacle.c, so that
 *   f . (dr - shift) = - (u+ - u-) - lost,      f . shift is the work of a wall that moves by `shift`.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double THROUGH = 0.3; /* of r: an axis that comes closer to a wall passes through it */

static vec3 place(const wy_director *x, int j) {
    return v3_add(x->now->origin, x->node[j].r);
}

/* At rest the step is the way since the last equilibrium. */
static void rest(const wy_touch *touch, int a, wy_obstacle_step *step) {
    if (!touch->plan.rubs) return;
    step->minus = v3_sub(step->minus, touch->gone[a].dr);
    step->theta = touch->gone[a].theta;
}

static wy_obstacle_step step_of(const wy_director *x, int j, int wall) {
    const wy_touch *touch = x->touch;
    const int a = touch->plan.first[x->plan.index] + j;
    const wy_touch_wall *w = &touch->plan.wall[wall];
    const wy_touch_point *point = &touch->plan.point[a];
    const double k = wy_touch_stiffness(touch, a, wall);
    wy_obstacle_step step = {.radius = point->radius, .per = x->step->dynamic ? x->step->per : 0};
    step.minus = v3_sub(place(x, j), touch->at[wall]);
    step.shift = v3_sub(touch->to[wall], touch->at[wall]);
    step.plus = v3_add(step.minus, v3_sub(x->next[j].dr, step.shift));
    step.theta = x->next[j].theta;
    step.law = wy_touch_law(touch, x->step->dynamic, a, -1 - wall, k, w->damping);
    step.friction = w->friction;
    step.stick = wy_touch_stick(touch, x->step->dynamic, point->mass, k);
    step.directed = w->directed;
    if (!x->step->dynamic) rest(touch, a, &step);
    step.forward = w->forward, step.back = w->back;
    if (step.directed) step.along = tri_matrix(x->node[j].d).c3;
    step.z = v3(0, 0, 0);
    if (w->rubs) {
        const wy_touch_mark *mark = wy_touch_find(touch, a, -1 - wall);
        if (mark) step.z = mark->z;
    }
    return step;
}

/* Is the point so far away, now and after the step, that nothing needs to be looked up?  A distance changes by no more
 * than the way; what a function of the scene says may change by more, and is looked up at both ends. */
static int is_far(const wy_director *x, int j, int wall) {
    const wy_touch *touch = x->touch;
    const wy_touch_wall *w = &touch->plan.wall[wall];
    if (w->shape.kind == WY_OBSTACLE_DISTANCE || !x->step->dynamic) return 0;
    const double r =
        touch->plan.point[touch->plan.first[x->plan.index] + j].radius + touch->plan.range;
    const vec3 minus = v3_sub(place(x, j), touch->at[wall]);
    const vec3 dx = v3_sub(x->next[j].dr, v3_sub(touch->to[wall], touch->at[wall]));
    return wy_obstacle_beyond(&w->shape, minus, r + v3_norm(dx));
}

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
    if (x->touch->idle) return;
    if (x->touch->plan.pairs) {
        const double *f = x->touch->force[x->touch->plan.first[x->plan.index] + j].f;
        for (int i = 0; i < 6; i++) b[i] -= f[i];
    }
    for (int wall = 0; wall < x->touch->plan.walls; wall++) {
        if (is_far(x, j, wall)) continue;
        const wy_obstacle_step step = step_of(x, j, wall);
        wy_obstacle_push push;
        if (!wy_obstacle_push_on(&x->touch->plan.wall[wall].shape, &step, &push)) continue;
        x->touch->step->active++;
        v3_to(v3_sub(v3_from(b), push.force), b);
        v3_to(v3_sub(v3_from(b + 3), push.moment), b + 3);
        add_slope(step.theta, &push, a);
    }
}

/* ---- the books of a step --------------------------------------------------------------------------------- */

static void book(const wy_director *x, int j, int wall, int *count) {
    wy_touch *touch = x->touch;
    const wy_obstacle *shape = &touch->plan.wall[wall].shape;
    const wy_obstacle_step step = step_of(x, j, wall);
    wy_obstacle_push push;
    vec3 unused;
    wy_touch_entry entry = {.a = touch->plan.first[x->plan.index] + j,
                            .b = -1 - wall,
                            .law = &step.law,
                            .size = step.radius};
    entry.minus = wy_obstacle_distance(shape, step.minus, &unused) - step.radius;
    entry.plus = wy_obstacle_distance(shape, step.plus, &unused) - step.radius;
    entry.before = step.z, entry.stick = step.stick, entry.shift = step.shift;
    entry.acts = wy_obstacle_push_on(shape, &step, &push);
    entry.push = push.push, entry.lost = push.lost, entry.z = push.z, entry.force = push.force;
    wy_touch_enter(touch, x->step->dynamic, &entry, count);
}

void wy_touch_book_walls(const wy_network *net, int a, int *count) {
    wy_touch *touch = net->touch;
    const wy_touch_point *point = &touch->plan.point[a];
    const wy_director *x = &net->rod[point->rod];
    for (int wall = touch->plan.walls - 1; wall >= 0; wall--) {
        if (is_far(x, point->node, wall) && !wy_touch_find(touch, a, -1 - wall)) continue;
        book(x, point->node, wall, count);
    }
}

static double energy_of(const wy_director *x, int j, int wall) {
    const wy_touch *touch = x->touch;
    const wy_touch_wall *w = &touch->plan.wall[wall];
    const int a = touch->plan.first[x->plan.index] + j;
    const wy_contact_law law =
        wy_touch_law(touch, 1, a, -1 - wall, wy_touch_stiffness(touch, a, wall), w->damping);
    const vec3 at = v3_sub(place(x, j), touch->at[wall]);
    vec3 unused;
    return wy_contact_law_energy(&law, wy_obstacle_distance(&w->shape, at, &unused) -
                                           touch->plan.point[a].radius);
}

void wy_touch_energies(wy_network *net) {
    wy_touch *touch = net->touch;
    touch->now->energy = touch->now->paired + wy_touch_body_energy(net);
    touch->now->stick = wy_touch_springs(net);
    for (int i = 0; i < net->plan.rods && !touch->idle; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++)
            for (int w = 0; w < touch->plan.walls; w++)
                touch->now->energy += energy_of(&net->rod[i], j, w);
    for (int64_t m = 0; m < touch->now->count; m++) {
        const wy_touch_mark *mark = &touch->mark[m];
        if (mark->b >= 0) continue; /* wy_touch_springs */
        touch->now->stick +=
            0.5 * wy_touch_mark_stick(net, mark, !touch->now->rests) * v3_dot(mark->z, mark->z);
    }
}

/* ---- surfaces that never meet ---------------------------------------------------------------------------------------------- */

static const double LEFT = 0.02; /* of a gap: what a Newton step may leave of it */

static double gap_at(const wy_director *x, int j, int wall, double share) {
    const wy_touch *touch = x->touch;
    const vec3 dr = v3_axpy(x->next[j].dr, share, v3_from(x->next[j].change));
    vec3 unused;
    return wy_obstacle_distance(&touch->plan.wall[wall].shape,
                                v3_sub(v3_add(place(x, j), dr), touch->to[wall]), &unused) -
           touch->plan.point[touch->plan.first[x->plan.index] + j].radius;
}

double wy_touch_wall_gap(const wy_network *net, int a, int wall, double *grows) {
    const wy_touch *touch = net->touch;
    const wy_touch_point *point = &touch->plan.point[a];
    const wy_director *x = &net->rod[point->rod];
    const vec3 at = v3_sub(v3_add(place(x, point->node), x->next[point->node].dr), touch->to[wall]);
    vec3 gradient;
    const double g = wy_obstacle_distance(&touch->plan.wall[wall].shape, at, &gradient);
    *grows = v3_dot(gradient, v3_from(x->next[point->node].change));
    return g - point->radius;
}

double wy_touch_cut_walls(const wy_network *net, double share) {
    const wy_touch *touch = net->touch;
    for (int a = 0; a < touch->plan.points; a++) {
        const wy_touch_point *point = &touch->plan.point[a];
        const wy_director *x = &net->rod[point->rod];
        for (int wall = 0; wall < touch->plan.walls; wall++) {
            const double least = LEFT * wy_min(touch->plan.range, gap_at(x, point->node, wall, 0));
            while (share > 1e-9 && !(gap_at(x, point->node, wall, share) > least)) share *= 0.7;
        }
    }
    return share;
}

int wy_touch_at_wall(const wy_network *net, int *wall) {
    const wy_touch *touch = net->touch;
    for (int a = 0; a < touch->plan.points; a++) {
        const wy_touch_point *point = &touch->plan.point[a];
        for (*wall = 0; *wall < touch->plan.walls; ++*wall)
            if (!(gap_at(&net->rod[point->rod], point->node, *wall, 0) > 0)) return a;
    }
    return -1;
}

/* ---- as it is drawn ---------------------------------------------------------------------------------------- */

void wy_touch_tell_drawn(wy_network *net) {
    wy_touch *touch = net->touch;
    int first[2] = {-1, -1};
    double deepest = WY_TOUCH_DRAWN;
    for (int a = 0; a < touch->plan.points; a++)
        for (int wall = 0; wall < touch->plan.walls; wall++) {
            const wy_touch_point *point = &touch->plan.point[a];
            const double gap = gap_at(&net->rod[point->rod], point->node, wall, 0);
            if (!(-gap > deepest * point->radius)) continue;
            deepest = -gap / point->radius, first[0] = a, first[1] = wall;
        }
    if (first[0] < 0) return;
    touch->plan.drawn = deepest;
    const wy_touch_point *point = &touch->plan.point[first[0]];
    wy_note(
        net->hub.setup->notes,
        "director: rods[%d] is drawn %.3g m deep in obstacles[%d] at s = %.4g, its radius being "
        "%.3g m: the push of that overlap acts from the start; move one of them by so much",
        point->rod + 1, deepest * point->radius, first[1] + 1,
        net->rod[point->rod].plan.s[point->node], point->radius);
}

/* ---- functions of the scene -------------------------------------------------------------------------------- */

/* No number is no contact to the law, so that it has to be found here. */
withy_status wy_touch_known(const wy_network *net, withy_error *err) {
    const wy_touch *touch = net->touch;
    for (int wall = 0; wall < touch->plan.walls; wall++) {
        const wy_obstacle *shape = &touch->plan.wall[wall].shape;
        if (shape->kind != WY_OBSTACLE_DISTANCE) continue;
        for (int a = 0; a < touch->plan.points; a++) {
            const wy_touch_point *point = &touch->plan.point[a];
            const wy_director *x = &net->rod[point->rod];
            const vec3 at =
                v3_sub(v3_add(place(x, point->node), x->next[point->node].dr), touch->to[wall]);
            vec3 slope;
            if (!v3_finite(at) || isfinite(wy_obstacle_distance(shape, at, &slope))) continue;
            return wy_model_obstacle_fails(net->hub.setup->model, wall, at, err);
        }
    }
    return WITHY_OK;
}

/* ---- nothing passes through ------------------------------------------------------------------------------- */

/* By conservative advancement of the distance, which changes by no more than the way; `least` may be below 0. */
int wy_touch_passes(const wy_obstacle *shape, vec3 from, vec3 to, double least) {
    const vec3 way = v3_sub(to, from);
    const double far = v3_norm(way);
    vec3 unused;
    if (!(far > 0) || wy_obstacle_thick(shape)) return 0;
    if (!(wy_obstacle_distance(shape, from, &unused) > least)) return 0; /* it was there before */
    for (double t = 0; t < 1;) {
        const double d = wy_obstacle_distance(shape, v3_axpy(from, t, way), &unused);
        if (!(d > least)) return 1;
        t += (d - least + 0.1 * fabs(least)) / far;
    }
    return !(wy_obstacle_distance(shape, to, &unused) > least);
}

int wy_touch_pierced(const wy_network *net, int lost[2]) {
    const wy_touch *touch = net->touch;
    for (int a = 0; a < touch->plan.points; a++) {
        const wy_touch_point *point = &touch->plan.point[a];
        const wy_director *x = &net->rod[point->rod];
        for (int wall = 0; wall < touch->plan.walls; wall++) {
            const wy_obstacle *shape = &touch->plan.wall[wall].shape;
            if (wy_obstacle_thick(shape) || is_far(x, point->node, wall)) continue;
            const wy_obstacle_step step = step_of(x, point->node, wall);
            lost[0] = a, lost[1] = -1 - wall;
            if (wy_touch_passes(shape, step.minus, step.plus, THROUGH * point->radius)) return 1;
        }
    }
    return wy_touch_pierced_bodies(net, lost);
}
