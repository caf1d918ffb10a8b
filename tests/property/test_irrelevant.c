/* test_irrelevant.c - a part that touches nothing changes no motion, equilibrium or frequency of director.
 *
 *     test_irrelevant [COUNT [FIRST] | cases] [loud | louder] [NAME]
 *
 * (slow under sanitizers)
 */
#include "base/base.h"
#include "irrelevant.h"

enum { STEPS = 12, MODES = 3, SCENES = 25 };

/* Coordinates of a rod that is tied to nothing are from its own start, and it has its own unknowns: another part changes the order of
 * some sums, and a cut the unknowns of Newton's method, which continues until the next change would be at rounding. */
#define ROUNDING 1e-12

/* ---- questions ------------------------------------------------------------------------------------------------ */

static withy_status start(const scene *x, const withy_option *option, int count, withy_sim **sim) {
    return withy_sim_create(&x->problem, "director", option, count, sim, &err);
}

/* A rod that is clamped cannot move as a whole: what has no stiffness then changes its shape, as the helix that turns and slides
 * along a twisted rod (helical_buckling).  Only its energy is compared. */
static int is_clamped(const withy_problem *plain) {
    return plain->rod_count == 1 && !plain->joint_count &&
           (plain->rod[0].end[0].kind == WITHY_END_CLAMPED ||
            plain->rod[0].end[1].kind == WITHY_END_CLAMPED);
}

/* [EI/L]; of a cable [EA L] */
static double energy_of(const withy_problem *plain, const withy_equilibrium *point) {
    double c[WITHY_STRAINS];
    CHECK_OK(withy_rod_stiffness(plain->rod, 0, c, &err));
    if (plain->rod[0].kind == WITHY_CABLE)
        return point->energy / (c[WITHY_STRETCH] * plain->rod[0].length);
    return point->energy * plain->rod[0].length / fmin(c[WITHY_BEND1], c[WITHY_BEND2]);
}

/* free: motions without stiffness. */
static withy_status finish(withy_status status, const scene *x, const withy_problem *plain,
                           int free, withy_sim *sim, answer *out) {
    if (sim) put_notes(sim, out);
    if (status == WITHY_OK && !(free && is_clamped(plain)))
        (free ? put_distances : put_places)(x, sim, plain, out);
    withy_sim_destroy(sim);
    return status;
}

static withy_status move(scene *x, const withy_problem *plain, const variant *v,
                         const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    if (status == WITHY_OK) status = withy_sim_advance(sim, STEPS * withy_sim_step(sim), &err);
    return finish(status, x, plain, 0, sim, out);
}

/* What joints hold is together where an equilibrium was found, also where they depend on each other. */
static void check_joints(const withy_sim *sim) {
    static const double TOGETHER = 1e-9; /* m, of scenes of about 1 m, or rad */
    const double gap = withy_sim_stats(sim).constraint_max;
    if (!(gap <= TOGETHER)) fail_msg("joints are %.2g m or rad apart at rest", gap);
}

static withy_status come_to_rest(const scene *x, const withy_problem *plain, withy_sim *sim,
                                 int *free, answer *out) {
    withy_equilibrium point;
    const withy_path *path = &x->problem.path;
    const double factor =
        path->given ? path->from + (path->to - path->from) / fmax(path->steps, 1) : 1;
    const withy_status status = withy_sim_equilibrium(sim, factor, &point, &err);
    if (status == WITHY_OK) put_whole(out, point.negative), put_whole(out, point.neutral);
    if (status == WITHY_OK) check_joints(sim);
    *free = status == WITHY_OK && point.neutral > 0;
    if (*free && is_clamped(plain)) put(out, energy_of(plain, &point));
    return status;
}

static withy_status rest(scene *x, const withy_problem *plain, const variant *v,
                         const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    int free = 0;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    if (status == WITHY_OK) status = come_to_rest(x, plain, sim, &free, out);
    return finish(status, x, plain, free, sim, out);
}

/* How far a shape moves the stations of the rods that the plain problem has, whatever its sign, over the most.  A frequency is known
 * to the square of the error of its shape. */
