/* The kernels of fdtd against the plain reference, and the identities of the operators. */
#include "fdtd_reference.h"

#include "check.h"
#include "withy/withy.h"

static const int order_list[3] = {2, 4, 6};

/* ---- operators ------------------------------------------------------------------------------- */

TEST(summation_by_parts_is_exact_at_every_order) {
    for (int o = 0; o < 3; o++) {
        wy_sbp op;
        wy_sbp_make(order_list[o], 24, &op);
        for (int i = 0; i <= 24;
             i++) { /* 1^T Q = (-1, 0 .. 0, 1): the ends alone carry a constant */
            double sum = 0;
            for (int j = 0; j < 24; j++) sum += wy_sbp_q_entry(&op, j, i);
            CHECK_NEAR(sum, i == 0 ? -1 : i == 24 ? 1 : 0, 5e-14);
        }
        double nodes = 0, halves = 0; /* both norms integrate a constant */
        for (int i = 0; i <= 24; i++) nodes += wy_sbp_node_weight(&op, i);
        for (int j = 0; j < 24; j++) halves += wy_sbp_half_weight(&op, j);
        CHECK_NEAR(nodes, 24, 1e-12);
        CHECK_NEAR(halves, 24, 1e-12);
    }
}

TEST(differences_are_exact_for_polynomials_of_half_the_order) {
    for (int o = 0; o < 3; o++) {
        wy_sbp op;
        wy_sbp_make(order_list[o], 24, &op);
        for (int degree = 0; degree <= op.reach; degree++)
            for (int j = 0; j < 24; j++) {
                double sum = 0;
                for (int i = 0; i <= 24; i++)
                    sum += wy_sbp_q_entry(&op, j, i) * pow(i / 24.0, degree);
                const double slope = degree ? degree * pow((j + 0.5) / 24.0, degree - 1) / 24.0 : 0;
                CHECK_NEAR(sum / wy_sbp_half_weight(&op, j), slope, 1e-13);
            }
    }
}

TEST(interpolation_is_exact_for_polynomials_below_the_order) {
    for (int o = 0; o < 3; o++) {
        wy_sbp op;
        wy_sbp_make(order_list[o], 24, &op);
        for (int degree = 0; degree < op.order; degree++)
            for (int i = 0; i <= 24; i++) {
                double sum = 0;
                for (int j = 0; j < 24; j++)
                    sum += wy_sbp_i_entry(&op, i, j) * pow((j + 0.5) / 24.0, degree);
                CHECK_NEAR(sum, degree ? pow(i / 24.0, degree) : 1.0, 1e-12);
            }
    }
}

TEST(blocks_hold_the_rows_of_the_operators) {
    wy_sbp op;
    wy_sbp_make(6, 20, &op);
    for (int c = 0; c < op.qt[1].cols; c++)
        for (int row = 0; row < WY_SBP_ROWS; row++)
            CHECK_NEAR(op.qt[1].m[c][row],
                       wy_sbp_q_entry(&op, 20 - op.qt[1].cols + c, 21 - WY_SBP_ROWS + row), 0);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static withy_status lead(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double *from = context;
    out[0] = from[0] + 0.01 * sin(9 * t), out[1] = from[1] + 0.02 * t, out[2] = from[2];
    return WITHY_OK;
}
static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double *q = context; /* the frame at the start, turned about the first axis */
    const quat turned = q_mul((quat){q[0], q[1], q[2], q[3]}, q_exp(v3(sin(5 * t), 0, 0)));
    out[0] = turned.w, out[1] = turned.x, out[2] = turned.y, out[3] = turned.z;
    return WITHY_OK;
}
static withy_status blow(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    out[0] = 0.3 * sin(20 * t) * s, out[1] = 0.2, out[2] = 0.1 * s;
    return WITHY_OK;
}
static withy_status throw_it(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = sin(3 * s), out[1] = 0.3 * s, out[2] = 0.1;
    return WITHY_OK;
}

/* A soft rod on an arc, thrown, so that no term of the equations vanishes. */
static withy_rod soft_rod(int start, int finish) {
    withy_rod rod = withy_rod_default();
    rod.section.a = withy_field_number(0.05);
    rod.material = (withy_material){1e6, 1e6 / 3, 1000};
    rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {0.6, 0, 0.8}, .normal = {0, 1, 0}, .radius = 0.8};
    rod.velocity = (withy_field){.size = 3, .call = throw_it};
    rod.spin = withy_field_vector(0.2, -0.3, 0.7);
    rod.end[0].kind = (withy_end_kind)start, rod.end[1].kind = (withy_end_kind)finish;
    return rod;
}

static void enrich(withy_rod *rod, withy_load *load) {
    rod->rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                              .strain = {.size = 6, .value = {0.01, 0, 0.02, 0.3, -0.5, 0.2}}};
    rod->damping_time = 2e-4;
    rod->drag_linear = 0.3, rod->drag_quadratic = 0.4, rod->drag_spin = 1e-4;
    rod->section = (withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                   .a = withy_field_number(0.05),
                                   .b = withy_field_number(0.03),
                                   .shear_factor = 0.9};
    *load = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = rod->length};
    load->force = (withy_field){.size = 3, .call = blow};
    rod->load = load, rod->load_count = 1;
}

