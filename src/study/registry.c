/* registry.c - the list of methods expanded twice: once to declare, once to fill the table. */
#include "study/registry.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

#define WY_METHOD(name) extern const wy_method wy_method_##name;
#include "method/list.inc"
#undef WY_METHOD

static const wy_method *const table[] = {
#define WY_METHOD(name) &wy_method_##name,
#include "method/list.inc"
#undef WY_METHOD
};

enum { METHODS = sizeof table / sizeof *table };

int wy_method_count(void) {
    return METHODS;
}

const wy_method *wy_method_at(int index) {
    return index >= 0 && index < METHODS ? table[index] : NULL;
}

int withy_method_at(int index, withy_method_info *info) {
    /* the public view of an option is the first member of its row, but rows are longer: copy once
     */
    enum { OPTIONS = 64 };
    static withy_option_info view[METHODS][OPTIONS];
    const wy_method *method = wy_method_at(index);
    if (!method) return 0;
    int i = 0;
    for (const wy_option *row = method->options; row && row->info.name && i < OPTIONS - 1; row++)
        if (row->info.kind != 'r') view[index][i++] = row->info;
    *info = (withy_method_info){method->name,  method->summary, method->source,
                                method->needs, view[index],     method->rigid};
    return 1;
}

static const char *method_name(const void *unused, int index) {
    (void)unused;
    return index < METHODS ? table[index]->name : NULL;
}

/* "a, b or c" of the methods whose `can` has the bits (all when bits is 0). */
static void name_methods(uint32_t bits, char *text, size_t size) {
    int total = 0, used = 0;
    for (int i = 0; i < METHODS; i++) total += (table[i]->can & bits) == bits && !table[i]->needs;
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < METHODS && at < size; i++) {
        if ((table[i]->can & bits) != bits || table[i]->needs) continue;
        const char *glue = used == 0 ? "" : used == total - 1 ? " or " : ", ";
        at += (size_t)snprintf(text + at, size - at, "%s%s", glue, table[i]->name);
        used++;
    }
}

withy_status wy_method_find(const char *name, const wy_method **method, withy_error *err) {
    for (int i = 0; i < METHODS; i++)
        if (strcmp(table[i]->name, name) == 0) {
            *method = table[i];
            return WITHY_OK;
        }
    char known[256], hint[WITHY_NAME + 32];
    name_methods(0, known, sizeof known);
    return wy_fail(err, WITHY_BAD_INPUT, "method = \"%s\": there is no such method%s (known: %s)",
                   name, wy_did_you_mean(wy_suggest(name, method_name, NULL), hint, sizeof hint),
                   known);
}

/* ---- what a problem asks for -------------------------------------------------------------------
 */

static int end_frame_given(const withy_end *end) {
    return wy_end_holds_direction(end) && (end->frame.size || end->normal.size);
}
static int end_frame_driven(const withy_end *end) {
    return wy_end_holds_direction(end) && (end->frame.call || end->normal.call);
}
static int asks_twist(const withy_rod *rod) {
    const withy_end *a = &rod->end[0], *b = &rod->end[1];
    return (end_frame_given(a) && end_frame_given(b)) || end_frame_driven(a) || end_frame_driven(b);
}
static int asks_rest(const withy_rod *rod) {
    return !wy_shape_is_straight(&rod->rest);
}
static int asks_vary(const withy_rod *rod) {
    return !wy_rod_is_uniform(rod);
}
static int asks_ortho(const withy_rod *rod) {
    for (int i = 0; i <= 4; i++) {
        double k[WITHY_STRAINS];
        if (wy_stiffness_at(rod, rod->length * i / 4, k, NULL) != WITHY_OK) return 0;
        if (fabs(k[WITHY_BEND1] - k[WITHY_BEND2]) > 1e-12 * k[WITHY_BEND1]) return 1;
    }
    return 0;
}
static int asks_guided(const withy_rod *rod) {
    return rod->end[0].kind == WITHY_END_GUIDED || rod->end[1].kind == WITHY_END_GUIDED;
}
static int asks_follow(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (rod->load[i].follower) return 1;
    for (int i = 0; i < 2; i++)
        if (rod->end[i].follower && (rod->end[i].force.size || rod->end[i].moment.size)) return 1;
    return 0;
}
static int asks_moment(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (rod->load[i].moment.size) return 1;
    return rod->end[0].moment.size || rod->end[1].moment.size;
}
static int asks_drag(const withy_rod *rod) {
    return rod->drag_linear > 0 || rod->drag_quadratic > 0 || rod->drag_spin > 0;
}
static int asks_lump(const withy_rod *rod) {
    return rod->end[0].mass > 0 || rod->end[1].mass > 0;
}
static int asks_lump_turn(const withy_rod *rod) {
    for (int i = 0; i < 2; i++)
        if (!v3_is_zero(rod->end[i].inertia) || !v3_is_zero(rod->end[i].offset)) return 1;
    return 0;
}
static int asks_spring(const withy_rod *rod) {
    for (int i = 0; i < 2; i++)
        if (rod->end[i].spring > 0 || rod->end[i].spring_turn > 0) return 1;
    return 0;
}
static int asks_tension(const withy_rod *rod) {
    return rod->tension != 0;
}
static int asks_tendon(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (rod->load[i].kind == WITHY_LOAD_TENDON) return 1;
    return 0;
}
static int asks_spin(const withy_rod *rod) {
    return rod->spin.size > 0;
}
static int asks_drive(const withy_rod *rod) {
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &rod->end[i];
        if (end->velocity.size || end->acceleration.size || end->spin.size || end->spin_rate.size)
            return 1;
    }
    return 0;
}

