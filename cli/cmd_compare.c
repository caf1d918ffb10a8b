/* cmd_compare.c - withy compare: one scene, several methods, error bars, and whether they agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

enum { MOST_METHODS = 16 };

typedef struct comparison {
    compare_method method[MOST_METHODS];
    int count;
    char refused[MOST_METHODS][WITHY_NAME];
    char why[MOST_METHODS][WITHY_ERROR_TEXT];
    int refused_count;
    int disagreements;
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

static const compare_run *finest(const compare_method *m) {
    return &m->run[m->levels - 1];
}

/* Largest excess of the distance of two methods over the sum of their error bars; <= 0: they agree.
 * Also their largest distance, and when. */
static double excess(const compare_method *a, const compare_method *b, int point, double *when,
                     double *distance) {
    double worst = -INFINITY;
    for (int k = 0; k < finest(a)->count && k < finest(b)->count; k++) {
        const double d = compare_distance(finest(a)->at[point][k], finest(b)->at[point][k]);
        const double over = d - a->error[point][k] - b->error[point][k];
        worst = fmax(worst, over);
        if (d > *distance) *distance = d, *when = finest(a)->t[k];
    }
    return worst;
}

/* ---- text ------------------------------------------------------------------------------------------- */

static void print_method(const compare_method *m) {
    const compare_run *run = finest(m);
    const int last = run->count - 1;
    printf("%-10s n %-6d dt %-10.3g %8.3g s %10.3g node-steps\n", m->name, run->n, run->dt,
           run->wall, run->node_steps);
    for (int p = 0; p < COMPARE_POINTS; p++) {
        const withy_vec3 r = run->at[p][last];
        printf("    %-7s (%.8g, %.8g, %.8g) +- %.2g m, order %.2f, at worst +- %.2g\n",
               compare_point[p], r.x, r.y, r.z, m->error[p][last], m->order[p], m->largest[p]);
    }
}

/* Judge every pair; print it (or nothing when json). */
static void judge(comparison *c, cli_json *json) {
    if (json) json_open(json, "pairs", '[');
    for (int i = 0; i < c->count; i++)
        for (int j = i + 1; j < c->count; j++) {
            for (int p = 0; p < COMPARE_POINTS; p++) {
                double when = 0, distance = 0;
                const compare_method *a = &c->method[i], *b = &c->method[j];
                const int agree = excess(a, b, p, &when, &distance) <= 0;
                c->disagreements += !agree;
                if (!json) {
                    printf("%s %s and %s, %s: %.2g m apart at t = %g, error bars %s\n",
                           agree ? "ok  " : "FAIL", a->name, b->name, compare_point[p], distance,
                           when, agree ? "overlap" : "do not overlap");
                    continue;
                }
                json_open(json, NULL, '{');
                json_text(json, "a", a->name);
                json_text(json, "b", b->name);
                json_text(json, "observable", compare_point[p]);
                json_number(json, "distance", distance);
                json_number(json, "t", when);
                json_bool(json, "agree", agree);
                json_close(json, '}');
            }
        }
    if (json) json_close(json, ']');
}

