/* contact.h - two stretches of rods that touch, and rods that touch obstacles.  Room: src/contact.
 *
 * Symbols, with - and + for the start and the end of a step of length h:
 *   segment   a straight piece between two points of a rod, each linear in nodal positions
 *   x(s, t)   a0 + s u - b0 - t v, from the point t of segment B to the point s of segment A
 *   D, g      distance and gap:  D^2 = min over the square of |x|^2 + round_a (s - 1/2)^2 + round_b (t - 1/2)^2,
 *             g = D - (r_A + r_B); the two small terms make the closest points of parallel segments unique
 *   u(g)      energy of a contact; N >= 0 its push
 *   z         stretch of the tangential spring of friction, kept from step to step
 */
#pragma once

#include "base/base.h"
#include "base/vec.h"
#include "withy/problem.h"

/* What of v is across the unit vector n. */
static inline vec3 wy_across(vec3 n, vec3 v) {
    return v3_axpy(v, -v3_dot(n, v), n);
}

/* ---- law.c, law_NAME.c -------------------------------------------------------------------------------- */

typedef struct wy_contact_law {
    const struct wy_contact_kind *kind;
    double stiffness; /* K [N/m] */
    double range;     /* where it begins to push; 0: where surfaces meet [m] */
    double damping;   /* c: N grows by the factor 1 + c * speed of approach [s/m] */
    /* Statics, mixed = 1: the tangent has the push that was expected, and a contact of which a push was expected
     * (> 0) pushes or pulls with -K g whatever the sign of g, so that there is no kink for Newton's method.  The answer is
     * the same. */
    int mixed;
    double expected; /* [N] */
} wy_contact_law;

/* A law is one file, contact/law_NAME.c, with wy_contact_NAME, and one row of law.inc; nothing else lists them. */
typedef struct wy_contact_kind {
    const char *name;
    double (*energy)(const wy_contact_law *law, double gap);                     /* u */
    double (*derivative)(const wy_contact_law *law, double gap, double *second); /* u', u'' */
    /* P = (u+ - u-)/(g+ - g-) and dP/dg+, where the gaps are nearly equal too. */
    double (*secant)(const wy_contact_law *law, double minus, double plus, double *slope);
    double left; /* of a radius: what must be left where one is drawn in something, to be parted */
    int begins;  /* 1: it pushes before surfaces meet, from contact.gap on */
    int apart;   /* 1: surfaces never meet: Newton's steps end before they do */
    int linear;  /* 1: u' = K min(g, 0): in statics pushes may be expected (mixed) */
    int steep;   /* 1: its tangent changes too much from one rounding to the next to be judged */
} wy_contact_kind;

#define WY_CONTACT_LAW(name, words) extern const wy_contact_kind wy_contact_##name;
#include "contact/law.inc"
#undef WY_CONTACT_LAW

const wy_contact_kind *wy_contact_kind_of(int kind);

/* P and its slope of gaps that are not nearly equal. */
double wy_contact_law_quotient(const wy_contact_law *law, double minus, double plus, double *slope);
double wy_contact_law_energy(const wy_contact_law *law, double gap);
/* The push over a step: N = -(u+ - u-)/(g+ - g-) (1 - c (g+ - g-)/h), cut at 0, and dN/dg+.  per: 1/h, and 0 in
 * statics, where N = -u'(g+). */
int wy_contact_law_acts(const wy_contact_law *law, double push,
                        double per); /* is there such a push? */
/* The push of the tangent. */
double wy_contact_law_tangent(const wy_contact_law *law, double push, double per);
double wy_contact_law_push(const wy_contact_law *law, double minus, double plus, double per,
                           double *slope);

/* ---- pair.c: two segments ---------------------------------------------------------------------------- */

enum { WY_PAIR_POINTS = 4, WY_PAIR_ROWS = 12 }; /* a0, a1, b0, b1, three coordinates each */

typedef struct wy_contact_place {
    double s, t, distance; /* s, t in 0 .. 1; distance is D */
    int free[2];           /* s, t are inside, not at an end */
} wy_contact_place;

typedef struct wy_contact_pair {
    wy_contact_law law;
    double radius;   /* r_A + r_B [m] */
    double share;    /* r_A/(r_A + r_B): where between the axes they touch [-] */
    double round[2]; /* of D [m^2] */
    double friction; /* mu [-] */
    double stick;    /* K_t of the tangential spring [N/m] */
} wy_contact_pair;

