/* contact_pair.c - chords of rods against each other: which may touch, what they do, what is left of it.
 *
 * Every pair of chords is listed whose boxes overlap: from where they are to where they are expected at the end of the
 * step, swollen by their radii and by a reach.  While no point ends further than its reach from where it was expected, no
 * other pair can touch.  Chords of one rod closer along it than
 * pi r never touch: a centreline of curvature 1/r cannot.
 * The forces are those of src/contact/pair.c, exact in energy and both momenta at any step.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double ROUND = 1e-4; /* eps of the closest points of parallel chords            */
static const double AWAY = 0.75;  /* of the way expected: how far from there a point may end */
static const double AROUND = 0.1; /* of r, and this much more                                */

/* ---- chords ----------------------------------------------------------------------------------------------- */

static double chord_radius(const wy_touch_plan *plan, int a) {
    return 0.5 * (plan->point[a].radius + plan->point[a + 1].radius);
}

static double chord_mass(const wy_touch_plan *plan, int a) {
    return 0.5 * (plan->point[a].mass + plan->point[a + 1].mass);
}

static double chord_length(const wy_network *net, int a) {
    const wy_touch_point *p = &net->touch->plan.point[a];
    const double *s = net->rod[p->rod].plan.s;
    return s[p->node + 1] - s[p->node];
}

static wy_contact_pair pair_of(const wy_network *net, int a, int b) {
    const wy_touch_plan *plan = &net->touch->plan;
    const double ra = chord_radius(plan, a), rb = chord_radius(plan, b);
    const double ha = chord_length(net, a), hb = chord_length(net, b);
    const double soft = wy_min(plan->point[a].hard, plan->point[b].hard) * wy_min(ra, rb);
    const double k = plan->stiffness > 0 ? plan->stiffness : soft;
    const double m = wy_min(chord_mass(plan, a), chord_mass(plan, b));
    return (wy_contact_pair){.law = {plan->law, k, plan->range, plan->damping, 0, 0},
                             .radius = ra + rb,
                             .share = ra / (ra + rb),
                             .round = {ROUND * ha * ha, ROUND * hb * hb},
                             .friction = plan->friction,
                             .stick = wy_touch_stick(net->touch, net->hub.step->dynamic, m, k)};
}

double wy_touch_mark_stick(const wy_network *net, const wy_touch_mark *mark, int dynamic) {
    const wy_touch *touch = net->touch;
    if (mark->b < 0) return wy_touch_target_stick(touch, mark->a, -1 - mark->b, dynamic);
    const double m = wy_min(chord_mass(&touch->plan, mark->a), chord_mass(&touch->plan, mark->b));
    return wy_touch_stick(touch, dynamic, m, pair_of(net, mark->a, mark->b).law.stiffness);
}

/* The contact of a near pair: at rest with the push that is expected of it. */
static wy_contact_pair near_pair(const wy_network *net, const wy_touch_near *near) {
    wy_contact_pair pair = pair_of(net, near->a, near->b);
    pair.law.mixed = !net->hub.step->dynamic && pair.law.kind->linear;
    pair.law.expected = near->expected;
    return pair;
}

void wy_touch_corners(const wy_network *net, int a, int b, int plus, vec3 x[WY_PAIR_POINTS]) {
    const int at[WY_PAIR_POINTS] = {a, a + 1, b, b + 1};
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        x[i] = plus ? v3_add(wy_touch_unit(net, at[i])->r, wy_touch_unit_next(net, at[i])->dr)
                    : wy_touch_unit(net, at[i])->r;
}

static vec3 turn_of(const wy_network *net, int a) {
    const int rests = !net->hub.step->dynamic && net->touch->plan.rubs;
    return rests ? net->touch->gone[a].theta : wy_touch_unit_next(net, a)->theta;
}

static int corner(const wy_touch_near *near, int i) {
    return (i < 2 ? near->a : near->b) + i % 2;
}

