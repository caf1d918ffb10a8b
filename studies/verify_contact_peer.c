/* verify_contact_peer.c - a plectoneme as PyElastica's example has it: where it begins to writhe, and how much.
 *
 * A rubber rod of length 1 and radius 0.025 is turned at one end, which may only slide towards the other; its sections are
 * braked by 2 N s per length.  In the example the same damper brakes the end that is turned, so that of 10 turns in 50 s
 * seven arrive on 50 elements; here the end is turned by those.  The peer's end is disturbed otherwise, and its rods
 * overlap by what its contact spring lets them.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/vec.h"
#include "verify_contact.h"

static const double TURNS = 7, TWISTED = 50; /* turns, and the time they take [s] */

static const char scene_text[] =
    "local r, E, turns, twisted = 0.025, 1e6, 7, 50 "
    "local function rail(s, t, at) local x, v = at.position, at.velocity "
    "return -1e6 * x[1] - 1e3 * v[1], 0, -1e6 * x[3] - 1e3 * v[3] end "
    "local function turn(t) local f = 2 * math.pi * turns * math.min(1, t / twisted) "
    "return math.sin(f), 0, math.cos(f) end "
    "return { rod = { length = 1, section = circle { diameter = 2 * r, shear_factor = 27 / 28 }, "
    "material = { young = E, shear = E / 1.5, density = 1 / (math.pi * r * r) }, "
    "drag = { linear = 2, spin = 2 } }, initial = { shape = straight { from = { 0, 0, 0 }, "
    "along = { 0, 1, 0 }, normal = { 0, 0, 1 } } }, contact = { pair = 1e4, damping = 1 }, "
    "loads = { distributed { force = { 0, 0, -1e-3 } } }, ends = { start = clamped {}, "
    "finish = guided { tangent = { 0, 1, 0 }, force = rail, normal = turn } }, "
    "time = { stop = 55, output = 1 }, method = 'director', "
    "options = { n = 100, degree = 1, dt = 0.01, xi = 0.5 } }";

/* Of the axis, with its straight ends going on for ever. */
static double writhe(const withy_snapshot *now) {
    const vec3 away = v3(0, 100, 0);
    const int count = now->count + 2;
    double sum = 0;
    for (int i = 0; i + 1 < count; i++)
        for (int j = i + 2; j + 1 < count; j++) {
            vec3 p[4];
            for (int k = 0; k < 4; k++) {
                const int at = (k < 2 ? i + k : j + k - 2) - 1;
                p[k] = at < 0             ? v3_sub(now->position[0], away)
                       : at >= now->count ? v3_add(now->position[now->count - 1], away)
                                          : now->position[at];
            }
            sum += v3_crossing_area(p[0], p[1], p[2], p[3]);
        }
    return sum / (2 * WY_PI);
}

static contact_run start(verify_log *log) {
    contact_run run = {.log = log};
    withy_error err = {0};
    if (withy_scene_read_text(scene_text, strlen(scene_text), "peer", NULL, 0, &run.scene, &err) !=
            WITHY_OK ||
        withy_scene_sim(run.scene, "director", &run.sim, &err) != WITHY_OK)
        verify_failed(log, "a plectoneme of a peer", &err);
    return run;
}

void study_peer(verify_log *log) {
    contact_run run = start(log);
    const withy_snapshot *now = NULL;
    double t = 7, tip = 1;
    while (tip > 0.999 && t < 20 && (now = contact_at(&run, t)) != NULL) {
        tip = now->position[now->count - 1].y;
        t += 0.05;
    }
    if (now)
        verify_near(log, "thick rod turned at 0.14 turns/s writhes: link", "1.49", 1.495,
                    TURNS * (t - 0.05) / TWISTED, 0.05 * 1.495,
                    "PyElastica's figure; its end a thousandth nearer; the disturbance differs");
    if ((now = contact_at(&run, 55)) != NULL)
        verify_near(log, "the same after seven turns: writhe", "3.288", 3.288, fabs(writhe(now)),
                    0.02 * 3.288, "PyElastica's figure with 50 elements; here 100");
    contact_finish(&run);
}
