/* digest.c - a number that two descriptions of one problem share: by it a saved state is known. */
#include "model/model.h"
#include "model/schema/structure.h"

static void add(uint64_t *hash, const void *bytes, size_t size) {
    *hash = wy_hash(bytes, size, *hash);
}

static void add_number(uint64_t *hash, double value) {
    add(hash, &value, sizeof value);
}

static void add_text(uint64_t *hash, const char *text) {
    add_number(hash, text ? (double)strlen(text) : -1);
    if (text) add(hash, text, strlen(text));
}

/* Of a function it is known only that there is one. */
static void add_field(uint64_t *hash, const withy_field *field) {
    add_number(hash, field->size);
    add_number(hash, (field->call != NULL) + 2 * (field->from_state != NULL));
    for (int i = 0; i < field->size && !wy_field_varies(field); i++) {
        add_number(hash, field->value[i]);
        add_text(hash, field->input[i]);
    }
    for (int i = 0; field->table && i < field->rows * (1 + field->size); i++)
        add_number(hash, field->table[i]);
}

static void add_entry(uint64_t *hash, const wy_entry *e, const char *structure) {
    const char *at = structure + e->offset;
    const void *to;
    int count;
    memcpy(&to, at, e->size < sizeof to ? e->size : sizeof to);
    switch (e->kind) {
    case WY_ENTRY_BYTES:
    case WY_ENTRY_TAG: add(hash, at, e->size); break;
    case WY_ENTRY_FIELDS:
        for (size_t i = 0; i < e->size / sizeof(withy_field); i++)
            add_field(hash, (const withy_field *)(const void *)at + i);
        break;
    case WY_ENTRY_TEXT: add_text(hash, to); break;
    case WY_ENTRY_THERE: add_number(hash, to != NULL); break;
    case WY_ENTRY_PLAIN:
        at = wy_entry_first(e, structure, &count);
        if (count > 0) add(hash, at, (size_t)count * e->each);
        break;
    case WY_ENTRY_GIVEN: wy_entry_first(e, structure, &count), add_number(hash, count); break;
    default: break; /* structures are visited themselves */
    }
}

static int add_structure(void *hash, const wy_entries *entries, const wy_instance *x) {
    for (int i = 0; i < entries->count[x->of]; i++)
        add_entry(hash, &entries->entry[x->of][i], x->at);
    return 1;
}

uint64_t wy_problem_digest(const withy_problem *problem) {
    uint64_t hash = 0;
    wy_entries entries;
    const wy_instance whole = {.of = WY_IN_PROBLEM, .at = (const char *)problem};
    wy_entries_list(&entries);
    wy_structures_visit(&entries, &whole, add_structure, &hash);
    return hash;
}
