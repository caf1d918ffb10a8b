/* Rods that touch in motion: energy, momenta and the ledger of friction, at any step. */
#include <stdlib.h>

#include "check.h"
#include "contact_family.h"
#include "network_fixture.h"
#include "study/sim.h"

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 5 }; /* the same messages over a shorter time */
#else
enum { SHARE = 1 };
#endif

static withy_obstacle obstacle(withy_obstacle_kind kind) {
    return (withy_obstacle){.kind = kind};
}

/* ---- obstacles -------------------------------------------------------------------------------------- */

typedef struct wall_case {
    const char *name;
    withy_obstacle obstacle;
    withy_vec3 velocity, gravity;
} wall_case;

static wall_case wall_at(int k) {
    wall_case out = {.velocity = network_vec(0.1, 0.2, -1), .gravity = network_vec(0, 0, -9.81)};
    switch (k) {
    case 0:
        out.name = "plane", out.obstacle = obstacle(WITHY_OBSTACLE_PLANE);
        out.obstacle.point = withy_field_vector(0, 0, -0.1);
        break;
    case 1:
        out.name = "sphere", out.obstacle = obstacle(WITHY_OBSTACLE_SPHERE);
        out.obstacle.point = withy_field_vector(0.1, 0.05, -0.45), out.obstacle.radius = 0.3;
        break;
    case 2:
        out.name = "bowl", out.obstacle = obstacle(WITHY_OBSTACLE_SPHERE);
        out.obstacle.radius = 0.35, out.obstacle.inside = 1;
        break;
    case 3:
        out.name = "tube", out.obstacle = obstacle(WITHY_OBSTACLE_CYLINDER);
        out.obstacle.along = network_vec(1, 0, 0.2), out.obstacle.radius = 0.15,
        out.obstacle.inside = 1;
        break;
    case 4:
        out.name = "cylinder", out.obstacle = obstacle(WITHY_OBSTACLE_CYLINDER);
        out.obstacle.point = withy_field_vector(0, 0, -0.3),
        out.obstacle.along = network_vec(0, 1, 0);
        out.obstacle.radius = 0.2;
        break;
    case 5:
        out.name = "box", out.obstacle = obstacle(WITHY_OBSTACLE_BOX);
        out.obstacle.point = withy_field_vector(0, 0, -0.3),
        out.obstacle.size = network_vec(0.6, 0.6, 0.4);
        break;
    default:
        out.name = "box from inside", out.obstacle = obstacle(WITHY_OBSTACLE_BOX);
        out.obstacle.size = network_vec(0.62, 0.4, 0.3), out.obstacle.inside = 1;
    }
    return out;
}
enum { WALLS = 7 };

/* A rod of 0.5 m, radius 5 mm, that falls and turns. */
static void falling(network_problem *x, const wall_case *of, double stop) {
    network_begin(x);
    network_times(x, stop, stop);
    x->problem.gravity = of->gravity;
    withy_rod *rod = network_rod(x, network_vec(-0.25, -0.02, 0), network_vec(0.25, 0.02, 0.04),
                                 0.005, 1e7, 1000);
    rod->velocity = withy_field_vector(of->velocity.x, of->velocity.y, of->velocity.z);
    rod->spin = withy_field_vector(0.3, 1, 0.5);
    x->problem.contact.stiffness = 1e6;
    x->problem.obstacle = &of->obstacle, x->problem.obstacle_count = 1;
}

TEST(a_rod_that_bounces_on_any_obstacle_keeps_its_energy_at_any_step) {
    const double dt[4] = {1e-4, 1e-3, 5e-3, 2e-2};
    for (int k = 0; k < WALLS; k++)
        for (int i = k ? 1 : 0; i < (k ? 3 : 4); i++) {
            network_problem x;
            char options[64];
            const wall_case of = wall_at(k);
            const double stop = (i == 0 ? 0.3 : 0.6) / (i < 2 ? SHARE : 1);
            falling(&x, &of, stop);
            snprintf(options, sizeof options, "n=10 degree=%d dt=%g", k % 3 + 1, dt[i]);
            withy_sim *sim = start(&x, options);
            go(sim, stop);
            const withy_stats stats = withy_sim_stats(sim);
            CHECK(stats.conserves == 1);
            CHECK_BELOW(stats.energy_drift, 2e-12);
            withy_sim_destroy(sim);
        }
}

