/* load.c - distributed and point loads on the elements, forces and poses at the ends.
 *
 * A load is integrated over the part of each element it covers with four Gauss points (exact for
 * polynomials of degree 7), each a point load shared among the nodes by the shape functions.  In
 * the step from t to t + h everything is taken at t + h/2; a follower turns with the mean directors
 * D, so that its work over the step is exactly force . (r+ - r-) + moment . theta.
 */
#include "method/director/director.h"

static void add_item(wy_director_plan *plan, int e, int which, double s, double weight) {
    wy_director_load *item = plan->load ? &plan->load[plan->load_count] : NULL;
    plan->load_count++;
    if (!item) return; /* first pass: counting */
    double slope[WY_DIRECTOR_NODE_MAX];
    *item = (wy_director_load){.element = e, .load = which, .s = s};
    item->follower = plan->source[which].follower;
    wy_director_rule_values(&plan->rule, (s - plan->start[e]) / plan->size[e], item->value, slope);
    for (int a = 0; a <= plan->p; a++) item->share[a] = weight * item->value[a];
}

static void add_load(wy_director_plan *plan, int e, int which, const wy_director_rule *fine) {
    const withy_load *load = &plan->source[which];
    const double left = plan->start[e];
    const double right = e + 1 < plan->n ? plan->start[e + 1] : plan->length;
    if (load->kind == WITHY_LOAD_POINT) { /* on a border: the element that begins there */
        const int mine = load->from >= left && (load->from < right || e == plan->n - 1);
        if (mine) add_item(plan, e, which, load->from, 1.0);
        return;
    }
    const double from = wy_max(left, load->from), to = wy_min(right, load->to);
    if (!(to > from)) return;
    for (int g = 0; g < fine->degree; g++)
        add_item(plan, e, which, from + fine->point[g] * (to - from),
                 fine->weight[g] * (to - from));
}

static void list_loads(wy_director_plan *plan, const wy_director_rule *fine) {
    plan->load_count = 0;
    for (int e = 0; e < plan->n; e++) {
        plan->load_first[e] = plan->load_count;
        for (int i = 0; i < plan->source_count; i++) add_load(plan, e, i, fine);
    }
    plan->load_first[plan->n] = plan->load_count;
}

withy_status wy_director_loads_make(wy_director_plan *plan, wy_arena *arena, withy_error *err) {
    wy_director_rule fine;
    wy_director_rule_make(WY_DIRECTOR_DEGREE_MAX, &fine);
    plan->load_first = wy_arena_take(arena, (size_t)plan->n + 1, sizeof *plan->load_first);
    if (plan->load_first) {
        list_loads(plan, &fine);
        plan->load = wy_arena_take(arena, (size_t)plan->load_count, sizeof *plan->load);
    }
    if (!plan->load) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the loads");
    list_loads(plan, &fine);
    return WITHY_OK;
}

withy_status wy_director_loads_at(wy_director *x, double t, withy_error *err) {
    const double factor = x->step->factor;
    const int on = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
    for (int i = 0; i < x->plan.load_count; i++) {
        const wy_director_load *item = &x->plan.load[i];
        const withy_load *load = &x->plan.source[item->load];
        x->force[i] = (wy_director_force){{0, 0, 0}, {0, 0, 0}};
        if (item->load >= on) continue;
        WY_TRY(wy_load_value(&load->force, item->s, t, factor, &x->force[i].force, err));
        WY_TRY(wy_load_value(&load->moment, item->s, t, factor, &x->force[i].moment, err));
    }
    return WITHY_OK;
}

/* The directors at the load: middle of the step, statics: the iterate. */
static tri frame_at(const wy_director *x, const wy_director_load *item) {
    tri d = {{0}, {0}, {0}};
    for (int a = 0; a <= x->plan.p; a++)
        d = tri_axpy(d, lane_all(item->value[a]),
                     wy_director_acting(x, item->element * x->plan.p + a));
    return d;
}

static void sum_hat(double *m, int stride, int row, int column, double k, vec3 u) {
    double *a = &m[row * stride + column], *b = a + stride, *c = b + stride;
    a[1] -= k * u.z, a[2] += k * u.y;
    b[0] += k * u.z, b[2] -= k * u.x;
    c[0] -= k * u.y, c[1] += k * u.x;
}

