/* blocks.c - the order of minimum degree, and the places of all blocks. */
#include "numeric/linear/linear.h"

/* Where memory comes from: the heap and an arena, or a room that is used again and again. */
typedef struct source {
    wy_arena *arena;
    wy_blocks_room *room;
} source;

static void *room_take(wy_blocks_room *room, size_t count, size_t size) {
    enum { ALIGN = 16 };
    const size_t from = (room->used + ALIGN - 1) / ALIGN * ALIGN;
    if (from > room->size || count > (room->size - from) / size) return NULL;
    room->used = from + count * size;
    return memset(room->base + from, 0, count * size);
}

static void *lend(const source *from, size_t count, size_t size) {
    return from->room ? room_take(from->room, count, size) : wy_alloc(count, size);
}

static void hand_back(const source *from, void *memory) {
    if (!from->room) wy_free(memory);
}

static void *keep(const source *from, size_t count, size_t size) {
    return from->room ? room_take(from->room, count, size)
                      : wy_arena_alloc(from->arena, count, size);
}

/* The neighbours of a block row that are not eliminated yet. */
typedef struct list {
    int count, room;
    int *at;
} list;

typedef struct graph {
    int count;
    list *of;                    /* [count]                                                      */
    int *mark, stamp;            /* [count] to form unions                                       */
    int *head, *next, *previous; /* block rows by degree, doubly linked; -1: none                */
    int *waits;                  /* [count] for how many it waits                                */
    int *order;                  /* [count] result; of[order[k]] are its later neighbours        */
    source from;
} graph;

static int add_to(const source *from, list *x, int value) {
    if (x->count == x->room) {
        const int room = x->room ? 2 * x->room : 4;
        int *more = lend(from, (size_t)room, sizeof *more);
        if (!more) return 0;
        if (x->count) memcpy(more, x->at, (size_t)x->count * sizeof *more);
        hand_back(from, x->at);
        x->at = more, x->room = room;
    }
    x->at[x->count++] = value;
    return 1;
}

static void graph_free(graph *g) {
    if (g->from.room) return;
    for (int i = 0; g->of && i < g->count; i++) wy_free(g->of[i].at);
    wy_free(g->of), wy_free(g->mark), wy_free(g->head);
    wy_free(g->next), wy_free(g->previous), wy_free(g->waits), wy_free(g->order);
}

static int graph_make(graph *g, const wy_blocks_spec *spec, source from) {
    const size_t n = (size_t)spec->count;
    *g = (graph){.count = spec->count, .from = from};
    g->of = lend(&from, n, sizeof *g->of), g->mark = lend(&from, n, sizeof *g->mark);
    g->head = lend(&from, n + 1, sizeof *g->head), g->next = lend(&from, n, sizeof *g->next);
    g->previous = lend(&from, n, sizeof *g->previous), g->waits = lend(&from, n, sizeof *g->waits);
    g->order = lend(&from, n, sizeof *g->order);
    if (!g->of || !g->mark || !g->head || !g->next || !g->previous || !g->waits || !g->order)
        return 0;
    for (int i = 0; i < spec->pairs; i++) {
        const int a = spec->pair[i][0], b = spec->pair[i][1];
        if (a == b) continue;
        if (!add_to(&from, &g->of[a], b) || !add_to(&from, &g->of[b], a)) return 0;
    }
    for (int i = 0; i < g->count; i++) { /* each neighbour once */
        list *x = &g->of[i];
        int kept = 0;
        g->stamp++;
        for (int k = 0; k < x->count; k++)
            if (g->mark[x->at[k]] != g->stamp) {
                g->mark[x->at[k]] = g->stamp;
                x->at[kept++] = x->at[k];
            }
        x->count = kept;
    }
    return 1;
}

/* ---- block rows by degree ------------------------------------------------------------------------- */

