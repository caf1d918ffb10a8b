/* object.c - an object of a result file.  Layouts: HDF5 File Format Specification 3.0, IV.A. */
#include "sink/hdf5/store.h"

enum { HEAD_MOST = 34, HEADER_MOST = 256 << 20, TEXT_MOST = 16 << 20 };

/* ---- the header ------------------------------------------------------------------------------ */

/* Room for `more` bytes after those that are there. */
static bool reserve(wy_object *o, size_t more) {
    if (more <= o->room - o->size) return true;
    const size_t room = 2 * (o->size + more);
    unsigned char *bytes = room <= HEADER_MOST ? wy_alloc(room, 1) : NULL;
    if (!bytes) return wy_store_fail(o->store, "memory ran out");
    if (o->size) memcpy(bytes, o->bytes, o->size);
    wy_free(o->bytes);
    o->bytes = bytes, o->room = room;
    return true;
}

static size_t content_size(const unsigned char *message) {
    return (size_t)wy_store_whole(message + 1, 2);
}

/* The complete messages among these bytes; a rest too short for one is a gap. */
static bool append(wy_object *o, const unsigned char *from, size_t size) {
    const size_t head = (size_t)o->head;
    if (!reserve(o, size)) return false;
    while (size >= head) {
        const size_t whole = head + content_size(from);
        if (whole > size) return wy_store_fail(o->store, "a part of the file is damaged");
        memcpy(o->bytes + o->size, from, whole);
        o->size += whole, from += whole, size -= whole;
    }
    return true;
}

/* A block of messages between `before` bytes and the checksum. */
static bool read_block(wy_object *o, uint64_t at, const char *signature, uint64_t size,
                       size_t before) {
    if (!wy_store_within(o->store, at, size)) return false;
    if (size < before + 4 || size > HEADER_MOST)
        return wy_store_fail(o->store, "a part of the file is damaged");
    unsigned char *block = wy_alloc((size_t)size, 1);
    if (!block) return wy_store_fail(o->store, "memory ran out");
    const bool good = wy_store_block(o->store, at, signature, block, (size_t)size) &&
                      append(o, block + before, (size_t)size - before - 4);
    wy_free(block);
    return good;
}

/* "OHDR", version 2, flags, [4 times], [2 limits], size of the messages (1, 2, 4 or 8 bytes). */
static bool read_first(wy_object *o, uint64_t at) {
    unsigned char head[HEAD_MOST];
    const uint64_t left = wy_store_within(o->store, at, 0) ? o->store->length - at : 0;
    const size_t got = left < sizeof head ? (size_t)left : sizeof head;
    if (got < 12 || !wy_store_get(o->store, at, head, got))
        return wy_store_fail(o->store, "it refers to bytes beyond the end of the file");
    if (memcmp(head, "OHDR\2", 5) != 0)
        return wy_store_fail(o->store, "it is damaged, or not written by withy");
    const int flags = head[5], width = 1 << (flags & 3);
    const size_t before = 6 + (flags & 32 ? 16u : 0u) + (flags & 16 ? 4u : 0u);
    if (before + (size_t)width > got) return wy_store_fail(o->store, "it is damaged");
    const uint64_t size = wy_store_whole(head + before, width);
    if (!wy_store_within(o->store, at, size)) return false;
    o->head = flags & 4 ? 6 : 4;
    return read_block(o, at, "OHDR", before + (size_t)width + size + 4, before + (size_t)width);
}

/* Each time the bytes end with a message that the header continues elsewhere, they grow. */
static bool read_rest(wy_object *o) {
    wy_message message;
    for (size_t at = 0; wy_object_next(o, &at, &message);) {
        if (message.type != WY_MESSAGE_MORE) continue;
        if (message.size < 16) return wy_store_fail(o->store, "it is damaged");
        const uint64_t where = wy_store_whole(message.data, 8);
        if (!read_block(o, where, "OCHK", wy_store_whole(message.data + 8, 8), 4)) return false;
    }
    return true;
}

bool wy_object_open(wy_object *o, wy_store *store, uint64_t at) {
    *o = (wy_object){.store = store};
    if (at == WY_STORE_NOWHERE) return wy_store_fail(store, "it is not there");
    if (at == WY_STORE_ELSEWHERE) return wy_store_fail(store, "it is a link to another place");
    if (read_first(o, at) && read_rest(o)) return true;
    wy_object_close(o);
    return false;
}

