/* html.c - the report for people: one page, its style inside, the pictures next to it. */
#include <math.h>
#include <string.h>

#include "report/report.h"

/* ---- text -------------------------------------------------------------------------------------- */

static void put(FILE *file, const char *text) {
    for (; *text; text++) switch (*text) {
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '&': fputs("&amp;", file); break;
        case '"': fputs("&quot;", file); break;
        default: fputc(*text, file);
        }
}

static void cell(FILE *file, const char *class, const char *text) {
    fprintf(file, "<td class=\"%s\">", class);
    put(file, text);
    fputs("</td>", file);
}

static void number_cell(FILE *file, int number, const char *class) {
    fprintf(file, "<td class=\"n %s\">%d</td>", class, number);
}

/* "fdtd", 3 -> the place of a study on the page. */
static void anchor(FILE *file, const report *r, const report_study *s) {
    fprintf(file, "study%d", (int)(s - r->study) + 1);
}

/* ---- the top ----------------------------------------------------------------------------------- */

static void head(FILE *file) {
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>withy: verification</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
            report_style);
}

static void lead(const report *r, FILE *file) {
    fprintf(file, "<h1>withy %s: verification</h1>\n<p class=\"lead\">", withy_version());
    fprintf(file,
            "<b>%d</b> numbers in <b>%d</b> studies, <b class=\"%s\">%d failed</b>, %.0f s: "
            "<b>%d</b> reproduced (%d of them printed or claimed by the source), <b>%d</b> "
            "corrected, <b>%d</b> regression.</p>\n",
            r->rows, r->studies, r->failed ? "bad" : "good", r->failed, r->elapsed,
            r->kind[VERIFY_REPRODUCED], r->printed, r->kind[VERIFY_CORRECTED],
            r->kind[VERIFY_REGRESSION]);
    fprintf(
        file,
        "<p><b>Reproduced</b>: the expected number is the source's, or that of a computation which "
        "shares no code with the method. <b>Corrected</b>: the source is wrong here; the note says "
        "why. <b>Regression</b>: the expected number is our own earlier output, so the row shows "
        "that nothing has changed, not that it is right. %s%s</p>\n",
        r->complete ? "" : "Only some studies were selected. ",
        r->is_long ? "" : "The long studies (<code>--long</code>) are not included.");
}

static void summary_study(const report *r, const report_study *s, int first, FILE *file) {
    fputs(first ? "<tr class=\"first\">" : "<tr>", file);
    cell(file, "source", first ? s->source : "");
    fputs("<td><a href=\"#", file);
    anchor(file, r, s);
    fputs("\">", file);
    put(file, s->study->name);
    fputs("</a></td>", file);
    cell(file, "wide", s->study->title);
    number_cell(file, s->rows, "");
    number_cell(file, s->failed, s->failed ? "bad" : "");
    for (int k = 0; k < VERIFY_KINDS; k++)
        number_cell(file, s->kind[k], k == VERIFY_CORRECTED && s->kind[k] ? "odd" : "");
    fprintf(file, "<td class=\"n\">%.1f s</td></tr>\n", s->elapsed);
}

static void summary(const report *r, FILE *file) {
    fputs("<h2>Summary</h2>\n<div class=\"scroll\"><table>\n<tr><th>source</th><th>study</th>"
          "<th>what is reproduced</th><th class=\"n\">numbers</th><th class=\"n\">failed</th>"
          "<th class=\"n\">reproduced</th><th class=\"n\">corrected</th>"
          "<th class=\"n\">regression</th><th class=\"n\">time</th></tr>\n",
          file);
    for (int i = 0, next = 0; i < r->studies; i++) {
        const int first = i == next;
        if (first) next = report_next_source(r, i);
        summary_study(r, &r->study[i], first, file);
    }
    fputs("</table></div>\n", file);
}

/* What is wrong: the note that states it, or the two numbers. */
static void put_erratum(const report_row *row, FILE *file) {
    static const char mark[] = "erratum: ";
    if (strncmp(row->note, mark, strlen(mark)) == 0) {
        put(file, row->note + strlen(mark));
        return;
    }
    fputs("printed ", file);
    put(file, row->printed);
    fprintf(file, ", expected %.6g", row->expected);
    if (!row->note[0]) return;
    fputs("; ", file);
    put(file, row->note);
}

