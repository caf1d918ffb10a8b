/* mesh.c - triangles from a file in the folder of the scene: STL, of text or binary, and OBJ.
 *
 * It has a name in the folder of the scene or below it (scene_file.c); functions of the scene see nothing of it.
 */
#include "scene/lua.h"

#include <ctype.h>

/* Of all surfaces of a scene together; a closed surface has half as many vertices as triangles, and at most three for
 * each. */
enum { MOST_TRIANGLES = 2000000, MOST_VERTICES = 3 * MOST_TRIANGLES };
enum { MOST_BYTES = 256 << 20, STL_HEAD = 84, STL_ROW = 50 };

/* A file, and what has been read of it.  Corners that are the same point are one vertex. */
typedef struct source {
    const char *name; /* for messages */
    char *text;       /* [size + 1], ends with 0 */
    size_t size;
    withy_vec3 *vertex;
    int (*triangle)[3];
    int vertices, triangles;
    int vertices_left, triangles_left; /* how many the scene may have */
    size_t room_vertices, room_triangles;
    int *slot; /* of vertices by hash: index + 1; OBJ has its own numbers */
    size_t mask;
    withy_error *err;
} source;

static withy_status no_room(const source *x) {
    return wy_no_memory(x->err, "no memory for %.200s", x->name);
}

