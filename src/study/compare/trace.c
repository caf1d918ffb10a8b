/* trace.c - see compare.h. */
#include "study/compare/compare.h"

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err, "no memory for the record of a run");
}

/* ---- the items ------------------------------------------------------------------------------------- */

static void add_item(wy_trace *trace, int size, int group) {
    trace->item[trace->items++] = (wy_item){trace->width, size, group};
    trace->width += size;
}

static wy_item_range add_items(wy_trace *trace, int count, int size, int group) {
    const wy_item_range range = {trace->items, count};
    for (int i = 0; i < count; i++) add_item(trace, size, group);
    return range;
}

static int figures_of(const withy_sim *sim) {
    withy_figure figure;
    int count = 0;
    while (count < WITHY_FIGURES && withy_sim_figure(sim, count, &figure)) count++;
    return count;
}

static withy_status list_items(wy_trace *trace, const withy_sim *sim, int statics,
                               withy_error *err) {
    const withy_request *request = &sim->problem.request;
    const int rods = sim->problem.rod_count, figures = statics ? figures_of(sim) : 0;
    const int bodies = sim->parts.body_count;
    const int criticals = statics && sim->problem.path.given ? WY_TRACE_CRITICALS : 0;
    const int most = rods * WY_TRACE_STATIONS + bodies + WY_TRACE_FIXED + figures +
                     request->probe_count + criticals;
    if (!(trace->item = wy_alloc((size_t)most, sizeof *trace->item))) return no_memory(err);
    trace->place = add_items(trace, rods * WY_TRACE_STATIONS + bodies, 3, WY_TRACE_PLACE);
    trace->force = add_items(trace, 2, 3, WY_TRACE_FORCE);
    trace->moment = add_items(trace, 2, 3, WY_TRACE_MOMENT);
    trace->energy = add_items(trace, 1, 1, WY_TRACE_ENERGY);
    trace->figure = (wy_item_range){trace->items, figures};
    for (int i = 0; i < figures; i++) add_item(trace, 1, WY_TRACE_OTHERS + i);
    trace->probe = (wy_item_range){trace->items, request->probe_count};
    for (int i = 0; i < request->probe_count; i++)
        add_item(trace, trace->probes.one[i].size, WY_TRACE_OTHERS + figures + i);
    trace->critical = (wy_item_range){trace->items, criticals};
    for (int i = 0; i < criticals; i++)
        add_item(trace, 1, WY_TRACE_OTHERS + figures + request->probe_count + i);
    return WITHY_OK;
}

/* Nine stations of every rod: the shape as it is drawn. */
static withy_status make_views(wy_trace *trace, withy_sim *sim, withy_error *err) {
    const int rods = sim->problem.rod_count;
    trace->view = wy_arena_alloc(&sim->arena, (size_t)rods, sizeof *trace->view);
    if (!trace->view) return no_memory(err);
    for (int rod = 0; rod < rods; rod++) {
        double s[WY_TRACE_STATIONS];
        for (int i = 0; i < WY_TRACE_STATIONS; i++)
            s[i] = sim->problem.rod[rod].length * i / (WY_TRACE_STATIONS - 1);
        WY_TRY(wy_view_make(sim, rod, WY_TRACE_STATIONS, s, &trace->view[rod], err));
    }
    return WITHY_OK;
}

withy_status wy_trace_open(wy_trace *trace, withy_sim *sim, int statics, withy_error *err) {
    *trace = (wy_trace){.n = wy_sim_mesh(sim),
                        .dt = withy_sim_step(sim),
                        .tol = wy_resolution_used(sim, "tol"),
                        .order = wy_method_order(sim->method, sim->options),
                        .length = wy_sim_length(sim)};
    WY_TRY(wy_probes_make(sim, NULL, &trace->probes, err));
    WY_TRY(make_views(trace, sim, err));
    return list_items(trace, sim, statics, err);
}

/* ---- the records ----------------------------------------------------------------------------------- */

static withy_status make_lost(wy_trace *trace, withy_error *err) {
    const size_t items = (size_t)trace->items;
    double *more = wy_alloc((size_t)trace->room * items, sizeof *more);
    if (!more) return no_memory(err);
    memcpy(more, trace->step_error, (size_t)trace->count * items * sizeof *more);
    wy_free(trace->step_error);
    trace->step_error = more;
    return WITHY_OK;
}

static withy_status make_room(wy_trace *trace, withy_error *err) {
    if (trace->count < trace->room) return WITHY_OK;
    const int room = trace->room ? 2 * trace->room : 64;
    double *more = wy_alloc((size_t)room * (size_t)trace->width, sizeof *more);
    if (!more) return no_memory(err);
    if (trace->count)
        memcpy(more, trace->value, (size_t)trace->count * (size_t)trace->width * sizeof *more);
    wy_free(trace->value);
    trace->value = more, trace->room = room;
    return trace->step_error ? make_lost(trace, err) : WITHY_OK;
}

static withy_status not_finite(const withy_sim *sim, const char *what, withy_error *err) {
    return wy_no_convergence(err, "%s: %s is not finite at %g", sim->method->name, what,
                             sim->core->t);
}

