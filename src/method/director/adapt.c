/* adapt.c - dt = "auto": steps from an error that is measured, not assumed.
 *
 * The motion is computed twice: by pairs of steps h, h, which is what is reported, and by single steps 2h
 * from the same start.  Both are complete motions from t = 0 on; the coarse one is never set back.
 * Their distance D is the sum of all errors of all steps, carried along by the motion itself: of
 * a mode that is resolved the phase, of a mode too fast for h no more than its amplitude, and of a load
 * or a stop that a step has passed its impulse.  With order q the error of the reported motion is
 * D/(2^q - 1); a part of that advantage is not used (SHARE), since it does not hold for modes that are
 * not resolved.
 *
 *   error  D/SHARE, D the largest over the nodes of |dr| and of the way of a point at ARM, over L
 *   size   S, the same distance from the start, the largest so far, at most 1
 *   wanted error(t) <= tol S max(EARLY, sqrt(t/T)), T the horizon (time.stop)                  (1)
 *
 * before SOON T more, since the motion has just begun.  The local error of a pair, from its rates and those
 * before, distributes the steps; the share of (1) that a pair may add is adapted at the ends of blocks, so
 * that the error grows as (1) does.  Where a motion amplifies its errors, shorter steps do not reduce the growth: the
 * share has a floor, and the run has a note when the tolerance was missed.
 */
#include <string.h>

#include "method/director/director.h"

static const double SHARE[2] = {1.7, 3.0};    /* of order 2 and 4 */
static const double EARLY = 0.5, SOON = 0.02; /* of (1) */
static const double ARM = 0.1;                /* of L: see above */
static const double FIRST = 1e-3;             /* first step, of the slow period */
/* Share of a pair: the first, and the largest; of order 4, whose error the estimate does not know; and
 * the least, of all pairs together. */
static const double PAIR = 0.02, SHARE_MOST = 0.1, SHARE_FOUR = 30, SHARE_LEAST = 0.1;
static const double LEAP = 0.3;       /* of the wanted error, in the first pairs */
static const double MISSED = 8;       /* of its share: a pair that adds more is repeated */
static const double WINDOW = 0.2;     /* of the time that has passed: a block */
static const double SHORTEST = 1e-10; /* step, of the horizon */
static const double ROUNDING = 1e-11; /* no error is wanted below this */
static const double TOLD = 4;         /* times tol: an error to be told */
static const double LANDED = 1e-12;   /* of the horizon: times that are equal */
enum { BLOCK = 4 };                   /* pairs, at least */
enum { COARSE_TOO = 2 };              /* step.refused: the coarse step, and it alone */

/* ---- two motions ---------------------------------------------------------------------------------- */

static void copy(const wy_director *x, const wy_director_motion *from,
                 const wy_director_motion *to) {
    const size_t points = (size_t)x->plan.n * (size_t)x->plan.p;
    memcpy(to->now, from->now, sizeof *to->now);
    memcpy(to->node, from->node, (points + 1) * sizeof *to->node);
    memcpy(to->strain, from->strain, points * sizeof *to->strain);
}

static wy_director_motion fine(const wy_director *x) {
    return (wy_director_motion){x->now, x->node, x->strain};
}

static void exchange(wy_director *x) {
    const wy_director_motion other = x->coarse;
    x->coarse = fine(x);
    x->now = other.now, x->node = other.node, x->strain = other.strain;
}

static void keep(wy_director *x) {
    const wy_director_motion now = fine(x);
    copy(x, &now, &x->kept[0]);
    copy(x, &x->coarse, &x->kept[1]);
}

static void take_back(wy_director *x) {
    const wy_director_motion now = fine(x);
    copy(x, &x->kept[0], &now);
    copy(x, &x->kept[1], &x->coarse);
}

