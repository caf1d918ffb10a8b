/* test_kirchhoff_dense.c - the reduced scheme against the multiplier form of kirchhoff_dense.h.
 * (slow under sanitizers) */
#include "kirchhoff_dense.h"
#include "kirchhoff_golden.h"

static double level_difference(const rig *g, const dense *d) {
    double most = 0;
    for (int j = 0; j <= d->n; j++) {
        const vec3 x = v3_from(&d->level[1][3 * j]);
        most = worst_of(most, v3_norm(v3_sub(x, g->p.now->x[j])));
        const mat3 f = g->p.now->frame[j];
        most = worst_of(most, v3_norm(v3_sub(v3_from(dense_s(d, d->level[1], j, 0)), f.c1)));
        most = worst_of(most, v3_norm(v3_sub(v3_from(dense_s(d, d->level[1], j, 1)), f.c2)));
    }
    return most;
}

/* alpha, beta, a of the last balance, which have the other sign here, but for clamped nodes, which have none of their own. */
static double multiplier_difference(const rig *g, const dense *d) {
    double most = 0;
    for (int j = 0; j <= d->n; j++) {
        if ((j == 0 || j == d->n) && d->s->ends[j > 0] == WITHY_END_CLAMPED) continue;
        const double *m = &d->mult[6 * j];
        const vec3 *own = g->p.multiplier[j];
        most = worst_of(most, v3_norm(v3_add(own[0], v3(m[1], m[2], m[0]))));
        most = worst_of(most, v3_norm(v3_add(own[1], v3(m[3], m[4], m[5]))));
    }
    return most;
}

static double run_both(const rig_setup *setup, int steps, double *moved) {
    rig g;
    dense d;
    double most = 0, multipliers = 0;
    rig_make(&g, setup);
    dense_make(&d, setup);
    for (int k = 0; k < steps; k++) {
        rig_step(&g);
        CHECK(dense_step(&d) > 0);
        most = worst_of(most, level_difference(&g, &d));
        multipliers = worst_of(multipliers, multiplier_difference(&g, &d));
    }
    print_message("multipliers differ by %.1e\n", multipliers);
    CHECK_BELOW(multipliers, 1e-10);
    *moved = 0;
    for (int j = 0; j <= d.n; j++)
        *moved = worst_of(*moved, v3_norm(v3_sub(g.p.now->x[j], v3_from(&setup->x[3 * j]))));
    rig_free(&g);
    dense_free(&d);
    return most;
}

TEST(reduced_and_multiplier_form_agree_to_1e_11_over_100_steps) {
    (void)unused_state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double moved;
        const rig_setup setup = setup_of(&table[i]);
        const double most = run_both(&setup, 100, &moved);
        print_message("%-30s difference %.1e, moved %.3f\n", table[i].name, most, moved);
        CHECK_BELOW(most, 1e-11);
    }
}

TEST(reduced_and_multiplier_form_agree_with_the_damping_of_the_source) {
    (void)unused_state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double moved;
        rig_setup setup = setup_of(&table[i]);
        setup.nu = 0.05, setup.nu_twist = 0.05;
        const double most = run_both(&setup, 20, &moved);
        print_message("%-30s difference %.1e, moved %.3f\n", table[i].name, most, moved);
        CHECK_BELOW(most, 1e-11);
    }
}

RUN(test(reduced_and_multiplier_form_agree_to_1e_11_over_100_steps),
    test(reduced_and_multiplier_form_agree_with_the_damping_of_the_source))
