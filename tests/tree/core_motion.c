/* core_motion.c - a soft rod, clamped, falls for 0.05 s under every method of withy_core: its nodes, in full.  For
 * check_arm64.sh, which runs it on two processors. */
#include <stdio.h>

#include <withy/withy.h>

static int fall(const char *method) {
    withy_rod rod = withy_rod_default();
    rod.length = 1;
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1e-2);
    rod.stiffness[WITHY_TWIST] = withy_field_number(0.8e-2);
    for (int i = WITHY_SHEAR1; i <= WITHY_STRETCH; i++) rod.stiffness[i] = withy_field_number(1e2);
    rod.inertia[WITHY_MASS] = withy_field_number(0.1);
    for (int i = 1; i < 4; i++)
        rod.inertia[WITHY_MASS + i] = withy_field_number(i < 3 ? 1e-5 : 2e-5);
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    rod.end[0].kind = WITHY_END_CLAMPED;
    withy_problem problem = withy_problem_default();
    problem.rod = &rod;
    problem.gravity = (withy_vec3){0, 0, -9.81};
    problem.request.stop = 0.05, problem.request.output = 0.05;
    withy_error err = {0};
    withy_sim *sim;
    if (withy_sim_create(&problem, method, NULL, 0, &sim, &err) != WITHY_OK ||
        withy_sim_advance(sim, 0.05, &err) != WITHY_OK) {
        printf("%s: %s\n", method, err.text);
        return 1;
    }
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    for (int i = 0; i < now->count; i++)
        printf("%s %.17g %.17g %.17g\n", method, now->position[i].x, now->position[i].y,
               now->position[i].z);
    withy_sim_destroy(sim);
    return 0;
}

int main(void) {
    static const char *const method[] = {"elastica", "kirchhoff", "se3",
                                         "cheb",     "director",  "fdtd"};
    int failed = 0;
    for (int i = 0; i < 6; i++) failed += fall(method[i]);
    return failed;
}
