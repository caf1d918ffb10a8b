/* end.c - poses at which the ends are held, and the loads on them. */
#include "model/shape/shape.h"

/* How far a prescribed tangent or frame may be from unit length. */
static const double UNIT_TOLERANCE = 1e-6;

static const char *const end_name[2] = {"ends.start", "ends.finish"};

typedef struct holds {
    int places, direction;
} holds;

static const holds KIND[] = {
#define END_KIND(tag, places, direction) [WITHY_END_##tag] = {places, direction},
#include "model/load/end.inc"
#undef END_KIND
};

int wy_end_kinds(void) {
    return sizeof KIND / sizeof *KIND;
}

/* A kind that does not exist is refused later, and holds nothing. */
int wy_end_places(const withy_end *end) {
    return (unsigned)end->kind < sizeof KIND / sizeof *KIND ? KIND[end->kind].places : 0;
}

int wy_end_holds_direction(const withy_end *end) {
    return (unsigned)end->kind < sizeof KIND / sizeof *KIND ? KIND[end->kind].direction : 0;
}

/* The held displacements first. */
static mat3 axes_of(int places, vec3 along) {
    const mat3 a = m3_frame(along, v3_orthogonal(along));
    return places == 1 ? (mat3){a.c3, a.c1, a.c2} : a;
}

void wy_end_place(const withy_rod *rod, int which, const wy_pose *start, wy_end *end) {
    const withy_end *given = &rod->end[which];
    *end = (wy_end){.end = given, .s = which ? rod->length : 0.0, .start = *start};
    end->places = wy_end_places(given), end->slides = end->places % 3 != 0;
    end->axes =
        axes_of(end->places, v3_is_zero(given->along) ? start->frame.c3 : v3_unit(given->along));
    end->drives_position = end->places && given->position.call;
    end->drives_frame = wy_end_holds_direction(given) &&
                        (given->tangent.call || given->normal.call || given->frame.call);
    end->turns_free = wy_end_holds_direction(given) && !wy_end_holds_frame(given);
}

withy_status wy_end_prepare(const withy_rod *rod, int which, wy_end *end, withy_error *err) {
    const double s = which ? rod->length : 0.0;
    wy_pose start;
    WY_TRY(wy_shape_poses(rod, wy_initial_shape(rod), 1, &s, &start, err));
    wy_end_place(rod, which, &start, end);
    wy_gap gap;
    WY_TRY(wy_end_gap(end, &gap, err));
    end->misses = !wy_gap_is_small(&gap, end, rod->length);
    return WITHY_OK;
}

static withy_status unit_field(const wy_end *end, const withy_field *field, const char *key,
                               double t, double *x, withy_error *err) {
    WY_TRY(withy_field_at(field, end->s, t, x, err));
    double square = 0;
    for (int i = 0; i < field->size; i++) square += x[i] * x[i];
    const double length = sqrt(square);
    if (!(fabs(length - 1.0) <= UNIT_TOLERANCE))
        return wy_bad_input(
            err,
            "%s.%s" WY_KEY
            " has length %.9g at t = %g; it must be a unit vector (divide it by its length)",
            end_name[end->s > 0], key, length, t);
    for (int i = 0; i < field->size; i++) x[i] /= length;
    return WITHY_OK;
}

static withy_status tangent_at(const wy_end *end, double t, vec3 *tangent, withy_error *err) {
    double x[WITHY_FIELD_MAX];
    WY_TRY(unit_field(end, &end->end->tangent, "tangent", t, x, err));
    *tangent = v3_from(x);
    return WITHY_OK;
}

/* The smallest rotation from the initial tangent to the one at t.  Where the two are opposite it has
 * no axis of its own: it passes by the tangent of a moment before, so that an end that turns over in
 * a plane keeps turning in it. */
static withy_status turn_to_tangent(const wy_end *end, double t, mat3 *turn, withy_error *err) {
    static const double OPPOSITE = 1e-3, NEAR = 0.5;
    enum { LOOKS = 12 };
    const vec3 from = end->start.frame.c3;
    vec3 to, before;
    WY_TRY(tangent_at(end, t, &to, err));
    *turn = m3_between(from, to);
    if (end->turns_free || !end->end->tangent.call || v3_norm(v3_add(from, to)) > OPPOSITE)
        return WITHY_OK;
    double ago = t / 8;
    for (int i = 0; i < LOOKS; i++, ago /= 8) {
        WY_TRY(tangent_at(end, t - ago, &before, err));
        if (!(v3_dot(before, to) > NEAR) || !(v3_norm(v3_add(from, before)) > OPPOSITE)) continue;
        *turn = m3_mulm(m3_between(before, to), m3_between(from, before));
        return WITHY_OK;
    }
    return wy_bad_input(err,
                        "%s.tangent" WY_KEY
                        " at t = %g is opposite to the initial one, so that it does not say how "
                        "the section is turned about it; give normal too, or turn = \"free\"",
                        end_name[end->s > 0], t);
}

