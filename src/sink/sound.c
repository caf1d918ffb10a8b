/* sound.c - records to sound: one component each, without its mean, at one rate, at one loudness.
 *
 * Another rate than the recorded one is reached by band-limited interpolation: a sinc under a
 * Blackman window, sixteen zeros to each side, narrowed when the new rate is the lower one.
 */
#include "sink/sound.h"

enum { ZEROS = 16, MOST_CHANNELS = 64 };

static const double LOUDEST = 0.9;
const double wy_sound_accuracy = 0.01;

/* The even interval of a record, or 0. */
static double interval_of(const wy_record *r) {
    if (r->count < 2) return 0;
    const double step = (r->t[r->count - 1] - r->t[0]) / (double)(r->count - 1);
    for (int64_t k = 0; k < r->count; k++)
        if (!(fabs(r->t[k] - r->t[0] - (double)k * step) <= wy_sound_accuracy * step)) return 0;
    return step;
}

static double mean_of(const wy_record *r, int component) {
    double sum = 0;
    for (int64_t k = 0; k < r->count; k++) sum += r->value[k * r->size + component];
    return sum / (double)r->count;
}

static int liveliest(const wy_record *r) {
    int best = 0;
    double most = -1;
    for (int c = 0; c < r->size; c++) {
        const double mean = mean_of(r, c);
        double sum = 0;
        for (int64_t k = 0; k < r->count; k++) {
            const double x = r->value[k * r->size + c] - mean;
            sum += x * x;
        }
        if (sum > most) most = sum, best = c;
    }
    return best;
}

/* Value of the evenly spaced x at the position `at` (in samples), for a new rate of `ratio` times the
 * old. */
static double interpolated(const double *x, int64_t count, double at, double ratio) {
    const double width = ratio < 1 ? ZEROS / ratio : ZEROS, narrow = ratio < 1 ? ratio : 1;
    const int64_t first = (int64_t)ceil(at - width), last = (int64_t)floor(at + width);
    double sum = 0;
    for (int64_t k = first < 0 ? 0 : first; k <= last && k < count; k++) {
        const double d = (double)k - at, u = WY_PI * d * narrow, w = WY_PI * d / width;
        const double sinc = fabs(u) < 1e-9 ? 1 : sin(u) / u;
        sum += x[k] * narrow * sinc * (0.42 + 0.5 * cos(w) + 0.08 * cos(2 * w));
    }
    return sum;
}

/* One channel into every `channels`-th place of out. */
static void fill(const wy_record *r, double ratio, int64_t frames, int channels, double *copy,
                 double *out) {
    const int c = r->component >= 0 ? r->component : liveliest(r);
    const double mean = mean_of(r, c);
    for (int64_t k = 0; k < r->count; k++) copy[k] = r->value[k * r->size + c] - mean;
    for (int64_t k = 0; k < frames; k++)
        out[k * channels] = fabs(ratio - 1) < 1e-9
                                ? copy[k]
                                : interpolated(copy, r->count, (double)k / ratio, ratio);
}

withy_status wy_sound_count(const char *path, int count, withy_error *err) {
    if (count < 1)
        return wy_bad_input(err,
                            "%s: a sound needs probes; add probes = { name = { at = s, what = "
                            "\"position\", every = 1 / 44100 } } to the scene",
                            path);
    if (count > MOST_CHANNELS)
        return wy_bad_input(err,
                            "%s: a sound has at most %d channels, there are %d probes; export the "
                            "ones you need: withy export --wav --channel PROBE",
                            path, MOST_CHANNELS, count);
    return WITHY_OK;
}

withy_status wy_sound_rate(const char *path, double rate, withy_error *err) {
    if (rate >= 1000 && rate <= 768000) return WITHY_OK;
    return wy_bad_input(err,
                        "%s: %g samples per second is not an audio rate; record probes with every "
                        "= 1 / 44100, or give a rate from 1000 to 768000",
                        path, rate);
}

withy_status wy_sound_differs(const char *path, const char *one, double interval, const char *other,
                              double its, withy_error *err) {
    return wy_bad_input(err,
                        "%s: probes %s and %s are recorded at different intervals (%g and %g s); "
                        "give them the same every, or write FILE.h5 and export them one by one: "
                        "withy export FILE.h5 --wav --channel %s",
                        path, one, other, interval, its, one);
}

withy_status wy_sound_uneven(const char *path, const char *probe, withy_error *err) {
    return wy_bad_input(err,
                        "%s: probe %s is not evenly spaced in time; choose probes.%s.every as a "
                        "whole part of time.output",
                        path, probe, probe);
}

static withy_status check(const char *path, const wy_record *record, int count, double *interval,
                          withy_error *err) {
    WY_TRY(wy_sound_count(path, count, err));
    *interval = interval_of(&record[0]);
    for (int i = 0; i < count; i++) {
        const double own = interval_of(&record[i]);
        if (!(own > 0)) return wy_sound_uneven(path, record[i].name, err);
        if (fabs(own / *interval - 1) > 1e-6 || record[i].count != record[0].count)
            return wy_sound_differs(path, record[0].name, *interval, record[i].name, own, err);
    }
    return WITHY_OK;
}

