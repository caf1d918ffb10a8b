/* load.c - what acts on the rod (docs/theory/se3.md, Equations).
 *
 *   F     = (R^T m, R^T f) dead, constant components follower, (0, rho A R^T g)
 *           - (c_w w, c v + c_q |v| v)
 *   W     = follower + (R^T m, R^T f) + (c x G, G) - (M_t eta_t - ad_eta^T M_t eta),  G = m_t R^T g
 *   l_k   = (r_k x t_k, t_k),   t_k = p_k/|p_k|,   p_k = v + u x r_k + r_k'
 *
 * The frame at the time of evaluation is local, so that the chain of 12 x 12 blocks keeps its shape:
 * R = R_i exp(phi), phi = turn w + lag w_i, and d(R^T a)/dw = (R^T a)^ Jr(phi) turn.  The midpoint rule
 * adds to a velocity in the section what is the change of that in the laboratory with R = R_i (1 + phi^), and
 * does the work of a dead load with it (docs/theory/se3.md).
 * A tendon anchored at the tip adds nothing there: Lam(L), which contains it, equals W.
 */
#include "method/se3/se3.h"

/* ---- frames ---------------------------------------------------------------------------------- */

static mat3 scaled(double k, mat3 m) {
    return (mat3){v3_scale(k, m.c1), v3_scale(k, m.c2), v3_scale(k, m.c3)};
}

static wy_se3_frame frame_at(const wy_se3 *x, int point, const double eta[6],
                             const double eta0[6]) {
    const wy_se3_rule *rule = &x->step->rule;
    const mat3 before = x->state.g[point].turn;
    const vec3 phi = v3_axpy(v3_scale(rule->turn, v3_from(eta)), rule->lag, v3_from(eta0));
    if (rule->at < 1)
        return (wy_se3_frame){m3_mulm(before, se3_series_matrix(phi, 1, 1, 0)), before,
                              scaled(rule->turn, m3_identity())};
    const mat3 frame = m3_mulm(before, so3_exp(phi));
    return (wy_se3_frame){frame, frame, scaled(rule->turn, so3_right_jacobian(phi))};
}

/* slope[row .. row+2][0 .. 2] += a^ j */
static void add_turned(vec3 a, mat3 j, int row, double slope[6][6]) {
    const vec3 column[3] = {v3_cross(a, j.c1), v3_cross(a, j.c2), v3_cross(a, j.c3)};
    for (int c = 0; c < 3; c++) {
        slope[row][c] += column[c].x;
        slope[row + 1][c] += column[c].y;
        slope[row + 2][c] += column[c].z;
    }
}

void wy_se3_add_dead(const double dead[6], const wy_se3_frame *frame, double f[6],
                     double slope[6][6]) {
    for (int part = 0; part < 2; part++) {
        const vec3 lab = v3_from(dead + 3 * part), a = m3_tmul(frame->of, lab);
        f[3 * part] += a.x, f[3 * part + 1] += a.y, f[3 * part + 2] += a.z;
        add_turned(m3_tmul(frame->turned, lab), frame->jacobian, 3 * part, slope);
    }
}

/* ---- along the rod --------------------------------------------------------------------------- */

static void add_drag(const wy_se3 *x, const double eta[6], double f[6], double fj[6][6]) {
    const withy_rod *rod = x->plan.rod;
    const double speed = v3_norm(v3_from(eta + 3));
    for (int i = 0; i < 6; i++) {
        const double c = i < 3 ? rod->drag_spin : rod->drag_linear;
        f[i] -= c * eta[i];
        fj[i][i] -= c;
    }
    if (!(rod->drag_quadratic > 0) || speed == 0) return;
    for (int i = 3; i < 6; i++) {
        f[i] -= rod->drag_quadratic * speed * eta[i];
        fj[i][i] -= rod->drag_quadratic * speed;
        for (int k = 3; k < 6; k++) fj[i][k] -= rod->drag_quadratic * eta[i] * eta[k] / speed;
    }
}

void wy_se3_force_at(const wy_se3 *x, int point, const double eta[6], const double eta0[6],
                     double f[6], double fj[6][6]) {
    const wy_se3_force *force = &x->work.force[point];
    double unused[6][6], (*slope)[6] = fj ? fj : unused;
    memcpy(f, force->body, 6 * sizeof *f);
    memset(slope, 0, sizeof unused);
    if (x->plan.turns) {
        const wy_se3_frame frame = frame_at(x, point, eta, eta0);
        wy_se3_add_dead(force->dead, &frame, f, slope);
    }
    if (x->step->rule.moves) add_drag(x, eta, f, slope);
    wy_se3_state_load(x, point, point, eta, eta0, f, fj);
}

