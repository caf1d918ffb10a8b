/* follow.c - paths through limit points by arc length (Keller).
 *
 * With the unit tangent (x', f') of the path, Newton on r(x, f) = 0 and x'.X + f' F/span^2 = arc, where
 * X, F are what has been moved since the last point; each iteration solves K a = r and K b = dr/df with
 * one factorisation and moves by a + b dF.  A change of the factor by `span` counts as 1, and so does a change of the
 * shape by `reach`: the shape is measured per length, mean of (|dr|/L)^2 + |dphi|^2, and reach is what the first stiffness
 * would move over the span, or what has been moved since, if that is more (at most 1).  So a snap that moves the shape
 * little is not passed over as if only the factor changed, and a rod that becomes soft is not followed in tiny steps.
 */
#include "study/equilibrium/equations.h"

static const double DIFFERENCE = 1e-6; /* of the span: dr/df */
/* The plane across the tangent may meet the path again far away: a point more than this many arcs away
 * is rejected. */
static const double FAR = 2.0;
/* Seen from the last point a part of the path next to it continues about as it did there. */
static const double TURN = 0.5;         /* cosine, of the tangents at both points        */
static const double CHORD = 0.7;        /* of the way between them and the later tangent */
static const double REACH_LEAST = 1e-5; /* Newton's rounding is far below it             */
enum { ITERATIONS = 30, CUTS = 6, CHECKS = 2 };

/* One call of follow. */
typedef struct arc {
    wy_static *equilibrium;
    double length, span; /* of the arc; what counts as 1 in the factor */
    double start;        /* factor of the last point */
    double factor;       /* of the iterate */
    double turn;         /* cosine between the last tangent and the one before */
} arc;

static double product(const wy_static *x, const double *a, const double *b) {
    const double reach = wy_max(REACH_LEAST, wy_min(1.0, x->sim->core->reach));
    return wy_static_product(x, a, b) / (reach * reach);
}

/* The shape has moved by x->moved. */
static void add_way(wy_static *x) {
    wy_core *core = x->sim->core;
    core->way += sqrt(wy_static_product(x, x->moved, x->moved));
    core->reach = wy_max(core->reach, core->way);
}

/* b, with the factors just made. */
static withy_status find_toward(const arc *a, withy_error *err) {
    wy_static *x = a->equilibrium;
    const double step = DIFFERENCE * a->span;
    WY_TRY(x->equations->residual(x->self, x->side, err));
    WY_TRY(wy_static_load(x, a->factor + step, 1, err));
    WY_TRY(x->equations->residual(x->self, x->toward, err));
    WY_TRY(wy_static_load(x, a->factor, 1, err));
    for (int i = 0; i < x->rows; i++) x->toward[i] = (x->toward[i] - x->side[i]) / step;
    wy_static_keep(x, x->toward);
    x->equations->solve(x->self, x->toward);
    wy_static_project(x, x->toward);
    return WITHY_OK;
}

/* Unit tangent at the present equilibrium, pointing on, or (when none is known) along the sign of the
 * arc. */
static withy_status find_tangent(arc *a, withy_error *err) {
    wy_static *x = a->equilibrium;
    wy_core *core = x->sim->core;
    double *tangent = x->sim->tangent;
    const double per = 1.0 / (a->span * a->span);
    if (x->equations->begin) x->equations->begin(x->self);
    WY_TRY(x->equations->factor(x->self, x->shift, &x->negative, err));
    x->judged = 0;
    wy_static_find_zero_modes(x, 1);
    WY_TRY(find_toward(a, err));
    if (!core->tangent) {
        core->way = 0;
        core->reach = a->span * sqrt(wy_static_product(x, x->toward, x->toward));
    }
    double slope = 1.0 / sqrt(product(x, x->toward, x->toward) + per);
    const double along = core->tangent
                             ? product(x, tangent, x->toward) * slope + core->slope * slope * per
                             : a->length;
    if (along < 0) slope = -slope;
    const double before = sqrt(product(x, tangent, tangent) + core->slope * core->slope * per);
    a->turn = core->tangent ? fabs(along) / before : 1.0;
    for (int i = 0; i < x->rows; i++) tangent[i] = slope * x->toward[i];
    core->slope = slope, core->tangent = 1;
    return WITHY_OK;
}

/* One iteration: the change of shape in x->change, that of the factor returned. */
static withy_status bordered(arc *a, double part, double *step, withy_error *err) {
    wy_static *x = a->equilibrium;
    const wy_core *core = x->sim->core;
    const double *tangent = x->sim->tangent, per = 1.0 / (a->span * a->span);
    WY_TRY(wy_static_change(x, x->shift, 1, err));
    x->iterations++;
    wy_static_find_zero_modes(x, 1);
    WY_TRY(find_toward(a, err));
    wy_static_project(x, x->change);
    if (!(wy_static_size(x, x->change) < WY_STATIC_LARGEST_CHANGE))
        return wy_no_convergence(err, "a wild change");
    const double left =
        part - product(x, tangent, x->moved) - core->slope * (a->factor - a->start) * per;
    *step = (left - product(x, tangent, x->change)) /
            (product(x, tangent, x->toward) + core->slope * per);
    for (int i = 0; i < x->rows; i++) x->change[i] += *step * x->toward[i];
    return WITHY_OK;
}

