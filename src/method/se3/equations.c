/* equations.c - the static equations, for src/study: equilibria, paths, stability and modes.
 *
 * A displacement zeta of the sections (g = g_i exp zeta) changes the strains by
 * xi - xi_i = zeta' + ad_xi zeta, which is (2) with c0 = 1, history -xi_i and zeta in the place of
 * eta.  So the cells of (9), (10) with c0 = 1, turn = 1 and neither inertia nor damping are those of
 *
 *   Lam' - ad_xi^T Lam + F = 0,   Lam(L) = W                                                (14)
 *
 * linearised at zeta = 0, the present shape, whose poses are rebuilt from its strains (se3/matrix.c).
 * Under rk4 the cells are those of rk4, and a Newton iteration loses a factor of the order of h^4 instead
 * of converging quadratically, because its stages and the cubics between the nodes differ by as much.
 *
 * A vector has two blocks of six per node, xi_j and w_j, and then the tensions.  w_j is the mean of
 * zeta over cell j, and w_n that of the tip itself: in these the balance of a cell times its length is
 * the force on w_j, so that M is diagonal, the energy (11) is that of K and M, and K is symmetric
 * under loads with a potential as far as the box scheme is.  The frequencies are those of the box; for a bent rod
 * they differ from those of its motion by the square of the rotation in a cell.  Under rk4 they are of second order too,
 * because M is.
 * In a residual the entries of xi_n hold the remaining distance of the start.
 */
#include "method/se3/se3.h"

enum { BLOCK = WY_SE3_BLOCK };

static wy_vector_layout layout(const void *self) {
    const wy_se3 *x = self;
    const int nodes = x->plan.n + 1, rows = wy_se3_chain_rows(x) + x->plan.extra;
    return (wy_vector_layout){
        rows, {9, nodes, BLOCK, 3, 1}, {6, nodes, BLOCK, 3, 1}, x->plan.length, {0}};
}

static void clear_motion(wy_se3 *x) {
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->state.xi0;
    memset(x->state.eta0, 0, bytes);
    memset(x->state.xi_t, 0, bytes);
    memset(x->state.eta_t, 0, bytes);
    memset(x->now->base_step, 0, sizeof x->now->base_step);
    memcpy(x->state.xi1, x->state.xi0, bytes);
    memcpy(x->state.eta1, x->state.eta0, bytes);
    x->now->last_dt = 0;
}

static withy_status open(void *self, withy_error *err) {
    wy_se3 *x = self;
    if (!wy_end_clamps(&x->plan.rod->end[0]) || x->plan.end[0].end.turns_free ||
        x->plan.opt.scheme == WY_SE3_NOTES)
        return wy_unsupported(
            err, "se3: an equilibrium needs a start that is clamped and not free to turn, and "
                 "scheme \"box\" or \"rk4\"; clamp the start, or use director");
    if (!x->equilibrium) WY_TRY(wy_se3_matrix_take(x, err));
    wy_se3_begin(x);
    x->step->rule = (wy_se3_rule){.dt = 1, .c0 = 1, .c1 = -1, .at = 1, .turn = 1};
    clear_motion(x);
    return WITHY_OK;
}

/* ---- loads and poses ------------------------------------------------------------------------- */

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    wy_se3 *x = self;
    x->now->factor = factor;
    WY_TRY(wy_se3_loads(x, t, t, err));
    for (int e = 0; e < 2; e++) {
        wy_pose pose;
        WY_TRY(wy_end_pose(&x->plan.end[e].end, t, &pose, err));
        const wy_motion place = {pose.frame, pose.r};
        x->step->place[e] = se3_mul(place, se3_exp_scaled(part - 1, x->now->gap[e]));
    }
    return WITHY_OK;
}

static withy_status pull(void *self, int on, withy_error *err) {
    (void)err;
    ((wy_se3 *)self)->now->pulls = on;
    return WITHY_OK;
}

