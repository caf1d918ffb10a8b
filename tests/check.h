/* check.h - cmocka with checks that print both values and the difference.
 *
 *     TEST(free_fall_is_exact) { CHECK_NEAR(z, -g * t * t / 2, 1e-13); }
 *     RUN(test(free_fall_is_exact), test(...))
 *
 * The name of a test is the statement it proves.  CHECK_NEAR fails for NaN.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "worst.h"

#define TEST(name) static void name(__attribute__((unused)) void **unused_state)
#define test(name) cmocka_unit_test(name)

/* At the head of a test that takes long under sanitizers: its numbers are proved without them, and there other tests
 * run the same code. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#define SLOW_UNDER_SANITIZERS skip()
#else
enum { SANITIZED = 0 };
#define SLOW_UNDER_SANITIZERS (void)0
#endif

#define RUN(...)                                                                                   \
    int main(int argc, char **argv) {                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        if (argc > 1) cmocka_set_test_filter(argv[1]);                                             \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) fail_msg("%s:%d: %s", __FILE__, __LINE__, #condition);                   \
    } while (0)

/* |got - want| <= tolerance, written so that NaN fails. */
#define CHECK_NEAR(got, expected, tolerance)                                                       \
    do {                                                                                           \
        const double check_got = (got), check_want = (expected), check_tol = (tolerance);          \
        if (!(fabs(check_got - check_want) <= check_tol))                                          \
            fail_msg("%s:%d: %s = %.17g, want %.17g, difference %.3g > %.3g", __FILE__, __LINE__,  \
                     #got, check_got, check_want, check_got - check_want, check_tol);              \
    } while (0)

#define CHECK_BELOW(got, limit)                                                                    \
    do {                                                                                           \
        const double check_got = (got), check_limit = (limit);                                     \
        if (!(check_got <= check_limit))                                                           \
            fail_msg("%s:%d: %s = %.6g > %.6g", __FILE__, __LINE__, #got, check_got, check_limit); \
    } while (0)

#define CHECK_TEXT(got, expected)                                                                  \
    do {                                                                                           \
        const char *check_got = (got), *check_want = (expected);                                   \
        if (strcmp(check_got, check_want) != 0)                                                    \
            fail_msg("%s:%d:\n  got  \"%s\"\n  want \"%s\"", __FILE__, __LINE__, check_got,        \
                     check_want);                                                                  \
    } while (0)

/* A call that returns withy_status must succeed; the message of `err` is printed when not. */
#define CHECK_OK(call)                                                                             \
    do {                                                                                           \
        if ((call) != 0) fail_msg("%s:%d: %s: %s", __FILE__, __LINE__, #call, err.text);           \
    } while (0)
