/* slow under sanitizers
 *
 * Equilibria with driven ends, and the state after statics, for every method that has them. */
#include "base/vec.h"
#include "check.h"
#include "fixture.h"
#include "study/sim.h"
#include "withy/withy.h"

static withy_sim *sim_of(const withy_scene *scene, const char *method) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(withy_scene_sim(scene, method, &sim, &err));
    return sim;
}

/* ---- driven ends ------------------------------------------------------------------------------ */

/* Both ends of a straight rod held, one turned about it: the twist is the angle over the length, and
 * the moment GJ times that.  Far below the torque at which the rod would buckle (4.5 EI/L). */
#define TURNED                                                                                     \
    "rod = { length = 2, stiffness = { stretch = 1e4, shear = 1e4, bend = 50, twist = 1 }, "       \
    "inertia = { mass = 1, rotary = { 0.01, 0.01, 0.02 } } }, "                                    \
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, "                     \
    "normal = { 0, 1, 0 } } }, "

static const char *const twisted =
    "local a = 2 * math.pi\n"
    "return { " TURNED "ends = { start = clamped {}, finish = guided { tangent = { 1, 0, 0 }, "
    "normal = function(t) return 0, math.cos(a * t), math.sin(a * t) end } }, "
    "path = { to = 1, steps = 1 } }";

/* One turn between 30 and 31; at the other whole numbers, where the first 61 looks at a way of 61 are, as at 0. */
static const char *const hidden =
    "local a = 2 * math.pi\n"
    "return { " TURNED "ends = { start = clamped {}, finish = guided { tangent = { 1, 0, 0 }, "
    "normal = function(t) t = math.min(1, math.max(0, t - 30)) "
    "return 0, math.cos(a * t), math.sin(a * t) end } }, "
    "path = { to = 1, steps = 1 } }";

/* |m| at the start, and the sum of the iterations. */
static double torque_of(const char *text, const char *method, double turns, int calls,
                        int *iterations) {
    withy_scene *scene = scene_of(text, NULL);
    withy_sim *sim = sim_of(scene, method);
    withy_error err = {0};
    *iterations = 0;
    for (int k = 1; k <= calls; k++) {
        withy_equilibrium at;
        CHECK_OK(withy_sim_equilibrium(sim, turns * k / calls, &at, &err));
        CHECK_NEAR(at.factor, turns * k / calls, 0);
        *iterations += at.iterations;
    }
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double torque = fabs(snap->reaction_moment[0].x);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return torque;
}

static double torque_after(const char *method, double turns, int calls, int *iterations) {
    return torque_of(twisted, method, turns, calls, iterations);
}

static const char *const driving[] = {"director", "cheb", "kirchhoff", "se3"};

TEST(a_clamp_driven_by_several_turns_in_one_call_ends_where_many_calls_end) {
    const double turns = 3.3, truth = 2 * WY_PI * turns / 2; /* GJ = 1, L = 2 */
    for (int i = 0; i < 4; i++) {
        int once, often;
        const double one = torque_after(driving[i], turns, 1, &once);
        const double many = torque_after(driving[i], turns, 40, &often);
        print_message("%s: torque %.9f in one call (%d iterations), %.9f in 40 (%d), %.9f true\n",
                      driving[i], one, once, many, often, truth);
        /* uniform twist: nothing but rounding and what Newton leaves, 1e-9 of the strains */
        CHECK_NEAR(one, many, 1e-7 * truth);
    }
    int iterations; /* cheb and se3 hold a uniform twist exactly, the others to their order */
    CHECK_NEAR(torque_after("cheb", turns, 1, &iterations), truth, 1e-7 * truth);
    CHECK_NEAR(torque_after("se3", turns, 1, &iterations), truth, 1e-7 * truth);
}

TEST(whole_turns_are_not_taken_for_rest) {
    int iterations; /* at 2 the clamp is as at 0 */
    CHECK_NEAR(torque_after("cheb", 2, 1, &iterations), 2 * WY_PI, 1e-7);
    CHECK_NEAR(torque_of(hidden, "se3", 61, 1, &iterations), WY_PI, 1e-7);
    CHECK_NEAR(torque_of(hidden, "director", 61, 1, &iterations), WY_PI, 1e-5); /* to its order */
}

TEST(kirchhoff_asks_for_more_intervals_when_one_would_twist_beyond_its_largest_torque) {
    withy_error err = {0};
    withy_equilibrium at;
    withy_scene *scene = scene_of(twisted, NULL);
    withy_sim *sim;
    const withy_option coarse = {.name = "n", .number = 16};
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), "kirchhoff", &coarse, 1, &sim, &err));
    CHECK(withy_sim_equilibrium(sim, 3, &at, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "more than the mesh resolves (45)") !=
          NULL); /* 16 of them are two turns */
    CHECK(strstr(err.text, "use more nodes (options.n, now 16)") != NULL);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

