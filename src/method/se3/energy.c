/* energy.c - energies, and the ledger of work and loss.
 *
 * Exact for box and midpoint with any loads (docs/theory/se3.md, Box scheme), when every power is taken at
 * the time of evaluation:
 *
 *   E = sum_cells h/2 [eta^ M eta^ + (xi^ - xi*^) K (xi^ - xi*^)] + bodies                   (11)
 *   (E_{i+1} - E_i)/dt = [eta Lam]_0^n + sum h eta^ F^ - sum h xi_t^ (Lam^ - K (xi^ - xi*^))  (12)
 *
 * because means and differences obey a^ db + da b^ = d(ab) in s and in t.
 */
#include "method/se3/se3.h"

#include "base/account.h"

/* (11) for one point of weight h: adds to the energies by kind. */
static void add_energy(const wy_se3 *x, int point, double h, const double xi[6],
                       const double eta[6], const double rest[6], withy_energies *sum) {
    const wy_se3_point *at = &x->plan.point[point];
    double u[6], kinetic = 0;
    for (int i = 0; i < 6; i++) {
        u[i] = 0.5 * h * at->k[i] * (xi[i] - rest[i]) * (xi[i] - rest[i]);
        kinetic += 0.5 * h * at->m[i] * eta[i] * eta[i];
    }
    sum->kinetic += kinetic;
    sum->bend += u[0] + u[1];
    sum->twist += u[2];
    sum->shear += u[3] + u[4];
    sum->stretch += u[5];
}

static double body_energy(const wy_se3_end *end, const double eta[6]) {
    double momentum[6];
    wy_se3_momentum(end, eta, momentum);
    return 0.5 * wy_se3_dot(eta, momentum); /* zero without a body */
}

/* H of the notes: all N nodes times ds = L/(N - 1), which is 1/(N - 1) too much. */
static withy_energies notes_energy(const wy_se3 *x) {
    withy_energies sum = {0};
    for (int j = 0; j <= x->plan.n; j++)
        add_energy(x, 2 * j, x->plan.h, x->state.xi0[j], x->state.eta0[j],
                   x->plan.point[2 * j].rest, &sum);
    return sum;
}

static double total(const withy_energies *e) {
    return e->kinetic + e->bend + e->twist + e->shear + e->stretch;
}

/* Kinetic and elastic energy: cells of the box, Simpson's rule for rk4, whose nodes carry fourth
 * order, the sum of the notes for their scheme. */
double wy_se3_energy(const wy_se3 *x, withy_energies *by_kind) {
    withy_energies sum = {0};
    if (x->plan.opt.scheme == WY_SE3_NOTES) {
        sum = notes_energy(x);
        if (by_kind) *by_kind = sum;
        return total(&sum);
    }
    const bool simpson = x->plan.opt.scheme == WY_SE3_RK4;
    for (int j = 0; j < x->plan.n; j++) {
        double xi[6], eta[6], rest[6];
        if (!simpson) {
            wy_se3_mean(x->state.xi0, j, xi);
            wy_se3_mean(x->state.eta0, j, eta);
            for (int i = 0; i < 6; i++)
                rest[i] = 0.5 * (x->plan.point[2 * j].rest[i] + x->plan.point[2 * j + 2].rest[i]);
            add_energy(x, 2 * j + 1, x->plan.h, xi, eta, rest, &sum);
            continue;
        }
        wy_place_cubic(x->plan.n, x->state.xi0, j, 0.5, xi);
        wy_place_cubic(x->plan.n, x->state.eta0, j, 0.5, eta);
        add_energy(x, 2 * j, x->plan.h / 6, x->state.xi0[j], x->state.eta0[j],
                   x->plan.point[2 * j].rest, &sum);
        add_energy(x, 2 * j + 1, x->plan.h / 1.5, xi, eta, x->plan.point[2 * j + 1].rest, &sum);
        add_energy(x, 2 * j + 2, x->plan.h / 6, x->state.xi0[j + 1], x->state.eta0[j + 1],
                   x->plan.point[2 * j + 2].rest, &sum);
    }
    if (!x->plan.end[0].held[3]) sum.kinetic += body_energy(&x->plan.end[0], x->state.eta0[0]);
    sum.kinetic += body_energy(&x->plan.end[1], x->state.eta0[x->plan.n]);
    if (by_kind) *by_kind = sum;
    return total(&sum);
}

/* The part of Lam that is not elastic, Kelvin-Voigt and tendons, dissipates power. */
static void stress_powers(const wy_se3 *x, double out[3]) {
    for (int j = 0; j < x->plan.n; j++) {
        double rate[6] = {0}, tendons[6] = {0}, viscous[6] = {0};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 6; i++) {
                const int node = j + side;
                const wy_se3_point *at = &x->plan.point[2 * node];
                const double xi_t =
                    x->step->rule.c0 * x->work.xi[node][i] + x->work.hx[2 * node][i];
                const double elastic = at->k[i] * (x->work.xi[node][i] - at->rest[i]);
                rate[i] += 0.5 * xi_t;
                viscous[i] += 0.5 * at->d[i] * xi_t;
                tendons[i] += 0.5 * (x->work.lam[node][i] - elastic - at->d[i] * xi_t);
            }
        out[1] -= x->plan.h * wy_se3_dot(rate, tendons);
        out[2] += x->plan.h * wy_se3_dot(rate, viscous);
    }
}

