/* step_trial.c - dt = "auto": the order and the length of the step, from motions with steps that are too long.
 *
 * A trial is the motion over the whole window by N equal steps; the next one has 2N, until what they
 * differ by, D(N) = |x(N) - x(N/2)|, tells how many steps are needed.  With the order q that is
 * measured,
 *
 *   q       = log2 D(N/2)/D(N), weighed against what is expected                            (1)
 *   error   = D(N)/(2^q - 1)                                                                (2)
 *   needed  = N (error/(tol S))^(1/q)                                                       (3)
 *
 * where a distance is the largest at MARKS instants over MARKED nodes of |dr|/L and of the way of a point at
 * ARM, and S is the size of the motion, the same distance from the start, at most 1.  The last trial is
 * accepted when (3) is not far from N.
 *
 * In proportion to the errors of steps, D grows along the motion in the same way whatever N is.  So once it has been
 * seen twice over the whole window and is SMALL, trials end where the last had a PART of its D, and
 *
 *   D(N)    = D(N/2) d(N)/d(N/2),   d : largest distance in the second half of the part      (4)
 *
 * or what is seen in the part, if that is more.
 *
 * The first trial has half as many steps as there are records, and passes every second.  How the errors of single
 * steps fall from trial to trial, `fall`, tells whether the steps resolve the motion: 2 where they do.  From it follows
 * what q of order 4 is expected; below UNRESOLVED a small D may be chance, so that (3) is not trusted
 * far and D is not yet taken from a part of the motion.
 *
 * With tol up to FINE order 4 is tried, if it is allowed; else order 2 first, and order 4 where that would need
 * MANY steps.  Trials have no ledger, and Newton's method stops in them as soon as its error
 * is small against the tolerance.  All trials together cost about as much as the motion itself, or less.
 *
 * Where errors of single steps are small and D is not, the motion amplifies errors; then, and where
 * MOST steps are not enough, the step is the shortest that was tried or half of it, and the run has a note.
 */
#include "method/director/network.h"

static const double ARM = 0.1;             /* of L: see above */
static const double AIM = 1.0;             /* of tol */
static const double FALLS[2] = {0.2, 0.1}; /* D from trial to trial, by order: more is chance */
static const double ENOUGH = 1e-2;         /* of tol S: Newton's error in a trial */
static const double AMPLIFIED = 0.1;       /* of tol S, all steps together: see above */
static const double MOST[2] = {1 << 15, 1 << 13}; /* steps of a trial, for tol from FINE on */
static const double MANY = 400;                   /* steps of order 2: then order 4 is cheaper */
static const double PRIOR[2] = {1.8, 2.1};        /* expected q, by order */
static const double FULL = 1.2;                   /* FULL fall^2: q expected of order 4 */
static const double LEAST_Q[2] = {1.2, 1.9};      /* of a measured q; second: order 4, resolved, */
static const double SLOW = 0.5;                   /* and D falls by more than this slope */
static const double PLAIN = 10; /* times errors of substeps: those of as many steps of order 2 */
static const double UNRESOLVED = 0.8; /* fall: see above */
static const double ROUGH =
    1.5; /* of S, all steps together: they are too long for some of the motion */
static const double HALF = 0.5;  /* of S: likewise, where that hardly falls, */
static const double STAYS = 0.6; /* from trial to trial */
static const double FINE = 1e-3; /* tol: then order 4 is tried at once */
static const double PART = 0.5;  /* of D: where a trial of a part ends */
static const double SMALL =
    0.15; /* of S: a larger D is no longer in proportion to the error of a step */
static const double UNSURE = 0.3; /* of the error: more of it, the less of the motion was seen */
static const double QUIET = 1e-4; /* of the tolerance: no error */
static const double BLIND =
    0.1; /* of the errors of single steps: a D less than that, while they stay, */
static const double WORTH = 6; /* a further trial costs less than about a fifth of the motion */
enum { FIRST = WY_DIRECTOR_MARKS };     /* the first trial has half as many steps */
enum { LEAST = WY_DIRECTOR_MARKS / 4 }; /* records of the shortest */
enum { EARLY = 16 };                    /* times as many do not get to the end */

