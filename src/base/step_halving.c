/* step_halving.c - see step_halving.h. */
#include "base/step_halving.h"

#include "base/account.h"

enum { EASY = 8, CALM = 8 }; /* iterations, steps */

double wy_halving_time(const wy_halving *halving) {
    return (double)halving->tick * ldexp(halving->h, -WY_HALVING_CUTS);
}

void wy_halving_try(wy_halving *halving) {
    halving->dt[0] = ldexp(halving->h, -(int)halving->cut);
}

bool wy_halving_cut(wy_halving *halving, int most) {
    if (halving->cut >= most) return false;
    halving->cut++, halving->calm = 0;
    return true;
}

void wy_halving_take(wy_halving *halving, int64_t iterations) {
    const int64_t step = (int64_t)1 << (WY_HALVING_CUTS - halving->cut);
    halving->dt[2] = halving->dt[1], halving->dt[1] = halving->dt[0];
    halving->tick += step;
    halving->calm = iterations <= EASY ? halving->calm + 1 : 0;
    if (halving->cut == 0 || halving->calm < CALM || halving->tick % (2 * step) != 0) return;
    halving->cut--, halving->calm = 0;
}

const char *wy_halving_cuts(const wy_halving *halving, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (halving->cut)
        snprintf(buffer, size, ", halved %d time%s", (int)halving->cut,
                 halving->cut > 1 ? "s" : "");
    return buffer;
}

