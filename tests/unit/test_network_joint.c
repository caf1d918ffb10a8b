/* The scalars of joints: rows and curvature against differences, exact increments, laws, angles. */
#include "base/vec.h"
#include "check.h"
#include "method/director/network/joint.h"
#include "numeric/vector/lane.h"
#include "random_number.h"

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static vec3 any(uint32_t *seed) {
    const double x = noise(seed), y = noise(seed);
    return v3(x, y, noise(seed));
}

/* Where two rigid groups are, and how they move in a step: dr and the Cayley vector theta. */
typedef struct rig {
    wy_pair_at minus;
    vec3 dr[2], theta[2], ground;
} rig;

static rig make(uint32_t *seed) {
    rig x;
    for (int s = 0; s < 2; s++) {
        x.minus.r[s] = any(seed), x.minus.d[s] = q_matrix(q_exp(v3_scale(2, any(seed))));
        x.dr[s] = any(seed), x.theta[s] = v3_scale(0.8, any(seed));
    }
    x.minus.ground = any(seed), x.ground = v3_add(x.minus.ground, any(seed));
    return x;
}

static mat3 mean(mat3 a, mat3 b) {
    return (mat3){v3_scale(0.5, v3_add(a.c1, b.c1)), v3_scale(0.5, v3_add(a.c2, b.c2)),
                  v3_scale(0.5, v3_add(a.c3, b.c3))};
}

/* Minus, mean and plus, after a further increment (dr, dphi) of both rigid groups. */
static wy_pair_step step_of(const rig *x, const double more[WY_PAIR], double beta) {
    wy_pair_step out = {.minus = x->minus, .beta = beta};
    for (int s = 0; s < 2; s++) {
        const vec3 dr = v3_add(x->dr[s], v3_from(&more[6 * s]));
        const vec3 theta = cayley_after(x->theta[s], v3_from(&more[6 * s + 3]));
        out.plus.r[s] = v3_add(x->minus.r[s], dr);
        out.plus.d[s] = tri_matrix(tri_cayley(theta, tri_from(x->minus.d[s])));
        out.mid.r[s] = v3_axpy(x->minus.r[s], 0.5, dr);
        out.mid.d[s] = mean(x->minus.d[s], out.plus.d[s]);
    }
    out.plus.ground = x->ground;
    out.mid.ground = v3_scale(0.5, v3_add(x->minus.ground, x->ground));
    if (beta == 1) out.mid = out.plus;
    return out;
}

static wy_arm any_arm(uint32_t *seed) {
    wy_arm x = {.moves = noise(seed), .k = any(seed)};
    for (int s = 0; s < 2; s++) x.c[s] = noise(seed), x.o[s] = any(seed);
    return x;
}

static wy_scalar any_scalar(uint32_t *seed) {
    wy_scalar x = {.terms = 2};
    for (int m = 0; m < 2; m++)
        x.term[m].c = noise(seed), x.term[m].u = any_arm(seed), x.term[m].w = any_arm(seed);
    return x;
}

/* A unit vector across an axis that is fixed in rigid group s. */
static wy_scalar product(int s, vec3 a, int t, vec3 b) {
    wy_scalar x = {.terms = 1, .term = {{.c = 1}}};
    x.term[0].u.o[s] = a, x.term[0].w.o[t] = b;
    return x;
}

static const double none[WY_PAIR] = {0};

TEST(the_row_at_the_mean_times_the_increment_is_the_change_of_the_scalar_exactly) {
    uint32_t seed = 7;
    for (int k = 0; k < 50; k++) {
        const rig x = make(&seed);
        const wy_scalar g = any_scalar(&seed);
        const wy_pair_step at = step_of(&x, none, 0.5);
        double row[WY_PAIR], sum = 0;
        wy_scalar_row(&g, &at.mid, row);
        for (int s = 0; s < 2; s++) {
            sum += v3_dot(v3_from(&row[6 * s]), x.dr[s]);
            sum += v3_dot(v3_from(&row[6 * s + 3]), x.theta[s]);
        }
        sum += v3_dot(wy_scalar_ground(&g, &at.mid), v3_sub(x.ground, x.minus.ground));
        CHECK_NEAR(sum, wy_scalar_value(&g, &at.plus) - wy_scalar_value(&g, &at.minus), 1e-13);
    }
}

TEST(row_and_curvature_are_the_derivatives_of_value_and_row) {
    uint32_t seed = 11;
    const double e = 1e-5;
    for (int k = 0; k < 20; k++) {
        const rig x = make(&seed);
        const wy_scalar g = any_scalar(&seed);
        const double beta = k % 2 ? 1.0 : 0.5, sigma = noise(&seed);
        const wy_pair_step at = step_of(&x, none, beta);
        double row[WY_PAIR], h[WY_PAIR][WY_PAIR] = {{0}};
        wy_scalar_row(&g, &at.plus, row);
        wy_scalar_curve(&g, &at.mid, &at.plus, sigma, beta, h);
        for (int j = 0; j < WY_PAIR; j++) {
            double up[WY_PAIR] = {0}, down[WY_PAIR] = {0}, a[WY_PAIR], b[WY_PAIR];
            up[j] = e, down[j] = -e;
            const wy_pair_step more = step_of(&x, up, beta), less = step_of(&x, down, beta);
            const double slope =
                (wy_scalar_value(&g, &more.plus) - wy_scalar_value(&g, &less.plus)) / (2 * e);
            CHECK_NEAR(row[j], slope, 1e-8);
            wy_scalar_row(&g, &more.mid, a), wy_scalar_row(&g, &less.mid, b);
            for (int i = 0; i < WY_PAIR; i++)
                CHECK_NEAR(h[i][j], sigma * (a[i] - b[i]) / (2 * e), 1e-8);
        }
    }
}

