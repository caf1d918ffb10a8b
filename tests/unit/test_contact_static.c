/* Rods that touch, at rest, against solutions of boundary value problems with free boundaries. */
#include "check.h"
#include "network_golden.h"
#include "study/sim.h"

static withy_sim *start(const network_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(network_start(x, options, &sim, &err));
    return sim;
}

static withy_equilibrium rest(withy_sim *sim, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    CHECK_OK(withy_sim_equilibrium(sim, factor, &at, &err));
    return at;
}

/* A rod of EI = 1 and weight 1 per length, from a along x. */
static withy_rod *unit_rod(network_problem *x, vec3 a, double length, double radius,
                           double stretch) {
    withy_rod *rod = network_rod(x, a, v3_add(a, v3(length, 0, 0)), radius, 1, 1);
    golden_stiffness(rod, stretch, stretch, 1, 1, 1);
    rod->inertia[WITHY_MASS] = withy_field_number(1);
    return rod;
}

/* Lifted by 1 at one end: F and the angle there, from shooting with an unknown point of touchdown. */
static void check_lifted(const withy_contact *contact, double above) {
    network_problem x;
    const double r = 0.01;
    const withy_obstacle floor = {.kind = WITHY_OBSTACLE_PLANE,
                                  .point = withy_field_vector(0, 0, -r - above)};
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -1);
    withy_rod *rod = unit_rod(&x, v3(0, 0, 0), 6, r, 1e6);
    rod->end[0].kind = WITHY_END_PINNED, rod->end[0].position = withy_field_vector(0, 0, 1);
    x.problem.contact = *contact;
    x.problem.obstacle = &floor, x.problem.obstacle_count = 1;
    withy_sim *sim = start(&x, "n=54 degree=3");
    const withy_equilibrium at = rest(sim, 1);
    CHECK(at.negative == (contact->law == WITHY_CONTACT_BARRIER ? -1 : 0)); /* not judged */
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const vec3 d = q_turn(now->frame[0], v3(0, 0, 1));
    CHECK_NEAR(now->reaction[0].z, 1.2866171, 1e-4 * 1.2866171);
    CHECK_NEAR(atan2(-d.z, d.x), 0.8902546, 1e-4);
    withy_sim_destroy(sim);
}

TEST(a_heavy_rod_lifted_off_the_floor_has_the_force_of_its_elastica) {
    check_lifted(&(withy_contact){.stiffness = 1e7}, 0);
}

/* The rod lies above the floor by a part of the range. */
TEST(a_barrier_lifts_it_with_the_same_force) {
    SLOW_UNDER_SANITIZERS; /* test_contact_motion has barriers */
    const double gap = 2e-5;
    check_lifted(
        &(withy_contact){
            .given = 1, .no_self = 1, .law = WITHY_CONTACT_BARRIER, .gap = gap, .stiffness = 1e7},
        0.5 * gap);
}

static withy_status plate(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = value[1] = 0, value[2] = 1 + 1e-3 - 0.2 * t;
    return WITHY_OK;
}

/* Flattened by a fifth of its radius: F R^2/EI and half its width. */
TEST(a_ring_between_plates_has_the_force_and_the_width_of_its_elastica) {
    network_problem x;
    const withy_obstacle above = {
        .kind = WITHY_OBSTACLE_PLANE, .point = {.size = 3, .call = plate}, .along = {0, 0, -1}};
    network_begin(&x);
    withy_rod *rod = unit_rod(&x, v3(0, 0, -1), 2 * WY_PI, 1e-3, 1e6);
    rod->rest.kind = rod->initial.kind = WITHY_SHAPE_ARC;
    rod->rest.radius = rod->initial.radius = 1;
    rod->rest.normal = rod->initial.normal = v3(0, 0, 1);
    rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    x.problem.contact.stiffness = 1e7;
    x.problem.obstacle = &above, x.problem.obstacle_count = 1;
    withy_sim *sim = start(&x, "n=28 degree=3");
    rest(sim, 0), rest(sim, 0.5), rest(sim, 1);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    double wide = 0;
    for (int i = 0; i < now->count; i++) wide = fmax(wide, now->position[i].x);
    CHECK_NEAR(now->reaction[0].z + now->reaction[1].z, 1.1743315, 1e-4 * 1.1743315);
    CHECK_NEAR(wide, 1.0832584, 1e-4);
    withy_sim_destroy(sim);
}

