/* state_load.c - loads that depend on the state.
 *
 * The force of t pushes p from t - h/2 to t + h/2, so it belongs to the velocity of t, the mean
 * (p- + p+)/2, which depends on the force itself:  v = v0 + A F,  A = h/(2 m) of what it acts on.  Each load
 * is solved with its own velocity, F = f(r, v0 + A F): by iteration where A f' is small, else by Newton's
 * method with differences.  So the scheme stays of second order, a drag is stable however strong, and a
 * bow may stick.  What the other loads do to v0 is taken from the step before.
 */
#include "method/fdtd/fdtd.h"
#include "numeric/linear/linear.h"

/* ---- spots ------------------------------------------------------------------------------------------ */

static const withy_field nothing = {0};

/* Two neighbours of x among offset, offset + 1, ..., their weights by a line through them. */
static void neighbours(double x, double offset, int count, int at[2], double weight[2]) {
    const int lower = (int)wy_max(0, wy_min(floor(x - offset), count - 2));
    at[0] = lower, at[1] = lower + 1;
    weight[1] = x - offset - lower, weight[0] = 1.0 - weight[1];
}

static wy_fdtd_spot spot_at(const wy_fdtd_group *g, int lane, double index) {
    wy_fdtd_spot spot = {.lane = lane, .end = -1};
    neighbours(index, 0.0, g->n + 1, spot.node, spot.n);
    neighbours(index, 0.5, g->n, spot.half, spot.h);
    for (int a = 0; a < 2; a++) spot.share[a] = wy_min(wy_max(spot.h[a], 0), 1);
    return spot;
}

typedef struct maker {
    wy_fdtd_group *g;
    wy_fdtd_spot *out; /* NULL while counting */
    int count;
} maker;

static void add(maker *m, wy_fdtd_spot spot) {
    if (m->out) m->out[m->count] = spot;
    m->count++;
}

/* Loads on the whole rod: the force at nodes, the moment at halves; others: both where they are. */
static void add_points(maker *m, int lane, const wy_fdtd_points *load, int pull) {
    const double length = m->g->problem->rod[m->g->rod[lane]].length;
    for (int k = 0; k < load->force.count + load->moment.count; k++) {
        const int moment = k >= load->force.count;
        const wy_load_point *point =
            moment ? &load->moment.point[k - load->force.count] : &load->force.point[k];
        if (!wy_load_uses_state(point->load) || (moment && !point->load->moment.size)) continue;
        double index = point->s / length * m->g->n;
        if (point->node >= 0) index = point->node + (moment ? 0.5 : 0.0);
        wy_fdtd_spot spot = spot_at(m->g, lane, index);
        spot.state_point = wy_state_point_at(point, wy_model_origin(m->g->model)), spot.pull = pull;
        if (moment) spot.state_point.force = &nothing;
        if (!moment && point->node >= 0) spot.state_point.moment = &nothing;
        add(m, spot);
    }
}

static void list(maker *m) {
    m->count = 0;
    for (int lane = 0; lane < m->g->lanes; lane++) {
        add_points(m, lane, &m->g->load[lane], 0);
        if (lane == 0) add_points(m, lane, &m->g->pull, 1);
        for (int e = 0; e < 2; e++) {
            if (!wy_end_uses_state(m->g->end[e].end[lane].end)) continue;
            wy_fdtd_spot spot = spot_at(m->g, lane, e ? m->g->n : 0);
            spot.state_point = wy_state_point_end(&m->g->end[e].end[lane]), spot.end = e;
            add(m, spot);
        }
    }
}

withy_status wy_fdtd_spots_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err) {
    maker m = {.g = g};
    list(&m);
    g->spot_count = m.count;
    if (m.count == 0) return WITHY_OK;
    g->spot = m.out = wy_arena_alloc(setup->arena, (size_t)m.count, sizeof *m.out);
    if (!m.out) return wy_no_memory(err, "fdtd: no memory for the loads");
    list(&m);
    return WITHY_OK;
}

/* ---- the state at a spot ---------------------------------------------------------------------------- */

static int is_held(const wy_fdtd_group *g, int i) {
    const int end = wy_fdtd_end_at(g, i);
    return end >= 0 && g->end[end].holds_position;
}

/* Velocity of a node at t. */
static vec3 node_speed(const wy_fdtd_group *g, int lane, int i, int level) {
    const int x = i * g->lanes + lane;
    const vec3 p = wy_fdtd_at3(g->now.p, x);
    if (level == WY_FDTD_AT) return p;
    if (is_held(g, i)) {
        double(*r)[WY_FDTD_LANES] = g->now.hold[i > 0].r;
        const vec3 way = v3_sub(v3(r[0][lane], r[1][lane], r[2][lane]), wy_fdtd_at3(g->now.r, x));
        return v3_scale(0.5, v3_axpy(p, 1.0 / g->rate.h, way));
    }
    const vec3 f = v3_add(wy_fdtd_at3(g->work.f, x), wy_fdtd_outer_force(g, i, lane));
    return v3_axpy(v3_scale(0.5 * (1 + g->rate.pe[x]), p), 0.5 * g->rate.pf[x], f);
}

