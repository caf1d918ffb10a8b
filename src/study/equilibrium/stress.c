/* stress.c - the largest stress in the rods, by beam theory. */
#include "study/sim.h"

static withy_status check(const withy_sim *sim, int r, const withy_quantity *stress,
                          withy_error *err) {
    const withy_snapshot *snap = &sim->rod[r].snap;
    if (wy_quantity_in(stress, snap->have)) return WITHY_OK;
    if ((snap->have & stress->needs) != stress->needs)
        return wy_unsupported(
            err, "stress: %s does not give forces and moments along the rod; use director",
            sim->method->name);
    if (sim->problem.rod[r].law.kind >= WITHY_LAW_PLASTIC)
        return wy_unsupported(err, "stress: is not computed where rod.law is not linear; where it "
                                   "yields, `plastic` and `set` say how far");
    return wy_unsupported(err, "stress: is computed for round and tubular sections; give the rod a "
                               "section = circle { ... } or tube { ... }");
}

withy_status wy_sim_stress(const withy_sim *sim, withy_stress *stress, withy_error *err) {
    withy_stress most = {.most = sim->problem.rod_count ? 0 : NAN};
    const withy_quantity *quantity = withy_quantity_find(WITHY_OF_ROD, "stress");
    *stress = (withy_stress){.most = NAN};
    for (int r = 0; r < sim->problem.rod_count; r++) {
        const withy_snapshot *snap = &sim->rod[r].snap;
        WY_TRY(check(sim, r, quantity, err));
        for (int i = 0; i < snap->count; i++) {
            const double one = *withy_quantity_at(quantity, snap, i);
            if (!(one <= most.most)) most = (withy_stress){one, r, snap->s[i]};
        }
    }
    *stress = most;
    return WITHY_OK;
}
