/* Closed rods: link, twist and writhe, what is conserved, symmetries, and that where the rod is closed does not matter. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

/* A ring of radius 1 bent from a straight rod, which a velocity sets in motion. */
static void make(director_problem *x, double excess) {
    director_plain(x, 2 * DIRECTOR_PI, 1, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < WITHY_STRAINS; i++)
        x->rod.stiffness[i] = withy_field_number(i < WITHY_BEND1 ? 1e4 : i < WITHY_TWIST ? 1 : 1.5);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++)
        x->rod.inertia[i] = withy_field_number(i < WITHY_ROTARY3 ? 1e-3 : 2e-3);
    x->rod.initial.kind = WITHY_SHAPE_ARC, x->rod.initial.radius = 1;
    x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    director_ends(x, WITHY_END_FREE, WITHY_END_FREE);
    x->rod.closed = 1, x->rod.excess = excess;
}

static withy_status shakes(void *context, double s, double t, double *out, withy_error *err) {
    const double *from = context;
    (void)t, (void)err;
    s += from[0];
    out[0] = 0, out[1] = 0.1 * cos(2 * s), out[2] = from[1] * (0.3 * sin(2 * s) + 0.1 * cos(3 * s));
    return WITHY_OK;
}

static void shake(director_problem *x) {
    x->context[1] = 1;
    x->rod.velocity = (withy_field){.size = 3, .call = shakes, .context = x->context};
}

static withy_sim *start(const director_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    return sim;
}

static const withy_snapshot *go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    return withy_sim_sample(sim, 0);
}

/* The double integral over pairs of the pieces between the nodes. */
static double polygon(const withy_snapshot *now) {
    const int last = now->count - 1;
    double sum = 0;
    for (int i = 0; i < last; i++)
        for (int j = i + 2; j < last; j++) {
            const vec3 a = now->position[i], b = now->position[i + 1], c = now->position[j];
            const vec3 d = now->position[j + 1];
            if (i == 0 && j == last - 1) continue;
            const vec3 r[4] = {v3_sub(c, a), v3_sub(d, a), v3_sub(d, b), v3_sub(c, b)};
            double area = 0;
            vec3 n[4];
            for (int k = 0; k < 4; k++) n[k] = v3_unit(v3_cross(r[k], r[(k + 1) % 4]));
            for (int k = 0; k < 4; k++)
                area += asin(fmax(-1, fmin(1, v3_dot(n[k], n[(k + 1) % 4]))));
            sum += copysign(area, v3_dot(v3_cross(v3_sub(d, c), v3_sub(b, a)), r[0]));
        }
    return sum / (2 * DIRECTOR_PI);
}

/* An area changes its sign where a section passes through itself, which this motion does not reach. */
TEST(writhe_is_that_of_the_polygon_through_the_nodes) {
    director_problem x;
    make(&x, 1.3), shake(&x);
    withy_sim *sim = start(&x, "n=40 dt=0.02");
    double most = 0;
    for (int k = 1; k <= 10; k++) {
        const withy_snapshot *now = go(sim, 0.2 * k);
        CHECK(now->have & WITHY_HAVE_LINK);
        CHECK_NEAR(now->link, 1.3, 1e-13);
        CHECK_NEAR(now->link_twist + now->writhe, 1.3, 1e-13);
        CHECK_NEAR(now->writhe, polygon(now), 1e-3); /* of the polygon: it is of order 2 */
        most = fmax(most, fabs(now->writhe));
    }
    CHECK(most > 0.3);
    withy_sim_destroy(sim);
}

TEST(energy_and_momenta_are_exact_at_any_step) {
    static const char *const options[] = {"n=16 dt=1e-3", "n=16 dt=1e-2", "n=16 dt=1e-1"};
    for (int i = 0; i < 3; i++) {
        director_problem x;
        make(&x, 1.1), shake(&x);
        withy_sim *sim = start(&x, options[i]);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const double energy = now->conserved;
        const vec3 p = now->momentum, l = now->angular_momentum;
        now = go(sim, i == 0 ? 0.2 : 2);
        CHECK_NEAR(now->conserved, energy, 1e-12 * energy);
        CHECK_NEAR(v3_norm(v3_sub(now->momentum, p)), 0, 1e-12 * 2 * DIRECTOR_PI);
        CHECK_NEAR(v3_norm(v3_sub(now->angular_momentum, l)), 0, 1e-11);
        withy_sim_destroy(sim);
    }
}

TEST(a_weld_of_its_ends_moves_it_in_the_same_way) {
    director_problem x, y;
    withy_joint weld = {.kind = WITHY_JOINT_WELD};
    make(&x, 0), make(&y, 0), shake(&x), shake(&y);
    y.rod.closed = 0, weld.place[1].s = y.rod.length;
    y.problem.joint = &weld, y.problem.joint_count = 1;
    withy_sim *one = start(&x, "n=12 dt=0.02"), *two = start(&y, "n=12 dt=0.02");
    const withy_snapshot *a = go(one, 1), *b = go(two, 1);
    for (int i = 0; i < a->count; i++)
        CHECK(memcmp(&a->position[i], &b->position[i], sizeof *a->position) == 0);
    CHECK(!(b->have & WITHY_HAVE_LINK));
    withy_sim_destroy(one), withy_sim_destroy(two);
}

