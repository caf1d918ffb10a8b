/* medium.c - the velocity of the fluid around rods: a current, and regular waves of small height (Airy):
 *
 *   omega^2 = g k tanh kh,   theta = k x - omega t + phase,   eta = a cos theta                                 (1)
 *   u = a omega cosh k(z+h)/sinh kh cos theta,   w = a omega sinh k(z+h)/sinh kh sin theta                      (2)
 *
 * x along the wave, z over the surface at rest, h the depth.  Stretched by Wheeler, z is replaced by
 *
 *   z' = h (z - eta)/(h + eta).                                                                                 (3)
 *
 * Resistance of a thread of radius r in a fluid of viscosity mu, for waves of the length l (Gray and Hancock 1955):
 *
 *   along  2 pi mu/(ln(2 l/r) - 1/2),   across  twice that,   about the axis  4 pi mu r^2                        (4)
 */
#include "model/medium.h"

#include "model/schema/schema.h"
#include "numeric/interpolate/interpolate.h"

/* Of the depth: so much water is left below a trough of several waves. */
static const double TROUGH = 0.01;
/* Functions are differenced over this part of the length of the scene. */
static const double PART = 1e-4;

/* ---- the current ---------------------------------------------------------------------------------- */

/* Straight between rows, constant beyond them; slope: by the height. */
static vec3 profile_at(const withy_medium *m, double height, vec3 *slope) {
    const double(*row)[4] = m->profile;
    const int last = m->profile_count - 1;
    *slope = v3(0, 0, 0);
    if (!(height > row[0][0])) return v3_from(&row[0][1]);
    if (height >= row[last][0]) return v3_from(&row[last][1]);
    const int i = wy_place_in(row[0], 4, last + 1, height);
    const double per = 1.0 / (row[i + 1][0] - row[i][0]);
    *slope = v3_scale(per, v3_sub(v3_from(&row[i + 1][1]), v3_from(&row[i][1])));
    return v3_axpy(v3_from(&row[i][1]), height - row[i][0], *slope);
}

/* a b^T: what changes by a where the place moves along b. */
static mat3 outer(vec3 a, vec3 b) {
    return (mat3){v3_scale(b.x, a), v3_scale(b.y, a), v3_scale(b.z, a)};
}

static withy_status call_flow(const withy_medium *m, vec3 at, double t, vec3 *u, withy_error *err) {
    WY_TRY(m->flow(m->context, at, t, u, err));
    if (v3_finite(*u)) return WITHY_OK;
    return wy_bad_input(err,
                        "medium.current" WY_KEY
                        ": its function returned a number that is not finite at "
                        "{ %g, %g, %g }, t = %g",
                        at.x, at.y, at.z, t);
}

/* A function, and what it changes by: central differences. */
static withy_status function_at(const wy_medium *x, vec3 at, double t, double dt, unsigned asks,
                                wy_flow *out, withy_error *err) {
    const withy_medium *m = x->given;
    const double d = PART * x->length;
    const vec3 axis[3] = {{d, 0, 0}, {0, d, 0}, {0, 0, d}};
    vec3 a, b, *column[3] = {&out->slope.c1, &out->slope.c2, &out->slope.c3};
    WY_TRY(call_flow(m, at, t, &out->u, err));
    for (int i = 0; i < 3 && asks & WY_FLOW_SLOPES; i++) {
        WY_TRY(call_flow(m, v3_sub(at, axis[i]), t, &a, err));
        WY_TRY(call_flow(m, v3_add(at, axis[i]), t, &b, err));
        *column[i] = v3_scale(0.5 / d, v3_sub(b, a));
    }
    if (!(asks & WY_FLOW_RATE) || !(dt > 0)) return WITHY_OK;
    WY_TRY(call_flow(m, at, t - 0.5 * dt, &a, err));
    WY_TRY(call_flow(m, at, t + 0.5 * dt, &b, err));
    out->rate = v3_scale(1.0 / dt, v3_sub(b, a));
    return WITHY_OK;
}

static withy_status field_at(const withy_field *field, double t, vec3 *u, withy_error *err) {
    double x[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, 0, t, x, err));
    *u = v3_from(x);
    return WITHY_OK;
}

