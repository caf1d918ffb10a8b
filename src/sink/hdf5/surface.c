/* surface.c - the triangles of mesh obstacles in a result file, so that they can be drawn without the file of the scene.
 *
 * A surface of more than WY_H5_TRIANGLES is carried coarser: its vertices are put into cubes, each cube keeps its first
 * vertex, and triangles of which two corners fall together are left out (Rossignac and Borrel, 1993).  That is for the eye;
 * what the rods touched is the whole surface.
 */
#include "base/vec.h"
#include "sink/hdf5/hdf5.h"

/* Vertices and triangles of all surfaces, one after the other. */
typedef struct surfaces {
    double *vertex, *triangle; /* [3 vertices], [3 triangles] */
    int vertices, triangles;
} surfaces;

/* ---- cubes -------------------------------------------------------------------------------------- */

typedef struct cubes {
    double per;  /* 1/side */
    vec3 origin; /* one of the vertices */
    int *slot;   /* open hash table: vertex + 1 */
    size_t mask;
    int *first; /* [vertices] the first vertex in the cube of each */
} cubes;

static void cube_of(const cubes *c, vec3 v, double cube[3]) {
    const vec3 d = v3_scale(c->per, v3_sub(v, c->origin));
    cube[0] = floor(d.x), cube[1] = floor(d.y), cube[2] = floor(d.z);
}

