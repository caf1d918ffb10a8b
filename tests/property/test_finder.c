/* slow under sanitizers
 *
 * test_finder.c - random rods come to rest (random_rods.h).
 *
 *     test_finder [COUNT [FIRST]]      COUNT rods (60 in the suite, 500 in full), each told when COUNT = 1
 */
#include "check.h"
#include "random_rods.h"

static int rods = 60, first = 0;

TEST(random_rods_end_at_a_stable_equilibrium_to_which_they_come_back) {
    (void)unused_state;
    const random_teller to = {print_message, rods == 1};
    rods_tally sum = {.iterations = calloc((size_t)rods, sizeof(int))};
    CHECK(sum.iterations);
    for (int i = first; i < first + rods; i++) rods_one(i, &to, &sum);
    rods_sum(&sum, &to);
    free(sum.iterations);
    CHECK(sum.silent == 0 && sum.unbalanced == 0);
    CHECK(sum.stable - sum.left >= 99 * rods / 100); /* of 60: all but one */
}

/* A rod that has bowed turns about its chord, and the stiffness of that was 15 times what Newton takes for none. */
TEST(a_change_along_what_the_stability_calls_neutral_is_no_imbalance) {
    (void)unused_state;
    const random_teller to = {print_message, 0};
    int iterations;
    rods_tally sum = {.iterations = &iterations};
    rods_one(5043, &to, &sum);
    CHECK(sum.stable == 1 && sum.neutral == 1 && sum.unbalanced == 0 && sum.left == 0);
}

int main(int argc, char **argv) {
    if (argc > 1) rods = atoi(argv[1]) > 0 ? atoi(argv[1]) : rods;
    if (argc > 2) first = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        test(random_rods_end_at_a_stable_equilibrium_to_which_they_come_back),
        test(a_change_along_what_the_stability_calls_neutral_is_no_imbalance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
