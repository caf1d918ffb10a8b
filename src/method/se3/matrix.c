/* matrix.c - the stiffness of se3/equations.c, K - shift M, as a banded matrix.
 *
 * Unknowns are xi and zeta of the nodes, twelve each.  Rows: six of the start, then twelve of every cell,
 * then six of the finish, so that the band is 17 wide on either side.  Tensions are eliminated last.
 */
#include "method/se3/se3.h"
#include "numeric/linear/linear.h"

enum { BLOCK = WY_SE3_BLOCK, BAND = 17 };

/* Memory of statics, from the first call on. */
struct wy_se3_static {
    wy_banded matrix;
    double *side;        /* [rows of the matrix]                                       */
    double *pull;        /* [extra][rows] zeta, xi by a unit of each tension           */
    double pulled[6][6]; /* length of each tendon by a unit of each tension            */
};

withy_status wy_se3_matrix_take(wy_se3 *x, withy_error *err) {
    const size_t count = (size_t)wy_se3_chain_rows(x);
    wy_allocator from = {.arena = x->setup->arena};
    struct wy_se3_static *equilibrium = wy_allocator_alloc(&from, 1, sizeof *equilibrium);
    double *room = wy_allocator_alloc(&from, count * (size_t)(1 + x->plan.extra), sizeof *room);
    if (from.failed) return wy_no_memory(err, "se3: no memory for statics");
    equilibrium->side = room, equilibrium->pull = room + count;
    WY_TRY(wy_banded_take(from.arena, (int)count, BAND, BAND, BLOCK, &equilibrium->matrix, err));
    x->equilibrium = equilibrium;
    return WITHY_OK;
}

void wy_se3_carry(const wy_se3 *x, int j, double share, double f[6]) {
    double xi[6];
    wy_se3_mean(x->state.xi0, j, xi);
    const wy_motion on = se3_exp_scaled(share * x->plan.h, xi);
    const vec3 force = v3_from(f + 3), arm = v3_cross(on.shift, force);
    v3_to(m3_tmul(on.turn, v3_sub(v3_from(f), arm)), f);
    v3_to(m3_tmul(on.turn, force), f + 3);
}

static void clear_row(const wy_banded *m, int row) {
    memset(wy_banded_row(m, row), 0, (size_t)m->width * sizeof(double));
}

/* Poses go by g_{j+1} = g_j exp(h xi), for which, with x = h ad_xi,
 *
 *   2 dxi = (2/h) (1 + x/2 + c2 x^2 + c4 x^4) zeta_{j+1} - (2/h) (1 - x/2 + c2 x^2 + c4 x^4) zeta_j
 *
 * instead of (9), which is its leading part.  Newton is then exact for the box. */
static void put_exponential(wy_se3 *x, int j) {
    wy_riccati_sum *cell = &x->step->cell;
    double xi[6], even[6][6];
    wy_se3_mean(x->work.xi, j, xi);
    for (int i = 0; i < 6; i++) xi[i] *= x->plan.h;
    se3_even(xi, even);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            const double more = 2 / x->plan.h * even[i][c];
            cell->v[i][c] += more, cell->w[i][c] -= more;
        }
}

/* Twelve rows of cell j under rk4: eta first, then Lam. */
static bool put_rk4(wy_se3 *x, int j, double *force) {
    (void)force; /* only of the box */
    const wy_banded *m = &x->equilibrium->matrix;
    const wy_riccati_cell *cell = &x->step->wide;
    const int left = BLOCK * j, right = left + BLOCK;
    if (!wy_se3_rk4_cell(x, j)) return false;
    for (int r = 0; r < BLOCK; r++) {
        const int row = 6 + left + r, i = (r + 6) % BLOCK;
        clear_row(m, row);
        for (int c = 0; c < 6; c++) {
            *wy_banded_at(m, row, left + c) = cell->ax[i][c];
            *wy_banded_at(m, row, left + 6 + c) = cell->ay[i][c];
            *wy_banded_at(m, row, right + c) = cell->bx[i][c];
            *wy_banded_at(m, row, right + 6 + c) = cell->by[i][c];
        }
        for (int k = 0; k < x->plan.extra; k++)
            x->equilibrium->pull[k * wy_se3_chain_rows(x) + row] = -cell->e[i][k];
    }
    return true;
}

