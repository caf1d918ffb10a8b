/* test_rods.c - rods that nobody would draw: the numbers stay finite, and energy is kept or the run fails.
 *
 * Random scenes (random_scene.h) made wild: loads and speeds up to 300 times larger, steps from a tenth to a
 * hundred times the usual ones, meshes from the coarsest.  Every method that accepts one runs it to its end or
 * stops with a message; what it has computed by then is finite, and where it sums work and loss its energy is
 * within the bound it states.
 *
 *     test_rods [COUNT [FIRST]]
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "random_scene.h"
#include "study/sim.h"

enum { LEGS = 8 };
static const double ENOUGH = 0.3; /* processor time of a run, then it is stopped [s] */

static int scenes = 12, first = 1;

static struct tally { int complete, failed, refused, accounted, cut; } tally;

/* Larger loads, other steps: what a wrong unit or a wild guess makes of a scene. */
static void make_wild(random_recipe *r, double *step, double *mesh) {
    random_source x = {r->seed * 77 + 5};
    for (int i = 0; i < 4; i++) random_unit(&x);
    const double load = random_size(&x, 1, 300), speed = random_size(&x, 1, 300);
    withy_vec3 *const vector[] = {&r->gravity,   &r->force[0], &r->force[1], &r->moment[0],
                                  &r->moment[1], &r->spread,   &r->point};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = random_times(load, *vector[i]);
    r->velocity = random_times(speed, r->velocity);
    if (random_chance(&x, 0.3)) r->thin = random_size(&x, 1e-4, 1e-2);
    if (random_chance(&x, 0.2)) r->damping = random_size(&x, 1e-6, 10);
    *step = random_size(&x, 0.1, 100), *mesh = random_size(&x, 0.5, 1.5);
}

static int finite_vectors(const withy_vec3 *v, int count) {
    for (int i = 0; v && i < count; i++)
        if (!isfinite(v[i].x) || !isfinite(v[i].y) || !isfinite(v[i].z)) return 0;
    return 1;
}

/* After a leg: everything that would be written to a file. */
static void check_numbers(withy_sim *sim, const char *what) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_stats stats = withy_sim_stats(sim);
    if (!now) fail_msg("%s: advanced to t = %g without a finite sample", what, withy_sim_time(sim));
    if (!finite_vectors(now->position, now->count) || !finite_vectors(now->velocity, now->count) ||
        !finite_vectors(now->reaction, 2))
        fail_msg("%s: a sample is not finite", what);
    if (!isfinite(stats.energy_end) || !isfinite(stats.energy_drift))
        fail_msg("%s: energy %g, drift %g", what, stats.energy_end, stats.energy_drift);
    if (!stats.accounted || !(stats.energy_bound > 0)) return;
    tally.accounted++;
    if (!(stats.energy_drift <= stats.energy_bound))
        fail_msg("%s: drift %g beyond the bound %g with status 0", what, stats.energy_drift,
                 stats.energy_bound);
}

static void check_message(const withy_error *err, const char *what) {
    if (strlen(err->text) < 10 || strstr(err->text, "nan") || strstr(err->text, "inf "))
        fail_msg("%s: no message: \"%s\"", what, err->text);
}

static int enough(void *begin, double t) {
    (void)t;
    return (double)(clock() - *(clock_t *)begin) > ENOUGH * CLOCKS_PER_SEC;
}

static void run_wild(const random_recipe *r, const char *method, double step, double mesh) {
    static random_scene y;
    const random_view plain = random_plain();
    char what[800];
    withy_error err = {0};
    withy_sim *sim = NULL;
    random_write(r, &plain, &y);
    const int options = random_options(r, &plain, method, 0, &y);
    y.option[0].number = ceil(mesh * y.option[0].number);
    if (options > 1) y.option[1].number *= step;
    const int length = snprintf(what, sizeof what, "%s: ", method);
    random_describe(r, what + length, sizeof what - (size_t)length);
    withy_status status = withy_sim_create(&y.problem, method, y.option, options, &sim, &err);
    const int made = status == WITHY_OK;
    const clock_t begin = clock();
    if (made) sim->interrupt = (wy_interrupt){.ask = enough, .context = (void *)&begin};
    for (int leg = 1; leg <= LEGS && status == WITHY_OK; leg++) {
        status = withy_sim_advance(sim, y.problem.request.stop * leg / LEGS, &err);
        if (status == WITHY_OK) check_numbers(sim, what);
    }
    if (status != WITHY_OK) check_message(&err, what);
    *(status == WITHY_INTERRUPTED ? &tally.cut
      : status == WITHY_OK        ? &tally.complete
      : made                      ? &tally.failed
                                  : &tally.refused) += 1;
    withy_sim_destroy(sim);
}

TEST(a_wild_rod_keeps_finite_numbers_and_its_energy_or_fails_with_a_message) {
    for (int k = 0; k < scenes; k++) {
        random_recipe r = random_make((uint64_t)(first + k), 0);
        double step, mesh;
        make_wild(&r, &step, &mesh);
        for (int i = 0; i < RANDOM_METHODS; i++) run_wild(&r, random_method[i].name, step, mesh);
    }
    printf("rods: %d scenes; runs: %d complete, %d stopped after their time, %d failed with a "
           "message, "
           "%d refused; "
           "0 not finite, 0 beyond their bound (%d legs accounted)\n",
           scenes, tally.complete, tally.cut, tally.failed, tally.refused, tally.accounted);
    CHECK(tally.complete > 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_wild_rod_keeps_finite_numbers_and_its_energy_or_fails_with_a_message)};
    if (argc > 1) scenes = atoi(argv[1]);
    if (argc > 2) first = atoi(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
