/* start.c - may a motion start from where the rod is?  The one rule for every method: a held end is where
 * the rod is, to rounding.  Of initial shapes the model checks it (wy_model_fits); an equilibrium may
 * have been found with its ends somewhere else. */
#include "study/sim.h"

static withy_status end_agrees(const wy_end *end, int which, double length, double factor,
                               withy_error *err) {
    wy_pose then, first;
    if (!end->drives_position && !end->drives_frame) return WITHY_OK;
    WY_TRY(wy_end_pose(end, factor, &then, err));
    WY_TRY(wy_end_pose(end, 0.0, &first, err));
    const wy_gap gap = wy_end_displacement(end, &then, &first);
    if (wy_gap_is_small(&gap, end, length)) return WITHY_OK;
    return wy_bad_input(
        err,
        "a motion cannot start from the equilibrium at load factor %g: ends.%s is held %.3g m and "
        "%.3g rad away from its place at t = 0; start from the equilibrium at load factor 0, or "
        "with initial = static {}",
        factor, which ? "finish" : "start", v3_norm(gap.shift), v3_norm(gap.turn));
}

withy_status wy_sim_may_start(const withy_sim *sim, withy_error *err) {
    if (sim->method->may_start) WY_TRY(sim->method->may_start(sim->self, err));
    if (!sim->core->equilibrium) return wy_model_fits(sim->setup.model, err);
    for (int i = 0; i < 2 * sim->problem.rod_count; i++) {
        wy_end end;
        WY_TRY(wy_model_end(sim->setup.model, i / 2, i % 2, &end, err));
        WY_TRY(end_agrees(&end, i % 2, sim->problem.rod[i / 2].length,
                          wy_sim_load_time(sim, sim->core->t), err));
    }
    return WITHY_OK;
}