/* ---- friction ----------------------------------------------------------------------------------------- */

static const double R = 0.005, G = 9.81;

/* A rod that lies on a plane under gravity tilted by 30 degrees to x, pressed in by its weight. */
static void inclined(network_problem *x, withy_obstacle *plane, int across, double mu,
                     double stop) {
    const double k = 1e6, weight = WY_PI * R * R * 1000 * G * cos(WY_PI / 6);
    const double z = R - weight / k;
    *plane = obstacle(WITHY_OBSTACLE_PLANE);
    plane->stiffness = k, plane->own_friction = 1;
    for (int i = 0; i < WITHY_FRICTIONS; i++) plane->friction[i] = mu;
    network_begin(x);
    network_times(x, stop, stop / 10);
    x->problem.gravity = network_vec(G * sin(WY_PI / 6), 0, -G * cos(WY_PI / 6));
    network_rod(x, network_vec(across ? 0 : -0.25, across ? -0.25 : 0, z),
                network_vec(across ? 0 : 0.25, across ? 0.25 : 0, z), R, 1e7, 1000);
    x->problem.obstacle = plane, x->problem.obstacle_count = 1;
}

static withy_snapshot *middle(withy_sim *sim) {
    return (withy_snapshot *)withy_sim_sample(sim, 0);
}

/* a = g (sin - mu cos), of the ways in 1/4 s each, after the tangential springs are stretched. */
TEST(a_rod_slides_down_an_incline_as_coulomb_says) {
    network_problem x;
    withy_obstacle plane;
    double at[3];
    inclined(&x, &plane, 0, 0.3, 1);
    withy_sim *sim = start(&x, "n=8 degree=1 dt=0.01");
    for (int k = 0; k < 3; k++) {
        go(sim, 0.5 + 0.25 * k);
        at[k] = withy_sim_sample(sim, 0)->position[4].x;
    }
    const double a = 16 * (at[2] - 2 * at[1] + at[0]);
    CHECK_NEAR(a, G * (0.5 - 0.3 * cos(WY_PI / 6)), 1e-5);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    CHECK(!withy_sim_stats(sim).conserves);
    withy_sim_destroy(sim);
}

TEST(a_rod_rolls_down_an_incline_with_two_thirds_of_g_sin) {
    network_problem x;
    withy_obstacle plane;
    inclined(&x, &plane, 1, 0.5, 0.5);
    withy_sim *sim = start(&x, "n=8 degree=1 dt=0.001");
    go(sim, 0.5);
    const withy_snapshot *now = middle(sim);
    const double a = 8 * now->position[4].x;
    CHECK_NEAR(a, 2 * G * 0.5 / 3, 1e-5);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    withy_sim_destroy(sim);
}

TEST(a_rod_that_sticks_does_not_creep) {
    const double dt[2] = {0.01, 0.001};
    for (int k = 0; k < 2; k++) {
        network_problem x;
        withy_obstacle plane;
        char options[64];
        inclined(&x, &plane, 0, 0.8, 2);
        snprintf(options, sizeof options, "n=8 degree=1 dt=%g xi=0.5", dt[k]);
        withy_sim *sim = start(&x, options);
        go(sim, 1);
        const double before = middle(sim)->position[4].x;
        go(sim, 2);
        const double after = middle(sim)->position[4].x;
        CHECK_BELOW(fabs(after - before), 1e-9);
        withy_sim_destroy(sim);
    }
}

