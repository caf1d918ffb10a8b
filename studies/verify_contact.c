/* verify_contact.c - rods that touch against free boundary problems, closed forms and balances that hold.
 *
 * The expected values are those of the table in docs/theory/contact.md, section 6; none was made by this program.
 */
#include "verify_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "network_golden.h"

/* ---- cases --------------------------------------------------------------------------------------------- */

enum { WORDS = 12, WORD = 80 };

contact_run contact_start(verify_log *log, const char *name, const char *overrides) {
    contact_run run = {.log = log};
    withy_error err = {.code = WITHY_MISSING};
    char word[WORDS][WORD];
    const char *list[WORDS];
    int count = 0;
    for (const char *at = overrides; *at && count < WORDS; count++) {
        const size_t length = strcspn(at, " ");
        snprintf(word[count], WORD, "%.*s", (int)length, at);
        list[count] = word[count];
        at += length + (at[length] == ' ');
    }
    const wy_case *found = wy_cases;
    while (found->name && strcmp(found->name, name) != 0) found++;
    if (!found->name)
        snprintf(err.text, sizeof err.text, "the case \"%s\" is not in this program", name);
    else if (withy_scene_read_text(found->text, found->size, name, list, count, &run.scene, &err) ==
             WITHY_OK)
        withy_scene_sim(run.scene, "director", &run.sim, &err);
    if (!run.sim) verify_failed(log, name, &err);
    return run;
}

void contact_finish(contact_run *run) {
    withy_sim_destroy(run->sim);
    withy_scene_destroy(run->scene);
    *run = (contact_run){0};
}

static const withy_snapshot *given_up(contact_run *run, const char *what, const withy_error *err) {
    verify_failed(run->log, what, err);
    withy_sim_destroy(run->sim);
    run->sim = NULL;
    return NULL;
}

const withy_snapshot *contact_at(contact_run *run, double t) {
    withy_error err = {0};
    if (!run->sim) return NULL;
    if (withy_sim_advance(run->sim, t, &err) != WITHY_OK) return given_up(run, "a motion", &err);
    return withy_sim_sample(run->sim, 0);
}

const withy_snapshot *contact_rest(contact_run *run, double factor, withy_equilibrium *at) {
    withy_error err = {0};
    if (!run->sim) return NULL;
    if (withy_sim_equilibrium(run->sim, factor, at, &err) != WITHY_OK)
        return given_up(run, "an equilibrium", &err);
    return withy_sim_sample(run->sim, 0);
}

withy_vec3 contact_mean(contact_run *run, double a, double b, double dt) {
    vec3 sum = {0, 0, 0};
    const int steps = (int)lround((b - a) / dt);
    for (int i = 1; i <= steps && contact_at(run, a + i * dt); i++) {
        const withy_parts *parts = withy_sim_parts(run->sim);
        sum = v3_axpy(sum, 1.0 / steps, parts->obstacle[0].force);
    }
    return sum;
}

/* ---- at rest ------------------------------------------------------------------------------------------- */

static void lifted(verify_log *log) {
    contact_run run = contact_start(log, "lifted_rod", "");
    withy_equilibrium at;
    const withy_snapshot *now = NULL;
    for (int i = 0; i <= 5; i++) now = contact_rest(&run, i / 5.0, &at);
    if (now) {
        const vec3 d = q_turn(now->frame[now->count - 1], v3(0, 0, 1));
        verify_near(log, "heavy rod lifted off a floor: force F/(w EI)^(1/3)", "", 1.2866171,
                    now->reaction[1].z, 1e-4 * 1.2866171, "");
        verify_near(log, "angle of the lifted end [rad]", "", 0.8902546, atan2(d.z, d.x), 1e-4, "");
    }
    contact_finish(&run);
}

static void ring(verify_log *log) {
    contact_run run = contact_start(log, "ring_between_plates", "");
    withy_equilibrium at;
    const withy_snapshot *now = NULL;
    double wide = 0;
    for (int i = 0; i <= 4; i++) now = contact_rest(&run, 0.05 * i, &at);
    if (now) {
        for (int i = 0; i < now->count; i++) wide = fmax(wide, now->position[i].x);
        verify_near(log, "ring between plates, flattened by R/5: F R^2/EI", "", 1.1743315,
                    withy_sim_parts(run.sim)->obstacle[0].force.z, 1e-4 * 1.1743315, "");
        verify_near(log, "half its width / R", "", 1.0832584, wide, 1e-4, "");
    }
    contact_finish(&run);
}

/* Clamped rods of length 1 that cross in their middles, led past each other by 0.02: the force between them.
 * n odd: they touch in the middle of a chord. */
static double crossed(verify_log *log, int n, int degree) {
    static network_problem x;
    char options[32];
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim = NULL;
    double force = NAN;
    golden_crossed_rods(&x);
    snprintf(options, sizeof options, "n=%d degree=%d", n, degree);
    if (network_start(&x, options, &sim, &err) != WITHY_OK ||
        withy_sim_equilibrium(sim, 1, &at, &err) != WITHY_OK) {
        verify_failed(log, "crossed rods", &err);
    } else {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        force = now->reaction[0].z + now->reaction[1].z;
    }
    withy_sim_destroy(sim);
    return force;
}

