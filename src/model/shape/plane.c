/* plane.c - see shape.h. */
#include "model/shape/shape.h"

double wy_slow_motion(double length, const wy_stations *at) {
    double slow = 0;
    for (int i = 0; i < at->count; i++) {
        const double *k = at->section[i].stiffness;
        slow = wy_max(slow, at->section[i].inertia[WITHY_MASS] / wy_min(k[3], k[4]));
    }
    return length * length * sqrt(slow);
}

static const double PLANAR_TOLERANCE = 1e-9;

typedef struct collect {
    vec3 first, normal; /* a direction in the plane; its normal once known */
    int found, flat;
    int second_pass; /* the normal is final: check against it */
    const withy_problem *problem;
    const withy_rod *rod;
    const wy_stations *at;
    wy_end end[2];
} collect;

/* A direction that must lie in the plane, or across it. */
static void look_at(collect *c, vec3 a, int across) {
    const double size = v3_norm(a);
    if (!(size > 0) || !isfinite(size)) return;
    if (c->second_pass) {
        const double off = across ? v3_norm(v3_cross(a, c->normal)) : fabs(v3_dot(a, c->normal));
        c->flat &= off <= PLANAR_TOLERANCE * size;
    } else if (!c->found) {
        const vec3 n = across ? a : v3_cross(c->first, a);
        if (v3_norm(n) > 1e-6 * size) c->normal = v3_unit(n), c->found = 1;
    }
}
static void in_plane(collect *c, vec3 a) {
    look_at(c, a, 0);
}
static void across_plane(collect *c, vec3 a) {
    look_at(c, a, 1);
}

/* Of a function of the state nothing is known: where there is one, the rod may leave any plane. */
static withy_status field_vec(const withy_field *field, double s, double t, vec3 *out,
                              withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0};
    *out = v3(0, 0, 0);
    if (field->from_state) return WITHY_OK;
    WY_TRY(withy_field_at(field, s, t, a, err));
    *out = v3_from(a);
    return WITHY_OK;
}

static withy_status look_at_ends(collect *c, double t, withy_error *err) {
    const wy_pose *pose = c->at->pose;
    for (int e = 0; e < 2; e++) {
        const withy_end *end = &c->rod->end[e];
        const double s = e ? c->rod->length : 0.0;
        const mat3 frame = pose[e ? c->at->count - 1 : 0].frame;
        wy_pose held;
        vec3 a;
        WY_TRY(wy_end_pose(&c->end[e], t, &held, err));
        in_plane(c, v3_sub(held.r, pose[0].r));
        if (c->end[e].slides)
            in_plane(c, c->end[e].places == 2 ? c->end[e].axes.c3 : c->end[e].axes.c1);
        if (wy_end_holds_direction(end)) {
            in_plane(c, held.frame.c3);
            if (!c->end[e].turns_free && c->second_pass) /* no twist: d1 keeps its angle */
                c->flat &=
                    fabs(v3_dot(held.frame.c1, c->normal) - v3_dot(frame.c1, c->normal)) <= 1e-7;
        }
        const withy_field *plain[] = {&end->velocity, &end->acceleration},
                          *turn[] = {&end->spin, &end->spin_rate};
        for (int k = 0; k < 2; k++) {
            WY_TRY(field_vec(plain[k], s, t, &a, err));
            in_plane(c, a);
            WY_TRY(field_vec(turn[k], s, t, &a, err));
            across_plane(c, a);
        }
        WY_TRY(field_vec(&end->force, s, t, &a, err));
        in_plane(c, end->follower ? m3_mul(frame, a) : a);
        WY_TRY(field_vec(&end->moment, s, t, &a, err));
        across_plane(c, end->follower ? m3_mul(frame, a) : a);
        if (end->mass > 0) in_plane(c, m3_mul(frame, end->offset));
        const vec3 j = end->inertia, n = m3_tmul(frame, c->normal);
        if (c->second_pass) across_plane(c, m3_mul(frame, v3(j.x * n.x, j.y * n.y, j.z * n.z)));
    }
    return WITHY_OK;
}

static withy_status look_at_loads(collect *c, double t, withy_error *err) {
    const wy_pose *pose = c->at->pose;
    /* at t = 0 everywhere, then at a few stations in turn: where a load leaves the plane between the times
     * that are looked at, the method refuses it */
    enum { FEW = 5 };
    const int stride = t > 0 && c->at->count > FEW ? c->at->count / FEW : 1;
    for (int k = 0; k < c->rod->load_count; k++)
        for (int i = 0; i < c->at->count; i += stride) {
            const withy_load *load = &c->rod->load[k];
            if (t > 0 && !load->force.call && !load->moment.call) break;
            vec3 a;
            WY_TRY(field_vec(&load->force, c->at->s[i], t, &a, err));
            in_plane(c, load->follower ? m3_mul(pose[i].frame, a) : a);
            WY_TRY(field_vec(&load->moment, c->at->s[i], t, &a, err));
            across_plane(c, load->follower ? m3_mul(pose[i].frame, a) : a);
        }
    return WITHY_OK;
}

/* Time k at which functions are evaluated: unlikely to be a fraction of any period. */
static double time_of(double slow, int k) {
    const double decade = 4.0 * fmod(0.6180339887 * k, 1.0) - 2.0;
    return (k % 2 ? slow : 1.0) * pow(10.0, decade);
}

