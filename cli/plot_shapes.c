/* plot_shapes.c - the shapes: overlaid and coloured by time, or as small multiples. */
#include <math.h>
#include <string.h>

#include "plot.h"

enum { FINE = 100, PIECES = 8 }; /* rods with fewer stations are drawn as curves between them */

/* Columns of $shapes (x y z t) that are drawn right and up. */
static const struct {
    const char *right, *up;
    int i, j;
} view[] = {
    [PLOT_XY] = {"x", "y", 0, 1}, [PLOT_XZ] = {"x", "z", 0, 2}, [PLOT_YZ] = {"y", "z", 1, 2}};

/* ---- data ------------------------------------------------------------------------------------ */

static withy_vec3 at(const withy_snapshot *snap, int i) {
    return snap->position[i];
}

/* Slope at station i of the parabola through it and its neighbours (at the ends: the next three). */
static withy_vec3 slope(const withy_snapshot *snap, int i) {
    const int last = snap->count - 1;
    if (last < 2) {
        const double k = 1 / (snap->s[1] - snap->s[0]);
        const withy_vec3 a = at(snap, 0), b = at(snap, 1);
        return (withy_vec3){k * (b.x - a.x), k * (b.y - a.y), k * (b.z - a.z)};
    }
    const int m = i == 0 ? 1 : i == last ? last - 1 : i;
    const double *s = snap->s, x = s[i], a = s[m - 1], b = s[m], c = s[m + 1];
    const double wa = (2 * x - b - c) / ((a - b) * (a - c));
    const double wb = (2 * x - a - c) / ((b - a) * (b - c));
    const double wc = (2 * x - a - b) / ((c - a) * (c - b));
    const withy_vec3 u = at(snap, m - 1), v = at(snap, m), w = at(snap, m + 1);
    return (withy_vec3){wa * u.x + wb * v.x + wc * w.x, wa * u.y + wb * v.y + wc * w.y,
                        wa * u.z + wb * v.z + wc * w.z};
}

/* Cubic between stations i and i + 1, at the part z of the way. */
static withy_vec3 between(const withy_snapshot *snap, int i, double z) {
    const double h = snap->s[i + 1] - snap->s[i];
    const double a = (1 + 2 * z) * (1 - z) * (1 - z), b = z * z * (3 - 2 * z);
    const double c = h * z * (1 - z) * (1 - z), d = h * z * z * (z - 1);
    const withy_vec3 p = at(snap, i), q = at(snap, i + 1);
    const withy_vec3 u = slope(snap, i), v = slope(snap, i + 1);
    return (withy_vec3){a * p.x + b * q.x + c * u.x + d * v.x,
                        a * p.y + b * q.y + c * u.y + d * v.y,
                        a * p.z + b * q.z + c * u.z + d * v.z};
}

static void put_point(plot *p, withy_vec3 r, double t) {
    fprintf(p->out, "%.7g %.7g %.7g %.9g\n", r.x, r.y, r.z, t);
}

static void put_rod(plot *p, const withy_snapshot *snap) {
    const int pieces = snap->count < FINE ? PIECES : 1;
    for (int i = 0; i + 1 < snap->count; i++)
        for (int k = 0; k < pieces; k++)
            put_point(p, between(snap, i, k / (double)pieces), snap->t);
    put_point(p, at(snap, snap->count - 1), snap->t);
}

typedef enum part { WHOLE, START, FINISH } part;

