/* group.c - memory, coefficients and initial state of a group of rods. */
#include "method/fdtd/fdtd.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static int take(wy_arena *arena, size_t count, int fields, double **field) {
    for (int d = 0; d < fields; d++) {
        double *x = wy_arena_take(arena, count, sizeof *x);
        if (!x) return 0;
        field[d] = x + WY_FDTD_GHOST;
    }
    return 1;
}

static withy_status take_all(wy_fdtd_group *g, wy_arena *arena, withy_error *err) {
    /* a last, incomplete pack may reach seven numbers beyond the last node */
    const size_t count = (size_t)(g->n + 1) * (size_t)g->lanes + 2 * WY_FDTD_GHOST;
    double **const three[] = {
        g->r,  g->p,       g->w,      g->nn,         g->tau,        g->f,         g->turn,
        g->kn, g->n0,      g->km,     g->m0,         g->load,       g->wf,        g->wg,
        g->we, g->inertia, g->couple, g->stiff_half, g->stiff_node, g->rest_half, g->rest_node};
    double **const four[] = {g->q, g->gb, g->ga};
    double **const one[] = {&g->pe,        &g->pf,        &g->mass,
                            &g->drag_line, &g->drag_turn, &g->drag_square};
    double **const damped[] = {g->en, g->eo, g->zn, g->zo, g->cn, g->cm};
    int ok = 1;
    for (size_t i = 0; i < sizeof three / sizeof *three; i++) ok &= take(arena, count, 3, three[i]);
    for (size_t i = 0; i < sizeof four / sizeof *four; i++) ok &= take(arena, count, 4, four[i]);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) ok &= take(arena, count, 1, one[i]);
    for (size_t i = 0; g->viscous && i < sizeof damped / sizeof *damped; i++)
        ok &= take(arena, count, 3, damped[i]);
    if (!ok) return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for n = %d", g->n);
    /* beyond the rod: unit frames, so that nothing there is ever divided by zero */
    for (size_t k = 0; k < count; k++) g->q[0][(ptrdiff_t)k - WY_FDTD_GHOST] = 1.0;
    return WITHY_OK;
}

/* ---- coefficients ---------------------------------------------------------------------------- */

double wy_fdtd_station(const wy_fdtd_group *g, int lane, double index) {
    return g->problem->rod[g->rod[lane]].length * index / g->n;
}

static const withy_rod *rod_of(const wy_fdtd_group *g, int lane) {
    return &g->problem->rod[g->rod[lane]];
}

/* Dilation switched off: n3 = (T/lambda) v3, a spring without rest length that has the same
 * equilibrium and the same linear transverse motion, but lets x and y decouple (section 5). */
static void switch_off_dilation(const wy_fdtd_group *g, int lane, double k[WITHY_STRAINS],
                                double rest[WITHY_STRAINS]) {
    const double stretch = g->stretch0[lane];
    k[WITHY_STRETCH] *= (stretch - 1.0) / stretch;
    rest[WITHY_STRETCH] = -1.0; /* v0 = 0 */
}

static withy_status fill_half(wy_fdtd_group *g, int lane, int j,
                              const double rest_in[WITHY_STRAINS], const wy_fdtd_options *opt,
                              withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    const double s = wy_fdtd_station(g, lane, j + 0.5);
    const double weight = g->length[lane] / g->n * wy_fdtd_half_weight(g->op, j);
    const int x = j * g->lanes + lane;
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS], c[WITHY_STRAINS], rest[WITHY_STRAINS];
    WY_TRY(wy_stiffness_at(rod, s, k, err));
    WY_TRY(wy_inertia_at(rod, s, rho, err));
    WY_TRY(wy_damping_at(rod, s, c, err));
    for (int d = 0; d < WITHY_STRAINS; d++) rest[d] = rest_in[d];
    const double add = g->alpha * g->alpha_step * g->alpha_step;
    rho[WITHY_ROTARY1] += add * k[WITHY_SHEAR2];
    rho[WITHY_ROTARY2] += add * k[WITHY_SHEAR1];
    if (opt->dilation == WY_FDTD_DILATION_OFF) switch_off_dilation(g, lane, k, rest);
    for (int d = 0; d < 3; d++) {
        const double v0 = rest[d] + (d == 2);
        g->stiff_half[d][x] = k[d], g->rest_half[d][x] = v0;
        g->kn[d][x] = k[d] / weight, g->n0[d][x] = -k[d] * v0;
        if (g->viscous) g->cn[d][x] = c[d] / weight;
        g->inertia[d][x] = rho[WITHY_ROTARY1 + d] * weight;
    }
    g->drag_turn[x] = rod->drag_spin * weight;
    return WITHY_OK;
}

