/* device_signal.c - loads and ends that vary in time, as a row of numbers for each step of a rod.
 *
 * A device calls no functions: the host evaluates each signal at the start of every step.  A load along
 * the rod acts on node i by share_i f(t); where f depends on s as well, every point of the load has a
 * signal of its own.  Forces and moments that turn with an end are turned on the device.
 */
#include "method/fdtd/batch.h"

/* Does one value serve all points of the load? */
static int is_of_time_alone(const withy_load *load) {
    const withy_field *f = &load->force;
    return load->kind == WITHY_LOAD_POINT || wy_signal_table(f) || wy_signal_is_input(f);
}

withy_status wy_fdtd_signals_accept(const wy_fdtd_group *g, int lane, withy_error *err) {
    const withy_rod *rod = &g->problem->rod[g->rod[lane]];
    for (int i = 0; i < rod->load_count; i++) {
        const withy_load *load = &rod->load[i];
        if (load->moment.size)
            return wy_unsupported(err,
                                  "fdtd: loads[%d]" WY_KEY
                                  " is a moment along the rod, which is not done on a device; use "
                                  "another engine, or a moment at an end",
                                  i + 1);
        if (load->follower)
            return wy_unsupported(err,
                                  "fdtd: loads[%d]" WY_KEY
                                  " turns with the rod, which is not done on a device but at the "
                                  "ends; use another engine",
                                  i + 1);
    }
    return WITHY_OK;
}

/* The nodes on which a point acts, and their shares of its force per length. */
static void spread(const wy_fdtd_group *g, int lane, const wy_load_point *point, int node[2],
                   double share[2]) {
    node[0] = node[1] = point->node, share[0] = point->weight, share[1] = 0;
    if (point->node >= 0) return;
    const double low = wy_fdtd_node_share(g, lane, point->s, &node[0]);
    node[1] = node[0] + 1;
    share[0] = low * point->weight, share[1] = (1 - low) * point->weight;
}

/* The channel of point k, where all channels before are known: that of an earlier point of its load, or
 * the next one. */
static int channel_of(const wy_load_points *points, const int *channel, int k, int next) {
    const withy_load *load = points->point[k].load;
    for (int i = 0; i < k && is_of_time_alone(load); i++)
        if (points->point[i].load == load) return channel[i];
    return next;
}

static int list_channels(const wy_load_points *points, int *channel) {
    int count = 0;
    for (int k = 0; k < points->count; k++) {
        channel[k] = -1;
        if (!wy_load_varies(points->point[k].load)) continue;
        channel[k] = channel_of(points, channel, k, count);
        if (channel[k] == count) count++;
    }
    return count;
}

static void fill_channels(const wy_fdtd_group *g, int lane, const int *channel,
                          wy_fdtd_signals *out) {
    const wy_load_points *points = &g->load[lane].force;
    for (int k = 0; k < points->count; k++) {
        int node[2];
        double share[2];
        if (channel[k] < 0) continue;
        spread(g, lane, &points->point[k], node, share);
        out->load[channel[k]] = points->point[k].load, out->s[channel[k]] = points->point[k].s;
        for (int i = 0; i < 2; i++) out->pattern[channel[k] * (g->n + 1) + node[i]] += share[i];
    }
}

static withy_status fill_base(const wy_fdtd_group *g, int lane, double *base, withy_error *err) {
    const int points = g->n + 1;
    for (int i = 0; i < points; i++)
        for (int d = 0; d < 3; d++) {
            const int x = i * g->lanes + lane;
            double gravity[3];
            v3_to(g->problem->gravity, gravity);
            base[d * points + i] =
                wy_fdtd_is_live(g) ? g->grid.mass[x] * gravity[d] : g->now.load[d][x];
        }
    for (int k = 0; wy_fdtd_is_live(g) && k < g->load[lane].force.count; k++) {
        const wy_load_point *point = &g->load[lane].force.point[k];
        int node[2];
        double share[2], f[3];
        vec3 value;
        if (wy_load_varies(point->load)) continue;
        spread(g, lane, point, node, share);
        WY_TRY(wy_load_value(&point->load->force, point->s, 0.0, 1.0, &value, err));
        v3_to(value, f);
        for (int i = 0; i < 2; i++)
            for (int d = 0; d < 3; d++) base[d * points + node[i]] += share[i] * f[d];
    }
    return WITHY_OK;
}

withy_status wy_fdtd_signals_make(const wy_fdtd_group *g, int lane, wy_arena *arena,
                                  wy_fdtd_signals *out, withy_error *err) {
    *out = (wy_fdtd_signals){.pose = {-1, -1}, .pull = {-1, -1}};
    for (int e = 0; e < 2; e++) {
        if (g->end[e].moves) out->pose[e] = out->width, out->width += 7;
        if (g->end[e].loaded && !g->end[e].steady) out->pull[e] = out->width, out->width += 6;
    }
    const wy_load_points *list = &g->load[lane].force;
    int *channel = wy_arena_alloc(arena, (size_t)list->count + 1, sizeof *channel);
    if (!channel) return wy_no_memory(err, "fdtd: no memory for the signals of a rod");
    out->channels = list_channels(list, channel);
    const size_t count = (size_t)out->channels + 1, points = (size_t)g->n + 1;
    out->load = wy_arena_alloc(arena, count, sizeof *out->load);
    out->s = wy_arena_alloc(arena, count, sizeof *out->s);
    out->pattern = wy_arena_alloc(arena, count * points, sizeof *out->pattern);
    out->base = wy_arena_alloc(arena, 3 * points, sizeof *out->base);
    if (!out->load || !out->s || !out->pattern || !out->base)
        return wy_no_memory(err, "fdtd: no memory for the signals of a rod");
    fill_channels(g, lane, channel, out);
    out->first = out->width, out->width += 3 * out->channels;
    return fill_base(g, lane, out->base, err);
}

static withy_status end_row(const wy_fdtd_group *g, int lane, int e, const wy_fdtd_signals *signals,
                            double t, double *row, withy_error *err) {
    const wy_end *end = &g->end[e].end[lane];
    if (signals->pose[e] >= 0) { /* where it is after the step, its frame before it */
        double *to = row + signals->pose[e];
        wy_pose now, next;
        WY_TRY(wy_end_pose(end, t, &now, err));
        WY_TRY(wy_end_pose(end, t + g->rate.h, &next, err));
        const quat q = q_from_matrix(now.frame);
        v3_to(next.r, to), to[3] = q.w, to[4] = q.x, to[5] = q.y, to[6] = q.z;
    }
    if (signals->pull[e] >= 0) {
        vec3 force, moment;
        WY_TRY(wy_load_value(&end->end->force, end->s, t, 1.0, &force, err));
        WY_TRY(wy_load_value(&end->end->moment, end->s, t, 1.0, &moment, err));
        v3_to(force, row + signals->pull[e]), v3_to(moment, row + signals->pull[e] + 3);
    }
    return WITHY_OK;
}

withy_status wy_fdtd_signals_row(const wy_fdtd_group *g, int lane, const wy_fdtd_signals *signals,
                                 double t, double *row, withy_error *err) {
    for (int e = 0; e < 2; e++) WY_TRY(end_row(g, lane, e, signals, t, row, err));
    for (int c = 0; c < signals->channels; c++) {
        vec3 f;
        WY_TRY(wy_load_value(&signals->load[c]->force, signals->s[c], t, 1.0, &f, err));
        v3_to(f, row + signals->first + 3 * c);
    }
    return WITHY_OK;
}