void wy_se3_forces_at(const wy_se3 *x, int point, const double eta[6], const double eta0[6],
                      double f[3][6]) {
    double all[6], unused[6][6] = {{0}};
    memset(f, 0, 18 * sizeof(double));
    wy_se3_force_at(x, point, eta, eta0, all, NULL);
    add_drag(x, eta, f[2], unused);
    if (x->plan.turns) {
        const wy_se3_frame frame = frame_at(x, point, eta, eta0);
        const double mass = x->now->factor * x->plan.point[point].m[3];
        v3_to(v3_scale(mass, m3_tmul(frame.of, x->plan.problem->gravity)), f[0] + 3);
    }
    for (int i = 0; i < 6; i++) f[1][i] = all[i] - f[0][i] - f[2][i];
}

/* ---- at the ends ----------------------------------------------------------------------------- */

/* -(M_t eta_t - ad_eta^T M_t eta) and -(c0 M_t - ad_eta^T M_t - G(M_t eta)). */
static void add_body(const wy_se3_end *end, const double eta[6], const double eta_t[6], double c0,
                     wy_se3_wrench *w) {
    double momentum[6], rate[6], gyro[6];
    wy_se3_momentum(end, eta, momentum);
    wy_se3_momentum(end, eta_t, rate);
    se3_ad_transposed(eta, momentum, gyro);
    for (int c = 0; c < 6; c++) {
        const double e[6] = {c == 0, c == 1, c == 2, c == 3, c == 4, c == 5};
        double column[6], a[6], b[6];
        for (int i = 0; i < 6; i++) column[i] = end->body[i][c];
        se3_ad_transposed(eta, column, a);
        se3_ad_transposed(e, momentum, b);
        for (int i = 0; i < 6; i++) w->slope[i][c] += a[i] + b[i] - c0 * column[i];
    }
    for (int i = 0; i < 6; i++) w->sum[i] += gyro[i] - rate[i];
}

/* (c x G, G), G = m_t R^T g, and its slope. */
static void add_weight(const wy_se3 *x, const wy_se3_end *end, const wy_se3_frame *frame,
                       wy_se3_wrench *w) {
    const vec3 g = v3_scale(end->mass * x->now->factor, x->plan.problem->gravity);
    const double lab[6] = {0, 0, 0, g.x, g.y, g.z};
    double slope[6][6] = {{0}};
    wy_se3_add_dead(lab, frame, w->weight, slope);
    v3_to(v3_cross(end->offset, v3_from(w->weight + 3)), w->weight);
    for (int c = 0; c < 3; c++) {
        const vec3 down = v3(slope[3][c], slope[4][c], slope[5][c]);
        const vec3 arm = v3_cross(end->offset, down);
        slope[0][c] = arm.x, slope[1][c] = arm.y, slope[2][c] = arm.z;
    }
    for (int i = 0; i < 6; i++) {
        w->sum[i] += w->weight[i];
        for (int c = 0; c < 3; c++) w->slope[i][c] += slope[i][c];
    }
}

void wy_se3_end_wrench(const wy_se3 *x, int e, const double eta[6], const double eta_t[6],
                       double c0) {
    const int node = e ? x->plan.n : 0;
    const wy_se3_end *end = &x->plan.end[e];
    wy_se3_wrench *w = &x->step->end[e];
    const wy_se3_frame frame = frame_at(x, 2 * node, eta, x->state.eta0[node]);
    memcpy(w->sum, w->follow, sizeof w->sum);
    memset(w->slope, 0, sizeof w->slope);
    memset(w->weight, 0, sizeof w->weight);
    wy_se3_add_dead(w->dead, &frame, w->sum, w->slope);
    wy_se3_state_load(x, x->plan.points + e, 2 * node, eta, x->state.eta0[node], w->sum, w->slope);
    if (end->mass > 0) add_weight(x, end, &frame, w);
    memcpy(x->now->applied[e], w->sum, sizeof w->sum);
    if (end->has_body && x->step->rule.moves) add_body(end, eta, eta_t, c0, w);
}

/* Velocity of a held end at t in its own frame, by second-order differences of past values only,
 * because a driven pose may be known only up to now. */
