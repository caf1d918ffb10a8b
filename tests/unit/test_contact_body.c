/* Rods that touch bodies, and bodies that touch obstacles: energy, momenta, the ledger of friction, rolling, holding. */
#include "check.h"
#include "network_fixture.h"
#include "network_golden.h"
#include "study/sim.h"

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 5 }; /* the same messages over a shorter time */
#else
enum { SHARE = 1 };
#endif

static withy_vec3 body_at(withy_sim *sim, int i) {
    return withy_sim_parts(sim)->body[i].position;
}

static void set_friction(network_problem *x, double mu) {
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = mu;
}

/* ---- a body hits a rod --------------------------------------------------------------------------------------- */

static const struct {
    withy_body_shape shape;
    double size[3];
} shape_at[] = {{WITHY_BODY_SPHERE, {0.1}},
                {WITHY_BODY_BOX, {0.1, 0.08, 0.06}},
                {WITHY_BODY_CAPSULE, {0.06, 0.12}},
                {WITHY_BODY_CYLINDER, {0.08, 0.1}}};
enum { SHAPES = sizeof shape_at / sizeof *shape_at };

static withy_body *shaped(network_problem *x, int k, double mass, withy_vec3 inertia,
                          withy_vec3 at) {
    withy_body *body = network_body(x, mass, inertia, at);
    body->shape = shape_at[k].shape;
    for (int i = 0; i < 3; i++) body->size[i] = shape_at[k].size[i];
    return body;
}

static void hit(network_problem *x, int k, double mu) {
    network_begin(x);
    network_rod(x, v3(-0.45, 0, 0), v3(0.55, 0, 0), 0.01, 1e7, 1000);
    withy_body *body = shaped(x, k, 0.3, v3(3e-4, 3.2e-4, 2.8e-4), v3(0.05, 0.01, 0.085));
    body->velocity = v3(0.3, 0.1, -2), body->spin = v3(1, 5, 2);
    x->problem.contact = (withy_contact){.given = 1, .no_self = 1, .stiffness = 1e6};
    set_friction(x, mu);
}

TEST(a_body_that_hits_a_rod_keeps_energy_and_both_momenta_with_it_at_any_step) {
    const double dt[4] = {1e-4, 1e-3, 5e-3, 2e-2};
    for (int k = 0; k < 2 * SHAPES; k++)
        for (int i = 0; i < 4; i++) {
            network_problem x;
            char options[64];
            const double stop = (i == 0 ? 0.06 : 0.3) / (i < 2 ? SHARE : 1);
            hit(&x, k % SHAPES, k < SHAPES ? 0 : 0.5);
            network_times(&x, stop, stop);
            snprintf(options, sizeof options, "n=10 degree=2 dt=%g", dt[i]);
            withy_sim *sim = start(&x, options);
            const withy_snapshot first = *withy_sim_sample(sim, 0);
            go(sim, stop);
            const withy_snapshot *now = withy_sim_sample(sim, 0);
            const withy_stats stats = withy_sim_stats(sim);
            CHECK_BELOW(stats.energy_drift, k < SHAPES ? 2e-12 : 1e-12);
            CHECK_BELOW(v3_norm(v3_sub(now->momentum, first.momentum)) / 0.6, 2e-12);
            CHECK_BELOW(v3_norm(v3_sub(now->angular_momentum, first.angular_momentum)) / 0.05,
                        2e-12);
            CHECK(now->contact_depth > 0 || i == 0);
            CHECK(k < SHAPES ? fabs(now->contact_loss) <= 1e-12 : now->contact_loss >= 0);
            withy_sim_destroy(sim);
        }
}

/* ---- a body on an obstacle ------------------------------------------------------------------------------------- */

