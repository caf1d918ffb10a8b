/* kernels.c - which kind of the kernels runs: the best that the processor has, or what WITHY_KERNELS asks for.
 *
 * Chosen once, before the program begins: a kind that changed while steps are made would change their last bits.  So
 * what is wrong with WITHY_KERNELS is reported later, to whoever asks (the program, the creation of a simulation).
 */
#include "base/kernels.h"

#include <stdlib.h>

#include "base/base.h"

static const char *const kind_name[] = {
#define ROW(name) [WY_KERNEL_##name] = #name,
    WY_KERNEL_KINDS(ROW)
#undef ROW
};

#ifdef WITHY_KINDS
static const int choice = 1;

static int best_kind(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return WY_KERNEL_base;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return WY_KERNEL_v3;
    return WY_KERNEL_v4;
}
#else
static const int choice = 0;

static int best_kind(void) {
    return WY_KERNEL_base;
}
#endif

/* Of a name, -1 without one of this name. */
static int kind_of(const char *name) {
    int k = WY_KERNEL_COUNT - 1;
    while (k >= 0 && strcmp(kind_name[k], name) != 0) k--;
    return k;
}

/* What is asked for, NULL: nothing; a web page has no environment. */
static const char *asked_kind(void) {
#ifdef __wasm__
    return NULL;
#else
    const char *asked = getenv("WITHY_KERNELS");
    return asked && asked[0] ? asked : NULL;
#endif
}

#ifdef WITHY_KINDS
static int running = WY_KERNEL_base;

static int chosen_kind(void) {
    const int best = best_kind(), asked = asked_kind() ? kind_of(asked_kind()) : best;
    return asked >= 0 && asked <= best ? asked : best;
}

__attribute__((constructor)) static void choose(void) {
    running = chosen_kind();
    for (int i = 0; i < wy_kernel_rows; i++) wy_kernel_now[i] = wy_kernel_of[i][running];
}
#else
static const int running = WY_KERNEL_base;
#endif

withy_status withy_kernel(const char **name, withy_error *err) {
    if (name) *name = kind_name[running];
    const char *asked = asked_kind();
    if (!asked) return WITHY_OK;
    const int k = kind_of(asked), best = best_kind();
    if (k < 0)
        return wy_bad_input(err, "WITHY_KERNELS is \"%s\"; it is base, v3 or v4, or is not set",
                            asked);
    if (k > best)
        return wy_bad_input(err,
                            "WITHY_KERNELS is \"%s\", which %s; its best is %s, which runs when "
                            "WITHY_KERNELS is not set",
                            asked,
                            choice ? "this processor does not have" : "this build does not have",
                            kind_name[best]);
    return WITHY_OK;
}