void wy_object_close(wy_object *o) {
    wy_free(o->bytes);
    wy_arena_free(&o->arena);
    o->bytes = NULL;
}

bool wy_object_next(const wy_object *o, size_t *at, wy_message *message) {
    const size_t head = (size_t)o->head;
    if (o->size - *at < head || o->size == 0) return false;
    const unsigned char *here = o->bytes + *at;
    *message = (wy_message){here[0], (here[3] & 2) != 0, here + head, content_size(here)};
    *at += head + message->size;
    return true;
}

bool wy_object_find(const wy_object *o, int type, wy_message *message) {
    for (size_t at = 0; wy_object_next(o, &at, message);)
        if (message->type == type) return !message->shared;
    return false;
}

/* ---- types and spaces ------------------------------------------------------------------------ */

wy_value_kind wy_object_kind(const unsigned char *data, size_t size, uint64_t *bytes) {
    static const unsigned char real[] = {32, 63, 0,  8, 0,  0,   0, 0, 0, 64,
                                         0,  52, 11, 0, 52, 255, 3, 0, 0};
    static const unsigned char whole[] = {8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0};
    if (size < 8) return WY_KIND_OTHER;
    *bytes = wy_store_whole(data + 4, 4);
    switch (data[0] & 15) {
    case 0:
        return size > sizeof whole && memcmp(data + 1, whole, sizeof whole) == 0 ? WY_KIND_WHOLE
                                                                                 : WY_KIND_OTHER;
    case 1:
        return size > sizeof real && memcmp(data + 1, real, sizeof real) == 0 ? WY_KIND_REAL
                                                                              : WY_KIND_OTHER;
    case 3: return WY_KIND_TEXT;
    case 9: return (data[1] & 15) == 1 ? WY_KIND_LOOSE : WY_KIND_OTHER;
    default: return WY_KIND_OTHER;
    }
}

/* Version 2: version, rank, flags, type (0 scalar, 1 simple, 2 nothing), sizes.  Version 1 has five
 * unused bytes in place of the type. */
