/* irrelevant.h - a scene, the same scene with a part that touches nothing, and the comparison of their answers.
 *
 * A variant is a change of the description that changes nothing in the mechanics: an obstacle, a body or a rod far away, a load of
 * zero, other names, lists in another order, a rod cut in two and welded together.  A question is what is asked of both scenes.
 */
#pragma once

#include <stdlib.h>

#include "any_network.h"
#include "base/vec.h"
#include "cases.h"
#include "check.h"
#include "random_scene.h"
#include "today.h"

static withy_error err;

/* ---- a copy of a problem -------------------------------------------------------------------------------------- */

enum { MORE = 1, OPTIONS = 24 };

static const char RANDOM[] = "random"; /* title of a random rod, whose mesh is given */

/* A copy of a problem with room for one more of everything. */
typedef struct scene {
    withy_problem problem;
    withy_rod *rod;
    withy_body *body;
    withy_joint *joint;
    withy_obstacle *obstacle;
    withy_load *load;      /* of the first rod                                      */
    int *rod_at, *body_at; /* where the rods and bodies of the plain problem are    */
    int half;              /* the rod that continues the first one; 0: none         */
    double size;           /* the longest rod, or 1                             [m] */
    double far;            /* so far from everything that nothing comes there   [m] */
    double kink;           /* of a rod that is cut: see place_half              [-] */
} scene;

static void *copy(const void *from, int count, size_t size) {
    char *to = calloc((size_t)count + MORE, size);
    CHECK(to != NULL);
    if (count) memcpy(to, from, (size_t)count * size);
    return to;
}

static int *numbers_to(int count) {
    int *at = calloc((size_t)count + MORE, sizeof *at);
    CHECK(at != NULL);
    for (int i = 0; i < count; i++) at[i] = i;
    return at;
}

static double largest(withy_vec3 r) {
    return fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z)));
}

/* Sizes; and a surface for every rod, because an obstacle needs one. */
static void measure(scene *x) {
    const withy_problem *p = &x->problem;
    double reach = 0;
    for (int i = 0; i < p->rod_count; i++) {
        x->size = fmax(x->size, x->rod[i].length);
        if (!x->rod[i].radius.size) x->rod[i].radius = withy_field_number(1e-3 * x->rod[i].length);
        reach = fmax(reach, largest(x->rod[i].initial.from));
    }
    for (int i = 0; i < p->body_count; i++) reach = fmax(reach, largest(x->body[i].position));
    if (!(x->size > 0)) x->size = 1;
    x->far = 100 * (x->size + reach);
}

static scene open_copy(const withy_problem *from) {
    scene x = {.problem = *from};
    withy_problem *p = &x.problem;
    p->rod = x.rod = copy(from->rod, from->rod_count, sizeof *x.rod);
    p->body = x.body = copy(from->body, from->body_count, sizeof *x.body);
    p->joint = x.joint = copy(from->joint, from->joint_count, sizeof *x.joint);
    p->obstacle = x.obstacle = copy(from->obstacle, from->obstacle_count, sizeof *x.obstacle);
    if (p->rod_count) x.load = copy(from->rod[0].load, from->rod[0].load_count, sizeof *x.load);
    if (p->rod_count) x.rod[0].load = x.load;
    x.rod_at = numbers_to(from->rod_count), x.body_at = numbers_to(from->body_count);
    p->model = NULL;
    p->request.stations = p->request.probe_count = 0;
    if (!(p->contact.stiffness > 0)) p->contact.stiffness = 1e6;
    measure(&x);
    return x;
}

static void close_copy(scene *x) {
    free(x->rod), free(x->body), free(x->joint), free(x->obstacle), free(x->load);
    free(x->rod_at), free(x->body_at);
}

/* ---- what is added -------------------------------------------------------------------------------------------- */

static void add_nothing(scene *x) {
    (void)x;
}

