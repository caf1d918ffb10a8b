/* fibre.c - where the fibres of a section lie.
 *
 * Round sections: a spiral of equal areas, r_i = R sqrt((i + 1/2)/N), angle i pi (3 - sqrt 5), brought to the exact first and
 * second moments.  Rectangles: a grid, or layers across the height, whose levers are scaled to the exact second moments.  The
 * warping of a rectangle b by h is Saint-Venant's,
 *
 *   phi = -x_1 x_2 + (8 h^2/pi^3) sum (-1)^n/(2n+1)^3 sin(k x_2) sinh(k x_1)/cosh(k b/2),   k = (2n+1) pi/h      (1)
 */
#include "method/director/law/fibre.h"

static const double AREA_NONE = 0;
enum { WARPING_TERMS = 40 };

/* The fibres are moved to zero first moments, and by a lower triangular map to second moments a and b. */
static void make_exact(wy_fibres *f, int count, double a, double b) {
    double m1 = 0, m2 = 0, s11 = 0, s12 = 0, s22 = 0;
    for (int i = 0; i < count; i++) m1 += f->x1[i] / count, m2 += f->x2[i] / count;
    for (int i = 0; i < count; i++) {
        f->x1[i] -= m1, f->x2[i] -= m2;
        s11 += f->x1[i] * f->x1[i] / count, s12 += f->x1[i] * f->x2[i] / count;
        s22 += f->x2[i] * f->x2[i] / count;
    }
    const double along = sqrt(a / s11), across = sqrt(b / (s22 - s12 * s12 / s11));
    for (int i = 0; i < count; i++) {
        f->x2[i] = across * (f->x2[i] - s12 / s11 * f->x1[i]);
        f->x1[i] *= along;
    }
}

/* Between two ellipses with half axes (a, b) and hole times as much. */
static void make_spiral(wy_fibres *f, int count, double a, double b, double hole) {
    const double area = WY_PI * a * b * (1 - hole * hole), turn = WY_PI * (3 - sqrt(5));
    for (int i = 0; i < count; i++) {
        const double r = sqrt(hole * hole + (1 - hole * hole) * (i + 0.5) / count);
        f->x1[i] = r * cos(i * turn), f->x2[i] = r * sin(i * turn), f->area[i] = area / count;
    }
    const double second = 0.25 * (1 + hole * hole);
    make_exact(f, count, second, second);
    const double share = (b * b - a * a) / (a * a + b * b); /* of the warping share x_1 x_2 */
    for (int i = 0; i < count; i++) {
        f->x1[i] *= a, f->x2[i] *= b;
        f->w1[i] = (share - 1) * f->x2[i], f->w2[i] = (share + 1) * f->x1[i];
    }
}

/* (phi_1 - x_2, phi_2 + x_1) of (1). */
static void warp(double width, double height, double x1, double x2, double *w1, double *w2) {
    *w1 = -2 * x2, *w2 = 0;
    for (int n = 0; n < WARPING_TERMS; n++) {
        const double odd = 2 * n + 1, k = odd * WY_PI / height, at = fabs(x1);
        const double size = 8 * height / (WY_PI * WY_PI * odd * odd) * (n % 2 ? -1 : 1);
        const double rise = exp(k * (at - 0.5 * width)) / (1 + exp(-k * width));
        *w1 += size * sin(k * x2) * rise * (1 + exp(-2 * k * at));
        *w2 += size * cos(k * x2) * rise * (1 - exp(-2 * k * at)) * (x1 < 0 ? -1 : 1);
    }
}

/* n1 by n2 equal pieces; their middles have 1 - 1/n^2 of the second moments. */
static void make_grid(wy_fibres *f, int n1, int n2, double width, double height) {
    const double near1 = n1 > 1 ? sqrt(1 - 1.0 / ((double)n1 * n1)) : 1,
                 near2 = sqrt(1 - 1.0 / ((double)n2 * n2));
    for (int i = 0; i < n1 * n2; i++) {
        const double x1 = width * ((i % n1 + 0.5) / n1 - 0.5),
                     x2 = height * ((i / n1 + 0.5) / n2 - 0.5);
        f->x1[i] = x1 / near1, f->x2[i] = x2 / near2, f->area[i] = width * height / (n1 * n2);
        if (n1 > 1) warp(width, height, x1, x2, &f->w1[i], &f->w2[i]);
    }
}

