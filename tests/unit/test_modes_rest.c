/* Motions without stiffness among modes: rods that nothing holds, next to others, in drag. */
#include "fixture.h"
#include "withy/withy.h"

enum { SCENES = 24, COUNT = 4 };

static void modes_of(const char *text, int count, withy_mode **mode) {
    withy_error err = {0};
    const withy_run_setup setup = {.method = "director"};
    withy_scene *scene = scene_of(text, NULL);
    const withy_status status = withy_modes(scene, count, &setup, mode, &err);
    withy_scene_destroy(scene);
    if (status == WITHY_UNSUPPORTED && strstr(err.text, "without LAPACK")) skip();
    if (status != WITHY_OK) fail_msg("%s\n%s", err.text, text);
}

/* ---- one rod in drag ----------------------------------------------------------------------------------- */

/* Rigid motions end in drag and do not come back: each is one mode, whatever number is asked for.  Bending: lambda^2 +
 * lambda c/m + omega^2 = 0. */
TEST(a_free_rod_in_drag_has_six_motions_at_rest_and_its_bending) {
    static const char *const text =
        "return { rod = { length = 1.13, stiffness = { bend = 18261, twist = 9380, stretch = "
        "4.9e8, shear = 1.9e8 }, "
        "inertia = { mass = 2.57, rotary = 9.7e-5 }, drag = { linear = 50 } }, initial = { shape = "
        "straight { "
        "along = { -0.29, -1.41, 0.35 } } }, method = 'director', options = { n = 6 } }";
    for (int count = 1; count <= 10; count++) {
        withy_mode *mode;
        modes_of(text, count, &mode);
        for (int i = 0; i < count && i < 6; i++) CHECK(mode[i].kind == WITHY_MODE_NEUTRAL);
        for (int i = 6; i < count; i++) {
            CHECK(mode[i].kind == WITHY_MODE_STABLE && mode[i].frequency > 200);
            CHECK_NEAR(mode[i].growth, -25 / 2.57, 0.05);
        }
        withy_modes_free(mode, count);
    }
}

/* ---- several rods ----------------------------------------------------------------------------------------- */

typedef struct rod {
    const char *ends;
    int neutral; /* motions that its ends leave free and nothing resists */
} rod;

static const rod END[] = {{"", 6},
                          {"ends = { start = clamped {} }, ", 0},
                          {"ends = { start = pinned {}, finish = roller {} }, ", 1},
                          {"ends = { start = clamped {}, finish = clamped {} }, ", 0}};

/* One rod: lengths over a decade or two, stiffness over four, slendernesses of 30 to 1000. */
static int write_rod(uint64_t *seed, int i, char *text, size_t size) {
    const rod *end = &END[i == 0 ? 0 : (int)random_between(seed, 0, 4)];
    const double length = pow(10, random_between(seed, -1, 1)), mass = random_between(seed, 0.1, 4);
    const double bend = pow(10, random_between(seed, -2, 2)),
                 thin = pow(10, random_between(seed, 1.5, 3));
    const double speed = sqrt(mass * bend) / (length * length),
                 drag = pow(10, random_between(seed, -2, 1)) * speed;
    const double stretch = bend * thin * thin / (length * length);
    snprintf(text, size,
             "{ length = %.17g, stiffness = { bend = %.17g, twist = %.17g, stretch = %.17g, shear "
             "= %.17g }, "
             "inertia = { mass = %.17g, rotary = %.17g }, drag = { linear = %.17g }, %sinitial = { "
             "shape = straight { "
             "from = { 0, %d, 0 }, along = { %.17g, %.17g, 1 } } } }, ",
             length, bend, 0.8 * bend, stretch, 0.4 * stretch, mass, mass * pow(length / thin, 2),
             i % 2 ? 0.0 : drag, end->ends, 30 * i, random_between(seed, -2, 2),
             random_between(seed, -2, 2));
    return end->neutral;
}

/* Nothing feeds energy into these: what is listed is at rest, as often as it can be, and nothing grows, whatever the
 * other rods are. */
