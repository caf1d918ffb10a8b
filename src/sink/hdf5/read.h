/* read.h - a result file that is open: what open.c fills and read.c reads from (the contents are in layout.h). */
#pragma once

#include "sink/hdf5/store.h"
#include "withy/problem.h"
#include "withy/result.h"
#include "withy/snapshot.h"

/* ---- read.c: rows that are read together, and their checksums. */
enum { WY_SUMS = 256 };
typedef struct wy_sums {
    uint64_t first, count;
    uint64_t sum[WY_SUMS];
} wy_sums;

/* The next block of `rows` rows; false past the last.  Begin with {0}. */
bool wy_sums_next(wy_sums *b, int64_t rows);
/* Read a column, and add it to the checksums; then, after all columns: are they right?  what: of a message, "row". */
bool wy_sums_get(wy_store *store, const wy_rows *rows, wy_sums *b, double *out);
bool wy_sums_check(wy_store *store, const wy_rows *check, const wy_sums *b, const char *what);

/* ---- read_parts.c: the bodies and joints of a result file, read back (the contents are in layout.h). */

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

typedef struct wy_rod_reader {
    withy_result_rod info;
    withy_snapshot snap;
    wy_rows *field;  /* [quantities]                     */
    wy_rows *ledger; /* [entries]                        */
    wy_rows field_check, ledger_check;
    bool ledger_good; /* all its rows have been checked */
    unsigned lacking; /* WITHY_HAVE_ bits of which something is not in the file */
} wy_rod_reader;

typedef struct wy_probe_reader {
    withy_result_probe info;
    wy_rows time, value, check;
} wy_probe_reader;

/* Its texts: attributes, data sets, and those of its states, which it need not have. */
enum {
    WY_RESULT_ATTRIBUTES = 5,
    WY_RESULT_RESTART = WY_RESULT_ATTRIBUTES + 4,
    WY_RESULT_TEXTS = WY_RESULT_RESTART + 3
};
extern const char *const wy_result_text_name[WY_RESULT_TEXTS];

struct withy_result {
    wy_opened file;
    int64_t count;
    wy_rows time, step, check;
    int rods, probes;
    wy_part_reader parts;
    wy_rod_reader *rod;                /* [rods]   */
    wy_probe_reader *probe;            /* [probes] */
    const char *text[WY_RESULT_TEXTS]; /* of wy_result_text_name, or NULL */
    withy_parameter *parameter;        /* [parameters] */
    int parameters;
};
