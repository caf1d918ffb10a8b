/* Derivatives of networks: forwards equal to differences of whole runs, backwards equal to forwards. */
#include "gradient_runs.h"

/* ---- a double pendulum of rods with a body on its end ---------------------------------------------------------- */

enum {
    P_YOUNG,
    P_RHO,
    P_ETA,
    P_SPRING,
    P_DAMPER,
    P_REST,
    P_MASS,
    P_INERTIA,
    P_ARM,
    P_FALL,
    P_PUSH,
    P_LENGTH,
    P_SPEED,
    P_COUNT
};
static const named pendulum[P_COUNT] = {
    {"young", 2e8}, {"rho", 1100},   {"eta", 1e-3},     {"spring", 0.02}, {"damper", 2e-4},
    {"rest", 0.3},  {"mass", 5e-3},  {"inertia", 3e-6}, {"arm", 0.02},    {"gravity", 9.81},
    {"push", 0.03}, {"length", 0.2}, {"speed", 0.4}};

static withy_status blowing(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = 0.01, out[1] = ((const double *)context)[0] * cos(9 * t), out[2] = 0.02;
    return WITHY_OK;
}

static void make_pendulum(const double *p, instance *out) {
    network_problem *x = &out->x;
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0.4, 0, -p[P_FALL]);
    const double first = 0.3, second = p[P_LENGTH];
    network_rod(x, network_vec(0, 0, 0), network_vec(first, 0, 0), 0.006, p[P_YOUNG], p[P_RHO]);
    network_rod(x, network_vec(first, 0, 0), network_vec(first, 0.6 * second, -0.8 * second), 0.004,
                p[P_YOUNG], p[P_RHO]);
    for (int i = 0; i < 2; i++) x->rod[i].damping_time = p[P_ETA];
    withy_body *body =
        network_body(x, p[P_MASS], network_vec(p[P_INERTIA], 4e-6, 5e-6),
                     network_vec(first + p[P_ARM], 0.6 * second, -0.8 * second - p[P_ARM]));
    body->frame = (withy_quat){0.8, 0.6, 0, 0};
    body->velocity = network_vec(0, p[P_SPEED], 0), body->spin = network_vec(2, 1, 0);
    out->context[0] = p[P_PUSH];
    out->push[0] =
        (withy_body_load){.at = {0.01, 0, 0.02},
                          .follower = 1,
                          .force = {.size = 3, .call = blowing, .context = out->context}};
    body->load = out->push, body->load_count = 1;
    withy_joint *j = network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_rod(0, 0));
    j->axis = network_vec(0, 1, 0.2);
    j = network_join(x, WITHY_JOINT_HINGE, on_rod(0, first), on_rod(1, 0));
    j->axis = network_vec(1, 0.3, 0), j->spring = p[P_SPRING], j->damping = p[P_DAMPER];
    j->rest = p[P_REST];
    network_join(x, WITHY_JOINT_WELD, on_rod(1, second), on_body(0, 0, 0, 0));
    j = network_join(x, WITHY_JOINT_LINK, on_body(0, 0, 0.01, 0), on_ground(0.5, 0.4, 0.1));
    j->spring = 3, j->length = 0.2, j->damping = 0.01;
}

TEST(a_double_pendulum_of_rods_with_a_body_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_pendulum, pendulum, P_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=2 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=2 degree=2 dt=4e-3", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=2 degree=2 dt=4e-3", 0.1, 7), 1e-10); /* checkpoints */
}

/* ---- a closed loop of rigid bars, whose constraints depend on each other, with a whip on it ------------------------ */

enum { L_YOUNG, L_SPACING, L_EFFORT, L_MASS, L_SPRING, L_WHIP, L_COUNT };
static const named loop[L_COUNT] = {{"young", 5e7}, {"spacing", 0.3}, {"effort", 0.05},
                                    {"mass", 0.05}, {"spring", 0.01}, {"whip", 0.12}};

static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    const double *c = context;
    (void)s, (void)err;
    out[0] = c[0] * sin(8 * t);
    return WITHY_OK;
}

