/* withy.c - the module for pages: one scene, its record and one live simulation, behind functions that take numbers and
 * texts only, so that JavaScript needs no offsets of structs (web/module.js calls them).
 *
 * Descriptions are JSON in `page.text`, overwritten by the next one; numbers are read where they are, from the tables of
 * web_table and web_live_table.  A status is a withy_status; its message is web_error(), its line in the scene
 * web_error_line().
 */
#define _GNU_SOURCE /* M_PI */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"

#define WEB /* exported, by cmake/web.cmake */

/* Called between steps, see withy_progress: the page posts what is new; not 0 stops. */
__attribute__((import_module("env"), import_name("web_progress"))) int web_progress(double t,
                                                                                    double stop);

/* A hand: a spring of `stiffness` per length from the rod around s to the point `to`. */
typedef struct hand {
    int rod;          /* -1: lets go                                                         */
    double s, width;  /* where, and half of how much of it is held                     [m]   */
    double stiffness; /* of the spring at s                                          [N/m^2] */
    double damping;   /* of the motion there                                      [N s/m^2] */
    withy_vec3 to;    /* where the pointer is                                          [m]   */
    withy_vec3 r, v;  /* of the section held, where the method does not tell the load         */
} hand;

/* What a rod gives to its hand. */
typedef struct held {
    hand *hand;
    int rod;
} held;

enum { MOST_TENDONS = 64 };

static struct {
    withy_scene *scene;
    withy_record *record;
    withy_sim *sim;
    withy_problem problem; /* of sim: that of the scene, with the load of the hand on every rod */
    withy_rod *rod;        /* [rod_count]                                                       */
    withy_load **load;     /* [rod_count][load_count + 1]                                       */
    held *held;            /* [rod_count]                                                       */
    char tendon[MOST_TENDONS][16]; /* names of the inputs that pull at tendons                  */
    double tendon_most[MOST_TENDONS]; /* the strongest pull of the scene                    [N] */
    int tendon_count;
    hand hand;
    withy_error error;
    char *text;
    size_t used, room;
} page;

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...) {
    for (int again = 0; again < 2; again++) {
        va_list rest;
        va_start(rest, format);
        const int size = vsnprintf(page.text ? page.text + page.used : NULL, page.room - page.used,
                                   format, rest);
        va_end(rest);
        if (size < 0) return;
        if ((size_t)size < page.room - page.used) {
            page.used += (size_t)size;
            return;
        }
        const size_t room = 2 * (page.room + (size_t)size + 1024);
        char *more = realloc(page.text, room);
        if (!more) return;
        page.text = more, page.room = room;
    }
}

