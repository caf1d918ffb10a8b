/* Equilibria of cheb: the matrix against differences, closed forms, loads in space, stops. */
#include "cheb_problems.h"
#include "random_number.h"

/* Balance of a state, fields of force and moment at the nodes. */
static void balance_of(wy_cheb *x, const double *u, double *out) {
    withy_error err = {0};
    CHECK_OK((x->planar ? wy_cheb_planar_balance : wy_cheb_spatial_balance)(x, 0, u, NULL, &err));
    memcpy(out, x->df, (size_t)x->size * sizeof *out);
}

/* Largest difference between a column of the matrix and central differences, over its size. */
static double matrix_error(cheb_problem *problem, const char *options) {
    withy_error err = {0};
    withy_sim *sim = cheb_make(problem, options);
    wy_cheb *x = sim->self;
    const int nodes = x->grid.n + 1, ld = x->grid.ld, rows = x->planar ? 3 : 6,
              cols = x->fields * nodes;
    unsigned seed = 7;
    double *up = calloc(8 * (size_t)ld, sizeof *up), *down = calloc(8 * (size_t)ld, sizeof *down);
    double *u = calloc(8 * (size_t)ld, sizeof *u); /* a stage: not the state of the simulation */
    memcpy(u, x->u, (size_t)x->size * sizeof *u);
    for (int f = 0; f < x->fields; f++)
        for (int i = 0; i < nodes; i++) {
            random_next(&seed);
            u[f * ld + i] += 2e-2 * ((seed >> 8) / 16777216.0 - 0.5);
        }
    x->second.problem.project(x, u, x->v);
    CHECK_OK(wy_cheb_open(x, &err));
    balance_of(x, u, up);
    CHECK_OK(wy_cheb_jacobian(x, 0, u, NULL, &err));
    double worst = 0, big = 0;
    const int tested = 3; /* positions, and theta in the plane; turns below */
    for (int f = 0; f < tested; f++)
        for (int j = 0; j < nodes; j++) {
            const double h = 1e-6, keep = u[f * ld + j];
            u[f * ld + j] = keep + h, balance_of(x, u, up);
            u[f * ld + j] = keep - h, balance_of(x, u, down);
            u[f * ld + j] = keep;
            for (int a = 0; a < rows; a++)
                for (int i = 0; i < nodes; i++) {
                    const double expected = (up[a * ld + i] - down[a * ld + i]) / (2 * h);
                    const double ours = x->jac.stiff[(size_t)(a * nodes + i) * (size_t)cols +
                                                     (size_t)(f * nodes + j)];
                    worst = worst_of(worst, fabs(expected - ours)), big = worst_of(big, fabs(ours));
                }
        }
    for (int axis = 0; axis < 3 && !x->planar; axis++)
        for (int j = 0; j < nodes; j++) {
            const double h = 1e-6;
            double *at = u + 3 * ld + j;
            const quat q = {at[0], at[ld], at[2 * ld], at[3 * ld]};
            const vec3 e = v3(axis == 0, axis == 1, axis == 2);
            for (int side = 0; side < 2; side++) {
                const quat p = q_mul(q_exp(v3_scale(side ? -h : h, e)), q);
                at[0] = p.w, at[ld] = p.x, at[2 * ld] = p.y, at[3 * ld] = p.z;
                balance_of(x, u, side ? down : up);
            }
            at[0] = q.w, at[ld] = q.x, at[2 * ld] = q.y, at[3 * ld] = q.z;
            const quat d = q_mul((quat){0, 0.5 * e.x, 0.5 * e.y, 0.5 * e.z}, q);
            for (int a = 0; a < rows; a++)
                for (int i = 0; i < nodes; i++) {
                    const double expected = (up[a * ld + i] - down[a * ld + i]) / (2 * h);
                    const double *c = x->jac.stiff + (size_t)(a * nodes + i) * (size_t)cols +
                                      (size_t)(3 * nodes + j);
                    const double ours =
                        c[0] * d.w + c[nodes] * d.x + c[2 * nodes] * d.y + c[3 * nodes] * d.z;
                    worst = worst_of(worst, fabs(expected - ours));
                }
        }
    free(up), free(down), free(u);
    withy_sim_destroy(sim);
    return worst / big;
}

