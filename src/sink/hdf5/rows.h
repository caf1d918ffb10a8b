/* rows.h - a data set of a result file: rows of numbers, or one text (see store.h). */
#pragma once

#include "sink/hdf5/object.h"

typedef struct wy_rows {
    bool there;
    bool whole;      /* whole numbers in the file                       */
    uint64_t size;   /* numbers per row                                 */
    uint64_t count;  /* rows                                            */
    uint64_t per;    /* rows per chunk                                  */
    uint64_t *chunk; /* where the chunks are [ceil(count / per)]        */
    uint64_t seed;   /* of the checksum: the name of the column         */
} wy_rows;

#define WY_ROWS_ALL UINT64_MAX

/* The data set `name` of the group, whose rows hold `size` numbers; at least `need` rows, of which the
 * others are not looked at (WY_ROWS_ALL: as many as there are). */
bool wy_rows_open(wy_rows *rows, wy_object *group, const char *name, uint64_t size, uint64_t need,
                  wy_arena *arena);

/* Rows first, ..., first + count - 1. */
bool wy_rows_get(wy_store *store, const wy_rows *rows, uint64_t first, uint64_t count, double *out);

/* The numbers of a data set of one dimension that does not grow, at most `most`, with its checksum. */
double *wy_rows_list(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                     wy_arena *arena);

/* Whole numbers of 8 bytes, as they are, of a data set of one dimension that does not grow; NULL on failure. */
uint64_t *wy_rows_words(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                        wy_arena *arena);

/* `count` texts of `size` bytes each in one piece; NULL on failure. */
char *wy_rows_texts(wy_object *group, const char *name, uint64_t size, uint64_t most,
                    uint64_t *count, wy_arena *arena);

/* A text, with its checksum; NULL when it is damaged, "" when there is none. */
char *wy_rows_text(wy_object *group, const char *name, wy_arena *arena);