/* A pair over a step: points at both ends of it. */
typedef struct wy_contact_step {
    vec3 minus[WY_PAIR_POINTS], plus[WY_PAIR_POINTS];
    wy_contact_place before, after; /* of minus and of plus */
    vec3 theta[WY_PAIR_POINTS];     /* Cayley vectors of the turns of the four points */
    vec3 z;                         /* at the start of the step */
    double per;                     /* 1/h, also below 0; statics: 0, and minus is not looked at */
} wy_contact_step;

/* What comes of it.  Forces act on the four points; slopes are by plus. */
typedef struct wy_contact_push {
    double s, t,
        lambda; /* the intermediate contact point: (s, t) = before + lambda (after - before) */
    double weight[WY_PAIR_POINTS]; /* (1 - s, s, -(1 - t), -t) */
    double push;                   /* N */
    double of_tangent;             /* the N of slopes: in statics the one that was expected */
    vec3 normal;                   /* e = (x+ + x-)/(D+ + D-): from B to A */
    double force[WY_PAIR_ROWS];
    double slope[WY_PAIR_ROWS][WY_PAIR_ROWS];
    double push_row[WY_PAIR_ROWS];                   /* dN */
    double s_row[WY_PAIR_ROWS], t_row[WY_PAIR_ROWS]; /* of the intermediate point */
} wy_contact_push;

wy_contact_place wy_pair_closest(const vec3 point[WY_PAIR_POINTS], const double round[2]);
double wy_pair_gap(const wy_contact_pair *pair, const wy_contact_place *place);
/* The push between them; 0: none. */
int wy_pair_push(const wy_contact_pair *pair, const wy_contact_step *step, wy_contact_push *out);

/* ---- friction.c -------------------------------------------------------------------------------------- */

enum { WY_FRICTION_ROWS = 24 }; /* the twelve coordinates, then the twelve of theta */

typedef struct wy_contact_friction {
    double force[WY_FRICTION_ROWS]; /* forces, then moments on the four points */
    double slope[WY_FRICTION_ROWS][WY_FRICTION_ROWS];
    vec3 z;      /* at the end of the step */
    double lost; /* energy in the step, >= 0 [J] */
    double kept; /* growth of the energy of the tangential spring [J] */
    int slides;
} wy_contact_friction;

void wy_pair_friction(const wy_contact_pair *pair, const wy_contact_step *step,
                      const wy_contact_push *push, wy_contact_friction *out);

/* ---- obstacle.c: a point of a rod and an obstacle ----------------------------------------------------- */

/* The kinds of a problem, and one more: where it has a cylinder with ends. */
typedef enum wy_obstacle_kind {
    WY_OBSTACLE_PLANE = WITHY_OBSTACLE_PLANE,
    WY_OBSTACLE_SPHERE = WITHY_OBSTACLE_SPHERE,
    WY_OBSTACLE_CYLINDER = WITHY_OBSTACLE_CYLINDER,
    WY_OBSTACLE_BOX = WITHY_OBSTACLE_BOX,
    WY_OBSTACLE_CAPSULE = WITHY_OBSTACLE_CAPSULE,
    WY_OBSTACLE_MESH = WITHY_OBSTACLE_MESH,         /* triangles: self is a wy_mesh */
    WY_OBSTACLE_DISTANCE = WITHY_OBSTACLE_DISTANCE, /* of a function */
    WY_OBSTACLE_DRUM,                               /* a cylinder with ends: radius and half.z */
    WY_OBSTACLE_KINDS
} wy_obstacle_kind;

typedef struct wy_mesh wy_mesh; /* mesh.c */

typedef struct wy_obstacle {
    wy_obstacle_kind kind;
    int inside;    /* the rod is inside (sphere, cylinder, box, capsule, drum) */
    vec3 point;    /* of the plane or axis; centre; origin of a function or mesh [m] */
    mat3 frame;    /* its third direction: normal of the plane, axis; axes of the others */
    double radius; /* sphere, cylinder, capsule, drum [m] */
    vec3 half;     /* half the sides of the box; half.z: half the length of the axis of the
                    * capsule, of the drum                                           [m]        */
    double (*distance)(const void *self, vec3 x); /* signed, outside positive; x in its frame */
    const void *self;
    double touches; /* DISTANCE: size of what touches it, to take differences by [m] */
} wy_obstacle;

/* Signed distance of x from its surface, positive where a rod may be, and the gradient. */
double wy_obstacle_distance(const wy_obstacle *obstacle, vec3 x, vec3 *gradient);
/* Is that distance above `least` > 0?  Cheaper where x is far away. */
int wy_obstacle_beyond(const wy_obstacle *obstacle, vec3 x, double least);
/* Does it fill all that is behind its surface?  Then it holds whatever is in it. */
int wy_obstacle_thick(const wy_obstacle *obstacle);
/* Is it convex, seen from outside? */
int wy_obstacle_convex(const wy_obstacle *obstacle);
/* Its smallest extent; infinite: it has none that is known (a plane, a room, a function). */
double wy_obstacle_extent(const wy_obstacle *obstacle);

