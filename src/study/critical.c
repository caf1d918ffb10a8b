/* critical.c - the point between two of a path at which stability changes or the factor turns, bisected, and
 * the motion that has no stiffness there.
 */
#include <string.h>

#include "study/door.h"

static const double FINE = 1e-7; /* of the factor, or of the span of an arc */
enum { HALVINGS = 40, BESIDE = 2 };

/* ---- bisection --------------------------------------------------------------------------------------- */

/* Part of the way on from the present point. */
static withy_status go(withy_sim *sim, const wy_stretch *way, double part, withy_error *err) {
    withy_equilibrium at;
    if (way->span > 0) return withy_sim_follow(sim, part * way->arc, way->span, &at, err);
    return withy_sim_equilibrium(sim, sim->core->t + part * (way->to - way->from), &at, err);
}

/* `low` becomes the last state before the change. */
static withy_status bisect(withy_sim *sim, const wy_stretch *way, char *low, double *left,
                           withy_error *err) {
    const wy_block *state = &sim->state;
    memcpy(state->base, low, state->used);
    const int64_t negative = sim->core->negative;
    const double slope = sim->core->slope, scale = wy_max(fabs(way->from), fabs(way->to));
    double part = 1;
    for (int k = 0; k < HALVINGS; k++) {
        part *= 0.5;
        const withy_status status = go(sim, way, part, err);
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        const int same = status == WITHY_OK && sim->core->negative == negative &&
                         !(way->span > 0 && sim->core->slope * slope < 0);
        if (same)
            memcpy(low, state->base, state->used);
        else
            memcpy(state->base, low, state->used);
        /* along an arc the factor changes by f' times its length, at a limit point by almost nothing */
        *left =
            part * (way->span > 0 ? fabs(way->arc * sim->core->slope) : fabs(way->to - way->from));
        if (*left <= FINE * scale) break;
    }
    return WITHY_OK;
}

/* ---- the mode ------------------------------------------------------------------------------------------ */

/* The motion with the least stiffness, either way, that is not neutral on both sides. */
static int softest(const wy_lowest *low, int neutral) {
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
    wy_still *x;
    wy_lowest low;
    if (!sim->method->door->shape) return WITHY_OK;
    WY_TRY(wy_still_begin(sim, &x, err));
    WY_TRY(wy_still_load(x, sim->core->t, 1, err));
    WY_TRY(wy_still_judge(x, err));
    const int count = wy_max(x->negative, 0) + wy_max(x->neutral, neutral) + BESIDE;
    withy_status status = wy_still_lowest(x, count, &low, err);
    const int best = status == WITHY_OK ? softest(&low, neutral) : -1;
    if (best >= 0) status = wy_modes_take(sim, 1, &out->mode, err);
    if (out->mode) {
        x->door->shape(x->self, low.vector + (size_t)best * (size_t)x->rows, out->mode);
        wy_mode_scale(out->mode, wy_sim_length(sim));
        wy_mode_to_laboratory(sim, out->mode);
    }
    wy_lowest_free(&low);
    return status;
}

withy_status wy_door_critical(withy_sim *sim, const wy_stretch *way, char *low, withy_critical *out,
                              withy_error *err) {
    double left = 0;
    WY_TRY(bisect(sim, way, low, &left, err));
    out->factor = sim->core->t;
    if (!(way->span > 0)) out->factor += copysign(0.5 * left, way->to - way->from);
    WY_TRY(find_mode(sim, way->neutral, out, err));
    memcpy(sim->state.base, low, sim->state.used);
    return WITHY_OK;
}
