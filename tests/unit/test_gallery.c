/* test_gallery.c - the notes about mesh, step and rods that pass through each other on the cases as they are shown: none is
 * false.
 *
 *     test_gallery [all]       all: also every case that takes seconds (make attack)
 *
 * (slow under sanitizers) */
#include <stdlib.h>

#include "base/note.h"
#include "cases.h"
#include "check.h"
#include "today.h"
#include "withy/withy.h"

static int every;

static const wy_case *find(const char *name) {
    for (const wy_case *at = wy_cases; at->name; at++)
        if (strcmp(at->name, name) == 0) return at;
    fail_msg("there is no case %s", name);
    return NULL;
}

static withy_scene *scene_of(const wy_case *at, const char *const *set, int count) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(at->text, at->size, at->name, set, count, &scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s: %s", at->name, err.text);
    return scene;
}

static withy_report run(const char *name, const char *const *set, int count) {
    withy_scene *scene = scene_of(find(name), set, count);
    static withy_report report;
    const withy_run_setup setup = {0};
    withy_error err = {0};
    if (withy_run(scene, &setup, &report, &err) != WITHY_OK) fail_msg("%s: %s", name, err.text);
    withy_scene_destroy(scene);
    return report;
}

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static double apart(const withy_report *a, const withy_report *b) {
    return distance(a->position[1], b->position[1]);
}

/* ---- every case that takes less than a second, and one that takes seconds, another every day ---------- */

static int is_doubted(const withy_notes *notes) {
    return wy_note_has(notes, WY_NOTE_mesh_coarse) || wy_note_has(notes, WY_NOTE_step_long) ||
           wy_note_has(notes, WY_NOTE_steps_cut) || wy_note_has(notes, WY_NOTE_rods_cross);
}

static int is_one_of(const char *name, const char *const *list) {
    for (; *list; list++)
        if (strcmp(name, *list) == 0) return 1;
    return 0;
}

/* Its notes, by the study that the case is drawn from. */
static int doubted(const wy_case *at) {
    withy_scene *scene = scene_of(at, NULL, 0);
    const withy_run_setup setup = {0};
    withy_error err = {0};
    static withy_report report;
    withy_static_report path;
    int found;
    if (strstr(at->text, "-- solve: static")) {
        if (withy_static(scene, &setup, &path, &err) != WITHY_OK) fail_msg("%s", err.text);
        found = is_doubted(&path.notes);
        withy_static_free(&path);
    } else {
        if (withy_run(scene, &setup, &report, &err) != WITHY_OK) fail_msg("%s", err.text);
        found = is_doubted(&report.notes);
    }
    withy_scene_destroy(scene);
    return found;
}

TEST(cases_as_they_are_shown_are_not_doubted_unless_they_are_wrong) {
    static const char *const longer[] = {"bowed_string",
                                         "conical_spring",
                                         "falling_rod",
                                         "flying_rod",
                                         "galloping_line",
                                         "guitar",
                                         "hanging_spring_wire",
                                         "michell_ring",
                                         "rotating_clamp",
                                         "snap_arch",
                                         "spring_surge",
                                         "stick_slip",
                                         "struck_bar",
                                         "suture_thread",
                                         "telephone_cord",
                                         "tendon_robot",
                                         "helical_buckling",
                                         "transported_curvature",
                                         "violin_a_string",
                                         "belt_coiling",
                                         "cable_in_pipe",
                                         "capstan",
                                         "helix_in_tube",
                                         "plectoneme",
                                         "plectrum",
                                         "rod_pile",
                                         "snake",
                                         "trefoil_knot",
                                         "yarn",
                                         NULL};
    static const char *const seconds[] = {
        "chain",         "fibre",           "gridshell",  "gripper_ball",
        "lee_frame",     "spring_to_solid", "string_set", "string_twist",
        "tube_buckling", "violin_tensions", NULL};
    static const char *const wrong[] = {"release_notes", NULL}; /* shown below */
    const char *const today = seconds[today_from(0, sizeof seconds / sizeof *seconds - 1, 1)];
    int looked = 0;
    for (const wy_case *at = wy_cases; at->name; at++) {
        if (is_one_of(at->name, longer) || strstr(at->text, "-- solve: modes")) continue;
        if (!every && is_one_of(at->name, seconds) && strcmp(at->name, today) != 0) continue;
        const int found = doubted(at);
        if (found != is_one_of(at->name, wrong))
            fail_msg("%s: %s", at->name, found ? "a false alarm" : "no note");
        looked++;
    }
    printf("%d cases as they are shown, today %s: only release_notes has a note, which is true\n",
           looked, every ? "all" : today);
    CHECK(looked >= 30);
}