/* A ball, without friction and damping of its own. */
static void add_obstacle(scene *x) {
    withy_obstacle *obstacle = &x->obstacle[x->problem.obstacle_count++];
    obstacle->kind = WITHY_OBSTACLE_SPHERE, obstacle->radius = x->size;
    obstacle->point = withy_field_vector(0, x->far, 0);
    obstacle->own_friction = obstacle->own_damping = 1, obstacle->stiffness = 1e6;
}

/* Without a surface, and held. */
static void add_body(scene *x) {
    withy_body *body = &x->body[x->problem.body_count];
    body->mass = 1, body->inertia = (withy_vec3){1, 1, 1};
    body->position = (withy_vec3){0, x->far, 0}, body->frame.w = 1;
    withy_joint *weld = &x->joint[x->problem.joint_count++];
    weld->kind = WITHY_JOINT_WELD;
    weld->place[0] = (withy_place){.part = WITHY_PART_GROUND, .at = body->position};
    weld->place[1] = (withy_place){.part = WITHY_PART_BODY, .index = x->problem.body_count++};
}

static void add_load(scene *x) {
    if (!x->problem.rod_count) return;
    withy_load *load = &x->load[x->rod[0].load_count++];
    load->kind = WITHY_LOAD_POINT;
    load->from = load->to = x->rod[0].length;
    load->force = withy_field_vector(0, 0, 0);
    if (x->rod[0].kind != WITHY_CABLE)
        load->moment = load->force; /* no moment acts on a cable, not even none */
}

/* Stiffness and inertia of the first rod as numbers; without one, those of a rod of rubber. */
static void copy_make(const withy_rod *from, withy_rod *to) {
    double c[WITHY_STRAINS] = {4e2, 4e2, 1e3, 1e-3, 1e-3, 1e-3}, mass = 1;
    const double slender[WITHY_STRAINS] = {0.4, 0.4, 1, 1e-4, 1e-4, 1e-4};
    if (from) CHECK_OK(withy_rod_stiffness(from, 0, c, &err));
    for (int i = 0; i < WITHY_STRAINS && from; i++) /* a cable has one stiffness only */
        if (!(c[i] > 0))
            c[i] = slender[i] * c[WITHY_STRETCH] * (i < WITHY_BEND1 ? 1 : to->length * to->length);
    for (int i = 0; i < WITHY_STRAINS; i++)
        if (isfinite(c[i])) to->stiffness[i] = withy_field_number(c[i]);
    if (from && from->inertia[0].size)
        CHECK_OK(withy_field_at(&from->inertia[0], 0, 0, &mass, &err));
    else if (from)
        mass = from->material.density / from->material.young * c[WITHY_STRETCH];
    const double turn = mass * to->length * to->length * 1e-4;
    to->section = (withy_section){0}, to->material = (withy_material){0};
    for (int i = 0; i < WITHY_INERTIAS; i++) to->inertia[i] = withy_field_number(i ? turn : mass);
}

/* Straight, clamped, and a tenth as long as the first, so that its frequencies are higher than those that are compared.  Nearer than
 * the others: its coordinates are from the start of the first rod, and their rounding grows with the distance. */
static void add_rod(scene *x) {
    withy_rod own = withy_rod_default(), *rod = &x->rod[x->problem.rod_count++];
    const withy_rod *first = rod == x->rod ? NULL : x->rod;
    own.length = 0.1 * (first ? first->length : x->size);
    copy_make(first, &own);
    own.radius = withy_field_number(1e-2 * own.length);
    if (first) own.fluid = first->fluid; /* else a note says that it feels nothing of the medium */
    if (own.fluid.given) own.fluid.diameter = withy_field_number(2e-2 * own.length);
    own.initial.kind = own.rest.kind = WITHY_SHAPE_STRAIGHT;
    own.initial.from = own.rest.from = (withy_vec3){0.03 * x->far, 0.1 * x->far, 0.07 * x->far};
    own.initial.along = own.rest.along = (withy_vec3){0, 0, 1};
    own.end[0].kind = own.end[1].kind = WITHY_END_CLAMPED;
    *rod = own;
}

