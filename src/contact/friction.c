/* friction.c - Coulomb friction between two segments: a spring that slips.
 *
 * Slip of the surfaces over a step, at the intermediate contact point, with xbar = (x+ + x-)/2 from B to A, n = xbar/|xbar|,
 * T = I - n n^T, and the touching point between the axes at a = -share xbar from A, b = (1 - share) xbar from B:
 *   y  = z- + dx + theta_A x a - theta_B x b = z- + dx - (share theta_A + (1 - share) theta_B) x xbar
 *   z* = T y,      z+ = z* min(1, mu N/(K_t |z*|)),      f = -K_t z+
 * A: force f, moment a x f;  B: force -f, moment -b x f.  a - b = -xbar, so that the moments add up to nothing.  The work -f . du
 * is what the spring takes, K_t (|z+|^2 - |z-|^2)/2, and what is lost, K_t z+ . (z* - z+) + K_t |z+ - z-|^2/2 >= 0 (z- of the
 * last tangent plane turned into this one loses a little more).
 */
#include "contact/contact.h"

enum { N = WY_FRICTION_ROWS, HALF = WY_PAIR_ROWS };

typedef double rows[3][N]; /* derivatives of a vector */

typedef struct tangential {
    vec3 xbar, n, y, z, f;
    double far, size; /* |xbar|, |z*| */
    vec3 turn[2];     /* theta of A and of B */
    rows xbar_rows, z_rows, f_rows, turn_rows[2];
} tangential;

static void put(rows m, int j, vec3 v) {
    m[0][j] = v.x, m[1][j] = v.y, m[2][j] = v.z;
}
static vec3 take(rows m, int j) {
    return v3(m[0][j], m[1][j], m[2][j]);
}
/* x = sum weight_i p_i */
static vec3 weighted(const double w[WY_PAIR_POINTS], const vec3 p[WY_PAIR_POINTS]) {
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < WY_PAIR_POINTS; i++) sum = v3_axpy(sum, w[i], p[i]);
    return sum;
}

static vec3 spread(const vec3 p[WY_PAIR_POINTS], int which) {
    return which ? v3_sub(p[2], p[3]) : v3_sub(p[1], p[0]); /* dx/ds, dx/dt */
}

/* xbar and how it changes; theta_A, theta_B likewise. */
static void find_place(const wy_contact_step *step, const wy_contact_push *push, tangential *out) {
    const vec3 plus = weighted(push->weight, step->plus),
               minus = weighted(push->weight, step->minus);
    const double from = step->per != 0 ? 0.5 : 0, to = 1 - from; /* in statics xbar is x+ */
    out->xbar = v3_axpy(v3_scale(to, plus), from, minus);
    out->far = v3_norm(out->xbar);
    out->n = v3_scale(1 / out->far, out->xbar);
    const vec3 by_s = v3_axpy(v3_scale(to, spread(step->plus, 0)), from, spread(step->minus, 0));
    const vec3 by_t = v3_axpy(v3_scale(to, spread(step->plus, 1)), from, spread(step->minus, 1));
    const double s = push->s, t = push->t;
    out->turn[0] = v3_axpy(v3_scale(1 - s, step->theta[0]), s, step->theta[1]);
    out->turn[1] = v3_axpy(v3_scale(1 - t, step->theta[2]), t, step->theta[3]);
    const vec3 grow[2] = {v3_sub(step->theta[1], step->theta[0]),
                          v3_sub(step->theta[3], step->theta[2])};
    for (int j = 0; j < HALF; j++) {
        vec3 d = v3_scale(to * push->weight[j / 3], v3_axis(j % 3));
        d = v3_axpy(v3_axpy(d, push->s_row[j], by_s), push->t_row[j], by_t);
        put(out->xbar_rows, j, d);
        put(out->turn_rows[0], j, v3_scale(push->s_row[j], grow[0]));
        put(out->turn_rows[1], j, v3_scale(push->t_row[j], grow[1]));
        put(out->xbar_rows, HALF + j, v3(0, 0, 0));
        for (int b = 0; b < 2; b++) {
            const int mine = j / 6 == b;
            put(out->turn_rows[b], HALF + j,
                v3_scale(mine ? fabs(push->weight[j / 3]) : 0, v3_axis(j % 3)));
        }
    }
}

