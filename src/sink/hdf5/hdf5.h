/* hdf5.h - access to HDF5: the only file that includes its header hdf5.h.
 *
 * The library is not thread-safe and prints errors, so every function that calls it does so
 * between wy_h5_enter() and wy_h5_leave(): one thread at a time, its own error printing off.
 *
 * The file (shown by `h5dump -H`):
 *   /            attributes format, title, method, version, scene_name
 *   /status      text: "running", then "complete", "interrupted" or "failed: ..."
 *   /scene       text as solved          /notes   text
 *   /options     attributes              /request attributes stop, output, stations
 *   /time /step  [snapshots]             how many snapshots there are: the length of time
 *   /rodI        s [stations], and per quantity [snapshots][stations][size]; attributes name, length,
 *                section, section_a, section_b
 *   /ledger/rodI per entry [snapshots] or [snapshots][size]
 *   /probes/NAME t [samples], value [samples][size]; attributes name, what, at, rod
 * Every data set has attributes unit and doc.  Quantities that a method does not compute are left out.
 */
#pragma once

#include <hdf5.h>

#include "base/base.h"

#define WY_H5_FORMAT "withy 1"

enum { WY_H5_RANK = 3 };

void wy_h5_enter(void);
void wy_h5_leave(void);

/* The cause the library gives for its last failure: the system's text if there was an errno, else
 * the innermost description, else (a later call has cleared it) the text of the caller. */
void wy_h5_cause(char *text, size_t size, const char *otherwise);

/* The type of texts in the file; close it. */
hid_t wy_h5_text_type(void);

/* An attribute; text in UTF-8, NULL as "".  Negative on failure, as HDF5 does. */
int wy_h5_text(hid_t where, const char *name, const char *text);
int wy_h5_number(hid_t where, const char *name, double value);

/* And back; texts from the arena, NULL (a number: 0) when it is not there or not of this kind. */
char *wy_h5_get_text(hid_t where, const char *name, wy_arena *arena);
char *wy_h5_get_data_text(hid_t where, const char *name, wy_arena *arena);
double wy_h5_get_number(hid_t where, const char *name);
