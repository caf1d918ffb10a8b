/* fdtd_pluck.c - the static shape of a stretched rod drawn aside at one point.
 *
 * A kink would have infinite curvature: a rod rounds it over the length sqrt(EI/T).  With the
 * deflection y, the turn theta of the section and a constant shear force V on each side of the
 * point, the linear static equations of the dispersion relation (methods/fdtd.md, section 4) are
 *
 *   GA y' - g theta = -V,      EI theta'' + g y' - lambda g theta = 0,      g = lambda GA - T
 *
 * so   theta = -V/T + A e1 + B e2,    y = c - (lambda V/T) x + (g/(GA k)) (B e2 - A e1)
 *
 * with k^2 = g T/(GA EI) and the decaying exponentials e1, e2 from the two ends of each side.
 * Eight conditions at the ends and at the point give the eight constants.  Along the rod the
 * section is then stretched evenly, z' = sqrt(lambda^2 - y'^2), so that no longitudinal wave
 * starts; lambda follows from the distance of the ends, and the tension with it.
 */
#include "method/fdtd.h"

enum { UNKNOWNS = 8, QUADRATURE = 4096, PASSES = 4 };

/* A rod without tension is a cubic; this much keeps the exponentials apart and changes the shape
 * by 1e-4. */
static const double LEAST_KL = 0.03;

