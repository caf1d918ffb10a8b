/* cmd_verify.c - withy verify: run the studies, print value of the source, that of withy, tolerance, pass.
 */
#include <math.h>
#include <string.h>

#include "report/report.h"

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
    report found;
    cli_json *json; /* NULL: text */
};

/* ---- rows -------------------------------------------------------------------------------------- */

static void print_row(const report_row *r) {
    char expected[64];
    report_expected(r, "+-", "<=", expected, sizeof expected);
    cli_print("  %s %-10s %-44s %-14s %-16.10g %s\n", r->pass ? "ok  " : "FAIL",
              report_kind[r->kind], r->quantity, r->printed[0] ? r->printed : "-", r->ours,
              expected);
    if (r->note[0]) cli_print("       %s\n", r->note);
}

static void json_row(cli_json *json, const report_study *s, const report_row *r) {
    json_open(json, NULL, '{');
    json_text(json, "source", s->source);
    json_text(json, "study", s->study->name);
    json_text(json, "quantity", r->quantity);
    json_text(json, "printed", r->printed);
    if (r->limit)
        json_null(json, "expected");
    else
        json_number(json, "expected", r->expected);
    json_number(json, "ours", r->ours);
    json_number(json, "tolerance", r->tolerance);
    json_bool(json, "pass", r->pass);
    json_text(json, "kind", report_kind[r->kind]);
    json_text(json, "note", r->note);
    json_close(json, '}');
}

static void add(verify_log *log, const report_row *row) {
    report *found = &log->found;
    const report_row *kept = report_add(found, row);
    if (!kept) {
        found->failed++; /* memory ran out: never a pass */
    } else if (log->json) {
        json_row(log->json, &found->study[found->studies - 1], kept);
    } else {
        print_row(kept);
    }
    fflush(stdout);
}

void verify_near(verify_log *log, const char *quantity, const char *printed, double expected,
                 double ours, double tolerance, const char *note) {
    add(log, &(report_row){.quantity = (char *)quantity,
                           .printed = (char *)printed,
                           .note = (char *)note,
                           .expected = expected,
                           .ours = ours,
                           .tolerance = tolerance});
}

void verify_below(verify_log *log, const char *quantity, const char *printed, double ours,
                  double limit, const char *note) {
    add(log, &(report_row){.quantity = (char *)quantity,
                           .printed = (char *)printed,
                           .note = (char *)note,
                           .ours = ours,
                           .tolerance = limit,
                           .limit = 1});
}

void verify_failed(verify_log *log, const char *quantity, const withy_error *err) {
    verify_near(log, quantity, "", NAN, NAN, 0, err->text);
}

/* ---- names -------------------------------------------------------------------------------------- */

static int is_source(const char *name) {
    for (int i = 0; i < SOURCES; i++)
        if (strcmp(source[i].name, name) == 0) return 1;
    return 0;
}

/* A name selects the source of that name; else the studies of that name, of any source; else
 * source/study.  So `elastica` is the source and `fdtd/elastica` a study of another source. */
static int means(const char *name, const char *from, const char *study) {
    if (is_source(name)) return strcmp(name, from) == 0;
    if (strcmp(name, study) == 0) return 1;
    const size_t length = strlen(from);
    return strncmp(name, from, length) == 0 && name[length] == '/' &&
           strcmp(name + length + 1, study) == 0;
}

static int requested(const cli_list *names, const char *from, const char *study) {
    for (int i = 0; i < names->count; i++)
        if (means(names->item[i], from, study)) return 1;
    return names->count == 0;
}

/* The names of the sources, then those of the studies; NULL: no more. */
static const char *name_at(const void *unused, int index) {
    (void)unused;
    if (index < SOURCES) return source[index].name;
    index -= SOURCES;
    for (int i = 0; i < SOURCES; i++)
        for (const verify_study *s = source[i].study; s->name; s++)
            if (index-- == 0) return s->name;
    return NULL;
}

/* Every name must select a study that will run: -1, or the status of the program. */
static int check_names(const cli_list *names, int with_long) {
    cli_guess guess;
    for (int k = 0; k < names->count; k++) {
        int known = 0, done = 0;
        for (int i = 0; i < SOURCES; i++)
            for (const verify_study *s = source[i].study; s->name; s++) {
                if (!means(names->item[k], source[i].name, s->name)) continue;
                known = 1;
                done |= with_long || !s->is_long;
            }
        if (done) continue;
        if (known)
            cli_warn("withy: \"%s\" takes minutes; add --long to run it\n", names->item[k]);
        else
            cli_warn("withy: there is no source or study \"%s\"%s withy verify --list names them\n",
                     names->item[k],
                     cli_mean(names->item[k], name_at, &guess)[0] ? guess.text : ";");
        return CLI_USAGE;
    }
    return -1;
}

/* ---- running ------------------------------------------------------------------------------------ */

static void run_study(const char *name, const verify_study *s, verify_log *log) {
    if (!report_begin(&log->found, name, s)) {
        log->found.failed++;
        return;
    }
    if (!log->json)
        cli_print("\n%s, %s: %s\n       %-10s %-44s %-14s %-16s %s\n", name, s->name, s->title,
                  "kind", "quantity", "source", "withy", "expected");
    const double start = cli_clock();
    s->run(log);
    report_end(&log->found, cli_clock() - start);
}

/* The rows of every study as they were at the last `make report` (tools/rows.py). */
static const struct {
    const char *source, *study;
    verify_kind kind;
    const char *quantity;
} listed[] = {
#define ROW(source, study, kind, quantity) {source, study, VERIFY_##kind, quantity},
#include "rows.inc"
#undef ROW
    {NULL, NULL, VERIFY_KINDS, NULL}};

