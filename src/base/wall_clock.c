/* wall_clock.c - see wall_clock.h.  C17 has only the calendar clock, which jumps when it is set, and no word for pages. */
#if defined(_POSIX_C_SOURCE) && defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "base/wall_clock.h"

#include <stdint.h>
#include <time.h>

double wy_wall_clock(void) {
    struct timespec now = {0};
#ifdef _POSIX_C_SOURCE
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void wy_large_pages(void *from, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 2 * 1024 * 1024 };
    const uintptr_t first = ((uintptr_t)from + PAGE - 1) / PAGE * PAGE;
    const uintptr_t last = ((uintptr_t)from + bytes) / PAGE * PAGE;
    if (last > first + PAGE) (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)from, (void)bytes;
#endif
}