/* 5/7 g sin 20 and no slip. */
TEST(a_ball_rolls_down_an_incline) {
    const double g = 9.81, angle = WY_PI / 9, r = 0.05, j = 0.4 * 0.3 * r * r;
    withy_obstacle plane = {.kind = WITHY_OBSTACLE_PLANE, .own_friction = 1, .stiffness = 1e7};
    for (int i = 0; i < WITHY_FRICTIONS; i++) plane.friction[i] = 0.5;
    network_problem x;
    network_begin(&x);
    shaped(&x, 0, 0.3, v3(j, j, j), v3(0, 0, r - 0.3 * g * cos(angle) / (1e7 * r)));
    x.problem.gravity = v3(g * sin(angle), 0, -g * cos(angle));
    x.problem.obstacle = &plane, x.problem.obstacle_count = 1;
    network_times(&x, 1, 1);
    withy_sim *sim = start(&x, "dt=1e-3");
    go(sim, 1);
    CHECK_NEAR(body_at(sim, 0).x, 0.5 * 5. / 7 * g * sin(angle), 2e-6);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    withy_sim_destroy(sim);
}

TEST(bodies_of_every_shape_bounce_in_a_room_with_the_energy_they_have) {
    for (int k = 0; k < 2 * SHAPES; k++) {
        const double mu = k < SHAPES ? 0 : 0.4;
        withy_obstacle obstacle[2] = {{.kind = WITHY_OBSTACLE_PLANE, .own_friction = 1},
                                      {.kind = WITHY_OBSTACLE_SPHERE,
                                       .own_friction = 1,
                                       .inside = 1,
                                       .point = withy_field_vector(0, 0, 0.3),
                                       .radius = 0.5}};
        for (int i = 0; i < 2 * WITHY_FRICTIONS; i++) obstacle[i / 3].friction[i % 3] = mu;
        network_problem x;
        network_begin(&x);
        withy_body *body = shaped(&x, k % SHAPES, 0.3, v3(3e-4, 3.2e-4, 2.8e-4), v3(0, 0, 0.3));
        body->velocity = v3(1, 0.5, 0), body->spin = v3(3, 2, 1);
        x.problem.gravity = v3(0, 0, -9.81);
        x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e7};
        x.problem.obstacle = obstacle, x.problem.obstacle_count = 2;
        network_times(&x, 1, 1);
        withy_sim *sim = start(&x, "dt=1e-3");
        go(sim, 1);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 2e-12);
        const withy_vec3 at = body_at(sim, 0);
        CHECK(at.z > 0.02 && v3_norm(v3_sub(at, v3(0, 0, 0.3))) < 0.5);
        withy_sim_destroy(sim);
    }
}

/* ---- bodies hit bodies ------------------------------------------------------------------------------------------- */

static const double turns_like = 3e-4; /* about any axis [kg m^2] */

static void sums(withy_sim *sim, withy_vec3 *p, withy_vec3 *l) {
    *p = *l = v3(0, 0, 0);
    for (int i = 0; i < 2; i++) {
        const withy_body_state *at = &withy_sim_parts(sim)->body[i];
        const withy_vec3 own = v3_scale(0.3, at->velocity);
        *p = v3_add(*p, own);
        *l = v3_add(*l, v3_axpy(v3_cross(at->position, own), turns_like, at->spin));
    }
}

static void collide(int k, int l, double mu, double dt) {
    network_problem x;
    withy_vec3 p[2], about[2];
    char options[64];
    const withy_vec3 same = v3(turns_like, turns_like, turns_like);
    network_begin(&x);
    withy_body *one = shaped(&x, k, 0.3, same, v3(0.01, 0, 0.08));
    one->velocity = v3(0.2, 0, -1), one->spin = v3(1, 2, 3);
    one->frame = q_unit((withy_quat){1, 0.2, 0.1, 0.3});
    withy_body *two = shaped(&x, l, 0.3, same, v3(0, 0.015, -0.08));
    two->velocity = v3(0, 0.1, 1), two->frame = q_unit((withy_quat){1, -0.3, 0.2, 0.1});
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e6};
    set_friction(&x, mu);
    network_times(&x, 0.2, 0.2);
    snprintf(options, sizeof options, "dt=%g", dt);
    withy_sim *sim = start(&x, options);
    withy_sim_sample(sim, 0);
    sums(sim, &p[0], &about[0]);
    go(sim, 0.2);
    withy_sim_sample(sim, 0);
    sums(sim, &p[1], &about[1]);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 2e-12);
    CHECK_BELOW(v3_norm(v3_sub(p[1], p[0])) / 0.3, 2e-12);
    CHECK_BELOW(v3_norm(v3_sub(about[1], about[0])) / 0.03, 2e-12);
    CHECK(withy_sim_parts(sim)->body[0].velocity.z > -0.1); /* it came with -1 */
    CHECK(withy_sim_parts(sim)->body[0].position.z > withy_sim_parts(sim)->body[1].position.z);
    withy_sim_destroy(sim);
}

