/* fit_observe.c - one simulation of a fit: the numbers where the data are, and their derivatives. */
#include "study/fit/fit.h"
#include "study/gradient/gradient.h"
#include "study/run/probe.h"

/* The columns that are no positions, in one simulation. */
typedef struct others {
    withy_number *number; /* [columns] */
    wy_probe *recorder;   /* [columns] */
} others;

static withy_status others_make(const wy_fit_state *x, withy_sim *sim, others *o,
                                withy_error *err) {
    const size_t columns = (size_t)x->table.columns;
    wy_allocator from = {.arena = &sim->arena};
    o->number = wy_allocator_alloc(&from, columns, sizeof *o->number);
    o->recorder = wy_allocator_alloc(&from, columns, sizeof *o->recorder);
    if (from.failed) return wy_no_memory(err, "no memory for the data");
    for (int k = 1; k < x->table.columns; k++) {
        if (!x->column[k].other) continue;
        WY_TRY(wy_fit_number(x, &sim->problem, k, &o->number[k], err));
        WY_TRY(wy_probe_make(sim, &o->number[k].at, &o->recorder[k], err));
    }
    return WITHY_OK;
}

static withy_status put_others(const wy_fit_state *x, withy_sim *sim, others *o, double *out,
                               withy_error *err) {
    for (int k = 1; k < x->table.columns; k++) {
        if (!x->column[k].other) continue;
        const withy_number *n = &o->number[k];
        const char *bad = NULL;
        const double *value = wy_probe_value(&o->recorder[k], sim, &bad);
        if (bad) return wy_no_convergence(err, "%s is not finite", bad);
        if (!value)
            return wy_unsupported(err,
                                  "%s: does not compute %s, a column of the data; leave it out",
                                  sim->method->name, n->at.what);
        out[k - 1] = withy_component_of(n->quantity, n->component, value);
    }
    return WITHY_OK;
}

/* One row of positions into value[columns - 1]. */
static void put_row(const wy_fit_state *x, int row, const vec3 *r, int stride, double *out) {
    for (int k = 1; k < x->table.columns; k++) {
        const int station = x->kind == WY_FIT_SHAPE ? row : x->column[k].station;
        if (x->column[k].other) continue;
        out[(k - 1) * stride] = v3_get(r[station], x->column[k].axis);
    }
}

/* The derivatives of rows from `row` to before `end`. */
static withy_status put_slopes(wy_fit_state *x, withy_sim *sim, const double *p, const double *s,
                               int row, int end, vec3 *r, double *slope, withy_error *err) {
    const int n = x->setup->count;
    const size_t size = (size_t)(wy_fit_numbers(x) * n);
    for (int k = 0; k < n; k++) {
        withy_slope d;
        WY_TRY(wy_gradient_rod(sim, 0, k, &d, err));
        WY_TRY(wy_gradient_trust(sim, k, d.fault, err));
        for (int i = 0; i < x->stations; i++)
            WY_TRY(wy_gradient_fixed(sim, x->rod[i], k, 1, &s[i], err));
        for (int i = 0; i < x->stations; i++)
            wy_gradient_sample(sim, x->rod[i], k, 1, &s[i], &r[i], &r[x->stations]);
        for (int i = row; i < end; i++) put_row(x, i, r, n, &slope[(size_t)i * size + (size_t)k]);
        x->curve->growth =
            wy_max(x->curve->growth, fabs(p[k]) * d.grown / sim->problem.rod[0].length);
    }
    return WITHY_OK;
}

/* All rods on which something is observed, at once. */
typedef struct views {
    double *s;     /* [stations] */
    vec3 *r;       /* [2 stations] */
    wy_view *view; /* [rods] of all stations on it */
    int *used;     /* [rods] */
} views;

static withy_status views_make(const wy_fit_state *x, withy_sim *sim, views *v, withy_error *err) {
    const int rods = sim->problem.rod_count;
    wy_allocator from = {.arena = &sim->arena};
    v->s = wy_allocator_alloc(&from, (size_t)x->stations + 1, sizeof *v->s);
    v->r = wy_allocator_alloc(&from, 2 * (size_t)x->stations + 1, sizeof *v->r);
    v->view = wy_allocator_alloc(&from, (size_t)rods, sizeof *v->view);
    v->used = wy_allocator_alloc(&from, (size_t)rods, sizeof *v->used);
    double *own = wy_allocator_alloc(&from, (size_t)x->stations + 1, sizeof *own);
    if (from.failed) return wy_no_memory(err, "no memory for the data");
    WY_TRY(wy_fit_places(x, &sim->problem, v->s, err));
    for (int k = 0; k < rods; k++) {
        for (int i = 0; i < x->stations; i++) {
            own[i] = x->rod[i] == k ? v->s[i] : 0;
            v->used[k] |= x->rod[i] == k;
        }
        if (v->used[k]) WY_TRY(wy_view_make(sim, k, x->stations, own, &v->view[k], err));
    }
    return WITHY_OK;
}