static void add_follower(const wy_director *x, int i, double *m, int stride) {
    const double beta = x->step->beta;
    const wy_director_load *item = &x->plan.load[i];
    const wy_director_next *next = &x->next[item->element * x->plan.p];
    for (int a = 0; a <= x->plan.p; a++) {
        const vec3 f = tri_sum3(tri_scale(vec3_lane(x->force[i].force), next[a].d));
        const vec3 l = tri_sum3(tri_scale(vec3_lane(x->force[i].moment), next[a].d));
        for (int b = 0; b <= x->plan.p; b++) {
            const double k = beta * item->share[b] * item->value[a];
            sum_hat(m, stride, 6 * b, 6 * a + 3, k, f);
            sum_hat(m, stride, 6 * b + 3, 6 * a + 3, k, l);
        }
    }
}

/* Material components of a follower into laboratory ones. */
static wy_director_force turned(wy_director_force f, tri d) {
    return (wy_director_force){tri_sum3(tri_scale(vec3_lane(f.force), d)),
                               tri_sum3(tri_scale(vec3_lane(f.moment), d))};
}

static wy_director_force force_of(const wy_director *x, int i) {
    const wy_director_load *item = &x->plan.load[i];
    return item->follower ? turned(x->force[i], frame_at(x, item)) : x->force[i];
}

void wy_director_loads_add(const wy_director *x, int e, double *matrix, int stride, int column) {
    for (int i = x->plan.load_first[e]; i < x->plan.load_first[e + 1]; i++) {
        const wy_director_load *item = &x->plan.load[i];
        const wy_director_force f = force_of(x, i);
        if (item->follower) add_follower(x, i, matrix, stride);
        for (int b = 0; b <= x->plan.p; b++) {
            double six[6];
            v3_to(v3_scale(item->share[b], f.force), six);
            v3_to(v3_scale(item->share[b], f.moment), six + 3);
            for (int k = 0; k < 6; k++) matrix[(6 * b + k) * stride + column] += six[k];
        }
    }
}

static double work_of(wy_director_force f, const wy_director_next *next) {
    return v3_dot(f.force, next->dr) + v3_dot(f.moment, next->theta);
}

double wy_director_loads_work(const wy_director *x) {
    double work = 0;
    for (int i = 0; i < x->plan.load_count; i++) {
        const wy_director_load *item = &x->plan.load[i];
        const wy_director_next *next = &x->next[item->element * x->plan.p];
        const wy_director_force f = force_of(x, i);
        for (int b = 0; b <= x->plan.p; b++) work += item->share[b] * work_of(f, &next[b]);
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_force f = x->step->end[i].apply;
        if (end->end.end->follower) f = turned(f, wy_director_mid(x, end->node));
        work += work_of(f, &x->next[end->node]);
    }
    return work;
}

/* ---- ends ------------------------------------------------------------------------------------------ */

/* Where an end is held at t, from the local origin. */
static withy_status target_at(wy_director *x, int which, double t, withy_error *err) {
    const wy_director_end_now *now = &x->now->end[which];
    wy_pose pose;
    WY_TRY(wy_end_pose(&x->plan.end[which].end, t, &pose, err));
    const vec3 r = v3_add(pose.r, now->offset_r);
    x->step->end[which].target_r = v3_sub(r, x->now->origin);
    x->step->end[which].target = tri_matrix(tri_cayley(now->offset_turn, tri_from(pose.frame)));
    return WITHY_OK;
}

withy_status wy_director_ends_at(wy_director *x, double t_load, double t_pose, withy_error *err) {
    const double factor = x->step->factor;
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_end_step *to = &x->step->end[i];
        const withy_end *given = end->end.end;
        const double s = end->end.s;
        to->target_r = v3(0, 0, 0), to->target = m3_identity();
        WY_TRY(wy_load_value(&given->force, s, t_load, factor, &to->apply.force, err));
        WY_TRY(wy_load_value(&given->moment, s, t_load, factor, &to->apply.moment, err));
        if (end->holds_position || end->holds_frame) WY_TRY(target_at(x, i, t_pose, err));
    }
    return WITHY_OK;
}
