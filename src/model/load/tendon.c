/* tendon.c - see tendon.h. */
#include "model/load/tendon.h"

double wy_tendon_tension(const wy_tendon *tendon, int point, const double xi[6], double l[6]) {
    const vec3 r = tendon->r[point];
    const vec3 p = v3_add(v3_add(v3_from(xi + 3), v3_cross(v3_from(xi), r)), tendon->slope[point]);
    const double length = v3_norm(p);
    const vec3 t = v3_scale(1 / length, p);
    v3_to(v3_cross(r, t), l);
    v3_to(t, l + 3);
    return length;
}

void wy_tendon_add_slope(double tau, vec3 r, vec3 t, double p, double kt[6][6]) {
    double column[6][3]; /* (1 - t t^T) P, by columns of P */
    for (int c = 0; c < 6; c++) {
        const vec3 e = v3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
        const vec3 pe = c < 3 ? v3_cross(e, r) : e;
        v3_to(v3_axpy(pe, -v3_dot(t, pe), t), column[c]);
    }
    for (int c = 0; c < 6; c++) {
        const vec3 y = v3_from(column[c]), m = v3_cross(r, y); /* P^T y = (r x y, y) */
        const double add[6] = {m.x, m.y, m.z, y.x, y.y, y.z};
        for (int i = 0; i < 6; i++) kt[i][c] += tau / p * add[i];
    }
}

/* The share of the cell around a point where a tendon runs. */
static double overlap(double length, double s, double half, double from, double to) {
    const double left = wy_max(s - half, 0), right = wy_min(s + half, length);
    return wy_max(0, wy_min(right, to) - wy_max(left, from)) / (right - left);
}

static withy_status route_at(double length, const withy_load *load, double s, vec3 *r,
                             withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0};
    s = wy_min(wy_max(s, 0), length);
    WY_TRY(withy_field_at(&load->route, s, 0, a, err));
    *r = v3(a[0], a[1], 0);
    return WITHY_OK;
}

/* r_k and its slope by differences of fourth order, one-sided at the ends of the rod. */
static withy_status trace_point(double length, double s, wy_tendon *tendon, int point,
                                withy_error *err) {
    const double d = 1e-3 * length;
    /* s is point 0, 2 or 4 of the five */
    const int at = s < 2 * d ? 0 : s > length - 2 * d ? 2 : 1;
    const double first = s - 2 * at * d;
    static const double weight[3][5] = {
        {-25, 48, -36, 16, -3}, {1, -8, 0, 8, -1}, {3, -16, 36, -48, 25}};
    vec3 slope = v3(0, 0, 0), r;
    for (int i = 0; i < 5 && tendon->load->route.call; i++) {
        WY_TRY(route_at(length, tendon->load, first + i * d, &r, err));
        slope = v3_axpy(slope, weight[at][i] / (12 * d), r);
    }
    tendon->slope[point] = slope;
    return route_at(length, tendon->load, s, &tendon->r[point], err);
}

withy_status wy_tendon_trace(const withy_rod *rod, const withy_load *load, int count,
                             const double *s, double width, wy_arena *arena, wy_tendon *tendon,
                             withy_error *err) {
    wy_allocator from = {.arena = arena};
    *tendon = (wy_tendon){.load = load, .column = -1, .by = load};
    tendon->r = wy_allocator_alloc(&from, (size_t)count, sizeof *tendon->r);
    tendon->slope = wy_allocator_alloc(&from, (size_t)count, sizeof *tendon->slope);
    tendon->weight = wy_allocator_alloc(&from, (size_t)count, sizeof *tendon->weight);
    if (from.failed) return wy_no_memory(err, "no memory for a tendon");
    for (int p = 0; p < count; p++) {
        WY_TRY(trace_point(rod->length, s[p], tendon, p, err));
        tendon->weight[p] = overlap(rod->length, s[p], 0.5 * width, load->from, load->to);
    }
    return WITHY_OK;
}

withy_status wy_tendon_value(const wy_tendon *tendon, double t, double factor, double *value,
                             withy_error *err) {
    const withy_load *load = tendon->by;
    const int pushes = load->kind == WITHY_LOAD_CHAMBER; /* its area is in the weights */
    const withy_field *field = pushes                    ? &load->pressure
                               : load->displacement.size ? &load->displacement
                                                         : &load->tension;
    double out[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, 0, t, out, err));
    *value = (field->call ? out[0] : factor * out[0]) * (pushes ? -1 : 1);
    return WITHY_OK;
}
