/* text.c - the report for programs (report.json) and for the README (summary.md). */
#include "report/report.h"

/* ---- JSON -------------------------------------------------------------------------------------- */

static void json_row(cli_json *json, const report_row *row) {
    json_open(json, NULL, '{');
    json_text(json, "quantity", row->quantity);
    json_text(json, "printed", row->printed);
    if (row->limit)
        json_null(json, "expected");
    else
        json_number(json, "expected", row->expected);
    json_number(json, "ours", row->ours);
    json_number(json, "tolerance", row->tolerance);
    json_bool(json, "pass", row->pass);
    json_text(json, "kind", report_kind[row->kind]);
    json_text(json, "note", row->note);
    json_close(json, '}');
}

static void json_pictures(cli_json *json, const report *r, const char *list) {
    char name[128], file[160];
    json_open(json, "pictures", '[');
    while (report_next_case(&list, name, sizeof name)) {
        snprintf(file, sizeof file, "%s.svg", name);
        if (report_has_picture(r, name)) json_text(json, NULL, file);
    }
    json_close(json, ']');
}

static void json_study(cli_json *json, const report *r, const report_study *s) {
    json_open(json, NULL, '{');
    json_text(json, "source", s->source);
    json_text(json, "study", s->study->name);
    json_text(json, "title", s->study->title);
    json_number(json, "seconds", s->elapsed);
    json_whole(json, "passed", s->rows - s->failed);
    json_whole(json, "failed", s->failed);
    for (int k = 0; k < VERIFY_KINDS; k++) json_whole(json, report_kind[k], s->kind[k]);
    if (s->study->basis) json_text(json, "basis", s->study->basis);
    json_pictures(json, r, s->study->cases);
    json_open(json, "rows", '[');
    for (int i = 0; i < s->rows; i++) json_row(json, &r->row[s->first + i]);
    json_close(json, ']');
    json_close(json, '}');
}

void report_json(const report *r, FILE *file) {
    cli_json json = {.file = file};
    json_open(&json, NULL, '{');
    json_text(&json, "withy", withy_version());
    json_bool(&json, "long", r->is_long);
    json_whole(&json, "passed", r->rows - r->failed);
    json_whole(&json, "failed", r->failed);
    for (int k = 0; k < VERIFY_KINDS; k++) json_whole(&json, report_kind[k], r->kind[k]);
    json_whole(&json, "printed", r->printed);
    json_number(&json, "seconds", r->elapsed);
    json_open(&json, "studies", '[');
    for (int i = 0; i < r->studies; i++) json_study(&json, r, &r->study[i]);
    json_close(&json, ']');
    json_close(&json, '}');
}

/* ---- Markdown: no run times, so that it changes only when the studies do ------------------------ */

static void summary_row(const report *r, int first, int next, FILE *file) {
    int rows = 0, failed = 0, kind[VERIFY_KINDS] = {0};
    for (int i = first; i < next; i++) {
        rows += r->study[i].rows;
        failed += r->study[i].failed;
        for (int k = 0; k < VERIFY_KINDS; k++) kind[k] += r->study[i].kind[k];
    }
    fprintf(file, "| `%s` | %s | %d | %d | %d | %d | %d | %d |\n", r->study[first].source,
            report_document(r->study[first].source), next - first, rows, rows - failed,
            kind[VERIFY_REPRODUCED], kind[VERIFY_CORRECTED], kind[VERIFY_REGRESSION]);
}

void report_summary(const report *r, FILE *file) {
    fprintf(file, "| studies of | source | studies | numbers | passed | reproduced | corrected | "
                  "regression |\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0, next; i < r->studies; i = next) {
        next = report_next_source(r, i);
        summary_row(r, i, next, file);
    }
    fprintf(file, "| **all** | | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** |\n",
            r->studies, r->rows, r->rows - r->failed, r->kind[VERIFY_REPRODUCED],
            r->kind[VERIFY_CORRECTED], r->kind[VERIFY_REGRESSION]);
}
