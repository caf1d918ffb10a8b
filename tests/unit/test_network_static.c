/* Equilibria, paths, stability and modes of networks against closed forms, shooting and the literature. */
#include "check.h"
#include "network_golden.h"
#include "random_number.h"
#include "study/equilibrium/equations.h"

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

/* ---- the tangent ------------------------------------------------------------------------------------- */

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Put back to a saved state, at the start of a Newton iteration. */
static void put_back(withy_sim *sim, const char *saved) {
    withy_error err = {0};
    memcpy(sim->state.base, saved, sim->state.used);
    CHECK_OK(sim->method->equations->load(sim->self, 1, 1, 1, &err));
    sim->method->equations->begin(sim->self);
}

/* side += weight times the residual after a move by `way` along v. */
static void add_residual(withy_sim *sim, const char *saved, const double *v, double way,
                         double weight, double *room, double *side) {
    withy_error err = {0};
    const wy_equations *equations = sim->method->equations;
    const int rows = equations->layout(sim->self).rows;
    put_back(sim, saved);
    CHECK_OK(equations->residual(sim->self, room, &err));
    equations->move(sim->self, v, way);
    equations->begin(sim->self);
    CHECK_OK(equations->residual(sim->self, room, &err));
    for (int i = 0; i < rows; i++) side[i] += weight * room[i];
}

/* Differences of order 6, whose steps may be long, along a random direction v: K^-1 (-dr/dv) is v.  The rounding of
 * r comes back divided by the step and multiplied by the condition of K. */
TEST(the_tangent_of_a_strained_network_is_the_derivative_of_its_residual) {
    static const double weight[3] = {45 / 60., -9 / 60., 1 / 60.}, e = 1e-3;
    for (int p = 1; p <= 3; p++) {
        static network_problem x;
        char options[64];
        withy_error err = {0};
        uint32_t seed = 17;
        golden_strained(&x);
        snprintf(options, sizeof options, "n=2 degree=%d dt=0.1", p);
        withy_sim *sim = start(&x, options);
        const wy_equations *equations = sim->method->equations;
        const int rows = equations->layout(sim->self).rows;
        const int nodes = 6 * equations->layout(sim->self).shift.nodes;
        double *v = malloc(3 * (size_t)rows * sizeof *v), *side = v + rows, *room = side + rows;
        char *saved = malloc(sim->state.used);
        memcpy(saved, sim->state.base, sim->state.used);
        CHECK_OK(equations->open(sim->self, &err));
        put_back(sim, saved);
        CHECK_OK(equations->residual(sim->self, room, &err));
        const int clamp = 6 * 8; /* after the eight rigid groups: it stays where it is held */
        for (int i = 0; i < rows; i++) v[i] = i >= clamp && i < clamp + 6 ? 0 : noise(&seed);
        equations->move(sim->self, v, 0.03); /* strained, multipliers included */
        memcpy(saved, sim->state.base, sim->state.used);
        for (int i = 0; i < rows; i++) v[i] = noise(&seed), side[i] = 0;
        for (int k = 0; k < 6; k++)
            add_residual(sim, saved, v, e * (k / 2 + 1) * (k % 2 ? -1 : 1),
                         -weight[k / 2] * (k % 2 ? -1 : 1) / e, room, side);
        int negative;
        put_back(sim, saved);
        CHECK_OK(equations->factor(sim->self, 0, &negative, &err));
        equations->solve(sim->self, side);
        double worst = 0, pull = 0;
        for (int i = 0; i < rows; i++)
            if (i < nodes)
                worst = worst_of(worst, fabs(side[i] - v[i]));
            else
                pull = worst_of(pull, fabs(side[i] - v[i]));
        CHECK_BELOW(worst, 1e-8);
        CHECK_BELOW(pull, 1e-8 * 3e6 * WY_PI * 4e-4); /* of EA */
        free(v), free(saved);
        withy_sim_destroy(sim);
    }
}

