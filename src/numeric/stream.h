/* stream.h - stores that go to memory past the caches, for what is not read again soon.  Room: src/numeric. */
#pragma once

#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* count doubles, an even number; `to` is aligned to 16 bytes.  The thread that stores them sees them at once. */
static inline void wy_stream(double *to, const double *from, size_t count) {
#ifdef __SSE2__
    for (size_t i = 0; i < count; i += 2) _mm_stream_pd(&to[i], _mm_loadu_pd(&from[i]));
#else
    memcpy(to, from, count * sizeof *to);
#endif
}

/* After the last of them: other threads that are told of it see them too. */
static inline void wy_stream_end(void) {
#ifdef __SSE2__
    _mm_sfence();
#endif
}