/* Between two points of a rod, which are all that touches it: the least distance of what lies between them where it may be
 * below 0; else infinite. */
double wy_obstacle_between(const wy_obstacle *obstacle, vec3 a, vec3 b);

typedef struct wy_obstacle_step {
    vec3 minus, plus;  /* the point, relative to the obstacle's own motion: x - its displacement */
    vec3 theta, shift; /* Cayley vector of its section; motion of the obstacle in the step */
    vec3 z;
    double radius, per; /* of the rod; 1/h */
    wy_contact_law law;
    double friction, stick; /* mu, across the rod where it has a direction */
    int directed; /* 1: along `along`, a unit vector, it slides with `forward`, against it with `back` */
    vec3 along;
    double forward, back;
} wy_obstacle_step;

typedef struct wy_obstacle_push {
    double gap, push, of_tangent; /* g+, N, and that of slopes */
    vec3 normal;                  /* out of the obstacle */
    vec3 force, moment;
    double slope[6][6]; /* of (force, moment) by (plus, theta) */
    vec3 z;
    double lost, kept;
} wy_obstacle_push;

/* 0: they do not touch. */
int wy_obstacle_push_on(const wy_obstacle *obstacle, const wy_obstacle_step *step,
                        wy_obstacle_push *out);

/* The discrete gradient d of the distance: d . (plus - minus) = change, that of the distance. */
vec3 wy_obstacle_direction(const wy_obstacle *obstacle, vec3 minus, vec3 plus, double change);

/* ---- body.c: a point of a rod and a body that moves --------------------------------------------------- */

enum { WY_BODY_ROWS = 12 }; /* (force, moment) or (dr, dphi) of the point, then those of the body */

typedef struct wy_body_step {
    vec3 y_minus, y_plus; /* from the centre of the body to the point [m] */
    mat3 minus, plus;     /* axes of the body; the shape is given in them, from the centre */
    vec3 dy;              /* motion of the point less that of the centre [m] */
    vec3 theta[2];        /* Cayley vectors of the section and of the body */
    vec3 z;               /* in the axes of the body [m] */
    double radius, per;   /* of the rod; 1/h; statics: 0, y_minus is not looked at */
    double bias[2];       /* what the gap is more than that of the point, at both ends [m] */
    double
        between; /* of the gap: where between the two surfaces friction acts, 0: on the point's */
    wy_contact_law law;
    double friction, stick;
} wy_body_step;

typedef struct wy_body_push {
    double gap, push, of_tangent;
    vec3 on_point; /* the force, friction included */
    double force[WY_BODY_ROWS];
    double per_push[WY_BODY_ROWS], steep; /* forces by N, and N by the gap */
    double slope[WY_BODY_ROWS][WY_BODY_ROWS];
    vec3 z;
    double lost, kept;
} wy_body_push;

/* 0: they do not touch.  Slopes are those of support.c. */
int wy_body_push_on(const wy_obstacle *shape, const wy_body_step *step, wy_body_push *out);
/* After the step; before it, of a step in time. */
double wy_body_gap(const wy_obstacle *shape, const wy_body_step *step, double *before);
/* The forces of a given push; the gap after the step. */
double wy_body_forces(const wy_obstacle *shape, const wy_body_step *step, double push,
                      double force[WY_BODY_ROWS]);
/* A small turn after the one of the step. */
void wy_body_turn(vec3 by, vec3 *theta, mat3 *axes);

/* ---- line_segment.c: a straight piece of a body and a convex shape -------------------------------------------- */

/* at + s along, s in -1 .. 1, in the axes of the shape; along = 0: a point. */
typedef struct wy_line_segment {
    vec3 at, along;
} wy_line_segment;

vec3 wy_line_segment_point(const wy_line_segment *piece, double s);
/* Is it certain that no place of it is nearer than this?  Convex shapes. */
int wy_line_segment_clear(const wy_obstacle *shape, const wy_line_segment *bar, double most);
/* s where distance + round s^2 is least, and that. */
double wy_line_segment_nearest(const wy_obstacle *shape, const wy_line_segment *piece, double round,
                               double *least);
/* Between the nearest places s of both ends of a step: where the distance changes by `change`, that of the least ones. */
double wy_line_segment_between(const wy_obstacle *shape, const wy_line_segment *minus,
                               const wy_line_segment *plus, const double s[2], double change);
