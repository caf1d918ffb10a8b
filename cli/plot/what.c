/* what.c - chosen numbers over time, of one result or of several: --what tip.z, finish.x, kinetic.
 *
 * NAME is a probe, "start" or "finish" (where the ends of the first rod are), or an entry of the ledger,
 * summed over the rods; .COMPONENT chooses one of its numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

/* One curve for each component, or for the one that was chosen. */
typedef struct curves {
    int64_t count;
    int size;         /* numbers per time */
    int first, shown; /* of them, which are drawn */
    double *t, *value;
    char what[WITHY_NAME]; /* the quantity, "" for entries of the ledger */
    char unit[WITHY_NAME];
} curves;

static withy_status no_memory(withy_error *err) {
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "memory ran out");
    return WITHY_NO_MEMORY;
}

static withy_status take(curves *c, int64_t count, int size, withy_error *err) {
    c->count = count, c->size = size;
    c->t = calloc((size_t)count + 1, sizeof *c->t);
    c->value = calloc(((size_t)count + 1) * (size_t)size, sizeof *c->value);
    return c->t && c->value ? WITHY_OK : no_memory(err);
}

static void drop(curves *c) {
    free(c->t);
    free(c->value);
    *c = (curves){0};
}

/* ---- the three kinds; WITHY_MISSING: there is none of this name -------------------------------------- */

static withy_status read_probe(withy_result *result, const char *name, curves *c,
                               withy_error *err) {
    withy_result_probe probe;
    for (int i = 0; withy_result_probe_at(result, i, &probe); i++) {
        if (strcmp(probe.name, name) != 0) continue;
        const withy_quantity *q = probe.of == WITHY_OF_ROD ? withy_quantity_find(probe.what) : NULL;
        const withy_part_quantity *part = withy_part_quantity_find((int)probe.of, probe.what);
        snprintf(c->what, sizeof c->what, "%s", probe.what);
        snprintf(c->unit, sizeof c->unit, "%s", q ? q->unit : part ? part->unit : "-");
        const withy_status status = take(c, probe.count, probe.size, err);
        return status == WITHY_OK ? withy_result_probe_read(result, i, c->t, c->value, err)
                                  : status;
    }
    return WITHY_MISSING;
}

static withy_status read_end(withy_result *result, const char *name, curves *c, withy_error *err) {
    const int finish = strcmp(name, "finish") == 0;
    if ((!finish && strcmp(name, "start") != 0) || withy_result_rods(result) == 0)
        return WITHY_MISSING;
    withy_status status = take(c, withy_result_count(result), 3, err);
    snprintf(c->what, sizeof c->what, "position");
    snprintf(c->unit, sizeof c->unit, "m");
    for (int64_t k = 0; status == WITHY_OK && k < c->count; k++) {
        const withy_snapshot *snap = withy_result_at(result, 0, k, err);
        if (!snap) return err->code;
        const withy_vec3 r = snap->position[finish ? snap->count - 1 : 0];
        c->t[k] = snap->t;
        c->value[3 * k] = r.x, c->value[3 * k + 1] = r.y, c->value[3 * k + 2] = r.z;
    }
    return status;
}

static withy_status read_entry(withy_result *result, const char *name, curves *c,
                               withy_error *err) {
    withy_result_entry entry;
    int size = 0;
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry); i++) {
        if (strcmp(entry.name, name) != 0) continue;
        size = entry.size;
        snprintf(c->unit, sizeof c->unit, "%s", entry.unit);
    }
    if (size == 0) return WITHY_MISSING;
    withy_status status = take(c, withy_result_count(result), size, err);
    if (status == WITHY_OK) status = withy_result_times(result, c->t, err);
    const size_t total = (size_t)c->count * (size_t)size;
    double *one = calloc(total + 1, sizeof *one);
    if (!one) status = no_memory(err);
    for (int rod = 0; status == WITHY_OK && rod < withy_result_rods(result); rod++) {
        status = withy_result_ledger_read(result, rod, name, one, err);
        for (size_t k = 0; status == WITHY_OK && k < total; k++) c->value[k] += one[k];
    }
    free(one);
    return status;
}

/* ---- by name ------------------------------------------------------------------------------------------ */

static withy_status read_named(withy_result *result, const char *name, curves *c,
                               withy_error *err) {
    withy_status status = read_probe(result, name, c, err);
    if (status == WITHY_MISSING) status = read_end(result, name, c, err);
    if (status == WITHY_MISSING) status = read_entry(result, name, c, err);
    c->first = 0, c->shown = c->size;
    return status;
}

/* Which of the numbers "z" is; -1: none. */
static int component_of(const curves *c, const char *name) {
    for (int i = 0; i < c->size; i++)
        if (strcmp(plot_component(c->what, i), name) == 0) return i;
    return -1;
}

static withy_status refuse(const withy_result *result, const char *path, const char *wanted,
                           withy_error *err) {
    char all[512] = "start, finish";
    size_t used = strlen(all);
    withy_result_probe probe;
    withy_result_entry entry;
    for (int i = 0; withy_result_probe_at(result, i, &probe) && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, ", %s", probe.name);
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry) && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, ", %s", entry.name);
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text,
             "--what %.80s: %.200s has no such number; it has %.400s, and .x, .y, .z of vectors",
             wanted, path, all);
    return WITHY_BAD_INPUT;
}

