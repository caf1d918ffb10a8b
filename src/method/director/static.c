/* static.c - equilibria by the mixed Newton method; paths through limit points.
 *
 * The same element with q- = q+: stress C (S - S0), tangent with beta = 1 and without inertia.  After
 * convergence the number of negative pivots of the tangent is the number of unstable directions.
 *
 * Natural continuation: the factor (and any distance an end still has to move) is covered in
 * fractions that are halved when Newton fails.  Arc length (Keller): with the unit tangent (q', f')
 * of the path, Newton on R(q, f) = 0 and q' . Q + f' F = arc, where Q, F are what has been moved
 * since the last point; each iteration solves K a = -R and K b = -dR/df with one factorisation and
 * moves by a + b dF.  Lengths are measured per node: |q|^2 = mean of (|dr|/L)^2 + |dphi|^2.
 */
#include <string.h>

#include "method/director/director.h"

typedef struct wy_director_path {
    wy_director_node
        *saved;      /* [node_count] the last equilibrium                                   */
    double *tangent; /* [6 node_count] q' of the last point                                 */
    double *moved;   /* Q                                                                   */
    double *toward;  /* b                                                                   */
    double *load;    /* external forces at another factor                                   */
    double slope;    /* f'                                                                  */
    int known;       /* is the tangent known?                                               */
    int negative;    /* of the last point                                                   */
    int iterations;
    int doubted;  /* has a mesh that may be too coarse been told?                        */
    double first; /* size of the first increment of the last Newton run                  */
} wy_director_path;

static const double STATIC_DONE = 1e-9, STATIC_STALLED = 1e-7, STATIC_WILD = 1e8;
static const double TURN_MOST = 0.5; /* of one increment                               */
static const double TURN_JUMP = 1.0; /* of a section between two points: more is a jump */
/* The moment between two nodes, (EI/h) sin(turn) cos(turn), falls again beyond TURN_DOUBT: what is
 * bent further may be held so by the mesh alone.  Beyond TURN_FOLD it folds (director/step.c). */
static const double TURN_DOUBT = 0.25 * WY_PI, TURN_FOLD = 0.5 * WY_PI;
static const double FRACTION_CAREFUL = 2e-5; /* before a change of stability is believed     */
static const double FRACTION_LEAST = 1e-6;   /* of a change of load                            */
/* A motion without stiffness (a pinned rod may turn about itself) would make the tangent singular:
 * this much of the mass is added, in units of the first bending frequency squared. */
static const double NEUTRAL = 1e-9;
enum { STATIC_ITERATIONS = 30, ARC_CUTS = 6 };

static withy_status prepare(wy_director *x, withy_error *err) {
    if (!x->path) {
        const size_t rows = 6 * (size_t)x->plan.node_count;
        wy_director_path *path = wy_arena_take(x->setup->arena, 1, sizeof *path);
        if (path) {
            path->saved =
                wy_arena_take(x->setup->arena, (size_t)x->plan.node_count, sizeof *path->saved);
            path->tangent = wy_arena_take(x->setup->arena, rows, sizeof(double));
            path->moved = wy_arena_take(x->setup->arena, rows, sizeof(double));
            path->toward = wy_arena_take(x->setup->arena, rows, sizeof(double));
            path->load = wy_arena_take(x->setup->arena, rows, sizeof(double));
        }
        if (!path || !path->saved || !path->tangent || !path->moved || !path->toward || !path->load)
            return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for statics");
        x->path = path;
    }
    *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
    wy_director_stay(x);
    const double period = wy_director_slow_period(x); /* 0 when no mass is given */
    const double omega = period > 0 ? 2 * WY_PI / period : 0.0;
    x->step->shift = -NEUTRAL * omega * omega;
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->v = node->rate[0].dr = node->rate[0].theta = v3(0, 0, 0);
        node->w = lane_all(0);
    }
    for (int i = 0; i < 2; i++) {
        x->now->end[i].u = v3(0, 0, 0);
        x->now->end[i].offset_r = x->now->end[i].offset_turn = v3(0, 0, 0);
    }
    x->now->started = 0, x->now->history = 0, x->now->guess = 0;
    return WITHY_OK;
}

