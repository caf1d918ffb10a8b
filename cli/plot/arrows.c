/* arrows.c - arrows along the rods: the curvature of the rest shape as the sections carry it, [KS] figures 3.1 and 3.2, or the
 * directors d1 and d2, figure 3.3.
 *
 * An arrow is a line in space, its shaft and two barbs across it and the rod, so that every view draws it as it draws shapes.
 * The longest is SHARE of the size of the picture; directors have half of that.
 */
#include <math.h>
#include <string.h>

#include "plot/plot.h"

enum { ARROWS = 24 }; /* along a rod */
static const double SHARE = 0.12, BACK = 0.28, ASIDE = 0.12;

static withy_vec3 plus(withy_vec3 a, double k, withy_vec3 b) {
    return (withy_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static double size_of(withy_vec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}
static withy_vec3 across(withy_vec3 a, withy_vec3 b) {
    return (withy_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Arrow `which` of a station, in its own unit; 0: there is none. */
static int arrow(const plot *p, const withy_snapshot *snap, int i, int which, withy_vec3 *out) {
    if (p->request.arrows == PLOT_ARROWS_FRAME) {
        if (which > 1 || !(snap->have & WITHY_HAVE_FRAME)) return 0;
        *out = plot_director(snap->frame[i], which);
        return 1;
    }
    if (which > 0 || !(snap->have & WITHY_HAVE_KAPPA)) return 0;
    *out = snap->kappa[i];
    return 1;
}

static int station(const withy_snapshot *snap, int k) {
    const int steps = snap->count - 1 < ARROWS ? snap->count - 1 : ARROWS;
    return k <= steps ? (int)((double)k * (snap->count - 1) / steps + 0.5) : -1;
}

static void put(plot *p, withy_vec3 r, double t) {
    fprintf(p->out, "%.7g %.7g %.7g %.9g\n", r.x, r.y, r.z, t);
}

static void put_arrow(plot *p, const withy_snapshot *snap, int i, withy_vec3 a) {
    const withy_vec3 tip = plus(snap->position[i], 1, a);
    withy_vec3 side = across(a, plot_director(snap->frame[i], 2));
    const double size = size_of(side);
    side = plus((withy_vec3){0}, size > 0 ? ASIDE * size_of(a) / size : 0, side);
    put(p, snap->position[i], snap->t), put(p, tip, snap->t);
    put(p, plus(plus(tip, -BACK, a), 1, side), snap->t), put(p, tip, snap->t);
    put(p, plus(plus(tip, -BACK, a), -1, side), snap->t);
    fprintf(p->out, "\n");
}

/* Both passes walk all arrows: the first finds the longest, the second draws. */
static withy_status each(plot *p, double unit, double *longest, withy_error *err) {
    for (int f = 0; f < p->frame_count; f++) {
        for (int rod = 0; rod < p->rods; rod++) {
            const withy_snapshot *snap = cli_line_at(p->result, rod, p->frame[f], err);
            withy_vec3 a;
            if (!snap) return err->code;
            for (int k = 0, i; (i = station(snap, k)) >= 0; k++)
                for (int which = 0; arrow(p, snap, i, which, &a); which++) {
                    *longest = fmax(*longest, size_of(a));
                    if (unit > 0) put_arrow(p, snap, i, plus((withy_vec3){0}, unit, a));
                }
        }
        if (unit > 0) fprintf(p->out, "\n\n");
    }
    return WITHY_OK;
}

withy_status plot_arrow_data(plot *p, withy_error *err) {
    double longest = 0, box = 0, unused = 0;
    if (!p->request.arrows) return WITHY_OK;
    withy_status status = each(p, 0, &longest, err);
    if (status == WITHY_OK && !(longest > 0)) {
        snprintf(
            err->text, sizeof err->text,
            p->request.arrows == PLOT_ARROWS_FRAME
                ? "--arrows frame: the result has no frames"
                : "--arrows kappa: the result has no kappa, or it is zero; kirchhoff computes it "
                  "for rods with a rest shape that is not straight");
        status = err->code = WITHY_BAD_INPUT;
    }
    if (status != WITHY_OK) return status;
    for (int c = 0; c < 3; c++) box = fmax(box, p->high[c] - p->low[c]);
    const double half = p->request.arrows == PLOT_ARROWS_FRAME ? 0.5 : 1;
    fprintf(p->out, "$arrows << EOD\n");
    status = each(p, half * SHARE * box / longest, &unused, err);
    fprintf(p->out, "EOD\n");
    return status;
}
