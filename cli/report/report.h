/* report.h - what a verification found, kept row by row, and the pages made of it.
 *
 * cmd_verify.c runs the studies and adds to a report; report.c keeps it, html.c writes
 * index.html, text.c report.json and summary.md, picture.c draws the cases.
 */
#pragma once

#include "cli.h"
#include "verify.h"

/* One number of a source. */
typedef struct report_row {
    char *quantity, *printed, *note;
    double expected, ours, tolerance;
    int limit;        /* no expected value: the test is ours <= tolerance */
    int pass;         /* filled by report_add */
    verify_kind kind; /* the same: what its passing proves (verify.h) */
} report_row;

/* One study that was run: its rows are row[first] .. row[first + rows - 1]. */
typedef struct report_study {
    const char *source;
    const verify_study *study;
    int first, rows, failed;
    int kind[VERIFY_KINDS]; /* rows of each kind */
    double elapsed;         /* [s] */
} report_study;

enum { REPORT_PICTURES = 256 };

typedef struct report {
    report_row *row;
    report_study *study;
    int rows, studies, failed;
    int kind[VERIFY_KINDS];             /* rows of each kind */
    int printed;                        /* reproduced rows whose number or claim the source has */
    double elapsed;                     /* [s] */
    int complete;                       /* every study was run, none chosen by name */
    int is_long;                        /* with the long ones */
    const char *drawn[REPORT_PICTURES]; /* cases with a picture of this report */
    int pictures;
} report;

/* ---- report.c --------------------------------------------------------------------------------- */

/* A study begins; then its rows; then it ends after `wall` seconds.  Adding a row copies its texts;
 * the row as kept is returned, NULL when memory ran out. */
int report_begin(report *r, const char *source, const verify_study *study);
const report_row *report_add(report *r, const report_row *row);
void report_end(report *r, double elapsed);
void report_free(report *r);

extern const char *const report_kind[VERIFY_KINDS]; /* "reproduced", ... */

/* Index of the first study after `first` that belongs to another source. */
int report_next_source(const report *r, int first);
/* The document behind a source: the line of the method of that name, "" if there is none. */
const char *report_document(const char *source);
/* "1.25 +- 1e-08" or "<= 1e-10"; `sign` and `most` are the texts used for +- and <=. */
void report_expected(const report_row *row, const char *sign, const char *most, char *text,
                     size_t size);

/* Make the folder; then everything into it.  The status of the program. */
int report_folder(const char *folder);
int report_write(report *r, const char *folder);

/* ---- the pages --------------------------------------------------------------------------------- */

void report_html(const report *r, FILE *file);
void report_json(const report *r, FILE *file);
void report_summary(const report *r, FILE *file);
extern const char report_style[]; /* CSS */

/* ---- picture.c -------------------------------------------------------------------------- */

/* The next name of a list with blanks between; advances *list, returns 0 at its end. */
int report_next_case(const char **list, char *name, size_t size);
/* Draw every case that a study names as FOLDER/NAME.svg. */
void report_draw(report *r, const char *folder);
/* Was it drawn now?  An older picture may be there when it was not. */
int report_has_picture(const report *r, const char *name);