/* A bar from a to b with its x axis along it. */
static void bar(network_problem *x, double mass, withy_vec3 a, withy_vec3 b) {
    const double length = hypot(b.x - a.x, b.y - a.y), angle = atan2(b.y - a.y, b.x - a.x);
    const double j = mass * length * length / 12;
    withy_body *body = network_body(x, mass, network_vec(0.1 * j, j, j),
                                    network_vec(0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0));
    body->frame = (withy_quat){cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
}

static void make_loop(const double *p, instance *out) {
    network_problem *x = &out->x;
    const double d = p[L_SPACING], up = 0.15;
    const withy_vec3 at[4] = {{0, 0, 0}, {0.03, 0.1, 0}, {d - 0.05, up, 0}, {d, 0, 0}};
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0.5, -9.81, 0);
    double half[3];
    for (int i = 0; i < 3; i++) {
        bar(x, i == 2 ? p[L_MASS] : 0.02, at[i], at[i + 1]);
        half[i] = 0.5 * hypot(at[i + 1].x - at[i].x, at[i + 1].y - at[i].y);
    }
    const withy_vec3 middle = x->body[1].position;
    network_rod(x, middle, network_vec(middle.x, middle.y + 0.8 * p[L_WHIP], 0.6 * p[L_WHIP]),
                0.003, p[L_YOUNG], 1000);
    x->rod[0].damping_time = 1e-3;
    out->context[0] = p[L_EFFORT];
    withy_joint *j =
        network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, -half[0], 0, 0));
    j->effort = (withy_field){.size = 1, .call = turning, .context = out->context};
    network_join(x, WITHY_JOINT_HINGE, on_body(0, half[0], 0, 0), on_body(1, -half[1], 0, 0));
    network_join(x, WITHY_JOINT_HINGE, on_body(1, half[1], 0, 0), on_body(2, -half[2], 0, 0));
    j = network_join(x, WITHY_JOINT_HINGE, on_body(2, half[2], 0, 0), on_ground(d, 0, 0));
    j->spring = p[L_SPRING];
    for (int i = 0; i < 4; i++) x->joint[i].axis = network_vec(0, 0, 1);
    network_join(x, WITHY_JOINT_WELD, on_body(1, 0, 0, 0), on_rod(0, 0));
}

