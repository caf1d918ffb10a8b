/* critical.c - the point between two of a path at which stability changes or the factor turns, bisected, and
 * the motion that has no stiffness there.
 */
#include "study/equilibrium/equations.h"

static const double FINE = 1e-7;   /* of the factor, or of the span of an arc                 */
static const double NARROW = 1e-4; /* of an arc: at a limit point the factor hardly changes   */
static const double ROUGH = 1e-5; /* of the factor, with a note: trials scatter by more than FINE */
enum { TRIALS = 80, NEIGHBOUR = 2 };

/* ---- bisection --------------------------------------------------------------------------------------- */

/* A share of the stretch.  Along an arc from its begin in any case: arcs are measured along the tangent where they begin,
 * and halves along tangents that turn do not add up. */
static withy_status go_to(withy_sim *sim, const wy_path_piece *way, double share,
                          withy_equilibrium *at, withy_error *err) {
    const wy_block *state = &sim->state;
    memcpy(state->base, way->span > 0 || way->anew ? way->base : way->low, state->used);
    if (way->span > 0) return wy_equilibrium_follow(sim, share * way->arc, way->span, 1, at, err);
    sim->seeks = -1;
    const withy_status status =
        withy_sim_equilibrium(sim, way->from + share * (way->to - way->from), at, err);
    sim->seeks = 0;
    return status;
}

static withy_status go(withy_sim *sim, const wy_path_piece *way, double share, withy_error *err) {
    withy_equilibrium at;
    return go_to(sim, way, share, &at, err);
}

static int turns(const wy_path_piece *way, const wy_core *a, const wy_core *b) {
    return way->span > 0 && a->tangent && b->tangent && a->slope * b->slope < 0;
}

static int differ(const wy_path_piece *way, const wy_core *a, const wy_core *b) {
    return a->negative != b->negative || turns(way, a, b);
}

int wy_path_piece_changes(const wy_path_piece *way) {
    return way->at.negative >= 0 && way->end.negative >= 0 && differ(way, &way->at, &way->end);
}

