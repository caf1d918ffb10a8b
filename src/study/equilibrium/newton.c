/* newton.c - Newton's method on the equations of a method.
 *
 *   (K - shift M) change = r,   shape <- shape + share change
 *
 * until the change is at rounding.  The share keeps any section from turning by more than TURN_MOST at
 * once; a run that leaves the neighbourhood of the last equilibrium is abandoned, since what it would
 * find may be another branch, and on a coarse mesh one that only the mesh has.
 */
#include "model/network.h"
#include "study/equilibrium/equations.h"

static const double DONE = 1e-9;           /* quadratic: what is left is below rounding  */
static const double STALLED = 1e-7;        /* rounding of a very stiff rod               */
static const double TURN_MOST = 0.5;       /* of one change                              */
static const double SHARE_LEAST = 1 / 64.; /* of a change that is shortened              */
/* A motion without stiffness (a pinned rod may turn about itself) would make K singular: this much of
 * W is added, in units of the lowest value, or what is above the rounding of K; and STIFF near a branch
 * point, where a stiffness goes through zero. */
static const double NEUTRAL = 1e-9, ROUNDING = 2e-15, ROUNDING_EXACT = 1e-13, STIFF = 1e-3;
static const double SPRING_RATIO_MOST =
    1e10; /* beyond, a hundredth of the softest spring is rounding */
static const double LOST =
    1e-7; /* less stiffness than this counts as zero; at least 10 times what is added */
/* Times both where a rod does not stretch: the constraint costs a digit.  Free turns were seen to have 1.2e-7. */
static const double RIGID = 10;
/* Thinner than r/L = 1e-4 a method loses too many digits unless it takes care. */
static const double THIN = 5e8;
static const double AHEAD = 1e-11; /* the next change, as the last ones foretell it */
static const double SURE = 1e-5;   /* below it, three of them may */
/* After a change of this size the shape is near an equilibrium, and only there motions have no stiffness. */
static const double SMALL = 1e-2;
/* Along itself a closed rod slides freely but for what the mesh resists, which may have either sign; up to a hundredth was seen. */
static const double SLIDES = 2e-2;
enum { ITERATIONS = 30 };

/* ---- opening ------------------------------------------------------------------------------------- */

/* The first part that nothing holds, -1: none; without memory none is found. */
static int floating_part(const withy_problem *problem) {
    int *up = wy_alloc((size_t)problem->rod_count + (size_t)problem->body_count + 1, sizeof *up);
    const int part = up && !problem->floor.given ? wy_network_floating(problem, up) : -1;
    wy_free(up);
    return part;
}

int wy_is_unsupported(const withy_problem *problem) {
    return floating_part(problem) >= 0;
}

/* The message is about this part, which has a place in a scene. */
static withy_status about_part(const withy_sim *sim, int part, withy_error *err) {
    const int rods = sim->problem.rod_count, body = part - rods;
    if (!err) return WITHY_UNSUPPORTED;
    if (rods == 1 && part == 0)
        snprintf(err->path, sizeof err->path, "rod");
    else
        snprintf(err->path, sizeof err->path, body < 0 ? "rods[%d]" : "bodies[%d]",
                 (body < 0 ? part : body) + 1);
    return WITHY_UNSUPPORTED;
}

/* The message is that of a rod alone, whatever else is in the scene; only then it needs no name. */
static withy_status refuse_free_rod(const withy_sim *sim, int rod, withy_error *err) {
    const withy_problem *problem = &sim->problem;
    const int alone = problem->rod_count == 1 && problem->body_count == 0;
    char name[WITHY_NAME];
    const char *own = wy_name_or(problem->rod[rod].name, "rod", rod, name, sizeof name);
    wy_fail(err, WITHY_UNSUPPORTED,
            "%s: %s%s%s is not supported (no end is clamped, pinned or on a spring), so "
            "its equilibrium is not unique; hold an end, or compute its motion from "
            "an initial shape (withy run)",
            sim->method->name, alone ? "the rod" : "rod \"", alone ? "" : own, alone ? "" : "\"");
    return about_part(sim, rod, err);
}

