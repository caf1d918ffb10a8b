/* drive.c - ends driven by their velocity, acceleration, spin or spin rate: where they are.
 *
 * Over a step from t to t + h, with three Gauss points (order 6):
 *   r+ = r- + integral of v            or    v+ = v- + integral of a,  r+ = r- + h v- + double integral of a
 *   R+ = exp(Omega) R-,  R' = hat(spin) R in the laboratory frame
 * with Omega by the Magnus expansion of order 6 (Blanes, Casas, Ros 2000), which is exact for a spin that
 * keeps its direction as far as the quadrature is, and exact for a constant one.
 */
#include "model/model.h"

enum { POINTS = 3 };

/* Gauss points on [0, 1]: places, weights, and integrals from 0 to each place. */
static const double place[POINTS] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
static const double upto[POINTS][POINTS] = {
    {5.0 / 36, -0.03597666752493894, 0.009789444015308318},
    {0.3002631949808646, 2.0 / 9, -0.022485417203086805},
    {0.26798833376246944, 0.48042111196938336, 5.0 / 36},
};

static withy_status at_points(const withy_field *field, double s, double t, double h,
                              vec3 out[POINTS], withy_error *err) {
    for (int i = 0; i < POINTS; i++) {
        double x[WITHY_FIELD_MAX];
        WY_TRY(withy_field_at(field, s, t + place[i] * h, x, err));
        out[i] = v3_from(x);
    }
    return WITHY_OK;
}

static vec3 integral(const double w[POINTS], double h, const vec3 f[POINTS]) {
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < POINTS; i++) sum = v3_axpy(sum, h * w[i], f[i]);
    return sum;
}

/* Rotation vector of the step from the spins at the Gauss points. */
static vec3 magnus(const vec3 spin[POINTS], double h) {
    const vec3 a1 = v3_scale(h, spin[1]);
    const vec3 a2 = v3_scale(h * sqrt(15.0) / 3, v3_sub(spin[2], spin[0]));
    const vec3 a3 = v3_scale(h * 10.0 / 3, v3_add(v3_axpy(spin[2], -2, spin[1]), spin[0]));
    const vec3 c1 = v3_cross(a1, a2);
    const vec3 c2 = v3_scale(-1.0 / 60, v3_cross(a1, v3_axpy(c1, 2, a3)));
    const vec3 left = v3_sub(v3_axpy(c1, -20, a1), a3);
    const vec3 turn = v3_axpy(a1, 1.0 / 12, a3);
    return v3_axpy(turn, 1.0 / 240, v3_cross(left, v3_add(a2, c2)));
}

static withy_status move(const wy_end *end, double t, double h, wy_end_driven *x,
                         withy_error *err) {
    const withy_end *given = end->end;
    vec3 f[POINTS];
    if (given->velocity.size) {
        double v[WITHY_FIELD_MAX];
        WY_TRY(at_points(&given->velocity, end->s, t, h, f, err));
        WY_TRY(withy_field_at(&given->velocity, end->s, t + h, v, err));
        x->r = v3_add(x->r, integral(weight, h, f));
        x->v = v3_from(v);
        return WITHY_OK;
    }
    WY_TRY(at_points(&given->acceleration, end->s, t, h, f, err));
    double late[POINTS];
    for (int i = 0; i < POINTS; i++) late[i] = weight[i] * (1 - place[i]);
    x->r = v3_add(v3_axpy(x->r, h, x->v), v3_scale(h, integral(late, h, f)));
    x->v = v3_add(x->v, integral(weight, h, f));
    return WITHY_OK;
}

static withy_status turn(const wy_end *end, double t, double h, wy_end_driven *x,
                         withy_error *err) {
    const withy_end *given = end->end;
    vec3 spin[POINTS], f[POINTS];
    if (given->spin.size) {
        double w[WITHY_FIELD_MAX];
        WY_TRY(at_points(&given->spin, end->s, t, h, spin, err));
        WY_TRY(withy_field_at(&given->spin, end->s, t + h, w, err));
        x->spin = v3_from(w);
    } else {
        WY_TRY(at_points(&given->spin_rate, end->s, t, h, f, err));
        for (int i = 0; i < POINTS; i++) spin[i] = v3_add(x->spin, integral(upto[i], h, f));
        x->spin = v3_add(x->spin, integral(weight, h, f));
    }
    x->q = q_unit(q_mul(q_exp(magnus(spin, h)), x->q));
    return WITHY_OK;
}

withy_status wy_end_drive(const wy_end *end, double t, double h, wy_end_driven *x,
                          withy_error *err) {
    if (wy_end_drives_rate(end->end, 0)) WY_TRY(move(end, t, h, x, err));
    if (wy_end_drives_rate(end->end, 1)) WY_TRY(turn(end, t, h, x, err));
    return WITHY_OK;
}

withy_status wy_end_driven_start(const wy_end *end, vec3 v, vec3 spin, wy_end_driven *x,
                                 withy_error *err) {
    const withy_end *given = end->end;
    *x = (wy_end_driven){end->start.r, v, q_from_matrix(end->start.frame), spin};
    double out[WITHY_FIELD_MAX];
    if (given->velocity.size) {
        WY_TRY(withy_field_at(&given->velocity, end->s, 0, out, err));
        x->v = v3_from(out);
    }
    if (given->spin.size) {
        WY_TRY(withy_field_at(&given->spin, end->s, 0, out, err));
        x->spin = v3_from(out);
    }
    return WITHY_OK;
}
