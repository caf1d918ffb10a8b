/* rows.c - a data set of a result file.  Layouts: HDF5 File Format Specification 3.0, IV.A.2.i and
 * VII.D (extensible array). */
#include "sink/hdf5/store.h"

enum { TEXT_MOST = 16 << 20, ELEMENT_MOST = 64 };
static const uint64_t ROWS_MOST = UINT64_C(1) << 40;

/* ---- the extensible array of chunks ---------------------------------------------------------------
 *
 * Element i is the address of chunk i.  The index block holds the first 4, then the addresses of 6 data
 * blocks and 25 super blocks.  Super block u has 2^[u/2] data blocks of 16 2^[(u+1)/2] elements; the data
 * blocks of u = 0, ..., 3 are those of the index block.  Data blocks of more than 1024 elements are paged,
 * each page with a checksum.  These numbers are the same in every file (H5D_EARRAY_*).
 */
enum { FIRST = 4, DIRECT = 6, DIRECT_SUPER = 4, SUPERS = 25, LEAST = 16, PAGE = 1024 };
enum { HEADER_SIZE = 72, PREFIX = 14, INDEX_SIZE = PREFIX + 8 * (FIRST + DIRECT + SUPERS) + 4 };

typedef struct reader {
    wy_store *store;
    uint64_t *chunk, count, done; /* addresses: to be found, found */
} reader;

static void take(reader *r, const unsigned char *from, uint64_t count) {
    for (uint64_t i = 0; i < count && r->done < r->count; i++)
        r->chunk[r->done++] = wy_store_whole(from + 8 * i, 8);
}

/* Elements of a page or of an unpaged block: `before` bytes, the elements, the checksum.  A page has no
 * signature; its first bytes are checked as what they are. */
static bool read_elements(reader *r, uint64_t at, const char *signature, size_t before,
                          uint64_t count) {
    unsigned char block[PREFIX + 4 + 8 * PAGE + 4], begin[4];
    const size_t size = before + 8 * (size_t)count + 4;
    if (!signature && !wy_store_get(r->store, at, begin, sizeof begin)) return false;
    if (!wy_store_block(r->store, at, signature ? signature : (const char *)begin, block, size))
        return false;
    take(r, block + before, count);
    return true;
}

static bool read_data_block(reader *r, uint64_t at, uint64_t count) {
    unsigned char prefix[PREFIX + 4 + 4];
    if (count <= PAGE) return read_elements(r, at, "EADB", PREFIX + 4, count);
    if (!wy_store_block(r->store, at, "EADB", prefix, sizeof prefix)) return false;
    at += sizeof prefix;
    for (uint64_t i = 0; i < count && r->done < r->count; i += PAGE, at += 8 * PAGE + 4)
        if (!read_elements(r, at, NULL, 0, PAGE)) return false;
    return true;
}

/* Super block u: after the prefix a bit per page of its data blocks, their addresses, the checksum. */
static bool read_super_block(reader *r, uint64_t at, int u) {
    const uint64_t blocks = UINT64_C(1) << u / 2, count = (uint64_t)LEAST << (u + 1) / 2;
    const uint64_t bits = count > PAGE ? blocks * ((count / PAGE + 7) / 8) : 0;
    const uint64_t size = PREFIX + 4 + bits + 8 * blocks + 4;
    if (!wy_store_within(r->store, at, size)) return false;
    unsigned char *block = wy_alloc((size_t)size, 1);
    if (!block) return wy_store_fail(r->store, "memory ran out");
    bool good = wy_store_block(r->store, at, "EASB", block, (size_t)size);
    const unsigned char *address = block + PREFIX + 4 + bits;
    for (uint64_t i = 0; good && i < blocks && r->done < r->count; i++)
        good = read_data_block(r, wy_store_whole(address + 8 * i, 8), count);
    wy_free(block);
    return good;
}

