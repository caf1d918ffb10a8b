/* cmd_compare.c - withy compare: one scene, several methods, error bars, and whether they agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

enum { MOST_METHODS = 16 };

typedef struct comparison {
    const compare_setup *setup;
    compare_method method[MOST_METHODS];
    int count;
    compare_model model;
    char refused[MOST_METHODS][WITHY_NAME];
    char why[MOST_METHODS][WITHY_ERROR_TEXT];
    int refused_count;
    int disagreements; /* pairs that do not agree, or of which nobody can tell */
} comparison;

/* The names after --methods, or every method of the build. */
static int names_of(const char *list, char name[MOST_METHODS][WITHY_NAME]) {
    int count = 0;
    withy_method_info info;
    if (!list)
        for (; count < MOST_METHODS && withy_method_at(count, &info); count++)
            snprintf(name[count], WITHY_NAME, "%s", info.name);
    while (list && *list && count < MOST_METHODS) {
        const size_t length = strcspn(list, ",");
        if (length) snprintf(name[count++], WITHY_NAME, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
    }
    return count;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* One observable of two methods where they are worst: relative to the sum of their bars. */
typedef struct verdict {
    double t, distance, allowed;
    int agree, known;
} verdict;

/* What a method says, with that taken away which it leaves out. */
static withy_vec3 said(const comparison *c, const compare_method *m, int what, int k) {
    const withy_vec3 r = compare_finest(m)->at[what][k];
    if (!(m->rigid & c->model.left_out) || !c->model.known) return r;
    const withy_vec3 d = c->model.shift[what][k];
    return (withy_vec3){r.x - d.x, r.y - d.y, r.z - d.z};
}

static verdict judge(const comparison *c, const compare_method *a, const compare_method *b,
                     int what) {
    const compare_run *x = compare_finest(a), *y = compare_finest(b);
    const int differ = a->rigid != b->rigid;
    verdict v = {.known = a->known && b->known && (!differ || c->model.known), .agree = 1};
    for (int k = 0; k < x->count && k < y->count; k++) {
        const double distance = compare_distance(said(c, a, what, k), said(c, b, what, k));
        const double model = differ && c->model.known ? c->model.error[what][k] : 0;
        const double allowed = a->error[what][k] + b->error[what][k] + model;
        if (k == 0 || distance * v.allowed > v.distance * allowed)
            v = (verdict){x->t[k], distance, allowed, v.agree, v.known};
        if (!(distance <= allowed)) v.agree = 0;
    }
    return v;
}

static void print_verdict(const compare_method *a, const compare_method *b, int what,
                          const verdict *v, const char *axis) {
    const char *unit = compare_list[what].unit;
    printf("%s %s and %s, %s: %.2g %s apart at %s = %g, ",
           !v->known  ? "??  "
           : v->agree ? "ok  "
                      : "FAIL",
           a->name, b->name, compare_list[what].name, v->distance, unit, axis, v->t);
    if (!v->known)
        printf("but an error bar is not known\n");
    else
        printf("%s %.2g %s\n", v->agree ? "within" : "beyond their error bars of", v->allowed,
               unit);
}

static void json_verdict(cli_json *json, const compare_method *a, const compare_method *b, int what,
                         const verdict *v) {
    json_open(json, NULL, '{');
    json_text(json, "a", a->name);
    json_text(json, "b", b->name);
    json_text(json, "observable", compare_list[what].name);
    json_number(json, "distance", v->distance);
    json_number(json, "allowed", v->allowed);
    json_number(json, "t", v->t);
    json_bool(json, "known", v->known);
    json_bool(json, "agree", v->known && v->agree);
    json_close(json, '}');
}

static void judge_pair(comparison *c, const compare_method *a, const compare_method *b,
                       cli_json *json) {
    const unsigned both = compare_finest(a)->have & compare_finest(b)->have;
    for (int what = 0; what < COMPARE_WHAT; what++) {
        if (!(both >> what & 1)) continue;
        const verdict v = judge(c, a, b, what);
        c->disagreements += !(v.agree && v.known);
        if (json)
            json_verdict(json, a, b, what, &v);
        else
            print_verdict(a, b, what, &v, c->setup->statics ? "factor" : "t");
    }
}

static void judge_all(comparison *c, cli_json *json) {
    if (json) json_open(json, "pairs", '[');
    for (int i = 0; i < c->count; i++)
        for (int j = i + 1; j < c->count; j++) judge_pair(c, &c->method[i], &c->method[j], json);
    if (json) json_close(json, ']');
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void print_method(const compare_setup *setup, const compare_method *m) {
    const compare_run *run = compare_finest(m);
    const int last = run->count - 1;
    char order[32] = "order not needed", step[32] = "step adapts";
    if (m->levels > 2) snprintf(order, sizeof order, "order %.2f", m->order);
    if (m->levels > 2 && m->order > 2) snprintf(order, sizeof order, "order > 2");
    if (setup->statics) snprintf(step, sizeof step, "statics");
    if (run->dt > 0) snprintf(step, sizeof step, "dt %.3g s", run->dt);
    printf("%-10s n %d, %s, %d levels, %s, %.3g s, %.3g node-steps%s\n", m->name, run->n, step,
           m->levels, order, run->wall, run->node_steps,
           m->known ? "" : ": ERROR NOT KNOWN, the levels do not approach each other");
    for (int i = 0; i < COMPARE_WHAT; i++) {
        if (!(run->have >> i & 1)) continue;
        const withy_vec3 r = run->at[i][last];
        printf("    %-15s (%.8g, %.8g, %.8g) +- %.2g %s\n", compare_list[i].name, r.x, r.y, r.z,
               m->error[i][last], compare_list[i].unit);
    }
    if (m->skipped[0]) printf("    %s\n", m->skipped);
}

static void print_model(const comparison *c) {
    const compare_model *model = &c->model;
    if (!model->left_out) return;
    printf("Without stretch and shear");
    for (int i = 0, first = 1; i < c->count; i++)
        if (c->method[i].rigid & model->left_out)
            printf("%s%s", first ? " (" : ", ", c->method[i].name), first = 0;
    if (!model->known) {
        printf(") the rod is another one, and no method could tell how far it is off\n");
        return;
    }
    printf(") the rod lies elsewhere, which is taken away before comparing; found with %s:\n",
           model->found_with);
    for (int i = 0; i < COMPARE_WHAT; i++)
        if (model->shift[i])
            printf("    %-15s up to %.2g +- %.2g %s\n", compare_list[i].name, model->largest[i],
                   model->error[i][compare_finest(&c->method[0])->count - 1], compare_list[i].unit);
}

/* Where two do not agree, what a method has said about itself may tell why. */
static void print_notes(const comparison *c) {
    for (int i = 0; i < c->count; i++) {
        const char *notes = compare_finest(&c->method[i])->notes;
        for (size_t n; (n = strcspn(notes, "\n")) > 0; notes += n + (notes[n] == '\n'))
            printf("note: %.*s\n", (int)n, notes);
    }
}

static void print_report(comparison *c) {
    for (int i = 0; i < c->count; i++) print_method(c->setup, &c->method[i]);
    print_model(c);
    for (int i = 0; i < c->refused_count; i++) printf("%-10s %s\n", c->refused[i], c->why[i]);
    judge_all(c, NULL);
    if (c->disagreements) print_notes(c);
    if (c->count > 1)
        printf("%d methods %s\n", c->count,
               c->disagreements ? "do not all agree" : "agree within their error bars");
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void json_method(cli_json *json, const compare_method *m) {
    const compare_run *run = compare_finest(m);
    json_open(json, m->name, '{');
    json_whole(json, "n", run->n);
    json_number(json, "dt", run->dt);
    json_whole(json, "levels", m->levels);
    json_number(json, "order", m->levels > 2 ? m->order : NAN);
    json_bool(json, "known", m->known);
    json_number(json, "wall_s", run->wall);
    json_number(json, "node_steps", run->node_steps);
    for (int i = 0; i < COMPARE_WHAT; i++) {
        if (!(run->have >> i & 1)) continue;
        json_open(json, compare_list[i].name, '{');
        json_vector(json, "value", &run->at[i][run->count - 1].x, 3);
        json_number(json, "error", m->error[i][run->count - 1]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void json_model(cli_json *json, const compare_model *model, int last) {
    if (!model->left_out) return;
    json_open(json, "simpler_rod", '{');
    json_bool(json, "known", model->known);
    if (model->found_with) json_text(json, "found_with", model->found_with);
    for (int i = 0; i < COMPARE_WHAT && model->known; i++) {
        if (!model->shift[i]) continue;
        json_open(json, compare_list[i].name, '{');
        json_number(json, "shift", model->largest[i]);
        json_number(json, "error", model->error[i][last]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void json_report(comparison *c) {
    cli_json out = {0}, *json = &out;
    json_open(json, NULL, '{');
    json_text(json, "scene", c->setup->scene);
    json_number(json, "way", c->count ? compare_way(c->setup, compare_finest(&c->method[0])) : NAN);
    json_open(json, "methods", '{');
    for (int i = 0; i < c->count; i++) json_method(json, &c->method[i]);
    json_close(json, '}');
    json_model(json, &c->model, c->count ? compare_finest(&c->method[0])->count - 1 : 0);
    json_open(json, "refused", '{');
    for (int i = 0; i < c->refused_count; i++) json_text(json, c->refused[i], c->why[i]);
    json_close(json, '}');
    judge_all(c, json);
    json_bool(json, "agree", c->disagreements == 0);
    json_close(json, '}');
}

/* ---- picture ----------------------------------------------------------------------------------------- */

/* What moves most is drawn. */
static int drawn_of(const comparison *c) {
    const compare_run *run = compare_finest(&c->method[0]);
    double way[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < run->count; k++)
            way[i] = fmax(way[i], compare_distance(run->at[i][k], run->at[i][0]));
    return way[1] > way[0];
}

static int best_of(const comparison *c, int what) {
    int best = 0;
    for (int i = 1; i < c->count; i++)
        if (c->method[i].largest[what] < c->method[best].largest[what]) best = i;
    return best;
}

static void write_data(FILE *plot, const comparison *c, int what, int best) {
    for (int i = 0; i < c->count; i++) {
        const compare_method *m = &c->method[i], *reference = &c->method[best];
        const compare_run *run = compare_finest(m);
        const double *model =
            m->rigid != reference->rigid && c->model.known ? c->model.error[what] : NULL;
        fprintf(plot, "$d%d << EOD\n", i);
        for (int k = 0; k < run->count; k++)
            fprintf(plot, "%.9g %.9g %.9g\n", run->t[k], m->error[what][k] + (model ? model[k] : 0),
                    compare_distance(said(c, m, what, k), said(c, reference, what, k)));
        fprintf(plot, "EOD\n");
    }
}

/* Distances that are rounding would fill the picture: nothing far below the smallest bar is drawn. */
static double lowest_drawn(const comparison *c, int what) {
    double least = INFINITY;
    for (int i = 0; i < c->count; i++) least = fmin(least, c->method[i].largest[what]);
    return 1e-3 * least;
}

static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#999999"};

static void write_curves(FILE *plot, const comparison *c, int best, double least) {
    fprintf(plot, "plot ");
    for (int i = 0; i < c->count; i++) {
        const char *rgb = colour[i % (int)(sizeof colour / sizeof *colour)];
        fprintf(plot,
                "%s$d%d using 1:($2>%g?$2:1/0) with lines lw 1.5 dt 2 lc rgb '%s' title '%s%s'",
                i ? ", " : "", i, least, rgb, c->method[i].name, i == best ? " (nearest)" : "");
        if (i != best)
            fprintf(plot, ", $d%d using 1:($3>%g?$3:1/0) with lines lw 2.5 lc rgb '%s' notitle", i,
                    least, rgb);
    }
    fprintf(plot, "\n");
}

/* Error bar of every method over time, and its distance from the most accurate one. */
static int draw(const comparison *c, const char *path) {
    const char *dot = strrchr(path, '.');
    const int png = dot && strcmp(dot, ".png") == 0, what = drawn_of(c), best = best_of(c, what);
    FILE *plot = popen(CLI_GNUPLOT, "w");
    if (!plot) return 0;
    fprintf(plot, "set terminal %s size 900,560 font 'Helvetica,13'\nset output '%s'\n",
            png ? "pngcairo" : "svg", path);
    fprintf(plot,
            "set logscale y\nset format y '10^{%%T}'\nset xlabel '%s'\nset grid lc rgb '#dddddd'\n"
            "set title '%s, %s: error bars (dashed), distance from %s (full)' noenhanced\n"
            "set ylabel '[m]'\nset key outside\n",
            c->setup->statics ? "load factor" : "t [s]", c->setup->scene, compare_list[what].name,
            c->method[best].name);
    write_data(plot, c, what, best);
    write_curves(plot, c, best, lowest_drawn(c, what));
    return pclose(plot) == 0;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void solve_all(comparison *c, const char *list) {
    char name[MOST_METHODS][WITHY_NAME];
    const int count = names_of(list, name);
    for (int i = 0; i < count; i++) {
        withy_error err = {0};
        if (compare_solve(c->setup, name[i], &c->method[c->count], &err) == WITHY_OK) {
            c->count++;
            continue;
        }
        compare_free(&c->method[c->count]);
        snprintf(c->refused[c->refused_count], WITHY_NAME, "%.63s", name[i]);
        snprintf(c->why[c->refused_count++], WITHY_ERROR_TEXT, "%s", err.text);
    }
}

static int compare(const compare_setup *setup, const char *methods, const char *picture, int json) {
    comparison *c = calloc(1, sizeof *c);
    withy_error err = {0};
    if (!c) return CLI_FAILED;
    c->setup = setup;
    solve_all(c, methods);
    withy_status status = compare_find_model(setup, c->method, c->count, &c->model, &err);
    if (json)
        json_report(c);
    else
        print_report(c);
    if (status != WITHY_OK) cli_error(&err);
    if (picture && c->count && !draw(c, picture))
        fprintf(stderr, "withy: gnuplot could not draw %s (apt-get install gnuplot-nox)\n",
                picture);
    if (c->count == 0) fprintf(stderr, "withy: no method could solve %s\n", setup->scene);
    const int ok = c->count > 0 && !c->disagreements;
    for (int i = 0; i < c->count; i++) compare_free(&c->method[i]);
    for (int i = 0; i < COMPARE_WHAT; i++) free(c->model.error[i]), free(c->model.shift[i]);
    free(c);
    return ok ? CLI_OK : CLI_FAILED;
}

/* A number in a range, or a sentence. */
static int number_of(const char *name, const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= most) return 1;
    fprintf(stderr, "withy: --%s %s: must be a number from %g to %g\n", name, text, least, most);
    return 0;
}

/* What the scene asks for: a motion, or equilibria when it has a path and no time. */
static int look_at_scene(compare_setup *setup) {
    withy_error err = {0};
    withy_scene *scene;
    if (cli_scene(setup->scene, setup->set, &scene, &err) != WITHY_OK) return cli_error(&err);
    const withy_problem *problem = withy_scene_problem(scene);
    setup->length = problem->rod[0].length;
    if (problem->path.given && !problem->request.given) setup->statics = 1;
    const int arcs = setup->statics && problem->path.given && problem->path.arc_length;
    withy_scene_destroy(scene);
    if (!arcs) return -1;
    fprintf(stderr,
            "withy: %s: path.arc_length lets every method choose its own points, so there is "
            "nothing to compare; give --set path.arc_length=false\n",
            setup->scene);
    return CLI_USAGE;
}

int cmd_compare(int argc, char **argv) {
    cli_list set = {0}, special = {0}, rest;
    const char *methods = NULL, *refine = "5", *accuracy = "2e-3", *picture = NULL;
    compare_setup setup = {.set = &set, .special = &special};
    int json = 0;
    const cli_option option[] = {
        {"methods", 'm', "A,B,...", "which methods; default: every one that accepts",
         .text = &methods},
        {"refine", 'r', "K", "how often n and dt are halved at most, 1 .. 8; default 5",
         .text = &refine},
        {"accuracy", 'a', "A", "refine until the error is below this part of the way; default 2e-3",
         .text = &accuracy},
        {"static", 0, NULL, "compare equilibria along the path, not the motion",
         .flag = &setup.statics},
        {"set", 's', "PATH=VALUE", "override a value of the scene for all (repeatable)",
         .list = &set},
        {"for", 'f', "METHOD:PATH=VALUE", "override for one method (repeatable)", .list = &special},
        {"output", 'o', "FILE.svg", "a picture of error against time", .text = &picture},
        {"json", 0, NULL, "print one JSON object", .flag = &json},
        {0}};
    const cli_usage usage = {
        "withy compare SCENE [--methods a,b,...] [--refine K]",
        "Run a scene under several methods, refine each until its error is known (Richardson), and "
        "tell\n"
        "whether they agree within the sum of their error bars: exit status 1 when two do not, or "
        "when an\nerror stays unknown.  Methods without stretch and shear solve a simpler rod; "
        "where "
        "that one lies is\nfound with a stiffer rod and taken away before comparing.",
        "  withy compare rotating_clamp --methods elastica,kirchhoff -o compare.svg\n"
        "  withy compare release --for cheb:options.ends=G",
        option};
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &setup.scene)) >= 0) return status;
    double levels;
    if (!number_of("refine", refine, 1, COMPARE_LEVELS - 1, &levels) ||
        !number_of("accuracy", accuracy, 1e-9, 1, &setup.accuracy))
        return CLI_USAGE;
    setup.refine = (int)levels;
    if ((status = look_at_scene(&setup)) >= 0) return status;
    return compare(&setup, methods, picture, json);
}
