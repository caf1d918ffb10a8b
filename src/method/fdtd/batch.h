/* batch.h - many simulations at once: on a device (device.c), or eight to a vector (vector.c). */
#pragma once

#include "method/fdtd/state.h"

extern const char wy_fdtd_device_source[]; /* device_shared.h and device.cl */

/* A rod of the batch, where it is. */
typedef struct wy_fdtd_seat {
    wy_fdtd *x;
    wy_fdtd_group *g;
    int lane, member;
} wy_fdtd_seat;

typedef struct wy_fdtd_batch_data {
    wy_arena arena;
    int count, members;            /* rods, simulations */
    wy_fdtd_seat *seat;            /* [count] */
    const wy_batch_member *member; /* [members] a copy */
    int threads;
    struct wy_fdtd_device *device; /* NULL: vectors */
    struct wy_fdtd_vector *vector;
} wy_fdtd_batch_data;

/* device.c */
withy_status wy_fdtd_device_accept(const wy_fdtd *x, const wy_device *device, withy_error *err);
withy_status wy_fdtd_device_make(wy_fdtd_batch_data *b, wy_device *device, withy_error *err);
withy_status wy_fdtd_device_advance(wy_fdtd_batch_data *b, wy_batch_task *task, withy_error *err);
double wy_fdtd_device_seconds(const struct wy_fdtd_device *device);
void wy_fdtd_device_free(struct wy_fdtd_device *device);

/* vector.c */
withy_status wy_fdtd_vector_make(wy_fdtd_batch_data *b, withy_error *err);
withy_status wy_fdtd_vector_advance(wy_fdtd_batch_data *b, wy_batch_task *task, withy_error *err);
int wy_fdtd_vector_is_alone(const wy_fdtd_batch_data *b,
                            int member); /* 1: it is not packed, but: */
withy_status wy_fdtd_vector_run_alone(const wy_fdtd_batch_data *b, int member, wy_batch_task *task,
                                      withy_error *err);
extern const wy_method wy_method_fdtd; /* fdtd.c */

/* device_signal.c: what varies in time, as numbers for each step */
typedef struct wy_fdtd_signals {
    int width;               /* numbers per step                                          */
    int pose[2], pull[2];    /* where those of an end are in a row; -1: constant          */
    int channels, first;     /* loads along the rod, three numbers each                   */
    const withy_load **load; /* [channels]                                               */
    double *s;               /* [channels] where they are evaluated                       */
    double *pattern;         /* [channels][n + 1] shares of the nodes                     */
    double *base;            /* [3][n + 1] gravity and loads that do not vary         [N] */
} wy_fdtd_signals;
withy_status wy_fdtd_signals_accept(const wy_fdtd_group *g, int lane, withy_error *err);
withy_status wy_fdtd_signals_make(const wy_fdtd_group *g, int lane, wy_arena *arena,
                                  wy_fdtd_signals *out, withy_error *err);
/* The row of the step that begins at t. */
withy_status wy_fdtd_signals_row(const wy_fdtd_group *g, int lane, const wy_fdtd_signals *signals,
                                 double t, double *row, withy_error *err);
