/* se3_step.c - one step in time: rule, history, Newton with the Riccati sweep, ledger of energy.
 *
 *   midpoint     c0 = 2/dt, c1 = -2/dt, then X_{i+1} = 2 X - X_i                             (5)
 *   BDF-alpha    c0 = (1.5 + a)/(dt (1 + a)), c1 = -2/dt, c2 = (0.5 + a)/(dt (1 + a)),
 *                d1 = a/(1 + a);  a = 0 is BDF2, a = -1/2 the trapezoidal rule               (6)
 *
 * Energy [methods/se3.md, section 2], exact for box and midpoint with any loads when every power is
 * taken at the time of evaluation:
 *
 *   E = sum_cells h/2 [eta^ M eta^ + (xi^ - xi*^) K (xi^ - xi*^)] + bodies                   (11)
 *   (E_{i+1} - E_i)/dt = [eta Lam]_0^n + sum h eta^ F^ - sum h xi_t^ (Lam^ - K (xi^ - xi*^))  (12)
 *
 * Newton stops when max(|du| L, |dv|, |dw| L/c, |dvel|/c) < newton_tol; the error left is then
 * about its square.
 */
#include "method/se3.h"

#include <string.h>

/* ---- rules ------------------------------------------------------------------------------------
 */

static se3_rule midpoint_rule(double dt) {
    return (se3_rule){
        .dt = dt, .c0 = 2 / dt, .c1 = -2 / dt, .at = 0.5, .turn = 0.5 * dt, .moves = 1};
}

static se3_rule bdf_rule(double dt, double a) {
    const double k = 1 / (dt * (1 + a));
    return (se3_rule){.dt = dt,
                      .c0 = (1.5 + a) * k,
                      .c1 = -2 / dt,
                      .c2 = (0.5 + a) * k,
                      .d1 = a / (1 + a),
                      .at = 1.0,
                      .turn = 0.5 * dt,
                      .lag = 0.5 * dt,
                      .moves = 1};
}

/* A BDF needs an earlier step of the same length; where there is none, one midpoint step makes it
 * (start = "rest": the state was always what it is at t = 0). */
static se3_rule choose_rule(const se3 *x, double dt) {
    const se3_options *o = &x->opt;
    const bool same = fabs(x->last_dt - dt) <= 1e-9 * dt;
    const bool rest = x->stats->steps == 0 && o->start == SE3_START_REST;
    if (o->time == SE3_MIDPOINT || !(same || rest)) return midpoint_rule(dt);
    return bdf_rule(dt, o->time == SE3_BDF2 ? 0.0 : o->alpha);
}

/* hx, he = X_t - c0 X at the nodes. */
static void fill_history(se3 *x) {
    const se3_rule *r = &x->rule;
    for (int j = 0; j <= x->n; j++)
        for (int i = 0; i < 6; i++) {
            x->hx[2 * j][i] = r->c1 * x->xi0[j][i] + r->c2 * x->xi1[j][i] + r->d1 * x->xi_t[j][i];
            x->he[2 * j][i] =
                r->c1 * x->eta0[j][i] + r->c2 * x->eta1[j][i] + r->d1 * x->eta_t[j][i];
        }
}

/* ---- Newton -----------------------------------------------------------------------------------
 */

static void end_rate(const se3 *x, int node, double eta_t[6]) {
    for (int i = 0; i < 6; i++) eta_t[i] = x->rule.c0 * x->eta[node][i] + x->he[2 * node][i];
}

/* Stress and load of every node for the present unknowns. */
static void evaluate_nodes(se3 *x) {
    for (int j = 0; j <= x->n; j++) {
        wy_se3_stress(x, 2 * j, x->xi[j], x->hx[2 * j], x->lam[j], x->kt[j]);
        if (x->has_force) wy_se3_force_at(x, 2 * j, x->eta[j], x->eta0[j], x->f[j], x->fj[j]);
    }
}

