/* sweep.h - what withy sweep prints of its rows. */
#pragma once

#include "cli.h"

enum { SWEEP_LIMITS = 32 };

/* "force.start.z >= 9.5" */
typedef struct sweep_limit {
    char name[128];
    int above; /* 1: >= */
    double value;
} sweep_limit;

/* Of one column, without members that have none. */
typedef struct sweep_numbers {
    int64_t count;
    double mean, deviation, least, most;
} sweep_numbers;

/* Members that were computed, failed ones included; those that meet all limits. */
typedef struct sweep_yield {
    int64_t members, good;
} sweep_yield;

int sweep_limit_read(const char *text, sweep_limit *limit); /* -1, or the status of the program */
int sweep_limit_is_requested(const sweep_limit *limit, const cli_list *requested);
sweep_numbers sweep_numbers_of(const withy_sweep_file *file, const withy_sweep_column *column);
sweep_yield sweep_yield_of(const withy_sweep_file *file, const sweep_limit *limit, int count);
void sweep_print_statistics(const withy_sweep_file *file, const sweep_limit *limit, int count);
void sweep_json_statistics(cli_json *json, const withy_sweep_file *file, const sweep_limit *limit,
                           int count);