static void loaded(cheb_problem *x) {
    stubby(x, 0.2);
    x->rod.rest = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .radius = 3, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    x->rod.end[1] = (withy_end){.kind = WITHY_END_FREE,
                                .force = withy_field_vector(0.1, 0, 0.2),
                                .moment = withy_field_vector(0, 0.3, 0),
                                .follower = 1,
                                .spring = 0.7};
    x->load = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                           .to = 2,
                           .follower = 1,
                           .force = withy_field_vector(0.2, 0, 0.1)};
    x->problem.floor =
        (withy_floor){.given = 1, .point = {0, -1e-4, 0}, .normal = {0, 1, 0}, .stiffness = 30};
}

TEST(the_matrix_is_the_derivative_of_the_balance) {
    (void)unused_state;
    static const char *const options[] = {
        "n=8 ends=A space=planar",  "n=8 ends=B space=planar",
        "n=8 ends=G space=planar",  "n=8 ends=A space=spatial",
        "n=8 ends=B space=spatial", "n=8 ends=B space=planar derivative=expanded"};
    for (int k = 0; k < 6; k++) {
        cheb_problem x;
        loaded(&x);
        if (strstr(options[k], "expanded")) x.rod.end[1] = (withy_end){.kind = WITHY_END_CLAMPED};
        CHECK_BELOW(matrix_error(&x, options[k]), 1e-8);
    }
}

TEST(an_end_moment_bends_the_rod_to_a_circle_in_any_plane) {
    (void)unused_state;
    for (int e = 0; e < 3; e++)
        for (int space = 0; space < 2; space++) {
            static const char *const ends[] = {"ends=A", "ends=B", "ends=G"};
            cheb_problem x;
            char options[64];
            stubby(&x, 0.2);
            const double c = cos(0.7), s = sin(0.7), m = PI * 2.4;
            x.rod.end[1] =
                (withy_end){.kind = WITHY_END_FREE, .moment = withy_field_vector(0, -s * m, c * m)};
            snprintf(options, sizeof options, "n=16 %s space=%s", ends[e],
                     space ? "spatial" : "planar");
            withy_sim *sim = cheb_make(&x, options);
            const withy_snapshot *snap = cheb_balance(sim, 1);
            for (int i = 0; i < snap->count; i++) {
                const double r = (1 - cos(PI * snap->s[i])) / PI;
                CHECK_NEAR(snap->position[i].x, sin(PI * snap->s[i]) / PI, 1e-10);
                CHECK_NEAR(snap->position[i].y, c * r, 1e-10);
                CHECK_NEAR(snap->position[i].z, s * r, 1e-10);
            }
            withy_sim_destroy(sim);
        }
}

/* The spatial local and global loads that [CH] announces but does not list: a load given in the axes of
 * the end is that in laboratory axes, turned by the frame it ends up with. */
TEST(a_local_load_is_the_global_load_of_the_turned_frame) {
    (void)unused_state;
    for (int which = 0; which < 2; which++) { /* at the finish, at the start */
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1 - which] = (withy_end){.kind = WITHY_END_CLAMPED};
        x.rod.end[which] = (withy_end){.kind = WITHY_END_FREE,
                                       .force = withy_field_vector(0.4, 0.3, 0.2),
                                       .moment = withy_field_vector(0.5, -0.2, 0.3),
                                       .follower = 1};
        withy_sim *local = cheb_make(&x, "n=20");
        const withy_snapshot *snap = cheb_balance(local, 1);
        const int i = which ? snap->count - 1 : 0;
        const mat3 frame = q_matrix(snap->frame[i]);
        const vec3 f = m3_mul(frame, v3(0.4, 0.3, 0.2)), m = m3_mul(frame, v3(0.5, -0.2, 0.3));
        const withy_vec3 at = snap->position[i];
        x.rod.end[which].follower = 0;
        x.rod.end[which].force = withy_field_vector(f.x, f.y, f.z);
        x.rod.end[which].moment = withy_field_vector(m.x, m.y, m.z);
        withy_sim *global = cheb_make(&x, "n=20");
        snap = cheb_balance(global, 1);
        CHECK_BELOW(v3_norm(v3_sub(snap->position[i], at)), 1e-8);
        /* what the support carries: the load and its moment about the support */
        const int root = which ? 0 : 1, j = which ? 0 : snap->count - 1;
        const vec3 lever = v3_sub(at, snap->position[j]);
        CHECK_BELOW(v3_norm(v3_add(snap->reaction[root], f)), 1e-8);
        CHECK_BELOW(v3_norm(v3_add(snap->reaction_moment[root], v3_add(m, v3_cross(lever, f)))),
                    1e-8);
        withy_sim_destroy(local), withy_sim_destroy(global);
    }
}

