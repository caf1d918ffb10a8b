/* Tendons of the director method: closed forms, se3 (which has no code in common), and the ledger. */
#include <math.h>

#include "check.h"
#include "method/director/network.h"
#include "se3_problems.h"
#include "study/sim.h"

static const wy_director *rod_of(const withy_sim *sim, int rod) {
    return &((const wy_network *)sim->self)->rod[rod];
}

/* A problem with everything it borrows. */
typedef struct set {
    withy_rod rod;
    withy_load load[4];
    withy_problem problem;
} set;

static const double ARM = 0.004;

static void make(set *x, withy_function shape, double stop, double output) {
    memset(x, 0, sizeof *x);
    x->rod = se3_rod(shape, NULL);
    x->rod.load = x->load;
    x->problem = se3_problem(&x->rod, stop, output);
}

static withy_sim *start(const set *x, const char *method, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_option option[16];
    const int count = se3_options_of(options, option);
    CHECK_OK(withy_sim_create(&x->problem, method, option, count, &sim, &err));
    return sim;
}

static void go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
}

static withy_equilibrium rest(withy_sim *sim) {
    withy_error err = {0};
    withy_equilibrium at = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    return at;
}

static withy_load tendon(double x1, double x2, double tension) {
    return (withy_load){.kind = WITHY_LOAD_TENDON,
                        .to = SE3_L,
                        .route = {.size = 2, .value = {x1, x2}},
                        .tension = withy_field_number(tension)};
}

/* curvature tau r/EI (with the stretch of tau/EA in it), stretch 1 - tau/EA: of the notes [SE] */
static const double CURVATURE = 2.4446199259, STRETCH = 0.9961802814, TIP_X = 0.0121158913;

static withy_status helical(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = ARM * cos(30 * s), out[1] = ARM * sin(30 * s);
    return WITHY_OK;
}

/* ---- statics ---------------------------------------------------------------------------------- */

TEST(a_tendon_bends_the_rod_into_an_arc_of_curvature_tau_r_over_ei) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    x.load[0] = tendon(ARM, 0, 0.3);
    x.rod.load_count = 1;
    withy_sim *sim = start(&x, "director", "n=4 degree=4");
    CHECK(rest(sim).negative == 0);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const int middle = snap->count / 2;
    CHECK_NEAR(snap->bend[middle].y, CURVATURE, 1e-6);
    CHECK_NEAR(1 + snap->shear[middle].z, STRETCH, 1e-8);
    CHECK_NEAR(snap->force[middle].z, 0, 1e-9); /* rod and tendon together carry nothing */
    CHECK_NEAR(snap->moment[middle].y, 0, 1e-11);
    CHECK_NEAR(se3_tip(sim).x, TIP_X, 1e-9);
    withy_sim_destroy(sim);
}

TEST(a_tendon_pulled_in_by_a_length_finds_its_tension) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    x.load[0] = tendon(ARM, 0, 0);
    x.load[0].tension.size = 0;
    x.load[0].displacement = withy_field_number(SE3_L * (1 - (STRETCH - ARM * CURVATURE)));
    x.rod.load_count = 1;
    withy_sim *sim = start(&x, "director", "n=4 degree=4");
    CHECK(rest(sim).negative == 0);
    CHECK_NEAR(rod_of(sim, 0)->tension[0], 0.3, 1e-7);
    CHECK_NEAR(se3_tip(sim).x, TIP_X, 1e-9);
    withy_sim_destroy(sim);
}

TEST(a_helical_tendon_that_ends_half_way_bends_the_rod_as_in_se3) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    x.load[0] = tendon(ARM, 0, 0.4);
    x.load[0].to = 0.6 * SE3_L;
    x.load[0].route = (withy_field){.size = 2, .call = helical};
    x.load[1] = tendon(0, -ARM, 0.2);
    x.rod.load_count = 2;
    x.rod.end[1].force = withy_field_vector(0, 0, 0.02);
    withy_sim *a = start(&x, "director", "n=10 degree=4"), *b = start(&x, "se3", "n=200"),
              *c = start(&x, "se3", "n=400");
    rest(a), rest(b), rest(c);
    const double error = se3_distance(se3_tip(b), se3_tip(c));
    CHECK_BELOW(error, 1e-4 * SE3_L);
    CHECK_BELOW(se3_distance(se3_tip(a), se3_tip(c)), error / 2);
    withy_sim_destroy(a), withy_sim_destroy(b), withy_sim_destroy(c);
}