TEST(two_bodies_of_any_shapes_that_collide_part_with_their_energy_and_both_momenta) {
    for (int k = 0; k < SHAPES; k++)
        for (int l = 0; l < SHAPES; l++) {
            collide(k, l, 0, l % 2 ? 1e-3 : 5e-3);
            collide(k, l, 0.5, k % 2 ? 1e-3 : 5e-3);
        }
}

/* Two balls meet head on: their speeds are exchanged. */
TEST(balls_that_meet_head_on_exchange_their_speeds) {
    network_problem x;
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        withy_body *ball = shaped(&x, 0, 0.3, v3(3e-4, 3e-4, 3e-4), v3(0.2 * i, 0, 0));
        ball->velocity = v3(i ? -0.5 : 1.5, 0, 0);
    }
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e7};
    network_times(&x, 0.1, 0.1);
    withy_sim *sim = start(&x, "dt=1e-3");
    go(sim, 0.1);
    withy_sim_sample(sim, 0);
    CHECK_NEAR(withy_sim_parts(sim)->body[0].velocity.x, -0.5, 1e-12);
    CHECK_NEAR(withy_sim_parts(sim)->body[1].velocity.x, 1.5, 1e-12);
    withy_sim_destroy(sim);
}

/* Balls that spin and rub: where the first of them ends. */
static withy_vec3 rubbed(int reversed) {
    network_problem x;
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        const int first = i == reversed;
        const double m = first ? 0.3 : 0.1, j = 4e-3 * m;
        withy_body *ball = shaped(&x, 0, m, v3(j, j, j), v3(first ? 0 : 0.11, first ? 0 : 0.02, 0));
        ball->velocity = v3(first ? 1 : -1, 0, 0);
        ball->spin = first ? v3(0, 30, 50) : v3(20, 0, 10);
    }
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e5};
    set_friction(&x, 0.4);
    network_times(&x, 0.1, 0.1);
    withy_sim *sim = start(&x, "dt=1e-3");
    go(sim, 0.1);
    withy_sim_sample(sim, 0);
    const withy_vec3 at = body_at(sim, reversed);
    withy_sim_destroy(sim);
    return at;
}

TEST(the_order_of_two_balls_that_rub_is_nothing) {
    CHECK_BELOW(v3_norm(v3_sub(rubbed(0), rubbed(1))), 1e-12);
}

/* ---- bodies on obstacles that stand free ---------------------------------------------------------------------------- */

