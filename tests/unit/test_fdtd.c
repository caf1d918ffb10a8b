/* Properties of fdtd: exact falls, conserved energy and momentum, the limit of the step, its messages. */
#include <time.h>

#include "check.h"
#include "fdtd_problems.h"

static withy_sim *make(const withy_rod *rod, int rods, const fd_run *how) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(fd_create(rod, rods, how, &sim, &err));
    return sim;
}

static const withy_snapshot *after(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL);
    return snap;
}

TEST(a_free_rod_falls_exactly) {
    const withy_rod rod = fd_string(0, WITHY_END_FREE);
    const double g = 9.80665, t = 1e-3;
    for (int order = 2; order <= 6; order += 2) {
        const fd_run how = {.n = 24, .order = order, .stop = t, .output = t, .gravity = {0, -g, 0}};
        withy_sim *sim = make(&rod, 1, &how);
        const withy_snapshot *snap = after(sim, t);
        CHECK_NEAR(snap->position[12].y / (-0.5 * g * t * t), 1, 1e-12);
        CHECK_NEAR(snap->velocity[12].y / (-g * t), 1, 1e-12);
        withy_sim_destroy(sim);
    }
}

static withy_status tumble(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 1.5 * sin(3 * s), out[1] = 0.8 * cos(2 * s), out[2] = 0.3;
    return WITHY_OK;
}

TEST(a_tumbling_free_rod_keeps_its_momentum) {
    withy_rod rod = fd_soft_rod(WITHY_END_FREE, WITHY_END_FREE);
    rod.velocity = (withy_field){.size = 3, .call = tumble};
    rod.spin = withy_field_vector(1, 2, 3);
    const fd_run how = {.n = 24, .order = 4, .stop = 2, .output = 0.1, .dt = 1e-4};
    withy_sim *sim = make(&rod, 1, &how);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_vec3 p = snap->momentum, j = snap->angular_momentum;
    const double size = sqrt(j.x * j.x + j.y * j.y + j.z * j.z);
    for (int k = 1; k <= 20; k++) {
        snap = after(sim, 0.1 * k);
        CHECK_NEAR(snap->momentum.x, p.x, 1e-12);
        CHECK_NEAR(snap->momentum.z, p.z, 1e-12);
        CHECK_NEAR(snap->angular_momentum.x, j.x, 2e-5 * size); /* first order in the step */
        CHECK_NEAR(snap->angular_momentum.y, j.y, 2e-5 * size);
        CHECK_NEAR(snap->angular_momentum.z, j.z, 2e-5 * size);
    }
    withy_sim_destroy(sim);
}

TEST(a_plucked_string_keeps_its_energy) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 1e-3);
    const fd_run how = {.n = 32, .order = 2, .dt = 5e-8, .stop = 0.02, .output = 0.001};
    withy_sim *sim = make(&rod, 1, &how);
    for (int k = 1; k <= 20; k++) after(sim, 0.001 * k);
    const withy_stats stats = withy_sim_stats(sim);
    CHECK_BELOW(stats.energy_drift, 1e-5);    /* bounded; the grid does not resolve the corner */
    CHECK_BELOW(stats.constraint_max, 1e-11); /* unit quaternions drift by rounding only */
    CHECK(stats.steps == 400000);
    withy_sim_destroy(sim);
}

