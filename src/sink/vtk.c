/* vtk.c - ParaView: FILE.pvd, the list of times, and FILE/000000.vtp, one file per snapshot (pvd.h).
 *
 * Each .vtp holds every rod as a polyline with its quantities at the points (the frame as d1, d2, d3, so
 * that it can be drawn with glyphs), and then every body (centre of mass) and joint (second place) as a point:
 * position, velocity, spin and frame of a body, force and moment (torque), angle and travel of a joint are in the
 * arrays of these names, and what a point does not have is 0.  The array "part" is 0 on rods, 1 on bodies, 2 on
 * joints, "number" counts them from 1, and "size" has the axes of the ellipsoid with the mass and inertia of a body.
 * Where rods may touch, a second piece has a point for each contact: part 3, on the axis of the rod of the cell array "rod", at
 * its "s"; "force" is on that rod, "gap", "push" and "friction" are as in withy_contact_state, "other" is what it touches: rod i,
 * -(obstacle i) or -(2^20 + body i).
 * Numbers are binary, as base64.  Its texts are our own.
 * Format: "VTK File Formats", XML PolyData.
 */
#include "base/vec.h"
#include "sink/hdf5/layout.h"
#include "sink/pvd.h"
#include "sink/sink.h"

typedef struct writer {
    wy_arena arena;
    wy_pvd pvd;
    int rod_count;
    unsigned have; /* of all rods                                 */
    int *count;    /* [rod_count] stations                        */
    int bodies, joints;
    int points;     /* of all rods, then bodies, then joints       */
    int along;      /* those of all rods                           */
    double *s;      /* [points]                                    */
    double **value; /* [quantities][points * size], NULL: not there */
    double *turned; /* [points * 3], d1, d2 or d3                  */
    double *part, *number, *size3, *angle,
        *travel;      /* [points], size3: [points * 3]; no parts: NULL */
    double *none;     /* [points] of zeros                           */
    double *cell;     /* [bodies + joints + rod_count]               */
    int64_t *connect; /* [points]                                    */
    int64_t *offset;  /* [rod_count]                                 */
    int64_t *single;  /* [bodies + joints] 1, 2, ...                 */
    int may_touch;
    int touches, contact_room;
    withy_contact_state *contacts; /* [touch_room] of the snapshot              */
    double *room;                  /* [3 touch_room]                            */
} writer;

/* ---- base64 ---------------------------------------------------------------------------------- */

typedef struct coder {
    FILE *file;
    unsigned char rest[3];
    int count;
} coder;

static void put_three(coder *c) {
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *r = c->rest;
    char four[4] = {letter[r[0] >> 2], letter[(r[0] & 3) << 4 | r[1] >> 4],
                    letter[(r[1] & 15) << 2 | r[2] >> 6], letter[r[2] & 63]};
    if (c->count < 3) four[3] = '=';
    if (c->count < 2) four[2] = '=';
    fwrite(four, 1, sizeof four, c->file);
    *c = (coder){.file = c->file};
}

static void put_bytes(coder *c, const void *data, size_t size) {
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++) {
        c->rest[c->count++] = p[i];
        if (c->count == 3) put_three(c);
    }
}

/* <DataArray>: the number of bytes, then the bytes, in one base64 text. */
static void put_array(FILE *file, const char *type, const char *name, int size, const void *data,
                      size_t bytes) {
    const uint64_t length = bytes;
    coder c = {.file = file};
    fprintf(
        file,
        "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">\n",
        type, name, size);
    put_bytes(&c, &length, sizeof length);
    put_bytes(&c, data, bytes);
    if (c.count > 0) put_three(&c);
    fprintf(file, "\n        </DataArray>\n");
}

static void put_numbers(FILE *file, const char *name, int size, const double *data, int count) {
    put_array(file, "Float64", name, size, data, sizeof *data * (size_t)size * (size_t)count);
}

/* ---- contacts ----------------------------------------------------------------------------------- */

/* What contacts have in an array: numbers from an offset of withy_contact_state on; or zeros, or whole numbers: of the rod, of
 * the contact itself, of what it touches, and 3. */
