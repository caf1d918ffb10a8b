/* contact_pair.c - chords of rods against each other: which may touch, what they do, what is left of it.
 *
 * Every pair of chords is listed whose boxes overlap: from where they are to where they are expected at the end of the
 * step, swollen by their radii and by a reach.  While no point ends further than its reach from where it was expected, no
 * other pair can touch.  Chords of one rod closer along it than
 * pi r never touch: a centreline of curvature 1/r cannot.
 * The forces are those of src/contact/pair.c, exact in energy and both momenta at any step.
 */
#include "method/director/contact/contacts.h"

static const double ROUND = 1e-4;  /* eps of the closest points of parallel chords            */
static const double AWAY = 0.75;   /* of the way expected: how far from there a point may end */
static const double STENCIL = 0.1; /* of r, and this much more                                */

/* ---- chords ----------------------------------------------------------------------------------------------- */

static double chord_radius(const wy_contacts_plan *plan, int a) {
    return 0.5 * (plan->point[a].radius + plan->point[a + 1].radius);
}

static double chord_mass(const wy_contacts_plan *plan, int a) {
    return 0.5 * (plan->point[a].mass + plan->point[a + 1].mass);
}

static double chord_length(const wy_network *net, int a) {
    const wy_contacts_point *p = &net->contacts->plan.point[a];
    const double *s = net->rod[p->rod].plan.s;
    return s[p->node + 1] - s[p->node];
}

static wy_contact_pair pair_of(const wy_network *net, int a, int b) {
    const wy_contacts_plan *plan = &net->contacts->plan;
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
                             .stick =
                                 wy_contacts_stick(net->contacts, net->rigid.step->dynamic, m, k)};
}

double wy_contacts_record_stick(const wy_network *net, const wy_contacts_record *record,
                                int dynamic) {
    const wy_contacts *contacts = net->contacts;
    if (record->b < 0)
        return wy_contacts_target_stick(contacts, record->a, -1 - record->b, dynamic);
    const double m =
        wy_min(chord_mass(&contacts->plan, record->a), chord_mass(&contacts->plan, record->b));
    return wy_contacts_stick(contacts, dynamic, m,
                             pair_of(net, record->a, record->b).law.stiffness);
}

/* The contact of a near pair: at rest with the push that is expected of it. */
static wy_contact_pair near_pair(const wy_network *net, const wy_contacts_near *near) {
    wy_contact_pair pair = pair_of(net, near->a, near->b);
    pair.law.mixed = !net->rigid.step->dynamic && pair.law.kind->linear;
    pair.law.expected = near->expected;
    return pair;
}

void wy_contacts_corners(const wy_network *net, int a, int b, int plus, vec3 x[WY_PAIR_POINTS]) {
    const int at[WY_PAIR_POINTS] = {a, a + 1, b, b + 1};
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        x[i] = plus ? v3_add(wy_contacts_unit(net, at[i])->r, wy_contacts_unit_next(net, at[i])->dr)
                    : wy_contacts_unit(net, at[i])->r;
}

static vec3 turn_of(const wy_network *net, int a) {
    const int rests = !net->rigid.step->dynamic && net->contacts->plan.has_friction;
    return rests ? net->contacts->slip[a].theta : wy_contacts_unit_next(net, a)->theta;
}

static int corner(const wy_contacts_near *near, int i) {
    return (i < 2 ? near->a : near->b) + i % 2;
}

static wy_contact_step step_of(const wy_network *net, const wy_contact_pair *pair,
                               const wy_contacts_near *near) {
    const wy_director_step *now = net->rigid.step;
    wy_contact_step step = {.before = near->before, .z = near->z};
    wy_contacts_corners(net, near->a, near->b, 0, step.minus);
    wy_contacts_corners(net, near->a, near->b, 1, step.plus);
    for (int i = 0; i < WY_PAIR_POINTS && !now->dynamic && net->contacts->plan.has_friction; i++)
        step.minus[i] = v3_sub(step.plus[i], net->contacts->slip[corner(near, i)].dr);
    for (int i = 0; i < WY_PAIR_POINTS; i++) step.theta[i] = turn_of(net, corner(near, i));
    step.after = wy_pair_closest(step.plus, pair->round);
    step.per = now->dynamic ? now->per : 0;
    return step;
}