#define OF_SHAPE 1e-3
static void put_shape(const scene *x, const withy_problem *plain, const withy_mode *mode,
                      answer *out) {
    double most = 1e-300;
    int again = x->half; /* of two halves the place of the cut is that of both */
    for (int k = 0; k < mode->count; k++) most = fmax(most, v3_norm(mode->shift[k]));
    for (int i = 0; i < plain->rod_count; i++)
        for (int k = 0; k < mode->count; k++) {
            const int second = x->half && mode->rod[k] == x->half, skipped = second && again;
            if (skipped) again = 0;
            if ((mode->rod[k] == x->rod_at[i] || second) && !skipped)
                put(out, OF_SHAPE * v3_norm(mode->shift[k]) / most);
        }
}

/* Two of one frequency have any shapes in their plane. */
static int is_single(const withy_mode *mode, int total, int i, double most) {
    for (int k = 0; k < total; k++) {
        const double gap = hypot(2 * WY_PI * (mode[k].frequency - mode[i].frequency),
                                 mode[k].growth - mode[i].growth);
        if (k != i && !(gap > 1e-3 * most)) return 0;
    }
    return mode[i].frequency > 0 &&
           hypot(2 * WY_PI * mode[i].frequency, mode[i].growth) > 1e-3 * most;
}

/* Squares of lambda, which are what is computed, over the largest; shapes of all but the last. */
static void put_modes(const scene *x, const withy_problem *plain, const withy_mode *mode,
                      answer *out) {
    const int total = mode->total < MODES ? mode->total : MODES;
    double most = 1e-300;
    for (int i = 0; i < total; i++)
        most = fmax(most, hypot(2 * WY_PI * mode[i].frequency, mode[i].growth));
    for (int i = 0; i < total; i++) {
        const double im = 2 * WY_PI * mode[i].frequency / most, re = mode[i].growth / most;
        put(out, re * re - im * im), put(out, 2 * re * im);
        if (i + 1 < total && is_single(mode, total, i, most)) put_shape(x, plain, &mode[i], out);
    }
}

static withy_status sound(scene *x, const withy_problem *plain, const variant *v,
                          const withy_option *option, int count, answer *out) {
    withy_sim *sim = NULL;
    withy_mode *mode = NULL;
    int free = 0;
    (void)v;
    withy_status status = start(x, option, count, &sim);
    out->kink +=
        ROUNDING; /* no less than equilibria may differ: EA times it moves the modes of a thin rod */
    if (status == WITHY_OK) status = come_to_rest(x, plain, sim, &free, out);
    if (status == WITHY_OK) status = withy_sim_modes(sim, WITHY_UP_TO + MODES, &mode, &err);
    /* where modes grow as zigzags of the mesh, how many are found is a matter of the room of their block: no motion of the rod */
    if (status == WITHY_OK && strstr(withy_sim_notes(sim)->text, "zigzags from node to node")) {
        withy_modes_free(mode, mode->total);
        withy_sim_destroy(sim);
        return status;
    }
    /* a mechanism rests anywhere along its free motions, and what it does there depends on the place (network 1383) */
    for (int i = 0; status == WITHY_OK && i < mode->total; i++) put_whole(out, mode[i].kind);
    if (status == WITHY_OK && !(free && plain->joint_count)) put_modes(x, plain, mode, out);
    if (mode) withy_modes_free(mode, mode->total);
    return finish(status, x, plain, free, sim, out);
}

/* ---- what is asserted ----------------------------------------------------------------------------------------- */

/* The largest difference, over the size of the scene or the largest frequency: 0 to the last bit, and with as many
 * iterations and halvings. */
static const double of_rounding[VARIANTS] = {[BODY] = ROUNDING,
                                             [ROD] = ROUNDING,
                                             [ROD_FIRST] = ROUNDING,
                                             [ORDER] = ROUNDING,
                                             [CUT] = ROUNDING};
/* CONVERGED: iterations for modes end where they change by 1e-10, or by 1e-8 and no less (STUCK in subspace.c).
 * DAMPED: those with damping where 1e-7 of the equation is left (STUCK in quadratic.c), in other unknowns another part of it: those
 * of a cut rod, and those of a network, which a rod next to a body is (random 1448, damped almost critically: 2.5e-8). */
#define CONVERGED 1e-8
#define DAMPED 1e-7
static const double of_modes[VARIANTS] = {[BODY] = DAMPED,
                                          [ROD] = CONVERGED,
                                          [ROD_FIRST] = CONVERGED,
                                          [ORDER] = CONVERGED,
                                          [CUT] = DAMPED};

/* A kink of the weld turns what is beyond it, and an arch rises by more than it is pressed together: by its span over its rise, 8 over
 * the turn of the arc, which is up to 1.2 where the kink is more than rounding. */
