/* Rods in a medium: what the equations conserve, their symmetries, their tangent, and what must not matter. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"
#include "method/director/force/fluid.h"
#include "method/director/force/force.h"

/* ---- the tangent ------------------------------------------------------------------------------------------ */

/* One node of a rod in a fluid whose velocity is U0 + S r. */
typedef struct one {
    wy_director x;
    withy_problem problem;
    withy_rod rod;
    wy_director_node node;
    wy_director_next next;
    wy_director_step step;
    wy_director_now now;
    wy_director_mass mass;
    wy_fluid fluid;
    wy_fluid_node coefficient;
    wy_medium medium;
    wy_flow flow;
    lane u;
    vec3 u0;
    mat3 s;
    double top;
} one;

static void make(one *a, int dynamic) {
    memset(a, 0, sizeof *a);
    a->problem.medium = (withy_medium){.given = 1, .density = 1, .has_surface = 1};
    a->medium = (wy_medium){.given = &a->problem.medium, .up = {0, 0, 1}};
    a->fluid = (wy_fluid){.medium = &a->medium, .node = &a->coefficient, .stirs = 1, .air = 0.2};
    a->coefficient = (wy_fluid_node){.normal = 1.3,
                                     .tangential = 0.4,
                                     .slow = {0.3, 0.2, 0.1},
                                     .displaced = 0.8,
                                     .added = {0.7, 0.9, 0.2, 0},
                                     .radius = 0.1,
                                     .length = 0.3};
    a->node.d = tri_from(q_matrix(q_exp(v3(0.3, -0.5, 0.9))));
    a->node.v = v3(0.2, 0.1, -0.4);
    a->next.dr = v3(0.02, -0.01, 0.03), a->next.theta = v3(0.2, 0.3, -0.1);
    a->step = (wy_director_step){.h = 0.05, .factor = dynamic ? 1 : 0.7, .dynamic = dynamic};
    a->step.beta = dynamic ? 0.5 : 1, a->step.gravity = v3(0.1, 0.2, -9);
    a->u = (lane){0.5, -0.3, 0.8, 0}, a->u0 = v3(0.4, -0.7, 0.5), a->top = -0.02;
    a->s = (mat3){{0.3, -0.2, 0.5}, {0.1, 0.7, -0.4}, {-0.6, 0.2, 0.3}};
    a->x = (wy_director){.node = &a->node, .next = &a->next, .step = &a->step, .now = &a->now};
    a->x.plan.problem = &a->problem, a->x.plan.rod = &a->rod, a->x.plan.mass = &a->mass;
    a->x.fluid = &a->fluid, a->x.plan.node_count = 1;
    a->x.flow = &a->flow, a->x.u = &a->u;
}

typedef void add(const wy_director *x, int j, double a[6][6], double b[6]);

/* Residual and tangent at the iterate moved by `by`. */
static void at(one *a, add *force, const double by[6], double m[6][6], double b[6]) {
    const vec3 dr = a->next.dr, theta = a->next.theta;
    a->next.dr = v3_add(dr, v3_from(by)), a->next.theta = cayley_after(theta, v3_from(by + 3));
    a->next.d = tri_cayley(a->next.theta, a->node.d);
    const vec3 r = v3_scale(a->step.dynamic ? 0.5 : 1, a->next.dr);
    a->flow = (wy_flow){.u = v3_add(a->u0, m3_mul(a->s, r)),
                        .slope = a->s,
                        .height = a->top + r.z,
                        .rise = {0, 0, 1},
                        .wind = {3, 1, 0.2}};
    memset(m, 0, 36 * sizeof(double)), memset(b, 0, 6 * sizeof *b);
    force(&a->x, 0, m, b);
    a->next.dr = dr, a->next.theta = theta;
}

