/* output_quantity.c - see output_quantity.h. */
#include "study/sweep/output_quantity.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "observe/observe.h"
#include "study/run/moments.h"
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

static withy_status read_how(wy_output_quantity *requested, const char *how, withy_error *err) {
    static const char *const word[] = {"last", "max", "min", "mean", "at=", "frequency"};
    for (int i = 0; i < 6; i++) {
        char *end;
        requested->how = (wy_reduction)i;
        if (i == WY_REDUCE_AT && strncmp(how, "at=", 3) == 0) {
            requested->at = strtod(how + 3, &end);
            if (end != how + 3 && !*end && isfinite(requested->at)) return WITHY_OK;
        } else if (strcmp(how, word[i]) == 0) {
            return WITHY_OK;
        }
    }
    return wrong(requested->text,
                 "behind the colon must be last, max, min, mean, at=T or frequency", err);
}

/* ".z", ".norm", ".2" or "" (only of a single number). */
static withy_status read_component(wy_output_quantity *requested, const char *text,
                                   withy_error *err) {
    if (!withy_component_find(requested->quantity, text, &requested->component))
        return wrong(requested->text,
                     "has no such component; write .x, .y, .z, .norm or its number", err);
    if (requested->component == WITHY_COMPONENTS && requested->quantity->size > 1)
        return wrong(requested->text, "is a vector; which component?  .x, .y, .z or .norm", err);
    return WITHY_OK;
}

static withy_status read_mode(wy_output_quantity *requested, const char *text, withy_error *err) {
    char *end;
    const long number = text[0] == '.' ? strtol(text + 1, &end, 10) : 0;
    if (number < 1 || number > 1000 || *end)
        return wrong(requested->text, "which mode?  frequency.1 is that of the lowest", err);
    requested->number = (int)number;
    return WITHY_OK;
}

static withy_status unknown(const char *text, const names *n, withy_error *err) {
    if (n->kind != WITHY_SWEEP_STATIC && strncmp(text, "stress", 6) == 0)
        return wrong(text,
                     "is that of an equilibrium: sweep with --static; of a motion name a "
                     "place, finish.stress:max",
                     err);
    char advice[WITHY_NAME + 32], known[300], name[WITHY_NAME];
    size_t used = 0;
    known[0] = '\0';
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":."), text);
    const char *one;
    for (int i = 0; used < sizeof known && (one = name_at(n, i)) != NULL; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", one);
    return wy_fail(err, WITHY_BAD_INPUT, "--want %.100s: there is no such number%s there are %s%s",
                   text, wy_did_you_mean_or(wy_suggest(name, name_at, n), advice, sizeof advice),
                   known,
                   n->kind == WITHY_SWEEP_MODES ? ""
                                                : " and QUANTITY of a rod, place, body, joint or "
                                                  "obstacle: finish.velocity.z, hub.spin.x (withy "
                                                  "list quantities)");
}

/* The name of the table that the text begins with; what follows it. */
static const char *find_source(wy_output_quantity *requested, const source *row, const char *text) {
    static const withy_quantity one = {.size = 1}, vector = {.size = 3};
    for (int i = 0; row[i].name; i++) {
        const size_t length = strlen(row[i].name);
        if (strncmp(text, row[i].name, length) != 0) continue;
        if (text[length] && text[length] != '.') continue;
        requested->source = i, requested->quantity = row[i].size > 1 ? &vector : &one;
        requested->unit = row[i].unit;
        return text + length;
    }
    return NULL;
}

/* What is no probe of the problem gets one; a vector without a component is refused. */
static withy_status read_number(wy_output_quantity *requested, const char *text, const names *n,
                                withy_error *err) {
    const withy_names all = wy_problem_names(n->problem);
    withy_number number;
    if (!withy_number_find(&all, text, &number)) return unknown(requested->text, n, err);
    requested->source = WY_WANT_NUMBER;
    requested->quantity = number.quantity, requested->unit = number.quantity->unit;
    requested->component = number.component;
    snprintf(requested->name, sizeof requested->name, "%s", text);
    return number.component == WITHY_COMPONENTS ? read_component(requested, "", err) : WITHY_OK;
}

