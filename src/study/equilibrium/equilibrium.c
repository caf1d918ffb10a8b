/* equilibrium.c - natural continuation: from one equilibrium to the next.
 *
 * The change of the factor, and any distance that a held end still has to move, is covered in fractions that
 * are made smaller when Newton fails, when a section turns too far, or when stability is lost: such a
 * step may have missed the stable branch that an imperfection leads to.  The first path begins at the
 * initial shape, which is seldom in balance: its residual is applied as a load that is reduced to zero
 * along the path.
 */
#include "study/equilibrium/equations.h"

static const double FRACTION_CAREFUL = 2e-5;  /* before a change of stability is accepted */
static const double FRACTION_REPORTED = 1e-3; /* before it is left for the stable branch  */
static const double FRACTION_LEAST = 1e-6;    /* of a change of load                      */

/* Of wy_static.slender, r/L = 1e-3: rounding may be the reason why Newton fails. */
static const double VERY_SLENDER = 4e6;

/* Newton runs that converge slowly, and so fail, shorten a way to what may take hours; ways that are found
 * have not needed half of this.  Before a descent is tried, fewer: it is often quicker; from where heavy loads are
 * in balance at once, they need still fewer. */
enum { ITERATIONS_MOST = 3000, ITERATIONS_FIRST = 300, ITERATIONS_HEAVY = 60 };

enum { SPINS = 2 }; /* candidates of a rod that is held at both ends */

static const double STUB = 0.1; /* of a step: a remainder shorter than this is joined to it */
static const double FIRST_SMALL = 0.1; /* of the first change of a Newton run      */

/* A change of the factor. */
typedef struct way {
    double from, to;
    double done; /* of it: 0 .. 1 */
    double lost; /* share at which stability is known to be lost; 0: it is not */
} way;

static double factor_at(const way *w, double share) {
    return share < 1 ? w->from + share * (w->to - w->from) : w->to;
}

/* 1: no end is held, so that only the floor can. */
static int lies_loose(const withy_problem *problem) {
    int held = 0;
    for (int i = 0; i < 2 * problem->rod_count; i++) {
        const withy_end *end = &problem->rod[i / 2].end[i % 2];
        held |= wy_end_holds(end) || end->spring > 0;
    }
    return problem->floor.given && !held;
}

/* Why there is none: nothing is held, a mesh that is too coarse, or the path. */
static withy_status not_found(wy_static *x, const way *w, withy_error *err) {
    const withy_sim *sim = x->sim;
    if (lies_loose(&sim->problem))
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "%s: no end is held, and no equilibrium on the floor was found from the "
                       "initial shape; hold an end, or compute the motion from there, with damping",
                       sim->method->name);
    double s = 0;
    const double strain = x->equations->strain ? x->equations->strain(x->self, &s) : 0;
    const double last = factor_at(w, w->done);
    if (strain > 0.9)
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "%s: no equilibrium was found beyond factor %g towards %g, where the rod "
            "turns by %.0f degrees between two nodes at s = %.4g, more than the mesh resolves "
            "(45); use more nodes (options.n, now %d)",
            sim->method->name, last, w->to, 45 * strain, s, wy_sim_mesh(sim));
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "%s: no equilibrium was found beyond factor %g towards %g; the path may turn "
                   "there (path.arc_length = true follows it), or the rod may need more nodes "
                   "(options.n, now %d)",
                   sim->method->name, last, w->to, wy_sim_mesh(sim));
}

/* Many short steps, each of many iterations. */
static withy_status too_slow(const wy_static *x, const way *w, withy_error *err) {
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "%s: no convergence: reached factor %g of %g after %d iterations; use more "
                   "nodes (options.n, "
                   "now %d) or shorter steps (path.steps)",
                   x->sim->method->name, factor_at(w, w->done), w->to, x->iterations,
                   wy_sim_mesh(x->sim));
}

/* Back at the last equilibrium, with its loads. */
static withy_status go_back(wy_static *x, const way *w, withy_error *err) {
    wy_static_restore(x);
    return wy_static_load(x, factor_at(w, w->done), w->done, err);
}

/* The share of the last fraction to try next. */
static double shorter(const wy_static *x, double moved) {
    const double first =
        wy_max(x->first, 1e-3); /* linear in the load: the share that is feasible */
    const double share = moved < WY_STATIC_JUMP ? 0.25 : 0.7 * WY_STATIC_JUMP / first;
    return wy_max(0.05, wy_min(0.5, share));
}

