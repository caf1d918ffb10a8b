/* view_parts.c - supports, forces of contacts, bodies, joints and obstacles in the page of withy view. */
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "view.h"

/* ---- supports -------------------------------------------------------------------------------------------- */

/* The forces of its supports [frame][3], where the result has them. */
static int put_reactions(view_run *r, int rod, FILE *file) {
    static const char *const name[] = {"reaction_start", "reaction_finish"};
    static const char *const key[] = {"start", "finish"};
    double *value = calloc((size_t)r->snapshots * 3, sizeof *value);
    int first = 1;
    fprintf(file, ",\"reactions\":{");
    for (int end = 0; value && end < 2; end++) {
        withy_error none;
        if (withy_result_ledger_read(r->result, rod, name[end], value, &none) != WITHY_OK) continue;
        view_packer p = {.file = file};
        fprintf(file, "%s\"%s\":\"", first ? "" : ",", key[end]);
        for (int64_t k = 0; k < r->shown; k++)
            for (int c = 0; c < 3; c++) view_float(&p, value[3 * view_snapshot(r, k) + c]);
        view_group(&p);
        fprintf(file, "\"");
        first = 0;
    }
    fprintf(file, "}");
    free(value);
    return value != NULL;
}

/* How it is held, and by which forces. */
int view_supports(view_run *r, int rod, const withy_result_rod *info, FILE *file) {
    fprintf(file, ",\"ends\":[");
    json_quoted(file, info->start);
    fprintf(file, ",");
    json_quoted(file, info->finish);
    fprintf(file, "]");
    return r->modes || put_reactions(r, rod, file);
}

/* ---- bodies and joints ------------------------------------------------------------------------------------ */

/* What the parts of all frames have, read in one pass: a snapshot is all parts and contacts, and each part would read all
 * snapshots again. */
typedef struct states {
    view_run *run;
    char *of[WITHY_OF_OBSTACLE + 1]; /* [frame][part] */
    size_t size[WITHY_OF_OBSTACLE + 1];
    int count[WITHY_OF_OBSTACLE + 1];
} states;

static void drop_states(states *all) {
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++) free(all->of[of]);
}

static int read_states(states *all) {
    view_run *r = all->run;
    for (int64_t k = 0; k < r->shown; k++) {
        const withy_parts *parts = withy_result_parts_at(r->result, view_snapshot(r, k), &r->err);
        if (!parts) return 0;
        const void *const now[] = {NULL, parts->body, parts->joint, parts->obstacle};
        for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++) {
            const size_t row = all->size[of] * (size_t)all->count[of];
            if (row) memcpy(all->of[of] + (size_t)k * row, now[of], row);
        }
    }
    return 1;
}

static int take_states(states *all, view_run *r) {
    const withy_result *result = r->result;
    int taken = 1, parts = 0;
    *all = (states){
        r,
        {0},
        {0, sizeof(withy_body_state), sizeof(withy_joint_state), sizeof(withy_obstacle_state)},
        {0, withy_result_bodies(result), withy_result_joints(result),
         withy_result_obstacles(result)}};
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++) {
        all->of[of] = calloc((size_t)r->shown * (size_t)all->count[of] + 1, all->size[of]);
        taken = taken && all->of[of], parts += all->count[of];
    }
    return taken && (parts == 0 || read_states(all));
}

/* Numbers of a part at every frame, taken from its state at this offset. */
static void put_part(const states *all, withy_probe_of of, int index, size_t offset, int size,
                     const char *key, FILE *file) {
    view_packer p = {.file = file};
    fprintf(file, ",\"%s\":\"", key);
    for (int64_t k = 0; k < all->run->shown; k++) {
        const size_t part = (size_t)k * (size_t)all->count[of] + (size_t)index;
        const double *x =
            (const double *)(const void *)(all->of[of] + part * all->size[of] + offset);
        for (int c = 0; c < size; c++) view_float(&p, x[c]);
    }
    view_group(&p);
    fprintf(file, "\"");
}

static void put_list(FILE *file, const char *key, const double *value, int count) {
    fprintf(file, ",\"%s\":[", key);
    for (int k = 0; k < count; k++) {
        if (k) fprintf(file, ",");
        json_figure(file, value[k]);
    }
    fprintf(file, "]");
}