/* Twelve rows of cell j, those of the riccati sweep: both sides of (3) there. */
static bool put_box(wy_se3 *x, int j, double *force) {
    const wy_banded *m = &x->equilibrium->matrix;
    const wy_se3_point *at = &x->plan.point[2 * j + 1];
    const wy_riccati_sum *cell = &x->step->cell;
    const int left = BLOCK * j, right = left + BLOCK;
    wy_se3_box_cell(x, j);
    if (force) wy_se3_box_force(x, j, &force[BLOCK * j + 6]);
    put_exponential(x, j);
    for (int i = 0; i < 6; i++) {
        const int up = 6 + left + i, down = up + 6;
        const double inertia = 0.5 * at->scale[i] * x->step->rule.shift * at->m[i];
        clear_row(m, up);
        clear_row(m, down);
        *wy_banded_at(m, up, left + i) = *wy_banded_at(m, up, right + i) = 1;
        for (int c = 0; c < 6; c++) {
            *wy_banded_at(m, up, left + 6 + c) = cell->v[i][c];
            *wy_banded_at(m, up, right + 6 + c) = cell->w[i][c];
            *wy_banded_at(m, down, left + c) = cell->a[i][c];
            *wy_banded_at(m, down, right + c) = cell->a[i][c] + cell->h[i][c];
            *wy_banded_at(m, down, left + 6 + c) = cell->c[i][c] + (i == c ? inertia : 0);
            *wy_banded_at(m, down, right + 6 + c) = cell->d[i][c] + (i == c ? inertia : 0);
        }
        for (int k = 0; k < x->plan.extra; k++)
            x->equilibrium->pull[k * wy_se3_chain_rows(x) + down] = -cell->e[i][k];
    }
    return true;
}

/* zeta_0 is prescribed. */
static void put_start(wy_se3 *x) {
    const wy_banded *m = &x->equilibrium->matrix;
    for (int i = 0; i < 6; i++) {
        clear_row(m, i);
        *wy_banded_at(m, i, 6 + i) = 1;
    }
}

/* zeta_n is prescribed, or Lam_n = W, divided by K. */
static void put_finish(wy_se3 *x) {
    const wy_banded *m = &x->equilibrium->matrix;
    const wy_se3_end *end = &x->plan.end[1];
    const int n = x->plan.n, at = BLOCK * n;
    for (int i = 0; i < 6; i++) {
        const int row = at + 6 + i;
        const double per = 1 / x->plan.point[2 * n].k[i];
        clear_row(m, row);
        if (end->held[i]) {
            *wy_banded_at(m, row, at + 6 + i) = 1;
            continue;
        }
        for (int c = 0; c < 6; c++) {
            const double body = end->held[c] ? 0 : x->step->rule.shift * end->body[i][c];
            *wy_banded_at(m, row, at + c) = per * x->work.kt[n][i][c];
            *wy_banded_at(m, row, at + 6 + c) = -per * (x->step->end[1].slope[i][c] + body);
        }
    }
    for (int k = 0; k < x->plan.extra; k++) {
        const wy_tendon *tendon = wy_se3_unknown(x, k);
        double l[6];
        wy_tendon_tension(tendon, 2 * n, x->state.xi0[n], l);
        for (int i = 0; i < 6; i++)
            x->equilibrium->pull[k * wy_se3_chain_rows(x) + at + 6 + i] =
                end->held[i] ? 0 : -tendon->weight[2 * n] * l[i] / x->plan.point[2 * n].k[i];
    }
}

/* How much longer a tendon becomes by a solution of the chain. */
static double lengthens(const wy_se3 *x, const wy_tendon *tendon, const double *z) {
    double sum = 0, l[6];
    for (int j = 0; j <= x->plan.n; j++) {
        wy_tendon_tension(tendon, 2 * j, x->state.xi0[j], l);
        sum += wy_se3_width(x, j) * tendon->weight[2 * j] * wy_se3_dot(l, &z[BLOCK * j]);
    }
    return sum;
}