static withy_section_state state_at(const wy_fdtd_group *g, const wy_fdtd_spot *spot, int level) {
    vec3 r = v3(0, 0, 0), v = r, w = r;
    quat q = {0, 0, 0, 0};
    for (int a = 0; a < 2; a++) {
        const int i = spot->node[a] * g->lanes + spot->lane;
        const int j = spot->half[a] * g->lanes + spot->lane;
        const quat own = wy_fdtd_at4(g->now.q, j);
        vec3 spin = wy_fdtd_at3(g->now.w, j);
        if (level == WY_FDTD_BACK) spin = v3_axpy(spin, 0.5 * g->rate.h, wy_fdtd_half_rate(g, j));
        r = v3_axpy(r, spot->n[a], wy_fdtd_at3(g->now.r, i));
        v = v3_axpy(v, spot->n[a], node_speed(g, spot->lane, spot->node[a], level));
        w = v3_axpy(w, spot->h[a], m3_mul(q_matrix(own), spin));
        q.w += spot->h[a] * own.w, q.x += spot->h[a] * own.x;
        q.y += spot->h[a] * own.y, q.z += spot->h[a] * own.z;
    }
    const mat3 frame =
        spot->end >= 0 ? wy_fdtd_end_frame(g, spot->lane, spot->end) : q_matrix(q_unit(q));
    return wy_section_state_of(r, frame, v, w);
}

/* ---- acting ----------------------------------------------------------------------------------------- */

static void add3(double *const x[3], int k, vec3 a) {
    wy_fdtd_put3(x, k, v3_add(wy_fdtd_at3(x, k), a));
}

/* Add a change of the force and moment of a spot; `all` is what they are then. */
static void act(wy_fdtd_group *g, const wy_fdtd_spot *spot, const double more[6],
                const double all[6]) {
    const int lane = spot->lane;
    if (spot->end >= 0) {
        wy_fdtd_hold *hold = &g->now.hold[spot->end];
        const mat3 frame = wy_fdtd_end_frame(g, lane, spot->end);
        const vec3 own = v3_scale(spot->end ? 1.0 : -1.0, m3_tmul(frame, v3_from(all + 3)));
        for (int d = 0; d < 3; d++) {
            hold->force[d][lane] = all[d];
            hold->moment[d][lane] = v3_get(own, d);
        }
        return;
    }
    for (int a = 0; a < 2; a++) {
        const int j = spot->half[a] * g->lanes + lane;
        add3(g->now.load, spot->node[a] * g->lanes + lane, v3_scale(spot->n[a], v3_from(more)));
        add3(g->now.couple, j,
             v3_scale(spot->share[a],
                      m3_tmul(q_matrix(wy_fdtd_at4(g->now.q, j)), v3_from(more + 3))));
    }
}

/* How much (velocity, spin) at t change with (force, moment): A. */
static void mobility(const wy_fdtd_group *g, const wy_fdtd_spot *spot, double a[6][6]) {
    double line = 0;
    for (int i = 0; i < 36; i++) a[i / 6][i % 6] = 0.0;
    for (int k = 0; k < 2; k++)
        if (!is_held(g, spot->node[k]))
            line +=
                0.5 * spot->n[k] * spot->n[k] * g->rate.pf[spot->node[k] * g->lanes + spot->lane];
    for (int d = 0; d < 3; d++) a[d][d] = line;
    for (int k = 0; k < 2; k++) {
        const int x = spot->half[k] * g->lanes + spot->lane;
        const int last = spot->half[k] == (spot->end ? g->n - 1 : 0);
        const double share = spot->end >= 0 ? last : spot->share[k];
        const mat3 q = q_matrix(wy_fdtd_at4(g->now.q, x));
        const vec3 axis[3] = {q.c1, q.c2, q.c3};
        for (int i = 0; i < 27; i++) {
            const int r = i / 9, c = i / 3 % 3, d = i % 3;
            a[3 + r][3 + c] += 0.5 * spot->h[k] * share * g->rate.wf[d][x] * v3_get(axis[d], r) *
                               v3_get(axis[d], c);
        }
    }
}

/* ---- solving one ------------------------------------------------------------------------------------ */

