/* compare_error.c - error bars.
 *
 * Of a method, by Richardson.  From the three finest levels a, b, c the observed order is
 * p = log2 |a - b| / |b - c|, largest differences over the run, the lowest over all positions compared,
 * kept between 1/2 and 2: a method may be better than second order on a smooth problem, but an error bar
 * must not rely on it.  The bar of c is three times |b - c| / (2^p - 1), which is |b - c| itself at p = 2
 * (error_bar.c).  Neither it nor the error vanishes when two curves cross: |a - b| / 2^p counts as much as
 * |b - c| (p at most the order of the method), and the bar at a time is the largest up to then and for
 * an eighth of the run after it, since fast waves that the step does not resolve make |b - c| at a single
 * time a matter of chance.  It may be so at all of a few output times: two levels that both do not resolve an
 * oscillation along the rod may differ little there and be wrong by all of it.  What the step of c gets wrong is
 * therefore estimated from c alone too, from steps in a row (step_error.c), and the bar of a place is not below that.
 * The bar is known when |b - c| has fallen enough for p >= 1/2 and |a - b| is less than half of the motion (levels
 * that differ by more show no order), or when already two levels are within a
 * hundredth of the requested accuracy.  Two levels may be close by chance, as where the error changes its sign between
 * them: they show that the accuracy is reached, not by how much, and their bar is not below that hundredth.
 *
 * Of a simpler rod.  A method that leaves out stretch and shear solves the rod that is rigid in them.
 * Its distance from the rod of the scene is computed with a method that has both, by making them
 * STIFF times stiffer: D = r(STIFF) - r.  D is subtracted from the result of the simpler method before it is
 * compared.  Its bar: the effect of the remaining compliance, at most an eighth of what the last factor
 * of sixteen has changed (a fifteenth where the change goes with the compliance), and the difference of
 * D between two levels.
 */
#include <float.h>

#include "study/compare/compare.h"

static const double order_least = 0.5;
enum { NO_DIFFERENCE = 60 }; /* the order when the levels differ by rounding only */
static const double floor_part =
    1e-8; /* of the length or of the largest force: the accuracy of the solvers */

static const double SHOWS = 0.5; /* of the distance travelled */
static const double ROUNDING = 1e-15;
static const double TWO_LEVELS =
    0.024; /* of the accuracy: their bar, three times what they differ */

static double largest_difference(const withy_compare_run *a, const withy_compare_run *b, int what) {
    double most = 0;
    for (int k = 0; k < a->count; k++)
        most = fmax(most, wy_compare_distance(a->at[what][k], b->at[what][k]));
    return most;
}

static double largest_value(const withy_compare_run *run, int what) {
    double most = 0;
    for (int k = 0; k < run->count && (run->have >> what & 1); k++)
        most = fmax(most, v3_norm(run->at[what][k]));
    return most;
}

/* What rounding leaves of a force that should vanish: a strain is a difference of positions over L/n. */
static double rounding(const wy_compare_task *task, const withy_compare_run *run, int what) {
    const double force = ROUNDING * task->stiff[0], turn = ROUNDING * task->stiff[1] / task->length;
    if (what == WITHY_COMPARE_FORCE) return run->n * (force + turn / task->length);
    return what == WITHY_COMPARE_MOMENT ? run->n * turn + force * task->length : 0.0;
}

/* A difference below this is not significant.  A force that should vanish is compared with the moment over the
 * length, and the other way round. */
static double least_difference(const wy_compare_task *task, const withy_compare_run *run,
                               int what) {
    const double force = largest_value(run, WITHY_COMPARE_FORCE),
                 moment = largest_value(run, WITHY_COMPARE_MOMENT), length = task->length;
    const double reach[WITHY_COMPARE_WHAT] = {
        [WITHY_COMPARE_FINISH] = fmax(length, largest_value(run, WITHY_COMPARE_FINISH)),
        [WITHY_COMPARE_MIDDLE] = fmax(length, largest_value(run, WITHY_COMPARE_MIDDLE)),
        [WITHY_COMPARE_FORCE] = fmax(force, moment / length),
        [WITHY_COMPARE_MOMENT] = fmax(moment, force * length)};
    return fmax(floor_part * reach[what], rounding(task, run, what));
}

static int is_place(int what) {
    return wy_compare_list[what].have == WITHY_HAVE_POSITION;
}

/* Order of one observable; order_most + 1 when it does not change. */
static double order_of(const wy_compare_task *task, const withy_compare_method *m, int what) {
    const withy_compare_run *c = wy_compare_finest(m);
    const double coarse = largest_difference(c - 2, c - 1, what),
                 fine = largest_difference(c - 1, c, what);
    if (!(fine > least_difference(task, c, what))) return NO_DIFFERENCE;
    return log2(coarse / fine);
}

