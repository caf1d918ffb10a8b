/* fit_write.c - the picture, the table and the scene that withy fit writes. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "plot/plot.h"

static int fail(const char *path, const char *why) {
    cli_warn("withy: %s cannot be written: %s\n", path, why);
    return 0;
}

static int keep(wy_atomic_file *file, const char *path) {
    const int code = wy_atomic_file_keep(file);
    return !code || fail(path, strerror(code));
}

/* ---- picture ----------------------------------------------------------------------------------------- */

static const char *up_of(const withy_fit_curve *c) {
    int forces = 0;
    if (strcmp(c->axis, "mode") == 0) return "frequency [Hz]";
    for (int k = 0; k < c->columns; k++)
        forces += strncmp(c->name[k], "force.", 6) == 0 || strncmp(c->name[k], "moment.", 7) == 0;
    return forces == c->columns ? "force [N], moment [N m]"
           : forces             ? "position [m], force [N], moment [N m]"
                                : "position [m]";
}

static void put_curves(FILE *out, const withy_fit_curve *c) {
    fprintf(out, "$d << EOD\n");
    for (int i = 0; i < c->rows; i++) {
        fprintf(out, "%.9g", c->at[i]);
        for (int k = 0; k < c->columns; k++)
            fprintf(out, " %.9g %.9g", c->data[i * c->columns + k], c->model[i * c->columns + k]);
        fprintf(out, "\n");
    }
    fprintf(out, "EOD\nplot ");
    for (int k = 0; k < c->columns; k++) {
        const char *rgb = plot_colour[k % PLOT_COLOURS];
        fprintf(out, "%s$d using 1:%d with points pt 7 ps 0.5 lc rgb %s title ", k ? ", " : "",
                2 + 2 * k, rgb);
        gnuplot_text(out, c->name[k]);
        fprintf(out, ", $d using 1:%d with lines lw 1.5 lc rgb %s notitle", 3 + 2 * k, rgb);
    }
    fprintf(out, "\n");
}

typedef struct fitted {
    const withy_fit_curve *curve;
    const char *scene;
} fitted;

static withy_status draw_page(plot *p, const char *path, withy_error *err) {
    const fitted *of = p->page_data;
    const withy_fit_curve *c = of->curve;
    char how[64];
    (void)err;
    p->width = 1000, p->height = 600;
    plot_terminal(p, path);
    snprintf(how, sizeof how, "measured (dots) and fitted, withy %s", withy_version());
    fprintf(p->out, "set multiplot\n");
    plot_heading(p, of->scene, how);
    plot_place(p, plot_page(p));
    fprintf(p->out, "unset colorbox\nset xlabel '%s'\nset ylabel '%s'\n",
            strcmp(c->axis, "mode") == 0     ? "mode"
            : strcmp(c->axis, "t") == 0      ? "t [s]"
            : strcmp(c->axis, "factor") == 0 ? "load factor"
                                             : "s [m]",
            up_of(c));
    put_curves(p->out, c);
    fprintf(p->out, "unset multiplot\nunset output\n");
    return WITHY_OK;
}

int fit_draw(const withy_fit_curve *curve, const char *scene, const char *path, int dark) {
    const fitted of = {curve, scene};
    withy_error err = {0};
    plot p = {.request.dark = dark, .page = draw_page, .page_data = &of};
    return plot_draw(&p, path, &err) == WITHY_OK || (cli_error(&err), 0);
}

/* ---- table ------------------------------------------------------------------------------------------- */

int fit_table(const withy_fit_curve *c, const char *path) {
    wy_atomic_file file;
    const int code = whole_begin(&file, path);
    if (code) return fail(path, strerror(code));
    fprintf(file.stream, "%s", c->axis);
    for (int k = 0; k < c->columns; k++) fprintf(file.stream, ",%s,%s.fit", c->name[k], c->name[k]);
    fprintf(file.stream, "\n");
    for (int i = 0; i < c->rows; i++) {
        fprintf(file.stream, "%.17g", c->at[i]);
        for (int k = 0; k < c->columns; k++)
            fprintf(file.stream, ",%.17g,%.17g", c->data[i * c->columns + k],
                    c->model[i * c->columns + k]);
        fprintf(file.stream, "\n");
    }
    return keep(&file, path);
}

/* ---- scene ------------------------------------------------------------------------------------------- */

