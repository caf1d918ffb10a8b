/* test_finder.c - random rods come to rest: hanging, slack, twisted and compressed ones, every pair of ends that
 * holds a rod, r/L from 1e-2 to 1e-6.
 *
 *     test_finder [COUNT [FIRST]]      COUNT rods (60 in the suite, 500 in full), each told when COUNT = 1
 *
 * What is found must be in balance (Newton's change is rounding), stable up to neutral directions, and the place
 * to which a damped run comes back when the rod is disturbed.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "check.h"
#include "study/door.h"
#include "withy/withy.h"

static int rods = 60, first = 0;

/* ---- one random rod -------------------------------------------------------------------------------- */

typedef struct subject {
    withy_rod rod;
    withy_problem problem;
    char text[200];
} subject;

static double uniform(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static vec3 direction(uint64_t *seed) {
    vec3 v;
    do v = v3(uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1));
    while (v3_norm(v) > 1 || v3_norm(v) < 0.1);
    return v3_unit(v);
}

/* EI = 1, L = 1; loads in units of EI/L^2, so that every r/L is asked the same. */
static void stiffness(subject *x, double thin) {
    const double value[WITHY_STRAINS] = {
        1.5 / (thin * thin), 1.5 / (thin * thin), 4 / (thin * thin), 1, 1, 0.77};
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(value[i]);
    x->rod.inertia[0] = withy_field_number(1);
    for (int i = 1; i < WITHY_INERTIAS; i++)
        x->rod.inertia[i] = withy_field_number(0.25 * thin * thin * (i == 3 ? 2 : 1));
}

static void make(subject *x, int index) {
    static const withy_end_kind pair[8][2] = {
        {WITHY_END_CLAMPED, WITHY_END_FREE},    {WITHY_END_PINNED, WITHY_END_FREE},
        {WITHY_END_FREE, WITHY_END_CLAMPED},    {WITHY_END_FREE, WITHY_END_PINNED},
        {WITHY_END_CLAMPED, WITHY_END_CLAMPED}, {WITHY_END_CLAMPED, WITHY_END_PINNED},
        {WITHY_END_PINNED, WITHY_END_CLAMPED},  {WITHY_END_PINNED, WITHY_END_PINNED}};
    static const char *const kind[4] = {"hanging", "slack", "twisted", "compressed"};
    uint64_t seed = 977u + 7919u * (uint64_t)index;
    for (int i = 0; i < 4; i++) uniform(&seed, 0, 1);
    const int what = index % 4, ends = (index / 4) % 8;
    const double thin = pow(10, uniform(&seed, -6, -2)), weight = pow(10, uniform(&seed, -1, 3));
    const withy_end_kind *end = pair[ends];
    const int pinned = end[0] == WITHY_END_PINNED || end[1] == WITHY_END_PINNED;
    const int free = end[0] == WITHY_END_FREE || end[1] == WITHY_END_FREE;
    memset(x, 0, sizeof *x);
    x->rod = withy_rod_default();
    x->problem = withy_problem_default();
    x->problem.rod = &x->rod, x->problem.title = "";
    x->rod.length = 1;
    stiffness(x, thin);
    x->rod.end[0].kind = end[0], x->rod.end[1].kind = end[1];
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = direction(&seed)};
    double bend = what == 1 || what == 2 ? uniform(&seed, 0.3, 3) : 0, push = 0;
    double twist = what == 2 ? uniform(&seed, -12, 12) : 0;
    if (bend > 0) {
        x->rod.initial.kind = WITHY_SHAPE_STRAIN;
        x->rod.initial.strain = (withy_field){.size = 3, .value = {bend, 0.3 * bend, twist}};
    }
    /* a rod on one pin needs a weight to have one equilibrium */
    const int weighs = what < 2 || (pinned && free);
    if (weighs) x->problem.gravity = v3_scale(weight, direction(&seed));
    if (what == 3) {
        push = uniform(&seed, 1, 30);
        const vec3 along = v3_unit(x->rod.initial.along);
        const int at = end[0] == WITHY_END_FREE ? 0 : 1;
        if (free)
            x->rod.end[at].force =
                withy_field_vector((at ? -push : push) * along.x, (at ? -push : push) * along.y,
                                   (at ? -push : push) * along.z);
        else {
            const double chord = 1 - uniform(&seed, 0.01, 0.3);
            x->rod.end[1].position =
                withy_field_vector(chord * along.x, chord * along.y, chord * along.z);
            push = 1 - chord;
        }
    }
    snprintf(x->text, sizeof x->text,
             "%d: %s, ends %d%d, r/L %.2g, weight %.3g, bend %.3g, "
             "twist %.3g, push %.3g",
             index, kind[what], end[0], end[1], thin, weighs ? weight : 0, bend, twist, push);
}

/* ---- what is found ------------------------------------------------------------------------------ */

