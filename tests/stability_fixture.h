/* stability_fixture.h - random samples of scenes whose unstable directions are counted by director. */
#ifndef STABILITY_FIXTURE_H
#define STABILITY_FIXTURE_H

#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "random_number.h"
#include "withy/scene.h"

static int wanted = 1;
static uint32_t seed;

static double draw(double from, double to) {
    random_next(&seed);
    return from + (to - from) * (double)(seed >> 8) / 16777216.0;
}

static const double THICK[] = {31, 125, 250, 1000, 20000}; /* L/d */
enum { THICKS = 5 };

/* COUNT and SEED of the command line; the seed is the day. */
static void begin_samples(int argc, char **argv) {
    seed = argc > 2 ? (uint32_t)atol(argv[2]) : (uint32_t)(time(NULL) / 86400);
    if (argc > 1 && atoi(argv[1]) > 0) wanted = atoi(argv[1]);
    print_message("seed %u\n", seed);
    seed *= 2654435761u;
}

static inline withy_status solve(const char *text, withy_static_report *report, withy_error *err) {
    withy_scene *scene = NULL;
    const withy_run_setup setup = {.method = "director"};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, err);
    if (status == WITHY_MISSING) skip();
    if (status == WITHY_OK) status = withy_static(scene, &setup, report, err);
    withy_scene_destroy(scene);
    return status;
}

/* At the end of the path; the sum of the changes on the way must be it. */
static inline int last_count(const char *text) {
    withy_static_report report;
    withy_error err = {0};
    if (solve(text, &report, &err) != WITHY_OK) fail_msg("seed %u: %s\n%s", seed, err.text, text);
    const int count = report.point[report.count - 1].at.negative;
    int changes = 0;
    for (int i = 0; i < report.critical_count; i++) changes += report.critical[i].change;
    if (changes != count)
        fail_msg("changes %d, count %d\n%s\n%s", changes, count, report.notes.text, text);
    withy_static_free(&report);
    return count;
}

#endif