/* In the middle of what falls, far from its corners and ends. */
TEST(a_body_of_any_shape_that_falls_on_an_obstacle_of_any_kind_is_held_by_it) {
    static const withy_obstacle kind[] = {
        {.kind = WITHY_OBSTACLE_SPHERE, .radius = 0.03},
        {.kind = WITHY_OBSTACLE_CYLINDER, .radius = 0.03, .along = {0, 1, 0}},
        {.kind = WITHY_OBSTACLE_CYLINDER, .radius = 0.03, .along = {0, 1, 0}, .length = 0.05},
        {.kind = WITHY_OBSTACLE_CAPSULE, .radius = 0.03, .along = {0, 1, 0}, .length = 0.1},
        {.kind = WITHY_OBSTACLE_BOX, .size = {0.04, 0.04, 0.06}}};
    for (int i = 0; i < 5 * SHAPES; i++) {
        withy_obstacle obstacle = kind[i / SHAPES];
        network_problem x;
        network_begin(&x);
        withy_body *body = shaped(&x, i % SHAPES, 0.3, v3(3e-4, 3.2e-4, 2.8e-4), v3(0, 0, 0.1));
        body->frame = q_unit((withy_quat){1, 0, 1, 0}); /* it lies */
        x.problem.gravity = v3(0, 0, -9.81);
        x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e6};
        x.problem.obstacle = &obstacle, x.problem.obstacle_count = 1;
        network_times(&x, 0.3, 0.3);
        withy_sim *sim = start(&x, "dt=1e-3");
        go(sim, 0.3);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
        CHECK(body_at(sim, 0).z > 0.05); /* in free fall it is at -0.34 */
        withy_sim_destroy(sim);
    }
}

/* ---- held by friction ---------------------------------------------------------------------------------------------- */

static double ramp(double t) {
    const double x = fmin(fmax(t, 0), 1);
    return x * x * (3 - 2 * x);
}

/* A finger closes by 2 mm in 0.1 s, and rises by 50 mm from 0.2 s to 0.5 s. */
static withy_status finger(void *context, double s, double t, double *value, withy_error *err) {
    const double side = *(const double *)context;
    (void)s, (void)err;
    value[0] = -0.1, value[1] = side * (0.0255 - 0.002 * ramp(t / 0.1));
    value[2] = 0.05 * ramp((t - 0.2) / 0.3);
    return WITHY_OK;
}

static double lifted(double mu) {
    static const double side[2] = {-1, 1};
    const withy_obstacle table = {.kind = WITHY_OBSTACLE_PLANE,
                                  .point = withy_field_vector(0, 0, -0.02)};
    network_problem x;
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(&x, v3(-0.1, side[i] * 0.0255, 0),
                                     v3(0.02, side[i] * 0.0255, 0), 0.005, 2e7, 1100);
        rod->end[0].kind = WITHY_END_CLAMPED;
        rod->end[0].position =
            (withy_field){.size = 3, .call = finger, .context = (void *)&side[i]};
        rod->damping[WITHY_BEND1] = rod->damping[WITHY_BEND2] = withy_field_number(1e-4);
    }
    const double m = 0.002, j = 0.4 * m * 4e-4;
    withy_body *ball = network_body(&x, m, v3(j, j, j), v3(0, 0, 0));
    ball->shape = WITHY_BODY_SPHERE, ball->size[0] = 0.04;
    x.problem.gravity = v3(0, 0, -9.81);
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .damping = 1};
    x.problem.obstacle = &table, x.problem.obstacle_count = 1;
    set_friction(&x, mu);
    network_times(&x, 0.7, 0.7);
    withy_sim *sim = start(&x, "n=12 dt=1e-3");
    go(sim, 0.7);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    const double z = body_at(sim, 0).z;
    withy_sim_destroy(sim);
    return z;
}

TEST(two_fingers_lift_a_ball_by_friction_and_not_without) {
    SLOW_UNDER_SANITIZERS;
    CHECK_NEAR(lifted(0.8), 0.05, 0.005);
    CHECK_BELOW(fabs(lifted(0)), 1e-3);
}

/* ---- at rest -------------------------------------------------------------------------------------------------------- */

