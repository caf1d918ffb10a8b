/* test_kirchhoff_director.c - a spring and a damped coil under two methods: what they agree on, within
 * the errors of both.  (slow under sanitizers) */
#include "check.h"
#include "withy/withy.h"

enum { MODES = 4 };

typedef struct answer {
    double z, force, frequency[MODES];
} answer;

static answer solve(const char *method, const char *intervals) {
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    withy_equilibrium at;
    withy_mode *mode;
    int count;
    const char *const set[] = {method, intervals};
    CHECK_OK(withy_scene_read(WITHY_SOURCE "/cases/hanging_spring_wire/scene.lua", set, 2, &scene,
                              &err));
    const withy_option *option = withy_scene_options(scene, &count);
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), withy_scene_method(scene), option, count,
                              &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &at, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    answer out = {.z = snap->position[snap->count - 1].z, .force = snap->reaction[0].z};
    CHECK_OK(withy_sim_modes(sim, MODES, &mode, &err));
    for (int k = 0; k < MODES; k++) out.frequency[k] = mode[k].frequency;
    withy_modes_free(mode, MODES);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return out;
}

TEST(a_hanging_spring_sags_and_vibrates_alike_under_kirchhoff_and_director) {
    (void)unused_state;
    const answer coarse = solve("method=kirchhoff", "options.n=192");
    const answer fine = solve("method=kirchhoff", "options.n=384");
    const answer other = solve("method=director", "options={n=192,degree=2}");
    const double z = fine.z + (fine.z - coarse.z) / 3;
    print_message("tip: kirchhoff %.6f, director %.6f\n", z, other.z);
    CHECK_NEAR(z, other.z, 5e-4); /* director stretches and shears a little */
    CHECK_NEAR(fine.force, other.force, 1e-8);
    for (int k = 0; k < MODES; k++) {
        const double f = fine.frequency[k] + (fine.frequency[k] - coarse.frequency[k]) / 3;
        print_message("mode %d: kirchhoff %.7f, director %.7f\n", k + 1, f, other.frequency[k]);
        CHECK_NEAR(f / other.frequency[k], 1.0, 2e-3);
    }
}

/* The middle of cases/coil, free to turn at both ends, after two seconds. */
static withy_vec3 coil_middle(const char *method, const char *options, const char *twist) {
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    int count;
    const char *const set[] = {method, options, "time={stop=2,output=0.5,stations=3}", twist};
    CHECK_OK(
        withy_scene_read(WITHY_SOURCE "/cases/coil/scene.lua", set, 3 + !!twist, &scene, &err));
    const withy_option *option = withy_scene_options(scene, &count);
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), withy_scene_method(scene), option, count,
                              &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 2, &err));
    const withy_vec3 x = withy_sim_sample(sim, 0)->position[1];
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return x;
}

TEST(a_damped_coil_unwinds_alike_whether_or_not_its_twist_stiffness_is_given) {
    (void)unused_state;
    const char *twist[] = {"rod.stiffness.twist=1", NULL};
    for (int k = 0; k < 2; k++) {
        const withy_vec3 a =
            coil_middle("method=kirchhoff", "options={n=100,dt=0.03125}", twist[k]);
        const withy_vec3 b =
            coil_middle("method=kirchhoff", "options={n=200,dt=0.015625}", twist[k]);
        const withy_vec3 c =
            coil_middle("method=director", "options={n=100,dt=0.015625}", twist[k]);
        const double x = b.x + (b.x - a.x) / 3, y = b.y + (b.y - a.y) / 3;
        print_message("middle: kirchhoff (%.6f, %.6f), director (%.6f, %.6f)\n", x, y, c.x, c.y);
        CHECK_NEAR(x, c.x, 3e-5);
        CHECK_NEAR(y, c.y, 3e-5);
        CHECK_NEAR(b.z, c.z, 1e-7);
    }
}

RUN(test(a_hanging_spring_sags_and_vibrates_alike_under_kirchhoff_and_director),
    test(a_damped_coil_unwinds_alike_whether_or_not_its_twist_stiffness_is_given))
