/* static.c - equilibria and equilibrium paths of a scene. */
#include "study/compare/compare.h"
#include "study/equilibrium/equations.h"

enum { POINTS_FIRST = 64, POINTS_MOST = 100000, CHANGES_MOST = 1000 };
/* Of a critical factor. */
static const double JOINED = 1e-6;

static withy_status no_statics(const withy_sim *sim, withy_error *err) {
    return wy_unsupported(
        err, "%s: the method has no statics; use director, or run the scene with damping",
        sim->method->name);
}

/* ---- driven ends --------------------------------------------------------------------------------
 *
 * A method evaluates an end at two factors and moves it on the shortest path from one to the other: a turn
 * beyond pi loses whole turns, and a long path ends on another branch.  So a driven end moves in
 * steps that are short along its own path, which may return to where it began.
 */

static const double STEP_TURN = 0.25 * WY_PI; /* rad                                           */
static const double STEP_WAY = 0.1;           /* of the length                                 */
static const double FINE = 0.5;               /* of a step: at most this between two samples */
static const double SETTLED = 0.1; /* change of the distance with twice as many samples */
enum { LOOKS_FIRST = 61, LOOKS_MOST = 5000 };

static int is_driven(const withy_end *end) {
    return (wy_end_places(end) && end->position.call) ||
           (wy_end_holds_direction(end) &&
            (end->tangent.call || end->normal.call || end->frame.call));
}

static withy_status find_drives(withy_sim *sim, withy_error *err) {
    const withy_problem *problem = &sim->problem;
    int count = 0;
    if (sim->drive_known) return WITHY_OK;
    for (int i = 0; i < 2 * problem->rod_count; i++)
        count += is_driven(&problem->rod[i / 2].end[i % 2]);
    if (count && !(sim->drive = wy_arena_alloc(&sim->arena, (size_t)count, sizeof *sim->drive)))
        return wy_no_memory(err, "no memory for %d driven ends", count);
    for (int i = 0, k = 0; i < 2 * problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i / 2];
        if (!is_driven(&rod->end[i % 2])) continue;
        sim->drive[k].length = rod->length;
        WY_TRY(wy_model_end(sim->setup.model, i / 2, i % 2, &sim->drive[k++].end, err));
    }
    sim->drive_count = count, sim->drive_known = 1;
    return WITHY_OK;
}

/* How much one end moves between two factors that are close, in steps. */
static withy_status end_way(const wy_drive *drive, double from, double to, double *way,
                            withy_error *err) {
    wy_pose a, b;
    WY_TRY(wy_end_pose(&drive->end, from, &a, err));
    WY_TRY(wy_end_pose(&drive->end, to, &b, err));
    const mat3 turn = drive->end.turns_free ? m3_between(a.frame.c3, b.frame.c3)
                                            : m3_mulm(b.frame, m3_transpose(a.frame));
    const double shift = v3_norm(v3_sub(b.r, a.r)) / (STEP_WAY * drive->length);
    *way = wy_max(shift, v3_norm(q_log(q_from_matrix(turn))) / STEP_TURN);
    return WITHY_OK;
}

static withy_status way_between(const withy_sim *sim, double from, double to, double *way,
                                withy_error *err) {
    *way = 0;
    for (int i = 0; i < sim->drive_count; i++) {
        double one;
        WY_TRY(end_way(&sim->drive[i], from, to, &one, err));
        *way = wy_max(*way, one);
    }
    return WITHY_OK;
}

/* The distance from one factor to another, sampled at `looks` points, and its longest part. */
typedef struct way {
    double from, to, length, longest;
    int looks;
} way;

static double factor_at(const way *x, double look) {
    return look < x->looks ? x->from + look / x->looks * (x->to - x->from) : x->to;
}

static withy_status look_along(const withy_sim *sim, way *x, withy_error *err) {
    x->length = x->longest = 0;
    for (int i = 0; i < x->looks; i++) {
        double part;
        WY_TRY(way_between(sim, factor_at(x, i), factor_at(x, i + 1), &part, err));
        x->length += part, x->longest = wy_max(x->longest, part);
    }
    return WITHY_OK;
}

