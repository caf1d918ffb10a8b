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
/* Sums over the fibres of a section with the strains e: B^T C p into force[6]; into sum[0] and sum[1] the parts of eps and of gamma
 * of p (C + H) p + Hi a^2 - 2 e C p; into sum[2] the largest q/R. */
void wy_law_plastic_sums(const wy_director *x, int at, const lane e[2], double force[6],
                         double sum[3]);
