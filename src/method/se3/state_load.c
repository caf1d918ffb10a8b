/* state_load.c - loads that depend on the state of the section they act on.
 *
 * The pose at the time of evaluation is local, g = g_i exp(turn eta + lag eta_i), and with it the state
 * (r, R, R v, R w).  With J the right Jacobian of the turn and t = turn, in laboratory components
 *
 *   turned  = t R J dw,    shifted = t R dv,    d(R v) = R dv + turned x R v,   d(R w) = R dw + turned x R w
 *
 * (of dr by dw, and of V(phi) - 1, terms of the order t^2 are left out, which slows Newton down by as much), so that the slope of
 * a wrench stays a 6 x 6 block of its node.  A point load between two nodes sees both, and each gets its share of what it
 * would be there: as the lever rule, of second order in h.
 */
#include "method/se3/se3.h"

/* ---- where ----------------------------------------------------------------------------------------- */

/* The first time they are counted, the second time put down. */
static void put(wy_se3_plan *p, int place, wy_state_point state_point, double share, int pull) {
    const int at = p->state_points[place + 1]++;
    if (!p->state_point) return;
    state_point.weight *= share;
    p->state_point[at] = (wy_se3_state_point){state_point, pull};
}

static void put_point(wy_se3 *x, const wy_load_point *at, int pull) {
    wy_se3_plan *p = &x->plan;
    const wy_state_point state_point = wy_state_point_at(at, wy_model_origin(x->setup->model));
    const int stride = p->opt.scheme == WY_SE3_RK4 ? 1 : 2;
    if (at->node >= 0) {
        put(p, stride * at->node, state_point, 1, pull);
        return;
    }
    const double right = at->s / p->h - at->cell;
    for (int side = 0; side < 2; side++) {
        const double share = side ? right : 1 - right;
        const int node = at->cell + side, tip = node == p->n;
        if (!(share > 1e-9)) continue;
        if (node == 0 || tip)
            put(p, p->points + tip, state_point, share, pull);
        else
            put(p, 2 * node, state_point, share / p->h, pull);
    }
}

static void put_all(wy_se3 *x) {
    const wy_load_points *list[2] = {&x->plan.load, &x->plan.pull};
    for (int pull = 0; pull < 2; pull++)
        for (int i = 0; i < list[pull]->count; i++)
            if (wy_load_uses_state(list[pull]->point[i].load))
                put_point(x, &list[pull]->point[i], pull);
    for (int e = 0; e < 2; e++)
        if (wy_end_uses_state(x->plan.end[e].end.end))
            put(&x->plan, x->plan.points + e, wy_state_point_end(&x->plan.end[e].end), 1, 0);
}

withy_status wy_se3_state_points(wy_se3 *x, wy_arena *arena, withy_error *err) {
    wy_se3_plan *p = &x->plan;
    const int places = p->points + 2;
    if (!wy_rod_uses_state(p->rod)) return WITHY_OK;
    p->state_points = wy_arena_alloc(arena, (size_t)places + 2, sizeof *p->state_points);
    if (!p->state_points) return wy_no_memory(err, "se3: no memory for the loads");
    put_all(x);
    int total = 0;
    for (int k = 0; k <= places; k++) { /* where those of each place begin, one entry later */
        const int count = p->state_points[k + 1];
        p->state_points[k + 1] = total, total += count;
    }
    p->state_point = wy_arena_alloc(arena, (size_t)total + 1, sizeof *p->state_point);
    if (!p->state_point) return wy_no_memory(err, "se3: no memory for the loads");
    put_all(x); /* and now they begin where they should */
    return WITHY_OK;
}

void wy_se3_state_load_begin(wy_se3 *x, double t) {
    double speed = 0, spin = 0;
    x->step->t = t;
    if (!x->plan.state_point) return;
    for (int j = 0; j <= x->plan.n; j++) {
        spin = wy_max(spin, v3_norm(v3_from(x->state.eta0[j])));
        speed = wy_max(speed, v3_norm(v3_from(x->state.eta0[j] + 3)));
    }
    const double slow = sqrt(wy_se3_slowest(x));
    x->step->nudge = wy_state_load_steps_of(x->plan.length, slow > 0 ? 6 / slow : 0, speed, spin);
}

withy_status wy_se3_state_load_status(const wy_se3 *x, withy_error *err) {
    if (x->step->failed != WITHY_OK && err) *err = x->step->why;
    return x->step->failed;
}

/* ---- what ------------------------------------------------------------------------------------------ */

typedef struct section {
    withy_section_state state;
    mat3 frame, jacobian; /* R, t J */
} section;

static section section_at(const wy_se3 *x, int point, const double eta[6], const double eta0[6]) {
    const wy_se3_rule *rule = &x->step->rule;
    const bool equilibrium = !rule->moves && rule->c0 > 0; /* eta is a displacement then */
    const vec3 none = v3(0, 0, 0);
    double zeta[6];
    section out;
    for (int i = 0; i < 6; i++) zeta[i] = rule->turn * eta[i] + rule->lag * eta0[i];
    const wy_motion g = se3_mul(x->state.g[point], se3_exp_scaled(1, zeta));
    const mat3 j = so3_right_jacobian(v3_from(zeta));
    out.frame = g.turn;
    out.jacobian =
        (mat3){v3_scale(rule->turn, j.c1), v3_scale(rule->turn, j.c2), v3_scale(rule->turn, j.c3)};
    out.state =
        wy_section_state_of(g.shift, g.turn, equilibrium ? none : m3_mul(g.turn, v3_from(eta + 3)),
                            equilibrium ? none : m3_mul(g.turn, v3_from(eta)));
    return out;
}

