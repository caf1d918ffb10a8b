/* thick.c - rods with the thickness of their sections: edges and section lines, as RodPlot of [CH] draws them.
 *
 * In a plane view: the two edges r +- w e of the band, e = n x d3 the line in which the section meets the plane, n towards the
 * eye; in space: the four edges r +- w d1 +- w d2 of a square rod.  Ten sections, evenly spaced.
 */
#include <math.h>

#include "plot/plot.h"

enum { SECTIONS = 10 };

withy_vec3 plot_director(withy_quat q, int k) {
    const double w = q.w, x = q.x, y = q.y, z = q.z;
    const withy_vec3 d[3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                             {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                             {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    return d[k];
}

/* The corners of a section, from its middle: 2 of a band, 4 of a square rod. */
static int corners(const plot *p, withy_quat q, withy_vec3 out[4]) {
    const double w = p->request.thick;
    if (p->plane == PLOT_3D) {
        const withy_vec3 a = plot_director(q, 0), b = plot_director(q, 1);
        for (int k = 0; k < 4; k++) {
            const double i = k == 0 || k == 3 ? w : -w, j = k < 2 ? w : -w;
            out[k] = (withy_vec3){i * a.x + j * b.x, i * a.y + j * b.y, i * a.z + j * b.z};
        }
        return 4;
    }
    const withy_vec3 d = plot_director(q, 2);
    const withy_vec3 e = p->plane == PLOT_XY   ? (withy_vec3){-d.y, d.x, 0}
                         : p->plane == PLOT_XZ ? (withy_vec3){-d.z, 0, d.x}
                                               : (withy_vec3){0, -d.z, d.y};
    const double size = sqrt(e.x * e.x + e.y * e.y + e.z * e.z), k = size > 0 ? w / size : 0;
    out[0] = (withy_vec3){k * e.x, k * e.y, k * e.z};
    out[1] = (withy_vec3){-k * e.x, -k * e.y, -k * e.z};
    return 2;
}

static void put(plot *p, const withy_snapshot *snap, int i, int corner) {
    withy_vec3 c[4];
    const int count = corners(p, snap->frame[i], c);
    const withy_vec3 r = snap->position[i], a = c[corner % count];
    fprintf(p->out, "%.7g %.7g %.7g %.9g\n", r.x + a.x, r.y + a.y, r.z + a.z, snap->t);
}

static void put_rod(plot *p, const withy_snapshot *snap) {
    const int sides = p->plane == PLOT_3D ? 4 : 2;
    for (int k = 0; k < sides; k++) {
        for (int i = 0; i < snap->count; i++) put(p, snap, i, k);
        fprintf(p->out, "\n");
    }
    for (int m = 0; m <= SECTIONS; m++) { /* the stations nearest to even places */
        const double s = snap->s[0] + (snap->s[snap->count - 1] - snap->s[0]) * m / SECTIONS;
        int i = 0;
        while (i + 1 < snap->count && fabs(snap->s[i + 1] - s) <= fabs(snap->s[i] - s)) i++;
        for (int k = 0; k <= (sides == 2 ? 1 : 4); k++) put(p, snap, i, k);
        fprintf(p->out, "\n");
    }
}

withy_status plot_thick_data(plot *p, withy_error *err) {
    if (!(p->request.thick > 0)) return WITHY_OK;
    fprintf(p->out, "$thick << EOD\n");
    for (int f = 0; f < p->frame_count; f++) {
        for (int rod = 0; rod < p->rods; rod++) {
            const withy_snapshot *snap = cli_line_at(p->result, rod, p->frame[f], err);
            if (!snap) return fprintf(p->out, "EOD\n"), err->code;
            if (snap->have & WITHY_HAVE_FRAME) put_rod(p, snap);
        }
        fprintf(p->out, "\n\n");
    }
    fprintf(p->out, "EOD\n");
    return WITHY_OK;
}