/* Displacement from the last point to the iterate. */
static double distance(const arc *a) {
    const double way = (a->factor - a->start) / a->span;
    return sqrt(product(a->equilibrium, a->equilibrium->moved, a->equilibrium->moved) + way * way);
}

/* Predict along the tangent and correct on the plane across it.  WITHY_NO_CONVERGENCE: it did not. */
static withy_status correct(arc *a, double part, withy_error *err) {
    wy_static *x = a->equilibrium;
    double before = INFINITY;
    a->factor = a->start;
    memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    if (x->equations->begin) x->equations->begin(x->self);
    for (int k = 0; k < ITERATIONS; k++) {
        double step;
        const withy_status status = bordered(a, part, &step, err);
        if (status == WITHY_BAD_INPUT && k > 0) break; /* a function of the state has no value */
        WY_TRY(status);
        const double size = wy_static_size(x, x->change);
        if (!isfinite(step) || !(size < WY_STATIC_LARGEST_CHANGE)) break;
        a->factor += wy_static_move(x, size) * step;
        WY_TRY(wy_static_load(x, a->factor, 1, err));
        const double all = wy_max(size, fabs(step) / a->span);
        if (wy_static_done(all, before))
            return wy_static_displacement(x) > WY_STATIC_JUMP || distance(a) > FAR * part
                       ? wy_no_convergence(err, "a jump")
                       : WITHY_OK;
        before = all;
    }
    return wy_no_convergence(err, "no convergence");
}

static withy_status go_back(const arc *a, withy_error *err) {
    wy_static_restore(a->equilibrium);
    return wy_static_load(a->equilibrium, a->start, 1, err);
}

/* Is the way from the last point to this one, in which the path leaves there, that in which it comes here? */
static int goes_on(const arc *a) {
    const wy_static *x = a->equilibrium;
    const double slope = x->sim->core->slope, per = 1.0 / (a->span * a->span);
    const double along =
        product(x, x->sim->tangent, x->moved) + slope * (a->factor - a->start) * per;
    return a->turn >= TURN && along >= CHORD * distance(a);
}

/* Where the path folds, stability and the direction of the factor change together.  If one of them
 * changes alone, the point may lie on the other side of a narrow fold, and continuing would lead
 * back; and a point from which the path leaves in another direction may lie on another part of it: it is accepted only
 * when a short arc, cut CHECKS times, finds it too. */
static withy_status is_uncertain(const arc *a, const wy_core *last, int *uncertain,
                                 withy_error *err) {
    wy_static *x = a->equilibrium;
    *uncertain = !goes_on(a);
    if (*uncertain) return WITHY_OK;
    WY_TRY(wy_static_stability(x, err));
    const int known = last->negative >= 0 && x->negative >= 0;
    const int odd = known && (x->negative - last->negative) % 2 != 0;
    *uncertain = known && odd != (last->slope * x->sim->core->slope < 0);
    return WITHY_OK;
}

/* The point an arc of this length away.  WITHY_NO_CONVERGENCE: there is none. */
static withy_status point_at(arc *a, double part, withy_error *err) {
    WY_TRY(correct(a, part, err));
    add_way(a->equilibrium);
    a->equilibrium->sim->core->arc = part;
    return find_tangent(a, err);
}

/* The next point, with the arc cut where the path bends; or exactly so far away. */
static withy_status next_point(arc *a, int exactly, withy_error *err) {
    const wy_core last = *a->equilibrium->sim->core;
    double part = fabs(a->length);
    if (exactly) return point_at(a, part, err);
    for (int cut = 0; cut < CUTS; cut++, part *= 0.25) {
        int uncertain = 0;
        if (cut) WY_TRY(go_back(a, err));
        const withy_status status = point_at(a, part, err);
        if (status == WITHY_NO_CONVERGENCE) continue;
        WY_TRY(status);
        if (cut < CHECKS) WY_TRY(is_uncertain(a, &last, &uncertain, err));
        if (!uncertain) return WITHY_OK;
    }
    return wy_no_convergence(err, "%s: no equilibrium was found beyond factor %g along the path",
                             a->equilibrium->sim->method->name, a->start);
}

withy_status wy_equilibrium_follow(withy_sim *sim, double length, double span, int exactly,
                                   withy_equilibrium *point, withy_error *err) {
    WY_TRY(wy_static_check_supports(sim, err));
    if (!sim->core->equilibrium) WY_TRY(wy_equilibrium_find(sim, 0.0, 0, point, err));
    arc a = {.length = length, .span = span, .start = sim->core->t, .factor = sim->core->t};
    WY_TRY(wy_static_begin(sim, &a.equilibrium, err));
    WY_TRY(wy_static_load(a.equilibrium, a.start, 1, err));
    if (!sim->core->tangent) WY_TRY(find_tangent(&a, err));
    const double slope = sim->core->slope;
    wy_static_save(a.equilibrium);
    const withy_status status = next_point(&a, exactly, err);
    if (status != WITHY_OK) {
        withy_error own;
        if (go_back(&a, &own) == WITHY_OK)
            a.equilibrium->equations->settle(sim->self, a.start, &own);
        return status;
    }
    WY_TRY(wy_static_accept(a.equilibrium, a.factor, point, err));
    if (slope * sim->core->slope < 0) point->mark = WITHY_POINT_LIMIT;
    return WITHY_OK;
}
