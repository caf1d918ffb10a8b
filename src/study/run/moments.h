/* moments.h - least and largest value, mean and deviation of a series over its time, as it comes.
 *
 * A sample counts by half of the intervals on its two sides, so that steps of changing length do not weigh
 * the busy parts of a motion more than the quiet ones.
 */
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct wy_moments {
    int64_t count;
    double first, t, x; /* time of the first sample; time and value of the last */
    double least, most, mean;
    double weight, square; /* sums of weights, and of weighted squares about the mean */
} wy_moments;

static inline void wy_moments_weigh(wy_moments *m, double x, double weight) {
    if (!(weight > 0)) return;
    const double away = x - m->mean;
    m->weight += weight;
    m->mean += away * (weight / m->weight);
    m->square += weight * away * (x - m->mean);
}

static inline void wy_moments_add(wy_moments *m, double t, double x) {
    if (m->count++ == 0) {
        *m = (wy_moments){.count = 1, .first = t, .least = x, .most = x, .mean = x};
    } else {
        const double half = 0.5 * fabs(t - m->t); /* along a path the load factor may turn */
        wy_moments_weigh(m, m->x, half);
        wy_moments_weigh(m, x, half);
    }
    m->least = fmin(m->least, x), m->most = fmax(m->most, x);
    m->t = t, m->x = x;
}

static inline double wy_moments_deviation(const wy_moments *m) {
    return m->weight > 0 && m->square > 0 ? sqrt(m->square / m->weight) : 0;
}
