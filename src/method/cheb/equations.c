/* equations.c - the static equations, for src/study: equilibria, paths, stability and modes.
 *
 *   b(u, t) = 0 at the loose nodes, u given at the held ones         b: balance per length
 *   K = -db/du (cheb/jacobian.c) in displacements and turns,  M: inertia per length
 *
 * A vector has 3 or 6 fields (dp, dphi) of n + 1 nodes; columns of q become columns of dphi by
 * dq = E^T dphi / 2.  A held entry is a row dx = remaining distance.  At an end whose section may turn about its held
 * tangent, dphi is in the axes (d3, d1, d2), so that the first entry is free and two are held.
 * K is not symmetric, because collocation is not a variational method.
 *
 * A move updates the strains: frames rotate by a dphi on the group, strains change by their linear increment, and
 * the centre line is integrated from them again,
 *
 *     A <- exp(a dphi) A,  gamma <- gamma + a A^T (dp' - dphi x p'),  p' = A gamma
 *
 * so a slender rod is never stretched by a finite turn (p + a dp would stretch it by (a dphi)^2/2, and the
 * that stress degrades the next matrix: 19 steps instead of 3 for the fibre of 5.3).  The remaining error
 * is in the position of a held end, and the next iteration removes it.
 *
 * Departs from [CH] 4.5: its plain Newton from a settled shape needs fictitious inertia to converge; the
 * path of load factors does not.
 */
#include "method/cheb/frame.h"
#include "method/cheb/static.h"
#include "numeric/linear/linear.h"

static wy_vector_layout layout(const void *self) {
    const wy_cheb *x = self;
    const int nodes = x->grid.n + 1, places = wy_cheb_places(x), fields = wy_cheb_rows(x);
    return (wy_vector_layout){fields * nodes,
                              {0, nodes, 1, places, nodes},
                              {places * nodes, nodes, 1, fields - places, nodes},
                              x->grid.length,
                              {0}};
}

/* ---- opening -------------------------------------------------------------------------------------- */

static void layout_at_rest(wy_cheb *x, wy_block *block) {
    struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m, n = (size_t)x->grid.n;
    const int damped = wy_rod_is_damped(x->rod) || wy_rod_uses_state(x->rod);
    w->matrix = wy_cheb_take(block, m * m);
    w->pivot = wy_block_alloc(block, m, sizeof *w->pivot);
    w->scale = wy_cheb_take(block, m);
    w->visc = damped ? wy_cheb_take(block, m * m) : NULL;
    w->mass = wy_cheb_take(block, m * (size_t)w->rows);
    w->sum = wy_cheb_take(block, n * n);
    w->sum_pivot = wy_block_alloc(block, n, sizeof *w->sum_pivot);
    if (!wy_second_is_implicit(x->opt.integrator)) wy_cheb_jacobian_layout(x, damped, block);
}

static withy_status take(wy_cheb *x, withy_error *err) {
    wy_arena *arena = x->setup->arena;
    struct wy_cheb_static *w = wy_arena_alloc(arena, 1, sizeof *w);
    if (!w) return wy_no_memory(err, "cheb: no memory for statics");
    if (!wy_collocation_rows(arena, &x->grid))
        return wy_no_memory(err, "cheb: no memory for statics with n = %d", x->grid.n);
    w->rows = wy_cheb_rows(x), w->m = layout(x).rows;
    x->equilibrium = w;
    wy_block block = {0};
    layout_at_rest(x, &block);
    block.base = wy_arena_alloc(arena, block.used, 1);
    if (!block.base) {
        x->equilibrium = NULL;
        return wy_no_memory(err, "cheb: no memory for statics with n = %d", x->grid.n);
    }
    block.used = 0;
    layout_at_rest(x, &block);
    const int start_only = x->end[0].place == WY_CHEB_LOOSE && x->end[1].place != WY_CHEB_LOOSE;
    w->anchor = start_only ? x->grid.n : 0;
    const size_t skip = w->anchor ? 0 : 1, n = (size_t)x->grid.n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->sum[i * n + j] = x->grid.dr[(i + skip) * (size_t)x->grid.ld + j + skip];
    wy_lu_factor((int)n, (int)n, w->sum, w->sum_pivot);
    return WITHY_OK;
}