/* ---- which may touch ---------------------------------------------------------------------------------------- */

static vec3 first_of(const wy_network *net, int a) {
    const wy_contacts_point *p = &net->contacts->plan.point[a];
    return net->rod[p->rod].plan.first[p->node].r;
}

/* Chords of rods that are joined overlap at the joint as they are drawn; those that only touch do not, to rounding. */
static int drawn_together(const wy_network *net, int a, int b) {
    static const double none[2] = {0, 0};
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (plan->joined[plan->point[a].rod] != plan->joined[plan->point[b].rod]) return 0;
    const vec3 x[WY_PAIR_POINTS] = {first_of(net, a), first_of(net, a + 1), first_of(net, b),
                                    first_of(net, b + 1)};
    return wy_pair_closest(x, none).distance <
           (1 - 1e-6) * (chord_radius(plan, a) + chord_radius(plan, b));
}

static int may_touch(const wy_network *net, int a, int b) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_contacts_point *p = &plan->point[a], *q = &plan->point[b];
    if (p->rod != q->rod) return plan->rods && !drawn_together(net, a, b);
    const double *s = net->rod[p->rod].plan.s;
    const double r = wy_max(chord_radius(plan, a), chord_radius(plan, b));
    const double least = plan->exclude > 0 ? plan->exclude : WY_PI * r;
    const withy_rod *rod = net->rod[p->rod].plan.rod;
    const double behind = rod->closed ? rod->length - (s[q->node + 1] - s[p->node]) : INFINITY;
    return plan->self && s[q->node] - s[p->node + 1] >= least && behind >= least;
}

static int take(void *context, int i, int j) {
    wy_network *net = context;
    wy_contacts *contacts = net->contacts;
    const int a = contacts->list[i], b = contacts->list[j];
    if (!may_touch(net, a, b)) return 1;
    if (contacts->step->count == contacts->plan.near) {
        contacts->step->full = 1;
        return 0;
    }
    contacts->near[contacts->step->count++] = (wy_contacts_near){.a = a, .b = b};
    return 1;
}

/* Where the points go in the step, and how far from there they may end. */
static void expect(wy_network *net, wy_contacts_motion way) {
    wy_contacts *contacts = net->contacts;
    for (int a = 0; a < contacts->plan.points; a++) {
        const vec3 rate = wy_contacts_unit(net, a)->rate[0].dr;
        contacts->goes[a] = way == WY_CONTACTS_STAY       ? v3(0, 0, 0)
                            : way == WY_CONTACTS_EXPECTED ? v3_scale(net->rigid.step->h, rate)
                                                          : wy_contacts_unit_next(net, a)->dr;
        contacts->reach[a] =
            AWAY * v3_norm(contacts->goes[a]) + STENCIL * contacts->plan.point[a].radius;
    }
}