/* With numbers of samples without a common divisor, whole turns are not mistaken for rest. */
static withy_status measure_way(const withy_sim *sim, way *x, withy_error *err) {
    double before;
    x->looks = LOOKS_FIRST;
    WY_TRY(look_along(sim, x, err));
    do {
        before = x->length;
        x->looks = 2 * x->looks + 1;
        WY_TRY(look_along(sim, x, err));
    } while ((x->longest > FINE || fabs(x->length - before) > SETTLED * x->length) &&
             x->looks < LOOKS_MOST);
    return WITHY_OK;
}

/* One call of the method: `point` collects the marks that were passed. */
static withy_status settle_at(withy_sim *sim, double factor, withy_equilibrium *point,
                              withy_error *err) {
    withy_equilibrium at = {.negative = -1};
    WY_TRY(wy_equilibrium_find(sim, factor, sim->seeks, &at, err));
    at.iterations += point->iterations;
    if (at.mark == WITHY_POINT) at.mark = point->mark;
    *point = at;
    sim->core->t = factor, sim->core->equilibrium = 1;
    return WITHY_OK;
}

/* In equal parts of the distance. */
static withy_status drive_along(withy_sim *sim, const way *x, withy_equilibrium *point,
                                withy_error *err) {
    const double count = ceil(x->length - 1e-9);
    double done = 0, next = 1;
    for (int i = 0; i < x->looks && next < count; i++) {
        double part;
        WY_TRY(way_between(sim, factor_at(x, i), factor_at(x, i + 1), &part, err));
        for (; next < count && next * x->length < count * (done + part); next++) {
            const double share = (next / count * x->length - done) / part;
            WY_TRY(settle_at(sim, factor_at(x, i + share), point, err));
        }
        done += part;
    }
    return settle_at(sim, x->to, point, err);
}

withy_status withy_sim_equilibrium(withy_sim *sim, double factor, withy_equilibrium *point,
                                   withy_error *err) {
    WY_NEED(sim, point);
    const int first = !sim->core->equilibrium;
    *point = (withy_equilibrium){.negative = -1};
    if (!sim->method->equations) return no_statics(sim, err);
    WY_TRY(find_drives(sim, err));
    /* a moving rod is brought to rest from factor 0 */
    way x = {.from = first ? 0.0 : sim->core->t, .to = factor, .looks = 1};
    if (sim->drive_count && !sim->at_first && x.from != x.to) WY_TRY(measure_way(sim, &x, err));
    WY_TRY(drive_along(sim, &x, point, err));
    if (first) point->mark = WITHY_POINT; /* there is no last point */
    return WITHY_OK;
}

withy_status withy_sim_rest(withy_sim *sim, double factor, withy_equilibrium *point,
                            withy_error *err) {
    withy_error own;
    WY_NEED(sim, point);
    sim->seeks = 1;
    withy_status status = withy_sim_equilibrium(sim, factor, point, err);
    sim->seeks = 0;
    const int lost = point->negative;
    if (status != WITHY_OK || lost <= 0 || sim->equilibrium->flat) return status;
    WY_TRY_TO_FIND(withy_sim_leave(sim, point, &own), own, err);
    wy_note_unstable(sim, lost, point->negative);
    point->mark = WITHY_POINT;
    return WITHY_OK;
}

withy_status withy_sim_leave(withy_sim *sim, withy_equilibrium *point, withy_error *err) {
    WY_NEED(sim, point);
    if (!sim->method->equations) return no_statics(sim, err);
    if (!sim->core->equilibrium)
        return wy_bad_input(err, "withy_sim_leave: the simulation is not in equilibrium; call "
                                 "withy_sim_equilibrium first");
    return wy_equilibrium_leave(sim, point, err);
}

