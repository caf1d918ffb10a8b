/* probe.c - see probe.h. */
#include "study/run/probe.h"

static withy_status not_finite(const withy_sim *sim, const char *field, withy_error *err) {
    return wy_no_convergence(err,
                             "%s: %s is not finite at %s = %g (step %lld); nothing from there on "
                             "was written; try a smaller options.dt",
                             sim->method->name, field, sim->core->equilibrium ? "factor" : "t",
                             wy_sim_now(sim), (long long)sim->core->stats.steps);
}

withy_status wy_sim_sample_all(withy_sim *sim, withy_error *err) {
    for (int rod = 0; rod < sim->problem.rod_count; rod++) {
        const char *bad = wy_view_sample(sim, rod, &sim->rod[rod]);
        if (bad) return not_finite(sim, bad, err);
    }
    const char *bad = wy_parts_sample(sim);
    return bad ? not_finite(sim, bad, err) : WITHY_OK;
}

/* Nothing can be recorded between two steps: report it rather than record less than requested. */
static void note_interval(withy_sim *sim, const withy_probe *probe) {
    const double step = withy_sim_step(sim);
    if (!sim->core->equilibrium && probe->every > 0 && probe->every < step * (1 - 1e-9))
        wy_note(&sim->notes, WY_NOTE(probe_fast), probe->name, probe->every, step);
}

withy_status wy_probe_make(withy_sim *sim, const withy_probe *probe, wy_probe *w,
                           withy_error *err) {
    w->probe = probe;
    w->quantity = withy_quantity_find((int)probe->of, probe->what);
    if (!w->quantity)
        return wy_bad_input(err, "probes.%s.what" WY_KEY " = \"%s\": there is no such quantity",
                            probe->name, probe->what);
    w->size = w->quantity->size;
    if (probe->of != WITHY_OF_ROD) return WITHY_OK;
    WY_TRY(wy_view_make(sim, probe->rod, 1, &probe->at, &w->view, err));
    /* forces follow from strains and the frame, so it is always needed */
    w->view.snap.requested = w->quantity->have | w->quantity->needs | WITHY_HAVE_FRAME |
                             WITHY_HAVE_SHEAR | WITHY_HAVE_BEND;
    return WITHY_OK;
}

withy_status wy_probes_make(withy_sim *sim, const withy_study *study, wy_probes *probes,
                            withy_error *err) {
    const withy_request *request = &sim->problem.request;
    probes->own = probes->count = request->probe_count;
    if (study) probes->count += study->probe_count;
    probes->one = wy_arena_alloc(&sim->arena, (size_t)probes->count, sizeof *probes->one);
    if (!probes->one) return wy_no_memory(err, "no memory for the probes");
    for (int i = 0; i < probes->count; i++) {
        const int more = i - probes->own;
        const withy_probe *probe = more < 0 ? &request->probe[i] : &study->probe[more];
        if (more < 0) note_interval(sim, probe);
        WY_TRY(wy_probe_make(sim, probe, &probes->one[i], err));
    }
    return WITHY_OK;
}

static void report_one(const wy_probe *w, withy_probe_report *report) {
    const wy_moments *m = w->moments;
    *report = (withy_probe_report){.unit = w->quantity->unit, .size = w->size, .samples = m->count};
    snprintf(report->name, sizeof report->name, "%s", w->probe->name);
    report->from = m->first, report->to = m->t;
    for (int k = 0; k < w->size; k++) {
        report->value[k] = m[k].x, report->mean[k] = m[k].mean;
        report->least[k] = m[k].least, report->most[k] = m[k].most;
        report->deviation[k] = wy_moments_deviation(&m[k]);
    }
}

int wy_probes_report(const wy_probes *probes, withy_probe_report report[WITHY_REPORT_PROBES]) {
    int count = 0;
    while (count < probes->own && count < WITHY_REPORT_PROBES &&
           probes->one[count].moments[0].count > 0) {
        report_one(&probes->one[count], &report[count]);
        count++;
    }
    return count;
}

