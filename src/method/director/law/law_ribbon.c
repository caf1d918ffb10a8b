/* law_ribbon.c - a strip so wide that it bends like a plate: where it is bent and twisted its cross-section curves too (Sano).
 *
 * With k = K_1 about its width w, t = K_3, thickness h, Poisson's ratio nu, D w = E I_1/(1 - nu^2):
 *
 *   V = D w/2 [ (1 - nu^2) k^2 + 2 (1 - nu) t^2 + g^2 F ] + stretch, shear, K_2 as in the linear law
 *   g = t^2 + nu k^2,   c = (1 - nu^2) w^4/(60 h^2)
 *   Sano: the curvature across is uniform,       F = c/(1 + c k^2)
 *   Audoly and Neukirch: it is not,              F = phi(u)/k^2,   u^4 = 180 c k^2,
 *                                                phi = 1 - (2/u) (cosh u - cos u)/(sinh u + sin u)              (1)
 *
 * For a narrow strip (c to 0) Kirchhoff's rod, for a wide one (c without end) Sadowsky's ribbon.
 */
#include "method/director/law/energy.h"

/* Of a Gauss point. */
typedef struct strip {
    double half, nu, c; /* D w/2 */
} strip;

static withy_status make(wy_director_plan *plan, const wy_setup *setup, withy_error *err) {
    const withy_rod *rod = plan->rod;
    const int points = plan->n * plan->p;
    const double nu = rod->material.young / (2 * rod->material.shear) - 1;
    strip *list = wy_arena_alloc(setup->arena, (size_t)points, sizeof *list);
    if (!list) return wy_no_memory(err, "director: no memory for the sections");
    for (int i = 0; i < points; i++) {
        const int e = i / plan->p;
        const double s = plan->start[e] + plan->rule->point[i % plan->p] * plan->size[e];
        double width[WITHY_FIELD_MAX], height[WITHY_FIELD_MAX];
        WY_TRY(withy_field_at(&rod->section.a, s, 0, width, err));
        WY_TRY(withy_field_at(&rod->section.b, s, 0, height, err));
        if (!(height[0] < width[0]))
            return wy_bad_input(err,
                                "director: rod.law" WY_KEY
                                ": a ribbon is %g wide and %g high at s = "
                                "%g; the height, along d2, must be the smaller",
                                width[0], height[0], s);
        const double w2 = width[0] * width[0];
        list[i].half = 0.5 * plan->section[i].c[1][0] / (1 - nu * nu), list[i].nu = nu;
        list[i].c = (1 - nu * nu) * w2 * w2 / (60 * height[0] * height[0]);
    }
    plan->of_law = list;
    return WITHY_OK;
}

/* F and its derivatives by k. */
typedef struct across {
    double f, df, ddf;
} across;

static across sano(double c, double k) {
    const double f = c / (1 + c * k * k);
    return (across){f, -2 * f * f * k, -2 * f * f * (1 - 4 * f * k * k)};
}

/* Of a series by q, and its derivatives, one more term below (Horner). */
static void add_term(double q, double term, double sum[3]) {
    sum[2] = sum[2] * q + 2 * sum[1];
    sum[1] = sum[1] * q + sum[0];
    sum[0] = sum[0] * q + term;
}

/* phi/u^4 of (1) by q = u^4, and its derivatives: by the series of the four functions a quotient of sums without differences,
 *   sum 4 (m + 1) q^m/(4 m + 6)!  over  sum q^m/(4 m + 1)!,  both times a factorial
 */
static across plate(double q) {
    static const double WIDE = 36; /* u beyond which phi = 1 - 2/u to the last digit */
    const double u = sqrt(sqrt(q));
    if (u > WIDE)
        return (across){(1 - 2 / u) / q, (2.5 / u - 1) / (q * q), (2 - 5.625 / u) / (q * q * q)};
    double above[3] = {0}, below[3] = {0}, factor = 1;
    for (int m = (int)fmin(4 + u, WIDE); m >= 0; m--) {
        const double n = 4 * m;
        add_term(q, factor * 4 * (m + 1) / ((n + 2) * (n + 3) * (n + 4) * (n + 5) * (n + 6)),
                 above);
        add_term(q, factor, below);
        factor *= (n + 1) * n * (n - 1) * (n - 2); /* to that of (4 m - 3)! */
    }
    const double f = above[0] / below[0], df = (above[1] - f * below[1]) / below[0];
    return (across){f, df, (above[2] - 2 * df * below[1] - f * below[2]) / below[0]};
}

static across audoly(double c, double k) {
    const double a = 180 * c;
    const across p = plate(a * k * k);
    return (across){a * p.f, 2 * a * a * k * p.df,
                    2 * a * a * p.df + 4 * a * a * a * k * k * p.ddf};
}

static void energy_of(const wy_director *x, int at, const double e[6], wy_energy *out) {
    const strip *r = &((const strip *)x->plan.of_law)[at];
    const lane *stiff = x->plan.section[at].c;
    const double k = e[3], t = e[5], nu = r->nu, c = r->c, half = r->half;
    const across a = x->plan.rod->law.model == WITHY_RIBBON_SANO ? sano(c, k) : audoly(c, k);
    const double f = a.f, df = a.df, ddf = a.ddf, g = t * t + nu * k * k;
    *out = (wy_energy){0};
    for (int i = 0; i < 5; i++) {
        const double own = stiff[i / 3][i % 3];
        if (i == 3) continue;
        out->by[i] = 0.5 * own * e[i] * e[i], out->d[i] = own * e[i], out->dd[i][i] = own;
    }
    out->by[3] = half * ((1 - nu * nu) * k * k + 0.5 * g * g * f);
    out->by[5] = half * (2 * (1 - nu) * t * t + 0.5 * g * g * f);
    out->d[3] = half * (2 * (1 - nu * nu) * k + 4 * nu * k * g * f + g * g * df);
    out->d[5] = half * (4 * (1 - nu) * t + 4 * t * g * f);
    out->dd[3][3] = half * (2 * (1 - nu * nu) + 8 * nu * nu * k * k * f + 4 * nu * g * f +
                            8 * nu * k * g * df + g * g * ddf);
    out->dd[5][5] = half * (4 * (1 - nu) + 8 * t * t * f + 4 * g * f);
    out->dd[3][5] = out->dd[5][3] = half * (8 * nu * k * t * f + 4 * t * g * df);
}

const wy_section_law wy_law_ribbon = {.name = "ribbon",
                                      .kind = WITHY_LAW_RIBBON,
                                      .make = make,
                                      .energy_of = energy_of,
                                      WY_LAW_OF_ENERGY};
