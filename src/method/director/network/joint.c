/* joint.c - value, row and curvature of a scalar, and laws of coordinates: director/network/joint.h. */
#include "method/director/network/joint.h"

static vec3 held(const wy_arm *x, const wy_pair_at *at, int s) { /* p_s = R_s o_s */
    return m3_mul(at->d[s], x->o[s]);
}

static vec3 arm_at(const wy_arm *x, const wy_pair_at *at) {
    vec3 u = v3_axpy(x->k, x->moves, at->ground);
    for (int s = 0; s < 2; s++) u = v3_add(v3_axpy(u, x->c[s], at->r[s]), held(x, at, s));
    return u;
}

double wy_scalar_value(const wy_scalar *x, const wy_pair_at *at) {
    double g = 0;
    for (int m = 0; m < x->terms; m++)
        g += x->term[m].c * v3_dot(arm_at(&x->term[m].u, at), arm_at(&x->term[m].w, at));
    return g;
}

static void add_vector(double *row, double k, vec3 a) {
    row[0] += k * a.x, row[1] += k * a.y, row[2] += k * a.z;
}

void wy_scalar_row(const wy_scalar *x, const wy_pair_at *at, double row[WY_PAIR]) {
    for (int i = 0; i < WY_PAIR; i++) row[i] = 0;
    for (int m = 0; m < x->terms; m++) {
        const wy_arm *a = &x->term[m].u, *b = &x->term[m].w;
        const double k = x->term[m].c;
        const vec3 u = arm_at(a, at), w = arm_at(b, at);
        for (int s = 0; s < 2; s++) {
            add_vector(&row[6 * s], k * a->c[s], w);
            add_vector(&row[6 * s], k * b->c[s], u);
            add_vector(&row[6 * s + 3], k, v3_cross(held(a, at, s), w));
            add_vector(&row[6 * s + 3], k, v3_cross(held(b, at, s), u));
        }
    }
}

vec3 wy_scalar_ground(const wy_scalar *x, const wy_pair_at *at) {
    vec3 sum = v3(0, 0, 0);
    for (int m = 0; m < x->terms; m++) {
        const wy_product *of = &x->term[m];
        sum = v3_axpy(sum, of->c * of->u.moves, arm_at(&of->w, at));
        sum = v3_axpy(sum, of->c * of->w.moves, arm_at(&of->u, at));
    }
    return sum;
}

/* ---- H ------------------------------------------------------------------------------------------- */

typedef struct columns {
    double at[3][WY_PAIR];
} columns;

static void set_hat(double (*m)[WY_PAIR], int column, double k, vec3 a) {
    m[0][column + 1] = -k * a.z, m[0][column + 2] = k * a.y;
    m[1][column] = k * a.z, m[1][column + 2] = -k * a.x;
    m[2][column] = -k * a.y, m[2][column + 1] = k * a.x;
}

/* (5) */
static columns moves(const wy_arm *x, const wy_pair_at *plus, double beta) {
    columns out = {{{0}}};
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 3; i++) out.at[i][6 * s + i] = beta * x->c[s];
        set_hat(out.at, 6 * s + 3, -beta, held(x, plus, s));
    }
    return out;
}

static void add_rows(double (*h)[WY_PAIR], double k, const columns *w) {
    for (int i = 0; i < 3 && k != 0; i++)
        for (int j = 0; j < WY_PAIR; j++) h[i][j] += k * w->at[i][j];
}

/* h += k hat(p) W */
static void add_turned(double (*h)[WY_PAIR], double k, vec3 p, const columns *w) {
    for (int j = 0; j < WY_PAIR; j++) {
        const vec3 c = v3_cross(p, v3(w->at[0][j], w->at[1][j], w->at[2][j]));
        h[0][j] += k * c.x, h[1][j] += k * c.y, h[2][j] += k * c.z;
    }
}

/* h += k hat(a) hat(b) = k (b a^T - (a.b) I); that of rod/rows.h costs a step of many joints 3 %, as its rows have any length */
static void add_hats(double (*h)[WY_PAIR], int column, double k, vec3 a, vec3 b) {
    const double av[3] = {a.x, a.y, a.z}, bv[3] = {b.x, b.y, b.z}, dot = v3_dot(a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) h[i][column + j] += k * bv[i] * av[j];
        h[i][column + i] -= k * dot;
    }
}