static void put_body(const states *all, int index, const withy_body *body, FILE *file) {
    static const char *const shape[] = {"inertia", "ellipsoid", "box", "cylinder", "capsule"};
    static const struct {
        size_t offset;
        int size, modes;
        const char *key;
    } number[] = {{offsetof(withy_body_state, position), 3, 0, "position"},
                  {offsetof(withy_body_state, frame), 4, 0, "frame"},
                  {offsetof(withy_body_state, velocity), 3, 1, "shift"},
                  {offsetof(withy_body_state, spin), 3, 1, "turn"}};
    double size[3];
    cli_body_size(body, size);
    fprintf(file, "%s{\"name\":", index ? "," : "");
    json_quoted(file, body->name);
    fprintf(file, ",\"shape\":\"%s\"", shape[body->shape]);
    put_list(file, "size", size, 3);
    for (int i = 0; i < 4; i++)
        if (all->run->modes || !number[i].modes)
            put_part(all, WITHY_OF_BODY, index, number[i].offset, number[i].size, number[i].key,
                     file);
    fprintf(file, "}");
}

static void put_joint(const states *all, int index, const withy_joint *joint, FILE *file) {
    static const char *const kind[] = {"ball",        "weld",   "hinge",  "universal", "slider",
                                       "cylindrical", "planar", "spring", "link"};
    fprintf(file, "%s{\"name\":", index ? "," : "");
    json_quoted(file, joint->name);
    fprintf(file, ",\"kind\":\"%s\"", kind[joint->kind]);
    put_part(all, WITHY_OF_JOINT, index, offsetof(withy_joint_state, place[1]), 3, "position",
             file);
    put_part(all, WITHY_OF_JOINT, index, offsetof(withy_joint_state, axis), 3, "axis", file);
    fprintf(file, "}");
}

/* Full sizes along its axes; of a plane and of a cylinder without ends 0: as large as the scene. */
static void obstacle_size(const withy_obstacle *at, double size[3]) {
    const double d = 2 * at->radius;
    size[0] = size[1] = size[2] = d;
    if (at->kind == WITHY_OBSTACLE_PLANE) size[0] = size[1] = size[2] = 0;
    if (at->kind == WITHY_OBSTACLE_CYLINDER || at->kind == WITHY_OBSTACLE_CAPSULE)
        size[2] = at->length;
    if (at->kind == WITHY_OBSTACLE_BOX)
        size[0] = at->size.x, size[1] = at->size.y, size[2] = at->size.z;
}

/* Vertices and triangles of a mesh. */
static void put_mesh(const withy_obstacle *at, FILE *file) {
    view_packer p = {.file = file};
    fprintf(file, ",\"vertex\":\"");
    for (int i = 0; i < at->vertex_count; i++) {
        view_float(&p, at->vertex[i].x);
        view_float(&p, at->vertex[i].y);
        view_float(&p, at->vertex[i].z);
    }
    view_group(&p);
    fprintf(file, "\",\"triangle\":\"");
    for (int i = 0; i < at->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t corner = (uint32_t)at->triangle[i][k];
            view_bytes(&p, &corner, sizeof corner);
        }
    view_group(&p);
    fprintf(file, "\"");
}

/* Surfaces of functions are not in the result, and are not drawn. */
static void put_obstacle(const states *all, int index, const withy_obstacle *at, int like,
                         int first, FILE *file) {
    static const char *const kind[] = {"plane", "ellipsoid", "cylinder", "box", "capsule", "mesh"};
    const double axis[3] = {at->along.x, at->along.y, at->along.z};
    const double frame[4] = {at->frame.w, at->frame.x, at->frame.y, at->frame.z};
    double size[3];
    obstacle_size(at, size);
    fprintf(file, "%s{\"name\":", first ? "" : ",");
    json_quoted(file, at->name);
    fprintf(file, ",\"shape\":\"%s\",\"inside\":%s", kind[at->kind], at->inside ? "true" : "false");
    put_list(file, "size", size, 3);
    put_list(file, "axis", axis, 3);
    put_list(file, "frame", frame, 4);
    if (like >= 0)
        fprintf(file, ",\"like\":%d", like);
    else if (at->kind == WITHY_OBSTACLE_MESH)
        put_mesh(at, file);
    put_part(all, WITHY_OF_OBSTACLE, index, offsetof(withy_obstacle_state, position), 3, "position",
             file);
    fprintf(file, "}");
}

