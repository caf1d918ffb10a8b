/* plane.c - does everything lie in one plane?  Then three numbers per node do instead of seven.
 *
 * Vectors that must lie in the plane: tangents, chords, weight, forces, velocities, held positions.
 * Vectors that must be normal to it: moments, spins.  The sections must have a principal axis along
 * the normal.  Functions of time are evaluated at t = 0 and at times scattered over four decades, about
 * the rod's own slow motion and about 1 (seconds, or the factor of a path); a load that leaves the plane
 * at another time is refused when it happens (cheb/load.c).
 */
#include "method/cheb/cheb.h"

static const double PLANAR_TOLERANCE = 1e-9;

typedef struct collect {
    vec3 first, normal; /* a direction in the plane; its normal once known */
    int found, flat;
    int second_pass; /* the normal is final: check against it */
    wy_end end[2];
} collect;

static void in_plane(collect *c, vec3 a) {
    const double size = v3_norm(a);
    if (!(size > 0) || !isfinite(size)) return;
    if (c->second_pass) {
        c->flat &= fabs(v3_dot(a, c->normal)) <= PLANAR_TOLERANCE * size;
    } else if (!c->found) {
        const vec3 n = v3_cross(c->first, a);
        if (v3_norm(n) > 1e-6 * size) c->normal = v3_unit(n), c->found = 1;
    }
}

static void across_plane(collect *c, vec3 a) {
    const double size = v3_norm(a);
    if (!(size > 0) || !isfinite(size)) return;
    if (c->second_pass) {
        c->flat &= v3_norm(v3_cross(a, c->normal)) <= PLANAR_TOLERANCE * size;
    } else if (!c->found) {
        c->normal = v3_unit(a), c->found = 1;
    }
}

static withy_status field_vec(const withy_field *field, double s, double t, vec3 *out,
                              withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, t, a, err));
    *out = v3_from(a);
    return WITHY_OK;
}

static withy_status look_at_ends(const wy_cheb *x, collect *c, const wy_pose *pose, double t,
                                 withy_error *err) {
    for (int e = 0; e < 2; e++) {
        const withy_end *end = &x->rod->end[e];
        const double s = e ? x->rod->length : 0.0;
        const mat3 frame = pose[e ? x->grid.n : 0].frame;
        wy_pose held;
        vec3 a;
        WY_TRY(wy_end_pose(&c->end[e], t, &held, err));
        in_plane(c, v3_sub(held.r, pose[0].r));
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
    }
    return WITHY_OK;
}

static withy_status look_at_loads(const wy_cheb *x, collect *c, const wy_pose *pose, double t,
                                  withy_error *err) {
    for (int k = 0; k < x->rod->load_count; k++)
        for (int i = 0; i <= x->grid.n; i++) {
            const withy_load *load = &x->rod->load[k];
            vec3 a;
            WY_TRY(field_vec(&load->force, x->grid.s[i], t, &a, err));
            in_plane(c, load->follower ? m3_mul(pose[i].frame, a) : a);
            WY_TRY(field_vec(&load->moment, x->grid.s[i], t, &a, err));
            across_plane(c, load->follower ? m3_mul(pose[i].frame, a) : a);
        }
    return WITHY_OK;
}

/* Time k at which functions are evaluated: not a fraction of any period one would think of. */
static double time_of(const wy_cheb *x, int k) {
    const double decade = 4.0 * fmod(0.6180339887 * k, 1.0) - 2.0;
    return (k % 2 ? x->along.slow : 1.0) * pow(10.0, decade);
}