typedef struct tally {
    int stable, neutral, told, unstable, unbalanced, left, silent;
    double *time;
} tally;

/* Newton's change at the shape, without what is neutral. */
static double imbalance(withy_sim *sim) {
    wy_still *x;
    withy_error err;
    if (wy_still_begin(sim, &x, &err) != WITHY_OK) return INFINITY;
    if (wy_still_load(x, sim->core->t, 1, &err) != WITHY_OK) return INFINITY;
    if (x->door->begin) x->door->begin(x->self);
    if (wy_still_change(x, x->shift, 1, &err) != WITHY_OK) return INFINITY;
    wy_still_loosen(x, 1);
    wy_still_project(x, x->change);
    return wy_still_size(x, x->change);
}

/* Disturbed by a motion that the lowest ones dominate, does it come back in damped pseudo time? */
static double comes_back(withy_sim *sim, double energy, uint64_t seed) {
    wy_still *x;
    withy_error err;
    withy_equilibrium at;
    int negative, found = 0;
    if (wy_still_begin(sim, &x, &err) != WITHY_OK) return INFINITY;
    if (wy_still_load(x, sim->core->t, 1, &err) != WITHY_OK) return INFINITY;
    if (x->door->begin) x->door->begin(x->self);
    if (x->door->factor(x->self, -x->unit, &negative, &err) != WITHY_OK) return INFINITY;
    for (int i = 0; i < x->rows; i++) x->side[i] = uniform(&seed, -1, 1);
    x->door->mass(x->self, x->side, x->change);
    x->door->solve(x->self, x->change);
    x->door->move(x->self, x->change, 0.01 / wy_still_size(x, x->change));
    if (wy_still_relax(x, sim->core->t, 0, &found, &err) != WITHY_OK || !found) return INFINITY;
    if (wy_still_arrive(x, sim->core->t, &at, &err) != WITHY_OK) return INFINITY;
    return fabs(at.energy - energy);
}

static void look(const subject *s, int index, tally *sum) {
    withy_option option[2] = {{.name = "n", .number = 16}, {.name = "degree", .number = 3}};
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_equilibrium at = {0};
    if (withy_sim_create(&s->problem, "director", option, 2, &sim, &err) != WITHY_OK) {
        print_message("%s: %s\n", s->text, err.text);
        sum->silent++;
        return;
    }
    const clock_t start = clock();
    const withy_status status = withy_sim_rest(sim, 1.0, &at, &err);
    sum->time[index - first] = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status != WITHY_OK) {
        print_message("%s: %s\n", s->text, err.text);
        sum->told += err.text[0] != 0, sum->silent += !err.text[0];
    } else {
        const double miss = imbalance(sim);
        sum->stable += at.negative == 0, sum->neutral += at.neutral > 0;
        sum->unstable += at.negative != 0;
        if (!(miss <= 1e-7)) sum->unbalanced++, print_message("%s: misses %.2g\n", s->text, miss);
        const double away = at.negative ? 0 : comes_back(sim, at.energy, 17u + (uint64_t)index);
        if (!(away <= 1e-5 * (1 + fabs(at.energy))))
            sum->left++,
                print_message("%s: goes away, energy %.6g by %.2g\n", s->text, at.energy, away);
        if (at.negative) print_message("%s: unstable (%d)\n", s->text, at.negative);
    }
    if (rods == 1)
        print_message("%s: %d iterations, %d %d, %.3g ms, energy %.9g; %s\n", s->text,
                      at.iterations, at.negative, at.neutral, sum->time[0], at.energy,
                      withy_sim_notes(sim));
    withy_sim_destroy(sim);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(random_rods_end_at_a_stable_equilibrium_to_which_they_come_back) {
    (void)unused_state;
    tally sum = {.time = calloc((size_t)rods, sizeof(double))};
    CHECK(sum.time);
    for (int i = first; i < first + rods; i++) {
        subject s;
        make(&s, i);
        look(&s, i, &sum);
    }
    qsort(sum.time, (size_t)rods, sizeof *sum.time, by_size);
    print_message(
        "%d rods: %d stable (%d with neutral directions), %d unstable, %d not found and "
        "told so, %d silent; %d out of balance, %d go away; median %.2f ms, 90 %% %.2f ms, "
        "longest %.1f ms\n",
        rods, sum.stable, sum.neutral, sum.unstable, sum.told, sum.silent, sum.unbalanced, sum.left,
        sum.time[rods / 2], sum.time[rods * 9 / 10], sum.time[rods - 1]);
    free(sum.time);
    CHECK(sum.silent == 0 && sum.unbalanced == 0);
    CHECK(sum.stable - sum.left >= 99 * rods / 100); /* of 60: all but one */
}

int main(int argc, char **argv) {
    if (argc > 1) rods = atoi(argv[1]) > 0 ? atoi(argv[1]) : rods;
    if (argc > 2) first = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        test(random_rods_end_at_a_stable_equilibrium_to_which_they_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
