/* cmd_run.c - withy run: solve a scene, write the result, print a summary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "process.h"

typedef struct arguments {
    cli_list output, set, input;
    const char *method, *checkpoint, *resume;
    int json, quiet, error;
} arguments;

static const char *const status_word[] = {[WITHY_OK] = "complete",
                                          [WITHY_INTERRUPTED] = "interrupted",
                                          [WITHY_NO_CONVERGENCE] = "failed"};

static const char *word_of(withy_status status) {
    const size_t count = sizeof status_word / sizeof *status_word;
    return (size_t)status < count && status_word[status] ? status_word[status] : "failed";
}

static cli_ends ends_of(const withy_report *report) {
    const unsigned have = report->have;
    return (cli_ends){
        {have & WITHY_HAVE_POSITION ? report->position : NULL,
         have & WITHY_HAVE_REACTION ? report->reaction : NULL,
         have & WITHY_HAVE_REACTION_MOMENT ? report->reaction_moment : NULL},
        {report->position_error, report->reaction_error, report->reaction_moment_error}};
}

static void json_energy(cli_json *json, const withy_stats *stats) {
    json_open(json, "energy", '{');
    json_number(json, "start", stats->energy_start);
    json_number(json, "end", stats->energy_end);
    if (stats->accounted)
        json_number(json, "drift_max", stats->energy_drift);
    else
        json_null(json, "drift_max"); /* work and loss are not summed */
    json_number(json, "scale", stats->energy_scale);
    json_close(json, '}');
}

static double mean_iterations(const withy_stats *stats) {
    return stats->steps > 0 ? (double)stats->iterations / (double)stats->steps : 0.0;
}

static void json_errors(cli_json *json, const withy_report *report) {
    const cli_ends ends = ends_of(report);
    json_open(json, "error_bars", '{');
    cli_json_error(json, &report->error);
    cli_json_end_errors(json, &ends);
    json_number(json, "energy", report->energy_error);
    json_open(json, "probes", '{');
    for (int i = 0; i < report->probe_count; i++)
        json_number(json, report->probe[i].name, report->probe_error[i]);
    json_close(json, '}');
    json_close(json, '}');
}

static void print_json(const withy_scene *scene, const withy_report *report,
                       const withy_error *err) {
    const withy_stats *stats = &report->stats;
    const cli_ends ends = ends_of(report);
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "title", withy_scene_problem(scene)->title);
    cli_json_params(&json, scene);
    json_text(&json, "method", report->method);
    json_text(&json, "status", word_of(report->status));
    if (report->status != WITHY_OK) cli_json_failure(&json, err);
    json_whole(&json, "steps", stats->steps);
    json_number(&json, "t", report->t);
    json_whole(&json, "snapshots", report->snapshots);
    json_number(&json, "wall_s", report->elapsed);
    json_open(&json, "solver", '{');
    json_whole(&json, "iterations_max", stats->iterations_max);
    json_number(&json, "iterations_mean", mean_iterations(stats));
    json_whole(&json, "halvings", stats->halvings);
    json_close(&json, '}');
    json_energy(&json, stats);
    json_number(&json, "constraint_max", stats->constraint_max);
    cli_json_ends(&json, &ends, &report->sampled);
    cli_json_probes(&json, report->probe, report->probe_count);
    cli_json_parts(&json, report->part, report->part_count);
    cli_json_notes(&json, &report->notes);
    if (report->error.runs) json_errors(&json, report);
    json_close(&json, '}');
}

/* What is not more than rounding makes of a rod at rest is no drift: 0 is not measured to all digits. */
static void print_drift(const withy_stats *stats) {
    char size[24] = "rounding";
    if (stats->energy_drift != 0) snprintf(size, sizeof size, "%.1e", stats->energy_drift);
    cli_print("; energy - work + losses is constant to %s of %.3g J", size, stats->energy_scale);
}

