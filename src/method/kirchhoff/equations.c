/* equations.c - the static equations of the spring, for src/study (wy_equations in method/method.h).
 *
 * The equations of kirchhoff/force.c at the present shape, with bar q = q and no rates; -shift M
 * replaces the inertia.  A vector has, for every node, dx [m], the turn w [rad] and dlambda [N m];
 * a right side the force [N], the moment [N m] and the gap of the spline condition [1/m], in which the
 * rows of a held end are the remaining distance.
 */
#include "method/kirchhoff/kirchhoff.h"

/* The torque of a cell, (GJ/eta) sin theta cos theta, falls again beyond an eighth of a turn: a cell
 * left there by the motion of an end keeps the others in an equilibrium that is an artefact of the mesh. */
static const double TWIST_MOST = 0.25 * WY_PI;

/* The lowest bending eigenvalue of a rod of this length, sigma/(rho L^4). */
static double rate(const void *self) {
    const wy_kirchhoff *p = self;
    const double rho = p->mass[p->n / 2] / p->eta, l2 = p->length * p->length;
    return p->stiff / (rho * l2 * l2);
}

static int massless(const void *self) {
    return ((const wy_kirchhoff *)self)->massless;
}

static wy_vector_layout layout(const void *self) {
    const wy_kirchhoff *p = self;
    const int nodes = p->n + 1;
    return (wy_vector_layout){9 * nodes, {0, nodes, 9, 3, 1}, {3, nodes, 9, 3, 1}, p->length, {0}};
}

/* ---- loads and ends -------------------------------------------------------------------------- */

static withy_status open(void *self, withy_error *err) {
    wy_kirchhoff *p = self;
    const size_t size = ((size_t)p->n + 1) * sizeof(vec3);
    (void)err;
    p->state->halving = (wy_halving){.h = p->state->halving.h};
    memset(p->v0, 0, size);
    memset(p->spin0, 0, size);
    return WITHY_OK;
}

/* The turn that takes the frame of an end to its target; none where it is free. */
static vec3 turn_left(const wy_kirchhoff_end *end, mat3 frame) {
    const mat3 target = end->target.frame;
    if (end->turn == WY_KIRCHHOFF_TURN_FREE) return v3(0, 0, 0);
    return q_log(q_from_matrix(end->turn == WY_KIRCHHOFF_TURN_TANGENT
                                   ? m3_between(frame.c3, target.c3)
                                   : m3_mulm(target, m3_transpose(frame))));
}

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    wy_kirchhoff *p = self;
    const double left = 1.0 - part;
    WY_TRY(wy_kirchhoff_loads(p, t, factor, err));
    if (p->state->pulled) WY_TRY(wy_kirchhoff_pulls(p, factor, err));
    WY_TRY(wy_kirchhoff_targets(p, t, err));
    for (int j = 0; j <= p->n; j++) p->dead[j] = v3_scale(factor * p->mass[j], p->gravity);
    if (!(left > 0)) return WITHY_OK;
    for (int e = 0; e < 2; e++) {
        wy_pose *target = &p->end[e].target;
        const mat3 back = q_matrix(q_exp(v3_scale(-left, p->state->turn_gap[e])));
        target->r = v3_axpy(target->r, -left, p->state->gap[e]);
        target->frame = m3_mulm(back, target->frame);
    }
    return WITHY_OK;
}

static withy_status pull(void *self, int on, withy_error *err) {
    (void)err;
    ((wy_kirchhoff *)self)->state->pulled = on;
    return WITHY_OK;
}

static void hold(void *self) {
    wy_kirchhoff *p = self;
    for (int e = 0; e < 2; e++) {
        const wy_kirchhoff_end *end = &p->end[e];
        const int j = e ? p->n : 0;
        p->state->gap[e] = v3_sub(end->target.r, p->now->x[j]);
        p->state->turn_gap[e] = turn_left(end, p->now->frame[j]);
    }
}

/* ---- equations ------------------------------------------------------------------------------- */

