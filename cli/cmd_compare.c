/* cmd_compare.c - withy compare: one scene, several methods, error bars, and whether they agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "compare.h"
#include "plot/plot.h"
#include "process.h"

/* ---- the scene of each method ------------------------------------------------------------------------- */

/* A scene is read once for every method, with the overrides that are for it alone. */
typedef struct reading {
    char method[WITHY_NAME]; /* "" : for no particular method */
    withy_scene *scene;
    withy_option option[WITHY_SCENE_OPTIONS];
} reading;

typedef struct readings {
    const char *scene;
    const cli_list *set, *special; /* for all; METHOD:path=value, for one */
    int count;
    reading one[WITHY_COMPARE_METHODS + 1];
} readings;

static withy_status read_for(readings *x, const char *method, reading *out, withy_error *err) {
    cli_list list = *x->set;
    const size_t length = strlen(method);
    for (int i = 0; i < x->special->count && length && list.count < CLI_LIST; i++) {
        const char *text = x->special->item[i];
        if (strncmp(text, method, length) == 0 && text[length] == ':')
            list.item[list.count++] = text + length + 1;
    }
    snprintf(out->method, sizeof out->method, "%s", method);
    return cli_scene(x->scene, &list, &out->scene, err);
}

static withy_status study_for(void *context, const char *method, withy_study *study,
                              withy_error *err) {
    readings *x = context;
    int i = 0;
    while (i < x->count && strcmp(x->one[i].method, method ? method : "") != 0) i++;
    if (i == x->count) {
        const withy_status status = read_for(x, method ? method : "", &x->one[i], err);
        if (status != WITHY_OK) return status;
        x->count++;
    }
    return withy_scene_study(x->one[i].scene, method, x->one[i].option, study, err);
}

static int show_progress(void *context, const char *method, int level, int stiffer) {
    static int last_level, last_stiffer;
    static char last[WITHY_NAME];
    (void)context;
    if (strcmp(last, method) == 0 && last_level == level && last_stiffer == stiffer) return 0;
    last_level = level, last_stiffer = stiffer;
    snprintf(last, sizeof last, "%s", method);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s: level %d%s", method, level,
                stiffer ? ", with a stiffer rod" : "");
    return 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

static const withy_compare_run *finest(const withy_compare_method *m) {
    return &m->run[m->levels - 1];
}

static void print_pair(const withy_comparison *c, const withy_compare_pair *v) {
    const char *unit = withy_compare_unit(v->what);
    const char *axis = c->statics ? "factor" : "t";
    cli_print("%s %s and %s, %s: ",
              !v->known  ? "??  "
              : v->agree ? "ok  "
                         : "FAIL",
              c->method[v->a].name, c->method[v->b].name, withy_compare_name(v->what));
    if (!v->known)
        cli_print("%.2g %s apart at %s = %g, but an error bar is not known\n", v->distance, unit,
                  axis, v->t);
    else if (v->agree)
        cli_print("agree within %.2g %s (%.2g apart at %s = %g)\n", v->allowed, unit, v->distance,
                  axis, v->t);
    else
        cli_print("differ by %.2g %s at %s = %g, beyond their error bars of %.2g %s%s\n",
                  v->distance, unit, axis, v->t, v->allowed, unit,
                  v->apart ? ": two different equilibria" : "");
}

static void json_pair(cli_json *json, const withy_comparison *c, const withy_compare_pair *v) {
    json_open(json, NULL, '{');
    json_text(json, "a", c->method[v->a].name);
    json_text(json, "b", c->method[v->b].name);
    json_text(json, "observable", withy_compare_name(v->what));
    json_number(json, "distance", v->distance);
    json_number(json, "allowed", v->allowed);
    json_number(json, "t", v->t);
    json_bool(json, "known", v->known);
    json_bool(json, "agree", v->known && v->agree);
    json_close(json, '}');
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void print_method(const withy_comparison *c, const withy_compare_method *m) {
    const withy_compare_run *run = finest(m);
    const int last = run->count - 1;
    char order[32] = "order not needed", step[32] = "step adapts";
    if (m->levels > 2) snprintf(order, sizeof order, "order %.2f", m->order);
    if (m->levels > 2 && m->order > 2) snprintf(order, sizeof order, "order > 2");
    if (c->statics) snprintf(step, sizeof step, "statics");
    if (run->dt > 0) snprintf(step, sizeof step, "dt %.3g s", run->dt);
    cli_print("%-10s n %d, %s, %d levels, %s, %.3g s, %.3g node-steps%s\n", m->name, run->n, step,
              m->levels, order, run->elapsed, run->node_steps,
              m->known ? "" : ": ERROR NOT KNOWN, the levels do not converge");
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) {
        if (!(run->have >> i & 1)) continue;
        const withy_vec3 r = run->at[i][last];
        cli_print("    %-15s (%.8g, %.8g, %.8g) +- %.2g %s\n", withy_compare_name(i), r.x, r.y, r.z,
                  m->error[i][last], withy_compare_unit(i));
    }
    if (m->skipped[0]) cli_print("    %s\n", m->skipped);
}

