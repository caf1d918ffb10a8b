/* compare_step.c - what the step of a single run gets wrong (step_error.c), at the places that are compared. */
#include "study/compare/compare.h"

void wy_compare_observe(wy_compare_steps *x, withy_sim *sim, double stands) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    double value[3 * WY_COMPARE_PLACES];
    if (!now) return; /* the next record says so */
    v3_to(now->position[now->count - 1], value + (size_t)3 * WITHY_COMPARE_FINISH);
    v3_to(now->position[now->count / 2], value + (size_t)3 * WITHY_COMPARE_MIDDLE);
    wy_step_error_add(&x->step_error, sim, value, stands);
}

void wy_compare_observe_begin(wy_compare_steps *x, withy_sim *sim, int statics) {
    static const int first[WY_COMPARE_PLACES + 1] = {0, 3, 6};
    *x = (wy_compare_steps){.room = {0}};
    wy_step_error_open(&x->step_error, sim, WY_COMPARE_PLACES, first, x->room);
    if (statics) x->step_error.order = 0;
    if (x->step_error.order) wy_compare_observe(x, sim, 0);
}
