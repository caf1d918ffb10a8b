/* shape.h - shapes between the files of src/model: closed forms, and walks along the others. */
#pragma once

#include "model/model.h"
#include "numeric/interpolate/interpolate.h"
#include "withy/problem.h"

/* The frame at s = 0 from along and normal; z and any normal when they are not given. */
mat3 wy_shape_start_frame(const withy_shape *shape);
wy_pose wy_shape_closed_pose(const withy_shape *shape, double length, double s);
void wy_shape_closed_strain(const withy_shape *shape, double s, double strain[WITHY_STRAINS]);

/* PLUCK with both ends held: drawn aside at one point by a force; else it has a kink (shape.c). */
typedef struct wy_pluck {
    double tension, stretch, length, kappa, ratio; /* T, lambda, of the rod at rest, k, g/GA */
    double coefficient[2][4];                      /* V, A, B, c of each side */
    double at, even; /* where; the stretch that is the same everywhere */
    double per;      /* length at rest over length in the initial state */
    vec3 from, along, across;
    mat3 frame;
    double *climb; /* [WY_PLUCK_GRID + 1] z at i/WY_PLUCK_GRID of the length */
} wy_pluck;

enum { WY_PLUCK_GRID = 1024 };

withy_status wy_pluck_make(const withy_rod *rod, const withy_shape *shape, wy_arena *arena,
                           wy_pluck *pluck, withy_error *err);
wy_pose wy_pluck_pose(const wy_pluck *pluck, double s);

/* CATENARY: in its vertical plane, from the start (catenary.c). */
typedef struct wy_catenary {
    double length, a;    /* of the rod; least radius, or that of the circle at the bottom [m] */
    double first;        /* arc length from the lowest point to the start [m] */
    double angle;        /* of the tangent at the start, from the horizontal [rad] */
    int folded;          /* 1: two straight legs and a circle */
    double leg[2], turn; /* lengths of the legs [m]; by how much the circle turns [rad] */
    double laid;         /* on the bed, between two legs that hang; 0: none [m] */
    vec3 side, up, axis; /* axes of the plane and its normal */
    mat3 frame;          /* at the start */
} wy_catenary;

withy_status wy_catenary_make(double length, const withy_shape *shape, wy_catenary *hang,
                              withy_error *err);
wy_pose wy_catenary_pose(const wy_catenary *hang, double s); /* from the start */
void wy_catenary_strain(const wy_catenary *hang, double s, double strain[WITHY_STRAINS]);

/* THROUGH: a cubic spline and its arc lengths (through.c). */
typedef struct wy_thread {
    int count;
    vec3 *point, *bend; /* [count] from the first point, and second derivatives by u */
    double *u, *arc;    /* [count] sum of the chords, and arc length, up to each */
    double per;         /* length of the curve over that of the rod: 1 but for rounding */
    double rule_at[12], rule_weight[12];
} wy_thread;

withy_status wy_thread_make(double length, const withy_shape *shape, wy_arena *arena,
                            wy_thread *thread, withy_error *err);
/* Position from the first point, unit tangent, and its change per length. */
void wy_thread_at(const wy_thread *thread, double s, vec3 *r, vec3 *tangent, vec3 *bend);

/* A point of a walk: position and orientation of the section. */
typedef struct wy_stand {
    vec3 r;
    quat q;
} wy_stand;

/* A shape that has been followed once.  Const from then on. */
struct wy_curve {
    double length;        /* of the rod [m] */
    withy_shape shape;    /* from = 0; CURVE: its position is read from `sampled` */
    vec3 from;            /* r(0), to which all positions here are relative [m] */
    wy_piecewise sampled; /* CURVE: position(s) - r(0) */
    wy_pose *curve;       /* CURVE, THROUGH: [steps + 1] at i length/steps */
    wy_stand *stand;      /* STRAIN: likewise */
    int steps;            /* grid intervals that have been followed */
    wy_pluck pluck;
    int plucked;      /* 1: by pluck */
    wy_catenary hang; /* CATENARY */
    wy_thread thread; /* THROUGH */
};

/* Of a rod that is closed: do its ends, which are given, meet? */
withy_status wy_closed_check(const withy_rod *rod, const wy_pose end[2], withy_error *err);
/* An end whose initial pose is known. */
void wy_end_place(const withy_rod *rod, int which, const wy_pose *start, wy_end *end);

