/* capability.h - what a problem requires of a method, found from the schema.  Room: src/model.
 *
 * Every key of the schema names the capability it needs, so that a key which a method does not support
 * is refused by it.  Keys that name EVERY are refused by none: a method that does not do what they say must
 * refuse them in its `accept`.
 */
#pragma once

#include "base/base.h"
#include "withy/problem.h"

/* Bits of wy_method.can. */
enum {
#define CAN(name, words) WY_CAN_##name##_AT,
#include "model/capability.inc"
#undef CAN
    WY_CAPABILITIES
};
enum {
    WY_CAN_EVERY = 0,      /* what all methods support */
    WY_CAN_OWN = 1u << 30, /* a key that is a capability of its own */
#define CAN(name, words) WY_CAN_##name = 1u << WY_CAN_##name##_AT,
#include "model/capability.inc"
#undef CAN
};
_Static_assert(WY_CAPABILITIES <= 30, "capabilities must fit the bits of wy_method.can");

/* The words of capability `at` (not the bit). */
const char *wy_capability_words(int at);

enum { WY_OWN_MOST = 16 };

/* What a problem requires. */
typedef struct wy_asks {
    uint32_t can;  /* capabilities                                               */
    int own_count; /* keys that are a capability of their own, as "rod.toy"      */
    const char *own[WY_OWN_MOST];
    char room[WY_OWN_MOST][2 * WITHY_NAME];
} wy_asks;

void wy_problem_asks(const withy_problem *problem, wy_asks *asks);