/* The tip of a cantilever at which four tendons pull alike is pressed, and not bent: Euler's load is not felt,
 * as the tendons follow the rod; one that pulls from the ground instead would buckle it at pi^2 EI/(4 L^2) = 0.12 N. */
TEST(tendons_through_the_rod_do_not_buckle_it) {
    (void)unused_state;
    set x;
    make(&x, NULL, 1, 0.1);
    for (int k = 0; k < 4; k++)
        x.load[k] = tendon(ARM * cos(k * SE3_PI / 2), ARM * sin(k * SE3_PI / 2), 0.25);
    x.rod.load_count = 4;
    withy_sim *sim = start(&x, "director", "n=8 degree=3");
    CHECK(rest(sim).negative == 0);
    CHECK_NEAR(se3_tip(sim).x, 0, 1e-12);
    withy_sim_destroy(sim);
}

/* ---- modes -------------------------------------------------------------------------------------- */

TEST(modes_of_a_rod_held_by_its_tendons_are_those_of_se3) {
    (void)unused_state;
    for (int given = 0; given < 2; given++) {
        set x;
        double hz[2][6];
        make(&x, NULL, 1, 0.1);
        x.load[0] = tendon(ARM, 0, 0.3);
        x.load[1] = tendon(-ARM, 0, 0.1);
        for (int k = 0; k < 2 && given; k++) {
            x.load[k].tension.size = 0;
            x.load[k].displacement = withy_field_number(k ? -0.0005 : 0.001);
        }
        x.rod.load_count = 2;
        for (int m = 0; m < 2; m++) {
            withy_error err = {0};
            withy_mode *mode;
            withy_sim *sim = start(&x, m ? "se3" : "director", m ? "n=200" : "n=6 degree=4");
            rest(sim);
            CHECK_OK(withy_sim_modes(sim, 6, &mode, &err));
            for (int i = 0; i < 6; i++) hz[m][i] = mode[i].frequency;
            withy_modes_free(mode, 6);
            withy_sim_destroy(sim);
        }
        for (int i = 0; i < 6; i++) CHECK_NEAR(hz[0][i] / hz[1][i], 1, 1e-3);
    }
}

/* ---- motion --------------------------------------------------------------------------------------- */

static withy_status shake(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.01 * sin(15 * t), out[1] = 0.005 * (1 - cos(9 * t)), out[2] = 0;
    return WITHY_OK;
}
static withy_status pull(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = *(const double *)context * (1 - cos(10 * t));
    return WITHY_OK;
}

TEST(the_ledger_closes_with_tendons_of_both_kinds_at_any_step) {
    (void)unused_state;
    static const char *const options[] = {"n=5 dt=0.001", "n=5 dt=0.01", "n=5 dt=0.05",
                                          "n=12 degree=1 dt=0.01", "n=5 dt=0.01 order=4"};
    double most[2] = {0.3, 0.0005};
    for (int k = 0; k < 5; k++) {
        set x;
        make(&x, se3_shape_c, 0.5, 0.05);
        x.rod.end[0].position = (withy_field){.size = 3, .call = shake};
        x.problem.gravity = (withy_vec3){-9.81, 0, 0};
        x.load[0] = tendon(ARM, 0, 0);
        x.load[0].tension = (withy_field){.size = 1, .call = pull, .context = &most[0]};
        x.load[1] = tendon(0, 0, 0);
        x.load[1].to = 0.06;
        x.load[1].route = (withy_field){.size = 2, .call = helical};
        x.load[1].tension.size = 0;
        x.load[1].displacement = (withy_field){.size = 1, .call = pull, .context = &most[1]};
        x.rod.load_count = 2;
        withy_sim *sim = start(&x, "director", options[k]);
        go(sim, 0.5);
        const withy_stats stats = withy_sim_stats(sim);
        CHECK(stats.accounted);
        CHECK_BELOW(stats.energy_drift, 1e-10);
        const wy_director *rod = rod_of(sim, 0);
        const double expected = rod->plan.tendon[1].length0 - most[1] * (1 - cos(5.0));
        CHECK_NEAR(wy_director_tendon_length(rod, 1, 0), expected, 1e-12);
        withy_sim_destroy(sim);
    }
}