/* The lowest order of all positions.  Forces do not show whether a method converges: near zero they are
 * the residual of the solver. */
static double observed_order(const wy_compare_task *task, const withy_compare_method *m) {
    double order = NO_DIFFERENCE;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if ((wy_compare_finest(m)->have >> i & 1) && is_place(i))
            order = fmin(order, order_of(task, m, i));
    return order;
}

/* By how much the two levels before the finest differ, of all positions. */
static double coarse_difference(const withy_compare_method *m) {
    const withy_compare_run *c = wy_compare_finest(m);
    double most = 0;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if ((c->have >> i & 1) && is_place(i))
            most = fmax(most, largest_difference(c - 2, c - 1, i));
    return most;
}

/* The bar of c at every time: the largest up to then, and a little ahead; returns the largest of all. */
static double fill_bar(const wy_compare_task *task, const withy_compare_method *m, int what,
                       double ratio, double least, double *bar) {
    const withy_compare_run *c = wy_compare_finest(m), *b = c - 1, *a = m->levels > 2 ? c - 2 : b;
    const int ahead = task->statics ? 0 : c->count / 8 > 2 ? c->count / 8 : 2;
    double sofar = least;
    for (int k = 0; k < c->count + ahead; k++) {
        if (k < c->count) {
            const double coarse = wy_compare_distance(a->at[what][k], b->at[what][k]),
                         fine = wy_compare_distance(b->at[what][k], c->at[what][k]);
            sofar = fmax(sofar, wy_error_bar(WY_ERROR_BAR_FINEST, coarse, fine, ratio));
            if (is_place(what)) sofar = fmax(sofar, c->step_error[what][k]);
        }
        if (k >= ahead) bar[k - ahead] = sofar;
    }
    return sofar;
}

/* The largest distance travelled by a point, to which accuracies are relative; the length for a rod at rest. */
double wy_compare_displacement(const wy_compare_task *task, const withy_compare_run *run) {
    double travel = 0;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        for (int k = 0; k < run->count && is_place(i); k++)
            travel = fmax(travel, wy_compare_distance(run->at[i][k], run->at[i][0]));
    return travel > floor_part * task->length ? fmin(travel, task->length) : task->length;
}

/* Forces have no length scale: only positions decide when the accuracy is reached. */
double wy_compare_worst(const withy_compare_method *m) {
    double most = 0;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++)
        if (is_place(i)) most = fmax(most, m->largest[i]);
    return most;
}

/* By how much the differences fall: of positions in common, of a force by itself, which may fall less at an
 * end.  Without a third level as at order one, where n of a quarter or a half is rounded up. */
static double ratio_of(const wy_compare_task *task, const withy_compare_method *m, int what) {
    const withy_compare_run *c = wy_compare_finest(m);
    if (m->levels <= 2) return c->n > c[-1].n ? fmin(2.0, (double)c->n / c[-1].n) : 2.0;
    /* of a force the error depends on where between two nodes a load begins: no order, the larger difference counts */
    if (task->jumps && !is_place(what)) return 1.0;
    const double p = is_place(what) ? m->order : order_of(task, m, what);
    const double smooth = m->formal > 0 ? m->formal : DBL_MAX_EXP / 2;
    /* where a load begins between two nodes the error falls by fits and starts */
    const double most = task->jumps ? fmin(1.0, smooth) : smooth;
    return exp2(fmin(most, fmax(order_least, p)));
}

/* The least bar of an observable. */
static double least_bar(const wy_compare_task *task, const withy_compare_method *m, int what) {
    const withy_compare_run *c = wy_compare_finest(m);
    const double least = least_difference(task, c, what);
    if (m->levels > 2) return least;
    const double enough = task->accuracy * wy_compare_displacement(task, c);
    const double size = is_place(what) ? enough : task->accuracy * largest_value(c, what);
    return fmax(least, TWO_LEVELS * size);
}