static void put(graph *g, int i) {
    const int degree = g->of[i].count, old = g->head[degree];
    g->next[i] = old, g->previous[i] = -1 - degree; /* negative: it is the head of that list */
    if (old >= 0) g->previous[old] = i;
    g->head[degree] = i;
}

static void take(graph *g, int i) {
    const int before = g->previous[i], after = g->next[i];
    if (before >= 0)
        g->next[before] = after;
    else
        g->head[-1 - before] = after;
    if (after >= 0) g->previous[after] = before;
}

/* u gets the neighbours of v, which is eliminated. */
static int join(graph *g, int u, int v) {
    list *x = &g->of[u];
    const list *more = &g->of[v];
    int kept = 0;
    g->stamp++;
    g->mark[u] = g->stamp;
    for (int k = 0; k < x->count; k++) {
        if (x->at[k] == v) continue;
        g->mark[x->at[k]] = g->stamp;
        x->at[kept++] = x->at[k];
    }
    x->count = kept;
    for (int k = 0; k < more->count; k++)
        if (g->mark[more->at[k]] != g->stamp && !add_to(&g->from, x, more->at[k])) return 0;
    return 1;
}

/* Eliminate always one of those with the fewest neighbours. */
static int find_order(graph *g, const wy_blocks_spec *spec) {
    for (int i = 0; i <= g->count; i++) g->head[i] = -1;
    for (int i = 0; i < g->count; i++)
        for (int k = 0; spec->after && k < 2; k++) g->waits[i] += spec->after[i][k] >= 0;
    for (int i = g->count - 1; i >= 0; i--)
        if (!g->waits[i]) put(g, i);
    for (int k = 0, least = 0; k < g->count; k++) {
        while (least > 0 && g->head[least - 1] >= 0) least--;
        while (least < g->count && g->head[least] < 0) least++;
        if (least >= g->count) return 0; /* each waits for the other */
        const int v = g->head[least];
        take(g, v);
        g->order[k] = v;
        for (int i = 0; i < g->of[v].count; i++) {
            const int u = g->of[v].at[i], ready = !g->waits[u];
            if (ready) take(g, u);
            if (!join(g, u, v)) return 0;
            for (int j = 0; spec->after && j < 2; j++) g->waits[u] -= spec->after[u][j] == v;
            if (!g->waits[u]) put(g, u);
        }
        least = least > 1 ? least - 2 : 0;
    }
    return 1;
}

/* ---- places ----------------------------------------------------------------------------------------- */

/* Shell's: in place, and without memory of its own as qsort may take it. */
static void sort(int *at, int count) {
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const int value = at[i];
            int k = i;
            for (; k >= gap && at[k - gap] > value; k -= gap) at[k] = at[k - gap];
            at[k] = value;
        }
}

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err, "no memory for the matrix of the network");
}

static withy_status set_neighbours(wy_blocks *x, const graph *g, withy_error *err) {
    size_t all = 0;
    for (int k = 0; k < x->count; k++) all += (size_t)g->of[g->order[k]].count;
    if (all > INT32_MAX) return no_memory(err);
    x->neighbour = keep(&g->from, all, sizeof *x->neighbour);
    x->upper = keep(&g->from, all, sizeof *x->upper);
    x->lower = keep(&g->from, all, sizeof *x->lower);
    if (!x->neighbour || !x->upper || !x->lower) return no_memory(err);
    int used = 0;
    for (int k = 0; k < x->count; k++) {
        const list *of = &g->of[g->order[k]];
        x->begin[k] = used;
        for (int i = 0; i < of->count; i++) x->neighbour[used++] = x->place[of->at[i]];
        sort(&x->neighbour[x->begin[k]], of->count);
    }
    x->begin[x->count] = used;
    return WITHY_OK;
}

