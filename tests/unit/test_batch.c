/* Many simulations at once: the OpenCL engine on whatever device there is (pocl on the processor in the
 * suite) against the same simulations advanced alone.  slow under sanitizers: the compiler of the device
 * is not built with them. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/opencl.h"
#include "base/vec.h"
#include "check.h"
#include "model/model.h"
#include "withy/withy.h"

enum { RODS = 16, STEPS = 1000 };

static const withy_end_kind kind[4] = {WITHY_END_FREE, WITHY_END_PINNED, WITHY_END_CLAMPED,
                                       WITHY_END_GUIDED};

static withy_status throw_it(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.1 * sin(3 * s), out[1] = 0.03 * s, out[2] = 0.01;
    return WITHY_OK;
}

/* A soft rod on an arc, thrown, whose numbers differ from those of the others. */
static withy_rod soft_rod(int i) {
    withy_rod rod = withy_rod_default();
    rod.section.a = withy_field_number(0.05 + 0.001 * i);
    rod.material = (withy_material){1e6 * (1 + 0.02 * i), 1e6 / 3, 1000};
    rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {0.6, 0, 0.8}, .normal = {0, 1, 0}, .radius = 0.8};
    rod.velocity = (withy_field){.size = 3, .call = throw_it};
    rod.spin = withy_field_vector(0.2, -0.3, 0.7);
    rod.end[0].kind = kind[i / 4], rod.end[1].kind = kind[i % 4];
    return rod;
}

static withy_status blow(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    out[0] = 0.3 * sin(200 * t) * s, out[1] = 0.2, out[2] = 0.1 * s;
    return WITHY_OK;
}
static withy_status lead(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double *from = context;
    out[0] = from[0] + 0.01 * sin(90 * t), out[1] = from[1] + 0.2 * t, out[2] = from[2];
    return WITHY_OK;
}
static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double *q = context;
    const quat turned = q_mul((quat){q[0], q[1], q[2], q[3]}, q_exp(v3(sin(50 * t), 0, 0)));
    out[0] = turned.w, out[1] = turned.x, out[2] = turned.y, out[3] = turned.z;
    return WITHY_OK;
}

typedef struct extra {
    withy_load load[3];
    double at[2][3], frame[2][4];
} extra;

/* Everything that a device can do: loads as signals, driven ends, damping, drag, a flat section. */
static void enrich(withy_rod *rod, extra *x, int i) {
    static const double table[3][4] = {{0, 0, 0, 0}, {0.002, 1, -1, 0.5}, {0.01, -1, 0.2, 0}};
    rod->rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                              .strain = {.size = 6, .value = {0.01, 0, 0.02, 0.3, -0.5, 0.2}}};
    rod->damping_time = i % 3 ? 1e-5 * i : 0;
    rod->drag_linear = 0.3, rod->drag_quadratic = 0.4 * (i % 2), rod->drag_spin = 1e-4;
    rod->section = (withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                   .a = withy_field_number(0.05),
                                   .b = withy_field_number(0.03 + 0.001 * i),
                                   .shear_factor = 0.9};
    x->load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = rod->length};
    x->load[0].force = (withy_field){.size = 3, .call = blow};
    x->load[1] = (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.37, .to = 0.37};
    x->load[1].force = withy_field_table(3, 3, &table[0][0]);
    x->load[2] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .from = 0.2, .to = 0.9};
    x->load[2].force = withy_field_vector(0.5, 0.1, -0.4);
    rod->load = x->load, rod->load_count = 3;
    for (int e = 0; e < 2; e++) {
        wy_end end;
        withy_end *given = &rod->end[e];
        wy_end_prepare(rod, e, &end, NULL);
        v3_to(end.start.r, x->at[e]);
        const quat q = q_from_matrix(end.start.frame);
        x->frame[e][0] = q.w, x->frame[e][1] = q.x, x->frame[e][2] = q.y, x->frame[e][3] = q.z;
        if (wy_end_holds_position(given))
            given->position = (withy_field){.size = 3, .call = lead, .context = x->at[e]};
        else
            given->force = withy_field_vector(0.2, -0.1, 0.3), given->follower = e;
        if (wy_end_holds_direction(given))
            given->frame = (withy_field){.size = 4, .call = swing, .context = x->frame[e]};
        else
            given->moment = withy_field_vector(0.01, 0.02, -0.01);
    }
}

/* ---- two sets of the same simulations -------------------------------------------------------- */

typedef struct set {
    withy_sim *sim[RODS];
    withy_batch *batch;
    withy_probe probe;
} set;

static withy_probe probe_at(double s, double every) {
    withy_probe probe = {.name = "a place", .at = s, .every = every};
    snprintf(probe.what, sizeof probe.what, "position");
    return probe;
}

