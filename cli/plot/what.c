/* what.c - chosen numbers over time, of one result or of several: --what tip.z, finish.force, kinetic. */
#include <math.h>
#include <string.h>

#include "plot/curves.h"

enum { POINTS_MOST = 4000, RESULTS_MOST = 8 };

/* Between --from and --to. */
static int is_shown(const plot *p, double t) {
    return p->request.to < p->request.from || (t >= p->request.from && t <= p->request.to);
}

static void put_curves(plot *p, int number, const curves *c) {
    const int64_t stride = 1 + c->count / POINTS_MOST;
    fprintf(p->out, "$what%d << EOD\n", number);
    for (int64_t k = 0; k < c->count; k += stride) {
        if (!is_shown(p, c->t[k])) continue;
        fprintf(p->out, "%.9g", c->t[k]);
        for (int i = 0; i < c->shown; i++) fprintf(p->out, " %.9g", curves_value(c, k, i));
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "EOD\n");
}

/* "b.h5 z at s = 0.2 m": which result, where there are several, which component, and where that is not in the name. */
static void put_key(plot *p, const curves *c, const char *path, int component) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *part =
        c->norm || c->shown == 1 ? "" : plot_component(c->what, c->first + component);
    const int several = p->request.results.count > 1;
    char text[200];
    snprintf(text, sizeof text, "%.100s%s%s%s", several ? file : "", several && part[0] ? " " : "",
             part, c->place);
    gnuplot_text(p->out, text[0] ? text : c->what[0] ? c->what : "all rods");
}

/* The name where it fits next to the panel, else only the quantity. */
static void put_up(plot *p, plot_box box, const char *requested, const curves *c) {
    const double room = (box.height * p->height - 60) / 7.5; /* letters */
    char label[160];
    snprintf(label, sizeof label, "%.100s [%.40s]", requested, c->unit);
    if ((double)strlen(label) > room) snprintf(label, sizeof label, "%s [%.40s]", c->what, c->unit);
    if ((double)strlen(label) > room) snprintf(label, sizeof label, "[%.40s]", c->unit);
    gnuplot_text(p->out, label);
}

/* The numbers drawn, from the least to the largest. */
static void put_range(plot *p, const curves *c) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int r = 0; r < p->request.results.count; r++)
        for (int64_t k = 0; k < c[r].count; k++)
            for (int i = 0; is_shown(p, c[r].t[k]) && i < c[r].shown; i++)
                low = fmin(low, curves_value(&c[r], k, i)),
                high = fmax(high, curves_value(&c[r], k, i));
    if (isfinite(low) && isfinite(high)) plot_range(p, low, high);
}

/* Dash patterns of gnuplot: one for each result. */
enum { DASHES = 4 };
static const int dash[DASHES] = {1, 2, 3, 4};

static void put_panel(plot *p, plot_box box, const char *requested, const curves *c) {
    int drawn = 0;
    plot_place(p, box);
    fprintf(p->out, "set grid lw 0.6 lt 1 lc rgb rule\nset border 3 lw 0.8 lc rgb "
                    "edge\nset autoscale\nset xlabel ");
    gnuplot_text(p->out, plot_axis(p));
    fprintf(p->out, " noenhanced\nset ylabel ");
    put_up(p, box, requested, &c[0]);
    fprintf(p->out, " noenhanced\n");
    for (int r = 0; r < p->request.results.count; r++) put_curves(p, r, &c[r]);
    put_range(p, c);
    fprintf(p->out, "plot ");
    for (int r = 0; r < p->request.results.count; r++)
        for (int i = 0; i < c[r].shown; i++) {
            const int several = c[r].shown > 1; /* components have colours, results have dashes */
            fprintf(p->out, "%s$what%d using 1:%d with %s lw 1.6 dt %d lc rgb %s title ",
                    drawn++ ? ", \\\n  " : "", r, i + 2, c[r].count > 1 ? "lines" : "points pt 7",
                    several ? dash[r % DASHES] : 1, plot_colour[(several ? i : r) % PLOT_COLOURS]);
            put_key(p, &c[r], p->request.results.item[r], i);
            fprintf(p->out, " noenhanced");
        }
    fprintf(p->out, "\n");
    plot_plain(p);
}

static withy_status draw_what(plot *p, plot_box box, int which, withy_error *err) {
    curves c[RESULTS_MOST] = {0};
    withy_status status = WITHY_OK;
    const char *requested = p->request.what.item[which];
    for (int r = 0; r < p->request.results.count && status == WITHY_OK; r++) {
        withy_result *result;
        status = cli_result(p->request.results.item[r], &result, err);
        if (status != WITHY_OK) break;
        status = curves_read(result, p->request.results.item[r], requested, &c[r], err);
        withy_result_close(result);
    }
    if (status == WITHY_OK) put_panel(p, box, requested, c);
    for (int r = 0; r < RESULTS_MOST; r++) curves_drop(&c[r]);
    return status;
}

int plot_check_what(const plot_request *request) {
    if (request->results.count <= RESULTS_MOST && request->what.count <= PLOT_PANELS) return -1;
    cli_warn("withy: --what: at most %d results and %d panels; draw fewer at a time\n",
             RESULTS_MOST, PLOT_PANELS);
    return CLI_USAGE;
}

int plot_add_what(plot *p, plot_panel *panel, int count) {
    for (int i = 0; i < p->request.what.count && count < PLOT_PANELS; i++)
        panel[count++] = (plot_panel){draw_what, i, 0};
    return count;
}