/* Torsion as stiff as that of the section, whose constant (of a rectangle) is a formula; and how far the fibres reach. */
static void finish(wy_fibres *f, int count, double torsion) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += f->area[i] * (f->w1[i] * f->w1[i] + f->w2[i] * f->w2[i]);
    const double scale = sum > 0 ? sqrt(torsion / sum) : 0;
    for (int i = 0; i < count; i++) {
        f->w1[i] *= scale, f->w2[i] *= scale;
        f->reach1 = wy_max(f->reach1, fabs(f->x1[i]));
        f->reach2 = wy_max(f->reach2, fabs(f->x2[i]));
        f->reach_turn = wy_max(f->reach_turn, sqrt(f->w1[i] * f->w1[i] + f->w2[i] * f->w2[i]));
    }
    for (int i = count; i < f->count; i++) f->area[i] = AREA_NONE;
}

/* How many along each side of a rectangle: twice as many across the thin one, about which it bends. */
static void share_grid(int fibres, double width, double height, int n[2]) {
    const int thin = (int)lround(sqrt(2.0 * fibres)), wide = fibres / thin;
    n[0] = width < height ? thin : wide;
    n[1] = width < height ? wide : thin;
}

static withy_status take(wy_fibres *f, int count, wy_arena *arena, withy_error *err) {
    double **const of[] = {&f->x1, &f->x2, &f->w1, &f->w2, &f->area};
    f->count = (count + WY_FIBRE_PACK - 1) / WY_FIBRE_PACK * WY_FIBRE_PACK;
    for (int i = 0; i < 5; i++)
        if (!(*of[i] = wy_arena_alloc(arena, (size_t)f->count, sizeof(double))))
            return wy_no_memory(err, "director: no memory for the fibres of the sections");
    return WITHY_OK;
}

static const int FIBRES = 128, FIBRES_GRID = 512; /* where none are asked for */

/* n: of a grid; 0: not known yet, as all sections of a rod have the same. */
static withy_status make_at(const withy_rod *rod, double s, int n[2], wy_arena *arena, wy_fibres *f,
                            withy_error *err) {
    const withy_section *section = &rod->section;
    const int layers = rod->law.layers, grid = section->kind == WITHY_SECTION_RECTANGLE,
              asked = rod->law.fibres ? rod->law.fibres
                      : grid          ? FIBRES_GRID
                                      : FIBRES;
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0}, k[WITHY_STRAINS];
    WY_TRY(withy_field_at(&section->a, s, 0, a, err));
    WY_TRY(withy_field_at(&section->b, s, 0, b, err));
    WY_TRY(wy_stiffness_at(rod, s, k, err)); /* checks the section too */
    if (!n[0]) share_grid(asked, a[0], b[0], n);
    const int count = grid ? n[0] * n[1] : asked;
    *f = (wy_fibres){.young = rod->material.young, .shear = rod->material.shear};
    f->parts = layers || rod->law.kind == WITHY_LAW_SUPERELASTIC ? 1 : 3;
    f->root = sqrt(section->shear_factor);
    if (f->parts == 1) f->rest[0] = (lane){1, 1, 0, 0}, f->rest[1] = (lane){0, layers > 0, 1, 0};
    WY_TRY(take(f, count, arena, err));
    if (grid)
        make_grid(f, n[0], n[1], a[0], b[0]);
    else if (section->kind == WITHY_SECTION_ELLIPSE)
        make_spiral(f, count, 0.5 * a[0], 0.5 * b[0], 0);
    else
        make_spiral(f, count, 0.5 * a[0], 0.5 * a[0],
                    section->kind == WITHY_SECTION_TUBE ? b[0] / a[0] : 0);
    finish(f, count, k[WITHY_TWIST] / rod->material.shear);
    return WITHY_OK;
}