static void rename_parts(scene *x) {
    static char name[4][64][16];
    for (int i = 0; i < x->problem.rod_count && i < 64; i++)
        snprintf(name[0][i], 16, "thread %d", i), x->rod[i].name = name[0][i];
    for (int i = 0; i < x->problem.body_count && i < 64; i++)
        snprintf(name[1][i], 16, "stone %d", i), x->body[i].name = name[1][i];
    for (int i = 0; i < x->problem.joint_count && i < 64; i++)
        snprintf(name[2][i], 16, "knot %d", i), x->joint[i].name = name[2][i];
    for (int i = 0; i < x->problem.obstacle_count && i < 64; i++)
        snprintf(name[3][i], 16, "rock %d", i), x->obstacle[i].name = name[3][i];
}

static void turn_round(void *list, int count, size_t size) {
    char *a = list, keep[sizeof(withy_rod) + sizeof(withy_joint)];
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        memcpy(keep, a + (size_t)i * size, size);
        memcpy(a + (size_t)i * size, a + (size_t)k * size, size);
        memcpy(a + (size_t)k * size, keep, size);
    }
}

/* All lists begin with what was their last. */
static void reorder(scene *x) {
    const withy_problem *p = &x->problem;
    turn_round(x->rod, p->rod_count, sizeof *x->rod);
    turn_round(x->body, p->body_count, sizeof *x->body);
    turn_round(x->joint, p->joint_count, sizeof *x->joint);
    turn_round(x->obstacle, p->obstacle_count, sizeof *x->obstacle);
    for (int i = 0; i < p->rod_count; i++) x->rod_at[i] = p->rod_count - 1 - x->rod_at[i];
    for (int i = 0; i < p->body_count; i++) x->body_at[i] = p->body_count - 1 - x->body_at[i];
    for (int i = 0; i < 2 * p->joint_count; i++) {
        withy_place *place = &x->joint[i / 2].place[i % 2];
        if (place->part == WITHY_PART_ROD) place->index = p->rod_count - 1 - place->index;
        if (place->part == WITHY_PART_BODY) place->index = p->body_count - 1 - place->index;
    }
}

static void add_rod_first(scene *x) {
    add_rod(x);
    reorder(x);
}

/* The second half of a straight line or an arc. */
static void advance_shape(withy_shape *shape, double length) {
    const double a = shape->kind == WITHY_SHAPE_ARC ? length / shape->radius : 0;
    const double ahead = a ? shape->radius * sin(a) : length;
    const vec3 t = shape->along, n = shape->normal;
    shape->from = v3_axpy(shape->from, ahead, t);
    if (a) shape->from = v3_axpy(shape->from, shape->radius * (1 - cos(a)), n);
    shape->along = v3_axpy(v3_scale(cos(a), t), sin(a), n);
    shape->normal = v3_axpy(v3_scale(cos(a), n), -sin(a), t);
}

/* What the scene that is cut is asked with: its mesh decides where its middle is. */
static const withy_option *asked_with;
static int asked_count;

/* An arc of the mesh ends a little next to that of geometry; a rod is placed by its finish where only that is held, and ends are held
 * where geometry has them: the second half is given so that it lies where the whole rod does, or the weld would have a
 * kink of the error of the mesh.  Not all of it goes away so: what may be left is that error, over the length. */
static void place_half(scene *x, withy_shape *shape) {
    withy_sim *sim;
    withy_shape end = x->rod[0].initial;
    advance_shape(&end, x->rod[0].length);
    if (withy_sim_create(&x->problem, "director", asked_with, asked_count, &sim, &err) != WITHY_OK)
        return;
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const int held = random_holds(x->rod[0].end[1].kind), last = snap->count - 1;
    const mat3 frame = q_matrix(snap->frame[held ? last : snap->count / 2]);
    const withy_vec3 first = v3_sub(snap->position[0], x->rod[0].initial.from);
    x->kink = fmax(v3_norm(v3_sub(snap->position[last], end.from)), v3_norm(first)) / x->size;
    shape->from = snap->position[held ? last : snap->count / 2];
    shape->along = frame.c3, shape->normal = frame.c1;
    if (held) advance_shape(shape, -0.5 * x->rod[0].length);
    withy_sim_destroy(sim);
}

