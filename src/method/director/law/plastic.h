/* plastic.h - between law_plastic.c and its inner loop.  History of a section: the largest equivalent plastic strain of its
 * fibres, the plastic strains p [parts][count], the equivalent plastic strains a [count]. */
#pragma once

#include "method/director/law/fibre.h"

/* C, H and P of one fibre, yield stress and isotropic hardening. */
typedef struct wy_yield {
    double c[3], h[3], p[3], limit, isotropic;
} wy_yield;

static inline wy_yield wy_yield_of(const wy_director *x, const wy_fibres *f) {
    const withy_law *law = &x->plan.rod->law;
    const double h = law->hardening;
    return (wy_yield){
        {f->young, f->shear, f->shear}, {h, h / 3, h / 3}, {1, 3, 3}, law->yield, law->isotropic};
}

void wy_law_plastic_step(const wy_director *x, int at, double *after, wy_law_out *out);
void wy_law_plastic_state(const wy_director *x, int at, const lane e[2], wy_fibre_state *out);
