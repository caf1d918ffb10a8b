/* verify_mutations.c - is a broken method noticed?  WITHY_SOURCE=TREE withy verify --long mutations:
 * tools/mutate.py of that source tree seeds its faults one at a time, and a row of the method's studies must fail for each.
 *
 * A fault is compiled, so this needs the source, its build and a compiler.  Which tree is said by the caller: nothing is
 * ever run because it lies in the present folder.  Without it the study says so and adds no row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

/* " 3 director  damping    half the viscous stress: caught: director, ...: ..." */
static void row_of(verify_log *log, char *line) {
    line[strcspn(line, "\n")] = '\0';
    char *caught = strstr(line, ": caught: "), *missed = strstr(line, ": MISSED: ");
    char *stability = caught ? caught : missed ? missed : strstr(line, ": ?: ");
    if (!stability) return;
    *stability = '\0';
    verify_near(log, line, "", 1, caught != NULL, 0, strchr(stability + 2, ':') + 2);
}

static void faults(verify_log *log) {
    char line[1024];
    withy_error err = {.text = "tools/mutate.py cannot be started"};
    if (!getenv("WITHY_SOURCE")) {
        fprintf(stderr, "mutations: needs a source tree with its build: make mutants there, or "
                        "WITHY_SOURCE=TREE withy verify --long mutations\n");
        return;
    }
    FILE *out = popen("exec python3 \"$WITHY_SOURCE/tools/mutate.py\"", "r");
    if (!out) {
        verify_failed(log, "mutations", &err);
        return;
    }
    while (fgets(line, sizeof line, out)) row_of(log, line);
    const int status = pclose(out);
    verify_near(log, "all seeded faults are noticed: exit status", "", 0, status, 0, "");
}

const verify_study verify_mutations[] = {
    {"faults", "45 seeded faults, each noticed by a row of its method (tools/mutate.py)", faults, 1,
     .basis = "a seeded fault must be noticed"},
    {0}};
