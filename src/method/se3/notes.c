/* notes.c - scheme = "notes": the algorithm of [SE] exactly as written.
 *
 *   xi'_{i+1/2}  = K^-1 (M (eta_{i+1} - eta_i)/dt - ad_eta^T M eta + ad_xi^T K dxi)_{i+1/2}  [SE] (8)
 *   eta'_{i+1/2} = (xi_{i+1} - xi_i)/dt - ad_xi eta                                          [SE] (9)
 *   by explicit Euler from node to node, halves being means of two times                [SE] (10), (11)
 *   g_{i+1} = g_i exp(dt eta_{i+1/2}) at every node                                          [SE] (13)
 *   xi_{i+1}(0) from xi_{i+1}(L) = xi* by single shooting
 *   H = ds sum over all N nodes of (eta M eta + dxi K dxi)/2, N = n + 1
 *
 * The one thing changed is the root finder: damped Newton with the exact variational Jacobian
 * instead of fsolve, so that finite differences play no part.  What it shows (docs/theory/se3.md,
 * Errors in the notes): 28 % of the energy is lost in the first step, H then wanders by 5 % and grows for ever.  fsolve
 * fails at step 617; damped Newton would find roots up to step 859, so the run is stopped when H has
 * grown 64-fold, near step 600.  It is not conservative.
 */
#include "method/se3/se3.h"

#include "base/account.h"

/* Means of two times at node j, and their stress and momentum. */
typedef struct half {
    double xi[6], eta[6], lam[6], p[6];
} half;

static half half_of(const wy_se3 *x, int j) {
    const wy_se3_point *at = &x->plan.point[2 * j];
    half h;
    for (int i = 0; i < 6; i++) {
        h.xi[i] = 0.5 * (x->work.xi[j][i] + x->state.xi0[j][i]);
        h.eta[i] = 0.5 * (x->work.eta[j][i] + x->state.eta0[j][i]);
        h.lam[i] = at->k[i] * (h.xi[i] - at->rest[i]);
        h.p[i] = at->m[i] * h.eta[i];
    }
    return h;
}

/* One Euler step of (8), (9) from node j for xi_{i+1}, eta_{i+1} there, with the derivatives of the
 * next node's new values in those of this one (all 12 x 12): next = 2 (half + ds rate) - old. */
static void euler_node(wy_se3 *x, int j, double dt) {
    const wy_se3_point *at = &x->plan.point[2 * j];
    const double ds = x->plan.h;
    const half h = half_of(x, j);
    double gyro[6], turn[6], carry[6];
    se3_ad_transposed(h.eta, h.p, gyro);
    se3_ad_transposed(h.xi, h.lam, turn);
    se3_ad(h.xi, h.eta, carry);
    for (int i = 0; i < 6; i++) {
        const double xi_t = (x->work.xi[j][i] - x->state.xi0[j][i]) / dt;
        const double eta_t = (x->work.eta[j][i] - x->state.eta0[j][i]) / dt;
        const double xi_s = (at->m[i] * eta_t - gyro[i] + turn[i]) / at->k[i];
        const double eta_s = xi_t - carry[i];
        x->work.xi[j + 1][i] = 2 * (h.xi[i] + ds * xi_s) - x->state.xi0[j + 1][i];
        x->work.eta[j + 1][i] = 2 * (h.eta[i] + ds * eta_s) - x->state.eta0[j + 1][i];
    }
}

/* Carry one variation (dxi, deta) of the new values of node j to node j + 1. */
static void euler_variation(const wy_se3 *x, int j, double dt, double dxi[6], double deta[6]) {
    const wy_se3_point *at = &x->plan.point[2 * j];
    const double ds = x->plan.h;
    const half h = half_of(x, j);
    double hx[6], he[6], dlam[6], dp[6], a[6], b[6], c[6], d[6], e[6], f[6];
    for (int i = 0; i < 6; i++) {
        hx[i] = 0.5 * dxi[i], he[i] = 0.5 * deta[i];
        dlam[i] = at->k[i] * hx[i], dp[i] = at->m[i] * he[i];
    }
    se3_ad_transposed(he, h.p, a);
    se3_ad_transposed(h.eta, dp, b);
    se3_ad_transposed(hx, h.lam, c);
    se3_ad_transposed(h.xi, dlam, d);
    se3_ad(hx, h.eta, e);
    se3_ad(h.xi, he, f);
    for (int i = 0; i < 6; i++) {
        const double xi_s = (at->m[i] * deta[i] / dt - a[i] - b[i] + c[i] + d[i]) / at->k[i];
        const double eta_s = dxi[i] / dt - e[i] - f[i];
        dxi[i] = 2 * (hx[i] + ds * xi_s);
        deta[i] = 2 * (he[i] + ds * eta_s);
    }
}

