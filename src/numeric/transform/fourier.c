/* fourier.c - discrete Fourier transform: FFTW when the build has it, else our own.
 *
 * Our own is the radix-2 transform of Cooley and Tukey; a length that is not a power of two goes
 * through Bluestein's identity k m = (k^2 + m^2 - (k - m)^2)/2, which makes it a convolution with
 * a chirp and so three transforms of a power of two.
 */
#include "numeric/transform/transform.h"

#ifdef WITHY_HAVE_LIB_FFTW
#include <pthread.h>
#endif

#include "numeric/transform/fftw.h"

typedef struct complex_array {
    double *re, *im;
} complex_array;

/* In place, count a power of two; sign -1 forward, +1 back (not divided by count). */
static void transform(int64_t count, complex_array a, double sign) {
    for (int64_t i = 1, j = 0; i < count; i++) { /* bit reversal */
        int64_t bit = count >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const double re = a.re[i], im = a.im[i];
        a.re[i] = a.re[j], a.im[i] = a.im[j], a.re[j] = re, a.im[j] = im;
    }
    for (int64_t half = 1; half < count; half *= 2)
        for (int64_t k = 0; k < half; k++) {
            const double angle = sign * WY_PI * (double)k / (double)half;
            const double c = cos(angle), s = sin(angle);
            for (int64_t i = k; i < count; i += 2 * half) {
                const int64_t j = i + half;
                const double re = c * a.re[j] - s * a.im[j], im = c * a.im[j] + s * a.re[j];
                a.re[j] = a.re[i] - re, a.im[j] = a.im[i] - im;
                a.re[i] += re, a.im[i] += im;
            }
        }
}

/* exp(-pi i m^2/count); m^2 is reduced first, so that the angle keeps its digits. */
static void chirp(int64_t m, int64_t count, double *c, double *s) {
    const uint64_t square = (uint64_t)m * (uint64_t)m % (uint64_t)(2 * count);
    const double angle = WY_PI * (double)square / (double)count;
    *c = cos(angle), *s = -sin(angle);
}

static void bluestein(int64_t count, const double *x, int64_t size, complex_array a,
                      complex_array b) {
    double c, s;
    for (int64_t m = 0; m < count; m++) {
        chirp(m, count, &c, &s);
        a.re[m] = x[m] * c, a.im[m] = x[m] * s;
        b.re[m] = c, b.im[m] = -s;
        if (m) b.re[size - m] = c, b.im[size - m] = -s;
    }
    transform(size, a, -1.0);
    transform(size, b, -1.0);
    for (int64_t k = 0; k < size; k++) {
        const double re = a.re[k] * b.re[k] - a.im[k] * b.im[k];
        a.im[k] = a.re[k] * b.im[k] + a.im[k] * b.re[k], a.re[k] = re;
    }
    transform(size, a, 1.0);
    for (int64_t k = 0; k <= count / 2; k++) {
        chirp(k, count, &c, &s);
        const double re = a.re[k] / (double)size, im = a.im[k] / (double)size;
        a.re[k] = re * c - im * s, a.im[k] = re * s + im * c;
    }
}

withy_status wy_fourier_own(int64_t count, const double *x, double *re, double *im,
                            withy_error *err) {
    const int power = (count & (count - 1)) == 0;
    int64_t size = 1;
    while (size < (power ? count : 2 * count)) size *= 2;
    wy_arena arena = {0};
    complex_array a, b;
    a.re = wy_arena_alloc(&arena, (size_t)size, sizeof(double));
    a.im = wy_arena_alloc(&arena, (size_t)size, sizeof(double));
    b.re = wy_arena_alloc(&arena, (size_t)size, sizeof(double));
    b.im = wy_arena_alloc(&arena, (size_t)size, sizeof(double));
    if (!a.re || !a.im || !b.re || !b.im) {
        wy_arena_free(&arena);
        return wy_no_memory(err, "no memory for a spectrum of %lld samples", (long long)count);
    }
    if (power) {
        for (int64_t m = 0; m < count; m++) a.re[m] = x[m];
        transform(size, a, -1.0);
    } else {
        bluestein(count, x, size, a, b);
    }
    for (int64_t k = 0; k <= count / 2; k++) re[k] = a.re[k], im[k] = a.im[k];
    wy_arena_free(&arena);
    return WITHY_OK;
}

#ifdef WITHY_HAVE_LIB_FFTW
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

void wy_fftw_enter(void) {
    pthread_mutex_lock(&planner);
}

void wy_fftw_leave(void) {
    pthread_mutex_unlock(&planner);
}

withy_status wy_fourier(int64_t count, const double *x, double *re, double *im, withy_error *err) {
    const size_t half = (size_t)(count / 2 + 1);
    wy_arena arena = {0};
    double *copy = wy_arena_alloc(&arena, (size_t)count, sizeof *copy);
    fftw_complex *out = wy_arena_alloc(&arena, half, sizeof *out);
    fftw_plan plan = NULL;
    wy_fftw_enter();
    if (copy && out && count < (int64_t)1 << 30)
        plan = fftw_plan_dft_r2c_1d((int)count, copy, out, FFTW_ESTIMATE);
    wy_fftw_leave();
    if (!plan) {
        wy_arena_free(&arena);
        return wy_no_memory(err, "no memory for a spectrum of %lld samples", (long long)count);
    }
    for (int64_t m = 0; m < count; m++) copy[m] = x[m];
    fftw_execute(plan);
    for (size_t k = 0; k < half; k++) re[k] = out[k][0], im[k] = out[k][1];
    wy_fftw_enter();
    fftw_destroy_plan(plan);
    wy_fftw_leave();
    wy_arena_free(&arena);
    return WITHY_OK;
}
#else
withy_status wy_fourier(int64_t count, const double *x, double *re, double *im, withy_error *err) {
    return wy_fourier_own(count, x, re, im, err);
}
#endif