/* ---- one rod or many ------------------------------------------------------------------------------ */

static vec3 bent(int pieces, int n) {
    network_problem x;
    char options[64];
    golden_bent(&x, pieces);
    snprintf(options, sizeof options, "n=%d degree=4 dt=0.1", n / pieces);
    withy_sim *sim = start(&x, options);
    const withy_equilibrium at = rest(sim, 1);
    CHECK(at.negative == 0);
    const vec3 tip = end_of(sim, pieces - 1, 1);
    withy_sim_destroy(sim);
    return tip;
}

/* By shooting, with shear and stretch: w 0.810609165041, u 0.554995621047. */
TEST(a_bent_cantilever_of_several_welded_pieces_is_that_of_one) {
    const vec3 coarse = bent(2, 8), one = bent(1, 16);
    CHECK_NEAR(-coarse.z, 0.81060918, 5e-9); /* 4 + 4 elements: 1e-8 off */
    CHECK_NEAR(1 - coarse.x, 0.55499563, 5e-9);
    CHECK_NEAR(-one.z, 0.810609165041, 1e-10);
    CHECK_NEAR(1 - one.x, 0.554995621047, 1e-10);
    for (int pieces = 2; pieces <= 8; pieces *= 2)
        CHECK_BELOW(v3_norm(v3_sub(bent(pieces, 16), one)), 1e-10);
}

static void diamond(double pull, double *along, double *across) {
    network_problem x;
    golden_diamond(&x, pull);
    withy_sim *sim = start(&x, "n=6 degree=4 dt=0.1");
    rest(sim, 1);
    *along = end_of(sim, 1, 1).y - end_of(sim, 0, 0).y;
    *across = end_of(sim, 0, 1).x - end_of(sim, 2, 1).x;
    withy_sim_destroy(sim);
}

TEST(a_square_frame_pulled_at_its_corners_has_the_diagonals_of_shooting) {
    double along, across;
    diamond(4, &along, &across);
    CHECK_NEAR(along, 1.549889633, 5e-10);
    CHECK_NEAR(across, 1.260806194, 5e-10);
    diamond(-4, &along, &across);
    CHECK_NEAR(along, 1.208335609, 5e-10);
    CHECK_NEAR(across, 1.589042714, 5e-10);
}

/* ---- stability -------------------------------------------------------------------------------------- */

/* omega^2 of the lowest mode; negative where it grows. */
static double lowest_square(withy_sim *sim) {
    withy_error err = {0};
    withy_mode *mode = NULL;
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    const double omega = 2 * WY_PI * mode[0].frequency, grow = mode[0].growth;
    withy_modes_free(mode, 1);
    return omega > 0 ? omega * omega : -grow * grow;
}

TEST(the_right_angle_frame_buckles_sideways_at_the_loads_of_shooting) {
    const double critical[2] = {1.0875179379, 0.6804274097};
    for (int k = 0; k < 2; k++) {
        network_problem x;
        golden_right_angle(&x, k ? -1 : 1);
        withy_sim *sim = start(&x, "n=6 degree=4 dt=0.1");
        CHECK(rest(sim, 0.5).negative == 0);
        double square[2];
        for (int i = 0; i < 2; i++) { /* the lowest frequency squared passes zero */
            CHECK(rest(sim, critical[k] * (1 + (i ? 1e-4 : -1e-4))).negative == i);
            square[i] = lowest_square(sim);
        }
        const double at = (square[0] + square[1]) / (square[0] - square[1]);
        CHECK_BELOW(fabs(1e-4 * at), 1e-7);
        withy_sim_destroy(sim);
    }
}

