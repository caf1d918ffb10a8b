/* Derivatives with tendons and contact: forwards equal to differences of whole runs, backwards equal to forwards. */
#include "gradient_runs.h"
#include "today.h"

/* ---- tendons --------------------------------------------------------------------------------------------- */

enum { T_YOUNG, T_RHO, T_PULL, T_ARM, T_LENGTH, T_TURNS, T_FALL, T_ETA, T_COUNT };
static const named cables[T_COUNT] = {{"young", 2e6},    {"rho", 1100},   {"pull", 0.3},
                                      {"arm", 4e-3},     {"length", 0.2}, {"turns", 0.4},
                                      {"gravity", 9.81}, {"eta", 2e-3}};

static withy_status winding(void *context, double s, double t, double *out, withy_error *err) {
    const double *c = context, angle = 2 * WY_PI * c[1] * s / c[2];
    (void)t, (void)err;
    out[0] = c[0] * cos(angle), out[1] = c[0] * sin(angle);
    return WITHY_OK;
}

static withy_status rising(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = ((const double *)context)[3] * (1 - cos(40 * t));
    return WITHY_OK;
}

/* A tendon along so much of the rod, wound about its axis. */
static withy_load wound(instance *out, const double *p, double length) {
    out->context[0] = p[T_ARM], out->context[1] = p[T_TURNS], out->context[2] = p[T_LENGTH];
    return (withy_load){.kind = WITHY_LOAD_TENDON,
                        .to = length,
                        .route = {.size = 2, .call = winding, .context = out->context}};
}

static void make_pulled(const double *p, instance *out) {
    network_problem *x = &out->x;
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 1, -p[T_FALL]);
    withy_rod *rod = network_rod(x, network_vec(0, 0, 0), network_vec(p[T_LENGTH], 0, 0), 0.006,
                                 p[T_YOUNG], p[T_RHO]);
    rod->end[0].kind = WITHY_END_CLAMPED, rod->damping_time = p[T_ETA];
    x->load[0] = wound(out, p, 0.75 * p[T_LENGTH]), out->context[3] = p[T_PULL];
    x->load[0].tension = (withy_field){.size = 1, .call = rising, .context = out->context};
    rod->load = x->load, rod->load_count = 1;
}

/* As far as it is pulled in by a length, next to one of given tension. */
static void make_drawn(const double *p, instance *out) {
    make_pulled(p, out);
    network_problem *x = &out->x;
    x->load[0] = wound(out, p, 0.75 * p[T_LENGTH]), out->context[3] = 3e-3 * p[T_PULL];
    x->load[0].displacement = (withy_field){.size = 1, .call = rising, .context = out->context};
    x->load[1] = wound(out, p, p[T_LENGTH]), x->load[1].tension = withy_field_number(p[T_PULL]);
    x->rod[0].load_count = 2;
}

/* A shape: what is constant acts. */
static void make_shape(const double *p, instance *out) {
    const double all[T_COUNT] = {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
    make_drawn(all, out);
    out->x.load[0].displacement = withy_field_number(2e-3 * p[T_PULL]);
}

static void make_held(const double *p, instance *out) {
    const double all[T_COUNT] = {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
    make_pulled(all, out);
    out->x.load[0].tension = withy_field_number(p[T_PULL]);
}

TEST(a_rod_pulled_by_a_tendon_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_pulled, cables, T_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 7), 1e-10);
    set_family(make_held, cables, T_ETA, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2", 0), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2", 0, 0), 1e-10);
}

TEST(a_tendon_of_given_length_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_drawn, cables, T_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 7), 1e-10);
    set_family(make_shape, cables, T_ETA, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2", 0), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2", 0, 0), 1e-10);
}

/* Held bent until t = 0 by one tendon, and let go against another. */
static void make_let_go(const double *p, instance *out) {
    make_pulled(p, out);
    out->x.load[1] = wound(out, p, p[T_LENGTH]);
    out->x.load[1].tension = withy_field_number(p[T_PULL]);
    out->x.rod[0].settled = 1, out->x.rod[0].initial.kind = WITHY_SHAPE_NONE;
    out->x.rod[0].pull = &out->x.load[1], out->x.rod[0].pull_count = 1;
}

TEST(halvings_and_a_start_that_a_tendon_bent_are_differentiated_both_ways) {
    static family f;
    set_family(make_drawn, cables, T_COUNT, &f);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2.5e-2 newton_max=3", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=auto tol=1e-2", 0.05, 5), 1e-10);
    set_family(make_let_go, cables, T_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2 dt=2e-3", 0.02), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.02, 0), 1e-10);
}

