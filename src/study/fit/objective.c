/* objective.c - numbers of a design. */
#include "study/fit/fit.h"

#include "study/run/probe.h"

enum { PARTS = 64 }; /* of a rod, for its mass */

/* ---- names ------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    wy_objective_kind kind;
} own[] = {{"mass", WY_OBJECTIVE_MASS},
           {"length", WY_OBJECTIVE_LENGTH},
           {"stress", WY_OBJECTIVE_STRESS},
           {"miss", WY_OBJECTIVE_MISS},
           {"miss.max", WY_OBJECTIVE_MISS_MAX}};

/* In messages. */
static const char *options_of(const withy_scene_minimise *setup) {
    return setup->derive ? "--of" : "--minimise, --subject";
}

static withy_status parameter_of(const wy_objective *objective, const wy_variant *v,
                                 const char *name, double *value, withy_error *err) {
    for (int i = 0; i < v->study.parameter_count; i++)
        if (strcmp(v->study.parameter[i].name, name + 7) == 0)
            return *value = v->study.parameter[i].value, WITHY_OK;
    return wy_bad_input(err, "%s: %s: the scene has no such parameter",
                        options_of(objective->setup), name);
}

static withy_status bind_quantity(wy_objective *objective, const wy_variant *v, int k,
                                  withy_error *err) {
    const char *name = objective->names.text[k];
    static const char *const modal[] = {"frequency.", "damping.", "growth."};
    withy_sweep_kind kind = objective->setup->run ? WITHY_SWEEP_RUN : WITHY_SWEEP_STATIC;
    for (int i = 0; i < 3; i++)
        if (strncmp(name, modal[i], strlen(modal[i])) == 0) kind = WITHY_SWEEP_MODES;
    withy_error why = {0};
    wy_output_quantity *requested = &objective->number[k].requested;
    if (wy_output_quantity_read(requested, name, kind, v->study.problem, &why) != WITHY_OK)
        return wy_bad_input(err,
                            "%s: %s; and params.NAME, mass, length, stress, miss, miss.max, "
                            "frequency.1",
                            options_of(objective->setup), why.text);
    objective->number[k].kind = kind == WITHY_SWEEP_MODES ? WY_OBJECTIVE_MODE : WY_OBJECTIVE_STUDY;
    if (kind == WITHY_SWEEP_MODES && requested->number > objective->modes)
        objective->modes = requested->number;
    return WITHY_OK;
}

withy_status wy_objective_bind(wy_objective *objective, const wy_variant *v, withy_error *err) {
    double unused;
    for (int k = 0; k < objective->names.count; k++) {
        const char *name = objective->names.text[k];
        int found = -1;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strcmp(name, own[i].name) == 0) found = (int)i;
        if (found >= 0)
            objective->number[k].kind = own[found].kind;
        else if (strncmp(name, "params.", 7) == 0)
            WY_TRY(parameter_of(objective, v, name, &unused, err));
        else
            WY_TRY(bind_quantity(objective, v, k, err));
        const wy_objective_kind kind = objective->number[k].kind;
        objective->equilibrium |= kind == WY_OBJECTIVE_STRESS || kind == WY_OBJECTIVE_MISS ||
                                  kind == WY_OBJECTIVE_MISS_MAX;
        objective->solved |= kind == WY_OBJECTIVE_STRESS || kind >= WY_OBJECTIVE_STUDY;
        if ((kind == WY_OBJECTIVE_MISS || kind == WY_OBJECTIVE_MISS_MAX) && !objective->s)
            return wy_bad_input(err,
                                "%s: is the distance from a target, a table s, x, y, z; give it "
                                "with --data FILE.csv",
                                name);
    }
    return WITHY_OK;
}

/* ---- mass, length -------------------------------------------------------------------------------------- */

static withy_status mass_of(const withy_problem *problem, double *mass, withy_error *err) {
    *mass = 0;
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        wy_section_at at[PARTS];
        double s[PARTS];
        for (int k = 0; k < PARTS; k++) s[k] = rod->length * (k + 0.5) / PARTS;
        WY_TRY(wy_sections_at(rod, PARTS, s, at, err));
        for (int k = 0; k < PARTS; k++) *mass += at[k].inertia[WITHY_MASS] * rod->length / PARTS;
        *mass += rod->end[0].mass + rod->end[1].mass;
    }
    for (int i = 0; i < problem->body_count; i++) *mass += problem->body[i].mass;
    return WITHY_OK;
}

