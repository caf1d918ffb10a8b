/* verify.h - studies that reproduce the sources.
 *
 * Every row has a kind, which says what its passing proves:
 *
 *   reproduced   The expected value was not made by this program.  Either the source prints or claims
 *                it (`source` is not empty; "shown": only a figure does, which proves nothing), or it
 *                comes from a computation that shares no code with
 *                the method: a closed form, a transcendental equation, another implementation of the
 *                source's scheme, a converged solution by other means.  The tolerance is smaller
 *                than the effect of a fault.
 *   corrected    The source is wrong or contradicts itself here.  The expected value is the right one,
 *                not the printed one, and the note begins with "erratum:" and gives the proof, or
 *                says where it is.  A printed number that differs from the expected one is of this
 *                kind by itself; without a note it fails.
 *   regression   The expected value is this program's own earlier output, or a bound chosen after
 *                looking at it.  It shows that nothing has changed, not that it is right.
 *
 * The kind is found from the row (kind_of in cli/report/report.c): a note "erratum: ..." or a wrong
 * printed number: corrected; a note "regression: ...": regression; a text in `source`, a note
 * "independent: ...", or a `basis` of the study: reproduced; none of these: nobody has said where
 * the expected value comes from, so it counts as regression.
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
    const char
        *basis; /* where the expected values come from that the source does not print, "closed
                          form of ..."; NULL: such rows are regressions unless their note tells */
} verify_study; /* the table ends with a row whose name is NULL */

typedef enum verify_kind {
    VERIFY_REPRODUCED,
    VERIFY_CORRECTED,
    VERIFY_REGRESSION,
    VERIFY_KINDS
} verify_kind;

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last fields may be left out */

/* |ours - expected| <= tolerance.  source: the value printed in the source, as text; "" if it gives
 * none.  note: how the number is defined, or "erratum: ...", "regression: ...", "independent: ..."
 * (see above); "" if there is none. */
void verify_near(verify_log *log, const char *quantity, const char *source, double expected,
                 double ours, double tolerance, const char *note);

/* ours <= limit, for drifts, violations and counts. */
void verify_below(verify_log *log, const char *quantity, const char *source, double ours,
                  double limit, const char *note);

/* The study could not be carried out: one failing row with the message. */
void verify_failed(verify_log *log, const char *quantity, const withy_error *err);