TEST(frequencies_with_tendons_are_refused_with_a_sentence) {
    static family f;
    withy_error err = {0};
    withy_equilibrium at;
    withy_mode *mode;
    double slope[64];
    set_family(make_held, cables, T_ETA, &f);
    withy_sim *sim = start_family(&f, "n=4 degree=2", 0);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    CHECK(withy_sim_mode_gradient(sim, mode, 0, slope, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "with tendons, with contact, or with loads"));
    withy_modes_free(mode, mode->total);
    withy_sim_destroy(sim);
}

/* ---- a tendon through two rods with a body between them ------------------------------------------------------- */

enum { C_YOUNG, C_PULL, C_ROUTE, C_MASS, C_GAP, C_LENGTH, C_FALL, C_COUNT };
static const named chained[C_COUNT] = {{"young", 2e6},   {"pull", 0.2}, {"route", 4e-3},
                                       {"mass", 2e-3},   {"gap", 0.02}, {"length", 0.1},
                                       {"gravity", 9.81}};

static withy_status pulling(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = ((const double *)context)[0] * (1 - cos(40 * t));
    return WITHY_OK;
}

static void make_pieces(const double *p, instance *out, int by_length) {
    network_problem *x = &out->x;
    const double first = 0.12, gap = p[C_GAP], l = p[C_LENGTH];
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 1, -p[C_FALL]);
    network_rod(x, network_vec(0, 0, 0), network_vec(first, 0, 0), 0.006, p[C_YOUNG], 1100);
    network_rod(x, network_vec(first + gap, 0, 0), network_vec(first + gap + l, 0, 0), 0.005,
                p[C_YOUNG], 1000);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    network_body(x, p[C_MASS], network_vec(2e-7, 3e-7, 3e-7),
                 network_vec(first + 0.5 * gap, 0, 1e-3));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, first), on_body(0, -0.5 * gap, 0, -1e-3));
    network_join(x, WITHY_JOINT_WELD, on_body(0, 0.5 * gap, 0, -1e-3), on_rod(1, 0));
    out->context[0] = (by_length ? 5e-3 : 1) * p[C_PULL];
    const withy_field pull = {.size = 1, .call = pulling, .context = out->context};
    for (int i = 0; i < 2; i++) {
        x->rod[i].damping_time = 2e-3;
        x->load[i] = (withy_load){.kind = WITHY_LOAD_TENDON, .to = x->rod[i].length};
        x->load[i].route = (withy_field){.size = 2, .value = {p[C_ROUTE], 1e-3}};
        x->rod[i].load = &x->load[i], x->rod[i].load_count = 1;
    }
    x->load[0].name = "cable", x->load[1].continues = "cable";
    *(by_length ? &x->load[0].displacement : &x->load[0].tension) = pull;
}

static void make_pulled_pieces(const double *p, instance *out) {
    make_pieces(p, out, 0);
}
static void make_drawn_pieces(const double *p, instance *out) {
    make_pieces(p, out, 1);
}
static void make_still_pieces(const double *p, instance *out) {
    make_pieces(p, out, 1);
    out->x.load[0].displacement = withy_field_number(1e-2 * p[C_PULL]);
}

