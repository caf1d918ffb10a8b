/* spring.c - see spring.h.
 *
 * The rod of the scene, at its rest shape, a helix of radius R = D/2 and n turns of round wire d, without loads
 * and gravity; both ends clamped, and the finish moved along the axis by x; the mesh is refined until the rate
 * changes by less than 1 %:
 *
 *   rate      k = (F(+h) - F(-h)) / 2h, F the axial force of the finish          G d^4 / (8 D^3 n)
 *   surge     the lowest mode whose motion is along the axis                     sqrt(k/m) / 2
 *   stress    16 max|M_t| / (pi d^3) per force, M_t about the wire               8 D / (pi d^3)
 *             times Wahl's factor (4C - 1)/(4C - 4) + 0.615/C, C = D/d, for the inner side
 *   solid     the turns touch: (n + 1) d with plain ends; computed without contact
 *   buckling  the x at which a stiffness vanishes or the rate falls to 1/3       Haringx, fixed ends:
 *             x = L0 c1 (1 - sqrt(1 - c2 / (L0 / 2D)^2)), c1 = E / (2 (E - G)), c2 = 2 pi^2 (E - G) / (2 G + E)
 */
#include "spring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spring_buckling.h"

static const double PI = 3.14159265358979323846;

typedef struct spring {
    const withy_scene *scene;
    const char *method;
    withy_problem problem;
    withy_rod rod;
    double wire, diameter, turns, length; /* d, D, n, free length L0 along the axis [m] */
    double young, shear, mass;
    withy_vec3 axis, place; /* of the finish without load */
    withy_study study;      /* method and options of the scene */
    withy_option option[WITHY_SCENE_OPTIONS + 1];
    int n;        /* options.n; 0: as the scene says */
    double error; /* of the rate: its change from the mesh before [N/m] */
} spring;

/* What is found, and the same by the formula; NAN: not known. */
typedef struct row {
    const char *name, *unit, *formula;
    double found, textbook;
} row;

enum { RATE, SURGE, STRESS, WAHL, SOLID, STRESS_SOLID, BUCKLING, ROWS };

static double dot(withy_vec3 a, withy_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static withy_status refuse(withy_error *err, const spring *x, const char *why) {
    err->code = WITHY_BAD_INPUT;
    snprintf(err->text, sizeof err->text, "%.200s: --spring: %s", withy_scene_name(x->scene), why);
    return WITHY_BAD_INPUT;
}

/* ---- the spring in the scene --------------------------------------------------------------------------- */

/* The finish at place + t axis: on a path the factor is the way [m]. */
static withy_status place_at(void *context, double s, double t, double *out, withy_error *err) {
    const spring *x = context;
    (void)s, (void)err;
    out[0] = x->place.x + t * x->axis.x;
    out[1] = x->place.y + t * x->axis.y;
    out[2] = x->place.z + t * x->axis.z;
    return WITHY_OK;
}

static withy_status is_spring(spring *x, withy_error *err) {
    const withy_problem *p = withy_scene_problem(x->scene);
    if (p->rod_count != 1 || p->body_count || p->joint_count)
        return refuse(err, x, "the table is of one rod without bodies and joints; keep one");
    const withy_rod *rod = p->rod;
    if (rod->rest.kind != WITHY_SHAPE_HELIX)
        return refuse(err, x,
                      "rod.rest is not a helix, so the rod is not a helical spring; give "
                      "rod.rest = helix { radius = 0.01, turns = 8 }");
    if (rod->section.kind != WITHY_SECTION_CIRCLE || rod->section.a.call)
        return refuse(err, x,
                      "the formulas are of round wire; give rod.section = circle { diameter = "
                      "1e-3 } and a material");
    for (int i = 0; i < WITHY_STRAINS; i++)
        if (rod->stiffness[i].size > 0)
            return refuse(err, x, "rod.stiffness replaces the section; leave it out");
    return WITHY_OK;
}

static void measure(spring *x) {
    const withy_rod *rod = &x->rod;
    const double turn = hypot(2 * PI * rod->rest.radius, rod->rest.pitch);
    const double norm = sqrt(dot(rod->rest.along, rod->rest.along));
    x->wire = rod->section.a.value[0], x->diameter = 2 * rod->rest.radius;
    x->turns = rod->length / turn, x->length = x->turns * fabs(rod->rest.pitch);
    x->young = rod->material.young, x->shear = rod->material.shear;
    x->mass = rod->length * PI / 4 * x->wire * x->wire * rod->material.density;
    x->axis = norm > 0 ? (withy_vec3){rod->rest.along.x / norm, rod->rest.along.y / norm,
                                      rod->rest.along.z / norm}
                       : (withy_vec3){0, 0, 1};
}

/* The options of the scene, with the present mesh; returns how many. */
static int options_of(const spring *x, withy_option *option) {
    int count = 0;
    for (int i = 0; i < x->study.option_count; i++)
        if (!x->n || strcmp(x->option[i].name, "n") != 0) option[count++] = x->option[i];
    if (x->n) option[count++] = (withy_option){.name = "n", .number = x->n};
    return count;
}

static withy_status make_sim(const spring *x, withy_sim **sim, withy_error *err) {
    withy_option option[WITHY_SCENE_OPTIONS + 1];
    const int count = options_of(x, option);
    return withy_sim_create(&x->problem, x->study.method, option, count, sim, err);
}

static int mesh_of(const withy_sim *sim) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, sizeof name); i++)
        if (strcmp(name, "n") == 0) return (int)strtol(value, NULL, 10);
    return 0;
}