/* Two halves, welded together. */
static void cut(scene *x) {
    withy_shape middle = x->rod[0].initial;
    advance_shape(&middle, 0.5 * x->rod[0].length);
    if (middle.kind == WITHY_SHAPE_ARC) place_half(x, &middle);
    withy_rod *first = &x->rod[0], *second = &x->rod[x->half = x->problem.rod_count++];
    first->length *= 0.5;
    *second = *first;
    first->end[1] = second->end[0] = (withy_end){0};
    second->initial = middle;
    if (second->rest.kind == WITHY_SHAPE_ARC) advance_shape(&second->rest, first->length);
    withy_joint *weld = &x->joint[x->problem.joint_count++];
    weld->kind = WITHY_JOINT_WELD;
    weld->place[0] = (withy_place){.part = WITHY_PART_ROD, .s = first->length};
    weld->place[1] = (withy_place){.part = WITHY_PART_ROD, .index = x->half};
}

/* ---- variants ------------------------------------------------------------------------------------------------- */

static int always(const withy_problem *plain) {
    (void)plain;
    return 1;
}

/* A rod far away from one that is inside of something, or of what a function may say to be the outside, or under a plane, is in
 * the wall. */
static int has_room(const withy_problem *plain) {
    for (int i = 0; i < plain->obstacle_count; i++)
        if (plain->obstacle[i].inside || plain->obstacle[i].kind == WITHY_OBSTACLE_DISTANCE ||
            plain->obstacle[i].kind == WITHY_OBSTACLE_PLANE)
            return 0;
    return 1;
}

/* A tendon that continues another one is named, and not by number. */
static int has_lists(const withy_problem *plain) {
    return plain->rod_count > 1 || plain->body_count > 1 || plain->joint_count > 1 ||
           plain->obstacle_count > 1;
}

/* Where a load begins an element does: two halves then have another mesh; as with a mesh that is chosen. */
static int is_cut(const withy_problem *plain) {
    const withy_rod *rod = plain->rod;
    return plain->rod_count == 1 && !plain->joint_count && !rod->load_count &&
           (rod->initial.kind == WITHY_SHAPE_STRAIGHT || rod->initial.kind == WITHY_SHAPE_ARC) &&
           plain->title == RANDOM;
}

typedef struct variant {
    const char *name;
    void (*add)(scene *);
    int (*fits)(const withy_problem *plain);
} variant;

enum { PLAIN, OBSTACLE, BODY, LOAD, NAMES, ROD, ROD_FIRST, ORDER, CUT, VARIANTS };
static const variant variants[VARIANTS] = {
    [PLAIN] = {"nothing", add_nothing, always},
    [OBSTACLE] = {"an obstacle far away", add_obstacle, always},
    [BODY] = {"a body held far away", add_body, always},
    [LOAD] = {"a load of zero", add_load, always},
    [NAMES] = {"other names", rename_parts, always},
    [ROD] = {"a rod far away", add_rod, has_room},
    [ROD_FIRST] = {"a rod far away, first", add_rod_first, has_room},
    [ORDER] = {"another order", reorder, has_lists},
    [CUT] = {"cut and welded", cut, is_cut}};

/* ---- answers -------------------------------------------------------------------------------------------------- */

enum { WHOLE = 512 };

/* Numbers that are equal up to a bound, and whole numbers and texts that are equal. */
typedef struct answer {
    withy_status status;
    char text[sizeof err.text], notes[2048];
    int count, wholes;
    double *number; /* of the order 1 */
    int64_t whole[WHOLE];
    int64_t iterations, halvings;
    double kink;
} answer;

static void put(answer *out, double number) {
    out->number = realloc(out->number, (size_t)(out->count + 1) * sizeof(double));
    CHECK(out->number != NULL);
    out->number[out->count++] = number;
}

