/* The scheme of [EL] (corrected), written a second time with dense matrices straight from its
 * definition, as an oracle for the banded solver: D1, D2 by inverting A, plain Newton with the full
 * Jacobian, dense LU.  Nothing here comes from src/method or src/numeric. */
#include "elastica_problems.h"

enum { N_MAX = 24, NODES = N_MAX + 1, UNKNOWNS = 4 * NODES };

typedef struct oracle {
    int n, held[2], clamped[2];
    double eta, h, rho, eps, nu, sigma, g[3];
    double d1[NODES][NODES], d2[NODES][NODES]; /* D1, D2                      */
    double uz[NODES][NODES], kz[NODES][NODES]; /* 3 C A^-1, -6 A^-1           */
    double x[3][NODES][3], z[3][2][3];         /* levels n-1, n, n+1          */
    double u[3][NODES][3], k[3][NODES][3];
    double alpha[NODES];
} oracle;

/* Solve a x = b for several right sides; a, b row-major with the given row lengths. */
static void solve(int n, double *a, int la, double *b, int lb, int sides) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * la + k]) > fabs(a[p * la + k])) p = i;
        for (int j = 0; j < n; j++) {
            const double t = a[k * la + j];
            a[k * la + j] = a[p * la + j], a[p * la + j] = t;
        }
        for (int j = 0; j < sides; j++) {
            const double t = b[k * lb + j];
            b[k * lb + j] = b[p * lb + j], b[p * lb + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            const double f = a[i * la + k] / a[k * la + k];
            for (int j = k; j < n; j++) a[i * la + j] -= f * a[k * la + j];
            for (int j = 0; j < sides; j++) b[i * lb + j] -= f * b[k * lb + j];
        }
    }
    for (int k = n - 1; k >= 0; k--)
        for (int j = 0; j < sides; j++) {
            for (int i = k + 1; i < n; i++) b[k * lb + j] -= a[k * la + i] * b[i * lb + j];
            b[k * lb + j] /= a[k * la + k];
        }
}

static double W(const oracle *o, int j) {
    return j == 0 || j == o->n ? 0.5 : 1.0;
}

/* A, U, B, C of (53)-(64) and D1, D2 of (75), (76). */
static void make_matrices(oracle *o) {
    static double A[NODES][NODES], inverse[NODES][NODES], U[NODES][NODES], B[NODES][NODES],
        C[NODES][NODES];
    const int n = o->n, m = n + 1;
    memset(A, 0, sizeof A), memset(U, 0, sizeof U), memset(B, 0, sizeof B), memset(C, 0, sizeof C);
    memset(inverse, 0, sizeof inverse);
    for (int j = 1; j < n; j++) {
        A[j][j - 1] = A[j][j + 1] = o->eta, A[j][j] = 4 * o->eta;
        U[j][j - 1] = U[j][j + 1] = 3 / o->eta, U[j][j] = -6 / o->eta;
    }
    A[0][0] = o->clamped[0] ? 2 * o->eta : 1, A[0][1] = o->clamped[0] ? o->eta : 0;
    A[n][n] = o->clamped[1] ? 2 * o->eta : 1, A[n][n - 1] = o->clamped[1] ? o->eta : 0;
    if (o->clamped[0]) U[0][0] = -3 / o->eta, U[0][1] = 3 / o->eta;
    if (o->clamped[1]) U[n][n - 1] = 3 / o->eta, U[n][n] = -3 / o->eta;
    for (int j = 0; j < n; j++) {
        B[j][j] = -1 / o->eta, B[j][j + 1] = 1 / o->eta;
        C[j][j] = 2 * o->eta / 3, C[j][j + 1] = o->eta / 3;
    }
    B[n][n - 1] = -1 / o->eta, B[n][n] = 1 / o->eta;
    C[n][n - 1] = -o->eta / 3, C[n][n] = -2 * o->eta / 3;
    for (int j = 0; j < m; j++) inverse[j][j] = 1;
    solve(m, A[0], NODES, inverse[0], NODES, m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double iu = 0;
            for (int l = 0; l < m; l++) iu += inverse[i][l] * U[l][j];
            o->d2[i][j] = 2 * iu;
            o->kz[i][j] = -6 * inverse[i][j];
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            o->d1[i][j] = B[i][j], o->uz[i][j] = 0;
            for (int l = 0; l < m; l++) {
                o->d1[i][j] -= 0.5 * C[i][l] * o->d2[l][j];
                o->uz[i][j] -= 0.5 * C[i][l] * o->kz[l][j];
            }
        }
}

static void derive(oracle *o, int level) {
    for (int i = 0; i <= o->n; i++)
        for (int c = 0; c < 3; c++) {
            double u = o->uz[i][0] * o->z[level][0][c] + o->uz[i][o->n] * o->z[level][1][c];
            double k = o->kz[i][0] * o->z[level][0][c] + o->kz[i][o->n] * o->z[level][1][c];
            for (int j = 0; j <= o->n; j++) {
                u += o->d1[i][j] * o->x[level][j][c];
                k += o->d2[i][j] * o->x[level][j][c];
            }
            o->u[level][i][c] = u, o->k[level][i][c] = k;
        }
}

