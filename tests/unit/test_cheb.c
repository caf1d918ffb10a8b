/* The cheb method in motion: invariants, ends, loads, damping, refusals, memory. */
#include "cheb_problems.h"

static const char *const ENDS[] = {"ends=A", "ends=B", "ends=G"};

static withy_status wave_velocity(void *context, double s, double t, double *out,
                                  withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.05 * sin(s), out[1] = 0.1 * cos(2 * s), out[2] = 0;
    return WITHY_OK;
}

static withy_status space_velocity(void *context, double s, double t, double *out,
                                   withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.05 * sin(s), out[1] = 0.1 * cos(2 * s), out[2] = 0.1 * sin(2 * s);
    return WITHY_OK;
}

TEST(a_free_rod_falls_as_a_stone) {
    (void)unused_state;
    for (int e = 0; e < 3; e++) {
        cheb_problem x;
        char options[64];
        stubby(&x, 0.2);
        x.rod.end[0].kind = WITHY_END_FREE;
        x.problem.gravity = (withy_vec3){0, -9.81, 0};
        snprintf(options, sizeof options, "n=10 %s", ENDS[e]);
        withy_sim *sim = cheb_make(&x, options);
        const withy_snapshot *snap = cheb_go(sim, 1);
        for (int i = 0; i < snap->count; i++) {
            CHECK_NEAR(snap->position[i].y, -9.81 / 2, 1e-10);
            CHECK_NEAR(snap->position[i].x, snap->s[i], 1e-10);
        }
        withy_sim_destroy(sim);
    }
}

TEST(a_free_rod_keeps_momentum_and_energy) {
    (void)unused_state;
    for (int e = 1; e < 3; e++)
        for (int space = 0; space < 2; space++) {
            cheb_problem x;
            char options[64];
            stubby(&x, 0.2);
            x.rod.end[0].kind = WITHY_END_FREE;
            x.rod.velocity =
                (withy_field){.size = 3, .call = space ? space_velocity : wave_velocity};
            x.problem.request = (withy_request){.stop = 5, .output = 1};
            snprintf(options, sizeof options, "n=16 dt=0.004 %s", ENDS[e]);
            withy_sim *sim = cheb_make(&x, options);
            CHECK(((wy_cheb *)sim->self)->planar == !space);
            const withy_snapshot *snap = withy_sim_sample(sim, 0);
            const withy_vec3 p = snap->momentum, h = snap->angular_momentum;
            snap = cheb_go(sim, 5);
            CHECK_BELOW(v3_norm(v3_sub(snap->momentum, p)), 1e-13);
            CHECK_BELOW(v3_norm(v3_sub(snap->angular_momentum, h)), e == 2 ? 1e-8 : 1e-6);
            CHECK_BELOW(withy_sim_stats(sim).energy_drift, e == 2 ? 1e-5 : 1e-4);
            CHECK(!withy_sim_stats(sim).conserves); /* to its order, and it does not claim more */
            withy_sim_destroy(sim);
        }
}

