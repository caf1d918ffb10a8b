/* tube.c - rods, and links between bodies, as tubes that joints carry along. */
#include <stdlib.h>
#include <string.h>

#include "gltf/gltf.h"

enum { ROUND = 12, FEW = 6, MANY_RODS = 100 }; /* corners of a section */

void gltf_turn(withy_quat q, const float *before, float out[4]) {
    const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), k = n > 0 ? 1 / n : 0;
    const double x[4] = {k * q.x, k * q.y, k * q.z, n > 0 ? k * q.w : 1};
    double sign = 0;
    for (int i = 0; i < 4; i++) sign += before ? x[i] * (double)before[i] : 0;
    for (int i = 0; i < 4; i++) out[i] = (float)(sign < 0 ? -x[i] : x[i]);
}

/* The way of a tube: [snapshot][station] where it is and how it is turned. */
typedef struct way {
    int count;
    float (*at)[3], (*turn)[4];
} way;

static int open_way(way *w, int count, int64_t snapshots) {
    w->count = count;
    w->at = calloc((size_t)snapshots * (size_t)count, sizeof *w->at);
    w->turn = calloc((size_t)snapshots * (size_t)count, sizeof *w->turn);
    return w->at && w->turn;
}

static void close_way(way *w) {
    free(w->at), free(w->turn);
}

static void put_station(way *w, int64_t k, int i, withy_vec3 r, withy_quat q) {
    const size_t at = (size_t)k * (size_t)w->count + (size_t)i;
    w->at[at][0] = (float)r.x, w->at[at][1] = (float)r.y, w->at[at][2] = (float)r.z;
    gltf_turn(q, k > 0 ? w->turn[at - (size_t)w->count] : NULL, w->turn[at]);
}

/* The frame at the first snapshot, in double precision again. */
static void place_of(const way *w, int i, shade_place *place) {
    const float *r = w->at[i], *q = w->turn[i];
    shade_turn((withy_quat){(double)q[3], (double)q[0], (double)q[1], (double)q[2]}, place->axis);
    place->at = vec((double)r[0], (double)r[1], (double)r[2]);
}

/* The inverse of a rigid motion, by columns. */
static void invert(const shade_place *p, float m[16]) {
    const shade_vec *a = p->axis;
    for (int i = 0; i < 3; i++) {
        const double row[3] = {a[i].x, a[i].y, a[i].z};
        for (int c = 0; c < 3; c++) m[4 * c + i] = (float)row[c];
        m[12 + i] = (float)-vec_dot(a[i], p->at);
    }
    m[3] = m[7] = m[11] = 0, m[15] = 1;
}

/* Each ring of corners goes with its joint; the ends, which come last, with theirs. */
static void bind(glb *g, int mesh, int vertices, int count, int corners) {
    const int ring = corners ? corners + 1 : 8, end = (corners ? corners : 8) + 2;
    uint16_t(*joint)[4] = calloc((size_t)vertices, sizeof *joint);
    float(*weight)[4] = calloc((size_t)vertices, sizeof *weight);
    for (int v = 0; joint && weight && v < vertices; v++) {
        const int after = v - ring * count;
        joint[v][0] = (uint16_t)(after < 0 ? v / ring : after < end ? 0 : count - 1);
        weight[v][0] = 1;
    }
    if (joint && weight) {
        g->mesh[mesh].joints = glb_add_rows(g, joint, GLB_SHORT, 4, vertices, 1);
        g->mesh[mesh].weights = glb_add_rows(g, weight, GLB_FLOAT, 4, vertices, 1);
    } else {
        g->failed = 1;
    }
    free(joint), free(weight);
}

/* Rows over time of one station. */
static void move_node(glb *g, int node, const way *w, int i) {
    const size_t n = (size_t)g->snapshots;
    float(*at)[3] = malloc(n * sizeof *at), (*turn)[4] = malloc(n * sizeof *turn);
    for (size_t k = 0; at && turn && k < n; k++) {
        memcpy(at[k], w->at[k * (size_t)w->count + (size_t)i], sizeof *at);
        memcpy(turn[k], w->turn[k * (size_t)w->count + (size_t)i], sizeof *turn);
    }
    if (at && turn && !g->failed) {
        for (int c = 0; c < 3; c++) g->node[node].at[c] = (double)at[0][c];
        for (int c = 0; c < 4; c++) g->node[node].turn[c] = (double)turn[0][c];
        g->node[node].moves = glb_add_rows(g, at, GLB_FLOAT, 3, (int)n, 0);
        g->node[node].turns = glb_add_rows(g, turn, GLB_FLOAT, 4, (int)n, 0);
    } else {
        g->failed = 1;
    }
    free(at), free(turn);
}