static void drive(withy_rod *rod, double at[2][3], double frame[2][4]) {
    for (int e = 0; e < 2; e++) {
        wy_end end;
        withy_end *given = &rod->end[e];
        wy_end_prepare(rod, e, &end, NULL);
        v3_to(end.start.r, at[e]);
        const quat q = q_from_matrix(end.start.frame);
        frame[e][0] = q.w, frame[e][1] = q.x, frame[e][2] = q.y, frame[e][3] = q.z;
        if (wy_end_holds_position(given))
            given->position = (withy_field){.size = 3, .call = lead, .context = at[e]};
        else
            given->force = withy_field_vector(0.2, -0.1, 0.3), given->follower = e;
        if (wy_end_holds_direction(given))
            given->frame = (withy_field){.size = 4, .call = swing, .context = frame[e]};
        else
            given->moment = withy_field_vector(0.01, 0.02, -0.01);
    }
}

static withy_option option(const char *name, double number, const char *text) {
    withy_option o = {.number = number};
    snprintf(o.name, sizeof o.name, "%s", name);
    snprintf(o.word, sizeof o.word, "%s", text);
    return o;
}

/* Largest difference of positions and frames at the nodes after `steps`, over the length. */
static double difference(const withy_rod *rod, int rods, int order, int n, int steps) {
    static reference x;
    static withy_rod copy[16];
    withy_error err = {0};
    withy_problem problem = withy_problem_default();
    for (int i = 0; i < rods; i++) copy[i] = *rod;
    const double dt = 2.4e-3 / n / (n < 12 ? 2 : 1);
    problem.rod = copy, problem.rod_count = rods;
    problem.gravity = (withy_vec3){0.5, -9.81, 1.0};
    problem.request.output = dt, problem.request.stop = steps * dt;
    const withy_option options[] = {option("n", n, ""), option("dt", dt, ""),
                                    option("order", order, "")};
    withy_sim *sim;
    CHECK_OK(withy_sim_create(&problem, "fdtd", options, 3, &sim, &err));
    CHECK_OK(ref_make(&x, rod, problem.gravity, order, n, dt, &err));
    CHECK_OK(withy_sim_advance(sim, steps * dt, &err));
    for (int i = 0; i < steps; i++) ref_step(&x);
    double most = 0;
    for (int k = 0; k < rods; k++) {
        const withy_snapshot *snap = withy_sim_sample(sim, k);
        CHECK(snap != NULL);
        for (int i = 0; i <= n; i++)
            most = worst_of(most, v3_norm(v3_sub(snap->position[i], x.r[i])));
        for (int i = 1; i < n; i++) {
            quat a = {0};
            for (int j = 0; j < n; j++) a = ref_add(a, wy_sbp_i_entry(&x.op, i, j), x.q[j]);
            a = q_unit(a);
            const quat b = snap->frame[i];
            most = worst_of(most, fabs(1 - fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z)));
        }
        if (!(most <= 1)) most = INFINITY;
    }
    withy_sim_destroy(sim);
    return most;
}

TEST(kernels_equal_the_reference_for_all_sixteen_end_pairs_and_orders) {
    for (int start = 0; start < 4; start++)
        for (int finish = 0; finish < 4; finish++)
            for (int o = 0; o < 3; o++) {
                const withy_rod rod = soft_rod(start, finish);
                for (int rods = 1; rods <= 9; rods += 8) {
                    const double off = difference(&rod, rods, order_list[o], 21, 120);
                    if (!(off <= 1e-12)) printf("ends %d %d rods %d: ", start, finish, rods);
                    CHECK_BELOW(off, 1e-12);
                }
            }
}

TEST(kernels_equal_the_reference_with_damping_drag_loads_rest_strain_and_driven_ends) {
    for (int start = 0; start < 4; start++)
        for (int finish = 0; finish < 4; finish++)
            for (int o = 0; o < 3; o++) {
                withy_load load;
                double at[2][3], frame[2][4];
                withy_rod rod = soft_rod(start, finish);
                enrich(&rod, &load);
                drive(&rod, at, frame);
                const int rods = (start + finish + o) % 2 ? 1 : 8;
                const double off = difference(&rod, rods, order_list[o], 20, 100);
                if (!(off <= 1e-12)) printf("ends %d %d rods %d: ", start, finish, rods);
                CHECK_BELOW(off, 1e-12);
            }
}

TEST(lengths_that_fill_no_whole_pack_give_the_same_answer) {
    const withy_rod rod = soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    for (int n = 16; n <= 25; n++) CHECK_BELOW(difference(&rod, 1, n < 18 ? 4 : 6, n, 60), 1e-12);
    for (int n = 4; n <= 18; n++) CHECK_BELOW(difference(&rod, 1, 2, n, 60), 1e-12);
}

RUN(test(summation_by_parts_is_exact_at_every_order),
    test(differences_are_exact_for_polynomials_of_half_the_order),
    test(interpolation_is_exact_for_polynomials_below_the_order),
    test(blocks_hold_the_rows_of_the_operators),
    test(kernels_equal_the_reference_for_all_sixteen_end_pairs_and_orders),
    test(kernels_equal_the_reference_with_damping_drag_loads_rest_strain_and_driven_ends),
    test(lengths_that_fill_no_whole_pack_give_the_same_answer))
