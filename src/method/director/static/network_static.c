/* network_static.c - the static equations of a network, for the drivers of src/study (wy_equations).
 *
 * Unknowns in a vector: rigid groups (6 each), then the nodes of the rods that are no copies (6 each), then the
 * multipliers.  The same residual as in motion with q- = q+.  The number of unstable directions is that of the
 * negative pivots of the segments and of the negative eigenvalues of the diagonal blocks of the
 * reduced system, less the number of multipliers: inertia is additive over block pivots.
 *
 * A rigid body that hangs on joints has no stiffness of its own until the multipliers are known: the study
 * adds a little of M (wy_equations.weigh) to the tangent, in which a body counts as a piece of rod.
 */
#include "method/director/contact/contacts.h"
#include "method/director/force/fluid.h"
#include "method/director/law/law.h"
#include "method/director/rod/cable.h"

/* ---- vectors ------------------------------------------------------------------------------------------------ */

int wy_network_is_group_node(const wy_network *net, int rod, int node) {
    const int p = net->rod[rod].plan.p;
    return node % p == 0 && wy_group_node_of(net, rod, node) >= 0;
}

int wy_network_free_nodes(const wy_network *net) {
    int nodes = net->plan.rigid_groups - net->plan.members;
    for (int i = 0; i < net->plan.rods; i++) nodes += net->rod[i].plan.node_count;
    return nodes;
}

int wy_network_rows(const wy_network *net) {
    return 6 * wy_network_free_nodes(net) + net->plan.multipliers;
}

static wy_vector_layout layout(const void *self) {
    const wy_network *net = self;
    const int nodes = wy_network_free_nodes(net);
    return (wy_vector_layout){wy_network_rows(net) + net->plan.columns,
                              {0, nodes, 6, 3, 1},
                              {3, nodes, 6, 3, 1},
                              net->plan.length,
                              net->groups};
}

/* A vector to the changes of all nodes, copies included; and back, without them. */
void wy_network_scatter(wy_network *net, const double *v) {
    for (int c = 0; c < net->plan.rigid_groups; c++, v += 6)
        for (int k = 0; k < 6; k++)
            net->rigid.next[c].change[k] = c < wy_network_moving(net) ? v[k] : 0;
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            if (wy_network_is_group_node(net, i, j)) continue;
            memcpy(net->rod[i].next[j].change, v, 6 * sizeof *v);
            v += 6;
        }
    for (int i = 0; i < net->plan.multipliers; i++) net->change[i] = *v++;
    for (int i = 0; i < net->plan.members; i++) {
        const wy_group_node *k = &net->plan.member[i];
        wy_group_node_change(net, i, net->rod[k->rod].next[k->node].change);
    }
}

void wy_network_gather(const wy_network *net, double *v) {
    for (int c = 0; c < net->plan.rigid_groups; c++, v += 6)
        memcpy(v, net->rigid.next[c].change, 6 * sizeof *v);
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            if (wy_network_is_group_node(net, i, j)) continue;
            memcpy(v, net->rod[i].next[j].change, 6 * sizeof *v);
            v += 6;
        }
    for (int i = 0; i < net->plan.multipliers; i++) *v++ = net->change[i];
}

/* ---- at rest ------------------------------------------------------------------------------------------------- */

static withy_status open(void *self, withy_error *err) {
    wy_network *net = self;
    if (net->contacts && net->contacts->plan.law->apart && net->contacts->plan.moves)
        return wy_unsupported(
            err,
            "director: equilibria with contact.law = \"%s\" and an obstacle that "
            "moves are not computed: it would move into what touches it; use "
            "\"compliant\", or compute the motion from an initial shape, with damping",
            net->contacts->plan.law->name);
    wy_director_rest(&net->rigid);
    for (int i = 0; i < net->plan.rods; i++) wy_director_rest(&net->rod[i]);
    return WITHY_OK;
}

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    wy_network *net = self;
    char words[WY_JOINT_WORDS];
    wy_network_mixed_clear(net);
    wy_rigid_groups_stay(net);
    wy_director_set_factor(&net->rigid, factor);
    net->rigid.step->t = t;
    wy_network_share_step(net);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_zero_increment(&net->rod[i]);
        for (int e = 0; e < 2; e++)
            if (wy_network_end_rates(&net->rod[i].plan.end[e]) && t > 0)
                return wy_unsupported(
                    err,
                    "director: %s: an end driven by its velocity or acceleration has no "
                    "equilibrium; give ends.%s.position and frame as functions of the load factor",
                    wy_network_rod_words(net, i, words, sizeof words), e ? "finish" : "start");
    }
    WY_TRY(wy_network_loads_at(net, t, t, t, err));
    for (int i = 0; i < net->plan.rods; i++) wy_director_approach(&net->rod[i], part);
    return wy_rigid_groups_hold(net, t, err);
}

