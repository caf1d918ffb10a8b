/* Contact that is idle while nothing is near an obstacle: motions are those without it, or with all of it. */
#include <stdlib.h>

#include "check.h"
#include "method/director/contact/contacts.h"
#include "network_fixture.h"
#include "study/sim.h"

enum { SHAPES = 5, NODES = 64 };
static withy_error err;

/* A rod of 0.5 m, radius 5 mm, thrown at an obstacle 0.6 m below; the last is a sheet that one long step passes. */
static withy_obstacle obstacle_at(int k) {
    withy_obstacle obstacle = {.kind = WITHY_OBSTACLE_PLANE, .own_friction = 1, .own_damping = 1};
    obstacle.point = withy_field_vector(0, 0, k ? -0.9 : -0.6);
    if (k == 1) obstacle.kind = WITHY_OBSTACLE_SPHERE, obstacle.radius = 0.3;
    if (k == 2)
        obstacle.kind = WITHY_OBSTACLE_CYLINDER, obstacle.radius = 0.3, obstacle.along.y = 1;
    if (k == 3)
        obstacle.kind = WITHY_OBSTACLE_BOX, obstacle.size = network_vec(0.6, 0.6, 0.6),
        obstacle.frame.w = 1;
    if (k == 4)
        obstacle.kind = WITHY_OBSTACLE_BOX, obstacle.size = network_vec(2, 2, 0.02),
        obstacle.frame.w = 1;
    return obstacle;
}

/* A function is looked at in every step: with it contact is never idle. */
static withy_status nowhere(void *context, withy_vec3 at, double *distance, withy_error *why) {
    (void)context, (void)at, (void)why;
    *distance = 1e3;
    return WITHY_OK;
}

static void throw_at(network_problem *x, withy_obstacle obstacle[2], int count) {
    network_begin(x);
    network_times(x, 1, 1);
    x->problem.gravity = network_vec(0, 0, -9.81);
    withy_rod *rod = network_rod(x, network_vec(-0.25, -0.02, 0), network_vec(0.25, 0.02, 0.04),
                                 0.005, 1e7, 1000);
    rod->velocity = withy_field_vector(0.1, 0.2, -3);
    rod->spin = withy_field_vector(0.3, 1, 0.5);
    x->problem.contact.stiffness = 1e8;
    x->problem.obstacle = obstacle, x->problem.obstacle_count = count;
    obstacle[1] = (withy_obstacle){.kind = WITHY_OBSTACLE_DISTANCE, .distance = nowhere};
    obstacle[1].frame.w = 1, obstacle[1].own_friction = obstacle[1].own_damping = 1;
}

static const wy_contacts *touch_of(const withy_sim *sim) {
    return ((const wy_network *)sim->self)->contacts;
}

static int places(withy_sim *sim, withy_vec3 at[NODES]) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL && snap->count <= NODES);
    memcpy(at, snap->position, (size_t)snap->count * sizeof *at);
    return snap->count;
}

static double apart(withy_sim *a, withy_sim *b) {
    withy_vec3 one[NODES], other[NODES];
    double most = 0;
    const int count = places(a, one);
    CHECK(count == places(b, other));
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(one[i].x - other[i].x) + fabs(one[i].y - other[i].y) +
                              fabs(one[i].z - other[i].z));
    return most;
}

/* ---- with all of it ---------------------------------------------------------------------------------- */

TEST(a_rod_that_comes_and_goes_moves_as_if_contact_were_looked_for_in_every_step) {
    SLOW_UNDER_SANITIZERS;
    for (int k = 0; k < SHAPES; k++)
        for (int i = 0; i < 2;
             i++) { /* the long steps until some do not converge: those are halved sooner */
            const double until = i ? 0.3 : 0.5;
            network_problem x[2];
            withy_obstacle obstacle[2][2] = {{obstacle_at(k)}, {obstacle_at(k)}};
            withy_sim *sim[2];
            int idle = 0, busy = 0;
            for (int c = 0; c < 2; c++) {
                throw_at(&x[c], obstacle[c], 1 + c);
                CHECK_OK(network_start(&x[c], i ? "n=12 dt=0.02" : "n=12 dt=0.002", &sim[c], &err));
            }
            for (double t = 0.02; t < until; t += 0.02) {
                for (int c = 0; c < 2; c++) CHECK_OK(withy_sim_advance(sim[c], t, &err));
                idle += touch_of(sim[0])->now->clear > 0, busy += touch_of(sim[0])->now->depth > 0;
                CHECK(touch_of(sim[1])->now->clear == 0);
                CHECK(apart(sim[0], sim[1]) == 0);
                CHECK(touch_of(sim[0])->now->count == touch_of(sim[1])->now->count);
                CHECK(withy_sim_stats(sim[0]).energy_end == withy_sim_stats(sim[1]).energy_end);
            }
            CHECK(idle > 0 && busy > 0); /* both have been seen */
            withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
        }
}

