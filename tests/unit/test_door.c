/* test_door.c - the drivers of src/study on equations whose answers are known in closed form. */
#include <stdlib.h>

#include "base/vec.h"
#include "check.h"
#include "numeric/dense.h"
#include "numeric/eigen.h"
#include "study/door.h"

enum { MOST = 6 };

/* Equations of a few unknowns: a cubic  r = f - g(w)  of one, or a linear system with K given. */
typedef struct toy {
    int rows, shows, potential;
    double cubic; /* the length of its unknown, 0: linear */
    double *w;    /* [rows] the state */
    double factor;
    double k[MOST * MOST], m[MOST], c[MOST * MOST];
    double lu[MOST * MOST];
    int pivot[MOST];
} toy;

/* Limit points at w = (3 -+ sqrt(1.8))/6. */
static double cubic(double w) {
    return ((w - 1.5) * w + 0.6) * w;
}
static double slope(double w) {
    return (3 * w - 3) * w + 0.6;
}

/* All entries are one displacement, and the rod is 1 long. */
static wy_layout layout(const void *self) {
    const int rows = ((const toy *)self)->rows;
    return (wy_layout){rows, {0, 1, 0, rows, 1}, {0}, 1.0};
}
static withy_status open(void *self, withy_error *err) {
    (void)self, (void)err;
    return WITHY_OK;
}
static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    (void)t, (void)part, (void)err;
    ((toy *)self)->factor = factor;
    return WITHY_OK;
}
static withy_status residual(void *self, double *r, withy_error *err) {
    const toy *x = self;
    (void)err;
    for (int i = 0; i < x->rows; i++) r[i] = 0;
    if (x->cubic > 0) r[0] = x->factor - cubic(x->w[0] / x->cubic);
    return WITHY_OK;
}
static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    toy *x = self;
    if (x->cubic > 0) x->k[0] = slope(x->w[0] / x->cubic) / x->cubic;
    for (int i = 0; i < x->rows * x->rows; i++)
        x->lu[i] = x->k[i] - (i % (x->rows + 1) == 0 ? shift * x->m[i / x->rows] : 0);
    *negative = x->shows ? x->lu[0] < 0 : -1;
    if (wy_lu_factor(x->rows, x->rows, x->lu, x->pivot)) return WITHY_OK;
    return wy_fail(err, WITHY_NO_CONVERGENCE, "singular");
}
static void solve(void *self, double *b) {
    toy *x = self;
    wy_lu_solve(x->rows, x->rows, x->lu, x->pivot, b);
}
static void solve_transposed(void *self, double *b) {
    toy *x = self;
    wy_lu_solve_transposed(x->rows, x->rows, x->lu, x->pivot, b);
}
static void mass(const void *self, const double *v, double *mv) {
    const toy *x = self;
    for (int i = 0; i < x->rows; i++) mv[i] = x->m[i] * v[i];
}
static void damping(const void *self, const double *v, double *cv) {
    const toy *x = self;
    for (int i = 0; i < x->rows; i++) {
        cv[i] = 0;
        for (int j = 0; j < x->rows; j++) cv[i] += x->c[i * x->rows + j] * v[j];
    }
}
static void move(void *self, const double *change, double share) {
    toy *x = self;
    for (int i = 0; i < x->rows; i++) x->w[i] += share * change[i];
}
static double energy(const void *self) {
    return ((const toy *)self)->w[0];
}
static int potential(const void *self) {
    return ((const toy *)self)->potential;
}
static double rate(const void *self) {
    (void)self;
    return 1;
}
static void shape(const void *self, const double *v, withy_mode *mode) {
    (void)self;
    mode->shift[0] = (withy_vec3){v[0], v[1], v[2]};
}
static withy_status settle(void *self, double at, withy_error *err) {
    (void)self, (void)at, (void)err;
    return WITHY_OK;
}

static const wy_door plain = {.layout = layout,
                              .open = open,
                              .load = load,
                              .residual = residual,
                              .factor = factor,
                              .solve = solve,
                              .mass = mass,
                              .damping = damping,
                              .move = move,
                              .energy = energy,
                              .potential = potential,
                              .rate = rate,
                              .shape = shape,
                              .settle = settle};

/* A simulation made by hand. */
typedef struct rig {
    toy x;
    withy_rod rod;
    withy_sim sim;
    wy_method method;
    wy_door door;
    double state[64]; /* core, tangent, w */
} rig;

