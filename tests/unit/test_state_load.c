/* Loads that see the state: what they must equal, in every method that has them. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"
#include "random_number.h"

typedef struct scene {
    director_problem x;
    withy_problem *problem;
    withy_rod *rod;
} scene;

/* A soft rod along z, 1 m, clamped and free. */
static void make(scene *a) {
    director_plain(&a->x, 1, 1, 1, 1, 1);
    a->rod = &a->x.rod, a->problem = &a->x.problem;
    const double stiffness[6] = {300, 400, 1000, 1.0, 1.5, 0.8}, inertia[4] = {1, 5e-3, 6e-3, 8e-3};
    a->rod->section = (withy_section){0};
    for (int i = 0; i < 6; i++) a->rod->stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < 4; i++) a->rod->inertia[i] = withy_field_number(inertia[i]);
    a->rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    a->rod->load_count = 0;
    director_times(&a->x, 10, 0.1);
}

static withy_sim *start(const scene *a, const char *method, const char *options) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(withy_sim_create(a->problem, method, option, director_parse(options, option, 16), &sim,
                              &err));
    return sim;
}

/* The tip after a motion. */
static vec3 tip_at(const scene *a, const char *method, const char *options, double t) {
    withy_error err = {0};
    withy_sim *sim = start(a, method, options);
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const vec3 tip = snap->position[snap->count - 1];
    withy_sim_destroy(sim);
    return tip;
}

/* In equilibrium. */
static vec3 tip_still(const scene *a, const char *method, const char *options) {
    withy_error err = {0};
    withy_equilibrium point;
    withy_sim *sim = start(a, method, options);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const vec3 tip = snap->position[snap->count - 1];
    withy_sim_destroy(sim);
    return tip;
}

static double apart(vec3 a, vec3 b) {
    return v3_norm(v3_sub(a, b));
}

typedef withy_status function(void *, double, double, const withy_section_state *, double *,
                              withy_error *);
static withy_field from_state(function *f) {
    return (withy_field){.size = 3, .from_state = f};
}

static withy_status give(double *out, vec3 f) {
    v3_to(f, out);
    return WITHY_OK;
}

static withy_status tumble(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    return give(out, v3(1.5 * s * s, 0.8 * s, 0));
}

static const char *const DIRECTOR = "n=6 dt=0.01", *const CHEB = "n=14 integrator=radau dt=0.02",
                         *const FDTD = "n=24", *const SE3 = "n=40 dt=0.01";

/* ---- drag --------------------------------------------------------------------------------------- */

enum { SLOW = 3 };
static withy_status drag(void *context, double s, double t, const withy_section_state *state,
                         double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    return give(out, v3_scale(-SLOW, state->velocity));
}
static withy_status drag_spin(void *context, double s, double t, const withy_section_state *state,
                              double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    return give(out, v3_scale(-0.02, state->spin));
}

TEST(a_drag_written_as_a_function_is_the_built_in_drag) {
    (void)unused_state;
    scene a, b;
    make(&a), make(&b);
    a.rod->velocity = b.rod->velocity = (withy_field){.size = 3, .call = tumble};
    a.rod->drag_linear = SLOW, a.rod->drag_spin = 0.02;
    b.x.load[0] = (withy_load){.to = 1, .force = from_state(drag), .moment = from_state(drag_spin)};
    b.rod->load_count = 1;
    CHECK_BELOW(apart(tip_at(&a, "director", DIRECTOR, 0.4), tip_at(&b, "director", DIRECTOR, 0.4)),
                1e-6); /* nodes against Gauss points */
    CHECK_BELOW(apart(tip_at(&a, "cheb", CHEB, 0.4), tip_at(&b, "cheb", CHEB, 0.4)), 1e-9);
    CHECK_BELOW(apart(tip_at(&a, "fdtd", FDTD, 0.4), tip_at(&b, "fdtd", FDTD, 0.4)),
                1e-6); /* the built-in drag leaves the gyroscopic torque undamped within a step */
    CHECK_BELOW(apart(tip_at(&a, "se3", SE3, 0.4), tip_at(&b, "se3", SE3, 0.4)), 1e-9);
    a.rod->drag_spin = 0, b.x.load[0].moment.size = 0, b.x.load[0].moment.from_state = NULL;
    CHECK_BELOW(apart(tip_at(&a, "fdtd", FDTD, 0.4), tip_at(&b, "fdtd", FDTD, 0.4)), 1e-12);
}