static withy_status views_sample(const wy_fit_state *x, withy_sim *sim, views *v,
                                 withy_error *err) {
    for (int k = 0; k < sim->problem.rod_count; k++)
        if (v->used[k] && wy_view_sample(sim, k, &v->view[k]))
            return wy_no_convergence(err, "a position is not finite");
    for (int i = 0; i < x->stations; i++) v->r[i] = v->view[x->rod[i]].snap.position[i];
    return WITHY_OK;
}

static withy_status observe(wy_fit_state *x, withy_sim *sim, const double *p, int rows,
                            double *value, double *slope, withy_error *err) {
    const int c = wy_fit_numbers(x);
    views v = {0};
    withy_equilibrium at = {.negative = -1};
    others o = {0};
    WY_TRY(views_make(x, sim, &v, err));
    if (x->others) WY_TRY(others_make(x, sim, &o, err));
    if (x->kind == WY_FIT_SHAPE) WY_TRY(withy_sim_equilibrium(sim, 1, &at, err));
    x->curve->negative = at.negative;
    for (int i = 0; i * c < rows; i++) {
        if (x->kind == WY_FIT_MOTION)
            WY_TRY(withy_sim_advance(sim, x->table.value[i * x->table.columns], err));
        if (x->kind == WY_FIT_PATH)
            WY_TRY(withy_sim_equilibrium(sim, x->table.value[i * x->table.columns], &at, err));
        x->curve->negative = at.negative;
        WY_TRY(wy_variants_stopped(x->variants, err));
        WY_TRY(views_sample(x, sim, &v, err));
        if (value) put_row(x, i, v.r, 1, &value[i * c]);
        if (value && x->others) WY_TRY(put_others(x, sim, &o, &value[i * c], err));
        if (slope && x->kind != WY_FIT_SHAPE)
            WY_TRY(put_slopes(x, sim, p, v.s, i, i + 1, v.r, slope, err));
    }
    if (slope && x->kind == WY_FIT_SHAPE)
        WY_TRY(put_slopes(x, sim, p, v.s, 0, rows / c, v.r, slope, err));
    return WITHY_OK;
}

static withy_status mode_slopes(const wy_fit_state *x, withy_sim *sim, const withy_mode *mode,
                                double *slope, withy_error *err) {
    const int n = x->setup->count;
    double *all = wy_arena_alloc(&sim->arena, (size_t)mode->total, sizeof *all);
    if (!all) return wy_no_memory(err, "no memory for the data");
    for (int k = 0; k < n; k++) {
        withy_slope d;
        WY_TRY(withy_sim_mode_gradient(sim, mode, k, all, err));
        WY_TRY(wy_gradient_rod(sim, 0, k, &d, err));
        WY_TRY(wy_gradient_trust(sim, k, d.fault, err));
        for (int i = 0; i < x->table.rows; i++)
            slope[i * n + k] = all[(int)x->table.value[2 * i] - 1];
    }
    return WITHY_OK;
}

static withy_status observe_modes(wy_fit_state *x, withy_sim *sim, double *value, double *slope,
                                  withy_error *err) {
    int most = 0;
    withy_mode *mode;
    withy_equilibrium at;
    withy_status status = WITHY_OK;
    for (int i = 0; i < x->table.rows; i++) most = (int)wy_max(most, x->table.value[2 * i]);
    WY_TRY(withy_sim_equilibrium(sim, 1, &at, err));
    x->curve->negative = at.negative;
    WY_TRY(withy_sim_modes(sim, most, &mode, err));
    for (int i = 0; i < x->table.rows && value; i++)
        value[i] = mode[(int)x->table.value[2 * i] - 1].frequency;
    if (slope) status = mode_slopes(x, sim, mode, slope, err);
    withy_modes_free(mode, mode[0].total);
    return status;
}

withy_status wy_fit_observe(wy_fit_state *x, withy_sim *sim, const double *p, int rows,
                            double *value, double *slope, withy_error *err) {
    withy_sim_interrupt(sim, wy_variants_interrupt, x->variants);
    return x->kind == WY_FIT_MODE ? observe_modes(x, sim, value, slope, err)
                                  : observe(x, sim, p, rows, value, slope, err);
}
