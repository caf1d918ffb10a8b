/* verify_magnet.c - magnetised rods in a uniform field. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify.h"

/* Length, EI, mass and moment per length 1; along z, magnetised along itself, clamped at the start. */
static void make(director_problem *x, double stretch, double shear, double twist) {
    const double stiffness[] = {shear, shear, stretch, 1, 1, twist};
    director_plain(x, 1, 1, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(stiffness[i]);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++)
        x->rod.inertia[i] = withy_field_number(i < WITHY_ROTARY3 ? 4e-4 : 8e-4);
    x->rod.initial.along = (withy_vec3){0, 0, 1}, x->rod.initial.normal = (withy_vec3){1, 0, 0};
    x->rod.magnet = withy_field_vector(0, 0, 1);
    x->problem.magnetic.given = 1;
}

/* EI theta'' = -M B cos theta, theta'(L) = 0: the cantilever under a dead force M B at its end. */
static void cantilever(verify_log *log) {
    static const double row[4][3] = {{1, 0.30172077, 0.05643324},
                                     {2, 0.49345748, 0.16064170},
                                     {5, 0.71379152, 0.38762839},
                                     {10, 0.81060902, 0.55499560}};
    for (int k = 0; k < 4; k++) {
        director_problem x;
        withy_equilibrium at;
        withy_error err = {0};
        withy_sim *sim;
        char name[64];
        make(&x, 1e9, 1e9, 1);
        x.problem.magnetic.value = withy_field_vector(row[k][0], 0, 0);
        if (director_start(&x, "n=16", &sim, &err) != WITHY_OK ||
            withy_sim_equilibrium(sim, 1, &at, &err) != WITHY_OK) {
            verify_failed(log, "a magnetised cantilever", &err);
        } else {
            const withy_snapshot *now = withy_sim_sample(sim, 0);
            const withy_vec3 tip = now->position[now->count - 1];
            snprintf(name, sizeof name, "M B L^2/EI = %g: w/L", row[k][0]);
            verify_near(log, name, "", row[k][1], tip.x, 2e-7, "");
            verify_near(log, "u/L", "", row[k][2], 1 - tip.z, 2e-7, "");
        }
        withy_sim_destroy(sim);
    }
}

static withy_status grows(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = t < 1 ? 1.5 * (1 - cos(DIRECTOR_PI * t)) : 3, out[1] = out[2] = 0;
    return WITHY_OK;
}

static void motion(verify_log *log) {
    director_problem x;
    withy_error err = {0};
    withy_sim *sim;
    make(&x, 2500, 1000, 0.8);
    x.problem.magnetic.value = (withy_field){.size = 3, .call = grows};
    director_times(&x, 1, 1);
    if (director_start(&x, "n=16 dt=5e-4", &sim, &err) != WITHY_OK ||
        withy_sim_advance(sim, 1, &err) != WITHY_OK) {
        verify_failed(log, "a field that grows", &err);
    } else {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 tip = now->position[now->count - 1];
        verify_near(log, "field that grows in 1 s: tip x", "", 0.7668362, tip.x, 1e-6, "");
        verify_near(log, "tip z", "", 0.5291848, tip.z, 1e-6, "");
        verify_below(log, "energy - work, of the work", "", fabs(now->conserved) / now->work, 1e-12,
                     "closed form: it was 0");
    }
    withy_sim_destroy(sim);
}

const verify_study verify_magnet[] = {
    {"cantilever", "a magnetised cantilever across a field", cantilever, 0,
     .cases = "magnetic_cantilever",
     .basis = "elliptic integrals: the equation is that of a dead force at the end"},
    {"motion", "a cantilever in a field that grows", motion, 0,
     .basis = "a prototype of the same equations that shares no code with this program, converged"},
    {0}};