static withy_status solve8(double m[UNKNOWNS][UNKNOWNS + 1], withy_error *err) {
    for (int c = 0; c < UNKNOWNS; c++) {
        int pivot = c;
        for (int r = c + 1; r < UNKNOWNS; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (!(fabs(m[pivot][c]) > 0))
            return wy_fail(err, WITHY_NO_CONVERGENCE, "fdtd: the plucked shape cannot be found");
        for (int k = 0; k <= UNKNOWNS; k++) {
            const double swap = m[c][k];
            m[c][k] = m[pivot][k], m[pivot][k] = swap;
        }
        for (int r = 0; r < UNKNOWNS; r++) {
            if (r == c) continue;
            const double factor = m[r][c] / m[c][c];
            for (int k = c; k <= UNKNOWNS; k++) m[r][k] -= factor * m[c][k];
        }
    }
    return WITHY_OK;
}

/* Rows of y, theta, theta' at x on one side, for the unknowns V, A, B, c of that side. */
static void basis(const fdtd_pluck *p, int side, double x, double y[4], double theta[4],
                  double slope[4]) {
    const double left = side ? p->at : 0.0, right = side ? p->length : p->at;
    const double e1 = exp(-p->kappa * (x - left)), e2 = exp(p->kappa * (x - right));
    const double k = p->ratio / p->kappa; /* g/(GA k) */
    y[0] = -p->stretch / p->tension * x, y[1] = -k * e1, y[2] = k * e2, y[3] = 1.0;
    theta[0] = -1.0 / p->tension, theta[1] = e1, theta[2] = e2, theta[3] = 0.0;
    slope[0] = 0.0, slope[1] = -p->kappa * e1, slope[2] = p->kappa * e2, slope[3] = 0.0;
}

static withy_status fit(fdtd_pluck *p, double height, const int held[2], withy_error *err) {
    double m[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    double y[2][4], theta[2][4], slope[2][4];
    const double scale[4] = {p->tension, 1.0, 1.0, 1.0}; /* columns of like size */
    for (int side = 0; side < 2; side++) {               /* at the ends */
        basis(p, side, side ? p->length : 0.0, y[side], theta[side], slope[side]);
        for (int k = 0; k < 4; k++) {
            m[side][4 * side + k] = y[side][k] * scale[k];
            m[2 + side][4 * side + k] =
                (held[side] ? theta : slope)[side][k] * scale[k] / (held[side] ? 1.0 : p->kappa);
        }
    }
    for (int side = 0; side < 2; side++) { /* at the point */
        basis(p, side, p->at, y[side], theta[side], slope[side]);
        for (int k = 0; k < 4; k++) {
            m[4 + side][4 * side + k] = y[side][k] * scale[k];
            m[6][4 * side + k] = (side ? -1.0 : 1.0) * theta[side][k] * scale[k];
            m[7][4 * side + k] = (side ? -1.0 : 1.0) * slope[side][k] * scale[k] / p->kappa;
        }
        m[4 + side][UNKNOWNS] = height;
    }
    WY_TRY(solve8(m, err));
    for (int k = 0; k < UNKNOWNS; k++)
        p->coefficient[k / 4][k % 4] = m[k][UNKNOWNS] / m[k][k] * scale[k % 4];
    return WITHY_OK;
}

/* y, y' and theta at x. */
static void shape_at(const fdtd_pluck *p, double x, double *y, double *slope, double *theta) {
    const int side = x > p->at;
    const double *c = p->coefficient[side];
    double row[4], turn[4], curve[4];
    basis(p, side, x, row, turn, curve);
    *y = *theta = 0.0;
    for (int k = 0; k < 4; k++) *y += c[k] * row[k], *theta += c[k] * turn[k];
    *slope = p->ratio * *theta - c[0] * (p->stretch - p->ratio) / p->tension; /* (g th - V)/GA */
}

/* The stretch at which the curve just reaches from end to end: Newton on the integral of z'. */
static double even_stretch(const fdtd_pluck *p, double distance) {
    double stretch = distance / p->length;
    for (int pass = 0; pass < 8; pass++) {
        double sum = 0.0, rate = 0.0;
        for (int i = 0; i < QUADRATURE; i++) {
            double y, slope, theta;
            shape_at(p, p->length * (i + 0.5) / QUADRATURE, &y, &slope, &theta);
            const double climb = sqrt(stretch * stretch - slope * slope);
            sum += climb / QUADRATURE, rate += stretch / climb / QUADRATURE;
        }
        stretch -= (sum - distance / p->length) / rate;
    }
    return stretch;
}

withy_status fdtd_pluck_make(const withy_rod *rod, double reference, double tension, fdtd_pluck *p,
                             withy_error *err) {
    const withy_shape *shape = wy_initial_shape(rod);
    if (!wy_end_holds_position(&rod->end[0]) || !wy_end_holds_position(&rod->end[1]))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "fdtd: a plucked shape needs both ends held (pinned or clamped); use "
                       "initial.shape = curve(...) for others");
    double k[WITHY_STRAINS], ends[2] = {0, rod->length};
    wy_pose pose[2];
    WY_TRY(wy_stiffness_at(rod, 0.5 * rod->length, k, err));
    WY_TRY(wy_shape_poses(rod,
                          &(withy_shape){.kind = WITHY_SHAPE_STRAIGHT,
                                         .from = shape->from,
                                         .along = shape->along,
                                         .normal = shape->normal},
                          2, ends, pose, err));
    *p = (fdtd_pluck){.length = reference, .at = shape->at / rod->length * reference};
    p->from = pose[0].r, p->along = pose[0].frame.c3, p->frame = pose[0].frame;
    p->across = v3_reject(shape->direction, p->along);
    const double distance = v3_norm(v3_sub(pose[1].r, pose[0].r));
    const int held[2] = {wy_end_holds_direction(&rod->end[0]),
                         wy_end_holds_direction(&rod->end[1])};
    /* shear and bending along the direction of the pluck */
    const double c1 = v3_dot(p->across, p->frame.c1), c2 = v3_dot(p->across, p->frame.c2);
    const double shear = k[WITHY_SHEAR1] * c1 * c1 + k[WITHY_SHEAR2] * c2 * c2;
    const double bend = k[WITHY_BEND2] * c1 * c1 + k[WITHY_BEND1] * c2 * c2;
    const double least = LEAST_KL * LEAST_KL * bend / (reference * reference);
    p->stretch = 1.0 + tension / k[WITHY_STRETCH];
    double stretch = p->stretch;
    for (int pass = 0; pass < PASSES; pass++) {
        p->tension = wy_max(k[WITHY_STRETCH] * (stretch - 1.0), least);
        p->stretch = stretch;
        p->ratio = (stretch * shear - p->tension) / shear; /* g/GA */
        p->kappa = sqrt(p->ratio * p->tension / bend);
        WY_TRY(fit(p, shape->height, held, err));
        stretch = even_stretch(p, distance);
    }
    p->even = stretch;
    return WITHY_OK;
}

/* Poses at the points offset, offset + 1, ... of a grid of n intervals. */
void fdtd_pluck_poses(const fdtd_pluck *p, int n, double offset, int count, wy_pose *pose) {
    const int parts = QUADRATURE / n + 1;
    double z = 0.0, from = 0.0;
    for (int i = 0; i < count; i++) {
        const double to = p->length * (i + offset) / n;
        double y, slope, theta;
        for (int m = 0; m < parts; m++) {
            shape_at(p, from + (to - from) * (m + 0.5) / parts, &y, &slope, &theta);
            z += (to - from) / parts * sqrt(p->even * p->even - slope * slope);
        }
        from = to;
        shape_at(p, to, &y, &slope, &theta);
        /* turn the section so that the shear strain is that of the linear solution */
        const double angle = asin(slope / p->even) - asin((slope - p->stretch * theta) / p->even);
        pose[i].r = v3_axpy(v3_axpy(p->from, z, p->along), y, p->across);
        const vec3 axis = v3_cross(p->along, p->across);
        pose[i].frame = m3_mulm(q_matrix(q_exp(v3_scale(angle, axis))), p->frame);
    }
}
