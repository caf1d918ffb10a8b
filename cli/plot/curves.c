/* curves.c - numbers over time by name: see curves.h. */
#include "plot/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static withy_status no_memory(withy_error *err) {
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "memory ran out");
    return WITHY_NO_MEMORY;
}

static withy_status take(curves *c, int64_t count, int size, withy_error *err) {
    c->count = count, c->size = size;
    c->t = calloc((size_t)count + 1, sizeof *c->t);
    c->value = calloc(((size_t)count + 1) * (size_t)size, sizeof *c->value);
    return c->t && c->value ? WITHY_OK : no_memory(err);
}

void curves_drop(curves *c) {
    free(c->t), free(c->value);
    memset(c, 0, sizeof *c);
}

static void describe(curves *c, const char *what, const char *unit) {
    snprintf(c->what, sizeof c->what, "%s", what);
    snprintf(c->unit, sizeof c->unit, "%s", unit);
}

/* What is left of `text` after `name`, at its end or at a dot; NULL: it does not begin so. */
static const char *after(const char *text, const char *name) {
    const size_t length = strlen(name);
    if (length == 0 || strncmp(text, name, length) != 0) return NULL;
    return text[length] == '.' ? text + length + 1 : text[length] ? NULL : text + length;
}

/* The first word of what is left, "position" where nothing is. */
static void quantity_of(const char *rest, const char *otherwise, char name[WITHY_NAME]) {
    snprintf(name, WITHY_NAME, "%.*s", (int)strcspn(rest, "."), rest);
    if (!name[0]) snprintf(name, WITHY_NAME, "%s", otherwise);
}

static const char *past(const char *rest) {
    const size_t length = strcspn(rest, ".");
    return rest[length] ? rest + length + 1 : rest + length;
}

/* ---- the kinds; WITHY_MISSING: there is none of this name; *rest: the component ------------------- */

static withy_status read_probe(withy_result *result, const char *name, curves *c, const char **rest,
                               withy_error *err) {
    withy_result_probe probe;
    for (int i = 0; withy_result_probe_at(result, i, &probe); i++) {
        if (!(*rest = after(name, probe.name))) continue;
        const withy_quantity *q = withy_quantity_find((int)probe.of, probe.what);
        describe(c, probe.what, q ? q->unit : "-");
        const withy_status status = take(c, probe.count, probe.size, err);
        return status == WITHY_OK ? withy_result_probe_read(result, i, c->t, c->value, err)
                                  : status;
    }
    return WITHY_MISSING;
}

static withy_status read_entry(withy_result *result, const char *name, curves *c, const char **rest,
                               withy_error *err) {
    withy_result_entry entry, found = {0};
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry); i++)
        if (after(name, entry.name)) found = entry, *rest = after(name, entry.name);
    if (found.size == 0) return WITHY_MISSING;
    describe(c, "", found.unit);
    withy_status status = take(c, withy_result_count(result), found.size, err);
    if (status == WITHY_OK) status = withy_result_times(result, c->t, err);
    const size_t total = (size_t)c->count * (size_t)found.size;
    double *one = calloc(total + 1, sizeof *one);
    if (!one) status = no_memory(err);
    for (int rod = 0; status == WITHY_OK && rod < withy_result_rods(result); rod++) {
        status = withy_result_ledger_read(result, rod, found.name, one, err);
        for (size_t k = 0; status == WITHY_OK && k < total; k++) c->value[k] += one[k];
    }
    free(one);
    return status;
}

/* Which rod, by its name or as rod2, 0 where none is named; name goes on to the place. */
static int rod_of(const withy_result *result, const char **name) {
    withy_result_rod rod;
    for (int i = 0; i < withy_result_rods(result); i++) {
        char own[WITHY_NAME];
        if (!withy_result_rod_at(result, i, &rod)) continue;
        const char *rest = after(*name, rod.name);
        snprintf(own, sizeof own, "rod%d", i + 1);
        if (!rest) rest = after(*name, own);
        if (rest && *rest) return *name = rest, i;
    }
    return 0;
}

/* "start", "middle", "finish" or "s=0.2": the arc length, and what is left of the name. */
static const char *place_of(const char *name, double length, double *s) {
    static const char *const word[] = {"start", "middle", "finish"};
    for (int i = 0; i < 3; i++) {
        *s = 0.5 * i * length;
        if (after(name, word[i])) return after(name, word[i]);
    }
    if (strncmp(name, "s=", 2) != 0) return NULL;
    char *end;
    *s = strtod(name + 2, &end);
    if (end == name + 2 || !(*s >= 0 && *s <= length * (1 + 1e-9))) return NULL;
    if (*end && *end != '.' && end[-1] != '.') return NULL;
    return *end == '.' ? end + 1 : end;
}

