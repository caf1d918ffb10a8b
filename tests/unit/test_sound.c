/* Records to sound, and theory to compare it with. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "sink/sound.h"
#include "withy/withy.h"

#define PI 3.14159265358979323846

enum { RATE = 44100, COUNT = 4410 };
static double t[COUNT], value[COUNT][3];

static wy_record tone(double frequency) {
    for (int k = 0; k < COUNT; k++) {
        t[k] = k / (double)RATE;
        value[k][0] = 7, value[k][1] = 2e-3 * sin(2 * PI * frequency * t[k]) + 1, value[k][2] = 0;
    }
    return (wy_record){.name = "bridge",
                       .size = 3,
                       .component = -1,
                       .count = COUNT,
                       .t = t,
                       .value = &value[0][0]};
}

#ifdef WITHY_HAVE_LIB_SNDFILE
/* The samples of a 16-bit file with one channel; returns how many, and the rate of its head. */
static int read_wave(const char *path, double *sample, int most, int *rate) {
    FILE *file = fopen(path, "rb");
    unsigned char head[44];
    int count = 0;
    CHECK(file && fread(head, 1, 44, file) == 44 && memcmp(head, "RIFF", 4) == 0);
    *rate = head[24] | head[25] << 8 | head[26] << 16;
    unsigned char two[2];
    while (count < most && fread(two, 1, 2, file) == 2)
        sample[count++] = (int16_t)(two[0] | two[1] << 8) / 32768.0;
    fclose(file);
    return count;
}

static double samples[2 * RATE];
#endif

#ifdef WITHY_HAVE_LIB_SNDFILE
TEST(the_component_that_moves_is_heard_without_its_mean_as_loud_as_it_can_be) {
    char folder[] = "/tmp/withy-sound-XXXXXX", path[64];
    withy_error err = {0};
    withy_sound_report report;
    int rate;
    const wy_record record = tone(1000);
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.wav", folder);
    CHECK_OK(wy_sound_write(path, &record, 1, &(withy_sound){0}, &report, &err));
    CHECK(read_wave(path, samples, 2 * RATE, &rate) == COUNT && rate == RATE);
    CHECK(report.channels == 1);
    CHECK_NEAR(report.gain, 0.9 / 2e-3, 1);
    for (int k = 0; k < COUNT; k++)
        CHECK_NEAR(samples[k], 0.9 * sin(2 * PI * 1000 * k / RATE), 3e-4);
    unlink(path);
    rmdir(folder);
}

TEST(another_rate_is_the_same_tone) {
    char folder[] = "/tmp/withy-sound-XXXXXX", path[64];
    withy_error err = {0};
    int rate;
    const wy_record record = tone(1000);
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.wav", folder);
    const withy_sound how = {.rate = 48000, .gain = 400};
    CHECK_OK(wy_sound_write(path, &record, 1, &how, NULL, &err));
    const int count = read_wave(path, samples, 2 * RATE, &rate);
    CHECK(rate == 48000 && abs(count - 4800) <= 1);
    for (int k = 100; k < count - 100; k++)
        CHECK_NEAR(samples[k], 0.8 * sin(2 * PI * 1000 * k / 48000), 1e-3);
    unlink(path);
    rmdir(folder);
}

TEST(channels_can_be_mixed) {
    char folder[] = "/tmp/withy-sound-XXXXXX", path[64];
    withy_error err = {0};
    withy_sound_report report;
    int rate;
    const wy_record one = tone(1000), both[2] = {one, one};
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.wav", folder);
    CHECK_OK(wy_sound_write(path, both, 2, &(withy_sound){.mono = 1, .gain = 100}, &report, &err));
    CHECK(report.channels == 1 && read_wave(path, samples, 2 * RATE, &rate) == COUNT);
    CHECK_NEAR(samples[11], 0.4 * sin(2 * PI * 1000 * 11 / RATE), 1e-3);
    unlink(path);
    rmdir(folder);
}
#define HEARD                                                                                      \
    test(the_component_that_moves_is_heard_without_its_mean_as_loud_as_it_can_be),                 \
        test(another_rate_is_the_same_tone), test(channels_can_be_mixed),
#else
#define HEARD
#endif

