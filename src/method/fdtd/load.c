/* load.c - loads and ends of a group at its present time.
 *
 * Loads on the whole rod act with the weight h P of their point.  A point load is shared between the
 * two points around it as a hat function shares it, which keeps its force and its moment; a load on a
 * part of the rod is a point load per interval.
 */
#include "method/fdtd/fdtd.h"

static quat half_frame(const wy_fdtd_group *g, int lane, int j) {
    const int x = j * g->lanes + lane;
    return (quat){g->q[0][x], g->q[1][x], g->q[2][x], g->q[3][x]};
}

/* Frame of a node: mean of its neighbours, exact enough to turn a follower with. */
static mat3 node_frame(const wy_fdtd_group *g, int lane, int i) {
    const quat a = half_frame(g, lane, i > 0 ? i - 1 : 0);
    const quat b = half_frame(g, lane, i < g->n ? i : g->n - 1);
    return q_matrix(q_unit((quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}));
}

static void add_force(wy_fdtd_group *g, int lane, int i, vec3 f) {
    const int x = i * g->lanes + lane;
    g->load[0][x] += f.x, g->load[1][x] += f.y, g->load[2][x] += f.z;
}

static void add_couple(wy_fdtd_group *g, int lane, int j, vec3 m) {
    const int x = j * g->lanes + lane;
    const vec3 own = m3_tmul(q_matrix(half_frame(g, lane, j)), m);
    g->couple[0][x] += own.x, g->couple[1][x] += own.y, g->couple[2][x] += own.z;
}

/* Share of the lower of two neighbours, and which it is, among points offset, offset + 1, ... */
static double share(double at, double offset, int count, int *lower) {
    double x = at - offset;
    if (x < 0) x = 0;
    if (x > count - 1) x = count - 1;
    *lower = (int)floor(x);
    if (*lower > count - 2) *lower = count - 2;
    return 1.0 - (x - *lower);
}

/* `weight` of a load, taken at s and put there: 1 for a point load. */
static withy_status point_load(wy_fdtd_group *g, int lane, const withy_load *load, double s,
                               double weight, withy_error *err) {
    const double index = s / g->problem->rod[g->rod[lane]].length * g->n;
    int i, j;
    const double wi = share(index, 0.0, g->n + 1, &i), wj = share(index, 0.5, g->n, &j);
    vec3 force, moment;
    WY_TRY(wy_load_at(load, s, g->t, g->factor, node_frame(g, lane, i), &force, &moment, err));
    add_force(g, lane, i, v3_scale(weight * wi, force));
    add_force(g, lane, i + 1, v3_scale(weight * (1 - wi), force));
    add_couple(g, lane, j, v3_scale(weight * wj, moment));
    add_couple(g, lane, j + 1, v3_scale(weight * (1 - wj), moment));
    return WITHY_OK;
}

/* A load on a part of the rod: in each interval a point load in the middle of what it covers there,
 * which keeps its force and its moment wherever it begins and ends. */
static withy_status partial_load(wy_fdtd_group *g, int lane, const withy_load *load,
                                 withy_error *err) {
    const double per = g->length[lane] / g->problem->rod[g->rod[lane]].length;
    for (int i = 0; i < g->n; i++) {
        const double from = wy_max(load->from, wy_fdtd_station(g, lane, i));
        const double to = wy_min(load->to, wy_fdtd_station(g, lane, i + 1));
        if (to > from) WY_TRY(point_load(g, lane, load, 0.5 * (from + to), per * (to - from), err));
    }
    return WITHY_OK;
}

static withy_status whole_load(wy_fdtd_group *g, int lane, const withy_load *load,
                               withy_error *err) {
    const double h = g->length[lane] / g->n;
    vec3 f, m;
    for (int i = 0; i <= g->n; i++) {
        WY_TRY(wy_load_at(load, wy_fdtd_station(g, lane, i), g->t, g->factor,
                          node_frame(g, lane, i), &f, &m, err));
        add_force(g, lane, i, v3_scale(h * wy_fdtd_node_weight(g->op, i), f));
    }
    for (int j = 0; load->moment.size && j < g->n; j++) {
        const mat3 frame = q_matrix(half_frame(g, lane, j));
        WY_TRY(wy_load_at(load, wy_fdtd_station(g, lane, j + 0.5), g->t, g->factor, frame, &f, &m,
                          err));
        add_couple(g, lane, j, v3_scale(h * wy_fdtd_half_weight(g->op, j), m));
    }
    return WITHY_OK;
}