TEST(equilibrium_converges_spectrally) {
    (void)unused_state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        cheb_problem x;
        char options[32];
        stubby(&x, 0.2);
        x.rod.end[1] = (withy_end){.kind = WITHY_END_FREE, .force = withy_field_vector(0, 2, 0)};
        snprintf(options, sizeof options, "n=%d", 6 + 4 * k);
        withy_sim *sim = cheb_make(&x, options);
        const withy_vec3 tip = tip_of(cheb_balance(sim, 1));
        error[k] = hypot(tip.x - 1.28289033, tip.y - 1.88887870);
        withy_sim_destroy(sim);
    }
    CHECK(error[1] < 0.05 * error[0]);
    CHECK_BELOW(error[2], 1e-8);
}

TEST(a_run_may_go_on_from_an_equilibrium_and_stays_there) {
    (void)unused_state;
    cheb_problem x;
    stubby(&x, 0.2);
    x.rod.end[1] = (withy_end){.kind = WITHY_END_FREE, .force = withy_field_vector(0, 1, 0)};
    x.problem.request = (withy_request){.stop = 2, .output = 1};
    withy_sim *sim = cheb_make(&x, "n=20");
    const withy_vec3 before = tip_of(cheb_balance(sim, 1));
    const withy_vec3 after = tip_of(cheb_go(sim, 2));
    CHECK_BELOW(v3_norm(v3_sub(after, before)), 1e-9);
    withy_sim_destroy(sim);
}

/* A uniform twisting moment t on a rod held against turning at one end only: twist = t (L - s)/GJ. */
TEST(a_rolling_end_carries_no_torque) {
    (void)unused_state;
    cheb_problem x;
    stubby(&x, 0.2);
    x.rod.end[1] = (withy_end){
        .kind = WITHY_END_CLAMPED, .tangent = withy_field_vector(1, 0, 0), .turn = WITHY_TURN_FREE};
    x.load = (withy_load){
        .kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .moment = withy_field_vector(0.2, 0, 0)};
    withy_sim *sim = cheb_make(&x, "n=12 space=spatial");
    const withy_snapshot *snap = cheb_balance(sim, 1);
    for (int i = 0; i < snap->count; i++) {
        CHECK_NEAR(snap->moment[i].x, 0.2 * (2 - snap->s[i]), 1e-9);
        CHECK_NEAR(snap->bend[i].z, 0.2 * (2 - snap->s[i]) / 1.6, 1e-9);
    }
    withy_sim_destroy(sim);
}

/* A point load in the middle of a cantilever: its work is exact, so root force and moment are. */
TEST(a_point_load_reaches_the_support_in_full) {
    (void)unused_state;
    for (int e = 1; e < 3; e++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        x.load = (withy_load){.kind = WITHY_LOAD_POINT,
                              .from = 0.8,
                              .to = 0.8,
                              .force = withy_field_vector(0, 1e-3, 0)};
        withy_sim *sim = cheb_make(&x, e == 1 ? "n=24 ends=B" : "n=24 ends=G");
        const withy_snapshot *snap = cheb_balance(sim, 1);
        CHECK_NEAR(snap->reaction[0].y, -1e-3, e == 1 ? 1e-5 : 1e-10);
        CHECK_NEAR(snap->reaction_moment[0].z, -0.8e-3, e == 1 ? 2e-5 : 1e-7);
        CHECK(strstr(withy_sim_notes(sim)->text, "algebraic") != NULL);
        withy_sim_destroy(sim);
    }
}

static withy_status moved(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 2, out[1] = 0.1 * t, out[2] = 0;
    return WITHY_OK;
}

TEST(a_rod_let_go_from_a_pull_starts_at_its_equilibrium) {
    (void)unused_state;
    const withy_load pull = {
        .kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .force = withy_field_vector(0, 0.3, 0)};
    cheb_problem x;
    stubby(&x, 0.2);
    x.rod.end[1].kind = WITHY_END_FREE;
    x.load = pull;
    withy_sim *equilibrium = cheb_make(&x, "n=16");
    const withy_vec3 expected = tip_of(cheb_balance(equilibrium, 1));
    x.load = (withy_load){0};
    x.rod.load_count = 0;
    x.rod.settled = 1, x.rod.pull = &pull, x.rod.pull_count = 1;
    withy_sim *sim = cheb_make(&x, "n=16");
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK_BELOW(v3_norm(v3_sub(tip_of(snap), expected)), 1e-10);
    CHECK(tip_of(cheb_go(sim, 1)).y < expected.y - 0.05); /* it swings back */
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-3);
    withy_sim_destroy(equilibrium), withy_sim_destroy(sim);
}

