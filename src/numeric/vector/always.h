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

/* NAME_load and NAME_store of a vector type: neighbours in memory, wherever they begin. */
#define WY_VECTOR_IN_MEMORY(name)                                                                  \
    WY_ALWAYS name name##_load(const double *from) {                                               \
        name out;                                                                                  \
        __builtin_memcpy(&out, from, sizeof out);                                                  \
        return out;                                                                                \
    }                                                                                              \
    WY_ALWAYS void name##_store(double *to, name from) {                                           \
        __builtin_memcpy(to, &from, sizeof from);                                                  \
    }
