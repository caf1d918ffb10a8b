/* Equilibria, paths, stability and modes of networks against closed forms, shooting and the literature. */
#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "network_problems.h"

static withy_sim *start(const network_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(network_start(x, options, &sim, &err));
    return sim;
}

static withy_equilibrium rest(withy_sim *sim, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    CHECK_OK(withy_sim_equilibrium(sim, factor, &at, &err));
    return at;
}

static vec3 end_of(withy_sim *sim, int rod, int which) {
    const withy_snapshot *now = withy_sim_sample(sim, rod);
    CHECK(now != NULL);
    return now->position[which ? now->count - 1 : 0];
}

static void stiffness(withy_rod *rod, double shear, double stretch, double bend1, double bend2,
                      double twist) {
    const double k[WITHY_STRAINS] = {shear, shear, stretch, bend1, bend2, twist};
    for (int i = 0; i < WITHY_STRAINS; i++) rod->stiffness[i] = withy_field_number(k[i]);
}

/* ---- one rod or many ------------------------------------------------------------------------------ */

/* A cantilever under a dead force 10 EI/L^2 across it, of 1, 2 or 4 pieces. */
static vec3 bent(int pieces) {
    network_problem x;
    network_begin(&x);
    const double r = 2e-4, young = 4 / (WY_PI * r * r * r * r); /* EI = 1 */
    for (int i = 0; i < pieces; i++)
        network_rod(&x, v3(1. * i / pieces, 0, 0), v3((i + 1.) / pieces, 0, 0), r, young, 1);
    x.rod[0].end[0].kind = WITHY_END_CLAMPED;
    x.rod[pieces - 1].end[1].force = withy_field_vector(0, 0, -10);
    for (int i = 0; i + 1 < pieces; i++)
        network_join(&x, WITHY_JOINT_WELD, on_rod(i, x.rod[i].length), on_rod(i + 1, 0));
    char options[64];
    snprintf(options, sizeof options, "n=%d degree=4 dt=0.1", 8 / pieces);
    withy_sim *sim = start(&x, options);
    const withy_equilibrium at = rest(sim, 1);
    CHECK(at.negative == 0);
    const vec3 tip = end_of(sim, pieces - 1, 1);
    withy_sim_destroy(sim);
    return tip;
}

TEST(a_bent_cantilever_of_several_welded_pieces_is_that_of_one) {
    const vec3 one = bent(1);
    CHECK_NEAR(-one.z, 0.81060918, 2e-7);
    CHECK_NEAR(1 - one.x, 0.55499563, 2e-7);
    for (int pieces = 2; pieces <= 4; pieces *= 2)
        CHECK_BELOW(v3_norm(v3_sub(bent(pieces), one)), 1e-8);
}

/* A square frame with rigid corners, side 1, pulled apart by 4 EI/L^2 at two corners. */
static void diamond(double pull, double *along, double *across) {
    network_problem x;
    network_begin(&x);
    const double h = sqrt(0.5), r = 1e-3, ea = 4 / (r * r);
    const vec3 at[4] = {{0, -h, 0}, {h, 0, 0}, {0, h, 0}, {-h, 0, 0}};
    for (int i = 0; i < 4; i++)
        stiffness(network_rod(&x, at[i], at[(i + 1) % 4], r, 1, 1), ea / 3, ea, 1, 1, 0.77);
    for (int i = 0; i < 4; i++)
        network_join(&x, WITHY_JOINT_WELD, on_rod(i, x.rod[i].length), on_rod((i + 1) % 4, 0));
    /* held where it stays by symmetry: one corner, which moves along y only, is the origin */
    x.rod[0].end[0].kind = WITHY_END_CLAMPED;
    x.rod[1].end[1].force = withy_field_vector(0, pull, 0);
    withy_sim *sim = start(&x, "n=4 degree=4 dt=0.1");
    rest(sim, 1);
    *along = end_of(sim, 1, 1).y - end_of(sim, 0, 0).y;
    *across = end_of(sim, 0, 1).x - end_of(sim, 2, 1).x;
    withy_sim_destroy(sim);
}

TEST(a_square_frame_pulled_at_its_corners_has_the_diagonals_of_shooting) {
    double along, across;
    diamond(4, &along, &across);
    CHECK_NEAR(along, 1.549889633, 2e-8);
    CHECK_NEAR(across, 1.260806194, 2e-8);
    diamond(-4, &along, &across);
    CHECK_NEAR(along, 1.208335609, 2e-8);
    CHECK_NEAR(across, 1.589042714, 2e-8);
}

RUN(test(a_bent_cantilever_of_several_welded_pieces_is_that_of_one),
    test(a_square_frame_pulled_at_its_corners_has_the_diagonals_of_shooting))