/* Two clamped rods that cross, led past each other by 0.02 L; almost no shear. */
TEST(crossed_rods_push_as_the_extensible_elastica_says) {
    network_problem x;
    golden_crossed_rods(&x);
    withy_sim *sim = start(&x, "n=160 degree=1");
    CHECK(rest(sim, 1).negative == 0);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK_NEAR(now->reaction[0].z + now->reaction[1].z, 0.153317, 1e-4 * 0.153317);
    withy_sim_destroy(sim);
}

/* ---- tube ------------------------------------------------------------------------------------------------- */

static const double RC = 0.01;

static withy_status push(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = -2 * sqrt(1 / RC) * t, value[1] = value[2] = 0;
    return WITHY_OK;
}

static withy_status weight(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    value[0] = value[1] = 0, value[2] = -1;
    return WITHY_OK;
}

/* F/(2 sqrt(EI w/rc)) at which a rod on the bottom of a tube snakes: 1.002872 between pins 3.85 waves apart. */
TEST(a_rod_in_a_tube_loses_its_stability_at_the_load_of_snaking) {
    network_problem x;
    const double k = 1e8, r = 1e-3, length = 3.85 * 2 * WY_PI * pow(RC, 0.25);
    const withy_obstacle tube = {
        .kind = WITHY_OBSTACLE_CYLINDER, .along = {1, 0, 0}, .radius = RC + r, .inside = 1};
    network_begin(&x);
    withy_rod *rod = unit_rod(&x, v3(0, 0, -RC - 1 / k), length, r, 1e7);
    rod->end[0].kind = WITHY_END_PINNED, rod->end[1].kind = WITHY_END_ROLLER;
    rod->end[1].along = v3(1, 0, 0);
    rod->end[1].force = (withy_field){.size = 3, .call = push};
    x.load[0] = (withy_load){
        .kind = WITHY_LOAD_DISTRIBUTED, .to = length, .force = {.size = 3, .call = weight}};
    rod->load = x.load, rod->load_count = 1;
    x.problem.contact.stiffness = k;
    x.problem.obstacle = &tube, x.problem.obstacle_count = 1;
    withy_sim *sim = start(&x, "n=20 degree=3");
    CHECK(rest(sim, 0.9).negative == 0);
    CHECK(rest(sim, 1.002872 - 2e-4).negative == 0);
    CHECK(rest(sim, 1.002872 + 2e-4).negative > 0);
    withy_sim_destroy(sim);
}

/* ---- friction ---------------------------------------------------------------------------------------------- */

static const double EA = 100, MU = 0.5, MOST = 2e-3;

/* There by MOST while t grows to 1, and back while it grows to 2. */
static withy_status there_and_back(void *context, double s, double t, double *value,
                                   withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = 2 + MOST * (t < 1 ? t : 2 - t), value[1] = 0, value[2] = -1e-5;
    return WITHY_OK;
}

static withy_sim *rod_on_rough_floor(network_problem *x, withy_obstacle *floor) {
    *floor = (withy_obstacle){
        .kind = WITHY_OBSTACLE_PLANE, .point = withy_field_vector(0, 0, -0.01), .own_friction = 1};
    for (int i = 0; i < WITHY_FRICTIONS; i++) floor->friction[i] = MU;
    network_begin(x);
    withy_rod *rod = unit_rod(x, v3(0, 0, -1e-5), 2, 0.01, EA);
    golden_stiffness(rod, EA, EA, 1e-3, 1e-3, 1e-3);
    rod->end[1].kind = WITHY_END_CLAMPED;
    rod->end[1].position = (withy_field){.size = 3, .call = there_and_back};
    x->load[0] =
        (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .force = {.size = 3, .call = weight}};
    rod->load = x->load, rod->load_count = 1;
    x->problem.contact.stiffness = 1e5;
    x->problem.obstacle = floor, x->problem.obstacle_count = 1;
    return start(x, "n=80");
}

/* A rod of weight w = 1 on a rough floor, pulled at one end by u: the part that slides has mu w s = F at its end, so that
 * F^2 = 2 EA mu w u; and back from the largest, where friction turns by 2 mu w: dF = 2 sqrt(EA mu w du). */
TEST(a_rod_pulled_over_a_rough_floor_and_back_has_the_force_of_its_history) {
    network_problem x;
    withy_obstacle floor;
    withy_sim *sim = rod_on_rough_floor(&x, &floor);
    const double most = sqrt(2 * EA * MU * MOST);
    for (int k = 0; k <= 10; k++) {
        const double t = 0.2 * k, u = MOST * fmin(t, 1), back = MOST * fmax(t - 1, 0);
        const withy_equilibrium at = rest(sim, t);
        CHECK(at.negative == -1); /* stability is not judged */
        CHECK_NEAR(withy_sim_sample(sim, 0)->reaction[1].x,
                   sqrt(2 * EA * MU * u) - 2 * sqrt(EA * MU * back), 5e-3 * most);
    }
    withy_sim_destroy(sim);
}