enum { NONE = -1, OF_ROD = -2, OF_CONTACT = -3, OF_OTHER = -4, OF_PART = -5 };

static double other_of(const withy_contact_state *contacts) {
    if (contacts->of == WITHY_OF_ROD) return contacts->index + 1;
    return -1 - contacts->index - (contacts->of == WITHY_OF_BODY ? WY_CONTACTS_BODY : 0);
}

static void put_of_touches(const writer *w, FILE *file, const char *name, int size, long from) {
    for (int i = 0; i < w->touches; i++) {
        const withy_contact_state *one = &w->contacts[i];
        const double whole[] = {0, one->rod + 1, i + 1, other_of(one), 3};
        const double *number =
            (const double *)(const void *)((const char *)one + (from > 0 ? from : 0));
        for (int k = 0; k < size; k++)
            w->room[size * i + k] = from < 0 ? whole[NONE - from] : number[k];
    }
    put_numbers(file, name, size, w->room, w->touches);
}

/* ---- one snapshot ----------------------------------------------------------------------------- */

/* An array of the points, or of the contacts: pieces have the same arrays. */
static void put_data(const writer *w, FILE *file, bool touches, const char *name, int size,
                     const double *points, long contact) {
    if (touches)
        put_of_touches(w, file, name, size, contact);
    else
        put_numbers(file, name, size, points, w->points);
}

/* The columns of the rotation, as vectors. */
static void put_frame(const writer *w, FILE *file, bool touches, const double *value) {
    static const char *const name[] = {"d1", "d2", "d3"};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < w->points; i++) {
            const double *q = value + 4 * (size_t)i;
            const mat3 m = q_matrix((quat){q[0], q[1], q[2], q[3]});
            const vec3 column[3] = {m.c1, m.c2, m.c3};
            v3_to(column[k], w->turned + 3 * (size_t)i);
        }
        put_data(w, file, touches, name[k], 3, w->turned, NONE);
    }
}

/* The single numbers of a contact: gap, push, friction; s is that of all points, and the time that of the file. */
static bool is_touch_array(const withy_quantity *q) {
    static const char *const other[] = {"s", "s2", "t"};
    for (int i = 0; i < 3; i++)
        if (strcmp(q->name, other[i]) == 0) return false;
    return q->size == 1;
}

static void put_point_data(const writer *w, FILE *file, bool touches) {
    int count;
    fprintf(file, "      <PointData>\n");
    put_data(w, file, touches, "s", 1, w->s, offsetof(withy_contact_state, s));
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    for (int i = 0; i < count && w->may_touch; i++)
        if (is_touch_array(&q[i]))
            put_data(w, file, touches, q[i].name, 1, w->none, (long)q[i].offset);
    if (w->may_touch) put_data(w, file, touches, "other", 1, w->none, OF_OTHER);
    if (w->part) {
        put_data(w, file, touches, "part", 1, w->part, OF_PART);
        put_data(w, file, touches, "number", 1, w->number, OF_CONTACT);
        put_data(w, file, touches, "size", 3, w->size3, NONE);
        put_data(w, file, touches, "angle", 1, w->angle, NONE);
        put_data(w, file, touches, "travel", 1, w->travel, NONE);
    }
    q = withy_quantity_list(WITHY_OF_ROD, &count);
    for (int i = 0; i < count; i++) {
        const bool force = q[i].have == WITHY_HAVE_FORCE;
        if (!w->value[i] || q[i].have == WITHY_HAVE_POSITION) continue;
        if (q[i].have == WITHY_HAVE_FRAME)
            put_frame(w, file, touches, w->value[i]);
        else
            put_data(w, file, touches, q[i].name, q[i].size, w->value[i],
                     force ? (long)offsetof(withy_contact_state, force) : NONE);
    }
    fprintf(file, "      </PointData>\n");
}

static const double *positions(const writer *w) {
    const withy_quantity *position = withy_quantity_find(WITHY_OF_ROD, "position");
    int count;
    return w->value[position - withy_quantity_list(WITHY_OF_ROD, &count)];
}

