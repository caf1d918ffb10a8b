/* contact_notes.c - what is reported of contact: rods that are pressed too deep, and what comes between two nodes of a rod.
 *
 * A rod touches obstacles and bodies at its nodes.  What is thin or sharp may lie between two of them, in the rod, and no
 * push keeps it out: that is not computed, and reported.  What happens in a step is kept in the state; where steps are chosen, and
 * may be taken back, it is reported at the next output.
 */
#include "method/director/contact/contacts.h"

static const double INSIDE = 0.5; /* of r: an axis that is deeper is in what it should touch */

/* ---- names --------------------------------------------------------------------------------------------------- */

void wy_contacts_name(const wy_network *net, int a, int target, wy_contacts_names *out) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int k = a - plan->points, body = target - plan->obstacles;
    snprintf(out->who, sizeof out->who, k < 0 ? "rods[%d]" : "bodies[%d]",
             (k < 0 ? plan->point[a].rod : plan->body[plan->support[a].of].body) + 1);
    snprintf(out->whom, sizeof out->whom, body < 0 ? "obstacles[%d]" : "bodies[%d]",
             (body < 0 ? target : plan->body[body].body) + 1);
    out->where[0] = '\0';
    if (k < 0) snprintf(out->where, sizeof out->where, " at s = %.4g", wy_contacts_arc(net, a, 0));
    out->size = k < 0 ? "its radius" : "half its smallest side";
}

const char *wy_contacts_words(const wy_network *net, const int lost[2], char *text, size_t size) {
    static const double none[2] = {0, 0};
    const wy_contacts_point *point = net->contacts->plan.point;
    if (lost[1] < 0) {
        wy_contacts_names is;
        wy_contacts_name(net, lost[0], -1 - lost[1], &is);
        snprintf(text, size, "%s%s and %s", is.who, is.where, is.whom);
        return text;
    }
    vec3 x[WY_PAIR_POINTS];
    wy_contacts_corners(net, lost[0], lost[1], 0, x);
    const wy_contact_place place = wy_pair_closest(x, none);
    snprintf(text, size, "rods[%d] at s = %.4g and rods[%d] at s = %.4g", point[lost[0]].rod + 1,
             wy_contacts_arc(net, lost[0], place.s), point[lost[1]].rod + 1,
             wy_contacts_arc(net, lost[1], place.t));
    return text;
}

int wy_contacts_report_thin(const wy_network *net, const wy_obstacle *shape, const char *where,
                            int index) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const double extent = wy_obstacle_extent(shape);
    int worst = -1;
    double most = 1 + 1e-9;
    for (int a = 0; a + 1 < plan->points; a++) {
        const wy_contacts_point *point = &plan->point[a];
        const wy_director_plan *rod = &net->rod[point->rod].plan;
        if (point[1].rod != point->rod) continue;
        const double apart = rod->s[point->node + 1] - rod->s[point->node];
        const double rooms = apart / (extent + point->radius + point[1].radius);
        if (rooms > most) most = rooms, worst = a;
    }
    if (worst < 0) return 0;
    const wy_contacts_point *point = &plan->point[worst];
    const wy_director_plan *rod = &net->rod[point->rod].plan;
    wy_note(net->rigid.setup->notes, WY_NOTE(obstacle_between_nodes), where, index + 1, extent,
            point->rod + 1, rod->s[point->node + 1] - rod->s[point->node], ceil(rod->n * most),
            rod->n);
    return 1;
}

/* ---- in a step ------------------------------------------------------------------------------------------------ */

/* A chord in the axes of what it should touch, before and after the step. */
typedef struct chord {
    vec3 minus[2], plus[2];
    double radius;
} chord;

/* How deep its axis is in it, after the step or on the way; 0: it is not. */
static double depth(const wy_obstacle *shape, const chord *c) {
    const double least = -INSIDE * c->radius;
    const double after = wy_obstacle_between(shape, c->plus[0], c->plus[1]);
    if (after < least) return -after;
    const double way =
        wy_max(v3_norm(v3_sub(c->plus[0], c->minus[0])), v3_norm(v3_sub(c->plus[1], c->minus[1])));
    const double half = 0.5 * v3_norm(v3_sub(c->plus[1], c->plus[0]));
    if (wy_obstacle_beyond(shape, c->plus[0], half + way)) return 0;
    for (int i = 1; i < 4; i++) {
        const double s = 0.25 * i;
        const vec3 from = v3_axpy(v3_scale(1 - s, c->minus[0]), s, c->minus[1]);
        const vec3 to = v3_axpy(v3_scale(1 - s, c->plus[0]), s, c->plus[1]);
        if (wy_line_segment_passes(shape, &(wy_line_segment){.at = from},
                                   &(wy_line_segment){.at = to}, least))
            return -least;
    }
    return 0;
}