void wy_kirchhoff_static_equations(wy_kirchhoff *p, double mu) {
    const size_t count = (size_t)p->n + 1;
    wy_kirchhoff_equations *eq = &p->work.eq;
    wy_kirchhoff_set_equations(p, p->now);
    eq->inertia = mu, eq->average = 1.0;
    memcpy(eq->ahead_x, p->now->x, count * sizeof *p->now->x);
    memcpy(eq->ahead_frame, p->now->frame, count * sizeof *p->now->frame);
}

static int is_weak(const wy_kirchhoff *p, int j) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    return end && !end->strong;
}

static withy_status residual(void *self, double *r, withy_error *err) {
    wy_kirchhoff *p = self;
    const wy_kirchhoff_work *w = &p->work;
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_residual(p);
    if (!isfinite(w->residual))
        return wy_no_convergence(err, "kirchhoff: the forces are not finite");
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const mat3 *f = &p->now->frame[j];
        vec3 force = v3_scale(-1.0, w->balance[j]);
        vec3 moment = v3_scale(-1.0, w->balance[p->n + 1 + j]);
        if (end && end->held) force = v3_sub(end->target.r, p->now->x[j]);
        if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) moment = v3(0, 0, 0);
        if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT)
            moment = v3_scale(v3_dot(moment, f->c3), f->c3);
        if (end) moment = v3_add(moment, turn_left(end, *f));
        v3_to(force, &r[9 * j]);
        v3_to(moment, &r[9 * j + 3]);
        const double by = is_weak(p, j) ? p->stiff : 1.0 / p->eta;
        v3_to(v3_scale(by, v3_from(&w->rhs[9 * j + 6])), &r[9 * j + 6]);
    }
    return WITHY_OK;
}

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    wy_kirchhoff *p = self;
    *negative = -1; /* elimination with row exchanges gives no signs */
    wy_kirchhoff_static_equations(p, -shift);
    wy_kirchhoff_residual(p);
    if (isfinite(p->work.residual) && wy_kirchhoff_factor(p)) return WITHY_OK;
    return wy_no_convergence(err, "kirchhoff: the stiffness is singular");
}

/* Rows and columns are scaled as the matrix is; moments are balanced in the frame of the node. */
static void solve(void *self, double *b) {
    wy_kirchhoff *p = self;
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const int turn = end ? end->turn : WY_KIRCHHOFF_TURN_FREE;
        const double moments = p->eta / p->stiff;
        const double forces = end && end->held ? 1.0 / p->eta : p->eta * moments;
        vec3 moment = v3_from(&b[9 * j + 3]);
        if (turn != WY_KIRCHHOFF_TURN_FRAME) {
            const double across = turn == WY_KIRCHHOFF_TURN_TANGENT ? 1.0 : moments;
            moment = m3_tmul(p->now->frame[j], moment);
            moment = v3(across * moment.x, across * moment.y, moments * moment.z);
        }
        if (j == p->gauge) moment.z = 0.0;
        v3_to(v3_scale(forces, v3_from(&b[9 * j])), &b[9 * j]);
        v3_to(moment, &b[9 * j + 3]);
        v3_to(v3_scale(is_weak(p, j) ? 1.0 / p->stiff : p->eta, v3_from(&b[9 * j + 6])),
              &b[9 * j + 6]);
    }
    wy_banded_solve(&p->work.matrix, b);
    for (int j = 0; j <= p->n; j++)
        for (int i = 0; i < 9; i++) b[9 * j + i] *= i < 3 ? p->eta : i < 6 ? 1.0 : p->stiff;
}

/* What a row of a held end has no part in is taken out of (dx, w) or (force, moment). */
static void release(const wy_kirchhoff *p, int j, vec3 *move, vec3 *turn) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    const vec3 t = p->now->frame[j].c3;
    if (end && end->held) *move = v3(0, 0, 0);
    if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) *turn = v3(0, 0, 0);
    if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT) *turn = v3_scale(v3_dot(*turn, t), t);
    if (j == p->gauge) *turn = v3_axpy(*turn, -v3_dot(*turn, t), t);
}

