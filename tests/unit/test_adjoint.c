/* Derivatives backwards: of one number by all parameters, equal to those that go forwards. */
#include "check.h"
#include "gradient_family.h"

/* ---- a number that depends on a motion ----------------------------------------------------------------- */

enum { OBSERVED = 64 };

/* J = sum of |r|^2/2 and of a component, so that neither place nor direction is special. */
static withy_status objective(void *context, int count, const withy_vec3 *r, double *value,
                              withy_vec3 *slope, withy_error *err) {
    const double *weight = context;
    (void)err;
    *value = 0;
    for (int i = 0; i < count; i++) {
        *value += 0.5 * v3_dot(r[i], r[i]) + weight[0] * r[i].y;
        slope[i] = v3_add(r[i], v3(0, weight[0], 0));
    }
    return WITHY_OK;
}

/* Forwards: the same J and its derivatives. */
static double forwards(withy_sim *sim, const withy_observation *at, int count, double weight,
                       int parameters, double *gradient) {
    withy_error err = {0};
    double value = 0;
    for (int k = 0; k < parameters; k++) gradient[k] = 0;
    for (int i = 0; i < count; i++) {
        wy_view view = {0};
        if (!sim->core->equilibrium) CHECK_OK(withy_sim_advance(sim, at[i].t, &err));
        CHECK_OK(wy_view_make(sim, 0, 1, &at[i].s, &view, &err));
        CHECK(wy_view_sample(sim, 0, &view) == NULL);
        const vec3 r = view.snap.position[0], by = v3_add(r, v3(0, weight, 0));
        value += 0.5 * v3_dot(r, r) + weight * r.y;
        for (int k = 0; k < parameters; k++) {
            withy_slope slope;
            vec3 position, turn;
            CHECK_OK(withy_sim_gradient(sim, k, &slope, &err));
            sim->method->slopes->sample(sim->self, 0, k, 1, &at[i].s, &position, &turn);
            gradient[k] += v3_dot(by, position);
        }
    }
    return value;
}

static withy_sim *start_back(const family *f, int count, const char *options) {
    withy_option option[16];
    withy_sim *sim;
    withy_error err = {0};
    CHECK_OK(withy_adjoint_create(&f->here.problem, NULL, option,
                                  director_parse(options, option, 16), f->vary, count, &sim, &err));
    return sim;
}

/* Both ways; room: steps between checkpoints, 0: as it is. */
static double worst(const family *f, int parameters, const char *options, double stop, int statics,
                    int room) {
    withy_observation at[5];
    double weight = 0.3, ahead[PARAMETERS], back[PARAMETERS], value, most = 0;
    withy_equilibrium equilibrium;
    withy_error err = {0};
    for (int i = 0; i < 5; i++)
        at[i] = (withy_observation){stop * (i + 1) / 5, f->here.rod.length * (i % 2 ? 0.37 : 1), 0};
    withy_sim *sim = start_family(f, parameters, options);
    if (statics) CHECK_OK(withy_sim_equilibrium(sim, 1, &equilibrium, &err));
    const double expected = forwards(sim, at, 5, weight, parameters, ahead);
    withy_sim_destroy(sim);
    sim = start_back(f, parameters, options);
    wy_network *net = wy_network_of(sim->self);
    if (room) net->slopes->tape->room = room;
    if (statics) CHECK_OK(withy_sim_equilibrium(sim, 1, &equilibrium, &err));
    CHECK_OK(withy_sim_adjoint(sim, at, 5, objective, &weight, &value, back, &err));
    CHECK_NEAR(value / expected, 1, 1e-12);
    const uint64_t hash = withy_sim_hash(sim);
    for (int k = 0; k < parameters; k++) {
        const double off = fabs(back[k] - ahead[k]) / fabs(ahead[k]);
        if (off > most) most = off;
        if (off > 1e-10) print_message("  %d: %.12g %.12g\n", k, ahead[k], back[k]);
    }
    print_message("%s: %lld steps, %lld halvings: %.2g\n", options,
                  (long long)net->rigid.now->taped, (long long)withy_sim_stats(sim).halvings, most);
    CHECK(hash == withy_sim_hash(sim));
    withy_sim_destroy(sim);
    return most;
}

/* ---- equal to forwards ---------------------------------------------------------------------------------- */

