/* pace.c - see pace.h. */
#include "base/pace.h"

#include "base/account.h"

#include <stdio.h>

enum { EASY = 8, CALM = 8 }; /* iterations, steps */

double wy_pace_time(const wy_pace *pace) {
    return (double)pace->tick * ldexp(pace->h, -WY_PACE_CUTS);
}

void wy_pace_try(wy_pace *pace) {
    pace->dt[0] = ldexp(pace->h, -(int)pace->cut);
}

bool wy_pace_cut(wy_pace *pace, int most) {
    if (pace->cut >= most) return false;
    pace->cut++, pace->calm = 0;
    return true;
}

void wy_pace_take(wy_pace *pace, int64_t iterations) {
    const int64_t step = (int64_t)1 << (WY_PACE_CUTS - pace->cut);
    pace->dt[2] = pace->dt[1], pace->dt[1] = pace->dt[0];
    pace->tick += step;
    pace->calm = iterations <= EASY ? pace->calm + 1 : 0;
    if (pace->cut == 0 || pace->calm < CALM || pace->tick % (2 * step) != 0) return;
    pace->cut--, pace->calm = 0;
}

const char *wy_pace_cuts(const wy_pace *pace, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (pace->cut)
        snprintf(buffer, size, ", halved %d time%s", (int)pace->cut, pace->cut > 1 ? "s" : "");
    return buffer;
}

bool wy_pace_uneven(const wy_pace *pace) {
    return pace->dt[1] > 0 && pace->dt[0] != pace->dt[1];
}

/* ---- energy when the step changes ------------------------------------------------------------
 *
 * With w = (x - x-)/h_-, w' = (x+ - x)/h_+ and c = (x+ - x-)/(h_+ + h_-) the equations do not quite
 * keep H when h_+ differs from h_-:
 *
 *     H_+ - H_- = work - loss + (h_- - h_+)/(2 (h_+ + h_-)) |w' - w|^2_M.
 *
 * Adding mu c to the velocity w at the beginning of the step adds mu |c|^2_M on the right, so that a few
 * corrections of this one number make it exact.  mu is of second order in h, as the step is.  Where the
 * velocity changes so much that no small mu does it, the step fails like one that does not converge: the
 * defect is of second order in the step, so that a shorter one succeeds; accepting it would lose or make
 * energy for good.
 */

/* dy/dx by the secant of the last correction where that is near the estimate, which it is unless x is
 * lost in rounding. */
static double slope(double estimate, double dx, double dy) {
    const double secant = dx != 0 ? dy / dx : 0;
    return secant > 0.1 * estimate && secant < 10 * estimate ? secant : estimate;
}

/* A defect of this part of the energies is left where nothing moves and nothing can be added. */
static const double LEFT = 1e-12;

bool wy_pace_match_energy(const wy_pacer *pacer) {
    enum { MOST = 30 };
    const wy_paced *x = pacer->lends;
    wy_pace *pace = pacer->pace;
    double mu = 0, before = 0; /* the last correction, and the defect before it */
    x->find_nudge(pacer->self);
    for (int k = 0;; k++) {
        double scale;
        const wy_ledger now = x->ledger(pacer->self);
        const double energy = x->energy(pacer->self, &scale);
        const double due = pace->energy + now.ends + now.loads - now.dissipated;
        const double miss = due - energy;
        const double gain = slope(x->nudge_gain(pacer->self), mu, before - miss);
        const double size = scale + pace->energy_scale + fabs(pace->energy); /* rounding of H */
        pace->miss = miss;
        if (fabs(miss) <= 1e-14 * size) break;
        if (k == MOST || !(fabs(miss) <= 0.5 * gain)) {
            if (!(fabs(miss) <= LEFT * size)) return false;
            break;
        }
        mu = miss / gain, before = miss;
        x->nudge(pacer->self, mu);
        if (!x->solve(pacer->self)) return false;
    }
    pace->miss = 0;
    return true;
}

const char *wy_pace_defect(const wy_pace *pace, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (pace->miss != 0)
        snprintf(buffer, size, "; with the step cut, %.3g J of %.3g J would be lost or made",
                 fabs(pace->miss), pace->energy_scale);
    return buffer;
}

/* ---- steps ----------------------------------------------------------------------------------- */

withy_status wy_pace_next(const wy_pacer *pacer, withy_error *err) {
    wy_pace *pace = pacer->pace;
    pace->next_iterations = 0;
    for (;;) {
        WY_TRY(wy_poll_ask(pacer->poll, wy_pace_time(pace), err));
        wy_pace_try(pace);
        pace->miss = 0;
        const withy_status status = pacer->lends->attempt(pacer->self, err);
        if (status == WITHY_OK) break;
        if (status != WITHY_NO_CONVERGENCE || !wy_pace_cut(pace, pacer->halvings)) return status;
        pacer->stats->halvings++;
    }
    pace->next_ledger = pacer->lends->ledger(pacer->self);
    pace->next_energy = pacer->lends->energy(pacer->self, &pace->next_scale);
    pace->ready = 1;
    pacer->lends->keep(pacer->self);
    return WITHY_OK;
}