TEST(a_rotated_world_gives_the_rotated_answer) {
    double tip[2];
    for (int turned = 0; turned < 2; turned++) {
        withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
        fd_run how = {.n = 20, .order = 4, .stop = 0.5, .output = 0.5, .gravity = {-9.81, 0, 0}};
        if (turned) { /* (x, y, z) -> (y, z, x) */
            rod.initial.along = (withy_vec3){0, 1, 0}, rod.initial.normal = (withy_vec3){0, 0, 1};
            how.gravity = (withy_vec3){0, 0, -9.81};
        }
        withy_sim *sim = make(&rod, 1, &how);
        const withy_snapshot *snap = after(sim, 0.5);
        tip[turned] = turned ? snap->position[20].z : snap->position[20].x;
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(tip[0], tip[1], 1e-12);
    CHECK_BELOW(tip[0], -0.3); /* it did fall */
}

TEST(rods_in_one_run_do_as_they_do_alone) {
    withy_rod rod[11];
    for (int i = 0; i < 11; i++) {
        rod[i] = fd_string(60 + i, WITHY_END_PINNED);
        fd_set_pluck(&rod[i], 1e-4 * (i + 1));
    }
    const fd_run how = {.n = 24, .order = 2, .dt = 5e-8, .stop = 1e-3, .output = 1e-3};
    withy_sim *all = make(rod, 11, &how);
    after(all, 1e-3);
    for (int i = 0; i < 11; i += 5) { /* in a full pack of eight, and beyond it */
        withy_sim *alone = make(&rod[i], 1, &how);
        const double x = after(alone, 1e-3)->position[7].x;
        CHECK_NEAR(withy_sim_sample(all, i)->position[7].x, x, 1e-13);
        withy_sim_destroy(alone);
    }
    withy_sim_destroy(all);
}

TEST(threads_do_not_change_a_digit) {
    static withy_rod rod[40];
    for (int i = 0; i < 40; i++) {
        rod[i] = fd_string(60 + i, WITHY_END_PINNED);
        fd_set_pluck(&rod[i], 1e-4);
    }
    double x[2];
    for (int threads = 1; threads <= 3; threads += 2) {
        const fd_run how = {
            .n = 24, .order = 2, .dt = 5e-8, .stop = 3e-4, .output = 3e-4, .threads = threads};
        withy_sim *sim = make(rod, 40, &how);
        after(sim, 3e-4);
        x[threads / 2] = withy_sim_sample(sim, 33)->position[7].x;
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(x[0], x[1], 0);
}

TEST(an_advance_off_the_grid_of_steps_lands_where_it_is_asked_to) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 1e-4);
    const fd_run how = {.n = 24, .order = 2, .stop = 1e-3, .output = 1e-4};
    withy_sim *regular = make(&rod, 1, &how), *odd = make(&rod, 1, &how);
    const double x = after(regular, 1e-3)->position[12].x;
    after(odd, 1.234567e-4), after(odd, 5e-4);
    CHECK_NEAR(after(odd, 1e-3)->position[12].x, x, 1e-9);
    CHECK_NEAR(withy_sim_time(odd), 1e-3, 0);
    withy_sim_destroy(regular);
    withy_sim_destroy(odd);
}

TEST(the_pluck_starts_as_a_static_shape) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 1e-3);
    rod.initial.at = 0.25 * rod.length;
    const fd_run how = {.n = 256, .order = 2, .stop = 1e-6, .output = 1e-6};
    withy_sim *sim = make(&rod, 1, &how);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK_NEAR(snap->position[64].x, 1e-3, 1e-9); /* as high as asked */
    CHECK_NEAR(snap->position[256].z, FD_LENGTH, 1e-12);
    double low = 1e9, high = 0; /* the same tension all along */
    for (int i = 2; i <= 254; i++) {
        if (abs(i - 64) < 3) continue;
        low = fmin(low, snap->force[i].z), high = worst_of(high, snap->force[i].z);
    }
    CHECK_BELOW(high / low - 1, 2e-4);
    CHECK_NEAR(low, 65.4, 0.3);                          /* and a little more than at rest */
    const double bend = snap->bend[64].y, sharp = FD_PI; /* rounded over sqrt(EI/T) = 1.6 mm */
    CHECK(bend != 0 && fabs(bend) < sharp * 10);
    withy_sim_destroy(sim);
}

TEST(a_step_longer_than_the_limit_is_refused_with_the_limit) {
    const withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_run how = {.n = 64, .order = 2, .dt = 6e-8, .stop = 1e-3, .output = 1e-3};
    withy_error err = {0};
    withy_sim *sim;
    CHECK(fd_create(&rod, 1, &how, &sim, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(
        err.text,
        "options.dt = 6e-08: unstable, the limit is 5.685e-08 s for n = 64 at order 2 (set by "
        "shear waves in a thin rod: options.inertia = \"regularised\" allows more); use a "
        "smaller dt, or \"auto\"");
    how.regularised = 1, how.dt = 6e-7;
    CHECK_OK(fd_create(&rod, 1, &how, &sim, &err));
    CHECK(strstr(withy_sim_notes(sim)->text, "lowers the first partial by 0.12") != NULL);
    withy_sim_destroy(sim);
}

TEST(an_unstable_step_taken_all_the_same_is_reported) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 1e-4);
    const fd_run how = {.n = 24, .order = 2, .dt = 6.2e-8, .stop = 1, .output = 1e-2, .unsafe = 1};
    withy_sim *sim = make(&rod, 1, &how);
    withy_error err = {0};
    CHECK(withy_sim_advance(sim, 1e-2, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "use a smaller options.dt") != NULL);
    withy_sim_destroy(sim);
}

