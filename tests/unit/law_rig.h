/* law_rig.h - one Gauss point with a section law, for steps of any size without a rod. */
#pragma once

#include "check.h"
#include "method/director/law/law.h"
#include "random_number.h"
#include "today.h"

enum { RIG_HISTORY = 4200, RIG_STEPS = 10000 };

typedef struct rig {
    withy_rod given;
    wy_director rod;
    wy_director_section section;
    wy_director_matrix matrix;
    wy_director_strain strain;
    wy_director_stress stress;
    wy_director_step step;
    wy_law_out out;
    const void *of_law; /* plan.of_law */
    double history[RIG_HISTORY], after[RIG_HISTORY], of_step[RIG_HISTORY];
} rig;

/* -1 .. 1, and a size over decades. */
static inline double rig_random(void) {
    static uint64_t seed;
    if (!seed) {
        seed = (uint64_t)today_from(1, 1000000, 1);
        print_message("seed %d\n", (int)seed);
    }
    return random_between(&seed, -1, 1);
}
static inline double rig_decades(double lowest, double highest) {
    return exp(log(lowest) + (log(highest) - log(lowest)) * 0.5 * (rig_random() + 1));
}

/* a = b b^T and a little more, of a random b, scaled by size_i size_k. */
static inline void rig_positive(wy_slope a, const double size[6], double factor) {
    double b[6][6];
    for (int i = 0; i < 36; i++) b[i / 6][i % 6] = rig_random();
    for (int i = 0; i < 36; i++) {
        double sum = i % 7 ? 0 : 0.1;
        for (int n = 0; n < 6; n++) sum += b[i / 6][n] * b[i % 6][n];
        a[i / 6][i % 6 / 3][i % 3] = factor * size[i / 6] * size[i % 6] * sum;
    }
}

/* A law with random stiffness and viscosity, coupled or not, with what `given` says of it. */
static inline void rig_begin(rig *x, const wy_section_law *law, int coupled) {
    const double size[6] = {30, 25, 70, 0.8, 0.5, 0.6};
    x->rod = (wy_director){.history = x->history, .after = x->after, .of_step = x->of_step};
    x->rod.plan.rod = &x->given, x->rod.plan.law = law, x->rod.plan.damped = 1;
    x->rod.plan.n = x->rod.plan.p = 1, x->rod.plan.of_law = x->of_law;
    x->rod.plan.section = &x->section, x->section.matrix = coupled ? &x->matrix : NULL;
    x->rod.strain = &x->strain, x->rod.stress = &x->stress, x->rod.law = &x->out;
    x->rod.step = &x->step;
    rig_positive(x->matrix.c, size, 1), rig_positive(x->matrix.cv, size, 0.01);
    for (int i = 0; i < 6; i++) {
        x->section.c[i / 3][i % 3] = x->matrix.c[i][i / 3][i % 3];
        x->section.cv[i / 3][i % 3] = x->matrix.cv[i][i / 3][i % 3];
        x->section.rest[i / 3][i % 3] = (i == 2) + 0.1 * rig_random();
        x->strain.start[i / 3][i % 3] = x->section.rest[i / 3][i % 3];
    }
    x->section.weight = 1;
    wy_section_first(&x->rod);
}

/* To strains that differ by up to `size` from those of rest, in a time h. */
static inline void rig_step(rig *x, double size, double h) {
    x->step = (wy_director_step){.h = h, .beta = 0.5, .per = 1 / h, .xi = 0.05, .dynamic = 1};
    for (int i = 0; i < 6; i++)
        x->stress.plus[i / 3][i % 3] = x->section.rest[i / 3][i % 3] + size * rig_random();
    wy_section_begin(&x->rod);
    wy_section_step(&x->rod, 0);
}

static inline double rig_energy(rig *x) {
    lane v[2];
    x->rod.plan.law->energy(&x->rod, 0, v);
    return 0.5 * (lane_sum(v[0]) + lane_sum(v[1]));
}

/* The step is kept. */
static inline void rig_keep(rig *x) {
    memcpy(x->strain.start, x->stress.plus, sizeof x->stress.plus);
    memcpy(x->history, x->after, sizeof x->after);
}

/* What stress . (S+ - S-) = V+ - V- + loss misses, over the size of its terms; after rig_step, which it keeps. */
static inline double rig_miss(rig *x) {
    const double before = rig_energy(x), loss = x->out.loss;
    double work = 0, size = before + fabs(loss);
    for (int i = 0; i < 6; i++) {
        const double part = x->stress.stress[i / 3][i % 3] *
                            (x->stress.plus[i / 3][i % 3] - x->strain.start[i / 3][i % 3]);
        work += part, size += fabs(part);
    }
    rig_keep(x);
    const double after = rig_energy(x);
    return fabs(work - (after - before) - loss) / (size + after);
}

/* The worst of these over many steps, of which a hundred follow each other; no loss is negative. */
static inline double rig_worst_miss(rig *x, void (*begin)(rig *x, int round)) {
    double worst = 0;
    for (int i = 0; i < RIG_STEPS; i++) {
        if (i % 100 == 0) begin(x, i / 100);
        rig_step(x, rig_decades(1e-3, 1), rig_decades(1e-4, 1e2));
        CHECK(x->out.loss >= 0);
        worst = fmax(worst, rig_miss(x));
    }
    return worst;
}

/* The largest difference of the slope from that of central differences of the stress, over its size. */
static inline double rig_slope_miss(rig *x, double by) {
    const wy_law_out here = x->out;
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        const double size = by, kept = x->stress.plus[k / 3][k % 3];
        double f[2][6];
        for (int side = 0; side < 2; side++) {
            x->stress.plus[k / 3][k % 3] = kept + (side ? size : -size);
            wy_section_step(&x->rod, 0);
            for (int i = 0; i < 6; i++) f[side][i] = x->stress.stress[i / 3][i % 3];
        }
        x->stress.plus[k / 3][k % 3] = kept;
        for (int i = 0; i < 6; i++)
            worst =
                fmax(worst, fabs((f[1][i] - f[0][i]) / (2 * size) - here.slope[i][k / 3][k % 3]) /
                                sqrt(here.slope[i][i / 3][i % 3] * here.slope[k][k / 3][k % 3]));
    }
    wy_section_step(&x->rod, 0);
    return worst;
}
