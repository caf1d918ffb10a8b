/* Modes of mechanisms: as many as there are degrees of freedom, whatever joints are redundant.
 *
 * Random mechanisms of bodies and rods, trees and loops, in space and in a plane, with and without joints that add nothing:
 * the same frequencies and the same number of them.  Those of bodies alone also against a dense computation of their
 * own: M, K and the rows of the constraints are written down here, and solved in the null space.
 *
 *   WITHY_TEST_NETWORKS=300   as many mechanisms
 *   WITHY_TEST_SEED=20770     another series
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "network_fixture.h"
#include "random_mechanism.h"

enum { USUAL = 24, MOST = 200, UNKNOWNS = 6 * BODIES };

typedef struct found {
    int freedoms, total, states;
    double hz[MOST];
    withy_mode_kind kind[MOST];
} found;

static int solve(const mechanism *x, int count, found *f, withy_error *err) {
    network_problem *p = malloc(sizeof *p);
    withy_sim *sim = NULL;
    withy_equilibrium at;
    withy_mode *mode = NULL;
    withy_linear *linear = NULL;
    *f = (found){0};
    build(x, p);
    withy_status status = network_start(p, "n=4", &sim, err);
    if (status == WITHY_OK && (!v3_is_zero(x->gravity) || !v3_is_zero(x->spin)))
        status = withy_sim_equilibrium(sim, 1, &at, err);
    if (status == WITHY_OK) status = withy_sim_freedoms(sim, &f->freedoms, err);
    if (status == WITHY_OK && f->freedoms > 0)
        status = withy_sim_modes(sim, WITHY_UP_TO + count, &mode, err);
    for (int i = 0; mode && i < mode[0].total && i < MOST; i++)
        f->hz[i] = mode[i].frequency, f->kind[i] = mode[i].kind, f->total = i + 1;
    if (mode) status = withy_sim_linearise(sim, WITHY_UP_TO + count, &linear, err);
    if (linear) f->states = linear->states;
    if (mode) withy_modes_free(mode, mode[0].total);
    withy_linear_free(linear);
    withy_sim_destroy(sim);
    free(p);
    return status == WITHY_OK;
}

/* ---- the same, dense --------------------------------------------------------------------------------- */

/* along . (displacement of the second part against the first at the point), or of their turns. */
static void relative(const mechanism *x, const tie *t, vec3 along, int turns,
                     double row[UNKNOWNS]) {
    memset(row, 0, UNKNOWNS * sizeof *row);
    for (int s = 0; s < 2; s++) {
        const int b = t->part[s];
        if (b < 0) continue;
        const vec3 arm = v3_sub(t->at, x->centre[b]);
        const vec3 turn = turns ? along : v3_cross(arm, along); /* along . (phi x arm) */
        if (!turns) v3_to(v3_scale(s ? 1 : -1, along), &row[6 * b]);
        v3_to(v3_scale(s ? 1 : -1, turn), &row[6 * b + 3]);
    }
}

static void add_square(gsl_matrix *to, double k, const double row[UNKNOWNS]) {
    for (size_t i = 0; i < to->size1; i++)
        for (size_t j = 0; j < to->size2; j++) *gsl_matrix_ptr(to, i, j) += k * row[i] * row[j];
}

