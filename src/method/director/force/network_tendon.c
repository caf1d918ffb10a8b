/* network_tendon.c - tendons of given length in a network: their tensions added to the reduced system.
 *
 * The columns and rows of director/force/tendon.c, of all rods, with what acts on copies brought to their rigid groups:
 * columns by the mean arm pm, rows by that of the end of the step, as in director/linear/segment.c.
 *
 * A tendon may continue from rod to rod: its pieces have one tension, and between two rods it is a straight link
 * whose length l counts with the others: the law of director/network/constraint.c with the effort -T.
 */
#include "method/director/network.h"

/* ---- pieces of one tendon on several rods ----------------------------------------------------------- */

static const withy_load *load_of(const wy_network *net, int rod, int tendon) {
    return net->rod[rod].plan.tendon[tendon].load;
}

int wy_network_tendon_before(const wy_network *net, int rod, int tendon, int *before) {
    const char *name = load_of(net, rod, tendon)->continues;
    for (int i = 0; i < net->plan.rods; i++)
        for (int k = 0; k < net->rod[i].plan.tendon_count; k++) {
            const char *other = load_of(net, i, k)->name;
            if (i == rod || !other || strcmp(other, name) != 0) continue;
            *before = k;
            return i;
        }
    return -1;
}

/* The first piece, which has the tension; each may be continued once. */
static withy_status find_lead(wy_network *net, int rod, int tendon, withy_error *err) {
    wy_tendon *own = &net->rod[rod].plan.tendon[tendon];
    const int load = (int)(own->load - net->rod[rod].plan.source) + 1;
    int i = rod, k = tendon, pieces = 0;
    while (load_of(net, i, k)->continues) {
        const char *name = load_of(net, i, k)->continues;
        i = wy_network_tendon_before(net, i, k, &k);
        if (i < 0)
            return wy_bad_input(err,
                                "rods[%d].loads[%d].continues" WY_KEY
                                " = \"%.60s\": there is no tendon of this name on another rod",
                                rod + 1, load, name);
        if (++pieces > net->plan.rods)
            return wy_bad_input(err,
                                "rods[%d].loads[%d].continues" WY_KEY
                                ": the tendon comes back to itself; its first "
                                "piece has a tension or a displacement",
                                rod + 1, load);
    }
    own->by = load_of(net, i, k);
    own->column = net->rod[i].plan.tendon[k].column;
    net->plan.spans += pieces > 0;
    return WITHY_OK;
}

static withy_status check_names(const wy_network *net, int rod, int tendon, withy_error *err) {
    const char *name = load_of(net, rod, tendon)->name,
               *from = load_of(net, rod, tendon)->continues;
    for (int i = 0; i < net->plan.rods; i++)
        for (int k = 0; k < net->rod[i].plan.tendon_count; k++) {
            const withy_load *other = load_of(net, i, k);
            if (i == rod && k == tendon) continue;
            if (name && other->name && strcmp(name, other->name) == 0)
                return wy_bad_input(err,
                                    "rods[%d]" WY_KEY
                                    " and rods[%d] each have a tendon named \"%.60s\"; names must "
                                    "differ",
                                    rod + 1, i + 1, name);
            if (from && other->continues && strcmp(from, other->continues) == 0)
                return wy_bad_input(err,
                                    "tendons of rods[%d] and rods[%d] both continue \"%.60s\"; a "
                                    "tendon does not branch",
                                    rod + 1, i + 1, from);
        }
    return WITHY_OK;
}

withy_status wy_network_tendons_make(wy_network *net, withy_error *err) {
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_plan *rod = &net->rod[i].plan;
        for (int k = 0; k < rod->tendon_count; k++) {
            if (rod->tendon[k].column >= 0) rod->tendon[k].column = net->plan.columns++;
            WY_TRY(check_names(net, i, k, err));
        }
    }
    for (int i = 0; i < net->plan.rods; i++)
        for (int k = 0; k < net->rod[i].plan.tendon_count; k++) WY_TRY(find_lead(net, i, k, err));
    return WITHY_OK;
}

void wy_network_tendon_efforts(wy_network *net) {
    for (int i = 0; i < net->plan.constraints && net->plan.spans; i++) {
        const wy_network_constraint *constraint = &net->plan.constraint[i];
        if (constraint->rod >= 0)
            net->state_of[i].effort = -net->rod[constraint->rod].tension[constraint->tendon];
    }
}

/* ---- columns and rows --------------------------------------------------------------------------------- */

static void clear(wy_network *net) {
    for (int c = 0; c < net->plan.rigid_groups; c++)
        memset(net->rigid.next[c].change, 0, sizeof net->rigid.next[c].change);
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++)
            memset(net->rod[i].next[j].change, 0, sizeof net->rod[i].next[j].change);
    for (int i = 0; i < net->plan.multipliers; i++) net->change[i] = 0;
}

static void add_line(const wy_network *net, double *v) {
    double *line = net->border.sum;
    wy_network_gather(net, line);
    for (int i = 0; i < net->border.rows; i++) v[i] += line[i];
}

