/* output_quantity.c - see output_quantity.h. */
#include "study/sweep/output_quantity.h"

#include "study/run/probe.h"
#include "withy/spectrum.h"

/* ---- names ------------------------------------------------------------------------------------------ */

typedef struct source {
    const char *name;
    int whole; /* 1: an int                                   */
    size_t at; /* in withy_report or withy_static_point       */
    const char *unit;
} source;

#define OF(type, name, whole, field, unit)                                                         \
    { name, whole, offsetof(type, field), unit }

/* What is no quantity: of a report, of a point, of a mode. */
static const source of_run[] = {OF(withy_report, "energy", 0, stats.energy_end, "J"),
                                OF(withy_report, "drift", 0, stats.energy_drift, "-"),
                                {0}};
static const source of_path[] = {OF(withy_static_point, "energy", 0, at.energy, "J"),
                                 OF(withy_static_point, "factor", 0, at.factor, "-"),
                                 OF(withy_static_point, "unstable", 1, at.negative, "-"),
                                 OF(withy_static_point, "neutral", 1, at.neutral, "-"),
                                 OF(withy_static_point, "stress", 0, stress.most, "Pa"),
                                 {0}};
static const source of_modes[] = {OF(withy_mode, "frequency", 0, frequency, "Hz"),
                                  OF(withy_mode, "damping", 0, damping, "-"),
                                  OF(withy_mode, "growth", 0, growth, "1/s"),
                                  {0}};
static const source *const table[] = {
    [WITHY_SWEEP_RUN] = of_run, [WITHY_SWEEP_STATIC] = of_path, [WITHY_SWEEP_MODES] = of_modes};

/* For "did you mean": the probes, the table, places, entries of the ledger. */
typedef struct names {
    const withy_problem *problem;
    withy_sweep_kind kind;
} names;

static const char *name_at(const void *context, int index) {
    static const char *const place[] = {"start", "finish", "middle"};
    const names *n = context;
    const int modes = n->kind == WITHY_SWEEP_MODES;
    const int probes = modes ? 0 : n->problem->request.probe_count;
    if (index < probes) return n->problem->request.probe[index].name;
    index -= probes;
    for (const source *row = table[n->kind]; row->name; row++)
        if (index-- == 0) return row->name;
    if (modes || index < 3) return modes ? NULL : place[index];
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_LEDGER, &count);
    return index - 3 < count ? q[index - 3].name : NULL;
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
    return wy_bad_input(err, "%.100s: %s", text, why);
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
        return wrong(requested->text,
                     "needs the number of a mode, from 1 (the lowest) to 1000: frequency.1", err);
    requested->number = (int)number;
    return WITHY_OK;
}

/* "finish.w" is a number but for its component. */
static int lacks_component(const char *text, const names *n) {
    const withy_names all = wy_problem_names(n->problem);
    withy_number number;
    char cut[128];
    snprintf(cut, sizeof cut, "%.*s", (int)strcspn(text, ":"), text);
    char *dot = strrchr(cut, '.');
    if (dot) *dot = '\0';
    return dot && withy_number_find(&all, cut, &number);
}

static withy_status unknown(const char *text, const names *n, withy_error *err) {
    const int modes = n->kind == WITHY_SWEEP_MODES;
    if (n->kind != WITHY_SWEEP_STATIC && strncmp(text, "stress", 6) == 0)
        return wrong(
            text,
            "is computed for equilibria only: sweep with --static; for a motion name a place, "
            "finish.stress:max",
            err);
    if (!modes && lacks_component(text, n))
        return wrong(text, "has no such quantity or component (withy list quantities)", err);
    char advice[WITHY_NAME + 32], known[300], name[WITHY_NAME];
    size_t used = 0;
    known[0] = '\0';
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":."), text);
    const char *one;
    for (int i = 0; used < sizeof known - WITHY_NAME && (one = name_at(n, i)) != NULL; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", one);
    return wy_bad_input(err, "%.100s: there is no such number%s there are %s%s", text,
                        wy_did_you_mean_or(wy_suggest(name, name_at, n), advice, sizeof advice),
                        known,
                        modes ? ""
                              : ", ... and QUANTITY of a rod, place, body, joint or obstacle: "
                                "finish.velocity.z, hub.spin.x (withy list quantities)");
}

