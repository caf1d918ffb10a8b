/* load.c - force and moment per length at the nodes: weight, distributed and point loads.
 *
 * A load on the whole rod acts at the nodes.  A point load at s* is spread as l_i(s*) / w_i, the load vector of the variational form; it is
 * exact in work, and the kink it causes makes convergence algebraic (said in a note).
 * In statics constant loads grow with the load factor; functions of time are read at t = factor.
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/quadrature.h"

/* Value of a load at (s, t): zero when not given; constants times the load factor. */
static withy_status value_at(const wy_cheb *x, const withy_field *field, double s, double t,
                             vec3 *out, withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, t, a, err));
    const int whole = field->call && !x->settling;
    *out = whole ? v3_from(a) : v3_scale(x->factor, v3_from(a));
    return WITHY_OK;
}

static int varies(const withy_load *load) {
    return load->follower || load->force.call || load->moment.call;
}

/* How much of a load node i takes: 1 of one on the whole rod, l_i(s)/w_i of a point load. */
static double share(const wy_cheb *x, const wy_cheb_source *source, int i) {
    const wy_cheb_grid *g = &x->grid;
    if (source->everywhere) return 1.0;
    double sum = 0.0;
    const double at = 2.0 * source->at / g->length - 1.0;
    for (int j = 0; j <= g->n; j++)
        if (at == g->x[j]) return j == i ? source->weight / g->w[i] : 0.0;
    for (int j = 0; j <= g->n; j++) sum += g->bary[j] / (at - g->x[j]);
    return source->weight * g->bary[i] / (at - g->x[i]) / sum / g->w[i];
}

/* Sum of the loads for which varies(load) == varying, at node i, in laboratory components. */
static withy_status node_load(const wy_cheb *x, int i, double t, mat3 frame, int varying,
                              int only_followers, vec3 *force, vec3 *moment, withy_error *err) {
    *force = *moment = v3(0, 0, 0);
    for (int k = 0; k < x->source_count; k++) {
        const wy_cheb_source *source = &x->source[k];
        const withy_load *load = source->load;
        if (varies(load) != varying || (only_followers && !load->follower)) continue;
        const double part = share(x, source, i);
        if (part == 0.0) continue;
        vec3 f, m;
        const double s = source->everywhere ? x->grid.s[i] : source->at;
        WY_TRY(value_at(x, &load->force, s, t, &f, err));
        WY_TRY(value_at(x, &load->moment, s, t, &m, err));
        *force = v3_axpy(*force, part, load->follower ? m3_mul(frame, f) : f);
        *moment = v3_axpy(*moment, part, load->follower ? m3_mul(frame, m) : m);
    }
    return WITHY_OK;
}

static withy_status store(const wy_cheb *x, double *load, int i, vec3 force, vec3 moment,
                          withy_error *err) {
    const int ld = x->grid.ld;
    if (!x->planar) {
        load[i] += force.x, load[ld + i] += force.y, load[2 * ld + i] += force.z;
        load[3 * ld + i] += moment.x, load[4 * ld + i] += moment.y, load[5 * ld + i] += moment.z;
        return WITHY_OK;
    }
    const double off = fabs(v3_dot(force, x->normal)) +
                       v3_norm(v3_axpy(moment, -v3_dot(moment, x->normal), x->normal));
    if (!(off <= 1e-9 * (v3_norm(force) + v3_norm(moment))))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "cheb: a load leaves the plane of the rod at s = %g; set options.space = "
                       "\"spatial\"",
                       x->grid.s[i]);
    load[i] += v3_dot(force, x->e1), load[ld + i] += v3_dot(force, x->e2);
    load[2 * ld + i] += v3_dot(moment, x->normal);
    return WITHY_OK;
}

static withy_status add_loads(const wy_cheb *x, double t, const double *u, int varying,
                              double *load, withy_error *err) {
    for (int i = 0; i <= x->grid.n; i++) {
        vec3 force, moment;
        const mat3 frame = varying ? wy_cheb_pose(x, u, i).frame : m3_identity();
        WY_TRY(node_load(x, i, t, frame, varying, 0, &force, &moment, err));
        if (!varying) force = v3_axpy(force, x->factor * x->rho[i], x->problem->gravity);
        WY_TRY(store(x, load, i, force, moment, err));
    }
    return WITHY_OK;
}