static void list_rows(const char *name, const verify_study *s, cli_json *json) {
    if (json) json_open(json, "rows", '[');
    for (size_t i = 0; listed[i].source; i++) {
        if (strcmp(listed[i].source, name) != 0 || strcmp(listed[i].study, s->name) != 0) continue;
        if (!json) {
            cli_print("    %-10s %s\n", report_kind[listed[i].kind], listed[i].quantity);
            continue;
        }
        json_open(json, NULL, '{');
        json_text(json, "quantity", listed[i].quantity);
        json_text(json, "kind", report_kind[listed[i].kind]);
        json_close(json, '}');
    }
    if (json) json_close(json, ']');
}

static void list_study(const char *name, const verify_study *s, int with_rows, cli_json *json) {
    if (!json) {
        cli_print("%-10s %-22s %s%s\n", name, s->name, s->title, s->is_long ? " (--long)" : "");
        if (with_rows) list_rows(name, s, NULL);
        return;
    }
    json_open(json, NULL, '{');
    json_text(json, "source", name);
    json_text(json, "study", s->name);
    json_text(json, "title", s->title);
    json_bool(json, "long", s->is_long);
    json_text(json, "cases", s->cases);
    if (with_rows) list_rows(name, s, json);
    json_close(json, '}');
}

enum { RUN, LIST, LIST_ROWS };

/* Run or list the selected studies. */
static void each_study(const cli_list *names, int with_long, int only_list, verify_log *log) {
    for (int i = 0; i < SOURCES; i++)
        for (const verify_study *s = source[i].study; s->name; s++) {
            if (!requested(names, source[i].name, s->name)) continue;
            if (s->is_long && !with_long && !only_list) continue;
            if (only_list)
                list_study(source[i].name, s, only_list == LIST_ROWS, log->json);
            else
                run_study(source[i].name, s, log);
        }
}

/* ---- the command ------------------------------------------------------------------------------- */

static void begin(verify_log *log, const char *key) {
    if (!log->json) return;
    json_open(log->json, NULL, '{');
    json_open(log->json, key, '[');
}

static void end(verify_log *log, int only_list) {
    const report *found = &log->found;
    if (log->json) {
        json_close(log->json, ']');
        if (!only_list) {
            json_whole(log->json, "passed", found->rows - found->failed);
            json_whole(log->json, "failed", found->failed);
            for (int k = 0; k < VERIFY_KINDS; k++)
                json_whole(log->json, report_kind[k], found->kind[k]);
            json_whole(log->json, "printed", found->printed);
        }
        json_close(log->json, '}');
    } else if (found->rows) {
        cli_print("\n%d passed, %d failed: %d reproduced (%d of them printed or claimed by the "
                  "source), %d corrected, %d regression\n",
                  found->rows - found->failed, found->failed, found->kind[VERIFY_REPRODUCED],
                  found->printed, found->kind[VERIFY_CORRECTED], found->kind[VERIFY_REGRESSION]);
    }
}

static int finish(report *found, const char *folder, int as_json) {
    const int status = folder ? report_write(found, folder) : CLI_OK;
    if (folder && status == CLI_OK && !as_json)
        cli_print("report: %s/index.html (also report.json, summary.md)\n", folder);
    return status == CLI_OK && found->failed ? CLI_FAILED : status;
}

int cmd_verify(int argc, char **argv) {
    int json = 0, with_long = 0, list = 0, rows = 0;
    const char *folder = NULL;
    cli_list names;
    const cli_option option[] = {
        {"report", 'r', "DIR", "write a page with every row and picture there", .text = &folder},
        {"long", 0, NULL, "also the studies that take minutes", .flag = &with_long},
        {"list", 0, NULL, "name the studies, run nothing", .flag = &list},
        {"rows", 0, NULL, "name the studies and their rows with their kinds, run nothing",
         .flag = &rows},
        {"json", 0, NULL, "print one JSON object with all rows", .flag = &json},
        {0}};
    const cli_usage usage = {
        "withy verify [NAME...] [--report DIR] [--long] [--list] [--rows] [--json]",
        "Reproduce the figures and tables of the sources: the value printed there, "
        "that of withy, and the\nexpected one.  NAME is a source (all its studies), else a study, "
        "else "
        "source/study where a study has\nthe name of a source.  A row is reproduced (the number is "
        "the source's, or an independent one),\ncorrected (the source is wrong, with the proof) or "
        "regression (an earlier output of withy).\nExit status 1 if any row fails.",
        "  withy verify elastica\n"
        "  withy verify fdtd/elastica\n"
        "  withy verify --rows fdtd            # its rows and their kinds, without running them\n"
        "  withy verify --report verification   # then open verification/index.html",
        option};
    int status = cli_parse(argc, argv, &usage, &names);
    if (status >= 0) return status;
    const int only_list = rows ? LIST_ROWS : list ? LIST : RUN;
    if ((status = check_names(&names, with_long || only_list)) >= 0) return status;
    if (folder && (status = report_folder(folder)) != CLI_OK) return status;
    cli_json out = {0};
    verify_log log = {.json = json ? &out : NULL,
                      .found = {.complete = names.count == 0, .is_long = with_long}};
    begin(&log, only_list ? "studies" : "rows");
    each_study(&names, with_long, only_list, &log);
    end(&log, only_list);
    status = only_list ? CLI_OK : finish(&log.found, folder, json);
    report_free(&log.found);
    return status;
}