typedef struct trial {
    int order, complete;           /* complete: all steps converged */
    int compared;                  /* with a complete one of half as many steps */
    int passed;                    /* records */
    double steps, made;            /* nominally, and with those for edges */
    double apart;                  /* D */
    double size;                   /* S */
    double local;                  /* the errors of single steps, summed */
    int marks;                     /* that it passes: all, or a part of them */
    double way[WY_DIRECTOR_MARKS]; /* D up to each mark, */
    double at[WY_DIRECTOR_MARKS];  /* the distance there, */
    double sum[WY_DIRECTOR_MARKS]; /* and `local` */
} trial;

static double part_of(const trial *x) {
    return (double)x->marks / WY_DIRECTOR_MARKS;
}

/* ---- distances ---------------------------------------------------------------------------------------- */

void wy_director_mark(const wy_director *x, wy_director_reference *mark) {
    for (int i = 0; i < wy_director_marked(x); i++) {
        vec3 origin;
        const wy_director_node *node = wy_director_mark_at(x, i, &origin);
        mark[i] = (wy_director_reference){.d = node->d, .r = v3_add(origin, node->r)};
    }
}

/* From a mark; of the angle at most `turn_most` [rad] counts. */
static double distance(const wy_director *x, const wy_director_reference *mark, double turn_most) {
    const double per = 1.0 / (x->plan.length * x->plan.length);
    double most = 0;
    for (int i = 0; i < wy_director_marked(x); i++) {
        vec3 origin;
        const wy_director_node *node = wy_director_mark_at(x, i, &origin);
        const vec3 dr = v3_sub(v3_add(origin, node->r), mark[i].r);
        const tri d = tri_sub(node->d, mark[i].d);
        const double turn = wy_min(turn_most * turn_most, 0.5 * lane_sum(tri_dot(d, d)));
        const double square = wy_max(per * v3_dot(dr, dr), ARM * ARM * turn);
        if (!(square <= most)) most = square;
    }
    return sqrt(most);
}

/* h^3 r'''/12 of the last step, from the rates of three. */
double wy_director_local(const wy_director *x) {
    const wy_director_now *now = x->now;
    if (now->history < 3) return INFINITY;
    const double *t = now->rate_time, h = x->step->h, per = 1.0 / (x->plan.length * x->plan.length);
    const double line = (t[0] - t[1]) / (t[1] - t[2]);
    const double axial = 2 / ((t[0] - t[1]) * (t[0] - t[2])); /* of the distance: r''' */
    double most = 0;
    for (int i = 0; i < wy_director_marked(x); i++) {
        vec3 unused;
        const wy_director_rate *rate = wy_director_mark_at(x, i, &unused)->rate;
        const vec3 dr = v3_axpy(v3_axpy(rate[0].dr, -1 - line, rate[1].dr), line, rate[2].dr);
        const vec3 turn =
            v3_axpy(v3_axpy(rate[0].theta, -1 - line, rate[1].theta), line, rate[2].theta);
        most = wy_max(most, wy_max(per * v3_dot(dr, dr), ARM * ARM * v3_dot(turn, turn)));
    }
    return fabs(h * h * h / 12.0 * axial) * sqrt(most);
}

/* A trial passes every mark, or with fewer steps than records every second. */
static int stride(const trial *x) {
    return x->steps < WY_DIRECTOR_MARKS ? (int)(WY_DIRECTOR_MARKS / x->steps) : 1;
}

/* ---- one trial ------------------------------------------------------------------------------------------ */

/* d of (4). */
static double late(const trial *x, int marks) {
    double most = 0;
    for (int k = marks / 2; k < marks; k++) most = wy_max(most, x->at[k]);
    return most;
}