withy_status wy_cheb_follow(const wy_cheb *x, int i, double t, mat3 frame, vec3 *force,
                            vec3 *moment, withy_error *err) {
    return node_load(x, i, t, frame, 1, 1, force, moment, err);
}

static void clear(const wy_cheb *x, double *load) {
    const int count = (x->planar ? 3 : 6) * x->grid.ld;
    for (int i = 0; i < count; i++) load[i] = 0.0;
}

withy_status wy_cheb_loads_still(wy_cheb *x, withy_error *err) {
    clear(x, x->still_load);
    return add_loads(x, 0.0, NULL, 0, x->still_load, err);
}

static int part_points(const wy_cheb *x) {
    return x->grid.n / 2 + 4;
}

/* One source for a load on the whole rod or at a point; for one on a part of it, points of Lobatto's rule
 * there, enough to integrate every l_i: none of it is lost between two nodes. */
static withy_status add_sources(wy_cheb *x, const withy_load *load, wy_arena *arena,
                                withy_error *err) {
    wy_cheb_source *next = &x->source[x->source_count];
    if (!wy_load_is_partial(x->rod, load)) {
        *next = (wy_cheb_source){load, load->kind == WITHY_LOAD_DISTRIBUTED, load->from, 1};
        x->source_count++;
        return WITHY_OK;
    }
    const int m = part_points(x) - 1;
    double *at = wy_arena_take(arena, 3 * (size_t)(m + 1), sizeof *at);
    if (!at) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the loads");
    double *weight = at + m + 1;
    const double half = 0.5 * (load->to - load->from);
    wy_lobatto_nodes(m, at, weight, weight + m + 1);
    for (int q = 0; q <= m; q++)
        next[q] = (wy_cheb_source){load, 0, load->from + half * (1 + at[q]), half * weight[q]};
    x->source_count += m + 1;
    return WITHY_OK;
}

/* The loads of the rod, then, before t = 0, those of the pull. */
static withy_status list_sources(wy_cheb *x, wy_arena *arena, withy_error *err) {
    const int own = x->rod->load_count, pull = x->rod->settled ? x->rod->pull_count : 0;
    const size_t most = (size_t)(own + pull) * (size_t)part_points(x) + 1;
    x->source = wy_arena_take(arena, most, sizeof *x->source);
    if (!x->source) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the loads");
    x->source_count = 0;
    for (int k = 0; k < own + pull; k++) {
        const withy_load *load = k < own ? &x->rod->load[k] : &x->rod->pull[k - own];
        if (load->kind == WITHY_LOAD_POINT)
            wy_note(x->notes,
                    "cheb: the point load at s = %g puts a kink into n; convergence with "
                    "options.n is algebraic there, not spectral",
                    load->from);
        WY_TRY(add_sources(x, load, arena, err));
        if (k < own) x->own_sources = x->source_count;
    }
    return WITHY_OK;
}

withy_status wy_cheb_loads_make(wy_cheb *x, wy_arena *arena, withy_error *err) {
    const size_t count = (size_t)(x->planar ? 3 : 6) * (size_t)x->grid.ld;
    x->load = wy_arena_take(arena, count, sizeof *x->load);
    x->still_load = wy_arena_take(arena, count, sizeof *x->still_load);
    if (!x->load || !x->still_load) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory");
    x->factor = 1.0;
    WY_TRY(list_sources(x, arena, err));
    for (int k = 0; k < x->source_count; k++) x->varying_loads |= varies(x->source[k].load);
    WY_TRY(wy_cheb_loads_still(x, err));
    for (size_t i = 0; i < count; i++) x->load[i] = x->still_load[i];
    return WITHY_OK;
}

withy_status wy_cheb_loads(wy_cheb *x, double t, const double *u, withy_error *err) {
    if (!x->varying_loads) return WITHY_OK;
    const int count = (x->planar ? 3 : 6) * x->grid.ld;
    for (int i = 0; i < count; i++) x->load[i] = x->still_load[i];
    return add_loads(x, t, u, 1, x->load, err);
}
