/* static.c - the static equations of director, for the drivers of src/study (wy_door).
 *
 * The same element with q- = q+: stress C (S - S0), tangent with beta = 1 and without inertia; Newton's
 * method is the mixed one of director/step.c.  The number of negative pivots of the tangent is the
 * number of unstable directions.
 */
#include <string.h>

#include "method/director/director.h"

/* The moment between two nodes, (EI/h) sin(turn) cos(turn), falls again beyond TURN_DOUBT: a rod
 * bent further may be an artefact of the mesh.  At twice as much it folds (director/step.c). */
static const double TURN_DOUBT = 0.25 * WY_PI;

static wy_layout layout(const void *self) {
    const wy_director *x = self;
    const int nodes = x->plan.node_count;
    return (wy_layout){
        6 * nodes + x->plan.columns, {0, nodes, 6, 3, 1}, {3, nodes, 6, 3, 1}, x->plan.length};
}

static withy_status open(void *self, withy_error *err) {
    wy_director *x = self;
    (void)err;
    *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
    wy_director_thin_set(x, 0);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->v = node->rate[0].dr = node->rate[0].theta = v3(0, 0, 0);
        node->w = lane_all(0);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        x->strain[i].rate[0] = x->strain[i].rate[1] = lane_all(0);
    for (int i = 0; i < 2; i++) {
        wy_director_end_now *end = &x->now->end[i];
        end->u = end->offset_r = end->offset_turn = v3(0, 0, 0);
    }
    x->now->started = 0, x->now->history = 0, x->now->guess = 0, x->now->passed = 0;
    return WITHY_OK;
}

/* ---- loads and ends ------------------------------------------------------------------------------ */

void wy_director_set_factor(wy_director *x, double factor) {
    x->step->factor = factor;
    x->step->gravity = v3_scale(factor, x->plan.problem->gravity);
    x->step->spin = v3_scale(sqrt(wy_max(factor, 0)), x->plan.problem->rotating.spin);
}

void wy_director_approach(wy_director *x, double part) {
    for (int i = 0; i < 2 && part < 1; i++) {
        wy_director_end_step *end = &x->step->end[i];
        const wy_director_end_now *now = &x->now->end[i];
        end->target_r = v3_axpy(end->target_r, 1 - part, now->gap_r);
        end->target = m3_mulm(q_matrix(q_exp(v3_scale(1 - part, now->gap_turn))), end->target);
    }
}

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    wy_director *x = self;
    wy_director_stay(x);
    for (int i = 0; i < 2; i++)
        if (x->plan.end[i].rates && t > 0)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "director: an end driven by its velocity or acceleration has no "
                           "equilibrium; give ends.%s.position and frame as functions of the load "
                           "factor",
                           i ? "finish" : "start");
    wy_director_thin_forget(x);
    wy_director_set_factor(x, factor);
    WY_TRY(wy_director_loads_at(x, t, err));
    WY_TRY(wy_director_ends_at(x, t, t, err));
    wy_director_approach(x, part);
    return WITHY_OK;
}

static withy_status pull(void *self, int on, withy_error *err) {
    (void)err;
    wy_director *x = self;
    x->now->pulling = on;
    return WITHY_OK;
}

/* Distance of the held ends from their prescribed poses at the factor: position and rotation vector. */
static void hold(void *self) {
    wy_director *x = self;
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_node *node = &x->node[end->node];
        const wy_director_end_step *to = &x->step->end[i];
        wy_director_end_now *now = &x->now->end[i];
        now->gap_turn = v3(0, 0, 0);
        now->gap_r = wy_director_held(end, v3_sub(node->r, to->target_r));
        if (!end->holds_frame) continue;
        const mat3 d = tri_matrix(node->d);
        const mat3 turn = end->turns_free ? m3_between(to->target.c3, d.c3)
                                          : m3_mulm(d, m3_transpose(to->target));
        now->gap_turn = q_log(q_from_matrix(turn));
    }
}

/* ---- equations ----------------------------------------------------------------------------------- */