int wy_object_space(const unsigned char *data, size_t size, uint64_t shape[WY_OBJECT_RANK]) {
    if (size < 4 || (data[0] != 1 && data[0] != 2)) return -1;
    const size_t before = data[0] == 1 ? 8 : 4;
    const int rank = data[1];
    if (rank > WY_OBJECT_RANK || size < before + 8 * (size_t)rank) return -1;
    if (data[0] == 2 && data[3] != (rank ? 1 : 0)) return -1;
    for (int i = 0; i < WY_OBJECT_RANK; i++)
        shape[i] = i < rank ? wy_store_whole(data + before + 8 * (size_t)i, 8) : 1;
    return rank;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Version 3: version, flags (shared parts), sizes of name, type, space; character set; these three;
 * the content. */
static const unsigned char *content_of(const wy_message *m, const char *name, wy_value_kind *kind,
                                       uint64_t *bytes) {
    uint64_t shape[WY_OBJECT_RANK];
    const unsigned char *at = m->data;
    if (m->shared || m->size < 9 || at[0] != 3 || at[1] != 0) return NULL;
    const size_t length = (size_t)wy_store_whole(at + 2, 2);
    const size_t type = (size_t)wy_store_whole(at + 4, 2);
    const size_t space = (size_t)wy_store_whole(at + 6, 2);
    const size_t before = 9 + length + type + space;
    if (before > m->size || length != strlen(name) + 1 || memcmp(at + 9, name, length) != 0)
        return NULL;
    *kind = wy_object_kind(at + 9 + length, type, bytes);
    if (wy_object_space(at + 9 + length + type, space, shape) != 0) return NULL;
    return *kind != WY_KIND_OTHER && *bytes <= m->size - before ? at + before : NULL;
}

const unsigned char *wy_object_attribute(const wy_object *o, const char *name, wy_value_kind *kind,
                                         uint64_t *bytes) {
    wy_message message;
    for (size_t at = 0; wy_object_next(o, &at, &message);) {
        if (message.type != WY_MESSAGE_ATTRIBUTE) continue;
        const unsigned char *content = content_of(&message, name, kind, bytes);
        if (content) return content;
    }
    return NULL;
}

int wy_object_numbers(const wy_object *o, char (*name)[WITHY_NAME], int most) {
    wy_message message;
    int count = 0;
    for (size_t at = 0; count < most && wy_object_next(o, &at, &message);) {
        wy_value_kind kind;
        uint64_t bytes;
        if (message.type != WY_MESSAGE_ATTRIBUTE || message.size < 9) continue;
        const size_t length = (size_t)wy_store_whole(message.data + 2, 2);
        if (length < 2 || length > WITHY_NAME || 9 + length > message.size) continue;
        memcpy(name[count], message.data + 9, length);
        if (name[count][length - 1] != '\0') continue;
        if (content_of(&message, name[count], &kind, &bytes) && kind == WY_KIND_REAL) count++;
    }
    return count;
}

char *wy_object_text(const wy_object *o, const char *name, wy_arena *arena) {
    wy_value_kind kind;
    uint64_t bytes;
    const unsigned char *content = wy_object_attribute(o, name, &kind, &bytes);
    if (!content || kind != WY_KIND_TEXT || bytes > TEXT_MOST) return NULL;
    char *text = wy_store_take(o->store, arena, bytes + 1, 1);
    if (text) memcpy(text, content, (size_t)bytes);
    return text;
}

double wy_object_number(const wy_object *o, const char *name) {
    wy_value_kind kind;
    uint64_t bytes;
    double value = 0;
    const unsigned char *content = wy_object_attribute(o, name, &kind, &bytes);
    if (!content || (kind != WY_KIND_REAL && kind != WY_KIND_WHOLE)) return 0;
    const uint64_t bits = wy_store_whole(content, 8);
    if (kind == WY_KIND_WHOLE) return (double)(int64_t)bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Version 1, flags, [type], [order], [character set], length of the name (1, 2, 4 or 8 bytes), name,
 * address: present are those that the flags name. */
static bool read_link(const wy_message *m, wy_constraint *link) {
    size_t at = 2;
    if (m->shared || m->size < 4 || m->data[0] != 1) return false;
    const int flags = m->data[1], width = 1 << (flags & 3);
    const int type = flags & 8 ? m->data[at++] : 0;
    *link = (wy_constraint){.at = WY_STORE_ELSEWHERE};
    if (at + 9 + (size_t)width > m->size) return false;
    if (flags & 4) link->order = wy_store_whole(m->data + at, 8), at += 8;
    if (flags & 16) at++;
    if (at + (size_t)width > m->size) return false;
    const uint64_t length = wy_store_whole(m->data + at, width);
    at += (size_t)width;
    if (length > m->size - at) return false;
    link->name = (const char *)m->data + at;
    link->length = (size_t)length;
    at += link->length;
    if (type == 0 && m->size - at < 8) return false;
    if (type == 0) link->at = wy_store_whole(m->data + at, 8);
    return true;
}

static int by_order(const void *a, const void *b) {
    const wy_constraint *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

/* The message LINKS says where they are when they are many; withy keeps all in the header. */
static bool are_inside(const wy_object *o) {
    wy_message m;
    if (!wy_object_find(o, WY_MESSAGE_LINKS, &m) || m.size < 18) return false;
    const size_t at = m.data[1] & 1 ? 10 : 2;
    return m.size >= at + 8 && wy_store_whole(m.data + at, 8) == WY_STORE_NOWHERE;
}

bool wy_object_links(wy_object *o) {
    wy_message message;
    uint64_t count = 0;
    if (!are_inside(o)) return wy_store_fail(o->store, "it is not a group as withy writes it");
    for (size_t at = 0; wy_object_next(o, &at, &message);) count += message.type == WY_MESSAGE_LINK;
    o->link = wy_store_take(o->store, &o->arena, count ? count : 1, sizeof *o->link);
    if (!o->link) return false;
    for (size_t at = 0; wy_object_next(o, &at, &message);) {
        if (message.type != WY_MESSAGE_LINK) continue;
        if (!read_link(&message, &o->link[o->links++]))
            return wy_store_fail(o->store, "a link in it is damaged");
    }
    qsort(o->link, (size_t)o->links, sizeof *o->link, by_order);
    return true;
}

/* Names are looked for from the last one found, since they are asked for in the order of the file. */
uint64_t wy_object_at(wy_object *o, const char *name) {
    const size_t length = strlen(name);
    for (int i = 0; i < o->links; i++) {
        const int k = (o->advice + i) % o->links;
        const wy_constraint *link = &o->link[k];
        if (link->length != length || memcmp(link->name, name, length) != 0) continue;
        o->advice = k;
        return link->at;
    }
    return WY_STORE_NOWHERE;
}
