/* How kirchhoff starts: every mesh of the simplest rods, and a load that begins at t = 0. */
#include "check.h"
#include "withy/withy.h"

TEST(straight_rods_start_with_every_number_of_intervals_from_4_to_130) {
    static const char *const ends[] = {"", "start = pinned {}", "start = clamped {}"};
    for (int n = 4; n <= 130; n++)
        for (int e = 0; e < 3; e++) {
            char text[512];
            snprintf(
                text, sizeof text,
                "return { rod = { length = 1, section = circle { diameter = 0.01 }, material = "
                "{ young = 2e9, poisson = 0.3, density = 1000 } }, ends = { %s }, time = { "
                "stop = 0.01, output = 0.01 }, options = { n = %d } }",
                ends[e], n);
            withy_error err = {0};
            withy_scene *scene;
            withy_sim *sim;
            CHECK_OK(withy_scene_read_text(text, strlen(text), "scene", NULL, 0, &scene, &err));
            CHECK_OK(withy_scene_sim(scene, "kirchhoff", &sim, &err));
            if (n % 21 == 16) CHECK_OK(withy_sim_advance(sim, 0.01, &err)); /* 100 among them */
            withy_sim_destroy(sim);
            withy_scene_destroy(scene);
        }
}

/* Of a force that is 0 at t = 0 and 1 N/m from then on, whatever the step: p = f L t. */
TEST(a_load_that_begins_at_t_0_gives_its_momentum_from_the_first_step_on) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.7 }, inertia = { mass = 1 "
        "} "
        "}, loads = { distributed { force = function(s, t) return t > 0 and 1 or 0, 0, 0 end } }, "
        "time = { stop = 1, output = 0.1 }, options = { n = 12, dt = %g } }";
    const char *const method[] = {"kirchhoff", "elastica"};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 2; k++) {
            const double h = k ? 0.05 : 0.1;
            char own[512];
            withy_error err = {0};
            withy_scene *scene;
            withy_sim *sim;
            snprintf(own, sizeof own, text, h);
            CHECK_OK(withy_scene_read_text(own, strlen(own), "scene", NULL, 0, &scene, &err));
            CHECK_OK(withy_scene_sim(scene, method[m], &sim, &err));
            CHECK_OK(withy_sim_advance(sim, 1, &err));
            CHECK_NEAR(withy_sim_sample(sim, 0)->momentum.x, 1, 1e-12);
            withy_sim_destroy(sim);
            withy_scene_destroy(scene);
        }
}

RUN(test(straight_rods_start_with_every_number_of_intervals_from_4_to_130),
    test(a_load_that_begins_at_t_0_gives_its_momentum_from_the_first_step_on))
