/* cmd_view.c - withy view: one HTML file with the 3-D replay of one or several results.
 *
 * The page (viewer/, built by npm into one file and embedded here) holds "@DATA@"; the data put there are
 * described in viewer/src/data.js.  Snapshots are thinned so that the file stays below about 15 MB, or 50 MB where many rods move.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lines.h"
#include "plot/plot.h"
#include "process.h"
#include "view.h"
#include "viewer.h"

/* Bytes of packed data over all runs (base64 makes four thirds of it); more where that is too few snapshots to move
 * smoothly. */
static const double BUDGET = 9.0e6, LARGEST = 36.0e6;
enum { ENOUGH = 600 }; /* snapshots */
enum { MOST_RUNS = 6, MOST_PROBE_SAMPLES = 20000 };

/* ---- base64 ----------------------------------------------------------------------------------------- */

void view_group(view_packer *p) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (p->count == 0) return;
    for (int i = p->count; i < 3; i++) p->held[i] = 0;
    const unsigned bits = (unsigned)p->held[0] << 16 | (unsigned)p->held[1] << 8 | p->held[2];
    for (int i = 0; i < 4; i++)
        fputc(i <= p->count ? digit[bits >> (18 - 6 * i) & 63] : '=', p->file);
    p->count = 0;
}

void view_bytes(view_packer *p, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) {
        p->held[p->count++] = byte[i];
        if (p->count == 3) view_group(p);
    }
}

void view_float(view_packer *p, double x) {
    const float y = (float)x;
    view_bytes(p, &y, sizeof y);
}

/* ---- one run -------------------------------------------------------------------------------------------- */

/* Snapshot number of frame k: first and last are always shown. */
int64_t view_snapshot(const view_run *r, int64_t k) {
    return r->shown > 1 ? r->first + (int64_t)llround((double)k * (double)(r->count - 1) /
                                                      (double)(r->shown - 1))
                        : r->first;
}

const withy_snapshot *view_at(view_run *r, int rod, int64_t k) {
    return cli_line_at(r->result, rod, view_snapshot(r, k), &r->err);
}

/* Add the energy of this name of the bodies. */
static void add_parts(view_run *r, const char *name, double *sum) {
    const int kinetic = strcmp(name, "kinetic") == 0;
    if (withy_result_bodies(r->result) == 0 || (!kinetic && strcmp(name, "gravity") != 0)) return;
    for (int64_t k = 0; k < r->snapshots; k++) {
        const withy_parts *parts = withy_result_parts_at(r->result, k, &r->err);
        if (parts) sum[k] += kinetic ? parts->kinetic : parts->gravity;
    }
}

/* director has these of the whole network in the ledger of every rod (withy/snapshot.h). */
static int is_of_all(const view_run *r, const char *name) {
    return strcmp(withy_result_text(r->result, "method"), "director") == 0 &&
           (strcmp(name, "conserved") == 0 || strcmp(name, "momentum") == 0 ||
            strcmp(name, "angular_momentum") == 0);
}

/* Add the ledger entry of this name over all rods. */
static int sum_ledger(view_run *r, const withy_result_entry *entry, double *sum) {
    const size_t count = (size_t)r->snapshots * (size_t)entry->size;
    double *one = calloc(count, sizeof *one);
    int ok = one != NULL;
    if (ok && entry->size == 1) add_parts(r, entry->name, sum);
    const int rods = is_of_all(r, entry->name) ? 1 : withy_result_rods(r->result);
    for (int rod = 0; ok && rod < rods; rod++) {
        ok = withy_result_ledger_read(r->result, rod, entry->name, one, &r->err) == WITHY_OK;
        for (size_t i = 0; ok && i < count; i++) sum[i] += one[i];
    }
    free(one);
    return ok;
}

/* Values [snapshots][size] under a name, at the frames shown; a vector by its length. */
static void put_entry(view_run *r, const char *name, const double *value, int size, int first,
                      FILE *file) {
    view_packer p = {.file = file};
    fprintf(file, "%s\"%s\":\"", first ? "" : ",", name);
    for (int64_t k = 0; k < r->shown; k++) {
        const double *x = value + view_snapshot(r, k) * size;
        view_float(&p, size == 3 ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) : x[0]);
    }
    view_group(&p);
    fprintf(file, "\"");
}

