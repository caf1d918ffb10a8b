/* energy.c - the step of a section with a stored energy (energy.h). */
#include <float.h>

#include "method/director/law/energy.h"

static void strain_of(const wy_director *x, int at, const lane s[2], double e[6]) {
    const lane *rest = x->plan.section[at].rest;
    for (int i = 0; i < 6; i++) e[i] = s[i / 3][i % 3] - rest[i / 3][i % 3];
}

static void put(double (*slope)[6], wy_slope out) {
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 2; k++)
            out[i][k] = (lane){slope[i][3 * k], slope[i][3 * k + 1], slope[i][3 * k + 2], 0};
}

static double total(const wy_energy *v) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += v->by[i];
    return sum;
}

/* The mean stress of a line of strain, and its slope. */
typedef struct line {
    double s[6], slope[6][6];
} line;

/* (1) */
static void find_mean(const wy_director *x, int at, const double before[6], const double de[6],
                      line *out) {
    *out = (line){0};
    for (int q = 0; q < 2; q++) {
        const double part = 0.5 + (q ? 0.5 : -0.5) / sqrt(3);
        double e[6];
        wy_energy v;
        for (int i = 0; i < 6; i++) e[i] = before[i] + part * de[i];
        x->plan.law->energy_of(x, at, e, &v);
        for (int i = 0; i < 6; i++) out->s[i] += 0.5 * v.d[i];
        for (int i = 0; i < 36; i++) out->slope[i / 6][i % 6] += 0.5 * part * v.dd[i / 6][i % 6];
    }
}

/* (2); stiff: G */
static void add_rest(const wy_energy *first, const wy_energy *last, const lane *stiff,
                     const double de[6], line *out) {
    const double v0 = total(first), v1 = total(last);
    double work = 0, size = fabs(v0) + fabs(v1), long_ = 0, g[6], row[6];
    for (int i = 0; i < 6; i++) {
        work += out->s[i] * de[i], size += fabs(out->s[i] * de[i]);
        g[i] = stiff[i / 3][i % 3] * de[i], long_ += g[i] * de[i];
    }
    const double rest = v1 - v0 - work;
    if (!(fabs(rest) > 4 * DBL_EPSILON * size) || !(long_ > 0)) return;
    for (int j = 0; j < 6; j++) {
        double moved = 0; /* T^T de */
        for (int i = 0; i < 6; i++) moved += out->slope[i][j] * de[i];
        row[j] = (last->d[j] - out->s[j] - moved) / long_ - 2 * rest * g[j] / (long_ * long_);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) out->slope[i][j] += g[i] * row[j];
        out->slope[i][i] += rest * stiff[i / 3][i % 3] / long_;
        out->s[i] += rest * g[i] / long_;
    }
}

void wy_energy_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    wy_energy_of *of = x->plan.law->energy_of;
    double before[6], now[6], de[6];
    wy_energy first, last;
    line mean;
    (void)after;
    strain_of(x, at, x->stress[at].plus, now);
    of(x, at, now, &last);
    if (x->step->dynamic) {
        strain_of(x, at, x->strain[at].start, before);
        of(x, at, before, &first);
        for (int i = 0; i < 6; i++)
            de[i] = x->stress[at].plus[i / 3][i % 3] - x->strain[at].start[i / 3][i % 3];
        find_mean(x, at, before, de, &mean);
        add_rest(&first, &last, x->plan.section[at].c, de, &mean);
    } else {
        memcpy(mean.s, last.d, sizeof mean.s), memcpy(mean.slope, last.dd, sizeof mean.slope);
    }
    for (int k = 0; k < 2; k++)
        out->stress[k] = (lane){mean.s[3 * k], mean.s[3 * k + 1], mean.s[3 * k + 2], 0};
    put(mean.slope, out->slope);
    out->loss = 0;
}

void wy_energy_stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    double e[6];
    wy_energy v;
    strain_of(x, at, s, e);
    x->plan.law->energy_of(x, at, e, &v);
    for (int k = 0; k < 2; k++) out[k] = (lane){v.d[3 * k], v.d[3 * k + 1], v.d[3 * k + 2], 0};
}

void wy_energy_slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    double e[6];
    wy_energy v;
    strain_of(x, at, s, e);
    x->plan.law->energy_of(x, at, e, &v);
    put(v.dd, out);
}

void wy_energy_by_strains(const wy_director *x, int at, lane out[2]) {
    double e[6];
    wy_energy v;
    strain_of(x, at, x->strain[at].start, e);
    x->plan.law->energy_of(x, at, e, &v);
    for (int k = 0; k < 2; k++)
        out[k] = (lane){2 * v.by[3 * k], 2 * v.by[3 * k + 1], 2 * v.by[3 * k + 2], 0};
}
