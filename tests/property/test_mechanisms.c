/* Modes of mechanisms: as many as there are degrees of freedom, whatever joints are redundant.
 *
 * Random mechanisms of bodies and rods, trees and loops, in space and in a plane, with and without joints that add nothing:
 * the same frequencies and the same number of them.  Those of bodies alone also against a dense computation of their
 * own: M, K and the rows of the constraints are written down here, and solved in the null space.
 *
 *   WITHY_TEST_NETWORKS=300   as many mechanisms
 *   WITHY_TEST_SEED=20770     another series; by default the day
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/base.h"
#include "check.h"
#include "network_fixture.h"
#include "random_network.h"

enum { USUAL = 24, BODIES = 4, TIES = 4 * BODIES + 8, MOST = 200, UNKNOWNS = 6 * BODIES };

static uint32_t series(void) {
    const char *given = getenv("WITHY_TEST_SEED");
    return given ? (uint32_t)strtoul(given, NULL, 10) : (uint32_t)(time(NULL) / 86400);
}

/* A joint as it is drawn: parts (-1: the ground), point and axes in the laboratory. */
typedef struct tie {
    withy_joint_kind kind;
    int part[2];
    vec3 at, axis, axis2;
    double spring; /* of a hinge or slider; of a spring, all three stretches */
    double turn;   /* of a spring */
} tie;

typedef struct mechanism {
    int bodies, ties, flat, rod; /* rod: 1 + the body that carries one */
    double mass[BODIES];
    vec3 inertia[BODIES], centre[BODIES];
    quat frame[BODIES];
    tie tie[TIES];
    vec3 gravity;
} mechanism;

static double between(uint32_t *seed, double low, double high) {
    return low + (high - low) * 0.5 * (noise(seed) + 1);
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static vec3 point_in(const mechanism *x, uint32_t *seed) {
    vec3 p = any(seed);
    if (x->flat) p.z = 0;
    return p;
}

static const withy_joint_kind SPATIAL[] = {
    WITHY_JOINT_HINGE,     WITHY_JOINT_HINGE,       WITHY_JOINT_BALL,   WITHY_JOINT_SLIDER,
    WITHY_JOINT_UNIVERSAL, WITHY_JOINT_CYLINDRICAL, WITHY_JOINT_PLANAR, WITHY_JOINT_WELD};
static const withy_joint_kind FLAT[] = {WITHY_JOINT_HINGE, WITHY_JOINT_HINGE, WITHY_JOINT_HINGE,
                                        WITHY_JOINT_SLIDER};

static tie any_tie(const mechanism *x, uint32_t *seed, int a, int b) {
    tie t = {.part = {a, b}, .at = point_in(x, seed), .axis = any_unit(seed)};
    t.kind = x->flat ? FLAT[below(seed, 4)] : SPATIAL[below(seed, 8)];
    if (x->flat)
        t.axis =
            t.kind == WITHY_JOINT_HINGE ? v3(0, 0, 1) : v3_unit(v3(t.axis.x, t.axis.y + 1e-3, 0));
    t.axis2 = v3_orthogonal(t.axis);
    if ((t.kind == WITHY_JOINT_HINGE || t.kind == WITHY_JOINT_SLIDER) && below(seed, 2))
        t.spring = pow(10, between(seed, 0, 4));
    return t;
}

static void add_tie(mechanism *x, tie t) {
    if (x->ties < TIES) x->tie[x->ties++] = t;
}

/* Clusters of welded bodies: a joint inside of one is refused. */
static int cluster_of(const mechanism *x, int body) {
    if (body < 0) return -1;
    int least = body;
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < x->ties; i++)
            for (int s = 0; s < 2 && x->tie[i].kind == WITHY_JOINT_WELD; s++)
                if (x->tie[i].part[s] == least && x->tie[i].part[1 - s] < least)
                    least = x->tie[i].part[1 - s], again = 1;
    }
    return least;
}

static mechanism draw(uint32_t seed) {
    mechanism x = {.bodies = 1 + below(&seed, BODIES), .flat = below(&seed, 3) == 0};
    for (int i = 0; i < x.bodies; i++) {
        x.centre[i] = point_in(&x, &seed);
        x.mass[i] = between(&seed, 0.5, 3);
        x.inertia[i] =
            v3(between(&seed, 0.1, 0.15), between(&seed, 0.1, 0.15), between(&seed, 0.1, 0.15));
        const vec3 turn = v3_scale(2, any(&seed));
        x.frame[i] = q_exp(turn);
        add_tie(&x, any_tie(&x, &seed, below(&seed, i + 1) - 1, i));
    }
    for (int loops = below(&seed, 3); loops > 0; loops--) {
        const int b = below(&seed, x.bodies), a = below(&seed, b + 1) - 1;
        tie t = any_tie(&x, &seed, a, b);
        if (t.kind == WITHY_JOINT_WELD || (!x.flat && below(&seed, 2)))
            t.kind = WITHY_JOINT_BALL, t.spring = 0;
        if (cluster_of(&x, a) != cluster_of(&x, b)) add_tie(&x, t);
    }
    for (int i = 0; i < x.bodies; i++) {
        if (below(&seed, 4) == 0 || cluster_of(&x, i) < 0)
            continue; /* some move without stiffness */
        tie t = {.kind = WITHY_JOINT_SPRING, .part = {-1, i}, .at = point_in(&x, &seed)};
        t.axis = any_unit(&seed);
        t.spring = pow(10, between(&seed, 1, 4)), t.turn = pow(10, between(&seed, 1, 3));
        add_tie(&x, t);
    }
    if (below(&seed, 4) == 0) x.rod = 1 + below(&seed, x.bodies);
    return x;
}

