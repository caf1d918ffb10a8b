/* design.c - a design of a problem: expressions of its numbers, with derivatives.
 *
 * With numbers q(p) and expressions f_i(q): df_i/dp = sum_j df_i/dq_j dq_j/dp.  Where only the distance from a target
 * must be solved for, under director, dq/dp is exact: one equilibrium and one adjoint solution for all parameters
 * (withy/gradient.h).  Else it is by central differences of all numbers, two solutions per parameter, in threads.
 */

#include "study/fit/fit.h"
#include "study/gradient/gradient.h"

enum { MOST = WITHY_FIT_MOST, SIDES = 1 + WITHY_MINIMISE_CONSTRAINTS };
static const double SEED =
    1e-3; /* relative step of set-ups, of which nothing but fields is differenced */

/* f_0 is the objective; the others are left - right of a constraint, times sign, over its unit. */
typedef struct side {
    char left[256], right[256];
    double sign, unit;
} side;

typedef struct design {
    wy_objective objective;
    wy_variants variants;
    side side[SIDES];
    int count, equal; /* sides; of them equalities */
    int exact;
    int stepped; /* 1: the steps of differences are known */
    wy_difference difference;
    withy_minimum first;       /* what is known of the start */
    withy_fit_free free[MOST]; /* as given, where the search begins */
    wy_search_record best;
} design;

/* That gives the objective, in messages. */
static const char *option_of(const design *x) {
    return x->objective.setup->derive ? "--of" : "--minimise";
}

/* ---- constraints --------------------------------------------------------------------------------------- */

static withy_status read_subject(const char *text, side *to, int *equal, withy_error *err) {
    static const char *const sign[] = {"<=", ">=", "=="};
    for (int i = 0; i < 3; i++) {
        const char *at = strstr(text, sign[i]);
        if (!at) continue;
        if ((size_t)(at - text) >= sizeof to->left || strlen(at + 2) >= sizeof to->right) break;
        snprintf(to->left, sizeof to->left, "%.*s", (int)(at - text), text);
        snprintf(to->right, sizeof to->right, "%s", at + 2);
        to->sign = i == 1 ? -1 : 1, to->unit = 1, *equal = i == 2;
        return WITHY_OK;
    }
    return wy_bad_input(err,
                        "--subject \"%.100s\": must be EXPRESSION <= EXPRESSION, >= or ==, of less "
                        "than 256 characters each",
                        text);
}

static withy_status read_sides(design *x, withy_error *err) {
    const withy_scene_minimise *setup = x->objective.setup;
    if (!setup->objective || strlen(setup->objective) >= sizeof x->side[0].left)
        return wy_bad_input(err, "%s: an expression of less than 256 characters", option_of(x));
    snprintf(x->side[0].left, sizeof x->side[0].left, "%s", setup->objective);
    x->side[0].sign = x->side[0].unit = 1, x->count = 1;
    WY_TRY(wy_expression_read(option_of(x), setup->objective, &x->objective.names, err));
    for (int pass = 0; pass < 2; pass++) /* equalities first */
        for (int i = 0; i < setup->subject_count; i++) {
            side one = {0};
            int equal = 0;
            WY_TRY(read_subject(setup->subject[i], &one, &equal, err));
            if (equal == pass) continue;
            WY_TRY(wy_expression_read("--subject", one.left, &x->objective.names, err));
            WY_TRY(wy_expression_read("--subject", one.right, &x->objective.names, err));
            x->side[x->count++] = one, x->equal += equal;
        }
    return WITHY_OK;
}

/* f_i and its derivatives by the numbers. */
static withy_status side_value(design *x, int i, const double *number, wy_dual *out,
                               withy_error *err) {
    const side *s = &x->side[i];
    wy_dual right = {0};
    WY_TRY(wy_expression_value(i ? "--subject" : option_of(x), s->left, &x->objective.names, number,
                               out, err));
    if (i)
        WY_TRY(
            wy_expression_value("--subject", s->right, &x->objective.names, number, &right, err));
    const double k = s->sign / s->unit;
    out->value = k * (out->value - right.value);
    for (int j = 0; j < x->objective.names.count; j++) out->by[j] = k * (out->by[j] - right.by[j]);
    return WITHY_OK;
}

