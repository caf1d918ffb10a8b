/* test_irrelevant_paths.c - a part that touches nothing changes no path, critical factor, derivative, fit or refusal of director.
 *
 *     test_irrelevant_paths [COUNT [FIRST] | cases] [loud | louder] [NAME]
 *
 * (slow under sanitizers)
 */
#include "irrelevant.h"

enum { SCENES = 16, STEPS = 12, TIMES = 8, STATIONS = 64 };

/* ---- paths ---------------------------------------------------------------------------------------------------- */

/* The ends of the first rod; where it may turn about its loads, how far they are apart. */
static void put_ends(const scene *x, const withy_static_report *report, answer *out) {
    const int last = report->count - 1;
    const withy_vec3 a = report->part[x->rod_at[0]].position[0],
                     b = report->part[x->half ? x->half : x->rod_at[0]].position[1];
    if (last >= 0 && report->point[last].at.neutral > 0) {
        put(out, v3_norm(v3_sub(b, a)) / x->size);
    } else {
        put_vector(out, a, x->size);
        put_vector(out, b, x->size);
    }
}

/* Factors, signs and marks of all points, the ends of the first rod at the last, and where stability is lost. */
static void put_path(const scene *x, const withy_static_report *report, answer *out) {
    for (int i = 0; i < report->count; i++) {
        const withy_static_point *point = &report->point[i];
        put(out, point->at.factor / TIMES);
        put_whole(out, point->at.negative), put_whole(out, point->at.mark);
    }
    put_ends(x, report, out);
    for (int i = 0; i < report->critical_count; i++) {
        const withy_critical *critical = &report->critical[i];
        put(out, critical->factor / TIMES);
        put_whole(out, critical->mark), put_whole(out, critical->after);
        put_whole(out, critical->change);
    }
    snprintf(out->notes, sizeof out->notes, "%s", report->notes.text);
}

static withy_status follow(scene *x, const withy_problem *plain, const variant *v,
                           const withy_option *option, int count, answer *out) {
    withy_study study = withy_study_default();
    withy_static_report report = {0};
    (void)plain, (void)v;
    study.problem = &x->problem, study.method = "director";
    study.option = option, study.option_count = count;
    const withy_status status = withy_study_static(&study, &report, &err);
    if (status == WITHY_OK) put_path(x, &report, out);
    withy_static_free(&report);
    return status;
}

/* ---- derivatives ---------------------------------------------------------------------------------------------- */

enum { VALUES = 4 };

/* The problem with the first rod this much stiffer: itself and its variant. */
typedef struct stiffer {
    withy_problem plain;
    withy_rod rod;
    scene x;
} stiffer;

static void make_stiffer(const withy_problem *plain, double by, const variant *v, stiffer *out) {
    out->plain = *plain, out->rod = plain->rod[0];
    out->plain.rod = &out->rod;
    for (int i = 0; i < WITHY_STRAINS; i++) out->rod.stiffness[i].value[0] *= 1 + by;
    out->x = open_copy(&out->plain);
    v->add(&out->x);
}

/* free: of the distances from the ends, which no motion without stiffness changes. */
static void put_slope(const scene *x, withy_sim *sim, int free, answer *out) {
    const int halves = x->half ? 2 : 1, rod[2] = {x->rod_at[0], x->half};
    withy_vec3 at[2][STATIONS], by[2][STATIONS], end[2][2];
    int count[2];
    for (int h = 0; h < halves; h++) {
        withy_slope slope;
        const withy_snapshot *snap = withy_sim_sample(sim, rod[h]);
        CHECK_OK(withy_sim_gradient_rod(sim, rod[h], 0, &slope, &err));
        CHECK(slope.count <= STATIONS && snap->count == slope.count);
        count[h] = slope.count;
        memcpy(at[h], snap->position, (size_t)slope.count * sizeof *at[h]);
        memcpy(by[h], slope.position, (size_t)slope.count * sizeof *by[h]);
    }
    end[0][0] = at[0][0], end[0][1] = by[0][0];
    end[1][0] = at[halves - 1][count[halves - 1] - 1];
    end[1][1] = by[halves - 1][count[halves - 1] - 1];
    for (int h = 0; h < halves; h++)
        for (int i = h; i < count[h]; i++) {
            if (!free) put_vector(out, by[h][i], x->size);
            for (int k = 0; k < 2 && free; k++) {
                const withy_vec3 way = v3_sub(at[h][i], end[k][0]);
                const double far = v3_norm(way);
                put(out, far > 0 ? v3_dot(way, v3_sub(by[h][i], end[k][1])) / (far * x->size) : 0);
            }
        }
}

