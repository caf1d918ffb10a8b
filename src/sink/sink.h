/* sink.h - a sink: where snapshots become bytes.  Room: src/sink.
 *
 * One source file per format: src/sink/NAME.c and one line in list.inc.  The loop opens
 * every sink before anything is computed, hands it each rod of each snapshot in turn (rod 0, 1,
 * ..., then the next time), each sample of each probe, and closes it whatever happened, with one
 * word or message on how the run ended.  A sink must not mark its file as whole before close(...,
 * "complete").
 */
#pragma once

#include "base/base.h"
#include "withy/problem.h"
#include "withy/record.h"
#include "withy/result.h"
#include "withy/snapshot.h"

/* One option of the method as used, both as text. */
typedef struct wy_sink_option {
    char name[WITHY_NAME], value[WITHY_NAME];
} wy_sink_option;

enum { WY_STEP_ADAPTIVE = -1 }; /* the step is not always the same */

/* Description stored in the file.  Texts may be NULL (then ""); all is borrowed until open
 * returns, except request.probe, which must stay valid until close. */
typedef struct wy_sink_meta {
    const char *title, *method, *version;
    const char *axis; /* what the time of a snapshot is: "t [s]", "load factor" */
    const char *scene_name, *scene_text; /* as solved, overrides included */
    const char *notes, *note_data;       /* as in withy_notes */
    const wy_sink_option *option; /* [option_count]                                         */
    int option_count;
    const withy_parameter *parameter; /* [parameter_count] */
    int parameter_count;
    withy_request request;       /* stop, output, stations and the probes                         */
    int rod_count;               /* >= 1, or 0 where there are bodies                             */
    const char *const *rod_name; /* [rod_count], or NULL; entries may be NULL                     */
    const withy_rod *rod;        /* [rod_count], or NULL: length and section, for drawing         */
    const withy_parts *parts;    /* the bodies and joints at the start, or NULL: there are none   */
    const withy_body *body;      /* [parts->body_count] names, shapes, masses                     */
    const withy_joint *joint;    /* [parts->joint_count] names and kinds                          */
    const withy_obstacle *obstacle; /* [parts->obstacle_count] names, kinds and sizes             */
    size_t state_size; /* [bytes] of the states that `keep` gets; 0: it is not called           */
    const char *set;   /* overrides that the scene was read with, each ended by '\x1e'; or NULL */
    int64_t source;    /* how many bytes of scene_text were read                                */
    double
        step; /* [s] of the run, where all its steps are equal; WY_STEP_ADAPTIVE; 0: not known   */
    bool
        at_once; /* it appears only when it is whole: an export, which can be made again; the result of
                   * a run grows under its name, if there was no file, and survives a kill         */
} wy_sink_meta;

/* What a result has besides rods, from WITHY_OF_BODY on; how many, and of which kind are the numbers of all of them. */
enum { WY_PARTS = 3 };
static inline int wy_part_count(const withy_parts *parts, int of) {
    return of == WITHY_OF_BODY    ? parts->body_count
           : of == WITHY_OF_JOINT ? parts->joint_count
                                  : parts->obstacle_count;
}
static inline int wy_part_sums(int of) {
    return of == WITHY_OF_BODY ? WITHY_OF_BODIES : of == WITHY_OF_JOINT ? WITHY_OF_JOINTS : -1;
}

typedef struct wy_sink {
    const char *name, *ending, *summary; /* "hdf5", ".h5", one line */
    const char *needs; /* NULL, or the library this build lacks                  */

    /* Can such a file hold what is requested?  Asked before anything is computed.  moves: a run in time, not equilibria
     * or modes.  NULL: it can hold everything. */
    withy_status (*check)(const char *path, const withy_request *request, bool moves,
                          withy_error *err);
    /* first[rod_count]: the snapshots at the start.  Their `have` bits, counts and arc lengths hold
     * for the whole run: what is missing there is never written, and what is there must come with
     * every later snapshot.  They are not written by open: write them too. */
    withy_status (*open)(const char *path, const wy_sink_meta *meta,
                         const withy_snapshot *const *first, void **state, withy_error *err);
    withy_status (*write)(void *state, int rod, const withy_snapshot *snap, withy_error *err);
    /* Bodies and joints, before the rods of each snapshot; NULL: this sink does not write them */
    withy_status (*parts)(void *state, const withy_parts *parts, withy_error *err);
    /* value[size of the probe's quantity]; NULL: this sink does not write probes */
    withy_status (*probe)(void *state, int probe, double t, const double *value, withy_error *err);
    /* All that was written is to be on the disk, then the state of the run that led there; from now on the file
     * has its place, whatever was there before.  last: the run is over, and nothing in the file may tell when
     * earlier states were kept.  NULL: this sink keeps no states. */
    withy_status (*keep)(void *state, const void *bytes, bool last, withy_error *err);
    /* status: "complete", "interrupted", "failed: ...".  Frees the state also when it fails; after
     * a failed write it keeps what is on disk readable and does not claim to be complete. */
    withy_status (*close)(void *state, const char *status, withy_error *err);
} wy_sink;