/* A constraint counts in units of its sides at the start. */
static withy_status set_units(design *x, const double *number, withy_error *err) {
    for (int i = 1; i < x->count; i++) {
        wy_dual left, right;
        WY_TRY(wy_expression_value("--subject", x->side[i].left, &x->objective.names, number, &left,
                                   err));
        WY_TRY(wy_expression_value("--subject", x->side[i].right, &x->objective.names, number,
                                   &right, err));
        const double size = wy_max(fabs(left.value), fabs(right.value));
        x->side[i].unit = size > 0 && isfinite(size) ? size : 1;
    }
    return WITHY_OK;
}

/* ---- the numbers ----------------------------------------------------------------------------------------- */

static withy_status numbers_at(design *x, const double *p, wy_known **known, withy_error *err) {
    wy_known *k = *known = wy_variants_at(&x->variants, p);
    const wy_variant *v;
    if (!k->values) {
        WY_TRY(wy_variants_stopped(&x->variants, err));
        WY_TRY(wy_variants_of(&x->variants, k, &v, err));
        memset(k->value, 0, WY_EXPRESSION_NAMES * sizeof *k->value);
        WY_TRY(wy_objective_numbers(&x->objective, v, k->value, err));
        k->values = 1 + x->objective.names.count, k->negative = x->objective.negative;
    }
    x->objective.negative = k->negative;
    return WITHY_OK;
}

static withy_status one_of_many(void *context, const double *p, int rows, double *value,
                                withy_error *err) {
    design *x = context;
    wy_objective own = x->objective; /* of this thread */
    double number[WY_EXPRESSION_NAMES] = {0};
    wy_variant *v;
    WY_TRY(wy_variants_stopped(&x->variants, err));
    WY_TRY(wy_variants_make(&x->variants, p, &v, err));
    const withy_status status = wy_objective_numbers(&own, v, number, err);
    wy_variant_free(v);
    memcpy(value, number, (size_t)rows * sizeof *value);
    return status;
}

/* slope[count][WY_EXPRESSION_NAMES] of the numbers; the first time the steps are found. */
static withy_status by_differences(design *x, const wy_known *here,
                                   double (*slope)[WY_EXPRESSION_NAMES], withy_error *err) {
    const int rows = x->objective.names.count, n = x->variants.count;
    double *by = wy_alloc((size_t)(rows * n), sizeof *by);
    if (!by) return wy_no_memory(err, "no memory for a design");
    const withy_status status =
        wy_difference_find(&x->difference, !x->stepped, here->p, here->value, rows, by, err);
    x->stepped = 1;
    for (int k = 0; k < n && status == WITHY_OK; k++)
        for (int j = 0; j < rows; j++) slope[k][j] = by[j * n + k];
    wy_free(by);
    return status;
}

/* ---- exactly -------------------------------------------------------------------------------------------------- */

typedef struct aim {
    const wy_objective *objective;
    int largest;
} aim;

static withy_status miss(void *context, int count, const withy_vec3 *position, double *value,
                         withy_vec3 *slope, withy_error *err) {
    const aim *a = context;
    (void)count, (void)err;
    *value = wy_objective_miss(a->objective, a->largest, position, slope);
    return WITHY_OK;
}

static withy_status make_neighbours(design *x, const wy_variant *here, const double *p,
                                    wy_neighbours *a, double (*slope)[WY_EXPRESSION_NAMES],
                                    withy_error *err) {
    double step[MOST], plain[4][WY_EXPRESSION_NAMES] = {{0}};
    for (int k = 0; k < x->variants.count; k++)
        step[k] = wy_difference_step(&x->variants.free[k], p[k], SEED);
    WY_TRY(wy_neighbours_make(&x->variants, p, step, a, err));
    for (int k = 0; k < x->variants.count; k++) {
        for (int i = 0; i < 4; i++) {
            WY_TRY(wy_objective_plain(&x->objective, a->at[k][i], plain[i], err));
            if (a->vary[k].at[i]->rod[0].length != here->study.problem->rod[0].length)
                return wy_unsupported(err,
                                      "%s changes the length of the rod, which takes differences",
                                      x->variants.free[k].name);
        }
        for (int j = 0; j < x->objective.names.count; j++)
            slope[k][j] =
                (plain[0][j] - 8 * plain[1][j] + 8 * plain[2][j] - plain[3][j]) / (12 * step[k]);
    }
    return WITHY_OK;
}

