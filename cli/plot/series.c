/* series.c - numbers over time: energies, the ledger, probes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

enum { POINTS_MOST = 4000 };

/* One line: its name and values at all snapshots, summed over the rods. */
typedef struct series {
    const char *name;
    double *value; /* [snapshots], or NULL */
} series;

static withy_status no_memory(withy_error *err) {
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "memory ran out");
    return WITHY_NO_MEMORY;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Add the energy of this name of bodies and joints. */
static withy_status add_parts(plot *p, const char *name, double *sum, withy_error *err) {
    if (withy_result_bodies(p->result) + withy_result_joints(p->result) == 0) return WITHY_OK;
    for (int64_t k = 0; k < p->snapshots; k++) {
        const withy_parts *parts = withy_result_parts_at(p->result, k, err);
        if (!parts) return err->code;
        if (strcmp(name, "kinetic") == 0) sum[k] += parts->kinetic;
        if (strcmp(name, "gravity") == 0) sum[k] += parts->gravity;
        if (strcmp(name, "joints") == 0) sum[k] += parts->springs;
    }
    return WITHY_OK;
}

/* Sum of an entry over the rods; value stays NULL when a rod lacks it. */
static withy_status read_series(plot *p, const char *name, series *line, withy_error *err) {
    const size_t count = (size_t)p->snapshots;
    double *sum = calloc(count, sizeof *sum), *one = calloc(count, sizeof *one);
    withy_status status = sum && one ? WITHY_OK : no_memory(err);
    const int joints = strcmp(name, "joints") == 0; /* no entry of a rod */
    if (status == WITHY_OK) status = add_parts(p, name, sum, err);
    for (int rod = 0; rod < p->rods && !joints && status == WITHY_OK; rod++) {
        status = withy_result_ledger_read(p->result, rod, name, one, err);
        for (size_t k = 0; status == WITHY_OK && k < count; k++) sum[k] += one[k];
    }
    free(one);
    *line = (series){name, status == WITHY_OK ? sum : NULL};
    if (status != WITHY_OK) free(sum);
    return status == WITHY_MISSING ? WITHY_OK : status;
}

/* Between --from and --to. */
static int shows(const plot *p, double t) {
    const plot_request *w = &p->request;
    return w->to < w->from || (t >= w->from && t <= w->to);
}

static double largest(const plot *p, const series *line) {
    double most = 0;
    for (int64_t k = 0; line->value && k < p->snapshots; k++)
        if (shows(p, p->time[k])) most = fmax(most, fabs(line->value[k]));
    return most;
}

static void drop_series(series *line, int count) {
    for (int i = 0; i < count; i++) free(line[i].value);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int64_t stride_of(int64_t count) {
    return count <= POINTS_MOST ? 1 : (count + POINTS_MOST - 1) / POINTS_MOST;
}

static void put_block(plot *p, const char *name, const double *t, const double *value, int size,
                      int64_t count) {
    int64_t shown = 0;
    for (int64_t k = 0; k < count; k++) shown += shows(p, t[k]);
    const int64_t stride = stride_of(shown);
    fprintf(p->out, "%s << EOD\n", name);
    for (int64_t k = 0; k < count; k += stride) {
        if (!shows(p, t[k])) continue;
        fprintf(p->out, "%.9g", t[k]);
        for (int i = 0; i < size; i++) fprintf(p->out, " %.9g", value[k * size + i]);
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "EOD\n");
}

/* A path may turn back: its last factor is not always the largest. */
static void time_range(const plot *p, double *low, double *high) {
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (int64_t k = 0; k < p->snapshots; k++)
        if (shows(p, p->time[k])) *low = fmin(*low, p->time[k]), *high = fmax(*high, p->time[k]);
    if (*low > *high)
        *low = *high = p->time[0]; /* no snapshot there: probes may have been recorded */
}

static void put_axes(plot *p, plot_box box, const char *label, const char *unit) {
    plot_place(p, box);
    fprintf(p->out, "set grid lw 0.6 lt 1 lc rgb rule\nset border 3 lw 0.8 lc rgb edge\n");
    fprintf(p->out, "set xlabel ");
    gnuplot_text(p->out, plot_axis(p));
    fprintf(p->out, " noenhanced\nset ylabel ");
    char text[160];
    snprintf(text, sizeof text, "%s [%s]", label, unit);
    gnuplot_text(p->out, text);
    double low, high;
    time_range(p, &low, &high);
    if (!(high > low)) low -= 0.5, high += 0.5;
    fprintf(p->out, " noenhanced\nset xrange [%.9g:%.9g]\n", low, high);
}

/* Lines; dots where there is only one time, which gives no line. */
static const char *curve_of(const plot *p) {
    double low, high;
    time_range(p, &low, &high);
    return high > low ? "lines" : "points pt 7 ps 0.7";
}

static void put_range(plot *p, const double *t, const double *value, int size, int64_t count) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t k = 0; k < size * count; k++)
        if (shows(p, t[k / size])) low = fmin(low, value[k]), high = fmax(high, value[k]);
    if (low > high) low = high = 0;
    plot_range(p, low, high);
}

