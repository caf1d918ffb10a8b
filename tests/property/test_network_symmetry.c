/* slow under sanitizers
 *
 * Random networks in another world: turned, mirrored, moved far away, in other units, with rods reversed and
 * lists in another order, they move and come to rest as before. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "network_problems.h"
#include "random_number.h"

enum { RODS = 4, NETWORKS = 6 };

/* How a network is written down. */
typedef struct world {
    const char *name;
    quat turn;
    vec3 shift; /* in lengths of a rod */
    int mirrored, reversed, reordered;
    double length, mass, time; /* units */
    double rounding;           /* of the places, over a length */
} world;

static const world worlds[] = {
    {"as it is", {1, 0, 0, 0}, {0, 0, 0}, 0, 0, 0, 1, 1, 1, 0},
    {"turned", {0.5, 0.5, -0.5, 0.5}, {0, 0, 0}, 0, 0, 0, 1, 1, 1, 1e-9},
    {"mirrored", {1, 0, 0, 0}, {0, 0, 0}, 1, 0, 0, 1, 1, 1, 1e-9},
    {"far away", {1, 0, 0, 0}, {1e4, -1e4, 5e3}, 0, 0, 0, 1, 1, 1, 1e-7},
    {"rods reversed", {1, 0, 0, 0}, {0, 0, 0}, 0, 1, 0, 1, 1, 1, 1e-9},
    {"lists reversed", {1, 0, 0, 0}, {0, 0, 0}, 0, 0, 1, 1, 1, 1, 1e-9},
    {"millimetres, grams, milliseconds", {1, 0, 0, 0}, {0, 0, 0}, 0, 0, 0, 1e3, 1e3, 1e3, 1e-9},
};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static vec3 vector_in(const world *w, vec3 a) { /* of unit 1 */
    if (w->mirrored) a.x = -a.x;
    return q_turn(q_unit(w->turn), a);
}

static vec3 place_in(const world *w, vec3 a) {
    return v3_scale(w->length, v3_add(w->shift, vector_in(w, a)));
}

static vec3 place_out(const world *w, vec3 a) {
    a = q_turn(q_conj(q_unit(w->turn)), v3_sub(v3_scale(1 / w->length, a), w->shift));
    if (w->mirrored) a.x = -a.x;
    return a;
}

/* A tree of rods from the ground, with a body at its last tip where `bodies`. */
static void build(network_problem *x, const world *w, uint32_t seed, int bodies) {
    const double stress = w->mass / (w->length * w->time * w->time);
    const double density = w->mass / (w->length * w->length * w->length);
    vec3 tip[RODS + 1] = {{0, 0, 0}};
    network_begin(x);
    network_times(x, 0.1 * w->time, 0.1 * w->time);
    x->problem.gravity = v3_scale(w->length / (w->time * w->time), vector_in(w, v3(1, 0.5, -9.81)));
    withy_joint_kind kind[RODS];
    int from[RODS];
    for (int i = 0; i < RODS; i++) {
        from[i] = i == 0 ? 0 : (int)(0.5 * (noise(&seed) + 1) * i * 0.999) + 1;
        const vec3 way = v3_scale(0.5, v3_unit(v3(noise(&seed), noise(&seed), noise(&seed) + 0.1)));
        kind[i] = i == 0 || noise(&seed) > 0 ? WITHY_JOINT_WELD : WITHY_JOINT_BALL;
        tip[i + 1] = v3_add(tip[from[i]], way);
    }
    for (int k = 0; k < RODS; k++) { /* rod k of the list is rod i of the tree */
        const int i = w->reordered ? RODS - 1 - k : k;
        const vec3 a = place_in(w, tip[from[i]]), b = place_in(w, tip[i + 1]);
        withy_rod *rod = network_rod(x, w->reversed ? b : a, w->reversed ? a : b, 0.02 * w->length,
                                     1e7 * stress, 1000 * density);
        rod->damping_time = 1e-3 * w->time;
    }
    for (int k = 0; k < RODS; k++) {
        const int i = w->reordered ? RODS - 1 - k : k, up = from[i] - 1;
        const int own = w->reordered ? RODS - 1 - i : i, other = w->reordered ? RODS - 1 - up : up;
        const double l = x->rod[own].length, s = w->reversed ? l : 0;
        const vec3 ground = place_in(w, tip[0]);
        const withy_place below = up < 0 ? on_ground(ground.x, ground.y, ground.z)
                                         : on_rod(other, w->reversed ? 0 : x->rod[other].length);
        network_join(x, kind[i], below, on_rod(own, s));
    }
    if (!bodies) return;
    const double inertia = 1e-3 * w->mass * w->length * w->length;
    const vec3 at = place_in(w, tip[RODS]);
    network_body(x, 0.2 * w->mass, network_vec(inertia, inertia, inertia), at);
    const int last = w->reordered ? 0 : RODS - 1;
    network_join(x, WITHY_JOINT_WELD, on_rod(last, w->reversed ? 0 : x->rod[last].length),
                 on_body(0, 0, 0, 0));
}

