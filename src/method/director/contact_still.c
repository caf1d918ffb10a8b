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

void wy_touch_expect_pushes(wy_network *net, double share) {
    wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    int count = 0;
    for (int a = 0; a < plan->points; a++) {
        double grows, k;
        for (int b = plan->grips ? plan->bodies - 1 : -1; b >= 0; b--) {
            if (plan->never[a * plan->bodies + b]) continue;
            const double gap = wy_touch_grip_gap(net, a * plan->bodies + b, 0, &grows);
            const double expected = wy_touch_expected(touch, a, -1 - plan->walls - b);
            k = wy_touch_grip_stiffness(touch, a);
            add(touch, &count, a, -1 - plan->walls - b, next(expected, k, gap, grows, share));
        }
        for (int wall = plan->walls - 1; wall >= 0; wall--) {
            const double gap = wy_touch_wall_gap(net, a, wall, &grows);
            const double expected = wy_touch_expected(touch, a, -1 - wall);
            k = wy_touch_stiffness(touch, a, wall);
            add(touch, &count, a, -1 - wall, next(expected, k, gap, grows, share));
        }
        for (int i = plan->pairs ? touch->begin[a] : 0; plan->pairs && i < touch->begin[a + 1];
             i++) {
            const wy_touch_near *near = &touch->near[i];
            const double gap = wy_touch_pair_gap(net, near, &grows, &k);
            add(touch, &count, a, near->b, next(near->expected, k, gap, grows, share));
        }
    }
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int knob = i / targets, target = targets - 1 - i % targets;
        double grows;
        if (!wy_touch_knob_meets(touch, knob, target)) continue;
        const double gap = wy_touch_knob_gap(net, knob, target, 0, &grows);
        const double expected = wy_touch_expected(touch, plan->points + knob, -1 - target);
        const double k = wy_touch_knob_stiffness(touch, knob, target);
        add(touch, &count, plan->points + knob, -1 - target, next(expected, k, gap, grows, share));
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

static uint64_t set_of_bodies(const wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    uint64_t sum = 0;
    double grows;
    for (int k = 0; k < plan->grips; k++)
        if (!plan->never[k] && (wy_touch_expected(net->touch, k / plan->bodies,
                                                  -1 - plan->walls - k % plan->bodies) > 0 ||
                                wy_touch_grip_gap(net, k, 0, &grows) < 0))
            sum += (uint64_t)k * 14029467366897019727u + 1;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(net->touch, k, target)) continue;
        if (wy_touch_expected(net->touch, plan->points + k, -1 - target) > 0 ||
            wy_touch_knob_gap(net, k, target, 0, &grows) < 0)
            sum += (uint64_t)i * 9650029242287828579u + 1;
    }
    return sum;
}

/* A number for the contacts that act. */
static uint64_t set_of(const wy_network *net) {
    const wy_touch *touch = net->touch;
    uint64_t sum = 0;
    for (int a = 0; a < touch->plan.points; a++) {
        double grows, k;
        for (int wall = 0; wall < touch->plan.walls; wall++)
            if (wy_touch_expected(touch, a, -1 - wall) > 0 ||
                wy_touch_wall_gap(net, a, wall, &grows) < 0)
                sum += ((uint64_t)a * 1000003u + (uint64_t)wall) * 2654435761u + 1;
        for (int i = touch->plan.pairs ? touch->begin[a] : 0;
             touch->plan.pairs && i < touch->begin[a + 1]; i++) {
            const wy_touch_near *near = &touch->near[i];
            if (near->expected > 0 || wy_touch_pair_gap(net, near, &grows, &k) < 0)
                sum += ((uint64_t)near->b * 1000003u + (uint64_t)a) * 11400714819323198485u + 1;
        }
    }
    return sum + set_of_bodies(net);
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
    for (int a = 0; touch->plan.rubs && a < touch->plan.points; a++) {
        const wy_touch_point *p = &touch->plan.point[a];
        const wy_director_next *to = &net->rod[p->rod].next[p->node];
        touch->gone[a].dr = v3_add(touch->gone[a].dr, to->dr);
        touch->gone[a].theta = cayley_after(touch->gone[a].theta, to->theta);
    }
    for (int c = 0; touch->plan.rubs && c < touch->plan.clusters; c++) {
        wy_touch_way_gone *gone = &touch->gone[touch->plan.points + c];
        gone->dr = v3_add(gone->dr, net->hub.next[c].dr);
        gone->theta = cayley_after(gone->theta, net->hub.next[c].theta);
    }
}

withy_status wy_touch_still(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    if (touch->now->crossed)
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "director: rods pass through each other on the way to an equilibrium");
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

static double grip_quotient(const wy_network *net, int k, double *terms) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_point *p = &plan->point[k / plan->bodies];
    const double *own = net->rod[p->rod].next[p->node].change;
    const double *hub = net->hub.next[plan->body[k % plan->bodies].cluster].change;
    wy_body_push push;
    double sum = 0;
    if (!wy_touch_grip(net, k, 1, &push)) return 0;
    for (int i = 0; i < WY_BODY_ROWS; i++)
        for (int j = 0; j < WY_BODY_ROWS; j++)
            sum -= (i < 6 ? own[i] : hub[i - 6]) * push.slope[i][j] * (j < 6 ? own[j] : hub[j - 6]);
    *terms += fabs(sum);
    return sum;
}

double wy_touch_quotient(const wy_network *net, double *terms) {
    const wy_touch *touch = net->touch;
    double sum = 0;
    for (int k = 0; touch->plan.pairs && k < touch->step->count; k++) {
        int point[4];
        double m[24][25], u[24], own = 0;
        if (!wy_touch_tangent(net, k, point, m)) continue;
        for (int i = 0; i < 24; i++) {
            const wy_touch_point *p = &touch->plan.point[point[i / 6]];
            u[i] = net->rod[p->rod].next[p->node].change[i % 6];
        }
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++) own += u[i] * m[i][j] * u[j];
        sum += own, *terms += fabs(own);
    }
    for (int k = 0; k < touch->plan.grips; k++) sum += grip_quotient(net, k, terms);
    return sum + wy_touch_clash_quotient(net, terms);
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