/* Parts thin and coloured, the last one (the total) black and thicker. */
static void put_lines(plot *p, const series *line, int count, double small) {
    int drawn = 0;
    for (int i = 0; i < count; i++) {
        if (!line[i].value || !(largest(p, &line[i]) > small)) continue;
        char block[32];
        snprintf(block, sizeof block, "$line%d", i);
        put_block(p, block, p->time, line[i].value, 1, p->snapshots);
    }
    fprintf(p->out, "plot ");
    for (int i = 0; i < count; i++) {
        if (!line[i].value || !(largest(p, &line[i]) > small)) continue;
        const int total = i == count - 1;
        fprintf(p->out, "%s$line%d using 1:2 with %s lw %s lc rgb %s title ",
                drawn ? ", \\\n  " : "", i, curve_of(p), total ? "2.2" : "1.6",
                total ? "ink" : plot_colour[i % PLOT_COLOURS]);
        gnuplot_text(p->out, line[i].name);
        drawn++;
    }
    fprintf(p->out, drawn ? "\n" : "0 lc rgb ink title 'all energies are zero'\n");
}

/* ---- energies -------------------------------------------------------------------------------- */

static const char *const energy_name[] = {"kinetic", "bend",    "twist", "stretch",
                                          "shear",   "gravity", "joints"};
enum { ENERGIES = sizeof energy_name / sizeof *energy_name };

/* The kinds of energy, and after them their sum. */
static withy_status read_energies(plot *p, series *line, withy_error *err) {
    series *total = &line[ENERGIES];
    *total = (series){"total", calloc((size_t)p->snapshots, sizeof *total->value)};
    if (!total->value) return no_memory(err);
    for (int i = 0; i < ENERGIES; i++) {
        const withy_status status = read_series(p, energy_name[i], &line[i], err);
        if (status != WITHY_OK) return status;
        for (int64_t k = 0; line[i].value && k < p->snapshots; k++)
            total->value[k] += line[i].value[k];
    }
    return WITHY_OK;
}

static void put_energies(plot *p, plot_box box, const series *line, int count, const char *label) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, largest(p, &line[i]));
    put_axes(p, box, label, "J");
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; i++)
        for (int64_t k = 0; line[i].value && k < p->snapshots; k++)
            if (shows(p, p->time[k]))
                low = fmin(low, line[i].value[k]), high = fmax(high, line[i].value[k]);
    if (isfinite(low) && isfinite(high)) plot_range(p, low, high);
    put_lines(p, line, count, 1e-12 * most);
    plot_plain(p);
}

static withy_status draw_energy(plot *p, plot_box box, int which, withy_error *err) {
    (void)which;
    series line[ENERGIES + 1] = {0};
    const withy_status status = read_energies(p, line, err);
    if (status == WITHY_OK) put_energies(p, box, line, ENERGIES + 1, "energy");
    drop_series(line, ENERGIES + 1);
    return status;
}

/* Energy stored since the start, work put in, energy lost, and the remainder: zero when
 * the ledger balances. */
static withy_status draw_ledger(plot *p, plot_box box, int which, withy_error *err) {
    (void)which;
    series energy[ENERGIES + 1] = {0}, sum[4] = {0};
    withy_status status = read_energies(p, energy, err);
    if (status == WITHY_OK) status = read_series(p, "work", &sum[1], err);
    if (status == WITHY_OK) status = read_series(p, "dissipated", &sum[2], err);
    if (status == WITHY_OK) {
        sum[0] = (series){"stored", energy[ENERGIES].value};
        sum[3] = (series){"left over", calloc((size_t)p->snapshots, sizeof *sum[3].value)};
        energy[ENERGIES].value = NULL;
        if (!sum[3].value) status = no_memory(err);
    }
    const double start = status == WITHY_OK ? sum[0].value[0] : 0;
    for (int64_t k = 0; status == WITHY_OK && k < p->snapshots; k++) {
        sum[0].value[k] -= start;
        sum[3].value[k] = sum[0].value[k] - (sum[1].value ? sum[1].value[k] : 0) +
                          (sum[2].value ? sum[2].value[k] : 0);
    }
    if (status == WITHY_OK)
        put_energies(p, box, sum, 4,
                     plot_is_timed(p) ? "energy since t = 0" : "energy since the start");
    drop_series(energy, ENERGIES + 1);
    drop_series(sum, 4);
    return status;
}

