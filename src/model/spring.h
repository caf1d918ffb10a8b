/* spring.h - the classical formulas of helical springs.  Room: src/model.
 *
 * With wire length L, radius r, pitch angle a, n turns, curvature k = cos^2 a/r and torsion
 * t = sin a cos a/r:
 *
 *   close coiled       k_z = GJ/(2 pi n r^3) = G d^4/(8 D^3 n)
 *   Thomson, turns kept  k_z = (EI sin^2 a + GJ cos^2 a)/(L r^2)
 *   Thomson, free to turn  k_z = 1/[L r^2 (cos^2 a/GJ + sin^2 a/EI)]
 *   Love               F = [GJ (t - t_0) cos a - EI (k - k_0) sin a]/r
 *                      M = GJ (t - t_0) sin a + EI (k - k_0) cos a
 *   surge              f = sqrt(GJ/rho)/(2 L r)
 */
#pragma once

typedef struct wy_coil {
    double radius, angle, turns, bend, twist, length;
} wy_coil;

/* Of a helix of this radius and pitch [m], EI = bend, GJ = twist [N m^2]. */
wy_coil wy_coil_of(double radius, double pitch, double length, double bend, double twist);
double wy_coil_close(const wy_coil *c); /* stiffness when close coiled [N/m] */
double wy_coil_kept(const wy_coil *c);  /* with the turns kept */
double wy_coil_free(const wy_coil *c);  /* free to turn */
double wy_coil_surge(const wy_coil *c, double rho);
/* Love's wrench of the coil pulled to this axial length, shorter than the wire: with the turns kept, and
 * the force without a moment. */
void wy_coil_wrench(const wy_coil *c, double axial, double *force, double *moment, double *freely);
