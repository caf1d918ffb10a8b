/* random_scene.h - single-rod scenes by number, and the same scene seen differently.
 *
 * A recipe is a scene in pure numbers: lengths over L, forces over EI/L^2, times over the bending time
 * T = L^2 (m/EI)^(1/2).  A view says how it is written down: turned or mirrored (Q), moved (by), listed from
 * the other end, in other units.  Positions become  by + a Q x,  forces  Q f  and moments  det(Q) Q m  in their units; the
 * answers of a method must follow the same rule.  For the property tests (few) and the long study (many).
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "withy/withy.h"

/* Where what is found is said; loud: also what is refused. */
typedef struct random_teller {
    void (*say)(const char *format, ...);
    int loud;
} random_teller;

/* ---- numbers from a seed --------------------------------------------------------------------- */

typedef struct random_source {
    uint64_t at;
} random_source;

/* splitmix64: the same sequence on every machine. */
static inline double random_unit(random_source *x) {
    uint64_t z = (x->at += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static inline double random_in(random_source *x, double low, double high) {
    return low + (high - low) * random_unit(x);
}
static inline int random_chance(random_source *x, double share) {
    return random_unit(x) < share;
}
static inline double random_size(random_source *x, double low, double high) {
    return exp(random_in(x, log(low), log(high)));
}

static inline withy_vec3 random_add(withy_vec3 a, double k, withy_vec3 b) {
    return (withy_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline withy_vec3 random_times(double k, withy_vec3 a) {
    return random_add((withy_vec3){0}, k, a);
}
static inline double random_dot(withy_vec3 a, withy_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline withy_vec3 random_direction(random_source *x) {
    for (;;) {
        const withy_vec3 v = {random_in(x, -1, 1), random_in(x, -1, 1), random_in(x, -1, 1)};
        const double l = sqrt(random_dot(v, v));
        if (l > 0.1 && l < 1) return random_times(1 / l, v);
    }
}

/* ---- the recipe --------------------------------------------------------------------------------- */

typedef struct random_recipe {
    uint64_t seed;
    int statics;
    double length, bend, mass;  /* L, EI, m: the units of everything below          */
    double thin;                /* radius of gyration over L                        */
    double bend2, twist, shear; /* EI2/EI1, GJ/EI1, GA/EA                           */
    withy_end_kind end[2];
    withy_vec3 along, normal;       /* of the initial shape at s = 0, orthonormal       */
    double turn;                    /* of the initial shape, an arc; 0: straight [rad]  */
    int bent;                       /* 1: the rest shape is that arc too                */
    withy_vec3 gravity;             /* m L g                                            */
    withy_vec3 force[2], moment[2]; /* at the ends, where free                          */
    int follower;                   /* 1: these in material components                  */
    withy_vec3 spread, point;       /* distributed (its total), point force             */
    double from, to, at;            /* where they act                                   */
    double damping, drag;           /* damping_time/T, drag T/m                         */
    withy_vec3 velocity;            /* of a free rod, T/L                               */
    double stop;                    /* t/T                                              */
} random_recipe;

static inline int random_holds(withy_end_kind kind) {
    return kind == WITHY_END_CLAMPED || kind == WITHY_END_PINNED;
}

/* Which ends a static rod may have: what holds it must hold it whole, or up to a swing or a spin. */
static inline int random_held(const withy_end_kind end[2]) {
    const int a = end[0], b = end[1];
    if (a == WITHY_END_CLAMPED || b == WITHY_END_CLAMPED) return 1;
    return a == WITHY_END_PINNED || b == WITHY_END_PINNED;
}

static inline void random_ends(random_source *x, random_recipe *r) {
    static const withy_end_kind kind[] = {WITHY_END_CLAMPED, WITHY_END_CLAMPED, WITHY_END_PINNED,
                                          WITHY_END_FREE,    WITHY_END_FREE,    WITHY_END_GUIDED};
    do
        for (int i = 0; i < 2; i++) r->end[i] = kind[(int)(6 * random_unit(x))];
    while (r->statics && !random_held(r->end));
}

static inline void random_loads(random_source *x, random_recipe *r) {
    /* below the smallest buckling load of the end pairs, so that the equilibrium is the only one */
    const double most = r->statics ? 1.5 : 4.0;
    if (random_chance(x, 0.5))
        r->gravity = random_times(random_in(x, 0, most), random_direction(x));
    for (int i = 0; i < 2; i++) {
        if (r->end[i] != WITHY_END_FREE || !random_chance(x, 0.5)) continue;
        r->force[i] = random_times(random_in(x, 0, most), random_direction(x));
        if (random_chance(x, 0.3))
            r->moment[i] = random_times(random_in(x, 0, most / 2), random_direction(x));
    }
    r->follower = random_chance(x, 0.25);
    r->from = random_in(x, 0, 0.6), r->to = random_in(x, r->from + 0.2, 1);
    if (random_chance(x, 0.3)) r->spread = random_times(random_in(x, 0, most), random_direction(x));
    r->at = random_in(x, 0.2, 0.8);
    if (random_chance(x, 0.2)) r->point = random_times(random_in(x, 0, most), random_direction(x));
}

/* From one pin. */
static inline int random_hangs(const random_recipe *r) {
    const int a = r->end[0], b = r->end[1];
    return (a == WITHY_END_PINNED && b == WITHY_END_FREE) ||
           (a == WITHY_END_FREE && b == WITHY_END_PINNED);
}

static inline random_recipe random_make(uint64_t seed, int statics) {
    random_source source = {seed * 2 + (uint64_t)statics}, *x = &source;
    random_recipe r = {.seed = seed, .statics = statics};
    for (int i = 0; i < 4; i++) random_unit(x); /* neighbouring seeds start alike */
    r.length = random_size(x, 0.01, 100), r.bend = random_size(x, 1e-4, 1e4);
    r.mass = random_size(x, 1e-3, 1e3);
    r.thin = statics ? random_size(x, 1e-3, 0.05) : random_size(x, 0.01, 0.05);
    r.bend2 = random_chance(x, 0.5) ? 1 : random_in(x, 0.4, 2.5);
    r.twist = random_in(x, 0.5, 1.2), r.shear = random_in(x, 0.3, 0.5);
    random_ends(x, &r);
    r.along = random_direction(x);
    const withy_vec3 other = random_direction(x);
    r.normal = random_add(other, -random_dot(other, r.along), r.along);
    r.normal = random_times(1 / sqrt(random_dot(r.normal, r.normal)), r.normal);
    if (random_chance(x, 0.4)) r.turn = random_in(x, 0.2, 1.2), r.bent = random_chance(x, 0.5);
    random_loads(x, &r);
    if (random_chance(x, 0.3)) r.damping = random_size(x, 1e-3, 0.05);
    if (random_chance(x, 0.2)) r.drag = random_size(x, 0.1, 3);
    if (r.end[0] == WITHY_END_FREE && r.end[1] == WITHY_END_FREE)
        r.velocity = random_times(random_in(x, 0, 2), random_direction(x));
    r.stop = random_in(x, 0.3, 0.8);
    if (statics && random_hangs(&r)) { /* nothing resists a moment: it would turn for ever */
        r.follower = 0;
        for (int i = 0; i < 2; i++) r.moment[i] = (withy_vec3){0};
    }
    return r;
}

/* A bent rod that hangs from a pin, next to the vertical, may turn about it: where it is then is not determined. */
static inline int random_swings(const random_recipe *r) {
    return r->statics && random_hangs(r) && r->turn != 0;
}

/* A rod that is longer than the way between its held ends may bend to several sides. */
static inline int random_slack(const random_recipe *r) {
    return r->statics && r->turn != 0 && !r->bent && random_holds(r->end[0]) &&
           random_holds(r->end[1]);
}

/* ---- how it is written down ---------------------------------------------------------------------- */

typedef struct random_view {
    withy_vec3 q[3];                /* rows of Q, orthogonal                       */
    double det;                     /* of Q, 1 or -1                               */
    withy_vec3 by;                  /* added, in lengths of the rod                */
    int reversed;                   /* s runs from the other end                   */
    double metre, kilogram, second; /* one of them in the new units            */
} random_view;

static inline random_view random_plain(void) {
    return (random_view){
        .q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .det = 1, .metre = 1, .kilogram = 1, .second = 1};
}

static inline withy_vec3 random_turned(const random_view *v, withy_vec3 a) {
    return (withy_vec3){random_dot(v->q[0], a), random_dot(v->q[1], a), random_dot(v->q[2], a)};
}
static inline double random_newton(const random_view *v) {
    return v->kilogram * v->metre / (v->second * v->second);
}
static inline withy_vec3 random_position(const random_view *v, double length, withy_vec3 x) {
    return random_add(random_times(length * v->metre, v->by), v->metre, random_turned(v, x));
}
static inline withy_vec3 random_force(const random_view *v, withy_vec3 f) {
    return random_times(random_newton(v), random_turned(v, f));
}
static inline withy_vec3 random_moment(const random_view *v, withy_vec3 m) {
    return random_times(v->det * random_newton(v) * v->metre, random_turned(v, m));
}

/* Material components: a mirror turns d2 round, another direction of s turns d2 and d3 round; a moment changes sign
 * with the hand. */
static inline withy_vec3 random_material(const random_view *v, double hand, withy_vec3 f) {
    const double d2 = v->det * (v->reversed ? -1 : 1), d3 = v->reversed ? -1 : 1;
    return (withy_vec3){hand * f.x, hand * d2 * f.y, hand * d3 * f.z};
}

/* The scene itself; do not copy it, it points into itself. */
typedef struct random_scene {
    withy_problem problem;
    withy_rod rod;
    withy_load load[2];
    struct random_ramp {
        double value[3], over;
    } ramp[6];
    int ramps;
    withy_option option[4];
    double unit; /* T [s] */
} random_scene;

/* From 0 to the value, smoothly, within `over`: loads that jump excite waves that no mesh resolves. */
static inline withy_status random_ramp_at(void *context, double s, double t, double *out,
                                          withy_error *err) {
    const struct random_ramp *x = context;
    const double u = fmin(1, fmax(0, t / x->over)), up = u * u * u * (10 - 15 * u + 6 * u * u);
    (void)s, (void)err;
    for (int i = 0; i < 3; i++) out[i] = up * x->value[i];
    return WITHY_OK;
}

static inline withy_field random_field(random_scene *y, const random_recipe *r,
                                       const random_view *v, withy_vec3 value) {
    if (random_dot(value, value) == 0) return (withy_field){0};
    if (r->statics) return withy_field_vector(value.x, value.y, value.z);
    struct random_ramp *ramp = &y->ramp[y->ramps++];
    *ramp = (struct random_ramp){{value.x, value.y, value.z}, 0.25 * y->unit * v->second};
    return (withy_field){.size = 3, .call = random_ramp_at, .context = ramp};
}

/* Where the arc is and which way it goes at s = u L, in lengths of the rod. */
static inline void random_pose(const random_recipe *r, double u, withy_vec3 *x, withy_vec3 *t,
                               withy_vec3 *n) {
    const double a = r->turn * u, c = cos(a), s = sin(a);
    const double ahead = r->turn ? s / r->turn : u, aside = r->turn ? (1 - c) / r->turn : 0;
    *x = random_add(random_times(ahead, r->along), aside, r->normal);
    *t = random_add(random_times(c, r->along), s, r->normal);
    *n = random_add(random_times(c, r->normal), -s, r->along);
}

static inline withy_shape random_shape(const random_recipe *r, const random_view *v) {
    withy_vec3 x, t, n;
    random_pose(r, v->reversed ? 1 : 0, &x, &t, &n);
    return (withy_shape){.kind = r->turn ? WITHY_SHAPE_ARC : WITHY_SHAPE_STRAIGHT,
                         .from = random_position(v, r->length, random_times(r->length, x)),
                         .along = random_times(v->reversed ? -1 : 1, random_turned(v, t)),
                         .normal = random_turned(v, n),
                         .radius = r->turn ? v->metre * r->length / r->turn : 0};
}

static inline void random_write_rod(const random_recipe *r, const random_view *v, random_scene *y) {
    const double ei = r->bend * random_newton(v) * v->metre * v->metre, l = r->length * v->metre;
    const double ea = ei / (r->thin * r->thin * l * l), m = r->mass * v->kilogram / v->metre;
    const double i = r->thin * r->thin * l * l * m;
    const double stiffness[] = {r->shear * ea, r->shear * ea, ea, ei, r->bend2 * ei, r->twist * ei};
    const double inertia[] = {m, i, r->bend2 * i, (1 + r->bend2) * i};
    withy_rod *rod = &y->rod;
    *rod = (withy_rod){.name = "rod", .length = l};
    for (int k = 0; k < WITHY_STRAINS; k++) rod->stiffness[k] = withy_field_number(stiffness[k]);
    for (int k = 0; k < WITHY_INERTIAS; k++) rod->inertia[k] = withy_field_number(inertia[k]);
    rod->initial = random_shape(r, v);
    rod->rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    if (r->bent) rod->rest = rod->initial;
    rod->damping_time = r->damping * y->unit * v->second;
    rod->drag_linear = r->drag * m / (y->unit * v->second);
    const withy_vec3 speed =
        random_times(r->length / y->unit * v->metre / v->second, random_turned(v, r->velocity));
    if (random_dot(speed, speed) > 0) rod->velocity = withy_field_vector(speed.x, speed.y, speed.z);
}

static inline void random_write_end(const random_recipe *r, const random_view *v, int end,
                                    random_scene *y) {
    const int from = v->reversed ? 1 - end : end;
    const double unit = r->bend / (r->length * r->length);
    withy_end *out = &y->rod.end[end];
    *out = (withy_end){.kind = r->end[from], .follower = r->follower};
    withy_vec3 f = random_times(unit, r->force[from]);
    withy_vec3 m = random_times(unit * r->length, r->moment[from]);
    if (r->follower) {
        f = random_times(random_newton(v), random_material(v, 1, f));
        m = random_times(random_newton(v) * v->metre, random_material(v, v->det, m));
    } else
        f = random_force(v, f), m = random_moment(v, m);
    out->force = random_field(y, r, v, f), out->moment = random_field(y, r, v, m);
}

static inline void random_write_loads(const random_recipe *r, const random_view *v,
                                      random_scene *y) {
    const double unit = r->bend / (r->length * r->length), l = r->length * v->metre;
    const double from = v->reversed ? 1 - r->to : r->from, to = v->reversed ? 1 - r->from : r->to;
    const withy_vec3 spread = random_force(v, random_times(unit, r->spread));
    const withy_vec3 point = random_force(v, random_times(unit, r->point));
    withy_load *load = y->load;
    if (random_dot(spread, spread) > 0)
        *load++ = (withy_load){
            .kind = WITHY_LOAD_DISTRIBUTED,
            .from = from * l,
            .to = to * l,
            .force = random_field(y, r, v, random_times(1 / (l * (to - from)), spread))};
    if (random_dot(point, point) > 0)
        *load++ = (withy_load){.kind = WITHY_LOAD_POINT,
                               .from = (v->reversed ? 1 - r->at : r->at) * l,
                               .force = random_field(y, r, v, point)};
    y->rod.load = y->load, y->rod.load_count = (int)(load - y->load);
}

static inline void random_write(const random_recipe *r, const random_view *v, random_scene *y) {
    const double l = r->length;
    memset(y, 0, sizeof *y);
    y->unit = l * l * sqrt(r->mass / r->bend);
    y->problem = withy_problem_default();
    random_write_rod(r, v, y);
    for (int end = 0; end < 2; end++) random_write_end(r, v, end, y);
    random_write_loads(r, v, y);
    y->problem.rod = &y->rod, y->problem.rod_count = 1;
    y->problem.gravity =
        random_times(r->bend / (l * l * l * r->mass) * v->metre / (v->second * v->second),
                     random_turned(v, r->gravity));
    const double stop = r->stop * y->unit * v->second;
    y->problem.request =
        (withy_request){.given = 1, .stop = stop, .output = stop / 4, .stations = 5};
}

/* ---- how it is solved ---------------------------------------------------------------------------- */

/* The mesh of each method in the middle of a comparison, statics finer, as they are cheap; and the coarse one on which
 * symmetries are looked at, which hold on any. */
static const struct random_method {
    const char *name;
    int equilibrium, moving;         /* n                            */
    double steps;                    /* dt = T/steps; 0: its own     */
    int coarse_still, coarse_moving; /* n                            */
    const char *scheme;              /* options.integrator; NULL: its own */
} random_method[] = {
    {"director", 6, 4, 200, 3, 2, NULL},     {"cheb", 12, 8, 50, 7, 5, "midpoint"},
    {"fdtd", 24, 12, 0, 8, 8, NULL},         {"se3", 24, 12, 200, 12, 8, NULL},
    {"kirchhoff", 20, 12, 200, 12, 8, NULL}, {"elastica", 24, 12, 200, 12, 8, NULL}};
enum { RANDOM_METHODS = sizeof random_method / sizeof *random_method };

static inline const struct random_method *random_find(const char *name) {
    for (int i = 0; i < RANDOM_METHODS; i++)
        if (strcmp(random_method[i].name, name) == 0) return &random_method[i];
    return NULL;
}

/* Returns the number of options. */
static inline int random_options(const random_recipe *r, const random_view *v, const char *method,
                                 int coarse, random_scene *y) {
    const struct random_method *m = random_find(method);
    if (!m) return 0;
    const int fine_n = r->statics ? m->equilibrium : m->moving;
    const int coarse_n = r->statics ? m->coarse_still : m->coarse_moving;
    y->option[0] = (withy_option){.name = "n", .number = coarse ? coarse_n : fine_n};
    if (r->statics || m->steps == 0) return 1;
    y->option[1] = (withy_option){.name = "dt", .number = y->unit * v->second / m->steps};
    if (!m->scheme) return 2;
    y->option[2] = (withy_option){.name = "integrator"};
    snprintf(y->option[2].word, sizeof y->option[2].word, "%s", m->scheme);
    return 3;
}

static inline const char *random_describe(const random_recipe *r, char *text, size_t size) {
    static const char *const kind[] = {"free", "pinned", "clamped", "guided"};
    const double load[] = {
        random_dot(r->gravity, r->gravity),   random_dot(r->force[0], r->force[0]),
        random_dot(r->force[1], r->force[1]), random_dot(r->spread, r->spread),
        random_dot(r->point, r->point),       random_dot(r->velocity, r->velocity)};
    snprintf(text, size,
             "seed %llu %s: %s-%s thin %.3g bend2 %.3g turn %.3g%s gravity %.3g force %.3g %.3g%s "
             "spread %.3g point %.3g velocity %.3g damping %.3g drag %.3g",
             (unsigned long long)r->seed, r->statics ? "static" : "moving", kind[r->end[0]],
             kind[r->end[1]], r->thin, r->bend2, r->turn, r->bent ? " at rest" : "", sqrt(load[0]),
             sqrt(load[1]), sqrt(load[2]), r->follower ? " follower" : "", sqrt(load[3]),
             sqrt(load[4]), sqrt(load[5]), r->damping, r->drag);
    return text;
}