static withy_vec3 tip(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

/* The step of the source is 0.01 s; its second bending mode has a period of 0.04 s. */
TEST(the_step_of_release_notes_is_as_wrong_as_its_note_says) {
    static const char *const fine[] = {"options.dt=6.25e-4"};
    const withy_report shown = run("release_notes", NULL, 0);
    withy_scene *scene[2] = {scene_of(find("release_notes"), NULL, 0),
                             scene_of(find("release_notes"), fine, 1)};
    withy_sim *sim[2];
    withy_error err = {0};
    double off = 0, way = 0;
    for (int k = 0; k < 2; k++) CHECK_OK(withy_scene_sim(scene[k], NULL, &sim[k], &err));
    const withy_vec3 first = tip(sim[1], 0);
    for (int i = 1; i <= 100; i++) {
        const withy_vec3 a = tip(sim[0], 0.01 * i), b = tip(sim[1], 0.01 * i);
        off = fmax(off, distance(a, b)), way = fmax(way, distance(b, first));
    }
    const char *at = strstr(shown.notes.text, "about ");
    CHECK(at != NULL);
    const double said = 0.01 * strtod(at + 6, NULL);
    printf("release_notes is wrong by %.0f %% of its way, and its note says %.0f %%\n",
           100 * off / way, 100 * said);
    CHECK(off / way > 0.5 * said && off / way < 2 * said);
    for (int k = 0; k < 2; k++) withy_sim_destroy(sim[k]), withy_scene_destroy(scene[k]);
}

/* ---- hanging_spring --------------------------------------------------------------------------------- */

TEST(hanging_spring_is_shown_converged_and_by_steps_that_rounding_does_not_decide) {
    static const char *const fine[] = {"options.dt=1.25e-3", "options.order=4"};
    static const char *const bend[] = {"options.n=80"};
    const withy_report shown = run("hanging_spring", NULL, 0),
                       limit = run("hanging_spring", fine, 2),
                       mesh = run("hanging_spring", bend, 1);
    const double way = 1.2; /* it falls by that much and comes back */
    printf("hanging_spring: %.2f %% of the way off by its step, %.3f %% by its mesh\n",
           100 * apart(&shown, &limit) / way, 100 * apart(&shown, &mesh) / way);
    CHECK_BELOW(apart(&shown, &limit), 0.005 * way);
    CHECK_BELOW(apart(&shown, &mesh), 0.001 * way);
    CHECK(shown.stats.halvings == 0);
    CHECK(!is_doubted(&shown.notes));
}

TEST(a_fixed_step_that_was_halved_is_noted_with_what_to_do) {
    static const char *const brief[] = {"time.stop=0.06", "time.output=0.02"};
    static const char *const finer[] = {"time.stop=0.06", "time.output=0.02", "options.dt=1e-4"};
    const withy_report cut = run("suture_thread", brief, 2);
    CHECK(cut.stats.halvings > 0);
    CHECK(strstr(cut.notes.text,
                 "did not converge and was halved; rounding decides where that happens"));
    CHECK(strstr(cut.notes.text, "which were halved: rounding decides which"));
    const withy_report whole = run("suture_thread", finer, 3);
    CHECK(whole.stats.halvings == 0);
    CHECK(!strstr(whole.notes.text, "halved"));
    printf("%lld steps were halved, which two notes say; at dt = 1e-4 none is, and none says so\n",
           (long long)cut.stats.halvings);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(cases_as_they_are_shown_are_not_doubted_unless_they_are_wrong),
        test(the_step_of_release_notes_is_as_wrong_as_its_note_says),
        test(hanging_spring_is_shown_converged_and_by_steps_that_rounding_does_not_decide),
        test(a_fixed_step_that_was_halved_is_noted_with_what_to_do)};
    every = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