static const char *blanks(const char *text) {
    while (isspace((unsigned char)*text)) text++;
    return text;
}

/* Where the value of `name = 1e6` or `name = { 1e6, ...` stands after `params`; NULL: not found. */
static const char *value_of(const char *text, const char *name, char **end) {
    const size_t size = strlen(name);
    const char *at = strstr(text, "params");
    for (at = at ? strchr(at, '{') : NULL; at && (at = strstr(at, name)) != NULL; at += size) {
        const int begins = !isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.';
        const char *next = blanks(at + size);
        if (!begins || *next != '=') continue;
        next = blanks(next + 1);
        if (*next == '{') next = blanks(next + 1);
        strtod(next, end);
        if (*end != next) return next;
    }
    return NULL;
}

/* Does the text, read again, have this value? */
static int has_value(const withy_scene *scene, const char *name, double value) {
    withy_parameter p;
    for (int i = 0; withy_scene_parameter(scene, i, &p); i++)
        if (strcmp(p.name, name) == 0) return fabs(p.value - value) <= 1e-12 * fabs(value);
    return 0;
}

/* The text with one value replaced; the old text is freed. */
static char *replaced(char *text, const char *name, double value) {
    char *end, number[32];
    const char *from = text ? value_of(text, name, &end) : NULL;
    char *out = NULL;
    snprintf(number, sizeof number, "%.14g", value);
    if (from) {
        const size_t size = strlen(text) + sizeof number;
        out = malloc(size);
        if (out) snprintf(out, size, "%.*s%s%s", (int)(from - text), text, number, end);
    }
    free(text);
    return out;
}

int fit_scene_write(const withy_scene *scene, const withy_fit_free *free_of, int count,
                    const double *value, const char *path) {
    const char *source = withy_scene_text(scene), *prefix = "params.";
    char *text = malloc(strlen(source) + 1);
    if (text) strcpy(text, source);
    for (int k = 0; k < count && text; k++) {
        const char *name = free_of[k].name;
        const int is = strncmp(name, prefix, strlen(prefix)) == 0;
        text = is ? replaced(text, name + strlen(prefix), value[k]) : (free(text), NULL);
    }
    wy_atomic_file file;
    const int code = text ? whole_begin(&file, path) : 0;
    if (!text)
        return fail(path,
                    "the free parameters are not all plain numbers of params { } in the scene; use "
                    "the estimates with --set");
    if (code) fail(path, strerror(code));
    int ok = !code && (fputs(text, file.stream), keep(&file, path));
    free(text);
    if (!ok) return 0;
    withy_scene *again;
    withy_error err = {0};
    ok = withy_scene_read(path, NULL, 0, &again, &err) == WITHY_OK;
    for (int k = 0; k < count && ok; k++)
        ok = has_value(again, free_of[k].name + strlen(prefix),
                       strtod((snprintf(err.text, 40, "%.14g", value[k]), err.text), NULL));
    if (again) withy_scene_destroy(again);
    if (!ok)
        cli_warn("withy: %s: this scene does not contain the estimates when it is read again; use "
                 "--set\n",
                 path);
    return ok;
}

/* Of many, one failure is reported. */
void fit_best(void *context, const char *record) {
    fit_context *x = context;
    wy_atomic_file file;
    const int code = whole_begin(&file, x->keep);
    const int failed = code ? code : (fputs(record, file.stream), wy_atomic_file_keep(&file));
    if (failed && !x->lost) x->lost = !fail(x->keep, strerror(failed));
}

void fit_unfinished(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *free,
                    int count, const double *value) {
    if (a->keep)
        cli_warn("withy: the same command with --resume %s continues\n", a->keep);
    else
        cli_warn("withy: the best point so far; the same command continues with it:");
    for (int k = 0; k < count && !a->keep; k++)
        cli_warn(" --free %s=%.17g..%.17g%s@%.17g", free[k].name, free[k].low, free[k].high,
                 free[k].log ? ":log" : ":linear", value[k]);
    if (!a->keep) cli_warn("\n");
    for (int i = 0; i < a->output.count; i++)
        if (strcmp(fit_ending(a->output.item[i]), ".lua") == 0 &&
            fit_scene_write(scene, free, count, value, a->output.item[i]))
            cli_warn("withy: it is in %s\n", a->output.item[i]);
}
