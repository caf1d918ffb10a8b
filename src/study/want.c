/* want.c - see want.h. */
#include "study/want.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "observe/observe.h"
#include "study/moments.h"
#include "withy/spectrum.h"

/* ---- names ------------------------------------------------------------------------------------------ */

typedef struct source {
    const char *name;
    int size;  /* 3: a vector, 1: a number, 0: a whole number (int) */
    size_t at; /* in withy_report or withy_static_point              */
    const char *unit;
} source;

#define OF(type, name, size, field, unit)                                                          \
    { name, size, offsetof(type, field), unit }
#define ENDS(type)                                                                                 \
    OF(type, "start", 3, position[0], "m"), OF(type, "finish", 3, position[1], "m"),               \
        OF(type, "force.start", 3, reaction[0], "N"),                                              \
        OF(type, "force.finish", 3, reaction[1], "N"),                                             \
        OF(type, "moment.start", 3, reaction_moment[0], "N m"),                                    \
        OF(type, "moment.finish", 3, reaction_moment[1], "N m")

static const source of_run[] = {ENDS(withy_report),
                                OF(withy_report, "energy", 1, stats.energy_end, "J"),
                                OF(withy_report, "drift", 1, stats.energy_drift, "-"),
                                OF(withy_report, "kinetic", 1, energy.kinetic, "J"),
                                OF(withy_report, "shear", 1, energy.shear, "J"),
                                OF(withy_report, "stretch", 1, energy.stretch, "J"),
                                OF(withy_report, "bend", 1, energy.bend, "J"),
                                OF(withy_report, "twist", 1, energy.twist, "J"),
                                OF(withy_report, "gravity", 1, energy.gravity, "J"),
                                {0}};
static const source of_path[] = {ENDS(withy_static_point),
                                 OF(withy_static_point, "energy", 1, at.energy, "J"),
                                 OF(withy_static_point, "factor", 1, at.factor, "-"),
                                 OF(withy_static_point, "negative", 0, at.negative, "-"),
                                 OF(withy_static_point, "stress", 1, stress.most, "Pa"),
                                 {0}};
static const source of_modes[] = {OF(withy_mode, "frequency", 1, frequency, "Hz"),
                                  OF(withy_mode, "damping", 1, damping, "-"),
                                  OF(withy_mode, "growth", 1, growth, "1/s"),
                                  {0}};
static const source *const table[] = {
    [WITHY_SWEEP_RUN] = of_run, [WITHY_SWEEP_STATIC] = of_path, [WITHY_SWEEP_MODES] = of_modes};

/* For "did you mean": the probes, then the table. */
typedef struct names {
    const withy_problem *problem;
    withy_sweep_kind kind;
} names;

static const char *name_at(const void *context, int index) {
    const names *n = context;
    const int probes = n->kind == WITHY_SWEEP_MODES ? 0 : n->problem->request.probe_count;
    if (index < probes) return n->problem->request.probe[index].name;
    const source *row = table[n->kind];
    for (int i = 0; i < index - probes && row->name; i++) row++;
    return row->name;
}

static int find_probe(const withy_problem *problem, const char *name, size_t length) {
    for (int i = 0; i < problem->request.probe_count; i++)
        if (strlen(problem->request.probe[i].name) == length &&
            memcmp(problem->request.probe[i].name, name, length) == 0)
            return i;
    return -1;
}

