/* Many rods of one scene that step together (withy/ensemble.h): in vectors, on whatever device there is, and one by one,
 * against the same simulation advanced alone. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/opencl.h"
#include "base/vec.h"
#include "check.h"
#include "withy/withy.h"

enum { N = 12, MEMBERS = 11, STEPS = 100 };
static const double DT = 2e-3;

static withy_status throw_it(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.4 * sin(3 * s), out[1] = 0.3 * s, out[2] = 0.1;
    return WITHY_OK;
}
static withy_status blow(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    out[0] = 0.3 * sin(20 * t) * s, out[1] = 0.2, out[2] = 0.1 * s;
    return WITHY_OK;
}
static withy_status lead(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.05 * sin(9 * t), out[1] = 0.2 * t * t, out[2] = 0;
    return WITHY_OK;
}
static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const quat turned = q_exp(v3(0.5 * sin(6 * t), 0.3 * t * t, 0));
    out[0] = turned.w, out[1] = turned.x, out[2] = turned.y, out[3] = turned.z;
    return WITHY_OK;
}

typedef struct scene {
    withy_problem problem;
    withy_rod rod;
    withy_load load[2];
} scene;

enum { HANGS, PINNED, THROWN, DAMPED, DRIVEN, LOADED, LANDS, BOTH, SCENES };

/* A rod along x, 1 m long, that bends by its own weight. */
static void set_scene(scene *x, int kind) {
    memset(x, 0, sizeof *x);
    x->problem = withy_problem_default();
    withy_rod *rod = &x->rod;
    *rod = withy_rod_default();
    rod->section.a = withy_field_number(0.01);
    rod->material = (withy_material){1e7, 1e7 / 3, 1000};
    rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 0, 1}};
    rod->end[0].kind = kind == PINNED   ? WITHY_END_PINNED
                       : kind == THROWN ? WITHY_END_FREE
                                        : WITHY_END_CLAMPED;
    if (kind == BOTH) rod->end[1].kind = WITHY_END_CLAMPED;
    x->problem.gravity = v3(0, 0, -9.81);
    if (kind == THROWN) rod->velocity = (withy_field){.size = 3, .call = throw_it};
    if (kind == DAMPED || kind == LANDS) {
        rod->rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                  .strain = {.size = 6, .value = {0.01, 0, 0.02, 0.3, -0.5, 0.2}}};
        rod->damping_time = 1e-3;
        rod->drag_linear = 0.3, rod->drag_quadratic = 0.4, rod->drag_spin = 1e-4;
    }
    if (kind == DRIVEN) {
        rod->end[0].position = (withy_field){.size = 3, .call = lead};
        rod->end[0].frame = (withy_field){.size = 4, .call = swing};
        rod->initial.along = v3(0, 0, 1), rod->initial.normal = v3(1, 0, 0);
    }
    if (kind == LOADED) {
        x->load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = rod->length};
        x->load[0].force = (withy_field){.size = 3, .call = blow};
        x->load[1] = (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.37, .to = 0.37};
        x->load[1].force = withy_field_vector(0.05, 0.1, 0.2);
        x->load[1].moment = withy_field_vector(0, 0.002, 0.001);
        rod->load = x->load, rod->load_count = 2;
        rod->end[1].force = withy_field_vector(0.1, 0.02, 0.05);
        rod->end[1].moment = withy_field_vector(1e-4, 0, 2e-3);
        rod->damping_time = 1e-3;
    }
    if (kind == LANDS)
        x->problem.floor = (withy_floor){
            .given = 1, .point = {0, 0, -0.1}, .normal = {0, 0, 1}, .stiffness = 400, .damping = 2};
    x->problem.rod = rod, x->problem.rod_count = 1;
    x->problem.request.stop = 10, x->problem.request.output = 0.02;
}

static withy_sim *make_sim(scene *x, int kind, double xi) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    const withy_option option[] = {{"n", N, ""}, {"degree", 1, ""}, {"dt", DT, ""}, {"xi", xi, ""}};
    set_scene(x, kind);
    CHECK_OK(withy_sim_create(&x->problem, "director", option, 4, &sim, &err));
    return sim;
}

static withy_ensemble *make_ensemble(const withy_sim *sim, int count, withy_engine engine,
                                     const withy_ensemble_options *more) {
    withy_error err = {0};
    withy_ensemble *x = NULL;
    withy_ensemble_options how = more ? *more : withy_ensemble_default();
    how.engine = engine, how.threads = how.threads ? how.threads : 2;
    CHECK_OK(withy_ensemble_create(sim, count, &how, &x, &err));
    return x;
}