static bool read_index(reader *r, uint64_t at) {
    unsigned char block[INDEX_SIZE];
    if (!wy_store_block(r->store, at, "EAIB", block, sizeof block)) return false;
    const unsigned char *address = block + PREFIX;
    take(r, address, FIRST);
    address += 8 * FIRST;
    for (int u = 0; u < DIRECT_SUPER; u++)
        for (int i = 0; i < 1 << u / 2 && r->done < r->count; i++, address += 8)
            if (!read_data_block(r, wy_store_whole(address, 8), (uint64_t)LEAST << (u + 1) / 2))
                return false;
    address = block + PREFIX + 8 * (FIRST + DIRECT);
    for (int u = DIRECT_SUPER; u < DIRECT_SUPER + SUPERS && r->done < r->count; u++, address += 8)
        if (!read_super_block(r, wy_store_whole(address, 8), u)) return false;
    return r->done == r->count || wy_store_fail(r->store, "it has too few chunks");
}

/* "EAHD", version 0, client 0 (chunks without filters), sizes as above, six counts, the index block. */
static bool read_array(reader *r, uint64_t at) {
    static const unsigned char known[] = {0, 0, 8, 32, FIRST, LEAST, 4, 10};
    unsigned char head[HEADER_SIZE];
    if (!wy_store_block(r->store, at, "EAHD", head, sizeof head)) return false;
    if (memcmp(head + 4, known, sizeof known) != 0)
        return wy_store_fail(r->store, "its chunks are not kept as withy does");
    return read_index(r, wy_store_whole(head + HEADER_SIZE - 12, 8));
}

/* ---- layouts --------------------------------------------------------------------------------- */

typedef struct opener {
    wy_object object;
    wy_value_kind kind;
    uint64_t bytes; /* of an element */
    int rank;
    uint64_t shape[WY_OBJECT_RANK];
    wy_message layout;
} opener;

/* Type, shape and layout of a data set; what withy never writes is refused. */
static bool open_data(opener *d, wy_store *store, uint64_t at) {
    wy_message m;
    if (!wy_object_open(&d->object, store, at)) return false;
    for (size_t next = 0; wy_object_next(&d->object, &next, &m);)
        if (m.type == WY_MESSAGE_ELSEWHERE || m.type == WY_MESSAGE_FILTER)
            return wy_store_fail(store, "it is compressed or kept in another file");
    if (!wy_object_find(&d->object, WY_MESSAGE_TYPE, &m))
        return wy_store_fail(store, "it is not a data set as withy writes it");
    d->kind = wy_object_kind(m.data, m.size, &d->bytes);
    d->rank = wy_object_find(&d->object, WY_MESSAGE_SPACE, &m)
                  ? wy_object_space(m.data, m.size, d->shape)
                  : -1;
    if (d->rank < 0 || d->kind == WY_KIND_OTHER ||
        !wy_object_find(&d->object, WY_MESSAGE_LAYOUT, &d->layout) || d->layout.size < 2)
        return wy_store_fail(store, "it is not a data set as withy writes it");
    return true;
}

/* In one piece: version 3 or 4, class 1, address, size. */
static bool is_piece(const opener *d, uint64_t size, uint64_t *at) {
    const wy_message *m = &d->layout;
    if ((m->data[0] != 3 && m->data[0] != 4) || m->data[1] != 1 || m->size < 18) return false;
    *at = wy_store_whole(m->data + 2, 8);
    return wy_store_whole(m->data + 10, 8) == size;
}

/* In chunks: version 4, class 2, flags 0, rank + 1, bytes per size, the sizes of a chunk (the last is the
 * element), 4: extensible array, its five sizes, address.  A chunk is a block of whole rows. */
