/* contact_static.c - rods that touch at rest.
 *
 * The pushes are those of the shape, N = -u'(g).  Newton's method is a mixed one: the push that it expects of a contact
 * is an unknown of its own,
 *   N <- N_law + dN/dq . dq
 * which stands in the tangent, and by which a contact acts or not: while N > 0 it pushes or pulls with -K g whatever the
 * sign of g; one that does not act begins where g < 0.  Converged: no contact has begun or ended.
 * Friction is the law of a step from the last equilibrium to this one, whose slip is the whole way between them; the springs z
 * are kept from equilibrium to equilibrium, so that the answer depends on the way, and not on how Newton goes it.
 * The drivers of src/study move a shape by what
 * Newton's method says, which may be through another rod: a shape on the way to which rods have passed through each
 * other has no equations, and the drivers go back and take a shorter step.
 */
#include "method/director/contact/contacts.h"

/* ---- what is expected ------------------------------------------------------------------------------------------- */

double wy_contacts_expected(const wy_contacts *contacts, int a, int b) {
    const wy_contacts_expect *expect = contacts->expect;
    const int64_t at = wy_contacts_place(expect, sizeof *expect, contacts->now->expects, a, b);
    return at >= 0 ? expect[at].push : 0;
}

/* One more, where it pushes; in the order of records. */
static void add(wy_contacts *contacts, int *count, int a, int b, double push) {
    if (!(push > 0) || *count >= contacts->plan.records) return;
    memcpy(&contacts->new_record[*count], &(wy_contacts_expect){a, b, push},
           sizeof(wy_contacts_expect));
    ++*count;
}

/* The push after a share of the change, from what was expected; one that does not act begins where g < 0. */
static double next(double expected, double k, double gap, double grows, double share) {
    if (!(expected > 0) && !(gap < 0)) return 0;
    if (share == 0) return -k * gap;
    return expected + share * (-k * (gap + grows) - expected);
}

static void keep(wy_contacts *contacts, int count) {
    for (int i = 0; i < count; i++)
        memcpy(&contacts->expect[i], &contacts->new_record[i], sizeof *contacts->expect);
    contacts->now->expects = count;
}

static double expected_of(const wy_contacts *contacts, const wy_contacts_slot *at) {
    return at->b < 0 ? wy_contacts_expected(contacts, at->a, at->b)
                     : contacts->near[at->near].expected;
}

void wy_contacts_expect_pushes(wy_network *net, double share) {
    wy_contacts *contacts = net->contacts;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    int count = 0;
    while (wy_contacts_next(contacts, &at)) {
        double grows;
        const double gap = wy_contacts_gap(net, &at, 0, &grows);
        const double k = at.b < 0 ? wy_contacts_stiffness(contacts, at.a, -1 - at.b)
                                  : wy_contacts_pair_stiffness(net, &contacts->near[at.near]);
        add(contacts, &count, at.a, at.b, next(expected_of(contacts, &at), k, gap, grows, share));
    }
    keep(contacts, count);
}

/* As the shape says, where nothing is known yet. */
static void expect_first(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    if (contacts->now->expects >= 0) return;
    contacts->now->expects = 0;
    for (int k = 0; contacts->plan.pairs && k < contacts->step->count; k++)
        contacts->near[k].expected = 0;
    wy_contacts_expect_pushes(net, 0);
    for (int k = 0; contacts->plan.pairs && k < contacts->step->count; k++)
        contacts->near[k].expected =
            wy_contacts_expected(contacts, contacts->near[k].a, contacts->near[k].b);
}

/* A number for the contacts that act, in any order: the sum of one for each, mixed so that no two sets are likely to have the
 * same. */
static uint64_t set_of(const wy_network *net) {
    const wy_contacts *contacts = net->contacts;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    uint64_t sum = 0;
    while (wy_contacts_next(contacts, &at)) {
        double unused;
        if (!(expected_of(contacts, &at) > 0) && !(wy_contacts_gap(net, &at, 0, &unused) < 0))
            continue;
        uint64_t own = ((uint64_t)(uint32_t)at.a << 32) + (uint32_t)at.b;
        own = (own ^ (own >> 31)) * 11400714819323198485u;
        sum += (own ^ (own >> 29)) * 14029467366897019727u + 1;
    }
    return sum;
}

