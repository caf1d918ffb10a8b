/* opencl.c - see opencl.h. */
#include "base/opencl.h"

#ifdef WITHY_HAVE_LIB_OPENCL

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64, LOG = 4096 };

struct wy_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    char text[256];
};

struct wy_kernel {
    wy_device *device;
    cl_program program;
    cl_kernel kernel;
    cl_event last; /* NULL: nothing was launched */
};

struct wy_buffer {
    wy_device *device;
    cl_mem memory;
};

/* ---- devices --------------------------------------------------------------------------------- */

static int has_doubles(cl_device_id id) {
    cl_device_fp_config config = 0;
    cl_bool compiler = CL_FALSE;
    clGetDeviceInfo(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    return clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL) ==
               CL_SUCCESS &&
           config != 0 && compiler;
}

/* The loader of OpenCL starts libraries that these name: none is taken from the current folder. */
static const char *unsafe_variable(void) {
    static const char *const variable[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH",
                                           "OCL_ICD_FILENAMES", "OPENCL_LAYERS"};
    for (size_t i = 0; i < sizeof variable / sizeof *variable; i++)
        for (const char *at = getenv(variable[i]); at && *at; at += at[0] == ':') {
            if (*at != '/') return variable[i];
            at += strcspn(at, ":");
        }
    return NULL;
}

/* All devices with doubles, into an array; *found_all: those without them too. */
static int list_devices(cl_device_id out[MOST_DEVICES], int *found_all) {
    cl_platform_id platform[MOST_PLATFORMS];
    cl_uint platforms = 0, found = 0;
    int count = 0;
    *found_all = 0;
    if (unsafe_variable()) return 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platform, &platforms) != CL_SUCCESS) return 0;
    for (cl_uint i = 0; i < platforms && i < MOST_PLATFORMS; i++) {
        cl_device_id id[MOST_DEVICES];
        if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, id, &found) != CL_SUCCESS)
            continue;
        for (cl_uint k = 0; k < found && k < MOST_DEVICES; k++, (*found_all)++)
            if (has_doubles(id[k]) && count < MOST_DEVICES) out[count++] = id[k];
    }
    return count;
}

static int is_gpu(cl_device_id id) {
    cl_device_type type = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return (type & CL_DEVICE_TYPE_GPU) != 0;
}

static void name_of(cl_device_id id, char *text, size_t size) {
    char name[128] = "", maker[100] = "";
    cl_platform_id platform = NULL;
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof maker - 1, maker, NULL);
    snprintf(text, size, "%s (%s)", name, maker);
}

int wy_device_count(void) {
    cl_device_id id[MOST_DEVICES];
    int found_all;
    return list_devices(id, &found_all);
}

int wy_device_name(int index, char *text, size_t size) {
    cl_device_id id[MOST_DEVICES];
    int found_all;
    if (index < 0 || index >= list_devices(id, &found_all)) return 0;
    name_of(id[index], text, size);
    return 1;
}

int wy_device_is_gpu(int index) {
    cl_device_id id[MOST_DEVICES];
    int found_all;
    const int count = list_devices(id, &found_all);
    for (int i = 0; i < count; i++)
        if ((index < 0 || i == index) && is_gpu(id[i])) return 1;
    return 0;
}

static withy_status failed(const wy_device *device, const char *what, cl_int code,
                           withy_error *err) {
    const int memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
                       code == CL_OUT_OF_HOST_MEMORY;
    return wy_fail(err, memory ? WITHY_NO_MEMORY : WITHY_MISSING,
                   "OpenCL: %s failed on %s with error %d%s", what, device->text, (int)code,
                   memory ? ": its memory may be too small; take fewer members at a time" : "");
}

