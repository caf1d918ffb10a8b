/* load.c - force and moment per length at the nodes: weight, distributed and point loads.
 *
 * Which points a load acts at is decided in src/model (wy_load_points): one on the whole rod acts at the
 * nodes; of one on a part of it, the points of Lobatto's rule there, enough to integrate every l_i.  A
 * load F at a point s* is spread as F l_i(s*) / w_i, the load vector of the variational form; it is
 * exact in work, and the kink it causes makes convergence algebraic, which a note reports.
 * In statics constants grow with the load factor; functions of time are read at t.
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/interpolate/interpolate.h"

/* Share of point k of a list that acts on node i. */
static double share(const wy_cheb *x, int list, int k, int i) {
    const wy_load_point *point = &x->loads.points[list].point[k];
    if (point->node >= 0) return point->node == i;
    return x->loads.spread[list][(size_t)k * (size_t)x->grid.ld + (size_t)i];
}

/* Force and moment at node i into arrays of the nodes. */
static withy_status add_at(const wy_cheb *x, double *load, int i, vec3 force, vec3 moment,
                           withy_error *err) {
    const int ld = x->grid.ld;
    if (!x->planar) {
        add_vec(load, ld, i, force), add_vec(load + 3 * ld, ld, i, moment);
        return WITHY_OK;
    }
    const wy_plane *p = &x->plane;
    const double off = fabs(v3_dot(force, p->normal)) +
                       v3_norm(v3_axpy(moment, -v3_dot(moment, p->normal), p->normal));
    if (!(off <= 1e-9 * (v3_norm(force) + v3_norm(moment))))
        return wy_unsupported(
            err,
            "cheb: a load leaves the plane of the rod at s = %g; set options.space = \"spatial\"",
            x->grid.s[i]);
    load[i] += v3_dot(force, p->e1), load[ld + i] += v3_dot(force, p->e2);
    load[2 * ld + i] += v3_dot(moment, p->normal);
    return WITHY_OK;
}

/* One point of a list at (t, u, v), under a load factor. */
static withy_status add_point(const wy_cheb *x, int list, int k, double t, double factor,
                              const double *u, const double *v, double *load, withy_error *err) {
    const wy_load_point *point = &x->loads.points[list].point[k];
    const int uses_state = wy_load_uses_state(point->load),
              turns = point->load->follower && !uses_state;
    vec3 force, moment;
    if (uses_state)
        WY_TRY(wy_cheb_state_load_point(x, list, k, t, factor, u, v, &force, &moment, err));
    else if (!turns)
        WY_TRY(wy_load_point_value(point, t, factor, &force, &moment, err));
    for (int i = 0; i <= x->grid.n; i++) {
        const double part = share(x, list, k, i);
        if (part == 0.0) continue;
        if (turns) {
            const mat3 frame = wy_cheb_pose(x, u, i).frame;
            WY_TRY(wy_load_point_at(point, t, factor, frame, &force, &moment, err));
        }
        WY_TRY(add_at(x, load, i, v3_scale(part, force), v3_scale(part, moment), err));
    }
    return WITHY_OK;
}

withy_status wy_cheb_follow(const wy_cheb *x, int i, double t, mat3 frame, vec3 *force,
                            vec3 *moment, withy_error *err) {
    *force = *moment = v3(0, 0, 0);
    for (int list = 0; list <= (x->state->pull != 0); list++)
        for (int k = 0; k < x->loads.points[list].count; k++) {
            const wy_load_point *point = &x->loads.points[list].point[k];
            const double part = share(x, list, k, i);
            if (!point->load->follower || wy_load_uses_state(point->load) || part == 0.0) continue;
            vec3 f, m;
            WY_TRY(wy_load_point_at(point, t, x->state->factor, frame, &f, &m, err));
            *force = v3_axpy(*force, part, f), *moment = v3_axpy(*moment, part, m);
        }
    return WITHY_OK;
}

