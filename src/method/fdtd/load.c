/* load.c - loads and ends of a group.
 *
 * Loads on the whole rod act at their points of the grid with the weight h P.  A point load is shared
 * between the two points around it as a hat function shares it, which keeps its force and its moment;
 * a load on a part of the rod is a point load per interval, in the middle of what it covers there.
 * Loads that see the state: fdtd/state_load.c.
 */
#include "method/fdtd/fdtd.h"

/* ---- points ---------------------------------------------------------------------------------- */

/* Stations and weights of nodes (offset 0) or halves (0.5). */
static void grid_of(const wy_fdtd_group *g, int lane, int count, double offset, double *s,
                    double *weight) {
    for (int i = 0; i < count; i++) {
        s[i] = wy_fdtd_station(g, lane, i + offset);
        weight[i] = g->length[lane] / g->n *
                    (offset > 0 ? wy_sbp_half_weight(g->op, i) : wy_sbp_node_weight(g->op, i));
    }
}

static withy_status make_points(const wy_fdtd_group *g, int lane, int pull, const wy_setup *setup,
                                wy_fdtd_points *out, withy_error *err) {
    static const double middle = 0.5, whole = 1.0;
    const int rod = g->rod[lane];
    double *s = wy_arena_alloc(setup->arena, (size_t)g->n + 1, sizeof *s);
    double *weight = wy_arena_alloc(setup->arena, (size_t)g->n + 1, sizeof *weight);
    if (!s || !weight) return wy_no_memory(err, "fdtd: no memory for the loads");
    grid_of(g, lane, g->n, 0.5, s, weight);
    wy_load_rule rule = {.nodes = g->n, .node = s, .share = weight};
    WY_TRY(wy_model_load_points(g->model, rod, pull, &rule, setup->arena, &out->moment, err));
    grid_of(g, lane, g->n + 1, 0.0, s, weight);
    rule = (wy_load_rule){.cells = g->n,
                          .edge = s,
                          .points = 1,
                          .point = &middle,
                          .weight = &whole,
                          .nodes = g->n + 1,
                          .node = s,
                          .share = weight};
    WY_TRY(wy_model_load_points(g->model, rod, pull, &rule, setup->arena, &out->force, err));
    for (int i = 0; i < out->force.count; i++) { /* lengths of the rod without its tension */
        wy_load_point *point = &out->force.point[i];
        if (point->node < 0 && point->load->kind == WITHY_LOAD_DISTRIBUTED)
            point->weight *= g->length[lane] / g->problem->rod[rod].length;
    }
    return WITHY_OK;
}

withy_status wy_fdtd_load_points(wy_fdtd_group *g, int lane, const wy_setup *setup,
                                 withy_error *err) {
    const withy_rod *rod = &g->problem->rod[g->rod[lane]];
    if (rod->load_count > 0) WY_TRY(make_points(g, lane, 0, setup, &g->load[lane], err));
    if (!rod->settled || rod->pull_count == 0) return WITHY_OK;
    return make_points(g, lane, 1, setup, &g->pull, err);
}

/* ---- loads ----------------------------------------------------------------------------------- */

static quat half_frame(const wy_fdtd_group *g, int lane, int j) {
    return wy_fdtd_at4(g->now.q, j * g->lanes + lane);
}

/* Frame of a node: mean of its neighbours, exact enough to turn a follower with. */
static mat3 node_frame(const wy_fdtd_group *g, int lane, int i) {
    const quat a = half_frame(g, lane, i > 0 ? i - 1 : 0);
    const quat b = half_frame(g, lane, i < g->n ? i : g->n - 1);
    return q_matrix(q_unit((quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}));
}

/* What turns a follower; any other load has no use for a frame, and making one costs more than a step of its node. */
static mat3 turn_of(const wy_fdtd_group *g, int lane, int i, const wy_load_point *point) {
    return point->load->follower ? node_frame(g, lane, i) : m3_identity();
}