static withy_status current_at(const wy_medium *x, vec3 at, double t, double dt, unsigned asks,
                               wy_flow *out, withy_error *err) {
    const withy_medium *m = x->given;
    vec3 slope, a, b;
    if (m->flow) return function_at(x, at, t, dt, asks, out, err);
    if (m->profile_count) {
        out->u = profile_at(m, v3_dot(x->up, at), &slope);
        out->slope = outer(slope, x->up);
        return WITHY_OK;
    }
    if (!m->current.size) return WITHY_OK;
    WY_TRY(field_at(&m->current, t, &out->u, err));
    if (!(asks & WY_FLOW_RATE) || !(dt > 0) || !wy_field_varies(&m->current)) return WITHY_OK;
    WY_TRY(field_at(&m->current, t - 0.5 * dt, &a, err));
    WY_TRY(field_at(&m->current, t + 0.5 * dt, &b, err));
    out->rate = v3_scale(1.0 / dt, v3_sub(b, a));
    return WITHY_OK;
}

/* ---- waves ---------------------------------------------------------------------------------------- */

double wy_wave_number(double omega, double gravity, double depth) {
    const double deep = omega * omega / gravity;
    double k = deep * depth > 1 ? deep : omega / sqrt(gravity * depth);
    for (int i = 0; i < 50; i++) { /* Newton; convex, and from above or below at most a few steps */
        const double th = tanh(k * depth), f = k * th - deep;
        const double step = f / (th + k * depth * (1 - th * th));
        k = wy_max(k - step, 0.1 * k);
        if (fabs(step) <= 1e-15 * k) break;
    }
    return k;
}

/* cosh k(z+h)/sinh kh and sinh k(z+h)/sinh kh, also where both are too large for a number. */
static void profile_of(double k, double z, double depth, double *c, double *s) {
    const double grow = exp(k * z) / (1 - exp(-2 * k * depth)), fade = exp(-2 * k * (z + depth));
    *c = grow * (1 + fade), *s = grow * (1 - fade);
}

/* The part that waves have grown to, and its rate. */
typedef struct growth {
    double now, rate;
} growth;

/* The moving surface: eta, its gradient and its rate. */
typedef struct surface {
    double eta, rate;
    vec3 slope;
} surface;

static surface surface_of(const wy_medium *x, vec3 at, double t, const growth *grown) {
    surface out = {0};
    for (int i = 0; i < x->waves; i++) {
        const wy_wave *w = &x->wave[i];
        const double theta = w->k * v3_dot(w->along, at) - w->omega * t + w->phase;
        const double a = grown->now * w->a, sine = sin(theta), cosine = cos(theta);
        out.eta += a * cosine;
        out.rate += a * w->omega * sine + grown->rate * w->a * cosine;
        out.slope = v3_axpy(out.slope, -a * w->k * sine, w->along);
    }
    return out;
}

/* (2) of one wave at (3), added; the chain rule where it is stretched. */
static void add_wave(const wy_medium *x, const wy_wave *w, vec3 at, double t, const growth *grown,
                     const surface *top, wy_flow *out) {
    const double h = x->given->depth, z = v3_dot(x->up, at) - x->given->surface;
    double zs = wy_min(z, wy_max(top->eta, 0)), c, s, rate = 0; /* above it is air */
    vec3 climb = x->up;                                         /* gradient of zs */
    if (w->wheeler) {
        const double q = h + top->eta, by = -h * (h + z) / (q * q);
        zs = wy_min(h * (z - top->eta) / q, 0);
        climb = v3_axpy(v3_scale(h / q, x->up), by, top->slope), rate = by * top->rate;
    }
    profile_of(w->k, wy_max(zs, -h), h, &c, &s);
    const double theta = w->k * v3_dot(w->along, at) - w->omega * t + w->phase;
    const double speed = w->a * w->omega, f = grown->now * speed, more = grown->rate * speed,
                 cosine = f * cos(theta), sine = f * sin(theta);
    const vec3 level = w->along, up = x->up;
    out->u = v3_axpy(v3_axpy(out->u, c * cosine, level), s * sine, up);
    const vec3 by_x = v3_axpy(v3_scale(-w->k * c * sine, level), w->k * s * cosine, up);
    const vec3 by_z = v3_axpy(v3_scale(w->k * s * cosine, level), w->k * c * sine, up);
    out->slope = m3_axpy(m3_axpy(out->slope, 1, outer(by_x, level)), 1, outer(by_z, climb));
    const vec3 by_t =
        v3_axpy(v3_scale(w->omega * c * sine + more * c * cos(theta), level),
                -w->omega * s * cosine + more * s * sin(theta), up); /* the wave moves, and grows */
    out->rate = v3_add(out->rate, v3_axpy(by_t, rate, by_z));
}