/* The rod alone, between two clamps. */
static void take_out(spring *x) {
    const withy_problem *p = withy_scene_problem(x->scene);
    x->problem = *p, x->rod = p->rod[0];
    x->problem.model = NULL; /* another problem */
    x->problem.rod = &x->rod;
    x->problem.gravity = (withy_vec3){0};
    x->problem.floor = (withy_floor){0};
    x->problem.contact = (withy_contact){0};
    x->problem.obstacle_count = x->problem.body_count = x->problem.joint_count = 0;
    x->problem.rotating = (withy_rotating){0};
    x->problem.request.probe_count = 0;
    x->problem.path.given = 0;
    x->rod.initial = x->rod.rest;
    x->rod.load_count = x->rod.pull_count = x->rod.settled = 0;
    x->rod.tension = 0;
    x->rod.velocity = x->rod.spin = (withy_field){0};
    for (int e = 0; e < 2; e++) x->rod.end[e] = (withy_end){.kind = WITHY_END_CLAMPED};
}

static withy_status open_spring(spring *x, withy_error *err) {
    withy_sim *made = NULL, **sim = &made;
    withy_status status = is_spring(x, err);
    if (status != WITHY_OK) return status;
    take_out(x);
    measure(x);
    if (x->rod.rest.along.x == 0 && x->rod.rest.along.y == 0 && x->rod.rest.along.z == 0)
        x->rod.initial.along = x->axis;
    status = withy_scene_study(x->scene, x->method, x->option, &x->study, err);
    if (status == WITHY_OK) status = make_sim(x, sim, err);
    if (status != WITHY_OK) return status;
    const withy_snapshot *snap = withy_sim_sample(*sim, 0);
    if (snap) x->place = snap->position[snap->count - 1];
    x->n = mesh_of(*sim);
    withy_sim_destroy(*sim);
    *sim = NULL;
    if (!snap) return refuse(err, x, "the shape is not finite");
    x->rod.end[1].position = (withy_field){.size = 3, .call = place_at, .context = x};
    return WITHY_OK;
}

/* ---- statics ------------------------------------------------------------------------------------------- */

enum { STATIONS = 401 };

/* An equilibrium: axial force of the finish, moment about the wire at some stations. */
typedef struct pulled {
    double force, twist[STATIONS];
    int count;
    withy_equilibrium at;
} pulled;

static withy_status pull(const spring *x, withy_sim *sim, double way, pulled *out,
                         withy_error *err) {
    const withy_status status = withy_sim_equilibrium(sim, way, &out->at, err);
    if (status != WITHY_OK) return status;
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    if (!snap) return refuse(err, x, "an equilibrium is not finite");
    out->force = dot(snap->reaction[1], x->axis);
    const int stride = 1 + (snap->count - 1) / STATIONS;
    out->count = 0;
    for (int i = 0; i < snap->count; i += stride) {
        const withy_quat q = snap->frame[i];
        const withy_vec3 d3 = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                               1 - 2 * (q.x * q.x + q.y * q.y)};
        out->twist[out->count++] = dot(snap->moment[i], d3);
    }
    return WITHY_OK;
}

static const double SMALL = 1e-3; /* of the free length: the way of the two equilibria */

/* Differences of the two: what the mesh makes of the shape without load drops out. */
static withy_status find_rate(const spring *x, withy_sim *sim, row *table, withy_error *err) {
    const double way = SMALL * x->length;
    pulled p[2];
    for (int i = 0; i < 2; i++) {
        const withy_status status = pull(x, sim, i ? -way : way, &p[i], err);
        if (status != WITHY_OK) return status;
    }
    const double force = p[0].force - p[1].force;
    double twist = 0;
    for (int i = 0; i < p[0].count; i++) twist = fmax(twist, fabs(p[0].twist[i] - p[1].twist[i]));
    table[RATE].found = force / (2 * way);
    table[STRESS].found = 16 * twist / (PI * pow(x->wire, 3)) / fabs(force);
    return WITHY_OK;
}

