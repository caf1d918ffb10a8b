/* input.c - the named inputs of a simulation. */
#include "study/sim.h"

const char *withy_sim_input_name(const withy_sim *sim, int index) {
    return sim && index >= 0 && index < sim->inputs.count ? sim->inputs.name[index] : NULL;
}

static const char *name_at(const void *sim, int index) {
    return withy_sim_input_name(sim, index);
}

static withy_status find(const withy_sim *sim, const char *name, int *index, withy_error *err) {
    char advice[WITHY_NAME + 32];
    if (!sim || !name) return wy_bad_input(err, "withy_sim_input: needs a simulation and a name");
    for (*index = 0; *index < sim->inputs.count; ++*index)
        if (strcmp(sim->inputs.name[*index], name) == 0) return WITHY_OK;
    return wy_bad_input(err, "there is no input \"%.60s\"%s the problem has %d", name,
                        wy_did_you_mean_or(wy_suggest(name, name_at, sim), advice, sizeof advice),
                        sim->inputs.count);
}

withy_status withy_sim_input(withy_sim *sim, const char *name, double value, withy_error *err) {
    int i;
    WY_TRY(find(sim, name, &i, err));
    if (!isfinite(value))
        return wy_bad_input(err, "input \"%.60s\" = %g: must be finite", name, value);
    sim->inputs.now[i] = value;
    return WITHY_OK;
}

withy_status withy_sim_input_get(const withy_sim *sim, const char *name, double *value,
                                 withy_error *err) {
    int i;
    WY_TRY(find(sim, name, &i, err));
    *value = sim->inputs.now[i];
    return WITHY_OK;
}
