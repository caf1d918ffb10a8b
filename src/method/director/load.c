/* load.c - distributed and point loads on the elements, forces and poses at the ends.
 *
 * A load is integrated over the part of each element it covers with four Gauss points (exact for
 * polynomials of degree 7), each a point load shared among the nodes by the shape functions.  In
 * the step from t to t + h everything is taken at t + h/2; a follower turns with the mean directors
 * D, so that its work over the step is exactly force . (r+ - r-) + moment . theta.
 */
#include <string.h>

#include "method/director/director.h"

static void add_item(wy_director *x, int e, int which, double s, double weight) {
    wy_director_load *item = x->load ? &x->load[x->load_count] : NULL;
    x->load_count++;
    if (!item) return; /* first pass: counting */
    double slope[WY_DIRECTOR_NODE_MAX];
    *item = (wy_director_load){.element = e, .load = which, .s = s};
    item->follower = x->source[which].follower;
    wy_director_rule_values(&x->rule, (s - x->start[e]) / x->size[e], item->value, slope);
    for (int a = 0; a <= x->p; a++) item->share[a] = weight * item->value[a];
}

static void add_load(wy_director *x, int e, int which, const wy_director_rule *fine) {
    const withy_load *load = &x->source[which];
    const double left = x->start[e], right = e + 1 < x->n ? x->start[e + 1] : x->length;
    if (load->kind == WITHY_LOAD_POINT) { /* on a border: the element that begins there */
        const int mine = load->from >= left && (load->from < right || e == x->n - 1);
        if (mine) add_item(x, e, which, load->from, 1.0);
        return;
    }
    const double from = wy_max(left, load->from), to = wy_min(right, load->to);
    if (!(to > from)) return;
    for (int g = 0; g < fine->degree; g++)
        add_item(x, e, which, from + fine->point[g] * (to - from), fine->weight[g] * (to - from));
}

static void list_loads(wy_director *x, const wy_director_rule *fine) {
    x->load_count = 0;
    for (int e = 0; e < x->n; e++) {
        x->load_first[e] = x->load_count;
        for (int i = 0; i < x->source_count; i++) add_load(x, e, i, fine);
    }
    x->load_first[x->n] = x->load_count;
}

withy_status wy_director_loads_make(wy_director *x, wy_arena *arena, withy_error *err) {
    wy_director_rule fine;
    wy_director_rule_make(WY_DIRECTOR_DEGREE_MAX, &fine);
    x->load = NULL;
    x->load_first = wy_arena_take(arena, (size_t)x->n + 1, sizeof *x->load_first);
    if (!x->load_first) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the loads");
    list_loads(x, &fine);
    if (x->load_count == 0) return WITHY_OK;
    x->load = wy_arena_take(arena, (size_t)x->load_count, sizeof *x->load);
    if (!x->load) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the loads");
    list_loads(x, &fine);
    return WITHY_OK;
}

/* A constant is multiplied by the load factor; a function of time is not. */
static withy_status value_at(const wy_director *x, const withy_field *field, double s, double t,
                             vec3 *out, withy_error *err) {
    double f[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, t, f, err));
    *out = v3_scale(field->call ? 1.0 : x->factor, v3_from(f));
    return WITHY_OK;
}

withy_status wy_director_loads_at(wy_director *x, double t, withy_error *err) {
    for (int i = 0; i < x->load_count; i++) {
        wy_director_load *item = &x->load[i];
        const withy_load *load = &x->source[item->load];
        WY_TRY(value_at(x, &load->force, item->s, t, &item->force, err));
        WY_TRY(value_at(x, &load->moment, item->s, t, &item->moment, err));
    }
    return WITHY_OK;
}

/* The directors at the load: middle of the step, statics: the iterate. */
static tri frame_at(const wy_director *x, const wy_director_load *item) {
    const wy_director_node *node = &x->node[item->element * x->p];
    tri d = {{0}, {0}, {0}};
    for (int a = 0; a <= x->p; a++)
        d = tri_axpy(d, lane_all(item->value[a]),
                     x->dynamic ? wy_director_mid(&node[a]) : node[a].plus);
    return d;
}

