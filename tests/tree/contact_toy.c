/* law_toy.c - twice the energy of the compliant law, of which statics expects nothing.  For the test that a law of contact is
 * one file and one row. */
#include "contact/contact.h"

static double energy(const wy_contact_law *law, double g) {
    return g < 0 ? law->stiffness * g * g : 0;
}

static double derivative(const wy_contact_law *law, double g, double *second) {
    *second = g < 0 ? 2 * law->stiffness : 0;
    return g < 0 ? 2 * law->stiffness * g : 0;
}

static double secant(const wy_contact_law *law, double minus, double plus, double *slope) {
    if ((minus < 0) != (plus < 0)) return wy_contact_law_quotient(law, minus, plus, slope);
    *slope = plus < 0 ? law->stiffness : 0;
    return plus < 0 ? law->stiffness * (plus + minus) : 0;
}

const wy_contact_kind wy_contact_toy = {
    .name = "toy", .energy = energy, .derivative = derivative, .secant = secant, .left = 0.3};
