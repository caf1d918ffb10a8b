/* shapes.c - the shapes: overlaid and coloured by time, or as small multiples. */
#include <math.h>
#include <string.h>

#include "plot/plot.h"

enum { FINE = 100, PIECES = 8 }; /* rods with fewer stations are drawn as curves between them */

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

/* Cubic between stations i and i + 1, at the fraction z of the interval. */
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

/* One data block of frames a to b: they are separated by two empty lines, rods by one. */
static withy_status put_block(plot *p, const char *name, part what, int a, int b,
                              withy_error *err) {
    fprintf(p->out, "%s << EOD\n", name);
    for (int f = a; f <= b; f++) {
        const int lines = what == WHOLE || p->rods == 0 ? p->lines : p->rods;
        for (int line = 0; line < lines; line++) {
            const withy_snapshot *snap = cli_line_at(p->result, line, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            if (what == WHOLE)
                put_rod(p, snap);
            else
                put_point(p, at(snap, what == START ? 0 : snap->count - 1), snap->t);
            if (what == WHOLE && line + 1 < p->lines) fprintf(p->out, "\n");
        }
        fprintf(p->out, "\n\n");
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

/* ---- joints ----------------------------------------------------------------------------------- */

/* The symbol of gnuplot for each kind, and its name in the key. */
static const struct {
    withy_joint_kind kind;
    int point;
    const char *name;
} symbol[] = {{WITHY_JOINT_WELD, 5, "weld"},
              {WITHY_JOINT_BALL, 7, "ball joint"},
              {WITHY_JOINT_HINGE, 6, "hinge"},
              {WITHY_JOINT_UNIVERSAL, 8, "universal joint"},
              {WITHY_JOINT_SLIDER, 4, "slider"},
              {WITHY_JOINT_CYLINDRICAL, 10, "cylindrical joint"},
              {WITHY_JOINT_PLANAR, 12, "planar joint"},
              {WITHY_JOINT_SPRING, 3, "spring"},
              {WITHY_JOINT_LINK, 2, "link"}};
enum {
    SYMBOLS = sizeof symbol / sizeof *symbol,
    CROWD = 60
}; /* more joints than that hide the rods */

static int shows_joints(const plot *p) {
    const int joints = withy_result_joints(p->result);
    return joints > 0 && joints <= CROWD && !plot_is_modes(p);
}

static int symbol_of(const plot *p, int joint) {
    withy_joint info;
    withy_result_joint_at(p->result, joint, &info);
    for (int i = 0; i < SYMBOLS; i++)
        if (symbol[i].kind == info.kind) return i;
    return 0;
}

/* Where they are, and what symbol they have, in all frames. */
static withy_status put_joints(plot *p, withy_error *err) {
    if (!shows_joints(p)) return WITHY_OK;
    fprintf(p->out, "$joints << EOD\n");
    for (int f = 0; f < p->frame_count; f++) {
        const withy_parts *parts = withy_result_parts_at(p->result, p->frame[f], err);
        for (int i = 0; parts && i < withy_result_joints(p->result); i++) {
            const withy_vec3 r = parts->joint[i].place[1];
            fprintf(p->out, "%.7g %.7g %.7g %.9g %d\n", r.x, r.y, r.z, parts->t,
                    symbol[symbol_of(p, i)].point);
        }
        fprintf(p->out, "\n\n");
        if (!parts) return fprintf(p->out, "EOD\n"), err->code;
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

/* Of one frame, the last of those that are drawn together; each kind once in the key. */
static void draw_joints(plot *p, int frame, const char *columns, double scale) {
    if (!shows_joints(p)) return;
    fprintf(p->out,
            ", \\\n  $joints index %d using %s:5 with points pt variable ps %.2g lw 1.4 lc rgb "
            "mark notitle",
            frame, columns, 1.1 * scale);
    int drawn[SYMBOLS] = {0};
    for (int i = 0; i < withy_result_joints(p->result); i++) {
        const int k = symbol_of(p, i);
        if (drawn[k]++) continue;
        fprintf(p->out, ", \\\n  keyentry with points pt %d ps 0.9 lc rgb mark title '%s'",
                symbol[k].point, symbol[k].name);
    }
}

withy_status plot_shape_data(plot *p, withy_error *err) {
    const int last = p->frame_count - 1;
    withy_status status = put_block(p, "$shapes", WHOLE, 0, last, err);
    if (status == WITHY_OK) status = put_block(p, "$starts", START, 0, last, err);
    if (status == WITHY_OK) status = put_block(p, "$finishes", FINISH, 0, last, err);
    if (status == WITHY_OK) status = put_joints(p, err);
    if (status == WITHY_OK) status = plot_thick_data(p, err);
    if (status == WITHY_OK) status = plot_arrow_data(p, err);
    return status;
}

withy_status plot_shape_now(plot *p, const char *name, int frame, withy_error *err) {
    return put_block(p, name, WHOLE, frame, frame, err);
}

/* ---- colours --------------------------------------------------------------------------------- */

static double time_of(const plot *p, int frame) {
    return p->time[p->frame[frame]];
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* In space: rules, edges, and a shadow on the floor. */
static void put_room(plot *p, int a, int b, const plot_view *v) {
    fprintf(p->out, "$rules with lines lc rgb faint lw 0.6 notitle, \\\n  "
                    "$edges with lines lc rgb box lw 0.6 notitle, \\\n  ");
    fprintf(p->out, "$shapes index %d:%d using %s with lines lc rgb ghost lw 1 notitle, \\\n  ", a,
            b, v->shadow);
}

/* Frames a to b: lines in the colour of their time, the first of all dashed on top, the last of all
 * thick; ends as dots. */
static void put_curves(plot *p, int a, int b, const plot_view *v, double scale) {
    const double width = scale * (b - a < 12 ? 2.2 : b - a < 30 ? 1.7 : 1.3);
    const double dot = 0.55 * scale;
    const int last = p->frame_count - 1;
    fprintf(p->out, "plot ");
    if (p->plane == PLOT_3D) put_room(p, a, b, v);
    if (p->request.thick > 0)
        fprintf(p->out, "$thick index %d:%d using %s:4 with lines lc palette lw 1 notitle, \\\n  ",
                a, b, v->columns);
    fprintf(p->out, "$shapes index %d:%d using %s:4 with lines lc palette lw %g notitle", a, b,
            v->columns, p->request.thick > 0 ? 0.4 : width);
    if (b == last && last > 0 && !(p->request.thick > 0))
        fprintf(p->out, ", \\\n  $shapes index %d using %s:4 with lines lc palette lw %.2g notitle",
                last, v->columns, 3 * scale);
    if (a == 0)
        fprintf(p->out,
                ", \\\n  $shapes index 0 using %s with lines lc rgb ink dt (6,4) lw %.2g "
                "title 'first'",
                v->columns, 1.8 * scale);
    if (p->request.arrows)
        fprintf(p->out,
                ", \\\n  $arrows index %d:%d using %s with lines lc rgb mark lw %.2g title '%s'", a,
                b, v->columns, 1.1 * scale,
                p->request.arrows == PLOT_ARROWS_FRAME ? "d1, d2" : "kappa");
    if (last > 0) fprintf(p->out, ", \\\n  keyentry with lines lc rgb newest lw 3 title 'last'");
    fprintf(p->out,
            ", \\\n  $starts index %d:%d using %s with points pt 7 ps %.2g lc rgb ink "
            "title 's = 0'",
            a, b, v->columns, dot);
    fprintf(p->out,
            ", \\\n  $finishes index %d:%d using %s:4 with points pt 7 ps %.2g lc palette "
            "notitle",
            a, b, v->columns, dot);
    fprintf(p->out, ", \\\n  keyentry with points pt 7 ps 0.45 lc rgb middling title 's = L'");
    draw_joints(p, b, v->columns, scale);
    fprintf(p->out, "\n");
}

/* ---- overlaid -------------------------------------------------------------------------------- */

static withy_status draw_overlay(plot *p, plot_box box, int which, withy_error *err) {
    (void)which, (void)err;
    const plot_view v = plot_view_make(p);
    plot_place(p, box);
    if (p->plane == PLOT_3D) fprintf(p->out, "set lmargin 9\nset bmargin 4\n");
    plot_colours_over_time(p);
    plot_view_axes(p, &v, 1);
    put_curves(p, 0, p->frame_count - 1, &v, 1);
    plot_plain(p);
    return WITHY_OK;
}

/* ---- small multiples -------------------------------------------------------------------------- */

enum {
    GAP = 14,
    HEAD = 30,
    TITLE = 78,
    SCREEN = 1100
}; /* pixels: around a cell, above it, above
                                                           * all; the highest page */

/* Steps per cell: consecutive frames, the last of one being the first of the next. */
static int grid_each(const plot *p) {
    const int steps = p->frame_count - 1;
    return p->request.grid > steps ? 0 : (steps + p->request.grid - 1) / p->request.grid;
}

static int grid_cells(const plot *p) {
    const int each = grid_each(p);
    return each == 0 ? p->frame_count : (p->frame_count - 2 + each) / each;
}

/* Columns for a page of about 3 : 2 with few empty cells. */
static int grid_columns(const plot *p) {
    const int cells = grid_cells(p);
    const double aspect = plot_view_aspect(p);
    double least = HUGE_VAL;
    int best = 1;
    for (int columns = 1; columns <= cells; columns++) {
        const int rows = (cells + columns - 1) / columns;
        const double page = aspect * columns / rows, empty = rows * columns - cells;
        const double cost = fabs(log(page / 1.5)) + empty / cells;
        if (cost < least) least = cost, best = columns;
    }
    return best;
}

/* The page is as high as its cells need, and not higher than a screen. */
void plot_grid_size(plot *p) {
    const int cells = grid_cells(p), columns = grid_columns(p);
    const int rows = (cells + columns - 1) / columns;
    const double aspect = plot_view_aspect(p);
    double width = (double)p->width / columns - GAP;
    const double most = (double)(SCREEN - TITLE) / rows - HEAD - GAP;
    if (width / aspect > most && most > 40) width = most * aspect;
    p->width = (int)(columns * (width + GAP));
    p->height = TITLE + (int)(rows * (width / aspect + HEAD + GAP));
}

static void put_cell(plot *p, int k, int a, int b, const plot_view *v) {
    const int columns = grid_columns(p), rows = (grid_cells(p) + columns - 1) / columns;
    const double width = p->width / (double)columns, height = (p->height - TITLE) / (double)rows;
    const double left = (k % columns) * width + GAP / 2,
                 top = TITLE + (k / columns) * height + HEAD;
    fprintf(p->out, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", left / p->width,
            (left + width - GAP) / p->width);
    fprintf(p->out, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - top / p->height,
            1 - (top + height - HEAD - GAP) / p->height);
    const int narrow = width < 130;
    char moments[128];
    if (plot_is_modes(p) && a == b)
        plot_mode_text(p, a, narrow, moments, sizeof moments);
    else
        plot_moment(p, time_of(p, a), time_of(p, b), narrow, moments, sizeof moments);
    fprintf(p->out, "set title ");
    gnuplot_text(p->out, moments);
    fprintf(p->out, " noenhanced font ',%d' offset 0,-0.8\n", narrow ? 9 : 10);
    plot_view_axes(p, v, 0);
    put_curves(p, a, b, v, fmin(1, 0.3 + width / 300));
    fprintf(p->out, "unset label\n");
}

static withy_status draw_grid(plot *p, plot_box box, int which, withy_error *err) {
    (void)box, (void)which, (void)err;
    const plot_view v = plot_view_make(p);
    const int cells = grid_cells(p), each = grid_each(p);
    plot_colours_over_time(p);
    fprintf(p->out, "unset colorbox\nunset key\nset format ''\nset tics scale 0\n");
    for (int k = 0; k < cells; k++) {
        const int a = each == 0 ? k : k * each;
        const int b = a + each < p->frame_count ? a + each : p->frame_count - 1;
        put_cell(p, k, a, b, &v);
    }
    return WITHY_OK;
}

int plot_add_shapes(plot *p, plot_panel *panel, int count) {
    const plot_request *w = &p->request;
    const int other = w->energy || w->probes || w->ledger || w->decay || w->contacts ||
                      w->profile.count || w->spectrum.count || w->what.count;
    if (w->grid > 0)
        panel[count++] = (plot_panel){draw_grid, 0, 0};
    else if (w->shapes || !other)
        panel[count++] = (plot_panel){draw_overlay, 0, plot_view_aspect(p)};
    return count;
}
