/* Equilibria, paths, stability and modes of networks against closed forms, shooting and the literature. */
#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "network_problems.h"
#include "study/sim.h"

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

/* ---- the tangent ------------------------------------------------------------------------------------- */

/* Clamped at one end, with joints of many kinds, offsets, and loads that do and do not follow. */
static void strained(network_problem *x) {
    network_begin(x);
    x->problem.gravity = v3(0.5, -1, -9.81);
    const vec3 at[4] = {{0, 0, 0}, {0.6, 0.1, 0}, {1, -0.2, 0.3}, {1.5, 0.1, 0.2}};
    for (int i = 0; i < 3; i++) network_rod(x, at[i], at[i + 1], 0.02, 3e6, 1000);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[2].end[1].force = withy_field_vector(1, 2, 3), x->rod[2].end[1].follower = 1;
    for (int i = 0; i < 2; i++)
        network_body(x, 0.3, v3(1e-3, 2e-3, 2.5e-3), v3_add(at[i + 1], v3(0.1, 0.05, -0.1)));
    network_body(x, 0.2, v3(1e-3, 1e-3, 1e-3), v3(1.6, 0.3, 0));
    x->push[0] = (withy_body_load){.at = {0.1, 0, 0.05}, .force = withy_field_vector(1, -1, 2)};
    x->push[1] = x->push[0], x->push[1].follower = 1;
    x->push[1].moment = withy_field_vector(0.1, 0.2, -0.1);
    x->body[1].load = x->push, x->body[1].load_count = 2;
    const double l0 = x->rod[0].length, l1 = x->rod[1].length, l2 = x->rod[2].length;
    network_join(x, WITHY_JOINT_WELD, on_rod(0, l0), on_body(0, -0.1, -0.05, 0.1));
    withy_joint *j = network_join(x, WITHY_JOINT_HINGE, on_body(0, -0.1, -0.05, 0.1), on_rod(1, 0));
    j->axis = v3(0.1, 1, 0.3), j->spring = 4, j->rest = 0.3;
    j = network_join(x, WITHY_JOINT_SLIDER, on_rod(1, l1), on_body(1, -0.1, -0.05, 0.1));
    j->axis = v3(1, 0.2, 0), j->spring = 90;
    j = network_join(x, WITHY_JOINT_SPRING, on_body(1, -0.1, -0.05, 0.1), on_rod(2, 0));
    j->stretch = v3(200, 150, 300), j->turn = v3(3, 2, 4);
    j = network_join(x, WITHY_JOINT_UNIVERSAL, on_rod(2, 0.5 * l2), on_body(2, 0, 0, 0));
    const vec3 half = v3_scale(0.5, v3_add(at[2], at[3]));
    j->place[1].at = v3_sub(half, x->body[2].position);
    j->axis = v3(0, 1, 0), j->axis2 = v3(1, 0, 0);
    network_join(x, WITHY_JOINT_LINK, on_ground(1, 1, 1), on_body(2, 0.1, 0, 0))->spring = 60;
    network_join(x, WITHY_JOINT_LINK, on_ground(0, 1, 0), on_rod(1, 0.5 * l1));
    network_times(x, 1, 1);
}