/* A joint that an existing one implies. */
static tie implied(const tie *of, uint32_t *seed) {
    tie t = *of;
    const double way = between(seed, 0.3, 1);
    const int other = below(seed, 2);
    t.spring = 0;
    switch (of->kind) {
    case WITHY_JOINT_HINGE:
        t.at = v3_axpy(t.at, way, t.axis);
        if (other) t.kind = below(seed, 2) ? WITHY_JOINT_BALL : WITHY_JOINT_CYLINDRICAL;
        break;
    case WITHY_JOINT_CYLINDRICAL: t.at = v3_axpy(t.at, way, t.axis); break;
    case WITHY_JOINT_SLIDER:
        t.at = v3_add(t.at, any(seed));
        if (other) t.kind = WITHY_JOINT_CYLINDRICAL;
        break;
    case WITHY_JOINT_PLANAR: t.at = v3_axpy(t.at, way, t.axis2); break;
    default: break; /* a ball, a universal joint, a weld: the same once more */
    }
    return t;
}

static mechanism with_more(const mechanism *x, uint32_t seed, int *added) {
    mechanism y = *x;
    *added = 0;
    for (int i = 0; i < x->ties; i++) {
        if (x->tie[i].kind == WITHY_JOINT_SPRING || below(&seed, 2)) continue;
        add_tie(&y, implied(&x->tie[i], &seed)), ++*added;
    }
    return y;
}

/* ---- withy ----------------------------------------------------------------------------------------- */

static withy_place place_of(const mechanism *x, int part, vec3 at) {
    if (part < 0) return on_ground(at.x, at.y, at.z);
    const vec3 o = m3_tmul(q_matrix(x->frame[part]), v3_sub(at, x->centre[part]));
    return on_body(part, o.x, o.y, o.z);
}

static void build(const mechanism *x, network_problem *to) {
    network_begin(to);
    to->problem.gravity = x->gravity;
    for (int i = 0; i < x->bodies; i++)
        network_body(to, x->mass[i], x->inertia[i], x->centre[i])->frame = x->frame[i];
    for (int i = 0; i < x->ties; i++) {
        const tie *t = &x->tie[i];
        withy_joint *j = network_join(to, t->kind, place_of(x, t->part[0], t->at),
                                      place_of(x, t->part[1], t->at));
        const int plain = t->kind == WITHY_JOINT_BALL || t->kind == WITHY_JOINT_WELD;
        if (!plain && t->kind != WITHY_JOINT_SPRING) j->axis = t->axis;
        if (t->kind == WITHY_JOINT_UNIVERSAL) j->axis2 = t->axis2;
        if (t->kind != WITHY_JOINT_SPRING) {
            j->spring = t->spring;
            continue;
        }
        j->stretch = v3(t->spring, t->spring, t->spring), j->turn = v3(t->turn, t->turn, t->turn);
    }
    if (!x->rod) return;
    const int b = x->rod - 1;
    const vec3 from = v3_add(x->centre[b], v3(0.1, 0.2, 0));
    network_rod(to, from, v3_add(from, v3(0.3, 0.6, 0.4)), 0.01, 1e9, 3000);
    network_join(to, WITHY_JOINT_WELD, place_of(x, b, from), on_rod(0, 0));
}

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
    if (status == WITHY_OK && !v3_is_zero(x->gravity))
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
    int made, loops, locked, hung, failed, compared, skipped;
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

static void try_one(uint32_t seed, sums *sum) {
    mechanism x = draw(seed);
    withy_error err = {0};
    int added, good = 1;
    const int count = x.rod ? 8 : MOST; /* of a rod the lowest: others belong to its mesh */
    found *f = calloc(2, sizeof *f);
    sum->made++;
    if (!solve(&x, count, &f[0], &err)) {
        print_error("mechanism %u: %s\n", seed, err.text);
        sum->failed++;
        free(f);
        return;
    }
    if (!x.rod) good = agrees_dense(&x, &f[0], seed, sum);
    for (int hangs = 0; hangs < 2 && good; hangs++) { /* weight: joints carry forces */
        if (hangs && (below(&seed, 2) || !f[0].freedoms)) break;
        if (hangs) x.gravity = v3(0, 0.1, -0.3);
        if (hangs && !solve(&x, count, &f[0], &err)) { /* nothing may hold it */
            sum->skipped++;
            break;
        }
        const mechanism y = with_more(&x, seed, &added);
        const int solved = solve(&y, count, &f[1], &err);
        const int same = f[0].freedoms == f[1].freedoms && f[0].total == f[1].total &&
                         f[0].states == f[1].states;
        const double off = solved && same ? difference(f[0].total, f[1].hz, f[0].hz) : 1;
        sum->worst = fmax(sum->worst, off), sum->loops += added, sum->hung += hangs;
        good = solved && same && off <= SAME;
        if (!good)
            report(seed,
                   solved ? hangs ? "other modes with redundant joints, hanging"
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
    print_message("seed %u: %d mechanisms, %d joints added, %d hanging (%d not held), %d against a "
                  "dense computation "
                  "(%d cannot move), %d failed; worst %.2g, dense %.2g\n",
                  series(), sum.made, sum.loops, sum.hung, sum.skipped, sum.compared, sum.locked,
                  sum.failed, sum.worst, sum.worst_dense);
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

TEST(what_cannot_move_has_no_modes_and_a_number_that_is_too_large_is_told) {
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

RUN(test(redundant_joints_change_neither_the_number_nor_the_frequencies_of_modes),
    test(a_door_on_one_two_or_three_hinges_has_one_mode),
    test(a_four_bar_has_one_mode_however_stiff_its_spring),
    test(what_cannot_move_has_no_modes_and_a_number_that_is_too_large_is_told),
    test(joints_that_contradict_each_other_are_refused))
