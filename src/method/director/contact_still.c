/* contact_still.c - rods that touch at rest.
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
#include <string.h>

#include "method/director/contacts.h"

/* ---- what is expected ------------------------------------------------------------------------------------------- */

double wy_touch_expected(const wy_touch *touch, int a, int b) {
    const wy_touch_expect *expect = touch->expect;
    const int64_t at = wy_touch_place(expect, sizeof *expect, touch->now->expects, a, b);
    return at >= 0 ? expect[at].push : 0;
}

/* One more, where it pushes; in the order of marks. */
static void add(wy_touch *touch, int *count, int a, int b, double push) {
    if (!(push > 0) || *count >= touch->plan.marks) return;
    memcpy(&touch->fresh[*count], &(wy_touch_expect){a, b, push}, sizeof(wy_touch_expect));
    ++*count;
}

/* The push after a share of the change, from what was expected; one that does not act begins where g < 0. */
static double next(double expected, double k, double gap, double grows, double share) {
    if (!(expected > 0) && !(gap < 0)) return 0;
    if (share == 0) return -k * gap;
    return expected + share * (-k * (gap + grows) - expected);
}

static void keep(wy_touch *touch, int count) {
    for (int i = 0; i < count; i++)
        memcpy(&touch->expect[i], &touch->fresh[i], sizeof *touch->expect);
    touch->now->expects = count;
}

static double expected_of(const wy_touch *touch, const wy_touch_slot *at) {
    return at->b < 0 ? wy_touch_expected(touch, at->a, at->b) : touch->near[at->near].expected;
}

void wy_touch_expect_pushes(wy_network *net, double share) {
    wy_touch *touch = net->touch;
    wy_touch_slot at = wy_touch_slots(touch);
    int count = 0;
    while (wy_touch_next(touch, &at)) {
        double grows;
        const double gap = wy_touch_gap(net, &at, 0, &grows);
        const double k = at.b < 0 ? wy_touch_stiffness(touch, at.a, -1 - at.b)
                                  : wy_touch_pair_stiffness(net, &touch->near[at.near]);
        add(touch, &count, at.a, at.b, next(expected_of(touch, &at), k, gap, grows, share));
    }
    keep(touch, count);
}

/* As the shape says, where nothing is known yet. */
static void expect_first(wy_network *net) {
    wy_touch *touch = net->touch;
    if (touch->now->expects >= 0) return;
    touch->now->expects = 0;
    for (int k = 0; touch->plan.pairs && k < touch->step->count; k++) touch->near[k].expected = 0;
    wy_touch_expect_pushes(net, 0);
    for (int k = 0; touch->plan.pairs && k < touch->step->count; k++)
        touch->near[k].expected = wy_touch_expected(touch, touch->near[k].a, touch->near[k].b);
}

/* A number for the contacts that act, in any order: the sum of one for each, mixed so that no two sets are likely to have the
 * same. */
static uint64_t set_of(const wy_network *net) {
    const wy_touch *touch = net->touch;
    wy_touch_slot at = wy_touch_slots(touch);
    uint64_t sum = 0;
    while (wy_touch_next(touch, &at)) {
        double unused;
        if (!(expected_of(touch, &at) > 0) && !(wy_touch_gap(net, &at, 0, &unused) < 0)) continue;
        uint64_t own = ((uint64_t)(uint32_t)at.a << 32) + (uint32_t)at.b;
        own = (own ^ (own >> 31)) * 11400714819323198485u;
        sum += (own ^ (own >> 29)) * 14029467366897019727u + 1;
    }
    return sum;
}

int wy_touch_switched(wy_network *net) {
    const uint64_t before = net->touch->now->set;
    withy_error full;
    if (!net->touch->plan.law->linear) return 0;
    return wy_touch_still(net, &full) != WITHY_OK || net->touch->now->set != before;
}

/* ---- the shape ---------------------------------------------------------------------------------------------------- */

void wy_touch_go(wy_network *net) {
    wy_touch *touch = net->touch;
    for (int u = 0; touch->plan.rubs && u < touch->plan.points + touch->plan.clusters; u++) {
        const wy_director_next *to = wy_touch_unit_next(net, u);
        touch->gone[u].dr = v3_add(touch->gone[u].dr, to->dr);
        touch->gone[u].theta = cayley_after(touch->gone[u].theta, to->theta);
    }
}

withy_status wy_touch_still(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    if (touch->now->crossed)
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "director: rods" WY_KEY
                       " pass through each other on the way to an equilibrium");
    if (touch->plan.pairs) WY_TRY(wy_touch_search(net, WY_TOUCH_STAYS, err));
    if (touch->plan.law->linear) expect_first(net), touch->now->set = set_of(net);
    if (!touch->plan.pairs) return WITHY_OK;
    wy_touch_push(net);
    return touch->step->grew || !touch->plan.plain ? wy_touch_order(net, err) : WITHY_OK;
}

withy_status wy_touch_moves(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    int lost[2];
    touch->now->crossed |= wy_touch_pierced(net, lost);
    if (!touch->plan.pairs) return WITHY_OK;
    WY_TRY(wy_touch_search(net, WY_TOUCH_ITERATE, err));
    touch->now->crossed |= wy_touch_crossed(net, lost);
    return WITHY_OK;
}

/* u^T m u of units, six rows each. */
static double form(const wy_network *net, int units, const int unit[], const double *m,
                   int stride) {
    double u[24], sum = 0;
    for (int i = 0; i < 6 * units; i++) u[i] = wy_touch_unit_next(net, unit[i / 6])->change[i % 6];
    for (int i = 0; i < 6 * units; i++)
        for (int j = 0; j < 6 * units; j++) sum += u[i] * m[i * stride + j] * u[j];
    return sum;
}

double wy_touch_quotient(const wy_network *net, double *terms) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    wy_touch_slot at = wy_touch_slots(touch);
    double sum = 0;
    while (wy_touch_next(touch, &at)) {
        const int body = -1 - at.b - touch->plan.walls;
        int point[4];
        double m[24][25], m12[12][13], own = 0;
        if (at.b >= 0 && wy_touch_tangent(net, at.near, point, m))
            own = form(net, 4, point, &m[0][0], 25);
        if (body >= 0 && wy_touch_body_tangent(net, at.a, body, m12)) {
            point[0] = plan->support[at.a].unit, point[1] = plan->points + plan->body[body].cluster;
            own = form(net, 2, point, &m12[0][0], 13);
        }
        sum += own, *terms += fabs(own);
    }
    return sum;
}

void wy_touch_side(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_touch_point *p = &plan->point[a];
        const wy_director *rod = &net->rod[p->rod];
        if (plan->member[a] >= 0) continue; /* right sides are those of the clusters */
        double *side = &net->side[wy_blocks_row(&net->plan.skeleton, plan->block[a])];
        const double *given = rod->next[p->node].change;
        for (int i = 0; i < 6; i++) side[i] = given[i];
        for (int e = 0; e < 2; e++)
            if (rod->plan.end[e].node == p->node) wy_director_hold_side(rod, e, given, side);
    }
}