bool wy_halving_uneven(const wy_halving *halving) {
    return halving->dt[1] > 0 && halving->dt[0] != halving->dt[1];
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

bool wy_halving_match_energy(const wy_halving_stepper *stepper) {
    enum { MOST = 30 };
    const wy_halving_calls *x = stepper->lends;
    wy_halving *halving = stepper->halving;
    double mu = 0, before = 0; /* the last correction, and the defect before it */
    x->find_nudge(stepper->self);
    for (int k = 0;; k++) {
        double scale;
        const wy_energy_flows now = x->ledger(stepper->self);
        const double energy = x->energy(stepper->self, &scale);
        const double due = halving->energy + now.ends + now.loads - now.dissipated;
        const double miss = due - energy;
        const double gain = slope(x->nudge_gain(stepper->self), mu, before - miss);
        const double size =
            scale + halving->energy_scale + fabs(halving->energy); /* rounding of H */
        halving->miss = miss;
        if (fabs(miss) <= 1e-14 * size) break;
        if (k == MOST || !(fabs(miss) <= 0.5 * gain)) {
            if (!(fabs(miss) <= LEFT * size)) return false;
            break;
        }
        mu = miss / gain, before = miss;
        x->nudge(stepper->self, mu);
        if (!x->solve(stepper->self)) return false;
    }
    halving->miss = 0;
    return true;
}

const char *wy_halving_defect(const wy_halving *halving, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (halving->miss != 0)
        snprintf(buffer, size, "; with the step cut, %.3g J of %.3g J would be lost or made",
                 fabs(halving->miss), halving->energy_scale);
    return buffer;
}

/* ---- steps ----------------------------------------------------------------------------------- */

withy_status wy_halving_next(const wy_halving_stepper *stepper, withy_error *err) {
    wy_halving *halving = stepper->halving;
    halving->next_iterations = 0;
    for (;;) {
        WY_TRY(wy_interrupt_check(stepper->interrupt, wy_halving_time(halving), err));
        wy_halving_try(halving);
        halving->miss = 0;
        const withy_status status = stepper->lends->attempt(stepper->self, err);
        if (status == WITHY_OK) break;
        if (status != WITHY_NO_CONVERGENCE || !wy_halving_cut(halving, stepper->halvings))
            return status;
        stepper->stats->halvings++;
    }
    halving->next_ledger = stepper->lends->ledger(stepper->self);
    halving->next_energy = stepper->lends->energy(stepper->self, &halving->next_scale);
    halving->ready = 1;
    stepper->lends->keep(stepper->self);
    return WITHY_OK;
}

withy_status wy_halving_first(const wy_halving_stepper *stepper, withy_error *err) {
    const withy_status status = wy_halving_next(stepper, err);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* H less the work, plus the loss. */
static double conserved(const wy_halving *halving) {
    return halving->energy - halving->ledger.ends - halving->ledger.loads +
           halving->ledger.dissipated;
}

/* The account begins with the first H, which belongs to the middle of the first step. */
static void keep_stats(wy_halving *halving, double violation, withy_stats *stats) {
    const double work = halving->ledger.ends + halving->ledger.loads;
    if (halving->step == 1) {
        halving->first = conserved(halving);
        wy_account_open(stats, halving->energy, stats->energy_floor, 1);
    }
    const double size =
        wy_max(halving->energy_scale, wy_max(fabs(work), halving->ledger.dissipated));
    wy_account_keep(stats, halving->energy, fabs(conserved(halving) - halving->first), size);
    wy_account_step(stats, halving->iterations);
    if (!(violation <= stats->constraint_max)) stats->constraint_max = violation;
}

static void commit(const wy_halving_stepper *stepper) {
    wy_halving *halving = stepper->halving;
    const double violation = stepper->lends->commit(stepper->self);
    halving->ledger.ends += halving->next_ledger.ends;
    halving->ledger.loads += halving->next_ledger.loads;
    halving->ledger.dissipated += halving->next_ledger.dissipated;
    halving->iterations = halving->next_iterations;
    halving->energy = halving->next_energy;
    halving->energy_scale = wy_max(halving->energy_scale, halving->next_scale);
    halving->step++;
    halving->ready = 0;
    wy_halving_take(halving, halving->iterations);
    keep_stats(halving, violation, stepper->stats);
}

int wy_halving_is_at(const wy_halving *halving, double h, int64_t step) {
    return halving->h == h && step <= INT64_MAX >> WY_HALVING_CUTS &&
           halving->tick == step << WY_HALVING_CUTS;
}

withy_status wy_halving_advance(const wy_halving_stepper *stepper, int64_t to, withy_error *err) {
    if (to > INT64_MAX >> WY_HALVING_CUTS)
        return wy_bad_input(err, "%lld steps are too many to count", (long long)to);
    const int64_t target = to << WY_HALVING_CUTS;
    while (stepper->halving->tick < target) {
        if (!stepper->halving->ready) WY_TRY(wy_halving_next(stepper, err));
        commit(stepper);
    }
    if (stepper->ahead && !stepper->halving->ready) { /* the balance of this time */
        withy_error own = {0};
        wy_halving_stepper alone = *stepper;
        alone.interrupt = NULL; /* whether it is solved must not depend on when it is asked */
        wy_halving_next(&alone, &own); /* a failure is that of the next call */
    }
    return WITHY_OK;
}

vec3 wy_halving_rate(const wy_halving *halving, vec3 now, vec3 last, vec3 before, vec3 first) {
    const double h = halving->dt[1], k = halving->dt[2];
    if (halving->step == 0) return first;
    const vec3 w = v3_scale(1.0 / h, v3_sub(now, last));
    if (halving->step == 1) return v3_sub(v3_scale(2.0, w), first);
    const vec3 bend = v3_sub(w, v3_scale(1.0 / k, v3_sub(last, before)));
    return v3_axpy(w, h / (h + k), bend);
}

void wy_halving_sample(const wy_halving *halving, withy_snapshot *snap) {
    snap->t = wy_halving_time(halving);
    snap->step = halving->step;
    snap->conserved = conserved(halving);
    /* with `conserved`, whose time is conserved_at */
    snap->work = halving->ledger.ends + halving->ledger.loads;
    snap->dissipated = halving->ledger.dissipated;
    snap->have = WITHY_HAVE_POSITION | WITHY_HAVE_CONSERVED | WITHY_HAVE_WORK;
}

void wy_halving_sample_balance(const wy_halving *halving, const vec3 reaction[2],
                               const vec3 reaction_moment[2], int balanced, unsigned from_it,
                               withy_snapshot *snap) {
    snap->conserved_at = halving->step ? snap->t - 0.5 * halving->dt[1] : 0.0;
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
