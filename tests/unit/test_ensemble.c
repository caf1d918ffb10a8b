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
    rod->initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 0, 1}};
    rod->end[0].kind = kind == PINNED ? WITHY_END_PINNED
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
        x->problem.floor = (withy_floor){.given = 1, .point = {0, 0, -0.1}, .normal = {0, 0, 1},
                                         .stiffness = 400, .damping = 2};
    x->problem.rod = rod, x->problem.rod_count = 1;
    x->problem.request.stop = 10, x->problem.request.output = 0.02;
}

static withy_sim *make_sim(scene *x, int kind, double xi) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    const withy_option option[] = {
        {"n", N, ""}, {"degree", 1, ""}, {"dt", DT, ""}, {"xi", xi, ""}};
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
    *energy = wy_max(fabs(s.energy_end - t.energy_end), fabs(p->work - q->work) + fabs(p->dissipated - q->dissipated)) /
              wy_max(s.energy_scale, 1e-300);
    return most;
}

static const char *const name[SCENES] = {"hangs", "pinned", "thrown", "damped",
                                         "driven", "loaded", "lands", "both ends"};

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
                printf("%-10s %d: %.2e L, energy %.2e, drift %.1e %.1e, iterations %.2f %.2f\n", name[kind], k, off,
                       energy, one.energy_drift, of.energy_drift, (double)one.iterations / one.steps,
                       (double)of.iterations / of.steps);
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

RUN(test(members_on_a_device_are_the_simulation_alone), test(members_in_vectors_are_the_simulation_alone))
