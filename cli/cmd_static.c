/* cmd_static.c - withy static: the equilibrium of a scene, or a path of equilibria. */
#include <string.h>

#include "cli.h"
#include "process.h"
#include "spring.h"

typedef struct arguments {
    cli_list output, set;
    const char *method;
    int json, quiet, branch, error, spring;
} arguments;

static const char *const mark_word[] = {
    [WITHY_POINT] = "", [WITHY_POINT_LIMIT] = "limit point", [WITHY_POINT_BRANCH] = "branch point"};

static cli_ends ends_of(const withy_static_point *p) {
    return (cli_ends){{p->position, p->reaction, p->reaction_moment},
                      {p->position_error, p->reaction_error, p->reaction_moment_error}};
}

/* Figures of the method itself, e.g. the designer's table of a helical spring. */
static void json_figures(cli_json *json, const withy_static_point *point) {
    if (!point->figure_count) return;
    json_open(json, "figures", '{');
    for (int i = 0; i < point->figure_count; i++)
        json_number(json, point->figure[i].name, point->figure[i].value);
    json_close(json, '}');
}

static void json_errors(cli_json *json, const withy_static_point *point) {
    const cli_ends ends = ends_of(point);
    json_open(json, "error_bars", '{');
    cli_json_end_errors(json, &ends);
    json_number(json, "energy", point->energy_error);
    for (int i = 0; i < point->figure_count; i++)
        json_number(json, point->figure[i].name, point->figure_error[i]);
    json_close(json, '}');
}

static void json_stress(cli_json *json, const withy_stress *stress) {
    json_open(json, "stress", '{');
    json_number(json, "largest", stress->most);
    json_whole(json, "rod", stress->rod + 1);
    json_number(json, "s", stress->s);
    json_close(json, '}');
}

static void json_point(cli_json *json, const withy_static_point *point, int rods, int errors) {
    const cli_ends ends = ends_of(point);
    json_open(json, NULL, '{');
    json_number(json, "factor", point->at.factor);
    json_whole(json, "iterations", point->at.iterations);
    if (point->at.negative >= 0) {
        json_bool(json, "stable", point->at.negative == 0);
        json_whole(json, "unstable", point->at.negative);
        json_whole(json, "neutral", point->at.neutral);
    } else {
        json_null(json, "stable");
        json_null(json, "unstable");
        json_null(json, "neutral");
    }
    json_text(json, "mark", mark_word[point->at.mark]);
    json_number(json, "energy", point->at.energy);
    if (rods) cli_json_ends(json, &ends, NULL);
    if (rods) json_stress(json, &point->stress);
    json_figures(json, point);
    if (errors) json_errors(json, point);
    json_close(json, '}');
}

/* Where stability changes; of the mode the displacements, so that it can be drawn. */
static void json_critical(cli_json *json, const withy_static_report *report) {
    json_open(json, "critical", '[');
    for (int i = 0; i < report->critical_count; i++) {
        const withy_critical *c = &report->critical[i];
        json_open(json, NULL, '{');
        json_number(json, "factor", c->factor);
        if (report->error.runs) json_number(json, "factor_error", c->factor_error);
        json_text(json, "mark", mark_word[c->mark]);
        json_whole(json, "after", c->after);
        json_whole(json, "change", c->change);
        json_open(json, "mode", '{');
        if (c->mode) json_vector(json, "s", c->mode->s, c->mode->count);
        if (c->mode) json_vector(json, "shift", &c->mode->shift[0].x, 3 * c->mode->count);
        if (c->mode) json_vector(json, "turn", &c->mode->turn[0].x, 3 * c->mode->count);
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void print_json(const withy_scene *scene, const withy_static_report *report,
                       const withy_error *err) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "title", withy_scene_problem(scene)->title);
    cli_json_params(&json, scene);
    json_text(&json, "method", report->method);
    json_text(&json, "status",
              report->status == WITHY_OK            ? "complete"
              : report->status == WITHY_INTERRUPTED ? "interrupted"
                                                    : "failed");
    if (report->status != WITHY_OK) cli_json_failure(&json, err);
    json_whole(&json, "iterations", report->iterations);
    json_number(&json, "wall_s", report->elapsed);
    json_open(&json, "points", '[');
    for (int i = 0; i < report->count; i++)
        json_point(&json, &report->point[i], withy_scene_problem(scene)->rod_count,
                   report->error.runs > 0);
    json_close(&json, ']');
    json_critical(&json, report);
    cli_json_parts(&json, report->part, report->part_count);
    cli_json_probes(&json, report->probe, report->probe_count);
    cli_json_notes(&json, &report->notes);
    if (report->error.runs) {
        json_open(&json, "error_bars", '{');
        cli_json_error(&json, &report->error);
        json_close(&json, '}');
    }
    json_close(&json, '}');
}

