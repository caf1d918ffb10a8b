/* hinge.c - the angle of a hinge, any number of turns, with exact work.
 *
 * c = uA.uB and s = wA.uB are scalars of director/network/joint.h.  With the means cm, sm over the step and the
 * rows B_c, B_s at qbar:
 *
 *   turn = atan2(s+ c- - c+ s-, c+ c- + s+ s-)                    alpha+ = alpha- + turn            (1)
 *   m = (cm B_s - sm B_c)/N,  N = cm^2 + sm^2                     m . (q+ - q-) = 2 tan(turn/2)     (2)
 *   d(turn)/dq+ = (c+ Bp_s - s+ Bp_c)/(c+^2 + s+^2)               Bp: rows at q+                    (3)
 *   dm = (cm H_s - sm H_c + B_s dcm - B_c dsm)/N - m dN/N         dcm = beta Bp_c                   (4)
 *
 * (2) holds because B_s . (q+ - q-) = s+ - s- exactly: on the unit circle
 * (cm (s+ - s-) - sm (c+ - c-))/N is the tangent of half the arc, twice.  A moment S on the angle enters as
 * m tau with tau = S f, f = turn/(2 tan(turn/2)), and does the work -S turn.
 */
#include "method/director/network/joint.h"

/* Cosine and sine: at both ends of the step, their means, and the rows there. */
typedef struct circle {
    double c0, s0, c1, s1, cm, sm, n;
    double bc[WY_PAIR], bs[WY_PAIR], pc[WY_PAIR], ps[WY_PAIR];
} circle;

static circle circle_of(const wy_angle *x, const wy_pair_step *at) {
    circle o = {.c0 = wy_scalar_value(x->cosine, &at->minus),
                .s0 = wy_scalar_value(x->sine, &at->minus),
                .c1 = wy_scalar_value(x->cosine, &at->plus),
                .s1 = wy_scalar_value(x->sine, &at->plus)};
    o.cm = at->beta * o.c1 + (1 - at->beta) * o.c0;
    o.sm = at->beta * o.s1 + (1 - at->beta) * o.s0;
    o.n = o.cm * o.cm + o.sm * o.sm;
    wy_scalar_row(x->cosine, &at->mid, o.bc), wy_scalar_row(x->sine, &at->mid, o.bs);
    wy_scalar_row(x->cosine, &at->plus, o.pc), wy_scalar_row(x->sine, &at->plus, o.ps);
    return o;
}

void wy_angle_find(const wy_angle *x, const wy_pair_step *at, wy_angle_at *out) {
    const circle o = circle_of(x, at);
    const double n1 = o.c1 * o.c1 + o.s1 * o.s1;
    out->turn = atan2(o.s1 * o.c0 - o.c1 * o.s0, o.c1 * o.c0 + o.s1 * o.s0); /* (1) */
    for (int i = 0; i < WY_PAIR; i++) {
        out->row[i] = (o.cm * o.bs[i] - o.sm * o.bc[i]) / o.n; /* (2) */
        out->plus[i] = (o.c1 * o.ps[i] - o.s1 * o.pc[i]) / n1; /* (3) */
    }
}

void wy_angle_curve(const wy_angle *x, const wy_pair_step *at, double tau,
                    double h[WY_PAIR][WY_PAIR]) {
    const circle o = circle_of(x, at);
    const double k = tau / o.n, b = at->beta;
    wy_scalar_curve(x->sine, &at->mid, &at->plus, k * o.cm, b, h);
    wy_scalar_curve(x->cosine, &at->mid, &at->plus, -k * o.sm, b, h);
    for (int i = 0; i < WY_PAIR; i++) {
        const double m = (o.cm * o.bs[i] - o.sm * o.bc[i]) / o.n;
        for (int j = 0; j < WY_PAIR; j++) {
            const double dcm = b * o.pc[j], dsm = b * o.ps[j];
            const double dn = 2 * (o.cm * dcm + o.sm * dsm);
            h[i][j] += k * (o.bs[i] * dcm - o.bc[i] * dsm - m * dn); /* (4) */
        }
    }
}

double wy_angle_factor(double turn, double *slope) {
    const double t2 = turn * turn;
    if (t2 < 1e-6) {
        *slope = -turn / 6 - turn * t2 / 180;
        return 1 - t2 / 12 - t2 * t2 / 720;
    }
    const double half = 0.5 * turn, sine = sin(half);
    *slope = 0.5 * cos(half) / sine - 0.5 * half / (sine * sine);
    return half * cos(half) / sine;
}