static chord chord_at(const wy_network *net, int a, int target) {
    const wy_contacts_point *p = &net->contacts->plan.point[a];
    chord out = {.radius = wy_min(p->radius, p[1].radius)};
    for (int i = 0; i < 2; i++)
        out.minus[i] = wy_contacts_local_place(net, a + i, target, 0),
        out.plus[i] = wy_contacts_local_place(net, a + i, target, 1);
    return out;
}

static void check_between(const wy_network *net) {
    wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    const int targets = plan->obstacles + (plan->body_pairs ? plan->bodies : 0);
    for (int i = 0; i < plan->points * targets && !contacts->now->between.is; i++) {
        const int a = i / targets, target = i % targets;
        const wy_obstacle *shape = wy_contacts_shape(plan, target);
        if (a + 1 == plan->points || plan->point[a + 1].rod != plan->point[a].rod) continue;
        if (wy_obstacle_thick(shape)) continue; /* nothing is deeper in it than the nodes */
        if (!wy_contacts_meets(contacts, a, target) || !wy_contacts_meets(contacts, a + 1, target))
            continue;
        const chord own = chord_at(net, a, target);
        const double deep = depth(shape, &own);
        if (deep > 0)
            contacts->now->between =
                (wy_contacts_event){1, a, target, net->rigid.step->t, deep + own.radius};
    }
}

/* Chords and bodies never come that near; into an obstacle that fills all that is behind it a soft contact may let one sink. */
static void check_deep(const wy_network *net, int count) {
    wy_contacts *contacts = net->contacts;
    /* deeper than it was drawn: where an end is held there, no stiffness helps */
    const double least = wy_max(1 - WY_CONTACTS_THROUGH, (1 + 1e-6) * contacts->plan.drawn);
    for (int m = 0; m < count && !contacts->now->deep.is; m++) {
        const wy_contacts_record *record = &contacts->new_record[m];
        if (record->b >= 0 || -1 - record->b >= contacts->plan.obstacles) continue;
        if (!(-record->gap > least * wy_contacts_size(&contacts->plan, record->a))) continue;
        contacts->now->deep =
            (wy_contacts_event){1, record->a, -1 - record->b, net->rigid.step->t, -record->gap};
    }
}

/* ---- the notes --------------------------------------------------------------------------------------------------- */

static const char *obstacle_name(const wy_network *net, int obstacle) {
    const char *name = net->rigid.plan.problem->obstacle[obstacle].name;
    return name ? name : "obstacle";
}

static void report_deep(const wy_network *net, const wy_contacts_event *event) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int obstacle = (int)event->target, a = (int)event->a;
    wy_contacts_names is;
    wy_contacts_name(net, a, obstacle, &is);
    wy_note(net->rigid.setup->notes, WY_NOTE(contact_deep), event->t, is.who, is.whom,
            obstacle_name(net, obstacle), event->depth, is.where, is.size,
            wy_contacts_size(plan, a),
            plan->obstacle[obstacle].stiffness > 0 ? "stiffness of it" : "contact.stiffness");
}

static void report_between(const wy_network *net, const wy_contacts_event *event) {
    const int a = (int)event->a;
    wy_contacts_names is;
    wy_contacts_name(net, a, (int)event->target, &is);
    wy_note(net->rigid.setup->notes, WY_NOTE(contact_between_nodes), event->t, is.whom,
            event->depth, is.who, wy_contacts_arc(net, a, 0),
            net->rod[net->contacts->plan.point[a].rod].plan.n);
}

/* What slides without any damping may vibrate by its friction (docs/theory/contact.md, 3). */
static int squeals(const wy_network *net) {
    static const double FAR = 100; /* friction over the energy of contacts: many depths of way */
    const wy_contacts *contacts = net->contacts;
    const withy_problem *problem = net->rigid.plan.problem;
    if (!contacts->plan.has_friction || contacts->plan.damps || contacts->now->rests) return 0;
    for (int k = 0; k < problem->rod_count; k++)
        if (wy_rod_is_damped(&problem->rod[k])) return 0;
    return contacts->now->peak > 0 && contacts->now->lost > FAR * contacts->now->peak;
}

