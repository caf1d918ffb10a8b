/* Bodies and joints in result files: written, read back and exported. */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "pendulum_fixture.h"
#include "withy/withy.h"

static withy_error err;

static withy_status run(const char *file) {
    withy_report report;
    const withy_status status = pendulum_run(file, &report, &err);
    if (status != WITHY_OK) return status;
    CHECK(report.probe_count == 2 && report.probe[0].size == 3);
    CHECK_NEAR(report.energy.kinetic + report.energy.gravity, 0, 1e-9);
    return status;
}

TEST(bodies_and_joints_of_a_run_are_read_back_and_the_joint_carries_the_weight) {
    static const char file[] = "network_result.h5";
    withy_result *result;
    withy_result_probe info;
    withy_body body;
    withy_joint joint;
    const withy_status status = run(file);
    if (status == WITHY_MISSING) skip(); /* a build without HDF5 */
    CHECK_OK(status);
    CHECK_OK(withy_result_open(file, &result, &err));
    CHECK(withy_result_rods(result) == 0 && withy_result_count(result) == 3);
    CHECK(withy_result_bodies(result) == 2 && withy_result_joints(result) == 2);
    CHECK(withy_result_body_at(result, 1, &body) && body.mass == 1 && body.size[0] == 3);
    CHECK_TEXT(body.name, "lower");
    CHECK(withy_result_joint_at(result, 1, &joint) && joint.kind == WITHY_JOINT_HINGE);
    CHECK_TEXT(joint.name, "joint2");
    const withy_parts *parts = withy_result_parts_at(result, 2, &err);
    CHECK(parts != NULL);
    CHECK(parts->t == 0.1 && parts->step == 10);
    const withy_joint_state *elbow = &parts->joint[1];
    CHECK_NEAR(elbow->place[0].x, elbow->place[1].x, 1e-12);
    CHECK_NEAR(parts->kinetic + parts->gravity, 0, 1e-9);
    CHECK(parts->joint[0].force.z > 0 && fabs(parts->joint[0].axis.y) == 1);
    CHECK(withy_result_probe_at(result, 0, &info) && info.of == WITHY_OF_BODY && info.index == 1);
    double t[11], value[33];
    CHECK(info.count == 11 && info.size == 3);
    CHECK_OK(withy_result_probe_read(result, 0, t, value, &err));
    CHECK(value[30] == parts->body[1].position.x && value[32] == parts->body[1].position.z);
    CHECK_OK(withy_result_export(result, "network_result.csv", &err));
    withy_result_close(result);
    static const char *const made[] = {"network_result.h5",         "network_result.csv",
                                       "network_result.ledger.csv", "network_result.probes.csv",
                                       "network_result.bodies.csv", "network_result.joints.csv"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) CHECK(remove(made[i]) == 0);
}

/* The four points of a pendulum without a rod: two bodies, two joints. */
TEST(bodies_and_joints_are_points_of_a_paraview_file) {
    static const char file[] = "network_result.pvd";
    static const char *const text[] = {
        "NumberOfPoints=\"4\" NumberOfVerts=\"4\" NumberOfLines=\"0\"",
        "Name=\"part\"",
        "Name=\"number\"",
        "Name=\"size\"",
        "Name=\"velocity\"",
        "Name=\"d3\"",
        "Name=\"force\"",
        "Name=\"moment\"",
        "Name=\"angle\"",
        "Name=\"travel\""};
    static char all[1 << 16];
    CHECK_OK(run(file));
    FILE *vtp = fopen("network_result/000002.vtp", "r");
    CHECK(vtp != NULL);
    all[fread(all, 1, sizeof all - 1, vtp)] = 0;
    fclose(vtp);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) CHECK(strstr(all, text[i]) != NULL);
    static const char *const made[] = {"network_result/000000.vtp", "network_result/000001.vtp",
                                       "network_result/000002.vtp", "network_result", file};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) CHECK(remove(made[i]) == 0);
}

TEST(a_damaged_row_of_a_body_is_refused) {
    static const char file[] = "network_damaged.h5";
    withy_result *result;
    const withy_status status = run(file);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(status);
    CHECK_OK(withy_result_open(file, &result, &err));
    const withy_parts *parts = withy_result_parts_at(result, 2, &err);
    CHECK(parts != NULL);
    const double x = parts->body[1].position.x, wrong = x + 1e-9;
    withy_result_close(result);
    FILE *bytes = fopen(file, "r+b");
    static unsigned char all[1 << 20];
    const size_t size = fread(all, 1, sizeof all, bytes);
    int found = 0;
    for (size_t i = 0; i + sizeof x <= size; i++) /* wherever it is stored */
        if (memcmp(all + i, &x, sizeof x) == 0) memcpy(all + i, &wrong, sizeof x), found++;
    CHECK(found > 0);
    rewind(bytes);
    CHECK(fwrite(all, 1, size, bytes) == size);
    fclose(bytes);
    CHECK_OK(withy_result_open(file, &result, &err));
    CHECK(withy_result_parts_at(result, 2, &err) == NULL && strstr(err.text, "wrong checksum"));
    withy_result_close(result);
    CHECK(remove(file) == 0);
}

RUN(test(bodies_and_joints_of_a_run_are_read_back_and_the_joint_carries_the_weight),
    test(bodies_and_joints_are_points_of_a_paraview_file), test(a_damaged_row_of_a_body_is_refused))