/* All errors of the sources, in one list. */
static void errata(const report *r, FILE *file) {
    if (r->kind[VERIFY_CORRECTED] == 0) return;
    fputs("<h2>Errata of the sources</h2>\n<ul class=\"errata\">\n", file);
    for (int k = 0; k < r->studies; k++)
        for (int i = 0; i < r->study[k].rows; i++) {
            const report_row *row = &r->row[r->study[k].first + i];
            if (row->kind != VERIFY_CORRECTED) continue;
            fputs("<li><a href=\"#", file);
            anchor(file, r, &r->study[k]);
            fputs("\">", file);
            put(file, r->study[k].source);
            fputs(", ", file);
            put(file, r->study[k].study->name);
            fputs("</a>: <b>", file);
            put(file, row->quantity);
            fputs("</b>: ", file);
            put_erratum(row, file);
            fputs("</li>\n", file);
        }
    fputs("</ul>\n", file);
}

/* ---- studies ----------------------------------------------------------------------------------- */

static const char *const kind_class[VERIFY_KINDS] = {"", "odd", "time"};

static void row(const report_row *r, FILE *file) {
    char ours[64], expected[64];
    snprintf(ours, sizeof ours, isfinite(r->ours) ? "%.10g" : "none", r->ours);
    report_expected(r, "\u00b1", "\u2264", expected, sizeof expected);
    fprintf(file, "<tr class=\"%s\">", r->pass ? "pass" : "fail");
    cell(file, "wide", r->quantity);
    cell(file, "n", r->printed[0] ? r->printed : "\u2013");
    cell(file, "n", ours);
    cell(file, "n", expected);
    fprintf(file, "<td class=\"%s\">%s</td><td class=\"mark %s\">%s</td></tr>\n",
            kind_class[r->kind], report_kind[r->kind], r->pass ? "good" : "bad",
            r->pass ? "\u2713" : "failed");
    if (!r->note[0]) return;
    fputs("<tr class=\"note\"><td colspan=\"6\">", file);
    put(file, r->note);
    fputs("</td></tr>\n", file);
}

static void pictures(const report *r, const report_study *s, FILE *file) {
    const char *list = s->study->cases;
    char name[128];
    while (report_next_case(&list, name, sizeof name)) {
        if (!report_has_picture(r, name)) {
            fprintf(file, "<p class=\"lost\">The case %s could not be drawn.</p>\n", name);
            continue;
        }
        fprintf(file,
                "<figure><a href=\"%s.svg\"><img src=\"%s.svg\" alt=\"the case %s\" "
                "loading=\"lazy\"></a><figcaption><code>withy plot %s</code></figcaption>"
                "</figure>\n",
                name, name, name, name);
    }
}

static void study(const report *r, const report_study *s, FILE *file) {
    fputs("<section id=\"", file);
    anchor(file, r, s);
    fputs("\">\n<h3>", file);
    put(file, s->study->name);
    fputs("</h3>\n<p>", file);
    put(file, s->study->title);
    fprintf(file, " <span class=\"time\">%.1f s</span></p>\n", s->elapsed);
    if (s->study->basis) {
        fputs("<p class=\"time\">Where the source prints nothing, expected is: ", file);
        put(file, s->study->basis);
        fputs("</p>\n", file);
    }
    fputs("<div class=\"scroll\"><table class=\"rows\">\n<tr><th>quantity</th><th class=\"n\">"
          "source</th><th class=\"n\">withy</th><th "
          "class=\"n\">expected</th><th>kind</th><th></th></tr>\n",
          file);
    for (int i = 0; i < s->rows; i++) row(&r->row[s->first + i], file);
    fputs("</table></div>\n", file);
    pictures(r, s, file);
    fputs("</section>\n", file);
}

void report_html(const report *r, FILE *file) {
    head(file);
    lead(r, file);
    summary(r, file);
    errata(r, file);
    for (int i = 0, next = 0; i < r->studies; i++) {
        if (i == next) {
            next = report_next_source(r, i);
            fputs("<h2>", file);
            put(file, r->study[i].source);
            fputs(" <small>", file);
            put(file, report_document(r->study[i].source));
            fputs("</small></h2>\n", file);
        }
        study(r, &r->study[i], file);
    }
    fputs("<footer>The same data: <a href=\"report.json\">report.json</a>. Made by "
          "<code>withy verify --report</code>.</footer>\n</main>\n</body>\n</html>\n",
          file);
}