withy_status wy_cheb_loads_at(wy_cheb *x, double t, const double *u, const double *v,
                              const double **load, withy_error *err) {
    const wy_cheb_loads *l = &x->loads;
    const double factor = x->state->factor;
    const int lists = x->state->pull ? 2 : 1, count = wy_cheb_rows(x) * x->grid.ld;
    *load = l->equilibrium[0];
    if (factor == 1.0 && lists == 1 && !l->varying[0]) return WITHY_OK;
    for (int i = 0; i < count; i++) {
        x->load[i] = factor * l->equilibrium[0][i];
        if (lists == 2) x->load[i] += factor * l->equilibrium[1][i];
    }
    for (int list = 0; list < lists; list++)
        for (int k = 0; k < l->points[list].count; k++)
            if (wy_load_varies(l->points[list].point[k].load))
                WY_TRY(add_point(x, list, k, t, factor, u, v, x->load, err));
    *load = x->load;
    return WITHY_OK;
}

/* ---- made once ---------------------------------------------------------------------------------- */

/* l_i(s) / w_i of every point that lies between nodes. */
static void spread_points(wy_cheb *x, int list) {
    const wy_collocation *g = &x->grid;
    for (int k = 0; k < x->loads.points[list].count; k++) {
        const wy_load_point *point = &x->loads.points[list].point[k];
        double *row = x->loads.spread[list] + (size_t)k * (size_t)g->ld;
        if (point->node >= 0) continue;
        wy_lagrange_row(g->n, g->x, g->bary, 2.0 * point->s / g->length - 1.0, row);
        for (int i = 0; i <= g->n; i++) row[i] /= g->w[i];
    }
}

static withy_status list_points(wy_cheb *x, int list, withy_error *err) {
    const wy_collocation *g = &x->grid;
    const int m = g->n / 2 + 4, ld = g->ld;
    wy_allocator from = {.arena = x->setup->arena};
    double *point = wy_allocator_alloc(&from, 2 * (size_t)m, sizeof *point);
    double *share = wy_allocator_alloc(&from, (size_t)g->n + 1, sizeof *share);
    if (from.failed) return wy_no_memory(err, "cheb: no memory for the loads");
    wy_lobatto_points(m - 1, point, point + m);
    for (int i = 0; i <= g->n; i++) share[i] = 1.0;
    const double edge[2] = {0, g->length};
    const wy_load_rule rule = {1, edge, m, point, point + m, g->n + 1, g->s, share, 0};
    wy_load_points *points = &x->loads.points[list];
    WY_TRY(wy_model_load_points(x->setup->model, 0, list, &rule, x->setup->arena, points, err));
    const size_t count = (size_t)points->count * (size_t)ld + 1;
    x->loads.spread[list] = wy_allocator_alloc(&from, count, sizeof(double));
    x->loads.equilibrium[list] =
        wy_allocator_alloc(&from, (size_t)(wy_cheb_rows(x) * ld), sizeof(double));
    if (from.failed) return wy_no_memory(err, "cheb: no memory for the loads");
    spread_points(x, list);
    for (int k = 0; k < points->count; k++) {
        const withy_load *load = points->point[k].load;
        x->loads.varying[list] |= wy_load_varies(load);
        if (!wy_load_varies(load))
            WY_TRY(add_point(x, list, k, 0.0, 1.0, NULL, NULL, x->loads.equilibrium[list], err));
        if (load->kind == WITHY_LOAD_POINT)
            wy_note(x->setup->notes, WY_NOTE(point_load_cheb), load->from);
    }
    return WITHY_OK;
}

withy_status wy_cheb_loads_make(wy_cheb *x, withy_error *err) {
    WY_TRY(list_points(x, 0, err));
    if (x->rod->settled) WY_TRY(list_points(x, 1, err));
    for (int i = 0; i <= x->grid.n; i++) {
        const vec3 weight = v3_scale(x->along.rho[i], x->problem->gravity);
        WY_TRY(add_at(x, x->loads.equilibrium[0], i, weight, v3(0, 0, 0), err));
    }
    return WITHY_OK;
}
