/* cmd_verify.c - withy verify: run the studies, print value of the source, ours, tolerance, pass.
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "verify.h"

#define VERIFY(name) extern const verify_study verify_##name[];
#include "verify_list.inc"
#undef VERIFY

static const struct {
    const char *name;
    const verify_study *study;
} source[] = {
#define VERIFY(name) {#name, verify_##name},
#include "verify_list.inc"
#undef VERIFY
};

enum { SOURCES = sizeof source / sizeof *source };

struct verify_log {
    const char *source;
    const verify_study *study;
    cli_json *json; /* NULL: text */
    int rows, failures;
};

typedef struct row {
    const char *quantity, *printed, *note;
    double expected, ours, tolerance;
    int limit; /* expected is meaningless, ours <= tolerance is asked */
    int pass;
} row;

static void print_row(const row *r) {
    char wanted[64];
    if (r->limit)
        snprintf(wanted, sizeof wanted, "<= %.3g", r->tolerance);
    else
        snprintf(wanted, sizeof wanted, "%.10g +- %.1g", r->expected, r->tolerance);
    printf("  %s %-44s %-14s %-16.10g %s\n", r->pass ? "ok  " : "FAIL", r->quantity,
           r->printed[0] ? r->printed : "-", r->ours, wanted);
    if (r->note[0]) printf("       %s\n", r->note);
}

static void json_row(cli_json *json, const verify_log *log, const row *r) {
    json_open(json, NULL, '{');
    json_text(json, "source", log->source);
    json_text(json, "study", log->study->name);
    json_text(json, "quantity", r->quantity);
    json_text(json, "printed", r->printed);
    if (r->limit)
        json_null(json, "expected");
    else
        json_number(json, "expected", r->expected);
    json_number(json, "ours", r->ours);
    json_number(json, "tolerance", r->tolerance);
    json_bool(json, "pass", r->pass);
    json_text(json, "note", r->note);
    json_close(json, '}');
}

static void add(verify_log *log, const row *r) {
    log->rows++;
    log->failures += !r->pass;
    if (log->json)
        json_row(log->json, log, r);
    else
        print_row(r);
    fflush(stdout);
}

void verify_near(verify_log *log, const char *quantity, const char *printed, double expected,
                 double ours, double tolerance, const char *note) {
    const int pass = fabs(ours - expected) <= tolerance; /* false for NaN */
    add(log, &(row){quantity, printed, note, expected, ours, tolerance, 0, pass});
}

void verify_below(verify_log *log, const char *quantity, const char *printed, double ours,
                  double limit, const char *note) {
    add(log, &(row){quantity, printed, note, 0, ours, limit, 1, ours <= limit});
}

void verify_failed(verify_log *log, const char *quantity, const withy_error *err) {
    add(log, &(row){quantity, "", err->text, NAN, NAN, 0, 0, 0});
}

static int wanted(const cli_list *names, const char *name, const char *study) {
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->item[i], name) == 0 || strcmp(names->item[i], study) == 0) return 1;
    return names->count == 0;
}

static void run_source(int index, const cli_list *names, int with_long, verify_log *log) {
    log->source = source[index].name;
    for (const verify_study *s = source[index].study; s->name; s++) {
        if (!wanted(names, log->source, s->name) || (s->is_long && !with_long)) continue;
        log->study = s;
        if (!log->json)
            printf("\n%s, %s: %s\n       %-44s %-14s %-16s %s\n", log->source, s->name, s->title,
                   "quantity", "source", "ours", "wanted");
        s->run(log);
    }
}

int cmd_verify(int argc, char **argv) {
    int json = 0, with_long = 0;
    cli_list names;
    const cli_option option[] = {
        {"json", 0, NULL, "print one JSON object with all rows", .flag = &json},
        {"long", 0, NULL, "also the studies that take minutes", .flag = &with_long},
        {0}};
    const cli_usage usage = {
        "withy verify [NAME...] [--long] [--json]",
        "Reproduce the figures and tables of the sources: the value printed there, "
        "ours, and what is\nwanted.  NAME is a source or a study.  Exit status 1 if "
        "any row fails.",
        "  withy verify elastica", option};
    const int status = cli_parse(argc, argv, &usage, &names);
    if (status >= 0) return status;
    cli_json out = {0};
    verify_log log = {.json = json ? &out : NULL};
    if (json) {
        json_open(&out, NULL, '{');
        json_open(&out, "rows", '[');
    }
    for (int i = 0; i < SOURCES; i++) run_source(i, &names, with_long, &log);
    if (json) {
        json_close(&out, ']');
        json_whole(&out, "passed", log.rows - log.failures);
        json_whole(&out, "failed", log.failures);
        json_close(&out, '}');
    } else if (log.rows) {
        printf("\n%d passed, %d failed\n", log.rows - log.failures, log.failures);
    }
    if (log.rows == 0) {
        fprintf(stderr, "withy: there is no source or study \"%s\"; known sources:",
                names.count ? names.item[0] : "");
        for (int i = 0; i < SOURCES; i++) fprintf(stderr, " %s", source[i].name);
        fprintf(stderr, "\n");
        return CLI_USAGE;
    }
    return log.failures ? CLI_FAILED : CLI_OK;
}
