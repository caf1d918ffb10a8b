/* A helical spring as a uniform helix, whose six strains are alike everywhere: pressed until its wire yields.
 *
 * With the strains (Gamma, K) in the axes of the section, the force n and the moment m, the axis of the coil along K:
 *
 *   n x K = 0,   K x m + Gamma x n = 0,   |K| L = 16 pi (the ends do not turn),   Gamma . K/|K| L = height
 */
#include "law_fibre_rig.h"

static fibre_rig f;
static const double TURN = 16; /* of pi */
static double length;

static void begin(void) {
    const double radius = 10e-3, rise = 6e-3 / (2 * acos(-1)),
                 square = radius * radius + rise * rise;
    const withy_law law = {.kind = WITHY_LAW_PLASTIC, .yield = 700e6, .fibres = 1024};
    rig *x = &f.x;
    double k[WITHY_STRAINS];
    withy_error err = {0};
    fibre_rig_begin(&f, &wy_law_plastic, WITHY_SECTION_CIRCLE, &law);
    x->given.section.a = withy_field_number(2e-3), x->given.section.shear_factor = 1;
    x->given.material = (withy_material){206e9, 79e9, 7850};
    wy_director_plan plan = x->rod.plan;
    plan.start = f.start, plan.size = f.size, plan.rule = &f.rule;
    const wy_setup setup = {.arena = &f.arena};
    CHECK_OK(wy_law_plastic.make(&plan, &setup, &err));
    x->rod.plan.of_law = plan.of_law;
    CHECK_OK(wy_stiffness_at(&x->given, 0, k, &err));
    for (int i = 0; i < 6; i++) x->section.c[i / 3][i % 3] = k[i];
    x->section.rest[0] = (lane){0, 0, 1, 0};
    x->section.rest[1] = (lane){0, radius / square, rise / square, 0};
    for (int i = 0; i < 2; i++) x->stress.plus[i] = x->strain.start[i] = x->section.rest[i];
    memset(x->history, 0, sizeof x->history);
    x->step = (wy_director_step){.beta = 1};
    length = 16 * acos(-1) * sqrt(square);
}

/* What the six equations miss; height: NAN for a spring without force. */
static void residual(rig *x, double height, double r[6], double *force) {
    wy_section_step(&x->rod, 0);
    const vec3 g = lane_vec3(x->stress.plus[0]), k = lane_vec3(x->stress.plus[1]);
    const vec3 n = lane_vec3(x->stress.stress[0]), m = lane_vec3(x->stress.stress[1]);
    const double turn = v3_norm(k);
    const vec3 axis = v3_scale(1 / turn, k), across = v3_cross(n, axis);
    const vec3 moment = v3_add(v3_cross(k, m), v3_cross(g, n));
    /* the axis lies in the plane of d2 and d3 */
    r[0] = across.x, r[1] = across.y * axis.z - across.z * axis.y;
    r[2] = moment.x, r[3] = moment.y * axis.z - moment.z * axis.y;
    *force = -v3_dot(n, axis);
    r[4] = (turn * length - TURN * acos(-1)) * 100;
    r[5] = isnan(height) ? *force : (v3_dot(g, axis) * length - height) * 1e4;
}

static void eliminate(double a[6][7]) {
    for (int c = 0; c < 6; c++) {
        int best = c;
        for (int i = c; i < 6; i++)
            if (fabs(a[i][c]) > fabs(a[best][c])) best = i;
        for (int k = 0; k < 7; k++) {
            const double t = a[c][k];
            a[c][k] = a[best][k], a[best][k] = t;
        }
        for (int i = 0; i < 6; i++) {
            const double share = i == c ? 0 : a[i][c] / a[c][c];
            for (int k = c; k < 7; k++) a[i][k] -= share * a[c][k];
        }
    }
    for (int i = 0; i < 6; i++) a[i][6] /= a[i][i];
}

/* Newton's method with differences; then the plastic strains are taken over.  Returns the force. */
static double solve(rig *x, double height) {
    static const double by[6] = {1e-9, 1e-9, 1e-9, 1e-6, 1e-6, 1e-6};
    double r[6], other[6], force = 0, ignored;
    for (int round = 0; round < 12; round++) {
        double a[6][7];
        residual(x, height, r, &force);
        for (int k = 0; k < 6; k++) {
            double *s = &((double *)&x->stress.plus[k / 3])[k % 3];
            const double kept = *s;
            *s += by[k];
            residual(x, height, other, &ignored);
            *s = kept;
            for (int i = 0; i < 6; i++) a[i][k] = (other[i] - r[i]) / by[k];
        }
        for (int i = 0; i < 6; i++) a[i][6] = -r[i];
        eliminate(a);
        for (int k = 0; k < 6; k++) x->stress.plus[k / 3][k % 3] += a[k][6];
    }
    residual(x, height, r, &force);
    double worst = 0;
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(r[i]));
    CHECK_BELOW(worst, 1e-9);
    rig_keep(x);
    return force;
}

static double height_of(const rig *x) {
    const vec3 g = lane_vec3(x->stress.plus[0]), k = lane_vec3(x->stress.plus[1]);
    return v3_dot(g, k) / v3_norm(k) * length;
}

/* Expected: the same spring with its section integrated exactly, to the digits of its source.  1024 fibres. */
TEST(a_spring_that_is_pressed_too_far_stays_shorter_and_is_elastic_then) {
    enum { STEPS = 60 };
    begin();
    rig *x = &f.x;
    const double rate = -(solve(x, 48e-3 + 1e-7) - solve(x, 48e-3)) / 1e-7;
    CHECK_NEAR(rate, 2452.09131509, 1e-2);
    double force = 0;
    for (int i = 1; i <= STEPS; i++) force = solve(x, 48e-3 - 30e-3 * i / STEPS);
    CHECK_NEAR(force, 70.3527, 1e-3);
    const double most = x->history[0];
    for (int i = 1; i < STEPS; i++) solve(x, 18e-3 + 28e-3 * i / STEPS);
    solve(x, NAN);
    CHECK_NEAR(height_of(x), 46.9464e-3, 2e-7);
    const vec3 g = lane_vec3(x->stress.plus[0]), k = lane_vec3(x->stress.plus[1]);
    CHECK_NEAR(v3_norm(v3_cross(k, g)) / v3_dot(k, k), 10.001956e-3, 1e-9);
    for (int i = 1; i <= STEPS; i++) force = solve(x, 46e-3 - 28e-3 * i / STEPS);
    CHECK_NEAR(force, 70.3527, 1e-3);
    CHECK_NEAR(x->history[0], most, 1e-9);
    wy_arena_free(&f.arena);
}

RUN(test(a_spring_that_is_pressed_too_far_stays_shorter_and_is_elastic_then))
