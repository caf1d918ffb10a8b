/* test_state.c - the state of every method is one block of plain bytes, and nothing else is kept. */
#include <limits.h>
#include <stdlib.h>

#include "case_fixture.h"
#include "study/sim.h"
#include "today.h"
#include "withy/withy.h"

/* Under sanitizers the same messages over a shorter time: four pauses, two steps apart; PER: steps per output. */
#ifdef __SANITIZE_ADDRESS__
enum { SETS = 6, STEPS = 4, APART = 2, WATCHES = 1, PER = 2 };
#else
enum { SETS = 6, STEPS = 12, APART = INT_MAX, WATCHES = 3, PER = 4 };
#endif

/* A scene under a method: a case that comes with the program, and what is changed in it. */
typedef struct row {
    const char *method, *scene;
    const char *set[SETS];
} row;

static const row rows[] = {
#include "unit/state_rows.inc"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Every second row, the others the next day. */
static int is_of_today(int i) {
    return i % 2 == today_from(0, 2, 1);
}

static withy_scene *scene_of_row(const row *r) {
    const char *set[SETS];
    int count = 0;
    for (; count < SETS && r->set[count]; count++) set[count] = r->set[count];
    return scene_of_case(r->scene, set, count);
}

static withy_sim *sim_of(const row *r, const withy_scene *scene) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(withy_scene_sim(scene, r->method, &sim, &err));
    return sim;
}

/* The time after k of STEPS pauses: an output interval each, or APART steps where that is less. */
static double pause(const withy_sim *sim, int k) {
    const double h = sim->core->clock.h, output = sim->problem.request.output;
    return k * (h > 0 && APART * h < output ? APART * h : output);
}

static int last_pause(const withy_sim *sim) {
    const int64_t outputs = wy_output_count(&sim->problem.request);
    return outputs < STEPS ? (int)outputs : STEPS;
}

/* Advance by single steps where the method has a step of its own, spoiling the scratch after each. */
static void go_spoiling(withy_sim *sim, double t) {
    withy_error err = {0};
    const wy_clock *clock = &sim->core->clock;
    if (clock->h > 0)
        for (;;) {
            const double next = clock->origin + (double)(clock->step + 1) * clock->h;
            if (!(next < t - 0.5 * clock->h)) break;
            CHECK_OK(withy_sim_advance(sim, next, &err));
            wy_sim_overwrite_scratch(sim);
        }
    CHECK_OK(withy_sim_advance(sim, t, &err));
    wy_sim_overwrite_scratch(sim);
}

TEST(scratch_may_be_overwritten_after_every_step) {
    for (int i = 0; i < ROWS; i++) {
        if (!is_of_today(i)) continue;
        withy_error err = {0};
        withy_scene *a = scene_of_row(&rows[i]), *b = scene_of_row(&rows[i]);
        withy_sim *one = sim_of(&rows[i], a), *two = sim_of(&rows[i], b);
        wy_sim_overwrite_scratch(two);
        for (int k = 1; k <= last_pause(one); k++) {
            CHECK_OK(withy_sim_advance(one, pause(one, k), &err));
            go_spoiling(two, pause(two, k));
            if (withy_sim_hash(one) != withy_sim_hash(two))
                fail_msg("%s on %s: another state at t = %g", rows[i].method, rows[i].scene,
                         pause(one, k));
        }
        withy_sim_destroy(one), withy_sim_destroy(two);
        withy_scene_destroy(a), withy_scene_destroy(b);
    }
}

/* Contacts of the kind that hold by less friction than they could, at the pause at which the next test saves. */
static int held(const row *r, int of, double mu) {
    withy_error err = {0};
    withy_scene *scene = scene_of_row(r);
    withy_sim *sim = sim_of(r, scene);
    CHECK_OK(withy_sim_advance(sim, pause(sim, last_pause(sim) / 2), &err));
    const withy_parts *parts = withy_sim_parts(sim);
    int count = 0;
    for (int i = 0; i < parts->contact_count; i++) {
        const withy_contact_state *at = &parts->contacts[i];
        count += at->of == of && at->friction > 1e-6 * mu * at->push &&
                 at->friction < 0.99 * mu * at->push;
    }
    withy_sim_destroy(sim), withy_scene_destroy(scene);
    return count;
}