withy_status withy_sim_follow(withy_sim *sim, double arc, double span, withy_equilibrium *point,
                              withy_error *err) {
    WY_NEED(sim, point);
    *point = (withy_equilibrium){.negative = -1};
    if (!sim->method->equations) return no_statics(sim, err);
    return wy_equilibrium_follow(sim, arc, span, 0, point, err);
}

int withy_sim_figure(const withy_sim *sim, int index, withy_figure *figure) {
    if (!sim || !figure) return 0;
    return sim->method->figure ? sim->method->figure(sim->self, index, figure) : 0;
}

/* ---- a whole path ------------------------------------------------------------------------- */

typedef struct path {
    const withy_study *study;
    withy_sim *sim;
    withy_static_report *report;
    wy_files files;
    wy_probes probes;
    wy_trace *trace; /* for error bars, or NULL */
    wy_resolution_check resolution_check;
    int room;     /* of report->point */
    int negative; /* of the last point, as the path is followed: perhaps in a plane */
    char *last,
        *now; /* states: the last point, and the present one while what is between is looked at */
    char *low, *top; /* and those before and behind what is found there */
} path;

/* Every probe at every point, with the factor as time. */
static withy_status record(path *x, withy_error *err) {
    WY_TRY(wy_probes_record(&x->probes, x->sim, 1, &x->files, err));
    x->report->probe_count = wy_probes_report(&x->probes, x->report->probe);
    return WITHY_OK;
}

static withy_status make_room(path *x, withy_error *err) {
    withy_static_report *report = x->report;
    if (report->count < x->room) return WITHY_OK;
    const int room = x->room ? 2 * x->room : POINTS_FIRST;
    withy_static_point *more = wy_alloc((size_t)room, sizeof *more);
    if (!more || room > POINTS_MOST) {
        wy_free(more);
        return wy_no_memory(err, "no room for more than %d points of a path", x->room);
    }
    if (report->count) memcpy(more, report->point, (size_t)report->count * sizeof *more);
    wy_free(report->point);
    report->point = more;
    x->room = room;
    return WITHY_OK;
}

/* Between points and, by the interruption check of the simulation, between iterations. */
static int ask_within(void *context, double factor) {
    const path *x = context;
    return x->study->progress(x->study->context, factor, 1.0, x->report->count);
}

/* Of the first rod. */
static void keep_ends(const withy_sim *sim, withy_static_point *point) {
    if (sim->problem.rod_count == 0) return;
    const withy_snapshot *snap = &sim->rod[0].snap;
    point->position[0] = snap->position[0];
    point->position[1] = snap->position[snap->count - 1];
    memcpy(point->reaction, snap->reaction, sizeof point->reaction);
    memcpy(point->reaction_moment, snap->reaction_moment, sizeof point->reaction_moment);
}

/* Into the snapshots, for the files. */
static void give_stability(withy_sim *sim, int unstable, int neutral) {
    for (int i = 0; i < sim->problem.rod_count; i++) {
        withy_snapshot *snap = &sim->rod[i].snap;
        snap->have |= WITHY_HAVE_STABILITY;
        snap->vibration.unstable = unstable, snap->vibration.neutral = neutral;
    }
}

/* Sample, write and report the equilibrium just found. */
static withy_status add_point(path *x, const withy_equilibrium *at, withy_error *err) {
    WY_TRY(make_room(x, err));
    WY_TRY(wy_sim_sample_all(x->sim, err));
    withy_static_point *point = &x->report->point[x->report->count++];
    *point = (withy_static_point){.at = *at};
    x->negative = at->negative;
    if (x->sim->problem.path.given) WY_TRY(wy_equilibrium_check_whole(x->sim, &point->at, err));
    give_stability(x->sim, point->at.negative, point->at.neutral);
    keep_ends(x->sim, point);
    wy_sim_stress(x->sim, &point->stress, NULL);
    x->report->part_count = wy_sim_report_parts(x->sim, x->report->part);
    while (point->figure_count < WITHY_FIGURES &&
           withy_sim_figure(x->sim, point->figure_count, &point->figure[point->figure_count]))
        point->figure_count++;
    x->report->iterations += at->iterations;
    if (!x->resolution_check.open)
        WY_TRY(wy_resolution_check_open(&x->resolution_check, x->sim, 0, err));
    wy_resolution_check_shape(&x->resolution_check, x->sim);
    wy_crossing_check(&x->resolution_check.crossing, x->sim);
    if (x->trace && !x->trace->items) WY_TRY(wy_trace_open(x->trace, x->sim, 1, err));
    if (x->trace) WY_TRY(wy_trace_add(x->trace, x->sim, at->energy, err));
    if (x->study->progress && ask_within(x, at->factor))
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at factor %g", at->factor);
    return WITHY_OK;
}

