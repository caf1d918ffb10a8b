/* force.c - strains of the cubic elements and the residual of one set of equations.
 *
 * In the interval (b, c) = (j-1, j), with q = (x, t, s1, s2) at either node,
 *
 *     m_b =  6 (x_c - x_b)/eta^2 - (4 t_b + 2 t_c)/eta      second derivative of the cubic at b
 *     m_c = -6 (x_c - x_b)/eta^2 + (2 t_b + 4 t_c)/eta      and at c
 *     tau = (s2_b . s1_c - s1_b . s2_c)/(2 eta)             [KS] (5.31)
 *
 * m is linear in q, e = (s1, s2, t)^T m - kappa and tau are bilinear.  With bar q = (q+ + q-)/2
 *
 *     e+ - e- = bar s^T (m+ - m-) + (s+ - s-)^T bar m       exactly,
 *
 * and forces built with bar q in place of q do work exactly equal to the change of energy.
 */
#include "method/kirchhoff/kirchhoff.h"

/* ---- strains --------------------------------------------------------------------------------- */

static wy_kirchhoff_cell cell_of(const wy_kirchhoff *p, const wy_kirchhoff_level *v, int cell) {
    const double eta = p->eta;
    const mat3 *fb = &v->frame[cell], *fc = fb + 1;
    const vec3 chord = v3_scale(6.0 / (eta * eta), v3_sub(v->x[cell + 1], v->x[cell]));
    wy_kirchhoff_cell c;
    c.m[0] = v3_axpy(v3_axpy(chord, -4.0 / eta, fb->c3), -2.0 / eta, fc->c3);
    c.m[1] = v3_axpy(v3_axpy(v3_scale(-1.0, chord), 2.0 / eta, fb->c3), 4.0 / eta, fc->c3);
    for (int end = 0; end < 2; end++) {
        const mat3 *f = end ? fc : fb;
        const double *k = p->kappa[cell + end];
        c.e[end][0] = v3_dot(f->c1, c.m[end]) - k[0];
        c.e[end][1] = v3_dot(f->c2, c.m[end]) - k[1];
        c.e[end][2] = v3_dot(f->c3, c.m[end]) - k[2];
        c.u[end] = v3_axpy(v3_axpy(c.m[end], -k[0], f->c1), -k[1], f->c2);
    }
    c.tau = (v3_dot(fb->c2, fc->c1) - v3_dot(fb->c1, fc->c2)) / (2.0 * eta);
    return c;
}

void wy_kirchhoff_strains(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    for (int cell = 0; cell < p->n; cell++) v->cell[cell] = cell_of(p, v, cell);
}

/* ---- stresses -------------------------------------------------------------------------------- */

vec3 wy_kirchhoff_bar(const wy_kirchhoff *p, int j, int raw) {
    const double a = p->work.eq.average;
    const vec3 next = wy_kirchhoff_raw(p->work.eq.next, j, raw);
    if (a == 1.0) return next;
    return v3_add(v3_scale(a, next), v3_scale(1.0 - a, wy_kirchhoff_raw(p->work.eq.last, j, raw)));
}

/* bar and dot of a scalar strain, combined: k bar e + nu dot e. */
static double stress(const wy_kirchhoff_equations *eq, double k, double nu, double next,
                     double last) {
    return k * (eq->average * next + (1.0 - eq->average) * last) + nu * eq->rate * (next - last);
}

/* The elastic part of u is used in the quadratic energy, its viscous part in the dissertation's
 * damping; e carries the rest. */
wy_kirchhoff_stress wy_kirchhoff_stress_of(const wy_kirchhoff *p, int cell) {
    const wy_kirchhoff_equations *eq = &p->work.eq;
    const wy_kirchhoff_cell *next = &eq->next->cell[cell];
    const wy_kirchhoff_cell *last = eq->last ? &eq->last->cell[cell] : next;
    const int quadratic = p->opt.energy == WY_KIRCHHOFF_QUADRATIC;
    const int direct = p->opt.damping == WY_KIRCHHOFF_DISSERTATION;
    wy_kirchhoff_stress out = {0};
    if (eq->elastic == 0.0) return out;
    for (int end = 0; end < 2; end++) {
        const double k = 0.5 * p->eta * p->sigma[cell + end], nu = 0.5 * p->eta * p->nu[cell + end];
        const double k_e = quadratic ? 0.0 : k, k_u = quadratic ? k : 0.0;
        const double nu_e = direct ? 0.0 : nu, nu_u = direct ? nu : 0.0;
        out.ku[end] = k_u * eq->average + nu_u * eq->rate;
        for (int i = 0; i < 3; i++) {
            const double k_i = i == 2 && p->opt.energy == WY_KIRCHHOFF_BARE ? 0.0 : k_e;
            out.ke[end][i] = k_i * eq->average + nu_e * eq->rate;
            out.s[end][i] = stress(eq, k_i, nu_e, next->e[end][i], last->e[end][i]);
        }
        const vec3 u = next->u[end], v = last->u[end];
        out.p[end] = v3(stress(eq, k_u, nu_u, u.x, v.x), stress(eq, k_u, nu_u, u.y, v.y),
                        stress(eq, k_u, nu_u, u.z, v.z));
    }
    out.twist = stress(eq, p->ct[cell], p->nu_twist[cell], next->tau, last->tau);
    out.kt = (p->ct[cell] * eq->average + p->nu_twist[cell] * eq->rate) / p->eta;
    return out;
}