typedef struct target {
    withy_vec3 from;
    double unit;
} target;

/* J: half the squares of the distances of its middle and its end from a place, over the size of the scene. */
static withy_status objective(void *context, int count, const withy_vec3 *r, double *value,
                              withy_vec3 *slope, withy_error *fault_of) {
    const target *to = context;
    const double per = 1 / (to->unit * to->unit);
    (void)fault_of;
    *value = 0;
    for (int i = 0; i < count; i++) {
        const withy_vec3 way = v3_sub(r[i], to->from);
        *value += 0.5 * per * v3_dot(way, way), slope[i] = v3_scale(per, way);
    }
    return WITHY_OK;
}

/* Of the end that is held, about which a rod on one pin may turn. */
static withy_vec3 held_place(const withy_problem *plain) {
    withy_shape shape = plain->rod[0].initial;
    const int kind = plain->rod[0].end[0].kind;
    if (kind != WITHY_END_CLAMPED && kind != WITHY_END_PINNED)
        advance_shape(&shape, plain->rod[0].length);
    return shape.from;
}

static withy_status put_adjoint(scene *x, const withy_problem *plain, withy_sim *sim, double t,
                                answer *out) {
    target to = {held_place(plain), x->size};
    const int rod[2] = {x->rod_at[0], x->half ? x->half : x->rod_at[0]};
    const double length = x->rod[rod[1]].length;
    const withy_observation at[2] = {{t, x->half ? length : 0.5 * length, rod[0]},
                                     {t, length, rod[1]}};
    double value, gradient;
    const withy_status status =
        withy_sim_adjoint(sim, at, 2, objective, &to, &value, &gradient, &err);
    if (status == WITHY_OK) put(out, value), put(out, gradient);
    return status;
}

static withy_status differentiate(scene *x, const withy_problem *plain, const variant *v,
                                  const withy_option *option, int count, int equilibrium, int back,
                                  answer *out) {
    static const double share[VALUES] = {-2, -1, 1, 2};
    static stiffer at[VALUES];
    withy_variation vary = withy_variation_default();
    withy_sim *sim = NULL;
    withy_equilibrium point = {0};
    vary.step = 1e-3;
    for (int i = 0; i < VALUES; i++) {
        make_stiffer(plain, share[i] * vary.step, v, &at[i]);
        vary.at[i] = &at[i].x.problem;
    }
    withy_status status = (back ? withy_adjoint_create : withy_gradient_create)(
        &x->problem, "director", option, count, &vary, 1, &sim, &err);
    const double t = status == WITHY_OK && !equilibrium ? STEPS * withy_sim_step(sim) : 0;
    if (status == WITHY_OK && equilibrium) status = withy_sim_equilibrium(sim, 1, &point, &err);
    if (status == WITHY_OK && !equilibrium && !back) status = withy_sim_advance(sim, t, &err);
    if (status == WITHY_OK && back) status = put_adjoint(x, plain, sim, t, out);
    if (status == WITHY_OK && !back) put_slope(x, sim, point.neutral > 0, out);
    if (sim) put_notes(sim, out);
    withy_sim_destroy(sim);
    for (int i = 0; i < VALUES; i++) close_copy(&at[i].x);
    return status;
}