/* One data block: frames separated by two empty lines, rods by one. */
static withy_status put_block(plot *p, const char *name, part what, withy_error *err) {
    fprintf(p->out, "%s << EOD\n", name);
    for (int f = 0; f < p->frame_count; f++) {
        for (int rod = 0; rod < p->rods; rod++) {
            const withy_snapshot *snap = withy_result_at(p->result, rod, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            if (what == WHOLE)
                put_rod(p, snap);
            else
                put_point(p, at(snap, what == START ? 0 : snap->count - 1), snap->t);
            if (what == WHOLE && rod + 1 < p->rods) fprintf(p->out, "\n");
        }
        fprintf(p->out, "\n\n");
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

withy_status plot_shape_data(plot *p, withy_error *err) {
    withy_status status = put_block(p, "$shapes", WHOLE, err);
    if (status == WITHY_OK) status = put_block(p, "$starts", START, err);
    if (status == WITHY_OK) status = put_block(p, "$finishes", FINISH, err);
    return status;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* A little air around the box; a flat one gets some height. */
static void range_of(const plot *p, int axis, double *low, double *high) {
    double most = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, p->high[i] - p->low[i]);
    if (!(most > 0)) most = 1;
    const double middle = 0.5 * (p->low[axis] + p->high[axis]);
    const double half = fmax(0.5 * (p->high[axis] - p->low[axis]), 0.06 * most) + 0.04 * most;
    *low = middle - half, *high = middle + half;
}

static double aspect_of(const plot *p) {
    if (p->plane == PLOT_3D) return 1.1;
    double l, r, b, t;
    range_of(p, view[p->plane].i, &l, &r);
    range_of(p, view[p->plane].j, &b, &t);
    return (r - l) / (t - b);
}

static void put_ranges(plot *p) {
    static const char *const name[] = {"x", "y", "z"};
    const int flat[] = {view[p->plane % PLOT_3D].i, view[p->plane % PLOT_3D].j};
    for (int k = 0; k < (p->plane == PLOT_3D ? 3 : 2); k++) {
        double low, high;
        range_of(p, p->plane == PLOT_3D ? k : flat[k], &low, &high);
        fprintf(p->out, "set %srange [%.7g:%.7g]\n", name[k], low, high);
    }
}

/* About five tics on an axis that takes `part` of the longest one. */
static double tic_step(double length) {
    const double raw = length / 5, power = pow(10, floor(log10(raw)));
    const double digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static void put_equal_tics(plot *p) {
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double low, high;
        range_of(p, i, &low, &high);
        most = fmax(most, high - low);
    }
    const double step = tic_step(most);
    fprintf(p->out, "set xtics %.6g\nset ytics %.6g\nset ztics %.6g\n", step, step, step);
}

static double time_of(const plot *p, int frame) {
    return p->time[p->frame[frame]];
}

/* Colour is time over all frames; a single moment still needs a range. */
static void put_colours(plot *p) {
    double first = time_of(p, 0), last = time_of(p, 0);
    for (int f = 1; f < p->frame_count; f++) {
        first = fmin(first, time_of(p, f));
        last = fmax(last, time_of(p, f));
    }
    if (!(last > first)) last = first + 1;
    fprintf(p->out, "set cbrange [%.9g:%.9g]\n", first, last);
}

/* ---- flat ------------------------------------------------------------------------------------ */

static void put_flat_axes(plot *p, int labels) {
    put_ranges(p);
    fprintf(p->out, "set size ratio -1\nset border 15 lw 0.6 lc rgb '#999999'\n");
    put_equal_tics(p);
    if (labels)
        fprintf(p->out, "set xlabel '%s [m]'\nset ylabel '%s [m]'\n", view[p->plane].right,
                view[p->plane].up);
}

/* Frames a to b: lines in the colour of their time; the first of all dashed on top; ends as dots. */
static void put_flat(plot *p, int a, int b) {
    const int i = view[p->plane].i + 1, j = view[p->plane].j + 1;
    const double width = b - a < 12 ? 2.2 : b - a < 30 ? 1.7 : 1.3;
    fprintf(p->out, "plot $shapes index %d:%d using %d:%d:4 with lines lc palette lw %g notitle", a,
            b, i, j, width);
    if (a == 0)
        fprintf(p->out,
                ", \\\n  $shapes index 0 using %d:%d with lines lc rgb '#000000' dt (6,4) lw 1.8 "
                "title 'first'",
                i, j);
    fprintf(p->out,
            ", \\\n  $starts index %d:%d using %d:%d with points pt 7 ps 0.55 lc rgb '#000000' "
            "title 's = 0'",
            a, b, i, j);
    fprintf(p->out,
            ", \\\n  $finishes index %d:%d using %d:%d:4 with points pt 7 ps 0.45 lc palette "
            "title 's = L'\n",
            a, b, i, j);
}

/* ---- in space -------------------------------------------------------------------------------- */

static void put_space_axes(plot *p, int labels) {
    put_ranges(p);
    fprintf(p->out, "set view 66,32\nset view equal xyz\nset xyplane 0\n"
                    "set border 127+256+512 lw 0.6 lc rgb '#999999'\n"
                    "set grid x y z vertical lw 0.5 lt 1 lc rgb '#e2e2e2'\n");
    put_equal_tics(p);
    if (labels) fprintf(p->out, "set xlabel 'x [m]'\nset ylabel 'y [m]'\nset zlabel 'z [m]'\n");
}

/* As flat, with a shadow on the floor. */
static void put_space(plot *p, int a, int b) {
    double floor_low, floor_high;
    range_of(p, 2, &floor_low, &floor_high);
    const double width = b - a < 12 ? 2.2 : b - a < 30 ? 1.6 : 1.2;
    fprintf(p->out,
            "splot $shapes index %d:%d using 1:2:(%.7g) with lines lc rgb '#d8d8d8' lw 1 notitle",
            a, b, floor_low);
    fprintf(p->out, ", \\\n  $shapes index %d:%d using 1:2:3:4 with lines lc palette lw %g notitle",
            a, b, width);
    if (a == 0)
        fprintf(p->out, ", \\\n  $shapes index 0 using 1:2:3 with lines lc rgb '#000000' dt (6,4) "
                        "lw 1.6 title 'first'");
    fprintf(p->out,
            ", \\\n  $starts index %d:%d using 1:2:3 with points pt 7 ps 0.6 lc rgb '#000000' "
            "title 's = 0'",
            a, b);
    fprintf(p->out,
            ", \\\n  $finishes index %d:%d using 1:2:3:4 with points pt 7 ps 0.5 lc palette title "
            "'s = L'\n",
            a, b);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void put_frames(plot *p, int a, int b, int labels) {
    if (p->plane == PLOT_3D) {
        put_space_axes(p, labels);
        put_space(p, a, b);
    } else {
        put_flat_axes(p, labels);
        put_flat(p, a, b);
    }
}

static withy_status draw_overlay(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    plot_place(p, box);
    put_colours(p);
    put_frames(p, 0, p->frame_count - 1, 1);
    plot_plain(p);
    return WITHY_OK;
}

/* Panel k of the grid: consecutive frames, the last of one being the first of the next. */
static void grid_frames(const plot *p, int panels, int k, int *a, int *b) {
    const int count = p->frame_count;
    if (panels >= count) {
        *a = *b = k;
        return;
    }
    const int each = (count - 2 + panels) / panels; /* steps, rounded up */
    *a = k * each;
    *b = *a + each < count ? *a + each : count - 1;
}

static int grid_panels(const plot *p) {
    const int count = p->frame_count, wanted = p->wish.grid;
    if (wanted >= count) return count;
    const int each = (count - 2 + wanted) / wanted;
    return (count - 2 + each) / each;
}

/* As many columns as make the panels large. */
static int grid_columns(const plot *p, int panels) {
    const double page = p->width / (double)p->height;
    const double aspect = aspect_of(p);
    int best = 1;
    double most = 0;
    for (int columns = 1; columns <= panels; columns++) {
        const int rows = (panels + columns - 1) / columns;
        const double width = page / columns, height = 1.0 / rows;
        const double scale = fmin(width / aspect, height);
        if (scale > most * 1.0001) most = scale, best = columns;
    }
    return best;
}

static void put_cell_axes(plot *p) {
    put_ranges(p);
    fprintf(p->out, "unset xlabel\nunset ylabel\nunset colorbox\nunset key\n"
                    "set format xyz ''\nset tics scale 0\n"
                    "set lmargin 0.6\nset rmargin 0.6\nset tmargin 1.7\nset bmargin 0.4\n");
}

static withy_status draw_grid(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    const int panels = grid_panels(p), columns = grid_columns(p, panels);
    const int rows = (panels + columns - 1) / columns;
    put_colours(p);
    for (int k = 0; k < panels; k++) {
        int a, b;
        grid_frames(p, panels, k, &a, &b);
        const plot_box place = {box.x + (k % columns) * box.width / columns,
                                box.y + (rows - 1 - k / columns) * box.height / rows,
                                box.width / columns, box.height / rows};
        plot_place(p, place);
        put_cell_axes(p);
        fprintf(p->out, "set title 't = %.4g", time_of(p, a));
        if (b > a) fprintf(p->out, " ... %.4g", time_of(p, b));
        fprintf(p->out, "' font ',10' offset 0,-0.7\n");
        put_frames(p, a, b, 0);
        fprintf(p->out, "unset label\n");
    }
    return WITHY_OK;
}

int plot_add_shapes(plot *p, plot_panel *panel, int count) {
    const plot_wish *w = &p->wish;
    const int other = w->energy || w->probes || w->ledger || w->profile.count;
    if (w->grid > 0)
        panel[count++] = (plot_panel){draw_grid, 0, 0};
    else if (w->shapes || !other)
        panel[count++] = (plot_panel){draw_overlay, 0, aspect_of(p)};
    return count;
}
