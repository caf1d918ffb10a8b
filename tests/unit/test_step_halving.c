/* The clock of a step that may be cut: whole steps are met exactly, short ones grow back. */
#include "base/step_halving.h"
#include "check.h"

static void go(wy_halving *halving, int iterations) {
    wy_halving_try(halving);
    wy_halving_take(halving, iterations);
}

TEST(steps_of_one_length_make_their_multiples) {
    wy_halving halving = {.h = 0.1};
    for (int i = 0; i < 7; i++) go(&halving, 3);
    CHECK(wy_halving_time(&halving) == 7 * 0.1);
    CHECK(!wy_halving_uneven(&halving));
    CHECK(halving.tick == (int64_t)7 << WY_HALVING_CUTS);
}

TEST(a_cut_step_lands_on_the_whole_one_and_grows_back_after_eight_easy_ones) {
    wy_halving halving = {.h = 0.1};
    go(&halving, 3);
    CHECK(wy_halving_cut(&halving, 2) && wy_halving_cut(&halving, 2) &&
          !wy_halving_cut(&halving, 2));
    wy_halving_try(&halving);
    CHECK(halving.dt[0] == 0.025 && wy_halving_uneven(&halving));
    wy_halving_take(&halving, 3);
    CHECK(halving.dt[1] == 0.025 && halving.dt[2] == 0.1);
    go(&halving, 20); /* not easy: the count begins again */
    int taken = 2;
    for (; halving.cut == 2; taken++) go(&halving, 3);
    CHECK(taken == 10);
    while (halving.cut) go(&halving, 3);
    CHECK(halving.tick % (1 << WY_HALVING_CUTS) == 0);
    const int64_t target = (int64_t)20 << WY_HALVING_CUTS;
    while (halving.tick < target) go(&halving, 3);
    CHECK(halving.tick == target && wy_halving_time(&halving) == 2.0);
}

RUN(test(steps_of_one_length_make_their_multiples),
    test(a_cut_step_lands_on_the_whole_one_and_grows_back_after_eight_easy_ones))
