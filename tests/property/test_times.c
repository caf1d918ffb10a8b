/* Every quantity in a result belongs to the time it is stamped with, with the order of the scheme.
 *
 * Each scene is run with steps h, h/2, h/4 and h/8 on one mesh.  With D the distance of two neighbouring runs, over all
 * stations and four instants, log2 of two D is the order of a quantity: one that belonged to another time within the step,
 * as the mean of a step does, has order 1.  WITHY_TIMES_SEED sets the seed, WITHY_TIMES_SAMPLES how many scenes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "random_number.h"
#include "withy/withy.h"

enum { RUNS = 4, INSTANTS = 4, QUANTITIES = 64, NUMBERS = 1024 };

/* All numbers of a run, by quantity. */
typedef struct record {
    int count;
    struct {
        char name[32];
        int count;
        double value[NUMBERS];
    } of[QUANTITIES];
} record;

static void add(record *x, const char *name, const double *value, int count) {
    int i = 0;
    while (i < x->count && strcmp(x->of[i].name, name) != 0) i++;
    if (i == x->count) snprintf(x->of[x->count++].name, sizeof x->of[i].name, "%s", name);
    for (int k = 0; k < count && x->of[i].count < NUMBERS; k++)
        x->of[i].value[x->of[i].count++] = value[k];
}

static void add_rod(record *x, const withy_snapshot *snap) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
    for (int q = 0; q < count; q++)
        if ((snap->have & quantity[q].have) == quantity[q].have &&
            quantity[q].have != WITHY_HAVE_CONTACT)
            for (int i = 0; i < snap->count; i++)
                add(x, quantity[q].name, withy_quantity_at(&quantity[q], snap, i),
                    quantity[q].size);
    if (snap->have & WITHY_HAVE_REACTION) add(x, "reaction", &snap->reaction[0].x, 6);
    if (snap->have & WITHY_HAVE_REACTION_MOMENT)
        add(x, "reaction_moment", &snap->reaction_moment[0].x, 6);
    if (snap->have & WITHY_HAVE_ENERGY) {
        add(x, "kinetic", &snap->energy.kinetic, 1);
        add(x, "strain energies", &snap->energy.shear, 4);
        add(x, "gravity", &snap->energy.gravity, 1);
    }
    if (snap->have & WITHY_HAVE_WORK) {
        add(x, "work", &snap->work, 1);
        add(x, "dissipated", &snap->dissipated, 1);
    }
    if (snap->have & WITHY_HAVE_MOMENTUM) {
        add(x, "momentum", &snap->momentum.x, 3);
        add(x, "angular momentum", &snap->angular_momentum.x, 3);
    }
}

static void add_parts(record *x, withy_sim *sim) {
    const withy_parts *parts = withy_sim_parts(sim);
    for (int i = 0; parts && i < parts->body_count; i++) {
        const withy_body_state *body = &parts->body[i];
        add(x, "body position", &body->position.x, 3);
        add(x, "body velocity", &body->velocity.x, 3);
        add(x, "body spin", &body->spin.x, 3);
    }
    for (int i = 0; parts && i < parts->joint_count; i++) {
        const withy_joint_state *joint = &parts->joint[i];
        add(x, "joint place", &joint->place[0].x, 6);
        add(x, "joint force", &joint->force.x, 3);
        add(x, "joint torque", &joint->torque.x, 3);
        add(x, "joint angle", &joint->angle, 1);
    }
}

/* ---- scenes -------------------------------------------------------------------------------------------------- */

static uint32_t seed;
static double noise(void) {
    random_next(&seed);
    return (double)(seed >> 8) / 8388608.0 - 1.0;
}

/* What has a lower order: with order = 4 what joints keep in place is kept in velocity to order 2, and forces are means of
 * its five steps; viscous stresses are means of the last step; work goes with `conserved` (docs/scene.md). */
typedef struct lower {
    const char *quantity;
    double order;
} lower;

