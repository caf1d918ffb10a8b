/* view.c - the view of the shapes: a coordinate plane, or space seen obliquely from above.
 *
 * The view in space is our own parallel projection drawn as a flat plot, because gnuplot's own gives
 * no control over scale and fit.  With azimuth a and elevation e of the camera:
 *   right = (cos a, sin a, 0),  up = (-sin a sin e, cos a sin e, cos e)
 */
#include <math.h>

#include "plot/plot.h"

#define AZIMUTH 0.56   /* [rad] */
#define ELEVATION 0.40 /* [rad] */

/* Coordinates that go right and up. */
static const struct {
    const char *right, *up;
    int i, j;
} flat[] = {
    [PLOT_XY] = {"x", "y", 0, 1}, [PLOT_XZ] = {"x", "z", 0, 2}, [PLOT_YZ] = {"y", "z", 1, 2}};

/* ---- ranges ---------------------------------------------------------------------------------- */

static double longest(const plot *p) {
    double most = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, p->high[i] - p->low[i]);
    return most > 0 ? most : 1;
}

/* A margin around the box; a flat one gets some height. */
static void range_of(const plot *p, int axis, double *low, double *high) {
    const double most = longest(p), middle = 0.5 * (p->low[axis] + p->high[axis]);
    const double half = fmax(0.5 * (p->high[axis] - p->low[axis]), 0.06 * most) + 0.04 * most;
    *low = middle - half, *high = middle + half;
}