withy_status wy_static_check_supports(const withy_sim *sim, withy_error *err) {
    const withy_problem *problem = &sim->problem;
    const int part = floating_part(problem), rods = problem->rod_count;
    char name[WITHY_NAME];
    if (part < 0) return WITHY_OK;
    if (part < rods && !wy_rod_is_joined(problem, part)) return refuse_free_rod(sim, part, err);
    const withy_place place = {.part = part < rods ? WITHY_PART_ROD : WITHY_PART_BODY,
                               .index = part < rods ? part : part - rods};
    wy_fail(err, WITHY_UNSUPPORTED,
            "%s: %s \"%s\" is held by nothing: neither an end nor its joints lead to the "
            "ground, so its equilibrium is not unique; hold it, join it to a part that "
            "is held, or compute its motion from an initial "
            "shape (withy run)",
            sim->method->name, part < rods ? "rod" : "body",
            wy_place_name(problem, &place, name, sizeof name));
    return about_part(sim, part, err);
}

static withy_status take(withy_sim *sim, withy_error *err) {
    wy_static *x = wy_arena_alloc(&sim->arena, 1, sizeof *x);
    const wy_vector_layout layout = sim->method->equations->layout(sim->self);
    const int rows = layout.rows;
    const size_t vectors = 5 + WY_STATIC_ZERO_CLOSED;
    double *room = wy_arena_alloc(&sim->arena, vectors * (size_t)rows, sizeof *room);
    char *copies = wy_arena_alloc(&sim->arena, 3, sim->state.used);
    if (!x || !room || !copies)
        return wy_fail(err, WITHY_NO_MEMORY, "%s: no memory for statics", sim->method->name);
    *x = (wy_static){.sim = sim,
                     .equations = sim->method->equations,
                     .self = sim->self,
                     .layout = layout,
                     .rows = rows};
    x->change = room, x->side = room + rows;
    x->moved = room + 2 * (size_t)rows, x->toward = room + 3 * (size_t)rows;
    x->missing = room + 4 * (size_t)rows, x->loose = room + 5 * (size_t)rows;
    x->candidates = sim->method->equations->mass ? wy_static_candidates(sim) : 0;
    if (x->candidates > rows) x->candidates = rows;
    x->slender = wy_static_slender(sim, &x->round);
    x->spring_ratio = wy_static_spring_ratio(sim);
    if (x->spring_ratio > SPRING_RATIO_MOST)
        wy_note(&sim->notes, WY_NOTE(spring_hidden), sim->method->name, x->spring_ratio);
    x->spring_ratio = wy_min(x->spring_ratio, SPRING_RATIO_MOST);
    x->saved = copies, x->tried = copies + sim->state.used;
    x->begun = copies + 2 * sim->state.used;
    sim->equilibrium = x;
    return WITHY_OK;
}

/* ---- the size of a change -------------------------------------------------------------------------- */

static double square_at(const wy_vector_range *e, int i, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < e->count; k++) {
        const int at = e->first + i * e->node + k * e->entry;
        sum += a[at] * b[at];
    }
    return sum;
}

double wy_vector_largest(const wy_vector_range *e, const double *v) {
    double most = 0;
    for (int i = 0; i < e->nodes; i++) most = wy_max(most, square_at(e, i, v, v));
    return sqrt(most);
}

double wy_static_unit(const wy_vector_layout *l, int i) {
    return l->groups.count ? l->groups.one[l->groups.of[i]].length : l->length;
}

double wy_static_shift(const wy_static *x, const double *change) {
    const wy_vector_layout *l = &x->layout;
    double most = 0;
    for (int i = 0; i < l->shift.nodes; i++)
        most =
            wy_max(most, square_at(&l->shift, i, change, change) * pow(wy_static_unit(l, i), -2));
    return sqrt(most);
}

double wy_static_size(const wy_static *x, const double *change) {
    const wy_vector_layout *l = &x->layout;
    if (!wy_all_finite(l->rows, change)) return INFINITY;
    return wy_max(wy_static_shift(x, change), wy_vector_largest(&l->turn, change));
}

/* Over the length of each group: neither what rests nor the mesh changes it. */
static double product_of_groups(const wy_vector_layout *l, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < l->shift.nodes; i++) {
        const double unit = wy_static_unit(l, i),
                     shift = square_at(&l->shift, i, a, b) / (unit * unit);
        sum += l->groups.share[i] * (shift + square_at(&l->turn, i, a, b));
    }
    return sum;
}

