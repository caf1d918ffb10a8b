/* profile.c - a quantity along the rod at the chosen times, one panel per component.
 *
 * "force.material" is the force in the axes d1, d2, d3 of the section instead of x, y, z; likewise for
 * every quantity of three components.
 */
#include <math.h>
#include <string.h>

#include "plot/plot.h"

enum { COMPONENTS = 8 }; /* which = 8 * (number of the profile) + component */

const withy_quantity *plot_profile_find(const char *name, int *material) {
    char plain[WITHY_NAME];
    const char *dot = strchr(name, '.');
    *material = dot && strcmp(dot, ".material") == 0;
    snprintf(plain, sizeof plain, "%.*s", *material ? (int)(dot - name) : WITHY_NAME - 1, name);
    const withy_quantity *q = withy_quantity_find(WITHY_OF_ROD, plain);
    return *material && q && q->size != 3 ? NULL : q;
}

static const withy_quantity *quantity_of(const plot *p, int which, int *material) {
    return plot_profile_find(p->request.profile.item[which / COMPONENTS], material);
}

/* The components of station i, q->size of them. */
static void values_at(const withy_quantity *q, int material, const withy_snapshot *snap, int i,
                      double out[COMPONENTS]) {
    const double *a = withy_quantity_at(q, snap, i);
    for (int k = 0; k < q->size; k++) out[k] = a[k];
    if (!material || !(snap->have & WITHY_HAVE_FRAME)) return;
    const withy_quat f = snap->frame[i]; /* turn back: a + 2 v x (v x a + w a), v = -vector part */
    const double v[3] = {-f.x, -f.y, -f.z};
    double t[3];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        t[k] = v[l] * a[m] - v[m] * a[l] + f.w * a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[k] + 2 * (v[l] * t[m] - v[m] * t[l]);
    }
}

/* Columns: s, the components, t. */
static withy_status put_data(plot *p, const withy_quantity *q, int material, withy_error *err) {
    fprintf(p->out, "$profile << EOD\n");
    for (int f = 0; f < p->frame_count; f++)
        for (int rod = 0; rod < p->rods; rod++) {
            const withy_snapshot *snap = withy_result_at(p->result, rod, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            for (int i = 0; i < snap->count && (snap->have & q->have); i++) {
                double value[COMPONENTS];
                values_at(q, material, snap, i, value);
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

static extent extent_of(plot *p, const withy_quantity *q, int material, int component) {
    extent e = {HUGE_VAL, -HUGE_VAL, 0};
    for (int f = 0; f < p->frame_count; f++)
        for (int rod = 0; rod < p->rods; rod++) {
            withy_error err;
            const withy_snapshot *snap = withy_result_at(p->result, rod, p->frame[f], &err);
            for (int i = 0; snap && i < snap->count && (snap->have & q->have); i++) {
                double value[COMPONENTS];
                values_at(q, material, snap, i, value);
                e.low = fmin(e.low, value[component]), e.high = fmax(e.high, value[component]);
                for (int k = 0; k < q->size; k++) e.most = fmax(e.most, fabs(value[k]));
            }
        }
    return e;
}

static withy_status draw_component(plot *p, plot_box box, int which, withy_error *err) {
    int material;
    const withy_quantity *q = quantity_of(p, which, &material);
    const int component = which % COMPONENTS;
    const withy_status status = put_data(p, q, material, err);
    static const char *const axis[3] = {"along d1", "along d2", "along d3"};
    const extent e = extent_of(p, q, material, component);
    plot_place(p, box);
    plot_range(p, e.low, e.high);
    plot_colours_over_time(p);
    fprintf(p->out,
            "set grid lw 0.6 lt 1 lc rgb rule\nset border 3 lw 0.8 lc rgb edge\n"
            "set xlabel 's [m]'\nset ylabel '%s %s [%s]' noenhanced\n",
            q->name, material ? axis[component] : plot_component(q->name, component), q->unit);
    fprintf(p->out, "plot $profile using 1:%d:%d with lines lc palette lw 1.5 notitle\n",
            component + 2, q->size + 2);
    plot_plain(p);
    return status;
}

int plot_add_profiles(plot *p, plot_panel *panel, int count) {
    for (int i = 0; i < p->request.profile.count; i++) {
        int shown = 0, material;
        const withy_quantity *q = plot_profile_find(p->request.profile.item[i], &material);
        for (int k = 0; k < q->size; k++) {
            const int last = k == q->size - 1;
            const extent e = extent_of(p, q, material, k);
            const int counts = fmax(e.high, -e.low) > 1e-9 * e.most;
            if (count == PLOT_PANELS || !(counts || (last && !shown))) continue;
            panel[count++] = (plot_panel){draw_component, COMPONENTS * i + k, 0};
            shown++;
        }
    }
    return count;
}