/* B^T B and K of one joint. */
static void add_rows(const mechanism *x, const tie *t, gsl_matrix *bb, gsl_matrix *k) {
    const vec3 a = t->axis, e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const vec3 across[2] = {t->axis2, v3_cross(a, t->axis2)};
    const withy_joint_kind kind = t->kind;
    double row[UNKNOWNS];
    const int meets = kind == WITHY_JOINT_HINGE || kind == WITHY_JOINT_BALL ||
                      kind == WITHY_JOINT_UNIVERSAL || kind == WITHY_JOINT_WELD;
    const int parallel =
        kind == WITHY_JOINT_HINGE || kind == WITHY_JOINT_CYLINDRICAL || kind == WITHY_JOINT_PLANAR;
    const int fixed = kind == WITHY_JOINT_WELD || kind == WITHY_JOINT_SLIDER;
    const int line = kind == WITHY_JOINT_SLIDER || kind == WITHY_JOINT_CYLINDRICAL;
    for (int i = 0; i < 3; i++) {
        if (meets) relative(x, t, e[i], 0, row), add_square(bb, 1, row);
        if (fixed) relative(x, t, e[i], 1, row), add_square(bb, 1, row);
        if (kind != WITHY_JOINT_SPRING) continue;
        relative(x, t, e[i], 0, row), add_square(k, t->spring, row);
        relative(x, t, e[i], 1, row), add_square(k, t->turn, row);
    }
    for (int i = 0; i < 2; i++) {
        if (line) relative(x, t, across[i], 0, row), add_square(bb, 1, row);
        if (parallel) relative(x, t, across[i], 1, row), add_square(bb, 1, row);
    }
    if (kind == WITHY_JOINT_PLANAR) relative(x, t, a, 0, row), add_square(bb, 1, row);
    if (kind == WITHY_JOINT_UNIVERSAL)
        relative(x, t, v3_cross(a, t->axis2), 1, row), add_square(bb, 1, row);
    if (kind == WITHY_JOINT_HINGE) relative(x, t, a, 1, row), add_square(k, t->spring, row);
    if (kind == WITHY_JOINT_SLIDER) relative(x, t, a, 0, row), add_square(k, t->spring, row);
}

static void add_masses(const mechanism *x, gsl_matrix *m) {
    for (int b = 0; b < x->bodies; b++) {
        const mat3 r = q_matrix(x->frame[b]);
        const double j[3] = {x->inertia[b].x, x->inertia[b].y, x->inertia[b].z};
        const vec3 c[3] = {r.c1, r.c2, r.c3};
        for (int i = 0; i < 3; i++) {
            double row[UNKNOWNS] = {0};
            row[6 * b + i] = 1, add_square(m, x->mass[b], row);
            row[6 * b + i] = 0, v3_to(c[i], &row[6 * b + 3]), add_square(m, j[i], row);
        }
    }
}

/* Frequencies [Hz] in the null space of the constraints, the lowest first; returns how many. */
static int dense(const mechanism *x, double hz[UNKNOWNS]) {
    const size_t n = 6 * (size_t)x->bodies;
    gsl_matrix *m = gsl_matrix_calloc(n, n), *k = gsl_matrix_calloc(n, n),
               *bb = gsl_matrix_calloc(n, n);
    gsl_matrix *vectors = gsl_matrix_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    add_masses(x, m);
    for (int i = 0; i < x->ties; i++) add_rows(x, &x->tie[i], bb, k);
    gsl_eigen_symmv(bb, values, vectors, work);
    gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC);
    size_t free = 0;
    while (free < n && gsl_vector_get(values, free) < 1e-11) free++;
    if (free) {
        gsl_matrix_const_view null = gsl_matrix_const_submatrix(vectors, 0, 0, n, free);
        gsl_matrix *some = gsl_matrix_alloc(n, free), *a = gsl_matrix_alloc(free, free),
                   *b = gsl_matrix_alloc(free, free);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, k, &null.matrix, 0, some);
        gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, &null.matrix, some, 0, a);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, m, &null.matrix, 0, some);
        gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, &null.matrix, some, 0, b);
        gsl_eigen_gensymm_workspace *general = gsl_eigen_gensymm_alloc(free);
        gsl_vector_view mu = gsl_vector_subvector(values, 0, free);
        gsl_eigen_gensymm(a, b, &mu.vector, general);
        gsl_sort_vector(&mu.vector);
        for (size_t i = 0; i < free; i++)
            hz[i] = sqrt(fmax(0, gsl_vector_get(values, i))) / (2 * WY_PI);
        gsl_eigen_gensymm_free(general);
        gsl_matrix_free(some), gsl_matrix_free(a), gsl_matrix_free(b);
    }
    gsl_eigen_symmv_free(work), gsl_vector_free(values), gsl_matrix_free(vectors);
    gsl_matrix_free(m), gsl_matrix_free(k), gsl_matrix_free(bb);
    return (int)free;
}

/* ---- comparing --------------------------------------------------------------------------------------- */

static const double SAME = 1e-7; /* relative */
static const double NOTHING =
    1e-5; /* of the highest: squares of frequencies are known to 1e-14 of the largest */