TEST(backwards_and_forwards_agree_for_all_that_acts_on_a_rod_in_motion_and_at_rest) {
    static family f;
    set_family(make_all, everything, ALL, &f);
    CHECK_BELOW(worst(&f, ALL, "n=4 degree=2 dt=1e-3 xi=0.1", 0.05, 0, 0), 1e-10);
    CHECK_BELOW(worst(&f, ALL, "n=4 degree=2 dt=1e-3 xi=0.1", 0.05, 0, 7), 1e-10); /* checkpoints */
    CHECK_BELOW(worst(&f, ALL, "n=3 degree=4 dt=1e-3", 0.02, 0, 0), 1e-10);
    set_family(make_a, scene_a, A_COUNT, &f);
    CHECK_BELOW(worst(&f, A_COUNT, "n=12 degree=1 dt=2e-3", 0.1, 0, 0), 1e-10);
    set_family(make_s, scene_s, S_COUNT, &f);
    CHECK_BELOW(worst(&f, S_COUNT, "n=6 degree=2", 0.1, 1, 0), 1e-10);
}

/* ---- through halvings, the step back in time, automatic steps, held ends, a settled start ------------------- */

enum { BEND, HEAVY, FALL, FREE_COUNT };
static const double release[FREE_COUNT] = {1e6, 1100, 9.81};

static void bent(const double *p, director_problem *x, withy_end_kind start,
                 withy_end_kind finish) {
    director_plain(x, 0.1, 0.01, p[BEND], p[BEND] / 3, p[HEAVY]);
    director_ends(x, start, finish);
    x->rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {1, 0, 0}, .normal = {0, 0.6, 0.8}, .radius = 0.06};
    x->problem.gravity = (withy_vec3){0, 1, -p[FALL]};
    director_times(x, 0.1, 0.05);
}
static void make_free(const double *p, director_problem *x) {
    bent(p, x, WITHY_END_CLAMPED, WITHY_END_FREE);
}
static void make_pinned(const double *p, director_problem *x) {
    bent(p, x, WITHY_END_PINNED, WITHY_END_FREE);
}
static void make_settled(const double *p, director_problem *x) {
    director_plain(x, 0.1, 0.01, p[BEND], p[BEND] / 3, p[HEAVY]);
    x->rod.initial.kind = WITHY_SHAPE_NONE;
    x->problem.gravity = (withy_vec3){0, 1, -p[FALL]};
    x->rod.settled = 1;
    x->load[0] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = 0.1, .force = withy_field_vector(0, 0.001 * p[FALL], 0)};
    x->rod.pull = x->load, x->rod.pull_count = 1;
    x->rod.drag_linear = 0.02;
    director_times(x, 0.1, 0.05);
}
static void make_roller(const double *p, director_problem *x) {
    director_plain(x, 0.1, 0.01, p[BEND], p[BEND] / 3, p[HEAVY]);
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_ROLLER);
    x->rod.end[0].turn = WITHY_TURN_FREE;
    x->rod.end[1].along = (withy_vec3){1, 0.2, 0};
    x->rod.spin = withy_field_vector(2, 0, 0);
    x->problem.gravity = (withy_vec3){0, 1, -p[FALL]};
    director_times(x, 0.1, 0.05);
}

TEST(backwards_and_forwards_agree_through_halvings_order_4_automatic_steps_and_a_settled_start) {
    static family f;
    set_family(make_free, release, FREE_COUNT, &f);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=6 degree=2 dt=1e-2 newton_max=4", 0.1, 0, 0), 1e-10);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=6 degree=2 dt=1e-2 newton_max=4", 0.1, 0, 5), 1e-10);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=3 degree=3 dt=4e-3 order=4", 0.06, 0, 0), 1e-10);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=1 dt=auto tol=1e-2", 0.06, 0, 9), 1e-10);
    set_family(make_pinned, release, FREE_COUNT, &f);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2 dt=2e-3", 0.06, 0, 0), 1e-10);
    set_family(make_settled, release, FREE_COUNT, &f);
    for (int k = 0; k < FREE_COUNT; k++)
        for (int i = 0; i < 4; i++) f.at[k][i].rod.pull = f.at[k][i].load;
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2 dt=2e-3", 0.06, 0, 0), 1e-10);
    set_family(make_roller, release, FREE_COUNT, &f);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2 dt=2e-3", 0.06, 0, 0), 1e-10);
}

TEST(backwards_and_forwards_agree_beside_an_obstacle_far_away) {
    static family f;
    withy_obstacle obstacle;
    set_family(make_settled, release, FREE_COUNT, &f);
    put_wall(&f, FREE_COUNT, -50, &obstacle);
    for (int k = 0; k < FREE_COUNT; k++)
        for (int i = 0; i < 4; i++) f.at[k][i].rod.pull = f.at[k][i].load;
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2 dt=2e-3", 0.06, 0, 0), 1e-10);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2 dt=2e-3", 0.06, 0, 7), 1e-10);
    CHECK_BELOW(worst(&f, FREE_COUNT, "n=4 degree=2", 0.06, 1, 0), 1e-10);
}

