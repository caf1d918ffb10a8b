/* contact_clash.c - bodies that touch obstacles and each other, by their knobs (director/contact_knob.c).
 *
 * A knob is a copy in its cluster as a welded node is, r_k = r + R o (director/cluster.c).  At a wall it is a point of a rod
 * (src/contact/obstacle.c), at another body the point of src/contact/body.c, which couples the two clusters.  Targets of knobs
 * are numbered as marks have them: walls, then bodies.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double THROUGH = 0.3; /* of the size: what is left of it when it passes through      */
static const double LEFT = 0.02;   /* of a gap: what a Newton step of a barrier may leave of it   */

double wy_touch_knob_stiffness(const wy_touch *touch, int k, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const double size = plan->knob[k].size;
    if (target >= plan->walls)
        return plan->soft * wy_min(size, plan->body[target - plan->walls].size);
    const double own = plan->wall[target].stiffness;
    return (own > 0 ? own : plan->soft) * size;
}

double wy_touch_body_stick(const wy_touch *touch, const wy_touch_mark *mark, int dynamic) {
    const wy_touch_plan *plan = &touch->plan;
    if (mark->a < plan->points)
        return wy_touch_stick(touch, dynamic, plan->point[mark->a].mass,
                              wy_touch_grip_stiffness(touch, mark->a));
    const int k = mark->a - plan->points;
    return wy_touch_stick(touch, dynamic, plan->knob[k].mass,
                          wy_touch_knob_stiffness(touch, k, -1 - mark->b));
}

int wy_touch_knob_meets(const wy_touch *touch, int k, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const wy_touch_knob *knob = &plan->knob[k];
    if (target >= plan->walls) return plan->meets[knob->of * plan->bodies + target - plan->walls];
    return !knob->fine || !wy_obstacle_thick(&plan->wall[target].shape);
}

/* Is the whole body so far from a target, now and after the step, that nothing needs to be looked up? */
static int is_far(const wy_network *net, int b, int target) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const wy_touch_body *own = &plan->body[b];
    const wy_director_node *hub = &net->hub.node[own->cluster];
    const vec3 dr = net->hub.next[own->cluster].dr;
    if (!net->hub.step->dynamic) return 0;
    if (target >= plan->walls) {
        const wy_touch_body *body = &plan->body[target - plan->walls];
        const vec3 other = net->hub.next[body->cluster].dr;
        const double far = v3_norm(v3_sub(hub->r, net->hub.node[body->cluster].r));
        return far - own->reach - body->reach - plan->range > v3_norm(v3_sub(dr, other));
    }
    const wy_touch_wall *w = &plan->wall[target];
    if (w->shape.kind == WY_OBSTACLE_DISTANCE) return 0;
    const vec3 at = v3_sub(v3_add(net->hub.now->origin, hub->r), touch->at[target]);
    const vec3 way = v3_sub(dr, v3_sub(touch->to[target], touch->at[target]));
    return wy_obstacle_beyond(&w->shape, at, own->reach + w->range + v3_norm(way));
}

/* ---- a knob and a wall ------------------------------------------------------------------------------------------------------ */

static vec3 knob_place(const wy_network *net, int k) {
    const wy_touch_knob *knob = &net->touch->plan.knob[k];
    const wy_director_node *hub = &net->hub.node[knob->cluster];
    return v3_add(net->hub.now->origin, v3_add(hub->r, m3_mul(tri_matrix(hub->d), knob->at)));
}