TEST(planar_and_spatial_rods_move_alike) {
    (void)unused_state;
    withy_vec3 tip[2] = {{0}};
    for (int space = 0; space < 2; space++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        x.rod.end[1].force = withy_field_vector(0.1, 0.5, 0);
        x.rod.drag_linear = 0.2, x.rod.drag_spin = 0.1, x.rod.damping_time = 1e-3;
        withy_sim *sim =
            cheb_make(&x, space ? "n=20 dt=0.002 space=spatial" : "n=20 dt=0.002 space=planar");
        tip[space] = tip_of(cheb_go(sim, 1));
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(tip[1].x, tip[0].x, 1e-8);
    CHECK_NEAR(tip[1].y, tip[0].y, 1e-8);
    CHECK_NEAR(tip[1].z, 0, 1e-12);
}

TEST(a_turned_world_gives_the_turned_answer) {
    (void)unused_state;
    const mat3 turn = q_matrix(q_unit((quat){0.7, 0.3, -0.5, 0.2}));
    for (int space = 0; space < 2; space++) {
        withy_vec3 tip[2] = {{0}};
        for (int k = 0; k < 2; k++) {
            const mat3 world = k ? turn : m3_identity();
            cheb_problem x;
            stubby(&x, 0.2);
            x.rod.initial.along = m3_mul(world, v3(1, 0, 0));
            x.rod.initial.normal = m3_mul(world, v3(0, 1, 0));
            const vec3 f = m3_mul(world, v3(0.1, 0.5, space ? 0.4 : 0));
            x.rod.end[1].kind = WITHY_END_FREE;
            x.rod.end[1].force = withy_field_vector(f.x, f.y, f.z);
            const vec3 m = m3_mul(world, v3(0.3, 0, 0)); /* a force alone and a rod make a plane */
            if (space) x.rod.end[1].moment = withy_field_vector(m.x, m.y, m.z);
            withy_sim *sim = cheb_make(&x, "n=12 dt=0.005");
            CHECK(((wy_cheb *)sim->self)->planar == !space);
            tip[k] = tip_of(cheb_go(sim, 1));
            withy_sim_destroy(sim);
        }
        CHECK_BELOW(v3_norm(v3_sub(m3_mul(turn, tip[0]), tip[1])), 1e-11);
    }
}

TEST(a_rod_described_from_its_other_end_moves_alike) {
    (void)unused_state;
    withy_vec3 tip[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        cheb_problem x;
        stubby(&x, 0.2);
        const withy_end held = {.kind = WITHY_END_CLAMPED};
        const withy_end loose = {.kind = WITHY_END_FREE, .force = withy_field_vector(0, 0.3, 0.2)};
        if (k) x.rod.initial.along = v3(-1, 0, 0), x.rod.initial.from = v3(2, 0, 0);
        x.rod.end[k] = held, x.rod.end[1 - k] = loose;
        withy_sim *sim = cheb_make(&x, "n=12");
        const withy_snapshot *snap = cheb_go(sim, 1);
        tip[k] = k ? snap->position[0] : tip_of(snap);
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(v3_norm(v3_sub(tip[0], tip[1])), 1e-11);
}

/* A mass on a cantilever: w1 of the Timoshenko beam with a tip mass, from a fine mesh of form G. */
TEST(a_body_on_the_end_converges_spectrally) {
    (void)unused_state;
    double found[3];
    for (int k = 0; k < 3; k++) {
        static const char *const options[] = {
            "n=12 ends=B space=planar", "n=24 ends=G space=planar", "n=12 ends=B space=spatial"};
        cheb_problem x;
        withy_error err = {0};
        withy_mode *mode;
        stubby(&x, 0.2);
        x.rod.end[1] = (withy_end){
            .kind = WITHY_END_FREE, .mass = 1, .inertia = {0.1, 0.1, 0.1}, .offset = {0, 0, 0.3}};
        withy_sim *sim = cheb_make(&x, options[k]);
        CHECK_OK(withy_sim_modes(sim, 3, &mode, &err));
        found[k] = mode[0].frequency;
        withy_modes_free(mode, 3);
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(found[0], found[1], 1e-9 * found[1]);
    CHECK_NEAR(found[2], found[1], 1e-9 * found[1]);
}

TEST(a_rod_with_a_body_on_its_end_keeps_its_energy) {
    (void)unused_state;
    for (int space = 0; space < 2; space++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1] = (withy_end){.kind = WITHY_END_FREE,
                                   .mass = 0.5,
                                   .inertia = {0.1, 0.05, 0.1},
                                   .offset = {0.1, 0, 0.2},
                                   .spring = 2,
                                   .spring_turn = 0.5};
        x.rod.velocity = (withy_field){.size = 3, .call = space ? space_velocity : wave_velocity};
        x.rod.end[0].kind = WITHY_END_FREE;
        x.problem.request = (withy_request){.stop = 3, .output = 0.5};
        withy_sim *sim = cheb_make(&x, "n=16 ends=G");
        cheb_go(sim, 3);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 2e-5);
        withy_sim_destroy(sim);
    }
}

TEST(every_pair_of_ends_runs_and_keeps_its_energy) {
    (void)unused_state;
    const withy_end_kind kind[] = {WITHY_END_FREE, WITHY_END_PINNED, WITHY_END_CLAMPED,
                                   WITHY_END_GUIDED};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int space = 0; space < 2; space++) {
                cheb_problem x;
                stubby(&x, 0.2);
                x.rod.end[0].kind = kind[a], x.rod.end[1].kind = kind[b];
                x.rod.velocity =
                    (withy_field){.size = 3, .call = space ? space_velocity : wave_velocity};
                withy_sim *sim = cheb_make(&x, "n=12 ends=G dt=0.003");
                cheb_go(sim, 1);
                CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-3);
                withy_sim_destroy(sim);
            }
}

