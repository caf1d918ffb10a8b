/* cable_form.c - the form of cables at rest from any shape, slack and straight ones too (wy_equations.form).
 *
 *   1  force densities: with n = q r' one linear solution gives the positions for every q; q such that |r'| is on
 *      average 1 + q |r'|/EA
 *   2  Newton with the tensions as unknowns from there, T = q |r'| (cable.c, mixed.h)
 *   3  failing that the potential, which is convex for cables that bear no pressure, is descended from 1: Newton with at
 *      least the tension `least` in the geometric stiffness, which vanishes on the way, and the slope along the way as
 *      what a step must reduce.  Cables, or parts of them, that end up slack keep any shape without tension.
 *
 * docs/theory/cable.md, section 4.
 */
#include "method/director/law/law.h"
#include "method/director/network.h"
#include "method/director/rod/cable.h"

enum { SOLVES = 40, LINEAR = 12, NEWTONS = 40, DESCENTS = 400, HALVINGS = 24 };

static const double DONE = 1e-10, CLOSE = 1e-6; /* of the length */
static const double SHIFT = 1e-9;               /* of the rate: motions without stiffness */
static const double LEAST = 1e-9;               /* of the scale: where a descent ends */

typedef struct form {
    wy_network *net;
    wy_vector_layout layout;
    double *change, *side, *kept; /* [rows] */
    char *state;                  /* that of the network where a step begins */
    double scale;                 /* of tensions */
} form;

/* ---- steps ------------------------------------------------------------------------------------------- */

static void set_all(const wy_network *net, double density, double least) {
    for (int i = 0; i < net->plan.rods; i++)
        net->rod[i].step->density = density, net->rod[i].step->least = least;
}

static void set_mixed(const wy_network *net, int on) {
    for (int i = 0; i < net->plan.rods; i++) wy_director_mixed_set(&net->rod[i], on);
}

/* Largest displacement over the length, or turn. */
static double size_of(const form *x) {
    const wy_vector_range *e = &x->layout.shift, *t = &x->layout.turn;
    double most = 0;
    for (int i = 0; i < e->nodes; i++) {
        const vec3 shift = v3_from(&x->change[e->first + i * e->node]);
        const vec3 turn = v3_from(&x->change[t->first + i * t->node]);
        const double size = wy_max(v3_norm(shift) / x->layout.length, v3_norm(turn));
        if (!isfinite(size)) return INFINITY;
        most = wy_max(most, size);
    }
    return most;
}

/* Newton's change of the present shape; its size: INFINITY: none. */
static withy_status find_change(form *x, double *size, withy_error *err) {
    const wy_equations *own = &wy_network_statics;
    int negative;
    const withy_status status =
        own->newton(x->net, -SHIFT * own->rate(x->net), 0, x->change, &negative, err);
    *size = status == WITHY_OK ? size_of(x) : INFINITY;
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

static void move(form *x, double share) {
    wy_network_statics.move(x->net, x->change, share);
}

static void keep(form *x) {
    memcpy(x->state, x->net->state, x->net->state_size);
}

static void take_back(form *x) {
    memcpy(x->net->state, x->state, x->net->state_size);
    for (int i = 0; i < x->net->plan.rods; i++) wy_director_zero_increment(&x->net->rod[i]);
}

/* ---- 1: force densities -------------------------------------------------------------------------------- */

/* Means of |r'| and of 1/EA over all cables. */
static double mean_length(const wy_network *net, double *soft) {
    double sum = 0, weights = 0, flexible = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        if (!wy_is_cable(&x->plan)) continue;
        wy_director_strains(x, 1);
        for (int at = 0; at < x->plan.n * x->plan.p; at++) {
            const wy_director_section *g = &x->plan.section[at];
            sum += g->weight * x->strain[at].start[0][WITHY_STRETCH] / g->rest[0][WITHY_STRETCH];
            flexible += g->weight / g->c[0][WITHY_STRETCH], weights += g->weight;
        }
    }
    *soft = flexible / weights;
    return sum / weights;
}

/* The shape with this force density: linear, where there are cables and points only. */
static withy_status solve_density(form *x, double q, int *found, withy_error *err) {
    *found = 0;
    set_all(x->net, q, 0);
    for (int k = 0; k < LINEAR && !*found; k++) {
        double size;
        wy_constraints_begin(x->net);
        WY_TRY(find_change(x, &size, err));
        if (!isfinite(size)) return WITHY_OK;
        move(x, size > 1 && k ? 1 / size : 1.0);
        *found = size < CLOSE;
    }
    return WITHY_OK;
}

/* q of |r'| = 1 + q |r'|/EA on average; found = 0: none, as where nothing pulls at slack cables. */
static withy_status find_density(form *x, double *density, int *found, withy_error *err) {
    double low = 0, high = 0, q = x->scale;
    for (int k = 0; k < SOLVES; k++) {
        double soft;
        WY_TRY(solve_density(x, q, found, err));
        const double m = mean_length(x->net, &soft);
        *density = q;
        if (!*found || !isfinite(m)) return *found = 0, WITHY_OK;
        const double left = m * (1 - q * soft) - 1;
        if (fabs(left) < 1e-3 * fabs(m - 1) || fabs(left) < 1e-9) return WITHY_OK;
        *(left > 0 ? &low : &high) = q;
        q = !(low > 0) ? 0.2 * q : !(high > 0) ? 5 * q : sqrt(low * high);
        if (!(q > 1e-12 * x->scale) || !(q < 1e12 * x->scale)) return *found = 0, WITHY_OK;
        if (low > 0 && high > 0 && high - low < 1e-4 * low) return WITHY_OK;
    }
    return WITHY_OK;
}

/* ---- 2: tensions as unknowns ------------------------------------------------------------------------------ */