/* sin^2 of a quarter turn */
static growth growth_at(const withy_medium *m, double t) {
    if (!(m->ramp > 0 && t < m->ramp)) return (growth){1, 0};
    const double turn = 0.5 * WY_PI / m->ramp, angle = turn * wy_max(t, 0), root = sin(angle);
    return (growth){root * root, turn * sin(2 * angle)};
}

withy_status wy_medium_flow(const wy_medium *x, vec3 at, double t, double dt, unsigned asks,
                            wy_flow *out, withy_error *err) {
    const withy_medium *m = x->given;
    *out = (wy_flow){.height = -INFINITY};
    WY_TRY(current_at(x, at, t, dt, asks, out, err));
    if (!m->has_surface) return WITHY_OK;
    if (m->wind.size) WY_TRY(field_at(&m->wind, t, &out->wind, err));
    surface top = {0};
    if (!(asks & WY_FLOW_STATIC) && x->waves) {
        const growth grown = growth_at(m, t);
        top = surface_of(x, at, t, &grown);
        if (!(m->depth + top.eta > TROUGH * m->depth)) /* (3) has no meaning there */
            return wy_bad_input(err,
                                "medium.waves" WY_KEY
                                ": at t = %g their trough is %g m deep, and the water %g m; give "
                                "lower waves, or more depth",
                                t, -top.eta, m->depth);
        for (int i = 0; i < x->waves; i++) add_wave(x, &x->wave[i], at, t, &grown, &top, out);
    }
    out->height = v3_dot(x->up, at) - m->surface - top.eta;
    out->rise = v3_sub(x->up, top.slope);
    return WITHY_OK;
}

/* ---- an irregular sea ----------------------------------------------------------------------------- */

/* The JONSWAP spectrum over its unknown factor; peak: omega there. */
static double spectrum(double omega, double peak, double gamma) {
    const double sigma = omega < peak ? 0.07 : 0.09, off = (omega - peak) / (sigma * peak);
    return pow(omega / peak, -5) * exp(-1.25 * pow(peak / omega, 4)) *
           pow(gamma, exp(-0.5 * off * off));
}

/* Its integral over a .. b by five points of Gauss. */
static double integral(double a, double b, double peak, double gamma) {
    enum { POINTS = 5 };
    double point[POINTS], weight[POINTS], sum = 0;
    wy_gauss_points(POINTS, point, weight);
    for (int i = 0; i < POINTS; i++)
        sum += (b - a) * weight[i] * spectrum(a + (b - a) * point[i], peak, gamma);
    return sum;
}

