/* expect.h - cases/NAME/expect.csv: what a case must give, where that number comes from, and what a
 * peer printed.  Fields are separated by ';':
 *
 *   do;method;set;at;quantity;value;tolerance;peer;source
 *
 * do         static (equilibrium at factor `at`), run (time `at`), modes (number `at`, from 1) or
 *            threshold (the factor at which the stability changes, sought within 10 % of `at`)
 * method     one or more, separated by spaces: each must hold; one that is not in the build is left out
 * set        overrides "path=value", separated by spaces
 * quantity   start|middle|finish . position|force|moment|shear|bend . x|y|z, "finish.x" for
 *            "finish.position.x"; start|finish . push|turn . x|y|z: force and moment of the support;
 *            middle.radius (distance from the z axis); centre.x (of mass), momentum.x, angular.x;
 *            frequency, negative, energy
 * value      the reference; tolerance: largest |withy - value|
 * peer       what the peer has, or nothing
 *
 * Rows that share do, method, set are one simulation, with `at` ascending.
 */
#pragma once

#include <ctype.h>
#include <stdlib.h>

#include "check.h"
#include "withy/withy.h"

enum { WANT_ROWS = 128, WANT_TEXT = 256, WANT_SETS = 8 };

typedef struct want_row {
    char kind[16], method[64], set[WANT_TEXT], quantity[64], source[WANT_TEXT];
    double at, value, tolerance, peer; /* peer is NAN when there is none */
} want_row;

typedef struct expected {
    const char *name;
    int count;
    want_row row[WANT_ROWS];
} expected;

/* ---- reading ----------------------------------------------------------------------------------- */

static inline void want_field(const char **text, char *out, size_t size) {
    const size_t length = strcspn(*text, ";\r\n");
    snprintf(out, size, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == ';');
}

static inline double want_number(const char **text) {
    char field[64], *end;
    want_field(text, field, sizeof field);
    const double value = strtod(field, &end);
    return end == field ? NAN : value;
}

static inline void want_read(const char *name, expected *out) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/cases/%s/expect.csv", WITHY_SOURCE, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    out->name = name, out->count = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strncmp(line, "do;", 3) == 0 || isspace((unsigned char)line[0]))
            continue;
        CHECK(out->count < WANT_ROWS);
        want_row *row = &out->row[out->count++];
        const char *text = line;
        want_field(&text, row->kind, sizeof row->kind);
        want_field(&text, row->method, sizeof row->method);
        want_field(&text, row->set, sizeof row->set);
        row->at = want_number(&text);
        want_field(&text, row->quantity, sizeof row->quantity);
        row->value = want_number(&text);
        row->tolerance = want_number(&text);
        row->peer = want_number(&text);
        want_field(&text, row->source, sizeof row->source);
        if (!(row->tolerance >= 0) || !row->source[0])
            fail_msg("%s: a row without tolerance or source: %s", path, line);
    }
    fclose(file);
    CHECK(out->count > 0);
}

/* The row of a quantity, or a failure. */
static inline const want_row *want_find(const expected *x, const char *set, double at,
                                        const char *quantity) {
    for (int i = 0; i < x->count; i++)
        if (strcmp(x->row[i].quantity, quantity) == 0 && strcmp(x->row[i].set, set) == 0 &&
            fabs(x->row[i].at - at) <= 1e-12 * fabs(at))
            return &x->row[i];
    fail_msg("%s: no row for %s %s at %g", x->name, set, quantity, at);
    return NULL;
}

/* ---- quantities of a snapshot ------------------------------------------------------------------- */

static inline double want_axis(const withy_vec3 *v, char axis) {
    return axis == 'x' ? v->x : axis == 'y' ? v->y : axis == 'z' ? v->z : NAN;
}

/* The station nearest to s = part of the length, which must be a station. */
static inline int want_station(const withy_snapshot *now, double part) {
    const double s = part * now->s[now->count - 1];
    for (int i = 0; i < now->count; i++)
        if (fabs(now->s[i] - s) <= 1e-9 * now->s[now->count - 1]) return i;
    fail_msg("no station at s = %g", s);
    return 0;
}