static const withy_quantity *quantity_of(const withy_probe *probe) {
    return withy_quantity_find((int)probe->of, probe->what);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static withy_status wrong(const char *text, const char *why, withy_error *err) {
    return wy_fail(err, WITHY_BAD_INPUT, "--want %.100s: %s", text, why);
}

static withy_status read_how(wy_want *want, const char *how, withy_error *err) {
    static const char *const word[] = {"last", "max", "min", "mean", "at=", "frequency"};
    for (int i = 0; i < 6; i++) {
        char *end;
        want->how = (wy_want_how)i;
        if (i == WY_WANT_AT && strncmp(how, "at=", 3) == 0) {
            want->at = strtod(how + 3, &end);
            if (end != how + 3 && !*end && isfinite(want->at)) return WITHY_OK;
        } else if (strcmp(how, word[i]) == 0) {
            return WITHY_OK;
        }
    }
    return wrong(want->text, "behind the colon must be last, max, min, mean, at=T or frequency",
                 err);
}

/* ".z", ".norm", ".2" or "" (only of a single number). */
static withy_status read_component(wy_want *want, const char *text, withy_error *err) {
    if (!withy_component_find(want->quantity, text, &want->component))
        return wrong(want->text, "has no such component; write .x, .y, .z, .norm or its number",
                     err);
    if (want->component == WITHY_COMPONENTS && want->quantity->size > 1)
        return wrong(want->text, "is a vector; which component?  .x, .y, .z or .norm", err);
    return WITHY_OK;
}

static withy_status read_mode(wy_want *want, const char *text, withy_error *err) {
    char *end;
    const long number = text[0] == '.' ? strtol(text + 1, &end, 10) : 0;
    if (number < 1 || number > 1000 || *end)
        return wrong(want->text, "which mode?  frequency.1 is that of the lowest", err);
    want->number = (int)number;
    return WITHY_OK;
}

static withy_status unknown(const char *text, const names *n, withy_error *err) {
    if (n->kind != WITHY_SWEEP_STATIC && strncmp(text, "stress", 6) == 0)
        return wrong(text,
                     "is that of an equilibrium: sweep with --static; of a motion name a "
                     "place, finish.stress:max",
                     err);
    char hint[WITHY_NAME + 32], known[300], name[WITHY_NAME];
    size_t used = 0;
    known[0] = '\0';
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":."), text);
    const char *one;
    for (int i = 0; used < sizeof known && (one = name_at(n, i)) != NULL; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", one);
    return wy_fail(err, WITHY_BAD_INPUT, "--want %.100s: there is no such number%s there are %s%s",
                   text, wy_did_you_mean_or(wy_suggest(name, name_at, n), hint, sizeof hint), known,
                   n->kind == WITHY_SWEEP_MODES ? ""
                                                : " and QUANTITY of a rod, place, body, joint or "
                                                  "obstacle: finish.velocity.z, hub.spin.x (withy "
                                                  "list quantities)");
}

/* The name of the table that the text begins with; what follows it. */
static const char *find_source(wy_want *want, const source *row, const char *text) {
    static const withy_quantity one = {.size = 1}, vector = {.size = 3};
    for (int i = 0; row[i].name; i++) {
        const size_t length = strlen(row[i].name);
        if (strncmp(text, row[i].name, length) != 0) continue;
        if (text[length] && text[length] != '.') continue;
        want->source = i, want->quantity = row[i].size > 1 ? &vector : &one;
        want->unit = row[i].unit;
        return text + length;
    }
    return NULL;
}

/* What is no probe of the problem gets one; a vector without a component is refused. */
static withy_status read_number(wy_want *want, const char *text, const names *n, withy_error *err) {
    const withy_names all = wy_problem_names(n->problem);
    withy_number number;
    if (!withy_number_find(&all, text, &number)) return unknown(want->text, n, err);
    want->source = WY_WANT_NUMBER;
    want->quantity = number.quantity, want->unit = number.quantity->unit;
    want->component = number.component;
    snprintf(want->name, sizeof want->name, "%s", text);
    return number.component == WITHY_COMPONENTS ? read_component(want, "", err) : WITHY_OK;
}