typedef struct kind {
    const char *name, *method, *text, *options;
    double h, stop;
    double order;
    lower but[8];
} kind;

#define ROD(extra)                                                                                 \
    "rod = { length = 1, stiffness = { stretch = 200, shear = 100, bend = 2, twist = 1 }, "        \
    "inertia = { mass = 1, rotary = { 0.01, 0.01, 0.02 } }" extra " }, "                           \
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 "  \
    "} } }, "
#define WIRE                                                                                       \
    "rod = { length = 1, stiffness = { bend = 2, twist = 1 }, inertia = { mass = 1 } }, "          \
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 "  \
    "} } }, "
#define CLAMPED "ends = { start = clamped {} }, "
/* Smooth from the start on: motions that the steps do not resolve are hardly set going. */
#define GROWS                                                                                      \
    "loads = { distributed { force = function(s, t) local a = 60 * t ^ 3; return a * a1, "         \
    "a * s * a2, 2 * a * a3 end } }, "
#define SWAYS                                                                                      \
    "ends = { start = clamped { position = function(t) return 0.05 * (1 - math.cos(4 * t)), "      \
    "0.04 * math.sin(3 * t) - 0.12 * t, 0 end } }, "
#define BODY "mass = 1, inertia = { 0.02, 0.05, 0.06 }"

static const kind table[] = {
    {"clamped", "director", ROD("") CLAMPED GROWS, "n = 4, degree = 2", 4e-3, 0.4, 2, {{0}}},
    {"pinned, damped",
     "director",
     ROD(", damping = { bend = 0.02, stretch = 0.3 }") "ends = { start = pinned {} }, " GROWS,
     "n = 4, degree = 2",
     4e-3,
     0.4,
     2,
     {{"force", 1}, {"moment", 1}, {"tension", 1}}},
    {"driven", "director", ROD("") SWAYS GROWS, "n = 4, degree = 2", 4e-3, 0.4, 2, {{0}}},
    {"order 4",
     "director",
     ROD("") CLAMPED GROWS,
     "n = 4, degree = 2, order = 4",
     8e-3,
     0.4,
     4,
     {{"reaction", 2}, {"reaction_moment", 2}}},
    {"bodies",
     "director",
     "bodies = { { name = \"a\", " BODY ", position = { 0.3, 0, 0 } }, { name = \"b\", " BODY
     ", position = { 0.9, 0, 0 } } }, "
     "joints = { ball { parts = { \"ground\", \"a\" }, at = { { 0, 0, 0 }, { -0.3, 0, 0 } } }, "
     "hinge { parts = { \"a\", \"b\" }, at = { { 0.3, 0, 0 }, { -0.3, 0, 0 } }, axis = { 0, 1, 0.2 "
     "} } }, ",
     "",
     4e-3,
     0.4,
     2,
     {{0}}},
    {"bodies, order 4",
     "director",
     "bodies = { { name = \"a\", " BODY ", position = { 0.3, 0, 0 } }, { name = \"b\", " BODY
     ", position = { 0.9, 0, 0 } } }, "
     "joints = { ball { parts = { \"ground\", \"a\" }, at = { { 0, 0, 0 }, { -0.3, 0, 0 } } }, "
     "hinge { parts = { \"a\", \"b\" }, at = { { 0.3, 0, 0 }, { -0.3, 0, 0 } }, axis = { 0, 1, 0.2 "
     "} } }, ",
     "order = 4",
     8e-3,
     0.4,
     4,
     {{"joint force", 2}, {"joint torque", 2}, {"body velocity", 2}, {"body spin", 2}}},
    {"rod and body",
     "director",
     ROD("") CLAMPED GROWS
     "bodies = { { name = \"b\", " BODY ", position = { 1.2, 0, 0 } } }, "
     "joints = { hinge { parts = { \"rod\", \"b\" }, at = { 1, { -0.2, 0, 0 } }, "
     "axis = { 0, 1, 0 } } }, ",
     "n = 4, degree = 2",
     4e-3,
     0.4,
     2,
     {{0}}},
    {"welded",
     "director",
     ROD("") CLAMPED GROWS
     "bodies = { { name = \"b\", " BODY ", position = { 1.2, 0, 0 } } }, "
     "joints = { weld { parts = { \"rod\", \"b\" }, at = { 1, { -0.2, 0, 0 } } } }, ",
     "n = 4, degree = 2",
     4e-3,
     0.4,
     2,
     {{0}}},
    {"clamped", "se3", ROD("") CLAMPED GROWS, "n = 8", 4e-3, 0.4, 2, {{0}}},
    {"clamped", "fdtd", ROD("") CLAMPED GROWS, "n = 8", 4e-4, 0.4, 2, {{0}}},
    {"clamped", "cheb", ROD("") CLAMPED GROWS, "n = 6", 4e-4, 0.4, 2, {{0}}},
    {"clamped",
     "elastica",
     WIRE CLAMPED GROWS,
     "n = 8",
     2e-3,
     0.4,
     2,
     {{"work", 1}, {"dissipated", 1}}},
    {"clamped",
     "kirchhoff",
     WIRE CLAMPED GROWS,
     "n = 8",
     2e-3,
     0.4,
     2,
     {{"work", 1}, {"dissipated", 1}}},
};
enum { KINDS = sizeof table / sizeof *table };

