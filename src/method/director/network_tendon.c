/* network_tendon.c - tendons of given length in a network: their tensions beside the skeleton.
 *
 * The columns and rows of director/tendon.c, of all rods, with what acts on copies brought to their clusters:
 * columns by the mean arm pm, rows by that of the end of the step, as in director/segment.c.
 */
#include <string.h>

#include "method/director/network.h"

void wy_network_tendons_make(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_plan *rod = &net->rod[i].plan;
        for (int k = 0; k < rod->tendon_count; k++)
            if (rod->tendon[k].column >= 0) rod->tendon[k].column = net->plan.columns++;
    }
}

/* What acts on copies, in their changes, to their clusters; held ones have none. */
static void collect(wy_network *net, int plus) {
    for (int i = 0; i < net->plan.members; i++) {
        const wy_network_member *k = &net->plan.member[i];
        const double *f = net->rod[k->rod].next[k->node].change;
        double *to = net->hub.next[k->cluster].change;
        const tri d =
            plus ? net->hub.next[k->cluster].d : wy_director_acting(&net->hub, k->cluster);
        const vec3 p = m3_mul(tri_matrix(d), k->o);
        v3_to(v3_add(v3_from(to), v3_from(f)), to);
        v3_to(v3_add(v3_from(to + 3), v3_add(v3_from(f + 3), v3_cross(p, v3_from(f)))), to + 3);
    }
}

static void clear(wy_network *net) {
    for (int c = 0; c < net->plan.clusters; c++)
        memset(net->hub.next[c].change, 0, sizeof net->hub.next[c].change);
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++)
            memset(net->rod[i].next[j].change, 0, sizeof net->rod[i].next[j].change);
    for (int i = 0; i < net->plan.multipliers; i++) net->change[i] = 0;
}

/* Column (plus = 0) or row of a tendon as a vector of the door. */
static void line_of(wy_network *net, int rod, int tendon, int plus, double *v) {
    wy_director *x = &net->rod[rod];
    clear(net);
    memset(net->line[0], 0, 6 * (size_t)x->plan.node_count * sizeof *net->line[0]);
    wy_director_tendon_line(x, tendon, plus, net->line[0]);
    for (int i = 0; i < 6 * x->plan.node_count; i++) x->next[i / 6].change[i % 6] = net->line[0][i];
    for (int e = 0; e < 2 && !plus; e++)
        wy_director_release(x, e, x->next[x->plan.end[e].node].change);
    collect(net, plus);
    for (int c = 0; c < net->plan.clusters && !plus; c++)
        if (net->plan.cluster[c].held)
            memset(net->hub.next[c].change, 0, sizeof net->hub.next[c].change);
    wy_network_gather(net, v);
}

int wy_network_tendons_border(wy_network *net) {
    wy_border *border = &net->border;
    const size_t rows = (size_t)border->rows;
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        if (x->pull) wy_director_strains(x, 0);
        for (int k = 0; k < x->plan.tendon_count; k++) {
            const int column = x->plan.tendon[k].column;
            if (column < 0) continue;
            double *spread = &border->spread[(size_t)column * rows];
            line_of(net, i, k, 0, &border->bar[(size_t)column * rows]);
            line_of(net, i, k, 1, &border->plus[(size_t)column * rows]);
            memcpy(spread, &border->bar[(size_t)column * rows], rows * sizeof *spread);
            wy_network_solve_again(net, spread);
        }
    }
    wy_network_tendon_gaps(net, border->gap);
    return wy_border_close(border);
}

void wy_network_tendon_gaps(const wy_network *net, double *gap) {
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        for (int k = 0; k < x->plan.tendon_count; k++)
            if (x->plan.tendon[k].column >= 0)
                gap[x->plan.tendon[k].column] = x->target[k] - wy_director_tendon_length(x, k, 1);
    }
}

/* Newton's changes, those of the skeleton just solved, with the tensions. */
int wy_network_tendons_solve(wy_network *net) {
    wy_border *border = &net->border;
    wy_network_gather(net, border->line);
    if (!wy_network_tendons_border(net)) return 0;
    wy_border_solve(border, border->line);
    wy_network_scatter(net, border->line);
    return 1;
}
