/* test_quantity.c - the list of quantities, and numbers by name: one spelling in probes, sweeps, designs and fits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "fixture.h"
#include "observe/observe.h"
#include "withy/withy.h"

/* Two rods on a body; all fall freely, at 10 p.g m/s^2. */
static const char falling[] =
    "local p = params { g = 1 }\n"
    "local function rod(name, x)\n"
    "  return { name = name, length = 1, section = circle { diameter = 0.01 },\n"
    "    material = { young = 1e9, poisson = 0.3, density = 1000 },\n"
    "    initial = { shape = straight { from = { x, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, "
    "0 } } },\n"
    "    ends = { start = free {}, finish = free {} } }\n"
    "end\n"
    "return { rods = { rod('left', 0), rod('right', 1) }, gravity = { 0, 0, -10 * p.g },\n"
    "  bodies = { { name = 'hub', mass = 2, inertia = { 1e-3, 1e-3, 1e-3 }, position = { 1, 0, 0 } "
    "} },\n"
    "  joints = { weld { name = 'one', parts = { 'hub', 'left' }, at = { { 0, 0, 0 }, 1 } },\n"
    "    weld { name = 'two', parts = { 'hub', 'right' }, at = { { 0, 0, 0 }, 0 } } },\n"
    "  probes = { all = { what = 'kinetic' }, second = { what = 'kinetic', rod = 'right' },\n"
    "    tip = { rod = 'right', at = 1 } },\n"
    "  time = { stop = 0.1, output = 0.05 }, method = 'director', options = { n = 4, dt = 0.01 } "
    "}\n";

/* A round cantilever under a force at its end. */
static const char bent[] =
    "local p = params { load = { 1, 0, 10 } }\n"
    "return { rod = { length = 1, section = circle { diameter = 0.02 },\n"
    "    material = { young = 1e11, poisson = 0.3, density = 1000 } },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
    "  ends = { start = clamped {}, finish = free { force = { 2, 0, -p.load } } },\n"
    "  probes = { root = { at = 0, what = 'stress' } },\n"
    "  time = { stop = 0.1, output = 0.1 }, method = 'director', options = { n = 8, dt = 0.01 } "
    "}\n";

/* ---- the list --------------------------------------------------------------------------------- */

TEST(names_are_unique_and_sizes_fit) {
    int all = 0;
    for (int of = 0; of < WITHY_OF_KINDS; of++) {
        int count;
        const withy_quantity *q = withy_quantity_list(of, &count);
        CHECK(q && count > 0);
        all += count;
        for (int i = 0; i < count; i++) {
            CHECK((int)q[i].of == of && withy_quantity_find(of, q[i].name) == &q[i]);
            CHECK(q[i].size == 1 || q[i].size == 3 || q[i].size == 4);
            CHECK(q[i].size <= WY_QUANTITY_SIZE && q[i].unit[0] && q[i].doc[0]);
            CHECK(!q[i].needs || of == WITHY_OF_ROD);
        }
    }
    CHECK(all > 60);
}

TEST(components_have_their_names) {
    const withy_quantity *bend = withy_quantity_find(WITHY_OF_ROD, "bend"),
                         *frame = withy_quantity_find(WITHY_OF_ROD, "frame"),
                         *velocity = withy_quantity_find(WITHY_OF_ROD, "velocity"),
                         *stress = withy_quantity_find(WITHY_OF_ROD, "stress");
    int k;
    CHECK(withy_component_find(bend, "twist", &k) && k == 2);
    CHECK(withy_component_find(bend, ".z", &k) && k == 2);
    CHECK(withy_component_find(frame, "qw", &k) && k == 0);
    CHECK(withy_component_find(frame, "w", &k) && k == 0 && withy_component_find(frame, "x", &k));
    CHECK(k == 1 && withy_component_find(velocity, "y", &k) && k == 1);
    CHECK(withy_component_find(velocity, "3", &k) && k == 2);
    CHECK(withy_component_find(velocity, "norm", &k) && k == WITHY_NORM);
    CHECK(withy_component_find(velocity, "", &k) && k == WITHY_COMPONENTS);
    CHECK(withy_component_find(stress, "", &k) && !withy_component_find(stress, "x", &k));
    CHECK(!withy_component_find(velocity, "w", &k) && !withy_component_find(velocity, "4", &k));
    CHECK(!withy_component_find(velocity, "xy", &k) && !withy_component_find(bend, "stretch", &k));
}

/* ---- names ------------------------------------------------------------------------------------ */

