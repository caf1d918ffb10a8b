/* eigenmodes.c - the modes of small motions about an equilibrium.
 *
 *   (lambda^2 M + lambda C + K) x = 0,   x(t) = exp(lambda t) x
 *
 * Without C the squares mu = -lambda^2 come from subspace.c; with damping, or in a turning frame, lambda
 * comes from quadratic.c.  A mode grows when re(lambda) > 0: by itself (divergence) or as an oscillation
 * (flutter).  It is neutral when lambda is zero within rounding: rigid motions, the spin of a rod
 * about its own axis, symmetries.
 *
 * All modes that grow are found, not only the lowest: the block is enlarged until it contains as many
 * as the pivots of K - shift M have shown or, where pivots have no signs, until the fastest of them is
 * well inside the block.  Which are listed: mode_list.c.
 */
#include "model/contact.h"
#include "study/modes/subspace.h"

static const double AT_REST = 1e-10; /* relative change of theta                                 */
static const double REST = 1e-5;    /* of the length: an equilibrium                              */
static const double FLUTTER = 1e-6; /* imaginary part of mu: more than a pair split by rounding */
static const double INSIDE = 0.5;   /* of the largest mu of the block                            */
/* Newton at a shape that is almost an equilibrium: changes, and what keeps K regular. */
static const double NEAR = 1e-10, FAR = 0.1, NEUTRAL = 1e-9;
/* Thinner than r/L = 1e-3: of the spin of a rod about itself, whose inertia is the least of all, nothing is right */
static const double SLENDER = 4e6;
static const double ROUNDED =
    1e-10; /* of the highest: perhaps neutral, with a shift so near to zero */
static const double FARTHER = 10; /* times the shift: another one is worth its factors */
static const double PLACES = 1e-6, PLACES_MOST = 0.1; /* of a frequency, by rounding of places */
enum { CORRECTIONS = 8, SHIFTS = 4 };

int wy_root_grows(const wy_root *root) {
    return root->re > 0.5 * FLUTTER * hypot(root->re, root->im);
}

/* ---- without damping ------------------------------------------------------------------------------- */

/* lambda = sqrt(-mu), the growing or upper of the two. */
static wy_root root_of(double mu, double im, double error) {
    wy_root root = {.order = mu};
    if (hypot(mu, im) <= error) {
        root.neutral = 1;
    } else if (fabs(im) <= FLUTTER * fabs(mu)) {
        root.re = mu < 0 ? sqrt(-mu) : 0, root.im = mu > 0 ? sqrt(mu) : 0;
    } else { /* sqrt(-mu - i im), with a positive imaginary part */
        const double size = hypot(mu, im);
        root.re = sqrt(0.5 * (size - mu)), root.im = sqrt(0.5 * (size + mu));
        if (root.im == 0) root.im = 0.5 * fabs(im) / root.re;
    }
    return root;
}

/* Of a complex pair of mu one mode grows and the other decays, with the same frequency.  The shape of
 * lambda = p + i q is that of mu = q^2 - p^2 - 2 i p q: the first of the pair, because its theta has im > 0. */
static void put_pair(const wy_ritz *b, int k, wy_root root, wy_roots *roots) {
    root.x = wy_ritz_at(b, b->x, k), root.y = wy_ritz_at(b, b->x, k + 1);
    roots->root[roots->count++] = root;
    root.re = -root.re, root.conjugate = 1;
    roots->root[roots->count++] = root;
}

withy_status wy_undamped_solve(wy_ritz *b, int count, wy_roots *roots, withy_error *err) {
    const int found = wy_min(wy_ritz_found(b), count);
    roots->root = wy_alloc((size_t)found + 2, sizeof *roots->root);
    if (!roots->root) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d modes", count);
    for (int k = 0; k < found; k++) {
        double im, error;
        const double mu = wy_ritz_mu(b, k, &im, &error);
        wy_root root = root_of(mu, im, error);
        root.x = wy_ritz_at(b, b->x, k);
        if (root.re != 0 && root.im != 0 && k + 1 < b->size)
            put_pair(b, k++, root, roots);
        else
            roots->root[roots->count++] = root;
    }
    return WITHY_OK;
}