static void add_tube(glb *g, const char *name, const way *w, const double half[2], int corners,
                     shade_kind kind) {
    shade_mesh mesh = {0};
    char joint[128];
    shade_place *place = malloc((size_t)w->count * sizeof *place);
    float(*inverse)[16] = malloc((size_t)w->count * sizeof *inverse);
    for (int i = 0; place && inverse && i < w->count; i++)
        place_of(w, i, &place[i]), invert(&place[i], inverse[i]);
    if (!place || !inverse || !shade_solid_swept(&mesh, place, w->count, half[0], half[1], corners))
        g->failed = 1;
    const int tube = glb_add_node(g, name), first = g->node_count;
    for (int i = 0; i < w->count && !g->failed; i++) {
        snprintf(joint, sizeof joint, "%.80s %d", name, i);
        move_node(g, glb_add_node(g, joint), w, i);
    }
    if (!g->failed) {
        g->node[tube].mesh = glb_add_mesh(g, &mesh, kind);
        const int rows = glb_add_rows(g, inverse, GLB_FLOAT, 16, w->count, 0);
        g->node[tube].skin = glb_add_skin(g, first, w->count, rows);
        bind(g, g->node[tube].mesh, mesh.vertices, w->count, corners);
    }
    shade_mesh_free(&mesh), free(place), free(inverse);
}

/* ---- rods ------------------------------------------------------------------------------------------ */

/* A turn that takes z along a direction; of rods without frames. */
static withy_quat turn_to(withy_vec3 a, withy_vec3 b) {
    const shade_vec t = vec_unit(vec(b.x - a.x, b.y - a.y, b.z - a.z));
    const double w = 1 + t.z;
    return w > 1e-9 ? (withy_quat){w, -t.y, t.x, 0} : (withy_quat){0, 1, 0, 0};
}

/* Stations 0 .. count - 1 of the tube are spread evenly over those of the snapshot, the ends on the ends. */
static void follow(way *w, int64_t k, const withy_snapshot *snap) {
    const int last = snap->count - 1;
    for (int i = 0; i < w->count; i++) {
        const int at = (int)((int64_t)i * last / (w->count - 1)), from = at < last ? at : last - 1;
        const withy_quat q = snap->have & WITHY_HAVE_FRAME
                                 ? snap->frame[at]
                                 : turn_to(snap->position[from], snap->position[from + 1]);
        put_station(w, k, i, snap->position[at], q);
    }
}

static withy_status add_rod(glb *g, int rod, withy_error *err) {
    withy_result_rod info;
    way w = {0};
    double half[2];
    const withy_snapshot *snap = withy_result_at(g->result, rod, 0, err);
    if (!snap) return err->code;
    if (!withy_result_rod_at(g->result, rod, &info) || snap->count < 2) return WITHY_OK;
    const int outline = shade_section(&info, g->size, half);
    const int round = withy_result_rods(g->result) > MANY_RODS ? FEW : ROUND;
    const int count = snap->count < GLB_STATIONS ? snap->count : GLB_STATIONS;
    withy_status status = WITHY_OK;
    if (!open_way(&w, count, g->snapshots)) g->failed = 1;
    for (int64_t k = 0; k < g->snapshots && status == WITHY_OK && !g->failed; k++) {
        snap = withy_result_at(g->result, rod, k, err);
        if (snap && snap->count > 1) follow(&w, k, snap);
        if (!snap) status = err->code;
    }
    half[0] *= g->size, half[1] *= g->size;
    if (status == WITHY_OK && !g->failed)
        add_tube(g, info.name, &w, half, outline == SHADE_RECTANGLE ? 0 : round, SHADE_ROD);
    return close_way(&w), status;
}

withy_status gltf_rods(glb *g, withy_error *err) {
    withy_status status = WITHY_OK;
    for (int rod = 0; rod < withy_result_rods(g->result) && status == WITHY_OK; rod++)
        status = add_rod(g, rod, err);
    return status;
}

/* ---- links -------------------------------------------------------------------------------------------- */

static withy_vec3 vector(const float *x) {
    return (withy_vec3){(double)x[0], (double)x[1], (double)x[2]};
}

void gltf_link(glb *g, const char *name, const float (*from)[3], const float (*to)[3]) {
    const double half[2] = {SHADE_THINNEST / 2 * g->size, SHADE_THINNEST / 2 * g->size};
    way w = {0};
    if (!open_way(&w, 2, g->snapshots)) g->failed = 1;
    for (int64_t k = 0; k < g->snapshots && !g->failed; k++) {
        const withy_vec3 a = vector(from[k]), b = vector(to[k]);
        put_station(&w, k, 0, a, turn_to(a, b)), put_station(&w, k, 1, b, turn_to(a, b));
    }
    if (!g->failed) add_tube(g, name, &w, half, FEW, SHADE_JOINT);
    close_way(&w);
}