static wy_obstacle_step knob_step(const wy_network *net, int k, int wall) {
    const wy_touch *touch = net->touch;
    const wy_touch_knob *knob = &touch->plan.knob[k];
    const wy_touch_wall *w = &touch->plan.wall[wall];
    const int dynamic = net->hub.step->dynamic, a = touch->plan.points + k;
    const wy_director_next *hub = &net->hub.next[knob->cluster];
    const double stiffness = wy_touch_knob_stiffness(touch, k, wall);
    const vec3 p = m3_mul(tri_matrix(net->hub.node[knob->cluster].d), knob->at);
    wy_obstacle_step step = {.radius = knob->radius, .per = dynamic ? net->hub.step->per : 0};
    step.minus = v3_sub(knob_place(net, k), touch->at[wall]);
    step.shift = v3_sub(touch->to[wall], touch->at[wall]);
    const vec3 dp = v3_sub(m3_mul(tri_matrix(hub->d), knob->at), p);
    step.plus = v3_add(step.minus, v3_sub(v3_add(hub->dr, dp), step.shift));
    step.theta = hub->theta;
    step.law = (wy_contact_law){.stiffness = stiffness, .range = w->range, .damping = w->damping};
    step.friction = w->friction;
    step.stick = wy_touch_stick(touch, dynamic, knob->mass, stiffness);
    const wy_touch_mark *mark = w->rubs ? wy_touch_find(touch, a, -1 - wall) : NULL;
    if (mark) step.z = mark->z;
    if (dynamic) return step;
    step.law.mixed = !(w->range > 0);
    if (step.law.mixed) step.law.expected = wy_touch_expected(touch, a, -1 - wall);
    if (!touch->plan.rubs) return step;
    const wy_touch_way_gone *gone = &touch->gone[touch->plan.points + knob->cluster];
    const mat3 before = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), hub->d));
    step.minus = v3_sub(step.minus, v3_add(gone->dr, v3_sub(p, m3_mul(before, knob->at))));
    step.theta = gone->theta;
    return step;
}

/* (force, moment) and its slope by (plus, theta) of a knob to those of its cluster by (dr, dphi): dplus = dr + dphi x p+,
 * dtheta = G dphi; moments have pm x force. */
static void to_cluster(const wy_network *net, const wy_touch_knob *knob, vec3 theta,
                       const wy_obstacle_push *push, double a[6][6], double b[6]) {
    const int c = knob->cluster;
    const vec3 p = m3_mul(tri_matrix(net->hub.next[c].d), knob->at);
    const vec3 pm = m3_mul(tri_matrix(wy_director_acting(&net->hub, c)), knob->at);
    const mat3 g = wy_director_spin_map(theta);
    const vec3 column[3] = {g.c1, g.c2, g.c3};
    const double beta = net->hub.step->dynamic ? 0.5 : 1, dot = v3_dot(push->force, p);
    double m[6][6];
    for (int i = 0; i < 6; i++) {
        const vec3 by = v3_from(push->slope[i]), turn = v3_cross(p, by);
        for (int k = 0; k < 3; k++) {
            m[i][k] = v3_get(by, k);
            m[i][3 + k] = v3_dot(v3_from(&push->slope[i][3]), column[k]) + v3_get(turn, k);
        }
    }
    for (int k = 0; k < 6; k++) {
        const vec3 l = v3_cross(pm, v3(m[0][k], m[1][k], m[2][k]));
        for (int i = 0; i < 3; i++) m[3 + i][k] += v3_get(l, i);
    }
    for (int i = 0; i < 3; i++) { /* beta (dphi x p) x f */
        for (int k = 0; k < 3; k++) m[3 + i][3 + k] += beta * v3_get(p, i) * v3_get(push->force, k);
        m[3 + i][3 + i] -= beta * dot;
    }
    for (int i = 0; i < 36; i++) a[i / 6][i % 6] -= m[i / 6][i % 6];
    v3_to(v3_sub(v3_from(b), push->force), b);
    const vec3 moment = v3_add(push->moment, v3_cross(pm, push->force));
    v3_to(v3_sub(v3_from(b + 3), moment), b + 3);
}

/* ---- a knob and a body ----------------------------------------------------------------------------------------- */