/* dxi_n = P_n deta_n + p_n + T_n t from Lam_n = W. */
static bool start_at_tip(se3 *x) {
    const int n = x->n;
    se3_end *tip = &x->end[1];
    wy_riccati_node *last = &x->node[n];
    memset(last, 0, sizeof *last);
    if (x->opt.tip == SE3_TIP_NEW && x->rule.moves) { /* xi_{i+1} = xi*, so xi = (xi* + xi_i)/2 */
        for (int i = 0; i < 6; i++)
            last->row[i][6] = 0.5 * (x->point[2 * n].rest[i] + x->xi0[n][i]) - x->xi[n][i];
        return true;
    }
    double eta_t[6], kt[6][6], b[6][WY_RICCATI_WIDE] = {{0}};
    end_rate(x, n, eta_t);
    wy_se3_end_wrench(x, tip, n, x->eta[n], eta_t, x->rule.c0);
    memcpy(kt, x->kt[n], sizeof kt);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 6; c++) b[i][c] = tip->slope[i][c];
        b[i][6] = tip->wrench[i] - x->lam[n][i];
    }
    for (int k = 0; k < x->tendon_count; k++) {
        double l[6];
        if (x->tendon[k].column < 0) continue;
        wy_se3_tendon_pull(&x->tendon[k], 2 * n, x->xi[n], l);
        for (int i = 0; i < 6; i++)
            b[i][7 + x->tendon[k].column] = -x->tendon[k].weight[2 * n] * l[i];
    }
    if (!wy_solve6(kt, WY_RICCATI_WIDE, b)) return false;
    memcpy(last->row, b, sizeof b);
    return true;
}

/* deta_0 = b[.][6] + b[.][7 + k] t_k: prescribed components, and Lam_0 + W_0 = 0 in the others. */
static bool finish_at_base(se3 *x, double b[6][WY_RICCATI_WIDE]) {
    se3_end *base = &x->end[0];
    const wy_riccati_node *first = &x->node[0];
    double eta_t[6], m[6][6];
    end_rate(x, 0, eta_t);
    wy_se3_end_wrench(x, base, 0, x->eta[0], eta_t, x->rule.c0);
    memset(b, 0, 6 * sizeof *b);
    for (int i = 0; i < 6; i++) {
        if (base->held[i]) {
            for (int c = 0; c < 6; c++) m[i][c] = i == c;
            b[i][6] = x->base[i] - x->eta[0][i];
            continue;
        }
        for (int c = 0; c < WY_RICCATI_WIDE; c++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += x->kt[0][i][k] * first->row[k][c];
            if (c < 6)
                m[i][c] = sum + base->slope[i][c];
            else
                b[i][c] = -sum;
        }
        b[i][6] -= x->lam[0][i] + base->wrench[i];
        for (int k = 0; k < x->tendon_count; k++) {
            double l[6];
            if (x->tendon[k].column < 0) continue;
            wy_se3_tendon_pull(&x->tendon[k], 0, x->xi[0], l);
            b[i][7 + x->tendon[k].column] -= x->tendon[k].weight[0] * l[i];
        }
    }
    return wy_solve6(m, WY_RICCATI_WIDE, b);
}

/* Change of the tendon tensions that brings every prescribed length to its target, (13):
 * length_k + sum_j h_j dlength_k/dxi_new . dxi_new,j = target_k, all dxi affine in t. */
