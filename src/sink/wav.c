/* wav.c - sound files: every probe a channel.  The only use of libsndfile.
 *
 * Samples are kept until the run ends, because the loudest one sets the gain.  A run that
 * fails still gives the sound up to there.
 */
#include <errno.h>
#include <sys/stat.h>

#include "observe/observe.h"
#include "sink/atomic_file.h"
#include "sink/sink.h"
#include "sink/sound.h"

#ifdef WITHY_HAVE_LIB_SNDFILE
#include <sndfile.h>

/* libsndfile does not report every write that failed. */
static bool is_long_enough(int file, int channels, int64_t frames) {
    struct stat written;
    return fstat(file, &written) == 0 && written.st_size >= 44 + 2 * (off_t)channels * frames;
}

withy_status wy_wave_write(const char *path, int rate, int channels, int64_t frames,
                           const double *sample, withy_error *err) {
    SF_INFO info = {
        .samplerate = rate, .channels = channels, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    wy_atomic_file target;
    int code = wy_atomic_file_open(&target, path, false);
    if (code) return wy_cannot_write(path, code, err);
    SNDFILE *file = sf_open_fd(target.descriptor, SFM_WRITE, &info, 0);
    if (!file) {
        wy_atomic_file_drop(&target);
        return wy_fail(err, WITHY_IO, "%s: cannot be written: %s", path, sf_strerror(NULL));
    }
    errno = 0;
    const sf_count_t written = sf_writef_double(file, sample, frames);
    const bool closed = sf_close(file) == 0;
    if (written != frames || !closed || !is_long_enough(target.descriptor, channels, frames)) {
        const char *why = errno ? strerror(errno) : "is a disk full?";
        wy_atomic_file_drop(&target);
        return wy_fail(err, WITHY_IO, "%s: writing failed: %s (%lld of %lld samples)", path, why,
                       (long long)written, (long long)frames);
    }
    code = wy_atomic_file_keep(&target);
    return code ? wy_cannot_write(path, code, err) : WITHY_OK;
}
#define NEEDS NULL
#else
withy_status wy_wave_write(const char *path, int rate, int channels, int64_t frames,
                           const double *sample, withy_error *err) {
    (void)rate, (void)channels, (void)frames, (void)sample;
    return wy_fail(err, WITHY_MISSING,
                   "%s: not in this build: WAV files need libsndfile, which was not there when "
                   "withy was configured (make setup installs it)",
                   path);
}
#define NEEDS "libsndfile"
#endif

/* A record that grows. */
typedef struct track {
    int size;
    int64_t count, room;
    double *t, *value;
} track;

typedef struct writer {
    wy_arena arena;
    char *path;
    withy_request request;
    track *track; /* [probe_count] */
} writer;

static void drop(writer *w) {
    for (int i = 0; w->track && i < w->request.probe_count; i++)
        wy_free(w->track[i].t), wy_free(w->track[i].value);
    wy_arena_free(&w->arena);
    wy_free(w);
}

/* At which interval a probe is recorded; 0: not known, as where all steps are recorded and their length adapts. */
static double interval_of(const withy_probe *probe, double step) {
    return probe->every > step ? probe->every : step;
}

/* Will the run record it at even times?  Unknown before its step is.  A probe that is due between two steps is
 * recorded at the second (study/run/probe.c); without `every`, all steps of any length are recorded. */
static bool is_even(const withy_probe *probe, double step, const withy_request *request) {
    const double every = interval_of(probe, step > 0 ? step : 0);
    if (!(every > 0) || step == 0) return step == 0;
    const double samples = wy_min(floor(request->stop / every * (1 + 1e-9)), 1e6);
    if (!(samples >= 1)) return false;
    /* a step that adapts ends at equal parts of an output interval (study/run/run.c) */
    if (step < 0) step = request->output / wy_max(1, floor(request->output / every + 0.5));
    const double mean = ceil(samples * every / step * (1 - 1e-9)) * step / samples;
    for (double k = 0, t = 0; k <= samples; k++) {
        if (!(fabs(t - k * mean) <= wy_sound_accuracy * mean)) return false;
        const double due = every * (floor(t / every * (1 + 1e-9)) + 1);
        t = wy_max(1, ceil(due / step * (1 - 1e-9))) * step;
    }
    return true;
}

/* All probes at one rate, which is one of sound. */
static withy_status check_rates(const char *path, const withy_request *request, double step,
                                withy_error *err) {
    const withy_probe *probe = request->probe;
    const double least = step > 0 ? step : 0;
    for (int i = 0; i < request->probe_count; i++) {
        const double one = interval_of(&probe[0], least), own = interval_of(&probe[i], least);
        if (own > 0) WY_TRY(wy_sound_rate(path, floor(1 / own + 0.5), err));
        if (one > 0 && own > 0 && !(fabs(own / one - 1) <= 1e-6))
            return wy_sound_differs(path, probe[0].name, one, probe[i].name, own, err);
        if (!is_even(&probe[i], step, request)) return wy_sound_uneven(path, probe[i].name, err);
    }
    return WITHY_OK;
}

/* Before the run: how many probes, and how often they are recorded. */
static withy_status check_request(const char *path, const withy_request *request, bool moves,
                                  withy_error *err) {
    if (!moves)
        return wy_bad_input(
            err, "%s: only a run in time can be written as sound; use .h5, .csv or .pvd", path);
    WY_TRY(wy_sound_count(path, request->probe_count, err));
    return check_rates(path, request, 0, err);
}

static withy_status open_file(const char *path, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, void **state, withy_error *err) {
    (void)first;
    const bool moves = !meta->axis || !meta->axis[0] || strcmp(meta->axis, "t [s]") == 0;
    WY_TRY(check_request(path, &meta->request, moves, err));
    WY_TRY(check_rates(path, &meta->request, meta->step, err));
    const int code = wy_atomic_file_try(path); /* it is written at the end */
    if (code) return wy_cannot_write(path, code, err);
    writer *w = wy_alloc(1, sizeof *w);
    if (!w) return wy_no_memory(err, "%s: memory ran out", path);
    w->request = meta->request;
    w->path = wy_arena_text(&w->arena, path);
    w->track = wy_arena_alloc(&w->arena, (size_t)w->request.probe_count, sizeof *w->track);
    if (!w->path || !w->track) {
        w->track = NULL;
        return drop(w), wy_no_memory(err, "%s: memory ran out", path);
    }
    for (int i = 0; i < w->request.probe_count; i++) {
        const withy_probe *probe = &w->request.probe[i];
        const withy_quantity *q = withy_quantity_find((int)probe->of, probe->what);
        w->track[i].size = q ? q->size : 1;
    }
    *state = w;
    return WITHY_OK;
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    (void)state, (void)rod, (void)snap, (void)err; /* shapes are not used for sound */
    return WITHY_OK;
}

static bool grow(track *x) {
    const int64_t room = x->room ? 2 * x->room : 4096;
    double *t = wy_alloc((size_t)room, sizeof *t);
    double *value = wy_alloc((size_t)(room * x->size), sizeof *value);
    if (!t || !value) return wy_free(t), wy_free(value), false;
    if (x->count) {
        memcpy(t, x->t, (size_t)x->count * sizeof *t);
        memcpy(value, x->value, (size_t)(x->count * x->size) * sizeof *value);
    }
    wy_free(x->t), wy_free(x->value);
    x->t = t, x->value = value, x->room = room;
    return true;
}

static withy_status write_probe(void *state, int probe, double t, const double *value,
                                withy_error *err) {
    writer *w = state;
    track *x = &w->track[probe];
    if (x->count == x->room && !grow(x)) return wy_no_memory(err, "%s: memory ran out", w->path);
    x->t[x->count] = t;
    memcpy(x->value + x->count * x->size, value, (size_t)x->size * sizeof *value);
    x->count++;
    return WITHY_OK;
}

static withy_status close_file(void *state, const char *status, withy_error *err) {
    writer *w = state;
    (void)status;
    const int count = w->request.probe_count;
    wy_record *record = wy_arena_alloc(&w->arena, (size_t)count, sizeof *record);
    withy_status done;
    if (!record) {
        done = wy_no_memory(err, "%s: memory ran out", w->path);
    } else {
        for (int i = 0; i < count; i++)
            record[i] = (wy_record){.name = w->request.probe[i].name,
                                    .size = w->track[i].size,
                                    .component = -1,
                                    .count = w->track[i].count,
                                    .t = w->track[i].t,
                                    .value = w->track[i].value};
        done = wy_sound_write(w->path, record, count, &(withy_sound){0}, NULL, err);
    }
    drop(w);
    return done;
}

const wy_sink wy_sink_wav = {
    WY_SINK_COMMON("wav", ".wav", "sound: every probe a channel, without its mean"),
    .needs = NEEDS,
    .check = check_request,
    .probe = write_probe,
};
