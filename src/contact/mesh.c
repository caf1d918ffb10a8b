/* mesh.c - signed distance of a point from a closed surface of triangles.
 *
 * The nearest point of the surface is found in a tree of boxes.  Its sign is that of (x - nearest) . n with the
 * pseudonormal n of the feature it lies on: of a face its normal, of an edge the sum of those of its two faces, of a
 * vertex that of the faces around it, each times its angle there (Baerentzen and Aanaes, 2005), which is right for every
 * closed surface that does not cut itself.
 */
#include "contact/contact.h"

enum { SMALLEST_NODE = 4, DEPTH = 64 };
static const double LARGE = 1e50; /* [m] */

typedef struct node {
    wy_box box;
    int first, count; /* triangles in `order`; an inner node: count 0, and */
    int right;        /* its second child; the first follows it            */
} node;

struct wy_mesh {
    const vec3 *vertex;
    const int (*triangle)[3];
    int count;
    vec3 *face;      /* [count] unit normals                     */
    vec3 (*edge)[3]; /* [count] pseudonormal of the edge i, i + 1 */
    vec3 *corner;    /* [vertices] pseudonormal                  */
    int *order;      /* [count] as the leaves have them          */
    node *node;
    int nodes;
};

/* ---- is it a surface? -------------------------------------------------------------------------------- */

static vec3 at(const wy_mesh *m, int triangle, int corner) {
    return m->vertex[m->triangle[triangle][corner % 3]];
}

static withy_status check_triangle(const wy_mesh *m, int vertices, int i, withy_error *err) {
    for (int k = 0; k < 3; k++)
        if (m->triangle[i][k] < 0 || m->triangle[i][k] >= vertices)
            return wy_bad_input(err, "triangle %d has the vertex %d; there are vertices 1 .. %d",
                                i + 1, m->triangle[i][k] + 1, vertices);
    const vec3 a = at(m, i, 0), b = at(m, i, 1), c = at(m, i, 2);
    const vec3 u = v3_sub(b, a), v = v3_sub(c, a), n = v3_cross(u, v);
    if (!(v3_finite(a) && v3_finite(b) && v3_finite(c)))
        return wy_bad_input(err, "triangle %d has a vertex that is not three finite numbers",
                            i + 1);
    const double side = fmax(v3_norm(v3_sub(b, c)), fmax(v3_norm(u), v3_norm(v)));
    if (!(side < LARGE && v3_norm(a) < LARGE)) /* squares of it are numbers */
        return wy_bad_input(
            err, "triangle %d, at { %.6g, %.6g, %.6g }, is beyond %g m; are the units right?",
            i + 1, a.x, a.y, a.z, LARGE);
    if (!(v3_norm(n) > 1e-12 * side * side))
        return wy_bad_input(err,
                            "triangle %d, at { %.6g, %.6g, %.6g }, has no area; repair the surface",
                            i + 1, a.x, a.y, a.z);
    m->face[i] = v3_scale(1 / v3_norm(n), n);
    return WITHY_OK;
}

/* Directed edges in an open hash table: slot -> 3 triangle + side + 1. */
typedef struct edges {
    int *slot;
    size_t mask;
} edges;

static size_t edge_hash(int from, int to) {
    uint64_t h = (uint64_t)(uint32_t)from * 0x9E3779B97F4A7C15u ^ (uint64_t)(uint32_t)to;
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    return (size_t)(h ^ h >> 32);
}

/* The slot of the edge, or the empty one where it belongs. */
static int *find_edge(const wy_mesh *m, const edges *e, int from, int to) {
    for (size_t k = edge_hash(from, to) & e->mask;; k = (k + 1) & e->mask) {
        const int known = e->slot[k] - 1;
        if (known < 0) return &e->slot[k];
        const int *t = m->triangle[known / 3];
        if (t[known % 3] == from && t[(known + 1) % 3] == to) return &e->slot[k];
    }
}

static withy_status edge_fails(const wy_mesh *m, int i, int k, const char *why, withy_error *err) {
    const vec3 a = at(m, i, k), b = at(m, i, k + 1);
    return wy_bad_input(
        err, "the edge from { %.6g, %.6g, %.6g } to { %.6g, %.6g, %.6g } of triangle %d %s", a.x,
        a.y, a.z, b.x, b.y, b.z, i + 1, why);
}