static withy_status read_name(wy_want *want, const char *text, withy_sweep_kind kind,
                              const withy_problem *problem, withy_error *err) {
    const names n = {problem, kind};
    const size_t word = strcspn(text, ".");
    const int probe = kind == WITHY_SWEEP_MODES ? -1 : find_probe(problem, text, word);
    if (probe >= 0) {
        want->source = WY_WANT_PROBE;
        want->quantity = quantity_of(&problem->request.probe[probe]);
        want->unit = want->quantity ? want->quantity->unit : "";
        snprintf(want->name, sizeof want->name, "%.*s", (int)word, text);
        return want->quantity ? read_component(want, text + word, err) : unknown(text, &n, err);
    }
    if (kind == WITHY_SWEEP_STATIC && strncmp(text, "figure.", 7) == 0 && text[7]) {
        want->source = WY_WANT_FIGURE;
        snprintf(want->name, sizeof want->name, "%.63s", text + 7);
        return WITHY_OK;
    }
    const char *rest = find_source(want, table[kind], text);
    if (kind == WITHY_SWEEP_MODES)
        return rest ? read_mode(want, rest, err) : unknown(want->text, &n, err);
    /* a report has the last value only */
    const int reported = rest && (kind == WITHY_SWEEP_STATIC || want->how == WY_WANT_LAST);
    if (reported && read_component(want, rest, err) == WITHY_OK) return WITHY_OK;
    const withy_names all = wy_problem_names(problem);
    withy_number number;
    if (rest && !withy_number_find(&all, text, &number))
        return reported ? read_component(want, rest, err)
                        : wrong(want->text,
                                "is known at the end of a run only; leave out what follows the "
                                "colon",
                                err);
    return read_number(want, text, &n, err);
}

withy_status wy_want_read(wy_want *want, const char *text, withy_sweep_kind kind,
                          const withy_problem *problem, withy_error *err) {
    char name[128];
    *want = (wy_want){.how = WY_WANT_LAST, .unit = ""};
    if (!text || strlen(text) >= sizeof want->text || strchr(text, '/') || !text[0])
        return wrong(text ? text : "", "must be a name of less than 128 characters", err);
    snprintf(want->text, sizeof want->text, "%s", text);
    snprintf(name, sizeof name, "%s", text);
    char *colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
        WY_TRY(read_how(want, colon + 1, err));
    }
    WY_TRY(read_name(want, name, kind, problem, err));
    if (want->how == WY_WANT_FREQUENCY) want->unit = "Hz";
    if (kind == WITHY_SWEEP_MODES && want->how != WY_WANT_LAST)
        return wrong(text, "a mode has one value; leave out what follows the colon", err);
    if (kind == WITHY_SWEEP_STATIC && want->how == WY_WANT_FREQUENCY)
        return wrong(text, "a path of equilibria has no frequency", err);
    return WITHY_OK;
}

int wy_want_usual(wy_want *want, withy_sweep_kind kind, const withy_problem *problem, int modes) {
    static const char *const usual[] = {"finish.x",      "finish.y",      "finish.z",
                                        "force.start.x", "force.start.y", "force.start.z",
                                        "energy"};
    int count = 0;
    char text[128];
    withy_error err;
    if (kind == WITHY_SWEEP_MODES)
        for (int i = 1; i <= modes && count < 64; i++) {
            snprintf(text, sizeof text, "frequency.%d", i);
            count += wy_want_read(&want[count], text, kind, problem, &err) == WITHY_OK;
        }
    for (size_t i = 0; kind != WITHY_SWEEP_MODES && i < sizeof usual / sizeof *usual; i++)
        count += wy_want_read(&want[count], usual[i], kind, problem, &err) == WITHY_OK;
    for (int i = 0; kind == WITHY_SWEEP_RUN && i < problem->request.probe_count; i++) {
        const withy_probe *probe = &problem->request.probe[i];
        const withy_quantity *q = quantity_of(probe);
        const int size = q ? q->size : 0;
        for (int k = 0; k < size && count < 64; k++) {
            snprintf(text, sizeof text, size > 1 ? "%s.%d" : "%s", probe->name, k + 1);
            if (size == 3) snprintf(text, sizeof text, "%s.%c", probe->name, "xyz"[k]);
            count += wy_want_read(&want[count], text, kind, problem, &err) == WITHY_OK;
        }
    }
    return count;
}

/* ---- series ----------------------------------------------------------------------------------------- */

