/* fit.c - the model of a fit that is a scene: read with the parameters, solved, observed where the data are. */
#include "withy/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/columns.h"
#include "base/note.h"
#include "scene/best.h"
#include "scene/difference.h"
#include "study/door.h"
#include "study/free.h"
#include "study/gradient.h"
#include "study/sim.h"
#include "withy/gradient.h"

enum { STATIONS = WY_COLUMNS_ROWS, MODES = 64 };
static const double SEED =
    1e-3; /* relative step of set-ups, of which nothing but fields is differenced */
static const double GROWN = 1e3;    /* lengths per relative change: a note */
static const double HOPELESS = 1e5; /* no standard errors */
static const double NOTHING =
    1e-8; /* of the data: an effect that differences of solutions do not tell from none */

typedef enum kind { MOTION, PATH, SHAPE, MODE } kind;

/* Where a column of numbers is observed. */
typedef struct column {
    int station, axis; /* of position: 0, 1, 2 */
    int force;         /* 1: force on an end instead, 2: moment; the station is which end */
} column;

typedef struct observer {
    const withy_scene_fit *setup;
    wy_reader reader; /* of its scene */
    withy_fit_curve *curve;
    wy_arena arena;
    kind kind;
    wy_columns table;
    column column[WY_COLUMNS_MOST];
    double *s; /* [stations] where, at the start of the fit */
    int *rod;  /* [stations] on which rod */
    int stations;
    int forces; /* is any column a force or a moment? */
    int exact;
    int rows; /* for which differences were last taken with care */
    wy_difference difference;
    int window[32], windows; /* numbers to fit first, then more of them */
    wy_best best;
} observer;

/* ---- the table -------------------------------------------------------------------------------------- */

static withy_status wrong(const observer *x, int k, const char *why, withy_error *err) {
    return wy_fail(err, WITHY_BAD_INPUT, "%s: column \"%.60s\": %s", x->setup->data_name,
                   x->table.name[k], why);
}

static int axis_of(const char *text) {
    return text[0] && !text[1] && text[0] >= 'x' && text[0] <= 'z' ? text[0] - 'x' : -1;
}

/* Rod and arc length of a named place: an end of the first rod, or a probe of position. */
static withy_status place(const observer *x, const withy_problem *problem, int k, const char *name,
                          size_t size, int *rod, double *s, withy_error *err) {
    *rod = 0;
    if (size == 5 && strncmp(name, "start", size) == 0) return *s = 0, WITHY_OK;
    if (size == 6 && strncmp(name, "finish", size) == 0)
        return *s = problem->rod[0].length, WITHY_OK;
    for (int i = 0; i < problem->request.probe_count; i++) {
        const withy_probe *probe = &problem->request.probe[i];
        if (strlen(probe->name) != size || strncmp(probe->name, name, size) != 0) continue;
        if (strcmp(probe->what, "position") != 0 || probe->of != WITHY_OF_ROD)
            return wrong(x, k,
                         "that probe does not record a position of a rod, which is what fits take",
                         err);
        return *rod = probe->rod, *s = probe->at, WITHY_OK;
    }
    return wrong(x, k,
                 "names no probe of position; allowed: NAME.x, NAME.y, NAME.z with NAME a probe, "
                 "start or finish",
                 err);
}

/* force.start.x, moment.finish.z: of the support on the rod. */
static int is_force(const char *name, const char *dot, column *out) {
    static const char *const known[] = {"force.start", "force.finish", "moment.start",
                                        "moment.finish"};
    const size_t size = (size_t)(dot - name);
    for (int i = 0; i < 4; i++)
        if (strlen(known[i]) == size && strncmp(name, known[i], size) == 0) {
            *out = (column){i % 2, axis_of(dot + 1), 1 + i / 2};
            return 1;
        }
    return 0;
}