TEST(a_row_is_saved_while_rods_are_held_by_friction_on_the_ground_and_on_each_other) {
    int both = 0;
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].scene, "crossing_rods") == 0)
            both += held(&rows[i], WITHY_OF_ROD, 0.5) > 0 && held(&rows[i], WITHY_OF_OBSTACLE, 0.5);
    CHECK(both > 0);
}

TEST(going_on_from_a_saved_state_is_never_having_stopped) {
    for (int i = 0; i < ROWS; i++) {
        if (!is_of_today(i)) continue;
        withy_error err = {0};
        withy_scene *a = scene_of_row(&rows[i]), *b = scene_of_row(&rows[i]);
        withy_sim *one = sim_of(&rows[i], a), *two = sim_of(&rows[i], b), *fork = NULL;
        const int last = last_pause(one), half = last / 2;
        const size_t size = withy_sim_save_size(one);
        void *bytes = malloc(size);
        CHECK_OK(withy_sim_advance(one, pause(one, half), &err));
        CHECK_OK(withy_sim_save(one, bytes, size, &err));
        CHECK_OK(withy_sim_fork(one, &fork, &err));
        CHECK_OK(withy_sim_advance(one, pause(one, last), &err));
        CHECK_OK(withy_sim_advance(two, pause(two, 1), &err)); /* somewhere else */
        CHECK_OK(withy_sim_restore(two, bytes, size, &err));
        wy_sim_overwrite_scratch(two);
        CHECK_OK(withy_sim_advance(two, pause(two, last), &err));
        CHECK_OK(withy_sim_advance(fork, pause(fork, last), &err));
        if (withy_sim_hash(one) != withy_sim_hash(two) ||
            withy_sim_hash(one) != withy_sim_hash(fork))
            fail_msg("%s on %s: another state", rows[i].method, rows[i].scene);
        free(bytes);
        withy_sim_destroy(one), withy_sim_destroy(two), withy_sim_destroy(fork);
        withy_scene_destroy(a), withy_scene_destroy(b);
    }
}

/* The scene of a row, with other outputs and a probe, under the step h. */
static withy_sim *watched(const row *r, const withy_scene *scene, withy_problem *problem, double h,
                          double output, const withy_probe *probe) {
    withy_error err = {0};
    withy_sim *sim;
    withy_option option[WITHY_SCENE_OPTIONS];
    withy_study study;
    *problem = *withy_scene_problem(scene);
    problem->request.output = output, problem->request.stop = 12 * output;
    problem->request.probe = probe, problem->request.probe_count = probe ? 1 : 0;
    CHECK_OK(withy_scene_study(scene, r->method, option, &study, &err));
    int at = 0;
    while (at < study.option_count && strcmp(option[at].name, "dt") != 0) at++;
    option[at] = (withy_option){.name = "dt", .number = h};
    if (at == study.option_count) study.option_count++;
    CHECK_OK(withy_sim_create(problem, r->method, option, study.option_count, &sim, &err));
    return sim;
}

static void check_same(const row *r, const withy_sim *a, const withy_sim *b) {
    const size_t core = sizeof(wy_core);
    if (memcmp(a->state.base + core, b->state.base + core, a->state.used - core) != 0)
        fail_msg("%s on %s: other bits at t = %g", r->method, r->scene, a->core->t);
}

/* The same trajectory, bit for bit, when outputs are four times as frequent and a probe is added (dt divides
 * all intervals). */
TEST(what_is_watched_changes_no_bit) {
    for (int i = 0; i < ROWS; i++) {
        if (!is_of_today(i)) continue;
        withy_error err = {0};
        withy_scene *scene = scene_of_row(&rows[i]);
        withy_sim *one = sim_of(&rows[i], scene);
        const double h = one->core->clock.h;
        if (h > 0) {
            withy_problem a, b;
            const withy_probe probe = {.name = "p", .what = "position", .at = 0, .every = 2 * h};
            withy_sim *two = watched(&rows[i], scene, &a, h, 4 * PER * h, NULL);
            withy_sim *three = watched(&rows[i], scene, &b, h, PER * h, &probe);
            for (int k = 1; k <= WATCHES; k++) {
                CHECK_OK(withy_sim_advance(two, 4 * PER * k * h, &err));
                for (int part = 2 * PER * (k - 1) + 1; part <= 2 * PER * k; part++)
                    CHECK_OK(withy_sim_advance(three, 2 * part * h, &err));
                check_same(&rows[i], two, three);
            }
            withy_sim_destroy(two), withy_sim_destroy(three);
        }
        withy_sim_destroy(one);
        withy_scene_destroy(scene);
    }
}