/* What is known of a file without reading it: whether the run has written it. */
typedef struct file_mark {
    int there;
    ino_t number;
    off_t size;
    struct timespec time;
} file_mark;

static file_mark mark_of(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0) return (file_mark){0};
    return (file_mark){1, file.st_ino, file.st_size, file.st_mtim};
}

static int is_written(const char *path, const file_mark *before) {
    const file_mark now = mark_of(path);
    return now.there &&
           (!before->there || now.number != before->number || now.size != before->size ||
            now.time.tv_sec != before->time.tv_sec || now.time.tv_nsec != before->time.tv_nsec);
}

/* Against the energy that has moved. */
static double clean_energy(const withy_stats *stats, double x) {
    return fabs(x) <= 1e-14 * stats->energy_scale ? 0 : x;
}

/* The sum has the trials that choose a step or are repeated with half of it, the maximum has not. */
static void print_iterations(const withy_stats *stats) {
    const double mean = mean_iterations(stats);
    cli_print("  %-18s ", "iterations");
    if (mean > stats->iterations_max)
        cli_print("at most %d in the final solution of a step; with trials for the step size %.1f "
                  "per step on average",
                  stats->iterations_max, mean);
    else
        cli_print("at most %d per step, %.1f on average", stats->iterations_max, mean);
}

static void print_summary(const withy_scene *scene, const withy_report *report,
                          const cli_list *output, const file_mark *before) {
    const withy_stats *stats = &report->stats;
    const char *title = cli_title(scene);
    cli_print("%s%s%s: %s with %s, t = %g after %lld steps in %.3g s\n", withy_scene_name(scene),
              title[0] ? ", " : "", title, word_of(report->status), report->method, report->t,
              (long long)stats->steps, report->elapsed);
    const withy_error_summary *error = &report->error;
    const cli_scale scale = cli_scale_of(scene, report->part, report->part_count);
    const cli_ends ends = ends_of(report);
    cli_bar_text bar;
    if (report->sampled < report->t)
        cli_print("  at t = %g, the last snapshot:\n", report->sampled);
    cli_print_ends(&ends, &scale, error);
    cli_print_parts(report->part, report->part_count, &scale);
    cli_print("  %-18s %.6g J at the start, %.6g%s J at the end", "energy",
              clean_energy(stats, stats->energy_start), clean_energy(stats, stats->energy_end),
              cli_bar(error, report->energy_error, &bar));
    if (stats->accounted && report->status != WITHY_NO_CONVERGENCE) print_drift(stats);
    cli_print("\n");
    print_iterations(stats);
    if (stats->halvings) cli_print(", %lld halvings", (long long)stats->halvings);
    cli_print("\n");
    cli_print_probes(report->probe, report->probe_count, &scale, error, report->probe_error);
    if (report->probe_count && report->probe[0].from > 0)
        cli_print("  minimum to deviation are those from t = %g on\n", report->probe[0].from);
    cli_print_error(error);
    cli_print_notes(&report->notes);
    for (int i = 0; i < output->count && report->status != WITHY_IO; i++)
        if (is_written(output->item[i], &before[i])) cli_print("  written: %s\n", output->item[i]);
}

/* Everything is in the file; -1 to continue. */
static int refuse_with_resume(const arguments *a, const cli_list *rest) {
    const char *what = rest->count       ? rest->item[0]
                       : a->output.count ? "-o"
                       : a->method       ? "--method"
                       : a->input.count  ? "--input"
                       : a->error        ? "--error"
                                         : NULL;
    if (!what) return -1;
    cli_warn("withy: --resume %s: the file contains the scene, its method and its inputs; leave "
             "out %s\n",
             a->resume, what);
    return CLI_USAGE;
}

static int read_checkpoint(const arguments *a, double *seconds) {
    char *end;
    if (!a->checkpoint) return -1;
    *seconds = strtod(a->checkpoint, &end);
    if (end != a->checkpoint && *end == '\0' && *seconds > 0 && isfinite(*seconds)) return -1;
    cli_warn("withy: --checkpoint %s: must be a time in seconds, > 0\n", a->checkpoint);
    return CLI_USAGE;
}