int wy_contacts_strayed(const wy_network *net) {
    const wy_contacts *contacts = net->contacts;
    for (int a = 0; a < contacts->plan.points; a++) {
        const vec3 off = v3_sub(wy_contacts_unit_next(net, a)->dr, contacts->goes[a]);
        if (!(v3_norm(off) <= contacts->reach[a])) return 1;
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
    wy_contacts *contacts = net->contacts;
    int count = 0;
    for (int a = 0; a + 1 < contacts->plan.points; a++) {
        if (contacts->plan.point[a + 1].node == 0) continue; /* of the next rod */
        const vec3 x = wy_contacts_unit(net, a)->r, y = wy_contacts_unit(net, a + 1)->r;
        const vec3 to = v3_add(x, contacts->goes[a]), on = v3_add(y, contacts->goes[a + 1]);
        const double r = chord_radius(&contacts->plan, a) + 0.5 * contacts->plan.range +
                         wy_max(contacts->reach[a], contacts->reach[a + 1]);
        const vec3 all = v3(r, r, r);
        contacts->list[count] = a;
        contacts->box[count++] = (wy_box){v3_sub(lower(lower(x, y), lower(to, on)), all),
                                          v3_add(upper(upper(x, y), upper(to, on)), all)};
    }
    return count;
}

/* By a, counted, then by b: the order in which pairs are found does not matter.  The list of chords is not needed any
 * more, and counts. */
static void sort(wy_contacts *contacts) {
    const int count = contacts->step->count, points = contacts->plan.points;
    int *placed = contacts->list;
    memset(contacts->begin, 0, ((size_t)points + 1) * sizeof *contacts->begin);
    memset(placed, 0, (size_t)points * sizeof *placed);
    for (int k = 0; k < count; k++) contacts->begin[contacts->near[k].a + 1]++;
    for (int a = 0; a < points; a++) contacts->begin[a + 1] += contacts->begin[a];
    for (int k = 0; k < count; k++) {
        const wy_contacts_near *near = &contacts->near[k];
        const int first = contacts->begin[near->a];
        int at = first + placed[near->a]++;
        for (; at > first && contacts->other[at - 1].b > near->b; at--)
            contacts->other[at] = contacts->other[at - 1];
        contacts->other[at] = *near;
    }
    if (count) memcpy(contacts->near, contacts->other, (size_t)count * sizeof *contacts->near);
}

static wy_contacts_near *near_of(const wy_contacts *contacts, int a, int b) {
    if (a < 0 || a >= contacts->plan.points) return NULL;
    for (int k = contacts->begin[a]; k < contacts->begin[a + 1]; k++)
        if (contacts->near[k].b == b) return &contacts->near[k];
    return NULL;
}

static double spring(const wy_contact_pair *pair, vec3 z) {
    return 0.5 * pair->stick * v3_dot(z, z);
}

double wy_contacts_pair_gap(const wy_network *net, const wy_contacts_near *near, double share,
                            double *grows) {
    const wy_contact_pair pair = pair_of(net, near->a, near->b);
    vec3 x[WY_PAIR_POINTS], change[WY_PAIR_POINTS], far = v3(0, 0, 0), goes = far;
    wy_contacts_corners(net, near->a, near->b, 1, x);
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        change[i] = v3_from(wy_contacts_unit_next(net, corner(near, i))->change);
        x[i] = v3_axpy(x[i], share, change[i]);
    }
    const wy_contact_place place = wy_pair_closest(x, pair.round);
    const double w[WY_PAIR_POINTS] = {1 - place.s, place.s, place.t - 1, -place.t};
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        far = v3_axpy(far, w[i], x[i]), goes = v3_axpy(goes, w[i], change[i]);
    *grows = v3_dot(far, goes) / place.distance;
    return wy_pair_gap(&pair, &place);
}

double wy_contacts_pair_stiffness(const wy_network *net, const wy_contacts_near *near) {
    return pair_of(net, near->a, near->b).law.stiffness;
}

double wy_contacts_pair_before(const wy_network *net, const wy_contacts_near *near,
                               double *radius) {
    const wy_contact_pair pair = pair_of(net, near->a, near->b);
    *radius = pair.radius;
    return wy_pair_gap(&pair, &near->before);
}

/* At the start of the step, or at its end. */
static double gap_then(const wy_network *net, const wy_contacts_near *near, int plus) {
    double unused;
    return plus ? wy_contacts_pair_gap(net, near, 0, &unused)
                : wy_contacts_pair_before(net, near, &unused);
}

/* A pair that has left, at the start of the step or at its end, hands its spring to the neighbours that are pressed, to each
 * as much of its force and energy as it has of their depth: where two of them meet at a node both have the same depth, and
 * rounding must not choose between them.  1: there was one. */
