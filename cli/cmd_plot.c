/* cmd_plot.c - withy plot: pictures of a result, or of a scene that is run first. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/applies.h"
#include "plot/pair.h"
#include "plot/plot.h"
#include "plot/sweep.h"

typedef struct arguments {
    plot_request request;
    const char *output, *minus, *plane, *every, *count, *grid, *size, *from, *to, *method;
    const char *thick, *arrows;
    cli_list set;
    int view3d, json, quiet;
} arguments;

static int usage_error(const char *option, const char *value, const char *allowed) {
    cli_warn("withy: --%s %s: %s\n", option, value, allowed);
    return CLI_USAGE;
}

/* ---- arguments -------------------------------------------------------------------------------- */

static int read_whole(const char *option, const char *text, long most, long *number) {
    char *end;
    if (!text) return -1;
    errno = 0;
    *number = strtol(text, &end, 10);
    if (end != text && !*end && errno == 0 && *number >= 1 && *number <= most) return -1;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "must be a whole number from 1 to %ld", most);
    return usage_error(option, text, allowed);
}

int plot_read_number(const char *option, const char *text, const char *unit, double *number) {
    char *end;
    if (!text) return -1;
    *number = strtod(text, &end);
    if (end != text && !*end && isfinite(*number)) return -1;
    char allowed[40];
    snprintf(allowed, sizeof allowed, "must be a number %s", unit);
    return usage_error(option, text, allowed);
}

int plot_read_plane(const char *text, plot_request *request) {
    static const struct {
        const char *name;
        plot_plane plane;
    } known[] = {
        {"auto", PLOT_AUTO}, {"xy", PLOT_XY}, {"xz", PLOT_XZ}, {"yz", PLOT_YZ}, {"3d", PLOT_3D}};
    request->plane = PLOT_AUTO;
    if (!text) return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, text) == 0) {
            request->plane = known[i].plane;
            return -1;
        }
    return usage_error("plane", text, "must be xy, xz, yz, 3d or auto");
}

int plot_read_size(const char *text, plot_request *request) {
    char rest;
    if (!text) return -1;
    if (sscanf(text, "%dx%d%c", &request->width, &request->height, &rest) == 2 &&
        request->width >= 200 && request->height >= 150 && request->width <= 10000 &&
        request->height <= 10000)
        return -1;
    return usage_error("size", text, "must be WIDTHxHEIGHT in pixels, 200x150 to 10000x10000");
}

static const char *quantity_at(const void *unused, int index) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
    (void)unused;
    return index < count ? quantity[index].name : NULL;
}

static int read_profiles(const plot_request *request) {
    for (int i = 0; i < request->profile.count; i++) {
        int count, material;
        if (plot_profile_find(request->profile.item[i], &material)) continue;
        const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
        cli_guess guess;
        cli_warn("withy: --profile %s: must be one of", request->profile.item[i]);
        for (int k = 0; k < count; k++) cli_warn(" %s", quantity[k].name);
        cli_warn("%s\n", cli_mean(request->profile.item[i], quantity_at, &guess));
        return CLI_USAGE;
    }
    return -1;
}