withy_status wy_cheb_open(void *self, withy_error *err) {
    wy_cheb *x = self;
    for (int e = 0; e < 2; e++)
        if (x->end[e].place > WY_CHEB_DRIVEN || x->end[e].turn > WY_CHEB_DRIVEN)
            return wy_unsupported(
                err,
                "cheb: an end driven by its velocity or acceleration has no equilibrium; give "
                "ends.%s.position and frame as functions of the load factor",
                e ? "finish" : "start");
    if (!x->equilibrium) WY_TRY(take(x, err));
    x->equilibrium->weighed = x->equilibrium->mixed = 0;
    memset(x->v, 0, (size_t)x->size * sizeof *x->v);
    x->state->second = (wy_second_state){0};
    return WITHY_OK;
}

/* ---- loads and poses ------------------------------------------------------------------------------ */

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    wy_cheb *x = self;
    double *objective = x->stage[4];
    x->state->factor = factor, x->state->t = t;
    x->equilibrium->part = part;
    memcpy(objective, x->u, (size_t)x->size * sizeof *objective);
    WY_TRY(wy_cheb_bound(x, t, objective, NULL, err));
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < x->fields; f++)
            x->equilibrium->objective[e][f] = objective[f * x->grid.ld + x->end[e].node];
    return WITHY_OK;
}

static withy_status pull(void *self, int on, withy_error *err) {
    wy_cheb *x = self;
    (void)err;
    x->state->pull = on;
    return WITHY_OK;
}

/* The distance of an end from the present shape to its prescribed pose, as entries of a vector. */
static void whole_way(const wy_cheb *x, int e, double way[6]) {
    const int ld = x->grid.ld;
    const double *at = x->u + x->end[e].node, *objective = x->equilibrium->objective[e];
    for (int f = 0; f < 3; f++) way[f] = objective[f] - at[f * ld];
    if (x->planar) return;
    const mat3 frame = wy_cheb_pose_of(x, at, ld).frame;
    vec3 phi;
    if (x->end[e].rolls) {
        const mat3 turn = m3_between(frame.c3, wy_cheb_pose_of(x, objective, 1).frame.c3);
        phi = wy_cheb_to_axes(frame, q_log(q_from_matrix(turn)));
    } else {
        const quat from = quat_at(at, ld, 0);
        phi = q_log(q_mul(quat_at(objective, 1, 0), q_conj(from)));
    }
    way[3] = phi.x, way[4] = phi.y, way[5] = phi.z;
}

static void hold(void *self) {
    wy_cheb *x = self;
    for (int e = 0; e < 2; e++) whole_way(x, e, x->state->gap[e]);
}

static withy_status residual(void *self, double *r, withy_error *err) {
    wy_cheb *x = self;
    const int nodes = x->grid.n + 1, ld = x->grid.ld, fields = x->equilibrium->rows;
    WY_TRY(wy_cheb_static_balance(x, err));
    for (int f = 0; f < fields; f++)
        memcpy(r + f * nodes, x->df + f * ld, (size_t)nodes * sizeof(double));
    for (int e = 0; e < 2; e++) {
        double way[6], *at = r + x->end[e].node;
        whole_way(x, e, way);
        if (x->end[e].rolls) {
            const mat3 frame = wy_cheb_pose(x, x->u, x->end[e].node).frame;
            at[3 * nodes] =
                wy_cheb_to_axes(frame, v3(at[3 * nodes], at[4 * nodes], at[5 * nodes])).x;
        }
        for (int f = 0; f < fields; f++)
            if (wy_cheb_is_given(x, e, f))
                at[f * nodes] = way[f] - (1 - x->equilibrium->part) * x->state->gap[e][f];
    }
    return WITHY_OK;
}

/* ---- solving -------------------------------------------------------------------------------------- */

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    return wy_cheb_factor(self, shift, negative, err);
}

