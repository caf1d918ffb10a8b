/* section.c - from section and material to stiffness, inertia and damping per length.
 *
 *   GA = k G A     EA     EI1, EI2     GJ          rho A     rho I1, rho I2     rho (I1 + I2)
 *
 * I1 = integral of x2^2 (bending about d1), I2 = integral of x1^2; J is the torsion constant of
 * Saint-Venant: exact for circle, tube and ellipse, within 4e-4 for the rectangle.
 */
#include "model/model.h"

typedef struct geometry {
    double area, second1, second2, torsion;
} geometry;

static geometry circle_of(double outer, double inner) {
    const double a2 = outer * outer, b2 = inner * inner;
    const double second = WY_PI / 64.0 * (a2 * a2 - b2 * b2);
    return (geometry){WY_PI / 4.0 * (a2 - b2), second, second, 2.0 * second};
}

/* Roark's formula for the torsion constant of a rectangle. */
static geometry rectangle_of(double width, double height) {
    const double a = 0.5 * wy_max(width, height), b = 0.5 * wy_min(width, height);
    const double x = b / a, x4 = x * x * x * x;
    const double torsion = a * b * b * b * (16.0 / 3.0 - 3.36 * x * (1.0 - x4 / 12.0));
    return (geometry){width * height, width * height * height * height / 12.0,
                      height * width * width * width / 12.0, torsion};
}

static geometry ellipse_of(double width, double height) {
    const double a = 0.5 * width, b = 0.5 * height;
    return (geometry){WY_PI * a * b, WY_PI / 4.0 * a * b * b * b, WY_PI / 4.0 * a * a * a * b,
                      WY_PI * a * a * a * b * b * b / (a * a + b * b)};
}

static withy_status geometry_at(const withy_section *section, double s, geometry *out,
                                withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0}, c[WITHY_FIELD_MAX] = {0};
    if (section->kind == WITHY_SECTION_CUSTOM) {
        WY_TRY(withy_field_at(&section->area, s, 0, a, err));
        WY_TRY(withy_field_at(&section->second, s, 0, b, err));
        WY_TRY(withy_field_at(&section->torsion, s, 0, c, err));
        *out = (geometry){a[0], b[0], b[1], c[0]};
    } else {
        WY_TRY(withy_field_at(&section->a, s, 0, a, err));
        WY_TRY(withy_field_at(&section->b, s, 0, b, err));
        if (!(a[0] > 0) || b[0] < 0 || (section->kind == WITHY_SECTION_TUBE && !(b[0] < a[0])))
            return wy_bad_input(err,
                                "the section has size %g by %g at s = %g; sizes must be > 0 and an "
                                "inner diameter smaller than the outer",
                                a[0], b[0], s);
        switch (section->kind) {
        case WITHY_SECTION_RECTANGLE: *out = rectangle_of(a[0], b[0]); break;
        case WITHY_SECTION_ELLIPSE: *out = ellipse_of(a[0], b[0]); break;
        default: *out = circle_of(a[0], section->kind == WITHY_SECTION_TUBE ? b[0] : 0.0);
        }
    }
    if (!(out->area > 0 && out->second1 > 0 && out->second2 > 0 && out->torsion > 0))
        return wy_bad_input(err,
                            "the section has area %g, second moments %g, %g and torsion constant "
                            "%g at s = %g; all must be > 0",
                            out->area, out->second1, out->second2, out->torsion, s);
    return WITHY_OK;
}

withy_status wy_rod_half(const withy_rod *rod, double s, double *half, withy_error *err) {
    const withy_section *section = &rod->section;
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0};
    *half = 0;
    if (rod->radius.size) {
        WY_TRY(withy_field_at(&rod->radius, s, 0, a, err));
        *half = a[0];
        return WITHY_OK;
    }
    if (section->kind == WITHY_SECTION_NONE || section->kind == WITHY_SECTION_CUSTOM)
        return WITHY_OK;
    WY_TRY(withy_field_at(&section->a, s, 0, a, err));
    WY_TRY(withy_field_at(&section->b, s, 0, b, err));
    const int flat =
        section->kind == WITHY_SECTION_RECTANGLE || section->kind == WITHY_SECTION_ELLIPSE;
    *half = 0.5 * (flat ? wy_min(a[0], b[0]) : a[0]);
    return WITHY_OK;
}