/* How far two samples are apart, over the length; and their energies, over all of it. */
static double apart(withy_sim *a, withy_sim *b, double *energy) {
    const withy_snapshot *p = withy_sim_sample(a, 0), *q = withy_sim_sample(b, 0);
    double most = 0;
    if (!p || !q) return NAN;
    for (int i = 0; i < p->count; i++)
        most = wy_max(most, v3_norm(v3_sub(p->position[i], q->position[i])));
    const withy_stats s = withy_sim_stats(a), t = withy_sim_stats(b);
    *energy = wy_max(fabs(s.energy_end - t.energy_end),
                     fabs(p->work - q->work) + fabs(p->dissipated - q->dissipated)) /
              wy_max(s.energy_scale, 1e-300);
    return most;
}

static const char *const name[SCENES] = {"hangs",  "pinned", "thrown", "damped",
                                         "driven", "loaded", "lands",  "both ends"};

static void compare(withy_engine engine, double place, double balance) {
    for (int kind = 0; kind < SCENES; kind++) {
        scene x;
        withy_error err = {0};
        withy_sim *alone = make_sim(&x, kind, kind == BOTH ? 0.1 : 0), *member;
        withy_ensemble *all = make_ensemble(alone, MEMBERS, engine, NULL);
        if (!all) continue;
        for (int i = 0; i < STEPS / 20; i++) {
            int failed[MEMBERS];
            CHECK_OK(withy_ensemble_step(all, 20 * DT, NULL, NULL, failed, &err));
            CHECK_OK(withy_sim_advance(alone, 20 * DT * (i + 1), &err));
            for (int k = 0; k < MEMBERS; k++) CHECK(failed[k] == 0);
        }
        for (int k = 0; k < MEMBERS; k += 5) {
            double energy = NAN;
            CHECK_OK(withy_ensemble_member(all, k, &member, &err));
            const double off = apart(alone, member, &energy);
            const withy_stats one = withy_sim_stats(alone), of = withy_sim_stats(member);
            if (getenv("WITHY_SHOW"))
                printf("%-10s %d: %.2e L, energy %.2e, drift %.1e %.1e, iterations %.2f %.2f\n",
                       name[kind], k, off, energy, one.energy_drift, of.energy_drift,
                       (double)one.iterations / one.steps, (double)of.iterations / of.steps);
            CHECK(off <= place);
            CHECK(energy <= balance);
            CHECK(of.energy_drift <= balance);
        }
        withy_ensemble_destroy(all);
        withy_sim_destroy(alone);
    }
}

TEST(members_in_vectors_are_the_simulation_alone) {
    compare(WITHY_ENGINE_VECTOR, 1e-11, 1e-11);
}

/* pocl on the processor in the suite. */
TEST(members_on_a_device_are_the_simulation_alone) {
    SLOW_UNDER_SANITIZERS;
    if (wy_device_count() == 0) skip();
    compare(WITHY_ENGINE_OPENCL, 1e-10, 1e-10);
}

/* ---- actions: what the scene could have given itself ------------------------------------------------------------- */

/* Of a member after STEPS steps with actions of `value`, and of a simulation alone. */
static double action_error(withy_engine engine, const withy_action *action, const double *value,
                           int count, void (*change)(scene *)) {
    withy_error err = {0};
    double energy, in[2 * MEMBERS];
    const int kind = HANGS;
    scene x;
    withy_sim *plain = make_sim(&x, kind, 0), *member, *alone = NULL;
    withy_ensemble_options how = withy_ensemble_default();
    how.action = action, how.action_count = count;
    withy_ensemble *all = make_ensemble(plain, MEMBERS, engine, &how);
    for (int k = 0; k < MEMBERS * count; k++) in[k] = value[k % count] * (k / count - 3);
    CHECK_OK(withy_ensemble_step(all, STEPS * DT, in, NULL, NULL, &err));
    scene own;
    const withy_option option[] = {{"n", N, ""}, {"degree", 1, ""}, {"dt", DT, ""}};
    set_scene(&own, kind);
    change(&own);
    CHECK_OK(withy_sim_create(&own.problem, "director", option, 3, &alone, &err));
    CHECK_OK(withy_sim_advance(alone, STEPS * DT, &err));
    CHECK_OK(withy_ensemble_member(all, 4, &member, &err));
    const double off = apart(alone, member, &energy);
    CHECK_OK(withy_ensemble_member(all, 6, &member, &err));
    double other = apart(alone, member, &energy);
    CHECK(other > 1e-3); /* and three times the action is something else */
    withy_ensemble_destroy(all);
    withy_sim_destroy(plain), withy_sim_destroy(alone);
    return off;
}