static int add(wy_samples *s, double t, double x) {
    if (s->count == s->room) {
        const int64_t room = 2 * s->room + 64;
        double *more = wy_take((size_t)room, 2 * sizeof *more);
        if (!more) return 0;
        if (s->count) memcpy(more, s->t, (size_t)s->count * sizeof *more);
        if (s->count) memcpy(more + room, s->x, (size_t)s->count * sizeof *more);
        wy_give(s->t);
        s->t = more, s->x = more + room, s->room = room;
    }
    s->t[s->count] = t, s->x[s->count++] = x;
    return 1;
}

/* Straight between two samples. */
static withy_status value_at(const wy_want *want, const wy_samples *s, double *value,
                             withy_error *err) {
    for (int64_t i = 0; i + 1 < s->count; i++) {
        if (!(want->at >= s->t[i] && want->at <= s->t[i + 1])) continue;
        const double width = s->t[i + 1] - s->t[i];
        const double part = width > 0 ? (want->at - s->t[i]) / width : 0;
        *value = s->x[i] + part * (s->x[i + 1] - s->x[i]);
        return WITHY_OK;
    }
    return wy_fail(err, WITHY_BAD_INPUT, "%s: there is no sample at %g", want->text, want->at);
}

static withy_status strongest(const wy_want *want, const wy_samples *s, double *value,
                              withy_error *err) {
    withy_partial partial;
    const int64_t last = s->count - 1;
    const double interval = last > 0 ? (s->t[last] - s->t[0]) / (double)last : 0;
    if (last < 16 || !(interval > 0))
        return wy_fail(err, WITHY_BAD_INPUT, "%s: a frequency needs at least 17 samples",
                       want->text);
    for (int64_t i = 0; i < last; i++)
        if (!(fabs(s->t[i + 1] - s->t[i] - interval) <= 1e-6 * interval))
            return wy_fail(
                err, WITHY_BAD_INPUT,
                "%s: a frequency needs samples at equal intervals; give the probe every = "
                "...",
                want->text);
    const double length = interval * (double)s->count;
    WY_TRY(
        withy_partial_between(s->count, s->x, interval, 4 / length, 0.5 / interval, &partial, err));
    *value = partial.frequency;
    return WITHY_OK;
}

static withy_status reduce(const wy_want *want, const wy_samples *s, double *value,
                           withy_error *err) {
    if (s->count == 0)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "%s: there is no sample", want->text);
    if (want->how == WY_WANT_AT) return value_at(want, s, value, err);
    if (want->how == WY_WANT_FREQUENCY) return strongest(want, s, value, err);
    wy_moments m = {0};
    for (int64_t i = 0; i < s->count; i++) wy_moments_add(&m, s->t[i], s->x[i]);
    *value = want->how == WY_WANT_MAX    ? m.most
             : want->how == WY_WANT_MIN  ? m.least
             : want->how == WY_WANT_MEAN ? m.mean
                                         : m.x;
    return WITHY_OK;
}

/* ---- runs ------------------------------------------------------------------------------------------- */

static double value_of(const wy_want *want, const double *x) {
    return withy_component_of(want->quantity, want->component, x);
}

static void take_sample(void *context, int probe, double t, const double *value) {
    wy_series *series = context;
    for (int i = 0; i < series->count; i++)
        if (series->probe[i] == probe)
            series->failed |= !add(&series->samples[i], t, value_of(&series->wants[i], value));
}

/* The probe of a want in this problem: one of its own, or another one behind them. */
static withy_status bind(wy_series *series, int i, const withy_problem *problem, int *more,
                         withy_error *err) {
    const wy_want *want = &series->wants[i];
    const int own = problem->request.probe_count;
    const withy_names all = wy_problem_names(problem);
    withy_number number;
    series->probe[i] = -1;
    if (want->source == WY_WANT_PROBE)
        series->probe[i] = find_probe(problem, want->name, strlen(want->name));
    if (want->source == WY_WANT_NUMBER && withy_number_find(&all, want->name, &number)) {
        snprintf(number.at.name, sizeof number.at.name, "%.63s", want->text);
        /* the last sample is all that is kept: the clock has this interval anyway */
        if (want->how == WY_WANT_LAST) number.at.every = problem->request.stop;
        series->probe[i] = own + *more;
        series->probes[own + (*more)++] = number.at;
    }
    if (series->probe[i] < 0 && (want->source == WY_WANT_PROBE || want->source == WY_WANT_NUMBER))
        return wy_fail(err, WITHY_BAD_INPUT, "%s: this member has no such probe", want->text);
    return WITHY_OK;
}

