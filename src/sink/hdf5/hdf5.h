/* hdf5.h - access to HDF5: the only file that includes its header hdf5.h.  Only writing needs it: results
 * are read without (store.h).
 *
 * The library is not thread-safe and prints errors, so every function that calls it does so
 * between wy_h5_enter() and wy_h5_leave(): one thread at a time, its own error printing off.
 */
#pragma once

#include <hdf5.h>

#include "base/base.h"
#include "sink/hdf5/layout.h"
#include "sink/sink.h"

enum { WY_H5_RANK = 3 };

void wy_h5_enter(void);
void wy_h5_leave(void);
/* Would so much memory be there?  Where it runs out inside the library, that calls itself without end, or ends the
 * program: what it may need is asked for before. */
enum { WY_H5_ROOM = 8 << 20, WY_H5_ROOM_ROD = 32 << 10, WY_H5_ROOM_ROWS = 2 << 20 };
bool wy_h5_has_room(size_t bytes);

/* The cause the library gives for its last failure: the system's text if there was an errno, else
 * the innermost description, else (a later call has cleared it) the text of the caller. */
void wy_h5_cause(char *text, size_t size, const char *otherwise);

/* The format in the file stays the same whatever newer libraries could write, so that it can be read
 * without them (store.h). */
#if H5_VERSION_GE(1, 10, 3)
#define WY_H5_LIBRARY H5F_LIBVER_V110
#else
#define WY_H5_LIBRARY H5F_LIBVER_LATEST
#endif

/* The type of a text of this many bytes; close it.  All texts are of fixed length: those of variable
 * length are kept in a heap without checksums. */
hid_t wy_h5_text_type(size_t size);

/* An attribute; text in UTF-8, NULL as "".  Negative on failure, as HDF5 does. */
int wy_h5_text(hid_t where, const char *name, const char *text);
int wy_h5_number(hid_t where, const char *name, double value);

/* ---- table.c: columns that grow together in an HDF5 file.
 *
 * A table is a set of data sets that get one row at a time.  Rows wait in memory and go to HDF5 in
 * blocks, since a call per number would cost more than the numbers.
 */

typedef struct wy_column {
    const char *path;
    hid_t data;                /* once attached */
    int size;                  /* numbers per row                       */
    int rank;                  /* of the data set                       */
    hsize_t shape[WY_H5_RANK]; /* shape[0] is the number of rows in the file */
    double *stage;             /* [block][size]                         */
    uint64_t seed;             /* of the checksum: the name             */
} wy_column;

/* The checksums of the rows of columns from, ..., up to those of the next one (see store.h). */
typedef struct wy_table_sum {
    wy_column column;
    int from;
} wy_table_sum;

enum { WY_TABLE_SUMS = 2 };

typedef struct wy_table {
    wy_column *column; /* [room]                                    */
    wy_table_sum sum[WY_TABLE_SUMS];
    int count, room, sums;
    int block;      /* rows that wait at most                       */
    int staged;     /* rows that wait                               */
    hsize_t rows;   /* rows in the file                             */
    hsize_t expect; /* rows there may be, for the size of chunks    */
} wy_table;

/* What a column is: name, unit, doc, the numbers of one row as [stations][size] (either may be 1),
 * and whether they are whole numbers. */
typedef struct wy_column_info {
    const char *name, *unit, *doc;
    int stations, size, whole;
} wy_column_info;

/* Room for `room` columns; then add them (as empty data sets of the file that is being made); then
 * wy_table_ready() takes memory for the rows, and wy_table_attach() finds the data sets in the file
 * that is written.  Negative on failure, as HDF5 does. */
int wy_table_open(wy_table *table, wy_arena *arena, int room, hsize_t expect);
int wy_table_add(wy_table *table, wy_arena *arena, hid_t group, const wy_column_info *info);
int wy_table_ready(wy_table *table, wy_arena *arena);
int wy_table_attach(wy_table *table, hid_t file);

/* The columns that are added from now on have checksums of their rows in the data set `check`. */
int wy_table_check(wy_table *table, wy_arena *arena, hid_t group);

/* Where the numbers of the next row go; then wy_table_next() ends the row. */
static inline double *wy_table_row(wy_table *table, int column) {
    wy_column *c = &table->column[column];
    return c->stage + (size_t)table->staged * (size_t)c->size;
}
static inline bool wy_table_next(wy_table *table) {
    return ++table->staged == table->block; /* full: push before the next row */
}

int wy_table_push(wy_table *table);  /* waiting rows to HDF5 */
int wy_table_flush(wy_table *table); /* and on to the file   */

