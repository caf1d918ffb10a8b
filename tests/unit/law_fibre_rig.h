/* law_fibre_rig.h - the rig of law_rig.h with a section of fibres; and slopes of laws with kinks. */
#pragma once

#include "law_rig.h"
#include "method/director/law/fibre.h"

typedef struct fibre_rig {
    rig x;
    wy_arena arena;
    wy_element rule;
    double start[2], size[1];
} fibre_rig;

/* Strains of some 0.01 yield; a shear factor below 1, a section with two bending stiffnesses. */
static inline void fibre_rig_begin(fibre_rig *f, const wy_section_law *law, withy_section_kind kind,
                                   const withy_law *given) {
    withy_error err = {0};
    double k[WITHY_STRAINS];
    rig *x = &f->x;
    wy_arena_free(&f->arena);
    memset(x->history, 0, sizeof x->history);
    x->given = (withy_rod){
        .length = 1, .material = {.young = 1e6, .shear = 4e5, .density = 1}, .law = *given};
    x->given.section = (withy_section){.kind = kind, .shear_factor = 0.8};
    x->given.section.a = withy_field_number(0.4), x->given.section.b = withy_field_number(0.25);
    wy_element_make(1, &f->rule);
    f->start[0] = 0, f->start[1] = f->size[0] = 1;
    x->rod = (wy_director){0};
    wy_director_plan plan = {
        .rod = &x->given, .n = 1, .p = 1, .rule = &f->rule, .start = f->start, .size = f->size};
    const wy_setup setup = {.arena = &f->arena};
    CHECK_OK(wy_stiffness_at(&x->given, 0, k, &err));
    for (int i = 0; i < 6; i++) x->section.c[i / 3][i % 3] = k[i];
    plan.section = &x->section;
    if (law->make) CHECK_OK(law->make(&plan, &setup, &err));
    x->of_law = plan.of_law;
    rig_begin(x, law, 0);
    for (int i = 0; i < 6; i++) x->section.c[i / 3][i % 3] = k[i];
}

/* The largest difference from central differences over the stiffness, with the length that fits best: kinks lie closer than others. */
static inline double fibre_rig_slope_miss(rig *x) {
    const wy_law_out here = x->out;
    double best = INFINITY;
    for (double by = 1e-4; by > 1e-8; by *= 0.1) {
        double worst = 0;
        for (int k = 0; k < 6; k++) {
            const double kept = x->stress.plus[k / 3][k % 3];
            double f[2][6];
            for (int side = 0; side < 2; side++) {
                x->stress.plus[k / 3][k % 3] = kept + (side ? by : -by);
                wy_section_step(&x->rod, 0);
                for (int i = 0; i < 6; i++) f[side][i] = x->stress.stress[i / 3][i % 3];
            }
            x->stress.plus[k / 3][k % 3] = kept;
            for (int i = 0; i < 6; i++)
                worst =
                    fmax(worst, fabs((f[1][i] - f[0][i]) / (2 * by) - here.slope[i][k / 3][k % 3]) /
                                    sqrt(x->section.c[i / 3][i % 3] * x->section.c[k / 3][k % 3]));
        }
        best = fmin(best, worst);
    }
    wy_section_step(&x->rod, 0);
    return best;
}

/* Steps that follow each other, in motion or at rest: the worst of the slopes. */
static inline double fibre_rig_worst_slope(rig *x, int moving, int steps) {
    double worst = 0;
    for (int i = 0; i < steps; i++) {
        rig_step(x, rig_decades(1e-3, 0.3), 1);
        x->step.dynamic = moving, x->step.xi = 0;
        if (!moving) x->step.beta = 1, x->step.per = 0;
        wy_section_step(&x->rod, 0);
        worst = fmax(worst, fibre_rig_slope_miss(x));
        rig_keep(x);
    }
    return worst;
}