TEST(an_end_that_is_free_to_turn_rolls_and_carries_no_torque) {
    (void)unused_state;
    cheb_problem x;
    stubby(&x, 0.2);
    x.rod.end[1] = (withy_end){
        .kind = WITHY_END_CLAMPED, .tangent = withy_field_vector(1, 0, 0), .turn = WITHY_TURN_FREE};
    x.rod.spin =
        withy_field_vector(0.3, 0, 0); /* clamped at the start, so it winds up and returns */
    x.problem.request = (withy_request){.stop = 1, .output = 1};
    withy_sim *sim = cheb_make(&x, "n=16 space=spatial");
    const withy_snapshot *snap = cheb_go(sim, 1);
    const vec3 d3 = q_turn(snap->frame[16], v3(0, 0, 1)), d1 = q_turn(snap->frame[16], v3(1, 0, 0));
    CHECK_NEAR(d3.x, 1, 1e-12);
    CHECK(d1.z > 0.1);                           /* it has rolled */
    CHECK_BELOW(fabs(snap->moment[16].x), 2e-2); /* and carries no torque */
    withy_sim_destroy(sim);
}

/* ---- one motion of an end, given by position, by velocity and by acceleration ------------------- */

static withy_status driven(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double a = 0.5 * (1 - cos(PI * t)), b = 0.5 * PI * sin(PI * t),
                 c = 0.5 * PI * PI * cos(PI * t);
    const double turn = 0.6 * a, spin = 0.6 * b, rate = 0.6 * c; /* about z */
    switch (*(const int *)context) {
    case 0: out[0] = 2, out[1] = 0.2 * a, out[2] = 0; break;
    case 1: out[0] = 0, out[1] = 0.2 * b, out[2] = 0; break;
    case 2: out[0] = 0, out[1] = 0.2 * c, out[2] = 0; break;
    case 3: { /* the frame d3 = x, d1 = y, turned about z */
        const quat q = q_mul(q_exp(v3(0, 0, turn)), (quat){0.5, 0.5, 0.5, 0.5});
        out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
        break;
    }
    case 4: out[0] = out[1] = 0, out[2] = spin; break;
    default: out[0] = out[1] = 0, out[2] = rate;
    }
    return WITHY_OK;
}

TEST(an_end_driven_by_place_rate_or_rate_of_rate_moves_alike) {
    (void)unused_state;
    static int which[] = {0, 1, 2, 3, 4, 5};
    for (int space = 0; space < 2; space++)
        for (int adams = 0; adams < 2; adams++) {
            withy_vec3 middle[3] = {{0}};
            for (int k = 0; k < 3; k++) {
                cheb_problem x;
                char options[96];
                stubby(&x, 0.2);
                x.rod.end[1].kind = WITHY_END_CLAMPED;
                withy_field *place[] = {&x.rod.end[1].position, &x.rod.end[1].velocity,
                                        &x.rod.end[1].acceleration};
                withy_field *turn[] = {&x.rod.end[1].frame, &x.rod.end[1].spin,
                                       &x.rod.end[1].spin_rate};
                *place[k] = (withy_field){.size = 3, .call = driven, .context = &which[k]};
                *turn[k] =
                    (withy_field){.size = k ? 3 : 4, .call = driven, .context = &which[3 + k]};
                snprintf(options, sizeof options, "n=10 dt=0.001 integrator=%s space=%s",
                         adams ? "ab3" : "rk4", space ? "spatial" : "planar");
                withy_sim *sim = cheb_make(&x, options);
                middle[k] = cheb_go(sim, 1)->position[5];
                withy_sim_destroy(sim);
            }
            CHECK_BELOW(v3_norm(v3_sub(middle[1], middle[0])), adams ? 2e-7 : 1e-9);
            CHECK_BELOW(v3_norm(v3_sub(middle[2], middle[0])), adams ? 2e-7 : 1e-9);
        }
}