static void put_vector(answer *out, withy_vec3 v, double unit) {
    put(out, v.x / unit), put(out, v.y / unit), put(out, v.z / unit);
}

static void put_whole(answer *out, int64_t whole) {
    if (out->wholes < WHOLE) out->whole[out->wholes++] = whole;
}

/* Places of the rods and bodies that the plain problem has, over its size. */
static inline void put_places(const scene *x, withy_sim *sim, const withy_problem *plain,
                              answer *out) {
    for (int i = 0; i < plain->rod_count; i++) {
        const withy_snapshot *snap = withy_sim_sample(sim, x->rod_at[i]);
        CHECK(snap != NULL);
        for (int k = 0; k < snap->count; k++) put_vector(out, snap->position[k], x->size);
        snap = x->half ? withy_sim_sample(sim, x->half) : NULL;
        for (int k = 1; snap && k < snap->count; k++) put_vector(out, snap->position[k], x->size);
    }
    const withy_parts *parts = plain->body_count ? withy_sim_parts(sim) : NULL;
    for (int i = 0; parts && i < plain->body_count; i++)
        put_vector(out, parts->body[x->body_at[i]].position, x->size);
}

/* The first rod of a plain problem as one rod, or as the two halves of it; station `k` of all. */
static inline withy_vec3 station(const scene *x, withy_sim *sim, int rod, int end, int k) {
    const withy_snapshot *snap = withy_sim_sample(sim, end && x->half ? x->half : x->rod_at[rod]);
    return snap->position[k < 0 ? snap->count - 1 : k];
}

/* Where it may be anywhere: the distances within each rod, which no motion without stiffness changes; and the heights of a rod alone,
 * which may turn about the direction of its loads. */
static inline void put_distances(const scene *x, withy_sim *sim, const withy_problem *plain,
                                 answer *out) {
    const double g = v3_norm(plain->gravity);
    for (int i = 0; i < plain->rod_count; i++)
        for (int h = 0; h < (x->half ? 2 : 1); h++) {
            const withy_vec3 first = station(x, sim, i, 0, 0), last = station(x, sim, i, 1, -1);
            const withy_snapshot *snap = withy_sim_sample(sim, h ? x->half : x->rod_at[i]);
            for (int k = h; k < snap->count; k++) {
                const withy_vec3 r = snap->position[k];
                put(out, v3_norm(v3_sub(r, first)) / x->size);
                put(out, v3_norm(v3_sub(r, last)) / x->size);
                if (g > 0 && plain->rod_count == 1 && !plain->body_count)
                    put(out, v3_dot(r, plain->gravity) / (g * x->size));
            }
        }
}

static void put_notes(withy_sim *sim, answer *out) {
    const withy_stats stats = withy_sim_stats(sim);
    out->iterations = stats.iterations, out->halvings = stats.halvings;
    snprintf(out->notes, sizeof out->notes, "%s", withy_sim_notes(sim)->text);
}

/* What is asked: of a scene, with what is added to it. */
typedef struct question {
    const char *name;
    withy_status (*solve)(scene *x, const withy_problem *plain, const variant *v,
                          const withy_option *option, int count, answer *out);
    const double *bound;                            /* [VARIANTS] */
    double (*per_kink)(const withy_problem *plain); /* of scene.kink, in addition; NULL: 0 */
} question;

/* The halves of a rod have half as many elements each. */
static void halve_elements(const scene *x, withy_option *option, int count) {
    for (int i = 0; x->half && i < count; i++)
        if (strcmp(option[i].name, "n") == 0) option[i].number *= 0.5;
}

static answer ask(const question *q, const withy_problem *plain, const withy_option *given,
                  int count, const variant *v) {
    withy_option option[OPTIONS];
    answer out = {0};
    scene x = open_copy(plain);
    memcpy(option, given, (size_t)count * sizeof *option);
    asked_with = given, asked_count = count;
    v->add(&x);
    halve_elements(&x, option, count);
    out.kink = x.kink;
    out.status = q->solve(&x, plain, v, option, count, &out);
    if (out.status != WITHY_OK) snprintf(out.text, sizeof out.text, "%s", err.text);
    close_copy(&x);
    return out;
}