static withy_status look(collect *c, withy_error *err) {
    const wy_pose *pose = c->at->pose;
    const double slow = wy_slow_motion(c->rod->length, c->at);
    enum { TIMES = 64 };
    for (int i = 0; i < c->at->count; i++) {
        vec3 v, spin;
        in_plane(c, pose[i].frame.c3);
        in_plane(c, v3_sub(pose[i].r, pose[0].r));
        WY_TRY(wy_velocity_at(c->rod, c->at->s[i], &v, &spin, err));
        in_plane(c, v);
        across_plane(c, spin);
    }
    in_plane(c, c->problem->gravity);
    if (c->problem->floor.given) in_plane(c, c->problem->floor.normal);
    WY_TRY(look_at_ends(c, 0.0, err));
    WY_TRY(look_at_loads(c, 0.0, err));
    for (int k = 1; k <= TIMES; k++) { /* a function that is not defined there is ignored */
        look_at_ends(c, time_of(slow, k), NULL);
        look_at_loads(c, time_of(slow, k), NULL);
    }
    return WITHY_OK;
}

/* One principal axis of the sections along the normal, the same along the rod; no rest twist. */
static void sections_fit(collect *c) {
    const wy_pose *pose = c->at->pose;
    const wy_section_at *section = c->at->section;
    const vec3 n0 = m3_tmul(pose[0].frame, c->normal);
    for (int i = 0; i < c->at->count; i++) {
        const vec3 n = m3_tmul(pose[i].frame, c->normal);
        c->flat &= v3_norm(v3_sub(n, n0)) <= 1e-7;
        const double *k = section[i].stiffness, *h = section[i].damping;
        const double *rho = section[i].inertia;
        const int principal = fabs(n.x * n.y) <= 1e-9;
        const int round =
            k[0] == k[1] && k[3] == k[4] && rho[1] == rho[2] && h[0] == h[1] && h[3] == h[4];
        c->flat &= principal || round;
        const double *e = c->at->rest[i], size = fabs(e[3]) + fabs(e[4]) + fabs(e[5]);
        c->flat &= fabs(e[0] * n.x + e[1] * n.y) <= 1e-9;
        c->flat &= fabs(e[3] * n.y - e[4] * n.x) + fabs(e[5]) <= 1e-9 * size;
    }
}

static void choose_axes(vec3 normal, const wy_pose *pose, wy_plane *plane) {
    const vec3 n = normal; /* the sign that makes its largest component positive */
    const double big = fabs(n.x) > fabs(n.y) && fabs(n.x) > fabs(n.z) ? n.x
                       : fabs(n.y) > fabs(n.z)                        ? n.y
                                                                      : n.z;
    plane->normal = big < 0 ? v3_scale(-1, n) : n;
    plane->e1 = v3_orthogonal(plane->normal);
    plane->e2 = v3_cross(plane->normal, plane->e1);
    plane->height = v3_dot(pose[0].r, plane->normal);
    const vec3 in = m3_tmul(pose[0].frame, plane->normal);
    const vec3 b = m3_tmul(pose[0].frame, v3_cross(plane->normal, pose[0].frame.c3));
    plane->normal_in[0] = in.x, plane->normal_in[1] = in.y;
    plane->across_in[0] = b.x, plane->across_in[1] = b.y;
}

withy_status wy_plane_find(const withy_problem *problem, const wy_model *model, int rod,
                           const wy_stations *at, wy_plane *plane, int *planar, withy_error *err) {
    const wy_pose *pose = at->pose;
    collect c = {.first = pose[0].frame.c3,
                 .flat = 1,
                 .problem = problem,
                 .rod = &problem->rod[rod],
                 .at = at};
    for (int e = 0; e < 2; e++)
        WY_TRY(model ? wy_model_end(model, rod, e, &c.end[e], err)
                     : wy_end_prepare(c.rod, e, &c.end[e], err));
    WY_TRY(look(&c, err));
    if (!c.found) c.normal = pose[0].frame.c2; /* a straight rod under nothing: any plane */
    c.second_pass = 1;
    WY_TRY(look(&c, err));
    sections_fit(&c);
    *planar = !c.flat ? WY_PLANE_NONE : wy_rod_uses_state(c.rod) ? WY_PLANE_UNLESS : WY_PLANE_FOUND;
    if (c.flat) choose_axes(c.normal, pose, plane);
    return WITHY_OK;
}

int wy_stays_in_plane(const withy_problem *problem, const withy_rod *rod) {
    enum { COUNT = 33 };
    double s[COUNT], rest[COUNT][WITHY_STRAINS];
    wy_pose pose[COUNT];
    wy_section_at section[COUNT];
    wy_plane plane;
    int planar;
    for (int i = 0; i < COUNT; i++) s[i] = rod->length * i / (COUNT - 1);
    if (wy_shape_poses(rod, wy_initial_shape(rod), COUNT, s, pose, NULL) != WITHY_OK ||
        wy_shape_strains(rod, &rod->rest, COUNT, s, rest, NULL) != WITHY_OK ||
        wy_sections_at(rod, COUNT, s, section, NULL) != WITHY_OK)
        return 0;
    const wy_stations at = {COUNT, s, pose, section, (const double(*)[WITHY_STRAINS])rest};
    const int index = (int)(rod - problem->rod);
    if (wy_plane_find(problem, NULL, index, &at, &plane, &planar, NULL) != WITHY_OK) return 0;
    return planar == WY_PLANE_FOUND;
}
