/* contact_step.c - all contacts over a step: what is drawn, how far Newton's method may go, what passes through, the energy balance.
 *
 * The push N over the step does the work - N (g+ - g-) on what touches, and the contact takes u+ - u-: what is left is lost in
 * damping.  A contact that lets go loses the energy of its tangential spring; a damped one may still overlap then, and no longer push.
 */
#include "method/director/contact/contacts.h"

static const double DRAWN = 0.1; /* of its size: what is drawn deeper in something is reported */
static const double LEFT = 0.02; /* of a gap: what a Newton step may leave of it           */

double wy_contacts_gap(const wy_network *net, const wy_contacts_slot *at, double share,
                       double *grows) {
    return at->b < 0 ? wy_contacts_target_gap(net, at->a, -1 - at->b, share, grows)
                     : wy_contacts_pair_gap(net, &net->contacts->near[at->near], share, grows);
}

/* ---- as it is drawn ---------------------------------------------------------------------------------------------------- */

/* How deep a contact is as it is drawn, over its size; most: deeper it cannot be parted.  Whatever an obstacle is drawn around it
 * pushes out, unless the law has no energy there. */
static double drawn_depth(const wy_network *net, const wy_contacts_slot *at, double *size,
                          double *most) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int target = -1 - at->b;
    if (at->b >= 0) {
        const double gap = wy_contacts_pair_before(net, &net->contacts->near[at->near], size);
        *most = 1 - plan->law->left;
        return -gap / *size;
    }
    *size = wy_contacts_size(plan, at->a);
    *most = wy_contacts_deepest(plan, plan->law->left, at->a, target) / *size;
    if (at->a < plan->points && target < plan->obstacles && !plan->law->apart) *most = INFINITY;
    return -wy_contacts_gap_now(net, at->a, target) / *size;
}

withy_status wy_contacts_drawn(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    char words[WY_CONTACTS_WORDS];
    double deepest = DRAWN, depth = 0;
    int worst[2] = {-1, -1};
    while (wy_contacts_next(contacts, &at)) {
        double size, most;
        const double own = drawn_depth(net, &at, &size, &most);
        if (!(own < most))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: %s overlap by %.3g m as they are drawn, more than "
                           "contact.law = \"%s\" can part: move them, or use a smaller radius",
                           wy_contacts_words(net, (const int[2]){at.a, at.b}, words, sizeof words),
                           own * size, contacts->plan.law->name);
        if (own > deepest) deepest = own, depth = own * size, worst[0] = at.a, worst[1] = at.b;
    }
    if (worst[0] < 0) return WITHY_OK;
    contacts->plan.drawn = deepest;
    wy_note(net->rigid.setup->notes, WY_NOTE(overlap_drawn),
            wy_contacts_words(net, worst, words, sizeof words), depth);
    return WITHY_OK;
}

/* ---- Newton's steps, and what passes through ------------------------------------------------------------------------- */

double wy_contacts_cut(const wy_network *net, double share) {
    const wy_contacts *contacts = net->contacts;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    double unused;
    while (wy_contacts_next(contacts, &at)) {
        const double least =
            LEFT * wy_min(contacts->plan.range, wy_contacts_gap(net, &at, 0, &unused));
        while (share > 1e-9 && !(wy_contacts_gap(net, &at, share, &unused) > least)) share *= 0.7;
    }
    return share;
}

int wy_contacts_pierced(const wy_network *net, int crossed[2]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int a = 0; a < plan->points + plan->body_points; a++)
        for (int target = 0; target < wy_contacts_targets(plan); target++) {
            if (!wy_contacts_meets(net->contacts, a, target)) continue;
            crossed[0] = a, crossed[1] = -1 - target;
            if (wy_contacts_pierces(net, a, target)) return 1;
        }
    return 0;
}

void wy_contacts_energies(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    const int targets = contacts->idle ? 0 : wy_contacts_targets(plan);
    contacts->now->energy = contacts->now->paired, contacts->now->stick = 0;
    for (int a = 0; a < plan->points + plan->body_points; a++)
        for (int target = 0; target < targets; target++) {
            if (!wy_contacts_meets(contacts, a, target)) continue;
            const double k = wy_contacts_stiffness(contacts, a, target);
            const wy_contact_law law = {plan->law, k, plan->range, 0, 0, 0};
            contacts->now->energy +=
                wy_contact_law_energy(&law, wy_contacts_gap_now(net, a, target));
        }
    for (int64_t m = 0; m < contacts->now->count; m++) {
        const wy_contacts_record *record = &contacts->record[m];
        contacts->now->stick += 0.5 * wy_contacts_record_stick(net, record, !contacts->now->rests) *
                                v3_dot(record->z, record->z);
    }
}

/* ---- the energy balance --------------------------------------------------------------------------------------------------------- */