/* Does it come nearer than `least` on the way, unless it was? */
int wy_line_segment_passes(const wy_obstacle *shape, const wy_line_segment *minus,
                           const wy_line_segment *plus, double least);

/* ---- support.c: a support and a shape, each carried by something ---------------------------------------- */

/* A ball, or one that slides on at + s along, s in -1 .. 1, in the axes of what carries it. */
typedef struct wy_support {
    vec3 at, along;
    double radius, size; /* [m]; what small motions are measured by */
} wy_support;

/* What carries it over a step. */
typedef struct wy_carrier {
    vec3 minus, plus; /* its centre */
    vec3 dr, theta;   /* plus - minus, and the Cayley vector of its turn */
    mat3 from, to;    /* its axes */
} wy_carrier;

/* Carriers: of the support, then the shape. */
typedef struct wy_support_step {
    wy_body_step step;
    vec3 arm;  /* from the centre of what carries it to the place, as the force acts */
    int known; /* the nearest place and the gap at the start of the step */
    double start, least;
} wy_support_step;

/* It in the axes of the shape, before the step or after it. */
wy_line_segment wy_support_segment(const wy_support *x, const wy_carrier at[2], int plus);
/* Nothing of it touches at either end of the step. */
int wy_support_clear(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                     double range);
/* The place that acts: of c->step all that depends on the poses. */
void wy_support_place(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                      wy_support_step *c);
/* As wy_body_push_on, with forces on what carries it, and their slopes by so many of the 12 small motions of both. */
int wy_support_push(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                    const wy_support_step *c, int columns, wy_body_push *out);
/* The gap after a share of the changes of both, by which the poses move on, and how it grows with them. */
double wy_support_gap(const wy_support *x, const wy_obstacle *shape, wy_carrier at[2],
                      const double *change[2], double share, double *grows);
/* The gap before the step; infinite where it is above the range. */
double wy_support_gap_before(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                             double range);

/* ---- body_points.c: what bodies touch with ------------------------------------------------------------------- */

/* What a body point touches: everything; obstacles that stand free; bodies and obstacles that are convex and stand free. */
typedef enum wy_body_point_kind {
    WY_BODY_POINT_CORNER,
    WY_BODY_POINT_FACE,
    WY_BODY_POINT_BAR
} wy_body_point_kind;

enum { WY_BODY_POINTS_MAX = 320 };
typedef struct wy_body_points {
    int count, corners;
    double size;  /* half the smallest side: what stiffnesses are multiplied by */
    double apart; /* points of the faces */
    wy_body_point_kind kind[WY_BODY_POINTS_MAX];
    wy_support one[WY_BODY_POINTS_MAX];
} wy_body_points;

/* Of a sphere, capsule, box or drum, in its own axes. */
void wy_body_points_of(const wy_obstacle *shape, wy_body_points *x);

/* ---- mesh.c: a closed surface of triangles -------------------------------------------------------------- */

/* Vertices and triangles are borrowed.  Refused: an open surface, one that is inside out, triangles without area. */
withy_status wy_mesh_make(const vec3 *vertex, int vertices, const int (*triangle)[3], int triangles,
                          wy_arena *arena, const wy_mesh **mesh, withy_error *err);
/* Signed distance, positive outside, and its gradient. */
double wy_mesh_distance(const wy_mesh *mesh, vec3 x, vec3 *gradient);
/* The distance of the box around it, which it is not nearer than; 0 inside. */
double wy_mesh_least(const wy_mesh *mesh, vec3 x);
/* The smallest side of the box around it. */
double wy_mesh_extent(const wy_mesh *mesh);

/* ---- grid.c: which boxes overlap ---------------------------------------------------------------------- */

typedef struct wy_box {
    vec3 low, high;
} wy_box;

typedef struct wy_grid {
    int capacity;      /* of boxes */
    int *cell, *order; /* [capacity] cell of each, and boxes sorted by it */
    wy_box *box;       /* [capacity] in that order */
    int *first;        /* [2^bits + 1] */
    int bits;
} wy_grid;

withy_status wy_grid_make(wy_grid *grid, int capacity, wy_arena *arena, withy_error *err);
/* Pairs (i < j) of overlapping boxes for which take(context, i, j) is called; it returns 0 to stop.  Each pair once. */
void wy_grid_pairs(wy_grid *grid, const wy_box *box, int count,
                   int (*take)(void *context, int i, int j), void *context);

/* ---- crossing.c: nothing passes through ------------------------------------------------------------------- */

/* Two segments whose points move straight from minus to plus: do the axes come closer than `least` on the way? */
int wy_pair_crosses(const vec3 minus[WY_PAIR_POINTS], const vec3 plus[WY_PAIR_POINTS],
                    double least);
