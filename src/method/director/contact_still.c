/* contact_still.c - rods that touch at rest.
 *
 * The pushes are those of the shape, N = -u'(g), without friction.  The drivers of src/study move a shape by what
 * Newton's method says, which may be through another rod: a shape on the way to which rods have passed through each
 * other has no equations, and the drivers go back and take a shorter step.
 */
#include "method/director/contacts.h"

withy_status wy_touch_still(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    if (touch->now->crossed)
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "director: rods pass through each other on the way to an equilibrium");
    if (!touch->plan.pairs) return WITHY_OK;
    WY_TRY(wy_touch_search(net, WY_TOUCH_STAYS, err));
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