TEST(statics_that_leave_an_end_elsewhere_do_not_go_on_in_time) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    stubby(&x, 0.2);
    x.rod.end[1] = (withy_end){.kind = WITHY_END_CLAMPED, .position = {.size = 3, .call = moved}};
    withy_sim *sim = cheb_make(&x, "n=12");
    cheb_balance(sim, 1);
    CHECK(withy_sim_advance(sim, 1, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "initial = static") != NULL);
    withy_sim_destroy(sim);
}

/* A slender column, clamped and free, under its critical load pi^2 EI / 4 L^2 (shear and compression
 * change it by less than 1 %). */
TEST(beyond_eulers_load_a_straight_column_is_unstable) {
    (void)unused_state;
    for (int space = 0; space < 2; space++) {
        cheb_problem x;
        withy_error err = {0};
        withy_equilibrium low, high;
        stubby(&x, 0.002);
        const double load = PI * PI * 0.024 / 16;
        x.rod.end[1] =
            (withy_end){.kind = WITHY_END_FREE, .force = withy_field_vector(-load, 0, 0)};
        withy_sim *sim = cheb_make(&x, space ? "n=16 space=spatial" : "n=16 space=planar");
        CHECK_OK(withy_sim_equilibrium(sim, 0.95, &low, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1.05, &high, &err));
        CHECK(low.negative == 0);
        CHECK(high.negative == 1 + space); /* in both planes */
        CHECK(high.mark == WITHY_POINT_BRANCH);
        withy_sim_destroy(sim);
    }
}

/* A shallow arch under a load on its whole length: the path turns back at the load that snaps it. */
TEST(arc_length_follows_a_path_beyond_its_limit_point) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_equilibrium at = {0};
    double most = 0;
    int limits = 0;
    stubby(&x, 0.002);
    x.rod.rest = x.rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {1, 0, 0}, .normal = {0, -1, 0}, .radius = 2};
    x.rod.end[1].kind = WITHY_END_CLAMPED;
    x.load = (withy_load){
        .kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .force = withy_field_vector(0.8, -1.5, 0)};
    withy_sim *sim = cheb_make(&x, "n=20");
    for (int k = 0; k < 120 && limits < 2; k++) {
        CHECK_OK(withy_sim_follow(sim, 0.05, 1, &at, &err));
        limits += at.mark == WITHY_POINT_LIMIT;
        most = limits ? most : fmax(most, at.factor);
    }
    CHECK(limits == 2); /* there and back: it has snapped */
    CHECK(at.factor < most);
    withy_sim_destroy(sim);
}

TEST(an_end_driven_by_its_velocity_has_no_equilibrium) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_equilibrium point;
    stubby(&x, 0.2);
    x.rod.end[1] =
        (withy_end){.kind = WITHY_END_CLAMPED, .velocity = withy_field_vector(0.1, 0, 0)};
    withy_sim *sim = cheb_make(&x, "n=8");
    CHECK(withy_sim_equilibrium(sim, 1, &point, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "ends.finish.position") != NULL);
    withy_sim_destroy(sim);
}

TEST(a_rod_that_nothing_holds_has_no_equilibrium) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_equilibrium point;
    stubby(&x, 0.2);
    x.rod.end[0].kind = WITHY_END_FREE;
    x.problem.gravity = (withy_vec3){0, -1, 0};
    withy_sim *sim = cheb_make(&x, "n=8");
    CHECK(withy_sim_equilibrium(sim, 1, &point, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "hold an end") != NULL);
    withy_sim_destroy(sim);
}

RUN(test(the_matrix_is_the_derivative_of_the_balance),
    test(an_end_moment_bends_the_rod_to_a_circle_in_any_plane),
    test(a_local_load_is_the_global_load_of_the_turned_frame),
    test(equilibrium_converges_spectrally),
    test(a_run_may_go_on_from_an_equilibrium_and_stays_there),
    test(a_rolling_end_carries_no_torque), test(a_point_load_reaches_the_support_in_full),
    test(a_rod_let_go_from_a_pull_starts_at_its_equilibrium),
    test(statics_that_leave_an_end_elsewhere_do_not_go_on_in_time),
    test(beyond_eulers_load_a_straight_column_is_unstable),
    test(arc_length_follows_a_path_beyond_its_limit_point),
    test(an_end_driven_by_its_velocity_has_no_equilibrium),
    test(a_rod_that_nothing_holds_has_no_equilibrium))