static int nearest(const withy_snapshot *snap, double s) {
    int best = 0;
    for (int i = 1; i < snap->count; i++)
        if (fabs(snap->s[i] - s) < fabs(snap->s[best] - s)) best = i;
    return best;
}

static withy_status read_station(withy_result *result, const char *name, curves *c,
                                 const char **rest, withy_error *err) {
    double s;
    char word[WITHY_NAME];
    if (withy_result_rods(result) == 0) return WITHY_MISSING;
    const int rod = rod_of(result, &name);
    const withy_snapshot *snap = withy_result_at(result, rod, 0, err);
    if (!snap) return err->code;
    const char *left = place_of(name, snap->s[snap->count - 1], &s);
    if (!left) return WITHY_MISSING;
    quantity_of(left, "position", word);
    const withy_quantity *q = withy_quantity_find(WITHY_OF_ROD, word);
    *rest = q ? past(left) : left; /* finish.z: of the position */
    if (!q) q = withy_quantity_find(WITHY_OF_ROD, "position");
    if (!withy_quantity_at(q, snap, 0)) return WITHY_MISSING;
    const int at = nearest(snap, s);
    describe(c, q->name, q->unit);
    if (at > 0 && at < snap->count - 1)
        snprintf(c->place, sizeof c->place, " at s = %.4g m", snap->s[at]);
    withy_status status = take(c, withy_result_count(result), q->size, err);
    for (int64_t k = 0; status == WITHY_OK && k < c->count; k++) {
        if (!(snap = withy_result_at(result, rod, k, err))) return err->code;
        c->t[k] = snap->t;
        memcpy(c->value + k * q->size, withy_quantity_at(q, snap, at),
               (size_t)q->size * sizeof *c->value);
    }
    return status;
}

/* ---- bodies, joints, obstacles --------------------------------------------------------------------- */

static const char *name_of(const withy_result *result, withy_probe_of of, int i) {
    static withy_body body;
    static withy_joint joint;
    static withy_obstacle obstacle;
    if (of == WITHY_OF_BODY) return withy_result_body_at(result, i, &body) ? body.name : NULL;
    if (of == WITHY_OF_JOINT) return withy_result_joint_at(result, i, &joint) ? joint.name : NULL;
    return withy_result_obstacle_at(result, i, &obstacle) ? obstacle.name : NULL;
}

static withy_status read_states(withy_result *result, const withy_quantity *q, int index, curves *c,
                                withy_error *err) {
    describe(c, q->name, q->unit);
    withy_status status = take(c, withy_result_count(result), q->size, err);
    for (int64_t k = 0; status == WITHY_OK && k < c->count; k++) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return err->code;
        c->t[k] = parts->t;
        memcpy(c->value + k * q->size, withy_quantity_of_part(q, parts, index),
               (size_t)q->size * sizeof *c->value);
    }
    return status;
}

static withy_status read_part(withy_result *result, const char *name, curves *c, const char **rest,
                              withy_error *err) {
    static const withy_probe_of kind[] = {WITHY_OF_BODY, WITHY_OF_JOINT, WITHY_OF_OBSTACLE};
    char word[WITHY_NAME];
    for (int k = 0; k < 3; k++) {
        const char *part;
        for (int i = 0; (part = name_of(result, kind[k], i)) != NULL; i++) {
            const char *left = after(name, part);
            if (!left) continue;
            quantity_of(left, kind[k] == WITHY_OF_JOINT ? "force" : "position", word);
            const withy_quantity *q = withy_quantity_find((int)kind[k], word);
            if (!q) continue;
            *rest = past(left);
            return read_states(result, q, i, c, err);
        }
    }
    return WITHY_MISSING;
}

/* ---- contacts --------------------------------------------------------------------------------------- */

static void add_touch(double *value, const char *what, const withy_touch *touch) {
    if (!what[0]) value[0] += 1;
    if (strcmp(what, "push") == 0) value[0] += touch->push;
    if (strcmp(what, "friction") == 0) value[0] += touch->friction;
    if (strcmp(what, "gap") == 0) value[0] = fmin(value[0], touch->gap);
    if (strcmp(what, "force") == 0)
        value[0] += touch->force.x, value[1] += touch->force.y, value[2] += touch->force.z;
}