/* Coefficients of level +, so that first and later steps share one residual. */
typedef struct scheme {
    double fa, favg, frate;
    int first;
} scheme;

/* (99), corrected, and its Jacobian; unknowns x_j (3 per node), then alpha_j. */
static void assemble(oracle *o, scheme s, double *F, double J[UNKNOWNS][UNKNOWNS]) {
    const int m = o->n + 1;
    static double q[NODES][3], r[NODES][3], mid[NODES][3];
    derive(o, 2);
    memset(J, 0, sizeof(double[UNKNOWNS][UNKNOWNS]));
    for (int j = 0; j < m; j++)
        for (int c = 0; c < 3; c++) {
            /* first: rates and means over [0, h] with G = 0 */
            const int a = s.first ? 1 : 0;
            q[j][c] = o->eps * 0.5 * (o->k[2][j][c] + o->k[a][j][c]) +
                      o->nu * s.frate * (o->k[2][j][c] - o->k[a][j][c]);
            mid[j][c] = 0.5 * (o->u[2][j][c] + o->u[a][j][c]);
            const double turn = s.first
                                    ? s.fa * (o->u[2][j][c] - o->u[1][j][c])
                                    : s.fa * (o->u[2][j][c] - 2 * o->u[1][j][c] + o->u[0][j][c]);
            r[j][c] = o->alpha[j] * mid[j][c] + o->sigma * turn;
        }
    const double kq = o->eps * s.favg + o->nu * s.frate;
    for (int i = 0; i < m; i++)
        for (int c = 0; c < 3; c++) {
            const int row = 3 * i + c;
            const double a = s.first ? s.fa * (o->x[2][i][c] - o->x[1][i][c])
                                     : s.fa * (o->x[2][i][c] - 2 * o->x[1][i][c] + o->x[0][i][c]);
            F[row] = o->rho * W(o, i) * (a - o->g[c]);
            J[row][row] += o->rho * W(o, i) * s.fa;
            for (int j = 0; j < m; j++) {
                F[row] += o->d2[j][i] * W(o, j) * q[j][c] + o->d1[j][i] * W(o, j) * r[j][c];
                J[row][3 * m + j] = o->d1[j][i] * W(o, j) * mid[j][c];
                for (int l = 0; l < m; l++)
                    J[row][3 * l + c] += kq * o->d2[j][i] * W(o, j) * o->d2[j][l] +
                                         (o->sigma * s.fa + s.favg * o->alpha[j]) * o->d1[j][i] *
                                             W(o, j) * o->d1[j][l];
            }
        }
    for (int i = 0; i < m; i++) {
        F[3 * m + i] = -0.5;
        for (int c = 0; c < 3; c++) {
            F[3 * m + i] += 0.5 * o->u[2][i][c] * o->u[2][i][c];
            for (int j = 0; j < m; j++) J[3 * m + i][3 * j + c] += o->u[2][i][c] * o->d1[i][j];
        }
    }
    for (int e = 0; e < 2; e++) {
        const int j = e ? o->n : 0;
        for (int c = 0; c < 3 && o->held[e]; c++) {
            memset(J[3 * j + c], 0, sizeof J[0]);
            J[3 * j + c][3 * j + c] = 1, F[3 * j + c] = 0;
        }
        if (!o->clamped[e]) continue;
        memset(J[3 * m + j], 0, sizeof J[0]);
        J[3 * m + j][3 * m + j] = 1, F[3 * m + j] = o->alpha[j];
    }
}

static void oracle_step(oracle *o, int first) {
    static double F[UNKNOWNS], J[UNKNOWNS][UNKNOWNS];
    const int m = o->n + 1;
    const scheme s = {.fa = (first ? 2 : 1) / (o->h * o->h),
                      .favg = 0.5,
                      .frate = first ? 1 / o->h : 1 / (2 * o->h),
                      .first = first};
    double norm = 1;
    for (int it = 0; it < 30 && !(norm <= 1e-13); it++) {
        assemble(o, s, F, J);
        solve(4 * m, J[0], UNKNOWNS, F, 1, 1);
        norm = 0;
        for (int j = 0; j < m; j++) {
            for (int c = 0; c < 3; c++) {
                o->x[2][j][c] -= F[3 * j + c];
                norm = worst_of(norm, fabs(F[3 * j + c]));
            }
            o->alpha[j] -= F[3 * m + j];
        }
    }
    CHECK(norm <= 1e-11);
    derive(o, 2);
}

static void field_value(const withy_field *field, double t, double out[3]) {
    withy_error err;
    CHECK(withy_field_at(field, 0, t, out, &err) == WITHY_OK);
}

/* Data at time t into level 2; a guess for the rest is there already. */
static void set_ends(oracle *o, const example *x, const withy_snapshot *start, double t) {
    for (int e = 0; e < 2; e++) {
        const withy_end *end = &x->rod.end[e];
        const int j = e ? o->n : 0;
        if (o->held[e] && end->position.size) field_value(&end->position, t, o->x[2][j]);
        if (o->held[e] && !end->position.size) v3_to(start->position[j], o->x[2][j]);
        if (!o->clamped[e]) continue;
        field_value(&end->tangent, t, o->z[2][e]);
        for (int c = 0; c < 3 && e; c++) o->z[2][e][c] *= -1;
    }
}

