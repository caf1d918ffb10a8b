/* muscle.c - muscles: fibres of a section whose tension follows from activation, length and velocity.
 *
 *   T = a sigma A f_l(lambda) f_v(v),    lambda = l/l0,    v = D lambda/(h v_max)                                (1)
 *   f_l = exp(-((lambda - 1)/w)^2)
 *   f_v = (1 + v)/(1 - v/k), 0 below v = -1;    lengthening: 1 + 0.8 v/(v + d), d = 0.8 k/(1 + k), the same slope at v = 0  (2)
 *
 * at the mean length of a step.  The length l per length of rod is that of a tendon, |p|, p = Gamma + f u, u = K x r + r'; where
 * the section swells f = Gamma_3^(-1/2) keeps its volume, else f = 1; fibres across have the length f.  D: end less start,
 * bar: mean of both, x = Gamma_3^(1/2):
 *
 *   D|p| = tbar . Dp,  tbar = (p+ + p-)/(|p+| + |p-|),   Dp = D Gamma + fbar Du + ubar Df,
 *   Df = fd D Gamma_3,  fd = -1/((x+ + x-) x+ x-)                                                                 (3)
 *
 * so that the stress T G, G = (tbar + e3 fd tbar.ubar, fbar r x tbar), does the work -T Dl exactly, whatever T is.
 *
 *   a' = (u - a)/tau,  tau: rise where u > a, else fall;   a+ = u + (a- - u) exp(-h/tau)                          (4)
 *
 * exact where u does not change in the step; T has the a of its middle.  At rest a = u and v = 0; a motion that does not
 * begin in an equilibrium begins with a = 0.
 */
#include "method/director/force/muscle.h"

#include "method/director/director.h"

/* A fibre over a step, or with both ends the same: (3) and how it changes with S+. */
typedef struct fibre {
    double length[2];   /* per length of rod: start, end */
    double by[6];       /* G */
    double plus[6];     /* dl+/dS+ */
    double slope[6][6]; /* dG/dS+ */
} fibre;

/* f, its slope and x at one end; fd of both ends. */
typedef struct swelling {
    double f[2], slope, x[2], fd;
} swelling;

static swelling swelling_of(int swells, double minus, double plus) {
    swelling s = {.f = {1, 1}};
    if (!swells) return s;
    s.x[0] = sqrt(minus), s.x[1] = sqrt(plus);
    for (int i = 0; i < 2; i++) s.f[i] = 1 / s.x[i];
    s.slope = -0.5 / (plus * s.x[1]);
    s.fd = -1 / ((s.x[0] + s.x[1]) * s.x[0] * s.x[1]);
    return s;
}

/* dfd by Gamma_3+ */
static double swelling_slope(const swelling *s) {
    const double dx = 0.5 / s->x[1];
    return -s->fd * (dx / (s->x[0] + s->x[1]) + dx / s->x[1]);
}

static void fibre_across(const lane minus[2], const lane plus[2], fibre *out) {
    const swelling s = swelling_of(1, minus[0][WITHY_STRETCH], plus[0][WITHY_STRETCH]);
    *out = (fibre){.length = {s.f[0], s.f[1]}};
    out->by[WITHY_STRETCH] = s.fd, out->plus[WITHY_STRETCH] = s.slope;
    out->slope[WITHY_STRETCH][WITHY_STRETCH] = swelling_slope(&s);
}

static void fibre_along(const wy_tendon *m, int at, const lane minus[2], const lane plus[2],
                        fibre *out) {
    const vec3 r = m->r[at];
    const int swells = m->load->swells;
    const swelling s = swelling_of(swells, minus[0][WITHY_STRETCH], plus[0][WITHY_STRETCH]);
    const vec3 u0 = v3_add(v3_cross(lane_vec3(minus[1]), r), m->slope[at]);
    const vec3 u1 = v3_add(v3_cross(lane_vec3(plus[1]), r), m->slope[at]);
    const vec3 p0 = v3_axpy(lane_vec3(minus[0]), s.f[0], u0);
    const vec3 p1 = v3_axpy(lane_vec3(plus[0]), s.f[1], u1);
    const double l0 = v3_norm(p0), l1 = v3_norm(p1), both = l0 + l1;
    const vec3 t = v3_scale(1 / both, v3_add(p0, p1)), t1 = v3_scale(1 / l1, p1);
    const vec3 u = v3_scale(0.5, v3_add(u0, u1)), rt = v3_cross(r, t);
    const double f = 0.5 * (s.f[0] + s.f[1]), tu = v3_dot(t, u);
    out->length[0] = l0, out->length[1] = l1;
    v3_to(v3(t.x, t.y, t.z + s.fd * tu), out->by);
    v3_to(v3_scale(f, rt), out->by + 3);
    for (int c = 0; c < 6; c++) {
        const vec3 e = v3(c % 3 == 0, c % 3 == 1, c % 3 == 2),
                   du = c < 3 ? v3(0, 0, 0) : v3_cross(e, r);
        const double d3 = swells && c == WITHY_STRETCH, df = s.slope * d3;
        const vec3 dp = v3_axpy(v3_axpy(c < 3 ? e : v3(0, 0, 0), s.f[1], du), df, u1);
        out->plus[c] = v3_dot(t1, dp);
        const vec3 dt = v3_scale(1 / both, v3_axpy(dp, -out->plus[c], t));
        double dfd = s.fd * (v3_dot(dt, u) + 0.5 * v3_dot(t, du));
        if (d3 > 0) dfd += swelling_slope(&s) * tu;
        const vec3 m1 = v3_axpy(v3_scale(f, v3_cross(r, dt)), 0.5 * df, rt);
        out->slope[0][c] = dt.x, out->slope[1][c] = dt.y, out->slope[2][c] = dt.z + dfd;
        out->slope[3][c] = m1.x, out->slope[4][c] = m1.y, out->slope[5][c] = m1.z;
    }
}

