/* The account of energy closes in every method, or the run ends with a message: random rods, every pair of
 * ends, thrown, loaded, damped and driven; and what the word energy means is the same everywhere.
 * slow under sanitizers: test_state runs the same code there. */
#include <stdlib.h>

#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

static const char *const METHOD[] = {"director", "se3", "cheb", "fdtd", "elastica", "kirchhoff"};
enum { METHODS = 6 };

static uint64_t seed = 20260801;

static double any(double a, double b) {
    return random_between(&seed, a, b);
}

static withy_status read_scene(const char *text, withy_scene **scene, withy_error *err) {
    return withy_scene_read_text(text, strlen(text), "random", NULL, 0, scene, err);
}

typedef struct outcome {
    int made, finished; /* accepted; ended without a failure */
    withy_stats stats;
    withy_error err;
    double energy, conserved[2]; /* sum of the kinds at the end; first and last */
    unsigned have;
} outcome;

static outcome run(const char *text, const char *method, double stop) {
    outcome out = {0};
    withy_scene *scene;
    withy_sim *sim = NULL;
    if (read_scene(text, &scene, &out.err) != WITHY_OK) fail_msg("%s\n%s", out.err.text, text);
    out.made = withy_scene_sim(scene, method, &sim, &out.err) == WITHY_OK;
    out.finished = out.made;
    for (int k = 1; k <= 8 && out.finished; k++)
        out.finished = withy_sim_advance(sim, stop * k / 8, &out.err) == WITHY_OK;
    const withy_snapshot *snap = out.made ? withy_sim_sample(sim, 0) : NULL;
    if (snap) {
        const withy_energies *e = &snap->energy;
        out.energy = e->kinetic + e->shear + e->stretch + e->bend + e->twist + e->gravity;
        out.have = snap->have, out.conserved[1] = snap->conserved;
    }
    if (out.made) out.stats = withy_sim_stats(sim);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return out;
}

/* A soft rod with thick sections, so that the explicit methods are quick. */
static void random_scene(char *text, size_t size, int start, int finish, int acts) {
    static const char *const end[] = {"clamped", "pinned", "free"};
    const double swing = any(0.2, 1.5), radius = any(0.4, 1.2);
    int used = snprintf(
        text, size,
        "local function bump(s) return s * (1 - s) end\n"
        "return { rod = { length = 1, stiffness = { stretch = 40, shear = 20, bend = %.6f, twist = "
        "%.6f }, inertia = { mass = 1, rotary = { 0.01, 0.01, 0.02 } }%s },\n"
        "ends = { start = %s {}, finish = %s {} }, gravity = { %.4f, %.4f, %.4f },\n"
        "initial = { shape = arc { radius = %.6f }, velocity = function(s) return %.4f * bump(s), "
        "%.4f * bump(s), 0 end },\n",
        0.2, 0.2 * any(0.6, 1.0), acts ? ", damping = { time = 0.02 }" : "", end[start],
        end[finish], any(-1, 1), any(-1, 1), any(-1, 1), radius, swing, any(-1, 1));
    if (acts)
        used += snprintf(text + used, size - (size_t)used,
                         "loads = { distributed { force = function(s, t) return 0.3 * math.sin(9 * "
                         "t), 0.2, 0 end } },\n");
    snprintf(text + used, size - (size_t)used,
             "time = { stop = 0.4, output = 0.05 }, options = { n = 16, dt = 0.005 } }");
}

/* The explicit ones choose their own step; elastica has no twist that a clamp could hold. */
static void scene_for(const char *method, const char *text, char *own) {
    const int quick = !strcmp(method, "fdtd") || !strcmp(method, "cheb");
    while (*text) {
        if (quick && !strncmp(text, ", dt = 0.005", 12)) {
            text += 12;
        } else if (!strcmp(method, "elastica") && !strncmp(text, "clamped {}", 10)) {
            own += sprintf(own, "clamped { turn = \"free\" }");
            text += 10;
        } else {
            *own++ = *text++;
        }
    }
    *own = '\0';
}

TEST(the_account_closes_within_the_stated_bound_or_the_run_ends_with_a_sentence) {
    char text[2048], own[2560];
    int runs = 0, closed = 0, stopped = 0;
    for (int pair = 0; pair < 9; pair++)
        for (int acts = 0; acts < 2; acts++) {
            random_scene(text, sizeof text, pair / 3, pair % 3, acts);
            for (int m = 0; m < METHODS; m++) {
                scene_for(METHOD[m], text, own);
                const outcome out = run(own, METHOD[m], 0.4);
                if (!out.made) {
                    CHECK(out.err.text[0]);
                    continue;
                }
                runs++;
                CHECK(out.finished || out.err.text[0]);
                stopped += !out.finished;
                if (!out.finished) print_message("pair %d: %s\n", pair, out.err.text);
                if (!out.finished || !out.stats.accounted) continue;
                closed++;
                CHECK(out.stats.energy_bound > 0);
                CHECK(out.stats.energy_scale > 0);
                if (!(out.stats.energy_drift <= out.stats.energy_bound))
                    fail_msg("%s: drift %g beyond %g\n%s", METHOD[m], out.stats.energy_drift,
                             out.stats.energy_bound, own);
            }
        }
    print_message("%d runs, %d accounts closed, %d stopped\n", runs, closed, stopped);
    CHECK(runs >= 80 && closed >= 60 && stopped <= 2);
}