/* Numbers 0 .. 1 in the order of splitmix64: the top 53 bits. */
static double random_of(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* In the cell from a on, whose integral is `whole`, where the integral from a is `part` of it: Newton, with bisection. */
static double cell_place(double a, double b, double part, double peak, double gamma) {
    double low = a, high = b, at = a + (b - a) * 0.5;
    for (int i = 0; i < 60 && high - low > 1e-16 * b; i++) {
        const double off = integral(a, at, peak, gamma) - part;
        if (off > 0)
            high = at;
        else
            low = at;
        const double next = at - off / spectrum(at, peak, gamma);
        at = next > low && next < high ? next : 0.5 * (low + high);
    }
    return at;
}

/* Components of equal energy from peak/2 to 5 peak: component i stands where the integral is (i + 1/2)/count of all, so that
 * the sum does not repeat itself. */
static void add_sea(const withy_wave *sea, wy_wave *to) {
    enum {
        CELLS = 2000
    }; /* 1 : 8 of them on either side of the peak, where the spectrum has a kink */
    const double peak = 2 * WY_PI / sea->period, low = 0.5 * peak,
                 gamma = sea->gamma > 0 ? sea->gamma : 3.3;
    const int count = sea->components > 0 ? sea->components : 64, below = CELLS / 9;
    double sum = 0, passed = 0;
    uint64_t state = (uint64_t)sea->seed;
    for (int pass = 0, n = 0; pass < 2; pass++)
        for (int i = 0; i < CELLS; i++) {
            const double a = i < below ? low + (peak - low) * i / below
                                       : peak + 4 * peak * (i - below) / (CELLS - below);
            const double b = i < below ? low + (peak - low) * (i + 1) / below
                                       : peak + 4 * peak * (i + 1 - below) / (CELLS - below);
            const double own = integral(a, b, peak, gamma);
            if (pass == 0) {
                sum += own;
                continue;
            }
            for (; n < count && (n + 0.5) / count * sum <= passed + own; n++)
                to[n].omega = cell_place(a, b, (n + 0.5) / count * sum - passed, peak, gamma);
            passed += own;
        }
    for (int n = 0; n < count; n++) {
        to[n].a = sea->height * sqrt(2.0 / count) / 4;
        to[n].phase = 2 * WY_PI * random_of(&state);
    }
}

/* ---- checks --------------------------------------------------------------------------------------- */

static withy_status check_profile(const withy_medium *m, withy_error *err) {
    WY_TRY(wy_check_count("medium.current", m->profile_count, m->profile, err));
    for (int i = 0; i < m->profile_count; i++) {
        const double *row = m->profile[i];
        for (int k = 0; k < 4; k++)
            if (!isfinite(row[k]))
                return wy_bad_input(err,
                                    "medium.current" WY_KEY ": row %d of its profile has %g; "
                                    "all numbers must be finite",
                                    i + 1, row[k]);
        if (i && !(row[0] > m->profile[i - 1][0]))
            return wy_bad_input(err,
                                "medium.current" WY_KEY
                                ": row %d of its profile is at the height %g, not above "
                                "%g; heights must increase",
                                i + 1, row[0], m->profile[i - 1][0]);
    }
    return WITHY_OK;
}

/* What needs what. */
static int uses_viscosity(const withy_problem *problem) {
    for (int i = 0; i < problem->rod_count; i++)
        if (problem->rod[i].viscous.wavelength > 0) return 1;
    return 0;
}

static withy_status check_needs(const withy_problem *problem, withy_error *err) {
    const withy_medium *m = &problem->medium;
    const int ways = (m->current.size > 0) + (m->flow != NULL) + (m->profile_count > 0);
    const int weight = v3_norm(problem->gravity) > 0;
    const struct {
        int wrong;
        const char *text;
    } row[] = {
        {ways > 1, "medium.current" WY_KEY
                   ": is given more than once; keep one of numbers, profile and function"},
        {m->has_surface && !weight,
         "medium.surface" WY_KEY
         ": its height is measured against gravity, which is 0; give gravity"},
        {m->profile_count && !weight,
         "medium.current" WY_KEY
         ": the heights of its profile are measured against gravity, which is 0; give "
         "gravity, or the current as a function of x, y, z, t"},
        {m->wave_count && !(m->has_surface && m->depth > 0),
         "medium.waves" WY_KEY
         ": waves need a surface and a depth; give medium.surface and medium.depth"},
        {m->depth > 0 && !m->has_surface,
         "medium.depth" WY_KEY ": is measured from the surface; give medium.surface"},
        {(m->air > 0 || m->wind.size) && !m->has_surface,
         "medium.air" WY_KEY
         ": is above the surface; give medium.surface, or for wind alone a medium with the "
         "density of air and the wind as its current"},
        {m->viscosity > 0 && !uses_viscosity(problem),
         "medium.viscosity" WY_KEY
         ": no rod uses it; give a rod viscous = { wavelength = ... }, or leave it out"},
        {m->ramp > 0 && !m->wave_count,
         "medium.ramp" WY_KEY ": is that of waves, and there are none"},
        {problem->rotating.given,
         "medium" WY_KEY ": is not supported in a rotating frame; leave out medium or rotating"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].wrong) return wy_bad_input(err, "%s", row[i].text);
    return WITHY_OK;
}

static withy_status check_wave(const withy_problem *problem, int i, withy_error *err) {
    const withy_wave *wave = &problem->medium.wave[i];
    char where[WITHY_NAME];
    snprintf(where, sizeof where,
             problem->medium.wave_count > 1 ? "medium.waves[%d]" : "medium.waves", i + 1);
    if ((unsigned)wave->kind > WITHY_WAVE_JONSWAP)
        return wy_bad_input(err, "%s.kind" WY_KEY " = %d: must be 0 .. %d, see withy_wave_kind",
                            where, (int)wave->kind, WITHY_WAVE_JONSWAP);
    WY_TRY(wy_check_values(WY_IN_WAVE, (int)wave->kind, wave, where, err));
    WY_TRY(wy_check_positive(where, wave->height, "m", err));
    WY_TRY(wy_check_positive(where, wave->period, "s", err));
    if (wave->height >= 2 * problem->medium.depth)
        return wy_bad_input(err,
                            "%s.height" WY_KEY " = %g m: its troughs reach below the bed; it must "
                            "be less than twice medium.depth = %g m",
                            where, wave->height, problem->medium.depth);
    const double size = v3_norm(wave->direction),
                 slant = v3_dot(wave->direction, v3_unit(problem->gravity));
    if (size > 0 && fabs(slant) <= 1e-9 * size) return WITHY_OK;
    return wy_bad_input(err, "%s.direction" WY_KEY " must be across gravity; it has %.3g along it",
                        where, size > 0 ? fabs(slant) / size : 0);
}

static int is_viscous(const withy_viscous *v) {
    return v->normal > 0 || v->tangential > 0 || v->spin > 0;
}

static int is_round(const withy_rod *rod) {
    return rod->section.kind == WITHY_SECTION_CIRCLE || rod->section.kind == WITHY_SECTION_TUBE;
}

/* Of the rod for (4). */
static double slow_diameter(const withy_rod *rod) {
    if (rod->viscous.diameter > 0) return rod->viscous.diameter;
    return is_round(rod) && !rod->section.a.call ? rod->section.a.value[0] : 0;
}

withy_viscous wy_rod_viscous(const withy_problem *problem, const withy_rod *rod) {
    withy_viscous out = rod->viscous;
    if (!(out.wavelength > 0)) return out;
    const double mu = problem->medium.viscosity, r = 0.5 * slow_diameter(rod);
    out.tangential = 2 * WY_PI * mu / (log(2 * out.wavelength / r) - 0.5);
    out.normal = 2 * out.tangential, out.spin = 4 * WY_PI * mu * r * r;
    return out;
}

static int is_jointed(const withy_problem *problem, const withy_rod *rod) {
    for (int i = 0; i < 2 * problem->joint_count; i++) {
        const withy_place *place = &problem->joint[i / 2].place[i % 2];
        if (place->part == WITHY_PART_ROD && &problem->rod[place->index] == rod) return 1;
    }
    return 0;
}

/* Turning about the axis is resisted, or an end holds the section. */
static int may_spin(const withy_rod *rod, const withy_viscous *v) {
    for (int i = 0; i < 2; i++)
        if (wy_end_holds_frame(&rod->end[i]) && rod->end[i].turn != WITHY_TURN_FREE) return 0;
    return !(v->spin > 0);
}

static withy_status check_massless(const withy_problem *problem, const withy_rod *rod,
                                   withy_error *err) {
    const withy_viscous v = wy_rod_viscous(problem, rod);
    const withy_end *end = rod->end;
    const struct {
        int wrong;
        const char *text;
    } row[] = {
        {!(v.normal > 0 && v.tangential > 0),
         "without inertia, what keeps the rod from moving at once is its resistance: "
         "give viscous.normal and viscous.tangential, or viscous.wavelength"},
        {may_spin(rod, &v), "without inertia, nothing resists its turning about its axis: give "
                            "viscous.spin, or clamp an end"},
        {rod->velocity.size || rod->spin.size,
         "a rod without inertia has no initial velocity; leave out initial.velocity and .spin"},
        {end[0].mass > 0 || end[1].mass > 0 || !v3_is_zero(end[0].inertia) ||
             !v3_is_zero(end[1].inertia),
         "a rod without inertia cannot carry a mass at its ends"},
        {rod->fluid.added_normal > 0 || rod->fluid.added_tangential > 0,
         "a rod without inertia has no added mass; leave out fluid.added"},
        {is_jointed(problem, rod), "a rod without inertia cannot have joints"},
        {rod->closed,
         "a closed rod without inertia is not supported: what joins its ends has inertia; "
         "leave out rod.viscous.inertia"},
        {rod->law.kind != WITHY_LAW_LINEAR || rod->stiffness_matrix[0].size > 0,
         "a rod without inertia needs a linear law without couplings; leave out rod.law and "
         "rod.stiffness.matrix"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].wrong)
            return wy_bad_input(err, "rod.viscous.inertia" WY_KEY " = \"none\": %s", row[i].text);
    return WITHY_OK;
}

/* (4) needs a thread that is thin against the wave. */
static withy_status check_wavelength(const withy_problem *problem, const withy_rod *rod,
                                     withy_error *err) {
    const withy_viscous *v = &rod->viscous;
    const double d = slow_diameter(rod);
    if (!(v->wavelength > 0)) return WITHY_OK;
    if (is_viscous(v))
        return wy_bad_input(err, "rod.viscous.wavelength" WY_KEY
                                 ": the coefficients are given as well; keep one of them");
    if (!(problem->medium.viscosity > 0))
        return wy_bad_input(err, "rod.viscous.wavelength" WY_KEY
                                 " needs the viscosity of the fluid: give medium.viscosity");
    if (!(d > 0))
        return wy_bad_input(err,
                            "rod.viscous.diameter" WY_KEY
                            " is missing: the section is not round, or not the same all along");
    if (v->wavelength >= 2 * d) return WITHY_OK;
    return wy_bad_input(err,
                        "rod.viscous.wavelength" WY_KEY " = %g m: the formulas are for waves that "
                        "are long against the diameter %g m; it must be at least twice that",
                        v->wavelength, d);
}

static withy_status check_rod(const withy_problem *problem, const withy_rod *rod,
                              withy_error *err) {
    const withy_viscous given = wy_rod_viscous(problem, rod), *v = &given;
    wy_fluid_at unused;
    WY_TRY(check_wavelength(problem, rod, err));
    if (rod->viscous.massless) WY_TRY(check_massless(problem, rod, err));
    if (rod->fluid.given && !problem->medium.given)
        return wy_bad_input(err, "rod.fluid" WY_KEY
                                 ": there is no medium; give medium = { density = ... }");
    if (is_viscous(v) && (rod->drag_linear > 0 || rod->drag_quadratic > 0 || rod->drag_spin > 0))
        return wy_bad_input(err,
                            "rod.viscous" WY_KEY ": rod.drag is given as well; keep one of them");
    if (is_viscous(v) && problem->rotating.given)
        return wy_bad_input(err, "rod.viscous" WY_KEY
                                 ": is not supported in a rotating frame; give rod.drag, or leave "
                                 "out rotating");
    for (int i = 0; i <= 4 && rod->fluid.given; i++)
        WY_TRY(wy_rod_fluid_at(rod, rod->length * i / 4, &unused, err));
    return WITHY_OK;
}

static withy_status check_body(const withy_problem *problem, int i, withy_error *err) {
    const withy_body *body = &problem->body[i];
    if (!body->fluid.given) return WITHY_OK;
    if (!problem->medium.given)
        return wy_bad_input(
            err, "bodies[%d].fluid" WY_KEY ": there is no medium; give medium = { density = ... }",
            i + 1);
    if (problem->medium.flow)
        return wy_bad_input(err,
                            "bodies[%d].fluid" WY_KEY ": bodies do not feel a current that is a "
                            "function of x, y, z and t; give a vector, a signal or a profile",
                            i + 1);
    if (body->fluid.volume > 0) return WITHY_OK;
    return wy_bad_input(err, "bodies[%d].fluid.volume" WY_KEY " = %g: must be > 0 [m^3]", i + 1,
                        body->fluid.volume);
}

static withy_status check(const withy_problem *problem, withy_error *err) {
    for (int i = 0; i < problem->body_count; i++) WY_TRY(check_body(problem, i, err));
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_status status = check_rod(problem, &problem->rod[i], err);
        if (status != WITHY_OK && problem->rod_count > 1) return wy_fail_in_rod(err, status, i);
        WY_TRY(status);
    }
    if (!problem->medium.given) return WITHY_OK;
    WY_TRY(wy_check_values(WY_IN_MEDIUM, 0, &problem->medium, "medium", err));
    WY_TRY(wy_check_field("medium", "current", &problem->medium.current, 3, err));
    WY_TRY(wy_check_count("medium.waves", problem->medium.wave_count, problem->medium.wave, err));
    WY_TRY(check_profile(&problem->medium, err));
    WY_TRY(check_needs(problem, err));
    for (int i = 0; i < problem->medium.wave_count; i++) WY_TRY(check_wave(problem, i, err));
    return WITHY_OK;
}