static bool solve_tensions(const se3 *x, double b[6][WY_RICCATI_WIDE], double *t) {
    const double lead = x->rule.at < 1 ? 2.0 : 1.0; /* dxi_new = lead dxi */
    double m[6][6], right[6][WY_RICCATI_WIDE] = {{0}}, y[6][WY_RICCATI_WIDE];
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) m[i][c] = i == c && i >= x->extra;
    memcpy(y, b, sizeof y);
    for (int j = 0; j <= x->n; j++) {
        const wy_riccati_node *node = &x->node[j];
        double dx[12][WY_RICCATI_WIDE], xi[6], l[6];
        for (int i = 0; i < 12; i++)
            for (int c = 6; c < 7 + x->extra; c++) {
                dx[i][c] = node->row[i][c];
                for (int k = 0; k < 6; k++) dx[i][c] += node->row[i][k] * y[k][c];
            }
        const double width = j == 0 || j == x->n ? 0.5 * x->h : x->h;
        for (int i = 0; i < 6; i++) xi[i] = lead * x->xi[j][i] - (lead - 1) * x->xi0[j][i];
        for (int k = 0; k < x->tendon_count; k++) {
            const se3_tendon *tendon = &x->tendon[k];
            if (tendon->column < 0) continue;
            const int row = tendon->column;
            const double weight = width * tendon->weight[2 * j];
            right[row][0] -= weight * wy_se3_tendon_pull(tendon, 2 * j, xi, l);
            for (int i = 0; i < 6; i++) {
                right[row][0] -= weight * lead * l[i] * dx[i][6];
                for (int c = 0; c < x->extra; c++) m[row][c] += weight * lead * l[i] * dx[i][7 + c];
            }
        }
        for (int i = 0; i < 6; i++) memcpy(y[i], dx[6 + i], sizeof y[i]);
    }
    for (int k = 0; k < x->tendon_count; k++)
        if (x->tendon[k].column >= 0) right[x->tendon[k].column][0] += x->tendon[k].target;
    if (!wy_solve6(m, 1, right)) return false;
    for (int k = 0; k < x->extra; k++) t[k] = right[k][0];
    return true;
}

/* Forward sweep with the increments of base and tensions; returns their largest, scaled. */
static double update(se3 *x, double b[6][WY_RICCATI_WIDE], const double *t) {
    const double speed = x->rule.moves ? x->speed : x->length;
    const double scale[4] = {x->length, 1.0, x->length / speed, 1.0 / speed};
    double y[6], next[6], dx[6], largest = 0, check = 0;
    for (int i = 0; i < 6; i++) {
        y[i] = b[i][6];
        for (int k = 0; k < x->extra; k++) y[i] += b[i][7 + k] * t[k];
    }
    for (int j = 0; j <= x->n; j++) {
        wy_riccati_forward(&x->node[j], x->extra, y, t, dx, next);
        for (int i = 0; i < 6; i++) {
            x->xi[j][i] += dx[i];
            x->eta[j][i] += y[i];
            largest = wy_max(largest, scale[i / 3] * fabs(dx[i]));
            largest = wy_max(largest, scale[2 + i / 3] * fabs(y[i]));
            check += 0.0 * (dx[i] + y[i]);
        }
        memcpy(y, next, sizeof y);
    }
    for (int k = 0; k < x->tendon_count; k++)
        if (x->tendon[k].column >= 0) x->tendon[k].tension += t[x->tendon[k].column];
    return check == 0.0 ? largest : NAN;
}

static bool sweep_box(se3 *x, int j) {
    wy_se3_box_cell(x, j);
    return wy_riccati_sum_step(&x->cell, x->extra, &x->node[j + 1], &x->node[j]);
}

static bool sweep_rk4(se3 *x, int j) {
    return wy_se3_rk4_cell(x, j) &&
           wy_riccati_step(&x->wide, x->extra, &x->node[j + 1], &x->node[j]);
}

/* One Newton correction; NAN when the system is singular. */
static double correct(se3 *x) {
    double b[6][WY_RICCATI_WIDE], t[WY_RICCATI_EXTRA + 1] = {0};
    evaluate_nodes(x);
    if (!start_at_tip(x)) return NAN;
    for (int j = x->n - 1; j >= 0; j--)
        if (!(x->opt.scheme == SE3_RK4 ? sweep_rk4 : sweep_box)(x, j)) return NAN;
    if (!finish_at_base(x, b)) return NAN;
    if (x->extra && !solve_tensions(x, b, t)) return NAN;
    return update(x, b, t);
}

/* Iterate from the present guess; WITHY_NO_CONVERGENCE without a sentence when it fails. */
static withy_status iterate(se3 *x) {
    double size = INFINITY;
    for (int k = 0; !(size <= x->opt.newton_tol); k++) {
        if (k == x->opt.newton_max) return WITHY_NO_CONVERGENCE;
        const double before = size;
        size = correct(x);
        x->iterations++;
        x->residual = size;
        /* far from the solution the increments may grow once or twice; a blow-up does not return */
        if (!(size <= 1e3) || (k > 4 && size > 1e2 * before)) return WITHY_NO_CONVERGENCE;
    }
    return WITHY_OK;
}

