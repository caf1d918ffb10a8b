/* verify_random.c - scenes nobody has looked at: 10 000 of them, half at rest and half in motion, and 2000 rods that
 * come to rest.
 *
 *     WITHY_RANDOM=COUNT[:FIRST]  withy verify --long random      a share: COUNT scenes of each kind from seed FIRST on
 *
 * What is found goes to the standard error as it comes, each line with its seed; test_agreement, test_symmetry and
 * test_finder repeat a single one.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "random_agreement.h"
#include "random_rods.h"
#include "random_symmetry.h"
#include "verify.h"

enum { SCENES = 5000, RODS = 2000, FIRST = 10000, TELL = 250 };

static void tell(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}
static const random_teller teller = {tell, 0};

/* How many, and from where on. */
static int share(int all, int *first) {
    const char *asked = getenv("WITHY_RANDOM"), *from = asked ? strchr(asked, ':') : NULL;
    const int count = asked ? atoi(asked) : 0;
    *first = from ? atoi(from + 1) : FIRST;
    return count > 0 ? count : all;
}

static void progress(const char *what, int done, int count, int seed) {
    if (done % TELL == 0 || done == count) tell("%s: %d of %d, seed %d\n", what, done, count, seed);
}

static void agreement(verify_log *log) {
    for (int statics = 1; statics >= 0; statics--) {
        int first;
        const int count = share(SCENES, &first);
        agreement_tally sum = {0};
        char name[80], note[200];
        for (int k = 0; k < count; k++) {
            agreement_one(first + k, statics, 1, &teller, &sum);
            progress(statics ? "agreement at rest" : "agreement in motion", k + 1, count,
                     first + k);
        }
        snprintf(note, sizeof note,
                 "seeds %d to %d, %d pairs: %d agree, %d at two equilibria, %d say why not, %d "
                 "bars not known",
                 first, first + count - 1, sum.pairs, sum.agree, sum.two, sum.reported,
                 sum.unknown);
        snprintf(name, sizeof name, "pairs that differ, %d scenes %s", count,
                 statics ? "at rest" : "in motion");
        verify_below(log, name, "", sum.differ, 0, note);
        verify_below(log, "refusals without a message", "", sum.silent, 0, "");
    }
}

static void symmetry(verify_log *log) {
    for (int statics = 1; statics >= 0; statics--) {
        int first;
        const int count = share(SCENES, &first);
        symmetry_tally sum = {0};
        char name[80], note[200];
        for (int k = 0; k < count; k++) {
            symmetry_scene(first + k, statics, 0, "", &teller, &sum);
            progress(statics ? "symmetry at rest" : "symmetry in motion", k + 1, count, first + k);
        }
        snprintf(note, sizeof note,
                 "seeds %d to %d: %d answers, %d refused, %d only in one writing, %d slack rods on "
                 "another side, %d motions that amplify rounding",
                 first, first + count - 1, sum.solved, sum.refused, sum.reported, sum.two,
                 sum.sensitive);
        snprintf(name, sizeof name, "answers that change, %d scenes %s", count,
                 statics ? "at rest" : "in motion");
        verify_below(log, name, "", sum.bad, 0, note);
        verify_below(log, "share of motions that amplify rounding", "",
                     (double)sum.sensitive / (sum.solved + 1), 0.005, "");
    }
}

static void rods(verify_log *log) {
    int first;
    const int count = share(RODS, &first);
    rods_tally sum = {.iterations = calloc((size_t)count, sizeof(int))};
    char name[80], note[200];
    const withy_error none = {.text = "no memory for the counts"};
    if (!sum.iterations) {
        verify_failed(log, "rods that come to rest", &none);
        return;
    }
    for (int k = 0; k < count; k++) {
        rods_one(first + k, &teller, &sum);
        progress("rods", k + 1, count, first + k);
    }
    rods_sum(&sum, &teller);
    snprintf(note, sizeof note,
             "rods %d to %d: %d stable, %d unstable, %d not found and reported so, %d go away",
             first, first + count - 1, sum.stable, sum.unstable, sum.reported, sum.left);
    snprintf(name, sizeof name, "share of %d rods not at a stable rest", count);
    verify_below(log, name, "", 1 - (double)(sum.stable - sum.left) / count, 0.01, note);
    verify_below(log, "rods out of balance, or silent", "", sum.unbalanced + sum.silent, 0, "");
    verify_below(log, "median iterations of the finder", "", sum.iterations[count / 2], 50,
                 "what it costs, on any machine");
    free(sum.iterations);
}

const verify_study verify_random[] = {
    {"agreement", "two methods agree within their error bars on random scenes", agreement, 1},
    {"symmetry", "an answer does not depend on how a random scene is written down", symmetry, 1},
    {"rods", "random rods come to rest at a stable equilibrium", rods, 1},
    {0}};