static withy_status write_point(path *x, const withy_equilibrium *at, withy_error *err) {
    WY_TRY(add_point(x, at, err));
    WY_TRY(wy_files_write(&x->files, x->sim, err));
    return record(x, err);
}

/* ---- between two points ---------------------------------------------------------------------------- */

/* At a limit point stability and the direction of the factor change together, and next to a change rounding may show it
 * back and forth: what is nearer than JOINED is one. */
static int is_same(const withy_critical *a, const withy_critical *b) {
    const double scale = wy_max(fabs(a->factor), fabs(b->factor));
    const int folds = a->mark == WITHY_POINT_LIMIT || b->mark == WITHY_POINT_LIMIT;
    return (folds || a->change * b->change < 0) && b->after - a->after <= 1 &&
           fabs(a->factor - b->factor) <= JOINED * scale;
}

/* Both in one; of nothing nothing is left.  Where the factor turns twice, it has not turned: next to a branch point the
 * tangent may be that of either branch. */
static void join(withy_static_report *report, const withy_critical *one) {
    withy_critical *last = &report->critical[report->critical_count - 1];
    last->change += one->change;
    const int turned = (last->mark == WITHY_POINT_LIMIT) != (one->mark == WITHY_POINT_LIMIT);
    last->mark = turned ? WITHY_POINT_LIMIT : WITHY_POINT_BRANCH;
    withy_modes_free(one->mode, 1);
    if (last->change != 0 || last->mark == WITHY_POINT_LIMIT) return;
    withy_modes_free(last->mode, 1);
    report->critical_count--;
}

static withy_status keep_critical(path *x, const withy_critical *one, withy_error *err) {
    withy_static_report *report = x->report;
    withy_critical *last =
        report->critical_count ? &report->critical[report->critical_count - 1] : NULL;
    if (last && is_same(last, one)) {
        join(report, one);
        return WITHY_OK;
    }
    withy_critical *more = wy_alloc((size_t)report->critical_count + 1, sizeof *more);
    if (!more) return wy_no_memory(err, "no room for a critical point");
    if (report->critical_count)
        memcpy(more, report->critical, (size_t)report->critical_count * sizeof *more);
    more[report->critical_count++] = *one;
    wy_free(report->critical);
    report->critical = more;
    return WITHY_OK;
}

/* The critical shape is written with its mode, which has no stiffness, in the place of the velocities. */
static withy_status write_critical(path *x, const withy_critical *one, withy_error *err) {
    const withy_equilibrium *last = &x->report->point[x->report->count - 1].at;
    WY_TRY(wy_sim_sample_all(x->sim, err));
    give_stability(x->sim, last->negative, last->neutral + 1);
    for (int k = 0; one->mode && k < one->mode->count; k++) {
        const int rod = one->mode->rod[k], first = k;
        if (rod < 0) break;
        withy_snapshot *snap = &x->sim->rod[rod].snap;
        memcpy(snap->velocity, one->mode->shift + first,
               (size_t)snap->count * sizeof *snap->velocity);
        memcpy(snap->spin, one->mode->turn + first, (size_t)snap->count * sizeof *snap->spin);
        k += snap->count - 1;
    }
    return wy_files_write(&x->files, x->sim, err);
}