static void mix_down(double *out, int64_t frames, int channels) {
    for (int64_t k = 0; k < frames; k++) {
        double sum = 0;
        for (int i = 0; i < channels; i++) sum += out[k * channels + i];
        out[k] = sum; /* frame k is read before anything is written over it */
    }
}

withy_status wy_sound_write(const char *path, const wy_record *record, int count,
                            const withy_sound *how, withy_sound_report *report, withy_error *err) {
    double interval = 0, rate = how->rate, gain = how->gain;
    WY_TRY(check(path, record, count, &interval, err));
    if (!(rate > 0)) rate = 1 / interval;
    rate = floor(rate + 0.5);
    WY_TRY(wy_sound_rate(path, rate, err));
    const double ratio = fabs(rate * interval - 1) < 1e-4 ? 1 : rate * interval;
    const int64_t frames =
        ratio == 1 ? record[0].count : (int64_t)((double)(record[0].count - 1) * ratio) + 1;
    wy_arena arena = {0};
    double *copy = wy_arena_alloc(&arena, (size_t)record[0].count, sizeof *copy);
    double *out = wy_arena_alloc(&arena, (size_t)frames * (size_t)count, sizeof *out);
    if (!copy || !out) {
        wy_arena_free(&arena);
        return wy_no_memory(err, "%s: memory ran out", path);
    }
    double most = 0;
    for (int i = 0; i < count; i++) fill(&record[i], ratio, frames, count, copy, out + i);
    if (how->mono) mix_down(out, frames, count);
    const int channels = how->mono ? 1 : count;
    for (int64_t k = 0; k < frames * channels; k++) most = wy_max(most, fabs(out[k]));
    if (!(gain > 0 && isfinite(gain))) gain = most > 0 ? LOUDEST / most : 1;
    for (int64_t k = 0; k < frames * channels; k++) out[k] = wy_max(-1, wy_min(1, gain * out[k]));
    const withy_status status = wy_wave_write(path, (int)rate, channels, frames, out, err);
    wy_arena_free(&arena);
    if (report) *report = (withy_sound_report){channels, rate, (double)frames / rate, gain};
    return status;
}

/* ---- a result -------------------------------------------------------------------------------- */

/* Which probe "name" or "name.x" means. */
static int find_channel(withy_result *result, const char *text, withy_result_probe *probe,
                        int *component) {
    static const char *const ending[] = {".x", ".y", ".z"};
    for (int i = 0; withy_result_probe_at(result, i, probe); i++) {
        const size_t length = strlen(probe->name);
        if (strncmp(text, probe->name, length) != 0) continue;
        *component = -1;
        if (!text[length]) return i;
        for (int c = 0; c < 3 && c < probe->size; c++)
            if (strcmp(text + length, ending[c]) == 0) return *component = c, i;
    }
    return -1;
}

static withy_status read_record(withy_result *result, int index, const withy_result_probe *probe,
                                wy_arena *arena, wy_record *record, withy_error *err) {
    double *t = wy_arena_alloc(arena, (size_t)probe->count + 1, sizeof *t);
    double *value =
        wy_arena_alloc(arena, (size_t)(probe->count + 1) * (size_t)probe->size, sizeof *value);
    char *name = wy_arena_text(arena, probe->name);
    if (!t || !value || !name) return wy_no_memory(err, "probe %s: memory ran out", probe->name);
    record->name = name, record->size = probe->size, record->count = probe->count;
    record->t = t, record->value = value;
    return withy_result_probe_read(result, index, t, value, err);
}

static withy_status gather(withy_result *result, const char *path, const withy_sound *how,
                           wy_arena *arena, wy_record *record, int *count, withy_error *err) {
    withy_result_probe probe;
    int probes = 0;
    *count = 0;
    while (withy_result_probe_at(result, probes, &probe)) probes++;
    WY_TRY(wy_sound_count(path, how->channel ? how->channel_count : probes, err));
    for (int i = 0; !how->channel && i < probes; i++) {
        withy_result_probe_at(result, i, &probe);
        record[*count].component = -1;
        WY_TRY(read_record(result, i, &probe, arena, &record[(*count)++], err));
    }
    for (int i = 0; how->channel && i < how->channel_count; i++) {
        const int index = find_channel(result, how->channel[i], &probe, &record[i].component);
        if (index < 0)
            return wy_bad_input(err,
                                "%s: there is no probe \"%s\" in the result (a channel is PROBE, "
                                "PROBE.x, PROBE.y or PROBE.z)",
                                path, how->channel[i]);
        WY_TRY(read_record(result, index, &probe, arena, &record[(*count)++], err));
    }
    return WITHY_OK;
}

withy_status withy_result_sound(withy_result *result, const char *path, const withy_sound *how,
                                withy_sound_report *report, withy_error *err) {
    WY_NEED(result, path);
    const withy_sound plain = {0};
    wy_arena arena = {0};
    wy_record record[MOST_CHANNELS] = {0};
    int count;
    if (!how) how = &plain;
    withy_status status = gather(result, path, how, &arena, record, &count, err);
    if (status == WITHY_OK) status = wy_sound_write(path, record, count, how, report, err);
    wy_arena_free(&arena);
    return status;
}
