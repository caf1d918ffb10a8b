/* pendulum.c - the library without scene files: a hanging rod let go from the horizontal.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs withy)
 */
#include <stdio.h>

#include <withy/withy.h>

int main(void) {
    withy_rod rod = {.name = "rod", .length = 1.0};
    for (int i = WITHY_BEND1; i <= WITHY_BEND2; i++) rod.stiffness[i] = withy_field_number(0.02);
    rod.inertia[WITHY_MASS] = withy_field_number(0.1); /* kg/m */
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    rod.end[0].kind = WITHY_END_PINNED;

    withy_problem problem = withy_problem_default();
    problem.title = "a flexible pendulum";
    problem.rod = &rod;
    problem.gravity = (withy_vec3){0, 0, -9.81};
    problem.request.stop = 2.0;
    problem.request.output = 0.1;

    const withy_option option[] = {{.name = "n", .number = 40}, {.name = "dt", .number = 0.005}};
    withy_error err;
    withy_sim *sim;
    if (withy_sim_create(&problem, "elastica", option, 2, &sim, &err) != WITHY_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (int k = 0; k <= 20; k++) {
        if (withy_sim_advance(sim, 0.1 * k, &err) != WITHY_OK) break;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 tip = now->position[now->count - 1];
        printf("t = %.1f s   tip (%8.5f, %8.5f) m   energy %.6f J\n", now->t, tip.x, tip.z,
               now->energy.kinetic + now->energy.bend + now->energy.gravity);
    }
    withy_sim_destroy(sim);
    return 0;
}