void wy_director_auto_start(wy_director *x) {
    const wy_director_motion now = fine(x);
    copy(x, &now, &x->coarse);
    const double slow = wy_director_slow_period(x), first = wy_min(slow, x->plan.horizon);
    *x->pace = (wy_director_pace){.h = FIRST * first, .share = PAIR};
    for (int i = 0; i < x->plan.changes.count; i++) x->range[i] = (wy_change_range){.known = 0};
    for (int j = 0; j < x->plan.node_count; j++)
        x->home[j] =
            (wy_director_home){.d = x->node[j].d, .r = v3_add(x->now->origin, x->node[j].r)};
}

/* ---- measures --------------------------------------------------------------------------------------- */

/* Square of the way of a point at ARM: of the angle between two frames, as long as it is small. */
static double turn_square(tri a, tri b) {
    const tri d = tri_sub(a, b);
    return 0.5 * ARM * ARM * lane_sum(tri_dot(d, d));
}

static double distance(const wy_director *x) {
    const vec3 shift = v3_sub(x->now->origin, x->coarse.now->origin);
    const double per = 1.0 / (x->plan.length * x->plan.length);
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *a = &x->node[j], *b = &x->coarse.node[j];
        const vec3 dr = v3_add(v3_sub(a->r, b->r), shift);
        const double square = wy_max(per * v3_dot(dr, dr), turn_square(a->d, b->d));
        if (!(square <= most)) most = square;
    }
    return sqrt(most);
}

static double motion_size(const wy_director *x) {
    const double per = 1.0 / (x->plan.length * x->plan.length);
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *a = &x->node[j];
        const vec3 dr = v3_sub(v3_add(x->now->origin, a->r), x->home[j].r);
        const double turn = wy_min(ARM * ARM, turn_square(a->d, x->home[j].d));
        most = wy_max(most, wy_max(per * v3_dot(dr, dr), turn));
    }
    return sqrt(wy_min(most, 1.0));
}

/* Mean rates of a node over the pair of steps just made. */
static wy_director_rate rate_of(const wy_director *x, int j, double per) {
    const wy_director_node *a = &x->kept[0].node[j], *b = &x->node[j];
    const vec3 shift = v3_sub(x->now->origin, x->kept[0].now->origin);
    const vec3 turn = tri_sum3(tri_cross(a->d, b->d)); /* sum of d_i- x d_i+: 2 sin(angle) */
    return (wy_director_rate){v3_scale(per, v3_add(v3_sub(b->r, a->r), shift)),
                              v3_scale(0.5 * per, turn)};
}

/* The local error of a pair, h^3 r'''/12 for each step, from the distance of its rates from the line
 * through those of the two pairs before. */
static double local_error(const wy_director *x, double t, double h) {
    const wy_director_pace *pace = x->pace;
    const double middle = t + h, one = pace->time[0], two = pace->time[1];
    const double line = (middle - one) / (one - two), per = 1.0 / (x->plan.length * x->plan.length);
    const double third = 2 / ((middle - one) * (middle - two)); /* of the distance: r''' */
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_rate now = rate_of(x, j, 0.5 / h), *old = x->home[j].rate;
        const vec3 dr = v3_axpy(v3_axpy(now.dr, -1 - line, old[0].dr), line, old[1].dr);
        const vec3 turn = v3_axpy(v3_axpy(now.theta, -1 - line, old[0].theta), line, old[1].theta);
        most = wy_max(most, wy_max(per * v3_dot(dr, dr), ARM * ARM * v3_dot(turn, turn)));
    }
    return h * h * h / 6.0 * third * sqrt(most);
}

static void remember(wy_director *x, double t, double h) {
    wy_director_pace *pace = x->pace;
    for (int j = 0; j < x->plan.node_count; j++) {
        x->home[j].rate[1] = x->home[j].rate[0];
        x->home[j].rate[0] = rate_of(x, j, 0.5 / h);
    }
    pace->time[1] = pace->time[0], pace->time[0] = t + h;
    if (pace->known < 2) pace->known++;
}

/* ---- the controller --------------------------------------------------------------------------------- */

static double horizon(const wy_director *x, double t) {
    return wy_max(x->plan.horizon, t);
}