/* The twelve numbers of the state by component c of eta. */
static void state_by(const wy_se3 *x, const section *at, int c, double by[WY_STATE_LOAD]) {
    const bool moves = x->step->rule.moves;
    const vec3 none = v3(0, 0, 0), e = v3_axis(c % 3), along = m3_mul(at->frame, e);
    const vec3 turned = c < 3 ? m3_mul(at->frame, m3_mul(at->jacobian, e)) : none;
    const vec3 speed = v3_cross(turned, at->state.velocity),
               spin = v3_cross(turned, at->state.spin);
    v3_to(c < 3 ? none : v3_scale(x->step->rule.turn, along), by + WY_STATE_LOAD_SHIFT);
    v3_to(turned, by + WY_STATE_LOAD_TURN);
    v3_to(!moves ? none : c < 3 ? speed : along, by + WY_STATE_LOAD_SPEED);
    v3_to(!moves ? none : c < 3 ? v3_add(spin, along) : none, by + WY_STATE_LOAD_SPIN);
}

/* (force, moment) of the laboratory to (moment, force) of the section. */
static void to_section(mat3 frame, const double lab[6], double own[6]) {
    v3_to(m3_tmul(frame, v3_from(lab + 3)), own);
    v3_to(m3_tmul(frame, v3_from(lab)), own + 3);
}

static void add_slope(const wy_se3 *x, const section *at, double with[6][WY_STATE_LOAD],
                      double slope[6][6]) {
    for (int c = 0; c < 6; c++) {
        double by[WY_STATE_LOAD], lab[6] = {0}, own[6];
        state_by(x, at, c, by);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < WY_STATE_LOAD; k++) lab[i] += with[i][k] * by[k];
        to_section(at->frame, lab, own);
        for (int i = 0; i < 6; i++) slope[i][c] += own[i];
    }
}

static withy_status add_one(const wy_se3 *x, const wy_state_point *state_point, const section *at,
                            double f[6], double slope[6][6], withy_error *err) {
    const double t = x->step->t, factor = x->now->factor;
    double lab[6], with[6][WY_STATE_LOAD];
    WY_TRY(wy_state_load_value(state_point, t, factor, &at->state, lab, err));
    if (slope) {
        const double *from = x->step->rule.moves ? lab : NULL; /* statics judge by the slopes */
        WY_TRY(wy_state_load_slopes(state_point, t, factor, &at->state, &x->step->nudge, from, 0,
                                    with, err));
        add_slope(x, at, with, slope);
    }
    const double dead[6] = {lab[3], lab[4], lab[5], lab[0], lab[1], lab[2]};
    double unused[6][6] = {{0}};
    wy_se3_add_dead(dead, &(wy_se3_frame){at->frame, at->frame, at->jacobian}, f,
                    slope ? slope : unused);
    return WITHY_OK;
}

void wy_se3_state_load(const wy_se3 *x, int place, int point, const double eta[6],
                       const double eta0[6], double f[6], double slope[6][6]) {
    const wy_se3_plan *p = &x->plan;
    if (!p->state_point || p->state_points[place] == p->state_points[place + 1]) return;
    const section at = section_at(x, point, eta, eta0);
    for (int k = p->state_points[place]; k < p->state_points[place + 1]; k++) {
        if (p->state_point[k].pull && !x->now->pulls) continue;
        withy_error err;
        const withy_status status = add_one(x, &p->state_point[k].state_point, &at, f, slope, &err);
        if (status == WITHY_OK) continue;
        f[0] = NAN; /* Newton ends; a failure of the function itself is reported instead */
        if (status != WITHY_NO_CONVERGENCE && x->step->failed == WITHY_OK)
            x->step->failed = status, x->step->why = err;
    }
}

/* -d(wrench)/d(eta) by velocity and spin alone, times v. */
void wy_se3_state_load_damping(const wy_se3 *x, int place, int point, const double v[6],
                               double out[6]) {
    const wy_se3_plan *p = &x->plan;
    const double none[6] = {0};
    if (!p->state_point || p->state_points[place] == p->state_points[place + 1]) return;
    const section at = section_at(x, point, none, none);
    const vec3 spin = m3_mul(at.frame, v3_from(v)), speed = m3_mul(at.frame, v3_from(v + 3));
    double by[WY_STATE_LOAD] = {0};
    v3_to(speed, by + WY_STATE_LOAD_SPEED), v3_to(spin, by + WY_STATE_LOAD_SPIN);
    for (int k = p->state_points[place]; k < p->state_points[place + 1]; k++) {
        double with[6][WY_STATE_LOAD], lab[6] = {0}, own[6];
        if (p->state_point[k].pull && !x->now->pulls) continue;
        if (wy_state_load_slopes(&p->state_point[k].state_point, x->step->t, x->now->factor,
                                 &at.state, &x->step->nudge, NULL, WY_STATE_LOAD_SPEED, with,
                                 &x->step->why) != WITHY_OK)
            lab[0] = NAN;
        for (int i = 0; i < 6; i++)
            for (int c = WY_STATE_LOAD_SPEED; c < WY_STATE_LOAD; c++) lab[i] += with[i][c] * by[c];
        to_section(at.frame, lab, own);
        for (int i = 0; i < 6; i++) out[i] -= own[i];
    }
}