static void put_piece(writer *w, FILE *file) {
    const size_t along = (size_t)w->along, rods = (size_t)w->rod_count;
    const int dots = w->bodies + w->joints;
    fprintf(file, "    <Piece NumberOfPoints=\"%d\"", w->points);
    if (dots > 0) fprintf(file, " NumberOfVerts=\"%d\"", dots);
    fprintf(file, " NumberOfLines=\"%d\">\n", w->rod_count);
    fprintf(file, "      <Points>\n");
    put_numbers(file, "Points", 3, positions(w), w->points);
    fprintf(file, "      </Points>\n");
    if (dots > 0) {
        const size_t bytes = (size_t)dots * sizeof *w->connect;
        fprintf(file, "      <Verts>\n");
        put_array(file, "Int64", "connectivity", 1, w->connect + along, bytes);
        put_array(file, "Int64", "offsets", 1, w->single, bytes);
        fprintf(file, "      </Verts>\n");
    }
    fprintf(file, "      <Lines>\n");
    put_array(file, "Int64", "connectivity", 1, w->connect, along * sizeof *w->connect);
    put_array(file, "Int64", "offsets", 1, w->offset, rods * sizeof *w->offset);
    fprintf(file, "      </Lines>\n");
    put_point_data(w, file, false);
    fprintf(file, "      <CellData>\n");
    put_numbers(file, "rod", 1, w->cell, dots + w->rod_count);
    fprintf(file, "      </CellData>\n    </Piece>\n");
}

static void put_indices(FILE *file, const char *name, int from, const writer *w) {
    int64_t *index = (int64_t *)(void *)w->room; /* as large as a double */
    for (int i = 0; i < w->touches; i++) index[i] = from + i;
    put_array(file, "Int64", name, 1, index, (size_t)w->touches * sizeof *index);
}

static void put_touches(const writer *w, FILE *file) {
    fprintf(file, "    <Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\">\n      <Points>\n",
            w->touches, w->touches);
    put_of_touches(w, file, "Points", 3, offsetof(withy_contact_state, position));
    fprintf(file, "      </Points>\n      <Verts>\n");
    put_indices(file, "connectivity", 0, w);
    put_indices(file, "offsets", 1, w);
    fprintf(file, "      </Verts>\n");
    put_point_data(w, file, true);
    fprintf(file, "      <CellData>\n");
    put_of_touches(w, file, "rod", 1, OF_ROD);
    fprintf(file, "      </CellData>\n    </Piece>\n");
}

/* They are kept until the rods are there. */
static bool keep_touches(writer *w, const withy_parts *parts) {
    enum { MOST_SIZE = 9 }; /* of a quantity */
    if (parts->contact_count > w->contact_room) {
        const size_t room = 2 * (size_t)parts->contact_count;
        wy_free(w->contacts), wy_free(w->room);
        w->contacts = wy_alloc(room, sizeof *w->contacts);
        w->room = wy_alloc(MOST_SIZE * room, sizeof *w->room);
        w->contact_room = w->contacts && w->room ? (int)room : 0;
        if (!w->contact_room) return false;
    }
    w->touches = parts->contact_count;
    if (w->touches > 0)
        memcpy(w->contacts, parts->contacts, (size_t)w->touches * sizeof *w->contacts);
    return true;
}

static void put_file(writer *w, FILE *file) {
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n  <PolyData>\n",
            little ? "LittleEndian" : "BigEndian");
    put_piece(w, file);
    if (w->touches > 0) put_touches(w, file);
    fprintf(file, "  </PolyData>\n</VTKFile>\n");
}

