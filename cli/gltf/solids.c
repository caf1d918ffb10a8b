/* solids.c - bodies, joints and obstacles as nodes that move and turn. */
#include <stdlib.h>

#include "gltf/gltf.h"
#include "lines.h"

static const double JOINT = 0.008; /* of the size of the scene, as in withy view */
static const shade_place HERE = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

/* ---- where they are -------------------------------------------------------------------------------- */

/* Bodies, then obstacles, then both places of each joint, in all snapshots, read in one pass: a snapshot is all parts, and each
 * part would read all snapshots again. */
typedef struct moves {
    int bodies, obstacles, joints;
    size_t snapshots;
    float (*at)[3], (*turn)[4]; /* [part][snapshot]; turn: of bodies */
} moves;

static size_t first_of(const moves *m, int part) {
    return (size_t)part * m->snapshots;
}
static int obstacle_part(const moves *m, int i) {
    return m->bodies + i;
}
static int joint_part(const moves *m, int i, int side) {
    return m->bodies + m->obstacles + 2 * i + side;
}

static void keep(const moves *m, int part, size_t k, withy_vec3 r) {
    float *at = m->at[first_of(m, part) + k];
    at[0] = (float)r.x, at[1] = (float)r.y, at[2] = (float)r.z;
}

static void keep_snapshot(const moves *m, const withy_parts *parts, size_t k) {
    for (int i = 0; i < m->bodies && i < parts->body_count; i++) {
        float(*turn)[4] = &m->turn[first_of(m, i)];
        keep(m, i, k, parts->body[i].position);
        gltf_turn(parts->body[i].frame, k ? turn[k - 1] : NULL, turn[k]);
    }
    for (int i = 0; i < m->obstacles && i < parts->obstacle_count; i++)
        keep(m, obstacle_part(m, i), k, parts->obstacle[i].position);
    for (int i = 0; i < m->joints && i < parts->joint_count; i++)
        for (int side = 0; side < 2; side++)
            keep(m, joint_part(m, i, side), k, parts->joint[i].place[side]);
}

static withy_status read_moves(glb *g, moves *m, withy_error *err) {
    const size_t n = (size_t)g->snapshots;
    *m = (moves){withy_result_bodies(g->result),
                 withy_result_obstacles(g->result),
                 withy_result_joints(g->result),
                 n,
                 NULL,
                 NULL};
    m->at = calloc(n * (size_t)joint_part(m, m->joints, 0) + 1, sizeof *m->at);
    m->turn = calloc(n * (size_t)m->bodies + 1, sizeof *m->turn);
    if (!m->at || !m->turn) return g->failed = 1, WITHY_OK;
    for (size_t k = 0; k < n && joint_part(m, m->joints, 0) > 0; k++) {
        const withy_parts *parts = withy_result_parts_at(g->result, (int64_t)k, err);
        if (!parts) return err->code;
        keep_snapshot(m, parts, k);
    }
    return WITHY_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static void add_node(glb *g, const moves *m, const char *name, int mesh, int part) {
    const int node = glb_add_node(g, name);
    const float(*at)[3] = (const float(*)[3]) & m->at[first_of(m, part)];
    if (g->failed) return;
    g->node[node].mesh = mesh;
    for (int c = 0; c < 3; c++) g->node[node].at[c] = (double)at[0][c];
    g->node[node].moves = glb_add_rows(g, at, GLB_FLOAT, 3, (int)m->snapshots, 0);
    if (part >= m->bodies || g->failed) return;
    const float(*turn)[4] = (const float(*)[4]) & m->turn[first_of(m, part)];
    for (int c = 0; c < 4; c++) g->node[node].turn[c] = (double)turn[0][c];
    g->node[node].turns = glb_add_rows(g, turn, GLB_FLOAT, 4, (int)m->snapshots, 0);
}

static void add(glb *g, const moves *m, const char *name, shade_mesh *mesh, int made,
                shade_kind kind, int part) {
    if (!made) g->failed = 1;
    const int any = !g->failed && mesh->triangles, shape = any ? glb_add_mesh(g, mesh, kind) : -1;
    shade_mesh_free(mesh);
    if (any) add_node(g, m, name, shape, part);
}

static void add_body(glb *g, const moves *m, int i, const withy_body *body) {
    shade_mesh mesh = {0};
    double size[3];
    cli_body_size(body, size);
    for (int c = 0; c < 3; c++) size[c] = fmax(size[c], SHADE_THINNEST * g->size);
    add(g, m, body->name, &mesh, shade_body(&mesh, &HERE, body, size), SHADE_BODY, i);
}

/* All are the same ball, at the second place; a link is a tube. */
static void add_joint(glb *g, const moves *m, int i, const withy_joint *joint, int *ball) {
    shade_mesh mesh = {0};
    const double r = JOINT * g->size;
    if (joint->kind == WITHY_JOINT_LINK) {
        gltf_link(g, joint->name, (const float(*)[3]) & m->at[first_of(m, joint_part(m, i, 0))],
                  (const float(*)[3]) & m->at[first_of(m, joint_part(m, i, 1))]);
    } else if (*ball >= 0) {
        add_node(g, m, joint->name, *ball, joint_part(m, i, 1));
    } else {
        *ball = g->mesh_count;
        add(g, m, joint->name, &mesh, shade_solid_round(&mesh, &HERE, r, r, 0, r, 0), SHADE_JOINT,
            joint_part(m, i, 1));
    }
}

/* What has no end is drawn around the middle of the scene: its vertices say so, relative to its place. */
static void add_obstacle(glb *g, const moves *m, int i, const withy_obstacle *wall) {
    shade_mesh mesh = {0};
    const float *p = m->at[first_of(m, obstacle_part(m, i))];
    const shade_vec middle = vec_scale(0.5, vec_axpy(g->low, 1, g->high));
    const shade_vec at = vec_axpy(vec((double)p[0], (double)p[1], (double)p[2]), -1, middle);
    const int made = shade_obstacle(&mesh, wall, at, 1, g->size);
    for (int v = 0; v < mesh.vertices; v++) {
        mesh.vertex[v][0] -= (float)at.x;
        mesh.vertex[v][1] -= (float)at.y;
        mesh.vertex[v][2] -= (float)at.z;
    }
    add(g, m, wall->name, &mesh, made, SHADE_OBSTACLE, obstacle_part(m, i));
}

withy_status gltf_solids(glb *g, withy_error *err) {
    withy_body body;
    withy_joint joint;
    withy_obstacle wall;
    moves m;
    int ball = -1;
    const withy_status status = read_moves(g, &m, err);
    const int go = status == WITHY_OK;
    for (int i = 0; go && !g->failed && withy_result_body_at(g->result, i, &body); i++)
        add_body(g, &m, i, &body);
    for (int i = 0; go && !g->failed && withy_result_joint_at(g->result, i, &joint); i++)
        add_joint(g, &m, i, &joint, &ball);
    for (int i = 0; go && !g->failed && withy_result_obstacle_at(g->result, i, &wall); i++)
        add_obstacle(g, &m, i, &wall);
    free(m.at), free(m.turn);
    return status;
}