/* Only names below the folder of the scene. */
static const char *wrong_name(const char *file) {
    if (!file[0]) return "is empty";
    if (file[0] == '/' || strchr(file, '\\') || strchr(file, ':'))
        return "must be a name in the folder of the scene, with / between folders";
    for (const char *at = file; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return "must not lead out of the folder of the scene";
    return NULL;
}

/* ---- vertices and triangles --------------------------------------------------------------------------- */

static int grow(void **list, size_t *room, size_t used, size_t size) {
    if (used < *room) return 1;
    const size_t more = *room ? 2 * *room : 1024;
    void *new = realloc(*list, more * size);
    if (!new) return 0;
    *list = new, *room = more;
    return 1;
}

static withy_status too_many(const source *x, const char *what, int most) {
    return wy_bad_input(
        x->err, "%.200s: the surfaces of the scene have more than %d %s together; reduce them",
        x->name, most, what);
}

static withy_status add_vertex(source *x, withy_vec3 v) {
    void *list = x->vertex;
    if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
        return wy_bad_input(x->err,
                            "%.200s: vertex %d is not three finite numbers; the file is broken",
                            x->name, x->vertices + 1);
    if (x->vertices >= x->vertices_left) return too_many(x, "vertices", MOST_VERTICES);
    if (!grow(&list, &x->room_vertices, (size_t)x->vertices, sizeof v)) return no_room(x);
    x->vertex = list;
    x->vertex[x->vertices++] = (withy_vec3){v.x + 0.0, v.y + 0.0, v.z + 0.0}; /* -0 is 0 */
    return WITHY_OK;
}

static size_t place_hash(const withy_vec3 *v) {
    uint64_t h = 0, bits;
    const double number[3] = {v->x, v->y, v->z};
    for (int i = 0; i < 3; i++) {
        memcpy(&bits, &number[i], sizeof bits);
        h = (h ^ bits) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

static int same_place(const withy_vec3 *a, const withy_vec3 *b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static int rehash(source *x) {
    const size_t cells = x->mask ? 2 * (x->mask + 1) : 4096;
    int *slot = wy_alloc(cells, sizeof *slot);
    if (!slot) return 0;
    for (int i = 0; i < x->vertices; i++) {
        size_t k = place_hash(&x->vertex[i]) & (cells - 1);
        while (slot[k]) k = (k + 1) & (cells - 1);
        slot[k] = i + 1;
    }
    wy_free(x->slot);
    x->slot = slot, x->mask = cells - 1;
    return 1;
}

/* The number of a corner: that of the vertex which is there already, or a new one. */
static withy_status find_vertex(source *x, withy_vec3 v, int *index) {
    if (2 * (size_t)x->vertices >= x->mask && !rehash(x)) return no_room(x);
    WY_TRY(add_vertex(x, v));
    *index = --x->vertices; /* only if it is new */
    for (size_t k = place_hash(&x->vertex[*index]) & x->mask;; k = (k + 1) & x->mask) {
        if (!x->slot[k]) {
            x->slot[k] = ++x->vertices;
            return WITHY_OK;
        }
        if (!same_place(&x->vertex[x->slot[k] - 1], &x->vertex[*index])) continue;
        *index = x->slot[k] - 1;
        return WITHY_OK;
    }
}

/* Triangles of which two corners are one point are nothing and are left out. */
static withy_status add_triangle(source *x, const int corner[3]) {
    void *list = x->triangle;
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) return WITHY_OK;
    if (x->triangles >= x->triangles_left) return too_many(x, "triangles", MOST_TRIANGLES);
    if (!grow(&list, &x->room_triangles, (size_t)x->triangles, sizeof *x->triangle))
        return no_room(x);
    x->triangle = list;
    memcpy(x->triangle[x->triangles++], corner, sizeof *x->triangle);
    return WITHY_OK;
}

/* ---- STL ---------------------------------------------------------------------------------------------- */

static uint32_t word_at(const char *from) {
    const unsigned char *b = (const unsigned char *)from;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *from) {
    const uint32_t bits = word_at(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static withy_status read_binary_stl(source *x, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const char *row = x->text + STL_HEAD + (size_t)i * STL_ROW + 12; /* behind its normal */
        int corner[3] = {0};
        for (int k = 0; k < 3; k++, row += 12) {
            const withy_vec3 v = {float_at(row), float_at(row + 4), float_at(row + 8)};
            WY_TRY(find_vertex(x, v, &corner[k]));
        }
        WY_TRY(add_triangle(x, corner));
    }
    return WITHY_OK;
}

/* The next word; NULL at the end. */
static char *next_word(char **at) {
    char *word = *at + strspn(*at, " \t\r\n\f\v");
    const size_t length = strcspn(word, " \t\r\n\f\v");
    if (length == 0) return NULL;
    *at = word + length;
    if (**at) *(*at)++ = '\0';
    return word;
}

static int number_of(const char *word, double *value) {
    char *end;
    if (!word) return 0;
    *value = strtod(word, &end);
    return end > word && !*end;
}

static withy_status read_text_stl(source *x) {
    char *at = x->text;
    int corner[3] = {0}, corners = 0;
    for (char *word; (word = next_word(&at)) != NULL;) {
        double v[3];
        if (strcmp(word, "endfacet") == 0 && corners != 3)
            return wy_bad_input(x->err, "%.200s: facet %d has %d vertices; a facet of STL has 3",
                                x->name, x->triangles + 1, corners);
        if (strcmp(word, "endfacet") == 0) {
            WY_TRY(add_triangle(x, corner));
            corners = 0;
        }
        if (strcmp(word, "vertex") != 0) continue;
        for (int k = 0; k < 3; k++)
            if (!number_of(next_word(&at), &v[k]))
                return wy_bad_input(
                    x->err, "%.200s: a vertex of facet %d is not three numbers; the file is broken",
                    x->name, x->triangles + 1);
        if (corners < 3) WY_TRY(find_vertex(x, (withy_vec3){v[0], v[1], v[2]}, &corner[corners]));
        corners++;
    }
    if (corners)
        return wy_bad_input(x->err, "%.200s: ends inside of facet %d; the file is cut off", x->name,
                            x->triangles + 1);
    return WITHY_OK;
}

/* A text begins with "solid" - as many binary files do, whose size says what they are, or a byte that no text has. */
static withy_status read_stl(source *x) {
    const size_t blanks = strspn(x->text, " \t\r\n");
    const uint32_t count = x->size >= STL_HEAD ? word_at(x->text + 80) : 0;
    const uint64_t whole = STL_HEAD + (uint64_t)count * STL_ROW;
    if (x->size >= STL_HEAD && x->size == whole) return read_binary_stl(x, count);
    if (strncmp(x->text + blanks, "solid", 5) == 0 && !memchr(x->text, '\0', x->size))
        return read_text_stl(x);
    if (x->size < STL_HEAD)
        return wy_bad_input(
            x->err,
            "%.200s: is no STL file: it begins with no \"solid\" and is shorter than a binary one",
            x->name);
    return wy_bad_input(x->err,
                        "%.200s: is %llu bytes long and says that it has %lu triangles, which take "
                        "%llu; the file is cut off or no STL",
                        x->name, (unsigned long long)x->size, (unsigned long)count,
                        (unsigned long long)whole);
}

/* ---- OBJ ---------------------------------------------------------------------------------------------- */

/* "7", "7/1/3", "-1": the vertex, counted from 0. */
static int corner_of(const source *x, const char *word, int *corner) {
    char *end;
    const long value = strtol(word, &end, 10);
    if (end == word || (*end && *end != '/')) return 0;
    const long index = value < 0 ? x->vertices + value : value - 1;
    *corner = (int)index;
    return index >= 0 && index < x->vertices;
}

/* A face of any number of corners is a fan of triangles. */
static withy_status read_face(source *x, char *at, int line) {
    int corner[3] = {0}, count = 0;
    for (char *word; (word = next_word(&at)) != NULL; count++) {
        int next;
        if (!corner_of(x, word, &next))
            return wy_bad_input(
                x->err, "%.200s:%d: the corner \"%.20s\" is not one of the %d vertices so far",
                x->name, line, word, x->vertices);
        if (count >= 2) {
            corner[2] = next;
            WY_TRY(add_triangle(x, corner));
            corner[1] = next;
        } else {
            corner[count] = next;
        }
    }
    if (count >= 3) return WITHY_OK;
    return wy_bad_input(x->err, "%.200s:%d: a face of %d corners; it needs 3 or more", x->name,
                        line, count);
}

static withy_status read_obj(source *x) {
    int number = 0;
    for (char *line = x->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        number++;
        char *at = line;
        const char *word = next_word(&at);
        if (!word) continue;
        double v[3];
        if (strcmp(word, "f") == 0) WY_TRY(read_face(x, at, number));
        if (strcmp(word, "v") != 0) continue;
        for (int k = 0; k < 3; k++)
            if (!number_of(next_word(&at), &v[k]))
                return wy_bad_input(x->err,
                                    "%.200s:%d: a vertex is not three numbers; the file is broken",
                                    x->name, number);
        WY_TRY(add_vertex(x, (withy_vec3){v[0], v[1], v[2]}));
    }
    return WITHY_OK;
}

/* ---- together ----------------------------------------------------------------------------------------- */

static int ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), size = strlen(ending);
    for (size_t i = 0; i < size; i++)
        if (length < size || tolower((unsigned char)text[length - size + i]) != ending[i]) return 0;
    return 1;
}

/* From the lists of the source to the obstacle, in the memory of the scene. */
static withy_status hand_over(wy_reader *r, const source *x, double scale, withy_obstacle *to) {
    withy_vec3 *vertex = wy_arena_alloc(&r->scene->arena, (size_t)x->vertices, sizeof *vertex);
    int(*triangle)[3] = wy_arena_alloc(&r->scene->arena, (size_t)x->triangles, sizeof *triangle);
    if (!vertex || !triangle) return no_room(x);
    for (int i = 0; i < x->vertices; i++) {
        const withy_vec3 v = x->vertex[i];
        vertex[i] = (withy_vec3){scale * v.x, scale * v.y, scale * v.z};
    }
    memcpy(triangle, x->triangle, (size_t)x->triangles * sizeof *triangle);
    to->vertex = vertex, to->vertex_count = x->vertices;
    to->triangle = (const int(*)[3])triangle, to->triangle_count = x->triangles;
    return WITHY_OK;
}

static withy_status read_file(wy_reader *r, source *x, const char *file, double scale,
                              withy_obstacle *obstacle) {
    const char *why = NULL;
    x->text = wy_scene_file_read(r->scene, file, MOST_BYTES, &x->size, &why);
    if (!x->text && !why) return no_room(x);
    if (!x->text) return wy_bad_input(x->err, "%.200s: it %s", x->name, why);
    x->vertices_left = MOST_VERTICES - r->scene->vertices;
    x->triangles_left = MOST_TRIANGLES - r->scene->triangles;
    WY_TRY(ends_with(x->name, ".obj") ? read_obj(x) : read_stl(x));
    if (x->triangles == 0) return wy_bad_input(x->err, "%.200s: has no triangles", x->name);
    r->scene->vertices += x->vertices, r->scene->triangles += x->triangles;
    return hand_over(r, x, scale, obstacle);
}

withy_status wy_read_mesh(wy_reader *r, const char *file, double scale, withy_obstacle *obstacle) {
    const char *wrong = wrong_name(file);
    if (!wrong && !ends_with(file, ".stl") && !ends_with(file, ".obj"))
        wrong = "must end with .stl or .obj";
    if (wrong) return wy_complain(r, "file", "%s.file = \"%.100s\": %s", r->path, file, wrong);
    const char *slash = strrchr(r->scene->name, '/');
    const size_t folder = slash ? (size_t)(slash - r->scene->name) + 1 : 0;
    char *path = wy_arena_alloc(&r->scene->arena, folder + strlen(file) + 1, 1);
    if (!path) return wy_scene_no_memory(r);
    memcpy(path, r->scene->name, folder);
    memcpy(path + folder, file, strlen(file) + 1);
    withy_error err = {0};
    source x = {.name = path, .err = &err};
    const withy_status status = read_file(r, &x, file, scale, obstacle);
    wy_free(x.slot);
    free(x.vertex), free(x.triangle);
    if (status == WITHY_OK) return WITHY_OK;
    if (status == WITHY_NO_MEMORY) return wy_scene_no_memory(r);
    return wy_complain(r, "file", "%s.file: %s", r->path, err.text);
}
