/* always.h - functions of the kernels that are inlined whatever their size.  Room: src/numeric.
 *
 * So that the degree of an element, or the order of a scheme, is a constant in them.  Not without optimisation, and not
 * under the sanitizers, whose checks would make that a compilation of a minute.
 */
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define WY_ALWAYS static inline __attribute__((unused))
#else
#define WY_ALWAYS static inline __attribute__((always_inline))
#endif