static withy_status read_motion(observer *x, const withy_problem *problem, withy_error *err) {
    for (int k = 1; k < x->table.columns; k++) {
        const char *name = x->table.name[k], *dot = strrchr(name, '.');
        const int axis = dot ? axis_of(dot + 1) : -1;
        if (axis < 0) return wrong(x, k, "must end with .x, .y or .z", err);
        x->s[k - 1] = 0;
        if (is_force(name, dot, &x->column[k])) {
            x->forces = 1;
            continue;
        }
        WY_TRY(place(x, problem, k, name, (size_t)(dot - name), &x->rod[k - 1], &x->s[k - 1], err));
        x->column[k] = (column){k - 1, axis, 0};
    }
    x->stations = x->table.columns - 1;
    for (int i = 0; i < x->table.rows; i++) {
        const double t = x->table.value[i * x->table.columns];
        const double before = i ? x->table.value[(i - 1) * x->table.columns] : -1;
        if (!(t >= 0 && t > before))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s: row %d: %s = %g; %s must be 0 or later and increase",
                           x->setup->data_name, i + 1, x->curve->axis, t,
                           x->kind == PATH ? "load factors" : "times");
    }
    return WITHY_OK;
}

static withy_status read_shape(observer *x, const withy_problem *problem, withy_error *err) {
    for (int k = 1; k < x->table.columns; k++) {
        const int axis = axis_of(x->table.name[k]);
        if (axis < 0) return wrong(x, k, "a shape has the columns s, x, y, z", err);
        x->column[k] = (column){0, axis, 0};
    }
    x->stations = x->table.rows;
    for (int i = 0; i < x->table.rows; i++) {
        x->s[i] = x->table.value[i * x->table.columns];
        if (!(x->s[i] >= 0 && x->s[i] <= problem->rod[0].length * (1 + 1e-9)))
            return wy_fail(err, WITHY_BAD_INPUT, "%s: row %d: s = %g; the rod has 0 .. %g",
                           x->setup->data_name, i + 1, x->s[i], problem->rod[0].length);
        x->s[i] = wy_min(x->s[i], problem->rod[0].length);
    }
    return WITHY_OK;
}

static withy_status read_modes(observer *x, withy_error *err) {
    if (x->table.columns != 2 || strcmp(x->table.name[1], "frequency") != 0)
        return wy_fail(err, WITHY_BAD_INPUT, "%s: modes have the columns mode, frequency",
                       x->setup->data_name);
    for (int i = 0; i < x->table.rows; i++) {
        const double mode = x->table.value[2 * i];
        if (!(mode >= 1 && mode <= MODES) || mode != floor(mode))
            return wy_fail(err, WITHY_BAD_INPUT, "%s: row %d: mode = %g; 1 .. %d",
                           x->setup->data_name, i + 1, mode, MODES);
    }
    return WITHY_OK;
}

static withy_status read_table(observer *x, const withy_problem *problem, withy_error *err) {
    const withy_scene_fit *setup = x->setup;
    WY_TRY(wy_columns_read(setup->data, setup->data_size, setup->data_name, &x->arena, &x->table,
                           err));
    if (!x->table.name || x->table.columns < 2)
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "%s: the first row must name the columns: t, tip.x, tip.y for a motion; factor, "
            "force.start.z for equilibria; s, x, y, z for a shape; mode, frequency",
            setup->data_name);
    const int most = x->table.rows > WY_COLUMNS_MOST ? x->table.rows : WY_COLUMNS_MOST;
    x->s = wy_arena_take(&x->arena, (size_t)most, sizeof *x->s);
    x->rod = wy_arena_take(&x->arena, (size_t)most, sizeof *x->rod);
    if (!x->s || !x->rod) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the data");
    const char *first = x->table.name[0];
    static const char *const axis[] = {"t", "factor", "s", "mode"};
    int found = -1;
    for (int i = 0; i < 4; i++)
        if (strcmp(first, axis[i]) == 0) found = i;
    if (found < 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: the first column is \"%.60s\"; it must be t, factor, s or mode",
                       setup->data_name, first);
    x->kind = (kind)found, x->curve->axis = axis[found];
    if (x->kind == MODE) return read_modes(x, err);
    return x->kind == SHAPE ? read_shape(x, problem, err) : read_motion(x, problem, err);
}

/* ---- one evaluation ---------------------------------------------------------------------------------- */

/* Where the columns are observed in another problem: with a parameter that moves probes or makes the rod longer they
 * move too. */
