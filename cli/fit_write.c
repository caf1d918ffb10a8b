/* fit_write.c - the picture, the table and the scene that withy fit writes. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "process.h"

static int fail(const char *path, const char *why) {
    cli_warn("withy: %s cannot be written: %s\n", path, why);
    return 0;
}

static int keep(wy_beside *file, const char *path) {
    const int code = wy_beside_keep(file);
    return !code || fail(path, strerror(code));
}

/* ---- picture ----------------------------------------------------------------------------------------- */

static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73",
                                     "#cc79a7", "#e69f00", "#56b4e9"};

static void write_picture(FILE *plot, const withy_fit_curve *c, const char *scene, int png) {
    const int modes = strcmp(c->axis, "mode") == 0;
    fprintf(plot, "set encoding utf8\nset terminal %s size 900,560 font 'Helvetica,13'\n",
            png ? "pngcairo" : "svg");
    fprintf(plot, "set grid lc rgb '#dddddd'\nset key outside noenhanced\nset xlabel '%s'\n",
            modes                            ? "mode"
            : strcmp(c->axis, "t") == 0      ? "t [s]"
            : strcmp(c->axis, "factor") == 0 ? "load factor"
                                             : "s [m]");
    int forces = 0;
    for (int k = 0; k < c->columns; k++)
        forces += strncmp(c->name[k], "force.", 6) == 0 || strncmp(c->name[k], "moment.", 7) == 0;
    fprintf(plot, "set ylabel '%s'\nset title ",
            modes                  ? "frequency [Hz]"
            : forces == c->columns ? "[N], [N m]"
            : forces               ? "[m], [N], [N m]"
                                   : "[m]");
    gnuplot_text(plot, scene);
    fprintf(plot, " noenhanced\n$d << EOD\n");
    for (int i = 0; i < c->rows; i++) {
        fprintf(plot, "%.9g", c->at[i]);
        for (int k = 0; k < c->columns; k++)
            fprintf(plot, " %.9g %.9g", c->data[i * c->columns + k], c->model[i * c->columns + k]);
        fprintf(plot, "\n");
    }
    fprintf(plot, "EOD\nplot ");
    for (int k = 0; k < c->columns; k++) {
        const char *rgb = colour[k % (int)(sizeof colour / sizeof *colour)];
        fprintf(plot, "%s$d using 1:%d with points pt 7 ps 0.5 lc rgb '%s' title ", k ? ", " : "",
                2 + 2 * k, rgb);
        gnuplot_text(plot, c->name[k]);
        fprintf(plot, ", $d using 1:%d with lines lw 1.5 lc rgb '%s' title 'fit'", 3 + 2 * k, rgb);
    }
    fprintf(plot, "\nunset output\n");
}

int fit_draw(const withy_fit_curve *curve, const char *scene, const char *path) {
    const char *dot = strrchr(path, '.');
    const int png = dot && strcmp(dot, ".png") == 0;
    wy_beside file;
    process gnuplot;
    const int code = whole_begin(&file, path);
    if (code) return fail(path, strerror(code));
    int ok = gnuplot_start(&gnuplot, NULL, fileno(file.stream));
    if (ok) {
        write_picture(gnuplot.in, curve, scene, png);
        ok = process_end(&gnuplot) && whole_ends(&file, png ? "IEND" : "</svg>");
    }
    if (ok) return keep(&file, path);
    wy_beside_drop(&file);
    return fail(path, "gnuplot failed (sudo apt-get install gnuplot-nox)");
}

/* ---- table ------------------------------------------------------------------------------------------- */

int fit_table(const withy_fit_curve *c, const char *path) {
    wy_beside file;
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
    wy_beside file;
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
    if (!ok) cli_warn("withy: %s: read again, it does not have the estimates; use --set\n", path);
    return ok;
}
