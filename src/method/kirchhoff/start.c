/* start.c - from shapes to the discrete rod: natural curvature, projection, twist.
 *
 * Natural curvature.  In the natural frame of the rest shape (no twist; the shapes of model/ come
 * in it, a shape given by strains is turned back by the angle int twist ds) kappa_j = s_j^T x_0''.
 * "discrete": the sampled rest shape is moved onto the discrete constraints (cubic spline, |x'| = 1
 * at the nodes), frames are carried by the smallest rotation t_{j-1} -> t_j (so tau_j = 0) and
 * kappa_j = (s1, s2, t)_j^T m_j: the rest shape is then an equilibrium to rounding.
 * "pointwise": kappa of the smooth curve; the sampled rest shape is O(eta^2) from an equilibrium.
 *
 * Projection.  The equations of a step without elasticity: least sum w |x - x_sampled|^2 under the
 * constraints, frames carried along without spin.
 *
 * Twist.  With the centreline fixed, the angle phi_j of each section about t_j is in equilibrium
 * when
 *
 *     E(phi) = sum eta w sigma/2 |s^T m - kappa|^2 + sum eta Ct/2 tau^2      is stationary,
 *
 * a tridiagonal problem.  Only a minimum is accepted.  The search starts from the frames of the
 * shape or from frames whose natural curvature points along x'' (a stretched helix keeps its normal
 * at the rest angle), whichever has less energy.
 */
#include "method/kirchhoff/kirchhoff.h"

/* ---- natural and material frames ------------------------------------------------------------- */

/* angle_j = int twist of the rest shape, Simpson's rule in each interval. */
static withy_status rest_angle(wy_kirchhoff *p, withy_error *err) {
    for (int j = 0; j <= p->n; j++) p->angle[j] = 0.0;
    if (p->rod->rest.kind != WITHY_SHAPE_STRAIN) return WITHY_OK;
    for (int j = 0; j < p->n; j++) {
        const double s[3] = {p->s[j], 0.5 * (p->s[j] + p->s[j + 1]), p->s[j + 1]};
        double e[3][WITHY_STRAINS];
        WY_TRY(wy_model_rest_strains(p->setup->model, 0, 3, s, e, err));
        const double sum = e[0][WITHY_TWIST] + 4 * e[1][WITHY_TWIST] + e[2][WITHY_TWIST];
        p->angle[j + 1] = p->angle[j] + p->eta / 6.0 * sum;
    }
    return WITHY_OK;
}

/* From the material frame of an end to the natural one. */
static void to_natural(wy_kirchhoff *p, int e) {
    wy_pose *target = &p->end[e].target;
    target->frame =
        wy_kirchhoff_orthonormal(wy_kirchhoff_spun(target->frame, -p->angle[e ? p->n : 0]));
}

/* Tangents of a shape and of the end that holds it that differ by more are not joined at the start. */
static const double KINK = 0.1;

/* Where the ends are at the start.  A shape says nothing of the twist: frames that are turned about the
 * tangent are imposed, and the twist between them is found. */
static withy_status first_targets(wy_kirchhoff *p, withy_error *err) {
    int misses = 0;
    for (int e = 0; e < 2; e++) {
        wy_pose held, *target = &p->end[e].target;
        WY_TRY(wy_end_pose(&p->end[e].end, 0.0, &held, err));
        WY_TRY(wy_end_first(&p->end[e].end, target, err));
        if (v3_norm(v3_sub(held.frame.c3, target->frame.c3)) < KINK) target->frame = held.frame;
        to_natural(p, e);
        misses |= p->end[e].end.misses;
    }
    return misses ? WITHY_OK : wy_kirchhoff_targets(p, 0.0, err);
}