/* Arguments to settings; -1 to continue, or the exit status. */
static int read_request(arguments *a) {
    plot_request *w = &a->request;
    long number = 0;
    int status = plot_read_plane(a->plane ? a->plane : a->view3d ? "3d" : NULL, w);
    if (status < 0) status = plot_read_size(a->size, w);
    if (status < 0) status = read_profiles(w);
    if (status < 0 && (status = read_whole("every", a->every, 1000000000, &number)) < 0 && a->every)
        w->every = number;
    if (status < 0 && (status = read_whole("count", a->count, 1000, &number)) < 0 && a->count)
        w->count = (int)number;
    if (status < 0 && (status = read_whole("frames-grid", a->grid, 200, &number)) < 0 && a->grid)
        w->grid = (int)number;
    w->from = -1e300, w->to = a->from || a->to ? 1e300 : -2e300;
    if (status < 0) status = plot_read_number("from", a->from, "[s]", &w->from);
    if (status < 0) status = plot_read_number("to", a->to, "[s]", &w->to);
    if (status < 0) status = plot_read_number("thick", a->thick, "[m]", &w->thick);
    if (status < 0 && w->thick < 0)
        status = usage_error("thick", a->thick, "must not be negative [m]");
    if (status < 0 && a->arrows) {
        w->arrows = strcmp(a->arrows, "kappa") == 0   ? PLOT_ARROWS_KAPPA
                    : strcmp(a->arrows, "frame") == 0 ? PLOT_ARROWS_FRAME
                                                      : PLOT_ARROWS_NONE;
        if (!w->arrows) status = usage_error("arrows", a->arrows, "must be kappa or frame");
    }
    if (status < 0 && a->to && w->to < w->from)
        status = usage_error("to", a->to, "must not be before --from");
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

static int ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

static int check_output(const char *output) {
    static const char *const ending[] = {".svg", ".png", ".pdf"};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (ends_with(output, ending[i])) return -1;
    return usage_error("output", output, "the name of a picture ends with .svg, .png or .pdf");
}

/* ---- a scene is run first --------------------------------------------------------------------- */

/* A scene that has only a path: its equilibria. */
static withy_status follow_path(const withy_scene *scene, const arguments *a, const char *file,
                                withy_error *err) {
    const withy_run_setup setup = {.method = a->method, .output = &file, .output_count = 1};
    withy_static_report report;
    const withy_status status = withy_static(scene, &setup, &report, err);
    withy_static_free(&report);
    return status;
}

static withy_status run_in_time(const withy_scene *scene, const arguments *a, const char *file,
                                withy_error *err) {
    cli_progress progress = cli_progress_start(a->json || a->quiet);
    const withy_run_setup setup = {.method = a->method,
                                   .output = &file,
                                   .output_count = 1,
                                   .progress = cli_progress_step,
                                   .context = &progress};
    withy_report report;
    const withy_status status = withy_run(scene, &setup, &report, err);
    cli_progress_end(&progress);
    return status;
}

static int run_scene(const char *name, const arguments *a, const char *file) {
    withy_error err = {0};
    withy_scene *scene;
    if (cli_scene(name, &a->set, &scene, &err) != WITHY_OK) return cli_error(&err);
    const withy_problem *problem = withy_scene_problem(scene);
    const withy_status status = !problem->request.given ? follow_path(scene, a, file, &err)
                                                        : run_in_time(scene, a, file, &err);
    withy_scene_destroy(scene);
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void report(const plot *p, const char *input, const char *output, int as_json) {
    static const char *const plane[] = {
        [PLOT_XY] = "xy", [PLOT_XZ] = "xz", [PLOT_YZ] = "yz", [PLOT_3D] = "3d"};
    if (!as_json) {
        cli_print("%s: %d shape%s drawn in %s\n", input, p->frame_count,
                  p->frame_count == 1 ? "" : "s", output);
        return;
    }
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "result", input);
    json_text(&json, "picture", output);
    json_text(&json, "plane", plane[p->plane]);
    json_whole(&json, "width", p->width);
    json_whole(&json, "height", p->height);
    json_open(&json, "times", '[');
    for (int f = 0; f < p->frame_count; f++) json_number(&json, NULL, p->time[p->frame[f]]);
    json_close(&json, ']');
    json_close(&json, '}');
}

static int requests_nothing(const plot_request *w) {
    return !(w->shapes || w->energy || w->probes || w->ledger || w->growth || w->decay ||
             w->contacts || w->grid || w->what.count || w->profile.count || w->spectrum.count);
}

static int draw(const char *file, const char *input, const char *output, const arguments *a) {
    withy_error err = {0};
    plot p = {.request = a->request};
    if (p.request.results.count == 0) p.request.results = (cli_list){.item = {file}, .count = 1};
    const int bad = plot_check_what(&p.request);
    if (bad >= 0) return bad;
    withy_status status = plot_open(&p, file, &err);
    if (status == WITHY_OK && plot_is_modes(&p) && requests_nothing(&p.request))
        p.request.grid = p.frame_count; /* a small picture for each */
    if (status == WITHY_OK) status = plot_draw(&p, output, &err);
    if (status == WITHY_OK && !a->quiet) report(&p, input, output, a->json);
    plot_close(&p);
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}

static int draw_scene(const char *scene, const char *output, const arguments *a) {
    char file[4200];
    wy_temporary_folder folder;
    if (process_folder(&folder) != 0) return CLI_FAILED;
    snprintf(file, sizeof file, "%s/result.h5", folder.path);
    int status = run_scene(scene, a, file);
    if (status == CLI_OK) status = draw(file, scene, output, a);
    wy_temporary_folder_close(&folder);
    return status;
}

int plot_ready(const char *output, const char *input) {
    const int status = check_output(output);
    if (status >= 0) return status;
    if (!plot_has_gnuplot()) {
        cli_warn("withy: pictures are drawn by gnuplot, which is not installed: "
                 "sudo apt-get install gnuplot-nox\n");
        return CLI_USAGE;
    }
    return whole_check(output, input);
}

static int plot_input(const char *input, const arguments *a) {
    char named[4096];
    cli_name_output(input, ".svg", named, sizeof named);
    const char *output = a->output ? a->output : named;
    const int bad = plot_ready(output, input);
    if (bad >= 0) return bad;
    if (ends_with(input, ".h5") && plot_is_sweep(input))
        return plot_sweep(&a->request, input, output, a->json, a->quiet);
    return ends_with(input, ".h5") ? draw(input, input, output, a) : draw_scene(input, output, a);
}

/* --minus and --errors: results only. */
static int plot_compared(const cli_list *rest, const arguments *a) {
    const char *option = a->minus ? "minus" : "errors";
    char named[4096];
    for (int i = 0; i <= rest->count; i++) {
        const char *file = i < rest->count ? rest->item[i] : a->minus;
        if (!file || ends_with(file, ".h5")) continue;
        return usage_error(option, file, "results are compared, FILE.h5: run the scene first");
    }
    if (rest->count == 0 || (a->minus && rest->count != 1))
        return usage_error(option, a->minus ? a->minus : "",
                           a->minus ? "subtracts one result from one: withy plot A.h5 --minus B.h5"
                                    : "no result is named");
    cli_name_output(rest->item[0], ".svg", named, sizeof named);
    const char *output = a->output ? a->output : named;
    int status = plot_ready(output, rest->item[0]);
    if (status >= 0) return status;
    if (a->minus)
        return plot_minus(&a->request, rest->item[0], a->minus, output, a->json, a->quiet);
    return plot_errors(&a->request, rest, output, a->json, a->quiet);
}

/* Several results: the numbers of --what, a curve for each. */
static int plot_several(const cli_list *rest, arguments *a) {
    for (int i = 0; i < rest->count; i++)
        if (!ends_with(rest->item[i], ".h5"))
            return usage_error("what", rest->item[i],
                               "of several only results are drawn: withy run SCENE -o FILE.h5");
    if (a->request.what.count == 0) {
        cli_warn("withy: several results are drawn with --what NAME (finish.z, kinetic, a probe), "
                 "--minus or --errors; withy view overlays their shapes\n");
        return CLI_USAGE;
    }
    a->request.results = *rest;
    return plot_input(rest->item[0], a);
}

static plot_of kind_of(const arguments *a, const cli_list *rest) {
    const char *input = rest->count ? rest->item[0] : "";
    if (a->minus) return PLOT_OF_DIFFERENCE;
    if (a->request.errors) return PLOT_OF_ERRORS;
    if (!ends_with(input, ".h5")) return PLOT_OF_SCENE;
    return rest->count == 1 && plot_is_sweep(input) ? PLOT_OF_SWEEP : PLOT_OF_RESULT;
}

int cmd_plot(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE", "the picture, .svg, .png or .pdf; default: next to the result",
         .text = &a.output},
        {"shapes", 0, NULL, "only the shapes, overlaid", .flag = &a.request.shapes},
        {"energy", 0, NULL, "energies over time", .flag = &a.request.energy},
        {"probes", 0, NULL, "every probe over time", .flag = &a.request.probes},
        {"profile", 0, "NAME",
         "force, moment, bend, ... along the rod; force.material: in its own axes (repeatable)",
         .list = &a.request.profile},
        {"what", 0, "NAME[.x]",
         "a number over time, for every result (repeatable): a probe, kinetic, finish.force, "
         "rod2.s=0.3.moment, hub.spin, contacts.push, ...; .x or .norm of it",
         .list = &a.request.what},
        {"against", 0, "NAME",
         "for a sweep: the column on the horizontal axis, instead of the first varied parameter",
         .text = &a.request.against},
        {"parallel", 0, NULL, "for a sweep: parallel coordinates, one broken line per member",
         .flag = &a.request.parallel},
        {"spectrum", 0, "PROBE", "spectrum of a probe, partials marked (repeatable)",
         .list = &a.request.spectrum},
        {"ledger", 0, NULL, "energy ledger: stored, put in, lost, error",
         .flag = &a.request.ledger},
        {"decay", 0, NULL, "Chebyshev coefficients of the shape: is options.n of cheb enough?",
         .flag = &a.request.decay},
        {"contacts", 0, NULL, "where and when parts touch, coloured by the contact force",
         .flag = &a.request.contacts},
        {"growth", 0, NULL, "growth factor of a step, from the energy", .flag = &a.request.growth},
        {"minus", 0, "FILE.h5", "the difference of two results at common times and places",
         .text = &a.minus},
        {"errors", 0, NULL,
         "for results from coarse to fine: 4^r Err(t) between neighbours, and their ratios",
         .flag = &a.request.errors},
        {"frames-grid", 0, "M", "M small pictures of consecutive shapes", .text = &a.grid},
        {"plane", 0, "xy|xz|yz|3d", "the view; default: the plane of the motion, or 3d",
         .text = &a.plane},
        {"view3d", 0, NULL, "the same as --plane 3d", .flag = &a.view3d},
        {"count", 0, "M", "draw M shapes, evenly spaced", .text = &a.count},
        {"thick", 0, "W", "draw rods as thick as twice W [m], with ten section lines",
         .text = &a.thick},
        {"arrows", 0, "kappa|frame",
         "arrows along the rods: the curvature at rest as the sections carry it, or d1 and d2",
         .text = &a.arrows},
        {"every", 0, "K", "draw every K-th snapshot", .text = &a.every},
        {"frames", 0, "A,B,C", "draw these snapshots, counted from 0", .text = &a.request.frames},
        {"from", 0, "T", "start at this time [s]", .text = &a.from},
        {"to", 0, "T", "end at this time [s]", .text = &a.to},
        {"dark", 0, NULL, "light on dark", .flag = &a.request.dark},
        {"size", 0, "WxH", "of the picture in pixels", .text = &a.size},
        {"method", 'm', "METHOD", "for a scene: another method", .text = &a.method},
        {"set", 's', "PATH=VALUE", "for a scene: override a value (repeatable)", .list = &a.set},
        {"json", 0, NULL, "print one JSON object", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy plot FILE.h5|SCENE [MORE.h5...] [-o OUT.svg|OUT.png] [options]",
        "Draw a result, or run a scene and draw it.  Without options: the shapes coloured by "
        "time,\n"
        "and the energies; for modes, a small picture of each; for a sweep, lines, heat maps, "
        "points or parallel\n"
        "coordinates of its numbers (--what chooses).  With options: the plots that they name, "
        "side by side.",
        "  withy plot fall.h5 -o fall.svg\n"
        "  withy plot fall.h5 -o forces.png --profile force --profile moment --count 8\n"
        "  withy plot rotating_clamp -o grid.svg --frames-grid 20\n"
        "  withy plot coarse.h5 fine.h5 --what finish.z --what kinetic -o both.svg\n"
        "  withy plot damped.h5 --minus free.h5 -o difference.svg\n"
        "  withy plot n10.h5 n20.h5 n40.h5 --errors -o order.svg",
        option};
    cli_list rest;
    const char *input;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = read_request(&a)) >= 0) return status;
    if ((status = plot_check_options(option, kind_of(&a, &rest))) >= 0) return status;
    if (a.minus || a.request.errors) return plot_compared(&rest, &a);
    if (rest.count > 1) return plot_several(&rest, &a);
    if ((status = cli_one(&usage, &rest, "result or scene", &input)) >= 0) return status;
    return plot_input(input, &a);
}
