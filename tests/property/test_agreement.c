/* test_agreement.c - two methods agree on a scene nobody has seen, within their error bars (random_agreement.h).
 *
 *     test_agreement [SCENES [FIRST [loud]]]      (slow under sanitizers)
 *
 * The suite takes another part of the scenes of `withy verify --long agreement` every day (today.h).
 */
#include <stdlib.h>

#include "check.h"
#include "random_agreement.h"
#include "today.h"

static int scenes = 50, first;
static random_teller to = {print_message, 0};

static void judge(const agreement_tally *sum) {
    print_message(
        "%d scenes from seed %d on, %d pairs: %d agree, %d differ, %d at two equilibria, %d say "
        "why not, %d with unknown bars; %d scenes with one method\n",
        sum->scenes, first, sum->pairs, sum->agree, sum->differ, sum->two, sum->reported,
        sum->unknown, sum->alone);
    CHECK(sum->differ == 0);
    CHECK(sum->silent == 0);
    CHECK(sum->agree > sum->unknown);
    CHECK(50 * sum->two <= sum->pairs);
}

static void all(int statics) {
    agreement_tally sum = {0};
    for (int k = first; k < first + scenes; k++) agreement_one(k, statics, 1, &to, &sum);
    judge(&sum);
}

TEST(equilibria_by_two_methods_agree_within_their_error_bars) {
    all(1);
}
TEST(motions_by_two_methods_agree_within_their_error_bars) {
    all(0);
}

/* Scenes that have been red: a load on a part of the rod (59), forces of first order next to positions of second (1012),
 * a start that is not smooth (58), forces of a stiff rod beyond the rounding of its places (96, 117), a pendulum that
 * is soft about an axis (106), a slack rod with two stable shapes (88), a moment at an end, which fdtd has to first order
 * (21349), an error that changes its sign between the two levels that were solved (20145, 23226), a start of first order
 * in a run of second (4), an oscillation along the rod that two levels do not resolve but meet at all output times
 * (204419, where no finer level is allowed). */
TEST(scenes_that_once_disagreed_agree) {
    static const int equilibrium[] = {59, 1012, 96, 117, 106, 88, 21349},
                     moving[] = {58, 20145, 23226, 4};
    agreement_tally sum = {0};
    for (size_t k = 0; k < sizeof equilibrium / sizeof *equilibrium; k++)
        agreement_one(equilibrium[k], 1, 2, &to, &sum);
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++)
        agreement_one(moving[k], 0, 2, &to, &sum);
    agreement_one(204419, 0, 1, &to, &sum);
    print_message("%d scenes, %d pairs: %d agree, %d differ, %d at two equilibria\n", sum.scenes,
                  sum.pairs, sum.agree, sum.differ, sum.two);
    CHECK(sum.differ == 0 && sum.alone == 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(equilibria_by_two_methods_agree_within_their_error_bars),
        test(motions_by_two_methods_agree_within_their_error_bars),
        test(scenes_that_once_disagreed_agree)};
    first = today_from(10000, 5000, scenes);
    if (argc > 1) scenes = atoi(argv[1]);
    if (argc > 2) first = atoi(argv[2]);
    to.loud = argc > 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