withy_status wy_kirchhoff_chord(double chord, double length, double t, withy_error *err) {
    if (chord <= (1.0 - 1e-6) * length) return WITHY_OK;
    return wy_fail(err, chord > length * (1.0 + 1e-9) ? WITHY_BAD_INPUT : WITHY_UNSUPPORTED,
                   "kirchhoff: at t = %g the ends are held %.9g apart and the rod is %.9g long; an "
                   "inextensible rod cannot move then: bring the ends closer, free one, or use a "
                   "method that stretches",
                   t, chord, length);
}

withy_status wy_kirchhoff_targets(wy_kirchhoff *p, double t, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        WY_TRY(wy_end_pose(&p->end[e].end, t, &p->end[e].target, err));
        to_natural(p, e);
    }
    if (!p->end[0].held || !p->end[1].held) return WITHY_OK;
    const double chord = v3_norm(v3_sub(p->end[1].target.r, p->end[0].target.r));
    return wy_kirchhoff_chord(chord, p->length, t, err);
}

/* ---- projection ------------------------------------------------------------------------------ */

/* One step of work.eq, with these equations and no multipliers, from `now` to `now`; `sampled`: where inertia
 * keeps the nodes. */
static bool step_once(wy_kirchhoff *p, wy_kirchhoff_equations eq, const vec3 *sampled,
                      wy_kirchhoff_newton *newton) {
    const size_t count = (size_t)p->n + 1;
    eq.average = 1.0;
    eq.ahead_x = p->work.eq.ahead_x, eq.ahead_frame = p->work.eq.ahead_frame;
    eq.next = p->next, eq.gauge = p->now->frame;
    p->work.eq = eq;
    memcpy(p->next->x, p->now->x, count * sizeof *p->now->x);
    memcpy(p->next->frame, p->now->frame, count * sizeof *p->now->frame);
    memcpy(eq.ahead_x, sampled, count * sizeof *sampled);
    memcpy(eq.ahead_frame, p->now->frame, count * sizeof *p->now->frame);
    memset(p->lambda, 0, count * sizeof *p->lambda);
    wy_kirchhoff_impose(p, p->next);
    wy_kirchhoff_residual(p);
    /* a shape that satisfies the constraints may be straight, where their gradients are dependent */
    if (!(p->work.residual <= 1e-13) && !wy_kirchhoff_solve(p, newton)) return false;
    memcpy(p->now->x, p->next->x, count * sizeof *p->now->x);
    memcpy(p->now->frame, p->next->frame, count * sizeof *p->now->frame);
    memset(p->lambda, 0, count * sizeof *p->lambda);
    wy_kirchhoff_strains(p, p->now);
    return true;
}

/* Move `now` onto the constraints; its frames come along without spin. */
static withy_status project(wy_kirchhoff *p, const char *what, withy_error *err) {
    const wy_kirchhoff_equations eq = {.inertia = p->stiff / (p->eta * p->eta * p->eta),
                                       .mass = p->unit_mass,
                                       .turn = (const double(*)[2])p->no_turn,
                                       .gauge_all = 1};
    wy_kirchhoff_newton newton = {0};
    if (step_once(p, eq, p->now->x, &newton)) return WITHY_OK;
    return wy_no_convergence(
        err,
        "kirchhoff: the %s cannot be placed on %d intervals as an inextensible spline (correction "
        "%.1e after %d iterations); check that it fits the ends, or use more intervals (options.n)",
        what, p->n, newton.norm, newton.iterations);
}

/* x'' at a node: the intervals left and right agree. */
static vec3 second_at(const wy_kirchhoff *p, const wy_kirchhoff_level *v, int j) {
    return j == 0      ? v->cell[0].m[0]
           : j == p->n ? v->cell[j - 1].m[1]
                       : v3_scale(0.5, v3_add(v->cell[j - 1].m[1], v->cell[j].m[0]));
}

/* ---- natural curvature ----------------------------------------------------------------------- */

