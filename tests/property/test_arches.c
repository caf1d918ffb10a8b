/* test_arches.c - critical loads of arches against another model, at any slenderness.
 *
 *     test_arches [COUNT [SEED]]      COUNT arches (few in the suite, 300 in full); the seed is the day
 *
 * The other model: corotational beam elements in the plane (Crisfield 1991, section 7), written here, with the
 * displacement of the crown prescribed; the negative eigenvalues of its dense tangent by GSL.
 * slow under sanitizers
 */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "stability_fixture.h"

enum { PIECES = 24, ROWS = 3 * (PIECES + 1), CROWN = 3 * (PIECES / 2) + 1, CHANGES = 8 };

typedef struct arch {
    int clamped;
    double half, stretch; /* half of its angle; EA, with L = EI = 1    */
    double point, spread; /* loads downwards per factor                */
} arch;

typedef struct shape {
    double q[ROWS], factor; /* x, y, turn of the nodes */
} shape;

static int is_held(const arch *a, int row) {
    const int node = row / 3;
    return (node == 0 || node == PIECES) && (row % 3 < 2 || a->clamped);
}

static void place(const arch *a, double *q) {
    const double r = 0.5 / a->half;
    for (int i = 0; i <= PIECES; i++) {
        const double angle = a->half * (2.0 * i / PIECES - 1);
        q[3 * i] = r * sin(angle), q[3 * i + 1] = r * (cos(angle) - cos(a->half));
        q[3 * i + 2] = 0;
    }
}

/* One element, between nodes e and e + 1: its forces f and its tangent k. */
static void add_element(const arch *a, const double *rest, const double *q, int e, double *f,
                        double (*k)[ROWS]) {
    const double *o = rest + 3 * e, *p = q + 3 * e;
    const double l0 = hypot(o[3] - o[0], o[4] - o[1]), l = hypot(p[3] - p[0], p[4] - p[1]);
    const double c = (p[3] - p[0]) / l, s = (p[4] - p[1]) / l;
    const double c0 = (o[3] - o[0]) / l0, s0 = (o[4] - o[1]) / l0;
    const double turn = atan2(c0 * s - s0 * c, c0 * c + s0 * s);
    const double t1 = p[2] - turn, t2 = p[5] - turn;
    /* strain of a shallow arc over its chord, with its slopes to the chord at both ends */
    const double slope = a->half / PIECES, a1 = t1 + slope, a2 = t2 - slope;
    const double g = (2 * a1 * a1 - a1 * a2 + 2 * a2 * a2 - 5 * slope * slope) / 30;
    const double g1 = (4 * a1 - a2) / 30, g2 = (4 * a2 - a1) / 30, ea = a->stretch;
    const double n = ea * ((l - l0) / l0 + g), m1 = (4 * t1 + 2 * t2) / l0 + n * l0 * g1,
                 m2 = (2 * t1 + 4 * t2) / l0 + n * l0 * g2;
    const double r[6] = {-c, -s, 0, c, s, 0}, z[6] = {s, -c, 0, -s, c, 0};
    double b[3][6];
    for (int i = 0; i < 6; i++) {
        b[0][i] = r[i];
        b[1][i] = -z[i] / l + (i == 2), b[2][i] = -z[i] / l + (i == 5);
    }
    const double d12 = (2 / l0) + l0 * (ea * g1 * g2 - n / 30);
    const double d[3][3] = {{ea / l0, ea * g1, ea * g2},
                            {ea * g1, 4 / l0 + l0 * (ea * g1 * g1 + n * 4 / 30), d12},
                            {ea * g2, d12, 4 / l0 + l0 * (ea * g2 * g2 + n * 4 / 30)}};
    for (int i = 0; i < 6; i++) {
        f[3 * e + i] += n * b[0][i] + m1 * b[1][i] + m2 * b[2][i];
        for (int j = 0; j < 6; j++) {
            double sum = n / l * z[i] * z[j] + (m1 + m2) / (l * l) * (r[i] * z[j] + z[i] * r[j]);
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++) sum += b[u][i] * d[u][v] * b[v][j];
            k[3 * e + i][3 * e + j] += sum;
        }
    }
}

static double load_at(const arch *a, int row) {
    if (row % 3 != 1) return 0;
    return -a->spread / PIECES - (row == CROWN ? a->point : 0);
}