static withy_status read_name(wy_output_quantity *requested, const char *text,
                              withy_sweep_kind kind, const withy_problem *problem,
                              withy_error *err) {
    const names n = {problem, kind};
    const size_t word = strcspn(text, ".");
    const int probe = kind == WITHY_SWEEP_MODES ? -1 : find_probe(problem, text, word);
    if (probe >= 0) {
        requested->source = WY_OUTPUT_PROBE;
        requested->quantity = quantity_of(&problem->request.probe[probe]);
        requested->unit = requested->quantity ? requested->quantity->unit : "";
        snprintf(requested->name, sizeof requested->name, "%.*s", (int)word, text);
        return requested->quantity ? read_component(requested, text + word, err)
                                   : unknown(text, &n, err);
    }
    if (kind == WITHY_SWEEP_STATIC && strncmp(text, "figure.", 7) == 0 && text[7]) {
        requested->source = WY_OUTPUT_FIGURE;
        snprintf(requested->name, sizeof requested->name, "%.63s", text + 7);
        return WITHY_OK;
    }
    const char *rest = find_source(requested, table[kind], text);
    if (kind == WITHY_SWEEP_MODES)
        return rest ? read_mode(requested, rest, err) : unknown(requested->text, &n, err);
    /* a report has the last value only */
    const int reported = rest && (kind == WITHY_SWEEP_STATIC || requested->how == WY_REDUCE_LAST);
    if (reported && read_component(requested, rest, err) == WITHY_OK) return WITHY_OK;
    const withy_names all = wy_problem_names(problem);
    withy_number number;
    if (rest && !withy_number_find(&all, text, &number))
        return reported ? read_component(requested, rest, err)
                        : wrong(requested->text,
                                "is known at the end of a run only; leave out what follows the "
                                "colon",
                                err);
    return read_number(requested, text, &n, err);
}

withy_status wy_output_quantity_read(wy_output_quantity *requested, const char *text,
                                     withy_sweep_kind kind, const withy_problem *problem,
                                     withy_error *err) {
    char name[128];
    *requested = (wy_output_quantity){.how = WY_REDUCE_LAST, .unit = ""};
    if (!text || strlen(text) >= sizeof requested->text || strchr(text, '/') || !text[0])
        return wrong(text ? text : "", "must be a name of less than 128 characters", err);
    snprintf(requested->text, sizeof requested->text, "%s", text);
    snprintf(name, sizeof name, "%s", text);
    char *colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
        WY_TRY(read_how(requested, colon + 1, err));
    }
    WY_TRY(read_name(requested, name, kind, problem, err));
    if (requested->how == WY_REDUCE_FREQUENCY) requested->unit = "Hz";
    if (kind == WITHY_SWEEP_MODES && requested->how != WY_REDUCE_LAST)
        return wrong(text, "a mode has one value; leave out what follows the colon", err);
    if (kind == WITHY_SWEEP_STATIC && requested->how == WY_REDUCE_FREQUENCY)
        return wrong(text, "a path of equilibria has no frequency", err);
    return WITHY_OK;
}

int wy_output_quantity_usual(wy_output_quantity *requested, withy_sweep_kind kind,
                             const withy_problem *problem, int modes) {
    static const char *const usual[] = {"finish.x",      "finish.y",      "finish.z",
                                        "force.start.x", "force.start.y", "force.start.z",
                                        "energy"};
    int count = 0;
    char text[128];
    withy_error err;
    if (kind == WITHY_SWEEP_MODES)
        for (int i = 1; i <= modes && count < 64; i++) {
            snprintf(text, sizeof text, "frequency.%d", i);
            count +=
                wy_output_quantity_read(&requested[count], text, kind, problem, &err) == WITHY_OK;
        }
    for (size_t i = 0; kind != WITHY_SWEEP_MODES && i < sizeof usual / sizeof *usual; i++)
        count +=
            wy_output_quantity_read(&requested[count], usual[i], kind, problem, &err) == WITHY_OK;
    for (int i = 0; kind == WITHY_SWEEP_RUN && i < problem->request.probe_count; i++) {
        const withy_probe *probe = &problem->request.probe[i];
        const withy_quantity *q = quantity_of(probe);
        const int size = q ? q->size : 0;
        for (int k = 0; k < size && count < 64; k++) {
            snprintf(text, sizeof text, size > 1 ? "%s.%d" : "%s", probe->name, k + 1);
            if (size == 3) snprintf(text, sizeof text, "%s.%c", probe->name, "xyz"[k]);
            count +=
                wy_output_quantity_read(&requested[count], text, kind, problem, &err) == WITHY_OK;
        }
    }
    return count;
}