static const double FLOOR =
    0.1; /* [Hz] of the softest spring and the largest mass: where nothing is stiff */

/* The largest relative difference of the first `count`; what is zero within rounding must be it in both. */
static double difference(int count, const double *a, const double *b) {
    double most = 0, high = FLOOR;
    for (int i = 0; i < count; i++) high = fmax(high, fabs(b[i]));
    for (int i = 0; i < count; i++) {
        const int none = fabs(b[i]) <= NOTHING * high;
        const double own =
            none ? (fabs(a[i]) <= 2 * NOTHING * high ? 0 : 1) : fabs(a[i] - b[i]) / fabs(b[i]);
        if (!(own <= most)) most = own;
    }
    return most;
}

typedef struct sums {
    int made, loops, locked, hung, failed, compared;
    double worst, worst_dense;
} sums;

static void report(uint32_t seed, const char *what, const mechanism *x, const found *a,
                   const found *b) {
    print_error("mechanism %u: %s (%d bodies, %d joints%s%s)\n", seed, what, x->bodies, x->ties,
                x->flat ? ", flat" : "", x->rod ? ", rod" : "");
    print_error("  degrees of freedom %d, %d; modes %d, %d; states %d, %d\n", a->freedoms,
                b->freedoms, a->total, b->total, a->states, b->states);
    for (int i = 0; i < a->total || i < b->total; i++)
        print_error("  %.10g (%d) %.10g (%d)\n", a->hz[i], a->kind[i], b->hz[i], b->kind[i]);
}

static int agrees_dense(const mechanism *x, const found *f, uint32_t seed, sums *sum) {
    found d = {0};
    d.freedoms = d.total = dense(x, d.hz), d.states = 2 * d.total;
    const double off = d.total == f->total ? difference(d.total, f->hz, d.hz) : 1;
    sum->compared++, sum->locked += d.total == 0;
    sum->worst_dense = fmax(sum->worst_dense, off);
    const int good =
        f->freedoms == d.freedoms && f->total == d.total && f->states == d.states && off <= SAME;
    if (!good) report(seed, "not as by the dense computation", x, f, &d);
    return good;
}

/* Springs to all bodies, so that the equilibrium is near and there is one only. */
static void hold(mechanism *x) {
    for (int i = 0; i < x->bodies; i++)
        if (cluster_of(x, i) >= 0)
            add_tie(x, (tie){.kind = WITHY_JOINT_SPRING,
                             .part = {-1, i},
                             .at = x->centre[i],
                             .spring = 2000,
                             .turn = 500});
    x->bead[0] = x->bead[1] = WITHY_JOINT_WELD;
}

static void try_one(uint32_t number, sums *sum) {
    mechanism x = draw(number);
    withy_error err = {0};
    int added, good = 1;
    const int count = x.rod ? 8 : MOST; /* of a rod the lowest: others belong to its mesh */
    found *f = calloc(2, sizeof *f);
    sum->made++;
    if (!solve(&x, count, &f[0], &err)) {
        print_error("mechanism %u: %s\n", number, err.text);
        sum->failed++;
        free(f);
        return;
    }
    if (!x.rod) good = agrees_dense(&x, &f[0], number, sum);
    for (int load_case = 0; load_case < 3 && good; load_case++) { /* joints carry forces */
        if (load_case && ((number + (uint32_t)load_case) % 2 || !f[0].freedoms)) continue;
        if (load_case) x = draw(number), hold(&x);
        if (load_case == 1) x.gravity = v3(0, 0.1, -0.3);
        if (load_case == 2) x.spin = v3(0.1, 0.3, -0.2), x.damping = 0.1;
        if (load_case && !solve(&x, count, &f[0], &err)) {
            report(number, err.text, &x, &f[0], &f[0]);
            good = 0;
            break;
        }
        const mechanism y = with_more(&x, number, &added);
        const int solved = solve(&y, count, &f[1], &err);
        const int same = f[0].freedoms == f[1].freedoms && f[0].total == f[1].total &&
                         f[0].states == f[1].states;
        const double off = solved && same ? difference(f[0].total, f[1].hz, f[0].hz) : 1;
        sum->worst = fmax(sum->worst, off), sum->loops += added, sum->hung += load_case > 0;
        good = solved && same && off <= SAME;
        if (!good)
            report(number,
                   solved ? load_case ? "other modes with redundant joints that carry forces"
                                      : "other modes with redundant joints"
                          : err.text,
                   &y, &f[0], &f[1]);
    }
    sum->failed += !good;
    free(f);
}

