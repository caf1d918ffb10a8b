/* slow under sanitizers
 *
 * The cases of rods that meet, against what they are known to do. */
#include "check.h"
#include "withy/withy.h"

static withy_error err;

typedef struct rig {
    withy_scene *scene;
    withy_sim *sim;
} rig;

/* 0: this build reads no scenes. */
static int open_case(const char *name, rig *r) {
    char path[512];
    int count;
    snprintf(path, sizeof path, "%s/cases/%s/scene.lua", WITHY_SOURCE, name);
    const withy_status status = withy_scene_read(path, NULL, 0, &r->scene, &err);
    if (status == WITHY_MISSING) return 0;
    CHECK_OK(status);
    const withy_option *option = withy_scene_options(r->scene, &count);
    CHECK_OK(
        withy_sim_create(withy_scene_problem(r->scene), "director", option, count, &r->sim, &err));
    return 1;
}

static void close_case(rig *r) {
    withy_sim_destroy(r->sim);
    withy_scene_destroy(r->scene);
}

static withy_vec3 end_of(withy_sim *sim, int rod) {
    const withy_snapshot *snap = withy_sim_sample(sim, rod);
    CHECK(snap != NULL);
    return snap->position[snap->count - 1];
}

/* The tip of two bars, by an integration of order 8 of their two equations of motion. */
TEST(a_double_pendulum_of_rigid_bars_is_where_its_equations_of_motion_put_it) {
    rig r;
    if (!open_case("double_pendulum", &r)) skip();
    CHECK_OK(withy_sim_advance(r.sim, 1.0, &err));
    const withy_parts *parts = withy_sim_parts(r.sim);
    CHECK(parts != NULL);
    const withy_quat q = parts->body[1].frame; /* about y */
    const double along = 1 - 2 * q.y * q.y, down = -2 * q.w * q.y;
    CHECK_NEAR(parts->body[1].position.x + 0.5 * along, -1.66211514, 1e-5); /* dt = 1 ms: 8e-6 */
    CHECK_NEAR(parts->body[1].position.z + 0.5 * down, -1.04146664, 1e-5);
    CHECK_NEAR(parts->kinetic + parts->gravity, 0, 1e-10);
    close_case(&r);
}

TEST(a_four_bar_linkage_of_steel_follows_rigid_kinematics) {
    rig r;
    double worst = 0;
    if (!open_case("four_bar", &r)) skip();
    for (int i = 1; i <= 40; i++) {
        const double t = 0.05 * i,
                     turn = t < 1 ? 3.14159265358979 * t * t : 3.14159265358979 * (2 * t - 1);
        CHECK_OK(withy_sim_advance(r.sim, t, &err));
        const double x = 0.3 * cos(turn), y = 0.3 * sin(turn), dx = 1 - x, d = hypot(dx, y);
        const double p = (1 - 0.49 + d * d) / (2 * d), h = sqrt(1 - p * p);
        const withy_vec3 elbow = end_of(r.sim, 0);
        worst = fmax(worst, hypot(elbow.x - (x + (p * dx + h * y) / d),
                                  elbow.y - (y + (h * dx - p * y) / d)));
    }
    CHECK_BELOW(worst, 1e-6); /* what steel gives way: 4e-7 */
    close_case(&r);
}

TEST(a_piston_follows_its_crank_and_never_leaves_its_rail) {
    rig r;
    double off = 0, aside = 0;
    if (!open_case("slider_crank", &r)) skip();
    for (int i = 1; i <= 30; i++) {
        CHECK_OK(withy_sim_advance(r.sim, 0.05 * i, &err));
        const withy_parts *parts = withy_sim_parts(r.sim);
        CHECK(parts != NULL);
        const double a = parts->joint[0].angle, piston = parts->body[1].position.x;
        const double expected = 0.3 * cos(a) + sqrt(0.81 - 0.09 * sin(a) * sin(a));
        off = fmax(off, fabs(piston - expected));
        aside = fmax(aside, hypot(parts->body[1].position.y, parts->body[1].position.z));
        CHECK_NEAR(parts->joint[3].travel, piston - 1.2, 1e-12);
    }
    CHECK_BELOW(off, 1e-5);
    CHECK_BELOW(aside, 1e-14);
    close_case(&r);
}

/* Simo and Vu-Quoc (1988), converged: see cases/right_angle_frame/README.md. */
TEST(a_right_angle_cantilever_swings_as_the_converged_solution_and_keeps_its_energy) {
    rig r;
    if (!open_case("right_angle_frame", &r)) skip();
    CHECK_OK(withy_sim_advance(r.sim, 2.0, &err));
    CHECK_NEAR(end_of(r.sim, 0).z, 4.11525, 2e-5);
    CHECK_NEAR(end_of(r.sim, 1).z, 0.06926, 2e-5);
    CHECK_OK(withy_sim_advance(r.sim, 5.0, &err));
    CHECK_NEAR(end_of(r.sim, 0).z, 3.11142, 2e-5);
    CHECK_NEAR(end_of(r.sim, 1).z, 5.47940, 2e-5);
    CHECK_NEAR(withy_sim_stats(r.sim).energy_end, 114.8803, 1e-3);
    close_case(&r);
}

/* Rods have their own energies, the first also those of its ends in clusters: nothing is counted twice. */
TEST(energies_of_rods_and_bodies_add_up_to_that_of_the_network) {
    rig r;
    if (!open_case("satellite", &r)) skip();
    CHECK_OK(withy_sim_advance(r.sim, 0.5, &err));
    const withy_parts *parts = withy_sim_parts(r.sim);
    CHECK(parts != NULL);
    double sum = parts->kinetic + parts->gravity + parts->springs;
    for (int rod = 0; rod < 4; rod++) {
        const withy_snapshot *snap = withy_sim_sample(r.sim, rod);
        const withy_energies *e = &snap->energy;
        sum += e->kinetic + e->shear + e->stretch + e->bend + e->twist + e->gravity;
    }
    CHECK_NEAR(sum, withy_sim_stats(r.sim).energy_end, 1e-12 * sum);
    close_case(&r);
}

RUN(test(energies_of_rods_and_bodies_add_up_to_that_of_the_network),
    test(a_double_pendulum_of_rigid_bars_is_where_its_equations_of_motion_put_it),
    test(a_four_bar_linkage_of_steel_follows_rigid_kinematics),
    test(a_piston_follows_its_crank_and_never_leaves_its_rail),
    test(a_right_angle_cantilever_swings_as_the_converged_solution_and_keeps_its_energy))
