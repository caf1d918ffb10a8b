/* refine.h - the errors of a study: run it again with half and with twice the elements, and with a step twice as
 * long and half as long, and compare (error_bar.h).
 *
 * The mesh and the step are varied one at a time, since errors of both may cancel; the bar is the sum of
 * the two.  Where the coarser run is not possible (a step beyond the stability limit, a mesh too coarse for
 * Newton), a second finer one takes its place.
 */
#pragma once

#include "study/compare/trace.h"

/* Do the study as it is given and record it. */
typedef withy_status (*wy_traced)(const withy_study *study, wy_trace *trace, withy_error *err);

typedef struct wy_error_bars {
    int count, items;
    double *bar;   /* [count * items], of the trace; infinite: not known */
    char *trusted; /* [items] 1: the differences fall with the resolution */
    withy_error_summary summary;
} wy_error_bars;

/* The bars of `given`, the record of this study; moving: its step is varied too. */
withy_status wy_refine(const withy_study *study, const wy_trace *given, int moving, wy_traced solve,
                       wy_error_bars *bars, withy_error *err);
void wy_error_bars_free(wy_error_bars *bars);

/* Of item i at record k. */
static inline double wy_error_bars_at(const wy_error_bars *bars, int k, int i) {
    return bars->bar[(size_t)k * (size_t)bars->items + (size_t)i];
}
