/* read_tendons.c - where tendons run, read back (the contents are in layout.h). */
#include "sink/hdf5/layout.h"
#include "sink/hdf5/read.h"

enum { TENDONS_MOST = 1 << 20, POINTS_MOST = 1 << 26 };

static bool is_whole(double x, double least, double most) {
    return x >= least && x <= most && x == floor(x);
}

static bool take(wy_part_reader *r, const double *row, uint64_t count, int rods,
                 const double (*route)[3], uint64_t points) {
    uint64_t used = 0;
    for (uint64_t i = 0; i < count; i++, row += WY_H5_TENDON) {
        withy_result_tendon *at = &r->tendon[i];
        if (!is_whole(row[0], 1, rods) || !is_whole(row[1], 2, (double)(points - used)) ||
            !is_whole(row[2], 0, (double)count))
            return wy_store_fail(r->store, "tendon %llu is on no rod, or has no route",
                                 (unsigned long long)(i + 1));
        at->rod = (int)row[0] - 1, at->count = (int)row[1], at->continues = (int)row[2] - 1;
        at->route = route + used, used += (uint64_t)at->count;
    }
    return used == points ||
           wy_store_fail(r->store, "the routes of tendons are longer than the tendons");
}

static bool read_group(wy_part_reader *r, wy_object *group, int rods, wy_arena *arena) {
    uint64_t rows, numbers;
    char *name = wy_rows_text(group, "name", arena);
    const uint64_t lines = wy_lines_in(name);
    const double *row = wy_rows_list(group, "tendon", WY_H5_TENDON * TENDONS_MOST, &rows, arena);
    const double *route = wy_rows_list(group, "route", 3 * (uint64_t)POINTS_MOST, &numbers, arena);
    if (!name || !row || !route) return false;
    if (rows != WY_H5_TENDON * lines || numbers % 3 != 0)
        return wy_store_fail(r->store, "names and routes of tendons are not equally many");
    r->tendon = wy_store_take(r->store, arena, lines, sizeof *r->tendon);
    if (!r->tendon) return false;
    r->tendon_count = (int)lines;
    for (uint64_t i = 0; i < lines; i++) r->tendon[i].name = wy_next_line(&name);
    return take(r, row, lines, rods, (const double(*)[3])(const void *)route, numbers / 3);
}

bool wy_tendons_open(wy_part_reader *r, wy_object *root, int rods, wy_arena *arena) {
    wy_object group;
    const uint64_t at = wy_object_at(root, "tendons");
    if (at == WY_STORE_NOWHERE) return true;
    const bool good = wy_object_open(&group, r->store, at) && wy_object_links(&group) &&
                      read_group(r, &group, rods, arena);
    wy_object_close(&group);
    return good;
}
