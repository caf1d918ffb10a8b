/* gnuplot.c - the page: size, fonts, colours, where the panels go; and the picture as a file.
 *
 * gnuplot writes the picture to its standard output, a file that is already open: its program holds
 * numbers, our own words, and texts of the result that went through gnuplot_text.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/plot.h"

enum { WIDTH = 1200, HEIGHT = 760, ROWS_MOST = 3 };

const char *plot_component(const char *quantity, int component) {
    static char name[PLOT_COLOURS][WITHY_NAME];
    const withy_quantity *q = NULL;
    for (int of = 0; !q && of < WITHY_OF_KINDS; of++) q = withy_quantity_find(of, quantity);
    char *own = name[component % PLOT_COLOURS];
    withy_quantity_component(q, component, own, WITHY_NAME);
    if (!own[0])
        snprintf(own, WITHY_NAME, "%c", "xyz"[component % 3]); /* the force of all contacts */
    return own;
}

/* ---- gnuplot --------------------------------------------------------------------------------- */

int plot_has_gnuplot(void) {
    char file[4096];
    return process_find("gnuplot", file, sizeof file);
}

/* What the time of a snapshot is; old files do not contain it and are runs in time. */
const char *plot_axis(const plot *p) {
    const char *axis = withy_result_text(p->result, "axis");
    return axis[0] ? axis : "t [s]";
}

int plot_is_timed(const plot *p) {
    return strcmp(plot_axis(p), "t [s]") == 0;
}

int plot_is_modes(const plot *p) {
    return strcmp(plot_axis(p), "frequency [Hz]") == 0;
}

void plot_mode_text(const plot *p, int frame, int brief, char *text, size_t size) {
    static const char *const word[] = {[WITHY_MODE_DECAY] = ", overdamped",
                                       [WITHY_MODE_NEUTRAL] = ", neutral",
                                       [WITHY_MODE_FLUTTER] = ", flutter",
                                       [WITHY_MODE_DIVERGENCE] = ", divergence"};
    withy_error unused;
    const int64_t k = p->frame[frame];
    const withy_snapshot *snap =
        p->rods && !brief ? withy_result_at(p->result, 0, k, &unused) : NULL;
    if (!snap) {
        snprintf(text, size, "mode %d: %.4g Hz", (int)k + 1, p->time[k]);
        return;
    }
    const withy_vibration *v = &snap->vibration;
    char growth[48] = "";
    if (v->kind >= WITHY_MODE_FLUTTER)
        snprintf(growth, sizeof growth, ", growth %.4g 1/s", v->growth);
    snprintf(text, size, "mode %d: %.5g Hz, damping %.3g%s%s", (int)k + 1,
             v->kind == WITHY_MODE_DIVERGENCE ? 0.0 : p->time[k], v->damping,
             v->kind > WITHY_MODE_STABLE && v->kind <= WITHY_MODE_DIVERGENCE ? word[v->kind] : "",
             growth);
}

void plot_moment(const plot *p, double from, double to, int brief, char *text, size_t size) {
    const char *axis = plot_axis(p), *unit = strstr(axis, " [");
    const int name = unit ? (int)(unit - axis) : (int)strlen(axis);
    char until[32] = "", of[32] = "";
    if (unit) snprintf(of, sizeof of, " %.*s", (int)strcspn(unit + 2, "]"), unit + 2);
    if (to != from && !brief) snprintf(until, sizeof until, " ... %.4g", to);
    if (brief)
        snprintf(text, size, "%.4g%s", from, of);
    else
        snprintf(text, size, "%.*s = %.4g%s%s", name, axis, from, until, of);
}

/* A single time still needs a range, and no colour scale. */
void plot_colours_over_time(plot *p) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int f = 0; f < p->frame_count; f++) {
        low = fmin(low, p->time[p->frame[f]]);
        high = fmax(high, p->time[p->frame[f]]);
    }
    const int flat = !(high - low > 1e-6 * fmax(fabs(low), fabs(high))); /* equal as printed */
    fprintf(p->out, "%sset colorbox\nset cbrange [%.9g:%.9g]\n", flat ? "un" : "", low,
            flat ? low + 1 : high);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Lines and letters scale with the page, so that a larger picture looks the same. */
