/* grid.c - pairs of overlapping boxes, by a uniform grid whose cells are found by a hash.
 *
 * The cells are as large as the largest box, so that boxes which overlap lie, by their lowest corner, in the same cell or in
 * neighbouring ones.  Boxes are sorted by the hash of their cell (counting sort); each box is compared with those of its own
 * cell that come later and of 13 of the 26 neighbours, so that each pair is met once.  Two neighbouring cells may have one
 * hash: what is compared is the cell itself.
 */
#include "contact/contact.h"

typedef struct cell {
    int64_t x, y, z;
} cell;

withy_status wy_grid_make(wy_grid *grid, int capacity, wy_arena *arena, withy_error *err) {
    int cells = 64;
    while (cells < 2 * capacity && cells < 1 << 29) cells *= 2;
    wy_taker from = {arena, 0};
    *grid = (wy_grid){capacity, wy_taker_take(&from, (size_t)capacity, sizeof *grid->cell),
                      wy_taker_take(&from, (size_t)capacity, sizeof *grid->order),
                      wy_taker_take(&from, (size_t)cells + 1, sizeof *grid->first), cells};
    if (from.failed)
        return wy_fail(err, WITHY_NO_MEMORY, "out of memory for the contacts of %d pieces of rods",
                       capacity);
    return WITHY_OK;
}

static cell cell_of(const wy_box *box, vec3 origin, double per) {
    return (cell){(int64_t)floor((box->low.x - origin.x) * per),
                  (int64_t)floor((box->low.y - origin.y) * per),
                  (int64_t)floor((box->low.z - origin.z) * per)};
}

static int hash(cell c, int cells) {
    const uint64_t h =
        (uint64_t)c.x * 73856093u ^ (uint64_t)c.y * 19349663u ^ (uint64_t)c.z * 83492791u;
    return (int)((h ^ h >> 17) & (uint64_t)(cells - 1));
}

static int overlap(const wy_box *a, const wy_box *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static double largest(const wy_box *box, int count, vec3 *origin) {
    double size = 0;
    *origin = count ? box[0].low : v3(0, 0, 0);
    for (int i = 0; i < count; i++) {
        const vec3 d = v3_sub(box[i].high, box[i].low);
        size = wy_max(size, wy_max(d.x, wy_max(d.y, d.z)));
        origin->x = wy_min(origin->x, box[i].low.x), origin->y = wy_min(origin->y, box[i].low.y);
        origin->z = wy_min(origin->z, box[i].low.z);
    }
    return size > 0 ? size : 1;
}

static void sort(wy_grid *grid, const wy_box *box, int count, vec3 origin, double per) {
    for (int c = 0; c <= grid->cells; c++) grid->first[c] = 0;
    for (int i = 0; i < count; i++) {
        grid->cell[i] = hash(cell_of(&box[i], origin, per), grid->cells);
        grid->first[grid->cell[i] + 1]++;
    }
    for (int c = 0; c < grid->cells; c++) grid->first[c + 1] += grid->first[c];
    for (int i = count - 1; i >= 0; i--) grid->order[--grid->first[grid->cell[i] + 1]] = i;
    /* first[c + 1] is now where cell c begins */
    for (int c = 0; c < grid->cells; c++) grid->first[c] = grid->first[c + 1];
    grid->first[grid->cells] = count;
}

void wy_grid_pairs(wy_grid *grid, const wy_box *box, int count,
                   int (*take)(void *context, int i, int j), void *context) {
    vec3 origin;
    const double per = 1.0 / largest(box, count, &origin);
    sort(grid, box, count, origin, per);
    for (int i = 0; i < count; i++) {
        const cell home = cell_of(&box[i], origin, per);
        for (int k = 13; k < 27;
             k++) { /* itself, and the 13 that come after it in the order x, y, z */
            const cell there = {home.x + k / 9 - 1, home.y + k / 3 % 3 - 1, home.z + k % 3 - 1};
            const int h = hash(there, grid->cells);
            for (int at = grid->first[h]; at < grid->first[h + 1]; at++) {
                const int j = grid->order[at];
                const cell c = cell_of(&box[j], origin, per);
                if (c.x != there.x || c.y != there.y || c.z != there.z || (k == 13 && j <= i))
                    continue;
                if (overlap(&box[i], &box[j]) && !take(context, i < j ? i : j, i < j ? j : i))
                    return;
            }
        }
    }
}