/* What stops a rod in the plane over what stops it across: mu, at any step. */
TEST(the_impulses_of_an_impact_have_the_ratio_of_friction) {
    const double dt[3] = {1e-4, 5e-4, 2e-3};
    for (int k = 0; k < 3; k++) {
        network_problem x;
        withy_obstacle plane;
        char options[64];
        inclined(&x, &plane, 0, 0.3, 0.02);
        x.problem.gravity = network_vec(0, 0, 0);
        x.rod[0].initial.from.z = x.rod[0].rest.from.z = R + 1e-3;
        x.rod[0].velocity = withy_field_vector(5, 0, -0.5);
        snprintf(options, sizeof options, "n=8 degree=1 dt=%g", dt[k]);
        withy_sim *sim = start(&x, options);
        const vec3 before = withy_sim_sample(sim, 0)->momentum;
        go(sim, 0.02);
        const vec3 jump = v3_sub(withy_sim_sample(sim, 0)->momentum, before);
        CHECK(jump.z > 0);
        CHECK_NEAR(-jump.x / jump.z, 0.3, 1e-5);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
        withy_sim_destroy(sim);
    }
}

/* ---- rods that touch rods --------------------------------------------------------------------------- */

typedef struct drifts {
    double energy, momentum, spin, depth;
    int64_t halvings;
    double iterations;
} drifts;

static drifts fly(const network_problem *x, const char *options, double dt, int steps, double p,
                  double l) {
    withy_sim *sim = start(x, options);
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    drifts worst = {0};
    for (int k = 1; k <= 10; k++) {
        go(sim, k * (steps / 10) * dt);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        worst.momentum = fmax(worst.momentum, v3_norm(v3_sub(now->momentum, first.momentum)) / p);
        worst.spin =
            fmax(worst.spin, v3_norm(v3_sub(now->angular_momentum, first.angular_momentum)) / l);
    }
    const withy_stats stats = withy_sim_stats(sim);
    worst.energy = stats.energy_drift, worst.halvings = stats.halvings;
    worst.iterations = (double)stats.iterations / (double)stats.steps;
    withy_sim_destroy(sim);
    return worst;
}

/* Two rods that meet crosswise, one of them turning. */
static void two_rods(network_problem *x, double mu) {
    network_begin(x);
    withy_rod *a =
        network_rod(x, network_vec(-0.25, 0.02, 0), network_vec(0.25, 0, 0), 0.005, 1e7, 1000);
    withy_rod *b =
        network_rod(x, network_vec(0.03, -0.2, 0.03), network_vec(0, 0.2, 0.025), 0.004, 1e7, 1000);
    a->velocity = withy_field_vector(0, 0.3, 0.2), b->velocity = withy_field_vector(0.1, 0, -1);
    b->spin = withy_field_vector(0, 2, 5);
    x->problem.contact.given = 1, x->problem.contact.pair = 5e3;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = mu;
}

TEST(two_rods_that_collide_keep_energy_and_both_momenta_at_any_step) {
    const double dt[4] = {1e-4, 1e-3, 5e-3, 2e-2};
    const int steps[4] = {1000 / SHARE, 300 / SHARE, 100, 40};
    for (int k = 0; k < 8; k++) {
        network_problem x;
        char options[64];
        two_rods(&x, k / 4 * 0.4);
        network_times(&x, steps[k % 4] * dt[k % 4], steps[k % 4] * dt[k % 4] / 10);
        snprintf(options, sizeof options, "n=%d degree=%d dt=%g", k % 4 ? 8 : 5, k % 4 ? 1 : 3,
                 dt[k % 4]);
        const drifts d = fly(&x, options, dt[k % 4], steps[k % 4], 0.03, 0.003);
        CHECK_BELOW(d.energy, 2e-12);
        CHECK_BELOW(d.momentum, 2e-12);
        CHECK_BELOW(d.spin, 2e-12);
    }
}