static withy_status back(design *x, withy_sim *sim, double (*slope)[WY_EXPRESSION_NAMES],
                         withy_error *err) {
    const wy_objective *objective = &x->objective;
    const int rows = objective->target.rows;
    double gradient[MOST], value;
    withy_sensitivity by;
    withy_equilibrium equilibrium;
    withy_observation *at = wy_alloc((size_t)rows, sizeof *at);
    if (!at) return wy_no_memory(err, "no memory for a design");
    for (int i = 0; i < rows; i++) at[i] = (withy_observation){.s = objective->s[i]};
    withy_status status = withy_sim_equilibrium(sim, 1, &equilibrium, err);
    for (int j = 0; j < objective->names.count && status == WITHY_OK; j++) {
        const wy_objective_kind kind = objective->number[j].kind;
        if (kind != WY_OBJECTIVE_MISS && kind != WY_OBJECTIVE_MISS_MAX) continue;
        aim a = {objective, kind == WY_OBJECTIVE_MISS_MAX};
        status = withy_sim_adjoint(sim, at, rows, miss, &a, &value, gradient, err);
        if (status == WITHY_OK) status = withy_sim_sensitivity(sim, &by, err);
        if (status == WITHY_OK) status = wy_gradient_trust(sim, -1, by.fault, err);
        for (int k = 0; k < objective->setup->count && status == WITHY_OK; k++)
            slope[k][j] = gradient[k];
    }
    wy_free(at);
    return status;
}

static withy_status exactly(design *x, wy_known *k, double (*slope)[WY_EXPRESSION_NAMES],
                            withy_error *err) {
    withy_sim *sim = NULL;
    const wy_variant *v = NULL;
    const int count = x->objective.setup->count;
    wy_neighbours *a = wy_alloc(1, sizeof *a);
    if (!a) return wy_no_memory(err, "no memory for a design");
    withy_status status = wy_variants_stopped(&x->variants, err);
    if (status == WITHY_OK) status = wy_variants_of(&x->variants, k, &v, err);
    if (status == WITHY_OK) status = make_neighbours(x, v, k->p, a, slope, err);
    if (status == WITHY_OK && x->objective.equilibrium) {
        status = withy_adjoint_create(v->study.problem, v->study.method, v->study.option,
                                      v->study.option_count, a->vary, count, &sim, err);
        if (status == WITHY_OK) withy_sim_interrupt(sim, wy_variants_interrupt, &x->variants);
        if (status == WITHY_OK) status = back(x, sim, slope, err);
    }
    withy_sim_destroy(sim);
    wy_neighbours_free(a, count);
    wy_free(a);
    return status;
}

/* ---- the objective ---------------------------------------------------------------------------------------------------- */

/* By how much a point misses the constraints; within the slack of the search, by nothing. */
static double missed(const design *x, const double *value) {
    static const double SLACK = 1e-8; /* of withy_minimise_model */
    double most = 0;
    for (int i = 1; i < x->count; i++)
        most = wy_max(most, i <= x->equal ? fabs(value[i]) : value[i]);
    return most <= SLACK ? 0 : most;
}

static withy_status values(design *x, const double *p, double *value, withy_error *err) {
    wy_known *here;
    wy_dual f;
    WY_TRY(numbers_at(x, p, &here, err));
    for (int i = 0; i < x->count; i++) {
        WY_TRY(side_value(x, i, here->value, &f, err));
        value[i] = f.value;
    }
    if (wy_search_record_try(&x->best, 0, missed(x, value), value[0], p))
        x->variants.best = (int)(here - x->variants.known);
    return WITHY_OK;
}