/* A rod across another, in the middle of its own chord: shifted by 0.4 um while t grows to 1, which loads the spring of
 * friction, then rolled without slip over three chords of the other, 16 steps to a chord, by turns whose Cayley vector times
 * the arm is the way. */
static const char rolled[] =
    "local R, depth, y0 = 0.005, 2e-6, -0.195\n"
    "local arm, way = R - depth / 2, 0.01 / 16\n"
    "local turn = 2 * math.atan(way / 2 / arm)\n"
    "local function x(t) return 0.19 - 8.5 * way + 4e-7 * math.min(t, 1) + way * math.max(t - 1, "
    "0) end\n"
    "local function n(t) local a = turn * math.max(t - 1, 0) return math.cos(a), 0, -math.sin(a) "
    "end\n"
    "local function at(y) return clamped { position = function(t) return x(t), y, 2 * R - depth "
    "end, tangent = { 0, 1, 0 }, normal = n } end\n"
    "local made = { young = 1e14, poisson = 0.3, density = 1000 }\n"
    "local round = circle { diameter = 2 * R }\n"
    "return { rods = { { length = 0.4, section = round, material = made, ends = { start = clamped "
    "{}, finish = clamped {} }, initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, "
    "0 } } } },\n"
    "  { length = 0.4, section = round, material = made, ends = { start = at(y0), finish = at(y0 + "
    "0.4) }, initial = { shape = straight { from = { x(0), y0, 2 * R - depth }, along = { 0, 1, 0 "
    "}, normal = { 1, 0, 0 } } } } },\n"
    "  contact = { self = false, stiffness = 1e5, friction = 0.5 }, path = { to = 60 }, method = "
    "\"director\", options = { n = 40, degree = 1 } }";

