/* pair.h - two results at their common times and places (pair.c), and pictures of their difference
 * (difference.c). */
#pragma once

#include "plot/plot.h"

/* Stations of a rod that both results have. */
typedef struct plot_places {
    int count;
    double length; /* [m] */
    double *s;     /* [count] [m] */
    int *at[2];    /* [count] their numbers in either result */
} plot_places;

typedef struct plot_pair {
    const char *name[2];
    withy_result *a, *b;
    int64_t count;  /* common times */
    double *t;      /* [count] */
    int64_t *at[2]; /* [count] snapshots of either result */
    int rods;
    plot_places *rod; /* [rods] */
} plot_pair;

/* How far apart they are at one time, over all rods. */
typedef struct plot_gap {
    double t;
    double most, s; /* largest distance [m], where [m] */
    int rod;
    double square; /* integral of |distance|^2 along the rods [m^3] */
} plot_gap;

withy_status plot_pair_open(plot_pair *x, const char *a, const char *b, withy_error *err);
void plot_pair_close(plot_pair *x);
withy_status plot_pair_gap(plot_pair *x, int64_t k, plot_gap *gap, withy_error *err);
/* A quantity of result `which` (0 or 1) at common time k and common place i. */
const double *plot_pair_values(plot_pair *x, int which, int rod, int64_t k, int i,
                               const withy_quantity *q, withy_error *err);

/* ---- difference.c ------------------------------------------------------------------------------ */

/* withy plot A --minus B; withy plot A B C ... --errors [from coarse to fine]: draw, report, exit
 * status. */
int plot_minus(const plot_request *request, const char *a, const char *b, const char *output,
               int json, int quiet);
int plot_errors(const plot_request *request, const cli_list *results, const char *output, int json,
                int quiet);
