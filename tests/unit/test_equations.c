/* test_equations.c - the drivers of src/study on equations whose answers are known in closed form. */
#include <stdlib.h>

#include "base/vec.h"
#include "check.h"
#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"
#include "study/equilibrium/equations.h"

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
static wy_vector_layout layout(const void *self) {
    const int rows = ((const toy *)self)->rows;
    return (wy_vector_layout){rows, {0, 1, 0, rows, 1}, {0}, 1.0, {0}};
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

static const wy_equations plain = {.layout = layout,
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
    wy_equations equations;
    wy_view view;
    double s[1];
    double state[64]; /* core, tangent, w */
} rig;

static void make(rig *r, int count) {
    *r = (rig){.equations = plain, .rod = {.length = 1, .end[0].kind = WITHY_END_CLAMPED}};
    r->method = (wy_method){.name = "toy", .equations = &r->equations};
    r->sim.problem = (withy_problem){.rod = &r->rod, .rod_count = 1};
    r->sim.method = &r->method, r->sim.self = &r->x;
    r->view.snap.count = 1, r->view.snap.s = r->s, r->sim.rod = &r->view;
    wy_block block = {.base = (char *)r->state};
    r->sim.core = wy_block_alloc(&block, 1, sizeof *r->sim.core);
    r->sim.tangent = wy_block_alloc(&block, (size_t)count, sizeof(double));
    r->x.w = wy_block_alloc(&block, (size_t)count, sizeof(double));
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
    withy_mode *mode = NULL;
    withy_error err = {0};
    CHECK_OK(wy_modes_find(&r->sim, count, &mode, &err));
    return mode;
}

/* lambda^2 + c lambda + k = 0 for each of six modes that neither K nor C mixes. */
TEST(damped_modes_of_unsymmetric_equations_are_those_of_their_own_oscillators) {
    (void)unused_state;
    const double mu[MOST] = {1, 4, 4, 30, -2, 700}, loss[MOST] = {.1, .2, .2, .4, .5, .6};
    const int order[MOST] = {4, 0, 1, 2, 3, 5};
    rig r;
    double middle[MOST * MOST];
    make(&r, MOST);
    r.equations.solve_transposed = solve_transposed;
    for (int i = 0; i < MOST; i++) r.x.m[i] = 1 + 0.3 * i;
    diagonal(MOST, mu, middle);
    set_matrix(&r.x, SKEW, middle, r.x.k);
    diagonal(MOST, loss, middle);
    set_matrix(&r.x, SKEW, middle, r.x.c);
    withy_mode *mode = modes_of(&r, MOST);
    for (int i = 0; i < MOST && mode; i++) {
        const double k = mu[order[i]], c = loss[order[i]], root = sqrt(fabs(k - c * c / 4));
        const double growth = k < 0 ? root - c / 2 : -c / 2;
        CHECK_NEAR(mode[i].growth, growth, 1e-9);
        CHECK_NEAR(mode[i].frequency * 2 * WY_PI, k < 0 ? -growth : root, 1e-9 * root);
        CHECK(mode[i].kind == (k < 0 ? WITHY_MODE_DIVERGENCE : WITHY_MODE_STABLE));
        CHECK_NEAR(hypot(v3_norm(mode[i].shift[0]), v3_norm(mode[i].shift_im[0])), 0.1, 1e-12);
    }
    CHECK_TEXT(withy_sim_notes(&r.sim)->text, "");
    withy_modes_free(mode, MOST);
    drop(&r);
}

/* A spinning top, linearised: M = 1, K = k, C = g [0 -1; 1 0]; without damping
 * lambda = i w, w^2 = k + g^2/2 +- sqrt(k g^2 + g^4/4), stable although k < 0 when g^2 > -4 k. */
TEST(gyroscopic_forces_split_frequencies_and_hold_what_has_no_stiffness) {
    (void)unused_state;
    for (int unstable = 0; unstable < 3; unstable++) {
        const double k = unstable ? -1 : 3, g = unstable == 2 ? 1.5 : 2.5;
        const double other[MOST] = {k, k, 20, 30, 50, 70};
        rig r;
        make(&r, MOST);
        r.x.potential = 0;
        diagonal(MOST, other, r.x.k);
        memset(r.x.c, 0, sizeof r.x.c);
        r.x.c[1] = -g, r.x.c[MOST] = g;
        withy_mode *mode = modes_of(&r, 3);
        const double root = k * g * g + g * g * g * g / 4;
        for (int i = 0; i < 2 && mode; i++) {
            const double square = k + g * g / 2 + (i ? 1 : -1) * (root > 0 ? sqrt(root) : 0);
            if (unstable < 2) CHECK_NEAR(pow(2 * WY_PI * mode[i].frequency, 2), square, 1e-9);
            CHECK(mode[i].kind ==
                  (unstable == 2 && i == 0 ? WITHY_MODE_FLUTTER : WITHY_MODE_STABLE));
        }
        /* a quarter of a turn between the two directions: it whirls */
        if (mode) CHECK_NEAR(fabs(mode[0].shift_im[0].y), fabs(mode[0].shift[0].x), 1e-9);
        withy_modes_free(mode, 3);
        drop(&r);
    }
}

TEST(a_pair_without_potential_flutters_and_is_listed_first) {
    (void)unused_state;
    rig r;
    double middle[MOST * MOST];
    const double mu[MOST] = {1, 9, 9, 30, 50, 700};
    make(&r, MOST);
    r.x.potential = 0;
    diagonal(MOST, mu, middle);
    middle[1 * MOST + 2] = 2, middle[2 * MOST + 1] = -2; /* 9 +- 2 i */
    set_matrix(&r.x, SKEW, middle, r.x.k);
    withy_mode *mode = modes_of(&r, 1);
    if (mode) {
        /* lambda = p + i q: q^2 - p^2 = 9, p q = 1 */
        const double q = sqrt(0.5 * (9 + sqrt(85)));
        CHECK(mode[0].kind == WITHY_MODE_FLUTTER && mode[0].total >= 1);
        CHECK_NEAR(mode[0].frequency * 2 * WY_PI, q, 1e-7);
        CHECK_NEAR(mode[0].growth, 1 / q, 1e-7);
    }
    withy_modes_free(mode, 1);
    drop(&r);
}

TEST(asking_for_more_modes_than_there_are_is_refused_and_changes_nothing) {
    (void)unused_state;
    rig r;
    withy_error err = {0};
    withy_mode *mode = NULL;
    make(&r, MOST);
    const double lambda[MOST] = {1, 2, 3, 4, 5, 6};
    diagonal(MOST, lambda, r.x.k);
    r.x.m[2] = r.x.m[4] = 0; /* no inertia: no mode */
    const uint64_t before = wy_hash(r.sim.state.base, r.sim.state.used, 0);
    CHECK(wy_modes_find(&r.sim, 5, &mode, &err) == WITHY_BAD_INPUT && mode == NULL);
    CHECK(strstr(err.text, "toy: 5 modes are requested, but the mesh has only 4") == err.text);
    CHECK(wy_hash(r.sim.state.base, r.sim.state.used, 0) == before);
    drop(&r);
}

RUN(test(arc_length_follows_a_cubic_through_both_limit_points_with_stability_from_pivots_or_modes),
    test(beyond_a_limit_point_natural_continuation_says_so_and_stays_at_the_last_equilibrium),
    test(damped_modes_of_unsymmetric_equations_are_those_of_their_own_oscillators),
    test(gyroscopic_forces_split_frequencies_and_hold_what_has_no_stiffness),
    test(a_pair_without_potential_flutters_and_is_listed_first),
    test(asking_for_more_modes_than_there_are_is_refused_and_changes_nothing))