static withy_status places_at(const observer *x, const withy_problem *problem, double *s,
                              withy_error *err) {
    for (int i = 0; i < x->stations; i++) {
        const char *name = x->kind == SHAPE ? NULL : x->table.name[i + 1];
        const char *dot = name ? strrchr(name, '.') : NULL;
        int rod = x->rod[i];
        s[i] = x->s[i];
        if (name && !x->column[i + 1].force)
            WY_TRY(place(x, problem, i + 1, name, (size_t)(dot - name), &rod, &s[i], err));
        if (rod != x->rod[i] || rod >= problem->rod_count)
            return wrong(x, i + 1, "is on another rod with another value of a parameter", err);
        if (!(s[i] <= problem->rod[rod].length * (1 + 1e-9)))
            return wy_fail(err, WITHY_NO_CONVERGENCE, "%s: s = %g; the rod has 0 .. %g",
                           x->setup->data_name, s[i], problem->rod[rod].length);
        s[i] = wy_min(s[i], problem->rod[rod].length);
    }
    return WITHY_OK;
}

static int numbers(const observer *x) {
    return x->table.columns - 1;
}

/* Forces and moments of the supports into value[columns - 1]. */
static withy_status put_forces(const observer *x, withy_sim *sim, double *out, withy_error *err) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now || !(now->have & WITHY_HAVE_REACTION))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "%s gives no forces at the ends, which the data have; use director",
                       sim->method->name);
    for (int k = 1; k < x->table.columns; k++) {
        const column *c = &x->column[k];
        if (!c->force) continue;
        const vec3 *f = c->force == 1 ? now->reaction : now->reaction_moment;
        out[k - 1] = v3_get(f[c->station], c->axis);
    }
    return WITHY_OK;
}

/* One row of positions into value[columns - 1]. */
static void put_row(const observer *x, int row, const vec3 *r, int stride, double *out) {
    for (int k = 1; k < x->table.columns; k++) {
        const int station = x->kind == SHAPE ? row : x->column[k].station;
        if (x->column[k].force) continue;
        out[(k - 1) * stride] = v3_get(r[station], x->column[k].axis);
    }
}