static double noise(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Put back to a saved state, at the start of a Newton iteration. */
static void put_back(withy_sim *sim, const char *saved) {
    withy_error err = {0};
    memcpy(sim->state.base, saved, sim->state.used);
    CHECK_OK(sim->method->door->load(sim->self, 1, 1, 1, &err));
    sim->method->door->begin(sim->self);
}

/* side += weight times the residual after a move by `way` along v. */
static void add_residual(withy_sim *sim, const char *saved, const double *v, double way,
                         double weight, double *room, double *side) {
    withy_error err = {0};
    const wy_door *door = sim->method->door;
    const int rows = door->layout(sim->self).rows;
    put_back(sim, saved);
    CHECK_OK(door->residual(sim->self, room, &err));
    door->move(sim->self, v, way);
    door->begin(sim->self);
    CHECK_OK(door->residual(sim->self, room, &err));
    for (int i = 0; i < rows; i++) side[i] += weight * room[i];
}

/* By differences of fourth order, along a random direction v: K^-1 (-dr/dv) is v. */
TEST(the_tangent_of_a_strained_network_is_the_derivative_of_its_residual) {
    for (int p = 1; p <= 3; p++) {
        static network_problem x;
        char options[64];
        withy_error err = {0};
        uint32_t seed = 17;
        strained(&x);
        snprintf(options, sizeof options, "n=2 degree=%d dt=0.1", p);
        withy_sim *sim = start(&x, options);
        const wy_door *door = sim->method->door;
        const int rows = door->layout(sim->self).rows;
        const int nodes = 6 * door->layout(sim->self).shift.nodes;
        double *v = malloc(3 * (size_t)rows * sizeof *v), *side = v + rows, *room = side + rows;
        char *saved = malloc(sim->state.used);
        memcpy(saved, sim->state.base, sim->state.used);
        CHECK_OK(door->open(sim->self, &err));
        put_back(sim, saved);
        CHECK_OK(door->residual(sim->self, room, &err));
        const int clamp = 6 * 8; /* after the eight clusters: it stays where it is held */
        for (int i = 0; i < rows; i++) v[i] = i >= clamp && i < clamp + 6 ? 0 : noise(&seed);
        door->move(sim->self, v, 0.03); /* strained, multipliers included */
        memcpy(saved, sim->state.base, sim->state.used);
        for (int i = 0; i < rows; i++) v[i] = noise(&seed), side[i] = 0;
        const double e = 3e-5, weight[4] = {1 / 12., -8 / 12., 8 / 12., -1 / 12.};
        for (int k = 0; k < 4; k++)
            add_residual(sim, saved, v, e * (k < 2 ? k - 2 : k - 1), -weight[k] / e, room, side);
        int negative;
        put_back(sim, saved);
        CHECK_OK(door->factor(sim->self, 0, &negative, &err));
        door->solve(sim->self, side);
        double worst = 0, pull = 0;
        for (int i = 0; i < rows; i++)
            if (i < nodes)
                worst = worst_of(worst, fabs(side[i] - v[i]));
            else
                pull = worst_of(pull, fabs(side[i] - v[i]));
        CHECK_BELOW(worst, 1e-7); /* the stiffness of a thin rod amplifies the rounding of r */
        CHECK_BELOW(pull, 1e-8 * 3e6 * WY_PI * 4e-4); /* of EA */
        free(v), free(saved);
        withy_sim_destroy(sim);
    }
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

/* ---- stability -------------------------------------------------------------------------------------- */

/* Argyris; Simo and Vu-Quoc 1986: a right angle of thin plate, pulled along its first leg. */
static void right_angle(network_problem *x, double sign) {
    network_begin(x);
    const double e = 71240, g = e / 2.62, weak = 30 * 0.6 * 0.6 * 0.6 / 12,
                 strong = 0.6 * 27000 / 12;
    const vec3 at[3] = {{0, 0, 0}, {240, 0, 0}, {240, -240, 0}};
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(x, at[i], at[i + 1], 1, 1, 1);
        rod->initial.normal = rod->rest.normal = v3(0, 0, 1);
        stiffness(rod, g * 18, e * 18, e * strong, e * weak, g * 4 * weak);
    }
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 240), on_rod(1, 0));
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[1].end[1].force = withy_field_vector(sign, 0, 0);
}

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
        right_angle(&x, k ? -1 : 1);
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
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(&x, v3(i ? 1 : -1, 0, 0), v3(0, 0, 0.3), 0.01, 1, 1);
        stiffness(rod, 1e3, 1e3, 1e3, 1e3, 1e3);
    }
    for (int i = 0; i < 2; i++)
        network_join(&x, WITHY_JOINT_HINGE, on_ground(i ? 1 : -1, 0, 0), on_rod(i, 0))->axis =
            v3(0, 1, 0);
    network_join(&x, WITHY_JOINT_HINGE, on_rod(0, x.rod[0].length), on_rod(1, x.rod[1].length))
        ->axis = v3(0, 1, 0);
    x.rod[0].end[1].force = withy_field_vector(0, 0, -1);
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

