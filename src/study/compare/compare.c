/* compare.c - run one problem under one method, finer and finer, until its error is known.
 *
 * Level k runs with n 2^k intervals and the step dt / 2^k (an explicit method that refuses the step of
 * the problem takes its own longest one at every level), from k = -2 on.  A coarse level that fails is
 * skipped: a scene is written for one method, and another may need more points.
 */
#include "study/compare/compare.h"

#include <time.h>

enum { LEVELS_FIRST = 3, LAST_SKIPPED = 1 }; /* the first levels; up to this one they may fail */
static const double TOL_MOST = 0.1;
static const double SMALL_BAR =
    3.0; /* of the accuracy: it may stay where a finer level says nothing new */
static const double STEPS_LEAST = 1.3; /* times as many as the level before */

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

double wy_compare_clock(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- the options of a level ------------------------------------------------------------------------ */

static void resolve(const wy_compare_task *task, const withy_compare_method *m,
                    const withy_compare_run *run, const withy_study *study, wy_resolution *out) {
    wy_resolution_of(study, out);
    if (run->automatic) wy_resolution_set(out, "dt", 0, "auto");
    if (run->level == 0 || !m->base_n) return;
    wy_resolution_set(out, "n", ceil(ldexp(m->base_n, run->level)), "");
    /* an adapted step has its tolerance tightened: an error of second order per step falls by eight */
    if (m->base_dt > 0 && !run->automatic && !task->statics)
        wy_resolution_set(out, "dt", ldexp(m->base_dt, -run->level), "");
    else if (m->base_dt == 0 && m->base_tol > 0 && !task->statics)
        wy_resolution_set(out, "tol", fmin(TOL_MOST, ldexp(m->base_tol, -3 * run->level)), "");
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
            if (!(strains >> j & 1) || !isfinite(k[j]) || !(k[j] > 0))
                continue; /* rigid; a cable */
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
    return wy_no_memory(err, "no memory to compare");
}

static withy_status variant_make(const wy_compare_task *task, const withy_problem *problem,
                                 unsigned strains, double factor, variant *v, withy_error *err) {
    *v = (variant){.problem = *problem};
    v->problem.request.stations = 3; /* start, middle, finish */
    v->problem.request.probe_count = 0;
    if (!task->statics) v->problem.path.given = 0;
    if (factor == 1.0) return WITHY_OK;
    v->rod = wy_alloc((size_t)problem->rod_count, sizeof *v->rod);
    v->stiffer = wy_alloc((size_t)problem->rod_count * WITHY_STRAINS, sizeof *v->stiffer);
    if (!v->rod || !v->stiffer) return no_memory(err);
    v->problem.rod = v->rod;
    return stiffen(v, problem, strains, factor, err);
}

/* ---- one run --------------------------------------------------------------------------------------- */

static withy_status record(const wy_compare_task *task, withy_sim *sim, double t, int k,
                           withy_compare_run *run, withy_error *err) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now)
        return wy_no_convergence(err, "%s: a value is not finite at %g", withy_sim_method(sim), t);
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
    run->t = wy_alloc((size_t)count, sizeof *run->t);
    if (!run->t) return no_memory(err);
    for (int i = 0; i < WY_COMPARE_PLACES; i++)
        if (!(run->step_error[i] = wy_alloc((size_t)count, sizeof *run->step_error[i])))
            return no_memory(err);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if (!(run->at[i] = wy_alloc((size_t)count, sizeof *run->at[i]))) return no_memory(err);
    return WITHY_OK;
}

/* The time is used up: the run is given up. */
static withy_status check_time(const wy_compare_task *task, const withy_sim *sim, double share,
                               withy_error *err) {
    if (!(wy_compare_clock() > task->allowed)) return WITHY_OK;
    return wy_unsupported(err,
                          "%s: n = %d needs more processor time than is left (stopped at %.0f %%); "
                          "allow more, or leave the method out",
                          withy_sim_method(sim), wy_sim_mesh(sim), 100 * share);
}

/* To the next output, in bursts of whole steps between two looks at the clock: where it pauses cannot
 * change a method with a fixed step. */