/* A ball on a spring of 50 N/m is pressed by the tip of a cantilever: its stiffness is 3 EI/L^3, with shear. */
TEST(a_rod_that_rests_on_a_sprung_ball_shares_its_load_with_it) {
    network_problem x;
    const double load = 0.05, r = 0.005, e = 1e7, bend = e * WY_PI * r * r * r * r / 4;
    network_begin(&x);
    withy_rod *rod = network_rod(&x, v3(-0.1, 0, 0), v3(0, 0, 0), r, e, 1000);
    rod->end[0].kind = WITHY_END_CLAMPED;
    rod->end[1].force = withy_field_vector(0, 0, -load);
    withy_body *ball = network_body(&x, 0.01, v3(1e-6, 1e-6, 1e-6), v3(0, 0, -0.02 - r));
    ball->shape = WITHY_BODY_SPHERE, ball->size[0] = 0.04;
    withy_joint *j =
        network_join(&x, WITHY_JOINT_SPRING, on_ground(0, 0, -0.02 - r), on_body(0, 0, 0, 0));
    j->stretch = v3(50, 50, 50), j->turn = v3(1, 1, 1);
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .stiffness = 1e8};
    withy_sim *sim = start(&x, "n=10 degree=2");
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK(at.negative == 0);
    const double k = 3 * bend / (0.1 * 0.1 * 0.1);
    CHECK_NEAR(-withy_sim_sample(sim, 0)->position[withy_sim_sample(sim, 0)->count - 1].z,
               load / (k + 50), 0.02 * load / (k + 50));
    withy_sim_destroy(sim);
}

/* A ball on a spring of 50 N/m: Newton's first step takes it 0.4 m down, past a plate of 10 mm, or past a ball that is held. */
static double rests_at(int on_ball, double mu) {
    const double r = 0.02, load = 20;
    network_problem x;
    network_begin(&x);
    withy_rod *rod = network_rod(&x, v3(5, 0, 0), v3(15, 0, 0), 0.1, 1e9, 1000);
    rod->end[0].kind = WITHY_END_CLAMPED; /* against its length the step is short */
    withy_body *ball = network_body(&x, 0.01, v3(1e-6, 1e-6, 1e-6), v3(0, 0, 0));
    ball->shape = WITHY_BODY_SPHERE, ball->size[0] = 2 * r;
    withy_joint *j = network_join(&x, WITHY_JOINT_SPRING, on_ground(0, 0, 0), on_body(0, 0, 0, 0));
    j->stretch = v3(50, 50, 50), j->turn = v3(1, 1, 1);
    const withy_body_load push = {.force = withy_field_vector(0, 0, -load)};
    x.body[0].load = &push, x.body[0].load_count = 1;
    const withy_obstacle plate = {.kind = WITHY_OBSTACLE_BOX,
                                  .point = withy_field_vector(0, 0, -0.1),
                                  .size = v3(1, 1, 0.01)};
    if (on_ball) {
        withy_body *held = network_body(&x, 0.01, v3(1e-6, 1e-6, 1e-6), v3(0, 0, -0.115));
        held->shape = WITHY_BODY_SPHERE, held->size[0] = 2 * r;
        j = network_join(&x, WITHY_JOINT_SPRING, on_ground(0, 0, -0.115), on_body(1, 0, 0, 0));
        j->stretch = v3(1e6, 1e6, 1e6), j->turn = v3(1e3, 1e3, 1e3);
    } else {
        x.problem.obstacle = &plate, x.problem.obstacle_count = 1;
    }
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e8};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = mu;
    withy_sim *sim = start(&x, "");
    withy_equilibrium at;
    withy_error err = {0};
    const withy_status status = withy_sim_equilibrium(sim, 1, &at, &err);
    withy_sim_sample(sim, 0);
    const double z = status == WITHY_OK ? body_at(sim, 0).z : NAN;
    withy_sim_destroy(sim);
    return z;
}

TEST(a_ball_at_rest_has_not_jumped_over_what_is_thinner_than_a_step_of_newton) {
    for (int i = 0; i < 4; i++) CHECK_NEAR(rests_at(i / 2, i % 2 ? 0.3 : 0), -0.075, 1e-4);
}

