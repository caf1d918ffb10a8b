/* test_state.c - the state of every method is one block of plain bytes, and nothing else is remembered. */
#include <stdlib.h>

#include "cases.h"
#include "check.h"
#include "study/sim.h"
#include "withy/withy.h"

enum { SETS = 6, STEPS = 24 };

/* A scene under a method: a case that comes with the program, and what is changed in it. */
typedef struct row {
    const char *method, *scene;
    const char *set[SETS];
} row;

static const row rows[] = {
#include "unit/state_rows.inc"
};
enum { ROWS = sizeof rows / sizeof *rows };

static withy_scene *scene_of(const row *r, const char *more) {
    const char *set[SETS + 1];
    int count = 0;
    withy_error err = {0};
    withy_scene *scene = NULL;
    for (; count < SETS && r->set[count]; count++) set[count] = r->set[count];
    if (more) set[count++] = more;
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, r->scene) == 0)
            CHECK_OK(withy_scene_read_text(c->text, c->size, c->name, set, count, &scene, &err));
    CHECK(scene);
    return scene;
}

static withy_sim *sim_of(const row *r, const withy_scene *scene) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(withy_scene_sim(scene, r->method, &sim, &err));
    return sim;
}

/* The time of row r after k of STEPS pauses: an output interval each. */
static double pause(const withy_sim *sim, int k) {
    return sim->problem.request.output * k;
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
            wy_sim_spoil(sim);
        }
    CHECK_OK(withy_sim_advance(sim, t, &err));
    wy_sim_spoil(sim);
}

TEST(scratch_may_be_overwritten_after_every_step) {
    for (int i = 0; i < ROWS; i++) {
        withy_error err = {0};
        withy_scene *a = scene_of(&rows[i], NULL), *b = scene_of(&rows[i], NULL);
        withy_sim *one = sim_of(&rows[i], a), *two = sim_of(&rows[i], b);
        if (one->method->lay) {
            wy_sim_spoil(two);
            for (int k = 1; k <= last_pause(one); k++) {
                CHECK_OK(withy_sim_advance(one, pause(one, k), &err));
                go_spoiling(two, pause(two, k));
                if (withy_sim_hash(one) != withy_sim_hash(two))
                    fail_msg("%s on %s: another state at t = %g", rows[i].method, rows[i].scene,
                             pause(one, k));
            }
        }
        withy_sim_destroy(one), withy_sim_destroy(two);
        withy_scene_destroy(a), withy_scene_destroy(b);
    }
}

TEST(going_on_from_a_saved_state_is_never_having_stopped) {
    for (int i = 0; i < ROWS; i++) {
        withy_error err = {0};
        withy_scene *a = scene_of(&rows[i], NULL), *b = scene_of(&rows[i], NULL);
        withy_sim *one = sim_of(&rows[i], a), *two = sim_of(&rows[i], b), *fork = NULL;
        const int last = last_pause(one), half = last / 2;
        if (one->method->lay) {
            const size_t size = withy_sim_save_size(one);
            void *bytes = malloc(size);
            CHECK_OK(withy_sim_advance(one, pause(one, half), &err));
            CHECK_OK(withy_sim_save(one, bytes, size, &err));
            CHECK_OK(withy_sim_fork(one, &fork, &err));
            CHECK_OK(withy_sim_advance(one, pause(one, last), &err));
            CHECK_OK(withy_sim_advance(two, pause(two, 1), &err)); /* somewhere else */
            CHECK_OK(withy_sim_restore(two, bytes, size, &err));
            wy_sim_spoil(two);
            CHECK_OK(withy_sim_advance(two, pause(two, last), &err));
            CHECK_OK(withy_sim_advance(fork, pause(fork, last), &err));
            if (withy_sim_hash(one) != withy_sim_hash(two) ||
                withy_sim_hash(one) != withy_sim_hash(fork))
                fail_msg("%s on %s: another state", rows[i].method, rows[i].scene);
            free(bytes);
        }
        withy_sim_destroy(one), withy_sim_destroy(two), withy_sim_destroy(fork);
        withy_scene_destroy(a), withy_scene_destroy(b);
    }
}

/* The same trajectory, bit for bit, when outputs are four times as frequent (and dt divides both). */
TEST(what_is_watched_changes_no_bit) {
    for (int i = 0; i < ROWS; i++) {
        withy_error err = {0};
        withy_scene *a = scene_of(&rows[i], NULL);
        withy_sim *one = sim_of(&rows[i], a);
        const double h = one->core->clock.h;
        const int steps = h > 0 ? (int)floor(one->problem.request.output / h + 0.5) : 0;
        if (one->method->lay && steps > 0 && steps % 4 == 0) {
            char dt[64], output[64];
            snprintf(output, sizeof output, "time.output=%.17g", steps / 4 * h);
            snprintf(dt, sizeof dt, "options.dt=%.17g", h);
            row given = rows[i];
            int k = 0;
            while (k < SETS && given.set[k]) k++;
            CHECK(k < SETS);
            given.set[k] = dt;
            withy_scene *b = scene_of(&given, NULL), *c = scene_of(&given, output);
            withy_sim *two = sim_of(&given, b), *three = sim_of(&given, c);
            for (int at = 1; at <= 3; at++) {
                CHECK_OK(withy_sim_advance(two, pause(two, at), &err));
                for (int part = 4 * at - 3; part <= 4 * at; part++)
                    CHECK_OK(withy_sim_advance(three, pause(three, part), &err));
                const size_t core = sizeof(wy_core);
                if (memcmp(two->state.base + core, three->state.base + core,
                           two->state.used - core) != 0)
                    fail_msg("%s on %s: other bits at output %d", given.method, given.scene, at);
            }
            withy_sim_destroy(two), withy_sim_destroy(three);
            withy_scene_destroy(b), withy_scene_destroy(c);
        }
        withy_sim_destroy(one);
        withy_scene_destroy(a);
    }
}

TEST(a_state_of_another_kind_is_refused) {
    withy_error err = {0};
    for (int i = 0; i < ROWS; i++) {
        withy_scene *a = scene_of(&rows[i], NULL);
        withy_sim *sim = sim_of(&rows[i], a);
        const size_t size = withy_sim_save_size(sim);
        char *bytes = malloc(size);
        const uint64_t before = withy_sim_hash(sim);
        if (sim->method->lay) {
            CHECK_OK(withy_sim_save(sim, bytes, size, &err));
            CHECK(withy_sim_restore(sim, bytes, size - 1, &err) == WITHY_BAD_INPUT);
            bytes[size - 1] ^= 1;
            CHECK(withy_sim_restore(sim, bytes, size, &err) == WITHY_BAD_INPUT);
            bytes[0] ^= 1;
            CHECK(withy_sim_restore(sim, bytes, size, &err) == WITHY_BAD_INPUT);
            CHECK(withy_sim_restore(sim, NULL, size, &err) == WITHY_BAD_INPUT);
            CHECK(withy_sim_save(sim, bytes, size - 1, &err) == WITHY_BAD_INPUT);
        }
        CHECK(withy_sim_hash(sim) == before);
        free(bytes);
        withy_sim_destroy(sim);
        withy_scene_destroy(a);
    }
}

RUN(test(scratch_may_be_overwritten_after_every_step),
    test(going_on_from_a_saved_state_is_never_having_stopped), test(what_is_watched_changes_no_bit),
    test(a_state_of_another_kind_is_refused))