static withy_status advance(const wy_compare_task *task, withy_sim *sim, double t, double stop,
                            wy_compare_steps *steps, withy_error *err) {
    const double h = withy_sim_step(sim), from = withy_sim_time(sim);
    const double count = h > 0 ? floor((t - from) / h + 0.5) : 1;
    double most = 1, stands;
    for (double done = 0; done < count;) {
        const double before = wy_compare_clock();
        WY_TRY(check_time(task, sim, withy_sim_time(sim) / stop, err));
        done =
            fmin(count, done + wy_step_error_skip(&steps->step_error, done, count, most, &stands));
        WY_TRY(withy_sim_advance(sim, done == count ? t : from + (t - from) * done / count, err));
        if (wy_compare_clock() - before < 0.1) most *= 2;
        if (stands > 0) wy_compare_observe(steps, sim, stands);
    }
    return WITHY_OK;
}

static withy_status march(const wy_compare_task *task, withy_sim *sim, const withy_problem *problem,
                          withy_compare_run *run, withy_error *err) {
    const withy_request *requested = &problem->request;
    const withy_path *path = &problem->path;
    const int last = !task->statics ? (int)ceil(requested->stop / requested->output - 1e-9)
                     : path->given  ? wy_path_steps(path)
                                    : 0;
    wy_compare_steps steps;
    withy_status status = make_room(run, last + 1, err);
    wy_compare_observe_begin(&steps, sim, task->statics);
    sim->at_first = task->statics && !path->given; /* as withy_study_static */
    run->negative = -1;
    for (int k = 0; k <= last && status == WITHY_OK; k++) {
        withy_equilibrium point;
        double t = 1.0; /* a scene without a path has one equilibrium, under its loads */
        if (!task->statics)
            status =
                advance(task, sim, t = requested->stop * k / last, requested->stop, &steps, err);
        else {
            if (path->given) t = wy_path_factor(path, k);
            status = check_time(task, sim, (double)k / (last + 1), err);
            if (status == WITHY_OK)
                status = path->given ? withy_sim_equilibrium(sim, t, &point, err)
                                     : withy_sim_rest(sim, t, &point, err);
            if (status == WITHY_OK) {
                run->node_steps += (double)run->n * point.iterations;
                run->energy = point.energy, run->negative = point.negative;
            }
        }
        if (status == WITHY_OK) status = record(task, sim, t, k, run, err);
        for (int i = 0; i < WY_COMPARE_PLACES && status == WITHY_OK; i++)
            run->step_error[i][k] = wy_step_error_bound(&steps.step_error, i);
    }
    return status;
}

/* What is asked within a run. */
typedef struct question {
    const withy_compare_setup *setup;
    const char *method;
    int level, stiffer;
} question;

static int ask_within(void *context, double t) {
    const question *q = context;
    (void)t;
    return q->setup->progress(q->setup->context, q->method, q->level, q->stiffer);
}

static withy_status solve_variant(const wy_compare_task *task, const char *method, int firmer,
                                  const wy_resolution *with, const variant *v,
                                  withy_compare_run *run, withy_error *err) {
    withy_sim *sim = NULL;
    question ask = {task->setup, method, run->level, firmer};
    const double start = wy_wall_clock(), used = wy_compare_clock();
    withy_status status =
        withy_sim_create(&v->problem, method, with->option, with->count, &sim, err);
    if (status == WITHY_OK) {
        run->n = (int)wy_max(1, wy_resolution_used(sim, "n"));
        run->tol = wy_resolution_used(sim, "tol");
        run->dt = task->statics ? 0 : withy_sim_step(sim);
        if (ask.setup->progress)
            sim->interrupt = (wy_interrupt){.ask = ask_within, .context = &ask};
        status = march(task, sim, &v->problem, run, err);
        run->notes = *withy_sim_notes(sim);
        if (!task->statics) run->steps = withy_sim_stats(sim).steps;
        if (!task->statics) run->node_steps = (double)run->n * (double)run->steps;
    }
    run->elapsed = wy_wall_clock() - start, run->used = wy_compare_clock() - used;
    withy_sim_destroy(sim);
    return status;
}

