/* super.h - the superblock of an HDF5 file: its first 48 bytes.
 *
 * It holds the length of the file and flags that say "being written", which HDF5 sets right only when
 * the file is closed: a killed writer leaves a file that plain readers refuse.
 * Layout: HDF5 File Format Specification 3.0, II.A "Superblock", version 3.
 */
#pragma once

#include "base/base.h"

enum { WY_SUPER_SIZE = 48 };

/* Are these the first bytes of an HDF5 file with a superblock of version 3? */
bool wy_super_is(const unsigned char *head);

/* Set the length, clear the flags, put the checksum right. */
void wy_super_set(unsigned char *head, uint64_t length);
