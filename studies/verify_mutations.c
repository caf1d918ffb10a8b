/* verify_mutations.c - is a broken method noticed?  withy verify --long mutations, in a source tree with a build:
 * tools/mutate.py seeds its faults one at a time, and a row of the method's studies must fail for each.
 *
 * A fault is compiled, so this needs the source, its build and a compiler; elsewhere it says so and adds no row.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verify.h"

static const char tool[] = "tools/mutate.py";

/* " 3 director  damping    half the viscous stress: caught: director, ...: ..." */
static void row_of(verify_log *log, char *line) {
    line[strcspn(line, "\n")] = '\0';
    char *caught = strstr(line, ": caught: "), *missed = strstr(line, ": MISSED: ");
    char *verdict = caught ? caught : missed ? missed : strstr(line, ": ?: ");
    if (!verdict) return;
    *verdict = '\0';
    verify_near(log, line, "", 1, caught != NULL, 0, strchr(verdict + 2, ':') + 2);
}

static void faults(verify_log *log) {
    char line[1024];
    withy_error err = {.text = "tools/mutate.py cannot be started"};
    if (access(tool, R_OK) != 0) {
        fprintf(stderr, "mutations: %s is not here; run this in a source tree, or make mutants\n",
                tool);
        return;
    }
    FILE *out = popen("python3 tools/mutate.py", "r");
    if (!out) {
        verify_failed(log, "mutations", &err);
        return;
    }
    while (fgets(line, sizeof line, out)) row_of(log, line);
    const int status = pclose(out);
    verify_near(log, "all seeded faults are noticed: exit status", "", 0, status, 0, "");
}

const verify_study verify_mutations[] = {
    {"faults", "30 seeded faults, each noticed by a row of its method (tools/mutate.py)", faults, 1,
     .basis = "a seeded fault must be noticed"},
    {0}};