/* Centre of a uniform rod: Simpson over evenly spaced stations. */
static inline double want_centre(const withy_snapshot *now, char axis) {
    double sum = 0;
    CHECK(now->count % 2 == 1);
    for (int i = 0; i < now->count; i++) {
        const double weight = i == 0 || i == now->count - 1 ? 1 : i % 2 ? 4 : 2;
        sum += weight * want_axis(&now->position[i], axis);
    }
    return sum / (3.0 * (now->count - 1));
}

static inline double want_at_point(const withy_snapshot *now, const char *quantity) {
    static const struct {
        const char *name;
        double part;
    } point[] = {{"start.", 0}, {"middle.", 0.5}, {"finish.", 1}};
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        const size_t length = strlen(point[i].name);
        if (strncmp(quantity, point[i].name, length) != 0) continue;
        const int station = want_station(now, point[i].part);
        const char *rest = quantity + length, *dot = strchr(rest, '.');
        char name[32] = "position";
        if (dot) snprintf(name, sizeof name, "%.*s", (int)(dot - rest), rest);
        const withy_quantity *what = withy_quantity_find(WITHY_OF_ROD, name);
        const double *at = what ? withy_quantity_at(what, now, station) : NULL;
        if (!at) fail_msg("\"%s\" is not in the snapshot", quantity);
        return at[(dot ? dot[1] : rest[0]) - 'x'];
    }
    fail_msg("there is no quantity \"%s\"", quantity);
    return NAN;
}

static inline double want_radius(const withy_snapshot *now) {
    const withy_vec3 *r = &now->position[want_station(now, 0.5)];
    return hypot(r->x, r->y);
}

static inline double want_value(const withy_snapshot *now, const withy_equilibrium *at,
                                const char *quantity) {
    const char axis = quantity[strlen(quantity) - 1];
    if (strcmp(quantity, "negative") == 0) return at->negative;
    if (strcmp(quantity, "energy") == 0) return at->energy;
    if (strcmp(quantity, "middle.radius") == 0) return want_radius(now);
    if (strncmp(quantity, "centre.", 7) == 0) return want_centre(now, axis);
    if (strncmp(quantity, "momentum.", 9) == 0) return want_axis(&now->momentum, axis);
    if (strncmp(quantity, "angular.", 8) == 0) return want_axis(&now->angular_momentum, axis);
    for (int i = 0; i < 2; i++) { /* "start.push.x", "finish.turn.z" */
        const char *rest = quantity + (i ? 7 : 6);
        if (strncmp(quantity, i ? "finish." : "start.", i ? 7 : 6) != 0) continue;
        if (strncmp(rest, "push.", 5) == 0) return want_axis(&now->reaction[i], axis);
        if (strncmp(rest, "turn.", 5) == 0) return want_axis(&now->reaction_moment[i], axis);
    }
    return want_at_point(now, quantity);
}

/* ---- one simulation -------------------------------------------------------------------------------- */

typedef struct want_run {
    withy_scene *scene;
    withy_sim *sim;
    withy_mode *mode;
    int mode_count;
    withy_equilibrium at;
} want_run;

static inline void want_close(want_run *x) {
    withy_modes_free(x->mode, x->mode_count);
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
    *x = (want_run){0};
}

static inline withy_status want_open(const char *name, const char *method, const char *set,
                                     want_run *x, withy_error *err) {
    char path[512], copy[WANT_TEXT], *save = NULL;
    const char *list[WANT_SETS];
    int count = 0;
    snprintf(path, sizeof path, "%s/cases/%s/scene.lua", WITHY_SOURCE, name);
    snprintf(copy, sizeof copy, "%s", set);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        CHECK(count < WANT_SETS);
        list[count++] = word;
    }
    *x = (want_run){0};
    withy_status status = withy_scene_read(path, list, count, &x->scene, err);
    if (status == WITHY_OK) status = withy_scene_sim(x->scene, method, &x->sim, err);
    return status;
}

/* The factor where the ring gets its pair of unstable directions, by bisection.  One is not enough: it
 * can turn about its tangent at the clamp at no cost, and rounding gives that direction either sign. */
