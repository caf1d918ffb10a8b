/* table.c - figures of an equilibrium for spring designers, next to the classical formulas.
 *
 * Axis: that of the rest helix, else the line from end to end of the rest shape.  F, M: force and
 * moment about the axis that pull and turn the finish.  Classical formulas: model/spring.h.
 *
 * Our own stiffness dF/dz is that of the discrete spring with the ends as the scene has them: one
 * solve with the static matrix.
 */
#include "method/kirchhoff/kirchhoff.h"

#include "model/spring.h"

enum {
    AXIAL_LENGTH,
    EXTENSION,
    AXIAL_FORCE,
    AXIAL_FORCE_START,
    AXIAL_MOMENT,
    STIFFNESS,
    TURNS,
    PITCH_ANGLE,
    STIFFNESS_CLOSE,
    STIFFNESS_KEPT,
    STIFFNESS_FREE,
    FORCE_CLOSE,
    SURGE,
    FORCE_KEPT,
    MOMENT_KEPT,
    FORCE_FREE,
    ROWS
};
_Static_assert((int)ROWS == (int)WY_KIRCHHOFF_FIGURES, "a number in the state for every row");

static const withy_figure row[ROWS] = {
    [AXIAL_LENGTH] = {"axial_length", "m", "from end to end along the axis", 0},
    [EXTENSION] = {"extension", "m", "axial length minus that at rest", 0},
    [AXIAL_FORCE] = {"axial_force", "N", "that pulls the finish along the axis", 0},
    [AXIAL_FORCE_START] = {"axial_force_start", "N", "tension along the axis at the start", 0},
    [AXIAL_MOMENT] = {"axial_moment", "N m", "that turns the finish about the axis", 0},
    [STIFFNESS] = {"stiffness", "N/m", "dF/dz of this equilibrium, ends as in the scene", 0},
    [TURNS] = {"turns", "-", "of the rest helix", 0},
    [PITCH_ANGLE] = {"pitch_angle", "rad", "of the rest helix", 0},
    [STIFFNESS_CLOSE] = {"stiffness_close_coiled", "N/m", "GJ/(2 pi n r^3)", 0},
    [STIFFNESS_KEPT] = {"stiffness_turns_kept", "N/m", "Thomson: (EI sin^2 a + GJ cos^2 a)/(L r^2)",
                        0},
    [STIFFNESS_FREE] = {"stiffness_free_to_turn", "N/m",
                        "Thomson: 1/[L r^2 (cos^2 a/GJ + sin^2 a/EI)]", 0},
    [FORCE_CLOSE] = {"force_close_coiled", "N", "extension times the close-coiled stiffness", 0},
    [SURGE] = {"surge_frequency", "Hz", "first surge, sqrt(GJ/rho)/(2 L r)", 0},
    [FORCE_KEPT] = {"force_turns_kept", "N", "Love, at this length with the turns kept", 0},
    [MOMENT_KEPT] = {"moment_turns_kept", "N m", "Love, at this length with the turns kept", 0},
    [FORCE_FREE] = {"force_free_to_turn", "N", "Love, at this length without moment", 0},
};

/* Once: following a curve is slow. */
static void find_axis(wy_kirchhoff *p) {
    const withy_shape *rest = &p->rod->rest;
    wy_kirchhoff_axis *out = &p->state->axis;
    const double ends[2] = {0, p->length};
    wy_pose pose[2];
    out->known = -1;
    if (wy_model_rest_poses(p->setup->model, 0, 2, ends, pose, NULL) != WITHY_OK) return;
    const vec3 chord = v3_sub(pose[1].r, pose[0].r);
    out->along = rest->kind == WITHY_SHAPE_HELIX && !v3_is_zero(rest->along) ? v3_unit(rest->along)
                 : rest->kind == WITHY_SHAPE_HELIX                           ? v3(0, 0, 1)
                                                                             : chord;
    const double length = v3_norm(out->along);
    if (!(length > 1e-9 * p->length)) return; /* a closed curve has no axis */
    out->along = v3_scale(1.0 / length, out->along);
    out->rest = v3_dot(chord, out->along);
    /* the frame of a helix starts radially, so its axis is one radius back along d1 */
    out->point = rest->kind == WITHY_SHAPE_HELIX
                     ? v3_axpy(pose[0].r, -rest->radius, pose[0].frame.c1)
                     : pose[0].r;
    out->known = 1;
}

/* ---- stiffness ------------------------------------------------------------------------------- */

/* The present state moved by `by` times the solution in rhs; returns the force on node N along a.
 * */