static wy_contact_step step_of(const wy_network *net, const wy_contact_pair *pair,
                               const wy_touch_near *near) {
    const wy_director_step *now = net->hub.step;
    wy_contact_step step = {.before = near->before, .z = near->z};
    wy_touch_corners(net, near->a, near->b, 0, step.minus);
    wy_touch_corners(net, near->a, near->b, 1, step.plus);
    for (int i = 0; i < WY_PAIR_POINTS && !now->dynamic && net->touch->plan.rubs; i++)
        step.minus[i] = v3_sub(step.plus[i], net->touch->gone[corner(near, i)].dr);
    for (int i = 0; i < WY_PAIR_POINTS; i++) step.theta[i] = turn_of(net, corner(near, i));
    step.after = wy_pair_closest(step.plus, pair->round);
    step.per = now->dynamic ? now->per : 0;
    return step;
}

/* ---- which may touch ---------------------------------------------------------------------------------------- */

static vec3 first_of(const wy_network *net, int a) {
    const wy_touch_point *p = &net->touch->plan.point[a];
    return net->rod[p->rod].plan.first[p->node].r;
}

/* Chords of rods that are joined overlap at the joint as they are drawn; those that only touch do not, to rounding. */
static int drawn_together(const wy_network *net, int a, int b) {
    static const double none[2] = {0, 0};
    const wy_touch_plan *plan = &net->touch->plan;
    if (plan->joined[plan->point[a].rod] != plan->joined[plan->point[b].rod]) return 0;
    const vec3 x[WY_PAIR_POINTS] = {first_of(net, a), first_of(net, a + 1), first_of(net, b),
                                    first_of(net, b + 1)};
    return wy_pair_closest(x, none).distance <
           (1 - 1e-6) * (chord_radius(plan, a) + chord_radius(plan, b));
}

static int may_touch(const wy_network *net, int a, int b) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_point *p = &plan->point[a], *q = &plan->point[b];
    if (p->rod != q->rod) return plan->rods && !drawn_together(net, a, b);
    const double *s = net->rod[p->rod].plan.s;
    const double r = wy_max(chord_radius(plan, a), chord_radius(plan, b));
    const double least = plan->exclude > 0 ? plan->exclude : WY_PI * r;
    return plan->self && s[q->node] - s[p->node + 1] >= least;
}

static int take(void *context, int i, int j) {
    wy_network *net = context;
    wy_touch *touch = net->touch;
    const int a = touch->list[i], b = touch->list[j];
    if (!may_touch(net, a, b)) return 1;
    if (touch->step->count == touch->plan.near) {
        touch->step->full = 1;
        return 0;
    }
    touch->near[touch->step->count++] = (wy_touch_near){.a = a, .b = b};
    return 1;
}

/* Where the points go in the step, and how far from there they may end. */
static void expect(wy_network *net, wy_touch_way way) {
    wy_touch *touch = net->touch;
    for (int a = 0; a < touch->plan.points; a++) {
        const vec3 rate = wy_touch_unit(net, a)->rate[0].dr;
        touch->goes[a] = way == WY_TOUCH_STAYS      ? v3(0, 0, 0)
                         : way == WY_TOUCH_EXPECTED ? v3_scale(net->hub.step->h, rate)
                                                    : wy_touch_unit_next(net, a)->dr;
        touch->reach[a] = AWAY * v3_norm(touch->goes[a]) + AROUND * touch->plan.point[a].radius;
    }
}

int wy_touch_strayed(const wy_network *net) {
    const wy_touch *touch = net->touch;
    for (int a = 0; a < touch->plan.points; a++) {
        const vec3 off = v3_sub(wy_touch_unit_next(net, a)->dr, touch->goes[a]);
        if (!(v3_norm(off) <= touch->reach[a])) return 1;
    }
    return 0;
}

static vec3 lower(vec3 a, vec3 b) {
    return v3(wy_min(a.x, b.x), wy_min(a.y, b.y), wy_min(a.z, b.z));
}

static vec3 upper(vec3 a, vec3 b) {
    return v3(wy_max(a.x, b.x), wy_max(a.y, b.y), wy_max(a.z, b.z));
}

