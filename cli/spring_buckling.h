/* spring_buckling.h - by how much a helical spring between two clamps is shortened when it buckles. */
#pragma once

#include "cli.h"

typedef enum spring_buckling_kind {
    SPRING_BUCKLES, /* at `way` */
    SPRING_STABLE,  /* down to its solid length */
    SPRING_UNKNOWN, /* `why` says the reason */
} spring_buckling_kind;

typedef struct spring_buckling {
    spring_buckling_kind kind;
    double way; /* shortening [m] */
    char why[WITHY_ERROR_TEXT];
} spring_buckling;

/* A spring on one mesh: its load factor is the way of the finish along the axis [m], negative: shortened. */
typedef struct spring_column {
    withy_sim *sim;
    withy_vec3 axis;
    double length, most; /* free length, and the shortening at the solid length [m] */
} spring_column;

spring_buckling spring_buckling_find(const spring_column *column);

/* What two meshes say, the finer second: a stiffness that vanishes may be the mesh's own. */
int spring_buckling_agrees(const spring_buckling *coarse, const spring_buckling *fine);
spring_buckling spring_buckling_differs(const spring_buckling *coarse, const spring_buckling *fine);
