/* cheb and director on one scene: they differ by no more than the sum of their errors. */
#include "check.h"
#include "withy/withy.h"

enum { STATIONS = 11 };

static withy_scene *read(const char *name, const char *const *override, int count) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/cases/%s/scene.lua", WITHY_SOURCE, name);
    CHECK_OK(withy_scene_read(path, override, count, &scene, &err));
    return scene;
}

static withy_sim *start(withy_scene *scene, const char *method, const char *word, double number,
                        double dt) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_option option[3] = {
        {.name = "n", .number = number}, {.name = "dt", .number = dt}, {{0}, 0, {0}}};
    int count = dt > 0 ? 2 : 1;
    if (word)
        snprintf(option[count].name, WITHY_NAME, "ends"),
            snprintf(option[count++].word, WITHY_NAME, "%s", word);
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), method, option, count, &sim, &err));
    return sim;
}

static void motion(withy_scene *scene, const char *method, double n, double dt, withy_vec3 *out) {
    withy_error err = {0};
    withy_sim *sim = start(scene, method, NULL, n, dt);
    CHECK_OK(withy_sim_advance(sim, 1.1, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL && snap->count == STATIONS);
    memcpy(out, snap->position, STATIONS * sizeof *out);
    withy_sim_destroy(sim);
}

static double distance(const withy_vec3 *a, const withy_vec3 *b) {
    double largest = 0;
    for (int i = 0; i < STATIONS; i++)
        largest = worst_of(largest, hypot(a[i].x - b[i].x, a[i].y - b[i].y));
    return largest;
}

TEST(waves_on_a_rod_agree_to_the_sum_of_the_errors) {
    (void)unused_state;
    static const char *const override[] = {"time.stations=11"};
    withy_scene *scene = read("pulse", override, 1);
    withy_vec3 coarse[STATIONS], fine[STATIONS], d_coarse[STATIONS], d_fine[STATIONS];
    motion(scene, "cheb", 20, 0.001, coarse);
    motion(scene, "cheb", 28, 0.0005, fine);
    motion(scene, "director", 10, 0.005, d_coarse);
    motion(scene, "director", 20, 0.0025, d_fine);
    /* the error of the finer is below its distance to the coarser; director is of order 2 in dt */
    const double own = distance(coarse, fine), other = distance(d_coarse, d_fine);
    CHECK_BELOW(distance(fine, d_fine), own + other);
    CHECK_BELOW(own, 1e-4);
    CHECK_BELOW(other, 1e-3);
    withy_scene_destroy(scene);
}

static double end_moment(withy_scene *scene, const char *method, double n) {
    withy_error err = {0};
    withy_equilibrium point;
    withy_sim *sim = start(scene, method, NULL, n, 0);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &point, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 2, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double moment = snap->moment[snap->count - 1].z;
    withy_sim_destroy(sim);
    return moment;
}

/* The platform at -25 mm: the continuous model gives -0.0778920 N m. */
TEST(the_fibre_carries_the_same_moment) {
    (void)unused_state;
    withy_scene *scene = read("fibre", NULL, 0);
    const double cheb = end_moment(scene, "cheb", 96), director = end_moment(scene, "director", 64);
    CHECK_NEAR(cheb, -0.0778920, 6e-5); /* n = 96: 5.7e-5 over the table */
    CHECK_NEAR(director, -0.0778920, 6e-5);
    CHECK_NEAR(cheb, director, 6e-5);
    withy_scene_destroy(scene);
}

RUN(test(waves_on_a_rod_agree_to_the_sum_of_the_errors), test(the_fibre_carries_the_same_moment))
