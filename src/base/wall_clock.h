/* wall_clock.h - what needs more than C17: elapsed time, large pages. */
#pragma once

#include <stddef.h>

double wy_wall_clock(void); /* since an arbitrary moment [s] */

/* Many megabytes in large pages: the addresses of a network of thousands of rods are then found without a walk
 * through tables of pages.  A request: where it is refused, nothing changes. */
void wy_large_pages(void *from, size_t bytes);