static wy_body_step clash_step(const wy_network *net, int k, int b) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const wy_touch_knob *knob = &plan->knob[k];
    const int dynamic = net->hub.step->dynamic, c = plan->body[b].cluster, target = plan->walls + b;
    const wy_director_node *from = &net->hub.node[knob->cluster], *hub = &net->hub.node[c];
    const wy_director_next *own = &net->hub.next[knob->cluster], *other = &net->hub.next[c];
    const vec3 p = m3_mul(tri_matrix(from->d), knob->at);
    const vec3 dp = v3_sub(m3_mul(tri_matrix(own->d), knob->at), p);
    wy_body_step step = {.radius = knob->radius, .per = dynamic ? net->hub.step->per : 0};
    step.y_minus = v3_sub(v3_add(from->r, p), hub->r);
    step.dy = v3_sub(v3_add(own->dr, dp), other->dr);
    step.y_plus = v3_add(step.y_minus, step.dy);
    step.minus = tri_matrix(hub->d), step.plus = tri_matrix(other->d);
    step.theta[0] = own->theta, step.theta[1] = other->theta;
    step.law = (wy_contact_law){.stiffness = wy_touch_knob_stiffness(touch, k, target),
                                .range = plan->range,
                                .damping = plan->damping};
    step.friction = plan->friction;
    step.stick = wy_touch_stick(touch, dynamic, knob->mass, step.law.stiffness);
    const wy_touch_mark *mark =
        step.friction > 0 ? wy_touch_find(touch, plan->points + k, -1 - target) : NULL;
    if (mark) step.z = mark->z;
    if (dynamic) return step;
    step.law.mixed = !(step.law.range > 0);
    if (step.law.mixed) step.law.expected = wy_touch_expected(touch, plan->points + k, -1 - target);
    if (!plan->rubs) return step;
    const wy_touch_way_gone *gone = &touch->gone[plan->points + knob->cluster],
                            *less = &touch->gone[plan->points + c];
    const mat3 before = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), own->d));
    const vec3 turned = v3_sub(m3_mul(tri_matrix(own->d), knob->at), m3_mul(before, knob->at));
    step.dy = v3_sub(v3_add(gone->dr, turned), less->dr);
    step.theta[0] = gone->theta, step.theta[1] = less->theta;
    step.minus = tri_matrix(tri_cayley(v3_scale(-1, less->theta), other->d));
    return step;
}

static int clash(const wy_network *net, int k, int b, int slopes, wy_body_push *out) {
    const wy_body_step step = clash_step(net, k, b);
    return wy_body_push_on(&net->touch->plan.body[b].shape, &step, slopes, out);
}

static void add_force(double *to, vec3 force, vec3 moment) {
    v3_to(v3_add(v3_from(to), force), to);
    v3_to(v3_add(v3_from(to + 3), moment), to + 3);
}

static void push_body(wy_network *net, int i, int j) {
    wy_touch *touch = net->touch;
    const wy_touch_body *own = &touch->plan.body[i];
    for (int k = own->first; k < own->first + own->knobs; k++) {
        wy_body_push push;
        if (!clash(net, k, j, 0, &push)) continue;
        char *in = &touch->meeting[i * touch->plan.bodies + j];
        touch->step->active++;
        if (!*in) *in = 1, touch->step->grew = 1;
        const mat3 mean = tri_matrix(wy_director_acting(&net->hub, own->cluster));
        const vec3 f = v3_from(push.force), pm = m3_mul(mean, touch->plan.knob[k].at);
        add_force(touch->hub_force[own->cluster].f, f,
                  v3_add(v3_from(push.force + 3), v3_cross(pm, f)));
        add_force(touch->hub_force[touch->plan.body[j].cluster].f, v3_from(push.force + 6),
                  v3_from(push.force + 9));
    }
}

void wy_touch_push_clashes(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies * plan->bodies && plan->clashes; i++)
        if (plan->meets[i] && !is_far(net, i / plan->bodies, plan->walls + i % plan->bodies))
            push_body(net, i / plan->bodies, i % plan->bodies);
}

