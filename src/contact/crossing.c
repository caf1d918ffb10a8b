/* crossing.c - do two segments pass through each other in a step?
 *
 * Conservative advancement: while every point moves straight, the distance of the axes falls no faster than the largest
 * relative speed, so that the way d - 0.9 l at that speed is free of contact closer than l.
 */
#include "contact/contact.h"

enum { ROUNDS = 200 };

/* A bound of the relative way of two points, one of each segment, over the whole step: common motion does not count. */
static double relative_way(const vec3 minus[WY_PAIR_POINTS], const vec3 plus[WY_PAIR_POINTS]) {
    vec3 way[WY_PAIR_POINTS], mean = v3(0, 0, 0);
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        way[i] = v3_sub(plus[i], minus[i]);
        mean = v3_axpy(mean, 0.25, way[i]);
    }
    double far[WY_PAIR_POINTS];
    for (int i = 0; i < WY_PAIR_POINTS; i++) far[i] = v3_norm(v3_sub(way[i], mean));
    return wy_max(far[0], far[1]) + wy_max(far[2], far[3]);
}

int wy_pair_crosses(const vec3 minus[WY_PAIR_POINTS], const vec3 plus[WY_PAIR_POINTS],
                    double least) {
    static const double none[2] = {0, 0};
    const double way = relative_way(minus, plus);
    double when = 0;
    for (int round = 0; round < ROUNDS; round++) {
        vec3 now[WY_PAIR_POINTS];
        for (int i = 0; i < WY_PAIR_POINTS; i++)
            now[i] = v3_axpy(v3_scale(1 - when, minus[i]), when, plus[i]);
        const double d = wy_pair_closest(now, none).distance;
        if (!(d >= least)) return 1;
        if (!(way * (1 - when) > d - 0.9 * least)) return 0;
        when += (d - 0.9 * least) / way;
        if (when >= 1) return 0;
    }
    return 1;
}