/* Right side of (12) by kind: gravity, work of all other loads and of the ends, losses. */
static void powers(wy_se3 *x, double out[3]) {
    const bool *held = x->plan.end[0].held;
    const wy_se3_wrench *base = &x->step->end[0], *tip = &x->step->end[1];
    const double *on_base = x->now->applied[0], *on_tip = x->now->applied[1];
    const double *start = x->work.eta[0], *finish = x->work.eta[x->plan.n];
    out[0] = out[1] = out[2] = 0;
    if (x->plan.opt.tip == WY_SE3_TIP_NEW) {
        out[1] += wy_se3_dot(finish, x->work.lam[x->plan.n]);
    } else {
        out[0] += wy_se3_dot(finish, tip->weight);
        out[1] += wy_se3_dot(finish, on_tip) - wy_se3_dot(finish, tip->weight);
        out[1] += wy_se3_dot(finish, x->now->reaction);
    }
    for (int i = 0; i < 6;
         i++) { /* a support works by -Lam_0, elsewhere the applied wrench works */
        out[0] += held[i] ? 0 : start[i] * base->weight[i];
        out[1] += start[i] * (held[i] ? -x->work.lam[0][i] : on_base[i] - base->weight[i]);
    }
    if (x->plan.tendon_count || wy_rod_is_damped(x->plan.rod)) stress_powers(x, out);
    for (int j = 0; j < x->plan.n && x->plan.has_force; j++) {
        double eta[6], f[3][6];
        wy_se3_mean(x->work.eta, j, eta);
        for (int node = j; node <= j + 1; node++) {
            wy_se3_forces_at(x, 2 * node, x->work.eta[node], x->state.eta0[node], f);
            for (int k = 0; k < 3; k++)
                out[k] += (k < 2 ? 0.5 : -0.5) * x->plan.h * wy_se3_dot(eta, f[k]);
        }
    }
}

/* Work of the step: the midpoint value is exact; the BDF use both ends of the step.  Stresses and
 * loads are taken anew, because Newton's last increment came after them. */
void wy_se3_add_to_ledger(wy_se3 *x) {
    double now[3], eta_t[6];
    if (x->plan.quiet) return;
    wy_se3_evaluate(x);
    for (int e = 0; e < 2; e++) {
        const int node = e ? x->plan.n : 0;
        wy_se3_end_rate(x, node, eta_t);
        wy_se3_end_wrench(x, e, x->work.eta[node], eta_t, x->step->rule.c0);
    }
    powers(x, now);
    const bool mid = x->step->rule.at < 1;
    double *sum[3] = {&x->now->ledger.gravity, &x->now->ledger.work, &x->now->ledger.lost};
    for (int k = 0; k < 3; k++) {
        *sum[k] += x->step->rule.dt * (mid ? now[k] : 0.5 * (now[k] + x->now->power[k]));
        x->now->power[k] = now[k];
    }
}

/* ---- what is kept ---------------------------------------------------------------------------- */

double wy_se3_potential(const wy_se3 *x) {
    const vec3 g = x->plan.problem->gravity;
    double sum = 0;
    for (int j = 0; j <= x->plan.n; j++)
        sum -= wy_se3_width(x, j) * x->plan.point[2 * j].m[3] * v3_dot(g, x->state.g[2 * j].shift);
    for (int e = 0; e < 2; e++) {
        const wy_se3_end *end = &x->plan.end[e];
        const wy_motion at = x->state.g[e ? 2 * x->plan.n : 0];
        if (!end->has_body || (e == 0 && end->held[3])) continue;
        sum -= end->mass * v3_dot(g, v3_add(at.shift, m3_mul(at.turn, end->offset)));
    }
    return sum;
}

/* Kinetic and elastic energy, and that of gravity by the work it has done, minus work, plus losses:
 * kept to rounding by the box with midpoint, while the potential of the rebuilt shape follows to second
 * order. */
double wy_se3_conserved(const wy_se3 *x, double energy) {
    const wy_se3_ledger *ledger = &x->now->ledger;
    return energy + x->now->potential0 - ledger->gravity - ledger->work + ledger->lost;
}

void wy_se3_start_ledger(wy_se3 *x) {
    const double energy = wy_se3_energy(x, NULL);
    x->now->ledger = (wy_se3_ledger){0};
    x->now->potential0 = wy_se3_potential(x);
    x->now->conserved0 = wy_se3_conserved(x, energy);
    wy_account_open(x->setup->stats, energy + x->now->potential0, x->setup->floor, 1);
    wy_account_keep(x->setup->stats, energy + x->now->potential0, 0.0, energy);
}

void wy_se3_check_energy(wy_se3 *x) {
    const wy_se3_ledger *ledger = &x->now->ledger;
    const double energy = wy_se3_energy(x, NULL);
    const double size = wy_max(energy, wy_max(fabs(ledger->work), ledger->lost));
    wy_account_keep(x->setup->stats, energy + x->now->potential0 - ledger->gravity,
                    fabs(wy_se3_conserved(x, energy) - x->now->conserved0), size);
}