static withy_status run_trial(wy_director *x, const trial *before, trial *out, withy_error *err) {
    const double from = x->step_size->from, way = x->step_size->to - from;
    double t = from;
    wy_network_restore_copy(wy_network_of(x), 1);
    x->step->trial = 1, x->step->order = out->order, x->step->near = 0;
    out->size = wy_max(x->step_size->size, before->size), out->apart = out->local = out->made = 0;
    out->complete = out->passed = 0;
    out->compared =
        before->complete && before->order == out->order && 2 * before->steps == out->steps;
    const int pass = stride(out), pass_before = out->compared ? stride(before) : 1;
    for (int i = pass - 1; i < out->marks; i += pass) {
        wy_director_reference *mark = &x->mark[i * wy_director_marked(x)];
        const double stop =
            i + 1 < WY_DIRECTOR_MARKS ? from + way * (i + 1) / WY_DIRECTOR_MARKS : x->step_size->to;
        x->step->enough = ENOUGH * wy_min(x->plan.opt.tol, 1e-3) * out->size;
        while (t < stop) {
            const withy_status status =
                wy_director_auto_piece(x, &t, stop, out->steps, &out->made, &out->local, err);
            /* what steps so long run into is not yet the motion's */
            if (status == WITHY_BAD_INPUT || status == WITHY_NO_CONVERGENCE) return WITHY_OK;
            WY_TRY(status);
            if (x->step->refused) return WITHY_OK;
            if (x->step->near && out->order == 4 && x->plan.opt.order == 0) return WITHY_OK;
        }
        out->size = wy_max(out->size, wy_min(1.0, distance(x, x->home, 1.0)));
        const double d =
            out->compared && (i + 1) % pass_before == 0 ? distance(x, mark, INFINITY) : 0;
        out->apart = wy_max(out->apart, d);
        wy_director_mark(x, mark);
        for (int k = i + 1 - pass; k <= i; k++) {
            out->way[k] = out->apart, out->at[k] = d;
            out->sum[k] = out->local;
        }
        out->passed = i + 1;
    }
    if (out->marks < WY_DIRECTOR_MARKS && out->compared)
        out->apart = wy_max(out->apart, before->apart * late(out, out->marks) /
                                            wy_max(late(before, out->marks), 1e-300)); /* (4) */
    if (before->compared && out->compared)
        out->apart = wy_max(out->apart, FALLS[out->order == 4] * before->apart);
    out->complete = 1, out->local /= part_of(out);
    return WITHY_OK;
}

/* ---- the ladder ----------------------------------------------------------------------------------------- */

typedef struct ladder {
    trial now, before;
    double prior, slope[2]; /* of q: expected, and measured by the last trials */
    int slopes;
    double q, error, objective, needed;
    int near; /* 1: something comes near an obstacle or to a limit, and order 4 gains nothing */
} ladder;

static double power(double base, double exponent) {
    return base > 0 ? pow(base, exponent) : 0;
}

/* log2 of how the errors of single steps fall; 1 where two trials of the same records do not tell. */
static double fall_of(const ladder *l) {
    const trial *now = &l->now, *before = &l->before;
    if (!now->compared || now->marks != before->marks) return 1;
    return wy_max(0, log2(before->local / wy_max(now->local, 1e-300)));
}

static int is_resolved(const ladder *l) {
    return fall_of(l) >= UNRESOLVED;
}

/* (1): the slopes scatter, and are weighed against what is expected. */
static void find_order(ladder *l) {
    const trial *now = &l->now, *before = &l->before;
    l->q = l->prior;
    if (!now->compared || !before->compared) return;
    const double slope = log2(before->apart / wy_max(now->apart, 1e-300));
    l->slope[1] = l->slope[0], l->slope[0] = slope;
    if (l->slopes < 2) l->slopes++;
    const int four = now->order == 4;
    const double fall = fall_of(l), full = wy_max(2, wy_min(4, FULL * fall * fall));
    double sum = 2 * (four ? full : l->prior);
    for (int i = 0; i < l->slopes; i++) sum += l->slope[i];
    l->q = wy_max(sum / (2 + l->slopes), 0.85 * slope);
    const double least = LEAST_Q[four && is_resolved(l) && slope > SLOW];
    l->q = wy_max(least, wy_min(four ? 4.0 : 2.0, l->q));
}

