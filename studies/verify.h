/* verify.h - studies that reproduce the sources.
 *
 * One file per source: studies/verify_NAME.c defines `const verify_study verify_NAME[]` and has one
 * line in verify_list.inc.  A study calls verify_near() and verify_below() once per number; the
 * caller decides whether it passes.
 */
#pragma once

#include "withy/withy.h"
#include "worst.h"

typedef struct verify_log verify_log;

typedef struct verify_study {
    const char *name;  /* "figure 4": short, unique within its file  */
    const char *title; /* one line: what is reproduced                */
    void (*run)(verify_log *log);
    int is_long;       /* 1: only with --long                         */
    const char *cases; /* "coil": shown with it in the report, blanks between; may be left out */
} verify_study;        /* the table ends with a row whose name is NULL */

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last fields may be left out */

/* |ours - expected| <= tolerance.  source: the value printed in the source, as text; "" if it gives
 * none.  note: how the number is defined, or "erratum: ..." where the source is wrong; "" if there
 * is none.  A printed number that differs from the expected one counts as an erratum by itself. */
void verify_near(verify_log *log, const char *quantity, const char *source, double expected,
                 double ours, double tolerance, const char *note);

/* ours <= limit, for drifts, violations and counts. */
void verify_below(verify_log *log, const char *quantity, const char *source, double ours,
                  double limit, const char *note);

/* The study could not be carried out: one failing row with the sentence. */
void verify_failed(verify_log *log, const char *quantity, const withy_error *err);