TEST(a_tendon_through_two_rods_and_a_body_has_the_derivatives_of_its_runs_both_ways) {
    static family f;
    set_family(make_pulled_pieces, chained, C_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=3 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=4e-3", 0.1, 0), 1e-10);
    set_family(make_drawn_pieces, chained, C_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=3 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=4e-3", 0.1, 7), 1e-10);
    set_family(make_still_pieces, chained, C_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=3 degree=2", 0), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2", 0, 0), 1e-10);
}

/* ---- contact ------------------------------------------------------------------------------------------------- */

enum {
    O_YOUNG,
    O_RHO,
    O_HEIGHT,
    O_STIFF,
    O_FALL,
    O_LENGTH,
    O_RADIUS,
    O_ETA,
    O_DAMP,
    O_MU,
    O_COUNT
};
static const named landing[O_COUNT] = {
    {"young", 2e6},  {"rho", 1100},    {"height", 0.01}, {"stiffness", 3e4}, {"gravity", 9.81},
    {"length", 0.2}, {"radius", 4e-3}, {"eta", 2e-3},    {"damping", 0.5},   {"mu", 0.3}};

/* A cantilever over an obstacle, which it reaches at 0.1 s. */
static void make_over(const double *p, instance *out, withy_obstacle_kind kind) {
    network_problem *x = &out->x;
    network_begin(x);
    network_times(x, 0.5, 0.5);
    x->problem.gravity = network_vec(0.3, 0.7, -p[O_FALL]);
    withy_rod *rod = network_rod(x, network_vec(0, 0, 0), network_vec(p[O_LENGTH], 0, 0),
                                 p[O_RADIUS], p[O_YOUNG], p[O_RHO]);
    rod->end[0].kind = WITHY_END_CLAMPED, rod->damping_time = p[O_ETA];
    out->obstacle[0] = (withy_obstacle){.kind = kind, .along = {0.1, 0.2, 1}, .frame = {.w = 1}};
    out->obstacle[0].point = withy_field_vector(0, 0, -p[O_HEIGHT]);
    if (kind == WITHY_OBSTACLE_SPHERE)
        out->obstacle[0].radius = 0.05,
        out->obstacle[0].point = withy_field_vector(0.16, 0.01, -0.05 - p[O_HEIGHT]);
    x->problem.obstacle = out->obstacle, x->problem.obstacle_count = 1;
    x->problem.contact.stiffness = p[O_STIFF], x->problem.contact.damping = p[O_DAMP];
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = p[O_MU];
}

static void make_smooth_plane(const double *p, instance *out) {
    double all[O_COUNT] = {0};
    memcpy(all, p, O_MU * sizeof *all);
    make_over(all, out, WITHY_OBSTACLE_PLANE);
}
static void make_plane(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_PLANE);
}
static void make_sphere(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_SPHERE);
}
/* A corner of it is under the rod. */
static void make_box(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_BOX);
    out->obstacle[0].frame = (withy_quat){cos(0.1), sin(0.1), 0, 0};
    out->obstacle[0].size = (withy_vec3){0.1, 0.2, 0.06};
    out->obstacle[0].point = withy_field_vector(0.17, 0.01, -0.03 - p[O_HEIGHT]);
}
static void make_barrier(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_PLANE);
    out->obstacle[0].along = (withy_vec3){0, 0, 1};
    out->x.problem.contact.law = WITHY_CONTACT_BARRIER, out->x.problem.contact.gap = 2e-3;
}
static void make_lying(const double *p, instance *out) {
    double all[O_COUNT] = {0};
    memcpy(all, p, O_ETA * sizeof *all);
    make_over(all, out, WITHY_OBSTACLE_PLANE);
}

enum { SCAN = 8 };

TEST(a_rod_that_lands_on_a_plane_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_smooth_plane, landing, O_MU, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2 dt=2e-3", 0.2, SCAN), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.2, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.2, 7), 1e-10);
}

TEST(contact_with_a_box_and_by_a_barrier_is_differentiated_both_ways) {
    SLOW_UNDER_SANITIZERS;
    static family f;
    set_family(make_box, landing, O_COUNT, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2 dt=2e-3", 0.12, SCAN), 1e-6);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.12, 0), 1e-10);
    set_family(make_barrier, landing, O_COUNT, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2 dt=1e-3", 0.12, SCAN), 1e-6);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=1e-3", 0.12, 0), 1e-10);
}

TEST(a_rod_that_lies_on_a_plane_has_the_derivatives_of_its_shapes_forwards_and_backwards) {
    static family f;
    set_family(make_lying, landing, O_ETA, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2", 0, SCAN), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2", 0, 0), 1e-10);
}

