/* contact_step.c - all contacts over a step: what is drawn, how far Newton's method may go, what passes through, the books.
 *
 * The push N over the step does the work - N (g+ - g-) on what touches, and the contact takes u+ - u-: what is left is lost in
 * damping.  A contact that lets go loses the energy of its tangential spring; a damped one may still overlap then, and no longer push.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double DRAWN = 0.1; /* of its size: what is drawn deeper in something is told */
static const double LEFT = 0.02; /* of a gap: what a Newton step may leave of it           */

double wy_touch_gap(const wy_network *net, const wy_touch_slot *at, double share, double *grows) {
    return at->b < 0 ? wy_touch_target_gap(net, at->a, -1 - at->b, share, grows)
                     : wy_touch_pair_gap(net, &net->touch->near[at->near], share, grows);
}

/* ---- as it is drawn ---------------------------------------------------------------------------------------------------- */

/* How deep a contact is as it is drawn, over its size; most: deeper it cannot be parted.  Whatever a wall is drawn around it
 * pushes out, unless the law has no energy there. */
static double drawn_depth(const wy_network *net, const wy_touch_slot *at, double *size,
                          double *most) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int target = -1 - at->b;
    if (at->b >= 0) {
        const double gap = wy_touch_pair_before(net, &net->touch->near[at->near], size);
        *most = 1 - plan->law->left;
        return -gap / *size;
    }
    *size = wy_touch_size(plan, at->a);
    *most = wy_touch_deepest(plan, plan->law->left, at->a, target) / *size;
    if (at->a < plan->points && target < plan->walls && !plan->law->apart) *most = INFINITY;
    return -wy_touch_gap_now(net, at->a, target) / *size;
}

withy_status wy_touch_drawn(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    wy_touch_slot at = wy_touch_slots(touch);
    char words[WY_TOUCH_WORDS];
    double deepest = DRAWN, depth = 0;
    int worst[2] = {-1, -1};
    while (wy_touch_next(touch, &at)) {
        double size, most;
        const double own = drawn_depth(net, &at, &size, &most);
        if (!(own < most))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: %s overlap by %.3g m as they are drawn, more than "
                           "contact.law = \"%s\" can part: move them, or use a smaller radius",
                           wy_touch_words(net, (const int[2]){at.a, at.b}, words, sizeof words),
                           own * size, touch->plan.law->name);
        if (own > deepest) deepest = own, depth = own * size, worst[0] = at.a, worst[1] = at.b;
    }
    if (worst[0] < 0) return WITHY_OK;
    touch->plan.drawn = deepest;
    wy_note(net->hub.setup->notes, WY_NOTE(overlap_drawn),
            wy_touch_words(net, worst, words, sizeof words), depth);
    return WITHY_OK;
}

/* ---- Newton's steps, and what passes through ------------------------------------------------------------------------- */

double wy_touch_cut(const wy_network *net, double share) {
    const wy_touch *touch = net->touch;
    wy_touch_slot at = wy_touch_slots(touch);
    double unused;
    while (wy_touch_next(touch, &at)) {
        const double least = LEFT * wy_min(touch->plan.range, wy_touch_gap(net, &at, 0, &unused));
        while (share > 1e-9 && !(wy_touch_gap(net, &at, share, &unused) > least)) share *= 0.7;
    }
    return share;
}

int wy_touch_pierced(const wy_network *net, int lost[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int a = 0; a < plan->points + plan->knobs; a++)
        for (int target = 0; target < wy_touch_targets(plan); target++) {
            if (!wy_touch_meets(net->touch, a, target)) continue;
            lost[0] = a, lost[1] = -1 - target;
            if (wy_touch_pierces(net, a, target)) return 1;
        }
    return 0;
}

/* ---- energies ---------------------------------------------------------------------------------------------------------- */

void wy_touch_energies(wy_network *net) {
    wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = touch->idle ? 0 : wy_touch_targets(plan);
    touch->now->energy = touch->now->paired, touch->now->stick = 0;
    for (int a = 0; a < plan->points + plan->knobs; a++)
        for (int target = 0; target < targets; target++) {
            if (!wy_touch_meets(touch, a, target)) continue;
            const double k = wy_touch_stiffness(touch, a, target);
            const wy_contact_law law = {plan->law, k, plan->range, 0, 0, 0};
            touch->now->energy += wy_contact_law_energy(&law, wy_touch_gap_now(net, a, target));
        }
    for (int64_t m = 0; m < touch->now->count; m++) {
        const wy_touch_mark *mark = &touch->mark[m];
        touch->now->stick +=
            0.5 * wy_touch_mark_stick(net, mark, !touch->now->rests) * v3_dot(mark->z, mark->z);
    }
}

/* ---- the books --------------------------------------------------------------------------------------------------------- */

/* Of a point and a wall, and of all other supports and targets: 0: there was nothing. */
static int wall_entry(const wy_network *net, int a, int wall, wy_touch_entry *entry) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = &plan->wall[wall].shape;
    const wy_obstacle_step step = wy_touch_wall_step(&net->rod[plan->point[a].rod], a, wall);
    wy_obstacle_push push;
    vec3 unused;
    entry->minus = wy_obstacle_distance(shape, step.minus, &unused) - step.radius;
    entry->plus = wy_obstacle_distance(shape, step.plus, &unused) - step.radius;
    entry->law = step.law, entry->size = step.radius;
    entry->before = step.z, entry->stick = step.stick, entry->shift = step.shift;
    entry->acts = wy_obstacle_push_on(shape, &step, &push);
    entry->push = push.push, entry->lost = push.lost, entry->z = push.z, entry->force = push.force;
    return 1;
}

