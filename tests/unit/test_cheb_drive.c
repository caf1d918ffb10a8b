/* cheb: orders in time with driven ends, bodies with an offset, planes, and which steps are refused. */
#include "cheb_problems.h"

/* ---- orders ---------------------------------------------------------------------------------------- */

/* One smooth motion of an end: out of the plane, and turning. */
static withy_status driven(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double a = t * t * t * t, b = 4 * t * t * t, c = 12 * t * t;
    const double turn[3] = {0.3, 0.2, -0.4};
    const vec3 way = v3(-0.1, 0.2, 0.15);
    switch (*(const int *)context) {
    case 0: v3_to(v3_scale(b, way), out); break;
    case 1: v3_to(v3_scale(c, way), out); break;
    case 2:
        for (int k = 0; k < 3; k++) out[k] = turn[k] * b;
        break;
    case 3:
        for (int k = 0; k < 3; k++) out[k] = turn[k] * c;
        break;
    case 4: v3_to(v3_unit(v3(1, 0.4 * a, -0.3 * a)), out); break;
    default: v3_to(v3_axpy(v3(2, 0, 0), a, way), out);
    }
    return WITHY_OK;
}

static int which[] = {0, 1, 2, 3, 4, 5};
static withy_field drive(int k) {
    return (withy_field){.size = 3, .call = driven, .context = &which[k]};
}

enum {
    BY_VELOCITY,
    BY_ACCELERATION,
    BY_SPIN,
    BY_SPIN_RATE,
    BY_TANGENT,
    BY_POSITION,
    ROLLING,
    DRIVES
};
static const char *const drive_name[] = {
    "velocity", "acceleration",         "spin", "spin_rate", "tangent",
    "position", "tangent, free to turn"};

static withy_vec3 middle_of(int by, const char *integrator, double dt) {
    cheb_problem x;
    char options[128];
    stubby(&x, 0.2);
    withy_end *end = &x.rod.end[1];
    end->kind = WITHY_END_CLAMPED;
    withy_field *const field[] = {&end->velocity, &end->acceleration, &end->spin,   &end->spin_rate,
                                  &end->tangent,  &end->position,     &end->tangent};
    *field[by] = drive(by == ROLLING ? BY_TANGENT : by);
    if (by == ROLLING) end->turn = WITHY_TURN_FREE;
    snprintf(options, sizeof options, "n=8 space=spatial integrator=%s dt=%g newton_tol=1e-12",
             integrator, dt);
    withy_sim *sim = cheb_make(&x, options);
    const withy_vec3 found = cheb_go(sim, 1)->position[5];
    withy_sim_destroy(sim);
    return found;
}

TEST(midpoint_and_alpha_are_of_second_order_however_an_end_is_driven) {
    static const char *const integrator[] = {"midpoint", "alpha"};
    for (int by = 0; by < DRIVES; by++) {
        const withy_vec3 truth = middle_of(by, "rk4", 0.002);
        for (int k = 0; k < 2; k++) {
            const double coarse = v3_norm(v3_sub(middle_of(by, integrator[k], 0.02), truth));
            const double fine = v3_norm(v3_sub(middle_of(by, integrator[k], 0.01), truth));
            const double order = log2(coarse / fine);
            printf("%s, end driven by %s: order %.2f (error %.1e)\n", integrator[k], drive_name[by],
                   order, fine);
            CHECK(order > 1.7 && order < 2.8);
        }
    }
}

/* ---- bodies ------------------------------------------------------------------------------------------ */

/* A short stiff rod, pinned, with a heavy body that is off its axis: a rigid pendulum in space.  Its energy and
 * its angular momentum about the vertical are those of a rigid body. */
