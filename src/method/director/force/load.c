/* load.c - distributed and point loads on the elements, forces and poses at the ends.
 *
 * A load is integrated over the part of each element it covers with four Gauss points (exact for
 * polynomials of degree 7), each a point load shared among the nodes by the shape functions.  In
 * the step from t to t + h everything is taken at t + h/2; a follower turns with the mean directors
 * D, so that its work over the step is exactly force . (r+ - r-) + moment . theta.
 * Loads that see the state are evaluated at each iterate: director/force/state_load.c.
 */
#include "method/director/force/fluid.h"
#include "method/director/rod/rows.h"
#include "numeric/interpolate/interpolate.h"

enum { LOAD_POINTS = 4 };

withy_status wy_director_loads_make(wy_director_plan *x, wy_arena *arena, withy_error *err) {
    double point[LOAD_POINTS], weight[LOAD_POINTS], slope[WY_ELEMENT_NODES];
    wy_gauss_points(LOAD_POINTS, point, weight);
    const wy_load_rule rule = {
        .cells = x->n, .edge = x->start, .points = LOAD_POINTS, .point = point, .weight = weight};
    WY_TRY(wy_load_points_make(x->source, x->source_count, x->length, &rule, arena, &x->load, err));
    x->value = wy_arena_alloc(arena, (size_t)x->load.count, sizeof *x->value);
    if (!x->value) return wy_no_memory(err, "director: no memory for the loads");
    for (int i = 0; i < x->load.count; i++) {
        const wy_load_point *at = &x->load.point[i];
        wy_element_values(x->rule, (at->s - x->start[at->cell]) / x->size[at->cell], x->value[i],
                          slope);
    }
    return WITHY_OK;
}

withy_status wy_director_loads_at(wy_director *x, double t, withy_error *err) {
    const int on = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
    for (int i = 0; i < x->plan.load.count; i++) {
        const wy_load_point *at = &x->plan.load.point[i];
        wy_director_force *f = &x->force[i];
        *f = (wy_director_force){{0, 0, 0}, {0, 0, 0}};
        if (at->load - x->plan.source < on && !wy_load_uses_state(at->load))
            WY_TRY(wy_load_point_value(at, t, x->step->factor, &f->force, &f->moment, err));
    }
    return WITHY_OK;
}

/* The directors at a load: middle of the step, statics: the iterate. */
static tri frame_at(const wy_director *x, int i) {
    const int first = x->plan.load.point[i].cell * x->plan.p;
    tri d = {{0}, {0}, {0}};
    for (int a = 0; a <= x->plan.p; a++)
        d = tri_axpy(d, lane_all(x->plan.value[i][a]), wy_director_acting(x, first + a));
    return d;
}

static void add_follower(const wy_director *x, int i, double *m, int stride) {
    const double beta = x->step->beta, *value = x->plan.value[i];
    const wy_director_next *next = &x->next[x->plan.load.point[i].cell * x->plan.p];
    for (int a = 0; a <= x->plan.p; a++) {
        const vec3 f = tri_sum3(tri_scale(vec3_lane(x->force[i].force), next[a].d));
        const vec3 l = tri_sum3(tri_scale(vec3_lane(x->force[i].moment), next[a].d));
        for (int b = 0; b <= x->plan.p; b++) {
            const double k = beta * value[b] * value[a];
            wy_rows_hat(m, stride, 6 * b, 6 * a + 3, k, f);
            wy_rows_hat(m, stride, 6 * b + 3, 6 * a + 3, k, l);
        }
    }
}

/* Material components of a follower into laboratory ones. */
static wy_director_force turned(wy_director_force f, tri d) {
    return (wy_director_force){tri_sum3(tri_scale(vec3_lane(f.force), d)),
                               tri_sum3(tri_scale(vec3_lane(f.moment), d))};
}

static int follows(const wy_director *x, int i) {
    const withy_load *load = x->plan.load.point[i].load;
    return load->follower &&
           !wy_load_uses_state(load); /* those are given in laboratory components */
}

static wy_director_force force_of(const wy_director *x, int i) {
    return follows(x, i) ? turned(x->force[i], frame_at(x, i)) : x->force[i];
}

