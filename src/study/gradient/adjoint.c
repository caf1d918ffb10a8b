/* adjoint.c - one number by many parameters: forwards to the observations, backwards through the adjoints interface. */
#include "study/gradient/gradient.h"

/* Observations, and the stations of each rod among them that differ. */
typedef struct observed {
    const withy_observation *at;
    int count;
    double *s;               /* [count] of all rods, one after the other */
    int *station;            /* [count] on its own rod */
    vec3 *position, *slope;  /* [count] */
    wy_adjoint_weight *pull; /* [count] */
    char *state;             /* [state.used] after the last observation */
    wy_view *view;           /* [rods] */
    int *used;               /* [rods] is it? */
} observed;

static int by_place(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static withy_status check(const withy_sim *sim, const withy_observation *at, int count,
                          withy_error *err) {
    if (count < 1) return wy_bad_input(err, "withy_sim_adjoint: %d observations; 1 or more", count);
    for (int i = 0; i < count; i++) {
        if (at[i].rod < 0 || at[i].rod >= sim->problem.rod_count)
            return wy_bad_input(err, "withy_sim_adjoint: observation %d on rod %d; 0 .. %d", i,
                                at[i].rod, sim->problem.rod_count - 1);
        const double length = sim->problem.rod[at[i].rod].length;
        if (!(at[i].s >= 0 && at[i].s <= length))
            return wy_bad_input(err,
                                "withy_sim_adjoint: observation %d at s = %g; the rod has 0 .. %g",
                                i, at[i].s, length);
        if (!sim->core->equilibrium && !(at[i].t >= (i ? at[i - 1].t : 0)))
            return wy_bad_input(err,
                                "withy_sim_adjoint: observation %d at t = %g; times must be 0 or "
                                "later and not fall",
                                i, at[i].t);
    }
    return WITHY_OK;
}

/* The stations of one rod, and what is observed there. */
static withy_status take_rod(withy_sim *sim, observed *x, int rod, double *s, int *stations,
                             withy_error *err) {
    int all = 0, count = 0;
    for (int i = 0; i < x->count; i++)
        if (x->at[i].rod == rod) s[all++] = x->at[i].s;
    qsort(s, (size_t)all, sizeof *s, by_place);
    for (int i = 0; i < all; i++)
        if (!i || s[i] > s[count - 1]) s[count++] = s[i];
    for (int i = 0; i < x->count; i++) {
        if (x->at[i].rod != rod) continue;
        const double *found = bsearch(&x->at[i].s, s, (size_t)count, sizeof *s, by_place);
        x->station[i] = (int)(found - s);
    }
    *stations = count, x->used[rod] = count > 0;
    WY_TRY(wy_gradient_fixed(sim, rod, -1, count, s, err));
    return count ? wy_view_make(sim, rod, count, s, &x->view[rod], err) : WITHY_OK;
}

static withy_status take(withy_sim *sim, observed *x, wy_arena *arena, withy_error *err) {
    wy_allocator from = {.arena = arena};
    const size_t count = (size_t)x->count;
    x->s = wy_allocator_alloc(&from, count, sizeof *x->s);
    x->station = wy_allocator_alloc(&from, count, sizeof *x->station);
    x->position = wy_allocator_alloc(&from, count, sizeof *x->position);
    x->slope = wy_allocator_alloc(&from, count, sizeof *x->slope);
    x->pull = wy_allocator_alloc(&from, count, sizeof *x->pull);
    x->state = wy_allocator_alloc(&from, sim->state.used, 1);
    x->view = wy_allocator_alloc(&from, (size_t)sim->problem.rod_count, sizeof *x->view);
    x->used = wy_allocator_alloc(&from, (size_t)sim->problem.rod_count, sizeof *x->used);
    if (from.failed) return wy_no_memory(err, "no memory for observations");
    double *s = x->s;
    for (int i = 0; i < sim->problem.rod_count; i++) {
        int stations;
        WY_TRY(take_rod(sim, x, i, s, &stations, err));
        s += stations;
    }
    return WITHY_OK;
}

static withy_status observe(withy_sim *sim, observed *x, withy_error *err) {
    for (int i = 0; i < x->count; i++) {
        const int again = i > 0 && (sim->core->equilibrium || !(x->at[i].t > x->at[i - 1].t));
        if (!again) {
            if (!sim->core->equilibrium) WY_TRY(withy_sim_advance(sim, x->at[i].t, err));
            for (int k = 0; k < sim->problem.rod_count; k++)
                if (x->used[k] && wy_view_sample(sim, k, &x->view[k]))
                    return wy_no_convergence(err, "a position is not finite");
        }
        x->position[i] = x->view[x->at[i].rod].snap.position[x->station[i]];
        x->pull[i].step = sim->method->adjoint->taped(sim->self);
        x->pull[i].s = x->at[i].s, x->pull[i].rod = x->at[i].rod;
    }
    return WITHY_OK;
}

/* The state is lost. */
static withy_status back(withy_sim *sim, const observed *x, withy_error *err) {
    const wy_adjoints *equations = sim->method->adjoint;
    if (sim->core->equilibrium) {
        const double factor = sim->core->t, t = wy_sim_load_time(sim, factor);
        WY_TRY(wy_gradient_factor(sim, factor, t, 0, err));
        return equations->equilibrium(sim->self, t, x->pull, x->count, err);
    }
    WY_TRY(equations->reverse(sim->self, x->pull, x->count, err));
    if (!wy_gradient_settles(sim)) return WITHY_OK;
    equations->rewind(sim->self);
    WY_TRY(wy_gradient_factor(sim, 1, 0, 1, err));
    return equations->equilibrium(sim->self, 0, NULL, 0, err);
}

static withy_status solve(withy_sim *sim, observed *x, withy_objective objective, void *context,
                          double *value, double *gradient, withy_error *err) {
    const int moved = !sim->core->equilibrium, settled = wy_gradient_settles(sim);
    WY_TRY(observe(sim, x, err));
    WY_TRY(wy_gradient_jumps(sim, -1, err));
    WY_TRY(objective(context, x->count, x->position, value, x->slope, err));
    for (int i = 0; i < x->count; i++) x->pull[i].weight = x->slope[i];
    memcpy(x->state, sim->state.base, sim->state.used);
    withy_status status = back(sim, x, err);
    memcpy(sim->state.base, x->state, sim->state.used);
    for (int k = 0; k < sim->gradient->count && status == WITHY_OK; k++)
        status = wy_gradient_smooth(sim, k, err);
    vec3 all = v3(0, 0, 0);
    for (int i = 0; i < x->count; i++) all = v3_add(all, x->slope[i]);
    for (int k = 0; k < sim->gradient->count && status == WITHY_OK && gradient; k++)
        gradient[k] = sim->method->adjoint->sum(sim->self, k, moved, settled) +
                      v3_dot(all, sim->gradient->origin[k]);
    sim->gradient->ready = status == WITHY_OK;
    return status;
}

static withy_status backwards(const withy_sim *sim, withy_error *err) {
    if (sim->gradient && sim->gradient->backwards) return WITHY_OK;
    return wy_bad_input(
        err, "this simulation cannot compute adjoints; create it with withy_adjoint_create");
}

withy_status withy_sim_adjoint(withy_sim *sim, const withy_observation *at, int count,
                               withy_objective objective, void *context, double *value,
                               double *gradient, withy_error *err) {
    WY_NEED(sim, at, value);
    if (!objective) return wy_bad_input(err, "withy_sim_adjoint: the argument objective is NULL");
    WY_TRY(backwards(sim, err));
    WY_TRY(check(sim, at, count, err));
    if (!sim->core->equilibrium && withy_sim_time(sim) > 0)
        return wy_bad_input(err, "withy_sim_adjoint: the motion is at t = %g; it must begin at 0",
                            withy_sim_time(sim));
    wy_arena arena = {0};
    observed x = {.at = at, .count = count};
    sim->gradient->ready = 0;
    withy_status status = take(sim, &x, &arena, err);
    if (status == WITHY_OK) status = solve(sim, &x, objective, context, value, gradient, err);
    wy_arena_free(&arena);
    return status;
}

withy_status withy_sim_sensitivity(withy_sim *sim, withy_sensitivity *out, withy_error *err) {
    WY_NEED(sim, out);
    WY_TRY(backwards(sim, err));
    wy_gradient *x = sim->gradient;
    if (!x->ready) return wy_bad_input(err, "withy_sim_sensitivity: first withy_sim_adjoint");
    *out = (withy_sensitivity){0};
    sim->method->adjoint->counts(sim->self, &out->points, &out->nodes, &out->fault);
    if (!x->point) x->point = wy_arena_alloc(&sim->arena, (size_t)out->points, sizeof *x->point);
    if (!x->node) x->node = wy_arena_alloc(&sim->arena, (size_t)out->nodes, sizeof *x->node);
    if (!x->point || !x->node) return wy_no_memory(err, "no memory for derivatives by fields");
    sim->method->adjoint->fields(sim->self, x->point, x->node);
    out->point = x->point, out->node = x->node;
    return WITHY_OK;
}
