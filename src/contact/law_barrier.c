/* law_barrier.c - from the range on and without bound: u = -K (g - range)^2 ln(g/range), infinite where surfaces meet. */
#include "contact/contact.h"

static double energy(const wy_contact_law *law, double g) {
    if (g >= law->range) return 0;
    const double d = g - law->range;
    return g > 0 ? -law->stiffness * d * d * log(g / law->range) : INFINITY;
}

static double derivative(const wy_contact_law *law, double g, double *second) {
    const double k = law->stiffness, range = law->range;
    *second = 0;
    if (g >= range) return 0;
    const double d = g - range, l = log(g / range);
    *second = -k * (2 * l + 4 * d / g - d * d / (g * g));
    return -k * (2 * d * l + d * d / g);
}

/* Nearly equal gaps: the mean, of third order in the way. */
static double secant(const wy_contact_law *law, double minus, double plus, double *slope) {
    if (!(fabs(plus - minus) < 1e-6 * law->range))
        return wy_contact_law_quotient(law, minus, plus, slope);
    double second, unused;
    const double after = derivative(law, plus, &second);
    *slope = 0.5 * second;
    return 0.5 * (after + derivative(law, minus, &unused));
}

const wy_contact_kind wy_contact_barrier = {.name = "barrier",
                                            .energy = energy,
                                            .derivative = derivative,
                                            .secant = secant,
                                            .left = 1,
                                            .begins = 1,
                                            .apart = 1,
                                            .steep = 1};