static withy_status slopes(design *x, const double *p, double *slope, withy_error *err) {
    const int n = x->objective.setup->count;
    wy_known *here;
    double(*by)[WY_EXPRESSION_NAMES] = wy_alloc((size_t)n, sizeof *by);
    if (!by) return wy_no_memory(err, "no memory for a design");
    withy_status status = numbers_at(x, p, &here, err);
    if (status == WITHY_OK && x->exact) {
        withy_error own = {0};
        status = exactly(x, here, by, &own);
        if (status == WITHY_UNSUPPORTED) {
            x->exact = 0; /* from now on */
            wy_note(&x->first.notes, WY_NOTE(differences_taken), own.text);
        } else if (err) {
            *err = own;
        }
    }
    if ((status == WITHY_OK || status == WITHY_UNSUPPORTED) && !x->exact)
        status = by_differences(x, here, by, err);
    for (int i = 0; i < x->count && status == WITHY_OK; i++) {
        wy_dual f;
        status = side_value(x, i, here->value, &f, err);
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < x->objective.names.count; j++) sum += f.by[j] * by[k][j];
            slope[i * n + k] = sum;
        }
    }
    wy_free(by);
    return status;
}

static withy_status objective(void *context, const double *p, double *value, double *slope,
                              withy_error *err) {
    return value ? values(context, p, value, err) : slopes(context, p, slope, err);
}

/* ---- the design ----------------------------------------------------------------------------------------------- */

static withy_status read_target(design *x, wy_arena *arena, withy_error *err) {
    const withy_scene_minimise *setup = x->objective.setup;
    static const char *const name[] = {"s", "x", "y", "z"};
    if (!setup->target) return WITHY_OK;
    wy_columns *t = &x->objective.target;
    WY_TRY(wy_columns_read(setup->target, setup->target_size, setup->target_name, arena, t, err));
    int named = t->name && t->columns == 4;
    for (int i = 0; i < 4 && named; i++) named = strcmp(t->name[i], name[i]) == 0;
    if (!named)
        return wy_bad_input(err, "%s: a target has the columns s, x, y, z", setup->target_name);
    x->objective.s = wy_arena_alloc(arena, (size_t)t->rows + 1, sizeof *x->objective.s);
    if (!x->objective.s) return wy_no_memory(err, "no memory for the target");
    for (int i = 0; i < t->rows; i++) x->objective.s[i] = t->value[4 * i];
    return WITHY_OK;
}

static withy_status check_target(const design *x, const withy_problem *problem, withy_error *err) {
    if (problem->rod_count < 1) return wy_bad_input(err, "a design needs a rod");
    const double length = problem->rod[0].length;
    for (int i = 0; i < x->objective.target.rows; i++) {
        if (!(x->objective.s[i] >= 0 && x->objective.s[i] <= length * (1 + 1e-9)))
            return wy_bad_input(err, "%s: row %d: s = %g; the rod has 0 .. %g",
                                x->objective.setup->target_name, i + 1, x->objective.s[i], length);
        x->objective.s[i] = wy_min(x->objective.s[i], length);
    }
    return WITHY_OK;
}

/* Where the search begins. */
static withy_status go_on(design *x, const wy_variant *v, wy_arena *arena, withy_error *err) {
    const withy_scene_minimise *setup = x->objective.setup;
    double p[MOST];
    int stage;
    WY_TRY(wy_search_record_open(&x->best, &x->variants, setup->best, setup->resume, arena, err));
    wy_search_record_line(&x->best, "minimise %s\n", setup->objective);
    for (int i = 0; i < setup->subject_count; i++)
        wy_search_record_line(&x->best, "subject %s\n", setup->subject[i]);
    wy_search_record_line(&x->best, "run %d\ndifferences %d\n", setup->run, setup->differences);
    wy_search_record_describe(&x->best, v, setup->target, setup->target_size);
    WY_TRY(wy_search_record_start(&x->best, setup->resume, 1, p, &stage, err));
    for (int k = 0; k < setup->count; k++) x->free[k] = setup->free[k], x->free[k].value = p[k];
    return WITHY_OK;
}

/* Names, units and the numbers where it starts. */
static withy_status begin(design *x, wy_arena *arena, withy_error *err) {
    const withy_scene_minimise *setup = x->objective.setup;
    double start[MOST];
    const wy_variant *v;
    wy_known *here;
    WY_TRY(read_target(x, arena, err));
    WY_TRY(read_sides(x, err));
    for (int k = 0; k < setup->count; k++) start[k] = setup->free[k].value;
    WY_TRY(wy_variants_room(&x->variants, WY_EXPRESSION_NAMES, 0, arena, err));
    WY_TRY(wy_variants_of(&x->variants, wy_variants_at(&x->variants, start), &v, err));
    WY_TRY(check_target(x, v->study.problem, err));
    WY_TRY(wy_objective_bind(&x->objective, v, err));
    WY_TRY(go_on(x, v, arena, err));
    WY_TRY(numbers_at(x, start, &here, err));
    memcpy(x->first.number_first, here->value, sizeof x->first.number_first);
    return set_units(x, here->value, err);
}

