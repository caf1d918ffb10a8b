/* solid.c - surfaces of boxes, round bodies and rods that are not round, as triangles. */
#include <math.h>
#include <stdlib.h>

#include "shade/vec.h"

enum { CORNERS = 64, RINGS = 16 }; /* around a round body; from the edge of a cap to its pole */
static const double TURN = 2 * 3.14159265358979323846;

void shade_mesh_free(shade_mesh *mesh) {
    free(mesh->vertex), free(mesh->normal), free(mesh->triangle);
    *mesh = (shade_mesh){0};
}

/* Room for one more of `size` bytes. */
static int grow(void **list, int count, int *room, size_t size) {
    if (count < *room) return 1;
    const int more = *room ? 2 * *room : 256;
    void *wider = realloc(*list, (size_t)more * size);
    if (!wider) return 0;
    return *list = wider, *room = more, 1;
}

int shade_mesh_corner(shade_mesh *mesh, shade_vec at, shade_vec normal) {
    int room = mesh->room[0];
    if (!grow((void **)&mesh->normal, mesh->vertices, &room, sizeof *mesh->normal)) return 0;
    if (!grow((void **)&mesh->vertex, mesh->vertices, &mesh->room[0], sizeof *mesh->vertex))
        return 0;
    float *r = mesh->vertex[mesh->vertices], *n = mesh->normal[mesh->vertices++];
    r[0] = (float)at.x, r[1] = (float)at.y, r[2] = (float)at.z;
    n[0] = (float)normal.x, n[1] = (float)normal.y, n[2] = (float)normal.z;
    return 1;
}

int shade_mesh_face(shade_mesh *mesh, int a, int b, int c) {
    if (!grow((void **)&mesh->triangle, mesh->triangles, &mesh->room[1], sizeof *mesh->triangle))
        return 0;
    unsigned *t = mesh->triangle[mesh->triangles++];
    return t[0] = (unsigned)a, t[1] = (unsigned)b, t[2] = (unsigned)c, 1;
}

static int quad(shade_mesh *mesh, int a, int b, int c, int d) {
    return shade_mesh_face(mesh, a, b, c) && shade_mesh_face(mesh, a, c, d);
}

static shade_vec turned(const shade_place *p, shade_vec x) {
    return vec_axpy(vec_axpy(vec_scale(x.x, p->axis[0]), x.y, p->axis[1]), x.z, p->axis[2]);
}

static int corner(shade_mesh *mesh, const shade_place *p, shade_vec at, shade_vec normal) {
    return shade_mesh_corner(mesh, vec_axpy(p->at, 1, turned(p, at)), vec_unit(turned(p, normal)));
}

int shade_solid_box(shade_mesh *mesh, const shade_place *place, shade_vec size) {
    const double half[3] = {size.x / 2, size.y / 2, size.z / 2};
    for (int side = 0; side < 6; side++) {
        const int i = side / 2, j = (i + 1) % 3, k = (i + 2) % 3, first = mesh->vertices;
        for (int c = 0; c < 4; c++) {
            double at[3], normal[3] = {0};
            normal[i] = side % 2 ? 1 : -1;
            at[i] = normal[i] * half[i];
            at[j] = (c == 1 || c == 2 ? 1 : -1) * half[j], at[k] = (c > 1 ? 1 : -1) * half[k];
            if (!corner(mesh, place, vec(at[0], at[1], at[2]),
                        vec(normal[0], normal[1], normal[2])))
                return 0;
        }
        if (!quad(mesh, first, first + 1, first + 2, first + 3)) return 0;
    }
    return 1;
}

/* Ring by ring from below: places (share of the section, height) with the slope of the normal. */
static int ring(shade_mesh *mesh, const shade_place *place, double a, double b, double share,
                double height, double outward, double upward) {
    for (int i = 0; i <= CORNERS; i++) {
        const double x = cos(TURN * i / CORNERS), y = sin(TURN * i / CORNERS);
        if (!corner(mesh, place, vec(share * a * x, share * b * y, height),
                    vec(outward * x / a, outward * y / b, upward)))
            return 0;
    }
    return 1;
}