/* ---- a spring to a point -------------------------------------------------------------------------- */

static withy_status home(void *context, double s, double t, const withy_section_state *state,
                         double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    return give(out, v3_scale(-4, v3_sub(state->position, v3(10, 20, 30 + s))));
}

/* x'' = -4 x: x = sin(2 t)/2 after a push of 1 m/s. */
TEST(springs_to_points_swing_the_rod_as_the_exact_oscillator_with_order_2) {
    (void)unused_state;
    scene a;
    make(&a);
    a.rod->end[0] = (withy_end){.kind = WITHY_END_FREE};
    a.rod->velocity = withy_field_vector(1, 0, 0);
    a.x.load[0] = (withy_load){.to = 1, .force = from_state(home)}, a.rod->load_count = 1;
    a.rod->initial.from = v3(10, 20, 30); /* positions are those of the laboratory */
    const vec3 exact = v3(10 + 0.5 * sin(2.4), 20, 31);
    const double coarse = apart(tip_at(&a, "director", "n=3 dt=0.05", 1.2), exact);
    const double fine = apart(tip_at(&a, "director", "n=3 dt=0.025", 1.2), exact);
    CHECK_BELOW(fine, 2e-4);
    CHECK_NEAR(coarse / fine, 4, 0.1);
    CHECK_BELOW(apart(tip_at(&a, "cheb", "n=8 integrator=radau dt=0.02", 1.2), exact), 1e-6);
    CHECK_BELOW(apart(tip_at(&a, "fdtd", "n=12 dt=0.0012", 1.2), exact), 1e-6);
    const double box = apart(tip_at(&a, "se3", "n=12 dt=0.05", 1.2), exact);
    const double finer = apart(tip_at(&a, "se3", "n=12 dt=0.025", 1.2), exact);
    CHECK_BELOW(finer, 2e-4); /* as director */
    CHECK_NEAR(box / finer, 4, 0.1);
}

/* ---- a field that acts on the frame ---------------------------------------------------------------- */

static withy_status magnet(void *context, double s, double t, const withy_section_state *state,
                           double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    return give(out, v3_scale(0.4, v3_cross(state->frame[0], v3(cos(2.0), sin(2.0), 0))));
}

