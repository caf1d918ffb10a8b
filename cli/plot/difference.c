/* difference.c - withy plot --minus: one result minus another; --errors: results on finer and finer
 * grids, their errors over time and the ratios of these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/pair.h"

enum { LEVELS = 8, COMPONENTS = 8 };

/* What the panels draw.  plot_draw hands its panels a plot only; this is one picture at a time. */
static struct {
    plot_pair pair[LEVELS]; /* --minus: one; --errors: neighbours */
    int pairs;
    plot_gap *gap[LEVELS]; /* [pair.count] */
    plot_gap worst;
    int probe[PLOT_PANELS][2], probes; /* common probes: numbers in either result */
} drawn;

static withy_status no_memory(withy_error *err) {
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "memory ran out");
    return WITHY_NO_MEMORY;
}

static int in_request(const plot_request *request, double t) {
    return request->to < request->from || (t >= request->from && t <= request->to);
}

static int in_window(const plot *p, double t) {
    return in_request(&p->request, t);
}

/* ---- axes -------------------------------------------------------------------------------------- */

static void put_axes(plot *p, plot_box box, const char *across, const char *up) {
    plot_place(p, box);
    fprintf(p->out, "set grid lw 0.6 lt 1 lc rgb rule\nset border 3 lw 0.8 lc rgb edge\n"
                    "set format y '%%.3g'\nset xlabel ");
    gnuplot_text(p->out, across);
    fprintf(p->out, " noenhanced\nset ylabel ");
    gnuplot_text(p->out, up);
    fprintf(p->out, " noenhanced\n%s", drawn.worst.most > 0 ? "" : "set yrange [-1:1]\n");
}

static void put_line(plot *p, int first, const char *block, int column, int colour,
                     const char *title) {
    fprintf(p->out, "%s%s using 1:%d with linespoints pt 7 ps 0.2 lw 1.6 lc rgb %s title ",
            first ? "plot " : ", \\\n  ", block, column, plot_colour[colour % PLOT_COLOURS]);
    gnuplot_text(p->out, title);
}

/* ---- the distance over time -------------------------------------------------------------------- */

static double length_of(const plot_pair *x) {
    double sum = 0;
    for (int rod = 0; rod < x->rods; rod++) sum += x->rod[rod].length;
    return sum;
}

static withy_status draw_distance(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    const plot_pair *x = &drawn.pair[0];
    fprintf(p->out, "$gap << EOD\n");
    for (int64_t k = 0; k < x->count; k++)
        if (in_window(p, x->t[k]))
            fprintf(p->out, "%.9g %.9g %.9g\n", x->t[k], drawn.gap[0][k].most,
                    sqrt(drawn.gap[0][k].square / length_of(x)));
    fprintf(p->out, "EOD\n");
    put_axes(p, box, plot_axis(p), "distance of the two [m]");
    char title[256];
    snprintf(title, sizeof title, "largest, %.100s minus %.100s", x->name[0], x->name[1]);
    if (x->count == 1) fprintf(p->out, "set xrange [%.9g:%.9g]\n", x->t[0] - 1, x->t[0] + 1);
    put_line(p, 1, "$gap", 2, 0, title);
    put_line(p, 0, "$gap", 3, 1, "root of the mean square");
    fprintf(p->out, "\n");
    plot_plain(p);
    return WITHY_OK;
}

/* ---- a quantity along the rod ------------------------------------------------------------------ */

static withy_status put_profile(plot *p, const withy_quantity *q, withy_error *err) {
    plot_pair *x = &drawn.pair[0];
    const int64_t stride = x->count > 41 ? x->count / 41 + 1 : 1;
    for (int64_t k = 0; k < x->count; k += stride)
        for (int rod = 0; rod < x->rods && in_window(p, x->t[k]); rod++) {
            for (int i = 0; i < x->rod[rod].count; i++) {
                const double *a = plot_pair_values(x, 0, rod, k, i, q, err);
                const double *b = a ? plot_pair_values(x, 1, rod, k, i, q, err) : NULL;
                if (!b) return err->code;
                fprintf(p->out, "%.7g", x->rod[rod].s[i]);
                for (int c = 0; c < q->size; c++) fprintf(p->out, " %.9g", a[c] - b[c]);
                fprintf(p->out, " %.9g\n", x->t[k]);
            }
            fprintf(p->out, "\n");
        }
    return WITHY_OK;
}