static size_t hash(const double cube[3]) {
    uint64_t h = 0, bits;
    for (int i = 0; i < 3; i++) {
        const double number = cube[i] + 0.0; /* -0 is 0 */
        memcpy(&bits, &number, sizeof bits);
        h = (h ^ bits) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

static void sort_into_cubes(cubes *c, const withy_obstacle *at) {
    memset(c->slot, 0, (c->mask + 1) * sizeof *c->slot);
    for (int i = 0; i < at->vertex_count; i++) {
        double own[3], other[3];
        cube_of(c, at->vertex[i], own);
        for (size_t k = hash(own) & c->mask;; k = (k + 1) & c->mask) {
            if (!c->slot[k]) c->slot[k] = i + 1;
            c->first[i] = c->slot[k] - 1;
            cube_of(c, at->vertex[c->first[i]], other);
            if (own[0] == other[0] && own[1] == other[1] && own[2] == other[2]) break;
        }
    }
}

static int corners(const cubes *c, const int triangle[3], int corner[3]) {
    for (int k = 0; k < 3; k++) corner[k] = c ? c->first[triangle[k]] : triangle[k];
    return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

static int count_left(const cubes *c, const withy_obstacle *at) {
    int left = 0, corner[3];
    for (int i = 0; i < at->triangle_count; i++) left += corners(c, at->triangle[i], corner);
    return left;
}

static double area_of(const withy_obstacle *at) {
    double twice = 0;
    for (int i = 0; i < at->triangle_count; i++) {
        const int *t = at->triangle[i];
        const vec3 a = at->vertex[t[0]];
        twice += v3_norm(v3_cross(v3_sub(at->vertex[t[1]], a), v3_sub(at->vertex[t[2]], a)));
    }
    return 0.5 * twice;
}

/* A surface of area A meets about 3 A/(2 side^2) cubes, with two triangles each. */
static int choose_cubes(cubes *c, const withy_obstacle *at) {
    for (c->mask = 64; c->mask < 2 * (size_t)at->vertex_count;) c->mask *= 2;
    c->slot = wy_alloc(c->mask--, sizeof *c->slot);
    c->first = wy_alloc((size_t)at->vertex_count, sizeof *c->first);
    if (!c->slot || !c->first) return -1;
    c->origin = at->vertex[0];
    c->per = sqrt(WY_H5_TRIANGLES / (3 * area_of(at)));
    do {
        sort_into_cubes(c, at);
        c->per *= 0.8;
    } while (count_left(c, at) > WY_H5_TRIANGLES);
    return 0;
}

/* ---- lists -------------------------------------------------------------------------------------- */

/* The vertices that are used, numbered anew in `number`, and the triangles. */
static void copy(surfaces *all, const withy_obstacle *at, const cubes *c, int *number) {
    const int from = all->vertices;
    for (int i = 0; i < at->triangle_count; i++) {
        int corner[3];
        if (!corners(c, at->triangle[i], corner)) continue;
        for (int k = 0; k < 3; k++) {
            if (!number[corner[k]]) {
                v3_to(at->vertex[corner[k]], all->vertex + 3 * (size_t)all->vertices++);
                number[corner[k]] = all->vertices - from;
            }
            all->triangle[3 * (size_t)all->triangles + (size_t)k] = number[corner[k]] - 1;
        }
        all->triangles++;
    }
}

static int add(surfaces *all, const withy_obstacle *at) {
    cubes own = {0};
    const int coarse = at->triangle_count > WY_H5_TRIANGLES;
    int *number = wy_alloc((size_t)at->vertex_count, sizeof *number);
    const int done = number && (!coarse || choose_cubes(&own, at) == 0) ? 0 : -1;
    if (done == 0) copy(all, at, coarse ? &own : NULL, number);
    wy_free(number), wy_free(own.slot), wy_free(own.first);
    return done;
}

static int same(const withy_obstacle *a, const withy_obstacle *b) {
    return b->kind == WITHY_OBSTACLE_MESH && a->triangle == b->triangle && a->vertex == b->vertex;
}

/* Rows of `surface`; obstacles of one surface share it. */
static int collect(surfaces *all, const wy_sink_meta *meta, int count, double *row) {
    for (int i = 0; i < count; i++, row += WY_H5_SURFACE) {
        const withy_obstacle *at = &meta->obstacle[i];
        int twin = 0;
        if (at->kind != WITHY_OBSTACLE_MESH || at->triangle_count == 0) continue;
        while (!same(at, &meta->obstacle[twin])) twin++;
        const double *known = row - WY_H5_SURFACE * (i - twin);
        if (twin < i) {
            memcpy(row, known, WY_H5_SURFACE * sizeof *row);
            continue;
        }
        row[0] = all->vertices, row[2] = all->triangles, row[4] = at->triangle_count;
        if (add(all, at) < 0) return -1;
        row[1] = all->vertices - row[0], row[3] = all->triangles - row[2];
    }
    return 0;
}

int wy_h5_surfaces(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta) {
    const int count = meta->parts->obstacle_count;
    size_t room = 0;
    for (int i = 0; i < count; i++)
        if (meta->obstacle[i].kind == WITHY_OBSTACLE_MESH)
            room += (size_t)wy_min(meta->obstacle[i].triangle_count, WY_H5_TRIANGLES);
    if (room == 0) return 0;
    /* a triangle brings at most three vertices of its own */
    surfaces all = {.vertex = wy_alloc(9 * room, sizeof *all.vertex),
                    .triangle = wy_alloc(3 * room, sizeof *all.triangle)};
    double *row = wy_arena_alloc(place->arena, WY_H5_SURFACE * (size_t)count, sizeof *row);
    int done = all.vertex && all.triangle && row ? collect(&all, meta, count, row) : -1;
    const wy_column_info info[] = {
        {"surface", "-",
         "first vertex, vertices, first triangle, triangles, triangles in the scene", count,
         WY_H5_SURFACE, 0},
        {"vertex", "m", "of surfaces, in the axes of the obstacle, from its position", all.vertices,
         3, 0},
        {"triangle", "-", "its vertices, from 0, counted from the first of its surface",
         all.triangles, 3, 0}};
    const double *const value[] = {row, all.vertex, all.triangle};
    for (int i = 0; i < 3 && done >= 0; i++) done = wy_h5_make_list(group, &info[i], value[i]);
    wy_free(all.vertex), wy_free(all.triangle);
    return done;
}