/* Free in space: the tendon is inside, so that both momenta stay, and T l is the potential of a constant T. */
TEST(a_free_rod_with_tendons_keeps_its_momenta_and_the_potential_of_their_tension) {
    (void)unused_state;
    for (double dt = 1e-3; dt < 0.06; dt *= 7) {
        set x;
        char options[64];
        make(&x, se3_shape_c, 0.5, 0.5);
        x.rod.end[0].kind = x.rod.end[1].kind = WITHY_END_FREE;
        x.rod.spin = withy_field_vector(3, 5, 2);
        x.load[0] = tendon(ARM, 0, 0.4);
        x.load[1] = tendon(0, 0, 0.2);
        x.load[1].route = (withy_field){.size = 2, .call = helical};
        x.rod.load_count = 2;
        snprintf(options, sizeof options, "n=4 dt=%g", dt);
        withy_sim *sim = start(&x, "director", options);
        const wy_director *rod = rod_of(sim, 0);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const withy_vec3 p = snap->momentum, l = snap->angular_momentum;
        const double scale = sqrt(l.x * l.x + l.y * l.y + l.z * l.z);
        double first = 0;
        for (int k = 0; k < 2; k++) first += rod->tension[k] * wy_director_tendon_length(rod, k, 0);
        const double energy = wy_network_energy(sim->self);
        go(sim, 0.5);
        double last = 0;
        for (int k = 0; k < 2; k++) last += rod->tension[k] * wy_director_tendon_length(rod, k, 0);
        CHECK_NEAR((wy_network_energy(sim->self) + last - energy - first) / energy, 0, 1e-10);
        snap = withy_sim_sample(sim, 0);
        CHECK_BELOW(se3_distance(snap->angular_momentum, l) / scale, 1e-10);
        CHECK_BELOW(se3_distance(snap->momentum, p) / (scale / SE3_L), 1e-10);
        withy_sim_destroy(sim);
    }
}

TEST(a_rod_pulled_by_tendons_moves_as_in_se3) {
    (void)unused_state;
    double most[2] = {0.2, 0.0004};
    set x;
    make(&x, NULL, 0.3, 0.3);
    x.load[0] = tendon(ARM, 0, 0);
    x.load[0].tension = (withy_field){.size = 1, .call = pull, .context = &most[0]};
    x.load[1] = tendon(0, ARM, 0);
    x.load[1].tension.size = 0;
    x.load[1].displacement = (withy_field){.size = 1, .call = pull, .context = &most[1]};
    x.rod.load_count = 2;
    x.rod.damping_time = 2e-3;
    withy_vec3 tip[2][2];
    static const char *const options[2][2] = {{"n=4 degree=4 dt=0.002", "n=8 degree=4 dt=0.001"},
                                              {"n=40 dt=0.002", "n=80 dt=0.001"}};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 2; k++) {
            withy_sim *sim = start(&x, m ? "se3" : "director", options[m][k]);
            go(sim, 0.3);
            tip[m][k] = se3_tip(sim);
            withy_sim_destroy(sim);
        }
    const double error = se3_distance(tip[0][0], tip[0][1]) + se3_distance(tip[1][0], tip[1][1]);
    CHECK_BELOW(error, 2e-3 * SE3_L);
    CHECK_BELOW(se3_distance(tip[0][1], tip[1][1]), error);
}