static int make_boxes(wy_network *net) {
    wy_touch *touch = net->touch;
    int count = 0;
    for (int a = 0; a + 1 < touch->plan.points; a++) {
        if (touch->plan.point[a + 1].node == 0) continue; /* of the next rod */
        const vec3 x = wy_touch_unit(net, a)->r, y = wy_touch_unit(net, a + 1)->r;
        const vec3 to = v3_add(x, touch->goes[a]), on = v3_add(y, touch->goes[a + 1]);
        const double r = chord_radius(&touch->plan, a) + 0.5 * touch->plan.range +
                         wy_max(touch->reach[a], touch->reach[a + 1]);
        const vec3 all = v3(r, r, r);
        touch->list[count] = a;
        touch->box[count++] = (wy_box){v3_sub(lower(lower(x, y), lower(to, on)), all),
                                       v3_add(upper(upper(x, y), upper(to, on)), all)};
    }
    return count;
}

/* By a, counted, then by b: the order in which pairs are found does not matter.  The list of chords is not needed any
 * more, and counts. */
static void sort(wy_touch *touch) {
    const int count = touch->step->count, points = touch->plan.points;
    int *placed = touch->list;
    memset(touch->begin, 0, ((size_t)points + 1) * sizeof *touch->begin);
    memset(placed, 0, (size_t)points * sizeof *placed);
    for (int k = 0; k < count; k++) touch->begin[touch->near[k].a + 1]++;
    for (int a = 0; a < points; a++) touch->begin[a + 1] += touch->begin[a];
    for (int k = 0; k < count; k++) {
        const wy_touch_near *near = &touch->near[k];
        const int first = touch->begin[near->a];
        int at = first + placed[near->a]++;
        for (; at > first && touch->other[at - 1].b > near->b; at--)
            touch->other[at] = touch->other[at - 1];
        touch->other[at] = *near;
    }
    if (count) memcpy(touch->near, touch->other, (size_t)count * sizeof *touch->near);
}

static wy_touch_near *near_of(const wy_touch *touch, int a, int b) {
    if (a < 0 || a >= touch->plan.points) return NULL;
    for (int k = touch->begin[a]; k < touch->begin[a + 1]; k++)
        if (touch->near[k].b == b) return &touch->near[k];
    return NULL;
}

static double spring(const wy_contact_pair *pair, vec3 z) {
    return 0.5 * pair->stick * v3_dot(z, z);
}

double wy_touch_pair_gap(const wy_network *net, const wy_touch_near *near, double share,
                         double *grows) {
    const wy_contact_pair pair = pair_of(net, near->a, near->b);
    vec3 x[WY_PAIR_POINTS], change[WY_PAIR_POINTS], far = v3(0, 0, 0), goes = far;
    wy_touch_corners(net, near->a, near->b, 1, x);
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        change[i] = v3_from(wy_touch_unit_next(net, corner(near, i))->change);
        x[i] = v3_axpy(x[i], share, change[i]);
    }
    const wy_contact_place place = wy_pair_closest(x, pair.round);
    const double w[WY_PAIR_POINTS] = {1 - place.s, place.s, place.t - 1, -place.t};
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        far = v3_axpy(far, w[i], x[i]), goes = v3_axpy(goes, w[i], change[i]);
    *grows = v3_dot(far, goes) / place.distance;
    return wy_pair_gap(&pair, &place);
}

double wy_touch_pair_stiffness(const wy_network *net, const wy_touch_near *near) {
    return pair_of(net, near->a, near->b).law.stiffness;
}

double wy_touch_pair_before(const wy_network *net, const wy_touch_near *near, double *radius) {
    const wy_contact_pair pair = pair_of(net, near->a, near->b);
    *radius = pair.radius;
    return wy_pair_gap(&pair, &near->before);
}

/* At the start of the step, or at its end. */
static double gap_then(const wy_network *net, const wy_touch_near *near, int plus) {
    double unused;
    return plus ? wy_touch_pair_gap(net, near, 0, &unused)
                : wy_touch_pair_before(net, near, &unused);
}