static void push_tip(scene *x) {
    x->rod.end[1].force = withy_field_vector(0, 0.05, 0);
}
static withy_status walk(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = 0.1 * t / (STEPS * DT), out[2] = 0;
    return WITHY_OK;
}
static void move_base(scene *x) {
    x->rod.end[0].position = (withy_field){.size = 3, .call = walk};
}
/* Rest shapes other than the straight one of t = 0. */
static const double CURVE = 0.7, LONGER = 2e-3, SHEARED = 3e-3;
static void bend(scene *x) {
    x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                .strain = {.size = 6, .value = {0, 0, 0, 0, CURVE, 0}}};
}
static void stretch(scene *x) {
    x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                .strain = {.size = 6, .value = {SHEARED, 0, LONGER, 0, 0, 0}}};
}

static void check_actions(withy_engine engine, double most) {
    const withy_action load = {.on = WITHY_ACTS_LOAD, .part = 7};
    const withy_action pose = {.on = WITHY_ACTS_POSE, .part = 1, .ramp = 1};
    const withy_action rest[2] = {{.on = WITHY_ACTS_REST, .part = 0},
                                  {.on = WITHY_ACTS_REST, .part = 2}};
    const withy_action bent = {.on = WITHY_ACTS_REST, .part = 4};
    const double strain[2] = {SHEARED, LONGER}, phi = CURVE / N;
    CHECK_BELOW(action_error(engine, &load, (const double[]){0.05}, 1, push_tip), most);
    CHECK_BELOW(action_error(engine, &pose, (const double[]){0.1}, 1, move_base), most);
    CHECK_BELOW(action_error(engine, rest, strain, 2, stretch), most);
    /* the chord of a rest shape is shorter than its arc by phi^2/24, and the rod at t = 0 with it */
    CHECK_BELOW(action_error(engine, &bent, (const double[]){sin(phi) * N}, 1, bend),
                phi * phi / 12);
}

TEST(a_force_at_the_tip_a_moving_base_and_a_rest_curvature_are_those_of_the_scene) {
    check_actions(WITHY_ENGINE_VECTOR, 1e-11);
}

TEST(and_on_a_device) {
    SLOW_UNDER_SANITIZERS;
    if (wy_device_count() == 0) skip();
    check_actions(WITHY_ENGINE_OPENCL, 1e-10);
}

/* ---- company, threads, resets, failures ---------------------------------------------------------------------------- */

enum { MANY = 37, OBSERVED = 15 };
static const withy_action acts[2] = {{.on = WITHY_ACTS_REST, .part = 3},
                                     {.on = WITHY_ACTS_REST, .part = 4, .from = 0.2, .to = 0.55}};
static const withy_observed sees[3] = {
    {WITHY_OBSERVES_POSITION, 1}, {WITHY_OBSERVES_FRAME, 0.5}, {WITHY_OBSERVES_VELOCITY, 1}};

static withy_ensemble *make_arm(scene *x, int count, withy_engine engine, int threads) {
    withy_ensemble_options how = withy_ensemble_default();
    withy_sim *sim = make_sim(x, DAMPED, 0);
    how.action = acts, how.action_count = 2, how.observe = sees, how.observe_count = 3;
    how.threads = threads;
    withy_ensemble *all = make_ensemble(sim, count, engine, &how);
    withy_sim_destroy(sim);
    CHECK(withy_ensemble_width(all) == OBSERVED);
    return all;
}

static void set_actions(double *in, int first, int count, int step) {
    for (int i = 0; i < count; i++) {
        in[2 * i] = 2 * sin(0.7 * (first + i) + step),
               in[2 * i + 1] = 3 * cos(1.3 * (first + i) - step);
    }
}

/* Members `first` and on of an ensemble of others. */
static void drive(withy_engine engine, int first, int count, int threads, double *out) {
    scene x;
    withy_error err = {0};
    double in[2 * MANY];
    withy_ensemble *all = make_arm(&x, count, engine, threads);
    for (int k = 0; k < 8; k++) {
        set_actions(in, first, count, k);
        CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, NULL, &err));
    }
    withy_ensemble_destroy(all);
}

static void check_company(withy_engine engine) {
    double whole[MANY * OBSERVED], part[MANY * OBSERVED];
    drive(engine, 0, MANY, 3, whole);
    drive(engine, 0, MANY, 1, part);
    CHECK(memcmp(whole, part, sizeof whole) == 0);
    drive(engine, 5, 9, 2, part);
    CHECK(memcmp(whole + 5 * OBSERVED, part, 9 * OBSERVED * sizeof *part) == 0);
}