/* Two bars of length L0 to a crown at height 0.3, P = 2 EA (L0 - l)/L0 y/l, followed by the arc. */
TEST(the_path_of_the_von_Mises_truss_is_that_of_its_formula) {
    network_problem x;
    withy_error err = {0};
    golden_truss(&x);
    withy_sim *sim = start(&x, "n=1 degree=2 dt=0.1");
    const double l0 = sqrt(1.09);
    double lowest = 1, highest = 0;
    int index[3] = {-1, -1, -1}, changes = 0;
    rest(sim, 0.5);
    for (int k = 0; k < 200 && lowest > -0.35; k++) {
        withy_equilibrium at;
        CHECK_OK(withy_sim_follow(sim, 0.02, 30, &at, &err));
        const double y = end_of(sim, 0, 1).z, l = hypot(1, y);
        CHECK_NEAR(at.factor, 2e3 * (l0 - l) / l0 * y / l, 1e-9);
        if (changes == 0 || index[changes - 1] != at.negative)
            if (changes < 3) index[changes++] = at.negative;
        lowest = fmin(lowest, y);
        if (y > 0) highest = fmax(highest, at.factor);
    }
    CHECK_NEAR(highest, 2e3 * pow(1 - pow(l0, -2. / 3), 1.5), 0.05); /* the limit load */
    CHECK(index[0] == 0 && index[1] == 1 && index[2] == 0);
    withy_sim_destroy(sim);
}

/* A limit point: factor and displacements of the load there. */
typedef struct limit {
    double factor, v, u;
} limit;

static limit where(withy_sim *sim, double factor) {
    const withy_snapshot *now = withy_sim_sample(sim, 1);
    for (int i = 0; i < now->count; i++)
        if (fabs(now->s[i] - 24) < 1e-9)
            return (limit){factor, 120 - now->position[i].y, now->position[i].x - 24};
    fail_msg("no station at the load");
    return (limit){0};
}

static limit follow(withy_sim *sim, double arc) {
    withy_error err = {0};
    withy_equilibrium point;
    CHECK_OK(withy_sim_follow(sim, arc, 2, &point, &err));
    return where(sim, point.factor);
}

/* On by arcs to where the slope of the factor has changed its sign; the limit by secants of the slope. */
static limit next_limit(withy_sim *sim, double arc) {
    withy_error err = {0};
    const size_t size = withy_sim_save_size(sim);
    void *saved = malloc(size);
    double before, from = 0, to = arc, old, slope = 0;
    limit low = {0}, high = {0};
    do {
        before = sim->core->slope;
        CHECK_OK(withy_sim_save(sim, saved, size, &err));
        high = follow(sim, arc), slope = sim->core->slope;
    } while (before * slope >= 0);
    old = before;
    for (int k = 0; k < 12 && fabs(slope) > 1e-5; k++) {
        const double next = to - slope * (to - from) / (slope - old);
        from = to, to = next, old = slope, low = high;
        CHECK_OK(withy_sim_restore(sim, saved, size, &err));
        withy_equilibrium point; /* exactly there: next to a limit an arc may be cut */
        CHECK_OK(wy_equilibrium_follow(sim, to, 2, 1, &point, &err));
        high = where(sim, point.factor), slope = sim->core->slope;
    }
    CHECK_OK(withy_sim_restore(sim, saved, size, &err));
    follow(sim, arc);
    free(saved);
    const double part = slope / (slope - old); /* of the displacements; the factor is level here */
    return (limit){high.factor, high.v - part * (high.v - low.v), high.u - part * (high.u - low.u)};
}

TEST(the_limit_loads_of_Lees_frame_are_those_of_shooting) {
    static network_problem x;
    golden_lee(&x, 1e3);
    withy_sim *sim = start(&x, "n=15 degree=4 dt=0.1");
    rest(sim, 0.5);
    follow(sim, 0.04);
    const limit first = next_limit(sim, 0.04), second = next_limit(sim, 0.04);
    CHECK_NEAR(first.factor, 1.85445271, 5e-9);
    CHECK_NEAR(first.v, 48.75424, 5e-6);
    CHECK_NEAR(second.factor, -0.93924896, 5e-9);
    CHECK_NEAR(second.v, 58.225, 5e-4);
    CHECK_NEAR(second.u, 90.17700, 5e-6);
    withy_sim_destroy(sim);
}