static withy_status pull(void *self, int on, withy_error *err) {
    wy_network *net = self;
    (void)err;
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].now->pulling = on;
    return WITHY_OK;
}

static void hold(void *self) {
    wy_network *net = self;
    for (int i = 0; i < net->plan.rods; i++) wy_director_find_gaps(&net->rod[i]);
}

static void begin(void *self) {
    wy_network *net = self;
    for (int i = 0; i < net->plan.rods; i++) wy_director_rest_begin(&net->rod[i]);
    wy_constraints_begin(net);
    wy_loops_begin(net);
}

/* ---- equations ------------------------------------------------------------------------------------------------- */

/* Minus the forces on the nodes of a rod into their changes. */
static void rod_residual(wy_director *x) {
    for (int j = 0; j < x->plan.node_count; j++) {
        double a[6][6], b[6];
        wy_director_node_terms(x, j, a, b);
        for (int k = 0; k < 6; k++) x->next[j].change[k] = -b[k];
    }
    for (int e = 0; e < x->plan.n; e++) {
        double f[WY_ELEMENT_NODES][6];
        wy_director_element_side(x, e, f);
        for (int k = 0; k < 6 * (x->plan.p + 1); k++)
            x->next[e * x->plan.p + k / 6].change[k % 6] += f[k / 6][k % 6];
    }
}

void wy_network_collect(wy_network *net, int plus) {
    for (int i = 0; i < net->plan.members; i++) {
        const wy_group_node *k = &net->plan.member[i];
        const double *f = net->rod[k->rod].next[k->node].change;
        double *to = net->rigid.next[k->rigid_group].change;
        const vec3 p = plus ? wy_group_node_arm(net, i, 1) : wy_group_node_mean_arm(net, i);
        v3_to(v3_add(v3_from(to), v3_from(f)), to);
        const vec3 l = v3_add(v3_from(f + 3), v3_cross(p, v3_from(f)));
        v3_to(v3_add(v3_from(to + 3), l), to + 3);
    }
}

static void joint_residual(wy_network *net) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        const wy_pair_step at = wy_joint_pair(net, j);
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_constraint *constraint = &net->plan.constraint[k];
            wy_constraint_state *own = &net->state_of[k];
            if (constraint->silent) continue;
            wy_constraint_find(net, j, k, &at, own);
            for (int n = 0; n < WY_PAIR; n++)
                if (j->rigid_group[n / 6] >= 0)
                    net->rigid.next[j->rigid_group[n / 6]].change[n % 6] -=
                        own->bar[n] * own->stress;
            if (constraint->multiplier >= 0)
                net->change[constraint->multiplier] = own->target - own->value;
        }
    }
}

static withy_status residual(void *self, double *r, withy_error *err) {
    wy_network *net = self;
    if (net->contacts) WY_TRY(wy_contacts_static(net, err));
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        double a[6][6], b[6];
        wy_network_rigid_group_terms(net, c, a, b);
        for (int k = 0; k < 6; k++) net->rigid.next[c].change[k] = -b[k];
    }
    for (int i = 0; i < net->plan.rods; i++) {
        WY_TRY(wy_director_state_loads_at(&net->rod[i], 0, err));
        rod_residual(&net->rod[i]);
    }
    wy_network_collect(net, 1);
    joint_residual(net);
    for (int i = 0; i < 2 * net->plan.rods; i++) {
        wy_director *rod = &net->rod[i / 2];
        const int node = rod->plan.end[i % 2].node;
        if (!wy_network_is_group_node(net, i / 2, node))
            wy_director_hold_gap(rod, i % 2, rod->next[node].change);
    }
    WY_TRY(wy_rigid_groups_hold(net, net->rigid.step->t, err));
    wy_network_gather(net, r);
    wy_network_tendon_gaps(net, &r[net->border.rows]);
    return WITHY_OK;
}

/* With friction the tangent is not symmetric; that of a section that yields is another where it is unloaded. */
static int is_judged(const wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++)
        if (net->rod[i].plan.law->loads) return 0;
    return !net->contacts || !(net->contacts->plan.has_friction || net->contacts->plan.law->steep);
}

