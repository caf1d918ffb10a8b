/* objective.c - numbers of a design. */
#include "study/fit/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/model.h"
#include "study/watch.h"

enum { PARTS = 64 }; /* of a rod, for its mass */

/* ---- names ------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    wy_goal_kind kind;
} own[] = {{"mass", WY_GOAL_MASS},
           {"length", WY_GOAL_LENGTH},
           {"stress", WY_GOAL_STRESS},
           {"miss", WY_GOAL_MISS},
           {"miss.max", WY_GOAL_MISS_MAX}};

static withy_status parameter_of(const wy_variant *v, const char *name, double *value,
                                 withy_error *err) {
    for (int i = 0; i < v->study.parameter_count; i++)
        if (strcmp(v->study.parameter[i].name, name + 7) == 0)
            return *value = v->study.parameter[i].value, WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s: the scene has no such parameter", name);
}

static withy_status bind_want(wy_goal *goal, const wy_variant *v, int k, withy_error *err) {
    const char *name = goal->names.text[k];
    static const char *const modal[] = {"frequency.", "damping.", "growth."};
    withy_sweep_kind kind = goal->setup->run ? WITHY_SWEEP_RUN : WITHY_SWEEP_STATIC;
    for (int i = 0; i < 3; i++)
        if (strncmp(name, modal[i], strlen(modal[i])) == 0) kind = WITHY_SWEEP_MODES;
    withy_error why = {0};
    wy_want *want = &goal->number[k].want;
    if (wy_want_read(want, name, kind, v->study.problem, &why) != WITHY_OK)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s; and params.NAME, mass, length, stress, miss, miss.max, frequency.1",
                       strncmp(why.text, "--want ", 7) == 0 ? why.text + 7 : why.text);
    goal->number[k].kind = kind == WITHY_SWEEP_MODES ? WY_GOAL_MODE : WY_GOAL_STUDY;
    if (kind == WITHY_SWEEP_MODES)
        goal->modes = want->number > goal->modes ? want->number : goal->modes;
    else
        goal->study = 1;
    return WITHY_OK;
}

withy_status wy_goal_bind(wy_goal *goal, const wy_variant *v, withy_error *err) {
    double unused;
    for (int k = 0; k < goal->names.count; k++) {
        const char *name = goal->names.text[k];
        int found = -1;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strcmp(name, own[i].name) == 0) found = (int)i;
        if (found >= 0)
            goal->number[k].kind = own[found].kind;
        else if (strncmp(name, "params.", 7) == 0)
            WY_TRY(parameter_of(v, name, &unused, err));
        else
            WY_TRY(bind_want(goal, v, k, err));
        const wy_goal_kind kind = goal->number[k].kind;
        goal->still |= kind == WY_GOAL_STRESS || kind == WY_GOAL_MISS || kind == WY_GOAL_MISS_MAX;
        goal->solved |= kind == WY_GOAL_STRESS || kind >= WY_GOAL_STUDY;
        if ((kind == WY_GOAL_MISS || kind == WY_GOAL_MISS_MAX) && !goal->s)
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s: is the distance from a target, a table s, x, y, z; give it with "
                           "--data FILE.csv",
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

withy_status wy_goal_plain(const wy_goal *goal, const wy_variant *v, double *value,
                           withy_error *err) {
    const withy_problem *problem = v->study.problem;
    for (int k = 0; k < goal->names.count; k++) {
        const wy_goal_kind kind = goal->number[k].kind;
        if (kind == WY_GOAL_PARAMETER) WY_TRY(parameter_of(v, goal->names.text[k], &value[k], err));
        if (kind == WY_GOAL_MASS) WY_TRY(mass_of(problem, &value[k], err));
        if (kind == WY_GOAL_LENGTH) value[k] = 0;
        for (int i = 0; i < problem->rod_count && kind == WY_GOAL_LENGTH; i++)
            value[k] += problem->rod[i].length;
    }
    return WITHY_OK;
}

/* ---- miss ---------------------------------------------------------------------------------------------- */