static void mass(const void *self, const double *v, double *out) {
    const wy_kirchhoff *p = self;
    for (int j = 0; j <= p->n; j++) {
        const mat3 *f = &p->now->frame[j];
        const vec3 axis[3] = {f->c1, f->c2, f->c3};
        vec3 dx = v3_from(&v[9 * j]), w = v3_from(&v[9 * j + 3]), moment = v3(0, 0, 0);
        release(p, j, &dx, &w);
        vec3 force = v3_scale(p->mass[j], dx);
        for (int i = 0; i < 3; i++) /* q x (w x q) */
            moment = v3_axpy(moment, p->turn[j][i == 2], v3_axpy(w, -v3_dot(w, axis[i]), axis[i]));
        release(p, j, &force, &moment);
        v3_to(force, &out[9 * j]);
        v3_to(moment, &out[9 * j + 3]);
        v3_to(v3(0, 0, 0), &out[9 * j + 6]);
    }
}

static void damping(const void *self, const double *v, double *out) {
    const wy_kirchhoff *p = self;
    memset(out, 0, (size_t)layout(p).rows * sizeof *out);
    if (!p->damped) return;
    wy_kirchhoff_viscous(p, v, out);
    for (int j = 0; j <= p->n; j += p->n) {
        vec3 force = v3_from(&out[9 * j]), moment = v3_from(&out[9 * j + 3]);
        release(p, j, &force, &moment);
        v3_to(force, &out[9 * j]);
        v3_to(moment, &out[9 * j + 3]);
    }
}

/* ---- shape ----------------------------------------------------------------------------------- */

static void move(void *self, const double *change, double share) {
    wy_kirchhoff *p = self;
    wy_kirchhoff_move(p, p->now, change, (const double[3]){share, share, share});
}

static double strain(const void *self, double *s) {
    const wy_kirchhoff *p = self;
    int cell = 0;
    const double twist = wy_kirchhoff_twist_most(p, p->now, &cell);
    *s = p->s[cell];
    return twist / TWIST_MOST;
}

static double energy(const void *self) {
    return ((const wy_kirchhoff *)self)->state->halving.energy;
}

/* A moment that keeps its direction has no potential. */
static int potential(const void *self) {
    const wy_kirchhoff *p = self;
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        if (!v3_is_zero(p->couple[j]) && !(end && end->turn == WY_KIRCHHOFF_TURN_FRAME)) return 0;
    }
    return 1;
}

static void shape(const void *self, const double *v, withy_mode *mode) {
    const wy_kirchhoff *p = self;
    for (int i = 0; i < mode->count; i++) {
        const wy_place at = wy_place_of(mode->s[i], p->eta, p->n);
        const double *a = &v[9 * at.j], *b = a + 9;
        mode->shift[i] = wy_place_mix(at, v3_from(a), v3_from(b));
        mode->turn[i] = wy_place_mix(at, v3_from(a + 3), v3_from(b + 3));
        mode->position[i] = wy_kirchhoff_position(p, mode->s[i]);
    }
}

/* ---- arriving and leaving --------------------------------------------------------------------- */

static withy_status settle(void *self, double factor_now, withy_error *err) {
    wy_kirchhoff *p = self;
    (void)factor_now, (void)err;
    wy_kirchhoff_impose(p, p->now); /* to the last bit */
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_residual(p);
    wy_kirchhoff_keep_forces(p);
    p->state->halving.energy = wy_kirchhoff_potential(p, p->now);
    wy_kirchhoff_table(p);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    wy_kirchhoff *p = self;
    WY_TRY(open(p, err));
    wy_kirchhoff_no_table(p);
    p->setup->stats->constraint_max = wy_kirchhoff_violation(p, p->now);
    WY_TRY(wy_kirchhoff_first_loads(p, err));
    return moving ? wy_kirchhoff_first_velocity(p, err) : WITHY_OK;
}

const wy_equations wy_kirchhoff_statics = {
    WY_EQUATIONS_COMMON, .open = open,     .mass = mass, .massless = massless,
    .damping = damping,  .strain = strain, .folds = 1.0, .shape = shape,
};