void wy_scalar_curve(const wy_scalar *x, const wy_pair_at *mid, const wy_pair_at *plus,
                     double sigma, double beta, double h[WY_PAIR][WY_PAIR]) {
    for (int m = 0; m < x->terms; m++) {
        const wy_arm *a = &x->term[m].u, *b = &x->term[m].w;
        const double k = sigma * x->term[m].c;
        const vec3 u = arm_at(a, mid), w = arm_at(b, mid);
        const columns wu = moves(a, plus, beta), ww = moves(b, plus, beta);
        for (int s = 0; s < 2; s++) {
            double(*turn)[WY_PAIR] = &h[6 * s + 3];
            add_rows(&h[6 * s], k * a->c[s], &ww);
            add_rows(&h[6 * s], k * b->c[s], &wu);
            add_turned(turn, k, held(a, mid, s), &ww);
            add_turned(turn, k, held(b, mid, s), &wu);
            add_hats(turn, 6 * s + 3, k * beta, w, held(a, plus, s));
            add_hats(turn, 6 * s + 3, k * beta, u, held(b, plus, s));
        }
    }
}

/* ---- laws ------------------------------------------------------------------------------------------ */

/* How far q is outside, with the sign of the side. */
static double outside(const wy_law *x, double q) {
    if (!x->limited) return 0;
    return q > x->high ? q - x->high : q < x->low ? q - x->low : 0;
}

int wy_law_is_stopped(const wy_law *x, double before, double after) {
    return outside(x, before) != 0 || outside(x, after) != 0;
}

double wy_law_energy(const wy_law *x, double q) {
    const double away = q - x->rest, out = outside(x, q);
    return 0.5 * x->spring * away * away + 0.5 * x->stop * out * out;
}

double wy_law_static(const wy_law *x, double q, double effort, double *slope) {
    const double out = outside(x, q);
    *slope = x->spring + (out != 0 ? x->stop : 0);
    return x->spring * (q - x->rest) + x->stop * out - effort;
}

/* (U+ - U-)/(q+ - q-) of the stops; where both instants are outside on the same side it is the mean. */
static double stop_force(const wy_law *x, double before, double after, double *slope) {
    const double a = outside(x, before), b = outside(x, after), dq = after - before;
    *slope = 0;
    if (a == 0 && b == 0) return 0;
    if (a * b > 0 || dq == 0) {
        *slope = 0.5 * x->stop;
        return 0.5 * x->stop * (a + b);
    }
    const double mean = 0.5 * x->stop * (b * b - a * a) / dq;
    *slope = (x->stop * b - mean) / dq;
    return mean;
}

double wy_law_force(const wy_law *x, double before, double after, double per, double effort,
                    double *slope) {
    double stop;
    const double push = stop_force(x, before, after, &stop);
    *slope = 0.5 * x->spring + stop + x->damping * per;
    return x->spring * (0.5 * (before + after) - x->rest) + push +
           x->damping * per * (after - before) - effort;
}

/* Derivatives of stop_force by the coordinate where it is `out`, the other one being `from` outside. */
static double stop_slope(const wy_law *x, double out, double from, double dq, double mean) {
    if (out == 0 && from == 0) return 0;
    return out * from > 0 || dq == 0 ? 0.5 * x->stop : (x->stop * out - mean) / dq;
}

double wy_law_stops_near(const wy_law_at *here, const wy_law_at *there, int equilibrium) {
    const wy_law *x = here->law, *y = there->law;
    const double b = outside(x, here->after), a = equilibrium ? b : outside(x, here->before);
    const double dq = equilibrium ? 0 : here->after - here->before;
    const int same = a * b > 0 || dq == 0; /* on one side of a corner */
    const double unit = same ? 0.5 * (a + b) : 0.5 * (b * b - a * a) / dq, mean = x->stop * unit;
    const double by_after = stop_slope(x, b, a, dq, mean),
                 by_before = stop_slope(x, a, b, -dq, mean);
    /* a limit moves `out` of those that are beyond it */
    const double of_b = same ? 0.5 * x->stop : x->stop * b / dq;
    const double of_a = same ? 0.5 * x->stop : -x->stop * a / dq;
    const double high = y->high - x->high, low = y->low - x->low;
    double force = mean + unit * (y->stop - x->stop);
    force += by_after * (there->after - here->after);
    force += by_before * (equilibrium ? there->after - here->after : there->before - here->before);
    force -= of_b * (b > 0 ? high : b < 0 ? low : 0) + of_a * (a > 0 ? high : a < 0 ? low : 0);
    return force;
}
