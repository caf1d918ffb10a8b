/* test_kirchhoff_director.c - one spring under two methods: tip, reactions and frequencies agree within
 * the errors of both. */
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

RUN(test(a_hanging_spring_sags_and_vibrates_alike_under_kirchhoff_and_director))