TEST(a_driven_loop_of_rigid_bars_has_the_derivatives_of_its_runs_though_constraints_repeat) {
    static family f;
    set_family(make_loop, loop, L_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=2 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=2 degree=2 dt=4e-3", 0.1, 0), 1e-10);
}

/* ---- a frame: welds, a clamped foot, a pinned foot with a joint, springs, a slider ---------------------------------- */

enum { F_YOUNG, F_RHO, F_HEIGHT, F_STRETCH, F_TURN, F_LOAD, F_TIP, F_SLIDE, F_FALL, F_COUNT };
static const named portal[F_COUNT] = {{"young", 1e7},  {"rho", 1200},  {"height", 0.2},
                                      {"stretch", 20}, {"turn", 0.05}, {"load", 0.1},
                                      {"tip", 4e-3},   {"slide", 15},  {"gravity", 9.81}};

static void make_frame(const double *p, instance *out) {
    network_problem *x = &out->x;
    const double h = p[F_HEIGHT], w = 0.3, lean = 0.05;
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 0.7, -p[F_FALL]);
    withy_rod *rod =
        network_rod(x, network_vec(0, 0, 0), network_vec(lean, 0, h), 0.005, p[F_YOUNG], p[F_RHO]);
    rod->end[0].kind = WITHY_END_CLAMPED;
    network_rod(x, network_vec(lean, 0, h), network_vec(w - lean, 0, h), 0.004, p[F_YOUNG],
                p[F_RHO]);
    rod = network_rod(x, network_vec(w - lean, 0, h), network_vec(w, 0, 0), 0.005, p[F_YOUNG],
                      p[F_RHO]);
    rod->end[1].kind = WITHY_END_PINNED, rod->end[1].position = withy_field_vector(w, 0, 0);
    rod =
        network_rod(x, network_vec(lean + 0.5 * (w - 2 * lean), 0, h),
                    network_vec(lean + 0.5 * (w - 2 * lean), 0.15, h), 0.003, p[F_YOUNG], p[F_RHO]);
    rod->end[1].mass = p[F_TIP], rod->end[1].offset = network_vec(0.01, 0, 0.02);
    for (int i = 0; i < 4; i++) x->rod[i].damping_time = 2e-3, x->rod[i].drag_linear = 0.01;
    x->load[0] = (withy_load){.kind = WITHY_LOAD_POINT,
                              .from = 0.5 * x->rod[1].length,
                              .force = withy_field_vector(0.02, p[F_LOAD], -0.05)};
    x->rod[1].load = x->load, x->rod[1].load_count = 1;
    const double leg = x->rod[0].length;
    network_join(x, WITHY_JOINT_WELD, on_rod(0, leg), on_rod(1, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(1, x->rod[1].length), on_rod(2, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(1, 0.5 * x->rod[1].length), on_rod(3, 0));
    withy_joint *j = network_join(x, WITHY_JOINT_SPRING, on_rod(2, x->rod[2].length),
                                  on_ground(w + 0.02, 0.01, 0));
    j->stretch = network_vec(1, p[F_STRETCH], 2), j->turn = network_vec(p[F_TURN], 0.02, 0.01);
    withy_body *body =
        network_body(x, 0.01, network_vec(2e-6, 3e-6, 4e-6), network_vec(w - lean, 0, h + 0.02));
    body->velocity = network_vec(0, 0.2, 0);
    j = network_join(x, WITHY_JOINT_SLIDER, on_rod(2, 0), on_body(0, 0, 0, -0.02));
    j->axis = network_vec(0, 1, 0), j->spring = p[F_SLIDE], j->damping = 0.05;
}

static void make_undamped_frame(const double *p, instance *out) {
    make_frame(p, out);
    for (int i = 0; i < 4; i++) out->x.rod[i].damping_time = out->x.rod[i].drag_linear = 0;
    for (int i = 0; i < out->x.problem.joint_count; i++) out->x.joint[i].damping = 0;
}

TEST(a_frame_at_rest_and_in_motion_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_frame, portal, F_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=2 degree=3", 0), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=2 degree=3", 0, 0), 1e-10);
    CHECK_BELOW(forward_error(&f, "n=2 degree=2 dt=4e-3 xi=0.1", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=2 degree=2 dt=4e-3 xi=0.1", 0.1, 0), 1e-10);
}

/* ---- frequencies of what is welded ---------------------------------------------------------------------------------- */

enum { W_YOUNG, W_RHO, W_HEIGHT, W_BODY, W_LOAD, W_FALL, W_TURN, W_COUNT };
static const named welded[W_COUNT] = {{"young", 1e7},   {"rho", 1200}, {"height", 0.2},
                                      {"body", 0.02},   {"load", 0.1}, {"gravity", 9.81},
                                      {"inertia", 4e-6}};
enum { TONES = 4 };

/* A clamped leg, a beam and a branch that sag, and a body next to their corner. */
static void make_welded(const double *p, instance *out) {
    network_problem *x = &out->x;
    const double h = p[W_HEIGHT];
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 0.7, -p[W_FALL]);
    withy_rod *rod =
        network_rod(x, network_vec(0, 0, 0), network_vec(0.05, 0, h), 0.005, p[W_YOUNG], p[W_RHO]);
    rod->end[0].kind = WITHY_END_CLAMPED;
    network_rod(x, network_vec(0.05, 0, h), network_vec(0.25, 0.02, h), 0.004, p[W_YOUNG],
                p[W_RHO]);
    network_rod(x, network_vec(0.15, 0.01, h), network_vec(0.15, 0.15, h + 0.05), 0.003, p[W_YOUNG],
                p[W_RHO]);
    x->load[0] = (withy_load){.kind = WITHY_LOAD_POINT,
                              .from = x->rod[1].length,
                              .force = withy_field_vector(0.02, p[W_LOAD], -0.05)};
    x->rod[1].load = x->load, x->rod[1].load_count = 1;
    network_body(x, p[W_BODY], network_vec(2e-6, 3e-6, p[W_TURN]), network_vec(0.06, -0.03, h));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, x->rod[0].length), on_rod(1, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(1, 0.5 * x->rod[1].length), on_rod(2, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(1, 0), on_body(0, -0.01, 0.03, 0));
}

static withy_mode *tones(withy_sim *sim) {
    withy_mode *mode;
    withy_error err = {0};
    run(sim, 0);
    CHECK_OK(withy_sim_modes(sim, TONES, &mode, &err));
    return mode;
}

static void tones_at(const family *f, int k, double way, double hertz[TONES]) {
    static instance x;
    withy_sim *sim;
    withy_error err = {0};
    make_at(f, k, way, &x);
    CHECK_OK(network_start(&x.x, "n=2 degree=3", &sim, &err));
    withy_mode *mode = tones(sim);
    for (int i = 0; i < TONES; i++) hertz[i] = mode[i].frequency;
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
}

TEST(frequencies_of_welded_rods_with_a_body_have_the_derivatives_of_their_differences) {
    static family f;
    withy_error err = {0};
    set_family(make_welded, welded, W_COUNT, &f);
    withy_sim *sim = start_family(&f, "n=2 degree=3", 0);
    withy_mode *mode = tones(sim);
    for (int k = 0; k < W_COUNT; k++) {
        double slope[64], hertz[4][TONES];
        CHECK_OK(withy_sim_mode_gradient(sim, mode, k, slope, &err));
        if (k % EVERY) continue;
        for (int i = 0; i < 4; i++)
            tones_at(&f, k, (double[]){-2, -1, 1, 2}[i] * f.vary[k].step, hertz[i]);
        for (int i = 0; i < TONES; i++) {
            const double at[4] = {hertz[0][i], hertz[1][i], hertz[2][i], hertz[3][i]};
            const double unit = mode[i].frequency / fabs(f.p[k]);
            const double expected = wy_slope_five(at, f.vary[k].step);
            print_message("  %-8s %d: %.10g, %.2g of it off\n", f.given[k].name, i, slope[i] / unit,
                          fabs(slope[i] - expected) / unit);
            CHECK_NEAR(slope[i] / unit, expected / unit, 1e-8);
        }
    }
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
}

TEST(frequencies_with_a_joint_are_refused_with_a_sentence) {
    static family f;
    withy_error err = {0};
    double slope[64];
    set_family(make_undamped_frame, portal, F_COUNT, &f);
    withy_sim *sim = start_family(&f, "n=2 degree=3", 0);
    withy_mode *mode = tones(sim);
    CHECK(withy_sim_mode_gradient(sim, mode, 0, slope, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "frequencies with joints other than welds"));
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
}

/* ---- halvings, the step back in time, automatic steps, a settled start ------------------------------------------------ */

static void make_undamped(const double *p, instance *out) {
    make_pendulum(p, out);
    for (int i = 0; i < 2; i++) out->x.rod[i].damping_time = 0;
    for (int i = 0; i < 4; i++) out->x.joint[i].damping = 0;
}

static void make_settled(const double *p, instance *out) {
    make_frame(p, out);
    for (int i = 0; i < 4; i++) out->x.rod[i].settled = 1, out->x.rod[i].drag_linear = 0.02;
    out->x.body[0].velocity = network_vec(0, 0, 0);
    out->x.rod[3].pull = out->x.load + 1, out->x.rod[3].pull_count = 1;
    out->x.load[1] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = 0.15, .force = withy_field_vector(0, 0, 0.01)};
}

