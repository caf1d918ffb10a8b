/* joint.h - the scalars that joints are made of, between two rigid rigid groups A and B.
 *
 * Every joint but the weld is a set of scalars, sums of products of vectors that are affine in the
 * positions r and the directors R of two rigid groups (docs/theory/network.md):
 *
 *   u = cA rA + RA oA + cB rB + RB oB + cX X + k        X: the moving point of the ground            (1)
 *   g = sum_m c_m u_m . w_m                                                                         (2)
 *   row B of g:   r_s: sum c (cu_s w + cw_s u)    phi_s: sum c (pu_s x w + pw_s x u),  pu_s = R_s ou_s   (3)
 *
 * g is quadratic in (r, d) and d+ - d- = theta x (d+ + d-)/2, so that with the plain means qbar
 *
 *   B(qbar) . (q+ - q-) = g+ - g-   exactly,                                                        (4)
 *
 * and a force B(qbar)^T sigma does the work sigma (g+ - g-) in a step.
 * H = sigma dB(qbar)/dq+ with beta = 1/2, or 1 in statics, where qbar is q+:
 *
 *   W_u = beta [ cA I | -hat(puA+) | cB I | -hat(puB+) ]                                            (5)
 *   rows r_s: sigma c (cu_s W_w + cw_s W_u),   rows phi_s: sigma c (hat(pu_s) W_w + hat(pw_s) W_u),
 *   and in the columns phi_s of the rows phi_s:  sigma c beta (hat(w) hat(pu_s+) + hat(u) hat(pw_s+))
 */
#pragma once

#include "base/base.h"
#include "base/vec.h"

enum { WY_PAIR = 12 }; /* unknowns of the two rigid groups: rA, phiA, rB, phiB */

/* (1) */
typedef struct wy_arm {
    double c[2];  /* cA, cB                         */
    vec3 o[2];    /* oA, oB, material components    */
    double moves; /* cX                             */
    vec3 k;       /* laboratory                     */
} wy_arm;

typedef struct wy_product {
    double c;
    wy_arm u, w;
} wy_product;

/* (2) */
typedef struct wy_scalar {
    int terms;
    wy_product term[2];
} wy_scalar;

/* The two rigid groups and the point of the ground at one instant, or their means over a step. */
typedef struct wy_pair_at {
    vec3 r[2];
    mat3 d[2];
    vec3 ground;
} wy_pair_at;

double wy_scalar_value(const wy_scalar *x, const wy_pair_at *at);
/* (3) */
void wy_scalar_row(const wy_scalar *x, const wy_pair_at *at, double row[WY_PAIR]);
/* dg/dX */
vec3 wy_scalar_ground(const wy_scalar *x, const wy_pair_at *at);
/* h += sigma dB(mid)/dq+ */
void wy_scalar_curve(const wy_scalar *x, const wy_pair_at *mid, const wy_pair_at *plus,
                     double sigma, double beta, double h[WY_PAIR][WY_PAIR]);

/* ---- laws ------------------------------------------------------------------------------------------- */

/* Of a coordinate q: an angle, a travel, a length.  U = spring (q - rest)^2/2, and springs of `stop`
 * outside low .. high. */
typedef struct wy_law {
    double spring, rest, damping;
    int limited;
    double low, high, stop;
} wy_law;

double wy_law_energy(const wy_law *x, double q);
/* The force (U+ - U-)/(q+ - q-) + damping (q+ - q-)/h - effort, and its derivative by q+; per: 1/h.  It
 * takes from the motion what U gains, exactly, and what the damping loses. */
double wy_law_force(const wy_law *x, double before, double after, double per, double effort,
                    double *slope);
/* Was q outside low .. high at one of the two instants? */
int wy_law_is_stopped(const wy_law *x, double before, double after);
/* Statics: U'(q) - effort. */
double wy_law_static(const wy_law *x, double q, double effort, double *slope);

/* The force of the stops in another law and at another step, both a little different: linear in the differences, so that what
 * differences it does not meet its corners.  still: of statics, where `before` has no meaning. */
typedef struct wy_law_at {
    const wy_law *law;
    double before, after;
} wy_law_at;
double wy_law_stops_near(const wy_law_at *here, const wy_law_at *there, int equilibrium);

/* ---- the angle of a hinge (director/network/hinge.c) ---------------------------------------------------------- */

/* The turn of B against A about their common axis: cosine = uA.uB, sine = wA.uB, with uA, wA, uB across
 * the axis. */
typedef struct wy_angle {
    const wy_scalar *cosine, *sine;
} wy_angle;

/* At one iterate; the tangent of tau m is tau dm + dtau (m rows, plus columns). */
typedef struct wy_angle_at {
    double turn;          /* from the start of the step, -pi .. pi */
    double row[WY_PAIR];  /* m: m . (q+ - q-) = 2 tan(turn/2) exactly on the hinge */
    double plus[WY_PAIR]; /* d(turn)/dq+ */
} wy_angle_at;

/* A step of a pair; beta: weight of its end in means, 1/2, or 1 in statics. */
typedef struct wy_pair_step {
    wy_pair_at minus, mid, plus;
    double beta;
} wy_pair_step;

void wy_angle_find(const wy_angle *x, const wy_pair_step *at, wy_angle_at *out);
/* h += tau dm/dq+ */
void wy_angle_curve(const wy_angle *x, const wy_pair_step *at, double tau,
                    double h[WY_PAIR][WY_PAIR]);
/* f = (turn/2)/tan(turn/2), and its derivative: a moment S on the angle is tau = S f on m. */
double wy_angle_factor(double turn, double *slope);