withy_status wy_objective_plain(const wy_objective *objective, const wy_variant *v, double *value,
                                withy_error *err) {
    const withy_problem *problem = v->study.problem;
    for (int k = 0; k < objective->names.count; k++) {
        const wy_objective_kind kind = objective->number[k].kind;
        if (kind == WY_OBJECTIVE_PARAMETER)
            WY_TRY(parameter_of(objective, v, objective->names.text[k], &value[k], err));
        if (kind == WY_OBJECTIVE_MASS) WY_TRY(mass_of(problem, &value[k], err));
        if (kind == WY_OBJECTIVE_LENGTH) value[k] = 0;
        for (int i = 0; i < problem->rod_count && kind == WY_OBJECTIVE_LENGTH; i++)
            value[k] += problem->rod[i].length;
    }
    return WITHY_OK;
}

double wy_objective_miss(const wy_objective *objective, int largest, const withy_vec3 *position,
                         withy_vec3 *slope) {
    const int rows = objective->target.rows;
    double sum = 0, most = -1;
    int far = 0;
    for (int i = 0; i < rows; i++) {
        const double *t = &objective->target.value[4 * i];
        const vec3 gap = v3_sub(position[i], v3(t[1], t[2], t[3]));
        sum += v3_dot(gap, gap);
        if (v3_norm(gap) > most) most = v3_norm(gap), far = i;
        if (slope) slope[i] = gap;
    }
    const double miss = largest ? most : sqrt(sum / rows);
    for (int i = 0; i < rows && slope; i++)
        slope[i] = v3_scale(!(miss > 0) ? 0
                            : !largest  ? 1 / (rows * miss)
                            : i == far  ? 1 / most
                                        : 0,
                            slope[i]);
    return miss;
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static withy_status stress_of(withy_sim *sim, double *most, withy_error *err) {
    withy_stress stress;
    WY_TRY(wy_sim_sample_all(sim, err));
    WY_TRY(wy_sim_stress(sim, &stress, err));
    *most = stress.most;
    return WITHY_OK;
}

static withy_status of_equilibrium(wy_objective *objective, const wy_variant *v, double *value,
                                   withy_error *err) {
    withy_sim *sim;
    withy_equilibrium at;
    wy_view view = {0};
    WY_TRY(wy_variant_sim(v, &sim, err));
    withy_sim_interrupt(sim, wy_variants_interrupt, objective->variants);
    withy_status status = withy_sim_equilibrium(sim, 1, &at, err);
    if (status == WITHY_OK) objective->negative = at.negative;
    if (status == WITHY_OK && objective->s)
        status = wy_view_make(sim, 0, objective->target.rows, objective->s, &view, err);
    if (status == WITHY_OK && objective->s && wy_view_sample(sim, 0, &view))
        status = wy_no_convergence(err, "a position is not finite");
    for (int k = 0; k < objective->names.count && status == WITHY_OK; k++) {
        const wy_objective_kind kind = objective->number[k].kind;
        if (kind == WY_OBJECTIVE_STRESS) status = stress_of(sim, &value[k], err);
        if ((kind == WY_OBJECTIVE_MISS || kind == WY_OBJECTIVE_MISS_MAX) && view.snap.position)
            value[k] = wy_objective_miss(objective, kind == WY_OBJECTIVE_MISS_MAX,
                                         view.snap.position, NULL);
    }
    withy_sim_destroy(sim);
    return status;
}

/* Those of the motion or of the equilibria, or those of the modes. */
static withy_status of_study(const wy_objective *objective, const wy_variant *v,
                             wy_objective_kind of, double *value, withy_error *err) {
    wy_output_quantity requested[WY_EXPRESSION_NAMES];
    double found[WY_EXPRESSION_NAMES];
    int name[WY_EXPRESSION_NAMES], count = 0;
    const withy_sweep_kind kind = of == WY_OBJECTIVE_MODE ? WITHY_SWEEP_MODES
                                  : objective->setup->run ? WITHY_SWEEP_RUN
                                                          : WITHY_SWEEP_STATIC;
    withy_study study = v->study;
    study.progress = wy_variants_progress, study.context = objective->variants;
    for (int k = 0; k < objective->names.count; k++)
        if (objective->number[k].kind == of)
            requested[count] = objective->number[k].requested, name[count++] = k;
    if (count == 0) return WITHY_OK;
    WY_TRY(wy_variant_quantities(v, &study, kind, objective->modes, requested, count, found, err));
    for (int i = 0; i < count; i++) value[name[i]] = found[i];
    return WITHY_OK;
}

withy_status wy_objective_numbers(wy_objective *objective, const wy_variant *v, double *value,
                                  withy_error *err) {
    WY_TRY(wy_objective_plain(objective, v, value, err));
    if (objective->equilibrium) WY_TRY(of_equilibrium(objective, v, value, err));
    WY_TRY(of_study(objective, v, WY_OBJECTIVE_STUDY, value, err));
    return of_study(objective, v, WY_OBJECTIVE_MODE, value, err);
}