TEST(a_rolling_end_rolls_alike_with_implicit_steps) {
    (void)unused_state;
    double turned[2] = {0};
    for (int k = 0; k < 2; k++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1] = (withy_end){.kind = WITHY_END_CLAMPED,
                                   .tangent = withy_field_vector(1, 0, 0),
                                   .turn = WITHY_TURN_FREE};
        x.load = (withy_load){
            .kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .moment = withy_field_vector(0.2, 0, 0)};
        withy_sim *sim = cheb_make(&x, k ? "n=10 space=spatial integrator=radau dt=0.01"
                                         : "n=10 space=spatial dt=0.004");
        turned[k] = q_turn(cheb_go(sim, 1)->frame[10], v3(1, 0, 0)).z;
        withy_sim_destroy(sim);
    }
    CHECK(turned[0] > 0.05);
    CHECK_NEAR(turned[1], turned[0], 1e-5);
}

TEST(inner_damping_stops_the_rod_and_the_balance_of_energy_holds) {
    (void)unused_state;
    for (int space = 0; space < 2; space++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        x.rod.velocity = (withy_field){.size = 3, .call = space ? space_velocity : wave_velocity};
        x.rod.damping_time = 0.05;
        x.problem.request = (withy_request){.stop = 8, .output = 1};
        withy_sim *sim = cheb_make(&x, "n=10");
        double before = withy_sim_sample(sim, 0)->conserved;
        const double first = before;
        for (int k = 1; k <= 8; k++) {
            const double now = cheb_go(sim, k)->conserved;
            CHECK(now < before);
            before = now;
        }
        CHECK(before < 0.8 * first);
        CHECK(!withy_sim_stats(sim).conserves);
        withy_sim_destroy(sim);
    }
}

TEST(advance_takes_no_memory) {
    (void)unused_state;
    static const char *const options[] = {
        "n=12 integrator=rk4", "n=12 integrator=ab3", "n=12 integrator=radau dt=0.05",
        "n=12 integrator=alpha dt=0.05 space=spatial", "n=12 integrator=midpoint dt=0.05"};
    const size_t blocks = withy_memory_blocks();
    for (int k = 0; k < 5; k++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        x.problem.gravity = (withy_vec3){0, -0.1, 0};
        withy_sim *sim = cheb_make(&x, options[k]);
        const size_t before = withy_memory_allocations();
        cheb_go(sim, 1);
        CHECK(withy_memory_allocations() == before);
        withy_sim_destroy(sim);
    }
    CHECK(withy_memory_blocks() == blocks);
}