/* The zeta that brings an end to its prescribed pose. */
static void way_left(const wy_se3 *x, int e, double way[6]) {
    vec3 w, v;
    se3_log(se3_between(x->state.g[e ? 2 * x->plan.n : 0], x->step->place[e]), &w, &v);
    v3_to(w, way);
    v3_to(v, way + 3);
}

static void hold(void *self) {
    wy_se3 *x = self;
    for (int e = 0; e < 2; e++) way_left(x, e, x->now->gap[e]);
}

/* ---- out of balance -------------------------------------------------------------------------- */

/* The present shape as unknowns of a step that has not moved. */
void wy_se3_look(wy_se3 *x) {
    const double none[6] = {0};
    x->step->failed = WITHY_OK;
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) {
            x->work.xi[j][i] = x->state.xi0[j][i], x->work.eta[j][i] = 0;
            x->work.hx[2 * j][i] = -x->state.xi0[j][i], x->work.he[2 * j][i] = 0;
        }
    if (x->plan.opt.scheme == WY_SE3_RK4) wy_se3_rk4_history(x);
    wy_se3_evaluate(x);
    for (int e = 0; e < 2; e++) wy_se3_end_wrench(x, e, none, none, 0);
}

void wy_se3_box_force(const wy_se3 *x, int j, double r[6]) {
    const double *scale = x->plan.point[2 * j + 1].scale;
    for (int i = 0; i < 6; i++) r[i] = x->plan.h * x->step->cell.c[i][6] / scale[i];
}

/* Force on cell j, in its middle; rk4 has it at the end of the cell. */
static withy_status cell_residual(wy_se3 *x, int j, double r[6], withy_error *err) {
    if (x->plan.opt.scheme == WY_SE3_RK4) {
        if (!wy_se3_rk4_defect(x, j, r))
            return wy_no_convergence(err, "se3: no strain was found for a stress");
        wy_se3_carry(x, j, -0.5, r);
        return WITHY_OK;
    }
    wy_se3_box_cell(x, j);
    wy_se3_box_force(x, j, r);
    return WITHY_OK;
}

/* What is left of the ends and of the tendons of prescribed length. */
static void ends_residual(wy_se3 *x, double *r) {
    const int n = x->plan.n;
    const double none[6] = {0}, *zeta = x->work.eta[n]; /* of rk4, see wy_se3_rk4_defect */
    double way[6];
    way_left(x, 0, &r[BLOCK * n]);
    way_left(x, 1, way);
    wy_se3_end_wrench(x, 1, zeta, none, 0);
    for (int i = 0; i < 6; i++)
        r[BLOCK * n + 6 + i] =
            x->plan.end[1].held[i] ? way[i] - zeta[i] : x->step->end[1].sum[i] - x->work.lam[n][i];
    for (int k = 0; k < x->plan.extra; k++)
        r[wy_se3_chain_rows(x) + k] =
            x->step->target[k] - wy_se3_tendon_length(x, wy_se3_unknown(x, k), x->state.xi0);
}

static withy_status residual(void *self, double *r, withy_error *err) {
    wy_se3 *x = self;
    memset(r, 0, (size_t)layout(x).rows * sizeof *r);
    wy_se3_look(x);
    WY_TRY(wy_se3_state_load_status(x, err));
    for (int j = 0; j < x->plan.n; j++) WY_TRY(cell_residual(x, j, &r[BLOCK * j + 6], err));
    ends_residual(x, r);
    return WITHY_OK;
}

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    *negative = -1;
    return wy_se3_factor(self, shift, NULL, err);
}

/* A cell of the box gives its force along with its tangent. */
static withy_status newton(void *self, double shift, int again, double *change, int *negative,
                           withy_error *err) {
    wy_se3 *x = self;
    const bool box = x->plan.opt.scheme != WY_SE3_RK4;
    (void)again; /* the factors are kept */
    *negative = -1;
    if (box)
        memset(change, 0, (size_t)layout(x).rows * sizeof *change);
    else
        WY_TRY(residual(self, change, err));
    WY_TRY(wy_se3_factor(x, shift, box ? change : NULL, err));
    if (box) ends_residual(x, change);
    wy_se3_solve(x, change);
    return WITHY_OK;
}