/* The force is differenced; where it depends on the slopes of U times U they are left out of the tangent. */
static double worst_slope(one *a, add *force) {
    const double none[6] = {0}, eps = 1e-6;
    double m[6][6], unused[6][6], b[6], up[6], down[6], worst = 0, size = 0;
    at(a, force, none, m, b);
    for (int k = 0; k < 6; k++) {
        double by[6] = {0};
        by[k] = eps, at(a, force, by, unused, up);
        by[k] = -eps, at(a, force, by, unused, down);
        for (int i = 0; i < 6; i++) {
            worst = fmax(worst, fabs((up[i] - down[i]) / (2 * eps) - m[i][k]));
            size = fmax(size, fabs(m[i][k]));
        }
    }
    return worst / size;
}

TEST(the_tangent_of_drag_is_exact) {
    one a;
    for (int wet = 0; wet < 3; wet++) /* all in water, at the surface, all in air */
        for (int dynamic = 0; dynamic < 2; dynamic++) {
            make(&a, dynamic);
            a.top = wet == 0 ? -9 : wet == 1 ? -0.02 : 9;
            a.problem.medium.local = 1; /* its convective acceleration is not differentiated */
            /* nor is the slope of the section at the surface */
            if (wet == 1)
                a.coefficient.normal = a.coefficient.tangential = a.coefficient.length = 0;
            if (wet == 1) a.node.d = tri_from(q_matrix(q_exp(v3(0, 1.5707963267948966, 0))));
            if (wet == 1) a.next.theta = v3(0, 0, 0.2);
            CHECK_BELOW(worst_slope(&a, wy_force_fluid_add), wet == 1 ? 1e-6 : 1e-8);
        }
}

TEST(the_tangent_of_added_mass_is_exact) {
    one a;
    for (int form = 0; form < 3; form++) { /* in motion, at rest, as an acceleration */
        make(&a, form != 1);
        a.fluid.accelerated = form == 2;
        a.problem.medium.local = form == 2;
        if (form < 2) a.s = (mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        CHECK_BELOW(worst_slope(&a, wy_force_added_mass_add), 1e-8);
    }
}

/* ---- motions --------------------------------------------------------------------------------------------- */

/* A bent rod that turns and flies, in a fluid as dense as itself. */
static void make_wild(director_problem *x) {
    director_large_motion(x, WITHY_END_FREE, WITHY_END_FREE);
    x->rod.material.young = 1e5, x->rod.material.shear = 4e4;
    x->rod.fluid = (withy_fluid){.given = 1, .added_normal = 1, .added_tangential = 0.1};
    x->problem.medium = (withy_medium){.given = 1, .density = 1000};
    director_times(x, 200, 1);
}

static withy_sim *begin(const director_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    return sim;
}

static void go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
}

TEST(energy_and_momenta_in_a_fluid_at_rest_are_kept_at_any_step) {
    static const double step[3] = {1e-3, 1e-2, 1e-1};
    for (int k = 0; k < 3; k++) {
        director_problem x;
        char options[64];
        make_wild(&x);
        snprintf(options, sizeof options, "n=4 order=2 dt=%g", step[k]);
        withy_sim *sim = begin(&x, options);
        const withy_vec3 p = withy_sim_sample(sim, 0)->momentum,
                         l = withy_sim_sample(sim, 0)->angular_momentum;
        go(sim, SANITIZED ? 100 * step[k] : 2000 * step[k]);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const double slip = v3_norm(v3_sub(now->momentum, p)) / v3_norm(p);
        /* about the origin, from which it flies away */
        const double far = v3_norm(now->position[0]) * v3_norm(p);
        const double turn = v3_norm(v3_sub(now->angular_momentum, l)) / (v3_norm(l) + far);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
        CHECK_BELOW(slip, 1e-12);
        CHECK_BELOW(turn, 1e-12);
        withy_sim_destroy(sim);
    }
}

/* The largest distance of two rods, the second less `shift`. */
static double apart(withy_sim *a, withy_sim *b, vec3 shift) {
    const withy_snapshot *x = withy_sim_sample(a, 0), *y = withy_sim_sample(b, 0);
    double worst = 0;
    for (int i = 0; i < x->count; i++)
        worst = fmax(worst, v3_norm(v3_sub(v3_sub(y->position[i], shift), x->position[i])));
    return worst;
}