static double rate(const void *self);
static void solve(void *self, double *b);

static withy_status singular(withy_error *err) {
    return wy_no_convergence(err, "director: the tangent is singular");
}

static withy_status newton_thin(wy_network *net, double shift, double *change, int *negative,
                                withy_error *err) {
    *negative = -1;
    net->rigid.step->shift = 0;
    wy_network_share_step(net);
    if (change) WY_TRY(residual(net, change, err));
    net->rigid.step->shift = shift;
    wy_network_share_step(net);
    WY_TRY(wy_rigid_groups_hold(net, net->rigid.step->t, err));
    if (net->contacts) WY_TRY(wy_contacts_static(net, err));
    WY_TRY(wy_loops_choose(net, err));
    const int misses = wy_network_mixed_misses(net);
    WY_TRY(wy_network_mixed_factor(net, err));
    wy_network_mixed_clear(net);
    if (!wy_network_tendons_border(net)) return singular(err);
    if (net->rigid.step->weighed && is_judged(net)) {
        double slender = 0;
        for (int i = 0; i < net->plan.rods; i++)
            slender = wy_max(slender, wy_director_slender(&net->rod[i]));
        WY_TRY(wy_network_inertia(net, shift - WY_DIRECTOR_MESH * slender * rate(net), 0, negative,
                                  err));
        if (*negative == 0) *negative = -1;
        net->rigid.step->shift = shift;
        wy_network_share_step(net);
    }
    if (misses) wy_network_mixed_repeat(net);
    if (change) solve(net, change);
    return WITHY_OK;
}

static withy_status newton(void *self, double shift, int again, double *change, int *negative,
                           withy_error *err) {
    wy_network *net = self;
    if (wy_network_is_mixed(net)) return newton_thin(net, shift, change, negative, err);
    const wy_blocks *reduced = &net->plan.reduced;
    int below;
    net->rigid.step->shift = shift, net->rigid.step->keeps = again || net->border.count;
    wy_network_share_step(net);
    WY_TRY(wy_rigid_groups_hold(net, net->rigid.step->t, err));
    if (net->contacts) WY_TRY(wy_contacts_static(net, err));
    WY_TRY(wy_loops_choose(net, err));
    WY_TRY(wy_reduced_fill(net, 0, err));
    wy_loops_fill(net);
    if (!wy_blocks_factor(reduced, net->value, net->pivot, &below, NULL)) return singular(err);
    *negative = below - net->plan.multipliers;
    for (int i = 0; i < net->plan.rods; i++) *negative += net->rod[i].step->negative;
    if (!wy_loops_close(net, negative)) return singular(err);
    wy_loops_solve(net, 0);
    wy_reduced_spread(net);
    if (net->border.count) {
        if (!wy_network_tendons_solve(net)) return singular(err);
        *negative =
            net->border.negative < 0 || *negative < 0 ? -1 : *negative - net->border.negative;
    }
    if (!is_judged(net)) *negative = -1;
    double sum = 0;
    for (int c = 0; c < net->plan.rigid_groups; c++)
        for (int k = 0; k < 6; k++) sum += fabs(net->rigid.next[c].change[k]);
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++)
            for (int k = 0; k < 6; k++) sum += fabs(net->rod[i].next[j].change[k]);
    if (!isfinite(sum)) return singular(err);
    if (change) wy_network_gather(net, change);
    for (int k = 0; k < net->border.count && change; k++)
        change[net->border.rows + k] = net->border.change[k];
    return WITHY_OK;
}

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    return newton(self, shift, 1, NULL, negative, err);
}

/* Tensions first; then the solution itself once more with what the strains miss, because the forces of a thin rod are kept from
 * the last solution. */
static void solve_thin_border(wy_network *net, double *b) {
    const wy_border *border = &net->border;
    const size_t rows = (size_t)border->rows;
    const int misses = wy_network_mixed_misses(net);
    if (misses) memcpy(border->line, b, rows * sizeof *b);
    wy_network_mixed_solve(net, b);
    wy_border_solve_side(&net->border, b);
    if (!misses) return;
    for (size_t i = 0; i < rows; i++) {
        b[i] = border->line[i];
        for (int k = 0; k < border->count; k++)
            b[i] -= border->change[k] * border->bar[(size_t)k * rows + i];
    }
    wy_network_mixed_repeat(net);
    wy_network_mixed_solve(net, b);
}