/* ---- enough modes ------------------------------------------------------------------------------------ */

/* Does the block contain all modes that grow?  By the pivots, or because the fastest is inside it. */
static int contains_all(wy_ritz *b, int count) {
    const int found = wy_ritz_found(b);
    double fastest = 0, largest = 0;
    int below = 0, last = -1;
    for (int k = 0; k < found; k++) {
        double im, error;
        const double mu = wy_ritz_mu(b, k, &im, &error), size = hypot(mu, im);
        const wy_root root = root_of(mu, im, error);
        below += mu < b->shift;
        if (wy_root_grows(&root)) fastest = wy_max(fastest, size), last = k;
        largest = wy_max(largest, size);
    }
    if (found <= count) return 1; /* the mesh has no more */
    if (last >= count - 1) return 0;
    if (b->size == b->most) return 1;
    if (b->negative >= 0) return below >= b->negative || b->equilibrium->only;
    return fastest <= INSIDE * largest;
}

/* The shift for the modes that were found, where that of wy_equations.rate is too far from what they need; or 0.
 * Too near to zero for the lowest that is not neutral: a taut wire is stiffer than its bending by many orders, and a neutral
 * motion, which gets 1/shift, then drowns the others.  Too far for the highest: bodies that swing are softer than their
 * rods by as many, and all have almost the same theta, which hardly tells them apart. */
static double better_shift(wy_ritz *b, int count) {
    const int found = wy_min(wy_ritz_found(b), count);
    const double least = FARTHER * b->equilibrium->fine * wy_ritz_rate(b->equilibrium);
    double lowest = INFINITY, largest = 0;
    for (int k = found - 1; k >= 0; k--) { /* the highest first */
        double im, error;
        const double mu = wy_ritz_mu(b, k, &im, &error), size = hypot(mu, im);
        largest = wy_max(largest, size);
        if (size > wy_max(error, ROUNDED * largest)) lowest = wy_min(lowest, size);
    }
    const double shift = wy_ritz_shift(lowest);
    if (isfinite(shift) && fabs(shift) > FARTHER * fabs(b->shift)) return shift;
    const double nearer = -wy_max(fabs(wy_ritz_shift(largest)), least);
    return FARTHER * fabs(nearer) < fabs(b->shift) ? nearer : 0.0;
}

/* Frequencies of the first `count` that rounding of places decides: of rods that ends hold apart and that are so thin that
 * EA times a rounding is like what bends them.  No digit of these can be had in double precision. */
static withy_status check_rounding(wy_ritz *b, int count, withy_error *err) {
    const wy_static *x = b->equilibrium;
    double most = 0;
    if (!x->exact || !x->equations->rounding) return WITHY_OK;
    for (int k = 0; k < wy_min(count, wy_ritz_found(b)); k++) {
        double im, error;
        const double mu = wy_ritz_mu(b, k, &im, &error);
        if (hypot(mu, im) <= error) continue;
        most = wy_max(most, 0.5 * x->equations->rounding(x->self, wy_ritz_at(b, b->x, k)) /
                                hypot(mu, im));
    }
    if (most > PLACES_MOST)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "%s: what is held at both ends is so thin that rounding of its places is a "
                       "force that may move a frequency by %.1g of itself; let an end slide or "
                       "be free, or give it a tension that is more than that (r/L above 1e-7 is "
                       "enough for a straight rod)",
                       x->sim->method->name, most);
    if (most > PLACES) wy_note(&x->sim->notes, WY_NOTE(modes_rounded), x->sim->method->name, most);
    return WITHY_OK;
}

int wy_ritz_more(int count, int negative) {
    return wy_min(wy_max(2 * count, negative + 2), WY_MODES_MOST);
}