/* Forces out of balance, and the tangent with held rows replaced by the identity times `held`. */
static void assemble(const arch *a, const shape *x, double held, double *f, double (*k)[ROWS]) {
    double rest[ROWS];
    place(a, rest);
    memset(f, 0, ROWS * sizeof *f), memset(k, 0, ROWS * sizeof *k);
    for (int e = 0; e < PIECES; e++) add_element(a, rest, x->q, e, f, k);
    for (int i = 0; i < ROWS; i++) {
        f[i] -= x->factor * load_at(a, i);
        if (!is_held(a, i)) continue;
        f[i] = 0;
        for (int j = 0; j < ROWS; j++) k[i][j] = k[j][i] = i == j ? held : 0;
    }
}

static int count_negative(const arch *a, const shape *x) {
    static double f[ROWS], k[ROWS][ROWS];
    double value[ROWS];
    int count = 0;
    assemble(a, x, 1, f, k);
    gsl_matrix_view matrix = gsl_matrix_view_array(&k[0][0], ROWS, ROWS);
    gsl_vector_view values = gsl_vector_view_array(value, ROWS);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(ROWS);
    gsl_eigen_symm(&matrix.matrix, &values.vector, work);
    gsl_eigen_symm_free(work);
    for (int i = 0; i < ROWS; i++) count += value[i] < 0;
    return count;
}

/* The equilibrium whose crown is at y: Newton for places and factor together. */
static int find(const arch *a, double y, shape *x) {
    enum { N = ROWS + 1 };
    static double f[ROWS], k[ROWS][ROWS], big[N * N];
    double side[N], change[N];
    gsl_permutation *order = gsl_permutation_alloc(N);
    int found = 0;
    for (int step = 0; step < 60 && !found; step++) {
        int sign;
        assemble(a, x, a->stretch, f, k);
        memset(big, 0, sizeof big);
        for (int i = 0; i < ROWS; i++) {
            side[i] = -f[i];
            for (int j = 0; j < ROWS; j++) big[i * N + j] = k[i][j];
            big[i * N + ROWS] = is_held(a, i) ? 0 : -load_at(a, i);
        }
        big[ROWS * N + CROWN] = 1, side[ROWS] = y - x->q[CROWN];
        gsl_matrix_view matrix = gsl_matrix_view_array(big, N, N);
        gsl_vector_view right = gsl_vector_view_array(side, N),
                        left = gsl_vector_view_array(change, N);
        gsl_linalg_LU_decomp(&matrix.matrix, order, &sign);
        gsl_linalg_LU_solve(&matrix.matrix, order, &right.vector, &left.vector);
        double most = 0;
        for (int i = 0; i < ROWS; i++) x->q[i] += change[i], most = fmax(most, fabs(change[i]));
        x->factor += change[ROWS];
        found = most < 1e-10;
    }
    gsl_permutation_free(order);
    return found;
}

typedef struct path {
    int changes, limited; /* of the number of unstable directions; 1: up to a limit point */
    double factor[CHANGES], limit;
    int count[CHANGES]; /* after each */
} path;

/* Where the number changes, up to the first limit point: halved until the factor is known to 1e-5. */
static int follow(const arch *a, path *p) {
    enum { STEPS = 40 };
    const double rise = 0.5 / a->half * (1 - cos(a->half));
    shape x = {.factor = 0}, next;
    place(a, x.q);
    double y = rise, step = rise / STEPS;
    int count = 0;
    memset(p, 0, sizeof *p);
    while (y > 0 && p->changes < CHANGES) {
        next = x;
        if (!find(a, y - step, &next)) return 0;
        const int then = count_negative(a, &next), past = next.factor < x.factor;
        const int close = step < 1e-5 * rise || fabs(next.factor / x.factor - 1) < 1e-6;
        if ((then != count || past) && !close) {
            step /= 2;
            continue;
        }
        if (then != count) p->factor[p->changes] = next.factor, p->count[p->changes++] = then;
        count = then, x = next, y -= step, step = rise / STEPS, p->limit = x.factor;
        if ((p->limited = past)) return 1;
    }
    return 1;
}