/* (1), and what rounding leaves. */
static double wanted(const wy_director *x, double t, double size) {
    const double part = sqrt(t / horizon(x, t)), soon = sqrt(SOON) / part;
    return x->plan.opt.tol * size * wy_max(EARLY, part) * wy_max(1.0, soon) + ROUNDING;
}

/* The rate of growth that leads to (1) within about the time that has passed. */
static double wanted_rate(const wy_director *x, double t) {
    const wy_director_pace *pace = x->pace;
    const double goal = wanted(x, t, pace->size), room = wy_max(goal - pace->worst, 0.05 * goal);
    const double slope = 0.5 * x->plan.opt.tol * pace->size / sqrt(t * horizon(x, t));
    return slope + room / t;
}

/* A block ends: the share of a pair follows from the growth of the error. */
static void next_block(wy_director *x, double t) {
    wy_director_pace *pace = x->pace;
    const double rate = (pace->worst - pace->before) / (t - pace->since);
    const double mean = 0.5 * (rate + pace->rate);
    const double grow = pow(wanted_rate(x, t) / wy_max(mean, 1e-300), 2.0 / x->plan.opt.order);
    const int four = x->plan.opt.order == 4;
    const double most = four ? SHARE_FOUR : SHARE_MOST, up = four ? 4.0 : 1.5;
    pace->share = wy_min(most, pace->share * wy_max(0.25, wy_min(up, grow)));
    pace->share = wy_max(pace->share, SHARE_LEAST / (double)pace->all); /* more is amplification */
    pace->rate = rate, pace->since = t, pace->before = pace->worst, pace->pairs = 0;
}

/* The step after a pair that ended at t.  In a vibration the local error vanishes twice in a period, where
 * that of the velocity is largest: its peak is what counts, and is forgotten as blocks pass. */
static double next_step(wy_director *x, double t, double h, double added, double allowed) {
    wy_director_pace *pace = x->pace;
    const double now = added / (h * h * h);
    pace->peak = wy_max(now, pace->peak * exp(-2 * h / (WINDOW * t)));
    const double best = 0.9 * cbrt(allowed / wy_max(pace->peak, 1e-300));
    return wy_max(0.5 * h, wy_min(1.6 * h, best));
}

/* ---- pairs of steps --------------------------------------------------------------------------------- */

/* Two steps h, and one of 2h in the coarse motion. */
static withy_status move_both(wy_director *x, double t, double h, withy_error *err) {
    wy_director_step *step = x->step;
    step->whole = 1, step->coarse = 0, step->enough = 0;
    for (int i = 0; i < 2; i++) {
        step->t = t + i * h;
        WY_TRY(wy_director_full_step(x, h, err));
        if (step->refused) return WITHY_OK;
    }
    step->t = t, step->coarse = 1;
    step->enough = 1e-3 * wanted(x, t + h, x->pace->size);
    exchange(x);
    const withy_status status = wy_director_full_step(x, 2 * h, err);
    exchange(x);
    if (step->refused) step->refused = COARSE_TOO;
    step->coarse = 0, step->enough = 0;
    return status;
}

/* The coarse motion is beyond its means (2h is too long there at any h that is tried): from here on it
 * starts again, with the error that is known. */
static void start_again(wy_director *x) {
    const wy_director_motion now = fine(x);
    copy(x, &now, &x->coarse);
    x->step->refused = 0;
}

typedef struct outcome {
    double error, size;    /* after the pair */
    double added, allowed; /* its local error, and the share of the wanted one */
} outcome;

/* By how much shorter a pair is repeated; 1: it is good. */
static double judge(wy_director *x, double t, double h, outcome *out) {
    const wy_director_pace *pace = x->pace;
    if (x->step->refused) return 0.4;
    out->error = wy_max(out->error, distance(x) / SHARE[x->plan.opt.order == 4]);
    out->size = wy_max(pace->size, motion_size(x));
    const double goal = wanted(x, t + 2 * h, out->size);
    const int first = pace->known < 2;
    out->added = first ? wy_max(0, out->error - pace->error) : local_error(x, t, h);
    out->allowed = (first ? 0.5 * LEAP : pace->share) * goal;
    if (out->added <= (first ? 2 : MISSED) * out->allowed) return 1.0;
    const double part = cbrt(out->allowed / out->added);
    return wy_max(0.1, wy_min(0.7, part)); /* NaN: the shortest */
}