static double of_shapes(const withy_problem *plain) {
    (void)plain;
    return 10;
}

/* It stretches the rod: EA times it is a force, in units of EI/L^2. */
static double of_stresses(const withy_problem *plain) {
    double c[WITHY_STRAINS];
    CHECK_OK(withy_rod_stiffness(plain->rod, 0, c, &err));
    return c[WITHY_STRETCH] * pow(plain->rod->length, 2) / fmin(c[WITHY_BEND1], c[WITHY_BEND2]);
}

static const question motion = {"motion", move, of_rounding, of_shapes};
static const question equilibrium = {"equilibrium", rest, of_rounding, of_shapes};
/* STALLED: of a mechanism on soft springs rounding ends Newton's method, whose changes may then be 1e-7 (STALLED in newton.c); its
 * forces take part in the stiffness, of which subspace.c counts 1e-8 of each term (ROUND_TERMS), of a body on joints several. */
#define STALLED 1e-7
static const double of_mechanisms[VARIANTS] = {
    [BODY] = STALLED, [ROD] = STALLED, [ROD_FIRST] = STALLED, [ORDER] = STALLED};
static const question balance = {"equilibrium", rest, of_mechanisms, of_shapes};
static const question swings = {"frequencies", sound, of_mechanisms, of_stresses};
static const question frequencies = {"frequencies", sound, of_modes, of_stresses};

/* ---- all scenes ----------------------------------------------------------------------------------------------- */

static int is_still(const withy_problem *plain) {
    return plain->path.given || !(plain->request.stop > 0);
}

static int moves(const char *name, const withy_problem *plain) {
    (void)name;
    return !is_still(plain);
}

/* Not those that take seconds (lifted_rod is asked for a point of its path without the ones before). */
static int rests(const char *name, const withy_problem *plain) {
    static const char *const left_out[] = {"gridshell", "lifted_rod"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(name, left_out[i]) == 0) return 0;
    return is_still(plain);
}

TEST(a_case_moves_as_without_what_it_never_touches) {
    all_cases(&motion, moves, 50);
}
TEST(a_random_rod_moves_as_without_what_it_never_touches) {
    all_random(&motion, SCENES, 0, NULL);
}
TEST(a_case_comes_to_rest_as_without_what_it_never_touches) {
    all_cases(&equilibrium, rests, 20);
}
TEST(a_random_rod_comes_to_rest_as_without_what_it_never_touches) {
    all_random(&equilibrium, SCENES, 1, NULL);
}
TEST(a_case_sounds_as_without_what_it_never_touches) {
    all_cases(&frequencies, rests, 20);
}
TEST(a_random_rod_sounds_as_without_what_it_never_touches) {
    all_random(&frequencies, SCENES, 1, NULL);
}
TEST(a_random_network_moves_as_without_what_it_never_touches) {
    all_networks(&motion, SCENES, NULL);
}
TEST(a_random_network_comes_to_rest_as_without_what_it_never_touches) {
    all_networks(&equilibrium, SCENES, stiffen);
}
TEST(a_random_network_sounds_as_without_what_it_never_touches) {
    all_networks(&frequencies, SCENES, stiffen);
}
/* Fewer than the others, as each takes longer; of 2000 all hold. */
enum { MECHANISMS = 6 };
TEST(a_random_mechanism_comes_to_rest_as_without_what_it_never_touches) {
    all_networks(&balance, MECHANISMS, hold);
}
TEST(a_random_mechanism_sounds_as_without_what_it_never_touches) {
    all_networks(&swings, MECHANISMS, hold);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_case_moves_as_without_what_it_never_touches),
        test(a_random_rod_moves_as_without_what_it_never_touches),
        test(a_case_comes_to_rest_as_without_what_it_never_touches),
        test(a_random_rod_comes_to_rest_as_without_what_it_never_touches),
        test(a_case_sounds_as_without_what_it_never_touches),
        test(a_random_rod_sounds_as_without_what_it_never_touches),
        test(a_random_network_moves_as_without_what_it_never_touches),
        test(a_random_network_comes_to_rest_as_without_what_it_never_touches),
        test(a_random_network_sounds_as_without_what_it_never_touches),
        test(a_random_mechanism_comes_to_rest_as_without_what_it_never_touches),
        test(a_random_mechanism_sounds_as_without_what_it_never_touches)};
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