static bool is_chunked(const opener *d, uint64_t *per, uint64_t *at) {
    const wy_message *m = &d->layout;
    uint64_t size[WY_OBJECT_RANK + 1] = {0};
    if (m->data[0] != 4 || m->data[1] != 2 || m->size < 5 || m->data[2] != 0) return false;
    const int rank = m->data[3], width = m->data[4];
    if (rank != d->rank + 1 || width < 1 || width > 8) return false;
    if (m->size < 5 + (size_t)rank * (size_t)width + 6 + 8) return false;
    for (int i = 0; i < rank; i++)
        size[i] = wy_store_whole(m->data + 5 + (ptrdiff_t)i * width, width);
    for (int i = 1; i < d->rank; i++)
        if (size[i] != d->shape[i]) return false;
    const unsigned char *index = m->data + 5 + (ptrdiff_t)rank * width;
    *per = size[0];
    *at = wy_store_whole(index + 6, 8);
    return size[rank - 1] == d->bytes && index[0] == 4;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The chunks of `rows`, which the file must have room for. */
static bool find_chunks(wy_rows *rows, wy_store *store, uint64_t at, wy_arena *arena) {
    const uint64_t count = (rows->count + rows->per - 1) / rows->per;
    const uint64_t bytes = 8 * rows->size * rows->per;
    if (count == 0) return true;
    if (count > store->rows / bytes)
        wy_store_within(store, WY_STORE_NOWHERE, 0); /* has it grown? */
    if (count > store->rows / bytes)
        return wy_store_fail(store, "it claims to be larger than the file");
    store->rows -= count * bytes;
    rows->chunk = wy_store_take(store, arena, count, sizeof *rows->chunk);
    reader r = {store, rows->chunk, count, 0};
    if (!rows->chunk || !read_array(&r, at)) return false;
    for (uint64_t i = 0; i < count; i++)
        if (!wy_store_within(store, rows->chunk[i], bytes)) return false;
    return true;
}

static bool open_rows(wy_rows *rows, const opener *d, uint64_t need, wy_arena *arena) {
    wy_store *store = d->object.store;
    uint64_t at;
    if (d->rank < 1 || d->shape[1] > ROWS_MOST || d->shape[2] > ELEMENT_MOST ||
        d->shape[1] * d->shape[2] != rows->size ||
        (d->kind != WY_KIND_REAL && d->kind != WY_KIND_WHOLE))
        return wy_store_fail(store, "it has other sizes than withy writes");
    rows->whole = d->kind == WY_KIND_WHOLE;
    rows->count = d->shape[0] < need ? d->shape[0] : need;
    if (need != WY_ROWS_ALL && rows->count < need)
        return wy_store_fail(store, "it has fewer rows than there are snapshots");
    if (!is_chunked(d, &rows->per, &at))
        return wy_store_fail(store, "its rows are not kept as withy does");
    if (rows->per == 0 || rows->per > ROWS_MOST || rows->count > ROWS_MOST ||
        rows->size > ROWS_MOST / rows->per)
        return wy_store_fail(store, "it claims to be larger than the file");
    rows->there = true;
    return find_chunks(rows, store, at, arena);
}

bool wy_rows_open(wy_rows *rows, wy_object *group, const char *name, uint64_t size, uint64_t need,
                  wy_arena *arena) {
    opener d = {0};
    *rows = (wy_rows){.size = size, .seed = wy_check_bytes(name, strlen(name))};
    const bool good =
        open_data(&d, group->store, wy_object_at(group, name)) && open_rows(rows, &d, need, arena);
    wy_object_close(&d.object);
    return good;
}

/* From the order and kind of the file, in place.  Every number that withy writes is finite. */
static bool decode(wy_store *store, double *value, uint64_t count, bool whole) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = wy_store_whole((const unsigned char *)&value[i], 8);
        if (whole)
            value[i] = (double)(int64_t)bits;
        else
            memcpy(&value[i], &bits, sizeof bits);
        if (!isfinite(value[i]))
            return wy_store_fail(store, "it holds a number that is not finite");
    }
    return true;
}

bool wy_rows_get(wy_store *store, const wy_rows *rows, uint64_t first, uint64_t count,
                 double *out) {
    while (count > 0) {
        const uint64_t in = first % rows->per, left = rows->per - in;
        const uint64_t some = count < left ? count : left, numbers = some * rows->size;
        const uint64_t at = rows->chunk[first / rows->per] + 8 * rows->size * in;
        if (!wy_store_get(store, at, out, (size_t)(8 * numbers))) return false;
        if (!decode(store, out, numbers, rows->whole)) return false;
        out += numbers, first += some, count -= some;
    }
    return true;
}