/* Of one rod, or of the scene: rod -1. */
static const double *entry_value(wy_probe *w, withy_sim *sim, const char **bad) {
    const withy_quantity *q = w->quantity;
    const withy_quantity *bodies = withy_quantity_find(WITHY_OF_BODIES, q->name);
    const int rod = w->probe->rod, all = rod < 0 && q->summed;
    const int first = rod < 0 ? 0 : rod, end = all ? sim->problem.rod_count : first + 1;
    memset(w->value, 0, sizeof w->value);
    for (int i = first; i < end && i < sim->problem.rod_count; i++) {
        double one[WY_QUANTITY_SIZE];
        *bad = wy_view_sample(sim, i, &sim->rod[i]);
        if (*bad || !wy_quantity_in(q, sim->rod[i].snap.have)) return NULL;
        wy_quantity_get(q, &sim->rod[i].snap, one);
        for (int k = 0; k < q->size; k++) w->value[k] += one[k];
    }
    if (!all || !bodies) return sim->problem.rod_count ? w->value : NULL;
    *bad = wy_parts_sample(sim);
    w->value[0] += *withy_quantity_of_part(bodies, &sim->parts, 0);
    return w->value;
}

const double *wy_probe_value(wy_probe *w, withy_sim *sim, const char **bad) {
    if (w->probe->of == WITHY_OF_LEDGER) return entry_value(w, sim, bad);
    if (w->probe->of != WITHY_OF_ROD) {
        *bad = wy_parts_sample(sim);
        return withy_quantity_of_part(w->quantity, &sim->parts, w->probe->index);
    }
    *bad = wy_view_sample(sim, w->probe->rod, &w->view);
    return withy_quantity_at(w->quantity, &w->view.snap, 0);
}

static withy_status keep_sample(wy_probes *probes, int probe, double t, const double *value,
                                wy_files *files, withy_error *err) {
    wy_probe *w = &probes->one[probe];
    const double every = w->probe->every, slack = 1e-9 * (t + every);
    for (int k = 0; k < w->size; k++) wy_moments_add(&w->moments[k], t, value[k]);
    w->samples++;
    if (probes->sample) probes->sample(probes->context, probe, t, value);
    if (probe < probes->own) WY_TRY(wy_files_probe(files, probe, t, value, err));
    if (every > 0) w->due = every * (floor((t + slack) / every) + 1);
    return WITHY_OK;
}

withy_status wy_probes_record(wy_probes *probes, withy_sim *sim, int all, wy_files *files,
                              withy_error *err) {
    const double t = wy_sim_now(sim);
    for (int i = 0; i < probes->count; i++) {
        wy_probe *w = &probes->one[i];
        const double every = w->probe->every, slack = 1e-9 * (t + every);
        if (w->apart || (!all && every > 0 && t < w->due - slack)) continue;
        const char *bad = NULL;
        const double *value = wy_probe_value(w, sim, &bad);
        if (bad) return not_finite(sim, bad, err);
        if (!value)
            return wy_unsupported(
                err, "probes.%s.what" WY_KEY " = \"%s\": method %s does not compute it",
                w->probe->name, w->probe->what, sim->method->name);
        WY_TRY(keep_sample(probes, i, t, value, files, err));
    }
    return WITHY_OK;
}

withy_status wy_probes_put(wy_probes *probes, const withy_sim *sim, int probe, double t,
                           const double *value, wy_files *files, withy_error *err) {
    for (int k = 0; k < probes->one[probe].size; k++)
        if (!isfinite(value[k])) return not_finite(sim, probes->one[probe].probe->what, err);
    return keep_sample(probes, probe, t, value, files, err);
}

int64_t wy_probes_steps(const wy_probes *probes, double now, double h, int64_t left) {
    for (int i = 0; i < probes->count; i++) {
        const wy_probe *w = &probes->one[i];
        if (w->apart) continue;
        const double steps = w->probe->every > 0 ? ceil((w->due - now) / h - 1e-6) : 1;
        if (steps < (double)left) left = steps > 1 ? (int64_t)steps : 1;
    }
    return left;
}