/* Held bent by a tendon until t = 0, and then let go: as the release of the arc. */
TEST(a_tendon_that_acts_before_the_start_only_lets_the_rod_go) {
    (void)unused_state;
    set x;
    withy_load pull = tendon(ARM, 0, 0.3);
    make(&x, NULL, 0.1, 0.1);
    x.rod.settled = 1, x.rod.pull = &pull, x.rod.pull_count = 1;
    withy_sim *sim = start(&x, "director", "n=4 degree=4 dt=0.001");
    CHECK_NEAR(se3_tip(sim).x, TIP_X, 1e-8);
    go(sim, 0.1);
    CHECK(fabs(se3_tip(sim).x - TIP_X) > 1e-3);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
    withy_error err = {0};
    CHECK(withy_sim_create(&x.problem, "se3", NULL, 0, &sim, &err) == WITHY_UNSUPPORTED);
    pull.tension.size = 0, pull.displacement = withy_field_number(1e-3);
    CHECK(withy_sim_create(&x.problem, "director", NULL, 0, &sim, &err) == WITHY_UNSUPPORTED);
}

/* ---- networks --------------------------------------------------------------------------------------- */

/* The rod, or two halves of it, welded; tendons run through each half with a length of their own. */
static withy_vec3 halves(int split, int given, double stop, double *tension) {
    static withy_rod rod[2];
    static withy_load load[2][2];
    static withy_joint weld;
    withy_problem problem;
    for (int i = 0; i < 2; i++) {
        rod[i] = se3_rod(NULL, NULL);
        rod[i].load = load[i], rod[i].load_count = split ? 1 : 2;
        if (split) rod[i].length = SE3_L / 2;
        for (int k = 0; k < 2; k++) {
            load[i][k] = tendon(split ? (i ? 0 : ARM)
                                : k   ? 0
                                      : ARM,
                                split ? (i ? ARM : 0) : k * ARM, 0.2);
            load[i][k].to = split ? SE3_L / 2 : (k + 1) * SE3_L / 2;
            load[i][k].from = split ? 0 : k * SE3_L / 2;
            if (!given) continue;
            load[i][k].tension.size = 0;
            load[i][k].displacement = withy_field_number(0.0004);
        }
    }
    if (split) {
        rod[0].end[1].kind = WITHY_END_FREE, rod[1].end[0].kind = WITHY_END_FREE;
        rod[1].initial.from = (withy_vec3){0, 0, SE3_L / 2};
        rod[1].rest.from = rod[1].initial.from;
    }
    weld = (withy_joint){.kind = WITHY_JOINT_WELD, .place = {{.s = SE3_L / 2}, {.index = 1}}};
    problem = se3_problem(&rod[0], 0.1, 0.1);
    problem.rod = rod, problem.rod_count = 1 + split;
    problem.joint = &weld, problem.joint_count = split;
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    const int count = se3_options_of(split ? "n=3 dt=0.005" : "n=6 dt=0.005", option);
    CHECK_OK(withy_sim_create(&problem, "director", option, count, &sim, &err));
    if (stop > 0)
        go(sim, stop);
    else
        CHECK(rest(sim).negative == 0);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    const wy_director *second = rod_of(sim, split);
    *tension = second->tension[split ? 0 : 1];
    const withy_snapshot *snap = withy_sim_sample(sim, split);
    const withy_vec3 tip = snap->position[snap->count - 1];
    withy_sim_destroy(sim);
    return tip;
}

TEST(tendons_in_two_welded_halves_do_what_they_do_in_the_rod_itself) {
    (void)unused_state;
    for (int given = 0; given < 2; given++)
        for (int moves = 0; moves < 2; moves++) {
            double tension[2];
            const withy_vec3 a = halves(0, given, moves * 0.1, &tension[0]);
            const withy_vec3 b = halves(1, given, moves * 0.1, &tension[1]);
            CHECK_BELOW(se3_distance(a, b), 1e-10 * SE3_L);
            CHECK_NEAR(tension[0], tension[1], 1e-9);
            CHECK(fabs(a.x) > 1e-4 && fabs(a.y) > 1e-4);
        }
}

