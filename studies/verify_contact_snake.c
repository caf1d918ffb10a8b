/* verify_contact_snake.c - the speed of a snake, by a model that shares nothing with the methods.
 *
 * The body has the shape that its muscles prescribe, kappa = M/EI; three numbers say where it is.  Points of it rub on
 * the ground by one of two laws, with w their weight and (v_a, v_l) their velocity along and across the body:
 *
 *   own limits    f_a = -mu_a w sign v_a, f_l = -mu_l w sign v_l: each direction has its own limit, as in withy
 *   weighted      f = -(mu_a v_a, mu_l v_l) w/|v|: limits weighted by the direction of sliding, as in PyElastica
 */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "verify_contact.h"

enum { POINTS = 60 };

static const double LENGTH = 0.35, RADIUS = 0.00385, PERIOD = 2, YOUNG = 1e6;
static const double GRAVITY = 9.80665, MU = 0.0892252, BACK = 1.5, LATERAL = 2;

/* Cubic B-splines on the knots 0 0 0 0 1/3 2/3 1 1 1 1. */
static double spline(int i, int k, double x) {
    static const double knot[10] = {0, 0, 0, 0, 1 / 3., 2 / 3., 1, 1, 1, 1};
    if (k == 0) return x >= knot[i] && x < knot[i + 1];
    const double a = knot[i + k] - knot[i], b = knot[i + k + 1] - knot[i + 1];
    return (a > 0 ? (x - knot[i]) / a * spline(i, k - 1, x) : 0) +
           (b > 0 ? (knot[i + k + 1] - x) / b * spline(i + 1, k - 1, x) : 0);
}

typedef struct point {
    double x, y, angle;
} point;

/* Places in the frame of the body, with the centre of mass at its origin. */
static void shape(const double strength[POINTS], double t, point p[POINTS]) {
    const double h = LENGTH / POINTS, second = WY_PI * pow(RADIUS, 4) / 4;
    double angle = 0, x = 0, y = 0, mx = 0, my = 0;
    for (int i = 0; i < POINTS; i++) {
        const double s = 1 - (i + 0.5) / POINTS;
        const double kappa = fmin(1, t / PERIOD) * strength[i] * sin(2 * WY_PI * (t / PERIOD - s)) /
                             (YOUNG * second);
        angle += 0.5 * h * kappa;
        p[i] = (point){x + 0.5 * h * cos(angle), y + 0.5 * h * sin(angle), angle};
        x += h * cos(angle), y += h * sin(angle);
        angle += 0.5 * h * kappa;
        mx += p[i].x / POINTS, my += p[i].y / POINTS;
    }
    for (int i = 0; i < POINTS; i++) p[i].x -= mx, p[i].y -= my;
}

/* Force of the ground per weight on a point whose body points along (c, s). */
static void rub(int weighted, double vx, double vy, double c, double s, double *fx, double *fy) {
    const double soft = 2e-4; /* m/s: below it sticks, softly */
    const double va = vx * c + vy * s, vl = -vx * s + vy * c;
    const double along = va > 0 ? MU : BACK * MU, across = LATERAL * MU;
    const double all = sqrt(va * va + vl * vl + soft * soft);
    const double fa = -along * va / (weighted ? all : hypot(va, soft));
    const double fl = -across * vl / (weighted ? all : hypot(vl, soft));
    *fx = fa * c - fl * s, *fy = fa * s + fl * c;
}

/* Place of the centre along the first direction of the body at two times, four periods apart at the end. */
static double reduced(int weighted) {
    static const double coefficient[6] = {3.4e-3, 3.3e-3, 4.2e-3, 2.6e-3, 3.6e-3, 3.5e-3};
    const double dt = 4e-5, d = 1e-4, from = 4, to = 8;
    double strength[POINTS] = {0}, q[3] = {0}, u[3] = {0}, start = 0;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 6; k++)
            strength[i] += coefficient[k] * spline(k, 3, 1 - (i + 0.5) / POINTS);
    const long steps = lround(to / dt), mark = lround(from / dt);
    for (long n = 0; n < steps; n++) {
        point p[3][POINTS];
        const double t = (double)n * dt;
        double fx = 0, fy = 0, torque = 0, inertia = 0, rate = 0, twist = 0;
        for (int k = 0; k < 3; k++) shape(strength, fmax(0, t + (k - 1) * d), p[k]);
        const double c = cos(q[2]), s = sin(q[2]), span = t > d ? 2 * d : t + d;
        for (int i = 0; i < POINTS; i++) {
            const point *a = &p[0][i], *b = &p[1][i], *e = &p[2][i];
            const double bx = (e->x - a->x) / span, by = (e->y - a->y) / span;
            const double x = c * b->x - s * b->y, y = s * b->x + c * b->y;
            double gx, gy;
            rub(weighted, u[0] + c * bx - s * by - u[2] * y, u[1] + s * bx + c * by + u[2] * x,
                cos(q[2] + b->angle), sin(q[2] + b->angle), &gx, &gy);
            fx += gx, fy += gy, torque += x * gy - y * gx;
            inertia += b->x * b->x + b->y * b->y;
            rate += (e->x * e->x + e->y * e->y - a->x * a->x - a->y * a->y) / span;
            if (t > d) /* of the angular momentum of the motion in the frame of the body */
                twist +=
                    (b->x * (e->y - 2 * b->y + a->y) - b->y * (e->x - 2 * b->x + a->x)) / d / d;
        }
        u[0] += dt * GRAVITY * fx / POINTS, u[1] += dt * GRAVITY * fy / POINTS;
        u[2] += dt * (GRAVITY * torque - twist - rate * u[2]) / inertia;
        for (int k = 0; k < 3; k++) q[k] += dt * u[k];
        if (n + 1 == mark) start = q[0];
    }
    return (q[0] - start) / (to - from);
}

static double centre(const withy_snapshot *now) {
    double sum = 0;
    for (int i = 0; i + 1 < now->count; i++)
        sum += 0.5 * (now->position[i].z + now->position[i + 1].z) / (now->count - 1);
    return sum;
}

static double speed(verify_log *log, const char *overrides) {
    contact_run run = contact_start(log, "snake", overrides);
    const withy_snapshot *now = contact_at(&run, 4);
    double out = NAN;
    if (now) {
        const double from = centre(now);
        now = contact_at(&run, 8);
        if (now) out = (centre(now) - from) / 4;
    }
    contact_finish(&run);
    return out;
}

void study_snake(verify_log *log) {
    const double own = reduced(0), weighted = reduced(1);
    verify_near(log, "snake, stiff, every direction with its own limit: speed [m/s]", "", own,
                speed(log, "params.stiff=10"), 0.05 * own,
                "the moment of friction at the radius of the body is not in the model");
    verify_near(log, "the model, limits weighted by direction: speed [m/s]", "0.0278", 0.0278,
                weighted, 0.06 * 0.0278,
                "PyElastica's figure; the model has no elasticity and no rolling");
    verify_near(log, "snake, limits weighted by direction: speed [m/s]", "0.0278", 0.0278,
                speed(log, "params.weighted=1 options.n=50"), 0.02 * 0.0278,
                "PyElastica's figure, which varies by 1.2 % with its mesh");
}
