/* fftw.h - the only include of FFTW, whose planner may be used by one thread at a time.  Room: src/numeric. */
#pragma once

#ifdef WITHY_HAVE_LIB_FFTW
#include <fftw3.h>

/* Around every fftw_plan_... and fftw_destroy_plan; executing a plan needs neither. */
void wy_fftw_enter(void);
void wy_fftw_leave(void);
#endif
