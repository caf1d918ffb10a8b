/* cmd_cycles.c - withy cycles: rain-flow counting of the probes of a result, and damage by an S-N line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct arguments {
    cli_list probe;
    const char *slope, *strength;
    double m, k; /* of the S-N line N = k range^-m; NAN: not given */
    int json;
} arguments;

/* One component of a probe. */
typedef struct row {
    char name[WITHY_NAME + 16];
    const char *unit;
    int64_t samples, cycles;
    double total, largest, duration, sum; /* cycles, range, [s], sum of count * (range/largest)^m */
} row;

/* The range that does as much damage in one cycle per second. */
static double equivalent(const row *r, double m) {
    return r->duration > 0 ? r->largest * pow(r->sum / r->duration, 1 / m) : NAN;
}

/* The sum of count * range^m over K, whatever the size of its parts. */
static double damage(const row *r, const arguments *a) {
    return r->sum > 0 ? exp(log(r->sum) + a->m * log(r->largest) - log(a->k)) : 0;
}

static void print_row(const row *r, const arguments *a) {
    cli_print("  %-20s %10lld %10.6g %14.6g", r->name, (long long)r->samples, r->total, r->largest);
    if (!isnan(a->m)) cli_print(" %14.6g", equivalent(r, a->m));
    if (!isnan(a->k) && damage(r, a) > 0)
        cli_print(" %12.5g %14.6g", damage(r, a), r->duration / damage(r, a));
    else if (!isnan(a->k))
        cli_print(" %12d %14s", 0, "-");
    cli_print("  %s\n", r->unit);
}

static void print_head(const char *file, const arguments *a) {
    cli_print("%s: rain-flow cycles of probes\n  %-20s %10s %10s %14s", file, "probe", "samples",
              "cycles", "largest range");
    if (!isnan(a->m)) cli_print(" %14s", "range at 1 Hz");
    if (!isnan(a->k)) cli_print(" %12s %14s", "damage", "life [s]");
    cli_print("  unit\n");
}

static void print_json(cli_json *json, const row *r, const arguments *a) {
    json_open(json, NULL, '{');
    json_text(json, "probe", r->name);
    json_text(json, "unit", r->unit);
    json_whole(json, "samples", r->samples);
    json_number(json, "cycles", r->total);
    json_number(json, "largest", r->largest);
    json_number(json, "duration", r->duration);
    if (!isnan(a->m)) json_number(json, "range_1_hz", equivalent(r, a->m));
    if (!isnan(a->k)) json_number(json, "damage", damage(r, a));
    if (!isnan(a->k)) json_number(json, "life", r->duration / damage(r, a));
    json_close(json, '}');
}

static void sum_up(row *r, withy_cycle *cycle, const arguments *a) {
    for (int64_t i = 0; i < r->cycles; i++) {
        r->total += cycle[i].count;
        r->largest = fmax(r->largest, cycle[i].range);
    }
    for (int64_t i = 0; i < r->cycles; i++) cycle[i].range /= r->largest;
    if (!isnan(a->m)) r->sum = withy_cycles_sum(cycle, r->cycles, a->m);
}

static int is_asked(const arguments *a, const char *probe, const char *component) {
    for (int i = 0; i < a->probe.count; i++)
        if (strcmp(a->probe.item[i], probe) == 0 || strcmp(a->probe.item[i], component) == 0)
            return 1;
    return a->probe.count == 0;
}

static void name_component(const withy_result_probe *p, int c, char *name, size_t size) {
    if (p->size == 1)
        snprintf(name, size, "%s", p->name);
    else if (p->size == 3)
        snprintf(name, size, "%s.%c", p->name, "xyz"[c]);
    else
        snprintf(name, size, "%s.%d", p->name, c + 1);
}

/* All components of one probe; how many were printed, -1: err. */
static int count_probe(withy_result *result, int index, const withy_result_probe *p,
                       const arguments *a, cli_json *json, withy_error *err) {
    const size_t n = (size_t)p->count, size = (size_t)p->size;
    double *t = calloc(n + 1, sizeof *t), *value = calloc(n * size + 1, sizeof *value);
    double *one = calloc(n + 1, sizeof *one);
    withy_cycle *cycle = calloc(n + 1, sizeof *cycle);
    const withy_quantity *what = withy_quantity_find((int)p->of, p->what);
    withy_status status = t && value && one && cycle
                              ? withy_result_probe_read(result, index, t, value, err)
                              : (snprintf(err->text, sizeof err->text, "no memory for %s", p->name),
                                 err->code = WITHY_NO_MEMORY);
    int printed = 0;
    for (int c = 0; c < p->size && status == WITHY_OK; c++) {
        row r = {.unit = what ? what->unit : "", .samples = p->count};
        name_component(p, c, r.name, sizeof r.name);
        if (!is_asked(a, p->name, r.name)) continue;
        for (size_t i = 0; i < n; i++) one[i] = value[i * size + (size_t)c];
        status = withy_cycles(p->count, one, cycle, &r.cycles, err);
        if (status != WITHY_OK) break;
        r.duration = n > 1 ? t[n - 1] - t[0] : 0;
        sum_up(&r, cycle, a);
        json ? print_json(json, &r, a) : print_row(&r, a);
        printed++;
    }
    free(t), free(value), free(one), free(cycle);
    return status == WITHY_OK ? printed : -1;
}