static inline withy_status want_threshold(const expected *e, const want_row *row,
                                          const char *method, double *factor, withy_error *err) {
    double low = 0.9 * row->at, high = 1.1 * row->at;
    while (high - low > 0.05 * row->tolerance) {
        const double middle = 0.5 * (low + high);
        want_run x;
        withy_status status = want_open(e->name, method, row->set, &x, err);
        for (int k = 1; k <= 9 && status == WITHY_OK; k++) /* ends turn by less than pi a step */
            status = withy_sim_equilibrium(x.sim, 0.1 * k * row->at, &x.at, err);
        if (status == WITHY_OK) status = withy_sim_equilibrium(x.sim, middle, &x.at, err);
        const int stable = status == WITHY_OK && x.at.negative < 2;
        want_close(&x);
        /* close above the branch point continuation may refuse to pass it: that is above, too */
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        if (stable)
            low = middle;
        else
            high = middle;
    }
    *factor = 0.5 * (low + high);
    return WITHY_OK;
}

static inline withy_status want_modes(const expected *e, const want_row *row, want_run *x,
                                      withy_error *err) {
    if (x->mode) return WITHY_OK;
    for (int i = 0; i < e->count; i++)
        if (strcmp(e->row[i].kind, "modes") == 0 && strcmp(e->row[i].set, row->set) == 0)
            x->mode_count = e->row[i].at > x->mode_count ? (int)e->row[i].at : x->mode_count;
    const withy_status status = withy_sim_equilibrium(x->sim, 1.0, &x->at, err);
    return status == WITHY_OK ? withy_sim_modes(x->sim, x->mode_count, &x->mode, err) : status;
}

/* withy's value of a row under an open simulation. */
static inline withy_status want_solve(const expected *e, const want_row *row, const char *method,
                                      want_run *x, double *value, withy_error *err) {
    withy_status status = WITHY_OK;
    *value = NAN;
    if (strcmp(row->kind, "threshold") == 0) return want_threshold(e, row, method, value, err);
    if (strcmp(row->kind, "modes") == 0) {
        status = want_modes(e, row, x, err);
        if (status == WITHY_OK) *value = x->mode[(int)row->at - 1].frequency;
        return status;
    }
    if (strcmp(row->kind, "static") == 0)
        status = withy_sim_equilibrium(x->sim, row->at, &x->at, err);
    else
        status = withy_sim_advance(x->sim, row->at, err);
    if (status != WITHY_OK) return status;
    const withy_snapshot *now = withy_sim_sample(x->sim, 0);
    if (now) *value = want_value(now, &x->at, row->quantity);
    return WITHY_OK;
}

static inline int want_has_method(const char *name) {
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, name) == 0) return !info.needs;
    return 0;
}

/* Every row of a case under one of its methods; the number of rows that do not hold. */
static inline int want_check_method(const expected *e, const char *method) {
    want_run x = {0};
    const want_row *open = NULL;
    int wrong = 0;
    for (int i = 0; i < e->count; i++) {
        const want_row *row = &e->row[i];
        withy_error err = {0};
        withy_status status = WITHY_OK;
        double value = NAN;
        char list[80], word[80];
        snprintf(list, sizeof list, " %s ", row->method);
        snprintf(word, sizeof word, " %.60s ", method);
        if (!strstr(list, word)) continue;
        if (!open || strcmp(open->kind, row->kind) != 0 || strcmp(open->set, row->set) != 0 ||
            strcmp(open->method, row->method) != 0) {
            want_close(&x);
            status = want_open(e->name, method, row->set, &x, &err);
            open = row;
        }
        if (status == WITHY_OK) status = want_solve(e, row, method, &x, &value, &err);
        const int holds = status == WITHY_OK && fabs(value - row->value) <= row->tolerance;
        if (!holds || getenv("PEERS_PRINT"))
            printf("%s %s %s %s at %g [%s]: %.12g, want %.12g +- %.1e, off by %.1e%s%s\n",
                   holds ? "ok  " : "FAIL", e->name, method, row->quantity, row->at, row->set,
                   value, row->value, row->tolerance, value - row->value,
                   status == WITHY_OK ? "" : ": ", status == WITHY_OK ? "" : err.text);
        wrong += !holds;
    }
    want_close(&x);
    return wrong;
}

/* Every row of a case under every method it names and the build has. */
static inline void want_holds(const char *name) {
    static expected e;
    want_read(name, &e);
    withy_method_info info;
    int wrong = 0;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (want_has_method(info.name)) wrong += want_check_method(&e, info.name);
    if (wrong) fail_msg("%s: %d rows do not hold", name, wrong);
}