/* Replace what is given directly; name and lower bound are for the message. */
static withy_status override_with(const withy_field *field, int count, double s, const char *what,
                                  int zero_allowed, double *value, withy_error *err) {
    for (int i = 0; i < count; i++) {
        if (field[i].size == 0) continue;
        double given[WITHY_FIELD_MAX];
        if (!field[i].call)
            given[0] = field[i].value[0]; /* may be infinite: rigid */
        else
            WY_TRY(withy_field_at(&field[i], s, 0, given, err));
        if (!(given[0] > 0 || (zero_allowed && given[0] == 0)))
            return wy_bad_input(err, "%s number %d is %g at s = %g; it must be %s 0", what, i + 1,
                                given[0], s, zero_allowed ? ">=" : ">");
        if (zero_allowed && !isfinite(given[0])) /* only a stiffness may be infinite */
            return wy_bad_input(err, "%s number %d is %g at s = %g; it must be finite", what, i + 1,
                                given[0], s);
        value[i] = given[0];
    }
    return WITHY_OK;
}

/* The section at s, if there is one: no geometry otherwise. */
static withy_status section_at(const withy_rod *rod, double s, geometry *g, withy_error *err) {
    *g = (geometry){0};
    return rod->section.kind != WITHY_SECTION_NONE ? geometry_at(&rod->section, s, g, err)
                                                   : WITHY_OK;
}

/* At rest, on the stiffer side; 0: there is no table. */
static double curve_slope(const withy_curve *curve) {
    double most = 0;
    for (int i = 0; i < curve->row_count; i++) {
        const double e = curve->row[i][0];
        const int first = e > 0 && (i == 0 || !(curve->row[i - 1][0] > 0));
        const int last = e < 0 && (i + 1 == curve->row_count || !(curve->row[i + 1][0] < 0));
        if (first || last) most = wy_max(most, curve->row[i][1] / e);
    }
    return most;
}

static withy_status stiffness_of(const withy_rod *rod, const geometry *g, double s,
                                 double k[WITHY_STRAINS], withy_error *err) {
    for (int i = 0; i < WITHY_STRAINS; i++) k[i] = INFINITY;
    if (rod->section.kind != WITHY_SECTION_NONE) {
        const withy_material *m = &rod->material;
        k[WITHY_SHEAR1] = k[WITHY_SHEAR2] = rod->section.shear_factor * m->shear * g->area;
        k[WITHY_STRETCH] = m->young * g->area;
        k[WITHY_BEND1] = m->young * g->second1;
        k[WITHY_BEND2] = m->young * g->second2;
        k[WITHY_TWIST] = m->shear * g->torsion;
    }
    if (rod->stiffness_matrix[0].size) return wy_matrix_diagonal(rod, s, k, err);
    if (rod->kind == WITHY_CABLE) /* all but the stretch */
        for (int i = 0; i < WITHY_STRAINS; i++) k[i] = i == WITHY_STRETCH ? k[i] : 0;
    WY_TRY(override_with(rod->stiffness, WITHY_STRAINS, s, "stiffness", 0, k, err));
    for (int i = 0; i < WITHY_STRAINS && rod->law.kind == WITHY_LAW_TABULATED; i++)
        if (rod->law.curve[i].row_count) k[i] = curve_slope(&rod->law.curve[i]);
    return WITHY_OK;
}

static withy_status inertia_of(const withy_rod *rod, const geometry *g, double s,
                               double rho[WITHY_INERTIAS], withy_error *err) {
    const double density = rod->section.kind != WITHY_SECTION_NONE ? rod->material.density : 0.0;
    rho[WITHY_MASS] = density * g->area;
    rho[WITHY_ROTARY1] = density * g->second1;
    rho[WITHY_ROTARY2] = density * g->second2;
    rho[WITHY_ROTARY3] = density * (g->second1 + g->second2);
    if (rod->kind == WITHY_CABLE) rho[WITHY_ROTARY1] = rho[WITHY_ROTARY2] = rho[WITHY_ROTARY3] = 0;
    return override_with(rod->inertia, WITHY_INERTIAS, s, "inertia", 1, rho, err);
}