static const double REQUESTED = 0.01; /* change of the rate from one mesh to the next */

/* On finer and finer meshes until the rate no longer changes; *sim is that of the last. */
static withy_status refine(spring *x, withy_sim **sim, row *table, withy_error *err) {
    enum { LEVELS = 6 };
    double before = NAN;
    for (int level = 0; level < LEVELS; level++) {
        withy_sim_destroy(*sim);
        *sim = NULL;
        if (level) x->n *= 2;
        withy_status status = make_sim(x, sim, err);
        if (status == WITHY_OK) status = find_rate(x, *sim, table, err);
        if (status != WITHY_OK) return status;
        x->error = fabs(table[RATE].found - before);
        if (x->error <= REQUESTED * fabs(table[RATE].found)) return WITHY_OK;
        before = table[RATE].found;
    }
    err->code = WITHY_NO_CONVERGENCE;
    snprintf(
        err->text, sizeof err->text,
        "%.200s: --spring: the rate still changes by %.2g N/m from options.n = %d to %d; give a "
        "larger options.n, or another method",
        withy_scene_name(x->scene), x->error, x->n / 2, x->n);
    return WITHY_NO_CONVERGENCE;
}

static spring_buckling buckling_on(const spring *x, int n, double most) {
    spring other = *x;
    withy_sim *sim;
    withy_error err = {0};
    spring_buckling found = {.kind = SPRING_UNKNOWN, .way = NAN};
    other.n = n;
    other.rod.end[1].position.context = &other;
    other.problem.rod = &other.rod;
    if (make_sim(&other, &sim, &err) != WITHY_OK) {
        memcpy(found.why, err.text, sizeof found.why);
        return found;
    }
    found = spring_buckling_find(&(spring_column){sim, x->axis, x->length, most});
    withy_sim_destroy(sim);
    return found;
}

/* On finer and finer meshes, from that before the one of the rate, until two agree. */
static spring_buckling find_buckling(const spring *x, double most) {
    enum { LEVELS = 4 };
    spring_buckling coarse = buckling_on(x, x->n / 2, most), fine = coarse;
    for (int level = 0; level < LEVELS - 1; level++) {
        if (level) coarse = fine;
        fine = buckling_on(x, x->n << level, most);
        if (spring_buckling_agrees(&coarse, &fine)) return fine;
    }
    return spring_buckling_differs(&coarse, &fine);
}

/* ---- modes --------------------------------------------------------------------------------------------- */

/* The share of a mode that is along the axis. */
static double axial(const spring *x, const withy_mode *mode) {
    double along = 0, all = 0;
    for (int i = 0; i < mode->count; i++) {
        const double a = dot(mode->shift[i], x->axis);
        along += a * a, all += dot(mode->shift[i], mode->shift[i]);
    }
    return all > 0 ? along / all : 0;
}

static void find_surge(const spring *x, row *table) {
    enum { MODES = 12 };
    withy_sim *sim;
    withy_mode *mode;
    withy_equilibrium at;
    if (make_sim(x, &sim, NULL) != WITHY_OK) return;
    if (withy_sim_equilibrium(sim, 0, &at, NULL) == WITHY_OK &&
        withy_sim_modes(sim, MODES, &mode, NULL) == WITHY_OK) {
        const int total = mode[0].total;
        for (int i = 0; i < total && isnan(table[SURGE].found); i++)
            if (mode[i].frequency > 0 && axial(x, &mode[i]) > 0.5)
                table[SURGE].found = mode[i].frequency;
        withy_modes_free(mode, total);
    }
    withy_sim_destroy(sim);
}

/* ---- formulas ------------------------------------------------------------------------------------------ */

/* The turns touch: half a wire beyond the centres of both end sections belongs to the free length as to the solid one. */
static double travel_of(const spring *x) {
    return x->length + x->wire - (x->turns + 1) * x->wire;
}