/* ---- series ----------------------------------------------------------------------------------------- */

static int add(wy_samples *s, double t, double x) {
    if (s->count == s->room) {
        const int64_t room = 2 * s->room + 64;
        double *more = wy_alloc((size_t)room, 2 * sizeof *more);
        if (!more) return 0;
        if (s->count) memcpy(more, s->t, (size_t)s->count * sizeof *more);
        if (s->count) memcpy(more + room, s->x, (size_t)s->count * sizeof *more);
        wy_free(s->t);
        s->t = more, s->x = more + room, s->room = room;
    }
    s->t[s->count] = t, s->x[s->count++] = x;
    return 1;
}

/* Straight between two samples. */
static withy_status value_at(const wy_output_quantity *requested, const wy_samples *s,
                             double *value, withy_error *err) {
    for (int64_t i = 0; i + 1 < s->count; i++) {
        if (!(requested->at >= s->t[i] && requested->at <= s->t[i + 1])) continue;
        const double width = s->t[i + 1] - s->t[i];
        const double part = width > 0 ? (requested->at - s->t[i]) / width : 0;
        *value = s->x[i] + part * (s->x[i + 1] - s->x[i]);
        return WITHY_OK;
    }
    return wy_fail(err, WITHY_BAD_INPUT, "%s: there is no sample at %g", requested->text,
                   requested->at);
}

static withy_status strongest(const wy_output_quantity *requested, const wy_samples *s,
                              double *value, withy_error *err) {
    withy_partial partial;
    const int64_t last = s->count - 1;
    const double interval = last > 0 ? (s->t[last] - s->t[0]) / (double)last : 0;
    if (last < 16 || !(interval > 0))
        return wy_fail(err, WITHY_BAD_INPUT, "%s: a frequency needs at least 17 samples",
                       requested->text);
    for (int64_t i = 0; i < last; i++)
        if (!(fabs(s->t[i + 1] - s->t[i] - interval) <= 1e-6 * interval))
            return wy_fail(
                err, WITHY_BAD_INPUT,
                "%s: a frequency needs samples at equal intervals; give the probe every = "
                "...",
                requested->text);
    const double length = interval * (double)s->count;
    WY_TRY(
        withy_partial_between(s->count, s->x, interval, 4 / length, 0.5 / interval, &partial, err));
    *value = partial.frequency;
    return WITHY_OK;
}

static withy_status reduce(const wy_output_quantity *requested, const wy_samples *s, double *value,
                           withy_error *err) {
    if (s->count == 0)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "%s: there is no sample", requested->text);
    if (requested->how == WY_REDUCE_AT) return value_at(requested, s, value, err);
    if (requested->how == WY_REDUCE_FREQUENCY) return strongest(requested, s, value, err);
    wy_moments m = {0};
    for (int64_t i = 0; i < s->count; i++) wy_moments_add(&m, s->t[i], s->x[i]);
    *value = requested->how == WY_REDUCE_MAX    ? m.most
             : requested->how == WY_REDUCE_MIN  ? m.least
             : requested->how == WY_REDUCE_MEAN ? m.mean
                                                : m.x;
    return WITHY_OK;
}

/* ---- runs ------------------------------------------------------------------------------------------- */

static double value_of(const wy_output_quantity *requested, const double *x) {
    return withy_component_of(requested->quantity, requested->component, x);
}

static void take_sample(void *context, int probe, double t, const double *value) {
    wy_series *series = context;
    for (int i = 0; i < series->count; i++)
        if (series->probe[i] == probe)
            series->failed |= !add(&series->samples[i], t, value_of(&series->quantities[i], value));
}