/* Where the tips of the tree are, as in the first world. */
static void tips(withy_sim *sim, const world *w, vec3 tip[RODS]) {
    for (int i = 0; i < RODS; i++) {
        const withy_snapshot *snap = withy_sim_sample(sim, w->reordered ? RODS - 1 - i : i);
        CHECK(snap != NULL);
        tip[i] = place_out(w, snap->position[w->reversed ? 0 : snap->count - 1]);
    }
}

static withy_status solve(const world *w, const char *method, int n, double dt, uint32_t seed,
                          int equilibrium, vec3 tip[RODS], withy_error *err) {
    network_problem x;
    withy_sim *sim = NULL;
    withy_equilibrium point;
    char text[64];
    withy_option option[8];
    build(&x, w, seed, strcmp(method, "director") == 0);
    snprintf(text, sizeof text, "n=%d dt=%.17g", n, dt * w->time);
    withy_status status =
        withy_sim_create(&x.problem, method, option, director_parse(text, option, 8), &sim, err);
    if (status == WITHY_OK)
        status = equilibrium ? withy_sim_equilibrium(sim, 1, &point, err)
                             : withy_sim_advance(sim, 0.1 * w->time, err);
    if (status == WITHY_OK) tips(sim, w, tip);
    withy_sim_destroy(sim);
    return status;
}

static void check(const char *method, int n, double dt, int equilibrium, double loose) {
    int solved = 0;
    for (uint32_t seed = 1; seed <= NETWORKS; seed++) {
        vec3 tip[2][RODS];
        withy_error err = {0};
        if (solve(&worlds[0], method, n, dt, seed, equilibrium, tip[0], &err) != WITHY_OK) continue;
        solved++;
        for (int k = 1; k < WORLDS; k++) {
            const world *w = &worlds[k];
            const withy_status status = solve(w, method, n, dt, seed, equilibrium, tip[1], &err);
            if (status != WITHY_OK)
                printf("%s, network %u, %s: %s\n", method, seed, w->name, err.text);
            CHECK(status == WITHY_OK);
            for (int i = 0; i < RODS; i++) {
                const double off = v3_norm(v3_sub(tip[1][i], tip[0][i]));
                if (!(off <= loose * w->rounding))
                    printf("%s, network %u, %s: tip %d is %g off\n", method, seed, w->name, i, off);
                CHECK_BELOW(off, loose * w->rounding);
            }
        }
    }
    CHECK(solved >= NETWORKS / 2);
}

/* ---- modes ------------------------------------------------------------------------------------------------ */

enum { MODES = 5 };