/* b := (K - shift M)^-1 b with the kept factors. */
static void solve(void *self, double *b) {
    wy_network *net = self;
    if (!wy_network_is_mixed(net)) {
        wy_network_solve_again(net, b);
        wy_border_solve_side(&net->border, b);
    } else if (!net->border.count) {
        wy_network_mixed_solve(net, b);
    } else {
        solve_thin_border(net, b);
    }
}

void wy_network_solve_again(wy_network *net, double *b) {
    const wy_network_plan *plan = &net->plan;
    wy_network_scatter(net, b);
    memset(net->side, 0, (size_t)plan->reduced.rows * sizeof *net->side);
    for (int c = 0; c < wy_network_moving(net); c++)
        for (int k = 0; k < 6; k++)
            net->side[plan->rigid_group[c].row + k] = net->rigid.next[c].change[k];
    for (int k = 0; k < plan->constraints; k++)
        if (plan->constraint[k].multiplier >= 0)
            net->side[plan->constraint[k].row] = net->change[plan->constraint[k].multiplier];
    for (int i = 0; i < plan->members; i++) { /* right sides are those of the rigid groups */
        const wy_group_node *k = &plan->member[i];
        memset(net->rod[k->rod].next[k->node].change, 0, 6 * sizeof(double));
    }
    if (wy_network_pairs(net)) wy_contacts_side(net);
    for (int i = 0; i < plan->segments && !wy_network_pairs(net); i++) {
        double two[12];
        const wy_network_segment *g = &plan->segment[i];
        wy_segment_again(net, g, two);
        for (int s = 0; s < 2; s++) {
            const int c = g->member[s] < 0 ? -1 : plan->member[g->member[s]].rigid_group;
            for (int k = 0; k < 6 && c >= 0 && !plan->rigid_group[c].held; k++)
                net->side[plan->rigid_group[c].row + k] += two[6 * s + k];
        }
    }
    if (net->rigid.step->dynamic)
        wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
    else
        wy_loops_solve(net, 1);
    wy_reduced_spread(net);
    wy_network_gather(net, b);
}

static double bound(void *self, const double *change, double share) {
    wy_network *net = self;
    if (!net->contacts || !net->contacts->plan.law->apart) return share;
    wy_network_scatter(net, change);
    return wy_contacts_cut(net, share);
}

/* ---- the shape --------------------------------------------------------------------------------------------------- */

static void move(void *self, const double *change, double share) {
    wy_network *net = self;
    wy_network_scatter(net, change);
    for (int k = 0; k < net->border.count; k++)
        net->border.change[k] = change[net->border.rows + k];
    if (net->contacts && net->contacts->plan.law->linear) wy_contacts_expect_pushes(net, share);
    wy_network_move(net, share);
    withy_error full;
    if (net->contacts && wy_contacts_moves(net, &full) != WITHY_OK) net->contacts->now->crossed = 1;
    if (net->contacts) wy_contacts_go(net);
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        if (j->angle < 0) continue;
        const wy_pair_step at = wy_joint_pair(net, j);
        wy_constraint_state found = {0};
        wy_constraint_find(net, j, j->angle, &at, &found);
        net->angle[j->angle] = found.value;
    }
    for (int i = 0; i < net->plan.rods; i++) wy_director_accept_increment(&net->rod[i]);
    for (int c = 0; c < wy_network_moving(net); c++) {
        wy_director_node *node = &net->rigid.node[c];
        node->r = v3_add(node->r, net->rigid.next[c].dr);
        node->d = tri_orthonormal(net->rigid.next[c].d);
    }
    wy_group_nodes_settle(net);
    wy_rigid_groups_stay(net);
    for (int i = 0; i < net->plan.rods; i++) wy_director_zero_increment(&net->rod[i]);
}

static double strain(const void *self, double *s) {
    const wy_network *net = self;
    double most = 0;
    *s = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        double at;
        const double own = wy_director_coarseness(&net->rod[i], &at);
        if (own > most) most = own, *s = at;
    }
    return most;
}

static double energy(const void *self) {
    const wy_network *net = self;
    return wy_network_energy(net) - wy_network_total(net).kinetic;
}

static int potential(const void *self) {
    const wy_network *net = self;
    if (!is_judged(net)) return 0;
    for (int i = 0; i < net->plan.rods; i++)
        if (!wy_director_has_potential(&net->rod[i])) return 0;
    for (int i = 0; i < net->plan.bodies; i++) {
        const withy_body *body = &net->rigid.plan.problem->body[i];
        for (int k = 0; k < body->load_count; k++)
            if (body->load[k].follower || body->load[k].moment.size) return 0;
    }
    return 1;
}

