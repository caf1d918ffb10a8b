/* kernels.h - the table of the kernels and the kinds of processor that they are compiled for (cmake/kernels.cmake,
 * docs/performance.md).  Room: src/base. */
#pragma once

#define WY_KERNEL_KINDS(X) X(base) X(v3) X(v4)

enum {
#define WY_KERNEL_KIND(name) WY_KERNEL_##name,
    WY_KERNEL_KINDS(WY_KERNEL_KIND)
#undef WY_KERNEL_KIND
        WY_KERNEL_COUNT
};

typedef void wy_any_kernel(void); /* whatever it takes and returns: it is only jumped to */

/* generated: each kernel of every kind, and the one that runs, to which a function of its name jumps */
extern wy_any_kernel *const wy_kernel_of[][WY_KERNEL_COUNT];
extern wy_any_kernel *wy_kernel_now[];
extern const int wy_kernel_rows;
