/* comparison.c - all methods, and whether each pair of them agrees. */
#include "study/compare/compare.h"

/* Methods that are at the same equilibrium differ less in their energy. */
static const double ENERGY_PART = 0.01;

withy_vec3 withy_comparison_at(const withy_comparison *c, int i, int what, int k) {
    if (!c || i < 0 || i >= c->count || what < 0 || what >= WITHY_COMPARE_WHAT)
        return (withy_vec3){0, 0, 0};
    const withy_compare_method *m = &c->method[i];
    const withy_compare_run *finest = wy_compare_finest(m);
    if (k < 0 || k >= finest->count || !finest->at[what]) return (withy_vec3){0, 0, 0};
    const withy_vec3 r = finest->at[what][k];
    if (!(m->rigid & c->model.left_out) || !c->model.known) return r;
    return v3_sub(r, c->model.shift[what][k]);
}

/* A slack or bent rod may have several equilibria, and two methods find two of them. */
static int are_two(const withy_comparison *c, const withy_compare_run *p,
                   const withy_compare_run *q) {
    const double most = fmax(fabs(p->energy), fabs(q->energy));
    if (!c->statics || p->negative < 0 || q->negative < 0) return 0;
    return p->negative != q->negative || fabs(p->energy - q->energy) > ENERGY_PART * most;
}

static withy_compare_pair judge(const withy_comparison *c, int a, int b, int what) {
    const withy_compare_method *x = &c->method[a], *y = &c->method[b];
    const withy_compare_run *p = wy_compare_finest(x), *q = wy_compare_finest(y);
    const int differ = x->rigid != y->rigid;
    withy_compare_pair v = {.a = a, .b = b, .what = what, .agree = 1};
    v.known = x->known && y->known && (!differ || c->model.known);
    for (int k = 0; k < p->count && k < q->count; k++) {
        const double distance = wy_compare_distance(withy_comparison_at(c, a, what, k),
                                                    withy_comparison_at(c, b, what, k));
        const double model = differ && c->model.known ? c->model.error[what][k] : 0;
        const double allowed = x->error[what][k] + y->error[what][k] + model;
        if (k == 0 || distance * v.allowed > v.distance * allowed)
            v.t = p->t[k], v.distance = distance, v.allowed = allowed;
        if (!(distance <= allowed)) v.agree = 0;
    }
    v.apart = !v.agree && are_two(c, p, q);
    return v;
}

static withy_status judge_all(withy_comparison *c, withy_error *err) {
    const size_t most = (size_t)(c->count * c->count * WITHY_COMPARE_WHAT);
    c->pair = wy_alloc(most, sizeof *c->pair);
    if (!c->pair) return wy_no_memory(err, "no memory for %zu pairs", most);
    for (int i = 0; i < c->count; i++)
        for (int j = i + 1; j < c->count; j++)
            for (int what = 0; what < WITHY_COMPARE_WHAT; what++) {
                const unsigned both =
                    wy_compare_finest(&c->method[i])->have & wy_compare_finest(&c->method[j])->have;
                if (!(both >> what & 1)) continue;
                c->pair[c->pair_count] = judge(c, i, j, what);
                const withy_compare_pair *pair = &c->pair[c->pair_count++];
                c->disagreements += !(pair->agree && pair->known);
            }
    return WITHY_OK;
}

/* Name i of the requested methods, or of every method of the build; NULL past the last. */
static const char *name_at(const withy_compare_setup *setup, int i) {
    if (setup->method) return i < setup->method_count ? setup->method[i] : NULL;
    const wy_method *method = wy_method_at(i);
    return method ? method->name : NULL;
}

static int stops_all(withy_status status) {
    return status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY;
}

static void refuse(withy_comparison *c, withy_compare_method *m, const char *name,
                   const char *why) {
    withy_compare_method *refused = &c->refused[c->refused_count++];
    *refused = (withy_compare_method){.rigid = m->rigid};
    snprintf(refused->name, sizeof refused->name, "%s", name);
    snprintf(refused->skipped, sizeof refused->skipped, "%s", why);
    wy_compare_free(m);
    *m = (withy_compare_method){0};
}

/* The first levels of every method; each may take its share of the time that is left. */
static withy_status solve_all(wy_compare_task *task, withy_comparison *c, withy_error *err) {
    const char *name;
    int left = 0;
    while (left < WITHY_COMPARE_METHODS && name_at(task->setup, left)) left++;
    for (int i = 0; i < WITHY_COMPARE_METHODS && (name = name_at(task->setup, i)); i++, left--) {
        withy_compare_method *m = &c->method[c->count];
        withy_error why = {0};
        const double now = wy_compare_clock();
        task->allowed = now + (task->until - now) / left;
        const withy_status status = wy_compare_solve(task, name, m, &why);
        if (status == WITHY_OK) {
            c->count++;
            continue;
        }
        refuse(c, m, name, why.text);
        if (stops_all(status)) {
            if (err) *err = why;
            return status;
        }
    }
    return WITHY_OK;
}

/* The method whose refinement decides most: the largest bar, unless one that cannot be refined any more
 * (final) has a bar ten times as large; -1: none. */
static int next_of(const wy_compare_task *task, const withy_comparison *c, const char *final) {
    double stuck = 0, most = 0;
    int best = -1;
    for (int i = 0; i < c->count; i++)
        if (final[i] && c->method[i].known) stuck = fmax(stuck, wy_compare_worst(&c->method[i]));
    for (int i = 0; i < c->count; i++) {
        const withy_compare_method *m = &c->method[i];
        const double bar = m->known ? wy_compare_worst(m) : INFINITY;
        const double enough = task->accuracy * wy_compare_displacement(task, wy_compare_finest(m));
        if (!final[i] && bar > fmax(enough, 0.1 * stuck) && bar > most) best = i, most = bar;
    }
    return best;
}