/* Of a point and an obstacle, and of all other supports and targets: 0: there was nothing. */
static int obstacle_entry(const wy_network *net, int a, int obstacle, wy_contacts_entry *entry) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_obstacle *shape = &plan->obstacle[obstacle].shape;
    const wy_obstacle_step step =
        wy_contacts_obstacle_step(&net->rod[plan->point[a].rod], a, obstacle);
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

static int body_entry(const wy_network *net, int a, int target, wy_contacts_entry *entry) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_obstacle *shape = wy_contacts_shape(plan, target);
    wy_carrier at[2];
    wy_contacts_poses(net, a, target, at);
    if (wy_contacts_beyond(net, a, target, at) && !wy_contacts_find(net->contacts, a, -1 - target))
        return 0;
    const wy_support_step c = wy_contacts_over(net, a, target, at);
    wy_body_push push = {.push = 0};
    entry->law = c.step.law, entry->size = wy_contacts_size(plan, a);
    entry->before = c.step.z, entry->stick = c.step.stick;
    entry->plus = wy_body_gap(shape, &c.step, &entry->minus);
    entry->acts = wy_body_push_on(shape, &c.step, &push);
    entry->push = push.push, entry->lost = push.lost, entry->z = push.z;
    entry->force = push.on_point;
    if (target < plan->obstacles) entry->shift = at[1].dr;
    return 1;
}

static int entry_of(const wy_network *net, const wy_contacts_slot *at, wy_contacts_entry *entry) {
    const int target = -1 - at->b;
    if (at->b >= 0) return wy_contacts_pair_entry(net, &net->contacts->near[at->near], entry);
    if (wy_contacts_far(net, at->a, target) && !wy_contacts_find(net->contacts, at->a, at->b))
        return 0;
    return at->a < net->contacts->plan.points && target < net->contacts->plan.obstacles
               ? obstacle_entry(net, at->a, target, entry)
               : body_entry(net, at->a, target, entry);
}

/* Its loss and work, and its mark where it acts. */
static void enter(wy_contacts *contacts, int dynamic, const wy_contacts_slot *at,
                  const wy_contacts_entry *x, int *count) {
    wy_contacts_now *now = contacts->now;
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
    if (*count < contacts->plan.records)
        contacts->new_record[*count] =
            (wy_contacts_record){at->a, at->b, x->s, x->t, x->plus, x->push, x->z, x->force};
    ++*count;
}

static withy_status keep_records(wy_network *net, int *count, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    *count = 0;
    while (!contacts->idle && wy_contacts_next(contacts, &at)) {
        wy_contacts_entry entry = {.s = 0};
        if (entry_of(net, &at, &entry))
            enter(contacts, net->rigid.step->dynamic, &at, &entry, count);
    }
    if (*count <= contacts->plan.records) return WITHY_OK;
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "director: at t = %g there are %d contacts at once; there is room for %d: use "
                   "more elements (options.n), or fewer obstacles that overlap each other",
                   net->rigid.step->t, *count, contacts->plan.records);
}

withy_status wy_contacts_commit(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    int count;
    WY_TRY(wy_contacts_known(net, err));
    wy_contacts_pass(net);
    if (contacts->plan.pairs)
        wy_contacts_drop(net), contacts->now->paired = wy_contacts_paired(net);
    WY_TRY(keep_records(net, &count, err));
    if (!contacts->idle) wy_contacts_detect(net, count);
    const size_t old = (size_t)contacts->now->count;
    if (old) memset(contacts->record, 0, old * sizeof *contacts->record);
    if (count)
        memcpy(contacts->record, contacts->new_record, (size_t)count * sizeof *contacts->record);
    contacts->now->count = count;
    contacts->now->rests = !net->rigid.step->dynamic;
    if (net->rigid.step->dynamic) contacts->now->expects = -1;
    if (contacts->now->rests) wy_contacts_stay(contacts);
    for (int w = 0; w < contacts->plan.obstacles; w++) contacts->at[w] = contacts->to[w];
    return WITHY_OK;
}

/* No number is no contact to the law, so that it has to be found here. */
withy_status wy_contacts_known(const wy_network *net, withy_error *err) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int obstacle = 0; obstacle < plan->obstacles; obstacle++) {
        if (plan->obstacle[obstacle].shape.kind != WY_OBSTACLE_DISTANCE) continue;
        for (int a = 0; a < plan->points + plan->body_points; a++) {
            double unused;
            const vec3 at = wy_contacts_local_place(net, a, obstacle, 1);
            if (!wy_contacts_meets(net->contacts, a, obstacle) || !v3_finite(at)) continue;
            if (isfinite(wy_contacts_target_gap(net, a, obstacle, 0, &unused))) continue;
            return wy_model_obstacle_fails(net->rigid.setup->model, obstacle, at, err);
        }
    }
    return WITHY_OK;
}