static void solve(void *self, double *b) {
    const struct wy_cheb_static *w = ((wy_cheb *)self)->equilibrium;
    if (w->mixed) {
        wy_cheb_mixed_solve(self, b);
        return;
    }
    for (int i = 0; i < w->m; i++) b[i] *= w->scale[i];
    wy_lu_solve(w->m, w->m, w->matrix, w->pivot, b);
}

static void solve_transposed(void *self, double *b) {
    const struct wy_cheb_static *w = ((wy_cheb *)self)->equilibrium;
    wy_lu_solve_transposed(w->m, w->m, w->matrix, w->pivot, b);
    for (int i = 0; i < w->m; i++) b[i] *= w->scale[i];
}

/* ---- moving --------------------------------------------------------------------------------------- */

/* Turn of node i in a change, laboratory. */
static vec3 turn_of(const wy_cheb *x, const double *change, int i) {
    const int nodes = x->grid.n + 1;
    const vec3 phi = v3(change[3 * nodes + i], change[4 * nodes + i], change[5 * nodes + i]);
    for (int e = 0; e < 2; e++)
        if (i == x->end[e].node && x->end[e].rolls)
            return wy_cheb_from_axes(wy_cheb_pose(x, x->u, i).frame, phi);
    return phi;
}

/* One node in the plane: A(theta + a turn) (A^T p' + a A^T (dp' - turn R p')), where A cancels. */
static vec3 planar_slope(double *at, int ld, vec3 p1, vec3 dp1, double a, double turn) {
    const double ex = p1.x + a * (dp1.x + turn * p1.y);
    const double ey = p1.y + a * (dp1.y - turn * p1.x);
    const double c = cos(a * turn), s = sin(a * turn);
    at[2 * ld] += a * turn;
    return v3(c * ex - s * ey, s * ex + c * ey, 0);
}

static vec3 spatial_slope(double *at, int ld, vec3 p1, vec3 dp1, double a, vec3 phi) {
    const quat turn = q_exp(v3_scale(a, phi));
    const quat q = q_unit(q_mul(turn, quat_at(at, ld, 0)));
    put_quat(at, ld, 0, q);
    return q_turn(turn, v3_axpy(p1, a, v3_sub(dp1, v3_cross(phi, p1))));
}

static void move(void *self, const double *change, double share) {
    wy_cheb *x = self;
    const struct wy_cheb_static *w = x->equilibrium;
    const int n = x->grid.n, nodes = n + 1, ld = x->grid.ld, places = wy_cheb_places(x);
    double *p1 = x->stage[0], *dp = x->stage[1], *dp1 = x->stage[2], *slope = x->stage[3];
    for (int f = 0; f < places; f++)
        memcpy(dp + f * ld, change + f * nodes, (size_t)nodes * sizeof(double));
    wy_collocation_derive(&x->grid, places, x->u, p1);
    wy_collocation_derive(&x->grid, places, dp, dp1);
    for (int i = 0; i < nodes; i++) {
        const vec3 old = v3(p1[i], p1[ld + i], x->planar ? 0 : p1[2 * ld + i]);
        const vec3 rate = v3(dp1[i], dp1[ld + i], x->planar ? 0 : dp1[2 * ld + i]);
        const vec3 now = x->planar
                             ? planar_slope(x->u + i, ld, old, rate, share, change[2 * nodes + i])
                             : spatial_slope(x->u + i, ld, old, rate, share, turn_of(x, change, i));
        const vec3 more = v3_sub(now, old);
        for (int f = 0; f < places; f++) slope[f * ld + i] = v3_get(more, f);
    }
    const int skip = w->anchor ? 0 : 1;
    for (int f = 0; f < places; f++) { /* integrate the change of p' from the anchor */
        double *more = slope + f * ld + skip;
        const double shift = share * change[f * nodes + w->anchor];
        wy_lu_solve(n, n, w->sum, w->sum_pivot, more);
        for (int i = 0; i < n; i++) x->u[f * ld + skip + i] += more[i] + shift;
        x->u[f * ld + w->anchor] += shift;
    }
}

/* ---- what is found -------------------------------------------------------------------------------- */

static double energy(const void *self) {
    return wy_cheb_energies(self).total;
}