static void run(const kind *k, const double push[3], double h, record *out) {
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim;
    char text[4096];
    const int grows = strstr(k->text, GROWS) != NULL;
    snprintf(text, sizeof text,
             "local a1, a2, a3 = %.17g, %.17g, %.17g return { %s gravity = { %.17g, %.17g, %.17g "
             "}, time = { stop = %.17g, output = %.17g, "
             "stations = 5 }, options = { dt = %.17g%s%s } }",
             push[0], push[1], push[2], k->text, grows ? 0 : 3 * push[0], grows ? 0 : 3 * push[1],
             grows ? 0 : 3 * push[2], k->stop, k->stop / INSTANTS, h, k->options[0] ? ", " : "",
             k->options);
    const withy_status read =
        withy_scene_read_text(text, strlen(text), "test", NULL, 0, &scene, &err);
    if (read == WITHY_MISSING) skip(); /* a build without Lua */
    if (read != WITHY_OK) fail_msg("%s %s: %s", k->method, k->name, err.text);
    int count;
    const withy_option *option = withy_scene_options(scene, &count);
    if (withy_sim_create(withy_scene_problem(scene), k->method, option, count, &sim, &err) !=
        WITHY_OK)
        fail_msg("%s %s: %s", k->method, k->name, err.text);
    memset(out, 0, sizeof *out);
    for (int i = 1; i <= INSTANTS; i++) {
        if (withy_sim_advance(sim, k->stop * i / INSTANTS, &err) != WITHY_OK)
            fail_msg("%s %s: %s", k->method, k->name, err.text);
        for (int r = 0; r < withy_scene_problem(scene)->rod_count; r++)
            add_rod(out, withy_sim_sample(sim, r));
        add_parts(out, sim);
    }
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

static double distance(const record *a, const record *b, int q, double *size) {
    double sum = 0;
    *size = 0;
    CHECK(a->of[q].count == b->of[q].count);
    for (int i = 0; i < a->of[q].count; i++) {
        const double d = a->of[q].value[i] - b->of[q].value[i];
        sum += d * d, *size += a->of[q].value[i] * a->of[q].value[i];
    }
    *size = sqrt(*size);
    return sqrt(sum);
}

static double wanted(const kind *k, const char *name) {
    for (const lower *l = k->but; l->quantity; l++)
        if (strcmp(l->quantity, name) == 0) return l->order;
    return k->order;
}

/* How far the worst quantity is from its order. */
static int measure(const kind *k) {
    static record of[RUNS];
    double push[3];
    int bad = 0;
    for (int i = 0; i < 3; i++) push[i] = noise() + (i == 2 ? 1.5 : 0);
    for (int i = 0; i < RUNS; i++) run(k, push, k->h / (1 << i), &of[i]);
    for (int q = 0; q < of[0].count; q++) {
        double size;
        double d[RUNS - 1];
        for (int i = 0; i + 1 < RUNS; i++) d[i] = distance(&of[i], &of[i + 1], q, &size);
        const double order = log2(d[1] / d[2]), first = log2(d[0] / d[1]);
        const int small = d[2] <= 1e-9 * (size + 1e-3);
        const int missed = !small && !(fmax(order, first) >= wanted(k, of[0].of[q].name) - 0.5);
        if (missed || getenv("WITHY_TIMES_ALL"))
            printf("%s %s: %s has order %.2f, %.2f (error %.3g of %.3g)\n", k->method, k->name,
                   of[0].of[q].name, first, order, d[2], size);
        bad += missed;
    }
    return bad;
}

TEST(every_quantity_belongs_to_the_time_it_is_stamped_with) {
    const char *given = getenv("WITHY_TIMES_SEED"), *samples = getenv("WITHY_TIMES_SAMPLES");
    const uint32_t first =
        given ? (uint32_t)strtoul(given, NULL, 10) : (uint32_t)(time(NULL) / 86400);
    const int rounds = samples ? atoi(samples) : 1;
    printf("seed %u\n", first);
    int bad = 0;
    for (int r = 0; r < rounds; r++) {
        seed = first + (uint32_t)r;
        for (int i = 0; i < KINDS; i++) bad += measure(&table[i]);
    }
    CHECK(bad == 0);
}

/* ---- exact values ------------------------------------------------------------------------------------------------ */

typedef struct motion {
    withy_scene *scene;
    withy_sim *sim;
} motion;

static motion begin(const char *text) {
    motion x = {0};
    withy_error err = {0};
    const withy_status read =
        withy_scene_read_text(text, strlen(text), "test", NULL, 0, &x.scene, &err);
    if (read == WITHY_MISSING) skip();
    if (read != WITHY_OK) fail_msg("%s", err.text);
    int count;
    const withy_option *option = withy_scene_options(x.scene, &count);
    if (withy_sim_create(withy_scene_problem(x.scene), "director", option, count, &x.sim, &err) !=
        WITHY_OK)
        fail_msg("%s", err.text);
    return x;
}

static void end(motion *x) {
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
}

TEST(a_rod_that_falls_has_the_speed_of_its_time_at_every_step) {
    withy_error err = {0};
    motion x = begin("return { " ROD("") "gravity = { 0, 0, -10 }, time = { stop = 1, output = "
                                         "0.1 }, options = { n = 4, dt = 0.1 } }");
    for (int i = 1; i <= 10; i++) {
        CHECK_OK(withy_sim_advance(x.sim, 0.1 * i, &err));
        CHECK_BELOW(fabs(withy_sim_sample(x.sim, 0)->velocity[2].z + i), 1e-12);
    }
    end(&x);
}

/* (a - g) m with a = alpha x r, alpha = 0.6 m g/(2 + m): to the error of three short steps. */
TEST(the_force_of_a_joint_at_the_start_is_that_of_the_accelerations) {
    motion x = begin(
        "return { bodies = { { name = \"b\", mass = 1, inertia = { 1, 2, 2.5 }, position = { 0.6, "
        "0, -0.8 } } }, "
        "joints = { hinge { parts = { \"ground\", \"b\" }, at = { { 0, 0, 0 }, { -0.6, 0, 0.8 } }, "
        "axis = { 0, 1, 0 } } }, gravity = { 0, 0, -9.81 }, time = { stop = 1 }, options = { dt = "
        "0.01 } }");
    const withy_vec3 force = withy_sim_parts(x.sim)->joint[0].force;
    const double alpha = 0.6 * 9.81 / 3;
    CHECK_BELOW(fabs(force.x + 0.8 * alpha), 1e-5);
    CHECK_BELOW(fabs(force.z - 9.81 + 0.6 * alpha), 1e-5);
    end(&x);
}

/* The force of a pendulum that begins with a spin, after `steps` steps of h. */
static withy_vec3 swing(double h, int steps, int fine) {
    withy_error err = {0};
    char text[1024];
    snprintf(
        text, sizeof text,
        "return { bodies = { { name = \"b\", mass = 1.3, inertia = { 0.3, 0.2, 0.25 }, "
        "position = { 0.7, 0, 0 }, spin = { 0, 2, 0 }, velocity = { 0, 0, -1.4 } } }, joints = "
        "{ hinge { parts = { \"ground\", \"b\" }, at = { { 0, 0, 0 }, { -0.7, 0, 0 } }, axis "
        "= { 0, 1, 0 } } }, gravity = { 1, 0, -9.81 }, time = { stop = 1 }, options = { dt = "
        "%.17g } }",
        h / fine);
    motion x = begin(text);
    for (int i = 1; i <= steps * fine; i++) CHECK_OK(withy_sim_advance(x.sim, h * i / fine, &err));
    const withy_vec3 force = withy_sim_parts(x.sim)->joint[0].force;
    end(&x);
    return force;
}

static double swing_error(double h, int steps) {
    const withy_vec3 a = swing(h, steps, 1), b = swing(h, steps, 32);
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

/* From the second step on: what joints keep in place makes forces reverse from the first on. */
TEST(the_force_of_a_joint_has_its_order_from_the_second_step_on) {
    for (int steps = 2; steps <= 8; steps++) {
        const double one = swing_error(0.01, steps), two = swing_error(0.005, steps);
        if (!(one / two > 2.8)) fail_msg("after %d steps: %g and %g", steps, one, two);
    }
}

/* Its v+ would be 2, 0, 2, 0, ... for ever. */
TEST(an_end_that_is_driven_off_at_once_has_the_speed_of_its_drive) {
    withy_error err = {0};
    motion x = begin("return { " ROD(
        "") "ends = { start = clamped { position = function(t) return "
            "0, 0, t > 0.1 and t - 0.1 or 0 end } }, time = { stop = 0.3, output = 0.01 "
            "}, options = { n = 4, dt = 0.01 } }");
    for (int i = 1; i <= 30; i++) {
        CHECK_OK(withy_sim_advance(x.sim, 0.01 * i, &err));
        CHECK_BELOW(fabs(withy_sim_sample(x.sim, 0)->velocity[0].z - (i > 10)), 1e-9);
    }
    end(&x);
}

/* At the origin, whatever the finish does: EA 0.01/1 = 2 N at the start. */
TEST(a_start_that_is_held_without_a_position_is_where_the_shape_begins) {
    withy_error err = {0};
    withy_equilibrium at;
    motion x =
        begin("return { rod = { length = 1, stiffness = { stretch = 200, shear = 100, bend = "
              "2, twist = 1 }, inertia = { mass = 1 } }, initial = { shape = straight { "
              "along = { 0, 0, 1 } } }, ends = { start = clamped {}, finish = pinned { "
              "position = { 0, 0, 1.01 } } }, options = { n = 4 } }");
    CHECK_OK(withy_sim_equilibrium(x.sim, 1, &at, &err));
    CHECK_BELOW(fabs(withy_sim_sample(x.sim, 0)->reaction[0].z + 2), 1e-9);
    end(&x);
}

RUN(test(every_quantity_belongs_to_the_time_it_is_stamped_with),
    test(a_rod_that_falls_has_the_speed_of_its_time_at_every_step),
    test(the_force_of_a_joint_at_the_start_is_that_of_the_accelerations),
    test(the_force_of_a_joint_has_its_order_from_the_second_step_on),
    test(a_start_that_is_held_without_a_position_is_where_the_shape_begins),
    test(an_end_that_is_driven_off_at_once_has_the_speed_of_its_drive))