/* The energy of the springs of joints, where there are joints. */
static int put_springs(view_run *r, int first, FILE *file) {
    withy_joint joint;
    if (r->modes || !withy_result_joint_at(r->result, 0, &joint)) return 1;
    double *value = calloc((size_t)r->snapshots, sizeof *value);
    const withy_parts *parts = NULL;
    for (int64_t k = 0; value && k < r->snapshots; k++) {
        parts = withy_result_parts_at(r->result, k, &r->err);
        if (!parts) break;
        value[k] = parts->springs;
    }
    if (parts) put_entry(r, "springs", value, 1, first, file);
    free(value);
    return parts != NULL;
}

/* The ledger over all rods, at the frames shown. */
static int put_ledger(view_run *r, FILE *file) {
    static const char *const requested[] = {"kinetic",    "shear",    "stretch",         "bend",
                                            "twist",      "gravity",  "conserved",       "work",
                                            "dissipated", "momentum", "angular_momentum"};
    withy_result_entry entry;
    int first = 1;
    fprintf(file, ",\"ledger\":{");
    for (int index = 0; withy_result_ledger_at(r->result, 0, index, &entry); index++) {
        int found = 0;
        for (size_t i = 0; i < sizeof requested / sizeof *requested; i++)
            found |= strcmp(entry.name, requested[i]) == 0;
        if (!found) continue;
        double *value = calloc((size_t)r->snapshots * (size_t)entry.size, sizeof *value);
        if (!value || !sum_ledger(r, &entry, value)) {
            free(value);
            return 0;
        }
        put_entry(r, entry.name, value, entry.size, first, file);
        free(value);
        first = 0;
    }
    if (!first && !put_springs(r, first, file)) return 0;
    fprintf(file, "}");
    return 1;
}

/* "": it has none. */
static const char *unit_of(const withy_result_probe *probe) {
    const withy_quantity *q = withy_quantity_find((int)probe->of, probe->what);
    const char *unit = q ? q->unit : "";
    return strcmp(unit, "-") == 0 ? "" : unit;
}

static int put_probe(view_run *r, int index, const withy_result_probe *probe, FILE *file) {
    size_t count = (size_t)probe->count, size = (size_t)probe->size, first = 0;
    double *t = calloc(count + 1, sizeof *t), *value = calloc((count + 1) * size, sizeof *value);
    const int ok =
        t && value && withy_result_probe_read(r->result, index, t, value, &r->err) == WITHY_OK;
    while (ok && first < count && t[first] < r->from) first++;
    while (ok && count > first && t[count - 1] > r->to) count--;
    const size_t stride = (count - first) / MOST_PROBE_SAMPLES + 1;
    if (ok) {
        fprintf(file, "%s{\"name\":", index ? "," : "");
        json_quoted(file, probe->name);
        fprintf(file, ",\"what\":");
        json_quoted(file, probe->what);
        fprintf(file, ",\"unit\":");
        json_quoted(file, unit_of(probe));
        fprintf(file, ",\"size\":%d,\"t\":\"", probe->size);
        view_packer p = {.file = file};
        for (size_t i = first; i < count; i += stride) view_float(&p, t[i]);
        view_group(&p);
        fprintf(file, "\",\"value\":\"");
        for (size_t i = first; i < count; i += stride)
            for (size_t c = 0; c < size; c++) view_float(&p, value[i * size + c]);
        view_group(&p);
        fprintf(file, "\"}");
    }
    free(t);
    free(value);
    return ok;
}

static int put_times(view_run *r, FILE *file) {
    double *t = calloc((size_t)r->snapshots, sizeof *t);
    const int ok = t && withy_result_times(r->result, t, &r->err) == WITHY_OK;
    view_packer p = {.file = file};
    fprintf(file, ",\"t\":\"");
    for (int64_t k = 0; ok && k < r->shown; k++) view_float(&p, t[view_snapshot(r, k)]);
    view_group(&p);
    fprintf(file, "\",\"rods\":[");
    free(t);
    return ok;
}

/* What the modes are. */
static int put_modes(view_run *r, FILE *file) {
    fprintf(file, ",\"modes\":[");
    for (int64_t k = 0; k < r->shown; k++) {
        const withy_snapshot *s = view_at(r, 0, k);
        if (!s) return 0;
        fprintf(file, "%s{\"kind\":%d,\"frequency\":", k ? "," : "", s->vibration.kind);
        json_figure(file, s->t);
        fprintf(file, ",\"damping\":");
        json_figure(file, s->vibration.damping);
        fprintf(file, ",\"growth\":");
        json_figure(file, s->vibration.growth);
        fprintf(file, "}");
    }
    fprintf(file, "]");
    return 1;
}