/* Angle of the needle phi'' = -50 sin(phi), from 2 rad, after t. */
static double needle(double t) {
    double phi = -2.0, rate = 0;
    const double h = t / 1000;
    for (int k = 0; k < 1000; k++) {
        const double k1 = rate, l1 = -50 * sin(phi), k2 = rate + 0.5 * h * l1,
                     l2 = -50 * sin(phi + 0.5 * h * k1), k3 = rate + 0.5 * h * l2,
                     l3 = -50 * sin(phi + 0.5 * h * k2), k4 = rate + h * l3,
                     l4 = -50 * sin(phi + h * k3);
        phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return phi + 2.0;
}

static double turn_of(const scene *a, const char *method, const char *options, double t) {
    withy_error err = {0};
    withy_sim *sim = start(a, method, options);
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const vec3 d1 = q_matrix(snap->frame[snap->count / 2]).c1;
    withy_sim_destroy(sim);
    return atan2(d1.y, d1.x);
}

TEST(a_field_turns_a_free_rod_about_itself_as_a_compass_needle) {
    (void)unused_state;
    scene a;
    make(&a);
    a.rod->end[0] = (withy_end){.kind = WITHY_END_FREE};
    a.x.load[0] = (withy_load){.to = 1, .moment = from_state(magnet)}, a.rod->load_count = 1;
    const double exact = needle(0.3);
    const double coarse = fabs(turn_of(&a, "director", "n=3 dt=0.01", 0.3) - exact);
    const double fine = fabs(turn_of(&a, "director", "n=3 dt=0.005", 0.3) - exact);
    CHECK_BELOW(fine, 1e-3);
    CHECK_NEAR(coarse / fine, 4, 0.2);
    CHECK_NEAR(turn_of(&a, "cheb", "n=8 integrator=radau dt=0.02", 0.3), exact, 1e-4);
    CHECK_NEAR(turn_of(&a, "fdtd", "n=12 dt=0.001", 0.3), exact, 1e-4);
    const double box = fabs(turn_of(&a, "se3", "n=12 dt=0.01", 0.3) - exact);
    const double finer = fabs(turn_of(&a, "se3", "n=12 dt=0.005", 0.3) - exact);
    CHECK_BELOW(finer, 1e-3);
    CHECK_NEAR(box / finer, 4, 0.2);
}

/* ---- followers ------------------------------------------------------------------------------------- */

static withy_status follow(void *context, double s, double t, const withy_section_state *state,
                           double *out, withy_error *err) {
    const double size = context ? *(double *)context : 1.0;
    (void)s, (void)t, (void)err;
    return give(out, v3_scale(size, v3_sub(state->frame[1], v3_scale(0.3, state->frame[2]))));
}

/* Tip force and distributed force across the rod, as a follower or as a function. */
static void push_across(scene *a, int written) {
    static double end_size = 0.7, along_size = 0.8;
    const vec3 f = v3(0, 1, -0.3), end = v3_scale(end_size, f), along = v3_scale(along_size, f);
    make(a);
    withy_field tip = withy_field_vector(end.x, end.y, end.z);
    withy_field rest = withy_field_vector(along.x, along.y, along.z);
    if (written) {
        tip = (withy_field){.size = 3, .from_state = follow, .context = &end_size};
        rest = (withy_field){.size = 3, .from_state = follow, .context = &along_size};
    }
    a->rod->end[1] = (withy_end){.kind = WITHY_END_FREE, .force = tip, .follower = !written};
    a->x.load[0] = (withy_load){.from = 0.5, .to = 1, .force = rest, .follower = !written};
    a->rod->load_count = 1;
}

TEST(a_follower_written_as_a_function_is_the_built_in_follower_at_rest_and_in_motion) {
    (void)unused_state;
    scene a, b;
    push_across(&a, 0), push_across(&b, 1);
    const struct {
        const char *method, *options;
        double equilibrium, moving;
    } row[] = {{"director", DIRECTOR, 1e-5, 1e-4},
               {"cheb", "n=14 integrator=radau dt=0.02", 1e-4, 1e-4},
               {"fdtd", "n=24", 2e-3, 2e-3},
               {"se3", SE3, 1e-9, 1e-9},
               {"se3", "n=20 dt=0.01 scheme=rk4", 1e-8, 1e-8}};
    for (int k = 0; k < 5; k++) {
        const vec3 p = tip_still(&a, row[k].method, row[k].options);
        CHECK(p.y > 0.2); /* it bends */
        CHECK_BELOW(apart(p, tip_still(&b, row[k].method, row[k].options)), row[k].equilibrium);
        CHECK_BELOW(apart(tip_at(&a, row[k].method, row[k].options, 0.6),
                          tip_at(&b, row[k].method, row[k].options, 0.6)),
                    row[k].moving);
    }
}

/* ---- any polynomial -------------------------------------------------------------------------------- */

/* Random coefficients, the same in every run; each number in (-1, 1). */
static double coefficient(unsigned *seed) {
    random_next(seed);
    return (*seed >> 8) / 8388608.0 - 1.0;
}

static withy_status polynomial(void *context, double s, double t, const withy_section_state *state,
                               double *out, withy_error *err) {
    const double *x = &state->position.x; /* twelve numbers and the frame in a row */
    unsigned seed = *(const unsigned *)context;
    (void)err;
    for (int k = 0; k < 3; k++) {
        out[k] = 0.3 * coefficient(&seed) * (1 + s - t);
        for (int i = 0; i < 15; i++) {
            const double c = 0.2 * coefficient(&seed), e = 0.1 * coefficient(&seed);
            out[k] += c * x[i] + e * x[i] * x[(i + 4) % 15];
        }
        for (int i = 15; i < 18; i++) out[k] += 0.01 * coefficient(&seed) * x[i];
        out[k] *= 3 * t * t / (0.1 + t * t); /* it comes on gently: no waves that a step misses */
    }
    return WITHY_OK;
}

static void random_load(scene *a, unsigned *seed) {
    make(a);
    const withy_field f = {.size = 3, .from_state = polynomial, .context = &seed[0]};
    const withy_field m = {.size = 3, .from_state = polynomial, .context = &seed[1]};
    const withy_field p = {.size = 3, .from_state = polynomial, .context = &seed[2]};
    a->x.load[0] = (withy_load){.to = 1, .force = f, .moment = withy_field_vector(0, 0.1, 0)};
    a->x.load[1] = (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.4, .to = 0.4, .force = p};
    a->rod->load_count = 2;
    a->rod->end[1] = (withy_end){.kind = WITHY_END_FREE, .force = p, .moment = m};
}

TEST(methods_agree_on_a_random_polynomial_of_the_state_and_director_keeps_order_2) {
    (void)unused_state;
    unsigned seed[3] = {11, 22, 33};
    scene a;
    random_load(&a, seed);
    const vec3 d = tip_at(&a, "director", "n=5 dt=0.01", 0.4);
    const vec3 e = tip_at(&a, "director", "n=5 dt=0.005", 0.4);
    const vec3 f = tip_at(&a, "director", "n=5 dt=0.0025", 0.4);
    CHECK(v3_norm(f) > 0.5 && apart(f, v3(0, 0, 1)) > 0.05);
    CHECK_NEAR(apart(d, e) / apart(e, f), 4, 0.8);
    const vec3 best = v3_axpy(f, 1.0 / 3, v3_sub(f, e));
    const vec3 c = tip_at(&a, "cheb", "n=12 integrator=radau dt=0.02", 0.4);
    CHECK_BELOW(apart(c, best), 3e-4); /* a point load on 12 nodes */
    const vec3 g = tip_at(&a, "fdtd", "n=20", 0.4), h = tip_at(&a, "fdtd", "n=40", 0.4);
    CHECK_BELOW(apart(h, best), 3e-4);
    CHECK(apart(h, best) < 0.5 * apart(g, best));
}

/* Both take the midpoint of a step: at the same one they differ by the grid of se3, of second order.  (Its order in time is
 * that of the oscillator and of the needle above.) */
TEST(se3_agrees_with_director_on_a_random_polynomial_of_the_state_with_order_2) {
    (void)unused_state;
    unsigned seed[3] = {11, 22, 33};
    static const char *const grid[4] = {"n=32 dt=0.0025", "n=64 dt=0.0025", "n=128 dt=0.0025",
                                        "n=32 dt=0.02 scheme=rk4"};
    double off[4];
    scene a;
    random_load(&a, seed);
    a.x.load[1].from = a.x.load[1].to = 0.5; /* on a node */
    const vec3 best = tip_at(&a, "director", "n=20 dt=0.0025", 0.4);
    for (int k = 0; k < 3; k++) off[k] = apart(tip_at(&a, "se3", grid[k], 0.4), best);
    print_message("se3 from director: %.2e %.2e %.2e\n", off[0], off[1], off[2]);
    CHECK_NEAR(off[0] / off[1], 4, 0.8);
    CHECK_NEAR(off[1] / off[2], 4, 0.8);
    a.x.load[1].from = a.x.load[1].to =
        0.4; /* between two: of second order too, with another factor */
    CHECK_BELOW(
        apart(tip_at(&a, "se3", grid[2], 0.4), tip_at(&a, "director", "n=20 dt=0.0025", 0.4)),
        6e-5); /* h^2 */
    a.rod->load_count =
        1; /* rk4 takes no point loads inside, and no steps that are short for a cell */
    CHECK_BELOW(apart(tip_at(&a, "se3", grid[3], 0.4), tip_at(&a, "director", "n=20 dt=0.02", 0.4)),
                4e-4); /* dt^2 */
}

/* Equilibria: with velocity and spin zero. */
TEST(methods_agree_on_the_equilibrium_under_a_random_polynomial_of_the_state) {
    (void)unused_state;
    unsigned seed[3] = {11, 22, 33};
    scene a;
    random_load(&a, seed);
    const vec3 d = tip_still(&a, "director", "n=6"), e = tip_still(&a, "director", "n=12");
    CHECK_BELOW(apart(d, e), 1e-5);
    CHECK_BELOW(apart(tip_still(&a, "cheb", "n=16"), e), 1e-3);
    CHECK_BELOW(apart(tip_still(&a, "fdtd", "n=40"), e), 1e-3);
    const double coarse = apart(tip_still(&a, "se3", "n=40"), e);
    const double fine = apart(tip_still(&a, "se3", "n=80"), e);
    CHECK_BELOW(fine, 1e-3);
    CHECK_NEAR(coarse / fine, 4, 0.8);
}

/* ---- modes ---------------------------------------------------------------------------------------------- */

static withy_mode mode_of(const scene *a, const char *method, const char *options) {
    withy_error err = {0};
    withy_mode *mode = NULL;
    withy_equilibrium point;
    withy_sim *sim = start(a, method, options);
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &point, &err));
    CHECK_OK(withy_sim_modes(sim, 1, &mode, &err));
    const withy_mode out = mode[0];
    withy_modes_free(mode, mode[0].total);
    withy_sim_destroy(sim);
    return out;
}

