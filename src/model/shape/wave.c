/* wave.c - see shape.h. */
#include "model/shape/shape.h"

static double bending_square(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS],
                             int axis, double stretch, double wavenumber, double regular) {
    const double shear = k[axis == 0 ? WITHY_SHEAR2 : WITHY_SHEAR1];
    const double square = wavenumber * wavenumber, mass = rho[WITHY_MASS];
    const double rj = rho[WITHY_ROTARY1 + axis] + regular * shear;
    const double g = stretch * shear - k[WITHY_STRETCH] * (stretch - 1.0);
    const double a = shear * square / mass;
    const double b = (k[WITHY_BEND1 + axis] * square + stretch * g) / rj;
    const double o = g * g * square / (mass * rj);
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + 4.0 * o));
}

double wy_fastest_square(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS],
                         double stretch, double wavenumber, double regular) {
    const double square = wavenumber * wavenumber;
    double most = k[WITHY_STRETCH] * square / rho[WITHY_MASS];
    most = wy_max(most, k[WITHY_TWIST] * square / rho[WITHY_ROTARY3]);
    for (int axis = 0; axis < 2; axis++)
        most = wy_max(most, bending_square(k, rho, axis, stretch, wavenumber, regular));
    return most;
}