/* Rows and columns of the knob become those of its cluster, as in to_cluster. */
int wy_touch_clash_tangent(const wy_network *net, int k, int b, double m[12][13]) {
    const wy_touch_knob *knob = &net->touch->plan.knob[k];
    wy_body_push push;
    if (!clash(net, k, b, 1, &push)) return 0;
    const vec3 p = m3_mul(tri_matrix(net->hub.next[knob->cluster].d), knob->at);
    const vec3 pm = m3_mul(tri_matrix(wy_director_acting(&net->hub, knob->cluster)), knob->at);
    const double beta = net->hub.step->dynamic ? 0.5 : 1;
    const vec3 f = v3_from(push.force);
    for (int i = 0; i < WY_BODY_ROWS; i++) {
        const vec3 turn = v3_cross(p, v3_from(push.slope[i]));
        for (int j = 0; j < WY_BODY_ROWS; j++) m[i][j] = push.slope[i][j];
        for (int j = 0; j < 3; j++) m[i][3 + j] += v3_get(turn, j);
        m[i][WY_BODY_ROWS] = 0;
    }
    for (int j = 0; j < WY_BODY_ROWS; j++) {
        const vec3 l = v3_cross(pm, v3(m[0][j], m[1][j], m[2][j]));
        for (int i = 0; i < 3; i++) m[3 + i][j] += v3_get(l, i);
    }
    for (int i = 0; i < 3; i++) { /* beta (dphi x p) x f */
        for (int j = 0; j < 3; j++) m[3 + i][3 + j] += beta * v3_get(p, i) * v3_get(f, j);
        m[3 + i][3 + i] -= beta * v3_dot(f, p);
    }
    for (int i = 0; i < WY_BODY_ROWS; i++)
        for (int j = 0; j < WY_BODY_ROWS; j++) m[i][j] = -m[i][j];
    return 1;
}

double wy_touch_clash_quotient(const wy_network *net, double *terms) {
    const wy_touch_plan *plan = &net->touch->plan;
    double sum = 0, m[12][13];
    for (int k = 0; k < plan->knobs && plan->clashes; k++)
        for (int b = 0; b < plan->bodies; b++) {
            if (!plan->meets[plan->knob[k].of * plan->bodies + b] ||
                !wy_touch_clash_tangent(net, k, b, m))
                continue;
            const double *u[2] = {net->hub.next[plan->knob[k].cluster].change,
                                  net->hub.next[plan->body[b].cluster].change};
            double own = 0;
            for (int i = 0; i < 144; i++)
                own += u[i / 72][i / 12 % 6] * m[i / 12][i % 12] * u[i % 12 / 6][i % 6];
            sum += own, *terms += fabs(own);
        }
    return sum;
}

/* ---- a cluster ---------------------------------------------------------------------------------------------------- */

static void wall_on_body(const wy_network *net, int b, int wall, double a[6][6], double r[6]) {
    const wy_touch *touch = net->touch;
    const wy_touch_body *own = &touch->plan.body[b];
    for (int k = own->first; k < own->first + own->knobs; k++) {
        if (!wy_touch_knob_meets(touch, k, wall)) continue;
        const wy_obstacle_step step = knob_step(net, k, wall);
        wy_obstacle_push push;
        if (!wy_obstacle_push_on(&touch->plan.wall[wall].shape, &step, &push)) continue;
        touch->step->active++;
        to_cluster(net, &touch->plan.knob[k], step.theta, &push, a, r);
    }
}

void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    for (int i = 0; i < 6 && (plan->grips || plan->clashes); i++) b[i] -= touch->hub_force[c].f[i];
    for (int i = 0; i < plan->bodies && plan->knobs; i++) {
        if (plan->body[i].cluster != c) continue;
        for (int wall = 0; wall < plan->walls; wall++)
            if (!is_far(net, i, wall)) wall_on_body(net, i, wall, a, b);
    }
}

/* ---- the books of a step -------------------------------------------------------------------------------------------- */

static double energy_change(const wy_contact_law *law, double minus, double plus) {
    return wy_contact_law_energy(law, plus) - wy_contact_law_energy(law, minus);
}

static int book_wall(const wy_network *net, int k, int wall, wy_touch_mark *mark) {
    wy_touch *touch = net->touch;
    const wy_obstacle *shape = &touch->plan.wall[wall].shape;
    const wy_obstacle_step step = knob_step(net, k, wall);
    const int dynamic = net->hub.step->dynamic;
    vec3 unused;
    wy_obstacle_push push;
    const double minus = wy_obstacle_distance(shape, step.minus, &unused) - step.radius;
    const double plus = wy_obstacle_distance(shape, step.plus, &unused) - step.radius;
    const double energy = dynamic ? energy_change(&step.law, minus, plus) : 0;
    if (!wy_obstacle_push_on(shape, &step, &push)) {
        touch->now->lost += 0.5 * step.stick * v3_dot(step.z, step.z) - energy;
        return 0;
    }
    touch->now->lost += push.lost - (dynamic ? push.push * (plus - minus) + energy : 0);
    touch->now->work += dynamic ? v3_dot(push.force, step.shift) : 0;
    *mark = (wy_touch_mark){.a = touch->plan.points + k,
                            .b = -1 - wall,
                            .gap = plus,
                            .push = push.push,
                            .z = push.z,
                            .force = push.force};
    return 1;
}

