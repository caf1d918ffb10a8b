/* law_superelastic.c - fibres that transform at a nearly constant stress and back at a lower one (nitinol).
 *
 * Of a fibre with the strain e along it and the transformation strain x, |x| <= eL: elastic, s = E (e - x), while
 *
 *   s2 + h |x| <= |s| <= s1 + h |x|,                                                                             (1)
 *
 * on the upper bound x grows, on the lower one it goes back to 0.  (Where |x| = eL only the lower one holds, where x = 0 only
 * the upper.)
 *
 *   2 V = E (e - x)^2 + (s1 + s2) |x| + h x^2,    loss = (s1 - s2)/2 |dx|
 *
 * On the line of strain of a step x is piecewise straight: its mean is a sum of trapezes, and the work exact.  Shear and twist
 * are elastic in this law.
 */
#include "method/director/law/superelastic.h"

static int history(const wy_director_plan *plan) {
    const wy_fibres *const *list = plan->of_law;
    return list ? 1 + list[0]->count : 0;
}

const wy_section_law wy_law_superelastic = {.name = "superelastic",
                                            .kind = WITHY_LAW_SUPERELASTIC,
                                            .history = history,
                                            .step = wy_law_superelastic_step,
                                            .fibres_of = wy_law_superelastic_state,
                                            WY_LAW_OF_FIBRES};
