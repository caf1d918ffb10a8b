/* state_load.c - loads that depend on the state, appf[state] of [CH] 4.3: values, and their share of Newton's matrix.
 *
 * A load on the whole rod takes the state of its node; one between nodes takes the interpolated state,
 * sum_j l_j(s) u_j, and its force F is spread as F l_i(s) / w_i, so that
 *
 *     db_a(i) += l_i / w_i sum_b dF_a/du_b sum_j l_j du_b(j),   likewise with the rates.
 *
 * The function is varied by differences in (r, turn, v, omega); from there to the fields
 *     plane: dr = (du_x, du_y), dphi = n dtheta, domega = n dthetadot
 *     space: dphi = 2 E(q) dq, domega = 2 E(q) dqdot - 2 E(qdot) dq
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

withy_section_state wy_cheb_state_of(const wy_cheb *x, const double *u, const double *v, int ld) {
    const wy_pose pose = wy_cheb_pose_of(x, u, ld);
    vec3 speed = v3(0, 0, 0), spin = speed;
    if (v && x->planar) {
        speed = v3_axpy(v3_scale(v[0], x->plane.e1), v[ld], x->plane.e2);
        spin = v3_scale(v[2 * ld], x->plane.normal);
    } else if (v) {
        const quat q = quat_at(u, ld, 0);
        const quat qd = quat_at(v, ld, 0);
        speed = vec_at(v, ld, 0);
        spin = v3_scale(2.0 / q_dot(q, q), wy_cheb_e(q, qd));
    }
    return wy_section_state_of(pose.r, pose.frame, speed, spin);
}

/* ---- points ---------------------------------------------------------------------------------------- */

/* l_j(s) of a point. */
static double base_at(const wy_cheb *x, int list, int k, int j) {
    const wy_load_point *point = &x->loads.points[list].point[k];
    if (point->node >= 0) return point->node == j;
    return x->grid.w[j] * x->loads.spread[list][(size_t)k * (size_t)x->grid.ld + (size_t)j];
}

/* The fields at a point, [fields] each. */
static void fields_at(const wy_cheb *x, int list, int k, const double *u, const double *v,
                      double at[2][7]) {
    const int ld = x->grid.ld;
    for (int f = 0; f < x->fields; f++) {
        at[0][f] = at[1][f] = 0.0;
        for (int j = 0; j <= x->grid.n; j++) {
            const double l = base_at(x, list, k, j);
            at[0][f] += l * u[f * ld + j];
            if (v) at[1][f] += l * v[f * ld + j];
        }
    }
}

withy_status wy_cheb_state_load_point(const wy_cheb *x, int list, int k, double t, double factor,
                                      const double *u, const double *v, vec3 *force, vec3 *moment,
                                      withy_error *err) {
    const wy_state_point state_point =
        wy_state_point_at(&x->loads.points[list].point[k], wy_model_origin(x->setup->model));
    double at[2][7], out[6];
    fields_at(x, list, k, u, v, at);
    const withy_section_state state = wy_cheb_state_of(x, at[0], at[1], 1);
    WY_TRY(wy_state_load_value(&state_point, t, factor, &state, out, err));
    *force = v3_from(out), *moment = v3_from(out + 3);
    return WITHY_OK;
}

/* ---- variation ------------------------------------------------------------------------------------- */

/* d(position, turn) and d(velocity, spin), six numbers each, with the fields (of the rates: the second
 * only). */
static void chain(const wy_cheb *x, const double *u, const double *v, double pose[6][7],
                  double rate[6][7]) {
    for (int i = 0; i < 42; i++) pose[i / 7][i % 7] = rate[i / 7][i % 7] = 0.0;
    if (x->planar) {
        const wy_plane *p = &x->plane;
        for (int i = 0; i < 3; i++) {
            pose[i][0] = v3_get(p->e1, i), pose[i][1] = v3_get(p->e2, i);
            pose[3 + i][2] = v3_get(p->normal, i);
        }
        return;
    }
    const quat q = quat_at(u, 1, 0), qd = quat_at(v, 1, 0);
    const double per = 2.0 / q_dot(q, q);
    for (int b = 0; b < 4; b++) {
        const quat one = {b == 0, b == 1, b == 2, b == 3};
        const vec3 turn = v3_scale(per, wy_cheb_e(q, one));
        const vec3 spin = v3_scale(-per, wy_cheb_e(qd, one));
        for (int i = 0; i < 3; i++)
            pose[3 + i][3 + b] = v3_get(turn, i), rate[3 + i][3 + b] = v3_get(spin, i);
    }
    for (int i = 0; i < 3; i++) pose[i][i] = 1.0;
}