static void pendulum(cheb_problem *x, withy_vec3 offset) {
    stubby(x, 0.2);
    for (int i = 0; i < WITHY_STRAINS; i++)
        x->rod.stiffness[i] = withy_field_number(i < 3 ? 4e3 : 2e3);
    x->rod.initial.along = (withy_vec3){0, 0, -1}, x->rod.initial.normal = (withy_vec3){1, 0, 0};
    x->rod.end[0].kind = WITHY_END_PINNED;
    x->rod.end[1] = (withy_end){
        .kind = WITHY_END_FREE, .mass = 3, .inertia = {0.3, 0.2, 0.1}, .offset = offset};
    x->problem.gravity = (withy_vec3){0, 0, -1};
}

/* Small swing about its equilibrium in the plane of the offset: w^2 = M g d / I about the pin. */
TEST(a_pendulum_with_a_body_off_its_axis_swings_as_a_rigid_body) {
    cheb_problem x;
    pendulum(&x, (withy_vec3){0.5, 0, 0.3});
    /* rod: 2 kg over 2 m along -z; body: d3 = -z, d1 = x, so its centre is at (0.5, 0, -2.3) */
    const double m = 2, M = 3, L = 2, cx = 0.5, cz = 2.3;
    const double about = m * L * L / 3 + 0.2 * L + 0.2 + M * (cx * cx + cz * cz); /* about y */
    const double sx = M * cx, sz = m * L / 2 + M * cz, lean = atan2(sx, sz);
    const double pull = hypot(sx, sz);
    /* released 0.01 rad from its equilibrium: turned about y by lean + 0.01 */
    const double start = 0.01, w = sqrt(pull / about), t = 2.0;
    x.rod.initial.along = (withy_vec3){-sin(lean + start), 0, -cos(lean + start)};
    x.rod.initial.normal = (withy_vec3){cos(lean + start), 0, -sin(lean + start)};
    x.problem.request = (withy_request){.stop = t, .output = t};
    static const char *const options[] = {"n=6 integrator=radau dt=0.02 space=spatial",
                                          "n=6 integrator=radau dt=0.02 space=planar",
                                          "n=6 space=spatial"};
    for (int k = 0; k < 3; k++) {
        withy_sim *sim = cheb_make(&x, options[k]);
        const withy_vec3 tip = tip_of(cheb_go(sim, t));
        const double angle = atan2(-tip.x, -tip.z) - lean;
        CHECK_NEAR(angle, start * cos(w * t), 0.01 * start); /* the rod bends by 3e-3 of it */
        withy_sim_destroy(sim);
    }
}

TEST(a_body_off_its_axis_in_space_keeps_energy_and_moment_and_agrees_with_director) {
    cheb_problem x;
    withy_error err = {0};
    pendulum(&x, (withy_vec3){0.5, -0.4, 0.3});
    for (int i = 0; i < WITHY_STRAINS; i++)
        x.rod.stiffness[i] = withy_field_number(i < 3 ? 400 : 40);
    x.rod.spin = withy_field_vector(0.8, 0.5, 0.3);
    x.rod.end[0].kind = WITHY_END_FREE;
    x.problem.gravity = (withy_vec3){0, 0, 0};
    x.rod.velocity = (withy_field){0};
    x.problem.request = (withy_request){.stop = 1, .output = 1};
    withy_sim *sim = cheb_make(&x, "n=10 dt=0.001");
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_vec3 p = snap->momentum, h = snap->angular_momentum;
    snap = cheb_go(sim, 1);
    CHECK_BELOW(v3_norm(v3_sub(snap->momentum, p)), 1e-8);
    CHECK_BELOW(v3_norm(v3_sub(snap->angular_momentum, h)), 1e-6 * v3_norm(h));
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-4); /* the loss of rk4 */
    const withy_vec3 tip = tip_of(snap);
    withy_sim_destroy(sim);
    const withy_option option[] = {{.name = "n", .number = 8}, {.name = "dt", .number = 0.01}};
    CHECK_OK(withy_sim_create(&x.problem, "director", option, 2, &sim, &err));
    const withy_vec3 other = tip_of(cheb_go(sim, 1));
    CHECK_BELOW(v3_norm(v3_sub(tip, other)), 2e-3);
    printf("tip %.6f %.6f %.6f, director %.6f %.6f %.6f\n", tip.x, tip.y, tip.z, other.x, other.y,
           other.z);
    withy_sim_destroy(sim);
    /* and implicit steps find the same */
    sim = cheb_make(&x, "n=10 dt=0.005 integrator=radau");
    CHECK_BELOW(v3_norm(v3_sub(tip, tip_of(cheb_go(sim, 1)))), 1e-4);
    withy_sim_destroy(sim);
}