/* ---- comparison ----------------------------------------------------------------------------------------------- */

/* The next word of a text without names of parts: "rods[2] (hair)" and "the rod" are "#"; "rods[1].ends.start" is "ends.start",
 * which is the text of a rod alone.  A note on a body without a surface is about the description. */
static const char *skip_name(const char *at) {
    static const char *const part[] = {"rods[", "bodies[", "joints[", "obstacles["};
    static const char *const quoted[] = {"rod \"", "body \""};
    static const char *const word[] = {"the rod", "rod 1:", "rod 2:", "options.n, now 3",
                                       "options.n, now 6"};
    for (int i = 0; i < 4; i++) {
        if (strncmp(at, part[i], strlen(part[i])) != 0) continue;
        const char *end = strchr(at, ']') + 1;
        if (*end == '.') return end + 1;
        if (strncmp(end, ": ", 2) == 0) return end + 2;
        if (strncmp(end, " \"", 2) == 0 && strchr(end + 2, '"')) end = strchr(end + 2, '"') + 1;
        if (strncmp(end, " (", 2) == 0 && strchr(end, ')')) end = strchr(end, ')') + 1;
        return end;
    }
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(quoted[i]);
        if (strncmp(at, quoted[i], length) == 0 && strchr(at + length, '"'))
            return strchr(at + length, '"') + 1;
    }
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strncmp(at, word[i], strlen(word[i])) == 0) return at + strlen(word[i]);
    if (strncmp(at, "director: bodies[", 17) == 0 && strstr(at, "has no shape") && strchr(at, '\n'))
        return strchr(at, '\n') + 1;
    return at;
}

/* Equal but for names; numbers to the last of the three digits that are printed of a measured one. */
static int same_text(const char *a, const char *b) {
    while (*a || *b) {
        const char *a2 = skip_name(a), *b2 = skip_name(b);
        if (a2 != a || b2 != b) {
            a = a2, b = b2;
            continue;
        }
        char *end[2];
        if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
            const double one = strtod(a, &end[0]), other = strtod(b, &end[1]);
            if (!(fabs(one - other) <= 0.02 * fabs(one))) return 0;
            a = end[0], b = end[1];
        } else if (*a++ != *b++)
            return 0;
    }
    return 1;
}

/* How far two answers differ: infinite where only one of them is there, or whole numbers or texts differ; or, if all bits are to
 * be equal, iterations. */
static double apart(const answer *a, const answer *b, int exact, const char **why) {
    double most = 0;
    *why = a->status != b->status ? b->text : "";
    if (a->status != b->status) return INFINITY;
    if (!same_text(a->text, b->text)) return *why = b->text, INFINITY;
    if (!same_text(a->notes, b->notes)) return *why = b->notes, INFINITY;
    if (a->count != b->count || a->wholes != b->wholes) return *why = "count", INFINITY;
    for (int i = 0; i < a->wholes; i++) {
        static char text[64];
        if (a->whole[i] == b->whole[i]) continue;
        snprintf(text, sizeof text, "count %d is %lld, alone %lld", i + 1, (long long)b->whole[i],
                 (long long)a->whole[i]);
        return *why = text, INFINITY;
    }
    if (exact && (a->iterations != b->iterations || a->halvings != b->halvings))
        return *why = "iterations", INFINITY;
    for (int i = 0; i < a->count; i++) most = fmax(most, fabs(a->number[i] - b->number[i]));
    return most;
}

typedef struct tally {
    int scenes, refused, same, wrong;
    double most;
    char worst[64];
} tally;

static int loud;