static void sum_hat(double *m, int stride, int row, int column, double k, vec3 u) {
    double *a = &m[row * stride + column], *b = a + stride, *c = b + stride;
    a[1] -= k * u.z, a[2] += k * u.y;
    b[0] += k * u.z, b[2] -= k * u.x;
    c[0] -= k * u.y, c[1] += k * u.x;
}

static void add_follower(const wy_director *x, const wy_director_load *item, double *m,
                         int stride) {
    const double beta = x->beta;
    const wy_director_node *node = &x->node[item->element * x->p];
    for (int a = 0; a <= x->p; a++) {
        const vec3 f = tri_sum3(tri_scale(vec3_lane(item->force), node[a].plus));
        const vec3 l = tri_sum3(tri_scale(vec3_lane(item->moment), node[a].plus));
        for (int b = 0; b <= x->p; b++) {
            const double k = beta * item->share[b] * item->value[a];
            sum_hat(m, stride, 6 * b, 6 * a + 3, k, f);
            sum_hat(m, stride, 6 * b + 3, 6 * a + 3, k, l);
        }
    }
}

static void load_vectors(const wy_director *x, const wy_director_load *item, vec3 *force,
                         vec3 *moment) {
    *force = item->force, *moment = item->moment;
    if (!item->follower) return;
    const tri d = frame_at(x, item);
    *force = tri_sum3(tri_scale(vec3_lane(item->force), d));
    *moment = tri_sum3(tri_scale(vec3_lane(item->moment), d));
}

void wy_director_loads_add(const wy_director *x, int e, double *matrix, int stride, int column) {
    for (int i = x->load_first[e]; i < x->load_first[e + 1]; i++) {
        const wy_director_load *item = &x->load[i];
        vec3 force, moment;
        load_vectors(x, item, &force, &moment);
        if (item->follower) add_follower(x, item, matrix, stride);
        for (int b = 0; b <= x->p; b++) {
            double six[6];
            v3_to(v3_scale(item->share[b], force), six);
            v3_to(v3_scale(item->share[b], moment), six + 3);
            for (int k = 0; k < 6; k++) matrix[(6 * b + k) * stride + column] += six[k];
        }
    }
}

double wy_director_loads_work(const wy_director *x) {
    double work = 0;
    for (int i = 0; i < x->load_count; i++) {
        const wy_director_load *item = &x->load[i];
        const wy_director_node *node = &x->node[item->element * x->p];
        vec3 force, moment;
        load_vectors(x, item, &force, &moment);
        for (int b = 0; b <= x->p; b++)
            work += item->share[b] * (v3_dot(force, node[b].dr) + v3_dot(moment, node[b].theta));
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->end[i];
        const wy_director_node *node = &x->node[end->node];
        vec3 force = end->force, moment = end->moment;
        if (end->end.end->follower) {
            const tri d = wy_director_mid(node);
            force = tri_sum3(tri_scale(vec3_lane(force), d));
            moment = tri_sum3(tri_scale(vec3_lane(moment), d));
        }
        work += v3_dot(force, node->dr) + v3_dot(moment, node->theta);
    }
    return work;
}

/* ---- ends ------------------------------------------------------------------------------------------ */

withy_status wy_director_end_pose(const wy_director_end *end, double t, wy_pose *pose,
                                  withy_error *err) {
    WY_TRY(wy_end_pose(&end->end, t, pose, err));
    pose->r = v3_add(pose->r, end->offset_r);
    pose->frame = tri_matrix(tri_cayley(end->offset_turn, tri_from(pose->frame)));
    return WITHY_OK;
}

withy_status wy_director_ends_at(wy_director *x, double t_load, double t_pose, withy_error *err) {
    for (int i = 0; i < 2; i++) {
        wy_director_end *end = &x->end[i];
        const withy_end *given = end->end.end;
        if (end->loaded) {
            WY_TRY(value_at(x, &given->force, end->end.s, t_load, &end->force, err));
            WY_TRY(value_at(x, &given->moment, end->end.s, t_load, &end->moment, err));
        }
        if (!end->holds_position && !end->holds_frame) continue;
        wy_pose pose;
        WY_TRY(wy_director_end_pose(end, t_pose, &pose, err));
        end->target_r = v3_sub(pose.r, x->origin);
        end->target = pose.frame;
    }
    return WITHY_OK;
}