static void fibre_of(const wy_tendon *m, int at, const lane minus[2], const lane plus[2],
                     fibre *out) {
    if (m->load->across)
        fibre_across(minus, plus, out);
    else
        fibre_along(m, at, minus, plus, out);
}

/* ---- tension (1) ----------------------------------------------------------------------------------- */

static double by_length(double width, double lambda, double *slope) {
    const double e = width > 0 ? (lambda - 1) / width : 0, f = exp(-e * e);
    *slope = width > 0 ? -2 * e / width * f : 0;
    return f;
}

/* (2) */
static double by_velocity(double k, double v, double *slope) {
    const double steep = 1 + 1 / k;
    *slope = 0;
    if (!(v > -1)) return v <= -1 ? 0 : v; /* NaN stays */
    if (v < 0) {
        const double q = 1 - v / k;
        return *slope = steep / (q * q), (1 + v) / q;
    }
    static const double MORE = 0.8;
    const double d = MORE / steep, q = v + d;
    return *slope = MORE * d / (q * q), 1 + MORE * v / q;
}

/* T over sigma A, and its slope by the length l+; rate: d lambda/dt or 0, per: 1/h or 0. */
static double tension_of(const wy_tendon *m, int at, double activation, const double length[2],
                         double per, double *slope) {
    const withy_load *load = m->load;
    const double l0 = m->rest[at], a = length[0] / l0, b = length[1] / l0;
    double dl, dv = 0, fv = 1;
    const double fl = by_length(load->length_law, 0.5 * (a + b), &dl);
    if (load->fastest > 0 && per != 0)
        fv = by_velocity(load->velocity_shape > 0 ? load->velocity_shape : 0.25,
                         (b - a) * per / load->fastest, &dv);
    *slope =
        activation / l0 * (0.5 * dl * fv + (load->fastest > 0 ? fl * dv * per / load->fastest : 0));
    return activation * fl * fv;
}

/* Of the step, or at rest: the tension and the fibre. */
static double pull_of(const wy_director *x, const wy_tendon *m, int at, fibre *out, double *slope) {
    const lane *plus = x->stress[at].plus;
    const lane *minus = x->step->dynamic ? x->strain[at].start : plus;
    fibre_of(m, at, minus, plus, out);
    const double t =
        tension_of(m, at, x->activation_mid[m->first + at], out->length, x->step->per, slope);
    *slope *= m->weight[at];
    return t * m->weight[at];
}

void wy_muscle_stress(const wy_director *x, const wy_tendon *m, int at, lane stress[2]) {
    fibre f;
    double slope;
    if (!(m->weight[at] > 0)) return;
    const double t = pull_of(x, m, at, &f, &slope);
    for (int i = 0; i < 6; i++) stress[i / 3][i % 3] += t * f.by[i];
}

void wy_muscle_slope(const wy_director *x, const wy_tendon *m, int at, lane stress[2],
                     double matrix[6][6]) {
    fibre f;
    double slope;
    if (!(m->weight[at] > 0)) return;
    const double t = pull_of(x, m, at, &f, &slope), ends = x->step->dynamic ? 1 : 2;
    for (int i = 0; i < 6; i++) stress[i / 3][i % 3] += t * f.by[i];
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++)
            matrix[i][c] += ends * (t * f.slope[i][c] + slope * f.by[i] * f.plus[c]);
}

void wy_muscle_sample(const wy_director *x, const wy_tendon *m, int at, lane stress[2]) {
    const lane *s = x->strain[at].start, *rate = x->strain[at].rate;
    fibre f;
    double slope, speed = 0;
    if (!(m->weight[at] > 0)) return;
    fibre_of(m, at, s, s, &f);
    for (int i = 0; i < 6; i++) speed += f.plus[i] * rate[i / 3][i % 3];
    const double length[2] = {f.length[0] - 0.5 * speed, f.length[0] + 0.5 * speed};
    const double t =
        m->weight[at] * tension_of(m, at, x->activation[m->first + at], length, 1, &slope);
    for (int i = 0; i < 6; i++) stress[i / 3][i % 3] += t * f.by[i];
}