/* The same network with every rod welded together of two halves. */
static void halve(const network_problem *from, network_problem *x) {
    network_begin(x);
    network_times(x, from->problem.request.stop, from->problem.request.output);
    for (int i = 0; i < 2 * from->problem.rod_count; i++) {
        const withy_rod *whole = &from->rod[i / 2];
        withy_rod *half = &x->rod[x->problem.rod_count++];
        *half = *whole;
        half->length = 0.5 * whole->length;
        half->initial.from =
            v3_axpy(whole->initial.from, (i % 2) * half->length, whole->initial.along);
        half->rest.from = half->initial.from;
    }
    for (int i = 0; i < from->problem.joint_count; i++) {
        withy_joint *joint = &x->joint[x->problem.joint_count++];
        *joint = from->joint[i];
        for (int k = 0; k < 2; k++) {
            withy_place *place = &joint->place[k];
            if (place->part != WITHY_PART_ROD) continue;
            const int far = place->s > 0;
            place->index = 2 * place->index + far;
            if (far) place->s = x->rod[place->index].length;
        }
    }
    for (int i = 0; i < from->problem.rod_count; i++)
        network_join(x, WITHY_JOINT_WELD, on_rod(2 * i, x->rod[2 * i].length),
                     on_rod(2 * i + 1, 0));
    x->problem.body_count = from->problem.body_count;
    memcpy(x->body, from->body, sizeof x->body);
}

/* Frequencies of the unloaded network, in the units of the first world. */
static void frequencies(const world *w, uint32_t seed, int halves, double out[MODES]) {
    static network_problem whole, cut;
    withy_error err = {0};
    withy_mode *mode = NULL;
    withy_sim *sim = NULL;
    char options[64];
    build(&whole, w, seed, 1);
    whole.problem.gravity = network_vec(0, 0, 0);
    for (int i = 0; i < whole.problem.joint_count; i++) { /* nothing may swing freely */
        withy_joint *joint = &whole.joint[i];
        if (joint->kind != WITHY_JOINT_BALL) continue;
        joint->kind = WITHY_JOINT_HINGE, joint->axis = vector_in(w, v3(0.3, 0.5, 1));
        joint->spring = 2 * w->mass * w->length * w->length / (w->time * w->time);
    }
    if (halves) halve(&whole, &cut);
    snprintf(options, sizeof options, "n=%d dt=%.17g", halves ? 2 : 4, 5e-3 * w->time);
    CHECK_OK(network_start(halves ? &cut : &whole, options, &sim, &err));
    CHECK_OK(withy_sim_modes(sim, MODES, &mode, &err));
    for (int i = 0; i < MODES; i++) out[i] = mode[i].frequency * w->time;
    withy_modes_free(mode, MODES);
    withy_sim_destroy(sim);
}

TEST(networks_sound_alike_in_every_world_and_welded_together_of_halves) {
    for (uint32_t seed = 1; seed <= 3; seed++) {
        double first[MODES], other[MODES];
        frequencies(&worlds[0], seed, 0, first);
        CHECK(first[0] > 0);
        for (int k = 1; k <= WORLDS; k++) {
            frequencies(&worlds[k % WORLDS], seed, k == WORLDS, other);
            for (int i = 0; i < MODES; i++) {
                const double off = fabs(other[i] / first[i] - 1);
                if (!(off <= 1e-9))
                    printf("network %u, %s: frequency %d is %g off\n", seed,
                           k == WORLDS ? "of halves" : worlds[k].name, i, off);
                CHECK_BELOW(off, 1e-9);
            }
        }
    }
}

TEST(networks_move_alike_in_every_world) {
    check("director", 4, 5e-3, 0, 1);
}

TEST(networks_come_to_rest_alike_in_every_world) {
    check("director", 4, 5e-3, 1, 10);
}

TEST(joined_rods_move_alike_in_every_world_with_fdtd) {
    check("fdtd", 6, 5e-6, 0, 1);
}

RUN(test(networks_move_alike_in_every_world), test(networks_come_to_rest_alike_in_every_world),
    test(networks_sound_alike_in_every_world_and_welded_together_of_halves),
    test(joined_rods_move_alike_in_every_world_with_fdtd))