static int book_clash(const wy_network *net, int k, int b, wy_touch_mark *mark) {
    wy_touch *touch = net->touch;
    const wy_obstacle *shape = &touch->plan.body[b].shape;
    const wy_body_step step = clash_step(net, k, b);
    const int dynamic = net->hub.step->dynamic;
    wy_body_push push;
    double minus;
    const double plus = wy_body_gap(shape, &step, &minus);
    const double energy = dynamic ? energy_change(&step.law, minus, plus) : 0;
    if (!wy_body_push_on(shape, &step, 0, &push)) {
        touch->now->lost += 0.5 * step.stick * v3_dot(step.z, step.z) - energy;
        return 0;
    }
    touch->now->lost += push.lost - (dynamic ? push.push * (plus - minus) + energy : 0);
    *mark = (wy_touch_mark){.a = touch->plan.points + k,
                            .b = -1 - touch->plan.walls - b,
                            .gap = plus,
                            .push = push.push,
                            .z = push.z,
                            .force = push.on_point};
    return 1;
}

void wy_touch_book_knobs(const wy_network *net, int *count) {
    wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = targets - 1 - i % targets;
        wy_touch_mark mark;
        if (!wy_touch_knob_meets(touch, k, target)) continue;
        if (is_far(net, plan->knob[k].of, target) &&
            !wy_touch_find(touch, plan->points + k, -1 - target))
            continue;
        if (!(target < plan->walls ? book_wall(net, k, target, &mark)
                                   : book_clash(net, k, target - plan->walls, &mark)))
            continue;
        if (*count < plan->marks) touch->fresh[*count] = mark;
        ++*count;
    }
}

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

static double wall_gap(const wy_network *net, int k, int wall, double share, double *grows) {
    const wy_touch *touch = net->touch;
    const wy_touch_knob *knob = &touch->plan.knob[k];
    const wy_director_next *hub = &net->hub.next[knob->cluster];
    const vec3 turn = v3_from(hub->change + 3);
    const vec3 p = m3_mul(tri_matrix(tri_cayley(v3_scale(share, turn), hub->d)), knob->at);
    vec3 x = v3_add(net->hub.now->origin, v3_add(net->hub.node[knob->cluster].r, hub->dr)),
         gradient;
    x = v3_sub(v3_add(v3_axpy(x, share, v3_from(hub->change)), p), touch->to[wall]);
    const double g = wy_obstacle_distance(&touch->plan.wall[wall].shape, x, &gradient);
    *grows = v3_dot(gradient, v3_add(v3_from(hub->change), v3_cross(turn, p)));
    return g - knob->radius;
}

/* As wy_touch_grip_gap, of a knob. */
static double body_gap(const wy_network *net, int k, int b, double share, double *grows) {
    const wy_touch_knob *knob = &net->touch->plan.knob[k];
    const wy_touch_body *body = &net->touch->plan.body[b];
    const wy_director_next *own = &net->hub.next[knob->cluster],
                           *hub = &net->hub.next[body->cluster];
    const vec3 turn[2] = {v3_from(own->change + 3), v3_from(hub->change + 3)};
    const vec3 p = m3_mul(tri_matrix(tri_cayley(v3_scale(share, turn[0]), own->d)), knob->at);
    const mat3 frame = tri_matrix(tri_cayley(v3_scale(share, turn[1]), hub->d));
    const vec3 moves = v3_sub(v3_from(own->change), v3_from(hub->change));
    vec3 y = v3_sub(net->hub.node[knob->cluster].r, net->hub.node[body->cluster].r), gradient;
    y = v3_add(v3_axpy(v3_add(y, v3_sub(own->dr, hub->dr)), share, moves), p);
    const double g = wy_obstacle_distance(&body->shape, m3_tmul(frame, y), &gradient);
    const vec3 relative = v3_sub(v3_add(moves, v3_cross(turn[0], p)), v3_cross(turn[1], y));
    *grows = v3_dot(m3_mul(frame, gradient), relative);
    return g - knob->radius;
}

