/* random_rods.h - random rods come to rest: hanging, slack, twisted and compressed ones, every pair of ends that
 * holds a rod, r/L from 1e-2 to 1e-6.
 *
 * What is found must be in balance (Newton's change is rounding), stable up to neutral directions, and the place
 * to which a damped run comes back when the rod is disturbed.  For the property tests (few) and
 * `withy verify --long` (many).
 */
#pragma once

#include <limits.h>
#include <stdlib.h>

#include "base/vec.h"
#include "random_scene.h"
#include "study/equilibrium/equations.h"

/* ---- one random rod -------------------------------------------------------------------------------- */

typedef struct rods_subject {
    withy_rod rod;
    withy_problem problem;
    char text[200];
} rods_subject;

static inline vec3 rods_direction(random_source *x) {
    const withy_vec3 v = random_direction(x);
    return v3(v.x, v.y, v.z);
}

/* EI = 1, L = 1; loads in units of EI/L^2, so that every r/L is asked the same. */
static inline void rods_stiffness(rods_subject *x, double thin) {
    const double value[WITHY_STRAINS] = {
        1.5 / (thin * thin), 1.5 / (thin * thin), 4 / (thin * thin), 1, 1, 0.77};
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(value[i]);
    x->rod.inertia[0] = withy_field_number(1);
    for (int i = 1; i < WITHY_INERTIAS; i++)
        x->rod.inertia[i] = withy_field_number(0.25 * thin * thin * (i == 3 ? 2 : 1));
}