static int put_run(view_run *r, FILE *file) {
    const char *slash = strrchr(r->path, '/');
    fprintf(file, "{\"name\":");
    json_quoted(file, slash ? slash + 1 : r->path);
    fprintf(file, ",\"title\":");
    json_quoted(file, withy_result_text(r->result, "title"));
    fprintf(file, ",\"method\":");
    json_quoted(file, withy_result_text(r->result, "method"));
    fprintf(file, ",\"status\":");
    json_quoted(file, withy_result_text(r->result, "status"));
    fprintf(file, ",\"axis\":");
    json_quoted(file, withy_result_text(r->result, "axis"));
    fprintf(file, ",\"snapshots\":%lld,\"window\":%lld", (long long)r->snapshots,
            (long long)r->count);
    if (r->modes && !put_modes(r, file)) return 0;
    if (!put_times(r, file)) return 0;
    /* rods, and arms of bodies and links as rods, which have no shape of a mode */
    const int lines = r->modes ? withy_result_rods(r->result) : cli_arms(r->result);
    for (int line = 0; line < lines; line++)
        if (!view_rod(r, line, file)) return 0;
    fprintf(file, "]");
    if (!view_parts(r, file)) return 0;
    if (!put_ledger(r, file)) return 0;
    fprintf(file, ",\"probes\":[");
    withy_result_probe probe;
    for (int i = 0; withy_result_probe_at(r->result, i, &probe); i++)
        if (!put_probe(r, i, &probe, file)) return 0;
    fprintf(file, "]}");
    return 1;
}

/* ---- the page ------------------------------------------------------------------------------------------- */

static int write_page(view_run *r, int count, FILE *file) {
    static const char mark[] = "@DATA@";
    const char *page = viewer_page(), *place = strstr(page, mark);
    fwrite(page, 1, (size_t)(place - page), file);
    fprintf(file, "{\"runs\":[");
    for (int i = 0; i < count; i++) {
        if (i) fprintf(file, ",");
        if (!put_run(&r[i], file)) return 0;
    }
    fprintf(file, "]}%s", place + strlen(mark));
    return 1;
}

/* Which snapshots lie between --from and --to. */
static withy_status choose_window(view_run *r, withy_error *err) {
    double *t = calloc((size_t)r->snapshots + 1, sizeof *t);
    withy_status status = t ? withy_result_times(r->result, t, err) : WITHY_NO_MEMORY;
    int64_t last = -1;
    r->first = -1;
    for (int64_t k = 0; status == WITHY_OK && k < r->snapshots; k++)
        if (t[k] >= r->from && t[k] <= r->to) r->first = r->first < 0 ? k : r->first, last = k;
    r->count = last - r->first + 1;
    free(t);
    if (status == WITHY_NO_MEMORY) snprintf(err->text, sizeof err->text, "memory ran out");
    if (status != WITHY_OK || last >= 0) return err->code = status;
    snprintf(err->text, sizeof err->text, "%.800s: no snapshot lies between --from %g and --to %g",
             r->path, r->from, r->to);
    return err->code = WITHY_BAD_INPUT;
}

static withy_status open_runs(const cli_list *paths, view_run *r, withy_error *err) {
    for (int i = 0; i < paths->count; i++) {
        r[i].path = paths->item[i], r[i].from = r[0].from, r[i].to = r[0].to;
        const withy_status status = cli_result(paths->item[i], &r[i].result, err);
        if (status != WITHY_OK) return status;
        r[i].snapshots = withy_result_count(r[i].result);
        const withy_snapshot *first =
            withy_result_rods(r[i].result) ? withy_result_at(r[i].result, 0, 0, err) : NULL;
        r[i].modes = first && (first->have & WITHY_HAVE_MODE);
        const double each = fmax(1, view_frame_bytes(&r[i])) * paths->count;
        const double fit = fmax(BUDGET / each, fmin(ENOUGH, LARGEST / each));
        if (choose_window(&r[i], err) != WITHY_OK) return err->code;
        r[i].shown = (double)r[i].count < fit ? r[i].count : (int64_t)fmax(2, fit);
    }
    return WITHY_OK;
}

/* Write the page to a temporary file and rename it when it is complete. */
static int write_file(view_run *r, int count, const char *path) {
    wy_atomic_file file;
    withy_error err = {0};
    int code = whole_begin(&file, path);
    if (!code && !write_page(r, count, file.stream)) {
        wy_atomic_file_drop(&file);
        for (int i = 0; i < count; i++)
            if (r[i].err.text[0]) return cli_error(&r[i].err);
        code = ENOMEM;
    }
    if (!code) code = wy_atomic_file_keep(&file);
    if (code) return wy_cannot_write(path, code, &err), cli_error(&err);
    cli_print("written: %s (open it in any browser)\n", path);
    return CLI_OK;
}