static int kinks(const void *self) {
    const wy_network *net = self;
    return net->contacts && !wy_contacts_is_clear(net);
}

static int switched(void *self) {
    wy_network *net = self;
    return net->contacts && wy_contacts_switched(net);
}

/* Not of rods that touch rods: their equations have another elimination.  Nor where a section law couples shear and stretch
 * with the rest. */
static withy_status exact(void *self, int *on, withy_error *err) {
    wy_network *net = self;
    *on = net->plan.rods > 0 && !wy_network_pairs(net);
    for (int i = 0; i < net->plan.rods; i++) *on &= !net->rod[i].plan.law->coupled;
    for (int i = 0; i < net->plan.rods && !*on; i++) wy_director_note_inertia(&net->rod[i]);
    if (!*on) return WITHY_OK;
    WY_TRY(wy_network_mixed_make(net, err));
    for (int i = 0; i < net->plan.rods; i++) wy_director_mixed_set(&net->rod[i], 1);
    return WITHY_OK;
}

static void weigh(void *self, int on) {
    wy_network *net = self;
    net->rigid.step->weighed = on;
    wy_network_share_step(net);
}

/* Of bodies alone: the softest spring, or a pendulum as long as the network with all masses on it. */
static double rate_of_bodies(const wy_network *net) {
    const double length = net->plan.length;
    double mass = 0, soft = INFINITY;
    for (int c = 0; c < net->plan.rigid_groups; c++) mass += net->rigid.plan.mass[c].mass;
    const double starts_as_catenary = mass * v3_norm(net->rigid.plan.problem->gravity) / length;
    if (starts_as_catenary > 0) soft = starts_as_catenary;
    for (int k = 0; k < net->plan.constraints; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        const int turns = constraint->kind == WY_CONSTRAINT_ANGLE || constraint->g.terms == 2;
        if (constraint->law.spring > 0)
            soft = wy_min(soft, constraint->law.spring / (turns ? length * length : 1.0));
    }
    if (!isfinite(soft)) return mass > 0; /* nothing is stiff, and any unit is as good */
    return soft / (net->rigid.step->weighed ? length : mass);
}

/* The softest of the rods, as a cantilever. */
static double rate(const void *self) {
    const wy_network *net = self;
    double least = INFINITY;
    if (!net->plan.rods) return rate_of_bodies(net);
    for (int i = 0; i < net->plan.rods; i++)
        least = wy_min(least, wy_director_frequency_square(&net->rod[i]));
    return isfinite(least) ? least : 0;
}

/* Directions that an end of a rod leaves free: the trace of the projection to them. */
static int free_at(const wy_director *rod, int which) {
    double trace = 0;
    for (int i = 0; i < 6; i++) {
        double a[6] = {0};
        a[i] = 1;
        wy_director_release(rod, which, a);
        trace += a[i];
    }
    return (int)lround(trace);
}

static int free_nodes(const wy_network *net, int rod) {
    int count = 0;
    for (int j = 0; j < net->rod[rod].plan.node_count; j++)
        count += !wy_network_is_group_node(net, rod, j);
    return count;
}

/* Of each group, its nodes less what is held of them. */
static void group_freedoms(const wy_network *net) {
    int *count = net->groups.freedoms;
    memset(count, 0, (size_t)net->groups.count * sizeof *count);
    for (int i = 0; i < wy_network_free_nodes(net); i++) count[net->groups.of[i]] += 6;
    for (int i = 0; i < net->plan.rods; i++) /* directors are no unknowns of a cable */
        if (wy_is_cable(&net->rod[i].plan)) count[net->group_of[i]] -= 3 * free_nodes(net, i);
    for (int c = 0; c < net->plan.rigid_groups; c++)
        if (net->plan.rigid_group[c].held) count[wy_rigid_group_parts(net, c)] -= 6;
    for (int i = 0; i < 2 * net->plan.rods; i++) {
        const wy_director *rod = &net->rod[i / 2];
        if (!wy_network_is_group_node(net, i / 2, rod->plan.end[i % 2].node))
            count[net->group_of[i / 2]] -= 6 - free_at(rod, i % 2);
    }
}