/* All of "tip", or the component "tip.z". */
static withy_status read_what(withy_result *result, const char *path, const char *wanted, curves *c,
                              withy_error *err) {
    withy_status status = read_named(result, wanted, c, err);
    const char *dot = strrchr(wanted, '.');
    if (status == WITHY_MISSING && dot) {
        char name[WITHY_NAME];
        snprintf(name, sizeof name, "%.*s", (int)(dot - wanted), wanted);
        status = read_named(result, name, c, err);
        const int at = status == WITHY_OK ? component_of(c, dot + 1) : -1;
        if (status == WITHY_OK && at < 0) status = WITHY_MISSING;
        c->first = at, c->shown = 1;
    }
    return status == WITHY_MISSING ? refuse(result, path, wanted, err) : status;
}

/* ---- drawing ------------------------------------------------------------------------------------------ */

enum { POINTS_MOST = 4000, RESULTS_MOST = 8 };

static void put_curves(plot *p, int number, const curves *c) {
    const int64_t stride = 1 + c->count / POINTS_MOST;
    fprintf(p->out, "$what%d << EOD\n", number);
    for (int64_t k = 0; k < c->count; k += stride) {
        if (p->wish.to >= p->wish.from && (c->t[k] < p->wish.from || c->t[k] > p->wish.to))
            continue;
        fprintf(p->out, "%.9g", c->t[k]);
        for (int i = 0; i < c->shown; i++)
            fprintf(p->out, " %.9g", c->value[k * c->size + c->first + i]);
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "EOD\n");
}

/* "b.h5 z": which result, where there are several, and which component. */
static void put_key(plot *p, const curves *c, const char *path, int component) {
    const char *slash = strrchr(path, '/');
    char text[160];
    const char *part =
        c->size > 1 && c->what[0] ? plot_component(c->what, c->first + component) : "";
    snprintf(text, sizeof text, "%.100s%s%s",
             p->wish.results.count > 1 ? (slash ? slash + 1 : path) : "",
             p->wish.results.count > 1 && part[0] ? " " : "", part);
    gnuplot_text(p->out, text[0] ? text : c->what);
}

static void put_panel(plot *p, plot_box box, const char *wanted, const curves *c) {
    char label[160];
    int drawn = 0;
    plot_place(p, box);
    fprintf(p->out, "set grid lw 0.6 lt 1 lc rgb '#e2e2e2'\nset border 3 lw 0.8 lc rgb "
                    "'#555555'\nset autoscale\nset xlabel ");
    gnuplot_text(p->out, plot_axis(p));
    fprintf(p->out, " noenhanced\nset ylabel ");
    snprintf(label, sizeof label, "%.100s [%.40s]", wanted, c[0].unit);
    gnuplot_text(p->out, label);
    fprintf(p->out, " noenhanced\n");
    for (int r = 0; r < p->wish.results.count; r++) put_curves(p, r, &c[r]);
    fprintf(p->out, "plot ");
    for (int r = 0; r < p->wish.results.count; r++)
        for (int i = 0; i < c[r].shown; i++) {
            fprintf(p->out, "%s$what%d using 1:%d with %s lw 1.6 lc rgb '%s' title ",
                    drawn ? ", \\\n  " : "", r, i + 2, c[r].count > 1 ? "lines" : "points pt 7",
                    plot_colour[drawn % PLOT_COLOURS]);
            put_key(p, &c[r], p->wish.results.item[r], i);
            fprintf(p->out, " noenhanced");
            drawn++;
        }
    fprintf(p->out, "\n");
    plot_plain(p);
}

static withy_status draw_what(plot *p, plot_box box, int which, withy_error *err) {
    curves c[RESULTS_MOST] = {0};
    withy_status status = WITHY_OK;
    const char *wanted = p->wish.what.item[which];
    for (int r = 0; r < p->wish.results.count && status == WITHY_OK; r++) {
        withy_result *result;
        status = cli_result(p->wish.results.item[r], &result, err);
        if (status != WITHY_OK) break;
        status = read_what(result, p->wish.results.item[r], wanted, &c[r], err);
        withy_result_close(result);
    }
    if (status == WITHY_OK) put_panel(p, box, wanted, c);
    for (int r = 0; r < RESULTS_MOST; r++) drop(&c[r]);
    return status;
}

int plot_check_what(const plot_wish *wish) {
    if (wish->results.count <= RESULTS_MOST && wish->what.count <= PLOT_PANELS) return -1;
    cli_warn("withy: --what: at most %d results and %d panels; draw fewer at a time\n",
             RESULTS_MOST, PLOT_PANELS);
    return CLI_USAGE;
}

int plot_add_what(plot *p, plot_panel *panel, int count) {
    for (int i = 0; i < p->wish.what.count && count < PLOT_PANELS; i++)
        panel[count++] = (plot_panel){draw_what, i, 0};
    return count;
}
