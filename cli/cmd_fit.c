/* cmd_fit.c - withy fit: parameters of a scene from measured data. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "plot/plot.h"
#include "process.h"

static const double CANNOT =
    1e4;                        /* scaled condition beyond which parameters cannot be told apart */
static const double MISFIT = 4; /* chi2 per degree of freedom worth a message */
static const double TOGETHER = 0.99; /* correlation worth a message */

withy_status fit_read_scene(void *given, const char *const *override, int count,
                            withy_scene **scene, withy_error *err) {
    const fit_context *x = given;
    const char *all[CLI_LIST + FIT_FREE];
    int all_count = 0;
    for (int i = 0; i < x->set->count; i++) all[all_count++] = x->set->item[i];
    for (int i = 0; i < count && i < FIT_FREE; i++) all[all_count++] = override[i];
    return cli_scene_of(x->scene, all, all_count, scene, err);
}

int fit_asked(void *unused) {
    (void)unused;
    return cli_stop_asked();
}

/* ---- the answer ------------------------------------------------------------------------------------------ */

static void print_value(const char *name, const withy_fit_value *v, int bare) {
    cli_print("  %-24s %14.8g", name, v->value);
    if (bare)
        cli_print("    without an error");
    else if (isfinite(v->error))
        cli_print(" +- %-10.3g 95 %%: %.6g .. %.6g", v->error, v->low, v->high);
    else
        cli_print("    not determined by the data");
    cli_print("%s\n", v->bound < 0   ? "  (at its lower bound)"
                      : v->bound > 0 ? "  (at its upper bound)"
                                     : "");
}

static void print_correlation(const withy_fit_free *f, const withy_fit_result *r) {
    const int n = r->count;
    if (n < 2 || n > 12) return;
    cli_print("  correlation\n");
    for (int i = 0; i < n; i++) {
        cli_print("  %-24s", f[i].name);
        for (int k = 0; k <= i; k++) cli_print(" %7.4f", r->correlation[i * n + k]);
        cli_print("\n");
    }
}

/* What the data cannot tell. */
static void print_limits(const withy_fit_free *f, const withy_fit_result *r) {
    const int n = r->count;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i && r->condition <= CANNOT; k++)
            if (fabs(r->correlation[i * n + k]) > TOGETHER)
                cli_print("  note: the data hardly distinguish %s and %s (correlation %.4f)\n",
                          f[k].name, f[i].name, r->correlation[i * n + k]);
    for (int i = 0; i < n && r->converged; i++) /* infinite ones are reported next to the value */
        if (isfinite(r->value[i].error) && r->value[i].error > f[i].high - f[i].low)
            cli_print("  note: the data do not determine %s: its standard error is larger than its "
                      "range\n",
                      f[i].name);
    if (r->condition <= CANNOT) return;
    cli_print("  note: these data do not determine all parameters (condition %.3g); they leave "
              "free, with "
              "hardly a trace,\n   ",
              r->condition);
    for (int k = 0; k < n; k++)
        if (fabs(r->value[k].null) > 0.05)
            cli_print(" %+.3f %s%s", r->value[k].null, f[k].log ? "ln " : "", f[k].name);
    cli_print("\n");
}

/* Is it the optimum, and by what evidence? */
static void print_end(const withy_fit_result *r) {
    if (r->converged && !r->moved)
        cli_print("  note: the start is the optimum: by the slope of the misfit there it is %.1g "
                  "of a standard error away\n",
                  r->away);
    if (r->converged) return;
    if (!r->moved)
        cli_print("  note: not converged: the search did not move from the starting values, which "
                  "are not the optimum\n");
    if (r->away > 0.1 && isfinite(r->away))
        cli_print("  note: not converged: by the slope of the misfit the optimum is %.2g standard "
                  "errors away; start nearer, or use more windows (--windows)\n",
                  r->away);
    else
        cli_print("  note: not converged; start nearer, or use more windows (--windows)\n");
}