/* ---- compiled ------------------------------------------------------------------------------------- */

static int count_of(const withy_wave *wave) {
    if (wave->kind == WITHY_WAVE_AIRY) return 1;
    return wave->components > 0 ? wave->components : 64;
}

static withy_status add_waves(const withy_problem *problem, wy_arena *arena, wy_medium *x,
                              withy_error *err) {
    const withy_medium *m = &problem->medium;
    for (int i = 0; i < m->wave_count; i++) x->waves += count_of(&m->wave[i]);
    wy_wave *to = wy_arena_alloc(arena, (size_t)x->waves + 1, sizeof *to);
    if (!to) return wy_no_memory(err, "no memory for the waves");
    x->wave = to;
    for (int i = 0; i < m->wave_count; i++) {
        const withy_wave *wave = &m->wave[i];
        if (wave->kind == WITHY_WAVE_JONSWAP)
            add_sea(wave, to);
        else
            *to = (wy_wave){
                .a = 0.5 * wave->height, .omega = 2 * WY_PI / wave->period, .phase = wave->phase};
        for (int n = 0; n < count_of(wave); n++, to++) {
            to->along = v3_unit(wave->direction), to->wheeler = wave->wheeler;
            to->k = wy_wave_number(to->omega, v3_norm(problem->gravity), m->depth);
        }
    }
    return WITHY_OK;
}

