/* closed.c - link, twist and writhe of a closed rod, whose last node is its first (director/network/rigid_group.c).
 *
 *   Lk = Tw + Wr,  2 pi Tw = integral of K3                                      (White 1969)                  (1)
 *
 * counts how often the line of the tips of d1 winds about the axis.  Where the ends are joined with d1 turned by phi from one
 * to the other, Lk is phi/2 pi and a whole number, which Tw and the writhe of the polygon through the nodes tell at t = 0.
 * From then on it is constant, unless the rod passes through itself, and
 *
 *   excess = Lk - integral of K3 at rest/2 pi,   Wr = excess - integral of (K3 - K3 at rest)/2 pi               (2)
 *
 * is far more accurate than that polygon.
 */
#include "method/director/director.h"

enum { POINTS = 800 }; /* of the polygon, about */
static const double UNSURE = 0.25;

/* Of the closed polygon through every so many nodes. */
static double polygon_writhe(const wy_director *x) {
    const int last = x->plan.node_count - 1, step = 1 + last / POINTS, count = last / step;
    double sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 2; j < count; j++) {
            const int next = j + 1 < count ? (j + 1) * step : 0;
            if (i > 0 || next > 0) /* no neighbours */
                sum += v3_crossing_area(x->node[i * step].r, x->node[(i + 1) * step].r,
                                        x->node[j * step].r, x->node[next].r);
        }
    return sum / (2 * WY_PI);
}

/* Turns of K3 of the state, and at rest. */
static void turns_of(const wy_director *x, double *now, double *rest) {
    *now = *rest = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        *now += g->weight * x->strain[i].start[1][2] / (2 * WY_PI);
        *rest += g->weight * g->rest[1][2] / (2 * WY_PI);
    }
}

withy_status wy_closed_make(wy_director *x, withy_error *err) {
    double twist, rest;
    if (!x->plan.rod->closed) return WITHY_OK;
    wy_director_zero_increment(x);
    wy_director_strains(x, 1);
    turns_of(x, &twist, &rest);
    const mat3 a = tri_matrix(x->node[0].d), b = tri_matrix(x->node[x->plan.node_count - 1].d);
    const double phi = atan2(v3_dot(b.c1, a.c2), v3_dot(b.c1, a.c1)) / (2 * WY_PI);
    const double link = polygon_writhe(x) + twist - phi, whole = round(link);
    x->rare.link = whole + phi - rest;
    if (fabs(link - whole) <= UNSURE) return WITHY_OK;
    return wy_bad_input(err,
                        "options.n" WY_KEY
                        " = %d: how often the sections of the closed rod wind about its axis "
                        "does not follow from %d nodes (%.3g times); use more elements",
                        x->plan.n, x->plan.node_count, link);
}

void wy_closed_sample(const wy_director *x, withy_snapshot *snap) {
    double twist, rest;
    turns_of(x, &twist, &rest);
    snap->link = x->rare.link, snap->link_twist = twist - rest;
    snap->writhe = snap->link - snap->link_twist;
    snap->have |= WITHY_HAVE_LINK;
}