/* On two rails, 5 steps to a chord.  2/3 g sin. */
TEST(a_rod_that_rolls_over_rods_keeps_its_friction_from_chord_to_chord) {
    network_problem x;
    network_begin(&x);
    network_times(&x, 0.3, 0.3);
    x.problem.gravity = network_vec(G * sin(WY_PI / 6), 0, -G * cos(WY_PI / 6));
    for (int i = 0; i < 2; i++) {
        const double y = i ? 0.05 : -0.05;
        withy_rod *rail =
            network_rod(&x, network_vec(-0.2, y, 0), network_vec(0.2, y, 0), R, 1e11, 8000);
        rail->end[0].kind = rail->end[1].kind = WITHY_END_CLAMPED;
    }
    network_rod(&x, network_vec(-0.15, -0.07, 2 * R), network_vec(-0.15, 0.07, 2 * R), R, 1e10,
                2000);
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .stiffness = 1e7};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = 0.5;
    withy_sim *sim = start(&x, "n=40 degree=1 dt=2e-3");
    go(sim, 0.3);
    const withy_snapshot *now = withy_sim_sample(sim, 2);
    const double way = now->position[now->count / 2].x + 0.15;
    const double a = 2. / 3 * G * sin(WY_PI / 6);
    CHECK_NEAR(way, 0.5 * a * 0.09, 0.02 * way);
    CHECK_NEAR(now->spin[now->count / 2].y * R, a * 0.3, 0.03 * a * 0.3);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    withy_sim_destroy(sim);
}

static void six_rods(network_problem *x, withy_obstacle *bowl, double mu) {
    *bowl = obstacle(WITHY_OBSTACLE_SPHERE);
    bowl->radius = 0.3, bowl->inside = 1, bowl->stiffness = 1e6;
    network_begin(x);
    for (int i = 0; i < 6; i++) {
        const double z = 0.04 * i - 0.1, c = cos(1.0 * i), s = sin(1.0 * i);
        withy_rod *rod = network_rod(x, network_vec(-0.15 * c, -0.15 * s, z),
                                     network_vec(0.15 * c, 0.15 * s, z + 0.01), 0.005, 1e7, 1000);
        rod->velocity = withy_field_vector(0.3 * s, -0.2 * c, i % 2 ? 1 : -1);
        rod->spin = withy_field_vector(s, c, 3);
    }
    x->problem.contact.given = 1, x->problem.contact.pair = 5e3;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = mu;
    x->problem.obstacle = bowl, x->problem.obstacle_count = 1;
}

TEST(six_rods_in_a_sphere_keep_energy_and_angular_momentum) {
    for (int k = 0; k < 2; k++) {
        network_problem x;
        withy_obstacle bowl;
        six_rods(&x, &bowl, 0.4 * k);
        network_times(&x, 0.5 / SHARE, 0.05 / SHARE);
        const drifts d = fly(&x, "n=10 degree=1 dt=0.001", 1e-3, 500 / SHARE, 1, 0.01);
        CHECK_BELOW(d.energy, 1e-12);
        if (!k) CHECK_BELOW(d.spin, 1e-12);
    }
}

/* Six rods again, whose surfaces never meet. */
TEST(behind_a_barrier_rods_keep_their_energy_and_never_touch) {
    network_problem x;
    withy_obstacle bowl;
    six_rods(&x, &bowl, 0);
    x.problem.contact.law = WITHY_CONTACT_BARRIER, x.problem.contact.gap = 1e-3;
    network_times(&x, 0.2, 0.01);
    withy_sim *sim = start(&x, "n=10 degree=1 dt=0.001");
    for (int k = 1; k <= 20 / SHARE; k++) {
        go(sim, 0.01 * k);
        for (int i = 0; i < 6; i++) {
            const withy_snapshot *now = withy_sim_sample(sim, i);
            for (int j = 0; j < now->count; j++) CHECK(v3_norm(now->position[j]) < 0.3 - 0.005);
        }
    }
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    withy_sim_destroy(sim);
}