/* (2) and (3). */
static void judge(const wy_director *x, ladder *l) {
    const trial *now = &l->now;
    find_order(l);
    l->error = now->apart / (exp2(l->q) - 1);
    l->error *= 1 + UNSURE * (1 - part_of(now));
    l->objective = AIM * x->plan.opt.tol * now->size + WY_DIRECTOR_ROUNDING;
    l->needed = now->steps * power(l->error / l->objective, 1 / l->q);
}

/* Is the number of steps that is needed known well enough?  Where steps are too long for a part of the motion, D
 * may be small by chance, or because from the edge of a load to the next stop both trials make one step and the same:
 * then only after two slopes. */
static int is_known(const ladder *l) {
    const trial *now = &l->now;
    /* Before a q is measured, and after: two trials of long steps agree by chance now and then. */
    static const double reach[2] = {1, 4};
    const int stays = l->before.complete && now->local > STAYS * l->before.local;
    const int blind = stays && now->local > l->objective && now->apart < BLIND * now->local;
    const int rough =
        blind || now->local > wy_max((stays ? HALF : ROUGH) * now->size, WY_DIRECTOR_ROUNDING);
    if (!now->compared || !now->complete || (rough && l->slopes < 2)) return 0;
    const double part = part_of(now);
    const int far = !rough && is_resolved(l);
    const double most = wy_min(wy_min(far ? INFINITY : 2, reach[l->slopes > 0]),
                               part < 1 ? WORTH * part : INFINITY);
    return l->needed <= most * now->steps;
}

static int is_many(const wy_director *x, const trial *now) {
    return now->steps >= MOST[now->order == 4] * wy_max(1, FINE / x->plan.opt.tol);
}

static int is_hopeless(const wy_director *x, const ladder *l) {
    const trial *now = &l->now;
    if (is_many(x, now)) return 1;
    return now->complete && now->compared && l->error > l->objective &&
           now->local < AMPLIFIED * x->plan.opt.tol * now->size;
}

/* The next trial ends where this one has a PART of its D: how D falls with the step shows there as well. */
static void shorten(const ladder *l, trial *next) {
    const trial *now = &l->now;
    const double all = now->way[WY_DIRECTOR_MARKS - 1];
    if (!now->complete || !now->compared || !l->before.compared) return;
    if (!(now->apart < SMALL * now->size) || !(all > 0)) return;
    int k = LEAST - 1;
    while (now->way[k] < PART * all) k++;
    if (k + 1 > 3 * WY_DIRECTOR_MARKS / 4) return;
    next->marks = k + 1;
}

static trial next_trial(const wy_director *x, const ladder *l) {
    const trial *now = &l->now;
    trial next = {.order = now->order, .steps = 2 * now->steps, .marks = now->marks};
    if (now->marks == WY_DIRECTOR_MARKS && (l->slopes > 1 || is_resolved(l))) shorten(l, &next);
    const int sure = now->complete && now->compared;
    if (now->order == 2 && x->plan.opt.order == 0 && !l->near && sure) {
        const double least = now->steps * sqrt(l->error / l->objective); /* with its full order */
        const double made = now->made / part_of(now);
        if (least * made > MANY * now->steps || made >= 0.5 * MANY) {
            next = (trial){.order = 4, .steps = 0.5 * (double)x->step_size->first};
            next.marks = WY_DIRECTOR_MARKS;
            while (next.steps < least / 100) next.steps *= 2;
        }
    }
    return next;
}

