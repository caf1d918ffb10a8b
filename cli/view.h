/* view.h - packing a result into the page of withy view (viewer/src/data.js describes the data). */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli.h"

/* Bytes as base64, three at a time. */
typedef struct view_packer {
    FILE *file;
    unsigned char held[3];
    int count;
} view_packer;

void view_bytes(view_packer *p, const void *data, size_t size);
void view_float(view_packer *p, double x); /* as four bytes */
void view_group(view_packer *p);           /* what is held: at the end */

/* One result, and which of its snapshots are shown. */
typedef struct view_run {
    withy_result *result;
    const char *path;
    int64_t snapshots;    /* of the result */
    int64_t first, count; /* those of the window of time */
    int64_t shown;        /* of them */
    double from, to;      /* the window; all: -inf, inf */
    int modes;            /* 1: each snapshot is a mode */
    withy_error err;
} view_run;

int64_t view_snapshot(const view_run *r, int64_t k); /* snapshot number of frame k */
const withy_snapshot *view_at(view_run *r, int rod, int64_t k);

/* ---- view_rod.c ------------------------------------------------------------------------------------------ */

int view_rod(view_run *r, int rod, FILE *file); /* 0 on failure */
double view_frame_bytes(view_run *r);           /* of one snapshot of all rods */

/* ---- view_parts.c: what there is besides the rods; 0 on failure ------------------------------------------- */

int view_supports(view_run *r, int rod, const withy_result_rod *info, FILE *file);
int view_parts(view_run *r, FILE *file); /* bodies, joints, obstacles, tendons */