withy_status wy_series_attach(wy_series *series, withy_study *study, withy_error *err) {
    const withy_problem *problem = study->problem;
    const size_t own = (size_t)problem->request.probe_count;
    int more = 0;
    series->probes = wy_take(own + (size_t)series->count + 1, sizeof *series->probes);
    if (!series->probes) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the probes");
    if (own) memcpy(series->probes, problem->request.probe, own * sizeof *series->probes);
    for (int i = 0; i < series->count; i++) WY_TRY(bind(series, i, problem, &more, err));
    series->problem = *problem;
    series->problem.request.probe = series->probes;
    series->problem.request.probe_count = (int)own + more;
    if (more) study->problem = &series->problem;
    study->sample = take_sample, study->sample_context = series;
    return WITHY_OK;
}

void wy_series_free(wy_series *series) {
    for (int i = 0; i < series->count; i++) wy_give(series->samples[i].t);
    wy_give(series->probes);
}

static double number_of(const wy_want *want, const source *row, const void *from) {
    const char *at = (const char *)from + row->at;
    if (row->size == 0) return *(const int *)at;
    return value_of(want, (const double *)(const void *)at);
}

withy_status wy_want_of_run(const wy_series *series, int which, const withy_report *report,
                            double *value, withy_error *err) {
    const wy_want *want = &series->wants[which];
    if (series->failed) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the samples");
    if (want->source == WY_WANT_PROBE || want->source == WY_WANT_NUMBER)
        return reduce(want, &series->samples[which], value, err);
    *value = number_of(want, &of_run[want->source], report);
    return WITHY_OK;
}

/* ---- paths and modes --------------------------------------------------------------------------------- */

static withy_status figure_of(const wy_want *want, const withy_static_point *point, double *value,
                              withy_error *err) {
    for (int i = 0; i < point->figure_count; i++)
        if (strcmp(point->figure[i].name, want->name) == 0) {
            *value = point->figure[i].value;
            return WITHY_OK;
        }
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: the method has no figure \"%s\" (withy static --json "
                   "shows those it has)",
                   want->text, want->name);
}

withy_status wy_want_of_path(const wy_series *series, int which, const withy_static_report *report,
                             double *value, withy_error *err) {
    const wy_want *want = &series->wants[which];
    wy_samples s = {0};
    if (want->source == WY_WANT_PROBE || want->source == WY_WANT_NUMBER)
        return wy_want_of_run(series, which, NULL, value, err);
    withy_status status = WITHY_OK;
    for (int i = 0; i < report->count && status == WITHY_OK; i++) {
        const withy_static_point *point = &report->point[i];
        double x = 0;
        if (want->source == WY_WANT_FIGURE)
            status = figure_of(want, point, &x, err);
        else
            x = number_of(want, &of_path[want->source], point);
        if (isnan(x))
            status = wy_fail(err, WITHY_UNSUPPORTED,
                             "%s: is computed for rods with a round or tubular section, by methods "
                             "that give forces and moments along the rod, such as director",
                             want->text);
        if (status == WITHY_OK && !add(&s, point->at.factor, x))
            status = wy_fail(err, WITHY_NO_MEMORY, "no memory for the points");
    }
    if (status == WITHY_OK) status = reduce(want, &s, value, err);
    wy_give(s.t);
    return status;
}

withy_status wy_want_of_modes(const wy_want *want, const withy_mode *mode, double *value,
                              withy_error *err) {
    if (want->number > mode[0].total)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: only %d modes were computed; ask for more with "
                       "--modes",
                       want->text, mode[0].total);
    *value = number_of(want, &of_modes[want->source], &mode[want->number - 1]);
    return WITHY_OK;
}
