/* sweep_member.h - members of a sweep, one by one (sweep.c) or stepped together (sweep_batch.c). */
#pragma once

#include "study/fleet.h"
#include "study/sweep.h"
#include "study/want.h"
#include "withy/scene.h"

typedef struct wy_members {
    const withy_sweep_setup *setup;
    const wy_plan *plan;
    char *text; /* of the scene */
    size_t size;
    int beside;
    int alone; /* 1: there are no other ranks */
    wy_want want[WY_SWEEP_WANTS];
    int wants;
    atomic_int stop;
    atomic_flag busy;
    _Atomic double due;    /* of the next question whether to go on [s] */
    const wy_sweep *sweep; /* under way; NULL: not yet */
    const withy_sweep_report *report;
    wy_engine engine;
    int batched;     /* 1: members are stepped together, by the engine */
    char maker[300]; /* its name; "": none */
} wy_members;

/* The scene with the values of a member; value NULL: as it is. */
withy_status wy_member_read(const wy_members *x, const double *value, withy_scene **scene,
                            withy_error *err);
/* What is the same for all kinds; path[size]: room for the name of the result. */
withy_run_setup wy_member_setup(wy_members *x, int64_t index, char *path, size_t size,
                                const char **output);
/* Numbers that are not finite are a failure. */
withy_status wy_member_check(const wy_members *x, const double *value, withy_error *err);

/* Whether members are stepped together, and by whom; then how the sweep is to call it. */
withy_status wy_members_engine(wy_members *x, const withy_scene *scene, withy_error *err);
void wy_members_use(wy_members *x, wy_sweep *sweep);