void plot_terminal(plot *p, const char *path) {
    const char *dot = strrchr(path, '.');
    if (strcmp(dot, ".png") == 0) {
        const double scale = p->request.width > 0 ? p->width / (double)WIDTH : 1.5;
        const int k = p->request.width > 0 ? 2 : 3; /* half pixels per unit */
        fprintf(p->out,
                "set terminal pngcairo size %d,%d font 'DejaVu Sans,12' fontscale %.3g "
                "linewidth %.3g pointscale %.3g background '%s'\n",
                p->width * k / 2, p->height * k / 2, scale, scale, scale, plot_paper(p));
    } else if (strcmp(dot, ".pdf") == 0) {
        fprintf(p->out,
                "set terminal pdfcairo size %gin,%gin font 'DejaVu Sans,12' background '%s'\n",
                p->width / 100.0, p->height / 100.0, plot_paper(p));
    } else {
        /* A picture without a size of its own ("dynamic"): a page too small for its letters is laid out larger, in
         * the same proportions; letters are smaller on a small page. */
        const double larger = fmax(1, fmax(640.0 / p->width, 480.0 / p->height));
        p->width = (int)lround(larger * p->width), p->height = (int)lround(larger * p->height);
        const double part = sqrt((double)p->width * p->height / (WIDTH * (double)HEIGHT));
        const double scale = fmin(1, fmax(0.6, part));
        fprintf(p->out,
                "set terminal svg size %d,%d dynamic font 'DejaVu Sans,Helvetica,Arial,sans-serif,"
                "14' fontscale %.3g linewidth %.3g background '%s'\n",
                p->width, p->height, scale, scale, plot_paper(p));
    }
    plot_look(p);
    fprintf(p->out, "set cblabel ");
    gnuplot_text(p->out, plot_axis(p));
    fprintf(p->out, " noenhanced offset 0.6,0\n");
}

/* What it is, and how it was made. */
void plot_title(plot *p) {
    char line[512];
    const char *title = withy_result_text(p->result, "title");
    const char *status = withy_result_text(p->result, "status");
    const double first = p->time[p->frame[0]], last = p->time[p->frame[p->frame_count - 1]];
    char moments[96];
    plot_moment(p, first, last, 0, moments, sizeof moments);
    snprintf(line, sizeof line, "%s, %s%s%s, withy %s", withy_result_text(p->result, "method"),
             moments, strcmp(status, "complete") == 0 ? "" : ", ",
             strcmp(status, "complete") == 0 ? "" : status,
             withy_result_text(p->result, "version"));
    if (p->request.grid > 0) { /* the cells have no numbers */
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, ", grid lines %.4g m apart",
                 plot_view_make(p).step);
    }
    plot_heading(p, *title ? title : withy_result_text(p->result, "scene_name"), line);
}

void plot_place(plot *p, plot_box box) {
    fprintf(p->out, "set origin %.5g,%.5g\nset size noratio %.5g,%.5g\n", box.x, box.y, box.width,
            box.height);
}

void plot_range(plot *p, double low, double high) {
    const double most = fmax(fabs(low), fabs(high)), room = most > 0 ? 0.1 * most : 1;
    if (!(high - low > 1e-9 * most)) low -= room, high += room; /* constant but for rounding */
    const double step = plot_tic_step(high - low), air = 0.04 * (high - low);
    fprintf(p->out, "set yrange [%.12g:%.12g]\nset ytics %.6g\n", low - air, high + air, step);
}

void plot_plain(plot *p) {
    fprintf(p->out, "unset label\nset title ''\nunset arrow\nset xlabel ''\nset ylabel ''\n"
                    "set xrange [*:*]\nset yrange [*:*]\n"
                    "set xtics nomirror out scale 0.5 autofreq textcolor rgb words\n"
                    "set ytics nomirror out scale 0.5 autofreq textcolor rgb words\n"
                    "set format xy '%%h'\nset border 3\nset lmargin -1\nset rmargin -1\n"
                    "set tmargin -1\nset bmargin -1\n");
}

/* ---- where the panels go ---------------------------------------------------------------------- */

static int columns_for(int count) {
    return count <= ROWS_MOST ? 1 : count <= 2 * ROWS_MOST ? 2 : 3;
}

static plot_box spread(plot_box box, int count, int index) {
    const int columns = columns_for(count);
    return plot_cell(box, columns, (count + columns - 1) / columns, index);
}