static inline void rods_make(rods_subject *x, int index) {
    static const withy_end_kind pair[8][2] = {
        {WITHY_END_CLAMPED, WITHY_END_FREE},    {WITHY_END_PINNED, WITHY_END_FREE},
        {WITHY_END_FREE, WITHY_END_CLAMPED},    {WITHY_END_FREE, WITHY_END_PINNED},
        {WITHY_END_CLAMPED, WITHY_END_CLAMPED}, {WITHY_END_CLAMPED, WITHY_END_PINNED},
        {WITHY_END_PINNED, WITHY_END_CLAMPED},  {WITHY_END_PINNED, WITHY_END_PINNED}};
    static const char *const kind[4] = {"hanging", "slack", "twisted", "compressed"};
    random_source source = {977u + 7919u * (uint64_t)index}, *seed = &source;
    const int what = index % 4, ends = (index / 4) % 8;
    const double thin = pow(10, random_in(seed, -6, -2)), weight = pow(10, random_in(seed, -1, 3));
    const withy_end_kind *end = pair[ends];
    const int pinned = end[0] == WITHY_END_PINNED || end[1] == WITHY_END_PINNED;
    const int free = end[0] == WITHY_END_FREE || end[1] == WITHY_END_FREE;
    memset(x, 0, sizeof *x);
    x->rod = withy_rod_default();
    x->problem = withy_problem_default();
    x->problem.rod = &x->rod, x->problem.title = "";
    x->rod.length = 1;
    rods_stiffness(x, thin);
    x->rod.end[0].kind = end[0], x->rod.end[1].kind = end[1];
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = rods_direction(seed)};
    double bend = what == 1 || what == 2 ? random_in(seed, 0.3, 3) : 0, push = 0;
    double twist = what == 2 ? random_in(seed, -12, 12) : 0;
    if (bend > 0) {
        x->rod.initial.kind = WITHY_SHAPE_STRAIN;
        x->rod.initial.strain = (withy_field){.size = 3, .value = {bend, 0.3 * bend, twist}};
    }
    /* a rod on one pin needs a weight to have one equilibrium */
    const int weighs = what < 2 || (pinned && free);
    if (weighs) x->problem.gravity = v3_scale(weight, rods_direction(seed));
    if (what == 3) {
        push = random_in(seed, 1, 30);
        const vec3 along = v3_unit(x->rod.initial.along);
        const int at = end[0] == WITHY_END_FREE ? 0 : 1;
        if (free)
            x->rod.end[at].force =
                withy_field_vector((at ? -push : push) * along.x, (at ? -push : push) * along.y,
                                   (at ? -push : push) * along.z);
        else {
            const double chord = 1 - random_in(seed, 0.01, 0.3);
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

typedef struct rods_tally {
    int rods, stable, neutral, reported, unstable, unbalanced, left, silent;
    int *iterations; /* [rods] of the finder; INT_MAX: not found */
} rods_tally;

/* Newton's change at the shape, without what is neutral: as many of the softest motions as the verdict calls so, since
 * their stiffness is rounding and a change along them is rounding over rounding. */
static inline double rods_imbalance(withy_sim *sim, int neutral) {
    wy_static *x;
    withy_error err;
    if (wy_static_begin(sim, &x, &err) != WITHY_OK) return INFINITY;
    if (wy_static_load(x, sim->core->t, 1, &err) != WITHY_OK) return INFINITY;
    if (x->equations->begin) x->equations->begin(x->self);
    if (wy_static_change(x, x->shift, 1, &err) != WITHY_OK) return INFINITY;
    wy_static_find_zero_modes(x, 1);
    if (neutral > x->soft) x->soft = neutral < x->candidates ? neutral : x->candidates;
    wy_static_project(x, x->change);
    return wy_static_size(x, x->change);
}

/* Disturbed by a motion that the lowest ones dominate, does it come back in damped pseudo time? */
static inline double rods_comes_back(withy_sim *sim, double energy, random_source *seed) {
    wy_static *x;
    withy_error err;
    withy_equilibrium at;
    int negative, found = 0;
    if (wy_static_begin(sim, &x, &err) != WITHY_OK) return INFINITY;
    if (wy_static_load(x, sim->core->t, 1, &err) != WITHY_OK) return INFINITY;
    if (x->equations->begin) x->equations->begin(x->self);
    if (x->equations->factor(x->self, -x->unit, &negative, &err) != WITHY_OK) return INFINITY;
    for (int i = 0; i < x->rows; i++) x->side[i] = random_in(seed, -1, 1);
    x->equations->mass(x->self, x->side, x->change);
    x->equations->solve(x->self, x->change);
    x->equations->move(x->self, x->change, 0.01 / wy_static_size(x, x->change));
    if (wy_static_relax(x, sim->core->t, 0, &found, &err) != WITHY_OK || !found) return INFINITY;
    if (wy_static_accept(x, sim->core->t, &at, &err) != WITHY_OK) return INFINITY;
    return fabs(at.energy - energy);
}

/* The rod of this number. */
static inline void rods_one(int index, const random_teller *to, rods_tally *sum) {
    withy_option option[2] = {{.name = "n", .number = 16}, {.name = "degree", .number = 3}};
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_equilibrium at = {0};
    rods_subject s;
    rods_make(&s, index);
    withy_status status = withy_sim_create(&s.problem, "director", option, 2, &sim, &err);
    if (status == WITHY_OK) status = withy_sim_rest(sim, 1.0, &at, &err);
    sum->iterations[sum->rods++] = status == WITHY_OK ? at.iterations : INT_MAX;
    if (status != WITHY_OK) {
        to->say("%s: %s\n", s.text, err.text);
        sum->reported += err.text[0] != 0, sum->silent += !err.text[0];
    } else {
        const double miss = rods_imbalance(sim, at.neutral);
        random_source seed = {17u + (uint64_t)index};
        sum->stable += at.negative == 0, sum->neutral += at.neutral > 0;
        sum->unstable += at.negative != 0;
        if (!(miss <= 1e-7)) sum->unbalanced++, to->say("%s: misses %.2g\n", s.text, miss);
        const double away = at.negative ? 0 : rods_comes_back(sim, at.energy, &seed);
        if (!(away <= 1e-5 * (1 + fabs(at.energy))))
            sum->left++, to->say("%s: goes away, energy %.6g by %.2g\n", s.text, at.energy, away);
        if (at.negative) to->say("%s: unstable (%d)\n", s.text, at.negative);
    }
    if (to->loud)
        to->say("%s: %d iterations, %d %d, energy %.9g; %s\n", s.text, at.iterations, at.negative,
                at.neutral, at.energy, withy_sim_notes(sim)->text);
    withy_sim_destroy(sim);
}

static inline int rods_by_size(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static inline void rods_sum(rods_tally *sum, const random_teller *to) {
    const int rods = sum->rods;
    qsort(sum->iterations, (size_t)rods, sizeof *sum->iterations, rods_by_size);
    to->say(
        "%d rods: %d stable (%d with neutral directions), %d unstable, %d not found and "
        "reported so, %d silent; %d out of balance, %d go away; iterations: median %d, 90 %% %d\n",
        rods, sum->stable, sum->neutral, sum->unstable, sum->reported, sum->silent, sum->unbalanced,
        sum->left, sum->iterations[rods / 2], sum->iterations[rods * 9 / 10]);
}
