/* inertia.c - the number of unstable directions, by the inertia of the mixed matrix (wy_equations.inertia).
 *
 * With M = [ A B^T ; B -C^-1 ] of director/static/mixed.h,
 *
 *   negative(M) = forces + negative(A + B^T C B)        (Haynsworth; C > 0, and C^-1 may go to zero)            (1)
 *
 * so that nothing of a thin rod is lost.  A multiplier of a joint whose row depends on others counts nevertheless
 * (wy_front_lower), as does that of a tendon of given length.  Rows are scaled: congruence changes no sign.
 *
 * The elimination (numeric/linear/linear.h) gives the signs of M + E, -D <= E <= D.  M + D + E has at most, and M - D + E at least
 * as many negative eigenvalues as M (Weyl): so a count is made of the former for a number that is surely reached, and of
 * the latter for one that is surely not exceeded.
 */
#include "method/director/static/mixed.h"

enum { RODS_MOST = 512, TRIES = 4 };
static const double LIFT = 2e-12; /* the first one: what is mostly enough */

/* ---- tendons of given length ------------------------------------------------------------------------- */

/* The rows of a node, or of a rigid group, in the columns of the tensions. */
static void add_pulls(wy_mixed *w, const wy_director *x, int node, int number,
                      const wy_mixed_place *at) {
    const wy_border *border = &w->net->border;
    const int end = x ? wy_director_end_of(x, node) : -1;
    const double none[6] = {0};
    for (int k = 0; k < border->count; k++) {
        double m[7][7] = {{0}}, f[6];
        int to[7] = {[6] = k};
        memcpy(f, &border->bar[(size_t)k * (size_t)border->rows + 6 * (size_t)number], sizeof f);
        if (end >= 0) wy_director_hold_side(x, end, none, f);
        for (int i = 0; i < 6; i++)
            m[i][6] = m[6][i] = f[i] * wy_mixed_scale(at, i), to[i] = at->held ? -1 : at->row[i];
        wy_front_add(w->to, 7, to, to, &m[0][0], 7);
    }
}

static withy_status fill(wy_mixed *w, wy_network *net, withy_error *err) {
    const size_t rigid_groups = (size_t)net->plan.rigid_groups;
    w->rigid_group = wy_alloc(rigid_groups + 1, sizeof *w->rigid_group);
    w->turn = wy_alloc(rigid_groups + (size_t)net->plan.joints + 1, sizeof *w->turn);
    for (int k = 0; k < net->border.count; k++) wy_front_lower(w->to, w->rows++), w->forces++;
    if (net->border.count) w->more = add_pulls;
    withy_status status = w->rigid_group && w->turn
                              ? wy_mixed_fill(w, net, err)
                              : wy_no_memory(err, "director: no memory for stability");
    wy_free(w->rigid_group), wy_free(w->turn);
    return status;
}

/* ---- the count --------------------------------------------------------------------------------------- */

static withy_status count(wy_network *net, int most, int *negative, withy_error *err) {
    wy_arena arena = {0};
    wy_front sum = {0};
    withy_status status = WITHY_OK;
    double part = LIFT, need;
    *negative = -1;
    for (int k = 0; k < TRIES && status == WITHY_OK; k++, part = 2 * need) {
        wy_mixed w = {.to = &sum};
        wy_front_begin(&sum, &arena, most ? -part : part);
        status = fill(&w, net, err);
        const int below = wy_front_signs(&sum, &need);
        if (below >= 0 && need <= part) *negative = below - w.forces;
        if (below < 0 || need <= part) break;
    }
    wy_arena_free(&arena);
    return status;
}

/* Not of rods that touch rods, of tendons that are tied to each other, and of what is too large for it. */
withy_status wy_network_inertia(void *self, double shift, int most, int *negative,
                                withy_error *err) {
    wy_network *net = self;
    *negative = -1;
    if (net->plan.spans || net->plan.rods > RODS_MOST) return WITHY_OK;
    if (wy_network_pairs(net) || !wy_network_statics.potential(net)) return WITHY_OK;
    net->rigid.step->shift = shift;
    wy_network_share_step(net);
    WY_TRY(wy_rigid_groups_hold(net, net->rigid.step->t, err));
    if (net->contacts) WY_TRY(wy_contacts_static(net, err));
    wy_network_tendon_columns(net);
    return count(net, most, negative, err);
}
