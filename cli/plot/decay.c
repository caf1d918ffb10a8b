/* decay.c - sizes of the Chebyshev coefficients of the centreline: is n enough?
 *
 * The nodes of the method cheb are points of Chebyshev or Lobatto, so the coefficients follow from the snapshot.  A
 * curve that decays to the right is resolved; one that does not needs more points ([CH] figure 5-6).
 */
#include <math.h>

#include "plot/plot.h"

enum { MOST = 4096 };

/* Columns: degree, |coefficient| of x, y, z, t. */
static withy_status put_data(plot *p, withy_error *err) {
    static double size[3][MOST + 1];
    fprintf(p->out, "$decay << EOD\n");
    for (int f = 0; f < p->frame_count; f++) {
        const withy_snapshot *snap = withy_result_at(p->result, 0, p->frame[f], err);
        if (!snap) return fprintf(p->out, "EOD\n"), err->code;
        for (int k = 0; k < 3; k++)
            if (withy_snapshot_decay(snap, k, size[k], err) != WITHY_OK)
                return fprintf(p->out, "EOD\n"), err->code;
        for (int j = 0; j < snap->count; j++) {
            fprintf(p->out, "%d", j);
            for (int k = 0; k < 3; k++) fprintf(p->out, " %.6g", fmax(size[k][j], 1e-18));
            fprintf(p->out, " %.9g\n", snap->t);
        }
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

static withy_status draw_decay(plot *p, plot_box box, int which, withy_error *err) {
    const withy_snapshot *snap = withy_result_at(p->result, 0, p->frame[0], err);
    if (!snap) return err->code;
    static double size[MOST + 1];
    if (snap->count > MOST || withy_snapshot_decay(snap, 0, size, err) != WITHY_OK) {
        err->code = WITHY_UNSUPPORTED;
        snprintf(err->text, sizeof err->text,
                 "--decay: the stations are not the nodes of cheb; run the scene with method = "
                 "\"cheb\" and "
                 "without time.stations");
        return err->code;
    }
    const withy_status status = put_data(p, err);
    plot_place(p, box);
    plot_colours_over_time(p);
    fprintf(
        p->out,
        "set logscale y\nset yrange [*:*]\nset format y '10^{%%T}'\nset grid lw 0.6 lt 1 lc rgb "
        "rule\nset border 3 lw 0.8 lc rgb edge\n"
        "set xlabel 'degree'\nset ylabel '|coefficient| of %s [m]'\n",
        plot_component("position", which));
    fprintf(p->out, "plot $decay using 1:%d:5 with points pt 7 ps 0.9 lc palette notitle\n",
            which + 2);
    fprintf(p->out, "unset logscale y\nset format y\n");
    plot_plain(p);
    return status;
}

int plot_add_decay(plot *p, plot_panel *panel, int count) {
    for (int k = 0; k < 3 && p->request.decay; k++)
        if (count < PLOT_PANELS && p->high[k] - p->low[k] > 1e-9)
            panel[count++] = (plot_panel){draw_decay, k, 0};
    return count;
}