/* A pair that has left, at the start of the step or at its end, hands its spring to the neighbours that are pressed, to each
 * as much of its force and energy as it has of their depth: where two of them meet at a node both have the same depth, and
 * rounding must not choose between them.  1: there was one. */
static int hand_over(const wy_network *net, const wy_touch_mark *mark, int plus) {
    const wy_touch *touch = net->touch;
    const wy_contact_pair old = pair_of(net, mark->a, mark->b);
    wy_touch_near *to[9];
    double depth[9], all = 0;
    int count = 0;
    for (int k = 0; k < 9; k++) {
        wy_touch_near *near = near_of(touch, mark->a + k / 3 - 1, mark->b + k % 3 - 1);
        if (!near || k == 4) continue;
        const double gap = gap_then(net, near, plus);
        if (!(gap < 0)) continue;
        to[count] = near, depth[count++] = -gap, all -= gap;
    }
    for (int k = 0; k < count; k++) {
        const double share = depth[k] / all;
        const double stick = pair_of(net, to[k]->a, to[k]->b).stick;
        to[k]->z = v3_axpy(to[k]->z, share * old.stick / stick, mark->z);
        to[k]->kept += share * spring(&old, mark->z);
    }
    return count > 0;
}

/* Springs of the last step, of pairs that have left with neighbours that touch.  At rest the step is the whole way from one
 * equilibrium to the next, and it is its end that counts. */
static void hand_springs(const wy_network *net) {
    const wy_touch *touch = net->touch;
    const int plus = !net->hub.step->dynamic;
    for (int k = 0; k < touch->step->count; k++) {
        wy_touch_near *near = &touch->near[k];
        const wy_touch_mark *mark = wy_touch_find(touch, near->a, near->b);
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        near->z = mark ? mark->z : v3(0, 0, 0);
        near->kept = spring(&pair, near->z);
    }
    for (int m = 0; m < touch->now->count; m++) {
        const wy_touch_mark *mark = &touch->mark[m];
        if (mark->b < 0 || !(v3_dot(mark->z, mark->z) > 0)) continue;
        wy_touch_near *own = near_of(touch, mark->a, mark->b);
        if (own && gap_then(net, own, plus) < 0) continue;
        if (hand_over(net, mark, plus) && own) own->z = v3(0, 0, 0);
    }
    for (int k = 0; k < touch->step->count; k++) { /* as far as the energy of the springs goes */
        wy_touch_near *near = &touch->near[k];
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        const double all = spring(&pair, near->z);
        if (all > near->kept) near->z = v3_scale(sqrt(near->kept / all), near->z);
    }
}

static void remember(wy_network *net) {
    const wy_touch *touch = net->touch;
    for (int k = 0; k < touch->step->count; k++) {
        wy_touch_near *near = &touch->near[k];
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        vec3 x[WY_PAIR_POINTS];
        wy_touch_corners(net, near->a, near->b, 0, x);
        near->before = wy_pair_closest(x, pair.round);
        if (!net->hub.step->dynamic) near->expected = wy_touch_expected(touch, near->a, near->b);
    }
    if (touch->plan.friction > 0) hand_springs(net);
}

