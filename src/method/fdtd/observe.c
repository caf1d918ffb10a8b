/* observe.c - what a rod of a group shows: strains, velocities, energies, momenta, reactions.
 *
 * p and w live half a step back; here they are carried to the present with the present forces,
 * p = p- + dt a/2.  The energy that leapfrog keeps exactly when the motion is linear is
 *
 *   E = 1/2 <p-, M p+> + 1/2 <w-, J w+> + V,      p+ = p- + dt a
 */
#include "method/fdtd/fdtd.h"

withy_status wy_fdtd_view_make(wy_fdtd_view *view, int n, wy_arena *arena, withy_error *err) {
    const size_t nodes = (size_t)n + 1;
    view->s = wy_arena_take(arena, nodes, sizeof *view->s);
    view->r = wy_arena_take(arena, nodes, sizeof *view->r);
    view->p = wy_arena_take(arena, nodes, sizeof *view->p);
    view->q = wy_arena_take(arena, nodes, sizeof *view->q);
    view->w = wy_arena_take(arena, nodes, sizeof *view->w);
    view->v = wy_arena_take(arena, nodes, sizeof *view->v);
    view->u = wy_arena_take(arena, nodes, sizeof *view->u);
    view->qn = wy_arena_take(arena, nodes, sizeof *view->qn);
    if (!view->s || !view->r || !view->p || !view->q || !view->w || !view->v || !view->u ||
        !view->qn)
        return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for n = %d", n);
    return WITHY_OK;
}

static vec3 at3(double *const x[3], int k) {
    return v3(x[0][k], x[1][k], x[2][k]);
}
static quat at4(double *const x[4], int k) {
    return (quat){x[0][k], x[1][k], x[2][k], x[3][k]};
}

/* One row of an operator applied to the column of one rod: closure rows from the blocks. */
typedef struct row {
    int first, count;
    double weight[2 * WY_FDTD_COLS];
} row;

static row closed_row(const wy_fdtd_block *block, int end, int index, int points) {
    row r = {.first = end ? points - block->cols : 0, .count = block->cols};
    for (int c = 0; c < block->cols; c++) r.weight[c] = block->m[c][index];
    return r;
}

/* Which end's closure the row belongs to, or -1; *index: its row in the block. */
static int closure_of(const wy_fdtd_operator *op, int i, int rows, int *index) {
    if (op->order == 2) return -1;
    if (i < op->rows) return *index = i, 0;
    if (rows - 1 - i < op->rows) return *index = WY_FDTD_ROWS - 1 - (rows - 1 - i), 1;
    return -1;
}

static row q_row(const wy_fdtd_operator *op, int j) {
    int index;
    const int end = closure_of(op, j, op->n, &index);
    if (end >= 0) return closed_row(&op->q[end], end, index, op->n + 1);
    row r = {.first = j + 1 - op->reach, .count = 2 * op->reach};
    for (int l = 0; l < op->reach; l++)
        r.weight[op->reach + l] = op->c[l], r.weight[op->reach - 1 - l] = -op->c[l];
    return r;
}

/* -Q^T; order 2 only inside. */
static row qt_row(const wy_fdtd_operator *op, int i) {
    int index;
    const int end = closure_of(op, i, op->n + 1, &index);
    if (end >= 0) {
        row r = closed_row(&op->qt[end], end, index, op->n);
        for (int c = 0; c < r.count; c++) r.weight[c] = -r.weight[c];
        return r;
    }
    row r = {.first = i - op->reach, .count = 2 * op->reach};
    for (int l = 0; l < op->reach; l++)
        r.weight[op->reach + l] = op->c[l], r.weight[op->reach - 1 - l] = -op->c[l];
    return r;
}

static row i_row(const wy_fdtd_operator *op, int i) {
    int index;
    const int end = closure_of(op, i, op->n + 1, &index);
    if (end >= 0) return closed_row(&op->i[end], end, index, op->n);
    row r = {.first = i - op->reach, .count = 2 * op->reach};
    for (int l = 0; l < op->reach; l++)
        r.weight[op->reach + l] = op->e[l], r.weight[op->reach - 1 - l] = op->e[l];
    if (op->order == 2 && (i == 0 || i == op->n)) {
        r = (row){.first = i ? op->n - 2 : 0, .count = 2};
        r.weight[i ? 1 : 0] = 1.5, r.weight[i ? 0 : 1] = -0.5;
    }
    return r;
}