static void print_json_method(cli_json *json, const compare_method *m) {
    const compare_run *run = finest(m);
    json_open(json, m->name, '{');
    json_whole(json, "n", run->n);
    json_number(json, "dt", run->dt);
    json_number(json, "wall_s", run->wall);
    json_number(json, "node_steps", run->node_steps);
    for (int p = 0; p < COMPARE_POINTS; p++) {
        json_open(json, compare_point[p], '{');
        json_vector(json, "position", &run->at[p][run->count - 1].x, 3);
        json_number(json, "error", m->error[p][run->count - 1]);
        json_number(json, "error_max", m->largest[p]);
        json_number(json, "order", m->order[p]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void report(comparison *c, const char *scene, int as_json) {
    cli_json out = {0}, *json = as_json ? &out : NULL;
    if (json) {
        json_open(json, NULL, '{');
        json_text(json, "scene", scene);
        json_open(json, "methods", '{');
    }
    for (int i = 0; i < c->count; i++)
        if (json)
            print_json_method(json, &c->method[i]);
        else
            print_method(&c->method[i]);
    if (json) {
        json_close(json, '}');
        json_open(json, "refused", '{');
    }
    for (int i = 0; i < c->refused_count; i++)
        if (json)
            json_text(json, c->refused[i], c->why[i]);
        else
            printf("%-10s %s\n", c->refused[i], c->why[i]);
    if (json) json_close(json, '}');
    judge(c, json);
    if (json) {
        json_bool(json, "agree", c->disagreements == 0);
        json_close(json, '}');
    }
}

/* ---- picture ----------------------------------------------------------------------------------------- */

/* Error bar of every method over time, and its distance from the most accurate one. */
static int draw(const comparison *c, const char *path) {
    const char *dot = strrchr(path, '.');
    const int png = dot && strcmp(dot, ".png") == 0;
    FILE *plot = popen("gnuplot -", "w");
    if (!plot) return 0;
    int best = 0;
    for (int i = 1; i < c->count; i++)
        if (c->method[i].largest[0] < c->method[best].largest[0]) best = i;
    fprintf(plot, "set terminal %s size 900,560 font 'Helvetica,13'\nset output '%s'\n",
            png ? "pngcairo" : "svg", path);
    fprintf(
        plot,
        "set logscale y\nset format y '10^{%%T}'\nset xlabel 't [s]'\nset grid lc rgb '#dddddd'\n"
        "set ylabel 'finish: error bar (thin), distance from %s (thick) [m]'\nset key outside\n",
        c->method[best].name);
    for (int i = 0; i < c->count; i++) {
        const compare_run *run = finest(&c->method[i]), *reference = finest(&c->method[best]);
        fprintf(plot, "$d%d << EOD\n", i);
        for (int k = 0; k < run->count; k++)
            fprintf(plot, "%.9g %.9g %.9g\n", run->t[k], c->method[i].error[0][k],
                    compare_distance(run->at[0][k], reference->at[0][k]));
        fprintf(plot, "EOD\n");
    }
    fprintf(plot, "plot ");
    for (int i = 0; i < c->count; i++)
        fprintf(plot,
                "%s$d%d using 1:($2>0?$2:1/0) with lines lw 1 lc %d title '%s', "
                "$d%d using 1:($3>0?$3:1/0) with lines lw 3 lc %d notitle",
                i ? ", " : "", i, i + 1, c->method[i].name, i, i + 1);
    fprintf(plot, "\n");
    return pclose(plot) == 0;
}

static void solve_all(comparison *c, const compare_setup *setup, const char *list) {
    char name[MOST_METHODS][WITHY_NAME];
    const int count = names_of(list, name);
    for (int i = 0; i < count; i++) {
        withy_error err = {0};
        if (compare_solve(setup, name[i], &c->method[c->count], &err) == WITHY_OK) {
            c->count++;
            continue;
        }
        compare_free(&c->method[c->count]);
        snprintf(c->refused[c->refused_count], WITHY_NAME, "%.63s", name[i]);
        snprintf(c->why[c->refused_count++], WITHY_ERROR_TEXT, "%s", err.text);
    }
}

int cmd_compare(int argc, char **argv) {
    cli_list set = {0}, special = {0}, rest;
    const char *methods = NULL, *refine = "2", *picture = NULL, *name;
    int json = 0;
    const cli_option option[] = {
        {"methods", 'm', "A,B,...", "which methods; default: every one that accepts",
         .text = &methods},
        {"refine", 'r', "K", "how often n and dt are halved, 1 .. 5; default 2", .text = &refine},
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
        "whether they agree within the sum of their error bars: exit status 1 when two do not.",
        "  withy compare rotating_clamp --methods elastica,kirchhoff -o compare.svg", option};
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    const compare_setup setup = {name, &set, &special, atoi(refine)};
    if (setup.refine < 1 || setup.refine >= COMPARE_LEVELS) {
        fprintf(stderr, "withy: --refine %s: must be a whole number from 1 to %d\n", refine,
                COMPARE_LEVELS - 1);
        return CLI_USAGE;
    }
    withy_error err = {0};
    withy_scene *scene;
    if (cli_scene(name, &set, &scene, &err) != WITHY_OK) return cli_error(&err);
    withy_scene_destroy(scene);

    comparison *c = calloc(1, sizeof *c);
    if (!c) return CLI_FAILED;
    solve_all(c, &setup, methods);
    report(c, name, json);
    if (picture && c->count && !draw(c, picture))
        fprintf(stderr, "withy: gnuplot could not draw %s (apt-get install gnuplot-nox)\n",
                picture);
    status = c->count == 0 || c->disagreements ? CLI_FAILED : CLI_OK;
    if (c->count == 0) fprintf(stderr, "withy: no method could solve %s\n", name);
    for (int i = 0; i < c->count; i++) compare_free(&c->method[i]);
    free(c);
    return status;
}