static withy_status draw_profile(plot *p, plot_box box, int which, withy_error *err) {
    const withy_quantity *q =
        withy_quantity_find(WITHY_OF_ROD, p->request.profile.item[which / COMPONENTS]);
    char label[96];
    fprintf(p->out, "$profile << EOD\n");
    const withy_status status = put_profile(p, q, err);
    fprintf(p->out, "EOD\n");
    snprintf(label, sizeof label, "difference of %s %s [%s]", q->name,
             plot_component(q->name, which % COMPONENTS), q->unit);
    put_axes(p, box, "s [m]", label);
    plot_colours_over_time(p);
    fprintf(p->out, "plot $profile using 1:%d:%d with lines lc palette lw 1.5 notitle\n",
            which % COMPONENTS + 2, q->size + 2);
    plot_plain(p);
    return status;
}

/* ---- probes ------------------------------------------------------------------------------------ */

/* Samples at common times: t[count], value[count][size] of a - b. */
static withy_status probe_difference(const int which[2], const withy_result_probe probe[2],
                                     double *t[2], double *value[2], int64_t *count,
                                     withy_error *err) {
    for (int i = 0; i < 2; i++) {
        const size_t room = (size_t)probe[i].count + 1;
        t[i] = calloc(room, sizeof **t),
        value[i] = calloc(room * (size_t)probe[i].size, sizeof **t);
        if (!t[i] || !value[i]) return no_memory(err);
        withy_result *result = i ? drawn.pair[0].b : drawn.pair[0].a;
        const withy_status status = withy_result_probe_read(result, which[i], t[i], value[i], err);
        if (status != WITHY_OK) return status;
    }
    const int size = probe[0].size;
    const double whole = probe[0].count ? fabs(t[0][probe[0].count - 1]) : 0;
    int64_t next = 0;
    *count = 0;
    for (int64_t k = 0; k < probe[0].count; k++)
        for (int64_t j = next; j < probe[1].count && t[1][j] <= t[0][k] + 1e-9 * whole; j++) {
            next = j + 1;
            if (t[1][j] < t[0][k] - 1e-9 * whole) continue;
            t[0][*count] = t[0][k];
            for (int c = 0; c < size; c++)
                value[0][*count * size + c] = value[0][k * size + c] - value[1][j * size + c];
            ++*count;
            break;
        }
    return WITHY_OK;
}

static void put_probe(plot *p, plot_box box, const withy_result_probe *probe, const double *t,
                      const double *value, int64_t count) {
    const withy_quantity *q = withy_quantity_find((int)probe->of, probe->what);
    const int64_t stride = count > 4000 ? count / 4000 + 1 : 1;
    char label[256];
    fprintf(p->out, "$probe << EOD\n");
    for (int64_t k = 0; k < count; k += stride) {
        if (!in_window(p, t[k])) continue;
        fprintf(p->out, "%.9g", t[k]);
        for (int c = 0; c < probe->size; c++) fprintf(p->out, " %.9g", value[k * probe->size + c]);
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "EOD\n");
    snprintf(label, sizeof label, "%.63s: difference of %.63s [%.31s]", probe->name, probe->what,
             q ? q->unit : "-");
    put_axes(p, box, plot_axis(p), label);
    if (count == 1) fprintf(p->out, "set xrange [%.9g:%.9g]\n", t[0] - 1, t[0] + 1);
    for (int c = 0; c < probe->size; c++)
        put_line(p, c == 0, "$probe", c + 2, c,
                 probe->size == 1 ? probe->what : plot_component(probe->what, c));
    fprintf(p->out, "\n");
    plot_plain(p);
}

static withy_status draw_probe(plot *p, plot_box box, int which, withy_error *err) {
    withy_result_probe probe[2];
    double *t[2] = {0}, *value[2] = {0};
    int64_t count = 0;
    withy_result_probe_at(drawn.pair[0].a, drawn.probe[which][0], &probe[0]);
    withy_result_probe_at(drawn.pair[0].b, drawn.probe[which][1], &probe[1]);
    const withy_status status = probe_difference(drawn.probe[which], probe, t, value, &count, err);
    if (status == WITHY_OK) put_probe(p, box, &probe[0], t[0], value[0], count);
    for (int i = 0; i < 2; i++) free(t[i]), free(value[i]);
    return status;
}

/* Probes of the same name, quantity and size. */
static void find_probes(const plot_pair *x) {
    withy_result_probe a, b;
    drawn.probes = 0;
    for (int i = 0; withy_result_probe_at(x->a, i, &a); i++)
        for (int j = 0; withy_result_probe_at(x->b, j, &b); j++) {
            if (strcmp(a.name, b.name) != 0 || strcmp(a.what, b.what) != 0 || a.size != b.size)
                continue;
            if (drawn.probes < PLOT_PANELS - 1 && a.count > 0)
                drawn.probe[drawn.probes][0] = i, drawn.probe[drawn.probes++][1] = j;
        }
}