withy_status wy_compare_once(const wy_compare_task *task, const withy_compare_method *m,
                             unsigned strains, double factor, withy_compare_run *run,
                             withy_error *err) {
    const withy_compare_setup *setup = task->setup;
    withy_study study = {0};
    wy_resolution with;
    variant v;
    if (setup->progress && setup->progress(setup->context, m->name, run->level, factor != 1.0))
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request before level %d of %s",
                       run->level, m->name);
    WY_TRY(setup->study(setup->context, m->name, &study, err));
    resolve(task, m, run, &study, &with);
    withy_status status = variant_make(task, study.problem, strains, factor, &v, err);
    if (status == WITHY_OK)
        status = solve_variant(task, m->name, factor != 1.0, &with, &v, run, err);
    wy_free(v.rod);
    wy_free(v.stiffer);
    return status;
}

/* ---- all levels -------------------------------------------------------------------------------------- */

static unsigned rigid_of(const char *method) {
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, method) == 0) return info.rigid;
    return 0;
}

/* n, step and tolerance of level 0, and the order of the method, from a simulation that is not run. */
static withy_status try_base(const wy_compare_task *task, withy_compare_method *m,
                             withy_error *err) {
    const withy_compare_setup *setup = task->setup;
    withy_study study = {0};
    wy_resolution with;
    variant v;
    withy_sim *sim;
    WY_TRY(setup->study(setup->context, m->name, &study, err));
    wy_resolution_of(&study, &with);
    if (m->automatic) wy_resolution_set(&with, "dt", 0, "auto");
    WY_TRY(variant_make(task, study.problem, 0, 1.0, &v, err));
    WY_TRY(withy_sim_create(&v.problem, m->name, with.option, with.count, &sim, err));
    const wy_order order = wy_method_order(sim->method, sim->options);
    m->base_n = wy_sim_mesh(sim);
    m->base_dt = withy_sim_step(sim), m->base_tol = wy_resolution_used(sim, "tol");
    m->formal = task->statics || !order.time              ? order.space
                : order.space && order.space < order.time ? order.space
                                                          : order.time;
    withy_sim_destroy(sim);
    return WITHY_OK;
}

static withy_status find_base(const wy_compare_task *task, withy_compare_method *m,
                              withy_error *err) {
    withy_status status = try_base(task, m, err);
    if (status == WITHY_BAD_INPUT) {
        withy_error again = {0}; /* an explicit method refuses a step too long for its mesh */
        m->automatic = 1;
        status = try_base(task, m, &again);
        if (status != WITHY_OK) m->automatic = 0;
    }
    return status;
}

/* Steps are cut to fit the outputs, and an adapted step may not follow its tolerance: a coarser mesh with the same
 * steps says nothing of the step, and gives way.  (The longest stable step of an explicit method may
 * be the same on all meshes; it is set by waves much faster than the motion.) */
static void keep_run(withy_compare_method *m, const withy_compare_run *run) {
    const withy_compare_run *last = m->levels ? wy_compare_finest(m) : NULL;
    if (last && run->steps > 0 && !run->automatic &&
        (double)run->steps < STEPS_LEAST * (double)last->steps)
        wy_compare_run_free(&m->run[--m->levels]);
    m->run[m->levels++] = *run;
}

/* Level k as the next run; a failure leaves no trace but its reason. */
static withy_status next_level(const wy_compare_task *task, withy_compare_method *m, int level,
                               withy_error *err) {
    withy_compare_run run = {.level = level, .automatic = m->automatic};
    withy_status status = wy_compare_once(task, m, 0, 1.0, &run, err);
    if (status == WITHY_BAD_INPUT && !run.automatic) {
        wy_compare_run_free(&run); /* the step is too long for the finer mesh */
        run = (withy_compare_run){.level = level, .automatic = 1};
        status = wy_compare_once(task, m, 0, 1.0, &run, err);
    }
    if (status == WITHY_OK) {
        m->automatic |= run.automatic;
        keep_run(m, &run);
    } else
        wy_compare_run_free(&run);
    return status;
}