withy_status wy_touch_search(wy_network *net, wy_touch_way way, withy_error *err) {
    wy_touch *touch = net->touch;
    touch->step->count = touch->step->full = 0;
    expect(net, way);
    wy_grid_pairs(&touch->plan.grid, touch->box, make_boxes(net), take, net);
    if (touch->step->full)
        return wy_fail(
            err, WITHY_UNSUPPORTED,
            "director: at t = %g more than %d pairs of pieces of rods are nearer to each "
            "other than they move in a step: use a smaller dt",
            net->hub.step->t, touch->plan.near);
    sort(touch);
    remember(net);
    if (touch->plan.ties) memset(touch->in, 0, (size_t)touch->plan.ties * sizeof *touch->in);
    return WITHY_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------- */

enum { PUSHES = 1, RUBS = 2 };

/* The four points, forces and moments on them, and how they change with (plus, theta); rub only where it RUBS. */
static int act(const wy_network *net, const wy_touch_near *near, wy_contact_push *push,
               wy_contact_rub *rub) {
    const wy_contact_pair pair = near_pair(net, near);
    const wy_contact_step step = step_of(net, &pair, near);
    if (!wy_pair_push(&pair, &step, push)) return 0;
    if (!(pair.friction > 0)) return PUSHES;
    wy_pair_rub(&pair, &step, push, rub);
    return RUBS;
}

/* Far at the start and at the iterate: most pairs, most of the time. */
static int is_far(const wy_network *net, const wy_touch_near *near) {
    const wy_touch_plan *plan = &net->touch->plan;
    const double r = chord_radius(plan, near->a) + chord_radius(plan, near->b) + plan->range;
    if (near->expected > 0) return 0;
    double most[2] = {0};
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        const vec3 dr = wy_touch_unit_next(net, corner(near, i))->dr;
        most[i / 2] = wy_max(most[i / 2], v3_dot(dr, dr));
    }
    return near->before.distance - r > sqrt(most[0]) + sqrt(most[1]) + 1e-3 * r;
}

void wy_touch_push(wy_network *net) {
    wy_touch *touch = net->touch;
    touch->step->active = touch->step->grew = 0;
    if (!net->hub.step->dynamic && touch->plan.friction > 0) hand_springs(net);
    memset(touch->force, 0,
           (size_t)(touch->plan.points + touch->plan.clusters) * sizeof *touch->force);
    for (int k = 0; k < touch->step->count; k++) {
        wy_touch_near *near = &touch->near[k];
        wy_contact_push push;
        wy_contact_rub rub;
        const int acts = is_far(net, near) ? 0 : act(net, near, &push, &rub);
        if (!acts) continue;
        touch->step->active++;
        if (!touch->in[k]) touch->in[k] = touch->step->grew = 1;
        for (int i = 0; i < WY_PAIR_POINTS; i++) {
            double *f = touch->force[corner(near, i)].f;
            for (int c = 0; c < 3; c++) {
                f[c] += push.force[3 * i + c] + (acts == RUBS ? rub.force[3 * i + c] : 0);
                if (acts == RUBS) f[3 + c] += rub.force[WY_PAIR_ROWS + 3 * i + c];
            }
        }
    }
    if (touch->plan.grips || touch->plan.clashes) wy_touch_push_bodies(net);
}

/* Rows of forces and moments from those of friction, 24 by (plus, theta): dtheta = G dphi. */
static void add_friction(const wy_network *net, const int point[4], const wy_contact_rub *rub,
                         double m[24][25]) {
    mat3 g[WY_PAIR_POINTS];
    for (int i = 0; i < WY_PAIR_POINTS; i++) g[i] = wy_director_spin_map(turn_of(net, point[i]));
    for (int r = 0; r < WY_RUB_ROWS; r++) {
        double *row = m[r < 12 ? r / 3 * 6 + r % 3 : (r - 12) / 3 * 6 + 3 + r % 3];
        for (int i = 0; i < WY_PAIR_POINTS; i++) {
            const vec3 by = v3_from(&rub->slope[r][12 + 3 * i]);
            for (int c = 0; c < 3; c++) row[6 * i + c] -= rub->slope[r][3 * i + c];
            row[6 * i + 3] -= v3_dot(by, g[i].c1), row[6 * i + 4] -= v3_dot(by, g[i].c2);
            row[6 * i + 5] -= v3_dot(by, g[i].c3);
        }
    }
}