TEST(redundant_joints_change_neither_the_number_nor_the_frequencies_of_modes) {
    const uint32_t first = 1000u * series();
    sums sum = {0};
    for (uint32_t i = 0; i < networks_wanted(USUAL); i++) try_one(first + i, &sum);
    print_message("seed %u: %d mechanisms, %d joints added, %d under weight or spin, "
                  "%d against a "
                  "dense computation "
                  "(%d cannot move), %d failed; worst %.2g, dense %.2g\n",
                  series(), sum.made, sum.loops, sum.hung, sum.compared, sum.locked, sum.failed,
                  sum.worst, sum.worst_dense);
    CHECK(sum.failed == 0);
}

/* ---- known ones ---------------------------------------------------------------------------------------- */

static mechanism door(int hinges) {
    mechanism x = {.bodies = 1,
                   .mass = {1},
                   .inertia = {{0.1, 0.1, 0.15}},
                   .centre = {{0.5, 0, 0}},
                   .frame = {{1, 0, 0, 0}}};
    for (int i = 0; i < hinges; i++)
        add_tie(&x,
                (tie){WITHY_JOINT_HINGE, {-1, 0}, {0, 0, i}, {0, 0, 1}, {1, 0, 0}, i ? 0 : 20, 0});
    return x;
}

TEST(a_door_on_one_two_or_three_hinges_has_one_mode) {
    for (int hinges = 1; hinges < 4; hinges++) {
        const mechanism x = door(hinges);
        found f;
        withy_error err = {0};
        CHECK(solve(&x, 6, &f, &err));
        CHECK(f.freedoms == 1 && f.total == 1 && f.states == 2);
        CHECK_NEAR(f.hz[0], sqrt(20 / (0.15 + 0.25)) / (2 * WY_PI), 1e-10);
    }
}

/* Nothing joins them, so that each has its modes, and the list has each as often as there are copies. */
TEST(copies_of_a_body_have_its_modes_as_often_as_there_are_copies) {
    for (int copies = 1; copies <= BODIES; copies++) {
        mechanism x = {.bodies = copies};
        found f;
        withy_error err = {0};
        for (int b = 0; b < copies; b++) {
            x.mass[b] = 1, x.inertia[b] = v3(0.1, 0.2, 0.3), x.frame[b] = (quat){1, 0, 0, 0};
            x.centre[b] = v3(10 * b, 0, 0);
            add_tie(&x, (tie){WITHY_JOINT_SPRING,
                              {-1, b},
                              x.centre[b],
                              {0, 0, 1},
                              {1, 0, 0},
                              .spring = 40,
                              .turn = 90});
        }
        CHECK(solve(&x, MOST, &f, &err));
        CHECK(f.freedoms == 6 * copies && f.total == 6 * copies && f.states == 12 * copies);
        const double square[6] = {40, 40, 40, 90 / 0.3, 90 / 0.2, 90 / 0.1};
        for (int i = 0; i < f.total; i++)
            CHECK_NEAR(f.hz[i], sqrt(square[i / copies]) / (2 * WY_PI), 1e-9);
    }
}

/* Cranks of length 1 with the mass in their middle, and a coupler that moves with their ends. */
static mechanism four_bar(double k) {
    mechanism x = {.bodies = 3, .mass = {1, 1, 1}};
    const int part[4][2] = {{-1, 0}, {-1, 1}, {0, 2}, {1, 2}};
    const vec3 at[4] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}};
    const vec3 centre[3] = {{0, 0.5, 0}, {2, 0.5, 0}, {1, 1, 0}};
    for (int i = 0; i < 3; i++) {
        x.centre[i] = centre[i], x.inertia[i] = v3(0.01, 0.01, 0.02);
        x.frame[i] = (quat){1, 0, 0, 0};
    }
    for (int i = 0; i < 4; i++)
        add_tie(&x, (tie){WITHY_JOINT_HINGE,
                          {part[i][0], part[i][1]},
                          at[i],
                          {0, 0, 1},
                          {1, 0, 0},
                          i ? 0 : k,
                          0});
    return x;
}

