/* sweep_statistics.c - of the rows of a sweep: mean, deviation and range of each number, and how many members meet limits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

/* ---- limits ---------------------------------------------------------------------------------------- */

int sweep_limit_read(const char *text, sweep_limit *limit) {
    static const char *const sign[] = {"<=", ">="};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(text, sign[i]);
        char *end;
        size_t length = at ? (size_t)(at - text) : 0;
        while (length && text[length - 1] == ' ') length--;
        if (!at || length == 0 || length >= sizeof limit->name) continue;
        snprintf(limit->name, sizeof limit->name, "%.*s", (int)length, text);
        limit->above = i, limit->value = strtod(at + 2, &end);
        if (end != at + 2 && end[strspn(end, " ")] == '\0' && isfinite(limit->value)) return -1;
    }
    cli_warn(
        "withy: --limit \"%s\": must be NAME <= NUMBER or NAME >= NUMBER, of a number of --want\n",
        text);
    return CLI_USAGE;
}

static int find_column(const withy_sweep_file *file, const char *name, withy_sweep_column *c) {
    for (int i = 0; withy_sweep_column_at(file, i, c); i++)
        if (strcmp(c->name, name) == 0) return 1;
    return 0;
}

int sweep_limit_is_requested(const sweep_limit *limit, const cli_list *requested) {
    for (int i = 0; i < requested->count; i++)
        if (strcmp(requested->item[i], limit->name) == 0) return 1;
    return 0;
}

static int meets(const sweep_limit *limit, double value) {
    return limit->above ? value >= limit->value : value <= limit->value;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

sweep_numbers sweep_numbers_of(const withy_sweep_file *file, const withy_sweep_column *c) {
    sweep_numbers n = {.least = INFINITY, .most = -INFINITY};
    double square = 0;
    for (int64_t k = 0; k < withy_sweep_count(file); k++) {
        const double x = c->value[k], from = x - n.mean;
        if (!isfinite(x)) continue;
        n.mean += from / (double)++n.count, square += from * (x - n.mean); /* Welford */
        n.least = fmin(n.least, x), n.most = fmax(n.most, x);
    }
    n.deviation = n.count > 1 ? sqrt(square / (double)(n.count - 1)) : NAN;
    return n;
}

sweep_yield sweep_yield_of(const withy_sweep_file *file, const sweep_limit *limit, int count) {
    sweep_yield y = {0};
    for (int64_t k = 0; k < withy_sweep_count(file); k++) {
        const int status = withy_sweep_status(file, k, NULL);
        int good = status == WITHY_OK;
        for (int i = 0; i < count; i++) {
            withy_sweep_column c;
            good = good && find_column(file, limit[i].name, &c) && meets(&limit[i], c.value[k]);
        }
        y.members += status >= 0, y.good += good;
    }
    return y;
}

/* Of a binomial distribution, never 0: (g + 1)/(n + 2). */
static double share_error(const sweep_yield *y) {
    const double n = (double)y->members + 2, p = ((double)y->good + 1) / n;
    return sqrt(p * (1 - p) / n);
}

/* ---- output ---------------------------------------------------------------------------------------- */

void sweep_print_statistics(const withy_sweep_file *file, const sweep_limit *limit, int count) {
    withy_sweep_column c;
    int rows = 0;
    for (int i = 0; withy_sweep_column_at(file, i, &c); i++) {
        if (c.over) continue;
        const sweep_numbers n = sweep_numbers_of(file, &c);
        char name[200];
        if (!rows++)
            cli_print("  %-28s %12s %12s %12s %12s\n", "number", "mean", "deviation", "minimum",
                      "maximum");
        snprintf(name, sizeof name, c.unit[0] ? "%s [%s]" : "%s", c.name, c.unit);
        if (n.count)
            cli_print("  %-28s %12.6g %12.4g %12.6g %12.6g\n", name, n.mean, n.deviation, n.least,
                      n.most);
        else
            cli_print("  %-28s %12s\n", name, "none");
    }
    if (!count) return;
    const sweep_yield y = sweep_yield_of(file, limit, count);
    cli_print("  %lld of %lld members meet", (long long)y.good, (long long)y.members);
    for (int i = 0; i < count; i++)
        cli_print("%s %s %s %.10g", i ? "," : "", limit[i].name,
                  limit[i].above ? ">=" : "<=", limit[i].value);
    if (y.members)
        cli_print(": %.4g +- %.2g per cent", 100 * (double)y.good / (double)y.members,
                  100 * share_error(&y));
    cli_print("\n");
}

void sweep_json_statistics(cli_json *json, const withy_sweep_file *file, const sweep_limit *limit,
                           int count) {
    withy_sweep_column c;
    json_open(json, "statistics", '[');
    for (int i = 0; withy_sweep_column_at(file, i, &c); i++) {
        if (c.over) continue;
        const sweep_numbers n = sweep_numbers_of(file, &c);
        json_open(json, NULL, '{');
        json_text(json, "name", c.name);
        json_whole(json, "count", n.count);
        json_number(json, "mean", n.count ? n.mean : NAN);
        json_number(json, "deviation", n.deviation);
        json_number(json, "minimum", n.count ? n.least : NAN);
        json_number(json, "maximum", n.count ? n.most : NAN);
        json_close(json, '}');
    }
    json_close(json, ']');
    if (!count) return;
    const sweep_yield y = sweep_yield_of(file, limit, count);
    json_open(json, "yield", '{');
    json_whole(json, "members", y.members);
    json_whole(json, "good", y.good);
    json_number(json, "share", y.members ? (double)y.good / (double)y.members : NAN);
    json_number(json, "share_error", y.members ? share_error(&y) : NAN);
    json_close(json, '}');
}