static int potential(const void *self) {
    const wy_cheb *x = self;
    return wy_has_potential(x->rod, x->state->pull != 0, x->planar);
}

static void weigh(void *self, int on) {
    ((wy_cheb *)self)->equilibrium->weighed = on;
}

static double rate(const void *self) {
    const wy_cheb *x = self;
    const double slow = x->along.slow, first = 12.36 / (slow * slow); /* 3.516^2: a cantilever */
    return x->equilibrium && x->equilibrium->weighed ? first * x->along.mass[0][x->grid.n / 2]
                                                     : first;
}

static double field_at(const wy_cheb *x, const double *v, int stride) {
    double sum = 0;
    for (int j = 0; j <= x->grid.n; j++) sum += x->row[j] * v[stride + j];
    return sum;
}

static vec3 place_at(const wy_cheb *x, const double *v, int stride) {
    const double a = field_at(x, v, 0), b = field_at(x, v, stride);
    if (x->planar) return v3_axpy(v3_scale(a, x->plane.e1), b, x->plane.e2);
    return v3(a, b, field_at(x, v, 2 * stride));
}

static void shape(const void *self, const double *v, withy_mode *mode) {
    const wy_cheb *x = self;
    const int nodes = x->grid.n + 1, ld = x->grid.ld;
    double *turn = x->stage[0];
    for (int i = 0; i < nodes && !x->planar; i++) {
        const vec3 phi = turn_of(x, v, i);
        turn[i] = phi.x, turn[ld + i] = phi.y, turn[2 * ld + i] = phi.z;
    }
    const vec3 above = v3_scale(x->plane.height, x->plane.normal);
    for (int i = 0; i < mode->count; i++) {
        const double at = 2 * mode->s[i] / x->grid.length - 1;
        wy_lagrange_row(x->grid.n, x->grid.x, x->grid.bary, at, x->row);
        mode->shift[i] = place_at(x, v, nodes);
        mode->turn[i] = x->planar ? v3_scale(field_at(x, v, 2 * nodes), x->plane.normal)
                                  : place_at(x, turn, ld);
        mode->position[i] = place_at(x, x->u, ld);
        if (x->planar) mode->position[i] = v3_add(mode->position[i], above);
    }
}

/* Distance of the ends of the present shape from where they are held at t = 0, over the length. */
static withy_status ends_off(const wy_cheb *x, double *largest, withy_error *err) {
    double *there = x->stage[4];
    *largest = 0;
    memcpy(there, x->u, (size_t)x->size * sizeof *there);
    WY_TRY(wy_cheb_bound(x, 0.0, there, NULL, err));
    for (int i = 0; i < x->size; i++)
        *largest = wy_max(*largest, fabs(there[i] - x->u[i]) / x->grid.length);
    return WITHY_OK;
}

static withy_status settle(void *self, double factor, withy_error *err) {
    wy_cheb *x = self;
    (void)factor;
    WY_TRY(wy_cheb_bound(x, x->state->t, x->u, NULL, err));
    WY_TRY(wy_cheb_accel(x, x->state->t, x->u, x->v, x->a, err));
    x->setup->stats->energy_end = energy(x);
    wy_cheb_note_decay(x);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    wy_cheb *x = self;
    double largest;
    WY_TRY(ends_off(x, &largest, err));
    if (!(largest <= 1e-6))
        return wy_bad_input(
            err,
            "cheb: at t = 0 the ends are %.3g of the rod from where the equilibrium under factor "
            "%g has them; start from initial = static instead",
            largest, x->state->factor);
    x->state->t = 0.0, x->state->factor = 1.0;
    if (moving) memcpy(x->v, x->initial[1], (size_t)x->size * sizeof *x->v);
    return wy_cheb_start_motion(x, err);
}

const wy_equations wy_cheb_statics = {
    WY_EQUATIONS_COMMON,  .open = wy_cheb_open, .solve_transposed = solve_transposed,
    .mass = wy_cheb_mass, .weigh = weigh,       .damping = wy_cheb_damping,
    .damped = 1,          .shape = shape,       .whole = wy_cheb_whole,
};