TEST(names_mean_places_parts_and_entries) {
    static const struct {
        const char *text, *what;
        int of, which, component;
        double at;
    } row[] = {
        {"finish.x", "position", WITHY_OF_ROD, 0, 0, 1},
        {"finish.position.x", "position", WITHY_OF_ROD, 0, 0, 1},
        {"right.middle.velocity.norm", "velocity", WITHY_OF_ROD, 1, WITHY_NORM, 0.5},
        {"rod2.s=0.2.moment", "moment", WITHY_OF_ROD, 1, WITHY_COMPONENTS, 0.2},
        {"s=.25.stress", "stress", WITHY_OF_ROD, 0, WITHY_COMPONENTS, 0.25},
        {"hub.z", "position", WITHY_OF_BODY, 0, 2, 0},
        {"hub.spin.1", "spin", WITHY_OF_BODY, 0, 0, 0},
        {"two.force.y", "force", WITHY_OF_JOINT, 1, 1, 0},
        {"joint1.y", "force", WITHY_OF_JOINT, 0, 1, 0},
        {"kinetic", "kinetic", WITHY_OF_LEDGER, -1, WITHY_COMPONENTS, 0},
        {"right.kinetic", "kinetic", WITHY_OF_LEDGER, 1, WITHY_COMPONENTS, 0},
        {"force.start.z", "reaction_start", WITHY_OF_LEDGER, -1, 2, 0},
        {"rod2.moment.finish.norm", "reaction_moment_finish", WITHY_OF_LEDGER, 1, WITHY_NORM, 0},
        {"angular_momentum.z", "angular_momentum", WITHY_OF_LEDGER, -1, 2, 0},
    };
    static const char *const bad[] = {"",
                                      "tip",
                                      "finish.w",
                                      "finish.velocity.w",
                                      "s=2.x",
                                      "s=.x",
                                      "rod3.finish",
                                      "hub.colour",
                                      "hub.force.x",
                                      "kinetic.x",
                                      "left",
                                      "finish.",
                                      "finish.velocity.x.y",
                                      "three.force"};
    withy_scene *scene = scene_of(falling, NULL);
    const withy_names names = wy_problem_names(withy_scene_problem(scene));
    withy_number n;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!withy_number_find(&names, row[i].text, &n)) fail_msg("%s", row[i].text);
        const int in_rod = n.at.of == WITHY_OF_ROD || n.at.of == WITHY_OF_LEDGER;
        if ((int)n.at.of != row[i].of || strcmp(n.at.what, row[i].what) != 0 ||
            n.component != row[i].component || n.at.at != row[i].at ||
            (in_rod ? n.at.rod : n.at.index) != row[i].which)
            fail_msg("%s: %s of %d %d, component %d at %g", row[i].text, n.at.what, (int)n.at.of,
                     in_rod ? n.at.rod : n.at.index, n.component, n.at.at);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (withy_number_find(&names, bad[i], &n)) fail_msg("\"%s\" is a number", bad[i]);
    withy_scene_destroy(scene);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* What falls freely from rest: v = g t. */
TEST(probes_record_what_belongs_to_a_rod_or_to_the_scene) {
    withy_scene *scene = scene_of(falling, NULL);
    withy_error err = {0};
    static withy_report report;
    const withy_run_setup setup = {0};
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    const double rod = 1000 * 3.141592653589793 * 0.005 * 0.005, half = 0.5 * 1.0 * 1.0;
    CHECK(report.probe_count == 3);
    for (int i = 0; i < 3; i++) {
        const withy_probe_report *p = &report.probe[i];
        const double most = p->most[0];
        if (strcmp(p->name, "all") == 0) CHECK(fabs(most - half * (2 * rod + 2)) < 1e-9 * most);
        if (strcmp(p->name, "second") == 0) CHECK(fabs(most - half * rod) < 1e-9 * most);
        CHECK(strcmp(p->name, "tip") == 0 || strcmp(p->unit, "J") == 0);
    }
    withy_scene_destroy(scene);
}