int cmd_run(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE",
         "write the result; the ending sets the format: .h5 .csv .pvd .wav (repeatable)",
         .list = &a.output},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"input", 'i', "NAME=FILE.csv",
         "an input of the scene: a file with rows t,value, linear in between; or "
         "NAME=function(t) ... end (repeatable)",
         .list = &a.input},
        {"checkpoint", 0, "SECONDS",
         "save the state of the run in the .h5 file, about once every SECONDS",
         .text = &a.checkpoint},
        {"resume", 0, "FILE.h5",
         "continue from the last state in this file and append to it; --set can change "
         "time.stop, damping and options (a finer grid starts from the last snapshot)",
         .text = &a.resume},
        {"error", 'e', NULL,
         "print an error bar after every number: solve again with half and twice n and dt",
         .flag = &a.error},
        {"json", 0, NULL, "print one JSON object instead of the summary", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy run SCENE [-o FILE.h5] [--method M] [--set path=value]..., or withy run --resume "
        "FILE.h5",
        "Solve a scene (a Lua file, or the name of a case from `withy list cases`).  Ctrl-C "
        "finishes\n"
        "the file and reports the time reached.  With --error, withy solves the scene four more "
        "times, on a\n"
        "coarser and a finer mesh and with a longer and a shorter step, and prints an error "
        "after every number.\n"
        "withy run --resume FILE.h5 continues a killed run that had --checkpoint; the numbers "
        "are bit-identical.",
        "  withy run falling_rod -o fall.h5 --set time.stop=20 --set options.n=40\n"
        "  withy run falling_rod -o long.h5 --set time.stop=200 --checkpoint 60\n"
        "  withy run --resume long.h5",
        option};
    cli_list rest;
    const char *name;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (a.resume && (status = refuse_with_resume(&a, &rest)) >= 0) return status;
    if (!a.resume && (status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if (a.resume) name = a.output.item[a.output.count++] = a.resume;
    double checkpoint = 0;
    if ((status = read_checkpoint(&a, &checkpoint)) >= 0) return status;

    for (int i = 0; i < a.output.count && !a.resume; i++)
        if ((status = whole_apart(a.output.item[i], name)) >= 0) return status;
    withy_error err = {0};
    withy_scene *scene;
    cli_kept kept;
    if ((status = cli_inputs(&a.input, &a.set, &kept)) != CLI_OK) return status;
    const withy_status read = a.resume
                                  ? withy_scene_resume(name, a.set.item, a.set.count, &scene, &err)
                                  : cli_scene(name, &a.set, &scene, &err);
    cli_inputs_free(&kept);
    if (read == WITHY_IO && a.resume) cli_no_result(name, read, &err);
    if (read != WITHY_OK) return cli_error(&err);
    cli_progress progress = cli_progress_start(a.quiet || a.json);
    const withy_run_setup setup = {.method = a.method,
                                   .output = a.output.item,
                                   .output_count = a.output.count,
                                   .progress = cli_progress_step,
                                   .context = &progress,
                                   .error = a.error,
                                   .checkpoint = checkpoint,
                                   .resume = a.resume};
    withy_report report;
    file_mark before[CLI_LIST];
    for (int i = 0; i < a.output.count; i++) before[i] = mark_of(a.output.item[i]);
    cli_stop_check(1);
    const withy_status solved = withy_run(scene, &setup, &report, &err);
    cli_stop_check(0);
    cli_progress_end(&progress);
    const int began = report.method[0] && (solved == WITHY_OK || report.snapshots > 0);
    if (began && a.json) print_json(scene, &report, &err);
    if (began && !a.json && !a.quiet) print_summary(scene, &report, &a.output, before);
    status = solved == WITHY_OK ? CLI_OK : cli_error(&err);
    withy_scene_destroy(scene);
    return status;
}