static withy_status drag_home(void *context, double s, double t, const withy_section_state *state,
                              double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const vec3 away = v3_sub(state->position, v3(0, 0, s));
    return give(out, v3_add(v3_scale(-0.5, state->velocity), v3_scale(-6, away)));
}

/* Both by springs and drag along the rod and at its tip: the frequencies of a soft rod, and how they decay. */
TEST(modes_feel_what_a_load_sees_of_place_and_velocity) {
    (void)unused_state;
    scene a;
    make(&a);
    const withy_mode bare = mode_of(&a, "se3", "n=100");
    a.x.load[0] = (withy_load){.to = 1, .force = from_state(drag_home)}, a.rod->load_count = 1;
    a.rod->end[1] = (withy_end){.kind = WITHY_END_FREE, .force = from_state(drag_home)};
    const withy_mode d = mode_of(&a, "director", "n=12"), e = mode_of(&a, "se3", "n=100");
    CHECK(d.frequency > 1.1 * bare.frequency && d.damping > 0.02);
    CHECK_NEAR(e.frequency / d.frequency, 1, 1e-3);
    CHECK_NEAR(e.damping / d.damping, 1, 1e-3);
}

/* ---- the ledger -------------------------------------------------------------------------------------- */

TEST(energy_minus_the_work_of_loads_that_see_the_state_is_constant) {
    (void)unused_state;
    unsigned seed[3] = {11, 22, 33};
    withy_error err = {0};
    scene a;
    random_load(&a, seed);
    static const char *const row[2][2] = {{"director", "n=5 dt=0.02"},
                                          {"se3", "n=20 dt=0.02 newton_tol=1e-9"}};
    for (int k = 0; k < 2; k++) {
        withy_sim *sim = start(&a, row[k][0], row[k][1]);
        CHECK_OK(withy_sim_advance(sim, 1.0, &err));
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
        withy_sim_destroy(sim);
    }
}