/* Newton at a share of the change.  If it begins with a small change and yet fails, it is near a branch
 * point, where smaller steps would not help.  aimed: the factors are those of the last equilibrium, which
 * Newton leaves behind where it converges. */
static withy_status attempt(wy_static *x, const way *w, double to, int *aimed, int *converged,
                            withy_error *err) {
    const int predicts = x->equations->predicts && x->candidates == 0;
    int ready = predicts && *aimed;
    *converged = *aimed = 0, x->slides = 0;
    if (predicts && !ready) {
        WY_TRY(wy_static_load(x, factor_at(w, w->done), w->done, err));
        WY_TRY(wy_static_prepare_prediction(x, &ready, err));
    }
    x->left = x->unbalanced ? 1 - to : 0.0;
    WY_TRY(wy_static_load(x, factor_at(w, to), to, err));
    if (ready) {
        WY_TRY(wy_static_predict(x, &ready, err));
        *aimed = !ready;
        if (!ready) return WITHY_OK; /* x->first says how far it would go */
    }
    WY_TRY(wy_static_newton(x, 0, converged, err));
    *aimed = *converged;
    if (*converged || !(x->first < FIRST_SMALL)) return WITHY_OK;
    WY_TRY(go_back(x, w, err));
    WY_TRY(wy_static_load(x, factor_at(w, to), to, err));
    return wy_static_newton(x, 1, converged, err);
}

/* A step that halves the way to where stability was lost, and leads there when little is left. */
static double toward_loss(const way *w) {
    const double left = w->lost - w->done;
    return left > FRACTION_REPORTED ? 0.5 * left : left;
}

/* From the present equilibrium along the path.  On failure the shape is that of the last one found. */
static withy_status reach(wy_static *x, way *w, int iterations, withy_error *err) {
    wy_core *core = x->sim->core;
    const int judged = x->equations->potential(x->self);
    int negative = core->equilibrium && core->negative >= 0 ? (int)core->negative : 0;
    const int most = x->iterations + iterations;
    int aimed = 0;
    double step = 1;
    w->lost = 0;
    wy_static_save(x);
    WY_TRY(wy_static_load(x, w->from, 1, err));
    if (x->equations->hold) x->equations->hold(x->self);
    if (!core->equilibrium) WY_TRY(wy_static_store_residual(x, err));
    wy_static_save(x);
    for (w->done = 0; w->done < 1;) {
        if (w->lost > 0) step = wy_min(step, toward_loss(w));
        const double aim = w->done + step, to = 1 - aim > STUB * step ? aim : 1.0;
        const double part = to - w->done;
        int converged;
        WY_TRY(attempt(x, w, to, &aimed, &converged, err));
        if (x->slides) { /* perhaps only from here: a pendulum finds its balance further on */
            /* or a rod between two pins has lost its stability, and rounding turned it about itself */
            if (judged && x->seeks && x->candidates <= SPINS && x->negative > negative)
                x->branches = 1, x->ahead = x->first / part * (1 - w->done);
            WY_TRY(go_back(x, w, err));
            return not_found(x, w, err);
        }
        const double moved = converged ? wy_static_displacement(x) : INFINITY;
        int lost = judged && converged && x->negative > negative;
        const int looks = judged && converged && x->seeks && !(x->left > 0);
        /* unless it is the rounding error of a motion without stiffness; and Newton's last matrix may be that of the loads
         * before */
        if (lost || looks) {
            WY_TRY(wy_static_stability(x, err));
            lost = x->negative > negative, aimed = 0;
        }
        if (lost && x->seeks && !(x->left > 0)) {
            x->branches = part <= FRACTION_REPORTED, x->ahead = x->first / part * (1 - w->done);
            w->lost = to;
            WY_TRY(go_back(x, w, err));
            if (x->branches) return not_found(x, w, err);
            if (x->iterations > most) return too_slow(x, w, err);
            continue;
        }
        if (moved < WY_STATIC_JUMP && !(lost && !x->bold && part > FRACTION_CAREFUL)) {
            step = part * wy_min(2.0, 0.7 * WY_STATIC_JUMP / wy_max(moved, 1e-3));
            if (lost) step = wy_max(step, 0.1); /* a true branch point: continue */
            w->done = to;
            if (x->negative >= 0) negative = x->negative; /* else not known */
            if (to >= w->lost) w->lost = 0;               /* it was rounding */
            core->t = factor_at(w, to);
            wy_static_save(x);
            continue;
        }
        WY_TRY(go_back(x, w, err));
        aimed = aimed && !converged;
        step = part * shorter(x, moved);
        if (!(step > FRACTION_LEAST)) return not_found(x, w, err);
        if (x->iterations > most) return too_slow(x, w, err);
    }
    return WITHY_OK;
}