static void save(wy_director *x) {
    memcpy(x->path->saved, x->node, (size_t)x->plan.node_count * sizeof *x->node);
}

static void restore(wy_director *x) {
    memcpy(x->node, x->path->saved, (size_t)x->plan.node_count * sizeof *x->node);
    wy_director_stay(x);
    wy_director_strains(x, 1);
}

/* The largest turn of a section since the last equilibrium: a long way may lead to another branch,
 * and on a coarse mesh to one that only the mesh has. */
static double largest_turn(const wy_director *x) {
    double least = 3.0;
    for (int j = 0; j < x->plan.node_count; j++)
        least = wy_min(least, lane_sum(tri_dot(x->path->saved[j].d, x->node[j].d)));
    return acos(wy_max(-1.0, wy_min(1.0, 0.5 * (least - 1.0))));
}

/* The largest turn between two neighbours, and the first of them. */
static double sharpest_turn(const wy_director *x, int *node) {
    double least = 3.0;
    *node = 0;
    for (int j = 0; j + 1 < x->plan.node_count; j++) {
        const double trace = lane_sum(tri_dot(x->node[j].d, x->node[j + 1].d));
        if (trace < least) least = trace, *node = j;
    }
    return acos(wy_max(-1.0, wy_min(1.0, 0.5 * (least - 1.0))));
}

static int is_folded(const wy_director *x) {
    int node;
    return sharpest_turn(x, &node) > TURN_FOLD;
}

static withy_status loads_at(wy_director *x, double factor, withy_error *err) {
    const double t =
        x->now->pulling ? 0.0 : factor; /* functions of time: at the start of the run */
    x->step->factor = factor;
    x->step->gravity = v3_scale(factor, x->plan.problem->gravity);
    WY_TRY(wy_director_loads_at(x, t, err));
    return wy_director_ends_at(x, t, t, err);
}

/* The increments become the shape. */
static void absorb(wy_director *x) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->r = v3_add(node->r, x->next[j].dr);
        node->d = tri_orthonormal(x->next[j].d);
    }
    wy_director_stay(x);
}

static double largest_change(const wy_director *x) {
    double size = 0;
    const double per = 1.0 / x->plan.length;
    for (int j = 0; j < x->plan.node_count; j++) {
        const double *c = x->next[j].change;
        const double shift = per * sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        const double angle = sqrt(c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
        if (!(shift + angle < STATIC_WILD)) return INFINITY;
        size = wy_max(size, wy_max(shift, angle));
    }
    return size;
}

static void start_sigma(wy_director *x) {
    wy_director_strains(x, 1);
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        for (int k = 0; k < 2; k++)
            x->stress[i].sigma[k] = g->c[k] * (x->strain[i].start[k] - g->rest[k]);
    }
}

/* Apply the increment in node[].change, damped so that nothing turns by more than TURN_MOST. */
static double apply(wy_director *x, double size) {
    const double share = size > TURN_MOST ? TURN_MOST / size : 1.0;
    wy_director_correct(x, share);
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        if (!end->turns_free) continue;
        tri *d = &x->next[end->node].d;
        const mat3 small = m3_between(tri_matrix(*d).c3, x->step->end[i].target.c3);
        *d = tri_cayley(cayley_between(m3_identity(), small), *d);
    }
    absorb(x);
    return share;
}

/* Newton at fixed loads and held ends; 1 when converged. */
static int newton(wy_director *x) {
    double front[6][WY_DIRECTOR_PANEL], before = INFINITY;
    start_sigma(x);
    for (int k = 0; k < STATIC_ITERATIONS; k++) {
        wy_director_sweep(x, front);
        wy_director_back(x, (const double(*)[WY_DIRECTOR_PANEL])front);
        x->path->iterations++;
        const double size = largest_change(x);
        if (k == 0) x->path->first = size;
        if (!(size < STATIC_WILD) || (k == 0 && size > 2 * TURN_JUMP)) return 0;
        apply(x, size);
        if (size <= STATIC_DONE) return 1;
        if (size <= STATIC_STALLED && size >= 0.3 * before) return 1;
        if (k > 1 && largest_turn(x) > 2 * TURN_JUMP) return 0;
        before = size;
    }
    return 0;
}

