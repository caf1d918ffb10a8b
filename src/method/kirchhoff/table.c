/* table.c - what a spring designer asks of an equilibrium, beside the classical formulas.
 *
 * Axis: that of the rest helix, else the line from end to end of the rest shape.  F, M: force and
 * moment about the axis that pull and turn the finish.  With wire length L, radius r, pitch angle
 * a, n turns, curvature k = cos^2 a/r and torsion t = sin a cos a/r:
 *
 *   close coiled       k_z = GJ/(2 pi n r^3) = G d^4/(8 D^3 n)
 *   Thomson, turns kept  k_z = (EI sin^2 a + GJ cos^2 a)/(L r^2)
 *   Thomson, free to turn  k_z = 1/[L r^2 (cos^2 a/GJ + sin^2 a/EI)]
 *   Love               F = [GJ (t - t_0) cos a - EI (k - k_0) sin a]/r
 *                      M = GJ (t - t_0) sin a + EI (k - k_0) cos a
 *   surge              f = sqrt(GJ/rho)/(2 L r)
 *
 * Our own stiffness dF/dz is that of the discrete spring with the ends as the scene has them: one
 * solve with the static matrix.
 */
#include "method/kirchhoff/kirchhoff.h"

#include <string.h>

typedef struct axis {
    vec3 point, along;
    double rest; /* axial length at rest [m] */
} axis;

static int axis_of(const wy_kirchhoff *p, axis *out) {
    const withy_shape *rest = &p->rod->rest;
    const double ends[2] = {0, p->length};
    wy_pose pose[2];
    if (wy_shape_poses(p->rod, rest, 2, ends, pose, NULL) != WITHY_OK) return 0;
    const vec3 chord = v3_sub(pose[1].r, pose[0].r);
    out->along = rest->kind == WITHY_SHAPE_HELIX && !v3_is_zero(rest->along) ? v3_unit(rest->along)
                 : rest->kind == WITHY_SHAPE_HELIX                           ? v3(0, 0, 1)
                                                                             : chord;
    const double length = v3_norm(out->along);
    if (!(length > 1e-9 * p->length)) return 0; /* a closed curve has no axis */
    out->along = v3_scale(1.0 / length, out->along);
    out->rest = v3_dot(chord, out->along);
    /* the frame of a helix starts radially, so its axis is one radius back along d1 */
    out->point = rest->kind == WITHY_SHAPE_HELIX
                     ? v3_axpy(pose[0].r, -rest->radius, pose[0].frame.c1)
                     : pose[0].r;
    return 1;
}

/* ---- stiffness ------------------------------------------------------------------------------- */

/* The present state moved by `by` times the solution in rhs; returns the force on node N along a.
 * */
static double force_after(wy_kirchhoff *p, const double *d, double by, vec3 along) {
    vec3 *keep = p->spin0;
    memcpy(keep, p->lambda, ((size_t)p->n + 1) * sizeof *keep);
    for (int j = 0; j <= p->n; j++) {
        p->next->x[j] = v3_axpy(p->now->x[j], by * p->eta, v3_from(&d[9 * j]));
        p->next->frame[j] =
            m3_mulm(q_matrix(q_exp(v3_scale(by, v3_from(&d[9 * j + 3])))), p->now->frame[j]);
        p->lambda[j] = v3_axpy(p->lambda[j], by * p->stiff, v3_from(&d[9 * j + 6]));
    }
    wy_kirchhoff_residual(p);
    const double force = v3_dot(p->balance[p->n], along);
    memcpy(p->lambda, keep, ((size_t)p->n + 1) * sizeof *keep);
    memset(keep, 0, ((size_t)p->n + 1) * sizeof *keep);
    return force;
}