/* The first panel shows shapes: it gets the larger part; wide shapes go above the rest. */
static plot_box next_to(plot_box page, double aspect, int count, int index) {
    const int wide = aspect > 1.7;
    const double part = wide ? 0.58 : aspect < 0.7 ? 0.48 : 0.56;
    plot_box first = page, rest = page;
    if (wide) {
        first.height = part * page.height;
        first.y = page.y + page.height - first.height;
        rest.height = page.height - first.height;
        if (index == 0) return first;
        return plot_cell(rest, count - 1 < 4 ? count - 1 : (count + 1) / 2 - 1 + (count - 1) % 2,
                         count - 1 < 4 ? 1 : 2, index - 1);
    }
    first.width = part * page.width;
    rest.x = page.x + first.width;
    rest.width = page.width - first.width;
    return index == 0 ? first : spread(rest, count - 1, index - 1);
}

static plot_box place(const plot *p, const plot_panel *panel, int count, int index) {
    const plot_box page = plot_page(p);
    if (count == 1) return page;
    return panel[0].aspect > 0 ? next_to(page, panel[0].aspect, count, index)
                               : spread(page, count, index);
}

static void choose_size(plot *p, const plot_panel *panel, int count) {
    p->width = p->request.width, p->height = p->request.height;
    if (p->width > 0) return;
    p->width = WIDTH, p->height = HEIGHT;
    if (p->request.grid > 0) plot_grid_size(p);
    const double aspect = panel[0].aspect;
    if (count > 1 && aspect > 1.7) p->width = 1050, p->height = 950;
    if (count == 1 && aspect > 0) p->width = 1000, p->height = 860;
    if (count == 1 && aspect > 1.2) p->height = 200 + (int)(820 / aspect);
    if (count == 1 && aspect > 0 && aspect < 0.7) p->width = 700;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int add_panels(plot *p, plot_panel *panel) {
    int count = plot_add_shapes(p, panel, 0);
    count = plot_add_series(p, panel, count);
    count = plot_add_profiles(p, panel, count);
    count = plot_add_spectra(p, panel, count);
    count = plot_add_decay(p, panel, count);
    count = plot_add_contacts(p, panel, count);
    return plot_add_what(p, panel, count);
}

static withy_status put_page(plot *p, const char *path, withy_error *err) {
    plot_panel panel[PLOT_PANELS];
    if (p->page) return p->page(p, path, err);
    int count = plot_add_difference(p, panel, 0);
    if (count == 0) count = add_panels(p, panel);
    choose_size(p, panel, count);
    plot_terminal(p, path);
    withy_status status = plot_shape_data(p, err);
    fprintf(p->out, "set multiplot\n");
    plot_title(p);
    for (int i = 0; i < count && status == WITHY_OK; i++)
        status = panel[i].draw(p, place(p, panel, count, i), panel[i].which, err);
    fprintf(p->out, "unset multiplot\nunset output\n");
    return status;
}

/* A picture that was cut short (a full disk: gnuplot does not look) lacks its end. */
static int is_complete(const wy_atomic_file *file, const char *path) {
    static const char *const end[][2] = {{".png", "IEND"}, {".pdf", "%%EOF"}, {".svg", "</svg>"}};
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (strcmp(strrchr(path, '.'), end[i][0]) == 0) return whole_ends(file, end[i][1]);
    return 0;
}

static withy_status fail(withy_error *err, const char *path, const char *why) {
    err->code = WITHY_IO;
    snprintf(err->text, sizeof err->text, "%.800s: the picture cannot be written: %.160s", path,
             why);
    return WITHY_IO;
}

static withy_status draw_into(plot *p, const wy_atomic_file *file, const char *path,
                              withy_error *err) {
    process gnuplot;
    if (!gnuplot_start(&gnuplot, NULL, fileno(file->stream)))
        return fail(err, path, strerror(errno));
    p->out = gnuplot.in;
    const withy_status status = put_page(p, path, err);
    const int drawn = process_end(&gnuplot);
    p->out = NULL;
    if (status != WITHY_OK) return status;
    if (!drawn) return fail(err, path, "gnuplot failed (its message is above)");
    return is_complete(file, path) ? WITHY_OK
                                   : fail(err, path, "it was cut short; is a disk full?");
}

withy_status plot_draw(plot *p, const char *path, withy_error *err) {
    wy_atomic_file file;
    int code = whole_begin(&file, path);
    if (code) return fail(err, path, strerror(code));
    const withy_status status = draw_into(p, &file, path, err);
    if (status != WITHY_OK) return wy_atomic_file_drop(&file), status;
    code = wy_atomic_file_keep(&file);
    return code ? fail(err, path, strerror(code)) : WITHY_OK;
}