/* Where a cable snaps taut, rounding decides in which step it does: what follows differs by ten times as much (snap_load: 2e-12). */
static double by_snaps(const withy_problem *plain) {
    for (int i = 0; i < plain->rod_count; i++)
        if (plain->rod[i].kind == WITHY_CABLE) return 10;
    return 1;
}

static void compare(const char *name, const question *q, const withy_problem *plain,
                    const withy_option *option, int count, tally sum[VARIANTS]) {
    const answer own = ask(q, plain, option, count, &variants[PLAIN]);
    if (loud > 1 && own.status != WITHY_OK) printf("%s %s: %s\n", q->name, name, own.text);
    for (int k = PLAIN + 1; k < VARIANTS; k++) {
        const double bound = q->bound[k] * by_snaps(plain);
        const char *why;
        if (!variants[k].fits(plain) || (!loud && isinf(bound))) continue;
        const answer other = ask(q, plain, option, count, &variants[k]);
        const double off = apart(&own, &other, bound == 0, &why);
        const double room =
            bound +
            (bound > 0 && other.kink > 0 && q->per_kink ? q->per_kink(plain) * other.kink : 0);
        if (loud > 1 || off > room)
            printf("%-11s %-24s %-24s %.3g %s%s%s\n", q->name, name, variants[k].name, off, why,
                   isinf(off) ? " | alone: " : "",
                   isinf(off) ? (own.text[0] ? own.text : own.notes) : "");
        sum[k].scenes++, sum[k].same += off == 0, sum[k].wrong += off > room,
            sum[k].refused += own.status != WITHY_OK;
        if (off > sum[k].most) {
            sum[k].most = off;
            snprintf(sum[k].worst, sizeof sum[k].worst, "%s", name);
        }
        free(other.number);
    }
    free(own.number);
}

/* At least `least` scenes have been compared with an obstacle, and none differs. */
static void check_tally(const question *q, const tally sum[VARIANTS], int least) {
    for (int k = PLAIN + 1; k < VARIANTS; k++)
        if (sum[k].scenes)
            printf("%-11s %-24s %4d scenes, %3d of them refused, %4d to the bit, most %.3g %s\n",
                   q->name, variants[k].name, sum[k].scenes, sum[k].refused, sum[k].same,
                   sum[k].most, sum[k].worst);
    CHECK(sum[OBSTACLE].scenes - sum[OBSTACLE].refused >= least);
    for (int k = PLAIN + 1; k < VARIANTS; k++) CHECK(sum[k].wrong == 0);
}

/* ---- all scenes ----------------------------------------------------------------------------------------------- */

/* The options of a scene of this method, its step a number. */
static int options_of(const withy_scene *read, withy_option option[OPTIONS]) {
    int count, at = 0, dt = -1;
    const withy_option *given = withy_scene_options(read, &count);
    const withy_request *time = &withy_scene_problem(read)->request;
    const int own = strcmp(withy_scene_method(read), "director") == 0;
    for (int i = 0; own && i < count && at + 1 < OPTIONS; i++) {
        if (strcmp(given[i].name, "dt") == 0) dt = at;
        option[at++] = given[i];
    }
    if (dt < 0) dt = at++, option[dt] = (withy_option){.name = "dt", .word = "auto"};
    if (option[dt].word[0]) {
        option[dt].word[0] = 0;
        option[dt].number = time->stop > 0 ? 1e-3 * time->stop : 1e-3;
    }
    return at;
}

/* Random scenes of every question, without the cases, which are always the same; 0: as usual. */
static int scenes_wanted, first_wanted, cases_wanted;
enum { CASES_SHARE = 3 }; /* a third of the cases a day, unless all are expected */

typedef int is_asked(const char *name, const withy_problem *plain);