double wy_goal_miss(const wy_goal *goal, int largest, const withy_vec3 *position,
                    withy_vec3 *slope) {
    const int rows = goal->target.rows;
    double sum = 0, most = -1;
    int far = 0;
    for (int i = 0; i < rows; i++) {
        const double *t = &goal->target.value[4 * i];
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

static withy_status of_equilibrium(wy_goal *goal, const wy_variant *v, double *value,
                                   withy_error *err) {
    withy_sim *sim;
    withy_equilibrium at;
    wy_view view = {0};
    WY_TRY(wy_variant_sim(v, &sim, err));
    withy_sim_watch(sim, wy_variants_watch, goal->variants);
    withy_status status = withy_sim_equilibrium(sim, 1, &at, err);
    if (status == WITHY_OK) goal->negative = at.negative;
    if (status == WITHY_OK && goal->s)
        status = wy_view_make(sim, 0, goal->target.rows, goal->s, &view, err);
    if (status == WITHY_OK && goal->s && wy_view_sample(sim, 0, &view))
        status = wy_fail(err, WITHY_NO_CONVERGENCE, "a position is not finite");
    for (int k = 0; k < goal->names.count && status == WITHY_OK; k++) {
        const wy_goal_kind kind = goal->number[k].kind;
        if (kind == WY_GOAL_STRESS) status = stress_of(sim, &value[k], err);
        if ((kind == WY_GOAL_MISS || kind == WY_GOAL_MISS_MAX) && view.snap.position)
            value[k] = wy_goal_miss(goal, kind == WY_GOAL_MISS_MAX, view.snap.position, NULL);
    }
    withy_sim_destroy(sim);
    return status;
}

static withy_study study_of(const wy_goal *goal, const wy_variant *v) {
    withy_study study = v->study;
    study.progress = wy_variants_progress, study.context = goal->variants;
    return study;
}

/* The motion or the path of equilibria, and from its samples and its report the numbers. */
static withy_status of_samples(wy_goal *goal, const wy_variant *v, wy_series *series,
                               const int *name, double *value, withy_error *err) {
    withy_study study = study_of(goal, v);
    withy_static_report path = {0};
    withy_report *run = wy_take(1, sizeof *run);
    if (!run) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a report");
    withy_status status = wy_series_attach(series, &study, err);
    if (status == WITHY_OK)
        status = goal->setup->run ? wy_variant_run(v, &study, run, err)
                                  : wy_variant_static(v, &study, &path, err);
    for (int i = 0; status == WITHY_OK && i < series->count; i++)
        status = goal->setup->run ? wy_want_of_run(series, i, run, &value[name[i]], err)
                                  : wy_want_of_path(series, i, &path, &value[name[i]], err);
    withy_static_free(&path);
    wy_give(run);
    return status;
}

static withy_status of_study(wy_goal *goal, const wy_variant *v, double *value, withy_error *err) {
    wy_want want[WY_EXPRESSION_NAMES];
    int name[WY_EXPRESSION_NAMES], count = 0;
    for (int k = 0; k < goal->names.count; k++)
        if (goal->number[k].kind == WY_GOAL_STUDY)
            want[count] = goal->number[k].want, name[count++] = k;
    wy_series *series = wy_take(1, sizeof *series);
    if (!series) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the samples");
    series->wants = want, series->count = count;
    const withy_status status = of_samples(goal, v, series, name, value, err);
    wy_series_free(series);
    wy_give(series);
    return status;
}

static withy_status of_modes(wy_goal *goal, const wy_variant *v, double *value, withy_error *err) {
    withy_mode *mode = NULL;
    const withy_study study = study_of(goal, v);
    WY_TRY(wy_variant_modes(v, &study, goal->modes, &mode, err));
    withy_status status = WITHY_OK;
    for (int k = 0; k < goal->names.count && status == WITHY_OK; k++)
        if (goal->number[k].kind == WY_GOAL_MODE)
            status = wy_want_of_modes(&goal->number[k].want, mode, &value[k], err);
    withy_modes_free(mode, mode[0].total);
    return status;
}

withy_status wy_goal_numbers(wy_goal *goal, const wy_variant *v, double *value, withy_error *err) {
    WY_TRY(wy_goal_plain(goal, v, value, err));
    if (goal->still) WY_TRY(of_equilibrium(goal, v, value, err));
    if (goal->study) WY_TRY(of_study(goal, v, value, err));
    return goal->modes ? of_modes(goal, v, value, err) : WITHY_OK;
}
