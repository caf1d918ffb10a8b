/* pvd.h - FILE.pvd, the list of times, and the folder FILE with one file per snapshot.
 *
 * Of a run whose FILE is new both grow in place, and the list is complete XML after every snapshot: its
 * closing lines are overwritten by the next entry.  Else everything is written next to its place and moved when it is
 * whole.
 */
#pragma once

#include "sink/atomic_file.h"

typedef struct wy_pvd {
    wy_atomic_file list;
    wy_temporary_folder scratch;
    char *path, *folder; /* FILE.pvd, FILE                                         */
    const char *name;    /* of the folder, as the list gives it                    */
    char *file, *from;   /* room for two names: FILE/000000000.vtp                 */
    size_t file_size;
    off_t end;     /* of the entries in the list                             */
    int64_t count; /* snapshots in it                                        */
    bool live;     /* grows in place                                         */
    bool broken;   /* a write has failed                                     */
} wy_pvd;

withy_status wy_pvd_open(wy_pvd *x, wy_arena *arena, const char *path, bool at_once,
                         withy_error *err);
/* The file of the next snapshot; then close it and put it into the list. */
withy_status wy_pvd_next(wy_pvd *x, FILE **file, withy_error *err);
withy_status wy_pvd_add(wy_pvd *x, FILE *file, double t, withy_error *err);
/* how: as for a sink.  Frees also when it fails. */
withy_status wy_pvd_close(wy_pvd *x, const char *how, withy_error *err);
void wy_pvd_drop(wy_pvd *x);
