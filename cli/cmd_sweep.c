/* cmd_sweep.c - withy sweep: a scene for many values of its parameters. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases.h"
#include "cli.h"
#include "process.h"
#include "sweep.h"

typedef struct arguments {
    cli_list over, requested, set, output, limits;
    sweep_limit limit[SWEEP_LIMITS];
    const char *sample, *method, *modes, *threads, *results, *engine;
    int is_static, resume, json, quiet;
} arguments;

typedef struct bar {
    int show, visible;
    double start, drawn;
    int64_t before; /* rows that were there; -1: not known yet */
} bar;

/* The text of the case of that name, when there is no such file. */
static const char *case_text(const char *name) {
    if (access(name, F_OK) == 0) return NULL;
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return c->text;
    return NULL;
}

/* "[####......]  40 %  400 of 1000, 3 failed, 12 s left" */
static void draw(bar *b, int64_t done, int64_t failed, int64_t total, double now) {
    enum { WIDTH = 30 };
    char mark[WIDTH + 1];
    const double part = (double)done / (double)total;
    const int full = (int)(part * WIDTH);
    memset(mark, '.', WIDTH);
    memset(mark, '#', (size_t)full);
    mark[WIDTH] = '\0';
    const int64_t own = done - b->before;
    const double left = own > 0 ? (now - b->start) * (double)(total - done) / (double)own : 0;
    fprintf(stderr, "\r[%s] %3.0f %%  %lld of %lld, %lld failed, %.0f s left \033[K", mark,
            100 * part, (long long)done, (long long)total, (long long)failed, left);
    fflush(stderr);
    b->visible = 1, b->drawn = now;
}

static int step(void *context, int64_t done, int64_t failed, int64_t total) {
    bar *b = context;
    const double now = cli_clock();
    if (b->before < 0) b->before = done - 1; /* done = 0: still not known */
    if (b->show && b->before >= 0 && now - b->drawn > 0.1 && now - b->start > 0.4)
        draw(b, done, failed, total, now);
    return cli_stop_asked();
}

static int read_whole(const char *option, const char *text, int most, int *number) {
    char *end;
    if (!text) return -1;
    const long value = strtol(text, &end, 10);
    *number = (int)value;
    if (end != text && !*end && value >= 1 && value <= most) return -1;
    cli_warn("withy: --%s %s: must be a whole number from 1 to %d\n", option, text, most);
    return CLI_USAGE;
}

/* The folder of the results is made when it is not there. */
static int make_results(const char *folder) {
    if (!folder || mkdir(folder, 0777) == 0 || errno == EEXIST) return -1;
    cli_warn("withy: --results %s: cannot be made: %s\n", folder, strerror(errno));
    return CLI_USAGE;
}

