/* capability.h - what a problem requires of a method, found from the schema.  Room: src/model.
 *
 * Every key of the schema names the capability it needs, and a method that does not claim it refuses the key.  A method
 * that claims nothing solves a bare rod: free at both ends, straight, at rest, without loads.
 */
#pragma once

#include "base/base.h"
#include "withy/problem.h"

/* Positions of the bits of wy_method.can. */
enum {
#define CAN(name, words) WY_CAN_##name##_AT,
#include "model/schema/capability.inc"
#undef CAN
    WY_CAPABILITIES,
    /* marks of rows of the schema (schema.inc), which no method claims */
    WY_CAN_VALUE_AT = 59,
    WY_CAN_SAME_AT,
    WY_CAN_STUDY_AT,
    WY_CAN_BARE_AT,
    WY_CAN_OWN_AT
};
#define WY_CAN(name) ((uint64_t)1 << WY_CAN_##name##_AT)
#define WY_CAN_ALL (((uint64_t)1 << WY_CAPABILITIES) - 1)
_Static_assert(WY_CAPABILITIES <= WY_CAN_VALUE_AT,
               "capabilities must fit the bits of wy_method.can");

/* The words of capability `at` (not the bit). */
const char *wy_capability_words(int at);

enum { WY_OWN_MOST = 16 };

/* What a problem requires. */
typedef struct wy_requirements {
    uint64_t can;  /* capabilities                                               */
    int own_count; /* keys that are a capability of their own, as "rod.toy"      */
    const char *own[WY_OWN_MOST];
    char room[WY_OWN_MOST][2 * WITHY_NAME];
} wy_requirements;

void wy_problem_requirements(const withy_problem *problem, wy_requirements *asks);
