/* sweep.c - pictures of a sweep: lines over one parameter, heat maps over two, points for samples, parallel coordinates
 * over three and more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "plot/sweep.h"

enum { PANELS = 9, CELLS = 500 };

typedef struct page {
    withy_sweep_file *file;
    withy_sweep_column over[16], requested[PANELS];
    int overs, quantities;
    int64_t count;
    int64_t side[2];              /* of a grid of two: how many values the axes have */
    withy_sweep_column x, colour; /* of points */
    int parallel;
} page;

/* ---- columns ------------------------------------------------------------------------------------- */

/* How many times the value changes cyclically: the last axis of a grid varies quickest. */
static int64_t quickest(const withy_sweep_column *c, int64_t count) {
    int64_t n = 1;
    while (n < count && c->value[n] != c->value[0]) n++;
    return n;
}

static int is_requested(const cli_list *what, const char *name) {
    if (what->count == 0) return 1;
    for (int i = 0; i < what->count; i++)
        if (strcmp(what->item[i], name) == 0) return 1;
    return 0;
}

static withy_status no_number(const page *g, const char *path, const char *name, withy_error *err) {
    withy_sweep_column c;
    err->code = WITHY_BAD_INPUT;
    size_t used = (size_t)snprintf(err->text, sizeof err->text,
                                   "%.200s: holds no number \"%.60s\"; it has", path, name);
    for (int i = 0; withy_sweep_column_at(g->file, i, &c) && used < sizeof err->text; i++)
        if (!c.over)
            used += (size_t)snprintf(err->text + used, sizeof err->text - used, " %s", c.name);
    return WITHY_BAD_INPUT;
}

/* Points and lines are drawn over what is varied first, or over any column. */
static withy_status choose_axis(page *g, const plot_request *request, const char *path,
                                withy_error *err) {
    g->x = g->over[0], g->colour = g->over[g->overs > 1];
    if (!request->against) return WITHY_OK;
    for (int i = 0; withy_sweep_column_at(g->file, i, &g->x); i++)
        if (strcmp(g->x.name, request->against) == 0) {
            g->side[0] = g->side[1] = 0, g->parallel = 0;
            g->colour = g->over[g->overs > 1 && i == 0];
            return WITHY_OK;
        }
    return no_number(g, path, request->against, err);
}

static withy_status choose(page *g, const plot_request *request, const char *path,
                           withy_error *err) {
    withy_sweep_column c;
    for (int i = 0; withy_sweep_column_at(g->file, i, &c); i++) {
        if (c.over && g->overs < 16) g->over[g->overs++] = c;
        if (!c.over && g->quantities < PANELS && is_requested(&request->what, c.name))
            g->requested[g->quantities++] = c;
    }
    g->count = withy_sweep_count(g->file);
    if (g->overs == 2 && withy_sweep_is_grid(g->file)) {
        g->side[1] = quickest(&g->over[1], g->count);
        g->side[0] = g->count / g->side[1];
        if (g->side[0] > CELLS || g->side[1] > CELLS) g->side[0] = g->side[1] = 0; /* as points */
    }
    if (g->quantities == 0)
        return no_number(g, path, request->what.count ? request->what.item[0] : "", err);
    g->parallel = request->parallel || g->overs > 2;
    return choose_axis(g, request, path, err);
}

/* ---- panels -------------------------------------------------------------------------------------- */

static void label(FILE *out, const char *which, const char *text) {
    fprintf(out, "set %s ", which);
    gnuplot_text(out, text);
    fprintf(out, " noenhanced\n");
}

/* "params.wire [m]" */
static void label_column(FILE *out, const char *which, const withy_sweep_column *c) {
    char text[sizeof c->name + sizeof c->unit + 4];
    const int bare = !c->unit[0] || strcmp(c->unit, "-") == 0;
    snprintf(text, sizeof text, bare ? "%s" : "%s [%s]", c->name, c->unit);
    label(out, which, text);
}

static int is_logarithmic(const withy_sweep_column *c, int64_t count) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        low = fmin(low, c->value[i]), high = fmax(high, c->value[i]);
    return low > 0 && high > 100 * low;
}

/* Rows x, y, colour; a member that failed is a gap. */
static void put_rows(FILE *out, const page *g, int requested) {
    fprintf(out, "$d%d << EOD\n", requested);
    for (int64_t i = 0; i < g->count; i++) {
        const double y = g->requested[requested].value[i];
        if (!isfinite(y))
            fprintf(out, "\n");
        else
            fprintf(out, "%.9g %.9g %.9g\n", g->x.value[i], y, g->colour.value[i]);
    }
    fprintf(out, "EOD\n");
}