withy_status wy_fibres_make(wy_director_plan *plan, const wy_setup *setup, withy_error *err) {
    const withy_section *section = &plan->rod->section;
    const int points = plan->n * plan->p, alike = !section->a.call && !section->b.call;
    int n[2] = {plan->rod->law.layers > 0, plan->rod->law.layers};
    const wy_fibres **list = wy_arena_alloc(setup->arena, (size_t)points, sizeof *list);
    wy_fibres *all = wy_arena_alloc(setup->arena, alike ? 1 : (size_t)points, sizeof *all);
    if (!list || !all)
        return wy_no_memory(err, "director: no memory for the fibres of the sections");
    for (int i = 0; i < points; i++) {
        const int e = i / plan->p;
        const double s = plan->start[e] + plan->rule->point[i % plan->p] * plan->size[e];
        list[i] = &all[alike ? 0 : i];
        if (i == 0 || !alike) WY_TRY(make_at(plan->rod, s, n, setup->arena, &all[i], err));
    }
    plan->of_law = list;
    return WITHY_OK;
}

/* ---- of the state ---------------------------------------------------------------------------------- */

/* 1: all fibres are elastic, so that the section is that of C; e: its strains. */
static int is_elastic(const wy_director *x, int at, const lane s[2], lane e[2]) {
    for (int k = 0; k < 2; k++) e[k] = s[k] - x->plan.section[at].rest[k];
    return wy_section_before(x, at)[0] == 0;
}

static wy_fibre_state state_of(const wy_director *x, int at, const lane s[2], lane e[2]) {
    wy_fibre_state out;
    for (int k = 0; k < 2; k++) e[k] = s[k] - x->plan.section[at].rest[k];
    x->plan.law->fibres_of(x, at, e, &out);
    return out;
}

void wy_fibres_stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    const lane *c = x->plan.section[at].c;
    lane e[2];
    const int elastic = is_elastic(x, at, s, e);
    for (int k = 0; k < 2; k++)
        out[k] = elastic ? c[k] * e[k] : wy_fibres_at(x, at)->rest[k] * c[k] * e[k];
    if (elastic) return;
    const wy_fibre_state sum = state_of(x, at, s, e);
    for (int i = 0; i < 6; i++) out[i / 3][i % 3] += sum.force[i];
}

/* 2 V by strains.  Of the stresses along the rod, their mean is stretch and all else bend; of those across, shear and twist. */
void wy_fibres_energy(const wy_director *x, int at, lane out[2]) {
    const wy_fibres *f = wy_fibres_at(x, at);
    const wy_director_section *g = &x->plan.section[at];
    lane e[2];
    if (is_elastic(x, at, x->strain[at].start, e)) {
        for (int k = 0; k < 2; k++) out[k] = g->c[k] * e[k] * e[k];
        return;
    }
    const wy_fibre_state sum = state_of(x, at, x->strain[at].start, e);
    const double n = sum.force[2], v1 = sum.force[0], v2 = sum.force[1];
    const double stretch = n * n / g->c[0][2];
    for (int k = 0; k < 2; k++) out[k] = f->rest[k] * g->c[k] * e[k] * e[k];
    out[0][2] += stretch, out[1][0] += sum.along - stretch;
    if (f->parts == 1) return;
    const double shear1 = v1 * v1 / g->c[0][0], shear2 = v2 * v2 / g->c[0][1];
    out[0][0] += shear1, out[0][1] += shear2, out[1][2] += sum.across - shear1 - shear2;
}

double wy_fibres_beyond(const wy_director *x, int at) {
    lane e[2];
    return state_of(x, at, x->strain[at].start, e).beyond;
}

double wy_fibres_most(const wy_director *x, int at) {
    return wy_section_before(x, at)[0];
}