static int hand_over(const wy_network *net, const wy_contacts_record *record, int plus) {
    const wy_contacts *contacts = net->contacts;
    const wy_contact_pair old = pair_of(net, record->a, record->b);
    wy_contacts_near *to[9];
    double depth[9], all = 0;
    int count = 0;
    for (int k = 0; k < 9; k++) {
        wy_contacts_near *near = near_of(contacts, record->a + k / 3 - 1, record->b + k % 3 - 1);
        if (!near || k == 4) continue;
        const double gap = gap_then(net, near, plus);
        if (!(gap < 0)) continue;
        to[count] = near, depth[count++] = -gap, all -= gap;
    }
    for (int k = 0; k < count; k++) {
        const double share = depth[k] / all;
        const double stick = pair_of(net, to[k]->a, to[k]->b).stick;
        to[k]->z = v3_axpy(to[k]->z, share * old.stick / stick, record->z);
        to[k]->kept += share * spring(&old, record->z);
    }
    return count > 0;
}

/* Springs of the last step, of pairs that have left with neighbours that touch.  At rest the step is the whole way from one
 * equilibrium to the next, and it is its end that counts. */
static void hand_springs(const wy_network *net) {
    const wy_contacts *contacts = net->contacts;
    const int plus = !net->rigid.step->dynamic;
    for (int k = 0; k < contacts->step->count; k++) {
        wy_contacts_near *near = &contacts->near[k];
        const wy_contacts_record *record = wy_contacts_find(contacts, near->a, near->b);
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        near->z = record ? record->z : v3(0, 0, 0);
        near->kept = spring(&pair, near->z);
    }
    for (int m = 0; m < contacts->now->count; m++) {
        const wy_contacts_record *record = &contacts->record[m];
        if (record->b < 0 || !(v3_dot(record->z, record->z) > 0)) continue;
        wy_contacts_near *own = near_of(contacts, record->a, record->b);
        if (own && gap_then(net, own, plus) < 0) continue;
        if (hand_over(net, record, plus) && own) own->z = v3(0, 0, 0);
    }
    for (int k = 0; k < contacts->step->count; k++) { /* as far as the energy of the springs goes */
        wy_contacts_near *near = &contacts->near[k];
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        const double all = spring(&pair, near->z);
        if (all > near->kept) near->z = v3_scale(sqrt(near->kept / all), near->z);
    }
}

static void remember(wy_network *net) {
    const wy_contacts *contacts = net->contacts;
    for (int k = 0; k < contacts->step->count; k++) {
        wy_contacts_near *near = &contacts->near[k];
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        vec3 x[WY_PAIR_POINTS];
        wy_contacts_corners(net, near->a, near->b, 0, x);
        near->before = wy_pair_closest(x, pair.round);
        if (!net->rigid.step->dynamic)
            near->expected = wy_contacts_expected(contacts, near->a, near->b);
    }
    if (contacts->plan.friction > 0) hand_springs(net);
}

withy_status wy_contacts_search(wy_network *net, wy_contacts_motion way, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    contacts->step->count = contacts->step->full = 0;
    expect(net, way);
    wy_grid_pairs(&contacts->plan.grid, contacts->box, make_boxes(net), take, net);
    if (contacts->step->full)
        return wy_unsupported(
            err,
            "director: at t = %g more than %d pairs of pieces of rods are nearer to each "
            "other than they move in a step: use a smaller dt",
            net->rigid.step->t, contacts->plan.near);
    sort(contacts);
    remember(net);
    if (contacts->plan.ties)
        memset(contacts->in, 0, (size_t)contacts->plan.ties * sizeof *contacts->in);
    return WITHY_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------- */

enum { PUSHES = 1, HAS_FRICTION = 2 };

/* The four points, forces and moments on them, and how they change with (plus, theta); rub only where it RUBS. */
static int act(const wy_network *net, const wy_contacts_near *near, wy_contact_push *push,
               wy_contact_friction *tangential) {
    const wy_contact_pair pair = near_pair(net, near);
    const wy_contact_step step = step_of(net, &pair, near);
    if (!wy_pair_push(&pair, &step, push)) return 0;
    if (!(pair.friction > 0)) return PUSHES;
    wy_pair_friction(&pair, &step, push, tangential);
    return HAS_FRICTION;
}

/* Far at the start and at the iterate: most pairs, most of the time. */
static int is_far(const wy_network *net, const wy_contacts_near *near) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const double r = chord_radius(plan, near->a) + chord_radius(plan, near->b) + plan->range;
    if (near->expected > 0) return 0;
    double most[2] = {0};
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        const vec3 dr = wy_contacts_unit_next(net, corner(near, i))->dr;
        most[i / 2] = wy_max(most[i / 2], v3_dot(dr, dr));
    }
    return near->before.distance - r > sqrt(most[0]) + sqrt(most[1]) + 1e-3 * r;
}