static withy_status read_contacts(withy_result *result, const char *name, curves *c,
                                  const char **rest, withy_error *err) {
    static const char *const known[][2] = {
        {"", "-"}, {"push", "N"}, {"friction", "N"}, {"gap", "m"}, {"force", "N"}};
    const char *left = after(name, "contacts"), *unit = NULL;
    char word[WITHY_NAME];
    if (!left || withy_result_touches(result) == 0) return WITHY_MISSING;
    quantity_of(left, "", word);
    for (int i = 0; i < 5; i++)
        if (strcmp(known[i][0], word) == 0) unit = known[i][1];
    if (!unit) return WITHY_MISSING;
    *rest = past(left);
    describe(c, word[0] ? word : "number", unit);
    const int size = strcmp(word, "force") == 0 ? 3 : 1;
    withy_status status = take(c, withy_result_count(result), size, err);
    for (int64_t k = 0; status == WITHY_OK && k < c->count; k++) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return err->code;
        double *value = c->value + k * size;
        c->t[k] = parts->t;
        if (strcmp(word, "gap") == 0) value[0] = parts->touch_count ? INFINITY : NAN;
        for (int i = 0; i < parts->touch_count; i++) add_touch(value, word, &parts->touch[i]);
    }
    return status;
}

/* ---- by name ------------------------------------------------------------------------------------------ */

/* Which of the numbers "z" is; -1: none. */
static int component_of(const curves *c, const char *name) {
    for (int i = 0; i < c->size && c->size > 1; i++)
        if (strcmp(plot_component(c->what, i), name) == 0) return i;
    return -1;
}

/* All of "tip", the component of "tip.z", the length of "tip.norm". */
static withy_status choose(curves *c, const char *component) {
    c->first = 0, c->shown = c->size, c->norm = 0;
    if (!*component) return WITHY_OK;
    c->norm = strcmp(component, "norm") == 0 && c->size == 3;
    c->first = c->norm ? 0 : component_of(c, component), c->shown = 1;
    return c->first < 0 ? WITHY_MISSING : WITHY_OK;
}

/* Names of what the result holds, as many as there is room for. */
static void list_names(const withy_result *result, char *all, size_t size) {
    withy_result_probe probe;
    withy_result_entry entry;
    const char *name;
    size_t used = (size_t)snprintf(all, size, "start, middle, finish");
    if (withy_result_touches(result) > 0 && used < size)
        used += (size_t)snprintf(all + used, size - used, ", contacts");
    for (int i = 0; withy_result_probe_at(result, i, &probe) && used < size; i++)
        used += (size_t)snprintf(all + used, size - used, ", %s", probe.name);
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry) && used < size; i++)
        used += (size_t)snprintf(all + used, size - used, ", %s", entry.name);
    for (int k = WITHY_OF_ROD; k <= WITHY_OF_OBSTACLE; k++)
        for (int i = 0; k != WITHY_OF_ROD && used < size &&
                        (name = name_of(result, (withy_probe_of)k, i)) != NULL;
             i++)
            used += (size_t)snprintf(all + used, size - used, ", %s", name);
}

static withy_status refuse(const withy_result *result, const char *path, const char *wanted,
                           withy_error *err) {
    char all[480];
    list_names(result, all, sizeof all);
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text,
             "--what %.80s: %.160s has no such number; it has %.440s; then .QUANTITY of a place, "
             "body or joint (finish.force, hub.spin), and .x, .y, .z or .norm of vectors",
             wanted, path, all);
    return WITHY_BAD_INPUT;
}

withy_status curves_read(withy_result *result, const char *path, const char *wanted, curves *c,
                         withy_error *err) {
    static withy_status (*const kind[])(withy_result *, const char *, curves *, const char **,
                                        withy_error *) = {read_probe, read_station, read_entry,
                                                          read_part, read_contacts};
    withy_status status = WITHY_MISSING;
    for (size_t i = 0; i < sizeof kind / sizeof *kind && status == WITHY_MISSING; i++) {
        const char *component = "";
        status = kind[i](result, wanted, c, &component, err);
        if (status == WITHY_OK) status = choose(c, component);
        if (status == WITHY_MISSING) curves_drop(c);
    }
    return status == WITHY_MISSING ? refuse(result, path, wanted, err) : status;
}

double curves_value(const curves *c, int64_t k, int i) {
    const double *x = c->value + k * c->size;
    return c->norm ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) : x[c->first + i];
}
