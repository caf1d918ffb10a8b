/* partial.c - frequencies of straight, uniform rods in closed form.
 *
 * Between pinned ends every partial is a sine of wavenumber k = number pi/L0, L0 the unstretched
 * length, and w^2 the lower root of
 *
 *   det [[GA k^2 - mu w^2, -k g], [-k g, EI k^2 + lambda g - rho I w^2]] = 0,   g = lambda GA - T
 *
 * Without tension and with other ends, Euler and Bernoulli: w = (x/L)^2 sqrt(EI/mu) with
 * cos x cosh x = 1 (clamped or free at both ends), -1 (clamped and free), tan x = tanh x (pinned
 * and not).
 */
#include "model/model.h"
#include "withy/spectrum.h"

typedef struct beam {
    double slip;                        /* 1/GA; 0: rigid in shear */
    double stretch, bend, mass, rotary; /* in the plane of the motion */
    double tension, lambda, length;
} beam;

static double pinned_square(const beam *b, double length, int number) {
    /* all divided by GA, so that a rod that is rigid in shear is not a special case */
    const double k = number * WY_PI * b->lambda / length, g = b->lambda - b->slip * b->tension;
    const double d = b->slip * b->bend * k * k + b->lambda * g;
    /* A B - k^2 g^2, written without the cancelling parts */
    const double c = k * k * (b->bend * k * k + g * b->tension);
    const double p = b->mass * d + b->rotary * k * k;
    return 2 * c / (p + sqrt(p * p - 4 * b->mass * b->rotary * b->slip * c));
}

/* Root of cos x - sign/cosh x (sign = 0: tan x - tanh x) near `start`, by Newton. */
static double root_near(double start, int sign) {
    double x = start;
    for (int i = 0; i < 20; i++) {
        const double c = cosh(x);
        if (sign == 0)
            x -= (tan(x) - tanh(x)) / (tan(x) * tan(x) + tanh(x) * tanh(x));
        else
            x -= (cos(x) - sign / c) / (-sin(x) + sign * tanh(x) / c);
    }
    return x;
}

static double euler_square(const beam *b, int pins, int equal, int number) {
    const double start = pins ? number + 0.25 : equal ? number + 0.5 : number - 0.5;
    const double x = root_near(start * WY_PI, pins ? 0 : equal ? 1 : -1) / b->length;
    return x * x * x * x * b->bend / b->mass;
}

withy_status withy_partial_theory(const withy_rod *rod, int number, int axis, double *frequency,
                                  withy_error *err) {
    WY_NEED(rod, frequency);
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS], square = 0;
    const int second = axis == 2;
    WY_TRY(wy_stiffness_at(rod, 0, k, err));
    WY_TRY(wy_inertia_at(rod, 0, rho, err));
    beam b = {.slip = 1 / k[second ? WITHY_SHEAR2 : WITHY_SHEAR1],
              .stretch = k[WITHY_STRETCH],
              .bend = k[second ? WITHY_BEND1 : WITHY_BEND2],
              .mass = rho[WITHY_MASS],
              .rotary = rho[second ? WITHY_ROTARY1 : WITHY_ROTARY2],
              .tension = rod->tension,
              .length = rod->length};
    b.lambda = 1 + b.tension / b.stretch;
    int pins = 0, clamps = 0, guided = 0;
    for (int e = 0; e < 2; e++) {
        const int holds = wy_end_holds_position(&rod->end[e]),
                  clamped = wy_end_clamps(&rod->end[e]);
        pins += holds && !clamped, clamps += clamped;
        guided |= !holds && wy_end_holds(&rod->end[e]);
    }
    const int plain = number >= 1 && wy_rod_is_uniform(rod) && wy_shape_is_straight(&rod->rest) &&
                      !guided && rod->tension >= 0;
    const double shorter = b.tension > 0 ? clamps * sqrt(b.bend / b.tension) : 0;
    if (plain && pins == 2)
        square = pinned_square(&b, b.length, number);
    else if (plain && b.tension > 0 && pins + clamps == 2 && shorter < 0.1 * b.length)
        square = pinned_square(&b, b.length - shorter, number); /* a string, not a beam */
    else if (plain && b.tension == 0 && pins < 2)
        square = euler_square(&b, pins, clamps != 1, number);
    else
        return wy_unsupported(err, "no theory for the partials of this rod");
    *frequency = sqrt(square) / (2 * WY_PI);
    return WITHY_OK;
}