TEST(what_the_method_cannot_do_is_refused_with_a_way_out) {
    withy_error err = {0};
    withy_sim *sim;
    const fd_run how = {.n = 24, .order = 2, .stop = 1, .output = 1};
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    rod.end[1].kind = WITHY_END_FREE;
    CHECK(fd_create(&rod, 1, &how, &sim, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text,
               "fdtd: rod.tension needs both ends held (pinned or clamped); pull at a free "
               "end with ends.finish.force instead");
    rod = fd_string(65, WITHY_END_PINNED);
    rod.end[1].position = withy_field_vector(0, 0, 0.4);
    CHECK(fd_create(&rod, 1, &how, &sim, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "fdtd: with rod.tension = 65 the ends must be rod.length = 0.328 apart (the "
               "speaking length); they are 0.4 apart");
    const fd_run coarse = {.n = 10, .order = 6, .stop = 1, .output = 1};
    rod = fd_string(65, WITHY_END_PINNED);
    CHECK(fd_create(&rod, 1, &coarse, &sim, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "options.n = 10: order 6 needs at least 18 intervals, or choose a lower "
                         "options.order");
    const fd_run literal = {.n = 24, .order = 6, .stop = 1, .output = 1, .literal = 1};
    rod = fd_string(65, WITHY_END_CLAMPED);
    CHECK(fd_create(&rod, 1, &literal, &sim, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(
        err.text,
        "fdtd: the literal scheme supports only two pinned ends that do not move, or two free "
        "ones; use options.scheme = \"staggered\"");
    const withy_load point = {
        .kind = WITHY_LOAD_POINT, .from = 0.1, .force = withy_field_vector(0, 1, 0)};
    rod = fd_string(65, WITHY_END_PINNED);
    rod.load = &point, rod.load_count = 1;
    CHECK(fd_create(&rod, 1, &literal, &sim, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text,
                 "the literal scheme supports only forces and moments on the whole rod") != NULL);
    rod = fd_string(65, WITHY_END_PINNED);
    rod.end[0].moment = withy_field_vector(1, 0, 0);
    CHECK(fd_create(&rod, 1, &literal, &sim, &err) == WITHY_UNSUPPORTED);
    rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    rod.initial.kind = WITHY_SHAPE_PLUCK, rod.initial.at = 0.5, rod.initial.height = 0.01;
    rod.initial.direction = (withy_vec3){1, 0, 0};
    CHECK(fd_create(&rod, 1, &how, &sim, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "a plucked shape needs both ends held") != NULL);
}

TEST(nothing_is_allocated_while_stepping_and_nothing_is_left_behind) {
    const size_t before = withy_memory_blocks();
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    rod.damping_time = 1e-4;
    const fd_run how = {.n = 20, .order = 6, .stop = 1, .output = 0.1, .gravity = {0, -9.81, 0}};
    withy_sim *sim = make(&rod, 1, &how);
    const size_t takes = withy_memory_allocations();
    for (int k = 1; k <= 10; k++) after(sim, 0.1 * k);
    CHECK(withy_memory_allocations() == takes);
    withy_sim_destroy(sim);
    CHECK(withy_memory_blocks() == before);
}

TEST(an_end_that_is_free_to_turn_carries_no_twist) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    rod.end[0].turn = WITHY_TURN_FREE;
    rod.spin = withy_field_vector(0, 0, 2);
    for (int order = 2; order <= 6; order += 4) {
        const fd_run how = {.n = 24, .order = order, .stop = 0.3, .output = 0.3};
        withy_sim *sim = make(&rod, 1, &how);
        const withy_snapshot *snap = after(sim, 0.3); /* spins freely */
        CHECK_NEAR(snap->spin[12].z, 2, 1e-9);
        CHECK_NEAR(snap->reaction_moment[0].z, 0, 1e-12);
        CHECK_NEAR(2 * atan2(snap->frame[0].z, snap->frame[0].w), 0.6, 1e-6);
        withy_sim_destroy(sim);
    }
}

TEST(a_lumped_mass_swings_like_a_pendulum_bob) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    rod.material.density = 1; /* almost no mass of its own */
    rod.end[1].mass = 0.2;
    const double ei = 1e6 * FD_PI / 64 * pow(0.05, 4);
    rod.end[1].force = withy_field_vector(1e-4, 0, 0);
    const double stiffness = 3 * ei,
                 period = 2 * FD_PI * sqrt((0.2 + 0.236 * 1e-3 * 1.96) / stiffness);
    const fd_run how = {.n = 20, .order = 2, .stop = period / 2, .output = period / 2};
    withy_sim *sim = make(&rod, 1, &how);
    const double x = after(sim, period / 2)->position[20].x; /* twice the static deflection */
    CHECK_NEAR(x / (2 * 1e-4 / stiffness), 1, 5e-3);
    withy_sim_destroy(sim);
}

static withy_status murmur(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 1e-9 * s * (1 - s), out[1] = out[2] = 0;
    return WITHY_OK;
}

/* Half a radian in each of some thousand steps, by the kernels of orders 2 and 4, plain and with arrays (rich). */
TEST(a_rod_that_spins_fast_about_its_axis_does_not_feed_the_waves_of_its_mesh) {
    for (int k = 0; k < 4; k++) {
        withy_rod rod = fd_soft_rod(WITHY_END_PINNED, WITHY_END_PINNED);
        const fd_run how = {.n = 12, .order = k < 2 ? 2 : 4, .stop = 10, .output = 10};
        rod.velocity = (withy_field){.size = 3, .call = murmur};
        rod.spin = withy_field_vector(0, 0, 600);
        rod.drag_linear = k % 2 ? 1e-12 : 0;
        withy_sim *sim = make(&rod, 1, &how);
        const withy_vec3 v = after(sim, 10)->velocity[6];
        const double turn = 600 * 10.0 / (double)withy_sim_stats(sim).steps;
        CHECK(turn > 0.3 && turn < 0.9);
        CHECK_BELOW(hypot(v.x, v.y), 1e-8);
        withy_sim_destroy(sim);
    }
}

TEST(a_rod_that_is_spun_up_beyond_what_its_step_allows_is_reported_the_step) {
    withy_rod rod = fd_soft_rod(WITHY_END_PINNED, WITHY_END_FREE);
    fd_run how = {.n = 12, .order = 2, .stop = 10, .output = 10};
    withy_error err = {0};
    rod.end[1].moment = withy_field_vector(0, 0, 0.5);
    withy_sim *sim = make(&rod, 1, &how);
    CHECK(withy_sim_advance(sim, 10, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "a rod spins about its axis by") &&
          strstr(err.text, "at this spin options.dt must be below"));
    withy_sim_destroy(sim);
}

RUN(test(a_free_rod_falls_exactly), test(a_tumbling_free_rod_keeps_its_momentum),
    test(a_plucked_string_keeps_its_energy), test(a_rotated_world_gives_the_rotated_answer),
    test(rods_in_one_run_do_as_they_do_alone), test(threads_do_not_change_a_digit),
    test(an_advance_off_the_grid_of_steps_lands_where_it_is_asked_to),
    test(the_pluck_starts_as_a_static_shape),
    test(a_step_longer_than_the_limit_is_refused_with_the_limit),
    test(an_unstable_step_taken_all_the_same_is_reported),
    test(what_the_method_cannot_do_is_refused_with_a_way_out),
    test(nothing_is_allocated_while_stepping_and_nothing_is_left_behind),
    test(an_end_that_is_free_to_turn_carries_no_twist),
    test(a_lumped_mass_swings_like_a_pendulum_bob),
    test(a_rod_that_spins_fast_about_its_axis_does_not_feed_the_waves_of_its_mesh),
    test(a_rod_that_is_spun_up_beyond_what_its_step_allows_is_reported_the_step))
