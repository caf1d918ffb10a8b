/* capability.c - walk a problem along the schema: which keys are given, and what they need. */
#include "model/capability.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/plane.h"
#include "model/schema.h"

static const char *const words[] = {
#define CAN(name, words) words,
#include "model/capability.inc"
#undef CAN
};

const char *wy_capability_words(int at) {
    return at >= 0 && at < WY_CAPABILITIES ? words[at] : "";
}

/* ---- is a key given? --------------------------------------------------------------------------- */

static int number_given(const void *at, int size) {
    double value;
    for (int i = 0; i < size; i++) {
        memcpy(&value, (const char *)at + (size_t)i * sizeof value, sizeof value);
        if (value != 0 && !isnan(value)) return 1;
    }
    return 0;
}

static int field_given(const void *at, int size) {
    const withy_field *field = at;
    for (int i = 0; i < size; i++)
        if (field[i].size > 0) return 1;
    return 0;
}

static int key_given(const wy_key *key, const void *draft) {
    const char *at = (const char *)draft + key->offset;
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_DIRECTION: return number_given(at, key->size);
    case WY_KEY_WHOLE:
    case WY_KEY_FLAG:
    case WY_KEY_WORD: return *(const int *)at != 0;
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_STRAIN: return field_given(at, 1);
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY: return field_given(at, key->size);
    default: return 0; /* tables: their own keys are checked */
    }
}

/* ---- the tables of a problem --------------------------------------------------------------------- */

static void add_own(wy_asks *asks, const wy_group *group, const wy_key *key) {
    if (asks->own_count == WY_OWN_MOST) return;
    char *text = asks->room[asks->own_count];
    snprintf(text, sizeof asks->room[0], "%s.%s", group->where, key->name);
    for (int i = 0; i < asks->own_count; i++)
        if (strcmp(asks->own[i], text) == 0) return;
    asks->own[asks->own_count++] = text;
}

/* A table of the problem: the capabilities required by its presence and by its keys. */
static void look_at(const wy_group *group, const void *draft, wy_asks *asks) {
    asks->can |= group->can & WY_CAN_ALL;
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
        const int claimed = (key->can & (WY_CAN_ALL | WY_CAN(OWN))) != 0;
        if (!claimed || strcmp(key->group, group->name) != 0 || !key_given(key, draft)) continue;
        if (key->can == WY_CAN(OWN))
            add_own(asks, group, key);
        else
            asks->can |= key->can;
    }
}

/* The constructor of a family that made the draft. */
static void look_at_one(const char *family, int tag, const void *draft, wy_asks *asks) {
    for (int i = 0; wy_group_at(i); i++) {
        const wy_group *group = wy_group_at(i);
        if (group->family && strcmp(group->family, family) == 0 && group->tag == tag)
            look_at(group, draft, asks);
    }
}

/* ---- what follows from several keys together ------------------------------------------------------- */

static int frame_driven(const withy_end *end) {
    return wy_end_holds_direction(end) && (end->frame.call || end->normal.call);
}

static int is_moved(const withy_end *end) {
    const withy_field *held[] = {&end->position, &end->tangent, &end->normal, &end->frame};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (held[i]->call) return 1;
    return 0;
}

static int is_ortho(const withy_rod *rod) {
    for (int i = 0; i <= 4; i++) {
        double k[WITHY_STRAINS];
        if (wy_stiffness_at(rod, rod->length * i / 4, k, NULL) != WITHY_OK) return 0;
        if (fabs(k[WITHY_BEND1] - k[WITHY_BEND2]) > 1e-12 * k[WITHY_BEND1]) return 1;
    }
    return 0;
}

/* Two ends that hold the section twist the rod between them, unless it stays in a plane. */
static int is_twisted(const withy_problem *problem, const withy_rod *rod) {
    const withy_end *a = &rod->end[0], *b = &rod->end[1];
    if (frame_driven(a) || frame_driven(b)) return 1;
    return wy_end_holds_frame(a) && wy_end_holds_frame(b) && !wy_stays_in_plane(problem, rod);
}

