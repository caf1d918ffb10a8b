/* withy/math.h - the two small types that appear in descriptions and results. */
#pragma once

/* Cartesian components in the laboratory frame unless a comment says "material frame". */
typedef struct withy_vec3 {
    double x, y, z;
} withy_vec3;

/* Unit quaternion, scalar first; turns material components into laboratory components. */
typedef struct withy_quat {
    double w, x, y, z;
} withy_quat;
