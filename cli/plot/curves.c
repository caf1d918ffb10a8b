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

/* ---- names of a result ------------------------------------------------------------------------- */

static const char *name_of(const void *context, int of, int i) {
    static withy_result_rod rod;
    static withy_body body;
    static withy_joint joint;
    static withy_obstacle obstacle;
    const withy_result *result = context;
    if (of == WITHY_OF_ROD) return withy_result_rod_at(result, i, &rod) ? rod.name : NULL;
    if (of == WITHY_OF_BODY) return withy_result_body_at(result, i, &body) ? body.name : NULL;
    if (of == WITHY_OF_JOINT) return withy_result_joint_at(result, i, &joint) ? joint.name : NULL;
    return withy_result_obstacle_at(result, i, &obstacle) ? obstacle.name : NULL;
}

static double length_of(const void *context, int rod) {
    withy_error unused;
    withy_result *result = (withy_result *)(uintptr_t)context;
    const withy_snapshot *snap = withy_result_at(result, rod, 0, &unused);
    return snap ? snap->s[snap->count - 1] : 0;
}

/* All of "tip", the component of "tip.z", the length of "tip.norm". */
static void choose(curves *c, const withy_quantity *q, int component) {
    c->norm = component == WITHY_NORM;
    c->first = component > 0 ? component : 0;
    c->shown = component == WITHY_COMPONENTS ? q->size : 1;
}

/* ---- the kinds; WITHY_MISSING: there is none of this name ---------------------------------------- */

static withy_status read_probe(withy_result *result, const char *name, curves *c,
                               withy_error *err) {
    withy_result_probe probe;
    for (int i = 0; withy_result_probe_at(result, i, &probe); i++) {
        const withy_quantity *q = withy_quantity_find((int)probe.of, probe.what);
        const char *rest = after(name, probe.name);
        int component;
        if (!rest || !withy_component_find(q, rest, &component)) continue;
        describe(c, probe.what, q->unit);
        choose(c, q, component);
        const withy_status status = take(c, probe.count, probe.size, err);
        return status == WITHY_OK ? withy_result_probe_read(result, i, c->t, c->value, err)
                                  : status;
    }
    return WITHY_MISSING;
}

/* Of a rod, or of the scene: the sum over its rods and bodies, or what the first rod has. */
static withy_status read_entry(withy_result *result, const withy_number *n, curves *c,
                               withy_error *err) {
    const withy_quantity *q = n->quantity, *bodies = withy_quantity_find(WITHY_OF_BODIES, q->name);
    const size_t total = (size_t)c->count * (size_t)q->size;
    const int all = n->at.rod < 0 && q->summed, first = n->at.rod < 0 ? 0 : n->at.rod;
    withy_status status = withy_result_times(result, c->t, err);
    double *one = calloc(total + 1, sizeof *one);
    if (!one) status = no_memory(err);
    for (int rod = first; rod == first || (all && rod < withy_result_rods(result)); rod++) {
        if (status != WITHY_OK || withy_result_rods(result) == 0) break;
        status = withy_result_ledger_read(result, rod, q->name, one, err);
        for (size_t k = 0; status == WITHY_OK && k < total; k++) c->value[k] += one[k];
    }
    free(one);
    const int more = all && bodies && withy_result_bodies(result) > 0;
    for (int64_t k = 0; more && status == WITHY_OK && k < c->count; k++) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return err->code;
        c->value[k] += *withy_quantity_of_part(bodies, parts, 0);
    }
    return status;
}

static int nearest(const withy_snapshot *snap, double s) {
    int best = 0;
    for (int i = 1; i < snap->count; i++)
        if (fabs(snap->s[i] - s) < fabs(snap->s[best] - s)) best = i;
    return best;
}

/* At the station next to the place. */
static withy_status read_station(withy_result *result, const withy_number *n, curves *c,
                                 withy_error *err) {
    const withy_quantity *q = n->quantity;
    int at = -1;
    for (int64_t k = 0; k < c->count; k++) {
        const withy_snapshot *snap = withy_result_at(result, n->at.rod, k, err);
        if (!snap) return err->code;
        if (at < 0) at = nearest(snap, n->at.at);
        const double *value = withy_quantity_at(q, snap, at);
        if (!value) return WITHY_MISSING;
        if (k == 0 && at > 0 && at < snap->count - 1)
            snprintf(c->place, sizeof c->place, " at s = %.4g m", snap->s[at]);
        c->t[k] = snap->t;
        memcpy(c->value + k * q->size, value, (size_t)q->size * sizeof *c->value);
    }
    return WITHY_OK;
}

static withy_status read_part(withy_result *result, const withy_number *n, curves *c,
                              withy_error *err) {
    const withy_quantity *q = n->quantity;
    for (int64_t k = 0; k < c->count; k++) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return err->code;
        c->t[k] = parts->t;
        memcpy(c->value + k * q->size, withy_quantity_of_part(q, parts, n->at.index),
               (size_t)q->size * sizeof *c->value);
    }
    return WITHY_OK;
}