static const char *stability(const withy_equilibrium *at, char *text, size_t size) {
    char word[32], loose[32] = "";
    if (at->negative < 0) return "unknown";
    snprintf(word, sizeof word, at->negative ? "unstable (%d)" : "stable", at->negative);
    if (at->neutral) snprintf(loose, sizeof loose, ", neutral (%d)", at->neutral);
    snprintf(text, size, "%s%s", word, loose);
    return text;
}

/* Where the mode of a critical point is largest, and which way it goes. */
static void print_critical(const withy_static_report *report) {
    for (int i = 0; i < report->critical_count; i++) {
        const withy_critical *c = &report->critical[i];
        const withy_mode *mode = c->mode;
        cli_bar_text bar;
        double most = -1;
        int at = 0;
        for (int k = 0; mode && k < mode->count; k++) {
            const withy_vec3 v = mode->shift[k];
            const double square = v.x * v.x + v.y * v.y + v.z * v.z;
            if (square > 1.000001 * most) most = square, at = k;
        }
        cli_print("  critical factor %.8g%s, a %s between points %d and %d: %+d unstable",
                  c->factor, cli_bar(&report->error, c->factor_error, &bar), mark_word[c->mark],
                  c->after, c->after + 1, c->change);
        if (mode)
            cli_print("; mode largest at s = %.4g m along (%.3g, %.3g, %.3g)", mode->s[at],
                      mode->shift[at].x, mode->shift[at].y, mode->shift[at].z);
        cli_print("\n");
    }
}

/* Of the last point. */
static void print_figures(const withy_static_report *report) {
    if (!report->count) return;
    const withy_static_point *p = &report->point[report->count - 1];
    cli_bar_text bar;
    for (int i = 0; i < p->figure_count; i++)
        cli_print("  %-24s %14.6g%s %-5s %s\n", p->figure[i].name, p->figure[i].value,
                  cli_bar(&report->error, p->figure_error[i], &bar), p->figure[i].unit,
                  p->figure[i].doc);
}

/* ---- the table of a path ---------------------------------------------------------------------- */

enum { COLUMNS = 6, CELL = 128 };

/* One row of the table as texts; NULL: its head. */
static void fill_row(const withy_static_report *report, const withy_static_point *p, int rods,
                     const cli_scale *scale, char cell[COLUMNS][CELL]) {
    static const char *const head[COLUMNS] = {"factor", "it",         "stability",
                                              "",       "finish [m]", "force at start [N]"};
    cli_vector_text vector;
    cli_bar_text bar;
    char text[80];
    for (int i = 0; i < COLUMNS; i++)
        snprintf(cell[i], CELL, "%s", p || (i > 3 && !rods) ? "" : head[i]);
    if (!p) return;
    snprintf(cell[0], CELL, "%.6g", p->at.factor);
    snprintf(cell[1], CELL, "%d", p->at.iterations);
    snprintf(cell[2], CELL, "%s", stability(&p->at, text, sizeof text));
    snprintf(cell[3], CELL, "%s", mark_word[p->at.mark]);
    if (!rods) return;
    snprintf(cell[4], CELL, "%s%s", cli_vector(scale, "m", &p->position[1], &vector),
             cli_bar(&report->error, p->position_error[1], &bar));
    snprintf(cell[5], CELL, "%s%s", cli_vector(scale, "N", &p->reaction[0], &vector),
             cli_bar(&report->error, p->reaction_error[0], &bar));
}

/* Columns as wide as their widest cell; one without a word is left out. */
static void print_points(const withy_static_report *report, int rods, const cli_scale *scale) {
    char cell[COLUMNS][CELL];
    int width[COLUMNS] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = -1; i < report->count; i++) {
            fill_row(report, i < 0 ? NULL : &report->point[i], rods, scale, cell);
            for (int c = 0; c < COLUMNS; c++) {
                const int length = (int)strlen(cell[c]), wide = c < 2 ? width[c] : -width[c];
                if (pass == 0 && length > width[c]) width[c] = length;
                if (pass == 1 && width[c]) cli_print("  %*s", c < COLUMNS - 1 ? wide : 0, cell[c]);
            }
            if (pass == 1) cli_print("\n");
        }
}

/* ---- the last equilibrium ------------------------------------------------------------------------ */