/* The tensions are eliminated last. */
static void factor_tensions(wy_se3 *x) {
    struct wy_se3_static *equilibrium = x->equilibrium;
    memset(equilibrium->pulled, 0, sizeof equilibrium->pulled);
    for (int k = 0; k < 6; k++) equilibrium->pulled[k][k] = 1;
    for (int c = 0; c < x->plan.extra; c++)
        wy_banded_solve(&equilibrium->matrix, &equilibrium->pull[c * wy_se3_chain_rows(x)]);
    for (int k = 0; k < x->plan.extra; k++)
        for (int c = 0; c < x->plan.extra; c++)
            equilibrium->pulled[k][c] =
                lengthens(x, wy_se3_unknown(x, k), &equilibrium->pull[c * wy_se3_chain_rows(x)]);
}

withy_status wy_se3_factor(wy_se3 *x, double shift, double *force, withy_error *err) {
    wy_banded *m = &x->equilibrium->matrix;
    const bool rk4 = x->plan.opt.scheme == WY_SE3_RK4;
    bool good = true;
    x->step->rule.shift = shift;
    wy_se3_look(x);
    WY_TRY(wy_se3_state_load_status(x, err));
    memset(x->equilibrium->pull, 0,
           (size_t)(x->plan.extra * wy_se3_chain_rows(x)) * sizeof(double));
    wy_banded_begin(m);
    put_start(x);
    for (int j = 0; j < x->plan.n && good; j++)
        good =
            (rk4 ? put_rk4 : put_box)(x, j, force) && wy_banded_eliminate(m, 6 + BLOCK * (j + 1));
    put_finish(x);
    if (!good || !wy_banded_eliminate(m, wy_se3_chain_rows(x)))
        return wy_no_convergence(err, "se3: the stiffness is singular");
    factor_tensions(x);
    return WITHY_OK;
}

/* Changes of tensions that give the prescribed lengths, and their effect on the chain. */
static void solve_tensions(const wy_se3 *x, double *z, double *t) {
    double m[6][6], right[6][WY_RICCATI_WIDE] = {{0}};
    memcpy(m, x->equilibrium->pulled, sizeof m);
    for (int k = 0; k < x->plan.extra; k++)
        right[k][0] = t[k] - lengthens(x, wy_se3_unknown(x, k), z);
    const bool found = wy_solve6(m, 1, right);
    for (int c = 0; c < x->plan.extra; c++) {
        t[c] = found ? right[c][0] : NAN;
        for (int i = 0; i < wy_se3_chain_rows(x); i++)
            z[i] += t[c] * x->equilibrium->pull[c * wy_se3_chain_rows(x) + i];
    }
}

void wy_se3_solve(wy_se3 *x, double *b) {
    const int n = x->plan.n;
    double *z = x->equilibrium->side;
    for (int i = 0; i < 6; i++) {
        const double k = x->plan.end[1].held[i] ? 1 : x->plan.point[2 * n].k[i];
        z[i] = b[BLOCK * n + i];
        z[BLOCK * n + 6 + i] = b[BLOCK * n + 6 + i] / k;
    }
    for (int j = 0; j < n; j++) {
        double *force = &b[BLOCK * j + 6];
        if (x->plan.opt.scheme == WY_SE3_RK4) wy_se3_carry(x, j, 0.5, force);
        for (int i = 0; i < 6; i++) {
            z[BLOCK * j + 6 + i] = b[BLOCK * j + i];
            z[BLOCK * j + 12 + i] = -x->plan.point[2 * j + 1].scale[i] / x->plan.h * force[i];
        }
    }
    wy_banded_solve(&x->equilibrium->matrix, z);
    if (x->plan.extra) solve_tensions(x, z, b + wy_se3_chain_rows(x));
    for (int j = 0; j <= n; j++)
        for (int i = 0; i < 6; i++) {
            const double *zeta = &z[BLOCK * j + 6 + i];
            b[BLOCK * j + i] = z[BLOCK * j + i];
            b[BLOCK * j + 6 + i] = j < n ? 0.5 * (zeta[0] + zeta[BLOCK]) : zeta[0];
        }
}