/* Shoot from the present xi_{i+1}(0); fills all nodes. */
static void shoot(wy_se3 *x, double dt) {
    memset(x->work.eta[0], 0, sizeof x->work.eta[0]);
    for (int j = 0; j < x->plan.n; j++) euler_node(x, j, dt);
}

/* d xi(L)/d xi(0), column by column. */
static void shoot_slope(const wy_se3 *x, double dt, double slope[6][6]) {
    for (int c = 0; c < 6; c++) {
        double dxi[6] = {0}, deta[6] = {0};
        dxi[c] = 1;
        for (int j = 0; j < x->plan.n; j++) euler_variation(x, j, dt, dxi, deta);
        for (int i = 0; i < 6; i++) slope[i][c] = dxi[i];
    }
}

static const double MOST_GROWTH = 64; /* of the energy, although no load acts */

/* Below this the full step is taken: the distance of the tip is then near its rounding error, which
 * the growth along the rod makes large. */
static const double NEAR = 1e-3;

/* b = slope^-1 (xi* - xi(L)), the Newton step of the present shot; returns its size. */
static double correction(const wy_se3 *x, double slope[6][6], double b[6]) {
    double m[6][6], right[6][WY_RICCATI_WIDE] = {{0}}, size = 0;
    memcpy(m, slope, sizeof m);
    for (int i = 0; i < 6; i++)
        right[i][0] = x->plan.point[2 * x->plan.n].rest[i] - x->work.xi[x->plan.n][i];
    if (!wy_solve6(m, 1, right)) return NAN;
    for (int i = 0; i < 6; i++) {
        b[i] = right[i][0];
        size += fabs(b[i]) * (i < 3 ? x->plan.length : 1);
    }
    return size;
}

/* One Newton step, shortened until the next correction with the same slope is smaller (the natural
 * monotonicity test; fsolve's trust region is similar).  Returns the size of the full step. */
static double aim(wy_se3 *x, double dt) {
    double slope[6][6], b[6], next[6], from[6];
    shoot_slope(x, dt, slope);
    const double size = correction(x, slope, b);
    memcpy(from, x->work.xi[0], sizeof from);
    for (int halvings = 0; halvings < 20; halvings++) {
        const double part = ldexp(1, -halvings);
        for (int i = 0; i < 6; i++) x->work.xi[0][i] = from[i] + part * b[i];
        shoot(x, dt);
        if (correction(x, slope, next) <= (1 - 0.25 * part) * size || size <= NEAR) return size;
    }
    return NAN;
}

/* xi_{i+1}(L) = xi* from the previous xi(0); false when it is not found. */
static bool solve_shooting(wy_se3 *x, double dt) {
    memcpy(x->work.xi[0], x->state.xi0[0], sizeof x->work.xi[0]);
    shoot(x, dt);
    double size = INFINITY;
    for (x->now->iterations = 0; !(size <= x->plan.opt.newton_tol); x->now->iterations++) {
        if (x->now->iterations == x->plan.opt.newton_max) return false;
        size = aim(x, dt);
        if (!isfinite(size)) return false;
    }
    return true;
}

