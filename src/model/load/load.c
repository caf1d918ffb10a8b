/* load.c - distributed loads and initial velocities at a point of a rod. */
#include "model/model.h"

withy_status wy_load_value(const withy_field *field, double s, double t, double factor, vec3 *out,
                           withy_error *err) {
    double f[WITHY_FIELD_MAX] = {0};
    *out = v3(0, 0, 0);
    if (!field->size) return WITHY_OK;
    WY_TRY(withy_field_at(field, s, t, f, err));
    *out = wy_field_varies(field) ? v3_from(f) : v3_scale(factor, v3_from(f));
    return WITHY_OK;
}

withy_status wy_load_at(const withy_load *load, double s, double t, double factor, mat3 frame,
                        vec3 *force, vec3 *moment, withy_error *err) {
    WY_TRY(wy_load_value(&load->force, s, t, factor, force, err));
    WY_TRY(wy_load_value(&load->moment, s, t, factor, moment, err));
    if (load->follower) *force = m3_mul(frame, *force), *moment = m3_mul(frame, *moment);
    return WITHY_OK;
}

int wy_load_is_partial(const withy_rod *rod, const withy_load *load) {
    return load->kind == WITHY_LOAD_DISTRIBUTED && (load->from > 0 || load->to < rod->length);
}

withy_status wy_load_density(const withy_rod *rod, double s, double t, double factor, mat3 frame,
                             vec3 *force, vec3 *moment, withy_error *err) {
    *force = *moment = v3(0, 0, 0);
    for (int i = 0; i < rod->load_count; i++) {
        const withy_load *load = &rod->load[i];
        if (load->kind != WITHY_LOAD_DISTRIBUTED || s < load->from || s > load->to) continue;
        vec3 f, m;
        WY_TRY(wy_load_at(load, s, t, factor, frame, &f, &m, err));
        *force = v3_add(*force, f), *moment = v3_add(*moment, m);
    }
    return WITHY_OK;
}

int wy_has_time_loads(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++) {
        const withy_load *load = &rod->load[i];
        if (wy_load_has_route(load) || wy_load_varies(load)) return 1;
    }
    for (int e = 0; e < 2; e++) {
        const withy_end *end = &rod->end[e];
        const int loaded = end->force.size || end->moment.size;
        if ((loaded && end->follower) || wy_field_varies(&end->force) ||
            wy_field_varies(&end->moment))
            return 1;
    }
    return 0;
}

withy_status wy_velocity_at(const withy_rod *rod, double s, vec3 *v, vec3 *spin, withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(&rod->velocity, s, 0, a, err));
    WY_TRY(withy_field_at(&rod->spin, s, 0, b, err));
    *v = v3_from(a), *spin = v3_from(b);
    return WITHY_OK;
}

/* Not where it is given as zero. */
static int acts(const withy_field *field) {
    int any = field->size && (wy_field_varies(field) || field->table);
    for (int i = 0; i < field->size; i++) any |= field->value[i] != 0 || field->input[i];
    return any;
}

static int are_potential(const withy_load *load, int count, int planar) {
    for (int i = 0; i < count; i++) {
        const int moment = acts(&load[i].moment);
        if (wy_load_has_route(&load[i])) continue;
        if (wy_load_uses_state(&load[i])) return 0;
        if (load[i].follower && (moment || acts(&load[i].force))) return 0;
        if (moment && !planar) return 0;
    }
    return 1;
}

int wy_has_potential(const withy_rod *rod, int pulls, int planar) {
    if (!are_potential(rod->load, rod->load_count, planar)) return 0;
    if (pulls && !are_potential(rod->pull, rod->pull_count, planar)) return 0;
    for (int e = 0; e < 2; e++) {
        const withy_end *end = &rod->end[e];
        const int moment = acts(&end->moment);
        const int follows = end->follower && (acts(&end->force) || moment);
        if (wy_end_uses_state(end)) return 0;
        if (wy_end_holds_direction(end)) continue;
        if (follows || (moment && !planar)) return 0;
    }
    return 1;
}
