/* withy/record.h - a result in memory: every snapshot and every sample of a study, as tables.
 *
 *     withy_record *record = withy_record_create();
 *     study.record = record;
 *     withy_study_run(&study, &report, &err);
 *     withy_table x;
 *     if (withy_record_find(record, WITHY_RECORD_ROD, 0, "position", &x))
 *         x.value[(k * x.stations + i) * x.size + 2];    z of station i in snapshot k
 *     withy_record_destroy(record);
 *
 * The numbers belong to the record and stay where they are until it is filled again or destroyed.
 */
#pragma once

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_record withy_record;

/* What a table belongs to. */
typedef enum withy_record_of {
    WITHY_RECORD_STUDY, /* part 0: "t", the time, load factor or frequency of each snapshot; with
                         * bodies, joints or obstacles "bodies_kinetic", "bodies_gravity",
                         * "joints_springs" [J]                                                  */
    WITHY_RECORD_ROD,   /* its quantities, and "s"                                               */
    WITHY_RECORD_BODY,
    WITHY_RECORD_JOINT,
    WITHY_RECORD_PROBE, /* "t" and "value"; a probe may have more samples than there are snapshots */
    WITHY_RECORD_LEDGER, /* of a rod: what belongs to it as a whole, "kinetic", "momentum", ...   */
    WITHY_RECORD_OBSTACLE,
    WITHY_RECORD_KINDS,
} withy_record_of;

typedef struct withy_table {
    const char *name, *unit; /* "position", "m"                                                  */
    const double *value;     /* [rows][stations][size], in SI units; NULL: no rows               */
    int64_t rows;            /* snapshots or samples; 1 for "s"                                  */
    int stations;            /* of the rod; 1 otherwise                                          */
    int size;                /* numbers each: 1, 3 or 4                                          */
} withy_table;

/* NULL: no memory. */
WITHY_API withy_record *withy_record_create(void);
WITHY_API void withy_record_destroy(withy_record *record); /* NULL is fine */

/* Parts of a kind: rods, bodies, joints, probes, ledgers (one for each rod); 1 study. */
WITHY_API int withy_record_count(const withy_record *record, withy_record_of of);
/* The name of a part, never NULL. */
WITHY_API const char *withy_record_name(const withy_record *record, withy_record_of of, int part);
/* Table number `index` of a part; returns 0 past the last. */
WITHY_API int withy_record_table(const withy_record *record, withy_record_of of, int part,
                                 int index, withy_table *table);
/* The table of that name; returns 0 when there is none. */
WITHY_API int withy_record_find(const withy_record *record, withy_record_of of, int part,
                                const char *name, withy_table *table);
/* "title", "method", "status" ("complete", "interrupted", "failed: ...", "running"), "version", "scene",
 * "scene_name", "notes", "note_data", "axis"; "" when absent. */
WITHY_API const char *withy_record_text(const withy_record *record, const char *name);

/* ---- a simulation as it is now -------------------------------------------------------------------
 *
 * Tables of one row that point into the simulation: withy_sim_sample and withy_sim_parts overwrite them where
 * they are, and so does the next call.
 */

/* Rods, bodies, joints or obstacles; 0 of other kinds. */
WITHY_API int withy_sim_count(const withy_sim *sim, withy_record_of of);
WITHY_API const char *withy_sim_name(const withy_sim *sim, withy_record_of of, int part);
/* Table number `index`; returns 0 past the last, or when a value is not finite. */
WITHY_API int withy_sim_table(withy_sim *sim, withy_record_of of, int part, int index,
                              withy_table *table);

/* ---- files -------------------------------------------------------------------------------------- */

/* Fill it from a result file. */
WITHY_API withy_status withy_record_read(withy_record *record, const char *path, withy_error *err);

#ifdef __cplusplus
}
#endif
