/* error_bar.h - the error of a number, from the same number at three resolutions, each about twice as fine as
 * the one before.
 *
 * Let the differences be coarse = |a - b| and fine = |b - c|.  A group of numbers that belong together (all
 * positions, all forces) shows by how much differences fall, ratio = largest coarse / largest fine; it is
 * 2^p for an error of order p.  A single number may agree by accident, since its error changes sign
 * somewhere, so that coarse / ratio counts as much as fine.  A ratio beyond 2^order of the method comes from
 * a coarse run that was too coarse, and counts as 2^order.  The ratio is trusted from sqrt 2 on, and the
 * sum of what is still to come, fine / (ratio - 1), is taken with at most 4 of it: a method may be better than second
 * order on a smooth problem, but a bar must not rely on it.  It counts three times, the safety factor of a grid
 * convergence index whose order is not known (Roache; Oberkampf & Roy 2010, 8.7): an error that is in part of
 * first and in part of second order, or not smooth, shows a ratio that does not last.  At second order the bar of c is
 * then fine itself.  Without a trusted ratio the larger difference is taken three times.
 *
 * A difference that is NaN says that one of the two runs does not have the number: a critical factor, a mode that strong
 * damping hides.  If a finer run has it not, nothing is known of it; if only the coarse one lacks it, the other difference
 * is taken three times.
 */
#pragma once

#include "base/base.h"

enum { WY_ERROR_BAR_COARSEST, WY_ERROR_BAR_MIDDLE, WY_ERROR_BAR_FINEST }; /* whose error */

/* By how much differences fall, at most 2^order (order 0: any); the fine one is at least `least`, what
 * rounding makes. */
double wy_error_bar_ratio(double coarse, double fine, double least, int order);
int wy_error_bar_trusted(double ratio);

/* The bar of a, b or c of a number in a group with this ratio. */
double wy_error_bar(int which, double coarse, double fine, double ratio);

/* largest[k] = the largest of x[k - before .. k + after]. */
void wy_error_bar_window(const double *x, int count, int before, int after, double *largest);