/* The derivatives of rows from `row` to before `end`. */
static withy_status put_slopes(observer *x, withy_sim *sim, const double *p, const double *s,
                               int row, int end, vec3 *r, double *slope, withy_error *err) {
    const int n = x->setup->count;
    const size_t size = (size_t)(numbers(x) * n);
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

static withy_status views_make(const observer *x, withy_sim *sim, views *v, withy_error *err) {
    const int rods = sim->problem.rod_count;
    wy_taker from = {.arena = &sim->arena};
    v->s = wy_taker_take(&from, (size_t)x->stations + 1, sizeof *v->s);
    v->r = wy_taker_take(&from, 2 * (size_t)x->stations + 1, sizeof *v->r);
    v->view = wy_taker_take(&from, (size_t)rods, sizeof *v->view);
    v->used = wy_taker_take(&from, (size_t)rods, sizeof *v->used);
    double *own = wy_taker_take(&from, (size_t)x->stations + 1, sizeof *own);
    if (from.failed) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the data");
    WY_TRY(places_at(x, &sim->problem, v->s, err));
    for (int k = 0; k < rods; k++) {
        for (int i = 0; i < x->stations; i++) {
            own[i] = x->rod[i] == k ? v->s[i] : 0;
            v->used[k] |= x->rod[i] == k;
        }
        if (v->used[k]) WY_TRY(wy_view_make(sim, k, x->stations, own, &v->view[k], err));
    }
    return WITHY_OK;
}

static withy_status views_sample(const observer *x, withy_sim *sim, views *v, withy_error *err) {
    for (int k = 0; k < sim->problem.rod_count; k++)
        if (v->used[k] && wy_view_sample(sim, k, &v->view[k]))
            return wy_fail(err, WITHY_NO_CONVERGENCE, "a position is not finite");
    for (int i = 0; i < x->stations; i++) v->r[i] = v->view[x->rod[i]].snap.position[i];
    return WITHY_OK;
}

static withy_status observe(observer *x, withy_sim *sim, const double *p, int rows, double *value,
                            double *slope, withy_error *err) {
    const int c = numbers(x);
    views v = {0};
    withy_equilibrium at = {.negative = -1};
    WY_TRY(views_make(x, sim, &v, err));
    if (x->kind == SHAPE) WY_TRY(withy_sim_equilibrium(sim, 1, &at, err));
    x->curve->negative = at.negative;
    for (int i = 0; i * c < rows; i++) {
        if (x->kind == MOTION)
            WY_TRY(withy_sim_advance(sim, x->table.value[i * x->table.columns], err));
        if (x->kind == PATH)
            WY_TRY(withy_sim_equilibrium(sim, x->table.value[i * x->table.columns], &at, err));
        x->curve->negative = at.negative;
        WY_TRY(wy_reader_stopped(&x->reader, err));
        WY_TRY(views_sample(x, sim, &v, err));
        if (value) put_row(x, i, v.r, 1, &value[i * c]);
        if (value && x->forces) WY_TRY(put_forces(x, sim, &value[i * c], err));
        if (slope && x->kind != SHAPE)
            WY_TRY(put_slopes(x, sim, p, v.s, i, i + 1, v.r, slope, err));
    }
    if (slope && x->kind == SHAPE) WY_TRY(put_slopes(x, sim, p, v.s, 0, rows / c, v.r, slope, err));
    return WITHY_OK;
}

static withy_status mode_slopes(const observer *x, withy_sim *sim, const withy_mode *mode,
                                double *slope, withy_error *err) {
    const int n = x->setup->count;
    double *all = wy_arena_take(&sim->arena, (size_t)mode->total, sizeof *all);
    if (!all) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the data");
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

static withy_status observe_modes(observer *x, withy_sim *sim, double *value, double *slope,
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

static withy_status values(observer *x, const double *p, int rows, double *value,
                           withy_error *err) {
    withy_scene *scene;
    withy_sim *sim;
    WY_TRY(wy_reader_stopped(&x->reader, err));
    WY_TRY(wy_reader_at(&x->reader, p, &scene, err));
    withy_status status = withy_scene_sim(scene, x->setup->method, &sim, err);
    if (status == WITHY_OK) {
        withy_sim_watch(sim, wy_reader_watch, &x->reader);
        status = x->kind == MODE ? observe_modes(x, sim, value, NULL, err)
                                 : observe(x, sim, p, rows, value, NULL, err);
        withy_sim_destroy(sim);
    }
    withy_scene_destroy(scene);
    return status;
}

/* ---- derivatives -------------------------------------------------------------------------------------- */

/* Each of the solutions by itself, so that threads may share them. */
static withy_status one_of_many(void *context, const double *p, int rows, double *value,
                                withy_error *err) {
    const observer *x = context;
    withy_fit_curve curve = *x->curve; /* of this thread: only its verdicts are written */
    observer own = *x;
    own.curve = &curve;
    return values(&own, p, rows, value, err);
}

/* Derivatives are those at a fixed share of the length. */
static withy_status same_shares(const observer *x, const withy_problem *a, const withy_problem *b,
                                const char *parameter, withy_error *err) {
    if (x->kind == MODE) return WITHY_OK;
    double *s = wy_take(2 * (size_t)x->stations, sizeof *s), *other = s + x->stations;
    if (!s) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    withy_status status = places_at(x, a, s, err);
    if (status == WITHY_OK) status = places_at(x, b, other, err);
    for (int i = 0; i < x->stations && status == WITHY_OK; i++) {
        const double one = a->rod[x->rod[i]].length, two = b->rod[x->rod[i]].length;
        if (fabs(s[i] / one - other[i] / two) > 1e-12)
            status = wy_fail(err, WITHY_UNSUPPORTED,
                             "%s moves where the data are observed along the rod, which takes "
                             "differences",
                             parameter);
    }
    wy_give(s);
    return status;
}

static withy_status read_around(const observer *x, const double *p, wy_around *a,
                                withy_error *err) {
    double step[WITHY_FIT_MOST];
    for (int k = 0; k < x->setup->count; k++)
        step[k] = wy_difference_step(&x->setup->free[k], p[k], SEED);
    WY_TRY(wy_around_read(&x->reader, p, step, a, err));
    for (int k = 0; k < x->setup->count; k++)
        for (int i = 0; i < 4; i++)
            WY_TRY(same_shares(x, withy_scene_problem(a->here), a->vary[k].at[i],
                               x->setup->free[k].name, err));
    return WITHY_OK;
}

static withy_status exactly(observer *x, const double *p, int rows, double *slope,
                            withy_error *err) {
    withy_option option[WITHY_SCENE_OPTIONS];
    withy_study study;
    withy_sim *sim = NULL;
    wy_around *a = wy_take(1, sizeof *a);
    if (!a) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    withy_status status = read_around(x, p, a, err);
    if (status == WITHY_OK)
        status = withy_scene_study(a->here, x->setup->method, option, &study, err);
    if (status == WITHY_OK)
        status = withy_gradient_create(study.problem, study.method, option, study.option_count,
                                       a->vary, x->setup->count, &sim, err);
    if (status == WITHY_OK) withy_sim_watch(sim, wy_reader_watch, &x->reader);
    if (status == WITHY_OK)
        status = x->kind == MODE ? observe_modes(x, sim, NULL, slope, err)
                                 : observe(x, sim, p, rows, NULL, slope, err);
    withy_sim_destroy(sim);
    wy_around_free(a, x->setup->count);
    wy_give(a);
    return status;
}

/* The size of the data, all of which a change of all of a parameter should change by more than rounding does. */
static double size_of(const observer *x, int rows) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += pow(x->curve->data[i], 2);
    return sqrt(sum);
}

/* What a parameter without effect has for derivatives is rounding, from which an error would follow. */
static void drop_rounding(const observer *x, const double *p, int rows, double *slope) {
    static const double ROUNDING = 1e-10;
    const int n = x->setup->count;
    for (int k = 0; k < n; k++) {
        const withy_fit_free *f = &x->setup->free[k];
        const double range = f->high - f->low, all = isfinite(range) ? range : 0;
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += pow(slope[i * n + k], 2);
        if (sqrt(sum) * wy_max(fabs(p[k]), all) > ROUNDING * size_of(x, rows)) continue;
        for (int i = 0; i < rows; i++) slope[i * n + k] = 0;
    }
}

static withy_status slopes_at(observer *x, const double *p, int rows, double *slope,
                              withy_error *err) {
    if (x->exact) {
        withy_error own = {0};
        const withy_status status = exactly(x, p, rows, slope, &own);
        if (status != WITHY_UNSUPPORTED) {
            if (err) *err = own;
            return status;
        }
        x->exact = 0; /* from now on */
        wy_note(&x->curve->notes, WY_NOTE(differences_taken), own.text);
    }
    const int careful = x->rows != rows;
    x->rows = rows; /* the steps are known then */
    return wy_difference_find(&x->difference, careful, p, rows, slope, err);
}

static int stage_of(const observer *x, int rows) {
    int stage = 0;
    while (stage + 1 < x->windows && x->window[stage] < rows) stage++;
    return stage;
}

static double misfit(const observer *x, int rows, const double *value) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += pow(value[i] - x->curve->data[i], 2);
    return sum;
}

static withy_status model(void *context, const double *p, int rows, double *value, double *slope,
                          withy_error *err) {
    observer *x = context;
    if (value) {
        WY_TRY(values(x, p, rows, value, err));
        wy_best_try(&x->best, stage_of(x, rows), 0, misfit(x, rows, value), p);
        return WITHY_OK;
    }
    WY_TRY(slopes_at(x, p, rows, slope, err));
    drop_rounding(x, p, rows, slope);
    return WITHY_OK;
}

/* ---- the fit ------------------------------------------------------------------------------------------ */

withy_scene_fit withy_scene_fit_default(void) {
    return (withy_scene_fit){.size = sizeof(withy_scene_fit), .windows = 1, .threads = 1};
}

static withy_status take_curve(observer *x, withy_error *err) {
    withy_fit_curve *c = x->curve;
    const size_t rows = (size_t)x->table.rows, columns = (size_t)numbers(x);
    c->rows = x->table.rows, c->columns = numbers(x);
    double *all =
        wy_take(rows + 2 * rows * columns + columns * WITHY_NAME / sizeof(double), sizeof *all);
    if (!all) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the data");
    c->memory = all, c->at = all, c->data = all + rows, c->model = c->data + rows * columns;
    c->name = (char(*)[WITHY_NAME])(void *)(c->model + rows * columns);
    for (size_t k = 0; k < columns; k++)
        snprintf(c->name[k], sizeof c->name[k], "%.60s", x->table.name[k + 1]);
    for (size_t i = 0; i < rows; i++) {
        c->at[i] = x->table.value[i * (columns + 1)];
        for (size_t k = 0; k < columns; k++)
            c->data[i * columns + k] = x->table.value[i * (columns + 1) + k + 1];
    }
    return WITHY_OK;
}

/* How much of the data to fit first. */
static void set_windows(observer *x) {
    const int count = x->kind == MOTION ? x->setup->windows : 1;
    for (int i = 0; i < count; i++) {
        const int rows = x->table.rows >> (count - 1 - i), before = x->windows - 1;
        if (rows > 0 && (before < 0 || rows * numbers(x) > x->window[before]))
            x->window[x->windows++] = rows * numbers(x);
    }
}

/* Where it begins: free[count], and how many windows are done. */
static withy_status begin(observer *x, const withy_scene *scene, withy_fit_free *free, int *done,
                          withy_error *err) {
    const withy_scene_fit *setup = x->setup;
    double p[WITHY_FIT_MOST];
    WY_TRY(wy_best_open(&x->best, &x->reader, setup->best, setup->resume, &x->arena, err));
    wy_best_line(&x->best, "fit\nsigma %.15g\nwindows %d\ndifferences %d\n", setup->sigma,
                 setup->windows, setup->differences);
    WY_TRY(wy_best_describe(&x->best, scene, setup->method, setup->data, setup->data_size, err));
    WY_TRY(wy_best_start(&x->best, setup->resume, x->windows, p, done, err));
    for (int k = 0; k < setup->count; k++) free[k] = setup->free[k], free[k].value = p[k];
    return WITHY_OK;
}

static void judge(observer *x, withy_fit_result *result) {
    for (int k = 0; k < result->count && x->curve->growth > HOPELESS; k++)
        result->value[k].error = INFINITY;
    if (x->curve->growth > GROWN)
        wy_note(&x->curve->notes, WY_NOTE(fit_amplified), x->curve->growth,
                x->curve->growth > HOPELESS
                    ? "no standard errors are given; use a shorter part of it"
                    : "use a shorter part of it, or a little damping");
}

/* ---- do the derivatives hold? ------------------------------------------------------------------------------ */

/* Numbers along a line through p, of which 1 is p. */
typedef struct line {
    observer *x;
    const double *p;
    double way[WITHY_FIT_MOST];
} line;

static withy_status along(void *context, const double *q, int rows, double *value,
                          withy_error *err) {
    const line *l = context;
    double p[WITHY_FIT_MOST];
    for (int k = 0; k < l->x->setup->count; k++) p[k] = l->p[k] + (q[0] - 1) * l->way[k];
    return one_of_many(l->x, p, rows, value, err);
}

/* A line on which all parameters have about the same effect, or would have one if their derivative were not 0. */
static void choose_line(line *l, const double *slope, int rows) {
    const withy_scene_fit *setup = l->x->setup;
    double effect[WITHY_FIT_MOST], least = INFINITY;
    const double none = NOTHING * size_of(l->x, rows);
    for (int k = 0; k < setup->count; k++) {
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += pow(slope[i * setup->count + k], 2);
        l->way[k] = wy_difference_step(&setup->free[k], l->p[k], 1);
        effect[k] = sqrt(sum) * l->way[k];
        if (effect[k] > none) least = wy_min(least, effect[k]);
    }
    for (int k = 0; k < setup->count; k++)
        l->way[k] *= (k % 2 ? -1 : 1) * (effect[k] > none ? least / effect[k] : 1);
}

/* Exact derivatives are those of what is computed: are they those of whole solutions too? */
static withy_status compare_line(observer *x, const double *p, int rows, double *slope, int *holds,
                                 withy_error *err) {
    static const double ENOUGH = 0.05; /* beyond what differences know of themselves */
    const int n = x->setup->count;
    line l = {.x = x, .p = p};
    const withy_fit_free one = {.value = 1, .low = -1, .high = 3};
    wy_reader reader = x->reader;
    reader.free = &one, reader.count = 1;
    wy_difference d = {.reader = &reader, .model = along, .context = &l};
    double miss = 0, size = 0, *found = wy_take((size_t)rows, sizeof *found);
    if (!found) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    choose_line(&l, slope, rows);
    const withy_status status = wy_difference_find(&d, 1, (const double[]){1}, rows, found, err);
    for (int i = 0; i < rows && status == WITHY_OK; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += slope[i * n + k] * l.way[k];
        miss += (sum - found[i]) * (sum - found[i]);
        size += wy_max(sum * sum, found[i] * found[i]);
    }
    *holds = d.by[0].miss >= 1 ||
             sqrt(miss) <= (ENOUGH + 3 * d.by[0].miss) * sqrt(size) + NOTHING * size_of(x, rows);
    wy_give(found);
    return status;
}

/* Where a solution beside the estimate fails, nothing is known of it: the exact ones stand. */
static withy_status check_exact(observer *x, const double *p, int rows, int *holds,
                                withy_error *err) {
    double *slope = wy_take((size_t)rows * (size_t)x->setup->count, sizeof *slope);
    if (!slope) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    withy_status status = exactly(x, p, rows, slope, err);
    if (status == WITHY_OK) status = compare_line(x, p, rows, slope, holds, err);
    wy_give(slope);
    if (status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY) return status;
    if (status != WITHY_OK) *holds = 1;
    return WITHY_OK;
}

/* From the estimate, by differences. */
static withy_status fit_again(observer *x, const withy_fit_setup *fit, double *p,
                              withy_fit_result *result, withy_error *err) {
    withy_fit_setup again = *fit;
    withy_fit_free *free = wy_arena_take(&x->arena, (size_t)fit->count, sizeof *free);
    if (!free) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    for (int k = 0; k < fit->count; k++) free[k] = fit->free[k], free[k].value = p[k];
    const int runs = result->runs, jacobians = result->jacobians;
    again.free = free, x->exact = x->rows = 0;
    wy_note(&x->curve->notes, WY_NOTE(fit_rough));
    withy_fit_free_result(result);
    WY_TRY(withy_fit(&again, result, err));
    result->runs += runs, result->jacobians += jacobians, result->moved = 1;
    for (int k = 0; k < fit->count; k++) p[k] = result->value[k].value;
    return WITHY_OK;
}

/* The grain of the numbers is part of the error of an estimate. */
static void add_grain(withy_fit_value *v, const withy_fit_free *f, double grain) {
    v->error = sqrt(v->error * v->error + grain * grain);
    wy_free_interval(f, f->log ? v->error / fabs(v->value) : v->error, v);
}

static withy_status judge_differences(observer *x, const double *p, int rows,
                                      withy_fit_result *result, withy_error *err) {
    static const double WORTH = 0.1; /* of a standard error: a note */
    double *slope = wy_take((size_t)rows * (size_t)result->count, sizeof *slope);
    if (!slope) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    const withy_status status = wy_difference_find(&x->difference, 1, p, rows, slope, err);
    wy_give(slope);
    for (int k = 0; k < result->count && status == WITHY_OK; k++) {
        const wy_difference_by *by = &x->difference.by[k];
        const char *name = x->setup->free[k].name;
        withy_fit_value *v = &result->value[k];
        withy_notes *notes = &x->curve->notes;
        if (by->miss >= 1) v->error = INFINITY;
        if (by->miss < 1 && by->grain > 0) add_grain(v, &x->setup->free[k], by->grain);
        if (by->miss >= 1)
            wy_note(notes, WY_NOTE(fit_error_none), name);
        else if (by->grain > 0)
            wy_note(notes, WY_NOTE(fit_error_grain), name, by->grain);
        else if (by->miss > WORTH)
            wy_note(notes, WY_NOTE(fit_error_rough), name, 100 * by->miss);
    }
    return status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY ? status : WITHY_OK;
}

static withy_status fit_scene(observer *x, withy_fit_result *result, withy_error *err) {
    withy_scene *scene;
    int done = 0;
    double start[WITHY_FIT_MOST];
    withy_fit_free *free = wy_arena_take(&x->arena, (size_t)x->setup->count, sizeof *free);
    if (!free) return wy_fail(err, WITHY_NO_MEMORY, "no memory for a fit");
    for (int k = 0; k < x->setup->count; k++) start[k] = x->setup->free[k].value;
    WY_TRY(wy_reader_at(&x->reader, start, &scene, err));
    const withy_problem *problem = withy_scene_problem(scene);
    withy_status status = problem->rod_count > 0
                              ? read_table(x, problem, err)
                              : wy_fail(err, WITHY_BAD_INPUT, "a fit needs a rod");
    if (status == WITHY_OK) status = take_curve(x, err);
    if (status == WITHY_OK) set_windows(x);
    if (status == WITHY_OK) status = begin(x, scene, free, &done, err);
    withy_scene_destroy(scene);
    if (status != WITHY_OK) return status;
    const int rows = x->table.rows * numbers(x);
    double *sigma =
        x->setup->sigma > 0 ? wy_arena_take(&x->arena, (size_t)rows, sizeof *sigma) : NULL;
    if (x->setup->sigma > 0 && !sigma)
        return wy_fail(err, WITHY_NO_MEMORY, "no memory for the data");
    for (int i = 0; i < rows && sigma; i++) sigma[i] = x->setup->sigma;
    withy_fit_setup fit = withy_fit_default();
    fit.model = model, fit.context = x, fit.free = free, fit.count = x->setup->count;
    fit.data = x->curve->data, fit.sigma = sigma, fit.rows = rows;
    fit.window = x->window + done, fit.windows = x->windows - done;
    x->exact = !x->setup->differences && !x->forces;
    x->difference = (wy_difference){.reader = &x->reader, .model = one_of_many, .context = x};
    if (x->forces && !x->setup->differences) wy_note(&x->curve->notes, WY_NOTE(fit_forces));
    WY_TRY(withy_fit(&fit, result, err));
    if (x->setup->resume) result->moved = 1; /* from where it started at first */
    double p[WITHY_FIT_MOST];
    for (int k = 0; k < result->count; k++) p[k] = result->value[k].value;
    int holds = 1;
    if (x->exact) WY_TRY(check_exact(x, p, rows, &holds, err));
    if (!holds) WY_TRY(fit_again(x, &fit, p, result, err));
    x->curve->exact = x->exact;
    if (!x->exact) WY_TRY(judge_differences(x, p, rows, result, err));
    judge(x, result);
    return values(x, p, rows, x->curve->model, err);
}

withy_status withy_fit_of_scene(const withy_scene_fit *setup, withy_fit_result *result,
                                withy_fit_curve *curve, withy_error *err) {
    WY_NEED(setup);
    WY_NEED(result);
    WY_NEED(curve);
    *result = (withy_fit_result){0};
    *curve = (withy_fit_curve){.negative = -1};
    if (setup->size != sizeof *setup || !setup->read || !setup->data || !setup->free)
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "withy_fit_of_scene: begin with withy_scene_fit_default(), and give read, data "
            "and free");
    if (setup->count < 1 || setup->count > WITHY_FIT_MOST || setup->windows < 1 ||
        setup->windows > 16 || !(setup->sigma >= 0))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "a fit takes 1 .. %d free parameters, 1 .. 16 windows and a standard deviation "
            "of 0 or more",
            WITHY_FIT_MOST);
    observer x = {.setup = setup, .reader = WY_READER_OF(setup), .curve = curve};
    const withy_status status = fit_scene(&x, result, err);
    wy_arena_free(&x.arena);
    return status;
}

void withy_fit_curve_free(withy_fit_curve *curve) {
    if (!curve) return;
    wy_give(curve->memory);
    curve->memory = NULL;
}