static int body_entry(const wy_network *net, int a, int target, wy_touch_entry *entry) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    wy_carrier at[2];
    wy_touch_poses(net, a, target, at);
    if (wy_touch_beyond(net, a, target, at) && !wy_touch_find(net->touch, a, -1 - target)) return 0;
    const wy_support_step c = wy_touch_over(net, a, target, at);
    wy_body_push push = {.push = 0};
    entry->law = c.step.law, entry->size = wy_touch_size(plan, a);
    entry->before = c.step.z, entry->stick = c.step.stick;
    entry->plus = wy_body_gap(shape, &c.step, &entry->minus);
    entry->acts = wy_body_push_on(shape, &c.step, &push);
    entry->push = push.push, entry->lost = push.lost, entry->z = push.z;
    entry->force = push.on_point;
    if (target < plan->walls) entry->shift = at[1].dr;
    return 1;
}

static int entry_of(const wy_network *net, const wy_touch_slot *at, wy_touch_entry *entry) {
    const int target = -1 - at->b;
    if (at->b >= 0) return wy_touch_pair_entry(net, &net->touch->near[at->near], entry);
    if (wy_touch_far(net, at->a, target) && !wy_touch_find(net->touch, at->a, at->b)) return 0;
    return at->a < net->touch->plan.points && target < net->touch->plan.walls
               ? wall_entry(net, at->a, target, entry)
               : body_entry(net, at->a, target, entry);
}

/* Its loss and work, and its mark where it acts. */
static void enter(wy_touch *touch, int dynamic, const wy_touch_slot *at, const wy_touch_entry *x,
                  int *count) {
    wy_touch_now *now = touch->now;
    const double energy =
        dynamic ? wy_contact_law_energy(&x->law, x->plus) - wy_contact_law_energy(&x->law, x->minus)
                : 0;
    if (!x->acts) {
        now->lost += 0.5 * x->stick * v3_dot(x->before, x->before) - energy;
        return;
    }
    now->lost += x->lost - (dynamic ? x->push * (x->plus - x->minus) + energy : 0);
    now->work += dynamic ? v3_dot(x->force, x->shift) : 0;
    now->depth = wy_max(now->depth, -x->plus / x->size);
    if (*count < touch->plan.marks)
        touch->fresh[*count] =
            (wy_touch_mark){at->a, at->b, x->s, x->t, x->plus, x->push, x->z, x->force};
    ++*count;
}

static withy_status book(wy_network *net, int *count, withy_error *err) {
    wy_touch *touch = net->touch;
    wy_touch_slot at = wy_touch_slots(touch);
    *count = 0;
    while (!touch->idle && wy_touch_next(touch, &at)) {
        wy_touch_entry entry = {.s = 0};
        if (entry_of(net, &at, &entry)) enter(touch, net->hub.step->dynamic, &at, &entry, count);
    }
    if (*count <= touch->plan.marks) return WITHY_OK;
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "director: at t = %g there are %d contacts at once; there is room for %d: use "
                   "more elements (options.n), or fewer obstacles that overlap each other",
                   net->hub.step->t, *count, touch->plan.marks);
}

withy_status wy_touch_commit(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    int count;
    WY_TRY(wy_touch_known(net, err));
    wy_touch_pass(net);
    if (touch->plan.pairs) wy_touch_drop(net), touch->now->paired = wy_touch_paired(net);
    WY_TRY(book(net, &count, err));
    if (!touch->idle) wy_touch_see(net, count);
    const size_t old = (size_t)touch->now->count;
    if (old) memset(touch->mark, 0, old * sizeof *touch->mark);
    if (count) memcpy(touch->mark, touch->fresh, (size_t)count * sizeof *touch->mark);
    touch->now->count = count;
    touch->now->rests = !net->hub.step->dynamic;
    if (net->hub.step->dynamic) touch->now->expects = -1;
    if (touch->now->rests) wy_touch_stay(touch);
    for (int w = 0; w < touch->plan.walls; w++) touch->at[w] = touch->to[w];
    return WITHY_OK;
}

/* ---- functions of the scene ---------------------------------------------------------------------------------------------- */

/* No number is no contact to the law, so that it has to be found here. */
withy_status wy_touch_known(const wy_network *net, withy_error *err) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int wall = 0; wall < plan->walls; wall++) {
        if (plan->wall[wall].shape.kind != WY_OBSTACLE_DISTANCE) continue;
        for (int a = 0; a < plan->points + plan->knobs; a++) {
            double unused;
            const vec3 at = wy_touch_seen(net, a, wall, 1);
            if (!wy_touch_meets(net->touch, a, wall) || !v3_finite(at)) continue;
            if (isfinite(wy_touch_target_gap(net, a, wall, 0, &unused))) continue;
            return wy_model_obstacle_fails(net->hub.setup->model, wall, at, err);
        }
    }
    return WITHY_OK;
}