/* Followers and dead moments have no potential: the tangent is not symmetric, and the signs of its
 * pivots tell nothing about stability. */
static int has_potential(const wy_director *x) {
    const int count = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
    for (int i = 0; i < count; i++)
        if (x->plan.source[i].follower || x->plan.source[i].moment.size) return 0;
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &x->plan.rod->end[i];
        if (end->moment.size && !x->plan.end[i].holds_frame) return 0;
        if (x->plan.end[i].loaded && end->follower && !x->plan.end[i].holds_frame) return 0;
    }
    return 1;
}

/* ---- natural continuation ----------------------------------------------------------------------- */

/* How far the held ends are from where the factor wants them: position and rotation vector. */
typedef struct gap {
    vec3 r, turn;
} gap;

static void measure_gaps(const wy_director *x, gap out[2]) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_end_step *to = &x->step->end[i];
        const wy_director_node *node = &x->node[end->node];
        out[i] = (gap){{0, 0, 0}, {0, 0, 0}};
        if (end->holds_position) out[i].r = v3_sub(node->r, to->target_r);
        if (!end->holds_frame) continue;
        mat3 turn = m3_mulm(tri_matrix(node->d), m3_transpose(to->target));
        if (end->turns_free) turn = m3_between(to->target.c3, tri_matrix(node->d).c3);
        out[i].turn = q_log(q_from_matrix(turn));
    }
}

/* Targets with the share `left` of the gaps still open. */
static void leave_gaps(wy_director *x, const gap from[2], double left) {
    for (int i = 0; i < 2; i++) {
        wy_director_end_step *end = &x->step->end[i];
        end->target_r = v3_axpy(end->target_r, left, from[i].r);
        end->target = m3_mulm(q_matrix(q_exp(v3_scale(left, from[i].turn))), end->target);
    }
}

/* Why there is none: a mesh that is too coarse, or the path. */
static withy_status not_found(const wy_director *x, double last, double factor, withy_error *err) {
    int node;
    const double turn = sharpest_turn(x, &node);
    if (turn > 0.9 * TURN_DOUBT)
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "director: no equilibrium was found beyond factor %g on the way to %g, where "
            "the rod turns by %.0f degrees between two nodes at s = %.4g, and beyond 45 "
            "the mesh gives way; use more elements (options.n, now %d)",
            last, factor, turn * 180.0 / WY_PI, x->plan.s[node], x->plan.n);
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "director: no equilibrium was found beyond factor %g on the way to %g; "
                   "the path may turn there (path.arc_length = true follows it), or the "
                   "rod may need more elements (now %d)",
                   last, factor, x->plan.n);
}

/* From the present equilibrium at `begin` to `factor`, in fractions as small as it takes.  A step
 * that loses stability may have missed the stable branch that an imperfection leads to: it is made
 * smaller before it is believed. */
