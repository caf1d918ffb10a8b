/* Derivatives with tendons and contact: forwards equal to differences of whole runs, backwards equal to forwards. */
#include "gradient_runs.h"

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

/* As far as it is pulled in by a length, beside one of given tension. */
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
    CHECK(strstr(err.text, "with tendons, or with loads on bodies are not differentiated"));
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

RUN(test(a_rod_pulled_by_a_tendon_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(a_tendon_of_given_length_has_the_derivatives_of_its_runs_forwards_and_backwards),
    test(halvings_and_a_start_that_a_tendon_bent_are_differentiated_both_ways),
    test(frequencies_with_tendons_are_refused_with_a_sentence),
    test(a_tendon_through_two_rods_and_a_body_has_the_derivatives_of_its_runs_both_ways))