/* F = f(state + A (F - from)) */
typedef struct equation {
    const wy_state_point *state_point;
    double t, factor, a[6][6];
    withy_section_state state; /* with the load `from` */
    const double *from;
} equation;

static withy_section_state state_with(const equation *e, const double f[6]) {
    withy_section_state state = e->state;
    double more[6] = {0};
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) more[r] += e->a[r][c] * (f[c] - e->from[c]);
    state.velocity = v3_add(state.velocity, v3_from(more));
    state.spin = v3_add(state.spin, v3_from(more + 3));
    return state;
}

static withy_status value(const equation *e, const double f[6], double out[6], withy_error *err) {
    const withy_section_state state = state_with(e, f);
    return wy_state_load_value(e->state_point, e->t, e->factor, &state, out, err);
}

static double size_of(const double a[6]) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static double apart(const double a[6], const double b[6]) {
    double d[6];
    for (int i = 0; i < 6; i++) d[i] = a[i] - b[i];
    return size_of(d);
}

static const double DONE = 1e-10; /* of the load, or of its change in the step */

/* F <- f(F), as long as it is fast. */
static withy_status iterate(const equation *e, double f[6], double *scale, int *done,
                            withy_error *err) {
    enum { MOST = 8 };
    double before = INFINITY;
    *done = 0, *scale = 0;
    for (int k = 0; k < MOST && !*done; k++) {
        double next[6];
        WY_TRY(value(e, f, next, err));
        const double off = apart(next, f);
        *scale = wy_max(*scale, wy_max(size_of(next), k == 0 ? off : 0));
        for (int i = 0; i < 6; i++) f[i] = next[i];
        *done = off <= DONE * *scale;
        if (k > 0 && !(off <= 0.2 * before)) break;
        before = off;
    }
    return WITHY_OK;
}

/* One step of Newton's method for F - f(F) = 0, `at` = f(F); shortened until the rest is smaller. */
static withy_status improve(const equation *e, const wy_state_load_steps *steps, double f[6],
                            double at[6], withy_error *err) {
    const withy_section_state state = state_with(e, f);
    double slope[6][WY_STATE_LOAD], k[36], step[6], rest = apart(f, at);
    int pivot[6];
    WY_TRY(wy_state_load_slopes(e->state_point, e->t, e->factor, &state, steps, at,
                                WY_STATE_LOAD_SPEED, slope, err));
    for (int r = 0; r < 6; r++) {
        step[r] = at[r] - f[r];
        for (int c = 0; c < 6; c++) {
            k[6 * r + c] = r == c;
            for (int i = 0; i < 6; i++)
                k[6 * r + c] -= slope[r][WY_STATE_LOAD_SPEED + i] * e->a[i][c];
        }
    }
    if (!wy_lu_factor(6, 6, k, pivot)) return WITHY_OK;
    wy_lu_solve(6, 6, k, pivot, step);
    for (double share = 1.0; share > 1e-4; share *= 0.5) {
        double next[6], there[6];
        for (int i = 0; i < 6; i++) next[i] = f[i] + share * step[i];
        WY_TRY(value(e, next, there, err));
        if (!(apart(next, there) < rest)) continue;
        for (int i = 0; i < 6; i++) f[i] = next[i], at[i] = there[i];
        return WITHY_OK;
    }
    return WITHY_OK;
}

/* Newton's method from where the load was, and where it ends without an answer (it has jumped), from no
 * load and from what the rod would feel then. */
static withy_status newton(const equation *e, const wy_state_load_steps *steps, double f[6],
                           double scale, int *done, withy_error *err) {
    enum { MOST = 30 };
    double start[3][6] = {{0}}, at[6];
    for (int i = 0; i < 6; i++) start[0][i] = e->from[i];
    WY_TRY(value(e, start[1], start[2], err));
    *done = 0;
    for (int s = 0; s < 3 && !*done; s++) {
        double before = INFINITY;
        for (int i = 0; i < 6; i++) f[i] = start[s][i];
        WY_TRY(value(e, f, at, err));
        for (int k = 0; k < MOST && !*done; k++) {
            WY_TRY(improve(e, steps, f, at, err));
            const double rest = apart(f, at);
            *done = rest <= DONE * wy_max(scale, size_of(at));
            if (!(rest < before)) break;
            before = rest;
        }
    }
    return WITHY_OK;
}