/* The probe of a want in this problem: one of its own, or another one behind them. */
static withy_status bind(wy_series *series, int i, const withy_problem *problem, int *more,
                         withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[i];
    const int own = problem->request.probe_count;
    const withy_names all = wy_problem_names(problem);
    withy_number number;
    series->probe[i] = -1;
    if (requested->source == WY_OUTPUT_PROBE)
        series->probe[i] = find_probe(problem, requested->name, strlen(requested->name));
    if (requested->source == WY_WANT_NUMBER && withy_number_find(&all, requested->name, &number)) {
        snprintf(number.at.name, sizeof number.at.name, "%.63s", requested->text);
        /* the last sample is all that is kept: the clock has this interval anyway */
        if (requested->how == WY_REDUCE_LAST) number.at.every = problem->request.stop;
        series->probe[i] = own + *more;
        series->probes[own + (*more)++] = number.at;
    }
    if (series->probe[i] < 0 &&
        (requested->source == WY_OUTPUT_PROBE || requested->source == WY_WANT_NUMBER))
        return wy_fail(err, WITHY_BAD_INPUT, "%s: this member has no such probe", requested->text);
    return WITHY_OK;
}

withy_status wy_series_attach(wy_series *series, withy_study *study, withy_error *err) {
    const withy_problem *problem = study->problem;
    const size_t own = (size_t)problem->request.probe_count;
    int more = 0;
    series->probes = wy_alloc(own + (size_t)series->count + 1, sizeof *series->probes);
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
    for (int i = 0; i < series->count; i++) wy_free(series->samples[i].t);
    wy_free(series->probes);
}

static double number_of(const wy_output_quantity *requested, const source *row, const void *from) {
    const char *at = (const char *)from + row->at;
    if (row->size == 0) return *(const int *)at;
    return value_of(requested, (const double *)(const void *)at);
}

withy_status wy_output_quantity_of_run(const wy_series *series, int which,
                                       const withy_report *report, double *value,
                                       withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[which];
    if (series->failed) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the samples");
    if (requested->source == WY_OUTPUT_PROBE || requested->source == WY_WANT_NUMBER)
        return reduce(requested, &series->samples[which], value, err);
    *value = number_of(requested, &of_run[requested->source], report);
    return WITHY_OK;
}

/* ---- paths and modes --------------------------------------------------------------------------------- */

static withy_status figure_of(const wy_output_quantity *requested, const withy_static_point *point,
                              double *value, withy_error *err) {
    for (int i = 0; i < point->figure_count; i++)
        if (strcmp(point->figure[i].name, requested->name) == 0) {
            *value = point->figure[i].value;
            return WITHY_OK;
        }
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: the method has no figure \"%s\" (withy static --json "
                   "shows those it has)",
                   requested->text, requested->name);
}

withy_status wy_output_quantity_of_path(const wy_series *series, int which,
                                        const withy_static_report *report, double *value,
                                        withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[which];
    wy_samples s = {0};
    if (requested->source == WY_OUTPUT_PROBE || requested->source == WY_WANT_NUMBER)
        return wy_output_quantity_of_run(series, which, NULL, value, err);
    withy_status status = WITHY_OK;
    for (int i = 0; i < report->count && status == WITHY_OK; i++) {
        const withy_static_point *point = &report->point[i];
        double x = 0;
        if (requested->source == WY_OUTPUT_FIGURE)
            status = figure_of(requested, point, &x, err);
        else
            x = number_of(requested, &of_path[requested->source], point);
        if (isnan(x))
            status = wy_fail(err, WITHY_UNSUPPORTED,
                             "%s: is computed for rods with a round or tubular section, by methods "
                             "that give forces and moments along the rod, such as director",
                             requested->text);
        if (status == WITHY_OK && !add(&s, point->at.factor, x))
            status = wy_fail(err, WITHY_NO_MEMORY, "no memory for the points");
    }
    if (status == WITHY_OK) status = reduce(requested, &s, value, err);
    wy_free(s.t);
    return status;
}

withy_status wy_output_quantity_of_modes(const wy_output_quantity *requested,
                                         const withy_mode *mode, double *value, withy_error *err) {
    if (requested->number > mode[0].total)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: only %d modes were computed; ask for more with "
                       "--modes",
                       requested->text, mode[0].total);
    *value = number_of(requested, &of_modes[requested->source], &mode[requested->number - 1]);
    return WITHY_OK;
}