/* Two rods that meet crosswise, turning, listed this way or that: where the ends of the first one are after 30 steps. */
static void glance(int turned, double mu, vec3 end[2]) {
    static const struct {
        vec3 from, to, velocity, spin;
        double radius;
    } part[2] = {{{-0.0433, -0.0294, 0.0303},
                  {0.0481, 0.0217, 0.0398},
                  {0.173, 0.897, -0.003},
                  {0.071, 3.282, -4.495},
                  0.00359},
                 {{-0.0495, -0.0360, 0.0496},
                  {0.0277, 0.0375, 0.0521},
                  {0.170, -0.047, -0.949},
                  {-0.764, -2.404, -4.329},
                  0.00496}};
    network_problem x;
    network_begin(&x);
    network_times(&x, 0.03, 0.03);
    for (int i = 0; i < 2; i++) {
        const int k = i ^ turned;
        const vec3 v = part[k].velocity, w = part[k].spin;
        withy_rod *rod = network_rod(&x, part[k].from, part[k].to, part[k].radius, 2e7, 1000);
        rod->velocity = withy_field_vector(v.x, v.y, v.z);
        rod->spin = withy_field_vector(w.x, w.y, w.z);
    }
    x.problem.contact = (withy_contact){.given = 1, .pair = 500, .damping = 0.5};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = mu;
    withy_sim *sim = start(&x, "n=6 degree=1 dt=1e-3");
    go(sim, 0.03);
    const withy_snapshot *now = withy_sim_sample(sim, turned);
    end[0] = now->position[0], end[1] = now->position[now->count - 1];
    withy_sim_destroy(sim);
}

/* Chords that meet at a node have the same depth there: which of them takes the spring of one that has left is not
 * rounding's to say. */
TEST(which_rod_is_listed_first_does_not_change_where_friction_drives_them) {
    for (int k = 0; k < 12; k++) {
        vec3 one[2], other[2];
        glance(0, 0.3 + 0.05 * k, one);
        glance(1, 0.3 + 0.05 * k, other);
        for (int i = 0; i < 2; i++) CHECK_BELOW(v3_norm(v3_sub(one[i], other[i])), 1e-13);
    }
}

/* Chords of 15 radii: the distance of (1) is that of the axes to 1e-3 only, much more than mu^2. */
TEST(the_friction_of_a_contact_that_slides_is_reported_as_mu_times_its_push) {
    const double mu = 0.02;
    network_problem x;
    network_begin(&x);
    network_times(&x, 0.1, 0.1);
    x.problem.gravity = network_vec(1, 0, -G);
    for (int i = 0; i < 2; i++) {
        const double u = i ? 0.1 : -0.1;
        withy_rod *rail =
            network_rod(&x, network_vec(u, -0.1, 0), network_vec(u, 0.1, 0), R, 1e11, 8000);
        rail->end[0].kind = rail->end[1].kind = WITHY_END_CLAMPED;
    }
    network_rod(&x, network_vec(-0.3, 0.01, 2 * R), network_vec(0.3, 0.01, 2 * R), R, 1e11, 2000);
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .stiffness = 1e7, .damping = 1};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = mu;
    withy_sim *sim = start(&x, "n=8 degree=1 dt=1e-3");
    go(sim, 0.1);
    const withy_parts *parts = withy_sim_parts(sim);
    CHECK(parts->contact_count > 0);
    for (int i = 0; i < parts->contact_count; i++)
        CHECK_NEAR(parts->contacts[i].friction, mu * parts->contacts[i].push,
                   1e-9 * parts->contacts[i].push);
    withy_sim_destroy(sim);
}

/* ---- nothing passes through -------------------------------------------------------------------------------- */

/* 10 m/s in steps of 5 ms: 50 mm, twelve times the diameters; 1000 of them in `withy verify contact --long`. */
TEST(rods_that_fly_at_each_other_fast_never_pass_through) {
    int through = 0;
    double drift = 0;
    withy_error err = {0};
    CHECK_OK(crossings_run(20 / SHARE, 7, 5e-3, &through, &drift, &err));
    assert_int_equal(through, 0);
    CHECK_BELOW(drift, 2e-11);
}

