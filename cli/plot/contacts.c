/* contacts.c - where on the rods and when something touches, coloured by the push. */
#include <math.h>
#include <stdlib.h>

#include "plot/plot.h"

enum { PER_READ = 256 };

/* Columns: t, s, push; a contact of two rods has both of its places. */
static withy_status put_data(plot *p, double range[2], withy_error *err) {
    const int64_t count = withy_result_contacts(p->result);
    withy_contact_state contacts[PER_READ];
    withy_status status = WITHY_OK;
    range[0] = INFINITY, range[1] = -INFINITY;
    fprintf(p->out, "$contacts << EOD\n");
    for (int64_t k = 0; k < count && status == WITHY_OK; k += PER_READ) {
        const int64_t some = count - k < PER_READ ? count - k : PER_READ;
        status = withy_result_contact_read(p->result, k, some, contacts, err);
        for (int64_t i = 0; i < some && status == WITHY_OK; i++) {
            const withy_contact_state *at = &contacts[i];
            fprintf(p->out, "%.9g %.9g %.6g\n", at->t, at->s, at->push);
            if (at->of == WITHY_OF_ROD)
                fprintf(p->out, "%.9g %.9g %.6g\n", at->t, at->s2, at->push);
            range[0] = fmin(range[0], at->push), range[1] = fmax(range[1], at->push);
        }
    }
    fprintf(p->out, "EOD\n");
    return status;
}

static withy_status draw_contacts(plot *p, plot_box box, int which, withy_error *err) {
    (void)which;
    double range[2];
    if (withy_result_contacts(p->result) == 0) {
        err->code = WITHY_UNSUPPORTED;
        snprintf(err->text, sizeof err->text,
                 "--contacts: nothing touches in this result; a scene needs contact or obstacles");
        return err->code;
    }
    const withy_status status = put_data(p, range, err);
    if (status != WITHY_OK) return status;
    plot_place(p, box);
    if (!(range[1] > range[0])) range[1] = range[0] + 1;
    fprintf(p->out,
            "set rmargin 14\nset colorbox\nset cbrange [%.9g:%.9g]\nset cblabel 'push [N]'\nset "
            "grid lw 0.6 lt 1 "
            "lc rgb "
            "rule\nset border 3 lw 0.8 lc rgb edge\nset ylabel 's [m]'\n"
            "set xrange [*:*]\nset yrange [*:*]\nset xlabel ",
            range[0], range[1]);
    gnuplot_text(p->out, plot_axis(p));
    fprintf(p->out, "\nplot $contacts using 1:2:3 with points pt 7 ps 0.5 lc palette notitle\n");
    fprintf(p->out, "set cblabel ''\n");
    plot_plain(p);
    return WITHY_OK;
}

int plot_add_contacts(plot *p, plot_panel *panel, int count) {
    if (p->request.contacts && count < PLOT_PANELS)
        panel[count++] = (plot_panel){draw_contacts, 0, 0};
    return count;
}
