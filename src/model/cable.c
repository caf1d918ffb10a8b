/* cable.c - what a cable (rod.kind = "cable") does not have: it is a line of points that resists stretch only, without
 * frames, so that nothing which bends, twists or turns its sections has a meaning. */
#include "model/cable.h"

#include "model/network.h"
#include "model/shape/shape.h"

static int any_given(const withy_field *field, int count) {
    for (int i = 0; i < count; i++)
        if (field[i].size) return 1;
    return 0;
}

/* A key that was given, and which. */
typedef struct row {
    int given;
    const char *key;
} row;

static withy_status refuse(const row *rows, size_t count, withy_error *err) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].given)
            return wy_bad_input(err,
                                "%s" WY_KEY ": a cable resists stretch only and its sections do "
                                "not turn, so this has no meaning; leave it out, or leave out "
                                "rod.kind = \"cable\"",
                                rows[i].key);
    return WITHY_OK;
}

static withy_status check_section(const withy_rod *rod, withy_error *err) {
    const withy_field *k = rod->stiffness, *c = rod->damping;
    const row rows[] = {
        {any_given(&k[WITHY_BEND1], 2), "rod.stiffness.bend"},
        {k[WITHY_TWIST].size > 0, "rod.stiffness.twist"},
        {any_given(&k[WITHY_SHEAR1], 2), "rod.stiffness.shear"},
        {rod->stiffness_matrix[0].size > 0, "rod.stiffness.matrix"},
        {any_given(&rod->inertia[WITHY_ROTARY1], 3), "rod.inertia.rotary"},
        {any_given(&c[WITHY_BEND1], 2), "rod.damping.bend"},
        {c[WITHY_TWIST].size > 0, "rod.damping.twist"},
        {any_given(&c[WITHY_SHEAR1], 2), "rod.damping.shear"},
        {rod->damping_matrix[0].size > 0, "rod.damping.matrix"},
        {rod->damping_law > WITHY_DAMPING_STRAIN, "rod.damping.law"},
        {rod->drag_spin > 0, "rod.drag.spin"},
        {rod->viscous.spin > 0, "rod.viscous.spin"},
        {!wy_shape_is_straight(&rod->rest), "rod.rest"},
        {rod->spin.size > 0, "initial.spin"},
        {rod->magnet.size > 0, "rod.magnet"},
    };
    return refuse(rows, sizeof rows / sizeof *rows, err);
}

static withy_status check_end(const withy_end *end, const char *name, withy_error *err) {
    const row rows[] = {
        {end->moment.size > 0, "moment"},       {end->follower && end->force.size > 0, "follower"},
        {!v3_is_zero(end->inertia), "inertia"}, {!v3_is_zero(end->offset), "offset"},
        {end->spring_turn > 0, "spring_turn"},
    };
    if (wy_end_holds_direction(end))
        return wy_bad_input(err,
                            "%s" WY_KEY ": a cable has no direction that an end could hold; use "
                            "pinned, roller or free",
                            name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char key[WITHY_NAME];
        snprintf(key, sizeof key, "%s.%s", name, rows[i].key);
        WY_TRY(refuse(&(row){rows[i].given, key}, 1, err));
    }
    return WITHY_OK;
}

static withy_status check_loads(const withy_load *load, int count, const char *list,
                                withy_error *err) {
    for (int i = 0; i < count; i++) {
        char key[WITHY_NAME];
        const char *what = wy_load_has_route(&load[i]) ? ""
                           : load[i].moment.size       ? ".moment"
                           : load[i].follower          ? ".follower"
                                                       : NULL;
        if (!what) continue;
        snprintf(key, sizeof key, "%s[%d]%s", list, i + 1, what);
        WY_TRY(refuse(&(row){1, key}, 1, err));
    }
    return WITHY_OK;
}

withy_status wy_cable_check(const withy_rod *rod, withy_error *err) {
    if (rod->kind != WITHY_CABLE) {
        if (!rod->compression) return WITHY_OK;
        return wy_bad_input(err, "rod.compression" WY_KEY
                                 ": every rod bears pressure; this is for cables "
                                 "(rod.kind = \"cable\"), leave it out");
    }
    WY_TRY(check_section(rod, err));
    for (int i = 0; i < 2; i++)
        WY_TRY(check_end(&rod->end[i], i ? "ends.finish" : "ends.start", err));
    WY_TRY(check_loads(rod->load, rod->load_count, "loads", err));
    return check_loads(rod->pull, rod->pull_count, "initial.loads", err);
}

withy_status wy_cable_check_stretch(double stretch, withy_error *err) {
    if (isfinite(stretch)) return WITHY_OK;
    return wy_bad_input(err, "rod.stiffness.stretch" WY_KEY
                             ": a cable needs a stiffness EA; give it, or rod.section and "
                             "rod.material");
}

/* Joints that keep a point, or a distance, need no frame. */
withy_status wy_cable_check_joint(const withy_problem *problem, int joint, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    const int turns = j->kind == WITHY_JOINT_SPRING && !v3_is_zero(j->turn);
    char words[WY_JOINT_WORDS];
    if (j->kind == WITHY_JOINT_BALL || j->kind == WITHY_JOINT_WELD || j->kind == WITHY_JOINT_LINK ||
        (j->kind == WITHY_JOINT_SPRING && !turns))
        return WITHY_OK;
    for (int i = 0; i < 2; i++) {
        const withy_place *place = &j->place[i];
        if (place->part != WITHY_PART_ROD || problem->rod[place->index].kind != WITHY_CABLE)
            continue;
        return wy_bad_input(
            err,
            "%s" WY_KEY ": a cable has no frame that this joint could turn; use "
            "ball, weld, link or a spring with stretch alone, or put a body between",
            wy_joint_words(problem, joint, words, sizeof words));
    }
    return WITHY_OK;
}
