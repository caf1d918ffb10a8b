/* compare.c - run one scene under one method, finer and finer, until its error is known.
 *
 * Level k runs with n 2^k intervals and the step dt / 2^k (an explicit method that refuses the step of
 * the scene takes its own longest one at every level).  A coarse level that fails is passed over: a
 * scene is written for one method, and another may need more points.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SKIPPED = 1 }; /* coarse levels that may fail */

const compare_what compare_list[COMPARE_WHAT] = {
    [COMPARE_FINISH] = {"finish", "m", WITHY_HAVE_POSITION, 0},
    [COMPARE_MIDDLE] = {"middle", "m", WITHY_HAVE_POSITION, 0},
    [COMPARE_FORCE] = {"force at start", "N", WITHY_HAVE_REACTION, 1},
    [COMPARE_MOMENT] = {"moment at start", "N m", WITHY_HAVE_REACTION_MOMENT, 1},
};

double compare_distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* ---- the scene of a level ------------------------------------------------------------------------- */

/* Overrides of one run: those for all, those for this method, the resolution. */
typedef struct overrides {
    cli_list list;
    char n[WITHY_NAME], dt[WITHY_NAME];
} overrides;

static void push(cli_list *list, const char *text) {
    if (list->count < CLI_LIST) list->item[list->count++] = text;
}

/* What the first run used is the base of all levels. */
static void gather(const compare_setup *setup, const compare_method *m, const compare_run *run,
                   overrides *out) {
    const compare_run *base = &m->run[0];
    out->list = *setup->set;
    const size_t length = strlen(m->name);
    for (int i = 0; i < setup->special->count; i++) {
        const char *text = setup->special->item[i];
        if (strncmp(text, m->name, length) == 0 && text[length] == ':')
            push(&out->list, text + length + 1);
    }
    if (run->automatic) push(&out->list, "options.dt=auto");
    const int finer = run->level - base->level;
    if (run->level == 0) return;
    snprintf(out->n, sizeof out->n, "options.n=%d", (int)ldexp(base->n, finer));
    push(&out->list, out->n);
    /* an adapted step has its tolerance tightened: an error of second order per step falls by eight */
    if (base->dt > 0 && !run->automatic && !setup->statics)
        snprintf(out->dt, sizeof out->dt, "options.dt=%.17g", ldexp(base->dt, -finer));
    else if (base->dt == 0 && base->tol > 0 && !setup->statics)
        snprintf(out->dt, sizeof out->dt, "options.tol=%.17g", ldexp(base->tol, -3 * finer));
    if (out->dt[0]) push(&out->list, out->dt);
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
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "no memory to compare");
    return err->code;
}

static withy_status variant_make(const compare_setup *setup, const withy_problem *problem,
                                 unsigned strains, double factor, variant *v, withy_error *err) {
    *v = (variant){.problem = *problem};
    v->problem.request.stations = 3; /* start, middle, finish */
    v->problem.request.probe_count = 0;
    if (!setup->statics) v->problem.path.given = 0;
    if (factor == 1.0) return WITHY_OK;
    v->rod = calloc((size_t)problem->rod_count, sizeof *v->rod);
    v->stiffer = calloc((size_t)problem->rod_count * WITHY_STRAINS, sizeof *v->stiffer);
    if (!v->rod || !v->stiffer) return no_memory(err);
    v->problem.rod = v->rod;
    return stiffen(v, problem, strains, factor, err);
}

/* ---- one run --------------------------------------------------------------------------------------- */

static withy_status record(const compare_setup *setup, withy_sim *sim, double t, int k,
                           compare_run *run, withy_error *err) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now) {
        err->code = WITHY_NO_CONVERGENCE;
        snprintf(err->text, sizeof err->text, "%s: a value is not finite at %g",
                 withy_sim_method(sim), t);
        return err->code;
    }
    const withy_vec3 value[COMPARE_WHAT] = {now->position[now->count - 1],
                                            now->position[now->count / 2], now->reaction[0],
                                            now->reaction_moment[0]};
    run->t[k] = t;
    run->have = 0;
    for (int i = 0; i < COMPARE_WHAT; i++) {
        if ((now->have & compare_list[i].have) != compare_list[i].have) continue;
        if (compare_list[i].only_static && !setup->statics) continue;
        run->have |= 1u << i;
        run->at[i][k] = value[i];
    }
    return WITHY_OK;
}

static withy_status make_room(compare_run *run, int count, withy_error *err) {
    run->count = count;
    run->t = calloc((size_t)count, sizeof *run->t);
    if (!run->t) return no_memory(err);
    for (int i = 0; i < COMPARE_WHAT; i++)
        if (!(run->at[i] = calloc((size_t)count, sizeof *run->at[i]))) return no_memory(err);
    return WITHY_OK;
}