/* ---- scene K: a curvature of its own in every element --------------------------------------------------------- */

static void golden(double got, double expected) {
    CHECK_NEAR(got / expected, 1, 1e-8);
}
static void golden3(vec3 got, double x, double y, double z, double digits) {
    const double size = fabs(x) + fabs(y) + fabs(z);
    CHECK_NEAR(got.x, x, digits * size);
    CHECK_NEAR(got.y, y, digits * size);
    CHECK_NEAR(got.z, z, digits * size);
}

TEST(every_field_of_a_motion_has_its_golden_derivative_from_one_way_back) {
    static family f;
    withy_observation at[20];
    withy_sensitivity out;
    withy_error err = {0};
    double weight = 0, value;
    set_family(make_k, &weight, 0, &f);
    withy_sim *sim = start_back(&f, 0, "n=4 degree=1 dt=5e-3");
    wy_director *x = only_rod(sim);
    for (int e = 0; e < 4; e++) {
        x->plan.section[e].rest[0] = (lane){0, 0, 1, 0};
        x->plan.section[e].rest[1] = (lane){2, k_kappa[e], 0, 0};
    }
    CHECK_OK(sim->method->start(sim->self, &err));
    for (int i = 0; i < 20; i++) at[i] = (withy_observation){5e-3 * (i + 1), 0.1, 0};
    CHECK_OK(withy_sim_adjoint(sim, at, 20, objective, &weight, &value, NULL, &err));
    CHECK_NEAR(value, 0.09957024629864, 1e-13);
    CHECK_OK(withy_sim_sensitivity(sim, &out, &err));
    CHECK(out.points == 4 && out.nodes == 5);
    const wy_adjoint_fields *by = &x->slopes->by;
    for (int e = 0; e < 4; e++) {
        golden(out.point[e].rest[4], k_by_kappa[e]);
        golden(by->size[e].length + by->section[e].weight, k_by_h[e]);
    }
    for (int i = 0; i < 6; i++) golden(out.point[0].stiffness[i], k_by_c[i]);
    for (int i = 0; i < 3; i++) golden(out.point[0].damping[3 + i], k_by_cv[i]);
    golden(out.node[4].mass, 0.305093117414);
    golden3(v3_from(by->whole->gravity), 1.506018361871e-05, -2.827213095395e-05,
            8.735360246431e-05, 1e-9);
    golden3(out.node[4].position, -0.045430207335, 0.015343820077, -0.024644961868, 1e-9);
    golden3(out.node[4].turn, -2.119036820e-06, 4.406009982e-06, -2.388543474e-06, 1e-8);
    golden3(out.node[4].velocity, 1.527080434964e-05, -2.452149456664e-04, 6.002627881329e-04,
            1e-9);
    withy_sim_destroy(sim);
}

TEST(adjoints_are_refused_with_a_message_where_there_are_none) {
    static family f;
    withy_observation at = {0.01, 0.2, 0};
    withy_sensitivity out;
    withy_error err = {0};
    double weight = 0, value;
    set_family(make_free, release, FREE_COUNT, &f);
    withy_sim *sim = start_family(&f, 1, "n=4");
    CHECK(withy_sim_adjoint(sim, &at, 1, objective, &weight, &value, NULL, &err) ==
          WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "this simulation cannot compute adjoints; create it with withy_adjoint_create");
    withy_sim_destroy(sim);
    sim = start_back(&f, 1, "n=4");
    CHECK(withy_sim_adjoint(sim, &at, 1, objective, &weight, &value, NULL, &err) ==
          WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "withy_sim_adjoint: observation 0 at s = 0.2; the rod has 0 .. 0.1");
    CHECK(withy_sim_sensitivity(sim, &out, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "withy_sim_sensitivity: first withy_sim_adjoint");
    withy_slope slope;
    CHECK(withy_sim_gradient(sim, 0, &slope, &err) == WITHY_BAD_INPUT);
    withy_sim_destroy(sim);
}

RUN(test(backwards_and_forwards_agree_for_all_that_acts_on_a_rod_in_motion_and_at_rest),
    test(backwards_and_forwards_agree_through_halvings_order_4_automatic_steps_and_a_settled_start),
    test(backwards_and_forwards_agree_beside_an_obstacle_far_away),
    test(every_field_of_a_motion_has_its_golden_derivative_from_one_way_back),
    test(adjoints_are_refused_with_a_message_where_there_are_none))
