/* hdf5.h - access to HDF5: the only file that includes its header hdf5.h.  Only writing needs it: results
 * are read without (store.h).
 *
 * The library is not thread-safe and prints errors, so every function that calls it does so
 * between wy_h5_enter() and wy_h5_leave(): one thread at a time, its own error printing off.
 */
#pragma once

#include <hdf5.h>

#include "base/base.h"
#include "sink/hdf5/layout.h"

enum { WY_H5_RANK = 3 };

void wy_h5_enter(void);
void wy_h5_leave(void);
/* Would so much memory be there?  Where it runs out inside the library, that calls itself without end, or ends the
 * program: what it may need is asked for before. */
enum { WY_H5_ROOM = 8 << 20, WY_H5_ROOM_ROD = 32 << 10, WY_H5_ROOM_ROWS = 2 << 20 };
bool wy_h5_has_room(size_t bytes);

/* The cause the library gives for its last failure: the system's text if there was an errno, else
 * the innermost description, else (a later call has cleared it) the text of the caller. */
void wy_h5_cause(char *text, size_t size, const char *otherwise);

/* The format in the file stays the same whatever newer libraries could write, so that it can be read
 * without them (store.h). */
#if H5_VERSION_GE(1, 10, 3)
#define WY_H5_LIBRARY H5F_LIBVER_V110
#else
#define WY_H5_LIBRARY H5F_LIBVER_LATEST
#endif

/* The type of a text of this many bytes; close it.  All texts are of fixed length: those of variable
 * length are kept in a heap without checksums. */
hid_t wy_h5_text_type(size_t size);

/* An attribute; text in UTF-8, NULL as "".  Negative on failure, as HDF5 does. */
int wy_h5_text(hid_t where, const char *name, const char *text);
int wy_h5_number(hid_t where, const char *name, double value);
