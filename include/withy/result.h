/* withy/result.h - read a result file back, snapshot by snapshot, and write it in other formats. */
#pragma once

#include "withy/problem.h"
#include "withy/snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_result withy_result;

/* Open FILE.h5, also one whose run was killed. */
WITHY_API withy_status withy_result_open(const char *path, withy_result **result, withy_error *err);
WITHY_API void withy_result_close(withy_result *result); /* NULL is fine */

/* A text of the file: "title", "method", "status" ("complete", "interrupted", "failed: ...",
 * "running" when the run was killed), "version", "scene", "scene_name", "notes", "note_data"; "" when absent.  Of a
 * result with states (withy_study.checkpoint) also "source" and "set": the text of the scene and the
 * overrides that it was read with, and "hash", that of the last state. */
WITHY_API const char *withy_result_text(const withy_result *result, const char *name);

/* Name and value of a parameter that it was solved with; returns 0 past the last. */
WITHY_API int withy_result_parameter(const withy_result *result, int index,
                                     withy_parameter *parameter);

WITHY_API int withy_result_rods(const withy_result *result);

/* What is needed to draw a rod; returns 0 past the last. */
typedef struct withy_result_rod {
    char name[WITHY_NAME];
    char section[WITHY_NAME]; /* "none", "circle", "tube", "rectangle", "ellipse", "custom" */
    double length;            /* [m] */
    double a, b;              /* sizes of the section at s = 0, see withy_section [m] */
    /* how its ends are held: "free", "pinned", "clamped", "guided", "roller"; "" in a file that does not say */
    char start[WITHY_NAME], finish[WITHY_NAME];
} withy_result_rod;

WITHY_API int withy_result_rod_at(const withy_result *result, int rod, withy_result_rod *info);

WITHY_API int64_t withy_result_count(const withy_result *result); /* snapshots */

/* Snapshot k of a rod; valid until the next call or close.  NULL and err on failure. */
WITHY_API const withy_snapshot *withy_result_at(withy_result *result, int rod, int64_t k,
                                                withy_error *err);

/* All times: t[count]. */
WITHY_API withy_status withy_result_times(withy_result *result, double *t, withy_error *err);

/* Entry number `index` of a rod's ledger: what belongs to the rod as a whole ("kinetic", "momentum",
 * ...); returns 0 past the last.  Only what the file holds is listed. */
typedef struct withy_result_entry {
    const char *name, *unit, *doc;
    int size; /* numbers per snapshot */
} withy_result_entry;

WITHY_API int withy_result_ledger_at(const withy_result *result, int rod, int index,
                                     withy_result_entry *entry);

/* An entry for all snapshots: value[count][size].  WITHY_MISSING when the file does not hold it. */
WITHY_API withy_status withy_result_ledger_read(withy_result *result, int rod, const char *name,
                                                double *value, withy_error *err);

/* Bodies and joints: how many there are, and what is needed to draw one; 0 past the last. */
WITHY_API int withy_result_bodies(const withy_result *result);
WITHY_API int withy_result_joints(const withy_result *result);
/* Its name is valid until close; only name, mass, inertia, shape and size are filled. */
WITHY_API int withy_result_body_at(const withy_result *result, int body, withy_body *info);
/* Likewise name, kind, and the parts of its places. */
WITHY_API int withy_result_joint_at(const withy_result *result, int joint, withy_joint *info);
/* Obstacles likewise: name, kind, inside, radius, length, size, along and frame.  Their states are in the parts of a
 * snapshot.  A mesh has vertices and triangles too, valid until close: of a surface of more than 50 000 a coarser one, for
 * drawing, which may not be closed. */
WITHY_API int withy_result_obstacles(const withy_result *result);
WITHY_API int withy_result_obstacle_at(const withy_result *result, int obstacle,
                                       withy_obstacle *info);
/* Tendons likewise: where they run in their rods, for drawing. */
typedef struct withy_result_tendon {
    const char
        *name;     /* "tendon", "tendon2", ... where the scene has none; valid until close      */
    int rod;       /* 0 .. rods - 1                                                             */
    int continues; /* the tendon that continues in this one, 0 ..; -1: none                       */
    int count;     /* points of its route, >= 2: its ends and the stations between              */
    const double (*route)[3]; /* [count] s, x1, x2: along d1 and d2 of the section; valid until
                               * close                                                        [m] */
} withy_result_tendon;

WITHY_API int withy_result_tendons(const withy_result *result);
WITHY_API int withy_result_tendon_at(const withy_result *result, int tendon,
                                     withy_result_tendon *info);
/* Contacts of all snapshots together, in the order of time: how many, and some of them. */
WITHY_API int64_t withy_result_contacts(const withy_result *result);
WITHY_API withy_status withy_result_contact_read(withy_result *result, int64_t first, int64_t count,
                                                 withy_contact_state *contacts, withy_error *err);
/* Their states in snapshot k; valid until the next call or close.  NULL and err on failure. */
WITHY_API const withy_parts *withy_result_parts_at(withy_result *result, int64_t k,
                                                   withy_error *err);

/* Probe number `index`: its name, quantity, numbers per sample and count; returns 0 past the last.
 */
typedef struct withy_result_probe {
    char name[WITHY_NAME], what[WITHY_NAME];
    int rod;           /* 0 .. rods - 1; -1: of = WITHY_OF_LEDGER, the scene */
    double at;         /* s [m] */
    int size;          /* numbers per sample */
    int64_t count;     /* samples */
    withy_probe_of of; /* of a body or joint: rod and at mean nothing, and it is number */
    int index;         /* 0 .. */
} withy_result_probe;

WITHY_API int withy_result_probe_at(const withy_result *result, int index,
                                    withy_result_probe *probe);

/* All samples of a probe: t[count] and value[count][size], the caller's arrays. */
WITHY_API withy_status withy_result_probe_read(withy_result *result, int index, double *t,
                                               double *value, withy_error *err);

/* Write the whole result through another sink: the ending of `path` chooses it (.csv, .pvd). */
WITHY_API withy_status withy_result_export(withy_result *result, const char *path,
                                           withy_error *err);

#ifdef __cplusplus
}
#endif