/* Rows of the balance of a force and a moment. */
static double row_of(const wy_cheb *x, int a, const double f[6]) {
    if (!x->planar) return f[a];
    return v3_dot(v3_from(a < 2 ? f : f + 3), a == 0   ? x->plane.e1
                                              : a == 1 ? x->plane.e2
                                                       : x->plane.normal);
}

static wy_state_load_steps steps_of(const wy_cheb *x, const double *v) {
    const int places = wy_cheb_places(x), ld = x->grid.ld;
    double speed = 0, spin = 0;
    for (int i = 0; v && i <= x->grid.n; i++) {
        double p = 0, w = 0;
        for (int f = 0; f < x->fields; f++)
            *(f < places ? &p : &w) += v[f * ld + i] * v[f * ld + i];
        speed = wy_max(speed, p), spin = wy_max(spin, w);
    }
    return wy_state_load_steps_of(x->grid.length, 1.8 * x->along.slow, sqrt(speed), 2 * sqrt(spin));
}

/* out[0]: d(rows) with the fields, out[1]: with their rates. */
static withy_status vary(const wy_cheb *x, const wy_state_point *state_point, double t,
                         const double u[7], const double v[7], const wy_state_load_steps *steps,
                         double out[2][6][7], withy_error *err) {
    const withy_section_state state = wy_cheb_state_of(x, u, v, 1);
    double slope[6][WY_STATE_LOAD], pose[6][7], rate[6][7];
    WY_TRY(
        wy_state_load_slopes(state_point, t, x->state->factor, &state, steps, NULL, 0, slope, err));
    chain(x, u, v, pose, rate);
    for (int b = 0; b < x->fields; b++) {
        double with[6] = {0}, with_rate[6] = {0};
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 6; c++) {
                with[k] +=
                    slope[k][c] * pose[c][b] + slope[k][WY_STATE_LOAD_SPEED + c] * rate[c][b];
                with_rate[k] += slope[k][WY_STATE_LOAD_SPEED + c] * pose[c][b];
            }
        for (int a = 0; a < wy_cheb_rows(x); a++)
            out[0][a][b] = row_of(x, a, with), out[1][a][b] = row_of(x, a, with_rate);
    }
    return WITHY_OK;
}

/* One point into both matrices. */
static void spread(const wy_cheb *x, int list, int k, double part[2][6][7], int with_rate) {
    const int nodes = x->grid.n + 1, fields = x->fields;
    const size_t cols = (size_t)(nodes * fields);
    for (int i = 0; i < nodes; i++) {
        const wy_load_point *point = &x->loads.points[list].point[k];
        const double li = base_at(x, list, k, i) / (point->node >= 0 ? 1.0 : x->grid.w[i]);
        for (int j = 0; j < nodes && li != 0.0; j++) {
            const double lj = li * base_at(x, list, k, j);
            for (int a = 0; a < wy_cheb_rows(x) && lj != 0.0; a++)
                for (int b = 0; b < fields; b++) {
                    const size_t at = (size_t)(a * nodes + i) * cols + (size_t)(b * nodes + j);
                    x->jac.stiff[at] += lj * part[0][a][b];
                    if (with_rate) x->jac.visc[at] += lj * part[1][a][b];
                }
        }
    }
}

withy_status wy_cheb_state_load_vary(const wy_cheb *x, double t, const double *u, const double *v,
                                     withy_error *err) {
    const wy_state_load_steps steps = steps_of(x, v);
    for (int list = 0; list <= (x->state->pull != 0); list++)
        for (int k = 0; k < x->loads.points[list].count; k++) {
            const wy_load_point *point = &x->loads.points[list].point[k];
            if (!wy_load_uses_state(point->load)) continue;
            const wy_state_point state_point =
                wy_state_point_at(point, wy_model_origin(x->setup->model));
            double at[2][7], part[2][6][7];
            fields_at(x, list, k, u, v, at);
            WY_TRY(vary(x, &state_point, t, at[0], at[1], &steps, part, err));
            spread(x, list, k, part, v && x->jac.visc);
        }
    return WITHY_OK;
}

withy_status wy_cheb_state_load_end(const wy_cheb *x, const wy_cheb_end *end, double t,
                                    const double *u, const double *v, double part[2][6][7],
                                    withy_error *err) {
    const wy_state_load_steps steps = steps_of(x, v);
    const wy_state_point state_point = wy_state_point_end(&end->end);
    double at[2][7] = {{0}};
    for (int f = 0; f < x->fields; f++) {
        at[0][f] = u[f * x->grid.ld + end->node];
        if (v) at[1][f] = v[f * x->grid.ld + end->node];
    }
    return vary(x, &state_point, t, at[0], at[1], &steps, part, err);
}