/* As stiff sideways as in its plane: the determinant of shooting about the plane solution is zero at 1.061778687. */
TEST(Lees_frame_loses_its_stability_sideways_where_the_determinant_of_shooting_is_zero) {
    static network_problem x;
    golden_lee(&x, 1);
    withy_sim *sim = start(&x, "n=5 degree=4 dt=0.1");
    const double critical = 1.061778687;
    double square[2];
    for (int i = 0; i < 2; i++) {
        CHECK(rest(sim, critical * (1 + (i ? 1e-4 : -1e-4))).negative == i);
        square[i] = lowest_square(sim);
    }
    CHECK_BELOW(fabs(1e-4 * (square[0] + square[1]) / (square[0] - square[1])), 1e-6);
    withy_sim_destroy(sim);
}

/* A body on a ball joint below a clamped rod hangs; above it, it stands in two unstable directions. */
TEST(a_hanging_body_is_stable_and_a_standing_one_falls_two_ways) {
    for (int up = 0; up < 2; up++) {
        network_problem x;
        network_begin(&x);
        x.problem.gravity = v3(0, 0, up ? -9.81 : -9.81);
        const double z = up ? 1 : -1;
        network_rod(&x, v3(0, 0, 0), v3(0, 0, z), 0.02, 1e9, 1000);
        x.rod[0].end[0].kind = WITHY_END_CLAMPED;
        network_body(&x, 3, v3(0.1, 0.1, 0.1), v3(0, 0, 1.5 * z));
        network_join(&x, WITHY_JOINT_BALL, on_rod(0, 1), on_body(0, 0, 0, -0.5 * z));
        withy_sim *sim = start(&x, "n=2 degree=3 dt=0.1");
        const withy_equilibrium at = rest(sim, 1);
        const withy_parts *parts = withy_sim_parts(sim);
        const double ea = 1e9 * WY_PI * 4e-4, weight = 1000 * WY_PI * 4e-4 * 9.81;
        const double stretch = (3 * 9.81 + 0.5 * weight) / ea;
        CHECK_NEAR(parts->body[0].position.z, 1.5 * z - stretch, 1e-10);
        CHECK_NEAR(parts->joint[0].force.z, 3 * 9.81, 1e-8);
        CHECK(at.negative == (up ? 2 : 0));
        withy_sim_destroy(sim);
    }
}

TEST(a_part_that_nothing_holds_has_no_equilibrium_and_is_named) {
    static network_problem x;
    withy_error err = {0};
    withy_equilibrium at;
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -9.81);
    for (int i = 0; i < 2; i++)
        network_rod(&x, v3(0, i, 0), v3(1, i, 0), 0.02, 1e9, 1000)->name = i ? "loose" : "beam";
    x.rod[0].end[0].kind = WITHY_END_CLAMPED;
    network_body(&x, 3, v3(0.1, 0.1, 0.1), v3(2, 1, 0))->name = "stone";
    network_join(&x, WITHY_JOINT_WELD, on_rod(1, 1), on_body(0, -1, 0, 0));
    withy_sim *sim = start(&x, "n=2 degree=3 dt=0.1");
    CHECK(withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "rod \"loose\" is held by nothing") != NULL);
    withy_sim_destroy(sim);
    network_join(&x, WITHY_JOINT_BALL, on_rod(1, 0), on_ground(0, 1, 0));
    sim = start(&x, "n=2 degree=3 dt=0.1"); /* it may swing, but it is held */
    CHECK(withy_sim_equilibrium(sim, 0.01, &at, &err) != WITHY_UNSUPPORTED);
    withy_sim_destroy(sim);
}