/* From rest nothing is expected to move: the first step passes the floor and is solved once more. */
TEST(a_step_that_goes_further_than_was_expected_finds_what_it_touches) {
    network_problem x;
    withy_obstacle obstacle[2] = {obstacle_at(0)};
    withy_sim *sim[2];
    throw_at(&x, obstacle, 1);
    x.rod[0].velocity = x.rod[0].spin = withy_field_vector(0, 0, 0);
    obstacle[0].point = withy_field_vector(0, 0, -0.03);
    for (int c = 0; c < 2; c++) {
        x.problem.obstacle_count = 1 + c;
        CHECK_OK(network_start(&x, "n=12 dt=0.15", &sim[c], &err));
        CHECK_OK(withy_sim_advance(sim[c], 0.15, &err));
    }
    CHECK(touch_of(sim[0])->now->depth > 0 && apart(sim[0], sim[1]) == 0);
    withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
}

/* ---- without it -------------------------------------------------------------------------------------- */

/* Steps so long that some are halved: an obstacle gives no more iterations to those that fail. */
TEST(steps_that_do_not_converge_are_halved_as_without_an_obstacle_far_away) {
    network_problem x;
    withy_obstacle obstacle[2] = {obstacle_at(0)};
    withy_sim *sim[2];
    throw_at(&x, obstacle, 1);
    obstacle[0].point = withy_field_vector(0, 0, -1e4);
    x.rod[0].spin = withy_field_vector(0, 20, 3);
    for (int c = 0; c < 2; c++) {
        x.problem.obstacle_count = c;
        CHECK_OK(network_start(&x, "n=12 dt=0.1 newton_max=3", &sim[c], &err));
        CHECK_OK(withy_sim_advance(sim[c], 0.5, &err));
    }
    const withy_stats a = withy_sim_stats(sim[0]), b = withy_sim_stats(sim[1]);
    CHECK(a.halvings > 0 && a.halvings == b.halvings && a.iterations == b.iterations);
    CHECK(apart(sim[0], sim[1]) == 0);
    withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
}

TEST(steps_that_are_chosen_are_those_without_an_obstacle_far_away) {
    network_problem x;
    withy_obstacle obstacle[2] = {obstacle_at(0)};
    withy_sim *sim[2];
    throw_at(&x, obstacle, 1);
    obstacle[0].point = withy_field_vector(0, 0, -1e4);
    x.rod[0].material.young = 1e6;
    for (int c = 0; c < 2; c++) {
        x.problem.obstacle_count = c;
        CHECK_OK(network_start(&x, "n=12 tol=1e-5", &sim[c], &err));
        CHECK_OK(withy_sim_advance(sim[c], 1, &err));
    }
    CHECK(withy_sim_stats(sim[0]).steps == withy_sim_stats(sim[1]).steps);
    CHECK_BELOW(apart(sim[0], sim[1]), 1e-12);
    withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
}

/* ---- the state --------------------------------------------------------------------------------------- */

TEST(what_is_left_of_the_distance_is_saved_restored_and_forked) {
    network_problem x;
    withy_obstacle obstacle[2] = {obstacle_at(0)};
    withy_sim *sim, *copy, *other;
    char *bytes;
    throw_at(&x, obstacle, 1);
    CHECK_OK(network_start(&x, "n=12 dt=0.002", &sim, &err));
    CHECK_OK(network_start(&x, "n=12 dt=0.002", &other, &err));
    CHECK_OK(withy_sim_advance(sim, 0.05, &err));
    CHECK(touch_of(sim)->now->clear > 0);
    const size_t size = withy_sim_save_size(sim);
    CHECK((bytes = malloc(size)) != NULL);
    CHECK_OK(withy_sim_save(sim, bytes, size, &err));
    CHECK_OK(withy_sim_restore(other, bytes, size, &err));
    CHECK_OK(withy_sim_fork(sim, &copy, &err));
    CHECK(touch_of(copy)->now->clear == touch_of(sim)->now->clear);
    withy_sim *all[3] = {sim, copy, other};
    for (int i = 0; i < 3; i++) CHECK_OK(withy_sim_advance(all[i], 0.3, &err));
    CHECK(withy_sim_hash(sim) == withy_sim_hash(copy));
    CHECK(withy_sim_hash(sim) == withy_sim_hash(other));
    for (int i = 0; i < 3; i++) withy_sim_destroy(all[i]);
    free(bytes);
}

TEST(a_state_that_claims_more_distance_than_there_is_is_refused) {
    network_problem x;
    withy_obstacle obstacle[2] = {obstacle_at(0)};
    withy_sim *sim;
    throw_at(&x, obstacle, 1);
    CHECK_OK(network_start(&x, "n=12 dt=0.002", &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.05, &err));
    double *clear = &touch_of(sim)->now->clear;
    CHECK(*clear > 0 && wy_network_state_error(sim->self, NULL) == NULL);
    *clear = 1;
    CHECK_TEXT(wy_network_state_error(sim->self, NULL), "the distance of what may touch");
    withy_sim_destroy(sim);
}

RUN(test(a_rod_that_comes_and_goes_moves_as_if_contact_were_looked_for_in_every_step),
    test(a_step_that_goes_further_than_was_expected_finds_what_it_touches),
    test(steps_that_do_not_converge_are_halved_as_without_an_obstacle_far_away),
    test(steps_that_are_chosen_are_those_without_an_obstacle_far_away),
    test(what_is_left_of_the_distance_is_saved_restored_and_forked),
    test(a_state_that_claims_more_distance_than_there_is_is_refused))