/* Half way to the nearest other value on each side; at the ends as far as on the other side. */
static void edges(const double *value, int64_t count, int64_t stride, double x, double edge[2]) {
    double below = -INFINITY, above = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        const double v = value[i * stride];
        if (v < x && v > below) below = v;
        if (v > x && v < above) above = v;
    }
    if (!isfinite(below)) below = isfinite(above) ? 2 * x - above : x - 1;
    if (!isfinite(above)) above = 2 * x - below;
    edge[0] = (x + below) / 2, edge[1] = (x + above) / 2;
}

/* Rows x, y, the box around them, the number; a member that failed is left open. */
static void put_cells(FILE *out, const page *g, int requested) {
    fprintf(out, "$d%d << EOD\n", requested);
    for (int64_t k = 0; k < g->side[1]; k++) {
        double x[2], y[2];
        edges(g->over[1].value, g->side[1], 1, g->over[1].value[k], x);
        for (int64_t i = 0; i < g->side[0]; i++) {
            const int64_t member = i * g->side[1] + k;
            const double z = g->requested[requested].value[member];
            if (!isfinite(z)) continue;
            edges(g->over[0].value, g->side[0], g->side[1], g->over[0].value[member], y);
            fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", g->over[1].value[k],
                    g->over[0].value[member], x[0], x[1], y[0], y[1], z);
        }
    }
    fprintf(out, "EOD\n");
}

static void draw_map(FILE *out, const page *g, int requested) {
    label_column(out, "xlabel", &g->over[1]);
    label_column(out, "ylabel", &g->over[0]);
    label_column(out, "cblabel", &g->requested[requested]);
    fprintf(out, "set colorbox\nunset key\nset autoscale xfix\nset autoscale yfix\n");
    if (is_logarithmic(&g->over[1], g->count)) fprintf(out, "set logscale x\n");
    if (is_logarithmic(&g->over[0], g->count)) fprintf(out, "set logscale y\n");
    fprintf(out, "plot $d%d using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc palette\n",
            requested);
}

static void draw_curve(FILE *out, const page *g, int requested) {
    label_column(out, "xlabel", &g->x);
    label_column(out, "ylabel", &g->requested[requested]);
    if (is_logarithmic(&g->x, g->count)) fprintf(out, "set logscale x\n");
    fprintf(out, "unset key\n");
    if (g->overs == 1 && g->x.over && withy_sweep_is_grid(g->file)) {
        fprintf(out, "plot $d%d using 1:2 with linespoints pt 7 ps 0.4 lw 2 lc rgb %s\n", requested,
                plot_colour[requested % PLOT_COLOURS]);
    } else if (g->overs == 1 && g->x.over) {
        fprintf(out, "plot $d%d using 1:2 with points pt 7 ps 0.5 lc rgb %s\n", requested,
                plot_colour[requested % PLOT_COLOURS]);
    } else {
        label_column(out, "cblabel", &g->colour);
        fprintf(out, "set colorbox\nplot $d%d using 1:2:3 with points pt 7 ps 0.5 lc palette\n",
                requested);
    }
}

/* ---- parallel coordinates ------------------------------------------------------------------------- */

enum { LINES = 2000 }; /* more cannot be told apart */

typedef struct scale {
    double low, high;
    int logarithmic;
} scale;

/* 1: its range was given as ...:log. */
static int is_given_log(const withy_sweep_file *file, const char *name) {
    char line[300];
    const int length = snprintf(line, sizeof line, "\nover %s=", name);
    const char *at = strstr(withy_sweep_text(file, "plan"), line);
    const size_t rest = at ? strcspn(at + length, "\n") : 0;
    return rest > 4 && memcmp(at + length + rest - 4, ":log", 4) == 0;
}

static scale scale_of(const page *g, const withy_sweep_column *c) {
    scale s = {INFINITY, -INFINITY, c->over && is_given_log(g->file, c->name)};
    const int64_t count = g->count;
    for (int64_t i = 0; i < count; i++)
        s.low = fmin(s.low, c->value[i]), s.high = fmax(s.high, c->value[i]);
    if (s.logarithmic) s.low = log(s.low), s.high = log(s.high);
    return s;
}

/* 0 .. 1 between the least and the largest. */
static double on_scale(const scale *s, double value) {
    const double x = s->logarithmic ? log(value) : value;
    return s->high > s->low ? (x - s->low) / (s->high - s->low) : 0.5;
}

static const withy_sweep_column *axis_of(const page *g, int k) {
    return k < g->overs ? &g->over[k] : &g->requested[k - g->overs];
}

static int is_whole(const page *g, int64_t member) {
    for (int k = 0; k < g->overs + g->quantities; k++)
        if (!isfinite(axis_of(g, k)->value[member])) return 0;
    return 1;
}

/* A broken line for each member, coloured by the first number; of a large grid every so many, of a large sample
 * the first, which are a sample too. */