static withy_status fill_node(wy_fdtd_group *g, int lane, int i, const double rest[WITHY_STRAINS],
                              withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    const double s = wy_fdtd_station(g, lane, i);
    const double weight = g->length[lane] / g->n * wy_fdtd_node_weight(g->op, i);
    const int x = i * g->lanes + lane;
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS], c[WITHY_STRAINS];
    WY_TRY(wy_stiffness_at(rod, s, k, err));
    WY_TRY(wy_inertia_at(rod, s, rho, err));
    WY_TRY(wy_damping_at(rod, s, c, err));
    for (int d = 0; d < 3; d++) {
        const double stiffness = k[WITHY_BEND1 + d], u0 = rest[WITHY_BEND1 + d];
        g->stiff_node[d][x] = stiffness, g->rest_node[d][x] = u0;
        g->km[d][x] = stiffness / weight, g->m0[d][x] = -stiffness * u0;
        if (g->viscous) g->cm[d][x] = c[WITHY_BEND1 + d] / weight;
    }
    g->mass[x] = rho[WITHY_MASS] * weight;
    if (i == 0) g->mass[x] += rod->end[0].mass;
    if (i == g->n) g->mass[x] += rod->end[1].mass;
    g->drag_line[x] = rod->drag_linear * weight;
    g->drag_square[x] = rod->drag_quadratic * weight;
    return WITHY_OK;
}

/* Everything at the grid; scratch holds strains and stations of halves, then nodes. */
static withy_status fill(wy_fdtd_group *g, int lane, const wy_fdtd_options *opt, double *s,
                         double (*strain)[WITHY_STRAINS], withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    for (int j = 0; j < g->n; j++) s[j] = wy_fdtd_station(g, lane, j + 0.5);
    WY_TRY(wy_shape_strains(rod, &rod->rest, g->n, s, strain, err));
    for (int j = 0; j < g->n; j++) WY_TRY(fill_half(g, lane, j, strain[j], opt, err));
    for (int i = 0; i <= g->n; i++) s[i] = wy_fdtd_station(g, lane, i);
    WY_TRY(wy_shape_strains(rod, &rod->rest, g->n + 1, s, strain, err));
    for (int i = 0; i <= g->n; i++) WY_TRY(fill_node(g, lane, i, strain[i], err));
    return WITHY_OK;
}

/* The factors of the step; drag is taken at mid-step, p+ (1 + c) = p- (1 - c) + ..., which is
 * stable for any c = dt drag / (2 mass). */
void wy_fdtd_group_set_step(wy_fdtd_group *g, double dt) {
    const double old = g->dt;
    g->dt = dt;
    v3_to(v3_scale(dt, g->problem->gravity), g->fall);
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        const double c = 0.5 * dt * g->drag_line[x] / g->mass[x];
        g->pe[x] = (1 - c) / (1 + c), g->pf[x] = dt / g->mass[x] / (1 + c);
        for (int d = 0; g->viscous && d < 3; d++) g->cm[d][x] *= (old > 0 ? old : 1.0) / dt;
    }
    for (int x = 0; x < g->n * g->lanes; x++) {
        const double J[3] = {g->inertia[0][x], g->inertia[1][x], g->inertia[2][x]};
        for (int d = 0; d < 3; d++) {
            const double c = 0.5 * dt * g->drag_turn[x] / J[d];
            g->we[d][x] = (1 - c) / (1 + c), g->wf[d][x] = dt / J[d] / (1 + c);
            g->wg[d][x] = dt * (J[(d + 1) % 3] - J[(d + 2) % 3]) / J[d];
            if (g->viscous) g->cn[d][x] *= (old > 0 ? old : 1.0) / dt;
        }
    }
}

/* ---- initial state --------------------------------------------------------------------------- */

