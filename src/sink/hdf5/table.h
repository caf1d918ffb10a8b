/* table.h - columns that grow together in an HDF5 file.
 *
 * A table is a set of data sets that get one row at a time.  Rows wait in memory and go to HDF5 in
 * blocks, since a call per number would cost more than the numbers.
 */
#pragma once

#include "sink/hdf5/hdf5.h"

typedef struct wy_column {
    const char *path;
    hid_t data;                /* once attached */
    int size;                  /* numbers per row                       */
    int rank;                  /* of the data set                       */
    hsize_t shape[WY_H5_RANK]; /* shape[0] is the number of rows in the file */
    double *stage;             /* [block][size]                         */
    uint64_t seed;             /* of the checksum: the name             */
} wy_column;

/* The checksums of the rows of columns from, ..., up to those of the next one (see check.h). */
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
