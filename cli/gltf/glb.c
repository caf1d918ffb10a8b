/* glb.c - the parts of a glTF file: numbers, and the JSON that says what they are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gltf/gltf.h"

/* Room for `more` after `count`; 0 and g->failed where there is no memory. */
static int grow(glb *g, void **list, size_t count, size_t more, size_t *room, size_t size) {
    if (count + more <= *room) return !g->failed;
    const size_t wide = (count + more) * 3 / 2 + 64;
    void *wider = g->failed ? NULL : realloc(*list, wide * size);
    if (!wider) return g->failed = 1, 0;
    return *list = wider, *room = wide, 1;
}

static int grow_list(glb *g, void **list, int count, int *room, size_t size) {
    size_t wide = (size_t)*room;
    const int ok = grow(g, list, (size_t)count, 1, &wide, size);
    return *room = (int)wide, ok;
}

static void range_of(glb_rows *rows, const float *x) {
    for (int c = 0; c < rows->width; c++) {
        rows->low[c] = rows->high[c] = x[c];
        for (int i = 1; i < rows->count; i++) {
            const float y = x[(size_t)i * (size_t)rows->width + (size_t)c];
            rows->low[c] = fminf(rows->low[c], y), rows->high[c] = fmaxf(rows->high[c], y);
        }
    }
}

int glb_add_rows(glb *g, const void *number, int type, int width, int count, int use) {
    const size_t size =
        (size_t)count * (size_t)width * (type == GLB_SHORT ? sizeof(uint16_t) : sizeof(float));
    if (!grow_list(g, (void **)&g->rows, g->row_count, &g->row_room, sizeof *g->rows) ||
        !grow(g, (void **)&g->byte, g->bytes, size, &g->byte_room, 1))
        return 0;
    glb_rows *rows = &g->rows[g->row_count];
    *rows = (glb_rows){g->bytes, size, type, width, count, use, {0}, {0}};
    if (type == GLB_FLOAT && width <= 3) range_of(rows, number);
    memcpy(g->byte + g->bytes, number, size);
    g->bytes += size; /* a multiple of four: shorts come in fours */
    return g->row_count++;
}

int glb_add_mesh(glb *g, const shade_mesh *mesh, shade_kind kind) {
    if (!grow_list(g, (void **)&g->mesh, g->mesh_count, &g->mesh_room, sizeof *g->mesh)) return 0;
    glb_mesh *to = &g->mesh[g->mesh_count];
    *to = (glb_mesh){.joints = -1, .weights = -1, .kind = (int)kind};
    to->at = glb_add_rows(g, mesh->vertex, GLB_FLOAT, 3, mesh->vertices, 1);
    to->normal = glb_add_rows(g, mesh->normal, GLB_FLOAT, 3, mesh->vertices, 1);
    to->index = glb_add_rows(g, mesh->triangle, GLB_INDEX, 1, 3 * mesh->triangles, 2);
    return g->mesh_count++;
}

int glb_add_node(glb *g, const char *name) {
    if (!grow_list(g, (void **)&g->node, g->node_count, &g->node_room, sizeof *g->node)) return 0;
    glb_node *node = &g->node[g->node_count];
    *node = (glb_node){.mesh = -1, .skin = -1, .moves = -1, .turns = -1, .turn = {0, 0, 0, 1}};
    snprintf(node->name, sizeof node->name, "%.90s", name);
    return g->node_count++;
}

int glb_add_skin(glb *g, int first, int count, int inverse) {
    if (!grow_list(g, (void **)&g->skin, g->skin_count, &g->skin_room, sizeof *g->skin)) return 0;
    g->skin[g->skin_count] = (glb_skin){first, count, inverse};
    return g->skin_count++;
}