/* Every edge has two triangles, one in each direction; their normals give its own. */
static withy_status join_edges(wy_mesh *m, const edges *e, withy_error *err) {
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++) {
            int *slot = find_edge(m, e, m->triangle[i][k], m->triangle[i][(k + 1) % 3]);
            if (*slot)
                return edge_fails(m, i, k,
                                  "is there twice in the same direction: neighbours are turned "
                                  "differently, or more than two triangles meet",
                                  err);
            *slot = 3 * i + k + 1;
        }
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++) {
            const int other = *find_edge(m, e, m->triangle[i][(k + 1) % 3], m->triangle[i][k]);
            if (!other)
                return edge_fails(m, i, k,
                                  "belongs to no other triangle: the surface is open, and only a "
                                  "closed one has an inside",
                                  err);
            m->edge[i][k] = v3_add(m->face[i], m->face[(other - 1) / 3]);
        }
    return WITHY_OK;
}

static void sum_corners(wy_mesh *m) {
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++) {
            const vec3 p = at(m, i, k), u = v3_sub(at(m, i, k + 1), p),
                       v = v3_sub(at(m, i, k + 2), p);
            const double angle = atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v));
            vec3 *n = &m->corner[m->triangle[i][k]];
            *n = v3_axpy(*n, angle, m->face[i]);
        }
}

static double volume(const wy_mesh *m) {
    double six = 0;
    const vec3 o = at(m, 0, 0);
    for (int i = 0; i < m->count; i++)
        six += v3_dot(v3_sub(at(m, i, 0), o),
                      v3_cross(v3_sub(at(m, i, 1), o), v3_sub(at(m, i, 2), o)));
    return six / 6;
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

static wy_box box_of(const wy_mesh *m, const int *list, int count) {
    wy_box box = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const vec3 p = at(m, list[i], k);
            box.low = v3(fmin(box.low.x, p.x), fmin(box.low.y, p.y), fmin(box.low.z, p.z));
            box.high = v3(fmax(box.high.x, p.x), fmax(box.high.y, p.y), fmax(box.high.z, p.z));
        }
    return box;
}

static double middle(const wy_mesh *m, int triangle, int axis) {
    const vec3 a = at(m, triangle, 0), b = at(m, triangle, 1), c = at(m, triangle, 2);
    return v3_get(a, axis) + v3_get(b, axis) + v3_get(c, axis);
}

/* The smaller half of the middles comes first (Hoare's selection; ties are split, so that equal middles do not make
 * it slow). */
