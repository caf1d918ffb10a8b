/* around.h - a scene read with values of its parameters, and at four values around each of them. */
#pragma once

#include "base/base.h"
#include "withy/fit.h"
#include "withy/gradient.h"

/* How a fit or a design reads its scene. */
typedef struct wy_reader {
    withy_fit_read read;
    int (*stop)(void *context); /* NULL: never */
    void *context;
    const withy_fit_free *free; /* [count] */
    int count;
    int threads; /* 0: as many as there are processors */
} wy_reader;

/* Of a withy_scene_fit or a withy_scene_minimise. */
#define WY_READER_OF(setup)                                                                        \
    {                                                                                              \
        (setup)->read, (setup)->stop, (setup)->context, (setup)->free, (setup)->count,             \
            (setup)->threads                                                                       \
    }

withy_status wy_reader_at(const wy_reader *x, const double *p, withy_scene **scene,
                          withy_error *err);
withy_status wy_reader_stopped(const wy_reader *x, withy_error *err);
/* The same as withy_progress and for withy_sim_watch; the context is the reader. */
int wy_reader_progress(void *reader, double t, double stop, int64_t step);
int wy_reader_watch(void *reader, double t);

typedef struct wy_around {
    withy_scene *here, *at[WITHY_FIT_MOST][4]; /* -2, -1, 1, 2 steps from p */
    withy_variation vary[WITHY_FIT_MOST];
} wy_around;

/* step[count]; what was read before a failure is freed by wy_around_free too. */
withy_status wy_around_read(const wy_reader *x, const double *p, const double *step, wy_around *a,
                            withy_error *err);
void wy_around_free(wy_around *a, int count);