static void put_text(const char *text) {
    put("\"");
    for (const char *c = text ? text : ""; *c; c++)
        if (*c == '"' || *c == '\\')
            put("\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            put("\\u%04x", (unsigned)*c);
        else
            put("%c", *c);
    put("\"");
}

/* A name and its text, after a comma. */
static void put_pair(const char *key, const char *text) {
    put(",\"%s\":", key);
    put_text(text);
}

static void put_number(const char *key, double x) {
    if (isfinite(x))
        put(",\"%s\":%.17g", key, x);
    else
        put(",\"%s\":null", key);
}

static void put_vector(const char *key, const double *x, int count) {
    put(",\"%s\":[", key);
    for (int i = 0; i < count; i++) put(i ? ",%.9g" : "%.9g", isfinite(x[i]) ? x[i] : 0.0);
    put("]");
}

static void put_begin(const char *text) {
    page.used = 0;
    put("%s", text);
}

/* ---- what this build can do -------------------------------------------------------------------------- */

static void put_option(const withy_option_info *option) {
    put("{\"kind\":\"%c\"", option->kind);
    put_pair("name", option->name), put_pair("unit", option->unit), put_pair("doc", option->doc);
    put_pair("words", option->words);
    put_number("value", option->value), put_number("min", option->min),
        put_number("max", option->max);
    put("}");
}

/* Methods with their options, constructors, and the lines of the reference page. */
WEB const char *web_list(void) {
    withy_method_info method;
    put_begin("{\"version\":");
    put_text(withy_version());
    put(",\"methods\":[");
    for (int i = 0; withy_method_at(i, &method); i++) {
        put("%s{\"options\":[", i ? "," : "");
        for (int k = 0; method.options && method.options[k].name; k++) {
            put(k ? "," : "");
            put_option(&method.options[k]);
        }
        put("]");
        put_pair("name", method.name), put_pair("summary", method.summary);
        put("}");
    }
    put("],\"constructors\":[");
    for (int i = 0; withy_scene_constructor(i); i++)
        put(i ? "," : ""), put_text(withy_scene_constructor(i));
    put("],\"reference\":[");
    for (int i = 0;; i++) {
        const char *line = withy_scene_reference(i);
        if (!line) break;
        put(i ? "," : ""), put_text(line);
    }
    put("]}");
    return page.text;
}

/* ---- the scene ---------------------------------------------------------------------------------------- */

static void close_sim(void) {
    withy_sim_destroy(page.sim);
    for (int i = 0; page.load && i < page.problem.rod_count; i++) free(page.load[i]);
    free(page.load), free(page.rod), free(page.held);
    page.sim = NULL, page.load = NULL, page.rod = NULL, page.held = NULL;
}

static void close_all(void) {
    close_sim();
    withy_record_destroy(page.record);
    withy_scene_destroy(page.scene);
    page.record = NULL, page.scene = NULL;
}

WEB const char *web_error(void) {
    return page.error.text;
}

WEB int web_error_line(void) {
    return page.error.line;
}

enum { MOST_OVERRIDES = 256 };

/* Read a scene; overrides: "path=value" texts, each ended by '\x1e'. */
WEB int web_open(const char *text, int size, const char *name, char *overrides) {
    const char *override[MOST_OVERRIDES];
    int count = 0;
    for (char *c = overrides; *c && count < MOST_OVERRIDES;) {
        char *end = strchr(c, '\x1e');
        if (!end) break;
        *end = '\0', override[count++] = c, c = end + 1;
    }
    close_all();
    page.error = (withy_error){0};
    return withy_scene_read_text(text, (size_t)size, name, override, count, &page.scene,
                                 &page.error);
}

static void put_section(const withy_rod *rod) {
    static const char *const kind[] = {"none", "circle", "tube", "rectangle", "ellipse", "none"};
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0};
    withy_error unused = {0};
    if (rod->section.a.size) (void)withy_field_at(&rod->section.a, 0, 0, a, &unused);
    if (rod->section.b.size) (void)withy_field_at(&rod->section.b, 0, 0, b, &unused);
    put(",\"section\":{\"kind\":\"%s\"", kind[rod->section.kind]);
    put_number("a", a[0]), put_number("b", b[0]);
    put("}");
}

static void put_ends(const withy_rod *rod) {
    static const char *const kind[] = {"free", "pinned", "clamped", "guided", "roller"};
    put(",\"ends\":[");
    for (int i = 0; i < 2; i++)
        put("%s\"%s\"", i ? "," : "",
            (size_t)rod->end[i].kind < 5 ? kind[rod->end[i].kind] : "free");
    put("]");
}

/* Mass per length at s; 0: not known. */
static double mass_at(const withy_rod *rod, double s) {
    const withy_section *section = &rod->section;
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0};
    withy_error unused = {0};
    const withy_field *given = &rod->inertia[WITHY_MASS];
    if (given->size) return withy_field_at(given, s, 0, a, &unused) == WITHY_OK ? a[0] : 0;
    if (section->kind == WITHY_SECTION_CUSTOM)
        return withy_field_at(&section->area, s, 0, a, &unused) == WITHY_OK
                   ? rod->material.density * a[0]
                   : 0;
    if (section->a.size) (void)withy_field_at(&section->a, s, 0, a, &unused);
    if (section->b.size) (void)withy_field_at(&section->b, s, 0, b, &unused);
    const double round = 0.25 * M_PI * a[0];
    const double area[] = {0, round * a[0], round * a[0] - 0.25 * M_PI * b[0] * b[0], a[0] * b[0],
                           round * b[0]};
    return rod->material.density * area[section->kind];
}