int wy_contacts_switched(wy_network *net) {
    const uint64_t before = net->contacts->now->set;
    withy_error full;
    if (!net->contacts->plan.law->linear) return 0;
    return wy_contacts_static(net, &full) != WITHY_OK || net->contacts->now->set != before;
}

/* ---- the shape ---------------------------------------------------------------------------------------------------- */

void wy_contacts_go(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    for (int u = 0;
         contacts->plan.has_friction && u < contacts->plan.points + contacts->plan.rigid_groups;
         u++) {
        const wy_director_next *to = wy_contacts_unit_next(net, u);
        contacts->slip[u].dr = v3_add(contacts->slip[u].dr, to->dr);
        contacts->slip[u].theta = cayley_after(contacts->slip[u].theta, to->theta);
    }
}

withy_status wy_contacts_static(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    if (contacts->now->crossed)
        return wy_no_convergence(err, "director: rods" WY_KEY
                                      " pass through each other on the way to an equilibrium");
    if (contacts->plan.pairs) WY_TRY(wy_contacts_search(net, WY_CONTACTS_STAY, err));
    if (contacts->plan.law->linear) expect_first(net), contacts->now->set = set_of(net);
    if (!contacts->plan.pairs) return WITHY_OK;
    wy_contacts_push(net);
    return contacts->step->grew || !contacts->plan.plain ? wy_contacts_order(net, err) : WITHY_OK;
}

withy_status wy_contacts_moves(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    int lost[2];
    contacts->now->crossed |= wy_contacts_pierced(net, lost);
    if (!contacts->plan.pairs) return WITHY_OK;
    WY_TRY(wy_contacts_search(net, WY_CONTACTS_ITERATE, err));
    contacts->now->crossed |= wy_contacts_crossed(net, lost);
    return WITHY_OK;
}

/* u^T m u of units, six rows each. */
static double form(const wy_network *net, int units, const int unit[], const double *m,
                   int stride) {
    double u[24], sum = 0;
    for (int i = 0; i < 6 * units; i++)
        u[i] = wy_contacts_unit_next(net, unit[i / 6])->change[i % 6];
    for (int i = 0; i < 6 * units; i++)
        for (int j = 0; j < 6 * units; j++) sum += u[i] * m[i * stride + j] * u[j];
    return sum;
}

double wy_contacts_quotient(const wy_network *net, double *terms) {
    const wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    wy_contacts_slot at = wy_contacts_slots(contacts);
    double sum = 0;
    while (wy_contacts_next(contacts, &at)) {
        const int body = -1 - at.b - contacts->plan.obstacles;
        int point[4];
        double m[24][25], m12[12][13], own = 0;
        if (at.b >= 0 && wy_contacts_tangent(net, at.near, point, m))
            own = form(net, 4, point, &m[0][0], 25);
        if (body >= 0 && wy_contacts_body_tangent(net, at.a, body, m12)) {
            point[0] = plan->support[at.a].unit,
            point[1] = plan->points + plan->body[body].rigid_group;
            own = form(net, 2, point, &m12[0][0], 13);
        }
        sum += own, *terms += fabs(own);
    }
    return sum;
}

void wy_contacts_side(wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_contacts_point *p = &plan->point[a];
        const wy_director *rod = &net->rod[p->rod];
        if (plan->member[a] >= 0) continue; /* right sides are those of the rigid groups */
        double *side = &net->side[wy_blocks_row(&net->plan.reduced, plan->block[a])];
        const double *given = rod->next[p->node].change;
        for (int i = 0; i < 6; i++) side[i] = given[i];
        for (int e = 0; e < 2; e++)
            if (rod->plan.end[e].node == p->node) wy_director_hold_side(rod, e, given, side);
    }
}
