/* law_compliant.c - stiffness times depth: u = K m^2/2, m = min(g, 0).
 *
 * Over a step the push is -K (m+ + m-)/2 where both gaps are below zero and -K m^2/2/(g+ - g-) where one is: no difference of
 * nearly equal numbers.
 */
#include "contact/contact.h"

static double energy(const wy_contact_law *law, double g) {
    return g < 0 ? 0.5 * law->stiffness * g * g : 0;
}

static double derivative(const wy_contact_law *law, double g, double *second) {
    *second = g < 0 ? law->stiffness : 0;
    return g < 0 ? law->stiffness * g : 0;
}

static double secant(const wy_contact_law *law, double minus, double plus, double *slope) {
    if ((minus < 0) != (plus < 0)) return wy_contact_law_quotient(law, minus, plus, slope);
    *slope = plus < 0 ? 0.5 * law->stiffness : 0;
    return plus < 0 ? 0.5 * law->stiffness * (plus + minus) : 0;
}

const wy_contact_kind wy_contact_compliant = {.name = "compliant",
                                              .energy = energy,
                                              .derivative = derivative,
                                              .secant = secant,
                                              .left = 0.3,
                                              .linear = 1};
