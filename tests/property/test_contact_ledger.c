/* test_contact_ledger.c - the balances of contact: energy and momenta without friction, the ledger with it, at any step.
 *
 *     test_contact_ledger [all]      each of 20 scenes at one step of four (all: at every step, and for longer)
 * slow under sanitizers: test_contact_body says the same of fewer scenes.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "check.h"
#include "withy/scene.h"

/* A rod of 0.5 m and radius 5 mm that falls and turns, and what it meets.  closed: nothing else acts, so that momenta are
 * kept; gravity otherwise. */
#define ROD(more)                                                                                  \
    "rod={length=0.5,radius=0.005,section=circle{diameter=0.01},"                                  \
    "material={young=1e7,poisson=0.3,density=1000},"                                               \
    "initial={shape=straight{from={-0.25,-0.02,0},along={1,0.08,0.08}},velocity={0.1,0.2,-1}}}"    \
    "," more
#define TWO                                                                                        \
    "rods={{length=0.5,section=circle{diameter=0.01},"                                             \
    "material={young=1e7,poisson=0.3,density=1000},"                                               \
    "initial={shape=straight{from={-0.25,0.02,0},along={1,-0.04,0}},velocity={0,0.3,0.2}}},"       \
    "{length=0.4,section=circle{diameter=0.008},"                                                  \
    "material={young=1e7,poisson=0.3,density=1000},"                                               \
    "initial={shape=straight{from={0.03,-0.2,0.03},along={-0.07,1,-0.01}},velocity={0.1,0,-1}}}},"
#define BODY(shape)                                                                                \
    "bodies={{name='b',mass=0.05,inertia={3e-5,3.2e-5,2.8e-5},position={0.02,0.01,0.095},"         \
    "velocity={0.3,0.1,-2},spin={1,5,2},shape=" shape "}},"
#define WALL(obstacle) ROD("gravity={0,0,-9.81},obstacles={" obstacle "},")
#define ROOM(shape)                                                                                \
    BODY(shape)                                                                                    \
    "gravity={0,0,-9.81},obstacles={plane{point={0,0,-0.1}},"                                      \
    "sphere{center={0,0,0.2},radius=0.5,inside=true}},"

static const struct {
    const char *name, *scene;
    int closed;
} scene_at[] = {
    {"plane", WALL("plane{point={0,0,-0.1}}"), 0},
    {"sphere", WALL("sphere{center={0.1,0.05,-0.45},radius=0.3}"), 0},
    {"bowl", WALL("sphere{radius=0.35,inside=true}"), 0},
    {"tube", WALL("cylinder{along={1,0,0.2},radius=0.15,inside=true}"), 0},
    {"cylinder", WALL("cylinder{point={0,0,-0.3},along={0,1,0},radius=0.2}"), 0},
    {"box", WALL("box{center={0,0,-0.3},size={0.6,0.6,0.4}}"), 0},
    {"box from inside", WALL("box{size={0.62,0.4,0.3},inside=true}"), 0},
    {"capsule", WALL("capsule{center={0,0,-0.3},along={0,1,0},diameter=0.2,length=0.5}"), 0},
    {"drum", WALL("cylinder{point={0,0,-0.3},along={0,1,0},radius=0.2,length=0.5}"), 0},
    {"function", WALL("distance{value=function(x,y,z) return z+0.2-0.1*x*x end}"), 0},
    {"moving plane", WALL("plane{point=function(t) return 0,0,-0.1+0.3*t end}"), 0},
    {"two planes", WALL("plane{point={0,0,-0.1}},plane{point={0.4,0,0},normal={-1,0,0.3}}"), 0},
    {"two rods", TWO, 1},
    {"two rods over a plane", TWO "gravity={0,0,-9.81},obstacles={plane{point={0,0,-0.15}}},", 0},
    {"ball and rod", ROD(BODY("sphere{diameter=0.05}")), 1},
    {"box and rod", ROD(BODY("box{size={0.06,0.05,0.04}}")), 1},
    {"capsule and rod", ROD(BODY("capsule{diameter=0.04,length=0.08}")), 1},
    {"cylinder and rod", ROD(BODY("cylinder{diameter=0.05,length=0.06}")), 1},
    {"ball in a room", ROOM("sphere{diameter=0.05}"), 0},
    {"box in a room", ROOM("box{size={0.06,0.05,0.04}}"), 0},
};
enum { SCENES = sizeof scene_at / sizeof *scene_at, STEPS = 4 };
static const double dt[STEPS] = {1e-4, 1e-3, 5e-3, 2e-2};
static int all = 0;

/* The scene is destroyed after the simulation, which calls its functions. */
static withy_sim *start(int k, double h, double stop, double mu, withy_scene **scene) {
    static char text[4096];
    snprintf(text, sizeof text,
             "return {%scontact={stiffness=1e6,friction=%g},time={stop=%g},method='director',"
             "options={n=10,degree=%d,dt=%g}}",
             scene_at[k].scene, mu, stop, k % 3 + 1, h);
    withy_error err = {0};
    withy_sim *sim = NULL;
    *scene = NULL;
    withy_status status =
        withy_scene_read_text(text, strlen(text), scene_at[k].name, NULL, 0, scene, &err);
    if (status == WITHY_OK) status = withy_scene_sim(*scene, NULL, &sim, &err);
    if (status != WITHY_OK) print_message("%s: %s\n", scene_at[k].name, err.text);
    CHECK(status == WITHY_OK);
    return sim;
}

static void check(int k, int i, double mu) {
    const double stop = all ? (i == 0 ? 0.3 : 0.6) : (i == 0 ? 0.1 : 0.3);
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim = start(k, dt[i], stop, mu, &scene);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const vec3 none = v3(0, 0, 0); /* of bodies alone nothing is sampled */
    const vec3 p = now ? now->momentum : none, l = now ? now->angular_momentum : none;
    const withy_status status = withy_sim_advance(sim, stop, &err);
    if (status != WITHY_OK) print_message("%s, dt = %g: %s\n", scene_at[k].name, dt[i], err.text);
    CHECK(status == WITHY_OK);
    const withy_stats stats = withy_sim_stats(sim);
    now = withy_sim_sample(sim, 0);
    if (!(stats.energy_drift <= 2e-12))
        print_message("%s, dt = %g: %g\n", scene_at[k].name, dt[i], stats.energy_drift);
    CHECK_BELOW(stats.energy_drift, 2e-12);
    if (scene_at[k].closed) {
        CHECK_BELOW(v3_norm(v3_sub(now->momentum, p)) / v3_norm(p), 2e-12);
        CHECK_BELOW(v3_norm(v3_sub(now->angular_momentum, l)) / v3_norm(l), 2e-12);
    }
    CHECK(!(mu > 0) || !now || now->contact_loss >= 0);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

static void check_all(double mu) {
    for (int k = 0; k < SCENES; k++)
        for (int i = 0; i < STEPS; i++)
            if (all || i == k % STEPS) check(k, i, mu);
}

TEST(without_friction_twenty_scenes_keep_energy_and_those_that_are_closed_both_momenta) {
    (void)unused_state;
    check_all(0);
}

TEST(with_friction_their_ledger_closes_and_friction_never_gives_energy) {
    (void)unused_state;
    check_all(0.4);
}

int main(int argc, char **argv) {
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    const struct CMUnitTest tests[] = {
        test(without_friction_twenty_scenes_keep_energy_and_those_that_are_closed_both_momenta),
        test(with_friction_their_ledger_closes_and_friction_never_gives_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