TEST(halvings_order_4_automatic_steps_and_a_settled_start_are_differentiated_both_ways) {
    static family f;
    set_family(make_undamped, pendulum, P_COUNT, &f);
    f.count = P_ETA; /* young, rho */
    CHECK_BELOW(forward_error(&f, "n=3 degree=2 dt=4e-3 order=4", 0.02), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=4e-3 order=4", 0.02, 0), 1e-10);
    set_family(make_pendulum, pendulum, P_COUNT, &f);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=2e-2 newton_max=4", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=auto tol=1e-2", 0.05, 5), 1e-10);
    set_family(make_settled, portal, F_COUNT, &f);
    f.count = F_STRETCH; /* young, rho, height */
    CHECK_BELOW(forward_error(&f, "n=3 degree=2 dt=1e-3", 0.01), 1e-8);
    f.count = F_COUNT;
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=1e-3", 0.01, 0), 1e-10);
}

/* ---- scratch -------------------------------------------------------------------------------------------------- */

/* d r/dp of the last station of the first rod after five steps, and the place itself. */
static void after_steps(const family *f, int spoilt, vec3 *slope, vec3 *place) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    const withy_option option[] = {{.name = "n", .number = 3}, {.name = "dt", .number = 4e-3}};
    CHECK_OK(withy_gradient_create(&f->here.x.problem, "director", option, 2, f->vary, f->count,
                                   &sim, &err));
    for (int i = 1; i <= 5; i++) {
        CHECK_OK(withy_sim_advance(sim, 4e-3 * i, &err));
        if (spoilt) wy_sim_overwrite_scratch(sim);
    }
    withy_slope d;
    CHECK_OK(withy_sim_gradient(sim, f->count - 1, &d, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    *slope = d.position[d.count - 1], *place = now->position[now->count - 1];
    withy_sim_destroy(sim);
}

TEST(derivatives_of_a_network_keep_nothing_in_the_scratch) {
    static family f;
    vec3 slope[2], place[2];
    set_family(make_pendulum, pendulum, P_COUNT, &f);
    for (int i = 0; i < 2; i++) after_steps(&f, i, &slope[i], &place[i]);
    CHECK(memcmp(&slope[0], &slope[1], sizeof *slope) == 0 && !v3_is_zero(slope[0]));
    CHECK(memcmp(&place[0], &place[1], sizeof *place) == 0);
}

/* ---- messages ------------------------------------------------------------------------------------------------ */

TEST(
    a_derivative_that_lost_digits_or_belongs_to_nodes_that_move_is_refused_by_the_name_of_its_parameter) {
    static family f;
    withy_error err = {0};
    withy_slope d;
    set_family(make_pendulum, pendulum, P_COUNT, &f);
    snprintf(f.vary[0].name, sizeof f.vary[0].name, "params.young");
    withy_sim *sim = start_family(&f, "n=3 dt=4e-3", 0);
    const double s = 0.4 * sim->problem.rod[0].length;
    CHECK_OK(withy_sim_advance(sim, 4e-3, &err));
    CHECK_OK(withy_sim_gradient(sim, 0, &d, &err));
    CHECK_OK(wy_gradient_trust(sim, 0, d.fault, &err));
    CHECK(wy_gradient_trust(sim, 0, 2e-6, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "derivatives by params.young are not accurate enough"));
    CHECK(wy_gradient_trust(sim, 0, NAN, &err) == WITHY_UNSUPPORTED);
    memset(sim->gradient->slides, 1, (size_t)sim->problem.rod_count);
    CHECK(wy_gradient_fixed(sim, 0, 0, 1, &s, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "params.young moves a joint or a load along rods[1]"));
    withy_sim_destroy(sim);
}

RUN(test(
        a_double_pendulum_of_rods_with_a_body_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(a_driven_loop_of_rigid_bars_has_the_derivatives_of_its_runs_though_constraints_repeat),
    test(a_frame_at_rest_and_in_motion_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(frequencies_of_welded_rods_with_a_body_have_the_derivatives_of_their_differences),
    test(frequencies_with_a_joint_are_refused_with_a_sentence),
    test(halvings_order_4_automatic_steps_and_a_settled_start_are_differentiated_both_ways),
    test(derivatives_of_a_network_keep_nothing_in_the_scratch),
    test(
        a_derivative_that_lost_digits_or_belongs_to_nodes_that_move_is_refused_by_the_name_of_its_parameter))
