/* state_load.c - loads that depend on the state: their values at the iterate, and their tangent by differences.
 *
 * In the step from t to t + h such a load takes the section where and when it acts, at t + h/2:
 *   r = sum N_a (r- + r+)/2,  v = sum N_a dr/h,  w = sum N_a theta/h,  R = polar(sum N_a (d- + d+)/2)
 * so that a drag is the mean one of the step, its work f . dr + l . theta is what the ledger counts,
 * and the step stays of second order.  In statics r, R are those of the iterate and v = w = 0.
 * With M = R S, a turn phi_a of node a turns R by  R (tr S - S)^-1 N_a beta (tr P - P) R^T phi_a,
 * P = R^T d+_a; that makes Newton's matrix exact but for the differences of the function itself.
 */
#include "method/director/force/fluid.h"

/* The section at sum value[a] node[first + a]. */
typedef struct section {
    int first, count;
    const double *value;
} section;

static section section_of(const wy_director *x, int i) {
    static const double one = 1.0;
    const int loads = x->plan.load.count;
    if (i >= loads) return (section){x->plan.end[i - loads].node, 1, &one};
    return (section){x->plan.load.point[i].cell * x->plan.p, x->plan.p + 1, x->plan.value[i]};
}

/* ---- the state of a section ------------------------------------------------------------------------ */

/* The rotation closest to a mean of rotations, by Newton's iteration for the polar factor. */
static tri polar(tri m) {
    enum { MOST = 40 };
    for (int k = 0; k < MOST; k++) {
        const lane off = tri_dot(m, m) - lane_all(1.0), skew = tri_dot(m, tri_next(m));
        if (fabs(off[0]) + fabs(off[1]) + fabs(off[2]) + fabs(skew[0]) + fabs(skew[1]) +
                fabs(skew[2]) <=
            1e-15)
            break;
        m = tri_orthonormal(m);
    }
    return m;
}

static tri mean_frame(const wy_director *x, section at) {
    tri m = {{0}, {0}, {0}};
    for (int a = 0; a < at.count; a++)
        m = tri_axpy(m, lane_all(at.value[a]), wy_director_acting(x, at.first + a));
    return m;
}

static withy_section_state state_of(const wy_director *x, section at) {
    const int moves = x->step->dynamic;
    const double per = moves ? 1.0 / x->step->h : 0.0;
    vec3 r = wy_director_origin_shift(x), v = v3(0, 0, 0), w = v;
    for (int a = 0; a < at.count; a++) {
        const int j = at.first + a;
        const wy_director_node *node = &x->node[j];
        const vec3 spin = tri_sum3(tri_scale(node->w, node->d));
        r = v3_axpy(r, at.value[a], moves ? wy_director_mid_r(x, j) : wy_director_plus_r(x, j));
        v = v3_axpy(v, at.value[a], moves ? v3_scale(per, x->next[j].dr) : node->v);
        w = v3_axpy(w, at.value[a], moves ? v3_scale(per, x->next[j].theta) : spin);
    }
    return wy_section_state_of(r, tri_matrix(polar(mean_frame(x, at))), v, w);
}

/* tr(A) I - A */
static mat3 trace_less(mat3 a) {
    const double trace = a.c1.x + a.c2.y + a.c3.z;
    mat3 out = {v3_scale(-1, a.c1), v3_scale(-1, a.c2), v3_scale(-1, a.c3)};
    out.c1.x += trace, out.c2.y += trace, out.c3.z += trace;
    return out;
}

/* a^-1 b */
static mat3 m3_solve(mat3 a, mat3 b) {
    const vec3 u = v3_cross(a.c2, a.c3), v = v3_cross(a.c3, a.c1), w = v3_cross(a.c1, a.c2);
    const double per = 1.0 / v3_dot(a.c1, u);
    const mat3 rows = {v3_scale(per, u), v3_scale(per, v), v3_scale(per, w)};
    return m3_mulm(m3_transpose(rows), b);
}

/* How the frame turns with the nodes. */
static void find_turns(const wy_director *x, section at, mat3 frame, mat3 turn[WY_ELEMENT_NODES]) {
    const mat3 back = m3_transpose(frame);
    const mat3 stretch = trace_less(m3_mulm(back, tri_matrix(mean_frame(x, at))));
    for (int a = 0; a < at.count; a++) {
        const mat3 plus = m3_mulm(back, tri_matrix(x->next[at.first + a].d));
        const mat3 own = m3_mulm(m3_solve(stretch, trace_less(plus)), back);
        const mat3 all = m3_mulm(frame, own);
        const double k = x->step->beta * at.value[a];
        turn[a] = (mat3){v3_scale(k, all.c1), v3_scale(k, all.c2), v3_scale(k, all.c3)};
    }
}

/* ---- values and slopes ------------------------------------------------------------------------------ */

static wy_state_load_steps steps_of(const wy_director *x) {
    double speed = 0, spin = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        speed = wy_max(speed, v3_dot(node->v, node->v));
        spin = wy_max(spin, lane_sum(node->w * node->w));
    }
    return wy_state_load_steps_of(x->plan.length, wy_director_slow_period(x), sqrt(speed),
                                  sqrt(spin));
}