static withy_status reach(wy_director *x, double begin, double factor, withy_error *err) {
    gap open[2];
    WY_TRY(loads_at(x, begin, err));
    measure_gaps(x, open);
    double done = 0, step = 1;
    save(x);
    int negative = x->now->settled ? x->path->negative : 0;
    while (done < 1) {
        const double to = wy_min(1.0, done + step);
        WY_TRY(loads_at(x, begin + to * (factor - begin), err));
        if (to < 1) leave_gaps(x, open, 1 - to);
        const double turn = newton(x) && !is_folded(x) ? largest_turn(x) : INFINITY;
        const int doubtful =
            has_potential(x) && x->step->negative > negative && to - done > FRACTION_CAREFUL;
        if (turn < TURN_JUMP && !doubtful) {
            step = (to - done) * wy_min(2.0, 0.7 * TURN_JUMP / wy_max(turn, 1e-3));
            if (x->step->negative > negative)
                step = wy_max(step, 0.1); /* a true branch point: go on */
            done = to;
            negative = x->step->negative;
            save(x);
            continue;
        }
        restore(x);
        const double first = x->path->first; /* linear in the load: how much of it will do */
        const double share = turn < TURN_JUMP ? 0.25 : 0.7 * TURN_JUMP / wy_max(first, 1e-3);
        step = (to - done) * wy_max(0.05, wy_min(0.5, share));
        if (!(step > FRACTION_LEAST))
            return not_found(x, begin + done * (factor - begin), factor, err);
    }
    return WITHY_OK;
}

withy_status wy_director_settle(wy_director *x, withy_error *err) {
    WY_TRY(prepare(x, err));
    WY_TRY(loads_at(x, x->now->settled ? x->now->settled_factor : 1.0, err));
    start_sigma(x);
    return WITHY_OK;
}

/* ---- the doors -------------------------------------------------------------------------------------- */

static withy_status held(const wy_director *x, withy_error *err) {
    for (int i = 0; i < 2; i++)
        if (x->plan.end[i].holds_position || x->plan.end[i].spring > 0 || x->plan.floors)
            return WITHY_OK;
    return wy_fail(
        err, WITHY_UNSUPPORTED,
        "director: nothing holds the rod in its place (no end is clamped, pinned or on a "
        "spring), so no equilibrium is unique; hold an end, or run it in time");
}

static void doubt_mesh(wy_director *x) {
    int node;
    const double turn = sharpest_turn(x, &node);
    if (!(turn > TURN_DOUBT) || x->path->doubted) return;
    x->path->doubted = 1;
    wy_note(x->setup->notes,
            "director: at factor %g the rod turns by %.0f degrees between two nodes at s = %.4g; "
            "beyond 45 the mesh may hold it so, and more elements (options.n, now %d) will tell",
            x->step->factor, turn * 180.0 / WY_PI, x->plan.s[node], x->plan.n);
}

static void report_point(wy_director *x, withy_equilibrium *point) {
    doubt_mesh(x);
    wy_director_strains(x, 1);
    wy_director_reactions(x);
    wy_director_energies(x);
    const withy_energies *e = &x->now->energy;
    point->factor = x->step->factor;
    point->iterations = x->path->iterations;
    point->negative = x->step->negative;
    point->energy = e->shear + e->stretch + e->bend + e->twist + e->gravity +
                    x->now->spring_energy + x->now->floor_energy;
    x->now->iterations = x->path->iterations;
    withy_stats *stats = x->setup->stats;
    stats->steps++;
    stats->iterations += x->path->iterations;
    if (x->path->iterations > stats->iterations_max) stats->iterations_max = x->path->iterations;
    stats->energy_end = wy_director_conserved(x);
}

withy_status wy_director_equilibrium(wy_director *x, double factor, withy_equilibrium *point,
                                     withy_error *err) {
    WY_TRY(held(x, err));
    WY_TRY(prepare(x, err));
    const int first = !x->now->settled;
    x->path->iterations = 0;
    x->path->known = 0;
    WY_TRY(reach(x, first ? 0.0 : x->now->settled_factor, factor, err));
    if (!has_potential(x)) x->step->negative = -1;
    point->mark =
        !first && x->step->negative != x->path->negative ? WITHY_POINT_BRANCH : WITHY_POINT;
    x->path->negative = x->step->negative;
    x->now->settled = 1, x->now->settled_factor = factor;
    report_point(x, point);
    return WITHY_OK;
}

/* ---- arc length --------------------------------------------------------------------------------------- */

