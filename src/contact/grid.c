/* grid.c - pairs of overlapping boxes, by a uniform grid that is wrapped round.
 *
 * The cells are as large as the largest box, so that boxes which overlap lie, by their lowest corner, in the same cell or in
 * neighbouring ones.  There are 2^b of them, more than boxes: the lowest bits of the three numbers of a cell, most of them along
 * the side in which the boxes reach furthest, so that cells far from each other may be one, and what is compared is the cell
 * itself.  Boxes are sorted by it (counting sort) and copied in that order, so that neighbours are near in memory; each is
 * compared with those of its own cell that come later and of 13 of the 26 neighbours, so that each pair is met once.
 */
#include "contact/contact.h"

typedef struct cell {
    int64_t x, y, z;
} cell;

/* How cells are numbered. */
typedef struct frame {
    vec3 origin;
    double per; /* cells per length */
    int bit[3];
} frame;

withy_status wy_grid_make(wy_grid *grid, int capacity, wy_arena *arena, withy_error *err) {
    int bits = 6;
    while (1 << bits < 2 * capacity && bits < 29) bits++;
    wy_allocator from = {arena, 0};
    *grid = (wy_grid){capacity,
                      wy_allocator_alloc(&from, (size_t)capacity, sizeof *grid->cell),
                      wy_allocator_alloc(&from, (size_t)capacity, sizeof *grid->order),
                      wy_allocator_alloc(&from, (size_t)capacity, sizeof *grid->box),
                      wy_allocator_alloc(&from, ((size_t)1 << bits) + 1, sizeof *grid->first),
                      bits};
    if (from.failed)
        return wy_no_memory(err, "out of memory for the contacts of %d pieces of rods", capacity);
    return WITHY_OK;
}

/* Boxes may be anywhere, also after a step that has not converged. */
static int64_t whole(double x) {
    static const double FAR = 0x1p52;
    return (int64_t)wy_max(-FAR, wy_min(floor(x), FAR));
}

static cell cell_of(const wy_box *box, const frame *f) {
    return (cell){whole((box->low.x - f->origin.x) * f->per),
                  whole((box->low.y - f->origin.y) * f->per),
                  whole((box->low.z - f->origin.z) * f->per)};
}

static int number_of(cell c, const frame *f) {
    const int64_t one = 1, x = c.x & ((one << f->bit[0]) - 1), y = c.y & ((one << f->bit[1]) - 1),
                  z = c.z & ((one << f->bit[2]) - 1);
    return (int)((x << f->bit[1] | y) << f->bit[2] | z);
}

static int overlap(const wy_box *a, const wy_box *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static frame frame_of(const wy_grid *grid, const wy_box *box, int count) {
    double size = 0, reach[3];
    vec3 low = count ? box[0].low : v3(0, 0, 0), high = low;
    for (int i = 0; i < count; i++) {
        const vec3 d = v3_sub(box[i].high, box[i].low), x = box[i].low;
        size = wy_max(size, wy_max(d.x, wy_max(d.y, d.z)));
        low = v3(wy_min(low.x, x.x), wy_min(low.y, x.y), wy_min(low.z, x.z));
        high = v3(wy_max(high.x, x.x), wy_max(high.y, x.y), wy_max(high.z, x.z));
    }
    frame out = {low, 1 / (size > 0 ? size : 1), {0}};
    v3_to(v3_sub(high, low), reach);
    for (int b = 0; b < grid->bits; b++) { /* one more where most cells are still one */
        const int k = reach[0] >= reach[1] && reach[0] >= reach[2] ? 0
                      : reach[1] >= reach[2]                       ? 1
                                                                   : 2;
        out.bit[k]++, reach[k] *= 0.5;
    }
    return out;
}

static void sort(wy_grid *grid, const wy_box *box, int count, const frame *f) {
    const int cells = 1 << grid->bits;
    for (int c = 0; c <= cells; c++) grid->first[c] = 0;
    for (int i = 0; i < count; i++) {
        grid->cell[i] = number_of(cell_of(&box[i], f), f);
        grid->first[grid->cell[i] + 1]++;
    }
    for (int c = 0; c < cells; c++) grid->first[c + 1] += grid->first[c];
    for (int i = count - 1; i >= 0; i--) {
        const int at = --grid->first[grid->cell[i] + 1];
        grid->order[at] = i, grid->box[at] = box[i];
    }
    /* first[c + 1] is now where cell c begins */
    for (int c = 0; c < cells; c++) grid->first[c] = grid->first[c + 1];
    grid->first[cells] = count;
}

static int same(cell a, cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void wy_grid_pairs(wy_grid *grid, const wy_box *box, int count,
                   int (*take)(void *context, int i, int j), void *context) {
    const frame f = frame_of(grid, box, count);
    sort(grid, box, count, &f);
    for (int own = 0; own < count; own++) {
        const wy_box *a = &grid->box[own];
        const cell home = cell_of(a, &f);
        for (int k = 13; k < 27;
             k++) { /* itself, and the 13 that come after it in the order x, y, z */
            const cell there = {home.x + k / 9 - 1, home.y + k / 3 % 3 - 1, home.z + k % 3 - 1};
            const int c = number_of(there, &f), last = grid->first[c + 1];
            for (int at = k == 13 ? own + 1 : grid->first[c]; at < last; at++) {
                if (!overlap(a, &grid->box[at]) || !same(cell_of(&grid->box[at], &f), there))
                    continue;
                const int i = grid->order[own], j = grid->order[at];
                if (!take(context, i < j ? i : j, i < j ? j : i)) return;
            }
        }
    }
}