static double force_after(wy_kirchhoff *p, const double *d, double by, vec3 along) {
    vec3 *keep = p->work.lambda_good;
    memcpy(keep, p->lambda, ((size_t)p->n + 1) * sizeof *keep);
    memcpy(p->next->x, p->now->x, ((size_t)p->n + 1) * sizeof *p->now->x);
    memcpy(p->next->frame, p->now->frame, ((size_t)p->n + 1) * sizeof *p->now->frame);
    wy_kirchhoff_move(p, p->next, d, (const double[3]){by * p->eta, by, by * p->stiff});
    wy_kirchhoff_residual(p);
    const double force = v3_dot(p->work.balance[p->n], along);
    memcpy(p->lambda, keep, ((size_t)p->n + 1) * sizeof *keep);
    return force;
}

/* dF/dz: move a held finish by a unit along the axis, or pull a free one. */
static double stiffness_of(wy_kirchhoff *p, vec3 along) {
    const int last = 9 * p->n;
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_residual(p);
    if (!wy_kirchhoff_factor(p)) return NAN;
    p->work.eq.next = p->next; /* where the spring is moved to */
    double *d = p->work.spare;
    memset(d, 0, (size_t)(last + 9) * sizeof *d);
    if (p->end[1].held) {
        const double small = 1e-5;
        v3_to(v3_scale(1.0 / p->eta, along), &d[last]);
        wy_banded_solve(&p->work.matrix, d);
        return (force_after(p, d, small * p->length, along) -
                force_after(p, d, -small * p->length, along)) /
               (2.0 * small * p->length);
    }
    v3_to(v3_scale(p->eta * p->eta / p->stiff, along), &d[last]);
    wy_banded_solve(&p->work.matrix, d);
    return 1.0 / (p->eta * v3_dot(v3_from(&d[last]), along));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void classical(wy_kirchhoff *p, double length, double rest) {
    const withy_shape *shape = &p->rod->rest;
    const wy_coil c = wy_coil_of(shape->radius, shape->pitch, p->length, p->stiff, p->ct[p->n / 2]);
    double *figure = p->state->figure;
    figure[TURNS] = c.turns;
    figure[PITCH_ANGLE] = c.angle;
    figure[STIFFNESS_CLOSE] = wy_coil_close(&c);
    figure[STIFFNESS_KEPT] = wy_coil_kept(&c);
    figure[STIFFNESS_FREE] = wy_coil_free(&c);
    figure[FORCE_CLOSE] = figure[STIFFNESS_CLOSE] * (length - rest);
    if (!p->massless) figure[SURGE] = wy_coil_surge(&c, p->mass[p->n / 2] / p->eta);
    if (fabs(length) < c.length)
        wy_coil_wrench(&c, length, &figure[FORCE_KEPT], &figure[MOMENT_KEPT], &figure[FORCE_FREE]);
}

void wy_kirchhoff_no_table(wy_kirchhoff *p) {
    for (int i = 0; i < ROWS; i++) p->state->figure[i] = NAN;
}

void wy_kirchhoff_table(wy_kirchhoff *p) {
    const wy_kirchhoff_axis *a = &p->state->axis;
    const wy_spline_step_balance *balance = &p->state->balance;
    double *figure = p->state->figure;
    wy_kirchhoff_no_table(p);
    if (!a->known) find_axis(p);
    if (a->known < 0) return;
    const vec3 force = balance->end[1], x = v3_sub(p->now->x[p->n], a->point);
    const vec3 moment =
        v3_add(v3_add(balance->reaction_moment[1], p->couple[p->n]), v3_cross(x, force));
    const double length = v3_dot(v3_sub(p->now->x[p->n], p->now->x[0]), a->along);
    figure[AXIAL_LENGTH] = length;
    figure[EXTENSION] = length - a->rest;
    figure[AXIAL_FORCE] = v3_dot(force, a->along);
    figure[AXIAL_FORCE_START] = v3_dot(balance->end[0], a->along);
    figure[AXIAL_MOMENT] = v3_dot(moment, a->along);
    figure[STIFFNESS] = stiffness_of(p, a->along);
    if (p->rod->rest.kind == WITHY_SHAPE_HELIX) classical(p, length, a->rest);
}

int wy_kirchhoff_figure(const void *self, int index, withy_figure *out) {
    const wy_kirchhoff *p = self;
    for (int i = 0; i < ROWS; i++) {
        if (!isfinite(p->state->figure[i]) || index-- > 0) continue;
        *out = row[i];
        out->value = p->state->figure[i];
        return 1;
    }
    return 0;
}
