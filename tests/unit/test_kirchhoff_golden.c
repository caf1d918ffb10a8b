/* test_kirchhoff_golden.c - the golden cases of two independent codes, every level to 1e-9. */
#include "kirchhoff_golden.h"

static double position_error(const wy_kirchhoff *p, const double *x) {
    double most = 0;
    for (int j = 0; j <= p->n; j++)
        most = worst_of(most, v3_norm(v3_sub(p->now->x[j], v3_from(&x[3 * j]))));
    return most;
}

static double frame_error(const wy_kirchhoff *p, const double *r) {
    double most = 0;
    for (int j = 0; j <= p->n; j++) {
        const mat3 f = rig_frame(&r[9 * j]), g = p->now->frame[j];
        most = worst_of(most, v3_norm(v3_sub(f.c1, g.c1)));
        most = worst_of(most, v3_norm(v3_sub(f.c2, g.c2)));
        most = worst_of(most, v3_norm(v3_sub(f.c3, g.c3)));
    }
    return most;
}

static void run_case(const golden *c) {
    rig g;
    const rig_setup setup = setup_of(c);
    double x1 = 0, x2 = 0, energy = 0;
    rig_make(&g, &setup);
    for (int k = 1; k <= LEVELS; k++) {
        rig_step(&g);
        energy = worst_of(energy, fabs(g.p.state->halving.energy - c->h_all[k - 1]));
        if (k == 1) x1 = position_error(&g.p, c->x1);
        if (k == 2) x2 = position_error(&g.p, c->x2);
    }
    const double x21 = position_error(&g.p, c->x21), r21 = frame_error(&g.p, c->r21);
    print_message("%-30s x1 %.1e  x2 %.1e  x21 %.1e  R21 %.1e  H %.1e  drift %.1e\n", c->name, x1,
                  x2, x21, r21, energy, g.stats.energy_drift);
    CHECK_BELOW(x1, 1e-9);
    CHECK_BELOW(x2, 1e-9);
    CHECK_BELOW(x21, 1e-9);
    CHECK_BELOW(r21, 1e-9);
    CHECK_BELOW(energy, 1e-9);
    rig_free(&g);
}

TEST(golden_cases_match_positions_frames_and_energies_to_1e_9) {
    (void)unused_state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) run_case(&table[i]);
}

/* The first case with nu_1 = nu_2 = 0.05, damped as in the source, by the dense multiplier form of
 * (5.139), (5.140) (kirchhoff_dense.h): nodes at level 21, and (beta, alpha), a of the middle one. */
static const struct {
    int node;
    double x[3];
} damped[] = {
    {2, {0.6956059551854005, 0.7009832680311966, 0.2361049288859477}},
    {5, {-0.3623535012379611, 0.9066595910002915, 0.6461328228951417}},
    {8, {-0.9590687067501537, 0, 1.042834395019965}},
    {11, {-0.3623535012379581, -0.9066595910002923, 1.439535967144785}},
    {14, {0.6956059551854031, -0.700983268031196, 1.849563861153978}},
};
static const double damped_multipliers[2][3] = {
    {-0.03727782821292535, 0.03789089555676364, 0.02595674587644503},
    {-0.01370461693346049, -0.009532723011031207, -0.01339360513728772}};

TEST(the_damped_golden_case_matches_positions_and_multipliers) {
    (void)unused_state;
    rig g;
    rig_setup setup = setup_of(&table[0]);
    setup.damping = WY_KIRCHHOFF_DISSERTATION, setup.nu = setup.nu_twist = 0.05;
    rig_make(&g, &setup);
    for (int k = 1; k <= LEVELS; k++) rig_step(&g);
    for (size_t i = 0; i < sizeof damped / sizeof *damped; i++)
        CHECK_BELOW(v3_norm(v3_sub(g.p.now->x[damped[i].node], v3_from(damped[i].x))), 1e-9);
    for (int k = 0; k < 2; k++)
        CHECK_BELOW(v3_norm(v3_sub(g.p.multiplier[8][k], v3_from(damped_multipliers[k]))), 1e-9);
    rig_free(&g);
}

RUN(test(the_damped_golden_case_matches_positions_and_multipliers),
    test(golden_cases_match_positions_frames_and_energies_to_1e_9))