withy_status wy_se3_end_motion(wy_se3 *x, int e, double t, double eta[6], withy_error *err) {
    const wy_se3_end *end = &x->plan.end[e];
    memset(eta, 0, 6 * sizeof *eta);
    if (!end->end.drives_position && !end->end.drives_frame) return WITHY_OK;
    double delta = wy_max(1e-3 * x->plan.opt.dt, 1e-7 * (1 + fabs(t)));
    if (t < 2 * delta) delta = -delta; /* forward at the start */
    wy_pose pose[3];
    for (int i = 0; i < 3; i++) WY_TRY(wy_end_pose(&end->end, t - i * delta, &pose[i], err));
    const wy_motion now = {pose[0].frame, pose[0].r};
    vec3 w[3], v[3];
    for (int i = 1; i < 3; i++)
        se3_log(se3_between(now, (wy_motion){pose[i].frame, pose[i].r}), &w[i], &v[i]);
    vec3 spin = v3_scale(0.5 / delta, v3_axpy(w[2], -4, w[1]));
    vec3 speed = v3_scale(0.5 / delta, v3_axpy(v[2], -4, v[1]));
    const bool whole = end->held[0] && end->held[2] && end->held[3];
    if (!whole) { /* the section turns on its own: express both in the frame it is expected to have */
        const int node = e ? x->plan.n : 0;
        const vec3 ahead = v3_scale(t - x->now->t, v3_from(x->state.eta0[node]));
        const mat3 own = m3_mulm(x->state.g[2 * node].turn, so3_exp(ahead));
        spin = m3_tmul(own, m3_mul(now.turn, spin));
        speed = m3_tmul(own, m3_mul(now.turn, speed));
    }
    v3_to(spin, eta);
    v3_to(speed, eta + 3);
    return WITHY_OK;
}

/* ---- tendons --------------------------------------------------------------------------------- */

double wy_se3_tendon_length(const wy_se3 *x, const wy_tendon *tendon, double (*xi)[6]) {
    double sum = 0, l[6];
    for (int j = 0; j <= x->plan.n; j++)
        sum +=
            wy_se3_width(x, j) * tendon->weight[2 * j] * wy_tendon_tension(tendon, 2 * j, xi[j], l);
    return sum;
}

withy_status wy_se3_tendons(wy_se3 *x, const double *s, wy_arena *arena, withy_error *err) {
    wy_se3_plan *p = &x->plan;
    const withy_rod *rod = p->rod;
    p->tendon = wy_arena_alloc(arena, (size_t)rod->load_count + 1, sizeof *p->tendon);
    if (!p->tendon) return wy_no_memory(err, "se3: no memory for the tendons");
    for (int i = 0; i < rod->load_count; i++) {
        if (rod->load[i].kind != WITHY_LOAD_TENDON) continue;
        const int number = p->tendon_count++;
        wy_tendon *tendon = &p->tendon[number];
        WY_TRY(wy_tendon_trace(rod, &rod->load[i], p->points, s, p->h, arena, tendon, err));
        if (rod->load[i].displacement.size) { /* at most WY_SE3_EXTRA: accept */
            tendon->column = p->extra++;
            p->unknown[tendon->column] = number;
        }
        tendon->length0 = wy_se3_tendon_length(x, tendon, p->first);
    }
    return WITHY_OK;
}

/* ---- values at the time of evaluation -------------------------------------------------------- */

/* Where loads along the rod act: at the nodes (rk4: at the middles of cells too), by how much of the
 * cell around them they cover; a point load in its cell. */
withy_status wy_se3_load_points(wy_se3 *x, const double *s, const wy_setup *setup,
                                withy_error *err) {
    wy_se3_plan *p = &x->plan;
    const int stride = p->opt.scheme == WY_SE3_RK4 ? 1 : 2, nodes = (p->points - 1) / stride + 1;
    double *edge = wy_arena_alloc(setup->arena, (size_t)p->n + 1, sizeof *edge);
    double *node = wy_arena_alloc(setup->arena, 2 * (size_t)nodes, sizeof *node);
    if (!edge || !node) return wy_no_memory(err, "se3: no memory for the loads");
    for (int j = 0; j <= p->n; j++) edge[j] = s[2 * j];
    for (int i = 0; i < nodes; i++) node[i] = s[stride * i], node[nodes + i] = 1;
    const wy_load_rule rule = {.cells = p->n,
                               .edge = edge,
                               .nodes = nodes,
                               .node = node,
                               .share = node + nodes,
                               .reach = 0.5 * p->h};
    WY_TRY(wy_model_load_points(setup->model, 0, 1, &rule, setup->arena, &p->pull, err));
    return wy_model_load_points(setup->model, 0, 0, &rule, setup->arena, &p->load, err);
}