static withy_status no_device(int index, int count, int found_all, withy_error *err) {
    if (unsafe_variable())
        return wy_fail(err, WITHY_BAD_INPUT,
                       "OpenCL: %s names a library below the current folder; give full paths, or "
                       "leave it out",
                       unsafe_variable());
    if (count > 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "OpenCL: there is no device %d; there are %d, counted from 0", index, count);
    if (found_all > 0)
        return wy_fail(err, WITHY_MISSING,
                       "OpenCL: none of the %d devices computes in double precision; use another "
                       "engine",
                       found_all);
    return wy_fail(err, WITHY_MISSING,
                   "OpenCL: no device was found; install the driver of the GPU, or pocl for the "
                   "processor (on NVIDIA machines OCL_ICD_FILENAMES=libnvidia-opencl.so.1 may be "
                   "needed in the environment), or use another engine");
}

static withy_status open_queue(wy_device *x, withy_error *err) {
    cl_int code;
    x->context = clCreateContext(NULL, 1, &x->id, NULL, NULL, &code);
    if (!x->context) return failed(x, "clCreateContext", code, err);
    x->queue = clCreateCommandQueue(x->context, x->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (!x->queue) return failed(x, "clCreateCommandQueue", code, err);
    return WITHY_OK;
}

withy_status wy_device_open(int index, wy_device **device, withy_error *err) {
    cl_device_id id[MOST_DEVICES];
    int found_all, at = index;
    const int count = list_devices(id, &found_all);
    *device = NULL;
    for (int i = 0; index < 0 && i < count && at < 0; i++)
        if (is_gpu(id[i])) at = i;
    if (at < 0) at = 0;
    if (at >= count) return no_device(index, count, found_all, err);
    wy_device *x = wy_alloc(1, sizeof *x);
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a device");
    x->id = id[at];
    name_of(x->id, x->text, sizeof x->text);
    WY_HAND_OVER(open_queue(x, err), x, wy_device_close, device);
}

void wy_device_close(wy_device *device) {
    if (!device) return;
    if (device->queue) clReleaseCommandQueue(device->queue);
    if (device->context) clReleaseContext(device->context);
    wy_free(device);
}

static const char *text_of(const wy_device *device) {
    return device->text;
}

static size_t local_memory(const wy_device *device) {
    cl_ulong size = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, NULL);
    return (size_t)size;
}