/* Does the file begin as a page of this command does? */
static int is_page(FILE *file) {
    char head[2048];
    const size_t size = fread(head, 1, sizeof head - 1, file);
    head[size] = '\0'; /* what a page of text has after a zero is not looked for */
    return strstr(head, "<title>withy</title>") != NULL;
}

/* FILE.html was not named: a page of an earlier view is replaced, the work of somebody else is not.  -1: write it. */
static int check_unnamed(const char *path) {
    if (access(path, F_OK) != 0) return -1;
    FILE *file = fopen(path, "rb");
    const int ours = file && is_page(file);
    if (file) fclose(file);
    if (ours) return -1;
    cli_warn("withy: %s exists and was not written by withy view: name the page to write with -o "
             "FILE.html\n",
             path);
    return CLI_USAGE;
}

/* A page is no picture and no result, whatever it is called; -1: continue. */
static int check_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0)) return -1;
    cli_warn("withy: -o %s: a page ends with .html; withy plot draws .svg, .png and .pdf, withy "
             "render .mp4 and .gif\n",
             path);
    return CLI_USAGE;
}

int cmd_view(int argc, char **argv) {
    const char *output = NULL, *from = NULL, *to = NULL, *which = NULL;
    cli_list rest;
    const cli_option option[] = {
        {"output", 'o', "FILE.html",
         "the page to write (default for one result: FILE.html next "
         "to it)",
         .text = &output},
        {"from", 0, "T",
         "start at this time [s]; use it to show a part of a run at audio rate with all its "
         "snapshots",
         .text = &from},
        {"to", 0, "T", "end at this time [s]", .text = &to},
        {"members", 0, "3,7,9",
         "show these members of a sweep side by side; FOLDER contains the results that withy "
         "sweep wrote",
         .text = &which},
        {0}};
    const cli_usage usage = {
        "withy view FILE.h5 [MORE.h5...] [-o FILE.html], or withy view FOLDER --members 3,7,9 -o "
        "FILE.html",
        "Write one self-contained HTML page with a 3-D replay: rotate, play, scrub, colour by "
        "curvature,\n"
        "twist, tension, moment or speed, with plots of energies and probes.  Several results "
        "are overlaid.\nModes are animated.",
        "  withy run falling_rod -o fall.h5 && withy view fall.h5 -o fall.html\n"
        "  withy view sound.h5 --from 0 --to 0.05 -o attack.html",
        option};
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (which && !output) {
        cli_warn("withy: --members %s: name the page to write with -o FILE.html\n", which);
        return CLI_USAGE;
    }
    if (which && rest.count == 1) {
        const char *folder = rest.item[0];
        if ((status = cli_members(which, folder, MOST_RUNS, &rest)) >= 0) return status;
    }
    if (rest.count < 1 || rest.count > MOST_RUNS || (!output && rest.count > 1)) {
        cli_warn("withy: expected 1 to %d result files, and for more than one -o FILE.html; "
                 "usage: %s\n",
                 MOST_RUNS, usage.line);
        return CLI_USAGE;
    }
    char named[4096];
    cli_name_output(rest.item[0], ".html", named, sizeof named);
    const int unnamed = !output;
    if (unnamed) output = named;
    if (!viewer_page()) {
        cli_warn("withy: the viewer is not in this build: it needs node and npm (make viewer, then "
                 "make)\n");
        return CLI_USAGE;
    }
    if (unnamed && (status = check_unnamed(output)) >= 0) return status;
    for (int i = 0; i < rest.count; i++)
        if ((status = whole_check(output, rest.item[i])) >= 0) return status;
    if ((status = check_ending(output)) >= 0) return status;
    view_run r[MOST_RUNS] = {{.from = -INFINITY, .to = INFINITY}};
    if ((status = plot_read_number("from", from, "[s]", &r[0].from)) >= 0) return status;
    if ((status = plot_read_number("to", to, "[s]", &r[0].to)) >= 0) return status;
    withy_error err = {0};
    status =
        open_runs(&rest, r, &err) == WITHY_OK ? write_file(r, rest.count, output) : cli_error(&err);
    for (int i = 0; i < MOST_RUNS; i++) withy_result_close(r[i].result);
    return status;
}