/* How strong a hand must be: the force per displacement of the middle of the rod, roughly, and its mass. */
static void put_strength(const withy_rod *rod, const withy_problem *problem) {
    double c[WITHY_STRAINS] = {0};
    withy_error unused = {0};
    const withy_vec3 g = problem->gravity;
    const double length = rod->length, mass = mass_at(rod, 0.5 * length) * length;
    if (withy_rod_stiffness(rod, 0.5 * length, c, &unused) != WITHY_OK) return;
    const double bend = isfinite(c[WITHY_BEND1]) ? c[WITHY_BEND1] : 0;
    put_number("mass", mass);
    put_number("strength", 48 * bend / (length * length * length) +
                               8 * fabs(rod->tension) / length +
                               mass * sqrt(g.x * g.x + g.y * g.y + g.z * g.z) / length);
}

static void put_rods(const withy_problem *problem) {
    put(",\"rods\":[");
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        put("%s{\"length\":%.17g", i ? "," : "", rod->length);
        put_pair("name", rod->name);
        put_number("tension", rod->tension);
        put_section(rod);
        put_strength(rod, problem);
        put_ends(rod);
        put("}");
    }
    put("]");
}

/* How large a body is along its axes [m]: its shape, or the ellipsoid with its mass and inertia. */
static void body_size(const withy_body *body, double size[3]) {
    const double i[3] = {body->inertia.x, body->inertia.y, body->inertia.z};
    for (int k = 0; k < 3; k++) {
        const double square = i[(k + 1) % 3] + i[(k + 2) % 3] - i[k];
        size[k] = square > 0 && body->mass > 0 ? 2 * sqrt(2.5 * square / body->mass) : 0;
        if (body->shape == WITHY_BODY_BOX) size[k] = body->size[k];
        if (body->shape == WITHY_BODY_SPHERE) size[k] = body->size[0];
        if (body->shape == WITHY_BODY_CYLINDER || body->shape == WITHY_BODY_CAPSULE)
            size[k] = body->size[k == 2]; /* diameter, diameter, length */
    }
}

static void put_bodies(const withy_problem *problem) {
    static const char *const shape[] = {"inertia", "ellipsoid", "box", "cylinder", "capsule"};
    static const char *const kind[] = {"ball",        "weld",   "hinge",  "universal", "slider",
                                       "cylindrical", "planar", "spring", "link"};
    double size[3];
    put(",\"bodies\":[");
    for (int i = 0; i < problem->body_count; i++) {
        const withy_body *body = &problem->body[i];
        body_size(body, size);
        put("%s{\"shape\":\"%s\"", i ? "," : "", shape[body->shape]);
        put_pair("name", body->name), put_vector("size", size, 3);
        put("}");
    }
    put("],\"joints\":[");
    for (int i = 0; i < problem->joint_count; i++) {
        const withy_place *side = problem->joint[i].place;
        put("%s{\"kind\":\"%s\"", i ? "," : "", kind[problem->joint[i].kind]);
        put_pair("name", problem->joint[i].name);
        put(",\"bodies\":[%d,%d]", side[0].part == WITHY_PART_BODY ? side[0].index : -1,
            side[1].part == WITHY_PART_BODY ? side[1].index : -1); /* -1: no body is there */
        put("}");
    }
    put("]");
}

/* Full sizes along its axes; of a plane and of a cylinder without ends 0: as large as the scene. */
static void obstacle_size(const withy_obstacle *at, double size[3]) {
    size[0] = size[1] = size[2] = at->kind == WITHY_OBSTACLE_PLANE ? 0 : 2 * at->radius;
    if (at->kind == WITHY_OBSTACLE_CYLINDER || at->kind == WITHY_OBSTACLE_CAPSULE)
        size[2] = at->length;
    if (at->kind == WITHY_OBSTACLE_BOX)
        size[0] = at->size.x, size[1] = at->size.y, size[2] = at->size.z;
}

/* Of kinds that have a shape by a few numbers; where a moving one is: web_obstacle. */
static void put_obstacles(const withy_problem *problem) {
    static const char *const kind[] = {"plane", "ellipsoid", "cylinder", "box", "capsule"};
    int first = 1;
    put(",\"obstacles\":[");
    for (int i = 0; i < problem->obstacle_count; i++) {
        const withy_obstacle *at = &problem->obstacle[i];
        if (at->kind > WITHY_OBSTACLE_CAPSULE) continue;
        double size[3];
        obstacle_size(at, size);
        put("%s{\"index\":%d,\"shape\":\"%s\",\"inside\":%s", first ? "" : ",", i, kind[at->kind],
            at->inside ? "true" : "false");
        put_pair("name", at->name), put_vector("size", size, 3);
        put_vector("axis", &at->along.x, 3), put_vector("frame", &at->frame.w, 4);
        put("}");
        first = 0;
    }
    put("]");
}