/* ---- errors on finer and finer grids ----------------------------------------------------------- */

/* Err_{r,r+1}(t) = (int |x_r - x_{r+1}|^2 ds)^(1/2) [EL] (134), times 4^r: one curve for order two. */
static withy_status draw_errors(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    char title[64];
    for (int r = 0; r < drawn.pairs; r++) {
        fprintf(p->out, "$error%d << EOD\n", r);
        for (int64_t k = 0; k < drawn.pair[r].count; k++)
            if (in_window(p, drawn.pair[r].t[k]))
                fprintf(p->out, "%.9g %.9g\n", drawn.pair[r].t[k],
                        pow(4, r) * sqrt(drawn.gap[r][k].square));
        fprintf(p->out, "EOD\n");
    }
    put_axes(p, box, plot_axis(p), "4^r Err(r, r+1) [m^1.5]");
    for (int r = 0; r < drawn.pairs; r++) {
        char block[32];
        snprintf(block, sizeof block, "$error%d", r);
        snprintf(title, sizeof title, "r = %d", r);
        put_line(p, r == 0, block, 2, r, title);
    }
    fprintf(p->out, "\n");
    plot_plain(p);
    return WITHY_OK;
}

/* Where the finer pair has the same time; -1: nowhere. */
static int64_t same_time(const plot_pair *x, double t) {
    const double whole = fabs(x->t[x->count - 1]);
    for (int64_t k = 0; k < x->count; k++)
        if (fabs(x->t[k] - t) <= 1e-9 * whole) return k;
    return -1;
}

static withy_status draw_ratios(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    for (int r = 0; r + 1 < drawn.pairs; r++) {
        fprintf(p->out, "$ratio%d << EOD\n", r);
        for (int64_t k = 0; k < drawn.pair[r].count; k++) {
            const int64_t j = same_time(&drawn.pair[r + 1], drawn.pair[r].t[k]);
            if (j < 0 || !(drawn.gap[r + 1][j].square > 0) || !in_window(p, drawn.pair[r].t[k]))
                continue;
            fprintf(p->out, "%.9g %.9g\n", drawn.pair[r].t[k],
                    sqrt(drawn.gap[r][k].square / drawn.gap[r + 1][j].square));
        }
        fprintf(p->out, "EOD\n");
    }
    put_axes(p, box, plot_axis(p), "Err(r, r+1) / Err(r+1, r+2)");
    for (int r = 0; r + 1 < drawn.pairs; r++) {
        char block[32], title[64];
        snprintf(block, sizeof block, "$ratio%d", r);
        snprintf(title, sizeof title, "r = %d", r);
        put_line(p, r == 0, block, 2, r, title);
    }
    fprintf(p->out, ", \\\n  4 lw 1 dt 2 lc rgb grey title 'order two'\n");
    plot_plain(p);
    return WITHY_OK;
}

/* ---- the picture ------------------------------------------------------------------------------- */

int plot_add_difference(plot *p, plot_panel *panel, int count) {
    if (drawn.pairs == 0) return count;
    if (p->request.errors) {
        panel[count++] = (plot_panel){draw_errors, 0, 0};
        if (drawn.pairs > 1) panel[count++] = (plot_panel){draw_ratios, 0, 0};
        return count;
    }
    const int only = p->request.probes || p->request.profile.count;
    if (!only) panel[count++] = (plot_panel){draw_distance, 0, 0};
    for (int i = 0; i < p->request.profile.count; i++) {
        const withy_quantity *q = withy_quantity_find(WITHY_OF_ROD, p->request.profile.item[i]);
        for (int c = 0; q && c < q->size && count < PLOT_PANELS; c++)
            panel[count++] = (plot_panel){draw_profile, COMPONENTS * i + c, 0};
    }
    for (int i = 0; (p->request.probes || !only) && i < drawn.probes && count < PLOT_PANELS; i++)
        panel[count++] = (plot_panel){draw_probe, i, 0};
    return count;
}

static withy_status measure(int which, withy_error *err) {
    plot_pair *x = &drawn.pair[which];
    drawn.gap[which] = calloc((size_t)x->count, sizeof *drawn.gap[which]);
    if (!drawn.gap[which]) return no_memory(err);
    for (int64_t k = 0; k < x->count; k++) {
        const withy_status status = plot_pair_gap(x, k, &drawn.gap[which][k], err);
        if (status != WITHY_OK) return status;
        if (!(drawn.gap[which][k].most <= drawn.worst.most)) drawn.worst = drawn.gap[which][k];
    }
    return WITHY_OK;
}