/* Data kept of a rod. */
typedef struct wy_rod_model {
    const wy_curve *rest, *initial; /* initial: of the shape it starts from, perhaps the same */
    wy_pose end[2];                 /* of the initial shape, moved, in the laboratory */
    vec3 reach[2];                  /* r(0) - from, r(L) - from of it, moved; from: of its walk */
    wy_gap move[2];                 /* by which it is moved at the ends: rounding */
    wy_gap gap[2];                  /* what remains to the prescribed poses at t = 0 */
    int moved, misses[2];           /* is any of these not zero? */
    const wy_curve *given;          /* of the shape that is given; hangs: statics begin elsewhere */
    int starts_as_catenary;
} wy_rod_model;

/* A slack rod on two pins whose given shape misses them: statics begin with a chain (catenary.c); that the
 * shape misses its ends, so that no motion starts, remains. */
withy_status wy_rod_catenary(const withy_rod *rod, vec3 gravity, wy_arena *arena, wy_rod_model *out,
                             withy_error *err);

/* Check a rod and follow its shapes; walks of a rod with the same shapes (like, may be NULL) are
 * taken over.  massless: an equilibrium needs no mass. */
withy_status wy_rod_compile(const withy_rod *rod, int massless, const withy_rod *like,
                            const wy_rod_model *known, wy_arena *arena, wy_rod_model *out,
                            withy_error *err);
/* That there is a problem, and that no list has a count without entries. */
withy_status wy_problem_check_counts(const withy_problem *problem, withy_error *err);
/* Everything of a problem but its rods and what is recorded. */
withy_status wy_problem_check_rest(const withy_problem *problem, withy_error *err);

/* ---- plane.c: does everything lie in one plane?  Then three numbers per section do instead of seven.
 * Room: src/model.
 *
 * Vectors that must lie in the plane: tangents, chords, weight, forces, velocities, held positions.
 * Vectors that must be normal to it: moments, spins.  The sections must have a principal axis along
 * the normal.  Functions of time are evaluated at t = 0 and at times scattered over four decades, about
 * the rod's own slow motion and about 1 (seconds, or the factor of a path); what leaves the plane at
 * another time has to be refused when it happens.
 */

/* lab = x e1 + y e2 + height normal; the frame keeps the components of the normal and of
 * b = normal x d3 along (d1, d2). */
typedef struct wy_plane {
    vec3 e1, e2, normal;
    double height, normal_in[2], across_in[2];
} wy_plane;

/* A rod at count stations: what it starts from and what it is made of. */
typedef struct wy_stations {
    int count;
    const double *s;
    const wy_pose *pose;
    const wy_section_at *section;
    const double (*rest)[WITHY_STRAINS];
} wy_stations;

/* The scale of slow motions, the largest L^2 sqrt(rho / EI) [s]; a cantilever's first period is 1.8 of
 * it. */
double wy_slow_motion(double length, const wy_stations *at);
/* Rod number `rod`; *planar: is there one?  WY_PLANE_UNLESS: yes as far as anything is known; there are loads that see
 * the state, and these may leave it.  model may be NULL: the shape is followed anew. */
enum { WY_PLANE_NONE, WY_PLANE_FOUND, WY_PLANE_UNLESS };
withy_status wy_plane_find(const withy_problem *problem, const wy_model *model, int rod,
                           const wy_stations *at, wy_plane *plane, int *planar, withy_error *err);
/* One rod of a problem, before it is compiled. */
int wy_stays_in_plane(const withy_problem *problem, const withy_rod *rod);

/* ---- wave.c: waves along a straight stretched rod.  Room: src/model.
 *
 *   axial            w^2 = EA kappa^2/(rho A)
 *   torsion          w^2 = GJ kappa^2/(rho J)
 *   bending, shear   2 w^2 = A + B + sqrt((A - B)^2 + 4 O)
 *                    A = GA kappa^2/(rho A),  B = (EI kappa^2 + lambda g)/rJ,
 *                    O = g^2 kappa^2/(rho A rJ),  g = lambda GA - T
 *
 * kappa: wavenumber [1/m], lambda: stretch, T = EA (lambda - 1), rJ = rho I + regular GA.
 */

/* The largest w^2 of all waves [1/s^2]. */
double wy_fastest_square(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS],
                         double stretch, double wavenumber, double regular);