static void guess_previous(se3 *x) {
    const size_t bytes = (size_t)(x->n + 1) * sizeof *x->xi;
    memcpy(x->xi, x->xi0, bytes);
    memcpy(x->eta, x->eta0, bytes);
}

/* X_i + at (X_i - X_{i-1}); false when the last step was too large for a straight line. */
static bool guess_ahead(se3 *x) {
    const double straight = 0.1; /* largest change of strain * L, or of velocity over c */
    if (!(x->last_dt > 0)) return false;
    const double k = x->rule.at * x->rule.dt / x->last_dt;
    double largest = 0;
    for (int j = 0; j <= x->n; j++)
        for (int i = 0; i < 6; i++) {
            const double dx = x->xi0[j][i] - x->xi1[j][i], dy = x->eta0[j][i] - x->eta1[j][i];
            x->xi[j][i] = x->xi0[j][i] + k * dx;
            x->eta[j][i] = x->eta0[j][i] + k * dy;
            largest = wy_max(largest, fabs(dx) * (i < 3 ? x->length : 1));
        }
    return largest < straight;
}

withy_status wy_se3_newton(se3 *x, withy_error *err) {
    x->iterations = 0;
    const bool ahead = guess_ahead(x);
    if (!ahead) guess_previous(x);
    if (iterate(x) == WITHY_OK) return WITHY_OK;
    if (ahead) {
        guess_previous(x);
        if (iterate(x) == WITHY_OK) return WITHY_OK;
    }
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "se3: Newton's increment is %.1e > %.1e after %d iterations in the step from t = "
        "%g to %g; try a smaller options.dt (now %g), or apply the load more slowly",
        x->residual, x->opt.newton_tol, x->iterations, x->t, x->t + x->rule.dt, x->rule.dt);
}

/* ---- energy -----------------------------------------------------------------------------------
 */

/* (11) for one place of weight h: adds to the energies by kind. */
static void add_energy(const se3 *x, int point, double h, const double xi[6], const double eta[6],
                       const double rest[6], withy_energies *sum) {
    const se3_point *at = &x->point[point];
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

static double body_energy(const se3_end *end, const double eta[6]) {
    double sum = 0;
    for (int i = 0; i < 6 && end->has_body; i++)
        for (int k = 0; k < 6; k++) sum += 0.5 * eta[i] * end->body[i][k] * eta[k];
    return sum;
}

/* Kinetic and elastic energy: cells of the box, Simpson's rule for rk4, whose nodes carry fourth
 * order. */
double wy_se3_energy(const se3 *x, withy_energies *by_kind) {
    withy_energies sum = {0};
    const bool simpson = x->opt.scheme == SE3_RK4;
    for (int j = 0; j < x->n; j++) {
        double xi[6], eta[6], rest[6];
        for (int i = 0; i < 6; i++) {
            xi[i] = 0.5 * (x->xi0[j][i] + x->xi0[j + 1][i]);
            eta[i] = 0.5 * (x->eta0[j][i] + x->eta0[j + 1][i]);
            rest[i] = 0.5 * (x->point[2 * j].rest[i] + x->point[2 * j + 2].rest[i]);
        }
        if (!simpson) {
            add_energy(x, 2 * j + 1, x->h, xi, eta, rest, &sum);
            continue;
        }
        wy_se3_cubic(x->n, x->xi0, j, 0.5, xi);
        wy_se3_cubic(x->n, x->eta0, j, 0.5, eta);
        add_energy(x, 2 * j, x->h / 6, x->xi0[j], x->eta0[j], x->point[2 * j].rest, &sum);
        add_energy(x, 2 * j + 1, x->h / 1.5, xi, eta, x->point[2 * j + 1].rest, &sum);
        add_energy(x, 2 * j + 2, x->h / 6, x->xi0[j + 1], x->eta0[j + 1], x->point[2 * j + 2].rest,
                   &sum);
    }
    if (!x->end[0].held[3]) sum.kinetic += body_energy(&x->end[0], x->eta0[0]);
    sum.kinetic += body_energy(&x->end[1], x->eta0[x->n]);
    if (by_kind) *by_kind = sum;
    return sum.kinetic + sum.bend + sum.twist + sum.shear + sum.stretch;
}

static double dot6(const double a[6], const double b[6]) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

/* The part of Lam that is not elastic, Kelvin-Voigt and tendons, takes power from the motion. */
static void stress_powers(const se3 *x, double out[3]) {
    for (int j = 0; j < x->n; j++) {
        double rate[6] = {0}, tendons[6] = {0}, viscous[6] = {0};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 6; i++) {
                const int node = j + side;
                const se3_point *at = &x->point[2 * node];
                const double xi_t = x->rule.c0 * x->xi[node][i] + x->hx[2 * node][i];
                const double elastic = at->k[i] * (x->xi[node][i] - at->rest[i]);
                rate[i] += 0.5 * xi_t;
                viscous[i] += 0.5 * at->d[i] * xi_t;
                tendons[i] += 0.5 * (x->lam[node][i] - elastic - at->d[i] * xi_t);
            }
        out[1] -= x->h * dot6(rate, tendons);
        out[2] += x->h * dot6(rate, viscous);
    }
}