static double number(const withy_field *field) {
    return field->size ? field->value[0] : 0;
}

/* Largest difference of the two codes over `steps` steps from the same initial state. */
static double difference(const example *x, int n, double h, int steps) {
    static oracle o;
    char text[96];
    snprintf(text, sizeof text, "n=%d dt=%.17g project=false cure=A", n, h);
    withy_sim *sim = simulate_ok(x, text);
    memset(&o, 0, sizeof o);
    o.n = n, o.h = h, o.eta = x->rod.length / n;
    o.rho = number(&x->rod.inertia[WITHY_MASS]), o.sigma = number(&x->rod.inertia[WITHY_ROTARY1]);
    o.eps = number(&x->rod.stiffness[WITHY_BEND1]), o.nu = number(&x->rod.damping[WITHY_BEND1]);
    o.g[0] = x->problem.gravity.x, o.g[1] = x->problem.gravity.y, o.g[2] = x->problem.gravity.z;
    for (int e = 0; e < 2; e++) {
        o.held[e] = x->rod.end[e].kind != WITHY_END_FREE;
        o.clamped[e] = x->rod.end[e].kind == WITHY_END_CLAMPED;
    }
    make_matrices(&o);
    const withy_snapshot *snap = now(sim);
    for (int j = 0; j <= n; j++) v3_to(snap->position[j], o.x[2][j]);
    set_ends(&o, x, snap, 0);
    derive(&o, 2);
    double largest = 0;
    for (int k = 1; k <= steps; k++) {
        memcpy(o.x[0], o.x[1], sizeof o.x[0]), memcpy(o.x[1], o.x[2], sizeof o.x[0]);
        memcpy(o.u[0], o.u[1], sizeof o.u[0]), memcpy(o.u[1], o.u[2], sizeof o.u[0]);
        memcpy(o.k[0], o.k[1], sizeof o.k[0]), memcpy(o.k[1], o.k[2], sizeof o.k[0]);
        for (int j = 0; j <= n && k > 1; j++)
            for (int c = 0; c < 3; c++) o.x[2][j][c] = 2 * o.x[1][j][c] - o.x[0][j][c];
        set_ends(&o, x, snap, k * h);
        oracle_step(&o, k == 1);
        go(sim, k * h);
        snap = now(sim);
        for (int j = 0; j <= n; j++)
            largest = worst_of(largest, v3_norm(v3_sub(snap->position[j], v3_from(o.x[2][j]))));
    }
    withy_sim_destroy(sim);
    return largest;
}

TEST(dense_and_banded_agree_to_1e_12_on_the_rotating_clamp) {
    (void)unused_state;
    example x;
    example_2(&x);
    CHECK_BELOW(difference(&x, 10, 1.0 / 6, 24), 1e-12);
    x.rod.inertia[WITHY_ROTARY1] = x.rod.inertia[WITHY_ROTARY2] = withy_field_number(0.05);
    CHECK_BELOW(difference(&x, 10, 1.0 / 6, 24), 1e-12);
}

TEST(dense_and_banded_agree_to_1e_12_on_the_oscillating_end) {
    (void)unused_state;
    example x;
    example_3(&x);
    CHECK_BELOW(difference(&x, 15, 0.02, 30), 1e-12);
    x.rod.inertia[WITHY_ROTARY1] = x.rod.inertia[WITHY_ROTARY2] = withy_field_number(0.05);
    CHECK_BELOW(difference(&x, 15, 0.02, 30), 1e-12);
}

TEST(dense_and_banded_agree_to_1e_12_on_the_falling_rod) {
    (void)unused_state;
    example x;
    example_4(&x);
    CHECK_BELOW(difference(&x, 20, 0.1, 30), 1e-12);
}

TEST(dense_and_banded_agree_to_1e_12_on_the_arch) {
    (void)unused_state;
    example x;
    section_8(&x);
    CHECK_BELOW(difference(&x, 20, 5, 20), 1e-12);
}

TEST(dense_and_banded_agree_to_1e_12_on_a_free_rod) {
    (void)unused_state;
    example x;
    plain_rod(&x, PI, 0.02);
    initial_curve(&x, semicircle);
    x.problem.gravity = (withy_vec3){0.2, 0, 0.1};
    finish_example(&x, 1, 0.02);
    CHECK_BELOW(difference(&x, 16, 0.02, 30), 1e-12);
}

RUN(test(dense_and_banded_agree_to_1e_12_on_the_rotating_clamp),
    test(dense_and_banded_agree_to_1e_12_on_the_oscillating_end),
    test(dense_and_banded_agree_to_1e_12_on_the_falling_rod),
    test(dense_and_banded_agree_to_1e_12_on_the_arch),
    test(dense_and_banded_agree_to_1e_12_on_a_free_rod))
