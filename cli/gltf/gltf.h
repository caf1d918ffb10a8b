/* gltf.h - a result as a glTF 2.0 file (.glb) or a USD file (.usda), animated: for Blender, web pages and other programs that
 * show things.
 *
 * glb.c holds the numbers and writes the one file, usda.c the other; scene.c makes the nodes, tube.c rods and links, solids.c
 * bodies, joints and obstacles.
 * A rod is a tube bound to a chain of joints (glTF's word), one for each station, which move and turn.  glTF has y upwards: all
 * nodes hang on one that turns withy's z into it.
 */
#pragma once

#include "shade/vec.h"
#include "sink/atomic_file.h"

enum { GLB_FLOAT = 5126, GLB_SHORT = 5123, GLB_INDEX = 5125 }; /* glTF's types of numbers */
enum { GLB_STATIONS = 256 }; /* of a tube, at most: of longer rods every second, third, ... */

/* Numbers in the file: `count` rows of `width`. */
typedef struct glb_rows {
    size_t at, size;
    int type, width, count;
    int use;               /* 1: vertices, 2: indices of triangles, 0: others */
    float low[3], high[3]; /* of rows of up to three floats */
} glb_rows;

typedef struct glb_mesh {
    int at, normal, index, joints, weights; /* rows; -1: none */
    int kind;                               /* a shade_kind: its colour */
} glb_mesh;

typedef struct glb_node {
    char name[96];
    int mesh, skin;        /* -1: none */
    double at[3], turn[4]; /* of the first snapshot; x, y, z, w */
    int moves, turns;      /* rows over time; -1: it does not */
    int is_joint;          /* 1: of a tube */
} glb_node;

typedef struct glb_skin {
    int first, count, inverse; /* its nodes, and rows of matrices */
} glb_skin;

/* All that is in the file; lists grow, and `failed` says that there was no memory for one of them. */
typedef struct glb {
    withy_result *result;
    int64_t snapshots;
    int times; /* rows */
    double size;
    shade_vec low, high;
    unsigned char *byte;
    size_t bytes, byte_room;
    glb_rows *rows;
    glb_mesh *mesh;
    glb_node *node;
    glb_skin *skin;
    int row_count, mesh_count, node_count, skin_count;
    int row_room, mesh_room, node_room, skin_room;
    int failed;
} glb;

/* ---- glb.c: each returns its index --------------------------------------------------------------- */

int glb_add_rows(glb *g, const void *number, int type, int width, int count, int use);
int glb_add_mesh(glb *g, const shade_mesh *mesh, shade_kind kind);
int glb_add_node(glb *g, const char *name);
int glb_add_skin(glb *g, int first, int count, int inverse);
void glb_free(glb *g);
/* 0, or an errno. */
typedef int scene_writer(const glb *g, FILE *file);
scene_writer glb_write, usda_write;

/* ---- tube.c, solids.c ------------------------------------------------------------------------------ */

withy_status gltf_rods(glb *g, withy_error *err);
/* A link between two places, [snapshots] each. */
void gltf_link(glb *g, const char *name, const float (*from)[3], const float (*to)[3]);
withy_status gltf_solids(glb *g, withy_error *err);

/* x, y, z, w of a quaternion that follows the one before it the short way. */
void gltf_turn(withy_quat q, const float *before, float out[4]);

/* ---- scene.c --------------------------------------------------------------------------------------- */

/* Write the result to PATH, which appears whole or not at all; the status of the program. */
int scene_export(withy_result *result, scene_writer *write, const char *path);