static withy_status take_pair(const plot_request *request, const char *a, const char *b,
                              withy_error *err) {
    plot_pair *x = &drawn.pair[drawn.pairs++];
    withy_status status = plot_pair_open(x, a, b, err);
    if (status == WITHY_OK) status = measure(drawn.pairs - 1, err);
    int64_t shown = 0;
    for (int64_t k = 0; status == WITHY_OK && k < x->count; k++)
        shown += in_request(request, x->t[k]);
    if (status != WITHY_OK || shown) return status;
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text,
             "--from, --to: %.300s and %.300s have no time in common there", a, b);
    return WITHY_BAD_INPUT;
}

static void drop(void) {
    for (int r = 0; r < drawn.pairs; r++) {
        plot_pair_close(&drawn.pair[r]);
        free(drawn.gap[r]);
        drawn.gap[r] = NULL;
    }
    drawn.pairs = 0;
    drawn.worst = (plot_gap){0};
}

static void report(const char *output, int as_json) {
    const plot_pair *x = &drawn.pair[0];
    int places = 0;
    for (int rod = 0; rod < x->rods; rod++) places += x->rod[rod].count;
    if (!as_json) {
        cli_print(
            "%s minus %s at %lld common times and %d common places: at most %.4g m apart (t = "
            "%.6g, s = %.6g m), drawn in %s\n",
            x->name[0], x->name[1], (long long)x->count, places, drawn.worst.most, drawn.worst.t,
            drawn.worst.s, output);
        return;
    }
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "result", x->name[0]);
    json_text(&json, "minus", x->name[1]);
    json_text(&json, "picture", output);
    json_whole(&json, "times", (int)x->count);
    json_whole(&json, "places", places);
    json_number(&json, "largest", drawn.worst.most);
    json_number(&json, "at_time", drawn.worst.t);
    json_number(&json, "at_place", drawn.worst.s);
    json_close(&json, '}');
}

/* The last errors, level by level: what is read off the figure. */
static void report_errors(const char *output, int as_json) {
    cli_json json = {0};
    if (as_json) {
        json_open(&json, NULL, '{');
        json_text(&json, "picture", output);
        json_open(&json, "errors", '[');
    }
    for (int r = 0; r < drawn.pairs; r++) {
        const double last = sqrt(drawn.gap[r][drawn.pair[r].count - 1].square);
        if (as_json)
            json_number(&json, NULL, last);
        else
            cli_print("%s, %s: Err = %.6g m^1.5 at the last common time, 4^%d Err = %.6g\n",
                      drawn.pair[r].name[0], drawn.pair[r].name[1], last, r, pow(4, r) * last);
    }
    if (as_json) {
        json_close(&json, ']');
        json_close(&json, '}');
    }
}

static withy_status draw(const plot_request *request, const char *file, const char *output,
                         withy_error *err) {
    plot p = {.request = *request};
    withy_status status = plot_open(&p, file, err);
    if (status == WITHY_OK) status = plot_draw(&p, output, err);
    plot_close(&p);
    return status;
}

int plot_minus(const plot_request *request, const char *a, const char *b, const char *output,
               int json, int quiet) {
    withy_error err = {0};
    for (int i = 0; i < request->profile.count; i++) {
        if (withy_quantity_find(WITHY_OF_ROD, request->profile.item[i])) continue;
        cli_warn("withy: --profile %s: with --minus in the axes of space only\n",
                 request->profile.item[i]);
        return CLI_USAGE;
    }
    withy_status status = take_pair(request, a, b, &err);
    if (status == WITHY_OK) find_probes(&drawn.pair[0]);
    if (status == WITHY_OK && request->probes && drawn.probes == 0) {
        status = err.code = WITHY_BAD_INPUT;
        snprintf(err.text, sizeof err.text, "--probes: %s and %s have no probe in common", a, b);
    }
    if (status == WITHY_OK) status = draw(request, a, output, &err);
    if (status == WITHY_OK && !quiet) report(output, json);
    drop();
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}

int plot_errors(const plot_request *request, const cli_list *results, const char *output, int json,
                int quiet) {
    withy_error err = {0};
    withy_status status = WITHY_OK;
    if (results->count < 2 || results->count > LEVELS + 1) {
        cli_warn("withy: --errors: from 2 to %d results, from the coarsest to the finest\n",
                 LEVELS + 1);
        return CLI_USAGE;
    }
    for (int r = 0; r + 1 < results->count && status == WITHY_OK; r++)
        status = take_pair(request, results->item[r], results->item[r + 1], &err);
    if (status == WITHY_OK) status = draw(request, results->item[0], output, &err);
    if (status == WITHY_OK && !quiet) report_errors(output, json);
    drop();
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}