/* The rest shape, or the initial one. */
static withy_status sample_shape(wy_kirchhoff *p, int rest, withy_error *err) {
    WY_TRY((rest ? wy_model_rest_poses : wy_model_initial_poses)(p->setup->model, 0, p->n + 1, p->s,
                                                                 p->work.pose, err));
    for (int j = 0; j <= p->n; j++) {
        p->now->x[j] = p->work.pose[j].r;
        p->now->frame[j] =
            wy_kirchhoff_orthonormal(wy_kirchhoff_spun(p->work.pose[j].frame, -p->angle[j]));
    }
    return WITHY_OK;
}

static withy_status pointwise_kappa(wy_kirchhoff *p, withy_error *err) {
    for (int j = 0; j <= p->n; j++) {
        double e[1][WITHY_STRAINS];
        WY_TRY(wy_model_rest_strains(p->setup->model, 0, 1, &p->s[j], e, err));
        /* material components (bend2, -bend1), turned into the natural frame */
        const double c = cos(p->angle[j]), d = sin(p->angle[j]);
        const double k1 = e[0][WITHY_BEND2], k2 = -e[0][WITHY_BEND1];
        p->kappa[j][0] = c * k1 - d * k2;
        p->kappa[j][1] = d * k1 + c * k2;
        p->kappa[j][2] = 0.0;
    }
    return WITHY_OK;
}

/* Leaves the projected rest shape with its frames in `now`. */
static withy_status discrete_kappa(wy_kirchhoff *p, withy_error *err) {
    wy_kirchhoff_end keep[2];
    memcpy(keep, p->end, sizeof keep);
    WY_TRY(sample_shape(p, 1, err));
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0;
        p->end[e].held = 1, p->end[e].turn = WY_KIRCHHOFF_TURN_FRAME, p->end[e].strong = 0;
        p->end[e].target = (wy_pose){p->now->x[j], p->now->frame[j]};
    }
    WY_TRY(project(p, "rest shape", err));
    memcpy(p->end, keep, sizeof keep);
    mat3 *f = p->now->frame;
    for (int j = 1; j <= p->n; j++)
        f[j] = wy_kirchhoff_orthonormal(m3_mulm(m3_between(f[j - 1].c3, f[j].c3), f[j - 1]));
    for (int j = 0; j <= p->n; j++) {
        const vec3 m = second_at(p, p->now, j);
        v3_to(m3_tmul(f[j], m), p->kappa[j]);
    }
    return WITHY_OK;
}

/* ---- twist equilibrium ----------------------------------------------------------------------- */

/* Energy of the spins, with gradient and the two diagonals of its second derivative. */
static double spin_energy(wy_kirchhoff *p, double *gradient, double *diagonal, double *side) {
    const wy_kirchhoff_level *v = p->now;
    double energy = 0;
    wy_kirchhoff_strains(p, v);
    for (int j = 0; j <= p->n; j++) {
        const vec3 m = second_at(p, v, j);
        const double k = p->eta * wy_kirchhoff_weight(p, j) * p->sigma[j];
        const double m1 = v3_dot(v->frame[j].c1, m), m2 = v3_dot(v->frame[j].c2, m);
        const double *kappa = p->kappa[j], along = kappa[0] * m1 + kappa[1] * m2;
        energy -= k * along;
        gradient[j] = k * (kappa[1] * m1 - kappa[0] * m2);
        diagonal[j] = k * along;
    }
    for (int j = 0; j < p->n; j++) {
        const mat3 *b = &v->frame[j], *c = b + 1;
        const double tau = v->cell[j].tau, k = p->eta * p->ct[j];
        const double slope = (v3_dot(b->c1, c->c1) + v3_dot(b->c2, c->c2)) / (2.0 * p->eta);
        const double second = k * (slope * slope - tau * tau);
        energy += 0.5 * k * tau * tau;
        gradient[j] -= k * tau * slope, gradient[j + 1] += k * tau * slope;
        diagonal[j] += second, diagonal[j + 1] += second, side[j] = -second;
    }
    return energy;
}