/* ---- growth ---------------------------------------------------------------------------------- */

/* |xi| of a step, from the energy between two snapshots: (E_1/E_0)^(1/(2 steps)).  An energy is
 * quadratic in the motion, so this is the factor by which an amplitude grows in a step; 1 where the
 * scheme neither gains nor loses. */
static withy_status draw_growth(plot *p, plot_box box, int which, withy_error *err) {
    (void)which;
    series line[ENERGIES + 1] = {0};
    withy_status status = read_energies(p, line, err);
    fprintf(p->out, "$growth << EOD\n");
    int64_t before = 0;
    for (int64_t k = 0; k < p->snapshots && status == WITHY_OK; k++) {
        const withy_snapshot *snap = withy_result_at(p->result, 0, k, err);
        if (!snap) status = err->code;
        if (!snap) break;
        const double *e = line[ENERGIES].value;
        const double steps = (double)(snap->step - before);
        if (k && steps > 0 && e[k - 1] > 0 && e[k] > 0 && shows(p, p->time[k]))
            fprintf(p->out, "%.9g %.12g\n", p->time[k], pow(e[k] / e[k - 1], 0.5 / steps));
        before = snap->step;
    }
    fprintf(p->out, "EOD\n");
    put_axes(p, box, "growth factor of a step", "-");
    fprintf(p->out,
            "set format y '%%.8g'\nplot $growth using 1:2 with lines lw 1.6 lc rgb %s notitle, 1 "
            "lw 1 dt 2 lc rgb "
            "grey notitle\n",
            plot_colour[0]);
    plot_plain(p);
    drop_series(line, ENERGIES + 1);
    return status;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static void put_probe(plot *p, plot_box box, const withy_result_probe *probe, const double *t,
                      const double *value) {
    const withy_quantity *quantity = withy_quantity_find((int)probe->of, probe->what);
    char label[160];
    snprintf(label, sizeof label, "%s: %s", probe->name, probe->what);
    put_axes(p, box, label, quantity ? quantity->unit : "-");
    put_range(p, t, value, probe->size, probe->count);
    put_block(p, "$probe", t, value, probe->size, probe->count);
    fprintf(p->out, "plot ");
    for (int i = 0; i < probe->size; i++) {
        fprintf(p->out, "%s$probe using 1:%d with %s lw 1.6 lc rgb %s title ", i ? ", \\\n  " : "",
                i + 2, curve_of(p), plot_colour[i % PLOT_COLOURS]);
        gnuplot_text(p->out, probe->size == 1 ? probe->what : plot_component(probe->what, i));
    }
    fprintf(p->out, "\n");
    plot_plain(p);
}

static withy_status draw_probe(plot *p, plot_box box, int which, withy_error *err) {
    withy_result_probe probe;
    if (!withy_result_probe_at(p->result, which, &probe)) return WITHY_OK;
    if (probe.count == 0) { /* modes */
        err->code = WITHY_BAD_INPUT;
        snprintf(err->text, sizeof err->text, "--probes: the result holds no record of %s",
                 probe.name);
        return WITHY_BAD_INPUT;
    }
    const size_t count = (size_t)probe.count + 1;
    double *t = calloc(count, sizeof *t);
    double *value = calloc(count * (size_t)probe.size, sizeof *value);
    withy_status status =
        t && value ? withy_result_probe_read(p->result, which, t, value, err) : no_memory(err);
    if (status == WITHY_OK) put_probe(p, box, &probe, t, value);
    free(t);
    free(value);
    return status;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static int has_energy(const plot *p) {
    withy_result_entry entry;
    for (int i = 0; withy_result_ledger_at(p->result, 0, i, &entry); i++)
        if (strcmp(entry.name, "kinetic") == 0) return 1;
    return p->rods == 0 && withy_result_bodies(p->result) > 0;
}

int plot_add_series(plot *p, plot_panel *panel, int count) {
    const plot_request *w = &p->request;
    const int nothing = !w->shapes && !w->probes && !w->ledger && !w->growth && !w->decay &&
                        !w->contacts && !w->profile.count && !w->grid && !w->spectrum.count &&
                        !w->what.count;
    if (w->energy || (nothing && has_energy(p) && p->snapshots > 1))
        panel[count++] = (plot_panel){draw_energy, 0, 0};
    if (w->ledger) panel[count++] = (plot_panel){draw_ledger, 0, 0};
    if (w->growth) panel[count++] = (plot_panel){draw_growth, 0, 0};
    withy_result_probe probe;
    for (int i = 0; w->probes && withy_result_probe_at(p->result, i, &probe); i++)
        if (count < PLOT_PANELS) panel[count++] = (plot_panel){draw_probe, i, 0};
    return count;
}
