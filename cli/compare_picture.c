/* compare_picture.c - error bars of every method over time, and distances from the nearest. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "process.h"

static const withy_compare_run *finest(const withy_compare_method *m) {
    return &m->run[m->levels - 1];
}

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* The point that moves most is drawn. */
static int drawn_of(const withy_comparison *c) {
    const withy_compare_run *run = finest(&c->method[0]);
    double way[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < run->count; k++)
            way[i] = fmax(way[i], distance(run->at[i][k], run->at[i][0]));
    return way[1] > way[0];
}

static int best_of(const withy_comparison *c, int what) {
    int best = 0;
    for (int i = 1; i < c->count; i++)
        if (c->method[i].largest[what] < c->method[best].largest[what]) best = i;
    return best;
}

static void write_data(FILE *plot, const withy_comparison *c, int what, int best) {
    for (int i = 0; i < c->count; i++) {
        const withy_compare_method *m = &c->method[i], *reference = &c->method[best];
        const withy_compare_run *run = finest(m);
        const double *model =
            m->rigid != reference->rigid && c->model.known ? c->model.error[what] : NULL;
        fprintf(plot, "$d%d << EOD\n", i);
        for (int k = 0; k < run->count; k++)
            fprintf(plot, "%.9g %.9g %.9g\n", run->t[k], m->error[what][k] + (model ? model[k] : 0),
                    distance(withy_comparison_at(c, i, what, k),
                             withy_comparison_at(c, best, what, k)));
        fprintf(plot, "EOD\n");
    }
}

/* Distances at rounding level would dominate the picture: nothing far below the smallest bar is drawn. */
static double lowest_drawn(const withy_comparison *c, int what) {
    double least = INFINITY;
    for (int i = 0; i < c->count; i++) least = fmin(least, c->method[i].largest[what]);
    return 1e-3 * least;
}

static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#999999"};

static void write_curves(FILE *plot, const withy_comparison *c, int best, double least) {
    fprintf(plot, "plot ");
    for (int i = 0; i < c->count; i++) {
        const char *rgb = colour[i % (int)(sizeof colour / sizeof *colour)];
        fprintf(plot, "%s$d%d using 1:($2>%g?$2:1/0) with lines lw 1.5 dt 2 lc rgb '%s' title ",
                i ? ", " : "", i, least, rgb);
        char name[WITHY_NAME + 16];
        snprintf(name, sizeof name, "%s%s", c->method[i].name, i == best ? " (nearest)" : "");
        gnuplot_text(plot, name);
        if (i != best)
            fprintf(plot, ", $d%d using 1:($3>%g?$3:1/0) with lines lw 2.5 lc rgb '%s' notitle", i,
                    least, rgb);
    }
    fprintf(plot, "\n");
}

static void write_picture(FILE *plot, const withy_comparison *c, const char *scene, int png) {
    const int what = drawn_of(c), best = best_of(c, what);
    char title[1024];
    snprintf(title, sizeof title, "%.800s, %s: error bars (dashed), distance from %s (full)", scene,
             withy_compare_name(what), c->method[best].name);
    fprintf(plot, "set encoding utf8\nset terminal %s size 900,560 font 'Helvetica,13'\n",
            png ? "pngcairo" : "svg");
    fprintf(plot,
            "set logscale y\nset format y '10^{%%T}'\nset xlabel '%s'\nset grid lc rgb '#dddddd'\n"
            "set ylabel '[m]'\nset key outside noenhanced\nset title ",
            c->statics ? "load factor" : "t [s]");
    gnuplot_text(plot, title);
    fprintf(plot, " noenhanced\n");
    write_data(plot, c, what, best);
    write_curves(plot, c, best, lowest_drawn(c, what));
    fprintf(plot, "unset output\n");
}

static int fail(const char *path, const char *why) {
    cli_warn("withy: %s: the picture cannot be written: %s\n", path, why);
    return 0;
}

/* Error bar of every method over time, and its distance from the most accurate one. */
int compare_draw(const withy_comparison *c, const char *scene, const char *path) {
    const char *dot = strrchr(path, '.');
    const int png = dot && strcmp(dot, ".png") == 0;
    wy_beside file;
    process gnuplot;
    int code = whole_begin(&file, path);
    if (code) return fail(path, strerror(code));
    int ok = gnuplot_start(&gnuplot, NULL, fileno(file.stream));
    if (ok) {
        write_picture(gnuplot.in, c, scene, png);
        ok = process_end(&gnuplot) && whole_ends(&file, png ? "IEND" : "</svg>");
    }
    if (!ok) {
        wy_beside_drop(&file);
        return fail(path, "gnuplot failed (sudo apt-get install gnuplot-nox)");
    }
    code = wy_beside_keep(&file);
    return !code || fail(path, strerror(code));
}
