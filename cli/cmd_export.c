/* cmd_export.c - withy export: a result in other formats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gltf/gltf.h"
#include "process.h"

typedef struct arguments {
    int csv, vtk, wav, gltf, usd, mono, json;
    const char *output, *rate, *gain;
    cli_list channel;
} arguments;

/* A format: its flag, and the ending that chooses the sink. */
typedef struct format {
    const char *name, *ending;
    int requested;
} format;

/* FILE.h5 -> FILE.csv; NULL when there is no memory. */
static char *next_to(const char *file, const char *ending) {
    const size_t length = strlen(file), tail = strlen(ending) + 1;
    const size_t stem = length > 3 && strcmp(file + length - 3, ".h5") == 0 ? length - 3 : length;
    char *path = malloc(stem + tail);
    if (!path) return NULL;
    memcpy(path, file, stem);
    memcpy(path + stem, ending, tail);
    return path;
}

static int ends_with(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* A positive number from the command line; 0 when it is not given, -1 when it is not a number. */
static double positive(const char *option, const char *text) {
    char *end;
    if (!text) return 0;
    const double value = strtod(text, &end);
    if (end != text && !*end && value > 0 && isfinite(value)) return value;
    cli_warn("withy: --%s %s: must be a finite number > 0\n", option, text);
    return -1;
}

static int export_sound(withy_result *result, const char *path, const arguments *a) {
    withy_error err = {0};
    withy_sound_report reported;
    const withy_sound how = {.channel =
                                 a->channel.count ? (const char *const *)a->channel.item : NULL,
                             .channel_count = a->channel.count,
                             .mono = a->mono,
                             .rate = positive("rate", a->rate),
                             .gain = positive("gain", a->gain)};
    if (how.rate < 0 || how.gain < 0) return CLI_USAGE;
    if (withy_result_sound(result, path, &how, &reported, &err) != WITHY_OK) return cli_error(&err);
    if (!a->json)
        cli_print("%s: %.3g s at %g Hz, %d channel%s, gain %.4g\n", path, reported.seconds,
                  reported.rate, reported.channels, reported.channels == 1 ? "" : "s",
                  reported.gain);
    return CLI_OK;
}

/* Write in one format; the path is handed back in `written` (freed by the caller). */
static int export_as(withy_result *result, const char *file, const arguments *a, const format *kind,
                     char **written) {
    const char *output = a->output;
    withy_error err = {0};
    if (output && !ends_with(output, kind->ending)) {
        cli_warn("withy: %s: the name of a --%s file ends with %s\n", output, kind->name,
                 kind->ending);
        return CLI_USAGE;
    }
    *written = next_to(output ? output : file, output ? "" : kind->ending);
    if (!*written) return cli_warn("withy: memory ran out\n"), CLI_FAILED;
    const int status = whole_apart(*written, file);
    if (status >= 0) return status;
    if (strcmp(kind->name, "wav") == 0) return export_sound(result, *written, a);
    if (strcmp(kind->name, "gltf") == 0) return scene_export(result, glb_write, *written);
    if (strcmp(kind->name, "usd") == 0) return scene_export(result, usda_write, *written);
    if (withy_result_export(result, *written, &err) != WITHY_OK) return cli_error(&err);
    return CLI_OK;
}

static void report(const withy_result *result, const char *file, char *const *written, int count,
                   int as_json) {
    const char *status = withy_result_text(result, "status");
    if (as_json) {
        cli_json json = {0};
        json_open(&json, NULL, '{');
        json_text(&json, "result", file);
        json_text(&json, "status", status);
        json_whole(&json, "snapshots", withy_result_count(result));
        json_open(&json, "written", '[');
        for (int i = 0; i < count; i++)
            if (written[i]) json_text(&json, NULL, written[i]);
        json_close(&json, ']');
        json_close(&json, '}');
        return;
    }
    for (int i = 0; i < count; i++)
        if (written[i] && !ends_with(written[i], ".wav"))
            cli_print("%s: %lld snapshots written to %s\n", file,
                      (long long)withy_result_count(result), written[i]);
    if (strcmp(status, "complete") != 0)
        cli_print("  note: the run was not complete: %s\n", status);
}

/* A sweep has one table, and neither shapes nor sound. */
static int export_sweep(withy_sweep_file *sweep, const char *file, const arguments *a) {
    withy_error err = {0};
    if (a->vtk || a->wav || a->gltf || a->usd) {
        cli_warn("withy: %s: is the file of a sweep: --csv writes its rows; withy sweep --results "
                 "FOLDER keeps the results of its members\n",
                 file);
        return CLI_USAGE;
    }
    char *path = next_to(a->output ? a->output : file, a->output ? "" : ".csv");
    if (!path) return cli_warn("withy: memory ran out\n"), CLI_FAILED;
    int status = whole_apart(path, file);
    if (status < 0)
        status = withy_sweep_export(sweep, path, &err) == WITHY_OK ? CLI_OK : cli_error(&err);
    if (status == CLI_OK && !a->json)
        cli_print("%s: %lld members written to %s\n", file, (long long)withy_sweep_count(sweep),
                  path);
    if (status == CLI_OK && a->json) {
        cli_json json = {0};
        json_open(&json, NULL, '{');
        json_text(&json, "result", file);
        json_whole(&json, "members", withy_sweep_count(sweep));
        json_open(&json, "written", '[');
        json_text(&json, NULL, path);
        json_close(&json, ']');
        json_close(&json, '}');
    }
    free(path);
    return status;
}

static int export_file(const char *file, const arguments *a) {
    const format formats[] = {{"csv", ".csv", a->csv},
                              {"vtk", ".pvd", a->vtk},
                              {"gltf", ".glb", a->gltf},
                              {"usd", ".usda", a->usd},
                              {"wav", ".wav", a->wav}};
    enum { COUNT = sizeof formats / sizeof *formats };
    char *written[COUNT] = {0};
    withy_error err = {0};
    withy_result *result;
    withy_sweep_file *sweep;
    if (withy_sweep_open(file, &sweep, &err) == WITHY_OK) {
        const int done = export_sweep(sweep, file, a);
        withy_sweep_close(sweep);
        return done;
    }
    if (cli_result(file, &result, &err) != WITHY_OK) return cli_error(&err);
    int status = CLI_OK;
    for (int i = 0; i < COUNT && status == CLI_OK; i++)
        if (formats[i].requested) status = export_as(result, file, a, &formats[i], &written[i]);
    if (status == CLI_OK) report(result, file, written, COUNT, a->json);
    for (int i = 0; i < COUNT; i++) free(written[i]);
    withy_result_close(result);
    return status;
}

int cmd_export(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"csv", 0, NULL,
         "tables: FILE.csv, FILE.ledger.csv, FILE.probes.csv, ...; if FILE.csv exists, withy "
         "replaces it and removes its tables next to it that this result does not have",
         .flag = &a.csv},
        {"vtk", 0, NULL, "ParaView: FILE.pvd and the folder FILE", .flag = &a.vtk},
        {"gltf", 0, NULL, "glTF 2.0 for Blender and web pages, animated: FILE.glb",
         .flag = &a.gltf},
        {"usd", 0, NULL, "USD as text, animated curves and meshes: FILE.usda", .flag = &a.usd},
        {"wav", 0, NULL, "sound: FILE.wav, every probe a channel", .flag = &a.wav},
        {"rate", 0, "HZ", "sound: samples per second; default: as recorded", .text = &a.rate},
        {"gain", 0, "G", "sound: full scale per unit; default: the loudest sample reaches 0.9",
         .text = &a.gain},
        {"channel", 0, "PROBE[.x]", "sound: this probe, or component of it (repeatable)",
         .list = &a.channel},
        {"mono", 0, NULL, "sound: all channels mixed into one", .flag = &a.mono},
        {"output", 'o', "OUT", "name of the file; default: that of the result", .text = &a.output},
        {"json", 0, NULL, "print one JSON object", .flag = &a.json},
        {0}};
    const cli_usage usage = {"withy export FILE.h5 --csv|--vtk|--gltf|--usd|--wav [-o OUT]",
                             "Write a result in another format, next to FILE.h5 unless -o gives "
                             "another name.",
                             "  withy run falling_rod -o fall.h5 && withy export fall.h5 --csv",
                             option};
    cli_list rest;
    const char *file;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (rest.count == 2 && !a.output) a.output = rest.item[--rest.count]; /* --csv OUT */
    if ((status = cli_one(&usage, &rest, "result file", &file)) >= 0) return status;
    if (!a.csv && !a.vtk && !a.wav && !a.gltf && !a.usd) {
        cli_warn(
            "withy: give a format: --csv, --vtk, --gltf, --usd or --wav; usage: %s (see --help)\n",
            usage.line);
        return CLI_USAGE;
    }
    if (a.output && a.csv + a.vtk + a.wav + a.gltf + a.usd > 1) {
        cli_warn("withy: -o gives one name for several formats; leave -o out, or export "
                 "each format by itself\n");
        return CLI_USAGE;
    }
    return export_file(file, &a);
}