/* Value and derivatives where the search would begin. */
static withy_status derive(design *x, withy_minimum *out, withy_error *err) {
    const int count = out->count = x->objective.setup->count;
    double value[SIDES];
    for (int k = 0; k < count; k++) out->p[k] = x->free[k].value;
    WY_TRY(values(x, out->p, value, err));
    if (!isfinite(value[0]))
        return wy_no_convergence(err, "--of %s is not finite", x->objective.setup->objective);
    WY_TRY(slopes(x, out->p, out->slope, err));
    for (int k = 0; k < count; k++) {
        out->slope_error[k] = x->exact ? 0 : x->difference.by[k].miss;
        if (!isfinite(out->slope[k]))
            return wy_no_convergence(err, "the derivative by %s is not finite", x->free[k].name);
    }
    out->value = out->first = value[0], out->converged = 1;
    return WITHY_OK;
}

static withy_status search(design *x, withy_minimum *out, withy_error *err) {
    const withy_scene_minimise *setup = x->objective.setup;
    withy_minimise_setup search = withy_minimise_default();
    search.objective = objective, search.context = x, search.free = x->free,
    search.count = setup->count;
    search.constraints = x->count - 1, search.equal = x->equal, search.most = setup->most;
    return withy_minimise(&search, out, err);
}

static withy_status find(design *x, wy_arena *arena, withy_minimum *out, withy_error *err) {
    wy_known *here;
    WY_TRY(begin(x, arena, err));
    x->exact = !x->objective.setup->differences && !x->objective.solved;
    WY_TRY((x->objective.setup->derive ? derive : search)(x, out, err));
    out->numbers = x->objective.names.count, out->exact = x->exact;
    memcpy(out->number_first, x->first.number_first, sizeof out->number_first);
    wy_note_join(&out->notes, &x->first.notes);
    for (int j = 0; j < out->numbers; j++)
        snprintf(out->name[j], sizeof out->name[j], "%s", x->objective.names.text[j]);
    WY_TRY(numbers_at(x, out->p, &here, err));
    memcpy(out->number, here->value, sizeof out->number);
    out->negative = x->objective.negative;
    return WITHY_OK;
}

withy_scene_minimise withy_scene_minimise_default(void) {
    return (withy_scene_minimise){.size = sizeof(withy_scene_minimise), .threads = 1};
}

withy_status wy_minimise_variants(const withy_scene_minimise *setup,
                                  const wy_variant_source *source, withy_minimum *minimum,
                                  withy_error *err) {
    WY_NEED(setup, minimum);
    *minimum = (withy_minimum){.negative = -1};
    if (setup->size != sizeof *setup || !setup->read || !setup->free || !setup->objective)
        return wy_bad_input(err, "withy_minimise_scene: begin with withy_scene_minimise_default(), "
                                 "and set read, objective and free");
    if (setup->count < 1 || setup->count > WITHY_FIT_MOST || setup->subject_count < 0 ||
        setup->subject_count > WITHY_MINIMISE_CONSTRAINTS)
        return wy_bad_input(err,
                            "a design takes 1 .. %d free parameters and at most %d constraints",
                            WITHY_FIT_MOST, WITHY_MINIMISE_CONSTRAINTS);
    wy_arena arena = {0};
    design *x = wy_alloc(1, sizeof *x);
    if (!x) return wy_no_memory(err, "no memory for a design");
    x->objective.setup = setup, x->objective.negative = -1;
    x->variants = (wy_variants)WY_VARIANTS_OF(setup, source), x->objective.variants = &x->variants;
    x->difference = (wy_difference){.free = setup->free,
                                    .count = setup->count,
                                    .threads = setup->threads,
                                    .model = one_of_many,
                                    .context = x};
    const withy_status status = find(x, &arena, minimum, err);
    minimum->readings = x->variants.made;
    wy_difference_free(&x->difference);
    wy_variants_close(&x->variants);
    wy_arena_free(&arena);
    wy_free(x);
    return status;
}