static void study_crossed(verify_log *log) {
    static const int n[4] = {21, 41, 81, 161};
    const double expected = 0.153317;
    double off[4];
    verify_near(log, "crossed rods, touching at a node, n 160: F [N]", "", expected,
                crossed(log, 160, 1), 1e-4 * expected, "");
    for (int i = 0; i < 4; i++) off[i] = fabs(crossed(log, n[i], 1) - expected) / expected;
    verify_below(log, "touching in the middle of a chord, n 21: error", "", off[0], 3.6e-2, "");
    verify_below(log, "the same, n 161", "", off[3], 8.5e-4, "");
    verify_near(log, "order in space of a contact in the middle of a chord, n 41 to 161", "", 2,
                log2(off[1] / off[3]) / log2(161.0 / 41), 0.2, "");
    for (int i = 0; i < 2; i++) off[i] = fabs(crossed(log, i ? 27 : 13, 3) - expected) / expected;
    verify_near(log, "the same with elements of degree 3, n 13 to 27", "", 2,
                log2(off[0] / off[1]) / log2(27.0 / 13), 0.2, "three chords an element");
}

/* The factor of the load of a long rod at which the straight rod loses its stability. */
static void tube(verify_log *log) {
    const double expected = 1.002872, largest = 1.1;
    contact_run run = contact_start(log, "tube_buckling", "obstacles.1.stiffness=1e8");
    withy_equilibrium at;
    double low = 0.99, high = 1.02;
    if (contact_rest(&run, low / largest, &at) && at.negative == 0)
        while (high - low > 1e-5 && run.sim) {
            const double mid = 0.5 * (low + high);
            if (!contact_rest(&run, mid / largest, &at)) break;
            *(at.negative ? &high : &low) = mid;
        }
    if (run.sim)
        verify_near(log, "rod in a tube begins to snake: F / 2 sqrt(EI w/c)", "", expected,
                    0.5 * (low + high), 1e-4, "");
    contact_finish(&run);
}

static void study_rest(verify_log *log) {
    lifted(log);
    ring(log);
    tube(log);
}

/* ---- in motion ----------------------------------------------------------------------------------------- */

static const double R = 0.005, G = 9.81;

/* A rod on a plane under gravity that is tilted by 30 degrees; NULL: a failing row says why. */
static withy_sim *inclined(verify_log *log, int across, double mu, double stop,
                           const char *options) {
    static network_problem x;
    static withy_obstacle plane;
    withy_error err = {0};
    withy_sim *sim = NULL;
    const double k = 1e6, z = R - WY_PI * R * R * 1000 * G * cos(WY_PI / 6) / k;
    plane = (withy_obstacle){
        .kind = WITHY_OBSTACLE_PLANE, .stiffness = k, .own_friction = 1, .friction = {mu, mu, mu}};
    network_begin(&x);
    network_times(&x, stop, stop / 10);
    x.problem.gravity = network_vec(G * sin(WY_PI / 6), 0, -G * cos(WY_PI / 6));
    network_rod(&x, network_vec(across ? 0 : -0.25, across ? -0.25 : 0, z),
                network_vec(across ? 0 : 0.25, across ? 0.25 : 0, z), R, 1e7, 1000);
    x.problem.obstacle = &plane, x.problem.obstacle_count = 1;
    if (network_start(&x, options, &sim, &err) != WITHY_OK)
        verify_failed(log, "a rod on a slope", &err);
    return sim;
}

static vec3 middle(verify_log *log, withy_sim *sim, double t, vec3 *spin) {
    withy_error err = {0};
    if (!sim || withy_sim_advance(sim, t, &err) != WITHY_OK) {
        verify_failed(log, "a rod on a slope", &err);
        return v3(NAN, NAN, NAN);
    }
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (spin) *spin = now->spin[now->count / 2];
    return now->position[now->count / 2];
}

static void study_slope(verify_log *log) {
    vec3 spin = {0, 0, 0};
    withy_sim *sim = inclined(log, 0, 0.3, 1, "n=8 degree=1 dt=0.01");
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = middle(log, sim, 0.5 + 0.25 * i, NULL).x;
    verify_near(log, "sliding on 30 degrees, mu 0.3, dt 0.01: a [m/s^2]", "",
                G * (0.5 - 0.3 * cos(WY_PI / 6)), 16 * (x[2] - 2 * x[1] + x[0]), 1e-5,
                "independent: g (sin - mu cos)");
    verify_below(log, "sliding: energy + friction work", "", withy_sim_stats(sim).energy_drift,
                 1e-12, "");
    withy_sim_destroy(sim);

    sim = inclined(log, 1, 0.5, 0.5, "n=8 degree=1 dt=0.001");
    x[0] = middle(log, sim, 0.5, &spin).x;
    verify_near(log, "rolling on 30 degrees, mu 0.5: a [m/s^2]", "", G / 3, 8 * x[0], 1e-5,
                "independent: 2/3 g sin");
    verify_near(log, "its spin after 0.5 s [rad/s]", "", G / 3 * 0.5 / R, v3_norm(spin), 3.3e-3,
                "independent: a t/r");
    withy_sim_destroy(sim);

    sim = inclined(log, 0, 0.8, 2, "n=8 degree=1 dt=0.01 xi=0.5");
    x[0] = middle(log, sim, 1, NULL).x;
    verify_below(log, "sticking on 30 degrees, mu 0.8: creep [m/s]", "",
                 fabs(middle(log, sim, 2, NULL).x - x[0]), 1e-9, "");
    withy_sim_destroy(sim);
}