static int spin_fixed(const wy_kirchhoff *p, int j) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    return (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) || j == p->gauge;
}

/* A pivot below this part of stiff/eta is rounding: a common spin on which no energy depends. */
static const double NO_PIVOT = 1e-12;
/* Makes the matrix regular when a common spin costs no energy; does not change the result otherwise. */
static const double LEAST_SHIFT = 1e-9;

/* Solve (diagonal + shift, side) step = -gradient.  False when not positive definite. */
static bool spin_step(const wy_kirchhoff *p, const double *gradient, const double *diagonal,
                      const double *side, double shift, double *work, double *step) {
    double carry = 0, before = 0;
    for (int j = 0; j <= p->n; j++) {
        const int fixed = spin_fixed(p, j), linked = j > 0 && !fixed && !spin_fixed(p, j - 1);
        const double off = linked ? side[j - 1] : 0.0;
        double pivot = fixed ? 1.0 : diagonal[j] + shift;
        double right = fixed ? 0.0 : -gradient[j];
        if (linked) pivot -= off * off / carry, right -= off / carry * before;
        if (!(pivot > (fixed ? 0.0 : NO_PIVOT * p->stiff / p->eta))) return false;
        work[j] = pivot, step[j] = right;
        carry = pivot, before = right;
    }
    for (int j = p->n; j >= 0; j--) {
        const int linked = j < p->n && !spin_fixed(p, j) && !spin_fixed(p, j + 1);
        step[j] = (step[j] - (linked ? side[j] * step[j + 1] : 0.0)) / work[j];
    }
    return true;
}

static void spin_all(wy_kirchhoff *p, const double *step, double by) {
    for (int j = 0; j <= p->n; j++)
        p->now->frame[j] =
            wy_kirchhoff_orthonormal(wy_kirchhoff_spun(p->now->frame[j], by * step[j]));
}

/* The largest moment on a section that may turn. */
static double spin_moment(const wy_kirchhoff *p, const double *gradient) {
    double most = 0;
    for (int j = 0; j <= p->n; j++)
        if (!spin_fixed(p, j)) most = wy_max(most, fabs(gradient[j]));
    return most;
}

/* Descend to a minimum of the energy of the spins.  A straight rod whose ends hold no frame, or one
 * that is straight at t = 0, has a whole line of them, a common spin: the one nearest to the frames
 * it starts from is taken, and recognised by its moments because the matrix is singular there. */
static withy_status spin_equilibrium(wy_kirchhoff *p, withy_error *err) {
    enum { MOST = 300 };
    double *step = p->work.spin_angle, *gradient = p->work.spin_row[0],
           *diagonal = p->work.spin_row[1];
    double *side = p->work.spin_row[2], *work = p->work.rhs;
    const double scale = p->stiff / p->eta;
    double energy = spin_energy(p, gradient, diagonal, side);
    for (int k = 0; k < MOST; k++) {
        double shift = 0, most = 0;
        while (!spin_step(p, gradient, diagonal, side, shift, work, step))
            shift = shift == 0.0                   ? LEAST_SHIFT * scale
                    : shift <= LEAST_SHIFT * scale ? 1e-3 * scale
                                                   : 4.0 * shift;
        if (shift == LEAST_SHIFT * scale && spin_moment(p, gradient) <= 1e-13 * scale)
            return WITHY_OK;
        for (int j = 0; j <= p->n; j++) most = wy_max(most, fabs(step[j]));
        if (!(most <= 1e6 * (1.0 + p->n))) break;
        double by = most > 0.5 ? 0.5 / most : 1.0;
        spin_all(p, step, by);
        double next = spin_energy(p, gradient, diagonal, side);
        while (next > energy + 1e-12 * scale && by > 1e-6) {
            spin_all(p, step, -0.5 * by);
            by *= 0.5;
            next = spin_energy(p, gradient, diagonal, side);
        }
        energy = next;
        if (shift == 0.0 && most <= 1e-13) return WITHY_OK;
        if (shift == 0.0 && most <= 1e-10 && k > 30) return WITHY_OK;
    }
    return wy_no_convergence(err,
                             "kirchhoff: no stable twist was found for the sections of the initial "
                             "shape; start from a shape closer to the rest shape, give the frames "
                             "of the clamped ends, or give the rod rotary inertia");
}