static void print_summary(const withy_scene *scene, const fit_arguments *a, const withy_fit_free *f,
                          const withy_fit_result *r, const withy_fit_curve *c) {
    const int rows = c->rows * c->columns, freedom = rows - r->count;
    cli_print("%s, %s: %d number%s, %d parameter%s, %d runs and %d of derivatives (%s)\n",
              withy_scene_name(scene), a->data, rows, rows == 1 ? "" : "s", r->count,
              r->count == 1 ? "" : "s", r->runs, r->jacobians, c->exact ? "exact" : "differences");
    const int bare = freedom == 0 && !a->sigma; /* no scatter is known */
    for (int k = 0; k < r->count; k++)
        print_value(f[k].name, &r->value[k], bare && r->condition <= CANNOT);
    print_correlation(f, r);
    if (a->sigma)
        cli_print("  chi2 %.6g for %d degrees of freedom", r->sum, freedom);
    else if (bare)
        cli_print("  as many numbers as parameters: errors need --sigma NUMBER (standard deviation "
                  "of the "
                  "data); root mean square %.4g",
                  sqrt(r->sum / rows));
    else
        cli_print("  scatter %.4g, root mean square %.4g", r->scatter, sqrt(r->sum / rows));
    cli_print("; condition %.4g", r->condition);
    if (c->growth > 0) cli_print("; growth %.3g", c->growth);
    cli_print("\n");
    if (c->negative > 0)
        cli_print("  note: the fitted equilibrium is unstable in %d direction%s\n", c->negative,
                  c->negative > 1 ? "s" : "");
    if (a->sigma && freedom > 0 && r->sum > MISFIT * freedom)
        cli_print("  note: the model misses the data by %.3g of their standard deviation: another "
                  "minimum (start elsewhere, use more --windows), a scene that is not this rod, or "
                  "too small a --sigma; the standard errors mean little\n",
                  sqrt(r->sum / freedom));
    print_end(r);
    print_limits(f, r);
    cli_print_notes(&c->notes);
}

static void print_json(const withy_scene *scene, const withy_fit_free *f, const withy_fit_result *r,
                       const withy_fit_curve *c) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_open(&json, "parameters", '[');
    for (int k = 0; k < r->count; k++) {
        json_open(&json, NULL, '{');
        json_text(&json, "name", f[k].name);
        json_number(&json, "value", r->value[k].value);
        json_number(&json, "error", r->value[k].error);
        json_number(&json, "low", r->value[k].low);
        json_number(&json, "high", r->value[k].high);
        json_whole(&json, "bound", r->value[k].bound);
        json_number(&json, "null", r->value[k].null);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_open(&json, "correlation", '[');
    for (int k = 0; k < r->count; k++)
        json_vector(&json, NULL, &r->correlation[k * r->count], r->count);
    json_close(&json, ']');
    json_number(&json, "sum", r->sum);
    json_whole(&json, "numbers", c->rows * c->columns);
    json_number(&json, "scatter", r->scatter);
    json_number(&json, "condition", r->condition);
    json_number(&json, "growth", c->growth);
    json_whole(&json, "unstable", c->negative);
    json_whole(&json, "runs", r->runs);
    json_whole(&json, "jacobians", r->jacobians);
    json_whole(&json, "readings", r->readings);
    json_bool(&json, "exact", c->exact);
    json_bool(&json, "converged", r->converged);
    json_bool(&json, "moved", r->moved);
    json_number(&json, "away", r->away);
    cli_json_notes(&json, &c->notes);
    json_close(&json, '}');
}

/* ---- files ------------------------------------------------------------------------------------------------ */

char *fit_read_file(const char *option, const char *path, size_t *size) {
    enum { MOST = 64 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MOST + 1) : NULL;
    *size = text ? fread(text, 1, MOST, file) : 0;
    if (text) text[*size] = '\0';
    if (!text || *size == MOST || ferror(file)) {
        cli_warn("withy: --%s %s: %s\n", option, path,
                 text && *size == MOST ? "is longer than 64 MiB; keep every tenth row, say"
                                       : strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) fclose(file);
    return text;
}

int fit_read_record(const fit_arguments *a, char **record) {
    size_t size;
    *record = a->resume ? fit_read_file("resume", a->resume, &size) : NULL;
    return !a->resume || *record;
}

const char *fit_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot : "";
}

static int write_all(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *f,
                     const withy_fit_result *r, const withy_fit_curve *c) {
    int ok = 1;
    double value[FIT_FREE];
    for (int k = 0; k < r->count; k++) value[k] = r->value[k].value;
    for (int i = 0; i < a->output.count; i++) {
        const char *path = a->output.item[i], *kind = fit_ending(path);
        int done = strcmp(kind, ".fit") == 0   ? 1
                   : strcmp(kind, ".csv") == 0 ? fit_table(c, path)
                   : strcmp(kind, ".lua") == 0
                       ? fit_scene_write(scene, f, r->count, value, path)
                       : fit_draw(c, withy_scene_name(scene), path, a->dark);
        if (done && !a->quiet && !a->json) cli_print("  written: %s\n", path);
        ok &= done;
    }
    return ok ? CLI_OK : CLI_FAILED;
}

/* What is written is not what is read, and can be written: a fit may take hours. */
static int stands_apart(const fit_arguments *a, const char *path, const char *scene) {
    static const char *const picture[] = {".svg", ".png", ".pdf"};
    int status = a->data ? whole_apart(path, a->data) : -1;
    for (size_t k = 0; k < sizeof picture / sizeof *picture && status < 0; k++)
        if (strcmp(fit_ending(path), picture[k]) == 0) return plot_ready(path, scene);
    return status < 0 ? whole_check(path, scene) : status;
}