/* Right side of (12) by kind: gravity, work of all other loads and of the ends, losses. */
static void powers(se3 *x, double out[3]) {
    const se3_end *base = &x->end[0], *tip = &x->end[1];
    const double *start = x->eta[0], *finish = x->eta[x->n];
    out[0] = out[1] = out[2] = 0;
    if (x->opt.tip == SE3_TIP_NEW) {
        out[1] += dot6(finish, x->lam[x->n]);
    } else {
        out[0] += dot6(finish, tip->weight);
        out[1] += dot6(finish, tip->applied) - dot6(finish, tip->weight);
    }
    for (int i = 0; i < 6;
         i++) { /* a support works by -Lam_0, elsewhere the applied wrench works */
        out[0] += base->held[i] ? 0 : start[i] * base->weight[i];
        out[1] += start[i] * (base->held[i] ? -x->lam[0][i] : base->applied[i] - base->weight[i]);
    }
    if (x->tendon_count || wy_rod_is_damped(x->rod)) stress_powers(x, out);
    for (int j = 0; j < x->n && x->has_force; j++) {
        double eta[6], f[3][6];
        for (int i = 0; i < 6; i++) eta[i] = 0.5 * (x->eta[j][i] + x->eta[j + 1][i]);
        for (int node = j; node <= j + 1; node++) {
            wy_se3_forces_at(x, 2 * node, x->eta[node], x->eta0[node], f);
            for (int k = 0; k < 3; k++) out[k] += (k < 2 ? 0.5 : -0.5) * x->h * dot6(eta, f[k]);
        }
    }
}

/* Work of the step: the midpoint value is exact; the BDF know both ends of the step.  Stresses and
 * loads are taken anew, because Newton's last increment came after them. */