static withy_status write_snapshot(writer *w, double t, withy_error *err) {
    FILE *file;
    WY_TRY(wy_pvd_next(&w->pvd, &file, err));
    put_file(w, file);
    return wy_pvd_add(&w->pvd, file, t, err);
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    writer *w = state;
    int count;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
    size_t start = 0;
    if (snap->count != w->count[rod] || (w->have & ~snap->have))
        return wy_bad_input(err,
                            "%s: the snapshot of rod %d at t = %g lacks what the first one had",
                            w->pvd.path, rod + 1, snap->t);
    for (int i = 0; i < rod; i++) start += (size_t)w->count[i];
    for (int i = 0; i < count; i++) {
        if (!w->value[i] || !(w->have & quantity[i].have)) continue;
        const size_t size = (size_t)quantity[i].size;
        memcpy(w->value[i] + start * size, withy_quantity_at(&quantity[i], snap, 0),
               sizeof(double) * size * (size_t)w->count[rod]);
    }
    return rod == w->rod_count - 1 ? write_snapshot(w, snap->t, err) : WITHY_OK;
}

/* ---- bodies and joints -------------------------------------------------------------------------- */

static double *values_of(const writer *w, const char *name) {
    int count;
    return w->value[withy_quantity_find(WITHY_OF_ROD, name) -
                    withy_quantity_list(WITHY_OF_ROD, &count)];
}

static void put_vector(const writer *w, const char *name, int point, vec3 a) {
    v3_to(a, values_of(w, name) + 3 * (size_t)point);
}

static withy_status write_parts(void *state, const withy_parts *parts, withy_error *err) {
    writer *w = state;
    if (w->may_touch && !keep_touches(w, parts))
        return wy_no_memory(err, "%s: memory ran out", w->pvd.path);
    for (int i = 0; i < w->bodies; i++) {
        const withy_body_state *body = &parts->body[i];
        const quat q = body->frame;
        double *frame = values_of(w, "frame") + 4 * (size_t)(w->along + i);
        put_vector(w, "position", w->along + i, body->position);
        put_vector(w, "velocity", w->along + i, body->velocity);
        put_vector(w, "spin", w->along + i, body->spin);
        frame[0] = q.w, frame[1] = q.x, frame[2] = q.y, frame[3] = q.z;
    }
    for (int i = 0; i < w->joints; i++) {
        const withy_joint_state *joint = &parts->joint[i];
        const int at = w->along + w->bodies + i;
        values_of(w, "frame")[4 * (size_t)at] = 1;
        put_vector(w, "position", at, joint->place[1]);
        put_vector(w, "force", at, joint->force);
        put_vector(w, "moment", at, joint->torque);
        w->angle[at] = joint->angle, w->travel[at] = joint->travel;
    }
    return w->rod_count == 0 ? write_snapshot(w, parts->t, err) : WITHY_OK;
}

/* Axes of the ellipsoid of this mass and these moments about its axes: m (b^2 + c^2)/20 = I1, .... */
static vec3 axes_of(const withy_body *body) {
    const vec3 i = body->inertia;
    const double k = 10 / body->mass;
    return v3(sqrt(fmax(0, k * (i.y + i.z - i.x))), sqrt(fmax(0, k * (i.z + i.x - i.y))),
              sqrt(fmax(0, k * (i.x + i.y - i.z))));
}

static bool take_parts(writer *w, const wy_sink_meta *meta) {
    const size_t points = (size_t)w->points;
    if (w->bodies + w->joints == 0 && !w->may_touch) return true;
    w->none = wy_arena_alloc(&w->arena, points, sizeof *w->none);
    w->part = wy_arena_alloc(&w->arena, points, sizeof *w->part);
    w->number = wy_arena_alloc(&w->arena, points, sizeof *w->number);
    w->size3 = wy_arena_alloc(&w->arena, 3 * points, sizeof *w->size3);
    w->angle = wy_arena_alloc(&w->arena, points, sizeof *w->angle);
    w->travel = wy_arena_alloc(&w->arena, points, sizeof *w->travel);
    w->single = wy_arena_alloc(&w->arena, points, sizeof *w->single);
    if (!w->none || !w->part || !w->number || !w->size3 || !w->angle || !w->travel || !w->single)
        return false;
    for (int i = 0, k = 0; i < w->rod_count; k += w->count[i++])
        for (int j = 0; j < w->count[i]; j++) w->number[k + j] = i + 1;
    for (int i = 0; i < w->bodies + w->joints; i++) {
        const int body = i < w->bodies, at = w->along + i;
        w->part[at] = body ? 1 : 2, w->number[at] = body ? i + 1 : i - w->bodies + 1;
        w->single[i] = i + 1;
        if (body) v3_to(axes_of(&meta->body[i]), w->size3 + 3 * (size_t)at);
    }
    return true;
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static bool take_values(writer *w) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
    const unsigned parts = w->part ? WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN | WITHY_HAVE_FRAME |
                                         WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT
                                   : 0;
    w->value = wy_arena_alloc(&w->arena, (size_t)count, sizeof *w->value);
    if (!w->value) return false;
    for (int i = 0; i < count; i++) {
        if (!((w->have | parts) & quantity[i].have)) continue;
        w->value[i] =
            wy_arena_alloc(&w->arena, (size_t)w->points * (size_t)quantity[i].size, sizeof(double));
        if (!w->value[i]) return false;
    }
    return true;
}