static withy_status one_load(wy_fdtd_group *g, int lane, const withy_load *load, withy_error *err) {
    if (load->kind == WITHY_LOAD_POINT) return point_load(g, lane, load, load->from, 1, err);
    if (wy_load_is_partial(&g->problem->rod[g->rod[lane]], load))
        return partial_load(g, lane, load, err);
    return whole_load(g, lane, load, err);
}

withy_status wy_fdtd_loads(wy_fdtd_group *g, withy_error *err) {
    if (g->step > 0 && !g->live_loads) return WITHY_OK;
    for (int x = 0; x < (g->n + 1) * g->lanes; x++)
        for (int d = 0; d < 3; d++) {
            g->load[d][x] = g->factor * g->mass[x] *
                            (d == 0   ? g->problem->gravity.x
                             : d == 1 ? g->problem->gravity.y
                                      : g->problem->gravity.z);
            g->couple[d][x] = 0.0;
        }
    for (int lane = 0; lane < g->lanes; lane++) {
        const withy_rod *rod = &g->problem->rod[g->rod[lane]];
        for (int i = 0; i < rod->load_count; i++) WY_TRY(one_load(g, lane, &rod->load[i], err));
    }
    return WITHY_OK;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The frame of an end node: as held, or the halves carried on as the kernel does it. */
static mat3 end_frame(const wy_fdtd_group *g, int lane, int end) {
    const wy_fdtd_end *e = &g->end[end];
    if (e->holds_direction)
        return q_matrix((quat){e->q[0][lane], e->q[1][lane], e->q[2][lane], e->q[3][lane]});
    quat sum = {0, 0, 0, 0};
    for (int j = 0; j < g->op->order; j++) {
        const double weight = wy_fdtd_i_entry(g->op, 0, j);
        const quat q = half_frame(g, lane, end ? g->n - 1 - j : j);
        sum.w += weight * q.w, sum.x += weight * q.x, sum.y += weight * q.y, sum.z += weight * q.z;
    }
    return q_matrix(q_unit(sum));
}

static withy_status end_loads(wy_fdtd_group *g, int which, int lane, withy_error *err) {
    wy_fdtd_end *e = &g->end[which];
    const mat3 frame = end_frame(g, lane, which);
    vec3 force, moment;
    WY_TRY(wy_end_load(&e->end[lane], g->t, g->factor, frame, &force, &moment, err));
    const vec3 own = v3_scale(which ? 1.0 : -1.0, m3_tmul(frame, moment)); /* m at the node */
    double f[3], m[3];
    v3_to(force, f), v3_to(own, m);
    for (int d = 0; d < 3; d++) e->force[d][lane] = f[d], e->moment[d][lane] = m[d];
    return WITHY_OK;
}

static withy_status end_pose(wy_fdtd_group *g, int which, int lane, withy_error *err) {
    wy_fdtd_end *e = &g->end[which];
    wy_pose now, next;
    WY_TRY(wy_end_pose(&e->end[lane], g->t, &now, err));
    WY_TRY(wy_end_pose(&e->end[lane], g->t + g->dt, &next, err));
    double r[3];
    v3_to(next.r, r);
    quat q = q_from_matrix(now.frame);
    const quat near = half_frame(g, lane, which ? g->n - 1 : 0);
    const double dot = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
    if (dot < 0) q = (quat){-q.w, -q.x, -q.y, -q.z};
    for (int d = 0; d < 3; d++) e->r[d][lane] = r[d];
    e->q[0][lane] = q.w, e->q[1][lane] = q.x, e->q[2][lane] = q.y, e->q[3][lane] = q.z;
    return WITHY_OK;
}

withy_status wy_fdtd_ends(wy_fdtd_group *g, withy_error *err) {
    for (int which = 0; which < 2; which++) {
        const wy_fdtd_end *e = &g->end[which];
        const int first = g->step == 0;
        for (int lane = 0; lane < g->lanes; lane++) {
            if (e->moves || first) WY_TRY(end_pose(g, which, lane, err));
            /* a dead moment turns against the section, so its material components change too */
            if (e->loaded && (first || !e->steady)) WY_TRY(end_loads(g, which, lane, err));
        }
    }
    return WITHY_OK;
}

/* Drag that grows with the square of the speed: the factors of this step, from the last speed. */
void wy_fdtd_square_drag(wy_fdtd_group *g) {
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        const double speed =
            sqrt(g->p[0][x] * g->p[0][x] + g->p[1][x] * g->p[1][x] + g->p[2][x] * g->p[2][x]);
        const double drag = g->drag_line[x] + g->drag_square[x] * speed;
        const double c = 0.5 * g->dt * drag / g->mass[x];
        g->pe[x] = (1 - c) / (1 + c), g->pf[x] = g->dt / g->mass[x] / (1 + c);
    }
}
