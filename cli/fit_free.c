/* fit_free.c - parameters of withy fit and withy gradient: --free NAME=LOW..HIGH[:log][@START]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

static int wrong(const fit_context *x, const char *text, const char *why) {
    cli_warn("withy: --%s %s: %s; as in --%s params.young=1e5..1e8, with :log or :linear and "
             "an optional @START after it\n",
             x->option, text, why, x->option);
    return CLI_USAGE;
}

/* Range and value that the scene gives to params.NAME; 0: it has no such parameter. */
static int from_scene(const withy_scene *scene, withy_fit_free *f) {
    withy_parameter p;
    for (int i = 0; withy_scene_parameter(scene, i, &p); i++) {
        if (strcmp(p.name, f->name + 7) != 0) continue;
        f->value = p.value, f->low = p.min, f->high = p.max;
        return 1;
    }
    return 0;
}

/* Why the scene does not take a value for a name, by its own message; 0: it does. */
static int refuses(const char *name, const fit_context *x, withy_error *err) {
    char set[128], place[160];
    const char *const override[] = {set};
    withy_scene *scene = NULL;
    snprintf(set, sizeof set, "%.120s=1", name);
    snprintf(place, sizeof place, "--set %s: ", set);
    if (fit_read_scene((void *)x, override, 1, &scene, err) == WITHY_OK) {
        withy_scene_destroy(scene);
        return 0;
    }
    const size_t length = strlen(place); /* the override is ours */
    if (strncmp(err->text, place, length) == 0)
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    return 1;
}

/* The message of the scene about a parameter that it has not. */
static int unknown(const char *text, const char *name, const fit_context *x) {
    withy_error err = {0};
    if (!refuses(name, x, &err)) return wrong(x, text, "the scene has no such parameter");
    cli_warn("withy: --%s %s: %s\n", x->option, text, err.text);
    return CLI_USAGE;
}

/* Is a name misspelt?  Then the error is about the table above it.  A value may be refused for itself: 1 need not be
 * allowed. */
static int is_unknown(const char *name, const fit_context *x) {
    withy_error err = {0};
    if (!refuses(name, x, &err)) return 0;
    const size_t length = strlen(err.path);
    return err.code == WITHY_BAD_INPUT && length < strlen(name) &&
           strncmp(err.path, name, length) == 0;
}

static int read_range(const fit_context *x, const char *text, const char *range, withy_fit_free *f,
                      int *log_given) {
    char *end, low[64];
    const char *dots = strstr(range, "..");
    end = (char *)range;
    if (*range != '@') { /* else no range */
        if (!dots || dots == range || (size_t)(dots - range) >= sizeof low)
            return wrong(x, text, "the range is LOW..HIGH");
        snprintf(low, sizeof low, "%.*s", (int)(dots - range),
                 range); /* "1..": not the number "1." */
        f->low = strtod(low, &end);
        if (*end) return wrong(x, text, "the range is LOW..HIGH");
        const char *next = dots + 2;
        f->high = strtod(next, &end);
        if (end == next) return wrong(x, text, "the range is LOW..HIGH");
        if (!(f->low < f->high)) return wrong(x, text, "its range is empty");
    }
    if (strncmp(end, ":log", 4) == 0) f->log = *log_given = 1, end += 4;
    if (strncmp(end, ":linear", 7) == 0) f->log = 0, *log_given = 1, end += 7;
    if (*end == '@') {
        const char *next = end + 1;
        f->value = strtod(next, &end);
        if (end == next || !isfinite(f->value))
            return wrong(x, text, "after @ comes a finite number, the value where it starts");
    }
    return *end ? wrong(x, text, "something follows the range") : -1;
}

static int read_free(const char *text, const fit_context *x, const withy_scene *scene,
                     withy_fit_free *f) {
    const char *equal = strchr(text, '=');
    const size_t size = equal ? (size_t)(equal - text) : strlen(text);
    int log_given = 0;
    if (size == 0 || size >= sizeof f->name) return wrong(x, text, "a name is missing");
    *f = (withy_fit_free){.value = NAN, .low = -INFINITY, .high = INFINITY};
    memcpy(f->name, text, size);
    const int own = strncmp(f->name, "params.", 7) == 0;
    if (own ? !from_scene(scene, f) : is_unknown(f->name, x)) return unknown(text, f->name, x);
    if (equal) {
        const int status = read_range(x, text, equal + 1, f, &log_given);
        if (status >= 0) return status;
    }
    if (!log_given) f->log = f->low > 0 && f->high / f->low >= 10;
    if (isnan(f->value)) f->value = f->log ? sqrt(f->low * f->high) : 0.5 * (f->low + f->high);
    if (!isfinite(f->value)) return wrong(x, text, "where does it start? give a range or @START");
    return -1;
}

/* The next one; a name that is there twice would take its second value, and the first change nothing. */
static int add_free(const char *text, const fit_context *x, const withy_scene *scene,
                    withy_fit_free *f, int *count) {
    if (*count == FIT_FREE) return wrong(x, text, "there are more than 256 parameters");
    const int status = read_free(text, x, scene, &f[*count]);
    if (status >= 0) return status;
    for (int i = 0; i < *count; i++)
        if (strcmp(f[i].name, f[*count].name) == 0)
            return wrong(x, text, "this parameter is given twice");
    ++*count;
    return -1;
}

/* "params.k*=-40..40": every parameter of the scene that begins so; else one. */
int fit_read_free(const char *text, const fit_context *x, const withy_scene *scene,
                  withy_fit_free *f, int *count) {
    const char *star = strchr(text, '*'), *equal = strchr(text, '=');
    if (!star || (equal && star > equal)) return add_free(text, x, scene, f, count);
    char one[256];
    withy_parameter p;
    const int before = *count;
    const size_t begin = strlen("params.");
    if (strncmp(text, "params.", begin) != 0 || (star[1] && star[1] != '='))
        return wrong(x, text, "a star ends the beginning of names of params, params.k*");
    for (int i = 0; withy_scene_parameter(scene, i, &p); i++) {
        if (strncmp(p.name, text + begin, (size_t)(star - text) - begin) != 0) continue;
        snprintf(one, sizeof one, "params.%s%.100s", p.name, star + 1);
        const int status = add_free(one, x, scene, f, count);
        if (status >= 0) return status;
    }
    return *count > before ? -1 : wrong(x, text, "no parameter of the scene begins so");
}