/* Where tendons run, at some places of their rods: s, x1, x2 of each; continues: the name of another. */
static void put_tendon(const withy_load *load, int rod, int number) {
    enum { PLACES = 33 };
    withy_error unused = {0};
    put("%s{\"rod\":%d", number ? "," : "", rod);
    put_pair("name", load->name), put_pair("continues", load->continues);
    put(",\"route\":[");
    for (int i = 0; i < PLACES; i++) {
        const double s = load->from + (load->to - load->from) * i / (PLACES - 1);
        double x[WITHY_FIELD_MAX] = {0};
        (void)withy_field_at(&load->route, s, 0, x, &unused);
        put("%s%.9g,%.9g,%.9g", i ? "," : "", s, isfinite(x[0]) ? x[0] : 0,
            isfinite(x[1]) ? x[1] : 0);
    }
    put("]}");
}

static void put_tendons(const withy_problem *problem) {
    int number = 0;
    put(",\"tendons\":[");
    for (int rod = 0; rod < problem->rod_count; rod++)
        for (int i = 0; i < problem->rod[rod].load_count; i++)
            if (problem->rod[rod].load[i].kind == WITHY_LOAD_TENDON)
                put_tendon(&problem->rod[rod].load[i], rod, number++);
    put("]");
}

/* Which methods can solve it, and why the others cannot. */
static void put_methods(void) {
    withy_method_info method;
    put(",\"methods\":[");
    for (int i = 0; withy_method_at(i, &method); i++) {
        withy_error why = {0};
        const int ok = withy_check(page.scene, method.name, &why) == WITHY_OK;
        put("%s{\"name\":\"%s\"", i ? "," : "", method.name);
        put_pair("refused", ok ? "" : why.text);
        put("}");
    }
    put("]");
}

static void put_parameters(void) {
    withy_parameter p;
    put(",\"params\":[");
    for (int i = 0; withy_scene_parameter(page.scene, i, &p); i++) {
        put("%s{\"value\":%.17g", i ? "," : "", p.value);
        put_number("given", p.given), put_number("min", p.min), put_number("max", p.max);
        put_pair("name", p.name), put_pair("unit", p.unit), put_pair("doc", p.doc);
        put("}");
    }
    int count;
    const withy_option *option = withy_scene_options(page.scene, &count);
    put("],\"options\":[");
    for (int i = 0; i < count; i++) {
        put("%s{\"number\":%.17g", i ? "," : "", option[i].number);
        put_pair("name", option[i].name), put_pair("word", option[i].word);
        put("}");
    }
    put("]");
}

static void put_probes(const withy_request *request) {
    put(",\"probes\":[");
    for (int i = 0; i < request->probe_count; i++) {
        const withy_probe *probe = &request->probe[i];
        put("%s{\"rod\":%d", i ? "," : "", probe->rod);
        put_pair("name", probe->name), put_pair("what", probe->what);
        put_number("every", probe->every), put_number("at", probe->at);
        put("}");
    }
    put("]");
}

/* The scene, as far as a page shows it. */
WEB const char *web_describe(void) {
    const withy_problem *problem = withy_scene_problem(page.scene);
    put_begin("{\"path\":");
    put("%s", problem->path.given ? "true" : "false");
    put_pair("title", problem->title);
    put_pair("method", withy_scene_method(page.scene));
    put_number("stop", problem->request.stop), put_number("output", problem->request.output);
    put_vector("gravity", &problem->gravity.x, 3);
    if (problem->floor.given) {
        put_vector("floor_point", &problem->floor.point.x, 3);
        put_vector("floor_normal", &problem->floor.normal.x, 3);
    }
    put_rods(problem);
    put_bodies(problem);
    put_obstacles(problem);
    put_tendons(problem);
    put_methods();
    put_parameters();
    put_probes(&problem->request);
    put("}");
    return page.text;
}

