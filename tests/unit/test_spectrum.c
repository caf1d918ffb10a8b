/* The transform against the definition, partials against tones that are known. */
#include "numeric/transform/transform.h"

#include <pthread.h>

#include "check.h"
#include "random_number.h"
#include "withy/spectrum.h"

#define PI 3.14159265358979323846

static double noise(uint32_t *seed) {
    random_next(seed);
    return *seed / 4294967296.0 - 0.5;
}

TEST(both_transforms_equal_the_definition_for_any_length) {
    static double x[360], re[200], im[200], own_re[200], own_im[200];
    const int lengths[] = {16, 64, 97, 105, 256, 360};
    withy_error err = {0};
    uint32_t seed = 7;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const int n = lengths[l];
        for (int m = 0; m < n; m++) x[m] = noise(&seed);
        CHECK_OK(wy_fourier(n, x, re, im, &err));
        CHECK_OK(wy_fourier_own(n, x, own_re, own_im, &err));
        for (int k = 0; k <= n / 2; k++) {
            double a = 0, b = 0;
            for (int m = 0; m < n; m++)
                a += x[m] * cos(2 * PI * k * m / n), b -= x[m] * sin(2 * PI * k * m / n);
            CHECK_NEAR(re[k], a, 1e-11);
            CHECK_NEAR(im[k], b, 1e-11);
            CHECK_NEAR(own_re[k], a, 1e-11);
            CHECK_NEAR(own_im[k], b, 1e-11);
        }
    }
}

/* Plans are created and destroyed all the time, each thread with its own lengths. */
static void *transforms(void *number) {
    const int own = *(const int *)number;
    static _Thread_local double x[512], re[257], im[257], other[257], more[257];
    withy_error err = {0};
    for (int turn = 0; turn < 60; turn++) {
        const int n = 64 + 37 * own + 5 * turn;
        wy_arena arena = {0};
        for (int m = 0; m < n; m++) x[m] = sin(0.1 * m * own) + m % 7;
        wy_cosine *cosine = wy_cosine_make(&arena, n);
        int bad = wy_fourier(n, x, re, im, &err) || wy_fourier_own(n, x, other, more, &err);
        for (int k = 0; k <= n / 2; k++) bad |= !(fabs(re[k] - other[k]) < 1e-8);
        wy_cosine_free(cosine);
        wy_arena_free(&arena);
        if (bad) return number;
    }
    return NULL;
}