/* ---- planes ------------------------------------------------------------------------------------------ */

/* Leaves the plane for a short while only. */
static withy_status blip(void *context, double s, double t, double *out, withy_error *err) {
    const int kind = *(const int *)context;
    const double z = t > 0.7130 && t < 0.7190 ? 0.01 : 0.0;
    (void)s, (void)err;
    out[0] = out[1] = out[2] = 0;
    if (kind == 0) out[0] = 2, out[2] = z;   /* a place */
    if (kind == 1) out[2] = 0.1, out[0] = z; /* a moment */
    if (kind == 2) out[1] = 0.1, out[2] = z; /* a force or a rate */
    if (kind == 3) out[2] = 0.1, out[1] = z; /* a spin */
    return WITHY_OK;
}

TEST(what_leaves_the_plane_for_a_moment_is_not_projected_away) {
    static int kind[] = {0, 1, 2, 2, 2, 3, 3};
    for (int k = 0; k < 7; k++) {
        cheb_problem x;
        withy_error err = {0};
        stubby(&x, 0.2);
        withy_end *end = &x.rod.end[1];
        withy_field *const field[] = {&end->position, &end->moment,       &end->force,
                                      &end->velocity, &end->acceleration, &end->spin,
                                      &end->spin_rate};
        end->kind = k == 1 || k == 2 ? WITHY_END_FREE : WITHY_END_CLAMPED;
        *field[k] = (withy_field){.size = 3, .call = blip, .context = &kind[k]};
        withy_sim *sim = cheb_make(&x, "n=8 dt=0.002");
        withy_status status = withy_sim_advance(sim, 1, &err);
        if (((wy_cheb *)sim->self)->planar) {
            CHECK(status == WITHY_UNSUPPORTED);
            CHECK(strstr(err.text, "leaves the plane") != NULL);
        } else {
            CHECK_OK(status);
        }
        withy_sim_destroy(sim);
    }
}

/* ---- starts ------------------------------------------------------------------------------------------ */

