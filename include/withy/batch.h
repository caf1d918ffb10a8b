/* withy/batch.h - many simulations advanced together: thousands on a GPU, or eight to a vector.
 *
 *     withy_batch_options how = withy_batch_default();
 *     how.engine = WITHY_ENGINE_OPENCL;
 *     withy_batch_create(sim, count, &how, &batch, &err);
 *     withy_batch_advance(batch, 0.5, &err);
 *     withy_sim_sample(sim[7], 0);
 *     withy_batch_destroy(batch);
 *
 * The simulations stay what they are: between two calls each can be sampled, saved and advanced alone.
 * They must have one method, which can do batches (fdtd), and on a device differ in numbers only: the
 * same options.n and order.  Memory is allocated in create, none in advance.
 */
#pragma once

#include "withy/sim.h"
#include "withy/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What makes the steps. */
typedef enum withy_engine {
    WITHY_ENGINE_AUTO,   /* a GPU where there is one and it can do all members, else vectors */
    WITHY_ENGINE_VECTOR, /* the processor, eight rods to a vector; one by one those whose loads or
                          * ends are functions of time, joined rods and the literal scheme   */
    WITHY_ENGINE_OPENCL  /* a device with OpenCL and double precision                        */
} withy_engine;

typedef struct withy_batch_options {
    size_t size;         /* sizeof(withy_batch_options): set by withy_batch_default          */
    withy_engine engine; /*                                                                  */
    int device;          /* of withy_device_name, -1: the first GPU, or else the first       */
    int threads;         /* of the host, 0: as many as it has                                */
} withy_batch_options;

typedef struct withy_batch withy_batch;

WITHY_API withy_batch_options withy_batch_default(void);

/* Devices with OpenCL and double precision: "NVIDIA H200 (NVIDIA CUDA)"; returns 0 past the last. */
WITHY_API int withy_device_name(int index, char *text, size_t size);

/* The simulations must outlive the batch.  A member that the engine cannot do is refused and named;
 * members are counted from 1 in messages. */
WITHY_API withy_status withy_batch_create(withy_sim *const *sim, int count,
                                          const withy_batch_options *how, withy_batch **batch,
                                          withy_error *err);

/* What makes the steps: "OpenCL on NVIDIA H200 (NVIDIA CUDA)", "vectors of eight rods". */
WITHY_API const char *withy_batch_engine(const withy_batch *batch);

/* Advance all to t.  A member that fails is left as it was and does not stop the others; the first such
 * failure is returned, all of them are known from withy_batch_failure. */
WITHY_API withy_status withy_batch_advance(withy_batch *batch, double t, withy_error *err);
/* Of the last advance: WITHY_OK, or why the member failed. */
WITHY_API withy_status withy_batch_failure(const withy_batch *batch, int member, withy_error *err);

/* Positions that the last advance has recorded for a probe of the member (request.probe, quantity
 * "position", its interval a whole number of steps): *count of them, laboratory [m], at the multiples of
 * its interval after the start of the advance.  NULL: the probe is not recorded on the way. */
WITHY_API const withy_vec3 *withy_batch_probe(const withy_batch *batch, int member, int probe,
                                              int64_t *count);

/* Time that a device has computed so far, transfers not counted [s]; 0: no device. */
WITHY_API double withy_batch_seconds(const withy_batch *batch);

WITHY_API void withy_batch_destroy(withy_batch *batch); /* NULL is fine */

/* ---- whole runs ---------------------------------------------------------------------------------- */

/* What withy_study_run does for each of the studies, whose steps are made together: files, probes and reports are
 * those of withy_study_run to rounding, and the same to the last bit in any company and by any number of threads.
 * status[count] and error[count] are those of the members; what is returned concerns all: an engine that is not
 * there.  Under WITHY_ENGINE_OPENCL a member that the device cannot do fails with its message, otherwise it
 * is stepped by the processor.  Functions and callbacks of different studies are called by several
 * threads at once unless how->threads is 1. */
WITHY_API withy_status withy_study_run_batch(const withy_study *const *study, int count,
                                             const withy_batch_options *how,
                                             withy_report *const *report, withy_status *status,
                                             withy_error *error, withy_error *err);

#ifdef __cplusplus
}
#endif