double wy_static_product(const wy_static *x, const double *a, const double *b) {
    const wy_vector_layout *l = &x->layout;
    double shifts = 0, turns = 0;
    if (l->groups.count) return product_of_groups(l, a, b);
    for (int i = 0; i < l->shift.nodes; i++) shifts += square_at(&l->shift, i, a, b);
    for (int i = 0; i < l->turn.nodes; i++) turns += square_at(&l->turn, i, a, b);
    return (shifts / (l->length * l->length) + turns) / l->shift.nodes;
}

/* Multipliers belong to all. */
int wy_static_uses_row(const wy_static *x, int row) {
    const wy_vector_layout *l = &x->layout;
    const int node = l->shift.node ? row / l->shift.node : 0;
    return !x->only || node >= l->shift.nodes || l->groups.of[node] == x->only - 1;
}

/* With the same sequence in two groups that are alike, all vectors of a block would be (u, u), and none of it could become
 * (u, -u): half of their modes would be missing.  One vector alone pushes each group as if it were alone. */
void wy_static_random_vectors(const wy_static *x, uint32_t seed, int count, double *v) {
    const wy_vector_layout *l = &x->layout;
    const uint32_t apart = count > 1 && !x->only ? 2654435761u : 0;
    uint32_t one = seed, *own = wy_alloc((size_t)l->groups.count + 1, sizeof *own);
    for (int g = 0; own && g <= l->groups.count; g++) own[g] = seed + (uint32_t)g * apart;
    for (int i = 0; i < count * x->rows; i++) {
        const int r = i % x->rows, node = l->shift.node ? r / l->shift.node : 0;
        const int in = own && l->groups.count && node < l->shift.nodes;
        uint32_t *at = in ? &own[l->groups.of[node]] : &one;
        *at = *at * 1664525u + 1013904223u;
        v[i] = wy_static_uses_row(x, r) ? (double)(*at >> 8) / 8388608.0 - 1.0 : 0.0;
    }
    wy_free(own);
}

/* The units of stiffness, with the M that is in use. */
static void measure(wy_static *x) {
    x->unit = x->equations->mass ? x->equations->rate(x->self) : 0.0;
    const double more = x->sim->method->rigid >> WITHY_STRETCH & 1 ? RIGID : 1;
    x->fine = x->exact ? wy_max(30 * NEUTRAL / x->spring_ratio, ROUNDING_EXACT)
                       : wy_max(more * NEUTRAL / x->spring_ratio, ROUNDING * x->slender);
    x->lost = wy_max(more * LOST / x->spring_ratio, 10 * x->fine);
    if (x->candidates == WY_STATIC_ZERO_CLOSED) x->lost = wy_max(x->lost, SLIDES);
    x->shift = -x->fine * x->unit;
}

static int is_thin(const wy_static *x) {
    return x->slender * x->spring_ratio > THIN;
}

/* ---- opening again ----------------------------------------------------------------------------------- */

withy_status wy_static_open(withy_sim *sim, wy_static **equilibrium, withy_error *err) {
    if (!sim->equilibrium) WY_TRY(take(sim, err));
    wy_static *x = *equilibrium = sim->equilibrium;
    x->at_start = 0, x->iterations = 0, x->negative = -1, x->first = 0;
    x->judged = 0, x->neutral = 0, x->flat = 0;
    x->left = 0, x->unbalanced = 0;
    x->soft = 0, x->loose_known = 0, x->counted = 0, x->slides = 0;
    x->seeks = x->bold = x->branches = x->rough = 0, x->predicted = 0;
    WY_TRY(x->equations->open(x->self, err));
    x->exact = 0;
    if (x->equations->exact && is_thin(x)) return wy_static_exact(x, err);
    measure(x);
    return WITHY_OK;
}

withy_status wy_static_exact(wy_static *x, withy_error *err) {
    WY_TRY(x->equations->exact(x->self, &x->exact, err));
    measure(x);
    return WITHY_OK;
}

withy_status wy_static_inexact(wy_static *x, withy_error *err) {
    if (!x->exact || is_thin(x)) return WITHY_OK;
    WY_TRY(x->equations->open(x->self, err));
    if (x->equations->weigh) x->equations->weigh(x->self, 1);
    x->exact = 0, x->loose_known = 0;
    measure(x);
    return WITHY_OK;
}