static withy_option option(const char *name, double number) {
    withy_option o = {.number = number};
    snprintf(o.name, sizeof o.name, "%s", name);
    return o;
}

static void make_sims(set *x, const withy_rod *rod, int order, int n, double dt) {
    withy_error err = {0};
    const withy_option options[] = {option("order", order), option("n", n), option("dt", dt)};
    x->probe = probe_at(rod[0].length / 6, 10 * dt); /* the second of seven stations */
    for (int i = 0; i < RODS; i++) {
        withy_problem problem = withy_problem_default();
        problem.rod = &rod[i], problem.rod_count = 1;
        problem.gravity = (withy_vec3){0.5, 0, -9.81};
        problem.request.stop = STEPS * dt, problem.request.output = STEPS * dt;
        problem.request.probe = &x->probe, problem.request.probe_count = 1;
        problem.request.stations = 7;
        CHECK_OK(withy_sim_create(&problem, "fdtd", options, 3, &x->sim[i], &err));
    }
}

static void free_set(set *x) {
    withy_batch_destroy(x->batch);
    for (int i = 0; i < RODS; i++) withy_sim_destroy(x->sim[i]);
}

static double distance(withy_sim *a, withy_sim *b) {
    const withy_snapshot *p = withy_sim_sample(a, 0), *q = withy_sim_sample(b, 0);
    if (!p || !q) return NAN;
    double most = 0;
    for (int i = 0; i < p->count; i++) {
        most = fmax(most, v3_norm(v3_sub(p->position[i], q->position[i])));
        most = fmax(most, fabs(p->frame[i].x - q->frame[i].x));
        most = fmax(most, fabs(p->frame[i].w - q->frame[i].w));
        most = fmax(most, 1e-2 * v3_norm(v3_sub(p->velocity[i], q->velocity[i])));
    }
    return most;
}

/* Largest difference after STEPS, over all pairs of ends; that of the records into *probe. */
static double compare(const withy_rod *rod, int order, int n, double dt, withy_engine engine,
                      double *probe) {
    set one = {0}, other = {0};
    withy_error err = {0};
    withy_batch_options how = withy_batch_default();
    double most = 0;
    how.engine = engine, how.threads = 1;
    make_sims(&one, rod, order, n, dt), make_sims(&other, rod, order, n, dt);
    CHECK_OK(withy_batch_create(one.sim, RODS, &how, &one.batch, &err));
    CHECK_OK(withy_batch_advance(one.batch, 400 * dt, &err)); /* two calls */
    CHECK_OK(withy_batch_advance(one.batch, STEPS * dt, &err));
    for (int i = 0; i < RODS; i++) {
        int64_t count = 0;
        const withy_vec3 *place = withy_batch_probe(one.batch, i, 0, &count);
        assert_int_equal(count, 60);
        for (int k = 410; k <= STEPS; k += 10) {
            CHECK_OK(withy_sim_advance(other.sim[i], k * dt, &err));
            const withy_snapshot *now = withy_sim_sample(other.sim[i], 0);
            *probe = fmax(*probe, v3_norm(v3_sub(place[k / 10 - 41], now->position[1])));
        }
        most = fmax(most, distance(one.sim[i], other.sim[i]));
    }
    free_set(&one), free_set(&other);
    return most;
}

static int no_device(void) {
    if (wy_device_count() > 0) return 0;
    printf("    no OpenCL device: not tested\n");
    return 1;
}

TEST(a_device_gives_the_positions_of_the_processor_to_1e_12_at_order_2_and_all_ends) {
    withy_rod rod[RODS];
    double probe = 0;
    if (no_device()) return;
    for (int i = 0; i < RODS; i++) rod[i] = soft_rod(i);
    CHECK_NEAR(compare(rod, 2, 20, 5e-5, WITHY_ENGINE_OPENCL, &probe), 0, 1e-12);
    CHECK_NEAR(probe, 0, 1e-12);
}

TEST(signals_driven_ends_damping_and_drag_on_a_device_are_those_of_the_processor) {
    withy_rod rod[RODS];
    static extra x[RODS];
    const int order[3] = {2, 4, 6};
    if (no_device()) return;
    for (int o = 0; o < 3; o++) {
        double probe = 0;
        for (int i = 0; i < RODS; i++) rod[i] = soft_rod(i), enrich(&rod[i], &x[i], i);
        const double off = compare(rod, order[o], 18, 4e-5, WITHY_ENGINE_OPENCL, &probe);
        printf("    order %d: %.2g\n", order[o], off);
        CHECK_NEAR(off, 0, 1e-12);
        CHECK_NEAR(probe, 0, 1e-12);
    }
}

