/* test_agreement.c - two methods agree on a scene nobody has seen, within their error bars.
 *
 * Random scenes (random_scene.h) under every method that accepts them, refined until their errors are known.
 * A method that refuses, fails or does not converge must give a sentence.  (slow under sanitizers)
 */
#include <stdlib.h>

#include "check.h"
#include "random_scene.h"

static int scenes = 30, first = 0, loud = 0;

typedef struct asked {
    random_recipe recipe;
    random_scene scene[RANDOM_METHODS + 1];
} asked;

static withy_status study(void *context, const char *method, withy_study *out, withy_error *err) {
    asked *x = context;
    const random_view plain = random_plain();
    int m = 0;
    (void)err;
    while (method && m < RANDOM_METHODS && strcmp(random_method[m].name, method) != 0) m++;
    random_scene *y = &x->scene[method ? m : RANDOM_METHODS];
    random_write(&x->recipe, &plain, y);
    *out = withy_study_default();
    out->problem = &y->problem, out->option = y->option, out->name = "random";
    out->option_count = method ? random_options(&x->recipe, &plain, method, y) : 0;
    return WITHY_OK;
}

typedef struct tally {
    int pairs, agree, unknown, alone, differ, silent;
} tally;

/* Of a rod that may turn about the vertical: places, and the force of a follower that turns with it. */
static int is_undetermined(const random_recipe *r, int what) {
    return random_swings(r) &&
           (what == WITHY_COMPARE_FINISH || what == WITHY_COMPARE_MIDDLE || r->follower);
}

static void count(const withy_comparison *result, const random_recipe *r, tally *sum) {
    char text[500];
    for (int k = 0; k < result->pair_count; k++) {
        const withy_compare_pair *p = &result->pair[k];
        if (is_undetermined(r, p->what)) continue;
        sum->pairs++, sum->agree += p->agree && p->known, sum->unknown += !p->known;
        if (!p->known || p->agree) continue;
        sum->differ++;
        print_message("%s: %s and %s differ by %.3g, bars %.3g (L %.3g, EI/L^2 %.3g), %s at %g\n",
                      random_describe(r, text, sizeof text), result->method[p->a].name,
                      result->method[p->b].name, p->distance, p->allowed, r->length,
                      r->bend / (r->length * r->length), withy_compare_name(p->what), p->t);
    }
    for (int m = 0; m < result->count; m++) {
        const withy_compare_method *x = &result->method[m];
        if (loud && !x->known)
            print_message("%s: %s not known: %s\n", random_describe(r, text, sizeof text), x->name,
                          x->skipped);
    }
    for (int m = 0; m < result->refused_count; m++) {
        sum->silent += !result->refused[m].skipped[0];
        if (loud)
            print_message("%s: %s: %s\n", random_describe(r, text, sizeof text),
                          result->refused[m].name, result->refused[m].skipped);
    }
    sum->alone += result->count < 2;
}

static void all(int statics) {
    static asked x;
    tally sum = {0};
    for (int k = first; k < first + scenes; k++) {
        const withy_compare_setup setup = {
            .study = study, .refine = 2, .accuracy = 0.01, .statics = statics, .context = &x};
        withy_comparison *result = NULL;
        withy_error err = {0};
        char text[500];
        x.recipe = random_make((uint64_t)k, statics);
        if (withy_compare(&setup, &result, &err) == WITHY_OK)
            count(result, &x.recipe, &sum);
        else
            print_message("%s: %s\n", random_describe(&x.recipe, text, sizeof text), err.text),
                sum.alone++;
        CHECK(result || err.text[0]);
        withy_comparison_free(result);
    }
    print_message(
        "%d pairs: %d agree, %d differ, %d with unknown bars; %d scenes with one method\n",
        sum.pairs, sum.agree, sum.differ, sum.unknown, sum.alone);
    CHECK(sum.differ == 0);
    CHECK(sum.silent == 0);
    CHECK(sum.agree > sum.unknown);
}

TEST(equilibria_by_two_methods_agree_within_their_error_bars) {
    all(1);
}
TEST(motions_by_two_methods_agree_within_their_error_bars) {
    all(0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(equilibria_by_two_methods_agree_within_their_error_bars),
        test(motions_by_two_methods_agree_within_their_error_bars)};
    if (argc > 1) scenes = atoi(argv[1]);
    if (argc > 2) first = atoi(argv[2]);
    loud = argc > 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