/* The columns, and a list of numbers for each member; null where it has none. */
static void json_rows(cli_json *json, const withy_sweep_file *file) {
    withy_sweep_column c;
    json_open(json, "columns", '[');
    for (int i = 0; withy_sweep_column_at(file, i, &c); i++) {
        json_open(json, NULL, '{');
        json_text(json, "name", c.name);
        json_text(json, "unit", c.unit);
        json_bool(json, "varied", c.over);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "rows", '[');
    for (int64_t k = 0; k < withy_sweep_count(file); k++) {
        json_open(json, NULL, '[');
        for (int i = 0; withy_sweep_column_at(file, i, &c); i++)
            json_number(json, NULL, c.value[k]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void print_json(const withy_sweep_setup *setup, const withy_sweep_report *r,
                       const arguments *a, const withy_sweep_file *file, withy_status status) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", setup->scene);
    json_text(&json, "status", status == WITHY_OK ? "complete" : "interrupted");
    json_whole(&json, "members", r->total);
    json_whole(&json, "done", r->done);
    json_whole(&json, "failed", r->failed);
    json_whole(&json, "before", r->before);
    json_whole(&json, "ranks", r->ranks);
    if (r->engine[0]) json_text(&json, "engine", r->engine);
    json_number(&json, "wall_s", r->elapsed);
    if (r->first >= 0) {
        json_open(&json, "first_failure", '{');
        json_whole(&json, "member", r->first);
        json_text(&json, "message", r->message);
        json_close(&json, '}');
    }
    json_text(&json, "output", a->output.count ? a->output.item[0] : "");
    json_open(&json, "written", '[');
    for (int i = 0; i < a->output.count; i++) json_text(&json, NULL, a->output.item[i]);
    json_close(&json, ']');
    if (file) sweep_json_statistics(&json, file, a->limit, a->limits.count);
    if (file) json_rows(&json, file);
    json_close(&json, '}');
}

static void print_summary(const withy_sweep_setup *setup, const withy_sweep_report *r,
                          const arguments *a, const withy_sweep_file *file) {
    cli_print("%s: %lld of %lld members, %lld failed, in %.3g s", setup->scene, (long long)r->done,
              (long long)r->total, (long long)r->failed, r->elapsed);
    if (r->before) cli_print(" (%lld were there)", (long long)r->before);
    cli_print("\n");
    if (r->engine[0]) cli_print("  engine: %s\n", r->engine);
    if (r->first >= 0) cli_print("  member %lld failed: %s\n", (long long)r->first, r->message);
    if (file) sweep_print_statistics(file, a->limit, a->limits.count);
    for (int i = 0; i < a->output.count; i++) cli_print("  written: %s\n", a->output.item[i]);
}

/* A sweep of failures only has no answer. */
static int all_failed(const withy_sweep_report *r) {
    if (r->total == 0 || r->failed < r->total) return CLI_OK;
    cli_warn("withy: every member has failed; the first: %s\n", r->message);
    return CLI_FAILED;
}

static int ends_with(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static int is_table(const char *path) {
    return ends_with(path, ".csv");
}

/* -1: the format of the i-th output is known, and it is named once. */
static int check_name(const cli_list *output, int i) {
    const char *name = output->item[i];
    if (!is_table(name) && !ends_with(name, ".h5")) {
        cli_warn("withy: %s: a sweep is written as FILE.h5, or as a table, FILE.csv\n", name);
        return CLI_USAGE;
    }
    for (int k = 0; k < i; k++)
        if (strcmp(output->item[k], name) == 0) {
            cli_warn("withy: %s: named twice as an output; keep one\n", name);
            return CLI_USAGE;
        }
    return -1;
}

static int run(const withy_sweep_setup *given, const arguments *a) {
    withy_sweep_setup setup = *given;
    withy_error err = {0};
    withy_sweep_report report;
    bar b = {
        .show = !a->quiet && !a->json && isatty(STDERR_FILENO), .start = cli_clock(), .before = -1};
    setup.progress = step, setup.context = &b;
    cli_stop_check(1);
    const withy_status status = withy_sweep(&setup, &report, &err);
    cli_stop_check(0);
    if (b.visible) fprintf(stderr, "\r\033[K");
    if (report.rank > 0) return CLI_OK; /* rank 0 reports */
    const int began = report.total > 0 && (status == WITHY_OK || status == WITHY_INTERRUPTED);
    withy_sweep_file *file = NULL;
    withy_error own = {0};
    withy_status table = began ? withy_sweep_open(setup.output, &file, &own) : WITHY_OK;
    for (int i = 0; i < a->output.count && table == WITHY_OK && file; i++)
        if (is_table(a->output.item[i])) table = withy_sweep_export(file, a->output.item[i], &own);
    if (began && a->json) print_json(&setup, &report, a, file, status);
    if (began && !a->json && !a->quiet) print_summary(&setup, &report, a, file);
    withy_sweep_close(file);
    if (status != WITHY_OK) return cli_error(&err);
    if (table != WITHY_OK) return cli_error(&own);
    return all_failed(&report);
}

/* The one FILE.h5 of the outputs; without it one in a folder of our own, which tables and statistics are made from. */
static int choose_file(arguments *a, const char *scene, wy_temporary_folder *folder, char *path,
                       size_t size) {
    int status, files = 0;
    for (int i = 0; i < a->output.count; i++) {
        const char *output = a->output.item[i];
        if ((status = check_name(&a->output, i)) >= 0) return status;
        if ((status = is_table(output) ? whole_check(output, scene) : whole_apart(output, scene)) >=
            0)
            return status;
        if (!is_table(output)) snprintf(path, size, "%s", output), files++;
    }
    if (files > 1 || (a->resume && !files)) {
        cli_warn("withy: %s\n", files > 1
                                    ? "a sweep writes at most one FILE.h5 (and one FILE.csv); keep "
                                      "one -o FILE.h5"
                                    : "--resume needs the FILE.h5 to continue; add -o FILE.h5");
        return CLI_USAGE;
    }
    if (files) return -1;
    if (process_folder(folder) != 0) return CLI_FAILED;
    snprintf(path, size, "%s/sweep.h5", folder->path);
    return -1;
}

static int read_limits(arguments *a) {
    if (a->limits.count > SWEEP_LIMITS) {
        cli_warn("withy: --limit: at most %d\n", SWEEP_LIMITS);
        return CLI_USAGE;
    }
    for (int i = 0; i < a->limits.count; i++) {
        const int status = sweep_limit_read(a->limits.item[i], &a->limit[i]);
        if (status >= 0) return status;
        if (sweep_limit_is_requested(&a->limit[i], &a->requested)) continue;
        cli_warn("withy: --limit \"%s\": %s is not recorded; add --want %s\n", a->limits.item[i],
                 a->limit[i].name, a->limit[i].name);
        return CLI_USAGE;
    }
    return -1;
}

int cmd_sweep(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"over", 0, "PATH=VALUES",
         "what to vary: FROM..TO:COUNT, FROM..TO:COUNT:log, a list 1,2,5, or with --sample "
         "MEAN+-DEVIATION, normally distributed; several make a grid (repeatable)",
         .list = &a.over},
        {"sample", 0, "KIND:COUNT",
         "sample points within the ranges FROM..TO instead: sobol:4096, lhs:100 or lhs:100:SEED",
         .text = &a.sample},
        {"want", 'w', "NUMBER",
         "a number to record for each member: tip.z:max of a probe (last, max, min, mean, at=T, "
         "frequency), finish.x, force.start.z, energy, stress, figure.NAME, frequency.1 "
         "(repeatable)",
         .list = &a.requested},
        {"limit", 0, "NAME<=NUMBER",
         "count the members whose number of --want is within it: <= or >=; with their share in "
         "per cent (repeatable)",
         .list = &a.limits},
        {"static", 0, NULL, "solve for equilibria instead of motions", .flag = &a.is_static},
        {"modes", 0, "N", "compute the N lowest modes instead of motions", .text = &a.modes},
        {"output", 'o', "FILE",
         "one row per member: FILE.h5, for withy plot and --resume, and FILE.csv (repeatable)",
         .list = &a.output},
        {"results", 0, "FOLDER",
         "also keep the whole result of each member: 000000.h5, 000001.h5, ...",
         .text = &a.results},
        {"resume", 0, NULL, "compute the rows that FILE.h5 of the same sweep does not have yet",
         .flag = &a.resume},
        {"threads", 't', "N", "number of threads; default: one per processor", .text = &a.threads},
        {"engine", 0, "ENGINE",
         "how to step runs under fdtd: vector (eight members per vector, the default), opencl "
         "or opencl:N (thousands on a GPU, device N), auto (a GPU if there is one), threads "
         "(each member separately)",
         .text = &a.engine},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene for all members (repeatable)",
         .list = &a.set},
        {"json", 0, NULL, "print one JSON object with all rows instead of the summary",
         .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy sweep SCENE --over PATH=VALUES [--over ...] [-o FILE.h5|FILE.csv] [--static | "
        "--modes "
        "N]",
        "Solve a scene for many values of its parameters (params.NAME, or any path that --set "
        "takes): one\n"
        "row per member with its numbers, or its error message.  Ctrl-C or a kill loses only "
        "the members in\n"
        "progress; --resume continues.  Rows are bit-identical for any number of threads and, "
        "with OpenMPI,\nprocesses: mpirun -n 64 withy sweep ...",
        "  withy sweep spring_designer --static --over params.wire=1e-3..4e-3:32 --want "
        "force.start.z -o rate.h5\n"
        "  withy sweep scene.lua --over params.a=1..2 --over params.b=1..100:log --sample "
        "sobol:1024 "
        "-o s.h5\n"
        "  withy sweep spring_designer --static --over params.wire=2e-3+-2e-5 --sample lhs:400 "
        "--want force.start.z --limit \"force.start.z >= 9.5\"\n"
        "  withy plot rate.h5 -o rate.svg",
        option};
    cli_list rest;
    const char *name;
    int status = cli_parse(argc, argv, &usage, &rest), modes = 0, threads = 0;
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if ((status = read_whole("modes", a.modes, 1000, &modes)) >= 0) return status;
    if ((status = read_whole("threads", a.threads, 64, &threads)) >= 0) return status;
    if (a.is_static && a.modes) {
        cli_warn("withy: --static and --modes exclude each other; keep one\n");
        return CLI_USAGE;
    }
    char path[4200] = "";
    wy_temporary_folder folder = {0};
    if ((status = choose_file(&a, name, &folder, path, sizeof path)) >= 0) return status;
    if ((status = make_results(a.results)) >= 0) return status;
    if ((status = read_limits(&a)) >= 0) return status;
    const withy_sweep_setup setup = {.scene = name,
                                     .text = case_text(name),
                                     .set = a.set.item,
                                     .set_count = a.set.count,
                                     .over = a.over.item,
                                     .over_count = a.over.count,
                                     .sample = a.sample,
                                     .requested = a.requested.item,
                                     .requested_count = a.requested.count,
                                     .kind = a.is_static ? WITHY_SWEEP_STATIC
                                             : modes     ? WITHY_SWEEP_MODES
                                                         : WITHY_SWEEP_RUN,
                                     .modes = modes,
                                     .method = a.method,
                                     .output = path[0] ? path : NULL,
                                     .results = a.results,
                                     .resume = a.resume,
                                     .threads = threads,
                                     .engine = a.engine};
    status = run(&setup, &a);
    if (folder.path[0]) wy_temporary_folder_close(&folder);
    return status;
}
