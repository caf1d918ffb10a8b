/* test_kirchhoff_matrix.c - the Newton matrix against differences of the residual, for every kind
 * of end, both energies, both dampings and all sets of equations. */
#include "kirchhoff_rig.h"
#include "random_number.h"

#include <stdlib.h>

enum { N = 5, SIZE = 9 * (N + 1) };

static double noise(void) {
    static uint32_t seed = 7;
    random_next(&seed);
    return (double)(seed >> 8) / (1 << 24) - 0.5;
}

static vec3 noise3(double by) {
    return v3(by * noise(), by * noise(), by * noise());
}

/* A bent, twisted rod and two neighbours of it, none of them a solution. */
static void shake(wy_kirchhoff *p) {
    wy_kirchhoff_level *level[3] = {p->now, p->next, p->last};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j <= N; j++) {
            const mat3 turn = q_matrix(q_exp(noise3(0.4)));
            level[k]->x[j] = v3_add(p->now->x[j], noise3(0.1));
            level[k]->frame[j] = wy_kirchhoff_orthonormal(m3_mulm(turn, p->now->frame[j]));
        }
    for (int j = 0; j <= N; j++) {
        p->lambda[j] = noise3(0.5);
        p->work.eq.ahead_x[j] = v3_add(p->now->x[j], noise3(0.1));
        p->work.eq.ahead_frame[j] = p->now->frame[j];
        p->couple[j] = noise3(0.2);
    }
    for (int k = 0; k < 3; k++) wy_kirchhoff_strains(p, level[k]);
}

static void perturb(wy_kirchhoff *p, int column, double by) {
    const int j = column / 9, part = column % 9 / 3;
    double d[3] = {0};
    d[column % 3] = by;
    if (part == 0) p->next->x[j] = v3_axpy(p->next->x[j], p->eta, v3_from(d));
    if (part == 1) p->next->frame[j] = m3_mulm(q_matrix(q_exp(v3_from(d))), p->next->frame[j]);
    if (part == 2) p->lambda[j] = v3_axpy(p->lambda[j], p->stiff, v3_from(d));
}

/* Rows that hold an end where it has been put: the residual there is zero by definition. */
static int prescribed(const wy_kirchhoff *p, int row) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, row / 9);
    const int part = row % 9 / 3;
    if (!end) return 0;
    if (part == 0) return end->held;
    if (part == 1) return end->turn == WY_KIRCHHOFF_TURN_FRAME || (end->turn && row % 3 < 2);
    return 0;
}

/* Largest difference between the matrix and central differences, of entries of size one. */
static double matrix_error(wy_kirchhoff *p, double *largest) {
    static double plus[SIZE], minus[SIZE];
    const double d = 1e-6;
    double worst = 0;
    *largest = 0;
    wy_kirchhoff_residual(p);
    CHECK(p->work.matrix.rows >= SIZE); /* the window holds all of this small matrix */
    for (int j = 0; j <= N; j++) wy_kirchhoff_rows(p, j);
    for (int c = 0; c < SIZE; c++) {
        perturb(p, c, d);
        wy_kirchhoff_residual(p);
        memcpy(plus, p->work.rhs, sizeof plus);
        perturb(p, c, -2 * d);
        wy_kirchhoff_residual(p);
        memcpy(minus, p->work.rhs, sizeof minus);
        perturb(p, c, d);
        for (int r = 0; r < SIZE; r++) {
            if (prescribed(p, r)) continue;
            const int inside = abs(r - c) <= 17;
            const double analytic = inside ? *wy_banded_at(&p->work.matrix, r, c) : 0.0;
            const double error = fabs(analytic + (plus[r] - minus[r]) / (2 * d));
            if (!(error <= worst)) worst = error;
            *largest = worst_of(*largest, fabs(analytic));
        }
    }
    return worst;
}

typedef struct variant {
    const char *name;
    withy_end_kind ends[2];
    int strong, energy, damping;
    double average, elastic, turn;
    int gauge, tangent, felt;
} variant;