/* dF/dz: move a held finish by a unit along the axis, or pull a free one. */
static double stiffness_of(wy_kirchhoff *p, vec3 along) {
    const int last = 9 * p->n;
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_copy(p, p->next, p->now);
    wy_kirchhoff_residual(p);
    if (!wy_kirchhoff_factor(p)) return NAN;
    double *d = p->spare;
    memset(d, 0, (size_t)(last + 9) * sizeof *d);
    if (p->end[1].held) {
        const double small = 1e-5;
        v3_to(v3_scale(1.0 / p->eta, along), &d[last]);
        wy_banded_solve(&p->matrix, d);
        return (force_after(p, d, small * p->length, along) -
                force_after(p, d, -small * p->length, along)) /
               (2.0 * small * p->length);
    }
    v3_to(v3_scale(p->eta * p->eta / p->stiff, along), &d[last]);
    wy_banded_solve(&p->matrix, d);
    return 1.0 / (p->eta * v3_dot(v3_from(&d[last]), along));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void add(wy_kirchhoff *p, const char *name, const char *unit, const char *doc,
                double value) {
    if (p->figures < WITHY_FIGURES && isfinite(value))
        p->figure[p->figures++] = (withy_figure){name, unit, doc, value};
}

typedef struct coil {
    double radius, angle, turns, bend, twist, length;
} coil;

/* Love's wrench of the coil bent to (radius, angle). */
static void love(const coil *c, double radius, double angle, double *force, double *moment) {
    const double dk = cos(angle) * cos(angle) / radius - cos(c->angle) * cos(c->angle) / c->radius;
    const double dt = sin(angle) * cos(angle) / radius - sin(c->angle) * cos(c->angle) / c->radius;
    *force = (c->twist * dt * cos(angle) - c->bend * dk * sin(angle)) / radius;
    *moment = c->twist * dt * sin(angle) + c->bend * dk * cos(angle);
}

/* The radius at which Love's moment vanishes at this pitch angle. */
static double free_radius(const coil *c, double angle) {
    const double k0 = cos(c->angle) * cos(c->angle) / c->radius;
    const double t0 = sin(c->angle) * cos(c->angle) / c->radius;
    const double s = sin(angle), o = cos(angle);
    return (c->twist * s * s * o + c->bend * o * o * o) / (c->twist * t0 * s + c->bend * k0 * o);
}

static void classical(wy_kirchhoff *p, double length, double rest) {
    const withy_shape *shape = &p->rod->rest;
    const double climb = fabs(shape->pitch) / (2 * WY_PI);
    coil c = {shape->radius, atan2(climb, shape->radius), 0, p->stiff, p->ct[p->n / 2], p->length};
    c.turns = p->length / (2 * WY_PI * hypot(shape->radius, climb));
    const double r2 = c.radius * c.radius, s = sin(c.angle), o = cos(c.angle);
    const double close = c.twist / (2 * WY_PI * c.turns * r2 * c.radius);
    const double rho = p->mass[p->n / 2] / p->eta;
    add(p, "turns", "-", "of the rest helix", c.turns);
    add(p, "pitch_angle", "rad", "of the rest helix", c.angle);
    add(p, "stiffness_close_coiled", "N/m", "GJ/(2 pi n r^3)", close);
    add(p, "stiffness_turns_kept", "N/m", "Thomson: (EI sin^2 a + GJ cos^2 a)/(L r^2)",
        (c.bend * s * s + c.twist * o * o) / (c.length * r2));
    add(p, "stiffness_free_to_turn", "N/m", "Thomson: 1/[L r^2 (cos^2 a/GJ + sin^2 a/EI)]",
        1.0 / (c.length * r2 * (o * o / c.twist + s * s / c.bend)));
    add(p, "force_close_coiled", "N", "extension times the close-coiled stiffness",
        close * (length - rest));
    if (!p->massless)
        add(p, "surge_frequency", "Hz", "first surge, sqrt(GJ/rho)/(2 L r)",
            sqrt(c.twist / rho) / (2 * c.length * c.radius));
    if (!(fabs(length) < c.length)) return;
    const double angle = asin(length / c.length);
    double force, moment;
    love(&c, c.length * cos(angle) / (2 * WY_PI * c.turns), angle, &force, &moment);
    add(p, "force_turns_kept", "N", "Love, at this length with the turns kept", force);
    add(p, "moment_turns_kept", "N m", "Love, at this length with the turns kept", moment);
    love(&c, free_radius(&c, angle), angle, &force, &moment);
    add(p, "force_free_to_turn", "N", "Love, at this length without moment", force);
}

void wy_kirchhoff_table(wy_kirchhoff *p) {
    axis a;
    p->figures = 0;
    if (!p->axis_known)
        p->axis_known = axis_of(p, &a) ? 1 : -1;
    else
        a = (axis){p->axis_point, p->axis_along, p->axis_rest}; /* following a curve is slow */
    if (p->axis_known < 0) return;
    p->axis_point = a.point, p->axis_along = a.along, p->axis_rest = a.rest;
    const vec3 force = p->end_pull[1], x = v3_sub(p->now->x[p->n], a.point);
    const vec3 moment = v3_add(v3_add(p->reaction_moment[1], p->couple[p->n]), v3_cross(x, force));
    const double length = v3_dot(v3_sub(p->now->x[p->n], p->now->x[0]), a.along);
    add(p, "axial_length", "m", "from end to end along the axis", length);
    add(p, "extension", "m", "axial length minus that at rest", length - a.rest);
    add(p, "axial_force", "N", "that pulls the finish along the axis", v3_dot(force, a.along));
    add(p, "axial_force_start", "N", "tension along the axis at the start",
        v3_dot(p->end_pull[0], a.along));
    add(p, "axial_moment", "N m", "that turns the finish about the axis", v3_dot(moment, a.along));
    add(p, "stiffness", "N/m", "dF/dz of this equilibrium, ends as in the scene",
        stiffness_of(p, a.along));
    if (p->rod->rest.kind == WITHY_SHAPE_HELIX) classical(p, length, a.rest);
}

int wy_kirchhoff_figure(const void *state, int index, withy_figure *out) {
    const wy_kirchhoff *p = state;
    if (index < 0 || index >= p->figures) return 0;
    *out = p->figure[index];
    return 1;
}
