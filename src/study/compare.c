/* compare.c - run one problem under one method, finer and finer, until its error is known.
 *
 * Level k runs with n 2^k intervals and the step dt / 2^k (an explicit method that refuses the step of
 * the problem takes its own longest one at every level).  A coarse level that fails is skipped: a
 * scene is written for one method, and another may need more points.
 */
#include "study/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/files.h"

enum { MOST_SKIPPED = 1 }; /* coarse levels that may fail */

const wy_compare_what wy_compare_list[WITHY_COMPARE_WHAT] = {
    [WITHY_COMPARE_FINISH] = {"finish", "m", WITHY_HAVE_POSITION, 0},
    [WITHY_COMPARE_MIDDLE] = {"middle", "m", WITHY_HAVE_POSITION, 0},
    [WITHY_COMPARE_FORCE] = {"force at start", "N", WITHY_HAVE_REACTION, 1},
    [WITHY_COMPARE_MOMENT] = {"moment at start", "N m", WITHY_HAVE_REACTION_MOMENT, 1},
};

const char *withy_compare_name(int what) {
    return what >= 0 && what < WITHY_COMPARE_WHAT ? wy_compare_list[what].name : NULL;
}

const char *withy_compare_unit(int what) {
    return what >= 0 && what < WITHY_COMPARE_WHAT ? wy_compare_list[what].unit : NULL;
}

double wy_compare_distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* ---- the options of a level ------------------------------------------------------------------------ */

enum { MOST_OPTIONS = 64 };

/* The options of one run: those of the problem, with the resolution of the level. */
typedef struct resolution {
    withy_option option[MOST_OPTIONS];
    int count;
} resolution;

/* Set or replace an option; a word or, when it is empty, a number. */
static void set_option(resolution *x, const char *name, double number, const char *word) {
    int i = 0;
    while (i < x->count && strcmp(x->option[i].name, name) != 0) i++;
    if (i == MOST_OPTIONS) return;
    if (i == x->count) x->count++;
    x->option[i] = (withy_option){.number = number};
    snprintf(x->option[i].name, sizeof x->option[i].name, "%s", name);
    snprintf(x->option[i].word, sizeof x->option[i].word, "%s", word);
}

/* The values used in the first run are the base of all levels. */
static void resolve(const wy_compare_task *task, const withy_compare_method *m,
                    const withy_compare_run *run, const withy_study *study, resolution *out) {
    const withy_compare_run *base = &m->run[0];
    for (out->count = 0; out->count < study->option_count && out->count < MOST_OPTIONS;
         out->count++)
        out->option[out->count] = study->option[out->count];
    if (run->automatic) set_option(out, "dt", 0, "auto");
    const int finer = run->level - base->level;
    if (run->level == 0) return;
    set_option(out, "n", ldexp(base->n, finer), "");
    /* an adapted step has its tolerance tightened: an error of second order per step falls by eight */
    if (base->dt > 0 && !run->automatic && !task->statics)
        set_option(out, "dt", ldexp(base->dt, -finer), "");
    else if (base->dt == 0 && base->tol > 0 && !task->statics)
        set_option(out, "tol", ldexp(base->tol, -3 * finer), "");
}

/* A number among the options as used; 0 when there is none of that name. */
static double option_of(const withy_sim *sim, const char *wanted) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, WITHY_NAME); i++)
        if (strcmp(name, wanted) == 0) return atof(value);
    return 0;
}

/* A copy of the scene's problem with three stations, one task, and some strains made stiffer. */
typedef struct stiffer {
    const withy_rod *rod;
    int strain;
    double factor;
} stiffer;

typedef struct variant {
    withy_problem problem;
    withy_rod *rod;   /* [rod_count] */
    stiffer *stiffer; /* [rod_count * WITHY_STRAINS] contexts of the changed fields */
} variant;

static withy_status stiffer_at(void *context, double s, double t, double *out, withy_error *err) {
    const stiffer *x = context;
    double k[WITHY_STRAINS];
    (void)t;
    const withy_status status = withy_rod_stiffness(x->rod, s, k, err);
    *out = x->factor * k[x->strain];
    return status;
}