TEST(rods_of_different_steps_eight_to_a_vector_give_what_each_gives_alone) {
    withy_rod rod[RODS];
    static extra x[RODS];
    const int order[3] = {2, 4, 6};
    for (int o = 0; o < 3; o++)
        for (int rich = 0; rich < 2; rich++) {
            double probe = 0;
            for (int i = 0; i < RODS; i++) {
                rod[i] = soft_rod(i);
                if (rich && i % 2) enrich(&rod[i], &x[i], i); /* functions of time: not packed */
                if (rich) rod[i].damping_time = 1e-5 * (i % 3), rod[i].drag_quadratic = i % 4;
            }
            const double off = compare(rod, order[o], 18, 4e-5, WITHY_ENGINE_VECTOR, &probe);
            CHECK_NEAR(off, 0, 1e-12);
            CHECK_NEAR(probe, 0, 1e-12);
        }
}

/* Advance members of a batch, whose steps are chosen automatically, to t; hashes of their states. */
static void run_part(const withy_rod *rod, int from, int to, uint64_t hash[RODS]) {
    withy_error err = {0};
    withy_sim *sim[RODS];
    withy_batch *batch = NULL;
    const withy_option options[] = {option("n", 20)};
    withy_batch_options how = withy_batch_default();
    how.engine = WITHY_ENGINE_VECTOR, how.threads = 2;
    for (int i = from; i < to; i++) {
        withy_problem problem = withy_problem_default();
        problem.rod = &rod[i], problem.rod_count = 1;
        problem.request.stop = problem.request.output = 0.01;
        CHECK_OK(withy_sim_create(&problem, "fdtd", options, 1, &sim[i], &err));
    }
    CHECK_OK(withy_batch_create(sim + from, to - from, &how, &batch, &err));
    CHECK_OK(withy_batch_advance(batch, 0.01, &err));
    for (int i = from; i < to; i++) hash[i] = withy_sim_hash(sim[i]);
    withy_batch_destroy(batch);
    for (int i = from; i < to; i++) withy_sim_destroy(sim[i]);
}

TEST(a_member_of_a_vector_does_not_depend_on_its_neighbours_to_the_last_bit) {
    withy_rod rod[RODS];
    uint64_t together[RODS], apart[RODS];
    for (int i = 0; i < RODS; i++) rod[i] = soft_rod(i);
    run_part(rod, 0, RODS, together);
    run_part(rod, 0, 1, apart), run_part(rod, 1, 4, apart), run_part(rod, 4, RODS, apart);
    for (int i = 0; i < RODS; i++) assert_true(together[i] == apart[i]);
}

/* ---- whole runs ------------------------------------------------------------------------------ */

static void keep_last(void *context, int probe, double t, const double *value) {
    double *to = context;
    (void)probe;
    to[0] += 1, to[1] = t, to[2] = value[2];
}

/* Studies of all pairs of ends at once and one by one: largest difference of ends and of the last sample. */
static double compare_runs(withy_engine engine) {
    withy_rod rod[RODS];
    withy_problem problem[RODS];
    withy_study study[RODS];
    const withy_study *list[RODS];
    static withy_report together[RODS], alone;
    withy_report *report[RODS];
    withy_status status[RODS];
    static withy_error error[RODS];
    withy_error err = {0};
    double seen[RODS][3] = {{0}}, own[3], most = 0;
    const withy_probe probe = probe_at(0.4, 1e-3);
    const withy_option options[] = {option("n", 20), option("dt", 5e-5)};
    withy_batch_options how = withy_batch_default();
    how.engine = engine, how.threads = 2;
    for (int i = 0; i < RODS; i++) {
        rod[i] = soft_rod(i), problem[i] = withy_problem_default();
        problem[i].rod = &rod[i], problem[i].rod_count = 1;
        problem[i].request.stop = 0.02, problem[i].request.output = 0.01;
        problem[i].request.probe = &probe, problem[i].request.probe_count = 1;
        study[i] = (withy_study){.problem = &problem[i], .method = "fdtd"};
        study[i].option = options, study[i].option_count = 2;
        study[i].sample = keep_last, study[i].sample_context = seen[i];
        list[i] = &study[i], report[i] = &together[i];
    }
    CHECK_OK(withy_study_run_batch(list, RODS, &how, report, status, error, &err));
    for (int i = 0; i < RODS; i++) {
        CHECK(status[i] == WITHY_OK && together[i].snapshots == 3);
        study[i].sample_context = memset(own, 0, sizeof own);
        CHECK_OK(withy_study_run(&study[i], &alone, &err));
        CHECK(own[0] == 21 && seen[i][0] == 21 && own[1] == seen[i][1]);
        most = fmax(most, fabs(own[2] - seen[i][2]));
        for (int e = 0; e < 2; e++)
            most = fmax(most, v3_norm(v3_sub(alone.position[e], together[i].position[e])));
    }
    return most;
}

