/* variants.h - the problems of sets of parameter values, for a fit or a design: a set is made into a problem once.
 *
 * A search asks again for the set at which it stands, for its numbers and then for their derivatives: the last set, the
 * set with derivatives and the best one are kept with their problems and numbers.
 */
#pragma once

#include <stdatomic.h>

#include "base/base.h"
#include "study/variant.h"
#include "withy/fit.h"
#include "withy/gradient.h"

enum { WY_KNOWN_SETS = 3 };

/* A set of values and what is known there. */
typedef struct wy_known {
    double p[WITHY_FIT_MOST];
    int used;            /* 1: it is one */
    wy_variant *variant; /* NULL: not made yet */
    int values, slopes;  /* how many numbers, and how many of them with derivatives */
    double *value;       /* [most] */
    int negative;        /* unstable directions; -1: not known */
} wy_known;

typedef struct wy_variants {
    const wy_variant_source *source;
    int (*stop)(void *context); /* NULL: never */
    void *context;
    const withy_fit_free *free; /* [count] */
    int count;
    int threads;     /* 0: as many as there are processors */
    atomic_int made; /* problems */
    wy_known known[WY_KNOWN_SETS];
    int based, best; /* the set with derivatives, and the best */
    double *slope;   /* [most][count] of known[based] */
} wy_variants;

/* Of a withy_scene_fit or a withy_scene_minimise. */
#define WY_VARIANTS_OF(setup, from)                                                                \
    {                                                                                              \
        .source = (from), .stop = (setup)->stop, .context = (setup)->context,                      \
        .free = (setup)->free, .count = (setup)->count, .threads = (setup)->threads                \
    }

/* Room for `most` numbers of each set; slopes: and for derivatives. */
withy_status wy_variants_room(wy_variants *x, int most, int slopes, wy_arena *arena,
                              withy_error *err);
void wy_variants_close(wy_variants *x);

/* A new problem, which is the caller's. */
withy_status wy_variants_make(wy_variants *x, const double *p, wy_variant **out, withy_error *err);
/* What is known of a set, or room for it. */
wy_known *wy_variants_at(wy_variants *x, const double *p);
/* Its problem, made when it is first asked for. */
withy_status wy_variants_of(wy_variants *x, wy_known *k, const wy_variant **out, withy_error *err);
/* Derivatives are those of this set, then of none. */
void wy_variants_base(wy_variants *x, const wy_known *k);
void wy_variants_forget(wy_variants *x);

withy_status wy_variants_stopped(const wy_variants *x, withy_error *err);
/* The same as withy_progress and for withy_sim_interrupt; the context is the wy_variants. */
int wy_variants_progress(void *variants, double t, double stop, int64_t step);
int wy_variants_interrupt(void *variants, double t);

/* Problems at four values around each parameter. */
typedef struct wy_neighbours {
    wy_variant *at[WITHY_FIT_MOST][4]; /* -2, -1, 1, 2 steps from p */
    withy_variation vary[WITHY_FIT_MOST];
    withy_status status[WITHY_FIT_MOST][4];
    withy_error err[WITHY_FIT_MOST][4];
} wy_neighbours;

/* step[count]; what was made before a failure is freed by wy_neighbours_free too. */
withy_status wy_neighbours_make(wy_variants *x, const double *p, const double *step,
                                wy_neighbours *a, withy_error *err);
void wy_neighbours_free(wy_neighbours *a, int count);
