/* opencl.h - a device that runs kernels: the only user of OpenCL.  Room: src/base.
 *
 * Everything is refused with a message where the library was built without OpenCL, no platform is
 * installed, or a device lacks double precision.  Commands are carried out in order; launch and write
 * return at once, read waits.
 */
#pragma once

#include "base/base.h"

typedef struct wy_device wy_device;
typedef struct wy_kernel wy_kernel;
typedef struct wy_buffer wy_buffer;

/* Devices with double precision; 0 where there is none, or no OpenCL. */
int wy_device_count(void);
/* "NVIDIA H200 (NVIDIA CUDA)"; 0 past the last. */
int wy_device_name(int index, char *text, size_t size);
int wy_device_is_gpu(int index); /* index < 0: is there one? */
/* index < 0: the first GPU, or if there is none the first device. */
withy_status wy_device_open(int index, wy_device **device, withy_error *err);
void wy_device_close(wy_device *device); /* NULL is fine; kernels and buffers first */

/* What can be done with a device that is open; all NULL where none can be opened. */
typedef struct wy_device_calls {
    const char *(*text)(const wy_device *device);    /* its name */
    size_t (*local_memory)(const wy_device *device); /* of a work-group [bytes] */
    size_t (*most_items)(const wy_device *device);   /* of a work-group */

    /* The kernel `name` of a source under build options. */
    withy_status (*kernel_make)(wy_device *device, const char *source, const char *options,
                                const char *name, wy_kernel **kernel, withy_error *err);
    void (*kernel_free)(wy_kernel *kernel);
    /* Arguments by position; then groups of `items` work-items. */
    withy_status (*kernel_int)(wy_kernel *kernel, int index, int value, withy_error *err);
    withy_status (*kernel_buffer)(wy_kernel *kernel, int index, const wy_buffer *buffer,
                                  withy_error *err);
    withy_status (*kernel_launch)(wy_kernel *kernel, size_t groups, size_t items, withy_error *err);
    /* Waits for what was launched; *seconds: what the device spent in the last launch. */
    withy_status (*kernel_wait)(wy_kernel *kernel, double *seconds, withy_error *err);

    /* At least one byte is taken. */
    withy_status (*buffer_make)(wy_device *device, size_t bytes, wy_buffer **buffer,
                                withy_error *err);
    void (*buffer_free)(wy_buffer *buffer);
    withy_status (*buffer_write)(wy_buffer *buffer, const void *from, size_t bytes,
                                 withy_error *err);
    withy_status (*buffer_read)(const wy_buffer *buffer, void *to, size_t bytes, withy_error *err);
} wy_device_calls;
extern const wy_device_calls wy_on_device;
