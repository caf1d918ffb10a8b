/* load_points.c - loads as points: one quadrature for every method. */
#include "model/model.h"

typedef struct maker {
    const wy_load_rule *rule;
    double length;
    wy_load_points *out; /* point is NULL while counting */
} maker;

static void add(maker *m, wy_load_point point) {
    wy_load_points *out = m->out;
    if (out->point) out->point[out->count] = point;
    out->count++;
}

/* The part of one load that lies in one cell. */
static void add_in_cell(maker *m, const withy_load *load, int cell) {
    const wy_load_rule *rule = m->rule;
    const double left = rule->edge[cell], right = rule->edge[cell + 1];
    if (load->kind == WITHY_LOAD_POINT) {
        const int after = load->from >= left || cell == 0;
        const int before = load->from < right || cell == rule->cells - 1;
        if (after && before) add(m, (wy_load_point){load, load->from, 1.0, cell, -1});
        return;
    }
    const double from = wy_max(left, load->from), to = wy_min(right, load->to);
    for (int q = 0; q < rule->points && to > from; q++)
        add(m, (wy_load_point){load, from + rule->point[q] * (to - from),
                               rule->weight[q] * (to - from), cell, -1});
}

/* Integral of the hat 1 - |u| from u = -1 on. */
static double hat_below(double u) {
    const double x = wy_min(1, wy_max(-1, u));
    return x < 0 ? 0.5 * (1 + x) * (1 + x) : 1 - 0.5 * (1 - x) * (1 - x);
}

/* The mean of the part that a load covers, weighted with the hat of a node: nodes that share a load so keep its force
 * and its moment, wherever between them it begins and ends. */
static double covered(const maker *m, const withy_load *load, double s) {
    const double width = 2 * m->rule->reach;
    if (!(width > 0)) return 1.0;
    const double all = hat_below((m->length - s) / width) - hat_below(-s / width);
    return wy_max(0, hat_below((load->to - s) / width) - hat_below((load->from - s) / width)) / all;
}

static void add_at_nodes(maker *m, const withy_load *load) {
    const wy_load_rule *rule = m->rule;
    for (int i = 0; i < rule->nodes; i++) {
        const double weight = rule->share[i] * covered(m, load, rule->node[i]);
        /* what is given as a function has no value outside its part */
        const double s = wy_min(load->to, wy_max(load->from, rule->node[i]));
        if (weight != 0) add(m, (wy_load_point){load, s, weight, -1, i});
    }
}

/* Does it act at the nodes rather than in the cells? */
static int at_nodes(const maker *m, const withy_load *load) {
    if (load->kind != WITHY_LOAD_DISTRIBUTED || m->rule->nodes == 0) return 0;
    return m->rule->reach > 0 || !(load->from > 0 || load->to < m->length);
}

static void list(maker *m, const withy_load *load, int count) {
    m->out->count = 0;
    for (int cell = 0; cell < m->rule->cells; cell++) {
        m->out->first[cell] = m->out->count;
        for (int i = 0; i < count; i++)
            if (!wy_load_has_route(&load[i]) && !at_nodes(m, &load[i]))
                add_in_cell(m, &load[i], cell);
    }
    m->out->first[m->rule->cells] = m->out->count;
    for (int i = 0; i < count; i++)
        if (at_nodes(m, &load[i])) add_at_nodes(m, &load[i]);
}

withy_status wy_load_points_make(const withy_load *load, int load_count, double length,
                                 const wy_load_rule *rule, wy_arena *arena, wy_load_points *out,
                                 withy_error *err) {
    maker m = {.rule = rule, .length = length, .out = out};
    *out = (wy_load_points){.first =
                                wy_arena_alloc(arena, (size_t)rule->cells + 1, sizeof *out->first)};
    if (!out->first) return wy_no_memory(err, "no memory for the loads");
    list(&m, load, load_count);
    if (out->count == 0) return WITHY_OK;
    out->point = wy_arena_alloc(arena, (size_t)out->count, sizeof *out->point);
    if (!out->point) return wy_no_memory(err, "no memory for the loads");
    list(&m, load, load_count);
    return WITHY_OK;
}

withy_status wy_load_point_value(const wy_load_point *point, double t, double factor, vec3 *force,
                                 vec3 *moment, withy_error *err) {
    WY_TRY(wy_load_value(&point->load->force, point->s, t, factor, force, err));
    WY_TRY(wy_load_value(&point->load->moment, point->s, t, factor, moment, err));
    *force = v3_scale(point->weight, *force), *moment = v3_scale(point->weight, *moment);
    return WITHY_OK;
}

withy_status wy_load_point_at(const wy_load_point *point, double t, double factor, mat3 frame,
                              vec3 *force, vec3 *moment, withy_error *err) {
    WY_TRY(wy_load_point_value(point, t, factor, force, moment, err));
    if (point->load->follower) *force = m3_mul(frame, *force), *moment = m3_mul(frame, *moment);
    return WITHY_OK;
}
