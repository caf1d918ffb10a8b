/* superelastic.h - between law_superelastic.c and its inner loop.  History of a section: the largest |x| of its fibres, and the
 * transformation strains x [count]. */
#pragma once

#include "method/director/law/fibre.h"

void wy_law_superelastic_step(const wy_director *x, int at, double *after, wy_law_out *out);
void wy_law_superelastic_state(const wy_director *x, int at, const lane e[2], wy_fibre_state *out);
