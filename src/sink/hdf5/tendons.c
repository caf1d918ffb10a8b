/* tendons.c - where tendons run in their rods, for drawing (the contents are in layout.h). */
#include "model/model.h"
#include "sink/hdf5/hdf5.h"

typedef struct routes {
    const wy_sink_meta *meta;
    const withy_snapshot *const *first; /* stations of the rods */
    int count, points;
    double *row;   /* [count][WY_H5_TENDON]  */
    double *route; /* [points][3]            */
    char *name;    /* a line for each tendon */
} routes;

static int is_tendon(const withy_load *load) {
    return load->kind == WITHY_LOAD_TENDON;
}

/* Its ends, and the stations between them. */
static int points_of(const withy_load *load, const withy_snapshot *snap) {
    int count = 2;
    for (int i = 0; i < snap->count; i++) count += snap->s[i] > load->from && snap->s[i] < load->to;
    return count;
}

static int put_route(routes *r, const withy_load *load, const withy_snapshot *snap) {
    const int count = points_of(load, snap);
    double *at = r->route + 3 * (size_t)r->points;
    *at = load->from, at += 3;
    for (int i = 0; i < snap->count; i++)
        if (snap->s[i] > load->from && snap->s[i] < load->to) *at = snap->s[i], at += 3;
    *at = load->to;
    at = r->route + 3 * (size_t)r->points;
    for (int i = 0; i < count; i++, at += 3) {
        withy_error err;
        if (withy_field_at(&load->route, at[0], 0, at + 1, &err) != WITHY_OK) return -1;
    }
    r->points += count;
    return 0;
}

/* Which tendon has this name, from 1; 0: none. */
static int number_of(const wy_sink_meta *meta, const char *name) {
    for (int rod = 0, number = 1; name && rod < meta->rod_count; rod++)
        for (int i = 0; i < meta->rod[rod].load_count; i++) {
            const withy_load *load = &meta->rod[rod].load[i];
            if (!is_tendon(load)) continue;
            if (load->name && strcmp(load->name, name) == 0) return number;
            number++;
        }
    return 0;
}

static void count_all(routes *r) {
    for (int rod = 0; r->meta->rod && rod < r->meta->rod_count; rod++)
        for (int i = 0; i < r->meta->rod[rod].load_count; i++) {
            const withy_load *load = &r->meta->rod[rod].load[i];
            if (is_tendon(load)) r->count++, r->points += points_of(load, r->first[rod]);
        }
}

static int collect(routes *r) {
    char own[WITHY_NAME], *line = r->name;
    double *row = r->row;
    r->count = r->points = 0;
    for (int rod = 0; rod < r->meta->rod_count; rod++)
        for (int i = 0; i < r->meta->rod[rod].load_count; i++) {
            const withy_load *load = &r->meta->rod[rod].load[i];
            if (!is_tendon(load)) continue;
            wy_name_or(load->name, "tendon", r->count++, own, sizeof own);
            for (char *c = own; *c; c++)
                if (*c == '\n') *c = ' ';
            line += sprintf(line, "%s\n", own);
            row[0] = rod + 1, row[1] = points_of(load, r->first[rod]);
            row[2] = number_of(r->meta, load->continues), row += WY_H5_TENDON;
            if (put_route(r, load, r->first[rod]) < 0) return -1;
        }
    return 0;
}

int wy_h5_tendons(const wy_h5_place *place, const wy_sink_meta *meta,
                  const withy_snapshot *const *first) {
    enum { LINKS = 4 };
    routes r = {.meta = meta, .first = first};
    count_all(&r);
    if (r.count == 0) return 0;
    r.row = wy_arena_alloc(place->arena, WY_H5_TENDON * (size_t)r.count, sizeof *r.row);
    r.route = wy_arena_alloc(place->arena, 3 * (size_t)r.points, sizeof *r.route);
    r.name = wy_arena_alloc(place->arena, (size_t)r.count * (WITHY_NAME + 1) + 1, 1);
    if (!r.row || !r.route || !r.name || collect(&r) < 0) return -1;
    const wy_column_info info[] = {
        {"tendon", "-", "rod i, points of its route, tendon that it continues or 0, from 1",
         r.count, WY_H5_TENDON, 0},
        {"route", "m", "s, x1, x2: arc length, place in the section", r.points, 3, 0}};
    const hid_t group = wy_h5_group(place->file, "tendons", LINKS);
    int done = group < 0 ? -1 : wy_h5_make_text(group, "name", r.name);
    if (done >= 0) done = wy_h5_make_list(group, &info[0], r.row);
    if (done >= 0) done = wy_h5_make_list(group, &info[1], r.route);
    if (group >= 0) H5Gclose(group);
    return done;
}
