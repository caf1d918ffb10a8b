/* withy/base.h - status, errors, memory and log hooks, version.
 *
 * Every function that can fail returns a withy_status and writes one finished message into the
 * caller's withy_error (which may be NULL).  The library never prints, exits or aborts.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WITHY_API __attribute__((visibility("default")))
#else
#define WITHY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WITHY_VERSION_MAJOR 0
#define WITHY_VERSION_MINOR 2
#define WITHY_VERSION_PATCH 0
#define WITHY_VERSION "0.2.0"

/* Code, name, message.  Expanded here and in src/base/status.c. */
#define WITHY_STATUS_LIST(X)                                                                       \
    X(WITHY_OK, "ok", "success")                                                                   \
    X(WITHY_BAD_INPUT, "bad_input", "the input is not valid")                                      \
    X(WITHY_UNSUPPORTED, "unsupported", "the method cannot express this problem")                  \
    X(WITHY_NO_CONVERGENCE, "no_convergence", "the numerical solution failed")                     \
    X(WITHY_NO_MEMORY, "no_memory", "memory ran out")                                              \
    X(WITHY_IO, "io", "a file could not be read or written")                                       \
    X(WITHY_INTERRUPTED, "interrupted", "stopped on request")                                      \
    X(WITHY_MISSING, "missing", "not in this build")

typedef enum withy_status {
#define WITHY_STATUS_CODE(code, name, message) code,
    WITHY_STATUS_LIST(WITHY_STATUS_CODE)
#undef WITHY_STATUS_CODE
} withy_status;

enum { WITHY_ERROR_TEXT = 1024, WITHY_ERROR_PATH = 256 };

/* Filled on failure: the code and one message: where, what, what is allowed, what to do.  As data: the key of the scene
 * that the message is about, and its line. */
typedef struct withy_error {
    withy_status code;
    int line;                    /* of the scene file; 0: not known, or not of a file           */
    char path[WITHY_ERROR_PATH]; /* "rods[1].ends.start.tangent"; "" when it is about no key; of a
                                  * key that is not known the path of its table                 */
    char text[WITHY_ERROR_TEXT];
} withy_error;

/* The message of a code, never NULL. */
WITHY_API const char *withy_status_text(withy_status code);
/* Its name for programs, "bad_input", never NULL. */
WITHY_API const char *withy_status_name(withy_status code);

/* "0.2.0" of the library that is linked (compare with WITHY_VERSION of the header). */
WITHY_API const char *withy_version(void);

/* The kind of inner loops that runs, chosen when the library is loaded: the best that the processor has, or that named
 * by the environment variable WITHY_KERNELS: "base" (any processor), "v3" (x86-64 with AVX2), "v4" (with AVX-512).  Fails
 * when WITHY_KERNELS names what is not there; the best runs then, and no simulation is created. */
WITHY_API withy_status withy_kernel(const char **name, withy_error *err);

/* Replace malloc and free for all memory of the library.  Call before anything else, or not at all.
 * take(size) returns memory aligned like malloc's; give(pointer) must accept NULL. */
WITHY_API void withy_memory_hooks(void *(*take)(size_t size), void (*give)(void *pointer));

/* Number of blocks allocated and not yet freed, and number of allocations since the start. */
WITHY_API size_t withy_memory_blocks(void);
WITHY_API size_t withy_memory_allocations(void);

#ifdef __cplusplus
}
#endif