/* ---- failures --------------------------------------------------------------------------------------------- */

static withy_status tired(void *context, double s, double t, const withy_section_state *state,
                          double *out, withy_error *err) {
    (void)context, (void)s, (void)state;
    if (t > 0.1) {
        snprintf(err->text, sizeof err->text, "this load is tired");
        return err->code = WITHY_BAD_INPUT;
    }
    return give(out, v3(0, t < 0 ? NAN : 0.1, 0));
}

TEST(a_function_that_fails_ends_the_motion_with_its_own_sentence) {
    (void)unused_state;
    static const char *const row[][2] = {
        {"se3", "n=20 dt=0.02"}, {"se3", "n=20 dt=0.02 scheme=rk4"}, {"director", "n=5 dt=0.02"}};
    for (int k = 0; k < 3; k++)
        for (int at_end = 0; at_end < 2; at_end++) {
            withy_error err = {0};
            scene a;
            make(&a);
            a.x.load[0] = (withy_load){.to = 1, .force = from_state(tired)};
            a.rod->load_count = !at_end;
            if (at_end)
                a.rod->end[1] = (withy_end){.kind = WITHY_END_FREE, .force = from_state(tired)};
            withy_sim *sim = start(&a, row[k][0], row[k][1]);
            CHECK_OK(withy_sim_advance(sim, 0.08, &err));
            CHECK(withy_sim_advance(sim, 0.2, &err) == WITHY_BAD_INPUT);
            if (!strstr(err.text, "this load is tired"))
                fail_msg("%s, %d: %s", row[k][0], at_end, err.text);
            withy_sim_destroy(sim);
        }
}

