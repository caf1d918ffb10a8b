/* ensemble.h - runs of many studies at once: each as withy_study_run, their steps made together (study/run/ensemble.h). */
#pragma once

#include "base/opencl.h"
#include "study/sim.h"
#include "withy/batch.h"

/* ---- batch.c: inside a batch, for runs of many studies (study/run/ensemble.c). */

/* As withy_batch_create, on a device that stays the caller's, or in vectors (NULL); a probe is recorded at most
 * `most` times in one advance. */
withy_status wy_batch_create(withy_sim *const *sim, int count, wy_device *device, int threads,
                             int64_t most, withy_batch **batch, withy_error *err);

/* Each member to its own time t[count]; NAN: it stays where it is.  Failures of members are those of
 * withy_batch_failure; what is returned concerns all. */
withy_status wy_batch_advance(withy_batch *batch, const double *t, withy_error *err);

/* Steps from one record of a probe to the next, 0: it is not recorded on the way; records that fit into one
 * advance; and steps from the start of the last advance to its first record. */
int64_t wy_batch_period(const withy_batch *batch, int member, int probe);
int64_t wy_batch_room(const withy_batch *batch, int member);
int64_t wy_batch_due(const withy_batch *batch, int member);

/* Who makes the steps. */
typedef struct wy_engine {
    wy_device *device; /* NULL: vectors                                                          */
    int falls_back;    /* 1: what the device cannot do is done in vectors, else it is refused    */
    int threads;
} wy_engine;

/* Open the device that the options ask for; AUTO: a GPU, where there is one. */
withy_status wy_engine_open(const withy_batch_options *how, wy_engine *engine, withy_error *err);
void wy_engine_close(wy_engine *engine);
/* "OpenCL on NVIDIA H200 (NVIDIA CUDA)", "vectors of eight rods". */
void wy_engine_text(const wy_engine *engine, char *text, size_t size);
/* 1: motions of a method of this name can be stepped together. */
int wy_engine_has(const char *method);

/* As withy_study_run_batch; unseen: nobody reads the notes of the reports. */
withy_status wy_ensemble_run(const withy_study *const *study, int count, const wy_engine *engine,
                             int unseen, withy_report *const *report, withy_status *status,
                             withy_error *error, withy_error *err);