/* ---- forces ---------------------------------------------------------------------------------- */

static void add(vec3 *to, double k, vec3 a) {
    *to = v3_axpy(*to, k, a);
}

/* Element forces, discrete gradient of V + Rayleigh's function + lambda . (spline condition). */
static void cell_forces(wy_kirchhoff *p, int cell) {
    const wy_kirchhoff_stress f = wy_kirchhoff_stress_of(p, cell);
    const double eta = p->eta;
    vec3(*b)[WY_KIRCHHOFF_RAWS] = &p->work.force[cell], (*c)[WY_KIRCHHOFF_RAWS] = b + 1;
    vec3 conj[2]; /* P_b, P_c: conjugate to m_b, m_c */
    for (int end = 0; end < 2; end++) {
        const int j = cell + end;
        vec3 *at = end ? *c : *b;
        vec3 m = p->work.eq.next->cell[cell].m[end];
        if (p->work.eq.average != 1.0)
            m = v3_add(v3_scale(p->work.eq.average, m),
                       v3_scale(1.0 - p->work.eq.average, p->work.eq.last->cell[cell].m[end]));
        conj[end] = f.p[end];
        for (int i = 0; i < 3; i++) {
            const int raw = i < 2 ? WY_KIRCHHOFF_RAW_S1 + i : WY_KIRCHHOFF_RAW_T;
            add(&conj[end], f.s[end][i], wy_kirchhoff_bar(p, j, raw));
            add(&at[raw], f.s[end][i], m);
        }
        add(&at[WY_KIRCHHOFF_RAW_S1], -p->kappa[j][0], f.p[end]);
        add(&at[WY_KIRCHHOFF_RAW_S2], -p->kappa[j][1], f.p[end]);
    }
    conj[0] = v3_sub(conj[0], p->lambda[cell]);
    conj[1] = v3_add(conj[1], p->lambda[cell + 1]);
    p->work.pull[cell] = v3_scale(6.0 / (eta * eta), v3_sub(conj[0], conj[1]));
    add(&(*b)[WY_KIRCHHOFF_RAW_X], -1.0, p->work.pull[cell]);
    add(&(*c)[WY_KIRCHHOFF_RAW_X], 1.0, p->work.pull[cell]);
    add(&(*b)[WY_KIRCHHOFF_RAW_T], -4.0 / eta, conj[0]);
    add(&(*b)[WY_KIRCHHOFF_RAW_T], 2.0 / eta, conj[1]);
    add(&(*c)[WY_KIRCHHOFF_RAW_T], -2.0 / eta, conj[0]);
    add(&(*c)[WY_KIRCHHOFF_RAW_T], 4.0 / eta, conj[1]);
    const double half = 0.5 * f.twist;
    add(&(*c)[WY_KIRCHHOFF_RAW_S1], half, wy_kirchhoff_bar(p, cell, WY_KIRCHHOFF_RAW_S2));
    add(&(*c)[WY_KIRCHHOFF_RAW_S2], -half, wy_kirchhoff_bar(p, cell, WY_KIRCHHOFF_RAW_S1));
    add(&(*b)[WY_KIRCHHOFF_RAW_S1], -half, wy_kirchhoff_bar(p, cell + 1, WY_KIRCHHOFF_RAW_S2));
    add(&(*b)[WY_KIRCHHOFF_RAW_S2], half, wy_kirchhoff_bar(p, cell + 1, WY_KIRCHHOFF_RAW_S1));
}

/* Inertia of a node, and the multiplier of a strongly imposed x'' = s kappa, (5.69). */
static void node_forces(wy_kirchhoff *p, int j) {
    const wy_kirchhoff_equations *eq = &p->work.eq;
    vec3 *at = p->work.force[j];
    const mat3 *f = &eq->next->frame[j], *g = &eq->ahead_frame[j];
    add(&at[WY_KIRCHHOFF_RAW_X], eq->mass[j] * eq->inertia, v3_sub(eq->next->x[j], eq->ahead_x[j]));
    add(&at[WY_KIRCHHOFF_RAW_S1], eq->turn[j][0] * eq->inertia, v3_sub(f->c1, g->c1));
    add(&at[WY_KIRCHHOFF_RAW_S2], eq->turn[j][0] * eq->inertia, v3_sub(f->c2, g->c2));
    add(&at[WY_KIRCHHOFF_RAW_T], eq->turn[j][1] * eq->inertia, v3_sub(f->c3, g->c3));
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    if (!end || !end->strong) return;
    const double sign = j == 0 ? 1.0 : -1.0;
    add(&at[WY_KIRCHHOFF_RAW_S1], sign * p->kappa[j][0], p->lambda[j]);
    add(&at[WY_KIRCHHOFF_RAW_S2], sign * p->kappa[j][1], p->lambda[j]);
}