static void set_values(wy_blocks *x) {
    size_t at = 0;
    for (int k = 0; k < x->count; k++) {
        const size_t n = (size_t)x->size[k];
        x->diagonal[k] = at, at += n * n;
        for (int i = x->begin[k]; i < x->begin[k + 1]; i++)
            x->upper[i] = at, at += n * (size_t)x->size[x->neighbour[i]];
        for (int i = x->begin[k]; i < x->begin[k + 1]; i++)
            x->lower[i] = at, at += n * (size_t)x->size[x->neighbour[i]];
    }
    x->values = at;
}

/* Which block each pair of neighbours updates: the later one is a neighbour of the earlier. */
static withy_status set_links(wy_blocks *x, const source *from, withy_error *err) {
    size_t all = 0;
    for (int k = 0; k < x->count; k++) {
        const size_t m = (size_t)(x->begin[k + 1] - x->begin[k]);
        all += m * (m - (m > 0)) / 2;
    }
    x->link = keep(from, all, sizeof *x->link);
    if (!x->link) return no_memory(err);
    int *link = x->link;
    for (int k = 0; k < x->count; k++)
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++) {
            int q = x->begin[x->neighbour[a]];
            for (int b = a + 1; b < x->begin[k + 1]; b++, link++) {
                while (x->neighbour[q] != x->neighbour[b]) q++;
                *link = q;
            }
        }
    return WITHY_OK;
}

static withy_status place(wy_blocks *x, const wy_blocks_spec *spec, const graph *g,
                          withy_error *err) {
    const size_t n = (size_t)spec->count;
    *x = (wy_blocks){.count = spec->count};
    x->size = keep(&g->from, n, sizeof *x->size);
    x->first = keep(&g->from, n, sizeof *x->first);
    x->place = keep(&g->from, n, sizeof *x->place);
    x->begin = keep(&g->from, n + 1, sizeof *x->begin);
    x->diagonal = keep(&g->from, n, sizeof *x->diagonal);
    if (!x->size || !x->first || !x->place || !x->begin || !x->diagonal) return no_memory(err);
    for (int k = 0; k < x->count; k++) x->place[g->order[k]] = k;
    for (int i = 0; i < x->count; i++) {
        x->size[x->place[i]] = spec->size[i], x->first[x->place[i]] = x->rows;
        x->rows += spec->size[i];
        if (spec->size[i] > x->largest) x->largest = spec->size[i];
    }
    WY_TRY(set_neighbours(x, g, err));
    set_values(x);
    return set_links(x, &g->from, err);
}

withy_status wy_blocks_make(const wy_blocks_spec *spec, wy_arena *arena, wy_blocks *out,
                            withy_error *err) {
    graph g;
    withy_status status = WITHY_NO_MEMORY;
    for (int i = 0; i < spec->count; i++)
        if (spec->size[i] > WY_BLOCKS_LARGEST)
            return wy_unsupported(err,
                                  "the matrix of the network has a block of %d rows; at most %d",
                                  spec->size[i], WY_BLOCKS_LARGEST);
    if (graph_make(&g, spec, (source){.arena = arena}) && find_order(&g, spec))
        status = place(out, spec, &g, err);
    else
        status = no_memory(err);
    graph_free(&g);
    return status;
}

int wy_blocks_again(const wy_blocks_spec *spec, wy_blocks_room *room, wy_blocks *out) {
    graph g;
    withy_error unused;
    room->used = 0;
    return graph_make(&g, spec, (source){.room = room}) && find_order(&g, spec) &&
           place(out, spec, &g, &unused) == WITHY_OK;
}

size_t wy_blocks_at(const wy_blocks *x, int i, int j) {
    const int a = x->place[i], b = x->place[j], k = a < b ? a : b, other = a < b ? b : a;
    if (a == b) return x->diagonal[a];
    int low = x->begin[k], high = x->begin[k + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (x->neighbour[middle] < other)
            low = middle + 1;
        else
            high = middle;
    }
    return a < b ? x->upper[low] : x->lower[low];
}

int wy_blocks_row(const wy_blocks *x, int i) {
    return x->first[x->place[i]];
}