withy_status wy_static_begin(withy_sim *sim, wy_static **equilibrium, withy_error *err) {
    WY_TRY(wy_static_open(sim, equilibrium, err));
    if ((*equilibrium)->equations->weigh) (*equilibrium)->equations->weigh((*equilibrium)->self, 1);
    measure(*equilibrium);
    return WITHY_OK;
}

withy_status wy_static_load(wy_static *x, double factor, double part, withy_error *err) {
    const double t = x->at_start ? 0.0 : wy_sim_load_time(x->sim, factor);
    return x->equations->load(x->self, factor, t, part, err);
}

void wy_static_save(wy_static *x) {
    memcpy(x->saved, x->sim->state.base, x->sim->state.used);
}

void wy_static_restore(wy_static *x) {
    memcpy(x->sim->state.base, x->saved, x->sim->state.used);
}

int wy_static_may_continue(wy_static *x) {
    if (!x->stopped)
        x->stopped = wy_interrupt_check(&x->sim->interrupt, x->sim->core->t, NULL) != WITHY_OK;
    return !x->stopped;
}

withy_status wy_static_interrupted(wy_static *x, withy_error *err) {
    if (!x->stopped) return WITHY_OK;
    x->stopped = 0;
    return wy_fail(err, WITHY_INTERRUPTED, "stopped on request");
}

/* ---- one iteration ------------------------------------------------------------------------------- */

/* Right side: the residual, less the share of it that is allowed here. */
static withy_status find_side(wy_static *x, double *r, withy_error *err) {
    WY_TRY(x->equations->residual(x->self, r, err));
    for (int i = 0; i < x->rows && x->left > 0; i++) r[i] -= x->left * x->missing[i];
    return WITHY_OK;
}

withy_status wy_static_change(wy_static *x, double shift, int again, withy_error *err) {
    const wy_equations *equations = x->equations;
    x->judged = 0;
    WY_TRY(wy_interrupt_check(&x->sim->interrupt, x->sim->core->t, err));
    if (equations->newton && !(x->left > 0))
        return equations->newton(x->self, shift, again, x->change, &x->negative, err);
    WY_TRY(find_side(x, x->change, err));
    WY_TRY(equations->factor(x->self, shift, &x->negative, err));
    equations->solve(x->self, x->change);
    return WITHY_OK;
}