static void begin(void *self) {
    wy_director *x = self;
    wy_director_strains(x, 1);
    if (wy_director_is_thin(x))
        wy_director_thin_begin(x);
    else
        wy_director_sigma(x);
}

static withy_status residual(void *self, double *r, withy_error *err) {
    wy_director *x = self;
    WY_TRY(wy_director_see(x, 0, err));
    for (int j = 0; j < x->plan.node_count; j++) {
        double a[6][6], b[6];
        wy_director_node_terms(x, j, a, b);
        for (int k = 0; k < 6; k++) r[6 * j + k] = -b[k];
    }
    for (int e = 0; e < x->plan.n; e++) {
        double f[WY_ELEMENT_NODES][6];
        wy_director_element_side(x, e, f);
        for (int k = 0; k < 6 * (x->plan.p + 1); k++) r[6 * e * x->plan.p + k] += f[k / 6][k % 6];
    }
    for (int k = 0; k < x->plan.tendon_count; k++)
        if (x->plan.tendon[k].column >= 0)
            r[6 * x->plan.node_count + x->plan.tendon[k].column] =
                x->target[k] - wy_director_tendon_length(x, k, 1);
    for (int i = 0; i < 2; i++) wy_director_hold_way(x, i, &r[6 * x->plan.end[i].node]);
    return WITHY_OK;
}

static double rate(const void *self);

double wy_director_slender(const wy_director *x) {
    double most = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 3; k++) most = wy_max(most, x->plan.section[i].c[0][k]);
    return most * wy_director_soft(x) / x->plan.length;
}

/* The matrix of a thin rod is eliminated with row exchanges, which leave no signs.  On the way to an equilibrium those count
 * that are no artefact of the mesh: a coarse one lets a taut cable, whose bends it does not resolve, be unstable, in short
 * waves.  -1: there are none, or fewer. */
static withy_status surely_negative(wy_director *x, double shift, int *negative, withy_error *err) {
    const double beyond = WY_DIRECTOR_MESH * wy_director_slender(x) * rate(x);
    WY_TRY(wy_director_inertia(x, shift - beyond, 0, negative, err));
    if (*negative == 0) *negative = -1;
    x->step->shift = shift;
    return WITHY_OK;
}

/* b := (K - shift M)^-1 b, tensions included; a thin rod needs the solution itself once more, with what its
 * strains miss, as that of its forces is kept from the last solution. */
static void solve(void *self, double *b) {
    wy_director *x = self;
    wy_border *border = &x->border;
    const int rows = 6 * x->plan.node_count, thin = wy_director_is_thin(x);
    const int misses = thin && wy_director_thin_misses(x);
    double *side = border->line;
    for (int i = 0; i < rows && border->count && thin; i++) side[i] = b[i];
    if (thin)
        wy_director_thin_solve(x, b);
    else
        wy_director_solve_again(x, b);
    wy_border_solve_side(border, b);
    if (!border->count || !misses) return;
    for (int i = 0; i < rows; i++) {
        b[i] = side[i];
        for (int k = 0; k < border->count; k++)
            b[i] -= border->change[k] * border->bar[(size_t)k * (size_t)rows + (size_t)i];
    }
    wy_director_thin_repeat(x);
    wy_director_thin_solve(x, b);
}

/* The border of the factors just made. */
static withy_status close_border(wy_director *x, int *negative, withy_error *err) {
    if (!x->border.count) return WITHY_OK;
    if (!wy_director_tendons_border(x))
        return wy_fail(err, WITHY_NO_CONVERGENCE, "director: the tangent is singular");
    if (*negative >= 0) *negative = x->border.negative < 0 ? -1 : *negative - x->border.negative;
    return WITHY_OK;
}