static bool take(writer *w, const wy_sink_meta *meta, const withy_snapshot *const *first) {
    const size_t rods = (size_t)meta->rod_count;
    w->rod_count = meta->rod_count;
    w->bodies = meta->parts ? meta->parts->body_count : 0;
    w->joints = meta->parts ? meta->parts->joint_count : 0;
    w->may_touch = meta->parts && meta->parts->contact_room > 0;
    const int dots = w->bodies + w->joints;
    w->have = rods ? first[0]->have : WITHY_HAVE_POSITION;
    w->count = wy_arena_alloc(&w->arena, rods, sizeof *w->count);
    w->cell = wy_arena_alloc(&w->arena, rods + (size_t)dots, sizeof *w->cell);
    w->offset = wy_arena_alloc(&w->arena, rods, sizeof *w->offset);
    if (!w->count || !w->cell || !w->offset) return false;
    for (int i = 0; i < w->rod_count; i++) {
        w->have &= first[i]->have;
        w->count[i] = first[i]->count;
        w->points += first[i]->count;
        w->cell[dots + i] = i + 1;
        w->offset[i] = w->points;
    }
    w->along = w->points, w->points += dots;
    const size_t points = (size_t)w->points;
    w->s = wy_arena_alloc(&w->arena, points, sizeof *w->s);
    w->turned = wy_arena_alloc(&w->arena, 3 * points, sizeof *w->turned);
    w->connect = wy_arena_alloc(&w->arena, points, sizeof *w->connect);
    if (!w->s || !w->turned || !w->connect) return false;
    for (int i = 0; i < w->points; i++) w->connect[i] = i;
    for (int i = 0, k = 0; i < w->rod_count; k += w->count[i++])
        memcpy(w->s + k, first[i]->s, sizeof *w->s * (size_t)w->count[i]);
    return take_parts(w, meta) && take_values(w);
}

static void drop(writer *w) {
    wy_pvd_drop(&w->pvd);
    wy_free(w->contacts), wy_free(w->room);
    wy_arena_free(&w->arena);
    wy_free(w);
}

static withy_status open_file(const char *path, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, void **state, withy_error *err) {
    writer *w = wy_alloc(1, sizeof *w);
    if (!w) return wy_no_memory(err, "%s: memory ran out", path);
    withy_status status = WITHY_OK;
    if (!take(w, meta, first))
        status = wy_no_memory(err, "%s: memory ran out", path);
    else if (!(w->have & WITHY_HAVE_POSITION))
        status = wy_unsupported(err, "%s: there are no positions to draw", path);
    if (status == WITHY_OK) status = wy_pvd_open(&w->pvd, &w->arena, path, meta->at_once, err);
    WY_HAND_OVER(status, w, drop, state);
}

static withy_status close_file(void *state, const char *how, withy_error *err) {
    writer *w = state;
    const withy_status status = wy_pvd_close(&w->pvd, how, err);
    drop(w);
    return status;
}

const wy_sink wy_sink_vtk = {
    WY_SINK_COMMON("vtk", ".pvd", "ParaView: a list of times and one file per snapshot"),
    .parts = write_parts,
};