static void start_tensions(const wy_network *net, double q) {
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        wy_director_rest_begin(x);
        for (int at = 0; at < x->plan.n * x->plan.p && wy_is_cable(&x->plan); at++)
            x->stress[at].sigma[0] = (lane){0, 0, q * x->strain[at].start[0][WITHY_STRETCH], 0};
    }
}

static withy_status newton(form *x, double q, int *found, withy_error *err) {
    *found = 0;
    set_all(x->net, 0, LEAST * x->scale);
    set_mixed(x->net, 1);
    wy_network_mixed_clear(x->net);
    start_tensions(x->net, q);
    wy_constraints_begin(x->net);
    wy_loops_begin(x->net);
    for (int k = 0; k < NEWTONS && !*found; k++) {
        double size;
        WY_TRY(find_change(x, &size, err));
        if (!(size < 1e3)) return WITHY_OK;
        move(x, size > 1 ? 1 / size : 1.0);
        *found = size < DONE;
    }
    return WITHY_OK;
}

/* ---- 3: the potential descends ------------------------------------------------------------------------------ */

/* Its slope along the change, as it was found: what is held does not move any more. */
static withy_status slope_at(form *x, double *slope, withy_error *err) {
    double sum = 0;
    WY_TRY(wy_network_statics.residual(x->net, x->side, err));
    for (int i = 0; i < x->layout.rows; i++) sum += x->side[i] * x->kept[i];
    *slope = sum;
    return WITHY_OK;
}

/* As far along the change as its slope stays below a part of what it was. */
static withy_status go_down(form *x, double size, double *share, withy_error *err) {
    double first, now, low = 0, high = 0;
    memcpy(x->kept, x->change, (size_t)x->layout.rows * sizeof *x->kept);
    WY_TRY(slope_at(x, &first, err));
    *share = size > 1 ? 1 / size : 1.0;
    keep(x);
    for (int k = 0; k < HALVINGS; k++) {
        memcpy(x->change, x->kept, (size_t)x->layout.rows * sizeof *x->kept);
        move(x, *share);
        WY_TRY(slope_at(x, &now, err));
        if (fabs(now) <= 0.7 * fabs(first) || (now > 0 && !(high > 0))) return WITHY_OK;
        *(now > 0 ? &low : &high) = *share;
        *share = 0.5 * (low + high);
        take_back(x);
    }
    move(x, *share);
    return WITHY_OK;
}

static withy_status descend(form *x, int *found, withy_error *err) {
    double least = x->scale;
    *found = 0;
    set_mixed(x->net, 0);
    for (int k = 0; k < DESCENTS && !*found; k++) {
        double size, share;
        set_all(x->net, 0, least);
        wy_constraints_begin(x->net);
        WY_TRY(find_change(x, &size, err));
        if (!isfinite(size)) {
            least = wy_max(10 * least, LEAST * x->scale);
            if (!(least < 1e6 * x->scale)) return WITHY_OK;
            continue;
        }
        WY_TRY(go_down(x, size, &share, err));
        *found = size < DONE && least <= LEAST * x->scale;
        least = share < 0.5 ? 2 * least : wy_max(0.2 * least, LEAST * x->scale);
    }
    return WITHY_OK;
}

/* ---- all three -------------------------------------------------------------------------------------------------- */

static withy_status find(form *x, int *found, withy_error *err) {
    const int mixed = wy_network_is_mixed(x->net);
    double q = 0;
    char *begun = wy_alloc(x->net->state_size, 1), *shaped = wy_alloc(x->net->state_size, 1);
    withy_status status = begun && shaped ? WITHY_OK : wy_network_no_memory(err);
    if (status == WITHY_OK) {
        memcpy(begun, x->net->state, x->net->state_size);
        set_mixed(x->net, 0);
        status = find_density(x, &q, found, err);
    }
    const int has_density = status == WITHY_OK && *found;
    if (status == WITHY_OK) memcpy(shaped, x->net->state, x->net->state_size);
    if (has_density && mixed) status = newton(x, q, found, err);
    if (status == WITHY_OK && !(has_density && mixed && *found)) {
        if (has_density)
            memcpy(x->net->state, shaped, x->net->state_size);
        else
            memcpy(x->net->state, begun, x->net->state_size);
        status = descend(x, found, err);
    }
    set_all(x->net, 0, LEAST * x->scale), set_mixed(x->net, mixed);
    if (begun && !(status == WITHY_OK && *found)) memcpy(x->net->state, begun, x->net->state_size);
    for (int i = 0; i < x->net->plan.rods; i++) wy_director_zero_increment(&x->net->rod[i]);
    wy_free(begun), wy_free(shaped);
    return status;
}

withy_status wy_network_form(void *self, int *found, withy_error *err) {
    form x = {.net = self, .layout = wy_network_statics.layout(self)};
    *found = 0;
    if (x.net->contacts || x.net->border.count) return WITHY_OK;
    for (int i = 0; i < x.net->plan.rods; i++)
        if (wy_is_cable(&x.net->rod[i].plan))
            x.scale = wy_max(x.scale, wy_cable_scale(&x.net->rod[i].plan));
    if (!(x.scale > 0)) return WITHY_OK; /* no cables */
    const size_t rows = (size_t)x.layout.rows;
    x.change = wy_alloc(3 * rows, sizeof *x.change);
    x.state = wy_alloc(x.net->state_size, 1);
    withy_status status = x.change && x.state ? WITHY_OK : wy_network_no_memory(err);
    if (status == WITHY_OK) {
        x.side = x.change + rows, x.kept = x.side + rows;
        status = find(&x, found, err);
    }
    wy_free(x.change), wy_free(x.state);
    return status;
}