/* A pinned end that is joined to another rod has the reaction of its pin. */
TEST(a_pinned_end_with_a_joint_reports_what_holds_it) {
    network_problem x;
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -10);
    network_rod(&x, v3(0, 0, 0), v3(1, 0, 0), 0.02, 2e11, 1000);
    network_rod(&x, v3(-1, 0, 0), v3(0, 0, 0), 0.02, 2e11, 1000);
    x.rod[0].end[0].kind = x.rod[0].end[1].kind = WITHY_END_PINNED;
    x.rod[1].end[0].kind = WITHY_END_PINNED;
    network_join(&x, WITHY_JOINT_WELD, on_rod(1, 1), on_rod(0, 0));
    withy_sim *sim = start(&x, "n=2 degree=3 dt=0.1");
    rest(sim, 1);
    const double weight = 1000 * WY_PI * 4e-4 * 10;
    const withy_snapshot one = *withy_sim_sample(sim, 0), two = *withy_sim_sample(sim, 1);
    CHECK_NEAR(one.reaction[0].z, 10. / 8 * weight, 2e-3 * weight); /* a beam on three supports */
    CHECK_NEAR(one.reaction[1].z, 3. / 8 * weight, 2e-3 * weight);
    CHECK_NEAR(two.reaction[0].z, 3. / 8 * weight, 2e-3 * weight);
    withy_sim_destroy(sim);
}

/* A rod welded to the ground with an offset carries a body, welded on in turn, and its own weight. */
static withy_status same_way(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = 0, out[2] = 0.1 * t * t;
    return WITHY_OK;
}

/* Two cantilevers from one point, clamped and welded there: what holds them is reported once, and told. */
TEST(two_clamped_ends_in_one_corner_are_held_once_and_that_is_reported) {
    network_problem x;
    withy_error err = {0};
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -9.81);
    for (int i = 0; i < 2; i++) {
        network_rod(&x, v3(0, 0, 0), v3(i ? 1 : 0, i ? 0 : 1, 0), 0.02, 1e9, 1000);
        x.rod[i].end[0].kind = WITHY_END_CLAMPED;
    }
    network_join(&x, WITHY_JOINT_WELD, on_rod(0, 0), on_rod(1, 0));
    withy_sim *sim = start(&x, "n=4 degree=3 dt=0.1");
    rest(sim, 1);
    const double weight = 1000 * WY_PI * 4e-4 * 9.81;
    const double up[2] = {withy_sim_sample(sim, 0)->reaction[0].z,
                          withy_sim_sample(sim, 1)->reaction[0].z};
    CHECK_NEAR(up[0] + up[1], 2 * weight, 1e-9);
    CHECK(strstr(withy_sim_notes(sim)->text,
                 "rods[2].ends.start: is rigidly connected with rods[1].ends.start, which holds "
                 "both: their shares of the reaction are not defined"));
    withy_sim_destroy(sim);
    x.rod[1].end[0].position = (withy_field){.size = 3, .call = same_way};
    CHECK(network_start(&x, "n=4 degree=3 dt=0.1", &sim, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "rods[2].ends.start: is rigidly connected with rods[1].ends.start, which "
                         "holds both; move one of them and leave the other free");
}

/* Which of two welds decided depended on their order. */
TEST(welds_to_two_grounds_of_which_one_moves_are_refused_in_any_order) {
    for (int moving = 0; moving < 3; moving++) { /* 2: none, and the body stands */
        network_problem x;
        withy_error err = {0};
        withy_sim *sim;
        network_begin(&x);
        network_body(&x, 1, v3(1, 1, 1), v3(0, 0, 0));
        for (int i = 0; i < 2; i++) {
            withy_place ground = on_ground(0, 0, 0);
            if (i == moving) ground.path = (withy_field){.size = 3, .call = same_way};
            network_join(&x, WITHY_JOINT_WELD, ground, on_body(0, 0, 0, 0));
        }
        const withy_status status = network_start(&x, "n=4 dt=0.1", &sim, &err);
        CHECK(status == (moving < 2 ? WITHY_BAD_INPUT : WITHY_OK));
        if (moving < 2)
            CHECK(strstr(err.text, "joints[2]") == err.text &&
                  strstr(err.text, "another weld holds the same parts to the ground, and one of "
                                   "the two places moves; remove one of the welds"));
        else
            withy_sim_destroy(sim);
    }
}

