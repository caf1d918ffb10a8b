/* capability.c - walk a problem along the schema: which keys are given, and what they need. */
#include "model/schema/schema.h"

#include "model/shape/shape.h"

static const char *const words[] = {
#define CAN(name, words) words,
#include "model/schema/capability.inc"
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

int wy_key_given(const wy_key *key, const void *draft) {
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
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS: return field_given(at, key->size);
    case WY_KEY_TEXT: return memcmp(at, &(char *){NULL}, sizeof(char *)) != 0;
    case WY_KEY_FRICTION: return number_given(at, WITHY_FRICTIONS);
    default: return 0; /* tables: their own keys are checked */
    }
}

/* ---- the tables of a problem --------------------------------------------------------------------- */

static void add_own(wy_requirements *asks, const wy_group *group, const wy_key *key) {
    if (asks->own_count == WY_OWN_MOST) return;
    char *text = asks->room[asks->own_count];
    snprintf(text, sizeof asks->room[0], "%s.%s", group->where, key->name);
    for (int i = 0; i < asks->own_count; i++)
        if (strcmp(asks->own[i], text) == 0) return;
    asks->own[asks->own_count++] = text;
}

/* A structure of the problem: the capabilities required by its presence and by its keys. */
static void look_at(const wy_instance *x, int tag, wy_requirements *asks) {
    const wy_group *group;
    const wy_key *key;
    for (int i = 0; (group = wy_group_at(i)) != NULL; i++)
        if (wy_group_is_of(group, x->of, tag)) asks->can |= group->can & WY_CAN_ALL;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
        const int claimed = (key->can & (WY_CAN_ALL | WY_CAN(OWN))) != 0;
        if (!claimed || !wy_key_is_in(key, x->of, tag) || !wy_key_given(key, x->at)) continue;
        if (key->can == WY_CAN(OWN))
            add_own(asks, wy_group_find(key->group), key);
        else
            asks->can |= key->can;
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
    uint64_t can = rod->settled ? WY_CAN(SETTLE) : 0;
    if (is_twisted(problem, rod)) can |= WY_CAN(TWIST);
    if (!wy_shape_is_straight(&rod->rest)) can |= WY_CAN(REST);
    if (wy_shape_in_time(&rod->rest)) can |= WY_CAN(ACTIVE);
    if (!wy_rod_is_uniform(rod)) can |= WY_CAN(VARY);
    if (is_ortho(rod)) can |= WY_CAN(ORTHO);
    if (rod->damping_law == WITHY_DAMPING_STRAIN) can |= WY_CAN(STRAIN_LAW);
    if (rod->damping_law > WITHY_DAMPING_STRAIN) can |= WY_CAN(SPACE_LAW);
    if (is_moved(&rod->end[0]) || is_moved(&rod->end[1])) can |= WY_CAN(MOVING);
    for (int i = 0; i < 2; i++) /* a follower flag without a load requires nothing */
        if (rod->end[i].follower && (rod->end[i].force.size || rod->end[i].moment.size))
            can |= WY_CAN(FOLLOW);
    if (wy_rod_uses_state(rod)) can |= WY_CAN(STATE);
    return can;
}

/* Of equal neighbours, one. */
static int is_repeated(const wy_instance *x) {
    const size_t size = wy_structure_size(x->of);
    return x->of == WY_IN_ROD && x->index > 0 && memcmp(x->at, x->at - size, size) == 0;
}

/* Loads from which a rod is let go, of one that is not. */
static int is_unused(const wy_instance *x) {
    return x->of == WY_IN_LOAD && x->by->offset == offsetof(withy_rod, pull) &&
           !((const withy_rod *)(const void *)x->in->at)->settled;
}

static int look(void *context, const wy_entries *entries, const wy_instance *x) {
    wy_requirements *asks = context;
    if (is_repeated(x) || is_unused(x)) return 0;
    look_at(x, wy_structure_tag(entries, x->of, x->at), asks);
    if (x->of == WY_IN_ROD) asks->can |= together((const void *)x->in->at, (const void *)x->at);
    return 1;
}

void wy_problem_requirements(const withy_problem *problem, wy_requirements *asks) {
    const wy_instance whole = {.of = WY_IN_PROBLEM, .at = (const char *)problem};
    const withy_contact *contact = &problem->contact;
    wy_entries entries;
    *asks = (wy_requirements){0};
    if (problem->rod_count > 1) asks->can |= WY_CAN(RODS);
    if (problem->joint_count > 0) asks->can |= WY_CAN(JOINTS);
    /* its settings are those of obstacles too; by itself it is of rods */
    if (contact->given && (!contact->no_self || (!contact->no_rods && problem->rod_count > 1)))
        asks->can |= WY_CAN(TOUCH);
    wy_entries_list(&entries);
    wy_structures_visit(&entries, &whole, look, asks);
}
