/* stress.c - tension; the stress at the skin of round rods and tubes; what stays of a section that has yielded. */
#include <float.h>

#include "observe/observe.h"

int wy_find_tension(const wy_observer *observer, const withy_snapshot *snap, double *out) {
    (void)observer;
    for (int i = 0; i < snap->count; i++)
        out[i] = v3_dot(q_matrix(snap->frame[i]).c3, snap->force[i]);
    return 1;
}

/* What overflows is the largest number: files and their readers refuse infinity. */
static double bounded(double x) {
    return x < DBL_MAX ? x : DBL_MAX;
}

/* sigma = |N|/A + |M| r/I, tau = |T| r/J; sqrt(sigma^2 + 3 tau^2). */
int wy_find_stress(const wy_observer *observer, const withy_snapshot *snap, double *out) {
    if (observer->curved) return 0;
    for (int i = 0; i < snap->count && observer->radius; i++) {
        const double outer = observer->radius[i][0], inner = observer->radius[i][1];
        const double area = WY_PI * (outer * outer - inner * inner);
        const double second = 0.25 * WY_PI * (pow(outer, 4) - pow(inner, 4));
        const vec3 axis = q_matrix(snap->frame[i]).c3, m = snap->moment[i];
        const double twist = v3_dot(axis, m), bend = v3_norm(v3_axpy(m, -twist, axis));
        const double normal = fabs(v3_dot(axis, snap->force[i])) / area + bend * outer / second;
        const double shear = twist * outer / (2 * second);
        out[i] = bounded(sqrt(normal * normal + 3 * shear * shear));
    }
    return observer->radius != NULL;
}

/* Unloaded, the section is elastic: its strains fall by C^-1 m. */
int wy_find_set(const wy_observer *observer, const withy_snapshot *snap, double *out) {
    for (int i = 0; i < snap->count && observer->yields; i++) {
        const vec3 m = m3_tmul(q_matrix(snap->frame[i]), snap->moment[i]), e = snap->bend[i];
        const double *k = &observer->stiffness[i][WITHY_BEND1];
        out[3 * i] = e.x - m.x / k[0], out[3 * i + 1] = e.y - m.y / k[1];
        out[3 * i + 2] = e.z - m.z / k[2];
    }
    return observer->yields;
}