TEST(a_rod_that_slides_and_sticks_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_plane, landing, O_COUNT, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2 dt=2e-3", 0.2, SCAN), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.2, 0), 1e-10);
    set_family(make_sphere, landing, O_COUNT, &f);
    CHECK_BELOW(scan_error(&f, "n=4 degree=2 dt=2e-3", 0.2, SCAN), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=2e-3", 0.2, 7), 1e-10);
}

/* Two rods welded over a body that is not there to touch, on an obstacle that moves; the node in the weld touches it too. */
enum { M_YOUNG, M_MASS, M_LIFT, M_STIFF, M_ARM, M_COUNT };
static const named lifted[M_COUNT] = {
    {"young", 2e6}, {"mass", 2e-3}, {"lift", 0.012}, {"stiffness", 3e4}, {"arm", 0.01}};

static withy_status lifting(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = 0.02 * sin(9 * t), out[1] = 0;
    out[2] = -0.01 + ((const double *)context)[0] * (1 - cos(12 * t));
    return WITHY_OK;
}

static void make_lifted(const double *p, instance *out) {
    network_problem *x = &out->x;
    network_begin(x);
    network_times(x, 0.5, 0.5);
    x->problem.gravity = network_vec(0, 0, -9.81);
    network_rod(x, network_vec(0, 0, 0), network_vec(0.1, 0, 0), 4e-3, p[M_YOUNG], 1100);
    network_rod(x, network_vec(0.1, 0, 0), network_vec(0.18, 0.06, 0), 4e-3, p[M_YOUNG], 1100);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[0].damping_time = x->rod[1].damping_time = 2e-3;
    network_body(x, p[M_MASS], network_vec(2e-7, 3e-7, 3e-7), network_vec(0.1, 0, p[M_ARM]));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 0.1), on_body(0, 0, 0, -p[M_ARM]));
    network_join(x, WITHY_JOINT_WELD, on_body(0, 0, 0, -p[M_ARM]), on_rod(1, 0));
    out->context[0] = p[M_LIFT];
    out->obstacle[0] = (withy_obstacle){.kind = WITHY_OBSTACLE_PLANE, .along = {0, 0, 1}};
    out->obstacle[0].point = (withy_field){.size = 3, .call = lifting, .context = out->context};
    x->problem.obstacle = out->obstacle, x->problem.obstacle_count = 1;
    x->problem.contact.stiffness = p[M_STIFF], x->problem.contact.damping = 0.2;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = 0.5;
}

TEST(a_network_on_a_plane_that_moves_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_lifted, lifted, M_COUNT, &f);
    CHECK_BELOW(scan_error(&f, "n=3 degree=2 dt=2e-3", 0.2, SCAN), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=2e-3", 0.2, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=auto tol=1e-2", 0.1, 5), 1e-10);
}

/* ---- random scenes --------------------------------------------------------------------------------------------- */

static uint32_t chance; /* of the scene at hand */

static double between(double low, double high) {
    chance = chance * 1664525u + 1013904223u;
    return low + (high - low) * (chance / 4294967296.0);
}

/* One of the obstacles, under a rod that one of the tendons pulls to a side. */
static void make_any(const double *p, instance *out) {
    static make_network *const kind[] = {make_plane, make_sphere, make_box};
    const uint32_t kept = chance;
    kind[(int)between(0, 3)](p, out);
    withy_load *load = &out->x.load[0];
    *load = (withy_load){.kind = WITHY_LOAD_TENDON, .to = p[O_LENGTH]};
    load->route = withy_field_vector(between(-2e-3, 2e-3), between(-2e-3, 2e-3), 0);
    load->route.size = 2;
    if (between(0, 1) < 0.5)
        load->tension = withy_field_number(between(0.05, 0.3) * p[O_YOUNG] / 2e6);
    else
        load->displacement = (withy_field){.size = 1, .call = rising, .context = out->context},
        out->context[3] = between(0, 4e-4);
    out->x.rod[0].load = load, out->x.rod[0].load_count = 1;
    chance = kept;
}

