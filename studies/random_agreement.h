/* random_agreement.h - two methods agree on a scene nobody has seen, within their error bars.
 *
 * Random scenes (random_scene.h) under every method that accepts them, refined until their errors are known.
 * A method that refuses, fails or does not converge must give a message.  For the property tests (few) and
 * `withy verify --long` (many).
 */
#pragma once

#include "base/note.h"
#include "random_scene.h"

typedef struct agreement_asked {
    random_recipe recipe;
    random_scene scene[RANDOM_METHODS + 1];
} agreement_asked;

static inline withy_status agreement_study(void *context, const char *method, withy_study *out,
                                           withy_error *err) {
    agreement_asked *x = context;
    const random_view plain = random_plain();
    int m = 0;
    (void)err;
    while (method && m < RANDOM_METHODS && strcmp(random_method[m].name, method) != 0) m++;
    random_scene *y = &x->scene[method ? m : RANDOM_METHODS];
    random_write(&x->recipe, &plain, y);
    *out = withy_study_default();
    out->problem = &y->problem, out->option = y->option, out->name = "random";
    out->option_count = method ? random_options(&x->recipe, &plain, method, 0, y) : 0;
    return WITHY_OK;
}

typedef struct agreement_tally {
    int scenes, pairs, agree, unknown, alone, two, reported, differ, silent;
} agreement_tally;

/* Of a rod that may turn about the vertical: places. */
static inline int agreement_undetermined(const random_recipe *r, int what) {
    return random_swings(r) && (what == WITHY_COMPARE_FINISH || what == WITHY_COMPARE_MIDDLE);
}

/* A slack rod may bend to several sides; a method may say that its equilibrium is unstable. */
static inline int agreement_two(const withy_comparison *c, const withy_compare_pair *p,
                                const random_recipe *r) {
    const withy_compare_method *a = &c->method[p->a], *b = &c->method[p->b];
    return random_slack(r) || a->run[a->levels - 1].negative > 0 ||
           b->run[b->levels - 1].negative > 0;
}

/* One of the two says that it solves another problem: elastica damps as its source does. */
static inline int agreement_reported(const withy_comparison *c, const withy_compare_pair *p) {
    const withy_compare_method *m[2] = {&c->method[p->a], &c->method[p->b]};
    for (int i = 0; i < 2; i++)
        if (wy_note_has(&m[i]->run[m[i]->levels - 1].notes, WY_NOTE_damping_turns)) return 1;
    return 0;
}

static inline void agreement_count(const withy_comparison *result, const random_recipe *r,
                                   const random_teller *to, agreement_tally *sum) {
    char text[500];
    for (int k = 0; k < result->pair_count; k++) {
        const withy_compare_pair *p = &result->pair[k];
        if (agreement_undetermined(r, p->what)) continue;
        sum->pairs++, sum->agree += p->agree && p->known, sum->unknown += !p->known;
        if (!p->known || p->agree) continue;
        if (agreement_reported(result, p)) {
            sum->reported++;
            continue;
        }
        const int two = agreement_two(result, p, r);
        sum->two += two, sum->differ += !two;
        if (two && !to->loud) continue;
        to->say("%s: %s and %s differ by %.3g, bars %.3g (L %.3g, EI/L^2 %.3g), %s at %g\n",
                random_describe(r, text, sizeof text), result->method[p->a].name,
                result->method[p->b].name, p->distance, p->allowed, r->length,
                r->bend / (r->length * r->length), withy_compare_name(p->what), p->t);
    }
    for (int m = 0; m < result->count; m++) {
        const withy_compare_method *x = &result->method[m];
        if (to->loud && !x->known)
            to->say("%s: %s not known: %s\n", random_describe(r, text, sizeof text), x->name,
                    x->skipped);
    }
    for (int m = 0; m < result->refused_count; m++) {
        sum->silent += !result->refused[m].skipped[0];
        if (to->loud)
            to->say("%s: %s: %s\n", random_describe(r, text, sizeof text), result->refused[m].name,
                    result->refused[m].skipped);
    }
    sum->alone += result->count < 2;
}

static inline void agreement_one(int seed, int statics, int refine, const random_teller *to,
                                 agreement_tally *sum) {
    static agreement_asked x;
    const withy_compare_setup setup = {.study = agreement_study,
                                       .refine = refine,
                                       .accuracy = 0.003,
                                       .statics = statics,
                                       .context = &x};
    withy_comparison *result = NULL;
    withy_error err = {0};
    char text[500];
    x.recipe = random_make((uint64_t)seed, statics);
    sum->scenes++;
    if (withy_compare(&setup, &result, &err) == WITHY_OK)
        agreement_count(result, &x.recipe, to, sum);
    else
        to->say("%s: %s\n", random_describe(&x.recipe, text, sizeof text), err.text), sum->alone++;
    sum->silent += !result && !err.text[0];
    withy_comparison_free(result);
}
