/* cmd_modes.c - withy modes: natural frequencies about the equilibrium of a scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "process.h"

typedef struct arguments {
    cli_list output, set;
    const char *method, *count;
    int json, quiet, error;
} arguments;

/* Words of withy_mode_kind: in JSON, and after the numbers of the table. */
static const struct {
    const char *word, *said;
} kind[] = {
    [WITHY_MODE_STABLE] = {"stable", ""},
    [WITHY_MODE_DECAY] = {"decay", "overdamped"},
    [WITHY_MODE_NEUTRAL] = {"neutral", "neutral: nothing resists it"},
    [WITHY_MODE_FLUTTER] = {"flutter", "unstable: flutter"},
    [WITHY_MODE_DIVERGENCE] = {"divergence", "unstable: divergence"},
};

static void print_field(cli_json *json, const char *key, const withy_vec3 *v, int count) {
    json_open(json, key, '[');
    for (int i = 0; i < count; i++) json_vector(json, NULL, &v[i].x, 3);
    json_close(json, ']');
}

static void print_mode(cli_json *json, const withy_scene *scene, const withy_mode *mode,
                       int errors) {
    const cli_mode_name name = cli_mode_of(scene, mode);
    json_open(json, NULL, '{');
    json_number(json, "frequency", mode->frequency);
    json_number(json, "damping", mode->damping);
    json_number(json, "growth", mode->growth);
    if (errors) json_number(json, "frequency_error", mode->frequency_error);
    if (errors) json_number(json, "damping_error", mode->damping_error);
    if (errors) json_number(json, "growth_error", mode->growth_error);
    json_text(json, "kind", kind[mode->kind].word);
    json_text(json, "motion", name.word);
    json_text(json, "along", name.along);
    json_number(json, "share_bending", name.bend);
    json_number(json, "share_torsion", name.twist);
    json_vector(json, "shift_finish", &mode->shift[mode->count - 1].x, 3);
    print_field(json, "shift", mode->shift, mode->count);
    print_field(json, "shift_im", mode->shift_im, mode->count);
    print_field(json, "turn", mode->turn, mode->count);
    print_field(json, "turn_im", mode->turn_im, mode->count);
    json_close(json, '}');
}

static void print_json(const withy_scene *scene, const withy_mode *mode, int errors) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "title", withy_scene_problem(scene)->title);
    cli_json_params(&json, scene);
    json_text(&json, "method", mode->method);
    cli_json_notes(&json, mode->notes);
    json_vector(&json, "s", mode->s, mode->count);
    json_open(&json, "modes", '[');
    for (int i = 0; i < mode->total; i++) print_mode(&json, scene, &mode[i], errors);
    json_close(&json, ']');
    json_close(&json, '}');
}

static void print_row(const withy_scene *scene, const withy_mode *mode, int number, int errors) {
    const withy_error_summary asked = {.runs = errors};
    const cli_mode_name name = cli_mode_of(scene, mode);
    const char *said = kind[mode->kind].said;
    const double hz = mode->kind == WITHY_MODE_DIVERGENCE ? 0.0 : mode->frequency;
    cli_bar_text bar[3];
    cli_print("  %4d %14.7g%s %12.4g%s %13.5g%s   %s%s%s%s%s\n", number, hz,
              cli_bar(&asked, mode->frequency_error, &bar[0]), mode->damping,
              cli_bar(&asked, mode->damping_error, &bar[1]), mode->growth,
              cli_bar(&asked, mode->growth_error, &bar[2]), name.word,
              name.along[0] ? " along " : "", name.along, said[0] ? ", " : "", said);
}

/* As many rows as were asked for; unstable modes are found all, and those beyond are counted. */
static void print_table(const withy_scene *scene, const withy_mode *mode, int most, int errors) {
    const char *title = cli_title(scene);
    const int shown = mode->total < most ? mode->total : most;
    int left = 0;
    for (int i = shown; i < mode->total; i++) left += mode[i].kind >= WITHY_MODE_FLUTTER;
    cli_print("%s%s%s: %d mode%s, %s\n", withy_scene_name(scene), title[0] ? ", " : "", title,
              shown, shown == 1 ? "" : "s", mode->method);
    cli_print("  %4s %14s %12s %13s   %s\n", "", "frequency [Hz]", "damping", "growth [1/s]",
              "motion");
    for (int i = 0; i < shown; i++) print_row(scene, &mode[i], i + 1, errors);
    if (left)
        cli_print(
            "  and %d more unstable mode%s, growing by up to %.5g 1/s: --count %d lists them\n",
            left, left == 1 ? "" : "s", mode[shown].growth, shown + left);
    cli_print_notes(mode->notes);
}

static int read_count(const char *text, int *count) {
    char *end;
    *count = WITHY_UP_TO + 6;
    if (!text) return -1;
    const long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > 1000) {
        cli_warn("withy: --count %s: must be a whole number, 1 .. 1000\n", text);
        return CLI_USAGE;
    }
    *count = (int)value;
    return -1;
}

int cmd_modes(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"count", 'k', "K",
         "how many modes, unstable ones first (default: 6, or all if there are fewer)",
         .text = &a.count},
        {"output", 'o', "FILE",
         "write one snapshot per mode, with the frequency as time "
         "(repeatable)",
         .list = &a.output},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"error", 'e', NULL,
         "print an error bar after every number: solve again with half and "
         "twice n",
         .flag = &a.error},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy modes SCENE [--count K] [-o FILE.h5] [--set path=value]...",
        "Compute frequencies, damping ratios, growth rates and shapes of small motions about "
        "the equilibrium of\n"
        "a scene under its loads, with damping, follower loads and a rotating frame.  A rod "
        "without supports\n"
        "vibrates about its initial shape.  Flutter and divergence come first; withy counts "
        "those beyond --count.\n"
        "The strain with most of the energy names a mode: bending, torsion or axial; in a "
        "transverse mode,\ntension or gravity provides the stiffness.",
        "  withy modes heavy_cantilever --count 8", option};
    cli_list rest;
    const char *name;
    int count;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if ((status = read_count(a.count, &count)) >= 0) return status;

    for (int i = 0; i < a.output.count; i++)
        if ((status = whole_check(a.output.item[i], name)) >= 0) return status;
    withy_error err = {0};
    withy_scene *scene;
    withy_mode *mode = NULL;
    if (cli_scene(name, &a.set, &scene, &err) != WITHY_OK) return cli_error(&err);
    const withy_run_setup setup = {.method = a.method,
                                   .output = a.output.item,
                                   .output_count = a.output.count,
                                   .error = a.error};
    const withy_status solved = withy_modes(scene, count, &setup, &mode, &err);
    if (solved == WITHY_OK && a.json) print_json(scene, mode, a.error);
    if (solved == WITHY_OK && !a.json && !a.quiet) {
        print_table(scene, mode, count % WITHY_UP_TO, a.error);
        for (int i = 0; i < a.output.count; i++) cli_print("  written: %s\n", a.output.item[i]);
    }
    withy_modes_free(mode, count);
    status = solved == WITHY_OK ? CLI_OK : cli_error(&err);
    withy_scene_destroy(scene);
    return status;
}