static quat row_frames(const row *r, const quat *q) {
    quat sum = {0, 0, 0, 0};
    for (int c = 0; c < r->count; c++) {
        const quat a = q[r->first + c];
        const double k = r->weight[c];
        sum.w += k * a.w, sum.x += k * a.x, sum.y += k * a.y, sum.z += k * a.z;
    }
    return sum;
}

/* 2 Im(a* b)/|a|^2 */
static vec3 strain_of(quat a, quat b) {
    const quat z = q_mul(q_conj(a), b);
    const double k = 2.0 / (a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return v3(k * z.x, k * z.y, k * z.z);
}

static int end_at(const wy_fdtd_group *g, int i) {
    return i == 0 ? 0 : i == g->n ? 1 : -1;
}

/* u at a node; at an end from the held frame, or from the applied couple. */
static vec3 bend_at(const wy_fdtd_group *g, int lane, int i, const wy_fdtd_view *view) {
    const int end = end_at(g, i), x = i * g->lanes + lane;
    const double weight = g->length[lane] / g->n * wy_fdtd_node_weight(g->op, i);
    if (end >= 0 && !g->end[end].holds_direction) {
        vec3 u = at3(g->rest_node, x);
        if (!g->end[end].loaded) return u;
        return v3(u.x + g->end[end].moment[0][lane] / g->stiff_node[0][x],
                  u.y + g->end[end].moment[1][lane] / g->stiff_node[1][x],
                  u.z + g->end[end].moment[2][lane] / g->stiff_node[2][x]);
    }
    quat a = view->qn[i], b;
    if (g->op->order == 2 && end >= 0) {
        b = view->q[end ? g->n - 1 : 0];
        if (end) b = (quat){-b.w, -b.x, -b.y, -b.z};
    } else {
        if (end < 0) {
            const row mean = i_row(g->op, i);
            a = row_frames(&mean, view->q);
        }
        const row r = qt_row(g->op, i);
        b = row_frames(&r, view->q);
    }
    vec3 u = v3_scale(1.0 / weight, strain_of(a, b));
    if (end >= 0 && g->end[end].turns_free) u.z = g->rest_node[2][x];
    return u;
}

/* Frame at a node, unit. */
static quat frame_at(const wy_fdtd_group *g, int lane, int i, const wy_fdtd_view *view) {
    const int end = end_at(g, i);
    if (end >= 0 && g->end[end].holds_direction) {
        const wy_fdtd_end *e = &g->end[end];
        quat a = {e->q[0][lane], e->q[1][lane], e->q[2][lane], e->q[3][lane]};
        if (e->turns_free) {
            const quat z = q_mul(q_conj(a), view->q[end ? g->n - 1 : 0]);
            a = q_mul(a, q_unit((quat){z.w, 0, 0, z.z}));
        }
        return a;
    }
    const row mean = i_row(g->op, i);
    return q_unit(row_frames(&mean, view->q));
}

static void collect(wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    view->drift = 0.0;
    for (int i = 0; i <= g->n; i++) {
        view->s[i] = wy_fdtd_station(g, lane, i);
        view->r[i] = at3(g->r, i * g->lanes + lane);
    }
    for (int j = 0; j < g->n; j++) {
        view->q[j] = at4(g->q, j * g->lanes + lane);
        view->drift = wy_max(view->drift, fabs(q_norm(view->q[j]) - 1.0));
    }
    for (int i = 0; i <= g->n; i++) view->qn[i] = frame_at(g, lane, i, view);
    for (int j = 0; j < g->n; j++) {
        const row r = q_row(g->op, j);
        const double weight = g->length[lane] / g->n * wy_fdtd_half_weight(g->op, j);
        vec3 d = v3(0, 0, 0);
        for (int c = 0; c < r.count; c++) d = v3_axpy(d, r.weight[c], view->r[r.first + c]);
        view->v[j] = v3_scale(1.0 / weight, m3_tmul(q_matrix(view->q[j]), d));
    }
    for (int i = 0; i <= g->n; i++) view->u[i] = bend_at(g, lane, i, view);
}

static double half_square(vec3 stiffness, vec3 e) {
    return 0.5 * (stiffness.x * e.x * e.x + stiffness.y * e.y * e.y + stiffness.z * e.z * e.z);
}

static void add_strain_energy(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    const double h = g->length[lane] / g->n;
    withy_energies *sum = &view->energy;
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const double weight = h * wy_fdtd_half_weight(g->op, j);
        const vec3 k = at3(g->stiff_half, x), e = v3_sub(view->v[j], at3(g->rest_half, x));
        sum->shear += weight * half_square(v3(k.x, k.y, 0), e);
        sum->stretch += weight * half_square(v3(0, 0, k.z), e);
    }
    for (int i = 0; i <= g->n; i++) {
        const int end = end_at(g, i), x = i * g->lanes + lane;
        if (end >= 0 && !g->end[end].holds_direction) continue; /* no energy at a free end node */
        const double weight = h * wy_fdtd_node_weight(g->op, i);
        const vec3 k = at3(g->stiff_node, x), e = v3_sub(view->u[i], at3(g->rest_node, x));
        sum->bend += weight * half_square(v3(k.x, k.y, 0), e);
        sum->twist += weight * half_square(v3(0, 0, k.z), e);
    }
}

