/* ledger.c - the energy of the rod, and whether it may be what it is.
 *
 * Where nothing acts on the rod but what has a potential (weight, springs, a floor without damping), its
 * energy E stays; where there is damping besides, it falls.  A motion that breaks this by more than
 *
 *     |E - E0| > BOUND S,    S = largest kinetic energy + energy of deformation so far
 *
 * (E > E0 + BOUND S with damping) is an artefact of the ends, of the step or of n, and ends with a
 * message.  S has a least value, the energy of a strain of 1e-6 and of the weight over 1e-6 of the length
 * (or 1000 times the absolute tolerance): below it there is rounding and the error of one step only.
 */
#include "method/cheb/cheb.h"

#include "base/account.h"

static const double SMALL = 1e-6, ROUNDING = 1e-12;

/* With an explicit integrator the energy is computed at every so many steps: these are shorter than any
 * slow motion of the rod, and the sum costs a fifth of a step. */
enum { EVERY = 128 };

static int any_load(const wy_cheb *x) {
    int loads = x->rod->load_count > 0;
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        loads |= end->place >= WY_CHEB_DRIVEN || end->turn >= WY_CHEB_DRIVEN;
        loads |= end->end.end->force.size || end->end.end->moment.size;
    }
    return loads;
}

void wy_cheb_ledger_make(wy_cheb *x) {
    const int damped = wy_rod_is_damped(x->rod) || x->problem->floor.damping > 0;
    x->balance = any_load(x) ? WY_CHEB_OPEN : damped ? WY_CHEB_FALLS : WY_CHEB_STAYS;
    const double small =
        wy_second_is_adaptive(x->opt.integrator) ? wy_max(SMALL, 1e3 * x->opt.absolute) : SMALL;
    double stretch = 0, mass = x->end[0].mass + x->end[1].mass;
    for (int i = 0; i <= x->grid.n; i++) {
        stretch += x->grid.w[i] * x->along.c1[0][i];
        mass += x->grid.w[i] * x->along.rho[i];
    }
    x->least = 0.5 * small * small * stretch +
               small * x->grid.length * mass * v3_norm(x->problem->gravity);
}

/* Energies without a sign, of motion and deformation. */
static double in_play(const wy_cheb_energy *e) {
    return e->kind.kinetic + e->kind.shear + e->kind.stretch + e->kind.bend + e->kind.twist +
           e->bodies;
}

void wy_cheb_ledger_start(wy_cheb *x) {
    const wy_cheb_energy e = wy_cheb_energies(x);
    x->state->energy0 = e.total, x->state->off = 0;
    x->state->scale = in_play(&e);
    withy_stats *stats = x->setup->stats;
    stats->conserves = 0; /* to the order of the integrator, not to rounding */
    wy_account_open(stats, e.total, x->least, x->balance == WY_CHEB_STAYS);
}

/* The present ledger, without writing it down. */
static void read_ledger(const wy_cheb *x, double *energy, double *off, double *scale) {
    const wy_cheb_energy e = wy_cheb_energies(x);
    const double change = e.total - x->state->energy0;
    *energy = e.total;
    *off = wy_max(x->state->off, x->balance == WY_CHEB_FALLS ? change : fabs(change));
    *scale = wy_max(x->state->scale, in_play(&e));
    if (!isfinite(e.total)) *off = INFINITY;
}

static double unit_of(const wy_cheb *x, double energy, double scale) {
    return wy_max(scale, x->least) + ROUNDING * (fabs(energy) + fabs(x->state->energy0));
}

static const char *cure(const wy_cheb *x) {
    const int kind = x->opt.integrator;
    int loose = 0;
    for (int e = 0; e < 2; e++)
        loose |= x->end[e].place == WY_CHEB_LOOSE || x->end[e].turn == WY_CHEB_LOOSE;
    if (loose && x->opt.ends != WY_CHEB_ENDS_G)
        return "use options.ends = \"G\", which creates no energy";
    if (kind == WY_SECOND_EULER || kind == WY_SECOND_RK2 || kind == WY_SECOND_AB2)
        return "use a smaller options.dt, or integrator = \"rk4\", which does not grow";
    if (wy_second_is_adaptive(kind))
        return "use a smaller options.tol and options.absolute, or a larger options.n";
    return "use a smaller options.dt, or a larger options.n";
}

static withy_status judge(const wy_cheb *x, double t, double energy, double off, double scale,
                          withy_error *err) {
    const double drift = off / unit_of(x, energy, scale);
    if (x->balance == WY_CHEB_OPEN || drift <= WY_CHEB_BOUND || !x->opt.safe) return WITHY_OK;
    return wy_no_convergence(
        err,
        "cheb: by t = %g the energy, which nothing in this scene can %s, has gone from %.6g to "
        "%.6g J, a change by %.2g of the energy in play where %g is allowed; %s",
        t, x->balance == WY_CHEB_FALLS ? "increase" : "change", x->state->energy0, energy, drift,
        WY_CHEB_BOUND, cure(x));
}

withy_status wy_cheb_ledger_keep(wy_cheb *x, double t, withy_error *err) {
    double energy;
    if (x->balance == WY_CHEB_OPEN) return WITHY_OK;
    read_ledger(x, &energy, &x->state->off, &x->state->scale);
    return judge(x, t, energy, x->state->off, x->state->scale, err);
}

withy_status wy_cheb_ledger_step(wy_cheb *x, double t, withy_error *err) {
    const int every = wy_second_is_explicit(x->opt.integrator) ? EVERY : 1;
    return x->setup->stats->steps % every ? WITHY_OK : wy_cheb_ledger_keep(x, t, err);
}

/* At the end of a call; pausing must not change a result, so the state itself is not written. */
withy_status wy_cheb_ledger_report(const wy_cheb *x, withy_error *err) {
    withy_stats *stats = x->setup->stats;
    double off, scale;
    read_ledger(x, &stats->energy_end, &off, &scale);
    if (x->balance == WY_CHEB_STAYS) {
        stats->energy_off = off;
        stats->energy_scale = unit_of(x, stats->energy_end, scale);
        stats->energy_drift = off / stats->energy_scale;
    }
    return judge(x, x->state->t, stats->energy_end, off, scale, err);
}
