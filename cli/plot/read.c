/* read.c - which snapshots are drawn, their extent, and the direction of view. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

enum { SHAPES_MOST = 41, FRAMES_MOST = 4096 };

static withy_status fail(withy_error *err, withy_status code, const char *text) {
    err->code = code;
    snprintf(err->text, sizeof err->text, "%s", text);
    return code;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static withy_status listed_frames(plot *p, withy_error *err) {
    for (const char *c = p->request.frames; *c;) {
        char *end;
        const long long k = strtoll(c, &end, 10);
        if (end == c || (*end && *end != ',') || k < 0 || k >= p->snapshots ||
            p->frame_count == FRAMES_MOST) {
            err->code = WITHY_BAD_INPUT;
            snprintf(err->text, sizeof err->text,
                     "--frames %s: numbers of snapshots from 0 to %lld, with commas between, at "
                     "most %d",
                     p->request.frames, (long long)p->snapshots - 1, FRAMES_MOST);
            return WITHY_BAD_INPUT;
        }
        p->frame[p->frame_count++] = k;
        c = *end ? end + 1 : end;
    }
    return WITHY_OK;
}

/* Equally spaced snapshots of the window of time, first and last included. */
static withy_status spaced_frames(plot *p, withy_error *err) {
    const plot_request *w = &p->request;
    int64_t first = 0, last = p->snapshots - 1;
    if (w->to >= w->from) {
        const double slack = 1e-9 * fabs(p->time[last]);
        while (first < last && p->time[first] < w->from - slack) first++;
        while (last > first && p->time[last] > w->to + slack) last--;
    }
    const int64_t span = last - first;
    int64_t most = w->count > 0 ? w->count : w->grid > 0 ? FRAMES_MOST : SHAPES_MOST;
    if (most > FRAMES_MOST) most = FRAMES_MOST;
    if (w->every > 0 && span / w->every + 1 > FRAMES_MOST)
        return fail(err, WITHY_BAD_INPUT, "--every: too many shapes for one picture; use --count");
    if (w->every > 0) {
        for (int64_t k = first; k <= last; k += w->every) p->frame[p->frame_count++] = k;
    } else if (w->count > 0) {
        const int64_t count = most < span + 1 ? most : span + 1;
        for (int64_t i = 0; i < count; i++)
            p->frame[p->frame_count++] =
                count > 1 ? first + (i * span + (count - 1) / 2) / (count - 1) : last;
    } else { /* a whole number of snapshots apart, so that the spacing in time is even */
        const int64_t stride = span < most ? 1 : (span + most - 2) / (most - 1);
        for (int64_t k = first; k <= last; k += stride) p->frame[p->frame_count++] = k;
    }
    if (p->frame[p->frame_count - 1] < last && p->frame_count < FRAMES_MOST)
        p->frame[p->frame_count++] = last; /* where it ends is what is looked for */
    return WITHY_OK;
}

/* --from and --to must leave something: a picture of another time, or an empty one, would look like the answer. */
static withy_status check_window(const plot *p, withy_error *err) {
    const plot_request *w = &p->request;
    double first = p->time[0], last = first;
    for (int64_t k = 1; k < p->snapshots; k++)
        first = fmin(first, p->time[k]), last = fmax(last, p->time[k]);
    const double slack = 1e-9 * fmax(fabs(first), fabs(last));
    const int late = w->from > last + slack;
    if (w->to < w->from || (!late && !(w->to < first - slack))) return WITHY_OK;
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text,
             "--%s %g: the result holds nothing there; it is from %.9g to %.9g",
             late ? "from" : "to", late ? w->from : w->to, first, last);
    return WITHY_BAD_INPUT;
}

static withy_status choose_frames(plot *p, withy_error *err) {
    p->frame = calloc(FRAMES_MOST, sizeof *p->frame);
    if (!p->frame) return fail(err, WITHY_NO_MEMORY, "memory ran out");
    return p->request.frames ? listed_frames(p, err) : spaced_frames(p, err);
}

/* ---- box and plane --------------------------------------------------------------------------- */

static void stretch(plot *p, const withy_vec3 *r) {
    const double x[3] = {r->x, r->y, r->z};
    for (int i = 0; i < 3; i++) {
        if (x[i] < p->low[i]) p->low[i] = x[i];
        if (x[i] > p->high[i]) p->high[i] = x[i];
    }
}

