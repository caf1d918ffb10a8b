/* state_load.c - loads that are functions of the state of the section they act on. */
#include "model/model.h"

/* Of central differences: their error, step^2, is then about that of rounding, 1e-16 / step; and so for
 * one-sided ones with this part of it. */
static const double SHARE = 4e-6, ONE_SIDED = 1.0 / 64;

int wy_rod_uses_state(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (wy_load_uses_state(&rod->load[i])) return 1;
    for (int i = 0; rod->settled && i < rod->pull_count; i++)
        if (wy_load_uses_state(&rod->pull[i])) return 1;
    return wy_end_uses_state(&rod->end[0]) || wy_end_uses_state(&rod->end[1]);
}

withy_section_state wy_section_state_of(vec3 position, mat3 frame, vec3 velocity, vec3 spin) {
    return (withy_section_state){position, velocity, {frame.c1, frame.c2, frame.c3}, spin};
}

static withy_status value(const withy_field *field, double s, double t, double factor,
                          const withy_section_state *state, vec3 *out, withy_error *err) {
    double f[WITHY_FIELD_MAX] = {0};
    if (!field->from_state) return wy_load_value(field, s, t, factor, out, err);
    WY_TRY(field->from_state(field->context, s, t, state, f, err));
    for (int i = 0; i < field->size; i++)
        if (!isfinite(f[i]))
            return wy_bad_input(err,
                                "a function of the state returned %g as number %d at s = %g, t = "
                                "%g; it must be finite",
                                f[i], i + 1, s, t);
    *out = v3_from(f);
    return WITHY_OK;
}

static int is_finite(const withy_section_state *state) {
    return v3_finite(state->position) && v3_finite(state->velocity) && v3_finite(state->spin) &&
           v3_finite(state->frame[0]) && v3_finite(state->frame[1]) && v3_finite(state->frame[2]);
}

withy_status wy_state_load_value(const wy_state_point *state_point, double t, double factor,
                                 const withy_section_state *state, double out[6],
                                 withy_error *err) {
    const mat3 frame = {state->frame[0], state->frame[1], state->frame[2]};
    vec3 force, moment;
    if (!is_finite(state))
        return wy_no_convergence(
            err,
            "the state of the rod that a load depends on is not finite at s = %g, t = "
            "%g; use a smaller step, or more points",
            state_point->s, t);
    withy_section_state there = *state;
    there.position = v3_add(state_point->origin, there.position);
    WY_TRY(value(state_point->force, state_point->s, t, factor, &there, &force, err));
    WY_TRY(value(state_point->moment, state_point->s, t, factor, &there, &moment, err));
    if (state_point->follower) force = m3_mul(frame, force), moment = m3_mul(frame, moment);
    v3_to(v3_scale(state_point->weight, force), out);
    v3_to(v3_scale(state_point->weight, moment), out + 3);
    return WITHY_OK;
}

/* ---- differences ---------------------------------------------------------------------------------- */

wy_state_load_steps wy_state_load_steps_of(double length, double time, double speed, double spin) {
    const double halving = time > 0 && isfinite(time) ? 1 / time : 1.0;
    return (wy_state_load_steps){.shift = SHARE * length,
                                 .turn = SHARE,
                                 .speed = SHARE * wy_max(speed, 1e-2 * length * halving),
                                 .spin = SHARE * wy_max(spin, 1e-2 * halving)};
}

/* The state with one of its twelve numbers changed. */
static withy_section_state nudged(const withy_section_state *state, int column, double by) {
    withy_section_state out = *state;
    const vec3 unit = v3_scale(by, v3_axis(column % 3));
    if (column < WY_STATE_LOAD_TURN) out.position = v3_add(out.position, unit);
    if (column >= WY_STATE_LOAD_SPIN)
        out.spin = v3_add(out.spin, unit);
    else if (column >= WY_STATE_LOAD_SPEED)
        out.velocity = v3_add(out.velocity, unit);
    else if (column >= WY_STATE_LOAD_TURN)
        for (int i = 0; i < 3; i++) out.frame[i] = q_turn(q_exp(unit), out.frame[i]);
    return out;
}

withy_status wy_state_load_slopes(const wy_state_point *state_point, double t, double factor,
                                  const withy_section_state *state,
                                  const wy_state_load_steps *steps, const double *at, int from,
                                  double slope[6][WY_STATE_LOAD], withy_error *err) {
    const double step[4] = {steps->shift, steps->turn, steps->speed, steps->spin};
    for (int c = from; c < WY_STATE_LOAD; c++) {
        const double h = at ? ONE_SIDED * step[c / 3] : step[c / 3];
        const withy_section_state up = nudged(state, c, h), down = nudged(state, c, -h);
        double more[6], less[6];
        WY_TRY(wy_state_load_value(state_point, t, factor, &up, more, err));
        if (!at) WY_TRY(wy_state_load_value(state_point, t, factor, &down, less, err));
        for (int i = 0; i < 6; i++)
            slope[i][c] = at ? (more[i] - at[i]) / h : (more[i] - less[i]) / (2 * h);
    }
    return WITHY_OK;
}