static withy_status look(const wy_cheb *x, collect *c, const wy_pose *pose, withy_error *err) {
    enum { TIMES = 16 };
    for (int i = 0; i <= x->grid.n; i++) {
        vec3 v, spin;
        in_plane(c, pose[i].frame.c3);
        in_plane(c, v3_sub(pose[i].r, pose[0].r));
        WY_TRY(wy_velocity_at(x->rod, x->grid.s[i], &v, &spin, err));
        in_plane(c, v);
        across_plane(c, spin);
    }
    in_plane(c, x->problem->gravity);
    if (x->problem->floor.given) in_plane(c, x->problem->floor.normal);
    WY_TRY(look_at_ends(x, c, pose, 0.0, err));
    WY_TRY(look_at_loads(x, c, pose, 0.0, err));
    for (int k = 1; k <= TIMES; k++) { /* a function that is not defined there says nothing */
        look_at_ends(x, c, pose, time_of(x, k), NULL);
        look_at_loads(x, c, pose, time_of(x, k), NULL);
    }
    return WITHY_OK;
}

/* One principal axis of the sections along the normal, the same along the rod; no rest twist. */
static void sections_fit(const wy_cheb *x, collect *c, const wy_pose *pose,
                         const wy_section_at *section, const double (*rest)[WITHY_STRAINS]) {
    const vec3 n0 = m3_tmul(pose[0].frame, c->normal);
    for (int i = 0; i <= x->grid.n; i++) {
        const vec3 n = m3_tmul(pose[i].frame, c->normal);
        c->flat &= v3_norm(v3_sub(n, n0)) <= 1e-7;
        const double *k = section[i].stiffness, *h = section[i].damping;
        const double *rho = section[i].inertia;
        const int principal = fabs(n.x * n.y) <= 1e-9;
        const int round =
            k[0] == k[1] && k[3] == k[4] && rho[1] == rho[2] && h[0] == h[1] && h[3] == h[4];
        c->flat &= principal || round;
        const double *e = rest[i], size = fabs(e[3]) + fabs(e[4]) + fabs(e[5]);
        c->flat &= fabs(e[0] * n.x + e[1] * n.y) <= 1e-9;
        c->flat &= fabs(e[3] * n.y - e[4] * n.x) + fabs(e[5]) <= 1e-9 * size;
    }
}

static void choose_axes(wy_cheb *x, vec3 normal, const wy_pose *pose) {
    const vec3 n = normal; /* the sign that makes its largest component positive */
    const double big = fabs(n.x) > fabs(n.y) && fabs(n.x) > fabs(n.z) ? n.x
                       : fabs(n.y) > fabs(n.z)                        ? n.y
                                                                      : n.z;
    x->plane.normal = big < 0 ? v3_scale(-1, n) : n;
    x->plane.e1 = v3_orthogonal(x->plane.normal);
    x->plane.e2 = v3_cross(x->plane.normal, x->plane.e1);
    x->plane.height = v3_dot(pose[0].r, x->plane.normal);
    const vec3 in = m3_tmul(pose[0].frame, x->plane.normal);
    const vec3 b = m3_tmul(pose[0].frame, v3_cross(x->plane.normal, pose[0].frame.c3));
    x->plane.normal_in[0] = in.x, x->plane.normal_in[1] = in.y;
    x->plane.across_in[0] = b.x, x->plane.across_in[1] = b.y;
}

withy_status wy_cheb_find_plane(wy_cheb *x, const wy_pose *pose, const wy_section_at *section,
                                const double (*rest)[WITHY_STRAINS], withy_error *err) {
    collect c = {.first = pose[0].frame.c3, .flat = 1};
    x->planar = 0;
    if (x->opt.space == WY_CHEB_SPATIAL) return WITHY_OK;
    for (int e = 0; e < 2; e++) WY_TRY(wy_model_end(x->setup->model, 0, e, &c.end[e], err));
    WY_TRY(look(x, &c, pose, err));
    if (!c.found) c.normal = pose[0].frame.c2; /* a straight rod under nothing: any plane */
    c.second_pass = 1;
    WY_TRY(look(x, &c, pose, err));
    sections_fit(x, &c, pose, section, rest);
    x->planar = c.flat;
    if (!c.flat && x->opt.space == WY_CHEB_PLANAR)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "cheb: options.space = \"planar\", but shape, ends, loads or sections leave "
                       "the plane; use \"auto\" or \"spatial\"");
    if (x->planar) choose_axes(x, c.normal, pose);
    return WITHY_OK;
}