TEST(a_member_does_not_depend_on_its_company_or_on_threads_to_the_last_bit) {
    check_company(WITHY_ENGINE_VECTOR);
}

TEST(nor_does_it_on_a_device) {
    SLOW_UNDER_SANITIZERS;
    if (wy_device_count() == 0) skip();
    check_company(WITHY_ENGINE_OPENCL);
}

/* Reset, fork, save and restore; a member that fails stands still with its message, and the others continue. */
static void check_members(withy_engine engine) {
    scene x;
    withy_error err = {0};
    double in[2 * MANY], out[MANY * OBSERVED], first[MANY * OBSERVED], before[OBSERVED];
    int failed[MANY];
    withy_sim *sim;
    withy_ensemble *all = make_arm(&x, MANY, engine, 2);
    set_actions(in, 0, MANY, 0);
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, first, failed, &err));
    /* the same from the start */
    const int some[] = {0, 8, 36};
    CHECK_OK(withy_ensemble_reset(all, some, 3, &err));
    for (int i = 0; i < MANY; i++)
        if (i != 0 && i != 8 && i != 36) in[2 * i] = 0;
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    for (int i = 0; i < 3; i++)
        CHECK(memcmp(out + some[i] * OBSERVED, first + some[i] * OBSERVED, sizeof before) == 0);
    CHECK(memcmp(out + OBSERVED, first + OBSERVED, sizeof before) != 0);
    /* a copy does what its source does */
    CHECK_OK(withy_ensemble_fork(all, 7, 8, &err));
    in[14] = in[16], in[15] = in[17];
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    CHECK(memcmp(out + 7 * OBSERVED, out + 8 * OBSERVED, sizeof before) == 0);
    /* the bytes of a state, in another member */
    CHECK_OK(withy_ensemble_member(all, 8, &sim, &err));
    const size_t size = withy_sim_save_size(sim);
    char *bytes = malloc(size);
    CHECK_OK(withy_sim_save(sim, bytes, size, &err));
    CHECK_OK(withy_ensemble_member(all, 20, &sim, &err));
    CHECK_OK(withy_sim_restore(sim, bytes, size, &err));
    CHECK_OK(withy_ensemble_put(all, 20, &err));
    free(bytes);
    in[40] = in[16], in[41] = in[17];
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    for (int k = 0; k < OBSERVED; k++)
        CHECK_NEAR(out[20 * OBSERVED + k], out[8 * OBSERVED + k], 1e-10);
    /* bent further than the mesh can hold */
    for (int i = 0; i < MANY; i++) CHECK(failed[i] == 0);
    in[2 * 11] = 400, in[2 * 11 + 1] = -300;
    for (int k = 0; k < 20; k++) CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    memcpy(before, out + 11 * OBSERVED, sizeof before);
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    for (int i = 0; i < MANY; i++) {
        CHECK(failed[i] == (i == 11));
        CHECK((withy_ensemble_failure(all, i, &err) == WITHY_OK) == (i != 11));
        for (int k = 0; k < OBSERVED; k++) CHECK(isfinite(out[i * OBSERVED + k]));
    }
    CHECK(memcmp(before, out + 11 * OBSERVED, sizeof before) == 0);
    CHECK(withy_ensemble_failure(all, 11, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "steps") != NULL);
    const int eleven = 11;
    CHECK_OK(withy_ensemble_reset(all, &eleven, 1, &err));
    set_actions(in, 0, MANY, 0);
    CHECK_OK(withy_ensemble_step(all, 10 * DT, in, out, failed, &err));
    CHECK(memcmp(out + 11 * OBSERVED, first + 11 * OBSERVED, sizeof before) == 0);
    CHECK(failed[11] == 0);
    withy_ensemble_destroy(all);
}

TEST(members_are_reset_forked_saved_and_fail_one_by_one) {
    check_members(WITHY_ENGINE_VECTOR);
}

TEST(and_on_a_device_too) {
    SLOW_UNDER_SANITIZERS;
    if (wy_device_count() == 0) skip();
    check_members(WITHY_ENGINE_OPENCL);
}

/* ---- the other scenes ------------------------------------------------------------------------------------------------ */

static const char *const other[] = {"director", "fdtd"};

