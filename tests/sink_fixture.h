/* sink_fixture.h - snapshots with recognisable numbers: each encodes its quantity and time. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "observe/observe.h"
#include "sink/sink.h"
#include "withy/result.h"

enum { FIX_ALL = (1 << 18) - 1, FIX_RODS_MOST = 112 };

typedef struct fix_run {
    withy_snapshot snap[FIX_RODS_MOST];
    const withy_snapshot *first[FIX_RODS_MOST];
    wy_sink_meta meta;
    wy_arena arena;
} fix_run;

/* The number of quantity (or entry) `what`, rod, time step k, index i: all different. */
static inline double fix_number(int what, int rod, int64_t k, int i) {
    return 1000.0 * what + 100.0 * rod + 1e-3 * (double)k + i + 1.0 / 3.0;
}

static inline void fix_fill(withy_snapshot *snap, int rod, int64_t k) {
    int fields, entries;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &fields);
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &entries);
    snap->t = 0.5 * (double)k;
    snap->step = 10 * k;
    for (int q = 0; q < fields; q++) {
        double *value = *(double **)((char *)snap + quantity[q].offset);
        for (int i = 0; i < snap->count * quantity[q].size; i++)
            value[i] = fix_number(q, rod, k, i);
    }
    for (int e = 0; e < entries; e++) {
        double value[WY_QUANTITY_SIZE];
        for (int i = 0; i < entry[e].size; i++) value[i] = fix_number(50 + e, rod, k, i);
        wy_quantity_put(&entry[e], snap, value);
    }
}

/* Runs whose rods have `count`, `count + 1`, ... stations and the given bits. */
static inline void fix_make(fix_run *run, int rods, int count, unsigned have) {
    int fields;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &fields);
    *run = (fix_run){.meta = {.title = "a title",
                              .method = "none",
                              .version = "9.9.9",
                              .scene_name = "scene.lua",
                              .scene_text = "return {}\n",
                              .notes = "one note\n",
                              .note_data = "one\tn=1\n",
                              .request = {.stop = 10, .output = 0.5},
                              .rod_count = rods}};
    for (int rod = 0; rod < rods; rod++) {
        withy_snapshot *snap = &run->snap[rod];
        *snap = (withy_snapshot){.count = count + rod, .have = have};
        snap->s = wy_arena_alloc(&run->arena, (size_t)snap->count, sizeof *snap->s);
        for (int i = 0; i < snap->count; i++) snap->s[i] = i / (snap->count - 1.0);
        for (int q = 0; q < fields; q++)
            *(void **)((char *)snap + quantity[q].offset) = wy_arena_alloc(
                &run->arena, (size_t)(snap->count * quantity[q].size), sizeof(double));
        fix_fill(snap, rod, 0);
        run->first[rod] = snap;
    }
}

/* A folder of one's own for the files of a test. */
static inline const char *fix_path(const char *name) {
    static char folder[64], path[8][160];
    static int next;
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/withy-test-XXXXXX");
        if (!mkdtemp(folder)) abort();
    }
    char *made = path[next++ % 8];
    snprintf(made, sizeof path[0], "%s/%s", folder, name);
    return made;
}

static inline void fix_clean(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", fix_path(""));
    if (system(command) != 0) fprintf(stderr, "%s failed\n", command);
}

/* Write `count` snapshots (and as many samples of each probe) and close. */
static inline withy_status fix_write(fix_run *run, const char *path, int64_t count,
                                     const char *status, withy_error *err) {
    const wy_sink *sink;
    void *state;
    WY_TRY(wy_sink_for(path, &sink, err));
    WY_TRY(sink->open(path, &run->meta, run->first, &state, err));
    withy_status done = WITHY_OK;
    for (int64_t k = 0; k < count && done == WITHY_OK; k++) {
        for (int rod = 0; rod < run->meta.rod_count && done == WITHY_OK; rod++) {
            fix_fill(&run->snap[rod], rod, k);
            done = sink->write(state, rod, &run->snap[rod], err);
        }
        for (int i = 0; i < run->meta.request.probe_count && done == WITHY_OK; i++) {
            const double value[4] = {fix_number(90 + i, 0, k, 0), fix_number(90 + i, 0, k, 1),
                                     fix_number(90 + i, 0, k, 2), fix_number(90 + i, 0, k, 3)};
            if (sink->probe) done = sink->probe(state, i, 0.5 * (double)k, value, err);
        }
    }
    const withy_status closed = sink->close(state, done == WITHY_OK ? status : "failed: test",
                                            done == WITHY_OK ? err : NULL);
    return done == WITHY_OK ? closed : done;
}
