/* fdtd against obstacles: the impact that director computes, and what it refuses. */
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "withy/scene.h"

static const char SCENE[] =
    "return {rod={length=0.5,section=circle{diameter=0.02},"
    "material={young=1e7,poisson=0.3,density=1000},"
    "initial={shape=straight{from={-0.25,0,0.03},along={1,0,0.1}},velocity={0,0,-1}}},"
    "obstacles={plane{},sphere{center={0.3,0,-0.25},radius=0.26}},"
    "contact={self=false,stiffness=4e5},gravity={0,0,-9.81},"
    "time={stop=0.12},method='director',options={n=40,dt=1e-4}}";

static withy_status start(const char *method, const char *const *set, int sets, withy_scene **scene,
                          withy_sim **sim, withy_error *err) {
    *sim = NULL, *scene = NULL;
    const withy_status status =
        withy_scene_read_text(SCENE, sizeof SCENE - 1, "impact", set, sets, scene, err);
    return status == WITHY_OK ? withy_scene_sim(*scene, method, sim, err) : status;
}

static withy_vec3 end_after_impact(const char *method, const char *n, const char *dt) {
    const char *set[2] = {n, dt};
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    CHECK_OK(start(method, set, 2, &scene, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.12, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK(now->contact_depth > 0.1);
    const withy_vec3 at = now->position[now->count - 1];
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return at;
}

/* Second order: of two meshes the limit, whose error is below their difference. */
TEST(an_impact_on_obstacles_under_fdtd_is_the_one_of_director_within_its_error) {
    const withy_vec3 a = end_after_impact("fdtd", "options.n=120", "options.dt=nil");
    if (SANITIZED) return; /* the code has run; without sanitizers its numbers are judged */
    const withy_vec3 b = end_after_impact("fdtd", "options.n=240", "options.dt=nil");
    const withy_vec3 c = end_after_impact("director", "options.n=40", "options.dt=1e-4");
    const withy_vec3 limit = v3_axpy(b, 1. / 3, v3_sub(b, a));
    const double bar = v3_norm(v3_sub(b, a));
    CHECK_BELOW(bar, 5e-3);
    CHECK_BELOW(v3_norm(v3_sub(limit, c)), bar);
}

TEST(fdtd_refuses_what_it_cannot_do_in_contact_in_a_sentence) {
    static const struct {
        const char *set, *word;
    } row[] = {{"contact.friction=0.1", "friction"},
               {"contact.damping=0.1", "damping"},
               {"contact.self=true", "themselves"},
               {"contact={law='barrier',gap=1e-4,self=false}", "barrier"},
               {"options.scheme='literal'", "literal"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        withy_error err = {0};
        withy_scene *scene;
        withy_sim *sim;
        const char *set[2] = {row[k].set, "options.dt=nil"};
        const char *const method[1] = {"method='fdtd'"};
        const char *const all[3] = {set[0], set[1], method[0]};
        CHECK(start("fdtd", all, 3, &scene, &sim, &err) != WITHY_OK);
        if (!strstr(err.text, row[k].word)) print_message("%s: %s\n", row[k].set, err.text);
        CHECK(strstr(err.text, row[k].word));
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
}

/* (2/dt)^2 = (2/dt_rod)^2 + k/(rho A). */
TEST(the_step_that_is_stable_without_obstacles_is_refused_with_stiff_ones) {
    const char *const soft[3] = {"options.n=40", "options.dt=7e-5", "method='fdtd'"};
    const char *const stiff[4] = {"options.n=40", "options.dt=7e-5", "contact.stiffness=1e9",
                                  "method='fdtd'"};
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    CHECK_OK(start("fdtd", soft, 3, &scene, &sim, &err));
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    CHECK(start("fdtd", stiff, 4, &scene, &sim, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "limit"));
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(an_impact_on_obstacles_under_fdtd_is_the_one_of_director_within_its_error),
    test(fdtd_refuses_what_it_cannot_do_in_contact_in_a_sentence),
    test(the_step_that_is_stable_without_obstacles_is_refused_with_stiff_ones))