/* Pressed by its load half its radius, or through the surface, into soft ground that it does not touch as it is drawn. */
TEST(what_sinks_in_at_rest_is_not_reported_to_be_drawn_there_when_it_moves_on) {
    static const double load[2] = {3, 8}, depth[2] = {0.01, 0.03};
    for (int i = 0; i < 2; i++) {
        network_problem x;
        network_begin(&x);
        withy_body *ball = network_body(&x, 0.01, v3(1e-6, 1e-6, 1e-6), v3(0, 0, 0));
        ball->shape = WITHY_BODY_SPHERE, ball->size[0] = 0.04;
        withy_joint *j =
            network_join(&x, WITHY_JOINT_SPRING, on_ground(0, 0, 0), on_body(0, 0, 0, 0));
        j->stretch = v3(50, 50, 50), j->turn = v3(1, 1, 1);
        const withy_body_load push = {.force = withy_field_vector(0, 0, -load[i])};
        x.body[0].load = &push, x.body[0].load_count = 1;
        const withy_obstacle ground = {.kind = WITHY_OBSTACLE_PLANE,
                                       .point = withy_field_vector(0, 0, -0.03),
                                       .stiffness = 1e4};
        x.problem.obstacle = &ground, x.problem.obstacle_count = 1;
        network_times(&x, 0.01, 0.01);
        withy_sim *sim = start(&x, "dt=1e-3");
        withy_equilibrium at;
        withy_error err = {0};
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK_OK(withy_sim_advance(sim, 0.01, &err));
        withy_sim_sample(sim, 0);
        CHECK_NEAR(body_at(sim, 0).z, -0.01 - depth[i], 1e-9);
        CHECK(!strstr(withy_sim_notes(sim)->text, "drawn"));
        withy_sim_destroy(sim);
    }
}

/* Two balls, each on a spring of 50 N/m, one pressed on the other. */
TEST(a_ball_that_rests_on_a_ball_shares_its_load_with_it) {
    network_problem x;
    const double load = 0.05, r = 0.02;
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        withy_body *ball = network_body(&x, 0.01, v3(1e-6, 1e-6, 1e-6), v3(0, 0, 2 * r * i));
        ball->shape = WITHY_BODY_SPHERE, ball->size[0] = 2 * r;
        withy_joint *j =
            network_join(&x, WITHY_JOINT_SPRING, on_ground(0, 0, 2 * r * i), on_body(i, 0, 0, 0));
        j->stretch = v3(50, 50, 50), j->turn = v3(1, 1, 1);
    }
    const withy_body_load push = {.force = withy_field_vector(0, 0, -load)};
    x.body[1].load = &push, x.body[1].load_count = 1;
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e8};
    withy_sim *sim = start(&x, "");
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK(at.negative == 0);
    withy_sim_sample(sim, 0);
    CHECK_NEAR(body_at(sim, 0).z, -load / 100, 1e-3 * load / 100);
    CHECK_NEAR(body_at(sim, 1).z, 2 * r - load / 100, 1e-3 * load / 100);
    withy_sim_destroy(sim);
}

/* A block that the ground holds carries a beam that lies on it, a ball on it, and an arm that a soft floor pushes up: what the ground
 * gives to all of them is their weight, and its moment; and the weld of the arm has what the floor does not bear. */
static void holds_all(const network_problem *x, withy_sim *sim, double g) {
    const withy_snapshot *rod = withy_sim_sample(sim, 0);
    const withy_parts *parts = withy_sim_parts(sim);
    const int last = rod->count - 1;
    const double own = 1000 * WY_PI * 0.01 * 0.01 * 0.4;
    vec3 force = v3_sub(rod->reaction[0], parts->obstacle[0].force);
    vec3 moment = v3_add(rod->reaction_moment[0], v3_cross(rod->position[0], rod->reaction[0]));
    for (int i = 0; i < 2; i++) { /* the ground is the first part of the first two */
        const withy_joint_state *j = &parts->joint[i];
        force = v3_add(force, j->force);
        moment = v3_add(moment, v3_add(j->torque, v3_cross(j->place[1], j->force)));
    }
    CHECK_NEAR(force.z, g * (own + 1.0 + 0.5 + 0.3), 1e-6);
    CHECK_NEAR(hypot(force.x, force.y), 0, 1e-6);
    CHECK_NEAR(parts->joint[2].force.z, g * 0.3 + parts->obstacle[0].force.z, 1e-6);
    CHECK(parts->obstacle[0].force.z < -1);
    /* about the y axis: weights at x, the floor under the corners of the arm */
    double lever = 0, at = 0;
    for (int i = 0; i < last; i++)
        lever += 0.5 * (rod->position[i].x + rod->position[i + 1].x) * (rod->s[i + 1] - rod->s[i]);
    for (int i = 0; i < 3; i++) at += x->body[i].mass * parts->body[i].position.x;
    CHECK_NEAR(moment.y + parts->body[2].position.x * parts->obstacle[0].force.z,
               -g * (at + 1000 * WY_PI * 0.01 * 0.01 * lever), 1e-4);
}