/* Where obstacle `index` is at t, to out[3]. */
WEB int web_obstacle(int index, double t, double *out) {
    const withy_field *point = &withy_scene_problem(page.scene)->obstacle[index].point;
    withy_error unused = {0};
    double at[WITHY_FIELD_MAX] = {0};
    if (point->size && withy_field_at(point, 0, t, at, &unused) != WITHY_OK) return 0;
    memcpy(out, at, 3 * sizeof *out);
    return 1;
}

/* ---- studies ------------------------------------------------------------------------------------------- */

static int on_progress(void *context, double t, double stop, int64_t step) {
    (void)context, (void)step;
    return web_progress(t, stop);
}

static void put_status(withy_status status, const char *method, const withy_notes *notes) {
    put_begin("{\"status\":");
    put("%d", status);
    put_pair("method", method), put_pair("notes", notes ? notes->text : "");
    put_pair("error", page.error.text), put(",\"line\":%d", page.error.line);
}

static withy_status solve_run(const withy_run_setup *setup) {
    withy_report *report = calloc(1, sizeof *report);
    if (!report) return WITHY_NO_MEMORY;
    const withy_status status = withy_run(page.scene, setup, report, &page.error);
    put_status(status, report->method, &report->notes);
    put_number("steps", (double)report->stats.steps), put_number("t", report->t);
    put_number("iterations", (double)report->stats.iterations);
    put_number("drift", report->stats.accounted ? report->stats.energy_drift : NAN);
    put_number("scale", report->stats.energy_scale);
    put_number("constraint", report->stats.constraint_max);
    put("}");
    free(report);
    return status;
}

static withy_status solve_static(const withy_run_setup *setup) {
    withy_static_report *report = calloc(1, sizeof *report);
    if (!report) return WITHY_NO_MEMORY;
    const withy_status status = withy_static(page.scene, setup, report, &page.error);
    put_status(status, report->method, &report->notes);
    put(",\"points\":[");
    for (int i = 0; i < report->count; i++) {
        const withy_equilibrium *at = &report->point[i].at;
        put("%s{\"unstable\":%d,\"neutral\":%d,\"iterations\":%d", i ? "," : "", at->negative,
            at->neutral, at->iterations);
        put_number("factor", at->factor), put_number("energy", at->energy);
        put("}");
    }
    put("],\"critical\":[");
    for (int i = 0; i < report->critical_count; i++)
        put("%s%.12g", i ? "," : "", report->critical[i].factor);
    put("],\"figures\":[");
    const withy_static_point *last = report->count ? &report->point[report->count - 1] : NULL;
    for (int i = 0; last && i < last->figure_count; i++) {
        put("%s{\"value\":%.12g", i ? "," : "", last->figure[i].value);
        put_pair("name", last->figure[i].name), put_pair("unit", last->figure[i].unit);
        put("}");
    }
    put("]}");
    withy_static_free(report);
    free(report);
    return status;
}

static withy_status solve_modes(const withy_run_setup *setup, int count) {
    withy_mode *mode = NULL;
    const withy_status status = withy_modes(page.scene, count, setup, &mode, &page.error);
    const int total = status == WITHY_OK && mode ? mode[0].total : 0;
    put_status(status, total ? mode[0].method : "", total ? mode[0].notes : NULL);
    put(",\"modes\":[");
    for (int i = 0; i < total; i++) {
        put("%s{\"kind\":%d", i ? "," : "", (int)mode[i].kind);
        put_number("frequency", mode[i].frequency), put_number("damping", mode[i].damping);
        put_number("growth", mode[i].growth);
        put("}");
    }
    put("]}");
    if (mode) withy_modes_free(mode, total);
    return status;
}

/* task: a withy_task; count: of modes; method "": that of the scene.  The report is then web_report(). */
WEB int web_solve(int task, int count, const char *method) {
    close_sim();
    if (!page.record) page.record = withy_record_create();
    page.error = (withy_error){0};
    const withy_run_setup setup = {
        .method = *method ? method : NULL, .progress = on_progress, .record = page.record};
    if (task == WITHY_TASK_STATIC) return solve_static(&setup);
    if (task == WITHY_TASK_MODES) return solve_modes(&setup, count);
    return solve_run(&setup);
}

WEB const char *web_report(void) {
    return page.text;
}