TEST(welds_carry_the_weight_and_the_moment_of_what_is_behind_them) {
    for (int turned = 0; turned < 2; turned++) {
        network_problem x;
        network_begin(&x);
        x.problem.gravity = v3(0, 0, -10);
        network_rod(&x, v3(0, 0, 0), v3(1, 0, 0), 0.02, 2e11, 1000);
        network_body(&x, 3, v3(0.1, 0.1, 0.1), v3(1.2, 0.3, 0));
        const double weight = 1000 * WY_PI * 4e-4 * 10, length = x.rod[0].length;
        const withy_place base[2] = {on_ground(-0.1, 0, 0), on_rod(0, 0)};
        const withy_place tip[2] = {on_rod(0, length), on_body(0, -0.2, -0.3, 0)};
        network_join(&x, WITHY_JOINT_WELD, base[turned], base[1 - turned]);
        network_join(&x, WITHY_JOINT_WELD, tip[turned], tip[1 - turned]);
        withy_sim *sim = start(&x, "n=2 degree=3 dt=0.1");
        rest(sim, 1);
        const withy_parts *parts = withy_sim_parts(sim);
        const double sign = turned ? -1 : 1;
        CHECK_NEAR(parts->joint[0].force.z, sign * (30 + weight), 1e-6);
        CHECK_NEAR(parts->joint[1].force.z, sign * 30, 1e-6);
        CHECK_NEAR(parts->joint[1].torque.x, sign * 30 * 0.3, 1e-2);
        CHECK_NEAR(parts->joint[1].torque.y, -sign * 30 * 0.2, 1e-2);
        /* about the second place: the start of the rod, or the point of the ground */
        const double arm = turned ? 0.1 : 0;
        CHECK_NEAR(parts->joint[0].torque.y, -sign * (30 * (1.2 + arm) + weight * (0.5 + arm)),
                   2e-2);
        withy_sim_destroy(sim);
    }
}

/* ---- modes ------------------------------------------------------------------------------------------- */

/* In units of sqrt(EI/mu)/L^2. */
static void frame_modes(int hinged, int count, double *omega) {
    network_problem x;
    withy_error err = {0};
    golden_frame(&x, hinged);
    withy_sim *sim = start(&x, "n=6 degree=4 dt=0.1");
    withy_mode *mode = NULL;
    CHECK_OK(withy_sim_modes(sim, count, &mode, &err));
    for (int i = 0; i < count; i++) omega[i] = 2 * WY_PI * mode[i].frequency;
    const int half = mode[0].count / 2; /* the two rods meet: their last stations move alike */
    CHECK(mode[0].rod[half] == 1);
    CHECK_BELOW(v3_norm(v3_sub(mode[0].shift[half - 1], mode[0].shift[2 * half - 1])), 1e-9);
    withy_modes_free(mode, count);
    withy_sim_destroy(sim);
}

TEST(two_beams_that_meet_have_the_frequencies_of_their_closed_forms) {
    double omega[3];
    frame_modes(1, 3, omega);
    CHECK_NEAR(omega[0], 3.516009, 5e-7); /* Euler and Bernoulli 3.516015, 15.41821, 22.03449: */
    CHECK_NEAR(omega[1], 15.41805, 5e-6); /* r/L = 1e-3 makes the rest */
    CHECK_NEAR(omega[2], 22.03422, 5e-6);
    frame_modes(0, 2, omega);
    CHECK_NEAR(omega[0], 15.41799, 5e-6); /* clamped and pinned, clamped and clamped: */
    CHECK_NEAR(omega[1], 22.37263, 5e-6); /* 15.41821, 22.37329 */
}

