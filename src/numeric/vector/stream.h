/* stream.h - numbers of a large network, which come from memory: stores that go there past the caches, for what is
 * not read again soon, and loads that are asked for before they are needed.  Room: src/numeric. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

/* count doubles, an even number; `to` is aligned to 16 bytes.  The thread that stores them reads them at once. */
static inline void wy_stream(double *to, const double *from, size_t count) {
#if defined __SSE2__ && __has_builtin(__builtin_ia32_movntpd)
    typedef double duo __attribute__((vector_size(16)));
    for (size_t i = 0; i < count; i += 2)
        __builtin_ia32_movntpd(&to[i], (duo){from[i], from[i + 1]});
#else
    memcpy(to, from, count * sizeof *to);
#endif
}

/* After the last of them: other threads that are reported of it see them too. */
static inline void wy_stream_end(void) {
#if defined __SSE2__ && __has_builtin(__builtin_ia32_movntpd)
    __builtin_ia32_sfence();
#endif
}

enum { WY_LINE = 64 }; /* bytes of a line of a cache */

/* All lines of so many bytes, to be read soon; to be written soon. */
static inline void wy_fetch(const void *from, size_t bytes) {
    const char *at = (const char *)from - ((uintptr_t)from & (WY_LINE - 1));
    for (; at < (const char *)from + bytes; at += WY_LINE) __builtin_prefetch(at);
}
static inline void wy_fetch_own(const void *from, size_t bytes) {
    const char *at = (const char *)from - ((uintptr_t)from & (WY_LINE - 1));
    for (; at < (const char *)from + bytes; at += WY_LINE) __builtin_prefetch(at, 1);
}