static withy_status stiffen(variant *v, const withy_problem *problem, unsigned strains,
                            double factor, withy_error *err) {
    for (int i = 0; i < problem->rod_count; i++) {
        double k[WITHY_STRAINS];
        v->rod[i] = problem->rod[i];
        const withy_status status = withy_rod_stiffness(&problem->rod[i], 0, k, err);
        if (status != WITHY_OK) return status;
        for (int j = 0; j < WITHY_STRAINS; j++) {
            if (!(strains >> j & 1) || !isfinite(k[j])) continue;
            stiffer *context = &v->stiffer[i * WITHY_STRAINS + j];
            *context = (stiffer){&problem->rod[i], j, factor};
            const withy_field *given = &problem->rod[i].stiffness[j];
            v->rod[i].stiffness[j] = withy_field_number(factor * k[j]);
            if (given->call || problem->rod[i].section.a.call || problem->rod[i].section.b.call) {
                v->rod[i].stiffness[j].call = stiffer_at;
                v->rod[i].stiffness[j].context = context;
            }
        }
    }
    return WITHY_OK;
}

static withy_status no_memory(withy_error *err) {
    return wy_fail(err, WITHY_NO_MEMORY, "no memory to compare");
}

static withy_status variant_make(const wy_compare_task *task, const withy_problem *problem,
                                 unsigned strains, double factor, variant *v, withy_error *err) {
    *v = (variant){.problem = *problem};
    v->problem.request.stations = 3; /* start, middle, finish */
    v->problem.request.probe_count = 0;
    if (!task->statics) v->problem.path.given = 0;
    if (factor == 1.0) return WITHY_OK;
    v->rod = wy_take((size_t)problem->rod_count, sizeof *v->rod);
    v->stiffer = wy_take((size_t)problem->rod_count * WITHY_STRAINS, sizeof *v->stiffer);
    if (!v->rod || !v->stiffer) return no_memory(err);
    v->problem.rod = v->rod;
    return stiffen(v, problem, strains, factor, err);
}

/* ---- one run --------------------------------------------------------------------------------------- */

static withy_status record(const wy_compare_task *task, withy_sim *sim, double t, int k,
                           withy_compare_run *run, withy_error *err) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "%s: a value is not finite at %g",
                       withy_sim_method(sim), t);
    const withy_vec3 value[WITHY_COMPARE_WHAT] = {now->position[now->count - 1],
                                                  now->position[now->count / 2], now->reaction[0],
                                                  now->reaction_moment[0]};
    run->t[k] = t;
    run->have = 0;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) {
        if ((now->have & wy_compare_list[i].have) != wy_compare_list[i].have) continue;
        if (wy_compare_list[i].only_static && !task->statics) continue;
        run->have |= 1u << i;
        run->at[i][k] = value[i];
    }
    return WITHY_OK;
}

static withy_status make_room(withy_compare_run *run, int count, withy_error *err) {
    run->count = count;
    run->t = wy_take((size_t)count, sizeof *run->t);
    if (!run->t) return no_memory(err);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if (!(run->at[i] = wy_take((size_t)count, sizeof *run->at[i]))) return no_memory(err);
    return WITHY_OK;
}

static withy_status march(const wy_compare_task *task, withy_sim *sim, const withy_problem *problem,
                          withy_compare_run *run, withy_error *err) {
    const withy_request *want = &problem->request;
    const withy_path *path = &problem->path;
    const int last = !task->statics ? (int)ceil(want->stop / want->output - 1e-9)
                     : path->given  ? path->steps
                                    : 0;
    withy_status status = make_room(run, last + 1, err);
    for (int k = 0; k <= last && status == WITHY_OK; k++) {
        withy_equilibrium point;
        double t = 1.0; /* a scene without a path has one equilibrium, under its loads */
        if (!task->statics)
            status = withy_sim_advance(sim, t = want->stop * k / last, err);
        else {
            if (path->given) t = path->from + (path->to - path->from) * k / path->steps;
            status = withy_sim_equilibrium(sim, t, &point, err);
            run->node_steps += (double)run->n * point.iterations;
        }
        if (status == WITHY_OK) status = record(task, sim, t, k, run, err);
    }
    return status;
}

