/* base.h - error messages, memory from an arena, small helpers, and the headers of C that most files need.
 * Room: src/base. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/base.h"
#include "withy/math.h"

#define WY_PI 3.14159265358979323846

/* Behind the key that a message is about, which becomes err->path: "rod.length" WY_KEY " = %g: must be > 0".  A key
 * is words, numbers, dots and brackets. */
#define WY_KEY "\037"
/* The end of a refusal by a method; the registry names the methods that accept the scene instead. */
#define WY_USE_ANOTHER "; use another method"
#define WY_OR_USE_ANOTHER ", or use another method"

/* Write the message and return the code, so that `return wy_fail(err, ...)` reads well. */
withy_status wy_fail(withy_error *err, withy_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with the usual codes. */
#define wy_bad_input(err, ...) wy_fail(err, WITHY_BAD_INPUT, __VA_ARGS__)
#define wy_unsupported(err, ...) wy_fail(err, WITHY_UNSUPPORTED, __VA_ARGS__)
#define wy_no_memory(err, ...) wy_fail(err, WITHY_NO_MEMORY, __VA_ARGS__)
#define wy_no_convergence(err, ...) wy_fail(err, WITHY_NO_CONVERGENCE, __VA_ARGS__)

/* Put a prefix before the message of a failure that has just happened ("rod.rest: ").  Its key counts where the
 * message has none. */
withy_status wy_fail_in(withy_error *err, withy_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Return at once when a call fails. */
#define WY_TRY(call)                                                                               \
    do {                                                                                           \
        const withy_status wy_try_status = (call);                                                 \
        if (wy_try_status != WITHY_OK) return wy_try_status;                                       \
    } while (0)

/* At the head of a public function: refuse pointers that are NULL. */
#define WY_NEED(...)                                                                               \
    WY_TRY(wy_need(__func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                     \
                   sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *), err))
withy_status wy_need(const char *function, const char *names, const void *const *argument,
                     size_t count, withy_error *err);

/* The end of a function that makes x: on success x is handed over, else dropped and *to is NULL. */
#define WY_HAND_OVER(making, x, drop, to)                                                          \
    do {                                                                                           \
        const withy_status made_ = (making);                                                       \
        if (made_ != WITHY_OK) drop(x);                                                            \
        *(to) = made_ == WITHY_OK ? (x) : NULL;                                                    \
        return made_;                                                                              \
    } while (0)

/* All memory of the library goes through these two (zeroed; NULL when there is none). */
void *wy_alloc(size_t count, size_t size);
void wy_free(void *pointer);

/* Memory that is allocated piece by piece and freed all at once. */
typedef struct wy_arena {
    struct wy_arena_block *block;
    size_t bytes; /* taken so far */
} wy_arena;

void *wy_arena_alloc_raw(wy_arena *arena, size_t count, size_t size); /* not zeroed, else as: */
void *wy_arena_alloc(wy_arena *arena, size_t count,
                     size_t size);                      /* zeroed, 64-byte aligned; or NULL */
char *wy_arena_text(wy_arena *arena, const char *text); /* a copy; or NULL */
void wy_arena_free(wy_arena *arena);

/* Many pieces of an arena with one test at the end: `failed` is set if one of them was NULL. */
typedef struct wy_allocator {
    wy_arena *arena;
    int failed;
} wy_allocator;

void *wy_allocator_alloc(wy_allocator *from, size_t count, size_t size);

/* The entry of a list closest to `name` (edit distance at most 3 and less than half its length), or
 * NULL; next(context, i) gives entry i or NULL past the last. */
const char *wy_suggest(const char *name, const char *(*next)(const void *context, int index),
                       const void *context);

/* "; did you mean "x"?" or "" - into a buffer. */
const char *wy_did_you_mean(const char *suggestion, char *buffer, size_t size);
/* The same where a list follows: what separates it from the list is added. */
const char *wy_did_you_mean_or(const char *suggestion, char *buffer, size_t size);

/* Where two texts differ first: both move to the beginning of that line. */
void wy_first_difference(const char **a, const char **b);

/* Are all of them finite?  Four sums of 0 times them: no addition waits for the last one. */
static inline int wy_all_finite(int count, const double *v) {
    double zero[4] = {0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) zero[k] += 0.0 * v[i + k];
    for (; i < count; i++) zero[0] += 0.0 * v[i];
    return zero[0] + zero[1] + zero[2] + zero[3] == 0;
}
static inline double wy_max(double a, double b) {
    return a > b ? a : b;
}
static inline double wy_min(double a, double b) {
    return a < b ? a : b;
}