/* One change after the other, up to the factor `most` of a path that goes up (or down) to it. */
static withy_status find_criticals(path *x, wy_path_piece *part, const double *most,
                                   withy_error *err) {
    for (int k = 0; k < CHANGES_MOST && wy_path_piece_changes(part); k++) {
        withy_critical one = {.after = x->report->count};
        withy_status status = wy_equilibrium_critical(x->sim, part, &one, err);
        const int beyond = most && (one.factor - *most) * (part->to - part->from) > 0;
        if (status == WITHY_OK && !beyond) status = write_critical(x, &one, err);
        if (status == WITHY_OK && !beyond) status = keep_critical(x, &one, err);
        if (status != WITHY_OK || beyond) withy_modes_free(one.mode, 1);
        if (status != WITHY_OK || beyond) return status;
    }
    return WITHY_OK;
}

/* Before a point is added: what has been passed since the last. */
static withy_status look_back(path *x, wy_path_piece *part, const double *most, withy_error *err) {
    const wy_block *state = &x->sim->state;
    withy_error own = {0};
    part->base = x->last, part->low = x->low, part->top = x->top;
    part->end = *x->sim->core;
    memcpy(&part->at, x->last + ((const char *)x->sim->core - (const char *)state->base),
           sizeof part->at);
    if (!wy_path_piece_changes(part)) return WITHY_OK;
    memcpy(x->now, state->base, state->used);
    withy_status status = find_criticals(x, part, most, &own);
    if (status == WITHY_NO_CONVERGENCE) { /* the mark of the point remains */
        wy_note(&x->sim->notes, WY_NOTE(critical_unknown), own.text);
        status = WITHY_OK;
    }
    if (status != WITHY_OK) *err = own;
    memcpy(state->base, x->now, state->used);
    return status;
}

/* The next point of a path: to the stable branch, when that is asked for, and into report and files. */
static withy_status next_point(path *x, withy_equilibrium *at, wy_path_piece *from_last,
                               withy_error *err) {
    WY_TRY(look_back(x, from_last, NULL, err));
    if (x->study->branch && at->negative > 0) {
        withy_error own;
        WY_TRY_TO_FIND(withy_sim_leave(x->sim, at, &own), own, err);
        at->mark = WITHY_POINT_BRANCH;
    }
    memcpy(x->last, x->sim->state.base, x->sim->state.used);
    return write_point(x, at, err);
}

/* Directions that have no stiffness at both ends of a piece of the path; one end may lie on a branch point. */
static int common_neutral(const path *x, const withy_equilibrium *at) {
    return wy_min(x->report->point[x->report->count - 1].at.neutral, at->neutral);
}

static withy_status natural_path(path *x, const withy_path *requested, withy_error *err) {
    for (int k = 1; k <= wy_path_steps(requested); k++) {
        withy_equilibrium at;
        const double factor = wy_path_factor(requested, k);
        wy_path_piece part = {.from = x->sim->core->t, .to = factor};
        WY_TRY(withy_sim_equilibrium(x->sim, factor, &at, err));
        part.neutral = common_neutral(x, &at);
        part.loose = x->report->point[x->report->count - 1].at.neutral;
        WY_TRY(next_point(x, &at, &part, err));
    }
    return WITHY_OK;
}

/* Arcs that grow where Newton is quick and shrink where it fails, until the last factor is passed
 * (then exactly there), the path comes back to its start, or four times the requested points. */