static void add_force(wy_fdtd_group *g, int lane, int i, vec3 f) {
    const int x = i * g->lanes + lane;
    wy_fdtd_put3(g->now.load, x, v3_add(wy_fdtd_at3(g->now.load, x), f));
}

static void add_couple(wy_fdtd_group *g, int lane, int j, vec3 m) {
    const int x = j * g->lanes + lane;
    const vec3 own = m3_tmul(q_matrix(half_frame(g, lane, j)), m);
    wy_fdtd_put3(g->now.couple, x, v3_add(wy_fdtd_at3(g->now.couple, x), own));
}

/* Share of the lower of two neighbours, and which it is, among points offset, offset + 1, ... */
static double share(double at, double offset, int count, int *lower) {
    const double x = wy_min(wy_max(at - offset, 0), count - 1);
    *lower = wy_min((int)floor(x), count - 2);
    return 1.0 - (x - *lower);
}

double wy_fdtd_node_share(const wy_fdtd_group *g, int lane, double s, int *node) {
    return share(s / g->problem->rod[g->rod[lane]].length * g->n, 0.0, g->n + 1, node);
}

/* A point between the points of the grid. */
static withy_status between(wy_fdtd_group *g, int lane, const wy_load_point *point, double t,
                            double factor, withy_error *err) {
    const double index = point->s / g->problem->rod[g->rod[lane]].length * g->n;
    int i, j;
    const double wi = wy_fdtd_node_share(g, lane, point->s, &i);
    const double wj = share(index, 0.5, g->n, &j);
    vec3 force, moment;
    WY_TRY(wy_load_point_at(point, t, factor, turn_of(g, lane, i, point), &force, &moment, err));
    add_force(g, lane, i, v3_scale(wi, force));
    add_force(g, lane, i + 1, v3_scale(1 - wi, force));
    if (!point->load->moment.size) return WITHY_OK;
    add_couple(g, lane, j, v3_scale(wj, moment));
    add_couple(g, lane, j + 1, v3_scale(1 - wj, moment));
    return WITHY_OK;
}

static withy_status rod_loads(wy_fdtd_group *g, int lane, const wy_fdtd_points *load, double t,
                              double factor, withy_error *err) {
    vec3 f, m;
    for (int k = 0; k < load->force.count; k++) {
        const wy_load_point *point = &load->force.point[k];
        if (wy_load_uses_state(point->load)) continue;
        if (point->node < 0) {
            WY_TRY(between(g, lane, point, t, factor, err));
            continue;
        }
        const mat3 frame = turn_of(g, lane, point->node, point);
        WY_TRY(wy_load_point_at(point, t, factor, frame, &f, &m, err));
        add_force(g, lane, point->node, f);
    }
    for (int k = 0; k < load->moment.count; k++) {
        const wy_load_point *point = &load->moment.point[k];
        if (!point->load->moment.size || wy_load_uses_state(point->load)) continue;
        const mat3 frame = q_matrix(half_frame(g, lane, point->node));
        WY_TRY(wy_load_point_at(point, t, factor, frame, &f, &m, err));
        add_couple(g, lane, point->node, m);
    }
    return WITHY_OK;
}

withy_status wy_fdtd_loads(wy_fdtd_group *g, double t, double factor, int all, withy_error *err) {
    if (!all && !g->live_loads) return WITHY_OK;
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        wy_fdtd_put3(g->now.load, x, v3_scale(factor * g->grid.mass[x], g->problem->gravity));
        wy_fdtd_put3(g->now.couple, x, v3(0, 0, 0));
    }
    for (int lane = 0; lane < g->lanes; lane++)
        WY_TRY(rod_loads(g, lane, &g->load[lane], t, factor, err));
    if (g->contact) WY_TRY(wy_fdtd_contact_push(g, t, err));
    return g->pulling ? rod_loads(g, 0, &g->pull, t, factor, err) : WITHY_OK;
}