/* Frames whose natural curvature points along x''; ends whose frame is given stay. */
static void spin_to_normal(wy_kirchhoff *p) {
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const mat3 f = p->now->frame[j];
        const vec3 m = second_at(p, p->now, j);
        const double *k = p->kappa[j];
        const double has = atan2(v3_dot(f.c2, m), v3_dot(f.c1, m)), quantities = atan2(k[1], k[0]);
        p->next->frame[j] = f;
        if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME && !end->as_found) continue;
        p->next->frame[j] = wy_kirchhoff_orthonormal(wy_kirchhoff_spun(f, has - quantities));
    }
}

static void swap_frames(const wy_kirchhoff *p) {
    for (int j = 0; j <= p->n; j++) {
        const mat3 keep = p->now->frame[j];
        p->now->frame[j] = p->next->frame[j], p->next->frame[j] = keep;
    }
}

/* The better of the two guesses into `now`. */
static void choose_frames(wy_kirchhoff *p) {
    double *const *row = p->work.spin_row;
    const double as_given = spin_energy(p, row[0], row[1], row[2]);
    spin_to_normal(p);
    swap_frames(p);
    if (!(spin_energy(p, row[0], row[1], row[2]) < as_given)) swap_frames(p);
}

static int kappa_is_zero(const wy_kirchhoff *p) {
    double most = 0;
    for (int j = 0; j <= p->n; j++) most = wy_max(most, hypot(p->kappa[j][0], p->kappa[j][1]));
    return most * p->length < 1e-9;
}

/* No energy depends on a common spin of all sections, and no inertia does either: fix that of the first
 * node. */
static int gauge_node(const wy_kirchhoff *p, int inertia) {
    const int turns = inertia && p->turn[0][0] > 0;
    const int held =
        p->end[0].turn == WY_KIRCHHOFF_TURN_FRAME || p->end[1].turn == WY_KIRCHHOFF_TURN_FRAME;
    return kappa_is_zero(p) && !turns && !held ? 0 : -1;
}

/* Shape, end directions (free in a weak end, tied to x'' in a strong one) and twist together: one
 * step of almost no length from the sampled shape, heavy enough to keep it where it is.  The spin of a
 * free straight rod is left to the gauge where its inertia does not count. */
static bool settle(wy_kirchhoff *p, const vec3 *sampled, int keep_twist,
                   wy_kirchhoff_newton *newton) {
    const double rho = p->mass[p->n / 2] / p->eta, eta2 = p->eta * p->eta;
    const wy_kirchhoff_equations eq = {.inertia = 1e3 * p->stiff / (rho * eta2 * eta2),
                                       .elastic = 1.0,
                                       .mass = p->mass,
                                       .turn =
                                           (const double(*)[2])(keep_twist ? p->turn : p->no_turn)};
    const int gauge = p->gauge;
    p->gauge = gauge_node(p, keep_twist);
    const bool settled = step_once(p, eq, sampled, newton);
    p->gauge = gauge;
    return settled;
}

static withy_status check_twist(const wy_kirchhoff *p, withy_error *err) {
    int cell = 0;
    const double most = wy_kirchhoff_twist_most(p, p->now, &cell);
    if (most < 0.5 * WY_PI) return WITHY_OK;
    return wy_unsupported(
        err,
        "kirchhoff: the initial shape twists by %.2f rad within the interval at s = %g; the method "
        "measures at most pi/2: use more intervals (options.n, now %d) or a shape with less twist",
        most, p->s[cell], p->n);
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* An end whose direction the scene does not give is held as in the initial state. */
static void hold_as_found(wy_kirchhoff *p) {
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0;
        if (!p->end[e].as_found) continue;
        p->end[e].end.start.frame = wy_kirchhoff_spun(p->now->frame[j], p->angle[j]);
        p->end[e].target.frame = p->now->frame[j];
    }
}