static withy_status freedoms(void *self, int *count, int *sure, withy_error *err) {
    wy_network *net = self;
    int rank;
    *sure = net->plan.rods == 0;
    WY_TRY(wy_loops_rank(net, &rank, err));
    group_freedoms(net);
    *count = -rank - net->plan.columns;
    for (int g = 0; g < net->groups.count; g++) *count += net->groups.freedoms[g];
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        const lane j = net->rigid.plan.mass[c].rotary;
        *sure &= net->rigid.plan.mass[c].mass > 0 && j[0] > 0 && j[1] > 0 && j[2] > 0;
    }
    return WITHY_OK;
}

static int pinched(const void *self) {
    const wy_network *net = self;
    return net->contacts && wy_contacts_single(net, -1) >= 0;
}

static int slack(const void *self, int *rod, double *s) {
    const wy_network *net = self;
    int how = 0;
    for (int i = 0; i < net->plan.rods && !how; i++)
        if (wy_is_cable(&net->rod[i].plan) && (how = wy_cable_is_slack(&net->rod[i], s)) != 0)
            *rod = i;
    return how;
}

static withy_status settle(void *self, double factor, withy_error *err) {
    wy_network *net = self;
    double work = 0;
    if (net->contacts) WY_TRY(wy_contacts_static(net, err));
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_strains(&net->rod[i], 1);
        WY_TRY(wy_director_state_loads_at(&net->rod[i], 0, err));
        if (wy_director_is_mixed(&net->rod[i])) wy_director_mixed_settle(&net->rod[i]);
        wy_director_reactions(&net->rod[i]);
        net->rod[i].now->dissipated += wy_section_commit(&net->rod[i]);
    }
    wy_constraints_commit(net);
    wy_network_reactions(net, &work);
    if (net->contacts) WY_TRY(wy_contacts_commit(net, err));
    if (net->contacts) wy_contacts_report_isolated(net, factor);
    wy_network_energies(net);
    net->rigid.setup->stats->energy_end = wy_network_energy(net);
    WY_TRY(wy_network_taut(net, err));
    int widest;
    net->now->gap = wy_constraints_gap(net, &widest);
    net->rigid.setup->stats->constraint_max =
        wy_max(net->rigid.setup->stats->constraint_max, net->now->gap);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    return wy_network_let_go(self, moving, err);
}

/* The law with a history whose name is first: the order of rods does not matter.  NULL: none has one. */
static const char *law_with_history(const wy_network *net) {
    const char *first = NULL;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_section_law *law = net->rod[i].plan.law;
        if (law->history && (!first || strcmp(law->name, first) < 0)) first = law->name;
    }
    return first;
}

/* The history of a law acts on the frequencies too; and in a stream added mass has gyroscopic terms. */
static withy_status has_modes(const void *self, withy_error *err) {
    const wy_network *net = self;
    const char *law = law_with_history(net);
    if (law)
        return wy_unsupported(
            err,
            "director: modes of a rod with the section law \"%s\" are not computed; run the motion "
            "after a small push, or leave the law out",
            law);
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_fluid *fluid = net->rod[i].fluid;
        if (wy_is_massless(&net->rod[i].plan))
            return wy_unsupported(
                err,
                "director: a rod without inertia (rod.viscous.inertia = \"none\") has no modes "
                "of vibration; run the motion after a small push");
        if (fluid && fluid->stirs && !fluid->at_rest)
            return wy_unsupported(
                err,
                "director: modes of a rod with added mass (rod.fluid.added) in a moving medium are "
                "not computed; run the motion after a small push, or leave out the added mass or "
                "the motion of the medium");
    }
    return WITHY_OK;
}

const wy_equations wy_network_statics = {WY_EQUATIONS_COMMON,
                                         .open = open,
                                         .begin = begin,
                                         .newton = newton,
                                         .weigh = weigh,
                                         .exact = exact,
                                         .strain = strain,
                                         .folds = 2,
                                         .has_modes = has_modes,
                                         .mass = wy_network_mass_times,
                                         .damping = wy_network_damping_times,
                                         .quotient = wy_network_quotient,
                                         .rounding = wy_network_rounding,
                                         .inertia = wy_network_inertia,
                                         .shape = wy_network_shape,
                                         .kinks = kinks,
                                         .switched = switched,
                                         .form = wy_network_form,
                                         .slack = slack,
                                         .freedoms = freedoms,
                                         .bound = bound,
                                         .pinched = pinched,
                                         .coarse = wy_network_taut_unstable};
