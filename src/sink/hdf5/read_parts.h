/* read_parts.h - the bodies and joints of a result file, read back (the contents are in layout.h). */
#pragma once

#include "sink/hdf5/rows.h"
#include "withy/problem.h"
#include "withy/result.h"
#include "withy/snapshot.h"

/* A table of the file. */
typedef struct wy_part_table {
    wy_rows *column; /* of wy_part_column; of contacts their parts first */
    wy_rows check;
    double *row; /* one row of the widest column */
} wy_part_table;

typedef struct wy_part_reader {
    wy_store *store;
    wy_part_table table[WITHY_OF_OBSTACLE + 1]; /* of the kind        */
    withy_body *body;                           /* [body_count] as far as known  */
    withy_joint *joint;                         /* [joint_count]                 */
    withy_obstacle *obstacle;                   /* [obstacle_count]              */
    wy_part_table contacts;                     /* contacts of all snapshots     */
    uint64_t touches;                           /* how many there are            */
    withy_result_tendon *tendon;                /* [tendon_count]             */
    int tendon_count;
    withy_parts now; /* all zero: there are none      */
    int rods;        /* of the result                 */
    uint64_t last,
        shared; /* snapshot whose contacts are in now; contacts that others of its time had too */
} wy_part_reader;

/* Texts with a line for each part: how many; and the next one, ended in place, "" past the last. */
uint64_t wy_lines_in(const char *text);
char *wy_next_line(char **text);
/* NULL, or the name of what cannot be read. */
const char *wy_parts_open(wy_part_reader *r, wy_object *root, uint64_t rows, wy_arena *arena);
/* Are they joined to what a result of so many rods has?  From then on contacts are asked it too. */
bool wy_parts_fit(wy_part_reader *r, int rods);
bool wy_parts_read(wy_part_reader *r, uint64_t k);
/* read_tendons.c: the group tendons, of a result of so many rods. */
bool wy_tendons_open(wy_part_reader *r, wy_object *root, int rods, wy_arena *arena);
/* read_surface.c: the triangles of the obstacles of r. */
bool wy_surfaces_read(wy_part_reader *r, wy_object *group, wy_arena *arena);
/* Contact k of all snapshots together, in the order of time. */
bool wy_contacts_read(wy_part_reader *r, uint64_t k, withy_contact_state *out);
/* Those of snapshot k, at t, into r->now.  A contact belongs to one snapshot; where many snapshots of a file have one time,
 * and so many contacts each, it is refused. */
bool wy_contacts_of(wy_part_reader *r, uint64_t k, double t, wy_arena *arena);
