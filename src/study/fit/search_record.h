/* search_record.h - the best point of a search as a text, from which a search that was stopped continues.
 *
 * The text says first, a line each, which search it is: its scene with overrides, tables and meshes, its data, its settings.
 * A search continues only where its own lines are the same.
 */
#pragma once

#include "study/fit/variants.h"

typedef struct wy_search_record {
    const wy_variants *variants;
    withy_fit_best report; /* NULL: not reported */
    char *text;            /* NULL: nor continues from one */
    size_t used;           /* of the text: which search it is */
    int stage;             /* of the best point: windows that are done before it */
    double missed;         /* there, of the constraints; then what is to be least */
    double value;
} wy_search_record;

/* A search of a problem, as it is where it starts, with data; where it is neither reported nor
 * continues from `record`, nothing is done. */
withy_status wy_search_record_open(wy_search_record *b, const wy_variants *variants,
                                   withy_fit_best report, const char *record, wy_arena *arena,
                                   withy_error *err);
void wy_search_record_describe(wy_search_record *b, const wy_variant *v, const char *data,
                               size_t size);
void wy_search_record_line(wy_search_record *b, const char *format,
                           ...); /* a setting, ended by its newline */
/* Where the search begins: p[count] and how many of its `stages` are done, from the record, or as it is given. */
withy_status wy_search_record_start(wy_search_record *b, const char *record, int stages, double *p,
                                    int *stage, withy_error *err);
/* A point was visited; 1: it is of a later stage, or of the same and better. */
int wy_search_record_try(wy_search_record *b, int stage, double missed, double value,
                         const double *p);