/* A heavy rod falls across one that is held, on a contact much too soft: with an obstacle it is the rod and the obstacle. */
TEST(a_motion_that_cannot_go_on_says_when_where_and_which_two) {
    const withy_obstacle ball = {.kind = WITHY_OBSTACLE_SPHERE, .radius = 0.1, .stiffness = 100};
    for (int obstacle = 0; obstacle < 2; obstacle++) {
        network_problem x;
        withy_error err = {0};
        network_begin(&x);
        network_times(&x, 1, 0.1);
        x.problem.gravity = network_vec(0, 0, -G);
        withy_rod *held =
            network_rod(&x, network_vec(-0.5, 0, -0.3), network_vec(0.5, 0, -0.3), R, 1e11, 8000);
        held->end[0].kind = held->end[1].kind = WITHY_END_CLAMPED;
        const double z = obstacle ? 0.1 + R : -0.3 + 2 * R;
        network_rod(&x, network_vec(0, -0.3, z), network_vec(0, 0.3, z), R, 1e9, 8000);
        x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .pair = 50};
        x.problem.obstacle = &ball, x.problem.obstacle_count = obstacle;
        withy_sim *sim = start(&x, "n=8 degree=1 dt=1e-3");
        CHECK(withy_sim_advance(sim, 1, &err) == WITHY_NO_CONVERGENCE);
        print_message("%s\n", err.text);
        CHECK(strstr(err.text, "t = ") && strstr(err.text, "rods[2] at s = 0.3"));
        CHECK(strstr(err.text, obstacle ? "obstacles[1]" : "rods[1] at s = 0.5"));
        CHECK(!strchr(err.text, '\n'));
        withy_sim_destroy(sim);
    }
}

/* ---- with joints, and obstacles that move ------------------------------------------------------------------------ */

TEST(joined_rods_that_touch_keep_energy_and_both_momenta) {
    network_problem x;
    golden_all_kinds(&x);
    x.problem.contact.given = 1, x.problem.contact.pair = 1e4;
    network_times(&x, 0.3, 0.03);
    const drifts d = fly(&x, "n=3 degree=2 dt=0.003", 3e-3, 100, 1, 1);
    CHECK_BELOW(d.energy, 1e-11);
    CHECK_BELOW(d.momentum, 1e-10);
    CHECK_BELOW(d.spin, 1e-10);
}

static withy_status shaking(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = 0.01 * sin(40 * t), value[1] = 0, value[2] = 0.003 * (cos(25 * t) - 1);
    return WITHY_OK;
}

TEST(the_work_of_a_wall_that_moves_is_in_the_ledger_sums) {
    network_problem x;
    withy_obstacle plane;
    inclined(&x, &plane, 0, 0.5, 0.3);
    plane.point = (withy_field){.size = 3, .call = shaking};
    plane.own_damping = 1, plane.damping = 0.5;
    withy_sim *sim = start(&x, "n=8 degree=1 dt=0.001");
    const double before = withy_sim_stats(sim).energy_end;
    go(sim, 0.3);
    const withy_stats stats = withy_sim_stats(sim);
    CHECK(!stats.conserves && fabs(stats.energy_end - before) > 1e-4);
    CHECK_BELOW(stats.energy_drift, 1e-12);
    withy_sim_destroy(sim);
}

RUN(test(a_rod_that_bounces_on_any_obstacle_keeps_its_energy_at_any_step),
    test(a_rod_slides_down_an_incline_as_coulomb_says),
    test(a_rod_rolls_down_an_incline_with_two_thirds_of_g_sin),
    test(a_rod_that_sticks_does_not_creep),
    test(the_impulses_of_an_impact_have_the_ratio_of_friction),
    test(two_rods_that_collide_keep_energy_and_both_momenta_at_any_step),
    test(a_rod_that_rolls_over_rods_keeps_its_friction_from_chord_to_chord),
    test(which_rod_is_listed_first_does_not_change_where_friction_drives_them),
    test(the_friction_of_a_contact_that_slides_is_reported_as_mu_times_its_push),
    test(six_rods_in_a_sphere_keep_energy_and_angular_momentum),
    test(behind_a_barrier_rods_keep_their_energy_and_never_touch),
    test(joined_rods_that_touch_keep_energy_and_both_momenta),
    test(the_work_of_a_wall_that_moves_is_in_the_ledger_sums),
    test(rods_that_fly_at_each_other_fast_never_pass_through),
    test(a_motion_that_cannot_go_on_says_when_where_and_which_two))