static void set_pose(wy_fdtd_group *g, int lane, int index, const wy_pose *pose, int half) {
    const int x = index * g->lanes + lane;
    if (!half) {
        g->r[0][x] = pose->r.x, g->r[1][x] = pose->r.y, g->r[2][x] = pose->r.z;
        return;
    }
    quat q = q_from_matrix(pose->frame);
    if (index > 0) { /* neighbours must not differ by the sign of the quaternion */
        const int b = x - g->lanes;
        const double dot =
            q.w * g->q[0][b] + q.x * g->q[1][b] + q.y * g->q[2][b] + q.z * g->q[3][b];
        if (dot < 0) q = (quat){-q.w, -q.x, -q.y, -q.z};
    }
    g->q[0][x] = q.w, g->q[1][x] = q.x, g->q[2][x] = q.y, g->q[3][x] = q.z;
}

static withy_status poses(const wy_fdtd_group *g, int lane, int count, double offset, double *s,
                          wy_pose *pose, withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    const withy_shape *shape = wy_initial_shape(rod);
    for (int i = 0; i < count; i++) s[i] = wy_fdtd_station(g, lane, i + offset);
    return wy_shape_poses(rod, shape, count, s, pose, err);
}

static withy_status place(wy_fdtd_group *g, int lane, double *s, wy_pose *pose, withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    WY_TRY(poses(g, lane, g->n + 1, 0.0, s, pose, err));
    for (int i = 0; i <= g->n; i++) {
        vec3 v, spin;
        WY_TRY(wy_velocity_at(rod, wy_fdtd_station(g, lane, i), &v, &spin, err));
        set_pose(g, lane, i, &pose[i], 0);
        const int x = i * g->lanes + lane;
        g->p[0][x] = v.x, g->p[1][x] = v.y, g->p[2][x] = v.z;
    }
    WY_TRY(poses(g, lane, g->n, 0.5, s, pose, err));
    for (int j = 0; j < g->n; j++) {
        vec3 v, spin;
        WY_TRY(wy_velocity_at(rod, wy_fdtd_station(g, lane, j + 0.5), &v, &spin, err));
        set_pose(g, lane, j, &pose[j], 1);
        const vec3 w = m3_tmul(pose[j].frame, spin);
        const int x = j * g->lanes + lane;
        g->w[0][x] = w.x, g->w[1][x] = w.y, g->w[2][x] = w.z;
    }
    return WITHY_OK;
}

/* A held end starts where it is held, at the speed it is led. */
static withy_status settle_end(wy_fdtd_group *g, int which, withy_error *err) {
    wy_fdtd_end *e = &g->end[which];
    for (int lane = 0; lane < g->lanes && e->holds_position; lane++) {
        const int x = (which ? g->n * g->lanes : 0) + lane;
        wy_pose now, later;
        WY_TRY(wy_end_pose(&e->end[lane], 0.0, &now, err));
        WY_TRY(wy_end_pose(&e->end[lane], g->dt, &later, err));
        const vec3 r = v3(g->r[0][x], g->r[1][x], g->r[2][x]);
        const double off = v3_norm(v3_sub(r, now.r)), length = rod_of(g, lane)->length;
        if (!(off <= 1e-6 * length))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "ends.%s.position is %.3g away from where the initial shape %s; move "
                           "one of them",
                           which ? "finish" : "start", off, which ? "ends" : "starts");
        const vec3 speed = v3_scale(1.0 / g->dt, v3_sub(later.r, now.r));
        double p[3], at[3];
        v3_to(speed, p), v3_to(now.r, at);
        for (int d = 0; d < 3; d++) g->p[d][x] = p[d], g->r[d][x] = at[d];
    }
    return WITHY_OK;
}

/* Turn every frame by dt w, dt = factor * step: for looking back in time. */
static void drift(wy_fdtd_group *g, double dt) {
    for (int x = 0; x < (g->n + 1) * g->lanes; x++)
        for (int d = 0; d < 3; d++) g->r[d][x] += dt * g->p[d][x];
    for (int x = 0; x < g->n * g->lanes; x++) {
        const vec3 k = v3_scale(0.25 * dt, v3(g->w[0][x], g->w[1][x], g->w[2][x]));
        const double square = v3_dot(k, k), inverse = 1.0 / (1.0 + square);
        const quat turn = {(1 - square) * inverse, 2 * k.x * inverse, 2 * k.y * inverse,
                           2 * k.z * inverse};
        const quat q = q_mul((quat){g->q[0][x], g->q[1][x], g->q[2][x], g->q[3][x]}, turn);
        g->q[0][x] = q.w, g->q[1][x] = q.x, g->q[2][x] = q.y, g->q[3][x] = q.z;
    }
}