/* A block that has converged, with room for all modes that grow; *count grows with it. */
withy_status wy_ritz_find(wy_static *x, int *count, wy_ritz *b, int *settled, withy_error *err) {
    const int asked = *count;
    double shift = 0;
    WY_TRY(wy_ritz_neutral(x, b, err));
    for (int tries = 0;; wy_free(b->memory)) {
        WY_TRY(wy_ritz_take(x, *count, b, err));
        b->shift = shift;
        WY_TRY(wy_ritz_factor(b, err));
        WY_TRY(wy_ritz_iterate(b, *count, AT_REST, settled, err));
        const double better = tries++ < SHIFTS ? better_shift(b, *count) : 0.0;
        if (better != 0) {
            shift = better;
            continue;
        }
        if (contains_all(b, *count) || *count >= WY_MODES_MOST)
            return check_rounding(b, asked, err);
        *count = wy_ritz_more(*count, b->negative);
    }
}

/* ---- shapes ------------------------------------------------------------------------------------------- */

static double largest_part(vec3 v) {
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x >= y && x >= z ? v.x : y >= z ? v.y : v.z;
}

/* The largest amplitude of a vector field, and the station where it is. */
static double longest(int count, const withy_vec3 *v, const withy_vec3 *w, int *station) {
    double most = 0;
    *station = 0;
    for (int i = 0; i < count; i++) {
        const double size = hypot(v3_norm(v[i]), v3_norm(w[i]));
        if (size > most * (1 + 1e-9)) most = size, *station = i;
    }
    return most;
}

/* Phase at which the largest component at a station is real and positive. */
static void phase_of(withy_vec3 v, withy_vec3 w, double *c, double *s) {
    const double re[3] = {v.x, v.y, v.z}, im[3] = {w.x, w.y, w.z};
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (hypot(re[i], im[i]) > hypot(re[k], im[k]) * (1 + 1e-9)) k = i;
    const double size = hypot(re[k], im[k]);
    *c = size > 0 ? re[k] / size : 1, *s = size > 0 ? im[k] / size : 0;
    if (v3_norm(w) == 0) *c = largest_part(v) < 0 ? -1 : 1, *s = 0;
}

/* A largest displacement of L/10 (or, if nothing moves, a largest turn of 0.1), real and positive. */
void wy_mode_scale(withy_mode *mode, double length) {
    int at, turn_at;
    const double shift = longest(mode->count, mode->shift, mode->shift_im, &at);
    const double turn = longest(mode->count, mode->turn, mode->turn_im, &turn_at);
    const int moves = shift > 1e-6 * turn * length;
    const double k = moves ? 0.1 * length / shift : turn > 0 ? 0.1 / turn : 0;
    double c, s;
    if (moves)
        phase_of(mode->shift[at], mode->shift_im[at], &c, &s);
    else
        phase_of(mode->turn[turn_at], mode->turn_im[turn_at], &c, &s);
    withy_vec3 *part[2][2] = {{mode->shift, mode->shift_im}, {mode->turn, mode->turn_im}};
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < mode->count; i++) {
            const vec3 re = part[f][0][i], im = part[f][1][i];
            part[f][0][i] = v3_axpy(v3_scale(k * c, re), k * s, im);
            part[f][1][i] = v3_axpy(v3_scale(k * c, im), -k * s, re);
        }
    for (int i = 0; i < mode->count; i++)
        mode->position[i] = v3_add(mode->position[i], mode->shift[i]);
}

static void write_shape(const wy_static *x, const wy_root *root, withy_mode *mode) {
    const size_t bytes = (size_t)mode->count * sizeof *mode->shift;
    if (root->y) {
        x->equations->shape(x->self, root->y, mode);
        memcpy(mode->shift_im, mode->shift, bytes);
        memcpy(mode->turn_im, mode->turn, bytes);
        for (int i = 0; i < mode->count && root->conjugate; i++) {
            mode->shift_im[i] = v3_scale(-1, mode->shift_im[i]);
            mode->turn_im[i] = v3_scale(-1, mode->turn_im[i]);
        }
    }
    x->equations->shape(x->self, root->x, mode);
    wy_mode_scale(mode, wy_sim_length(x->sim));
}

