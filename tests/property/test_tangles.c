/* test_tangles.c - random tangles: rods that are thrown into a tube and fall on each other.
 *
 *     test_tangles [COUNT [FIRST]]      COUNT tangles (12 in the suite, 500 in full)
 *
 * Each continues to its end with its energy accounted for, or stops with a message that says where and which pair;
 * no number is ever lost.
 * slow under sanitizers
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "contact_family.h"

static int tangles = 12, first = 0;

TEST(random_tangles_lose_no_number_and_no_energy_and_say_where_they_cannot_go_on) {
    (void)unused_state;
    tangle_tally sum = {0};
    const clock_t begun = clock();
    for (int k = first; k < first + tangles; k++) {
        const int before = sum.stopped;
        withy_error err = {0};
        CHECK_OK(tangle_run(k, &sum, &err));
        if (sum.stopped > before) print_message("%s\n", sum.text);
    }
    print_message("%d tangles: %d stopped, %d without numbers, energy to %.1e, deepest %.2f of the "
                  "radii, %.1f s\n",
                  tangles, sum.stopped, sum.lost, sum.drift, sum.deepest,
                  (double)(clock() - begun) / CLOCKS_PER_SEC);
    CHECK(sum.lost == 0 && sum.open == 0 && sum.mute == 0);
    CHECK(sum.stopped <= tangles / 10);
}

int main(int argc, char **argv) {
    if (argc > 1) tangles = atoi(argv[1]) > 0 ? atoi(argv[1]) : tangles;
    if (argc > 2) first = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        test(random_tangles_lose_no_number_and_no_energy_and_say_where_they_cannot_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