static size_t most_items(const wy_device *device) {
    size_t most = 1;
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    return most;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The first line of the log of the compiler that speaks of an error, or the first of all. */
static withy_status not_built(wy_kernel *x, cl_int code, withy_error *err) {
    char *log = wy_alloc(LOG, 1);
    if (!log) return failed(x->device, "clBuildProgram", code, err);
    clGetProgramBuildInfo(x->program, x->device->id, CL_PROGRAM_BUILD_LOG, LOG - 1, log, NULL);
    char *line = strstr(log, "error");
    if (!line) line = log;
    line[strcspn(line, "\n")] = 0;
    const withy_status status =
        wy_fail(err, WITHY_MISSING, "OpenCL: %s does not compile the kernel (error %d): %.300s",
                x->device->text, (int)code, line);
    wy_free(log);
    return status;
}

static withy_status build(wy_kernel *x, const char *source, const char *options, const char *name,
                          withy_error *err) {
    cl_int code;
    wy_device *device = x->device;
    x->program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (!x->program) return failed(device, "clCreateProgramWithSource", code, err);
    code = clBuildProgram(x->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) return not_built(x, code, err);
    x->kernel = clCreateKernel(x->program, name, &code);
    return x->kernel ? WITHY_OK : failed(device, "clCreateKernel", code, err);
}

static void kernel_free(wy_kernel *kernel) {
    if (!kernel) return;
    if (kernel->last) clReleaseEvent(kernel->last);
    if (kernel->kernel) clReleaseKernel(kernel->kernel);
    if (kernel->program) clReleaseProgram(kernel->program);
    wy_free(kernel);
}

static withy_status kernel_make(wy_device *device, const char *source, const char *options,
                                const char *name, wy_kernel **kernel, withy_error *err) {
    wy_kernel *x = wy_alloc(1, sizeof *x);
    *kernel = NULL;
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a kernel");
    x->device = device;
    WY_HAND_OVER(build(x, source, options, name, err), x, kernel_free, kernel);
}

static withy_status kernel_int(wy_kernel *kernel, int index, int value, withy_error *err) {
    const cl_int own = value,
                 code = clSetKernelArg(kernel->kernel, (cl_uint)index, sizeof own, &own);
    return code == CL_SUCCESS ? WITHY_OK : failed(kernel->device, "clSetKernelArg", code, err);
}

static withy_status kernel_buffer(wy_kernel *kernel, int index, const wy_buffer *buffer,
                                  withy_error *err) {
    const cl_int code =
        clSetKernelArg(kernel->kernel, (cl_uint)index, sizeof(cl_mem), &buffer->memory);
    return code == CL_SUCCESS ? WITHY_OK : failed(kernel->device, "clSetKernelArg", code, err);
}

static withy_status kernel_launch(wy_kernel *kernel, size_t groups, size_t items,
                                  withy_error *err) {
    const size_t all = groups * items;
    if (kernel->last) clReleaseEvent(kernel->last);
    kernel->last = NULL;
    const cl_int code = clEnqueueNDRangeKernel(kernel->device->queue, kernel->kernel, 1, NULL, &all,
                                               &items, 0, NULL, &kernel->last);
    if (code != CL_SUCCESS) return failed(kernel->device, "a launch", code, err);
    clFlush(kernel->device->queue);
    return WITHY_OK;
}

static withy_status kernel_wait(wy_kernel *kernel, double *seconds, withy_error *err) {
    cl_ulong from = 0, to = 0;
    *seconds = 0;
    const cl_int code = clFinish(kernel->device->queue);
    if (code != CL_SUCCESS) return failed(kernel->device, "a kernel", code, err);
    if (!kernel->last) return WITHY_OK;
    clGetEventProfilingInfo(kernel->last, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
    clGetEventProfilingInfo(kernel->last, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
    *seconds = 1e-9 * (double)(to - from);
    return WITHY_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static withy_status buffer_make(wy_device *device, size_t bytes, wy_buffer **buffer,
                                withy_error *err) {
    wy_buffer *x = wy_alloc(1, sizeof *x);
    cl_int code;
    *buffer = NULL;
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a buffer");
    x->device = device;
    x->memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &code);
    if (!x->memory) {
        wy_free(x);
        return failed(device, "clCreateBuffer", code, err);
    }
    *buffer = x;
    return WITHY_OK;
}

static void buffer_free(wy_buffer *buffer) {
    if (!buffer) return;
    clReleaseMemObject(buffer->memory);
    wy_free(buffer);
}

static withy_status buffer_write(wy_buffer *buffer, const void *from, size_t bytes,
                                 withy_error *err) {
    if (bytes == 0) return WITHY_OK;
    const cl_int code = clEnqueueWriteBuffer(buffer->device->queue, buffer->memory, CL_TRUE, 0,
                                             bytes, from, 0, NULL, NULL);
    return code == CL_SUCCESS ? WITHY_OK : failed(buffer->device, "writing", code, err);
}

static withy_status buffer_read(const wy_buffer *buffer, void *to, size_t bytes, withy_error *err) {
    if (bytes == 0) return WITHY_OK;
    const cl_int code = clEnqueueReadBuffer(buffer->device->queue, buffer->memory, CL_TRUE, 0,
                                            bytes, to, 0, NULL, NULL);
    return code == CL_SUCCESS ? WITHY_OK : failed(buffer->device, "reading", code, err);
}

const wy_device_calls wy_on_device = {
    text_of,       local_memory, most_items,  kernel_make, kernel_free,  kernel_int, kernel_buffer,
    kernel_launch, kernel_wait,  buffer_make, buffer_free, buffer_write, buffer_read};

#else

int wy_device_count(void) {
    return 0;
}
int wy_device_name(int index, char *text, size_t size) {
    (void)index, (void)text, (void)size;
    return 0;
}

int wy_device_is_gpu(int index) {
    (void)index;
    return 0;
}

withy_status wy_device_open(int index, wy_device **device, withy_error *err) {
    (void)index;
    *device = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "OpenCL: not in this build; install the OpenCL headers and loader (Debian: "
                   "ocl-icd-opencl-dev) and build again, or use another engine");
}
void wy_device_close(wy_device *device) {
    (void)device;
}

const wy_device_calls wy_on_device;

#endif