static withy_status sweep(const char *text, withy_sweep_kind kind, const char *over,
                          const char *const *requested, int count, const char *path,
                          withy_error *err) {
    withy_sweep_report report;
    const withy_sweep_setup setup = {.scene = "q.lua",
                                     .text = text,
                                     .over = &over,
                                     .over_count = 1,
                                     .kind = kind,
                                     .requested = requested,
                                     .requested_count = count,
                                     .output = path,
                                     .threads = 1};
    const withy_status status = withy_sweep(&setup, &report, err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua or HDF5 */
    return status;
}

static char folder[] = "/tmp/withy-quantity-XXXXXX";
#include "in_folder.h"

TEST(a_sweep_takes_any_number_of_a_motion_without_a_probe) {
    static const char *const requested[] = {"hub.velocity.z", "hub.velocity.norm:max", "tip.z",
                                            "right.finish.z", "kinetic:max",           "all:max",
                                            "right.kinetic",  "finish.z:min"};
    const char *path = in_folder("any.h5");
    withy_error err = {0};
    withy_sweep_file *file;
    withy_sweep_column c[9];
    CHECK_OK(sweep(falling, WITHY_SWEEP_RUN, "params.g=1,2", requested, 8, path, &err));
    CHECK_OK(withy_sweep_open(path, &file, &err));
    for (int i = 0; i < 9; i++) CHECK(withy_sweep_column_at(file, i, &c[i]));
    for (int k = 0; k < 2; k++) {
        const double v = 1.0 * (k + 1);
        CHECK(fabs(c[1].value[k] + v) < 1e-9 && fabs(c[2].value[k] - v) < 1e-9);
        CHECK(fabs(c[3].value[k] - c[4].value[k]) < 1e-14 && c[3].value[k] < 0);
        CHECK(c[5].value[k] == c[6].value[k] && c[7].value[k] < 0.1 * c[5].value[k]);
        CHECK(fabs(c[8].value[k] + 0.05 * v) < 1e-9);
    }
    CHECK(strcmp(c[1].unit, "m/s") == 0 && strcmp(c[5].unit, "J") == 0);
    withy_sweep_close(file);
    unlink(path);
}

/* F along and across a clamped rod: sigma = N/A + M r/I at its root, and that is the largest. */
TEST(stress_of_a_place_of_a_path_and_of_the_equilibrium_are_one) {
    static const char *const requested[] = {"stress",        "start.stress",  "root",
                                            "start.tension", "force.start.x", "start.moment.norm"};
    const char *path = in_folder("stress.h5");
    withy_error err = {0};
    withy_sweep_file *file;
    withy_sweep_column c[7];
    CHECK_OK(sweep(bent, WITHY_SWEEP_STATIC, "params.load=1,5", requested, 6, path, &err));
    CHECK_OK(withy_sweep_open(path, &file, &err));
    for (int i = 0; i < 7; i++) CHECK(withy_sweep_column_at(file, i, &c[i]));
    for (int k = 0; k < 2; k++) {
        const double r = 0.01, area = 3.141592653589793 * r * r, second = area * r * r / 4;
        const double n = c[4].value[k], m = c[6].value[k];
        CHECK(c[1].value[k] == c[2].value[k] && c[2].value[k] == c[3].value[k]);
        CHECK(fabs(n - 2) < 1e-6 && fabs(c[5].value[k] + 2) < 1e-6);
        CHECK(fabs(c[1].value[k] - (n / area + m * r / second)) < 1e-9 * c[1].value[k]);
    }
    withy_sweep_close(file);
    unlink(path);
}

TEST(what_is_not_there_is_refused_with_what_is) {
    static const char *const bad[][2] = {{"hub.colour", "has no such quantity or component"},
                                         {"hob.z", "there is no such number"},
                                         {"finish", "is a vector; which component?"},
                                         {"finish.velocity", "is a vector; which component?"},
                                         {"finish.q", "has no such quantity or component"},
                                         {"tip.q", "has no such component"},
                                         {"energy:max", "is known at the end of a run only"},
                                         {"stress", "is computed for equilibria only"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        withy_error err = {0};
        CHECK(sweep(falling, WITHY_SWEEP_RUN, "params.g=1,2", &bad[i][0], 1, in_folder("no.h5"),
                    &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, bad[i][1])) fail_msg("%s: %s", bad[i][1], err.text);
    }
}

/* ---- fits ------------------------------------------------------------------------------------- */

static withy_status read_falling(void *context, const char *const *override, int count,
                                 withy_scene **scene, withy_error *err) {
    (void)context;
    return withy_scene_read_text(falling, strlen(falling), "q.lua", override, count, scene, err);
}

/* v = 10 g t at two times, and the energy of that; g = 1.5. */
TEST(a_fit_takes_columns_of_any_quantity) {
    static const char data[] = "t [s],hub.velocity.z [m/s],right.kinetic [J]\n"
                               "0.05,-0.75,0.022089323345553\n0.1,-1.5,0.088357293382212\n";
    const withy_fit_free free = {"params.g", 1, 0.5, 3, 0};
    withy_scene_fit setup = withy_scene_fit_default();
    setup.read = read_falling, setup.data = data, setup.data_size = strlen(data);
    setup.data_name = "film.csv", setup.free = &free, setup.count = 1;
    withy_error err = {0};
    withy_fit_result out = {0};
    withy_fit_curve curve = {0};
    const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
    if (status == WITHY_MISSING || status == WITHY_UNSUPPORTED) skip(); /* without Lua, cminpack */
    CHECK_OK(status);
    CHECK_NEAR(out.value[0].value, 1.5, 1e-6);
    CHECK(!curve.exact && strstr(curve.notes.text, "differentiated by differences"));
    withy_fit_free_result(&out);
    withy_fit_curve_free(&curve);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(names_are_unique_and_sizes_fit),
        test(components_have_their_names),
        test(names_mean_places_parts_and_entries),
        test(probes_record_what_belongs_to_a_rod_or_to_the_scene),
        test(a_sweep_takes_any_number_of_a_motion_without_a_probe),
        test(stress_of_a_place_of_a_path_and_of_the_equilibrium_are_one),
        test(what_is_not_there_is_refused_with_what_is),
        test(a_fit_takes_columns_of_any_quantity)};
    if (!mkdtemp(folder)) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failures;
}