static void print_model(const withy_comparison *c) {
    const withy_compare_model *model = &c->model;
    if (!model->left_out) return;
    cli_print("Without stretch and shear");
    for (int i = 0, first = 1; i < c->count; i++)
        if (c->method[i].rigid & model->left_out)
            cli_print("%s%s", first ? " (" : ", ", c->method[i].name), first = 0;
    if (!model->known) {
        cli_print(") the rod is a different model, and no method could compute the difference\n");
        return;
    }
    cli_print(
        ") the results are shifted; the shift is subtracted before comparing; computed with %s:\n",
        model->found_with);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if (model->shift[i])
            cli_print("    %-15s up to %.2g +- %.2g %s\n", withy_compare_name(i), model->largest[i],
                      model->error[i][finest(&c->method[0])->count - 1], withy_compare_unit(i));
}

/* Where two do not agree, the notes of the methods may explain it. */
static void print_notes(const withy_comparison *c) {
    for (int i = 0; i < c->count; i++) cli_print_notes(&finest(&c->method[i])->notes);
}

static void print_report(const withy_comparison *c) {
    for (int i = 0; i < c->count; i++) print_method(c, &c->method[i]);
    print_model(c);
    for (int i = 0; i < c->refused_count; i++)
        cli_print("%-10s %s\n", c->refused[i].name, c->refused[i].skipped);
    for (int i = 0; i < c->pair_count; i++) print_pair(c, &c->pair[i]);
    if (c->disagreements) print_notes(c);
    if (c->count > 1)
        cli_print("%d methods %s\n", c->count,
                  c->disagreements ? "do not all agree" : "agree within their error bars");
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void json_method(cli_json *json, const withy_compare_method *m) {
    const withy_compare_run *run = finest(m);
    json_open(json, m->name, '{');
    json_whole(json, "n", run->n);
    json_number(json, "dt", run->dt);
    json_whole(json, "levels", m->levels);
    json_number(json, "order", m->levels > 2 ? m->order : NAN);
    json_bool(json, "known", m->known);
    cli_json_notes(json, &run->notes);
    json_number(json, "wall_s", run->elapsed);
    json_number(json, "node_steps", run->node_steps);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) {
        if (!(run->have >> i & 1)) continue;
        json_open(json, withy_compare_name(i), '{');
        json_vector(json, "value", &run->at[i][run->count - 1].x, 3);
        json_number(json, "error", m->error[i][run->count - 1]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void json_model(cli_json *json, const withy_compare_model *model, int last) {
    if (!model->left_out) return;
    json_open(json, "simpler_rod", '{');
    json_bool(json, "known", model->known);
    if (model->found_with[0]) json_text(json, "found_with", model->found_with);
    for (int i = 0; i < WITHY_COMPARE_WHAT && model->known; i++) {
        if (!model->shift[i]) continue;
        json_open(json, withy_compare_name(i), '{');
        json_number(json, "shift", model->largest[i]);
        json_number(json, "error", model->error[i][last]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void json_report(const withy_comparison *c, const char *scene) {
    cli_json out = {0}, *json = &out;
    json_open(json, NULL, '{');
    json_text(json, "scene", scene);
    json_number(json, "way", c->count ? c->travel : NAN);
    json_open(json, "methods", '{');
    for (int i = 0; i < c->count; i++) json_method(json, &c->method[i]);
    json_close(json, '}');
    json_model(json, &c->model, c->count ? finest(&c->method[0])->count - 1 : 0);
    json_open(json, "refused", '{');
    for (int i = 0; i < c->refused_count; i++)
        json_text(json, c->refused[i].name, c->refused[i].skipped);
    json_close(json, '}');
    json_open(json, "pairs", '[');
    for (int i = 0; i < c->pair_count; i++) json_pair(json, c, &c->pair[i]);
    json_close(json, ']');
    json_bool(json, "agree", c->pair_count > 0 && c->disagreements == 0);
    json_close(json, '}');
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* The names after --methods; returns how many. */
static int names_of(const char *list, char name[WITHY_COMPARE_METHODS][WITHY_NAME]) {
    int count = 0;
    while (list && *list && count < WITHY_COMPARE_METHODS) {
        const size_t length = strcspn(list, ",");
        if (length) snprintf(name[count++], WITHY_NAME, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
    }
    return count;
}

/* --for METHOD:...: the method must exist. */
static int check_special(const cli_list *special) {
    withy_method_info info;
    for (int i = 0; i < special->count; i++) {
        const char *text = special->item[i];
        const size_t length = strcspn(text, ":");
        int known = 0;
        for (int k = 0; withy_method_at(k, &info); k++)
            known |= strlen(info.name) == length && strncmp(info.name, text, length) == 0;
        if (known && text[length]) continue;
        cli_warn(
            "withy: --for %s: must be METHOD:PATH=VALUE with a method of `withy list methods`\n",
            text);
        return 0;
    }
    return 1;
}

/* One method was asked for, or is left: nothing was compared. */
static int is_alone(const withy_comparison *c) {
    return c->count == 1;
}

static int report(const withy_comparison *c, const char *scene, const compare_picture *picture,
                  int json) {
    if (json)
        json_report(c, scene);
    else
        print_report(c);
    if (c->model_error.code != WITHY_OK) cli_error(&c->model_error);
    if (c->count == 0) cli_warn("withy: no method could solve %s\n", scene);
    if (is_alone(c))
        cli_warn("withy: only %s solved %s, so that nothing was compared; its error bar is above\n",
                 c->method[0].name, scene);
    if (c->count == 0 || is_alone(c)) return CLI_FAILED; /* an old picture stays */
    if (picture->path && !compare_draw(c, scene, picture)) return CLI_FAILED;
    return c->disagreements ? CLI_FAILED : CLI_OK;
}

static int compare(const withy_compare_setup *setup, const char *scene,
                   const compare_picture *picture, int json) {
    withy_comparison *c;
    withy_error err = {0};
    const withy_status status = withy_compare(setup, &c, &err);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
    if (status != WITHY_OK) return cli_error(&err);
    const int code = report(c, scene, picture, json);
    withy_comparison_free(c);
    return code;
}

/* A number in a range, or a message. */
static int number_of(const char *name, const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= most) return 1;
    cli_warn("withy: --%s %s: must be a number from %g to %g\n", name, text, least, most);
    return 0;
}

static int run_compare(withy_compare_setup *setup, readings *x, const char *methods,
                       const compare_picture *picture, int json) {
    char name[WITHY_COMPARE_METHODS][WITHY_NAME];
    const char *list[WITHY_COMPARE_METHODS];
    setup->method_count = names_of(methods, name);
    for (int i = 0; i < setup->method_count; i++) list[i] = name[i];
    if (setup->method_count) setup->method = list;
    setup->study = study_for, setup->progress = show_progress, setup->context = x;
    const int code = compare(setup, x->scene, picture, json);
    for (int i = 0; i < x->count; i++) withy_scene_destroy(x->one[i].scene);
    return code;
}

int cmd_compare(int argc, char **argv) {
    cli_list set = {0}, special = {0}, rest;
    const char *methods = NULL, *refine = "5", *accuracy = "2e-3", *budget = "30";
    compare_picture picture = {0};
    withy_compare_setup setup = {0};
    static readings x;
    x = (readings){.set = &set, .special = &special};
    int json = 0;
    const cli_option option[] = {
        {"methods", 'm', "A,B,...", "the methods to compare; default: all that accept the scene",
         .text = &methods},
        {"refine", 'r', "K",
         "at most this many refinements (n doubled, dt halved), 1 .. 8; default 5",
         .text = &refine},
        {"accuracy", 'a', "A",
         "refine until error / distance travelled is below this; default 2e-3", .text = &accuracy},
        {"budget", 'b', "SECONDS",
         "processor time for all runs: withy leaves out a refinement that would take more; "
         "default 30",
         .text = &budget},
        {"static", 0, NULL, "compare equilibria along the path, not the motion",
         .flag = &setup.statics},
        {"set", 's', "PATH=VALUE", "override a value of the scene for all methods (repeatable)",
         .list = &set},
        {"for", 'f', "METHOD:PATH=VALUE", "override for one method (repeatable)", .list = &special},
        {"output", 'o', "FILE.svg", "a picture of error against time: .svg, .png or .pdf",
         .text = &picture.path},
        {"dark", 0, NULL, "draw the picture light on dark", .flag = &picture.dark},
        {"json", 0, NULL, "print one JSON object", .flag = &json},
        {0}};
    const cli_usage usage = {
        "withy compare SCENE [--methods a,b,...] [--refine K]",
        "Solve a scene by several methods, each with a quarter, half and all of its n and of "
        "its steps, refine\n"
        "those with the largest error while that can change the outcome, and report whether the "
        "methods agree\n"
        "within the sum of their error bars.  Exit status 1 if two methods disagree, if only "
        "one is left, or\n"
        "if an error stays unknown.  Methods without stretch and shear solve a simpler rod; "
        "withy estimates\nthe difference with a stiffer rod and subtracts it before it compares.",
        "  withy compare heavy_cantilever --methods director,kirchhoff --accuracy 1e-2 -o "
        "compare.svg\n"
        "  withy compare heavy_cantilever -m director,cheb --for cheb:options.ends=G -a 1e-2 -s "
        "time.stop=0.1",
        option};
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &x.scene)) >= 0) return status;
    double levels;
    if (!number_of("refine", refine, 1, WITHY_COMPARE_LEVELS - 1 - WITHY_COMPARE_COARSER,
                   &levels) ||
        !number_of("accuracy", accuracy, 1e-9, 1, &setup.accuracy) ||
        !number_of("budget", budget, 0.1, 1e9, &setup.budget))
        return CLI_USAGE;
    if (!check_special(&special)) return CLI_USAGE;
    if (picture.path && (status = plot_ready(picture.path, x.scene)) >= 0) return status;
    setup.refine = (int)levels;
    return run_compare(&setup, &x, methods, &picture, json);
}