static withy_status read_number(withy_result *result, const char *name, curves *c,
                                withy_error *err) {
    const withy_names names = {result, name_of, length_of};
    withy_number n;
    if (!withy_number_find(&names, name, &n)) return WITHY_MISSING;
    describe(c, n.at.of == WITHY_OF_LEDGER ? "" : n.at.what, n.quantity->unit);
    choose(c, n.quantity, n.component);
    const withy_status status = take(c, withy_result_count(result), n.quantity->size, err);
    if (status != WITHY_OK) return status;
    return n.at.of == WITHY_OF_ROD      ? read_station(result, &n, c, err)
           : n.at.of == WITHY_OF_LEDGER ? read_entry(result, &n, c, err)
                                        : read_part(result, &n, c, err);
}

/* ---- contacts --------------------------------------------------------------------------------------- */

/* Their number, the sum of a quantity of all, or the least gap. */
static withy_status read_contacts(withy_result *result, const char *name, curves *c,
                                  withy_error *err) {
    static const withy_quantity number = {.name = "number", .unit = "-", .size = 1};
    static const char *const known[] = {"push", "friction", "gap", "force"};
    const char *left = after(name, "contacts"), *rest = left;
    const withy_quantity *q = &number;
    int component;
    for (int i = 0; left && i < 4; i++)
        if (after(left, known[i]))
            rest = after(left, known[i]), q = withy_quantity_find(WITHY_OF_CONTACT, known[i]);
    if (!left || withy_result_contacts(result) == 0 || !withy_component_find(q, rest, &component))
        return WITHY_MISSING;
    describe(c, q->name, q->unit);
    choose(c, q, component);
    const int gap = strcmp(q->name, "gap") == 0;
    withy_status status = take(c, withy_result_count(result), q->size, err);
    for (int64_t k = 0; status == WITHY_OK && k < c->count; k++) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return err->code;
        double *value = c->value + k * q->size;
        c->t[k] = parts->t;
        if (gap) value[0] = parts->contact_count ? INFINITY : NAN;
        for (int i = 0; i < parts->contact_count; i++) {
            const double *x = q == &number ? NULL : withy_quantity_of_part(q, parts, i);
            for (int m = 0; m < q->size; m++)
                value[m] = !x ? value[m] + 1 : gap ? fmin(value[m], x[m]) : value[m] + x[m];
        }
    }
    return status;
}

/* ---- by name ------------------------------------------------------------------------------------------ */

/* Names of what the result holds, as many as there is room for. */
static void list_names(const withy_result *result, char *all, size_t size) {
    withy_result_probe probe;
    withy_result_entry entry;
    const char *name;
    size_t used = (size_t)snprintf(all, size, "start, middle, finish");
    if (withy_result_contacts(result) > 0 && used < size)
        used += (size_t)snprintf(all + used, size - used, ", contacts");
    for (int i = 0; withy_result_probe_at(result, i, &probe) && used < size; i++)
        used += (size_t)snprintf(all + used, size - used, ", %s", probe.name);
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry) && used < size; i++)
        used += (size_t)snprintf(all + used, size - used, ", %s", entry.name);
    for (int k = WITHY_OF_ROD; k <= WITHY_OF_OBSTACLE; k++)
        for (int i = 0; k != WITHY_OF_ROD && used < size && (name = name_of(result, k, i)) != NULL;
             i++)
            used += (size_t)snprintf(all + used, size - used, ", %s", name);
}

static withy_status refuse(const withy_result *result, const char *path, const char *requested,
                           withy_error *err) {
    char all[480];
    list_names(result, all, sizeof all);
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text,
             "--what %.80s: %.160s has no such number; it has %.440s; then .QUANTITY of a place, "
             "body or joint (finish.force, hub.spin), and .x, .y, .z or .norm of vectors",
             requested, path, all);
    return WITHY_BAD_INPUT;
}

withy_status curves_read(withy_result *result, const char *path, const char *requested, curves *c,
                         withy_error *err) {
    static withy_status (*const kind[])(withy_result *, const char *, curves *,
                                        withy_error *) = {read_probe, read_number, read_contacts};
    withy_status status = WITHY_MISSING;
    for (size_t i = 0; i < sizeof kind / sizeof *kind && status == WITHY_MISSING; i++) {
        status = kind[i](result, requested, c, err);
        if (status == WITHY_MISSING) curves_drop(c);
    }
    return status == WITHY_MISSING ? refuse(result, path, requested, err) : status;
}

double curves_value(const curves *c, int64_t k, int i) {
    const double *x = c->value + k * c->size;
    double sum = 0;
    for (int m = 0; c->norm && m < c->size; m++) sum += x[m] * x[m];
    return c->norm ? sqrt(sum) : x[c->first + i];
}