TEST(every_other_scene_is_stepped_one_by_one_with_named_inputs) {
    for (int m = 0; m < 2; m++) {
        scene x;
        withy_error err = {0};
        const withy_option fine = {"dt", DT, ""}, coarse = {"n", 8, ""}, option = m ? coarse : fine;
        withy_sim *sim = NULL, *member;
        set_scene(&x, HANGS);
        x.rod.end[1].force = (withy_field){.size = 3, .input = {NULL, "pull", NULL}};
        CHECK_OK(withy_sim_create(&x.problem, other[m], &option, 1, &sim, &err));
        withy_action action = {.on = WITHY_ACTS_INPUT, .input = "pull"};
        withy_ensemble_options how = withy_ensemble_default();
        how.action = &action, how.action_count = 1, how.observe = sees, how.observe_count = 3;
        withy_ensemble *all = make_ensemble(sim, 3, WITHY_ENGINE_AUTO, &how);
        CHECK(strstr(withy_ensemble_engine(all), "one by one"));
        const double in[3] = {0, 0.01, 0.02};
        double out[3 * OBSERVED], energy;
        const double t = m ? 100 * withy_sim_step(sim) : 10 * DT;
        CHECK_OK(withy_ensemble_step(all, t, in, out, NULL, &err));
        CHECK_OK(withy_sim_input(sim, "pull", in[2], &err));
        CHECK_OK(withy_sim_advance(sim, t, &err));
        CHECK_OK(withy_ensemble_member(all, 2, &member, &err));
        CHECK_BELOW(apart(sim, member, &energy), 0);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        CHECK_NEAR(out[2 * OBSERVED + 1], snap->position[snap->count - 1].y, 0);
        CHECK(out[1] != out[2 * OBSERVED + 1]);
        withy_ensemble_destroy(all);
        withy_sim_destroy(sim);
    }
}

TEST(what_an_ensemble_cannot_do_is_a_sentence) {
    scene x;
    withy_error err = {0};
    withy_ensemble *all = NULL;
    withy_sim *sim = make_sim(&x, PINNED, 0);
    const struct {
        withy_action action;
        const char *says;
    } row[] = {
        {{.on = WITHY_ACTS_REST, .part = 6}, "must be 0 .. 5"},
        {{.on = WITHY_ACTS_REST, .part = 3, .from = 0.5, .to = 2}, "increasing and in 0 .. 1"},
        {{.on = WITHY_ACTS_POSE, .part = 3}, "not held there"},
        {{.on = WITHY_ACTS_POSE, .part = 6}, "not held there"},
        {{.on = WITHY_ACTS_INPUT, .input = "none"}, "none"},
        {{.on = (withy_acts)9}, "there is no kind 9"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_ensemble_options how = withy_ensemble_default();
        how.action = &row[i].action, how.action_count = 1;
        CHECK(withy_ensemble_create(sim, 4, &how, &all, &err) != WITHY_OK);
        if (!strstr(err.text, row[i].says)) fail_msg("%s", err.text);
    }
    all = make_arm(&x, 4, WITHY_ENGINE_VECTOR, 1);
    double in[8] = {0};
    CHECK(withy_ensemble_step(all, 0.7 * DT, in, NULL, NULL, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "whole number of steps"));
    in[5] = NAN;
    CHECK(withy_ensemble_step(all, DT, in, NULL, NULL, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "member 2: action 2"));
    const int none = 4;
    CHECK(withy_ensemble_reset(all, &none, 1, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "no member 4"));
    withy_ensemble_destroy(all);
    withy_sim_destroy(sim);
    /* functions of time are the same for all members */
    sim = make_sim(&x, DRIVEN, 0);
    all = make_ensemble(sim, 4, WITHY_ENGINE_VECTOR, NULL);
    CHECK_OK(withy_ensemble_step(all, DT, NULL, NULL, NULL, &err));
    const int one = 1;
    CHECK(withy_ensemble_reset(all, &one, 1, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "functions of time"));
    withy_ensemble_destroy(all);
    withy_sim_destroy(sim);
}

RUN(test(members_in_vectors_are_the_simulation_alone),
    test(members_on_a_device_are_the_simulation_alone),
    test(a_force_at_the_tip_a_moving_base_and_a_rest_curvature_are_those_of_the_scene),
    test(and_on_a_device),
    test(a_member_does_not_depend_on_its_company_or_on_threads_to_the_last_bit),
    test(nor_does_it_on_a_device), test(members_are_reset_forked_saved_and_fail_one_by_one),
    test(and_on_a_device_too), test(every_other_scene_is_stepped_one_by_one_with_named_inputs),
    test(what_an_ensemble_cannot_do_is_a_sentence))