/* Lee's frame: two legs of 120, pinned, a force 24 from the corner; in its plane, followed by the arc. */
TEST(the_limit_load_of_Lees_frame_is_that_of_shooting) {
    static network_problem x;
    static withy_load push = {.kind = WITHY_LOAD_POINT, .from = 24};
    withy_error err = {0};
    network_begin(&x);
    const double e = 720, ea = e * 6, ga = 5. / 6 * 6 * e / 2.6;
    network_rod(&x, v3(0, 0, 0), v3(0, 120, 0), 1, 1, 1);
    network_rod(&x, v3(0, 120, 0), v3(120, 120, 0), 1, 1, 1);
    for (int i = 0; i < 2; i++) { /* a thousand times stiffer out of its plane */
        x.rod[i].initial.normal = x.rod[i].rest.normal = v3(0, 0, 1);
        stiffness(&x.rod[i], ga, ea, 2 * e, 2e3 * e, 2e3 * e);
    }
    push.force = withy_field_vector(0, -1, 0);
    x.rod[1].load = &push, x.rod[1].load_count = 1;
    network_join(&x, WITHY_JOINT_WELD, on_rod(0, 120), on_rod(1, 0));
    network_join(&x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_rod(0, 0))->axis = v3(0, 0, 1);
    network_join(&x, WITHY_JOINT_HINGE, on_ground(120, 120, 0), on_rod(1, 120))->axis = v3(0, 0, 1);
    withy_sim *sim = start(&x, "n=5 degree=4 dt=0.1");
    double load[3] = {0}, v[3] = {0}, at = 0, most = 0;
    rest(sim, 0.5);
    for (int k = 0; k < 400; k++) {
        withy_equilibrium point;
        CHECK_OK(withy_sim_follow(sim, 0.01, 2, &point, &err));
        const withy_snapshot *now = withy_sim_sample(sim, 1);
        for (int i = 0; i < now->count; i++)
            if (fabs(now->s[i] - 24) < 1e-9) v[2] = 120 - now->position[i].y;
        load[2] = point.factor;
        if (load[1] > load[0] && load[1] >= load[2]) { /* the parabola through three points */
            const double a = v[1] - v[0], b = v[2] - v[1];
            const double s = (load[1] - load[0]) / a, u = (load[2] - load[1]) / b;
            const double curve = (u - s) / (a + b);
            at = 0.5 * (v[0] + v[1]) - 0.5 * s / curve;
            most = load[1] + (at - v[1]) * (s + curve * (at - v[0]));
            break;
        }
        for (int i = 0; i < 2; i++) load[i] = load[i + 1], v[i] = v[i + 1];
    }
    CHECK_NEAR(most, 1.85445271, 2e-5);
    CHECK_NEAR(at, 48.75424, 2e-2);
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

/* In units of sqrt(EI/mu)/L^2; r/L = 1e-3.  Out of the plane the rods are a thousand times stiffer. */
static void frame_modes(int hinged, int count, double *omega) {
    network_problem x;
    withy_error err = {0};
    network_begin(&x);
    const double r = 1e-3, ea = 4 / (r * r);
    const vec3 far = hinged ? v3(2, 0, 0) : v3(1, 1, 0);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(&x, i ? far : v3(0, 0, 0), v3(1, 0, 0), r, 1, 1);
        rod->initial.normal = rod->rest.normal = v3(0, 0, 1);
        stiffness(rod, ea / 3, ea, 1, 1e3, 1e3);
        const double rho[WITHY_INERTIAS] = {1, r * r / 4, r * r / 4, r * r / 2};
        for (int k = 0; k < WITHY_INERTIAS; k++) rod->inertia[k] = withy_field_number(rho[k]);
        rod->end[0].kind = WITHY_END_CLAMPED;
    }
    withy_joint *j = network_join(&x, hinged ? WITHY_JOINT_HINGE : WITHY_JOINT_WELD,
                                  on_rod(0, x.rod[0].length), on_rod(1, x.rod[1].length));
    if (hinged) j->axis = v3(0, 0, 1);
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
    CHECK_NEAR(omega[0] / 3.516015, 1, 4e-5); /* Euler and Bernoulli; r/L = 1e-3 makes the rest */
    CHECK_NEAR(omega[1] / 15.41821, 1, 4e-5);
    CHECK_NEAR(omega[2] / 22.03449, 1, 4e-5);
    frame_modes(0, 2, omega);
    CHECK_NEAR(omega[0] / 15.41821, 1, 4e-5);
    CHECK_NEAR(omega[1] / 22.37329, 1, 4e-5);
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

/* ---- a net --------------------------------------------------------------------------------------------- */

/* 20 x 20 crossings, side 1, corners clamped, 1e-4 N at crossing (7, 9) counted from 0. */
TEST(a_net_of_40_rods_sags_as_a_grillage_of_Timoshenko_beams) {
    enum { K = 20 };
    static network_problem x;
    static withy_joint joint[K * K];
    static withy_load pull = {.kind = WITHY_LOAD_POINT};
    network_begin(&x);
    x.problem.joint = joint;
    for (int i = 0; i < 2 * K; i++) {
        const double at = i % K / (K - 1.);
        withy_rod *rod = network_rod(&x, i < K ? v3(at, 0, 0) : v3(0, at, 0),
                                     i < K ? v3(at, 1, 0) : v3(1, at, 0), 5e-3, 1e9, 1000);
        rod->material.shear = 1e9 / 3, rod->section.shear_factor = 1;
        if (i % K == 0 || i % K == K - 1) rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    }
    for (int i = 0; i < K * K; i++) {
        joint[i].kind = WITHY_JOINT_WELD;
        joint[i].place[0] = on_rod(i / K, i % K / (K - 1.));
        joint[i].place[1] = on_rod(K + i % K, i / K / (K - 1.));
    }
    x.problem.joint_count = K * K;
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
    test(the_limit_load_of_Lees_frame_is_that_of_shooting),
    test(a_hanging_body_is_stable_and_a_standing_one_falls_two_ways),
    test(a_pinned_end_with_a_joint_reports_what_holds_it),
    test(welds_carry_the_weight_and_the_moment_of_what_is_behind_them),
    test(two_beams_that_meet_have_the_frequencies_of_their_closed_forms),
    test(a_damped_slider_has_the_frequency_and_damping_of_its_formula),
    test(a_net_of_40_rods_sags_as_a_grillage_of_Timoshenko_beams))