/* ---- ends ------------------------------------------------------------------------------------ */

mat3 wy_fdtd_carried_frame(const wy_fdtd_group *g, int lane, int end) {
    quat sum = {0, 0, 0, 0};
    for (int j = 0; j < g->op->order; j++) {
        const double weight = wy_sbp_i_entry(g->op, 0, j);
        const quat q = half_frame(g, lane, end ? g->n - 1 - j : j);
        sum.w += weight * q.w, sum.x += weight * q.x, sum.y += weight * q.y, sum.z += weight * q.z;
    }
    return q_matrix(q_unit(sum));
}

mat3 wy_fdtd_end_frame(const wy_fdtd_group *g, int lane, int end) {
    const wy_fdtd_hold *hold = &g->now.hold[end];
    if (!g->end[end].holds_direction) return wy_fdtd_carried_frame(g, lane, end);
    return q_matrix((quat){hold->q[0][lane], hold->q[1][lane], hold->q[2][lane], hold->q[3][lane]});
}

static void put_lane(double (*x)[WY_FDTD_LANES], int lane, vec3 a) {
    x[0][lane] = a.x, x[1][lane] = a.y, x[2][lane] = a.z;
}

withy_status wy_fdtd_end_forces(wy_fdtd_group *g, int which, int lane, double t, double factor,
                                withy_error *err) {
    const mat3 frame = wy_fdtd_end_frame(g, lane, which);
    vec3 force, moment;
    if (wy_end_uses_state(g->end[which].end[lane].end)) return WITHY_OK; /* fdtd/state_load.c */
    WY_TRY(wy_end_load(&g->end[which].end[lane], t, factor, frame, &force, &moment, err));
    put_lane(g->now.hold[which].force, lane, force);
    put_lane(g->now.hold[which].moment, lane, /* m at the node */
             v3_scale(which ? 1.0 : -1.0, m3_tmul(frame, moment)));
    return WITHY_OK;
}

void wy_fdtd_hold_at(wy_fdtd_group *g, int which, int lane, vec3 r, mat3 frame) {
    wy_fdtd_hold *hold = &g->now.hold[which];
    const quat q = q_near(q_from_matrix(frame), half_frame(g, lane, which ? g->n - 1 : 0));
    put_lane(hold->r, lane, r);
    hold->q[0][lane] = q.w, put_lane(&hold->q[1], lane, v3(q.x, q.y, q.z));
}

withy_status wy_fdtd_ends(wy_fdtd_group *g, double t, double factor, int all, withy_error *err) {
    for (int which = 0; which < 2; which++) {
        const wy_fdtd_end *e = &g->end[which];
        for (int lane = 0; lane < g->lanes; lane++) {
            if (e->moves || all) {
                wy_pose now, next;
                WY_TRY(wy_end_pose(&e->end[lane], t, &now, err));
                WY_TRY(wy_end_pose(&e->end[lane], t + g->rate.h, &next, err));
                wy_fdtd_hold_at(g, which, lane, next.r, now.frame);
            }
            /* a dead moment turns against the section, so its material components change too */
            if (e->loaded && (all || !e->steady))
                WY_TRY(wy_fdtd_end_forces(g, which, lane, t, factor, err));
        }
    }
    return WITHY_OK;
}

/* Drag that grows with the square of the speed: the factors of this step, from the last speed. */
void wy_fdtd_square_drag(wy_fdtd_group *g) {
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        const double mass = g->grid.mass[x], speed = v3_norm(wy_fdtd_at3(g->now.p, x));
        const double h = g->rate.step[x % g->lanes];
        const double drag = g->grid.drag_line[x] + g->grid.drag_square[x] * speed;
        const double c = 0.5 * h * drag / mass;
        g->rate.pe[x] = (1 - c) / (1 + c), g->rate.pf[x] = h / mass / (1 + c);
    }
}