static void accept(wy_director *x, double t, double h, const outcome *out) {
    wy_director_pace *pace = x->pace;
    const int cut =
        h < 0.99 * pace->h; /* for an output or an edge: the next may be as long as before */
    const double next = next_step(x, t + 2 * h, h, out->added, out->allowed);
    pace->h = cut ? wy_max(wy_min(pace->h, next * pace->h / h), next) : next;
    remember(x, t, h);
    pace->all++;
    pace->error = out->error, pace->size = out->size;
    pace->worst = wy_max(pace->worst, out->error);
    const double now = t + 2 * h;
    if (++pace->pairs >= BLOCK && now - pace->since >= WINDOW * now) next_block(x, now);
}

/* The length of the next step: to an edge, and equal ones to the next stop. */
static withy_status choose(wy_director *x, double t, double end, double *h, withy_error *err) {
    const double long_pair = 2 * x->pace->h;
    double stop = t + long_pair < end ? t + long_pair : end;
    const double before = stop;
    WY_TRY(wy_changes_limit(&x->plan.changes, x->range, t, &stop, err));
    const double pieces = ceil((end - t) / (stop - t) - 1e-9);
    *h = 0.5 * (stop < before || pieces > 8 ? stop - t : (end - t) / pieces);
    return WITHY_OK;
}

static void reject(wy_director *x, const withy_stats *before, double h) {
    withy_stats *stats = x->setup->stats;
    const withy_stats now = *stats;
    take_back(x);
    *stats = *before;
    stats->iterations = now.iterations, stats->halvings = now.halvings + 1;
    x->pace->h = h;
}

/* From t a pair of steps that is accepted, not beyond `end`. */
static withy_status pair(wy_director *x, double *t, double end, withy_error *err) {
    double h;
    WY_TRY(choose(x, *t, end, &h, err));
    keep(x);
    for (int tried = 0;; tried++) {
        const withy_stats before = *x->setup->stats;
        outcome out = {0};
        if (!(h > SHORTEST * x->plan.horizon)) return wy_director_stuck(x, h, err);
        WY_TRY(move_both(x, *t, h, err));
        if (x->step->refused == COARSE_TOO && tried >= 3)
            start_again(x), out.error = x->pace->worst;
        const double part = judge(x, *t, h, &out);
        if (part == 1.0) {
            accept(x, *t, h, &out);
            break;
        }
        h *= part;
        reject(x, &before, h);
    }
    *t += 2 * h;
    if (fabs(end - *t) <= LANDED * horizon(x, end)) *t = end;
    return WITHY_OK;
}

/* A tolerance that is missed is told, once. */
static void tell(wy_director *x, double t) {
    wy_director_pace *pace = x->pace;
    const double bound = TOLD * x->plan.opt.tol * pace->size + ROUNDING;
    if (pace->told || t < SOON * x->plan.horizon || pace->worst <= bound) return;
    pace->told = 1;
    wy_note(x->setup->notes,
            "director: by t = %.4g the error is about %.1g of the motion, more than options.tol = "
            "%.3g: this motion amplifies its errors; a smaller tol reduces them",
            t, pace->worst / wy_max(pace->size, 1e-300), x->plan.opt.tol);
}

withy_status wy_director_auto_advance(wy_director *x, const wy_span *span, withy_error *err) {
    const double end = wy_span_time(span, span->to);
    double t = x->step->t;
    while (end - t > LANDED * horizon(x, end)) WY_TRY(pair(x, &t, end, err));
    tell(x, end);
    return WITHY_OK;
}
