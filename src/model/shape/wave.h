/* wave.h - waves along a straight stretched rod.  Room: src/model.
 *
 *   axial            w^2 = EA kappa^2/(rho A)
 *   torsion          w^2 = GJ kappa^2/(rho J)
 *   bending, shear   2 w^2 = A + B + sqrt((A - B)^2 + 4 O)
 *                    A = GA kappa^2/(rho A),  B = (EI kappa^2 + lambda g)/rJ,
 *                    O = g^2 kappa^2/(rho A rJ),  g = lambda GA - T
 *
 * kappa: wavenumber [1/m], lambda: stretch, T = EA (lambda - 1), rJ = rho I + regular GA.
 */
#pragma once

#include "withy/problem.h"

/* The largest w^2 of all waves [1/s^2]. */
double wy_fastest_square(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS],
                         double stretch, double wavenumber, double regular);