static withy_status solve_variant(const wy_compare_task *task, const char *method,
                                  const resolution *with, const variant *v, withy_compare_run *run,
                                  withy_error *err) {
    withy_sim *sim = NULL;
    const double start = wy_wall_clock();
    withy_status status =
        withy_sim_create(&v->problem, method, with->option, with->count, &sim, err);
    if (status == WITHY_OK) {
        run->n = (int)wy_max(1, option_of(sim, "n"));
        run->tol = option_of(sim, "tol");
        run->dt = task->statics ? 0 : withy_sim_step(sim);
        snprintf(run->notes, sizeof run->notes, "%s", withy_sim_notes(sim));
        status = march(task, sim, &v->problem, run, err);
        if (!task->statics) run->node_steps = (double)run->n * (double)withy_sim_stats(sim).steps;
    }
    run->wall = wy_wall_clock() - start;
    withy_sim_destroy(sim);
    return status;
}

withy_status wy_compare_once(const wy_compare_task *task, const withy_compare_method *m,
                             unsigned strains, double factor, withy_compare_run *run,
                             withy_error *err) {
    const withy_compare_setup *setup = task->setup;
    withy_study study = {0};
    resolution with;
    variant v;
    if (setup->progress && setup->progress(setup->context, m->name, run->level, factor != 1.0))
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request before level %d of %s",
                       run->level, m->name);
    WY_TRY(setup->study(setup->context, m->name, &study, err));
    resolve(task, m, run, &study, &with);
    withy_status status = variant_make(task, study.problem, strains, factor, &v, err);
    if (status == WITHY_OK) status = solve_variant(task, m->name, &with, &v, run, err);
    wy_give(v.rod);
    wy_give(v.stiffer);
    return status;
}

/* ---- all levels -------------------------------------------------------------------------------------- */

static unsigned rigid_of(const char *method) {
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, method) == 0) return info.rigid;
    return 0;
}

/* Level k as the next run; a failure leaves no trace but its reason, and what the levels start from. */
static withy_status next_level(const wy_compare_task *task, withy_compare_method *m, int level,
                               withy_error *err) {
    withy_compare_run run = {.level = level, .automatic = m->automatic};
    withy_status status = wy_compare_once(task, m, 0, 1.0, &run, err);
    if (status == WITHY_BAD_INPUT && !m->automatic) {
        wy_compare_run_free(&run); /* an explicit method refuses a step too long for its mesh */
        m->automatic = 1;
        run = (withy_compare_run){.level = level, .automatic = 1};
        status = wy_compare_once(task, m, 0, 1.0, &run, err);
    }
    if (status == WITHY_OK) {
        m->run[m->levels++] = run;
        return WITHY_OK;
    }
    wy_compare_run_free(&run);
    if (m->levels == 0)
        m->run[0] = (withy_compare_run){.level = level, .n = run.n, .dt = run.dt, .tol = run.tol};
    return status;
}

withy_status wy_compare_solve(const wy_compare_task *task, const char *method,
                              withy_compare_method *out, withy_error *err) {
    *out = (withy_compare_method){.rigid = rigid_of(method)};
    snprintf(out->name, sizeof out->name, "%s", method);
    for (int level = 0; level <= task->setup->refine; level++) {
        const withy_status status = next_level(task, out, level, err);
        if (status == WITHY_OK && wy_compare_estimate(task, out)) break;
        if (status == WITHY_OK) continue;
        snprintf(out->skipped, sizeof out->skipped, "%s", err->text);
        /* perhaps too coarse; any failure other than a numerical one will not go away by refining */
        const int hopeless = out->levels > 0 || level >= MOST_SKIPPED || !out->run[0].n;
        if (status != WITHY_NO_CONVERGENCE || hopeless) break;
    }
    return out->levels >= 2 ? WITHY_OK : WITHY_NO_CONVERGENCE; /* err holds the last failure */
}

void wy_compare_run_free(withy_compare_run *run) {
    wy_give(run->t);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) wy_give(run->at[i]);
}

void wy_compare_free(withy_compare_method *m) {
    for (int i = 0; i < WITHY_COMPARE_LEVELS; i++) wy_compare_run_free(&m->run[i]);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) wy_give(m->error[i]);
}
