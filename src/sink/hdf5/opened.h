/* opened.h - a file of withy that is open for reading: what the readers of results and of sweeps share. */
#pragma once

#include "sink/hdf5/object.h"

/* Its reader begins with this. */
typedef struct wy_opened {
    wy_arena arena; /* of all that is read */
    const char *path;
    wy_store store;
    wy_object root;
} wy_opened;

/* For a public function: a new reader of `size` bytes, filled by `read`.  result: the pointer that is set to it, or to
 * NULL when it fails; who: the name of the function, which refuses what is NULL. */
withy_status wy_opened_read(const char *who, const char *path, size_t size,
                            withy_status (*read)(void *reader, withy_error *err), void *result,
                            withy_error *err);
void wy_opened_free(void *reader);

/* WITHY_IO and why something in it cannot be read. */
withy_status wy_opened_damaged(const wy_opened *file, const char *what, withy_error *err);