/* With so short a step K_t is the stiffness of the contact: min(2 m/dt^2, K) has a corner that chance might meet. */
TEST(derivatives_of_random_scenes_with_tendons_and_contact_are_those_of_their_runs_both_ways) {
    enum { SCENES = 2 };
    SLOW_UNDER_SANITIZERS;
    const int first = today_from(0, 3000, SCENES);
    for (int i = first; i < first + SCENES; i++) {
        static family f;
        named any[O_COUNT];
        chance = 7919u * (uint32_t)i + 1;
        for (int k = 0; k < O_COUNT; k++)
            any[k] = (named){landing[k].name, landing[k].value * between(0.8, 1.25)};
        print_message("scene %d\n", i);
        set_family(make_any, any, O_COUNT, &f);
        CHECK_BELOW(scan_error(&f, "n=3 degree=2 dt=1e-3", 0.1, SCAN), 1e-6);
        CHECK_BELOW(backward_error(&f, "n=3 degree=2 dt=1e-3", 0.1, 0), 1e-10);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------------------- */

static void make_on_edge(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_PLANE);
    out->obstacle[0].own_friction = 1;
    out->obstacle[0].friction[0] = 0.5, out->obstacle[0].friction[1] = 0.1;
}

/* Two rods of which one falls on the other. */
static void make_crossing(const double *p, instance *out) {
    make_over(p, out, WITHY_OBSTACLE_PLANE);
    withy_rod *rod = network_rod(&out->x, network_vec(0.15, -0.1, -0.01),
                                 network_vec(0.15, 0.1, -0.01), 1e-3, 1e9, 1000);
    rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    out->x.problem.contact.given = out->x.problem.contact.no_self = 1;
    out->obstacle[0].point = withy_field_vector(0, 0, -1);
}

/* What such a scene says where its derivative ends. */
static void refused(make_network *make, double stop, const char *words) {
    static family f;
    withy_error err = {0};
    withy_equilibrium at;
    double t = 0;
    set_family(make, landing, O_COUNT, &f);
    f.count = 1;
    withy_sim *sim = start_family(&f, "n=4 degree=2 dt=2e-3", 0);
    CHECK_OK(withy_sim_advance(sim, stop > 0 ? 2e-3 : 0, &err));
    CHECK((stop > 0 ? withy_sim_advance(sim, stop, &err)
                    : withy_sim_equilibrium(sim, 1, &at, &err)) == WITHY_UNSUPPORTED ||
          withy_sim_gradient(sim, 0, &(withy_slope){0}, &err) == WITHY_UNSUPPORTED);
    print_message("%s\n", err.text);
    CHECK(strstr(err.text, words));
    if (stop > 0) CHECK(sscanf(err.text, "director: at t = %lf", &t) == 1 && t > 0.02 && t < stop);
    withy_sim_destroy(sim);
}

TEST(contact_that_is_not_differentiated_is_refused_with_the_time_when_it_begins) {
    refused(make_on_edge, 0.3, "friction that depends on the direction acts, which is not");
    refused(make_crossing, 0.3, "rods touch rods, which is not differentiated");
    refused(make_plane, 0, "at rest friction acts and depends on the way there, which is not");
}

/* ---- the medium -------------------------------------------------------------------------------------------- */

enum { W_YOUNG, W_RHO, W_LENGTH, W_WIDE, W_CN, W_CT, W_WATER, W_STREAM, W_FALL, W_SLOW, W_COUNT };
static const named water[W_COUNT] = {
    {"young", 2e6}, {"rho", 1300},  {"length", 0.3}, {"wide", 0.012},   {"cn", 1.2},
    {"ct", 0.3},    {"water", 900}, {"stream", 0.3}, {"gravity", 9.81}, {"slow", 0.4}};

static void make_grass(const double *p, instance *out) {
    network_problem *x = &out->x;
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 1, -p[W_FALL]);
    withy_rod *rod = network_rod(x, network_vec(0, 0, 0), network_vec(p[W_LENGTH], 0, 0), 0.006,
                                 p[W_YOUNG], p[W_RHO]);
    rod->end[0].kind = WITHY_END_CLAMPED;
    rod->fluid = (withy_fluid){.given = 1,
                               .diameter = withy_field_number(p[W_WIDE]),
                               .normal = p[W_CN],
                               .tangential = p[W_CT]};
    rod->viscous = (withy_viscous){
        .normal = p[W_SLOW], .tangential = 0.5 * p[W_SLOW], .spin = 1e-5 * p[W_SLOW]};
    x->problem.medium =
        (withy_medium){.given = 1,
                       .density = p[W_WATER],
                       .current = withy_field_vector(0.1, p[W_STREAM], 0.5 * p[W_STREAM])};
}

TEST(a_rod_in_a_stream_has_the_derivatives_of_its_runs_forwards_and_backwards) {
    static family f;
    set_family(make_grass, water, W_COUNT, &f);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2 dt=4e-3", 0.1), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 0), 1e-10);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2 dt=4e-3", 0.1, 7), 1e-10);
    CHECK_BELOW(forward_error(&f, "n=4 degree=2", 0), 1e-8);
    CHECK_BELOW(backward_error(&f, "n=4 degree=2", 0, 0), 1e-10);
}

RUN(test(a_rod_in_a_stream_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(a_rod_pulled_by_a_tendon_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(a_tendon_of_given_length_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(halvings_and_a_start_that_a_tendon_bent_are_differentiated_both_ways),
    test(frequencies_with_tendons_are_refused_with_a_sentence),
    test(a_tendon_through_two_rods_and_a_body_has_the_derivatives_of_its_runs_both_ways),
    test(a_rod_that_lands_on_a_plane_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(contact_with_a_box_and_by_a_barrier_is_differentiated_both_ways),
    test(a_rod_that_lies_on_a_plane_has_the_derivatives_of_its_shapes_forwards_and_backwards),
    test(a_rod_that_slides_and_sticks_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(a_network_on_a_plane_that_moves_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(derivatives_of_random_scenes_with_tendons_and_contact_are_those_of_their_runs_both_ways),
    test(contact_that_is_not_differentiated_is_refused_with_the_time_when_it_begins))