double wy_touch_knob_gap(const wy_network *net, int k, int target, double share, double *grows) {
    const int walls = net->touch->plan.walls;
    return target < walls ? wall_gap(net, k, target, share, grows)
                          : body_gap(net, k, target - walls, share, grows);
}

static double range_of(const wy_touch_plan *plan, int target) {
    return target < plan->walls ? plan->wall[target].range : plan->range;
}

/* The gap of the state. */
static double gap_now(const wy_network *net, int k, int target) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const vec3 x = knob_place(net, k);
    vec3 unused;
    if (target < plan->walls)
        return wy_obstacle_distance(&plan->wall[target].shape, v3_sub(x, touch->at[target]),
                                    &unused) -
               plan->knob[k].radius;
    const wy_touch_body *body = &plan->body[target - plan->walls];
    const wy_director_node *hub = &net->hub.node[body->cluster];
    const vec3 y = v3_sub(v3_sub(x, net->hub.now->origin), hub->r);
    return wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), y), &unused) -
           plan->knob[k].radius;
}

double wy_touch_knob_energy(const wy_network *net) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    double sum = 0;
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(touch, k, target)) continue;
        const wy_contact_law law = {.stiffness = wy_touch_knob_stiffness(touch, k, target),
                                    .range = range_of(plan, target)};
        sum += wy_contact_law_energy(&law, gap_now(net, k, target));
    }
    return sum;
}

double wy_touch_cut_knobs(const wy_network *net, double share) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int targets = wy_touch_targets(plan);
    double unused;
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(net->touch, k, target)) continue;
        const double least =
            LEFT * wy_min(range_of(plan, target), wy_touch_knob_gap(net, k, target, 0, &unused));
        while (share > 1e-9 && !(wy_touch_knob_gap(net, k, target, share, &unused) > least))
            share *= 0.7;
    }
    return share;
}

/* ---- as it is drawn, and nothing passes through ------------------------------------------------------------------------ */

/* How deep a knob may go: by most of its size, but not to the middle of what it touches. */
static double deepest(const wy_touch_plan *plan, int k, int target) {
    const wy_obstacle *shape =
        target < plan->walls ? &plan->wall[target].shape : &plan->body[target - plan->walls].shape;
    return (1 - THROUGH) * wy_min(plan->knob[k].size, 0.5 * wy_obstacle_extent(shape));
}

withy_status wy_touch_knobs_first(const wy_network *net, withy_error *err) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets, body = target >= plan->walls;
        if (!wy_touch_knob_meets(net->touch, k, target)) continue;
        const double depth = -gap_now(net, k, target);
        if (depth < (plan->barrier ? 0 : deepest(plan, k, target))) continue;
        return wy_fail(err, WITHY_BAD_INPUT,
                       "director: bodies[%d] is drawn %.3g m deep in %s[%d]: move one of them",
                       plan->knob[k].body + 1, depth, body ? "bodies" : "obstacles",
                       body ? plan->body[target - plan->walls].body + 1 : target + 1);
    }
    return WITHY_OK;
}

int wy_touch_pierced_knobs(const wy_network *net, int lost[2]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(touch, k, target) || is_far(net, plan->knob[k].of, target))
            continue;
        const double least = plan->knob[k].radius - deepest(plan, k, target);
        lost[0] = plan->points + k, lost[1] = -1 - target;
        if (target < plan->walls) {
            const wy_obstacle_step step = knob_step(net, k, target);
            if (wy_touch_passes(&plan->wall[target].shape, step.minus, step.plus, least)) return 1;
            continue;
        }
        const wy_body_step step = clash_step(net, k, target - plan->walls);
        if (wy_touch_passes(&plan->body[target - plan->walls].shape,
                            m3_tmul(step.minus, step.y_minus), m3_tmul(step.plus, step.y_plus),
                            least))
            return 1;
    }
    return 0;
}