/* Velocities at the present, kinetic energy (plain and staggered) and momenta. */
static void add_motion(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    double plain = 0, staggered = 0, potential = 0;
    vec3 linear = v3(0, 0, 0), angular = linear;
    for (int i = 0; i <= g->n; i++) {
        const int end = end_at(g, i), x = i * g->lanes + lane;
        const double mass = g->mass[x];
        const vec3 p = at3(g->p, x), f = v3_add(at3(g->f, x), at3(g->load, x));
        vec3 tip = v3(0, 0, 0), a = tip;
        if (end >= 0)
            tip = v3(g->end[end].force[0][lane], g->end[end].force[1][lane],
                     g->end[end].force[2][lane]);
        const int held = end >= 0 && g->end[end].holds_position;
        if (!held) a = v3_scale(1.0 / mass, v3_axpy(v3_add(f, tip), -g->drag_line[x], p));
        if (held) { /* mass times acceleration of a led end is left out: it is led */
            view->force[end] = v3_scale(-1.0, v3_add(f, tip));
        } else if (end >= 0) {
            view->force[end] = v3(0, 0, 0);
        }
        view->p[i] = v3_axpy(p, 0.5 * g->dt, a);
        plain += 0.5 * mass * v3_dot(view->p[i], view->p[i]);
        staggered += 0.5 * mass * v3_dot(p, v3_axpy(p, g->dt, a));
        potential -= v3_dot(v3_add(at3(g->load, x), tip), view->r[i]);
        view->energy.gravity -= mass * v3_dot(g->problem->gravity, view->r[i]);
        linear = v3_axpy(linear, mass, view->p[i]);
        angular = v3_axpy(angular, mass, v3_cross(view->r[i], view->p[i]));
    }
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const vec3 w = at3(g->w, x), J = at3(g->inertia, x);
        const vec3 tau = v3_add(at3(g->turn, x), at3(g->couple, x));
        const vec3 rate = v3(tau.x / J.x + g->wg[0][x] / g->dt * w.y * w.z,
                             tau.y / J.y + g->wg[1][x] / g->dt * w.z * w.x,
                             tau.z / J.z + g->wg[2][x] / g->dt * w.x * w.y);
        view->w[j] = v3_axpy(w, 0.5 * g->dt, rate);
        const vec3 now = view->w[j], next = v3_axpy(w, g->dt, rate);
        const vec3 Jw = v3(J.x * now.x, J.y * now.y, J.z * now.z);
        plain += 0.5 * v3_dot(Jw, now);
        staggered += 0.5 * (J.x * w.x * next.x + J.y * w.y * next.y + J.z * w.z * next.z);
        angular = v3_add(angular, q_turn(view->q[j], Jw));
    }
    view->energy.kinetic = plain;
    view->conserved = staggered + potential;
    view->momentum = linear, view->angular = angular;
}

static void add_reactions(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    for (int end = 0; end < 2; end++) {
        const int i = end ? g->n : 0, x = i * g->lanes + lane;
        view->couple[end] = v3(0, 0, 0);
        if (!g->end[end].holds_direction) continue;
        const vec3 k = at3(g->stiff_node, x), e = v3_sub(view->u[i], at3(g->rest_node, x));
        const vec3 m = q_turn(view->qn[i], v3(k.x * e.x, k.y * e.y, k.z * e.z));
        view->couple[end] = v3_scale(end ? 1.0 : -1.0, m);
    }
}

void wy_fdtd_observe(wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    if (g->forced != g->step + 1) wy_fdtd_forces(g); /* once for all rods and probes of the group */
    g->forced = g->step + 1;
    view->energy = (withy_energies){0};
    collect(g, lane, view);
    add_strain_energy(g, lane, view);
    add_motion(g, lane, view);
    add_reactions(g, lane, view);
    const withy_energies *e = &view->energy;
    view->conserved += e->shear + e->stretch + e->bend + e->twist;
}