/* A body of 2 kg on a slider with 8 N/m and 0.4 N s/m: lambda = -0.1 +- i sqrt(4 - 0.01). */
TEST(a_damped_slider_has_the_frequency_and_damping_of_its_formula) {
    network_problem x;
    withy_error err = {0};
    network_begin(&x);
    network_rod(&x, v3(0, 0, 0), v3(1, 0, 0), 0.02, 2e11, 1000);
    x.rod[0].end[0].kind = WITHY_END_CLAMPED;
    network_body(&x, 2, v3(0.1, 0.1, 0.1), v3(0, 1, 0));
    withy_joint *j = network_join(&x, WITHY_JOINT_SLIDER, on_ground(0, 1, 0), on_body(0, 0, 0, 0));
    j->axis = v3(0, 0, 1), j->spring = 8, j->damping = 0.4;
    withy_sim *sim = start(&x, "n=2 degree=3 dt=0.1");
    withy_mode *mode = NULL;
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    CHECK_NEAR(2 * WY_PI * mode[0].frequency, sqrt(4 - 0.01), 1e-7);
    CHECK_NEAR(mode[0].growth, -0.1, 1e-7);
    const int last = mode[0].count - 1; /* the body */
    CHECK(mode[0].rod[last] == -1);
    CHECK(fabs(mode[0].shift[last].z) > 10 * fabs(mode[0].shift[0].z));
    withy_modes_free(mode, 1);
    withy_sim_destroy(sim);
}

/* ---- bodies alone -------------------------------------------------------------------------------------- */

TEST(a_body_on_springs_has_the_equilibrium_and_the_six_frequencies_of_its_formulas) {
    static const double wanted[6] = {7.0710678118654752, 10, 12.247448713915890, 14.142135623730950,
                                     15.811388300841897, 20};
    network_problem x;
    withy_error err = {0};
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -9.81);
    network_body(&x, 2, v3(1e-2, 2e-2, 3e-2), v3(0.5, 0, 0));
    withy_joint *j =
        network_join(&x, WITHY_JOINT_SPRING, on_ground(0.5, 0, 0), on_body(0, 0, 0, 0));
    j->stretch = v3(100, 200, 300), j->turn = v3(4, 5, 6);
    withy_sim *sim = start(&x, "dt=0.1");
    const withy_equilibrium at = rest(sim, 1);
    CHECK_NEAR(withy_sim_parts(sim)->body[0].position.z, -2 * 9.81 / 300, 1e-12);
    CHECK(at.negative == 0);
    withy_mode *mode = NULL;
    CHECK_OK(withy_sim_modes(sim, 6, &mode, &err));
    for (int i = 0; i < 6; i++) CHECK_NEAR(2 * WY_PI * mode[i].frequency, wanted[i], 1e-7);
    withy_modes_free(mode, 6);
    withy_sim_destroy(sim);
}