withy_status wy_compare_solve(wy_compare_task *task, const char *method, withy_compare_method *out,
                              withy_error *err) {
    *out = (withy_compare_method){.rigid = rigid_of(method)};
    snprintf(out->name, sizeof out->name, "%s", method);
    WY_TRY(find_base(task, out, err));
    int level = -WITHY_COMPARE_COARSER;
    for (; level <= task->setup->refine && out->levels < LEVELS_FIRST; level++) {
        const withy_status status = next_level(task, out, level, err);
        if (status == WITHY_OK && wy_compare_estimate(task, out)) break;
        if (status == WITHY_OK) continue;
        snprintf(out->skipped, sizeof out->skipped, "%s", err->text);
        /* perhaps too coarse; any failure other than a numerical one will not go away by refining */
        const int coarse =
            status == WITHY_NO_CONVERGENCE || (status == WITHY_BAD_INPUT && level < 0);
        if (!coarse || level >= LAST_SKIPPED) return status;
        while (out->levels) wy_compare_run_free(&out->run[--out->levels]);
    }
    return out->levels >= 2 ? WITHY_OK : WITHY_NO_CONVERGENCE; /* err holds the last failure */
}

/* The next level takes four times as long as the last, or as much more as the last did. */
static double predicted(const withy_compare_method *m) {
    const double last = wy_compare_finest(m)->used, before = wy_compare_finest(m)[-1].used;
    return last * fmin(16, fmax(4, before > 0.01 ? last / before : 4));
}

/* A level that no longer falls as those before (waves that it resolves for the first time), but lies within their bars:
 * it confirms them, and they stay. */
static int confirms(const withy_compare_method *before, const withy_compare_method *m) {
    if (!before->known || m->known || m->levels != before->levels + 1) return 0;
    const withy_compare_run *c = wy_compare_finest(m);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        for (int k = 0; k < c->count && (c->have >> i & 1); k++)
            if (!(wy_compare_distance(c[-1].at[i][k], c->at[i][k]) <= before->largest[i])) return 0;
    return 1;
}

/* What it differs by is added to them: it may be what they have not steps. */
static void drop_last(const wy_compare_task *task, withy_compare_method *m, int level) {
    const withy_compare_run *c = wy_compare_finest(m);
    double differs[WITHY_COMPARE_WHAT] = {0};
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        for (int k = 0; k < c->count && (c->have >> i & 1); k++)
            differs[i] = fmax(differs[i], wy_compare_distance(c[-1].at[i][k], c->at[i][k]));
    wy_compare_run_free(&m->run[--m->levels]);
    wy_compare_estimate(task, m);
    c = wy_compare_finest(m);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) {
        for (int k = 0; k < c->count && (c->have >> i & 1); k++) m->error[i][k] += differs[i];
        m->largest[i] += differs[i];
    }
    snprintf(m->skipped, sizeof m->skipped,
             "level %d lies within the error bars of those before, but does not continue their "
             "trend: it is not used",
             level);
}

withy_status wy_compare_refine(wy_compare_task *task, withy_compare_method *m, int *done,
                               withy_error *err) {
    const int level = wy_compare_finest(m)->level + 1;
    *done = 0;
    if (level > task->setup->refine || m->levels == WITHY_COMPARE_LEVELS) return WITHY_OK;
    const double left = task->until - wy_compare_clock(), needs = predicted(m);
    if (needs > left) {
        snprintf(m->skipped, sizeof m->skipped,
                 "level %d was not run: it would take about %.2g s, and %.2g s are left", level,
                 needs, fmax(0, left));
        return WITHY_OK;
    }
    withy_error why = {0};
    const withy_compare_method before = *m;
    const withy_status status = next_level(task, m, level, &why);
    if (status == WITHY_OK) {
        wy_compare_estimate(task, m);
        const double small =
            SMALL_BAR * task->accuracy * wy_compare_displacement(task, wy_compare_finest(m));
        *done = !(wy_compare_worst(&before) <= small && confirms(&before, m));
        if (!*done) drop_last(task, m, level);
        return WITHY_OK;
    }
    snprintf(m->skipped, sizeof m->skipped, "%s", why.text);
    if (status != WITHY_INTERRUPTED && status != WITHY_NO_MEMORY) return WITHY_OK;
    if (err) *err = why;
    return status;
}

void wy_compare_run_free(withy_compare_run *run) {
    wy_free(run->t), wy_free(run->step_error[0]), wy_free(run->step_error[1]);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) wy_free(run->at[i]);
    *run = (withy_compare_run){0};
}

void wy_compare_free(withy_compare_method *m) {
    for (int i = 0; i < WITHY_COMPARE_LEVELS; i++) wy_compare_run_free(&m->run[i]);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) wy_free(m->error[i]);
}