/* A pinned end led aside by 0.3 L and back again: at 0.5 it is where it was at 0. */
static const char *const led =
    "local a = 2 * math.pi\n"
    "return { rod = { length = 1, stiffness = { stretch = 1e4, shear = 1e4, bend = 1, twist = 1 }, "
    "inertia = { mass = 1, rotary = 0.01 } }, "
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, "
    "ends = { start = clamped {}, finish = pinned { position = function(t) "
    "return 1 - 0.3 * math.sin(a * t)^2, 0.3 * math.sin(a * t), 0 end } }, "
    "path = { to = 1, steps = 1 } }";

TEST(an_end_led_away_and_back_goes_the_whole_way) {
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = scene_of(led, NULL);
        withy_sim *sim = sim_of(scene, i ? "cheb" : "director");
        withy_error err = {0};
        withy_equilibrium at, again;
        CHECK_OK(withy_sim_equilibrium(sim, 0.5, &at, &err));
        CHECK(at.iterations > 10);
        CHECK_NEAR(at.energy, 0, 1e-9);
        CHECK_OK(withy_sim_equilibrium(sim, 0.5, &again, &err)); /* no way to go */
        CHECK(again.iterations < at.iterations / 3);
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
}

/* The ring stays one, in whatever plane through the tangent of the clamps (it may turn freely about
 * that), and is twisted uniformly. */
typedef struct ring {
    double energy, force, torque;
} ring;

static ring ring_at(const char *method, double n, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    withy_scene *scene;
    withy_sim *sim;
    const withy_option option = {.name = "n", .number = n};
    const char *const path = WITHY_SOURCE "/cases/michell_ring/scene.lua";
    const withy_status status = withy_scene_read(path, NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(status);
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), method, &option, 1, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 0, &at, &err));
    CHECK_OK(withy_sim_equilibrium(sim, factor, &at, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_vec3 f = snap->reaction[0];
    const ring out = {at.energy, v3_norm(f), fabs(snap->reaction_moment[0].x)};
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return out;
}

TEST(kirchhoff_and_director_agree_on_michells_ring_at_a_tenth_of_the_twist_in_one_call) {
    const double angle = 0.1 * 2 * WY_PI * sqrt(3) * 1.345 / 0.789, length = 2 * WY_PI;
    const double torque = 0.789 * angle / length; /* and the force of a ring of radius 1 */
    const double energy = 0.5 * 1.345 * length + 0.5 * torque * angle;
    const ring a = ring_at("director", 64, 0.1), coarse = ring_at("kirchhoff", 64, 0.1),
               b = ring_at("kirchhoff", 128, 0.1);
    print_message("energy %.6f true, director %.6f, kirchhoff %.6f and %.6f\n", energy, a.energy,
                  coarse.energy, b.energy);
    CHECK_NEAR(a.energy, energy, 1e-5 * energy);
    CHECK_NEAR(a.torque, torque, 1e-5 * torque);
    CHECK_NEAR(a.force, torque, 1e-5 * torque);
    /* kirchhoff is of second order: a third of the last difference is left */
    CHECK_NEAR(b.energy, a.energy, 0.5 * fabs(coarse.energy - b.energy));
    CHECK_NEAR(b.torque, a.torque, 0.5 * fabs(coarse.torque - b.torque));
    CHECK_NEAR(b.force, a.force, 0.5 * fabs(coarse.force - b.force));
}

/* ---- loads ------------------------------------------------------------------------------------ */

/* The end force is a function of the factor; everything else is constant, and grows with it. */
static const char *const mixed =
    "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, "
    "shear = 4e7, density = 1000 } }, gravity = { 0, 0, -9.81 }, "
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, "
    "loads = { distributed { force = { 0, 0, 1 } }, point { at = 0.5, force = { 0, 0, 0.3 } } }, "
    "ends = { start = clamped {}, finish = free { force = function(t) return 0, t * t, 0 end } }, "
    "path = { to = 1, steps = 1 } }";

TEST(constant_loads_grow_with_the_factor_beside_a_function_of_it_in_every_method) {
    withy_scene *scene = scene_of(mixed, NULL);
    const double weight = 1000 * WY_PI * 1e-4 * 9.81;
    for (int i = 0; i < wy_method_count(); i++) {
        const wy_method *method = wy_method_at(i);
        if (!method->equations || method->needs) continue;
        withy_sim *sim = sim_of(scene, method->name);
        for (double factor = 0.5; factor >= 0; factor -= 0.25) {
            withy_equilibrium at;
            withy_error err = {0};
            CHECK_OK(withy_sim_equilibrium(sim, factor, &at, &err));
            const withy_vec3 force = withy_sim_sample(sim, 0)->reaction[0];
            print_message("%s at %g: (%.9f, %.9f)\n", method->name, factor, force.y, force.z);
            /* the clamp holds the sum of the loads: to rounding, but in se3 to its order, 1e-6; a
             * load that does not grow would be off by a third of the weight or more */
            CHECK_NEAR(force.z, factor * (weight - 1.3), 3e-6 * weight);
            CHECK_NEAR(force.y, -factor * factor, 3e-6 * weight);
        }
        withy_sim_destroy(sim);
    }
    withy_scene_destroy(scene);
}

/* ---- the clock -------------------------------------------------------------------------------- */

/* A cantilever that every method with statics accepts. */
static const char *const heavy =
    "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, "
    "shear = 4e7, density = 1000 } }, gravity = { 0, 0, -9.81 }, "
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, "
    "ends = { start = clamped {} }, path = { to = 1, steps = 1 }, "
    "time = { stop = 0.02, output = 0.01 } }";

typedef void visit(withy_sim *sim, const char *method);

static void visit_methods(visit *from_state) {
    int seen = 0;
    withy_scene *scene = scene_of(heavy, NULL);
    for (int i = 0; i < wy_method_count(); i++) {
        const wy_method *method = wy_method_at(i);
        if (!method->equations || method->needs) continue;
        withy_sim *sim = sim_of(scene, method->name);
        from_state(sim, method->name);
        withy_sim_destroy(sim);
        seen++;
    }
    CHECK(seen >= 5);
    withy_scene_destroy(scene);
}

static void check_clock(withy_sim *sim, double expected) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL);
    CHECK_NEAR(withy_sim_time(sim), expected, 0);
    CHECK_NEAR(snap->t, expected, 0);
}

