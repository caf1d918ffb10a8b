/* record.c - result files without scene files: a clamped wire swings and is written in every format.
 *
 *     cc record.c $(pkg-config --cflags --libs withy) -o record
 *     ./record swing.h5 swing.csv
 *     withy plot swing.h5 -o swing.svg
 *     withy view swing.h5 -o swing.html
 */
#include <stdio.h>
#include <string.h>

#include <withy/withy.h>

/* The clamp is shaken: a C function takes the place of a Lua function in a scene. */
static withy_status shake(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double amplitude = *(const double *)context;
    out[0] = 0, out[1] = t < 0.5 ? amplitude * t * (0.5 - t) * 16 : 0, out[2] = 0;
    return WITHY_OK;
}

int main(int argc, char **argv) {
    static double amplitude = 0.02; /* [m] */
    withy_rod rod = withy_rod_default();
    rod.name = "wire", rod.length = 0.5;
    rod.section = (withy_section){
        .kind = WITHY_SECTION_CIRCLE, .a = withy_field_number(2e-3), .shear_factor = 0.9};
    rod.material = (withy_material){.young = 200e9, .shear = 77e9, .density = 7850};
    rod.damping_time = 1e-4;
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    rod.end[0].kind = WITHY_END_CLAMPED;
    rod.end[0].position = (withy_field){.size = 3, .call = shake, .context = &amplitude};

    withy_problem problem = withy_problem_default();
    problem.title = "a shaken wire";
    problem.rod = &rod;
    problem.gravity = (withy_vec3){0, 0, -9.81};
    problem.request.stop = 1.0, problem.request.output = 0.02;
    const withy_probe tip = {.name = "tip", .what = "position", .at = 0.5, .every = 0.005};
    problem.request.probe = &tip, problem.request.probe_count = 1;

    const withy_option option[] = {{.name = "n", .number = 16}, {.name = "dt", .number = 0.001}};
    withy_study study = withy_study_default();
    study.problem = &problem, study.method = "director";
    study.option = option, study.option_count = 2;
    study.name = "record.c";
    study.output = (const char *const *)(argv + 1), study.output_count = argc - 1;

    withy_report report;
    withy_error err = {0};
    if (withy_study_run(&study, &report, &err) != WITHY_OK) {
        fprintf(stderr, "%s\n", err.text);
        return err.code == WITHY_BAD_INPUT ? 2 : 1;
    }
    printf("%s: %lld steps, %lld snapshots, tip (%.6f, %.6f, %.6f) m\n", report.method,
           (long long)report.stats.steps, (long long)report.snapshots, report.position[1].x,
           report.position[1].y, report.position[1].z);
    return 0;
}