static void solve(void *self, double *b) {
    wy_se3_solve(self, b);
}

/* ---- inertia and damping --------------------------------------------------------------------- */

static void mass(const void *self, const double *v, double *mv) {
    const wy_se3 *x = self;
    const wy_se3_end *end = &x->plan.end[1];
    const int n = x->plan.n;
    memset(mv, 0, (size_t)layout(x).rows * sizeof *mv);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 6; i++)
            mv[BLOCK * j + 6 + i] =
                x->plan.h * x->plan.point[2 * j + 1].m[i] * v[BLOCK * j + 6 + i];
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            if (!end->held[i] && !end->held[k])
                mv[BLOCK * n + 6 + i] += end->body[i][k] * v[BLOCK * n + 6 + k];
}

/* The force on cell j of a stress at its nodes, as in (10), times h. */
static void force_of_stress(const wy_se3 *x, int j, const double *a, const double *b,
                            double force[6]) {
    double xi[6], mean[6], turned[6];
    wy_se3_mean(x->state.xi0, j, xi);
    for (int i = 0; i < 6; i++) mean[i] = 0.5 * (a[i] + b[i]);
    se3_ad_transposed(xi, mean, turned);
    for (int i = 0; i < 6; i++) force[i] = b[i] - a[i] - x->plan.h * turned[i];
}

/* What loads that see the velocity add to the damping of cell j: the mean of its nodes. */
static void state_load_damping(const wy_se3 *x, int j, const double *v, double *out) {
    double sum[6] = {0};
    for (int node = j; node <= j + 1; node++)
        wy_se3_state_load_damping(x, 2 * node, 2 * node, v, sum);
    for (int i = 0; i < 6; i++) out[i] += 0.5 * x->plan.h * sum[i];
}

/* Viscous stresses D xi at the nodes, as forces on the cells and on the tip, and linear drag. */
static void damping(const void *self, const double *v, double *cv) {
    const wy_se3 *x = self;
    const int n = x->plan.n;
    double stress[2][6];
    memset(cv, 0, (size_t)layout(x).rows * sizeof *cv);
    for (int j = 0; j <= n; j++) {
        double force[6], *now = stress[j % 2], *out = &cv[BLOCK * (j - 1) + 6];
        for (int i = 0; i < 6; i++) now[i] = x->plan.point[2 * j].d[i] * v[BLOCK * j + i];
        if (j == 0) continue;
        force_of_stress(x, j - 1, stress[(j - 1) % 2], now, force);
        for (int i = 0; i < 6; i++) {
            const double drag = i < 3 ? x->plan.rod->drag_spin : x->plan.rod->drag_linear;
            out[i] = x->plan.h * drag * v[BLOCK * (j - 1) + 6 + i] - force[i];
        }
        state_load_damping(x, j - 1, &v[BLOCK * (j - 1) + 6], out);
    }
    wy_se3_state_load_damping(x, x->plan.points + 1, 2 * n, &v[BLOCK * n + 6], stress[n % 2]);
    for (int i = 0; i < 6; i++)
        cv[BLOCK * n + 6 + i] = x->plan.end[1].held[i] ? 0 : stress[n % 2][i];
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* zeta at the nodes, from the tip to the start; one(context, node, zeta) for each. */
static void back_to_start(const wy_se3 *x, const double *v, double zeta[6], int node) {
    for (int i = 0; i < 6; i++) zeta[i] = v[BLOCK * x->plan.n + 6 + i];
    for (int j = x->plan.n - 1; j >= node; j--)
        for (int i = 0; i < 6; i++) zeta[i] = 2 * v[BLOCK * j + 6 + i] - zeta[i];
}

static void move(void *self, const double *change, double share) {
    wy_se3 *x = self;
    double zeta[6];
    back_to_start(x, change, zeta, 0);
    x->state.g[0] = se3_mul(x->state.g[0], se3_exp_scaled(share, zeta));
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) x->state.xi0[j][i] += share * change[BLOCK * j + i];
    for (int k = 0; k < x->plan.extra; k++)
        x->state.tension[x->plan.unknown[k]] += share * change[wy_se3_chain_rows(x) + k];
    x->step->stale = true;
    wy_se3_rebuild(x);
}