/* The first trial of a window; loads tell how long its steps may be. */
static withy_status begin(wy_director *x, ladder *l, withy_error *err) {
    wy_director_step_size *step_size = x->step_size;
    const wy_changes *changes = &x->plan.changes;
    const double longest = (step_size->to - step_size->from) / FIRST;
    WY_TRY(wy_changes_begin(changes, x->range, x->map, step_size->from, step_size->to, err));
    step_size->first = (int64_t)FIRST << wy_changes_halvings(changes, x->map, longest);
    const int fine = x->plan.opt.order == 0 && x->plan.opt.tol <= FINE && !l->near;
    *l = (ladder){.now = {.order = x->plan.opt.order == 4 || fine ? 4 : 2,
                          .steps = 0.5 * (double)step_size->first},
                  .near = l->near};
    l->now.marks = WY_DIRECTOR_MARKS;
    l->prior = PRIOR[l->now.order == 4];
    return WITHY_OK;
}

/* Short steps do not get to the end: the window ends where they got. */
static int ends_early(wy_director *x, const trial *now) {
    wy_director_step_size *step_size = x->step_size;
    if (now->complete || now->steps < EARLY * (double)step_size->first || now->passed == 0)
        return 0;
    step_size->to =
        step_size->from + (step_size->to - step_size->from) * now->passed / WY_DIRECTOR_MARKS;
    return 1;
}

/* What moves only late, after an impact, say, has a window of its own: before it there is no error that could grow.
 * That D is 0 does not show it, as both trials may have made the same steps; that their errors are 0 as well does. */
static int begins_late(wy_director *x, const ladder *l) {
    wy_director_step_size *step_size = x->step_size;
    const trial *now = &l->now;
    int k = 0;
    if (!now->complete || !now->compared || now->marks < WY_DIRECTOR_MARKS) return 0;
    while (k < WY_DIRECTOR_MARKS && wy_max(now->way[k], now->sum[k]) <= QUIET * l->objective) k++;
    k -= k % stride(&l->before); /* the records between have not been compared */
    if (k == WY_DIRECTOR_MARKS || k < WY_DIRECTOR_MARKS / 2) return 0;
    step_size->to = step_size->from + (step_size->to - step_size->from) * k / WY_DIRECTOR_MARKS;
    return 1;
}

static withy_status climb(wy_director *x, ladder *l, withy_error *err) {
    WY_TRY(begin(x, l, err));
    for (;;) {
        WY_TRY(run_trial(x, &l->before, &l->now, err));
        l->near |= x->step->near;
        if (l->near && l->now.order == 4 && x->plan.opt.order == 0) {
            WY_TRY(begin(x, l, err));
            continue;
        }
        judge(x, l);
        if (is_known(l) || is_hopeless(x, l)) return WITHY_OK;
        if (ends_early(x, &l->now) || begins_late(x, l)) {
            WY_TRY(begin(x, l, err));
            continue;
        }
        const trial next = next_trial(x, l);
        if (next.order != l->now.order) l->prior = wy_min(PRIOR[1], 1.2 * l->q), l->slopes = 0;
        l->before = l->now, l->now = next;
    }
}

withy_status wy_director_try_steps(wy_director *x, double *needed, withy_error *err) {
    withy_stats *stats = x->setup->stats, before = *stats;
    wy_director_step_size *step_size = x->step_size;
    ladder l = {0};
    wy_network_save_copy(wy_network_of(x), 1);
    const withy_status status = climb(x, &l, err);
    wy_network_restore_copy(wy_network_of(x), 1);
    before.iterations = stats->iterations;
    *stats = before;
    x->step->trial = 0, x->step->refused = 0;
    WY_TRY(status);
    const double least = wy_max(l.needed, 0.5 * (double)step_size->first);
    const int plain = x->plan.opt.order == 0 && is_known(&l) && least <= l.now.steps &&
                      PLAIN * l.now.local < l.objective;
    const double steps = is_known(&l) ? least : wy_min(2 * l.now.steps, least);
    step_size->h = (step_size->to - step_size->from) / steps;
    step_size->order = plain ? 2 : l.now.order, step_size->cut = step_size->calm = 0;
    step_size->size = wy_max(step_size->size, l.now.size);
    step_size->error = is_known(&l) ? l.objective : l.error;
    *needed = is_many(x, &l.now) ? l.needed : 0;
    return WITHY_OK;
}