TEST(a_start_in_equilibrium_stays_there_with_every_integrator) {
    static const char *const options[] = {"n=12", "n=12 integrator=radau dt=0.05",
                                          "n=12 integrator=midpoint dt=0.05",
                                          "n=12 integrator=alpha dt=0.05"};
    for (int k = 0; k < 4; k++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.settled = 1;
        x.problem.gravity = (withy_vec3){0, -0.5, 0};
        withy_sim *sim = cheb_make(&x, options[k]);
        const withy_vec3 first = tip_of(withy_sim_sample(sim, 0));
        CHECK(first.y < -0.6);
        CHECK_BELOW(v3_norm(v3_sub(tip_of(cheb_go(sim, 1)), first)), 1e-7);
        withy_sim_destroy(sim);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* Strong drag on places and on turns, which belong to different modes: [CH] 5.3.2 runs at such steps. */
TEST(a_damped_step_is_refused_only_when_it_is_unstable) {
    cheb_problem x;
    withy_error err = {0};
    withy_sim *sim = NULL;
    stubby(&x, 0.2);
    x.rod.end[1].kind = WITHY_END_CLAMPED;
    x.rod.drag_linear = 120, x.rod.drag_spin = 30;
    x.rod.initial.kind = WITHY_SHAPE_ARC, x.rod.initial.radius = 1.5;
    x.problem.request = (withy_request){.stop = 10, .output = 10};
    /* places lose 120/s, turns 150/s: rk3 bears h 150 = 2.51, h omega about 1.7 */
    CHECK_OK(cheb_try(&x, "n=8 integrator=rk3 dt=0.0155", &sim, &err));
    x.problem.request.stop = x.problem.request.output = 10;
    const withy_snapshot *snap = cheb_go(sim, 10);
    CHECK_BELOW(snap->energy.kinetic, 1e-3);
    withy_sim_destroy(sim);
    sim = NULL;
    CHECK(cheb_try(&x, "n=8 integrator=rk3 dt=0.019", &sim, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "allows 0.01") != NULL);
    withy_sim_destroy(sim);
}

/* [CH] 5.3.2: the fibre is set on its platform, with the inertia and the drag of the source, dt = 2e-5 s. */
static const char *const ASSEMBLY =
    "local E, G, A, I, rho, L = 1.02169e9, 3.92958e8, 1.00531e-5, 5.22761e-12, 2200, 0.4\n"
    "local function quad(a, b, T, t)\n"
    "  if t > T then return b\n"
    "  elseif t > T / 2 then return 2*a - b + 4*(b - a)*t/T + 2*(a - b)*t*t/T^2 end\n"
    "  return a + 2*(b - a)*t*t/T^2\n"
    "end\n"
    "return { rod = { length = L, stiffness = { stretch = E*A, shear = G*A, bend = 1e5*E*I,\n"
    "    twist = 2e5*G*I }, inertia = { mass = rho*A, rotary = { 1e5*rho*I, 1e5*rho*I, 2e5*rho*I } "
    "},\n"
    "    rest = arc { radius = 0.25, along = {1,0,0}, normal = {0,1,0} },\n"
    "    drag = { linear = 1000, spin = 100 } },\n"
    "  initial = { shape = arc { radius = L/math.pi, along = {1,0,0}, normal = {0,1,0} } },\n"
    "  ends = { start = clamped {}, finish = clamped { position = function(t)\n"
    "    return 0, quad(2*L/math.pi, 0.088, 0.01, t), 0 end } },\n"
    "  floor = { point = {0,0,0}, normal = {0,1,0}, stiffness = 1e4, axis = true },\n"
    "  time = { stop = 0.02, output = 0.02 }, method = 'cheb',\n"
    "  options = { n = 12, dt = 2e-5, integrator = 'rk3' } }\n";

TEST(the_assembly_of_the_source_runs_at_its_own_step) {
    static const char *const set[][2] = {{"options.dt=2e-5", "options.ends=\"B\""},
                                         {"options.dt=1e-5", "options.ends=\"B\""},
                                         {"options.dt=2e-5", "options.ends=\"G\""}};
    withy_vec3 middle[3] = {{0}};
    for (int k = 0; k < 3; k++) {
        withy_error err = {0};
        withy_scene *scene = NULL;
        withy_sim *sim = NULL;
        int count;
        CHECK_OK(
            withy_scene_read_text(ASSEMBLY, strlen(ASSEMBLY), "assembly", set[k], 2, &scene, &err));
        const withy_option *option = withy_scene_options(scene, &count);
        CHECK_OK(withy_sim_create(withy_scene_problem(scene), "cheb", option, count, &sim, &err));
        middle[k] = cheb_go(sim, 0.02)->position[6];
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
    CHECK_BELOW(v3_norm(v3_sub(middle[0], middle[1])), 1e-6);
    CHECK_BELOW(v3_norm(v3_sub(middle[0], middle[2])), 1e-3);
}

RUN(test(midpoint_and_alpha_are_of_second_order_however_an_end_is_driven),
    test(a_pendulum_with_a_body_off_its_axis_swings_as_a_rigid_body),
    test(a_body_off_its_axis_in_space_keeps_energy_and_moment_and_agrees_with_director),
    test(what_leaves_the_plane_for_a_moment_is_not_projected_away),
    test(a_start_in_equilibrium_stays_there_with_every_integrator),
    test(a_damped_step_is_refused_only_when_it_is_unstable),
    test(the_assembly_of_the_source_runs_at_its_own_step))
