/* cable.h - the element of a cable, where element.c has that of a rod: the same tasks, chosen once per call. */
#pragma once

#include "method/director/director.h"

/* Tangent and minus the residual of element e, m[6(p+1)][stride], the right side in column 6(p+1). */
void wy_cable_element(wy_director *x, int e, double *m, int stride);
void wy_cable_correct(wy_director *x, double share);
void wy_cable_strains(wy_director *x, int commit);
void wy_cable_force(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]);
void wy_cable_pull(wy_director *x, int e, double f[][6], double *gap);
void wy_cable_mixed(wy_director *x, int e, double m[][WY_DIRECTOR_MIXED + 1]);
void wy_cable_damping(const wy_director *x, int e, const double *v, double *f);
/* First and second variation of the stretch at a Gauss point along the motion v; the rounding of the first. */
void wy_cable_variations(const wy_director *x, const double *v, int e, int g, lane one[2],
                         lane two[2], double size[2]);
/* Where a cable that has just been placed has its Gauss points: r' of that length, along that of the directors. */
vec3 wy_cable_slope(mat3 a, double length);
/* Force and stiffness of a cable at rest, for the scales of statics. */
double wy_cable_scale(const wy_director_plan *plan);
/* static/cable_form.c: wy_equations.form */
withy_status wy_network_form(void *self, int *found, withy_error *err);
/* Is there a Gauss point without tension?  *s: the first.  2: it bears pressure there. */
int wy_cable_is_slack(const wy_director *x, double *s);
/* Frames of what was sampled, which turn along the cable as little as the tangent lets them; forces with them; and how fast
 * they turn. */
void wy_cable_frames(const wy_director *x, withy_snapshot *snap);