/* The same ring from a quarter of an element further on is the same within the error of the mesh. */
TEST(where_it_is_closed_does_not_matter) {
    director_problem x, y;
    const double ds = 2 * DIRECTOR_PI / 64;
    make(&x, 1.2), make(&y, 1.2), shake(&x), shake(&y);
    const vec3 from =
        v3(sin(ds), 1 - cos(ds), 0); /* along the arc from the origin, along x, d1 along y */
    y.rod.initial.from = from, y.rod.initial.along = (withy_vec3){cos(ds), sin(ds), 0};
    y.rod.initial.normal = (withy_vec3){-sin(ds), cos(ds), 0};
    y.context[0] = ds;
    withy_sim *one = start(&x, "n=16 dt=0.01"), *two = start(&y, "n=16 dt=0.01");
    const withy_snapshot *a = go(one, 1.5), *b = go(two, 1.5);
    CHECK_NEAR(a->writhe, b->writhe, 1e-5);
    CHECK_NEAR(a->energy.bend, b->energy.bend, 1e-4);
    CHECK_NEAR(a->energy.twist, b->energy.twist, 1e-4);
    CHECK(fabs(a->writhe) > 0.05);
    withy_sim_destroy(one), withy_sim_destroy(two);
}

TEST(its_mirror_image_has_the_opposite_link_and_writhe) {
    director_problem x, y;
    make(&x, 1.2), make(&y, -1.2), shake(&x), shake(&y);
    y.context[1] = -1; /* z to -z; the arc lies in z = 0 */
    withy_sim *one = start(&x, "n=16 dt=0.02"), *two = start(&y, "n=16 dt=0.02");
    const withy_snapshot *a = go(one, 2), *b = go(two, 2);
    CHECK_NEAR(a->writhe + b->writhe, 0, 1e-9);
    CHECK_NEAR(a->link + b->link, 0, 1e-12);
    for (int i = 0; i < a->count; i++) {
        CHECK_NEAR(a->position[i].x, b->position[i].x, 1e-9);
        CHECK_NEAR(a->position[i].z, -b->position[i].z, 1e-9);
    }
    withy_sim_destroy(one), withy_sim_destroy(two);
}

TEST(a_saved_state_goes_on_bit_for_bit) {
    director_problem x;
    withy_error err = {0};
    make(&x, 1.2), shake(&x);
    withy_sim *one = start(&x, "n=12 dt=0.02"), *two = start(&x, "n=12 dt=0.02");
    go(one, 0.5);
    const size_t size = withy_sim_save_size(one);
    char *bytes = malloc(size);
    CHECK(bytes != NULL);
    CHECK_OK(withy_sim_save(one, bytes, size, &err));
    CHECK_OK(withy_sim_restore(two, bytes, size, &err));
    CHECK(go(one, 1)->writhe == go(two, 1)->writhe);
    CHECK(withy_sim_hash(one) == withy_sim_hash(two));
    free(bytes);
    withy_sim_destroy(one), withy_sim_destroy(two);
}

/* Next to where it is closed its neighbours are near along the rod, and never touch. */
TEST(neighbours_across_the_place_where_it_is_closed_do_not_touch) {
    director_problem x;
    make(&x, 0);
    x.rod.radius = withy_field_number(0.4);
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e3};
    withy_sim *sim = start(&x, "n=16 dt=0.01");
    const withy_snapshot *now = go(sim, 0.1);
    CHECK_NEAR(now->contact_energy, 0, 0);
    CHECK_NEAR(now->contact_depth, 0, 0);
    withy_sim_destroy(sim);
}

TEST(a_ring_needs_no_support_and_its_free_motions_are_counted) {
    static const struct {
        double excess;
        int natural, neutral;
    } row[] = {{0, 1, 6}, {0, 0, 7}, {0.8, 0, 7}, {-0.8, 0, 7}};
    for (int i = 0; i < 4; i++) {
        director_problem x;
        withy_error err = {0};
        withy_equilibrium at;
        make(&x, row[i].excess);
        if (row[i].natural) x.rod.rest = x.rod.initial;
        withy_sim *sim = start(&x, "n=16");
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK(at.negative == 0);
        CHECK(at.neutral == row[i].neutral);
        withy_sim_destroy(sim);
    }
}

TEST(weight_moves_a_ring_that_nothing_holds) {
    director_problem x;
    withy_error err = {0};
    withy_equilibrium at;
    make(&x, 0);
    x.problem.gravity = (withy_vec3){0, 0, -1};
    withy_sim *sim = start(&x, "n=16");
    CHECK(withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "act along a motion on which nothing resists them") != NULL);
    withy_sim_destroy(sim);
}

static void refused(const director_problem *x, const char *words) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(director_start(x, "n=16", &sim, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, words)) fail_msg("%s: not in: %s", words, err.text);
    CHECK(sim == NULL);
}

TEST(what_does_not_close_is_refused) {
    director_problem x;
    make(&x, 0), x.rod.initial.radius = 1.01;
    refused(&x, "ends 0.0628 m from its start");
    make(&x, 0), x.rod.initial.kind = WITHY_SHAPE_STRAIGHT;
    refused(&x, "ends 6.28 m from its start");
    make(&x, 0.5), x.rod.closed = 0;
    refused(&x, "excess link of a closed rod");
    make(&x, NAN);
    refused(&x, "rod.excess");
    make(&x, 1e300);
    refused(&x, "rod.excess");
}

RUN(test(writhe_is_that_of_the_polygon_through_the_nodes),
    test(energy_and_momenta_are_exact_at_any_step),
    test(a_weld_of_its_ends_moves_it_in_the_same_way), test(where_it_is_closed_does_not_matter),
    test(its_mirror_image_has_the_opposite_link_and_writhe),
    test(a_saved_state_goes_on_bit_for_bit),
    test(neighbours_across_the_place_where_it_is_closed_do_not_touch),
    test(a_ring_needs_no_support_and_its_free_motions_are_counted),
    test(weight_moves_a_ring_that_nothing_holds), test(what_does_not_close_is_refused))