/* External forces on all nodes (minus their residual) at the present shape and factor. */
static void external(const wy_director *x, double *out) {
    memset(out, 0, 6 * (size_t)x->plan.node_count * sizeof *out);
    for (int j = 0; j < x->plan.node_count; j++) {
        double a[6][6], b[6];
        wy_director_node_terms(x, j, a, b);
        for (int k = 0; k < 6; k++) out[6 * j + k] -= b[k];
    }
    enum { COLUMN = 6 * WY_DIRECTOR_NODE_MAX };
    for (int e = 0; e < x->plan.n; e++) {
        if (x->plan.load.first[e] == x->plan.load.first[e + 1]) continue;
        double m[COLUMN][COLUMN + 1] = {{0}};
        wy_director_loads_add(x, e, &m[0][0], COLUMN + 1, COLUMN);
        for (int k = 0; k < 6 * (x->plan.p + 1); k++) out[6 * e * x->plan.p + k] += m[k][COLUMN];
    }
}

/* b: how the shape moves per unit of the factor, from the factorisation just made. */
static withy_status toward(wy_director *x, double span, withy_error *err) {
    wy_director_path *path = x->path;
    const double factor = x->step->factor, step = 1e-6 * span;
    vec3 end_r[2];
    mat3 end_d[2];
    external(x, path->load);
    for (int i = 0; i < 2; i++)
        end_r[i] = x->step->end[i].target_r, end_d[i] = x->step->end[i].target;
    WY_TRY(loads_at(x, factor + step, err));
    external(x, path->toward);
    const size_t rows = 6 * (size_t)x->plan.node_count;
    for (size_t i = 0; i < rows; i++) path->toward[i] = (path->toward[i] - path->load[i]) / step;
    for (int i = 0; i < 2; i++) {
        wy_director_end_step *end = &x->step->end[i];
        const vec3 r = v3_scale(1 / step, v3_sub(end->target_r, end_r[i]));
        mat3 turn = m3_mulm(end->target, m3_transpose(end_d[i]));
        if (x->plan.end[i].turns_free) turn = m3_between(end_d[i].c3, end->target.c3);
        const vec3 w = v3_scale(1 / step, q_log(q_from_matrix(turn)));
        v3_to(r, end->rate), v3_to(w, end->rate + 3);
    }
    WY_TRY(loads_at(x, factor, err));
    wy_director_solve_again(x, path->toward);
    for (int i = 0; i < 2; i++) memset(x->step->end[i].rate, 0, sizeof x->step->end[i].rate);
    return WITHY_OK;
}

/* Mean over nodes of (dr.dr/L^2 + dphi.dphi). */
static double product(const wy_director *x, const double *a, const double *b) {
    double sum = 0;
    const double per = 1.0 / (x->plan.length * x->plan.length);
    for (int j = 0; j < x->plan.node_count; j++)
        for (int k = 0; k < 6; k++) sum += (k < 3 ? per : 1.0) * a[6 * j + k] * b[6 * j + k];
    return sum / x->plan.node_count;
}

/* Unit tangent at the present equilibrium, pointing on (or along the sign of arc at first). */
static withy_status find_tangent(wy_director *x, double arc, double span, withy_error *err) {
    wy_director_path *path = x->path;
    double front[6][WY_DIRECTOR_PANEL];
    start_sigma(x);
    x->step->keeps = 1;
    wy_director_sweep(x, front);
    wy_director_back(x, (const double(*)[WY_DIRECTOR_PANEL])front);
    WY_TRY(toward(x, span, err));
    const double b = product(x, path->toward, path->toward);
    double slope = 1.0 / sqrt(b + 1.0 / (span * span));
    const double along = path->known ? product(x, path->tangent, path->toward) * slope +
                                           path->slope * slope / (span * span)
                                     : arc;
    if (along < 0) slope = -slope;
    for (int i = 0; i < 6 * x->plan.node_count; i++) path->tangent[i] = slope * path->toward[i];
    path->slope = slope;
    path->known = 1;
    return WITHY_OK;
}