/* The first point of a path has no tangent until an arc begins there. */
static withy_status begin(withy_sim *sim, wy_path_piece *way, withy_error *err) {
    const wy_block *state = &sim->state;
    if (way->done > 0) return WITHY_OK;
    memcpy(way->low, way->base, state->used);
    if (!(way->span > 0) || way->at.tangent) return WITHY_OK;
    const withy_status status = go(sim, way, NARROW * NARROW, err);
    if (status == WITHY_OK) way->at.tangent = 1, way->at.slope = sim->core->slope;
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* Next to a branch point that a thin rod passes at a small angle the trials of one arc end on either branch, and no share of the
 * arc is fine enough: the factors that they reach enclose the change. */
static int is_rough(withy_sim *sim, double factor, double before, double behind, double scale) {
    const double room = fabs(behind - before);
    if (!(room <= ROUGH * scale)) return 0;
    if (room > FINE * scale) wy_note(&sim->notes, WY_NOTE(critical_rough), factor, room);
    return 1;
}

/* way->low and way->top: the states before and behind the next change.  A trial that finds nothing is on neither side. */
static withy_status bisect(withy_sim *sim, wy_path_piece *way, double *factor, wy_core *behind,
                           withy_error *err) {
    const wy_block *state = &sim->state;
    const double scale = wy_max(fabs(way->from), fabs(way->to));
    double low = way->done, high = 1, aim = 0.5 * (low + high), before = way->at.t;
    *behind = way->end;
    for (int k = 0; k < TRIALS; k++) {
        const double gap = fabs(behind->t - before);
        *factor = 0.5 * (behind->t + before);
        if (high < 1 && gap <= FINE * scale && (!(way->span > 0) || high - low <= NARROW)) {
            way->done = high;
            return WITHY_OK;
        }
        const withy_status status = go(sim, way, aim, err);
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        if (status != WITHY_OK || sim->core->negative < 0) {
            aim = low + 0.5 * (aim - low);
            if (!(aim - low > 1e-12)) break;
            continue;
        }
        if (differ(way, &way->at, sim->core)) {
            high = aim, *behind = *sim->core;
            memcpy(way->top, state->base, state->used);
        } else {
            low = aim, before = sim->core->t;
            memcpy(way->low, state->base, state->used);
        }
        aim = 0.5 * (low + high);
    }
    *factor = 0.5 * (behind->t + before);
    if (high < 1 && is_rough(sim, *factor, before, behind->t, scale)) {
        way->done = high;
        return WITHY_OK;
    }
    return wy_no_convergence(
        err, "%s: the change of stability between the factors %g and %g was not located",
        sim->method->name, before, behind->t);
}

/* From the state next to a branch point the way may lead to the other branch, on which nothing changes: then from where the
 * stretch begins. */
static withy_status bisect_anew(withy_sim *sim, wy_path_piece *way, double *factor, wy_core *behind,
                                withy_error *err) {
    const wy_block *state = &sim->state;
    withy_status status = bisect(sim, way, factor, behind, err);
    if (status != WITHY_NO_CONVERGENCE || way->span > 0 || !(way->done > 0)) return status;
    way->anew = 1;
    status = go(sim, way, way->done, err);
    if (status == WITHY_OK) {
        memcpy(way->low, state->base, state->used);
        status = bisect(sim, way, factor, behind, err);
    }
    way->anew = 0;
    return status;
}

/* ---- the mode ------------------------------------------------------------------------------------------ */

/* The motion with the least stiffness, either way, that is not neutral on both sides. */
static int softest(const wy_lowest_modes *low, int neutral) {
    int best = -1;
    for (int i = 0, skipped = 0; i < low->count; i++) {
        int among = 0;
        for (int k = 0; k < low->count; k++) among += fabs(low->lambda[k]) < fabs(low->lambda[i]);
        if (among < neutral && skipped < neutral) {
            skipped++;
            continue;
        }
        if (best < 0 || fabs(low->lambda[i]) < fabs(low->lambda[best])) best = i;
    }
    return best;
}

static withy_status find_mode(withy_sim *sim, int neutral, withy_critical *out, withy_error *err) {
    wy_static *x;
    wy_lowest_modes low;
    if (!sim->method->equations->shape) return WITHY_OK;
    WY_TRY(wy_static_begin(sim, &x, err));
    WY_TRY(wy_static_load(x, sim->core->t, 1, err));
    WY_TRY(wy_static_stability(x, err));
    const int count = wy_max(x->negative, 0) + wy_max(x->neutral, neutral) + NEIGHBOUR;
    withy_status status = wy_static_lowest(x, count, &low, err);
    const int best = status == WITHY_OK ? softest(&low, neutral) : -1;
    if (best >= 0) status = wy_modes_take(sim, 1, &out->mode, err);
    if (out->mode) {
        x->equations->shape(x->self, low.vector + (size_t)best * (size_t)x->rows, out->mode);
        wy_mode_scale(out->mode, wy_sim_length(sim));
        wy_mode_to_laboratory(sim, out->mode);
    }
    wy_lowest_modes_free(&low);
    return status;
}

/* Directions that have no stiffness where the stretch begins and are unstable behind the change have been so from the begin on,
 * if they have none halfway either: an oval rod between two pins, straight, may turn about itself until a load bends it.  What
 * was bisected then is where rounding no longer hides it. */
static withy_status from_begin(withy_sim *sim, wy_path_piece *way, withy_critical *out,
                               withy_error *err) {
    withy_equilibrium half = {0};
    if (!(out->change > 0 && way->loose - way->neutral >= out->change)) return WITHY_OK;
    way->anew = 1;
    const withy_status status = go_to(sim, way, 0.5 * way->done, &half, err);
    way->anew = 0;
    if (status == WITHY_OK && half.neutral >= way->neutral + out->change) out->factor = way->at.t;
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

withy_status wy_equilibrium_critical(withy_sim *sim, wy_path_piece *way, withy_critical *out,
                                     withy_error *err) {
    wy_core behind;
    const int first = !(way->done > 0);
    WY_TRY(begin(sim, way, err));
    WY_TRY(bisect_anew(sim, way, &out->factor, &behind, err));
    out->change = (int)(behind.negative - way->at.negative);
    if (first) WY_TRY(from_begin(sim, way, out, err));
    out->mark = turns(way, &way->at, &behind) ? WITHY_POINT_LIMIT : WITHY_POINT_BRANCH;
    memcpy(sim->state.base, way->low, sim->state.used);
    WY_TRY(find_mode(sim, way->neutral, out, err));
    memcpy(sim->state.base, way->low, sim->state.used);
    memcpy(way->low, way->top, sim->state.used);
    way->at = behind;
    return WITHY_OK;
}