static withy_status derive_motion(scene *x, const withy_problem *plain, const variant *v,
                                  const withy_option *option, int count, answer *out) {
    return differentiate(x, plain, v, option, count, 0, 0, out);
}
static withy_status derive_rest(scene *x, const withy_problem *plain, const variant *v,
                                const withy_option *option, int count, answer *out) {
    return differentiate(x, plain, v, option, count, 1, 0, out);
}
static withy_status derive_motion_back(scene *x, const withy_problem *plain, const variant *v,
                                       const withy_option *option, int count, answer *out) {
    return differentiate(x, plain, v, option, count, 0, 1, out);
}
static withy_status derive_rest_back(scene *x, const withy_problem *plain, const variant *v,
                                     const withy_option *option, int count, answer *out) {
    return differentiate(x, plain, v, option, count, 1, 1, out);
}

/* ---- a fit ---------------------------------------------------------------------------------------------------- */

/* A cantilever under its weight and a load; what is added is the context. */
static withy_status read_beam(void *context, const char *const *override, int count,
                              withy_scene **out, withy_error *fault_of) {
    char text[1024];
    const char *added = context;
    const int is_rod = strstr(added, "rod(") != NULL;
    const int size = snprintf(
        text, sizeof text,
        "local p = params { young = 2e6, load = 0.02 }\n"
        "local function rod(y, from) return { length = 0.1, section = circle { diameter = 0.01 },\n"
        "  material = { young = y, poisson = 0.5, density = 1000 },\n"
        "  initial = { shape = straight { from = from, along = { 1, 0, 0 } } },\n"
        "  ends = { start = clamped {}, finish = free {} } } end\n"
        "local beam = rod(p.young, { 0, 0, 0 })\n"
        "beam.ends.finish = free { force = { 0, p.load, 0 } }\n"
        "return { rods = { beam %s }, gravity = { 0, 0, -9.81 }, %s\n"
        "  method = \"director\", options = { n = 4 } }",
        is_rod ? added : "", is_rod ? "" : added);
    return withy_scene_read_text(text, (size_t)size, "beam.lua", override, count, out, fault_of);
}

static const char *const measured[] = {
    "s,x,y,z\n0.05,0.049,0.004,-0.006\n0.1,0.095,0.013,-0.018\n",
    "s,x,y,z\n0.04,0.0398,-0.001,-0.002\n0.07,0.0692,-0.004,-0.007\n0.1,0.0985,-0.007,-0.012\n",
    "s,y\n0.03,0.001\n0.06,0.005\n0.1,0.012\n"};
enum { MEASURED = sizeof measured / sizeof *measured };

static void fit_beam(const char *data, char *added, withy_fit_result *out, withy_fit_curve *curve) {
    static const withy_fit_free free[2] = {{"params.young", 2e6, 1e5, 1e8, 1},
                                           {"params.load", 0.02, -1, 1, 0}};
    withy_scene_fit setup = withy_scene_fit_default();
    setup.read = read_beam, setup.context = added;
    setup.data = data, setup.data_size = strlen(data), setup.data_name = "data";
    setup.free = free, setup.count = 2;
    const withy_status status = withy_fit_of_scene(&setup, out, curve, &err);
    if (status == WITHY_MISSING) skip(); /* this build reads no scenes */
    CHECK_OK(status);
}

/* ---- refusals ------------------------------------------------------------------------------------------------- */

/* What is wrong with a scene: a number of it. */
static int fault;
enum { FAULTS = 6 };

