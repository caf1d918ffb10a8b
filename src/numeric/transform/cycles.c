/* cycles.c - rain-flow counting (ASTM E1049-85, 5.4.4): the closed cycles in a record of loads. */
#include "base/base.h"
#include "withy/spectrum.h"

/* Turning points, and the ends of the record: to x[], at most as many as there were; returns their number. */
static int64_t turning_points(int64_t count, double *x) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        if (kept > 0 && x[i] == x[kept - 1]) continue;
        const int goes_on = kept > 1 && (x[kept - 1] - x[kept - 2] > 0) == (x[i] - x[kept - 1] > 0);
        x[goes_on ? kept - 1 : kept++] = x[i];
    }
    return kept;
}

static void keep(withy_cycle *cycle, int64_t *cycles, double a, double b, double count) {
    cycle[(*cycles)++] = (withy_cycle){fabs(a - b), 0.5 * (a + b), count};
}

withy_status withy_cycles(int64_t count, const double *x, withy_cycle *cycle, int64_t *cycles,
                          withy_error *err) {
    WY_NEED(x, cycle);
    WY_NEED(cycles, cycles);
    *cycles = 0;
    if (count < 0)
        return wy_bad_input(err, "withy_cycles: a record of %lld samples", (long long)count);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return wy_bad_input(err, "withy_cycles: x[%lld] is not a finite number", (long long)i);
    if (count == 0) return WITHY_OK;
    double *point = wy_alloc((size_t)count, sizeof *point);
    if (!point) return wy_no_memory(err, "no memory for %lld points", (long long)count);
    memcpy(point, x, (size_t)count * sizeof *point);
    const int64_t points = turning_points(count, point);
    int64_t n = 0; /* of the stack, which is the beginning of point[] */
    for (int64_t i = 0; i < points; i++) {
        point[n++] = point[i];
        while (n >= 3 && fabs(point[n - 1] - point[n - 2]) >= fabs(point[n - 2] - point[n - 3])) {
            if (n == 3) { /* with the start: half a cycle */
                keep(cycle, cycles, point[0], point[1], 0.5);
                point[0] = point[1], point[1] = point[2], n = 2;
            } else {
                keep(cycle, cycles, point[n - 2], point[n - 3], 1);
                point[n - 3] = point[n - 1], n -= 2;
            }
        }
    }
    for (int64_t i = 0; i + 1 < n; i++) keep(cycle, cycles, point[i], point[i + 1], 0.5);
    wy_free(point);
    return WITHY_OK;
}

double withy_cycles_sum(const withy_cycle *cycle, int64_t cycles, double slope) {
    double sum = 0;
    for (int64_t i = 0; i < cycles; i++) sum += cycle[i].count * pow(cycle[i].range, slope);
    return sum;
}
