/* members.h - members of a sweep, one by one (members.c) or stepped together (members_batch.c). */
#pragma once

#include "study/sweep/output_quantity.h"
#include "study/sweep/sweep.h"
#include "study/variant.h"

typedef struct wy_members {
    const withy_sweep_setup *setup;
    const wy_sweep_plan *plan;
    const wy_variant_source *source;
    int alone;                     /* 1: there are no other ranks */
    int64_t first;                 /* the member that was read to check the sweep, -1: none */
    _Atomic(wy_variant *) variant; /* its problem, until it is computed */
    wy_output_quantity requested[WY_SWEEP_QUANTITIES];
    int quantities;
    atomic_int stop;
    atomic_flag busy;
    _Atomic double due;    /* of the next question whether to continue [s] */
    const wy_sweep *sweep; /* under way; NULL: not yet */
    const withy_sweep_report *report;
    wy_engine engine;
    int batched;     /* 1: members are stepped together, by the engine */
    char maker[300]; /* its name; "": none */
} wy_members;

/* The problem of a member, with the study that is made of it; output: room for the name of its result. */
typedef struct wy_member {
    wy_variant *variant;
    withy_study study;
    char path[4096];
    const char *output;
} wy_member;

withy_status wy_member_open(wy_members *x, int64_t index, wy_member *m, withy_error *err);
/* Numbers that are not finite are a failure. */
withy_status wy_member_check(const wy_members *x, const double *value, withy_error *err);

/* Whether members are stepped together, and by whom; then how the sweep is to call it. */
withy_status wy_members_engine(wy_members *x, const wy_variant *v, withy_error *err);
void wy_members_use(wy_members *x, wy_sweep *sweep);

/* withy_sweep of problems from any source. */
withy_status wy_sweep_of_variants(const withy_sweep_setup *setup, const wy_variant_source *source,
                                  withy_sweep_report *report, withy_error *err);