/* ---- what does not grow ------------------------------------------------------------------------ */

/* Does the attribute of the data set agree?  Files without it were edited, and are read. */
static bool agrees(const opener *d, uint64_t sum) {
    wy_value_kind kind;
    uint64_t bytes;
    if (!wy_object_attribute(&d->object, WY_CHECK, &kind, &bytes)) return true;
    if (wy_object_number(&d->object, WY_CHECK) == wy_check_number(sum)) return true;
    return wy_store_fail(d->object.store, "its checksum is wrong: the file is damaged");
}

/* One dimension of 1 to `most` entries of `size` bytes, in one piece. */
static void *read_entries(const opener *d, wy_value_kind kind, uint64_t size, uint64_t most,
                          wy_arena *arena) {
    wy_store *store = d->object.store;
    uint64_t at;
    const uint64_t count = d->shape[0];
    if (d->rank != 1 || d->kind != kind || (kind == WY_KIND_TEXT && d->bytes != size) ||
        count < 1 || count > most || !is_piece(d, size * count, &at) ||
        !wy_store_within(store, at, size * count)) {
        wy_store_fail(store, "it has other sizes than withy writes");
        return NULL;
    }
    void *list = wy_store_take(store, arena, count, (size_t)size);
    return list && wy_store_get(store, at, list, (size_t)(size * count)) ? list : NULL;
}

/* The same of a data set by its name; numbers are decoded, and their checksum is looked at. */
static void *read_list(wy_object *group, const char *name, wy_value_kind kind, uint64_t size,
                       uint64_t most, uint64_t *count, wy_arena *arena) {
    opener d = {0};
    void *list = NULL;
    if (open_data(&d, group->store, wy_object_at(group, name)))
        list = read_entries(&d, kind, size, most, arena);
    *count = d.shape[0];
    if (list && kind == WY_KIND_REAL &&
        (!decode(group->store, list, *count, false) ||
         !agrees(&d, wy_check_row(wy_check_bytes(name, strlen(name)), list, (size_t)*count))))
        list = NULL;
    wy_object_close(&d.object);
    return list;
}

double *wy_rows_list(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                     wy_arena *arena) {
    return read_list(group, name, WY_KIND_REAL, sizeof(double), most, count, arena);
}

uint64_t *wy_rows_words(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                        wy_arena *arena) {
    return read_list(group, name, WY_KIND_WHOLE, sizeof(uint64_t), most, count, arena);
}

char *wy_rows_texts(wy_object *group, const char *name, uint64_t size, uint64_t most,
                    uint64_t *count, wy_arena *arena) {
    return read_list(group, name, WY_KIND_TEXT, size, most, count, arena);
}

static char *read_text(const opener *d, wy_arena *arena) {
    wy_store *store = d->object.store;
    uint64_t at;
    if (d->rank != 0 || d->kind != WY_KIND_TEXT || d->bytes > TEXT_MOST ||
        !is_piece(d, d->bytes, &at) || !wy_store_within(store, at, d->bytes)) {
        wy_store_fail(store, "it is not a text of fixed length");
        return NULL;
    }
    char *text = wy_store_take(store, arena, d->bytes + 1, 1);
    if (!text || !wy_store_get(store, at, text, (size_t)d->bytes)) return NULL;
    return agrees(d, wy_check_bytes(text, strlen(text))) ? text : NULL;
}

char *wy_rows_text(wy_object *group, const char *name, wy_arena *arena) {
    opener d = {0};
    const uint64_t at = wy_object_at(group, name);
    if (at == WY_STORE_NOWHERE) return wy_store_take(group->store, arena, 1, 1);
    char *text = open_data(&d, group->store, at) ? read_text(&d, arena) : NULL;
    wy_object_close(&d.object);
    return text;
}