/* Strains one step ago, for the strain rates of the first step. */
static void remember_strains(wy_fdtd_group *g) {
    if (!g->viscous) return;
    drift(g, -g->dt);
    wy_fdtd_forces(g);
    drift(g, g->dt);
    for (int d = 0; d < 3; d++) {
        double *const e = g->eo[d], *const z = g->zo[d];
        g->eo[d] = g->en[d], g->en[d] = e, g->zo[d] = g->zn[d], g->zn[d] = z;
    }
}

/* Change p and w by `time` times the present acceleration (of free nodes). */
static withy_status kick(wy_fdtd_group *g, double time, withy_error *err) {
    WY_TRY(wy_fdtd_loads(g, err));
    WY_TRY(wy_fdtd_ends(g, err));
    wy_fdtd_forces(g);
    g->forced = 0;
    for (int i = 0; i <= g->n; i++) {
        const int end = i == 0 ? 0 : i == g->n ? 1 : -1;
        if (end >= 0 && g->end[end].holds_position) continue;
        for (int lane = 0; lane < g->lanes; lane++) {
            const int x = i * g->lanes + lane;
            for (int d = 0; d < 3; d++) {
                const double tip = end >= 0 ? g->end[end].force[d][lane] : 0.0;
                const double f = g->f[d][x] + g->load[d][x] + tip - g->drag_line[x] * g->p[d][x];
                g->p[d][x] += time * f / g->mass[x];
            }
        }
    }
    for (int x = 0; x < g->n * g->lanes; x++) {
        const double w[3] = {g->w[0][x], g->w[1][x], g->w[2][x]};
        for (int d = 0; d < 3; d++) {
            const double J = g->inertia[d][x];
            const double tau = g->turn[d][x] + g->couple[d][x] - g->drag_turn[x] * w[d];
            g->w[d][x] += time * (tau / J + g->wg[d][x] / g->dt * w[(d + 1) % 3] * w[(d + 2) % 3]);
        }
    }
    return WITHY_OK;
}

/* p and w of half a step before t = 0. */
withy_status wy_fdtd_group_start(wy_fdtd_group *g, withy_error *err) {
    g->factor = 1.0;
    for (int end = 0; end < 2; end++) WY_TRY(settle_end(g, end, err));
    WY_TRY(wy_fdtd_loads(g, err));
    WY_TRY(wy_fdtd_ends(g, err));
    remember_strains(g);
    return kick(g, -0.5 * g->dt, err);
}

withy_status wy_fdtd_group_change_step(wy_fdtd_group *g, double dt, withy_error *err) {
    WY_TRY(kick(g, 0.5 * (g->dt - dt), err));
    if (g->viscous) /* the strains of a step ago belong to the old step: scale their difference */
        for (int d = 0; d < 3; d++)
            for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
                g->eo[d][x] = g->en[d][x] + dt / g->dt * (g->eo[d][x] - g->en[d][x]);
                g->zo[d][x] = g->zn[d][x] + dt / g->dt * (g->zo[d][x] - g->zn[d][x]);
            }
    wy_fdtd_group_set_step(g, dt);
    return WITHY_OK;
}

withy_status wy_fdtd_group_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err) {
    const wy_fdtd_options *opt = setup->options;
    const size_t count = (size_t)g->n + 1;
    double *s = wy_arena_take(setup->arena, count, sizeof *s);
    double(*strain)[WITHY_STRAINS] = wy_arena_take(setup->arena, count, sizeof *strain);
    wy_pose *pose = wy_arena_take(setup->arena, count, sizeof *pose);
    if (!s || !strain || !pose)
        return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for n = %d", g->n);
    WY_TRY(take_all(g, setup->arena, err));
    for (int lane = 0; lane < g->lanes; lane++) {
        WY_TRY(fill(g, lane, opt, s, strain, err));
        WY_TRY(place(g, lane, s, pose, err));
        for (int end = 0; end < 2; end++)
            WY_TRY(wy_end_prepare(rod_of(g, lane), end, &g->end[end].end[lane], err));
    }
    return WITHY_OK;
}
