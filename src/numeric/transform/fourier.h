/* fourier.h - discrete Fourier transform of real data.  Room: src/numeric. */
#pragma once

#include "base/base.h"

/* X_k = sum_m x_m exp(-2 pi i k m/count), k = 0 .. count/2, to re and im [count/2 + 1]. */
withy_status wy_fourier(int64_t count, const double *x, double *re, double *im, withy_error *err);

/* The same by our own transform, whatever libraries there are. */
withy_status wy_fourier_own(int64_t count, const double *x, double *re, double *im,
                            withy_error *err);
