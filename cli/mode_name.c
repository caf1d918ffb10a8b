/* mode_name.c - what a mode is: bending, torsion, axial or transverse, and which way it goes.
 *
 * By shares of its energy.  Of the shape the energies of bending and torsion, EI |theta'|^2 and GJ theta'^2 about the
 * tangent, are computed from its rotations; what they lack of the kinetic energy is in stretch, or in tension and
 * gravity, where displacements along the rod and across it tell which.
 */
#include <math.h>
#include <string.h>

#include "cli.h"

typedef struct shares {
    double bend, twist; /* elastic, twice the energy [J] */
    double kinetic;     /* twice the energy of the rods [J] */
    double along, all;  /* displacement along the rods, and in all: squares over the length [m^3] */
    double spread[3][3]; /* of the displacements of rods and bodies */
} shares;

static withy_vec3 minus(withy_vec3 a, withy_vec3 b) {
    return (withy_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(withy_vec3 a, withy_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void add_spread(shares *x, withy_vec3 u, double weight) {
    const double c[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 9; i++) x->spread[i / 3][i % 3] += weight * c[i / 3] * c[i % 3];
}

/* Mass per length: given, or that of the section; 0: not known. */
double cli_mass_at(const withy_rod *rod, double s) {
    double value[WITHY_FIELD_MAX] = {0}, k[WITHY_STRAINS];
    if (rod->inertia[WITHY_MASS].size > 0)
        return withy_field_at(&rod->inertia[WITHY_MASS], s, 0, value, NULL) == WITHY_OK ? value[0]
                                                                                        : 0;
    withy_rod plain = *rod;
    for (int i = 0; i < WITHY_STRAINS; i++) plain.stiffness[i] = (withy_field){0};
    if (rod->section.kind == WITHY_SECTION_NONE ||
        withy_rod_stiffness(&plain, s, k, NULL) != WITHY_OK)
        return 0;
    return k[WITHY_STRETCH] / rod->material.young * rod->material.density;
}

/* One part of the shape, real or imaginary, between stations i and i + 1 of a rod. */
static void add_piece(shares *x, const withy_rod *rod, const withy_mode *mode, int i,
                      const withy_vec3 *shift, const withy_vec3 *turn) {
    const double h = mode->s[i + 1] - mode->s[i], s = 0.5 * (mode->s[i] + mode->s[i + 1]);
    withy_vec3 d = minus(minus(mode->position[i + 1], mode->shift[i + 1]),
                         minus(mode->position[i], mode->shift[i])); /* of the rod at rest */
    const double length = sqrt(dot(d, d));
    double k[WITHY_STRAINS];
    if (!(h > 0) || !(length > 0) || withy_rod_stiffness(rod, s, k, NULL) != WITHY_OK) return;
    d = (withy_vec3){d.x / length, d.y / length, d.z / length};
    const withy_vec3 rate = minus(turn[i + 1], turn[i]);
    const double about = dot(rate, d), across = fmax(0, dot(rate, rate) - about * about);
    const double bend = 0.5 * (k[WITHY_BEND1] + k[WITHY_BEND2]);
    if (isfinite(bend)) x->bend += bend * across / h;
    if (isfinite(k[WITHY_TWIST])) x->twist += k[WITHY_TWIST] * about * about / h;
    const double omega = 2 * 3.14159265358979323846 * mode->frequency, mass = cli_mass_at(rod, s);
    for (int e = 0; e < 2; e++) {
        const withy_vec3 u = shift[i + e];
        const double along = dot(u, d);
        x->along += 0.5 * h * along * along, x->all += 0.5 * h * dot(u, u);
        x->kinetic += 0.5 * h * mass * omega * omega * dot(u, u);
        add_spread(x, u, 0.5 * h);
    }
}

static shares shares_of(const withy_problem *p, const withy_mode *mode) {
    shares x = {0};
    for (int i = 0; i < mode->count; i++) {
        const int rod = mode->rod[i];
        if (rod < 0) add_spread(&x, mode->shift[i], 1e-3); /* bodies decide where no rod moves */
        if (rod < 0 || i + 1 == mode->count || mode->rod[i + 1] != rod) continue;
        add_piece(&x, &p->rod[rod], mode, i, mode->shift, mode->turn);
        add_piece(&x, &p->rod[rod], mode, i, mode->shift_im, mode->turn_im);
    }
    return x;
}

/* The largest principal axis by powers of the matrix: "x", "y", "z", or its direction. */
static void direction(const shares *x, char *text, size_t size) {
    double v[3] = {0.577, 0.578, 0.576};
    for (int step = 0; step < 60; step++) {
        double w[3] = {0}, most = 0;
        for (int i = 0; i < 9; i++) w[i / 3] += x->spread[i / 3][i % 3] * v[i % 3];
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(w[i]));
        for (int i = 0; i < 3 && most > 0; i++) v[i] = w[i] / most;
    }
    const double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] /= norm;
        if (fabs(v[i]) > 0.995) snprintf(text, size, "%c", "xyz"[i]);
        if (fabs(v[i]) > 0.995) return;
    }
    for (int i = 0; i < 3; i++) v[i] = fabs(v[i]) < 0.005 ? 0 : v[i];
    snprintf(text, size, "(%.2g, %.2g, %.2g)", v[0], v[1], v[2]);
}

cli_mode_name cli_mode_of(const withy_scene *scene, const withy_mode *mode) {
    const shares x = shares_of(withy_scene_problem(scene), mode);
    const double elastic = x.bend + x.twist, all = fmax(elastic, x.kinetic);
    const double rest = all > 0 ? 1 - elastic / all : 0;
    cli_mode_name name = {.word = "transverse"};
    name.bend = all > 0 ? x.bend / all : 0, name.twist = all > 0 ? x.twist / all : 0;
    direction(&x, name.along, sizeof name.along);
    if (!(all > 0) || mode->kind == WITHY_MODE_NEUTRAL)
        name.word = mode->kind == WITHY_MODE_NEUTRAL ? "rigid" : "bodies";
    else if (name.bend >= name.twist && name.bend >= rest)
        name.word = "bending";
    else if (name.twist >= rest)
        name.word = "torsion", name.along[0] = '\0';
    else if (x.along > 0.5 * x.all)
        name.word = "axial";
    return name;
}