void wy_contacts_push(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    contacts->step->active = contacts->step->grew = 0;
    if (!net->rigid.step->dynamic && contacts->plan.friction > 0) hand_springs(net);
    memset(contacts->force, 0,
           (size_t)(contacts->plan.points + contacts->plan.rigid_groups) * sizeof *contacts->force);
    for (int k = 0; k < contacts->step->count; k++) {
        wy_contacts_near *near = &contacts->near[k];
        wy_contact_push push;
        wy_contact_friction tangential;
        const int acts = is_far(net, near) ? 0 : act(net, near, &push, &tangential);
        if (!acts) continue;
        contacts->step->active++;
        if (!contacts->in[k]) contacts->in[k] = contacts->step->grew = 1;
        for (int i = 0; i < WY_PAIR_POINTS; i++) {
            double *f = contacts->force[corner(near, i)].f;
            for (int c = 0; c < 3; c++) {
                f[c] += push.force[3 * i + c] +
                        (acts == HAS_FRICTION ? tangential.force[3 * i + c] : 0);
                if (acts == HAS_FRICTION) f[3 + c] += tangential.force[WY_PAIR_ROWS + 3 * i + c];
            }
        }
    }
    if (contacts->plan.body_pairs || contacts->plan.bodies_touch) wy_contacts_push_bodies(net);
}

/* Rows of forces and moments from those of friction, 24 by (plus, theta): dtheta = G dphi. */
static void add_friction(const wy_network *net, const int point[4],
                         const wy_contact_friction *tangential, double m[24][25]) {
    mat3 g[WY_PAIR_POINTS];
    for (int i = 0; i < WY_PAIR_POINTS; i++) g[i] = wy_director_spin_map(turn_of(net, point[i]));
    for (int r = 0; r < WY_FRICTION_ROWS; r++) {
        double *row = m[r < 12 ? r / 3 * 6 + r % 3 : (r - 12) / 3 * 6 + 3 + r % 3];
        for (int i = 0; i < WY_PAIR_POINTS; i++) {
            const vec3 by = v3_from(&tangential->slope[r][12 + 3 * i]);
            for (int c = 0; c < 3; c++) row[6 * i + c] -= tangential->slope[r][3 * i + c];
            row[6 * i + 3] -= v3_dot(by, g[i].c1), row[6 * i + 4] -= v3_dot(by, g[i].c2);
            row[6 * i + 5] -= v3_dot(by, g[i].c3);
        }
    }
}

int wy_contacts_tangent(const wy_network *net, int k, int point[4], double m[24][25]) {
    const wy_contacts_near *near = &net->contacts->near[k];
    wy_contact_push push;
    wy_contact_friction tangential;
    const int acts = is_far(net, near) ? 0 : act(net, near, &push, &tangential);
    if (!acts) return 0;
    memset(m, 0, 24 * sizeof *m);
    for (int i = 0; i < WY_PAIR_POINTS; i++) point[i] = corner(near, i);
    for (int r = 0; r < WY_PAIR_ROWS; r++)
        for (int c = 0; c < WY_PAIR_ROWS; c++)
            m[r / 3 * 6 + r % 3][c / 3 * 6 + c % 3] = -push.slope[r][c];
    if (acts == HAS_FRICTION) add_friction(net, point, &tangential, m);
    return 1;
}