static int asks_settle(const withy_rod *rod) {
    return rod->settled;
}

static const struct {
    uint32_t bit;
    int (*asks)(const withy_rod *rod);
    const char *what;
} ask[] = {
    {WY_CAN_TWIST, asks_twist, "ends that hold the section against turning about the tangent"},
    {WY_CAN_REST, asks_rest, "a rest shape that is not straight"},
    {WY_CAN_VARY, asks_vary, "stiffness, inertia or damping that varies along the rod"},
    {WY_CAN_ORTHO, asks_ortho, "two different bending stiffnesses"},
    {WY_CAN_GUIDED, asks_guided, "guided ends"},
    {WY_CAN_FOLLOW, asks_follow, "loads that follow the rod"},
    {WY_CAN_MOMENT, asks_moment, "applied moments"},
    {WY_CAN_DRAG, asks_drag, "external drag"},
    {WY_CAN_LUMP, asks_lump, "a mass at an end"},
    {WY_CAN_LUMP_TURN, asks_lump_turn, "an end mass with inertia or offset"},
    {WY_CAN_SPRING, asks_spring, "springs at the ends"},
    {WY_CAN_TENSION, asks_tension, "a prescribed tension"},
    {WY_CAN_TENDON, asks_tendon, "tendons"},
    {WY_CAN_SPIN, asks_spin, "an initial angular velocity of the sections"},
    {WY_CAN_DRIVE, asks_drive, "ends driven by velocity or acceleration"},
    {WY_CAN_SETTLE, asks_settle, "a start from equilibrium"},
};

static withy_status refuse(const wy_method *method, uint32_t bit, const char *what,
                           withy_error *err) {
    char others[256];
    name_methods(bit, others, sizeof others);
    return wy_fail(err, WITHY_UNSUPPORTED, "%s: cannot do %s; %s%s", method->name, what,
                   others[0] ? "use " : "no method in this build can, so leave it out of the scene",
                   others);
}

withy_status wy_method_accepts(const wy_method *method, const withy_problem *problem,
                               withy_error *err) {
    if (method->needs)
        return wy_fail(err, WITHY_MISSING, "%s: not in this build, which was configured without %s",
                       method->name, method->needs);
    if (problem->rod_count > 1 && !(method->can & WY_CAN_RODS))
        return refuse(method, WY_CAN_RODS, "several rods", err);
    if (problem->joint_count > 0 && !(method->can & WY_CAN_JOINTS))
        return refuse(method, WY_CAN_JOINTS, "joints", err);
    if (problem->floor.given && !(method->can & WY_CAN_FLOOR))
        return refuse(method, WY_CAN_FLOOR, "a floor", err);
    for (int r = 0; r < problem->rod_count; r++)
        for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
            if (!(method->can & ask[i].bit) && ask[i].asks(&problem->rod[r]))
                return refuse(method, ask[i].bit, ask[i].what, err);
    return method->accept ? method->accept(problem, err) : WITHY_OK;
}