static void write_arch(const arch *a, double to, const char *way, char *text, size_t size) {
    const char *const ends =
        a->clamped
            ? "ends = { start = clamped {}, finish = clamped {} }"
            : "joints = { hinge { parts = { 'ground', 'rod' }, at = { { -R * math.sin(h), 0, 0 "
              "}, 0 }, axis = { 0, 1, 0 } }, hinge { parts = { 'ground', 'rod' }, at = { { R "
              "* math.sin(h), 0, 0 }, 1 }, axis = { 0, 1, 0 } } }";
    snprintf(
        text, size,
        "local h, R = %.17g, %.17g\nreturn { rod = { length = 1, stiffness = { bend = { 1e4, 1 "
        "}, twist = 1e4, stretch = %.17g, shear = %.17g }, inertia = { mass = 1 }, rest = arc { "
        "from = { -R * math.sin(h), 0, 0 }, along = { math.cos(h), 0, math.sin(h) }, normal = { "
        "math.sin(h), 0, -math.cos(h) }, radius = R } }, %s, "
        "loads = { point { at = 0.5, force = { 0, 0, %.17g } }, distributed { force = { 0, 0, "
        "%.17g } } }, path = { to = %.17g, %s }, options = { n = 24 } }",
        a->half, 0.5 / a->half, a->stretch, a->stretch, ends, -a->point, -a->spread, to, way);
}

/* The unstable directions that another model has at a factor, or -1 where that is within 2 % of a change. */
static int count_at(const path *p, double factor, double stretch) {
    int count = 0;
    for (int i = 0; i < p->changes; i++) {
        if (fabs(factor / p->factor[i] - 1) < 0.02 + 3 * factor / stretch) return -1;
        if (p->factor[i] < factor) count = p->count[i];
    }
    return count;
}

static arch draw_arch(void) {
    arch a = {.clamped = draw(0, 1) < 0.5, .half = draw(0.15, 1.2)};
    a.point = draw(0, 1) < 0.3 ? 0 : draw(0.2, 1), a.spread = 1 - a.point;
    return a;
}

TEST(arches_have_the_unstable_directions_of_corotational_beams_at_every_slenderness) {
    int compared = 0, unstable = 0;
    for (int k = 0; k < wanted; k++) {
        arch a = draw_arch();
        const double part = draw(0.3, 0.97);
        const int steps = (int)draw(1, 12);
        for (int i = 0; i < THICKS; i++) {
            path p;
            char text[2048], way[64];
            a.stretch = 16 * THICK[i] * THICK[i];
            if (!follow(&a, &p)) continue;
            const int expected = count_at(&p, part * p.limit, a.stretch);
            if (expected < 0) continue;
            snprintf(way, sizeof way, "steps = %d", steps);
            write_arch(&a, part * p.limit, way, text, sizeof text);
            const int got = last_count(text);
            if (got != expected)
                fail_msg("%d unstable directions, want %d\n%s", got, expected, text);
            compared++, unstable += expected > 0;
        }
    }
    print_message("%d arches, %d of them unstable\n", compared, unstable);
}

TEST(limit_and_branch_points_of_arches_are_those_of_corotational_beams) {
    int compared = 0, refused = 0;
    for (int k = 0; k < wanted; k++) {
        arch a = draw_arch();
        const int steps = (int)draw(10, 60);
        path p;
        char text[2048], way[64];
        withy_static_report report;
        withy_error err = {0};
        const double thick = THICK[k % THICKS];
        a.stretch = 16 * thick * thick;
        if (!follow(&a, &p) || !p.limited) continue;
        snprintf(way, sizeof way, "steps = %d, arc_length = true", steps);
        write_arch(&a, 1.05 * p.limit, way, text, sizeof text);
        const withy_status status = solve(text, &report, &err);
        if (status == WITHY_NO_CONVERGENCE) { /* an answer, if no welcome one: the thinnest */
            refused++;
            continue;
        }
        if (status != WITHY_OK) fail_msg("%s\n%s", err.text, text);
        for (int i = 0; i < p.changes; i++) {
            const double got = i < report.critical_count ? report.critical[i].factor : NAN;
            const double room =
                0.01 + 3 * p.factor[i] / a.stretch; /* no shear in the other model */
            if (!(fabs(got / p.factor[i] - 1) < room))
                fail_msg("critical factor %d of %d: %.6g, want %.6g\n%s\n%s", i + 1, p.changes, got,
                         p.factor[i], report.notes.text, text);
            compared++;
        }
        withy_static_free(&report);
    }
    print_message("%d critical factors, %d paths not found\n", compared, refused);
    CHECK(10 * refused <= wanted + 10);
}

int main(int argc, char **argv) {
    begin_samples(argc, argv);
    const struct CMUnitTest tests[] = {
        test(arches_have_the_unstable_directions_of_corotational_beams_at_every_slenderness),
        test(limit_and_branch_points_of_arches_are_those_of_corotational_beams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