/* A second rod, far away, on which nothing acts. */
static void add_rod(scene *a, withy_rod two[2]) {
    two[0] = two[1] = *a->rod;
    two[1].load_count = 0, two[1].initial.from = (withy_vec3){0, 50, 0};
    two[1].end[1] = (withy_end){.kind = WITHY_END_FREE};
    a->problem->rod = two, a->problem->rod_count = 2;
}

/* What a load gets, and when it is asked, does not depend on what else there is: of two rods the functions were asked at
 * t = 0 in statics, whatever the load factor. */
TEST(the_equilibrium_under_a_random_polynomial_of_the_state_is_the_same_beside_another_rod) {
    (void)unused_state;
    for (unsigned k = 0; k < 5; k++) {
        unsigned seed[3] = {11 + k, 22 + k, 33 + k};
        withy_rod two[2];
        scene a;
        random_load(&a, seed);
        const vec3 alone = tip_still(&a, "director", "n=6");
        add_rod(&a, two);
        CHECK_BELOW(apart(alone, tip_still(&a, "director", "n=6")), 1e-12);
    }
}

TEST(order_4_is_refused_with_loads_that_see_the_state_alone_and_beside_another_rod) {
    (void)unused_state;
    for (int rods = 1; rods <= 2; rods++) {
        withy_option option[16];
        withy_error err = {0};
        withy_sim *sim = NULL;
        withy_rod two[2];
        scene a;
        make(&a);
        a.x.load[0] = (withy_load){.to = 1, .force = from_state(drag)};
        a.rod->load_count = 1;
        if (rods == 2) add_rod(&a, two);
        const int count = director_parse("n=4 dt=0.01 order=4", option, 16);
        CHECK(withy_sim_create(a.problem, "director", option, count, &sim, &err) ==
              WITHY_BAD_INPUT);
        if (!strstr(err.text, "options.order = 4") || !strstr(err.text, "use order = 2"))
            fail_msg("%s", err.text);
    }
}

RUN(test(the_equilibrium_under_a_random_polynomial_of_the_state_is_the_same_beside_another_rod),
    test(order_4_is_refused_with_loads_that_see_the_state_alone_and_beside_another_rod),
    test(a_drag_written_as_a_function_is_the_built_in_drag),
    test(springs_to_points_swing_the_rod_as_the_exact_oscillator_with_order_2),
    test(a_field_turns_a_free_rod_about_itself_as_a_compass_needle),
    test(a_follower_written_as_a_function_is_the_built_in_follower_at_rest_and_in_motion),
    test(methods_agree_on_a_random_polynomial_of_the_state_and_director_keeps_order_2),
    test(se3_agrees_with_director_on_a_random_polynomial_of_the_state_with_order_2),
    test(modes_feel_what_a_load_sees_of_place_and_velocity),
    test(a_function_that_fails_ends_the_motion_with_its_own_sentence),
    test(methods_agree_on_the_equilibrium_under_a_random_polynomial_of_the_state),
    test(energy_minus_the_work_of_loads_that_see_the_state_is_constant))