/* Six rods thrown about in a hollow sphere: energy, and angular momentum about its centre without friction. */
static void six_rods(verify_log *log, double mu) {
    static network_problem x;
    const withy_obstacle bowl = {
        .kind = WITHY_OBSTACLE_SPHERE, .radius = 0.3, .inside = 1, .stiffness = 1e6};
    withy_error err = {0};
    withy_sim *sim = NULL;
    double turned = 0;
    network_begin(&x);
    network_times(&x, 0.5, 0.05);
    for (int i = 0; i < 6; i++) {
        const double z = 0.04 * i - 0.1, c = cos(1.0 * i), s = sin(1.0 * i);
        withy_rod *rod = network_rod(&x, network_vec(-0.15 * c, -0.15 * s, z),
                                     network_vec(0.15 * c, 0.15 * s, z + 0.01), 0.005, 1e7, 1000);
        rod->velocity = withy_field_vector(0.3 * s, -0.2 * c, i % 2 ? 1 : -1);
        rod->spin = withy_field_vector(s, c, 3);
    }
    x.problem.contact.given = 1, x.problem.contact.pair = 5e3;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = mu;
    x.problem.obstacle = &bowl, x.problem.obstacle_count = 1;
    if (network_start(&x, "n=10 degree=1 dt=0.001", &sim, &err) != WITHY_OK) {
        verify_failed(log, "six rods", &err);
        return;
    }
    const vec3 before = withy_sim_sample(sim, 0)->angular_momentum;
    for (int k = 1; k <= 10; k++) {
        if (withy_sim_advance(sim, 0.05 * k, &err) != WITHY_OK)
            verify_failed(log, "six rods", &err);
        const vec3 now = withy_sim_sample(sim, 0)->angular_momentum;
        turned = worst_of(turned, v3_norm(v3_sub(now, before)));
    }
    verify_below(log,
                 mu > 0 ? "six rods in a sphere, mu 0.4: energy + friction work"
                        : "six rods in a sphere, 500 steps: energy",
                 "", withy_sim_stats(sim).energy_drift, 1e-12, "");
    if (!(mu > 0)) verify_below(log, "angular momentum [kg m^2/s]", "", turned, 1e-12, "");
    withy_sim_destroy(sim);
}

static void study_ledger_sums(verify_log *log) {
    six_rods(log, 0);
    six_rods(log, 0.4);
}

const verify_study verify_contact[] = {
    {"contact at rest", "a rod lifted off a floor, a ring between plates, a rod in a tube",
     study_rest, 0, "lifted_rod ring_between_plates tube_buckling",
     "boundary value problems with a free boundary; closed form of the finite length"},
    {"contact crossed", "crossed rods: at a node and in the middle of a chord", study_crossed, 0,
     "crossing_rods", "boundary value problem of the extensible elastica"},
    {"contact slope", "rods slide, roll and stick on a slope", study_slope, 0, "slope",
     "closed form"},
    {"contact impact", "a rod hits a floor: impulses and restitution", study_impact, 0, NULL,
     "closed form"},
    {"contact pairs", "rods that collide, cross fast, and are dragged over rods", study_pairs, 0,
     "crossing_rods", "exact; closed form"},
    {"contact energy balance", "energy and angular momentum of rods that collide",
     study_ledger_sums, 0, NULL, "exact"},
    {"contact capstan", "a rope over a drum: the ratio of its tensions", study_capstan, 1,
     "capstan", "closed form of a rope whose friction acts at its surface"},
    {"contact helix", "a rod in a tube turns into a helix", study_helix, 1, "helix_in_tube",
     "load of a long rod"},
    {"contact knots", "trefoil knots of four radii are pulled tight, and let out again",
     study_knots, 1, "trefoil_knot", "energy of a circle; work of friction"},
    {"contact plectoneme", "torque, angle and threshold of a rod that is wound up",
     study_plectoneme, 1, "plectoneme", "minimum of the energy of two strands about each other"},
    {"contact tangles", "random tangles and fast crossings of rods", study_tangles, 1, NULL,
     "exact; topology"},
    {"contact coiling", "a thread let down slowly lays itself in circles", study_coiling, 1,
     "belt_coiling", "boundary value problem of a hanging rod"},
    {"contact peer", "a thick rod that is wound up, as a peer's example has it", study_peer, 1,
     "plectoneme", "PyElastica's figures"},
    {"contact snake", "a snake on the ground", study_snake, 1, "snake",
     "prescribed shape with three degrees of freedom, another program in the study"},
    {0},
};