static withy_status damping_of(const withy_rod *rod, const double stiffness[WITHY_STRAINS],
                               double s, double k[WITHY_STRAINS], withy_error *err) {
    double direct[WITHY_STRAINS] = {0}, matrix[WITHY_STRAINS][WITHY_STRAINS] = {{0}};
    WY_TRY(override_with(rod->damping, WITHY_STRAINS, s, "damping", 1, direct, err));
    if (rod->damping_matrix[0].size) WY_TRY(wy_damping_matrix_at(rod, s, matrix, err));
    for (int i = 0; i < WITHY_STRAINS; i++)
        k[i] = (isfinite(stiffness[i]) ? rod->damping_time * stiffness[i] : 0.0) + direct[i] +
               matrix[i][i];
    return WITHY_OK;
}

withy_status wy_sections_at(const withy_rod *rod, int count, const double *s, wy_section_at *out,
                            withy_error *err) {
    const int uniform = wy_rod_is_uniform(rod);
    for (int i = 0; i < count; i++) {
        geometry g;
        if (i > 0 && uniform) {
            out[i] = out[0];
            continue;
        }
        WY_TRY(section_at(rod, s[i], &g, err));
        WY_TRY(stiffness_of(rod, &g, s[i], out[i].stiffness, err));
        WY_TRY(inertia_of(rod, &g, s[i], out[i].inertia, err));
        WY_TRY(damping_of(rod, out[i].stiffness, s[i], out[i].damping, err));
    }
    return WITHY_OK;
}

typedef withy_status property(const withy_rod *rod, const geometry *g, double s, double *out,
                              withy_error *err);

static withy_status property_at(const withy_rod *rod, double s, property *of, double *out,
                                withy_error *err) {
    geometry g;
    WY_TRY(section_at(rod, s, &g, err));
    return of(rod, &g, s, out, err);
}

withy_status wy_stiffness_at(const withy_rod *rod, double s, double k[WITHY_STRAINS],
                             withy_error *err) {
    return property_at(rod, s, stiffness_of, k, err);
}

withy_status withy_rod_stiffness(const withy_rod *rod, double s, double stiffness[WITHY_STRAINS],
                                 withy_error *err) {
    WY_NEED(rod, stiffness);
    return wy_stiffness_at(rod, s, stiffness, err);
}

withy_status wy_inertia_at(const withy_rod *rod, double s, double rho[WITHY_INERTIAS],
                           withy_error *err) {
    return property_at(rod, s, inertia_of, rho, err);
}

withy_status wy_damping_at(const withy_rod *rod, double s, double k[WITHY_STRAINS],
                           withy_error *err) {
    double stiffness[WITHY_STRAINS];
    WY_TRY(wy_stiffness_at(rod, s, stiffness, err));
    return damping_of(rod, stiffness, s, k, err);
}

double wy_stretch_of_tension(const withy_rod *rod, double stiffness) {
    return 1.0 + rod->tension / stiffness;
}

static int any_varies(const withy_field *field, int count) {
    for (int i = 0; i < count; i++)
        if (field[i].call) return 1;
    return 0;
}

int wy_rod_is_uniform(const withy_rod *rod) {
    const withy_section *c = &rod->section;
    return !(any_varies(rod->stiffness, WITHY_STRAINS) ||
             any_varies(rod->stiffness_matrix, WITHY_STRAINS) ||
             any_varies(rod->damping_matrix, WITHY_STRAINS) ||
             any_varies(rod->inertia, WITHY_INERTIAS) || any_varies(rod->damping, WITHY_STRAINS) ||
             c->a.call || c->b.call || c->area.call || c->second.call || c->torsion.call);
}

int wy_rod_is_damped(const withy_rod *rod) {
    if (rod->damping_matrix[0].size || rod->damping_time > 0 || rod->drag_linear > 0 ||
        rod->drag_quadratic > 0 || rod->drag_spin > 0)
        return 1;
    for (int i = 0; i < WITHY_STRAINS; i++)
        if (rod->damping[i].size && (rod->damping[i].call || rod->damping[i].value[0] > 0))
            return 1;
    return 0;
}