static withy_status find_box(plot *p, withy_error *err) {
    for (int i = 0; i < 3; i++) p->low[i] = HUGE_VAL, p->high[i] = -HUGE_VAL;
    for (int f = 0; f < p->frame_count; f++)
        for (int line = 0; line < p->lines; line++) {
            const withy_snapshot *snap = cli_line_at(p->result, line, p->frame[f], err);
            if (!snap) return err->code;
            if (!(snap->have & WITHY_HAVE_POSITION))
                return fail(err, WITHY_BAD_INPUT, "the result holds no positions");
            for (int i = 0; i < snap->count; i++) stretch(p, &snap->position[i]);
        }
    return WITHY_OK;
}

/* The plane of the two largest spreads, or 3-D when the third is not small. */
static plot_plane choose_plane(const plot *p) {
    if (p->request.plane != PLOT_AUTO) return p->request.plane;
    double spread[3], most = 0;
    for (int i = 0; i < 3; i++) {
        spread[i] = p->high[i] - p->low[i];
        most = fmax(most, spread[i]);
    }
    const double flat = 1e-3 * most;
    if (spread[0] > flat && spread[1] > flat && spread[2] > flat) return PLOT_3D;
    if (spread[1] <= spread[0] && spread[1] <= spread[2]) return PLOT_XZ;
    return spread[0] < spread[2] ? PLOT_YZ : PLOT_XY;
}

/* ---- opening --------------------------------------------------------------------------------- */

static withy_status read_times(plot *p, withy_error *err) {
    p->rods = withy_result_rods(p->result);
    p->lines = cli_lines(p->result);
    p->snapshots = withy_result_count(p->result);
    if (p->snapshots == 0)
        return fail(err, WITHY_BAD_INPUT, "the result holds no snapshot: nothing to draw");
    p->time = calloc((size_t)p->snapshots, sizeof *p->time);
    if (!p->time) return fail(err, WITHY_NO_MEMORY, "memory ran out");
    return withy_result_times(p->result, p->time, err);
}

/* Requested data must be in the file: an empty panel would look like zero. */
static int holds(const plot *p, const char *name) {
    withy_result_entry entry;
    if (p->rods == 0) return strcmp(name, "kinetic") == 0;
    for (int i = 0; withy_result_ledger_at(p->result, 0, i, &entry); i++)
        if (strcmp(entry.name, name) == 0) return 1;
    return 0;
}

static withy_status check_request(plot *p, withy_error *err) {
    const plot_request *w = &p->request;
    withy_result_probe probe;
    if (w->probes && !withy_result_probe_at(p->result, 0, &probe))
        return fail(err, WITHY_BAD_INPUT,
                    "--probes: the result holds none; name some under probes in the scene");
    if (w->growth && (!holds(p, "kinetic") || p->rods == 0 || !plot_is_timed(p)))
        return fail(err, WITHY_BAD_INPUT,
                    "--growth: only a run in time whose result holds energies has a growth factor");
    if ((w->energy || w->ledger) && !holds(p, "kinetic"))
        return fail(err, WITHY_BAD_INPUT, "--energy, --ledger: the result holds no energies");
    if (w->ledger && !holds(p, "work"))
        return fail(err, WITHY_BAD_INPUT, "--ledger: the result holds no work and dissipation");
    if (w->profile.count && p->rods == 0)
        return fail(err, WITHY_BAD_INPUT, "--profile: the result holds no rods");
    const withy_snapshot *snap = w->profile.count ? withy_result_at(p->result, 0, 0, err) : NULL;
    if (w->profile.count && !snap) return err->code;
    for (int i = 0; i < w->profile.count; i++) {
        int material;
        const withy_quantity *requested = plot_profile_find(w->profile.item[i], &material);
        const unsigned needs = requested->have | (material ? WITHY_HAVE_FRAME : 0);
        if ((snap->have & needs) == needs) continue;
        char text[160];
        snprintf(text, sizeof text, "--profile %s: the result does not hold it",
                 w->profile.item[i]);
        return fail(err, WITHY_BAD_INPUT, text);
    }
    return WITHY_OK;
}

withy_status plot_open(plot *p, const char *path, withy_error *err) {
    withy_status status = cli_result(path, &p->result, err);
    if (status == WITHY_OK) status = read_times(p, err);
    if (status == WITHY_OK) status = check_request(p, err);
    if (status == WITHY_OK) status = check_window(p, err);
    if (status == WITHY_OK) status = choose_frames(p, err);
    if (status == WITHY_OK) status = find_box(p, err);
    if (status == WITHY_OK) p->plane = choose_plane(p);
    return status;
}

void plot_close(plot *p) {
    withy_result_close(p->result);
    free(p->time);
    free(p->frame);
    p->result = NULL;
    p->time = NULL;
    p->frame = NULL;
}