/* A pair on a common axis: rigid group B is turned about it by before, and by after at the end. */
static rig hinged(uint32_t *seed, vec3 axis, double before, double after) {
    rig x = make(seed);
    const vec3 a = m3_mul(x.minus.d[0], axis);
    x.minus.d[1] = m3_mulm(q_matrix(q_exp(v3_scale(before, a))), x.minus.d[0]);
    const mat3 end = tri_matrix(tri_cayley(x.theta[0], tri_from(x.minus.d[0])));
    const vec3 b = m3_mul(end, axis);
    x.theta[1] = cayley_between(x.minus.d[1], m3_mulm(q_matrix(q_exp(v3_scale(after, b))), end));
    return x;
}

TEST(the_angle_of_a_hinge_does_the_work_of_its_moment_exactly) {
    uint32_t seed = 3;
    const vec3 axis = v3_unit(v3(1, 2, -0.5)), u = v3_orthogonal(axis), w = v3_cross(axis, u);
    const wy_scalar cosine = product(0, u, 1, u), sine = product(0, w, 1, u);
    const wy_angle angle = {&cosine, &sine};
    for (int k = 0; k < 40; k++) {
        const double before = 3 * noise(&seed), turn = 2.5 * noise(&seed);
        const rig x = hinged(&seed, axis, before, before + turn);
        const wy_pair_step at = step_of(&x, none, 0.5);
        wy_angle_at a;
        wy_angle_find(&angle, &at, &a);
        CHECK_NEAR(a.turn, turn, 1e-13);
        double sum = 0, slope;
        for (int s = 0; s < 2; s++) {
            sum += v3_dot(v3_from(&a.row[6 * s]), x.dr[s]);
            sum += v3_dot(v3_from(&a.row[6 * s + 3]), x.theta[s]);
        }
        CHECK_NEAR(sum * wy_angle_factor(turn, &slope), turn, 1e-12);
    }
}

TEST(turn_and_row_of_an_angle_have_the_derivatives_of_the_tangent) {
    uint32_t seed = 5;
    const vec3 axis = v3_unit(v3(-1, 0.4, 2)), u = v3_orthogonal(axis), w = v3_cross(axis, u);
    const wy_scalar cosine = product(0, u, 1, u), sine = product(0, w, 1, u);
    const wy_angle angle = {&cosine, &sine};
    const double e = 1e-5;
    for (int k = 0; k < 10; k++) {
        const rig x = hinged(&seed, axis, noise(&seed), noise(&seed));
        const double beta = k % 2 ? 1.0 : 0.5, tau = noise(&seed);
        const wy_pair_step at = step_of(&x, none, beta);
        double h[WY_PAIR][WY_PAIR] = {{0}}, slope, unused;
        wy_angle_at a, more, less;
        wy_angle_find(&angle, &at, &a);
        wy_angle_curve(&angle, &at, tau, h);
        for (int j = 0; j < WY_PAIR; j++) {
            double up[WY_PAIR] = {0}, down[WY_PAIR] = {0};
            up[j] = e, down[j] = -e;
            const wy_pair_step one = step_of(&x, up, beta), two = step_of(&x, down, beta);
            wy_angle_find(&angle, &one, &more), wy_angle_find(&angle, &two, &less);
            CHECK_NEAR(a.plus[j], (more.turn - less.turn) / (2 * e), 1e-8);
            for (int i = 0; i < WY_PAIR; i++)
                CHECK_NEAR(h[i][j], tau * (more.row[i] - less.row[i]) / (2 * e), 1e-8);
        }
        const double f1 = wy_angle_factor(a.turn + e, &unused);
        const double f0 = wy_angle_factor(a.turn - e, &unused);
        wy_angle_factor(a.turn, &slope);
        CHECK_NEAR(slope, (f1 - f0) / (2 * e), 1e-8);
    }
    double slope, other;
    CHECK_NEAR(wy_angle_factor(0.9999e-3, &slope), wy_angle_factor(1.0001e-3, &other), 1e-10);
    CHECK_NEAR(slope, other, 1e-7);
}

TEST(a_law_takes_what_its_energy_gains_also_across_its_limits) {
    uint32_t seed = 9;
    const wy_law law = {3.0, 0.2, 0.0, 1, -0.5, 0.7, 40.0};
    const double e = 1e-6;
    for (int k = 0; k < 200; k++) {
        const double a = 1.5 * noise(&seed), b = 1.5 * noise(&seed);
        double slope, unused;
        const double force = wy_law_force(&law, a, b, 100, 0, &slope);
        CHECK_NEAR(force * (b - a), wy_law_energy(&law, b) - wy_law_energy(&law, a), 1e-12);
        const double more = wy_law_force(&law, a, b + e, 100, 0, &unused);
        const double less = wy_law_force(&law, a, b - e, 100, 0, &unused);
        if (fabs(b - a) > 0.01 && fabs(b + 0.5) > 2 * e && fabs(b - 0.7) > 2 * e)
            CHECK_NEAR(slope, (more - less) / (2 * e), 1e-6);
    }
}

RUN(test(the_row_at_the_mean_times_the_increment_is_the_change_of_the_scalar_exactly),
    test(row_and_curvature_are_the_derivatives_of_value_and_row),
    test(the_angle_of_a_hinge_does_the_work_of_its_moment_exactly),
    test(turn_and_row_of_an_angle_have_the_derivatives_of_the_tangent),
    test(a_law_takes_what_its_energy_gains_also_across_its_limits))