TEST(a_weld_carries_what_touches_the_bodies_it_holds) {
    network_problem x;
    const double g = 10;
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -g);
    withy_rod *rod = network_rod(&x, v3(-0.3, 0, 0.0605), v3(0.1, 0, 0.0605), 0.01, 1e8, 1000);
    rod->end[0].kind = WITHY_END_CLAMPED;
    withy_body *block = network_body(&x, 1, v3(1e-2, 1e-2, 1e-2), v3(0.05, 0, 0));
    withy_body *ball = network_body(&x, 0.5, v3(1e-3, 1e-3, 1e-3), v3(0.05, 0.05, 0.07));
    withy_body *arm = network_body(&x, 0.3, v3(1e-3, 1e-3, 1e-3), v3(0.2, 0, -0.05));
    block->shape = arm->shape = WITHY_BODY_BOX, ball->shape = WITHY_BODY_SPHERE;
    block->size[0] = 0.2, block->size[1] = 0.2, block->size[2] = 0.1, ball->size[0] = 0.04;
    for (int i = 0; i < 3; i++) arm->size[i] = 0.06;
    network_join(&x, WITHY_JOINT_WELD, on_ground(0.05, 0, -0.05), on_body(0, 0, 0, -0.05));
    network_join(&x, WITHY_JOINT_SLIDER, on_ground(0.05, 0.05, 0.07), on_body(1, 0, 0, 0))->axis =
        v3(0, 0, 1);
    network_join(&x, WITHY_JOINT_WELD, on_body(0, 0.1, 0, -0.05), on_body(2, -0.05, 0, 0));
    const withy_obstacle ground = {
        .kind = WITHY_OBSTACLE_PLANE, .point = withy_field_vector(0, 0, -0.079), .stiffness = 1e4};
    x.problem.obstacle = &ground, x.problem.obstacle_count = 1;
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .stiffness = 1e6};
    network_times(&x, 0.01, 0.01);
    withy_sim *sim = start(&x, "n=8 degree=1 dt=1e-3");
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    holds_all(&x, sim, g);
    CHECK_OK(withy_sim_advance(sim, 0.01, &err));
    holds_all(&x, sim, g);
    withy_sim_destroy(sim);
}

RUN(test(a_body_that_hits_a_rod_keeps_energy_and_both_momenta_with_it_at_any_step),
    test(a_weld_carries_what_touches_the_bodies_it_holds), test(a_ball_rolls_down_an_incline),
    test(bodies_of_every_shape_bounce_in_a_room_with_the_energy_they_have),
    test(two_bodies_of_any_shapes_that_collide_part_with_their_energy_and_both_momenta),
    test(balls_that_meet_head_on_exchange_their_speeds),
    test(the_order_of_two_balls_that_rub_is_nothing),
    test(a_body_of_any_shape_that_falls_on_an_obstacle_of_any_kind_is_held_by_it),
    test(a_ball_at_rest_has_not_jumped_over_what_is_thinner_than_a_step_of_newton),
    test(what_sinks_in_at_rest_is_not_reported_to_be_drawn_there_when_it_moves_on),
    test(a_ball_that_rests_on_a_ball_shares_its_load_with_it),
    test(two_fingers_lift_a_ball_by_friction_and_not_without),
    test(a_rod_that_rests_on_a_sprung_ball_shares_its_load_with_it))