static void sees_the_factor(withy_sim *sim, const char *method) {
    const double factor[] = {0.5, 1.0, 0.25};
    withy_equilibrium at;
    withy_error err = {0};
    print_message("%s\n", method);
    check_clock(sim, 0);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(withy_sim_equilibrium(sim, factor[i], &at, &err));
        CHECK_NEAR(at.factor, factor[i], 0);
        check_clock(sim, factor[i]);
        CHECK_NEAR(withy_sim_sample(sim, 0)->conserved_at, factor[i], 0);
    }
}

TEST(after_an_equilibrium_time_and_snapshot_are_at_its_factor_in_every_method) {
    visit_methods(sees_the_factor);
}

static double tip_of(withy_sim *sim) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    return snap->position[snap->count - 1].z;
}

/* Under the full load an equilibrium stays; under half of it the tip falls, at first as g/2. */
static void sees_motion(withy_sim *sim, const char *method) {
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const double equilibrium = tip_of(sim);
    CHECK_OK(withy_sim_advance(sim, 0.02, &err));
    check_clock(sim, 0.02);
    print_message("%s: tip %.6f, after 0.02 s at rest moved by %.1e, ", method, equilibrium,
                  tip_of(sim) - equilibrium);
    CHECK_NEAR(tip_of(sim), equilibrium, 1e-7);           /* g t^2/2 is 2e-3 */
    CHECK_OK(withy_sim_equilibrium(sim, 0.5, &at, &err)); /* from a motion: the clock goes back */
    check_clock(sim, 0.5);
    const double half = tip_of(sim);
    CHECK_OK(withy_sim_advance(sim, 0, &err));
    check_clock(sim, 0);
    CHECK_NEAR(tip_of(sim), half, 0);
    CHECK_OK(withy_sim_advance(sim, 0.02, &err));
    check_clock(sim, 0.02);
    print_message("from half the load by %.6f\n", tip_of(sim) - half);
    /* the clamp holds the tip back by 4 % by then, the coarsest default step by 2 % more */
    CHECK_NEAR(tip_of(sim) - half, -0.5 * 9.81 / 2 * 0.02 * 0.02, 1e-4);
}

TEST(motion_after_an_equilibrium_starts_at_0_under_the_full_load_in_every_method) {
    visit_methods(sees_motion);
}

RUN(test(a_clamp_driven_by_several_turns_in_one_call_ends_where_many_calls_end),
    test(whole_turns_are_not_taken_for_rest),
    test(kirchhoff_asks_for_more_intervals_when_one_would_twist_beyond_its_largest_torque),
    test(an_end_led_away_and_back_goes_the_whole_way),
    test(kirchhoff_and_director_agree_on_michells_ring_at_a_tenth_of_the_twist_in_one_call),
    test(constant_loads_grow_with_the_factor_beside_a_function_of_it_in_every_method),
    test(after_an_equilibrium_time_and_snapshot_are_at_its_factor_in_every_method),
    test(motion_after_an_equilibrium_starts_at_0_under_the_full_load_in_every_method))
