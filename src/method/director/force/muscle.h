/* muscle.h - muscles and chambers: tendons with a tension at each Gauss point, or with a pressure. */
#pragma once

#include "method/director/director.h"

/* Areas, and of a muscle what it keeps; and the lengths of its fibres where the strains at rest are known. */
withy_status wy_muscle_make(wy_director_plan *x, wy_tendon *m, wy_arena *arena, withy_error *err);
void wy_muscle_first(const wy_director_plan *x, wy_tendon *m);
int wy_muscles_of(const wy_director_plan *x);
/* Activation in the middle and at the end of the step, from u at t; on: 0: it is not asked for. */
withy_status wy_muscle_at(wy_director *x, const wy_tendon *m, double t, int on, withy_error *err);
void wy_muscles_commit(wy_director *x);
/* Stress of the step at the iterate, added; the same, and its slope by S+. */
void wy_muscle_stress(const wy_director *x, const wy_tendon *m, int at, lane stress[2]);
void wy_muscle_slope(const wy_director *x, const wy_tendon *m, int at, lane stress[2],
                     double matrix[6][6]);
/* Stress of the state, added. */
void wy_muscle_sample(const wy_director *x, const wy_tendon *m, int at, lane stress[2]);
/* v^T K v at a Gauss point, from the variations of its strains. */
double wy_muscle_quotient(const wy_director *x, const wy_tendon *m, int at, const lane one[2],
                          const lane two[2]);
double wy_muscle_work(const wy_director *x, const wy_tendon *m); /* over the step just solved */