static withy_status find_one(wy_director *x, int i, const wy_state_point *state_point,
                             const wy_state_load_steps *steps, wy_director_force *out,
                             withy_error *err) {
    const section at = section_of(x, i);
    const withy_section_state state = state_of(x, at);
    const double t = x->step->when, factor = x->step->factor;
    double f[6];
    WY_TRY(wy_state_load_value(state_point, t, factor, &state, f, err));
    *out = (wy_director_force){v3_from(f), v3_from(f + 3)};
    if (!steps) return WITHY_OK;
    wy_director_state_load *state_load = &x->state_load[i];
    find_turns(x, at, (mat3){state.frame[0], state.frame[1], state.frame[2]}, state_load->turn);
    return wy_state_load_slopes(state_point, t, factor, &state, steps, x->step->dynamic ? f : NULL,
                                0, state_load->slope, err);
}

withy_status wy_director_state_loads_at(wy_director *x, int slopes, withy_error *err) {
    if (!x->plan.uses_state) return WITHY_OK;
    if (x->fluid) WY_TRY(wy_fluid_flow(x, slopes, err));
    if (!(x->plan.uses_state & WY_USES_STATE)) return WITHY_OK;
    const int on = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
    const int loads = x->plan.load.count;
    wy_state_load_steps steps = {0};
    if (slopes) steps = steps_of(x);
    for (int i = 0; i < loads; i++) {
        const wy_load_point *at = &x->plan.load.point[i];
        if (!wy_load_uses_state(at->load)) continue;
        if (slopes) memset(&x->state_load[i], 0, sizeof x->state_load[i]);
        if (at->load - x->plan.source >= on) continue;
        const wy_state_point state_point = wy_state_point_at(at, x->plan.end[0].end.origin);
        WY_TRY(find_one(x, i, &state_point, slopes ? &steps : NULL, &x->force[i], err));
    }
    for (int e = 0; e < 2; e++) {
        if (!wy_end_uses_state(x->plan.end[e].end.end)) continue;
        const wy_state_point state_point = wy_state_point_end(&x->plan.end[e].end);
        WY_TRY(find_one(x, loads + e, &state_point, slopes ? &steps : NULL, &x->step->end[e].apply,
                        err));
    }
    return WITHY_OK;
}

/* ---- into the matrix -------------------------------------------------------------------------------- */

/* Column block of node a: d(force, moment) with its (dr, dphi). */
static void columns_of(const wy_director *x, int i, section at, int a, double out[6][6]) {
    const wy_director_state_load *state_load = &x->state_load[i];
    const double n = at.value[a], beta = x->step->beta * n;
    const double per = x->step->dynamic ? n / x->step->h : 0.0;
    const mat3 turn = state_load->turn[a], spin = wy_director_spin_map(x->next[at.first + a].theta);
    const vec3 t[3] = {turn.c1, turn.c2, turn.c3}, w[3] = {spin.c1, spin.c2, spin.c3};
    for (int k = 0; k < 6; k++) {
        const double *s = state_load->slope[k];
        const vec3 phi = v3_from(s + WY_STATE_LOAD_TURN), rate = v3_from(s + WY_STATE_LOAD_SPIN);
        for (int c = 0; c < 3; c++) {
            out[k][c] = beta * s[WY_STATE_LOAD_SHIFT + c] + per * s[WY_STATE_LOAD_SPEED + c];
            out[k][3 + c] = v3_dot(phi, t[c]) + per * v3_dot(rate, w[c]);
        }
    }
}

void wy_director_state_load_add(const wy_director *x, int i, double *matrix, int stride) {
    const section at = section_of(x, i);
    for (int a = 0; a < at.count; a++) {
        double block[6][6];
        columns_of(x, i, at, a, block);
        for (int b = 0; b < at.count; b++)
            for (int k = 0; k < 36; k++)
                matrix[(6 * b + k / 6) * stride + 6 * a + k % 6] -=
                    at.value[b] * block[k / 6][k % 6];
    }
}

/* Forces that velocities v cause, added to -f, both [6 node_count]. */
static void add_damping(const wy_director *x, int i, const double *v, double *f) {
    const section at = section_of(x, i);
    double rate[6] = {0};
    for (int a = 0; a < at.count; a++)
        for (int c = 0; c < 6; c++) rate[c] += at.value[a] * v[6 * (at.first + a) + c];
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int c = 0; c < 6; c++)
            sum += x->state_load[i].slope[k][WY_STATE_LOAD_SPEED + c] * rate[c];
        for (int b = 0; b < at.count; b++) f[6 * (at.first + b) + k] -= at.value[b] * sum;
    }
}

void wy_director_state_load_damping(const wy_director *x, const double *v, double *f) {
    if (!(x->plan.uses_state & WY_USES_STATE)) return;
    for (int i = 0; i < x->plan.load.count; i++)
        if (wy_load_uses_state(x->plan.load.point[i].load)) add_damping(x, i, v, f);
    for (int e = 0; e < 2; e++)
        if (wy_end_uses_state(x->plan.end[e].end.end)) add_damping(x, x->plan.load.count + e, v, f);
}