/* Column (plus = 0) or row of a tendon as a vector of the interface, added to v. */
static void add_piece(wy_network *net, int rod, int tendon, int plus, double *v) {
    wy_director *x = &net->rod[rod];
    clear(net);
    memset(net->line[0], 0, 6 * (size_t)x->plan.node_count * sizeof *net->line[0]);
    wy_director_tendon_line(x, tendon, plus, net->line[0]);
    for (int i = 0; i < 6 * x->plan.node_count; i++) x->next[i / 6].change[i % 6] = net->line[0][i];
    for (int e = 0; e < 2 && !plus; e++)
        wy_director_release(x, e, x->next[x->plan.end[e].node].change);
    wy_network_collect(net, plus);
    if (!plus) wy_network_drop_held(net);
    add_line(net, v);
}

/* Likewise of a piece between two rods: Bbar/lbar and B+/l+. */
static void add_span(wy_network *net, int constraint, int plus, double *v) {
    const wy_network_joint *j = &net->plan.joint[net->plan.constraint[constraint].joint];
    const wy_pair_step at = wy_joint_pair(net, j);
    wy_constraint_state state = net->state_of[constraint];
    wy_constraint_find(net, j, constraint, &at, &state);
    const double mean = net->rigid.step->dynamic ? 0.5 * (state.before + state.value) : state.value;
    const double *row = plus ? state.plus : state.bar, per = 1 / (plus ? state.value : mean);
    clear(net);
    for (int n = 0; n < WY_PAIR; n++)
        if (j->rigid_group[n / 6] >= 0)
            net->rigid.next[j->rigid_group[n / 6]].change[n % 6] = per * row[n];
    if (!plus) wy_network_drop_held(net);
    add_line(net, v);
}

static int column_of(const wy_network *net, const wy_network_constraint *constraint) {
    return constraint->rod < 0 ? -1
                               : net->rod[constraint->rod].plan.tendon[constraint->tendon].column;
}

void wy_network_tendon_columns(wy_network *net) {
    wy_border *border = &net->border;
    const size_t rows = (size_t)border->rows, all = (size_t)border->count * rows;
    if (!border->count) return;
    memset(border->bar, 0, all * sizeof *border->bar);
    memset(border->plus, 0, all * sizeof *border->plus);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        if (x->tendon_stress) wy_director_strains(x, 0);
        for (int k = 0; k < x->plan.tendon_count; k++) {
            const int column = x->plan.tendon[k].column;
            if (column < 0) continue;
            add_piece(net, i, k, 0, &border->bar[(size_t)column * rows]);
            add_piece(net, i, k, 1, &border->plus[(size_t)column * rows]);
        }
    }
    for (int i = 0; i < net->plan.constraints && net->plan.spans; i++) {
        const int column = column_of(net, &net->plan.constraint[i]);
        if (column < 0) continue;
        add_span(net, i, 0, &border->bar[(size_t)column * rows]);
        add_span(net, i, 1, &border->plus[(size_t)column * rows]);
    }
}

int wy_network_tendons_border(wy_network *net) {
    wy_border *border = &net->border;
    const size_t rows = (size_t)border->rows, all = (size_t)border->count * rows;
    if (!border->count) return 1;
    wy_network_tendon_columns(net);
    wy_network_tendon_gaps(net, border->gap);
    memcpy(border->spread, border->bar, all * sizeof *border->spread);
    for (int k = 0; k < border->count; k++) {
        double *column = &border->spread[(size_t)k * rows];
        if (wy_network_is_mixed(net) && !net->rigid.step->dynamic)
            wy_network_mixed_solve(net, column);
        else
            wy_network_solve_again(net, column);
    }
    return wy_border_close(border);
}

void wy_network_tendon_gaps(const wy_network *net, double *gap) {
    for (int k = 0; k < net->border.count; k++) gap[k] = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        for (int k = 0; k < x->plan.tendon_count; k++)
            if (x->plan.tendon[k].column >= 0)
                gap[x->plan.tendon[k].column] += x->target[k] - wy_director_tendon_length(x, k, 1);
    }
    for (int i = 0; i < net->plan.constraints && net->plan.spans; i++) {
        const wy_network_constraint *constraint = &net->plan.constraint[i];
        const int column = column_of(net, constraint);
        if (column < 0) continue;
        const wy_network_joint *j = &net->plan.joint[constraint->joint];
        const wy_pair_step at = wy_joint_pair(net, j);
        gap[column] += j->reach - sqrt(2 * wy_scalar_value(&constraint->g, &at.plus));
    }
}

/* Newton's changes, those of the reduced system just solved, with the tensions. */
int wy_network_tendons_solve(wy_network *net) {
    wy_border *border = &net->border;
    wy_network_gather(net, border->line);
    if (!wy_network_tendons_border(net)) return 0;
    wy_border_solve(border, border->line);
    wy_network_scatter(net, border->line);
    return 1;
}