/* Largest L Re(lambda) of the time-discrete problem in s: axial, torsion and bending rates. */
double wy_se3_growth(const wy_se3 *x, double dt) {
    const wy_se3_point *at = &x->plan.point[0];
    const double c0 = 2 / dt, ei = at->k[1], ga = at->k[3], ea = at->k[5], gj = at->k[2];
    const double rho_a = at->m[3], rho_i = at->m[1];
    const double axial = c0 * sqrt(rho_a / ea), torsion = c0 * sqrt(at->m[2] / gj);
    /* lambda^4 - c0^2 (rhoA/GA + rhoI/EI) lambda^2 + c0^4 rhoA rhoI/(GA EI) + c0^2 rhoA/EI = 0 */
    const double b = 0.5 * c0 * c0 * (rho_a / ga + rho_i / ei);
    const double c = c0 * c0 * rho_a / ei * (c0 * c0 * rho_i / ga + 1);
    const double root = b * b - c; /* lambda^2 = b +- sqrt(root) */
    const double bending =
        root >= 0 ? sqrt(b + sqrt(root)) : sqrt(0.5 * (sqrt(c) + b)); /* real part */
    return x->plan.length * wy_max(wy_max(axial, torsion), bending);
}

/* Beyond this a double holds no digit of what is shot at: exp(30) is 1/eps, nearly. */
static const double GROWTH_MOST = 30;
/* Beyond this single shooting of a large motion usually fails; small motions still run. */
static const double LARGE = 7;

/* Single shooting needs solutions that grow little along the rod; a step that fails says so. */
withy_status wy_se3_notes_check(const wy_se3 *x, double dt, withy_error *err) {
    const double g = wy_se3_growth(x, dt);
    const withy_rod *rod = x->plan.rod;
    if (!x->plan.uniform || x->plan.has_force || x->plan.tendon_count || x->plan.turns ||
        x->plan.end[1].has_body || wy_rod_is_damped(rod) || !wy_end_clamps(&rod->end[0]) ||
        x->plan.end[0].end.drives_position || x->plan.end[0].end.drives_frame ||
        rod->end[1].force.size || rod->end[1].moment.size)
        return wy_unsupported(err,
                              "se3: scheme = \"notes\" is a uniform rod, clamped at rest and free, "
                              "without any load, as in the source; use scheme = \"box\"");
    if (!(g <= GROWTH_MOST))
        return wy_unsupported(
            err,
            "se3: scheme = \"notes\" shoots along the rod, where solutions grow by exp(%.3g) at dt "
            "= %g; it needs at most exp(%g), roughly dt/L >= 2/(%g c) = %.3g s/m (now %.3g); use "
            "scheme = \"box\", which has no such limit",
            g, dt, GROWTH_MOST, GROWTH_MOST, 2 / (GROWTH_MOST * x->plan.speed),
            dt / x->plan.length);
    return WITHY_OK;
}

/* Told once, where the step is set. */
void wy_se3_notes_resolution(const wy_se3 *x, double dt) {
    const double g = wy_se3_growth(x, dt);
    if (g > LARGE) wy_note(x->setup->notes, WY_NOTE(shooting_grows), dt, g, LARGE);
}

static void accept_shot(wy_se3 *x, double dt, double t_new) {
    for (int j = 0; j <= x->plan.n; j++) {
        double mean[6];
        for (int i = 0; i < 6; i++) {
            mean[i] = 0.5 * (x->work.eta[j][i] + x->state.eta0[j][i]);
            x->state.xi0[j][i] = x->work.xi[j][i];
            x->state.eta0[j][i] = x->work.eta[j][i];
        }
        x->state.g[2 * j] = se3_mul(x->state.g[2 * j], se3_exp_scaled(dt, mean)); /* [SE] (13) */
    }
    x->now->t = t_new;
}

withy_status wy_se3_notes_step(wy_se3 *x, double dt, double t_new, withy_error *err) {
    withy_stats *stats = x->setup->stats;
    const long long number = (long long)stats->steps + 1;
    const bool found = solve_shooting(x, dt);
    if (found) accept_shot(x, dt, t_new);
    const double grown = wy_se3_energy(x, NULL) / wy_max(stats->energy_start, 1e-300);
    if (!found || !(grown <= MOST_GROWTH))
        return wy_no_convergence(
            err,
            "se3: the scheme of the notes has become unstable: at step %lld (t = %g) %s, with %.3g "
            "times its first energy; use scheme = \"box\"",
            number, x->now->t, found ? "its motion is no longer a solution" : "shooting fails",
            grown);
    wy_account_step(stats, x->now->iterations);
    const double energy = grown * stats->energy_start;
    wy_account_keep(stats, energy, fabs(energy - stats->energy_start), energy);
    return WITHY_OK;
}
