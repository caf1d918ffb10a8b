/* cheb_load.c - force and moment per length at the nodes: weight, distributed and point loads.
 *
 * A point load at s* is spread as l_i(s*) / w_i, the load vector of the variational form; it is
 * exact in work, and the kink it causes makes convergence algebraic (said in a note).
 * In statics constant loads grow with the load factor; functions of time are read at t = factor.
 */
#include "method/cheb.h"
#include "method/cheb_frame.h"

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

/* How much of a load node i takes: 1 inside a distributed load, l_i(s)/w_i for a point load. */
static double share(const wy_cheb *x, const withy_load *load, int i) {
    const wy_cheb_grid *g = &x->grid;
    if (load->kind == WITHY_LOAD_DISTRIBUTED)
        return g->s[i] >= load->from && g->s[i] <= load->to ? 1.0 : 0.0;
    double sum = 0.0;
    const double at = 2.0 * load->from / g->length - 1.0;
    for (int j = 0; j <= g->n; j++)
        if (at == g->x[j]) return j == i ? 1.0 / g->w[i] : 0.0;
    for (int j = 0; j <= g->n; j++) sum += g->bary[j] / (at - g->x[j]);
    return g->bary[i] / (at - g->x[i]) / sum / g->w[i];
}

/* Sum of the loads for which varies(load) == varying, at node i, in laboratory components. */
static withy_status node_load(const wy_cheb *x, int i, double t, mat3 frame, int varying,
                              int only_followers, vec3 *force, vec3 *moment, withy_error *err) {
    *force = *moment = v3(0, 0, 0);
    for (int k = 0; k < x->source_count; k++) {
        const withy_load *load = &x->source[k];
        if (varies(load) != varying || (only_followers && !load->follower)) continue;
        const double part = share(x, load, i);
        if (part == 0.0) continue;
        vec3 f, m;
        const double s = load->kind == WITHY_LOAD_POINT ? load->from : x->grid.s[i];
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

withy_status wy_cheb_loads_make(wy_cheb *x, wy_arena *arena, withy_error *err) {
    const size_t count = (size_t)(x->planar ? 3 : 6) * (size_t)x->grid.ld;
    x->load = wy_arena_take(arena, count, sizeof *x->load);
    x->still_load = wy_arena_take(arena, count, sizeof *x->still_load);
    if (!x->load || !x->still_load) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory");
    x->factor = 1.0;
    const int own = x->rod->load_count, pull = x->rod->settled ? x->rod->pull_count : 0;
    withy_load *all = wy_arena_take(arena, (size_t)(own + pull + 1), sizeof *all);
    if (!all) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the loads");
    for (int k = 0; k < own + pull; k++) all[k] = k < own ? x->rod->load[k] : x->rod->pull[k - own];
    x->source = all, x->source_count = own + pull;
    for (int k = 0; k < x->source_count; k++) {
        x->varying_loads |= varies(&x->source[k]);
        if (x->source[k].kind == WITHY_LOAD_POINT)
            wy_note(x->notes,
                    "cheb: the point load at s = %g puts a kink into n; convergence with "
                    "options.n is algebraic there, not spectral",
                    x->source[k].from);
    }
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
