/* head.h - the tables of a result file, and the file as it is before the first snapshot.
 */
#pragma once

#include "sink/hdf5/table.h"
#include "sink/sink.h"

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