/* Descend from the shape of before the path, at factor `at`, and continue from there. */
static withy_status descend(wy_static *x, way *w, double at, int *found, withy_error *err) {
    const wy_block *state = &x->sim->state;
    memcpy(state->base, x->begun, state->used);
    WY_TRY(wy_static_relax(x, at, 0, found, err));
    if (!*found || at == w->to) return WITHY_OK;
    const withy_status status = reach(x, w, ITERATIONS_MOST, err);
    *found = status == WITHY_OK;
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* Where a stiffness is lost: on from there along its motion, down to the full loads. */
static withy_status branch_off(wy_static *x, way *w, int *found, withy_error *err) {
    const double led = factor_at(w, w->done), lost = factor_at(w, wy_max(w->lost, w->done));
    int pushed;
    /* a bow whose slope, 2 sqrt(gap), takes up what a descent closes of the gap at once */
    const double aside = wy_min(1.0, wy_max(0.02, 2 * sqrt(WY_STATIC_GAP_SHARE * x->ahead)));
    *found = 0, x->seeks = x->branches = 0;
    WY_TRY(wy_static_inexact(x, err));
    WY_TRY(go_back(x, w, err));
    WY_TRY(wy_static_perturb(x, aside, &pushed, err));
    if (pushed) WY_TRY(wy_static_relax(x, w->to, 0, found, err));
    if (!*found) return WITHY_OK;
    w->done = 1;
    wy_note(&x->sim->notes, WY_NOTE(branch_taken), x->sim->method->name, led, lost);
    return WITHY_OK;
}

static void note_descent(wy_static *x, double led) {
    wy_note(&x->sim->notes, WY_NOTE(found_by_rest), x->sim->method->name, led);
}

/* Of what Newton cannot do: with all digits it may. */
static int may_be_rounding(const wy_static *x) {
    return x->equations->exact && !x->exact && x->slender > VERY_SLENDER;
}

/* Down under the loads where the path begins or ends. */
static withy_status descend_anywhere(wy_static *x, way *w, int *found, withy_error *err) {
    const double at[2] = {x->unbalanced ? w->from : w->to, x->unbalanced ? w->to : w->from};
    withy_error own = {0};
    for (int k = 0; k < 2 && !*found && !(k == 1 && at[1] == at[0]); k++) {
        WY_TRY_TO_FIND(descend(x, w, at[k], found, &own), own, err);
    }
    return WITHY_OK;
}

/* No equilibrium was found: because loads act along a motion on which nothing resists them?  Asked of the shape of before the path,
 * as where a descent ended rounding decides. */
static withy_status explain(wy_static *x, const way *w, withy_error *err) {
    memcpy(x->sim->state.base, x->begun, x->sim->state.used);
    WY_TRY(wy_static_load(x, w->to, 1, err));
    if (x->equations->begin) x->equations->begin(x->self);
    return wy_static_is_unsupported(x) ? wy_static_unsupported(x, err) : WITHY_NO_CONVERGENCE;
}

/* Contacts that begin, end and slide stop Newton's method where a descent in pseudo time continues. */
static withy_status descend_on(wy_static *x, way *w, int *found, withy_error *err) {
    const double led = factor_at(w, w->done);
    withy_error own = {0};
    *found = 0;
    WY_TRY(go_back(x, w, err));
    x->left = 0;
    WY_TRY_TO_FIND(wy_static_relax(x, w->to, 0, found, &own), own, err);
    if (!*found) return go_back(x, w, err);
    w->done = 1;
    wy_note(&x->sim->notes, WY_NOTE(contact_by_rest), x->sim->method->name, led, w->to);
    return WITHY_OK;
}

/* ---- loads far beyond the stiffness ----------------------------------------------------------------
 *
 * A rope that stands, or lies across its supports, is unstable in more directions than its mesh has nodes, and no step down
 * from there is long.  Under a small part of its loads the same rod is stiff: it falls like a
 * rigid one, to where it hangs, and from there the loads can be raised by any factor, as tension only steadies it.
 */

static const double HEAVY = 2;    /* loads in units of what bends the rod by its length */
static const double RAISE = 10;   /* of the loads from one equilibrium to the next */
static const double NUDGE = 0.02; /* of the length, or rad: off a saddle */
enum { FALLS = 4 };

static double node_force(const wy_vector_range *e, const double *a, const double *b, int node) {
    double square = 0;
    for (int k = 0; k < e->count; k++) {
        const int at = e->first + node * e->node + k * e->entry;
        square += (a[at] - b[at]) * (a[at] - b[at]);
    }
    return sqrt(square);
}

/* Mean force per length of the nodes over that which bends a cantilever by its length: the most of all groups.  mass: W times a unit
 * displacement. */
static double heaviest(const wy_static *x, const double *loaded, const double *bare,
                       const double *mass, double *work) {
    const wy_vector_range *e = &x->layout.shift;
    const wy_part_groups *all = &x->layout.groups;
    const wy_part_group whole = {.length = x->layout.length, .rate = x->unit};
    const int count = all->count ? all->count : 1;
    double most = 0, *force = work, *sum = work + count;
    memset(work, 0, 2 * (size_t)count * sizeof *work);
    for (int i = 0; i < e->nodes; i++) {
        const int g = all->count ? all->of[i] : 0;
        force[g] += node_force(e, loaded, bare, i), sum[g] += mass[e->first + i * e->node];
    }
    for (int g = 0; g < count; g++) {
        const wy_part_group *own = all->count ? &all->one[g] : &whole;
        const double unit = sum[g] * own->rate * own->length;
        if (unit > 0) most = wy_max(most, force[g] / unit);
    }
    return most;
}

/* The loads at a factor: mean force per length over that which bends a cantilever by its length. */
static withy_status find_weight(wy_static *x, double factor, double *weight, withy_error *err) {
    const wy_vector_range *e = &x->layout.shift;
    *weight = 0, x->left = 0;
    if (!x->equations->mass || !(x->unit > 0)) return WITHY_OK;
    WY_TRY(wy_static_load(x, 0, 1, err));
    if (x->equations->begin) x->equations->begin(x->self);
    WY_TRY(x->equations->residual(x->self, x->side, err));
    WY_TRY(wy_static_load(x, factor, 1, err));
    WY_TRY(x->equations->residual(x->self, x->change, err));
    memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    for (int i = 0; i < e->nodes; i++) x->moved[e->first + i * e->node] = 1;
    x->equations->mass(x->self, x->moved, x->toward);
    *weight = heaviest(x, x->change, x->side, x->toward, x->moved);
    return WITHY_OK;
}

/* Down to a stable equilibrium at this factor, off the saddles on the way. */
static withy_status fall(wy_static *x, double factor, int *found, withy_error *err) {
    *found = 0;
    for (int k = 0; k < FALLS; k++) {
        int pushed;
        WY_TRY(wy_static_load(x, factor, 1, err));
        WY_TRY(wy_static_perturb(x, NUDGE, &pushed, err));
        WY_TRY(wy_static_relax(x, factor, k > 0, found, err));
        if (!*found) return WITHY_OK;
        WY_TRY(wy_static_stability(x, err));
        if (x->negative == 0) return WITHY_OK;
    }
    *found = 0;
    return WITHY_OK;
}

/* From the shape of before the path. */
static withy_status hang(wy_static *x, const way *w, double weight, int *found, withy_error *err) {
    const wy_block *state = &x->sim->state;
    wy_core *core = x->sim->core;
    double factor = HEAVY / weight * w->to;
    memcpy(state->base, x->begun, state->used);
    x->unbalanced = 0, x->left = 0, x->seeks = 0;
    WY_TRY(fall(x, factor, found, err));
    while (*found && factor != w->to) {
        way up = {.from = factor, .to = w->to};
        if (RAISE * fabs(factor) < fabs(w->to)) up.to = RAISE * factor;
        core->t = factor, core->equilibrium = 1, core->negative = 0;
        const withy_status status = reach(x, &up, ITERATIONS_FIRST, err);
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        *found = status == WITHY_OK, factor = up.to;
        if (!*found) WY_TRY(wy_static_relax(x, factor, 1, found, err));
    }
    core->equilibrium = 0;
    if (*found) WY_TRY(wy_static_stability(x, err));
    return WITHY_OK;
}

/* The first path begins at any shape: where it does not lead on, the rod descends from there to an
 * equilibrium under the full loads, or to one without them from which a path leads on; at last also through
 * shapes that are unstable while an end is moved to its place. */
static withy_status reach_or_descend(wy_static *x, way *w, withy_error *err) {
    const wy_block *state = &x->sim->state;
    const int first = !x->sim->core->equilibrium;
    int found = 0;
    withy_status status = reach(x, w, first ? ITERATIONS_FIRST : ITERATIONS_MOST, err);
    if (status == WITHY_NO_CONVERGENCE && x->branches) {
        WY_TRY(branch_off(x, w, &found, err));
        if (found) return WITHY_OK;
        memcpy(state->base, x->begun, state->used);
        status = reach(x, w, ITERATIONS_MOST, err);
    }
    if (status == WITHY_NO_CONVERGENCE && may_be_rounding(x) && !(first && x->slides)) {
        memcpy(state->base, x->begun, state->used);
        WY_TRY(wy_static_exact(x, err));
        status = reach(x, w, first ? ITERATIONS_FIRST : ITERATIONS_MOST, err);
    }
    if (status == WITHY_NO_CONVERGENCE && !first && x->equations->kinks &&
        x->equations->kinks(x->self)) {
        withy_error own = {0};
        WY_TRY(descend_on(x, w, &found, &own));
        if (found) return WITHY_OK;
    }
    if (status != WITHY_NO_CONVERGENCE || !first) return status;
    const double led = factor_at(w, w->done);
    WY_TRY(descend_anywhere(x, w, &found, err));
    if (!found && may_be_rounding(x)) {
        WY_TRY(wy_static_exact(x, err));
        WY_TRY(descend_anywhere(x, w, &found, err));
    }
    if (!found && x->led) {
        x->rough = 1;
        WY_TRY(descend_anywhere(x, w, &found, err));
    }
    w->done = found;
    if (!found) return explain(x, w, err);
    note_descent(x, led);
    return WITHY_OK;
}

/* A motion v with v.K v < 0 proves that the present shape is unstable, whatever rounding makes of pivots that a thin rod
 * hides: loads that press have it about as large as they are.  By inverse iteration next to that. */
static withy_status stands(wy_static *x, double weight, int *unstable, withy_error *err) {
    enum { ROUNDS = 12 };
    const double mu = weight * x->unit;
    int negative;
    *unstable = 0;
    if (x->equations->begin) x->equations->begin(x->self);
    const withy_status status = x->equations->factor(x->self, -mu, &negative, err);
    if (status != WITHY_OK) return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
    wy_static_random_vectors(x, 88172645u, 1, x->toward);
    for (int k = 0; k < ROUNDS && !*unstable; k++) {
        double work = 0, size = 0;
        x->equations->mass(x->self, x->toward, x->side);
        memcpy(x->toward, x->side, (size_t)x->rows * sizeof *x->side);
        x->equations->solve(x->self, x->toward);
        for (int i = 0; i < x->rows; i++) work += x->side[i] * x->toward[i];
        x->equations->mass(x->self, x->toward, x->side);
        for (int i = 0; i < x->rows; i++) size += x->side[i] * x->toward[i];
        *unstable = size > 0 && work / size - mu < -1e-3 * mu;
        for (int i = 0; i < x->rows && size > 0; i++) x->toward[i] /= sqrt(size);
    }
    return WITHY_OK;
}

static void note_fall(wy_static *x, double weight) {
    wy_note(&x->sim->notes, WY_NOTE(heavy_loads), x->sim->method->name, weight, HEAVY / weight);
}

/* A shape that the method itself has brought into balance. */
static withy_status take_form(wy_static *x, way *w, int *found, withy_error *err) {
    WY_TRY(wy_static_load(x, w->to, 1, err));
    WY_TRY(x->equations->form(x->self, found, err));
    if (!*found) return WITHY_OK;
    WY_TRY(wy_static_load(x, w->to, 1, err));
    WY_TRY(wy_static_newton(x, 0, found, err));
    if (!*found) {
        memcpy(x->sim->state.base, x->begun, x->sim->state.used);
        return WITHY_OK;
    }
    w->done = 1;
    return x->equations->potential(x->self) ? wy_static_stability(x, err) : WITHY_OK;
}

/* As above; where a stable equilibrium under heavy loads is looked for, that. */
static withy_status reach_from_anywhere(wy_static *x, way *w, withy_error *err) {
    const wy_block *state = &x->sim->state;
    double weight = 0;
    int found = 0;
    memcpy(x->begun, state->base, state->used);
    if (x->equations->form && !x->sim->core->equilibrium) {
        WY_TRY(take_form(x, w, &found, err));
        if (found) return WITHY_OK;
    }
    if (x->seeks && !x->sim->core->equilibrium && x->equations->potential(x->self))
        WY_TRY(find_weight(x, w->to, &weight, err));
    if (!(weight > HEAVY) || !isfinite(weight)) return reach_or_descend(x, w, err);
    const withy_status status = reach(x, w, ITERATIONS_HEAVY, err);
    if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
    if (status == WITHY_OK) WY_TRY(stands(x, weight, &found, err));
    if (status == WITHY_OK && !found) WY_TRY(wy_static_stability(x, err));
    if (status == WITHY_OK && !found && x->negative == 0) return WITHY_OK;
    WY_TRY(hang(x, w, weight, &found, err));
    w->done = found;
    if (found) {
        note_fall(x, weight);
        return WITHY_OK;
    }
    memcpy(state->base, x->begun, state->used);
    x->seeks = 1;
    return reach_or_descend(x, w, err);
}

/* The point reached is an equilibrium, but not the requested one. */
static void stay(wy_static *x, const way *w) {
    withy_error own;
    wy_core *core = x->sim->core;
    if (x->unbalanced || !core->equilibrium) { /* a residual remains */
        memcpy(x->sim->state.base, x->begun, x->sim->state.used);
        return;
    }
    if (go_back(x, w, &own) != WITHY_OK) return;
    if (w->done > 0) core->equilibrium = 1, core->negative = -1;
    if (core->equilibrium) x->equations->settle(x->self, core->t, &own);
}

withy_status wy_equilibrium_find(withy_sim *sim, double factor, int seeks, withy_equilibrium *point,
                                 withy_error *err) {
    wy_static *x;
    way w = {.from = sim->core->equilibrium ? sim->core->t : 0.0, .to = factor};
    WY_TRY(wy_static_check_supports(sim, err));
    WY_TRY(wy_static_begin(sim, &x, err));
    sim->core->tangent = 0;
    x->seeks = seeks > 0, x->bold = seeks < 0;
    const withy_status status = reach_from_anywhere(x, &w, err);
    if (status != WITHY_OK) {
        stay(x, &w);
        return status;
    }
    WY_TRY(wy_static_accept(x, factor, point, err));
    return seeks > 0 ? wy_static_stability_whole(x, point, err) : WITHY_OK;
}

void wy_note_unstable(withy_sim *sim, int lost, int negative) {
    if (negative == 0)
        wy_note(&sim->notes, WY_NOTE(left_unstable), sim->method->name, lost);
    else
        wy_note(&sim->notes, WY_NOTE(unstable), sim->method->name, negative);
}

/* ---- the start of a motion ------------------------------------------------------------------------- */

static withy_status settle(withy_sim *sim, withy_error *err) {
    wy_static *x;
    withy_equilibrium at;
    way w = {.from = 0, .to = 1};
    WY_TRY(wy_static_check_supports(sim, err));
    WY_TRY(wy_static_begin(sim, &x, err));
    x->at_start = 1, x->seeks = 1;
    WY_TRY(x->equations->pull(x->self, 1, err));
    WY_TRY(reach_from_anywhere(x, &w, err));
    WY_TRY(wy_static_accept(x, 1.0, &at, err));
    if (at.negative > 0) {
        withy_error own;
        const int lost = at.negative;
        WY_TRY_TO_FIND(wy_static_leave(x, 1.0, &at, &own), own, err);
        wy_note_unstable(sim, lost, at.negative);
    }
    return x->equations->pull(x->self, 0, err);
}

withy_status wy_equilibrium_initial(withy_sim *sim, withy_error *err) {
    const withy_status status = settle(sim, err);
    if (status != WITHY_OK) return wy_fail_in(err, status, "initial" WY_KEY ": ");
    wy_core *core = sim->core;
    *core = (wy_core){.stats = {.conserves = core->stats.conserves}};
    return sim->method->equations->let_go(sim->self, 1, err);
}
