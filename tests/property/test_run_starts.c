/* test_run_starts.c - withy_check and withy_check_run accept exactly what withy_run begins with.
 *
 * (slow under sanitizers)
 */
#include "cases.h"
#include "check.h"
#include "fixture.h"
#include "today.h"
#include "withy/withy.h"

/* Changes that some methods, or all, refuse; the reader may, too. */
static const char *const change[] = {
    NULL,
    "rotating={ spin = { 0, 0, 1 } }",
    "ends.finish=pinned { position = { 7, 8, 9 } }",
    "ends.start=free {}",
    "probes={ a = { at = 0, what = \"stress\" } }",
    "options.n=1",
};
enum { CHANGES = sizeof change / sizeof *change };

static withy_scene *read_case(const wy_case *from, const char *const *set, int count) {
    withy_scene *scene = NULL;
    const withy_status status =
        withy_scene_read_text(from->text, strlen(from->text), from->name, set, count, &scene, NULL);
    if (status == WITHY_MISSING) skip();
    return scene;
}

/* A case for a hundredth of its time, as trials of automatic steps look as far ahead as it lasts; NULL: refused. */
static withy_scene *briefly(const wy_case *from, const char *changed) {
    char stop[64], output[64];
    const char *const set[] = {stop, output, changed};
    withy_scene *scene = read_case(from, NULL, 0);
    if (!scene) return NULL;
    const double t = withy_scene_problem(scene)->request.stop / 100;
    withy_scene_destroy(scene);
    snprintf(stop, sizeof stop, "time.stop=%.17g", t);
    snprintf(output, sizeof output, "time.output=%.17g", t);
    if (!(t > 0)) return read_case(from, &changed, changed != NULL);
    return read_case(from, set, changed ? 3 : 2);
}

static int stop_soon(void *context, double t, double stop, int64_t step) {
    (void)context, (void)t, (void)stop;
    return step > 0;
}

/* 1: the run begins, and what is checked says so; 0: both refuse. */
static int begins(const withy_scene *scene, const char *method, const char *name,
                  const char *changed) {
    static withy_report report;
    const withy_run_setup setup = {.method = method, .progress = stop_soon};
    withy_error why = {0}, err = {0};
    const int accepted = withy_check(scene, method, &why) == WITHY_OK &&
                         withy_check_run(scene, method, &why) == WITHY_OK;
    const withy_status status = withy_run(scene, &setup, &report, &err);
    /* a first step that fails is not refused */
    const int began = status == WITHY_OK || status == WITHY_INTERRUPTED ||
                      (status == WITHY_NO_CONVERGENCE && accepted);
    if (began != accepted)
        fail_msg("%s, %s, %s: check says \"%s\", run says \"%s\"", name, method,
                 changed ? changed : "as it is", accepted ? "accepts" : why.text,
                 began ? "it begins" : err.text);
    return began;
}

TEST(what_is_accepted_for_a_run_is_what_a_run_begins_with) {
    enum { PARTS = 6 }; /* a sixth of the cases on a day */
    int run = 0, refused = 0, number = today_from(0, PARTS, 1);
    for (const wy_case *at = wy_cases; at->name; at++)
        for (int i = 0; i < CHANGES; i++) {
            if (i == 0 && ++number % PARTS != 0) break;
            withy_method_info info;
            withy_scene *scene = briefly(at, change[i]);
            if (!scene) continue;
            for (int k = 0; withy_method_at(k, &info); k++) {
                if (!withy_scene_problem(scene)->request.given) break;
                const int began = begins(scene, info.name, at->name, change[i]);
                run += began, refused += !began;
            }
            withy_scene_destroy(scene);
        }
    printf("%d runs begin and %d are refused, as withy check says\n", run, refused);
    CHECK(run > 10 && refused > 10);
}

RUN(test(what_is_accepted_for_a_run_is_what_a_run_begins_with))