TEST(energy_is_the_sum_of_its_kinds_in_every_method_whatever_acts) {
    char text[2048], own[2560];
    random_scene(text, sizeof text, 0, 2, 1);
    for (int m = 0; m < METHODS; m++) {
        scene_for(METHOD[m], text, own);
        const outcome out = run(own, METHOD[m], 0.4);
        if (!out.made) continue;
        CHECK(out.finished);
        /* elastica and kirchhoff: H belongs to half a step earlier; se3: gravity by its work */
        print_message("%s: %.6f J, by kinds %.6f J\n", METHOD[m], out.stats.energy_end, out.energy);
        CHECK_NEAR(out.stats.energy_end, out.energy, 0.01 * out.stats.energy_scale);
    }
}

TEST(a_rod_at_rest_has_no_drift_in_any_method) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { stretch = 40, shear = 20, bend = 0.2, twist = "
        "0.15 }, inertia = { mass = 1, rotary = { 0.01, 0.01, 0.02 } } },"
        "ends = { start = clamped {} }, time = { stop = 0.4, output = 0.05 }, options = { n = 16 "
        "} }";
    for (int m = 0; m < METHODS; m++) {
        const outcome out = run(text, METHOD[m], 0.4);
        CHECK(out.made && out.finished && out.stats.accounted);
        print_message("%s: off %.1e of %.1e J\n", METHOD[m], out.stats.energy_off,
                      out.stats.energy_scale);
        CHECK_BELOW(out.stats.energy_drift, 1e-9);
    }
}

/* Of a rod with bending stiffness alone the noise of the solver is all the energy there is. */
TEST(a_rod_at_rest_that_only_bends_has_no_drift_however_long) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 }, "
        "rest = arc { radius = 2 } }, initial = { shape = arc { radius = 2, along = { 1, 0.3, 0.2 "
        "} } }, ends = { start = clamped {} }, time = { stop = 5 }, options = { n = 8, dt = 1e-3 } "
        "}";
    for (int m = 0; m < METHODS; m++) {
        const outcome out = run(text, METHOD[m], 5);
        if (!out.made || !strcmp(METHOD[m], "fdtd") || !strcmp(METHOD[m], "cheb")) continue;
        if (!out.finished) fail_msg("%s", out.err.text);
        CHECK_BELOW(out.stats.energy_drift, 1e-9);
    }
}

/* Thrown against its clamps so hard that the steps are cut: 405 J became 132 J, then 287 J. */
TEST(a_rod_whose_steps_are_cut_keeps_its_energy_or_stops) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.7 }, inertia = { mass = 1 "
        "} }, initial = { shape = helix { radius = 0.033, turns = 1.5 }, velocity = { 1, 28, -4 } "
        "}, ends = { start = clamped { turn = \"free\" }, finish = clamped { turn = \"free\" } }, "
        "options = { n = 16, dt = %g }, "
        "time = { stop = 0.16, output = 0.02 } }";
    const double dt[] = {0.01, 0.005, 0.002};
    for (int k = 0; k < 3; k++)
        for (int m = 4; m < METHODS; m++) {
            char own[1024];
            snprintf(own, sizeof own, text, dt[k]);
            const outcome out = run(own, METHOD[m], 0.16);
            CHECK(out.made && (k < 2 || out.finished));
            print_message("%s, dt %g: %s\n", METHOD[m], dt[k],
                          out.finished ? "complete" : out.err.text);
            if (out.finished)
                CHECK_BELOW(out.stats.energy_drift, 1e-9);
            else
                CHECK(strstr(out.err.text, "options.dt") != NULL);
        }
}

RUN(test(the_account_closes_within_the_stated_bound_or_the_run_ends_with_a_sentence),
    test(energy_is_the_sum_of_its_kinds_in_every_method_whatever_acts),
    test(a_rod_at_rest_has_no_drift_in_any_method),
    test(a_rod_at_rest_that_only_bends_has_no_drift_however_long),
    test(a_rod_whose_steps_are_cut_keeps_its_energy_or_stops))