static void select_half(const wy_mesh *m, int *list, int count, int axis) {
    const int half = count / 2;
    for (int low = 0, high = count - 1; low < high;) {
        const double pivot = middle(m, list[low + (high - low) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(m, list[i], axis) < pivot) i++;
            while (middle(m, list[j], axis) > pivot) j--;
            if (i > j) break;
            const int swap = list[i];
            list[i++] = list[j], list[j--] = swap;
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static int build(wy_mesh *m, int first, int count) {
    const int own = m->nodes++;
    const wy_box box = box_of(m, &m->order[first], count);
    m->node[own] = (node){box, first, count, 0};
    if (count <= SMALLEST_NODE) return own;
    const vec3 size = v3_sub(box.high, box.low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    select_half(m, &m->order[first], count, axis);
    m->node[own].count = 0;
    build(m, first, count / 2);
    m->node[own].right = build(m, first + count / 2, count - count / 2);
    return own;
}

withy_status wy_mesh_make(const vec3 *vertex, int vertices, const int (*triangle)[3], int triangles,
                          wy_arena *arena, const wy_mesh **out, withy_error *err) {
    if (triangles < 4)
        return wy_bad_input(err, "has %d triangles; a closed surface has at least 4", triangles);
    const size_t count = (size_t)triangles;
    edges e = {0};
    for (e.mask = 64; e.mask < 6 * count;) e.mask *= 2;
    wy_allocator from = {arena, 0};
    wy_mesh *m = wy_allocator_alloc(&from, 1, sizeof *m);
    vec3 *face = wy_allocator_alloc(&from, count, sizeof *face);
    vec3(*edge)[3] = wy_allocator_alloc(&from, count, sizeof *edge);
    vec3 *corner = wy_allocator_alloc(&from, (size_t)vertices, sizeof *corner);
    int *order = wy_allocator_alloc(&from, count, sizeof *order);
    node *nodes = wy_allocator_alloc(&from, count, sizeof *nodes); /* leaves have 2 or more */
    e.slot = wy_alloc(e.mask, sizeof *e.slot);
    if (from.failed || !e.slot) {
        wy_free(e.slot);
        return wy_no_memory(err, "no memory for %d triangles", triangles);
    }
    *m = (wy_mesh){vertex, triangle, triangles, face, edge, corner, order, nodes, 0};
    e.mask--;
    withy_status status = WITHY_OK;
    for (int i = 0; i < triangles && status == WITHY_OK; i++) {
        order[i] = i;
        status = check_triangle(m, vertices, i, err);
    }
    if (status == WITHY_OK) status = join_edges(m, &e, err);
    wy_free(e.slot);
    WY_TRY(status);
    if (!(volume(m) > 0))
        return wy_bad_input(
            err, "is inside out: seen from outside its triangles go clockwise; turn them");
    sum_corners(m);
    build(m, 0, triangles);
    *out = m;
    return WITHY_OK;
}

/* ---- the nearest point ------------------------------------------------------------------------------- */

typedef struct nearest {
    double square; /* of the distance */
    vec3 point, normal;
} nearest;

static inline double square_to_box(const wy_box *box, vec3 x) {
    const vec3 d = v3(wy_max(0, wy_max(box->low.x - x.x, x.x - box->high.x)),
                      wy_max(0, wy_max(box->low.y - x.y, x.y - box->high.y)),
                      wy_max(0, wy_max(box->low.z - x.z, x.z - box->high.z)));
    return v3_dot(d, d);
}

static void take(nearest *best, vec3 x, vec3 point, vec3 normal) {
    const vec3 d = v3_sub(x, point);
    const double square = v3_dot(d, d);
    if (square < best->square) *best = (nearest){square, point, normal};
}

/* The nearest point of one triangle: a corner, on an edge, or inside (by which side of the edges it lies on). */
static void try_triangle(const wy_mesh *m, int i, vec3 x, nearest *best) {
    const vec3 n = m->face[i];
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        const vec3 p = at(m, i, k), q = at(m, i, k + 1), u = v3_sub(q, p), d = v3_sub(x, p);
        const double along = v3_dot(d, u), all = v3_dot(u, u);
        if (v3_dot(v3_cross(n, u), d) >= 0) continue;
        inside = 0;
        if (along <= 0)
            take(best, x, p, m->corner[m->triangle[i][k]]);
        else if (along >= all)
            take(best, x, q, m->corner[m->triangle[i][(k + 1) % 3]]);
        else
            take(best, x, v3_axpy(p, along / all, u), m->edge[i][k]);
    }
    if (inside) take(best, x, v3_axpy(x, -v3_dot(n, v3_sub(x, at(m, i, 0))), n), n);
}

double wy_mesh_distance(const wy_mesh *m, vec3 x, vec3 *gradient) {
    nearest best = {INFINITY, x, v3(0, 0, 1)};
    struct {
        int node;
        double square;
    } stack[DEPTH] = {{0, v3_finite(x) ? 0 : INFINITY}};
    for (int top = 1; top > 0;) {
        const int own = stack[--top].node;
        const node *n = &m->node[own];
        if (!(stack[top].square < best.square)) continue;
        for (int i = 0; i < n->count; i++) try_triangle(m, m->order[n->first + i], x, &best);
        if (n->count > 0) continue;
        const int child[2] = {own + 1, n->right};
        const double square[2] = {square_to_box(&m->node[child[0]].box, x),
                                  square_to_box(&m->node[child[1]].box, x)};
        const int near = square[1] < square[0]; /* comes off first */
        stack[top].node = child[!near], stack[top++].square = square[!near];
        stack[top].node = child[near], stack[top++].square = square[near];
    }
    const double far = sqrt(best.square);
    const vec3 d = v3_sub(x, best.point);
    const double sign = v3_dot(d, best.normal) < 0 ? -1 : 1;
    *gradient = far > 0 ? v3_scale(sign / far, d) : v3_unit(best.normal);
    return isfinite(best.square) ? sign * far : NAN;
}

double wy_mesh_least(const wy_mesh *mesh, vec3 x) {
    return sqrt(square_to_box(&mesh->node[0].box, x));
}

double wy_mesh_extent(const wy_mesh *mesh) {
    const vec3 side = v3_sub(mesh->node[0].box.high, mesh->node[0].box.low);
    return wy_min(side.x, wy_min(side.y, side.z));
}