static void all_cases(const question *q, is_asked *asked, int least) {
    tally sum[VARIANTS] = {{0}};
    if (scenes_wanted) return;
    int number = 0;
    for (const wy_case *c = wy_cases; c->name; c++) {
        withy_scene *read;
        withy_option option[OPTIONS];
        const withy_status status =
            withy_scene_read_text(c->text, c->size, c->name, NULL, 0, &read, &err);
        if (status == WITHY_MISSING) skip(); /* this build reads no scenes */
        CHECK_OK(status);
        const withy_problem *problem = withy_scene_problem(read);
        const int fits = asked(c->name, problem);
        number += fits;
        if (fits && (cases_wanted || number % CASES_SHARE == today_from(0, CASES_SHARE, 1)))
            compare(c->name, q, problem, option, options_of(read, option), sum);
        withy_scene_destroy(read);
    }
    check_tally(q, sum, cases_wanted ? least : least / CASES_SHARE);
}

/* `count` of 2000 random rods, others each day; `change` makes a question of a plain scene. */
static void all_random(const question *q, int usual, int statics, void (*change)(random_scene *)) {
    static random_scene y;
    tally sum[VARIANTS] = {{0}};
    const random_view plain = random_plain();
    const int count = scenes_wanted ? scenes_wanted : usual;
    const int first = scenes_wanted ? first_wanted : today_from(1, 2000, count);
    printf("%s of random scenes %d .. %d\n", q->name, first, first + count - 1);
    for (int seed = first; seed < first + count; seed++) {
        char name[32];
        const random_recipe r = random_make((uint64_t)seed, statics);
        random_write(&r, &plain, &y);
        y.problem.title = RANDOM;
        if (change) change(&y);
        snprintf(name, sizeof name, "random %d", seed);
        compare(name, q, &y.problem, y.option, random_options(&r, &plain, "director", 0, &y), sum);
    }
    printf("\n%d random scenes, %s\n", count, q->name);
    check_tally(q, sum, count / 3);
}

/* Held, under a twentieth of its weight. */
static inline void hold(network_problem *y) {
    y->rod[0].end[0].kind = WITHY_END_CLAMPED;
    y->problem.path = (withy_path){.given = 1, .to = 0.05, .steps = 1};
}

/* The same as a structure, whose parts are welded. */
static inline void stiffen(network_problem *y) {
    hold(y);
    for (int i = 0; i < y->problem.joint_count; i++) {
        withy_joint *j = &y->joint[i];
        if (j->kind == WITHY_JOINT_SPRING) continue;
        *j = (withy_joint){.kind = WITHY_JOINT_WELD, .place = {j->place[0], j->place[1]}};
    }
}

/* Networks of up to seven parts, on a coarse mesh; `change` makes a question of a plain one. */
static inline void all_networks(const question *q, int usual, void (*change)(network_problem *)) {
    static network_problem y;
    static const withy_option option[] = {{.name = "n", .number = 2},
                                          {.name = "degree", .number = 2},
                                          {.name = "dt", .number = 0.01}};
    tally sum[VARIANTS] = {{0}};
    const int count = scenes_wanted ? scenes_wanted : usual;
    const int first = scenes_wanted ? first_wanted : today_from(1, 2000, count);
    printf("%s of random networks %d .. %d\n", q->name, first, first + count - 1);
    for (int seed = first; seed < first + count; seed++) {
        char name[32];
        any_network(&y, (uint32_t)seed * 7919u);
        network_times(&y, 1, 1);
        if (change) change(&y);
        snprintf(name, sizeof name, "network %d", seed);
        compare(name, q, &y.problem, option, 3, sum);
    }
    check_tally(q, sum, count / 4);
}

/* [COUNT [FIRST] | cases] [loud | louder] [NAME]: all cases; random scenes of every question; worst differences, or all; the tests of this name. */
static void read_arguments(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (atoi(argv[i]) > 0 && !scenes_wanted)
            scenes_wanted = atoi(argv[i]), first_wanted = 1;
        else if (atoi(argv[i]) > 0)
            first_wanted = atoi(argv[i]);
        else if (strcmp(argv[i], "cases") == 0)
            cases_wanted = 1;
        else if (strncmp(argv[i], "loud", 4) == 0)
            loud = argv[i][4] ? 2 : 1;
        else
            cmocka_set_test_filter(argv[i]);
    }
}
