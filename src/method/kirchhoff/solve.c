/* solve.c - Newton's iteration for (x+, R+, lambda), and what a solution must satisfy.
 *
 * R+ is corrected on the group, R+ := exp(w) R+, and made orthonormal again, so that the frame
 * constraints hold to rounding whatever the iteration does.
 */
#include "method/kirchhoff/kirchhoff.h"

/* A Newton correction that turns a frame by more than this is shortened: beyond a quarter turn the
 * linear model is meaningless, and half a turn between levels n-1 and n+1 is a spurious root. */
static const double MOST_TURN = 0.8;

mat3 wy_kirchhoff_orthonormal(mat3 f) {
    const vec3 t = v3_unit(f.c3), s1 = v3_reject(f.c1, t);
    return (mat3){s1, v3_cross(t, s1), t};
}

void wy_kirchhoff_impose(const wy_kirchhoff *p, wy_kirchhoff_level *v) {
    for (int e = 0; e < 2; e++) {
        const wy_kirchhoff_end *end = &p->end[e];
        const int j = e ? p->n : 0;
        if (end->held) v->x[j] = end->target.r;
        mat3 *f = &v->frame[j];
        if (end->turn == WY_KIRCHHOFF_TURN_FRAME) *f = end->target.frame;
        if (end->turn == WY_KIRCHHOFF_TURN_TANGENT)
            *f = wy_kirchhoff_orthonormal(m3_mulm(m3_between(f->c3, end->target.frame.c3), *f));
    }
}

/* The largest correction: |dx| / L and turns; infinite when not finite. */
static double correction_norm(const wy_kirchhoff *p, double *turn) {
    double move = 0, most = 0;
    int finite = 1;
    for (int j = 0; j <= p->n; j++) {
        const vec3 dx = v3_from(&p->work.rhs[9 * j]), w = v3_from(&p->work.rhs[9 * j + 3]);
        move = wy_max(move, v3_norm(dx) * p->eta / p->length);
        most = wy_max(most, v3_norm(w));
        finite =
            finite && v3_finite(dx) && v3_finite(w) && v3_finite(v3_from(&p->work.rhs[9 * j + 6]));
    }
    *turn = most;
    return finite ? wy_max(move, most) : INFINITY;
}

void wy_kirchhoff_move(wy_kirchhoff *p, wy_kirchhoff_level *v, const double *change,
                       const double by[3]) {
    for (int j = 0; j <= p->n; j++) {
        const double *d = &change[9 * j];
        v->x[j] = v3_axpy(v->x[j], by[0], v3_from(d));
        const mat3 turn = q_matrix(q_exp(v3_scale(by[1], v3_from(d + 3))));
        v->frame[j] = wy_kirchhoff_orthonormal(m3_mulm(turn, v->frame[j]));
        p->lambda[j] = v3_axpy(p->lambda[j], by[2], v3_from(d + 6));
    }
}

/* Corrections shrink by a factor of ten or more once the iteration converges; when they are
 * small and have stopped shrinking, they are at rounding level and the solution cannot be improved.
 * */
bool wy_kirchhoff_solve(wy_kirchhoff *p, wy_kirchhoff_newton *newton) {
    const double rounding = 1e-7;
    double before = INFINITY;
    wy_kirchhoff_impose(p, p->next);
    for (int k = 0; k < p->opt.newton_max; k++) {
        wy_kirchhoff_residual(p);
        if (!isfinite(p->work.residual)) return false;
        newton->iterations = k + 1;
        if (!wy_kirchhoff_factor(p)) return false;
        wy_banded_solve(&p->work.matrix, p->work.rhs);
        double turn;
        const double norm = correction_norm(p, &turn);
        newton->norm = norm;
        if (!isfinite(norm)) return false;
        const double by = turn > MOST_TURN ? MOST_TURN / turn : 1.0;
        const double scaled[3] = {by * p->eta, by, by * p->stiff};
        wy_kirchhoff_move(p, p->next, p->work.rhs, scaled);
        if (norm <= p->opt.newton_tol || (norm <= rounding && norm > 0.3 * before)) {
            wy_kirchhoff_residual(p);
            return isfinite(p->work.residual);
        }
        before = norm;
    }
    return false;
}

/* ---- guards ---------------------------------------------------------------------------------- */

double wy_kirchhoff_turn_between(const wy_kirchhoff *p, const wy_kirchhoff_level *a,
                                 const wy_kirchhoff_level *b) {
    double most = 0;
    for (int j = 0; j <= p->n; j++) {
        const mat3 *f = &a->frame[j], *g = &b->frame[j];
        const vec3 a1 = v3_sub(f->c1, g->c1), a2 = v3_sub(f->c2, g->c2), a3 = v3_sub(f->c3, g->c3);
        const double square = v3_dot(a1, a1) + v3_dot(a2, a2) + v3_dot(a3, a3);
        most = wy_max(most, 2.0 * asin(wy_min(1.0, sqrt(square / 8.0)))); /* |R - R'|^2 = 8 sin^2 */
    }
    return most;
}

/* (1 + cos phi) sin theta and (1 + cos phi) cos theta of bend phi and twist theta. */
double wy_kirchhoff_twist_most(const wy_kirchhoff *p, const wy_kirchhoff_level *v, int *cell) {
    double most = 0;
    for (int j = 0; j < p->n; j++) {
        const mat3 *b = &v->frame[j], *c = b + 1;
        const double sine = v3_dot(b->c2, c->c1) - v3_dot(b->c1, c->c2);
        const double cosine = v3_dot(b->c1, c->c1) + v3_dot(b->c2, c->c2);
        const double angle = fabs(atan2(sine, cosine));
        if (angle > most) most = angle, *cell = j;
    }
    return most;
}