/* A current of constant numbers, all zero.  Signals are bound later. */
static int is_zero(const withy_medium *m) {
    const withy_field *u = &m->current;
    if (m->flow || m->profile_count || u->call || u->table || wy_field_has_input(u)) return 0;
    return !m->current.size || v3_is_zero(v3_from(m->current.value));
}

withy_status wy_medium_compile(const withy_problem *problem, double length, wy_arena *arena,
                               const wy_medium **medium, withy_error *err) {
    *medium = NULL;
    WY_TRY(check(problem, err));
    if (!problem->medium.given) return WITHY_OK;
    wy_medium *x = wy_arena_alloc(arena, 1, sizeof *x);
    if (!x) return wy_no_memory(err, "no memory for the medium");
    const withy_medium *m = &problem->medium;
    *x = (wy_medium){.given = m, .length = length};
    const double g = v3_norm(problem->gravity);
    if (g > 0) x->up = v3_scale(-1 / g, problem->gravity);
    WY_TRY(add_waves(problem, arena, x, err));
    x->at_rest = is_zero(m) && !m->wave_count && !m->wind.size;
    x->uniform = !m->flow && !m->profile_count && !m->has_surface;
    *medium = x;
    return WITHY_OK;
}

/* ---- rods ----------------------------------------------------------------------------------------- */

static withy_status positive_at(const withy_field *field, const char *name, double s, double *x,
                                withy_error *err) {
    double value[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, 0, value, err));
    *x = value[0];
    if (*x > 0) return WITHY_OK;
    return wy_bad_input(err, "rod.fluid.%s" WY_KEY " = %g at s = %g: must be > 0", name, *x, s);
}

withy_status wy_rod_fluid_at(const withy_rod *rod, double s, wy_fluid_at *out, withy_error *err) {
    const withy_fluid *fluid = &rod->fluid;
    if (!fluid->diameter.size && !is_round(rod))
        return wy_bad_input(err,
                            "rod.fluid.diameter" WY_KEY
                            " is missing: the section is not round; give the diameter for drag");
    WY_TRY(positive_at(fluid->diameter.size ? &fluid->diameter : &rod->section.a, "diameter", s,
                       &out->diameter, err));
    out->area = WY_PI / 4 * out->diameter * out->diameter;
    if (fluid->area.size) WY_TRY(positive_at(&fluid->area, "area", s, &out->area, err));
    return WITHY_OK;
}