TEST(the_adaptive_integrators_agree_with_rk4) {
    (void)unused_state;
    withy_vec3 tip[3] = {{0}};
    static const char *const options[] = {"n=10 integrator=rk4 dt=0.001",
                                          "n=10 integrator=erk tol=1e-9 absolute=1e-11",
                                          "n=10 integrator=bdf tol=1e-8 absolute=1e-10"};
    for (int k = 0; k < 3; k++) {
        cheb_problem x;
        withy_error err = {0};
        withy_sim *sim = NULL;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        x.problem.gravity = (withy_vec3){0, -0.3, 0.1};
        x.problem.request = (withy_request){.stop = 1, .output = 0.25};
        if (cheb_try(&x, options[k], &sim, &err) == WITHY_MISSING) return; /* no SUNDIALS here */
        CHECK(sim != NULL);
        tip[k] = tip_of(cheb_go(sim, 1));
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(v3_norm(v3_sub(tip[1], tip[0])), 1e-7);
    CHECK_BELOW(v3_norm(v3_sub(tip[2], tip[0])), 1e-5);
}

/* In 0.1.0 every stop was a restart at order 1: 1172 steps became 3272 with 100 outputs. */
TEST(bdf_keeps_its_history_over_the_times_it_stops_at) {
    int64_t steps[2];
    withy_vec3 tip[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        cheb_problem x;
        stubby(&x, 0.002);
        x.rod.drag_linear = 0.1;
        x.problem.gravity = (withy_vec3){0, -0.02, 0};
        withy_sim *sim = cheb_make(&x, "n=8 integrator=bdf tol=1e-6");
        const int stops = k ? 100 : 1;
        for (int i = 1; i <= stops; i++) tip[k] = tip_of(cheb_go(sim, 10.0 * i / stops));
        steps[k] = withy_sim_stats(sim).steps;
        withy_sim_destroy(sim);
    }
    printf("%lld steps, with 100 stops %lld\n", (long long)steps[0], (long long)steps[1]);
    CHECK(steps[1] < steps[0] + 2 * 100);
    CHECK_BELOW(v3_norm(v3_sub(tip[0], tip[1])), 1e-4);
}

TEST(an_unstable_step_is_refused_with_the_limit) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_sim *sim = NULL;
    stubby(&x, 0.2);
    x.rod.end[1].kind = WITHY_END_CLAMPED;
    CHECK(cheb_try(&x, "n=16 ends=B dt=0.016", &sim, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "allows 0.01449") != NULL);
    CHECK(strstr(err.text, "radau") != NULL);
    withy_sim_destroy(sim);
}

/* [CH] 5.2.3: that the step is near the limit "a simple experiment can easily show". */
TEST(an_unstable_step_runs_when_it_is_asked_for) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_sim *sim = NULL;
    stubby(&x, 0.2);
    x.rod.end[1].kind = WITHY_END_CLAMPED;
    CHECK_OK(cheb_try(&x, "n=16 ends=B dt=0.016 safe=false", &sim, &err));
    CHECK(strstr(withy_sim_notes(sim)->text, "is UNSTABLE: rk4 with n = 16 allows 0.01449") !=
          NULL);
    withy_status status = WITHY_OK;
    double first = 0, last = 0;
    for (int i = 1; i <= 2000 && status == WITHY_OK; i++) {
        status = withy_sim_advance(sim, 0.016 * i, &err);
        const withy_stats stats = withy_sim_stats(sim);
        if (i == 1) first = stats.energy_end;
        if (status == WITHY_OK) last = stats.energy_end;
    }
    printf("energy %g, %g at the end: %s\n", first, last, status ? err.text : "complete");
    CHECK(status != WITHY_OK || last > 10 * first); /* it grows, and is not stopped for that */
    if (status != WITHY_OK) CHECK(strstr(err.text, "grown without bound") != NULL);
    withy_sim_destroy(sim);
    CHECK_OK(cheb_try(&x, "n=16 ends=B dt=0.014 safe=false", &sim, &err));
    CHECK(strstr(withy_sim_notes(sim)->text, "UNSTABLE") == NULL);
    withy_sim_destroy(sim);
}

TEST(a_rod_that_cannot_shear_is_refused_with_another_method) {
    (void)unused_state;
    cheb_problem x;
    withy_error err = {0};
    withy_sim *sim = NULL;
    stubby(&x, 0.2);
    x.rod.stiffness[WITHY_SHEAR1] = x.rod.stiffness[WITHY_SHEAR2] = (withy_field){0};
    CHECK(cheb_try(&x, "n=16", &sim, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "stiffness.shear") != NULL);
    CHECK(strstr(err.text, "elastica") != NULL);
    withy_sim_destroy(sim);
}