static withy_status be_refused(scene *x, const withy_problem *plain, const variant *v,
                               const withy_option *option, int count, answer *out) {
    withy_option given[OPTIONS];
    withy_sim *sim = NULL;
    withy_equilibrium point;
    withy_rod *rod = &x->rod[x->rod_at[0]];
    (void)plain, (void)v, (void)out;
    memcpy(given, option, (size_t)count * sizeof *given);
    if (fault == 0) given[count++] = (withy_option){.name = "order", .number = 3};
    if (fault == 1) given[count++] = (withy_option){.name = "order", .number = 4};
    if (fault == 1) rod->damping_time = 1;
    if (fault == 2) rod->end[0].kind = rod->end[1].kind = WITHY_END_FREE;
    if (fault == 3) rod->length = -1;
    if (fault == 4) rod->stiffness[WITHY_BEND1] = withy_field_number(-1);
    if (fault == 5) given[count++] = (withy_option){.name = "n", .number = 0.5};
    withy_status status = withy_sim_create(&x->problem, "director", given, count, &sim, &err);
    if (status == WITHY_OK && fault == 2) status = withy_sim_equilibrium(sim, 1, &point, &err);
    withy_sim_destroy(sim);
    return status;
}

/* ---- what is asserted ----------------------------------------------------------------------------------------- */

/* As in test_irrelevant.c.  BISECTED: critical factors are bisected to 1e-7 of the stretch.
 * SOLVED: derivatives are solved with the tangent of the last iterate, which is that of a change of 1e-9. */
#define BISECTED 1e-7
#define SOLVED 1e-6
static const double of_path[VARIANTS] = {[BODY] = BISECTED,
                                         [ROD] = BISECTED,
                                         [ROD_FIRST] = BISECTED,
                                         [ORDER] = BISECTED,
                                         [CUT] = BISECTED};
static const double of_slope[VARIANTS] = {
    [BODY] = SOLVED, [ROD] = SOLVED, [ROD_FIRST] = SOLVED, [ORDER] = SOLVED, [CUT] = SOLVED};
static const double of_refusal[VARIANTS] = {[CUT] = INFINITY};
static const question path = {"path", follow, of_path, NULL};
static const question slope_moving = {"derivatives", derive_motion, of_slope, NULL};
static const question slope_still = {"derivatives", derive_rest, of_slope, NULL};
static const question back_moving = {"adjoint", derive_motion_back, of_slope, NULL};
static const question back_still = {"adjoint", derive_rest_back, of_slope, NULL};
static const question refusal = {"refusal", be_refused, of_refusal, NULL};

/* ---- all scenes ----------------------------------------------------------------------------------------------- */

/* Up to eight times the loads, where most rods have buckled. */
static void with_path(random_scene *y) {
    y->problem.path = (withy_path){.given = 1, .to = TIMES, .steps = 4};
}

TEST(a_random_rod_is_refused_in_the_same_words) {
    for (fault = 0; fault < FAULTS; fault++) {
        static random_scene y;
        const random_view seen = random_plain();
        tally sum[VARIANTS] = {{0}};
        const random_recipe r = random_make((uint64_t)(fault + 1), fault == 2);
        random_write(&r, &seen, &y);
        compare("random", &refusal, &y.problem, y.option,
                random_options(&r, &seen, "director", 0, &y), sum);
        CHECK(sum[OBSTACLE].refused == 1);
        for (int k = PLAIN + 1; k < VARIANTS; k++) CHECK_BELOW(sum[k].most, of_refusal[k]);
    }
}

TEST(paths_of_a_random_rod_are_those_without_what_it_never_touches) {
    all_random(&path, SCENES, 1, with_path);
}
TEST(derivatives_of_a_random_motion_are_those_without_what_it_never_touches) {
    all_random(&slope_moving, SCENES, 0, NULL);
}
TEST(derivatives_of_a_random_equilibrium_are_those_without_what_it_never_touches) {
    all_random(&slope_still, SCENES, 1, NULL);
}

TEST(derivatives_backwards_of_a_random_motion_are_those_without_what_it_never_touches) {
    all_random(&back_moving, SCENES, 0, NULL);
}
TEST(derivatives_backwards_of_a_random_equilibrium_are_those_without_what_it_never_touches) {
    all_random(&back_still, SCENES, 1, NULL);
}

