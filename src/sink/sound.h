/* sound.h - from records to samples of a WAV file.  Room: src/sink. */
#pragma once

#include "base/base.h"
#include "withy/sound.h"

/* One record: count samples of `size` numbers, interval apart. */
typedef struct wy_record {
    const char *name;
    int size, component; /* component < 0: the one that moves most */
    int64_t count;
    const double *t;     /* [count] */
    const double *value; /* [count][size] */
} wy_record;

/* Can so many probes be channels of one file? If not, the message gives the remedy. */
withy_status wy_sound_count(const char *path, int count, withy_error *err);
/* Can a file have so many samples per second [Hz]? */
withy_status wy_sound_rate(const char *path, double rate, withy_error *err);

/* Two probes that are recorded at different intervals [s] are not channels of one file. */
withy_status wy_sound_differs(const char *path, const char *one, double interval, const char *other,
                              double its, withy_error *err);

/* Records whose times are not even, or of fewer than two samples. */
withy_status wy_sound_uneven(const char *path, const char *probe, withy_error *err);
/* How far the times of a record may be from even ones, as a share of the interval. */
extern const double wy_sound_accuracy;

/* Write records as the channels of a file; rate, gain and mono of `how`. */
withy_status wy_sound_write(const char *path, const wy_record *record, int count,
                            const withy_sound *how, withy_sound_report *report, withy_error *err);

/* The interface to libsndfile (wav.c): frames of interleaved samples in -1 .. 1. */
withy_status wy_wave_write(const char *path, int rate, int channels, int64_t frames,
                           const double *sample, withy_error *err);