withy_status wy_static_store_residual(wy_static *x, withy_error *err) {
    const wy_equations *equations = x->equations;
    WY_TRY(wy_static_load(x, 0, 0, err));
    if (equations->begin) equations->begin(x->self);
    WY_TRY(equations->residual(x->self, x->missing, err));
    x->unbalanced = 0;
    for (int i = 0; i < x->rows; i++) x->unbalanced |= !(x->missing[i] == 0);
    if (!x->unbalanced) return WITHY_OK;
    const withy_status status = equations->factor(x->self, x->shift, &x->negative, err);
    memcpy(x->side, x->missing, (size_t)x->rows * sizeof *x->side);
    if (status == WITHY_OK) equations->solve(x->self, x->side);
    x->unbalanced = !(status == WITHY_OK && wy_static_size(x, x->side) <= STALLED);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

static void add_moved(wy_static *x, double share) {
    for (int i = 0; i < x->rows; i++) x->moved[i] += share * x->change[i];
}

double wy_static_move(wy_static *x, double size) {
    double share = size > TURN_MOST ? TURN_MOST / size : 1.0;
    if (x->equations->bound) share = x->equations->bound(x->self, x->change, share);
    x->equations->move(x->self, x->change, share);
    add_moved(x, share);
    return share;
}

/* Natural monotonicity (Deuflhard): the next change with the same factors must be smaller, whatever
 * the scaling of the equations; else the step is halved. */
static withy_status move_downhill(wy_static *x, double size, withy_error *err) {
    const wy_equations *equations = x->equations;
    const double now = sqrt(wy_static_product(x, x->change, x->change));
    double share = size > TURN_MOST ? TURN_MOST / size : 1.0;
    memcpy(x->tried, x->sim->state.base, x->sim->state.used);
    for (;; share *= 0.5) {
        equations->move(x->self, x->change, share);
        if (size <= STALLED || share < SHARE_LEAST) break;
        const withy_status status = find_side(x, x->side, err);
        if (status != WITHY_BAD_INPUT) { /* else a function of the state has no value there */
            WY_TRY(status);
            equations->solve(x->self, x->side);
            const double next = sqrt(wy_static_product(x, x->side, x->side));
            if (next <= (1 - 0.25 * share) * now) break;
        }
        memcpy(x->sim->state.base, x->tried, x->sim->state.used);
    }
    add_moved(x, share);
    return WITHY_OK;
}

int wy_static_done(double size, double before) {
    const double next = size * (size / before) * (size / before); /* quadratic */
    return size <= DONE || (size <= STALLED && size >= 0.3 * before) ||
           (isfinite(before) && size < 1e-6 && next <= AHEAD);
}

/* Of three changes that become smaller as the square of the one before: a method with constraints may have a small one
 * among large ones. */
static int foretold(double size, double before, double older) {
    const double constant = wy_max(size / (before * before), before / (older * older));
    return isfinite(older) && size < SURE && constant * size * size <= AHEAD;
}

/* ---- the tangent of the path -------------------------------------------------------------------- */

/* Newton's first change under new loads has their stiffness, but the stresses of the old ones.  A slender rod that
 * tendons press together by many times its buckling load is balanced only where both belong together: so the first
 * change is taken with the stiffness of the last equilibrium, which makes it the tangent of the path. */
withy_status wy_static_prepare_prediction(wy_static *x, int *ready, withy_error *err) {
    const withy_status status = x->equations->factor(x->self, x->shift, &x->negative, err);
    *ready = status == WITHY_OK;
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

withy_status wy_static_predict(wy_static *x, int *ready, withy_error *err) {
    WY_TRY(find_side(x, x->change, err));
    x->equations->solve(x->self, x->change);
    const double size = wy_static_size(x, x->change);
    x->first = size, *ready = size <= WY_STATIC_JUMP;
    if (!*ready) return WITHY_OK;
    memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    x->equations->move(x->self, x->change, 1);
    add_moved(x, 1);
    x->iterations++, x->predicted = 1;
    return WITHY_OK;
}

/* ---- Newton -------------------------------------------------------------------------------------- */

static withy_status iterate(wy_static *x, double shift, int *converged, withy_error *err) {
    double before = INFINITY, older = INFINITY;
    const int first = !x->predicted;
    x->predicted = 0;
    if (first) memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    if (x->equations->begin) x->equations->begin(x->self);
    for (int k = 0; k < ITERATIONS; k++) {
        const withy_status status =
            wy_static_change(x, shift, x->equations->damped || x->candidates, err);
        /* away from where it began a function of the state may have no value: a shorter step */
        if (status == WITHY_BAD_INPUT && k > 0) return WITHY_OK;
        WY_TRY(status);
        x->iterations++;
        wy_static_find_zero_modes(x, k == 0 || before < SMALL);
        x->slides = wy_static_slides(wy_static_project(x, x->change));
        if (x->slides) return WITHY_OK;
        const double size = wy_static_size(x, x->change);
        if (k == 0 && first) x->first = size;
        if (!(size < WY_STATIC_LARGEST_CHANGE) || (k == 0 && size > 2 * WY_STATIC_JUMP))
            return WITHY_OK;
        if (x->equations->damped)
            WY_TRY(move_downhill(x, size, err));
        else
            wy_static_move(x, size);
        *converged = (wy_static_done(size, before) || foretold(size, before, older)) &&
                     !(x->equations->switched && x->equations->switched(x->self));
        if (*converged) return WITHY_OK;
        if (k > 1 && !(wy_static_size(x, x->moved) <= 2 * WY_STATIC_JUMP)) return WITHY_OK;
        older = before, before = size;
    }
    return WITHY_OK;
}

withy_status wy_static_newton(wy_static *x, int stiffer, int *converged, withy_error *err) {
    const double shift = stiffer ? -wy_max(STIFF, x->fine) * x->unit : x->shift;
    *converged = 0, x->slides = 0;
    if (!x->predicted) x->first = INFINITY;
    const withy_status status = iterate(x, shift, converged, err);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK
                                          : status; /* singular: a shorter step may succeed */
}

double wy_static_displacement(const wy_static *x) {
    double s;
    if (x->equations->strain && x->equations->strain(x->self, &s) > x->equations->folds)
        return INFINITY;
    return wy_static_size(x, x->moved);
}