static void make(rig *r, int count) {
    *r = (rig){.door = plain, .rod = {.length = 1, .end[0].kind = WITHY_END_CLAMPED}};
    r->method = (wy_method){.name = "toy", .door = &r->door};
    r->sim.problem = (withy_problem){.rod = &r->rod, .rod_count = 1};
    r->sim.method = &r->method, r->sim.self = &r->x;
    wy_block block = {.base = (char *)r->state};
    r->sim.core = wy_block_take(&block, 1, sizeof *r->sim.core);
    r->sim.tangent = wy_block_take(&block, (size_t)count, sizeof(double));
    r->x.w = wy_block_take(&block, (size_t)count, sizeof(double));
    CHECK(block.used <= sizeof r->state);
    r->sim.state = block;
    r->x.rows = count, r->x.potential = 1;
    for (int i = 0; i < count; i++) r->x.m[i] = 1;
}

static void drop(rig *r) {
    wy_arena_free(&r->sim.arena);
}

/* ---- paths --------------------------------------------------------------------------------------- */

static void follow_cubic(int shows) {
    rig r;
    withy_error err = {0};
    withy_equilibrium at;
    int limits = 0, unstable = 0;
    make(&r, 1);
    r.x.cubic = 1, r.x.shows = shows;
    CHECK_OK(withy_sim_equilibrium(&r.sim, 0, &at, &err));
    for (int k = 0; k < 60; k++) {
        const double before = r.x.w[0];
        CHECK_OK(withy_sim_follow(&r.sim, 0.02, 1, &at, &err));
        CHECK_NEAR(at.factor, cubic(r.x.w[0]), 1e-13);
        CHECK(at.negative == (slope(r.x.w[0]) < 0));
        CHECK((at.mark == WITHY_POINT_LIMIT) == (slope(before) * slope(r.x.w[0]) < 0));
        limits += at.mark == WITHY_POINT_LIMIT, unstable += at.negative;
    }
    CHECK(limits == 2);
    CHECK(unstable > 10);
    drop(&r);
}

TEST(arc_length_follows_a_cubic_through_both_limit_points_with_stability_from_pivots_or_modes) {
    (void)unused_state;
    follow_cubic(1);
    follow_cubic(0);
}

TEST(beyond_a_limit_point_natural_continuation_says_so_and_stays_at_the_last_equilibrium) {
    (void)unused_state;
    rig r;
    withy_error err = {0};
    withy_equilibrium at;
    const double top = cubic((3 - sqrt(1.8)) / 6);
    make(&r, 1);
    r.x.cubic = 3, r.x.shows = 1; /* so that the other branch is a jump away */
    CHECK_OK(withy_sim_equilibrium(&r.sim, 0.9 * top, &at, &err));
    CHECK(at.negative == 0);
    CHECK(withy_sim_equilibrium(&r.sim, 1.02 * top, &at, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "toy: no equilibrium was found beyond factor") == err.text);
    CHECK(strstr(err.text, "path.arc_length = true") != NULL);
    CHECK_NEAR(r.sim.core->t, top, 1e-5 * top);
    CHECK_NEAR(cubic(r.x.w[0] / 3), r.sim.core->t, 1e-12);
    CHECK_OK(withy_sim_equilibrium(&r.sim, 0.5 * top, &at, &err)); /* and back */
    CHECK_NEAR(cubic(r.x.w[0] / 3), 0.5 * top, 1e-12);
    drop(&r);
}

/* ---- modes --------------------------------------------------------------------------------------- */

/* K = M X diag(lambda) X^-1 and C = M X diag(c) X^-1: right vectors are the columns of X. */
static void set_matrix(toy *x, const double *basis, const double *middle, double *out) {
    const int n = x->rows;
    double lu[MOST * MOST], right[MOST];
    int pivot[MOST];
    memcpy(lu, basis, sizeof(double) * (size_t)(n * n));
    CHECK(wy_lu_factor(n, n, lu, pivot));
    for (int j = 0; j < n; j++) { /* column j of X middle X^-1 */
        for (int i = 0; i < n; i++) right[i] = i == j;
        wy_lu_solve(n, n, lu, pivot, right);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                double part = 0;
                for (int l = 0; l < n; l++) part += middle[k * n + l] * right[l];
                sum += basis[i * n + k] * part;
            }
            out[i * n + j] = x->m[i] * sum;
        }
    }
}

static void diagonal(int n, const double *value, double *out) {
    for (int i = 0; i < n * n; i++) out[i] = i % (n + 1) == 0 ? value[i / n] : 0;
}

static const double SKEW[MOST * MOST] = {3, 1, 0,  2, 1, 0, 1, 4, 1, 0, 0, 2, 0, 1,  5, 1, 0, 1,
                                         1, 0, -1, 4, 2, 0, 0, 2, 1, 0, 3, 1, 1, -1, 0, 0, 1, 5};