TEST(a_rod_that_rolls_from_chord_to_chord_at_rest_keeps_its_friction) {
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    withy_error err = {0};
    CHECK_OK(withy_scene_read_text(rolled, strlen(rolled), "rolled.lua", NULL, 0, &scene, &err));
    CHECK_OK(withy_scene_sim(scene, "director", &sim, &err));
    double pull = 0, least = INFINITY, most = 0;
    for (int k = 0; k <= 58; k++) {
        rest(sim, k <= 10 ? 0.1 * k : k - 9);
        const withy_parts *parts = withy_sim_parts(sim);
        CHECK(parts->contact_count == 1);
        const double friction = parts->contacts[0].friction;
        if (k == 10) pull = friction;
        if (k >= 10) least = fmin(least, friction), most = fmax(most, friction);
    }
    print_message("friction %.6g .. %.6g of %.6g N\n", least, most, pull);
    CHECK_NEAR(pull, 1e5 * 0.005 * 4e-7, 1e-3 * pull);
    CHECK_NEAR(least, pull, 1e-2 * pull);
    CHECK_NEAR(most, pull, 1e-2 * pull);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

/* The springs of friction have another stiffness in motion, and keep their force. */
TEST(a_motion_that_starts_from_an_equilibrium_with_friction_stays_there) {
    network_problem x;
    withy_obstacle floor;
    withy_error err = {0};
    withy_sim_destroy(rod_on_rough_floor(&x, &floor));
    x.rod[0].end[1].position = withy_field_vector(2 + MOST, 0, -1e-5);
    x.rod[0].settled = 1;
    network_times(&x, 0.2, 0.2);
    withy_sim *sim = start(&x, "n=40 dt=1e-3");
    CHECK_OK(withy_sim_advance(sim, 0.2, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK_NEAR(now->reaction[1].x, sqrt(2 * EA * MU * MOST), 5e-3);
    for (int i = 0; i < now->count; i++) CHECK_BELOW(v3_norm(now->velocity[i]), 1e-9);
    withy_sim_destroy(sim);
}

TEST(modes_with_friction_are_refused) {
    network_problem x;
    withy_obstacle floor;
    withy_error err = {0};
    withy_mode *mode;
    withy_sim *sim = rod_on_rough_floor(&x, &floor);
    rest(sim, 0);
    assert_int_equal(withy_sim_modes(sim, 1, &mode, &err), WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "friction"));
    withy_sim_destroy(sim);
}

/* ---- a spring --------------------------------------------------------------------------------------------------- */

static const double COIL = 0.01, WIRE = 0.002, PITCH = 0.004;
enum { TURNS = 3 };

static withy_status press(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = COIL, value[1] = 0, value[2] = TURNS * (PITCH - t * (PITCH - 0.995 * WIRE));
    return WITHY_OK;
}

/* Until its coils touch a spring pushes as before; then friction keeps them on each other, and it is many times stiffer. */
TEST(a_steel_spring_is_pressed_solid_with_the_default_stiffness_of_contact) {
    SLOW_UNDER_SANITIZERS; /* crossed rods push each other above, friction has its history below */
    network_problem x;
    network_begin(&x);
    withy_rod *rod = network_rod(&x, v3(COIL, 0, 0), v3(COIL, 0, 1), WIRE / 2, 2e11, 7800);
    rod->length = TURNS * hypot(2 * WY_PI * COIL, PITCH);
    rod->rest = (withy_shape){.kind = WITHY_SHAPE_HELIX,
                              .radius = COIL,
                              .pitch = PITCH,
                              .from = {COIL, 0, 0},
                              .along = {0, 0, 1},
                              .normal = {1, 0, 0}};
    rod->initial = rod->rest;
    rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    rod->end[1].position = (withy_field){.size = 3, .call = press};
    x.problem.contact = (withy_contact){.given = 1};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = 0.3;
    withy_sim *sim = start(&x, "n=72");
    double force[2];
    rest(sim, 0), rest(sim, 0.5);
    force[0] = withy_sim_sample(sim, 0)->reaction[0].z;
    rest(sim, 0.9), rest(sim, 1);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    force[1] = now->reaction[0].z;
    CHECK(force[1] > 4 * force[0]);
    CHECK_BELOW(now->contact_depth, 0.02);
    withy_sim_destroy(sim);
}

/* ---- a rod that is twisted --------------------------------------------------------------------------------- */

static withy_status pull_40(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    value[0] = 40, value[1] = value[2] = 0;
    return WITHY_OK;
}

static withy_status turned(void *context, double s, double t, double *value, withy_error *err) {
    (void)context, (void)s, (void)err;
    value[0] = 0, value[1] = cos(t), value[2] = sin(t); /* L/C = 1: the angle is the torque */
    return WITHY_OK;
}

/* Between a clamp and a guide, pulled with T = 40 EI/L^2: 2 sqrt(T + pi^2) = 14.12 is the torque that it bears. */
TEST(a_twisted_rod_that_touches_nothing_is_stable_up_to_its_own_torque) {
    const double turn[2] = {14.0, 14.25};
    for (int k = 0; k < 2; k++) {
        network_problem x;
        network_begin(&x);
        withy_rod *rod = unit_rod(&x, v3(0, 0, 0), 1, 5e-3, 1e6);
        rod->rest.normal = rod->initial.normal = v3(0, 1, 0);
        rod->end[0].kind = WITHY_END_CLAMPED, rod->end[1].kind = WITHY_END_GUIDED;
        rod->end[1].tangent = withy_field_vector(1, 0, 0);
        rod->end[1].force = (withy_field){.size = 3, .call = pull_40};
        rod->end[1].normal = (withy_field){.size = 3, .call = turned};
        x.problem.contact.given = 1, x.problem.contact.pair = 1e6;
        withy_sim *sim = start(&x, "n=40 degree=3");
        withy_equilibrium at = rest(sim, 0);
        CHECK(at.negative == 0);
        for (int i = 1; i <= 8; i++) at = rest(sim, turn[k] * i / 8);
        assert_int_equal(at.negative > 0, k);
        withy_sim_destroy(sim);
    }
}

RUN(test(a_heavy_rod_lifted_off_the_floor_has_the_force_of_its_elastica),
    test(a_barrier_lifts_it_with_the_same_force),
    test(a_ring_between_plates_has_the_force_and_the_width_of_its_elastica),
    test(crossed_rods_push_as_the_extensible_elastica_says),
    test(a_rod_in_a_tube_loses_its_stability_at_the_load_of_snaking),
    test(a_rod_pulled_over_a_rough_floor_and_back_has_the_force_of_its_history),
    test(a_rod_that_rolls_from_chord_to_chord_at_rest_keeps_its_friction),
    test(a_motion_that_starts_from_an_equilibrium_with_friction_stays_there),
    test(modes_with_friction_are_refused),
    test(a_steel_spring_is_pressed_solid_with_the_default_stiffness_of_contact),
    test(a_twisted_rod_that_touches_nothing_is_stable_up_to_its_own_torque))