static uint64_t together(const withy_problem *problem, const withy_rod *rod) {
    uint64_t can = 0;
    if (is_twisted(problem, rod)) can |= WY_CAN(TWIST);
    if (!wy_shape_is_straight(&rod->rest)) can |= WY_CAN(REST);
    if (!wy_rod_is_uniform(rod)) can |= WY_CAN(VARY);
    if (is_ortho(rod)) can |= WY_CAN(ORTHO);
    if (rod->damping_law == WITHY_DAMPING_STRAIN) can |= WY_CAN(STRAIN_LAW);
    if (rod->damping_law > WITHY_DAMPING_STRAIN) can |= WY_CAN(SPACE_LAW);
    if (is_moved(&rod->end[0]) || is_moved(&rod->end[1])) can |= WY_CAN(MOVING);
    for (int i = 0; i < 2; i++) /* a follower flag without a load requires nothing */
        if (rod->end[i].follower && (rod->end[i].force.size || rod->end[i].moment.size))
            can |= WY_CAN(FOLLOW);
    if (wy_rod_sees(rod)) can |= WY_CAN(STATE);
    return can;
}

static void look_at_rod(const withy_problem *problem, const withy_rod *rod, wy_asks *asks) {
    static const char *const tables[] = {"rod",     "material", "stiffness", "inertia",
                                         "damping", "drag",     "initial"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        look_at(wy_group_find(tables[i]), rod, asks);
    if (rod->settled) look_at(wy_group_find("static"), rod, asks);
    look_at_one("section", rod->section.kind, &rod->section, asks);
    look_at_one("shape", rod->rest.kind, &rod->rest, asks);
    look_at_one("shape", rod->initial.kind, &rod->initial, asks);
    for (int i = 0; i < 2; i++) look_at_one("end", rod->end[i].kind, &rod->end[i], asks);
    for (int i = 0; i < rod->load_count; i++)
        look_at_one("load", rod->load[i].kind, &rod->load[i], asks);
    for (int i = 0; rod->settled && i < rod->pull_count; i++)
        look_at_one("load", rod->pull[i].kind, &rod->pull[i], asks);
    asks->can |= together(problem, rod);
}

/* Welds and ball joints, or any others? */
static void look_at_joint(const withy_joint *joint, wy_asks *asks) {
    const int simple = joint->kind == WITHY_JOINT_WELD || joint->kind == WITHY_JOINT_BALL;
    asks->can |= WY_CAN(JOINTS);
    if (!simple) asks->can |= WY_CAN(MECHANISM);
}

/* Its settings are those of obstacles too; by itself it is of rods. */
static void look_at_contact(const withy_problem *problem, wy_asks *asks) {
    const withy_contact *contact = &problem->contact;
    look_at(wy_group_find("contact"), contact, asks);
    if (!contact->no_self || (!contact->no_rods && problem->rod_count > 1))
        asks->can |= WY_CAN(TOUCH);
}

void wy_problem_asks(const withy_problem *problem, wy_asks *asks) {
    *asks = (wy_asks){0};
    if (!v3_is_zero(problem->gravity)) asks->can |= WY_CAN(GRAVITY);
    if (problem->rod_count > 1) asks->can |= WY_CAN(RODS);
    if (problem->body_count > 0) asks->can |= WY_CAN(BODIES);
    for (int i = 0; i < problem->joint_count; i++) look_at_joint(&problem->joint[i], asks);
    if (problem->contact.given) look_at_contact(problem, asks);
    if (problem->obstacle_count > 0) asks->can |= WY_CAN(OBSTACLE);
    if (problem->floor.given) look_at(wy_group_find("floor"), &problem->floor, asks);
    if (problem->rotating.given) look_at(wy_group_find("rotating"), &problem->rotating, asks);
    const withy_rod *rod = problem->rod;
    for (int i = 0; i < problem->rod_count; i++) /* of equal neighbours, one */
        if (i == 0 || memcmp(&rod[i], &rod[i - 1], sizeof *rod) != 0)
            look_at_rod(problem, &rod[i], asks);
}
