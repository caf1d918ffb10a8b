/* body.c - a point of a rod that touches a body, which moves and turns too.
 *
 * Y = R^T y is the point in the axes of the body, y the way to it from the centre.  With Cayley's turn theta of the body,
 * (R+ - R-) v = theta x (Rm v), Rm = (R+ + R-)/2, so that exactly
 *   Y+ - Y- = Rm^T (dy - theta x ym),            ym = (y+ + y-)/2
 * and with the discrete gradient D of the distance in those axes (obstacle.c), D . (Y+ - Y-) = g+ - g-, the force
 *   f = N Rm D   on the point,    - f and the moment - ym x f   on the body
 * does the work - (u+ - u-) and keeps both momenta.  Friction as in friction.c, with the arm a = -r n, of two bodies
 * half the gap longer, so that it is the same whichever is called the point:
 *   slip = T (dy + theta_A x a - theta x (ym + a)),      moments a x f and - (ym + a) x f
 * Its spring turns with the body.
 */
#include "contact/contact.h"

static mat3 mean(mat3 a, mat3 b) {
    const vec3 c1 = v3_scale(0.5, v3_add(a.c1, b.c1)), c2 = v3_scale(0.5, v3_add(a.c2, b.c2));
    return (mat3){c1, c2, v3_scale(0.5, v3_add(a.c3, b.c3))};
}

/* Forces for a given push N: (f, moment) of the point, then those of the body; and what each N adds. */
typedef struct acts {
    double all[WY_BODY_ROWS], per_push[WY_BODY_ROWS];
    vec3 normal, force, moment, z;
    double lost, kept;
} acts;

static void put(vec3 ym, vec3 f, vec3 moment, double row[WY_BODY_ROWS]) {
    v3_to(f, row), v3_to(moment, row + 3);
    v3_to(v3_scale(-1, f), row + 6);
    v3_to(v3_scale(-1, v3_add(v3_cross(ym, f), moment)), row + 9);
}

static void act(const wy_obstacle *shape, const wy_body_step *step, double minus, double gap,
                double push, double limit, acts *out) {
    const int moves = step->per != 0;
    const mat3 m = moves ? mean(step->minus, step->plus) : step->plus;
    const vec3 ym = moves ? v3_scale(0.5, v3_add(step->y_minus, step->y_plus)) : step->y_plus;
    const vec3 to = m3_tmul(step->plus, step->y_plus);
    const vec3 from = moves ? m3_tmul(step->minus, step->y_minus) : to;
    const vec3 d = m3_mul(m, wy_obstacle_direction(shape, from, to, moves ? gap - minus : 0));
    out->normal = v3_scale(1 / v3_norm(d), d);
    out->force = v3_scale(push, d), out->moment = out->z = v3(0, 0, 0);
    out->lost = out->kept = 0;
    vec3 each = d, turns = v3(0, 0, 0);
    if (step->friction > 0) {
        const double mean_gap = moves ? 0.5 * (minus + gap) : gap;
        const vec3 n = out->normal, arm = v3_scale(-(step->radius + step->between * mean_gap), n);
        const vec3 before = m3_mul(step->minus, step->z);
        const vec3 slip = v3_sub(v3_add(step->dy, v3_cross(step->theta[0], arm)),
                                 v3_cross(step->theta[1], v3_add(ym, arm)));
        vec3 z = wy_across(n, v3_add(before, slip));
        const double k = step->stick, size = v3_norm(z), mu = step->friction;
        if (k * size > mu * limit) {
            const vec3 way = v3_scale(1 / size, z);
            z = v3_scale(mu * push / k, way);
            each = v3_axpy(each, -mu, way), turns = v3_scale(-mu, v3_cross(arm, way));
        }
        const vec3 f = v3_scale(-k, z);
        out->force = v3_add(out->force, f), out->moment = v3_cross(arm, f);
        out->z = m3_tmul(step->plus, z);
        out->kept = 0.5 * k * (v3_dot(z, z) - v3_dot(step->z, step->z));
        out->lost = -v3_dot(f, slip) - out->kept;
    }
    put(ym, out->force, out->moment, out->all);
    put(ym, each, turns, out->per_push);
}

/* cay(t) v, and the composition of Cayley vectors: cay(out) = cay(b) cay(a). */
static vec3 turned(vec3 t, vec3 v) {
    const vec3 first = v3_cross(t, v), second = v3_cross(t, first);
    return v3_axpy(v, 1 / (1 + 0.25 * v3_dot(t, t)), v3_axpy(first, 0.5, second));
}

static vec3 after(vec3 a, vec3 b) {
    const double k = 1 / (1 - 0.25 * v3_dot(a, b));
    return v3_scale(k, v3_axpy(v3_add(a, b), 0.5, v3_cross(b, a)));
}

void wy_body_turn(vec3 by, vec3 *theta, mat3 *axes) {
    *theta = after(*theta, by);
    axes->c1 = turned(by, axes->c1), axes->c2 = turned(by, axes->c2);
    axes->c3 = turned(by, axes->c3);
}

double wy_body_gap(const wy_obstacle *shape, const wy_body_step *step, double *before) {
    const vec3 from = m3_tmul(step->minus, step->y_minus), to = m3_tmul(step->plus, step->y_plus);
    vec3 unused;
    *before = 0;
    if (step->per != 0)
        *before = wy_obstacle_distance(shape, from, &unused) - step->radius + step->bias[0];
    return wy_obstacle_distance(shape, to, &unused) - step->radius + step->bias[1];
}

double wy_body_forces(const wy_obstacle *shape, const wy_body_step *step, double push,
                      double force[WY_BODY_ROWS]) {
    double minus;
    const double gap = wy_body_gap(shape, step, &minus);
    acts now;
    act(shape, step, minus, gap, push, push, &now);
    memcpy(force, now.all, sizeof now.all);
    return gap;
}

int wy_body_push_on(const wy_obstacle *shape, const wy_body_step *step, wy_body_push *out) {
    double minus;
    out->gap = wy_body_gap(shape, step, &minus);
    out->push = wy_contact_law_push(&step->law, minus, out->gap, step->per, &out->steep);
    if (!wy_contact_law_acts(&step->law, out->push, step->per)) return 0;
    out->of_tangent = wy_contact_law_tangent(&step->law, out->push, step->per);
    acts now;
    act(shape, step, minus, out->gap, out->push, out->of_tangent, &now);
    memcpy(out->force, now.all, sizeof out->force);
    memcpy(out->per_push, now.per_push, sizeof out->per_push);
    out->on_point = now.force, out->z = now.z, out->lost = now.lost, out->kept = now.kept;
    return 1;
}