static withy_status add_rods(wy_trace *trace, withy_sim *sim, double *row, withy_error *err) {
    double *at = row + trace->item[trace->place.first].first;
    for (int rod = 0; rod < sim->problem.rod_count; rod++) {
        const char *bad = wy_view_sample(sim, rod, &trace->view[rod]);
        if (bad) return not_finite(sim, bad, err);
        const withy_snapshot *snap = &trace->view[rod].snap;
        for (int i = 0; i < snap->count; i++, at += 3)
            at[0] = snap->position[i].x, at[1] = snap->position[i].y, at[2] = snap->position[i].z;
    }
    const char *bad = wy_parts_sample(sim);
    if (bad) return not_finite(sim, bad, err);
    for (int i = 0; i < sim->parts.body_count; i++, at += 3) v3_to(sim->parts.body[i].position, at);
    if (sim->problem.rod_count == 0) return WITHY_OK;
    const withy_snapshot *snap = &trace->view[0].snap;
    trace->have = snap->have;
    if (snap->have & WITHY_HAVE_REACTION)
        memcpy(row + trace->item[trace->force.first].first, snap->reaction, sizeof snap->reaction);
    if (snap->have & WITHY_HAVE_REACTION_MOMENT)
        memcpy(row + trace->item[trace->moment.first].first, snap->reaction_moment,
               sizeof snap->reaction_moment);
    return WITHY_OK;
}

static withy_status add_probes(wy_trace *trace, withy_sim *sim, double *row, withy_error *err) {
    for (int i = 0; i < trace->probes.count; i++) {
        wy_probe *w = &trace->probes.one[i];
        const char *bad = NULL;
        const double *value = wy_probe_value(w, sim, &bad);
        if (bad) return not_finite(sim, bad, err);
        const wy_item *item = &trace->item[trace->probe.first + i];
        if (value) memcpy(row + item->first, value, (size_t)item->size * sizeof *row);
    }
    return WITHY_OK;
}

static withy_status fill_row(wy_trace *trace, withy_sim *sim, double energy, double *row,
                             withy_error *err) {
    memset(row, 0, (size_t)trace->width * sizeof *row);
    WY_TRY(add_rods(trace, sim, row, err));
    row[trace->item[trace->energy.first].first] = energy;
    for (int i = 0; i < trace->figure.count; i++) {
        withy_figure figure = {0};
        if (withy_sim_figure(sim, i, &figure))
            row[trace->item[trace->figure.first + i].first] = figure.value;
    }
    return add_probes(trace, sim, row, err);
}

withy_status wy_trace_add(wy_trace *trace, withy_sim *sim, double energy, withy_error *err) {
    WY_TRY(make_room(trace, err));
    WY_TRY(fill_row(trace, sim, energy, trace->value + (size_t)trace->count * (size_t)trace->width,
                    err));
    for (int i = 0; i < trace->items && trace->step_error; i++)
        trace->step_error[(size_t)trace->count * (size_t)trace->items + (size_t)i] =
            wy_step_error_bound(&trace->judged, i);
    trace->steps = sim->core->stats.steps;
    trace->count++;
    return WITHY_OK;
}

/* ---- the steps ------------------------------------------------------------------------------------- */

withy_status wy_trace_judge(wy_trace *trace, withy_sim *sim, withy_error *err) {
    const size_t items = (size_t)trace->items, width = (size_t)trace->width;
    trace->first = wy_alloc(items + 1, sizeof *trace->first);
    trace->look = wy_alloc(width + WY_STEP_ERROR_ROOM(items, width), sizeof *trace->look);
    trace->step_error = wy_alloc((size_t)trace->room * items, sizeof *trace->step_error);
    if (!trace->first || !trace->look || !trace->step_error) return no_memory(err);
    for (int i = 0; i < trace->items; i++) trace->first[i] = trace->item[i].first;
    trace->first[trace->items] = trace->width;
    wy_step_error_open(&trace->judged, sim, trace->items, trace->first, trace->look + width);
    wy_step_error_add(&trace->judged, sim, trace->value, 0);
    return WITHY_OK;
}

withy_status wy_trace_step(wy_trace *trace, withy_sim *sim, double stands, withy_error *err) {
    WY_TRY(fill_row(trace, sim, withy_sim_stats(sim).energy_end, trace->look, err));
    wy_step_error_add(&trace->judged, sim, trace->look, stands);
    return WITHY_OK;
}

void wy_trace_criticals(wy_trace *trace, const withy_critical *critical, int count) {
    for (int k = 0; k < trace->count; k++) {
        double *row = trace->value + (size_t)k * (size_t)trace->width;
        for (int i = 0; i < trace->critical.count; i++)
            row[trace->item[trace->critical.first + i].first] =
                i < count ? critical[i].factor : NAN;
    }
}

withy_status wy_trace_numbers(wy_trace *trace, const withy_sim *sim, int count, withy_error *err) {
    *trace = (wy_trace){.n = wy_sim_mesh(sim),
                        .order = wy_method_order(sim->method, sim->options),
                        .length = wy_sim_length(sim)};
    trace->item = wy_alloc((size_t)count, sizeof *trace->item);
    trace->value = wy_alloc((size_t)count, sizeof *trace->value);
    if (!trace->item || !trace->value) return no_memory(err);
    for (int i = 0; i < count; i++) add_item(trace, 1, WY_TRACE_OTHERS + i);
    trace->count = trace->room = 1;
    return WITHY_OK;
}

void wy_trace_keep_last(wy_trace *trace) {
    const size_t width = (size_t)trace->width;
    if (trace->count > 1)
        memmove(trace->value, trace->value + (size_t)(trace->count - 1) * width,
                width * sizeof *trace->value);
    trace->count = trace->count > 0;
}

void wy_trace_free(wy_trace *trace) {
    wy_free(trace->item), wy_free(trace->value), wy_free(trace->step_error);
    wy_free(trace->first), wy_free(trace->look);
    *trace = (wy_trace){0};
}

withy_status wy_trace_study(const withy_study *study, wy_trace_solve *solve, void *to,
                            withy_error *err) {
    withy_error own = {0};
    wy_trace trace = {0};
    const withy_status status = solve(study, to, study->error ? &trace : NULL, err ? err : &own);
    wy_trace_free(&trace);
    return status;
}
