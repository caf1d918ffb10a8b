/* withy/spectrum.h - spectrum, partials and cycles of a record.
 *
 * Records are evenly spaced samples x[count], `interval` seconds apart; their mean is subtracted
 * and a Blackman-Harris window is applied (side lobes 92 dB down).
 */
#pragma once

#include "withy/base.h"
#include "withy/problem.h"
#include "withy/snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Amplitude of a sinusoid at each frequency k/(count * interval), k = 0 .. count/2, to
 * amplitude[count/2 + 1]: a pure tone of amplitude A shows a peak of height A. */
WITHY_API withy_status withy_spectrum(int64_t count, const double *x, double interval,
                                      double *amplitude, withy_error *err);

typedef struct withy_partial {
    double frequency; /* [Hz] */
    double amplitude; /* of the sinusoid, in units of x */
} withy_partial;

/* The strongest partial between two frequencies [Hz], its frequency refined on the continuous
 * spectrum: a steady tone is found to 0.01 cent on a record of one second.  Fails when the highest
 * point lies on the edge of the range. */
WITHY_API withy_status withy_partial_between(int64_t count, const double *x, double interval,
                                             double low, double high, withy_partial *partial,
                                             withy_error *err);

/* Theoretical frequency of bending partial `number` = 1, 2, ... of a straight, uniform rod [Hz]; axis 1:
 * it moves along d1, 2: along d2.  Between pinned ends the exact dispersion of the stretched, shearable
 * rod; a clamped string as a pinned one shorter by sqrt(EI/T) per clamp; other ends without tension by
 * Euler and Bernoulli.  WITHY_UNSUPPORTED for anything else. */
WITHY_API withy_status withy_partial_theory(const withy_rod *rod, int number, int axis,
                                            double *frequency, withy_error *err);

/* Sizes |a_0| ... |a_n| of the Chebyshev series of one component (0 x, 1 y, 2 z) of the centreline, to
 * size[snapshot->count]: if they decay, the line is resolved.  WITHY_UNSUPPORTED unless the stations are the
 * Chebyshev points s_j = L (1 - cos(pi j/n))/2 or the Lobatto points of the method cheb, 2 <= n <= 4096. */
WITHY_API withy_status withy_snapshot_decay(const withy_snapshot *snapshot, int component,
                                            double *size, withy_error *err);

/* A closed cycle of a load: from peak to trough, and between them; count 1, or 0.5 of one that does not close. */
typedef struct withy_cycle {
    double range, mean; /* in units of x, range > 0 */
    double count;
} withy_cycle;

/* The cycles of a record x[count] by rain-flow counting (ASTM E1049-85), to cycle[count]: as many as *cycles, fewer than
 * count.  The samples need not be evenly spaced, but those between which a peak lies decide how high it is. */
WITHY_API withy_status withy_cycles(int64_t count, const double *x, withy_cycle *cycle,
                                    int64_t *cycles, withy_error *err);
/* The sum of count * range^slope: over the constant K of an S-N line N = K range^-slope, the damage of Palmgren and Miner. */
WITHY_API double withy_cycles_sum(const withy_cycle *cycle, int64_t cycles, double slope);

/* 1200 log2(a/b) */
WITHY_API double withy_cents(double a, double b);

#ifdef __cplusplus
}
#endif