static int join_rings(shade_mesh *mesh, int first, int rings, int sides) {
    for (int k = 0; k + 1 < rings; k++)
        for (int i = 0; i < sides; i++) {
            const int at = first + k * (sides + 1) + i, above = at + sides + 1;
            if (!quad(mesh, at, at + 1, above + 1, above)) return 0;
        }
    return 1;
}

int shade_solid_round(shade_mesh *mesh, const shade_place *place, double a, double b, double length,
                      double cap, int flat) {
    const double half = length / 2;
    int ok = 1, first = mesh->vertices;
    if (!flat) { /* from pole to pole; both middle rings are the edges of the caps */
        for (int k = 0; ok && k <= 2 * RINGS + 1; k++) {
            const int upper = k > RINGS;
            const double angle = TURN / 4 * (upper ? k - RINGS - 1 : k - RINGS) / RINGS;
            const double share = cos(angle), rise = sin(angle);
            ok = ring(mesh, place, a, b, fmax(share, 0), (upper ? half : -half) + cap * rise, share,
                      rise / cap);
        }
        return ok && join_rings(mesh, first, 2 * RINGS + 2, CORNERS);
    }
    for (int end = -1; ok && end <= 1; end += 2) {
        const int disc = mesh->vertices;
        ok = ring(mesh, place, a, b, 0, end * half, 0, end) &&
             ring(mesh, place, a, b, 1, end * half, 0, end) && join_rings(mesh, disc, 2, CORNERS);
    }
    first = mesh->vertices;
    return ok && ring(mesh, place, a, b, 1, -half, 1, 0) &&
           ring(mesh, place, a, b, 1, half, 1, 0) && join_rings(mesh, first, 2, CORNERS);
}

/* Corner i of a section: for a rectangle each side has its own two, with the normal of the side. */
static void outline(int i, int count, int rectangle, double a, double b, shade_vec *at,
                    shade_vec *normal) {
    if (!rectangle) {
        const double x = cos(TURN * i / count), y = sin(TURN * i / count);
        *at = vec(a * x, b * y, 0), *normal = vec(x / a, y / b, 0);
        return;
    }
    static const int sign[5][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    static const int side[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int *s = sign[i / 2 + i % 2], *n = side[i / 2];
    *at = vec(a * s[0], b * s[1], 0), *normal = vec(n[0], n[1], 0);
}

/* A flat end of a swept section. */
static int lid(shade_mesh *mesh, const shade_place *place, int corners, double a, double b,
               int rectangle, double sign) {
    const int first = mesh->vertices;
    shade_vec at, unused;
    int ok = corner(mesh, place, vec(0, 0, 0), vec(0, 0, sign));
    for (int i = 0; ok && i <= corners; i++) {
        outline(i % corners, corners, rectangle, a, b, &at, &unused);
        ok = corner(mesh, place, at, vec(0, 0, sign)) &&
             (i == 0 || shade_mesh_face(mesh, first, first + i, first + i + 1));
    }
    return ok;
}

int shade_solid_swept(shade_mesh *mesh, const shade_place *place, int count, double a, double b,
                      int round) {
    const int rectangle = !round, corners = rectangle ? 8 : round;
    const int sides = rectangle ? 7 : corners;
    const int first = mesh->vertices;
    shade_vec at, normal;
    int ok = 1;
    for (int k = 0; ok && k < count; k++)
        for (int i = 0; ok && i <= sides; i++) {
            outline(rectangle ? i : i % corners, corners, rectangle, a, b, &at, &normal);
            ok = corner(mesh, &place[k], at, normal);
        }
    return ok && join_rings(mesh, first, count, sides) &&
           lid(mesh, &place[0], corners, a, b, rectangle, -1) &&
           lid(mesh, &place[count - 1], corners, a, b, rectangle, 1);
}