TEST(threads_may_transform_at_the_same_time) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        CHECK(pthread_create(&thread[i], NULL, transforms, &number[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *bad;
        pthread_join(thread[i], &bad);
        CHECK(!bad);
    }
}

enum { RATE = 44100 };
static double record[RATE];

TEST(a_partial_is_found_to_a_hundredth_of_a_cent_among_others) {
    withy_error err = {0};
    const double f = 439.9827;
    for (int m = 0; m < RATE; m++) { /* a plucked string: stiff partials, all in phase at first */
        const double t = m / (double)RATE;
        record[m] = 0.3;
        for (int n = 1; n <= 20; n++)
            record[m] += cos(2 * PI * n * f * sqrt(1 + 2.3e-4 * n * n) * t + n) / n;
    }
    for (int n = 1; n <= 10; n++) {
        const double expected = n * f * sqrt(1 + 2.3e-4 * n * n);
        withy_partial got;
        CHECK_OK(withy_partial_between(RATE, record, 1.0 / RATE, expected - 100, expected + 100,
                                       &got, &err));
        CHECK_NEAR(withy_cents(got.frequency, expected), 0, 0.001);
        CHECK_NEAR(got.amplitude, 1.0 / n, 1e-3 / n);
    }
}

TEST(a_pure_tone_shows_its_amplitude_and_an_empty_range_is_refused) {
    static double amplitude[RATE / 2 + 1];
    withy_error err = {0};
    withy_partial got;
    for (int m = 0; m < RATE; m++) record[m] = 2.5 * sin(2 * PI * 1000 * m / RATE);
    CHECK_OK(withy_spectrum(RATE, record, 1.0 / RATE, amplitude, &err));
    CHECK_NEAR(amplitude[1000], 2.5, 1e-3);
    CHECK_BELOW(amplitude[1100], 2.5e-4);
    CHECK(withy_partial_between(RATE, record, 1.0 / RATE, 500, 600, &got, &err) != WITHY_OK ||
          got.amplitude < 1e-3);
    CHECK_OK(withy_partial_between(RATE, record, 1.0 / RATE, 0, INFINITY, &got, &err));
    CHECK_NEAR(got.frequency, 1000, 1e-6);
    CHECK(withy_partial_between(RATE, record, 1.0 / RATE, 1e300, INFINITY, &got, &err) ==
          WITHY_BAD_INPUT);
    CHECK(withy_partial_between(8, record, 1.0, 0, 1, &got, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "a spectrum needs at least 16 samples, there are 8");
}

/* The example of ASTM E1049-85, figure 6. */
TEST(rain_flow_counts_the_example_of_the_standard) {
    static const double x[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    static const double expected[10] = {[3] = 0.5, [4] = 1.5, [6] = 0.5, [8] = 1, [9] = 0.5};
    enum { COUNT = sizeof x / sizeof *x };
    withy_cycle cycle[COUNT];
    double counted[10] = {0};
    int64_t cycles;
    withy_error err = {0};
    CHECK_OK(withy_cycles(COUNT, x, cycle, &cycles, &err));
    for (int64_t i = 0; i < cycles; i++) counted[(int)cycle[i].range] += cycle[i].count;
    for (int i = 0; i < 10; i++) CHECK_NEAR(counted[i], expected[i], 1e-15);
    CHECK_NEAR(withy_cycles_sum(cycle, cycles, 2), 0.5 * 9 + 1.5 * 16 + 0.5 * 36 + 64 + 0.5 * 81,
               1e-12);
}

/* Cycles are what a record goes up and down; they are those of the record upside down, and larger with it. */
TEST(rain_flow_cycles_add_up_to_the_way_of_a_record) {
    enum { MOST = 200 };
    static double x[MOST], y[MOST];
    static withy_cycle one[MOST], other[MOST];
    uint32_t seed = 77;
    int64_t cycles;
    withy_error err = {0};
    for (int turn = 0; turn < 200; turn++) {
        const int count = turn % MOST;
        double way = 0, sum = 0;
        int64_t same;
        for (int i = 0; i < count; i++) {
            x[i] = turn % 3 ? noise(&seed) : floor(6 * noise(&seed)), y[i] = -3 * x[i];
            way += i ? fabs(x[i] - x[i - 1]) : 0;
        }
        CHECK_OK(withy_cycles(count, x, one, &cycles, &err));
        CHECK_OK(withy_cycles(count, y, other, &same, &err));
        CHECK(cycles == same && (cycles < count || count == 0));
        for (int64_t i = 0; i < cycles; i++) {
            sum += 2 * one[i].count * one[i].range;
            CHECK(one[i].range > 0 && one[i].count == other[i].count);
            CHECK_NEAR(other[i].range, 3 * one[i].range, 1e-12);
            CHECK_NEAR(other[i].mean, -3 * one[i].mean, 1e-12);
        }
        CHECK_NEAR(sum, way, 1e-12 * (1 + way));
    }
    x[0] = NAN;
    CHECK(withy_cycles(1, x, one, &cycles, &err) == WITHY_BAD_INPUT && cycles == 0);
}

RUN(test(both_transforms_equal_the_definition_for_any_length),
    test(rain_flow_counts_the_example_of_the_standard),
    test(rain_flow_cycles_add_up_to_the_way_of_a_record),
    test(threads_may_transform_at_the_same_time),
    test(a_partial_is_found_to_a_hundredth_of_a_cent_among_others),
    test(a_pure_tone_shows_its_amplitude_and_an_empty_range_is_refused))