static const variant table[] = {
    {"strain, pinned", {WITHY_END_PINNED, WITHY_END_PINNED}, 0, 0, 0, .5, 1, 0, -1, 0, 0},
    {"quadratic, pinned strong", {WITHY_END_PINNED, WITHY_END_PINNED}, 1, 1, 1, .5, 1, 0, -1, 0, 0},
    {"strain, free strong", {WITHY_END_FREE, WITHY_END_FREE}, 1, 0, 0, .5, 1, .3, -1, 0, 0},
    {"quadratic, clamped-free", {WITHY_END_CLAMPED, WITHY_END_FREE}, 0, 1, 0, .5, 1, .3, -1, 0, 0},
    {"strain, guided", {WITHY_END_GUIDED, WITHY_END_PINNED}, 0, 0, 1, .5, 1, 0, -1, 0, 0},
    {"strain, first step", {WITHY_END_PINNED, WITHY_END_FREE}, 0, 0, 0, 1, 1, .3, -1, 0, 0},
    {"gauge", {WITHY_END_PINNED, WITHY_END_FREE}, 0, 0, 0, .5, 1, 0, 0, 0, 0},
    {"tangent", {WITHY_END_PINNED, WITHY_END_FREE}, 0, 0, 0, .5, 1, .3, -1, 1, 0},
    {"tangent and gauge", {WITHY_END_PINNED, WITHY_END_FREE}, 0, 0, 0, .5, 1, 0, 0, 1, 0},
    {"gauge with drag", {WITHY_END_PINNED, WITHY_END_FREE}, 0, 0, 0, .5, 1, 0, 0, 0, 1},
    {"projection", {WITHY_END_CLAMPED, WITHY_END_FREE}, 1, 0, 0, 1, 0, 0, -1, 0, 0},
};

static void check_variant(const variant *v) {
    double kappa[2 * (N + 1)], x[3 * (N + 1)], r[9 * (N + 1)];
    for (int j = 0; j <= N; j++) {
        kappa[2 * j] = 1 + noise(), kappa[2 * j + 1] = noise();
        x[3 * j] = 0.4 * j, x[3 * j + 1] = 0.1 * j * j, x[3 * j + 2] = 0;
        for (int i = 0; i < 9; i++) r[9 * j + i] = i % 4 == 0;
    }
    rig g;
    const rig_setup setup = {.ends = {v->ends[0], v->ends[1]},
                             .strong = v->strong,
                             .n = N,
                             .length = 2,
                             .h = .3,
                             .sigma = 1.3,
                             .ct = .7,
                             .rho = 1,
                             .turn = v->turn,
                             .nu = .2,
                             .nu_twist = .1,
                             .energy = v->energy,
                             .damping = v->damping,
                             .kappa = kappa,
                             .x = x,
                             .r = r};
    rig_make(&g, &setup);
    wy_kirchhoff *p = &g.p;
    p->gauge = v->gauge;
    if (v->tangent) p->end[0].turn = WY_KIRCHHOFF_TURN_TANGENT;
    p->work.eq = (wy_kirchhoff_equations){.inertia = 4,
                                          .average = v->average,
                                          .rate = 1.7,
                                          .elastic = v->elastic,
                                          .mass = p->mass,
                                          .turn = (const double(*)[2])p->turn,
                                          .ahead_x = p->work.eq.ahead_x,
                                          .ahead_frame = p->work.eq.ahead_frame,
                                          .next = p->next,
                                          .last = p->last,
                                          .gauge = p->now->frame,
                                          .gauge_all = v->elastic == 0,
                                          .spin_felt = v->felt,
                                          .drag = v->felt};
    shake(p);
    /* rows that prescribe an end hold on the manifold where it is imposed; take its frame there */
    if (v->tangent) p->next->frame[0] = p->last->frame[0] = p->now->frame[0];
    double largest;
    const double worst = matrix_error(p, &largest);
    print_message("%-28s worst %.1e of entries up to %.1f\n", v->name, worst, largest);
    CHECK_BELOW(worst, 1e-7); /* rounding of the differences */
    rig_free(&g);
}

TEST(matrix_equals_differences_of_the_residual) {
    (void)unused_state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) check_variant(&table[i]);
}

RUN(test(matrix_equals_differences_of_the_residual))
