/* shape.h - shapes between the files of src/model: closed forms, and walks along the others. */
#pragma once

#include "model/model.h"
#include "numeric/piecewise.h"

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

/* A point of a walk: position and orientation of the section. */
typedef struct wy_stand {
    vec3 r;
    quat q;
} wy_stand;

/* A shape that has been followed once.  Const from then on. */
struct wy_walk {
    double length;        /* of the rod [m] */
    withy_shape shape;    /* from = 0; CURVE: its position is read from `sampled` */
    vec3 from;            /* r(0), to which all positions here are relative [m] */
    wy_piecewise sampled; /* CURVE: position(s) - r(0) */
    wy_pose *curve;       /* CURVE: [steps + 1] at i length/steps */
    wy_stand *stand;      /* STRAIN: likewise */
    int steps;            /* grid intervals that have been followed */
    wy_pluck pluck;
    int plucked; /* 1: by pluck */
};

/* An end whose initial pose is known. */
void wy_end_place(const withy_rod *rod, int which, const wy_pose *start, wy_end *end);

/* Data kept of a rod. */
typedef struct wy_rod_model {
    const wy_walk *rest, *initial; /* initial: of the shape it starts from, perhaps the same */
    wy_pose end[2];                /* of the initial shape, moved, in the laboratory */
    vec3 reach[2];                 /* r(0) - from, r(L) - from of it, moved; from: of its walk */
    wy_gap move[2];                /* by which it is moved at the ends: rounding */
    wy_gap gap[2];                 /* what remains to the prescribed poses at t = 0 */
    int moved, misses[2];          /* is any of these not zero? */
} wy_rod_model;

/* Check a rod and follow its shapes; walks of a rod with the same shapes (like, may be NULL) are
 * taken over.  massless: an equilibrium needs no mass. */
withy_status wy_rod_compile(const withy_rod *rod, int massless, const withy_rod *like,
                            const wy_rod_model *known, wy_arena *arena, wy_rod_model *out,
                            withy_error *err);
/* That there is a problem, and that no list has a count without entries. */
withy_status wy_problem_check_counts(const withy_problem *problem, withy_error *err);
/* Everything of a problem but its rods and what is recorded. */
withy_status wy_problem_check_rest(const withy_problem *problem, withy_error *err);
