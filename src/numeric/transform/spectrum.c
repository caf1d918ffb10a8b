/* spectrum.c - amplitude spectrum and partials of a record.
 *
 * A partial is the top of |X(f)|, X(f) = sum_m w_m (x_m - mean) exp(-2 pi i f t_m), with the
 * four-term window of Blackman and Harris: its side lobes are 92 dB down, so a neighbour eight
 * bins away moves the top by less than 3e-5 bins.  The highest bin of the transform is refined by
 * Newton steps on log|X|, differenced over a hundredth of a bin.
 */
#include "withy/spectrum.h"

#include "numeric/transform/transform.h"

enum { FEWEST = 16, NEWTON_STEPS = 30 };

static double window(int64_t m, int64_t count) {
    const double x = 2.0 * WY_PI * ((double)m + 0.5) / (double)count;
    return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x);
}

static const double WINDOW_MEAN = 0.35875;

double withy_cents(double a, double b) {
    return 1200.0 * log2(a / b);
}

/* The record without its mean, under the window. */
static withy_status windowed(int64_t count, const double *x, double *out, withy_error *err) {
    if (count < FEWEST)
        return wy_bad_input(err, "a spectrum needs at least %d samples, there are %lld", FEWEST,
                            (long long)count);
    double sum = 0, weight = 0;
    for (int64_t m = 0; m < count; m++) sum += window(m, count) * x[m], weight += window(m, count);
    for (int64_t m = 0; m < count; m++) out[m] = window(m, count) * (x[m] - sum / weight);
    return WITHY_OK;
}

withy_status withy_spectrum(int64_t count, const double *x, double interval, double *amplitude,
                            withy_error *err) {
    WY_NEED(x, amplitude);
    (void)interval;
    wy_arena arena = {0};
    const size_t half = (size_t)(count / 2 + 1);
    double *w = wy_arena_alloc(&arena, (size_t)count, sizeof *w);
    double *re = wy_arena_alloc(&arena, half, sizeof *re);
    double *im = wy_arena_alloc(&arena, half, sizeof *im);
    withy_status status = WITHY_OK;
    if (!w || !re || !im)
        status = wy_no_memory(err, "no memory for a spectrum of %lld samples", (long long)count);
    if (status == WITHY_OK) status = windowed(count, x, w, err);
    if (status == WITHY_OK) status = wy_fourier(count, w, re, im, err);
    for (size_t k = 0; status == WITHY_OK && k < half; k++)
        amplitude[k] = 2.0 * hypot(re[k], im[k]) / (WINDOW_MEAN * (double)count);
    wy_arena_free(&arena);
    return status;
}

/* |X|^2 at any phase advance per sample, by Goertzel's rotation. */
static double power_at(int64_t count, const double *w, double advance) {
    const double c = cos(advance), s = sin(advance);
    double re = 0, im = 0, pr = 1, pi = 0;
    for (int64_t m = 0; m < count; m++) {
        re += w[m] * pr, im -= w[m] * pi;
        const double next = pr * c - pi * s;
        pi = pr * s + pi * c, pr = next;
        if ((m & 1023) == 1023) { /* start the rotation afresh before it drifts */
            pr = cos(advance * (double)(m + 1)), pi = sin(advance * (double)(m + 1));
        }
    }
    return re * re + im * im;
}

static withy_status refine(int64_t count, const double *w, double interval, int64_t bin,
                           withy_partial *partial) {
    const double width = 2.0 * WY_PI / (double)count, step = 0.01 * width;
    double at = width * (double)bin;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double a = log(power_at(count, w, at - step)), b = log(power_at(count, w, at));
        const double c = log(power_at(count, w, at + step));
        double move = 0.5 * step * (a - c) / (a - 2 * b + c);
        if (!(fabs(move) <= 0.5 * width)) move = a > c ? -0.25 * width : 0.25 * width;
        at += move;
        if (fabs(move) < 1e-9 * width) break;
    }
    partial->frequency = at / (2.0 * WY_PI * interval);
    partial->amplitude = 2.0 * sqrt(power_at(count, w, at)) / (WINDOW_MEAN * (double)count);
    return WITHY_OK;
}

withy_status withy_partial_between(int64_t count, const double *x, double interval, double low,
                                   double high, withy_partial *partial, withy_error *err) {
    WY_NEED(x, partial);
    wy_arena arena = {0};
    double *w = wy_arena_alloc(&arena, (size_t)count, sizeof *w);
    double *amplitude = wy_arena_alloc(&arena, (size_t)(count / 2 + 1), sizeof *amplitude);
    withy_status status = WITHY_OK;
    if (!w || !amplitude)
        status = wy_no_memory(err, "no memory for a spectrum of %lld samples", (long long)count);
    if (status == WITHY_OK) status = windowed(count, x, w, err);
    if (status == WITHY_OK) status = withy_spectrum(count, x, interval, amplitude, err);
    if (status == WITHY_OK) {
        const double bin = 1.0 / ((double)count * interval);
        const double top_bin =
            (double)(count / 2 - 1); /* bounded before they become whole numbers */
        const int64_t first = (int64_t)wy_max(1, wy_min(ceil(low / bin), top_bin + 1));
        const int64_t last = (int64_t)wy_max(0, wy_min(floor(high / bin), top_bin));
        int64_t top = first;
        for (int64_t k = first; k <= last; k++)
            if (amplitude[k] > amplitude[top]) top = k;
        const int edge = last < first || amplitude[top] < amplitude[top - 1] ||
                         amplitude[top] < amplitude[top + 1] || !(amplitude[top] > 0);
        if (edge)
            status = wy_bad_input(err, "there is no partial between %g and %g Hz in this record",
                                  low, high);
        else
            status = refine(count, w, interval, top, partial);
    }
    wy_arena_free(&arena);
    return status;
}