/* The name of the table that the text begins with; what follows it. */
static const char *find_source(wy_output_quantity *requested, const source *row, const char *text) {
    static const withy_quantity number = {.size = 1};
    for (int i = 0; row[i].name; i++) {
        const size_t length = strlen(row[i].name);
        if (strncmp(text, row[i].name, length) != 0) continue;
        if (text[length] && text[length] != '.') continue;
        requested->source = i, requested->quantity = &number, requested->unit = row[i].unit;
        return text + length;
    }
    return NULL;
}

static withy_status read_probe(wy_output_quantity *requested, const withy_probe *probe,
                               const char *rest, withy_error *err) {
    requested->source = WY_OUTPUT_PROBE;
    requested->quantity = quantity_of(probe);
    if (!requested->quantity) return wrong(requested->text, "is a probe of no quantity", err);
    requested->unit = requested->quantity->unit;
    snprintf(requested->name, sizeof requested->name, "%s", probe->name);
    return read_component(requested, rest, err);
}

/* What is no probe of the problem gets one; a vector without a component is refused. */
static withy_status read_number(wy_output_quantity *requested, const char *text, const names *n,
                                withy_error *err) {
    const withy_names all = wy_problem_names(n->problem);
    withy_number number;
    if (!withy_number_find(&all, text, &number)) return unknown(requested->text, n, err);
    requested->source = WY_OUTPUT_NUMBER;
    requested->quantity = number.quantity, requested->unit = number.quantity->unit;
    requested->component = number.component;
    snprintf(requested->name, sizeof requested->name, "%s", text);
    return number.component == WITHY_COMPONENTS ? read_component(requested, "", err) : WITHY_OK;
}

static withy_status read_name(wy_output_quantity *requested, const char *text, const names *n,
                              withy_error *err) {
    const size_t word = strcspn(text, ".");
    const int modes = n->kind == WITHY_SWEEP_MODES;
    const int probe = modes ? -1 : find_probe(n->problem, text, word);
    if (probe >= 0)
        return read_probe(requested, &n->problem->request.probe[probe], text + word, err);
    if (n->kind == WITHY_SWEEP_STATIC && strncmp(text, "figure.", 7) == 0 && text[7]) {
        requested->source = WY_OUTPUT_FIGURE;
        snprintf(requested->name, sizeof requested->name, "%.63s", text + 7);
        return WITHY_OK;
    }
    const char *rest = find_source(requested, table[n->kind], text);
    if (modes) return rest ? read_mode(requested, rest, err) : unknown(requested->text, n, err);
    if (rest && n->kind == WITHY_SWEEP_RUN && requested->how != WY_REDUCE_LAST)
        return wrong(requested->text,
                     "is known at the end of a run only; leave out what follows the colon", err);
    return rest ? read_component(requested, rest, err) : read_number(requested, text, n, err);
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
    WY_TRY(read_name(requested, name, &(names){problem, kind}, err));
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
    return wy_bad_input(err, "%s: there is no sample at %g", requested->text, requested->at);
}

static withy_status strongest(const wy_output_quantity *requested, const wy_samples *s,
                              double *value, withy_error *err) {
    withy_partial partial;
    const int64_t last = s->count - 1;
    const double interval = last > 0 ? (s->t[last] - s->t[0]) / (double)last : 0;
    if (last < 16 || !(interval > 0))
        return wy_bad_input(err, "%s: a frequency needs at least 17 samples", requested->text);
    for (int64_t i = 0; i < last; i++)
        if (!(fabs(s->t[i + 1] - s->t[i] - interval) <= 1e-6 * interval))
            return wy_bad_input(
                err, "%s: a frequency needs samples at equal intervals; give the probe every = ...",
                requested->text);
    const double length = interval * (double)s->count;
    WY_TRY(
        withy_partial_between(s->count, s->x, interval, 4 / length, 0.5 / interval, &partial, err));
    *value = partial.frequency;
    return WITHY_OK;
}

