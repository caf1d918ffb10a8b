/* body_fluid.c - bodies in the medium: buoyancy, drag, added mass and the pressure of waves, at the centre of mass x.
 *
 * With w = U - dx/h at the middle of a step, B the wetted part, m' the mass of the fluid displaced, ma = Ca m' and A the
 * acceleration of the fluid,
 *
 *   F = k B |w| w + B m' (A - g) + ma (A - g),   k = rho Cd area/2,                                              (1)
 *
 * on a body of the mass m + ma: added mass that is the same in all directions is a mass without weight.  At the surface the
 * body is wetted as a sphere of its volume, of radius R, whose centre is z above it:
 *
 *   B = (R - z)^2 (2 R + z)/(4 R^3).                                                                            (2)
 *
 * h k B |w|^3 is lost; the rest is work of the medium.
 */
#include "method/director/network.h"
#include "method/director/rod/rows.h"
#include "model/medium.h"

typedef struct wy_body_fluid {
    const wy_medium *medium; /* NULL: the body feels nothing */
    vec3 origin;
    double displaced, added, drag, radius; /* m', ma [kg]; rho Cd area/2 [kg/m]; R [m] */
} wy_body_fluid;

withy_status wy_body_fluid_make(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->rigid.setup;
    const withy_problem *problem = setup->problem;
    const wy_medium *medium = wy_model_medium(setup->model);
    int wet = 0;
    for (int i = 0; i < problem->body_count; i++) wet |= problem->body[i].fluid.given;
    if (!wet || !medium || !(problem->medium.density > 0)) return WITHY_OK;
    wy_body_fluid *x = wy_arena_alloc(setup->arena, (size_t)problem->body_count, sizeof *x);
    if (!x) return wy_no_memory(err, "director: no memory for the medium");
    for (int i = 0; i < problem->body_count; i++) {
        const withy_body_fluid *given = &problem->body[i].fluid;
        const double rho = problem->medium.density;
        if (!given->given) continue;
        x[i] = (wy_body_fluid){.medium = medium,
                               .origin = wy_model_origin(setup->model),
                               .displaced = rho * given->volume,
                               .added = rho * given->volume * given->added,
                               .drag = 0.5 * rho * given->area * given->drag,
                               .radius = cbrt(0.75 * given->volume / WY_PI)};
    }
    net->fluid = x;
    return WITHY_OK;
}

double wy_body_mass(const wy_network *net, int body) {
    const double mass = net->rigid.plan.problem->body[body].mass;
    return net->fluid ? mass + net->fluid[body].added : mass;
}

/* (2) and its slope by z. */
static double wetted(double radius, double z, double *slope) {
    const double y = z / radius;
    *slope = fabs(y) < 1 ? 0.75 * (y * y - 1) / radius : 0;
    return y >= 1 ? 0 : y > -1 ? 0.25 * (1 - y) * (1 - y) * (2 + y) : 1;
}

typedef struct state {
    vec3 p, p_plus; /* arm from the centre of the rigid group */
    vec3 slip, drag, lift;
    mat3 by_w, by_place; /* of both, by w and by the place */
    wy_flow flow;
} state;

/* k a b^T */
static mat3 outer(double k, vec3 a, vec3 b) {
    return (mat3){v3_scale(k * b.x, a), v3_scale(k * b.y, a), v3_scale(k * b.z, a)};
}

static vec3 place_of(const wy_network *net, int body, vec3 *p, vec3 *p_plus) {
    const wy_network_body *own = &net->plan.body[body];
    const wy_director *x = &net->rigid;
    const int c = own->rigid_group;
    *p = m3_mul(tri_matrix(wy_director_acting(x, c)), own->o);
    *p_plus = m3_mul(tri_matrix(x->next[c].d), own->o);
    const vec3 r = x->step->dynamic ? wy_director_mid_r(x, c) : wy_director_plus_r(x, c);
    return v3_add(v3_add(net->fluid[body].origin, x->now->origin), v3_add(r, *p));
}