/* Where dt must be adjusted, one note reports it, in every method, in the same words. */
TEST(a_step_that_is_fitted_is_noted_in_the_same_words) {
    for (int i = 0; i < ROWS; i++) {
        withy_scene *scene = scene_of_row(&rows[i]);
        withy_sim *one = sim_of(&rows[i], scene);
        const double h = one->core->clock.h;
        if (h > 0) {
            withy_problem a;
            char requested[256];
            withy_sim *two = watched(&rows[i], scene, &a, 0.9 * h, 4 * h, NULL);
            const double output = two->problem.request.output;
            snprintf(requested, sizeof requested,
                     "options.dt is %.9g instead of %.9g, so that whole steps fill time.output = "
                     "%.9g",
                     output / 5, 0.9 * h, output);
            if (!strstr(withy_sim_notes(two)->text, requested))
                fail_msg("%s on %s: want \"%s\" in \"%s\"", rows[i].method, rows[i].scene,
                         requested, withy_sim_notes(two)->text);
            withy_sim_destroy(two);
        }
        withy_sim_destroy(one);
        withy_scene_destroy(scene);
    }
}

TEST(a_state_of_another_kind_is_refused) {
    withy_error err = {0};
    for (int i = 0; i < ROWS; i++) {
        withy_scene *a = scene_of_row(&rows[i]);
        withy_sim *sim = sim_of(&rows[i], a);
        const size_t size = withy_sim_save_size(sim);
        char *bytes = malloc(size);
        const uint64_t before = withy_sim_hash(sim);
        CHECK_OK(withy_sim_save(sim, bytes, size, &err));
        CHECK(withy_sim_restore(sim, bytes, size - 1, &err) == WITHY_BAD_INPUT);
        bytes[size - 1] ^= 1;
        CHECK(withy_sim_restore(sim, bytes, size, &err) == WITHY_BAD_INPUT);
        bytes[0] ^= 1;
        CHECK(withy_sim_restore(sim, bytes, size, &err) == WITHY_BAD_INPUT);
        CHECK(withy_sim_restore(sim, NULL, size, &err) == WITHY_BAD_INPUT);
        CHECK(withy_sim_save(sim, bytes, size - 1, &err) == WITHY_BAD_INPUT);
        CHECK(withy_sim_hash(sim) == before);
        free(bytes);
        withy_sim_destroy(sim);
        withy_scene_destroy(a);
    }
}

static double break_at; /* [s] */

static withy_status breaks(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s;
    if (t > break_at) {
        snprintf(err->text, sizeof err->text, "broken");
        return WITHY_BAD_INPUT;
    }
    out[0] = out[2] = 0, out[1] = 1e-3;
    return WITHY_OK;
}

/* A cantilever under its weight and a force at its tip. */
static void heavy(withy_problem *problem, withy_rod *rod) {
    *problem = withy_problem_default(), *rod = withy_rod_default();
    problem->rod = rod, problem->rod_count = 1;
    problem->gravity = (withy_vec3){0, -9.81, 0};
    problem->request.stop = 4e-3, problem->request.output = 1e-3;
    rod->length = 0.1, rod->material = (withy_material){1e6, 3e5, 1000};
    rod->section.kind = WITHY_SECTION_CIRCLE, rod->section.a = withy_field_number(8e-3);
    rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    rod->end[0] = (withy_end){.kind = WITHY_END_CLAMPED};
    rod->end[1] = (withy_end){.kind = WITHY_END_FREE, .force = {.size = 3, .call = breaks}};
}

static withy_sim *heavy_sim(const withy_problem *problem, const char *method) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(withy_sim_create(problem, method, NULL, 0, &sim, &err));
    return sim;
}