static withy_status reduce(const wy_output_quantity *requested, const wy_samples *s, double *value,
                           withy_error *err) {
    if (s->count == 0) return wy_no_convergence(err, "%s: there is no sample", requested->text);
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

/* The probe of a request in this problem: one of its own, or another one behind them. */
static withy_status bind(wy_series *series, int i, const withy_problem *problem, int *more,
                         withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[i];
    const withy_names all = wy_problem_names(problem);
    withy_number number;
    series->probe[i] = -1;
    if (requested->source == WY_OUTPUT_PROBE)
        series->probe[i] = find_probe(problem, requested->name, strlen(requested->name));
    if (requested->source == WY_OUTPUT_NUMBER &&
        withy_number_find(&all, requested->name, &number)) {
        snprintf(number.at.name, sizeof number.at.name, "%.63s", requested->text);
        /* the last sample is all that is kept: the clock has this interval anyway */
        if (requested->how == WY_REDUCE_LAST) number.at.every = problem->request.stop;
        series->probe[i] = problem->request.probe_count + *more;
        series->more[(*more)++] = number.at;
    }
    if (series->probe[i] < 0 &&
        (requested->source == WY_OUTPUT_PROBE || requested->source == WY_OUTPUT_NUMBER))
        return wy_bad_input(err, "%s: this member has no such probe", requested->text);
    return WITHY_OK;
}

withy_status wy_series_attach(wy_series *series, withy_study *study, withy_error *err) {
    int more = 0;
    series->more = wy_alloc((size_t)series->count + 1, sizeof *series->more);
    if (!series->more) return wy_no_memory(err, "no memory for the probes");
    for (int i = 0; i < series->count; i++) WY_TRY(bind(series, i, study->problem, &more, err));
    study->probe = series->more, study->probe_count = more;
    study->sample = take_sample, study->sample_context = series;
    return WITHY_OK;
}

void wy_series_free(wy_series *series) {
    for (int i = 0; i < series->count; i++) wy_free(series->samples[i].t);
    wy_free(series->more);
}

static double number_of(const source *row, const void *from) {
    const char *at = (const char *)from + row->at;
    return row->whole ? *(const int *)(const void *)at : *(const double *)(const void *)at;
}

withy_status wy_output_quantity_of_run(const wy_series *series, int which,
                                       const withy_report *report, double *value,
                                       withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[which];
    if (series->failed) return wy_no_memory(err, "no memory for the samples");
    if (requested->source == WY_OUTPUT_PROBE || requested->source == WY_OUTPUT_NUMBER)
        return reduce(requested, &series->samples[which], value, err);
    *value = number_of(&of_run[requested->source], report);
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
    return wy_bad_input(
        err, "%s: the method has no figure \"%s\" (withy static --json shows those it has)",
        requested->text, requested->name);
}

withy_status wy_output_quantity_of_path(const wy_series *series, int which,
                                        const withy_static_report *report, double *value,
                                        withy_error *err) {
    const wy_output_quantity *requested = &series->quantities[which];
    wy_samples s = {0};
    if (requested->source == WY_OUTPUT_PROBE || requested->source == WY_OUTPUT_NUMBER)
        return wy_output_quantity_of_run(series, which, NULL, value, err);
    withy_status status = WITHY_OK;
    for (int i = 0; i < report->count && status == WITHY_OK; i++) {
        const withy_static_point *point = &report->point[i];
        double x = 0;
        if (requested->source == WY_OUTPUT_FIGURE)
            status = figure_of(requested, point, &x, err);
        else
            x = number_of(&of_path[requested->source], point);
        if (isnan(x))
            status = wy_unsupported(
                err,
                "%s: is computed for rods with a round or tubular section, by methods that give "
                "forces and moments along the rod, such as director",
                requested->text);
        if (status == WITHY_OK && !add(&s, point->at.factor, x))
            status = wy_no_memory(err, "no memory for the points");
    }
    if (status == WITHY_OK) status = reduce(requested, &s, value, err);
    wy_free(s.t);
    return status;
}

withy_status wy_output_quantity_of_modes(const wy_output_quantity *requested,
                                         const withy_mode *mode, double *value, withy_error *err) {
    if (requested->number > mode[0].total)
        return wy_bad_input(err, "%s: only %d modes were computed; ask for more with --modes",
                            requested->text, mode[0].total);
    *value = number_of(&of_modes[requested->source], &mode[requested->number - 1]);
    return WITHY_OK;
}