/* ---- energy and shape ------------------------------------------------------------------------ */

static double energy(const void *self) {
    const wy_se3 *x = self;
    return wy_se3_energy(x, NULL) + x->now->factor * wy_se3_potential(x);
}

static int potential(const void *self) {
    const wy_se3 *x = self;
    return wy_has_potential(x->plan.rod, x->now->pulls != 0, 0);
}

double wy_se3_slowest(const wy_se3 *x) {
    const wy_se3_plan *p = &x->plan;
    const double first = 12.36; /* of a cantilever: 1.875^4 */
    double least = INFINITY;
    for (int k = 0; k < p->points; k++) {
        const wy_se3_point *at = &p->point[k];
        least = wy_min(least, at->m[3] > 0 ? wy_min(at->k[0], at->k[1]) / at->m[3] : 0);
    }
    return first * least / (p->length * p->length * p->length * p->length);
}

static double rate(const void *self) {
    return wy_se3_slowest(self);
}

/* Linear between the nodes. */
static void shape(const void *self, const double *v, withy_mode *mode) {
    const wy_se3 *x = self;
    for (int k = 0; k < mode->count; k++) {
        double a[6], b[6];
        const wy_place at = wy_place_of(mode->s[k], x->plan.h, x->plan.n);
        const wy_motion g = wy_se3_pose(x, at);
        back_to_start(x, v, a, at.j);
        back_to_start(x, v, b, at.j + 1);
        mode->turn[k] = m3_mul(g.turn, wy_place_mix(at, v3_from(a), v3_from(b)));
        mode->shift[k] = m3_mul(g.turn, wy_place_mix(at, v3_from(a + 3), v3_from(b + 3)));
        mode->position[k] = g.shift;
    }
}

/* ---- afterwards ------------------------------------------------------------------------------ */

static withy_status settle(void *self, double at, withy_error *err) {
    wy_se3 *x = self;
    (void)at, (void)err;
    wy_se3_look(x);
    for (int i = 0; i < 6; i++)
        x->now->reaction[i] =
            x->plan.end[1].held[i] ? x->work.lam[x->plan.n][i] - x->step->end[1].sum[i] : 0;
    clear_motion(x);
    x->now->t = 0, x->now->slip = 0;
    x->now->missed = (wy_motion){m3_identity(), v3(0, 0, 0)};
    wy_se3_start_ledger(x);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    wy_se3 *x = self;
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->state.xi0;
    wy_se3_begin(x);
    x->now->factor = 1, x->now->t = 0;
    WY_TRY(wy_se3_fit_ends(x, err)); /* the loads may be others than those of the equilibrium */
    wy_se3_rebuild(x);
    if (moving) WY_TRY(wy_se3_velocities(x, err));
    memcpy(x->state.xi1, x->state.xi0, bytes);
    memcpy(x->state.eta1, x->state.eta0, bytes);
    wy_se3_start_ledger(x);
    return WITHY_OK;
}

/* Called when modes are to be computed; they are those of the rod itself. */
static withy_status whole(void *self, void **other, withy_error *err) {
    const wy_se3 *x = self;
    (void)err;
    *other = self;
    if (x->plan.opt.scheme == WY_SE3_RK4) wy_note(x->setup->notes, WY_NOTE(modes_order));
    return WITHY_OK;
}

const wy_equations wy_se3_statics = {
    WY_EQUATIONS_COMMON, .open = open,       .newton = newton, .predicts = 1,
    .mass = mass,        .damping = damping, .shape = shape,   .whole = whole,
};