/* A force that cannot be evaluated stops an advance between two steps: nothing has moved, and once it
 * can be evaluated the run is that of a simulation which never failed. */
TEST(an_advance_that_fails_leaves_the_state_as_it_was) {
    for (int i = 0; i < wy_method_count(); i++) {
        withy_error err = {0};
        withy_equilibrium point;
        withy_problem problem;
        withy_rod rod;
        heavy(&problem, &rod);
        const char *method = wy_method_at(i)->name;
        break_at = INFINITY;
        withy_sim *one = heavy_sim(&problem, method), *two = heavy_sim(&problem, method);
        CHECK_OK(withy_sim_advance(one, 1e-3, &err));
        CHECK_OK(withy_sim_advance(two, 1e-3, &err));
        const uint64_t before = withy_sim_hash(two);
        break_at = 2.5e-3;
        CHECK(withy_sim_advance(two, 4e-3, &err) != WITHY_OK);
        CHECK(withy_sim_hash(two) == before && withy_sim_time(two) == 1e-3);
        break_at = INFINITY;
        CHECK_OK(withy_sim_advance(one, 4e-3, &err));
        CHECK_OK(withy_sim_advance(two, 4e-3, &err));
        CHECK(withy_sim_hash(one) == withy_sim_hash(two));
        if (one->method->equations) { /* let go of an equilibrium */
            CHECK_OK(withy_sim_equilibrium(two, 1.0, &point, &err));
            const uint64_t equilibrium = withy_sim_hash(two);
            break_at = 1e-3;
            CHECK(withy_sim_advance(two, 4e-3, &err) != WITHY_OK);
            CHECK(withy_sim_hash(two) == equilibrium && withy_sim_time(two) == 1.0);
        }
        withy_sim_destroy(one), withy_sim_destroy(two);
    }
}

/* Gravity, a stiffness, an end and a load make another problem; what is watched does not. */
TEST(a_state_of_another_problem_is_refused) {
    withy_error err = {0};
    withy_problem problem, other;
    withy_rod rod, changed;
    break_at = INFINITY;
    heavy(&problem, &rod);
    withy_sim *one = heavy_sim(&problem, "director");
    const size_t size = withy_sim_save_size(one);
    void *bytes = malloc(size);
    CHECK_OK(withy_sim_save(one, bytes, size, &err));
    for (int k = 0; k < 5; k++) {
        heavy(&other, &changed);
        if (k == 0) other.request.stop = 8e-3;
        if (k == 1) other.gravity.y = -1.6;
        if (k == 2) changed.material.young = 2e6;
        if (k == 3) changed.end[1].spring = 1;
        if (k == 4) changed.section.a.value[0] = 7e-3;
        withy_sim *two = heavy_sim(&other, "director");
        const withy_status status = withy_sim_restore(two, bytes, size, &err);
        CHECK(status == (k == 0 ? WITHY_OK : WITHY_BAD_INPUT));
        withy_sim_destroy(two);
    }
    free(bytes);
    withy_sim_destroy(one);
}

/* A dt with few digits lands on every output of a long run: what it lacks does not add up. */
TEST(a_rounded_dt_fills_every_output) {
    const withy_request request = {.stop = 1e6, .output = 1 / 3.};
    const wy_preferred_step preferred_step = {.dt = 3.333333333e-3, .given = 1};
    withy_notes notes = {{0}, {0}};
    const double h = wy_clock_fit(&request, &preferred_step, &notes);
    CHECK(h == request.output / 100 && !notes.text[0]);
    const wy_preferred_step exact = {.dt = request.output / 100, .given = 1};
    CHECK(wy_clock_fit(&request, &exact, &notes) == exact.dt);
}

RUN(test(scratch_may_be_overwritten_after_every_step),
    test(a_row_is_saved_while_rods_are_held_by_friction_on_the_ground_and_on_each_other),
    test(going_on_from_a_saved_state_is_never_having_stopped), test(what_is_watched_changes_no_bit),
    test(a_step_that_is_fitted_is_noted_in_the_same_words),
    test(a_state_of_another_kind_is_refused),
    test(an_advance_that_fails_leaves_the_state_as_it_was),
    test(a_state_of_another_problem_is_refused), test(a_rounded_dt_fills_every_output))
