/* film.c - the pictures of a film: one gnuplot draws them all.
 *
 * Each shows the rods now, thick, the first shape dashed, and the path of the far ends so far.  A
 * picture that shows the same snapshot as the one before it is a link to that one.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plot/plot.h"

void plot_film_name(const plot_film *film, int k, char *path, size_t size) {
    snprintf(path, size, "%s/%06d.png", film->folder, k);
}

static withy_status fail(withy_error *err, withy_status code, const char *what, const char *why) {
    err->code = code;
    snprintf(err->text, sizeof err->text, "%.900s: %.100s", what, why);
    return code;
}

/* The far ends of every frame: one index per line that is drawn, one line per frame. */
static withy_status put_tips(plot *p, withy_error *err) {
    fprintf(p->out, "$tips << EOD\n");
    for (int line = 0; line < p->lines; line++) {
        for (int f = 0; f < p->frame_count; f++) {
            const withy_snapshot *snap = cli_line_at(p->result, line, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            const withy_vec3 r = snap->position[snap->count - 1];
            fprintf(p->out, "%.7g %.7g %.7g\n", r.x, r.y, r.z);
        }
        fprintf(p->out, "\n\n");
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

/* What all pictures share. */
static withy_status put_stage(plot *p, withy_error *err) {
    const plot_view v = plot_view_make(p);
    plot_terminal(p, ".png");
    plot_title(p);
    fprintf(p->out, "set key off\nunset colorbox\nset tmargin at screen %.4f\n",
            1 - 70.0 / p->height);
    if (p->plane == PLOT_3D) fprintf(p->out, "set lmargin 9\nset bmargin 4\n");
    plot_view_axes(p, &v, 1);
    withy_status status = plot_shape_now(p, "$first", 0, err);
    return status == WITHY_OK ? put_tips(p, err) : status;
}

/* Frame f into the picture: shadow, first shape, paths of the ends, the shape now. */
static void put_curves(plot *p, int f, const plot_view *v) {
    fprintf(p->out, "plot ");
    if (p->plane == PLOT_3D)
        fprintf(p->out,
                "$rules with lines lc rgb faint lw 0.6, $edges with lines lc rgb box "
                "lw 0.6, $now using %s with lines lc rgb ghost lw 2, ",
                v->shadow);
    fprintf(p->out, "$first using %s with lines lc rgb grey dt (6,4) lw 1.8, ", v->columns);
    fprintf(p->out, "$tips index 0:%d every ::::%d using %s with lines lc rgb ink1 lw 1.3, ",
            p->lines - 1, f, v->columns);
    fprintf(p->out, "$now using %s with lines lc rgb ink0 lw 5, ", v->columns);
    fprintf(p->out,
            "$tips index 0:%d every ::%d::%d using %s with points pt 7 ps 1.3 lc rgb "
            "ink1\n",
            p->lines - 1, f, f, v->columns);
}

static withy_status put_picture(plot *p, const plot_film *film, int k, const plot_view *v,
                                withy_error *err) {
    const int f = film->shown[k];
    char moment[96];
    plot_moment(p, p->time[p->frame[f]], p->time[p->frame[f]], 0, moment, sizeof moment);
    fprintf(p->out, "set output '%06d.png'\nset label 3 ", k); /* gnuplot works in the folder */
    gnuplot_text(p->out, moment);
    fprintf(p->out, " noenhanced at screen 0.025,%.4f left font ',14' front tc rgb ink\n",
            1 - 60.0 / p->height);
    const withy_status status = plot_shape_now(p, "$now", f, err);
    if (status == WITHY_OK) put_curves(p, f, v);
    return status;
}

static withy_status link_picture(const plot_film *film, int from, int k, withy_error *err) {
    char old[16], new[4096];
    snprintf(old, sizeof old, "%06d.png", from);
    plot_film_name(film, k, new, sizeof new);
    if (symlink(old, new) == 0) return WITHY_OK;
    return fail(err, WITHY_IO, new, strerror(errno));
}

static withy_status put_all(plot *p, const plot_film *film, withy_error *err) {
    withy_status status = put_stage(p, err);
    const plot_view v = plot_view_make(p);
    for (int k = 0, drawn = 0; k < film->count && status == WITHY_OK; k++) {
        if (film->progress && film->progress(film->context, k, film->count, k))
            return fail(err, WITHY_INTERRUPTED, "film", "stopped on request");
        if (k > 0 && film->shown[k] == film->shown[drawn]) {
            status = link_picture(film, drawn, k, err);
        } else {
            status = put_picture(p, film, k, &v, err);
            drawn = k;
        }
        if (ferror(p->out)) return fail(err, WITHY_IO, "film", "gnuplot stopped");
    }
    fprintf(p->out, "unset output\n");
    return status;
}

/* gnuplot does not look whether its pictures fit on the disk. */
static int has_end(const char *path) {
    char tail[12] = "";
    FILE *file = fopen(path, "rb");
    const int ok = file && fseek(file, -12, SEEK_END) == 0 && fread(tail, 1, 12, file) == 12;
    if (file) fclose(file);
    return ok && memcmp(tail + 4, "IEND", 4) == 0;
}

withy_status plot_film_draw(plot *p, const plot_film *film, withy_error *err) {
    char name[4096];
    process gnuplot;
    if (!gnuplot_start(&gnuplot, film->folder, -1))
        return fail(err, WITHY_IO, "film", strerror(errno));
    p->out = gnuplot.in;
    const withy_status status = put_all(p, film, err);
    const int drawn = process_end(&gnuplot);
    p->out = NULL;
    if (status != WITHY_OK) return status;
    if (!drawn) return fail(err, WITHY_IO, "film", "gnuplot failed (its message is above)");
    for (int k = 0; k < film->count; k++) {
        plot_film_name(film, k, name, sizeof name);
        if (!has_end(name)) return fail(err, WITHY_IO, name, "it was cut short; is a disk full?");
    }
    return WITHY_OK;
}