withy_status wy_pace_first(const wy_pacer *pacer, withy_error *err) {
    const withy_status status = wy_pace_next(pacer, err);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* H less the work, plus the loss. */
static double conserved(const wy_pace *pace) {
    return pace->energy - pace->ledger.ends - pace->ledger.loads + pace->ledger.dissipated;
}

/* The account begins with the first H, which belongs to the middle of the first step. */
static void keep_stats(wy_pace *pace, double violation, withy_stats *stats) {
    const double work = pace->ledger.ends + pace->ledger.loads;
    if (pace->step == 1) {
        pace->first = conserved(pace);
        wy_account_open(stats, pace->energy, stats->energy_floor, 1);
    }
    const double size = wy_max(pace->energy_scale, wy_max(fabs(work), pace->ledger.dissipated));
    wy_account_keep(stats, pace->energy, fabs(conserved(pace) - pace->first), size);
    wy_account_step(stats, pace->iterations);
    if (!(violation <= stats->constraint_max)) stats->constraint_max = violation;
}

static void commit(const wy_pacer *pacer) {
    wy_pace *pace = pacer->pace;
    const double violation = pacer->lends->commit(pacer->self);
    pace->ledger.ends += pace->next_ledger.ends;
    pace->ledger.loads += pace->next_ledger.loads;
    pace->ledger.dissipated += pace->next_ledger.dissipated;
    pace->iterations = pace->next_iterations;
    pace->energy = pace->next_energy;
    pace->energy_scale = wy_max(pace->energy_scale, pace->next_scale);
    pace->step++;
    pace->ready = 0;
    wy_pace_take(pace, pace->iterations);
    keep_stats(pace, violation, pacer->stats);
}

int wy_pace_is_at(const wy_pace *pace, double h, int64_t step) {
    return pace->h == h && step <= INT64_MAX >> WY_PACE_CUTS && pace->tick == step << WY_PACE_CUTS;
}

withy_status wy_pace_advance(const wy_pacer *pacer, int64_t to, withy_error *err) {
    if (to > INT64_MAX >> WY_PACE_CUTS)
        return wy_fail(err, WITHY_BAD_INPUT, "%lld steps are too many to count", (long long)to);
    const int64_t target = to << WY_PACE_CUTS;
    while (pacer->pace->tick < target) {
        if (!pacer->pace->ready) WY_TRY(wy_pace_next(pacer, err));
        commit(pacer);
    }
    if (pacer->ahead && !pacer->pace->ready) { /* the balance of this time */
        withy_error own = {0};
        wy_pacer alone = *pacer;
        alone.poll = NULL;          /* whether it is solved must not depend on when it is asked */
        wy_pace_next(&alone, &own); /* a failure is that of the next call */
    }
    return WITHY_OK;
}

vec3 wy_pace_rate(const wy_pace *pace, vec3 now, vec3 last, vec3 before, vec3 first) {
    const double h = pace->dt[1], k = pace->dt[2];
    if (pace->step == 0) return first;
    const vec3 w = v3_scale(1.0 / h, v3_sub(now, last));
    if (pace->step == 1) return v3_sub(v3_scale(2.0, w), first);
    const vec3 bend = v3_sub(w, v3_scale(1.0 / k, v3_sub(last, before)));
    return v3_axpy(w, h / (h + k), bend);
}

void wy_pace_sample(const wy_pace *pace, withy_snapshot *snap) {
    snap->t = wy_pace_time(pace);
    snap->step = pace->step;
    snap->conserved = conserved(pace);
    /* with `conserved`, whose time is conserved_at */
    snap->work = pace->ledger.ends + pace->ledger.loads;
    snap->dissipated = pace->ledger.dissipated;
    snap->have = WITHY_HAVE_POSITION | WITHY_HAVE_CONSERVED | WITHY_HAVE_WORK;
}

void wy_pace_sample_balance(const wy_pace *pace, const vec3 reaction[2],
                            const vec3 reaction_moment[2], int balanced, unsigned from_it,
                            withy_snapshot *snap) {
    snap->conserved_at = pace->step ? snap->t - 0.5 * pace->dt[1] : 0.0;
    if (!balanced) {
        snap->have &= ~from_it;
        return;
    }
    for (int i = 0; i < 2; i++) {
        snap->reaction[i] = reaction[i];
        snap->reaction_moment[i] = reaction_moment[i];
    }
    snap->have |= WITHY_HAVE_REACTION | WITHY_HAVE_REACTION_MOMENT;
}