/* Two rods of half the length: welded (kind 0), or on both sides of a body with a hinge (kind 1), all along one
 * tendon; kind 2: the whole rod. */
typedef struct chain {
    withy_rod rod[2];
    withy_load load[2];
    withy_joint joint[2];
    withy_body body;
    withy_problem problem;
} chain;

static void make_chain(chain *x, int kind, double tension, double pulled) {
    const double half = SE3_L / 2, gap = kind == 1 ? 0.01 : 0;
    memset(x, 0, sizeof *x);
    x->problem = se3_problem(x->rod, 0.1, 0.1);
    for (int i = 0; i < 2; i++) {
        x->rod[i] = se3_rod(NULL, NULL);
        x->rod[i].load = &x->load[i], x->rod[i].load_count = 1;
        if (kind < 2) x->rod[i].length = half;
        x->load[i] = tendon(ARM, 0, tension);
        x->load[i].to = x->rod[i].length;
        x->load[i].name = i ? "tip" : "base";
        if (pulled > 0)
            x->load[i].tension.size = 0, x->load[i].displacement = withy_field_number(pulled);
    }
    if (kind == 2) return;
    x->load[1].continues = "base", x->load[1].tension.size = x->load[1].displacement.size = 0;
    x->rod[0].end[1].kind = x->rod[1].end[0].kind = WITHY_END_FREE;
    x->rod[1].initial.from = x->rod[1].rest.from = (withy_vec3){0, 0, half + gap};
    x->problem.rod_count = 2;
    x->problem.joint = x->joint, x->problem.joint_count = 1 + kind;
    x->joint[0] = (withy_joint){.kind = WITHY_JOINT_WELD, .place = {{.s = half}, {.index = 1}}};
    if (kind == 0) return;
    x->body = (withy_body){.mass = 0.002, .inertia = {1e-7, 1e-7, 1e-7}, .frame = {1, 0, 0, 0}};
    x->body.position = (withy_vec3){0, 0, half + gap / 2};
    x->problem.body = &x->body, x->problem.body_count = 1;
    const withy_place below = {.part = WITHY_PART_BODY, .at = {0, 0, -gap / 2}};
    const withy_place above = {.part = WITHY_PART_BODY, .at = {0, 0, gap / 2}};
    x->joint[0] = (withy_joint){.kind = WITHY_JOINT_HINGE,
                                .place = {{.s = half}, below},
                                .axis = {0, 1, 0},
                                .spring = 0.002};
    x->joint[1] = (withy_joint){.kind = WITHY_JOINT_WELD, .place = {above, {.index = 1}}};
}

static withy_sim *start_chain(const chain *x, const char *options) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    const int count = se3_options_of(options, option);
    CHECK_OK(withy_sim_create(&x->problem, "director", option, count, &sim, &err));
    return sim;
}

static withy_vec3 tip_of(withy_sim *sim, int rod) {
    const withy_snapshot *snap = withy_sim_sample(sim, rod);
    return snap->position[snap->count - 1];
}

TEST(a_tendon_through_a_weld_is_that_of_the_whole_rod) {
    (void)unused_state;
    for (int k = 0; k < 4; k++) {
        withy_vec3 tip[2];
        for (int kind = 0; kind < 3; kind += 2) {
            chain x;
            make_chain(&x, kind, 0.3, k % 2 * 8e-4);
            withy_sim *sim = start_chain(&x, kind ? "n=6 dt=0.005" : "n=3 dt=0.005");
            if (k / 2)
                go(sim, 0.1);
            else
                rest(sim);
            CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
            tip[kind / 2] = tip_of(sim, kind == 0);
            withy_sim_destroy(sim);
        }
        CHECK_BELOW(se3_distance(tip[0], tip[1]), 1e-10 * SE3_L);
        CHECK(fabs(tip[0].x) > 1e-4);
    }
}