TEST(whole_runs_at_once_are_those_of_single_studies_to_1e_12) {
    CHECK_NEAR(compare_runs(WITHY_ENGINE_VECTOR), 0, 1e-12);
    if (!no_device()) CHECK_NEAR(compare_runs(WITHY_ENGINE_OPENCL), 0, 1e-12);
}

/* A member that cannot be done is refused with a message that names it and what to do. */
static void check_refusal(withy_rod *rod, int n, const char *word, withy_engine engine,
                          const char *message) {
    withy_error err = {0};
    withy_sim *sim[2];
    withy_batch *batch = NULL;
    withy_batch_options how = withy_batch_default();
    how.engine = engine;
    for (int i = 0; i < 2; i++) {
        withy_problem problem = withy_problem_default();
        withy_option options[] = {option("n", i ? n : 20), option("scheme", 0)};
        snprintf(options[1].word, sizeof options[1].word, "%s", i ? word : "staggered");
        problem.rod = &rod[i], problem.rod_count = 1;
        problem.request.stop = problem.request.output = 0.01;
        CHECK_OK(withy_sim_create(&problem, "fdtd", options, 2, &sim[i], &err));
    }
    assert_int_not_equal(withy_batch_create(sim, 2, &how, &batch, &err), WITHY_OK);
    if (!strstr(err.text, message)) fail_msg("%s", err.text);
    CHECK(batch == NULL);
    how.engine = WITHY_ENGINE_AUTO; /* falls back */
    CHECK_OK(withy_batch_create(sim, 2, &how, &batch, &err));
    withy_batch_destroy(batch);
    for (int i = 0; i < 2; i++) withy_sim_destroy(sim[i]);
}

TEST(what_a_device_cannot_do_is_refused_with_a_sentence_and_auto_falls_back) {
    withy_rod rod[2] = {soft_rod(0), soft_rod(0)};
    withy_load load = {.kind = WITHY_LOAD_DISTRIBUTED, .to = rod[0].length};
    if (wy_device_count() == 0) {
        check_refusal(rod, 20, "staggered", WITHY_ENGINE_OPENCL, "OpenCL: ");
        return;
    }
    check_refusal(rod, 24, "staggered", WITHY_ENGINE_OPENCL,
                  "member 2: its grid differs from that of the first; in a batch options.n and "
                  "options.order are the same for all");
    check_refusal(rod, 20, "literal", WITHY_ENGINE_OPENCL,
                  "member 2: fdtd: the literal scheme is not stepped on a device");
    check_refusal(rod, 100000, "staggered", WITHY_ENGINE_OPENCL, "bytes of the local memory of");
    rod[1].load = &load, rod[1].load_count = 1;
    load.force = withy_field_vector(1, 0, 0), load.follower = 1;
    check_refusal(rod, 20, "staggered", WITHY_ENGINE_OPENCL,
                  "member 2: fdtd: loads[1] turns with the rod");
    load.follower = 0, load.moment = withy_field_vector(0, 0, 1e-3);
    check_refusal(rod, 20, "staggered", WITHY_ENGINE_OPENCL,
                  "member 2: fdtd: loads[1] is a moment along the rod");
}

TEST(a_device_that_is_not_there_is_a_sentence) {
    withy_rod rod = soft_rod(0);
    withy_error err = {0};
    withy_sim *sim;
    withy_batch *batch = NULL;
    withy_problem problem = withy_problem_default();
    withy_batch_options how = withy_batch_default();
    problem.rod = &rod, problem.rod_count = 1;
    problem.request.stop = problem.request.output = 0.01;
    CHECK_OK(withy_sim_create(&problem, "fdtd", NULL, 0, &sim, &err));
    how.engine = WITHY_ENGINE_OPENCL, how.device = 63;
    const withy_status status = withy_batch_create(&sim, 1, &how, &batch, &err);
    if (wy_device_count() > 0) {
        assert_int_equal(status, WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "OpenCL: there is no device 63; there are ") != NULL);
    } else {
        assert_int_equal(status, WITHY_MISSING);
        CHECK(strstr(err.text, "use another engine") != NULL);
    }
    withy_sim_destroy(sim);
}

RUN(test(a_device_gives_the_positions_of_the_processor_to_1e_12_at_order_2_and_all_ends),
    test(signals_driven_ends_damping_and_drag_on_a_device_are_those_of_the_processor),
    test(rods_of_different_steps_eight_to_a_vector_give_what_each_gives_alone),
    test(a_member_of_a_vector_does_not_depend_on_its_neighbours_to_the_last_bit),
    test(whole_runs_at_once_are_those_of_single_studies_to_1e_12),
    test(what_a_device_cannot_do_is_refused_with_a_sentence_and_auto_falls_back),
    test(a_device_that_is_not_there_is_a_sentence))