static withy_mode *modes_of(rig *r, int count) {
    static double s[1];
    static withy_vec3 room[3 * MOST];
    static withy_mode mode[MOST];
    withy_error err = {0};
    if (!wy_eigen_has_general() && (r->door.solve_transposed || !r->x.potential)) {
        CHECK(wy_door_modes(&r->sim, count, mode, &err) == WITHY_UNSUPPORTED);
        CHECK(strstr(err.text, "this build was configured without LAPACK") != NULL);
        return NULL;
    }
    for (int i = 0; i < MOST; i++)
        mode[i] = (withy_mode){.count = 1,
                               .s = s,
                               .position = &room[3 * i],
                               .shift = &room[3 * i + 1],
                               .turn = &room[3 * i + 2]};
    CHECK_OK(wy_door_modes(&r->sim, count, mode, &err));
    return mode;
}

TEST(modes_and_damping_of_unsymmetric_equations_are_those_of_their_left_and_right_vectors) {
    (void)unused_state;
    const double lambda[MOST] = {1, 4, 4, 30, -2, 700}, loss[MOST] = {.1, .2, .2, .4, .5, .6};
    const double order[MOST] = {4, 0, 1, 2, 3, 5};
    rig r;
    double middle[MOST * MOST];
    make(&r, MOST);
    r.door.solve_transposed = solve_transposed;
    for (int i = 0; i < MOST; i++) r.x.m[i] = 1 + 0.3 * i;
    diagonal(MOST, lambda, middle);
    set_matrix(&r.x, SKEW, middle, r.x.k);
    diagonal(MOST, loss, middle);
    set_matrix(&r.x, SKEW, middle, r.x.c);
    const withy_mode *mode = modes_of(&r, MOST);
    for (int i = 0; i < MOST && mode; i++) {
        const int k = (int)order[i];
        const double omega = sqrt(fabs(lambda[k]));
        CHECK_NEAR(mode[i].frequency * 2 * WY_PI, lambda[k] < 0 ? -omega : omega, 1e-7 * omega);
        CHECK_NEAR(mode[i].damping, loss[k] / (2 * omega), 1e-6);
        CHECK_NEAR(v3_norm(mode[i].shift[0]), 0.1, 1e-12);
    }
    CHECK_TEXT(withy_sim_notes(&r.sim), "");
    drop(&r);
}

TEST(a_pair_that_flutters_is_noted) {
    (void)unused_state;
    rig r;
    double middle[MOST * MOST];
    const double lambda[MOST] = {1, 9, 9, 30, 50, 700};
    make(&r, MOST);
    r.x.potential = 0;
    diagonal(MOST, lambda, middle);
    middle[1 * MOST + 2] = 2, middle[2 * MOST + 1] = -2; /* 9 +- 2 i */
    set_matrix(&r.x, SKEW, middle, r.x.k);
    const withy_mode *mode = modes_of(&r, 4);
    if (mode) CHECK_NEAR(mode[0].frequency * 2 * WY_PI, 1, 1e-7);
    CHECK(!mode || strstr(withy_sim_notes(&r.sim), "toy: 2 of the 4 modes are pairs") != NULL);
    drop(&r);
}

TEST(asking_for_more_modes_than_there_are_is_refused_and_changes_nothing) {
    (void)unused_state;
    rig r;
    withy_error err = {0};
    withy_mode mode[MOST + 1] = {{0}};
    make(&r, MOST);
    const double lambda[MOST] = {1, 2, 3, 4, 5, 6};
    diagonal(MOST, lambda, r.x.k);
    r.x.m[2] = r.x.m[4] = 0; /* no inertia: no mode */
    const uint64_t before = wy_hash(r.sim.state.base, r.sim.state.used, 0);
    CHECK(wy_door_modes(&r.sim, 5, mode, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "toy: 5 modes are requested, but the mesh has only 4") == err.text);
    CHECK(wy_hash(r.sim.state.base, r.sim.state.used, 0) == before);
    drop(&r);
}

RUN(test(arc_length_follows_a_cubic_through_both_limit_points_with_stability_from_pivots_or_modes),
    test(beyond_a_limit_point_natural_continuation_says_so_and_stays_at_the_last_equilibrium),
    test(modes_and_damping_of_unsymmetric_equations_are_those_of_their_left_and_right_vectors),
    test(a_pair_that_flutters_is_noted),
    test(asking_for_more_modes_than_there_are_is_refused_and_changes_nothing))
