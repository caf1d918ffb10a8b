/* compare_picture.c - error bars of every method over time, and distances from the nearest. */
#include <math.h>

#include "compare.h"
#include "plot/plot.h"

static const withy_compare_run *finest(const withy_compare_method *m) {
    return &m->run[m->levels - 1];
}

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* The point that moves most is drawn. */
static int drawn_of(const withy_comparison *c) {
    const withy_compare_run *run = finest(&c->method[0]);
    double travel[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < run->count; k++)
            travel[i] = fmax(travel[i], distance(run->at[i][k], run->at[i][0]));
    return travel[1] > travel[0];
}

static int best_of(const withy_comparison *c, int what) {
    int best = 0;
    for (int i = 1; i < c->count; i++)
        if (c->method[i].largest[what] < c->method[best].largest[what]) best = i;
    return best;
}

static void write_data(FILE *out, const withy_comparison *c, int what, int best) {
    for (int i = 0; i < c->count; i++) {
        const withy_compare_method *m = &c->method[i], *reference = &c->method[best];
        const withy_compare_run *run = finest(m);
        const double *model =
            m->rigid != reference->rigid && c->model.known ? c->model.error[what] : NULL;
        fprintf(out, "$d%d << EOD\n", i);
        for (int k = 0; k < run->count; k++)
            fprintf(out, "%.9g %.9g %.9g\n", run->t[k], m->error[what][k] + (model ? model[k] : 0),
                    distance(withy_comparison_at(c, i, what, k),
                             withy_comparison_at(c, best, what, k)));
        fprintf(out, "EOD\n");
    }
}

/* Distances at rounding level would dominate the picture: nothing far below the smallest bar is drawn. */
static double lowest_drawn(const withy_comparison *c, int what) {
    double least = INFINITY;
    for (int i = 0; i < c->count; i++) least = fmin(least, c->method[i].largest[what]);
    return 1e-3 * least;
}

static void write_curves(FILE *out, const withy_comparison *c, int best, double least) {
    fprintf(out, "plot ");
    for (int i = 0; i < c->count; i++) {
        const char *rgb = plot_colour[i % PLOT_COLOURS];
        fprintf(out, "%s$d%d using 1:($2>%g?$2:1/0) with lines lw 1.5 dt 2 lc rgb %s title ",
                i ? ", " : "", i, least, rgb);
        char name[WITHY_NAME + 16];
        snprintf(name, sizeof name, "%s%s", c->method[i].name, i == best ? " (nearest)" : "");
        gnuplot_text(out, name);
        if (i != best)
            fprintf(out, ", $d%d using 1:($3>%g?$3:1/0) with lines lw 2.5 lc rgb %s notitle", i,
                    least, rgb);
    }
    fprintf(out, "\n");
}

typedef struct compared {
    const withy_comparison *c;
    const char *scene;
} compared;

static withy_status draw_page(plot *p, const char *path, withy_error *err) {
    const compared *of = p->page_data;
    const withy_comparison *c = of->c;
    const int what = drawn_of(c), best = best_of(c, what);
    char how[160];
    (void)err;
    p->width = p->request.width > 0 ? p->request.width : 1000;
    p->height = p->request.width > 0 ? p->request.height : 600;
    plot_terminal(p, path);
    snprintf(how, sizeof how, "%s: error bars dashed, distance from %s full, withy %s",
             withy_compare_name(what), c->method[best].name, withy_version());
    fprintf(p->out, "set multiplot\n");
    plot_heading(p, of->scene, how);
    plot_place(p, plot_page(p));
    fprintf(p->out,
            "unset colorbox\nset logscale y\nset format y '10^{%%T}'\nset xlabel '%s'\n"
            "set ylabel 'error, distance [m]'\n",
            c->statics ? "load factor" : "t [s]");
    write_data(p->out, c, what, best);
    write_curves(p->out, c, best, lowest_drawn(c, what));
    fprintf(p->out, "unset multiplot\nunset output\n");
    return WITHY_OK;
}

/* Error bar of every method over time, and its distance from the most accurate one. */
int compare_draw(const withy_comparison *c, const char *scene, const compare_picture *picture) {
    const compared of = {c, scene};
    withy_error err = {0};
    plot p = {.request.dark = picture->dark, .page = draw_page, .page_data = &of};
    return plot_draw(&p, picture->path, &err) == WITHY_OK || (cli_error(&err), 0);
}
