/* file.h - our own file under HDF5 (a "virtual file driver"), for two reasons.
 *
 * HDF5 does not survive a write that fails: it crashes when the program ends.  Here a failed write is
 * recorded, this and all later ones are dropped without reporting to HDF5; what is on disk stays as
 * it was after the last write that succeeded.
 *
 * A killed writer must leave a file that any program can open.  HDF5's single-writer mode keeps the file
 * consistent but for the superblock, which is handled here: every time it is written, and whenever the
 * file grows, the flags are cleared and the length is that of the file, which runs ahead of what is used.
 */
#pragma once

#include "sink/hdf5/hdf5.h"

typedef struct wy_h5_file {
    int descriptor;
    int error;       /* 0, or the errno of the first write that failed        */
    uint64_t length; /* of the file                                           */
    uint64_t used;   /* the part HDF5 has allocated */
} wy_h5_file;

/* Open an HDF5 file that exists for writing, in single-writer mode, through `file`, whose descriptor is
 * open for reading and writing and which must outlive it.  Negative on failure. */
hid_t wy_h5_file_open(wy_h5_file *file, const char *path);

/* Write past HDF5, also after an error.  0, or an errno. */
int wy_h5_file_put(const wy_h5_file *file, const void *data, size_t size, uint64_t at);

/* After H5Fclose: cut the file to the part that is used. */
void wy_h5_file_trim(wy_h5_file *file);