/* Frames in twist equilibrium on the centreline of `now`. */
static withy_status find_twist(wy_kirchhoff *p, int choose, int keep, withy_error *err) {
    if (choose) choose_frames(p);
    if (!keep) WY_TRY(spin_equilibrium(p, err));
    hold_as_found(p);
    return WITHY_OK;
}

/* From the sampled shape in `now` to a state that satisfies the constraints. */
static withy_status initial_state(wy_kirchhoff *p, withy_error *err) {
    const int gives_twist = wy_initial_shape(p->rod)->kind == WITHY_SHAPE_STRAIN;
    const int zero = kappa_is_zero(p), keep = gives_twist && p->turn[0][0] > 0;
    const int choose = p->rod->initial.kind != WITHY_SHAPE_NONE && !gives_twist && !zero;
    if (zero && p->opt.ends == WY_KIRCHHOFF_STRONG) { /* as elastica: no further step is needed */
        WY_TRY(project(p, "initial shape", err));
        return find_twist(p, choose, keep, err);
    }
    wy_kirchhoff_newton newton = {0};
    vec3 *sampled = p->before->x;
    for (int e = 0; e < 2; e++) { /* a given direction that the shape does not have */
        mat3 *f = &p->now->frame[e ? p->n : 0];
        if (p->end[e].turn == WY_KIRCHHOFF_TURN_FRAME) *f = p->end[e].target.frame;
    }
    memcpy(sampled, p->now->x, ((size_t)p->n + 1) * sizeof *sampled);
    wy_kirchhoff_strains(p, p->now);
    WY_TRY(find_twist(p, choose, keep, err));
    if (settle(p, sampled, keep, &newton)) return WITHY_OK;
    const int strong[2] = {p->end[0].strong, p->end[1].strong};
    p->end[0].strong = p->end[1].strong = 0;
    WY_TRY(project(p, "initial shape", err));
    p->end[0].strong = strong[0], p->end[1].strong = strong[1];
    WY_TRY(find_twist(p, choose, keep, err));
    if (settle(p, sampled, keep, &newton)) return WITHY_OK;
    return wy_no_convergence(
        err,
        "kirchhoff: no end directions were found for the initial shape (correction %.1e after %d "
        "iterations); use more intervals (options.n) or a smoother shape%s",
        newton.norm, newton.iterations,
        p->opt.ends == WY_KIRCHHOFF_STRONG ? ", or options.ends = \"weak\"" : "");
}

withy_status wy_kirchhoff_begin(wy_kirchhoff *p, withy_error *err) {
    const int discrete =
        p->opt.kappa == WY_KIRCHHOFF_DISCRETE && !wy_shape_is_straight(&p->rod->rest);
    p->gauge = -1;
    WY_TRY(rest_angle(p, err));
    if (discrete)
        WY_TRY(discrete_kappa(p, err));
    else
        WY_TRY(pointwise_kappa(p, err));
    p->gauge = gauge_node(p, 1);
    if (!discrete || p->rod->initial.kind != WITHY_SHAPE_NONE) WY_TRY(sample_shape(p, 0, err));
    WY_TRY(first_targets(p, err));
    for (int e = 0; e < 2; e++)
        if (p->end[e].as_found) p->end[e].target.frame = p->now->frame[e ? p->n : 0];
    WY_TRY(initial_state(p, err));
    WY_TRY(check_twist(p, err));
    if (p->turn[0][0] == 0 && !kappa_is_zero(p)) wy_note(p->setup->notes, WY_NOTE(twist_instant));
    return WITHY_OK;
}