static void find_by_textbook(const spring *x, row *table) {
    const double d = x->wire, D = x->diameter, C = D / d, E = x->young, G = x->shear;
    const double rate = G * d * d * d * d / (8 * D * D * D * x->turns);
    table[RATE].textbook = rate;
    table[SURGE].textbook = 0.5 * sqrt(rate / x->mass);
    table[STRESS].textbook = 8 * D / (PI * d * d * d);
    table[WAHL].textbook = (4 * C - 1) / (4 * C - 4) + 0.615 / C;
    table[SOLID].textbook = (x->turns + 1) * d;
    const double way = travel_of(x);
    if (way > 0)
        table[STRESS_SOLID].textbook = table[WAHL].textbook * table[STRESS].textbook * rate * way;
    const double slender = x->length / (2 * D), c1 = E / (2 * (E - G));
    const double c2 = 2 * PI * PI * (E - G) / (2 * G + E), root = 1 - c2 / (slender * slender);
    if (root >= 0) table[BUCKLING].textbook = x->length * c1 * (1 - sqrt(root));
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static void print_table(const spring *x, const char *method, const row *table,
                        const spring_buckling *buckling) {
    cli_print("%s: a spring of %.6g turns, D = %g m, d = %g m, C = D/d = %.4g, free length %.6g m, "
              "mass %.4g kg; %s\n",
              withy_scene_name(x->scene), x->turns, x->diameter, x->wire, x->diameter / x->wire,
              x->length, x->mass, method);
    cli_print("  %-26s %12s %12s\n", "", "computed", "textbook");
    for (int i = 0; i < ROWS; i++) {
        char found[24] = "-", textbook[24] = "-";
        if (!isnan(table[i].found)) snprintf(found, sizeof found, "%.6g", table[i].found);
        if (!isnan(table[i].textbook))
            snprintf(textbook, sizeof textbook, "%.6g", table[i].textbook);
        cli_print("  %-26s %12s %12s  %-6s %s\n", table[i].name, found, textbook, table[i].unit,
                  table[i].formula);
    }
    cli_print("  from n = %d to %d the rate changes by %.2g N/m\n", x->n / 2, x->n, x->error);
    if (buckling->kind == SPRING_STABLE) cli_print("  it does not buckle before it is solid\n");
    if (buckling->kind == SPRING_UNKNOWN)
        cli_print("  whether it buckles is unknown: %s\n", buckling->why);
}

static void print_json(const spring *x, const char *method, const row *table,
                       const spring_buckling *buckling) {
    static const char *const kind[] = {[SPRING_BUCKLES] = "buckles",
                                       [SPRING_STABLE] = "stable to the solid length",
                                       [SPRING_UNKNOWN] = "unknown"};
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(x->scene));
    json_text(&json, "method", method);
    json_number(&json, "turns", x->turns);
    json_number(&json, "diameter", x->diameter);
    json_number(&json, "wire", x->wire);
    json_number(&json, "length", x->length);
    json_number(&json, "mass", x->mass);
    json_whole(&json, "n", x->n);
    json_number(&json, "rate_error", x->error);
    json_text(&json, "buckling", kind[buckling->kind]);
    if (buckling->kind == SPRING_UNKNOWN) json_text(&json, "buckling_unknown", buckling->why);
    for (int i = 0; i < ROWS; i++) {
        json_open(&json, table[i].name, '{');
        json_number(&json, "computed", table[i].found);
        json_number(&json, "textbook", table[i].textbook);
        json_text(&json, "unit", table[i].unit);
        json_text(&json, "formula", table[i].formula);
        json_close(&json, '}');
    }
    json_close(&json, '}');
}

int cli_spring(const withy_scene *scene, const char *method, int as_json) {
    row table[ROWS] = {
        [RATE] = {"rate", "N/m", "G d^4 / (8 D^3 n)", NAN, NAN},
        [SURGE] = {"surge frequency", "Hz", "sqrt(k/m) / 2, fixed ends", NAN, NAN},
        [STRESS] = {"shear stress per force", "Pa/N", "8 D / (pi d^3), uncorrected", NAN, NAN},
        [WAHL] = {"Wahl factor", "-", "(4C - 1)/(4C - 4) + 0.615/C, inner side", NAN, NAN},
        [SOLID] = {"solid length", "m", "(n + 1) d, plain ends", NAN, NAN},
        [STRESS_SOLID] = {"stress at solid length", "Pa", "Wahl factor x stress x rate x travel",
                          NAN, NAN},
        [BUCKLING] = {"buckles when shortened by", "m", "Haringx, fixed ends", NAN, NAN}};
    spring x = {.scene = scene, .method = method};
    withy_error err = {0};
    withy_sim *sim = NULL;
    spring_buckling buckling = {
        .kind = SPRING_UNKNOWN, .way = NAN, .why = "its turns touch at its free length"};
    withy_status status = open_spring(&x, &err);
    if (status != WITHY_OK) return cli_error(&err);
    find_by_textbook(&x, table);
    status = refine(&x, &sim, table, &err);
    const double way = travel_of(&x);
    if (status == WITHY_OK) {
        if (way > 0) {
            table[STRESS_SOLID].found =
                table[WAHL].textbook * table[STRESS].found * table[RATE].found * way;
            buckling = find_buckling(&x, way);
            table[BUCKLING].found = buckling.way;
        }
        find_surge(&x, table);
        if (as_json)
            print_json(&x, withy_sim_method(sim), table, &buckling);
        else
            print_table(&x, withy_sim_method(sim), table, &buckling);
    }
    withy_sim_destroy(sim);
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}