/* Predict along the tangent and correct on the plane across it; 1 when converged. */
static withy_status arc_newton(wy_director *x, double arc, double span, int *converged,
                               withy_error *err) {
    wy_director_path *path = x->path;
    const double start = x->step->factor, per = 1.0 / (span * span);
    double front[6][WY_DIRECTOR_PANEL], factor = start, before = INFINITY;
    *converged = 0;
    memset(path->moved, 0, 6 * (size_t)x->plan.node_count * sizeof *path->moved);
    start_sigma(x);
    for (int k = 0; k < STATIC_ITERATIONS; k++) {
        wy_director_sweep(x, front);
        wy_director_back(x, (const double(*)[WY_DIRECTOR_PANEL])front);
        path->iterations++;
        if (!(largest_change(x) < STATIC_WILD)) return WITHY_OK;
        WY_TRY(toward(x, span, err));
        double along = 0, step;
        for (int j = 0; j < x->plan.node_count; j++)
            for (int i = 0; i < 6; i++) path->load[6 * j + i] = x->next[j].change[i];
        along = arc - product(x, path->tangent, path->moved) - path->slope * (factor - start) * per;
        step = (along - product(x, path->tangent, path->load)) /
               (product(x, path->tangent, path->toward) + path->slope * per);
        if (!isfinite(step)) return WITHY_OK;
        for (int j = 0; j < x->plan.node_count; j++)
            for (int i = 0; i < 6; i++) x->next[j].change[i] += step * path->toward[6 * j + i];
        const double size = largest_change(x);
        if (!(size < STATIC_WILD)) return WITHY_OK;
        for (int j = 0; j < x->plan.node_count; j++)
            for (int i = 0; i < 6; i++)
                path->moved[6 * j + i] +=
                    wy_min(1.0, TURN_MOST / wy_max(size, 1e-300)) * x->next[j].change[i];
        factor += apply(x, size) * step;
        WY_TRY(loads_at(x, factor, err));
        const double all = wy_max(size, fabs(step) / span);
        if (all <= STATIC_DONE || (all <= STATIC_STALLED && all >= 0.3 * before)) {
            *converged = 1;
            return WITHY_OK;
        }
        before = all;
    }
    return WITHY_OK;
}

withy_status wy_director_follow(wy_director *x, double arc, double span, withy_equilibrium *point,
                                withy_error *err) {
    WY_TRY(held(x, err));
    WY_TRY(prepare(x, err));
    if (!x->now->settled) WY_TRY(wy_director_equilibrium(x, 0.0, point, err));
    wy_director_path *path = x->path;
    path->iterations = 0;
    const double factor = x->now->settled_factor;
    WY_TRY(loads_at(x, factor, err));
    save(x);
    x->step->keeps = 1;
    withy_status status = path->known ? WITHY_OK : find_tangent(x, arc, span, err);
    const double slope = path->slope;
    int converged = 0;
    double part = fabs(arc);
    for (int cut = 0; cut < ARC_CUTS && status == WITHY_OK && !converged; cut++, part *= 0.25) {
        if (cut) {
            restore(x);
            WY_TRY(loads_at(x, factor, err));
        }
        status = arc_newton(x, part, span, &converged, err);
        if (converged && (largest_turn(x) > TURN_JUMP || is_folded(x))) converged = 0;
    }
    if (status == WITHY_OK && !converged)
        status =
            wy_fail(err, WITHY_NO_CONVERGENCE,
                    "director: no equilibrium was found beyond factor %g along the path", factor);
    if (status == WITHY_OK) status = find_tangent(x, arc, span, err);
    if (status != WITHY_OK) {
        restore(x);
        withy_error ignored;
        loads_at(x, factor, &ignored);
        return status;
    }
    if (!has_potential(x)) x->step->negative = -1;
    const int before = path->negative;
    path->negative = x->step->negative;
    x->now->settled_factor = x->step->factor;
    point->mark = slope * path->slope < 0       ? WITHY_POINT_LIMIT
                  : x->step->negative != before ? WITHY_POINT_BRANCH
                                                : WITHY_POINT;
    report_point(x, point);
    return WITHY_OK;
}
