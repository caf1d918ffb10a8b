/* joint.c - the checks of one joint: what it connects, its axes and laws by kind, and its gap at t = 0. */
#include "model/cable.h"
#include "model/network.h"
#include "model/schema/schema.h"

/* ---- what a joint connects ------------------------------------------------------------------------ */

static withy_status check_place(const withy_problem *problem, const char *where, int side,
                                const withy_place *place, withy_error *err) {
    const int count = place->part == WITHY_PART_ROD    ? problem->rod_count
                      : place->part == WITHY_PART_BODY ? problem->body_count
                                                       : 1;
    char key[WITHY_NAME + 32];
    if ((unsigned)place->part > WITHY_PART_GROUND)
        return wy_bad_input(err,
                            "%s.parts[%d]" WY_KEY " = %d: must be 0 .. %d, see withy_part_kind",
                            where, side + 1, (int)place->part, WITHY_PART_GROUND);
    if (place->part != WITHY_PART_GROUND && (place->index < 0 || place->index >= count))
        return wy_bad_input(err, "%s.parts[%d]" WY_KEY ": there is no %s %d (1 .. %d)", where,
                            side + 1, place->part == WITHY_PART_ROD ? "rod" : "body",
                            place->index + 1, count);
    snprintf(key, sizeof key, "%s.at[%d]", where, side + 1);
    if (place->part == WITHY_PART_ROD)
        return wy_check_on_rod(key, place->s, &problem->rod[place->index], err);
    if (!v3_finite(place->at))
        return wy_bad_input(err, "%s" WY_KEY " must be three finite numbers [m]", key);
    if (place->path.size && place->part != WITHY_PART_GROUND)
        return wy_bad_input(err, "%s" WY_KEY ": only a place on the ground can be moved", key);
    return wy_check_field(where, "at", &place->path, 3, err);
}

int wy_same_part(const withy_place *a, const withy_place *b) {
    return a->part == b->part && (a->part == WITHY_PART_GROUND || a->index == b->index);
}

static withy_status check_places(const withy_problem *problem, int joint, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    const withy_place *a = &j->place[0], *b = &j->place[1];
    char where[WITHY_NAME], name[WITHY_NAME];
    snprintf(where, sizeof where, "joints[%d]", joint + 1);
    for (int side = 0; side < 2; side++)
        WY_TRY(check_place(problem, where, side, &j->place[side], err));
    if (!wy_same_part(a, b) || (a->part == WITHY_PART_ROD && a->s != b->s)) return WITHY_OK;
    return wy_bad_input(
        err,
        "%s" WY_KEY " joins %s to itself%s; a joint is between two parts, or two places of a rod",
        where, wy_place_name(problem, a, name, sizeof name),
        a->part == WITHY_PART_ROD ? " at one place" : "");
}

/* ---- axes and laws by kind ------------------------------------------------------------------------ */

static withy_status check_axes(const char *words, const withy_joint *j, withy_error *err) {
    if (j->kind != WITHY_JOINT_UNIVERSAL) return WITHY_OK;
    const double slant = v3_dot(v3_direction(j->axis), v3_direction(j->axis2));
    if (fabs(slant) <= 1e-6) return WITHY_OK;
    return wy_bad_input(err,
                        "%s" WY_KEY ": axis and axis2 are at %.6g degrees at t = 0; the axes of a "
                        "universal joint are at right angles",
                        words, acos(fmax(-1, fmin(1, slant))) * (180 / 3.14159265358979323846));
}

static withy_status check_limits(const char *words, const withy_joint *j, withy_error *err) {
    char key[WY_JOINT_WORDS + WITHY_NAME];
    if (!j->limited) return WITHY_OK;
    if (!(j->limit[0] <= 0 && j->limit[1] >= 0 && j->limit[0] < j->limit[1]))
        return wy_bad_input(err,
                            "%s" WY_KEY ": limits = { %g, %g }: the first must be <= 0 and the "
                            "second >= 0, where the joint is at t = 0",
                            words, j->limit[0], j->limit[1]);
    snprintf(key, sizeof key, "%s: limit_stiffness", words);
    return wy_check_positive(key, j->limit_stiffness,
                             j->kind == WITHY_JOINT_HINGE ? "N m/rad" : "N/m", err);
}

static withy_status check_law(const char *words, const withy_joint *j, withy_error *err) {
    const int turns = j->kind == WITHY_JOINT_HINGE;
    const int six = !v3_is_zero(j->stretch) || !v3_is_zero(j->turn) ||
                    !v3_is_zero(j->stretch_damping) || !v3_is_zero(j->turn_damping);
    if (j->effort.from_state)
        return wy_bad_input(err, "%s" WY_KEY ": %s is a function of the state; it must be one of t",
                            words, turns ? "torque" : "force");
    if (j->drive.size && j->effort.size)
        return wy_bad_input(
            err, "%s" WY_KEY ": %s and %s are both given: a joint has one drive; keep one", words,
            turns ? "angle" : "travel", turns ? "torque" : "force");
    if (j->kind == WITHY_JOINT_LINK && j->damping > 0 && !(j->spring > 0))
        return wy_bad_input(err,
                            "%s" WY_KEY ": a link without stiffness keeps its length, so damping "
                            "does nothing; give stiffness too, or remove damping",
                            words);
    if (j->kind == WITHY_JOINT_SPRING && !six)
        return wy_bad_input(
            err, "%s" WY_KEY ": all stiffnesses are 0; give stretch or turn, or remove the joint",
            words);
    return check_limits(words, j, err);
}