void wy_mode_write(const wy_static *x, const wy_root *root, withy_mode *mode) {
    const double size = hypot(root->re, root->im);
    mode->growth = root->re;
    mode->frequency = fabs(root->im) / (2 * WY_PI);
    mode->damping = root->re != 0 ? -root->re / size : 0;
    mode->kind = root->neutral ? WITHY_MODE_NEUTRAL : WITHY_MODE_STABLE;
    if (wy_root_grows(root)) mode->kind = root->im > 0 ? WITHY_MODE_FLUTTER : WITHY_MODE_DIVERGENCE;
    if (mode->kind == WITHY_MODE_DIVERGENCE) mode->frequency = -root->re / (2 * WY_PI);
    if (mode->kind == WITHY_MODE_STABLE && root->im == 0) mode->kind = WITHY_MODE_DECAY;
    write_shape(x, root, mode);
}

/* ---- modes -------------------------------------------------------------------------------------------- */

/* The Newton change just computed shows how far the present shape is from equilibrium. */
withy_status wy_modes_at_rest(const wy_static *x, withy_error *err) {
    const double way = wy_static_size(x, x->change);
    if (way <= REST) return WITHY_OK;
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "%s: the shape is not an equilibrium (it would move by %.2g of its length), so it "
        "has no modes; start from the rest shape, or hold the rod",
        x->sim->method->name, way);
}

withy_status wy_modes_limit(wy_static *x, int *count, wy_ritz *b, withy_error *err) {
    const int asked = *count, up_to = asked >= WITHY_UP_TO;
    const char *name = x->sim->method->name;
    *b = (wy_ritz){.most = x->rows};
    if (x->equations->freedoms) WY_TRY(x->equations->freedoms(x->self, &b->most, &b->sure, err));
    b->most = wy_min(b->most, x->rows);
    if (b->most <= 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: nothing can move: joints and ends leave no degree of freedom, so there "
                       "are no modes; take one of them away, or give it a spring",
                       name);
    if (up_to) *count = asked - WITHY_UP_TO;
    return wy_modes_enough(x->sim, asked, b->most, count, err);
}

withy_status wy_modes_enough(const withy_sim *sim, int asked, int found, int *count,
                             withy_error *err) {
    if (found > 0 && asked >= WITHY_UP_TO) *count = wy_min(*count, found);
    if (found >= *count) return WITHY_OK;
    if (sim->problem.rod_count == 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: %d modes are requested, but bodies and joints alone have only %d "
                       "degree%s of freedom, with a mode each; request fewer",
                       sim->method->name, *count, found, found == 1 ? "" : "s");
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: %d modes are requested, but the mesh has only %d; use more nodes "
                   "(options.n, now %d)",
                   sim->method->name, *count, found, wy_sim_mesh(sim));
}

/* Newton at a shape that is an equilibrium, for another object of the method (wy_equations.whole) or with more digits
 * (wy_equations.exact); not farther than `most`. */
static withy_status correct(wy_static *x, double most, withy_error *err) {
    const double shift = -NEUTRAL * x->equations->rate(x->self);
    for (int k = 0; k < CORRECTIONS; k++) {
        if (x->equations->begin) x->equations->begin(x->self);
        WY_TRY(wy_static_change(x, shift, 0, err));
        const double size = wy_static_size(x, x->change);
        if (!(size <= most)) break;
        x->equations->move(x->self, x->change, 1.0);
        if (size <= NEAR) break;
    }
    return WITHY_OK;
}

