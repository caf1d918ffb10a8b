/* superblock.h - the superblock of an HDF5 file: its first 48 bytes.
 *
 * It holds the length of the file and flags that mark it as "being written", which HDF5 corrects only when
 * the file is closed: a killed writer leaves a file that plain readers refuse.
 * Layout: HDF5 File Format Specification 3.0, II.A "Superblock", version 3.
 */
#pragma once

#include "base/base.h"

enum { WY_SUPERBLOCK_SIZE = 48 };

/* Are these the first bytes of an HDF5 file with a superblock of version 3? */
bool wy_superblock_is(const unsigned char *head);

/* Set the length, clear the flags, update the checksum. */
void wy_superblock_set(unsigned char *head, uint64_t length);

/* A file in memory: HDF5 writes the time into the object header that the superblock continues in, so that two files with the same
 * content differ.  It becomes 0. */
void wy_superblock_clear_times(unsigned char *image, size_t size);

/* The checksum of all structures of the format: Jenkins' lookup3. */
uint32_t wy_superblock_checksum(const unsigned char *data, size_t size);
