/* The clock of a step that may be cut: whole steps are met exactly, short ones grow back. */
#include "base/pace.h"
#include "check.h"

static void go(wy_pace *pace, int iterations) {
    wy_pace_try(pace);
    wy_pace_take(pace, iterations);
}

TEST(steps_of_one_length_make_their_multiples) {
    wy_pace pace = {.h = 0.1};
    for (int i = 0; i < 7; i++) go(&pace, 3);
    CHECK(wy_pace_time(&pace) == 7 * 0.1);
    CHECK(!wy_pace_uneven(&pace));
    CHECK(pace.tick == (int64_t)7 << WY_PACE_CUTS);
}

TEST(a_cut_step_lands_on_the_whole_one_and_grows_back_after_eight_easy_ones) {
    wy_pace pace = {.h = 0.1};
    go(&pace, 3);
    CHECK(wy_pace_cut(&pace, 2) && wy_pace_cut(&pace, 2) && !wy_pace_cut(&pace, 2));
    wy_pace_try(&pace);
    CHECK(pace.dt[0] == 0.025 && wy_pace_uneven(&pace));
    wy_pace_take(&pace, 3);
    CHECK(pace.dt[1] == 0.025 && pace.dt[2] == 0.1);
    go(&pace, 20); /* not easy: the count begins again */
    int taken = 2;
    for (; pace.cut == 2; taken++) go(&pace, 3);
    CHECK(taken == 10);
    while (pace.cut) go(&pace, 3);
    CHECK(pace.tick % (1 << WY_PACE_CUTS) == 0);
    const int64_t target = (int64_t)20 << WY_PACE_CUTS;
    while (pace.tick < target) go(&pace, 3);
    CHECK(pace.tick == target && wy_pace_time(&pace) == 2.0);
}

RUN(test(steps_of_one_length_make_their_multiples),
    test(a_cut_step_lands_on_the_whole_one_and_grows_back_after_eight_easy_ones))
