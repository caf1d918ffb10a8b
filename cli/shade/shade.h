/* shade.h - shaded pictures of a result: light, shadows, bodies and obstacles as they are.
 *
 * embree.c finds what a ray meets, solid.c makes the surfaces, parts.c the rods and parts of a snapshot, picture.c
 * the camera, the light and the pixels, stream.c hands pictures to ffmpeg.
 *
 * Places are relative to the middle of what is shown, in units of its size, so that single precision is enough for
 * parts of any size anywhere.
 */
#pragma once

#include <stdint.h>

#include "process.h"
#include "withy/withy.h"

int shade_is_built(void); /* 0: withy was built without Embree */

typedef struct shade_vec {
    double x, y, z;
} shade_vec;

/* ---- embree.c --------------------------------------------------------------------------------- */

typedef struct shade_rays shade_rays;

/* A point of a round curve: its place and radius. */
typedef struct shade_point {
    float x, y, z, r;
} shade_point;

/* A surface of triangles; `normal` of each corner. */
typedef struct shade_mesh {
    float (*vertex)[3], (*normal)[3];
    unsigned (*triangle)[3];
    int vertices, triangles, room[2];
} shade_mesh;

/* What a ray meets first: how far, the normal towards where it comes from, and of which thing. */
typedef struct shade_hit {
    double far;
    shade_vec normal;
    int thing; /* -1: nothing */
} shade_hit;

shade_rays *shade_rays_open(void); /* NULL: no memory */
void shade_rays_close(shade_rays *rays);
/* Things are numbered in the order in which they are added; what is clear throws no shadow.  0: no memory. */
int shade_rays_begin(shade_rays *rays);
int shade_rays_curve(shade_rays *rays, const shade_point *point, int count);
int shade_rays_mesh(shade_rays *rays, const shade_mesh *mesh, int clear);
int shade_rays_end(shade_rays *rays);
void shade_rays_shoot(const shade_rays *rays, shade_vec from, shade_vec along, double least,
                      shade_hit *hit);
int shade_rays_blocked(const shade_rays *rays, shade_vec from, shade_vec along, double most);

/* ---- solid.c: surfaces, appended; 0: no memory --------------------------------------------------- */

/* Columns: where the axes of the surface go, and its middle. */
typedef struct shade_place {
    shade_vec axis[3], at;
} shade_place;

void shade_mesh_free(shade_mesh *mesh);
int shade_mesh_corner(shade_mesh *mesh, shade_vec at, shade_vec normal);
int shade_mesh_face(shade_mesh *mesh, int a, int b, int c);
int shade_solid_box(shade_mesh *mesh, const shade_place *place, shade_vec size);
/* About the third axis: an ellipse of half axes a and b, of this length, with flat ends or half ellipsoids of height `cap`. */
int shade_solid_round(shade_mesh *mesh, const shade_place *place, double a, double b, double length,
                      double cap, int flat);
/* A section swept along places: an ellipse of half axes a and b of so many corners, or (0) a rectangle.  Each place
 * has round + 1 corners, or 8; then come those of the two ends, one and as many again each. */
int shade_solid_swept(shade_mesh *mesh, const shade_place *place, int count, double a, double b,
                      int round);

/* ---- parts.c ------------------------------------------------------------------------------------ */

typedef enum shade_kind {
    SHADE_ROD,
    SHADE_BODY,
    SHADE_JOINT,
    SHADE_SUPPORT,
    SHADE_OBSTACLE,
    SHADE_TENDON,
    SHADE_KINDS
} shade_kind;

typedef struct shade_stage {
    withy_result *result;
    shade_vec middle; /* of what is shown [m] */
    double size;      /* its diagonal [m] */
    shade_rays *rays;
    shade_kind *kind; /* [things] of each thing */
    int things, room;
} shade_stage;

#define SHADE_THINNEST 0.004 /* of the size of the scene: what is thinner is drawn as thick */

typedef enum shade_outline { SHADE_CIRCLE, SHADE_ELLIPSE, SHADE_RECTANGLE } shade_outline;

/* Half widths of the section of a rod in units of the scene's size [m], at least visible; a shade_outline. */
int shade_section(const withy_result_rod *rod, double size, double half[2]);
void shade_turn(withy_quat q, shade_vec axis[3]); /* the columns of its matrix */
/* A body of this size along its axes. */
int shade_body(shade_mesh *mesh, const shade_place *place, const withy_body *body,
               const double size[3]);
/* An obstacle that is at `at`, in units [m]; one without end is as large as a scene of `size` units around 0. */
int shade_obstacle(shade_mesh *mesh, const withy_obstacle *wall, shade_vec at, double unit,
                   double size);

/* The things of snapshot k. */
withy_status shade_parts(shade_stage *stage, int64_t k, withy_error *err);

/* ---- picture.c --------------------------------------------------------------------------------- */

typedef struct shade_view {
    int width, height, dark, transparent;
    int samples;         /* rays per pixel and side: 1, 2, 3, ... */
    int soft;            /* 1: soft shadows, and corners are darker */
    shade_vec from, at;  /* the camera and what it looks at [m]; equal: chosen */
    double turn;         /* it goes round by so much, about the vertical [rad] */
    shade_vec low, high; /* box around what is shown at all times [m] */
} shade_view;

/* Its colour in linear light, and how much it hides of what is behind. */
void shade_colour(shade_kind kind, double rgba[4]);
/* One picture, rgba[height][width][4]. */
withy_status shade_picture(const shade_stage *stage, const shade_view *view, unsigned char *rgba,
                           withy_error *err);

/* ---- stream.c ----------------------------------------------------------------------------------- */

/* The box around rods, bodies and meshes of these snapshots. */
withy_status shade_box(withy_result *result, const int64_t *snapshot, int count, shade_view *view,
                       withy_error *err);

typedef struct shade_film {
    withy_result *result;
    const int64_t *snapshot; /* [count] of each picture */
    int count;
    double orbit;              /* the camera goes round by so much from first to last [rad] */
    const char *const *ffmpeg; /* its arguments: it reads rgba pictures from its standard input */
    const char *folder;        /* where it works */
    withy_progress progress;   /* may be NULL */
    void *context;
} shade_film;

withy_status shade_film_draw(const shade_film *film, shade_view view, withy_error *err);