TEST(a_record_that_is_no_sound_is_refused_with_a_way_out) {
    withy_error err = {0};
    wy_record record = tone(1000);
    CHECK(wy_sound_write("a.wav", &record, 0, &(withy_sound){0}, NULL, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "a sound needs probes; add probes = {") != NULL);
    t[100] += 0.5 / RATE;
    CHECK(wy_sound_write("a.wav", &record, 1, &(withy_sound){0}, NULL, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "a.wav: probe bridge is not evenly spaced in time; choose "
                         "probes.bridge.every as a whole part of time.output");
    for (int k = 0; k < COUNT; k++) t[k] = k;
    CHECK(wy_sound_write("a.wav", &record, 1, &(withy_sound){0}, NULL, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "1 samples per second is not an audio rate") != NULL);
}

/* Blevins: x = 4.730041, 7.853205 (free or clamped), 1.875104, 4.694091 (cantilever), 3.926602. */
TEST(beams_have_the_frequencies_of_the_handbook) {
    static const struct {
        withy_end_kind start, finish;
        int number;
        double x;
    } row[] = {{WITHY_END_FREE, WITHY_END_FREE, 1, 4.730041},
               {WITHY_END_CLAMPED, WITHY_END_CLAMPED, 2, 7.853205},
               {WITHY_END_CLAMPED, WITHY_END_FREE, 1, 1.875104},
               {WITHY_END_FREE, WITHY_END_CLAMPED, 2, 4.694091},
               {WITHY_END_CLAMPED, WITHY_END_PINNED, 1, 3.926602},
               {WITHY_END_FREE, WITHY_END_PINNED, 2, 7.068583}};
    withy_rod rod = withy_rod_default();
    double frequency;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rod.end[0].kind = row[i].start, rod.end[1].kind = row[i].finish;
        CHECK(withy_partial_theory(&rod, row[i].number, 1, &frequency, NULL) == WITHY_OK);
        const double speed = sqrt(2.0e11 / 7800) * 1e-3 / 4; /* sqrt(EI/mu) of a round wire */
        CHECK_NEAR(frequency / (row[i].x * row[i].x * speed / (2 * PI)), 1, 1e-6);
    }
    rod.end[0].kind = WITHY_END_GUIDED;
    CHECK(withy_partial_theory(&rod, 1, 1, &frequency, NULL) == WITHY_UNSUPPORTED);
}

/* f = n/(2 L) sqrt((T + EI (n pi/L)^2)/mu): Euler, Bernoulli and Fletcher; no shear, no rotary inertia. */
TEST(a_string_that_is_rigid_in_shear_has_the_frequencies_of_fletcher) {
    withy_rod rod = {.length = 0.5, .tension = 10};
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1e-4);
    rod.inertia[WITHY_MASS] = withy_field_number(1e-3);
    double frequency, stiff;
    for (int n = 1; n <= 9; n += 4) {
        rod.end[0].kind = rod.end[1].kind = WITHY_END_PINNED;
        const double k = n * PI / 0.5, expected = k / (2 * PI) * sqrt((10 + 1e-4 * k * k) / 1e-3);
        CHECK(withy_partial_theory(&rod, n, 1, &frequency, NULL) == WITHY_OK);
        CHECK_NEAR(frequency / expected, 1, 1e-14);
        rod.stiffness[WITHY_SHEAR1] = withy_field_number(1e12); /* nearly rigid: nearly the same */
        CHECK(withy_partial_theory(&rod, n, 1, &stiff, NULL) == WITHY_OK);
        CHECK_NEAR(stiff / frequency, 1, 1e-9);
        rod.stiffness[WITHY_SHEAR1] = (withy_field){0};
    }
    rod.end[0].kind = rod.end[1].kind = WITHY_END_CLAMPED;
    CHECK(withy_partial_theory(&rod, 1, 1, &frequency, NULL) == WITHY_OK);
    rod.tension =
        0.1; /* sqrt(EI/T) = 0.03 at each end: a beam, for which there is no formula here */
    CHECK(withy_partial_theory(&rod, 1, 1, &frequency, NULL) == WITHY_UNSUPPORTED);
}

RUN(HEARD test(a_record_that_is_no_sound_is_refused_with_a_way_out),
    test(beams_have_the_frequencies_of_the_handbook),
    test(a_string_that_is_rigid_in_shear_has_the_frequencies_of_fletcher))
