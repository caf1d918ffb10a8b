/* cmd_static.c - withy static: the equilibrium of a scene, or a path of equilibria. */
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

static void json_ends(cli_json *json, const withy_static_point *point) {
    static const char *const name[2] = {"start", "finish"};
    json_open(json, "ends", '{');
    for (int i = 0; i < 2; i++) {
        json_open(json, name[i], '{');
        json_vector(json, "position", &point->position[i].x, 3);
        json_vector(json, "force", &point->reaction[i].x, 3);
        json_vector(json, "moment", &point->reaction_moment[i].x, 3);
        json_close(json, '}');
    }
    json_close(json, '}');
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
    static const char *const name[2] = {"start", "finish"};
    json_open(json, "error", '{');
    for (int i = 0; i < 2; i++) {
        json_open(json, name[i], '{');
        json_number(json, "position", point->position_error[i]);
        json_number(json, "force", point->reaction_error[i]);
        json_number(json, "moment", point->reaction_moment_error[i]);
        json_close(json, '}');
    }
    json_number(json, "energy", point->energy_error);
    for (int i = 0; i < point->figure_count; i++)
        json_number(json, point->figure[i].name, point->figure_error[i]);
    json_close(json, '}');
}

static void json_point(cli_json *json, const withy_static_point *point, int rods, int errors) {
    json_open(json, NULL, '{');
    json_number(json, "factor", point->at.factor);
    json_whole(json, "iterations", point->at.iterations);
    if (point->at.negative >= 0) {
        json_bool(json, "stable", point->at.negative == 0);
        json_whole(json, "negative", point->at.negative);
        json_whole(json, "neutral", point->at.neutral);
    } else {
        json_null(json, "stable");
        json_null(json, "negative");
        json_null(json, "neutral");
    }
    json_text(json, "mark", mark_word[point->at.mark]);
    json_number(json, "energy", point->at.energy);
    if (rods) json_ends(json, point);
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
    if (report->status != WITHY_OK) json_text(&json, "error", err->text);
    json_whole(&json, "iterations", report->iterations);
    json_number(&json, "wall_s", report->wall);
    json_open(&json, "points", '[');
    for (int i = 0; i < report->count; i++)
        json_point(&json, &report->point[i], withy_scene_problem(scene)->rod_count,
                   report->error.runs > 0);
    json_close(&json, ']');
    json_critical(&json, report);
    cli_json_parts(&json, report->part, report->part_count);
    json_text(&json, "notes", report->notes);
    if (report->error.runs) {
        json_open(&json, "error", '{');
        cli_json_error(&json, &report->error);
        json_close(&json, '}');
    }
    json_close(&json, '}');
}

static const char *stability(const withy_equilibrium *at, char *text, size_t size) {
    char word[32], loose[32] = "";
    if (at->negative < 0) return "";
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

/* Where the first rod is and what holds it; without rods there is neither. */
static void print_points(const withy_static_report *report, int rods) {
    char text[80];
    cli_bar_text bar[2];
    cli_print("  %10s %4s  %-24s %-12s", "factor", "it", "stability", "");
    if (rods) cli_print("  %-40s %-40s", "finish [m]", "force at start [N]");
    cli_print("\n");
    for (int i = 0; i < report->count; i++) {
        const withy_static_point *p = &report->point[i];
        cli_print("  %10.6g %4d  %-24s %-12s", p->at.factor, p->at.iterations,
                  stability(&p->at, text, sizeof text), mark_word[p->at.mark]);
        if (rods)
            cli_print("  (%12.6g,%12.6g,%12.6g)%s (%12.6g,%12.6g,%12.6g)%s", p->position[1].x,
                      p->position[1].y, p->position[1].z,
                      cli_bar(&report->error, p->position_error[1], &bar[0]), p->reaction[0].x,
                      p->reaction[0].y, p->reaction[0].z,
                      cli_bar(&report->error, p->reaction_error[0], &bar[1]));
        cli_print("\n");
    }
}

static void print_summary(const withy_scene *scene, const withy_static_report *report,
                          const cli_list *output) {
    const char *title = cli_title(scene);
    cli_print("%s%s%s: %d equilibri%s with %s, %lld iterations in %.3g s\n",
              withy_scene_name(scene), title[0] ? ", " : "", title, report->count,
              report->count == 1 ? "um" : "a", report->method, (long long)report->iterations,
              report->wall);
    print_points(report, withy_scene_problem(scene)->rod_count);
    cli_print_parts(report->part, report->part_count);
    print_critical(report);
    print_figures(report);
    cli_print_error(&report->error);
    cli_print_notes(report->notes);
    for (int i = 0; i < output->count; i++) cli_print("  written: %s\n", output->item[i]);
}

int cmd_static(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE",
         "write one snapshot per equilibrium, the factor as time (repeatable)", .list = &a.output},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"error", 'e', NULL, "give every number its error bar: solve again with half and twice n",
         .flag = &a.error},
        {"branch", 0, NULL, "leave unstable points of a path for the stable branch next to them",
         .flag = &a.branch},
        {"spring", 0, NULL,
         "of a helical spring: rate, surge, solid length, stress and buckling, beside the textbook",
         .flag = &a.spring},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {"withy static SCENE [-o FILE.h5] [--set path=value]...",
                             "Find the equilibrium of a scene under its loads (factor 1), or the "
                             "path of equilibria that "
                             "its\n`path` describes.  With path.arc_length = true the path is "
                             "followed through limit points.",
                             "  withy static snap_arch -o arch.h5 && withy plot arch.h5\n"
                             "  withy static hanging_spring --spring",
                             option};
    cli_list rest;
    const char *name;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;

    for (int i = 0; i < a.output.count; i++)
        if ((status = whole_apart(a.output.item[i], name)) >= 0) return status;
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
    cli_stop_poll(1);
    const withy_status solved = withy_static(scene, &setup, &report, &err);
    cli_stop_poll(0);
    if (a.json && (solved == WITHY_OK || report.count)) print_json(scene, &report, &err);
    if (!a.json && !a.quiet && report.count) print_summary(scene, &report, &a.output);
    withy_static_free(&report);
    status = solved == WITHY_OK ? CLI_OK : cli_error(&err);
    withy_scene_destroy(scene);
    return status;
}