TEST(a_stream_carries_the_motion_along) {
    const vec3 u = {0.4, -0.2, 0.3};
    director_problem x, y;
    make_wild(&x);
    x.rod.fluid.normal = 1.1, x.rod.fluid.tangential = 0.03;
    y = x, y.problem.rod = &y.rod;
    y.problem.medium.current = withy_field_vector(u.x, u.y, u.z);
    for (int i = 0; i < 3; i++) y.rod.velocity.value[i] += (i == 0 ? u.x : i == 1 ? u.y : u.z);
    withy_sim *a = begin(&x, "n=4 dt=0.01"), *b = begin(&y, "n=4 dt=0.01");
    go(a, 2), go(b, 2);
    CHECK_BELOW(apart(a, b, v3_scale(2, u)), 1e-12);
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* A cantilever in a current, with gravity, turned about the vertical. */
static void make_grass(director_problem *x, double angle) {
    const double c = cos(angle), s = sin(angle);
    director_plain(x, 0.5, 0.01, 1e6, 4e5, 1100);
    x->rod.initial.along = (withy_vec3){0, 0, 1}, x->rod.initial.normal = (withy_vec3){c, s, 0};
    x->rod.fluid = (withy_fluid){
        .given = 1, .normal = 1.2, .tangential = 0.02, .added_normal = 1, .added_tangential = 0.05};
    x->problem.gravity = (withy_vec3){0, 0, -9.81};
    x->problem.medium = (withy_medium){
        .given = 1, .density = 1000, .current = withy_field_vector(0.4 * c, 0.4 * s, 0)};
    director_times(x, 10, 0.1);
}

TEST(a_turned_current_turns_the_answer) {
    director_problem x, y;
    make_grass(&x, 0), make_grass(&y, 1);
    withy_sim *a = begin(&x, "n=4 dt=0.02"), *b = begin(&y, "n=4 dt=0.02");
    go(a, 1), go(b, 1);
    const withy_snapshot *p = withy_sim_sample(a, 0), *q = withy_sim_sample(b, 0);
    const vec3 e = p->position[p->count - 1], f = q->position[q->count - 1];
    const vec3 turned = {e.x * cos(1) - e.y * sin(1), e.x * sin(1) + e.y * cos(1), e.z};
    CHECK_BELOW(v3_norm(v3_sub(turned, f)), 1e-12);
    CHECK(e.x > 0.05); /* it is bent */
    CHECK(p->have & WITHY_HAVE_FLUID);
    CHECK_NEAR(p->fluid[2].x, 0.4, 1e-15);
    /* at the clamp drag is that of a rod at rest across the current */
    CHECK_NEAR(p->drag[0].x, 0.5 * 1000 * 0.01 * 1.2 * 0.16, 1e-9);
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* Lengths in units of 1/L m, masses of 1/M kg, times of 1/T s. */
TEST(units_do_not_matter) {
    const double l = 3, m = 7, t = 0.5;
    director_problem x, y;
    make_grass(&x, 0), y = x, y.problem.rod = &y.rod;
    y.rod.length *= l, y.rod.section.a.value[0] *= l;
    y.rod.material.young *= m / (l * t * t), y.rod.material.shear *= m / (l * t * t);
    y.rod.material.density *= m / (l * l * l), y.problem.medium.density *= m / (l * l * l);
    y.problem.gravity.z *= l / (t * t), y.problem.medium.current.value[0] *= l / t;
    withy_sim *a = begin(&x, "n=4 dt=0.02"), *b = begin(&y, "n=4 dt=0.01");
    go(a, 1), go(b, 0.5);
    const withy_snapshot *p = withy_sim_sample(a, 0), *q = withy_sim_sample(b, 0);
    const vec3 e = p->position[p->count - 1], f = v3_scale(1 / l, q->position[q->count - 1]);
    CHECK_BELOW(v3_norm(v3_sub(e, f)), 1e-12);
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* ---- what must not matter ---------------------------------------------------------------------------------- */

static int same_bits(const director_problem *x, const director_problem *y) {
    withy_sim *a = begin(x, "n=4 dt=0.02"), *b = begin(y, "n=4 dt=0.02");
    go(a, 1), go(b, 1);
    const withy_snapshot *p = withy_sim_sample(a, 0), *q = withy_sim_sample(b, 0);
    const int same =
        p->count == q->count &&
        memcmp(p->position, q->position, (size_t)p->count * sizeof *p->position) == 0 &&
        memcmp(p->spin, q->spin, (size_t)p->count * sizeof *p->spin) == 0;
    withy_sim_destroy(a), withy_sim_destroy(b);
    return same;
}

TEST(a_rod_without_fluid_feels_nothing_and_a_medium_without_density_does_nothing) {
    director_problem dry, x;
    make_grass(&dry, 0);
    dry.rod.fluid = (withy_fluid){0}, dry.problem.medium = (withy_medium){0};
    make_grass(&x, 0), x.rod.fluid = (withy_fluid){0};
    CHECK(same_bits(&dry, &x));
    make_grass(&x, 0), x.problem.medium.density = 0;
    CHECK(same_bits(&dry, &x));
    make_grass(&x, 0);
    CHECK(!same_bits(&dry, &x));
}

static withy_status uniform(void *context, withy_vec3 at, double t, withy_vec3 *velocity,
                            withy_error *err) {
    (void)context, (void)at, (void)t, (void)err;
    *velocity = (withy_vec3){0.4, 0, 0};
    return WITHY_OK;
}

/* A function, a profile and numbers that say the same. */
TEST(a_current_can_be_given_in_three_ways) {
    static const double profile[2][4] = {{-1, 0.4, 0, 0}, {1, 0.4, 0, 0}};
    director_problem x, y;
    make_grass(&x, 0);
    for (int k = 0; k < 2; k++) {
        make_grass(&y, 0), y.problem.medium.current.size = 0;
        if (k)
            y.problem.medium.flow = uniform;
        else
            y.problem.medium.profile = profile, y.problem.medium.profile_count = 2;
        withy_sim *a = begin(&x, "n=4 dt=0.02"), *b = begin(&y, "n=4 dt=0.02");
        go(a, 1), go(b, 1);
        CHECK_BELOW(apart(a, b, v3(0, 0, 0)), 1e-12);
        withy_sim_destroy(a), withy_sim_destroy(b);
    }
}

TEST(a_saved_state_goes_on_to_the_same_bits) {
    static char room[1 << 20];
    director_problem x;
    withy_error err = {0};
    make_grass(&x, 0);
    withy_sim *a = begin(&x, "n=4 dt=0.02"), *b = begin(&x, "n=4 dt=0.02");
    go(a, 0.5);
    const size_t size = withy_sim_save_size(a);
    CHECK(size <= sizeof room);
    CHECK_OK(withy_sim_save(a, room, size, &err));
    CHECK_OK(withy_sim_restore(b, room, size, &err));
    go(a, 1), go(b, 1);
    CHECK(withy_sim_hash(a) == withy_sim_hash(b));
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* ---- the ledger ---------------------------------------------------------------------------------------------- */

TEST(drag_current_waves_and_wind_balance) {
    static const withy_wave wave = {.height = 0.2, .period = 1.5, .direction = {1, 0.5, 0}};
    static const double step[3] = {2e-3, 2e-2, 1e-1};
    for (int k = 0; k < 3; k++) {
        director_problem x;
        char options[64];
        make_grass(&x, 0.3), x.rod.material.young = 1e8, x.rod.material.shear = 4e7;
        withy_medium *m = &x.problem.medium;
        m->has_surface = 1, m->surface = 0.3, m->depth = 0.6, m->ramp = 1;
        m->wave = &wave, m->wave_count = 1, m->air = 1.2, m->wind = withy_field_vector(5, 2, 0);
        snprintf(options, sizeof options, "n=4 dt=%g", step[k]);
        withy_sim *sim = begin(&x, options);
        go(sim, 4);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
        CHECK(withy_sim_sample(sim, 0)->dissipated > 0);
        withy_sim_destroy(sim);
    }
}

/* ---- waves --------------------------------------------------------------------------------------------------- */

/* While they grow too: rate and slope are those of u, differenced. */
TEST(waves_that_grow_accelerate_the_water) {
    static const withy_medium given = {.has_surface = 1, .depth = 3, .ramp = 4};
    const wy_wave wave[2] = {{0.4, wy_wave_number(1.2, 9.81, 3), 1.2, 0.3, {1, 0, 0}, 0},
                             {0.3, wy_wave_number(2.1, 9.81, 3), 2.1, 1.1, {0.6, 0.8, 0}, 1}};
    const wy_medium x = {.given = &given, .up = {0, 0, 1}, .wave = wave, .waves = 2};
    const vec3 place = {0.7, -0.2, -1.1};
    const double d = 1e-5;
    withy_error err = {0};
    for (int k = 0; k < 4; k++) {
        const double t = 0.5 + 1.3 * k;
        wy_flow now, a, b;
        CHECK_OK(wy_medium_flow(&x, place, t, 0, WY_FLOW_SLOPES | WY_FLOW_RATE, &now, &err));
        for (int i = 0; i < 4; i++) {
            const vec3 by = i < 3 ? v3_scale(d, v3_axis(i)) : v3(0, 0, 0);
            const double dt = i < 3 ? 0 : d;
            CHECK_OK(wy_medium_flow(&x, v3_sub(place, by), t - dt, 0, 0, &a, &err));
            CHECK_OK(wy_medium_flow(&x, v3_add(place, by), t + dt, 0, 0, &b, &err));
            const vec3 seen = v3_scale(0.5 / d, v3_sub(b.u, a.u));
            const vec3 said = i < 3 ? m3_column(now.slope, i) : now.rate;
            CHECK_BELOW(v3_norm(v3_sub(seen, said)), 1e-9);
        }
    }
}

/* ---- closed forms ---------------------------------------------------------------------------------------------- */

/* The wetted part of a straight round piece by brute force: chords of many sections. */
static double wetted(double radius, double length, double rise, double z) {
    enum { SECTIONS = 400, CHORDS = 4000 };
    const double down = sqrt(1 - rise * rise);
    double sum = 0;
    for (int i = 0; i < SECTIONS; i++) {
        const double at = z + rise * length * ((i + 0.5) / SECTIONS - 0.5);
        for (int k = 0; k < CHORDS;
             k++) { /* strips at the height y over the axis, in the section */
            const double y = radius * (2 * (k + 0.5) / CHORDS - 1);
            if (at + y * down < 0) sum += 4 / WY_PI * sqrt(1 - y * y / (radius * radius)) / CHORDS;
        }
    }
    return sum / SECTIONS;
}

TEST(the_wetted_part_is_that_of_a_straight_round_piece) {
    static const double rise[4] = {0, 0.3, 0.8, 0.999}, height[4] = {-0.15, -0.03, 0.02, 0.07};
    one a;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            double slope;
            make(&a, 0);
            a.coefficient.radius = 0.1, a.coefficient.length = 0.3;
            a.node.d = tri_from(m3_frame(v3(sqrt(1 - rise[i] * rise[i]), 0, rise[i]), v3(0, 1, 0)));
            a.next.d = a.node.d, a.flow.height = height[k];
            const double ours = wy_fluid_wet(&a.x, 0, &slope);
            CHECK_NEAR(ours, wetted(0.1, 0.3, rise[i], height[k]), 3e-4);
            a.flow.height += 1e-6;
            CHECK_NEAR((wy_fluid_wet(&a.x, 0, &slope) - ours) / 1e-6, slope, 1e-3);
        }
}

/* A level rod half as dense as water comes to rest with its axis in the surface. */
TEST(a_rod_floats_half_under_water) {
    director_problem x;
    make_grass(&x, 0);
    x.rod.material.density = 500, x.rod.material.young = 1e9, x.rod.material.shear = 4e8;
    x.rod.initial.along = (withy_vec3){1, 0, 0}, x.rod.initial.normal = (withy_vec3){0, 1, 0};
    x.rod.initial.from = (withy_vec3){0, 0, 0.004};
    x.rod.viscous = (withy_viscous){.normal = 1, .tangential = 1, .spin = 1e-3};
    x.problem.medium.current.size = 0, x.problem.medium.has_surface = 1;
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    director_times(&x, 20, 1);
    withy_sim *sim = begin(&x, "n=4 dt=0.01");
    go(sim, 20);
    CHECK_NEAR(withy_sim_sample(sim, 0)->position[3].z, 0, 1e-8);
    CHECK_NEAR(withy_sim_sample(sim, 0)->wet[3], 0.5, 1e-5);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
    withy_sim_destroy(sim);
}

/* Weight over resistance, across and along; a spin decays by exp(-zr t/J). */
TEST(viscous_resistance_stops_what_falls_and_turns) {
    for (int k = 0; k < 2; k++) {
        director_problem x;
        make_grass(&x, 0), x.rod.fluid = (withy_fluid){0}, x.problem.medium = (withy_medium){0};
        x.rod.initial.along = k ? (withy_vec3){0, 0, 1} : (withy_vec3){1, 0, 0};
        x.rod.initial.normal = (withy_vec3){0, 1, 0};
        x.rod.viscous = (withy_viscous){.normal = 2, .tangential = 0.7, .spin = 2e-6};
        if (k) x.rod.spin = withy_field_vector(0, 0, 3);
        director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
        director_times(&x, 10, 1);
        withy_sim *sim = begin(&x, "n=2 dt=0.005");
        const double area = WY_PI / 4 * 1e-4, inertia = 1100 * WY_PI / 32 * 1e-8;
        go(sim, 1);
        if (k) /* of second order in the step: (zr h/J)^2/12 of the exponent */
            CHECK_NEAR(withy_sim_sample(sim, 0)->spin[1].z, 3 * exp(-2e-6 / inertia), 1e-5);
        go(sim, 10);
        CHECK_NEAR(withy_sim_sample(sim, 0)->velocity[1].z, -1100 * area * 9.81 / (k ? 0.7 : 2),
                   1e-9);
        withy_sim_destroy(sim);
    }
}

/* Automatic steps in waves keep their tolerance. */
TEST(automatic_steps_resolve_waves) {
    static const withy_wave wave = {.height = 0.2, .period = 1.5, .direction = {1, 0, 0}};
    director_problem x;
    vec3 tip[2];
    for (int k = 0; k < 2; k++) {
        make_grass(&x, 0), x.rod.material.young = 1e8, x.rod.material.shear = 4e7;
        withy_medium *m = &x.problem.medium;
        m->has_surface = 1, m->surface = 1, m->depth = 1.5, m->ramp = 1;
        m->wave = &wave, m->wave_count = 1;
        director_times(&x, 3, 0.5);
        withy_sim *sim = begin(&x, k ? "n=4 dt=1e-3" : "n=4 dt=auto tol=1e-3");
        go(sim, 3);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        tip[k] = now->position[now->count - 1];
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(v3_norm(v3_sub(tip[0], tip[1])), 1e-3 * 0.5);
}

/* A mooring line without bending stiffness in a current, waves and wind, half out of the water: the ledger closes, and Newton's
 * method squares its error. */
TEST(a_cable_in_water_balances) {
    static const withy_wave wave = {.height = 0.3, .period = 1.4, .direction = {1, 0.3, 0}};
    director_problem x;
    make_grass(&x, 0);
    x.rod.kind = WITHY_CABLE, x.rod.initial.along.z = -1;
    x.rod.fluid = (withy_fluid){.given = 1,
                                .normal = 1.1,
                                .tangential = 0.05,
                                .added_normal = 1,
                                .added_tangential = 0.2,
                                .inertia = WITHY_INERTIA_ACCELERATION};
    director_ends(&x, WITHY_END_PINNED, WITHY_END_FREE);
    withy_medium *m = &x.problem.medium;
    x.rod.end[1].force = withy_field_vector(0, 0, -2);
    m->has_surface = 1, m->surface = -0.2, m->depth = 3, m->ramp = 1;
    m->wave = &wave, m->wave_count = 1;
    m->air = 1.2, m->wind = withy_field_vector(3, 1, 0);
    director_times(&x, 4, 0.5);
    withy_sim *sim = begin(&x, "n=8 dt=0.01");
    go(sim, 4);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
    CHECK(withy_sim_stats(sim).iterations < 6 * withy_sim_stats(sim).steps);
    CHECK(v3_norm(withy_sim_sample(sim, 0)->drag[4]) > 0);
    withy_sim_destroy(sim);
}

/* ---- what is refused ----------------------------------------------------------------------------------------- */

static void refuses(const director_problem *x, const char *method, const char *words) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(withy_sim_create(&x->problem, method, NULL, 0, &sim, &err) != WITHY_OK);
    if (!strstr(err.text, words)) fail_msg("\"%s\" is not in: %s", words, err.text);
    withy_sim_destroy(sim);
}

TEST(what_does_not_fit_is_refused) {
    static const double falling[2][4] = {{1, 0, 0, 0}, {0, 0, 0, 0}};
    static const withy_wave steep = {.height = 1, .period = 1, .direction = {1, 0, 1}},
                            tall = {.height = 2, .period = 1, .direction = {1, 0, 0}};
    director_problem x;
    make_grass(&x, 0), x.problem.medium.density = -1;
    refuses(&x, "director", "medium.density");
    make_grass(&x, 0), x.problem.medium.given = 0;
    refuses(&x, "director", "there is no medium");
    make_grass(&x, 0), x.rod.viscous.normal = 1, x.rod.drag_linear = 1;
    refuses(&x, "director", "rod.drag is given as well");
    make_grass(&x, 0), x.problem.medium.given = 0, x.rod.fluid.given = 0;
    x.rod.viscous.normal = 1, x.problem.rotating = (withy_rotating){.given = 1, .spin = {0, 0, 6}};
    refuses(&x, "director", "not supported in a rotating frame");
    make_grass(&x, 0), x.problem.medium.has_surface = 1, x.problem.gravity.z = 0;
    refuses(&x, "director", "against gravity");
    make_grass(&x, 0), x.problem.medium.wave = &steep, x.problem.medium.wave_count = 1;
    refuses(&x, "director", "a surface and a depth");
    x.problem.medium.has_surface = 1, x.problem.medium.depth = 1;
    refuses(&x, "director", "across gravity");
    x.problem.medium.wave = &tall;
    refuses(&x, "director", "its troughs reach below the bed");
    make_grass(&x, 0), x.problem.medium.profile = falling, x.problem.medium.profile_count = 2;
    refuses(&x, "director", "heights must increase");
    x.problem.medium.profile_count = 1;
    refuses(&x, "director", "given more than once");
    make_grass(&x, 0), x.problem.medium.air = 1;
    refuses(&x, "director", "above the surface");
    make_grass(&x, 0), x.rod.section.kind = WITHY_SECTION_RECTANGLE;
    x.rod.section.b = withy_field_number(0.01);
    refuses(&x, "director", "not round");
    make_grass(&x, 0), x.rod.kind = WITHY_CABLE, x.rod.end[0].kind = WITHY_END_PINNED;
    x.rod.fluid.added_normal = 1;
    refuses(&x, "director", "added mass with a moment");
    x.rod.viscous.spin = 1;
    refuses(&x, "director", "rod.viscous.spin");
    make_grass(&x, 0);
    refuses(&x, "se3", "a surrounding medium");
}

RUN(test(the_wetted_part_is_that_of_a_straight_round_piece), test(a_rod_floats_half_under_water),
    test(viscous_resistance_stops_what_falls_and_turns), test(automatic_steps_resolve_waves),
    test(the_tangent_of_drag_is_exact), test(the_tangent_of_added_mass_is_exact),
    test(energy_and_momenta_in_a_fluid_at_rest_are_kept_at_any_step),
    test(a_stream_carries_the_motion_along), test(a_turned_current_turns_the_answer),
    test(units_do_not_matter),
    test(a_rod_without_fluid_feels_nothing_and_a_medium_without_density_does_nothing),
    test(a_current_can_be_given_in_three_ways), test(a_saved_state_goes_on_to_the_same_bits),
    test(drag_current_waves_and_wind_balance), test(a_cable_in_water_balances),
    test(waves_that_grow_accelerate_the_water), test(what_does_not_fit_is_refused))
