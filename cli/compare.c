/* compare.c - refine one method and estimate its error.
 *
 * Level k runs with n 2^k intervals and the step dt / 2^k (an explicit method that refuses the step of
 * the scene takes its own longest one at every level).  From the three finest levels a, b, c the
 * observed order is p = log2 |a - b| / |b - c| (largest difference over the run), kept between 1/2 and
 * 2: a method may be better than second order on a smooth problem, but an error bar must not count on
 * it.  The error of c is |b - c| / (2^p - 1), and a quarter more for safety.  With two levels p = 1.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const compare_point[COMPARE_POINTS] = {"finish", "middle"};

double compare_distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* ---- one run ------------------------------------------------------------------------------------- */

/* Overrides of one run: those for all, those for this method, the resolution. */
typedef struct overrides {
    cli_list list;
    char n[WITHY_NAME], dt[WITHY_NAME];
} overrides;

static void push(cli_list *list, const char *text) {
    if (list->count < CLI_LIST) list->item[list->count++] = text;
}

static void gather(const compare_setup *setup, const compare_method *m, int level, overrides *out) {
    const compare_run *base = &m->run[0];
    out->list = *setup->set;
    push(&out->list, "time.stations=3");
    const size_t length = strlen(m->name);
    for (int i = 0; i < setup->special->count; i++) {
        const char *text = setup->special->item[i];
        if (strncmp(text, m->name, length) == 0 && text[length] == ':')
            push(&out->list, text + length + 1);
    }
    if (m->automatic) push(&out->list, "options.dt=auto");
    if (level == 0) return;
    snprintf(out->n, sizeof out->n, "options.n=%d", base->n << level);
    push(&out->list, out->n);
    /* an adapted step has its tolerance tightened: an error of second order per step falls by eight */
    if (base->dt > 0)
        snprintf(out->dt, sizeof out->dt, "options.dt=%.17g", ldexp(base->dt, -level));
    else
        snprintf(out->dt, sizeof out->dt, "options.tol=%.17g", ldexp(base->tol, -3 * level));
    if ((base->dt > 0 && !m->automatic) || (base->dt == 0 && base->tol > 0))
        push(&out->list, out->dt);
}

/* A number among the options as used; 0 when there is none of that name. */
static double option_of(const withy_sim *sim, const char *wanted) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, WITHY_NAME); i++)
        if (strcmp(name, wanted) == 0) return atof(value);
    return 0;
}

static withy_status record(withy_sim *sim, int k, compare_run *run, withy_error *err) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now) {
        err->code = WITHY_NO_CONVERGENCE;
        snprintf(err->text, sizeof err->text, "%s: a value is not finite at t = %g",
                 withy_sim_method(sim), withy_sim_time(sim));
        return err->code;
    }
    run->t[k] = now->t;
    run->at[0][k] = now->position[now->count - 1];
    run->at[1][k] = now->position[now->count / 2];
    return WITHY_OK;
}

static withy_status march(withy_sim *sim, const withy_request *request, compare_run *run,
                          withy_error *err) {
    const int last = (int)ceil(request->stop / request->output - 1e-9);
    run->count = last + 1;
    run->t = calloc((size_t)run->count, sizeof *run->t);
    for (int i = 0; i < COMPARE_POINTS; i++)
        run->at[i] = calloc((size_t)run->count, sizeof *run->at[i]);
    if (!run->t || !run->at[0] || !run->at[1]) {
        err->code = WITHY_NO_MEMORY;
        snprintf(err->text, sizeof err->text, "no memory for %d times", run->count);
        return err->code;
    }
    for (int k = 0; k <= last; k++) {
        withy_status status = withy_sim_advance(sim, request->stop * k / last, err);
        if (status == WITHY_OK) status = record(sim, k, run, err);
        if (status != WITHY_OK) return status;
    }
    return WITHY_OK;
}