/* The same for the rod as it can move, which another object of the method may stand for. */
static withy_status work_whole(wy_static *x, wy_modes_work work, void *context, withy_error *err) {
    void *other = x->self;
    if (x->equations->whole) WY_TRY(x->equations->whole(x->self, &other, err));
    if (other == x->self) return work(x, context, err);
    wy_static view = {.sim = x->sim, .equations = x->equations, .self = other};
    view.layout = x->equations->layout(other), view.rows = view.layout.rows;
    view.change = wy_alloc(2 * (size_t)view.rows, sizeof *view.change);
    if (!view.change) return wy_fail(err, WITHY_NO_MEMORY, "no memory for modes");
    view.side = view.change + view.rows;
    withy_status status = correct(&view, FAR, err);
    if (status == WITHY_OK) status = work(&view, context, err);
    wy_free(view.change);
    return status;
}

static withy_status check_mass(const withy_sim *sim, withy_error *err) {
    const wy_equations *equations = sim->method->equations;
    if (equations->rate(sim->self) > 0 && !(equations->massless && equations->massless(sim->self)))
        return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: the rod has no mass, so it has no frequencies; give rod.inertia.mass or "
                   "rod.material.density",
                   sim->method->name);
}

static withy_status check_contact(const withy_sim *sim, withy_error *err) {
    const wy_contact_kind *law = wy_contact_law_of(&sim->problem);
    if (law->steep)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "%s: modes with contact.law = \"%s\" are not computed; use \"compliant\"",
                       sim->method->name, law->name);
    if (!wy_contact_has_friction(&sim->problem)) return WITHY_OK;
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "%s: small vibrations of what sticks or slides by friction are not those of a "
                   "linear system; give friction = 0 for modes, or run the motion",
                   sim->method->name);
}

static withy_status check_slack(const wy_static *x, withy_error *err) {
    char name[WITHY_NAME];
    double s;
    int rod;
    if (!x->equations->slack || !x->equations->slack(x->self, &rod, &s)) return WITHY_OK;
    wy_name_or(x->sim->problem.rod[rod].name, "rod", rod, name, sizeof name);
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "%s: cable \"%s\" is slack at s = %.4g m, and small vibrations of a slack cable "
                   "are not linear; tighten it, or run the motion",
                   x->sim->method->name, name, s);
}

withy_status wy_modes_about(withy_sim *sim, wy_modes_work work, void *context, withy_error *err) {
    const wy_core *core = sim->core;
    wy_static *x;
    WY_TRY(check_mass(sim, err));
    WY_TRY(check_contact(sim, err));
    const double factor = core->equilibrium ? core->t : 1.0;
    const double t = core->equilibrium ? wy_sim_load_time(sim, core->t) : core->t;
    char *state = wy_alloc(1, sim->state.used);
    if (!state) return wy_fail(err, WITHY_NO_MEMORY, "no memory for modes");
    memcpy(state, sim->state.base, sim->state.used);
    withy_status status = wy_static_open(sim, &x, err);
    if (status == WITHY_OK && x->equations->exact && !x->exact && x->slender > SLENDER)
        status = wy_static_exact(x, err);
    if (status == WITHY_OK) status = x->equations->load(x->self, factor, t, 1, err);
    if (status == WITHY_OK && x->exact) status = correct(x, REST, err);
    if (status == WITHY_OK) status = check_slack(x, err);
    if (status == WITHY_OK) status = work_whole(x, work, context, err);
    memcpy(sim->state.base, state, sim->state.used);
    wy_free(state);
    return status;
}

static withy_status count_freedoms(wy_static *x, void *context, withy_error *err) {
    int sure;
    if (x->equations->freedoms) return x->equations->freedoms(x->self, context, &sure, err);
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "%s: degrees of freedom are counted where there are bodies or joints",
                   x->sim->method->name);
}

withy_status withy_sim_freedoms(withy_sim *sim, int *count, withy_error *err) {
    WY_NEED(sim, count);
    WY_TRY(wy_modes_allowed(sim, 1, err));
    return wy_modes_about(sim, count_freedoms, count, err);
}
