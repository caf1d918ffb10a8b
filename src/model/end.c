/* end.c - poses at which the ends are held, and the loads on them. */
#include "model/shape.h"

/* How far a prescribed tangent or frame may be from unit length. */
static const double UNIT_TOLERANCE = 1e-6;

static const char *const end_name[2] = {"ends.start", "ends.finish"};

void wy_end_place(const withy_rod *rod, int which, const wy_pose *start, wy_end *end) {
    const withy_end *given = &rod->end[which];
    *end = (wy_end){.end = given, .s = which ? rod->length : 0.0, .start = *start};
    end->drives_position = wy_end_holds_position(given) && given->position.call;
    end->drives_frame = wy_end_holds_direction(given) &&
                        (given->tangent.call || given->normal.call || given->frame.call);
    end->turns_free = wy_end_holds_direction(given) && given->tangent.size && !given->normal.size;
}

withy_status wy_end_prepare(const withy_rod *rod, int which, wy_end *end, withy_error *err) {
    const double s = which ? rod->length : 0.0;
    wy_pose start;
    WY_TRY(wy_shape_poses(rod, wy_initial_shape(rod), 1, &s, &start, err));
    wy_end_place(rod, which, &start, end);
    return WITHY_OK;
}

static withy_status unit_field(const wy_end *end, const withy_field *field, const char *key,
                               double t, double *x, withy_error *err) {
    WY_TRY(withy_field_at(field, end->s, t, x, err));
    double square = 0;
    for (int i = 0; i < field->size; i++) square += x[i] * x[i];
    const double length = sqrt(square);
    if (!(fabs(length - 1.0) <= UNIT_TOLERANCE))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "%s.%s has length %.9g at t = %g; it must be a unit vector (divide it by its "
            "length)",
            end_name[end->s > 0], key, length, t);
    for (int i = 0; i < field->size; i++) x[i] /= length;
    return WITHY_OK;
}

withy_status wy_end_pose(const wy_end *end, double t, wy_pose *pose, withy_error *err) {
    const withy_end *given = end->end;
    double x[WITHY_FIELD_MAX];
    *pose = end->start;
    if (given->position.size && wy_end_holds_position(given)) {
        WY_TRY(withy_field_at(&given->position, end->s, t, x, err));
        pose->r = v3_sub(v3_from(x), end->origin);
    }
    if (!wy_end_holds_direction(given)) return WITHY_OK;
    if (given->frame.size) {
        WY_TRY(unit_field(end, &given->frame, "frame", t, x, err));
        pose->frame = q_matrix((quat){x[0], x[1], x[2], x[3]});
    } else if (given->tangent.size) {
        WY_TRY(unit_field(end, &given->tangent, "tangent", t, x, err));
        const vec3 tangent = v3_from(x);
        pose->frame = m3_mulm(m3_between(end->start.frame.c3, tangent), end->start.frame);
    }
    if (given->normal.size && !given->frame.size) {
        WY_TRY(withy_field_at(&given->normal, end->s, t, x, err));
        const vec3 n = v3_from(x);
        if (!(v3_norm(v3_cross(n, pose->frame.c3)) > 1e-9 * v3_norm(n)))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s.normal is along the tangent at t = %g; it must point across the rod",
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