/* Two drives that turn or move the same two parts about one axis. */
static withy_status check_drives(const withy_problem *problem, int joint, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    char words[WY_JOINT_WORDS];
    for (int i = 0; i < joint && j->drive.size; i++) {
        const withy_joint *other = &problem->joint[i];
        const int same = wy_same_part(&j->place[0], &other->place[0]) &&
                         wy_same_part(&j->place[1], &other->place[1]);
        const int swapped = wy_same_part(&j->place[0], &other->place[1]) &&
                            wy_same_part(&j->place[1], &other->place[0]);
        if (!other->drive.size || other->kind != j->kind || !(same || swapped)) continue;
        if (j->place[0].part == WITHY_PART_ROD && j->place[1].part == WITHY_PART_ROD) continue;
        const vec3 a = v3_direction(j->axis), b = v3_direction(other->axis);
        if (v3_norm(v3_cross(a, b)) > 1e-6) continue;
        return wy_bad_input(err,
                            "%s" WY_KEY ": joints[%d] already drives the same two parts about the "
                            "same axis; keep one of the two drives",
                            wy_joint_words(problem, joint, words, sizeof words), i + 1);
    }
    return WITHY_OK;
}

/* ---- gaps at t = 0 -------------------------------------------------------------------------------- */

/* Rounding: as for the ends of rods, of the size of the network. */
static const double FIT = 1e-9;

/* How far apart two places are, in what the kind does not leave free [m]. */
static double gap_of(const withy_joint *j, vec3 apart) {
    const vec3 axis = v3_is_zero(j->axis) ? j->axis : v3_direction(j->axis);
    const double along = v3_dot(axis, apart);
    switch (j->kind) {
    case WITHY_JOINT_WELD:
    case WITHY_JOINT_SPRING: return 0; /* as placed */
    case WITHY_JOINT_SLIDER:
    case WITHY_JOINT_CYLINDRICAL: return v3_norm(v3_axpy(apart, -along, axis));
    case WITHY_JOINT_PLANAR: return fabs(along);
    case WITHY_JOINT_LINK:
        return j->length > 0 && !(j->spring > 0) ? fabs(v3_norm(apart) - j->length) : 0;
    default: return v3_norm(apart);
    }
}

static withy_status check_gap(const wy_model *model, const withy_problem *problem, int joint,
                              double size, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    char words[WY_JOINT_WORDS];
    wy_pose side[2];
    for (int i = 0; i < 2; i++) WY_TRY(wy_model_place(model, problem, &j->place[i], &side[i], err));
    const vec3 apart = v3_sub(side[1].r, side[0].r), origin = wy_model_origin(model);
    const double gap = gap_of(j, apart), most = FIT * size + 1e-15 * v3_norm(origin);
    wy_joint_words(problem, joint, words, sizeof words);
    if (j->kind == WITHY_JOINT_LINK && !(v3_norm(apart) > most))
        return wy_bad_input(err,
                            "%s" WY_KEY ": its two places are one point at t = 0, so that it has "
                            "no direction; use a ball joint, or move one of them",
                            words);
    if (gap <= most) return WITHY_OK;
    if (j->kind == WITHY_JOINT_LINK)
        return wy_bad_input(err,
                            "%s" WY_KEY
                            ": length = %.9g, and its places are %.9g m apart at t = 0, %.3g m "
                            "off; leave length out to keep their distance, or move a part",
                            words, j->length, v3_norm(apart), gap);
    const vec3 a = v3_add(origin, side[0].r), b = v3_add(origin, side[1].r);
    return wy_bad_input(
        err,
        "%s" WY_KEY ": there is a gap of %.3g m at t = 0: the first place is { %.9g, %.9g, %.9g }, "
        "the second { %.9g, %.9g, %.9g }; move a part or a place so that they meet",
        words, gap, a.x, a.y, a.z, b.x, b.y, b.z);
}

double wy_network_size(const wy_model *model, const withy_problem *problem) {
    double size = 0;
    for (int i = 0; i < problem->rod_count; i++) size = fmax(size, problem->rod[i].length);
    for (int i = 0; i < problem->body_count; i++)
        size = fmax(size, v3_norm(wy_model_body(model, &problem->body[i]).r));
    for (int i = 0; i < 2 * problem->joint_count; i++) {
        const withy_place *place = &problem->joint[i / 2].place[i % 2];
        if (place->part == WITHY_PART_BODY) size = fmax(size, v3_norm(place->at));
    }
    return size;
}

withy_status wy_joint_check(const wy_model *model, const withy_problem *problem, int joint,
                            double size, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    char words[WY_JOINT_WORDS], where[WITHY_NAME];
    if ((unsigned)j->kind >= WY_JOINT_KINDS)
        return wy_bad_input(err,
                            "joints[%d].kind" WY_KEY " = %d: must be 0 .. %d, see withy_joint_kind",
                            joint + 1, (int)j->kind, WY_JOINT_KINDS - 1);
    WY_TRY(check_places(problem, joint, err));
    wy_joint_words(problem, joint, words, sizeof words);
    snprintf(where, sizeof where, "joints[%d]", joint + 1);
    WY_TRY(wy_check_unread(WY_IN_JOINT, (int)j->kind, j, words, err));
    WY_TRY(wy_check_values(WY_IN_JOINT, (int)j->kind, j, where, err));
    WY_TRY(check_axes(words, j, err));
    WY_TRY(check_law(words, j, err));
    WY_TRY(check_drives(problem, joint, err));
    WY_TRY(wy_cable_check_joint(problem, joint, err));
    return check_gap(model, problem, joint, size, err);
}