double plot_tic_step(double length) {
    const double raw = length / 5, power = pow(10, floor(log10(raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* ---- in space -------------------------------------------------------------------------------- */

static double right_of(const double *r) {
    return r[0] * cos(AZIMUTH) + r[1] * sin(AZIMUTH);
}

static double up_of(const double *r) {
    return (r[1] * cos(AZIMUTH) - r[0] * sin(AZIMUTH)) * sin(ELEVATION) + r[2] * cos(ELEVATION);
}

static void space_columns(plot_view *v, const char *z, char *columns) {
    snprintf(columns, sizeof v->columns, "($1*%.6g+$2*%.6g):(($2*%.6g-$1*%.6g)+%s*%.6g)",
             cos(AZIMUTH), sin(AZIMUTH), cos(AZIMUTH) * sin(ELEVATION),
             sin(AZIMUTH) * sin(ELEVATION), z, cos(ELEVATION));
}

/* Around the eight corners of the box. */
static void space_ranges(plot_view *v) {
    for (int corner = 0; corner < 8; corner++) {
        double r[3];
        for (int i = 0; i < 3; i++) r[i] = corner >> i & 1 ? v->box_high[i] : v->box_low[i];
        v->low[0] = fmin(v->low[0], right_of(r)), v->high[0] = fmax(v->high[0], right_of(r));
        v->low[1] = fmin(v->low[1], up_of(r)), v->high[1] = fmax(v->high[1], up_of(r));
    }
}

plot_view plot_view_make(const plot *p) {
    plot_view v = {.step = plot_tic_step(longest(p)),
                   .low = {HUGE_VAL, HUGE_VAL},
                   .high = {-HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < 3; i++) range_of(p, i, &v.box_low[i], &v.box_high[i]);
    if (p->plane == PLOT_3D) {
        char floor[32];
        snprintf(floor, sizeof floor, "(%.7g)", v.box_low[2]);
        space_columns(&v, "$3", v.columns);
        space_columns(&v, floor, v.shadow);
        space_ranges(&v);
    } else {
        const int axis[2] = {flat[p->plane].i, flat[p->plane].j};
        snprintf(v.columns, sizeof v.columns, "%d:%d", axis[0] + 1, axis[1] + 1);
        for (int k = 0; k < 2; k++) v.low[k] = v.box_low[axis[k]], v.high[k] = v.box_high[axis[k]];
    }
    return v;
}

double plot_view_aspect(const plot *p) {
    const plot_view v = plot_view_make(p);
    return (v.high[0] - v.low[0]) / (v.high[1] - v.low[1]);
}

/* ---- the box in space ------------------------------------------------------------------------- */

static void put_segment(plot *p, const double *a, const double *b) {
    fprintf(p->out, "%.7g %.7g\n%.7g %.7g\n\n", right_of(a), up_of(a), right_of(b), up_of(b));
}

/* Lines at x[axis] = value on the floor and the two walls behind: x = low and y = high. */
static void put_rules(plot *p, const plot_view *v, int axis, double value) {
    const double *l = v->box_low, *h = v->box_high;
    const double rule[3][2][2][3] = {
        {{{value, l[1], l[2]}, {value, h[1], l[2]}}, {{value, h[1], l[2]}, {value, h[1], h[2]}}},
        {{{l[0], value, l[2]}, {h[0], value, l[2]}}, {{l[0], value, l[2]}, {l[0], value, h[2]}}},
        {{{l[0], l[1], value}, {l[0], h[1], value}}, {{l[0], h[1], value}, {h[0], h[1], value}}}};
    for (int i = 0; i < 2; i++) put_segment(p, rule[axis][i][0], rule[axis][i][1]);
}

static void put_box(plot *p, const plot_view *v) {
    fprintf(p->out, "$rules << EOD\n");
    for (int axis = 0; axis < 3; axis++)
        for (double k = ceil(v->box_low[axis] / v->step); k * v->step <= v->box_high[axis]; k++)
            put_rules(p, v, axis, k * v->step);
    fprintf(p->out, "EOD\n$edges << EOD\n");
    for (int axis = 0; axis < 3; axis++) {
        put_rules(p, v, axis, v->box_low[axis]);
        put_rules(p, v, axis, v->box_high[axis]);
    }
    fprintf(p->out, "EOD\n");
}

/* Numbers along the front edge (x), the right edge (y) of the floor and the left edge (z). */
static void put_numbers(plot *p, const plot_view *v) {
    static const char *const place[] = {"right offset 0.3,-0.75", "left offset 0.4,-0.55",
                                        "right offset -0.7,0"};
    static const char *const name[] = {"center offset -2.5,-2.1", "center offset 4,-1.8",
                                       "center offset -4.5,0"};
    for (int axis = 0; axis < 3; axis++) {
        double r[3] = {v->box_low[0], v->box_low[1], v->box_low[2]};
        if (axis == 1) r[0] = v->box_high[0];
        for (double k = ceil(v->box_low[axis] / v->step); k * v->step <= v->box_high[axis]; k++) {
            r[axis] = k * v->step;
            fprintf(p->out, "set label '%.6g' at first %.7g,%.7g %s font ',11' tc rgb words\n",
                    k * v->step + 0.0, right_of(r), up_of(r), place[axis]); /* + 0: no "-0" */
        }
        r[axis] = 0.5 * (v->box_low[axis] + v->box_high[axis]);
        fprintf(p->out, "set label '%c [m]' at first %.7g,%.7g %s tc rgb words\n", 'x' + axis,
                right_of(r), up_of(r), name[axis]);
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* Both axes have one scale and one step; a narrow one gets a smaller step, so that two numbers are on it. */
static double step_on(const plot_view *v, int axis) {
    double step = v->step;
    for (int i = 0; i < 4 && floor(v->high[axis] / step) - ceil(v->low[axis] / step) < 1; i++)
        step *= 0.5;
    return step;
}

void plot_view_axes(plot *p, const plot_view *v, int labels) {
    fprintf(p->out, "set size ratio -1\nset xrange [%.7g:%.7g]\nset yrange [%.7g:%.7g]\n",
            v->low[0], v->high[0], v->low[1], v->high[1]);
    if (p->plane == PLOT_3D) {
        put_box(p, v);
        fprintf(p->out, "unset border\nunset xtics\nunset ytics\n");
        if (labels) put_numbers(p, v);
        return;
    }
    fprintf(p->out, "set border 15 lw 0.6 lc rgb grey\nset xtics %.6g\nset ytics %.6g\n",
            labels ? step_on(v, 0) : v->step, labels ? step_on(v, 1) : v->step);
    if (labels)
        fprintf(p->out, "set xlabel '%s [m]'\nset ylabel '%s [m]'\n", flat[p->plane].right,
                flat[p->plane].up);
}
