/* input.c - `--input name=file.csv`: a table of t and value for a named input of the scene, as an override. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_TEXT = 900000, LINE = 256 }; /* a scene reads values of up to a million characters */

typedef struct table {
    char *text;
    size_t used;
    double last; /* t of the row before */
    int rows;
} table;

static int blank(const char *line) {
    return line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#';
}

/* "t, value": returns 0 when it is not two numbers. */
static int read_row(const char *line, double row[2]) {
    for (int i = 0; i < 2; i++) {
        char *end;
        line += strspn(line, i ? " \t,;" : " \t");
        row[i] = strtod(line, &end);
        if (end == line || !isfinite(row[i])) return 0;
        line = end;
    }
    return line[strspn(line, " \t\r\n,;")] == '\0';
}

static int wrong(const char *file, int line, const char *why) {
    cli_warn("withy: %s:%d: %s\n", file, line, why);
    return CLI_USAGE;
}

static int add_row(table *x, const char *file, int line, const double row[2]) {
    if (x->rows && !(row[0] > x->last))
        return wrong(file, line,
                     "its time is not after that of the row before; times must increase");
    if (x->used + 80 > MOST_TEXT)
        return wrong(file, line, "too many rows for one input; keep every second one");
    x->used += (size_t)snprintf(x->text + x->used, MOST_TEXT - x->used, "%s{%.17g,%.17g}",
                                x->rows ? "," : "", row[0], row[1]);
    x->last = row[0], x->rows++;
    return CLI_OK;
}

static int read_rows(FILE *from, const char *file, table *x) {
    char line[LINE];
    int number = 0, status = CLI_OK;
    while (status == CLI_OK && fgets(line, sizeof line, from)) {
        double row[2];
        number++;
        if (!strchr(line, '\n') && !feof(from))
            return wrong(file, number, "is longer than 255 characters; a row is t,value");
        if (blank(line)) continue;
        if (read_row(line, row))
            status = add_row(x, file, number, row);
        else if (x->rows || number > 1) /* the first may be a heading */
            return wrong(file, number, "must be two numbers, t and value, with a comma in between");
    }
    if (status == CLI_OK && x->rows == 0)
        return wrong(file, number ? number : 1, "there is no row t,value in this file");
    return status;
}

static int from_file(const char *file, const char *name, size_t length, table *x) {
    FILE *from = fopen(file, "r");
    if (!from) {
        cli_warn("withy: --input %.*s: %s cannot be opened: %s\n", (int)length, name, file,
                 strerror(errno));
        return CLI_USAGE;
    }
    x->used = (size_t)snprintf(x->text, MOST_TEXT, "inputs.%.*s=signal{", (int)length, name);
    const int status = read_rows(from, file, x);
    fclose(from);
    snprintf(x->text + x->used, MOST_TEXT - x->used + 2, "}");
    return status;
}

/* A number or a function is given as it is. */
static int is_value(const char *text) {
    char *end;
    if (strncmp(text, "function", 8) == 0 || strncmp(text, "signal", 6) == 0) return 1;
    strtod(text, &end);
    return end != text && *end == '\0';
}

static int add_input(const char *given, cli_list *set, char **keep) {
    const size_t length = strcspn(given, "=");
    if (!given[length] || length == 0 || length >= WITHY_NAME) {
        cli_warn("withy: --input %s: must be NAME=FILE.csv, with rows t,value\n", given);
        return CLI_USAGE;
    }
    if (set->count == CLI_LIST) {
        cli_warn("withy: --input and --set: at most %d together\n", CLI_LIST);
        return CLI_USAGE;
    }
    table x = {.text = malloc(MOST_TEXT + 2)};
    if (!x.text) {
        cli_warn("withy: no memory for the inputs\n");
        return CLI_FAILED;
    }
    const char *value = given + length + 1;
    int status = CLI_OK;
    if (is_value(value))
        snprintf(x.text, MOST_TEXT, "inputs.%s", given);
    else
        status = from_file(value, given, length, &x);
    *keep = x.text;
    set->item[set->count++] = x.text;
    return status;
}

int cli_inputs(const cli_list *input, cli_list *set, cli_kept *kept) {
    kept->count = 0;
    for (int i = 0; i < input->count; i++) {
        kept->text[i] = NULL;
        kept->count = i + 1;
        const int status = add_input(input->item[i], set, &kept->text[i]);
        if (status != CLI_OK) {
            cli_inputs_free(kept);
            return status;
        }
    }
    return CLI_OK;
}

void cli_inputs_free(cli_kept *kept) {
    for (int i = 0; i < kept->count; i++) free(kept->text[i]);
    kept->count = 0;
}