static withy_status refine_all(wy_compare_task *task, withy_comparison *c, withy_error *err) {
    char final[WITHY_COMPARE_METHODS] = {0};
    task->allowed = task->until;
    for (int i; (i = next_of(task, c, final)) >= 0;) {
        int done;
        WY_TRY(wy_compare_refine(task, &c->method[i], &done, err));
        final[i] = !done;
    }
    return WITHY_OK;
}

static withy_status find_stiffest(wy_compare_task *task, const withy_rod *rod, withy_error *err) {
    for (int end = 0; end < 2; end++) {
        double k[WITHY_STRAINS];
        WY_TRY(withy_rod_stiffness(rod, end * rod->length, k, err));
        for (int i = 0; i < WITHY_STRAINS; i++) {
            double *most = &task->stiff[i >= WITHY_BEND1];
            if (isfinite(k[i])) *most = fmax(*most, k[i]);
        }
    }
    return WITHY_OK;
}

/* What is compared: a motion, or equilibria when the problem has a path and no time. */
static withy_status look_at_problem(wy_compare_task *task, withy_error *err) {
    withy_study study = {0};
    WY_TRY(task->setup->study(task->setup->context, NULL, &study, err));
    const withy_problem *problem = study.problem;
    WY_TRY(withy_problem_check(problem, err));
    task->length = problem->rod[0].length;
    WY_TRY(find_stiffest(task, &problem->rod[0], err));
    for (int i = 0; i < problem->rod[0].load_count; i++) {
        const withy_load *load = &problem->rod[0].load[i];
        task->jumps |= load->from > 0 || load->to < task->length;
    }
    for (int e = 0; e < 2; e++) /* which fdtd has to first order */
        task->jumps |= problem->rod[0].end[e].moment.size > 0;
    if (wy_is_static(problem)) task->statics = 1;
    if (task->statics && problem->path.given && problem->path.arc_length)
        return wy_bad_input(err,
                            "%s: path.arc_length" WY_KEY
                            " lets every method choose its own points, so there is nothing to "
                            "compare; set path.arc_length = false",
                            study.name ? study.name : "the problem");
    return WITHY_OK;
}

static withy_status check_setup(const withy_compare_setup *setup, withy_error *err) {
    if (setup->refine < 1 || setup->refine > WITHY_COMPARE_LEVELS - 1 - WITHY_COMPARE_COARSER)
        return wy_bad_input(err, "withy_compare: refine = %d must be from 1 to %d", setup->refine,
                            WITHY_COMPARE_LEVELS - 1 - WITHY_COMPARE_COARSER);
    if (!(setup->budget >= 0))
        return wy_bad_input(err, "withy_compare: budget = %g must be at least 0", setup->budget);
    if (!(setup->accuracy >= 1e-9 && setup->accuracy <= 1))
        return wy_bad_input(err, "withy_compare: accuracy = %g must be from 1e-9 to 1",
                            setup->accuracy);
    if (setup->method_count < 0 || setup->method_count > WITHY_COMPARE_METHODS)
        return wy_bad_input(err, "withy_compare: method_count = %d must be from 0 to %d",
                            setup->method_count, WITHY_COMPARE_METHODS);
    const wy_method *found;
    for (int i = 0; setup->method && i < setup->method_count; i++) {
        if (!setup->method[i])
            return wy_bad_input(err, "withy_compare: the name of method %d is NULL", i + 1);
        WY_TRY(wy_method_find(setup->method[i], &found, err));
    }
    return WITHY_OK;
}

static withy_status compare_all(wy_compare_task *task, withy_comparison *c, withy_error *err) {
    c->method = wy_alloc(WITHY_COMPARE_METHODS, sizeof *c->method);
    c->refused = wy_alloc(WITHY_COMPARE_METHODS, sizeof *c->refused);
    if (!c->method || !c->refused) return wy_no_memory(err, "no memory to compare");
    WY_TRY(solve_all(task, c, err));
    WY_TRY(refine_all(task, c, err));
    task->allowed = INFINITY; /* without the simpler rod half of the pairs could not be judged */
    wy_compare_find_model(task, c->method, c->count, &c->model, &c->model_error);
    c->travel = c->count ? wy_compare_displacement(task, wy_compare_finest(&c->method[0])) : 0.0;
    return judge_all(c, err);
}

withy_status withy_compare(const withy_compare_setup *setup, withy_comparison **result,
                           withy_error *err) {
    WY_NEED(result);
    *result = NULL;
    WY_NEED(setup);
    if (!setup->study) return wy_bad_input(err, "withy_compare: the argument setup->study is NULL");
    WY_TRY(check_setup(setup, err));
    wy_compare_task task = {.setup = setup,
                            .statics = setup->statics,
                            .accuracy = setup->accuracy,
                            .until = INFINITY,
                            .allowed = INFINITY};
    /* a quarter is for finding the simpler rod */
    if (setup->budget > 0) task.until = task.allowed = wy_compare_clock() + 0.75 * setup->budget;
    WY_TRY(look_at_problem(&task, err));
    withy_comparison *c = wy_alloc(1, sizeof *c);
    if (!c) return wy_no_memory(err, "no memory to compare");
    c->statics = task.statics, c->length = task.length;
    WY_HAND_OVER(compare_all(&task, c, err), c, withy_comparison_free, result);
}

void withy_comparison_free(withy_comparison *c) {
    if (!c) return;
    for (int i = 0; c->method && i < WITHY_COMPARE_METHODS; i++) wy_compare_free(&c->method[i]);
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        wy_free(c->model.error[i]), wy_free(c->model.shift[i]);
    wy_free(c->method), wy_free(c->refused), wy_free(c->pair), wy_free(c);
}