static withy_status solve_level(const compare_setup *setup, compare_method *m, int level,
                                withy_error *err) {
    compare_run *run = &m->run[level];
    overrides with = {0};
    gather(setup, m, level, &with);
    withy_scene *scene;
    withy_sim *sim = NULL;
    withy_status status = cli_scene(setup->scene, &with.list, &scene, err);
    if (status != WITHY_OK) return status;
    const double start = cli_clock();
    status = withy_scene_sim(scene, m->name, &sim, err);
    if (status == WITHY_OK) {
        run->n = (int)fmax(1, option_of(sim, "n"));
        run->tol = option_of(sim, "tol");
        run->dt = withy_sim_step(sim);
        status = march(sim, &withy_scene_problem(scene)->request, run, err);
        run->node_steps = (double)run->n * (double)withy_sim_stats(sim).steps;
    }
    run->wall = cli_clock() - start;
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return status;
}

/* ---- error bars ------------------------------------------------------------------------------------ */

static double largest_difference(const compare_run *a, const compare_run *b, int point) {
    double most = 0;
    for (int k = 0; k < a->count; k++)
        most = fmax(most, compare_distance(a->at[point][k], b->at[point][k]));
    return most;
}

/* Observed order over the three finest levels, kept between 1/2 and 2; 1 when there are only two. */
static double observed_order(const compare_method *m, int point) {
    if (m->levels < 3) return 1.0;
    const compare_run *c = &m->run[m->levels - 1];
    const double coarse = largest_difference(c - 2, c - 1, point),
                 fine = largest_difference(c - 1, c, point);
    if (!(fine > 0)) return 2.0;
    return fmin(2.0, fmax(0.5, log2(coarse / fine)));
}

/* What rounding alone may do over many steps, from the largest coordinate of the run. */
static double rounding(const compare_run *run, int point) {
    double reach = 0;
    for (int k = 0; k < run->count; k++)
        reach = fmax(reach, compare_distance(run->at[point][k], (withy_vec3){0, 0, 0}));
    return 1e-10 * reach;
}

static withy_status estimate(compare_method *m, int point, withy_error *err) {
    const compare_run *fine = &m->run[m->levels - 1], *coarse = fine - 1;
    m->order[point] = observed_order(m, point);
    m->error[point] = calloc((size_t)fine->count, sizeof *m->error[point]);
    if (!m->error[point]) {
        err->code = WITHY_NO_MEMORY;
        snprintf(err->text, sizeof err->text, "no memory for the errors");
        return err->code;
    }
    const double factor = 1.25 / (exp2(m->order[point]) - 1);
    double sofar = rounding(fine, point);
    for (int k = 0; k < fine->count; k++) {
        /* an error does not vanish because two curves cross: the bar never falls below half its past */
        const double now = factor * compare_distance(coarse->at[point][k], fine->at[point][k]);
        sofar = fmax(sofar, now);
        m->error[point][k] = fmax(now, 0.5 * sofar);
    }
    m->largest[point] = sofar;
    return WITHY_OK;
}

withy_status compare_solve(const compare_setup *setup, const char *method, compare_method *out,
                           withy_error *err) {
    *out = (compare_method){.levels = setup->refine + 1};
    snprintf(out->name, sizeof out->name, "%s", method);
    for (int level = 0; level < out->levels; level++) {
        withy_status status = solve_level(setup, out, level, err);
        if (level == 0 && status == WITHY_BAD_INPUT) { /* an explicit method refuses a long step */
            out->automatic = 1;
            status = solve_level(setup, out, level, err);
        }
        if (status != WITHY_OK) return status;
    }
    for (int point = 0; point < COMPARE_POINTS; point++) {
        const withy_status status = estimate(out, point, err);
        if (status != WITHY_OK) return status;
    }
    return WITHY_OK;
}

void compare_free(compare_method *m) {
    for (int i = 0; i < COMPARE_LEVELS; i++) {
        free(m->run[i].t);
        for (int k = 0; k < COMPARE_POINTS; k++) free(m->run[i].at[k]);
    }
    for (int k = 0; k < COMPARE_POINTS; k++) free(m->error[k]);
}
