/* limit.c - the largest stable step, in closed form (docs/theory/fdtd.md, The step).
 *
 *   kappa = sigma/h, sigma = 2, 7/3, 2.48; w: the fastest wave (model/shape/shape.h), rJ = rho I + alpha dt^2 GA
 *
 * and a step is stable when dt (dt + 2 eta) <= 4/w^2, eta the Kelvin-Voigt time.  Proved for the
 * straight rod; a rod that varies is checked point by point.  Of a rod that spins about its axis with w3
 *
 *   dt (dt + 2 eta) <= 4 cos^2(chi/2)/w^2,   chi = (1 + gamma) w3 dt/2,  gamma^2 = |(J3 - J1) (J3 - J2)|/(J1 J2)
 */
#include "method/fdtd/fdtd.h"
#include "model/shape/shape.h"

/* Is dt stable for a uniform piece of rod?  k: stiffness, rho: inertia, eta: longest damping time. */
static int is_stable(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS], double eta,
                     double stretch, double wavenumber, double alpha, double dt) {
    const double most = wy_fastest_square(k, rho, stretch, wavenumber, alpha * dt * dt);
    return dt * (dt + 2.0 * eta) * most <= 4.0;
}

/* The largest stable step of one point: bisection below the axial limit, to rounding. */
static double point_limit(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS],
                          double eta, double stretch, double wavenumber, double alpha,
                          double axial) {
    double low = 0.0, high = axial;
    if (is_stable(k, rho, eta, stretch, wavenumber, alpha, axial)) return axial;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        const double mid = 0.5 * (low + high);
        if (is_stable(k, rho, eta, stretch, wavenumber, alpha, mid))
            low = mid;
        else
            high = mid;
    }
    return low;
}

withy_status wy_fdtd_limit_of(const withy_rod *rod, double reference, double stretch,
                              const wy_sbp *op, const wy_fdtd_options *opt, wy_fdtd_limit *limit,
                              withy_error *err) {
    const double wavenumber = op->sigma * op->n / reference;
    const double alpha = opt->inertia == WY_FDTD_REGULARISED ? opt->inertia_alpha : 0.0;
    *limit = (wy_fdtd_limit){INFINITY, INFINITY};
    const int last = wy_rod_is_uniform(rod) ? 0 : 2 * op->n;
    for (int i = 0; i <= last; i++) {
        const double s = rod->length * i / (2.0 * op->n);
        wy_section_at at;
        WY_TRY(wy_sections_at(rod, 1, &s, &at, err));
        const double *k = at.stiffness, *c = at.damping, *rho = at.inertia;
        double eta = 0.0;
        for (int d = 0; d < WITHY_STRAINS; d++) eta = wy_max(eta, c[d] / k[d]);
        const double axial = 2.0 / wavenumber * sqrt(rho[WITHY_MASS] / k[WITHY_STRETCH]);
        limit->axial = wy_min(limit->axial, axial);
        limit->dt =
            wy_min(limit->dt, point_limit(k, rho, eta, stretch, wavenumber, alpha, limit->axial));
    }
    return WITHY_OK;
}

double wy_fdtd_gyration(const double J[3]) {
    return 0.5 * (1.0 + sqrt(fabs((J[2] - J[0]) * (J[2] - J[1]) / (J[0] * J[1]))));
}

/* dt (dt + 2 eta) falls by the square of the cosine when dt falls by that square at most (eta large), or by the
 * cosine itself (eta = 0). */
double wy_fdtd_spun_limit(double equilibrium, double rate, int viscous) {
    double low = 0.0, high = equilibrium;
    for (int i = 0; i < 100 && high - low > 1e-12 * equilibrium; i++) {
        const double mid = 0.5 * (low + high), c = cos(wy_min(0.5 * rate * mid, 0.5 * WY_PI));
        *(mid <= equilibrium * (viscous ? c * c : c) ? &low : &high) = mid;
    }
    return rate > 0.0 ? low : equilibrium;
}