/* A surface is written once; other obstacles that have it name the one that it is written for. */
typedef struct owners {
    const void **surface;
    int *number, count;
} owners;

/* The number of the owner, or -1: `number` is from now on. */
static int owner_of(owners *all, const void *surface, int number) {
    for (int i = all->count; i-- > 0;)
        if (all->surface[i] == surface) return all->number[i];
    all->surface[all->count] = surface, all->number[all->count++] = number;
    return -1;
}

static void list_obstacles(const states *parts, owners *all, FILE *file) {
    const view_run *r = parts->run;
    withy_obstacle obstacle;
    int listed = 0;
    for (int i = 0; !r->modes && withy_result_obstacle_at(r->result, i, &obstacle); i++) {
        const int mesh = obstacle.kind == WITHY_OBSTACLE_MESH;
        if (obstacle.kind > WITHY_OBSTACLE_MESH) continue;
        if (mesh && obstacle.triangle_count == 0) continue;
        const int like = mesh ? owner_of(all, obstacle.triangle, listed) : -1;
        put_obstacle(parts, i, &obstacle, like, listed == 0, file);
        listed++;
    }
}

static int put_obstacles(const states *parts, FILE *file) {
    const size_t count = (size_t)withy_result_obstacles(parts->run->result) + 1;
    owners all = {malloc(count * sizeof *all.surface), malloc(count * sizeof *all.number), 0};
    fprintf(file, ",\"obstacles\":[");
    const int done = all.surface && all.number;
    if (done) list_obstacles(parts, &all, file);
    fprintf(file, "]");
    free(all.surface), free(all.number);
    return done;
}

/* ---- tendons ------------------------------------------------------------------------------------------- */

/* Where s lies among the stations: 2.5 is half way from the third to the fourth.  By halves: routes are as long as a file. */
static double station_of(const withy_snapshot *snap, double s) {
    int i = 0, end = snap->count - 1;
    while (end - i > 1) {
        const int middle = i + (end - i) / 2;
        *(snap->s[middle] <= s ? &i : &end) = middle;
    }
    const double step = snap->s[i + 1] - snap->s[i];
    return i + (step > 0 ? (s - snap->s[i]) / step : 0);
}

static int put_tendons(view_run *r, FILE *file) {
    withy_result_tendon tendon;
    const withy_snapshot *s = NULL;
    fprintf(file, ",\"tendons\":[");
    for (int i = 0, rod = -1; withy_result_tendon_at(r->result, i, &tendon); i++) {
        if (tendon.rod != rod) s = view_at(r, tendon.rod, 0);
        if (!s) return 0;
        rod = tendon.rod;
        fprintf(file, "%s{\"name\":", i ? "," : "");
        json_quoted(file, tendon.name);
        fprintf(file, ",\"rod\":%d,\"continues\":%d,\"route\":\"", tendon.rod, tendon.continues);
        view_packer p = {.file = file};
        for (int k = 0; k < tendon.count; k++) {
            view_float(&p, station_of(s, tendon.route[k][0]));
            view_float(&p, tendon.route[k][1]);
            view_float(&p, tendon.route[k][2]);
        }
        view_group(&p);
        fprintf(file, "\"}");
    }
    fprintf(file, "]");
    return 1;
}

static int put_parts(const states *all, FILE *file) {
    const view_run *r = all->run;
    withy_body body;
    withy_joint joint;
    fprintf(file, ",\"bodies\":[");
    for (int i = 0; withy_result_body_at(r->result, i, &body); i++) put_body(all, i, &body, file);
    fprintf(file, "],\"joints\":[");
    for (int i = 0; !r->modes && withy_result_joint_at(r->result, i, &joint); i++)
        put_joint(all, i, &joint, file);
    fprintf(file, "]");
    return put_obstacles(all, file);
}

int view_parts(view_run *r, FILE *file) {
    states all;
    const int done = take_states(&all, r) && put_parts(&all, file);
    drop_states(&all);
    return done && put_tendons(r, file);
}
