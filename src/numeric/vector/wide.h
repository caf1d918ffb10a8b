/* wide.h - as many doubles as one register of the processor has.  Room: src/numeric.
 *
 * For sums that go through a whole loop: in a vector that is longer than a register gcc 12 keeps them in memory, at ten
 * times the cost (AVX2, vectors of eight).
 */
#pragma once

#if defined __AVX512F__
enum { WY_WIDE = 8 };
#elif defined __AVX__
enum { WY_WIDE = 4 };
#else
enum { WY_WIDE = 2 };
#endif
typedef double wide __attribute__((vector_size(8 * WY_WIDE)));