withy_status wy_end_pose(const wy_end *end, double t, wy_pose *pose, withy_error *err) {
    const withy_end *given = end->end;
    double x[WITHY_FIELD_MAX];
    *pose = end->start;
    if (given->position.size && end->places) {
        WY_TRY(withy_field_at(&given->position, end->s, t, x, err));
        pose->r = v3_sub(v3_from(x), end->origin);
    }
    if (!wy_end_holds_direction(given)) return WITHY_OK;
    if (given->frame.size) {
        WY_TRY(unit_field(end, &given->frame, "frame", t, x, err));
        pose->frame = q_matrix((quat){x[0], x[1], x[2], x[3]});
    } else if (given->tangent.size) {
        mat3 turn;
        WY_TRY(turn_to_tangent(end, t, &turn, err));
        pose->frame = m3_mulm(turn, end->start.frame);
    }
    if (given->normal.size && !given->frame.size) {
        WY_TRY(withy_field_at(&given->normal, end->s, t, x, err));
        const vec3 n = v3_from(x);
        if (!(v3_norm(v3_cross(n, pose->frame.c3)) > 1e-9 * v3_norm(n)))
            return wy_bad_input(err,
                                "%s.normal" WY_KEY
                                " is along the tangent at t = %g; it must point across the rod",
                                end_name[end->s > 0], t);
        pose->frame = m3_frame(pose->frame.c3, n);
    }
    return WITHY_OK;
}

withy_status wy_end_load(const wy_end *end, double t, double factor, mat3 frame, vec3 *force,
                         vec3 *moment, withy_error *err) {
    WY_TRY(wy_load_value(&end->end->force, end->s, t, factor, force, err));
    WY_TRY(wy_load_value(&end->end->moment, end->s, t, factor, moment, err));
    if (end->end->follower) {
        *force = m3_mul(frame, *force);
        *moment = m3_mul(frame, *moment);
    }
    return WITHY_OK;
}

/* ---- fitting the initial shape -------------------------------------------------------------------
 *
 * Rounding: positions to 1e-9 of the length, which stretches a rod by as much and loads it by 1e-9 EA;
 * directions to 1e-6 rad, the accuracy to which a given tangent must be a unit vector and a curve's
 * own is known, which loads it by a few 1e-6 EI/L.
 */
static const double FIT_SHIFT = 1e-9, FIT_TURN = 1e-6;
static const double FIT_ROUNDING = 1e-15; /* of the distance from the origin */

wy_gap wy_end_displacement(const wy_end *end, const wy_pose *from, const wy_pose *to) {
    const mat3 turn = end->turns_free ? m3_between(from->frame.c3, to->frame.c3)
                                      : m3_mulm(to->frame, m3_transpose(from->frame));
    vec3 shift = v3_sub(to->r, from->r);
    if (end->slides) shift = wy_held_part(end->places, &end->axes, shift);
    return (wy_gap){shift, q_log(q_from_matrix(turn))};
}

withy_status wy_end_gap(const wy_end *end, wy_gap *gap, withy_error *err) {
    wy_pose pose;
    WY_TRY(wy_end_pose(end, 0.0, &pose, err));
    *gap = wy_end_displacement(end, &end->start, &pose);
    return WITHY_OK;
}

int wy_gap_is_small(const wy_gap *gap, const wy_end *end, double length) {
    return v3_norm(gap->shift) <=
               FIT_SHIFT * length + FIT_ROUNDING * v3_norm(v3_add(end->origin, end->start.r)) &&
           v3_norm(gap->turn) <= FIT_TURN;
}

withy_status wy_end_first(const wy_end *end, wy_pose *pose, withy_error *err) {
    if (!end->misses) return wy_end_pose(end, 0.0, pose, err);
    *pose = end->start;
    return WITHY_OK;
}

withy_status wy_held_chord(const withy_problem *problem, double *chord, withy_error *err) {
    wy_pose pose[2];
    *chord = 0.0;
    if (!problem->model) return WITHY_OK; /* asked again with a model */
    for (int e = 0; e < 2; e++) {
        wy_end end;
        WY_TRY(wy_model_end(problem->model, 0, e, &end, err));
        if (!wy_end_holds_position(end.end) || end.misses) return WITHY_OK;
        WY_TRY(wy_end_pose(&end, 0.0, &pose[e], err));
    }
    *chord = v3_norm(v3_sub(pose[1].r, pose[0].r));
    return WITHY_OK;
}
