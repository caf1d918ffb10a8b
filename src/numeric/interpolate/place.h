/* place.h - where an arc length lies among nodes.  Room: src/numeric. */
#pragma once

#include "base/base.h"
#include "base/vec.h"

/* Interval j, and 0 <= f <= 1 in it. */
typedef struct wy_place {
    int j;
    double f;
} wy_place;

/* Of s among n intervals of length eta. */
static inline wy_place wy_place_of(double s, double eta, int n) {
    double position = wy_min(wy_max(s / eta, 0.0), n);
    const double node = floor(position + 0.5);
    if (fabs(position - node) < 1e-11 * n) position = node; /* a node but for rounding */
    int j = (int)position;
    if (j > n - 1) j = n - 1;
    return (wy_place){j, position - j};
}

/* Of x among increasing numbers, one in each row of `width`: the piece between row j and row j + 1 <= rows - 1. */
static inline int wy_place_in(const double *row, int width, int rows, double x) {
    int low = 0, high = rows - 1; /* row[low] <= x < row[high], where x lies between the ends */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (row[(size_t)middle * (size_t)width] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline vec3 wy_place_mix(wy_place at, vec3 a, vec3 b) {
    return v3_add(v3_scale(1.0 - at.f, a), v3_scale(at.f, b));
}

/* A load there is shared between the two nodes, by the rule of the lever; what a node gets is divided by `per`. */
static inline void wy_place_share(wy_place at, vec3 load, double per, vec3 *node) {
    node[at.j] = v3_axpy(node[at.j], (1.0 - at.f) / per, load);
    node[at.j + 1] = v3_axpy(node[at.j + 1], at.f / per, load);
}

/* Linear between the nodes of a. */
static inline vec3 wy_place_linear(wy_place at, const vec3 *a) {
    return wy_place_mix(at, a[at.j], a[at.j + 1]);
}

/* Six numbers per node by the cubic through the four nodes around interval j of n >= 3, at a fraction
 * of it. */
static inline void wy_place_cubic(int n, double (*a)[6], int j, double fraction, double out[6]) {
    const int first = j < 1 ? 0 : j > n - 2 ? n - 3 : j - 1;
    const double z = j - first + fraction; /* in intervals from node `first` */
    const double w[4] = {-(z - 1) * (z - 2) * (z - 3) / 6, z * (z - 2) * (z - 3) / 2,
                         -z * (z - 1) * (z - 3) / 2, z * (z - 1) * (z - 2) / 6};
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 4; k++) out[i] += w[k] * a[first + k][i];
    }
}
