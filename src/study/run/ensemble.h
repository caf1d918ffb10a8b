/* ensemble.h - runs of many studies at once: each as withy_study_run, their steps made together (study/run/batch.h). */
#pragma once

#include "base/opencl.h"
#include "withy/batch.h"

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
