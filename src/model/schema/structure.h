/* structure.h - the structures of a problem and what is in them: the rows of the schema, and what no key says.
 *
 * The digest, signals, changes of loads and capabilities follow these, so that a key needs nothing but its row.
 */
#pragma once

#include "withy/problem.h"

typedef enum wy_structure {
    WY_IN_NOTHING, /* of a draft */
    WY_IN_PROBLEM,
    WY_IN_ROD,
    WY_IN_SECTION,
    WY_IN_LAW,
    WY_IN_SHAPE,
    WY_IN_END,
    WY_IN_LOAD,
    WY_IN_BODY,
    WY_IN_BODY_LOAD,
    WY_IN_JOINT,
    WY_IN_PLACE,
    WY_IN_OBSTACLE,
    WY_IN_FLOOR,
    WY_IN_ROTATING,
    WY_IN_CONTACT,
    WY_IN_MEDIUM,
    WY_IN_MAGNETIC,
    WY_IN_WAVE,
    WY_STRUCTURES
} wy_structure;

typedef enum wy_entry_kind {
    WY_ENTRY_BYTES,  /* numbers                                                                 */
    WY_ENTRY_TAG,    /* int: which constructor of the family of the structure                   */
    WY_ENTRY_FIELDS, /* withy_field                                                             */
    WY_ENTRY_TEXT,   /* const char *                                                            */
    WY_ENTRY_PLAIN,  /* pointer to `count` times `each` bytes                                   */
    WY_ENTRY_THERE,  /* a pointer: is there one?                                                */
    WY_ENTRY_APART,  /* no part of the problem: names, what is recorded, until when             */
    WY_ENTRY_WITHIN, /* structures `of`                                                         */
    WY_ENTRY_GIVEN,  /* one, whose first member, an int, says whether it is given               */
    WY_ENTRY_LIST,   /* pointer to `count` structures `of`                                      */
} wy_entry_kind;

typedef struct wy_entry {
    wy_entry_kind kind;
    wy_structure in, of;                /* in which it is; of which it consists */
    int timed;                          /* of fields: may be functions of time */
    unsigned offset, size, count, each; /* count: where it is in the structure, an int */
} wy_entry;

enum { WY_ENTRIES_MOST = 64 };

typedef struct wy_entries {
    wy_entry entry[WY_STRUCTURES][WY_ENTRIES_MOST];
    int count[WY_STRUCTURES];
} wy_entries;

void wy_entries_list(wy_entries *out);
size_t wy_structure_size(wy_structure of);
/* Its group in the schema, or the family of its constructors. */
const char *wy_structure_group(wy_structure of);
/* Which constructor of its family it is; 0: it has none. */
int wy_structure_tag(const wy_entries *entries, wy_structure of, const void *at);
/* The structure that has a member without an entry, by its group; NULL: none. */
const char *wy_structure_hole(void);

/* A structure of a problem, and that in which it is. */
typedef struct wy_instance {
    wy_structure of;
    const char *at;
    int index;                    /* of several */
    const wy_entry *by;           /* the entry of the other */
    const struct wy_instance *in; /* NULL: none */
} wy_instance;

/* Visit a structure, then, where the visitor returns 1, those in it. */
typedef int (*wy_visitor)(void *context, const wy_entries *entries, const wy_instance *x);
void wy_structures_visit(const wy_entries *entries, const wy_instance *x, wy_visitor visit,
                         void *context);
/* Of a list or of structures within: the first, and how many. */
const char *wy_entry_first(const wy_entry *e, const char *structure, int *count);