int wy_compare_estimate(const wy_compare_task *task, withy_compare_method *m) {
    if (m->levels < 2) return 0;
    const withy_compare_run *c = wy_compare_finest(m);
    const double enough = task->accuracy * wy_compare_displacement(task, c);
    m->order = m->levels > 2 ? observed_order(task, m) : 0;
    for (int i = 0; i < WITHY_COMPARE_WHAT; i++) {
        if (!(c->have >> i & 1)) continue;
        if (!m->error[i]) m->error[i] = wy_alloc((size_t)c->count, sizeof *m->error[i]);
        if (!m->error[i]) return 0;
        m->largest[i] =
            fill_bar(task, m, i, ratio_of(task, m, i), least_bar(task, m, i), m->error[i]);
    }
    /* n of a quarter is rounded up: 2 and 3 nodes may be close by chance; so may be two errors that depend on where
     * between two nodes a load begins */
    const int apart = !task->jumps && (c->n == c[-1].n || c->n >= 2 * c[-1].n);
    m->known = (m->levels > 2 && m->order >= order_least &&
                coarse_difference(m) <= SHOWS * wy_compare_displacement(task, c)) ||
               (apart && wy_compare_worst(m) <= TWO_LEVELS * enough);
    return m->known && wy_compare_worst(m) <= enough;
}

/* ---- what a simpler rod leaves out ------------------------------------------------------------------- */

enum { STIFF = 256, LESS_STIFF = 16 };

/* The first method that has all these strains and a known error (the list of methods begins with the
 * one that works at any stiffness); NULL: none. */
static const withy_compare_method *complete(const withy_compare_method *method, int count,
                                            unsigned strains) {
    for (int i = 0; i < count; i++)
        if (!(method[i].rigid & strains) && method[i].known) return &method[i];
    return NULL;
}

/* The three stiffer runs: as fine as the run before the finest, and one level coarser. */
typedef struct stiff_runs {
    const withy_compare_run *fine, *coarse; /* of the rod as it is */
    withy_compare_run stiff, less, stiff_coarse;
} stiff_runs;

static withy_status run_stiff(const wy_compare_task *task, const withy_compare_method *with,
                              unsigned strains, stiff_runs *x, withy_error *err) {
    x->fine = wy_compare_finest(with) - (with->levels > 2);
    x->coarse = x->fine - 1;
    const struct {
        const withy_compare_run *like;
        withy_compare_run *run;
        double factor;
    } list[] = {{x->fine, &x->stiff, STIFF},
                {x->fine, &x->less, LESS_STIFF},
                {x->coarse, &x->stiff_coarse, STIFF}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        list[i].run->level = list[i].like->level, list[i].run->automatic = list[i].like->automatic;
        const withy_status status =
            wy_compare_once(task, with, strains, list[i].factor, list[i].run, err);
        if (status != WITHY_OK) return status;
    }
    return WITHY_OK;
}

/* D and its bar, at least what rounding makes, for one observable; 0: no memory. */
static int fill_shift(const stiff_runs *x, int what, double ratio, double least,
                      withy_compare_model *out) {
    const int count = x->stiff.count;
    withy_vec3 *shift = out->shift[what] = wy_alloc((size_t)count, sizeof *shift);
    double *bar = out->error[what] = wy_alloc((size_t)count, sizeof *bar), sofar = least;
    if (!shift || !bar) return 0;
    for (int k = 0; k < count; k++) {
        shift[k] = v3_sub(x->stiff.at[what][k], x->fine->at[what][k]);
        const withy_vec3 rough = v3_sub(x->stiff_coarse.at[what][k], x->coarse->at[what][k]);
        const double missing = wy_compare_distance(x->stiff.at[what][k], x->less.at[what][k]) / 8;
        const double change = wy_compare_distance(shift[k], rough);
        sofar = fmax(sofar, missing + wy_error_bar(WY_ERROR_BAR_FINEST, change, change, ratio));
        bar[k] = sofar;
        if (k) bar[k - 1] = sofar;
        out->largest[what] = fmax(out->largest[what], v3_norm(shift[k]));
    }
    return 1;
}

withy_status wy_compare_find_model(const wy_compare_task *task, const withy_compare_method *method,
                                   int count, withy_compare_model *out, withy_error *err) {
    *out = (withy_compare_model){0};
    for (int i = 1; i < count; i++) out->left_out |= method[i].rigid ^ method[0].rigid;
    if (!out->left_out) return WITHY_OK;
    const withy_compare_method *with = complete(method, count, out->left_out);
    if (!with) return WITHY_OK; /* no such method: these pairs cannot be compared */
    snprintf(out->found_with, sizeof out->found_with, "%s", with->name);
    stiff_runs runs = {0};
    const withy_status status = run_stiff(task, with, out->left_out, &runs, err);
    out->known = status == WITHY_OK;
    for (int i = 0; i < WITHY_COMPARE_WHAT && out->known; i++)
        if (runs.stiff.have >> i & 1)
            out->known = fill_shift(&runs, i, ratio_of(task, with, i),
                                    STIFF * rounding(task, &runs.stiff, i), out);
    wy_compare_run_free(&runs.stiff);
    wy_compare_run_free(&runs.less);
    wy_compare_run_free(&runs.stiff_coarse);
    return status;
}