/* What all tables have: the three texts, and functions under the names that the file of a sink gives them. */
#define WY_SINK_COMMON(called, ends, about)                                                        \
    .name = (called), .ending = (ends), .summary = (about), .open = open_file, .write = write_rod, \
    .close = close_file

/* Columns of the parts of a kind in a file: the quantities of each, then those of all; NULL past the last. */
static inline const withy_quantity *wy_part_column(int of, int i) {
    int own, sums;
    const withy_quantity *q = withy_quantity_list(of, &own);
    const withy_quantity *all = withy_quantity_list(wy_part_sums(of), &sums);
    return i < own ? &q[i] : i < own + sums ? &all[i - own] : NULL;
}

/* "body", and the name of one, as the scene has it. */
extern const char *const wy_part_noun[];
static inline const char *wy_part_name(const wy_sink_meta *meta, int of, int i) {
    return of == WITHY_OF_BODY    ? meta->body[i].name
           : of == WITHY_OF_JOINT ? meta->joint[i].name
                                  : meta->obstacle[i].name;
}

/* The sink for a file, by its ending.  Unknown: the message lists the endings.  Known but not in
 * this build: WITHY_MISSING and the library it needs. */
withy_status wy_sink_for(const char *path, const wy_sink **sink, withy_error *err);

/* ---- record.c: the sink into memory; the state that open finds in *state is a withy_record. */

extern const wy_sink wy_record_sink;

/* ---- restart.c: from a result with states to one that continues. */

/* How many of each a result has. */
typedef struct wy_restart_parts {
    int rods, bodies, joints, obstacles, probes;
} wy_restart_parts;

/* The first snapshots of a result, and of each probe the first samples[i] (NULL: all), into another file; grid: the first rod
 * is interpolated to these stations; NULL: all is as it was. */
withy_status wy_result_copy(withy_result *result, int64_t snapshots, const int64_t *samples,
                            const withy_snapshot *grid, const wy_sink *sink, void *state,
                            withy_error *err);
/* Bodies, joints, obstacles or contacts. */
bool wy_result_has_parts(const withy_result *result);

/* What a study may do with a result that is there; withy_core can open none, and has nothing else. */
typedef struct wy_restart_reader {
    /* Open a result, and its texts as withy_result_text gives them. */
    withy_status (*result)(const char *path, withy_result **result, withy_error *err);
    const char *(*text)(const withy_result *result, const char *name);
    /* Open the result and find its last whole state, which is valid until close. */
    withy_status (*open)(const char *path, withy_result **result, const void **bytes, size_t *size,
                         withy_error *err);
    wy_restart_parts (*count)(const withy_result *result);
    int (*probe_size)(const withy_result *result, int probe); /* numbers of a sample */
    /* A rod in snapshot k, valid until the next. */
    const withy_snapshot *(*at)(withy_result *result, int rod, int64_t k, withy_error *err);
    /* How many samples of a probe are not later than t. */
    withy_status (*samples)(withy_result *result, int probe, double t, int64_t *samples,
                            withy_error *err);
    /* wy_result_copy */
    withy_status (*copy)(withy_result *result, int64_t snapshots, const int64_t *samples,
                         const withy_snapshot *grid, const wy_sink *sink, void *state,
                         withy_error *err);
    void (*close)(withy_result *result);
} wy_restart_reader;
extern const wy_restart_reader wy_restart;