void glb_free(glb *g) {
    free(g->byte), free(g->rows), free(g->mesh), free(g->node), free(g->skin);
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static void put_vector(FILE *f, const char *key, const double *x, int count) {
    fprintf(f, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) fprintf(f, "%s%.9g", i ? "," : "", x[i]);
    fputc(']', f);
}

/* All nodes hang on the last one, which turns z upwards into y upwards. */
static void put_nodes(const glb *g, FILE *f) {
    fprintf(f, "\"nodes\":[");
    for (int i = 0; i < g->node_count; i++) {
        const glb_node *n = &g->node[i];
        fprintf(f, "{\"name\":");
        json_quoted(f, n->name);
        if (n->mesh >= 0) fprintf(f, ",\"mesh\":%d", n->mesh);
        if (n->skin >= 0) fprintf(f, ",\"skin\":%d", n->skin);
        if (n->skin < 0)
            put_vector(f, "translation", n->at, 3), put_vector(f, "rotation", n->turn, 4);
        fprintf(f, "},\n");
    }
    fprintf(f, "{\"name\":\"withy\",\"rotation\":[-0.70710678,0,0,0.70710678],\"children\":[");
    for (int i = 0, first = 1; i < g->node_count; i++)
        if (g->node[i].skin < 0) fprintf(f, "%s%d", first ? "" : ",", i), first = 0;
    fprintf(f, "]}],\n\"scenes\":[{\"nodes\":[%d", g->node_count);
    for (int i = 0; i < g->node_count; i++) /* a tube is where its joints are */
        if (g->node[i].skin >= 0) fprintf(f, ",%d", i);
    fprintf(f, "]}],\"scene\":0,\n");
}

static void put_meshes(const glb *g, FILE *f) {
    fprintf(f, "\"meshes\":[");
    for (int i = 0; i < g->mesh_count; i++) {
        const glb_mesh *m = &g->mesh[i];
        fprintf(f, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                i ? ",\n" : "", m->at, m->normal);
        if (m->joints >= 0) fprintf(f, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", m->joints, m->weights);
        fprintf(f, "},\"indices\":%d,\"material\":%d}]}", m->index, m->kind);
    }
    fprintf(f, "],\n");
}

/* In the order of shade_kind; colours as of the shaded pictures, in linear light. */
static void put_materials(FILE *f) {
    static const char *const name[] = {"rod", "body", "joint", "support", "obstacle", "tendon"};
    fprintf(f, "\"materials\":[");
    for (int k = 0; k < SHADE_KINDS; k++) {
        double c[4];
        shade_colour((shade_kind)k, c);
        fprintf(f,
                "%s{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"metallicFactor\":0.1,"
                "\"roughnessFactor\":0.5,\"baseColorFactor\":[%.6g,%.6g,%.6g,%.6g]}%s}",
                k ? ",\n" : "", name[k], c[0], c[1], c[2], c[3],
                c[3] < 1 ? ",\"alphaMode\":\"BLEND\",\"doubleSided\":true" : "");
    }
    fprintf(f, "],\n");
}

static void put_skins(const glb *g, FILE *f) {
    if (!g->skin_count) return;
    fprintf(f, "\"skins\":[");
    for (int i = 0; i < g->skin_count; i++) {
        const glb_skin *s = &g->skin[i];
        fprintf(f, "%s{\"inverseBindMatrices\":%d,\"joints\":[", i ? ",\n" : "", s->inverse);
        for (int k = 0; k < s->count; k++) fprintf(f, "%s%d", k ? "," : "", s->first + k);
        fprintf(f, "]}");
    }
    fprintf(f, "],\n");
}

static void put_samplers(const glb *g, FILE *f) {
    for (int i = 0, first = 1; i < g->node_count; i++)
        for (int k = 0; k < 2; k++) {
            const int rows = k ? g->node[i].turns : g->node[i].moves;
            if (rows < 0) continue;
            fprintf(f, "%s{\"input\":%d,\"output\":%d}", first ? "" : ",", g->times, rows);
            first = 0;
        }
}

static void put_animation(const glb *g, FILE *f) {
    int count = 0;
    for (int i = 0; i < g->node_count; i++)
        for (int k = 0; k < 2; k++) {
            if ((k ? g->node[i].turns : g->node[i].moves) < 0) continue;
            fprintf(f, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                    count ? "," : "\"animations\":[{\"name\":\"motion\",\"channels\":[", count, i,
                    k ? "rotation" : "translation");
            count++;
        }
    if (!count) return;
    fprintf(f, "],\"samplers\":[");
    put_samplers(g, f);
    fprintf(f, "]}],\n");
}

static void put_range(FILE *f, const char *key, const float *x, int width) {
    fprintf(f, ",\"%s\":[", key);
    for (int c = 0; c < width; c++) fprintf(f, "%s%.9g", c ? "," : "", (double)x[c]);
    fputc(']', f);
}

/* Each row of numbers has a view of its own. */
static void put_rows(const glb *g, FILE *f) {
    static const char *const shape[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    fprintf(f, "\"accessors\":[");
    for (int i = 0; i < g->row_count; i++) {
        const glb_rows *r = &g->rows[i];
        fprintf(f, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                i ? ",\n" : "", i, r->type, r->count, r->width == 16 ? "MAT4" : shape[r->width]);
        if (r->type == GLB_FLOAT && r->width <= 3)
            put_range(f, "min", r->low, r->width), put_range(f, "max", r->high, r->width);
        fputc('}', f);
    }
    fprintf(f, "],\n\"bufferViews\":[");
    for (int i = 0; i < g->row_count; i++) {
        const glb_rows *r = &g->rows[i];
        fprintf(f, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}", i ? ",\n" : "",
                r->at, r->size,
                r->use == 1   ? ",\"target\":34962"
                : r->use == 2 ? ",\"target\":34963"
                              : "");
    }
    fprintf(f, "],\n\"buffers\":[{\"byteLength\":%zu}]", g->bytes);
}

static void put_json(const glb *g, FILE *f) {
    fprintf(f, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"withy %s\"},\n", WITHY_VERSION);
    put_nodes(g, f);
    put_meshes(g, f);
    put_materials(f);
    put_skins(g, f);
    put_animation(g, f);
    put_rows(g, f);
    fputc('}', f);
}

/* ---- the file ------------------------------------------------------------------------------------- */

static void put_whole(FILE *f, size_t x) { /* 32 bits, the lowest first */
    for (int i = 0; i < 4; i++) fputc((int)(x >> 8 * i & 255), f);
}

/* Twelve bytes of a head, then a chunk of JSON and one of numbers, each with its length and kind. */
int glb_write(const glb *g, FILE *file) {
    enum { HEAD = 12, CHUNK = 8 };
    if (g->bytes > 0xf0000000) return EFBIG;
    for (int i = 0; i < HEAD + CHUNK; i++) fputc(0, file);
    put_json(g, file);
    while (ftell(file) % 4) fputc(' ', file);
    const long json = ftell(file);
    put_whole(file, g->bytes), put_whole(file, 0x004e4942); /* BIN */
    fwrite(g->byte, 1, g->bytes, file);
    if (fseek(file, 0, SEEK_SET) != 0) return errno;
    put_whole(file, 0x46546c67), put_whole(file, 2); /* glTF, version 2 */
    put_whole(file, (size_t)json + CHUNK + g->bytes);
    put_whole(file, (size_t)json - HEAD - CHUNK), put_whole(file, 0x4e4f534a); /* JSON */
    return fflush(file) != 0 || ferror(file) ? errno ? errno : EIO : 0;
}