static int check_outputs(const fit_arguments *a, const char *scene) {
    static const char *const kinds[] = {".csv", ".lua", ".svg", ".png", ".pdf", ".fit"};
    for (int i = 0; i < a->output.count; i++) {
        const char *path = a->output.item[i];
        int known = 0;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            known |= strcmp(fit_ending(path), kinds[k]) == 0;
        if (!known) {
            cli_warn(
                "withy: -o %s: must end with .lua (the fitted scene), .csv (data and fit), .svg, "
                ".png or .pdf (a picture), or .fit (the best point so far, for --resume)\n",
                path);
            return CLI_USAGE;
        }
        if (a->minimise && strcmp(fit_ending(path), ".lua") != 0 &&
            strcmp(fit_ending(path), ".fit") != 0) {
            cli_warn("withy: -o %s: --minimise writes the scene of the minimum, FILE.lua, and "
                     "FILE.fit for --resume\n",
                     path);
            return CLI_USAGE;
        }
        const int status = stands_apart(a, path, scene);
        if (status >= 0) return status;
    }
    return a->keep ? stands_apart(a, a->keep, scene) : -1;
}

double fit_number(const char *option, const char *text, double otherwise) {
    if (!text) return otherwise;
    char *end;
    const double value = strtod(text, &end);
    if (end != text && !*end && value > 0 && isfinite(value)) return value;
    cli_warn("withy: --%s %s: must be a number above 0\n", option, text);
    return NAN;
}

/* A fit that is interrupted continues from its best point. */
static void keep_best(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *f,
                      const withy_fit_result *r) {
    double value[FIT_FREE];
    for (int k = 0; k < r->count; k++) value[k] = r->value[k].value;
    fit_unfinished(a, scene, f, r->count, value);
}

static int fit(const fit_arguments *a, const char *name, const withy_scene *scene,
               const withy_fit_free *f, int count) {
    fit_context x = {.scene = name, .set = &a->set, .keep = a->keep};
    withy_scene_fit setup = withy_scene_fit_default();
    setup.read = fit_read_scene, setup.stop = fit_asked, setup.context = &x;
    setup.method = a->method, setup.data_name = a->data;
    setup.free = f, setup.count = count, setup.differences = a->differences;
    setup.sigma = fit_number("sigma", a->sigma, 0);
    const double windows = fit_number("windows", a->windows, 4);
    if (isnan(setup.sigma) || isnan(windows)) return CLI_USAGE;
    setup.windows = windows < 16 ? (int)windows : 17;
    const double threads = fit_number("threads", a->threads, 0);
    if (isnan(threads)) return CLI_USAGE;
    setup.threads = threads < 1024 ? (int)threads : 1024;
    char *data = fit_read_file("data", a->data, &setup.data_size), *record;
    if (!data) return CLI_USAGE;
    if (!fit_read_record(a, &record)) return free(data), CLI_USAGE;
    setup.data = data, setup.best = a->keep ? fit_best : NULL, setup.resume = record;
    withy_fit_result *result = calloc(1, sizeof *result);
    withy_fit_curve curve = {0};
    withy_error err = {0};
    int status = CLI_FAILED;
    cli_stop_check(1);
    const withy_status solved =
        result ? withy_fit_of_scene(&setup, result, &curve, &err) : WITHY_NO_MEMORY;
    cli_stop_check(0);
    if (solved == WITHY_OK) {
        if (a->json) print_json(scene, f, result, &curve);
        if (!a->json && !a->quiet) print_summary(scene, a, f, result, &curve);
        status = write_all(a, scene, f, result, &curve);
    } else {
        status = cli_error(&err);
        if (solved == WITHY_INTERRUPTED && result->count) keep_best(a, scene, f, result);
    }
    withy_fit_free_result(result);
    withy_fit_curve_free(&curve);
    free(result);
    free(record);
    free(data);
    return status == CLI_OK && x.lost ? CLI_FAILED : status;
}

static int check_given(const fit_arguments *a) {
    const int design = a->minimise != NULL;
    if (!design && !a->data) {
        cli_warn("withy: fit needs --data FILE.csv, or --minimise EXPRESSION%s\n",
                 a->free.count ? "" : ", and at least one --free NAME=LOW..HIGH");
        return CLI_USAGE;
    }
    if (!a->free.count) {
        cli_warn("withy: %s needs at least one --free NAME=LOW..HIGH, a parameter to find and its "
                 "range\n",
                 design ? "--minimise" : "--data");
        return CLI_USAGE;
    }
    if (!design && (a->subject.count || a->run)) {
        cli_warn("withy: --subject and --run need --minimise EXPRESSION\n");
        return CLI_USAGE;
    }
    if (design && (a->sigma || a->windows)) {
        cli_warn("withy: --sigma and --windows need --data FILE.csv and cannot be used with "
                 "--minimise\n");
        return CLI_USAGE;
    }
    return -1;
}