/* Through a hinge the tendon is straight from rod to rod.  What a given length makes of the tension, given as a
 * tension makes the same shape: length and force belong to one potential. */
TEST(a_tendon_through_a_hinge_has_one_tension_for_its_length) {
    (void)unused_state;
    withy_vec3 tip[2];
    double tension = 0, angle[2];
    for (int k = 0; k < 2; k++) {
        chain x;
        make_chain(&x, 1, tension, k ? 0 : 0.002);
        withy_sim *sim = start_chain(&x, "n=3");
        CHECK(rest(sim).negative == 0);
        const wy_network *net = sim->self;
        tension = net->rod[0].tension[0];
        CHECK_NEAR(net->rod[1].tension[0], tension, 1e-15);
        tip[k] = tip_of(sim, 1);
        angle[k] = withy_sim_parts(sim)->joint[0].angle;
        withy_sim_destroy(sim);
    }
    CHECK(tension > 0.05 && fabs(angle[0]) > 0.01);
    CHECK_BELOW(se3_distance(tip[0], tip[1]), 1e-9 * SE3_L);
    CHECK_NEAR(angle[0], angle[1], 1e-9);
    for (int k = 0; k < 2; k++) { /* and in motion the ledger closes */
        chain x;
        make_chain(&x, 1, 0.2, k * 0.001);
        withy_sim *sim = start_chain(&x, "n=3 dt=0.005");
        go(sim, 0.1);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
        withy_sim_destroy(sim);
    }
}

TEST(a_tendon_that_continues_nothing_or_itself_or_twice_is_refused) {
    (void)unused_state;
    static const struct {
        const char *name[2], *continues[2], *words;
    } row[] = {
        {{"a", "b"}, {NULL, "c"}, "rods[2].loads[1].continues = \"c\": there is no tendon"},
        {{"a", "b"}, {"b", "a"}, "comes back to itself"},
        {{"a", "a"}, {NULL, NULL}, "each have a tendon named \"a\""},
    };
    for (int i = 0; i < 3; i++) {
        chain x;
        withy_option option[16];
        withy_error err = {0};
        withy_sim *sim = NULL;
        make_chain(&x, 0, 0.3, 0);
        for (int k = 0; k < 2; k++)
            x.load[k].name = row[i].name[k], x.load[k].continues = row[i].continues[k];
        CHECK(withy_sim_create(&x.problem, "director", option, 0, &sim, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, row[i].words) != NULL);
    }
}

/* The table of features and methods has no "no" in the row of director. */
TEST(director_has_every_capability_that_a_scene_may_require) {
    (void)unused_state;
    extern const wy_method wy_method_director;
#define CAN(name, words) CHECK(wy_method_director.can &WY_CAN(name));
#include "model/schema/capability.inc"
#undef CAN
}

RUN(test(a_tendon_bends_the_rod_into_an_arc_of_curvature_tau_r_over_ei),
    test(a_tendon_pulled_in_by_a_length_finds_its_tension),
    test(a_helical_tendon_that_ends_half_way_bends_the_rod_as_in_se3),
    test(tendons_through_the_rod_do_not_buckle_it),
    test(modes_of_a_rod_held_by_its_tendons_are_those_of_se3),
    test(the_ledger_closes_with_tendons_of_both_kinds_at_any_step),
    test(a_free_rod_with_tendons_keeps_its_momenta_and_the_potential_of_their_tension),
    test(a_rod_pulled_by_tendons_moves_as_in_se3),
    test(tendons_in_two_welded_halves_do_what_they_do_in_the_rod_itself),
    test(a_tendon_through_a_weld_is_that_of_the_whole_rod),
    test(a_tendon_through_a_hinge_has_one_tension_for_its_length),
    test(a_tendon_that_continues_nothing_or_itself_or_twice_is_refused),
    test(a_tendon_that_acts_before_the_start_only_lets_the_rod_go),
    test(director_has_every_capability_that_a_scene_may_require))