static withy_status arc_path(path *x, const withy_path *requested, withy_error *err) {
    enum { QUICK = 4, SLOW = 8 };
    const double span = requested->to - requested->from, whole = 1.0 / requested->steps;
    double arc = 0.5 * whole, left = requested->from;
    for (int k = 0; k < 8 * requested->steps; k++) {
        withy_equilibrium at;
        withy_status status = withy_sim_follow(x->sim, span > 0 ? arc : -arc, fabs(span), &at, err);
        if (status == WITHY_NO_CONVERGENCE && arc > 1e-5 * whole) {
            arc *= 0.25;
            continue;
        }
        WY_TRY(status);
        wy_path_piece part = {.arc = copysign(x->sim->core->arc, span),
                              .span = fabs(span),
                              .from = left,
                              .to = at.factor,
                              .neutral = common_neutral(x, &at),
                              .loose = x->report->point[x->report->count - 1].at.neutral};
        if ((at.factor - requested->to) * span > 0 && (left - requested->to) * span <= 0) {
            WY_TRY(look_back(x, &part, &requested->to, err));
            WY_TRY(withy_sim_equilibrium(x->sim, requested->to, &at, err));
            at.mark = at.negative == x->negative || at.negative < 0 || x->negative < 0
                          ? WITHY_POINT
                          : WITHY_POINT_BRANCH;
            return write_point(x, &at, err);
        }
        WY_TRY(next_point(x, &at, &part, err));
        left = at.factor;
        if ((at.factor - requested->from) * span < -span * span) return WITHY_OK;
        if (at.iterations <= QUICK && arc < 2 * whole) arc *= 1.5;
        if (at.iterations >= SLOW) arc *= 0.6;
    }
    wy_note(&x->sim->notes, WY_NOTE(path_short), left, requested->to, x->report->count,
            requested->steps);
    return WITHY_OK;
}

static withy_status all_points(path *x, withy_error *err) {
    const withy_path *requested = &x->sim->problem.path;
    withy_equilibrium at;
    x->sim->at_first = !requested->given;
    /* who asks for the equilibrium, and for no path, asks for the stable one */
    WY_TRY(requested->given ? withy_sim_equilibrium(x->sim, wy_path_factor(requested, 0), &at, err)
                            : withy_sim_rest(x->sim, 1.0, &at, err));
    if (!requested->given) wy_equilibrium_check_mesh(x->sim, x->study->problem, &at);
    WY_TRY(add_point(x, &at, err));
    WY_TRY(wy_probes_make(x->sim, x->study, &x->probes, err));
    x->probes.sample = x->study->sample, x->probes.context = x->study->sample_context;
    WY_TRY(wy_files_open(&x->files, x->sim, x->study, "load factor", err));
    WY_TRY(wy_files_write(&x->files, x->sim, err));
    WY_TRY(record(x, err));
    if (!requested->given) return WITHY_OK;
    x->last = wy_alloc(4, x->sim->state.used);
    if (!x->last) return wy_no_memory(err, "no memory for a path");
    x->now = x->last + x->sim->state.used, x->low = x->now + x->sim->state.used;
    x->top = x->low + x->sim->state.used;
    memcpy(x->last, x->sim->state.base, x->sim->state.used);
    return requested->arc_length ? arc_path(x, requested, err) : natural_path(x, requested, err);
}

static withy_status trace_path(const withy_study *study, wy_trace *trace, withy_error *err);

static const double BISECTED = 1e-6; /* of a critical factor */

static int ends_at(const withy_path *requested, double factor) {
    return fabs(factor - requested->to) <= 1e-12 * fabs(requested->to);
}

/* Of points that no other resolution has nothing is known. */
static void clear_errors(withy_static_point *p) {
    for (int i = 0; i < 2; i++)
        p->position_error[i] = p->reaction_error[i] = p->reaction_moment_error[i] = INFINITY;
    p->energy_error = INFINITY;
    for (int i = 0; i < WITHY_FIGURES; i++) p->figure_error[i] = INFINITY;
}

static void note_arc(const path *x, withy_error_summary *summary) {
    const withy_path *requested = &x->sim->problem.path;
    if (!requested->given || !requested->arc_length) return;
    const int ends = ends_at(requested, x->report->point[x->report->count - 1].at.factor);
    wy_note(&summary->notes, WY_NOTE(errors_arc),
            ends ? "only its last one and its" : "as it does not end at path.to, only its");
}

/* Bars of the points; a path by arc length has its own points at every resolution, and only the last,
 * at the factor where the path ends, is the same. */