void wy_director_loads_add(const wy_director *x, int e, double *matrix, int stride, int column) {
    if (x->plan.has_damping_in_space) wy_director_space_add(x, e, matrix, stride, column);
    if (!wy_director_loaded(x, e)) return;
    if (x->fluid && wy_is_cable(&x->plan)) wy_cable_fluid_add(x, e, matrix, stride, column);
    if (!x->plan.load.count) return;
    for (int i = x->plan.load.first[e]; i < x->plan.load.first[e + 1]; i++) {
        const wy_director_force f = force_of(x, i);
        if (follows(x, i)) add_follower(x, i, matrix, stride);
        if (wy_load_uses_state(x->plan.load.point[i].load))
            wy_director_state_load_add(x, i, matrix, stride);
        for (int b = 0; b <= x->plan.p; b++) {
            double six[6];
            v3_to(v3_scale(x->plan.value[i][b], f.force), six);
            v3_to(v3_scale(x->plan.value[i][b], f.moment), six + 3);
            for (int k = 0; k < 6; k++) matrix[(6 * b + k) * stride + column] += six[k];
        }
    }
}

static double work_of(wy_director_force f, const wy_director_next *next) {
    return v3_dot(f.force, next->dr) + v3_dot(f.moment, next->theta);
}

double wy_director_loads_work(const wy_director *x) {
    double work = 0;
    for (int i = 0; i < x->plan.load.count; i++) {
        const wy_director_next *next = &x->next[x->plan.load.point[i].cell * x->plan.p];
        const wy_director_force f = force_of(x, i);
        for (int b = 0; b <= x->plan.p; b++) work += x->plan.value[i][b] * work_of(f, &next[b]);
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_force f = x->step->end[i].apply;
        if (end->end.end->follower && !wy_end_uses_state(end->end.end))
            f = turned(f, wy_director_mid(x, end->node));
        work += work_of(f, &x->next[end->node]);
    }
    return work;
}

/* ---- ends ------------------------------------------------------------------------------------------ */

/* Where an end that is given by its rates will be at t: from where it is now, in one step. */
static withy_status drive_to(wy_director *x, int which, double t, wy_pose *pose, withy_error *err) {
    const wy_director_end *end = &x->plan.end[which];
    wy_end_driven *driven = &x->step->end[which].driven;
    *driven = x->now->end[which].driven;
    if (x->step->dynamic) WY_TRY(wy_end_drive(&end->end, x->step->t, t - x->step->t, driven, err));
    if (end->rates & 1) pose->r = driven->r;
    if (end->rates & 2) pose->frame = q_matrix(driven->q);
    return WITHY_OK;
}

/* Where an end is held at t, from the local origin. */
static withy_status target_at(wy_director *x, int which, double t, withy_error *err) {
    const wy_director_end_now *now = &x->now->end[which];
    wy_pose pose;
    WY_TRY(wy_end_pose(&x->plan.end[which].end, t, &pose, err));
    if (x->plan.end[which].rates) WY_TRY(drive_to(x, which, t, &pose, err));
    const vec3 r = v3_add(pose.r, now->offset_r);
    x->step->end[which].target_r = v3_sub(r, wy_director_origin_shift(x));
    x->step->end[which].target = tri_matrix(tri_cayley(now->offset_turn, tri_from(pose.frame)));
    return WITHY_OK;
}

withy_status wy_director_ends_at(wy_director *x, double t_load, double t_pose, withy_error *err) {
    const double factor = x->step->factor;
    x->step->when = t_load;
    WY_TRY(wy_director_tendons_at(x, t_load, t_pose, err));
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_end_step *to = &x->step->end[i];
        const withy_end *given = end->end.end;
        const double s = end->end.s;
        to->target_r = v3(0, 0, 0), to->target = m3_identity();
        if (!wy_end_uses_state(given)) {
            WY_TRY(wy_load_value(&given->force, s, t_load, factor, &to->apply.force, err));
            WY_TRY(wy_load_value(&given->moment, s, t_load, factor, &to->apply.moment, err));
        }
        if (end->places || end->holds_frame) WY_TRY(target_at(x, i, t_pose, err));
    }
    return WITHY_OK;
}