WEB int web_count(int of) {
    return withy_record_count(page.record, (withy_record_of)of);
}
WEB const char *web_name(int of, int part) {
    return withy_record_name(page.record, (withy_record_of)of, part);
}
WEB const char *web_text(const char *name) {
    return withy_record_text(page.record, name);
}

/* out: name, unit, values, rows, stations, size. */
static int give(const withy_table *table, int32_t *out) {
    out[0] = (int32_t)(intptr_t)table->name, out[1] = (int32_t)(intptr_t)table->unit;
    out[2] = (int32_t)(intptr_t)table->value, out[3] = (int32_t)table->rows;
    out[4] = table->stations, out[5] = table->size;
    return 1;
}

WEB int web_table(int of, int part, int index, int32_t *out) {
    withy_table table;
    return withy_record_table(page.record, (withy_record_of)of, part, index, &table) &&
           give(&table, out);
}

/* ---- live ---------------------------------------------------------------------------------------------- */

/* The hand's force per length at s: a bump of half width h, which is 1 at the middle. */
static void hand_force(const hand *x, double s, withy_vec3 r, withy_vec3 v, double *out) {
    const double u = (s - x->s) / x->width, bump = fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
    const double k = x->stiffness * bump, c = x->damping * bump;
    out[0] = k * (x->to.x - r.x) - c * v.x;
    out[1] = k * (x->to.y - r.y) - c * v.y;
    out[2] = k * (x->to.z - r.z) - c * v.z;
}

static withy_status hand_from_state(void *context, double s, double t,
                                    const withy_section_state *state, double *out,
                                    withy_error *err) {
    const held *x = context;
    (void)t, (void)err;
    out[0] = out[1] = out[2] = 0;
    if (x->hand->rod == x->rod) hand_force(x->hand, s, state->position, state->velocity, out);
    return WITHY_OK;
}

/* For methods whose loads depend on no state: the spring acts as it was at the last frame. */
static withy_status hand_acts(void *context, double s, double t, double *out, withy_error *err) {
    const held *x = context;
    (void)t, (void)err;
    out[0] = out[1] = out[2] = 0;
    if (x->hand->rod == x->rod) hand_force(x->hand, s, x->hand->r, x->hand->v, out);
    return WITHY_OK;
}

/* A tendon that is pulled becomes an input of the same first value, for a slider of the page. */
static void free_tendon(withy_load *load, double stop) {
    enum { LOOKS = 200 };
    double now[WITHY_FIELD_MAX] = {0}, then[WITHY_FIELD_MAX] = {0};
    withy_error unused = {0};
    if (load->kind != WITHY_LOAD_TENDON || !load->tension.size || load->tension.input[0] ||
        page.tendon_count == MOST_TENDONS ||
        withy_field_at(&load->tension, 0, 0, now, &unused) != WITHY_OK)
        return;
    double most = now[0];
    for (int i = 1; i <= LOOKS; i++)
        if (withy_field_at(&load->tension, 0, stop * i / LOOKS, then, &unused) == WITHY_OK)
            most = fmax(most, then[0]);
    const int index = page.tendon_count++;
    snprintf(page.tendon[index], sizeof page.tendon[index], "tendon %d", index + 1);
    page.tendon_most[index] = most;
    load->tension = withy_field_input(page.tendon[index], now[0]);
}

/* A copy of the scene's problem in which the hand can act on every rod. */
static int prepare_hands(int uses_state) {
    page.problem = *withy_scene_problem(page.scene);
    page.problem.model = NULL; /* it was compiled without the loads */
    page.tendon_count = 0;
    const int rods = page.problem.rod_count;
    page.rod = calloc((size_t)rods + 1, sizeof *page.rod);
    page.load = calloc((size_t)rods + 1, sizeof *page.load);
    page.held = calloc((size_t)rods + 1, sizeof *page.held);
    if (!page.rod || !page.load || !page.held) return 0;
    for (int i = 0; i < rods; i++) {
        withy_rod *rod = &page.rod[i];
        *rod = page.problem.rod[i];
        page.held[i] = (held){&page.hand, i};
        page.load[i] = calloc((size_t)rod->load_count + 1, sizeof **page.load);
        if (!page.load[i]) return 0;
        if (rod->load_count)
            memcpy(page.load[i], rod->load, (size_t)rod->load_count * sizeof *rod->load);
        for (int k = 0; k < rod->load_count; k++)
            free_tendon(&page.load[i][k], page.problem.request.stop);
        withy_field force = {.size = 3, .context = &page.held[i]};
        if (uses_state)
            force.from_state = hand_from_state;
        else
            force.call = hand_acts;
        page.load[i][rod->load_count++] = (withy_load){
            .kind = WITHY_LOAD_DISTRIBUTED, .from = 0, .to = rod->length, .force = force};
        rod->load = page.load[i];
    }
    page.problem.rod = page.rod;
    return 1;
}

