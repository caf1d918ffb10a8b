/* plot_profile.c - a quantity along the rod at the chosen times, one panel per component. */
#include <math.h>
#include <string.h>

#include "plot.h"

enum { COMPONENTS = 8 }; /* which = 8 * (number of the profile) + component */

static const withy_quantity *quantity_of(const plot *p, int which) {
    return withy_quantity_find(p->wish.profile.item[which / COMPONENTS]);
}

/* Columns: s, the components, t. */
static withy_status put_data(plot *p, const withy_quantity *q, withy_error *err) {
    fprintf(p->out, "$profile << EOD\n");
    for (int f = 0; f < p->frame_count; f++)
        for (int rod = 0; rod < p->rods; rod++) {
            const withy_snapshot *snap = withy_result_at(p->result, rod, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            for (int i = 0; i < snap->count && (snap->have & q->have); i++) {
                const double *value = withy_quantity_at(q, snap, i);
                fprintf(p->out, "%.7g", snap->s[i]);
                for (int k = 0; k < q->size; k++) fprintf(p->out, " %.9g", value[k]);
                fprintf(p->out, " %.9g\n", snap->t);
            }
            fprintf(p->out, "\n");
        }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}

/* The range of a component over all frames, and the largest number of the quantity. */
typedef struct extent {
    double low, high, most;
} extent;

static extent extent_of(plot *p, const withy_quantity *q, int component) {
    extent e = {HUGE_VAL, -HUGE_VAL, 0};
    for (int f = 0; f < p->frame_count; f++)
        for (int rod = 0; rod < p->rods; rod++) {
            withy_error err;
            const withy_snapshot *snap = withy_result_at(p->result, rod, p->frame[f], &err);
            for (int i = 0; snap && i < snap->count && (snap->have & q->have); i++) {
                const double *value = withy_quantity_at(q, snap, i);
                e.low = fmin(e.low, value[component]), e.high = fmax(e.high, value[component]);
                for (int k = 0; k < q->size; k++) e.most = fmax(e.most, fabs(value[k]));
            }
        }
    return e;
}

static withy_status draw_component(plot *p, plot_box box, int which, withy_error *err) {
    const withy_quantity *q = quantity_of(p, which);
    const int component = which % COMPONENTS;
    const withy_status status = put_data(p, q, err);
    const double first = p->time[p->frame[0]], last = p->time[p->frame[p->frame_count - 1]];
    const extent e = extent_of(p, q, component);
    plot_place(p, box);
    plot_range(p, e.low, e.high);
    fprintf(p->out,
            "set grid lw 0.6 lt 1 lc rgb '#e2e2e2'\nset border 3 lw 0.8 lc rgb '#555555'\n"
            "set cbrange [%.9g:%.9g]\nset xlabel 's [m]'\nset ylabel '%s %s [%s]' "
            "noenhanced\n",
            first, last > first ? last : first + 1, q->name, plot_component(q->name, component),
            q->unit);
    fprintf(p->out, "plot $profile using 1:%d:%d with lines lc palette lw 1.5 notitle\n",
            component + 2, q->size + 2);
    plot_plain(p);
    return status;
}

int plot_add_profiles(plot *p, plot_panel *panel, int count) {
    for (int i = 0; i < p->wish.profile.count; i++) {
        const withy_quantity *q = withy_quantity_find(p->wish.profile.item[i]);
        int shown = 0;
        for (int k = 0; k < q->size; k++) {
            const int last = k == q->size - 1;
            const extent e = extent_of(p, q, k);
            const int counts = fmax(e.high, -e.low) > 1e-9 * e.most;
            if (count == PLOT_PANELS || !(counts || (last && !shown))) continue;
            panel[count++] = (plot_panel){draw_component, COMPONENTS * i + k, 0};
            shown++;
        }
    }
    return count;
}