/* Row (ii): bar t x Ft + bar s1 x Gs1 + bar s2 x Gs2. */
static vec3 moment_row(const wy_kirchhoff *p, int j) {
    vec3 sum = v3(0, 0, 0);
    for (int raw = WY_KIRCHHOFF_RAW_T; raw <= WY_KIRCHHOFF_RAW_S2; raw++)
        sum = v3_add(sum, v3_cross(wy_kirchhoff_bar(p, j, raw), p->work.force[j][raw]));
    return sum;
}

/* Row (iii): the two elements agree on x''; at an end lambda = 0, or x'' = s kappa. */
static vec3 spline_row(const wy_kirchhoff *p, int j) {
    const wy_kirchhoff_cell *cell = p->work.eq.next->cell;
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    if (!end) return v3_sub(cell[j - 1].m[1], cell[j].m[0]);
    if (!end->strong) return p->lambda[j];
    return j == 0 ? v3_scale(-1.0, cell[0].u[0]) : cell[j - 1].u[1];
}

/* ---- rows ------------------------------------------------------------------------------------ */

mat3 wy_kirchhoff_bar_frame(const wy_kirchhoff *p, int j) {
    return (mat3){wy_kirchhoff_bar(p, j, WY_KIRCHHOFF_RAW_S1),
                  wy_kirchhoff_bar(p, j, WY_KIRCHHOFF_RAW_S2),
                  wy_kirchhoff_bar(p, j, WY_KIRCHHOFF_RAW_T)};
}

/* Moments are balanced along bar s1, bar s2, bar t: bar t . (bar t x Ft) vanishes identically, and
 * in this basis it does so in the linearised equations too; otherwise large bending residuals degrade
 * the soft spin.  Rows of an end that is held or turned are the prescribed values, imposed on next.
 * */
static void replace_rows(const wy_kirchhoff *p, int j, vec3 row[3]) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    row[1] = m3_tmul(wy_kirchhoff_bar_frame(p, j), row[1]);
    if (end && end->held) row[0] = v3(0, 0, 0);
    if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) row[1] = v3(0, 0, 0);
    if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT) row[1].x = row[1].y = 0.0;
    if ((end && end->turn == WY_KIRCHHOFF_TURN_FRAME) || !(p->work.eq.gauge_all || j == p->gauge))
        return;
    const double spin = v3_dot(p->work.eq.gauge[j].c2, p->work.eq.next->frame[j].c1);
    if (p->work.eq.spin_felt)
        row[1].z += p->work.eq.drag * spin;
    else
        row[1].z = spin * p->stiff / p->eta; /* made as large as a moment */
}

void wy_kirchhoff_residual(wy_kirchhoff *p) {
    const int n = p->n;
    const double eta = p->eta;
    const double scale[3] = {eta * eta / p->stiff, eta / p->stiff, eta};
    wy_kirchhoff_strains(p, p->work.eq.next);
    for (int j = 0; j <= n; j++)
        for (int raw = 0; raw < WY_KIRCHHOFF_RAWS; raw++) p->work.force[j][raw] = v3(0, 0, 0);
    for (int cell = 0; cell < n; cell++) cell_forces(p, cell);
    double largest = 0;
    for (int j = 0; j <= n; j++) {
        node_forces(p, j);
        vec3 row[3] = {p->work.force[j][WY_KIRCHHOFF_RAW_X], moment_row(p, j), spline_row(p, j)};
        if (p->work.eq.elastic != 0.0) {
            row[0] = v3_sub(row[0], p->load[j]);
            row[1] = v3_sub(row[1], p->couple[j]);
        }
        p->work.balance[j] = row[0];
        p->work.balance[n + 1 + j] = row[1];
        replace_rows(p, j, row);
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        for (int k = 0; k < 3; k++) {
            /* a weak end's row is lambda itself, in N m */
            const double by = k == 2 && end && !end->strong ? 1.0 / p->stiff : scale[k];
            const vec3 r = v3_scale(-by, row[k]);
            v3_to(r, &p->work.rhs[9 * j + 3 * k]);
            largest = wy_max(largest, v3_norm(r));
            if (!v3_finite(r)) largest = INFINITY;
        }
    }
    p->work.residual = largest;
}