TEST(a_four_bar_has_one_mode_however_stiff_its_spring) {
    for (double k = 2e1; k < 3e9; k *= 1e2) {
        const mechanism x = four_bar(k);
        found f;
        withy_error err = {0};
        CHECK(solve(&x, 6, &f, &err));
        CHECK(f.freedoms == 1 && f.total == 1 && f.states == 2);
        const double wanted = sqrt(k / (2 * (0.02 + 0.25) + 1)) / (2 * WY_PI);
        CHECK_NEAR(f.hz[0], wanted, 1e-9 * wanted);
    }
}

TEST(what_cannot_move_has_no_modes_and_a_number_that_is_too_large_is_reported) {
    mechanism x = door(2);
    network_problem p;
    withy_mode *mode;
    withy_error err = {0};
    build(&x, &p);
    withy_sim *sim = start(&p, "");
    CHECK(withy_sim_modes(sim, 2, &mode, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "only 1 degree"));
    withy_sim_destroy(sim);
    x.tie[1].axis = v3(1, 0, 0);
    build(&x, &p);
    sim = start(&p, "");
    int count = -1;
    CHECK_OK(withy_sim_freedoms(sim, &count, &err));
    CHECK(count == 0);
    CHECK(withy_sim_modes(sim, WITHY_UP_TO + 6, &mode, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "nothing can move"));
    withy_sim_destroy(sim);
}

static withy_status ramp(void *context, double s, double t, double *value, withy_error *err) {
    (void)s, (void)err;
    value[0] = *(const double *)context * t;
    return WITHY_OK;
}

/* Both cranks of a parallelogram are driven: alike that is one drive too many, and else they contradict each other. */
TEST(joints_that_contradict_each_other_are_refused) {
    for (int k = 0; k < 2; k++) {
        const mechanism x = four_bar(0);
        network_problem p;
        withy_equilibrium at;
        withy_error err = {0};
        double turn[2] = {0.1, k ? 0.2 : 0.1};
        build(&x, &p);
        for (int i = 0; i < 2; i++)
            p.joint[i].drive = (withy_field){.size = 1, .call = ramp, .context = &turn[i]};
        withy_sim *sim = start(&p, "");
        const withy_status status = withy_sim_equilibrium(sim, 1, &at, &err);
        if (status != (k ? WITHY_BAD_INPUT : WITHY_OK)) fail_msg("%d: %d, %s", k, status, err.text);
        CHECK(!k || strstr(err.text, "contradict"));
        withy_sim_destroy(sim);
    }
}

/* Of what rests, or cannot move, energy is rounding, and no drift of it is an error. */
TEST(a_mechanism_that_rests_is_not_refused_for_rounding) {
    const uint32_t first = 1000 * series();
    for (uint32_t i = 0; i < networks_wanted(24); i++) {
        mechanism x = draw(first + i);
        const double dt = pow(10, -1 - (int)(i % 4));
        network_problem p;
        char options[32];
        withy_error err = {0};
        int freedoms = 0;
        if (i % 2) x.gravity = v3(0, 0, -9.81);
        build(&x, &p);
        snprintf(options, sizeof options, "dt=%g", dt);
        withy_sim *sim = start(&p, options);
        CHECK_OK(withy_sim_freedoms(sim, &freedoms, &err));
        const int rests = i % 2 == 0 || freedoms == 0; /* else a step may be too long for it */
        if (rests && withy_sim_advance(sim, 40 * dt, &err) != WITHY_OK)
            fail_msg("series %u, mechanism %u: %s", series(), i, err.text);
        withy_sim_destroy(sim);
    }
}

RUN(test(redundant_joints_change_neither_the_number_nor_the_frequencies_of_modes),
    test(a_door_on_one_two_or_three_hinges_has_one_mode),
    test(copies_of_a_body_have_its_modes_as_often_as_there_are_copies),
    test(a_four_bar_has_one_mode_however_stiff_its_spring),
    test(what_cannot_move_has_no_modes_and_a_number_that_is_too_large_is_reported),
    test(joints_that_contradict_each_other_are_refused),
    test(a_mechanism_that_rests_is_not_refused_for_rounding))