static void print_stress(const withy_scene *scene, const withy_stress *stress) {
    const withy_problem *p = withy_scene_problem(scene);
    if (!(stress->most > 0)) return;
    cli_print("  %-18s %.6g Pa at s = %.6g m", "largest stress", stress->most, stress->s);
    if (p->rod_count > 1 && p->rod[stress->rod].name)
        cli_print(" of %s", p->rod[stress->rod].name);
    else if (p->rod_count > 1)
        cli_print(" of rod %d", stress->rod + 1);
    cli_print(" (von Mises, beam theory)\n");
}

static void print_last(const withy_scene *scene, const withy_static_report *report,
                       const cli_scale *scale) {
    const withy_static_point *p = &report->point[report->count - 1];
    const cli_ends ends = ends_of(p);
    if (report->count > 1) cli_print("  at factor %.6g:\n", p->at.factor);
    if (withy_scene_problem(scene)->rod_count) {
        cli_print_ends(&ends, scale, &report->error);
        print_stress(scene, &p->stress);
    }
    cli_print_parts(report->part, report->part_count, scale);
    cli_print_probes(report->probe, report->probe_count, scale, &report->error, NULL);
}

static void print_summary(const withy_scene *scene, const withy_static_report *report,
                          const cli_list *output) {
    const char *title = cli_title(scene);
    cli_print("%s%s%s: %d equilibri%s with %s, %lld iterations in %.3g s\n",
              withy_scene_name(scene), title[0] ? ", " : "", title, report->count,
              report->count == 1 ? "um" : "a", report->method, (long long)report->iterations,
              report->elapsed);
    const cli_scale scale = cli_scale_of(scene, report->part, report->part_count);
    print_points(report, report->count > 1 ? withy_scene_problem(scene)->rod_count : 0, &scale);
    print_last(scene, report, &scale);
    print_critical(report);
    print_figures(report);
    cli_print_error(&report->error);
    cli_print_notes(&report->notes);
    for (int i = 0; i < output->count; i++) cli_print("  written: %s\n", output->item[i]);
}

/* The table of a spring is printed, and there is no equilibrium behind it to be written; -1 to continue. */
static int refuse_with_spring(const arguments *a) {
    const char *what = a->output.count ? "-o"
                       : a->error      ? "--error"
                       : a->branch     ? "--branch"
                                       : NULL;
    if (!a->spring || !what) return -1;
    cli_warn(
        "withy: --spring prints a table and takes no %s; --spring --json > FILE.json keeps the "
        "table, withy static SCENE -o FILE.h5 writes the equilibrium\n",
        what);
    return CLI_USAGE;
}

int cmd_static(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE",
         "write one snapshot per equilibrium, with the load factor as time (repeatable)",
         .list = &a.output},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"error", 'e', NULL,
         "print an error bar after every number: solve again with half and "
         "twice n",
         .flag = &a.error},
        {"branch", 0, NULL,
         "at an unstable point of a path, continue on the stable branch next "
         "to it",
         .flag = &a.branch},
        {"spring", 0, NULL,
         "the design table of a helical spring: rate, surge, solid length, stress, buckling, "
         "and textbook values",
         .flag = &a.spring},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {"withy static SCENE [-o FILE.h5] [--set path=value]...",
                             "Find the equilibrium of a scene under its loads (factor 1), or "
                             "the path of equilibria that its\n"
                             "`path` describes.  With path.arc_length = true, withy follows the "
                             "path through limit points.",
                             "  withy static snap_arch -o arch.h5 && withy plot arch.h5\n"
                             "  withy static hanging_spring --spring",
                             option};
    cli_list rest;
    const char *name;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;

    if ((status = refuse_with_spring(&a)) >= 0) return status;
    for (int i = 0; i < a.output.count; i++)
        if ((status = whole_check(a.output.item[i], name)) >= 0) return status;
    withy_error err = {0};
    withy_scene *scene;
    if (cli_scene(name, &a.set, &scene, &err) != WITHY_OK) return cli_error(&err);
    if (a.spring) {
        status = cli_spring(scene, a.method, a.json);
        withy_scene_destroy(scene);
        return status;
    }
    cli_progress progress = {0}; /* no bar: the end of a path is not known */
    const withy_run_setup setup = {.method = a.method,
                                   .output = a.output.item,
                                   .output_count = a.output.count,
                                   .progress = cli_progress_step,
                                   .context = &progress,
                                   .branch = a.branch,
                                   .error = a.error};
    withy_static_report report;
    cli_stop_check(1);
    const withy_status solved = withy_static(scene, &setup, &report, &err);
    cli_stop_check(0);
    if (a.json && (solved == WITHY_OK || report.count)) print_json(scene, &report, &err);
    if (!a.json && !a.quiet && report.count) print_summary(scene, &report, &a.output);
    withy_static_free(&report);
    status = solved == WITHY_OK ? CLI_OK : cli_error(&err);
    withy_scene_destroy(scene);
    return status;
}