int wy_contacts_crossed(const wy_network *net, int crossed[2]) {
    const wy_contacts *contacts = net->contacts;
    for (int k = 0; k < contacts->step->count; k++) {
        const wy_contacts_near *near = &contacts->near[k];
        const double r =
            chord_radius(&contacts->plan, near->a) + chord_radius(&contacts->plan, near->b);
        vec3 minus[WY_PAIR_POINTS], plus[WY_PAIR_POINTS];
        if (is_far(net, near)) continue;
        wy_contacts_corners(net, near->a, near->b, 0, minus),
            wy_contacts_corners(net, near->a, near->b, 1, plus);
        crossed[0] = near->a, crossed[1] = near->b;
        if (wy_pair_crosses((const vec3 *)minus, (const vec3 *)plus, WY_CONTACTS_THROUGH * r))
            return 1;
    }
    return 0;
}

/* ---- the energy balance of a step ------------------------------------------------------------------------------------ */

double wy_contacts_paired(const wy_network *net) {
    const wy_contacts *contacts = net->contacts;
    double sum = 0;
    for (int k = 0; k < contacts->step->count; k++) {
        const wy_contacts_near *near = &contacts->near[k];
        if (is_far(net, near)) continue;
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        const wy_contact_step step = step_of(net, &pair, near);
        sum += wy_contact_law_energy(&pair.law, wy_pair_gap(&pair, &step.after));
    }
    return sum;
}

int wy_contacts_pair_entry(const wy_network *net, const wy_contacts_near *near,
                           wy_contacts_entry *entry) {
    const wy_contact_pair pair = near_pair(net, near);
    const wy_contact_step step = step_of(net, &pair, near);
    wy_contact_push push;
    wy_contact_friction tangential = {.z = v3(0, 0, 0)};
    entry->law = pair.law, entry->size = pair.radius;
    entry->before = near->z, entry->stick = pair.stick;
    entry->plus = wy_pair_gap(&pair, &step.after), entry->minus = wy_pair_gap(&pair, &step.before);
    entry->acts = !is_far(net, near) && wy_pair_push(&pair, &step, &push);
    if (!entry->acts) return 1;
    if (pair.friction > 0) wy_pair_friction(&pair, &step, &push, &tangential);
    entry->s = push.s, entry->t = push.t, entry->push = push.push;
    entry->z = tangential.z, entry->lost = pair.friction > 0 ? tangential.lost : 0;
    for (int i = 0; i < 2; i++)
        entry->force = v3_add(
            entry->force, v3_add(v3_from(&push.force[3 * i]), v3_from(&tangential.force[3 * i])));
    return 1;
}

/* What the springs of the last step had and those that began this one have not. */
void wy_contacts_drop(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    if (!(contacts->plan.friction > 0)) return;
    for (int m = 0; m < contacts->now->count; m++) {
        const wy_contacts_record *record = &contacts->record[m];
        if (record->b < 0) continue;
        const wy_contacts_near *own = near_of(contacts, record->a, record->b);
        if (own && memcmp(&own->z, &record->z, sizeof own->z) == 0) continue;
        const wy_contact_pair pair = pair_of(net, record->a, record->b);
        contacts->now->lost += spring(&pair, record->z) - (own ? spring(&pair, own->z) : 0);
    }
    for (int k = 0; k < contacts->step->count; k++) {
        const wy_contacts_near *near = &contacts->near[k];
        if (!(v3_dot(near->z, near->z) > 0) || wy_contacts_find(contacts, near->a, near->b))
            continue;
        const wy_contact_pair pair = pair_of(net, near->a, near->b);
        contacts->now->lost -= spring(&pair, near->z);
    }
}