static void add_to_ledger(se3 *x) {
    double now[3], eta_t[6];
    if (x->stats->conserves) return;
    evaluate_nodes(x);
    for (int e = 0; e < 2; e++) {
        const int node = e ? x->n : 0;
        end_rate(x, node, eta_t);
        wy_se3_end_wrench(x, &x->end[e], node, x->eta[node], eta_t, x->rule.c0);
    }
    powers(x, now);
    const bool mid = x->rule.at < 1;
    double *sum[3] = {&x->ledger.gravity, &x->ledger.work, &x->ledger.lost};
    for (int k = 0; k < 3; k++) {
        *sum[k] += x->rule.dt * (mid ? now[k] : 0.5 * (now[k] + x->power[k]));
        x->power[k] = now[k];
    }
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* Poses at t from the strains, from the base on: g_{j+1} = g_j exp(h xi^), rk4 by Magnus. */
void wy_se3_rebuild(se3 *x) {
    if (x->g_is_current) return;
    x->g_is_current = true;
    if (x->opt.scheme == SE3_RK4) {
        wy_se3_rk4_rebuild(x);
        return;
    }
    for (int j = 0; j < x->n; j++) {
        double xi[6];
        for (int i = 0; i < 6; i++) xi[i] = 0.5 * (x->xi0[j][i] + x->xi0[j + 1][i]);
        if (x->opt.scheme == SE3_NOTES) memcpy(xi, x->xi0[j], sizeof xi); /* [SE] (12) */
        x->g[2 * j + 2] = se3_mul(x->g[2 * j], se3_exp_scaled(x->h, xi));
    }
}

/* The pose of the base at t_new: prescribed where it is held, carried along where it is not. */
static withy_status move_base(se3 *x, double t_new, withy_error *err) {
    const se3_end *base = &x->end[0];
    const withy_end *given = base->end.end;
    wy_pose pose;
    WY_TRY(wy_end_pose(&base->end, t_new, &pose, err));
    const bool whole = given->kind == WITHY_END_CLAMPED && base->held[2];
    wy_motion g = {pose.frame, pose.r};
    if (!whole) {
        double mean[6];
        for (int i = 0; i < 6; i++)
            mean[i] = x->rule.at < 1 ? x->eta[0][i] : 0.5 * (x->eta[0][i] + x->eta0[0][i]);
        g = se3_mul(x->g[0], se3_exp_scaled(x->rule.dt, mean));
        if (wy_end_holds_position(given)) g.shift = pose.r;
        if (wy_end_holds_direction(given) && base->held[2]) g.turn = pose.frame;
        if (wy_end_holds_direction(given) && !base->held[2])
            g.turn = m3_mulm(m3_between(g.turn.c3, pose.frame.c3), g.turn);
    }
    x->g[0] = g;
    return WITHY_OK;
}

/* X_{i+1}, rates, and what was X_i. */
static void accept_step(se3 *x) {
    const double lead = x->rule.at < 1 ? 2.0 : 1.0;
    for (int j = 0; j <= x->n; j++)
        for (int i = 0; i < 6; i++) {
            const double xi_t = x->rule.c0 * x->xi[j][i] + x->hx[2 * j][i];
            const double eta_t = x->rule.c0 * x->eta[j][i] + x->he[2 * j][i];
            x->xi_t[j][i] =
                xi_t; /* midpoint: of the middle of the step, which does not alternate */
            x->eta_t[j][i] = eta_t;
            x->xi1[j][i] = x->xi0[j][i];
            x->eta1[j][i] = x->eta0[j][i];
            x->xi0[j][i] = lead * x->xi[j][i] - (lead - 1) * x->xi0[j][i];
            x->eta0[j][i] = lead * x->eta[j][i] - (lead - 1) * x->eta0[j][i];
        }
    x->last_dt = x->rule.dt;
    x->g_is_current = false;
}

static void count_step(se3 *x) {
    withy_stats *stats = x->stats;
    stats->steps++;
    stats->iterations += x->iterations;
    if (x->iterations > stats->iterations_max) stats->iterations_max = x->iterations;
    stats->energy_end = wy_se3_energy(x, NULL);
    const double drift = fabs(stats->energy_end - stats->energy_start) /
                         (stats->energy_start > 0 ? stats->energy_start : 1.0);
    stats->energy_drift = wy_max(stats->energy_drift, drift);
}

withy_status wy_se3_step(se3 *x, double dt, withy_error *err) {
    x->rule = choose_rule(x, dt);
    const bool mid = x->rule.at < 1;
    const double t_new = x->t + dt;
    double base[6];
    if (x->turns) wy_se3_rebuild(x);
    fill_history(x);
    if (x->opt.scheme == SE3_RK4) wy_se3_rk4_history(x);
    WY_TRY(wy_se3_loads(x, x->t + x->rule.at * dt, t_new, err));
    WY_TRY(wy_se3_base(x, t_new, base, err));
    for (int i = 0; i < 6; i++) x->base[i] = mid ? 0.5 * (base[i] + x->eta0[0][i]) : base[i];
    WY_TRY(wy_se3_newton(x, err));
    add_to_ledger(x);
    WY_TRY(move_base(x, t_new, err));
    accept_step(x);
    x->t = t_new;
    count_step(x);
    return WITHY_OK;
}