static void draw_parallel(FILE *out, const page *g) {
    scale scale_at[16 + PANELS];
    const int axes = g->overs + g->quantities, grid = withy_sweep_is_grid(g->file);
    const int64_t every = grid ? (g->count + LINES - 1) / LINES : 1;
    const int64_t last = grid || g->count < LINES ? g->count : LINES;
    for (int k = 0; k < axes; k++) scale_at[k] = scale_of(g, axis_of(g, k));
    fprintf(out, "$lines << EOD\n");
    for (int64_t i = 0; i < last; i += every) {
        for (int k = 0; k < axes && is_whole(g, i); k++)
            fprintf(out, "%d %.5g %.9g\n", k, on_scale(&scale_at[k], axis_of(g, k)->value[i]),
                    g->requested[0].value[i]);
        fprintf(out, "\n\n");
    }
    fprintf(out, "EOD\nunset key\nunset ytics\nset border 0\nset xtics scale 0 (");
    for (int k = 0; k < axes; k++) {
        fprintf(out, "%s", k ? ", " : "");
        gnuplot_text(out, axis_of(g, k)->name);
        fprintf(out, " %d", k);
    }
    fprintf(out, ") noenhanced\nset xrange [-0.3:%g]\nset yrange [-0.08:1.08]\n", axes - 0.7);
    for (int k = 0; k < axes; k++) {
        const scale s = scale_at[k];
        const double low = s.logarithmic ? exp(s.low) : s.low;
        const double high = s.logarithmic ? exp(s.high) : s.high;
        fprintf(out, "set arrow from %d,0 to %d,1 nohead lw 1.5 lc rgb edge front\n", k, k);
        fprintf(out,
                "set label '%.4g' at %d,-0.04 center tc rgb words\n"
                "set label '%.4g' at %d,1.04 center tc rgb words\n",
                low, k, high, k);
    }
    label_column(out, "cblabel", &g->requested[0]);
    fprintf(out, "set colorbox\nplot $lines using 1:2:3 with lines lw 0.6 lc palette\n");
}

static void head(plot *p, const page *g) {
    const char *title = withy_sweep_text(g->file, "title");
    char how[96];
    snprintf(how, sizeof how, "%lld members", (long long)g->count);
    plot_heading(p, title[0] ? title : withy_sweep_text(g->file, "scene_name"), how);
}

static withy_status draw_page(plot *p, const char *path, withy_error *err) {
    const page *g = p->page_data;
    (void)err;
    const int columns = g->parallel || g->quantities == 1 ? 1 : g->quantities > 4 ? 3 : 2;
    const int rows = g->parallel ? 1 : (g->quantities + columns - 1) / columns;
    p->width = p->request.width > 0 ? p->request.width : 1200;
    p->height = p->request.width > 0 ? p->request.height : rows == 1 ? 560 : 380 * rows;
    plot_terminal(p, path);
    fprintf(p->out, "set multiplot\n");
    head(p, g);
    for (int i = 0; i < rows * columns && i < g->quantities; i++) {
        plot_place(p, plot_cell(plot_page(p), columns, rows, i));
        fprintf(p->out, "unset logscale\nunset colorbox\nset autoscale\n");
        if (g->parallel)
            draw_parallel(p->out, g);
        else if (g->side[0])
            put_cells(p->out, g, i), draw_map(p->out, g, i);
        else
            put_rows(p->out, g, i), draw_curve(p->out, g, i);
        fprintf(p->out, "unset label\n");
    }
    fprintf(p->out, "unset multiplot\nunset output\n");
    return WITHY_OK;
}

int plot_is_sweep(const char *path) {
    withy_sweep_file *file;
    withy_error err = {0};
    const withy_status status = withy_sweep_open(path, &file, &err);
    if (status == WITHY_OK) withy_sweep_close(file);
    return status == WITHY_OK;
}

int plot_sweep(const plot_request *request, const char *path, const char *output, int json,
               int quiet) {
    static page g;
    withy_error err = {0};
    plot p = {.request = *request, .page = draw_page, .page_data = &g};
    g = (page){0};
    withy_status status = withy_sweep_open(path, &g.file, &err);
    if (status == WITHY_OK) status = choose(&g, request, path, &err);
    if (status == WITHY_OK) status = plot_draw(&p, output, &err);
    withy_sweep_close(g.file);
    if (status != WITHY_OK) return cli_error(&err);
    if (json) {
        cli_json out = {0};
        json_open(&out, NULL, '{');
        json_text(&out, "result", path);
        json_text(&out, "picture", output);
        json_whole(&out, "members", g.count);
        json_close(&out, '}');
    } else if (!quiet) {
        cli_print("%s: %lld members drawn in %s\n", path, (long long)g.count, output);
    }
    return CLI_OK;
}