int wy_touch_tangent(const wy_network *net, int k, int point[4], double m[24][25]) {
    const wy_touch_near *near = &net->touch->near[k];
    wy_contact_push push;
    wy_contact_rub rub;
    const int acts = is_far(net, near) ? 0 : act(net, near, &push, &rub);
    if (!acts) return 0;
    memset(m, 0, 24 * sizeof *m);
    for (int i = 0; i < WY_PAIR_POINTS; i++) point[i] = corner(near, i);
    for (int r = 0; r < WY_PAIR_ROWS; r++)
        for (int c = 0; c < WY_PAIR_ROWS; c++)
            m[r / 3 * 6 + r % 3][c / 3 * 6 + c % 3] = -push.slope[r][c];
    if (acts == RUBS) add_friction(net, point, &rub, m);
    return 1;
}

int wy_touch_crossed(const wy_network *net, int lost[2]) {
    const wy_touch *touch = net->touch;
    for (int k = 0; k < touch->step->count; k++) {
        const wy_touch_near *near = &touch->near[k];
        const double r = chord_radius(&touch->plan, near->a) + chord_radius(&touch->plan, near->b);
        vec3 minus[WY_PAIR_POINTS], plus[WY_PAIR_POINTS];
        if (is_far(net, near)) continue;
        wy_touch_corners(net, near->a, near->b, 0, minus),
            wy_touch_corners(net, near->a, near->b, 1, plus);
        lost[0] = near->a, lost[1] = near->b;
        if (wy_pair_crosses((const vec3 *)minus, (const vec3 *)plus, WY_TOUCH_THROUGH * r))
            return 1;
    }
    return 0;
}

/* ---- the books of a step ------------------------------------------------------------------------------------ */

double wy_touch_paired(const wy_network *net) {
    const wy_touch *touch = net->touch;
    double sum = 0;
    for (int k = 0; k < touch->step->count; k++) {
        const wy_touch_near *near = &touch->near[k];
        if (is_far(net, near)) continue;
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        const wy_contact_step step = step_of(net, &pair, near);
        sum += wy_contact_law_energy(&pair.law, wy_pair_gap(&pair, &step.after));
    }
    return sum;
}

int wy_touch_pair_entry(const wy_network *net, const wy_touch_near *near, wy_touch_entry *entry) {
    const wy_contact_pair pair = near_pair(net, near);
    const wy_contact_step step = step_of(net, &pair, near);
    wy_contact_push push;
    wy_contact_rub rub = {.z = v3(0, 0, 0)};
    entry->law = pair.law, entry->size = pair.radius;
    entry->before = near->z, entry->stick = pair.stick;
    entry->plus = wy_pair_gap(&pair, &step.after), entry->minus = wy_pair_gap(&pair, &step.before);
    entry->acts = !is_far(net, near) && wy_pair_push(&pair, &step, &push);
    if (!entry->acts) return 1;
    if (pair.friction > 0) wy_pair_rub(&pair, &step, &push, &rub);
    entry->s = push.s, entry->t = push.t, entry->push = push.push;
    entry->z = rub.z, entry->lost = pair.friction > 0 ? rub.lost : 0;
    for (int i = 0; i < 2; i++)
        entry->force =
            v3_add(entry->force, v3_add(v3_from(&push.force[3 * i]), v3_from(&rub.force[3 * i])));
    return 1;
}

/* What the springs of the last step had and those that began this one have not. */
void wy_touch_drop(wy_network *net) {
    wy_touch *touch = net->touch;
    if (!(touch->plan.friction > 0)) return;
    for (int m = 0; m < touch->now->count; m++) {
        const wy_touch_mark *mark = &touch->mark[m];
        if (mark->b < 0) continue;
        const wy_touch_near *own = near_of(touch, mark->a, mark->b);
        if (own && memcmp(&own->z, &mark->z, sizeof own->z) == 0) continue;
        const wy_contact_pair pair = pair_of(net, mark->a, mark->b);
        touch->now->lost += spring(&pair, mark->z) - (own ? spring(&pair, own->z) : 0);
    }
    for (int k = 0; k < touch->step->count; k++) {
        const wy_touch_near *near = &touch->near[k];
        if (!(v3_dot(near->z, near->z) > 0) || wy_touch_find(touch, near->a, near->b)) continue;
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        touch->now->lost -= spring(&pair, near->z);
    }
}
