/* pluck.c - the static shape of a stretched rod drawn aside at one point.
 *
 * A kink would have infinite curvature: a rod rounds it over the length sqrt(EI/T).  With the
 * deflection y, the turn theta of the section and a constant shear force V on each side of the
 * point, the linear static equations behind the dispersion relation (partial.c) are
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
#include "model/shape/shape.h"

typedef struct stiffness {
    double shear, bend, stretch; /* in the plane of the pluck; infinite: none */
} stiffness;

enum { UNKNOWNS = 8, QUADRATURE = WY_PLUCK_GRID, PASSES = 4 };

/* A rod without tension is a cubic; this much keeps the exponentials apart and changes the shape
 * by 1e-4. */
static const double LEAST_KL = 0.03;

static withy_status solve8(double m[UNKNOWNS][UNKNOWNS + 1], withy_error *err) {
    for (int c = 0; c < UNKNOWNS; c++) {
        int pivot = c;
        for (int r = c + 1; r < UNKNOWNS; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (!(fabs(m[pivot][c]) > 0))
            return wy_no_convergence(err, "the plucked shape cannot be found");
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
static void basis(const wy_pluck *p, int side, double x, double y[4], double theta[4],
                  double slope[4]) {
    const double left = side ? p->at : 0.0, right = side ? p->length : p->at;
    const double e1 = exp(-p->kappa * (x - left)), e2 = exp(p->kappa * (x - right));
    const double k = p->ratio / p->kappa; /* g/(GA k) */
    y[0] = -p->stretch / p->tension * x, y[1] = -k * e1, y[2] = k * e2, y[3] = 1.0;
    theta[0] = -1.0 / p->tension, theta[1] = e1, theta[2] = e2, theta[3] = 0.0;
    slope[0] = 0.0, slope[1] = -p->kappa * e1, slope[2] = p->kappa * e2, slope[3] = 0.0;
}

static withy_status fit(wy_pluck *p, double height, const int held[2], withy_error *err) {
    double m[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    double y[2][4], theta[2][4], slope[2][4];
    const double scale[4] = {p->tension, 1.0, 1.0, 1.0}; /* columns of similar size */
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
static void shape_at(const wy_pluck *p, double x, double *y, double *slope, double *theta) {
    const int side = x > p->at;
    const double *c = p->coefficient[side];
    double row[4], turn[4], curve[4];
    basis(p, side, x, row, turn, curve);
    *y = *theta = 0.0;
    for (int k = 0; k < 4; k++) *y += c[k] * row[k], *theta += c[k] * turn[k];
    *slope = p->ratio * *theta - c[0] * (p->stretch - p->ratio) / p->tension; /* (g th - V)/GA */
}

/* Two Gauss points on each of `parts` pieces of [from, to]. */
static double gauss_point(double from, double to, int parts, int i) {
    const double h = (to - from) / parts,
                 offset = i % 2 ? 0.5 + 0.5 / sqrt(3) : 0.5 - 0.5 / sqrt(3);
    return from + h * (i / 2 + offset);
}

/* The climb z' of the curve where it rises with `slope`. */
static double climb_at(const wy_pluck *p, double stretch, double x) {
    double y, slope, theta;
    shape_at(p, x, &y, &slope, &theta);
    return sqrt(stretch * stretch - slope * slope);
}

/* The stretch at which the curve just reaches from end to end: Newton on the integral of z',
 * one side at a time, because the third derivative jumps at the point. */
static double even_stretch(const wy_pluck *p, double distance) {
    double stretch = distance / p->length, square[2][2 * QUADRATURE], y, slope, theta;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2 * QUADRATURE; i++) {
            const double from = side ? p->at : 0, to = side ? p->length : p->at;
            shape_at(p, gauss_point(from, to, QUADRATURE, i), &y, &slope, &theta);
            square[side][i] = slope * slope;
        }
    for (int pass = 0; pass < 8; pass++) {
        double sum = 0.0, rate = 0.0;
        for (int side = 0; side < 2; side++) {
            const double from = side ? p->at : 0, to = side ? p->length : p->at;
            const double weight = 0.5 * (to - from) / QUADRATURE;
            for (int i = 0; i < 2 * QUADRATURE; i++) {
                const double climb = sqrt(stretch * stretch - square[side][i]);
                sum += weight * climb, rate += weight * stretch / climb;
            }
        }
        const double change = (sum - distance) / rate;
        stretch -= change;
        if (fabs(change) <= 1e-15) break;
    }
    return stretch;
}

/* Position and direction of the rod, direction of the pluck, and the stiffness in its plane. */
static withy_status place(const withy_rod *rod, const withy_shape *shape, wy_pluck *p,
                          stiffness *stiff, withy_error *err) {
    double k[WITHY_STRAINS];
    const withy_shape straight = {.kind = WITHY_SHAPE_STRAIGHT,
                                  .from = shape->from,
                                  .along = shape->along,
                                  .normal = shape->normal};
    WY_TRY(wy_stiffness_at(rod, 0.5 * rod->length, k, err));
    const wy_pose pose = wy_shape_closed_pose(&straight, rod->length, 0.0);
    p->from = pose.r, p->along = pose.frame.c3, p->frame = pose.frame;
    p->across = v3_reject(shape->direction, p->along);
    const double c1 = v3_dot(p->across, p->frame.c1), c2 = v3_dot(p->across, p->frame.c2);
    stiff->shear = wy_min(k[WITHY_SHEAR1], k[WITHY_SHEAR2]) < INFINITY
                       ? k[WITHY_SHEAR1] * c1 * c1 + k[WITHY_SHEAR2] * c2 * c2
                       : INFINITY;
    stiff->bend = k[WITHY_BEND2] * c1 * c1 + k[WITHY_BEND1] * c2 * c2;
    stiff->stretch = k[WITHY_STRETCH];
    return WITHY_OK;
}

static withy_status solve(const withy_rod *rod, const withy_shape *shape, wy_pluck *p,
                          withy_error *err) {
    stiffness k;
    WY_TRY(place(rod, shape, p, &k, err));
    const double distance = rod->length;
    const int held[2] = {wy_end_holds_direction(&rod->end[0]),
                         wy_end_holds_direction(&rod->end[1])};
    double stretch = wy_stretch_of_tension(rod, k.stretch);
    p->length = rod->length / stretch; /* of the rod at rest */
    p->at = shape->at / stretch;
    const double least = LEAST_KL * LEAST_KL * k.bend / (p->length * p->length);
    for (int pass = 0; pass < PASSES; pass++) {
        const double tension = isfinite(k.stretch) ? k.stretch * (stretch - 1.0) : rod->tension;
        p->tension = wy_max(tension, least);
        p->stretch = stretch;
        p->ratio =
            isfinite(k.shear) ? (stretch * k.shear - p->tension) / k.shear : stretch; /* g/GA */
        p->kappa = sqrt(p->ratio * p->tension / k.bend);
        WY_TRY(fit(p, shape->height, held, err));
        stretch = even_stretch(p, distance);
        if (stretch == p->stretch) break; /* the next pass would be this one */
    }
    p->even = stretch;
    return WITHY_OK;
}

/* From one station to the next, in pieces no longer than a QUADRATURE-th of the rod. */
static double climb_part(const wy_pluck *p, double from, double to) {
    const int parts = 1 + (int)(QUADRATURE * (to - from) / p->length);
    double z = 0.0;
    for (int i = 0; i < 2 * parts; i++)
        z += 0.5 * (to - from) / parts * climb_at(p, p->even, gauss_point(from, to, parts, i));
    return z;
}

static double climb(const wy_pluck *p, double from, double to) {
    if (from < p->at && to > p->at) return climb_part(p, from, p->at) + climb_part(p, p->at, to);
    return to > from ? climb_part(p, from, to) : 0.0;
}

withy_status wy_pluck_make(const withy_rod *rod, const withy_shape *shape, wy_arena *arena,
                           wy_pluck *p, withy_error *err) {
    WY_TRY(solve(rod, shape, p, err));
    p->per = p->length / rod->length;
    p->climb = wy_arena_alloc(arena, WY_PLUCK_GRID + 1, sizeof *p->climb);
    if (!p->climb) return wy_no_memory(err, "no memory for the plucked shape");
    for (int i = 0; i < WY_PLUCK_GRID; i++)
        p->climb[i + 1] = p->climb[i] + climb(p, p->length * i / WY_PLUCK_GRID,
                                              p->length * (i + 1) / WY_PLUCK_GRID);
    return WITHY_OK;
}

wy_pose wy_pluck_pose(const wy_pluck *p, double s) {
    const double to = s * p->per;
    const int i = (int)wy_max(0, wy_min(WY_PLUCK_GRID, floor(to / p->length * WY_PLUCK_GRID)));
    const double z = p->climb[i] + climb(p, p->length * i / WY_PLUCK_GRID, to);
    double y, slope, theta;
    shape_at(p, to, &y, &slope, &theta);
    /* turn the section so that the shear strain is that of the linear solution */
    const double angle = asin(slope / p->even) - asin((slope - p->stretch * theta) / p->even);
    const vec3 axis = v3_cross(p->along, p->across);
    return (wy_pose){v3_axpy(v3_axpy(p->from, z, p->along), y, p->across),
                     m3_mulm(q_matrix(q_exp(v3_scale(angle, axis))), p->frame)};
}
