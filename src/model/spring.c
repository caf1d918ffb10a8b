/* spring.c - see spring.h. */
#include "model/spring.h"

#include "base/base.h"

wy_coil wy_coil_of(double radius, double pitch, double length, double bend, double twist) {
    const double climb = fabs(pitch) / (2 * WY_PI);
    return (wy_coil){.radius = radius,
                     .angle = atan2(climb, radius),
                     .turns = length / (2 * WY_PI * hypot(radius, climb)),
                     .bend = bend,
                     .twist = twist,
                     .length = length};
}

double wy_coil_close(const wy_coil *c) {
    return c->twist / (2 * WY_PI * c->turns * c->radius * c->radius * c->radius);
}

double wy_coil_kept(const wy_coil *c) {
    const double s = sin(c->angle), o = cos(c->angle);
    return (c->bend * s * s + c->twist * o * o) / (c->length * c->radius * c->radius);
}

double wy_coil_free(const wy_coil *c) {
    const double s = sin(c->angle), o = cos(c->angle);
    return 1.0 / (c->length * c->radius * c->radius * (o * o / c->twist + s * s / c->bend));
}

double wy_coil_surge(const wy_coil *c, double rho) {
    return sqrt(c->twist / rho) / (2 * c->length * c->radius);
}

/* Love's wrench of the coil bent to (radius, angle). */
static void love(const wy_coil *c, double radius, double angle, double *force, double *moment) {
    const double dk = cos(angle) * cos(angle) / radius - cos(c->angle) * cos(c->angle) / c->radius;
    const double dt = sin(angle) * cos(angle) / radius - sin(c->angle) * cos(c->angle) / c->radius;
    *force = (c->twist * dt * cos(angle) - c->bend * dk * sin(angle)) / radius;
    *moment = c->twist * dt * sin(angle) + c->bend * dk * cos(angle);
}

/* The radius at which Love's moment vanishes at this pitch angle. */
static double free_radius(const wy_coil *c, double angle) {
    const double k0 = cos(c->angle) * cos(c->angle) / c->radius;
    const double t0 = sin(c->angle) * cos(c->angle) / c->radius;
    const double s = sin(angle), o = cos(angle);
    return (c->twist * s * s * o + c->bend * o * o * o) / (c->twist * t0 * s + c->bend * k0 * o);
}

void wy_coil_wrench(const wy_coil *c, double axial, double *force, double *moment, double *freely) {
    const double angle = asin(axial / c->length);
    double none;
    love(c, c->length * cos(angle) / (2 * WY_PI * c->turns), angle, force, moment);
    love(c, free_radius(c, angle), angle, freely, &none);
}