static withy_status find_errors(const path *x, withy_error *err) {
    wy_error_bars bars;
    const wy_trace *t = x->trace;
    const withy_status status = wy_refine(x->study, t, 0, trace_path, &bars, err);
    for (int k = 0; k < x->report->count; k++) clear_errors(&x->report->point[k]);
    for (int k = 0; k < t->count && status == WITHY_OK; k++) {
        withy_static_point *p = &x->report->point[x->report->count - t->count + k];
        for (int i = 0; i < 2; i++) {
            const int end = i ? WY_TRACE_STATIONS - 1 : 0;
            p->position_error[i] = wy_error_bars_at(&bars, k, t->place.first + end);
            p->reaction_error[i] = wy_error_bars_at(&bars, k, t->force.first + i);
            p->reaction_moment_error[i] = wy_error_bars_at(&bars, k, t->moment.first + i);
        }
        p->energy_error = wy_error_bars_at(&bars, k, t->energy.first);
        for (int i = 0; i < t->figure.count; i++)
            p->figure_error[i] = wy_error_bars_at(&bars, k, t->figure.first + i);
    }
    for (int i = 0; i < x->report->critical_count && status == WITHY_OK; i++) {
        withy_critical *c = &x->report->critical[i];
        double bar = INFINITY;
        if (i < t->critical.count)
            bar = wy_error_bars_at(&bars, t->count - 1, t->critical.first + i);
        /* more than the factor itself: another resolution does not have it */
        c->factor_error = bar <= fabs(c->factor) ? bar + BISECTED * fabs(c->factor) : INFINITY;
    }
    note_arc(x, &bars.summary);
    x->report->error = bars.summary;
    wy_error_bars_free(&bars);
    return status;
}

/* The last point of a path by arc length; where it does not end at path.to, only the critical factors, which follow. */
static void keep_comparable(path *x) {
    const withy_path *requested = &x->sim->problem.path;
    if (!requested->given || !requested->arc_length) return;
    wy_trace_keep_last(x->trace);
    if (!ends_at(requested, x->report->point[x->report->count - 1].at.factor))
        for (int i = 0; i < x->trace->width; i++) x->trace->value[i] = NAN;
}

static withy_status path_traced(const withy_study *study, void *to, wy_trace *trace,
                                withy_error *err) {
    withy_static_report *report = to;
    const double start = wy_wall_clock();
    path x = {.study = study, .report = report, .trace = trace};
    *report = (withy_static_report){0};
    WY_TRY(wy_study_sim(study, &x.sim, err));
    snprintf(report->method, sizeof report->method, "%s", withy_sim_method(x.sim));
    if (study->progress) x.sim->interrupt = (wy_interrupt){.ask = ask_within, .context = &x};
    withy_status status = all_points(&x, err);
    wy_resolution_check_note(&x.resolution_check, x.sim);
    if (status == WITHY_OK && trace) keep_comparable(&x);
    if (status == WITHY_OK && trace)
        wy_trace_criticals(trace, report->critical, report->critical_count);
    if (status == WITHY_OK && study->error && trace->count) status = find_errors(&x, err);
    status = wy_files_close(&x.files, status, err);
    report->notes = *withy_sim_notes(x.sim);
    report->status = status;
    report->elapsed = wy_wall_clock() - start;
    wy_free(x.last);
    withy_sim_destroy(x.sim);
    return status;
}

static withy_status trace_path(const withy_study *study, wy_trace *trace, withy_error *err) {
    withy_static_report report;
    const withy_status status = path_traced(study, &report, trace, err);
    withy_static_free(&report);
    return status;
}

withy_status withy_study_static(const withy_study *study, withy_static_report *report,
                                withy_error *err) {
    WY_NEED(study, report);
    return wy_trace_study(study, path_traced, report, err);
}

void withy_static_free(withy_static_report *report) {
    if (!report) return;
    wy_free(report->point);
    for (int i = 0; i < report->critical_count; i++) withy_modes_free(report->critical[i].mode, 1);
    wy_free(report->critical);
    report->point = NULL, report->critical = NULL;
    report->count = report->critical_count = 0;
}