static void report_sliding(const wy_network *net) {
    wy_note(net->rigid.setup->notes, WY_NOTE(friction_undamped));
}

void wy_contacts_report(const wy_network *net) {
    wy_contacts *contacts = net->contacts;
    if (!contacts->noted[3] && squeals(net)) report_sliding(net), contacts->noted[3] = 1;
    if (contacts->now->deep.is && !contacts->noted[0]) report_deep(net, &contacts->now->deep);
    if (contacts->now->between.is && !contacts->noted[1])
        report_between(net, &contacts->now->between);
    contacts->noted[0] |= (int)contacts->now->deep.is,
        contacts->noted[1] |= (int)contacts->now->between.is;
}

void wy_contacts_detect(const wy_network *net, int count) {
    wy_contacts_now *now = net->contacts->now;
    check_deep(net, count);
    check_between(net);
    now->peak = wy_max(now->peak, now->energy);
    if (net->rigid.plan.opt.dt > 0) wy_contacts_report(net); /* else the step may be taken back */
}

/* ---- at rest ------------------------------------------------------------------------------------------------------ */

/* Where a rod is curved away from what it touches, the place of contact moves along it as it tilts by theta, which holds it
 * with N theta^2/c, c the curvature of the gap.  One node does not move, and has none of that. */

static const double OFF = 0.1; /* of the distance of nodes: a node that is farther from the place */

int wy_contacts_single(const wy_network *net, int last) {
    const wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    for (int i = last + 1; i < contacts->now->expects; i++) {
        const int a = contacts->expect[i].a, b = contacts->expect[i].b;
        if (b >= 0 || a >= plan->points) continue;
        const wy_contacts_point *p = &plan->point[a];
        if (p->node == 0 || p->node + 1 == net->rod[p->rod].plan.node_count) continue;
        if (wy_contacts_expected(contacts, a - 1, b) > 0 ||
            wy_contacts_expected(contacts, a + 1, b) > 0)
            continue;
        return i;
    }
    return -1;
}

/* How far from point a the rod is nearest to what it touches, by the parabola of the gaps, at most half way to the next
 * node; over their distance. */
static double off_place(const wy_network *net, int a, int b, double *apart) {
    const wy_contacts_point *p = &net->contacts->plan.point[a];
    const double *s = &net->rod[p->rod].plan.s[p->node];
    const double before = s[0] - s[-1], after = s[1] - s[0];
    double gap[3], unused;
    for (int i = 0; i < 3; i++) gap[i] = wy_contacts_target_gap(net, a + i - 1, -1 - b, 0, &unused);
    const double rise[2] = {(gap[1] - gap[0]) / before, (gap[2] - gap[1]) / after};
    const double slope = (rise[0] * after + rise[1] * before) / (before + after);
    const double bends = 2 * (rise[1] - rise[0]) / (before + after);
    *apart = slope > 0 ? before : after;
    return wy_min(0.5, fabs(slope) / (wy_max(bends, 1e-300) * *apart));
}

static void note_off(const wy_network *net, double factor, const wy_contacts_expect *e,
                     double off) {
    wy_contacts_names is;
    wy_contacts_name(net, e->a, -1 - e->b, &is);
    wy_note(net->rigid.setup->notes, WY_NOTE(contact_one_node), factor, is.who, is.whom,
            wy_contacts_arc(net, e->a, 0), off,
            net->rod[net->contacts->plan.point[e->a].rod].plan.n);
}

void wy_contacts_report_isolated(const wy_network *net, double factor) {
    wy_contacts *contacts = net->contacts;
    double most = OFF, way = 0, apart;
    int at = -1;
    if (!contacts->plan.law->linear || contacts->noted[2]) return;
    for (int i = wy_contacts_single(net, -1); i >= 0; i = wy_contacts_single(net, i)) {
        const double off = off_place(net, contacts->expect[i].a, contacts->expect[i].b, &apart);
        if (off > most) most = off, way = off * apart, at = i;
    }
    if (at < 0) return;
    contacts->noted[2] = 1;
    note_off(net, factor, &contacts->expect[at], way);
}
