/* What fdtd reports is what its balance contains; what its schemes do not have is refused. */
#include "check.h"
#include "withy/withy.h"

static withy_status make(const char *text, withy_sim **sim, withy_scene **scene, withy_error *err) {
    *sim = NULL;
    if (withy_scene_read_text(text, strlen(text), "scene", NULL, 0, scene, err) != WITHY_OK)
        fail_msg("%s", err->text);
    return withy_scene_sim(*scene, NULL, sim, err);
}

static withy_sim *run_to(const char *text, double t, withy_scene **scene) {
    withy_error err = {0};
    withy_sim *sim;
    CHECK_OK(make(text, &sim, scene, &err));
    CHECK_OK(withy_sim_advance(sim, t, &err));
    return sim;
}

static void done(withy_sim *sim, withy_scene *scene) {
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

TEST(force_moment_and_reaction_moment_contain_the_viscous_part) {
    const char *const override[] = {"rod.damping={time=0.05}", "time.stop=0.1", "time.output=0.1",
                                    "options=nil"};
    const char *const method[] = {"fdtd", "cheb"};
    double moment[2], force[2];
    for (int m = 0; m < 2; m++) {
        withy_error err = {0};
        withy_scene *scene;
        withy_sim *sim;
        CHECK_OK(withy_scene_read(WITHY_SOURCE "/cases/soft_cantilever/scene.lua", override, 4,
                                  &scene, &err));
        CHECK_OK(withy_scene_sim(scene, method[m], &sim, &err));
        CHECK_OK(withy_sim_advance(sim, 0.1, &err));
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        CHECK_NEAR(snap->moment[0].y, -snap->reaction_moment[0].y, 2e-3);
        moment[m] = snap->reaction_moment[0].y, force[m] = snap->force[snap->count / 2].x;
        print_message("%s: reaction moment %.4f N m, force in the middle %.4f N\n", method[m],
                      moment[m], force[m]);
        done(sim, scene);
    }
    CHECK_NEAR(moment[0], -0.946, 3e-3); /* without the viscous part: -0.580 */
    CHECK_NEAR(moment[0], moment[1], 3e-3);
}

#define STRING(tension, options)                                                                   \
    "return { rod = { length = 0.325, section = circle { diameter = 0.357e-3 }, tension "          \
    "= " tension                                                                                   \
    ", material = { young = 2e11, poisson = 0.3, density = 7800 } }, ends = { start = pinned {}, " \
    "finish = pinned {} }, initial = { shape = pluck { height = 1e-3, at = 0.08, direction = { "   \
    "1, 0, 0 } } }, method = "                                                                     \
    "\"fdtd\", "                                                                                   \
    "options = { n = 32, " options " }, time = { stop = 1e-5, output = 1e-5 } }"

TEST(without_dilation_a_string_has_its_tension_and_its_stretch) {
    withy_scene *scene;
    withy_sim *sim = run_to(STRING("65", "dilation = \"off\""), 1e-5, &scene);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double area = 0.25 * 3.14159265358979 * 0.357e-3 * 0.357e-3;
    CHECK_NEAR(snap->shear[4].z, 65 / (2e11 * area), 1e-4); /* the pluck stretches it by 1e-5 */
    CHECK_NEAR(snap->force[4].z, 65, 0.1);
    done(sim, scene);
}

static void refused(const char *text, const char *part) {
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    CHECK(make(text, &sim, &scene, &err) != WITHY_OK);
    if (!strstr(err.text, part)) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
    withy_scene_destroy(scene);
}

#define BAR(ends, rest)                                                                            \
    "return { rod = { length = 0.5, section = circle { diameter = 0.02 }, material = { young = "   \
    "2e11, poisson = 0.3, density = 7800 } }, method = \"fdtd\", ends = { start = " ends           \
    " {}, finish = " ends " {} }, time = { stop = 1e-4, output = 1e-4 }, " rest " }"

TEST(what_a_scheme_would_ignore_is_refused) {
    refused(BAR("clamped", "options = { dilation = \"off\" }"), "rod.tension > 0");
    refused(STRING("65", "scheme = \"literal\", dilation = \"off\""), "has no options.dilation");
    refused(STRING("65", "scheme = \"literal\", inertia = \"regularised\""),
            "has no options.inertia");
    refused(STRING("65", "scheme = \"literal\", order = 4"), "has no options.order");
}

TEST(the_literal_scheme_lets_a_free_rod_fall_exactly_and_spins_it_by_a_torque) {
    withy_scene *scene;
    withy_sim *sim =
        run_to(BAR("free", "gravity = { 0, -10, 0 }, loads = { distributed { moment = { "
                           "0, 0, 1 } } }, options = { n = 24, scheme = \"literal\" }"),
               1e-4, &scene);
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double polar = 7800 * 3.14159265358979 * 1e-8 / 2; /* rho J3, radius 1 cm */
    const double turn = 0.5 * 1e-8 / polar;                  /* l t^2 / (2 rho J3) */
    CHECK_NEAR(snap->position[12].y / (-0.5 * 10 * 1e-8), 1, 1e-9);
    CHECK_NEAR(2 * snap->frame[12].z / turn, 1, 1e-2); /* frames are stepped by leapfrog */
    CHECK(withy_sim_stats(sim).energy_end > 0);
    done(sim, scene);
}

/* The order is what is asked for: a wave of small amplitude along the rod has the speed of its differences. */
TEST(the_literal_scheme_has_the_order_that_is_given) {
    static const int order[] = {2, 6};
    double z[2];
    for (int i = 0; i < 2; i++) {
        char text[2048];
        withy_scene *scene;
        snprintf(text, sizeof text,
                 BAR("pinned",
                     "initial = { shape = straight {}, velocity = function(s) return 0, 0, "
                     "1e-3 * math.sin(8 * math.pi * s / 0.5) end }, options = { n = 32, "
                     "dt = 1e-7, scheme = \"literal\", order = %d }"),
                 order[i]);
        withy_sim *sim = run_to(text, 1e-4, &scene);
        z[i] = withy_sim_sample(sim, 0)->position[2].z - 2 * 0.5 / 32;
        done(sim, scene);
    }
    /* node 2 is a crest of 8 half waves: r_n = A sin(w n k), A sin(w k) = k v */
    const double h = 0.5 / 32, c = sqrt(2e11 / 7800), a = 8 * 3.14159265358979 / 32;
    const double symbol[] = {sin(a), 1.5 * sin(a) - 0.3 * sin(2 * a) + sin(3 * a) / 30};
    for (int i = 0; i < 2; i++) {
        const double k = 1e-7, w = 2 / k * asin(0.5 * k * c * symbol[i] / h); /* of leapfrog */
        CHECK_NEAR(z[i] / (1e-3 * k / sin(w * k) * sin(2 * a) * sin(w * 1e-4)), 1, 1e-5);
    }
    CHECK(fabs(z[0] / z[1] - 1) > 0.05);
}

/* Frames turn by no more than half a turn in a step, so that numbers stay finite. */
TEST(an_unstable_step_fails_though_all_numbers_stay_finite_alone_and_among_eight) {
    static const double dt[] = {4.2e-5, 1e-4, 3e-4, 1e-3, 1e-2}; /* the limit is 4.01e-5 */
    for (int i = 0; i < 10; i++) {
        char text[1024];
        withy_error err = {0};
        withy_scene *scene;
        withy_sim *sim;
        snprintf(
            text, sizeof text,
            "local rods = {} for i = 1, %d do rods[i] = { length = 1, section = circle { "
            "diameter = 5e-3 }, material = { young = 1e7, poisson = 0.3, density = 1000 }, "
            "rest = straight { along = { 1, 0, 0 } }, ends = { start = clamped {} } } end "
            "return { rods = rods, gravity = { 0, 0, -9.81 }, method = \"fdtd\", options = { n "
            "= 20, dt = %g, safe = false }, time = { stop = 0.1, output = 0.1 } }",
            i < 5 ? 1 : 8, dt[i % 5]);
        CHECK_OK(make(text, &sim, &scene, &err));
        CHECK(withy_sim_advance(sim, 0.1, &err) == WITHY_NO_CONVERGENCE);
        CHECK(strstr(err.text, "use a smaller options.dt"));
        done(sim, scene);
    }
}

RUN(test(an_unstable_step_fails_though_all_numbers_stay_finite_alone_and_among_eight),
    test(force_moment_and_reaction_moment_contain_the_viscous_part),
    test(without_dilation_a_string_has_its_tension_and_its_stretch),
    test(what_a_scheme_would_ignore_is_refused),
    test(the_literal_scheme_has_the_order_that_is_given),
    test(the_literal_scheme_lets_a_free_rod_fall_exactly_and_spins_it_by_a_torque))
