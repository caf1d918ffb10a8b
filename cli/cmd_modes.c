/* cmd_modes.c - withy modes: natural frequencies about the equilibrium of a scene. */
#include <stdlib.h>

#include "cli.h"

typedef struct arguments {
    cli_list output, set;
    const char *method, *count;
    int json, quiet, error;
} arguments;

static void print_json(const withy_scene *scene, const withy_mode *mode, int count, int errors) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "title", withy_scene_problem(scene)->title);
    json_open(&json, "modes", '[');
    for (int i = 0; i < count; i++) {
        json_open(&json, NULL, '{');
        json_number(&json, "frequency", mode[i].frequency);
        json_number(&json, "damping", mode[i].damping);
        if (errors) json_number(&json, "frequency_error", mode[i].frequency_error);
        if (errors) json_number(&json, "damping_error", mode[i].damping_error);
        json_vector(&json, "shift_finish", &mode[i].shift[mode[i].count - 1].x, 3);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

static void print_table(const withy_scene *scene, const withy_mode *mode, int count, int errors) {
    const char *title = withy_scene_problem(scene)->title;
    const withy_error_summary asked = {.runs = errors};
    cli_bar_text bar[2];
    cli_print("%s%s%s: %d modes\n", withy_scene_name(scene), title && title[0] ? ", " : "",
              title ? title : "", count);
    cli_print("  %4s %14s %12s   %s\n", "", "frequency [Hz]", "damping", "largest motion");
    for (int i = 0; i < count; i++) {
        double most[3] = {0};
        for (int k = 0; k < mode[i].count; k++) {
            const double *u = &mode[i].shift[k].x;
            for (int c = 0; c < 3; c++)
                if (u[c] * u[c] > most[c] * most[c]) most[c] = u[c];
        }
        cli_print("  %4d %14.7g%s %12.4g%s   (%.3g, %.3g, %.3g)%s\n", i + 1, mode[i].frequency,
                  cli_bar(&asked, mode[i].frequency_error, &bar[0]), mode[i].damping,
                  cli_bar(&asked, mode[i].damping_error, &bar[1]), most[0], most[1], most[2],
                  mode[i].frequency < 0 ? "  unstable: rate of growth / 2 pi" : "");
    }
}

static int read_count(const char *text, int *count) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > 1000) {
        cli_warn("withy: --count %s: must be a whole number, 1 .. 1000\n", text);
        return CLI_USAGE;
    }
    *count = (int)value;
    return -1;
}

int cmd_modes(int argc, char **argv) {
    arguments a = {.count = "6"};
    const cli_option option[] = {
        {"count", 'k', "K", "how many modes, the lowest (default: 6)", .text = &a.count},
        {"output", 'o', "FILE", "write one snapshot per mode, the frequency as time (repeatable)",
         .list = &a.output},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"error", 'e', NULL, "give every number its error bar: solve again with half and twice n",
         .flag = &a.error},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy modes SCENE [--count K] [-o FILE.h5] [--set path=value]...",
        "Natural frequencies, damping ratios and shapes of small vibrations about the equilibrium "
        "of "
        "a\nscene under its loads; an unsupported rod vibrates about its initial shape.",
        "  withy modes heavy_cantilever --count 8", option};
    cli_list rest;
    const char *name;
    int count;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if ((status = read_count(a.count, &count)) >= 0) return status;

    withy_error err = {0};
    withy_scene *scene;
    withy_mode *mode = NULL;
    if (cli_scene(name, &a.set, &scene, &err) != WITHY_OK) return cli_error(&err);
    const withy_run_setup setup = {.method = a.method,
                                   .output = a.output.item,
                                   .output_count = a.output.count,
                                   .error = a.error};
    const withy_status solved = withy_modes(scene, count, &setup, &mode, &err);
    if (solved == WITHY_OK && a.json) print_json(scene, mode, count, a.error);
    if (solved == WITHY_OK && !a.json && !a.quiet) {
        print_table(scene, mode, count, a.error);
        for (int i = 0; i < a.output.count; i++) cli_print("  written: %s\n", a.output.item[i]);
    }
    withy_modes_free(mode, count);
    status = solved == WITHY_OK ? CLI_OK : cli_error(&err);
    withy_scene_destroy(scene);
    return status;
}
