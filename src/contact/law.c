/* law.c - the push of a contact from its gap, by the table of laws (contact/law.inc).
 *
 * The push over a step is the discrete derivative of the energy, -(u+ - u-)/(g+ - g-), so that its work is the
 * energy that the contact takes.
 */
#include "contact/contact.h"

#define WY_CONTACT_LAW(name, words) &wy_contact_##name,
static const wy_contact_kind *const KIND[] = {
#include "contact/law.inc"
};
#undef WY_CONTACT_LAW

const wy_contact_kind *wy_contact_kind_of(int kind) {
    return KIND[kind];
}

double wy_contact_law_energy(const wy_contact_law *law, double gap) {
    return law->kind->energy(law, gap);
}

double wy_contact_law_quotient(const wy_contact_law *law, double minus, double plus,
                               double *slope) {
    const wy_contact_kind *kind = law->kind;
    double unused;
    const double after = kind->derivative(law, plus, &unused), way = plus - minus;
    const double p = (kind->energy(law, plus) - kind->energy(law, minus)) / way;
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
        const double now = law->kind->derivative(law, plus, &grow);
        *slope = -grow;
        return -now;
    }
    const double p = law->kind->secant(law, minus, plus, &grow), loss = law->damping * per;
    const double factor = 1.0 - loss * (plus - minus);
    *slope = 0;
    if (!(p < 0) || !(factor > 0)) return 0;
    *slope = -grow * factor + p * loss;
    return -p * factor;
}
