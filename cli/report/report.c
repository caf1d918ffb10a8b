/* report.c - the rows of a verification, and the folder they are written to. */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"

/* ---- keeping ----------------------------------------------------------------------------------- */

/* Room for one more; grows by doubling at 0, 1, 2, 4, ... entries. */
static void *grown(void *list, int count, size_t size) {
    if (count & (count - 1)) return list;
    return realloc(list, (size_t)(count ? 2 * count : 1) * size);
}

int report_begin(report *r, const char *source, const verify_study *study) {
    report_study *more = grown(r->study, r->studies, sizeof *more);
    if (!more) return 0;
    r->study = more;
    r->study[r->studies++] = (report_study){.source = source, .study = study, .first = r->rows};
    return 1;
}

void report_end(report *r, double elapsed) {
    r->study[r->studies - 1].elapsed = elapsed;
    r->elapsed += elapsed;
}

/* Half a unit of the last digit of "0.624401" or "1.2e-3"; -1: the text is not a number. */
static double half_digit(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value)) return -1;
    const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    const size_t length = power ? (size_t)(power - text) : strlen(text);
    const int decimals = point ? (int)(length - (size_t)(point - text)) - 1 : 0;
    return 0.5 * pow(10, (power ? atoi(power + 1) : 0) - decimals);
}

/* ---- kinds ------------------------------------------------------------------------------------- */

const char *const report_kind[VERIFY_KINDS] = {"reproduced", "corrected", "regression"};

static int begins(const char *text, const char *mark) {
    return strncmp(text, mark, strlen(mark)) == 0;
}

/* The source prints or claims something here ("-" is the mark of an empty cell; what a figure shows is no number). */
static int is_printed(const report_row *row) {
    return row->printed[0] && strcmp(row->printed, "-") != 0 && !begins(row->printed, "shown");
}

static int is_erratum(const report_row *row) {
    double printed;
    if (begins(row->note, "erratum:")) return 1;
    const double half = half_digit(row->printed, &printed);
    if (row->limit || half < 0 || !isfinite(row->expected)) return 0;
    return fabs(printed - row->expected) > row->tolerance + half * (1 + 1e-9);
}

/* The rules of verify.h. */
static verify_kind kind_of(const report_row *row, const verify_study *study) {
    if (is_erratum(row)) return VERIFY_CORRECTED;
    if (begins(row->note, "regression:")) return VERIFY_REGRESSION;
    const int reported = is_printed(row) || begins(row->note, "independent:") || study->basis;
    return reported ? VERIFY_REPRODUCED : VERIFY_REGRESSION;
}

static int is_pass(const report_row *row) {                              /* false for NaN */
    if (row->kind == VERIFY_CORRECTED && row->note[0] == '\0') return 0; /* without a proof */
    return row->limit ? row->ours <= row->tolerance
                      : fabs(row->ours - row->expected) <= row->tolerance;
}

const report_row *report_add(report *r, const report_row *row) {
    report_row *more = grown(r->row, r->rows, sizeof *more);
    if (!more) return NULL;
    r->row = more;
    report_row *kept = &r->row[r->rows];
    *kept = *row;
    kept->quantity = strdup(row->quantity);
    kept->printed = strdup(row->printed);
    kept->note = strdup(row->note);
    r->rows++;
    if (!kept->quantity || !kept->printed || !kept->note) return NULL;
    report_study *study = &r->study[r->studies - 1];
    kept->kind = kind_of(kept, study->study);
    kept->pass = is_pass(kept);
    study->rows++;
    study->failed += !kept->pass, r->failed += !kept->pass;
    study->kind[kept->kind]++, r->kind[kept->kind]++;
    r->printed += kept->kind == VERIFY_REPRODUCED && is_printed(kept);
    return kept;
}

void report_free(report *r) {
    for (int i = 0; i < r->rows; i++) {
        free(r->row[i].quantity);
        free(r->row[i].printed);
        free(r->row[i].note);
    }
    free(r->row);
    free(r->study);
    *r = (report){0};
}

/* ---- asking ------------------------------------------------------------------------------------ */

int report_next_source(const report *r, int first) {
    int next = first;
    while (next < r->studies && r->study[next].source == r->study[first].source) next++;
    return next;
}

const char *report_document(const char *source) {
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, source) == 0) return info.source;
    return "";
}

void report_expected(const report_row *row, const char *sign, const char *most, char *text,
                     size_t size) {
    if (row->limit)
        snprintf(text, size, "%s %.3g", most, row->tolerance);
    else if (isfinite(row->expected))
        snprintf(text, size, "%.10g %s %.1g", row->expected, sign, row->tolerance);
    else
        snprintf(text, size, "a result");
}

/* ---- the folder -------------------------------------------------------------------------------- */

static int complain(const char *path, int code) {
    cli_warn("withy: %s: the report cannot be written: %s\n", path, strerror(code));
    return CLI_FAILED;
}

typedef void (*page_writer)(const report *r, FILE *file);

static int write_page(const report *r, const char *folder, const char *name, page_writer write) {
    char path[4096];
    wy_atomic_file file;
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    int code = whole_begin(&file, path);
    if (code) return complain(path, code);
    write(r, file.stream);
    code = wy_atomic_file_keep(&file);
    return code ? complain(path, code) : CLI_OK;
}

int report_folder(const char *folder) {
    char page[4096];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain(folder, errno);
    snprintf(page, sizeof page, "%.4000s/index.html", folder); /* now, not when all is computed */
    const int code = wy_atomic_file_try(page);
    return code ? complain(page, code) : CLI_OK;
}

int report_write(report *r, const char *folder) {
    report_draw(r, folder);
    int status = write_page(r, folder, "report.json", report_json);
    if (status == CLI_OK) status = write_page(r, folder, "summary.md", report_summary);
    if (status == CLI_OK) status = write_page(r, folder, "index.html", report_html);
    return status;
}