static int count_all(withy_result *result, const char *file, const arguments *a) {
    withy_result_probe probe;
    withy_error err = {0};
    cli_json json = {0};
    int printed = 0, more = 0;
    if (a->json) json_open(&json, NULL, '{'), json_text(&json, "result", file);
    if (a->json) json_open(&json, "probes", '[');
    if (!a->json) print_head(file, a);
    for (int i = 0; more >= 0 && withy_result_probe_at(result, i, &probe); i++) {
        more = count_probe(result, i, &probe, a, a->json ? &json : NULL, &err);
        printed += more;
    }
    if (a->json) json_close(&json, ']'), json_close(&json, '}');
    return more < 0 ? cli_error(&err) : CLI_OK;
}

/* Is every --probe there? */
static int check_probes(const withy_result *result, const char *file, const arguments *a) {
    withy_result_probe probe;
    char component[WITHY_NAME + 16], known[400] = "";
    for (int k = 0; k < a->probe.count; k++) {
        int found = 0;
        for (int i = 0; withy_result_probe_at(result, i, &probe); i++) {
            found |= strcmp(a->probe.item[k], probe.name) == 0;
            for (int c = 0; c < probe.size; c++) {
                name_component(&probe, c, component, sizeof component);
                found |= strcmp(a->probe.item[k], component) == 0;
            }
            if (k == 0 && strlen(known) + sizeof probe.name + 3 < sizeof known)
                snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                         known[0] ? ", " : "", probe.name);
        }
        if (found) continue;
        cli_warn("withy: --probe %s: %s has no such probe; it has %s\n", a->probe.item[k], file,
                 known[0] ? known : "none");
        return CLI_USAGE;
    }
    if (withy_result_probe_at(result, 0, &probe)) return -1;
    cli_warn("withy: %s has no probes; add probes = { tip = { at = 1 } } to the scene\n", file);
    return CLI_USAGE;
}

/* NAN where it is not given; 0: it is wrong, and a message has been printed. */
static int read_number(const char *option, const char *text, double *value) {
    char *end;
    *value = NAN;
    if (!text) return 1;
    *value = strtod(text, &end);
    if (end != text && !*end && *value > 0 && isfinite(*value)) return 1;
    cli_warn("withy: --%s %s: must be a number above 0\n", option, text);
    return 0;
}

int cmd_cycles(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"probe", 'p', "NAME[.x]", "only this probe, or component of it (repeatable)",
         .list = &a.probe},
        {"slope", 0, "M", "of the S-N line N = K range^-M: adds the equivalent range at 1 Hz",
         .text = &a.slope},
        {"strength", 0, "K", "of the S-N line: adds the damage and the life; needs --slope",
         .text = &a.strength},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {0}};
    const cli_usage usage = {
        "withy cycles FILE.h5 [--probe NAME] [--slope M [--strength K]]",
        "Load cycles of the probes of a result by rain-flow counting (ASTM E1049), their largest "
        "range, and\nthe fatigue damage by an S-N line and Miner's sum.  Peaks between two samples "
        "are not seen: give\nprobes a short `every`.",
        "  withy run mooring_line -o m.h5 && withy cycles m.h5 --slope 3", option};
    cli_list rest;
    const char *file;
    withy_error err = {0};
    withy_result *result;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "result file", &file)) >= 0) return status;
    if (!read_number("slope", a.slope, &a.m) || !read_number("strength", a.strength, &a.k))
        return CLI_USAGE;
    if (!isnan(a.k) && isnan(a.m)) {
        cli_warn("withy: --strength needs --slope M, that of the S-N line\n");
        return CLI_USAGE;
    }
    if (cli_result(file, &result, &err) != WITHY_OK) return cli_error(&err);
    status = check_probes(result, file, &a);
    if (status < 0) status = count_all(result, file, &a);
    withy_result_close(result);
    return status;
}
