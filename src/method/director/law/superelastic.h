/* superelastic.h - between law_superelastic.c and its inner loop.  History of a section: the largest |x| of its fibres, and the
 * transformation strains x [count]. */
#pragma once

#include "method/director/law/fibre.h"

void wy_law_superelastic_step(const wy_director *x, int at, double *after, wy_law_out *out);
/* Sums over the fibres of a section with the strains e: B^T E x into force; returns the part of 2 V that is not e.C e; *worst: by
 * how much a stress is beyond that at which x changes, over it. */
double wy_law_superelastic_sums(const wy_director *x, int at, const lane e[2], double force[6],
                                double *worst);
