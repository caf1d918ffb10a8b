/* read_surface.c - the triangles of mesh obstacles, read back (the contents are in layout.h). */
#include "sink/hdf5/layout.h"
#include "sink/hdf5/read.h"

enum { NUMBERS_MOST = 1 << 30 };

/* A whole number of 0 .. most? */
static bool is_index(double x, double most) {
    return x >= 0 && x <= most && x == floor(x);
}

/* Where one surface is in the lists. */
static bool take_surface(wy_part_reader *r, const double *row, withy_vec3 *vertex,
                         uint64_t vertices, int (*triangle)[3], uint64_t triangles,
                         withy_obstacle *at) {
    for (int i = 0; i < 4; i++)
        if (!is_index(row[i], (double)(i < 2 ? vertices : triangles)))
            return wy_store_fail(r->store, "a surface is outside of the list of its vertices");
    if (row[0] + row[1] > (double)vertices || row[2] + row[3] > (double)triangles)
        return wy_store_fail(r->store, "a surface is outside of the list of its vertices");
    at->vertex = vertex + (size_t)row[0], at->vertex_count = (int)row[1];
    at->triangle = (const int(*)[3])(triangle + (size_t)row[2]), at->triangle_count = (int)row[3];
    for (int i = 0; i < at->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (at->triangle[i][k] < 0 || at->triangle[i][k] >= at->vertex_count)
                return wy_store_fail(r->store, "triangle %d of a surface has no such vertex",
                                     i + 1);
    return true;
}

/* Surfaces are written one after the other, and obstacles of one surface share it.  owner[k]: 1 + the obstacle whose
 * surface begins with triangle k. */
static bool take_surfaces(wy_part_reader *r, const double *row, withy_vec3 *vertex,
                          uint64_t vertices, int (*triangle)[3], uint64_t triangles, int *owner) {
    double used = 0, points = 0;
    for (int i = 0; i < r->now.obstacle_count; i++, row += WY_H5_SURFACE) {
        withy_obstacle *at = &r->obstacle[i];
        int *first = is_index(row[2], (double)triangles) ? &owner[(size_t)row[2]] : NULL;
        const double *known =
            first && *first ? row - (ptrdiff_t)WY_H5_SURFACE * (i + 1 - *first) : NULL;
        if (known && memcmp(row, known, 4 * sizeof *row) == 0) {
            const withy_obstacle *same = &r->obstacle[*first - 1];
            at->vertex = same->vertex, at->vertex_count = same->vertex_count;
            at->triangle = same->triangle, at->triangle_count = same->triangle_count;
            continue;
        }
        if (row[1] > 0) points += row[1];
        if (row[3] > 0) used += row[3];
        if (!(used <= (double)triangles && points <= (double)vertices))
            return wy_store_fail(r->store,
                                 "surfaces share vertices or triangles without being the same");
        if (!take_surface(r, row, vertex, vertices, triangle, triangles, at)) return false;
        if (at->triangle_count > 0) *first = i + 1;
    }
    return true;
}

bool wy_surfaces_read(wy_part_reader *r, wy_object *group, wy_arena *arena) {
    uint64_t rows, coordinates, corners;
    const uint64_t count = (uint64_t)r->now.obstacle_count;
    if (wy_object_at(group, "surface") == WY_STORE_NOWHERE) return true; /* there are none */
    const double *row = wy_rows_list(group, "surface", NUMBERS_MOST, &rows, arena);
    const double *point = wy_rows_list(group, "vertex", NUMBERS_MOST, &coordinates, arena);
    const double *corner = wy_rows_list(group, "triangle", NUMBERS_MOST, &corners, arena);
    if (!row || !point || !corner) return false;
    if (rows != WY_H5_SURFACE * count || coordinates % 3 != 0 || corners % 3 != 0)
        return wy_store_fail(r->store, "surfaces, vertices and triangles are not whole");
    withy_vec3 *vertex = wy_store_take(r->store, arena, coordinates / 3, sizeof *vertex);
    int(*triangle)[3] = wy_store_take(r->store, arena, corners / 3, sizeof *triangle);
    int *owner = wy_store_take(r->store, arena, corners / 3 + 1, sizeof *owner);
    if (!vertex || !triangle || !owner) return false;
    for (uint64_t i = 0; i < coordinates / 3; i++)
        vertex[i] = (withy_vec3){point[3 * i], point[3 * i + 1], point[3 * i + 2]};
    for (uint64_t i = 0; i < corners; i++)
        triangle[i / 3][i % 3] = is_index(corner[i], NUMBERS_MOST) ? (int)corner[i] : -1;
    return take_surfaces(r, row, vertex, coordinates / 3, triangle, corners / 3, owner);
}
