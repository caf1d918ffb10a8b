/* A turning spring is one law in every method that has it: k times the angle of the turn. */
#include "check.h"
#include "fixture.h"
#include "withy/scene.h"
#include "withy/study.h"
#include "withy/withy.h"

static const char *const METHOD[] = {"director", "cheb"};
enum { METHODS = 2 };

static withy_sim *sim_of(const withy_scene *scene, const char *method) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(withy_scene_sim(scene, method, &sim, &err));
    return sim;
}

#define ROD                                                                                        \
    "rod = { length = 2, stiffness = { stretch = 1e5, shear = 1e5, bend = 2.4, twist = 1.6 },"     \
    "        inertia = { mass = 1, rotary = { 0.02, 0.02, 0.04 } } },"

/* A moment M at the end of a cantilever, whose spring k is there too: EI kappa + k kappa L = M. */
TEST(a_cantilever_under_a_moment_and_a_turning_spring_is_an_arc_of_curvature_M_over_EI_plus_kL) {
    const double m = 6, k = 1.5, bend = 2.4, length = 2;
    const double kappa = m / (bend + k * length), angle = kappa * length;
    withy_scene *scene = scene_of("return {" ROD "ends = { start = clamped {}, finish = free { "
                                  "moment = { 0, 6, 0 }, spring_turn = 1.5 } },"
                                  "path = { from = 0, to = 1, steps = 4 } }",
                                  NULL);
    for (int i = 0; i < METHODS; i++) {
        withy_sim *sim = sim_of(scene, METHOD[i]);
        withy_error err = {0};
        withy_equilibrium point;
        for (int step = 1; step <= 4; step++)
            CHECK_OK(withy_sim_equilibrium(sim, 0.25 * step, &point, &err));
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const withy_vec3 tip = snap->position[snap->count - 1];
        print_message("%s: angle %.4f, tip off by %.1e %.1e\n", METHOD[i], angle,
                      tip.x - (1 - cos(angle)) / kappa, tip.z - sin(angle) / kappa);
        CHECK_NEAR(tip.x, (1 - cos(angle)) / kappa, 2e-7);
        CHECK_NEAR(tip.z, sin(angle) / kappa, 2e-7);
        withy_sim_destroy(sim);
    }
    withy_scene_destroy(scene);
}

/* In space, where the turn has a bend and a twist: the moment in the rod at its end is M - k phi. */
TEST(in_space_the_moment_of_a_turning_spring_is_k_times_the_rotation_vector_in_every_method) {
    withy_scene *scene = scene_of("return {" ROD "ends = { start = clamped {}, finish = free { "
                                  "moment = { 1, 4, 3 }, spring_turn = 1.5 } },"
                                  "path = { from = 0, to = 1, steps = 4 } }",
                                  NULL);
    withy_vec3 tip[METHODS];
    for (int i = 0; i < METHODS; i++) {
        withy_sim *sim = sim_of(scene, METHOD[i]);
        withy_error err = {0};
        withy_equilibrium point;
        for (int step = 1; step <= 4; step++)
            CHECK_OK(withy_sim_equilibrium(sim, 0.25 * step, &point, &err));
        CHECK(point.iterations <= 6); /* Newton has the tangent of the spring */
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const int last = snap->count - 1;
        const withy_quat q = snap->frame[last];
        const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
        const double angle = 2 * atan2(sine, fabs(q.w)); /* q and -q are the same turn */
        const double k = copysign(1.5 * angle / sine, q.w);
        print_message("%s: turned by %.3f rad, %d iterations\n", METHOD[i], angle,
                      point.iterations);
        CHECK_NEAR(snap->moment[last].x, 1 - k * q.x, 2e-4); /* the stress at the end of a mesh */
        CHECK_NEAR(snap->moment[last].y, 4 - k * q.y, 2e-4);
        CHECK_NEAR(snap->moment[last].z, 3 - k * q.z, 2e-4);
        tip[i] = snap->position[last];
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(tip[0].x, tip[1].x, 1e-6);
    CHECK_NEAR(tip[0].y, tip[1].y, 1e-6);
    CHECK_NEAR(tip[0].z, tip[1].z, 1e-6);
    withy_scene_destroy(scene);
}

TEST(director_conserves_the_energy_of_a_turning_spring_at_any_step) {
    withy_scene *scene = scene_of(
        "return {" ROD "ends = { start = free { spring = 20, spring_turn = 2 }, finish = free { "
        "spring_turn = 1.5 } }, initial = { spin = { 1, 2, 4 }, velocity = function(s) "
        "return s, 0.7 * s * s, 0 end }, time = { stop = 6, output = 1 },"
        "options = { n = 6, dt = 0.02 } }",
        NULL);
    withy_sim *sim = sim_of(scene, "director");
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, 6, &err));
    print_message("drift %.1e\n", withy_sim_stats(sim).energy_drift);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(a_cantilever_under_a_moment_and_a_turning_spring_is_an_arc_of_curvature_M_over_EI_plus_kL),
    test(in_space_the_moment_of_a_turning_spring_is_k_times_the_rotation_vector_in_every_method),
    test(director_conserves_the_energy_of_a_turning_spring_at_any_step))
