/* resolution.h - the options of a study at another resolution. */
#pragma once

#include "withy/sim.h"
#include "withy/study.h"

enum { WY_RESOLUTION_OPTIONS = 64 };

typedef struct wy_resolution {
    withy_option option[WY_RESOLUTION_OPTIONS];
    int count;
} wy_resolution;

/* The options of the study as given. */
void wy_resolution_of(const withy_study *study, wy_resolution *out);
/* Set or replace an option; a word or, when it is empty, a number. */
void wy_resolution_set(wy_resolution *x, const char *name, double number, const char *word);
/* A number among the options as used; 0 when there is none of that name. */
double wy_resolution_used(const withy_sim *sim, const char *name);