TEST(nothing_grows_next_to_rods_that_nothing_holds) {
    for (int i = 0; i < SCENES; i++) {
        uint64_t seed = 101 + (uint64_t)i;
        char text[4000] = "return { rods = { ", one[900];
        const int rods = 2 + i % 3;
        int neutral = 0;
        for (int k = 0; k < rods; k++) {
            neutral += write_rod(&seed, k, one, sizeof one);
            strcat(text, one);
        }
        strcat(text, "}, method = 'director', options = { n = 4 } }");
        const int count = i % 2 ? COUNT : neutral + 1;
        withy_mode *mode;
        modes_of(text, count, &mode);
        for (int k = 0; k < count; k++)
            if ((mode[k].kind == WITHY_MODE_NEUTRAL) != (k < neutral) || mode[k].growth > 0)
                fail_msg("scene %d, mode %d of %d (%d at rest): kind %d, %g Hz, growth %g\n%s", i,
                         k, count, neutral, (int)mode[k].kind, mode[k].frequency, mode[k].growth,
                         text);
        withy_modes_free(mode, count);
    }
}

/* ---- bodies on springs --------------------------------------------------------------------------------------- */

/* A body and a spring of it, to the ground or to the body before, of which only some of the six directions are stiff. */
static int write_body(uint64_t *seed, int i, char *body, char *joint, size_t size) {
    const double stiff = pow(10, random_between(seed, 0, 4)),
                 mass = pow(10, random_between(seed, -1, 1));
    double k[6], at[3], inertia = 0.01 * mass * random_between(seed, 0.5, 1);
    int loose = 0;
    char other[60] = "{ 'ground', 'b0' }, at = { ";
    for (int c = 0; c < 3; c++) at[c] = random_between(seed, -1, 1);
    for (int c = 0; c < 6; c++) {
        k[c] = random_between(seed, 0, 1) < 0.7
                   ? stiff * random_between(seed, 0.1, 1) * (c < 3 ? 1 : 0.01)
                   : 0;
        loose += k[c] == 0;
    }
    if (loose == 6) k[0] = stiff, loose = 5;
    if (i > 0) snprintf(other, sizeof other, "{ 'b%d', 'b%d' }, at = { ", i - 1, i);
    snprintf(body, size,
             "{ name = 'b%d', mass = %.17g, inertia = { %.17g, %.17g, %.17g }, position = { %d, 0, "
             "0 } }, ",
             i, mass, inertia, 1.2 * inertia, 0.9 * inertia, i);
    snprintf(joint, size,
             "spring { parts = %s{ %.17g, %.17g, %.17g }, { %.17g, %.17g, %.17g } }, stretch = { "
             "%.17g, %.17g, "
             "%.17g }, turn = { %.17g, %.17g, %.17g } }, ",
             other, at[0] + (i == 0 ? 0 : 1), at[1], at[2], at[0], at[1], at[2], k[0], k[1], k[2],
             k[3], k[4], k[5]);
    return loose;
}

TEST(bodies_on_springs_rest_in_every_direction_without_a_spring) {
    for (int i = 0; i < 40; i++) {
        uint64_t seed = 301 + (uint64_t)i;
        char text[4200], bodies[2000] = "", joints[2000] = "", one[2][700];
        const int count = 1 + i % 4;
        int neutral = 0;
        for (int k = 0; k < count; k++) {
            neutral += write_body(&seed, k, one[0], one[1], sizeof one[0]);
            strcat(bodies, one[0]), strcat(joints, one[1]);
        }
        snprintf(text, sizeof text,
                 "return { bodies = { %s}, joints = { %s}, method = 'director' }", bodies, joints);
        withy_mode *mode;
        const int asked = i % 2 ? 6 : neutral + 1 < 6 * count ? neutral + 1 : 6 * count;
        modes_of(text, asked, &mode);
        for (int k = 0; k < asked; k++)
            if ((mode[k].kind == WITHY_MODE_NEUTRAL) != (k < neutral) || mode[k].growth > 0)
                fail_msg("scene %d, mode %d of %d (%d at rest): kind %d, %g Hz, growth %g\n%s", i,
                         k, asked, neutral, (int)mode[k].kind, mode[k].frequency, mode[k].growth,
                         text);
        withy_modes_free(mode, asked);
    }
}

RUN(test(a_free_rod_in_drag_has_six_motions_at_rest_and_its_bending),
    test(nothing_grows_next_to_rods_that_nothing_holds),
    test(bodies_on_springs_rest_in_every_direction_without_a_spring))