/* ---- file.c: our own file under HDF5 (a "virtual file driver"), for two reasons.
 *
 * HDF5 does not survive a write that fails: it crashes when the program ends.  Here a failed write is
 * recorded, this and all later ones are dropped without reporting to HDF5; what is on disk stays as
 * it was after the last write that succeeded.
 *
 * A killed writer must leave a file that any program can open.  HDF5's single-writer mode keeps the file
 * consistent but for the superblock, which is handled here: every time it is written, and whenever the
 * file grows, the flags are cleared and the length is that of the file, which runs ahead of what is used.
 */

typedef struct wy_h5_file {
    int descriptor;
    int error;       /* 0, or the errno of the first write that failed        */
    uint64_t length; /* of the file                                           */
    uint64_t used;   /* the part HDF5 has allocated */
} wy_h5_file;

/* Open an HDF5 file that exists for writing, in single-writer mode, through `file`, whose descriptor is
 * open for reading and writing and which must outlive it.  Negative on failure. */
hid_t wy_h5_file_open(wy_h5_file *file, const char *path);

/* Write past HDF5, also after an error.  0, or an errno. */
int wy_h5_file_put(const wy_h5_file *file, const void *data, size_t size, uint64_t at);

/* After H5Fclose: cut the file to the part that is used. */
void wy_h5_file_trim(wy_h5_file *file);

/* ---- head.c: the tables of a result file, and the file as it is before the first snapshot.
 */

enum { WY_H5_STATUS = WITHY_ERROR_TEXT }; /* length of the text in /status */
enum { WY_H5_HASH = 16 };                 /* and of /restart/hash */

enum { WY_H5_PARTS = 3 };

typedef struct wy_h5_tables {
    int rod_count, probe_count;
    wy_table *all;      /* [all_count] but for time, in this order:            */
    wy_table *rod;      /* [rod_count]                                         */
    wy_table *part;     /* [WY_H5_PARTS] bodies, joints, obstacles; no columns: there are none */
    wy_table *contacts; /* contacts of all snapshots; likewise                 */
    wy_table *probe;    /* [probe_count]                                       */
    int all_count;
    wy_table time;  /* columns step, time                                   */
    unsigned *have; /* [rod_count] bits of the first snapshots              */
    int *count;     /* [rod_count] stations                                 */
} wy_h5_tables;

/* Describe the tables and make the bytes of the empty file, all from the arena.  It is built in
 * memory, because HDF5 does not survive a failure to write while it makes a file.  Negative on
 * failure. */
int wy_h5_head(wy_h5_tables *tables, wy_arena *arena, const wy_sink_meta *meta,
               const withy_snapshot *const *first, void **image, size_t *size);

/* parts.c: the groups bodies and joints, and the rows of one snapshot. */
typedef struct wy_h5_place {
    hid_t file;
    wy_arena *arena;
    hsize_t expect;
} wy_h5_place;

int wy_h5_parts(wy_h5_tables *tables, const wy_h5_place *place, const wy_sink_meta *meta);
void wy_h5_stage_parts(wy_h5_tables *tables, const withy_parts *parts);
void wy_h5_stage_contact(wy_table *table, const withy_contact_state *contacts);
/* tendons.c: their routes in the sections of the rods. */
int wy_h5_tendons(const wy_h5_place *place, const wy_sink_meta *meta,
                  const withy_snapshot *const *first);
/* surface.c: triangles of the obstacles that are meshes. */
int wy_h5_surfaces(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta);
/* head.c: a group, a text with its checksum, and numbers that do not grow. */
hid_t wy_h5_group(hid_t where, const char *name, int links);
int wy_h5_make_text(hid_t where, const char *name, const char *text);
int wy_h5_make_notes(hid_t file, const char *text, const char *data);
/* How a data set is made that does not record when: equal files are equal in every byte.  Close it. */
hid_t wy_h5_timeless(void);
int wy_h5_make_status(hid_t file);
/* Elements in one piece from the beginning, which are overwritten where they stand. */
int wy_h5_make_place(hid_t where, const char *name, hid_t type, hsize_t count);
/* A file in memory with room for the groups of so many rods, and its bytes. */
hid_t wy_h5_make_file(int rods);
int wy_h5_copy_image(hid_t file, wy_arena *arena, void **image, size_t *size);
int wy_h5_make_list(hid_t where, const wy_column_info *info, const double *value);

/* Where a data set that stays in its place is in the file: "status"; 0 on failure. */
uint64_t wy_h5_place_at(hid_t file, const char *name);