/* share (m, n) into a wrench */
static void add_wrench(double share, vec3 moment, vec3 force, double to[6]) {
    v3_to(v3_axpy(v3_from(to), share, moment), to);
    v3_to(v3_axpy(v3_from(to + 3), share, force), to + 3);
}

/* A point load between two nodes is shared by the lever rule; what acts on an end node is
 * a wrench on that end. */
static void add_point_load(wy_se3 *x, const wy_load_point *at, vec3 force, vec3 moment) {
    const wy_se3_plan *p = &x->plan;
    const double right = at->s / p->h - at->cell;
    for (int side = 0; side < 2; side++) {
        const double share = side ? right : 1 - right;
        const int node = at->cell + side, follows = at->load->follower;
        if (!(share > 1e-9)) continue;
        wy_se3_wrench *end = node == 0 ? &x->step->end[0] : node == p->n ? &x->step->end[1] : NULL;
        wy_se3_force *along = &x->work.force[2 * node];
        if (end)
            add_wrench(share, moment, force, follows ? end->follow : end->dead);
        else
            add_wrench(share / p->h, moment, force, follows ? along->body : along->dead);
    }
}

static withy_status end_loads(wy_se3 *x, int e, double t, withy_error *err) {
    const withy_end *given = x->plan.end[e].end.end;
    const double s = x->plan.end[e].end.s, factor = x->now->factor;
    wy_se3_wrench *w = &x->step->end[e];
    vec3 force, moment;
    memset(w->dead, 0, sizeof w->dead);
    memset(w->follow, 0, sizeof w->follow);
    if (wy_end_uses_state(given)) return WITHY_OK;
    WY_TRY(wy_load_value(&given->force, s, t, factor, &force, err));
    WY_TRY(wy_load_value(&given->moment, s, t, factor, &moment, err));
    add_wrench(1, moment, force, given->follower ? w->follow : w->dead);
    return WITHY_OK;
}

static void gravity_loads(wy_se3 *x) {
    const int stride = x->plan.opt.scheme == WY_SE3_RK4 ? 1 : 2;
    const vec3 g = v3_scale(x->now->factor, x->plan.problem->gravity);
    for (int p = 0; p < x->plan.points; p += stride) {
        const double mass = x->plan.point[p].m[3];
        x->work.force[p] = (wy_se3_force){.dead = {0, 0, 0, mass * g.x, mass * g.y, mass * g.z}};
    }
}

static withy_status loads_along(wy_se3 *x, const wy_load_points *load, double t, withy_error *err) {
    const int stride = x->plan.opt.scheme == WY_SE3_RK4 ? 1 : 2;
    for (int i = 0; i < load->count; i++) {
        const wy_load_point *at = &load->point[i];
        vec3 force, moment;
        if (wy_load_uses_state(at->load)) continue;
        WY_TRY(wy_load_point_value(at, t, x->now->factor, &force, &moment, err));
        if (at->node < 0) {
            add_point_load(x, at, force, moment);
            continue;
        }
        wy_se3_force *to = &x->work.force[stride * at->node];
        add_wrench(1, moment, force, at->load->follower ? to->body : to->dead);
    }
    return WITHY_OK;
}

/* Given tensions at t; prescribed lengths at t_new. */
static withy_status tendon_loads(wy_se3 *x, double t, double t_new, withy_error *err) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        const bool given = tendon->column < 0;
        double value;
        WY_TRY(wy_tendon_value(tendon, given ? t : t_new, x->now->factor, &value, err));
        if (given)
            x->state.tension[k] = value;
        else
            x->step->target[tendon->column] = tendon->length0 - value;
    }
    return WITHY_OK;
}

withy_status wy_se3_loads(wy_se3 *x, double t, double t_new, withy_error *err) {
    if (x->plan.has_force) gravity_loads(x);
    wy_se3_state_load_begin(x, t);
    for (int e = 0; e < 2; e++) WY_TRY(end_loads(x, e, t, err));
    WY_TRY(loads_along(x, &x->plan.load, t, err));
    if (x->now->pulls) WY_TRY(loads_along(x, &x->plan.pull, t, err));
    return tendon_loads(x, t, t_new, err);
}