double wy_muscle_quotient(const wy_director *x, const wy_tendon *m, int at, const lane one[2],
                          const lane two[2]) {
    double matrix[6][6] = {{0}}, sum = 0;
    lane stress[2] = {{0}, {0}};
    wy_muscle_slope(x, m, at, stress, matrix);
    for (int i = 0; i < 6; i++) {
        sum += stress[i / 3][i % 3] * two[i / 3][i % 3];
        for (int c = 0; c < 6; c++) sum += one[i / 3][i % 3] * matrix[i][c] * one[c / 3][c % 3];
    }
    return sum;
}

double wy_muscle_work(const wy_director *x, const wy_tendon *m) {
    double work = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        fibre f;
        double slope;
        if (!(m->weight[i] > 0)) continue;
        const double t = pull_of(x, m, i, &f, &slope);
        work -= x->plan.section[i].weight * t * (f.length[1] - f.length[0]);
    }
    return work;
}

/* ---- the plan -------------------------------------------------------------------------------------- */

static double place_of(const wy_director_plan *x, int at) {
    return x->start[at / x->p] + x->rule->point[at % x->p] * x->size[at / x->p];
}

withy_status wy_muscle_make(wy_director_plan *x, wy_tendon *m, wy_arena *arena, withy_error *err) {
    const int points = x->n * x->p;
    const withy_load *load = m->load;
    for (int i = 0; i < points; i++) {
        double area[WITHY_FIELD_MAX] = {0};
        WY_TRY(withy_field_at(&load->area, place_of(x, i), 0, area, err));
        if (!(area[0] >= 0))
            return wy_bad_input(err,
                                "loads[%d].area" WY_KEY " = %g at s = %.6g: must be >= 0 [m^2]",
                                (int)(load - x->source) + 1, area[0], place_of(x, i));
        m->weight[i] *= area[0] * (load->kind == WITHY_LOAD_MUSCLE ? load->stress : 1);
    }
    if (load->kind != WITHY_LOAD_MUSCLE) return WITHY_OK;
    m->rest = wy_arena_alloc(arena, (size_t)points, sizeof *m->rest);
    if (!m->rest) return wy_no_memory(err, "director: no memory for a muscle");
    m->first = 0;
    for (int k = 0; k < x->tendon_count - 1; k++)
        if (x->tendon[k].rest) m->first += points;
    return WITHY_OK;
}

void wy_muscle_first(const wy_director_plan *x, wy_tendon *m) {
    for (int i = 0; i < x->n * x->p; i++) {
        fibre f;
        fibre_of(m, i, x->section[i].rest, x->section[i].rest, &f);
        m->rest[i] = f.length[0];
    }
}

int wy_muscles_of(const wy_director_plan *x) {
    int count = 0;
    for (int k = 0; k < x->tendon_count; k++) count += x->tendon[k].rest != NULL;
    return count;
}

/* ---- activation (4) ---------------------------------------------------------------------------------- */

static withy_status requested_at(const wy_director *x, const wy_tendon *m, double s, double t,
                                 double *u, withy_error *err) {
    const withy_field *field = &m->load->activation;
    double a[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, t, a, err));
    *u = field->call ? a[0] : a[0] * x->step->factor;
    if (*u >= 0 && *u <= 1) return WITHY_OK;
    return wy_bad_input(err,
                        "loads[%d].activation" WY_KEY " = %g at s = %.6g, t = %.6g: must be 0 .. 1",
                        (int)(m->load - x->plan.source) + 1, *u, s, t);
}

static double towards(double u, double a, double h, double tau) {
    return tau > 0 ? u + (a - u) * exp(-h / tau) : u;
}

withy_status wy_muscle_at(wy_director *x, const wy_tendon *m, double t, int on, withy_error *err) {
    const double h = x->step->h;
    double u = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        double *a = &x->activation[m->first + i], *mid = &x->activation_mid[m->first + i];
        double *plus = &x->activation_plus[m->first + i];
        if (i == 0 || m->load->activation.call)
            WY_TRY(requested_at(x, m, place_of(&x->plan, i), t, &u, err));
        const double requested = on ? u : 0;
        if (!x->step->dynamic) { /* a muscle that takes time begins at rest */
            *a = *mid = *plus = x->step->begins && m->load->rise > 0 ? 0 : requested;
            continue;
        }
        const double tau = requested > *a ? m->load->rise : m->load->fall;
        *mid = towards(requested, *a, 0.5 * h, tau), *plus = towards(requested, *a, h, tau);
    }
    return WITHY_OK;
}

void wy_muscles_commit(wy_director *x) {
    const size_t count = (size_t)wy_muscles_of(&x->plan) * (size_t)(x->plan.n * x->plan.p);
    memcpy(x->activation, x->activation_plus, count * sizeof *x->activation);
}
