/* atomic_file.h - the one file through which files are written, here and in the program.
 *
 * A file is written next to its place, in the same folder, under a name of its own that no other file has
 * (O_EXCL, O_NOFOLLOW): STEM.part-XXXXXX.ENDING.  When all its bytes are on the disk it is moved to its
 * place, over the old file; if anything fails before, the old file stays and the new one is removed.  A
 * link at that place is replaced, not followed; a folder, a pipe or a device is refused.
 *
 * Functions return 0 or an errno.
 */
#pragma once

#include <sys/types.h>
#include <time.h>

#include "base/base.h"

typedef struct wy_atomic_file {
    char *path;     /* where it goes                                                        */
    char *name;     /* where it is until then; NULL: nothing is open                        */
    int descriptor; /* for reading and writing                                              */
    FILE *stream;   /* the same, buffered; NULL: not asked for                              */
    int old;        /* the file that it replaces, locked; -1: none, or not locked           */
    bool is_new;    /* there was no file at its place                                       */
    bool shown;     /* it has its place already, and grows there                            */
    bool result;    /* of a computation: finished when the program is asked to stop         */
    bool settled;   /* its bytes are on the disk, and it is closed                          */
    dev_t device;   /* of the folder, and which one: the same place under another spelling  */
    ino_t folder;
    struct wy_atomic_file *next; /* all that are open */
} wy_atomic_file;

/* "PATH: cannot be written: why; what to do", from an errno. */
withy_status wy_cannot_write(const char *path, int code, withy_error *err);

/* `result`: the old file is locked, so that no other program writes it at the same time.  *file must not
 * move while it is open. */
int wy_atomic_file_open(wy_atomic_file *file, const char *path, bool result);
int wy_atomic_file_stream(wy_atomic_file *file);
int wy_atomic_file_put(const wy_atomic_file *file, const void *data, size_t size, off_t at);
int wy_bytes_put(int descriptor, const void *data, size_t size, off_t at); /* of any file */
/* Take the place now and grow there, as there is no old file: what a kill leaves is found under its name. */
int wy_atomic_file_show(wy_atomic_file *file);
/* The same over an old file, which is replaced. */
int wy_atomic_file_take(wy_atomic_file *file);
/* Everything to the disk, and close; then take the place.  On failure the file is removed; where its name was taken
 * from it, what it held is kept (wy_atomic_file_guard). */
int wy_atomic_file_settle(wy_atomic_file *file);
int wy_atomic_file_place(wy_atomic_file *file);
int wy_atomic_file_keep(wy_atomic_file *file); /* both */
/* Close and remove; one that is shown stays. */
void wy_atomic_file_drop(wy_atomic_file *file);
/* Of a text that could not be written to its end: whole lines of it take the place, and `remark` after them if there is
 * room, where there was no file; else it is removed.  Returns whether it was kept. */
bool wy_atomic_file_rescue(wy_atomic_file *file, const char *remark);
/* Close; it stays under its own name. */
void wy_atomic_file_leave(wy_atomic_file *file);
/* Of any stream: has everything been written, and is it on the disk? */
int wy_stream_sync(FILE *stream);
/* Is it the open file that has this name? */
bool wy_atomic_file_is(const char *name, int descriptor);
/* The open file has `name` until it takes its place `path` (or that already).  0, or an errno: ESTALE, when the name was
 * taken from it; all that it holds is then in a new file, of which wy_cannot_write tells. */
int wy_atomic_file_guard(const char *path, const char *name, int descriptor);
/* Could it be written?  Touches nothing. */
int wy_atomic_file_try(const char *path);

/* ---- what an earlier run has left --------------------------------------------------------------- */

/* A file that belongs to the same result and that the new one does not have. */
typedef struct wy_leftover {
    char *path; /* NULL: there is none */
    dev_t device;
    ino_t file;
    struct timespec changed;
} wy_leftover;

/* When the new result is begun; path must stay. */
void wy_leftover_note(wy_leftover *left, char *path);
/* When it is in its place: remove it, unless something else has come there since, or it could not be
 * replaced either: it is protected, or open elsewhere.  It stays then, and the new result is whole. */
void wy_leftover_remove(const wy_leftover *left);

/* ---- folders of our own ------------------------------------------------------------------------- */

typedef struct wy_temporary_folder {
    char path[4096]; /* "": none is open */
    struct wy_temporary_folder *next;
} wy_temporary_folder;

/* A new folder BEGIN and six characters, with the rights `mode` less the umask. */
int wy_temporary_folder_open(wy_temporary_folder *folder, const char *begin, mode_t mode);
void wy_temporary_folder_close(
    wy_temporary_folder *folder); /* remove it with its files; errno is kept */
void wy_temporary_folder_release(wy_temporary_folder *folder); /* it stays */

/* ---- a program that ends early ------------------------------------------------------------------ */

/* Is a result being written, that a computation can finish? */
bool wy_atomic_file_results(void);
/* Remove all that is not in its place; from now on nothing can be opened: whoever tries waits for ever.  To
 * be called once, before the program ends. */
void wy_atomic_file_abandon(void);

/* The registry behind these, for the two files that keep it. */
void wy_registry_enter(void);
void wy_registry_leave(void);
void wy_temporary_folder_abandon(void);
/* Six characters, different at each call: of the clock, the process and a count. */
void wy_registry_letters(char letters[7]);