/* z* and how it changes. */
static void find_slip(const wy_contact_pair *pair, const wy_contact_step *step,
                      const wy_contact_push *push, tangential *out) {
    const double a = pair->share, b = 1 - a;
    const vec3 spin = v3_axpy(v3_scale(a, out->turn[0]), b, out->turn[1]);
    vec3 way[WY_PAIR_POINTS];
    for (int i = 0; i < WY_PAIR_POINTS; i++) way[i] = v3_sub(step->plus[i], step->minus[i]);
    const vec3 dx = weighted(push->weight, way), by_s = spread(way, 0), by_t = spread(way, 1);
    out->y = v3_sub(v3_add(step->z, dx), v3_cross(spin, out->xbar));
    const vec3 star = wy_across(out->n, out->y);
    for (int j = 0; j < N; j++) {
        const vec3 dxbar = take(out->xbar_rows, j);
        const vec3 dspin =
            v3_axpy(v3_scale(a, take(out->turn_rows[0], j)), b, take(out->turn_rows[1], j));
        vec3 dy = v3_scale(-1, v3_add(v3_cross(dspin, out->xbar), v3_cross(spin, dxbar)));
        if (j < HALF) {
            dy = v3_axpy(dy, push->weight[j / 3], v3_axis(j % 3));
            dy = v3_axpy(v3_axpy(dy, push->s_row[j], by_s), push->t_row[j], by_t);
        }
        const vec3 dn = v3_scale(1 / out->far, wy_across(out->n, dxbar));
        vec3 dz = v3_axpy(wy_across(out->n, dy), -v3_dot(out->n, out->y), dn);
        put(out->z_rows, j, v3_axpy(dz, -v3_dot(dn, out->y), out->n));
    }
    out->z = star;
    out->size = v3_norm(star);
}

/* f = -K_t z+ */
static int find_force(const wy_contact_pair *pair, const wy_contact_push *push, tangential *out) {
    const double most = pair->friction * push->push, k = pair->stick;
    const double limit = pair->friction * push->of_tangent;
    const int slides = k * out->size > limit;
    const vec3 way = out->size > 0 ? v3_scale(1 / out->size, out->z) : v3(0, 0, 0);
    out->f = slides ? v3_scale(-most, way) : v3_scale(-k, out->z);
    for (int j = 0; j < N; j++) {
        const vec3 dz = take(out->z_rows, j);
        vec3 df = v3_scale(-k, dz);
        if (slides) {
            df = v3_scale(-limit / out->size, wy_across(way, dz));
            if (j < HALF) df = v3_axpy(df, -pair->friction * push->push_row[j], way);
        }
        put(out->f_rows, j, df);
    }
    return slides;
}

/* Force and moment on one point: weight w of f and of arm x f, arm = k xbar. */
static void give(const wy_contact_push *push, const tangential *x, int i, double k,
                 wy_contact_friction *out) {
    const double sign = i < 2 ? 1 : -1, w = fabs(push->weight[i]);
    const double grow = (i & 1) ? 1 : -1;
    const double *row = i < 2 ? push->s_row : push->t_row;
    const vec3 arm = v3_scale(k, x->xbar), m = v3_cross(arm, x->f);
    v3_to(v3_scale(sign * w, x->f), &out->force[3 * i]);
    v3_to(v3_scale(sign * w, m), &out->force[HALF + 3 * i]);
    for (int j = 0; j < N; j++) {
        const vec3 df = v3(x->f_rows[0][j], x->f_rows[1][j], x->f_rows[2][j]);
        const vec3 dx = v3(x->xbar_rows[0][j], x->xbar_rows[1][j], x->xbar_rows[2][j]);
        const vec3 dm = v3_add(v3_cross(v3_scale(k, dx), x->f), v3_cross(arm, df));
        const double dw = j < HALF ? sign * grow * row[j] : 0;
        const vec3 force = v3_axpy(v3_scale(sign * w, df), dw, x->f),
                   moment = v3_axpy(v3_scale(sign * w, dm), dw, m);
        for (int a = 0; a < 3; a++) {
            out->slope[3 * i + a][j] = v3_get(force, a);
            out->slope[HALF + 3 * i + a][j] = v3_get(moment, a);
        }
    }
}

void wy_pair_friction(const wy_contact_pair *pair, const wy_contact_step *step,
                      const wy_contact_push *push, wy_contact_friction *out) {
    tangential x;
    find_place(step, push, &x);
    find_slip(pair, step, push, &x);
    out->slides = find_force(pair, push, &x);
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        give(push, &x, i, i < 2 ? -pair->share : 1 - pair->share, out);
    out->z = v3_scale(-1 / pair->stick, x.f);
    const double work = -v3_dot(x.f, v3_sub(x.y, step->z)); /* done on the contact */
    out->kept = 0.5 * pair->stick * (v3_dot(out->z, out->z) - v3_dot(step->z, step->z));
    out->lost = work - out->kept;
}