static withy_status state_of(const wy_network *net, int body, state *s, withy_error *err) {
    const wy_body_fluid *f = &net->fluid[body];
    const wy_director_step *step = net->rigid.step;
    const wy_director_next *next = &net->rigid.next[net->plan.body[body].rigid_group];
    const double h = step->dynamic ? step->h : 0;
    const unsigned asks =
        WY_FLOW_SLOPES | WY_FLOW_RATE | (step->dynamic ? 0 : (unsigned)WY_FLOW_STATIC);
    const vec3 at = place_of(net, body, &s->p, &s->p_plus);
    double by_height;
    WY_TRY(wy_medium_flow(f->medium, at, step->when, fabs(h), asks, &s->flow, err));
    s->slip = v3(0, 0, 0);
    if (h != 0) s->slip = v3_scale(1 / h, v3_add(next->dr, v3_cross(next->theta, s->p)));
    const vec3 w = v3_sub(s->flow.u, s->slip);
    const double wet = wetted(f->radius, s->flow.height, &by_height), speed = v3_norm(w);
    const double k = step->factor * f->drag * wet;
    vec3 rate = s->flow.rate;
    if (!f->medium->given->local) rate = v3_add(rate, m3_mul(s->flow.slope, s->flow.u));
    const vec3 pull = v3_axpy(v3_scale(-1, step->gravity), step->factor, rate);
    s->drag = v3_scale(k * speed, w);
    s->lift = v3_scale(wet * f->displaced + f->added, pull);
    s->by_w = speed > 0 ? outer(k / speed, w, w) : (mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    s->by_w.c1.x += k * speed, s->by_w.c2.y += k * speed, s->by_w.c3.z += k * speed;
    const vec3 more =
        v3_axpy(v3_scale(f->displaced, pull), wet > 0 ? 1 / wet : 0, s->drag); /* d(1)/dB */
    s->by_place = m3_axpy(outer(by_height, more, s->flow.rise), 1, m3_mulm(s->by_w, s->flow.slope));
    return WITHY_OK;
}

/* Where it fails, the check at the start of the step has not: no number, so that the step does not converge. */
void wy_body_fluid_terms(const wy_network *net, int body, double a[6][6], double b[6]) {
    const wy_director_step *step = net->rigid.step;
    state s;
    if (!net->fluid[body].medium) return;
    if (state_of(net, body, &s, NULL) != WITHY_OK) s.drag = v3(NAN, NAN, NAN);
    const vec3 f = v3_add(s.drag, s.lift);
    const double per = step->dynamic ? 1 / step->h : 0;
    /* minus the slope of f by the end of the way x+ = r+ + p+ */
    const mat3 k = m3_axpy(m3_axpy((mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, per, s.by_w),
                           step->dynamic ? -0.5 : -1, s.by_place);
    const mat3 arm = wy_hat(s.p), arm_plus = wy_hat(s.p_plus);
    wy_rows_add(b, 0, -1, f);
    wy_rows_add(b, 3, -1, v3_cross(s.p, f));
    wy_rows_block(a, 0, 0, 1, k);
    wy_rows_block(a, 0, 3, -1, m3_mulm(k, arm_plus));
    wy_rows_block(a, 3, 0, 1, m3_mulm(arm, k));
    wy_rows_block(a, 3, 3, -1, m3_mulm(m3_mulm(arm, k), arm_plus));
    wy_rows_hat_product(&a[0][0], 6, 3, 3, -step->beta, f, s.p_plus);
}

withy_status wy_body_fluid_check(const wy_network *net, double t, withy_error *err) {
    for (int i = 0; i < net->plan.bodies && net->fluid; i++) {
        const wy_body_fluid *f = &net->fluid[i];
        const wy_director_node *node = &net->rigid.node[net->plan.body[i].rigid_group];
        const vec3 at = v3_add(v3_add(f->origin, net->rigid.now->origin), node->r);
        wy_flow flow;
        if (f->medium) WY_TRY(wy_medium_flow(f->medium, at, t, 0, 0, &flow, err));
    }
    return WITHY_OK;
}

double wy_body_fluid_lost(const wy_network *net, double *work) {
    const double h = net->rigid.step->h;
    double lost = 0;
    for (int i = 0; i < net->plan.bodies && net->fluid; i++) {
        state s;
        if (!net->fluid[i].medium || state_of(net, i, &s, NULL) != WITHY_OK) continue;
        lost += h * v3_dot(s.drag, v3_sub(s.flow.u, s.slip));
        *work += h * (v3_dot(s.drag, s.flow.u) + v3_dot(s.lift, s.slip));
    }
    return lost;
}