TEST(too_few_points_are_reported_once) {
    (void)unused_state;
    cheb_problem x;
    stubby(&x, 0.002);
    x.rod.end[1].kind = WITHY_END_FREE;
    x.problem.gravity = (withy_vec3){0, -0.05, 0};
    x.problem.request = (withy_request){.stop = 20, .output = 1};
    withy_sim *few = cheb_make(&x, "n=4"), *many = cheb_make(&x, "n=24");
    for (int k = 1; k <= 10; k++) cheb_go(few, k), cheb_go(many, k);
    const char *note = strstr(withy_sim_notes(few)->text, "n = 4 resolves the shape");
    CHECK(note != NULL);
    CHECK(strstr(note + 20, "resolves the shape") == NULL);
    CHECK(strstr(withy_sim_notes(many)->text, "resolves the shape") == NULL);
    withy_sim_destroy(few);
    withy_sim_destroy(many);
}

/* What the note says is what a finer mesh shows: bent by an end moment, whose series is known to decay, and
 * nearly at rest, where only rounding is left. */
TEST(the_note_about_n_is_true) {
    static const struct {
        int n;
        double moment;
    } row[] = {{4, 7.5}, {6, 7.5}, {8, 7.5}, {12, 7.5}, {4, 1e-6}, {16, 1e-9}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cheb_problem x;
        char options[32];
        stubby(&x, 0.2);
        x.rod.end[1].moment = withy_field_vector(0, 0, row[k].moment);
        snprintf(options, sizeof options, "n=%d", row[k].n);
        withy_sim *sim = cheb_make(&x, options);
        const withy_snapshot *snap = cheb_balance(sim, 1);
        const double bend = row[k].moment / 2.4; /* a circle of that curvature */
        double off = 0;
        for (int i = 0; i < snap->count; i++) {
            const double s = snap->s[i];
            const withy_vec3 there = {sin(bend * s) / bend, (1 - cos(bend * s)) / bend, 0};
            off = fmax(off, v3_norm(v3_sub(snap->position[i], there)) * bend / (1 + bend));
        }
        const int noted = strstr(withy_sim_notes(sim)->text, "resolves the shape") != NULL;
        printf("n = %d, moment %g: off by %.1e, %s\n", row[k].n, row[k].moment, off,
               noted ? "noted" : "not noted");
        CHECK(noted ? off > 1e-4 : off < 1e-2);
        withy_sim_destroy(sim);
    }
}

TEST(the_same_quantities_are_there_at_the_start_and_later) {
    (void)unused_state;
    for (int space = 0; space < 2; space++) {
        cheb_problem x;
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_FREE;
        withy_sim *sim = cheb_make(&x, space ? "n=8 space=spatial" : "n=8");
        const unsigned first = withy_sim_sample(sim, 0)->have;
        CHECK(cheb_go(sim, 1)->have == first);
        withy_sim_destroy(sim);
    }
}

RUN(test(a_free_rod_falls_as_a_stone), test(a_free_rod_keeps_momentum_and_energy),
    test(planar_and_spatial_rods_move_alike), test(a_turned_world_gives_the_turned_answer),
    test(a_rod_described_from_its_other_end_moves_alike),
    test(a_body_on_the_end_converges_spectrally),
    test(a_rod_with_a_body_on_its_end_keeps_its_energy),
    test(every_pair_of_ends_runs_and_keeps_its_energy),
    test(an_end_that_is_free_to_turn_rolls_and_carries_no_torque),
    test(an_end_driven_by_place_rate_or_rate_of_rate_moves_alike),
    test(a_rolling_end_rolls_alike_with_implicit_steps),
    test(inner_damping_stops_the_rod_and_the_balance_of_energy_holds),
    test(advance_takes_no_memory), test(the_adaptive_integrators_agree_with_rk4),
    test(an_unstable_step_is_refused_with_the_limit),
    test(an_unstable_step_runs_when_it_is_asked_for),
    test(bdf_keeps_its_history_over_the_times_it_stops_at),
    test(a_rod_that_cannot_shear_is_refused_with_another_method),
    test(too_few_points_are_reported_once), test(the_note_about_n_is_true),
    test(the_same_quantities_are_there_at_the_start_and_later))