static withy_status march(const compare_setup *setup, withy_sim *sim, const withy_problem *problem,
                          compare_run *run, withy_error *err) {
    const withy_request *want = &problem->request;
    const withy_path *path = &problem->path;
    const int last = !setup->statics ? (int)ceil(want->stop / want->output - 1e-9)
                     : path->given   ? path->steps
                                     : 0;
    withy_status status = make_room(run, last + 1, err);
    for (int k = 0; k <= last && status == WITHY_OK; k++) {
        withy_equilibrium point;
        double t = 1.0; /* a scene without a path has one equilibrium, under its loads */
        if (!setup->statics)
            status = withy_sim_advance(sim, t = want->stop * k / last, err);
        else {
            if (path->given) t = path->from + (path->to - path->from) * k / path->steps;
            status = withy_sim_equilibrium(sim, t, &point, err);
            run->node_steps += (double)run->n * point.iterations;
        }
        if (status == WITHY_OK) status = record(setup, sim, t, k, run, err);
    }
    return status;
}

static withy_status solve_variant(const compare_setup *setup, const char *method,
                                  const withy_scene *scene, const variant *v, compare_run *run,
                                  withy_error *err) {
    withy_sim *sim = NULL;
    const double start = cli_clock();
    withy_status status = withy_scene_sim_of(scene, &v->problem, method, &sim, err);
    if (status == WITHY_OK) {
        run->n = (int)fmax(1, option_of(sim, "n"));
        run->tol = option_of(sim, "tol");
        run->dt = setup->statics ? 0 : withy_sim_step(sim);
        snprintf(run->notes, sizeof run->notes, "%s", withy_sim_notes(sim));
        status = march(setup, sim, &v->problem, run, err);
        if (!setup->statics) run->node_steps = (double)run->n * (double)withy_sim_stats(sim).steps;
    }
    run->wall = cli_clock() - start;
    withy_sim_destroy(sim);
    return status;
}

withy_status compare_once(const compare_setup *setup, const compare_method *m, unsigned strains,
                          double factor, compare_run *run, withy_error *err) {
    overrides with = {0};
    withy_scene *scene;
    variant v;
    gather(setup, m, run, &with);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s: level %d%s", m->name, run->level,
                factor == 1.0 ? "" : ", with a stiffer rod");
    withy_status status = cli_scene(setup->scene, &with.list, &scene, err);
    if (status != WITHY_OK) return status;
    status = variant_make(setup, withy_scene_problem(scene), strains, factor, &v, err);
    if (status == WITHY_OK) status = solve_variant(setup, m->name, scene, &v, run, err);
    free(v.rod);
    free(v.stiffer);
    withy_scene_destroy(scene);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
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
static withy_status next_level(const compare_setup *setup, compare_method *m, int level,
                               withy_error *err) {
    compare_run run = {.level = level, .automatic = m->automatic};
    withy_status status = compare_once(setup, m, 0, 1.0, &run, err);
    if (status == WITHY_BAD_INPUT && !m->automatic) {
        compare_run_free(&run); /* an explicit method refuses a step too long for its mesh */
        m->automatic = 1;
        run = (compare_run){.level = level, .automatic = 1};
        status = compare_once(setup, m, 0, 1.0, &run, err);
    }
    if (status == WITHY_OK) {
        m->run[m->levels++] = run;
        return WITHY_OK;
    }
    compare_run_free(&run);
    if (m->levels == 0)
        m->run[0] = (compare_run){.level = level, .n = run.n, .dt = run.dt, .tol = run.tol};
    return status;
}

withy_status compare_solve(const compare_setup *setup, const char *method, compare_method *out,
                           withy_error *err) {
    *out = (compare_method){.rigid = rigid_of(method)};
    snprintf(out->name, sizeof out->name, "%s", method);
    for (int level = 0; level <= setup->refine; level++) {
        const withy_status status = next_level(setup, out, level, err);
        if (status == WITHY_OK && compare_estimate(setup, out)) break;
        if (status == WITHY_OK) continue;
        snprintf(out->skipped, sizeof out->skipped, "%s", err->text);
        /* too coarse, perhaps; anything but a numerical failure on the way will not get better */
        const int hopeless = out->levels > 0 || level >= MOST_SKIPPED || !out->run[0].n;
        if (status != WITHY_NO_CONVERGENCE || hopeless) break;
    }
    return out->levels >= 2 ? WITHY_OK : WITHY_NO_CONVERGENCE; /* err tells the last failure */
}

void compare_run_free(compare_run *run) {
    free(run->t);
    for (int i = 0; i < COMPARE_WHAT; i++) free(run->at[i]);
}

void compare_free(compare_method *m) {
    for (int i = 0; i < COMPARE_LEVELS; i++) compare_run_free(&m->run[i]);
    for (int i = 0; i < COMPARE_WHAT; i++) free(m->error[i]);
}