/* Where the search is kept: one FILE.fit, of -o or of --resume. */
static int choose_keep(fit_arguments *a) {
    a->keep = a->resume;
    for (int i = 0; i < a->output.count; i++) {
        const char *path = a->output.item[i];
        if (strcmp(fit_ending(path), ".fit") != 0) continue;
        if (a->keep && strcmp(path, a->keep) != 0) {
            cli_warn("withy: -o %s: the search is kept in %s; give one of them\n", path, a->keep);
            return CLI_USAGE;
        }
        a->keep = path;
    }
    return -1;
}

int cmd_fit(int argc, char **argv) {
    fit_arguments a = {0};
    const cli_option option[] = {
        {"data", 'd', "FILE.csv",
         "measured numbers: columns t, tip.x, force.start.z (NAME.x of a probe, start or "
         "finish; forces of ends); or factor, ... for equilibria; or s, x, y, z for a shape; or "
         "mode, frequency",
         .text = &a.data},
        {"free", 'f', "NAME=LOW..HIGH",
         "a parameter to find: params.young=1e5..1e8, with :log or :linear and @START "
         "(repeatable)",
         .list = &a.free},
        {"sigma", 0, "NUMBER", "standard deviation of every number; default: from the misfit",
         .text = &a.sigma},
        {"windows", 0, "COUNT",
         "for a motion: fit the first eighth, quarter and half of the data before all of it "
         "(default 4); 1: all at once",
         .text = &a.windows},
        {"minimise", 0, "EXPRESSION",
         "design instead of fit: the expression to minimise: mass, stress, miss (distance from "
         "the shape of --data), cents(frequency.1, 440)^2, force.start.z",
         .text = &a.minimise},
        {"subject", 0, "CONSTRAINT",
         "a constraint of --minimise: \"stress <= 4e8\", \"finish.z >= 0.1\", \"frequency.1 == "
         "440\" (repeatable)",
         .list = &a.subject},
        {"run", 0, NULL,
         "with --minimise: use numbers of the motion (probes), not of the "
         "equilibrium",
         .flag = &a.run},
        {"threads", 0, "COUNT", "threads for differences; default: one per processor",
         .text = &a.threads},
        {"output", 'o', "FILE",
         "write the fitted scene (.lua), data and fit (.csv), a picture of both (.svg, .png, "
         ".pdf), or during the search the best point so far (.fit); repeatable",
         .list = &a.output},
        {"resume", 0, "FILE.fit",
         "continue the same search from its best point; withy keeps FILE.fit up to date",
         .text = &a.resume},
        {"dark", 0, NULL, "draw the picture light on dark", .flag = &a.dark},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"differences", 0, NULL, "use differences even if exact derivatives exist",
         .flag = &a.differences},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy fit SCENE --data FILE.csv --free NAME=LOW..HIGH...",
        "Find parameters of a scene from measured positions or frequencies: estimates with "
        "standard errors\n"
        "and correlations, and the combinations that the data leave free.  With --minimise, "
        "find those that\n"
        "minimise an expression.  Ctrl-C or a kill leaves the best point in -o FILE.fit; "
        "--resume FILE.fit\ncontinues.",
        "  withy fit release.lua --data film.csv --free params.young=1e5..1e8 "
        "-o fitted.lua -o fit.svg\n  withy fit spring_designer --minimise mass "
        "--subject \"force.start.z >= 20\" --free params.wire=1e-3..4e-3",
        option};
    cli_list rest;
    const char *name;
    static withy_fit_free free_of[FIT_FREE];
    int count = 0;
    withy_error err = {0};
    withy_scene *scene;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if ((status = check_given(&a)) >= 0) return status;
    if ((status = choose_keep(&a)) >= 0) return status;
    if ((status = check_outputs(&a, name)) >= 0) return status;
    if (cli_scene(name, &a.set, &scene, &err) != WITHY_OK) return cli_error(&err);
    status = -1;
    const fit_context x = {.scene = name, .set = &a.set, .option = "free"};
    for (int i = 0; i < a.free.count && status < 0; i++)
        status = fit_read_free(a.free.item[i], &x, scene, free_of, &count);
    if (status < 0)
        status = a.minimise ? fit_minimise(&a, name, scene, free_of, count)
                            : fit(&a, name, scene, free_of, count);
    withy_scene_destroy(scene);
    return status;
}