/* Two bars of 1 m and 1 kg on hinges, hanging and standing: det(K - w^2 M) = 0 of the linear pendulum. */
TEST(a_pendulum_of_two_bodies_swings_as_its_linear_equations_and_standing_falls_two_ways) {
    for (int up = 0; up < 2; up++) {
        const double z = up ? 1 : -1, g = 9.81;
        network_problem x;
        withy_error err = {0};
        network_begin(&x);
        x.problem.gravity = v3(0, 0, -g);
        for (int i = 0; i < 2; i++)
            network_body(&x, 1, v3(1. / 12, 1. / 12, 1e-3), v3(0, 0, z * (0.5 + i)));
        network_join(&x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, 0, 0, -0.5 * z))->axis =
            v3(0, 1, 0);
        network_join(&x, WITHY_JOINT_HINGE, on_body(0, 0, 0, 0.5 * z), on_body(1, 0, 0, -0.5 * z))
            ->axis = v3(0, 1, 0);
        withy_sim *sim = start(&x, "dt=0.1");
        const withy_equilibrium at = rest(sim, 1);
        CHECK(at.negative == (up ? 2 : 0));
        CHECK_NEAR(withy_sim_parts(sim)->joint[0].force.z, 2 * g, 1e-8);
        withy_mode *mode = NULL;
        if (!up) CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
        /* M = (4/3 1/2; 1/2 1/3), K = g (3/2 0; 0 1/2) */
        const double root = sqrt(49. / 36 - 4 * (7. / 36) * 0.75);
        for (int i = 0; i < 2 && !up; i++) {
            const double square = g * (7. / 6 + (i ? root : -root)) / (2 * 7. / 36);
            CHECK_NEAR(2 * WY_PI * mode[i].frequency, sqrt(square), 1e-7);
        }
        if (!up) withy_modes_free(mode, 2);
        withy_sim_destroy(sim);
    }
}

/* ---- a net --------------------------------------------------------------------------------------------- */

/* 20 x 20 crossings, side 1, corners clamped, 1e-4 N at crossing (7, 9) counted from 0. */
TEST(a_net_of_40_rods_sags_as_a_grillage_of_Timoshenko_beams) {
    enum { K = 20 };
    static network_problem x;
    static withy_joint joint[K * K];
    static withy_load pull = {.kind = WITHY_LOAD_POINT};
    golden_net(&x, K, joint, 5e-3, 1e9);
    pull.from = 9 / (K - 1.), pull.force = withy_field_vector(0, 0, -1e-4);
    x.rod[7].load = &pull, x.rod[7].load_count = 1;
    withy_sim *sim = start(&x, "n=19 degree=3 dt=0.1");
    rest(sim, 1);
    const withy_snapshot *now = withy_sim_sample(sim, 7);
    double w = 0;
    for (int i = 0; i < now->count; i++)
        if (fabs(now->s[i] - pull.from) < 1e-9) w = now->position[i].z;
    CHECK_NEAR(w / -2.397730810e-7, 1, 1e-9);
    withy_sim_destroy(sim);
}

RUN(test(the_tangent_of_a_strained_network_is_the_derivative_of_its_residual),
    test(a_bent_cantilever_of_several_welded_pieces_is_that_of_one),
    test(a_square_frame_pulled_at_its_corners_has_the_diagonals_of_shooting),
    test(the_right_angle_frame_buckles_sideways_at_the_loads_of_shooting),
    test(the_path_of_the_von_Mises_truss_is_that_of_its_formula),
    test(the_limit_loads_of_Lees_frame_are_those_of_shooting),
    test(Lees_frame_loses_its_stability_sideways_where_the_determinant_of_shooting_is_zero),
    test(a_hanging_body_is_stable_and_a_standing_one_falls_two_ways),
    test(a_part_that_nothing_holds_has_no_equilibrium_and_is_named),
    test(a_pinned_end_with_a_joint_reports_what_holds_it),
    test(two_clamped_ends_in_one_corner_are_held_once_and_that_is_reported),
    test(welds_to_two_grounds_of_which_one_moves_are_refused_in_any_order),
    test(welds_carry_the_weight_and_the_moment_of_what_is_behind_them),
    test(two_beams_that_meet_have_the_frequencies_of_their_closed_forms),
    test(a_damped_slider_has_the_frequency_and_damping_of_its_formula),
    test(a_body_on_springs_has_the_equilibrium_and_the_six_frequencies_of_its_formulas),
    test(a_pendulum_of_two_bodies_swings_as_its_linear_equations_and_standing_falls_two_ways),
    test(a_net_of_40_rods_sags_as_a_grillage_of_Timoshenko_beams))