static withy_status newton(void *self, double shift, int again, double *change, int *negative,
                           withy_error *err) {
    wy_director *x = self;
    double side[6];
    int finite = 1;
    x->step->shift = shift, x->step->keeps = again || x->border.count;
    if (wy_director_is_thin(x)) {
        *negative = -1;
        x->step->shift = 0;
        if (change) WY_TRY(residual(x, change, err));
        x->step->shift = shift;
        WY_TRY(wy_director_see(x, 1, err));
        const int misses = wy_director_thin_misses(x);
        wy_director_thin_forget(x);
        WY_TRY(wy_director_thin_factor(x, err));
        WY_TRY(close_border(x, negative, err));
        if (x->step->weighed) WY_TRY(surely_negative(x, shift, negative, err));
        if (misses) wy_director_thin_repeat(x);
        if (change) solve(x, change);
        return WITHY_OK;
    }
    WY_TRY(wy_director_see(x, 1, err));
    wy_director_sweep(x, side);
    wy_director_back(x, side);
    *negative = x->step->negative;
    WY_TRY(close_border(x, negative, err));
    if (x->border.count) {
        for (int i = 0; i < x->border.rows; i++) x->border.line[i] = x->next[i / 6].change[i % 6];
        wy_border_solve(&x->border, x->border.line);
        for (int i = 0; i < x->border.rows; i++) x->next[i / 6].change[i % 6] = x->border.line[i];
        for (int k = 0; k < x->border.count && change; k++)
            change[x->border.rows + k] = x->border.change[k];
    }
    for (int j = 0; j < x->plan.node_count; j++) {
        const double *from = x->next[j].change;
        if (change) memcpy(&change[6 * j], from, 6 * sizeof *from);
        finite = finite && wy_all_finite(6, from);
    }
    if (finite) return WITHY_OK;
    return wy_fail(err, WITHY_NO_CONVERGENCE, "director: the tangent is singular");
}

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    return newton(self, shift, 1, NULL, negative, err);
}

/* ---- the shape ----------------------------------------------------------------------------------- */

static void move(void *self, const double *change, double share) {
    wy_director *x = self;
    for (int j = 0; j < x->plan.node_count; j++)
        memcpy(x->next[j].change, &change[6 * j], sizeof x->next[j].change);
    for (int k = 0; k < x->border.count; k++)
        x->border.change[k] = change[6 * x->plan.node_count + k];
    wy_director_tendons_move(x, &x->border, share);
    wy_director_thin_move(x, share);
    wy_director_absorb(x);
    wy_director_stay(x);
}

static double strain(const void *self, double *s) {
    const wy_director *x = self;
    int node;
    const double turn = wy_director_turn(x, &node);
    *s = x->plan.s[node];
    return turn / TURN_DOUBT;
}

static double energy(const void *self) {
    const wy_director_now *now = ((const wy_director *)self)->now;
    const withy_energies *e = &now->energy;
    return e->shear + e->stretch + e->bend + e->twist + e->gravity + now->spring_energy +
           now->floor_energy;
}

/* Without a potential the tangent is not symmetric, and the signs of its pivots do not decide
 * stability. */
static int potential(const void *self) {
    const wy_director *x = self;
    const int driven = x->plan.drags && !v3_is_zero(x->plan.problem->rotating.spin);
    return !driven && wy_has_potential(x->plan.rod, x->now->pulling != 0, 0);
}

static withy_status exact(void *self, int *on, withy_error *err) {
    wy_director *x = self;
    *on = 1;
    WY_TRY(wy_director_thin_make(x, err));
    wy_director_thin_set(x, 1);
    return WITHY_OK;
}

static void weigh(void *self, int on) {
    ((wy_director *)self)->step->weighed = on;
}

static double rate(const void *self) {
    const wy_director *x = self;
    const double period = wy_director_slow_period(x);
    if (x->step->weighed) return 3.516 * 3.516 / (x->plan.length * wy_director_soft(x));
    const double omega = period > 0 ? 2 * WY_PI / period : 0.0;
    return omega * omega;
}

static withy_status settle(void *self, double factor, withy_error *err) {
    (void)factor;
    wy_director *x = self;
    wy_director_strains(x, 1);
    WY_TRY(wy_director_see(x, 0, err));
    if (wy_director_is_thin(x)) wy_director_thin_settle(x);
    wy_director_reactions(x);
    wy_director_energies(x);
    x->setup->stats->energy_end = wy_director_energy(x);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    return wy_director_let_go(self, moving, err);
}

const wy_door wy_director_door = {WY_DIRECTOR_DOOR(director)};