static withy_status solve(wy_fdtd_group *g, const wy_fdtd_spot *spot, double t, double factor,
                          const double from[6], double out[6], withy_error *err) {
    equation e = {.state_point = &spot->state_point, .t = t, .factor = factor, .from = from};
    double scale;
    int done;
    e.state = state_at(g, spot, WY_FDTD_BACK);
    mobility(g, spot, e.a);
    for (int i = 0; i < 6; i++) out[i] = from[i];
    WY_TRY(iterate(&e, out, &scale, &done, err));
    if (done) return WITHY_OK;
    const vec3 v = e.state.velocity, w = e.state.spin;
    const wy_state_load_steps steps = {.shift = 1.0,
                                       .turn = 1.0,
                                       .speed = 1e-6 * (v3_norm(v) + e.a[0][0] * scale),
                                       .spin = 1e-6 * (v3_norm(w) + e.a[3][3] * scale)};
    WY_TRY(newton(&e, &steps, out, scale, &done, err));
    if (done) return WITHY_OK;
    return wy_no_convergence(
        err,
        "fdtd: the load at s = %g changes so steeply with the velocity that no force "
        "fits it at t = %g with a step of %.3g s; use a smaller options.dt",
        spot->state_point.s, t, g->rate.h);
}

withy_status wy_fdtd_state_loads_at(wy_fdtd_group *g, double t, double factor, int level,
                                    withy_error *err) {
    if (g->spot_count == 0) return WITHY_OK;
    for (int k = 0; k < g->spot_count && level == WY_FDTD_BACK; k++)
        act(g, &g->spot[k], g->now.state_load[k], g->now.state_load[k]);
    if (level == WY_FDTD_BACK) wy_fdtd_forces(g);
    for (int k = 0; k < g->spot_count; k++) {
        const wy_fdtd_spot *spot = &g->spot[k];
        double *now = g->now.state_load[k], next[6] = {0}, more[6];
        if (spot->pull && !g->pulling) continue;
        if (level == WY_FDTD_BACK) {
            WY_TRY(solve(g, spot, t, factor, now, next, err));
        } else {
            const withy_section_state state = state_at(g, spot, level);
            WY_TRY(wy_state_load_value(&spot->state_point, t, factor, &state, next, err));
        }
        for (int i = 0; i < 6; i++) {
            more[i] = next[i] - (level == WY_FDTD_BACK ? now[i] : 0.0);
            now[i] = next[i];
        }
        act(g, spot, more, now);
    }
    return WITHY_OK;
}

/* ---- slopes ----------------------------------------------------------------------------------------- */

withy_status wy_fdtd_state_load_slopes(wy_fdtd_group *g, double t, double factor,
                                       double (*slope)[6][WY_STATE_LOAD], withy_error *err) {
    for (int k = 0; k < g->spot_count; k++) {
        const wy_fdtd_spot *spot = &g->spot[k];
        const wy_state_load_steps steps =
            wy_state_load_steps_of(g->length[spot->lane], 1e3 * g->n * g->rate.h, 0.0, 0.0);
        const withy_section_state state = state_at(g, spot, WY_FDTD_AT);
        for (int i = 0; i < 6 * WY_STATE_LOAD; i++)
            slope[k][i / WY_STATE_LOAD][i % WY_STATE_LOAD] = 0.0;
        if (spot->pull && !g->pulling) continue;
        WY_TRY(wy_state_load_slopes(&spot->state_point, t, factor, &state, &steps, NULL, 0,
                                    slope[k], err));
    }
    return WITHY_OK;
}

/* A load with stiffness k on a node of mass m adds k/m to the square of its highest frequency, which
 * may not exceed 4/h^2. */
withy_status wy_fdtd_state_load_limit(wy_fdtd_group *g, double limit, withy_error *err) {
    for (int k = 0; k < g->spot_count; k++) {
        const wy_fdtd_spot *spot = &g->spot[k];
        double slope[6][WY_STATE_LOAD], a[6][6], stiff = 0;
        const withy_section_state state = state_at(g, spot, WY_FDTD_AT);
        const wy_state_load_steps steps = wy_state_load_steps_of(
            g->length[spot->lane], 1e3 * g->n * g->rate.h, v3_norm(state.velocity), 0.0);
        if (spot->pull) continue;
        WY_TRY(wy_state_load_slopes(&spot->state_point, 0.0, 1.0, &state, &steps, NULL, 0, slope,
                                    err));
        mobility(g, spot, a);
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) sum += fabs(slope[r][c]);
            stiff = wy_max(stiff, sum);
        }
        const double h = g->rate.h, extra = 2 * a[0][0] * stiff / h; /* k/m */
        if (h * h * (0.25 * extra + 1 / (limit * limit)) <= 1 + 1e-9) continue;
        return wy_bad_input(
            err,
            "fdtd: the load at s = %g is so stiff (%.3g N/m at t = 0) that a step of "
            "%.4g s is unstable; use options.dt of at most %.4g s",
            spot->state_point.s, stiff, h, 1 / sqrt(0.25 * extra + 1 / (limit * limit)));
    }
    return WITHY_OK;
}
