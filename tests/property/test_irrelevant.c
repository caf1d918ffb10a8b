/* test_irrelevant.c - a part that touches nothing changes no motion, equilibrium or frequency of director.
 *
 *     test_irrelevant [COUNT] [loud | louder] [NAME]
 *
 * (slow under sanitizers)
 */
#include "base/base.h"
#include "irrelevant.h"

enum { STEPS = 12, MODES = 3, SCENES = 25 };

/* ---- questions ------------------------------------------------------------------------------------------------ */

static withy_status start(const scene *x, const withy_option *option, int count, withy_sim **sim) {
    return withy_sim_create(&x->problem, "director", option, count, sim, &err);
}

static withy_status finish(withy_status status, const scene *x, const withy_problem *plain,
                           withy_sim *sim, answer *out) {
    if (sim) put_notes(sim, out);
    if (status == WITHY_OK) put_places(x, sim, plain, out);
    withy_sim_destroy(sim);
    return status;
}

static withy_status move(scene *x, const withy_problem *plain, const variant *v,
                         const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    if (status == WITHY_OK) status = withy_sim_advance(sim, STEPS * withy_sim_step(sim), &err);
    return finish(status, x, plain, sim, out);
}

static withy_status come_to_rest(const scene *x, withy_sim *sim, answer *out) {
    withy_equilibrium point;
    const withy_path *path = &x->problem.path;
    const double factor =
        path->given ? path->from + (path->to - path->from) / fmax(path->steps, 1) : 1;
    const withy_status status = withy_sim_equilibrium(sim, factor, &point, &err);
    if (status == WITHY_OK) put_whole(out, point.negative), put_whole(out, point.neutral);
    return status;
}

static withy_status rest(scene *x, const withy_problem *plain, const variant *v,
                         const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    if (status == WITHY_OK) status = come_to_rest(x, sim, out);
    return finish(status, x, plain, sim, out);
}

/* Squares of lambda, which are what is computed, over the largest, and kinds. */
static void put_modes(const withy_mode *mode, answer *out) {
    const int total = mode->total < MODES ? mode->total : MODES;
    double most = 1e-300;
    for (int i = 0; i < total; i++)
        most = fmax(most, hypot(2 * WY_PI * mode[i].frequency, mode[i].growth));
    for (int i = 0; i < total; i++) {
        const double im = 2 * WY_PI * mode[i].frequency / most, re = mode[i].growth / most;
        put(out, re * re - im * im), put(out, 2 * re * im);
        put_whole(out, mode[i].kind);
    }
}

static withy_status sound(scene *x, const withy_problem *plain, const variant *v,
                          const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    withy_mode *mode = NULL;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    if (status == WITHY_OK) status = come_to_rest(x, sim, out);
    if (status == WITHY_OK) status = withy_sim_modes(sim, WITHY_UP_TO + MODES, &mode, &err);
    if (status == WITHY_OK) put_modes(mode, out);
    if (mode) withy_modes_free(mode, mode->total);
    return finish(status, x, plain, sim, out);
}

/* ---- what is asserted ----------------------------------------------------------------------------------------- */

/* The largest difference, over the size of the scene or the largest frequency: 0 to the last bit, and with as many
 * iterations and halvings.
 *   ROUNDING: a body more changes the order of elimination; 1e-16 times the condition of the tangent, up to 1e6 here.
 *   DONE: so do a rod more, another order of lists and a weld, and Newton's method of a step, which goes on until all parts
 *   have converged, ends where a change is below 1e-9: as many of these as there are steps.
 *   ORIGIN: coordinates are measured from the start of the first rod; with that 10 lengths away they are rounded to 1e-15
 *   lengths, which as a strain is 1e-15 (L/r)^2 of the bending, and L/r is 1e4 where rods are rigid but for bending. */
#define ROUNDING 1e-10
#define DONE (STEPS * 1e-9)
#define ORIGIN 1e-6
static const double of_motion[VARIANTS] = {
    [BODY] = ROUNDING, [ROD] = DONE, [ROD_FIRST] = DONE, [ORDER] = DONE, [CUT] = DONE};
static const double of_rest[VARIANTS] = {
    [BODY] = ROUNDING, [ROD] = DONE, [ROD_FIRST] = ORIGIN, [ORDER] = DONE, [CUT] = DONE};
/* CONVERGED: iterations for modes end where they change by 1e-10, or by 1e-8 and no less (STUCK in subspace.c). */
#define CONVERGED 1e-8
static const double of_modes[VARIANTS] = {
    [BODY] = CONVERGED, [ROD] = CONVERGED, [ROD_FIRST] = ORIGIN, [ORDER] = CONVERGED, [CUT] = DONE};
static const question motion = {"motion", move, of_motion};
static const question equilibrium = {"equilibrium", rest, of_rest};
static const question frequencies = {"frequencies", sound, of_modes};

/* ---- all scenes ----------------------------------------------------------------------------------------------- */

static int is_still(const withy_problem *plain) {
    return plain->path.given || !(plain->request.stop > 0);
}

static int moves(const char *name, const withy_problem *plain) {
    (void)name;
    return !is_still(plain);
}

/* Not those that take seconds (lifted_rod is asked for a point of its path without the ones before). */
static int rests(const char *name, const withy_problem *plain) {
    static const char *const left_out[] = {"gridshell", "lifted_rod"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(name, left_out[i]) == 0) return 0;
    return is_still(plain);
}

/* Where loads have no potential, how many growing modes of the mesh are listed depends on how many are looked at: left out.  So
 * are pins, about which a round rod turns freely: whether that motion is called neutral, rounding decides. */
static void with_potential(random_scene *y) {
    for (int i = 0; i < 2; i++) {
        withy_end *end = &y->rod.end[i];
        end->follower = 0, end->moment.size = 0;
        if (end->kind == WITHY_END_PINNED) end->kind = WITHY_END_CLAMPED;
    }
}

TEST(a_case_moves_as_without_what_it_never_touches) {
    all_cases(&motion, moves, 50);
}
TEST(a_random_rod_moves_as_without_what_it_never_touches) {
    all_random(&motion, SCENES, 0, NULL);
}
TEST(a_case_comes_to_rest_as_without_what_it_never_touches) {
    all_cases(&equilibrium, rests, 20);
}
TEST(a_random_rod_comes_to_rest_as_without_what_it_never_touches) {
    all_random(&equilibrium, SCENES, 1, NULL);
}
TEST(a_case_sounds_as_without_what_it_never_touches) {
    all_cases(&frequencies, rests, 20);
}
TEST(a_random_rod_sounds_as_without_what_it_never_touches) {
    all_random(&frequencies, SCENES, 1, with_potential);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_case_moves_as_without_what_it_never_touches),
        test(a_random_rod_moves_as_without_what_it_never_touches),
        test(a_case_comes_to_rest_as_without_what_it_never_touches),
        test(a_random_rod_comes_to_rest_as_without_what_it_never_touches),
        test(a_case_sounds_as_without_what_it_never_touches),
        test(a_random_rod_sounds_as_without_what_it_never_touches)};
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
