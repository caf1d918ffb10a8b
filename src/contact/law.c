/* law.c - the push of a contact from its gap.
 *
 * The push over a step is the discrete derivative of the energy, -(u+ - u-)/(g+ - g-), so that its work is the
 * energy that the contact takes.  Of u = K m^2/2, m = min(g, 0), it is -K (m+ + m-)/2 where both are below zero
 * and -K m^2/2/(g+ - g-) where one is: no difference of nearly equal numbers.
 */
#include "contact/contact.h"

static double energy(const wy_contact_law *law, double g) {
    if (!(law->range > 0)) return g < 0 ? 0.5 * law->stiffness * g * g : 0;
    if (g >= law->range) return 0;
    const double d = g - law->range;
    return g > 0 ? -law->stiffness * d * d * log(g / law->range) : INFINITY;
}

/* u' and u''. */
static double derivative(const wy_contact_law *law, double g, double *second) {
    const double k = law->stiffness, range = law->range;
    *second = 0;
    if (!(range > 0)) {
        *second = g < 0 ? k : 0;
        return g < 0 ? k * g : 0;
    }
    if (g >= range) return 0;
    const double d = g - range, l = log(g / range);
    *second = -k * (2 * l + 4 * d / g - d * d / (g * g));
    return -k * (2 * d * l + d * d / g);
}

double wy_contact_law_energy(const wy_contact_law *law, double gap) {
    return energy(law, gap);
}

/* P = (u+ - u-)/(g+ - g-) and dP/dg+. */
static double secant(const wy_contact_law *law, double minus, double plus, double *slope) {
    double second;
    const double after = derivative(law, plus, &second), way = plus - minus;
    if (!(law->range > 0) && (minus < 0) == (plus < 0)) {
        *slope = plus < 0 ? 0.5 * law->stiffness : 0;
        return plus < 0 ? 0.5 * law->stiffness * (plus + minus) : 0;
    }
    if (fabs(way) < 1e-6 * wy_max(law->range, 0)) { /* barrier: third order in the way */
        double unused;
        *slope = 0.5 * second;
        return 0.5 * (after + derivative(law, minus, &unused));
    }
    if (way == 0) return *slope = 0.5 * second, after;
    const double p = (energy(law, plus) - energy(law, minus)) / way;
    *slope = (after - p) / way;
    return p;
}

static int is_held(const wy_contact_law *law) {
    return law->mixed && law->expected > 0;
}

int wy_contact_law_acts(const wy_contact_law *law, double push, double per) {
    return push > 0 || (is_held(law) && per == 0);
}

double wy_contact_law_tangent(const wy_contact_law *law, double push, double per) {
    return per != 0 || !law->mixed ? push : law->expected;
}

double wy_contact_law_push(const wy_contact_law *law, double minus, double plus, double per,
                           double *slope) {
    double grow;
    if (per == 0 && is_held(law)) {
        *slope = -law->stiffness;
        return -law->stiffness * plus;
    }
    if (per == 0) {
        const double now = derivative(law, plus, &grow);
        *slope = -grow;
        return -now;
    }
    const double p = secant(law, minus, plus, &grow), loss = law->damping * per;
    const double factor = 1.0 - loss * (plus - minus);
    *slope = 0;
    if (!(p < 0) || !(factor > 0)) return 0;
    *slope = -grow * factor + p * loss;
    return -p * factor;
}