/* Begin a simulation that is driven by hand.  Returns a status; *pull: 2 the hand is part of each step, 1 it acts as
 * it was at the last frame, 0 this method takes no load at all. */
WEB int web_live(const char *method, int *pull) {
    const char *by = *method ? method : NULL;
    withy_status status = WITHY_NO_MEMORY;
    page.hand = (hand){.rod = -1, .width = 1};
    for (*pull = 2; *pull >= 0; --*pull) {
        close_sim();
        page.error = (withy_error){0};
        if (*pull == 0)
            status = withy_scene_sim(page.scene, by, &page.sim, &page.error);
        else if (prepare_hands(*pull == 2))
            status = withy_scene_sim_of(page.scene, &page.problem, by, &page.sim, &page.error);
        if (status == WITHY_OK) return status;
    }
    *pull = 0;
    return status;
}

WEB int web_advance(double t) {
    page.error = (withy_error){0};
    return withy_sim_advance(page.sim, t, &page.error);
}
WEB double web_time(void) {
    return withy_sim_time(page.sim);
}
WEB double web_step(void) {
    return withy_sim_step(page.sim);
}
WEB int web_set_input(const char *name, double value) {
    return withy_sim_input(page.sim, name, value, &page.error);
}
/* Name of an input of the simulation, or NULL past the last; its value to value[0], and to value[1] the most that the
 * scene gives to it, NaN: not known. */
WEB const char *web_input(int index, double *value) {
    const char *name = withy_sim_input_name(page.sim, index);
    if (!name) return NULL;
    withy_sim_input_get(page.sim, name, value, &page.error);
    value[1] = NAN;
    for (int i = 0; i < page.tendon_count; i++)
        if (strcmp(name, page.tendon[i]) == 0) value[1] = page.tendon_most[i];
    return name;
}

/* The hand holds the rod around s, half a width on either side, and draws it to (x, y, z); rod -1: it lets go. */
WEB void web_hand(int rod, double s, double width, double stiffness, double damping, double x,
                  double y, double z) {
    page.hand.rod = rod, page.hand.s = s, page.hand.width = width > 0 ? width : 1;
    page.hand.stiffness = stiffness, page.hand.damping = damping;
    page.hand.to = (withy_vec3){x, y, z};
}
/* Where the section held is now and how it moves, for hand_acts. */
WEB void web_hand_at(double x, double y, double z, double vx, double vy, double vz) {
    page.hand.r = (withy_vec3){x, y, z}, page.hand.v = (withy_vec3){vx, vy, vz};
}

/* Sound: count samples at this rate of the velocity of a station (the sum of its components) to out; returns how many
 * there are, less where the simulation failed. */
WEB int web_sound(int rod, int station, double rate, int count, double *out) {
    const double from = withy_sim_time(page.sim);
    page.error = (withy_error){0};
    for (int i = 0; i < count; i++) {
        if (withy_sim_advance(page.sim, from + (i + 1) / rate, &page.error) != WITHY_OK) return i;
        const withy_snapshot *snap = withy_sim_sample(page.sim, rod);
        if (!snap || station >= snap->count || !(snap->have & WITHY_HAVE_VELOCITY)) return i;
        const withy_vec3 v = snap->velocity[station];
        out[i] = v.x + v.y + v.z;
    }
    return count;
}

WEB int web_live_count(int of) {
    return withy_sim_count(page.sim, (withy_record_of)of);
}
WEB int web_live_table(int of, int part, int index, int32_t *out) {
    withy_table table;
    return withy_sim_table(page.sim, (withy_record_of)of, part, index, &table) && give(&table, out);
}
WEB const char *web_live_method(void) {
    return withy_sim_method(page.sim);
}