/* `question` of one random scene, whatever the arguments. */
static void one_random(const question *q, int number, void (*change)(random_scene *)) {
    const int kept[2] = {scenes_wanted, first_wanted};
    scenes_wanted = 1, first_wanted = number;
    all_random(q, 1, 1, change);
    scenes_wanted = kept[0], first_wanted = kept[1];
}

/* Unstable in one direction, and free to turn about its pins: rounding put a share of the first motion into the second, which
 * then was unstable too, or not, by the variant. */
TEST(a_rod_that_may_turn_about_its_pins_is_unstable_once) {
    one_random(&path, 591, with_path);
}

/* It may turn about the direction of its weight, and the stiffness that was added to its cut swamped that of bending: 3e-4 of
 * the derivative, where corrections were small because they were slow. */
TEST(derivatives_of_a_soft_rod_on_one_pin_are_those_of_its_halves) {
    one_random(&slope_still, 1409, NULL);
    one_random(&back_still, 1409, NULL);
}

static int is_arc(const char *name, const withy_problem *plain) {
    static const char *const taken[] = {"von_mises_truss", "toggle", "snap_arch", "diamond",
                                        "lee_frame"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return plain->path.given;
    return 0;
}
TEST(paths_of_a_case_are_those_without_what_it_never_touches) {
    all_cases(&path, is_arc, 3);
}

/* To the tolerance of a fit, 1e-10 of the sum of squares: its root in the parameters. */
TEST(a_fit_is_that_without_what_the_rod_never_touches) {
    static char added[][240] = {
        "", "obstacles = { plane { point = { 0, 0, -90 }, normal = { 0, 0, 1 } } },",
        "bodies = { { name = \"far\", mass = 1, inertia = { 1, 1, 1 }, position = { 0, 50, 0 } } },"
        "joints = { weld { parts = { \"ground\", \"far\" }, at = { { 0, 50, 0 }, { 0, 0, 0 } } } "
        "},",
        ", rod(1e8, { 0, 50, 0 })"};
    const int first = cases_wanted ? 0 : today_from(0, MEASURED, 1);
    for (int n = first; n < (cases_wanted ? MEASURED : first + 1); n++) {
        withy_fit_result own, other;
        withy_fit_curve curve[2];
        fit_beam(measured[n], added[0], &own, &curve[0]);
        for (int k = 1; k < 4; k++) {
            fit_beam(measured[n], added[k], &other, &curve[1]);
            CHECK(own.converged == other.converged && curve[0].exact == curve[1].exact);
            CHECK_TEXT(curve[1].notes.text, curve[0].notes.text);
            for (int i = 0; i < 2; i++) {
                CHECK_NEAR(other.value[i].value / own.value[i].value, 1, k == 1 ? 0 : 1e-5);
                CHECK_NEAR(other.value[i].error / own.value[i].error, 1, k == 1 ? 0 : 1e-5);
            }
            withy_fit_free_result(&other), withy_fit_curve_free(&curve[1]);
        }
        withy_fit_free_result(&own), withy_fit_curve_free(&curve[0]);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_random_rod_is_refused_in_the_same_words),
        test(paths_of_a_random_rod_are_those_without_what_it_never_touches),
        test(a_fit_is_that_without_what_the_rod_never_touches),
        test(paths_of_a_case_are_those_without_what_it_never_touches),
        test(derivatives_of_a_random_motion_are_those_without_what_it_never_touches),
        test(derivatives_of_a_random_equilibrium_are_those_without_what_it_never_touches),
        test(derivatives_backwards_of_a_random_motion_are_those_without_what_it_never_touches),
        test(a_rod_that_may_turn_about_its_pins_is_unstable_once),
        test(derivatives_of_a_soft_rod_on_one_pin_are_those_of_its_halves),
        test(
            derivatives_backwards_of_a_random_equilibrium_are_those_without_what_it_never_touches)};
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
